//! Data at the edge of what can be arranged.

use super::*;

fn survives(vectors: Vectors, settings: Settings, case: &str) -> Engine {
    let mut engine = engine(vectors, settings);
    run(&mut engine, 50);
    check_invariants(&engine, case);
    let statistics = engine.statistics();
    assert_eq!(statistics.quarantined_row, None, "{case}");
    assert!(statistics.z.is_finite() && statistics.z > 0.0 && statistics.size.is_finite(), "{case}: {statistics:?}");
    engine
}

#[test]
fn a_handful_of_rows_runs_in_any_number_of_dimensions() {
    for rows in [2, 3, 5, 17] {
        for dims in [1, 2, 3, 5] {
            let case = format!("{rows} rows in {dims}-D");
            let settings = Settings { dims, start_projections: 2, ..Settings::default() };
            let engine = survives(blobs(2, rows, 4, 61), settings, &case);
            assert!(engine.statistics().size > 0.0, "{case}: everything is in one place");
            let (neighbours, _) = engine.neighbours();
            assert!(neighbours.iter().all(|&row| (row as usize) < rows), "{case}: not everyone knows everyone");
        }
    }
}

#[test]
fn degenerate_rows_stay_finite_under_every_metric() {
    let mut constant = blobs(3, 150, 4, 62);
    (0..150).for_each(|row| constant.row_mut(row)[2] = 5.0);
    let mut zeros = blobs(3, 150, 4, 63);
    (0..40).for_each(|row| zeros.row_mut(3 * row).fill(0.0));
    let mut opposite = blobs(3, 150, 4, 64);
    (0..75).for_each(|row| {
        let mirrored: Vec<f32> = opposite.row(row).iter().map(|value| -value).collect();
        opposite.row_mut(row + 75).copy_from_slice(&mirrored);
    });
    let sets = [
        ("equal rows", Vectors::from_rows(&[1.0, -2.0, 3.5, 0.0].repeat(150), 4)),
        ("zero rows", Vectors::zeros(150, 4)),
        ("a constant column", constant),
        ("some zero rows", zeros),
        ("opposite rows", opposite),
        ("constant rows", Vectors::from_rows(&(0..600).map(|at| (at / 4) as f32).collect::<Vec<_>>(), 4)),
        ("one column", Vectors::from_rows(&(0..150).map(|at| (at * at % 97) as f32).collect::<Vec<_>>(), 1)),
    ];
    for (name, vectors) in sets {
        for metric in Metric::ALL {
            let settings = Settings { metric, start_projections: 3, ..Settings::default() };
            survives(vectors.clone(), settings, &format!("{name}, {metric}"));
        }
    }
}

#[test]
fn perplexities_at_the_ends_of_their_range_stay_finite() {
    for perplexity in [1.0, 1.001, 10_000.0] {
        let settings = Settings { perplexity, start_projections: 3, ..Settings::default() };
        survives(blobs(3, 150, 4, 65), settings, &format!("perplexity {perplexity}"));
    }
}

#[test]
fn tails_at_the_ends_of_their_range_stay_finite() {
    for alpha in [0.01, 0.1, 1000.0] {
        for dims in [2, 5] {
            let settings = Settings { alpha, dims, start_projections: 3, ..Settings::default() };
            survives(blobs(3, 150, 4, 66), settings, &format!("α {alpha} in {dims}-D"));
        }
    }
}

#[test]
fn huge_and_tiny_values_stay_finite() {
    for scale in [1e-25, 1e-12, 1e12, 1e25] {
        let mut vectors = blobs(3, 150, 4, 67);
        vectors.padded_mut().iter_mut().for_each(|value| *value *= scale);
        survives(vectors, Settings { start_projections: 3, ..Settings::default() }, &format!("scale {scale:e}"));
    }
}

#[test]
fn fewer_than_two_rows_are_refused() {
    for rows in [0, 1] {
        let refused = Engine::new(Vectors::zeros(rows, 3), Settings::default()).map(|_| ());
        assert_eq!(refused, Err(EngineError::TooFewRows { rows }));
        let message = EngineError::TooFewRows { rows }.to_string();
        assert_eq!(message, format!("an embedding needs at least two rows, the data has {rows}"));
    }
}
