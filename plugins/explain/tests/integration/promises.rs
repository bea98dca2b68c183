//! What holds for every table.

use crate::support::{Table, noise, wanted};
use dataset::Role;
use dataset::arrow::array::{Array, ArrayRef, AsArray, Float64Array, StringArray};
use dataset::arrow::datatypes::{Float64Type, UInt64Type};
use explain::{ExplainError, Explanation, MAX_RANKED};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use vectors::Vectors;

/// Noise in many dimensions with a column of each kind; the first third of the rows is shifted.
fn table(rows: usize, dims: usize) -> (Table, Vec<u32>, Vec<u32>) {
    let third = rows / 3;
    let shift = |row: usize, dim: usize| if row < third { dim as f64 / dims as f64 } else { 0.0 };
    let values = noise(rows * dims, 5);
    let values: Vec<f32> = values.iter().enumerate().map(|(at, x)| (x + shift(at / dims, at % dims)) as f32).collect();
    let kinds: ArrayRef = Arc::new(StringArray::from_iter(
        (0..rows).map(|row| (row % 11 != 0).then(|| format!("kind {}", (row * row) % if row < third { 5 } else { 9 }))),
    ));
    let numbers: ArrayRef = Arc::new(Float64Array::from_iter(
        noise(rows, 6).into_iter().enumerate().map(|(row, x)| (row % 7 != 0).then_some(x * 1e3 + shift(row, dims))),
    ));
    let columns = vec![("kind", Role::Categorical, kinds), ("number", Role::Continuous, numbers)];
    let mut table = Table::new(Vectors::from_rows(&values, dims), columns);
    table.neighbours =
        (0..rows as u32).map(|row| (1..=row % 9).map(|step| (row + step * step) % rows as u32).collect()).collect();
    (table, (0..third as u32).collect(), (third as u32..rows as u32).collect())
}

#[test]
fn nothing_depends_on_the_number_of_threads() {
    let (table, a, b) = table(20_000, 30);
    let with_threads = |threads: usize| -> Explanation {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| table.explain(&a, &b))
    };
    let one = with_threads(1);
    assert_eq!(one, with_threads(2));
    assert_eq!(one, with_threads(5));
    assert_ne!(one, table.explain(&a[1..], &b));
}

#[test]
fn faulty_groups_are_refused() {
    let (table, a, b) = table(300, 4);
    let fault = |a: &[u32], b: &[u32]| table.try_explain(a, b, &wanted).unwrap_err();
    assert_eq!(fault(&[], &b), ExplainError::Empty { group: "A" });
    assert_eq!(fault(&a, &[]), ExplainError::Empty { group: "B" });
    assert_eq!(fault(&a, &[98, 99, 100]), ExplainError::Shared { first: 98, count: 2 });
    assert_eq!(fault(&[3, 2], &b), ExplainError::NotAscending { group: "A", row: 2 });
    assert_eq!(fault(&a, &[100, 300]), ExplainError::NoSuchRow { group: "B", row: 300, rows: 300 });
    assert!(table.try_explain(&a, &b, &wanted).is_ok());
}

#[test]
fn work_ends_wherever_it_is_cancelled() {
    let (table, a, b) = table(3000, 20);
    let asked = AtomicUsize::new(0);
    let counting = || asked.fetch_add(1, Ordering::Relaxed) == usize::MAX;
    table.try_explain(&a, &b, &counting).unwrap();
    let questions = asked.load(Ordering::Relaxed);
    assert!(questions > 10, "asked {questions} times");
    for after in 0..questions {
        asked.store(0, Ordering::Relaxed);
        let cancelled = || asked.fetch_add(1, Ordering::Relaxed) >= after;
        assert_eq!(table.try_explain(&a, &b, &cancelled), Err(ExplainError::Cancelled), "after {after}");
    }
}

#[test]
fn components_are_sorted_named_and_the_strongest_are_ranked() {
    let (mut table, a, b) = table(3000, 70);
    table.component_names = vec!["first".to_owned()];
    let found = table.explain(&a, &b);
    let strength = |place: usize| found.components[place].cohens_d.unwrap().abs();
    assert!((1..70).all(|place| strength(place - 1) >= strength(place)));
    assert!(
        found.components[..MAX_RANKED].iter().all(|effect| effect.auc.is_some_and(|auc| (0.4..1.0).contains(&auc)))
    );
    assert!(found.components[MAX_RANKED..].iter().all(|effect| effect.auc.is_none()));
    let names: Vec<&str> = found.components.iter().map(|effect| effect.name.as_str()).collect();
    assert!(names.contains(&"first") && names.contains(&"v69") && !names.contains(&"v0"), "{names:?}");
    let strong = names.iter().position(|&name| name == "v69").unwrap();
    let effect = &found.components[strong];
    assert!(strong < 10 && (effect.cohens_d.unwrap() - 69.0 / 70.0).abs() < 0.15, "{effect:?}");
    assert!((f64::from(found.mean_a[69]) - effect.mean_a).abs() < 1e-6, "mean vectors keep their order");
}

#[test]
fn vectors_with_gaps_and_constants_are_compared_where_they_can_be() {
    // Components: constant, constant in each group, with gaps, missing in A.
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let rows = [
        vec![0.1, 1.0, 5.0, nan],
        vec![0.1, 1.0, nan, nan],
        vec![0.1, 1.0, 7.0, nan],
        vec![0.1, 2.0, 1.0, 3.0],
        vec![0.1, 2.0, -inf, 4.0],
        vec![0.1, 2.0, 3.0, 8.0],
    ];
    let found = Table::of_rows(&rows).explain(&[0, 1, 2], &[3, 4, 5]);
    let [differing, gappy, constant, missing] = &found.components[..] else { panic!("{:?}", found.components) };
    assert_eq!((differing.name.as_str(), differing.cohens_d, differing.auc), ("v1", None, Some(0.0)));
    assert_eq!((gappy.name.as_str(), gappy.mean_a, gappy.mean_b, gappy.n_a, gappy.n_b), ("v2", 6.0, 2.0, 2, 2));
    assert_eq!((gappy.auc, gappy.cohens_d), (Some(1.0), Some(4.0 / 2f64.sqrt())));
    assert_eq!((constant.name.as_str(), constant.cohens_d, constant.auc), ("v0", Some(0.0), Some(0.5)));
    assert_eq!((missing.name.as_str(), missing.n_a, missing.mean_b, missing.auc), ("v3", 0, 5.0, None));
    assert_eq!(found.mean_a[3], 0.0);
    // Rows with gaps are nowhere on the axis; none of A is left, and its first row stands for it.
    assert_eq!((found.medoid_a, found.medoid_b), (0, 3));
    assert_eq!((found.histogram.a.iter().sum::<usize>(), found.histogram.b.iter().sum::<usize>()), (0, 2));
}

#[test]
fn cohesion_by_hand() {
    let mut table = Table::of_rows(&[vec![0.0], vec![1.0], vec![2.0], vec![3.0], vec![4.0]]);
    assert_eq!(table.explain(&[0, 1], &[2, 3]).cohesion, None, "no neighbours are known");
    table.neighbours = vec![vec![1, 2], vec![0, u32::MAX], vec![4, 0, 3, 1], vec![], vec![0]];
    let found = table.explain(&[0, 1], &[2, 3]);
    assert_eq!((found.cohesion, found.cohesion_b), (Some(0.75), Some(0.25)));
    assert_eq!(table.explain(&[0, 1], &[3]).cohesion_b, None);
}

#[test]
fn a_table_without_components_or_columns_is_explained_too() {
    let found = Table::new(Vectors::from_rows(&[1.0, 2.0, 3.0], 1), Vec::new()).explain(&[2], &[0, 1]);
    assert!(found.compositions.is_empty() && found.numbers.is_empty() && found.skipped.is_empty());
    assert_eq!((found.components.len(), found.mean_a[0], found.medoid_a), (1, 3.0, 2));
}

#[test]
fn tables_say_the_same_as_the_explanation() {
    let (table, a, b) = table(600, 60);
    let found = table.explain(&a, &b);
    let tables = found.tables().unwrap();
    let names: Vec<&str> = tables.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["composition", "columns", "components", "histogram", "summary"]);
    let floats = |table: usize, name: &str| -> Float64Array {
        tables[table].1.column_by_name(name).unwrap().as_primitive::<Float64Type>().clone()
    };
    assert_eq!(tables[0].1.num_rows(), found.compositions[0].shares.len());
    assert_eq!(floats(0, "lift").value(1), found.compositions[0].shares[1].lift);
    assert_eq!(floats(1, "mean_b").value(0), found.numbers[0].mean_b);
    let auc = floats(2, "auc");
    assert!(auc.iter().eq(found.components.iter().map(|effect| effect.auc)) && auc.null_count() == 60 - MAX_RANKED);
    let counts = tables[3].1.column_by_name("a").unwrap().as_primitive::<UInt64Type>();
    assert!(counts.iter().flatten().eq(found.histogram.a.iter().map(|&count| count as u64)));
    assert_eq!(floats(3, "to").values()[..], found.histogram.edges[1..]);
    assert_eq!(tables[4].1.num_rows(), 1);
    assert_eq!(floats(4, "cohesion_b").value(0), found.cohesion_b.unwrap());
    // Nothing to tell is a table of no rows, not a missing one.
    let bare = Table::of_rows(&[vec![1.0], vec![1.0]]).explain(&[0], &[1]).tables().unwrap();
    assert_eq!(bare.iter().map(|(_, table)| table.num_rows()).collect::<Vec<_>>(), [0, 0, 1, 0, 1]);
    assert!(bare.iter().zip(&tables).all(|(bare, full)| bare.1.schema() == full.1.schema()));
}

#[test]
fn an_explanation_can_be_written_as_json() {
    let (table, a, b) = table(600, 5);
    let found = table.explain(&a, &b);
    let json: serde_json::Value = serde_json::to_value(&found).unwrap();
    assert_eq!(json["a"], found.a);
    assert_eq!(json["compositions"][0]["shares"][0]["in_a"], found.compositions[0].shares[0].in_a);
    assert_eq!(json["components"][2]["cohens_d"], found.components[2].cohens_d.unwrap());
}
