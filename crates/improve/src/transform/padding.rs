//! Rows of a shared array get a place more, so that a column lies in different banks.

use std::collections::BTreeSet;

use memory_machine_core::language::syntax::{BinaryOp, ExprNodeKind, Listing, Role};

use super::form::{binary, node, number};
use super::proposal::Proposal;
use super::tree::{as_for, block_at_mut, blocks, line};
use crate::check::{Proof, Schedule};

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let mut found = vec![];
    let mut names = BTreeSet::new();
    for (path, _, block) in blocks(listing) {
        for (at, statement) in block.iter().enumerate() {
            let Some(it) = as_for(statement) else { continue };
            for (place, array) in it.arrays.iter().enumerate() {
                let Some(last) = array.extents.last().map(|it| &it.size) else { continue };
                // Odd rows lie well already.
                let padded = match &last.kind {
                    ExprNodeKind::Integer(size) if size % 2 == 1 => continue,
                    ExprNodeKind::Integer(size) => node(ExprNodeKind::Integer(size + 1)),
                    ExprNodeKind::Binary(..) => continue,
                    _ => binary(BinaryOp::Add, last.clone(), number(1)),
                };
                let is_first = names.insert(&array.name.text);
                if array.role != Role::Shared || array.extents.len() < 2 || !is_first {
                    continue;
                }
                let mut new = listing.clone();
                let proposal = (|| {
                    let own = block_at_mut(&mut new, &path)?.get_mut(at)?;
                    let extents = &mut super::tree::as_for_mut(own)?.arrays[place].extents;
                    extents.last_mut()?.size = padded;
                    Some(Proposal {
                        what: format!("pad the rows of `{}`", array.name.text),
                        why: "its elements keep their indices, and nobody asks where they lie",
                        line: line(text, array.name.span),
                        path: vec![(new, Proof::Schedule(Schedule::default()))],
                    })
                })();
                found.extend(proposal);
            }
        }
    }
    found
}
