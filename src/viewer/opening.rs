//! Opening data while the window goes on: a thread reads, the main thread looks in once a frame.

use super::carried;
use super::data::{Choice, OpenData};
use super::session::{Saved, Session, SessionError};
use super::streaming::{Feed, StreamPlan, read_living};
use super::theatre::{Ground, is_score, read_score};
use crate::error::CommandError;
use crate::input::Input;
use crate::input::is_session;
use bevy::ecs::prelude::{MessageReader, Res, ResMut, Resource};
use controls::{DataCard, Loading, Notices, Request};
use dataset::{Dataset, LoadOptions, Phase, Progress};
use score::Score;
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
    /// What it is gone on with.
    pub saved: Option<Saved>,
    /// The session's own file: it is saved there again.
    pub session: Option<PathBuf>,
    /// What it shall look like, where that is known without positions.
    pub view: Option<Session>,
    /// What is to be played on it, and where that lies.
    pub score: Option<(Score, PathBuf)>,
    /// What feeds it from then on.
    pub feed: Option<Feed>,
}

/// What came of reading.
pub enum Arrived {
    /// Data to go over to.
    Data(Box<Read>),
    /// A score for the data that is open.
    Score(Box<Score>, PathBuf),
}

impl From<Read> for Arrived {
    fn from(read: Read) -> Self {
        Self::Data(Box::new(read))
    }
}

impl Read {
    /// That there are as many rows as a file has positions.
    pub fn check_rows(&self, path: &Path, found: usize) -> Result<(), CommandError> {
        let rows = self.dataset.vectors.rows();
        if rows == found {
            return Ok(());
        }
        let (input, embedding) = (self.input.to_string(), path.to_owned());
        Err(CommandError::RowCounts { input, embedding, hd: rows, ld: found })
    }
}

/// A file that is being opened.
#[derive(Resource, Default)]
pub struct Opening {
    under_way: Option<UnderWay>,
}

struct UnderWay {
    name: String,
    /// What is done until progress is heard of.
    begins: &'static str,
    progress: Arc<Mutex<Option<Progress>>>,
    outcome: Mutex<Receiver<Result<Arrived, CommandError>>>,
}

impl Opening {
    /// Begins to open files, the demo or a session; what was being opened before is forgotten.
    pub(crate) fn begin(&mut self, input: Input, load: LoadOptions) {
        self.read_on_a_thread(short_name(&input), move |report| read(input, load, report));
    }

    /// Begins to take up the state that a file carries: a session, a score, a picture, a movie, or a table of coordinates.
    pub fn restore(&mut self, path: PathBuf, load: LoadOptions) {
        let name = short_name(&Input::of(std::slice::from_ref(&path)));
        self.read_on_a_thread(name, move |report| restore(&path, &load, report));
    }

    /// Begins to open what a stream brings, after files or from its first rows on.
    pub fn follow(&mut self, plan: StreamPlan, files: &[PathBuf], load: LoadOptions) {
        let files = (!files.is_empty()).then(|| Input::of(files));
        let name = files.as_ref().map_or_else(|| plan.name(&[]), short_name);
        self.read_on_a_thread(name, move |report| read_living(plan, files, load, report));
        if let Some(under_way) = &mut self.under_way {
            under_way.begins = "waiting for its first rows";
        }
    }

    fn read_on_a_thread(
        &mut self,
        name: String,
        read: impl FnOnce(Report<'_>) -> Result<Arrived, CommandError> + Send + 'static,
    ) {
        let progress = Arc::new(Mutex::new(None));
        let (done, outcome) = channel();
        let heard = Arc::clone(&progress);
        std::thread::spawn(move || {
            let report = |progress: Progress| *heard.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
            let _ = done.send(read(&report)); // nobody may be waiting any more
        });
        self.under_way = Some(UnderWay { name, begins: "opening", progress, outcome: Mutex::new(outcome) });
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
            None => Loading { name, phase: under_way.begins.to_owned(), done: 0, total: 0 },
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
    fn outcome(&mut self) -> Option<Result<Arrived, CommandError>> {
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

impl Read {
    /// Data that nothing else is known of.
    pub fn of(input: Input, load: LoadOptions, dataset: Dataset) -> Self {
        Self { input, load, dataset, saved: None, session: None, view: None, score: None, feed: None }
    }
}

/// Hears how far it has got.
pub type Report<'a> = &'a (dyn Fn(Progress) + Sync);

/// Reads data, or what a session, a score, a picture or a movie was made from.
fn read(input: Input, load: LoadOptions, report: Report<'_>) -> Result<Arrived, CommandError> {
    if let Input::Files(paths) = &input
        && let [path] = paths.as_slice()
        && let Some(restored) = restored(path, &load, report)?
    {
        return Ok(restored);
    }
    let dataset = input.read(&load, report).map_err(|error| CommandError::in_input(&input, error))?;
    Ok(Read::of(input, load, dataset).into())
}

/// What a session, a score, a picture or a movie was made from; none if the file is neither.
fn restored(path: &Path, load: &LoadOptions, report: Report<'_>) -> Result<Option<Arrived>, CommandError> {
    if is_score(path) {
        return Ok(Some(read_for_score(path, load, report)?));
    }
    if is_session(path) {
        let saved = Saved::read(path)?;
        let read = read_data_of(path, &saved.session, saved.session.load.clone(), report)?;
        return Ok(Some(Read { saved: Some(saved), session: Some(path.to_owned()), ..read }.into()));
    }
    let Some(session) = carried::of_picture(path)? else { return Ok(None) };
    let read = read_data_of(path, &session, session.load.clone(), report)?;
    Ok(Some(Read { view: Some(session), ..read }.into()))
}

/// A score, and what it is played on.
fn read_for_score(path: &Path, load: &LoadOptions, report: Report<'_>) -> Result<Arrived, CommandError> {
    let (score, ground) = read_score(path)?;
    let read = match ground {
        Ground::Open => return Ok(Arrived::Score(Box::new(score), path.to_owned())),
        Ground::Start(start) => {
            let saved = Saved::read(&start)?;
            let read = read_data_of(&start, &saved.session, saved.session.load.clone(), report)?;
            Read { saved: Some(saved), ..read }
        }
        Ground::Data(input) => {
            let dataset = input.read(load, report).map_err(|error| CommandError::in_input(&input, error))?;
            Read::of(input, load.clone(), dataset)
        }
    };
    if let Some(hash) = &score.hash {
        check_hash(path, &read.input, hash, &read.dataset.source.hash)?;
    }
    Ok(Read { score: Some((score, path.to_owned())), ..read }.into())
}

/// Takes up the state that any file of ours carries.
fn restore(path: &Path, load: &LoadOptions, report: Report<'_>) -> Result<Arrived, CommandError> {
    if let Some(restored) = restored(path, load, report)? {
        return Ok(restored);
    }
    let saved = carried::of_table(path)?;
    let read = read_data_of(path, &saved.session, saved.session.load.clone(), report)?;
    read.check_rows(path, saved.positions.rows())?;
    Ok(Read { saved: Some(saved), ..read }.into())
}

/// The data that the state in a file is of, the very same bytes, read in a given way.
pub fn read_data_of(
    path: &Path,
    session: &Session,
    load: LoadOptions,
    report: Report<'_>,
) -> Result<Read, CommandError> {
    let input = session.data(path)?;
    let dataset = input.read(&load, report).map_err(|error| CommandError::in_input(&input, error))?;
    check_hash(path, &input, &session.input_hash, &dataset.source.hash)?;
    Ok(Read::of(input, load, dataset))
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
        Ok(Arrived::Data(read)) => data.arrived = Some(read),
        Ok(Arrived::Score(_, path)) if data.current.is_none() => {
            notices.failed(format!("{} names no data: open its data first", path.display()));
        }
        Ok(Arrived::Score(score, path)) => data.arrived_score = Some((*score, path)),
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
