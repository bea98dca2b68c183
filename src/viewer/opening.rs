//! Opening data while the window goes on: a thread reads, the main thread looks in once a frame.

use super::data::{Choice, OpenData};
use super::session::{Saved, SessionError, is_session};
use crate::error::CommandError;
use crate::input::Input;
use bevy::ecs::prelude::{MessageReader, Res, ResMut, Resource};
use controls::{DataCard, Loading, Notices, Request};
use dataset::{Dataset, LoadOptions, Phase, Progress};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};

/// Digits of a hash that tell files apart.
const HASH_DIGITS: usize = 12;

/// What was read.
pub struct Read {
    pub input: Input,
    pub load: LoadOptions,
    pub dataset: Dataset,
    pub saved: Option<(PathBuf, Saved)>,
}

/// A file that is being opened.
#[derive(Resource, Default)]
pub struct Opening {
    under_way: Option<UnderWay>,
}

struct UnderWay {
    name: String,
    progress: Arc<Mutex<Option<Progress>>>,
    outcome: Mutex<Receiver<Result<Box<Read>, CommandError>>>,
}

impl Opening {
    /// Begins to open files, the demo or a session; what was being opened before is forgotten.
    pub(crate) fn begin(&mut self, input: Input, load: LoadOptions) {
        let progress = Arc::new(Mutex::new(None));
        let (done, outcome) = channel();
        let name = short_name(&input);
        let heard = Arc::clone(&progress);
        std::thread::spawn(move || {
            let report = |progress: Progress| *heard.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
            let _ = done.send(read(input, load, &report).map(Box::new)); // nobody may be waiting any more
        });
        self.under_way = Some(UnderWay { name, progress, outcome: Mutex::new(outcome) });
    }

    /// Forgets what is being opened.
    pub fn cancel(&mut self) {
        self.under_way = None;
    }

    /// True while something is being opened.
    pub fn is_under_way(&self) -> bool {
        self.under_way.is_some()
    }

    /// How far it has got.
    fn loading(&self) -> Option<Loading> {
        let under_way = self.under_way.as_ref()?;
        let progress = *under_way.progress.lock().unwrap_or_else(PoisonError::into_inner);
        let name = under_way.name.clone();
        Some(match progress {
            None => Loading { name, phase: "opening".to_owned(), done: 0, total: 0 },
            Some(Progress { phase, done, total }) => {
                let phase = match phase {
                    Phase::Opening => "opening",
                    Phase::Reading => "reading",
                    Phase::Standardizing => "standardizing",
                    Phase::Reducing => "finding principal components",
                };
                Loading { name, phase: phase.to_owned(), done, total }
            }
        })
    }

    /// What came of it, once.
    fn outcome(&mut self) -> Option<Result<Box<Read>, CommandError>> {
        let received = self.under_way.as_ref()?.outcome.lock().unwrap_or_else(PoisonError::into_inner).try_recv();
        match received {
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                self.under_way = None;
                Some(Err(std::io::Error::other("reading broke off; the file may be damaged").into()))
            }
            Ok(outcome) => {
                self.under_way = None;
                Some(outcome)
            }
        }
    }
}

/// Reads data, or a session and its data.
fn read(input: Input, load: LoadOptions, report: &(dyn Fn(Progress) + Sync)) -> Result<Read, CommandError> {
    let session = match &input {
        Input::Files(paths) if paths.len() == 1 && is_session(&paths[0]) => Some(paths[0].clone()),
        _ => None,
    };
    let Some(path) = session else {
        let dataset = input.read(&load, report).map_err(|error| CommandError::in_input(&input, error))?;
        return Ok(Read { input, load, dataset, saved: None });
    };
    let saved = Saved::read(&path)?;
    let input = saved.session.data(&path)?;
    let load = saved.session.load.clone();
    let dataset = input.read(&load, report).map_err(|error| CommandError::in_input(&input, error))?;
    check_hash(&path, &input, &saved.session.input_hash, &dataset.source.hash)?;
    Ok(Read { input, load, dataset, saved: Some((path, saved)) })
}

fn check_hash(path: &Path, input: &Input, expected: &str, found: &str) -> Result<(), SessionError> {
    if expected == found {
        return Ok(());
    }
    let short = |hash: &str| hash.chars().take(HASH_DIGITS).collect();
    let (expected, found) = (short(expected), short(found));
    Err(SessionError::OtherData { path: path.into(), input: input.to_string(), expected, found })
}

/// The name of an input in a title.
pub fn short_name(input: &Input) -> String {
    match input {
        Input::Demo => "demo".to_owned(),
        Input::Files(paths) => {
            let first =
                paths.first().and_then(|path| path.file_stem()).map_or("data".into(), |name| name.to_string_lossy());
            match paths.len() {
                0 | 1 => first.into_owned(),
                more => format!("{first} and {} more", more - 1),
            }
        }
    }
}

/// Begins what is asked for.
pub fn begin_opening(mut requests: MessageReader<Request>, mut opening: ResMut<Opening>, choice: Res<Choice>) {
    for request in requests.read() {
        match request {
            Request::Open(paths) if !paths.is_empty() => opening.begin(Input::of(paths), choice.load.clone()),
            Request::OpenDemo => opening.begin(Input::Demo, LoadOptions::default()),
            Request::CancelOpening => opening.cancel(),
            _ => {}
        }
    }
}

/// Takes over what was read; what could not be read leaves everything as it is, and a notice.
pub fn finish_opening(
    mut opening: ResMut<Opening>,
    mut data: ResMut<OpenData>,
    mut card: ResMut<DataCard>,
    mut notices: ResMut<Notices>,
) {
    let loading = opening.loading();
    if card.loading != loading {
        card.loading = loading;
    }
    let Some(outcome) = opening.outcome() else { return };
    card.loading = None;
    match outcome {
        Ok(read) => data.arrived = Some(read),
        Err(error) => notices.failed(full_text(&error)),
    }
}

/// An error down to its last cause, on a few lines.
pub fn full_text(error: &CommandError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        let reason = error.to_string();
        if !text.contains(&reason) {
            text += &format!(" ({reason})");
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short() {
        assert_eq!(short_name(&Input::Demo), "demo");
        assert_eq!(short_name(&Input::of(&["/a/b/cells.v2.parquet".into()])), "cells.v2");
        assert_eq!(short_name(&Input::of(&["/a/x.csv".into(), "y.csv".into()])), "x and 1 more");
    }

    #[test]
    fn another_file_than_the_session_s_is_refused() {
        let error = check_hash(Path::new("s.nevis"), &Input::Demo, "aaaaaaaaaaaaaaaa", "bbbb").expect_err("another");
        assert!(error.to_string().contains("aaaaaaaaaaaa,") || error.to_string().contains("aaaaaaaaaaaa;"), "{error}");
    }
}
