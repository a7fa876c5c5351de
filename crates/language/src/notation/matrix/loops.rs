//! Loops of MATLAB, Fortran and Julia.

use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::notation::output::{spaced, words};
use crate::notation::reduction::{Iterations, Reduction};
use crate::notation::token::{Token, closing, position, split};
use crate::notation::tree::unexpected;

impl Reader {
    /// `@inbounds`, `Threads.@threads for …`.
    pub(super) fn decorated(&mut self, tokens: &[Token]) -> Result<()> {
        let is_parallel = tokens[0].is_any(&["@threads", "@distributed"]);
        let rest = match &tokens[1..] {
            [dot, rest @ ..] if dot.is(".") => rest,
            all => all,
        };
        if rest.is_empty() {
            return Ok(());
        }
        if is_parallel {
            self.parallel = Some(super::Parallel { loops: 1, ..Default::default() });
        }
        self.statement(rest)
    }

    pub(super) fn for_loop(&mut self, tokens: &[Token]) -> Result<()> {
        let word = &tokens[0];
        let mut rest = &tokens[1..];
        if rest.first().is_some_and(|it| it.is_word("while")) {
            let condition = self.condition(&rest[1..], word)?;
            self.out.line(words(word, "while {} do", &[&condition]));
            self.begin(word, 1);
            return Ok(());
        }
        if rest.is_empty() && word.is_word("do") {
            self.out.line(words(word, "while true do", &[]));
            self.begin(word, 1);
            return Ok(());
        }
        let pragma = self.parallel.take();
        let mut parallel = word.is_any(&["parfor", "forall"]) || pragma.is_some();
        let before = self.out.lines.len();
        let is_concurrent = rest.first().is_some_and(|it| it.is_word("concurrent"));
        if is_concurrent {
            (parallel, rest) = (true, &rest[1..]);
        }
        // MATLAB and `do concurrent` may have brackets around.
        let mut behind: &[Token] = &[];
        if let Some(open) = rest.first()
            && open.is("(")
            && let Some(close) = closing(rest, 0)
        {
            behind = &rest[close + 1..];
            rest = &rest[1..close];
        }
        let is_do = word.is_word("do") && !is_concurrent;
        let mut heads: Vec<&[Token]> =
            if is_do || word.is_word("do") && position(rest, &[":"]).is_none() {
                vec![rest]
            } else {
                split(rest, &[","])
            };
        heads.retain(|it| !it.is_empty());
        if let [first, others @ ..] = &heads[..]
            && !is_do
            && let Some(other) =
                others.iter().find(|it| position(it, &["=", "in", "∈"]).is_none_or(|at| at != 1))
        {
            // `for i = 1:n, statement; end`
            let head_length = first.len();
            behind = &rest[head_length + 1..];
            let _ = other;
            heads.truncate(1);
        }
        // `for (i, x) in enumerate(a)`, `for (x, y) in zip(a, b)`
        let (whole, call) = match position(&tokens[1..], &["in", "="]) {
            Some(at) => (&tokens[1..=at], &tokens[at + 2..]),
            None => (&tokens[1..1], &tokens[1..1]),
        };
        if let [word_of, open, inside @ .., _] = call
            && word_of.is_any(&["enumerate", "zip"])
            && open.is("(")
            && whole.first().is_some_and(|it| it.is("("))
        {
            return self.several(word, &whole[1..whole.len() - 1], inside, word_of.is("enumerate"));
        }
        let levels = heads.len();
        for (level, head) in heads.iter().enumerate() {
            self.head_of_loop(word, head, parallel, is_do)?;
            if level + 1 < levels {
                self.out.depth += 1;
            }
        }
        self.out.depth -= levels.saturating_sub(1);
        if word.is_word("forall") && !behind.is_empty() {
            self.out.depth += levels;
            self.statement(behind)?;
            self.out.depth -= levels;
            return Ok(());
        }
        self.begin(word, levels);
        if let Some(pragma) = pragma.filter(|it| !it.reductions.is_empty()) {
            self.reduce(word, before, pragma.reductions)?;
        }
        if behind.is_empty() { Ok(()) } else { self.statement(behind) }
    }

    /// The body of the loop whose head was read has parts in place of the scalars that are combined.
    fn reduce(&mut self, word: &Token, head: usize, all: Vec<Reduction>) -> Result<()> {
        let iterations = Iterations::of_head(word, &self.out.lines[head].tokens)?;
        let mut depth = 0_usize;
        let closes = |at: &usize| {
            let line = &self.lines[*at];
            let is_end = line[0].text.to_ascii_lowercase().starts_with("end");
            depth += usize::from(self.opens(line));
            let is_own = is_end && depth == 0;
            depth -= usize::from(is_end).min(depth);
            is_own
        };
        let Some(end) = (self.at..self.lines.len()).find(closes) else {
            return Err(unexpected(word, "a loop with its end"));
        };
        for it in &all {
            let tokens = self.lines[self.at..end].iter_mut().flatten();
            tokens.filter(|of| of.is_word(&it.name)).for_each(|of| of.text = it.part());
            self.out.line(words(word, &it.begin(), &[]));
        }
        self.lines.insert(end + 1, vec![word.with("#combine")]);
        self.lines.insert(end, vec![word.with("#cells")]);
        self.reductions.push((iterations, all));
        Ok(())
    }

    pub(super) fn cells(&mut self, word: &Token) {
        if let Some((iterations, all)) = self.reductions.last() {
            all.iter().for_each(|it| self.out.line(words(word, &it.end(iterations), &[])));
        }
    }

    pub(super) fn combine(&mut self, word: &Token) {
        if let Some((iterations, all)) = self.reductions.pop() {
            all.iter().for_each(|it| it.combine(word, &iterations, &mut self.out));
        }
    }

    fn head_of_loop(
        &mut self,
        word: &Token,
        head: &[Token],
        parallel: bool,
        is_do: bool,
    ) -> Result<()> {
        let [variable, sign, range @ ..] = head else {
            return Err(unexpected(word, "a loop over a range"));
        };
        if !sign.is_any(&["=", "in", "∈"]) || !variable.is_name() {
            return Err(unexpected(sign, "`=` or `in`"));
        }
        let range = match range {
            [open, inside @ .., close]
                if open.is("(") && close.is(")") && closing(range, 0) == Some(range.len() - 1) =>
            {
                inside
            }
            all => all,
        };
        let variable = Token::variable(variable);
        let parts = split(range, if is_do { &[","] } else { &[":"] });
        let (from, to, step) = match parts[..] {
            [from, to] => (from.to_vec(), to.to_vec(), None),
            [from, to, step] if is_do => (from.to_vec(), to.to_vec(), Some(step.to_vec())),
            [from, step, to] => (from.to_vec(), to.to_vec(), Some(step.to_vec())),
            [one] => return self.each(word, &variable, one, parallel),
            _ => return Err(unexpected(word, "a loop over a range")),
        };
        let by = step.as_deref().and_then(|it| match it {
            [sign, number] if sign.is_any(&["-", "−"]) => {
                number.text.parse::<i64>().ok().map(|it| -it)
            }
            [number] => number.text.parse().ok(),
            _ => None,
        });
        if by == Some(0) {
            return Err(Diagnostic::new(word.span, "a step of 0"));
        }
        let is_down = by.is_some_and(|it| it < 0);
        let is_natural = |it: &[Token]| matches!(it, [one] if one.is_number() || self.known.naturals.contains(&one.text));
        if is_natural(if is_down { &to } else { &from }) {
            self.known.naturals.insert(variable.text.clone());
        } else {
            self.known.naturals.remove(&variable.text);
        }
        let (from, to) = (self.value(&from, word)?, self.value(&to, word)?);
        let mut line =
            words(word, "for {} ← {} to {}", &[std::slice::from_ref(&variable), &from, &to]);
        line[0].text = "for".to_owned();
        if is_down {
            line.iter_mut().filter(|it| it.is("to")).for_each(|it| it.text = "downto".to_owned());
        }
        match (by, step) {
            (None, Some(step)) => {
                line.push(Token::made("step", word));
                line.extend(spaced(self.value(&step, word)?));
            }
            (Some(by), _) if by.abs() != 1 => {
                line.extend([Token::made("step", word), Token::made(by.abs().to_string(), word)])
            }
            _ => {}
        }
        line.push(Token::made("do", word));
        if parallel {
            line.extend([Token::made("in", word), Token::made("parallel", word)]);
        }
        self.out.line(line);
        Ok(())
    }

    /// A loop over elements of one or several arrays, and their numbers.
    fn several(&mut self, word: &Token, names: &[Token], of: &[Token], counts: bool) -> Result<()> {
        let (names, arrays) = (split(names, &[","]), split(of, &[","]));
        let is_plain = |it: &&[Token]| matches!(it, [one] if one.is_name());
        let numbers = usize::from(counts);
        if names.len() != arrays.len() + numbers || !names.iter().chain(&arrays).all(is_plain) {
            return Err(Diagnostic::new(word.span, "a loop over what is no range")
                .help("write `for i = 1:n`"));
        }
        for array in &arrays {
            self.known.arrays.insert(array[0].text.clone());
        }
        let index = match counts {
            true => Token::variable(&names[0][0]),
            false => word.with(self.out.fresh("e")),
        };
        let arrays: Vec<Token> = arrays.iter().map(|it| Token::variable(&it[0])).collect();
        let lengths = arrays.iter().map(|it| format!("length({})", it.text));
        let least = lengths.collect::<Vec<_>>().join(", ");
        let least = if arrays.len() == 1 { least } else { format!("min({least})") };
        self.out.line(words(word, &format!("for {} ← 1 to {least} do", index.text), &[]));
        self.out.depth += 1;
        for (name, array) in names[numbers..].iter().zip(&arrays) {
            let name = Token::variable(&name[0]);
            let line = format!("{} ← {}[{}]", name.text, array.text, index.text);
            self.out.line(words(&name, &line, &[]));
        }
        self.out.depth -= 1;
        self.begin(word, 1);
        Ok(())
    }

    /// `for i in eachindex(A)`, `for x in A`.
    fn each(&mut self, word: &Token, variable: &Token, of: &[Token], parallel: bool) -> Result<()> {
        let order = if parallel { " in parallel" } else { "" };
        match of {
            [each, open, array, close]
                if each.is_any(&["eachindex"]) && open.is("(") && close.is(")") =>
            {
                self.known.arrays.insert(array.text.clone());
                let array = Token::variable(array).text;
                let head = format!("for {} ← 1 to length({array}) do{order}", variable.text);
                self.out.line(words(word, &head, &[]));
                Ok(())
            }
            [open, inside @ .., close] if open.is("[") && close.is("]") => {
                self.listed(word, variable, inside, order)
            }
            [array] if array.is_name() => {
                self.known.arrays.insert(array.text.clone());
                let array = Token::variable(array).text;
                let index = self.out.fresh("e");
                self.out.line(words(
                    word,
                    &format!("for {index} ← 1 to length({array}) do{order}"),
                    &[],
                ));
                self.out.depth += 1;
                self.out.line(words(
                    variable,
                    &format!("{} ← {array}[{index}]", variable.text),
                    &[],
                ));
                self.out.depth -= 1;
                Ok(())
            }
            _ => Err(Diagnostic::new(word.span, "a loop over what is no range")
                .help("write `for i = 1:n`")),
        }
    }

    /// `for k = [1 3 6]` and `for j = [1:i-1, i+1:n]`: each of them in turn.
    fn listed(
        &mut self,
        word: &Token,
        variable: &Token,
        inside: &[Token],
        order: &str,
    ) -> Result<()> {
        let parts: Vec<&[Token]> = match position(inside, &[","]) {
            None if inside.iter().all(Token::is_number) => inside.chunks(1).collect(),
            _ => split(inside, &[","]),
        };
        let mut lengths: Vec<Vec<Token>> = vec![];
        let mut firsts = vec![];
        for part in &parts {
            let made = |text: &str| vec![Token::made(text, word)];
            match split(part, &[":"])[..] {
                [one] if !one.is_empty() => {
                    firsts.push(self.value(one, word)?);
                    lengths.push(made("1"));
                }
                [from, to] => {
                    let (from, to) = (self.value(from, word)?, self.value(to, word)?);
                    lengths.push(words(word, "max(0, ({}) - ({}) + 1)", &[&to, &from]));
                    firsts.push(from);
                }
                _ => return Err(unexpected(word, "a list of numbers and ranges")),
            }
        }
        let index = self.out.fresh("e");
        let sum = |of: &[Vec<Token>]| spaced(of.to_vec().join(&Token::made("+", word)));
        let head = format!("for {index} ← 1 to {{}} do{order}");
        self.out.line(words(word, &head, &[&sum(&lengths)]));
        self.out.depth += 1;
        let mut value: Vec<Token> = vec![];
        for at in (0..firsts.len()).rev() {
            let before = if at == 0 { vec![Token::made("0", word)] } else { sum(&lengths[..at]) };
            let own =
                words(word, &format!("({{}}) + {index} - 1 - ({{}})"), &[&firsts[at], &before]);
            value = match value.is_empty() {
                true => own,
                false => {
                    let text = format!("(if {index} ≤ {{}} then {{}} else {{}} )");
                    words(word, &text, &[&sum(&lengths[..=at]), &own, &value])
                }
            };
        }
        self.out.line(words(variable, "{} ← {}", &[std::slice::from_ref(variable), &value]));
        self.out.depth -= 1;
        Ok(())
    }
}
