//! What is drawn: positions, styles, and how positions become places in space.

use crate::order::extend_order;
use bevy::ecs::resource::Resource;
use bevy::math::Vec3;
use bevy::render::extract_resource::ExtractResource;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The most dimensions a position may have.
pub const MAX_DIMS: usize = 64;

/// Bits of a style that say how a point is drawn; its colour is below them.
pub mod flags {
    /// Not drawn.
    pub const HIDDEN: u32 = 1 << 24;
    /// Drawn small, in a grey near the background; behind the others on a flat map.
    pub const GREYED: u32 = 1 << 25;
    /// Drawn larger, with a ring that shows through what covers the point.
    pub const HIGHLIGHT: u32 = 1 << 26;
    /// Drawn before a rim: a group of selected points is outlined.
    pub const SELECTED: u32 = 1 << 27;
}

/// Positions in main memory, one after another.
#[derive(Debug, Clone)]
pub struct Positions {
    /// `count` × `stride` coordinates.
    pub values: Arc<Vec<f32>>,
    /// Points; no more are drawn than `values` holds.
    pub count: usize,
    /// Coordinates of a position (1 to [`MAX_DIMS`]).
    pub dims: usize,
    /// Numbers from one position to the next (≥ `dims`).
    pub stride: usize,
}

/// How positions become places: `Σ (position[k] − centre[k]) · axes[k]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Axes {
    /// The position that is placed at the origin, one coordinate per dimension.
    pub centre: Vec<f32>,
    /// Where each dimension points.
    pub axes: Vec<Vec3>,
}

impl Axes {
    /// The first three dimensions are x, y and z; further ones are not seen.
    #[must_use]
    pub fn unit(dims: usize) -> Self {
        let axis = |k| Vec3::AXES.get(k).copied().unwrap_or(Vec3::ZERO);
        Self { centre: vec![0.0; dims], axes: (0..dims).map(axis).collect() }
    }

    /// Where a position is placed.
    #[must_use]
    pub fn place(&self, position: &[f32]) -> Vec3 {
        let terms = position.iter().zip(&self.centre).zip(&self.axes);
        terms.map(|((value, centre), axis)| (value - centre) * *axis).sum()
    }
}

/// Where the positions are.
#[derive(Debug, Clone, Default)]
pub(crate) enum Source {
    /// There are none.
    #[default]
    Nowhere,
    /// In main memory.
    Own(Arc<Vec<f32>>),
    /// In a buffer that somebody else owns.
    External,
}

/// The cloud of points, in *slots*: indices into the buffer of positions.
///
/// The renderer takes over what changed, at the end of the frame; what did not change costs nothing.
#[derive(Debug, Clone, Resource)]
pub struct PointCloud {
    pub(crate) source: Source,
    pub(crate) count: usize,
    pub(crate) dims: usize,
    pub(crate) stride: usize,
    pub(crate) positions_generation: u64,
    pub(crate) styles: Arc<Vec<u32>>,
    pub(crate) styles_generation: u64,
    axes: Option<Axes>,
    share: f32,
    pub(crate) held: Arc<AtomicUsize>,
    /// The draw order that was last asked for, in either world.
    order: Arc<Mutex<Arc<Vec<u32>>>>,
}

impl Default for PointCloud {
    fn default() -> Self {
        Self {
            source: Source::Nowhere,
            count: 0,
            dims: 3,
            stride: 3,
            positions_generation: next_generation(),
            styles: Arc::default(),
            styles_generation: next_generation(),
            axes: None,
            share: 1.0,
            held: Arc::default(),
            order: Arc::default(),
        }
    }
}

/// Counts on, over all clouds: a cloud put in the place of another is seen as new.
fn next_generation() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

impl PointCloud {
    /// Replaces the positions; they are uploaded once.
    ///
    /// # Panics
    /// If `dims` is zero or more than [`MAX_DIMS`], or `stride` less than `dims`.
    pub fn set_positions(&mut self, positions: Positions) {
        let Positions { values, count, dims, stride } = positions;
        self.set_shape(count.min(values.len() / stride.max(1)), dims, stride);
        self.source = Source::Own(values);
        self.positions_generation = next_generation();
    }

    /// Takes positions from a buffer of the GPU that somebody else owns, in
    /// [`ExternalPositions`](crate::ExternalPositions); nothing is drawn while there is none.
    ///
    /// # Panics
    /// If `dims` is zero or more than [`MAX_DIMS`], or `stride` less than `dims`.
    pub fn set_external(&mut self, count: usize, dims: usize, stride: usize) {
        self.set_shape(count, dims, stride);
        self.source = Source::External;
    }

    fn set_shape(&mut self, count: usize, dims: usize, stride: usize) {
        assert!((1..=MAX_DIMS).contains(&dims), "positions have {dims} dimensions, but 1 to {MAX_DIMS} can be drawn");
        assert!(stride >= dims, "positions of {dims} dimensions cannot be {stride} numbers apart");
        (self.count, self.dims, self.stride) = (count, dims, stride);
    }

    /// Replaces the looks of the points: one number per slot, `0x00BBGGRR` in sRGB and [`flags`] above it. Slots beyond
    /// its end are light grey.
    pub fn set_styles(&mut self, styles: Arc<Vec<u32>>) {
        self.styles = styles;
        self.styles_generation = next_generation();
    }

    /// Sets how positions become places, for as long as they have as many dimensions; until then, and after a change of
    /// dimensions, it is [`Axes::unit`].
    pub fn set_axes(&mut self, axes: Axes) {
        self.axes = Some(axes);
    }

    /// Draws only this share of the points (0 to 1): a fair sample, the same for the same share.
    pub fn set_share(&mut self, share: f32) {
        self.share = share;
    }

    /// Removes the points, with their looks and axes.
    pub fn clear(&mut self) {
        *self = Self { share: self.share, held: self.held.clone(), order: self.order.clone(), ..Self::default() };
    }

    /// How many points there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many of them are drawn: those of the share, hidden ones included.
    #[must_use]
    pub fn drawn_count(&self) -> usize {
        self.drawn_of(self.count)
    }

    /// How many of some points are drawn.
    pub(crate) fn drawn_of(&self, count: usize) -> usize {
        let share = if self.share.is_nan() { 1.0 } else { self.share.clamp(0.0, 1.0) };
        ((count as f64 * f64::from(share)).ceil() as usize).min(count)
    }

    /// For how many of them the renderer had positions when it last drew: fewer than there are if they are in a buffer
    /// that is not there yet, or do not fit into one of the device.
    #[must_use]
    pub fn held(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }

    /// Slots in the order in which they are drawn, as [`draw_order`](crate::draw_order) makes it; kept, and the same that
    /// the renderer has. Of positions in a buffer of others, those that the renderer had when it last drew, if any.
    #[must_use]
    pub fn order(&self) -> Arc<Vec<u32>> {
        let held = match self.source {
            Source::External if (1..self.count).contains(&self.held()) => self.held(),
            _ => self.count,
        };
        self.order_of(held)
    }

    /// The draw order of this many points.
    pub(crate) fn order_of(&self, count: usize) -> Arc<Vec<u32>> {
        let mut order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        if order.len() != count {
            extend_order(Arc::make_mut(&mut order), count);
        }
        order.clone()
    }

    /// Coordinates of a position.
    #[must_use]
    pub fn dims(&self) -> usize {
        self.dims
    }

    /// Numbers from one position to the next.
    #[must_use]
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The share that is drawn.
    #[must_use]
    pub fn share(&self) -> f32 {
        self.share
    }

    /// The positions, if they are in main memory.
    #[must_use]
    pub fn positions(&self) -> Option<&Arc<Vec<f32>>> {
        match &self.source {
            Source::Own(values) => Some(values),
            Source::Nowhere | Source::External => None,
        }
    }

    /// The looks of the points.
    #[must_use]
    pub fn styles(&self) -> &Arc<Vec<u32>> {
        &self.styles
    }

    /// How positions become places.
    #[must_use]
    pub fn axes(&self) -> Axes {
        match &self.axes {
            Some(axes) if axes.centre.len() == self.dims && axes.axes.len() == self.dims => axes.clone(),
            _ => Axes::unit(self.dims),
        }
    }
}

impl ExtractResource for PointCloud {
    type Source = Self;

    fn extract_resource(source: &Self) -> Self {
        source.clone()
    }
}
