//! Statements of Python outside of functions.

use super::{Function, Reader, Result};
use crate::notation::output::Line;
use crate::notation::scan::SourceLine;
use crate::notation::token::{Token, closing, split};
use crate::notation::tree::Tree;

/// The functions of a class are functions, which have no `self`.
pub(super) fn without_class(line: &mut SourceLine) {
    let tokens = &mut line.tokens;
    if tokens.first().is_some_and(|it| it.is("class")) {
        tokens.clear();
    }
    let mut at = 0;
    while at + 1 < tokens.len() {
        let is_call = tokens[at + 1].is(".") && tokens.get(at + 3).is_some_and(|it| it.is("("));
        let is_first = tokens[at + 1].is(",") && tokens[0].is("def");
        if tokens[at].is("self") && (is_call || is_first) {
            tokens.drain(at..at + 2);
        }
        at += 1;
    }
}

fn listed_names(names: &[Token], like: &Token) -> Vec<Token> {
    let names: Vec<Vec<Token>> = names.iter().map(|it| vec![it.clone()]).collect();
    names.join(&Token::glued(",", like))
}

impl Reader {
    /// Whether statements below the functions compute something, beside a call of the last one.
    pub(super) fn has_program(&self, functions: &[Function]) -> bool {
        let Some(behind) = functions.iter().map(|it| it.body.1).max() else { return false };
        let mut lines = self.lines[behind.min(self.lines.len())..].iter();
        let is_guard = |tokens: &[Token]| tokens.get(1).is_some_and(|it| it.is("__name__"));
        lines.any(|line| match &line.tokens[..] {
            [name, open, ..] if open.is("(") => {
                !functions.iter().any(|it| it.name.text == name.text) && !name.is("print")
            }
            all => line.column() == 0 && !is_guard(all) && all.len() > 1,
        })
    }

    /// What calls itself is called by a function of its own, which is the algorithm.
    pub(super) fn with_caller(&mut self) {
        let functions = self.functions();
        let Some(one) = functions.last().filter(|_| !self.has_program(&functions)) else { return };
        let name = &one.name;
        let calls = |it: &Function| {
            let lines = &self.lines[it.body.0..it.body.1];
            lines.iter().any(|it| {
                let own = |it: &[Token]| !it[0].is(".") && it[1].is(&name.text) && it[2].is("(");
                it.tokens.windows(3).any(own)
            })
        };
        let others = &functions[..functions.len() - 1];
        if one.body.0 == one.body.1 || !calls(one) || others.iter().any(calls) {
            return;
        }
        let gives = self.lines[one.body.0..one.body.1]
            .iter()
            .any(|it| it.tokens.windows(2).any(|it| it[0].is("return") && !it[1].is(";")));
        let at = |text: &str, column| Token { column, ..Token::made(text, name) };
        let own = format!("{}_of_all", name.text);
        let call = |word: &str, column: usize| {
            let mut line = vec![at(word, column)];
            line.extend([Token::glued("(", name)]);
            line.extend(listed_names(&one.arguments, name));
            line.push(Token::glued(")", name));
            line
        };
        let head = [vec![at("def", 0)], call(&own, 0), vec![at(":", 0)]].concat();
        let mut body = call(&name.text, 4);
        if gives {
            body.insert(0, at("return", 4));
        }
        let (start, end) = (one.body.0 - 1, one.body.1);
        for token in self.lines[start..end].iter_mut().flat_map(|it| &mut it.tokens) {
            if one.arguments.iter().any(|it| it.is(&token.text)) {
                token.text = format!("{}_of_{}", token.text, name.text);
            }
        }
        for (nth, tokens) in [head, body].into_iter().enumerate() {
            self.lines.insert(end + nth, SourceLine { tokens, comments: vec![] });
        }
    }

    /// The program that calls the functions.
    pub(super) fn below_functions(&mut self, functions: &[Function]) -> Result<()> {
        let outside: Vec<usize> = (0..self.lines.len())
            .filter(|&at| {
                let is_inside =
                    |it: &Function| (it.body.0.saturating_sub(1)..it.body.1).contains(&at);
                !functions.iter().any(is_inside)
            })
            .collect();
        for function in functions {
            let calls = |at: usize| {
                let tokens = &self.lines[at].tokens;
                tokens.windows(2).any(|it| it[0].is(&function.name.text) && it[1].is("("))
            };
            let (from, to) = function.body;
            if (0..self.lines.len())
                .filter(|at| !(from.saturating_sub(1)..to).contains(at))
                .any(calls)
            {
                self.procedure(function)?;
            } else {
                let text = format!("`{}` is not called: left out", function.name.text);
                self.out.hints.said.push((function.name.clone(), text));
            }
        }
        self.last = self.lines.len();
        // Runs of lines without a function between.
        let mut start = 0;
        while start < outside.len() {
            let mut end = start + 1;
            while end < outside.len() && outside[end] == outside[end - 1] + 1 {
                end += 1;
            }
            self.block(outside[start], outside[end - 1] + 1)?;
            start = end;
        }
        Ok(())
    }

    /// A function that another one calls.
    pub(super) fn procedure(&mut self, function: &Function) -> Result<()> {
        let outer = std::mem::take(&mut self.out.lines);
        (self.out.depth, self.results) = (1, Some(0));
        let done = self.block(function.body.0, function.body.1);
        let results = self.results.take().unwrap_or(0);
        self.out.depth = 0;
        let body = std::mem::replace(&mut self.out.lines, outer);
        done?;
        let formal = |it: &Token| {
            let name = Token::variable(it).text;
            let body =
                self.lines[function.body.0..function.body.1].iter().flat_map(|it| &it.tokens);
            let body: Vec<&Token> = body.collect();
            let rank = body
                .windows(2)
                .enumerate()
                .filter(|(_, pair)| pair[0].is(&it.text) && pair[1].is("["))
                .map(|(at, _)| {
                    let rest: Vec<Token> = body[at + 1..].iter().map(|it| (*it).clone()).collect();
                    let close = closing(&rest, 0).unwrap_or(0);
                    let twice = rest.get(close + 1).is_some_and(|it| it.is("["));
                    if twice { 2 } else { split(&rest[1..close.max(1)], &[","]).len() }
                });
            // `for x in a`, `len(a)`
            let is_whole = |of: &[&Token]| {
                of[2].is(&it.text) && (of[1].is("in") || of[0].is("len") && of[1].is("("))
            };
            let rank = rank.max().or_else(|| body.windows(3).any(is_whole).then_some(1));
            match rank {
                None => name,
                Some(rank) => {
                    let sizes: Vec<String> =
                        (0..rank).map(|at| format!("{name}_extent{at}")).collect();
                    format!("{name}[{}]", sizes.join(", "))
                }
            }
        };
        let formals: Vec<String> = function.arguments.iter().map(formal).collect();
        let name = Token::variable(&function.name);
        let values: Vec<String> =
            (0..results).map(|at| format!("{}_value{at}", name.text)).collect();
        let of = if results > 0 { format!(" → {}", values.join(", ")) } else { String::new() };
        let head = name.with(format!("procedure {}({}){of}", name.text, formals.join(", ")));
        self.out.procedures.push(Line { depth: 0, tokens: vec![head], comments: vec![] });
        self.out.procedures.extend(body);
        Ok(())
    }

    /// Whether what is shown here, at the end of a program without functions, is its result.
    pub(super) fn is_result(&self, word: &Token) -> bool {
        word.is("print")
            && self.at >= self.lines.len()
            && self.columns.len() == 1
            && self.results.is_none()
            && self.known.defined.is_empty()
            && self.out.hints.results == 0
    }

    /// A condition as the plain form has it.
    pub(super) fn truth(&self, tree: Tree) -> Tree {
        match tree {
            Tree::Binary(op @ ("or" | "and"), left, right) => {
                Tree::Binary(op, Box::new(self.truth(*left)), Box::new(self.truth(*right)))
            }
            Tree::Prefix("not", of, token) => Tree::Prefix("not", Box::new(self.truth(*of)), token),
            Tree::Binary(op, left, right) if ["+", "-", "mod", "&", "×"].contains(&op) => {
                let tree = Tree::Binary(op, left, right);
                let zero = crate::notation::tree::first(&tree).with("0");
                Tree::Binary("≠", Box::new(tree), Box::new(Tree::Atom(zero)))
            }
            Tree::Atom(ref it)
                if it.is_any(&["true", "false"]) || self.known.bools.contains(&it.text) =>
            {
                tree
            }
            // An array that is true has an element.
            Tree::Atom(ref it) if self.arrays.contains(&it.text) => {
                let (length, zero) = (it.with("length"), it.with("0"));
                let length = Tree::Call(length, vec![tree]);
                Tree::Binary("≠", Box::new(length), Box::new(Tree::Atom(zero)))
            }
            Tree::Atom(ref it) if it.is_name() => {
                let zero = it.with("0");
                Tree::Binary("≠", Box::new(tree), Box::new(Tree::Atom(zero)))
            }
            tree => tree,
        }
    }
}
