//! `nevis record`.

use crate::support::*;
use points::picture::read_png_text;
use std::path::Path;
use std::process::Command;

/// Small and short: what is tested does not depend on size.
const SMALL: [&str; 6] = ["--size", "160x120", "--fps", "10", "--supersample", "1"];
/// The most that two frames after each other may differ, as a mean over all bytes (of 255).
const LARGEST_STEP: f64 = 12.0;
/// The most that the last frame of a loop may differ from its first: no more than a step.
const SEAM: f64 = LARGEST_STEP;

/// Records, and gives the report.
fn record(dir: &Path, args: &[&str]) -> serde_json::Value {
    json(dir, &[&["record"], args, &SMALL].concat())
}

/// What ffprobe says of the only stream, where there is an ffprobe.
fn probe(path: &Path, entries: &str) -> Option<String> {
    let args = ["-v", "error", "-select_streams", "v:0", "-count_frames", "-of", "csv=p=0", "-show_entries"];
    let output = Command::new("ffprobe").args(args).arg(format!("stream={entries}")).arg(path).output();
    match output {
        Ok(output) if output.status.success() => Some(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        _ => {
            eprintln!("skipped: there is no ffprobe here");
            None
        }
    }
}

/// The pixels of numbered pictures.
fn frames(folder: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    paths.sort();
    let pixels = |path: &std::path::PathBuf| {
        let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut bytes).unwrap();
        bytes
    };
    paths.iter().map(pixels).collect()
}

fn apart(one: &[u8], other: &[u8]) -> f64 {
    let sum: u64 = one.iter().zip(other).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / one.len() as f64
}

#[test]
fn a_turntable_is_an_even_loop_that_ffprobe_knows() {
    if adapter().is_none() {
        return;
    }
    let dir = dir();
    let report = record(dir.path(), &["demo:", "--take", "turntable", "--seconds", "6", "--out", "t.mp4"]);
    assert_eq!((report["frames"].as_u64(), report["seconds"].as_f64()), (Some(60), Some(6.0)));
    let movie = dir.path().join("t.mp4");
    if let Some(found) = probe(&movie, "codec_name,width,height,r_frame_rate,nb_read_frames") {
        assert_eq!(found, "h264,160,120,10/1,60");
    }
    let recipe = movie::read_metadata(&movie, "nevis.session").unwrap().unwrap();
    assert!(recipe.contains("\"command\":\"record\"") && recipe.contains("nevis score 1"), "{recipe}");
    record(dir.path(), &["demo:", "--take", "turntable", "--seconds", "6", "--out", "t/"]);
    let frames = frames(&dir.path().join("t"));
    assert_eq!(frames.len(), 60);
    let steps: Vec<f64> = frames.windows(2).map(|pair| apart(&pair[0], &pair[1])).collect();
    let seam = apart(&frames[59], &frames[0]);
    let (least, most) = (steps.iter().copied().fold(f64::MAX, f64::min), steps.iter().copied().fold(0.0, f64::max));
    assert!(least > 0.1 && most < LARGEST_STEP, "{steps:?}");
    assert!(seam < SEAM && seam < 1.5 * most, "the seam is {seam}, steps are {steps:?}");
    // The judge can tell: a few frames left out are no small step.
    let skipped = apart(&frames[0], &frames[8]);
    assert!(skipped > 1.2 * most, "{skipped} with frames left out, {steps:?}");
}

#[test]
fn the_tails_sweep_there_and_back_without_a_jump() {
    if adapter().is_none() {
        return;
    }
    let dir = dir();
    let args = ["demo:", "--take", "alpha-sweep", "--seconds", "3", "--dims", "2", "--out"];
    record(dir.path(), &[&args[..], &["a/"]].concat());
    let frames = frames(&dir.path().join("a"));
    assert_eq!(frames.len(), 30);
    let steps: Vec<f64> = frames.windows(2).map(|pair| apart(&pair[0], &pair[1])).collect();
    let most = steps.iter().copied().fold(0.0, f64::max);
    assert!(most < LARGEST_STEP, "{steps:?}");
    let (seam, middle) = (apart(&frames[29], &frames[0]), apart(&frames[15], &frames[0]));
    println!("the seam is {seam:.2}, the middle {middle:.2}, the largest step {most:.2}");
    assert!(seam < SEAM, "the seam is {seam}, the middle {middle}");
    let report = record(dir.path(), &[&args[..], &["a.mp4"]].concat());
    assert_eq!(report["frames"].as_u64(), Some(30));
    if let Some(found) = probe(&dir.path().join("a.mp4"), "codec_name,width,height,nb_read_frames") {
        assert_eq!(found, "h264,160,120,30");
    }
}

const SCORE: &str = "nevis score 1
data demo:
seed 7
length 1.5
iterations 3
0        color-by label
0..1     camera yaw 90 pitch 10
0.2..1   set alpha 0.5
0.5      caption \"The ones split\" for 0.5
0.8      select label=1
1        implode
";

#[test]
fn the_same_score_twice_gives_the_same_frames_and_its_cues_are_seen() {
    if adapter().is_none() {
        return;
    }
    let dir = dir();
    std::fs::write(dir.path().join("s.score"), SCORE).unwrap();
    for out in ["one/", "two/"] {
        record(dir.path(), &["--score", "s.score", "--out", out]);
    }
    let (one, two) = (frames(&dir.path().join("one")), frames(&dir.path().join("two")));
    assert_eq!(one.len(), 15);
    assert!(one == two, "the same score gives other frames");
    // Another seed gives others: the comparison can tell.
    std::fs::write(dir.path().join("other.score"), SCORE.replace("seed 7", "seed 8")).unwrap();
    record(dir.path(), &["--score", "other.score", "--out", "three/"]);
    assert!(one != frames(&dir.path().join("three")));
    // Without the caption, the frames that show it are others, and only those.
    let caption = "0.5      caption \"The ones split\" for 0.5\n";
    std::fs::write(dir.path().join("plain.score"), SCORE.replace(caption, "")).unwrap();
    record(dir.path(), &["--score", "plain.score", "--out", "plain/"]);
    let plain = frames(&dir.path().join("plain"));
    let captioned: Vec<usize> = (0..15).filter(|&at| one[at] != plain[at]).collect();
    assert_eq!(captioned, [5, 6, 7, 8, 9]);
    // A selection turns the rest grey.
    let colourful = |frame: &[u8]| frame.chunks_exact(4).filter(|pixel| pixel[0].abs_diff(pixel[2]) > 40).count();
    assert!(colourful(&one[9]) * 2 < colourful(&one[4]), "{} then {}", colourful(&one[4]), colourful(&one[9]));
    let texts = read_png_text(dir.path().join("one/frame-00001.png")).unwrap();
    assert!(texts.iter().any(|(key, text)| key == "nevis.session" && text.contains("nevis score 1")));
}

#[test]
fn bad_scores_are_named_by_their_line_and_nothing_is_overwritten() {
    let dir = dir();
    std::fs::write(dir.path().join("out.mp4"), "an old movie").unwrap();
    let bad = [
        (SCORE.replace("implode", "explod"), "line 11"),
        (SCORE.replace("score 1", "score 9"), "version 9"),
        (SCORE.replace("demo:", "nowhere.parquet"), "nowhere.parquet"),
        (SCORE.replace("seed 7", &format!("hash {}", "0".repeat(64))), "hash"),
        (SCORE.replace("0.2..1 ", "1.2..1 "), "line 8"),
        (SCORE.replace("label=1", "nosuch=1"), "nosuch"),
        (SCORE.replace("color-by label", "color-by nosuch"), "nosuch"),
    ];
    for (text, words) in bad {
        std::fs::write(dir.path().join("bad.score"), text).unwrap();
        let output = run(dir.path(), &[&["record", "--score", "bad.score", "--out", "out.mp4"], &SMALL[..]].concat());
        assert!(!output.status.success(), "{words}");
        assert!(stderr(&output).contains(words), "{words}: {}", stderr(&output));
        assert_eq!(std::fs::read_to_string(dir.path().join("out.mp4")).unwrap(), "an old movie", "{words}");
    }
    for (args, words) in [
        (&["demo:", "--take", "nonsense", "--out", "x.mp4"][..], "turntable"),
        (&["demo:", "--take", "birth", "--out", "x.avi"], "x.avi"),
        (&["demo:", "--take", "birth", "--size", "161x121", "--out", "x.mp4"], "even"),
    ] {
        let output = run(dir.path(), &[&["record"], args].concat());
        assert!(!output.status.success() && stderr(&output).contains(words), "{args:?}: {}", stderr(&output));
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_a_movie_that_plays() {
    if adapter().is_none() {
        return;
    }
    let dir = dir();
    let args = ["record", "demo:", "--take", "birth", "--seconds", "60", "--out", "cut.mp4"];
    let mut child = nevis(dir.path(), &[&args[..], &SMALL, &["--quiet"]].concat()).spawn().unwrap();
    // Until some frames are there: the hidden file beside the movie.
    let begun = std::time::Instant::now();
    while std::fs::read_dir(dir.path()).unwrap().count() == 0 {
        assert!(begun.elapsed().as_secs() < 60, "nothing is begun");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    std::thread::sleep(std::time::Duration::from_secs(5));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(child.wait().unwrap().success());
    let movie = dir.path().join("cut.mp4");
    if let Some(found) = probe(&movie, "nb_read_frames") {
        let frames: u32 = found.parse().unwrap();
        assert!((1..600).contains(&frames), "{frames} frames");
    }
}
