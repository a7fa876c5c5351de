//! Two nests of loops over the same values, one after the other, become one.

use std::collections::BTreeMap;

use memory_machine_core::language::syntax::{ForNode, Listing};

use super::form::Form;
use super::proposal::Proposal;
use super::tree::{as_for, blocks, line, loop_over, numbers, replace, substitute};
use crate::check::{Proof, Schedule};

/// The second loop inside the first, its variable renamed.
fn fuse(
    first: &ForNode,
    second: &ForNode,
    names: &std::collections::BTreeSet<String>,
    renamed: &mut BTreeMap<String, String>,
) -> Option<ForNode> {
    let mut second = second.clone();
    if first.variable.text != second.variable.text {
        let (old, new) = (second.variable.text.clone(), first.variable.text.clone());
        substitute(&mut second.body, &old, &Form::name(&new), names);
        renamed.insert(old, new);
    }
    let head = |it: &ForNode| {
        (
            it.from.to_string(),
            it.to.to_string(),
            it.step.as_ref().map(ToString::to_string),
            it.downward,
        )
    };
    if head(first) != head(&second)
        || first.order != second.order
        || !first.arrays.is_empty()
        || !second.arrays.is_empty()
    {
        return None;
    }
    let mut new = first.clone();
    if let ([one], [other]) = (&first.body[..], &second.body[..])
        && let (Some(one), Some(other)) = (as_for(one), as_for(other))
        && let Some(inner) = fuse(one, other, names, renamed)
    {
        new.body = vec![loop_over(inner)];
        return Some(new);
    }
    new.body.extend(second.body);
    Some(new)
}

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let names = numbers(listing);
    let mut found = vec![];
    for (path, depth, block) in blocks(listing) {
        for (at, pair) in block.windows(2).enumerate() {
            let (Some(first), Some(second)) = (as_for(&pair[0]), as_for(&pair[1])) else {
                continue;
            };
            let mut renamed = BTreeMap::new();
            let Some(new) = fuse(first, second, &names, &mut renamed) else { continue };
            let Some(listing) = replace(listing, (&path, at, 2), vec![loop_over(new)]) else {
                continue;
            };
            let old = renamed.iter().map(|(old, new)| (old.clone(), Form::name(new).linear(1)));
            found.push(Proposal {
                what: format!(
                    "fuse the loops over `{}` and `{}`",
                    first.variable.text, second.variable.text
                ),
                why: "no iteration of the first needs what an earlier one of the second does",
                line: line(text, pair[1].span),
                path: vec![(
                    listing,
                    Proof::Schedule(Schedule { depth, old: old.collect(), ..Schedule::default() }),
                )],
            });
        }
    }
    found
}
