//! The words of the machines and of their rules.

use crate::keyword::keywords;

/// Which machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CostKind {
    /// Parallel random access machine.
    Pram,
    /// Work and span.
    WorkSpan,
    /// Ideal-cache model.
    IdealCache,
    /// Parallel external memory.
    Pem,
    /// Bulk-synchronous parallel.
    Bsp,
    /// Latency, overhead, gap, processors.
    LogP,
    /// The same with a gap of long messages.
    LogGp,
    /// Massively parallel computation.
    Mpc,
    /// Abstract GPU.
    Agpu,
    /// Threaded many-core memory.
    Tmm,
    /// Roofline.
    Roofline,
}

keywords! { CostKind {
    Pram "pram" "PRAM: steps of p processors, and what they may do with one word at once"
    WorkSpan "work-span" "Work and span: all that is done, and the longest chain of it"
    IdealCache "ideal-cache" "Ideal cache: misses of one fully associative cache"
    Pem "pem" "Parallel external memory: transfers of p processors with caches of their own"
    Bsp "bsp" "BSP: supersteps of work, words that cross, and a barrier"
    LogP "logp" "LogP: messages of one word, with overhead, gap and latency"
    LogGp "loggp" "LogGP: the same with messages of several words"
    Mpc "mpc" "Massively parallel computation: rounds, and words that a machine holds or receives"
    Agpu "agpu" "AGPU: instructions of multiprocessors, and blocks of global memory that they access"
    Tmm "tmm" "TMM: work, span, and chunks of memory whose latency threads hide"
    Roofline "roofline" "Roofline: operations and bytes of a described device"
} }

impl CostKind {
    /// As reports name it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pram => "PRAM",
            Self::WorkSpan => "work and span",
            Self::IdealCache => "ideal cache",
            Self::Pem => "PEM",
            Self::Bsp => "BSP",
            Self::LogP => "LogP",
            Self::LogGp => "LogGP",
            Self::Mpc => "MPC",
            Self::Agpu => "AGPU",
            Self::Tmm => "TMM",
            Self::Roofline => "roofline",
        }
    }
}

/// What several threads may do with one word in one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PramVariant {
    /// Exclusive read, exclusive write.
    Erew,
    /// Concurrent read, exclusive write.
    Crew,
    /// Concurrent writes of one value.
    Common,
    /// Concurrent writes, of which the highest thread's stays.
    Arbitrary,
    /// Concurrent writes, of which the lowest thread's stays.
    Priority,
    /// Concurrent writes; those of an atomic combine.
    Combining,
}

keywords! { PramVariant {
    Erew "erew" "One thread a word"
    Crew "crew" "Several threads may read a word"
    Common "common" "Several may write one value to a word"
    Arbitrary "arbitrary" "Several may write; the highest thread's value stays"
    Priority "priority" "Several may write; the lowest thread's value stays"
    Combining "combining" "As arbitrary, and atomics of several threads at one word combine"
} }

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CountedCost {
    /// Of memory.
    Accesses,
    /// Arithmetic and logic.
    Operations,
    /// Either.
    Both,
}

keywords! { CountedCost {
    Accesses "accesses" "Accesses to memory"
    Operations "operations" "Operators that are evaluated, outside of indices and bounds"
    Both "both" "Accesses and operations"
} }

impl CountedCost {
    /// What an access costs.
    pub(super) const fn of_access(self) -> u64 {
        match self {
            Self::Accesses | Self::Both => 1,
            Self::Operations => 0,
        }
    }

    /// What an operation costs.
    pub(super) const fn of_operation(self) -> u64 {
        match self {
            Self::Operations | Self::Both => 1,
            Self::Accesses => 0,
        }
    }
}

/// Which line a full cache gives up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Policy {
    /// That which was used least recently.
    Lru,
    /// That which is used again last (Belady 1966).
    Opt,
}

keywords! { Policy {
    Lru "lru" "The line that was used least recently goes"
    Opt "opt" "The line that is used again last goes, as Belady has it"
} }

/// What the span of a parallel loop has besides that of its iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Spawn {
    /// Nothing.
    Free,
    /// ⌈log₂ N⌉ for N iterations: a binary tree of calls.
    Log,
}

keywords! { Spawn {
    Free "free" "Nothing"
    Log "log" "The base-2 logarithm of the number of iterations, rounded up"
} }
