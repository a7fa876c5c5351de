//! A minimum or maximum is written only where it changes something.

use memory_machine_core::language::syntax::{Listing, StatementKind};

use super::proposal::Proposal;
use super::tree::{blocks, line, new_name};
use crate::check::elision::{NAMES, elide};
use crate::check::{Elision, Proof};

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let mut found = vec![];
    for (path, _, block) in blocks(listing) {
        for (at, statement) in block.iter().enumerate() {
            let StatementKind::Assign { target, .. } = &statement.kind else { continue };
            let path = [&path[..], &[at]].concat();
            let proof = Elision { path, names: NAMES.map(|it| new_name(listing, &[it])) };
            let Some((new, _)) = elide(listing, &proof) else { continue };
            found.push(Proposal {
                what: format!("write `{}` only where it changes", target.text),
                why: "what is not written stands there already",
                line: line(text, statement.span),
                path: vec![(new, Proof::Elision(proof))],
            });
        }
    }
    found
}
