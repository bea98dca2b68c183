//! A directory that gains files while the window shows it.

use super::cloud::{CLEAR, pixels_of};
use super::display::{Display, Window, holds};
use super::panel::legend;
use super::screen::{Rgb, Screen};
use crate::support::{blobs, lists, write};
use dataset::arrow::array::StringArray;
use std::path::Path;
use std::sync::Arc;

const DIMS: usize = 12;
/// Rows of each blob in a file.
const ROWS: usize = 150;
/// Pixels that a blob has at least.
const SEEN: usize = 150;

/// Puts a file into the directory, whole: rows of these of the five blobs.
fn put(dir: &Path, name: &str, wanted: &[usize]) {
    let all = blobs(5 * ROWS, DIMS);
    let rows: Vec<usize> = (0..5 * ROWS).filter(|row| wanted.contains(&(row % 5))).collect();
    let values = rows.iter().flat_map(|row| &all[row * DIMS..][..DIMS]).copied().collect();
    let labels = StringArray::from_iter_values(rows.iter().map(|row| format!("blob {}", row % 5)));
    let beside = dir.with_extension("parquet");
    write(&beside, vec![("vector", lists(values, DIMS)), ("label", Arc::new(labels))]);
    std::fs::rename(beside, dir.join(name)).unwrap();
}

/// Waits for a legend of so many rows, whose colours all have points, and returns them.
fn colours(window: &mut Window, what: &str, count: usize) -> Vec<Rgb> {
    let of = |screen: &Screen| legend(screen).iter().map(|swatch| swatch.colour).collect::<Vec<_>>();
    let screen = window.wait(what, |screen| {
        let colours = of(screen);
        let pixels: Vec<usize> = pixels_of(screen, CLEAR, &colours).iter().map(Vec::len).collect();
        holds(colours.len() == count && pixels.iter().all(|&pixels| pixels > SEEN), format!("{colours:?}: {pixels:?}"))
    });
    of(&screen)
}

#[test]
fn blobs_come_and_leave_and_the_others_keep_their_colours() {
    let Some(display) = Display::start() else { return };
    let dir = display.folder().join("parts");
    std::fs::create_dir(&dir).unwrap();
    put(&dir, "1.parquet", &[0, 1, 2]);
    let keep = (3 * ROWS).to_string();
    let mut window = display.open(&["parts", "--follow", "--keep-last", &keep]);
    let three = colours(&mut window, "the first three blobs are there", 3);
    // Two more come, and two of the oldest must leave for them: rows of all three, a third of which stays.
    put(&dir, "2.parquet", &[3, 4]);
    let five = colours(&mut window, "two more have come", 5);
    assert_eq!(five[..3], three, "the first have other colours");
    // The last of the oldest leave.
    put(&dir, "3.parquet", &[1]);
    let rest = colours(&mut window, "the first and the third have left", 3);
    assert_eq!(rest, [five[1], five[3], five[4]], "others have other colours");
    window.quit();
}
