//! `switch` as branches: each label has what stands behind it, up to the `break` that leaves it.

use super::output::Output;
use super::token::{Token, closing, position, split};
use crate::diagnostic::Diagnostic;

type Result<T> = std::result::Result<T, Diagnostic>;

/// More tokens than branches are copied to where one falls into the next.
const LONGEST: usize = 50_000;

/// What labels lead to.
struct Section {
    /// Values; none of `default`.
    labels: Vec<Vec<Token>>,
    has_default: bool,
    body: Vec<Token>,
    /// Whether it goes on with the next.
    falls: bool,
}

/// The program without `switch`.
pub(super) fn without_switches(
    tokens: Vec<Token>,
    is_go: bool,
    out: &mut Output,
) -> Result<Vec<Token>> {
    let mut tokens = tokens;
    // The last is inside the others.
    while let Some(at) = tokens.iter().rposition(|it| it.is("switch")) {
        let word = tokens[at].clone();
        let wrong = || {
            Diagnostic::new(word.span, "a `switch` without its braces")
                .help("write `if (…) … else if …`")
        };
        let open = position(&tokens[at..], &["{"]).ok_or_else(wrong)? + at;
        let close = closing(&tokens, open).ok_or_else(wrong)?;
        let subject = &tokens[at + 1..open];
        let (above, subject) = match position(subject, &[";"]) {
            Some(end) if is_go => (&subject[..=end], &subject[end + 1..]),
            _ => (&[][..], subject),
        };
        let sections = sections(&tokens[open + 1..close], is_go)?;
        let changes = |it: &Token| it.is_any(&["++", "--", "="]);
        let calls = |it: &[Token]| it[0].is_name() && it[1].is("(");
        let is_plain = !subject.iter().any(changes) && !subject.windows(2).any(calls);
        let mut made = vec![word.with("{")];
        made.extend_from_slice(above);
        let subject = if is_plain || subject.is_empty() {
            subject.to_vec()
        } else {
            let choice = word.with(out.fresh("choice"));
            made.extend([word.with("auto"), choice.clone(), word.with("=")]);
            made.extend_from_slice(subject);
            made.push(word.with(";"));
            vec![choice]
        };
        made.extend(branches(&word, &subject, &sections)?);
        made.push(word.with("}"));
        if tokens.len() + made.len() > LONGEST {
            return Err(Diagnostic::new(word.span, "branches that fall into very many others")
                .help("end each with `break;`"));
        }
        tokens.splice(at..=close, made);
    }
    Ok(tokens)
}

fn branches(word: &Token, subject: &[Token], sections: &[Section]) -> Result<Vec<Token>> {
    let mut out: Vec<Token> = vec![];
    let whole = |from: usize| {
        let last = (from..sections.len()).find(|it| !sections[*it].falls);
        let last = last.unwrap_or(sections.len() - 1);
        sections[from..=last].iter().flat_map(|it| it.body.clone()).collect::<Vec<_>>()
    };
    let group = |it: &[Token]| [&[word.with("(")], it, &[word.with(")")]].concat();
    let mut other = None;
    for (at, section) in sections.iter().enumerate() {
        if section.has_default {
            other = Some(whole(at));
            continue;
        }
        let is_one = |label: &Vec<Token>| match subject {
            [] => group(label),
            of => [group(of), vec![word.with("==")], group(label)].concat(),
        };
        let labels = section.labels.iter().map(is_one).collect::<Vec<_>>();
        if !out.is_empty() {
            out.push(word.with("else"));
        }
        out.push(word.with("if"));
        out.extend(group(&labels.join(&word.with("||"))));
        out.push(word.with("{"));
        out.extend(whole(at));
        out.push(word.with("}"));
    }
    match other {
        Some(body) if out.is_empty() => out = body,
        Some(body) => {
            out.extend([word.with("else"), word.with("{")]);
            out.extend(body);
            out.push(word.with("}"));
        }
        None => {}
    }
    if let Some(token) = own_break(&out) {
        return Err(Diagnostic::new(token.span, "`break` of a `switch` in the middle of a branch")
            .help("put what stands behind it in the branch under an `else`"));
    }
    Ok(out)
}

fn sections(tokens: &[Token], is_go: bool) -> Result<Vec<Section>> {
    let mut found: Vec<Section> = vec![];
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        if !token.is_any(&["case", "default"]) {
            return Err(Diagnostic::new(token.span, "a statement before the first label")
                .help("write `case …:` or `default:` above it"));
        }
        let Some(end) = position(&tokens[at..], &[":", "->"]).map(|it| it + at) else {
            return Err(Diagnostic::new(token.span, "a label without its `:`").help("write it"));
        };
        let values = &tokens[at + 1..end];
        let labels = split(values, &[","]).into_iter().filter(|it| !it.is_empty());
        let labels: Vec<Vec<Token>> = labels.map(<[Token]>::to_vec).collect();
        let is_arrow = tokens[end].is("->");
        let rest = &tokens[end + 1..];
        let next = position(rest, &["case", "default"]).unwrap_or(rest.len());
        let (body, falls) = body(&rest[..next], is_go || is_arrow);
        at = end + 1 + next;
        let has_default = token.is("default");
        match found.last_mut() {
            // `case 1: case 2:` lead to one body.
            Some(before) if before.body.is_empty() && before.falls => {
                before.labels.extend(labels);
                before.has_default |= has_default;
                (before.body, before.falls) = (body, falls);
            }
            _ => found.push(Section { labels, has_default, body, falls }),
        }
    }
    if let Some(last) = found.last_mut() {
        last.falls = false;
    }
    Ok(found)
}

/// The statements of a label without the `break` at their end, and whether they fall into the next.
fn body(tokens: &[Token], ends: bool) -> (Vec<Token>, bool) {
    let inner = match tokens {
        [open, inside @ .., _] if open.is("{") && closing(tokens, 0) == Some(tokens.len() - 1) => {
            inside
        }
        all => all,
    };
    match inner {
        [rest @ .., word, end] if word.is("break") && end.is(";") => (rest.to_vec(), false),
        [rest @ .., word, end] if word.is("fallthrough") && end.is(";") => (rest.to_vec(), true),
        all => {
            let parts = split(all, &[";"]);
            let last = parts.iter().rfind(|it| !it.is_empty());
            let leaves = last.is_some_and(|it| it[0].is_any(&["return", "continue", "exit"]));
            (all.to_vec(), !ends && !leaves)
        }
    }
}

/// A `break` that no loop inside takes.
fn own_break(tokens: &[Token]) -> Option<&Token> {
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        if token.is("break") {
            return Some(token);
        }
        at += 1;
        if token.is_any(&["for", "while", "do"]) {
            at = end_of_loop(tokens, at);
        }
    }
    None
}

/// Behind the body of the loop whose word stands before `at`.
fn end_of_loop(tokens: &[Token], at: usize) -> usize {
    let mut at = at;
    loop {
        if tokens.get(at).is_some_and(|it| it.is("(")) {
            at = closing(tokens, at).map_or(tokens.len(), |it| it + 1);
        }
        match tokens.get(at) {
            Some(open) if open.is("{") => {
                return closing(tokens, at).map_or(tokens.len(), |it| it + 1);
            }
            Some(word) if word.is_any(&["for", "while", "if"]) => at += 1,
            Some(_) => {
                let end = position(&tokens[at..], &[";"]);
                return end.map_or(tokens.len(), |it| at + it + 1);
            }
            None => return at,
        }
    }
}
