//! Follows values from the reads that brought them, through registers, to the accesses that need
//! them.

use std::collections::HashMap;

use memory_machine_core::language::program::{Nest, Program, SiteId};
use memory_machine_core::run::{Accesses, Active, BlocksEvent, Flow, Observer, Register};
use memory_machine_core::trace::{AccessKind, Space};

/// One thread's access, as it happens.
pub(super) struct Event {
    pub(super) site: SiteId,
    pub(super) address: u64,
    /// Of those of its block.
    pub(super) thread: usize,
    /// In a loop on DMMs.
    pub(super) block: Option<u64>,
    /// Which step of the run it is part of, from 0.
    pub(super) step: usize,
}

/// What an access needs.
pub(super) struct Needs<'a, M> {
    /// The last write of the cell that is read.
    pub(super) written: Option<u32>,
    /// What the written value was computed from.
    pub(super) value: Option<&'a M>,
    pub(super) address: &'a M,
    pub(super) condition: &'a M,
}

/// What is kept of each access, by a number of the recorder's choice.
pub(super) trait Recorder {
    /// The reads from which a register was computed.
    type Reads: Clone + Default;
    fn join(into: &mut Self::Reads, other: &Self::Reads);
    fn one(access: u32) -> Self::Reads;
    fn record(&mut self, event: &Event, needs: &Needs<'_, Self::Reads>) -> u32;
}

/// The observer that follows.
pub(super) struct DefUseTracker<'a, R: Recorder> {
    program: &'a Program,
    pub(super) recorder: R,
    /// By register and thread; a register or thread that is not there was computed from no read.
    registers: Vec<Vec<R::Reads>>,
    /// The last write of every word that was written.
    cells: HashMap<u64, u32>,
    /// The same of shared memories, by block and word.
    shared: HashMap<(u64, u64), u32>,
    /// By word, what threads' arrays of registers were computed from; what a branch that was not taken
    /// would have written there is not followed.
    kept: HashMap<u64, R::Reads>,
    /// By thread, the reads that decide whether it is here: one frame a split.
    conditions: Vec<Vec<R::Reads>>,
    /// By thread, the reads that decide its iteration.
    dealt: Vec<R::Reads>,
    step: usize,
    none: R::Reads,
}

impl<'a, R: Recorder> DefUseTracker<'a, R> {
    pub(super) fn new(program: &'a Program, recorder: R) -> Self {
        Self {
            program,
            recorder,
            registers: vec![],
            cells: HashMap::new(),
            shared: HashMap::new(),
            kept: HashMap::new(),
            conditions: vec![vec![]],
            dealt: vec![],
            step: 0,
            none: R::Reads::default(),
        }
    }

    fn reads(&self, register: Register, lane: usize) -> &R::Reads {
        self.registers.get(register.index()).and_then(|it| it.get(lane)).unwrap_or(&self.none)
    }

    fn joined(&self, registers: &[Register], lane: usize) -> R::Reads {
        let mut all = R::Reads::default();
        for &register in registers {
            R::join(&mut all, self.reads(register, lane));
        }
        all
    }

    fn condition(&self, lane: usize) -> &R::Reads {
        self.conditions.last().and_then(|it| it.get(lane)).unwrap_or(&self.none)
    }

    fn slot(&mut self, register: Register, lane: usize) -> &mut R::Reads {
        let index = register.index();
        if self.registers.len() <= index {
            self.registers.resize(index + 1, vec![]);
        }
        slot(&mut self.registers[index], lane)
    }

    fn decided(&mut self, on: &[Register], active: &Active) {
        active.for_each(|lane| {
            let reads = self.joined(on, lane);
            if let Some(frame) = self.conditions.last_mut() {
                R::join(slot(frame, lane), &reads);
            }
        });
    }

    fn rejoin(&mut self, changes: &[Register], active: &Active) {
        let Some(frame) = self.conditions.pop() else { return };
        active.for_each(|lane| {
            let Some(reads) = frame.get(lane) else { return };
            for &register in changes {
                R::join(self.slot(register, lane), reads);
            }
        });
    }
}

fn slot<T: Clone + Default>(list: &mut Vec<T>, index: usize) -> &mut T {
    if list.len() <= index {
        list.resize(index + 1, T::default());
    }
    &mut list[index]
}

impl<R: Recorder> Observer for DefUseTracker<'_, R> {
    fn access(&mut self, accesses: &Accesses<'_>) {
        let &Accesses { site, active, cell, value, blocks, .. } = accesses;
        let writes = self.program.sites[site.0].kind == AccessKind::Write;
        let is_shared = blocks.is_some_and(|it| it.space == Space::Shared);
        let step = self.step;
        self.step += 1;
        active.for_each(|lane| {
            let address = accesses.addresses[lane];
            let block = blocks.map(|it| it.first + (lane / it.lanes) as u64);
            let thread = blocks.map_or(lane, |it| lane % it.lanes);
            let shared = block.filter(|_| is_shared).map(|block| (block, address));
            let written = match shared {
                Some(word) => self.shared.get(&word),
                None => self.cells.get(&address),
            };
            let written = written.copied().filter(|_| !writes);
            let of = |register: Register| {
                self.registers.get(register.index()).and_then(|it| it.get(lane))
            };
            let needs = Needs {
                written,
                value: of(value).filter(|_| writes),
                address: of(cell).unwrap_or(&self.none),
                condition: (self.conditions.last().and_then(|it| it.get(lane)))
                    .unwrap_or(&self.none),
            };
            let event = Event { site, address, thread, block, step };
            let access = self.recorder.record(&event, &needs);
            match shared {
                _ if !writes => *self.slot(value, lane) = R::one(access),
                Some(word) => drop(self.shared.insert(word, access)),
                None => drop(self.cells.insert(address, access)),
            }
        });
    }

    fn flow(&mut self, flow: Flow<'_>) {
        match flow {
            Flow::Computed { to, from, active } => active.for_each(|lane| {
                let reads = self.joined(from, lane);
                *self.slot(to, lane) = reads;
            }),
            Flow::Split => {
                let frame = self.conditions.last().cloned().unwrap_or_default();
                self.conditions.push(frame);
            }
            Flow::Decided { on, active } => self.decided(on, active),
            Flow::Rejoin { changes, active } => self.rejoin(changes, active),
            Flow::Dealt { bounds, by, variables, lanes } => {
                let reads = self.joined(bounds, by);
                let mut condition = self.condition(by).clone();
                R::join(&mut condition, &reads);
                for lane in lanes {
                    *slot(&mut self.dealt, lane) = condition.clone();
                    for &variable in variables {
                        *self.slot(variable, lane) = reads.clone();
                    }
                }
            }
            Flow::Captured { outside, by, inside, lanes } => {
                let reads = self.reads(outside, by).clone();
                for lane in lanes {
                    *self.slot(inside, lane) = reads.clone();
                }
            }
            Flow::Fetched { to, cell, words, active } => active.for_each(|lane| {
                let mut reads = self.reads(cell, lane).clone();
                R::join(&mut reads, self.kept.get(&words[lane]).unwrap_or(&self.none));
                *self.slot(to, lane) = reads;
            }),
            Flow::Kept { value, cell, words, active } => active.for_each(|lane| {
                let mut reads = self.reads(value, lane).clone();
                R::join(&mut reads, self.reads(cell, lane));
                R::join(&mut reads, self.condition(lane));
                self.kept.insert(words[lane], reads);
            }),
            Flow::RoundBegins { count } => {
                self.dealt.resize(count.max(self.dealt.len()), R::Reads::default());
                self.conditions.push(self.dealt[..count].to_vec());
            }
            Flow::RoundEnds => {
                self.conditions.pop();
            }
            // What is made in turn depends on what was made before.
            Flow::Fork(_) => {}
        }
    }

    /// Blocks that begin know nothing of what those before kept.
    fn blocks(&mut self, event: BlocksEvent<'_>) {
        if let BlocksEvent::Deal { .. } = event {
            self.shared.clear();
            self.kept.clear();
        }
    }

    fn enter_nest(&mut self, _: &Nest) {}
    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {}
}
