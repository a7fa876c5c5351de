//! The functions of a program in MATLAB, Fortran or Julia: one is the algorithm, those that it calls are
//! procedures.

use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::notation::output::Line;
use crate::notation::token::{Token, closing, position};
use crate::notation::tree::Family;

/// A function, with its head and its `end`.
struct Unit {
    name: Token,
    lines: Vec<Vec<Token>>,
}

impl Unit {
    /// What a function of Fortran gives has the function's name, which a procedure's has not.
    fn name_result(&mut self) {
        let (head, body) = self.lines.split_at_mut(1);
        let is_function = head[0].iter().any(|it| it.is_word("function"));
        if !is_function || head[0].iter().any(|it| it.is_word("result")) {
            return;
        }
        let own = self.name.with(format!("{}_it", self.name.text));
        for token in body.iter_mut().flatten().filter(|it| it.is(&self.name.text)) {
            token.text.clone_from(&own.text);
        }
        let made = |text: &str| own.with(text);
        head[0].extend([made("result"), made("("), own.clone(), made(")")]);
    }
}

/// Where the head of a function has `function` or `subroutine`.
fn head(line: &[Token]) -> Option<usize> {
    let at = position(line, &["function", "subroutine"]).filter(|at| *at <= 3)?;
    let is_head = !line[0].text.to_ascii_lowercase().starts_with("end")
        && line.get(at + 1).is_some_and(|it| it.is_name() || it.is("["))
        && line[..at]
            .iter()
            .all(|it| it.is_name() || it.is_number() || it.is_any(&["(", ")", "*"]));
    is_head.then_some(at)
}

fn is_end(line: &[Token]) -> bool {
    let first = line[0].text.to_ascii_lowercase();
    first.starts_with("end") && !line.get(1).is_some_and(|it| it.is_any(&["=", "("]))
}

impl Reader {
    /// Whether a line opens a block that an `end` closes.
    pub(super) fn opens(&self, line: &[Token]) -> bool {
        let first = &line[0];
        let opens = match first.text.to_ascii_lowercase().as_str() {
            "if" if self.is_fortran => line.last().is_some_and(|it| it.is_word("then")),
            "for" | "parfor" | "while" | "if" | "do" | "switch" | "select" | "begin" | "let" => {
                true
            }
            first => first.starts_with('@') && line.iter().any(|it| it.is("for")),
        };
        opens && !line[1..].last().is_some_and(|it| it.is("end"))
    }

    /// The functions of the program, and what stands outside of them.
    fn units(&mut self) -> (Vec<Unit>, Vec<Vec<Token>>) {
        let (mut units, mut outside): (Vec<Unit>, Vec<Vec<Token>>) = (vec![], vec![]);
        let mut depth = 0_usize;
        for line in std::mem::take(&mut self.lines) {
            if let Some(at) = head(&line).filter(|_| depth <= 1) {
                let behind = position(&line[at..], &["="]).map_or(at + 1, |it| at + it + 1);
                units.push(Unit {
                    name: line[behind.min(line.len() - 1)].clone(),
                    lines: vec![line],
                });
                depth = 1;
                continue;
            }
            // `f(x) = x^2` of Julia.
            if depth == 0
                && let Some(unit) = short(&line).filter(|_| self.known.family == Family::Julia)
            {
                units.push(unit);
                continue;
            }
            match units.last_mut().filter(|_| depth > 0) {
                None => outside.push(line),
                Some(unit) => {
                    depth += usize::from(self.opens(&line));
                    depth -= usize::from(is_end(&line));
                    unit.lines.push(line);
                }
            }
        }
        (units, outside)
    }

    /// Reads all functions: what is called by others as procedures.
    pub(super) fn program(&mut self) -> Result<()> {
        self.lines.retain(|it| {
            let first = &it[0];
            let closes = it.get(1).is_some_and(|it| it.is_word("module"));
            !(first.is_word("contains") && it.len() == 1
                || first.is_word("module")
                || first.is_word("endmodule")
                || first.is_word("end") && closes)
        });
        let all = self.lines.clone();
        let (mut units, outside) = self.units();
        with_caller(&mut units, &outside);
        let is_program = |it: &Vec<Token>| {
            !is_end(it)
                && !it[0].is_any(&["use", "implicit", "using", "import", "clear", "clc", "const"])
        };
        let has_program = outside.iter().any(is_program);
        if units.len() < usize::from(!has_program) + 1 {
            self.lines = all;
            return self.statements();
        }
        let calls = |lines: &[Vec<Token>], name: &str| {
            let pairs = lines.iter().flat_map(|it| it.windows(2));
            let is_call = |it: &&[Token]| it[0].is(name) && (it[1].is("("));
            pairs.filter(is_call).count() > 0
                || lines
                    .iter()
                    .any(|it| it[0].is_word("call") && it.get(1).is_some_and(|it| it.is(name)))
        };
        let is_called = |unit: &Unit| {
            let name = &unit.name.text;
            calls(&outside, name)
                || units.iter().any(|by| !by.name.is(name) && calls(&by.lines[1..], name))
        };
        for unit in &units {
            self.known.arrays.remove(&unit.name.text);
            self.known.defined.insert(unit.name.text.clone());
        }
        let called: Vec<bool> = units.iter().map(is_called).collect();
        let main = match has_program {
            true => None,
            false => called.iter().position(|it| !it).or(Some(0)),
        };
        let mut main_lines = outside;
        for (at, unit) in units.into_iter().enumerate() {
            if Some(at) == main {
                main_lines = unit.lines;
            } else if called[at] {
                self.procedure(unit)?;
            } else {
                let text = format!("`{}` is another algorithm: left out", unit.name.text);
                self.out.hints.said.push((unit.name, text));
            }
        }
        (self.lines, self.at) = (main_lines, 0);
        self.statements()
    }

    /// A function that another one calls.
    fn procedure(&mut self, mut unit: Unit) -> Result<()> {
        if self.is_fortran {
            unit.name_result();
        }
        let outer = std::mem::take(&mut self.out.lines);
        let given = std::mem::take(&mut self.scalars);
        (self.lines, self.at) = (unit.lines, 0);
        (self.results, self.arguments) = (vec![], vec![]);
        (self.out.depth, self.procedure) = (1, Some(0));
        self.statements()?;
        self.out.depth = 1;
        let given_back = std::mem::replace(&mut self.scalars, given).given_back;
        if let Some(name) = given_back.first() {
            return Err(Diagnostic::new(
                name.span,
                "a procedure that gives a scalar back by its argument",
            )
            .help("make it a function that returns it"));
        }
        let results = std::mem::take(&mut self.results);
        if !results.is_empty() {
            self.give(&unit.name, &results, true)?;
        }
        self.open.clear();
        let count = self.procedure.take().unwrap_or(0);
        let name = Token::variable(&unit.name);
        self.out.depth = 0;
        let body = std::mem::replace(&mut self.out.lines, outer);
        let formals: Vec<String> = std::mem::take(&mut self.arguments)
            .iter()
            .map(|it| {
                let variable = Token::variable(it).text;
                if !self.known.arrays.contains(&it.text) {
                    return variable;
                }
                let sizes: Vec<String> =
                    (0..self.rank_of(it)).map(|at| format!("1 .. {variable}_extent{at}")).collect();
                format!("{variable}[{}]", sizes.join(", "))
            })
            .collect();
        let values: Vec<String> = (0..count).map(|at| format!("{}_value{at}", name.text)).collect();
        let of = if count > 0 { format!(" → {}", values.join(", ")) } else { String::new() };
        let head = name.with(format!("procedure {}({}){of}", name.text, formals.join(", ")));
        self.out.procedures.push(Line { depth: 0, tokens: vec![head], comments: vec![] });
        self.out.procedures.extend(body);
        self.out.hints.name = None;
        Ok(())
    }
}

/// What calls itself is called by a function of its own, which is the algorithm.
fn with_caller(units: &mut Vec<Unit>, outside: &[Vec<Token>]) {
    let Some(one) = units.last() else { return };
    let name = one.name.clone();
    let calls = |it: &[Vec<Token>]| {
        it.iter().any(|it| it.windows(2).any(|it| it[0].is(&name.text) && it[1].is("(")))
    };
    let others = &units[..units.len() - 1];
    if !calls(&one.lines[1..])
        || outside.iter().any(|it| !is_end(it))
        || others.iter().any(|it| calls(&it.lines))
    {
        return;
    }
    let head = &one.lines[0];
    let Some(at) = head.iter().position(|it| it.is(&name.text)) else { return };
    let Some(close) = closing(head, at + 1) else { return };
    let own = name.with(format!("{}_of_all", name.text));
    let given = own.with(format!("{}_it", own.text));
    let made = |text: &str| Token::glued(text, &name);
    let word = |text: &str| Token { blank: String::new(), ..name.with(text) };
    let equal = || Token::made("=", &name);
    let (begin, call) = match head.iter().any(|it| it.is_word("subroutine")) {
        true => (vec![word("subroutine"), own.clone()], vec![word("call"), name.clone()]),
        false => (
            vec![word("function"), given.clone(), equal(), own.clone()],
            vec![given, equal(), name.clone()],
        ),
    };
    let (begin, call) =
        ([begin, head[at + 1..=close].to_vec()], [call, head[at + 1..=close].to_vec()]);
    let lines = vec![begin.concat(), call.concat(), vec![made("end")]];
    // What its arguments are is said where they are declared.
    let is_declared = |it: &&Vec<Token>| it.iter().any(|it| it.is("::"));
    let declared: Vec<Vec<Token>> = one.lines.iter().filter(is_declared).cloned().collect();
    let mut lines = lines;
    lines.splice(1..1, declared);
    let arguments: Vec<Token> =
        head[at + 1..close].iter().filter(|it| it.is_name()).cloned().collect();
    let unit = units.len() - 1;
    for token in units[unit].lines.iter_mut().flatten() {
        if arguments.iter().any(|it| it.is(&token.text)) {
            token.text = format!("{}_of_{}", token.text, name.text);
        }
    }
    units.push(Unit { name: own, lines });
}

/// `f(x) = x^2` of Julia.
fn short(line: &[Token]) -> Option<Unit> {
    let equal = position(line, &["="])?;
    let [name, open, inside @ .., close] = &line[..equal] else { return None };
    let are_names = !inside.is_empty() && inside.iter().all(|it| it.is_name() || it.is(","));
    let is_read = inside
        .iter()
        .filter(|it| it.is_name())
        .all(|it| line[equal..].iter().any(|of| of.is(&it.text)));
    if !name.is_name()
        || !open.is("(")
        || !close.is(")")
        || !are_names
        || !is_read
        || !open.blank.is_empty()
    {
        return None;
    }
    let word = Token { blank: String::new(), ..name.with("function") };
    let head = [&[word], &line[..equal]].concat();
    let value = [&[name.with("return")], &line[equal + 1..]].concat();
    Some(Unit { name: name.clone(), lines: vec![head, value, vec![name.with("end")]] })
}
