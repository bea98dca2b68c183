//! A display that nobody sees, a window on it, and the hands of a person: mouse and keys as X has them.

use super::cloud::ASIDE;
use super::screen::{Area, Screen};
use crate::support;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Size of the display and of the window on it.
pub const SIZE: (usize, usize) = (1280, 720);
/// What is not there after so long will not come, even on a busy machine.
pub const DEADLINE: Duration = Duration::from_secs(60);
/// Time between two looks at the screen.
const LOOK_EVERY: Duration = Duration::from_millis(40);

/// Longer than a frame on a slow machine.
const FRAME: Duration = Duration::from_millis(350);
/// Where the program reports how far it is.
const REPORT: &str = "report.jsonl";

/// One window test at a time: each fills the machine.
static ALONE: Mutex<()> = Mutex::new(());

/// A display with a folder to work in. Ends with the test.
pub struct Display {
    server: Child,
    number: String,
    dir: support::TempDir,
    _alone: MutexGuard<'static, ()>,
}

impl Display {
    /// Starts one; none where the tools are missing, unless NEVIS_REQUIRE_GPU=1 forbids to skip.
    pub fn start() -> Option<Self> {
        support::adapter()?;
        let missing = |tool: &&str| Command::new(tool).arg("-version").output().is_err();
        if let Some(tool) = ["Xvfb", "xdotool"].iter().find(|tool| missing(tool)) {
            let required = std::env::var("NEVIS_REQUIRE_GPU").is_ok_and(|value| value == "1");
            assert!(!required, "there is no {tool} here, but NEVIS_REQUIRE_GPU=1");
            eprintln!("skipped: there is no {tool} here");
            return None;
        }
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let dir = support::dir();
        let size = format!("{}x{}x24", SIZE.0, SIZE.1);
        // The framebuffer is a file: looking at the screen is reading it.
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", &size, "-nolisten", "tcp", "-nocursor", "-noreset", "-fbdir"])
            .arg(dir.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        assert!(!number.is_empty(), "Xvfb found no free display");
        Some(Self { server, number: format!(":{}", number.trim()), dir, _alone: alone })
    }

    /// The folder in which the program runs.
    pub fn folder(&self) -> &Path {
        self.dir.path()
    }

    /// Starts the program and waits for its window.
    pub fn open(&self, args: &[&str]) -> Window<'_> {
        let log = self.folder().join("stderr.txt");
        let process = support::nevis(self.folder(), args)
            .env("DISPLAY", &self.number)
            .env("XDG_STATE_HOME", self.folder().join("state"))
            .env("NEVIS_AUTOSAVE_SECS", "1")
            .env("NEVIS_REPORT", self.folder().join(REPORT))
            .env_remove("WAYLAND_DISPLAY")
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(&log).unwrap())
            .spawn()
            .unwrap();
        let mut window = Window { display: self, process, log };
        let begun = Instant::now();
        let id = loop {
            let found = self.xdotool(&["search", "--onlyvisible", "--name", "nevis"]);
            if let Some(id) = found.lines().last() {
                break id.to_owned();
            }
            window.is_alive();
            assert!(begun.elapsed() < DEADLINE, "no window after {DEADLINE:?}");
            std::thread::sleep(LOOK_EVERY);
        };
        self.xdotool(&["windowfocus", "--sync", &id]); // there is no window manager to do it
        window.point_at(ASIDE); // it is in the middle at first, where a card would tell of the point beneath it
        window
    }

    fn xdotool(&self, args: &[&str]) -> String {
        let output = Command::new("xdotool").args(args).env("DISPLAY", &self.number).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    /// What is on the screen now, read from the server's framebuffer: an XWD file, big-endian but for its pixels.
    fn look(&self) -> Screen {
        let bytes = std::fs::read(self.folder().join("Xvfb_screen0")).unwrap();
        let field = |at: usize| u32::from_be_bytes(bytes[4 * at..4 * at + 4].try_into().unwrap()) as usize;
        let (header, width, height, bytes_per_line, colours) = (field(0), field(4), field(5), field(12), field(19));
        assert_eq!((width, height, bytes_per_line), (SIZE.0, SIZE.1, 4 * SIZE.0));
        let pixels = bytes[header + 12 * colours..].chunks_exact(4).take(width * height);
        Screen { width, height, pixels: pixels.map(|pixel| [pixel[2], pixel[1], pixel[0]]).collect() }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// A window of the program. A test that fails leaves a picture of it.
pub struct Window<'d> {
    display: &'d Display,
    process: Child,
    log: PathBuf,
}

/// What is wrong with a screen, if anything.
pub type Verdict = Result<(), String>;

/// A verdict from a condition and what to say if it does not hold.
pub fn holds(condition: bool, otherwise: impl Into<String>) -> Verdict {
    if condition { Ok(()) } else { Err(otherwise.into()) }
}

impl Window<'_> {
    pub fn look(&self) -> Screen {
        self.display.look()
    }

    /// Looks until the screen is as it should be.
    pub fn wait(&mut self, what: &str, mut judge: impl FnMut(&Screen) -> Verdict) -> Screen {
        let begun = Instant::now();
        loop {
            let screen = self.look();
            let Err(wrong) = judge(&screen) else { return screen };
            assert!(begun.elapsed() < DEADLINE, "after {DEADLINE:?} still not: {what} ({wrong})");
            self.is_alive();
            std::thread::sleep(LOOK_EVERY);
        }
    }

    /// Looks until an area has not changed for so long.
    pub fn wait_for_rest(&mut self, area: Area, length: Duration) -> Screen {
        let mut last = self.look();
        let mut since = Instant::now();
        self.wait("it rests", |screen| {
            if !screen.is_same(&last, area) {
                (last, since) = (screen.clone(), Instant::now());
            }
            holds(since.elapsed() >= length, "something moves")
        })
    }

    /// Waits until the embedding has gone through so many iterations.
    pub fn wait_for_iteration(&mut self, least: u64) {
        let path = self.display.folder().join(REPORT);
        self.wait("it has come far enough", |_| {
            let report = std::fs::read_to_string(&path).unwrap_or_default();
            let lines = report.lines().rev().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
            let iteration = lines.filter_map(|line| line["iteration"].as_u64()).next().unwrap_or(0);
            holds(iteration >= least, format!("iteration {iteration} of {least}"))
        });
    }

    /// Waits for a file to be written.
    pub fn wait_for_file(&mut self, name: &str) -> PathBuf {
        let path = self.display.folder().join(name);
        self.wait(&format!("{name} is written"), |_| holds(path.exists(), "no such file"));
        path
    }

    pub fn press(&self, key: &str) {
        self.display.xdotool(&["key", key]);
    }

    pub fn click(&self, (x, y): (usize, usize)) {
        self.display.xdotool(&["mousemove", &x.to_string(), &y.to_string(), "click", "1"]);
    }

    /// Turns the wheel at a place by an even number of notches; below zero: towards the user, so that panels move up.
    /// Winit takes both the press and the release of a wheel's button for a notch (a real wheel has none).
    pub fn wheel(&self, (x, y): (usize, usize), notches: i32) {
        let button = if notches > 0 { "4" } else { "5" };
        let times = (notches.abs() / 2).to_string();
        self.display.xdotool(&["mousemove", &x.to_string(), &y.to_string(), "click", "--repeat", &times, button]);
    }

    pub fn point_at(&self, (x, y): (usize, usize)) {
        self.display.xdotool(&["mousemove", &x.to_string(), &y.to_string()]);
    }

    /// Clicks twice, fast enough for a double click on a slow machine too: both may fall into one frame.
    pub fn double_click(&self, (x, y): (usize, usize)) {
        let (x, y) = (x.to_string(), y.to_string());
        self.display.xdotool(&["mousemove", &x, &y, "click", "--repeat", "2", "--delay", "60", "1"]);
    }

    /// Holds a key down, until it is released.
    pub fn hold(&self, key: &str) {
        self.display.xdotool(&["keydown", key]);
    }

    pub fn release(&self, key: &str) {
        self.display.xdotool(&["keyup", key]);
    }

    /// Types a text, letter by letter.
    pub fn type_text(&self, text: &str) {
        self.display.xdotool(&["type", "--delay", "30", text]);
    }

    /// Drags, and lets go when the screen shows that it was noticed.
    pub fn drag(&mut self, from: (usize, usize), to: (usize, usize), judge: impl FnMut(&Screen) -> Verdict) -> Screen {
        const STEPS: usize = 4;
        let along = |from: usize, to: usize, step: usize| (from * (STEPS - step) + to * step) / STEPS;
        let path: Vec<_> = (0..=STEPS).map(|at| (along(from.0, to.0, at), along(from.1, to.1, at))).collect();
        self.draw(&path, judge)
    }

    /// Moves along a path with the button down, and lets go when the screen shows that it was noticed.
    pub fn draw(&mut self, path: &[(usize, usize)], judge: impl FnMut(&Screen) -> Verdict) -> Screen {
        let (x, y) = (path[0].0.to_string(), path[0].1.to_string());
        self.display.xdotool(&["mousemove", &x, &y, "mousedown", "1"]);
        for &place in &path[1..] {
            self.point_at(place);
            std::thread::sleep(LOOK_EVERY); // no hand is faster
        }
        let screen = self.wait("the drag takes effect", judge);
        self.display.xdotool(&["mouseup", "1"]);
        std::thread::sleep(FRAME); // controls take what happens within a frame for happening where the cursor ends
        screen
    }

    /// Ends it as a crash would: at once, without a word.
    pub fn crash(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Asks it to end, and expects that it does so without complaint.
    pub fn quit(mut self) {
        self.press("ctrl+q");
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                break status;
            }
            assert!(begun.elapsed() < DEADLINE, "still there {DEADLINE:?} after Ctrl Q");
            std::thread::sleep(LOOK_EVERY);
        };
        assert!(status.success(), "{status}: {}", self.said());
    }

    fn said(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    fn is_alive(&mut self) {
        if let Some(status) = self.process.try_wait().unwrap() {
            panic!("the program ended by itself, {status}: {}", self.said());
        }
    }
}

impl Drop for Window<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("window-failures");
            let name = std::thread::current().name().unwrap_or("test").replace("::", "-");
            let path = folder.join(format!("{name}.png"));
            std::fs::create_dir_all(folder).unwrap();
            self.look().write_png(&path);
            eprintln!("the window as it was: {}\nit said: {}", path.display(), self.said());
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
