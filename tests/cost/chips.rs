//! AGPU, TMM, and work and span of loops on DMMs: an oracle that keeps who does what, and looks at it warp by
//! warp and block by block; and what can be told by hand.

use std::collections::{BTreeMap, BTreeSet};

use memory_machine::cost::{Agpu, CostMachine, CountedCost, Spawn, Tmm};
use memory_machine::language::program::{Nest, Program};
use memory_machine::run::layout::Layout;
use memory_machine::run::memory::{Memory, given};
use memory_machine::run::{
    Accesses, Active, BlocksEvent, Evaluation, Flow, Limits, Observer, execute,
};
use memory_machine::trace::Space;
use memory_machine::units::{Threads, Width};
use proptest::prelude::*;
use serde_json::Value;

use super::cost;
use crate::count::blocks::listing::listing;
use crate::graph::load;
use crate::support::{fails, json, root};

/// b, C: threads of a warp.
const WARP: u64 = 4;
const AGPU: Agpu = Agpu { cores: 12, line: WARP, cache: 100, space: None };
const TMM: Tmm = Tmm { cores: 8, line: WARP, cache: 100, slots: 3, latency: 9 };

/// Who does something: the stretch between barriers of the machine; the block, in a loop on DMMs; the nest of
/// it, by its number, and its round; the thread.
type Who = (usize, Option<u64>, Option<(usize, usize)>, u64);

/// What is done at once: the threads, and the memory and words that they access, if they do.
struct Step {
    who: Vec<Who>,
    accesses: Option<(Space, Vec<u64>)>,
}

#[derive(Default)]
struct Recorder {
    steps: Vec<Step>,
    stretch: usize,
    in_nest: bool,
    /// The first of the blocks that go in step, and the threads of each.
    blocks: Option<(u64, u64)>,
    /// By block, how many nests it has come to, and their rounds, outside loops on DMMs under 0.
    nests: BTreeMap<u64, usize>,
    round: usize,
}

impl Recorder {
    fn record(&mut self, active: &Active, accesses: Option<(Space, &[u64])>) {
        let mut step = Step { who: vec![], accesses: accesses.map(|it| (it.0, vec![])) };
        active.for_each(|lane| {
            let lane_number = lane as u64;
            let (block, thread) = match self.blocks {
                None => (None, lane_number),
                Some((first, a_block)) if self.in_nest => {
                    (Some(first + lane_number / a_block), lane_number % a_block)
                }
                Some((first, _)) => (Some(first + lane_number), 0),
            };
            let number = self.nests.get(&block.unwrap_or(0)).copied().unwrap_or(0);
            let nest = self.in_nest.then_some((number, self.round));
            step.who.push((self.stretch, block, nest, thread));
            if let (Some(kept), Some((_, addresses))) = (&mut step.accesses, accesses) {
                kept.1.push(addresses[lane]);
            }
        });
        self.steps.push(step);
    }
}

impl Observer for Recorder {
    fn access(&mut self, accesses: &Accesses<'_>) {
        let space = accesses.blocks.map_or(Space::Global, |it| it.space);
        self.record(accesses.active, Some((space, accesses.addresses)));
    }

    fn evaluate(&mut self, _: Evaluation, active: &Active) {
        self.record(active, None);
    }

    fn enter_nest(&mut self, _: &Nest) {
        self.stretch += 1;
        self.in_nest = true;
        self.round = 0;
    }

    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {
        self.stretch += 1;
        self.in_nest = false;
    }

    fn blocks(&mut self, event: BlocksEvent<'_>) {
        match event {
            BlocksEvent::Begin { threads, .. } => {
                self.stretch += 1;
                self.nests.clear();
                self.blocks = Some((0, threads.get()));
            }
            BlocksEvent::Deal { first, .. } => self.blocks = self.blocks.map(|it| (first, it.1)),
            BlocksEvent::Barrier { first, active } => {
                self.in_nest = !self.in_nest;
                let nests = &mut self.nests;
                active.for_each(|block| *nests.entry(first + block as u64).or_default() += 1);
            }
            BlocksEvent::Round(_) => {}
            BlocksEvent::End => {
                self.stretch += 1;
                self.nests.clear();
                self.blocks = None;
            }
        }
    }

    fn flow(&mut self, flow: Flow<'_>) {
        if let (Flow::RoundBegins { .. }, true) = (flow, self.in_nest) {
            self.round += 1;
        }
    }
}

/// Time, I/O and instructions of the AGPU: every warp of every step for itself.
fn agpu(steps: &[Step]) -> [u128; 3] {
    let [mut io, mut instructions] = [0; 2];
    let mut by_stretch: BTreeMap<usize, [u128; 3]> = BTreeMap::new();
    for step in steps {
        let warp = |who: &Who| (who.1, who.3 / WARP);
        let warps: BTreeSet<_> = step.who.iter().map(warp).collect();
        for one in warps {
            let lanes = (0..step.who.len()).filter(|&lane| warp(&step.who[lane]) == one);
            let stages = match &step.accesses {
                None => 1,
                Some((space, addresses)) => {
                    let words: BTreeSet<u64> = lanes.map(|lane| addresses[lane]).collect();
                    match space {
                        Space::Global => {
                            words.iter().map(|it| it / WARP).collect::<BTreeSet<_>>().len()
                        }
                        Space::Shared => {
                            let in_bank =
                                |bank| words.iter().filter(|it| *it % WARP == bank).count();
                            (0..WARP).map(in_bank).max().unwrap()
                        }
                    }
                }
            } as u128;
            instructions += stages;
            if step.accesses.as_ref().is_some_and(|it| it.0 == Space::Global) {
                io += stages;
            }
            let processor = one.0.unwrap_or(one.1) % 3;
            by_stretch.entry(step.who[0].0).or_default()[processor as usize] += stages;
        }
    }
    let time = by_stretch.values().map(|it| it.iter().max().unwrap()).sum();
    [time, io, instructions]
}

/// Work and span: chains of threads in nests, of nests in blocks, of blocks in the run.
fn work_span(steps: &[Step]) -> [u128; 2] {
    let mut chains: BTreeMap<Who, u128> = BTreeMap::new();
    for who in steps.iter().flat_map(|it| &it.who) {
        *chains.entry(*who).or_default() += 1;
    }
    // By stretch, block and nest the longest thread, where what is no nest is one chain.
    let mut nests: BTreeMap<(usize, Option<u64>, Option<usize>), u128> = BTreeMap::new();
    for (&(stretch, block, nest, _), &length) in &chains {
        let longest = nests.entry((stretch, block, nest.map(|it| it.0))).or_default();
        *longest = (*longest).max(length);
    }
    let mut blocks: BTreeMap<(usize, Option<u64>), u128> = BTreeMap::new();
    for ((stretch, block, _), length) in nests {
        *blocks.entry((stretch, block)).or_default() += length;
    }
    let mut stretches: BTreeMap<usize, u128> = BTreeMap::new();
    for ((stretch, _), length) in blocks {
        let longest = stretches.entry(stretch).or_default();
        *longest = (*longest).max(length);
    }
    [chains.values().sum(), stretches.values().sum()]
}

fn memory(program: &Program, layout: &Layout) -> Memory {
    let mut memory = Memory::new(layout).unwrap();
    for array in given(program) {
        let cells = layout.regions[array.0].cells;
        memory.fill(layout, array, 0, &(0..cells).map(|it| it * 7 % 11).collect::<Vec<_>>());
    }
    memory
}

/// What the machines say of a listing, and what the oracles do; whether it ran.
fn agrees(text: &str, sizes: [i64; 2], threads: u64) -> Result<bool, TestCaseError> {
    let program = load(text);
    let value = |name: &str| Some(if name == "n" { sizes[0] } else { sizes[1] });
    let layout = Layout::new(&program, value, Width::new(WARP).unwrap(), None).unwrap();
    let mut recorder = Recorder::default();
    let limits = Limits::new(Threads::new(threads).unwrap(), 1000);
    if execute(&program, &layout, &mut memory(&program, &layout), limits, &mut recorder).is_err() {
        return Ok(false);
    }
    let says = |machine: &CostMachine| {
        cost(&program, &layout, memory(&program, &layout), threads, machine).unwrap()
    };
    let said = says(&CostMachine::Agpu(AGPU));
    let keys = ["time_units", "io", "instructions"];
    let [time, io, instructions] = agpu(&recorder.steps);
    prop_assert_eq!(keys.map(|key| said.count(key).unwrap()), [time, io, instructions], "{}", text);
    let free = CostMachine::WorkSpan { counted: CountedCost::Both, spawn: Spawn::Free };
    let said = says(&free);
    let [work, span] = work_span(&recorder.steps);
    prop_assert_eq!(["work", "span"].map(|key| said.count(key).unwrap()), [work, span], "{}", text);
    let said = says(&CostMachine::Tmm(TMM));
    let threads = said.count("threads_a_core").unwrap();
    let time = work.div_ceil(8).max(span).max((io * 9).div_ceil(8 * threads));
    let keys = ["time_units", "work", "span", "io"];
    prop_assert_eq!(keys.map(|key| said.count(key).unwrap()), [time, work, span, io], "{}", text);
    Ok(true)
}

proptest! {
    #![proptest_config(crate::cases(300))]

    #[test]
    fn chips_equal_their_oracles(
        bytes in prop::collection::vec(any::<u8>(), 1..200),
        sizes in [1_i64..9, 1_i64..5],
        on_dmms: bool,
        parallel: bool,
        threads in 1_u64..12,
    ) {
        let text = match on_dmms {
            true => listing(&bytes),
            false => crate::run::generate::listing(&bytes, parallel),
        };
        agrees(&text, sizes, threads)?;
    }
}

fn number(found: &Value, key: &str) -> u64 {
    found[key].as_u64().unwrap_or_else(|| panic!("{key}: {found}"))
}

/// Koike and Sadakane 2015 on sums: all partial sums in global memory take three blocks where one of shared
/// memory takes one.
#[test]
fn agpu_reads_a_block_once_where_sums_are_in_shared_memory() {
    for k in [6, 9, 12] {
        let (n, b) = (1_u64 << k, 32);
        let words = format!("run sum --set n={n} -p {n} -m agpu --json");
        let sum = json(root(), &words);
        // Steps of h sums, h = n/2, …, 1, of two reads and a write.
        let steps: u64 = (0..k).map(|it| 3 * (1_u64 << it).div_ceil(b)).sum();
        assert_eq!(number(&sum, "io"), steps);
        let hmm =
            json(root(), &format!("run sum_hmm --set n={n} --set b=2 --set q=32 -m agpu --json"));
        // Each block writes its sum; two are read together, and the result is written.
        assert_eq!(number(&hmm, "io"), n / b + 2 + 2);
    }
}

/// Ma, Agrawal, Chamberlain 2012: latency is hidden where T ≥ M·L/T₁.
#[test]
fn tmm_hides_latency_by_threads() {
    let run = |words: &str| {
        json(root(), &format!("run matrix_multiply --set n=32 -m tmm --cores 128 {words} --json"))
    };
    let (n, c, p) = (32_u64, 32, 128);
    let (work, chunks) = (n * n * (4 * n + 1), 2 * n.pow(3) / c + n * n / c);
    for threads in [1, 2, 4, 8] {
        let latency = 400;
        let it = run(&format!("-p {} -L {latency}", threads * p));
        assert_eq!([number(&it, "work"), number(&it, "io")], [work, chunks]);
        assert_eq!(number(&it, "threads_a_core"), threads);
        let memory = (chunks * latency).div_ceil(threads * p);
        assert_eq!(number(&it, "time_units"), memory.max(work.div_ceil(p)));
        assert_eq!(memory > work.div_ceil(p), threads < (chunks * latency).div_ceil(work));
    }
    assert_eq!(number(&run("-p 1024 --slots 4"), "threads_a_core"), 4);
}

/// A nest with fewer iterations lies between two in which not all threads do the same.
#[test]
fn threads_begin_each_nest_with_nothing() {
    let text = "\
algorithm uneven(n)
inout a[n] : i64

for i ← 0 to n-1 do in parallel
  if i > 1 then a[i] ← 1
for i ← 0 to 1 do in parallel
  a[i] ← 2
for i ← 0 to n-1 do in parallel
  if i > 2 then a[i] ← 3
";
    let it = crate::support::folder(&[("uneven.alg", text)]);
    let run = |words: &str| json(it.path(), &format!("run uneven.alg --set n=8 {words} --json"));
    // A comparison and a write, a write, a comparison and a write.
    assert_eq!(number(&run("-m work-span"), "span"), 5);
    assert_eq!(number(&run("-m pram"), "time_units"), 5);
    assert_eq!(number(&run("-m tmm"), "span"), 5);
}

/// A loop on DMMs of five blocks with two nests each, of which one has a loop.
#[test]
fn spans_of_blocks_are_those_of_the_longest() {
    let text = "\
algorithm spans(n)
output b[n] : i64

for k ← 1 to n do in parallel on DMMs with 4 threads
  shared s[n] : i64
  for i ← 0 to k-1 do in parallel
    s[i] ← i + k
  for i ← 0 to 0 do in parallel
    b[k-1] ← s[k-1]
";
    let it = crate::support::folder(&[("spans.alg", text)]);
    let run = |words: &str| json(it.path(), &format!("run spans.alg --set n=5 {words} --json"));
    // A sum and a write; a read and a write.
    let free = run("-m work-span");
    assert_eq!((number(&free, "work"), number(&free, "span")), (2 * 15 + 2 * 5, 4));
    // ⌈log₂ 5⌉ for the blocks, and in the last of them as much for five iterations.
    assert_eq!(number(&run("-m work-span --spawn log"), "span"), 4 + 3 + 3);
    let message = fails(it.path(), "run spans.alg --set n=5 -m pram");
    assert!(message.contains("-m pram runs no loop on DMMs"), "{message}");
    let message = fails(it.path(), "run spans.alg --set n=5 -m agpu --cores 100");
    assert!(message.contains("--cores 100"), "{message}");
    let all = json(it.path(), "compare-models spans.alg --set n=5 --json");
    let refused = all.as_array().unwrap().iter().filter(|it| it.get("refused").is_some()).count();
    assert_eq!(refused, 8);
}
