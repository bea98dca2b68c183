//! Other data, data that is refused, and embeddings that are taken up again.

use crate::support::*;
use embedding::Settings;
use live::{Activity, Begin, Job, Part};
use std::sync::Arc;
use vectors::Vectors;

const ROWS: usize = 300;
const OTHER_ROWS: usize = 1500;

#[test]
fn other_data_takes_over_when_it_is_there_and_not_before() {
    let mut native = Native::running(blobs(ROWS, 8), quick());
    native.until_iteration(60);
    let other = Settings { dims: 3, ..quick() };
    let before = native.snapshot();
    native.live.begin(job(blobs(OTHER_ROWS, 5), other.clone()));
    assert_eq!(native.live.activity(), Activity::Starting);
    assert!(Arc::ptr_eq(&native.snapshot(), &before), "the old embedding is gone at once");
    while native.live.activity() == Activity::Starting {
        assert_eq!(native.snapshot().data.points(), ROWS);
        std::thread::sleep(FRAME);
        native.live.poll(None);
    }
    let first = native.snapshot();
    assert_eq!((first.data.points(), first.dims, &first.settings), (OTHER_ROWS, 3, &other));
    assert_eq!(*native.live.settings(), other);
    native.until_iteration(30);
    assert_eq!((native.snapshot().data.points(), native.live.take_error()), (OTHER_ROWS, None));
}

#[test]
fn what_is_set_while_data_is_laid_out_holds_for_it() {
    let mut native = Native::running(blobs(ROWS, 8), quick());
    native.live.begin(job(blobs(OTHER_ROWS, 5), quick()));
    native.live.set_paused(true);
    let wanted = Settings { alpha: 0.5, ..quick() };
    native.live.set_settings(wanted.clone()).unwrap();
    native.live.want_lists(true);
    native.until("the other data", |live| of(live).data.points() == OTHER_ROWS);
    native.until("its settings and lists", |live| of(live).settings == wanted && of(live).lists.is_some());
    assert!(native.look_on().iter().all(|&iteration| iteration == 0), "it runs although it was paused");
}

#[test]
fn the_last_of_several_data_sets_wins() {
    let mut native = Native::empty();
    for rows in [OTHER_ROWS, ROWS, ROWS + 1] {
        native.live.begin(job(blobs(rows, 8), quick()));
    }
    native.until("something to see", |live| live.snapshot().is_some());
    assert_eq!(native.snapshot().data.points(), ROWS + 1);
    native.look_on();
    assert_eq!(native.snapshot().data.points(), ROWS + 1);
}

#[test]
fn refused_data_leaves_the_old_run_going_and_says_why() {
    let mut native = Native::running(blobs(ROWS, 8), quick());
    native.until_iteration(20);
    for rows in [1, 0] {
        native.live.begin(job(Vectors::zeros(rows, 8), Settings { dims: 5, ..quick() }));
        native.until("an end of starting", |live| live.activity() != Activity::Starting);
        let error = native.live.take_error().unwrap();
        assert_eq!(error, format!("an embedding needs at least two rows, the data has {rows}"));
        assert_eq!((native.live.activity(), native.live.take_error()), (Activity::Running, None));
        assert_eq!((native.snapshot().data.points(), native.live.settings()), (ROWS, &quick()));
        let from = native.iteration();
        native.until_iteration(from + 20);
    }
}

#[test]
fn refused_data_without_any_before_leaves_nothing() {
    let mut native = Native::empty();
    native.live.begin(job(blobs(ROWS, 8), Settings { perplexity: -1.0, ..quick() }));
    native.until("an end of starting", |live| live.activity() != Activity::Starting);
    assert_eq!((native.live.activity(), native.live.snapshot().is_none()), (Activity::Empty, true));
    let error = native.live.take_error().unwrap();
    assert!(error.starts_with("perplexity is -1"), "{error}");
}

/// Iterations after which an embedding is left.
const LEFT_AFTER: u32 = 400;
/// Iterations for which it goes on.
const GOES_ON: u32 = 300;
/// How much its size may change meanwhile, as a factor either way. Early exaggeration would shrink it further.
const KEPT: f32 = 2.0;

/// An embedding that was left, and what it is taken up with.
fn left(settings: &Settings) -> (Vectors, u32, f32) {
    let mut native = Native::running(blobs(ROWS, 8), settings.clone());
    native.until_iteration(LEFT_AFTER);
    native.pause();
    let coordinates = Vectors::from_rows(&native.snapshot().positions_by_row(), settings.dims);
    (coordinates, native.iteration(), native.size())
}

#[test]
fn an_embedding_is_taken_up_exactly_where_it_was_left_and_does_not_collapse() {
    for dims in [2, 3] {
        let settings = Settings { dims, early_iterations: 100, ..quick() };
        let (coordinates, iteration, size) = left(&settings);
        let begin = Begin::Resume(coordinates.clone(), iteration);
        let mut native = Native::paused(Job { vectors: blobs(ROWS, 8), part: None, settings: settings.clone(), begin });
        assert_eq!(native.iteration(), iteration);
        let resumed = Vectors::from_rows(&native.snapshot().positions_by_row(), dims);
        assert!(resumed == coordinates, "{dims}-D: it does not begin where it was left");
        native.live.set_paused(false);
        native.until("a while", |live| {
            let now = of(live).statistics;
            let within = now.size > size / KEPT && now.size < size * KEPT;
            assert!(within, "{dims}-D: the size went from {size} to {} by iteration {}", now.size, now.iteration);
            now.iteration >= iteration + GOES_ON
        });
        assert!(Vectors::from_rows(&native.snapshot().positions_by_row(), dims) != coordinates, "nothing moves");

        // The same coordinates as a mere arrangement do not keep their size: the measure can tell.
        let begin = Begin::From(coordinates);
        let native = Native::paused(Job { vectors: blobs(ROWS, 8), part: None, settings, begin });
        assert!(native.size() < size / KEPT, "{dims}-D: {} from {size}", native.size());
        assert_eq!(native.iteration(), 0);
    }
}

#[test]
fn coordinates_of_other_data_are_refused() {
    let mut native = Native::empty();
    let begin = Begin::Resume(blobs(ROWS - 1, 2), 10);
    native.live.begin(Job { vectors: blobs(ROWS, 8), part: None, settings: quick(), begin });
    native.until("an end of starting", |live| live.activity() != Activity::Starting);
    assert_eq!(native.live.take_error(), Some(format!("the start has {} rows, the data {ROWS}", ROWS - 1)));
}

#[test]
fn a_part_of_a_table_keeps_the_numbers_of_its_rows() {
    let whole = blobs(ROWS, 8);
    let rows: Vec<u32> = (0..ROWS as u32).filter(|row| row % 7 < 2).collect();
    let mut vectors = Vectors::with_capacity(rows.len(), 8);
    rows.iter().for_each(|&row| vectors.push(whole.row(row as usize)));
    let coordinates = Vectors::from_rows(&(0..3 * rows.len()).map(|at| at as f32).collect::<Vec<_>>(), 3);
    let part = Part { rows: Arc::new(rows.clone()), of: ROWS };
    let begin = Begin::Resume(coordinates.clone(), 5);
    let settings = Settings { dims: 3, ..quick() };
    let native = Native::paused(Job { vectors, part: Some(part), settings, begin });
    let snapshot = native.snapshot();
    let data = &snapshot.data;
    assert_eq!((data.points(), data.table_rows()), (rows.len(), ROWS));
    assert!(data.rows().eq(rows.iter().copied()));
    for (at, &row) in rows.iter().enumerate() {
        let point = data.point(row).unwrap() as usize;
        assert_eq!(data.row_of_point[point], row);
        assert_eq!(data.space.vectors().row(point), whole.row(row as usize), "row {row} is another");
        assert_eq!(snapshot.position(point), coordinates.row(at));
    }
    assert_eq!(data.point(3), None);
    assert_eq!(Vectors::from_rows(&snapshot.positions_by_row(), 3), coordinates);
}
