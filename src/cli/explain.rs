//! `umm explain`
use super::Failure;
use clap::Args;
/// Draw the pipeline
#[derive(Debug, Args)]
pub(super) struct Explain {}
impl Explain {
    pub(super) fn run(&self) -> Result<(), Failure> {
        Ok(())
    }
}
