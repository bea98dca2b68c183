//! Runs that keep no more than moving points takes.

use super::*;

const ROWS: usize = 1500;

fn settings() -> Settings {
    Settings { early_iterations: 20, start_projections: 4, perplexity: 8.0, ..Settings::default() }
}

fn frugal(iterations: u32) -> Engine {
    let mut engine = engine(blobs(6, ROWS, 8, 77), settings());
    engine.hurry(true);
    engine.spare_memory();
    run(&mut engine, iterations);
    engine
}

/// Mean share of ten neighbours in the data that are among those in the embedding.
fn kept(engine: &Engine) -> f64 {
    let (positions, dims) = (engine.positions(), engine.dims());
    let space = Space::new(blobs(6, ROWS, 8, 77), Metric::Euclidean);
    let nearest = |squared: &dyn Fn(usize) -> f32, row: usize| -> BTreeSet<usize> {
        let mut others: Vec<usize> = (0..ROWS).filter(|&other| other != row).collect();
        others.sort_by(|&a, &b| squared(a).total_cmp(&squared(b)));
        others[..10].iter().copied().collect()
    };
    let rows = (0..ROWS).step_by(15);
    let share = |row: usize| {
        let squared = |other: usize| -> f32 {
            (0..dims).map(|axis| (positions[row * dims + axis] - positions[other * dims + axis]).powi(2)).sum()
        };
        let there = nearest(&|other| space.squared_distance(row, other), row);
        there.intersection(&nearest(&squared, row)).count() as f64 / 10.0
    };
    rows.clone().map(share).sum::<f64>() / rows.count() as f64
}

#[test]
fn lists_go_and_the_map_is_as_good() {
    let mut usual = engine(blobs(6, ROWS, 8, 77), settings());
    usual.hurry(true);
    run(&mut usual, 200);
    let frugal = frugal(200);
    assert!(frugal.has_let_go() && !usual.has_let_go());
    assert_eq!((frugal.search.hd.points(), frugal.gaussians.len()), (0, 0));
    assert!(frugal.neighbours().0.iter().chain(&frugal.point_neighbours().0).all(|&other| other == u32::MAX));
    let (kept, expected) = (kept(&frugal), kept(&usual));
    assert!(expected > 0.3 && kept > expected - 0.03, "{kept} of the neighbours are kept, {expected} by the usual run");
    assert!(frugal.statistics().z > 1.0 && frugal.statistics().size.is_finite());
}

#[test]
fn where_lists_are_poor_they_stay() {
    let mut engine = engine(blobs(6, ROWS, 8, 77), Settings { metric: Metric::Manhattan, ..settings() });
    while engine.affinities.is_empty() {
        run(&mut engine, 1);
    }
    engine.spare_memory();
    engine.search.rate = 0.5;
    engine.refreshed_at = None;
    engine.refresh_affinities();
    assert!(!engine.has_let_go());
    engine.search.rate = 0.01;
    engine.refreshed_at = None;
    engine.refresh_affinities();
    assert!(engine.has_let_go());
}

#[test]
fn whoever_comes_leaves_or_changes_finds_everything_there_again() {
    let more = blobs(6, ROWS + 3, 8, 77);
    let mut some = Vectors::with_capacity(3, 8);
    (ROWS..ROWS + 3).for_each(|row| some.push(more.row(row)));
    let (new, old): ([u32; 3], [u32; 3]) = ([1500, 1501, 1502], [4, 8, 15]);
    for case in ["insert", "remove", "update", "place", "settings"] {
        let mut engine = frugal(80);
        assert!(engine.has_let_go());
        let before = engine.positions();
        match case {
            "insert" => engine.insert(&new, &some),
            "remove" => engine.remove(&old),
            "update" => engine.update(&old, &some),
            "place" => engine.place_anew(&old),
            _ => engine.set_settings(Settings { perplexity: 12.0, ..settings() }),
        }
        .expect("a change that is right");
        assert!(!engine.has_let_go(), "{case}");
        check_invariants(&engine, case);
        let held = (0..ROWS).filter(|row| !old.contains(&(*row as u32)));
        let after = engine.positions();
        assert!(held.clone().all(|row| before[2 * row..][..2] == after[2 * row..][..2]), "{case}: somebody jumps");
        assert!(engine.neighbours().0.iter().any(|&other| other != u32::MAX), "{case}");
        run(&mut engine, 20);
        check_invariants(&engine, case);
        let size = engine.statistics().size;
        let after = engine.positions();
        let far = held.filter(|&row| (before[2 * row] - after[2 * row]).abs() > size).count();
        assert!(far < ROWS / 20, "{case}: {far} points are elsewhere, as if it were young again");
    }
}

#[test]
fn threads_leave_no_trace() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool can be built");
        pool.install(|| frugal(40).positions().into_iter().map(f32::to_bits).collect::<Vec<u32>>())
    };
    let one = on(1);
    assert!(on(2) == one && on(3) == one);
}

#[test]
fn a_run_that_ends_moves_in_every_iteration() {
    let mut hurried = engine(blobs(6, ROWS, 8, 77), Settings { metric: Metric::Manhattan, ..settings() });
    let mut watched = engine(blobs(6, ROWS, 8, 77), Settings { metric: Metric::Manhattan, ..settings() });
    hurried.hurry(true);
    let start = hurried.positions();
    run(&mut hurried, 1);
    run(&mut watched, 1);
    assert!(watched.search.warming_up() && watched.positions() == start);
    assert!(!hurried.search.warming_up() && hurried.positions() != start);
}
