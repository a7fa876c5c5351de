//! `umm`: parse the command line, do what it says, print what went wrong, exit.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use memory_machine::cli::{Careful, Cli, run};

#[global_allocator]
static ALLOCATOR: Careful = Careful;

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Nobody may be left to read it.
            let _ = writeln!(io::stderr(), "{failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}
