//! Expressions on whole vectors and on parts of arrays, element by element.

use super::{Access, Index, Style, access, size};
use crate::notation::token::Token;

/// The first and the last index of a vector.
type Bounds = (Vec<Token>, Vec<Token>);

/// Of an expression on vectors, the element that a variable counts, and how far it goes; `rank` tells how many
/// indices an array has.
pub(in crate::notation) fn element_of_vectors(
    tokens: &[Token],
    style: Style,
    rank: impl Fn(&Token) -> Option<usize>,
    variable: &Token,
) -> Option<(Bounds, Vec<Token>)> {
    let mut loops: Vec<(Token, Vec<Token>, Vec<Token>)> = vec![];
    let (mut out, mut at, mut vectors) = (vec![], 0, 0);
    while let Some(token) = tokens.get(at) {
        let found = access(tokens, at, style).filter(|it| rank(&it.array).is_some());
        let whole = || {
            let next = tokens.get(at + 1);
            let is_size = at > 1
                && tokens[at - 1].is("(")
                && tokens[at - 2].is_any(&["len", "length", "size", "numel"]);
            let is_alone = !next.is_some_and(|it| it.is_any(&["[", "(", "."]));
            rank(token).filter(|_| is_alone && !is_size)
        };
        let found = match found {
            None => match whole() {
                None => None,
                Some(1) => {
                    let size = size(token, 0, 1, style);
                    let one = |text: &str| vec![Token::glued(text, token)];
                    let last = [size.clone(), one("-"), one("1")].concat();
                    let (from, to) =
                        if style.is_python { (one("0"), last) } else { (one("1"), size) };
                    let indices = vec![Index::Range(from, to)];
                    Some(Access { end: at + 1, array: token.clone(), indices })
                }
                // Of a matrix, what is meant differs between languages.
                Some(_) => return None,
            },
            found => found,
        };
        let Some(found) = found else {
            if style.multiplies && token.is("*") && vectors > 0 {
                let is_vector = |it: usize| {
                    access(tokens, it, style).is_some_and(|it| it.is_part())
                        || rank(&tokens[it]).is_some()
                };
                if (at + 1..tokens.len()).any(is_vector) {
                    return None;
                }
            }
            let sign = match token.text.as_str() {
                ".*" | "./" | ".^" | ".+" | ".-" => {
                    let sign = &token.text[1..];
                    if style.is_python && sign == "^" { "**" } else { sign }
                }
                all => all,
            };
            out.push(token.with(sign));
            at += 1;
            continue;
        };
        if found.is_part() {
            let mut ranges = found.indices.iter().filter_map(|it| match it {
                Index::Range(from, to) => Some((from.clone(), to.clone())),
                Index::One(_) => None,
            });
            let (from, to) = ranges.next()?;
            if ranges.next().is_some() {
                return None;
            }
            vectors += 1;
            if loops.is_empty() {
                loops.push((variable.clone(), from, to));
            }
            out.extend(found.element(&loops)?.0);
        } else {
            out.extend_from_slice(&tokens[at..found.end]);
        }
        at = found.end;
    }
    let (_, from, to) = loops.pop()?;
    Some(((from, to), out))
}
