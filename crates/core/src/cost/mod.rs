//! The machines that courses teach beside the memory machines: PRAM, work and span, ideal cache, PEM,
//! BSP, LogP, MPC, AGPU, TMM, roofline. All are fed by one stream of events of one execution.
//!
//! A machine is a file here: a [`CostModel`] that hears every [`Event`] and says what it all cost. What
//! each of them counts is defined in `docs/machines`.

mod agpu;
mod belady;
mod bsp;
mod counted_loop;
mod feed;
mod figures;
mod ideal_cache;
mod kind;
mod lanes;
mod logp;
mod messages;
mod mpc;
mod owner;
mod pem;
mod pram;
mod roofline;
mod rules;
mod stack_distance;
mod strands;
mod tmm;
mod warps;

pub use self::agpu::Agpu;
pub use self::counted_loop::{CountedLoop, Footprint, Touch};
pub use self::feed::Feed;
pub use self::figures::{Cost, CostTable, Figure, Value};
pub use self::kind::{CostKind, CountedCost, Policy, PramVariant, Spawn};
pub use self::logp::LogP;
pub use self::owner::{Owner, Owners};
pub use self::roofline::Device;
pub use self::rules::{Rules, operations_with_peaks, peak_of};
pub use self::tmm::Tmm;
use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::language::program::{Program, Site};
use crate::run::BlocksEvent;
use crate::run::layout::Layout;
use crate::run::{Accesses, Active, Evaluation, ForkStep, Winner};
use crate::units::Threads;

/// What happens in an execution, in its order.
pub enum Event<'a> {
    /// Active threads access a word each, all by one reference of the listing: one step.
    Access(&'a Accesses<'a>, &'a Site),
    /// Active threads evaluate an operator each.
    Operation(Evaluation, &'a Active),
    /// A parallel nest begins.
    NestBegins,
    /// Threads 0 … `count` − 1 begin an iteration each.
    RoundBegins {
        /// How many iterations the round has.
        count: usize,
    },
    /// They are through.
    RoundEnds,
    /// The nest is over.
    NestEnds,
    /// Something happens to the blocks of a loop on DMMs. Of machines that [run them](CostMachine::runs_blocks).
    Blocks(BlocksEvent<'a>),
    /// Threads of this range, of a nest of one block, are given iterations.
    Dealt(Range<usize>),
    /// Thread 0 comes to calls in parallel, or through them, one after another.
    Fork(ForkStep),
}

/// A machine: it hears what happens in an execution, and says what that cost.
pub trait CostModel {
    /// Something happens.
    fn event(&mut self, event: &Event<'_>);

    /// A whole loop happens that was counted instead of executed. False, with nothing noted, if the machine
    /// must hear its steps.
    fn counted(&mut self, _: &CountedLoop<'_>) -> bool {
        false
    }

    /// Why the machine cannot do what it has been told, if so.
    fn refusal(&mut self) -> Option<Diagnostic> {
        None
    }

    /// What all of it cost.
    fn cost(self: Box<Self>) -> Cost;
}

/// A machine with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub enum CostMachine {
    /// Fortune and Wyllie 1978; JáJá 1992, Section 1.3.
    Pram {
        /// What threads may do with one word in one step.
        variant: PramVariant,
        /// What a step is.
        counted: CountedCost,
    },
    /// Blelloch 1996; Cormen, Leiserson, Rivest, Stein, Chapter 26.
    WorkSpan {
        /// What a unit of work is.
        counted: CountedCost,
        /// What it costs to begin a parallel loop.
        spawn: Spawn,
    },
    /// Frigo, Leiserson, Prokop, Ramachandran 1999.
    IdealCache {
        /// M: sizes of the cache in words.
        sizes: Vec<u64>,
        /// B: words of a line.
        line: u64,
        /// Which line goes.
        policy: Policy,
    },
    /// Arge, Goodrich, Nelson, Sitchinava 2008.
    Pem {
        /// M: words of a processor's cache.
        size: u64,
        /// B: words of a line.
        line: u64,
        /// Which line goes.
        policy: Policy,
    },
    /// Valiant 1990.
    Bsp {
        /// P.
        processors: u64,
        /// Of elements.
        owners: Owners,
        /// g: time units a word.
        gap: u64,
        /// L: time units a superstep.
        latency: u64,
    },
    /// Culler et al. 1993; with G Alexandrov et al. 1995.
    LogP {
        /// P.
        processors: u64,
        /// Of elements.
        owners: Owners,
        /// L, o, g, and perhaps G.
        parameters: LogP,
    },
    /// Karloff, Suri, Vassilvitskii 2010.
    Mpc {
        /// Machines; as many as hold all arrays if none is given.
        processors: Option<u64>,
        /// Of elements.
        owners: Owners,
        /// S: words of a machine.
        space: u64,
    },
    /// Koike and Sadakane 2014.
    Agpu(Agpu),
    /// Ma, Agrawal, Chamberlain 2012.
    Tmm(Tmm),
    /// Williams, Waterman, Patterson 2009.
    Roofline(Device),
}

impl CostMachine {
    /// Which machine it is.
    pub const fn kind(&self) -> CostKind {
        match self {
            Self::Pram { .. } => CostKind::Pram,
            Self::WorkSpan { .. } => CostKind::WorkSpan,
            Self::IdealCache { .. } => CostKind::IdealCache,
            Self::Pem { .. } => CostKind::Pem,
            Self::Bsp { .. } => CostKind::Bsp,
            Self::LogP { parameters, .. } => match parameters.long_gap {
                None => CostKind::LogP,
                Some(_) => CostKind::LogGp,
            },
            Self::Mpc { .. } => CostKind::Mpc,
            Self::Agpu(_) => CostKind::Agpu,
            Self::Tmm(_) => CostKind::Tmm,
            Self::Roofline(_) => CostKind::Roofline,
        }
    }

    /// What arrays are aligned to, in words, if the machine says so.
    pub const fn alignment(&self) -> Option<u64> {
        match self {
            Self::IdealCache { line, .. }
            | Self::Pem { line, .. }
            | Self::Agpu(Agpu { line, .. })
            | Self::Tmm(Tmm { line, .. }) => Some(*line),
            _ => None,
        }
    }

    /// Whether loops may be [counted](CostModel::counted) for it: it asks for no order of accesses.
    pub const fn counts_loops(&self) -> bool {
        matches!(
            self,
            Self::Pram { .. } | Self::WorkSpan { .. } | Self::Bsp { .. } | Self::Roofline(_)
        )
    }

    /// Whether it runs loops on DMMs: it has multiprocessors, or parallel loops inside others.
    pub const fn runs_blocks(&self) -> bool {
        matches!(self, Self::WorkSpan { .. } | Self::Agpu(_) | Self::Tmm(_))
    }

    /// Whose value stays of several that are written to a word at once.
    pub const fn winner(&self) -> Winner {
        match self {
            Self::Pram { variant: PramVariant::Priority, .. } => Winner::Lowest,
            _ => Winner::Highest,
        }
    }

    /// The machine before anything has happened. `threads` is p.
    pub fn model<'a>(
        &self,
        program: &'a Program,
        layout: &'a Layout,
        threads: Threads,
    ) -> Box<dyn CostModel + 'a> {
        let messages = |processors, owners: &Owners| {
            messages::Supersteps::new(program, layout, threads, processors, owners)
        };
        match self {
            Self::Pram { variant, counted } => {
                Box::new(pram::Pram::new(program, layout, threads, *variant, *counted))
            }
            Self::WorkSpan { counted, spawn } => {
                Box::new(strands::WorkSpan::new(*counted, *spawn, threads))
            }
            Self::IdealCache { sizes, line, policy } => {
                Box::new(ideal_cache::IdealCache::new(sizes.clone(), *line, *policy))
            }
            Self::Pem { size, line, policy } => Box::new(pem::Pem::new(*size, *line, *policy)),
            Self::Bsp { processors, owners, gap, latency } => {
                Box::new(bsp::Bsp::new(messages(*processors, owners), *gap, *latency))
            }
            Self::LogP { processors, owners, parameters } => {
                Box::new(logp::LogPModel::new(messages(*processors, owners), *parameters))
            }
            Self::Mpc { processors, owners, space } => {
                let processors =
                    processors.unwrap_or_else(|| mpc::machines(program, layout, *space));
                Box::new(mpc::Mpc::new(messages(processors, owners), *space))
            }
            Self::Agpu(parameters) => Box::new(agpu::AgpuModel::new(program, layout, *parameters)),
            Self::Tmm(parameters) => Box::new(tmm::TmmModel::new(layout, *parameters)),
            Self::Roofline(device) => {
                Box::new(roofline::Roofline::new(program, layout, device.clone()))
            }
        }
    }

    /// Its parameters, each by the name of its flag.
    pub fn parameters(&self) -> Vec<(&'static str, Value)> {
        let owned = |processors: u64, owners: &Owners| {
            vec![("processors", processors.into()), ("owner", Value::Text(owners.to_string()))]
        };
        match self {
            Self::Pram { variant, counted } => vec![
                ("pram", Value::Text(variant.to_string())),
                ("cost", Value::Text(counted.to_string())),
            ],
            Self::WorkSpan { counted, spawn } => vec![
                ("cost", Value::Text(counted.to_string())),
                ("spawn", Value::Text(spawn.to_string())),
            ],
            Self::IdealCache { sizes, line, policy } => {
                let sizes = match sizes[..] {
                    [one] => one.into(),
                    _ => Value::List(sizes.iter().map(|&it| it.into()).collect()),
                };
                vec![
                    ("cache", sizes),
                    ("line", (*line).into()),
                    ("policy", Value::Text(policy.to_string())),
                ]
            }
            Self::Pem { size, line, policy } => vec![
                ("cache", (*size).into()),
                ("line", (*line).into()),
                ("policy", Value::Text(policy.to_string())),
            ],
            Self::Bsp { processors, owners, gap, latency } => {
                let mut found = owned(*processors, owners);
                found.extend([("g", (*gap).into()), ("L", (*latency).into())]);
                found
            }
            Self::LogP { processors, owners, parameters } => {
                let LogP { latency, overhead, gap, long_gap } = *parameters;
                let mut found = owned(*processors, owners);
                let known = [("L", latency), ("o", overhead), ("g", gap)];
                found.extend(known.map(|(name, value)| (name, value.into())));
                found.extend(long_gap.map(|it| ("G", it.into())));
                found
            }
            Self::Mpc { processors, owners, space } => {
                let mut found = vec![("space", (*space).into())];
                found.extend(processors.map(|it| ("processors", it.into())));
                found.push(("owner", Value::Text(owners.to_string())));
                found
            }
            Self::Agpu(parameters) => parameters.parameters(),
            Self::Tmm(parameters) => parameters.parameters(),
            Self::Roofline(device) => device.parameters(),
        }
    }
}
