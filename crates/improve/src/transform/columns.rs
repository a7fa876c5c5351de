//! Records field by field in place of one after another: an array lies column by column, in which order
//! neighbours access neighbours. Whoever fills the array or reads it must know.

use memory_machine_core::language::syntax::{Listing, Name};

use super::proposal::Proposal;
use super::tree::line;
use crate::check::columns::{arrays, by_columns};
use crate::check::{Columns, Proof};

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let of = |name: &Name| {
        let proof = Columns { array: name.text.clone() };
        let new = by_columns(listing, &proof)?;
        Some(Proposal {
            what: format!("lay `{}` out column by column", name.text),
            why: "its elements keep their indices, in other words of memory",
            line: line(text, name.span),
            path: vec![(new, Proof::Columns(proof))],
        })
    };
    arrays(listing).iter().filter_map(of).collect()
}
