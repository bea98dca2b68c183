//! More quality: more bytes, and nearer to the frames.

use movie::MovieOptions;

use crate::decode::decode;
use crate::support::{film, gradient, options, psnr, scene};

/// Bytes and mean likeness of a movie at a quality.
fn measure(name: &str, quality: u8) -> (u64, f64) {
    const FRAMES: u32 = 20;
    let draw = |width, height, frame| {
        let mut pixels = gradient(width, height, frame);
        let half = pixels.len() / 2;
        pixels[half..].copy_from_slice(&scene(width, height, frame)[half..]);
        pixels
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    let summary = film(&path, &MovieOptions { quality, ..options(320, 192, 30) }, FRAMES, draw);
    let decoded = decode(&path);
    let likeness: f64 =
        (0..FRAMES).map(|frame| psnr(&decoded.frames[frame as usize], &draw(320, 192, frame))).sum::<f64>();
    (summary.bytes, likeness / f64::from(FRAMES))
}

#[test]
fn higher_quality_is_larger_and_nearer() {
    for name in ["a.mp4", "a.gif"] {
        let measured = [1, 30, 60, 80, 100].map(|quality| measure(name, quality));
        println!("{name}: {measured:.2?}");
        for pair in measured.windows(2) {
            assert!(pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1, "{name}: {measured:.2?}");
        }
    }
}

#[test]
fn lossless_kinds_do_not_depend_on_quality() {
    for name in ["a.apng", "frames"] {
        assert_eq!(measure(name, 1), measure(name, 100), "{name}");
    }
}
