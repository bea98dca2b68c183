//! Labels are those of the plain version, whatever the threads and the order of rows.

use crate::naive;
use crate::scenes::{Noise, Scene};
use clusters::{ClusterOptions, Clusters, NOISE, Positions, dbscan, typical_radius};
use quality::EmbeddingTree;

fn found(scene: &Scene, min_points: usize, radius: f32) -> Clusters {
    let options = ClusterOptions { min_points, radius: Some(radius), granularity: 1.0 };
    dbscan(scene.positions(), &options, &|| false).unwrap()
}

/// Compares, and tells how many clusters there are.
fn assert_agreement(scene: &Scene, min_points: usize, radius: f32) -> usize {
    let (labels, sizes) = naive::dbscan(scene, min_points, radius);
    let clusters = found(scene, min_points, radius);
    assert_eq!(clusters.labels, labels, "{} dims, radius {radius}, min_points {min_points}", scene.dims);
    assert_eq!(clusters.sizes, sizes);
    assert_eq!(clusters.noise, labels.iter().filter(|&&label| label == NOISE).count());
    assert_eq!(clusters.radius, radius);
    sizes.len()
}

#[test]
fn labels_are_those_of_all_pairs() {
    for (dims, radii) in [(1, [0.01, 0.1, 1.0]), (2, [0.3, 0.8, 3.0]), (3, [0.6, 1.2, 5.0]), (6, [1.5, 2.5, 8.0])] {
        let scene = Scene::blobs(1500, dims, dims as u64);
        let mut counts: Vec<usize> = Vec::new();
        for radius in radii {
            for min_points in [1, 4, 10, 40] {
                counts.push(assert_agreement(&scene, min_points, radius));
            }
        }
        counts.sort_unstable();
        counts.dedup();
        assert!(counts.len() > 3, "{dims} dims: always {counts:?} clusters");
    }
}

#[test]
fn labels_are_those_of_all_pairs_in_many_dimensions() {
    let scene = Scene::blobs(900, 20, 5);
    let counts = [3.0, 5.0, 7.0, 12.0, 100.0].map(|radius| assert_agreement(&scene, 6, radius));
    assert!(counts.contains(&5) && counts.contains(&1), "{counts:?}");
}

#[test]
fn ties_and_duplicates_are_those_of_all_pairs() {
    for (dims, side) in [(1, 400.0), (2, 45.0), (3, 12.0), (6, 3.0)] {
        let scene = Scene::lattice(1200, dims, side, 9);
        for radius in [0.0, 1.0, std::f32::consts::SQRT_2, 2.0] {
            for min_points in [2, 3, 5, 9] {
                assert_agreement(&scene, min_points, radius);
            }
        }
    }
}

#[test]
fn a_moved_point_is_noticed() {
    let mut scene = Scene::blobs(800, 2, 4);
    let (labels, _) = naive::dbscan(&scene, 5, 0.8);
    assert_eq!(found(&scene, 5, 0.8).labels, labels);
    scene.values[0] += 1000.0;
    assert_ne!(found(&scene, 5, 0.8).labels, labels);
}

#[test]
fn neither_threads_nor_row_order_matter() {
    for dims in [2, 3, 7] {
        let scene = Scene::blobs(6000, dims, 11);
        let run = |threads: usize, scene: &Scene| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| dbscan(scene.positions(), &ClusterOptions::default(), &|| false).unwrap())
        };
        let one = run(1, &scene);
        assert!(one.sizes.len() > 1, "{dims}: {:?}", one.sizes);
        assert_eq!(run(2, &scene), one);
        assert_eq!(run(3, &scene), one);
        let mut order: Vec<usize> = (0..scene.rows()).collect();
        let mut noise = Noise::new(1);
        (1..order.len()).rev().for_each(|at| order.swap(at, (noise.even() * at as f32) as usize));
        let other = run(2, &scene.reordered(&order));
        assert_eq!((other.radius, &other.sizes), (one.radius, &one.sizes));
        let mut mapped = vec![(NOISE, NOISE); one.sizes.len()];
        for (at, &row) in order.iter().enumerate() {
            let (label, renamed) = (one.labels[row], other.labels[at]);
            assert_eq!(label == NOISE, renamed == NOISE);
            if label != NOISE {
                let known = &mut mapped[label as usize];
                assert!(*known == (NOISE, NOISE) || *known == (label, renamed), "cluster {label} is torn");
                *known = (label, renamed);
            }
        }
    }
}

#[test]
fn what_lies_between_rows_is_ignored() {
    let scene = Scene::blobs(2000, 3, 2);
    let options = ClusterOptions::default();
    let plain = dbscan(scene.positions(), &options, &|| false).unwrap();
    let mut padded = Vec::new();
    (0..scene.rows()).for_each(|row| padded.extend([scene.row(row), &[f32::NAN, row as f32]].concat()));
    let positions = Positions { values: &padded, rows: scene.rows(), dims: 3, stride: 5 };
    assert_eq!(dbscan(positions, &options, &|| false).unwrap(), plain);
    assert_ne!(dbscan(Positions { dims: 2, ..positions }, &options, &|| false).unwrap(), plain);
}

#[test]
fn the_radius_found_lies_where_another_search_puts_it() {
    for dims in [2, 3, 4, 6] {
        let scene = Scene::blobs(3000, dims, 8);
        let tree = EmbeddingTree::new(&scene.values, scene.rows(), dims, dims);
        let reach = |row: usize| tree.nearest(scene.row(row), 10).last().unwrap().1.sqrt();
        let mut reaches: Vec<f32> = (0..scene.rows()).map(reach).collect();
        reaches.sort_by(f32::total_cmp);
        let expected = reaches[(0.8 * 2999.0) as usize] * 1.3;
        let radius = typical_radius(scene.positions(), 10);
        assert!((radius - expected).abs() <= 1e-5 * expected, "{dims}: {radius}, not {expected}");
        assert!((typical_radius(scene.positions(), 11) - expected).abs() > 1e-3 * expected);
    }
}
