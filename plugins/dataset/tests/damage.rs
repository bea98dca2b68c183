//! Files that were broken on the way: an error or a table, never a panic.

use crate::support::*;
use dataset::{Bytes, LoadOptions};
use std::panic::catch_unwind;

/// Broken files tried per format.
const TRIES: usize = 1500;

#[test]
fn flipped_bytes_never_panic() {
    let dir = dir();
    let mut random = fastrand::Rng::with_seed(5);
    let mut failures = Vec::new();
    for ending in ["parquet", "arrow", "arrows", "csv"] {
        let path = dir.path().join(format!("a.{ending}"));
        let batch = if ending == "csv" { numbered(200).project(&[0, 2]).unwrap() } else { numbered(200) };
        write(&path, &[batch]);
        let sound = std::fs::read(&path).unwrap();
        for _ in 0..TRIES {
            let mut broken = sound.clone();
            for _ in 0..random.usize(1..4) {
                let place = random.usize(..broken.len());
                broken[place] = random.u8(..);
            }
            let name = path.to_str().unwrap().to_owned();
            let bytes = Bytes::from(broken);
            if catch_unwind(|| dataset::load_bytes(&name, bytes, &LoadOptions::default(), &|_| {}).map(|_| ())).is_err()
            {
                failures.push(ending);
            }
        }
    }
    assert!(failures.is_empty(), "{} of {TRIES} per format panicked: {failures:?}", failures.len());
}
