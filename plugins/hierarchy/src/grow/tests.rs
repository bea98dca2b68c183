use super::*;
use embedding::{Engine, Settings};
use std::sync::atomic::{AtomicUsize, Ordering};
use vectors::Vectors;

const SEED: u64 = 3;

/// What an engine was asked to do.
#[derive(Debug, Clone, PartialEq)]
enum Asked {
    Alpha(f32),
    Settle(u32),
    Run(u32),
    Positions,
}

/// Sixty rows on a line: one group that falls into two below α = 0.6 and into four below 0.3.
#[derive(Default)]
struct Line {
    alpha: f32,
    asked: Vec<Asked>,
    /// Fails once so much was asked.
    patience: Option<usize>,
}

#[derive(Debug, PartialEq, thiserror::Error)]
#[error("out of patience")]
struct OutOfPatience;

impl Embed for Line {
    type Error = OutOfPatience;

    fn rows(&self) -> usize {
        60
    }

    fn set_alpha(&mut self, alpha: f32) -> Result<(), OutOfPatience> {
        self.alpha = alpha;
        self.asked.push(Asked::Alpha(alpha));
        Ok(())
    }

    fn settle(&mut self, iterations: u32) {
        self.asked.push(Asked::Settle(iterations));
    }

    fn run(&mut self, iterations: u32) -> Result<(), OutOfPatience> {
        self.asked.push(Asked::Run(iterations));
        if self.patience.is_some_and(|patience| self.asked.len() > patience) { Err(OutOfPatience) } else { Ok(()) }
    }

    fn positions(&mut self) -> Result<Vec<f32>, OutOfPatience> {
        self.asked.push(Asked::Positions);
        let groups = match self.alpha {
            alpha if alpha < 0.3 => 4,
            alpha if alpha < 0.6 => 2,
            _ => 1,
        };
        Ok((0..60).flat_map(|row| [row as f32 + 1000.0 * (row * groups / 60) as f32, 0.5]).collect())
    }
}

fn options() -> HierarchyOptions {
    HierarchyOptions {
        levels: 4,
        alpha_from: 1.0,
        alpha_to: 0.2,
        first_iterations: 12,
        level_iterations: 23,
        settle_iterations: 7,
        min_points: Some(3),
        smallest_share: 0.1,
        ..HierarchyOptions::default()
    }
}

fn never() -> bool {
    false
}

#[test]
fn alpha_falls_evenly_in_small_steps_and_snapshots_are_settled() {
    let mut line = Line::default();
    let mut heard = Vec::new();
    let options = options();
    let mut hear = |progress: Progress<'_>| {
        heard.push((progress.iteration, progress.levels.len(), progress.positions.map(<[f32]>::len)));
    };
    let hierarchy = grow(&mut line, &options, &mut hear, &never).unwrap();
    let alphas: Vec<f32> = line
        .asked
        .iter()
        .filter_map(|asked| if let Asked::Alpha(alpha) = asked { Some(*alpha) } else { None })
        .collect();
    assert_eq!((alphas[0], alphas[alphas.len() - 1]), (1.0, 0.2));
    assert_eq!(alphas.len(), 1 + 3 * 5);
    // A level lowers α by 0.2^⅓; no slice by more than its share of that.
    let most = 0.2f32.powf(SLICE as f32 / (3.0 * 23.0));
    assert!(alphas.windows(2).all(|pair| pair[1] < pair[0] && pair[1] / pair[0] >= most - 1e-4), "{alphas:?}");
    let ran: u32 =
        line.asked.iter().map(|asked| if let Asked::Run(iterations) = asked { *iterations } else { 0 }).sum();
    assert_eq!((ran, options.iterations()), (12 + 3 * 23 + 4 * 7, ran));
    for (at, _) in line.asked.iter().enumerate().filter(|(_, asked)| **asked == Asked::Positions) {
        assert_eq!(line.asked[at - 3..at], [Asked::Settle(7), Asked::Run(5), Asked::Run(2)]);
    }
    assert!(heard.is_sorted_by_key(|&(iteration, ..)| iteration));
    let snapshots: Vec<_> = heard.iter().filter(|(.., values)| values.is_some()).collect();
    assert_eq!(snapshots.len(), 4);
    assert_eq!(snapshots[3], &(ran, 4, Some(120)));
    let alphas: Vec<f32> = hierarchy.levels().iter().map(|level| level.alpha).collect();
    assert_eq!(alphas, [1.0, options.alpha_at(1), options.alpha_at(2), 0.2]);
}

#[test]
fn clusters_part_as_the_tails_grow() {
    let hierarchy = grow(&mut Line::default(), &options(), &mut |_| {}, &never).unwrap();
    let counts: Vec<usize> = (0..4).map(|level| hierarchy.nodes_at(level).count()).collect();
    assert_eq!(counts, [1, 2, 2, 4]);
    assert!(hierarchy.nodes()[1..].iter().all(|node| node.rows.len() == [60, 30, 30, 15][node.level.unwrap()]));
    assert_eq!(hierarchy.level_of_separation(&[0], &[59]), Some(1));
    assert_eq!(hierarchy.level_of_separation(&[0], &[29]), Some(3));
    // Fifteen rows are too few where a third is asked for.
    let coarse = HierarchyOptions { smallest_share: 0.3, ..options() };
    let hierarchy = grow(&mut Line::default(), &coarse, &mut |_| {}, &never).unwrap();
    assert_eq!((hierarchy.nodes_at(2).count(), hierarchy.nodes_at(3).count()), (2, 0));
    assert_eq!(hierarchy.levels()[3].noise(), 60);
}

#[test]
fn it_ends_when_no_longer_wanted() {
    let asked = AtomicUsize::new(0);
    let mut line = Line::default();
    let result = grow(&mut line, &options(), &mut |_| {}, &|| asked.fetch_add(1, Ordering::Relaxed) >= 3);
    assert!(matches!(result, Err(GrowError::Hierarchy(HierarchyError::Cancelled))));
    assert_eq!(line.asked.iter().filter(|asked| matches!(asked, Asked::Run(_))).count(), 3);
}

#[test]
fn failures_of_the_embedding_are_passed_on() {
    let mut line = Line { patience: Some(9), ..Line::default() };
    let error = grow(&mut line, &options(), &mut |_| {}, &never).unwrap_err();
    assert_eq!(error.to_string(), "out of patience");
}

#[test]
fn options_out_of_range_are_named_before_anything_runs() {
    for (wrong, option) in [
        (HierarchyOptions { levels: 0, ..options() }, "levels"),
        (HierarchyOptions { alpha_from: f32::NAN, ..options() }, "alpha_from"),
        (HierarchyOptions { alpha_to: 1.1, ..options() }, "alpha_to"),
        (HierarchyOptions { level_iterations: 0, ..options() }, "level_iterations"),
        (HierarchyOptions { min_points: Some(0), ..options() }, "min_points"),
        (HierarchyOptions { granularity: 0.0, ..options() }, "granularity"),
        (HierarchyOptions { smallest_share: 1.5, ..options() }, "smallest_share"),
        (HierarchyOptions { weak_edge: -0.1, ..options() }, "weak_edge"),
    ] {
        let mut line = Line::default();
        let error = grow(&mut line, &wrong, &mut |_| {}, &never).unwrap_err().to_string();
        assert!(error.contains(&format!("`{option}`")), "{error}");
        assert_eq!(line.asked, []);
    }
    assert_eq!(HierarchyOptions::default().check(), Ok(()));
}

#[test]
fn one_level_is_the_first() {
    let options = HierarchyOptions { levels: 1, ..options() };
    let hierarchy = grow(&mut Line::default(), &options, &mut |_| {}, &never).unwrap();
    assert_eq!(hierarchy.levels().iter().map(|level| level.alpha).collect::<Vec<_>>(), [1.0]);
    assert_eq!(options.iterations(), 12 + 7);
}

/// Two pairs of groups, the groups of a pair near each other, in six dimensions.
fn pairs() -> Vectors {
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut vectors = Vectors::with_capacity(600, 6);
    for row in 0..600 {
        let (pair, side) = (row % 4 / 2, row % 2);
        let mut noise = || random.f32() + random.f32() + random.f32() - 1.5;
        vectors.push(&[60.0 * pair as f32 + noise(), 8.0 * side as f32 + noise(), noise(), noise(), noise(), noise()]);
    }
    vectors
}

#[test]
fn the_native_engine_finds_groups_and_finds_them_again() {
    let found = || {
        let settings = Settings { dims: 4, ..Settings::for_rows(600) };
        let mut engine = Engine::new(pairs(), settings).unwrap();
        let options =
            HierarchyOptions { levels: 3, first_iterations: 200, level_iterations: 30, ..HierarchyOptions::default() };
        let hierarchy = grow(&mut engine, &options, &mut |_| {}, &never).unwrap();
        assert_eq!(engine.settings().alpha, options.alpha_to);
        hierarchy
    };
    let hierarchy = found();
    let group = |group: u32| (0..600).filter(|row| row % 4 == group).collect::<Vec<u32>>();
    for a in 0..4 {
        for b in a + 1..4 {
            assert!(hierarchy.level_of_separation(&group(a), &group(b)).is_some(), "groups {a} and {b} stay together");
        }
    }
    assert_eq!(hierarchy, found());
}
