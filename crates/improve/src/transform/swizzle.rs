//! Elements of a shared array's rows change places, so that a column lies in different banks: by an exclusive
//! or, or each row turned by a place more than the one before.

use memory_machine_core::language::syntax::{Listing, Name};

use super::proposal::Proposal;
use super::tree::line;
use crate::check::swizzle::{arrays, swizzled, turnable, turned};
use crate::check::{Diagonal, Proof, Swizzle};

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let of = |name: &Name| {
        let proof = Swizzle { array: name.text.clone() };
        let new = swizzled(listing, &proof)?;
        Some(Proposal {
            what: format!("element j of row i of `{}` lies at j xor i", name.text),
            why: "its elements keep their indices, and nobody asks where they lie",
            line: line(text, name.span),
            path: vec![(new, Proof::Swizzle(proof))],
        })
    };
    arrays(listing).iter().filter_map(of).collect()
}

/// Rows that are turned.
pub(super) fn propose_diagonal(listing: &Listing, text: &str) -> Vec<Proposal> {
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
    turnable(listing).iter().filter_map(of).collect()
}
