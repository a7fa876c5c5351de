//! Letters and the greatest numbers of types, as numbers.

use crate::notation::scan::SourceLine;
use crate::notation::token::Token;

/// The number of a letter in quotes, as in `'0'`.
fn letter(text: &str) -> Option<u32> {
    let inside = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let mut letters = inside.chars();
    let (first, second) = (letters.next()?, letters.next());
    if letters.next().is_some() {
        return None;
    }
    match (first, second) {
        ('\\', Some('n')) => Some(10),
        ('\\', Some('t')) => Some(9),
        ('\\', Some('r')) => Some(13),
        ('\\', Some('0')) => Some(0),
        ('\\', Some(other @ ('\\' | '"'))) => Some(u32::from(other)),
        (_, None) => Some(u32::from(first)),
        _ => None,
    }
}

/// `Integer.MAX_VALUE`, `numeric_limits<int>::max()` and their kin.
fn most(of: &str, which: &str) -> Option<&'static str> {
    Some(match (of, which) {
        ("Integer" | "Int" | "int", "MAX_VALUE" | "MaxValue") => "2147483647",
        ("Integer" | "Int" | "int", "MIN_VALUE" | "MinValue") => "(-2147483647-1)",
        ("Long" | "long", "MAX_VALUE" | "MaxValue") => "9223372036854775807",
        (
            "Double" | "double" | "Float" | "float" | "Number",
            "POSITIVE_INFINITY" | "PositiveInfinity",
        )
        | ("Math", "Inf") => "∞",
        (
            "Double" | "double" | "Float" | "float" | "Number",
            "NEGATIVE_INFINITY" | "NegativeInfinity",
        ) => "(-∞)",
        ("Number", "MAX_SAFE_INTEGER") => "9007199254740991",
        ("Math" | "math", "PI" | "Pi") => "π",
        ("math", "MaxInt32") => "2147483647",
        ("math", "MaxInt64" | "MaxInt") => "9223372036854775807",
        _ => return None,
    })
}

/// Names of greatest and least values.
fn named(name: &str) -> Option<&'static str> {
    Some(match name {
        "LLONG_MAX" | "LONG_MAX" | "INT64_MAX" => "9223372036854775807",
        "INT32_MAX" => "2147483647",
        "UINT_MAX" | "UINT32_MAX" => "0xffffffff",
        "Infinity" => "∞",
        _ => return None,
    })
}

/// The program with numbers in place of these; `has_letters` where quotes stand around letters, no texts.
pub(super) fn as_numbers(tokens: Vec<Token>, has_letters: bool) -> Vec<Token> {
    let mut out: Vec<Token> = vec![];
    let mut at = 0;
    let push = |out: &mut Vec<Token>, like: &Token, text: &str| match text.strip_prefix("(-") {
        Some(rest) => {
            let rest = rest.trim_end_matches(')');
            let (number, less) = rest.split_once('-').map_or((rest, None), |it| (it.0, Some(it.1)));
            out.extend(["(", "-", number].map(|it| like.with(it)));
            out.extend(less.into_iter().flat_map(|it| ["-", it]).map(|it| like.with(it)));
            out.push(like.with(")"));
        }
        None => out.push(like.with(text)),
    };
    while let Some(token) = tokens.get(at) {
        let rest = &tokens[at..];
        let is_limit = |it: &[Token]| {
            let texts = ["numeric_limits", "<", "", ">", "::", "", "(", ")"];
            it.len() >= 8 && texts.iter().zip(it).all(|(of, it)| of.is_empty() || it.is(of))
        };
        if let [of, dot, which, ..] = rest
            && dot.is(".")
            && let Some(value) = most(&of.text, &which.text)
        {
            push(&mut out, token, value);
            at += 3;
        } else if is_limit(rest) {
            let most_word = if rest[5].is("max") { "MAX_VALUE" } else { "MIN_VALUE" };
            let word = if rest[5].is("infinity") { "POSITIVE_INFINITY" } else { most_word };
            match most(&rest[2].text, word) {
                Some(value) => push(&mut out, token, value),
                None => out.extend_from_slice(&rest[..8]),
            }
            at += 8;
        } else {
            let number = letter(&token.text).filter(|_| has_letters).map(|it| it.to_string());
            match number.as_deref().or(named(&token.text)) {
                Some(value) => push(&mut out, token, value),
                None => out.push(token.clone()),
            }
            at += 1;
        }
    }
    out
}

/// Lines without the numbers that a book prints before them.
pub(super) fn without_numbers(mut lines: Vec<SourceLine>) -> Vec<SourceLine> {
    let is_number = |it: &Token| it.is_number() && it.text.ends_with('.');
    let numbered = lines.iter().filter(|it| it.tokens.first().is_some_and(is_number)).count();
    if numbered > 1 {
        for line in &mut lines {
            if line.tokens.first().is_some_and(is_number) {
                line.tokens.remove(0);
            }
        }
    }
    lines
}
