//! Nothing is lost: the session is saved by itself now and then, and after a crash the next start offers it.
//!
//! Each window has a file of its own, named after its process; one whose process is gone was left behind by a crash. A
//! window that is closed removes its file.

use super::data::OpenData;
use super::opening::Opening;
use super::saving::{Sight, Writing, score_on};
use crate::input::Input;
use bevy::app::AppExit;
use bevy::ecs::prelude::{Local, MessageReader, Res, ResMut, Resource};
use controls::{DataCard, Desk, Notices, Request};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time between two autosaves, unless `NEVIS_AUTOSAVE_SECS` says otherwise.
const EVERY: Duration = Duration::from_secs(30);

/// How long a window that is being closed waits for an autosave under way.
const LAST_SAVE: Duration = Duration::from_secs(5);

/// How long it waits for files that were asked for.
const LAST_WRITE: Duration = Duration::from_secs(120);

/// Where autosaves live, and what was found there.
#[derive(Resource, Debug, Clone)]
pub struct Autosave {
    file: PathBuf,
    every: Duration,
    left_behind: Option<PathBuf>,
    /// What was restored, also after it was saved elsewhere: of no use once this window has saved it, or is closed.
    restored: Option<PathBuf>,
    busy: Arc<AtomicBool>,
}

impl Autosave {
    /// Looks for what a crash left behind.
    pub fn new(folder: &Path) -> Self {
        let every = std::env::var("NEVIS_AUTOSAVE_SECS").ok().and_then(|text| text.parse().ok());
        let every = every.and_then(|seconds| Duration::try_from_secs_f32(seconds).ok());
        Self {
            file: folder.join(file_name(std::process::id())),
            every: every.unwrap_or(EVERY),
            left_behind: left_behind(folder, is_running),
            restored: None,
            busy: Arc::default(),
        }
    }
}

/// The folder of what programs keep for themselves: `$XDG_STATE_HOME/nevis`, usually `~/.local/state/nevis`.
pub fn folder() -> PathBuf {
    let variable = |name| std::env::var_os(name).map(PathBuf::from).filter(|path: &PathBuf| path.is_absolute());
    let state = variable("XDG_STATE_HOME").or_else(|| Some(variable("HOME")?.join(".local/state")));
    state.unwrap_or_else(std::env::temp_dir).join("nevis")
}

/// True if the program made this session for itself: nobody would look for it there.
pub fn is_autosave(session: &Path) -> bool {
    session.parent() == Some(&folder())
}

/// Whether there is something that the next start will offer.
pub fn is_left_by_this_process() -> bool {
    folder().join(file_name(std::process::id())).exists()
}

fn file_name(process: u32) -> String {
    format!("autosave-{process}.nevis")
}

/// The newest autosave whose process is gone.
fn left_behind(folder: &Path, is_running: impl Fn(u32) -> bool) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder).ok()?.flatten().map(|file| file.path());
    let orphans = files.filter(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let process = name.strip_prefix("autosave-").and_then(|rest| rest.strip_suffix(".nevis"));
        process.and_then(|process| process.parse().ok()).is_some_and(|process| !is_running(process))
    });
    orphans.max_by_key(|path| path.metadata().and_then(|meta| meta.modified()).ok())
}

fn is_running(process: u32) -> bool {
    process == std::process::id() || Path::new("/proc").join(process.to_string()).exists()
}

/// Offers what a crash left behind.
pub fn offer_restoring(autosave: Res<Autosave>, mut card: ResMut<DataCard>) {
    let Some(path) = &autosave.left_behind else { return };
    // One that cannot be read, for instance of a later version, is not offered, and stays for whoever can.
    if let Ok(saved) = super::session::Saved::read(path) {
        card.restorable = Some(super::opening::short_name(&Input::of(&saved.session.input)));
    }
}

/// Takes up or forgets what a crash left behind.
pub fn restore_or_discard(
    mut requests: MessageReader<Request>,
    mut autosave: ResMut<Autosave>,
    mut opening: ResMut<Opening>,
    mut card: ResMut<DataCard>,
) {
    for request in requests.read() {
        let Some(path) = autosave.left_behind.clone() else { continue };
        match request {
            // The file stays until the session is saved again under this process's name.
            Request::Restore => opening.begin(Input::of(&[path]), dataset::LoadOptions::default()),
            Request::Discard => drop(std::fs::remove_file(path)),
            _ => continue,
        }
        autosave.left_behind = None;
        card.restorable = None;
    }
}

/// Saves the session now and then.
pub fn save_by_itself(
    mut autosave: ResMut<Autosave>,
    data: Res<OpenData>,
    (sight, desk): (Sight, Res<Desk>),
    mut notices: ResMut<Notices>,
    mut last: Local<Option<Instant>>,
    mut warned: Local<bool>,
) {
    let session = data.current.as_ref().and_then(|current| current.session.as_ref());
    if session != autosave.restored.as_ref() && session.is_some_and(|session| is_autosave(session)) {
        autosave.restored = session.cloned();
    }
    let due = last.get_or_insert_with(Instant::now).elapsed() >= autosave.every;
    if !due || autosave.busy.load(Ordering::Acquire) {
        return;
    }
    // Rows that came by a stream are in no file that a session could go on with.
    let Some(current) = data.current.as_ref().filter(|current| !current.living) else { return };
    let Some(mut saved) = sight.saved(current) else { return };
    saved.session.score = score_on(&desk);
    *last = Some(Instant::now());
    if let Some(folder) = autosave.file.parent()
        && let Err(error) = std::fs::create_dir_all(folder)
    {
        if !std::mem::replace(&mut *warned, true) {
            notices.failed(format!("no autosaves: {folder:?} cannot be made ({error})"));
        }
        return;
    }
    let (file, busy) = (autosave.file.clone(), Arc::clone(&autosave.busy));
    let restored = autosave.restored.clone();
    busy.store(true, Ordering::Release);
    std::thread::spawn(move || {
        // A full disk is no reason to disturb; the next one may succeed.
        if saved.write(&file).is_ok() {
            restored.map(std::fs::remove_file); // now there are two of it
        }
        busy.store(false, Ordering::Release);
    });
}

/// A window that is closed leaves nothing to restore; one that has to be given up is saved as it is.
pub fn clean_up(
    mut exits: MessageReader<AppExit>,
    autosave: Res<Autosave>,
    (data, writing): (Res<OpenData>, Res<Writing>),
    (sight, desk): (Sight, Res<Desk>),
) {
    let Some(success) = exits.read().map(|exit| *exit == AppExit::Success).last() else { return }; // it goes on
    let asked = Instant::now();
    while autosave.busy.load(Ordering::Acquire) && asked.elapsed() < LAST_SAVE {
        std::thread::sleep(Duration::from_millis(5)); // what is being written now would be left behind, or win
    }
    // What was asked for is written to its end: whoever saves and quits means both.
    while writing.is_under_way() && asked.elapsed() < LAST_WRITE {
        std::thread::sleep(Duration::from_millis(5));
    }
    if writing.is_under_way() {
        return; // too slow a disk: what was saved by itself stays
    }
    let mut outdated = vec![autosave.restored.as_ref()];
    if success {
        outdated.push(Some(&autosave.file));
    } else {
        let Some(mut saved) = data.current.as_ref().and_then(|current| sight.saved(current)) else { return };
        saved.session.score = score_on(&desk);
        let _ = autosave.file.parent().map(std::fs::create_dir_all); // it may be the first that is saved
        if saved.write(&autosave.file).is_err() {
            return; // the one before is still there
        }
    }
    for file in outdated.into_iter().flatten() {
        let _ = std::fs::remove_file(file); // there may be none
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_crash_left_is_found_and_what_runs_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(left_behind(folder.path(), |_| false), None);
        for process in [11, 12] {
            std::fs::write(folder.path().join(file_name(process)), "x").expect("written");
        }
        std::fs::write(folder.path().join("notes.txt"), "x").expect("written");
        let found = left_behind(folder.path(), |process| process == 11);
        assert_eq!(found, Some(folder.path().join(file_name(12))));
        assert_eq!(left_behind(folder.path(), |_| true), None);
    }
}
