//! Arguments by their elements, `a_1, …, a_n` and, of a PDF, `a1, …, an`: arrays.

use std::collections::HashMap;

use crate::notation::names::subscript;
use crate::notation::token::{DOTS, LogicalLine, Token};

/// The array and the index of `a_1`, `a1`, `an`, and of `a_{n}` from its first token on; and how many tokens that is.
fn element(tokens: &[Token]) -> Option<(String, String, usize)> {
    let first = tokens.first().filter(|it| it.is_name())?;
    if let Some(name) = first.text.strip_suffix('_')
        && let [open, index, close, ..] = &tokens[1..]
        && open.is("{")
        && close.is("}")
    {
        return Some((name.to_owned(), index.text.clone(), 4));
    }
    if let Some((name, index)) = subscript(&first.text) {
        return (!index.is_empty()).then(|| (name.to_owned(), index.to_owned(), 1));
    }
    let (name, index) = first.text.split_at_checked(1)?;
    (!index.is_empty()).then(|| (name.to_owned(), index.to_owned(), 1))
}

/// `a1, a2, …, an` at the beginning of tokens: the name, the first and the last index, and its length.
fn list(tokens: &[Token]) -> Option<(String, [String; 2], usize)> {
    let (name, first, mut at) = element(tokens)?;
    let mut has_dots = false;
    while tokens.get(at)?.is(",") {
        at += 1;
        if tokens.get(at)?.is_any(&DOTS) {
            has_dots = true;
            at += 1;
            continue;
        }
        let (other, last, length) = element(&tokens[at..])?;
        if other != name {
            return None;
        }
        at += length;
        if has_dots {
            let is_number = first.bytes().all(|it| it.is_ascii_digit());
            return is_number.then_some((name, [first, last], at));
        }
    }
    None
}

/// Makes arrays of such arguments of heads, `A[1..n]`, and elements of what a PDF left of them. Says so.
pub(super) fn lines(lines: &mut [LogicalLine]) -> Vec<(Token, String)> {
    let mut said = vec![];
    let mut found: HashMap<String, bool> = HashMap::new();
    let Some(head) = lines.iter_mut().find(|it| !it.tokens.is_empty()) else { return said };
    if !head.tokens.iter().take(6).any(|it| it.is("(")) {
        return said;
    }
    let mut at = 0;
    while at < head.tokens.len() {
        let is_begin = at > 0 && head.tokens[at - 1].is_any(&["(", ",", ";"]);
        let Some((name, [first, last], length)) = list(&head.tokens[at..]).filter(|_| is_begin)
        else {
            at += 1;
            continue;
        };
        let like = head.tokens[at].clone();
        let is_lost = !like.text.contains('_');
        said.push((like.clone(), format!("`{name}` is an array from {first} to {last}")));
        let range = [&name, "[", &first, "..", &last, "]"].map(|it| Token::glued(it, &like));
        head.tokens.splice(at..at + length, range);
        head.tokens[at].blank = like.blank;
        found.insert(name, is_lost);
        at += 1;
    }
    // `ai`, where the head has `a1, …, an`.
    let counts = ["i", "j", "k", "l", "m", "n", "p", "q", "r", "s", "t", "1", "2", "0"];
    let is_assigned = |lines: &[LogicalLine], word: &str| {
        lines.iter().any(|it| it.tokens.windows(2).any(|it| it[0].is(word) && it[1].assigns()))
    };
    let mut words: Vec<String> = vec![];
    for token in lines.iter().flat_map(|it| &it.tokens).filter(|it| it.is_name()) {
        let Some((name, index)) = token.text.split_at_checked(1) else { continue };
        let is_element = found.get(name).is_some_and(|is_lost| *is_lost) && counts.contains(&index);
        if is_element
            && !words.contains(&token.text)
            && (index != "n" || !is_assigned(lines, &token.text))
        {
            words.push(token.text.clone());
        }
    }
    for line in lines.iter_mut().filter(|_| !words.is_empty()) {
        let mut at = 0;
        while at < line.tokens.len() {
            let token = line.tokens[at].clone();
            if words.contains(&token.text) {
                let (name, index) = token.text.split_at(1);
                let plain = ["[", index, "]"].map(|it| Token::glued(it, &token));
                line.tokens[at].text = name.to_owned();
                line.tokens.splice(at + 1..at + 1, plain);
                at += 3;
            }
            at += 1;
        }
    }
    said
}
