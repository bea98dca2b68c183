//! Scores in files, and the session that lies beside a recorded one.

use crate::error::CommandError;
use crate::input::{DEMO, Input};
use crate::viewer::session::Saved;
use score::Score;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// What every score begins with.
const BEGINNING: &[u8] = b"nevis score";
/// Most bytes that may stand before it: the mark that some editors put at the beginning, comments.
const LOOKED_AT: u64 = 4096;
/// Ending of the session that a score begins with, behind the name of the score.
const START_ENDING: &str = "start.nevis";

/// True if the file is a score, whatever it is called.
pub fn is_score(path: &Path) -> bool {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LOOKED_AT).read_to_end(&mut bytes));
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
    let mut lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_start);
    read.is_ok()
        && lines.find(|line| !line.is_empty() && line[0] != b'#').is_some_and(|line| line.starts_with(BEGINNING))
}

/// What a score is played on.
pub enum Ground {
    /// A session: its data, from where its points were.
    Start(PathBuf),
    /// Data.
    Data(Input),
    /// Whatever is open.
    Open,
}

/// Reads a score, and says what it is played on.
pub fn read_score(path: &Path) -> Result<(Score, Ground), CommandError> {
    let score = Score::read(path)?;
    let ground = match (&score.start, &score.data) {
        (Some(start), _) => {
            let start = beside(path, start);
            if !start.is_file() {
                let why = format!(
                    "{}: it begins with {}, which is not there; put it back, or take the line `start` out",
                    path.display(),
                    start.display()
                );
                return Err(CommandError::Score(why));
            }
            Ground::Start(start)
        }
        (None, Some(data)) => Ground::Data(Input::of(&[beside(path, data)])),
        (None, None) => Ground::Open,
    };
    Ok((score, ground))
}

/// A path as a score names it.
fn beside(score: &Path, named: &str) -> PathBuf {
    if named == DEMO { PathBuf::from(named) } else { score.parent().unwrap_or(Path::new("")).join(named) }
}

/// A score on its way into a file.
pub struct ScoreFiles {
    path: PathBuf,
    score: Score,
    start: Option<(PathBuf, Saved)>,
}

impl ScoreFiles {
    /// A score that was at `from` until now, with what it begins with where that is in no file yet. What it names is
    /// named as seen from its new place.
    pub fn new(path: &Path, score: &Score, from: Option<&Path>, start: Option<&Saved>) -> Self {
        let mut score = score.clone();
        let folder =
            std::path::absolute(path).ok().and_then(|path| path.parent().map(Path::to_owned)).unwrap_or_default();
        let seen = |named: &str| {
            let old = from.map_or_else(|| PathBuf::from(named), |from| beside(from, named));
            let whole = std::path::absolute(&old).unwrap_or(old);
            whole.strip_prefix(&folder).unwrap_or(&whole).to_string_lossy().into_owned()
        };
        score.data = score.data.map(|data| if data == DEMO { data } else { seen(&data) });
        score.start = score.start.map(|start| seen(&start));
        let start = start.map(|start| (path.with_extension(START_ENDING), start.clone()));
        if let Some((path, _)) = &start {
            score.start = path.file_name().map(|name| name.to_string_lossy().into_owned());
        }
        Self { path: path.to_owned(), score, start }
    }

    /// The score as it will be written.
    pub fn score(&self) -> &Score {
        &self.score
    }

    /// Writes it: first what it begins with, then the score, each whole or not at all.
    pub fn write(&self) -> Result<(), CommandError> {
        if let Some((path, start)) = &self.start {
            start.write(path)?;
        }
        let why = |error| CommandError::Score(format!("{}: {error}", self.path.display()));
        self.score.write(&self.path).map_err(why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_known_by_their_first_line() {
        let folder = tempfile::tempdir().expect("a folder");
        for (text, expected) in
            [("nevis score 1\n", true), ("\n# mine\n  nevis score 9\n", true), ("a,b\n1,2\n", false), ("", false)]
        {
            let path = folder.path().join("file");
            std::fs::write(&path, text).expect("written");
            assert_eq!(is_score(&path), expected, "{text:?}");
        }
        assert!(!is_score(&folder.path().join("missing")) && !is_score(folder.path()));
    }

    #[test]
    fn what_a_score_names_is_found_from_its_new_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let score =
            Score { data: Some("cells.parquet".into()), start: Some("a.start.nevis".into()), ..Score::default() };
        let moved = ScoreFiles::new(&at("talks/b.score"), &score, Some(&at("a.score")), None);
        assert_eq!(moved.score().data.as_deref(), at("cells.parquet").to_str());
        let back = ScoreFiles::new(&at("c.score"), moved.score(), Some(&at("talks/b.score")), None);
        assert_eq!(
            (back.score().data.as_deref(), back.score().start.as_deref()),
            (Some("cells.parquet"), Some("a.start.nevis"))
        );
        let demo = Score { data: Some(DEMO.into()), ..Score::default() };
        assert_eq!(ScoreFiles::new(&at("d.score"), &demo, None, None).score().data.as_deref(), Some(DEMO));
    }

    #[test]
    fn a_start_that_is_missing_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.score");
        std::fs::write(&path, "nevis score 1\nstart gone.nevis\n1 stop\n").expect("written");
        let Err(error) = read_score(&path) else { panic!("there is no start") };
        assert!(error.to_string().contains("gone.nevis"), "{error}");
    }
}
