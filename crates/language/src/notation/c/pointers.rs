//! Pointers into arrays, as the indices that they are.

use std::collections::HashMap;

use super::indices::{Meaning, Rewriting, declared};
use super::loops::changed;
use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::notation::boundaries::is_prefix;
use crate::notation::token::{Token, closing, position, split};

/// The array that a value points into, if it does.
fn base<'a>(value: &'a [Token], known: &HashMap<String, Meaning>) -> Option<&'a Token> {
    let name = match value {
        [address, array, open, ..] if address.is("&") && open.is("[") => array,
        [array] => array,
        [array, sign, ..] if sign.is_any(&["+", "-"]) => array,
        _ => return None,
    };
    let is_row = matches!(known.get(&name.text), Some(Meaning::Row(of)) if of.len() > 1);
    (name.is_name() && !is_row).then_some(name)
}

impl Reader {
    /// Puts indices in place of pointers, function by function.
    pub(super) fn pointers(&mut self) -> Result<()> {
        let regions = self.regions();
        for (formals, body) in regions.into_iter().rev() {
            let text = self.tokens[body.0..body.1].to_vec();
            let formal_text = self.tokens[formals.0..formals.1].to_vec();
            if let Some(text) = self.without_pointers(&formal_text, &text)? {
                self.tokens.splice(body.0..body.1, text);
            }
        }
        Ok(())
    }

    /// Arguments and body of each function; the whole of a program without one.
    fn regions(&self) -> Vec<((usize, usize), (usize, usize))> {
        let functions = self.functions();
        if functions.is_empty() {
            return vec![((0, 0), (0, self.tokens.len()))];
        }
        let open = |body: usize| {
            (0..body).rev().find(|&at| {
                self.tokens[at].is("(") && closing(&self.tokens, at) == body.checked_sub(2)
            })
        };
        let of = |body: (usize, usize)| (open(body.0).map_or((0, 0), |it| (it, body.0 - 1)), body);
        functions.into_iter().map(|it| of(it.body)).collect()
    }

    fn without_pointers(
        &mut self,
        formals: &[Token],
        body: &[Token],
    ) -> Result<Option<Vec<Token>>> {
        let mut known = HashMap::new();
        let mut above = vec![];
        let stars = |it: &[Token]| it.iter().any(|it| it.is_any(&["*", "["]));
        let inside = formals.get(1..formals.len().saturating_sub(1)).unwrap_or_default();
        let arrays: Vec<Token> = split(inside, &[","])
            .into_iter()
            .filter(|it| stars(it))
            .filter_map(|it| it.iter().rfind(|it| it.is_name()).cloned())
            .collect();
        let changes = changed(body);
        for array in &arrays {
            if changes.contains(&array.text) && is_moved(body, array) {
                let name = format!("{}_at", array.text);
                let made = ["int", &name, "=", "0", ";"].map(|it| array.with(it));
                above.extend(made);
                known.insert(array.text.clone(), Meaning::Index { array: array.clone(), name });
            } else {
                known.insert(array.text.clone(), Meaning::Row(vec![array.clone()]));
            }
        }
        self.find_pointers(body, &mut known)?;
        let points = body.iter().enumerate().any(|(at, it)| {
            it.is("*") && is_prefix(body, at) && body.get(at + 1).is_some_and(|it| it.is("("))
        });
        if known.is_empty() && !points {
            return Ok(None);
        }
        for (name, meaning) in &known {
            if let Meaning::Index { array, .. } = meaning
                && let Some(place) = body.iter().find(|it| it.is(name))
            {
                let text = format!("`{name}` points into `{}`: its index there", array.text);
                self.out.hints.said.push((place.clone(), text));
            }
        }
        let text = Rewriting { known: &known, body }.all();
        Ok(Some([above, text].concat()))
    }

    /// Pointers that the body declares, and what they point into.
    fn find_pointers(&self, body: &[Token], known: &mut HashMap<String, Meaning>) -> Result<()> {
        for at in 0..body.len() {
            let begins = at == 0 || body[at - 1].is_any(&[";", "{", "}", "("]);
            let end = body[at..].iter().position(|it| it.is(";")).map(|it| it + at);
            let Some(end) = end.filter(|_| begins) else { continue };
            let Some((_, parts)) = declared(&body[at..end]) else { continue };
            for part in parts {
                let [star, name, rest @ ..] = part else { continue };
                if !star.is("*") || !name.is_name() {
                    continue;
                }
                let values = values_of(body, name);
                let value = match rest {
                    [sign, value @ ..] if sign.is("=") => value,
                    _ => values.first().copied().unwrap_or_default(),
                };
                let is_moved = values.len() > 1 || is_moved(body, name);
                if let [array, open, .., _] = value
                    && open.is("[")
                    && closing(value, 1) == Some(value.len() - 1)
                    && !is_moved
                {
                    let changes = changed(&body[end..]);
                    if let Some(index) = value[1..].iter().find(|it| changes.contains(&it.text)) {
                        let text = format!(
                            "`{}` is a row of `{}`, whose number changes behind",
                            name.text, array.text
                        );
                        return Err(Diagnostic::new(index.span, text)
                            .help("declare the row in the loop over the rows"));
                    }
                    known.insert(name.text.clone(), Meaning::Row(value.to_vec()));
                    continue;
                }
                let Some(first) = base(value, known) else { continue };
                let array = |of: &Token| match known.get(&of.text) {
                    Some(Meaning::Index { array, .. }) => array.clone(),
                    Some(Meaning::Row(row)) => row[0].clone(),
                    None => of.clone(),
                };
                let of = array(first);
                for value in values {
                    let other = base(value, known).map(array);
                    if other.as_ref().is_none_or(|it| it.text != of.text && it.text != name.text) {
                        let text =
                            format!("`{}` points into `{}`, and elsewhere", name.text, of.text);
                        return Err(Diagnostic::new(value.first().unwrap_or(name).span, text)
                            .help("write the elements with the arrays' own names and indices"));
                    }
                }
                if !is_moved && matches!(value, [_]) {
                    known.insert(name.text.clone(), Meaning::Row(vec![of]));
                } else {
                    let meaning = Meaning::Index { array: of, name: name.text.clone() };
                    known.insert(name.text.clone(), meaning);
                }
            }
        }
        Ok(())
    }
}

/// Whether a pointer goes to another element.
fn is_moved(body: &[Token], name: &Token) -> bool {
    let signs = ["++", "--", "+=", "-="];
    body.windows(2).enumerate().any(|(at, it)| {
        let steps = it[0].is(&name.text) && it[1].is_any(&signs) && !is_deref(body, at, &it[1])
            || it[1].is(&name.text)
                && it[0].is_any(&["++", "--"])
                && !body.get(at + 2).is_some_and(|it| it.is("["));
        let gives = it[0].is(&name.text) && it[1].is("=");
        let is_star = at > 0 && body[at - 1].is("*");
        steps || gives && !is_star
    })
}

/// `*p += 1` and `(*p)++` change what is pointed at; `*p++` moves.
fn is_deref(body: &[Token], at: usize, sign: &Token) -> bool {
    at > 0 && body[at - 1].is("*") && !sign.is_any(&["++", "--"])
}

/// The values that a name is given behind its declaration.
fn values_of<'a>(body: &'a [Token], name: &Token) -> Vec<&'a [Token]> {
    let mut found = vec![];
    for at in 1..body.len().saturating_sub(1) {
        let is_given = body[at].is(&name.text) && body[at + 1].is("=") && !body[at - 1].is("*");
        if is_given {
            let rest = &body[at + 2..];
            let end = position(rest, &[";", ",", ")"]).unwrap_or(rest.len());
            found.push(&rest[..end]);
        }
    }
    found
}
