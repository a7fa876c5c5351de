//! First and last indices as texts print them.

use crate::notation::token::{LogicalLine, Token, closing, position, split, text};

/// What stands in brackets behind a name: `A[1..n]`, `A(1:n)`.
pub(super) fn printed_ranges(text: &str, name: &str, rank: usize) -> Option<Vec<Option<String>>> {
    let begins = |sign: char| {
        let at = text.find(&format!("{name}{sign}"))?;
        let before = text[..at].chars().next_back();
        before.is_none_or(|it| !it.is_alphanumeric() && it != '_').then_some(at)
    };
    if rank == 1
        && let Some(range) = listed_range(text, name)
    {
        return Some(vec![Some(range)]);
    }
    let at = begins('[').or_else(|| begins('('))?;
    let inside = &text[at + name.len() + 1..];
    let inside = &inside[..inside.find([']', ')'])?];
    let parts: Vec<&str> = inside.split(',').collect();
    (parts.len() == rank).then(|| parts.into_iter().map(range).collect())
}

/// `K[1], …, K[N]` and `x_1, x_2, …, x_n`: the first and the last index.
fn listed_range(text: &str, name: &str) -> Option<String> {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    let index = |at: usize| {
        let behind = &text[at + name.len()..];
        let (close, inside) = match behind.chars().next()? {
            '[' => (']', &behind[1..]),
            '(' => (')', &behind[1..]),
            '_' if behind[1..].starts_with('{') => ('}', &behind[2..]),
            '_' => {
                let end = behind[1..].find(|it: char| !it.is_alphanumeric());
                return Some(&behind[1..1 + end.unwrap_or(behind.len() - 1)]);
            }
            _ => return None,
        };
        inside.split(close).next()
    };
    let is_whole = |at: &usize| !text[..*at].chars().next_back().is_some_and(is_part);
    let places = text.match_indices(name).map(|it| it.0).filter(is_whole);
    let mut places = places.filter_map(|at| Some((at, index(at)?)));
    let (from, first) = places.next()?;
    let (to, last) = places.last()?;
    let has_dots = ["...", "…", ". . ."].iter().any(|it| text[from..to].contains(it));
    let between = &text[from..to];
    let is_list = between.trim_end().ends_with(',') || between.trim_end().ends_with(['…', '.']);
    (has_dots && is_list).then(|| range(&format!("{first}..{last}")))?
}

/// `1..n` in words of the plain form.
fn range(text: &str) -> Option<String> {
    let dots = [". . .", "...", "…", "..", ":"];
    let sign = dots.iter().find(|it| text.contains(**it))?;
    let (first, last) = text.split_once(sign)?;
    let plain = |it: &str| it.trim().replace('−', "-");
    let is_plain = |it: &str| {
        !it.is_empty()
            && it.chars().all(|it| it.is_ascii_alphanumeric() || " +-_".contains(it))
            && !it.starts_with(|it: char| it.is_ascii_digit())
                | it.chars().all(|it| it.is_ascii_digit())
    };
    let (first, last) = (plain(first), plain(last));
    (is_plain(&first) && is_plain(&last)).then(|| format!("{first} .. {last}"))
}

/// `1 .. n` of a head, further where a sentinel is assigned: `A[0] ← …`, `A[n + 1] ← …`.
pub(super) fn widened(range: &str, name: &str, at: usize, lines: &[LogicalLine]) -> String {
    let Some((mut first, mut last)) =
        range.split_once(" .. ").map(|it| (it.0.to_owned(), it.1.to_owned()))
    else {
        return range.to_owned();
    };
    let (before, behind) =
        (first.parse::<i64>().ok().map(|it| (it - 1).to_string()), format!("{last} + 1"));
    for line in lines {
        for place in 0..line.tokens.len().saturating_sub(2) {
            let is_access = line.tokens[place].is(name) && line.tokens[place + 1].is("[");
            let Some(close) = closing(&line.tokens, place + 1).filter(|_| is_access) else {
                continue;
            };
            if !line.tokens.get(close + 1).is_some_and(Token::assigns) {
                continue;
            }
            let parts = split(&line.tokens[place + 2..close], &[","]);
            let index = parts.get(at).map(|it| text(it)).unwrap_or_default();
            if Some(&index) == before.as_ref() {
                first.clone_from(&index);
            } else if index == behind {
                last.clone_from(&index);
            }
        }
    }
    format!("{first} .. {last}")
}

/// The extents of `X[0..n]`, as texts.
pub(super) fn extents(tokens: &[Token]) -> Vec<Option<String>> {
    let text = |it: &[Token]| text(it).replace('−', "-");
    let of = |part: &[Token]| {
        let at = position(part, &["..", "...", ". . .", "…", ":"]);
        match at {
            Some(at) => Some(format!("{} .. {}", text(&part[..at]), text(&part[at + 1..]))),
            None if part.is_empty() => None,
            None => Some(format!("1 .. {}", text(part))),
        }
    };
    split(tokens, &[","]).into_iter().map(of).collect()
}
