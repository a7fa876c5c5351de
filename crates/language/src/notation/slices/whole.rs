//! `d = a(2:n) - a(1:n-1)`, `c = np.where(a > b, a, b)`: statements on whole arrays, element by element.

use super::{ArrayReader, ELEMENTWISE, Result, Style, element_of_vectors};
use crate::notation::output::words;
use crate::notation::token::{Token, text};

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
        let is_plain = !count.contains('(');
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
