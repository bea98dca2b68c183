//! Iterations: that they run, that they stop, and that they are the engine's own.

use crate::support::*;
use live::Activity;

const ROWS: usize = 300;
const DIMS: usize = 8;
/// Iterations after which points have long been moving.
const GROWN: u32 = 60;

#[test]
fn without_data_there_is_nothing_and_nothing_breaks() {
    let mut native = Native::empty();
    native.live.set_paused(true);
    native.live.step_once(None);
    native.live.set_paused(false);
    native.live.act(live::Action::Implode);
    native.live.want_lists(true);
    native.live.set_settings(quick()).unwrap();
    assert!((0..5).all(|_| !native.live.poll(None)));
    assert_eq!((native.live.activity(), native.live.snapshot().is_none()), (Activity::Empty, true));
    assert_eq!(native.live.take_error(), None);
}

#[test]
fn data_that_is_begun_is_embedded_and_iterations_only_rise() {
    // Enough that they do not come to rest while they are looked at.
    let mut native = Native::running(blobs(20 * ROWS, DIMS), quick());
    let seen = native.look_on();
    assert!(seen.is_sorted(), "{seen:?}");
    assert!(seen.last() > seen.first(), "nothing goes on: {seen:?}");
    native.until("a rate", |live| of(live).rate > 0.0);
    assert_eq!(native.live.activity(), Activity::Running);
}

#[test]
fn points_and_rows_are_permutations_of_each_other() {
    let data = blobs(ROWS, DIMS);
    let snapshot = Native::running(data.clone(), quick()).snapshot();
    let live = &snapshot.data;
    assert_eq!((live.points(), live.row_of_point.len(), live.point_of_row.len()), (ROWS, ROWS, ROWS));
    for point in 0..ROWS {
        let row = live.row_of_point[point] as usize;
        assert_eq!(live.point_of_row[row] as usize, point);
        assert_eq!(live.space.vectors().row(point), data.row(row), "point {point} is not row {row}");
    }
    assert!(live.row_of_point.iter().enumerate().any(|(point, &row)| point as u32 != row), "the order says nothing");
    let by_row = snapshot.positions_by_row();
    let row = live.row_of_point[7] as usize;
    assert_eq!(&by_row[row * snapshot.dims..][..snapshot.dims], snapshot.position(7));
}

#[test]
fn every_moment_is_the_engine_s_to_the_bit() {
    let settings = quick();
    let expected = |iteration: u32| engine_after(iteration, blobs(ROWS, DIMS), &settings);
    let mut native = Native::paused(job(blobs(ROWS, DIMS), settings.clone()));
    assert_eq!(native.iteration(), 0, "it ran although it was paused");
    assert!(native.snapshot().positions_by_row() == expected(0));
    for _ in 0..5 {
        native.step();
    }
    assert!(native.snapshot().positions_by_row() == expected(5));
    // Freely, and a few at a time: whatever moment is seen, it is one of the same run.
    native.live.set_paused(false);
    native.until_iteration(GROWN);
    native.live.set_iterations_per_frame(Some(3));
    native.until_iteration(GROWN + 30);
    native.pause();
    let (iteration, positions) = (native.iteration(), native.snapshot().positions_by_row());
    assert!(positions == expected(iteration), "iteration {iteration} is another than the engine's");
    assert!(positions != expected(iteration + 1), "points that rest are the same whatever the iteration");
    let other = engine_after(iteration, blobs(ROWS, DIMS), &embedding::Settings { seed: 43, ..settings });
    assert!(positions != other, "the seed has no effect");
}

#[test]
fn nothing_moves_while_paused_and_a_step_is_one_iteration() {
    let mut native = Native::running(blobs(ROWS, DIMS), quick());
    native.until_iteration(GROWN);
    native.pause();
    let (iteration, positions) = (native.iteration(), native.snapshot().positions.clone());
    assert_eq!((native.live.activity(), native.live.is_paused()), (Activity::Paused, true));
    assert!(native.look_on().iter().all(|&seen| seen == iteration));
    assert_eq!(native.snapshot().rate, 0.0);
    assert!(native.snapshot().positions == positions);
    native.step();
    assert!(native.look_on().iter().all(|&seen| seen == iteration + 1));
    assert!(native.snapshot().positions != positions, "the step moved nothing");
    (0..4).for_each(|_| native.live.step_once(None));
    native.until_iteration(iteration + 5);
    assert!(native.look_on().iter().all(|&seen| seen == iteration + 5));
    native.live.set_paused(false);
    native.until_iteration(iteration + 20);
    assert_eq!(native.live.activity(), Activity::Running);
}

#[test]
fn few_iterations_a_frame_are_never_more_than_that() {
    const A_FRAME: u32 = 2;
    let mut native = Native::empty();
    native.live.set_iterations_per_frame(Some(A_FRAME));
    native.live.begin(job(blobs(ROWS, DIMS), quick()));
    native.until("something to see", |live| live.snapshot().is_some());
    let (from, mut polls) = (native.iteration(), 1); // the poll that found it has granted some already
    while native.iteration() < from + 40 {
        std::thread::sleep(FRAME);
        native.live.poll(None);
        polls += 1;
        assert!(native.iteration() <= from + A_FRAME * polls, "{} after {polls} polls", native.iteration());
        assert!(polls < 5000, "it does not get on");
    }
    native.live.set_iterations_per_frame(None);
    let (from, mut polls) = (native.iteration(), 0);
    while native.iteration() <= from + A_FRAME * (polls + 2) {
        std::thread::sleep(4 * FRAME);
        native.live.poll(None);
        polls += 1;
        assert!(polls < 5000, "freely it is no faster");
    }
}
