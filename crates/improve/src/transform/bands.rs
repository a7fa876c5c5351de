//! The steps of shortest paths and of what is computed likewise, many at once: see [`crate::check`].

use memory_machine_core::language::syntax::Listing;

use super::proposal::Proposal;
use super::tree::{blocks, line, new_name};
use crate::check::bands::{NAMES, bands, has_bands};
use crate::check::{Bands, Proof};

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let mut found = vec![];
    for (path, _, block) in blocks(listing) {
        for (at, statement) in block.iter().enumerate() {
            if !has_bands(listing, statement) {
                continue;
            }
            let path = [&path[..], &[at]].concat();
            let proof = Bands { path, names: NAMES.map(|it| new_name(listing, &[it])) };
            found.extend(bands(listing, &proof).map(|new| Proposal {
                what: "make the steps by bands of 32, each in turn where its rows and columns are, \
                       then at once in tiles of 64"
                    .to_owned(),
                why: "no step writes the row and the column that it reads, so copies stand for them",
                line: line(text, statement.span),
                path: vec![(new, Proof::Bands(proof))],
            }));
        }
    }
    found
}
