//! `umm plot cells`

use clap::Args;

use super::page::Page;
use crate::chart::{self, ArrayCells};
use crate::cli::support::Failure;
use crate::cli::support::options::{ProgramOptions, whole};
use crate::cli::support::settings::setting;

/// Draw which cells of its arrays a parallel loop of a listing reads and writes
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm plot cells umm_opt --set n=12 --phase D,E --time 3 -o diagonals.svg
  umm plot cells umm_opt --set n=12 --phase D --time 3 --iteration i=2 -o case-1.svg
  umm plot cells lcs --set n=8 --phase diagonal --time 5 -o diagonal.svg")]
pub(super) struct Cells {
    #[command(flatten)]
    program: ProgramOptions,
    /// Labels of the listing (see `umm run`)
    #[arg(long, value_delimiter = ',', value_name = "LIST", required = true)]
    phase: Vec<String>,
    /// Of each phase, which of its parallel loops, in the order in which they are executed
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(1..=u64::MAX))]
    time: u64,
    /// Only iterations in which a loop variable has this value, as in i=2
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    iteration: Option<(String, i64)>,
    #[command(flatten)]
    page: Page,
}

impl Cells {
    pub(super) fn draw(&self) -> Result<(), Failure> {
        let case = self.program.case()?.of_pram();
        let (program, layout) = (&*case.program, case.layout()?);
        let iteration = self.iteration.as_ref().map(|(name, value)| (name.as_str(), *value));
        let uses = case.cells(&layout, &self.phase, self.time, iteration)?;
        let grids = ArrayCells::all(program, &layout, &uses).map_err(Failure::input)?;
        let (title, caption) = case.cells_title(&layout, &self.phase, self.time, iteration);
        let (title, canvas) = (self.page.title().unwrap_or(&title), self.page.canvas());
        let scene = chart::cells(&grids, title, &caption, canvas);
        self.page.write(scene, &format!("a run of {}", program.name))
    }
}
