//! Where rows come from: files, or the demo inside the program.

use crate::console::Console;
use crate::error::CommandError;
use dataset::write::check_spares;
use dataset::{Bytes, Dataset, DatasetError, Info, LoadOptions, read_metadata};
use std::fmt;
use std::path::{Path, PathBuf};

/// The name that stands for the demo wherever a path is expected.
pub const DEMO: &str = "demo:";

/// Handwritten digits; see assets/README.md for their origin and licence.
static DEMO_BYTES: &[u8] = include_bytes!("../assets/demo_optdigits_5620.parquet");

/// Where a session stands in the metadata of its file.
pub const SESSION_KEY: &str = "nevis.session";

/// What is to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// The built-in demo.
    Demo,
    /// Files and directories of parts.
    Files(Vec<PathBuf>),
}

impl Input {
    pub fn of(paths: &[PathBuf]) -> Self {
        match paths {
            [only] if only == Path::new(DEMO) => Self::Demo,
            paths => Self::Files(paths.to_vec()),
        }
    }

    /// An input that another file names: where it was, or beside that file; else the first path that is in neither place.
    pub fn found(paths: &[PathBuf], beside: &Path) -> Result<Self, PathBuf> {
        let place = |path: &PathBuf| {
            if path == Path::new(DEMO) { Ok(path.clone()) } else { found(path, beside).ok_or_else(|| path.clone()) }
        };
        Ok(Self::of(&paths.iter().map(place).collect::<Result<Vec<_>, _>>()?))
    }

    /// The paths as they were given.
    pub fn paths(&self) -> Vec<PathBuf> {
        match self {
            Self::Demo => vec![DEMO.into()],
            Self::Files(paths) => paths.clone(),
        }
    }

    /// Says whether an output leaves the input alone.
    pub fn check_outlives(&self, out: &Path) -> Result<(), CommandError> {
        match self {
            Self::Demo => Ok(()),
            Self::Files(paths) => Ok(check_spares(out, paths)?),
        }
    }

    /// Reads vectors and attributes.
    pub fn load(&self, options: &LoadOptions, console: Console) -> Result<Dataset, CommandError> {
        if let Self::Files(paths) = self
            && let Some(path) = paths.iter().find(|path| is_session(path))
        {
            return Err(CommandError::SessionAsData { path: path.clone() });
        }
        self.try_load(options, console).map_err(|error| CommandError::in_input(self, error))
    }

    /// As [`load`](Self::load), for callers that look into the error.
    pub fn try_load(&self, options: &LoadOptions, console: Console) -> Result<Dataset, DatasetError> {
        console.while_loading(|progress| self.read(options, progress))
    }

    /// As [`load`](Self::load), for callers that show the progress themselves.
    pub fn read(
        &self,
        options: &LoadOptions,
        progress: &(dyn Fn(dataset::Progress) + Sync),
    ) -> Result<Dataset, DatasetError> {
        match self {
            Self::Demo => dataset::load_bytes(DEMO, Bytes::from_static(DEMO_BYTES), options, progress),
            Self::Files(paths) => dataset::load(paths, options, progress),
        }
    }

    /// Looks at every row and keeps none.
    pub fn inspect(&self, options: &LoadOptions, console: Console) -> Result<Info, CommandError> {
        let info = console.while_loading(|progress| match self {
            Self::Demo => dataset::inspect_bytes(DEMO, Bytes::from_static(DEMO_BYTES), options, progress),
            Self::Files(paths) => dataset::inspect(paths, options, progress),
        });
        info.map_err(|error| CommandError::in_input(self, error))
    }
}

/// True if the file holds a session, whatever it is called.
pub fn is_session(path: &Path) -> bool {
    path.is_file() && matches!(read_metadata(path, SESSION_KEY), Ok(Some(_)))
}

/// A file that another one names: where it was, or beside that one.
pub fn found(path: &Path, beside: &Path) -> Option<PathBuf> {
    let neighbour = beside.parent().zip(path.file_name()).map(|(folder, name)| folder.join(name));
    [Some(path.to_path_buf()), neighbour].into_iter().flatten().find(|path| path.exists())
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Demo => f.write_str("the demo"),
            Self::Files(paths) => match paths.as_slice() {
                [] => f.write_str("no file"),
                [only] => write!(f, "{only:?}"),
                [first, rest @ ..] => write!(f, "{first:?} and {} more", rest.len()),
            },
        }
    }
}

/// What the user should know of how an input was read.
pub fn loading_notes(data: &Dataset) -> Vec<String> {
    let mut notes = data.notes.clone();
    if data.source.dropped_rows > 0 {
        let dropped = crate::text::counted(data.source.dropped_rows, "row");
        notes.push(format!("{dropped} left out: null, NaN, infinity or another length in the vector"));
    }
    notes
}
