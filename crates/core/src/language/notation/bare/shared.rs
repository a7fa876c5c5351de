//! Scalars that threads of a parallel loop assign and that are read behind it: they are in the memory that all
//! threads share.

use std::collections::HashSet;

use crate::language::notation::output::{Line, Output};
use crate::language::notation::token::Token;

/// Puts them into arrays of one element.
pub(super) fn share(out: &mut Output) {
    let mut depths: Vec<usize> = vec![];
    let (mut inside, mut outside) = (HashSet::new(), HashSet::new());
    let mut read_behind: HashSet<String> = HashSet::new();
    for line in &out.lines {
        while depths.pop_if(|it| *it >= line.depth).is_some() {}
        let of_loop = !depths.is_empty();
        let arrow = line.tokens.iter().position(|it| it.is_any(&["←", ":=", "<-"]));
        let is_head = line.tokens.first().is_some_and(|it| it.is("for"));
        let target = arrow.filter(|_| !is_head).and_then(|at| line.tokens[..at].last());
        let target = target.filter(|it| it.is_name()).map(|it| it.text.clone());
        for (at, token) in line.tokens.iter().enumerate() {
            let is_target = arrow.is_some_and(|it| at + 1 == it) && target.is_some();
            if !of_loop
                && !is_target
                && inside.contains(&token.text)
                && !outside.contains(&token.text)
            {
                read_behind.insert(token.text.clone());
            }
        }
        match target {
            Some(name) if of_loop => drop(inside.insert(name)),
            Some(name) => drop(outside.insert(name)),
            None => {}
        }
        let is_parallel = line.tokens.windows(2).any(|it| it[0].is("in") && it[1].is("parallel"));
        if is_head && is_parallel {
            depths.push(line.depth);
        }
    }
    for name in read_behind.iter().filter(|it| !outside.contains(*it)) {
        let mut first: Option<Token> = None;
        for line in &mut out.lines {
            element(line, name, &mut first);
        }
        if let Some(token) = first {
            let hint = out.hints.array(&token);
            (hint.extents, hint.is_new) = (vec![Some("1".to_owned())], true);
            let text = format!(
                "`{name}` is assigned by threads and read behind their loop: {name}[0], which they share"
            );
            out.hints.said.push((token, text));
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
