//! Variables of loops that are called as an array, or as a scalar elsewhere: other names within their loops; what
//! procedures share beside arrays, as `A.heap-size`, which belongs to the array.

use std::collections::{BTreeSet, HashMap};

use super::head::Head;
use crate::notation::expression::Array;
use crate::notation::layout::number_length;
use crate::notation::token::{LogicalLine, Token};

/// The variable of the loop that a line begins.
fn variable(line: &LogicalLine) -> Option<&Token> {
    let code = &line.tokens[number_length(&line.tokens).min(line.tokens.len())..];
    let skip = code
        .iter()
        .take_while(|it| it.is_any(&["for", "forall", "foreach", "each", "all", "parallel"]))
        .count();
    let [variable, sign, ..] = code.get(skip..).filter(|_| skip > 0)? else { return None };
    let begins = sign.assigns() || sign.is_any(&["∈", "in", "from"]);
    (variable.is_name() && begins).then_some(variable)
}

fn column(line: &LogicalLine) -> Option<usize> {
    line.tokens.get(number_length(&line.tokens)).map(|it| it.column)
}

/// Whether a name stands at a place without an index.
fn is_bare(tokens: &[Token], at: usize, name: &str) -> bool {
    tokens[at].is(name) && !tokens.get(at + 1).is_some_and(|it| it.is("[") && it.blank.is_empty())
}

/// Gives such variables names of their own.
pub(super) fn lines(lines: &mut [LogicalLine]) {
    for at in 0..lines.len() {
        let Some(name) = variable(&lines[at]).map(|it| it.text.clone()) else { continue };
        let Some(own) = column(&lines[at]) else { continue };
        let length =
            lines[at + 1..].iter().take_while(|it| column(it).is_none_or(|it| it > own)).count();
        let end = at + 1 + length;
        if is_array(lines, &name) || is_scalar(lines, at, end, &name) {
            for line in &mut lines[at..end] {
                for place in 0..line.tokens.len() {
                    if is_bare(&line.tokens, place, &name) {
                        line.tokens[place].text += "_";
                    }
                }
            }
        }
    }
}

fn is_array(lines: &[LogicalLine], name: &str) -> bool {
    let indexed = |it: &[Token]| it[0].is(name) && it[1].is("[") && it[1].blank.is_empty();
    lines.iter().any(|it| it.tokens.windows(2).any(indexed))
}

/// Whether it is assigned outside, and nothing reads there what a loop left.
fn is_scalar(lines: &[LogicalLine], from: usize, end: usize, name: &str) -> bool {
    let assigns = |it: &LogicalLine| {
        let code = &it.tokens[number_length(&it.tokens).min(it.tokens.len())..];
        matches!(code, [first, arrow, ..] if first.is(name) && arrow.assigns())
    };
    let reads = |it: &LogicalLine| {
        let skip = usize::from(assigns(it)) + number_length(&it.tokens);
        (skip..it.tokens.len()).any(|at| is_bare(&it.tokens, at, name))
    };
    let begins = |it: &LogicalLine| variable(it).is_some_and(|it| it.is(name));
    let outside = || lines[..from].iter().chain(&lines[end..]);
    let is_set_before = |mut it: &mut dyn Iterator<Item = &LogicalLine>| {
        (&mut it)
            .find(|it| reads(it) || assigns(it))
            .is_none_or(|it| begins(it) || assigns(it) && !reads(it))
    };
    outside().any(assigns)
        && !lines[from..end].iter().any(assigns)
        && is_set_before(&mut lines.iter())
        && is_set_before(&mut lines[end..].iter())
}

/// Attributes of arrays that several procedures name: each is the only element of an array of its name, since
/// procedures have the arrays of the algorithm, and scalars of their own. Returns these names.
pub(super) fn attributes(
    procedures: &mut [(Head, Vec<LogicalLine>)],
    main: &mut [LogicalLine],
    arrays: &HashMap<String, Array>,
) -> BTreeSet<String> {
    let is_attribute = |name: &str| {
        let mut parts = name.match_indices('_').map(|it| &name[..it.0]);
        !arrays.contains_key(name) && parts.any(|it| arrays.contains_key(it))
    };
    let names = |lines: &[LogicalLine]| -> BTreeSet<String> {
        let tokens = lines.iter().flat_map(|it| &it.tokens);
        tokens.filter(|it| is_attribute(&it.text)).map(|it| it.text.clone()).collect()
    };
    let mut all: Vec<BTreeSet<String>> = procedures.iter().map(|it| names(&it.1)).collect();
    all.push(names(main));
    let is_shared = |name: &&String| all.iter().filter(|it| it.contains(*name)).count() > 1;
    let shared: BTreeSet<String> = all.iter().flatten().filter(is_shared).cloned().collect();
    let lines = procedures.iter_mut().flat_map(|it| &mut it.1).chain(main);
    for line in lines {
        for at in (0..line.tokens.len()).rev().filter(|_| !shared.is_empty()) {
            if shared.contains(&line.tokens[at].text) {
                let index = ["[", "0", "]"].map(|it| Token::glued(it, &line.tokens[at]));
                line.tokens.splice(at + 1..at + 1, index);
            }
        }
    }
    shared
}
