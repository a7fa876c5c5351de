//! Scalars whose first values come from outside.

use super::uses;
use crate::syntax::Listing;

/// Scalars that are read before anything is assigned to them, and assigned further down.
pub(in super::super) fn input_scalars(listing: &Listing) -> Vec<String> {
    let uses = uses::uses(listing);
    let is_array = |name: &str| uses.accesses.iter().any(|it| it.array == name);
    let mut found: Vec<String> = vec![];
    for (name, read) in &uses.names {
        let mut assigned =
            uses.assignments.iter().filter(|it| it.target == *name && !it.is_element);
        let is_variable = uses.loop_variables.iter().any(|it| it == name) || is_array(name);
        let Some(first) = assigned.next() else { continue };
        // Also by the statement that assigns it first, as in `n ← n / 10`.
        let value = first.value.as_ref().map_or(first.span, |it| it.span);
        let of_statement = uses.assignments.iter().filter(|it| it.span.start < value.start);
        let ends = of_statement.filter_map(|it| Some(it.value.as_ref()?.span.end));
        if !is_variable
            && read.start < ends.max().unwrap_or(first.span.start).max(first.span.start)
            && read.start >= body_start(listing)
            && !found.contains(name)
        {
            found.push(name.clone());
        }
    }
    found
}

fn body_start(listing: &Listing) -> usize {
    listing.body.first().map_or(0, |it| it.span.start)
}
