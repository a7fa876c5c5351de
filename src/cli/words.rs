//! `umm bounds --io`

use super::bounds::Bounds;
use super::support::Failure;
use super::support::files;
use crate::case::io::IoReport;

impl Bounds {
    /// Prints what any order of the operations moves between two memories.
    pub(super) fn words(&self) -> Result<(), Failure> {
        if self.study().bulk().is_some() {
            return Err(Failure::input("--io is about one run: leave out --bulk"));
        }
        if self.study().grid().varies() {
            return Err(Failure::input("--io --fast takes one value of a parameter: --set n=64"));
        }
        let case = self.study().load()?.case();
        let bounds = case.io_bounds();
        let numbers = match self.fast {
            Some(fast) => Some(case.io_numbers(&bounds, fast).map_err(Failure::input)?),
            None => None,
        };
        let report = IoReport { program: &case.program, bounds, numbers, latex: self.latex };
        if self.json { files::print_json(&report.json()) } else { files::print(&report.text()) }
    }
}
