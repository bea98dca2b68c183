//! What is seen, found in main memory and at once.

use super::round::Round;
use crate::centre::{Centre, style_of};
use crate::cloud::PointCloud;
use crate::cloud::flags::{HIDDEN, HIGHLIGHT, SELECTED};
use crate::eye::Eye;
use crate::settings::PointSettings;
use crate::view::{DrawPath, Method, Sight, ViewUniform};
use bevy::math::{URect, UVec2, Vec2, Vec3};
use rayon::prelude::*;

/// Bands of a window that a thread takes at a time: a few for each, because clouds are dense in the middle.
const BANDS_PER_THREAD: usize = 2;

/// Looks at the points as a camera does. Pixels are physical ones, from the top left of the camera's viewport.
#[derive(Debug, Clone, Copy)]
pub struct Looker<'a> {
    /// The points.
    pub cloud: &'a PointCloud,
    /// Positions instead of the cloud's own, in the same shape: what is known of them while they are in a buffer of the
    /// GPU. Slots beyond its end are not seen.
    pub positions: Option<&'a [f32]>,
    /// How they look.
    pub settings: &'a PointSettings,
    /// The camera.
    pub eye: Eye,
    /// How they are drawn …
    pub path: DrawPath,
    /// … and whether by an adapter that [`is_software`](crate::is_software).
    pub software: bool,
    /// The order they are drawn in: [`PointCloud::order`].
    pub order: &'a [u32],
}

/// A point that is seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Picked {
    /// Which.
    pub slot: u32,
    /// Where its centre is, in the world.
    pub place: Vec3,
}

impl Looker<'_> {
    /// The point that is seen at a pixel.
    #[must_use]
    pub fn pick(&self, pixel: Vec2) -> Option<Picked> {
        self.pick_near(pixel, 0.0)
    }

    /// The point that is seen at a pixel, or else at the nearest pixel whose centre is within reach.
    #[must_use]
    pub fn pick_near(&self, pixel: Vec2, reach_px: f32) -> Option<Picked> {
        if !pixel.is_finite() || reach_px.is_nan() {
            return None;
        }
        let reach = reach_px.clamp(0.0, 1e6);
        let size = self.size();
        let inside = |corner: Vec2| corner.floor().clamp(Vec2::ZERO, size.as_vec2()).as_uvec2();
        let (from, to) = (inside(pixel - reach), inside(pixel + reach + 1.0));
        if from.x >= to.x || from.y >= to.y {
            return None; // outside of the viewport
        }
        let scene = Scene::of(self)?;
        let window = URect { min: from, max: to };
        let keys = scene.keys(&window);
        let seen = keys.iter().enumerate().filter(|(_, key)| **key != 0).filter_map(|(index, key)| {
            let (across, down) = (index as u32 % window.width(), index as u32 / window.width());
            let corner = (from + UVec2::new(across, down)).as_vec2();
            let distance = if corner == pixel.floor() { -1.0 } else { pixel.distance(corner + 0.5) };
            (distance <= reach).then_some((distance, *key))
        });
        let (_, key) = seen.min_by(|(one, nearness), (other, nearness_of_other)| {
            one.total_cmp(other).then(nearness_of_other.cmp(nearness))
        })?;
        let slot = scene.slot(key);
        Some(Picked { slot, place: self.cloud.axes().place(scene.position(slot)?) })
    }

    /// Which slots are seen at one pixel at least: not covered by others. A mask by slot.
    #[must_use]
    pub fn visible(&self) -> Vec<bool> {
        let mut seen = vec![false; self.cloud.count()];
        let Some(scene) = Scene::of(self) else { return seen };
        let mut last = 0;
        for key in scene.keys(&URect { min: UVec2::ZERO, max: self.size() }) {
            if key != 0 && key != last {
                if let Some(seen) = seen.get_mut(scene.slot(key) as usize) {
                    *seen = true;
                }
                last = key; // points cover several pixels of a row
            }
        }
        seen
    }

    /// Where the centre of every slot is on the screen, covered by others or not, also outside of the viewport. Not a
    /// number where it is not before the camera, hidden, or not of the share that is drawn.
    #[must_use]
    pub fn on_screen(&self) -> Vec<Vec2> {
        let count = self.cloud.count();
        let Some(scene) = Scene::of(self) else { return vec![Vec2::NAN; count] };
        let drawn = (scene.drawn.len() < count).then(|| {
            let mut drawn = vec![false; count];
            for slot in scene.drawn.iter().chain(&scene.highlighted) {
                if let Some(drawn) = drawn.get_mut(*slot as usize) {
                    *drawn = true;
                }
            }
            drawn
        });
        (0..count as u32)
            .into_par_iter()
            .map(|slot| match &drawn {
                Some(drawn) if !drawn[slot as usize] => Vec2::NAN,
                _ => scene.centre(slot).map_or(Vec2::NAN, |(centre, _)| Vec2::new(centre.x, centre.y)),
            })
            .collect()
    }

    fn size(&self) -> UVec2 {
        UVec2::new(self.eye.viewport.z, self.eye.viewport.w)
    }
}

/// What is drawn, as the renderer has it.
struct Scene<'a> {
    view: ViewUniform,
    positions: &'a [f32],
    styles: &'a [u32],
    /// Slots that are drawn first, and how …
    drawn: &'a [u32],
    method: Method,
    /// … and after them, even those that are not of the share.
    highlighted: Vec<u32>,
    highlight: Method,
    extent: f32,
}

impl<'a> Scene<'a> {
    /// None if there is nothing to see.
    fn of(looker: &Looker<'a>) -> Option<Self> {
        let Looker { cloud, settings, eye, .. } = looker;
        let positions = looker.positions.or_else(|| cloud.positions().map(|own| own.as_slice()))?;
        let order = &looker.order[..looker.order.len().min(cloud.count())];
        let drawn = &order[..cloud.drawn_of(order.len())];
        let styles = &cloud.styles()[..cloud.styles().len().min(order.len())];
        if drawn.is_empty() || eye.viewport.z == 0 || eye.viewport.w == 0 {
            return None;
        }
        let marked = |slot: &u32, flag: u32| style_of(styles, *slot) & flag != 0;
        let marks = styles.iter().fold(0, |all, style| all | style); // sooner done than asked of threads
        let highlighted: Vec<u32> = match marks & HIGHLIGHT != 0 {
            true => order.par_iter().copied().filter(|slot| marked(slot, HIGHLIGHT)).collect(),
            false => Vec::new(),
        };
        let sight = Sight { cloud, settings, eye };
        let selected = || marks & SELECTED != 0 && drawn.iter().any(|slot| marked(slot, SELECTED));
        let plain = highlighted.is_empty() && !selected();
        let highlight = Method::Triangles(sight.surface());
        let method = if plain && sight.native(looker.path, looker.software) {
            Method::Native
        } else if sight.splats(looker.path, looker.software) {
            Method::Splats
        } else {
            highlight
        };
        let view = sight.view_uniform(styles.len() as u32, drawn.len() as u32);
        Some(Self { view, positions, styles, drawn, method, highlighted, highlight, extent: sight.extent() })
    }

    fn position(&self, slot: u32) -> Option<&[f32]> {
        let first = slot as usize * self.view.stride as usize;
        self.positions.get(first..first + self.view.dims as usize)
    }

    /// The centre of a slot and its style; none if it cannot be seen.
    #[inline]
    fn centre(&self, slot: u32) -> Option<(Centre, u32)> {
        let style = style_of(self.styles, slot);
        if style & HIDDEN != 0 {
            return None;
        }
        Some((Centre::of(&self.view, self.position(slot)?)?, style))
    }

    /// Whether a slot may cover pixels of a window, whatever its radius is.
    #[inline]
    fn may_cover(&self, slot: u32, window: &URect) -> bool {
        let Some((centre, _)) = self.centre(slot) else { return false };
        let most = self.view.largest_px.max(self.view.smallest_px) + 1.0;
        let within = |at: f32, from: u32, to: u32| at + most >= from as f32 && at - most <= to as f32;
        within(centre.x, window.min.x, window.max.x) && within(centre.y, window.min.y, window.max.y)
    }

    /// A slot as it is drawn, if it may cover pixels of a window.
    fn round(&self, slot: u32, method: Method, window: &URect) -> Option<Round> {
        let (centre, style) = self.centre(slot)?;
        Round::of(&centre, &self.view, style, (method, self.extent)).filter(|round| round.touches(window))
    }

    /// The slot that left a key.
    fn slot(&self, key: u64) -> u32 {
        let sequence = (key as u32 - 1) as usize;
        self.drawn.get(sequence).copied().unwrap_or_else(|| self.highlighted[sequence - self.drawn.len()])
    }

    /// For every pixel of a window the key of what is seen: nearness above the place in the draw order plus one; 0:
    /// nothing.
    fn keys(&self, window: &URect) -> Vec<u64> {
        // First in the order of memory: in that of drawing, most of the time would go into waiting for memory.
        let slots = (self.positions.len() / self.view.stride as usize) as u32;
        let near: Vec<u64> = (0..slots.div_ceil(u64::BITS))
            .into_par_iter()
            .map(|word| {
                let first = word * u64::BITS;
                let bit = |slot| u64::from(self.may_cover(slot, window)) << (slot - first);
                (first..slots.min(first + u64::BITS)).map(bit).sum()
            })
            .collect();
        let is_near =
            |slot: u32| near.get((slot / u64::BITS) as usize).is_some_and(|word| word >> (slot % 64) & 1 != 0);
        let rounds: Vec<Round> = (0..self.drawn.len() + self.highlighted.len())
            .into_par_iter()
            .filter_map(|sequence| {
                let (slot, method) = match sequence.checked_sub(self.drawn.len()) {
                    None => (self.drawn[sequence], self.method),
                    Some(index) => (self.highlighted[index], self.highlight),
                };
                let round = is_near(slot).then(|| self.round(slot, method, window)).flatten();
                round.map(|round| round.at_place(sequence as u32))
            })
            .collect();
        let (width, height) = (window.width() as usize, window.height() as usize);
        let rows = height.div_ceil(rayon::current_num_threads() * BANDS_PER_THREAD).max(1);
        let mut keys = vec![0; width * height];
        keys.par_chunks_mut(rows * width).enumerate().for_each(|(band, keys)| {
            let top = window.min.y + (band * rows) as u32;
            let bottom = top + (keys.len() / width) as u32;
            let band = URect { min: UVec2::new(window.min.x, top), max: UVec2::new(window.max.x, bottom) };
            rounds.iter().filter(|round| round.touches(&band)).for_each(|round| round.cover(&self.view, &band, keys));
        });
        keys
    }
}
