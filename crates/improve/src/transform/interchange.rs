//! Two loops, one directly inside the other, change places. Of a parallel nest that decides which
//! iteration a thread gets, and so which words neighbours access.

use memory_machine_core::language::syntax::Listing;

use super::proposal::Proposal;
use super::tree::{as_for, blocks, bounded, constraints, line, loop_over, numbers, replace};
use super::wavefront::eliminate;
use crate::check::{Proof, Schedule};

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let names = numbers(listing);
    let mut found = vec![];
    for (path, depth, block) in blocks(listing) {
        for (at, statement) in block.iter().enumerate() {
            let proposal = (|| {
                let outer = as_for(statement)?;
                let [inner] = &outer.body[..] else { return None };
                let inner = as_for(inner)?;
                if !outer.arrays.is_empty()
                    || std::mem::discriminant(&outer.order) != std::mem::discriminant(&inner.order)
                {
                    return None;
                }
                let mut least = constraints(outer, &names)?;
                least.extend(constraints(inner, &names)?);
                let (i, j) = (&outer.variable.text, &inner.variable.text);
                let [first, second] = eliminate(j, i, &least)?;
                let order = inner.order.clone();
                let mut new_inner = bounded(i, &second, outer.downward, order, inner.body.clone())?;
                new_inner.arrays.clone_from(&inner.arrays);
                let body = vec![loop_over(new_inner)];
                let new = bounded(j, &first, inner.downward, outer.order.clone(), body)?;
                let listing = replace(listing, (&path, at, 1), vec![loop_over(new)])?;
                let proof = Proof::Schedule(Schedule { depth, ..Schedule::default() });
                Some(Proposal {
                    what: format!("interchange the loops over `{i}` and `{j}`"),
                    why: "every dependence keeps its direction",
                    line: line(text, statement.span),
                    path: vec![(listing, proof)],
                })
            })();
            found.extend(proposal);
        }
    }
    found
}
