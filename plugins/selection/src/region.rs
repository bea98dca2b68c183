//! Regions of the screen drawn by hand.

use crate::Prepared;

/// A region narrower than this in both directions, in pixels, was a click and not a drawing.
const MIN_EXTENT_PX: f32 = 3.0;

/// A region of the screen drawn by hand, in pixels. Its outline belongs to it.
#[derive(Debug, Clone, PartialEq)]
pub enum Region {
    /// The corners of a loop, which closes by itself. Where it crosses itself, the even-odd rule decides: a place is
    /// inside if a way out of it crosses the outline an odd number of times. Corners that are not finite are left out.
    Lasso(Vec<[f32; 2]>),
    /// A rectangle between two opposite corners, in either order.
    Box {
        /// Where the drawing began.
        from: [f32; 2],
        /// Where it ended.
        to: [f32; 2],
    },
}

impl Region {
    /// Whether a place is inside. For many places of one lasso, [`Region::prepared`] answers sooner.
    #[must_use]
    pub fn contains(&self, at: [f32; 2]) -> bool {
        match self {
            Self::Lasso(corners) => inside(edges(corners), at),
            Self::Box { .. } => within(self.bounds(), at),
        }
    }

    /// The least and the greatest corner of the smallest rectangle around the region; both zero if it has no corner.
    #[must_use]
    pub fn bounds(&self) -> [[f32; 2]; 2] {
        let around = |[low, high]: [[f32; 2]; 2], corner: [f32; 2]| {
            [[low[0].min(corner[0]), low[1].min(corner[1])], [high[0].max(corner[0]), high[1].max(corner[1])]]
        };
        match self {
            Self::Lasso(corners) => {
                let mut corners = finite(corners);
                let first = corners.next().unwrap_or_default();
                corners.fold([first, first], around)
            }
            Self::Box { from, to } => around([*from, *from], *to),
        }
    }

    /// Whether the region extends so far in some direction that it was drawn on purpose.
    #[must_use]
    pub fn is_large_enough(&self) -> bool {
        let [low, high] = self.bounds();
        (0..2).any(|axis| high[axis] - low[axis] >= MIN_EXTENT_PX)
    }

    /// The region in the form that tells soonest whether places are inside; with the same answers.
    #[must_use]
    pub fn prepared(&self) -> Prepared {
        Prepared::new(self)
    }
}

/// From one corner of an outline to the next.
pub(crate) type Edge = [[f32; 2]; 2];

fn finite(corners: &[[f32; 2]]) -> impl Iterator<Item = [f32; 2]> + '_ {
    corners.iter().copied().filter(|corner| corner.iter().all(|value| value.is_finite()))
}

/// The edges of a loop, the closing one first.
pub(crate) fn edges(corners: &[[f32; 2]]) -> impl Iterator<Item = Edge> + '_ {
    let last = finite(corners).last().unwrap_or_default();
    finite(corners).scan(last, |before, corner| Some([std::mem::replace(before, corner), corner]))
}

/// Whether a place lies in a rectangle; no place that is not a number does.
pub(crate) fn within([low, high]: [[f32; 2]; 2], at: [f32; 2]) -> bool {
    (0..2).all(|axis| low[axis] <= at[axis] && at[axis] <= high[axis])
}

/// Whether a place is inside a closed outline or on it. Edges whose heights do not include that of the place may be
/// left out.
pub(crate) fn inside(edges: impl Iterator<Item = Edge>, at: [f32; 2]) -> bool {
    let mut odd = false;
    for [from, to] in edges {
        let (low, high) = if from[1] <= to[1] { (from, to) } else { (to, from) };
        if !(low[1] <= at[1] && at[1] <= high[1]) {
            continue;
        }
        // Which side of the edge, seen upwards: positive where the edge passes to the right of the place. In f64 the
        // differences are exact, so that the side is that of the true edge, from whichever end it was drawn.
        let [dx, dy] = [0, 1].map(|axis| f64::from(high[axis]) - f64::from(low[axis]));
        let [x, y] = [0, 1].map(|axis| f64::from(at[axis]) - f64::from(low[axis]));
        let side = dx * y - dy * x;
        if side == 0.0 && at[0] >= low[0].min(high[0]) && at[0] <= low[0].max(high[0]) {
            return true; // on the outline
        }
        // An edge includes its lower end and not its upper one, so a way through a corner counts it once or twice
        // as the outline goes on or turns back there.
        odd ^= at[1] < high[1] && side > 0.0;
    }
    odd
}

#[cfg(test)]
mod tests;
