//! What a point covers of the screen, and how near it is there.

use crate::centre::{Centre, ascending, layer_of};
use crate::native;
use crate::view::{Method, Surface, ViewUniform};
use bevy::math::URect;
use std::ops::Range;

/// What partly covered pixels of a map are worth beside covered ones, as a factor on layers: less than the lowest.
const PARTLY: f32 = 0.1;
/// The radius from which a disc surely covers the centre of the pixel that its own centre is in.
const SURELY_PX: f32 = 0.75;

/// A point as it is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Round {
    x: f32,
    y: f32,
    /// In pixels.
    radius: f32,
    near: Near,
    /// Later ones are drawn over earlier ones that are as near.
    sequence: u32,
    /// Half a pixel is counted to the left, as native code does.
    native: bool,
}

/// How near it is: larger is nearer, never 0.
#[derive(Debug, Clone, Copy)]
enum Near {
    /// The same everywhere.
    Even(u32),
    /// A disc of a map, which covers some pixels only partly.
    Layer(f32),
    /// A sphere: z of the centre, and the radius, in view space.
    Sphere(f32, f32),
}

impl Round {
    /// How a point with this centre is drawn.
    #[inline]
    pub fn of(centre: &Centre, view: &ViewUniform, style: u32, (method, extent): (Method, f32)) -> Option<Self> {
        if method == Method::Native {
            let native::Disc { x, y, radius, nearness } = native::disc(centre, view, style, extent);
            return Some(Self { x, y, radius, near: Near::Even(nearness), sequence: 0, native: true });
        }
        let Centre { place, clip, mut x, mut y } = *centre;
        let flat = view.flat_map != 0;
        if method != Method::Splats && !flat && clip.z < 0.0 {
            return None; // beyond the far plane
        }
        let radius = centre.radius_px(view, style);
        let near = match method {
            Method::Triangles(Surface::Sphere) => Near::Sphere(place.z, radius * clip.w * view.view_per_px),
            Method::Triangles(Surface::Spot) => Near::Even(ascending(clip.z / clip.w)),
            Method::Triangles(Surface::Disc) => Near::Layer(layer_of(style)),
            Method::Splats if flat => Near::Even(ascending(layer_of(style))),
            Method::Splats | Method::Native => Near::Even(ascending(centre.splat_depth(view))),
        };
        if radius < SURELY_PX && method == Method::Splats {
            (x, y) = (x.floor() + 0.5, y.floor() + 0.5);
        } else if radius < SURELY_PX && !flat {
            (x, y) = (x.floor() + 0.5, y.ceil() - 0.5); // triangles count from the bottom
        }
        Some(Self { x, y, radius, near, sequence: 0, native: false })
    }

    /// At a place in the order of drawing.
    pub fn at_place(self, sequence: u32) -> Self {
        Self { sequence, ..self }
    }

    /// Whether it may cover pixels of a window.
    pub fn touches(&self, window: &URect) -> bool {
        let reach = self.radius + 1.0;
        self.x + reach >= window.min.x as f32
            && self.x - reach <= window.max.x as f32
            && self.y + reach >= window.min.y as f32
            && self.y - reach <= window.max.y as f32
    }

    /// Leaves its key in every pixel of a window where it is the nearest so far.
    pub fn cover(&self, view: &ViewUniform, window: &URect, keys: &mut [u64]) {
        let width = window.width() as usize;
        let key = |nearness: u32| u64::from(nearness) << 32 | (u64::from(self.sequence) + 1);
        for row in self.span(self.y, self.radius, window.min.y..window.max.y) {
            let up = row as f32 + 0.5 - self.y;
            let reach = (self.radius * self.radius - up * up).max(0.0).sqrt();
            let columns = self.span(self.x, reach, window.min.x..window.max.x);
            let first = (row - window.min.y) as usize * width;
            for column in columns {
                let place = &mut keys[first + (column - window.min.x) as usize];
                *place = (*place).max(key(self.nearness(view, column as f32 + 0.5 - self.x, up)));
            }
        }
        if let Near::Layer(layer) = self.near
            && self.radius < SURELY_PX
            && self.x >= 0.0
            && self.y >= 0.0
        {
            // A tiny point of a map may cover no centre of a pixel; it is seen, faintly, in the one it lies in.
            let (x, y) = (self.x as u32, self.y as u32);
            if (window.min.x..window.max.x).contains(&x) && (window.min.y..window.max.y).contains(&y) {
                let place = &mut keys[(y - window.min.y) as usize * width + (x - window.min.x) as usize];
                *place = (*place).max(key(ascending(layer * PARTLY)));
            }
        }
    }

    /// Rows, or columns of a row, that it covers.
    #[inline]
    fn span(&self, at: f32, reach: f32, within: Range<u32>) -> Range<u32> {
        let (first, end) = if self.native {
            let (first, end) = native::span(at, reach, within.end as usize);
            (first as u32, end as u32)
        } else {
            ((at - reach - 0.5).ceil() as u32, ((at + reach + 0.5).floor() as u32).min(within.end))
        };
        first.max(within.start)..end.max(within.start)
    }

    /// How near it is at an offset from its centre, in pixels.
    #[inline]
    fn nearness(&self, view: &ViewUniform, across: f32, up: f32) -> u32 {
        match self.near {
            Near::Even(nearness) => nearness,
            Near::Layer(layer) => ascending(layer),
            Near::Sphere(z, radius) => {
                let distance2 = (across * across + up * up) / (self.radius * self.radius);
                let z = z + radius * (1.0 - distance2).max(0.0).sqrt();
                let clip_z = view.clip_from_view.z_axis.z * z + view.clip_from_view.w_axis.z;
                let clip_w = view.clip_from_view.z_axis.w * z + view.clip_from_view.w_axis.w;
                ascending(if clip_w > clip_z { clip_z / clip_w } else { 1.0 })
            }
        }
    }
}
