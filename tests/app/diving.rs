//! Embedding a selection alone, and coming back.

use super::inspecting::{row_numbers, search};
use super::viewer::*;

/// Dives into what a search finds, and waits until that is shown.
fn dive(viewer: &mut Viewer, text: &str) -> Vec<u32> {
    search(viewer, text);
    let rows: Vec<u32> = viewer.get::<Selection>().rows().iter().collect();
    let count = rows.len();
    viewer.ask(Request::Dive);
    viewer.until("the part", |viewer| {
        viewer.get::<LiveEmbedding>().activity() != Activity::Starting && viewer.snapshot().data.points() == count
    });
    viewer.frames(2);
    rows
}

fn rise(viewer: &mut Viewer, level: usize, rows: usize) {
    viewer.ask(Request::Rise(level));
    viewer.until("the map above", |viewer| {
        viewer.get::<LiveEmbedding>().activity() != Activity::Starting && viewer.snapshot().data.points() == rows
    });
    viewer.frames(2);
}

fn embedded(viewer: &Viewer) -> Vec<u32> {
    viewer.snapshot().data.rows().collect()
}

#[test]
fn dives_keep_their_rows_and_coming_back_restores_every_map() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    viewer.colour_by(ColourBy::Column("label".into()));
    viewer.until("age", |viewer| viewer.iteration() > 60);
    viewer.pause();
    let (top, colours) = (viewer.snapshot(), viewer.colours_by_row());

    let rows = dive(&mut viewer, "number>=100");
    assert_eq!((rows.len(), embedded(&viewer)), (200, rows.clone()));
    assert!(viewer.get::<Selection>().is_empty(), "a new level begins without a selection");
    assert_eq!(viewer.get::<SelectionCard>().levels, ["all 300"]);
    assert!(!viewer.get::<LiveEmbedding>().is_paused(), "it would not be seen to move");
    viewer.until("motion", |viewer| viewer.iteration() > top.statistics.iteration + 20);
    let settings = Settings { alpha: 0.6, ..viewer.snapshot().settings.clone() };
    viewer.get_mut::<LiveEmbedding>().set_settings(settings.clone()).unwrap();
    viewer.frames(SOON);
    viewer.pause();
    let (below, iteration) = (viewer.snapshot(), viewer.iteration());
    // Colours are those of the rows, as they were.
    let styles = Arc::clone(viewer.get::<PointCloud>().styles());
    for (point, &row) in below.data.row_of_point.iter().enumerate() {
        assert_eq!(styles[point].to_le_bytes()[..3], colours[row as usize], "row {row}");
    }

    let deeper = dive(&mut viewer, "label=\"blob 1\"");
    assert!(deeper.iter().all(|row| *row >= 100 && row % 5 == 1) && deeper.len() == 40);
    assert_eq!(embedded(&viewer), deeper);
    assert_eq!(viewer.get::<SelectionCard>().levels, ["all 300", "200 rows"]);
    // Files tell the file's row numbers.
    let out = dir.path().join("part.parquet");
    viewer.ask(Request::Export(out.clone()));
    viewer.notice(Announce::Done);
    assert_eq!(row_numbers(&out), deeper);

    rise(&mut viewer, 1, 200);
    assert_eq!(embedded(&viewer), rows);
    let back = viewer.snapshot();
    assert_eq!((&back.settings, back.statistics.iteration), (&settings, iteration), "settings belong to a level");
    assert!(back.positions_by_row() == below.positions_by_row(), "the map of the level is another");
    assert!(viewer.get::<LiveEmbedding>().is_paused());
    assert_eq!(viewer.get::<Selection>().rows().count(), 40, "what was dived into is selected");

    rise(&mut viewer, 0, ROWS);
    let back = viewer.snapshot();
    assert!(back.positions_by_row() == top.positions_by_row(), "the whole map is another");
    assert_eq!((&back.settings, back.statistics.iteration), (&top.settings, top.statistics.iteration));
    assert!(viewer.colours_by_row() == colours && viewer.get::<SelectionCard>().levels.is_empty());
}

#[test]
fn from_any_depth_one_comes_back_to_the_top_at_once() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    viewer.pause();
    let top = viewer.snapshot();
    dive(&mut viewer, "number>=100");
    dive(&mut viewer, "number>=200");
    dive(&mut viewer, "number>=250");
    rise(&mut viewer, 0, ROWS);
    assert!(viewer.snapshot().positions_by_row() == top.positions_by_row());
    assert!(viewer.get::<SelectionCard>().levels.is_empty());
}

#[test]
fn a_session_saved_in_a_dive_comes_back_there_with_its_way_out() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    viewer.pause();
    let top = viewer.snapshot();
    dive(&mut viewer, "number>=100");
    let rows = dive(&mut viewer, "label=\"blob 1\"");
    viewer.pause();
    let session = dir.path().join("deep.nevis");
    viewer.ask(Request::Save(Some(session.clone())));
    viewer.notice(Announce::Done);
    let below = viewer.snapshot();

    let mut again = Viewer::showing(&session);
    again.frames(3);
    assert_eq!(embedded(&again), rows);
    assert!(again.snapshot().positions_by_row() == below.positions_by_row());
    assert_eq!(again.get::<SelectionCard>().levels, ["all 300", "200 rows"]);
    rise(&mut again, 0, ROWS);
    assert!(again.snapshot().positions_by_row() == top.positions_by_row());
}

#[test]
fn too_few_rows_and_all_of_them_are_refused() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    for (text, expected) in [("row:3", "at least 5"), ("number>=0", "all points are selected")] {
        search(&mut viewer, text);
        viewer.ask(Request::Dive);
        let notice = viewer.notice(Announce::Failed);
        assert!(notice.contains(expected), "{notice}");
        assert_eq!(viewer.snapshot().data.points(), ROWS);
    }
}
