//! How fluid the window is, and what the engine loses to it: a window on a display that nobody sees, against the same
//! engine without one.
//!
//!     cargo bench --bench viewer [-- --seconds S] [--warm-up S] [--only NAME]

use dataset::LoadOptions;
use embedding::{Engine, Settings};
use serde_json::Value;
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

/// Sets of ../shared/data.
const SETS: [&str; 2] = ["mnist_70k_pca50", "image_patches_1m_48d"];
/// Dimensions that a window shows.
const DIMS: usize = 3;
/// What is not there after so long will not come.
const DEADLINE: Duration = Duration::from_secs(180);
/// Seconds of a phase that do not count: frames settle to their pace.
const SETTLE: f64 = 2.0;
/// Clicks whose answers are timed.
const CLICKS: usize = 60;
/// Seconds between two moves of the mouse.
const STEP: f64 = 0.03;

fn main() -> Result<(), Box<dyn Error>> {
    let wanted = Wanted::read();
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("load {}, {} threads", load.split(' ').next().unwrap_or("?"), rayon::current_num_threads());
    for name in SETS.iter().filter(|name| wanted.only.as_ref().is_none_or(|only| name.contains(only))) {
        let file = format!("../shared/data/{name}.parquet");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        if !path.exists() {
            println!("\n{name}: skipped, {} is not here", path.display());
            continue;
        }
        let window = InWindow::measure(&path, &wanted)?;
        let headless = Headless::measure(&path, window.rest.iterations.1.max(window.drag.iterations.1))?;
        print(name, &window, &headless);
    }
    Ok(())
}

struct Wanted {
    seconds: f64,
    warm_up: f64,
    only: Option<String>,
}

impl Wanted {
    fn read() -> Self {
        let mut wanted = Self { seconds: 12.0, warm_up: 20.0, only: None };
        let mut args = std::env::args().skip(1);
        while let Some(name) = args.next() {
            let mut value = || args.next().unwrap_or_default();
            match name.as_str() {
                "--seconds" => wanted.seconds = value().parse().unwrap_or(wanted.seconds),
                "--warm-up" => wanted.warm_up = value().parse().unwrap_or(wanted.warm_up),
                "--only" => wanted.only = Some(value()),
                _ => {} // cargo's own
            }
        }
        wanted
    }
}

fn print(name: &str, window: &InWindow, headless: &Headless) {
    println!("\n{name}: {} points in {DIMS} dimensions", window.points);
    println!("start to window {:.2} s, to first points {:.2} s", window.to_window, window.to_points);
    println!("{:8} {:>7} {:>9} {:>9} {:>11} {:>7}", "camera", "fps", "drawn", "it/s", "headless", "ratio");
    for (camera, phase) in [("at rest", &window.rest), ("dragged", &window.drag)] {
        let rate = phase.rate();
        let alone = headless.rate(phase.iterations);
        let (fps, drawn, ratio) = (phase.fps, 100.0 * phase.drawn, 100.0 * rate / alone);
        println!("{camera:8} {fps:7.1} {drawn:8.0}% {rate:9.2} {alone:11.2} {ratio:6.0}%");
    }
    if let [fastest, .., slowest] = window.picks[..] {
        let (count, median) = (window.picks.len(), window.picks[window.picks.len() / 2]);
        println!(
            "{count} picks while it runs: {fastest:.1} ms at best, {median:.1} in the middle, {slowest:.1} at worst"
        );
    }
}

/// The engine by itself: when each iteration was done, in seconds.
struct Headless(Vec<f64>);

impl Headless {
    fn measure(path: &Path, iterations: u32) -> Result<Self, Box<dyn Error>> {
        let vectors = dataset::load(&[path.to_path_buf()], &LoadOptions::default(), &|_| {})?.vectors;
        let settings = Settings { dims: DIMS, ..Settings::for_rows(vectors.rows()) };
        let mut engine = Engine::new(vectors, settings)?;
        let begun = Instant::now();
        let mut done = vec![0.0];
        for _ in 0..iterations {
            engine.step();
            done.push(begun.elapsed().as_secs_f64());
        }
        Ok(Self(done))
    }

    /// Iterations a second over the same iterations: they do not all cost the same.
    fn rate(&self, (from, to): (u32, u32)) -> f64 {
        f64::from(to - from) / (self.0[to as usize] - self.0[from as usize])
    }
}

/// A while in a window.
struct Phase {
    /// Share of the lines at which somebody moved the camera.
    moving: f64,
    seconds: f64,
    iterations: (u32, u32),
    fps: f64,
    drawn: f64,
}

impl Phase {
    /// From the lines of the report between two times.
    fn of(lines: &[Value], from: f64, to: f64) -> Result<Self, Box<dyn Error>> {
        let number = |line: &Value, key: &str| line[key].as_f64().unwrap_or(0.0);
        let within: Vec<&Value> = lines.iter().filter(|line| (from..to).contains(&number(line, "at"))).collect();
        let (Some(first), Some(last)) = (within.first(), within.last()) else { return Err("no lines".into()) };
        let grown = |key: &str| number(last, key) - number(first, key);
        let drawn: f64 = within.iter().map(|line| number(line, "drawn_share")).sum();
        Ok(Self {
            moving: within.iter().filter(|line| line["moving"] == true).count() as f64 / within.len() as f64,
            seconds: grown("at"),
            iterations: (number(first, "iteration") as u32, number(last, "iteration") as u32),
            fps: grown("frame") / grown("at"),
            drawn: drawn / within.len() as f64,
        })
    }

    fn rate(&self) -> f64 {
        f64::from(self.iterations.1 - self.iterations.0) / self.seconds
    }
}

struct InWindow {
    points: u64,
    to_window: f64,
    to_points: f64,
    rest: Phase,
    drag: Phase,
    /// Milliseconds from a click to its point, in order.
    picks: Vec<f64>,
}

impl InWindow {
    fn measure(path: &Path, wanted: &Wanted) -> Result<Self, Box<dyn Error>> {
        let dir = tempfile::tempdir()?;
        let report = dir.path().join("report.jsonl");
        let (_server, display) = start_display()?;
        let started = now();
        let program = Command::new(env!("CARGO_BIN_EXE_nevis"))
            .arg(path)
            .current_dir(dir.path())
            .env("DISPLAY", &display)
            .env("XDG_RUNTIME_DIR", dir.path())
            .env("XDG_STATE_HOME", dir.path())
            .env("NEVIS_REPORT", &report)
            .env_remove("WAYLAND_DISPLAY")
            .spawn()?;
        let _program = Ended(program);
        let mut id = String::new();
        until("window", || {
            id = xdotool(&display, &["search", "--onlyvisible", "--name", "nevis"]).trim().to_owned();
            !id.is_empty()
        })?;
        let to_window = now() - started;
        xdotool(&display, &["windowfocus", "--sync", &id]); // there is no window manager to do it; drags need it
        until("points", || points(&report).is_some())?;
        let (at, points) = points(&report).ok_or("no points")?;
        std::thread::sleep(Duration::from_secs_f64(wanted.warm_up)); // the first iterations are like no others
        let rested = now();
        std::thread::sleep(Duration::from_secs_f64(SETTLE + wanted.seconds));
        xdotool(&display, &["windowfocus", "--sync", &id]); // once more: the first may have come too early
        let dragged = now();
        drag(&display, SETTLE + wanted.seconds);
        let ended = now();
        click(&display);
        std::thread::sleep(Duration::from_secs_f64(SETTLE));
        let lines = lines(&report);
        let clicked = lines.iter().filter(|line| line["at"].as_f64() > Some(ended));
        let times = clicked.flat_map(|line| line["pick_ms"].as_array().cloned().unwrap_or_default());
        let mut picks: Vec<f64> = times.filter_map(|time| time.as_f64()).collect();
        picks.sort_by(f64::total_cmp);
        let (rest, drag) = (Phase::of(&lines, rested + SETTLE, dragged)?, Phase::of(&lines, dragged + SETTLE, ended)?);
        if rest.moving > 0.5 || drag.moving < 0.5 {
            let (rest, drag) = (100.0 * rest.moving, 100.0 * drag.moving);
            return Err(format!("the camera moved {rest:.0} % of the time at rest and {drag:.0} % when dragged").into());
        }
        Ok(Self { points, to_window, to_points: at - started, rest, drag, picks })
    }
}

/// A process that ends with its owner.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start_display() -> Result<(Ended, String), Box<dyn Error>> {
    let args = ["-displayfd", "1", "-screen", "0", "1280x720x24", "-nolisten", "tcp", "-noreset"];
    let mut server = Command::new("Xvfb").args(args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let mut number = String::new();
    BufReader::new(server.stdout.take().ok_or("no output")?).read_line(&mut number)?;
    Ok((Ended(server), format!(":{}", number.trim())))
}

fn xdotool(display: &str, args: &[&str]) -> String {
    let output = Command::new("xdotool").args(args).env("DISPLAY", display).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
}

/// Turns the cloud to and fro for so long.
fn drag(display: &str, seconds: f64) {
    let mut script: Vec<String> = ["mousemove", "640", "374", "mousedown", "1"].map(str::to_owned).into();
    for step in 0..(seconds / STEP) as usize {
        let x = 640.0 + 250.0 * (step as f64 * 0.08).sin();
        script.extend(["mousemove".into(), format!("{x:.0}"), "374".into(), "sleep".into(), STEP.to_string()]);
    }
    script.extend(["mouseup".to_owned(), "1".to_owned()]);
    xdotool(display, &script.iter().map(String::as_str).collect::<Vec<_>>());
}

/// Clicks here and there on the cloud.
fn click(display: &str) {
    let mut script: Vec<String> = Vec::new();
    for step in 0..CLICKS {
        let (turn, out) = (step as f64 * 2.4, 200.0 * (step as f64 / CLICKS as f64).sqrt());
        let (x, y) = (640.0 + out * turn.cos(), 374.0 + out * turn.sin());
        script.extend(["mousemove".into(), format!("{x:.0}"), format!("{y:.0}")]);
        script.extend(["click", "1", "sleep", "0.25"].map(str::to_owned));
    }
    xdotool(display, &script.iter().map(String::as_str).collect::<Vec<_>>());
}

/// When the window had its first points, and how many.
fn points(report: &PathBuf) -> Option<(f64, u64)> {
    let line = lines(report).into_iter().find(|line| line["points"].as_u64() > Some(0))?;
    Some((line["at"].as_f64()?, line["points"].as_u64()?))
}

fn lines(report: &PathBuf) -> Vec<Value> {
    let text = std::fs::read_to_string(report).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn until(what: &str, mut is_there: impl FnMut() -> bool) -> Result<(), Box<dyn Error>> {
    let begun = Instant::now();
    while !is_there() {
        if begun.elapsed() > DEADLINE {
            return Err(format!("no {what} after {DEADLINE:?}").into());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(())
}

fn now() -> f64 {
    SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_secs_f64()
}
