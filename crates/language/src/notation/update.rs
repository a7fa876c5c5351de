//! `h[x[i]] += 1`: its language finds the place once, then reads and writes it.

use std::ops::Range;

use super::token::{Token, closing, split};

/// The indices of a target that read an array themselves, from the left.
pub(super) fn reading_indices(target: &[Token]) -> Vec<Range<usize>> {
    let (mut found, mut at) = (vec![], 1);
    while target.get(at).is_some_and(|it| it.is("["))
        && let Some(close) = closing(target, at)
    {
        let mut start = at + 1;
        for part in split(&target[at + 1..close], &[","]) {
            if part.iter().any(|it| it.is("[")) {
                found.push(start..start + part.len());
            }
            start += part.len() + 1;
        }
        at = close + 1;
    }
    found
}
