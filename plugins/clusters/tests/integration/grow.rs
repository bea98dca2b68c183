//! The cluster around a point is the one that contains it.

use crate::scenes::{Noise, Scene};
use clusters::{ClusterOptions, Grower, NOISE, dbscan, typical_radius};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[test]
fn a_grown_cluster_is_that_of_dbscan() {
    let mut noise = Noise::new(21);
    let (mut in_clusters, mut in_noise) = (0, 0);
    let blobs = [2, 3, 6].map(|dims| Scene::blobs(3000, dims, 30 + dims as u64));
    for scene in blobs.into_iter().chain([Scene::lattice(3000, 2, 150.0, 3)]) {
        let grower = Grower::new(scene.positions(), 8);
        assert_eq!(grower.typical_radius(), typical_radius(scene.positions(), 8));
        for granularity in [0.1, 0.5, 0.9, 1.0, 1.3, 2.0, 3.0, 10.0] {
            let options = ClusterOptions { min_points: 8, radius: None, granularity };
            let clusters = dbscan(scene.positions(), &options, &|| false).unwrap();
            for _ in 0..12 {
                let seed = (noise.even() * 2999.0) as usize;
                let grown = grower.grow(seed as u32, granularity, &|| false).unwrap();
                let label = clusters.labels[seed];
                let squared = |row: usize| -> f32 {
                    scene.row(row).iter().zip(scene.row(seed)).fold(0.0, |sum, (a, b)| sum + (a - b) * (a - b))
                };
                let expected = (0..3000).filter(|&row| match label {
                    NOISE => squared(row) <= clusters.radius * clusters.radius,
                    _ => clusters.labels[row] == label,
                });
                let expected: Vec<u32> = expected.map(|row| row as u32).collect();
                assert_eq!(grown, expected, "seed {seed} at granularity {granularity}");
                assert!(grown.contains(&(seed as u32)));
                *(if label == NOISE { &mut in_noise } else { &mut in_clusters }) += 1;
            }
        }
    }
    assert!(in_clusters > 50 && in_noise > 50, "{in_clusters} seeds in clusters, {in_noise} in noise");
}

#[test]
fn more_granularity_never_grows_more_from_a_core_point() {
    let scene = Scene::blobs(6000, 2, 40);
    let grower = Grower::new(scene.positions(), 10);
    let sizes = [0.1, 0.5, 1.0, 2.0, 10.0].map(|granularity| grower.grow(0, granularity, &|| false).unwrap().len());
    assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
    assert!(sizes[0] == 6000 && sizes[4] < 1000, "{sizes:?}");
}

#[test]
fn odd_granularities_count_as_the_nearest_that_mean_something() {
    let scene = Scene::blobs(3000, 2, 41);
    let grower = Grower::new(scene.positions(), 10);
    let grown = |granularity| grower.grow(1, granularity, &|| false).unwrap();
    assert_eq!(grown(0.0), grown(0.1));
    assert_eq!(grown(f32::INFINITY), grown(10.0));
    assert_eq!(grown(f32::NAN), grown(1.0));
    assert_ne!(grown(0.1), grown(10.0));
}

#[test]
fn growing_can_be_cancelled() {
    let scene = Scene::blobs(6000, 2, 42);
    let grower = Grower::new(scene.positions(), 10);
    assert_eq!(grower.grow(0, 0.1, &|| true), None);
    let asked = AtomicUsize::new(0);
    assert_eq!(grower.grow(0, 0.1, &|| asked.fetch_add(1, Relaxed) >= 5), None);
    assert_eq!(asked.load(Relaxed), 6);
}
