//! Calls of procedures within expressions: each stands above its line, which has its value by a name.

use super::output::{Line, Output, spaced, words};
use super::token::{Token, closing, position, text};
use crate::diagnostic::Diagnostic;

type Result<T> = std::result::Result<T, Diagnostic>;

/// Puts calls on lines of their own.
///
/// # Errors
/// Calls in conditions that are asked again, and behind `and`, `or` and the like, where it is open whether they happen.
pub(super) fn apart(output: &mut Output) -> Result<()> {
    let names: Vec<String> = output.procedures.iter().filter_map(name).collect();
    if names.is_empty() {
        return Ok(());
    }
    for of_procedures in [true, false] {
        let lines = if of_procedures { &mut output.procedures } else { &mut output.lines };
        let mut lines = std::mem::take(lines);
        branches(&mut lines, &names);
        if of_procedures {
            behind_returns(&mut lines);
        }
        let mut at = 0;
        while at < lines.len() {
            while let Some((start, end)) = inner(&lines[at].tokens, &names) {
                let above = above(&mut lines[at], start, end, output)?;
                lines.insert(at, above);
                at += 1;
            }
            at += 1;
        }
        match of_procedures {
            true => output.procedures = lines,
            false => output.lines = lines,
        }
    }
    Ok(())
}

/// `x ← (if c then f(a) else b)`, `else x ← n × f(n)`: what may happen stands in a branch of its own.
fn branches(lines: &mut Vec<Line>, names: &[String]) {
    let calls = |it: &[Token]| it.windows(2).any(|it| names.contains(&it[0].text) && it[1].is("("));
    let mut at = 0;
    while at < lines.len() {
        let Line { tokens, depth, .. } = &lines[at];
        let depth = *depth;
        let line = |depth, tokens: &[Token]| {
            let mut tokens = tokens.to_vec();
            tokens.iter_mut().take(1).for_each(|it| it.blank.clear());
            Line { depth, tokens, comments: vec![] }
        };
        let is_choice = |at: &usize| {
            tokens[*at].is("(")
                && tokens.get(at + 1).is_some_and(|it| it.is("if"))
                && closing(tokens, *at) == Some(tokens.len() - 1)
        };
        let then = |of: &[Token]| position(of, &["then"]);
        let made = if let Some(open) = (1..tokens.len()).find(is_choice)
            && let inside = &tokens[open + 1..tokens.len() - 1]
            && calls(inside)
            && let (Some(then), Some(other)) = (then(inside), position(inside, &["else"]))
            && then < other
            && (tokens[open - 1].assigns() || tokens[open - 1].is("return"))
        {
            let (target, word) = (&tokens[..open], std::slice::from_ref(&inside[other]));
            let value = |of: &[Token]| match of {
                [first, ..] if first.is("if") => {
                    [&[Token::made("(", first)], of, &[Token::glued(")", first)]].concat()
                }
                all => spaced(all.to_vec()),
            };
            let [one, two] = [&inside[then + 1..other], &inside[other + 1..]]
                .map(|it| line(depth + 1, &[target, &value(it)[..]].concat()));
            vec![line(depth, &inside[..=then]), one, line(depth, word), two]
        } else if tokens.len() > 2
            && calls(tokens)
            && let Some(end) = match &tokens[0] {
                word if word.is("else") && !tokens[1].is("if") => Some(0),
                word if word.is("if") && position(tokens, &["else"]).is_none() => {
                    then(tokens).filter(|it| it + 1 < tokens.len())
                }
                _ => None,
            }
            && !tokens[end + 1].is_any(&["for", "while", "repeat", "if"])
        {
            vec![line(depth, &tokens[..=end]), line(depth + 1, &tokens[end + 1..])]
        } else {
            at += 1;
            continue;
        };
        lines.splice(at..=at, made);
    }
}

/// Of a procedure that calls itself, what stands behind a branch that returns is the other branch.
fn behind_returns(lines: &mut Vec<Line>) {
    let mut at = 0;
    let mut own: Option<String> = None;
    while at < lines.len() {
        let Line { tokens, depth, .. } = &lines[at];
        let depth = *depth;
        let end_of_block = |from: usize, depth: usize| {
            let rest =
                lines[from..].iter().position(|it| !it.tokens.is_empty() && it.depth < depth);
            rest.map_or(lines.len(), |it| from + it)
        };
        if depth == 0 {
            own = name(&lines[at]);
        }
        let calls = |of: &[Line]| {
            let is_own =
                |it: &[Token]| own.as_ref().is_some_and(|own| it[0].is(own)) && it[1].is("(");
            of.iter().any(|it| it.tokens.windows(2).any(is_own))
        };
        let is_branch = depth > 0 && tokens.first().is_some_and(|it| it.is("if"));
        let behind = end_of_block(at + 1, depth + 1);
        let end = end_of_block(behind, depth);
        let returns = lines[at..behind].iter().rfind(|it| !it.tokens.is_empty());
        let returns = returns.is_some_and(|it| {
            it.depth == depth + 1 && it.tokens[0].is("return")
                || it.depth == depth
                    && it.tokens.windows(2).any(|it| it[0].is("then") && it[1].is("return"))
        });
        let has_other =
            lines.get(behind).is_none_or(|it| it.tokens.first().is_some_and(|it| it.is("else")));
        if is_branch && returns && !has_other && behind < end && calls(&lines[behind..end]) {
            let word = lines[at].tokens[0].with("else");
            lines[behind..end].iter_mut().for_each(|it| it.depth += 1);
            lines.insert(behind, Line { depth, tokens: vec![word], comments: vec![] });
        }
        at += 1;
    }
}

/// Procedures of scalars that do nothing but return an expression are functions, which may be called anywhere.
/// Of C, those that compare: what is computed has the width of its types there.
pub(super) fn functions(output: &mut Output, is_c: bool) {
    let mut at = 0;
    while at < output.procedures.len() {
        let (head, body) = (&output.procedures[at], &output.procedures[at + 1..]);
        let end = body.iter().position(|it| it.depth == 0).unwrap_or(body.len());
        let mut code = body[..end].iter().filter(|it| !it.tokens.is_empty());
        let (first, second) = (code.next(), code.next());
        let head_text = text(&head.tokens);
        let of = head_text.strip_prefix("procedure ").and_then(|it| it.split_once(" → "));
        let made = first.filter(|_| second.is_none()).zip(of).and_then(|(line, (of, value))| {
            let [word, value_tokens @ ..] = &line.tokens[..] else { return None };
            let (name, _) = of.split_once('(')?;
            let is_plain = word.is("return")
                && !of.contains('[')
                && !value.contains(',')
                && !value_tokens.is_empty()
                && value_tokens.iter().all(|it| !it.is_any(&["[", ",", name]))
                && (!is_c || compares(value_tokens));
            is_plain.then(|| format!("function {of} = {}", text(value_tokens)))
        });
        if let Some(made) = made {
            let place = output.procedures[at].tokens[0].with(made);
            output.procedures[at].tokens = vec![place];
            output.procedures.drain(at + 1..at + 1 + end);
        }
        at += 1;
    }
}

/// Whether values are only compared.
fn compares(tokens: &[Token]) -> bool {
    let signs = ["=", "≠", "<", "≤", ">", "≥", "and", "or", "not", "(", ")"];
    tokens.iter().any(|it| it.is_any(&signs[..6]))
        && tokens.iter().all(|it| it.is_name() || it.is_number() || it.is_any(&signs))
}

/// The name of a procedure that gives a value.
fn name(line: &Line) -> Option<String> {
    let head = text(&line.tokens);
    let rest = head.strip_prefix("procedure ")?;
    let (name, behind) = rest.split_once('(')?;
    behind.contains('→').then(|| name.trim().to_owned())
}

/// A call that is not all that stands behind an arrow, and that has no other inside.
fn inner(tokens: &[Token], names: &[String]) -> Option<(usize, usize)> {
    let first = tokens.first()?;
    if first.is("procedure") || first.text.starts_with("procedure ") {
        return None;
    }
    let is_call = |at: usize| {
        names.contains(&tokens[at].text) && tokens.get(at + 1).is_some_and(|it| it.is("("))
    };
    let calls = (0..tokens.len()).filter(|&at| is_call(at));
    let found = calls.filter_map(|at| Some((at, closing(tokens, at + 1)?)));
    let is_whole = |(at, close): &(usize, usize)| {
        let before = at.checked_sub(1).map(|it| &tokens[it]);
        *close + 1 == tokens.len()
            && before.is_none_or(|it| it.assigns() && !it.is("="))
            && tokens[..*at].iter().all(|it| !it.is_any(&["if", "then", "else", "["]))
    };
    let has_inner = |(at, close): &(usize, usize)| (*at + 1..*close).any(is_call);
    found.filter(|it| !is_whole(it)).find(|it| !has_inner(it))
}

fn above(line: &mut Line, start: usize, end: usize, output: &mut Output) -> Result<Line> {
    let call = line.tokens[start].clone();
    let before = &line.tokens[..start];
    let again = before.first().is_some_and(|it| it.is_any(&["while", "until", "else", "repeat"]));
    let unsure = before.iter().any(|it| it.is_any(&["and", "or", "then", "else", "do"]));
    if again || unsure {
        let text = format!("`{}` is called where it may happen more than once, or not", call.text);
        return Err(Diagnostic::new(call.span, text)
            .help("give its value to a scalar on a line of its own"));
    }
    let value = output.fresh("value");
    let tokens = words(&call, &format!("{value} ← {{}}"), &[&line.tokens[start..=end]]);
    line.tokens.splice(start..=end, [call.with(value)]);
    let comments = std::mem::take(&mut line.comments);
    Ok(Line { depth: line.depth, tokens, comments })
}
