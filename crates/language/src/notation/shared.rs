//! Scalars that threads of a parallel loop assign and that are read behind it: they are in the memory that all
//! threads share.

use std::collections::HashSet;

use super::output::{Line, Output};
use super::token::Token;
use crate::syntax::Type;

/// Puts them into arrays of one element.
pub(super) fn share(out: &mut Output) {
    // The name is that of the array of results.
    for line in &mut out.lines {
        for at in 0..line.tokens.len() {
            let is_element = line.tokens.get(at + 1).is_some_and(|it| it.is("["));
            if line.tokens[at].is("result") && !is_element {
                line.tokens[at].text = "result_".to_owned();
            }
        }
    }
    // Twice, since what a loop's end assigns is read at its beginning.
    let (mut by_threads, mut found) = (HashSet::new(), vec![]);
    for _ in 0..2 {
        read_behind(&out.lines, &mut by_threads, &mut found);
    }
    for name in found {
        let (mut first, mut declared): (Option<Token>, Option<Type>) = (None, None);
        for line in &mut out.lines {
            // `x : f32 ← e` says what the element holds.
            if let [one, colon, word, ..] = &line.tokens[..]
                && one.is(&name)
                && colon.is(":")
            {
                declared = Type::ALL.into_iter().find(|it| word.is(it.word()));
                line.tokens.drain(1..3);
            }
            element(line, &name, &mut first);
        }
        if let Some(token) = first {
            let hint = out.hints.array(&token);
            (hint.extents, hint.is_new) = (vec![Some("1".to_owned())], true);
            hint.element = declared;
            let text = format!(
                "`{name}` is assigned by threads and read behind their loop: {name}[0], which they share"
            );
            out.hints.said.push((token, text));
        }
    }
}

/// Goes through the lines, with the scalars that threads assigned last; finds those that are then read.
fn read_behind(lines: &[Line], by_threads: &mut HashSet<String>, found: &mut Vec<String>) {
    let mut depths: Vec<usize> = vec![];
    // Variables of the loops around, which are no such scalars there.
    let mut variables: Vec<(usize, String)> = vec![];
    for line in lines {
        variables.retain(|it| it.0 < line.depth);
        while depths.pop_if(|it| *it >= line.depth).is_some() {}
        let is_inside = !depths.is_empty();
        let is_head = line.tokens.first().is_some_and(|it| it.is("for"));
        if is_head {
            let is_one = |it: &&[Token]| it[0].is("for");
            let of_line = line.tokens.windows(2).filter(is_one).map(|it| it[1].text.clone());
            variables.extend(of_line.map(|it| (line.depth, it)));
        }
        let arrow = line.tokens.iter().position(|it| it.is_any(&["←", ":=", "<-"]));
        let arrow = arrow.filter(|_| !is_head);
        // `x ← e`, also behind `then` or `else`, and `x : f32 ← e`.
        let target = arrow.and_then(|at| {
            let typed = at >= 3 && line.tokens[at - 2].is(":");
            Some(if typed { at - 3 } else { at.checked_sub(1)? })
        });
        let target = target.filter(|at| line.tokens[*at].is_name());
        for (at, token) in line.tokens.iter().enumerate() {
            let is_variable = variables.iter().any(|it| it.1 == token.text);
            let reads = Some(at) != target
                && !is_inside
                && !is_variable
                && by_threads.contains(&token.text);
            if reads && !found.contains(&token.text) {
                found.push(token.text.clone());
            }
        }
        if let Some(at) = target {
            let name = line.tokens[at].text.clone();
            match is_inside {
                true => drop(by_threads.insert(name)),
                false => drop(by_threads.remove(&name)),
            }
        }
        let is_parallel = line.tokens.windows(2).any(|it| it[0].is("in") && it[1].is("parallel"));
        if is_head && is_parallel {
            depths.push(line.depth);
        }
    }
}

/// `x` as `x[0]`, everywhere on a line.
fn element(line: &mut Line, name: &str, first: &mut Option<Token>) {
    let mut at = 0;
    while at < line.tokens.len() {
        if line.tokens[at].is(name) {
            let token = line.tokens[at].clone();
            let index = ["[", "0", "]"].map(|it| Token::glued(it, &token));
            line.tokens.splice(at + 1..at + 1, index);
            first.get_or_insert(token);
            at += 3;
        }
        at += 1;
    }
}
