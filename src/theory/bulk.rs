//! Bulk execution of sequential programs (Tani et al. 2014, Lemma 1, Theorems 2 and 3,
//! Corollary 5).
//!
//! All p threads make the same `t = accesses/p` accesses, each thread on its own input. The lower
//! bounds of Theorem 3, `pt/w` and `tl`, are those of any listing.

use num_integer::Integer;

use super::{Bound, Instance, Kind};
use crate::language::oblivious::{Origin, first_dependence};
use crate::machine::Mode;
use crate::run::layout::Arrangement;

/// The bounds of a bulk run of an oblivious program; none of another run.
///
/// An access takes the same stages whichever cell of an array it asks for, or nearly, so the bound is
/// exact where all arrays take the same; else it lies between those that take the least and the most.
pub fn bounds(point: &Instance<'_>) -> Vec<Bound> {
    let Some(bulk) = point.layout.bulk else { return vec![] };
    // Threads whose accesses depend on their inputs need not make the same ones.
    if first_dependence(point.program, Origin::Inputs).is_some() {
        return vec![];
    }
    let (name, formula) = match (bulk.arrangement, point.is_umm()) {
        (Arrangement::RowWise, true) => ("row-wise", "(p/w·min(m, w) + l − 1)·t"),
        (Arrangement::RowWise, false) => ("row-wise", "(p/w·gcd(m, w) + l − 1)·t"),
        (Arrangement::ColumnWise, true) => ("column-wise", "(p/w + l − 1)·t"),
        (Arrangement::ColumnWise, false) => ("column-wise", "(⌈p/w⌉ + l − 1)·t"),
    };
    let words = point.layout.regions.iter().map(|it| u128::from(it.cells)).filter(|&it| it > 0);
    let stages: Vec<[u128; 2]> = match bulk.arrangement {
        Arrangement::RowWise => words.map(|words| row_wise(point, words)).collect(),
        Arrangement::ColumnWise => vec![column_wise(point)],
    };
    let least = stages.iter().map(|it| it[0]).min().unwrap_or(0);
    let most = stages.iter().map(|it| it[1]).max().unwrap_or(0);
    let known = match point.shipped {
        Some("prefix_sums") => Some(("Tani et al. 2014, Lemma 1 (t = 2n)", prefix_sums(point))),
        Some("opt") => {
            Some(("Tani et al. 2014, Corollary 5 (t counted from the listing)", opt(point)))
        }
        _ => None,
    };
    let counted = ("Tani et al. 2014, Theorem 2", Some(point.accesses / point.threads()));
    let mut bounds = vec![];
    for (source, steps) in [Some(counted), known].into_iter().flatten() {
        let Some(steps) = steps else { continue };
        let mut push = |kind, assumptions, stages: u128| {
            let value = (stages + point.latency() - 1) * steps;
            let phase = None;
            bounds.push(Bound { name, source, assumptions, kind, phase, value, formula });
        };
        if least == most {
            push(point.exact(), "every array of m words", most);
        } else {
            if point.mode == Mode::Sync {
                push(Kind::Lower, "m the words for which it is least", least);
            }
            push(Kind::Upper, "m the words for which it is most", most);
        }
    }
    bounds
}

/// The least and the most stages of p threads that ask for `base + j·m + a`, j < p, a < m.
///
/// On the UMM, where m ≥ w, each thread takes an address group of its own. Where m < w, successive
/// threads are in one address group or in neighbouring ones, so r threads of a warp take
/// `⌊((r − 1)·m + a)/w⌋ + 1`, which is m for a whole warp. On the DMM, neighbours in a warp are m
/// banks apart: they come back to a bank after `w/gcd(m, w)` threads.
fn row_wise(point: &Instance<'_>, words: u128) -> [u128; 2] {
    let (p, w) = (point.threads(), point.width());
    let (warps, rest) = (p / w, p % w);
    if !point.is_umm() {
        let shared = words.gcd(&w);
        return [warps * shared + (rest * shared).div_ceil(w); 2];
    }
    if words >= w {
        return [p; 2];
    }
    let of_rest =
        [((rest.max(1) - 1) * words) / w + u128::from(rest > 0), (rest * words).div_ceil(w)];
    of_rest.map(|it| warps * words + it)
}

/// Likewise where they ask for `base + a·p + j`, p neighbouring words, and base is a multiple of w.
/// If w divides p, each warp asks for one whole address group. On the DMM a warp's neighbouring words
/// lie in different banks. On the UMM a warp takes at most two stages.
fn column_wise(point: &Instance<'_>) -> [u128; 2] {
    let (p, w) = (point.threads(), point.width());
    let least = p.div_ceil(w);
    [least, if p.is_multiple_of(w) || !point.is_umm() { least } else { p.min(2 * least) }]
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
