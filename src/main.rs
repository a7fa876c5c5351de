//! `umm`: parse the command line, do what it says, print what went wrong, exit.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use memory_machine::cli::{self, Cli};

fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli::listen().and_then(|()| cli::run(cli)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Nobody may be left to read it.
            let _ = writeln!(io::stderr(), "{failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}
