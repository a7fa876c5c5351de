//! Conditions that change something: what they change is a statement of its own, at the place where C does it.

use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::notation::output::{spaced, words};
use crate::notation::token::{Token, closing, position, split};
use crate::notation::tree::{Tree, first};
use crate::syntax::Type;

/// Whether a condition assigns or steps.
pub(super) fn has_effects(condition: &[Token]) -> bool {
    condition.iter().any(|it| it.is_any(&["++", "--"]) || it.is_any(&SIGNS))
}

/// Signs that assign.
pub(super) const SIGNS: [&str; 11] =
    ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];

fn unwrapped(tokens: &[Token]) -> &[Token] {
    match tokens {
        [open, inside @ .., _] if open.is("(") && closing(tokens, 0) == Some(tokens.len() - 1) => {
            unwrapped(inside)
        }
        all => all,
    }
}

impl Reader {
    /// The head of a loop that goes on while a condition holds.
    pub(super) fn head_of_while(&mut self, word: &Token, condition: &[Token]) -> Result<()> {
        if has_effects(condition) {
            return self.while_changing(word, condition);
        }
        let condition = match condition {
            [] => vec![word.with("true")],
            all => self.condition(all)?,
        };
        self.out.line(words(word, "while {} do", &[&condition]));
        Ok(())
    }

    /// `while (n--)` and `while (--n > 0)`: the step is a statement of the loop.
    pub(super) fn while_stepping(&mut self, word: &Token, condition: &[Token]) -> Result<bool> {
        let (name, sign, rest, is_before) = match condition {
            [name, sign, rest @ ..] if sign.is_any(&["++", "--"]) => (name, sign, rest, false),
            [sign, name, rest @ ..] if sign.is_any(&["++", "--"]) => (name, sign, rest, true),
            _ => return Ok(false),
        };
        let compares = rest.first().is_none_or(|it| it.is_any(&["<", "<=", ">", ">=", "!=", "=="]));
        if has_effects(rest) {
            return Ok(false);
        }
        if !name.is_name() || !compares || rest.iter().any(|it| it.is(&name.text)) {
            return Ok(false);
        }
        let end = match self.tokens.get(self.at) {
            Some(open) if open.is("{") => closing(&self.tokens, self.at),
            _ => self.tokens[self.at..].iter().position(|it| it.is(";")).map(|it| self.at + it),
        };
        let body = &self.tokens[self.at..end.unwrap_or(self.tokens.len())];
        let leaves = if is_before { ["continue", "continue"] } else { ["break", "return"] };
        if body.iter().any(|it| it.is_any(&leaves)) {
            return Ok(false);
        }
        let step = [name.clone(), sign.clone()];
        if is_before {
            self.simple(&step)?;
        }
        let condition = self.condition(&[std::slice::from_ref(name), rest].concat())?;
        self.out.line(words(word, "while {} do", &[&condition]));
        if !is_before {
            self.out.depth += 1;
            self.simple(&step)?;
            self.out.depth -= 1;
        }
        self.inner_body()?;
        if is_before {
            self.out.depth += 1;
            self.simple(&step)?;
            self.out.depth -= 1;
        } else {
            self.simple(&step)?;
        }
        Ok(true)
    }

    /// `while ((r = a % b) != 0)`, `while (i < n && (c = s[i++]) != 0)`: each part leaves the loop where it
    /// does not hold.
    fn while_changing(&mut self, word: &Token, condition: &[Token]) -> Result<()> {
        self.out.line(words(word, "while true do", &[]));
        self.out.depth += 1;
        self.leave_unless(word, condition)?;
        self.out.depth -= 1;
        Ok(())
    }

    /// A `break` where a condition does not hold.
    fn leave_unless(&mut self, word: &Token, condition: &[Token]) -> Result<()> {
        for part in split(unwrapped(condition), &["&&"]) {
            let part = self.effects_apart(part)?;
            let condition = self.condition(&part)?;
            self.out.line(words(word, "if not ({}) then", &[&condition]));
            self.out.depth += 1;
            self.out.line(vec![word.with("break")]);
            self.out.depth -= 1;
        }
        Ok(())
    }

    /// A value without the steps that it takes, which are taken above.
    pub(super) fn value_apart(&mut self, value: Vec<Token>) -> Result<Vec<Token>> {
        let steps = value.iter().any(|it| it.is_any(&["++", "--"]));
        if steps { self.effects_apart(&value) } else { Ok(value) }
    }

    /// A condition without what it changes, which is done above.
    pub(super) fn effects_apart(&mut self, condition: &[Token]) -> Result<Vec<Token>> {
        let tokens = unwrapped(condition);
        if !has_effects(tokens) {
            return Ok(tokens.to_vec());
        }
        if let Some(at) = position(tokens, &SIGNS) {
            self.simple(tokens)?;
            return Ok(tokens[..at].to_vec());
        }
        let mut tokens = self.inner_assignments(tokens)?;
        let is_lazy = |it: &Token| it.is_any(&["&&", "||", "?"]);
        while let Some(at) = tokens.iter().position(|it| it.is_any(&["++", "--"])) {
            let sign = tokens[at].clone();
            let Some((target, is_behind)) = step_target(&tokens, at) else {
                return Err(inner_step(&sign));
            };
            let name = tokens[target.start].clone();
            let is_elsewhere = tokens.iter().filter(|it| it.is(&name.text)).count() > 1;
            if is_elsewhere || tokens[..at].iter().any(is_lazy) {
                return Err(inner_step(&sign));
            }
            let place = tokens[target.clone()].to_vec();
            let step = [&place[..], std::slice::from_ref(&sign)].concat();
            if is_behind {
                let own = name.with(self.out.fresh("before"));
                self.declare(&own.text, self.types.get(&name.text).copied());
                let value = self.value(&place)?;
                let arrow = vec![own.clone(), Token::made("←", &sign)];
                self.out.line([arrow, spaced(value)].concat());
                self.simple(&step)?;
                tokens.splice(target.start..=at, [own]);
            } else {
                self.simple(&step)?;
                tokens.remove(at);
            }
        }
        Ok(tokens)
    }

    /// `do … while (--n > 0)`: what the condition changes, at the end of the body.
    pub(super) fn repeat_changing(&mut self, condition: &[Token]) -> Result<Vec<Token>> {
        self.out.depth += 1;
        let condition = self.effects_apart(condition)?;
        self.out.depth -= 1;
        Ok(condition)
    }

    /// A condition as the plain form has it: a number holds where it is not 0.
    pub(super) fn truth(&self, tree: Tree) -> Tree {
        match tree {
            Tree::Binary(op @ ("or" | "and"), left, right) => {
                Tree::Binary(op, Box::new(self.truth(*left)), Box::new(self.truth(*right)))
            }
            Tree::Prefix("not", of, token) => Tree::Prefix("not", Box::new(self.truth(*of)), token),
            Tree::Binary("=" | "≠" | "<" | "≤" | ">" | "≥", ..) | Tree::Choice(_) => tree,
            Tree::Call(ref it, _) if it.is_any(&["quotient", "remainder"]) => self.not_zero(tree),
            Tree::Call(..) if self.type_of(&tree).is_none_or(|it| it == Type::Bool) => tree,
            Tree::Atom(ref it) if it.is_any(&["true", "false"]) => tree,
            Tree::Atom(ref it) | Tree::Index(ref it, _) if self.bools.contains(&it.text) => tree,
            tree => self.not_zero(tree),
        }
    }

    fn not_zero(&self, tree: Tree) -> Tree {
        let zero = first(&tree).with("0");
        Tree::Binary("≠", Box::new(tree), Box::new(Tree::Atom(zero)))
    }
}

/// What a step is of, a name or an element, and whether it stands before the sign.
pub(super) fn step_target(tokens: &[Token], at: usize) -> Option<(std::ops::Range<usize>, bool)> {
    match at.checked_sub(1).map(|it| &tokens[it]) {
        Some(name) if name.is_name() && !name.is("return") => return Some((at - 1..at, true)),
        Some(close) if close.is("]") => {
            let open = (0..at).rev().find(|it| closing(tokens, *it) == Some(at - 1))?;
            let start = open.checked_sub(1).filter(|it| tokens[*it].is_name())?;
            return Some((start..at, true));
        }
        _ => {}
    }
    tokens.get(at + 1).filter(|it| it.is_name())?;
    let end = match tokens.get(at + 2) {
        Some(open) if open.is("[") => closing(tokens, at + 2)? + 1,
        Some(open) if open.is("(") => return None,
        _ => at + 2,
    };
    Some((at + 1..end, false))
}

fn inner_step(sign: &Token) -> Diagnostic {
    Diagnostic::new(sign.span, format!("`{}` within an expression", sign.text))
        .help("write it as a statement of its own, before or behind")
}
