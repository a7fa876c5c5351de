//! Elements of a shared array's rows change places, so that a column lies in different banks.

use memory_machine_core::language::syntax::{Listing, Name};

use super::proposal::Proposal;
use super::tree::line;
use crate::check::swizzle::{arrays, swizzled};
use crate::check::{Proof, Swizzle};

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
