//! Statements of MATLAB, Fortran and Julia that are no loops.

use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::notation::output::{listed, spaced, words};
use crate::notation::pragma::{self, Pragma};
use crate::notation::token::{Token, closing, position, split};
use crate::notation::tree::{Tree, unexpected, written};

impl Reader {
    pub(super) fn return_statement(&mut self, word: &Token, value: &[Token]) -> Result<()> {
        let rest = &self.lines[self.at..];
        if self.procedure.is_some() && !value.is_empty() {
            let value = &self.folded(value)?[..];
            let parts = split(value, &[","]);
            let is_array =
                |it: &[Token]| matches!(it, [name] if self.known.arrays.contains(&name.text));
            let parts: Vec<&[Token]> = parts.into_iter().filter(|it| !is_array(it)).collect();
            self.procedure = Some(parts.len());
            let values = parts.into_iter().map(|it| self.value(it, word));
            let values = values.collect::<Result<Vec<_>>>()?;
            self.out.line([vec![word.with("return")], listed(values, word)].concat());
            return Ok(());
        }
        let is_last = self.open.len() <= 1
            && rest.iter().all(|it| it[0].text.to_ascii_lowercase().starts_with("end"));
        if value.is_empty() {
            let results = self.results.clone();
            if is_last {
                return Ok(());
            }
            if results.is_empty() {
                self.out.line(vec![word.with("return")]);
                return Ok(());
            }
            return self.give(word, &results, false);
        }
        let mut values = vec![];
        let value = &self.folded(value)?[..];
        for part in split(value, &[","]) {
            values.push(self.value(part, word)?);
        }
        let arrays = self.known.arrays.clone();
        self.out.returned(word, values, |it| arrays.contains(it), is_last);
        Ok(())
    }

    /// What MATLAB names in the head is given back.
    pub(super) fn give(&mut self, word: &Token, results: &[Token], is_last: bool) -> Result<()> {
        let (arrays, scalars): (Vec<Token>, Vec<Token>) =
            results.iter().cloned().partition(|it| self.known.arrays.contains(&it.text));
        if self.procedure.is_some() {
            if let Some(array) =
                arrays.iter().find(|it| !self.arguments.iter().any(|of| of.is(&it.text)))
            {
                return Err(Diagnostic::new(array.span, "a function that makes an array")
                    .help("make it an argument that the function fills"));
            }
            let names = scalars.iter().map(|it| vec![Token::variable(it)]).collect::<Vec<_>>();
            self.procedure = Some(names.len());
            let value = spaced(names.join(&Token::glued(",", word)));
            self.out.line([vec![word.with("return")], value].concat());
            return Ok(());
        }
        self.out.hints.returned.extend(arrays.into_iter().map(|it| Token::variable(&it).text));
        let values: Vec<Vec<Token>> = scalars.iter().map(|it| vec![Token::variable(it)]).collect();
        if !values.is_empty() {
            self.out.returned(word, values, |_| false, is_last);
        } else if !is_last {
            self.out.line(vec![word.with("return")]);
        }
        Ok(())
    }

    pub(super) fn branch(&mut self, tokens: &[Token]) -> Result<()> {
        let word = &tokens[0];
        let rest = &tokens[1..];
        // `if (c) then`, `if (c) statement`, `if c, statement; end`, `if c`.
        if let Some(then) = position(rest, &["then"]) {
            let condition = self.condition(&rest[..then], word)?;
            self.out.line(words(word, "if {} then", &[&condition]));
            self.begin(word, 1);
            return Ok(());
        }
        let close = closing(rest, 0).filter(|_| rest.first().is_some_and(|it| it.is("(")));
        if let Some(close) = close
            && close + 1 < rest.len()
            && (rest[close + 1].is_name() && !rest[close + 1].is_any(&["and", "or"]))
        {
            let condition = self.condition(&rest[..=close], word)?;
            self.out.line(words(word, "if {} then", &[&condition]));
            self.out.depth += 1;
            self.statement(&rest[close + 1..])?;
            self.out.depth -= 1;
            if !self.is_fortran {
                // `if (c) x = 1; end`
                self.open.push(("if".to_owned(), 1));
                self.out.depth += 1;
            }
            return Ok(());
        }
        let comma = position(rest, &[","]);
        let condition = self.folded(&rest[..comma.unwrap_or(rest.len())])?;
        let condition = self.condition(&condition, word)?;
        self.out.line(words(word, "if {} then", &[&condition]));
        self.begin(word, 1);
        match comma.map(|it| &rest[it + 1..]) {
            Some(behind) if !behind.is_empty() => self.statement(behind),
            _ => Ok(()),
        }
    }

    /// `else`, and `else if` in all its spellings.
    pub(super) fn other_branch(&mut self, tokens: &[Token]) -> Result<()> {
        let (word, rest) = (&tokens[0], &tokens[1..]);
        self.out.depth -= 1;
        let is_joined = word.is_word("elseif");
        if !is_joined && !rest.first().is_some_and(|it| it.is_word("if")) {
            self.out.line(vec![word.with("else")]);
            self.out.depth += 1;
            return match rest {
                [comma, rest @ ..] if comma.is(",") && !rest.is_empty() => self.statement(rest),
                [] => Ok(()),
                rest => self.statement(rest),
            };
        }
        let condition = match &rest[usize::from(!is_joined)..] {
            [condition @ .., then] if then.is_word("then") => condition,
            all => all,
        };
        let comma = position(condition, &[","]).unwrap_or(condition.len());
        let (condition, behind) = condition.split_at(comma);
        let condition = self.condition(condition, word)?;
        self.out.line(words(word, "else if {} then", &[&condition]));
        self.out.depth += 1;
        match behind {
            [_, rest @ ..] if !rest.is_empty() => self.statement(rest),
            _ => Ok(()),
        }
    }

    /// `x = e`, `x += e`, `a, b = b, a`, `p(x)`.
    pub(super) fn simple(&mut self, tokens: &[Token]) -> Result<()> {
        if tokens.is_empty() {
            return Ok(());
        }
        let signs = [".=", "=", "+=", "-=", "*=", "/=", "÷=", "%=", "^=", "⊻="];
        // `a[i] < 0 && continue`, `x > 0 || return 0`
        if let Some(at) =
            position(tokens, &["&&", "||"]).filter(|_| position(tokens, &signs).is_none())
            && let Some(word) = tokens.get(at + 1)
            && (word.is_any(&["continue", "break", "return"]) || word.is("("))
        {
            let sign = if tokens[at].is("&&") { "if {} then" } else { "if not ({}) then" };
            let condition = self.condition(&tokens[..at], word)?;
            self.out.line(words(word, sign, &[&condition]));
            self.out.depth += 1;
            let rest = match &tokens[at + 1..] {
                [open, inside @ .., _] if open.is("(") => inside,
                all => all,
            };
            self.statement(rest)?;
            self.out.depth -= 1;
            return Ok(());
        }
        let Some(at) = position(tokens, &signs) else {
            return match tokens {
                [name, open, ..] if name.is_name() && open.is("(") => {
                    let call = self.value(tokens, name)?;
                    self.out.line(call);
                    Ok(())
                }
                // The value of a Julia function.
                [name] if self.at + 1 >= self.lines.len() && name.is_name() => {
                    self.return_statement(name, tokens)
                }
                _ => Err(unexpected(&tokens[0], "a statement")),
            };
        };
        let value = self.algebra(&tokens[at + 1..], &tokens[at])?;
        let value = &self.folded(&value)?[..];
        let (target, sign) = (&tokens[..at], &tokens[at]);
        if let ([name], ".=") = (target, sign.text.as_str()) {
            return self.broadcast(name, sign, value);
        }
        if !sign.is("=") {
            let op = sign.with(sign.text.strip_suffix('=').unwrap_or_default());
            let inner = [vec![sign.with("(")], value.to_vec(), vec![sign.with(")")]].concat();
            return self.assign(target, sign, &[target, &[op], &inner[..]].concat());
        }
        let targets = split(target, &[","]);
        if let Some(shape) = self.shape(target, value) {
            self.out.hints.lengths.extend(shape);
            return Ok(());
        }
        if targets.len() > 1 {
            let values = split(value, &[","]);
            let mut line = vec![];
            for (side, parts) in [&targets, &values].into_iter().enumerate() {
                if side == 1 {
                    line.push(Token::made("←", sign));
                }
                for (at, part) in parts.iter().enumerate() {
                    if at > 0 {
                        line.push(Token::glued(",", sign));
                    }
                    let part = self.value(part, sign)?;
                    line.extend(if line.is_empty() { part } else { spaced(part) });
                }
            }
            self.out.line(line);
            return Ok(());
        }
        if let [name] = target
            && (self.made(name, sign, value)?
                || self.copied(name, sign, value)?
                || self.whole(name, sign, value)?)
        {
            return Ok(());
        }
        if self.parts(target, sign, value)? {
            return Ok(());
        }
        self.assign(target, sign, value)
    }

    pub(super) fn assign(&mut self, target: &[Token], sign: &Token, value: &[Token]) -> Result<()> {
        let value = self.products(value, sign)?;
        let tree = self.tree(&value, sign)?;
        let target = self.value(target, sign)?;
        if let ([name], Tree::Call(call, of)) = (&target[..], &tree)
            && call.is_any(&["length", "rows", "columns"])
            && let [Tree::Atom(array)] = &of[..]
            && self.open.len() <= 1
        {
            let dimension = usize::from(call.is("columns"));
            self.out.hints.lengths.push((array.text.clone(), dimension, name.clone()));
            return Ok(());
        }
        let value = written(&self.cut(&target, tree));
        self.out.line([target, vec![Token::made("←", sign)], spaced(value)].concat());
        Ok(())
    }

    /// A number alone holds where it is not 0.
    pub(super) fn truth(&self, tree: Tree) -> Tree {
        match tree {
            Tree::Binary(op @ ("or" | "and"), left, right) => {
                Tree::Binary(op, Box::new(self.truth(*left)), Box::new(self.truth(*right)))
            }
            Tree::Prefix("not", of, token) => Tree::Prefix("not", Box::new(self.truth(*of)), token),
            Tree::Atom(ref it)
                if it.is_name()
                    && !it.is_any(&["true", "false"])
                    && !self.known.bools.contains(&it.text) =>
            {
                let zero = it.with("0");
                Tree::Binary("≠", Box::new(tree), Box::new(Tree::Atom(zero)))
            }
            tree => tree,
        }
    }

    /// What OpenMP says of the loop below.
    pub(super) fn pragma(&mut self, word: &Token) -> Result<()> {
        let pragma = pragma::read(word, &word.text[7..])?;
        if matches!(pragma, Pragma::Atomic) {
            return Err(Diagnostic::new(word.span, "an atomic update").help("write it in C"));
        }
        if let Pragma::Loop(parallel) = pragma {
            self.parallel = Some(parallel);
        }
        Ok(())
    }

    /// What is shown last is the result.
    pub(super) fn shows(&mut self, word: &Token, tokens: &[Token]) -> Result<()> {
        let shown = self.shown(tokens);
        if !shown.is_empty() {
            return self.return_statement(word, &shown);
        }
        let text = format!("`{}` has no effect on the values: left out", word.text);
        self.out.hints.said.push((word.clone(), text));
        Ok(())
    }

    /// Names that the end of a program without functions shows, with commas between: its result.
    fn shown(&self, tokens: &[Token]) -> Vec<Token> {
        let ends = self.lines[self.at.min(self.lines.len())..]
            .iter()
            .all(|it| it[0].is_any(&["end", "stop", "endprogram"]));
        let is_program = !self.is_fortran
            || self.open.iter().all(|it| it.0 == "function") && self.results.is_empty();
        let is_end = ends && self.open.len() <= usize::from(self.is_fortran) && is_program;
        if !is_end || self.procedure.is_some() || self.out.hints.results > 0 {
            return vec![];
        }
        let behind = if self.is_fortran { closing(tokens, 1).unwrap_or(0) } else { 0 };
        let inside = match &tokens[behind + 1..] {
            [open, inside @ .., close] if open.is("(") && close.is(")") => inside,
            all => all,
        };
        let names = split(inside, &[","]).into_iter().filter(
            |it| matches!(it, [one] if one.is_name() && !self.known.arrays.contains(&one.text)),
        );
        names.map(<[Token]>::to_vec).collect::<Vec<_>>().join(&tokens[0].with(","))
    }

    /// `integer function f(a)`: what it gives has its name.
    pub(super) fn typed_head(&mut self, tokens: &[Token]) -> Result<()> {
        let at = position(tokens, &["function", "subroutine"]).unwrap_or(0);
        self.head(&tokens[at], &tokens[at + 1..])?;
        if self.results.is_empty() && tokens[at].is_word("function") {
            self.results = tokens.get(at + 1).cloned().into_iter().collect();
        }
        let kind =
            tokens[..at].iter().position(|it| it.is_any(&["integer", "real", "double", "logical"]));
        if let (Some(kind), Some(result)) = (kind, self.results.first().cloned()) {
            let word = &tokens[kind];
            self.declaration(&[word.clone(), word.with("::"), result])?;
        }
        Ok(())
    }
}
