//! Embeddings that go on from where they were left.

use super::*;

const ROWS: usize = 400;
/// Iterations after which it was left: past its youth.
const LEFT_AFTER: u32 = 300;
/// How much its size may change once it goes on, as a factor either way.
const KEPT: f32 = 2.0;

fn settings() -> Settings {
    Settings { early_iterations: 100, start_projections: 3, ..Settings::default() }
}

fn left() -> (Vectors, f32) {
    let mut engine = engine(blobs(5, ROWS, 10, 91), settings());
    run(&mut engine, LEFT_AFTER);
    (Vectors::from_rows(&engine.positions(), 2), engine.statistics().size)
}

fn resumed(coordinates: &Vectors, settings: Settings) -> Engine {
    Engine::resume(blobs(5, ROWS, 10, 91), settings, coordinates, LEFT_AFTER).expect("it fits")
}

#[test]
fn it_begins_exactly_where_it_was_left() {
    let (coordinates, size) = left();
    let mut engine = resumed(&coordinates, settings());
    assert_eq!(engine.iteration(), LEFT_AFTER);
    let placed = Vectors::from_rows(&engine.positions(), 2);
    assert!(placed == coordinates, "positions are not those that were left");
    assert!((engine.statistics().size / size - 1.0).abs() < 1e-5);
    check_invariants(&engine, "resumed");
    engine.step();
    assert_eq!(engine.iteration(), LEFT_AFTER + 1);
    // A start from the same coordinates keeps their arrangement alone: the comparison can tell.
    let started = Engine::with_start(blobs(5, ROWS, 10, 91), settings(), &coordinates).expect("it fits");
    assert!(Vectors::from_rows(&started.positions(), 2) != coordinates && started.iteration() == 0);
}

#[test]
fn it_is_not_young_again_and_does_not_collapse() {
    let (coordinates, size) = left();
    let mut engine = resumed(&coordinates, settings());
    for _ in 0..200 {
        engine.step();
        assert_eq!(engine.pace().exaggeration, 1.0, "young again at iteration {}", engine.iteration());
        let now = engine.statistics().size;
        assert!(now > size / KEPT && now < size * KEPT, "from {size} to {now} by iteration {}", engine.iteration());
    }
    assert!(Vectors::from_rows(&engine.positions(), 2) != coordinates, "nothing moves");
    check_invariants(&engine, "resumed, and gone on");
    // A reset lets it be young again, as ever.
    engine.reset();
    assert!(engine.pace().exaggeration > 1.0);
}

#[test]
fn it_goes_on_in_other_dimensions_too() {
    let (coordinates, _) = left();
    for dims in [1, 3] {
        let mut engine = resumed(&coordinates, Settings { dims, ..settings() });
        let shared = dims.min(2);
        for (row, position) in engine.positions().chunks_exact(dims).enumerate() {
            assert_eq!(position[..shared], coordinates.row(row)[..shared]);
            assert!(position[shared..].iter().all(|&value| value == 0.0));
        }
        run(&mut engine, 30);
        check_invariants(&engine, &format!("resumed in {dims}-D"));
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let (mut coordinates, _) = left();
    let resume =
        |coordinates: &Vectors| Engine::resume(blobs(5, ROWS, 10, 91), settings(), coordinates, LEFT_AFTER).map(|_| ());
    coordinates.row_mut(7)[1] = f32::NAN;
    assert_eq!(resume(&coordinates), Err(EngineError::StartNotFinite { row: 7 }));
    coordinates.truncate(ROWS - 1);
    assert_eq!(resume(&coordinates), Err(EngineError::StartRows { start: ROWS - 1, rows: ROWS }));
}
