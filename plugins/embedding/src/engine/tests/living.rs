//! Rows that come, leave and change while the embedding runs.

use super::*;
use crate::random::{below, unit};
use std::collections::BTreeMap;

const DIMS: usize = 8;

fn settings() -> Settings {
    Settings { early_iterations: 20, start_projections: 4, perplexity: 8.0, ..Settings::default() }
}

/// An embedding of some rows that has found its shape.
fn grown(vectors: &Vectors, rows: usize, settings: Settings) -> Engine {
    let mut first = vectors.clone();
    first.truncate(rows);
    let mut engine = engine(first, settings);
    run(&mut engine, 150);
    engine
}

/// Some rows of a matrix.
fn some(vectors: &Vectors, rows: impl Iterator<Item = usize>) -> Vectors {
    let mut some = Vectors::with_capacity(0, vectors.dims());
    rows.for_each(|row| some.push(vectors.row(row)));
    some
}

/// Share of the true neighbours of some points that their lists hold.
fn recall(engine: &Engine, points: impl Iterator<Item = usize>) -> f64 {
    let k = 10;
    let living: Vec<usize> = (0..engine.rows()).filter(|&point| engine.alive()[point]).collect();
    let (mut found, mut all) = (0, 0);
    for point in points {
        let mut others: Vec<(f32, usize)> = living
            .iter()
            .filter(|&&other| other != point)
            .map(|&other| (engine.space.squared_distance(point, other), other))
            .collect();
        others.sort_by(|a, b| a.0.total_cmp(&b.0));
        let listed: BTreeSet<u32> = engine.search.hd.neighbours(point).collect();
        found += others[..k].iter().filter(|(_, other)| listed.contains(&(*other as u32))).count();
        all += k;
    }
    found as f64 / all as f64
}

/// How far each row has moved, as shares of the map's size, ascending.
fn moves(before: &[f32], engine: &Engine, rows: impl Iterator<Item = usize>) -> Vec<f32> {
    let (after, dims) = (engine.positions(), engine.dims());
    let size = engine.statistics().size;
    let mut moves: Vec<f32> = rows
        .map(|row| {
            let (a, b) = (&before[row * dims..][..dims], &after[row * dims..][..dims]);
            a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt() / size
        })
        .collect();
    moves.sort_by(f32::total_cmp);
    moves
}

#[test]
fn rows_that_come_find_their_neighbours_and_leave_the_map_in_place() {
    let (all, old) = (blobs(6, 880, DIMS, 5), 800);
    for dims in [2, 3, 6] {
        let mut engine = grown(&all, old, Settings { dims, ..settings() });
        let before = engine.positions();
        let rows: Vec<u32> = (old as u32..880).collect();
        engine.insert(&rows, &some(&all, old..880)).expect("they are the next");
        check_invariants(&engine, "inserted");
        assert_eq!((engine.rows(), engine.living()), (880, 880));
        let at_once =
            recall(&engine, (old..880).map(|row| engine.living.point(row as u32).expect("it lives") as usize));
        assert!(at_once > 0.8, "{dims}-D: a short search finds {at_once}");
        assert_eq!(before[..], engine.positions()[..before.len()], "{dims}-D: somebody was moved by hand");
        run(&mut engine, 100);
        check_invariants(&engine, "inserted, and on");
        let points = |rows: std::ops::Range<u32>| rows.map(|row| engine.living.point(row).expect("it lives") as usize);
        let (new, others) = (recall(&engine, points(800..880)), recall(&engine, points(0..800)));
        assert!(new > 0.9 * others, "{dims}-D: recall {new}, that of the others {others}");
        let median = moves(&before, &engine, 0..old)[old / 2];
        assert!(median < 0.25, "{dims}-D: the others moved by {median}");
    }
}

#[test]
fn rows_are_placed_anew_among_neighbours_that_are_held() {
    let (all, old) = (blobs(6, 660, DIMS, 5), 600);
    let grown = grown(&all, 660, settings());
    let mut start = Vectors::with_capacity(660, 2);
    for (row, position) in grown.positions().chunks_exact(2).enumerate() {
        start.push(if row < old { position } else { &[0.0, 0.0] });
    }
    let mut engine = Engine::resume(all, settings(), &start, 500).expect("a start for each row");
    let (held, new): (Vec<u32>, Vec<u32>) = (0..660).partition(|&row| row < old as u32);
    engine.pin(&held, true).expect("all of them live");
    while engine.search.warming_up() {
        engine.step();
    }
    engine.place_anew(&new).expect("all of them live");
    assert!(engine.place_anew(&[660]).is_err());
    run(&mut engine, 100);
    check_invariants(&engine, "placed anew");
    let positions = engine.positions();
    let at = |row: usize| &positions[2 * row..][..2];
    for row in 0..old {
        assert_eq!(at(row), start.row(row), "row {row} is held");
    }
    let squared = |a: usize, b: usize| at(a).iter().zip(at(b)).map(|(a, b)| (a - b).powi(2)).sum::<f32>();
    for row in old..660 {
        let nearest = (0..old).min_by(|&a, &b| squared(a, row).total_cmp(&squared(b, row))).expect("old rows");
        assert_eq!(nearest % 6, row % 6, "row {row} lies beside row {nearest}");
        assert!(!engine.is_pinned(row as u32));
    }
}

#[test]
fn rows_that_leave_are_in_no_list_and_can_come_back() {
    let all = blobs(6, 600, DIMS, 7);
    let mut engine = grown(&all, 600, settings());
    let class: Vec<u32> = (0..600).filter(|row| row % 6 == 2).collect();
    engine.remove(&class).expect("all of them live");
    check_invariants(&engine, "removed");
    assert_eq!((engine.rows(), engine.living()), (600, 500));
    run(&mut engine, 60);
    check_invariants(&engine, "removed, and on");
    let living: Vec<usize> = (0..600).filter(|&point| engine.alive()[point]).collect();
    assert!(recall(&engine, living.into_iter()) > 0.95);
    engine.insert(&class, &some(&all, class.iter().map(|&row| row as usize))).expect("they are free");
    check_invariants(&engine, "back");
    assert_eq!((engine.rows(), engine.living()), (600, 600));
    run(&mut engine, 60);
    assert!(recall(&engine, 0..600) > 0.95);
    for &row in &class {
        let point = engine.living.point(row).expect("it is back") as usize;
        assert_eq!(engine.space.vectors().row(point), all.row(row as usize), "row {row} is another");
    }
}

#[test]
fn a_row_that_changes_moves_on_from_where_it_is() {
    let all = blobs(4, 400, DIMS, 9);
    let mut engine = grown(&all, 400, settings());
    let (from, to): (Vec<u32>, Vec<usize>) =
        ((0..100).map(|row| 4 * row).collect(), (0..100).map(|row| 4 * row + 1).collect());
    let mut largest: f32 = 0.0;
    for share in 1..=20 {
        let share = share as f32 / 20.0;
        let mut drifted = Vectors::with_capacity(100, DIMS);
        for (&a, &b) in from.iter().zip(&to) {
            let values = all.row(a as usize).iter().zip(all.row(b)).map(|(a, b)| a + share * (b - a));
            drifted.push(&values.collect::<Vec<_>>());
        }
        engine.update(&from, &drifted).expect("all of them live");
        check_invariants(&engine, "drifting");
        for _ in 0..10 {
            let before = engine.positions();
            engine.step();
            largest =
                largest.max(*moves(&before, &engine, from.iter().map(|&row| row as usize)).last().expect("some move"));
        }
    }
    assert!(largest < 0.6, "somebody jumped by {largest} of the size");
    // In the end they lie among those whose data they have.
    let (positions, dims) = (engine.positions(), engine.dims());
    let centre = |class: usize| -> Vec<f32> {
        (0..dims)
            .map(|axis| (0..100).map(|row| positions[(4 * row + class) * dims + axis]).sum::<f32>() / 100.0)
            .collect()
    };
    let apart = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt();
    let (moved, target, other) = (centre(0), centre(1), centre(2));
    assert!(apart(&moved, &target) < 0.3 * apart(&moved, &other), "{moved:?} {target:?} {other:?}");
}

#[test]
fn pinned_rows_stay_to_the_bit_and_others_take_their_places() {
    let all = blobs(5, 550, DIMS, 11);
    let mut engine = grown(&all, 500, settings());
    engine.pin(&(0..500).collect::<Vec<_>>(), true).expect("all of them live");
    let before = engine.positions();
    engine.insert(&(500..550).collect::<Vec<_>>(), &some(&all, 500..550)).expect("they are the next");
    let placed = engine.positions();
    run(&mut engine, 50);
    engine.implode();
    run(&mut engine, 5);
    engine.explode();
    run(&mut engine, 5);
    engine.reset();
    run(&mut engine, 30);
    let after = engine.positions();
    assert_eq!(before[..], after[..before.len()], "a pinned row moved");
    assert!(placed[before.len()..] != after[before.len()..], "nobody moves");
    let settings = Settings { stiffness: 0.5, ..engine.settings().clone() };
    engine.set_settings(settings).expect("in range");
    run(&mut engine, 5);
    assert!(engine.positions()[..before.len()] != before[..], "half held is not held");
    engine.pin(&[3], false).expect("it lives");
    assert!(engine.is_pinned(4) && !engine.is_pinned(3));
}

#[test]
fn what_cannot_be_done_changes_nothing() {
    let all = blobs(3, 62, DIMS, 13);
    let mut engine = grown(&all, 60, settings());
    engine.remove(&[7]).expect("it lives");
    let before = (engine.positions(), engine.neighbours().0, engine.living());
    let one = some(&all, 0..1);
    let refused = [
        engine.remove(&[7]),
        engine.remove(&[3, 3]),
        engine.remove(&[99]),
        engine.remove(&(0..59).filter(|&row| row != 7).collect::<Vec<_>>()),
        engine.insert(&[8], &one),
        engine.insert(&[61], &one),
        engine.insert(&[7, 7], &some(&all, 0..2)),
        engine.insert(&[7], &some(&all, 0..2)),
        engine.insert(&[7], &Vectors::from_rows(&[1.0, 2.0], 2)),
        engine.insert(&[7], &Vectors::from_rows(&[f32::NAN; DIMS], DIMS)),
        engine.update(&[7], &one),
        engine.update(&[1], &Vectors::from_rows(&[f32::INFINITY; DIMS], DIMS)),
        engine.pin(&[7], true),
    ];
    for (at, refused) in refused.iter().enumerate() {
        assert!(refused.is_err(), "case {at} was taken");
    }
    assert_eq!(before, (engine.positions(), engine.neighbours().0, engine.living()));
    check_invariants(&engine, "refused");
    engine.insert(&[7, 60], &some(&all, 7..9)).expect("one is free, one is next");
    check_invariants(&engine, "taken");
}

/// A long random sequence of everything; returns what came of it.
fn sequence(seed: u32, steps: u32, dims: usize) -> (Vec<u32>, Vec<u32>) {
    let pool = blobs(7, 900, DIMS, 17);
    let most = 400;
    let mut engine = engine(some(&pool, 0..60), Settings { dims, ..settings() });
    let mut rows: BTreeMap<u32, usize> = (0..60).map(|row| (row as u32, row)).collect();
    let mut slots = 60;
    for step in 0..steps {
        let random = |draw| hash(seed, step, 0, draw);
        let pick = |draw: u32, count: u32| below(hash(seed, step, 1, draw), count) as usize;
        let case = format!("seed {seed}, step {step}");
        match below(random(0), 10) {
            0..=2 => {
                let wanted = (1 + pick(0, 40)).min(most - rows.len());
                let free = (0..).filter(|row| !rows.contains_key(row)).take(wanted).collect::<Vec<u32>>();
                let of: Vec<usize> = (0..wanted).map(|at| pick(10 + at as u32, 900)).collect();
                engine.insert(&free, &some(&pool, of.iter().copied())).expect("they are free");
                rows.extend(free.into_iter().zip(of));
            }
            3..=5 => {
                let wanted = pick(0, 40).min(rows.len() - 3);
                let living: Vec<u32> = rows.keys().copied().collect();
                let mut leave: Vec<u32> =
                    (0..wanted).map(|at| living[pick(10 + at as u32, living.len() as u32)]).collect();
                leave.sort_unstable();
                leave.dedup();
                engine.remove(&leave).expect("they live");
                rows.retain(|row, _| !leave.contains(row));
            }
            6 | 7 => {
                let row = *rows.keys().nth(pick(0, rows.len() as u32)).expect("some live");
                let of = pick(1, 900);
                engine.update(&[row], &some(&pool, [of].into_iter())).expect("it lives");
                rows.insert(row, of);
            }
            8 => {
                let mut settings = engine.settings().clone();
                match below(random(1), 7) {
                    0 => settings.perplexity = 2.0 + 20.0 * unit(random(2)),
                    1 => settings.alpha = 0.3 + unit(random(2)),
                    2 => settings.ld_neighbours = 4 + pick(2, 30),
                    3 => settings.hd_neighbours = [None, Some(9), Some(40)][pick(2, 3)],
                    4 => settings.metric = [Metric::Euclidean, Metric::Cosine, Metric::Correlation][pick(2, 3)],
                    5 => settings.dims = 1 + pick(2, 6),
                    _ => settings.stiffness = unit(random(2)),
                }
                engine.set_settings(settings).expect("in range");
            }
            _ => match below(random(1), 5) {
                0 => engine.implode(),
                1 => engine.explode(),
                2 => engine.reset(),
                3 => engine.settle(20),
                _ => {
                    let row = *rows.keys().nth(pick(0, rows.len() as u32)).expect("some live");
                    engine.pin(&[row], random(2) % 2 == 0).expect("it lives");
                }
            },
        }
        slots = slots.max(rows.keys().next_back().map_or(0, |row| row + 1));
        check_invariants(&engine, &case);
        run(&mut engine, below(random(3), 4));
        check_invariants(&engine, &case);
        assert_eq!((engine.living(), engine.rows()), (rows.len(), slots as usize), "{case}");
        for (&row, &of) in &rows {
            let point = engine.living.point(row).expect("it lives") as usize;
            assert_eq!(engine.space.vectors().row(point), pool.row(of), "{case}: row {row} is another");
        }
    }
    assert!(slots as usize <= most, "memory grows: {slots} slots");
    (engine.positions().into_iter().map(f32::to_bits).collect(), engine.neighbours().0)
}

#[test]
fn any_sequence_of_changes_keeps_every_promise_and_is_repeated_to_the_bit() {
    for (seed, dims) in [(1, 2), (2, 3), (3, 5)] {
        assert!(sequence(seed, 200, dims) == sequence(seed, 200, dims), "seed {seed}: twice is not the same");
    }
}

#[test]
fn longer_lists_are_wanted_of_those_who_live() {
    let all = blobs(3, 100, DIMS, 19);
    let mut engine = grown(&all, 100, settings());
    engine.remove(&(0..40).collect::<Vec<_>>()).expect("they live");
    check_invariants(&engine, "fewer");
    let settings = Settings { ld_neighbours: 80, hd_neighbours: Some(80), ..engine.settings().clone() };
    engine.set_settings(settings).expect("in range");
    check_invariants(&engine, "longer lists than rows");
    run(&mut engine, 3);
    check_invariants(&engine, "longer lists than rows, and on");
}
