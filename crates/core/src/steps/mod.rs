//! A run step by step: which line asks, what each warp's threads ask for and with which values, and
//! when. Of a long run, the steps from some time unit on.

mod recorder;

pub use self::recorder::StepRecorder;
use crate::language::program::{Program, SiteId};
use crate::machine::{Dispatch, Machine, Mode, PipelineDiagram, WarpAccess};
use crate::run::layout::Layout;
use crate::run::memory;
use crate::trace::{AccessKind, Piece, Trace};
use crate::units::{Address, TimeUnits};

/// Steps of a run that follow each other, with all that is known of them.
#[derive(Debug, Clone)]
pub struct Steps {
    machine: Machine,
    mode: Mode,
    trace: Trace,
    /// Of each access step of the trace, in its order: the reference of the listing, and the place of
    /// the first thread's value among `values`.
    facts: Vec<(SiteId, usize)>,
    /// Read or written, by active thread.
    values: Vec<u64>,
    /// When the first of them begins.
    pub start: TimeUnits,
    /// Steps of the run before the first of them.
    pub before: usize,
    /// By address, the words of global memory before the first of them, if there are few.
    memory: Option<Vec<Option<u64>>>,
    /// Whether they reach to the end of the run.
    pub is_to_the_end: bool,
}

/// One thread's request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// From 0; of a block's threads, its number in the block.
    pub thread: u64,
    /// What it asks for.
    pub address: Address,
    /// The same as the listing writes it, as in `M[2, 5]`.
    pub element: String,
    /// What it reads or writes, as text.
    pub value: String,
}

impl Steps {
    /// Their way through the pipelines, of what `is_shown`; times are from [`Self::start`] on, and steps
    /// count from 1 for the first of them.
    pub fn pipeline(&self, is_shown: impl Fn(&Dispatch, usize, usize) -> bool) -> PipelineDiagram {
        PipelineDiagram::of(self.machine, self.mode, &self.trace, is_shown)
    }

    /// What they ran on.
    pub const fn machine(&self) -> Machine {
        self.machine
    }

    /// The reference of the listing that makes an access.
    pub fn site(&self, access: &WarpAccess) -> SiteId {
        self.site_of(access.event)
    }

    /// The same of the access step with this number, from 0; see [`WarpAccess::event`].
    pub fn site_of(&self, event: usize) -> SiteId {
        self.facts[event].0
    }

    /// What the active threads of an access ask for.
    pub fn requests<'a>(
        &'a self,
        program: &'a Program,
        layout: &'a Layout,
        access: &'a WarpAccess,
    ) -> impl Iterator<Item = Request> + 'a {
        let (site, first) = self.facts[access.event];
        let array = program.sites[site.0].array;
        let element = program.arrays[array.0].element;
        let values = &self.values[first + access.rank as usize..];
        let base = access.warp * self.machine.width.get();
        active(&access.requests).zip(values).map(move |((lane, address), &bits)| Request {
            thread: base + lane,
            address,
            element: layout.element(program, array, address.0),
            value: memory::text(element, bits),
        })
    }

    /// The words of global memory at the beginning of a time unit; `None` if they are many. A write is
    /// made in the time unit in which its stage is the pipeline's last.
    pub fn memory(&self, before: TimeUnits) -> Option<Vec<Option<u64>>> {
        let mut words = self.memory.clone()?;
        let written = self.pipeline(|it, _, _| it.start < before);
        let is_write = |it: &&WarpAccess| it.kind == AccessKind::Write && it.dmm().is_none();
        for access in written.accesses.iter().filter(is_write) {
            let in_pipeline = access.start.0 + u128::from(access.memory.latency.get()) - 1;
            let made = before.0.saturating_sub(in_pipeline).min(access.stages.len() as u128);
            let made = &access.stages[..made as usize];
            let (_, first) = self.facts[access.event];
            let values = &self.values[first + access.rank as usize..];
            for ((_, address), &bits) in active(&access.requests).zip(values) {
                let is_made = made.iter().any(|stage| stage.contains(&address));
                if let Some(word) = words.get_mut(address.0 as usize).filter(|_| is_made) {
                    *word = Some(bits);
                }
            }
        }
        Some(words)
    }
}

/// The active threads of a warp, and what they ask for.
fn active(requests: &[Piece]) -> impl Iterator<Item = (u64, Address)> + '_ {
    let mut lane = 0;
    requests.iter().flat_map(move |piece| {
        let first = lane;
        let (count, run) = match *piece {
            Piece::Idle(count) => (count, None),
            Piece::Run(run) => (run.count, Some(run)),
        };
        lane += count;
        run.into_iter().flat_map(move |run| (0..run.count).map(move |i| (first + i, run.at(i))))
    })
}
