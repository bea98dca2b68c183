//! Axes that leave: squeezed out over some steps, so that no point jumps and the others can make room.

/// Steps over which axes are squeezed out.
pub const SQUEEZE: u32 = 40;

/// A change to fewer dimensions that is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Squeeze {
    /// Dimensions that stay: the first ones.
    pub dims: usize,
    /// Steps done.
    pub done: u32,
}

impl Squeeze {
    /// A squeeze from so many dimensions to fewer, given what is under way already; none if nothing leaves.
    #[must_use]
    pub fn towards(dims: usize, from: usize, before: Option<Self>) -> Option<Self> {
        let same = before.filter(|before| before.dims == dims);
        (dims < from).then(|| same.unwrap_or(Self { dims, done: 0 }))
    }

    /// By what the axes that leave are multiplied in the next step.
    #[must_use]
    pub fn factor(&self) -> f32 {
        if self.is_done() { 0.0 } else { left(self.done + 1) / left(self.done) }
    }

    /// True once nothing is left of those axes.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.done >= SQUEEZE
    }
}

/// The share that is left after so many steps: it begins and ends gently.
fn left(done: u32) -> f32 {
    let gone = done as f32 / SQUEEZE as f32;
    1.0 - gone * gone * (3.0 - 2.0 * gone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_leaves_gently_and_entirely() {
        let (mut squeeze, mut left) = (Squeeze::towards(2, 3, None).expect("an axis leaves"), 1.0);
        let mut largest: f32 = 0.0;
        while !squeeze.is_done() {
            let next = left * squeeze.factor();
            largest = largest.max(left - next);
            (left, squeeze.done) = (next, squeeze.done + 1);
        }
        assert_eq!((left, squeeze.done, squeeze.factor()), (0.0, SQUEEZE, 0.0));
        assert!(largest < 1.6 / SQUEEZE as f32, "a step of {largest}");
    }

    #[test]
    fn the_same_wish_goes_on_and_another_begins_anew() {
        let under_way = Some(Squeeze { dims: 2, done: 7 });
        assert_eq!(Squeeze::towards(2, 5, under_way), under_way);
        assert_eq!(Squeeze::towards(3, 5, under_way), Some(Squeeze { dims: 3, done: 0 }));
        assert_eq!(Squeeze::towards(5, 5, under_way), None);
        assert_eq!(Squeeze::towards(8, 5, under_way), None);
    }
}
