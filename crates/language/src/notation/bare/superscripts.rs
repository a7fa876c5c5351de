//! Numbers of iterations above the line: `x_i^(k+1)` and `R^(k)[i, j]` are elements, whose first index that is.

use std::collections::{HashMap, HashSet};

use crate::notation::layout::number_length;
use crate::notation::names::subscript;
use crate::notation::output::words;
use crate::notation::token::{LogicalLine, Token, closing, split, text};

/// A name with an index above the line, and those below it.
struct Raised {
    name: Token,
    above: Vec<Token>,
    below: Vec<Vec<Token>>,
    /// Written so that it is no power: `x^((k))` of LaTeX, `R^(k)[i, j]`.
    is_sure: bool,
    length: usize,
}

fn raised(tokens: &[Token]) -> Option<Raised> {
    let first = tokens.first().filter(|it| it.is_name())?;
    let (mut name, mut below, mut at) = (first.clone(), vec![], 1);
    let letters = |text: &str, like: &Token| {
        text.chars().map(|it| vec![Token::glued(it, like)]).collect::<Vec<_>>()
    };
    let group = |open: usize| {
        let close = closing(tokens, open)?;
        let parts = split(&tokens[open + 1..close], &[","]);
        Some((parts.into_iter().map(<[Token]>::to_vec).collect::<Vec<_>>(), close + 1))
    };
    if let Some(base) = first.text.strip_suffix('_').filter(|it| !it.is_empty()) {
        if !tokens.get(1)?.is("{") {
            return None;
        }
        name = first.with(base);
        (below, at) = group(1)?;
    } else if let Some((base, index)) = subscript(&first.text) {
        name = first.with(base);
        below = letters(index, first);
    }
    if !tokens.get(at)?.is("^") || !tokens.get(at + 1)?.is("(") {
        return None;
    }
    let close = closing(tokens, at + 1)?;
    let inside = &tokens[at + 2..close];
    let is_double = inside.first()?.is("(") && closing(inside, 0) == Some(inside.len() - 1);
    let above = if is_double { &inside[1..inside.len() - 1] } else { inside };
    at = close + 1;
    if above.is_empty() {
        return None;
    }
    let mut is_sure = is_double;
    match tokens.get(at) {
        Some(it) if it.is("[") && it.blank.is_empty() => {
            (below, at) = group(at)?;
            is_sure = true;
        }
        Some(it) if it.is("_") && tokens.get(at + 1)?.is("{") => (below, at) = group(at + 1)?,
        Some(it) if it.text.starts_with('_') && it.blank.is_empty() => {
            below = letters(&it.text[1..], it);
            at += 1;
        }
        _ => {}
    }
    Some(Raised { name, above: above.to_vec(), below, is_sure, length: at })
}

/// Makes elements of what has such an index; a name that has it once has it everywhere. Says so.
pub(super) fn lines(lines: &mut [LogicalLine]) -> Vec<(Token, String)> {
    let mut names: HashSet<String> = HashSet::new();
    let mut said = vec![];
    for line in lines.iter() {
        let start = number_length(&line.tokens);
        for at in 0..line.tokens.len() {
            let Some(it) = raised(&line.tokens[at..]) else { continue };
            let is_target =
                at == start && line.tokens.get(at + it.length).is_some_and(Token::assigns);
            if (it.is_sure || is_target) && names.insert(it.name.text.clone()) {
                let text = format!("the number above `{}` is its first index", it.name.text);
                said.push((it.name, text));
            }
        }
    }
    let ranks = ranks(lines, &names);
    for line in lines.iter_mut().filter(|_| !names.is_empty()) {
        whole(line, &ranks);
        let mut at = 0;
        while at < line.tokens.len() {
            let found = raised(&line.tokens[at..]).filter(|it| names.contains(&it.name.text));
            if let Some(it) = found {
                let glued = |text: &str| Token::glued(text, &it.name);
                let mut plain = vec![it.name.clone(), glued("[")];
                plain.extend(it.above);
                plain[2].blank.clear();
                for index in it.below {
                    plain.push(glued(","));
                    plain.extend(crate::notation::output::spaced(index));
                }
                plain.push(glued("]"));
                line.tokens.splice(at..at + it.length, plain);
            }
            at += 1;
        }
    }
    said
}

/// How many indices stand below the line, where some do.
fn ranks(lines: &[LogicalLine], names: &HashSet<String>) -> HashMap<String, usize> {
    let mut found: HashMap<String, usize> = HashMap::new();
    for tokens in lines.iter().map(|it| &it.tokens) {
        for it in (0..tokens.len()).filter_map(|at| raised(&tokens[at..])) {
            if names.contains(&it.name.text) && !it.below.is_empty() {
                found.insert(it.name.text, it.below.len());
            }
        }
    }
    found
}

/// `R^(0) ← A` of all elements, and `return R^(n)`, which is a part of what comes out.
fn whole(line: &mut LogicalLine, ranks: &HashMap<String, usize>) {
    let number = number_length(&line.tokens).min(line.tokens.len());
    let code = &line.tokens[number..];
    if let [word, rest @ ..] = code
        && word.is_word("return")
        && let Some(it) = raised(rest).filter(|it| it.length == rest.len() && it.below.is_empty())
        && ranks.contains_key(&it.name.text)
    {
        line.tokens.splice(number + 1.., [it.name]);
        return;
    }
    let Some(it) = raised(code).filter(|it| it.below.is_empty()) else { return };
    let (Some(rank), [arrow, source]) = (ranks.get(&it.name.text), &code[it.length..]) else {
        return;
    };
    if !arrow.assigns() || !source.is_name() || *rank > 2 {
        return;
    }
    let (x, y, above) = (&it.name.text, &source.text, text(&it.above));
    let plain = match rank {
        1 => format!("for e_ ← 1 to length({y}) do {x}[{above}, e_] ← {y}[e_]"),
        _ => format!(
            "for e_ ← 1 to rows({y}) do for f_ ← 1 to columns({y}) do {x}[{above}, e_, f_] ← {y}[e_, f_]"
        ),
    };
    let plain = words(&code[0], &plain, &[]);
    line.tokens.splice(number.., plain);
}
