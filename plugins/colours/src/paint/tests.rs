use super::*;
use crate::count_text;
use std::time::{Duration, Instant};

fn named(names: &[Option<&str>]) -> Values {
    Values::Categories(Categories::of_names(names.iter().copied()))
}

fn numbered(values: &[f64]) -> Values {
    Values::Numbers(Numbers::new(values.to_vec(), Kind::Real))
}

fn rows(paint: &Paint) -> &[LegendRow] {
    match &paint.legend {
        Legend::Categories(rows) => rows,
        other => panic!("{other:?}"),
    }
}

fn scale(paint: &Paint) -> &ScaleLegend {
    match &paint.legend {
        Legend::Scale(scale) => scale,
        other => panic!("{other:?}"),
    }
}

const NAMES: [Option<&str>; 5] = [Some("b"), None, Some("a"), Some("c"), Some("b")];

#[test]
fn nothing_to_colour_by_is_one_colour() {
    let paint = paint(None, 3, &ColourSettings::default());
    assert_eq!(paint, Paint { colours: vec![UNIFORM; 3], greyed: vec![], legend: Legend::Uniform, missing: 0 });
    for background in [[0x0e, 0x11, 0x16], [255; 3], [0; 3]] {
        assert!(crate::contrast(UNIFORM, background) > 2.5, "{background:?}");
    }
}

#[test]
fn the_legend_of_categories_agrees_with_the_rows() {
    let paint = paint(Some(&named(&NAMES)), 5, &ColourSettings::default());
    let counts: Vec<(&str, usize)> = rows(&paint).iter().map(|row| (row.name.as_str(), row.count)).collect();
    assert_eq!(counts, [("a", 1), ("b", 2), ("c", 1)]);
    let [a, b, c] = [0, 1, 2].map(|place| rows(&paint)[place].colour);
    assert_eq!(paint.colours, [b, MISSING, a, c, b]);
    assert_eq!((paint.missing, paint.greyed.is_empty()), (1, true));
    assert!(a != b && b != c && a != c);
}

#[test]
fn greyed_categories_keep_their_colour_and_say_so() {
    let plain = paint(Some(&named(&NAMES)), 5, &ColourSettings::default());
    let settings = ColourSettings { greyed: ["b".to_owned(), "absent".to_owned()].into(), ..Default::default() };
    let paint = paint(Some(&named(&NAMES)), 5, &settings);
    assert_eq!(paint.greyed, [true, false, false, false, true]);
    assert_eq!(paint.colours, plain.colours);
    assert_eq!(rows(&paint).iter().map(|row| row.greyed).collect::<Vec<_>>(), [false, true, false]);
}

#[test]
fn isolating_greys_everyone_else() {
    let mut settings = ColourSettings { isolated: Some("b".into()), ..Default::default() };
    settings.greyed.insert("b".into());
    let isolated = paint(Some(&named(&NAMES)), 5, &settings);
    assert_eq!(isolated.greyed, [false, true, true, true, false], "missing rows are someone else, too");
    assert_eq!(rows(&isolated).iter().map(|row| row.greyed).collect::<Vec<_>>(), [true, false, true]);
    settings.isolated = Some("gone".into());
    let greyed = paint(Some(&named(&NAMES)), 5, &settings);
    assert_eq!(greyed.greyed, [true, false, false, false, true], "a name from elsewhere isolates nobody");
    let only = ColourSettings { isolated: Some("b".into()), ..Default::default() };
    assert!(paint(Some(&named(&[Some("b")])), 1, &only).greyed.is_empty(), "nobody else to grey");
}

#[test]
fn colours_given_by_hand_replace_the_palettes() {
    let settings = ColourSettings { overrides: [("c".to_owned(), [1, 2, 3])].into(), ..Default::default() };
    let paint = paint(Some(&named(&NAMES)), 5, &settings);
    assert_eq!((paint.colours[3], rows(&paint)[2].colour), ([1, 2, 3], [1, 2, 3]));
    assert_ne!(paint.colours[2], [1, 2, 3]);
}

#[test]
fn numbers_are_clamped_to_the_range() {
    let settings = ColourSettings { range: Some([0.0, 10.0]), ramp: Ramp::Plasma, ..Default::default() };
    let values = numbered(&[-5.0, 0.0, 2.5, 10.0, 1e9, f64::NAN, f64::INFINITY, f64::NEG_INFINITY]);
    let paint = paint(Some(&values), 8, &settings);
    let at = |t| Ramp::Plasma.at(t);
    assert_eq!(paint.colours, [at(0.0), at(0.0), at(0.25), at(1.0), at(1.0), MISSING, at(1.0), at(0.0)]);
    let legend = scale(&paint);
    assert_eq!((legend.range, legend.extent, legend.missing), ([0.0, 10.0], [-5.0, 1e9], 1));
    assert_eq!(legend.ticks.len(), 6);
    assert_eq!(legend.ticks[1], (0.2, "2".to_owned()));
}

#[test]
fn a_range_can_be_turned_round_and_must_be_finite() {
    let values = numbered(&[0.0, 1.0]);
    let with = |range| paint(Some(&values), 2, &ColourSettings { range: Some(range), ..Default::default() });
    let plain = with([0.0, 1.0]);
    let turned = with([1.0, 0.0]);
    assert_eq!(turned.colours, [plain.colours[1], plain.colours[0]]);
    assert_eq!(with([f64::NAN, 1.0]), plain);
    assert_eq!(with([0.0, f64::INFINITY]), plain);
    let wide = with([-f64::MAX, f64::MAX]);
    assert_eq!(wide.colours, [Ramp::Viridis.at(0.5); 2]);
}

#[test]
fn columns_of_one_value_or_none_are_painted() {
    let same = paint(Some(&numbered(&[4.0, 4.0, f64::NAN])), 3, &ColourSettings::default());
    assert_eq!(same.colours, [Ramp::Viridis.at(0.5), Ramp::Viridis.at(0.5), MISSING]);
    assert_eq!(scale(&same).ticks, [(0.5, "4".to_owned())]);
    let point = ColourSettings { range: Some([4.0, 4.0]), ..Default::default() };
    let around = paint(Some(&numbered(&[3.0, 4.0, 5.0])), 3, &point);
    assert_eq!(around.colours, [0.0, 0.5, 1.0].map(|t| Ramp::Viridis.at(t)));
    let none = paint(Some(&numbered(&[f64::NAN; 2])), 2, &ColourSettings::default());
    assert_eq!((none.colours, none.missing), (vec![MISSING; 2], 2));
    let no_names = paint(Some(&named(&[None, None])), 2, &ColourSettings::default());
    assert_eq!((no_names.colours.clone(), rows(&no_names).len(), no_names.missing), (vec![MISSING; 2], 0, 2));
}

#[test]
fn colours_of_the_file_are_counted() {
    let values = Values::Direct(vec![Some([255; 3]), None, Some([0, 0, 1]), Some([255; 3])]);
    let paint = paint(Some(&values), 4, &ColourSettings::default());
    assert_eq!(paint.colours, [[255; 3], MISSING, [0, 0, 1], [255; 3]]);
    assert_eq!(paint.legend, Legend::Direct { distinct: 2, missing: 1 });
}

#[test]
fn rows_beyond_the_values_are_missing() {
    let paint = paint(Some(&numbered(&[1.0, 2.0])), 3, &ColourSettings::default());
    assert_eq!(paint.colours, [Ramp::Viridis.at(0.0), Ramp::Viridis.at(1.0), MISSING]);
}

#[test]
fn figures_of_trust_have_a_fixed_scale() {
    let settings = ColourSettings::default();
    let paint = paint_numbers(&[-1.0, 0.0, 0.5, f32::NAN], [-1.0, 1.0], &settings);
    assert_eq!(paint.colours, [Ramp::Viridis.at(0.0), Ramp::Viridis.at(0.5), Ramp::Viridis.at(0.75), MISSING]);
    assert_eq!((scale(&paint).range, paint.missing), ([-1.0, 1.0], 1));
    let narrow = ColourSettings { range: Some([0.0, 0.5]), ..settings };
    assert_eq!(paint_numbers(&[0.5], [-1.0, 1.0], &narrow).colours, [Ramp::Viridis.at(1.0)]);
}

#[test]
fn a_million_rows_are_painted_between_two_frames_of_a_slow_machine() {
    const ROWS: usize = 1_000_000;
    const MAX_TIME: Duration = Duration::from_millis(100);
    let names: Vec<String> = (0..130).map(|place| format!("name {place}")).collect();
    let values = [
        Values::Categories(Categories::of_names((0..ROWS).map(|row| Some(names[row * 7 % 130].as_str())))),
        Values::Numbers(Numbers::new((0..ROWS).map(|row| (row as f64).sin()).collect(), Kind::Real)),
        Values::Direct((0..ROWS).map(|row| Some([row as u8, (row >> 8) as u8, 7])).collect()),
    ];
    let settings = ColourSettings { isolated: Some("name 3".into()), ..Default::default() };
    for values in &values {
        let best = (0..5).map(|_| {
            let start = Instant::now();
            assert_eq!(paint(Some(values), ROWS, &settings).colours.len(), ROWS);
            start.elapsed()
        });
        let best = best.min().unwrap();
        assert!(best < MAX_TIME, "{} rows took {best:?}, not {MAX_TIME:?}", count_text(ROWS));
    }
}
