//! The program `umm` as its users call it.

mod assignments;
mod bank;
mod completions;
mod contract;
mod examples;
mod files;
mod grade;
mod help;
mod hostile;
mod imports;
mod manual;
mod measurements;
mod memory;
mod messages;
mod pipes;
mod printed;
mod terminal;
mod web;
mod widths;

use crate::support::{bad, root};

/// Listings for tests that start a program often: what any machine runs, of every kind, given n.
fn listings() -> impl Iterator<Item = &'static str> {
    crate::PAPERS.into_iter().chain(["odd_even_merge", "compact", "lu", "gcd"])
}

/// Every mistake is answered with its place, what is wrong and what to do, and exit code 2.
/// `TRYCMD=overwrite` writes the answers anew.
#[test]
fn mistakes_are_answered() {
    bad::unpack(root());
    trycmd::TestCases::new().case("tests/cli/cases/*.trycmd");
}
