//! A graphics device that is lost while the window is open: the program ends in order, and nothing is lost with it.

use super::cloud::extent;
use super::display::{DEADLINE, Display, Window, holds};
use super::dropping::name_of;
use super::panel::buttons;
use super::screen::Area;
use crate::support::{files_in, nevis};
use dataset::{LoadOptions, PcaChoice};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use vectors::Vectors;

/// When the device is lost, from the first points on: late enough to pause before.
const LOST_AFTER: Duration = Duration::from_secs(15);
/// Iterations after which the embedding is paused: it is no longer where it began. A software renderer does few.
const ON_ITS_WAY: u64 = 3;
/// How long a paused cloud must rest.
const REST: Duration = Duration::from_millis(500);
/// Where the offer to restore stands.
const OFFER: Area = Area::new(281, 32, 1000, 90);
/// Where points are seen, but no offer and no notice.
const CLOUD: Area = Area::new(300, 100, 780, 640);
/// A session is written within this time, if there is anything to write.
const SAVED_WITHIN: Duration = Duration::from_secs(2);
/// Time between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(40);

/// A window whose device will be lost. It does not save by itself, so that what is saved is saved at its end.
struct Doomed<'d> {
    display: &'d Display,
    on: &'d str,
    process: Child,
}

impl<'d> Doomed<'d> {
    fn open(display: &'d Display, on: &'d str, args: &[&str]) -> Self {
        let folder = display.folder();
        let process = nevis(folder, args)
            .env("DISPLAY", on)
            .env("XDG_STATE_HOME", folder.join("state"))
            .env("NEVIS_AUTOSAVE_SECS", "3600")
            .env("NEVIS_REPORT", folder.join("report.jsonl"))
            .env("NEVIS_LOSE_DEVICE_AFTER", LOST_AFTER.as_secs().to_string())
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(folder.join("last words.txt")).unwrap())
            .spawn()
            .unwrap();
        Self { display, on, process }
    }

    /// What it last reported of itself; null before it did.
    fn reported(&self, what: &str) -> Value {
        let report = std::fs::read_to_string(self.display.folder().join("report.jsonl")).unwrap_or_default();
        let mut lines = report.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        lines.next_back().map_or(Value::Null, |line| line[what].clone())
    }

    /// Waits until the embedding is on its way, and pauses it.
    fn pause(&mut self) {
        let begun = Instant::now();
        while self.reported("iteration").as_u64().unwrap_or(0) < ON_ITS_WAY {
            assert_eq!(self.process.try_wait().unwrap(), None, "it ended too early: {}", self.said());
            assert!(begun.elapsed() < DEADLINE, "no {ON_ITS_WAY} iterations after {DEADLINE:?}");
            std::thread::sleep(LOOK_EVERY);
        }
        let press = ["search", "--onlyvisible", "--name", "nevis", "windowfocus", "--sync", "key", "space"];
        let pressed = Command::new("xdotool").args(press).env("DISPLAY", self.on).status().unwrap();
        assert!(pressed.success());
    }

    /// Waits for its end: how it ended, and what it said.
    fn end(mut self) -> (ExitStatus, String) {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                return (status, self.said());
            }
            assert!(begun.elapsed() < LOST_AFTER + DEADLINE, "it hangs without its device");
            std::thread::sleep(LOOK_EVERY);
        }
    }

    fn said(&self) -> String {
        std::fs::read_to_string(self.display.folder().join("last words.txt")).unwrap_or_default()
    }
}

impl Drop for Doomed<'_> {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What a session keeps, of what must not be lost.
#[derive(Debug, PartialEq)]
struct Kept {
    settings: Value,
    iteration: Value,
    paused: Value,
    positions: Vectors,
}

impl Kept {
    fn read(session: &Path) -> Self {
        let text = dataset::read_metadata(session, "nevis.session").unwrap().expect("a session");
        let mut all: Value = serde_json::from_str(&text).unwrap();
        let vector = Some("position".to_owned());
        let options = LoadOptions { vector, pca: PcaChoice::Off, ..LoadOptions::default() };
        let positions = dataset::load(&[session.to_path_buf()], &options, &|_| {}).unwrap().vectors;
        let [settings, iteration, paused] = ["settings", "iteration", "paused"].map(|key| all[key].take());
        Self { settings, iteration, paused, positions }
    }

    /// What a window shows now, by saving it; nothing if there is nothing to save yet.
    fn shown_in(window: &Window, folder: &Path) -> Option<Self> {
        let file = folder.join("demo.nevis");
        window.press("ctrl+s");
        let pressed = Instant::now();
        while !file.exists() && pressed.elapsed() < SAVED_WITHIN {
            std::thread::sleep(LOOK_EVERY);
        }
        let kept = file.exists().then(|| Self::read(&file));
        kept.inspect(|_| std::fs::remove_file(file).unwrap())
    }

    /// Waits until a window shows what is judged to be right.
    fn wait_for((window, folder): (&Window, &Path), what: &str, judge: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        while !Self::shown_in(window, folder).is_some_and(|shown| judge(&shown)) {
            assert!(begun.elapsed() < DEADLINE, "after {DEADLINE:?} still not: {what}");
        }
    }
}

fn sessions_left(state: &Path) -> Vec<PathBuf> {
    let files = if state.exists() { files_in(state) } else { Vec::new() };
    files.iter().filter(|name| name.ends_with(".nevis")).map(|name| state.join(name)).collect()
}

/// Loses the device of a window that was started with these, and takes its session up again.
fn loses_nothing(args: &[&str]) {
    let Some(display) = Display::start() else { return };
    let state = display.folder().join("state/nevis");
    // A window like any other first: it shows that nothing is offered or left without cause.
    let mut window = display.open(&[]);
    let before = window.wait("there are points", |screen| holds(extent(screen, CLOUD).is_some(), "no cloud"));
    assert!(buttons(&before, OFFER).is_empty(), "an offer without a cause");
    let on = name_of(&display);
    window.quit();
    assert_eq!(sessions_left(&state), Vec::<PathBuf>::new());

    let begun = Instant::now();
    let mut doomed = Doomed::open(&display, &on, args);
    doomed.pause();
    let (status, said) = doomed.end();
    eprintln!("{args:?}: {status} after {:.1} s: {}", begun.elapsed().as_secs_f64(), said.trim());
    assert_eq!(status.code(), Some(1), "{said}");
    assert!(said.starts_with("error: the graphics device failed: DeviceLost"), "{said}");
    assert!(said.contains("the session was saved") && !said.contains("panicked"), "{said}");
    let left = sessions_left(&state);
    assert_eq!(left.len(), 1, "sessions that are left: {left:?}");
    let saved = Kept::read(&left[0]);
    assert_eq!(saved.paused, true);
    assert!(saved.iteration.as_u64().is_some_and(|iteration| iteration >= ON_ITS_WAY), "{:?}", saved.iteration);

    let mut window = display.open(&[]);
    let offered = window.wait("the session is offered, over the demo", |screen| {
        holds(buttons(screen, OFFER).len() == 2, "no offer with two buttons")?;
        holds(extent(screen, CLOUD).is_some(), "no cloud")
    });
    Kept::wait_for((&window, display.folder()), "the demo is shown, not what was lost", |shown| *shown != saved);
    window.click(buttons(&offered, OFFER)[0].middle());
    window.wait("the offer is gone", |screen| holds(buttons(screen, OFFER).is_empty(), "it is still there"));
    Kept::wait_for((&window, display.folder()), "what was lost is back", |shown| *shown == saved);
    let rested = window.wait_for_rest(CLOUD, REST);
    assert!(extent(&rested, CLOUD).is_some(), "there is no cloud");
    eprintln!("{args:?}: {} rows at iteration {} are back", saved.positions.rows(), saved.iteration);
    window.quit();
    assert_eq!(sessions_left(&state), Vec::<PathBuf>::new(), "it was saved elsewhere, and would be offered again");
}

#[test]
fn a_lost_device_ends_the_program_in_order_and_the_session_is_offered() {
    loses_nothing(&["--alpha", "0.7"]);
}

#[test]
fn a_lost_device_on_which_the_engine_ran_loses_nothing_either() {
    loses_nothing(&["--alpha", "0.7", "--backend", "gpu"]);
}
