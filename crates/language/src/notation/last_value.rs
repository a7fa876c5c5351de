//! Scalars that only loops assign, and that are read behind them: 0 where no iteration does.

use super::output::{Line, Output, words};
use super::token::Token;

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
