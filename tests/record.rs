//! `nevis record`.

use crate::app::inspecting::search;
use crate::app::viewer::{Announce, Arc, ROWS, Request, Rows, Selection, Viewer};
use crate::support::*;
use points::picture::read_png_text;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Small and short: what is tested does not depend on size.
const SMALL: [&str; 6] = ["--size", "160x120", "--fps", "10", "--supersample", "1"];
/// The most that two frames after each other may differ, as a mean over all bytes (of 255).
const LARGEST_STEP: f64 = 12.0;
/// The most that the last frame of a loop may differ from its first: no more than a step.
const SEAM: f64 = LARGEST_STEP;

/// Records, and gives the report.
fn record(dir: &Path, args: &[&str]) -> Value {
    json(dir, &[&["record"], args, &SMALL].concat())
}

/// What ffprobe says of the only stream, where there is an ffprobe; NEVIS_SKIP_NOTHING says that there must be.
fn probe(path: &Path, entries: &str) -> Option<String> {
    let args = ["-v", "error", "-select_streams", "v:0", "-count_frames", "-of", "csv=p=0", "-show_entries"];
    let output = Command::new("ffprobe").args(args).arg(format!("stream={entries}")).arg(path).output();
    match output {
        Ok(output) => {
            assert!(output.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&output.stderr));
            Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        }
        Err(error) => {
            assert!(std::env::var_os("NEVIS_SKIP_NOTHING").is_none(), "there is no ffprobe: {error}");
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

/// The recipe inside a movie.
fn recipe(path: &Path) -> Value {
    serde_json::from_str(&movie::read_metadata(path, "nevis.session").unwrap().unwrap()).unwrap()
}

/// Pixels of a frame that have a colour, rather than a grey.
fn colourful(frame: &[u8]) -> usize {
    frame
        .chunks_exact(4)
        .filter(|pixel| pixel[..3].iter().max().unwrap() - pixel[..3].iter().min().unwrap() > 40)
        .count()
}

/// Saves a session of the blobs in a folder, with a selection that has a name, and gives its iteration.
fn save_session(dir: &Path, named: &str, dive: bool) -> u32 {
    let mut viewer = Viewer::showing(&dir.join("in.parquet"));
    viewer.until("motion", |viewer| viewer.iteration() > 60);
    search(&mut viewer, "label=\"blob 2\"");
    let rows = viewer.get::<Selection>().rows().clone();
    viewer.get_mut::<Selection>().put(named, rows);
    if dive {
        search(&mut viewer, "number>=100");
        viewer.ask(Request::Dive);
        viewer.until("the dive", |viewer| viewer.snapshot().data.points() == ROWS - 100);
    }
    viewer.get_mut::<Selection>().set(Arc::new(Rows::none(ROWS)));
    viewer.pause();
    viewer.frames(2);
    viewer.ask(Request::Save(Some(dir.join("kept.nevis"))));
    viewer.notice(Announce::Done);
    viewer.iteration()
}

const NAMED: &str = "nevis score 1
length 0.4
iterations 0
0        point-size 8
0.2      select-named \"late fours\"
";

#[test]
fn a_session_goes_on_from_where_it_was_saved_and_its_selections_have_names() {
    if adapter().is_none() {
        return;
    }
    let dir = dir_of_blobs(ROWS);
    let iteration = save_session(dir.path(), "late fours", false);
    std::fs::write(dir.path().join("s.score"), NAMED).unwrap();
    let report = record(dir.path(), &["kept.nevis", "--score", "s.score", "--out", "s/"]);
    assert_eq!(report["iteration"].as_u64(), Some(iteration.into()), "nothing runs that is not asked for");
    let stands = frames(&dir.path().join("s"));
    assert_eq!(stands.len(), 4);
    let steps: Vec<f64> = stands.windows(2).map(|pair| apart(&pair[0], &pair[1])).collect();
    assert!(steps[0] == 0.0 && steps[2] == 0.0 && steps[1] > 0.0, "{steps:?}");
    let (all, one) = (colourful(&stands[0]), colourful(&stands[2]));
    assert!(one > 0 && one * 3 < all, "{all} pixels have a colour, {one} of the selection alone");
    // Twice as many iterations move it; and it is the saved map that moves, not a new one.
    std::fs::write(dir.path().join("m.score"), NAMED.replace("iterations 0", "iterations 40")).unwrap();
    let report = record(dir.path(), &["kept.nevis", "--score", "m.score", "--out", "m/"]);
    assert_eq!(report["iteration"].as_u64(), Some(u64::from(iteration) + 160));
    assert!(frames(&dir.path().join("m"))[1] != stands[1]);
    // A take begins with the map as it was saved; it does not settle what was settled.
    let report = record(dir.path(), &["kept.nevis", "--take", "turntable", "--seconds", "0.3", "--out", "t/"]);
    assert_eq!(report["iteration"].as_u64(), Some(iteration.into()));
    // What is known only to the session is in the recipe, and flags go before it.
    let known = recipe(&dir.path().join("s"));
    assert!(known["session"].as_str().unwrap().ends_with("kept.nevis") && known["settings"]["dims"] == 3, "{known}");
    let args = ["kept.nevis", "--score", "s.score", "--background", "light", "--dims", "2", "--out", "f/"];
    record(dir.path(), &args);
    assert!(frames(&dir.path().join("f"))[0][..3].iter().all(|byte| *byte > 200), "a light background");
    assert_eq!(recipe(&dir.path().join("f"))["settings"]["dims"], 2);
    // A name that is not there is told with its line and those there are.
    std::fs::write(dir.path().join("bad.score"), NAMED.replace("late fours", "early fives")).unwrap();
    let bad = ["record", "kept.nevis", "--score", "bad.score", "--out", "x/"];
    let said = stderr(&run(dir.path(), &[&bad[..], &SMALL].concat()));
    assert!(said.contains("line 5") && said.contains("early fives") && said.contains("late fours"), "{said}");
    // Other data than it was saved with is refused.
    write_blobs(&dir.path().join("in.parquet"), ROWS + 1);
    let other = ["record", "kept.nevis", "--score", "s.score", "--out", "x/"];
    let said = stderr(&run(dir.path(), &[&other[..], &SMALL].concat()));
    assert!(said.contains("in.parquet") && said.contains("kept.nevis"), "{said}");
}

#[test]
fn a_flight_visits_the_named_selections_and_comes_back() {
    if adapter().is_none() {
        return;
    }
    let dir = dir_of_blobs(ROWS);
    save_session(dir.path(), "late fours", false);
    record(dir.path(), &["kept.nevis", "--take", "fly-through", "--out", "f/"]);
    let flight = frames(&dir.path().join("f"));
    let (first, last) = (&flight[0], &flight[flight.len() - 1]);
    let fewest = flight.iter().map(|frame| colourful(frame)).min().unwrap();
    assert!(fewest * 2 < colourful(first), "nobody is visited: {fewest} of {} pixels", colourful(first));
    assert!(apart(first, last) < SEAM, "it comes back");
    let steps = flight.windows(2).map(|pair| apart(&pair[0], &pair[1]));
    let most = steps.fold(0.0, f64::max);
    assert!(most > 0.1 && most < 2.0 * LARGEST_STEP, "{most}");
    let said =
        stderr(&run(dir.path(), &[&["record", "demo:", "--take", "fly-through", "--out", "x/"], &SMALL[..]].concat()));
    assert!(said.contains("names") && said.contains(".nevis"), "{said}");
    // A score that begins with a session needs nothing else.
    std::fs::write(dir.path().join("s.score"), NAMED.replace("nevis score 1", "nevis score 1\nstart kept.nevis"))
        .unwrap();
    record(dir.path(), &["--score", "s.score", "--out", "s/"]);
    assert_eq!(frames(&dir.path().join("s")).len(), 4);
}

#[test]
fn a_session_saved_in_a_dive_shows_its_rows() {
    if adapter().is_none() {
        return;
    }
    let dir = dir_of_blobs(ROWS);
    save_session(dir.path(), "late fours", true);
    std::fs::write(dir.path().join("s.score"), NAMED).unwrap();
    let report = record(dir.path(), &["kept.nevis", "--score", "s.score", "--out", "s/"]);
    assert_eq!(report["rows"].as_u64(), Some(ROWS as u64 - 100));
    let shown = frames(&dir.path().join("s"));
    let (all, one) = (colourful(&shown[0]), colourful(&shown[2]));
    assert!(one > 0 && one * 3 < all, "{all} pixels have a colour, {one} of the selection alone");
}

#[test]
fn every_kind_of_movie_tells_iteration_and_quality_of_its_last_frame() {
    if adapter().is_none() {
        return;
    }
    let dir = dir_of_blobs(ROWS);
    let score = "nevis score 1\nlength 0.5\niterations 60\n";
    std::fs::write(dir.path().join("s.score"), score).unwrap();
    let mut found = Vec::new();
    for out in ["a.mp4", "a.gif", "a.png", "a/"] {
        record(dir.path(), &["in.parquet", "--score", "s.score", "--seed", "5", "--out", out]);
        let recipe = recipe(&dir.path().join(out));
        has_keys(&recipe, &["settings", "input_hash", "iteration", "auc", "score", "load", "input"]);
        assert_eq!((&recipe["iteration"], &recipe["settings"]["seed"]), (&300.into(), &5.into()), "{out}");
        found.push(recipe["auc"].as_f64().unwrap());
    }
    assert!(found.iter().all(|auc| *auc == found[0]) && found[0] > 0.3, "{found:?}");
    // One iteration is worse: it is the last frame that is measured.
    std::fs::write(dir.path().join("short.score"), "nevis score 1\nlength 0.1\niterations 1\n").unwrap();
    let args = ["in.parquet", "--score", "short.score", "--init", "random", "--out", "b.mp4"];
    let report = record(dir.path(), &args);
    assert!(report["auc"].as_f64().unwrap() < found[0] - 0.1, "{report} against {found:?}");
    // And it is what the window begins with.
    let mut viewer = Viewer::new();
    viewer.open(&dir.path().join("a.mp4"));
    viewer.frames(3);
    assert_eq!(viewer.snapshot().settings.seed, 5);
}

#[test]
fn trust_colours_points_and_follows_them() {
    if adapter().is_none() {
        return;
    }
    let dir = dir_of_blobs(ROWS);
    let score = "nevis score 1\nlength 0.4\niterations 0\n0 settle 200\n0 color-by kept\n0.1 color-by distances\n0.2 \
                 color-by label\n0.3 color-by kept\n";
    std::fs::write(dir.path().join("s.score"), score).unwrap();
    record(dir.path(), &["in.parquet", "--score", "s.score", "--out", "s/"]);
    let shown = frames(&dir.path().join("s"));
    assert!(shown[0] == shown[3], "the same again");
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        assert!(apart(&shown[one], &shown[other]) > 0.5, "frames {one} and {other}");
    }
    // As the flag has it, too; and as a picture of the same map.
    std::fs::write(dir.path().join("f.score"), "nevis score 1\nlength 0.1\niterations 0\n0 settle 200\n").unwrap();
    record(dir.path(), &["in.parquet", "--score", "f.score", "--color-by", "kept", "--out", "f/"]);
    assert!(frames(&dir.path().join("f"))[0] == shown[0]);
    // It is measured anew where points have moved: colours after an explosion are not those before.
    let moving = "nevis score 1\nlength 0.3\niterations 0\n0 settle 200\n0 color-by kept\n0.1 iterations 60\n0.1 set \
                  perplexity 2\n";
    std::fs::write(dir.path().join("m.score"), moving).unwrap();
    let args = ["in.parquet", "--score", "m.score", "--init", "random", "--out", "m/"];
    record(dir.path(), &args);
    let moved = frames(&dir.path().join("m"));
    let hues = |frame: &[u8]| {
        let mut hues: Vec<[u8; 3]> =
            frame.chunks_exact(4).map(|pixel| [pixel[0] >> 4, pixel[1] >> 4, pixel[2] >> 4]).collect();
        hues.sort_unstable();
        hues
    };
    assert!(hues(&moved[0]) != hues(&moved[2]));
}

#[test]
fn names_stand_among_their_points_and_a_column_without_any_is_told_of() {
    if adapter().is_none() {
        return;
    }
    let dir = dir_of_blobs(ROWS);
    let score =
        "nevis score 1\nlength 0.3\niterations 0\n0 settle 200\n0 color-by none\n0.1 labels label\n0.2 labels \"\"\n";
    std::fs::write(dir.path().join("s.score"), score).unwrap();
    let large = ["--size", "640x480", "--fps", "10", "--supersample", "1"];
    let labelled = |args: &[&str], out: &str| {
        json(dir.path(), &[&["record", "in.parquet"], args, &large, &["--out", out]].concat());
        frames(&dir.path().join(out.trim_end_matches('/')))
    };
    let shown = labelled(&["--score", "s.score"], "s/");
    assert!(shown[0] == shown[2] && shown[0] != shown[1]);
    // Five names of a few letters: pixels that differ lie in a few small places, not all over.
    let different: Vec<usize> =
        (0..640 * 480).filter(|at| shown[0][4 * at..][..4] != shown[1][4 * at..][..4]).collect();
    assert!((200..8_000).contains(&different.len()), "{} pixels differ", different.len());
    let rows: std::collections::BTreeSet<usize> = different.iter().map(|at| at / 640).collect();
    assert!(rows.len() < 5 * 25, "{} rows of pixels", rows.len());
    std::fs::write(dir.path().join("p.score"), score.replace("0.1 labels label\n0.2 labels \"\"\n", "")).unwrap();
    assert!(labelled(&["--score", "p.score", "--labels", "label"], "p/")[0] == shown[1], "as the flag has it");
    std::fs::write(dir.path().join("bad.score"), score.replace("labels label", "labels number")).unwrap();
    let bad = ["record", "in.parquet", "--score", "bad.score", "--out", "x/"];
    let said = stderr(&run(dir.path(), &[&bad[..], &SMALL].concat()));
    assert!(said.contains("line 6") && said.contains("number"), "{said}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_a_movie_that_plays() {
    if adapter().is_none() {
        return;
    }
    let dir = dir();
    let args = ["record", "demo:", "--take", "birth", "--seconds", "3600", "--out", "cut.mp4"];
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
        assert!((1..36_000).contains(&frames), "{frames} frames");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_before_the_first_frame_leaves_nothing() {
    if adapter().is_none() {
        return;
    }
    for out in ["none.mp4", "frames/"] {
        let dir = dir();
        let args = ["record", "demo:", "--take", "turntable", "--out", out];
        let mut child = nevis(dir.path(), &[&args[..], &SMALL, &["--quiet"]].concat()).spawn().unwrap();
        let begun = std::time::Instant::now();
        while std::fs::read_dir(dir.path()).unwrap().count() == 0 {
            assert!(begun.elapsed().as_secs() < 60, "nothing is begun");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{out}: the embedding comes before the first frame");
        assert!(files_in(dir.path()).is_empty(), "{out}: {:?}", files_in(dir.path()));
    }
}

/// A score over the data in a folder, drawn twice, at a number of frames a second.
fn drawn_twice(dir: &Path, text: &str, fps: &str) -> [Vec<Vec<u8>>; 2] {
    std::fs::write(dir.join("s.score"), text).unwrap();
    ["a/", "b/"].map(|out| {
        let small = ["--size", "160x120", "--supersample", "1", "--fps", fps, "--out", out];
        json(dir, &[&["record", "in.parquet", "--score", "s.score", "--backend", "cpu"], &small[..]].concat());
        frames(&dir.join(out))
    })
}

#[test]
fn a_tour_is_the_same_twice_and_turns_without_a_jump() {
    if adapter().is_none() {
        return;
    }
    let dir = dir_of_blobs(200);
    let text = "nevis score 1\nsettings {\"dims\": 6}\nlength 4\niterations 0\n0 settle 60\n0 color-by label\n\
                0.5 tour grand speed 0.5\n2 tour guided label speed 1\n3 axes 0 1 5\n";
    let [once, again] = drawn_twice(dir.path(), text, "10");
    assert_eq!(once.len(), 40);
    assert!(once == again, "the same score gives another movie");
    assert!(once[3] == once[4], "nothing moves before the tour begins");
    assert!(once[7..30].windows(2).all(|pair| pair[0] != pair[1]), "the tour stands still");
    let steps: Vec<f64> = once.windows(2).map(|pair| apart(&pair[0], &pair[1])).collect();
    assert!(steps.iter().all(|step| *step < LARGEST_STEP), "{steps:?}");
}

#[test]
fn an_axis_is_squeezed_out_before_the_eyes() {
    if adapter().is_none() {
        return;
    }
    let dir = dir_of_blobs(200);
    // Clusters are small dots: a turn that moves them by their own size is all the difference that there can be. So the
    // camera's turn to the flat map, less than half a second, is drawn in many frames.
    let text = "nevis score 1\nsettings {\"dims\": 3}\nlength 3\niterations 2\n0 settle 200\n0 color-by label\n\
                0 camera yaw 40 pitch 30\n1 set dims 2\n";
    let [once, again] = drawn_twice(dir.path(), text, "30");
    assert!(once == again, "the same score gives another movie");
    let steps: Vec<f64> = once.windows(2).map(|pair| apart(&pair[0], &pair[1])).collect();
    // The judge can tell: it is more than any step that the change comes to.
    let (change, largest) = (apart(&once[28], &once[89]), steps.iter().copied().fold(0.0, f64::max));
    assert!(largest < 0.7 * change, "a change of {change} in {steps:?}");
}
