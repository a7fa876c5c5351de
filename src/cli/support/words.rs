//! Words between two memories: what `umm bounds --io` prints.

use super::study::StudyOptions;
use super::{Failure, files};
use crate::case::io::IoReport;
use crate::language::program::Parameter;

/// Prints what any order of the operations moves between two memories; with numbers for S fast words.
pub(crate) fn print_words(
    study: &StudyOptions,
    fast: Option<u64>,
    latex: bool,
    json: bool,
) -> Result<(), Failure> {
    if study.bulk().is_some() {
        return Err(Failure::input("--io is about one run: leave out --bulk"));
    }
    if study.grid().varies() {
        return Err(Failure::input("--io --fast takes one value of a parameter: --set n=64"));
    }
    let case = study.load()?.case();
    let is_open = |it: &&Parameter| it.default.is_none() && !case.set.0.contains_key(&it.name);
    if fast.is_some()
        && case.layout().is_err()
        && let Some(it) = case.program.parameters.iter().find(is_open)
    {
        return Err(Failure::input(format_args!(
            "--fast gives numbers for sizes: give a value of `{0}`, as in --set {0}=64",
            it.name
        )));
    }
    let bounds = case.io_bounds();
    let numbers = match fast {
        Some(fast) => Some(case.io_numbers(&bounds, fast).map_err(Failure::input)?),
        None => None,
    };
    let report = IoReport { program: &case.program, bounds, numbers, latex };
    if json { files::print_json(&report.json()) } else { files::print(&report.text()) }
}
