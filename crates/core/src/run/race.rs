//! Races between iterations of parallel loops, found while a program runs with any number of
//! threads: cheaper than [`super::pram`], which has one thread an iteration and names both sides.
//! Loops on DMMs have threads of their own, so that they are left to it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use super::flow::Flow;
use super::layout::Layout;
use super::observer::{Accesses, BlocksEvent, Observer};
use super::pram::{Pram, Race, RacingAccess};
use crate::language::program::{ArrayId, Block, Nest, Program, SiteId};
use crate::language::walk::nests;
use crate::trace::AccessKind;

/// Words that are watched, in 32 MiB: of a run with more, the first ones of the first arrays.
pub const MOST_WATCHED: u64 = 1 << 22;

/// Accesses of one place in the listing that are watched: a race shows soon, and the run must not
/// become slow.
pub const MOST_ACCESSES: u64 = 1 << 18;

/// Accesses in loops on DMMs and in calls in parallel that are watched, all places together, in some 60 MB.
pub const MOST_IN_BLOCKS: u64 = 1 << 20;

/// An access to a word that another iteration of the same loop accessed in another step, where one
/// of the two writes: what it reads or leaves depends on the number of threads. Of blocks, whatever
/// their steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RaceAccess {
    /// The array reference of the later access.
    pub site: SiteId,
    /// The word that both access.
    pub address: u64,
    /// Whose accesses they are.
    pub between: Between,
}

/// Who races.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Between {
    /// Iterations of a parallel loop.
    Iterations,
    /// Iterations of a parallel loop in a block.
    IterationsOfBlock,
    /// Blocks of a loop on DMMs.
    Blocks,
    /// Calls in parallel.
    Calls,
}

impl Between {
    /// What results depend on.
    pub const fn decided_by(self) -> &'static str {
        match self {
            Self::Iterations => "p",
            Self::IterationsOfBlock => "the threads of a block",
            Self::Blocks => "which block goes first",
            Self::Calls => "which call goes first",
        }
    }
}

impl RaceAccess {
    /// As in ``line 7 reads `a[0]`, which another iteration writes``.
    pub fn describe(&self, program: &Program, layout: &Layout) -> String {
        let site = &program.sites[self.site.0];
        let line = program.source.line(site.span);
        let element = self.element(program, layout);
        let other = match self.between {
            Between::Iterations => "another iteration",
            Between::IterationsOfBlock => "another iteration of its block",
            Between::Blocks => "another block",
            Between::Calls => "a call in parallel",
        };
        match site.kind {
            AccessKind::Read => format!("line {line} reads {element}, which {other} writes"),
            AccessKind::Write => {
                format!("line {line} writes {element}, which {other} reads or writes")
            }
        }
    }

    /// The word, as in `a[0]`.
    pub fn element(&self, program: &Program, layout: &Layout) -> String {
        layout.element(program, program.sites[self.site.0].array, self.address)
    }

    /// The access beside the write that it races with.
    fn of_pram(race: &Race) -> Self {
        let [_, RacingAccess { site, iteration }] = &race.accesses;
        let between = match iteration.len() {
            0 => Between::Calls,
            1 => Between::Blocks,
            _ => Between::IterationsOfBlock,
        };
        Self { site: *site, address: race.address, between }
    }
}

/// Watches the arrays that a nest might race on: those that it writes and accesses again, in the
/// text or in a loop. Takes 8 bytes for each of their words, up to [`MOST_WATCHED`], and `O(1)` for
/// each of their accesses, up to [`MOST_ACCESSES`] a place in the listing; and loops on DMMs, up to
/// [`MOST_IN_BLOCKS`] accesses.
///
/// Of what is watched it finds a race if there is one, but for steps of a nest that agree in 16
/// bits by chance, and iterations 2³² apart; what it finds is a race.
pub struct Races<'a> {
    program: &'a Program,
    /// By array: its first address, and its place in `words`.
    places: HashMap<ArrayId, (u64, Range<usize>)>,
    /// By site, the accesses that are still to be watched.
    left: Vec<u64>,
    /// Whether something that might race is not watched.
    is_partial: bool,
    words: Vec<WordUse>,
    /// Tells the words that the present nest has accessed.
    nest: u64,
    /// The first iteration of the present round, and how many it has.
    round: (u64, u64),
    races: BTreeMap<SiteId, RaceAccess>,
    /// Loops on DMMs and calls in parallel, and how many of their accesses are still to be watched.
    blocks: Pram<'a>,
    left_in_blocks: u64,
}

/// What the present nest did to a word: the nest's number (12 bits), flags (4), the step (16) and
/// the iteration (32) that wrote it first, or as long as nobody did, that read it first.
#[derive(Clone, Copy, Default)]
struct WordUse(u64);

/// The nests that a word can tell apart; 0 is none.
const NESTS: u64 = 1 << 12;
const WRITTEN: u64 = 1 << 48;
/// By an iteration other than the one noted.
const WRITTEN_BY_OTHERS: u64 = 1 << 49;
const READ_BY_OTHERS: u64 = 1 << 50;
/// By the iteration noted, which wrote it, in a step beside the one noted.
const ACCESSED_AGAIN: u64 = 1 << 51;

impl WordUse {
    const fn new(nest: u64, step: u64, iteration: u64) -> Self {
        Self(nest << 52 | (step & 0xffff) << 32 | iteration & 0xffff_ffff)
    }

    const fn has(self, flag: u64) -> bool {
        self.0 & flag != 0
    }

    /// Notes an access, `now` being what it alone would leave; returns whether it races.
    #[inline]
    const fn access(&mut self, now: Self, writes: bool) -> bool {
        let before = *self;
        let is_other = before.0 as u32 != now.0 as u32;
        if before.0 >> 52 != now.0 >> 52 {
            *self = if writes { Self(now.0 | WRITTEN) } else { now };
            return false;
        }
        match (writes, before.has(WRITTEN)) {
            (false, false) => {
                self.0 |= if is_other { READ_BY_OTHERS } else { 0 };
                false
            }
            (false, true) => {
                self.0 |= if is_other { 0 } else { ACCESSED_AGAIN };
                is_other || before.has(WRITTEN_BY_OTHERS)
            }
            (true, false) => {
                *self = Self(now.0 | WRITTEN | ACCESSED_AGAIN);
                is_other || before.has(READ_BY_OTHERS)
            }
            (true, true) => {
                let same_step = (before.0 >> 32) as u16 == (now.0 >> 32) as u16;
                self.0 |= match (is_other, same_step) {
                    (true, _) => WRITTEN_BY_OTHERS,
                    (false, true) => 0,
                    (false, false) => ACCESSED_AGAIN,
                };
                (is_other || before.has(WRITTEN_BY_OTHERS))
                    && (!same_step || before.has(ACCESSED_AGAIN))
            }
        }
    }
}

impl<'a> Races<'a> {
    /// An observer of a run from its start.
    pub fn new(program: &'a Program, layout: &Layout) -> Self {
        let survey = RaceCandidates::of(program);
        let (mut places, mut words, mut is_partial) = (HashMap::new(), 0, false);
        for (index, region) in layout.regions.iter().enumerate() {
            let array = ArrayId(index);
            if !survey.at_risk.contains(&array) {
                continue;
            }
            let watched = region.words.min(MOST_WATCHED - words);
            is_partial |= watched < region.words;
            let (first, end) = (words as usize, (words + watched) as usize);
            places.insert(array, (region.base.0, first..end));
            words += watched;
        }
        let left = |site| if survey.sites.contains(&SiteId(site)) { MOST_ACCESSES } else { 0 };
        Self {
            program,
            left: (0..program.sites.len()).map(left).collect(),
            places,
            is_partial,
            words: vec![WordUse::default(); words as usize],
            nest: 0,
            round: (0, 0),
            races: BTreeMap::new(),
            blocks: Pram::new(program),
            left_in_blocks: MOST_IN_BLOCKS,
        }
    }

    /// A race for each place in the listing that has one; `None` if there is none, but not
    /// everything was watched.
    pub fn finish(self) -> Option<Vec<RaceAccess>> {
        let mut races = self.races;
        for race in self.blocks.finish().1 {
            let raced = RaceAccess::of_pram(&race);
            races.entry(raced.site).or_insert(raced);
        }
        let races: Vec<_> = races.into_values().collect();
        (!self.is_partial || !races.is_empty()).then_some(races)
    }
}

impl Observer for Races<'_> {
    fn access(&mut self, accesses: &Accesses<'_>) {
        let site = accesses.site;
        if accesses.blocks.is_some() || self.blocks.is_in_call() {
            let count = accesses.active.count() as u64;
            match self.left_in_blocks.checked_sub(count) {
                Some(left) => {
                    self.left_in_blocks = left;
                    match accesses.blocks {
                        Some(_) => self.blocks.access(accesses),
                        None => self.blocks.between_calls(accesses),
                    }
                }
                None => self.is_partial = true,
            }
        }
        if accesses.blocks.is_some() {
            return;
        }
        let left = self.left[site.0];
        if left == 0 {
            return;
        }
        self.left[site.0] = left.saturating_sub(accesses.active.count() as u64);
        self.is_partial |= self.left[site.0] == 0;
        let array = self.program.sites[site.0].array;
        let of = &self.program.sites[site.0];
        let (writes, atomic) = (of.kind == AccessKind::Write, of.atomic);
        let (base, place) = &self.places[&array];
        // The same place at the same turn of the loops around it: the same step.
        let mixed = |step: u64| step.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48;
        let step = mixed(accesses.turn ^ site.0 as u64);
        let (nest, iteration) = (self.nest, self.round.0);
        let words = &mut self.words[place.clone()];
        let mut raced = None;
        accesses.active.for_each(|lane| {
            let address = accesses.addresses[lane];
            let iteration = iteration + lane as u64;
            let step = atomic.map_or(step, |it| mixed(it.step_of_races(iteration)));
            let now = WordUse::new(nest, step, iteration);
            if let Some(word) = words.get_mut((address - base) as usize)
                && word.access(now, writes)
            {
                raced.get_or_insert(address);
            }
        });
        if let Some(address) = raced {
            let between = Between::Iterations;
            self.races.entry(site).or_insert(RaceAccess { site, address, between });
        }
    }

    fn enter_nest(&mut self, _: &Nest) {
        self.round = (0, 0);
        self.nest += 1;
        if self.nest == NESTS {
            self.words.fill(WordUse::default());
            self.nest = 1;
        }
    }

    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {}

    fn blocks(&mut self, event: BlocksEvent<'_>) {
        self.blocks.blocks(event);
    }

    #[inline(always)]
    fn flow(&mut self, flow: Flow<'_>) {
        match flow {
            Flow::RoundBegins { count } => {
                let (first, before) = self.round;
                self.round = (first + before, count as u64);
            }
            Flow::Fork(_) => self.blocks.flow(flow),
            _ => {}
        }
    }
}

/// What nests might race on.
#[derive(Default)]
struct RaceCandidates {
    at_risk: HashSet<ArrayId>,
    /// The sites of arrays at risk, in the nests that put them there.
    sites: HashSet<SiteId>,
}

/// What a nest does with an array.
#[derive(Default)]
struct ArrayUse {
    sites: Vec<SiteId>,
    written: bool,
    written_in_loop: bool,
    /// An atomic of which the order of threads decides what comes out.
    has_ordered_atomic: bool,
}

impl RaceCandidates {
    fn of(program: &Program) -> Self {
        let mut survey = Self::default();
        for nest in nests(&program.body) {
            let mut found = BTreeMap::new();
            note(program, &nest.body, false, &mut found);
            for (array, uses) in found {
                if uses.written
                    && (uses.sites.len() > 1 || uses.written_in_loop || uses.has_ordered_atomic)
                {
                    survey.at_risk.insert(array);
                    survey.sites.extend(uses.sites);
                }
            }
        }
        survey
    }
}

fn note(program: &Program, block: &Block, in_loop: bool, found: &mut BTreeMap<ArrayId, ArrayUse>) {
    for statement in block {
        for access in statement.accesses() {
            let site = &program.sites[access.site.0];
            let writes = site.kind == AccessKind::Write;
            let uses = found.entry(access.array).or_default();
            uses.sites.push(access.site);
            uses.written |= writes;
            uses.has_ordered_atomic |= site.atomic.is_some_and(|it| !it.commutes());
            uses.written_in_loop |= writes && in_loop;
        }
        let in_loop = in_loop || statement.is_loop();
        statement.blocks().for_each(|it| note(program, it, in_loop, found));
    }
}
