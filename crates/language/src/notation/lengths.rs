//! The lengths of arrays by the names and numbers that they have.

use std::collections::HashMap;

use super::output::{Output, words};
use super::token::{Token, split};

/// What an array is made with in place of `length(A)`, where that is a name or a number that stays.
pub(super) fn said(output: &mut Output) {
    same(output);
    // One value, given outside of all loops, stays as well.
    let assigned = |name: &str| {
        let lines = output.procedures.iter().chain(&output.lines);
        let mut given = lines.filter(|it| {
            let arrow = it.tokens.iter().position(|it| it.is_any(&["←", ":=", "↔"]));
            let is_own = |target: &&[Token]| {
                target.first().is_some_and(|it| it.is(name))
                    || target.len() > 1 && target[0].is("for") && target[1].is(name)
            };
            arrow.is_some_and(|at| split(&it.tokens[..at], &[","]).iter().any(is_own))
        });
        given.next().is_some_and(|it| it.depth > 0 || it.tokens[0].is("for"))
            || given.next().is_some()
    };
    // `n`, `1 .. n`, `m + 1`: how many elements there are, by names that stay.
    let count = |size: &String| {
        let count = size.strip_prefix("1 .. ").unwrap_or(size);
        let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
        let is_plain = count.chars().all(|it| is_word(it) || " +-×/()⌊⌋".contains(it));
        let stays = count.split(|it| !is_word(it)).all(|it| !assigned(it));
        let is_one = count.chars().all(is_word);
        let text = if is_one { count.to_owned() } else { format!("({count})") };
        (is_plain && stays).then_some(text)
    };
    let of = output.hints.arrays.iter().flat_map(|it| {
        let sizes = it.extents.iter().enumerate();
        let kept = sizes.filter_map(|(at, size)| Some((at, count(size.as_ref()?)?)));
        kept.map(|(at, size)| ((it.name.text.clone(), at), size))
    });
    let lengths = of.collect();
    replace(output, &lengths);
}

/// The name of a length in place of `length(A)`.
pub(super) fn replace(output: &mut Output, lengths: &HashMap<(String, usize), String>) {
    for line in output.procedures.iter_mut().chain(&mut output.lines) {
        let mut at = 0;
        while at + 3 < line.tokens.len() {
            let tokens = &line.tokens[at..];
            let dimension = match tokens[0].text.as_str() {
                "length" | "rows" => Some(0),
                "columns" => Some(1),
                _ => None,
            };
            let name = dimension
                .filter(|_| tokens[1].is("(") && tokens[3].is(")"))
                .and_then(|it| lengths.get(&(tokens[2].text.clone(), it)));
            if let Some(name) = name {
                let blank = tokens[0].blank.clone();
                let mut made = words(&tokens[0], name, &[]);
                made[0].blank = blank;
                line.tokens.splice(at..at + 4, made);
            }
            at += 1;
        }
    }
}

/// Of an array that is made of another one, element by element, the length of that one.
fn same(output: &mut Output) {
    let copies = std::mem::take(&mut output.hints.alike);
    let first = |name: &str| copies.iter().find(|it| it.0 == name).map(|it| it.1.clone());
    for line in output.procedures.iter_mut().chain(&mut output.lines) {
        for at in 0..line.tokens.len().saturating_sub(3) {
            let it = &line.tokens[at..at + 4];
            let is_size = it[0].is_any(&["length", "rows", "columns"]);
            if !is_size || !it[1].is("(") || !it[3].is(")") {
                continue;
            }
            let mut name = it[2].text.clone();
            for _ in 0..copies.len() {
                name = first(&name).unwrap_or(name);
            }
            // As many as a matrix has rows.
            if let Some(matrix) = name.strip_prefix("rows ") {
                line.tokens[at].text = "rows".to_owned();
                name = matrix.to_owned();
            }
            line.tokens[at + 2].text = name;
        }
    }
    output.hints.alike = copies;
}
