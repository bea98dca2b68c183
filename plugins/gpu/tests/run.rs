//! Whole runs: as far as a native one, the same twice, changed while they run, and through a lost device.

use crate::support::{data, native, open_adapter};
use embedding::{Engine, SQUEEZE, Settings};
use gpu::params::Control;
use gpu::stage::{Slot, position_stride};
use gpu::{GpuEngine, GpuError, adapter};
use vectors::{Metric, Space, Vectors};

/// How far the size of an embedding may be from the native one's: the same forces, rounded differently, for many
/// iterations.
const SIZE_ERROR: f32 = 0.05;
/// How far a point may be, on average, from where it was before its device was lost, as a share of the size.
const DISPLACEMENT: f32 = 0.1;
/// How far the share of true neighbours may be from the native search's: they part ways with the first difference in
/// rounding, and natively the search hears of neighbours in the embedding from the leaves of the tree, here from lists.
const RECALL_ERROR: f32 = 0.1;
/// Iterations until points move: start-up projections and two passes.
const WARM_UP: u32 = 14;

fn engine(vectors: Vectors, settings: &Settings) -> Option<GpuEngine> {
    let engine = GpuEngine::new(&open_adapter()?, vectors, settings.clone(), None);
    Some(engine.expect("an engine"))
}

fn run(engine: &mut GpuEngine, iterations: u32) {
    engine.run(iterations, |_| {}).expect("a run");
}

/// Five clusters.
fn clusters(rows: usize) -> Vectors {
    let mut vectors = data::cloud(rows, 5, 1);
    (0..rows).for_each(|row| vectors.row_mut(row)[row % 5] += 20.0);
    vectors
}

/// Share of the true neighbours among those with these distances, ties counted as found.
fn recall(space: &Space, distances: &[f32], k: usize) -> f32 {
    let exact = native::exact_lists(space, k);
    let found = distances.chunks_exact(k).enumerate().map(|(row, distances)| {
        let farthest = exact.worst(row).sqrt() * 1.0001;
        distances.iter().filter(|&&distance| distance <= farthest).count()
    });
    found.sum::<usize>() as f32 / distances.len() as f32
}

#[test]
fn a_run_on_the_gpu_ends_where_a_native_one_does() {
    // So few points are all in the sample: every pair is summed, and is to be natively.
    // Early exaggeration ends by a count there, natively by what the map does: here before either can tell.
    // And natively a sample of the neighbours beyond the lists counts, too: here lists hold all that are wanted.
    let settings = Settings {
        opening: 0.0,
        perplexity: 10.0,
        hd_neighbours: Some(32),
        early_iterations: 50,
        start_projections: 1,
        ..Settings::for_rows(300)
    };
    for (vectors, iterations) in [(clusters(300), 150), (data::digits(500), 150)] {
        let space = Space::new(vectors.clone(), Metric::Euclidean);
        let Some(mut engine) = engine(vectors.clone(), &settings) else { return };
        let mut told = Vec::new();
        engine.run(iterations, |iteration| told.push(iteration)).expect("a run");
        assert!(told.is_sorted() && told.last() == Some(&iterations), "{told:?}");
        let mut twin = Engine::new(vectors, settings.clone()).expect("an engine");
        (0..iterations).for_each(|_| twin.step());
        let (gpu, cpu) = (engine.statistics().expect("statistics"), twin.statistics());
        assert!((gpu.size / cpu.size - 1.0).abs() < SIZE_ERROR, "{gpu:?} {cpu:?}");
        assert!((gpu.z / cpu.z - 1.0).abs() < 2.0 * f64::from(SIZE_ERROR), "{gpu:?} {cpu:?}");
        assert_eq!((gpu.iteration, gpu.quarantined_row), (iterations, None));
        let (on_gpu, natively) = (engine.neighbours().expect("neighbours").1, twin.neighbours().1);
        let k = settings.hd_list_length(twin.rows());
        let (on_gpu, natively) = (recall(&space, &on_gpu, k), recall(&space, &natively, k));
        assert!((on_gpu - natively).abs() < RECALL_ERROR, "{on_gpu} of the true neighbours, natively {natively}");
    }
}

#[test]
fn two_points_and_points_without_differences_are_embedded() {
    let settings = Settings::for_rows(2);
    let Some(mut engine) = engine(data::cloud(2, 3, 1), &settings) else { return };
    let same = Vectors::from_rows(&[1.0, 2.0, 3.0].repeat(70), 3);
    for vectors in [data::cloud(2, 3, 1), data::cloud(3, 3, 1), same, Vectors::zeros(65, 4)] {
        engine.replace_data(vectors, settings.clone()).expect("other data");
        run(&mut engine, 40);
        let positions = engine.positions().expect("positions");
        assert!(positions.iter().all(|value| value.is_finite()));
        assert_eq!(engine.statistics().expect("statistics").quarantined_row, None);
    }
}

const EVERYTHING: [Slot; 6] =
    [Slot::Positions, Slot::Velocity, Slot::HdEntries, Slot::HdDistances, Slot::Ld, Slot::Gaussians];

#[test]
fn two_runs_with_one_seed_are_the_same_to_the_last_bit() {
    let settings = Settings::for_rows(400);
    let Some(mut first) = engine(clusters(400), &settings) else { return };
    run(&mut first, 40);
    let expected = first.fetch(&EVERYTHING).expect("buffers");
    assert!(expected.values::<f32>(Slot::Velocity).iter().any(|&moved| moved != 0.0), "nothing moves yet");
    let Some(mut second) = engine(data::cloud(50, 3, 2), &settings) else { return };
    second.replace_data(clusters(400), settings.clone()).expect("other data");
    (0..8).for_each(|_| run(&mut second, 5)); // other frames
    assert!(second.fetch(&EVERYTHING).expect("buffers") == expected, "two runs differ");
    second.replace_data(clusters(400), Settings { seed: 43, ..settings }).expect("other data");
    run(&mut second, 40);
    assert!(second.fetch(&EVERYTHING).expect("buffers") != expected, "another seed goes unnoticed");
}

/// Generations of the Gaussians of all rows.
fn generations(engine: &mut GpuEngine) -> Vec<f32> {
    let gaussians: Vec<[f32; 8]> = engine.fetch(&[Slot::Gaussians]).expect("a buffer").values(Slot::Gaussians);
    gaussians.iter().map(|gaussian| gaussian[3]).collect()
}

#[test]
fn changes_reach_every_row_within_two_iterations() {
    let mut settings = Settings { perplexity: 5.0, ..Settings::for_rows(300) };
    let Some(mut engine) = engine(clusters(300), &settings) else { return };
    run(&mut engine, 60);
    let mut generation = generations(&mut engine)[0];
    let changes: [fn(&mut Settings); 4] = [
        |settings| settings.perplexity = 4.5,
        |settings| settings.perplexity = 12.0, // longer lists, too
        |settings| settings.metric = Metric::Manhattan,
        |settings| settings.hd_neighbours = Some(50),
    ];
    for change in changes {
        let (before, _) = (engine.fetch(&[Slot::EdgeWeights]).expect("a buffer"), change(&mut settings));
        engine.set_settings(settings.clone()).expect("settings that fit");
        run(&mut engine, 2);
        let rows = generations(&mut engine);
        assert!(rows.iter().all(|&row| row == rows[0] && row > generation), "{generation} before, then {rows:?}");
        generation = rows[0];
        assert!(engine.fetch(&[Slot::EdgeWeights]).expect("a buffer") != before);
    }
    let (neighbours, distances) = engine.neighbours().expect("neighbours");
    assert_eq!(neighbours.len(), 300 * 50);
    let space = Space::new(clusters(300), Metric::Manhattan);
    let expected = space.squared_distance(7, neighbours[7 * 50] as usize).sqrt();
    assert!((distances[7 * 50] - expected).abs() < 1e-4, "{} instead of {expected}", distances[7 * 50]);
}

#[test]
fn tails_dimensions_and_lists_change_while_points_move() {
    let mut settings = Settings::for_rows(300);
    let Some(mut engine) = engine(clusters(300), &settings) else { return };
    run(&mut engine, WARM_UP + 20);
    let changes: [fn(&mut Settings); 6] = [
        |settings| settings.alpha = 0.5,
        |settings| settings.dims = 3,
        |settings| settings.dims = 2,
        |settings| settings.ld_neighbours = 40,
        |settings| (settings.metric, settings.dims, settings.perplexity) = (Metric::Cosine, 6, 30.0),
        |settings| (settings.alpha, settings.ld_neighbours, settings.hd_neighbours) = (1.0, 10, Some(16)),
    ];
    let mut iteration = WARM_UP + 20;
    for change in changes {
        change(&mut settings);
        engine.set_settings(settings.clone()).expect("settings that fit");
        let before = engine.positions().expect("positions");
        let leaves = engine.dims() > settings.dims;
        assert_eq!(before.len(), 300 * engine.dims());
        let steps = if leaves { SQUEEZE + 5 } else { 5 };
        run(&mut engine, steps);
        iteration += steps;
        let after = engine.positions().expect("positions");
        assert!(after.iter().all(|value| value.is_finite()) && after != before);
        let velocity: Vec<f32> = engine.fetch(&[Slot::Velocity]).expect("a buffer").values(Slot::Velocity);
        let moves = velocity.chunks_exact(position_stride(settings.dims));
        assert!(moves.clone().all(|row| row[..settings.dims].iter().all(|&axis| axis != 0.0)), "an axis rests");
        let statistics = engine.statistics().expect("statistics");
        assert_eq!((statistics.iteration, statistics.quarantined_row), (iteration, None));
    }
    engine.reset();
    run(&mut engine, 1);
    assert!(engine.statistics().expect("statistics").size < 1.0, "a reset embedding is small again");
}

#[test]
fn an_explosion_under_light_tails_is_survived() {
    for alpha in [1.0, 8.0, 100.0] {
        // One tree: the search then starts alike on both, and both maps are equally old.
        let settings =
            Settings { alpha, early_iterations: 20, opening: 0.0, start_projections: 1, ..Settings::for_rows(150) };
        // In one piece: nothing pulls clusters without a common neighbour together again.
        let Some(mut engine) = engine(data::cloud(150, 5, 1), &settings) else { return };
        run(&mut engine, WARM_UP + 40);
        let before = engine.statistics().expect("statistics").size;
        engine.explode();
        run(&mut engine, 1);
        let burst = engine.statistics().expect("statistics");
        assert!(burst.size > 100.0 * before, "α {alpha}: {before} before, {} after", burst.size);
        run(&mut engine, 150);
        let after = engine.statistics().expect("statistics");
        let positions = engine.positions().expect("positions");
        assert!(positions.iter().all(|value| value.is_finite()), "α {alpha}");
        assert_eq!(after.quarantined_row, None, "α {alpha}");
        assert!(after.size < 0.3 * burst.size, "α {alpha}: {} does not come back from {}", after.size, burst.size);
        // How far it has come back by then is a matter of pull and push, which far apart are almost in balance, and single
        // precision decides about what is left of them: about as far as natively.
        let mut twin = Engine::new(data::cloud(150, 5, 1), settings).expect("an engine");
        (0..WARM_UP + 40).for_each(|_| twin.step());
        twin.explode();
        (0..151).for_each(|_| twin.step());
        let expected = twin.statistics().size;
        let ratio = after.size / expected;
        assert!((0.5..2.0).contains(&ratio), "α {alpha}: {} natively {expected}", after.size);
    }
}

#[test]
fn an_embedding_that_was_torn_apart_is_drawn_together_and_young_again() {
    let usual = Settings { early_iterations: 20, ..Settings::for_rows(150) };
    let torn = Settings { repulsion: 10.0, ..usual.clone() };
    let mild = Settings { repulsion: 3.0, ..usual.clone() };
    let Some(mut engine) = engine(clusters(150), &usual) else { return };
    run(&mut engine, WARM_UP + 60);
    let control =
        |engine: &mut GpuEngine| engine.fetch(&[Slot::Control]).expect("a buffer").values::<Control>(Slot::Control)[0];
    let mut taken_back = |from: &Settings| {
        engine.set_settings(from.clone()).expect("settings are right");
        run(&mut engine, 40);
        let before = engine.statistics().expect("statistics").size;
        engine.set_settings(usual.clone()).expect("settings are right");
        run(&mut engine, 1);
        let (after, control) = (engine.statistics().expect("statistics").size, control(&mut engine));
        run(&mut engine, 60);
        (after / before, control.exaggeration, engine.statistics().expect("statistics").size / before)
    };
    let (shrunk, exaggeration, _) = taken_back(&mild);
    assert!(
        shrunk > 0.5 && exaggeration == 1.0,
        "a mild change: {shrunk} of its size, pulled {exaggeration} times as hard"
    );
    let (shrunk, exaggeration, later) = taken_back(&torn);
    assert!(shrunk < 0.01 && exaggeration == usual.early_exaggeration, "{shrunk}, {exaggeration}");
    assert!(later > 0.01 && later < 1.0, "it forms again: {later}");
}

#[test]
fn the_middle_of_a_run_is_drawn_back_to_the_origin() {
    let Some(mut engine) = engine(clusters(150), &Settings::for_rows(150)) else { return };
    run(&mut engine, WARM_UP + 10);
    let mut positions: Vec<f32> = engine.fetch(&[Slot::Positions]).expect("a buffer").values(Slot::Positions);
    positions.iter_mut().for_each(|value| *value += 100.0);
    engine.send(gpu::command::Command::Write(Slot::Positions, bytemuck::cast_slice(&positions).to_vec()));
    let mut middle = |iterations: u32| {
        run(&mut engine, iterations);
        engine.positions().expect("positions").iter().sum::<f32>() / 300.0
    };
    let first = middle(16);
    assert!((50.0..99.0).contains(&first), "a jump: {first}");
    let later = middle(160);
    assert!(later.abs() < 0.3 * first, "{later} after {first}");
}

#[test]
fn a_reset_forgets_who_could_not_be_moved() {
    let Some(mut engine) = engine(clusters(100), &Settings::for_rows(100)) else { return };
    run(&mut engine, WARM_UP + 2);
    let poison = bytemuck::cast_slice(&[f32::NAN; 2]).to_vec();
    engine.send(gpu::command::Command::Write(Slot::Velocity, poison));
    run(&mut engine, 1);
    assert!(engine.statistics().expect("statistics").quarantined_row.is_some());
    engine.reset();
    run(&mut engine, 1);
    assert_eq!(engine.statistics().expect("statistics").quarantined_row, None);
}

/// Mean distance of two sets of positions in the plane, as a share of a size.
fn displacement(before: &[f32], after: &[f32], size: f32) -> f32 {
    let moved = before.chunks_exact(2).zip(after.chunks_exact(2));
    let sum: f32 = moved.map(|(a, b)| ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt()).sum();
    sum / (before.len() / 2) as f32 / size
}

#[test]
fn a_lost_device_is_survived() {
    let settings = Settings { early_iterations: 30, ..Settings::for_rows(200) };
    let Some(mut engine) = engine(clusters(200), &settings) else { return };
    run(&mut engine, 150);
    engine.settle(200);
    run(&mut engine, 50);
    let before = engine.positions().expect("positions");
    let size = engine.statistics().expect("statistics").size;
    engine.lose_device();
    run(&mut engine, 40);
    let statistics = engine.statistics().expect("statistics");
    assert_eq!(statistics.iteration, 240);
    let after = engine.positions().expect("positions");
    assert!(after.iter().all(|value| value.is_finite()) && after != before);
    let moved = displacement(&before, &after, size);
    assert!(moved < DISPLACEMENT, "points are {moved} of the size from where they were");
    assert!((statistics.size / size - 1.0).abs() < DISPLACEMENT, "{} instead of {size}", statistics.size);
    let control = engine.control().expect("the state of the run");
    assert!(control.exaggeration == 1.0 && (0.5..0.6).contains(&control.annealed), "young or awake again: {control:?}");
    // Once more, found out only when something is read.
    engine.lose_device();
    let again = engine.positions().expect("positions");
    assert!(displacement(&after, &again, size) < DISPLACEMENT);
    engine.set_settings(Settings { dims: 3, ..settings.clone() }).expect("settings that fit");
    engine.lose_device();
    let deeper = engine.positions().expect("positions");
    let flat: Vec<f32> = deeper.chunks_exact(3).flat_map(|position| [position[0], position[1]]).collect();
    assert!(displacement(&again, &flat, size) < DISPLACEMENT, "positions before other dimensions came");
    engine.set_settings(settings).expect("settings that fit");
    run(&mut engine, SQUEEZE / 2);
    engine.positions().expect("positions");
    engine.lose_device(); // while an axis leaves
    run(&mut engine, SQUEEZE);
    let thinner = engine.positions().expect("positions");
    assert_eq!((engine.dims(), thinner.len()), (2, 400), "an axis that left came back");
    let shuffled: Vec<f32> = before.iter().rev().copied().collect();
    assert!(displacement(&before, &shuffled, size) > DISPLACEMENT, "other positions go unnoticed");
}

#[test]
fn what_does_not_fit_is_refused_and_the_run_goes_on() {
    let settings = Settings::for_rows(100);
    let Some(mut engine) = engine(clusters(100), &settings) else { return };
    run(&mut engine, 5);
    let refused = engine.replace_data(clusters(300), Settings { dims: 300, ..settings.clone() });
    let expected = "the gpu backend embeds in at most 256 dimensions, not 300; use --backend cpu";
    assert_eq!(refused.expect_err("too many dimensions").to_string(), expected);
    let refused = engine.set_settings(Settings { dims: 257, ..settings.clone() });
    assert!(matches!(refused, Err(GpuError::TooManyDims { dims: 257, .. })));
    let refused = engine.set_settings(Settings { perplexity: 0.5, ..settings.clone() });
    assert_eq!(refused.expect_err("out of range").to_string(), "perplexity is 0.5, but must be 1 to 10000");
    assert!(matches!(engine.replace_data(Vectors::zeros(1, 3), settings), Err(GpuError::Engine(_))));
    assert_eq!((engine.rows(), engine.settings().dims), (100, 2));
    run(&mut engine, 5);
    assert_eq!(engine.statistics().expect("statistics").iteration, 10);
    assert_eq!(engine.positions().expect("positions").len(), 200);

    // Lists of everyone, as many rows as no longer fit; where too many would, the table of sizes is asked (shape.rs).
    let (k, allowed) = (4096, engine.adapter().binding_bytes);
    let rows = (allowed / (8 * k) + 2) as usize;
    if rows <= 5000 {
        let lists = Settings { hd_neighbours: Some(k as usize), ..Settings::for_rows(rows) };
        let refused = engine.replace_data(data::cloud(rows, 2, 1), lists).expect_err("too large").to_string();
        let (needs, allows) = (8 * k * rows as u64, allowed >> 20);
        let needs = needs.div_ceil(1 << 20);
        let expected = format!(
            "the lists of neighbours need a {needs} MiB binding, this adapter allows {allows}: use a smaller \
             --perplexity, --sample or --backend cpu"
        );
        assert_eq!(refused, expected);
    }
}

#[test]
fn an_adapter_that_is_not_there_is_named_with_those_that_are() {
    let Some(open) = open_adapter() else { return };
    let error = adapter::open(Some("abacus")).expect_err("no such adapter").to_string();
    assert!(error.starts_with("no graphics adapter is called \"abacus\"; there is "), "{error}");
    assert!(error.contains(&open.summary.name), "{error}");
    assert!(adapter::list().contains(&open.summary));
    let part = open.summary.name[..4].to_uppercase();
    assert!(adapter::open(Some(&part)).is_ok(), "{part} is a part of {}", open.summary.name);
}
