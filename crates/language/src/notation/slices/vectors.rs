//! Expressions on whole vectors and on parts of arrays, element by element.

use super::{Access, Index, Style, access, size};
use crate::notation::token::Token;

/// The first and the last index of a vector.
type Bounds = (Vec<Token>, Vec<Token>);

/// Of an expression on vectors, or on matrices where there are two variables, the element that the variables
/// count, and how far each goes; `rank` tells how many indices an array has.
pub(in crate::notation) fn element_of_vectors(
    tokens: &[Token],
    style: Style,
    rank: impl Fn(&Token) -> Option<usize>,
    variables: &[Token],
) -> Option<(Vec<Bounds>, Vec<Token>)> {
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
                // Of a matrix, what is meant differs between languages.
                Some(of) if of > variables.len() => return None,
                Some(of) => {
                    let dimension = |at: usize| {
                        let size = size(token, at, of, style);
                        let one = |text: &str| vec![Token::glued(text, token)];
                        let last = [size.clone(), one("-"), one("1")].concat();
                        match style.is_python {
                            true => Index::Range(one("0"), last),
                            false => Index::Range(one("1"), size),
                        }
                    };
                    let indices = (0..of).map(dimension).collect();
                    Some(Access { end: at + 1, array: token.clone(), indices })
                }
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
            let ranges = found.indices.iter().filter_map(|it| match it {
                Index::Range(from, to) => Some((from.clone(), to.clone())),
                Index::One(_) => None,
            });
            let ranges: Vec<Bounds> = ranges.collect();
            vectors += 1;
            if loops.is_empty() {
                let of = variables.iter().cloned().zip(ranges.clone());
                loops.extend(of.map(|(it, (from, to))| (it, from, to)));
            }
            if ranges.len() != loops.len() {
                return None;
            }
            out.extend(found.element(&loops)?.0);
        } else {
            out.extend_from_slice(&tokens[at..found.end]);
        }
        at = found.end;
    }
    let bounds: Vec<Bounds> = loops.into_iter().map(|(_, from, to)| (from, to)).collect();
    (!bounds.is_empty()).then_some((bounds, out))
}
