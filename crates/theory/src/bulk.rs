//! Bulk execution of sequential programs (Tani et al. 2014, Lemma 1, Theorems 2 and 3,
//! Corollary 5).
//!
//! All p threads make the same `t = accesses/p` accesses, each thread on its own input. The lower
//! bounds of Theorem 3, `pt/w` and `tl`, are those of any listing.
//!
//! Threads of a semi-oblivious program skip some of them: each of the t steps in which any thread
//! accesses takes what it would take with all threads, or less.

use num_integer::Integer;

use super::{Bound, BoundKind, Instance, bound};
use memory_machine_core::language::oblivious::{Origin, first_dependence};
use memory_machine_core::machine::Mode;
use memory_machine_core::run::layout::Arrangement;

/// What the steps of a run take, all alike or between two: kind, assumptions, stages, formula.
type Stages = Vec<(BoundKind, &'static str, u128, &'static str)>;

/// The bounds of a bulk run of an oblivious program, and of a semi-oblivious one whose steps are known;
/// none of another run.
pub fn bounds(point: &Instance<'_>) -> Vec<Bound> {
    let Some(bulk) = point.layout.bulk else { return vec![] };
    let is_oblivious = first_dependence(point.program, Origin::Inputs).is_none();
    let counted = match point.steps {
        _ if is_oblivious => {
            ("Tani et al. 2014, Theorem 2", Some(point.accesses / point.threads()))
        }
        Some(steps) => {
            ("Tani et al. 2014, Theorem 2 (semi-oblivious; t steps of the run)", Some(steps))
        }
        // Threads whose accesses depend on their inputs need not make the same ones.
        None => return vec![],
    };
    let name = bulk.arrangement.name();
    let mut stages = match bulk.arrangement {
        Arrangement::RowWise => row_wise(point),
        Arrangement::ColumnWise => column_wise(point),
    };
    // Asynchronously warps do not wait for the others' steps.
    stages.retain(|it| (point.mode == Mode::Sync && is_oblivious) || it.0 != BoundKind::Lower);
    if !is_oblivious {
        stages.iter_mut().for_each(|it| it.0 = BoundKind::Upper);
    }
    let known = match point.shipped {
        Some("prefix_sums") => Some(("Tani et al. 2014, Lemma 1 (t = 2n)", prefix_sums(point))),
        Some("opt") => {
            Some(("Tani et al. 2014, Corollary 5 (t counted from the listing)", opt(point)))
        }
        _ => None,
    };
    let steps = [Some(counted), known].into_iter().flatten();
    let steps = steps.filter_map(|(source, steps)| Some((source, steps?)));
    let of = |(source, steps): (&'static str, u128)| {
        stages.iter().map(move |&(kind, assumptions, stages, formula)| {
            let value = (stages + point.latency() - 1) * steps;
            bound(name, source, assumptions, kind, value, formula)
        })
    };
    steps.flat_map(of).collect()
}

/// p threads ask for `base + j·m + a`, j < p, of an array of m words: its stages are the same whichever
/// cell a is asked for, or nearly; those of all arrays lie between the least and the most.
///
/// On the UMM, where m ≥ w, each thread takes an address group of its own. Where m < w, successive
/// threads are in one address group or in neighbouring ones, from the first of a warp on:
/// `⌊((r − 1)·m + a)/w⌋ + 1` for r threads, m for a whole warp. On the DMM, neighbours in a warp are m
/// banks apart: they come back to a bank after `w/gcd(m, w)` threads.
fn row_wise(point: &Instance<'_>) -> Stages {
    let (p, w) = (point.threads(), point.width());
    let words = || point.layout.regions.iter().map(|it| u128::from(it.words)).filter(|&it| it > 0);
    let of = |words: u128| match point.is_umm() {
        true => [(p - 1) * words.min(w) / w + 1, (p * words.min(w)).div_ceil(w)],
        false => [(p * words.gcd(&w)).div_ceil(w); 2],
    };
    let least = words().map(|it| of(it)[0]).min().unwrap_or(0);
    let most = words().map(|it| of(it)[1]).max().unwrap_or(0);
    let formula = match point.is_umm() {
        true if words().all(|it| it >= w) => {
            let assumptions = "every array has w words or more";
            return vec![(point.exact(), assumptions, p, "(p + l − 1)·t")];
        }
        true => "(⌈p·min(m, w)/w⌉ + l − 1)·t",
        false => "(⌈p·gcd(m, w)/w⌉ + l − 1)·t",
    };
    if least == most {
        return vec![(point.exact(), "every array has m words, or takes as long", most, formula)];
    }
    let at_least = if point.is_umm() { "(⌊(p − 1)·min(m, w)/w⌋ + l)·t" } else { formula };
    vec![
        (BoundKind::Lower, "the array of m words that takes the least", least, at_least),
        (BoundKind::Upper, "the array of m words that takes the most", most, formula),
    ]
}

/// They ask for `base + a·p + j`: p neighbouring words, and base is a multiple of w. If w divides p,
/// each warp asks for one whole address group. On the DMM a warp's neighbouring words lie in different
/// banks. On the UMM a warp takes at most two stages.
fn column_wise(point: &Instance<'_>) -> Stages {
    let (p, w) = (point.threads(), point.width());
    let (least, formula) = (p.div_ceil(w), "(⌈p/w⌉ + l − 1)·t");
    if p.is_multiple_of(w) {
        vec![(point.exact(), "w divides p", least, "(p/w + l − 1)·t")]
    } else if !point.is_umm() {
        vec![(point.exact(), "", least, formula)]
    } else {
        let most = p.min(2 * least);
        vec![
            (BoundKind::Lower, "", least, formula),
            (BoundKind::Upper, "", most, "(min(p, 2·⌈p/w⌉) + l − 1)·t"),
        ]
    }
}

/// A read and a write of each number.
fn prefix_sums(point: &Instance<'_>) -> Option<u128> {
    Some(2 * point.parameter("n")?)
}

/// `n − 1` writes of 0, and for each `M[i, j]` with `d = j − i > 0`, of which there are `n − 1 − d`,
/// 2d reads of M, one of c and one write.
fn opt(point: &Instance<'_>) -> Option<u128> {
    let n = point.parameter("n")?;
    Some((n - 1) + (1..n - 1).map(|d| (n - 1 - d) * (2 * d + 2)).sum::<u128>())
}
