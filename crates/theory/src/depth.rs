//! How many accesses must follow one another: a lower bound of the time that no number of threads
//! beats.
//!
//! The *depth* of a run is the number of accesses on the longest chain in which each needs the one
//! before it:
//!
//! - a read needs the last write of its cell;
//! - a write needs the reads from which its value was computed, through registers, however long ago;
//! - both need the reads from which their address, and the conditions under which they happen
//!   (`if`, `while`, loop bounds), were computed.
//!
//! Registers are free, so only accesses count. `if r < s then s ← r` makes `s` depend on the reads
//! behind `r` and behind `s` whichever is smaller: one of them is selected by comparing both. That a
//! word is written again is no reason to wait (a renamed copy would do), nor is the order in which
//! one thread happens to make its accesses.
//!
//! An access is complete `l` time units after its last stage enters the pipeline, at the earliest,
//! and what needs it is dispatched then at the earliest. So **depth · l time units** is a lower
//! bound for the UMM and the DMM, of every width, with any number of threads. It generalises the
//! term Ω(nl) of Nakano 2013, Theorem 3.
//!
//! A thread, however, waits for each of its accesses before it makes the next. With p threads the
//! accesses of all threads together therefore take at least **accesses · l / p** time units (Nakano
//! 2013, Section V: "p threads can access at most p numbers in l time units"). For `prefix_sums`
//! that is what counts: its depth is 2 (a read, then a write of a sum kept in a register), but its
//! one thread makes 2n accesses, and 2n·l is the term `lt` of its bulk execution (Tani et al. 2014).
//! Depth does not see it, because a machine with more threads need not pay it.
//!
//! The chain is that of one run, with one thread an iteration. If iterations race (`umm check`), so
//! that another number of threads makes other accesses need one another, the bound holds for the
//! synchronous run of that number of threads alone.

use std::fmt;

use super::def_use::{DefUseTracker, Event, Needs, Recorder};
use memory_machine_core::diagnostic::Located;
use memory_machine_core::language::program::{Program, Site};
use memory_machine_core::language::syntax::Role;
use memory_machine_core::run::layout::Layout;
use memory_machine_core::run::memory::Memory;
use memory_machine_core::run::{self, Limits, Observer};

/// The number of accesses on the longest chain of dependences; `memory` holds the inputs before and
/// the outputs after. The accesses themselves are not kept: memory grows with the words written and
/// the registers of the threads, time is that of a run, times a small factor.
///
/// `limits.threads` should be as many as there are iterations, unless a run with fewer threads is
/// what is asked about.
///
/// # Errors
/// Those of [`run::execute`].
pub fn depth(
    program: &Program,
    layout: &Layout,
    memory: &mut Memory,
    limits: Limits,
) -> Result<u64, Box<Located>> {
    deepest(program, layout, memory, limits, vec![1; program.sites.len()])
}

/// The time units that the longest chain of dependences takes on an HMM, whose accesses each wait
/// for the one before: `latencies` are those of the global memory and of the DMMs' memories. A chain
/// of more than 2³² time units is cut to as many.
///
/// # Errors
/// Those of [`run::execute`].
pub fn longest_wait(
    program: &Program,
    layout: &Layout,
    memory: &mut Memory,
    limits: Limits,
    latencies: [u64; 2],
) -> Result<u64, Box<Located>> {
    let [global, shared] = latencies.map(|it| u32::try_from(it).unwrap_or(u32::MAX));
    let latency = |site: &Site| match program.arrays[site.array.0].role {
        Role::Shared => shared,
        _ => global,
    };
    deepest(program, layout, memory, limits, program.sites.iter().map(latency).collect())
}

fn deepest(
    program: &Program,
    layout: &Layout,
    memory: &mut Memory,
    limits: Limits,
    of_sites: Vec<u32>,
) -> Result<u64, Box<Located>> {
    program.without_atomics("chains of dependences")?;
    program.without_vectors("chains of dependences")?;
    program.without_warp_words("chains of dependences")?;
    let mut tracker = DefUseTracker::new(program, Deepest { depth: 0, of_sites });
    run::execute(program, layout, memory, limits, &mut tracker as &mut dyn Observer)?;
    Ok(tracker.recorder.depth.into())
}

/// An access is known by its own depth.
struct Deepest {
    depth: u32,
    /// What an access adds, by its site.
    of_sites: Vec<u32>,
}

impl Recorder for Deepest {
    type Reads = u32;

    fn join(into: &mut u32, other: &u32) {
        *into = (*into).max(*other);
    }

    fn one(access: u32) -> u32 {
        access
    }

    fn record(&mut self, event: &Event, needs: &Needs<'_, u32>) -> u32 {
        let Needs { written, value, address, condition } = needs;
        let value = value.copied().unwrap_or(0);
        let before = written.unwrap_or(0).max(value).max(**address).max(**condition);
        let depth = before.saturating_add(self.of_sites[event.site.0]);
        self.depth = self.depth.max(depth);
        depth
    }
}

/// How the depth grows with one parameter `n`, where it follows a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Growth {
    /// `(a·n² + b·n + c) / 2`.
    Polynomial {
        /// `[a, b, c]`.
        twice: [i64; 3],
    },
    /// `factor · ⌊log₂ n⌋ + constant`
    FloorLog {
        /// Of the logarithm.
        factor: i64,
        /// What is added.
        constant: i64,
    },
    /// `factor · ⌈log₂ n⌉ + constant`
    CeilLog {
        /// Of the logarithm.
        factor: i64,
        /// What is added.
        constant: i64,
    },
}

impl Growth {
    /// The depth at `n ≥ 1`; `None` on overflow.
    pub fn at(self, n: i64) -> Option<i64> {
        let log = |ceiling: bool| {
            let floor = i64::from(n.checked_ilog2()?);
            Some(floor + i64::from(ceiling && n.count_ones() > 1))
        };
        match self {
            Self::Polynomial { twice: [a, b, c] } => {
                let sum = a.checked_mul(n)?.checked_add(b)?.checked_mul(n)?.checked_add(c)?;
                Some(sum / 2)
            }
            Self::FloorLog { factor, constant } => {
                factor.checked_mul(log(false)?)?.checked_add(constant)
            }
            Self::CeilLog { factor, constant } => {
                factor.checked_mul(log(true)?)?.checked_add(constant)
            }
        }
    }

    /// The formula that all samples `(n, depth)` follow exactly: constant, linear or quadratic by
    /// finite differences, else a logarithm. The samples are at successive `n`.
    ///
    /// `None` if no such formula does, or if there are fewer than eight samples: three would
    /// follow some polynomial in any case.
    pub fn fit(samples: &[(i64, u64)]) -> Option<Self> {
        let depths: Vec<i64> = samples
            .iter()
            .map(|&(_, depth)| i64::try_from(depth))
            .collect::<Result<_, _>>()
            .ok()?;
        let successive = samples.windows(2).all(|pair| pair[1].0 == pair[0].0 + 1);
        let [first, second, third, ..] = *depths.as_slice() else { return None };
        let from = samples[0].0;
        if samples.len() < 8 || !successive || from < 1 {
            return None;
        }
        // d(from + m) = first + m·Δ + m(m − 1)/2·Δ².
        let (step, bend) = (second - first, third - 2 * second + first);
        let linear = 2 * step - bend;
        let polynomial = Self::Polynomial {
            twice: [bend, linear - 2 * from * bend, 2 * first - linear * from + bend * from * from],
        };
        let last = *depths.last()?;
        let logarithm = |new: fn(i64, i64) -> Self| {
            let rise = |n: i64| new(1, 0).at(n);
            let (low, high) = (rise(from)?, rise(samples.last()?.0)?);
            let factor = (last - first).checked_div(high - low)?;
            Some(new(factor, first - factor * low))
        };
        let candidates = [
            Some(polynomial),
            logarithm(|factor, constant| Self::FloorLog { factor, constant }),
            logarithm(|factor, constant| Self::CeilLog { factor, constant }),
        ];
        let follows = |growth: &Self| {
            samples.iter().zip(&depths).all(|(&(n, _), &depth)| growth.at(n) == Some(depth))
        };
        candidates.into_iter().flatten().find(follows)
    }
}

/// A sum of terms as people write it.
fn sum(terms: &[(i64, &str)]) -> String {
    let mut text = String::new();
    for &(factor, term) in terms.iter().filter(|(factor, _)| *factor != 0) {
        text += match (text.is_empty(), factor < 0) {
            (true, true) => "−",
            (true, false) => "",
            (false, true) => " − ",
            (false, false) => " + ",
        };
        text += &match (factor.unsigned_abs(), term) {
            (size, "") => size.to_string(),
            (1, term) => term.to_owned(),
            (size, term) => format!("{size}·{term}"),
        };
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match *self {
            Self::Polynomial { twice } => {
                let [a, b, c] = twice;
                if twice.iter().all(|it| it % 2 == 0) {
                    sum(&[(a / 2, "n²"), (b / 2, "n"), (c / 2, "")])
                } else {
                    format!("({}) / 2", sum(&[(a, "n²"), (b, "n"), (c, "")]))
                }
            }
            Self::FloorLog { factor, constant } => sum(&[(factor, "⌊log₂ n⌋"), (constant, "")]),
            Self::CeilLog { factor, constant } => sum(&[(factor, "⌈log₂ n⌉"), (constant, "")]),
        };
        f.write_str(&text)
    }
}

/// The depths of runs at successive sizes, and the formula that they follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DepthGrowth {
    /// Parameter and depth, by ascending parameter.
    pub samples: Vec<(i64, u64)>,
    /// A formula that reproduces every sample exactly; beyond the samples it is an extrapolation.
    pub growth: Option<Growth>,
}

/// The depth at each of `sizes`, which are successive; `prepare` gives the layout and the filled
/// memory for a size.
///
/// # Errors
/// Those of `prepare` and of [`depth`].
pub fn depth_growth<E: From<Box<Located>>>(
    program: &Program,
    sizes: impl IntoIterator<Item = i64>,
    limits: Limits,
    mut prepare: impl FnMut(i64) -> Result<(Layout, Memory), E>,
) -> Result<DepthGrowth, E> {
    let mut samples = vec![];
    for n in sizes {
        let (layout, mut memory) = prepare(n)?;
        samples.push((n, depth(program, &layout, &mut memory, limits)?));
    }
    let growth = Growth::fit(&samples);
    Ok(DepthGrowth { samples, growth })
}
