//! `nevis completions`: what a shell needs to complete commands and flags.

use crate::args::{self, CompletionsArgs};
use crate::console::Console;
use crate::error::CommandError;

pub fn run(args: &CompletionsArgs, console: Console) -> Result<(), CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::command(), "nevis", &mut script);
    console.print_bytes(&script)
}
