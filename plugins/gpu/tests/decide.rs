//! Decide against its native twin.

use crate::support::bench::Bench;
use crate::support::{data, open_adapter};
use embedding::Settings;
use embedding::cpu::decide::{self, Annealing, Look, Progress};
use embedding::random::hash;
use embedding::search::{DRAW_TREE, slice_of};
use gpu::params::{Control, Dispatches, Groups};
use gpu::stage::{Slot, Stage};

const POINTS: u32 = 130;
/// Workgroups of one thread a point.
const THREADS: Groups = Groups { size: [3, 1, 1] };
/// Workgroups of one workgroup a point.
const ROWS: Groups = Groups { size: [POINTS, 1, 1] };
const ONCE: Groups = Groups { size: [1, 1, 1] };
const NOBODY: Groups = Groups { size: [0, 0, 0] };
/// Rounding of a share or a rate.
const SHARE_ERROR: f32 = 1e-6;

fn bench() -> Option<Bench> {
    let settings = Settings { early_iterations: 20, ..Settings::for_rows(POINTS as usize) };
    Some(Bench::new(&open_adapter()?, data::cloud(POINTS as usize, 3, 1), &settings))
}

fn after(bench: &mut Bench, stage: Stage, control: Control) -> (Control, Dispatches) {
    bench.write(Slot::Control, &[control]);
    bench.run(&[stage]);
    (bench.control(), bench.read(Slot::Dispatches)[0])
}

fn wanted(groups: Groups, wanted: bool) -> Groups {
    if wanted { groups } else { NOBODY }
}

#[test]
fn an_iteration_refines_when_it_does_natively() {
    let Some(mut bench) = bench() else { return };
    let (seed, projections) = (bench.seed(), bench.engine.settings().start_projections);
    let mut kinds = [0, 0, 0];
    for iteration in 0..40 {
        let trees = if iteration % 7 == 0 { projections - 1 } else { projections + iteration % 2 };
        let (pass, rate) = (iteration % 5, [0.0, 0.02, 0.3, 0.9][(iteration % 4) as usize]);
        let progress = Progress { trees, pass, rate };
        let expected = decide::look(progress, projections, seed, iteration);
        kinds[expected as usize] += 1;
        let control = Control {
            iteration,
            trees,
            pass_number: pass,
            rate,
            next_slice: iteration,
            found: 5,
            changed: 6,
            ..Control::at_start(POINTS, 0)
        };
        let (found, dispatches) = after(&mut bench, Stage::Look, control);
        let refines = expected == Look::Refine;
        assert_eq!(found.refining == 1, refines, "{progress:?} at {iteration}");
        assert_eq!((found.present, found.found, found.changed), (iteration, 0, 0));
        let length = (slice_of(POINTS as usize) as u32).min(POINTS - iteration);
        assert_eq!((found.slice_start, found.slice_length), (iteration, length));
        let slice = Groups { size: [length.div_ceil(64), 1, 1] };
        assert_eq!(dispatches.slice, wanted(slice, refines));
        assert_eq!((dispatches.refined, dispatches.pass_end), (wanted(THREADS, refines), wanted(THREADS, refines)));
    }
    assert!(kinds.iter().all(|&times| times > 2), "every kind is tried: {kinds:?}");
}

#[test]
fn every_tree_has_its_seed() {
    let Some(mut bench) = bench() else { return };
    for trees in [0, 1, 11] {
        let (found, _) = after(&mut bench, Stage::Plant, Control { trees, ..Control::at_start(POINTS, 0) });
        assert_eq!((found.tree_seed, found.trees), (hash(bench.seed(), trees, 0, DRAW_TREE), trees + 1));
        assert_ne!(found.tree_seed, hash(bench.seed(), trees + 1, 0, DRAW_TREE));
    }
}

/// A moment at which the affinities may be due.
#[derive(Debug, Clone, Copy)]
struct Moment {
    pass: u32,
    refining: bool,
    found: u32,
    changed: u32,
    changes: u32,
    waited: u32,
    known: bool,
}

fn check_refresh(bench: &mut Bench, moment: Moment, settings: &Settings, annealing: Option<Annealing>) -> bool {
    let Moment { pass, refining, found, changed, changes, waited, known } = moment;
    // Either born some time ago, or about to be: then birth waits as long as the points do.
    let (present, born_at, rate) = (300, 300 - waited / 2, 0.25);
    let control = Control {
        present,
        iteration: present,
        pass_number: pass,
        slice_start: 30,
        slice_length: 100,
        refining: u32::from(refining),
        found,
        changed,
        changes,
        rate,
        refreshed_at: present - waited,
        generation: u32::from(known),
        born_at,
        ..Control::at_start(POINTS, 0)
    };
    let (after, dispatches) = after(bench, Stage::Refresh, control);
    let expected_rate = if refining { decide::smoothed(rate, found, 100, POINTS) } else { rate };
    assert!((after.rate - expected_rate).abs() < SHARE_ERROR, "{moment:?}: {} {expected_rate}", after.rate);
    let pass = pass + u32::from(refining);
    assert_eq!((after.pass_number, after.iteration), (pass, present + 1), "{moment:?}");
    assert_eq!(after.next_slice, 0, "{moment:?}: the slice ends the pass");
    let moving = !decide::warming_up(pass);
    let due = moving && decide::refresh_due(present, known.then_some(present - waited), changes + changed, POINTS);
    assert_eq!(after.changes, if due { 0 } else { changes + changed }, "{moment:?}");
    assert_eq!(after.refreshed_at, if due { present } else { present - waited }, "{moment:?}");
    assert_eq!(after.generation, u32::from(known || due), "{moment:?}");
    assert_eq!((dispatches.affine, dispatches.affine_rows), (wanted(THREADS, due), wanted(ROWS, due)), "{moment:?}");
    assert_eq!((dispatches.affine_blocks, dispatches.affine_once), (wanted(ONCE, due), wanted(ONCE, due)));
    assert_eq!((dispatches.moved, dispatches.moved_once), (wanted(THREADS, moving), wanted(ONCE, moving)));
    let born_at = if !moving && born_at == present { present + 1 } else { born_at };
    assert_eq!(after.born_at, born_at, "{moment:?}");
    if moving {
        let pace = decide::pace(settings, settings.early_iterations, present, born_at, annealing);
        assert_eq!((after.exaggeration, after.momentum), (pace.exaggeration, pace.momentum), "{moment:?}");
        assert!((after.annealed - pace.annealed).abs() < SHARE_ERROR, "{moment:?}: {} {pace:?}", after.annealed);
    }
    due
}

#[test]
fn affinities_are_due_and_points_move_when_they_do_natively() {
    let Some(mut bench) = bench() else { return };
    let settings = bench.engine.settings().clone();
    let mut due = [0, 0];
    for pass in [0, 1, 2, 9] {
        for (changed, changes) in [(0, 0), (1, 0), (3, 20), (130, 900)] {
            for (waited, known) in [(0, false), (1, true), (4, true), (5, true), (49, true), (149, true), (150, true)] {
                let refining = (pass + changed + waited) % 2 == 0;
                let moment = Moment { pass, refining, found: changed.min(100), changed, changes, waited, known };
                due[usize::from(check_refresh(&mut bench, moment, &settings, None))] += 1;
            }
        }
    }
    assert!(due.iter().all(|&times| times > 10), "both are tried: {due:?}");
}

#[test]
fn the_pace_falls_when_the_embedding_settles() {
    let Some(mut bench) = bench() else { return };
    let settings = bench.engine.settings().clone();
    for over in [200, 300, 700] {
        bench.engine.settle(over);
        let moment = Moment { pass: 5, refining: false, found: 0, changed: 0, changes: 0, waited: 10, known: true };
        check_refresh(&mut bench, moment, &settings, Some(Annealing::whole(0, over)));
        let seen = bench.control().annealed;
        assert!((seen - 1.0).abs() > 0.1, "settling goes unnoticed: {seen}");
    }
}
