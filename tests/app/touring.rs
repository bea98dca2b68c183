//! More than three dimensions, seen along axes that turn.

use super::inspecting::search;
use super::viewer::*;
use bevy::math::{UVec4, Vec2, Vec3};
use controls::{Apart, Seeing, SeenAxes};
use points::{Axes, DrawPath, Eye, Looker};
use tour::{Classes, Frame, Positions};

/// Dimensions of the embedding.
const D: usize = 5;

/// An embedding of five dimensions.
fn showing(dir: &TempDir) -> Viewer {
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    set_dims(&mut viewer, D);
    viewer.until("five dimensions", |viewer| viewer.get::<PointCloud>().dims() == D);
    viewer.frames(40); // until they are seen along the widest directions
    viewer
}

fn set_dims(viewer: &mut Viewer, dims: usize) {
    let mut live = viewer.get_mut::<LiveEmbedding>();
    let settings = Settings { dims, ..live.settings().clone() };
    live.set_settings(settings).unwrap();
}

fn see(viewer: &mut Viewer, axes: SeenAxes) {
    viewer.get_mut::<Seeing>().see(axes);
}

fn axes(viewer: &Viewer) -> Axes {
    viewer.get::<PointCloud>().axes()
}

fn frame_of(axes: &Axes) -> Frame {
    let axes: Vec<[f32; 3]> = axes.axes.iter().map(Vec3::to_array).collect();
    Frame::nearest(&axes, 3)
}

/// How far the tip that moves most goes.
fn step(before: &Axes, after: &Axes) -> f32 {
    before.axes.iter().zip(&after.axes).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

#[test]
fn a_grand_tour_goes_on_while_nothing_moves_evenly_and_rests_to_the_bit() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = showing(&dir);
    viewer.pause();
    see(&mut viewer, SeenAxes::Grand);
    viewer.frame();
    let speed = f64::from(viewer.get::<Seeing>().speed);
    for _ in 0..30 {
        let before = axes(&viewer);
        viewer.frame();
        let after = axes(&viewer);
        let seconds = viewer.get::<bevy::time::Time<bevy::time::Real>>().delta_secs_f64().min(0.25);
        let (gone, expected) = (frame_of(&before).distance(&frame_of(&after)), speed * seconds);
        assert!((gone - expected).abs() < 0.05 * expected + 1e-5, "{gone} radians, {expected} are even");
    }
    let begun = axes(&viewer);
    for _ in 0..400 {
        viewer.0.update();
        let error = {
            let axes = axes(&viewer).axes;
            let dot = |i: usize, j: usize| axes.iter().map(|axis| axis[i] * axis[j]).sum::<f32>();
            let off = |i: usize, j: usize| (dot(i, j) - if i == j { 1.0 } else { 0.0 }).abs();
            (0..3).flat_map(|i| (0..=i).map(move |j| (i, j))).fold(0.0, |worst: f32, (i, j)| worst.max(off(i, j)))
        };
        assert!(error < 1e-5, "the axes are off by {error}");
    }
    assert!(axes(&viewer) != begun);
    viewer.get_mut::<Seeing>().paused = true;
    viewer.frame();
    let paused = axes(&viewer);
    viewer.frames(5);
    assert_eq!(axes(&viewer), paused);
    viewer.get_mut::<LiveEmbedding>().set_paused(false); // the points move, the axes do not
    viewer.frames(5);
    assert_eq!(axes(&viewer).axes, paused.axes);
}

#[test]
fn other_axes_are_gone_to_without_a_jump_and_dimensions_come_and_go() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = showing(&dir);
    viewer.pause();
    for wish in [SeenAxes::Dimensions([4, 1, 0]), SeenAxes::Grand, SeenAxes::Principal] {
        see(&mut viewer, wish.clone());
        for _ in 0..35 {
            let before = axes(&viewer);
            viewer.frame();
            assert!(step(&before, &axes(&viewer)) < 0.4, "{wish:?} jumps");
        }
    }
    // An embedding that stands still loses its axes, too.
    let iteration = viewer.iteration();
    set_dims(&mut viewer, 2);
    viewer.until("a flat map", |viewer| viewer.get::<PointCloud>().dims() == 2);
    viewer.frames(40);
    assert_eq!((viewer.snapshot().dims, viewer.iteration()), (2, iteration));
    assert!(viewer.get::<CloudBounds>().flat);
}

/// How many points are found where these axes place them.
fn found(viewer: &Viewer, seen: &Axes) -> usize {
    let (cloud, settings) = (viewer.get::<PointCloud>(), viewer.get::<PointSettings>());
    let snapshot = viewer.snapshot();
    let (transform, projection) = Pose::default().transform_and_projection(viewer.get::<CloudBounds>(), 4.0 / 3.0);
    let eye = Eye {
        clip_from_view: projection.get_clip_from_view(),
        world_from_view: transform.into(),
        viewport: UVec4::new(0, 0, 800, 600),
        scale: 1.0,
        focus: None,
        transparent: false,
        picture: false,
    };
    let order = cloud.order();
    let path = *viewer.get::<DrawPath>();
    let looker = Looker { cloud, positions: None, settings, eye, path, software: false, order: &order };
    let clip_from_world = eye.clip_from_view * transform.to_matrix().inverse();
    let is_found = |point: &usize| {
        let clip = clip_from_world.project_point3(seen.place(snapshot.position(*point)));
        let pixel = Vec2::new(400.0 * (1.0 + clip.x), 300.0 * (1.0 - clip.y));
        let picked = looker.pick(pixel);
        picked.is_some_and(|picked| {
            picked.slot as usize == *point && picked.place == seen.place(snapshot.position(*point))
        })
    };
    (0..ROWS).filter(is_found).count()
}

#[test]
fn what_is_seen_is_picked_while_a_tour_runs() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = showing(&dir);
    // While it is young, clusters are dots in which nobody can be told apart.
    viewer.until("a map that has grown", |viewer| viewer.iteration() > 300);
    see(&mut viewer, SeenAxes::Grand);
    for _ in 0..8 {
        viewer.frames(4);
        let axes = axes(&viewer);
        let here = found(&viewer, &axes);
        assert!(here > ROWS / 6, "{here} of {ROWS} points are found where they are seen");
        let elsewhere = found(&viewer, &Axes::unit(D));
        assert!(elsewhere < ROWS / 20, "{elsewhere} points are found where they are not seen");
    }
}

#[test]
fn a_guided_tour_takes_labels_or_a_selection_apart() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = showing(&dir);
    viewer.pause();
    let separation = |viewer: &Viewer, classes: &Classes| {
        let snapshot = viewer.snapshot();
        let at = Positions { values: &snapshot.positions, dims: snapshot.dims, stride: snapshot.stride };
        tour::separation(&frame_of(&axes(viewer)), at, classes).unwrap()
    };
    let row = |viewer: &Viewer, point: usize| viewer.snapshot().data.row_of_point[point];
    viewer.get_mut::<Seeing>().speed = 2.0;
    let labels = Classes::choose(ROWS, |point| Some(row(&viewer, point) % 5), 1);
    see(&mut viewer, SeenAxes::Dimensions([2, 3, 4]));
    viewer.frames(35);
    let before = separation(&viewer, &labels);
    see(&mut viewer, SeenAxes::Guided(Apart::Column("label".into())));
    viewer.frames(60);
    let after = separation(&viewer, &labels);
    assert!(after > before, "{before} before, {after} after");
    let chosen = Classes::choose(ROWS, |point| Some(u32::from(row(&viewer, point) % 5 == 3)), 1);
    let before = separation(&viewer, &chosen);
    search(&mut viewer, "label=\"blob 3\"");
    see(&mut viewer, SeenAxes::Guided(Apart::Selection));
    viewer.frames(60);
    let after = separation(&viewer, &chosen);
    assert!(after >= before && after > 0.5, "{before} before, {after} after");
}

#[test]
fn what_is_seen_is_in_the_session() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = showing(&dir);
    viewer.pause();
    let seeing = Seeing { axes: SeenAxes::Dimensions([3, 0, 4]), speed: 0.5, paused: false };
    *viewer.get_mut::<Seeing>() = seeing.clone();
    viewer.frames(40);
    let session = dir.path().join("s.nevis");
    viewer.ask(Request::Save(Some(session.clone())));
    viewer.notice(Announce::Done);
    let mut again = Viewer::showing(&session);
    again.frames(40);
    assert_eq!(*again.get::<Seeing>(), seeing);
    assert_eq!(axes(&again).axes, axes(&viewer).axes);
}
