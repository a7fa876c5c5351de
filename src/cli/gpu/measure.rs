//! `umm gpu measure`

use clap::Args;

use crate::cli::Failure;

/// Measure
#[derive(Debug, Args)]
pub(super) struct Measure {}

impl Measure {
    pub(super) fn run(&self) -> Result<(), Failure> {
        Err(Failure::run("later"))
    }
}
