//! Where rows come from while a map is seen.

use crate::error::CommandError;
use crate::viewer::StreamPlan;
use clap::Args;
use std::path::{Path, PathBuf};
use stream::Origin;

/// The name that stands for standard input.
const STANDARD: &str = "-";
/// Comes before the path of a Unix socket.
const UNIX: &str = "unix:";

/// What feeds a map.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Living data")]
pub struct StreamArgs {
    /// FILE is a directory: files that it gains while the map is seen are taken in.
    #[arg(long)]
    pub follow: bool,
    /// Take in Arrow streams that come by this port of 127.0.0.1 (0: a free one), or by a Unix socket, unix:PATH.
    #[arg(long, value_name = "PORT|unix:PATH")]
    pub listen: Option<String>,
    /// Column that rows are known by: a row that comes with a key that is there takes its place [default: row numbers].
    #[arg(long, value_name = "COLUMN")]
    pub key: Option<String>,
    /// Keep only the last so many rows: the oldest leave as others come.
    #[arg(long, value_name = "N")]
    pub keep_last: Option<usize>,
}

impl StreamArgs {
    /// What feeds the map, and the files it begins with; none if nothing does.
    ///
    /// # Errors
    /// If the flags make no sense together.
    pub fn plan(&self, files: &[PathBuf]) -> Result<Option<(StreamPlan, Vec<PathBuf>)>, CommandError> {
        let wrong = |words: &str| Err(CommandError::Stream(words.to_owned()));
        let standard = files.iter().any(|file| file == Path::new(STANDARD));
        let mut origins = Vec::new();
        if standard {
            if files.len() > 1 {
                return wrong("- is standard input: name no other files beside it");
            }
            origins.push(Origin::Standard);
        }
        if self.follow {
            match files {
                [path] if path.is_dir() => origins.push(Origin::Directory { path: path.clone(), seen: Vec::new() }),
                _ => return wrong("--follow takes one directory: nevis DIR --follow"),
            }
        }
        if let Some(address) = &self.listen {
            match (address.strip_prefix(UNIX), address.parse()) {
                (Some(path), _) if !path.is_empty() => origins.push(Origin::Unix(path.into())),
                (None, Ok(port)) => origins.push(Origin::Tcp(port)),
                _ => return wrong("--listen takes a port (0 to 65535, of 127.0.0.1) or unix:PATH"),
            }
        }
        if origins.is_empty() {
            return match (&self.key, self.keep_last) {
                (None, None) => Ok(None),
                _ => wrong("--key and --keep-last are for data that lives: give --follow, --listen or -"),
            };
        }
        if self.keep_last.is_some_and(|most| most < 2) {
            return wrong("--keep-last must be 2 or more: a map needs two rows");
        }
        let begins_with = if standard || self.follow { Vec::new() } else { files.to_vec() };
        let plan = StreamPlan { origins, key: self.key.clone(), keep_last: self.keep_last };
        Ok(Some((plan, begins_with)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(args: StreamArgs, files: &[&str]) -> Result<Option<(StreamPlan, Vec<PathBuf>)>, CommandError> {
        args.plan(&files.iter().map(PathBuf::from).collect::<Vec<_>>())
    }

    #[test]
    fn what_feeds_a_map_is_read_from_flags() {
        let none = StreamArgs::default;
        assert!(plan(none(), &["a.parquet"]).expect("nothing").is_none());
        let (piped, files) = plan(none(), &["-"]).expect("a pipe").expect("a stream");
        assert_eq!((piped.origins, files), (vec![Origin::Standard], Vec::new()));
        let listen = |address: &str| StreamArgs { listen: Some(address.to_owned()), ..none() };
        let (port, files) = plan(listen("7788"), &["a.parquet"]).expect("a port").expect("a stream");
        assert_eq!((port.origins, files), (vec![Origin::Tcp(7788)], vec![PathBuf::from("a.parquet")]));
        let (socket, _) = plan(listen("unix:/x/y"), &[]).expect("a socket").expect("a stream");
        assert_eq!(socket.origins, [Origin::Unix("/x/y".into())]);
        for (args, files) in [
            (listen("0.0.0.0:80"), &[][..]),
            (listen("unix:"), &[]),
            (listen("99999"), &[]),
            (StreamArgs { follow: true, ..none() }, &["nowhere"]),
            (StreamArgs { keep_last: Some(5), ..none() }, &["a.parquet"]),
            (StreamArgs { keep_last: Some(1), ..listen("1") }, &[]),
            (none(), &["-", "a.parquet"]),
        ] {
            assert!(plan(args.clone(), files).is_err(), "{args:?} {files:?}");
        }
    }
}
