//! `a[1] + a[2] + … + a[n]` and `the maximum of a[1], …, a[n]`: folds over a range that dots stand for.

use crate::notation::expression::plus;
use crate::notation::names::subscript;
use crate::notation::token::{DOTS, Token, closing, text};

/// What is said before the elements.
const SAID: [(&[&str], &str); 4] = [
    (&["maximum", "max", "largest", "greatest"], "max"),
    (&["minimum", "min", "smallest", "least"], "min"),
    (&["sum", "total"], "sum"),
    (&["product"], "prod"),
];

/// An element, and how many tokens it has.
struct Element {
    name: Token,
    index: Vec<Token>,
    length: usize,
}

/// `a[i]` and `a_1`.
fn element(tokens: &[Token]) -> Option<Element> {
    let first = tokens.first().filter(|it| it.is_name())?;
    if tokens.get(1).is_some_and(|it| it.is("[")) {
        let close = closing(tokens, 1)?;
        let index = tokens[2..close].to_vec();
        return Some(Element { name: first.clone(), index, length: close + 1 });
    }
    let (name, index) = subscript(&first.text)?;
    let is_whole = !name.is_empty() && !index.is_empty() && !index.contains('_');
    let index = vec![Token::glued(index, first)];
    is_whole.then(|| Element { name: first.with(name), index, length: 1 })
}

/// The first and the last of elements between which dots stand, with a sign between all.
fn range(tokens: &[Token], sign: &str) -> Option<(Element, Element, usize)> {
    let first = element(tokens)?;
    let mut at = first.length;
    let goes_on = |at: usize| tokens.get(at).is_some_and(|it| it.is(sign));
    while goes_on(at) {
        if tokens.get(at + 1)?.is_any(&DOTS) && goes_on(at + 2) {
            let last = element(&tokens[at + 3..])?;
            let end = at + 3 + last.length;
            return last.name.is(&first.name.text).then_some((first, last, end));
        }
        let next = element(&tokens[at + 1..])?;
        // Each the one behind the one before it.
        let is_second = at == first.length
            && next.name.is(&first.name.text)
            && text(&next.index) == text(&plus(first.index.clone(), 1));
        if !is_second {
            return None;
        }
        at += 1 + next.length;
    }
    None
}

/// A fold as it is written with its range below and above its sign.
fn fold(kind: &str, first: Element, last: Element, place: &Token) -> Vec<Token> {
    const VARIABLE: &str = "each_at";
    let glued = |text: &str| Token::glued(text, place);
    let sign = Token { blank: place.blank.clone(), ..place.with(format!("{kind}_")) };
    let head = [sign, glued("{"), glued(VARIABLE), glued("=")].to_vec();
    let between = ["}", "^", "{"].map(glued).to_vec();
    let name = Token { blank: " ".to_owned(), ..first.name };
    let body = ["[", VARIABLE, "]"].map(glued).to_vec();
    [head, first.index, between, last.index, vec![glued("}"), name], body].concat()
}

/// Sums and the like over dots, as folds.
pub(super) fn sums(tokens: &mut Vec<Token>) {
    let mut at = 0;
    while at < tokens.len() {
        if let Some((plain, end)) = said(&tokens[at..]).or_else(|| added(tokens, at)) {
            let length = plain.len();
            tokens.splice(at..at + end, plain);
            at += length;
        } else {
            at += 1;
        }
    }
}

/// `the maximum of a[1], …, a[n]`, `max(a[1], …, a[n])`.
fn said(tokens: &[Token]) -> Option<(Vec<Token>, usize)> {
    let article = usize::from(tokens[0].is_word("the"));
    let word = tokens.get(article)?;
    let kind = SAID.iter().find(|it| word.is_any(it.0))?.1;
    let rest = &tokens[article + 1..];
    match rest.first()? {
        of if of.is_word("of") => {
            let (first, last, end) = range(&rest[1..], ",")?;
            Some((fold(kind, first, last, &tokens[0]), article + 2 + end))
        }
        open if open.is_any(&["(", "{"]) && article == 0 => {
            let close = closing(rest, 0)?;
            let (first, last, end) = range(&rest[1..close], ",")?;
            (end + 1 == close).then(|| (fold(kind, first, last, &tokens[0]), close + 2))
        }
        _ => None,
    }
}

/// `a_1 + a_2 + … + a_n`.
fn added(tokens: &[Token], at: usize) -> Option<(Vec<Token>, usize)> {
    let binds = |it: &Token| it.is_any(&["-", "−", "×", "*", "·", "/", "^", "]", "."]);
    if at > 0
        && (binds(&tokens[at - 1])
            || tokens[at - 1].is_name()
                && !tokens[at - 1].is_any(&["return", "then", "do", "else"]))
    {
        return None;
    }
    let signs = [("+", "sum"), ("×", "prod"), ("·", "prod"), ("*", "prod")];
    signs.iter().find_map(|(sign, kind)| {
        let (first, last, end) = range(&tokens[at..], sign)?;
        let behind = tokens.get(at + end);
        let binds = behind.is_some_and(|it| it.is_any(&["×", "*", "·", "/", "^"]) || it.is(sign));
        (!binds).then(|| (fold(kind, first, last, &tokens[at]), end))
    })
}
