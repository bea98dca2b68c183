//! Scores in files.

use crate::{Score, ScoreError};
use embedding::Settings;
use std::path::Path;
use std::{fs, io};

impl Score {
    /// Reads a score from a file.
    ///
    /// # Errors
    /// If the file cannot be read, or is no score; the line is named.
    pub fn read(path: &Path) -> Result<Self, ScoreError> {
        let bytes = fs::read(path).map_err(|source| ScoreError::Read { path: path.to_owned(), source })?;
        let text = str::from_utf8(&bytes).map_err(|error| {
            let before = &bytes[..error.valid_up_to()];
            ScoreError::NotText { line: 1 + before.iter().filter(|byte| **byte == b'\n').count() }
        })?;
        Self::parse(text)
    }

    /// Writes the score to a file, which is there whole, or as it was before.
    ///
    /// # Errors
    /// If it cannot be written, or if the score does not pass [`check`](Self::check): nobody could read it again.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        self.check(&Settings::default()).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        atomic_file::write(path, self.to_string().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Act, Cue, Take, take};

    #[test]
    fn a_file_holds_the_score_and_nothing_lies_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("take one.score");
        fs::write(&path, "something else").unwrap();
        let score = take(Take::Turntable, 30, None, &[]);
        score.write(&path).unwrap();
        assert_eq!(Score::read(&path).unwrap(), score);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_written_leaves_what_was_there() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.score");
        fs::write(&path, "before").unwrap();
        let wrong = Score { cues: vec![Cue::at(-1.0, Act::Stop)], ..Score::default() };
        assert_eq!(wrong.write(&path).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
        let taken = dir.path().join("folder");
        fs::create_dir_all(taken.join("full")).unwrap();
        assert!(Score::default().write(&taken).is_err());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2, "no temporary is left");
    }

    #[test]
    fn files_that_are_no_text_or_not_there_say_so() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.score");
        let error = Score::read(&path).unwrap_err();
        assert!(error.to_string().starts_with("cannot read the score") && error.line().is_none());
        fs::write(&path, b"nevis score 1\n\n0 note \xff\n").unwrap();
        assert_eq!(Score::read(&path).unwrap_err().to_string(), "line 3: this is no UTF-8 text; a score is");
        fs::write(&path, b"\xef\xbb\xbfnevis score 1\r\n0 note a\r\n").unwrap();
        assert_eq!(Score::read(&path).unwrap().cues, [Cue::at(0.0, Act::Note("a".into()))]);
    }
}
