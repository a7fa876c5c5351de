//! `x ← y` and `x ↔ y` of whole arrays in pseudocode: every element, as far as the arrays go.

use std::ops::Range;

use super::output::{Line, Output, words};
use super::token::{Token, closing, split};
use crate::adopt::Adoption;
use crate::diagnostic::Diagnostic;

/// A statement on whole arrays, which a scalar stands for until their extents are known.
pub(super) struct Whole {
    stands_for: String,
    target: Token,
    arrow: Token,
    source: Token,
}

/// Takes these statements out.
pub(super) fn take(output: &mut Output) -> Vec<Whole> {
    let is_array = |output: &Output, name: &Token| {
        let indexed = |it: &[Token]| it[0].is(&name.text) && it[1].is("[");
        let lines = || output.lines.iter().chain(&output.procedures);
        name.is_name() && lines().any(|it| it.tokens.windows(2).any(indexed))
            || output.hints.arrays.iter().any(|it| it.name.text == name.text)
    };
    let mut found = vec![];
    for at in 0..output.lines.len() {
        let [target, arrow, source] = &output.lines[at].tokens[..] else { continue };
        let (target, arrow, source) = (target.clone(), arrow.clone(), source.clone());
        let is_exchange = arrow.is("↔");
        // `A ← 0` of an array is of every element.
        let is_filled = is_array(output, &target)
            && arrow.assigns()
            && (source.is_number() || source.is_any(&["∞", "true", "false"]));
        let are_arrays =
            is_filled || is_array(output, &source) && (!is_exchange || is_array(output, &target));
        if !(is_exchange || arrow.assigns()) || !target.is_name() || !are_arrays {
            continue;
        }
        let stands_for = output.fresh("whole");
        output.lines[at].tokens = words(&target, &format!("{stands_for} ← 0"), &[]);
        found.push(Whole { stands_for, target, arrow, source });
    }
    found
}

/// Puts loops over the elements in their places.
///
/// # Errors
/// Arrays that do not go as far as each other.
pub(super) fn put(
    output: &mut Output,
    whole: &[Whole],
    adoption: &Adoption,
) -> Result<(), Diagnostic> {
    for it in whole {
        let extents = |name: &Token| {
            let of = adoption.declarations.iter().find(|it| it.name == name.text)?;
            let (_, rest) = of.text.split_once('[')?;
            Some(parts(rest.rsplit_once(']')?.0))
        };
        let is_filled = !it.source.is_name() || it.source.is_any(&["true", "false"]);
        let sized = if is_filled { &it.target } else { &it.source };
        let Some(ranges) = extents(sized) else { continue };
        let shape = |of: &[(String, String)]| {
            of.iter()
                .map(|(from, to)| format!("{from}..{to}").replace(' ', "").replace("+1-1", ""))
                .collect::<Vec<_>>()
        };
        let (wanted, other) = (shape(&ranges), extents(&it.target).map(|it| shape(&it)));
        if let Some(other) = other.filter(|of| *of != wanted) {
            let (target, source) = (&it.target.text, &it.source.text);
            let (wanted, other) = (wanted.join(", "), other.join(", "));
            let text = format!("`{target}` has the indices {other}, `{source}` {wanted}");
            return Err(Diagnostic::new(it.arrow.span, text)
                .help("write the loop over the elements that are meant"));
        }
        let at = output
            .lines
            .iter()
            .position(|line| line.tokens[..].first().is_some_and(|of| of.is(&it.stands_for)));
        let Some(at) = at else { continue };
        let depth = output.lines[at].depth;
        let order = if is_apart(output, at) { " in parallel" } else { "" };
        let (mut lines, mut indices) = (vec![], vec![]);
        for (from, to) in ranges {
            let index = output.fresh("z");
            let head = format!("for {index} ← {from} to {to} do{order}");
            let tokens = words(&it.arrow, &head, &[]);
            lines.push(Line { depth: depth + lines.len(), tokens, comments: vec![] });
            indices.push(index);
        }
        let indices = indices.join(", ");
        let sign = if it.arrow.is("↔") { "↔" } else { "←" };
        let source = match is_filled {
            true => it.source.text.clone(),
            false => format!("{}[{indices}]", it.source.text),
        };
        let line = format!("{}[{indices}] {sign} {source}", it.target.text);
        let tokens = words(&it.arrow, &line, &[]);
        lines.push(Line { depth: depth + lines.len(), tokens, comments: vec![] });
        lines[0].comments = std::mem::take(&mut output.lines[at].comments);
        output.lines.splice(at..=at, lines);
        let text = format!("`{} {sign} {}` is of every element", it.target.text, it.source.text);
        output.hints.said.push((it.target.clone(), text));
    }
    Ok(())
}

/// Whether other loops are in parallel, and none around this line is.
fn is_apart(output: &Output, at: usize) -> bool {
    let is_parallel = |it: &Line| it.tokens.last().is_some_and(|it| it.is_word("parallel"));
    let mut depth = output.lines[at].depth;
    for line in output.lines[..at].iter().rev() {
        if line.depth < depth && !line.tokens.is_empty() {
            depth = line.depth;
            if is_parallel(line) {
                return false;
            }
        }
    }
    output.lines.iter().any(is_parallel)
}

/// The first and the last index of each dimension.
fn parts(text: &str) -> Vec<(String, String)> {
    let (mut parts, mut depth) = (vec![String::new()], 0_usize);
    for letter in text.chars() {
        match letter {
            '(' | '[' | '⌊' | '⌈' => depth += 1,
            ')' | ']' | '⌋' | '⌉' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match letter {
            ',' if depth == 0 => parts.push(String::new()),
            _ => parts.last_mut().into_iter().for_each(|it| it.push(letter)),
        }
    }
    let ends = |it: &String| match it.split_once("..") {
        Some((from, to)) => (from.trim().to_owned(), to.trim().to_owned()),
        None => ("0".to_owned(), format!("{} - 1", it.trim())),
    };
    parts.iter().map(ends).collect()
}

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
