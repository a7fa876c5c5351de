//! Scalars into which all iterations of a parallel loop are combined: each iteration has a cell of its own, and
//! these are combined in pairs.

use super::output::{Output, words};
use super::token::{Token, text};
use crate::diagnostic::Diagnostic;

/// A scalar, and the operator that combines it.
#[derive(Debug, Clone)]
pub(super) struct Reduction {
    pub(super) name: String,
    pub(super) op: String,
}

/// The loop over which scalars are combined: its variable, and from where to where it goes.
#[derive(Debug, Clone)]
pub(super) struct Iterations {
    variable: String,
    from: String,
    to: String,
}

impl Iterations {
    /// Of the head of a loop in the plain form.
    ///
    /// # Errors
    /// A loop that goes down, or in steps.
    pub(super) fn of_head(word: &Token, head: &[Token]) -> Result<Self, Diagnostic> {
        let at = |word: &str| head.iter().position(|it| it.is(word));
        let (Some(arrow), Some(to), Some(last)) = (at("←"), at("to"), at("do")) else {
            return Err(Diagnostic::new(word.span, "a reduction over a loop that goes down")
                .help("let it go up"));
        };
        if at("step").is_some() {
            return Err(Diagnostic::new(word.span, "a reduction over a loop in steps")
                .help("let it go up by 1"));
        }
        let variable = head[1].text.clone();
        Ok(Self { variable, from: text(&head[arrow + 1..to]), to: text(&head[to + 1..last]) })
    }
}

impl Reduction {
    /// What an iteration has of the scalar.
    pub(super) fn part(&self) -> String {
        format!("{}_part", self.name)
    }

    fn terms(&self) -> String {
        format!("{}_terms", self.name)
    }

    fn combined(&self, left: &str, right: &str) -> String {
        match self.op.as_str() {
            "+" | "-" => format!("{left} + {right}"),
            "*" => format!("{left} × {right}"),
            "min" | "max" => format!("{}({left}, {right})", self.op),
            "&&" | ".and." => format!("{left} and {right}"),
            "||" | ".or." => format!("{left} or {right}"),
            "^" | "ieor" => format!("{left} xor {right}"),
            "|" | "ior" => format!("{left} | {right}"),
            _ => format!("{left} & {right}"),
        }
    }

    /// What the part of an iteration begins with.
    pub(super) fn begin(&self) -> String {
        let identity = match self.op.as_str() {
            "+" | "-" | "^" | "|" | "ieor" | "ior" => "0",
            "*" => "1",
            "&&" | ".and." => "true",
            "||" | ".or." => "false",
            "&" | "iand" => "-1",
            _ => &self.name,
        };
        format!("{} ← {identity}", self.part())
    }

    /// The last line of an iteration.
    pub(super) fn end(&self, of: &Iterations) -> String {
        let index = match of.from.as_str() {
            "0" => of.variable.clone(),
            from => format!("{} - ({from})", of.variable),
        };
        format!("{}[{index}] ← {}", self.terms(), self.part())
    }

    /// The lines behind the loop.
    pub(super) fn combine(&self, word: &Token, of: &Iterations, out: &mut Output) {
        let Iterations { from, to, .. } = of;
        let count = if from == "0" { format!("{to} + 1") } else { format!("{to} - ({from}) + 1") };
        let own = |of: &str| format!("{}_{of}", self.name);
        let (height, half, at, terms) = (own("height"), own("half"), own("at"), self.terms());
        out.make([&height, &half, &at, &self.part()]);
        let pair = self.combined(&format!("{terms}[{at}]"), &format!("{terms}[{at} + {half}]"));
        let all = self.combined(&self.name, &format!("{terms}[0]"));
        for (text, deeper) in [
            (format!("{height} ← {count}"), 0),
            (format!("while {height} > 1 do"), 0),
            (format!("{half} ← ({height} + 1) / 2"), 1),
            (format!("for {at} ← 0 to {height} - {half} - 1 do in parallel"), 1),
            (format!("{terms}[{at}] ← {pair}"), 2),
            (format!("{height} ← {half}"), 1),
            (format!("if {to} ≥ {from} then"), 0),
            (format!("{} ← {all}", self.name), 1),
        ] {
            out.depth += deeper;
            out.line(words(word, &text, &[]));
            out.depth -= deeper;
        }
        let hint = out.hints.array(&word.with(terms.clone()));
        hint.is_new = true;
        hint.extents = vec![Some(count)];
        let text = format!(
            "a reduction: each iteration has a cell of `{terms}`, which are combined in pairs"
        );
        out.hints.said.push((word.clone(), text));
    }
}
