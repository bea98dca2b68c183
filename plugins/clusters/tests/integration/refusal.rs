//! What is refused, and when work ends early.

use crate::scenes::Scene;
use clusters::{ClusterError, ClusterOptions, Positions, dbscan};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[test]
fn options_out_of_range_are_named() {
    let scene = Scene::blobs(100, 2, 1);
    let usual = ClusterOptions::default();
    let refused = |options: ClusterOptions| match dbscan(scene.positions(), &options, &|| false) {
        Err(ClusterError::Options { option, .. }) => option,
        other => panic!("{options:?}: {other:?}"),
    };
    assert_eq!(refused(ClusterOptions { min_points: 0, ..usual }), "min_points");
    for radius in [-1.0, f32::NAN, f32::INFINITY] {
        assert_eq!(refused(ClusterOptions { radius: Some(radius), ..usual }), "radius");
    }
    for granularity in [0.0, 0.09, 10.1, -1.0, f32::NAN] {
        assert_eq!(refused(ClusterOptions { granularity, ..usual }), "granularity");
    }
    for granularity in [0.1, 10.0] {
        assert!(dbscan(scene.positions(), &ClusterOptions { granularity, ..usual }, &|| false).is_ok());
    }
    let message = ClusterError::Options { option: "granularity", value: 20.0, allowed: "from 0.1 to 10" }.to_string();
    assert_eq!(message, "option `granularity` is 20: it must be from 0.1 to 10");
}

#[test]
fn positions_must_be_a_table() {
    let values = [0.0; 12];
    let refused = |rows, dims, stride| {
        let positions = Positions { values: &values, rows, dims, stride };
        let error = dbscan(positions, &ClusterOptions::default(), &|| false).err();
        assert!(error.is_none() || error == Some(ClusterError::Shape { values: 12, rows, dims, stride }));
        error.is_some()
    };
    assert!(refused(5, 2, 3) && refused(4, 0, 3) && refused(4, 4, 3) && refused(usize::MAX, 2, 3));
    assert!(!refused(4, 3, 3) && !refused(3, 2, 4) && !refused(0, 1, 1));
}

#[test]
fn work_ends_once_it_is_not_wanted() {
    let scene = Scene::blobs(20_000, 3, 1);
    let options = ClusterOptions::default();
    let asked = AtomicUsize::new(0);
    let counting = || {
        asked.fetch_add(1, Relaxed);
        false
    };
    assert!(dbscan(scene.positions(), &options, &counting).is_ok());
    let all = asked.load(Relaxed);
    for patience in [0, all / 4, all / 2, all * 3 / 4, all - 1] {
        asked.store(0, Relaxed);
        let cancelled = || asked.fetch_add(1, Relaxed) >= patience;
        assert_eq!(dbscan(scene.positions(), &options, &cancelled), Err(ClusterError::Cancelled), "{patience}");
        assert!(asked.load(Relaxed) <= patience + 100, "asked {asked:?} times after {patience}");
    }
}
