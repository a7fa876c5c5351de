//! `when` of Kotlin and `match` of Rust, as statements: branches.

use super::{Kind, closing, position, split};
use crate::notation::token::Token;

/// One of the values of an arm, as a condition on the subject.
fn condition(subject: &[Token], value: &[Token], kind: Kind) -> Vec<Token> {
    let like = &value[0];
    let made = |text: &str| like.with(text);
    let group = |it: &[Token]| [&[made("(")], it, &[made(")")]].concat();
    let value = match value {
        [word, rest @ ..] if word.is("in") => rest,
        all => all,
    };
    if subject.is_empty() {
        return group(value);
    }
    if let Some(at) = position(value, &["..", "..="]) {
        let (from, to) = (&value[..at], &value[at + 1..]);
        let (to, sign) = match to {
            [equal, rest @ ..] if equal.is("=") => (rest, "<="),
            all => (all, if kind == Kind::Rust && !value[at].is("..=") { "<" } else { "<=" }),
        };
        let least = [&group(subject)[..], &[made(">=")], from].concat();
        let most = [&group(subject)[..], &[made(sign)], to].concat();
        return group(&[&least[..], &[made("&&")], &most[..]].concat());
    }
    [group(subject), vec![made("==")], group(value)].concat()
}

/// The program with branches in place of those that are statements of their own.
pub(super) fn without_arms(tokens: Vec<Token>, kind: Kind) -> Vec<Token> {
    let (word, arrow, other) = match kind {
        Kind::Kotlin => ("when", "->", "else"),
        Kind::Rust => ("match", "=>", "_"),
        _ => return tokens,
    };
    let mut tokens = tokens;
    let mut until = tokens.len();
    while let Some(at) = tokens[..until].iter().rposition(|it| it.is(word)) {
        until = at;
        // `g[i] = when {`, `return match x {`: each arm does so.
        let start = tokens[..at].iter().rposition(|it| it.is_any(&[";", "{", "}"]));
        let start = start.map_or(0, |it| it + 1);
        let gives = at > start
            && (tokens[at - 1].is("=") || tokens[at - 1].is("return"))
            && !tokens[start].is_any(&["let", "val", "var", "fn", "fun"]);
        let start = if gives { start } else { at };
        let own = tokens[start..at].to_vec();
        let begins = gives || at == 0 || tokens[at - 1].is_any(&[";", "{", "}", ")", "else"]);
        let Some(open) = position(&tokens[at..], &["{"]).map(|it| it + at) else { continue };
        let Some(close) = closing(&tokens, open).filter(|_| begins) else { continue };
        let subject = match &tokens[at + 1..open] {
            [bracket, inside @ .., _] if bracket.is("(") => inside,
            all => all,
        }
        .to_vec();
        let like = tokens[at].clone();
        let mut out: Vec<Token> = vec![];
        let mut rest = &tokens[open + 1..close];
        let mut is_read = true;
        while !rest.is_empty() {
            let Some(end) = position(rest, &[arrow]) else {
                is_read = rest.iter().all(|it| it.is_any(&[";", ","]));
                break;
            };
            let values = &rest[..end];
            let values: Vec<Token> =
                values.iter().skip_while(|it| it.is_any(&[";", ","])).cloned().collect();
            rest = &rest[end + 1..];
            let length = match rest.first() {
                Some(brace) if brace.is("{") => closing(rest, 0).map_or(rest.len(), |it| it + 1),
                _ => position(rest, if kind == Kind::Rust { &[","] } else { &[";"] })
                    .unwrap_or(rest.len()),
            };
            let body = &rest[..length];
            rest = &rest[length..];
            if !out.is_empty() {
                out.push(like.with("else"));
            }
            let is_other = matches!(&values[..], [one] if one.is(other));
            if values.is_empty() || values.iter().any(|it| it.is("is")) {
                is_read = false;
                break;
            }
            if !is_other {
                let sign = if kind == Kind::Rust { "|" } else { "," };
                let all: Vec<Vec<Token>> = split(&values, &[sign])
                    .into_iter()
                    .filter(|it| !it.is_empty())
                    .map(|it| condition(&subject, it, kind))
                    .collect();
                out.extend([like.with("if"), like.with("(")]);
                out.extend(all.join(&like.with("||")));
                out.push(like.with(")"));
            }
            if body.first().is_some_and(|it| it.is("{")) {
                is_read &= own.is_empty();
                out.extend_from_slice(body);
            } else {
                out.push(like.with("{"));
                out.extend_from_slice(&own);
                out.extend_from_slice(body);
                out.extend([like.with(";"), like.with("}")]);
            }
        }
        if is_read {
            tokens.splice(start..=close, out);
            until = start;
        }
    }
    tokens
}
