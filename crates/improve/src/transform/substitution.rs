//! Scalars that only name an index, as in `j ← i + s`, are written out: which cells are meant is then plain
//! to see. Alone that gains nothing, so a loop that comes to run in parallel is part of the step.

use memory_machine_core::language::syntax::Listing;

use super::parallel;
use super::proposal::Proposal;
use super::tree::{block_at, blocks, line};
use crate::check::substitution::written_out;
use crate::check::{Proof, Substitution};

/// The first scalar that can be written out, and the listing without it.
fn first(listing: &Listing) -> Option<(String, Vec<usize>, Listing)> {
    blocks(listing).into_iter().find_map(|(path, _, block)| {
        (0..block.len()).find_map(|at| {
            let path = [&path[..], &[at]].concat();
            let (scalar, new) = written_out(listing, &Substitution { path: path.clone() })?;
            Some((scalar, path, new))
        })
    })
}

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let (mut current, mut names, mut steps) = (listing.clone(), vec![], vec![]);
    let mut place = None;
    while let Some((scalar, path, new)) = first(&current) {
        place.get_or_insert_with(|| path.clone());
        names.push(format!("`{scalar}`"));
        steps.push((new.clone(), Proof::Substitution(Substitution { path })));
        current = new;
    }
    let Some((at, outer)) = place.as_deref().and_then(<[usize]>::split_last) else { return vec![] };
    let own = block_at(listing, outer).and_then(|it| it.get(*at));
    let line = own.map_or(1, |it| line(text, it.span));
    let what = format!("write out {}", names.join(", "));
    let why = "between its assignment and its last use nothing that it is made of changes";
    let alone = Proposal { what: what.clone(), why, line, path: steps.clone() };
    let with = parallel::propose(&current, &current.to_string()).into_iter().map(|it| Proposal {
        what: format!("{what}, and {}", it.what),
        why: "it only names an index; no iteration needs what another writes",
        line,
        path: [&steps[..], &it.path].concat(),
    });
    [alone].into_iter().chain(with).collect()
}
