//! Loops below a pragma, with their reductions.

use super::loops::changed;
use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::notation::boundaries::end_of_statement;
use crate::notation::output::{Line, words};
use crate::notation::pragma::{self, Parallel, Pragma};
use crate::notation::reduction::Iterations;
use crate::notation::token::{Token, closing};
use crate::notation::tree::unexpected;

impl Reader {
    pub(super) fn pragma(&mut self, token: &Token) -> Result<()> {
        match pragma::read(token, token.text.trim_start_matches("#pragma"))? {
            Pragma::Nothing => Ok(()),
            Pragma::InTurn => {
                let text = "`inscan`: each iteration needs those before it, and they come in turn";
                self.out.hints.said.push((token.clone(), text.to_owned()));
                Ok(())
            }
            Pragma::Atomic => {
                let before = self.out.lines.len();
                self.statement()?;
                // The place of an element may be read before.
                let (_, above) = self.out.lines[before..].split_last().unzip();
                let is_place =
                    |it: &Line| it.tokens.first().is_none_or(|it| it.text.starts_with("place_"));
                let is_one = above.is_some_and(|it: &[Line]| it.iter().all(is_place));
                match self.out.lines.last_mut() {
                    Some(line) if is_one && line.tokens.get(1).is_some_and(|it| it.is("[")) => {
                        let word = line.tokens[0].with("atomic");
                        line.tokens[0].blank = " ".to_owned();
                        line.tokens.insert(0, word);
                        Ok(())
                    }
                    _ => Err(Diagnostic::new(
                        token.span,
                        "an atomic update of what is no element of an array",
                    )
                    .help("write `reduction(+:s)` for a sum of all iterations")),
                }
            }
            Pragma::Region
                if self.only_shares(self.at, &pragma::private(&token.text)).is_some() =>
            {
                Ok(())
            }
            Pragma::Region => {
                let inside = [self.at, self.at + 1].map(|at| self.tokens.get(at).cloned());
                match inside {
                    [Some(brace), Some(next)] if brace.is("{") && next.text.starts_with("#pragma") => Ok(()),
                    _ => Err(Diagnostic::new(token.span, "statements that every thread does")
                        .help("write `#pragma omp parallel for` above the loop whose iterations the threads share")),
                }
            }
            Pragma::Loop(parallel) => {
                let word = self.place();
                if !word.is("for") {
                    return Err(unexpected(&word, "the loop that the pragma is of"));
                }
                self.at += 1;
                if parallel.reductions.is_empty() {
                    return self.for_loop(&word, Some(&parallel));
                }
                self.reduction(&word, &parallel)
            }
        }
    }

    /// Behind a statement that all threads do alike, each with variables of its own, and in which they share
    /// the iterations of loops: one of them does the same.
    fn only_shares(&self, at: usize, private: &[String]) -> Option<usize> {
        let first = self.tokens.get(at)?;
        if first.text.starts_with("#pragma") {
            let text = first.text.trim_start_matches("#pragma");
            let shares = matches!(pragma::read(first, text), Ok(Pragma::Loop(_)));
            return shares.then(|| end_of_statement(&self.tokens, at + 1));
        }
        if first.is("{") {
            let end = closing(&self.tokens, at)?;
            let mut next = at + 1;
            while next < end {
                next = self.only_shares(next, private)?;
            }
            return (next == end).then_some(end + 1);
        }
        let is_own = |it: &Token| private.contains(&it.text);
        match &self.tokens[at..] {
            [word, open, rest @ ..] if word.is("for") && open.is("(") => {
                let declares = |it: &[Token]| it[0].is_any(&["int", "long", "size_t"]);
                (declares(rest) || is_own(rest.first()?)).then_some(())?;
                self.only_shares(closing(&self.tokens, at + 1)? + 1, private)
            }
            [name, sign, ..] if is_own(name) && sign.is_any(&["=", "+=", "-=", "++", "--"]) => {
                Some(end_of_statement(&self.tokens, at))
            }
            _ => None,
        }
    }

    /// The body of a parallel loop: another one, or statements.
    pub(super) fn parallel_body(&mut self, parallel: &Parallel, word: &Token) -> Result<()> {
        if parallel.loops > 1 {
            let is_block = self.accept("{");
            let inner = self.place();
            if !self.accept("for") {
                return Err(unexpected(&inner, "the next of the loops that `collapse` joins"));
            }
            self.out.depth += 1;
            let fewer = Parallel { loops: parallel.loops - 1, ..parallel.clone() };
            self.for_loop(&inner, Some(&fewer))?;
            self.out.depth -= 1;
            return if is_block { self.expect("}") } else { Ok(()) };
        }
        self.check_private(parallel, word)?;
        self.body()
    }

    /// What each iteration assigns is its own, or all threads would assign the same variable.
    fn check_private(&self, parallel: &Parallel, word: &Token) -> Result<()> {
        let body = self.whole_statement();
        let own = |name: &str| {
            let declared = body.windows(2).any(|it| {
                it[1].is(name) && (it[0].is_name() && !it[0].is_any(&["return", "else", "do"]))
            });
            let in_loop =
                body.windows(3).any(|it| it[0].is("for") && it[1].is("(") && it[2].is(name));
            declared
                || in_loop
                || parallel.private.iter().any(|it| it == name)
                || parallel.reductions.iter().any(|it| it.name == name)
        };
        let is_loop = |name: &str| {
            self.out.lines.iter().any(|it| {
                it.tokens[..].get(1).is_some_and(|of| of.is(name)) && it.tokens[0].is("for")
            })
        };
        let unset = parallel
            .private
            .iter()
            .find(|it| !parallel.first.contains(it) && !is_loop(it) && is_read_first(body, it));
        if let Some(name) = unset {
            return Err(Diagnostic::new(
                word.span,
                format!("`{name}` is private, and read before it is assigned"),
            )
            .help(format!("write `firstprivate({name})` for the value from before the loop")));
        }
        let mut shared: Vec<String> = changed(body).into_iter().filter(|it| !own(it)).collect();
        shared.sort();
        match shared.first() {
            None => Ok(()),
            Some(name) => Err(Diagnostic::new(word.span, format!("every thread assigns `{name}`, which they share"))
                .help(format!("declare `{name}` in the loop, or write `private({name})`, or `reduction(+:{name})` for a sum"))),
        }
    }

    /// The statement that stands here.
    pub(super) fn whole_statement(&self) -> &[Token] {
        let rest = &self.tokens[self.at..];
        let mut at = 0;
        // Heads of loops and branches, then a block, or up to a semicolon.
        while rest.get(at).is_some_and(|it| it.is_any(&["for", "if", "while"])) {
            at = closing(rest, at + 1).map_or(rest.len(), |it| it + 1);
        }
        let end = match rest.get(at) {
            Some(brace) if brace.is("{") => closing(rest, at).map_or(rest.len(), |it| it + 1),
            _ => {
                let behind = &rest[at.min(rest.len())..];
                behind.iter().position(|it| it.is(";")).map_or(rest.len(), |it| at + it + 1)
            }
        };
        &rest[..end.max(at).min(rest.len())]
    }

    /// A loop that combines values of each iteration: each has cells of its own.
    fn reduction(&mut self, word: &Token, parallel: &Parallel) -> Result<()> {
        if parallel.loops > 1 {
            let text =
                "a reduction: of the loops that `collapse` joins, the outer one is in parallel";
            self.out.hints.said.push((word.clone(), text.to_owned()));
        }
        let before = self.out.lines.len();
        // The loop with the parts in place of the wholes.
        let head = closing(&self.tokens, self.at).map_or(self.at, |it| it + 1);
        let end = {
            let at = std::mem::replace(&mut self.at, head);
            let length = self.whole_statement().len();
            self.at = at;
            head + length
        };
        let mut inner = Parallel { reductions: vec![], loops: 1, ..parallel.clone() };
        for it in &parallel.reductions {
            let part = it.part();
            self.declare(&part, self.types.get(&it.name).copied());
            let of_name = self.tokens[head..end].iter_mut().filter(|of| of.is(&it.name));
            of_name.for_each(|of| of.text.clone_from(&part));
            inner.private.push(part.clone());
            inner.first.push(part);
        }
        self.for_loop(word, Some(&inner))?;
        let iterations = Iterations::of_head(word, &self.out.lines[before].tokens)?;
        let line = |text: &str, depth| crate::notation::output::Line {
            depth,
            tokens: words(word, text, &[]),
            comments: vec![],
        };
        let depth = self.out.depth + 1;
        for it in parallel.reductions.iter().rev() {
            self.out.lines.insert(before + 1, line(&it.begin(), depth));
        }
        for it in &parallel.reductions {
            self.out.lines.push(line(&it.end(&iterations), depth));
        }
        for it in &parallel.reductions {
            it.combine(word, &iterations, &mut self.out);
        }
        Ok(())
    }
}

/// Whether a variable is read before it is assigned, in the order of the text.
fn is_read_first(body: &[Token], name: &str) -> bool {
    let Some(at) = body.iter().position(|it| it.is(name)) else { return false };
    let next = body.get(at + 1);
    let is_assigned = next.is_some_and(|it| it.is("="));
    // `t = t + 1`
    let value = &body[at + 1..];
    let end = value.iter().position(|it| it.is(";")).unwrap_or(value.len());
    !is_assigned || value[..end].iter().any(|it| it.is(name))
}
