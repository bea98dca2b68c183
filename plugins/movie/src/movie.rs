//! A movie in the making: a queue of frames, and the thread that encodes them.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::encoders::{Encode, encoder};
use crate::target::Target;
use crate::{MovieError, MovieKind, MovieOptions, metadata};

/// Frames that may wait for the encoder, the one in its hands included: enough to overlap with drawing, and little
/// memory (three 4K frames are 100 MB).
pub const FRAMES_BEHIND: usize = 3;

/// A movie in the making. Frames are pushed, encoded on a thread of their own, and the file appears at
/// [`finish`](Self::finish). Dropped before that, nothing is left of it.
#[derive(Debug)]
pub struct Movie {
    options: MovieOptions,
    pushed: u64,
    queue: Option<SyncSender<Vec<u8>>>,
    worker: Option<JoinHandle<Result<u64, MovieError>>>,
    target: Option<Target>,
    shared: Arc<Shared>,
}

/// What came of a movie.
#[derive(Debug, Clone, PartialEq)]
pub struct MovieSummary {
    /// Frames in the file. As many as pushed, but fewer in a GIF of more than 50 frames per second.
    pub frames: u64,
    /// Length of the movie, in seconds.
    pub seconds: f64,
    /// Size of the file, or of all frames together, in bytes.
    pub bytes: u64,
    /// Time spent in encoding, in seconds; most of it beside the drawing of frames.
    pub encode_seconds: f64,
}

/// What the movie and its thread tell each other.
#[derive(Debug, Default)]
struct Shared {
    frames: AtomicU64,
    nanoseconds: AtomicU64,
    abandoned: AtomicBool,
    /// What is stored beside the pictures, at the end.
    metadata: Mutex<Vec<(String, String)>>,
}

impl Shared {
    /// Runs a step of encoding and adds its time, also if it fails.
    fn time<T>(&self, step: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = step();
        let nanoseconds = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
        result
    }
}

impl Movie {
    /// Starts a movie at `path`, whose kind [`MovieKind::of`] tells. Nothing at `path` changes before
    /// [`finish`](Self::finish).
    ///
    /// # Errors
    /// Whatever can be known before the first frame: an extension that is no movie's, options out of range, sides that
    /// the kind cannot take, a folder that is missing or cannot be written to.
    pub fn create(path: &Path, options: MovieOptions) -> Result<Self, MovieError> {
        let kind = MovieKind::of(path).ok_or_else(|| MovieError::UnknownKind { path: path.to_owned() })?;
        options.check(kind)?;
        let target = Target::create(path, kind)?;
        let encoder = encoder(kind, &target, &options)?;
        Self::with_encoder(target, options, encoder)
    }

    fn with_encoder(target: Target, options: MovieOptions, encoder: Box<dyn Encode>) -> Result<Self, MovieError> {
        let (queue, frames) = sync_channel(FRAMES_BEHIND - 1); // one more is in the encoder's hands
        let shared = Arc::new(Shared { metadata: Mutex::new(options.metadata.clone()), ..Shared::default() });
        let worker = thread::Builder::new().name("movie".into()).spawn({
            let shared = Arc::clone(&shared);
            move || encode(encoder, &frames, &shared)
        })?;
        Ok(Self { options, pushed: 0, queue: Some(queue), worker: Some(worker), target: Some(target), shared })
    }

    /// Hands over a frame: width × height RGBA bytes, sRGB, rows from the top. Only APNG and PNG frames keep alpha.
    /// Returns at once unless the encoder is [`FRAMES_BEHIND`] behind; then it waits for it.
    ///
    /// # Errors
    /// A frame of the wrong size, which is left out, so that the movie can go on; or what made the encoder fail at an
    /// earlier frame, which ends the movie.
    pub fn push(&mut self, frame: Vec<u8>) -> Result<(), MovieError> {
        let expected = self.options.frame_bytes();
        if frame.len() != expected {
            let MovieOptions { width, height, .. } = self.options;
            return Err(MovieError::FrameSize { width, height, expected, found: frame.len() });
        }
        let queue = self.queue.as_ref().ok_or(MovieError::Ended)?;
        if queue.send(frame).is_err() {
            // The thread let go of the queue: it failed, and its result says why.
            return Err(self.join().err().unwrap_or(MovieError::Ended));
        }
        self.pushed += 1;
        Ok(())
    }

    /// Stores other keys and texts than those of the options: what is known only at the end. It may be called until
    /// [`finish`](Self::finish).
    ///
    /// # Errors
    /// If a key or a text cannot be stored; then those before stay.
    pub fn set_metadata(&mut self, metadata: Vec<(String, String)>) -> Result<(), MovieError> {
        metadata.iter().try_for_each(|(key, text)| metadata::check(key, text))?;
        *self.shared.metadata.lock().unwrap_or_else(PoisonError::into_inner) = metadata;
        Ok(())
    }

    /// Ends the file so that it plays, and puts it at its path in one step.
    ///
    /// # Errors
    /// No frame was pushed, the encoder failed, or the file cannot be put in place. Then what was at the path before is
    /// still there.
    pub fn finish(mut self) -> Result<MovieSummary, MovieError> {
        if self.queue.is_some() && self.pushed == 0 {
            return Err(MovieError::Empty);
        }
        let frames = self.join()?;
        let target = self.target.take().ok_or(MovieError::Ended)?;
        let bytes = target.commit()?;
        Ok(MovieSummary {
            frames,
            seconds: self.pushed as f64 / f64::from(self.options.fps),
            bytes,
            encode_seconds: self.progress().1.as_secs_f64(),
        })
    }

    /// Frames encoded so far, and the time spent in encoding them.
    pub fn progress(&self) -> (u64, Duration) {
        let nanoseconds = self.shared.nanoseconds.load(Ordering::Relaxed);
        (self.shared.frames.load(Ordering::Relaxed), Duration::from_nanos(nanoseconds))
    }

    /// Lets the thread come to its end: frames in the file, or what went wrong.
    fn join(&mut self) -> Result<u64, MovieError> {
        self.queue = None;
        let worker = self.worker.take().ok_or(MovieError::Ended)?;
        worker.join().map_err(|_| MovieError::Panicked)?
    }
}

impl Drop for Movie {
    fn drop(&mut self) {
        self.shared.abandoned.store(true, Ordering::Relaxed);
        // The thread lets go of the temporary before that is removed.
        let _ = self.join();
    }
}

/// The thread's work: frame by frame until the queue closes.
fn encode(mut encoder: Box<dyn Encode>, frames: &Receiver<Vec<u8>>, shared: &Shared) -> Result<u64, MovieError> {
    for frame in frames {
        if shared.abandoned.load(Ordering::Relaxed) {
            return Err(MovieError::Ended);
        }
        shared.time(|| encoder.frame(frame))?;
        shared.frames.fetch_add(1, Ordering::Relaxed);
    }
    if shared.abandoned.load(Ordering::Relaxed) {
        return Err(MovieError::Ended);
    }
    let metadata = std::mem::take(&mut *shared.metadata.lock().unwrap_or_else(PoisonError::into_inner));
    shared.time(|| encoder.finish(&metadata))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Waits for a word before each frame, and fails at one of them.
    struct Held {
        allowed: Arc<Mutex<Receiver<()>>>,
        fails_at: Option<u64>,
        frames: u64,
    }

    impl Encode for Held {
        fn frame(&mut self, _: Vec<u8>) -> Result<(), MovieError> {
            let _ = self.allowed.lock().unwrap().recv();
            self.frames += 1;
            if self.fails_at == Some(self.frames) { Err(MovieError::TooLarge { frame: self.frames }) } else { Ok(()) }
        }

        fn finish(self: Box<Self>, _: &[(String, String)]) -> Result<u64, MovieError> {
            Ok(self.frames)
        }
    }

    struct Panics;

    impl Encode for Panics {
        fn frame(&mut self, _: Vec<u8>) -> Result<(), MovieError> {
            panic!("as the test wants it")
        }

        fn finish(self: Box<Self>, _: &[(String, String)]) -> Result<u64, MovieError> {
            Ok(0)
        }
    }

    fn small() -> MovieOptions {
        MovieOptions { width: 2, height: 2, ..Default::default() }
    }

    fn movie(path: &Path, encoder: Box<dyn Encode>) -> Movie {
        Movie::with_encoder(Target::create(path, MovieKind::Gif).unwrap(), small(), encoder).unwrap()
    }

    fn files(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn pushing_runs_ahead_of_the_encoder_by_three_frames_and_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let (allow, allowed) = sync_channel(100);
        let encoder = Held { allowed: Arc::new(Mutex::new(allowed)), fails_at: None, frames: 0 };
        let mut movie = movie(&folder.path().join("a.gif"), Box::new(encoder));
        for _ in 0..FRAMES_BEHIND {
            movie.push(vec![0; 16]).unwrap(); // returns, though not one frame is encoded
        }
        assert_eq!(movie.progress().0, 0);
        let pushing = thread::spawn(move || {
            movie.push(vec![0; 16]).unwrap();
            (movie.progress().0, movie)
        });
        thread::sleep(Duration::from_millis(100));
        assert!(!pushing.is_finished(), "the queue has no end");
        allow.send(()).unwrap();
        let (encoded, movie) = pushing.join().unwrap();
        assert!(encoded <= 1, "{encoded}");
        for _ in 0..FRAMES_BEHIND {
            allow.send(()).unwrap();
        }
        assert_eq!(movie.finish().unwrap().frames, 4);
    }

    #[test]
    fn an_encoder_that_fails_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gif");
        fs::write(&path, "old").unwrap();
        let (allow, allowed) = sync_channel(100);
        let encoder = Held { allowed: Arc::new(Mutex::new(allowed)), fails_at: Some(2), frames: 0 };
        let mut movie = movie(&path, Box::new(encoder));
        for _ in 0..20 {
            allow.send(()).unwrap();
        }
        let failed = (0..20).find_map(|_| movie.push(vec![0; 16]).err()).unwrap();
        assert!(matches!(failed, MovieError::TooLarge { frame: 2 }), "{failed}");
        assert!(matches!(movie.push(vec![0; 16]), Err(MovieError::Ended)));
        assert!(matches!(movie.finish(), Err(MovieError::Ended)));
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(files(folder.path()), ["a.gif"]);
    }

    #[test]
    fn a_failure_at_the_last_frame_is_told_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let (allow, allowed) = sync_channel(1);
        let encoder = Held { allowed: Arc::new(Mutex::new(allowed)), fails_at: Some(1), frames: 0 };
        let mut movie = movie(&folder.path().join("a.gif"), Box::new(encoder));
        movie.push(vec![0; 16]).unwrap();
        allow.send(()).unwrap();
        assert!(matches!(movie.finish(), Err(MovieError::TooLarge { frame: 1 })));
        assert_eq!(files(folder.path()), [""; 0]);
    }

    #[test]
    fn a_movie_may_go_from_thread_to_thread() {
        fn check<T: Send + Sync>() {}
        check::<Movie>();
        check::<MovieError>();
    }

    #[test]
    fn an_encoder_that_panics_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let mut movie = movie(&folder.path().join("a.gif"), Box::new(Panics));
        movie.push(vec![0; 16]).unwrap();
        assert!(matches!(movie.finish(), Err(MovieError::Panicked)));
        assert_eq!(files(folder.path()), [""; 0]);
    }
}
