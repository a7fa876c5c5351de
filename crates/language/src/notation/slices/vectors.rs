//! Expressions on whole vectors and on parts of arrays, and statements such as `d = a(2:n) - a(1:n-1)`, element
//! by element.

use super::{Access, ArrayReader, Bounds, ELEMENTWISE, Index, Result, Style, access, size};
use crate::notation::output::words;
use crate::notation::token::{Token, text};

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
            let ranges: Vec<Bounds> = found.indices.iter().filter_map(Index::bounds).collect();
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

/// Operators whose right operand is no array's element where the language multiplies matrices.
const OF_MATRICES: [&str; 4] = ["*", "/", "\\", "^"];

/// A statement that gives a name the elements of an expression on arrays; false if it is none.
pub(in crate::notation) fn assign_whole(
    reader: &mut impl ArrayReader,
    name: &Token,
    sign: &Token,
    value: &[Token],
    style: Style,
) -> Result<bool> {
    if value.iter().any(|it| it.is_any(&["'", "@", "end", "for", "if", "?"])) {
        return Ok(false);
    }
    let is_alone = |at: usize| !value.get(at + 1).is_some_and(|it| it.is_any(&["(", "[", "."]));
    for at in 0..value.len() {
        let opens = value.get(at + 1).is_some_and(|it| it.is("("));
        let is_known = reader.is_array(&value[at]) || value[at].is_any(&ELEMENTWISE);
        let is_size = value[at].is_any(&["len", "length", "size", "numel"]);
        // Its own elements are another's places.
        let is_own = value[at].is(&name.text) && !is_alone(at);
        if value[at].is_name() && opens && !is_known && !is_size || is_own {
            return Ok(false);
        }
        let is_array = |it: &Token| reader.is_array(it);
        if style.multiplies
            && value[at].is_any(&OF_MATRICES)
            && !value[at].is("*")
            && value.get(at + 1).is_some_and(|it| is_array(it) || it.is("("))
            && (value[at + 1].is("(") || is_alone(at + 1))
        {
            return Ok(false);
        }
    }
    let variables = [(); 2].map(|()| sign.with(reader.output().fresh("z")));
    let rank = |it: &Token| reader.is_array(it).then(|| reader.rank(it));
    let Some((bounds, element)) = element_of_vectors(value, style, rank, &variables) else {
        return Ok(false);
    };
    let whole = value.iter().enumerate().find(|(at, it)| reader.is_array(it) && is_alone(*at));
    if let Some((_, whole)) = whole.filter(|it| !it.1.is(&name.text)) {
        let names = [name, whole].map(|it| Token::variable(it).text);
        reader.output().hints.alike.push(names.into());
    }
    let base = if style.is_python { "0" } else { "1" };
    reader.know_array(name);
    let depth = reader.output().depth;
    let mut extents = vec![];
    for (from, to) in &bounds {
        let glued = |text: &str| vec![Token::glued(text, sign)];
        let before = [glued("-"), glued("("), from.clone(), glued(")"), glued("+"), glued("1")];
        let count = [glued("("), to.clone(), glued(")"), before.concat()].concat();
        let count = text(&reader.written(&count, sign)?);
        let is_plain = !count.contains('(') || count.contains('⌊');
        extents.push(is_plain.then(|| match style.is_python {
            true => count,
            false => format!("1 .. {count}"),
        }));
    }
    if !reader.is_argument(name) {
        let hint = reader.output().hints.array(&Token::variable(name));
        hint.is_new = true;
        hint.extents = extents;
    }
    let mut target = vec![name.clone(), Token::glued("[", sign)];
    for (at, (variable, (from, to))) in variables.iter().zip(&bounds).enumerate() {
        let (first, last) = (reader.written(from, sign)?, reader.written(to, sign)?);
        let one = std::slice::from_ref(variable);
        reader.output().line(words(sign, "for {} ← {} to {} do", &[one, &first, &last]));
        reader.output().depth += 1;
        if at > 0 {
            target.push(Token::glued(",", sign));
        }
        target.push(variable.clone());
        if !matches!(&from[..], [one] if one.is(base)) {
            let glued = |text: &str| Token::glued(text, sign);
            target.extend([glued("-"), glued("(")]);
            target.extend_from_slice(from);
            target.extend([glued(")"), glued("+"), glued(base)]);
        }
    }
    target.push(Token::glued("]", sign));
    reader.assign_element(&target, &sign.with("="), &element)?;
    reader.output().depth = depth;
    Ok(true)
}
