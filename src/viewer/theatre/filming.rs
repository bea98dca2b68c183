//! Movies made from the window: `nevis record` in a process of its own, so that nothing here waits for it or falls with
//! it.

use bevy::ecs::prelude::{ResMut, Resource};
use controls::{Desk, Notices};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, PoisonError};

/// The movie that is being made.
#[derive(Resource, Default)]
pub struct Filming(Option<Camera>);

struct Camera {
    child: Child,
    path: PathBuf,
    lines: Mutex<Receiver<String>>,
    last: String,
}

impl Filming {
    pub fn is_under_way(&self) -> bool {
        self.0.is_some()
    }

    /// Begins a movie of a score that lies in a file.
    ///
    /// # Errors
    /// If the program cannot start itself again.
    pub fn begin(&mut self, score: &Path, movie: PathBuf) -> std::io::Result<()> {
        let mut child = Command::new(std::env::current_exe()?)
            .args(["record", "--frame-lines", "--score"])
            .arg(score)
            .arg("--out")
            .arg(&movie)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let (said, lines) = channel();
        if let Some(stderr) = child.stderr.take() {
            std::thread::spawn(move || {
                // Whoever stops listening is not told any more.
                BufReader::new(stderr).lines().map_while(Result::ok).all(|line| said.send(line).is_ok())
            });
        }
        self.0 = Some(Camera { child, path: movie, lines: Mutex::new(lines), last: String::new() });
        Ok(())
    }

    /// Asks it to come to an end, so that what is done plays.
    pub fn end(&self) {
        let Some(camera) = &self.0 else { return };
        #[cfg(unix)]
        if let Some(process) = i32::try_from(camera.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process(process, rustix::process::Signal::INT); // it may have ended by itself
        }
        #[cfg(not(unix))]
        let _ = camera;
    }
}

/// What a line of `--frame-lines` says: frames that are done, and all.
pub fn frame_line(done: u64, total: u64) -> String {
    format!("frame {done} of {total}")
}

fn read_frame_line(line: &str) -> Option<(u64, u64)> {
    let (done, total) = line.strip_prefix("frame ")?.split_once(" of ")?;
    Some((done.parse().ok()?, total.parse().ok()?))
}

/// Hears how far it has got, once a frame, and says how it went.
pub fn hear_filming(mut filming: ResMut<Filming>, mut desk: ResMut<Desk>, mut notices: ResMut<Notices>) {
    let Some(camera) = &mut filming.0 else { return };
    let mut progress = desk.filming.as_ref().map_or((0, 0), |filming| (filming.done, filming.total));
    for line in camera.lines.lock().unwrap_or_else(PoisonError::into_inner).try_iter() {
        match read_frame_line(&line) {
            Some(counted) => progress = counted,
            None => camera.last = line,
        }
    }
    let shown = controls::desk::Filming { path: camera.path.clone(), done: progress.0, total: progress.1 };
    if desk.filming.as_ref() != Some(&shown) {
        desk.filming = Some(shown);
    }
    let Ok(Some(status)) = camera.child.try_wait() else { return };
    match status.success() {
        true => notices.done(format!("movie of {} frames: {}", progress.0, camera.path.display())),
        false => notices.failed(format!("the movie was not made: {}", camera.last.trim_start_matches("error: "))),
    }
    (filming.0, desk.filming) = (None, None);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_frames_are_read_as_they_are_written() {
        assert_eq!(read_frame_line(&frame_line(12, 360)), Some((12, 360)));
        assert_eq!(read_frame_line("error: frame 3"), None);
    }
}
