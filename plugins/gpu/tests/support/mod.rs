//! What the tests share: the adapter, an engine whose stages run one by one, data.

pub mod bench;
pub mod composed;
pub mod data;
pub mod native;
/// The native tests' own data and brute force: twins are compared on the same rows.
#[path = "../../../embedding/tests/support/data.rs"]
#[allow(dead_code, reason = "not all of it is needed here")]
pub mod plain;

use gpu::{AdapterSummary, OpenAdapter, adapter};
use std::io::Write;
use std::sync::Once;

/// Set to 1, a test that finds no adapter fails instead of being skipped.
const REQUIRE: &str = "NEVIS_REQUIRE_GPU";

/// Opens the adapter that all tests run on; none if there is none, and then the test is skipped with a message. Every
/// test has a device of its own: Bevy's error scopes are the device's and the thread's, and tests share threads.
pub fn open_adapter() -> Option<OpenAdapter> {
    match adapter::open(None) {
        Ok(open) => {
            static SAID: Once = Once::new();
            let AdapterSummary { name, kind, driver, .. } = &open.summary;
            SAID.call_once(|| say(&format!("adapter: {name} ({kind}, {driver})")));
            Some(open)
        }
        Err(error) if std::env::var(REQUIRE).is_ok_and(|value| value == "1") => panic!("{REQUIRE}=1, but {error}"),
        Err(error) => {
            say(&format!("skipped: {error}"));
            None
        }
    }
}

/// Straight to the terminal: what a test prints is not shown when it passes.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// The largest difference of two slices, as a share of the largest expected value.
pub fn relative_error(found: &[f32], expected: &[f32]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let largest = expected.iter().fold(f64::MIN_POSITIVE, |largest, &value| largest.max(f64::from(value).abs()));
    let differences = found.iter().zip(expected).map(|(&found, &there)| (f64::from(found) - f64::from(there)).abs());
    // `max` would skip a NaN, and a NaN is as wrong as can be.
    differences.fold(0.0, |worst: f64, d| if d.is_nan() { f64::INFINITY } else { worst.max(d) }) / largest
}
