//! Maps with duplicates, imploded, exploded, or hardly there.

use crate::scenes::{Noise, Scene};
use clusters::{ClusterOptions, Clusters, Grower, NOISE, Positions, dbscan, typical_radius};
use std::time::{Duration, Instant};

/// Far more than any of these takes, far less than all pairs would.
const SOON: Duration = Duration::from_secs(20);

fn found(scene: &Scene) -> Clusters {
    dbscan(scene.positions(), &ClusterOptions::default(), &|| false).unwrap()
}

#[test]
fn an_imploded_map_is_one_cluster() {
    let start = Instant::now();
    for dims in [2, 3, 8] {
        let scene = Scene { values: vec![1.5; 300_000 * dims], dims };
        let clusters = found(&scene);
        assert_eq!((clusters.sizes, clusters.noise, clusters.radius), (vec![300_000], 0, 0.0));
        let grower = Grower::new(scene.positions(), 10);
        assert_eq!(grower.grow(7, 1.0, &|| false).unwrap().len(), 300_000);
    }
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

#[test]
fn a_crowd_of_duplicates_counts_but_costs_nothing_and_hides_nothing() {
    let start = Instant::now();
    let mut scene = Scene::blobs(12_000, 3, 6);
    let plain = found(&scene);
    scene.values.extend([300.0, 0.0, 0.0].repeat(200_000));
    let crowded = found(&scene);
    assert_eq!(crowded.sizes[0], 200_000);
    assert_eq!(crowded.sizes[1..], plain.sizes);
    assert_eq!(crowded.noise, plain.noise);
    // Among others: they make neighbours of a lone point core points.
    scene.values.extend([50.0, 50.0, 50.0].repeat(9).into_iter().chain([50.0 + 0.5 * crowded.radius, 50.0, 50.0]));
    assert_eq!(found(&scene).sizes.iter().filter(|&&size| size == 10).count(), 1);
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

#[test]
fn a_radius_that_spans_everything_is_not_slow() {
    let mut noise = Noise::new(5);
    let start = Instant::now();
    for dims in [2, 3, 4] {
        let scene = Scene { values: (0..100_000 * dims).map(|_| noise.even()).collect(), dims };
        for radius in [0.2, 0.5, 10.0, f32::MAX] {
            let options = ClusterOptions { radius: Some(radius), ..ClusterOptions::default() };
            assert_eq!(dbscan(scene.positions(), &options, &|| false).unwrap().sizes, [100_000]);
        }
        let grower = Grower::new(scene.positions(), 10);
        assert_eq!(grower.grow(0, 0.1, &|| false).unwrap().len(), 100_000);
    }
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

#[test]
fn rows_on_a_line_or_a_lattice_are_no_worse() {
    let start = Instant::now();
    let line: Vec<f32> = (0..100_000).flat_map(|row| [3.0, row as f32, -1.0]).collect();
    assert_eq!(found(&Scene { values: line, dims: 3 }).sizes, [100_000]);
    assert_eq!(found(&Scene::lattice(200_000, 3, 40.0, 1)).sizes, [200_000]);
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

#[test]
fn rows_that_are_nowhere_are_noise() {
    let plain = Scene::blobs(3000, 2, 7);
    let expected = found(&plain);
    let mut scene = plain.clone();
    for lost in [[f32::NAN, 0.0], [0.0, f32::INFINITY], [f32::NEG_INFINITY, f32::NAN], [1e30, 0.0]] {
        scene.values.extend(lost);
    }
    let clusters = found(&scene);
    assert_eq!(clusters.labels[..3000], expected.labels);
    assert_eq!(clusters.labels[3000..], [NOISE; 4]);
    assert_eq!((clusters.noise, clusters.radius), (expected.noise + 4, expected.radius));
    let grower = Grower::new(scene.positions(), 10);
    assert_eq!(grower.grow(3000, 1.0, &|| false).unwrap(), [3000]);
    assert_eq!(grower.grow(3004, 1.0, &|| false).unwrap(), [0u32; 0]);
    let nowhere = Scene { values: vec![f32::NAN; 60], dims: 3 };
    assert_eq!(found(&nowhere), Clusters { labels: vec![NOISE; 20], sizes: vec![], radius: 0.0, noise: 20 });
}

#[test]
fn few_rows_are_noise_and_still_have_a_radius() {
    let empty = Scene { values: vec![], dims: 2 };
    assert_eq!(found(&empty), Clusters { labels: vec![], sizes: vec![], radius: 0.0, noise: 0 });
    let one = Scene { values: vec![1.0, 2.0], dims: 2 };
    assert_eq!((found(&one).noise, found(&one).radius), (1, 0.0));
    let few = Scene { values: vec![0.0, 0.0, 3.0, 4.0, 1.0, 1.0], dims: 2 };
    assert_eq!(found(&few).labels, [NOISE; 3]);
    assert!(typical_radius(few.positions(), 10) >= 5.0);
    assert_eq!(Grower::new(few.positions(), 10).grow(0, 1.0, &|| false).unwrap(), [0, 1, 2]);
    assert_eq!(Grower::new(few.positions(), 10).grow(0, 10.0, &|| false).unwrap(), [0]);
}

#[test]
fn zeros_of_both_signs_are_one_place() {
    let values: Vec<f32> = (0..20).flat_map(|row| if row % 2 == 0 { [0.0, -0.0] } else { [-0.0, 0.0] }).collect();
    let clusters = found(&Scene { values, dims: 2 });
    assert_eq!((clusters.sizes, clusters.radius), (vec![20], 0.0));
}

#[test]
fn very_large_and_very_small_maps_have_the_same_clusters() {
    let scene = Scene::blobs(3000, 3, 12);
    let expected = found(&scene);
    for scale in [1e-12f32, 1e12] {
        // A power of two scales without rounding.
        let scale = scale.log2().round().exp2();
        let scaled = Scene { values: scene.values.iter().map(|value| value * scale).collect(), dims: 3 };
        let clusters = found(&scaled);
        assert_eq!(clusters.labels, expected.labels);
        assert!((clusters.radius / scale - expected.radius).abs() < 1e-5 * expected.radius);
    }
}

#[test]
fn moons_are_two_and_a_bridge_makes_blobs_one() {
    let moons = Scene::moons(4000);
    let clusters = found(&moons);
    assert_eq!(clusters.sizes.iter().filter(|&&size| size > 100).count(), 2, "{:?}", clusters.sizes);
    let torn = (0..4000).filter(|&row| clusters.labels[row] < 2 && clusters.labels[row] != clusters.labels[row % 2]);
    assert_eq!(torn.count(), 0);
    let mut noise = Noise::new(2);
    let blob = |x: f32, noise: &mut Noise| [x + noise.normal(), noise.normal()];
    let mut values: Vec<f32> =
        (0..2000).flat_map(|row| blob(if row < 1000 { 0.0 } else { 20.0 }, &mut noise)).collect();
    let options = ClusterOptions { radius: Some(1.0), ..ClusterOptions::default() };
    let count = |values: &[f32]| {
        let positions = Positions { values, rows: values.len() / 2, dims: 2, stride: 2 };
        dbscan(positions, &options, &|| false).unwrap().sizes.iter().filter(|&&size| size > 500).count()
    };
    assert_eq!(count(&values), 2);
    values.extend((0..200).flat_map(|step| [0.1 * step as f32, 0.0]));
    assert_eq!(count(&values), 1);
}
