//! What one value is at a time: each move leaves from what held when it began.

use crate::{Cue, Ease};

/// A value that goes somewhere.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Move<V> {
    from: f64,
    to: f64,
    ease: Ease,
    target: V,
}

impl<V: Copy> Move<V> {
    pub(crate) fn of(cue: &Cue, target: V) -> Self {
        Self { from: cue.from, to: cue.to, ease: cue.ease, target }
    }

    /// The value at a time, if it was `start` when the move began. At the end it is the target itself, not nearly.
    fn at(&self, time: f64, start: V, between: &impl Fn(V, V, f64) -> V) -> V {
        if time >= self.to {
            return self.target;
        }
        let share = self.ease.share((time - self.from) / (self.to - self.from));
        between(start, self.target, share)
    }
}

/// The value at a time, of moves in the order in which they begin; before the first, `start`. `between` says what
/// lies a share of the way from one value to another.
pub(crate) fn follow<V: Copy>(
    time: f64,
    start: V,
    moves: impl IntoIterator<Item = Move<V>>,
    between: impl Fn(V, V, f64) -> V,
) -> V {
    let mut held = start;
    let mut current: Option<Move<V>> = None;
    for next in moves.into_iter().take_while(|next| next.from <= time) {
        if let Some(former) = current {
            held = former.at(next.from, held, &between);
        }
        current = Some(next);
    }
    current.map_or(held, |last| last.at(time, held, &between))
}

/// A share of the way, evenly.
pub(crate) fn evenly(a: f64, b: f64, share: f64) -> f64 {
    a + (b - a) * share
}

/// A share of the way, evenly in the logarithm; evenly in itself where there is none.
pub(crate) fn by_ratio(a: f64, b: f64, share: f64) -> f64 {
    if a > 0.0 && b > 0.0 { a * (b / a).powf(share) } else { evenly(a, b, share) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves() -> [Move<f64>; 3] {
        let to = |from, to, target| Move { from, to, ease: Ease::None, target };
        [to(1.0, 5.0, 8.0), to(3.0, 4.0, 0.0), to(6.0, 6.0, 2.5)]
    }

    #[test]
    fn a_later_move_leaves_from_what_holds_and_the_former_is_forgotten() {
        let at = |time| follow(time, 4.0, moves(), evenly);
        for (time, expected) in
            [(0.0, 4.0), (1.0, 4.0), (2.0, 5.0), (3.0, 6.0), (3.5, 3.0), (4.0, 0.0), (5.0, 0.0), (6.0, 2.5), (9.0, 2.5)]
        {
            assert_eq!(at(time), expected, "at {time}");
        }
        assert_eq!(at(f64::NAN), 4.0);
    }

    #[test]
    fn ratios_go_evenly_in_their_logarithm() {
        assert!((by_ratio(0.1, 10.0, 0.5) - 1.0).abs() < 1e-12);
        assert_eq!(by_ratio(0.0, 10.0, 0.5), 5.0);
        assert_eq!(by_ratio(3.0, 7.0, 0.0), 3.0);
    }
}
