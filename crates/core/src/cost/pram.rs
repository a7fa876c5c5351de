//! The PRAM: p processors in step. A step of accesses takes one time unit; operations take as many as
//! the thread makes that makes most between two steps of accesses (Fortune and Wyllie 1978; JáJá 1992).

use super::lanes::Lanes;
use super::{Cost, CostModel, CountedCost, CountedLoop, Event, PramVariant};
use crate::diagnostic::Diagnostic;
use crate::language::program::{Program, Site};
use crate::run::Accesses;
use crate::run::layout::Layout;
use crate::trace::AccessKind;
use crate::units::Threads;

pub(super) struct Pram<'a> {
    program: &'a Program,
    layout: &'a Layout,
    threads: Threads,
    variant: PramVariant,
    counted: CountedCost,
    /// Operations since the last step of accesses.
    lanes: Lanes,
    time: u128,
    steps: u64,
    accesses: u128,
    operations: u128,
    /// By word: the last step that accessed it, its thread and its value. Empty before the first is looked at.
    seen: Vec<(u64, u32, u64)>,
    refusal: Option<Diagnostic>,
}

impl<'a> Pram<'a> {
    pub(super) fn new(
        program: &'a Program,
        layout: &'a Layout,
        threads: Threads,
        variant: PramVariant,
        counted: CountedCost,
    ) -> Self {
        let mut lanes = Lanes::default();
        lanes.begin(1);
        Self {
            program,
            layout,
            threads,
            variant,
            counted,
            lanes,
            time: 0,
            steps: 0,
            accesses: 0,
            operations: 0,
            seen: vec![],
            refusal: None,
        }
    }

    /// Operations up to here are over.
    fn flush(&mut self) {
        self.time += u128::from(self.lanes.most());
        self.lanes.clear();
    }

    /// Whether the variant forbids something that several threads do to one word in this step.
    fn check(&mut self, accesses: &Accesses<'_>, site: &Site) {
        let is_atomic = site.atomic.is_some();
        let forbids = |same_value: bool| match (site.kind, self.variant) {
            (_, PramVariant::Erew) => true,
            _ if is_atomic => self.variant != PramVariant::Combining,
            (AccessKind::Read, _) => false,
            (_, PramVariant::Crew) => true,
            (_, PramVariant::Common) => !same_value,
            _ => false,
        };
        if !forbids(true) && !forbids(false) {
            return;
        }
        if self.seen.is_empty() {
            self.seen = vec![(0, 0, 0); self.layout.words as usize];
        }
        let (seen, step) = (&mut self.seen, self.steps);
        let mut broken = None;
        accesses.active.find(|lane| {
            let (address, value) = (accesses.addresses[lane], accesses.values[lane]);
            let (last, thread, before) = seen[address as usize];
            seen[address as usize] = (step, lane as u32, value);
            if last == step && forbids(before == value) {
                broken = Some((address, thread, lane));
            }
            broken.is_some()
        });
        if let Some((address, first, second)) = broken {
            let word = self.layout.element(self.program, site.array, address);
            self.refusal = Some(self.refuse(site, &word, (first, second)));
        }
    }

    fn refuse(&self, site: &Site, word: &str, (first, second): (u32, usize)) -> Diagnostic {
        let (verb, remedy) = match (site.kind, self.variant) {
            _ if site.atomic.is_some() => {
                ("change", "--pram combining lets atomics of several threads combine")
            }
            (AccessKind::Read, _) => ("read", "--pram crew lets several threads read a word"),
            (_, PramVariant::Common) => {
                ("write different values to", "--pram arbitrary lets one of them stay")
            }
            _ => ("write", "--pram common lets several threads write one value to a word"),
        };
        let name = match self.variant {
            PramVariant::Erew => "EREW",
            PramVariant::Crew => "CREW",
            PramVariant::Common => "common CRCW",
            PramVariant::Arbitrary => "arbitrary CRCW",
            PramVariant::Priority => "priority CRCW",
            PramVariant::Combining => "combining CRCW",
        };
        let step = self.steps;
        let message = format!(
            "the {name} PRAM forbids step {step}: threads {first} and {second} {verb} `{word}`"
        );
        Diagnostic::new(site.span, message).help(remedy)
    }
}

impl CostModel for Pram<'_> {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            // A word more of the step before.
            Event::Access(accesses, site) if site.elements().is_none() => {
                self.check(accesses, site);
            }
            Event::Access(accesses, site) => {
                self.flush();
                self.steps += 1;
                self.time += u128::from(self.counted.of_access());
                self.accesses += accesses.active.count() as u128;
                self.check(accesses, site);
            }
            Event::Operation(_, active) => {
                self.operations += active.count() as u128;
                self.lanes.add(active, self.counted.of_operation());
            }
            Event::RoundBegins { count } => {
                self.flush();
                self.lanes.begin(*count);
            }
            Event::RoundEnds => {
                self.flush();
                self.lanes.begin(1);
            }
            Event::NestBegins | Event::NestEnds => self.flush(),
            Event::Blocks(_) | Event::Dealt(_) | Event::Fork(_) => {}
        }
    }

    /// Where no two threads surely do what the variant forbids.
    fn counted(&mut self, it: &CountedLoop<'_>) -> bool {
        let [reads, writes] = it.exclusive;
        let is_allowed = match self.variant {
            PramVariant::Erew => reads && writes,
            PramVariant::Crew | PramVariant::Common => writes,
            _ => true,
        };
        if !is_allowed {
            return false;
        }
        let costs = [self.counted.of_access(), self.counted.of_operation()];
        let threads = self.threads.get();
        let even = |rounds: u128, [accesses, operations]: [u128; 2]| {
            let of_each = accesses * u128::from(costs[0]) + operations * u128::from(costs[1]);
            Some([rounds * of_each, rounds * accesses])
        };
        let found = match (it.is_nest, it.each) {
            (true, _) if it.iterations == 0 => Some([0; 2]),
            (true, Some(each)) => even(it.iterations.div_ceil(threads.into()), each),
            (true, None) => it.footprint.time_and_steps(threads, costs),
            (false, _) => even(1, [it.accesses, it.all_operations()]),
        };
        let Some([time, steps]) = found else { return false };
        let Ok(steps) = u64::try_from(steps) else { return false };
        self.flush();
        self.time += time;
        self.steps += steps;
        self.accesses += it.accesses;
        self.operations += it.all_operations();
        true
    }

    fn refusal(&mut self) -> Option<Diagnostic> {
        self.refusal.take()
    }

    fn cost(mut self: Box<Self>) -> Cost {
        self.flush();
        let done = u128::from(self.counted.of_access()) * self.accesses
            + u128::from(self.counted.of_operation()) * self.operations;
        let processors = self.threads.get();
        Cost::default()
            .with("time_units", "time", self.time)
            .with("processors", "processors p", processors)
            .with("work", "work p · time", u128::from(processors) * self.time)
            .with("done", "accesses and operations that count", done)
            .with("steps", "steps of accesses", self.steps)
            .with("accesses", "accesses", self.accesses)
            .with("operations", "operations", self.operations)
    }
}
