//! Assignments of C.

use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::language::notation::output::spaced;
use crate::language::notation::token::{Token, position, split};
use crate::language::notation::tree::{Tree, unexpected, written};

impl Reader {
    /// `x = e`, `x += e`, `x++`, `f(x)`, and several of them with commas between.
    pub(super) fn simple(&mut self, tokens: &[Token]) -> Result<()> {
        if tokens.is_empty() {
            return Ok(());
        }
        for part in split(tokens, &[","]) {
            self.assignment(part)?;
        }
        Ok(())
    }

    pub(super) fn assignment(&mut self, tokens: &[Token]) -> Result<()> {
        let Some(place) = tokens.first() else {
            return Err(unexpected(&self.place(), "a statement"));
        };
        let signs = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];
        if let Some(at) = position(tokens, &signs) {
            let (target, sign, value) = (&tokens[..at], &tokens[at], &tokens[at + 1..]);
            if let Some(second) = position(value, &signs) {
                if !sign.is("=") || !value[second].is("=") {
                    return Err(unexpected(&value[second], "one assignment"));
                }
                // `i = j = 0`, from the right.
                self.assignment(value)?;
                return self.assignment(&[&tokens[..=at], &value[..second]].concat());
            }
            if !sign.is("=") {
                let op = sign.with(sign.text.trim_end_matches('='));
                let bracketed =
                    [vec![sign.with("(")], value.to_vec(), vec![sign.with(")")]].concat();
                let whole = [target, &[op], &bracketed[..]].concat();
                return self.assign(target, sign, &whole);
            }
            return self.assign(target, sign, value);
        }
        let step = |sign: &Token| if sign.is("++") { "+" } else { "-" };
        match tokens {
            [target @ .., sign] | [sign, target @ ..]
                if sign.is_any(&["++", "--"]) && !target.is_empty() =>
            {
                let whole = [target, &[sign.with(step(sign)), sign.with("1")]].concat();
                self.assign(target, sign, &whole)
            }
            [swap, open, inside @ .., close]
                if swap.is_any(&["swap", "SWAP", "exchange", "exch"])
                    && open.is("(")
                    && close.is(")")
                    && !self.functions.contains(&swap.text) =>
            {
                let strip = |it: &[Token]| match it {
                    [address, rest @ ..] if address.is("&") => rest.to_vec(),
                    all => all.to_vec(),
                };
                let parts: Vec<Vec<Token>> = split(inside, &[","]).into_iter().map(strip).collect();
                match &parts[..] {
                    [left, right] => {
                        let (left, right) = (self.value(left)?, self.value(right)?);
                        self.out.line([left, vec![Token::made("↔", swap)], spaced(right)].concat());
                        Ok(())
                    }
                    [array, left, right] => {
                        let element = |it: &[Token]| {
                            [array.clone(), vec![swap.with("[")], it.to_vec(), vec![swap.with("]")]]
                                .concat()
                        };
                        let (left, right) =
                            (self.value(&element(left))?, self.value(&element(right))?);
                        self.out.line([left, vec![Token::made("↔", swap)], spaced(right)].concat());
                        Ok(())
                    }
                    _ => Err(unexpected(swap, "a swap of two")),
                }
            }
            [name, open, ..] if name.is_name() && open.is("(") => {
                let call = self.value(tokens)?;
                self.out.line(call);
                Ok(())
            }
            _ => Err(unexpected(place, "a statement")),
        }
    }

    pub(super) fn assign(&mut self, target: &[Token], sign: &Token, value: &[Token]) -> Result<()> {
        if let Some(inner) = value.iter().find(|it| it.is_any(&["++", "--"])) {
            return Err(Diagnostic::new(
                inner.span,
                format!("`{}` within an expression", inner.text),
            )
            .help("write it as a statement of its own, before or behind"));
        }
        let target = self.value(target)?;
        if target.len() == 1 {
            self.known.naturals.remove(&format!("{} >= 1", target[0].text));
        }
        let value = self.tree(value)?;
        if let ([name], Tree::Call(call, of)) = (&target[..], &value)
            && call.is_any(&["length", "rows", "columns"])
            && let [Tree::Atom(array)] = &of[..]
            && self.out.depth == 0
            && self
                .tokens
                .windows(2)
                .filter(|it| {
                    it[0].is(&name.text)
                        && it[1].text.ends_with('=')
                        && !it[1].is_any(&["==", "<=", ">=", "!="])
                })
                .count()
                == 1
        {
            let dimension = usize::from(call.is("columns"));
            self.out.hints.lengths.push((array.text.clone(), dimension, name.clone()));
            return Ok(());
        }
        self.out.line([target, vec![Token::made("←", sign)], spaced(written(&value))].concat());
        Ok(())
    }
}
