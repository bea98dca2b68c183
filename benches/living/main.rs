//! Rows that come and go while a map of mnist runs: what it costs, and whether the map stays put.
//!
//!     cargo bench --bench living [-- --data FILE.parquet] [--label COLUMN] [--only arrivals|class|drift|overhead]

use dataset::arrow::array::AsArray;
use dataset::arrow::compute::cast;
use dataset::arrow::datatypes::{DataType, Int64Type};
use dataset::{LoadOptions, load};
use embedding::{Engine, Plan, Settings};
use quality::{EvaluateOptions, evaluate, exact_neighbours};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use vectors::{Metric, Space, Vectors};

/// Rows that come, and rows that leave, in a second.
const A_SECOND: f64 = 1000.0;
/// Rows that come together, as a stream brings them.
const TOGETHER: u32 = 200;
/// Seconds of one measurement; static and living ones take turns.
const TURN: Duration = Duration::from_secs(2);
const TURNS: usize = 8;
/// Share of the rows that comes to a settled map.
const COMING: usize = 10;
/// Iterations that they have.
const TO_SETTLE: u32 = 200;
/// Rows whose neighbours are compared with an exact search.
const QUERIES: usize = 1000;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let mut only = String::new();
    let (mut path, mut label) = (PathBuf::from("../shared/data/mnist_70k_pca50.parquet"), "label".to_owned());
    while let Some(name) = args.next() {
        match name.as_str() {
            "--data" => path = args.next().unwrap_or_default().into(),
            "--only" => only = args.next().unwrap_or_default(),
            "--label" => label = args.next().unwrap_or_default(),
            other => return Err(format!("unknown option {other}").into()),
        }
    }
    let data = load(std::slice::from_ref(&path), &LoadOptions::default(), &|_| ())?;
    let column = data.attributes.column_by_name(&label).ok_or("there is no such label")?;
    let labels = cast(column, &DataType::Int64)?.as_primitive::<Int64Type>().values().to_vec();
    println!("{}: {} rows of {}", path.display(), data.vectors.rows(), data.vectors.dims());
    let wanted = |name: &str| only.is_empty() || only == name;
    if wanted("arrivals") {
        arrivals(&data.vectors)?;
    }
    if wanted("class") {
        a_class_leaves_and_returns(&data.vectors, &labels)?;
    }
    if wanted("drift") {
        drift(&data.vectors, &labels)?;
    }
    if wanted("overhead") {
        overhead(&data.vectors)?;
    }
    Ok(())
}

fn some(vectors: &Vectors, rows: impl Iterator<Item = u32>) -> Vectors {
    let mut some = Vectors::with_capacity(0, vectors.dims());
    rows.for_each(|row| some.push(vectors.row(row as usize)));
    some
}

/// A settled map of some rows.
fn settled(vectors: &Vectors, rows: usize) -> Result<Engine, Failure> {
    let mut first = vectors.clone();
    first.truncate(rows);
    let plan = Plan::for_rows(rows);
    let mut engine = Engine::new(first, Settings::for_rows(rows))?;
    for iteration in 0..plan.iterations {
        if iteration == plan.iterations - plan.settle {
            engine.settle(plan.settle);
        }
        engine.step();
    }
    Ok(engine)
}

/// Share of the true neighbours of some rows, evenly chosen among those who live, that their lists hold.
fn recall(engine: &Engine, vectors: &Vectors, rows: std::ops::Range<u32>) -> f64 {
    let living: Vec<u32> = (0..engine.rows() as u32).filter(|&row| engine.lives(row)).collect();
    let space = Space::new(some(vectors, living.iter().copied()), Metric::Euclidean);
    let asked: Vec<u32> = (0..).zip(&living).filter(|(_, row)| rows.contains(row)).map(|(at, _)| at).collect();
    let queries: Vec<u32> = asked.iter().step_by((asked.len() / QUERIES).max(1)).take(QUERIES).copied().collect();
    let (listed, _) = engine.neighbours();
    let k = listed.len() / engine.rows();
    let exact = exact_neighbours(&space, &queries, k, &|_, _| ());
    let found = queries.iter().zip(&exact).map(|(&at, exact)| {
        let listed = &listed[living[at as usize] as usize * k..][..k];
        exact.iter().filter(|(neighbour, _)| listed.contains(&living[*neighbour as usize])).count()
    });
    found.sum::<usize>() as f64 / (queries.len() * k) as f64
}

/// Median move of the first rows, as a share of the map's radius.
fn median_move(before: &[f32], engine: &Engine, rows: usize) -> f32 {
    let (after, dims) = (engine.positions(), engine.dims());
    let pairs = before.chunks_exact(dims).zip(after.chunks_exact(dims)).take(rows);
    let mut moves: Vec<f32> =
        pairs.map(|(a, b)| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt()).collect();
    let middle = moves.len() / 2;
    *moves.select_nth_unstable_by(middle, f32::total_cmp).1 / radius(before, rows, dims)
}

/// Distance from the centre within which all points but one in a hundred lie.
fn radius(positions: &[f32], rows: usize, dims: usize) -> f32 {
    let points = || positions.chunks_exact(dims).take(rows);
    let centre: Vec<f32> = (0..dims).map(|axis| points().map(|p| p[axis]).sum::<f32>() / rows as f32).collect();
    let mut distances: Vec<f32> =
        points().map(|p| p.iter().zip(&centre).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt()).collect();
    *distances.select_nth_unstable_by(rows * 99 / 100, f32::total_cmp).1
}

fn arrivals(vectors: &Vectors) -> Result<(), Failure> {
    let old = vectors.rows() - vectors.rows() / COMING;
    for pinned in [false, true] {
        let mut engine = settled(vectors, old)?;
        let before = engine.positions();
        if pinned {
            engine.pin(&(0..old as u32).collect::<Vec<_>>(), true)?;
        }
        let rows: Vec<u32> = (old as u32..vectors.rows() as u32).collect();
        let begun = Instant::now();
        engine.insert(&rows, &some(vectors, rows.iter().copied()))?;
        let seconds = begun.elapsed().as_secs_f64();
        let (at_once, new) = (recall(&engine, vectors, rows[0]..vectors.rows() as u32), rows[0]..vectors.rows() as u32);
        (0..TO_SETTLE).for_each(|_| engine.step());
        let (new, others) = (recall(&engine, vectors, new), recall(&engine, vectors, 0..old as u32));
        println!(
            "{} rows come{}: {:.0} µs each; recall {at_once:.3} at once, {new:.3} after {TO_SETTLE} iterations, that \
             of the others {others:.3} (ratio {:.3}); median move of the others {:.4} of the radius",
            rows.len(),
            if pinned { " to a pinned map" } else { "" },
            1e6 * seconds / rows.len() as f64,
            new / others,
            median_move(&before, &engine, old),
        );
    }
    Ok(())
}

fn auc(engine: &Engine, vectors: &Vectors) -> Result<f64, Failure> {
    let (hd, ld) =
        (Space::new(vectors.clone(), Metric::Euclidean), Vectors::from_rows(&engine.positions(), engine.dims()));
    Ok(evaluate(&hd, &Space::new(ld, Metric::Euclidean), &EvaluateOptions::default(), &|_, _| ())?.auc)
}

fn a_class_leaves_and_returns(vectors: &Vectors, labels: &[i64]) -> Result<(), Failure> {
    let mut engine = settled(vectors, vectors.rows())?;
    let fresh = auc(&engine, vectors)?;
    let class: Vec<u32> = (0..).zip(labels).filter(|(_, label)| **label == 3).map(|(row, _)| row).collect();
    engine.remove(&class)?;
    (0..TO_SETTLE).for_each(|_| engine.step());
    engine.insert(&class, &some(vectors, class.iter().copied()))?;
    (0..TO_SETTLE).for_each(|_| engine.step());
    let back = auc(&engine, vectors)?;
    println!(
        "class 3 ({} rows) leaves and returns: AUC {back:.4}, fresh {fresh:.4} ({:+.4})",
        class.len(),
        back - fresh
    );
    Ok(())
}

fn drift(vectors: &Vectors, labels: &[i64]) -> Result<(), Failure> {
    let mut engine = settled(vectors, vectors.rows())?;
    let of = |class: i64| (0..).zip(labels).filter(move |(_, label)| **label == class).map(|(row, _)| row);
    let mean = |class: i64| -> Vec<f32> {
        let count = of(class).count() as f32;
        (0..vectors.dims())
            .map(|axis| of(class).map(|row| vectors.row(row as usize)[axis]).sum::<f32>() / count)
            .collect()
    };
    let (ones, way): (Vec<u32>, Vec<f32>) =
        (of(1).collect(), mean(0).iter().zip(mean(1)).map(|(a, b)| a - b).collect());
    let (mut largest, mut travelled) = (0.0_f32, Vec::new());
    let centre = |engine: &Engine| -> Vec<f32> {
        let (positions, dims) = (engine.positions(), engine.dims());
        (0..dims)
            .map(|axis| ones.iter().map(|&row| positions[row as usize * dims + axis]).sum::<f32>() / ones.len() as f32)
            .collect()
    };
    let size = radius(&engine.positions(), vectors.rows(), engine.dims());
    let apart = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt();
    let start = centre(&engine);
    for step in 1..=20 {
        let share = 2.0 * step as f32 / 20.0; // across the zeros and on
        let mut drifted = Vectors::with_capacity(ones.len(), vectors.dims());
        for &row in &ones {
            drifted.push(&vectors.row(row as usize).iter().zip(&way).map(|(v, w)| v + share * w).collect::<Vec<_>>());
        }
        engine.update(&ones, &drifted)?;
        for _ in 0..20 {
            let before = centre(&engine);
            engine.step();
            largest = largest.max(apart(&before, &centre(&engine)) / size);
        }
        travelled.push(apart(&start, &centre(&engine)) / size);
    }
    println!(
        "class 1 ({} rows) drifts across class 0: its centre's largest move in an iteration {largest:.4} of the radius, \
         its way {travelled:.2?}",
        ones.len()
    );
    Ok(())
}

/// Iterations a second of a static map, and of one that a thousand rows come to and leave every second.
fn overhead(vectors: &Vectors) -> Result<(), Failure> {
    let rows = vectors.rows();
    let mut engine = settled(vectors, rows)?;
    // Those who leave come back a second later, as others would.
    let mut away: std::collections::VecDeque<u32> = (0..A_SECOND as u32).collect();
    engine.remove(&away.iter().copied().collect::<Vec<_>>())?;
    let before = recall(&engine, vectors, 0..rows as u32);
    let (mut rates, mut changed, mut oldest) = ([0.0; 2], 0, away.len() as u32);
    let mut spent = [0.0; 3];
    for turn in 0..2 * TURNS {
        let living = turn % 2 == 1;
        let (begun, mut iterations, mut done) = (Instant::now(), 0_u32, 0_u32);
        let begin = (engine.timings(), engine.passes());
        while begun.elapsed() < TURN {
            let due = (begun.elapsed().as_secs_f64() * A_SECOND) as u32 - done;
            if living && due >= TOGETHER {
                let leave: Vec<u32> = (0..due).map(|at| (oldest + at) % rows as u32).collect();
                away.extend(&leave);
                let come: Vec<u32> = away.drain(..due as usize).collect();
                let vectors = some(vectors, come.iter().copied());
                let begun = Instant::now();
                engine.remove(&leave)?;
                let removed = Instant::now();
                engine.insert(&come, &vectors)?;
                spent[0] += (removed - begun).as_secs_f64();
                spent[1] += removed.elapsed().as_secs_f64();
                (oldest, done) = ((oldest + due) % rows as u32, done + due);
            }
            let stepped = Instant::now();
            engine.step();
            spent[2] += if living { stepped.elapsed().as_secs_f64() } else { 0.0 };
            iterations += 1;
        }
        let rate = f64::from(iterations) / begun.elapsed().as_secs_f64();
        rates[usize::from(living)] += rate / TURNS as f64;
        changed += done;
        let (after, each) = (engine.timings(), 1000.0 / f64::from(iterations));
        println!(
            "  {}: {rate:.1} iterations a second; of each {:.1} ms search, {:.1} affinities, {:.1} forces; {} passes",
            if living { "living" } else { "static" },
            each * (after.search - begin.0.search),
            each * (after.affinities - begin.0.affinities),
            each * (after.forces - begin.0.forces),
            engine.passes() - begin.1,
        );
    }
    println!(
        "  of the living turns: {:.1} s leaving, {:.1} s coming, {:.1} s iterations",
        spent[0], spent[1], spent[2]
    );
    let share = 100.0 * rates[1] / rates[0];
    println!(
        "static {:.1}, living {:.1} iterations a second: {share:.0} %; {changed} rows came and left; recall {before:.3} \
         before, {:.3} in the end",
        rates[0],
        rates[1],
        recall(&engine, vectors, 0..rows as u32)
    );
    Ok(())
}
