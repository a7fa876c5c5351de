//! Loops on DMMs: what holds for any listing on the hierarchical memory machine, and the exact times of
//! Kasagi, Nakano, Ito 2014.

use super::{Bound, BoundKind, HERE, Instance, bound};
use memory_machine_core::machine::{Dmms, Mode};
use memory_machine_core::units::Latency;

const KASAGI: &str = "Kasagi, Nakano, Ito 2014";

/// The bounds of a listing with loops on DMMs.
///
/// A stage serves at most w requests, and each pipeline takes one stage a time unit. A thread has one
/// request at a time, so a run of T time units has room for T·P latencies where at most P threads run
/// at once. And as long as a run is not over, something is in a pipeline: no run is longer than all
/// requests one after another.
pub fn bounds(point: &Instance<'_>) -> Vec<Bound> {
    let Some(dmms) = point.machine.kind.dmms() else { return vec![] };
    let (w, l, d) = (point.width(), point.latency(), u128::from(dmms.number));
    let (shared, ls) = (point.shared.accesses, u128::from(dmms.latency.get()));
    let global = point.accesses - shared;
    let of_block = point.layout.blocks.iter().map(|it| u128::from(it.threads.get())).max();
    let in_blocks = of_block.unwrap_or(0).saturating_mul(dmms.blocks().into());
    let threads = point.threads().max(in_blocks);
    let here = |name, kind, value, formula| bound(name, HERE, "", kind, value, formula);
    let mut bounds = vec![];
    if global > 0 {
        let value = global.div_ceil(w) + l - 1;
        bounds.push(here(
            "global bandwidth",
            BoundKind::Lower,
            value,
            "⌈global accesses/w⌉ + l − 1",
        ));
    }
    if shared > 0 {
        let value = shared.div_ceil(d.saturating_mul(w)) + ls - 1;
        let formula = "⌈shared accesses/(d·w)⌉ + ls − 1";
        bounds.push(here("shared bandwidth", BoundKind::Lower, value, formula));
    }
    let latencies = global * l + shared * ls;
    let formula = "⌈(global·l + shared·ls)/max(p, d·R·q)⌉";
    bounds.push(here("threads", BoundKind::Lower, latencies.div_ceil(threads), formula));
    if let Some(wait) = point.wait {
        let formula = "Σ l, ls over the longest chain of dependences";
        bounds.push(here("depth", BoundKind::Lower, wait, formula));
    }
    bounds.push(here("requests", BoundKind::Upper, latencies, "global·l + shared·ls"));
    if point.mode == Mode::Sync && dmms.latency == Latency::ONE {
        bounds.extend(shipped(point, dmms).into_iter().flatten());
    }
    bounds
}

/// What the shipped listings take where w divides everything, a nest is one round, all blocks are
/// resident, and each DMM has as many.
fn shipped(point: &Instance<'_>, dmms: Dmms) -> Option<Vec<Bound>> {
    let (w, l, d) = (point.width(), point.latency(), u128::from(dmms.number));
    let [n, q] = [point.parameter("n")?, point.parameter("q")?];
    let fit = |blocks: u128| blocks <= dmms.blocks().into() && blocks.is_multiple_of(d);
    let bound = |name, assumptions, kind, value, formula| {
        bound(name, KASAGI, assumptions, kind, value, formula)
    };
    // Words of a square.
    let words = n.checked_mul(n)?;
    let tiles = (n / w).checked_mul(n / w)?;
    match point.shipped? {
        "transpose_padded" | "transpose_diagonal"
            if point.parameter("t")? == w && n.is_multiple_of(w) && q >= w * w && fit(tiles) =>
        {
            let value = 2 * words / w + 2 * words / (d * w) + 2 * l - 2;
            let assumptions =
                "t = w, w divides n, q ≥ w², ls = 1, all blocks resident; synchronous";
            let formula = "2n²/w + 2n²/(dw) + 2l − 2";
            Some(vec![bound("transpose", assumptions, BoundKind::Exact, value, formula)])
        }
        "permute_hmm" if q.is_multiple_of(w) && n.is_multiple_of(q) && fit(n / q) => {
            let assumptions = "w divides q, q divides n, all blocks resident; synchronous";
            let time = |written: u128| written + 2 * n / w + 3 * l - 3;
            let (name, formula) = ("permutation", "D + 2n/w + 3l − 3, n/w ≤ D ≤ n");
            Some(vec![
                bound(name, assumptions, BoundKind::Lower, time(n / w), formula),
                bound(name, assumptions, BoundKind::Upper, time(n), formula),
            ])
        }
        "permute_offline"
            if point.parameter("w")? == w
                && n.is_multiple_of(w)
                && q >= n.max(w * w)
                && point.shared.stages == point.shared.dispatches
                && fit(n)
                && fit(tiles) =>
        {
            let value = 16 * words / w + 16 * words / (d * w) + 16 * l - 16;
            // Which it has none of if what it is given is a schedule.
            let assumptions =
                "w divides n, q ≥ n and w², ls = 1, all blocks resident, no conflicts; synchronous";
            let formula = "16n²/w + 16n²/(dw) + 16l − 16";
            Some(vec![bound("offline permutation", assumptions, BoundKind::Exact, value, formula)])
        }
        _ => None,
    }
}
