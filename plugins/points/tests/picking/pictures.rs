//! What is picked is what is in the picture: points of unique colours, pixel by pixel.

use super::{Scene, look, show};
use crate::support::{BACK, HEIGHT, Random, Studio, WIDTH, bytes, clusters, map, orthographic, perspective, plain};
use bevy::math::{Vec2, Vec3};
use points::picture::Pixels;
use points::{DrawPath, Looker, PointSettings, flags};
use std::collections::{HashMap, HashSet};

/// The share of pixels that must agree; others have an edge through their centre.
const AGREE: f32 = 0.999;

/// Every point in a colour of its own, none of them that of the background.
fn unique(points: Vec<(Vec3, u32)>) -> Vec<(Vec3, u32)> {
    let colour = |index: usize| (0x0040_2010 + index as u32 * 2_531) & 0x00ff_ffff;
    points.into_iter().enumerate().map(|(index, (place, style))| (place, style & 0xff00_0000 | colour(index))).collect()
}

/// Pixels of a picture that are looked at.
const PIXELS: usize = 2_500;

/// The picture of a scene, and what is picked at some of its pixels and visible at all.
struct Shown {
    picture: Pixels,
    /// Slots by the colours of their points.
    slots: HashMap<[u8; 4], u32>,
    picked: Vec<((u32, u32), Option<u32>)>,
    visible: Vec<bool>,
}

fn shown(studio: &mut Studio, scene: &Scene) -> Shown {
    show(studio, scene);
    let picture = studio.take();
    let (eye, software) = look(studio);
    let order = scene.cloud.order();
    let Scene { cloud, settings, path, .. } = scene;
    let looker = Looker { cloud, positions: None, settings, eye, path: *path, software, order: &order };
    let mut random = Random(3);
    let picked = (0..PIXELS).map(|_| {
        let click = Vec2::new(random.next() * WIDTH as f32, random.next() * HEIGHT as f32);
        ((click.x as u32, click.y as u32), looker.pick(click).map(|picked| picked.slot))
    });
    let slots = cloud.styles().iter().enumerate().map(|(slot, style)| (bytes(*style), slot as u32)).collect();
    Shown { picked: picked.collect(), visible: looker.visible(), slots, picture }
}

impl Shown {
    /// The share of pixels at which what is picked is in the picture, of those that have the colour of one point.
    fn agree(&self) -> f32 {
        let (mut agree, mut clear) = (0, 0);
        for ((x, y), picked) in &self.picked {
            let colour = self.picture.at(*x, *y);
            let seen = match self.slots.get(&colour) {
                Some(slot) => Some(*slot),
                None if colour == BACK => None,
                None => continue, // the smooth edge of a disc
            };
            clear += 1;
            agree += usize::from(seen == *picked);
        }
        assert!(clear > PIXELS * 3 / 5, "{clear} clear pixels");
        assert!(self.hits().count() > PIXELS / 20, "{} hit", self.hits().count());
        agree as f32 / clear as f32
    }

    fn hits(&self) -> impl Iterator<Item = u32> {
        self.picked.iter().filter_map(|(_, picked)| *picked)
    }

    fn colours(&self) -> HashSet<u32> {
        self.picture.rgba.chunks_exact(4).filter_map(|pixel| self.slots.get(pixel).copied()).collect()
    }

    /// Slots that are seen in the picture alone, and those that are visible alone.
    fn only(&self) -> [usize; 2] {
        let seen = self.colours();
        let visible: HashSet<u32> = (0..).zip(&self.visible).filter(|(_, seen)| **seen).map(|(slot, _)| slot).collect();
        assert!(visible.len() > 60);
        [seen.difference(&visible).count(), visible.difference(&seen).count()]
    }
}

/// A cloud in space by each path; small points also by triangles.
fn scenes() -> Vec<Scene> {
    let aside = Vec3::new(-2.0, 1.0, 3.6);
    let points = unique(clusters(4_000, 7, 5));
    let of = |name, size, path| {
        let settings = PointSettings { size, attenuation: 0.7, ..plain() };
        Scene::new(name, settings, perspective(), &points).from(aside).by(path)
    };
    vec![
        of("splats", 4.4, DrawPath::Splats),
        of("native discs", 4.4, DrawPath::Native),
        of("tiny splats", 0.9, DrawPath::Splats),
        of("spots", 4.4, DrawPath::Triangles),
        of("spheres", 12.0, DrawPath::Triangles),
    ]
}

fn maps() -> Vec<Scene> {
    let mut random = Random(23);
    let mut place = || Vec3::new(random.normal() * 2.2, random.normal() * 1.8, 0.0);
    let points = unique((0..900).map(|_| (place(), 0)).collect());
    [DrawPath::Splats, DrawPath::Native, DrawPath::Triangles]
        .map(|path| Scene::new("a map", PointSettings { size: 9.0, ..map() }, orthographic(), &points).by(path))
        .into()
}

#[test]
fn what_is_picked_is_in_the_picture() {
    let mut studio = Studio::new(plain(), perspective());
    let mut splatted = shown(&mut studio, &maps()[0]);
    for scene in scenes().into_iter().chain(maps()) {
        let shown = shown(&mut studio, &scene);
        let agree = shown.agree();
        let [pictured, visible] = shown.only();
        let Scene { name, path, .. } = &scene;
        println!("{name}, {path:?}: {agree} agree; {pictured} only in the picture, {visible} only visible");
        assert!(agree >= AGREE, "{name}, {path:?}: {agree} of the pixels agree");
        if *path != DrawPath::Triangles {
            assert_eq!([pictured, visible], [0, 0], "{name}, {path:?}");
        } else if scene.settings.flat {
            // Those of which only smooth edges are seen have no colour of their own; as splats, the same discs have.
            assert_eq!(pictured, 0, "{name}");
            assert_eq!(shown.visible, splatted.visible, "{name}");
        } else {
            let most = shown.colours().len() / 100; // edges through the centres of pixels
            assert!(pictured <= 3 && visible <= most, "{name}: {pictured}, {visible}");
        }
        if *path == DrawPath::Splats {
            splatted = shown;
        }
    }
}

#[test]
fn highlighted_points_are_picked_where_they_cover_others() {
    let mut studio = Studio::new(plain(), perspective());
    for path in [DrawPath::Triangles, DrawPath::Splats] {
        let mut points = unique(clusters(2_500, 7, 5));
        points.iter_mut().step_by(60).for_each(|(_, style)| *style |= flags::HIGHLIGHT);
        points.iter_mut().skip(1).step_by(5).for_each(|(_, style)| *style |= flags::HIDDEN);
        let settings = PointSettings { size: 7.0, attenuation: 0.7, ..plain() };
        let scene = Scene::new("highlights", settings, perspective(), &points).by(path).share(0.5);
        let shown = shown(&mut studio, &scene);
        // Rings cover some pixels, in white.
        let agree = shown.agree();
        println!("highlights, {path:?}: {agree} agree");
        assert!(agree >= AGREE, "{path:?}: {agree} of the pixels agree");
        let highlighted = shown.hits().filter(|slot| slot % 60 == 0).count();
        assert!(highlighted > 40, "{highlighted} pixels of highlighted points");
    }
}

#[test]
fn another_picture_does_not_agree() {
    let mut studio = Studio::new(plain(), perspective());
    let [mut first, second] = [Vec3::new(-2.0, 1.0, 3.6), Vec3::new(-2.0, 1.1, 3.6)].map(|place| {
        let points = unique(clusters(4_000, 7, 5));
        let settings = PointSettings { size: 4.4, ..plain() };
        let scene = Scene::new("splats", settings, perspective(), &points).from(place).by(DrawPath::Splats);
        shown(&mut studio, &scene)
    });
    first.picture = second.picture;
    assert!(first.agree() < AGREE - 0.01);
    assert_ne!(first.only(), [0, 0]);
}
