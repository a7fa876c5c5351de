//! Scalars outside of all functions, which procedures see as well: numbers, or arrays of one element.

use super::loops::changed;
use super::{Reader, is_variable};
use crate::notation::element::typed;
use crate::notation::token::{Token, position, split};

impl Reader {
    /// Gives procedures the scalars that the program declares outside of functions.
    pub(super) fn globals(&mut self) {
        let functions = self.functions();
        let changes = changed(&self.tokens);
        let bodies: Vec<Vec<Token>> =
            functions.iter().map(|it| self.tokens[it.body.0..it.body.1].to_vec()).collect();
        let (mut at, mut found) = (0, vec![]);
        while at < self.tokens.len() {
            if let Some(it) = functions.iter().find(|it| it.body.0 == at) {
                at = it.body.1;
            }
            let begins = at == 0 || self.tokens[at - 1].is_any(&[";", "}"]);
            let rest = &self.tokens[at..];
            let typed = typed(rest).filter(|it| begins && it.length > 0 && !it.is_array);
            let end = position(rest, &[";", "{"]).filter(|it| rest[*it].is(";"));
            let (Some(typed), Some(end)) = (typed, end) else {
                at += 1;
                continue;
            };
            for part in split(&rest[typed.length..end], &[","]) {
                match part {
                    [name] if is_variable(name) => found.push((at, name.clone(), None)),
                    [name, sign, value @ ..] if sign.is("=") && is_variable(name) => {
                        found.push((at, name.clone(), Some(value.to_vec())));
                    }
                    _ => {}
                }
            }
            at += end;
        }
        for (place, name, value) in found.into_iter().rev() {
            if functions.len() < 2 {
                // It begins with 0.
                let at = (place..self.tokens.len()).find(|it| self.tokens[*it].is(&name.text));
                if let Some(at) = at.filter(|_| value.is_none() && !functions.is_empty()) {
                    let zero = ["=", "0"].map(|it| name.with(it));
                    self.tokens.splice(at + 1..at + 1, zero);
                }
                continue;
            }
            let is_used = bodies.iter().filter(|it| it.iter().any(|it| it.is(&name.text))).count();
            let declares = |it: &Vec<Token>| {
                it.windows(2).any(|it| {
                    it[1].is(&name.text) && it[0].is_name() && !it[0].is_any(&["return", "else"])
                })
            };
            let is_formal = functions
                .iter()
                .any(|it| it.arguments.iter().any(|it| it.iter().any(|it| it.is(&name.text))));
            if is_used == 0 || bodies.iter().any(declares) || is_formal {
                continue;
            }
            match value {
                Some(value)
                    if value.len() == 1
                        && value[0].is_number()
                        && changes_of(&self.tokens, &name) == 1 =>
                {
                    let end =
                        position(&self.tokens[place..], &[";"]).map_or(place, |it| it + place);
                    for token in &mut self.tokens[end..] {
                        if token.is(&name.text) {
                            token.text.clone_from(&value[0].text);
                        }
                    }
                }
                _ if changes.contains(&name.text) => drop(self.as_cell(place, &name)),
                _ => {}
            }
        }
    }
}

/// In how many places a name is given a value, with its declaration.
fn changes_of(tokens: &[Token], name: &Token) -> usize {
    let signs = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"];
    let is_given = |it: &&[Token]| {
        it[0].is(&name.text) && it[1].is_any(&signs)
            || it[1].is(&name.text) && it[0].is_any(&["++", "--", "&"])
    };
    tokens.windows(2).filter(is_given).count()
}
