//! Which core points are connected: a union-find that all threads join at once.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Sets of slots. A set's root is its lowest slot, so that the end does not depend on who joined first.
///
/// Every parent only ever falls, and each is one number of its own: no order between them is needed, so all accesses
/// are relaxed.
pub(crate) struct Forest(Vec<AtomicU32>);

impl Forest {
    /// Every slot alone.
    pub(crate) fn new(slots: usize) -> Self {
        Self((0..slots as u32).map(AtomicU32::new).collect())
    }

    /// The root of a slot's set, for now.
    pub(crate) fn root(&self, mut slot: u32) -> u32 {
        loop {
            let parent = self.0[slot as usize].load(Relaxed);
            if parent == slot {
                return slot;
            }
            let above = self.0[parent as usize].load(Relaxed);
            if above != parent {
                // Halves the path for the next; whoever was faster did as well.
                let _ = self.0[slot as usize].compare_exchange_weak(parent, above, Relaxed, Relaxed);
            }
            slot = parent;
        }
    }

    /// Makes the sets of two slots one.
    pub(crate) fn join(&self, a: u32, b: u32) {
        let (mut a, mut b) = (a, b);
        loop {
            (a, b) = (self.root(a), self.root(b));
            if a == b {
                return;
            }
            let (low, high) = (a.min(b), a.max(b));
            // Fails where another thread has just given `high` a parent: then its root is looked up anew.
            if self.0[high as usize].compare_exchange(high, low, Relaxed, Relaxed).is_ok() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    #[test]
    fn sets_joined_by_many_threads_are_rooted_in_their_lowest() {
        const SLOTS: u32 = 30_000;
        let forest = Forest::new(SLOTS as usize);
        // Chains of every third, joined in a scattered order.
        (0..SLOTS).into_par_iter().for_each(|turn| {
            let slot = turn.wrapping_mul(7919) % SLOTS;
            if slot >= 3 {
                forest.join(slot, slot - 3);
            }
        });
        assert!((0..SLOTS).all(|slot| forest.root(slot) == slot % 3));
        forest.join(SLOTS - 1, SLOTS - 2);
        assert_eq!([0, 1, 2].map(|slot| forest.root(slot)), [0, 1, 1]);
    }
}
