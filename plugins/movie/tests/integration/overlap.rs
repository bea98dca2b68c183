//! Encoding runs beside whoever draws the frames.

use std::time::Instant;

use movie::{FRAMES_BEHIND, Movie};

use crate::support::{options, scene};

/// Time to push frames as part of the time to encode them.
fn part_of_pushing(name: &str) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let frames: Vec<_> = (0..FRAMES_BEHIND as u32).map(|frame| scene(1280, 720, frame)).collect();
    let mut movie = Movie::create(&folder.path().join(name), options(1280, 720, 30)).unwrap();
    let start = Instant::now();
    for frame in frames {
        movie.push(frame).unwrap();
    }
    start.elapsed().as_secs_f64() / movie.finish().unwrap().encode_seconds
}

#[test]
fn pushing_takes_a_small_part_of_the_time_of_encoding() {
    const PART: f64 = 0.3;
    for name in ["a.mp4", "a.apng"] {
        // The best of some: on a busy machine, the thread that pushes may have to wait for its turn.
        let part = (0..5).map(|_| part_of_pushing(name)).fold(f64::INFINITY, f64::min);
        println!("{name}: pushing takes {part:.4} of the time of encoding");
        assert!(part < PART, "{name}: pushing takes {part} of the time of encoding, more than {PART}");
    }
}

#[test]
fn progress_counts_up_to_all_frames() {
    let folder = tempfile::tempdir().unwrap();
    let mut movie = Movie::create(&folder.path().join("a.mp4"), options(320, 192, 30)).unwrap();
    let mut before = movie.progress();
    assert_eq!(before.0, 0);
    for frame in 0..20 {
        movie.push(scene(320, 192, frame)).unwrap();
        let now = movie.progress();
        assert!(now >= before);
        assert!(now.0 + FRAMES_BEHIND as u64 > u64::from(frame), "frame {frame} pushed, {} encoded", now.0);
        before = now;
    }
    assert!(before.1.as_nanos() > 0);
    let summary = movie.finish().unwrap();
    assert_eq!(summary.frames, 20);
    assert!(summary.encode_seconds >= before.1.as_secs_f64());
}
