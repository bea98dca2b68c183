//! `LabelTest` by hand, on samples, and on labels that cannot be tested.

use crate::naive::{assert_close, assert_differs, blurred, noise, quiet, space};
use quality::{LabelFigures, LabelOptions, LabelTest, QualityError};
use vectors::Metric;

fn of(rows: &[Vec<f32>], labels: &[Option<u32>], options: &LabelOptions) -> LabelFigures {
    LabelTest::new(labels, options).unwrap().measure(&space(rows, Metric::Euclidean), &quiet).unwrap()
}

fn on_a_line(places: &[f32]) -> Vec<Vec<f32>> {
    places.iter().map(|&place| vec![place]).collect()
}

/// Rows of noise and the class of each, which its first coordinate tells, mostly.
fn noisy_classes(rows: usize, dims: usize, classes: u32, seed: u64) -> (Vec<Vec<f32>>, Vec<Option<u32>>) {
    let rows = noise(rows, dims, seed);
    let labels = rows.iter().map(|row| Some((((row[0] + 1.0) / 2.0) * classes as f32) as u32)).collect();
    (blurred(&rows, dims, 0.1, seed + 1), labels)
}

#[test]
fn four_points_by_hand() {
    // Classes {0, 4} and {5, 100}. Examples (0, 5): 4 is wrong, 100 right. (0, 100): 4 right, 5 wrong. (4, 5): both
    // right. (4, 100): 0 right, 5 wrong. In the mean 5/8, each of the four as likely.
    let labels = [7, 7, 3, 3].map(Some);
    let options = LabelOptions { trials: 4000, ..Default::default() };
    let found = of(&on_a_line(&[0.0, 4.0, 5.0, 100.0]), &labels, &options);
    assert!((found.one_shot_top1 - 0.625).abs() < 0.015, "{found:?}");
    assert!((found.one_shot_top1_sd - 0.2165).abs() < 0.01, "¼ of the trials at 1, the others at ½: {found:?}");
    assert_eq!(found.one_shot_top5, None);
    // Each row is a fold of its own: 4 and 5 are nearest to each other.
    assert_eq!((found.crossval_top1, found.crossval_rows), (0.5, 4));
    // a and b: 4 and 52.5, 4 and 48.5, 95 and 3, 95 and 98.
    let silhouette = (48.5 / 52.5 + 44.5 / 48.5 - 92.0 / 95.0 + 3.0 / 98.0) / 4.0;
    assert_close(found.silhouette, silhouette, "silhouette");
    let apart = of(&on_a_line(&[0.0, 4.0, 95.0, 100.0]), &labels, &options);
    assert_eq!((apart.one_shot_top1, apart.one_shot_top1_sd, apart.crossval_top1), (1.0, 0.0, 1.0));
    assert_differs(apart.silhouette, found.silhouette, "silhouette");
}

#[test]
fn six_classes_have_a_top_five() {
    // Classes at 0, 10, … 50 of two rows each; the second row of the last stands beyond the first, nearest to which
    // are the examples of 0, 10, 20, 30, 40: its own is the sixth.
    let mut places: Vec<f32> = (0..6).flat_map(|class| [10.0 * class as f32, 10.0 * class as f32 + 1.0]).collect();
    places[11] = -100.0;
    let labels: Vec<Option<u32>> = (0..12).map(|row| Some(row / 2)).collect();
    let found = of(&on_a_line(&places), &labels, &LabelOptions::default());
    // Six rows are asked. Whichever of the last class is the example, the other one is asked, and is farther from it
    // than from all others.
    assert_close(found.one_shot_top5.unwrap(), 5.0 / 6.0, "top-5");
    assert_close(found.one_shot_top1, 5.0 / 6.0, "top-1");
    assert_eq!(found.crossval_top1, 10.0 / 12.0);
}

#[test]
fn the_votes_of_several_neighbours_can_outvote_the_nearest() {
    let rows = on_a_line(&[0.0, 1.0, 2.0, 2.4, 3.0, 4.0, 100.0, 101.0]);
    let labels = [0, 0, 0, 1, 0, 0, 1, 1].map(Some);
    let accuracy = |k| of(&rows, &labels, &LabelOptions { k, ..Default::default() }).crossval_top1;
    assert_eq!(accuracy(1), 5.0 / 8.0, "2, 2.4 and 3 are wrong");
    assert_eq!(accuracy(3), 5.0 / 8.0, "2.4, and at 100 and 101 two of three");
}

#[test]
fn rows_without_label_take_no_part_and_single_rows_are_not_asked() {
    let (rows, mut labels) = noisy_classes(300, 3, 4, 1);
    labels[17] = Some(99);
    let test = LabelTest::new(&labels, &LabelOptions::default()).unwrap();
    assert_eq!((test.classes(), test.labelled(), test.unlabelled(), test.single()), (5, 300, 0, 1));
    let whole = of(&rows, &labels, &LabelOptions::default());
    assert_eq!((whole.one_shot_rows, whole.crossval_rows, whole.silhouette_rows), (299, 299, 300));

    // Rows that have no label may be anywhere, and anything: the figures stay what they are.
    let mut with_others = rows.clone();
    with_others.extend(noise(50, 3, 9));
    labels.extend([None; 50]);
    let test = LabelTest::new(&labels, &LabelOptions::default()).unwrap();
    assert_eq!((test.labelled(), test.unlabelled()), (300, 50));
    assert_eq!(of(&with_others, &labels, &LabelOptions::default()), whole);
    labels[300] = Some(0);
    assert_ne!(of(&with_others, &labels, &LabelOptions::default()), whole);
}

#[test]
fn duplicates_of_all_classes_are_guessed() {
    // All rows in one place: the nearest example is anyone's, and must not be the true one by the order of rows.
    let rows = vec![vec![1.0, 2.0]; 1200];
    let labels: Vec<Option<u32>> = (0..1200).map(|row| Some(row / 100)).collect();
    let found = of(&rows, &labels, &LabelOptions::default());
    assert!((found.one_shot_top1 - 1.0 / 12.0).abs() < 0.01, "{found:?}");
    assert!((found.one_shot_top5.unwrap() - 5.0 / 12.0).abs() < 0.01, "{found:?}");
    assert!((found.crossval_top1 - 1.0 / 12.0).abs() < 0.05, "{found:?}");
    assert_eq!(found.silhouette, 0.0);
}

#[test]
fn where_all_rows_are_too_much_work_a_sample_is_asked() {
    let (rows, labels) = noisy_classes(4000, 3, 8, 2);
    let whole = of(&rows, &labels, &LabelOptions::default());
    assert_eq!((whole.one_shot_rows, whole.crossval_rows, whole.silhouette_rows), (4000, 4000, 4000));
    // 1 500 rows against 4 000, or against 100 × 8 examples, in 3 dimensions.
    let options = |work| LabelOptions { work, silhouette_rows: 1200, ..Default::default() };
    let part = of(&rows, &labels, &options(1500 * 4000 * 3));
    assert_eq!((part.one_shot_rows, part.crossval_rows, part.silhouette_rows), (4000, 1500, 1200));
    let least = of(&rows, &labels, &options(1));
    assert_eq!((least.one_shot_rows, least.crossval_rows, least.silhouette_rows), (1000, 1000, 1000));
    for part in [part, least] {
        for (part, whole) in [
            (part.one_shot_top1, whole.one_shot_top1),
            (part.one_shot_top5.unwrap(), whole.one_shot_top5.unwrap()),
            (part.crossval_top1, whole.crossval_top1),
            (part.silhouette, whole.silhouette),
        ] {
            assert!((part - whole).abs() < 0.03, "{part} {whole}");
        }
        assert_ne!(part.crossval_top1, whole.crossval_top1);
    }
}

#[test]
fn the_seed_decides_and_the_number_of_threads_does_not() {
    let (rows, labels) = noisy_classes(1500, 6, 7, 3);
    let with = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| of(&rows, &labels, &LabelOptions { seed, silhouette_rows: 700, ..Default::default() }))
    };
    assert_eq!(with(1, 0), with(3, 0));
    let (one, other) = (with(1, 0), with(1, 1));
    assert_ne!(one.one_shot_top1, other.one_shot_top1);
    assert_ne!(one.silhouette, other.silhouette);
}

#[test]
fn progress_reaches_the_total() {
    let (rows, labels) = noisy_classes(200, 3, 4, 4);
    let last = std::sync::atomic::AtomicUsize::new(0);
    let total = 200 * 4 * 100 + 2 * 200 * 200;
    let heard = |done: usize, of: usize| {
        assert!(done <= of && of == total, "{done} of {of}");
        last.fetch_max(done, std::sync::atomic::Ordering::Relaxed);
    };
    let test = LabelTest::new(&labels, &LabelOptions::default()).unwrap();
    test.measure(&space(&rows, Metric::Euclidean), &heard).unwrap();
    assert_eq!(last.into_inner(), total);
}

#[test]
fn labels_that_cannot_be_tested_are_named() {
    let refused = |labels: &[Option<u32>], options: &LabelOptions| LabelTest::new(labels, options).unwrap_err();
    let default = LabelOptions::default();
    assert_eq!(refused(&[Some(3), None, Some(3)], &default), QualityError::TooFewClasses { classes: 1 });
    assert_eq!(refused(&[None, None], &default), QualityError::TooFewClasses { classes: 0 });
    assert_eq!(refused(&[Some(1), None, Some(2)], &default), QualityError::NoClassOfTwo { classes: 2 });
    let three = [Some(1), Some(2), Some(2)];
    assert_eq!(refused(&three, &LabelOptions { folds: 1, ..default.clone() }), QualityError::OneFold);
    let no_k = LabelOptions { k: 0, ..default.clone() };
    assert_eq!(refused(&three, &no_k), QualityError::ZeroOption { option: "k" });
    let test = LabelTest::new(&three, &default).unwrap();
    let measure = |rows: &[Vec<f32>]| test.measure(&space(rows, Metric::Euclidean), &quiet);
    assert_eq!(measure(&on_a_line(&[1.0, 2.0])), Err(QualityError::Labels { labels: 3, rows: 2 }));
    let broken = measure(&on_a_line(&[1.0, f32::NAN, 2.0]));
    assert_eq!(broken, Err(QualityError::NotFinite { space: "representation", row: 1 }));
    // 1 is alone, and nearest to both others.
    let found = measure(&on_a_line(&[1.0, 0.0, 4.0])).unwrap();
    assert_eq!((found.one_shot_top1, found.crossval_top1), (0.0, 0.0));
}
