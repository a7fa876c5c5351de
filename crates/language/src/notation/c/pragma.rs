//! Loops below a pragma, with their reductions.

use super::loops::changed;
use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::notation::output::{Line, words};
use crate::notation::pragma::{self, Parallel, Pragma};
use crate::notation::token::{Token, closing, text};
use crate::notation::tree::unexpected;

impl Reader {
    pub(super) fn pragma(&mut self, token: &Token) -> Result<()> {
        match pragma::read(token, token.text.trim_start_matches("#pragma"))? {
            Pragma::Nothing => Ok(()),
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
                || parallel.reductions.iter().any(|it| it.0 == name)
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

    /// A loop that combines a value of each iteration: each has a cell of its own, and these are combined
    /// in pairs.
    fn reduction(&mut self, word: &Token, parallel: &Parallel) -> Result<()> {
        let [(name, op)] = &parallel.reductions[..] else {
            return Err(Diagnostic::new(word.span, "several reductions in one loop")
                .help("write a loop for each of them"));
        };
        if parallel.loops > 1 {
            let text =
                "a reduction: of the loops that `collapse` joins, the outer one is in parallel";
            self.out.hints.said.push((word.clone(), text.to_owned()));
        }
        let (part, terms) = (format!("{name}_part"), format!("{name}_terms"));
        self.declare(&part, self.types.get(name.as_str()).copied());
        let (identity, combined) = match op.as_str() {
            "+" | "-" => ("0", "{} + {}"),
            "*" => ("1", "{} × {}"),
            "min" => (name.as_str(), "min({}, {})"),
            "max" => (name.as_str(), "max({}, {})"),
            "&&" => ("true", "{} and {}"),
            _ => ("false", "{} or {}"),
        };
        let combined =
            |left: &str, right: &str| combined.replacen("{}", left, 1).replacen("{}", right, 1);
        let before = self.out.lines.len();
        // The loop with the part in place of the whole.
        let head = closing(&self.tokens, self.at).map_or(self.at, |it| it + 1);
        let end = {
            let at = std::mem::replace(&mut self.at, head);
            let length = self.whole_statement().len();
            self.at = at;
            head + length
        };
        for token in &mut self.tokens[head..end] {
            if token.is(name) {
                token.text.clone_from(&part);
            }
        }
        let inner = Parallel {
            private: [parallel.private.clone(), vec![part.clone()]].concat(),
            first: [parallel.first.clone(), vec![part.clone()]].concat(),
            reductions: vec![],
            loops: 1,
        };
        self.for_loop(word, Some(&inner))?;
        let loop_head = self.out.lines[before].tokens.clone();
        let at = |word: &str| loop_head.iter().position(|it| it.is(word));
        let (Some(arrow), Some(to), Some(last)) = (at("←"), at("to"), at("do")) else {
            return Err(Diagnostic::new(word.span, "a reduction over a loop that goes down")
                .help("let it go up"));
        };
        if at("step").is_some() {
            return Err(Diagnostic::new(word.span, "a reduction over a loop in steps")
                .help("let it go up by 1"));
        }
        let (from, to) = (text(&loop_head[arrow + 1..to]), text(&loop_head[to + 1..last]));
        let index = match from.as_str() {
            "0" => loop_head[1].text.clone(),
            from => format!("{} - ({from})", loop_head[1].text),
        };
        let count = if from == "0" { format!("{to} + 1") } else { format!("{to} - ({from}) + 1") };
        let line = |text: &str, depth| crate::notation::output::Line {
            depth,
            tokens: words(word, text, &[]),
            comments: vec![],
        };
        let depth = self.out.depth;
        self.out.lines.insert(before + 1, line(&format!("{part} ← {identity}"), depth + 1));
        self.out.lines.push(line(&format!("{terms}[{index}] ← {part}"), depth + 1));
        let own = |of: &str| format!("{name}_{of}");
        let (height, half, at) = (own("height"), own("half"), own("at"));
        self.out.make([&height, &half, &at, &part]);
        let pair = combined(&format!("{terms}[{at}]"), &format!("{terms}[{at} + {half}]"));
        for (text, deeper) in [
            (format!("{height} ← {count}"), 0),
            (format!("while {height} > 1 do"), 0),
            (format!("{half} ← ({height} + 1) / 2"), 1),
            (format!("for {at} ← 0 to {height} - {half} - 1 do in parallel"), 1),
            (format!("{terms}[{at}] ← {pair}"), 2),
            (format!("{height} ← {half}"), 1),
            (format!("if {to} ≥ {from} then"), 0),
            (format!("{name} ← {}", combined(name, &format!("{terms}[0]"))), 1),
        ] {
            self.out.lines.push(line(&text, depth + deeper));
        }
        let token = word.with(terms);
        let hint = self.out.hints.array(&token);
        hint.is_new = true;
        hint.extents = vec![Some(count.clone())];
        self.out.hints.said.push((
            word.clone(),
            format!(
                "a reduction: each iteration has a cell of `{}`, which are combined in pairs",
                token.text
            ),
        ));
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
