//! R: its statements in Julia's words, which has its arrays.

use super::super::scan::SourceLine;
use super::Reader;
use crate::notation::token::{Token, closing, position, split};

/// The lines with Julia's blocks and signs.
pub(super) fn in_julia(lines: Vec<SourceLine>) -> Vec<SourceLine> {
    let mut out: Vec<SourceLine> = vec![];
    let mut waits: Option<Token> = None;
    let ended = |it: Token| SourceLine { tokens: vec![it.with("end")], comments: vec![] };
    for line in lines {
        let tokens = signs(line.tokens);
        let mut comments = line.comments;
        for tokens in statements(&tokens) {
            let Some(first) = tokens.first().cloned() else { continue };
            // A statement alone ends its branch, unless another branch follows.
            if waits.is_some() && !first.is_any(&["else", "elseif"]) {
                out.extend(waits.take().map(ended));
            }
            waits = None;
            let closes = tokens.len() == 1 && first.is("}");
            let opens = tokens.last().is_some_and(|it| it.is("{"));
            let tokens = match () {
                () if closes => vec![first.with("end")],
                () if opens => head(&tokens[..tokens.len() - 1]),
                () => tokens.clone(),
            };
            let is_naked = !opens
                && tokens.len() > 1
                && tokens[0].is_any(&["for", "while", "if", "else", "elseif"]);
            if is_naked && let Some((head_of, body)) = naked(&tokens) {
                out.push(SourceLine {
                    tokens: head(&head_of),
                    comments: std::mem::take(&mut comments),
                });
                if !body.is_empty() {
                    out.push(SourceLine { tokens: body, comments: vec![] });
                }
                waits = Some(first.clone());
            } else {
                out.push(SourceLine { tokens, comments: std::mem::take(&mut comments) });
            }
        }
        if !comments.is_empty() {
            out.push(SourceLine { tokens: vec![], comments });
        }
    }
    out.extend(waits.map(ended));
    out
}

/// `} else {` on one line, and braces apart from what stands before them.
fn statements(tokens: &[Token]) -> Vec<Vec<Token>> {
    let mut out: Vec<Vec<Token>> = vec![vec![]];
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        let before_else = tokens.get(at + 1).is_some_and(|it| it.is("else"));
        match token.text.as_str() {
            "}" if before_else => {
                out.push(vec![]);
                let is_joined = tokens.get(at + 2).is_some_and(|it| it.is("if"));
                let word = if is_joined { "elseif" } else { "else" };
                out.push(vec![tokens[at + 1].with(word)]);
                at += 1 + usize::from(is_joined);
            }
            "}" => out.extend([vec![token.clone()], vec![]]),
            "else" if tokens.get(at + 1).is_some_and(|it| it.is("if")) => {
                let last = out.len() - 1;
                out[last].push(token.with("elseif"));
                at += 1;
            }
            "{" => {
                let last = out.len() - 1;
                out[last].push(token.clone());
                out.push(vec![]);
            }
            ";" => out.push(vec![]),
            _ => {
                let last = out.len() - 1;
                out[last].push(token.clone());
            }
        }
        at += 1;
    }
    out.retain(|it| !it.is_empty());
    out
}

/// The head of a block without the brackets of R.
fn head(tokens: &[Token]) -> Vec<Token> {
    match tokens {
        // `f <- function(a, n)`
        [name, sign, word, rest @ ..] if sign.is("=") && word.is("function") => {
            let mut rest = rest.to_vec();
            if let Some(open) = rest.first_mut() {
                open.blank.clear();
            }
            [&[name.with("function"), Token::made(name.text.clone(), name)], &rest[..]].concat()
        }
        [word] if word.is("repeat") => vec![word.with("while"), Token::made("true", word)],
        [word, open, inside @ .., _]
            if word.is_any(&["for", "while", "if", "elseif"])
                && open.is("(")
                && closing(tokens, 1) == Some(tokens.len() - 1) =>
        {
            let inside = if word.is("for") { range(inside) } else { inside.to_vec() };
            [std::slice::from_ref(word), &inside[..]].concat()
        }
        all => all.to_vec(),
    }
}

/// `i in n:1`, which goes down, as `n:-1:1`.
fn range(inside: &[Token]) -> Vec<Token> {
    let [name, word, of @ ..] = inside else { return inside.to_vec() };
    let made = |text: &str| Token::made(text, word);
    let of: Vec<Token> = match of {
        [seq, open, array @ .., _] if seq.is("seq_along") && open.is("(") => {
            [&[made("1"), made(":"), made("length"), Token::glued("(", word)], array, &[made(")")]]
                .concat()
        }
        [seq, open, count @ .., _] if seq.is("seq_len") && open.is("(") => {
            [&[made("1"), made(":")], count].concat()
        }
        [seq, open, rest @ .., _] if seq.is("seq") && open.is("(") => {
            let parts = split(rest, &[","]);
            let step = parts.get(2).map(|it| it.iter().skip_while(|it| it.is_any(&["by", "="])));
            match (&parts[..], step) {
                ([from, to, _], Some(step)) => {
                    let step: Vec<Token> = step.cloned().collect();
                    [*from, &[made(":")], &step[..], &[made(":")], *to].concat()
                }
                ([from, to], _) => [*from, &[made(":")], *to].concat(),
                _ => of.to_vec(),
            }
        }
        all => match position(all, &[":"]) {
            Some(at)
                if matches!(&all[at + 1..], [one] if one.is_number())
                    && !matches!(&all[..at], [one] if one.is_number()) =>
            {
                [&all[..at], &[made(":"), made("-"), made("1"), made(":")], &all[at + 1..]].concat()
            }
            _ => all.to_vec(),
        },
    };
    [&[name.clone(), word.clone()], &of[..]].concat()
}

/// A head and the statement behind it on its line.
fn naked(tokens: &[Token]) -> Option<(Vec<Token>, Vec<Token>)> {
    if tokens[0].is("else") {
        return None;
    }
    let close = closing(tokens, 1)?;
    Some((tokens[..=close].to_vec(), tokens[close + 1..].to_vec()))
}

/// R's signs and functions in Julia's words.
fn signs(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = vec![];
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match &tokens[at..] {
            [word, open, ..] if open.is("(") && word.is("return") => {
                let close = closing(&tokens, at + 1).unwrap_or(tokens.len());
                out.push(word.clone());
                out.extend(signs(tokens[at + 2..close].to_vec()));
                at = close;
            }
            [word, open, ..]
                if open.is("(")
                    && word.is_any(&["numeric", "integer", "nrow", "ncol", "rep", "matrix"]) =>
            {
                let close = closing(&tokens, at + 1).unwrap_or(tokens.len());
                let inside = signs(tokens[at + 2..close].to_vec());
                let parts = split(&inside, &[","]);
                let value = |it: &[Token]| match it {
                    [_, sign, rest @ ..] if sign.is("=") => rest.to_vec(),
                    all => all.to_vec(),
                };
                let is_zero = parts[0].len() == 1 && parts[0][0].is("0");
                let made = |text: &str| Token::glued(text, word);
                let all: Option<(&str, Vec<Vec<Token>>)> = match (word.text.as_str(), &parts[..]) {
                    ("numeric" | "integer", [count]) => Some(("zeros", vec![count.to_vec()])),
                    ("rep", [_, count]) if is_zero => Some(("zeros", vec![value(count)])),
                    ("matrix", [_, rows, columns]) if is_zero => {
                        Some(("zeros", vec![value(rows), value(columns)]))
                    }
                    ("nrow", [array]) => Some(("size", vec![array.to_vec(), vec![made("1")]])),
                    ("ncol", [array]) => Some(("size", vec![array.to_vec(), vec![made("2")]])),
                    _ => None,
                };
                match all {
                    Some((name, parts)) => {
                        out.extend([word.with(name), made("(")]);
                        out.extend(parts.join(&made(",")));
                        out.push(made(")"));
                        at = close;
                    }
                    None => out.push(word.clone()),
                }
            }
            _ => out.push(match token.text.as_str() {
                "<-" => token.with("="),
                "next" => token.with("continue"),
                "TRUE" => token.with("true"),
                "FALSE" => token.with("false"),
                _ => token.clone(),
            }),
        }
        at += 1;
    }
    out
}

impl Reader {
    /// What R's ranges do where they are empty.
    pub(super) fn says_r(&mut self) {
        if let Some(first) = self.lines.first().and_then(|it| it.first()).cloned() {
            let text = "read as R, whose `1:n` goes down where n is 0: it is empty here".to_owned();
            self.out.hints.said.push((first, text));
        }
    }
}
