//! What was at the path stays until the new movie is whole.

use std::fs;

use movie::{Movie, MovieError};

use crate::decode::decode;
use crate::support::{PATHS, files, film, options, scene};

#[test]
fn a_movie_dropped_or_empty_leaves_nothing_and_the_old_one_intact() {
    for name in &PATHS[..3] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        for old in [None, Some("old")] {
            if let Some(old) = old {
                fs::write(&path, old).unwrap();
            }
            let before = files(folder.path());
            let mut movie = Movie::create(&path, options(64, 48, 30)).unwrap();
            for frame in 0..5 {
                movie.push(scene(64, 48, frame)).unwrap();
            }
            assert_eq!(files(folder.path()).len(), before.len() + 1, "{name}: one temporary");
            assert!(files(folder.path()).iter().all(|file| before.contains(file) || file.starts_with('.')));
            drop(movie);
            assert_eq!(files(folder.path()), before, "{name}");
            let empty = Movie::create(&path, options(64, 48, 30)).unwrap();
            assert!(matches!(empty.finish(), Err(MovieError::Empty)));
            assert_eq!(files(folder.path()), before, "{name}");
            assert_eq!(fs::read_to_string(&path).ok().as_deref(), old, "{name}");
        }
        film(&path, &options(64, 48, 30), 2, scene);
        assert_eq!(files(folder.path()), [*name]);
        assert_eq!(decode(&path).frames.len(), 2);
    }
}

#[test]
fn frames_replace_frames_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frames/");
    film(&path, &options(64, 48, 30), 7, scene);
    assert_eq!(files(folder.path()), ["frames"]);
    let old = files(&path);
    assert_eq!(old.len(), 7);
    fs::write(path.join("notes.txt"), "mine").unwrap();
    fs::write(path.join("frame-9.png"), "mine").unwrap();

    let mut dropped = Movie::create(&path, options(32, 32, 30)).unwrap();
    dropped.push(scene(32, 32, 0)).unwrap();
    drop(dropped);
    assert_eq!(files(&path).len(), 9);

    film(&path, &options(32, 32, 30), 3, scene);
    assert_eq!(files(&path), ["frame-00001.png", "frame-00002.png", "frame-00003.png", "frame-9.png", "notes.txt"]);
    fs::remove_file(path.join("notes.txt")).unwrap();
    fs::remove_file(path.join("frame-9.png")).unwrap();
    assert_eq!(decode(&path).width, 32);
}

#[test]
fn a_frame_of_the_wrong_size_is_left_out_and_the_movie_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    for name in PATHS {
        let path = folder.path().join(name);
        let mut movie = Movie::create(&path, options(64, 48, 30)).unwrap();
        movie.push(scene(64, 48, 0)).unwrap();
        let error = movie.push(scene(48, 32, 1)).unwrap_err();
        assert_eq!(error.to_string(), "a frame of 6144 bytes, but 64x48 RGBA pixels are 12288");
        movie.push(scene(64, 48, 2)).unwrap();
        assert_eq!(movie.finish().unwrap().frames, 2);
    }
}

#[test]
fn what_cannot_become_a_movie_is_said_before_the_first_frame() {
    let folder = tempfile::tempdir().unwrap();
    let create = |name: &str, width, height| {
        Movie::create(&folder.path().join(name), options(width, height, 30)).err().unwrap().to_string()
    };
    assert_eq!(create("a.mp4", 1281, 720), "1281x720: MP4 needs even sides; use 1280x720");
    assert_eq!(create("a.mp4", 7680, 4320), "7680x4320: MP4 takes from 16x16 to 3840x2160 pixels");
    assert!(
        create("a.avi", 64, 48)
            .ends_with("a movie ends in .mp4, .gif, .apng or .png, or names a folder for PNG frames")
    );
    assert!(create("none/a.gif", 64, 48).ends_with("none: no such folder; make it first, or choose another"));
    assert_eq!(files(folder.path()), [""; 0]);
}
