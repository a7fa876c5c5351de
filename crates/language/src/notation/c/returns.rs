//! What functions of C give back.

use super::{Reader, Result};
use crate::notation::output::spaced;
use crate::notation::token::{Token, closing, position, split};
use crate::notation::tree::written;

impl Reader {
    pub(super) fn return_statement(&mut self, token: &Token) -> Result<()> {
        if self.several_returned(token)? {
            return Ok(());
        }
        let value = self.until(";")?;
        let value = match super::conditions::has_effects(&value) {
            true => self.effects_apart(&value)?,
            false => value,
        };
        // Behind it, only the end of the function.
        let is_last = self.out.depth == 0 && self.is("}") || self.peek().is_none();
        if let Some(results) = &mut self.results {
            *results = usize::from(!value.is_empty());
            let value = if value.is_empty() { vec![] } else { self.value_returned(&value)? };
            self.out.line([vec![token.clone()], spaced(value)].concat());
            return Ok(());
        }
        if value.is_empty() {
            if !is_last {
                self.out.line(vec![token.clone()]);
            }
            return Ok(());
        }
        // What `main` returns is no result.
        let is_main = self.out.hints.name.as_ref().is_some_and(|it| it.is("main"));
        if is_last && is_main && matches!(&value[..], [one] if one.is_any(&["0", "EXIT_SUCCESS"])) {
            return Ok(());
        }
        let value = self.value_returned(&value)?;
        let arrays = self.arrays.clone();
        self.out.returned(token, vec![value], |it| arrays.iter().any(|name| name == it), is_last);
        Ok(())
    }

    /// `return (i, j);`, `return new int[] {i, j};`: several values.
    fn several_returned(&mut self, token: &Token) -> Result<bool> {
        let rest = &self.tokens[self.at..];
        let Some(end) = position(rest, &[";"]) else { return Ok(false) };
        let value = match &rest[..end] {
            [new, _, open, close, value @ ..] if new.is("new") && open.is("[") && close.is("]") => {
                value
            }
            all => all,
        };
        let [open, inside @ .., _] = value else { return Ok(false) };
        let parts = split(inside, &[","]);
        let is_list = open.opens() && closing(value, 0) == Some(value.len() - 1) && parts.len() > 1;
        if !is_list || self.results.is_some() || parts.iter().any(|it| it.is_empty()) {
            return Ok(false);
        }
        let parts: Vec<Vec<Token>> = parts.into_iter().map(<[Token]>::to_vec).collect();
        self.at += end + 1;
        let is_last = self.out.depth == 0 && self.is("}") || self.peek().is_none();
        let values = parts.iter().map(|it| self.value(it)).collect::<Result<Vec<_>>>()?;
        self.out.returned(token, values, |_| false, is_last);
        Ok(true)
    }

    /// What is returned, in the type of the function.
    fn value_returned(&mut self, tokens: &[Token]) -> Result<Vec<Token>> {
        let tree = self.tree(tokens)?;
        let value = self.converted(tree, self.returns, false);
        Ok(written(&self.widened_result(value)))
    }
}
