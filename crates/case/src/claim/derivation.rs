//! Derived bounds as text and as JSON: what `umm bounds --derive` prints.

use serde_json::{Value, json};

use super::course::{counted_in, subject};
use super::{DerivedBounds, unproved};
use memory_machine_core::language::program::Program;
use memory_machine_core::trace::AccessKind;
use memory_machine_theory::derive::claim::order;
use memory_machine_theory::derive::{Condition, Lower, Recurrence, Term, TimePart};

/// The derived bounds of a listing, phase by phase.
pub struct Derivation<'a> {
    /// The listing.
    pub program: &'a Program,
    /// What was derived of it.
    pub bounded: &'a DerivedBounds,
    /// Whether formulas are written in LaTeX.
    pub latex: bool,
}

impl Derivation<'_> {
    fn program(&self) -> &Program {
        self.bounded.derived.program(self.program)
    }

    /// As a person reads it.
    pub fn text(&self) -> String {
        let derived = &self.bounded.derived;
        let style = self.bounded.style(self.latex);
        let mut text = String::new();
        let phases = self.program().phases.iter().map(String::as_str).enumerate();
        let phases = phases.map(|(number, phase)| (Some(number), phase));
        for (number, phase) in phases.chain([(None, "all")]) {
            let of_phase = |it: &&Term| self.phase(it) == number;
            let terms: Vec<&Term> = derived.upper.iter().filter(of_phase).collect();
            if terms.is_empty() {
                continue;
            }
            text += &format!("{phase}:\n");
            for term in terms {
                let sites = self.sites(term);
                let part = self.part(term.part);
                text += &if sites.is_empty() {
                    format!("  {part}\n")
                } else {
                    format!("  {sites}: {part}\n")
                };
                for choice in &term.choices {
                    let sum = self.math(&style.pieces(&choice.pieces));
                    text += &format!("    ≤ {sum}\n      {}\n", choice.rule);
                }
            }
        }
        for it in &derived.recurrences {
            text += &format!("{}\n", recurrence(it));
        }
        for missing in &derived.missing {
            let line = self.program().source.line(missing.span);
            let shown = self.program().source.line_text(missing.span).trim();
            text += &format!("no upper bound: line {line}: {}: `{shown}`\n", missing.why);
        }
        for premise in self.bounded.premises(self.program(), true) {
            text += &format!("{}\n", unproved(&premise));
        }
        let subject = subject(self.bounded.unit);
        text += &format!("\n{subject} ≥\n");
        for lower in &derived.lower {
            let sum = self.math(&style.pieces(&lower.pieces));
            text += &format!("  {sum}\n    {}{}\n", lower.rule, self.conditions(lower));
        }
        let [upper, lower] = order(derived);
        let fixed: Vec<String> =
            self.bounded.fixed().map(|(name, value)| format!("{name} = {value}")).collect();
        let fixed =
            if fixed.is_empty() { String::new() } else { format!(" for {}", fixed.join(", ")) };
        text += "\n";
        if let Some(upper) = upper {
            text += &format!(
                "{subject} ≤ their sum, the least bound of each part = O({}){fixed}\n",
                self.math(&style.order(&upper))
            );
        }
        if let Some(lower) = lower.filter(|it| !it.is_empty()) {
            text += &format!("{subject} = Ω({}){fixed}\n", self.math(&style.order(&lower)));
        }
        text
    }

    const fn part(&self, part: TimePart) -> &'static str {
        match (self.bounded.unit, part) {
            (Some(unit), _) => counted_in(unit),
            (None, TimePart::Stages) => "stages",
            (None, TimePart::Waiting) => "waiting",
            (None, TimePart::Alone) => "time",
        }
    }

    /// The number of a part's phase, if it has one.
    fn phase(&self, term: &Term) -> Option<usize> {
        term.sites.first().map(|it| self.program().sites[it.0].phase.0 as usize)
    }

    fn math(&self, formula: &str) -> String {
        if self.latex { format!("${formula}$") } else { formula.to_owned() }
    }

    fn sites(&self, term: &Term) -> String {
        let mut names: Vec<String> = vec![];
        for site in &term.sites {
            let site = &self.program().sites[site.0];
            let text = self.program().source.at(site.span);
            let written = if site.kind == AccessKind::Write { " ←" } else { "" };
            let name = format!("{text}{written}");
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.join(", ")
    }

    fn conditions(&self, lower: &Lower) -> String {
        let style = self.bounded.style(false);
        let one = |it: &Condition| match it {
            Condition::Holds(expr, holds) => {
                let text = self.program().source.at(expr.span);
                if *holds { format!("`{text}`") } else { format!("not `{text}`") }
            }
            Condition::Divides(of) => format!("w divides {}", style.sum(of)),
        };
        let all: Vec<String> = lower.conditions.iter().map(one).collect();
        if all.is_empty() { String::new() } else { format!("; where {}", all.join(" and ")) }
    }

    /// As one JSON object.
    pub fn json(&self) -> Value {
        let derived = &self.bounded.derived;
        let style = self.bounded.style(self.latex);
        let terms = derived.upper.iter().map(|term| {
            let choices = term
                .choices
                .iter()
                .map(|it| json!({ "bound": style.pieces(&it.pieces), "rule": it.rule }));
            json!({
                "phase": self.phase(term).map(|it| &self.program().phases[it]),
                "accesses": self.sites(term),
                "part": self.part(term.part),
                "at_most": choices.collect::<Vec<_>>(),
            })
        });
        let lower = derived.lower.iter().map(|it| {
            json!({
                "bound": style.pieces(&it.pieces), "rule": it.rule,
                "where": self.conditions(it).trim_start_matches("; where "),
            })
        });
        let missing = derived
            .missing
            .iter()
            .map(|it| json!({ "line": self.program().source.line(it.span), "why": it.why }));
        let [upper, below] = order(derived).map(|it| it.map(|it| style.order(&it)));
        json!({
            "algorithm": self.program().name,
            "fixed": self.bounded.fixed().collect::<std::collections::BTreeMap<_, _>>(),
            "upper": terms.collect::<Vec<_>>(),
            "lower": lower.collect::<Vec<_>>(),
            "missing": missing.collect::<Vec<_>>(),
            "premises": self.bounded.premises(self.program(), true),
            "recursion": derived.recurrences.iter().map(recurrence).collect::<Vec<_>>(),
            "order": { "upper": upper, "lower": below },
        })
    }
}

/// How the calls of a procedure were summed up.
fn recurrence(of: &Recurrence) -> String {
    let Recurrence { procedure, size, calls, divisor, ends, is_exact } = of;
    let rounded = if *is_exact { "exactly" } else { "rounded either way" };
    format!(
        "{procedure} calls itself {calls} times, with {size}/{divisor} {rounded}, while {size} > {ends}"
    )
}
