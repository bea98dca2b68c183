//! Explanations against what NumPy, pandas and SciPy say; `../reference/make.py` has made both files.

use crate::support::Table;
use dataset::Role;
use dataset::arrow::array::{Array, AsArray};
use dataset::arrow::csv::ReaderBuilder;
use dataset::arrow::datatypes::{DataType, Field, Float32Type, Schema};
use explain::{Effect, Explanation, axis_histogram};
use serde_json::Value;
use std::sync::Arc;
use vectors::Vectors;

const TABLE: &str = include_str!("../reference/table.csv");
const REFERENCE: &str = include_str!("../reference/reference.json");
const TOLERANCE: f64 = 1e-9;

const COLUMNS: [(&str, DataType, Role); 9] = [
    ("group", DataType::Utf8, Role::Ignored),
    ("cell_type", DataType::Utf8, Role::Categorical),
    ("batch", DataType::Int32, Role::Categorical),
    ("doublet", DataType::Boolean, Role::Categorical),
    ("plate", DataType::Int8, Role::Categorical),
    ("score", DataType::Float64, Role::Continuous),
    ("count", DataType::UInt16, Role::Continuous),
    ("constant", DataType::Float64, Role::Continuous),
    ("tail", DataType::Float64, Role::Continuous),
];
const DIMS: usize = 6;

fn reference() -> Value {
    serde_json::from_str(REFERENCE).unwrap()
}

/// The table and the rows of A and B.
fn table() -> (Table, Vec<u32>, Vec<u32>) {
    let names: Vec<String> = (1..=DIMS).map(|i| format!("pc{i}")).collect();
    let attributes = COLUMNS.iter().map(|(name, data_type, _)| Field::new(*name, data_type.clone(), true));
    let components = names.iter().map(|name| Field::new(name, DataType::Float32, false));
    let schema = Arc::new(Schema::new(attributes.chain(components).collect::<Vec<_>>()));
    let mut reader = ReaderBuilder::new(schema).with_header(true).with_batch_size(10_000).build(TABLE.as_bytes());
    let batch = reader.as_mut().unwrap().next().unwrap().unwrap();
    let component = |i: usize| batch.column(COLUMNS.len() + i).as_primitive::<Float32Type>();
    let values: Vec<f32> = (0..batch.num_rows())
        .flat_map(|row| (0..DIMS).map(move |i| (i, row)))
        .map(|(i, row)| component(i).value(row))
        .collect();
    let columns = COLUMNS.iter().zip(batch.columns()).map(|((name, _, role), array)| (*name, *role, array.clone()));
    let mut table = Table::new(Vectors::from_rows(&values, DIMS), columns.collect());
    table.component_names = names;
    table.neighbours = neighbours(&table.vectors, reference()["neighbours"].as_u64().unwrap() as usize);
    let group = batch.column(0).as_string::<i32>();
    let members = |name: &str| -> Vec<u32> {
        (0..group.len()).filter(|&row| group.is_valid(row) && group.value(row) == name).map(|row| row as u32).collect()
    };
    let (a, b) = (members("a"), members("b"));
    (table, a, b)
}

/// The nearest rows, of equal ones the first.
fn neighbours(vectors: &Vectors, count: usize) -> Vec<Vec<u32>> {
    let squared = |left: usize, right: usize| -> f64 {
        vectors.row(left).iter().zip(vectors.row(right)).map(|(&x, &y)| (f64::from(x) - f64::from(y)).powi(2)).sum()
    };
    let nearest = |row: usize| {
        let mut others: Vec<u32> = (0..vectors.rows() as u32).filter(|&other| other as usize != row).collect();
        others.sort_by(|&left, &right| squared(row, left as usize).total_cmp(&squared(row, right as usize)));
        others.truncate(count);
        others
    };
    (0..vectors.rows()).map(nearest).collect()
}

/// What differs between an explanation and the reference.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn number(&mut self, what: &str, found: f64, expected: &Value) {
        let expected = expected.as_f64().unwrap();
        // Relative, but a difference of sums that cancel (d of equal means) cannot be closer than its terms.
        if (found - expected).abs() > TOLERANCE * expected.abs().max(1e-3) {
            self.0.push(format!("{what}: {found}, expected {expected}"));
        }
    }

    fn same<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, found: T, expected: T) {
        if found != expected {
            self.0.push(format!("{what}: {found:?}, expected {expected:?}"));
        }
    }

    fn effects(&mut self, what: &str, found: &[Effect], expected: &Value) {
        let expected = expected.as_array().unwrap();
        self.same(&format!("number of {what}"), found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            let name = format!("{what} {}", found.name);
            self.same(&name, found.name.as_str(), expected["name"].as_str().unwrap());
            self.same(&name, found.n_a as u64, expected["n_a"].as_u64().unwrap());
            self.same(&name, found.n_b as u64, expected["n_b"].as_u64().unwrap());
            let figures = [
                ("mean_a", found.mean_a),
                ("mean_b", found.mean_b),
                ("sd_a", found.sd_a),
                ("sd_b", found.sd_b),
                ("cohens_d", found.cohens_d.unwrap()),
                ("auc", found.auc.unwrap()),
            ];
            figures.iter().for_each(|(key, figure)| self.number(&format!("{name} {key}"), *figure, &expected[*key]));
        }
    }

    fn compositions(&mut self, found: &Explanation, expected: &Value) {
        let expected = expected["compositions"].as_array().unwrap();
        self.same("number of compositions", found.compositions.len(), expected.len());
        for (found, expected) in found.compositions.iter().zip(expected) {
            let name = &found.column;
            self.same(name, name.as_str(), expected["column"].as_str().unwrap());
            self.number(name, found.cramers_v, &expected["cramers_v"]);
            self.same(name, found.missing_a as u64, expected["missing_a"].as_u64().unwrap());
            self.same(name, found.missing_b as u64, expected["missing_b"].as_u64().unwrap());
            let shares = expected["shares"].as_array().unwrap();
            self.same(name, found.shares.len(), shares.len());
            let falls = found.shares.windows(2).all(|pair| pair[0].in_a >= pair[1].in_a);
            self.same(&format!("{name} falls"), falls, true);
            for share in &found.shares {
                let same_value = |other: &&Value| other["value"].as_str().unwrap().eq_ignore_ascii_case(&share.value);
                let Some(expected) = shares.iter().find(same_value) else {
                    self.0.push(format!("{name}: there is no {}", share.value));
                    continue;
                };
                let what = format!("{name} {}", share.value);
                self.same(&what, share.in_a as u64, expected["in_a"].as_u64().unwrap());
                self.same(&what, share.in_b as u64, expected["in_b"].as_u64().unwrap());
                self.number(&what, share.share_a, &expected["share_a"]);
                self.number(&what, share.share_b, &expected["share_b"]);
                self.number(&what, share.lift, &expected["lift"]);
            }
        }
    }

    fn axis(&mut self, found: &Explanation, expected: &Value) {
        let counts = |key: &str| -> Vec<usize> { serde_json::from_value(expected[key].clone()).unwrap() };
        self.same("histogram of A", found.histogram.a.clone(), counts("histogram_a"));
        self.same("histogram of B", found.histogram.b.clone(), counts("histogram_b"));
        let edges = expected["edges"].as_array().unwrap();
        self.same("edges", found.histogram.edges.len(), edges.len());
        found.histogram.edges.iter().zip(edges).for_each(|(edge, expected)| self.number("edge", *edge, expected));
        self.same("medoid of A", u64::from(found.medoid_a), expected["medoid_a"].as_u64().unwrap());
        self.same("medoid of B", u64::from(found.medoid_b), expected["medoid_b"].as_u64().unwrap());
        for (what, mean) in [("mean_a", &found.mean_a), ("mean_b", &found.mean_b)] {
            let expected = expected[what].as_array().unwrap().iter().map(|value| value.as_f64().unwrap() as f32);
            self.same(what, mean.clone(), expected.collect());
        }
    }
}

fn differences(found: &Explanation, expected: &Value) -> Vec<String> {
    let mut differences = Differences::default();
    differences.same("rows of A", found.a as u64, expected["a"].as_u64().unwrap());
    differences.same("rows of B", found.b as u64, expected["b"].as_u64().unwrap());
    differences.effects("column", &found.numbers, &expected["numbers"]);
    differences.effects("component", &found.components, &expected["components"]);
    differences.compositions(found, expected);
    differences.axis(found, expected);
    differences.number("cohesion", found.cohesion.unwrap(), &expected["cohesion"]);
    differences.number("cohesion_b", found.cohesion_b.unwrap(), &expected["cohesion_b"]);
    differences.0
}

#[test]
fn numpy_pandas_and_scipy_find_the_same() {
    let (table, a, b) = table();
    let found = table.explain(&a, &b);
    let differences = differences(&found, &reference());
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn a_row_less_is_noticed_in_every_figure() {
    let (table, a, b) = table();
    let found = differences(&table.explain(&a[1..], &b[1..]), &reference()).join("\n");
    for figure in ["mean_a", "mean_b", "sd_a", "sd_b", "cohens_d", "auc", "cell_type", "batch", "doublet", "plate"] {
        assert!(found.contains(figure), "{figure} is not judged:\n{found}");
    }
    for figure in ["rows of A", "rows of B", "histogram of A", "histogram of B", "edge", "cohesion", "cohesion_b"] {
        assert!(found.contains(figure), "{figure} is not judged:\n{found}");
    }
    let swapped = differences(&table.explain(&b, &a), &reference()).join("\n");
    assert!(swapped.contains("medoid of A") && swapped.contains("medoid of B"), "{swapped}");
}

#[test]
fn mixtures_dip_where_their_densities_do() {
    let reference = reference();
    let dips = &reference["dips"];
    let coarse: Vec<f64> = serde_json::from_value(dips["normal"].clone()).unwrap();
    // Four values for one: a small group has to stand out from the noise that so many random values would have.
    let between = |pair: &[f64]| [0.0, 0.25, 0.5, 0.75].map(|part| pair[0] + part * (pair[1] - pair[0]));
    let normal: Vec<f64> = coarse.windows(2).flat_map(between).collect();
    for mixture in dips["mixtures"].as_array().unwrap() {
        let of = |key: &str| mixture[key].as_f64().unwrap();
        let (weight, distance, sd) = (of("weight"), of("distance"), of("sd"));
        // Ideal samples: all values for B, every n-th for A.
        let thin = |every: f64| normal.iter().copied().skip(every as usize / 2).step_by(every as usize);
        let a: Vec<f64> = thin(((1.0 - weight) / weight).round()).map(|x| distance + sd * x).collect();
        let found = axis_histogram(&a, &normal, None).dip.unwrap();
        // Smoothing fills the gap a little and moves its lowest point towards the thinner side.
        let close = |found: f64, expected: f64, tolerance: f64| (found - expected).abs() < tolerance;
        assert!(close(found.at, of("at"), 0.25), "{found:?} {mixture}");
        assert!(close(found.depth, of("depth"), 0.08), "{found:?} {mixture}");
        let modes = mixture["modes"].as_array().unwrap();
        assert!(
            modes.iter().zip(found.modes).all(|(mode, found)| close(found, mode.as_f64().unwrap(), 0.3)),
            "{found:?} {mixture}"
        );
        let moved: Vec<f64> = a.iter().map(|x| x + 1.0).collect();
        assert!(!close(axis_histogram(&moved, &normal, None).dip.unwrap().modes[1], distance, 0.3));
    }
}
