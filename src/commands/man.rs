//! `nevis man`: manual pages, from the same flags as the help.

use crate::args::{self, ManArgs};
use crate::console::Console;
use crate::error::CommandError;
use clap_mangen::Man;

pub fn run(args: &ManArgs, console: Console) -> Result<(), CommandError> {
    let Some(directory) = &args.out else {
        let mut page = Vec::new();
        Man::new(args::command()).render(&mut page)?;
        return console.print_bytes(&page);
    };
    std::fs::create_dir_all(directory)
        .and_then(|()| clap_mangen::generate_to(args::command(), directory))
        .map_err(|source| CommandError::Directory { directory: directory.clone(), source })
}
