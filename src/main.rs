//! `umm`: do what the command line says, and exit.

use std::process::ExitCode;

use memory_machine::cli::{self, Careful};

#[global_allocator]
static ALLOCATOR: Careful = Careful;

fn main() -> ExitCode {
    cli::main(std::env::args_os()).into()
}
