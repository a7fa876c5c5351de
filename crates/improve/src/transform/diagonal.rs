//! Rows of a shared array are turned, each by a place more, so that a column lies in different banks.

use memory_machine_core::language::syntax::{Listing, Name};

use super::proposal::Proposal;
use super::tree::line;
use crate::check::diagonal::{arrays, turned};
use crate::check::{Diagonal, Proof};

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let of = |(name, length): &(Name, u64)| {
        // Odd rows lie well already.
        if length % 2 == 1 {
            return None;
        }
        let proof = Diagonal { array: name.text.clone() };
        let new = turned(listing, &proof)?;
        Some(Proposal {
            what: format!("element j of row i of `{}` lies at (i + j) mod {length}", name.text),
            why: "its elements change places within their rows, and nobody asks where they lie",
            line: line(text, name.span),
            path: vec![(new, Proof::Diagonal(proof))],
        })
    };
    arrays(listing).iter().filter_map(of).collect()
}
