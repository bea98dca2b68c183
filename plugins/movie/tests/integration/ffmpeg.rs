//! Another program's word on our movies, where it is installed.

use std::path::Path;
use std::process::Command;

use movie::MovieOptions;

use crate::support::{film, options, scene};

/// What a program prints; nothing, with a message, where it is not installed, unless
/// NEVIS_SKIP_NOTHING forbids that.
fn run(program: &str, arguments: &[&str], path: &Path, tail: &[&str]) -> Option<Vec<u8>> {
    let Ok(output) = Command::new(program).args(arguments).arg(path).args(tail).output() else {
        assert!(std::env::var_os("NEVIS_SKIP_NOTHING").is_none(), "{program} is not installed");
        eprintln!("skipped: {program} is not installed");
        return None;
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{program}: {errors}");
    Some(output.stdout)
}

/// What ffprobe says of the video of a file, `key=value` in each line.
fn probe(path: &Path) -> Option<String> {
    let arguments = ["-v", "error", "-count_frames", "-select_streams", "v:0", "-show_streams", "-show_format"];
    run("ffprobe", &arguments, path, &[]).map(|output| String::from_utf8(output).unwrap())
}

fn says(said: &str, line: &str) -> bool {
    said.lines().any(|said| said == line)
}

fn assert_says(said: &str, line: &str) {
    assert!(says(said, line), "no {line} in:\n{said}");
}

#[test]
fn ffprobe_agrees_on_mp4() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mp4");
    for (fps, frames) in [(30, 75), (7, 20), (60, 61), (120, 10), (25, 1), (1, 3)] {
        let metadata = vec![("nevis".to_owned(), "{}".to_owned())];
        film(&path, &MovieOptions { metadata, ..options(182, 98, fps) }, frames, scene);
        let Some(said) = probe(&path) else { return };
        for line in [
            "codec_name=h264",
            "width=182",
            "height=98",
            "pix_fmt=yuv420p",
            "color_range=tv",
            "color_space=bt709",
            "color_primaries=bt709",
            "color_transfer=iec61966-2-1",
            "has_b_frames=0",
            &format!("r_frame_rate={fps}/1"),
            &format!("avg_frame_rate={fps}/1"),
            &format!("nb_frames={frames}"),
            &format!("nb_read_frames={frames}"),
            &format!("duration={:.6}", f64::from(frames) / f64::from(fps)),
        ] {
            assert_says(&said, line);
        }
        assert!(!says(&said, &format!("nb_frames={}", frames + 1)));
    }
}

#[test]
fn ffprobe_agrees_on_gif_and_apng() {
    let folder = tempfile::tempdir().unwrap();
    for (name, codec) in [("a.gif", "gif"), ("a.apng", "apng")] {
        let path = folder.path().join(name);
        let metadata = vec![("nevis".to_owned(), "{}".to_owned())];
        film(&path, &MovieOptions { metadata, ..options(91, 49, 25) }, 30, scene);
        let Some(said) = probe(&path) else { return };
        for line in [format!("codec_name={codec}"), "width=91".into(), "height=49".into(), "nb_read_frames=30".into()] {
            assert_says(&said, &line);
        }
        assert_says(&said, "r_frame_rate=25/1");
    }
}

/// The colours of flat areas, as a player that heeds what the file says of them shows them.
#[test]
fn ffmpeg_shows_the_colours_that_went_in() {
    const COLOURS: [[u8; 3]; 8] =
        [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0], [0, 0, 0], [255, 255, 255], [16, 18, 24], [230, 159, 0]];
    const OFF: u8 = 4;
    let stripes = |width: u32, height: u32, _: u32| -> Vec<u8> {
        let row = (0..width).flat_map(|x| {
            let [red, green, blue] = COLOURS[(x / 32) as usize];
            [red, green, blue, 255]
        });
        row.collect::<Vec<_>>().repeat(height as usize)
    };
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.mp4", "a.gif", "a.apng"] {
        let path = folder.path().join(name);
        film(&path, &options(256, 64, 30), 3, stripes);
        let tail = ["-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"];
        let Some(shown) = run("ffmpeg", &["-v", "error", "-i"], &path, &tail) else { return };
        for (stripe, colour) in COLOURS.iter().enumerate() {
            let at = (32 * 256 + stripe * 32 + 16) * 3;
            let off = (0..3).map(|channel| shown[at + channel].abs_diff(colour[channel])).max().unwrap();
            assert!(off <= OFF, "{name}: {:?} for {colour:?}", &shown[at..at + 3]);
        }
    }
}
