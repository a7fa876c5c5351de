//! Functions of C: one is the algorithm, those that it calls are procedures.

use super::{Reader, Result, Signature, is_variable};
use crate::diagnostic::{Diagnostic, Span};
use crate::notation::element::{Typed, typed};
use crate::notation::output::Line;
use crate::notation::token::{Token, closing, split};
use crate::notation::tree::unexpected;
use crate::syntax::Type;

/// A function of the program.
pub(super) struct Function {
    pub(super) name: Token,
    result: Option<Type>,
    pub(super) arguments: Vec<Vec<Token>>,
    /// The first and the last token of its body, without the braces.
    pub(super) body: (usize, usize),
}

/// What stands around functions in C++ and Java goes: classes, name spaces, imports and words on who may call.
pub(super) fn without_classes(tokens: Vec<Token>) -> Vec<Token> {
    const AROUND: [&str; 3] = ["class", "namespace", "interface"];
    const IMPORTS: [&str; 3] = ["import", "package", "using"];
    const WHO: [&str; 4] = ["public", "private", "protected", "static"];
    let (mut kept, mut at, mut open): (Vec<Token>, _, Vec<bool>) = (vec![], 0, vec![]);
    while let Some(token) = tokens.get(at) {
        let next = tokens.get(at + 1);
        let begins =
            kept.last().is_none_or(|it| it.is_any(&[";", "}", "{"]) || WHO.contains(&&*it.text));
        let behind = tokens[at..].iter().position(|it| it.is_any(&["{", ";", "("]));
        at += 1;
        match token.text.as_str() {
            word if begins
                && AROUND.contains(&word)
                && behind.is_some_and(|it| tokens[at - 1 + it].is("{")) =>
            {
                while kept.last().is_some_and(|it| WHO.contains(&&*it.text) || it.is("final")) {
                    kept.pop();
                }
                at += behind.unwrap_or(0);
                open.push(true);
            }
            word if begins && IMPORTS.contains(&word) && !next.is_some_and(Token::assigns) => {
                at += tokens[at..].iter().position(|it| it.is(";")).map_or(0, |it| it + 1);
            }
            word if begins && WHO.contains(&word) && next.is_some_and(|it| it.is(":")) => at += 1,
            // What the standard library calls its own.
            "std" if next.is_some_and(|it| it.is("::")) => at += 1,
            // C#'s matrices, and its loops over elements.
            "[" if next.is_some_and(|it| it.is(","))
                && tokens.get(at + 1).is_some_and(|it| it.is("]")) =>
            {
                kept.push(token.clone());
                at += 1;
            }
            "foreach" => {
                kept.push(token.with("for"));
                let close = closing(&tokens, at).unwrap_or(at);
                let word = (at..close).find(|it| tokens[*it].is("in"));
                kept.extend(tokens[at..close].iter().enumerate().map(|(nth, it)| {
                    if Some(at + nth) == word { it.with(":") } else { it.clone() }
                }));
                at = close;
            }
            "@" if begins => at += 1,
            word if begins && word.starts_with('@') => {}
            "{" => {
                open.push(false);
                kept.push(token.clone());
            }
            "}" if open.pop() == Some(true) => {
                at += usize::from(next.is_some_and(|it| it.is(";")));
            }
            _ => kept.push(token.clone()),
        }
    }
    kept
}

impl Reader {
    /// The functions of the program, each with its arguments and its body.
    pub(super) fn functions(&self) -> Vec<Function> {
        let (mut found, mut at, mut depth) = (vec![], 0, 0_usize);
        while at < self.tokens.len() {
            let token = &self.tokens[at];
            depth += usize::from(token.is("{"));
            depth = depth.saturating_sub(usize::from(token.is("}")));
            if depth <= 1
                && let Some(typed) = typed(&self.tokens[at..])
                && let [name, open, ..] = &self.tokens[at + typed.length..]
                && is_variable(name)
                && open.is("(")
                && let Some(close) = closing(&self.tokens, at + typed.length + 1)
                && self.tokens.get(close + 1).is_some_and(|it| it.is("{"))
                && let Some(end) = closing(&self.tokens, close + 1)
            {
                let inside = &self.tokens[at + typed.length + 2..close];
                let arguments = match inside {
                    [] => vec![],
                    [void] if void.is("void") => vec![],
                    // What a command line gives.
                    [text, ..] if name.is("main") && text.is_any(&["String", "int", "char"]) => {
                        vec![]
                    }
                    all => split(all, &[","]).into_iter().map(<[Token]>::to_vec).collect(),
                };
                let result = typed.element.filter(|_| !typed.is_array);
                let body = (close + 2, end);
                found.push(Function { name: name.clone(), result, arguments, body });
                at = end + 1;
                continue;
            }
            at += 1;
        }
        found
    }

    pub(super) fn find_functions(&mut self) {
        // What has no type of its own and is given `true` or `false`.
        for it in self.tokens.windows(3) {
            let is_given = it[0].is_name() && it[1].is("=") && it[2].is_any(&["true", "false"]);
            let is_declared = |of: &[Token]| {
                of[1].is(&it[0].text)
                    && of[0].is_name()
                    && !of[0].is_any(&["var", "auto", "return", "else"])
            };
            if is_given && !self.tokens.windows(2).any(is_declared) {
                self.bools.push(it[0].text.clone());
            }
        }
        let functions = self.functions();
        for it in &functions {
            let scalar = |it: &Vec<Token>| {
                let (_, extents, typed) = formal(it).ok()?;
                typed.element.filter(|_| extents.is_none())
            };
            let formals = it.arguments.iter().map(scalar).collect();
            let signature = Signature { formals, result: it.result };
            self.signatures.insert(Token::variable(&it.name).text, signature);
        }
        self.functions = functions.into_iter().map(|it| it.name.text).collect();
        self.known.defined.extend(self.functions.iter().cloned());
    }

    /// What calls itself is called by a function of its own, which is the algorithm.
    pub(super) fn with_caller(&mut self) {
        let functions = self.functions();
        let calls = |it: &Function, name: &str| {
            let body = &self.tokens[it.body.0..it.body.1];
            body.windows(2).any(|it| it[0].is(name) && it[1].is("("))
        };
        let [.., one] = &functions[..] else { return };
        let others = &functions[..functions.len() - 1];
        let is_alone = calls(one, &one.name.text)
            && !others.iter().any(|it| calls(it, &one.name.text))
            && self.tokens[one.body.1 + 1..].iter().all(|it| it.is(";"));
        let head = (0..one.body.0)
            .rfind(|&at| self.tokens[at].is(&one.name.text) && self.tokens[at + 1].is("("));
        let Some(at) = head.filter(|_| is_alone) else { return };
        let start = self.tokens[..at].iter().rposition(|it| it.is_any(&[";", "{", "}"]));
        let start = start.map_or(0, |it| it + 1);
        let names: Option<Vec<Vec<Token>>> =
            one.arguments.iter().map(|it| Some(vec![formal(it).ok()?.0])).collect();
        let Some(names) = names else { return };
        let like = &one.name;
        let made = |text: &str| Token::made(text, like);
        let mut caller = self.tokens[start..one.body.0].to_vec();
        caller[at - start] = made(&format!("{}_of_all", like.text));
        if !self.tokens[start..at].iter().any(|it| it.is("void")) {
            caller.push(made("return"));
        }
        caller.extend([like.clone(), Token::glued("(", like)]);
        caller.extend(names.join(&made(",")));
        caller.extend([")", ";", "}"].map(made));
        self.tokens.extend(caller);
    }

    /// All functions, and statements without one.
    pub(super) fn program(&mut self) -> Result<()> {
        let functions = self.functions();
        let calls = |of: &Function, name: &str| {
            let body = &self.tokens[of.body.0..of.body.1];
            body.windows(2).any(|it| it[0].is(name) && it[1].is("("))
        };
        let is_called = |it: &Function| {
            functions.iter().any(|by| by.name.text != it.name.text && calls(by, &it.name.text))
        };
        // Statements behind all functions are the algorithm.
        let behind = functions.iter().map(|it| it.body.1 + 1).max().unwrap_or(0);
        let rest = self.tokens.get(behind..).filter(|_| !functions.is_empty()).unwrap_or_default();
        if rest.iter().any(|it| !it.is(";")) {
            return self.behind_functions(&functions, behind);
        }
        let named = |it: &&Function| !it.name.is("main") && !is_called(it);
        let Some(main) = functions.iter().rfind(named).or(functions.last()) else {
            self.is_global = true;
            let read = self.statements();
            self.is_global = false;
            return match read? {
                () if self.peek().is_none() => Ok(()),
                () => Err(unexpected(&self.place(), "a statement")),
            };
        };
        let called: Vec<&Function> = functions.iter().filter(|it| is_called(it)).collect();
        for function in functions.iter().filter(named).filter(|it| it.name.text != main.name.text) {
            let text = format!("`{}` is another algorithm: left out", function.name.text);
            self.out.hints.said.push((function.name.clone(), text));
        }
        // What stands before the first function: arrays and constants of the whole program.
        let first = functions.iter().map(|it| it.body.0).min().unwrap_or(0);
        self.is_global = true;
        while self.at < first {
            let before = self.at;
            let rest = &self.tokens[self.at..];
            let is_function =
                typed(rest).is_some_and(|it| rest.get(it.length + 1).is_some_and(|it| it.is("(")));
            if is_function || !self.declaration()? {
                break;
            }
            if self.at == before {
                break;
            }
        }
        self.is_global = false;
        self.returns = main.result;
        let main = (main.name.clone(), main.arguments.clone());
        for function in called {
            self.procedure(function)?;
        }
        self.out.hints.name = Some(main.0.clone());
        for argument in &main.1 {
            self.argument(argument)?;
        }
        self.run(&main.0)
    }

    /// A program without a main function, which calls those above it.
    fn behind_functions(&mut self, functions: &[Function], start: usize) -> Result<()> {
        let behind = self.tokens.len() - start;
        let is_called = |function: &Function| {
            let (from, to) = function.body;
            let calls = |of: &[Token]| {
                of.windows(2).any(|it| it[0].is(&function.name.text) && it[1].is("("))
            };
            // Behind its own name, and outside of it.
            let mut before = functions.iter().filter(|it| it.body.0 < from);
            calls(&self.tokens[to..]) || before.any(|it| calls(&self.tokens[it.body.0..it.body.1]))
        };
        let (called, others): (Vec<&Function>, Vec<&Function>) =
            functions.iter().partition(|it| is_called(it));
        for function in others {
            let text = format!("`{}` is not called: left out", function.name.text);
            self.out.hints.said.push((function.name.clone(), text));
        }
        for function in called {
            self.procedure(function)?;
        }
        self.at = self.tokens.len() - behind;
        self.statements()?;
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(unexpected(&self.place(), "a statement")),
        }
    }

    /// Reads the body of a function, where it stands now: statements before it may have become longer.
    fn run(&mut self, name: &Token) -> Result<()> {
        let functions = self.functions();
        let own = functions
            .iter()
            .find(|it| it.name.text == name.text && it.name.span.start == name.span.start);
        let Some((from, to)) = own.map(|it| it.body) else { return Ok(()) };
        (self.at, self.begin, self.end) = (from, from, to);
        self.statements()?;
        (self.begin, self.end) = (0, usize::MAX);
        if self.is("}") { Ok(()) } else { Err(unexpected(&self.place(), "a statement")) }
    }

    /// An argument of the algorithm.
    fn argument(&mut self, tokens: &[Token]) -> Result<()> {
        let (name, extents, typed) = formal(tokens)?;
        match extents {
            Some(extents) => {
                let hint = self.array(&name, &extents, typed.element)?;
                hint.is_argument = true;
            }
            None => {
                match typed.element {
                    Some(real @ (Type::F32 | Type::F64)) => {
                        self.known.reals.insert(name.text.clone());
                        self.out.hints.reals.push((name.text.clone(), real));
                    }
                    Some(_) => drop(self.out.hints.integers.insert(name.text.clone())),
                    None => {}
                }
                self.declare(&name.text, typed.element);
                self.wide.insert(name.text.clone());
                self.out.hints.arguments.push(name);
            }
        }
        Ok(())
    }

    /// A function that another one calls.
    fn procedure(&mut self, function: &Function) -> Result<()> {
        let outside = (self.types.clone(), self.known.naturals.clone(), self.wide.clone());
        let returns = std::mem::replace(&mut self.returns, function.result);
        let mut formals = vec![];
        for argument in &function.arguments {
            let (name, extents, typed) = formal(argument)?;
            if matches!(typed.element, Some(Type::F32 | Type::F64)) {
                self.known.reals.insert(name.text.clone());
            }
            self.declare(&name.text, typed.element);
            let rank = extents.map_or(0, |it| it.len());
            let sizes: Vec<String> =
                (0..rank).map(|at| format!("{}_extent{at}", name.text)).collect();
            formals.push(if rank == 0 {
                name.text.clone()
            } else {
                format!("{}[{}]", name.text, sizes.join(", "))
            });
        }
        let outer = std::mem::take(&mut self.out.lines);
        self.out.depth = 1;
        self.results = Some(0);
        let read = self.run(&function.name);
        (self.types, self.known.naturals, self.wide) = outside;
        self.returns = returns;
        let results = self.results.take().unwrap_or(0);
        self.out.depth = 0;
        let body = std::mem::replace(&mut self.out.lines, outer);
        read?;
        let name = Token::variable(&function.name);
        let of = if results > 0 { format!(" → {}_value", name.text) } else { String::new() };
        let head = name.with(format!("procedure {}({}){of}", name.text, formals.join(", ")));
        self.out.procedures.push(Line { depth: 0, tokens: vec![head], comments: vec![] });
        self.out.procedures.extend(body);
        Ok(())
    }
}

/// What stands in the brackets behind an array, by dimension.
type Extents = Vec<Vec<Token>>;

/// The name of an argument, and its extents, if it is an array.
fn formal(tokens: &[Token]) -> Result<(Token, Option<Extents>, Typed)> {
    let place = tokens.first().cloned();
    let wrong = || {
        place.as_ref().map_or_else(
            || Diagnostic::new(Span::default(), "an argument is missing"),
            |it| unexpected(it, "a type and a name"),
        )
    };
    let typed = typed(tokens).ok_or_else(wrong)?;
    let rest = &tokens[typed.length..];
    let (name, mut at) = match rest {
        // `float (*A)[N]`
        [open, star, name, close, ..] if open.is("(") && star.is("*") && close.is(")") => (name, 4),
        [name, ..] if is_variable(name) => (name, 1),
        _ => return Err(wrong()),
    };
    let mut extents = vec![];
    if at == 4 || typed.is_array {
        extents.push(vec![]);
    }
    while rest.get(at).is_some_and(|it| it.is("[")) {
        let close = closing(rest, at).ok_or_else(wrong)?;
        extents.push(super::declaration::extent(&rest[at + 1..close]));
        at = close + 1;
    }
    let is_array = !extents.is_empty();
    Ok((Token::variable(name), is_array.then_some(extents), typed))
}
