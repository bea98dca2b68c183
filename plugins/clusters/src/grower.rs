//! The cluster around one point.

use crate::dbscan::squared;
use crate::density::Density;
use crate::options::allowed_granularity;
use crate::places::LOST;
use crate::positions::Positions;
use crate::sweep::Sweep;

/// Core points between two questions whether a cluster is still wanted.
const PATIENCE: usize = 64;

/// Grows clusters around points, again and again with other radii: what depends on positions only is computed once.
///
/// To grow a cluster takes time by its size, not by the rows there are, in up to about 4 dimensions; beyond, each of
/// its points may cost a look at all rows that are not yet in it.
pub struct Grower {
    density: Density,
}

impl Grower {
    /// Measures the positions, in parallel, and keeps what it needs of them. `min_points` as in
    /// [`ClusterOptions`](crate::ClusterOptions); 0 counts as 1.
    ///
    /// # Panics
    /// If `values` does not hold `rows` rows of `stride` values, or `dims` is 0 or more than `stride`.
    #[must_use]
    pub fn new(positions: Positions<'_>, min_points: usize) -> Self {
        positions.assert();
        Self { density: Density::new(positions, min_points) }
    }

    /// The radius at granularity 1: [`typical_radius`](crate::typical_radius()).
    #[must_use]
    pub fn typical_radius(&self) -> f32 {
        self.density.typical_radius()
    }

    /// The rows density-connected to `seed` at the typical radius divided by `granularity`, ascending: what
    /// [`dbscan`](crate::dbscan()) at that radius puts into the seed's cluster. A seed that is noise has itself and the
    /// rows within the radius; one that is not finite itself alone; one that does not exist none. A granularity out of
    /// range (0.1 to 10) counts as the nearest in it. None once `cancelled` says so.
    #[must_use]
    pub fn grow(&self, seed: u32, granularity: f32, cancelled: &(dyn Fn() -> bool + Sync)) -> Option<Vec<u32>> {
        let Some(&slot) = self.density.places.slots().get(seed as usize) else { return Some(Vec::new()) };
        if slot == LOST {
            return Some(vec![seed]);
        }
        let squared_radius = squared(self.density.typical_radius() / allowed_granularity(granularity));
        let slots = match self.core_of(slot, squared_radius) {
            Some(core) => self.cluster_of(core, squared_radius, cancelled)?,
            None => {
                let mut near = Vec::new();
                Sweep::new(&self.density).take_around(slot, squared_radius, &mut near);
                near
            }
        };
        let mut rows: Vec<u32> = slots.iter().flat_map(|&slot| self.density.places.members(slot)).copied().collect();
        rows.sort_unstable();
        Some(rows)
    }

    /// The core point whose cluster a slot is in.
    fn core_of(&self, slot: u32, squared_radius: f32) -> Option<u32> {
        if self.density.is_core(slot, squared_radius) {
            return Some(slot);
        }
        self.density.nearest_core(slot, squared_radius)
    }

    /// The slots of a core point's cluster.
    fn cluster_of(&self, core: u32, squared_radius: f32, cancelled: &dyn Fn() -> bool) -> Option<Vec<u32>> {
        let is_core = |slot: u32| self.density.is_core(slot, squared_radius);
        let mut sweep = Sweep::new(&self.density);
        sweep.take(core);
        let mut found = vec![core];
        let mut at = 0;
        while let Some(&slot) = found.get(at) {
            if at.is_multiple_of(PATIENCE) && cancelled() {
                return None;
            }
            if is_core(slot) {
                sweep.take_around(slot, squared_radius, &mut found);
            }
            at += 1;
        }
        // All core points near one in the cluster are in it, but other points may be nearer to another cluster's.
        let belongs = |slot: u32| {
            is_core(slot) || self.density.nearest_core(slot, squared_radius).is_some_and(|core| sweep.is_taken(core))
        };
        found.retain(|&slot| belongs(slot));
        Some(found)
    }
}

impl std::fmt::Debug for Grower {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rows = self.density.places.rows();
        f.debug_struct("Grower").field("rows", &rows).field("radius", &self.typical_radius()).finish_non_exhaustive()
    }
}
