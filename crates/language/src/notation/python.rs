//! Programs in Python.

mod arrays;
mod items;
mod lists;
mod loops;
mod other_names;
mod program;
mod shorthand;
mod targets;
mod values;

use std::collections::HashSet;

use super::output::{LoopVariable, Output, listed, words};
use super::scan::{Dialect, SourceLine, scan};
use super::token::{Token, closing, position, split};
use super::tree::{Known, Tree, expression, unexpected, written};
use crate::diagnostic::Diagnostic;
use crate::parser::foreign;

type Result<T> = std::result::Result<T, Diagnostic>;

pub(super) struct Reader {
    lines: Vec<SourceLine>,
    at: usize,
    pub(super) out: Output,
    known: Known,
    /// Columns of the blocks that are open.
    columns: Vec<usize>,
    /// In a procedure: how many results it has.
    results: Option<usize>,
    arrays: HashSet<String>,
    /// Line of the last statement of the algorithm.
    last: usize,
}

/// A function of the program.
#[derive(Debug, Clone)]
struct Function {
    name: Token,
    arguments: Vec<Token>,
    /// The lines of its body.
    body: (usize, usize),
}

/// A program in Python.
///
/// # Errors
/// What is no statement of those that are read.
pub(super) fn read(text: &str) -> Result<Output> {
    let mut lines = scan(text, Dialect::Python)?;
    let comments = lines.iter().flat_map(|it| it.comments.clone()).collect();
    lines.iter_mut().for_each(program::without_class);
    lines.retain(|it| !it.tokens.is_empty());
    for line in &mut lines {
        // `a[::2]`
        let colons = |it: &Token| match it.is("::") {
            true => vec![it.with(":"), Token::glued(":", it)],
            false => vec![it.clone()],
        };
        line.tokens = line.tokens.iter().flat_map(colons).collect();
    }
    let known = Known { floors: true, ..Known::default() };
    let mut reader = Reader {
        lines,
        at: 0,
        out: Output::with_comments(comments),
        known,
        columns: vec![0],
        results: None,
        arrays: HashSet::new(),
        last: 0,
    };
    reader.out.hints.first = Some(0);
    reader.out.loop_variable = Some(LoopVariable::Kept);
    super::patterns::of_python(&mut reader.lines, &mut reader.out);
    reader.shorthand();
    reader.lists();
    reader.find_names();
    reader.other_names();
    reader.program()?;
    reader.out.hints.functions = std::mem::take(&mut reader.known.uses);
    reader.out.end();
    Ok(reader.out)
}

impl Reader {
    /// Names with brackets behind them, and those of what is true or false.
    fn find_names(&mut self) {
        for line in &self.lines {
            self.arrays.extend(super::patterns::folded(&line.tokens));
            for pair in line.tokens.windows(2) {
                if pair[0].is_name()
                    && pair[1].is("[")
                    && pair[1].blank.is_empty()
                    && !pair[0].is_any(&["in", "return", "list", "List"])
                {
                    self.arrays.insert(pair[0].text.clone());
                }
            }
            if let [name, sign, value, ..] = &line.tokens[..]
                && sign.is("=")
                && value.is_any(&["True", "False"])
            {
                self.known.bools.insert(name.text.clone());
            }
        }
    }

    fn functions(&self) -> Vec<Function> {
        let mut found = vec![];
        for (at, line) in self.lines.iter().enumerate() {
            let [def, name, open, ..] = &line.tokens[..] else { continue };
            if !def.is("def") || !open.is("(") {
                continue;
            }
            let Some(close) = closing(&line.tokens, 2) else { continue };
            let inside = &line.tokens[3..close];
            let arguments = split(inside, &[","]).into_iter().filter_map(|it| it.first().cloned());
            let ends = self.lines[at + 1..].iter().position(|it| it.column() <= line.column());
            let end = ends.map_or(self.lines.len(), |it| at + 1 + it);
            let behind = position(&line.tokens[close..], &[":"]).map_or(0, |it| close + it + 1);
            let is_inline = behind > 0 && behind < line.tokens.len();
            let body = if is_inline { (at, at) } else { (at + 1, end) };
            found.push(Function { name: name.clone(), arguments: arguments.collect(), body });
        }
        found
    }

    fn program(&mut self) -> Result<()> {
        self.with_caller();
        let functions = self.functions();
        self.known.defined.extend(functions.iter().map(|it| it.name.text.clone()));
        let calls = |of: &Function, name: &str| {
            let tokens =
                self.lines[of.body.0..of.body.1].iter().flat_map(|it| it.tokens.windows(2));
            tokens.into_iter().any(|it| it[0].is(name) && it[1].is("("))
        };
        let is_called = |it: &Function| {
            functions.iter().any(|by| by.name.text != it.name.text && calls(by, &it.name.text))
        };
        if self.has_program(&functions) {
            return self.below_functions(&functions);
        }
        let main =
            functions.iter().rfind(|it| !it.name.is("main") && !is_called(it)).or(functions.last());
        let Some(main) = main.cloned() else {
            self.last = self.lines.len();
            return self.block(0, self.lines.len());
        };
        for function in
            functions.iter().filter(|it| !is_called(it) && it.name.text != main.name.text)
        {
            let text = format!("`{}` is another algorithm: left out", function.name.text);
            self.out.hints.said.push((function.name.clone(), text));
        }
        let called: Vec<Function> = functions.iter().filter(|it| is_called(it)).cloned().collect();
        for function in &called {
            self.procedure(function)?;
        }
        // What stands above the functions: sizes and constants.
        let first = functions.iter().map(|it| it.body.0.saturating_sub(1)).min().unwrap_or(0);
        self.block(0, first)?;
        self.out.hints.name = Some(main.name.clone());
        for name in &main.arguments {
            match self.arrays.contains(&name.text) {
                true => self.out.hints.array(&Token::variable(name)).is_argument = true,
                false => self.out.hints.arguments.push(Token::variable(name)),
            }
        }
        self.last = main.body.1;
        self.block(main.body.0, main.body.1)
    }

    /// Statements of some lines, blocks by their columns.
    fn block(&mut self, from: usize, to: usize) -> Result<()> {
        let base = self.out.depth;
        self.at = from;
        let Some(first) = self.lines[from..to].first().map(SourceLine::column) else {
            return Ok(());
        };
        self.columns = vec![first];
        while self.at < to {
            let line = &self.lines[self.at];
            let column = line.column();
            let tokens = line.tokens.clone();
            while self.columns.len() > 1 && self.columns.last().is_some_and(|it| *it > column) {
                self.columns.pop();
            }
            if self.columns.last().is_some_and(|it| *it < column) {
                self.columns.push(column);
            }
            if self.columns.last() != Some(&column) {
                return Err(Diagnostic::new(
                    tokens[0].span,
                    "this indentation fits no block above",
                )
                .help("indent the lines of one block alike"));
            }
            if self.columns.len() > 150 {
                return Err(
                    Diagnostic::new(tokens[0].span, "nested more than 150 deep").help("split it")
                );
            }
            self.out.depth = base + self.columns.len() - 1;
            self.at += 1;
            for part in split(&tokens, &[";"]) {
                if !part.is_empty() {
                    self.statement(part)?;
                }
            }
        }
        self.out.depth = base;
        Ok(())
    }

    fn tree(&mut self, tokens: &[Token], place: &Token) -> Result<Tree> {
        expression(tokens, Dialect::Python, &mut self.known, place.span)
    }

    fn value(&mut self, tokens: &[Token], place: &Token) -> Result<Vec<Token>> {
        Ok(written(&self.tree(tokens, place)?))
    }

    fn condition(&mut self, tokens: &[Token], place: &Token) -> Result<Vec<Token>> {
        let tree = self.tree(&self.members(tokens), place)?;
        Ok(written(&self.truth(tree)))
    }

    /// What stands behind a colon on its line, one deeper.
    fn behind(&mut self, tokens: &[Token]) -> Result<()> {
        if tokens.is_empty() {
            return Ok(());
        }
        self.out.depth += 1;
        self.statement(tokens)?;
        self.out.depth -= 1;
        Ok(())
    }

    /// The head of a block and what stands behind its colon.
    fn head<'a>(&self, tokens: &'a [Token]) -> Result<(&'a [Token], &'a [Token])> {
        match position(tokens, &[":"]) {
            Some(at) => Ok((&tokens[1..at], &tokens[at + 1..])),
            None => Err(unexpected(&tokens[tokens.len() - 1], "`:` at the end of the line")),
        }
    }

    fn statement(&mut self, tokens: &[Token]) -> Result<()> {
        let word = &tokens[0];
        let is_word = !tokens.get(1).is_some_and(|it| it.is("="));
        match word.text.as_str() {
            "import" | "from" | "@" | "global" | "nonlocal" => Ok(()),
            decorator if decorator.starts_with('@') => Ok(()),
            "pass" => {
                let nothing = word.with(self.out.fresh("nothing"));
                self.out.line(words(&nothing, &format!("{} ← 0", nothing.text), &[]));
                Ok(())
            }
            "print" | "assert" if is_word => {
                // What a function of the program changes is changed.
                let inside = tokens.get(2..tokens.len() - 1).unwrap_or_default();
                let calls =
                    |it: &[Token]| it[1].is("(") && self.known.defined.contains(&it[0].text);
                let parts = split(inside, &[","]).into_iter();
                if self.is_result(word) {
                    let names = parts.clone().filter(|it| matches!(it, [one] if one.is_name()));
                    let names: Vec<Vec<Token>> = names.map(|it| it.to_vec()).collect();
                    if !names.is_empty() {
                        return self.returns(word, &names.join(&word.with(",")));
                    }
                }
                for part in parts.filter(|it| it.windows(2).any(calls)).collect::<Vec<_>>() {
                    let own = word.with(self.out.fresh("shown"));
                    self.simple(&[&[own, word.with("=")], part].concat())?;
                }
                let text = format!("`{}` has no effect on the values: left out", word.text);
                self.out.hints.said.push((word.clone(), text));
                Ok(())
            }
            "def" if self.out.depth > 0 || self.results.is_some() => {
                Err(Diagnostic::new(word.span, "a function inside another").help("define it above"))
            }
            "for" => self.for_loop(tokens),
            "while" => {
                let (condition, rest) = self.head(tokens)?;
                let condition = self.condition(condition, word)?;
                self.out.line(words(word, "while {} do", &[&condition]));
                self.behind(rest)
            }
            "if" => {
                let (condition, rest) = self.head(tokens)?;
                let condition = &self.folded(condition)?[..];
                let condition = self.condition(condition, word)?;
                self.out.line(words(word, "if {} then", &[&condition]));
                self.behind(rest)
            }
            "elif" => {
                let (condition, rest) = self.head(tokens)?;
                let condition = self.condition(condition, word)?;
                self.out.line(words(word, "else if {} then", &[&condition]));
                self.behind(rest)
            }
            "else" => {
                let (_, rest) = self.head(tokens)?;
                self.out.line(vec![word.clone()]);
                self.behind(rest)
            }
            "break" | "continue" if is_word => {
                self.out.line(vec![word.clone()]);
                Ok(())
            }
            "return" => self.returns(word, &tokens[1..]),
            "raise" if self.results.is_none() => {
                self.out.hints.said.push((word.clone(), "`raise` ends the program".to_owned()));
                self.out.line(vec![word.with("return")]);
                Ok(())
            }
            "raise" | "try" | "with" | "yield" | "class" | "lambda" | "del" | "except"
                if is_word =>
            {
                let other =
                    ("this statement has no counterpart", "write loops, branches and assignments");
                let (what, help) = foreign(word.text.as_str()).unwrap_or(other);
                Err(Diagnostic::new(word.span, what).help(help))
            }
            _ => self.simple(tokens),
        }
    }

    fn returns(&mut self, word: &Token, value: &[Token]) -> Result<()> {
        let value = &self.folded(value)?[..];
        // A list that is returned has a name of its own.
        let is_list = value.first().is_some_and(|it| it.is("["))
            && closing(value, 0) == Some(value.len() - 1)
            || value.iter().any(|it| it.is(":"));
        let value = &match is_list && self.results.is_none() {
            true => {
                let name = word.with(self.out.fresh("list"));
                self.simple(&[&[name.clone(), word.with("=")], value].concat())?;
                vec![name]
            }
            false => value.to_vec(),
        }[..];
        let value = match value {
            [open, inside @ .., close]
                if open.is("(") && close.is(")") && closing(value, 0) == Some(value.len() - 1) =>
            {
                inside
            }
            all => all,
        };
        let parts: Vec<&[Token]> =
            split(value, &[","]).into_iter().filter(|it| !it.is_empty()).collect();
        if self.results.is_some() {
            let is_array = |it: &&[Token]| matches!(it, [name] if self.arrays.contains(&name.text));
            let parts: Vec<&[Token]> = parts.into_iter().filter(|it| !is_array(it)).collect();
            self.results = Some(parts.len());
            let values = parts.into_iter().map(|it| self.value(it, word));
            let values = values.collect::<Result<Vec<_>>>()?;
            self.out.line([vec![word.clone()], listed(values, word)].concat());
            return Ok(());
        }
        let is_last = self.at >= self.last && self.columns.len() == 1;
        let mut values = vec![];
        for part in parts {
            values.push(self.value(part, word)?);
        }
        if values.is_empty() {
            if !is_last {
                self.out.line(vec![word.clone()]);
            }
            return Ok(());
        }
        let arrays = self.arrays.clone();
        self.out.returned(word, values, |it| arrays.contains(it), is_last);
        Ok(())
    }
}
