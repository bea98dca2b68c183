//! Attract and repel against the plain sums over all pairs.

use crate::support::relative_error;
use crate::support::scene::{Plain, Small, Sums};

/// Largest error of a force, as a share of the largest force, and of Z, as a share of Z.
const FORCE_ERROR: f64 = 1e-5;
/// Rounding of Z beside that, by point: its own weight of one is summed and taken off again.
const OWN_WEIGHT_ERROR: f64 = 2e-7;
/// Everyone is in the sample: nothing is left to chance.
const EVERYONE: u32 = 1;

fn agrees(found: &Sums, plain: &Plain) -> Result<(), String> {
    let z_error = (found.z - plain.z).abs() - OWN_WEIGHT_ERROR * found.swaps.len() as f64;
    let errors = [
        ("pull", relative_error(&found.pull, &plain.pull)),
        ("push", relative_error(&found.push, &plain.push)),
        ("Z", z_error / plain.z),
    ];
    match errors.iter().find(|(_, error)| error.is_nan() || *error > FORCE_ERROR) {
        Some((name, error)) => Err(format!("{name} is off by {error:e}, more than {FORCE_ERROR:e}")),
        None => Ok(()),
    }
}

#[test]
fn pull_push_and_z_agree_with_the_plain_sums_in_any_number_of_dimensions() {
    for dims in [1, 2, 3, 4, 5, 9] {
        for alpha in [1.0, 0.5, 2.0] {
            for points in [2, 9, 65, 300] {
                for spread in [0.01, 2.0] {
                    let small = Small::random(points, dims, alpha, spread);
                    let plain = small.plain();
                    let checked = agrees(&small.run(EVERYONE, 3), &plain);
                    assert_eq!(checked, Ok(()), "{points} points in {dims}-D, α {alpha}, spread {spread}");
                    let moved = small.with_point_moved(points / 2);
                    assert!(
                        agrees(&moved.run(EVERYONE, 3), &plain).is_err(),
                        "a moved point goes unnoticed among {points} in {dims}-D, α {alpha}, spread {spread}"
                    );
                }
            }
        }
    }
}

#[test]
fn blocks_of_points_meet_at_their_edges() {
    for points in [511, 512, 513, 1025] {
        for dims in [2, 5] {
            let small = Small::random(points, dims, 1.0, 2.0);
            assert_eq!(agrees(&small.run(EVERYONE, 3), &small.plain()), Ok(()), "{points} points in {dims}-D");
        }
    }
}

#[test]
fn heavy_tails_do_not_weigh_what_is_not_there() {
    // At α ≪ 1 even the far end of the world has a weight: padding must not count as points.
    for alpha in [0.2, 0.1, 0.02] {
        for dims in [2, 5] {
            let small = Small::random(33, dims, alpha, 2.0);
            assert_eq!(agrees(&small.run(EVERYONE, 3), &small.plain()), Ok(()), "{dims}-D, α {alpha}");
        }
    }
}
