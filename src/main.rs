//! `umm`: parse the command line, do what it says, print what went wrong, exit.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use memory_machine::cli::{self, Careful, Cli};
use memory_machine::diagnostic::{is_hidden, visible};

#[global_allocator]
static ALLOCATOR: Careful = Careful;

fn main() -> ExitCode {
    let cli = parse();
    match cli::listen().and_then(|()| cli::run(cli)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Plain unless a terminal shows it. Nobody may be left to read it.
            let _ = writeln!(anstream::stderr(), "{}", failure.coloured());
            ExitCode::from(failure.exit_code())
        }
    }
}

/// Exits if the command line makes no sense. The message quotes it.
fn parse() -> Cli {
    Cli::try_parse().unwrap_or_else(|error| {
        if !std::env::args_os().any(|it| it.to_string_lossy().contains(is_hidden)) {
            error.exit();
        }
        let _ = write!(io::stderr(), "{}", visible(&error.render().to_string()));
        std::process::exit(error.exit_code())
    })
}
