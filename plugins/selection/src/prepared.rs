//! Regions ready to be asked about many places.

use crate::Region;
use crate::region::{Edge, edges, inside, within};

/// An outline is cut into so many bands at most: more would only copy long edges more often.
const MAX_BANDS: usize = 256;

/// A [`Region`] whose edges are sorted into horizontal bands, so that a place meets only the edges at its height.
#[derive(Debug, Clone)]
pub struct Prepared {
    bounds: [[f32; 2]; 2],
    /// Bands per pixel.
    scale: f32,
    /// The edges of each band, lowest first; none for a box, whose bounds say all.
    bands: Option<Vec<Vec<Edge>>>,
}

impl Prepared {
    pub(crate) fn new(region: &Region) -> Self {
        let mut prepared = Self { bounds: region.bounds(), scale: 0.0, bands: None };
        if let Region::Lasso(corners) = region {
            let bands = corners.len().clamp(1, MAX_BANDS);
            let [low, high] = prepared.bounds;
            // A flat or endless outline has no such scale; one band then holds all its edges.
            prepared.scale = Some(bands as f32 / (high[1] - low[1])).filter(|scale| scale.is_finite()).unwrap_or(0.0);
            let mut sorted = vec![Vec::new(); bands];
            for edge in edges(corners) {
                let [from, to] = edge.map(|corner| prepared.band(corner[1], bands));
                sorted[from.min(to)..=from.max(to)].iter_mut().for_each(|band| band.push(edge));
            }
            prepared.bands = Some(sorted);
        }
        prepared
    }

    /// The band at a height. It never falls as heights rise, so no edge at a height is outside that height's band.
    fn band(&self, height: f32, bands: usize) -> usize {
        (((height - self.bounds[0][1]) * self.scale) as usize).min(bands - 1)
    }

    /// Whether a place is inside; the same as [`Region::contains`].
    #[must_use]
    pub fn contains(&self, at: [f32; 2]) -> bool {
        within(self.bounds, at)
            && (self.bands.as_ref())
                .is_none_or(|bands| inside(bands[self.band(at[1], bands.len())].iter().copied(), at))
    }

    /// The least and the greatest corner of the smallest rectangle around the region.
    #[must_use]
    pub fn bounds(&self) -> [[f32; 2]; 2] {
        self.bounds
    }
}
