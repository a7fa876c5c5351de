//! A window of a run's steps.

use std::cell::RefCell;

use memory_machine::language::program::Program;
use memory_machine::machine::{Machine, WarpAccess};
use memory_machine::run::layout::Layout;
use memory_machine::run::memory;
use memory_machine::steps::{StepRecorder, Steps};
use memory_machine::trace::{AccessKind, Space};
use memory_machine::units::TimeUnits;
use serde_json::{Value, json};

use crate::case::{Place, Wording, Wrong};

/// Requests that are kept at a time, and that are executed before them.
const MOST_KEPT: u64 = 1 << 20;
const PATIENCE: u64 = 1 << 27;

/// What the last question was about.
struct Recorded {
    wording: Wording,
    program: std::sync::Arc<Program>,
    layout: Layout,
    steps: Steps,
    /// When each access by a warp enters, from the start of the steps, in order.
    entries: Vec<u128>,
    /// From its start.
    length: u128,
}

impl Recorded {
    fn holds(&self, wording: &Wording, from: u128) -> bool {
        let (start, end) = (self.steps.start.0, self.steps.start.0 + self.length);
        self.wording == *wording && from >= start && (self.steps.is_to_the_end || from < end)
    }

    fn new(wording: &Wording, from: u128) -> Result<Self, Wrong> {
        let case = wording.case()?;
        let layout = case.layout()?;
        let mut memory = case.memory(&layout)?;
        let before = memory.clone();
        let program = case.program.clone();
        let mut recorder = StepRecorder::new(
            (&program, &layout, &before),
            (case.machine, case.mode, case.threads),
            TimeUnits(from),
            [MOST_KEPT, PATIENCE],
        );
        let run = case.execute(&layout, &mut memory, &mut recorder);
        let steps = recorder.finish();
        if steps.is_to_the_end {
            run?;
        }
        let entries = RefCell::new(vec![]);
        let length = steps
            .pipeline(|it, _, _| {
                entries.borrow_mut().push(it.start.0);
                false
            })
            .time
            .0;
        let mut entries = entries.into_inner();
        entries.sort_unstable();
        if from > steps.start.0 + length && !steps.is_to_the_end {
            return Err(Wrong::message(format!(
                "time unit {from} lies too far in: a page executes {PATIENCE} requests at most before \
                 the steps it shows; choose smaller sizes, or an earlier time unit"
            )));
        }
        Ok(Self { wording: wording.clone(), program, layout, steps, entries, length })
    }
}

thread_local! {
    static LAST: RefCell<Option<Recorded>> = const { RefCell::new(None) };
}

/// The accesses that are under way in time units `from .. to`, counted from 0.
pub fn window(wording: &Wording, from: u64, to: u64) -> Result<Value, Wrong> {
    LAST.with(|last| {
        let mut last = last.borrow_mut();
        let from = u128::from(from);
        let kept = match last.take().filter(|it| it.holds(wording, from)) {
            Some(it) => it,
            None => Recorded::new(wording, from)?,
        };
        let answer = kept.answer(from, to.into());
        *last = Some(kept);
        Ok(answer)
    })
}

impl Recorded {
    fn answer(&self, from: u128, to: u128) -> Value {
        let (steps, program, layout) = (&self.steps, &*self.program, &self.layout);
        let begin = steps.start.0;
        let (first, last) = (from.saturating_sub(begin), to.saturating_sub(begin));
        let shown = steps.pipeline(|it, _, _| {
            it.start.0 < last && {
                let latency = self.latency(it.block.map_or(Space::Global, |it| it.space));
                it.start.0 + u128::from(it.stages) - 1 + latency > first
            }
        });
        let accesses = shown.accesses.iter();
        let accesses: Vec<Value> =
            accesses.map(|it| access(steps, program, layout, begin, it)).collect();
        let before = self.entries.partition_point(|&it| it < first);
        let after = self.entries.partition_point(|&it| it < last);
        let entry = |at: Option<&u128>| at.map(|it| (begin + it) as u64);
        let arrays = program.arrays.iter().zip(&layout.regions).filter(|it| !it.0.role.is_local());
        let arrays = arrays.map(|(array, region)| {
            // Cells with a layout lie in no order that a table has: it is one row of words.
            let extents = match region.order.is_plain() {
                true => region.extents.clone(),
                false => vec![region.words],
            };
            json!({
                "name": array.name, "base": region.base.0, "extents": extents,
                "cells": region.words, "copies": layout.bulk.map_or(1, |it| it.inputs),
            })
        });
        let words = steps.memory(TimeUnits(first)).map(|words| self.texts(&words));
        json!({
            "from": (begin + first) as u64, "to": (begin + last) as u64,
            "kept": [begin as u64, (begin + self.length) as u64],
            "complete": steps.is_to_the_end,
            "accesses": accesses,
            "before": before.checked_sub(1).and_then(|it| entry(self.entries.get(it))),
            "after": entry(self.entries.get(after)),
            "arrays": arrays.collect::<Vec<_>>(),
            "words": words,
        })
    }

    fn latency(&self, space: Space) -> u128 {
        let machine = self.steps.machine();
        match (space, machine.kind.dmms()) {
            (Space::Shared, Some(dmms)) => dmms.latency.get().into(),
            _ => machine.latency.get().into(),
        }
    }

    /// The words as the listing's types have them.
    fn texts(&self, words: &[Option<u64>]) -> Vec<Option<String>> {
        let mut texts = vec![None; words.len()];
        let arrays = self.program.arrays.iter().zip(&self.layout.regions);
        for (array, region) in arrays.filter(|it| !it.0.role.is_local()) {
            let copies = self.layout.bulk.map_or(1, |it| it.inputs);
            let first = region.base.0 as usize;
            for at in first..first + (region.words * copies) as usize {
                texts[at] = words[at].map(|bits| memory::text(array.element, bits));
            }
        }
        texts
    }
}

fn access(
    steps: &Steps,
    program: &Program,
    layout: &Layout,
    begin: u128,
    access: &WarpAccess,
) -> Value {
    let site = &program.sites[steps.site(access).0];
    let source = &program.source;
    let place = Place::of(&source.text, site.span.start, site.span.end);
    let stages: Vec<Value> =
        access.stages.iter().map(|stage| destination(program, access.memory, stage)).collect();
    let requests = steps.requests(program, layout, access).map(|it| {
        json!({ "thread": it.thread, "address": it.address.0, "element": it.element, "value": it.value })
    });
    json!({
        "step": steps.before + access.step,
        "warp": access.warp,
        "block": access.block.map(|it| it.at.block),
        "dmm": access.dmm(),
        "start": (begin + access.start.0) as u64,
        "latency": access.memory.latency.get(),
        "kind": if access.kind == AccessKind::Write { "write" } else { "read" },
        "phase": program.phases[site.phase.0 as usize],
        "array": program.arrays[site.array.0].name,
        "text": code(source.line_text(site.span)),
        "place": place,
        "stages": stages,
        "requests": requests.collect::<Vec<_>>(),
    })
}

/// The address group, or the banks, of one stage, and its addresses.
fn destination(
    program: &Program,
    memory: Machine,
    stage: &[memory_machine::units::Address],
) -> Value {
    let is_array = |name: &str| program.array_named(name).is_some();
    let (letter, places) = memory.kind.destinations(stage, memory.width, is_array);
    json!({
        "letter": letter,
        "places": places.iter().map(|it| it.0).collect::<Vec<_>>(),
        "addresses": stage.iter().map(|it| it.0).collect::<Vec<_>>(),
    })
}

/// A line without its comment.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or(line).trim_end()
}
