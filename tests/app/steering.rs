//! Settings and colours.

use super::viewer::*;

/// Frames after which a setting is in force. Three on a machine that has nothing else to do; here other tests and their
/// engines want the same cores.
const SOON_WHILE_BUSY: usize = 4 * SOON;

#[test]
fn every_setting_is_in_force_soon_and_nothing_restarts() {
    type Change = (&'static str, fn(&mut Settings));
    const CHANGES: [Change; 14] = [
        ("perplexity up", |settings| settings.perplexity = 40.0),
        ("perplexity down", |settings| settings.perplexity = 6.0),
        ("cosine", |settings| settings.metric = Metric::Cosine),
        ("manhattan", |settings| settings.metric = Metric::Manhattan),
        ("alpha", |settings| settings.alpha = 0.5),
        ("attraction", |settings| settings.attraction = 1.3),
        ("repulsion", |settings| settings.repulsion = 1.6),
        ("spring", |settings| settings.spring = 0.2),
        ("step", |settings| settings.step = 0.7),
        ("momentum", |settings| settings.momentum = 0.6),
        ("exaggeration", |settings| settings.early_exaggeration = 3.0),
        ("2-D", |settings| settings.dims = 2),
        ("5-D", |settings| settings.dims = 5),
        ("3-D", |settings| settings.dims = 3),
    ];
    let dir = dir_of_blobs(ROWS);
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    let mut latest = viewer.iteration();
    for (name, change) in CHANGES {
        let mut wanted = viewer.get::<LiveEmbedding>().settings().clone();
        change(&mut wanted);
        viewer.get_mut::<LiveEmbedding>().set_settings(wanted.clone()).unwrap();
        let mut frames = 0;
        while viewer.snapshot().settings != wanted {
            assert!(frames < SOON_WHILE_BUSY, "{name} is not in force after {SOON_WHILE_BUSY} frames");
            viewer.frame();
            frames += 1;
            assert!(viewer.iteration() >= latest, "{name}: back from {latest} to {}", viewer.iteration());
            latest = viewer.iteration();
        }
        // Axes that leave are squeezed out first.
        viewer.until("as many dimensions", |viewer| viewer.get::<PointCloud>().dims() == wanted.dims);
        latest = viewer.iteration();
        let (cloud, bounds) = (viewer.get::<PointCloud>(), viewer.get::<CloudBounds>());
        assert_eq!((cloud.dims(), cloud.count(), bounds.flat), (wanted.dims, ROWS, wanted.dims <= 2), "{name}");
        assert!(cloud.axes().axes.len() == wanted.dims && cloud.styles().len() == ROWS, "{name}");
    }
    assert!(latest > 0 && viewer.get::<Notices>().0.is_empty());
}

/// `name` (text that many rows share), `count`, `value`, `flag`, `when`, `shade` (a colour), with a hole in each.
fn write_all_kinds(path: &Path, rows: usize) {
    let some = |row: usize| row % 11 != 3;
    let names = StringArray::from_iter((0..rows).map(|row| some(row).then(|| format!("name {}", row % 4))));
    let counts = Int64Array::from_iter((0..rows).map(|row| some(row).then_some((row * row % 9973) as i64)));
    let values = Float64Array::from_iter((0..rows).map(|row| some(row).then_some(row as f64 * 0.31 - 7.0)));
    let flags = BooleanArray::from_iter((0..rows).map(|row| some(row).then_some(row % 3 == 0)));
    let times = TimestampMillisecondArray::from_iter(
        (0..rows).map(|row| some(row).then_some(1_600_000_000_000 + row as i64 * 3_600_000)),
    );
    let shades = StringArray::from_iter((0..rows).map(|row| some(row).then(|| format!("#{:02x}40c0", row % 7 * 30))));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("name", Arc::new(names)),
        ("count", Arc::new(counts)),
        ("value", Arc::new(values)),
        ("flag", Arc::new(flags)),
        ("when", Arc::new(times)),
        ("shade", Arc::new(shades)),
        ("vector", lists(blobs(rows, DIMS), DIMS)),
    ];
    write(path, columns);
}

#[test]
fn every_kind_of_column_gives_colours_and_its_kind_of_legend() {
    type Expected = (&'static str, fn(&Legend) -> bool);
    const EXPECTED: [Expected; 6] = [
        ("name", |legend| matches!(legend, Legend::Categories(rows) if rows.len() >= 4)),
        ("count", |legend| matches!(legend, Legend::Scale(_))),
        ("value", |legend| matches!(legend, Legend::Scale(_))),
        ("flag", |legend| matches!(legend, Legend::Categories(rows) if rows.len() >= 2)),
        ("when", |legend| matches!(legend, Legend::Scale(_))),
        ("shade", |legend| matches!(legend, Legend::Direct { distinct: 7, missing } if *missing > 0)),
    ];
    let dir = dir();
    let path = dir.path().join("kinds.parquet");
    write_all_kinds(&path, ROWS);
    let mut viewer = Viewer::showing(&path);
    viewer.frames(3);
    assert_eq!(viewer.get::<ColourPanel>().columns, EXPECTED.map(|(name, _)| name));
    for (name, is_right) in EXPECTED {
        viewer.colour_by(ColourBy::Column(name.into()));
        let (legend, colours) = (viewer.legend(), viewer.colours_by_row());
        assert!(is_right(&legend), "{name}: {legend:?}");
        assert_eq!((colours.len(), viewer.get::<ColourPanel>().note.as_deref()), (ROWS, None), "{name}");
        assert_eq!((colours[3], colours[14]), (colours::MISSING, colours::MISSING), "{name}: holes are grey");
        assert!(colours.iter().any(|&colour| colour != colours[0]), "{name}: one colour for all");
        assert_ne!(colours[0], colours::MISSING, "{name}");
    }
    assert_eq!(viewer.colours_by_row()[8], [30, 0x40, 0xc0], "row 8 has the colour that its file gives it");
    viewer.colour_by(ColourBy::Uniform);
    assert_eq!(viewer.legend(), Legend::Uniform);
    viewer.colour_by(ColourBy::Column("nobody".into()));
    let note = viewer.get::<ColourPanel>().note.clone().unwrap();
    assert!(note.contains("nobody") && viewer.legend() == Legend::Uniform, "{note}");
}

#[test]
fn colours_by_trust_arrive_and_follow() {
    let dir = dir_of_blobs(ROWS);
    let mut viewer = Viewer::showing(&dir.path().join("in.parquet"));
    viewer.until("some motion", |viewer| viewer.iteration() > 50);
    for by in [ColourBy::NeighbourhoodKept, ColourBy::DistanceCorrelation] {
        viewer.colour_by(by.clone());
        viewer.until("trust", |viewer| {
            let panel = viewer.get::<ColourPanel>();
            panel.note.as_ref().is_some_and(|note| note != "measuring …")
        });
        let colours = viewer.colours_by_row();
        let known = colours.iter().filter(|&&colour| colour != colours::MISSING).count();
        assert!(known > ROWS * 9 / 10, "{by}: {known} of {ROWS} are known");
        assert!(matches!(viewer.legend(), Legend::Scale(_)), "{by}");
        viewer.until("trust of a later moment", |viewer| viewer.colours_by_row() != colours);
    }
    // While paused, too.
    viewer.pause();
    viewer.colour_by(ColourBy::NeighbourhoodKept);
    viewer.until("trust while paused", |viewer| {
        viewer.get::<ColourPanel>().note.as_ref().is_some_and(|note| note != "measuring …")
    });
}
