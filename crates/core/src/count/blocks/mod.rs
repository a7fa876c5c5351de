//! Loops on DMMs, synchronously. Blocks that take the same from outside, as far as it matters, take
//! the same stages in each step: one of them runs. So do nests of a block that are alike.
//!
//! The blocks of a wave go in step, and a step costs what the stages of its blocks say, whichever
//! blocks they are. So the blocks that stand for all those of several waves run together, and each
//! wave's time follows from how many of its blocks each of them stands for: a step that none of them
//! takes costs nothing.

mod nests;
mod probes;
mod signature;
mod split;
mod steps;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use self::nests::{MOST_STEPS, NestCost, NestsAlike, number};
use self::probes::{of_blocks, of_nest};
use self::signature::{Probe, Signature, answer};
use self::steps::{Recorder, Steps};
use super::Setting;
use super::work::NotAffine;
use crate::language::program::{Blocks, LoopId, Nest, ScalarId};
use crate::machine::{Counts, Dmms, Traffic, time_of_step};
use crate::run::{Accesses, Active, BlockGroup, NestArrival};

/// Threads of the blocks that run together, once there are as many; a wave's always do.
const THREADS: u64 = 1 << 16;

/// No rank: the block of the lane takes no part.
const NONE: u32 = u32::MAX;

pub(super) struct BlocksCounter<'a> {
    setting: Setting<'a>,
    dmms: Dmms,
    relevant: HashSet<ScalarId>,
    /// By loop on DMMs, in what its blocks must agree.
    blocks: HashMap<LoopId, Result<Rc<[Probe]>, NotAffine>>,
    nests: HashMap<LoopId, NestsAlike>,
    recorder: Recorder,
    batch: Batch,
    present: Option<Present>,
    /// Nests that have been run.
    known: usize,
    counts: Vec<Counts>,
}

/// Blocks that run together, each for all of its signature.
#[derive(Default)]
struct Batch {
    probes: Rc<[Probe]>,
    lanes: HashMap<Signature, u32>,
    /// By lane, the number of blocks for which it stands.
    stands_for: Vec<u128>,
    /// How often each wave occurs.
    waves: HashMap<Wave, u128>,
    is_running: bool,
    /// By what they do in a nest, how lanes come to it.
    nests: HashMap<(usize, Ranks), Visits>,
    /// Steps in them.
    steps: usize,
    /// What lanes do besides; a lane's rank is its number.
    other: Steps,
}

/// By lane, its rank.
type Ranks = Box<[u32]>;

struct Visits {
    taken: Rc<NestCost>,
    times: u128,
}

/// The lanes that stand for the blocks on a DMM, ascending, and on how many DMMs they are the same.
type Wave = Vec<(Vec<u32>, u128)>;

/// The nest that blocks are in.
struct Present {
    id: LoopId,
    /// Of their signatures.
    numbers: Vec<u32>,
    ranks: Ranks,
    /// By rank, the lane that runs it.
    running: Vec<usize>,
    is_known: bool,
    taken: Rc<NestCost>,
}

impl<'a> BlocksCounter<'a> {
    pub(super) fn new(setting: Setting<'a>, dmms: Dmms, relevant: HashSet<ScalarId>) -> Self {
        Self {
            setting,
            dmms,
            relevant,
            blocks: HashMap::new(),
            nests: HashMap::new(),
            recorder: Recorder::new(setting.machine),
            batch: Batch::default(),
            present: None,
            known: 0,
            counts: vec![Counts::default(); setting.program.phases.len()],
        }
    }

    /// The time by phase.
    pub(super) fn finish(self) -> Vec<Counts> {
        self.counts
    }

    /// A loop begins.
    ///
    /// # Errors
    /// Why each of its blocks must run.
    pub(super) fn begin(&mut self, blocks: &Blocks) -> Result<(), NotAffine> {
        let probes = self
            .blocks
            .entry(blocks.ranges[0].id)
            .or_insert_with(|| of_blocks(self.setting, &self.relevant, &blocks.body).map(Rc::from));
        self.batch = Batch { probes: probes.clone()?, ..Batch::default() };
        Ok(())
    }

    /// The next wave is in `lanes`; see [`Observer::dealt`](crate::run::Observer::dealt).
    pub(super) fn dealt(
        &mut self,
        blocks: &Blocks,
        lanes: Range<usize>,
        scalars: &dyn Fn(ScalarId, usize) -> i64,
    ) -> (Vec<usize>, bool) {
        if self.batch.is_running {
            self.end();
        }
        let batch = &mut self.batch;
        let (mut chosen, mut signature) = (vec![], vec![]);
        let of_lane = |lane| {
            let next = batch.stands_for.len();
            let at = |scalar| scalars(scalar, lane);
            let found = match answer(&batch.probes, at, &mut signature) {
                Some(()) => number(&mut batch.lanes, &signature, next),
                None => next as u32,
            };
            if found as usize == next {
                chosen.push(lane);
                batch.stands_for.push(0);
            }
            batch.stands_for[found as usize] += 1;
            found
        };
        let lanes: Vec<u32> = lanes.map(of_lane).collect();
        let dmms = usize::try_from(self.dmms.number).unwrap_or(usize::MAX);
        let mut wave = BTreeMap::new();
        for dmm in 0..dmms.min(lanes.len()) {
            let mut slots: Vec<u32> = lanes[dmm..].iter().step_by(dmms).copied().collect();
            slots.sort_unstable();
            *wave.entry(slots).or_default() += 1;
        }
        *batch.waves.entry(wave.into_iter().collect()).or_default() += 1;
        let threads = self.setting.layout.blocks[blocks.id.0].threads.get();
        (chosen, (batch.stands_for.len() as u64).saturating_mul(threads) < THREADS)
    }

    /// The blocks that have been chosen run.
    pub(super) fn run(&mut self) {
        self.batch.is_running = true;
    }

    pub(super) fn access(&mut self, accesses: &Accesses<'_>, of: BlockGroup) {
        let phase = self.setting.program.sites[accesses.site.0].phase;
        let batch = &mut self.batch;
        match &mut self.present {
            Some(Present { ranks, numbers, taken, .. }) => {
                let Some(taken) = Rc::get_mut(taken) else { return };
                let ranks = (numbers.len(), |lane: usize| ranks[lane] as usize);
                self.recorder.record(accesses, of, phase, ranks, &mut taken.steps);
            }
            None => {
                let ranks = (batch.stands_for.len(), |lane| lane);
                self.recorder.record(accesses, of, phase, ranks, &mut batch.other);
                if batch.other.len() >= MOST_STEPS {
                    self.settle();
                }
            }
        }
    }

    /// Blocks reach a nest; returns those that are to run it.
    pub(super) fn enter_nest(&mut self, nest: &Nest, at: NestArrival<'_>) -> Active {
        let known = self
            .nests
            .entry(nest.id())
            .or_insert_with(|| NestsAlike::new(of_nest(self.setting, &self.relevant, nest).ok()));
        let Some(of_lanes) = known.numbers(at) else { return at.active.clone() };
        let mut numbers: Vec<u32> = of_lanes.iter().map(|it| it.1).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut ranks = vec![NONE; self.batch.stands_for.len()].into_boxed_slice();
        let mut running = vec![usize::MAX; numbers.len()];
        for (lane, number) in of_lanes {
            let rank = numbers.partition_point(|&it| it < number);
            ranks[lane] = rank as u32;
            running[rank] = running[rank].min(lane);
        }
        let found = known.taken.get(&numbers).cloned();
        let is_known = found.is_some();
        let active = if is_known {
            Active::First(0)
        } else {
            let mut lanes: Vec<u32> = running.iter().map(|&lane| lane as u32).collect();
            lanes.sort_unstable();
            Active::of(lanes)
        };
        let taken = found.unwrap_or_default();
        self.present = Some(Present { id: nest.id(), numbers, ranks, running, is_known, taken });
        active
    }

    /// They have run it.
    pub(super) fn leave_nest<'b>(
        &mut self,
        active: &Active,
        defined: &dyn Fn(usize) -> &'b [u64],
    ) -> Vec<(usize, Box<[u64]>)> {
        let Some(present) = self.present.take() else { return vec![] };
        let Present { id, numbers, ranks, running, is_known, mut taken } = present;
        if !is_known && let Some(taken) = Rc::get_mut(&mut taken) {
            taken.number = self.known;
            self.known += 1;
            taken.defined = running.iter().map(|&lane| defined(lane).into()).collect();
        }
        if !is_known && let Some(known) = self.nests.get_mut(&id) {
            known.add(numbers, &taken);
        }
        let mut others = vec![];
        active.for_each(|lane| {
            let then = &taken.defined[ranks[lane] as usize];
            if **then != *defined(lane) {
                others.push((lane, then.clone()));
            }
        });
        let Batch { nests, steps, .. } = &mut self.batch;
        let came = nests.entry((taken.number, ranks)).or_insert_with(|| {
            *steps += taken.steps.len();
            Visits { taken, times: 0 }
        });
        came.times += 1;
        if *steps >= MOST_STEPS {
            self.settle();
        }
        others
    }

    /// The blocks that ran together are done.
    pub(super) fn end(&mut self) {
        self.settle();
        self.batch = Batch { probes: self.batch.probes.clone(), ..Batch::default() };
    }

    /// Counts what the blocks have done so far.
    fn settle(&mut self) {
        let Batch { stands_for, waves, nests, other, steps, .. } = &mut self.batch;
        let by_lane: Ranks = (0..stands_for.len() as u32).collect();
        let other_steps = (&*by_lane, &*other, 1);
        let of_nests = nests.iter().map(|((_, ranks), it)| (&**ranks, &it.taken.steps, it.times));
        for (ranks, taken, times) in of_nests.chain([other_steps]) {
            for (&(phase, space, ref by_rank), &again) in taken {
                let nothing = Traffic::default();
                let traffic = |lane: usize| *by_rank.get(ranks[lane] as usize).unwrap_or(&nothing);
                let counts = &mut self.counts[phase.0 as usize];
                for (lane, &blocks) in stands_for.iter().enumerate() {
                    counts.add_traffic(space, traffic(lane).times(blocks * times * again));
                }
                let stages = |lanes: &Vec<u32>| {
                    lanes.iter().map(|&lane| traffic(lane as usize).stages).sum::<u128>()
                };
                let latency = self.setting.machine.of_memory(space).latency;
                for (wave, &waves) in &*waves {
                    let by_dmm = wave.iter().map(|(lanes, dmms)| (*dmms, stages(lanes)));
                    let time = time_of_step(space, latency, by_dmm);
                    counts.time_units.0 += time.0 * waves * times * again;
                }
            }
        }
        nests.clear();
        other.clear();
        *steps = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::slicing::relevant;
    use crate::diagnostic::Source;
    use crate::language;
    use crate::language::oblivious::on_data;
    use crate::language::walk::loops_on_dmms;
    use crate::machine::{Machine, MachineKind};
    use crate::run::layout::Layout;
    use crate::run::{Limits, WHILE_ITERATIONS};
    use crate::units::{Latency, Threads, Width};

    /// How many signatures the blocks of a listing's first loop have, one for each tile of n × n.
    fn signatures(text: &str, n: i64) -> usize {
        let source = Source { name: "it.alg".to_owned(), text: text.to_owned() };
        let program = language::load(source).unwrap();
        let (width, latency) = (Width::at_least_one(32), Latency::at_least_one(100));
        let machine = Machine { kind: MachineKind::hierarchical(Dmms::ONE), width, latency };
        let value = |name: &str| (name == "n").then_some(n);
        let layout = Layout::new(&program, value, width, None).unwrap();
        let on_data = on_data(&program);
        let threads = Threads::new(1).unwrap();
        let limits = Limits::new(threads, WHILE_ITERATIONS);
        let setting = Setting {
            program: &program,
            layout: &layout,
            machine,
            threads,
            limits,
            on_data: &on_data,
            ordered: false,
        };
        let blocks = loops_on_dmms(&program.body).next().unwrap();
        let probes = of_blocks(setting, &relevant(&program, &on_data), &blocks.body).unwrap();
        let variables: Vec<ScalarId> = blocks.ranges.iter().map(|it| it.variable).collect();
        let tiles = (n - 1) / 32;
        let all = (0..=tiles).flat_map(|i| (0..=tiles).map(move |j| [i, j]));
        let all = all.map(|tile| {
            let at = |it: ScalarId| variables.iter().position(|&variable| variable == it);
            let mut signature = vec![];
            let scalars = |scalar| at(scalar).map_or(0, |at| tile[at]);
            answer(&probes, scalars, &mut signature).unwrap();
            signature
        });
        all.collect::<HashSet<_>>().len()
    }

    #[test]
    fn blocks_of_tiles_have_few_signatures() {
        let product = include_str!("../../../../../kernels/linear-algebra/matrix_multiply_hmm.alg");
        let padded = include_str!("../../../../../kernels/permutations/transpose_padded.alg");
        let diagonal = include_str!("../../../../../kernels/permutations/transpose_diagonal.alg");
        for text in [product, padded, diagonal] {
            assert_eq!(signatures(text, 1024), 1);
            // The last tiles of a row, of a column, and of both.
            assert_eq!(signatures(text, 1024 + 32 - 1).min(4), 4);
        }
        // Rows begin at as many places of an address group.
        assert_eq!(signatures(padded, 1024 + 16), 4);
    }
}
