//! `continue`: the rest of the loop's body belongs to the branches that go on.

use super::output::{Line, Output, words};
use super::token::Token;
use crate::diagnostic::Diagnostic;

type Result<T> = std::result::Result<T, Diagnostic>;

/// Puts what stands behind each `continue` into the other branch.
///
/// # Errors
/// One whose branch is not directly in its loop, or beside several that go on.
pub(super) fn skipped(output: &mut Output) -> Result<()> {
    let mut lines = std::mem::take(&mut output.lines);
    let done = in_lines(&mut lines, output);
    output.lines = lines;
    done?;
    let mut procedures = std::mem::take(&mut output.procedures);
    let done = in_lines(&mut procedures, output);
    output.procedures = procedures;
    done
}

fn in_lines(lines: &mut Vec<Line>, output: &mut Output) -> Result<()> {
    while let Some(at) = lines.iter().position(is_skip) {
        one(lines, at, output)?;
    }
    Ok(())
}

fn is_skip(line: &Line) -> bool {
    matches!(&line.tokens[..], [word] if word.is("continue"))
}

fn begins(line: &Line, words: &[&str]) -> bool {
    line.tokens.first().is_some_and(|it| it.is_any(words))
}

/// The first line behind `at` that is less deep than `depth`.
fn end(lines: &[Line], at: usize, depth: usize) -> usize {
    let out = |it: &Line| !it.tokens.is_empty() && it.depth < depth;
    (at..lines.len()).find(|&at| out(&lines[at])).unwrap_or(lines.len())
}

/// The head of the block that the line at `at` stands in.
fn head(lines: &[Line], at: usize) -> Option<usize> {
    let depth = lines[at].depth.checked_sub(1)?;
    (0..at).rev().find(|&it| !lines[it].tokens.is_empty() && lines[it].depth == depth)
}

/// In a branch within a branch: a flag, which what stands behind each of them asks.
fn by_flag(lines: &mut Vec<Line>, at: usize, output: &mut Output) {
    let word = lines[at].tokens[0].clone();
    let flag = output.fresh("skips");
    let line =
        |text: String, depth| Line { depth, tokens: words(&word, &text, &[]), comments: vec![] };
    lines[at] = line(format!("{flag} ← 1"), lines[at].depth);
    let mut place = at;
    while let Some(branch) = head(lines, place) {
        let depth = lines[branch].depth;
        if begins(&lines[branch], &["for", "while", "repeat"]) {
            lines.insert(branch + 1, line(format!("{flag} ← 0"), depth + 1));
            return;
        }
        let mut last = end(lines, place + 1, depth + 1);
        while last < lines.len() && lines[last].depth == depth && begins(&lines[last], &["else"]) {
            last = end(lines, last + 1, depth + 1);
        }
        let rest_end = end(lines, last, depth);
        if lines[last..rest_end].iter().any(|it| !it.tokens.is_empty()) {
            lines[last..rest_end].iter_mut().for_each(|it| it.depth += 1);
            lines.insert(last, line(format!("if {flag} = 0 then"), depth));
        }
        place = branch;
    }
}

fn one(lines: &mut Vec<Line>, at: usize, output: &mut Output) -> Result<()> {
    let word = lines[at].tokens[0].clone();
    let refused = |what: &str| {
        let (_, help) = crate::parser::foreign("continue").unwrap_or_default();
        Err(Diagnostic::new(word.span, what).help(help))
    };
    let depth = lines[at].depth;
    let Some(branch) = head(lines, at) else { return refused("`continue` outside of a loop") };
    if end(lines, at + 1, depth) > at + 1
        && lines[at + 1..end(lines, at + 1, depth)].iter().any(|it| !it.tokens.is_empty())
    {
        return refused("statements behind a `continue`, which are never reached");
    }
    let is_loop = |it: &Line| begins(it, &["for", "while", "repeat"]);
    if is_loop(&lines[branch]) {
        // The end of the body.
        lines[at].tokens = nothing(&word, output);
        return Ok(());
    }
    let outer = depth - 1;
    if !head(lines, branch).is_some_and(|it| is_loop(&lines[it])) {
        by_flag(lines, at, output);
        return Ok(());
    }
    // All branches, each by its head.
    let first =
        (0..=branch).rev().find(|&it| lines[it].depth == outer && begins(&lines[it], &["if"]));
    let Some(first) = first else { return refused("`continue` in no branch") };
    let mut heads = vec![first];
    let mut last = end(lines, first + 1, depth);
    while last < lines.len() && lines[last].depth == outer && begins(&lines[last], &["else"]) {
        heads.push(last);
        last = end(lines, last + 1, depth);
    }
    let rest_end = end(lines, last, outer);
    let bounds: Vec<(usize, usize)> = heads
        .iter()
        .enumerate()
        .map(|(nth, &it)| (it, heads.get(nth + 1).copied().unwrap_or(last)))
        .collect();
    let leaves = |(from, to): (usize, usize)| {
        let code = (from + 1..to).rev().find(|&it| !lines[it].tokens.is_empty());
        code.is_some_and(|it| is_skip(&lines[it]) && lines[it].depth == depth)
    };
    let going: Vec<(usize, usize)> = bounds.iter().copied().filter(|it| !leaves(*it)).collect();
    let has_else = lines[heads[heads.len() - 1]].tokens.len() == 1;
    let mut rest: Vec<Line> = lines.drain(last..rest_end).collect();
    rest.iter_mut().for_each(|it| it.depth += 1);
    let has_rest = rest.iter().any(|it| !it.tokens.is_empty());
    match (&going[..], has_else) {
        _ if !has_rest => {
            rest.iter_mut().for_each(|it| it.depth -= 1);
            lines.splice(last..last, rest);
        }
        ([], false) => {
            let is_alone = heads.len() == 1
                && lines[first + 1..last].iter().all(|it| it.tokens.is_empty() || is_skip(it));
            if is_alone {
                let tokens = &lines[first].tokens;
                let condition = &tokens[1..tokens.len() - 1];
                lines[first].tokens = words(&tokens[0], "if not ({}) then", &[condition]);
                lines.splice(at..=at, rest);
                return Ok(());
            }
            let line = Line { depth: outer, tokens: vec![word.with("else")], comments: vec![] };
            rest.insert(0, line);
            lines.splice(last..last, rest);
        }
        ([(_, to)], true) => {
            lines.splice(*to..*to, rest);
        }
        _ => return refused("`continue` beside several branches that go on"),
    }
    // Nothing stands behind these any more.
    for (from, to) in bounds.into_iter().rev() {
        let Some(at) = (from + 1..to.min(lines.len())).rev().find(|&it| is_skip(&lines[it])) else {
            continue;
        };
        let is_alone = (from + 1..to).all(|it| it == at || lines[it].tokens.is_empty());
        lines[at].tokens = if is_alone { nothing(&word, output) } else { vec![] };
    }
    Ok(())
}

/// A statement that does nothing.
fn nothing(word: &Token, output: &mut Output) -> Vec<Token> {
    let name = output.fresh("nothing");
    words(word, &format!("{name} ← 0"), &[])
}
