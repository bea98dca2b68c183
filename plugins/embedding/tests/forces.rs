//! Attract, repel and the field against the plain sums over all pairs.

use crate::support::relative_error;
use crate::support::scene::{Plain, Small, Sums};

/// Largest error of a force, as a share of the largest force, and of Z, as a share of Z.
const FORCE_ERROR: f64 = 1e-5;
/// Rounding of Z beside that, by point: its own weight of one is summed and taken off again.
const OWN_WEIGHT_ERROR: f64 = 2e-7;
/// Everyone is in the sample: nothing is left to chance.
const EVERYONE: u32 = 1;

fn agrees(found: &Sums, plain: &Plain) -> Result<(), String> {
    let points = plain.stiffness.len() / 2;
    let z_error = (found.z - plain.z).abs() - OWN_WEIGHT_ERROR * points as f64;
    let of = |place: usize| -> (Vec<f32>, Vec<f64>) {
        let each = |at: usize| (found.stiffness[2 * at + place], plain.stiffness[2 * at + place]);
        (0..points).map(each).unzip()
    };
    let (pull_stiffness, push_stiffness) = (of(0), of(1));
    let errors = [
        ("the stiffness of the pull", relative_error(&pull_stiffness.0, &pull_stiffness.1)),
        ("the stiffness of the push", relative_error(&push_stiffness.0, &push_stiffness.1)),
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

#[test]
fn a_field_without_an_opening_sums_every_pair() {
    /// An opening that gathers what is far away, which must not go unnoticed.
    const OPEN: f32 = 1.0;
    for dims in [1, 2, 3] {
        for alpha in [0.05, 0.5, 1.0, 3.0, 100.0] {
            for points in [2, 15, 16, 17, 300] {
                let small = Small::random(points, dims, alpha, 2.0);
                let (plain, case) = (small.plain(), format!("{points} points in {dims}-D, α {alpha}"));
                assert_eq!(agrees(&small.through_the_field(0.0), &plain), Ok(()), "{case}");
                let moved = small.with_point_moved(points / 2);
                assert!(agrees(&moved.through_the_field(0.0), &plain).is_err(), "a moved point goes unnoticed: {case}");
            }
        }
        let small = Small::random(600, dims, 1.0, 5.0);
        assert!(agrees(&small.through_the_field(OPEN), &small.plain()).is_err(), "an opening goes unnoticed");
    }
}

#[test]
fn nobody_pushes_itself_in_a_map_that_was_blown_up() {
    for (dims, alpha) in [(2, 1.0), (4, 1.0), (4, 0.5), (6, 1.0), (6, 2.0)] {
        let small = Small::random(130, dims, alpha, 1e4);
        // Beside the weight of one that a point has for itself, all this is nothing.
        let (found, plain) = (small.run(EVERYONE, 3), small.plain());
        let off = (found.z / plain.z - 1.0).abs();
        assert!(off < 1e-4, "{dims}-D, α {alpha}: Z is {} instead of {}", found.z, plain.z);
        let stiffness = relative_error(&found.stiffness, &plain.stiffness);
        assert!(stiffness < 1e-4, "{dims}-D, α {alpha}: off by {stiffness:e}");
    }
}
