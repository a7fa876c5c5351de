//! Words between a fast memory and a slow one: what any order of a listing's operations moves, and what the
//! listing's own order does.

use std::collections::{BTreeSet, HashMap};

use num_traits::ToPrimitive;
use serde_json::{Value, json};

use super::{Case, CaseError};
use memory_machine_core::language::program::Program;
use memory_machine_core::language::syntax::Role;
use memory_machine_core::run::layout::Layout;
use memory_machine_core::trace::{AccessKind, Phase, Piece, Sink, Step};
use memory_machine_core::units::Threads;
use memory_machine_theory::derive::show::FormulaStyle;
use memory_machine_theory::io::{IoBounds, io_bounds};

/// More accesses than this are not replayed: it takes a few seconds and 1 GB.
const MOST_ACCESSES: usize = 40_000_000;

/// Bounds of a listing, with what they are for given sizes.
pub struct IoReport<'a> {
    /// The listing.
    pub program: &'a Program,
    /// For all sizes.
    pub bounds: IoBounds,
    /// S and what is moved for it, at least and by the listing's order, where sizes are given.
    pub numbers: Option<IoNumbers>,
    /// Whether formulas are written in LaTeX.
    pub latex: bool,
}

/// Words that are moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IoNumbers {
    /// S.
    pub fast: u64,
    /// The sizes.
    pub sizes: String,
    /// By any order, at least.
    pub lower: u64,
    /// By the listing's order; or why there is none.
    pub upper: Result<u64, String>,
}

impl Case {
    /// Lower bounds of the words that any order of the operations moves.
    pub fn io_bounds(&self) -> IoBounds {
        io_bounds(&self.program)
    }

    /// Both bounds for sizes.
    ///
    /// # Errors
    /// As [`Self::layout`], and sizes below 1, for which formulas need not hold.
    pub fn io_numbers(&self, bounds: &IoBounds, fast: u64) -> Result<IoNumbers, CaseError> {
        let layout = self.layout()?;
        let names = self.program.parameters.iter().zip(&layout.parameters);
        if let Some((it, value)) = names.into_iter().find(|it| *it.1 < 1) {
            return Err(CaseError::Given(format!(
                "--set {}={value}: bounds of words hold for sizes of 1 and more",
                it.name
            )));
        }
        let lower = bounds.lower_at(&layout.parameters, fast).to_u64().unwrap_or(u64::MAX);
        let upper = self.io_upper(bounds, &layout, fast);
        Ok(IoNumbers { fast, sizes: self.sizes(&layout), lower, upper })
    }

    /// Words that the listing's order moves if what is needed last leaves the fast memory first (Belady
    /// 1966). Scalars, and what a statement reads, have fast words of their own.
    fn io_upper(&self, bounds: &IoBounds, layout: &Layout, fast: u64) -> Result<u64, String> {
        if self.program.first_loop_on_dmms().is_some() {
            return Err("loops on DMMs are not replayed in one order".to_owned());
        }
        let reserved = bounds.registers + layout.registers;
        let words = fast.checked_sub(reserved).filter(|it| *it > 0).ok_or_else(|| {
            format!("scalars and what a statement reads take {reserved} fast words: S must be more")
        })?;
        let alone = Self { threads: Threads::ONE, bulk: None, ..self.clone() };
        let recorder = alone.trace(Recorder::default()).map_err(|it| it.to_string())?;
        if recorder.is_full {
            return Err(format!("it makes more than {MOST_ACCESSES} accesses"));
        }
        let arrays = self.program.arrays.iter().zip(&layout.regions);
        let results = arrays.filter(|it| matches!(it.0.role, Role::Output | Role::Inout));
        let results: Vec<_> = results.map(|(_, it)| it.base.0..it.base.0 + it.words).collect();
        let is_result = |address: u64| results.iter().any(|it| it.contains(&address));
        Ok(moved(&recorder.accesses, words as usize, is_result))
    }
}

/// All accesses, one after another.
#[derive(Default)]
struct Recorder {
    accesses: Vec<(u64, AccessKind)>,
    is_full: bool,
}

impl Sink for Recorder {
    fn step(&mut self, _: Phase, step: &Step) {
        for piece in &step.pieces {
            let Piece::Run(run) = piece else { continue };
            if self.accesses.len() >= MOST_ACCESSES {
                self.is_full = true;
                return;
            }
            self.accesses.extend((0..run.count).map(|it| (run.at(it).0, step.kind)));
        }
    }

    fn barrier(&mut self) {}
}

/// Words in and out: a value that is read no more leaves without being stored, unless it is a result.
fn moved(accesses: &[(u64, AccessKind)], words: usize, is_result: impl Fn(u64) -> bool) -> u64 {
    const NEVER: usize = usize::MAX;
    // When the value that is there after an access is read next.
    let mut next = vec![NEVER; accesses.len()];
    let mut last: HashMap<u64, usize> = HashMap::new();
    // Whether nothing else is written there later.
    let mut is_last = vec![false; accesses.len()];
    let mut written: BTreeSet<u64> = BTreeSet::new();
    for (at, (address, kind)) in accesses.iter().enumerate().rev() {
        if let Some(later) = last.insert(*address, at)
            && accesses[later].1 == AccessKind::Read
        {
            next[at] = later;
        }
        is_last[at] = !written.contains(address);
        if *kind == AccessKind::Write {
            written.insert(*address);
        }
    }
    let mut moves = 0;
    // By cell: when it is read next, and whether it must be stored before it leaves.
    let mut cells: HashMap<u64, (usize, bool)> = HashMap::new();
    let mut order: BTreeSet<(usize, u64)> = BTreeSet::new();
    for (at, (address, kind)) in accesses.iter().enumerate() {
        let known = cells.remove(address);
        if let Some((when, _)) = known {
            order.remove(&(when, *address));
        }
        let is_dirty = match kind {
            AccessKind::Read => {
                moves += u64::from(known.is_none());
                known.is_some_and(|it| it.1)
            }
            AccessKind::Write => true,
        };
        if cells.len() == words
            && let Some((when, leaving)) = order.pop_last()
            && let Some((_, is_dirty)) = cells.remove(&leaving)
        {
            moves += u64::from(is_dirty && (when != NEVER || is_result(leaving)));
        }
        // A result that is overwritten is none yet.
        let is_dirty = is_dirty && (next[at] != NEVER || is_last[at]);
        cells.insert(*address, (next[at], is_dirty));
        order.insert((next[at], *address));
    }
    moves + cells.iter().filter(|(address, it)| it.1 && is_result(**address)).count() as u64
}

impl IoReport<'_> {
    fn style<'a>(&self, names: &'a [String], exponents: &'a [bool]) -> FormulaStyle<'a> {
        FormulaStyle { names, exponents, unit: None, latex: self.latex }
    }

    fn names(&self) -> (Vec<String>, Vec<bool>) {
        let parameters = &self.program.parameters;
        (parameters.iter().map(|it| it.name.clone()).collect(), vec![false; parameters.len()])
    }

    /// As a person reads it.
    pub fn text(&self) -> String {
        let (names, exponents) = self.names();
        let style = self.style(&names, &exponents);
        let math = |it: &str| if self.latex { format!("${it}$") } else { it.to_owned() };
        let formulas = self.bounds.formulas(&style);
        let mut text =
            "words between a fast memory of S words and a slow one, in any order ≥\n".to_owned();
        if formulas.is_empty() {
            text += "  0: no bound is found. Statements count in `for` loops with step 1 whose bounds \
                     and\n  indices are sums of sizes and loop variables; others are left out\n";
        }
        for (formula, rule) in formulas {
            text += &format!("  {}\n    {rule}\n", math(&formula));
        }
        for share in self.bounds.pieces.iter().flat_map(|it| &it.shares) {
            let line = self.program.source.line(share.span);
            let shown = self.program.source.line_text(share.span).trim();
            text += &format!("    line {line}: {shown}\n");
        }
        text += "a UMM of width w takes 1/w of it in time units, S being the registers of all threads;\n\
                 an HMM, S being these and the shared memories\n";
        let Some(numbers) = &self.numbers else { return text };
        let IoNumbers { fast, sizes, lower, upper } = numbers;
        text += &format!("\n{sizes}  S = {fast}\n  any order moves ≥ {lower} words\n");
        text += &match upper {
            Ok(upper) if *lower == 0 => format!("  this order moves {upper} at most\n"),
            Ok(upper) => {
                let ratio = *upper as f64 / *lower as f64;
                format!("  this order moves {upper} at most, {ratio:.2} times as many\n")
            }
            Err(why) => format!("  this order: {why}\n"),
        };
        text
    }

    /// As `umm bounds --io --json` prints it.
    pub fn json(&self) -> Value {
        let (names, exponents) = self.names();
        let style = self.style(&names, &exponents);
        let formulas: Vec<Value> = self
            .bounds
            .formulas(&style)
            .into_iter()
            .map(|(formula, rule)| json!({ "formula": formula, "rule": rule }))
            .collect();
        let pieces = self.bounds.pieces.iter().map(|it| {
            let lines = it.shares.iter().map(|it| self.program.source.line(it.span));
            json!({
                "leading": it.leading(&style),
                "rule": it.rule,
                "lines": lines.collect::<Vec<_>>(),
            })
        });
        let numbers = self.numbers.as_ref();
        json!({
            "algorithm": self.program.name,
            "formulas": formulas,
            "pieces": pieces.collect::<Vec<_>>(),
            "fast": numbers.map(|it| it.fast),
            "set": numbers.map(|it| &it.sizes),
            "io_lower": numbers.map(|it| it.lower),
            "io_upper": numbers.and_then(|it| it.upper.as_ref().ok()),
            "why": numbers.and_then(|it| it.upper.as_ref().err()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_last_leaves_first() {
        let read = |it| (it, AccessKind::Read);
        let write = |it| (it, AccessKind::Write);
        let none = |_| false;
        assert_eq!(moved(&[read(0), read(1), read(0), read(1)], 2, none), 2);
        // 0, 1, 2 in two words: one of them comes twice.
        assert_eq!(moved(&[read(0), read(1), read(2), read(0), read(1)], 2, none), 4);
        // A value that is read again is stored and loaded, one that is not is dropped.
        let all = [write(5), read(0), read(1), read(0), read(1), read(5)];
        assert_eq!(moved(&all, 2, none), 4);
        assert_eq!(moved(&all[..5], 2, none), 2);
        assert_eq!(moved(&all[..5], 2, |it| it == 5), 3);
        assert_eq!(moved(&[write(5), write(5)], 1, |it| it == 5), 1);
        // What is about to be overwritten need not be stored.
        let all = [read(5), read(0), write(5), read(5), read(0), write(5)];
        assert_eq!(moved(&all, 1, |it| it == 5), 4);
    }
}
