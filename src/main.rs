//! `umm`: do what the command line says, and exit.

use std::process::ExitCode;

use memory_machine::cli::{self, CappedAllocator};

#[global_allocator]
static ALLOCATOR: CappedAllocator = CappedAllocator;

fn main() -> ExitCode {
    cli::main(std::env::args_os()).into()
}
