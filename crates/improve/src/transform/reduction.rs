//! A loop that sums becomes a tree of sums: see [`crate::check`] for when.

use memory_machine_core::diagnostic::Source;
use memory_machine_core::language;
use memory_machine_core::language::syntax::Listing;

use super::proposal::Proposal;
use super::tree::{blocks, line, loops_in_turn, new_name};
use crate::check::reduction::{NAMES, element, rest, scalar, tree};
use crate::check::{Proof, Reduction};

/// Partial results of a tree in global memory; of one on DMMs, threads a block and blocks.
const SHAPES: [(i64, i64); 9] = [
    (256, 0),
    (1024, 0),
    (4096, 0),
    (256, 16),
    (256, 64),
    (256, 256),
    (256, 1024),
    (1024, 16),
    (1024, 64),
];

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let source = Source { name: "listing".to_owned(), text: text.to_owned() };
    let Ok(program) = language::load(source) else { return vec![] };
    let mut found = vec![];
    for (path, _, block) in blocks(listing) {
        // A tree in a loop in a loop would run all too often; in a loop few shapes are tried.
        let shapes = match loops_in_turn(listing, &path) {
            0 => &SHAPES[..],
            1 => &SHAPES[..2],
            _ => continue,
        };
        for (at, statement) in block.iter().enumerate() {
            let Some(name) = scalar(statement) else { continue };
            let Some(element) = element(&program, name) else { continue };
            let names = NAMES.map(|it| new_name(listing, &[it]));
            for &(lanes, blocks) in shapes {
                let proof = Reduction {
                    path: [&path[..], &[at]].concat(),
                    lanes,
                    blocks,
                    rest: if blocks > 0 { rest(listing, &[&path[..], &[at]].concat()) } else { 0 },
                    reassociates: element.is_float(),
                    names: names.clone(),
                };
                let Some(new) = tree(listing, &proof, element) else { continue };
                let place = match blocks {
                    0 => String::new(),
                    _ => format!(" in each of {blocks} blocks on DMMs"),
                };
                let why = match element.is_float() {
                    false => "the operation is associative and commutative",
                    true => {
                        "reassociation is allowed: of n numbers the sum differs by γₙ Σ|aᵢ| at most, \
                         γₙ = n·u / (1 − n·u)"
                    }
                };
                found.push(Proposal {
                    what: format!(
                        "join into `{name}` by a tree over {lanes} partial results{place}"
                    ),
                    why,
                    line: line(text, statement.span),
                    path: vec![(new, Proof::Reduction(proof))],
                });
            }
        }
    }
    found
}
