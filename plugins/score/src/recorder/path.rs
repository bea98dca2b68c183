//! Few corners for many points.

/// The corners of a path from one point to another (Ramer, Douglas and Peucker), both of which are among them: the
/// farthest point becomes one, until none is too far. Points that cannot be one leave it to the next that can; where
/// there is none, nothing more can be done. `off` says how far a point is from the straight way between two others, as a
/// multiple of what is allowed.
pub(super) fn corners(
    points: usize,
    can_be: impl Fn(usize) -> bool,
    off: impl Fn(usize, usize, usize) -> f64,
) -> Vec<usize> {
    let last = points.saturating_sub(1);
    let mut corners = vec![0, last];
    let mut open = vec![(0, last)];
    while let Some((a, b)) = open.pop() {
        let between = (a + 1..b).map(|point| (off(a, b, point), point));
        let farthest = between.max_by(|(one, _), (other, _)| one.total_cmp(other));
        let Some((_, wanted)) = farthest.filter(|(off, _)| *off > 1.0) else { continue };
        if let Some(corner) = (a + 1..b).filter(|point| can_be(*point)).min_by_key(|point| point.abs_diff(wanted)) {
            corners.push(corner);
            open.extend([(a, corner), (corner, b)]);
        }
    }
    corners.sort_unstable();
    corners.dedup();
    corners
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::follow::evenly;

    #[test]
    fn straight_paths_have_no_corners_and_others_are_kept_within_bounds() {
        let some = |path: &[f64], can_be: fn(usize) -> bool| {
            corners(path.len(), can_be, |a, b, point| {
                let share = (point - a) as f64 / (b - a) as f64;
                (path[point] - evenly(path[a], path[b], share)).abs()
            })
        };
        let of = |path: &[f64]| some(path, |_| true);
        let line: Vec<f64> = (0..100).map(f64::from).collect();
        assert_eq!(of(&line), [0, 99]);
        let hill: Vec<f64> = (0..100).map(|at| 50.0 - f64::from(at - 40_i32).abs()).collect();
        assert_eq!(of(&hill), [0, 40, 99]);
        assert_eq!(some(&hill, |point| point % 3 == 0), [0, 39, 42, 99]);
        assert_eq!(some(&hill, |_| false), [0, 99]);
        assert_eq!(of(&[1.0]), [0]);
        let wave: Vec<f64> = (0..1000).map(|at| 20.0 * (f64::from(at) / 50.0).sin()).collect();
        let kept = of(&wave);
        assert!((10..80).contains(&kept.len()), "{}", kept.len());
        for ends in kept.windows(2) {
            for point in ends[0]..ends[1] {
                let share = (point - ends[0]) as f64 / (ends[1] - ends[0]) as f64;
                assert!((wave[point] - evenly(wave[ends[0]], wave[ends[1]], share)).abs() <= 1.0);
            }
        }
    }
}
