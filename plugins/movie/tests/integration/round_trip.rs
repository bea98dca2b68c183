//! What goes in comes out: size, number, times, colours and metadata of every kind.

use movie::{Movie, MovieError, MovieKind, MovieOptions, read_metadata};

use crate::decode::decode;
use crate::support::{PATHS, bytes, files, film, gradient, options, psnr, scene};

/// The least likeness of a frame of tiny saturated discs, in decibels. Above all, MP4 stores their colour at half the
/// size.
fn least(path: &str) -> f64 {
    match path {
        "a.mp4" => 27.0,
        "a.gif" => 55.0,
        _ => f64::INFINITY,
    }
}

#[test]
fn every_kind_keeps_size_number_times_and_colours() {
    let folder = tempfile::tempdir().unwrap();
    for (name, fps) in PATHS.iter().flat_map(|name| [(name, 30), (name, 7), (name, 50)]) {
        let (width, height, frames) = (182, 98, 2 * fps + fps / 2 + 1);
        let path = folder.path().join(name);
        let summary = film(&path, &options(width, height, fps), frames, scene);
        let decoded = decode(&path);
        assert_eq!((decoded.width, decoded.height), (width, height), "{name}");
        assert_eq!(decoded.frames.len(), frames as usize, "{name}");
        assert_eq!(summary.frames, u64::from(frames));
        assert_eq!(summary.bytes, bytes(&path).len() as u64);
        assert_eq!(summary.seconds, f64::from(frames) / f64::from(fps));
        assert!(summary.encode_seconds > 0.0);
        for at in [0, frames / 2, frames - 1] {
            let likeness = psnr(&decoded.frames[at as usize], &scene(width, height, at));
            assert!(likeness >= least(name), "{name}: frame {at} has {likeness} dB");
            let other = psnr(&decoded.frames[at as usize], &scene(width, height, at + 9));
            assert!(other < 20.0, "{name}: frame {at} is like another, {other} dB");
        }
        if *name != "frames" {
            let off = if *name == "a.gif" { 0.005_001 } else { 1e-9 };
            assert!((decoded.seconds - summary.seconds).abs() <= off, "{name}: {} s", decoded.seconds);
            for (at, start) in decoded.starts.iter().enumerate() {
                assert!((start - at as f64 / f64::from(fps)).abs() <= off, "{name}: frame {at} at {start}");
            }
        }
        if *name == "a.mp4" {
            assert_eq!(decoded.keyframes, [0, 2 * fps as usize]);
        }
    }
}

#[test]
fn a_movie_of_one_frame_lasts_as_long_as_a_frame() {
    let folder = tempfile::tempdir().unwrap();
    for name in PATHS {
        let path = folder.path().join(name);
        let summary = film(&path, &options(64, 48, 25), 1, scene);
        let decoded = decode(&path);
        assert_eq!((summary.frames, decoded.frames.len()), (1, 1), "{name}");
        assert!(psnr(&decoded.frames[0], &scene(64, 48, 0)) > 20.0, "{name}");
        assert!(name == "frames" || (decoded.seconds - 0.04).abs() < 1e-9, "{name}: {} s", decoded.seconds);
    }
}

#[test]
fn the_smallest_and_odd_sizes_work() {
    let folder = tempfile::tempdir().unwrap();
    for (name, width, height) in [("a.mp4", 16, 16), ("a.gif", 1, 1), ("a.apng", 1, 3), ("frames", 3, 1)] {
        let path = folder.path().join(name);
        film(&path, &options(width, height, 120), 4, |width, height, frame| {
            vec![frame as u8 * 40; (width * height * 4) as usize]
        });
        let decoded = decode(&path);
        assert_eq!((decoded.width, decoded.height), (width, height), "{name}");
        assert!(decoded.frames.last().unwrap()[0].abs_diff(120) <= 2, "{name}");
    }
}

#[test]
fn the_largest_mp4_works_lying_and_standing_at_every_rate() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mp4");
    for (width, height, fps) in [(3840, 2160, 120), (2160, 3840, 1), (3840, 2160, 30)] {
        film(&path, &options(width, height, fps), 2, scene);
        let decoded = decode(&path);
        assert_eq!((decoded.width, decoded.height, decoded.frames.len()), (width, height, 2));
        let likeness = psnr(&decoded.frames[1], &scene(width, height, 1));
        assert!(likeness > 40.0, "{likeness} dB"); // the discs are few in so much ground
    }
}

#[test]
fn frames_that_do_not_change_stay_and_cost_little() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.mp4", "a.gif", "a.apng"] {
        let [still, moving] = [0, 1].map(|step| {
            let path = folder.path().join(name);
            film(&path, &options(160, 96, 30), 30, |width, height, frame| scene(width, height, frame * step));
            assert_eq!(decode(&path).frames.len(), 30, "{name}");
            bytes(&path).len()
        });
        assert!(still * 3 < moving, "{name}: {still} bytes still, {moving} moving");
    }
}

#[test]
fn lossless_kinds_keep_alpha_and_every_bit() {
    let folder = tempfile::tempdir().unwrap();
    let draw = |width, height, frame| {
        let mut pixels = gradient(width, height, frame);
        pixels.iter_mut().skip(3).step_by(4).enumerate().for_each(|(at, alpha)| *alpha = (at as u32 + frame) as u8);
        pixels
    };
    for name in ["a.apng", "frames"] {
        let path = folder.path().join(name);
        film(&path, &options(50, 40, 30), 5, draw);
        let decoded = decode(&path);
        assert!((0..5).all(|at| decoded.frames[at] == draw(50, 40, at as u32)), "{name}");
    }
}

#[test]
fn lossy_kinds_ignore_alpha() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.mp4", "a.gif"] {
        let [opaque, other] = [255, 3].map(|alpha| {
            let path = folder.path().join(name);
            film(&path, &options(64, 48, 30), 5, |width, height, frame| {
                let mut pixels = scene(width, height, frame);
                pixels.iter_mut().skip(3).step_by(4).for_each(|byte| *byte = alpha);
                pixels
            });
            bytes(&path)
        });
        assert!(opaque == other, "{name}");
    }
}

#[test]
fn a_gif_of_more_than_fifty_frames_a_second_leaves_some_out_and_keeps_its_length_and_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gif");
    for fps in [60, 90, 120] {
        let summary = film(&path, &options(64, 48, fps), 2 * fps, scene);
        let decoded = decode(&path);
        assert_eq!(summary.frames, decoded.frames.len() as u64);
        assert!((80..=100).contains(&summary.frames), "{}", summary.frames);
        assert_eq!(summary.seconds, 2.0);
        assert!((decoded.seconds - 2.0).abs() < 0.0101, "{fps}: {} s", decoded.seconds);
        assert!(psnr(decoded.frames.last().unwrap(), &scene(64, 48, 2 * fps - 1)) > 40.0);
    }
}

#[test]
fn gif_and_apng_loop_as_asked() {
    let folder = tempfile::tempdir().unwrap();
    for (name, loops) in [("a.gif", true), ("a.gif", false), ("a.apng", true), ("a.apng", false)] {
        let path = folder.path().join(name);
        film(&path, &MovieOptions { loops, ..options(32, 32, 10) }, 2, scene);
        assert_eq!(decode(&path).loops, loops, "{name}");
    }
}

#[test]
fn metadata_comes_back_from_every_kind() {
    let folder = tempfile::tempdir().unwrap();
    let recipe = format!("{{\"seed\":7,\"name\":\"grün 𝄞\",\"path\":[{}1]}}", "0.25,\n".repeat(200_000));
    let metadata = vec![("nevis".to_owned(), recipe.clone()), ("other".to_owned(), "{}".to_owned())];
    for name in PATHS {
        let path = folder.path().join(name);
        film(&path, &MovieOptions { metadata: metadata.clone(), ..options(64, 48, 30) }, 3, scene);
        assert!(read_metadata(&path, "nevis").unwrap().as_ref() == Some(&recipe), "{name}");
        assert_eq!(read_metadata(&path, "other").unwrap().as_deref(), Some("{}"), "{name}");
        assert_eq!(read_metadata(&path, "third").unwrap(), None, "{name}");
        assert_eq!(decode(&path).frames.len(), 3, "{name}: players pass over it");
        film(&path, &options(64, 48, 30), 3, scene);
        assert_eq!(read_metadata(&path, "nevis").unwrap(), None, "{name}");
    }
}

#[test]
fn what_is_known_at_the_end_takes_the_place_of_what_was_known_before() {
    let folder = tempfile::tempdir().unwrap();
    let told = |text: &str| vec![("nevis".to_owned(), text.to_owned())];
    for name in PATHS {
        let path = folder.path().join(name);
        let options = MovieOptions { metadata: told("before"), ..options(64, 48, 30) };
        let mut movie = Movie::create(&path, options).unwrap();
        (0..5).for_each(|frame| movie.push(scene(64, 48, frame)).unwrap());
        assert!(matches!(movie.set_metadata(told("nul\0")), Err(MovieError::Text { .. })), "{name}");
        movie.set_metadata(told("after")).unwrap();
        movie.finish().unwrap();
        assert_eq!(read_metadata(&path, "nevis").unwrap().as_deref(), Some("after"), "{name}");
        assert_eq!(decode(&path).frames.len(), 5, "{name}");
        assert!(!bytes(&path).windows(6).any(|part| part == b"before"), "{name}: both are there");
    }
}

#[test]
fn the_same_frames_give_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    for name in PATHS {
        let movies = [0, 0, 1].map(|first| {
            let path = folder.path().join(name);
            let metadata = vec![("nevis".to_owned(), "{}".to_owned())];
            film(&path, &MovieOptions { metadata, ..options(160, 96, 30) }, 40, |width, height, frame| {
                let mut pixels = gradient(width, height, frame + first);
                pixels[..4000].copy_from_slice(&scene(width, height, frame)[..4000]);
                pixels
            });
            bytes(&path)
        });
        assert!(movies[0] == movies[1], "{name}");
        assert!(movies[0] != movies[2], "{name}");
    }
}

#[test]
fn the_kind_is_known_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let kinds = PATHS.map(|name| MovieKind::of(&folder.path().join(name)).unwrap().name());
    assert_eq!(kinds, ["MP4", "GIF", "APNG", "PNG frames"]);
    assert_eq!(files(folder.path()), [""; 0], "asking makes nothing");
}
