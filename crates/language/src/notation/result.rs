//! What a text gives that returns nothing: scalars that it says, or the last that it assigns; scalars that only loops
//! assign, and that are read behind them, are 0 where no iteration does.

use super::output::{Line, Output, words};
use super::token::Token;

/// An argument that is assigned before anything reads it is none: it is given back.
fn given_back(output: &mut Output) {
    let lines = &output.lines;
    let is_first = |name: &Token| {
        let mut of_name = lines.iter().filter(|it| it.tokens.iter().any(|it| it.is(&name.text)));
        of_name.next().is_some_and(|it| {
            let is_target = matches!(&it.tokens[..], [one, arrow, ..] if one.is(&name.text) && arrow.is_any(&["←", ":="]));
            let uses = it.tokens.iter().filter(|it| it.is(&name.text)).count();
            is_target && uses == 1 && it.depth == 0
        })
    };
    let (own, kept): (Vec<Token>, Vec<Token>) =
        std::mem::take(&mut output.hints.arguments).into_iter().partition(is_first);
    output.hints.arguments = kept;
    output.hints.outputs.extend(own.into_iter().map(|it| it.text));
}

/// Gives scalars their places in the array `result`, where nothing else comes out.
pub(super) fn give(output: &mut Output) {
    given_back(output);
    let returns = |it: &Line| it.tokens.first().is_some_and(|it| it.is_word("return"));
    if output.hints.results > 0 || output.lines.iter().any(returns) {
        return;
    }
    let target = |it: &Line| -> Option<Token> {
        match &it.tokens[..] {
            [name, arrow, ..] if name.is_name() && arrow.assigns() && !arrow.is("=") => {
                Some(name.clone())
            }
            [name, colon, _, arrow, ..] if colon.is(":") && arrow.assigns() => Some(name.clone()),
            _ => None,
        }
    };
    let is_array = |name: &Token| {
        let mut tokens = output.lines.iter().flat_map(|it| it.tokens.windows(2));
        tokens.any(|it| it[0].is(&name.text) && it[1].is("["))
    };
    let is_element = |it: &Line| {
        let arrow = it.tokens.iter().position(|it| it.is_any(&["←", "↔", ":="]));
        let atomic = usize::from(it.tokens.first().is_some_and(|it| it.is("atomic")));
        let of = &output.hints.arrays;
        let is_own = |name: &Token| of.iter().any(|it| it.is_new && it.name.text == name.text);
        arrow.is_some()
            && it.tokens.get(1 + atomic).is_some_and(|it| it.is("["))
            && !is_own(&it.tokens[atomic])
    };
    let mut named: Vec<Token> = vec![];
    for name in output.lines.iter().filter(|it| it.depth == 0).filter_map(target) {
        let is_new = !named.iter().any(|it| it.text == name.text);
        if output.hints.outputs.contains(&name.text) && is_new && !is_array(&name) {
            named.push(name);
        }
    }
    let calls = |it: &Line| it.tokens.get(1).is_some_and(|it| it.is("("));
    let changes_arrays =
        output.lines.iter().any(|it| is_element(it) || calls(it)) || !output.procedures.is_empty();
    if named.is_empty() && !changes_arrays && output.hints.returned.is_empty() {
        let mut assigned = output.lines.iter().filter(|it| it.depth == 0).filter_map(target);
        named.extend(assigned.rfind(|it| !output.is_made(&it.text)));
    }
    for (at, name) in named.iter().enumerate() {
        let line = words(name, &format!("result[{at}] ← {}", name.text), &[]);
        output.lines.push(Line { depth: 0, tokens: line, comments: vec![] });
        let text = format!("result[{at}]: `{}`, which nothing returns", name.text);
        output.hints.said.push((name.clone(), text));
    }
    output.hints.results = named.len();
}

/// The heads that a line stands below, the innermost first.
fn heads(lines: &[Line], at: usize) -> Vec<usize> {
    let (mut found, mut depth) = (vec![], lines[at].depth);
    for above in (0..at).rev() {
        if !lines[above].tokens.is_empty() && lines[above].depth < depth {
            depth = lines[above].depth;
            found.push(above);
        }
    }
    found
}

fn target(line: &Line) -> Option<&Token> {
    match &line.tokens[..] {
        [name, arrow, ..] if name.is_name() && arrow.assigns() && !arrow.is("=") => Some(name),
        _ => None,
    }
}

/// Whether a head is that of a loop that is done in turn.
fn is_loop(line: &Line) -> bool {
    line.tokens.first().is_some_and(|it| it.is_any(&["for", "while"]))
        && !line.tokens.iter().any(|it| it.is("parallel"))
}

/// Gives such scalars their first value, and says so.
pub(super) fn begin(output: &mut Output) {
    let lines = &output.lines;
    let mut found: Vec<Token> = vec![];
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = target(line).filter(|it| !found.iter().any(|of| of.text == it.text))
        else {
            continue;
        };
        let is_first = !lines[..at].iter().any(|it| it.tokens.iter().any(|it| it.is(&name.text)));
        let is_own = line.tokens.iter().filter(|it| it.is(&name.text)).count() == 1;
        let above = heads(lines, at);
        let Some(outer) = above.last().copied().filter(|_| is_first && is_own) else { continue };
        let loops = above.iter().all(|it| is_loop(&lines[*it]));
        let is_condition = line.tokens.iter().any(|it| {
            it.is_any(&["true", "false", "=", "<", ">", "≤", "≥", "≠", "and", "or", "not"])
        });
        let outer_end = (outer + 1..lines.len())
            .find(|&it| !lines[it].tokens.is_empty() && lines[it].depth <= lines[outer].depth);
        let is_read = outer_end.is_some_and(|end| {
            let mut behind =
                lines[end..].iter().filter(|it| it.tokens.iter().any(|it| it.is(&name.text)));
            behind.next().is_some_and(|it| {
                target(it).is_none_or(|of| of.text != name.text)
                    || it.tokens.iter().filter(|it| it.is(&name.text)).count() > 1
            })
        });
        if loops && !is_condition && is_read {
            found.push(name.clone());
        }
    }
    for name in found {
        let text = format!("`{}` is 0 where no iteration assigns it", name.text);
        let line = words(&name, &format!("{} ← 0", name.text), &[]);
        output.lines.insert(0, Line { depth: 0, tokens: line, comments: vec![] });
        output.hints.said.push((name, text));
    }
}
