//! What holds for any listing, the user's own included.
//!
//! Let a run make `accesses` requests. A stage belongs to one warp's access, and a warp has at most
//! w threads, so a stage serves at most w requests, merged ones included:
//! `stages ≥ accesses / w`.

use super::{Bound, BoundKind, HERE, Instance, bound};
use memory_machine_core::machine::Mode;

/// The bounds of any listing.
pub fn bounds(point: &Instance<'_>) -> Vec<Bound> {
    if point.accesses == 0 {
        return vec![];
    }
    let mut bounds = vec![bandwidth(point), threads(point)];
    bounds.extend(chain(point));
    bounds.extend(depth(point));
    if point.mode == Mode::Sync {
        bounds.push(together(point));
    }
    bounds.extend(alone(point));
    bounds.extend(requests(point));
    bounds.extend(sequential_accesses(point));
    bounds
}

/// Bandwidth. In either mode at most one stage enters the pipeline in a time unit, so the last of
/// at least `⌈accesses/w⌉` stages enters in time unit `⌈accesses/w⌉ − 1` or later (counted from 0)
/// and is complete l time units later. Idle threads only leave stages with fewer requests.
/// Synchronously the steps' `Σ (stages + l − 1)` is no less.
fn bandwidth(point: &Instance<'_>) -> Bound {
    let value = point.accesses.div_ceil(point.width()) + point.latency() - 1;
    bound("bandwidth", HERE, "", BoundKind::Lower, value, "⌈accesses/w⌉ + l − 1")
}

/// Threads. Some thread makes at least `⌈accesses/p⌉` of the requests. A thread has one request at
/// a time: its warp's next access begins when the last is complete (asynchronously), or in a later
/// step (synchronously), and each takes `k + l − 1 ≥ l` time units. A request that merges with
/// others still takes its thread these l time units.
fn threads(point: &Instance<'_>) -> Bound {
    let value = point.accesses.div_ceil(point.threads()) * point.latency();
    bound("threads", HERE, "", BoundKind::Lower, value, "⌈accesses/p⌉·l")
}

/// Barriers. What lies outside parallel nests is one thread's, and nests stand between barriers;
/// in a nest, the thread that has the iteration with most accesses makes them one after another.
fn chain(point: &Instance<'_>) -> Option<Bound> {
    let value = point.profile?.chain * point.latency();
    Some(bound("chain", HERE, "", BoundKind::Lower, value, "chain·l"))
}

/// Dependences: accesses of which each needs the last one's outcome take l time units each.
fn depth(point: &Instance<'_>) -> Option<Bound> {
    let value = point.depth? * point.latency();
    Some(bound(
        "depth",
        "Nakano 2013, Theorem 3 (third term)",
        "",
        BoundKind::Lower,
        value,
        "depth·l",
    ))
}

/// Bandwidth and threads together, synchronously: a step with a request takes its stages and
/// `l − 1` more, and there are at least `⌈accesses/p⌉` such steps, as each has at most p requests;
/// and at least as many as accesses in the chain.
fn together(point: &Instance<'_>) -> Bound {
    let chain = point.profile.map_or(0, |it| it.chain).max(point.depth.unwrap_or(0));
    let steps = point.accesses.div_ceil(point.threads()).max(chain);
    let value = point.accesses.div_ceil(point.width()) + steps * (point.latency() - 1);
    let formula = "⌈accesses/w⌉ + max(⌈accesses/p⌉, chain)·(l − 1)";
    bound("bandwidth and latency", HERE, "synchronous", BoundKind::Lower, value, formula)
}

/// A sequential program has one request in the machine at a time: l time units each, in either
/// mode.
fn alone(point: &Instance<'_>) -> Option<Bound> {
    let alone = point.layout.bulk.is_none() && point.program.first_parallel_loop().is_none();
    let value = point.accesses * point.latency();
    let assumptions = "no parallel loop";
    alone.then(|| bound("one thread", HERE, assumptions, BoundKind::Exact, value, "accesses·l"))
}

/// A warp's access takes at most as many stages as requests, and a step `l − 1` more: no run is
/// longer than one request at a time. Asynchronous runs are no longer than synchronous ones.
fn requests(point: &Instance<'_>) -> Option<Bound> {
    let steps: u128 = match (point.profile, point.layout.bulk) {
        (Some(profile), None) => {
            let rounds = |(shape, times): (&super::profile::SequentialAccess, &u128)| {
                times * point.rounds(shape.lanes.into()).min(shape.length.into())
            };
            profile.shapes.iter().map(rounds).sum()
        }
        _ => point.accesses,
    };
    let value = point.accesses + steps * (point.latency() - 1);
    Some(bound("requests", HERE, "", BoundKind::Upper, value, "accesses + steps·(l − 1)"))
}

/// Sequential memory access (Nakano 2013, Theorem 1, with the constants of its proof), summed over
/// all accesses of the program, by phase and in total.
///
/// Take one access with fragmentation f, p threads, any w. A warp's requests in a round, at most w,
/// fall into `1 + f_j` stretches without gap, where `f_j` is the number of gaps between neighbours
/// of the same warp and round; `Σ f_j ≤ f`. A stretch of `m ≤ w` requests without gap covers at
/// most m neighbouring words: two address groups at most (UMM), and in each bank one word at most
/// (DMM). So with `c = 2` (UMM) or 1 (DMM) all stages are at most `c·(warps + f)`, where a round of
/// q threads has `⌈q/w⌉` warps; p need not be a multiple of w. They are also at most as many as
/// requests. Idle iterations are left out of the sequence: those beside them are neighbours then,
/// and the argument stands.
fn sequential_accesses(point: &Instance<'_>) -> Vec<Bound> {
    let (Some(profile), None) = (point.profile, point.layout.bulk) else { return vec![] };
    let mut phases = vec![0_u128; point.program.phases.len()];
    for (shape, times) in &profile.shapes {
        let warps = point.warps(shape.lanes.into());
        let all = point.stages_of_neighbours() * (warps + u128::from(shape.fragmentation));
        let stages = all.min(shape.length.into());
        let time = stages + point.rounds(shape.lanes.into()) * (point.latency() - 1);
        phases[shape.phase as usize] += times * time;
    }
    let formula = if point.is_umm() {
        "Σ over accesses of min(length, 2f + Σ over rounds of 2·warps) + rounds·(l − 1)"
    } else {
        "Σ over accesses of min(length, f + Σ over rounds of warps) + rounds·(l − 1)"
    };
    let source = if point.is_umm() {
        "Nakano 2013, Theorem 1"
    } else {
        "Nakano 2013, Theorem 1, carried over to the DMM"
    };
    let name = "sequential memory access";
    let total = phases.iter().sum();
    let mut bounds = vec![bound(name, source, "", BoundKind::Upper, total, formula)];
    if point.mode == Mode::Sync && phases.len() > 1 {
        for (phase, value) in point.program.phases.iter().zip(phases) {
            let phase = Some(phase.clone());
            let assumptions = "synchronous";
            let of_all = bound(name, source, assumptions, BoundKind::Upper, value, formula);
            bounds.push(Bound { phase, ..of_all });
        }
    }
    bounds
}
