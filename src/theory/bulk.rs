//! Bulk execution of sequential programs (Tani et al. 2014, Lemma 1, Theorems 2 and 3,
//! Corollary 5).
//!
//! All p threads make the same `t = accesses/p` accesses, each thread on its own input. The lower
//! bounds of Theorem 3, `pt/w` and `tl`, are those of any listing.

use super::{Bound, Instance, Kind};
use crate::language::oblivious::{Origin, first_dependence};
use crate::run::layout::Arrangement;

/// The bounds of a bulk run of an oblivious program; none of another run.
///
/// Row-wise, thread j asks for `base + j·m + a` of an array of m words. On the UMM, if `m ≥ w`,
/// addresses of different threads lie w or more apart, so each takes a stage of its own: p stages,
/// for any p. Never are there more.
///
/// Column-wise it asks for `base + a·p + j`: p neighbouring words, and base is a multiple of w. If w
/// divides p, each warp asks for one whole address group. On the DMM a warp's neighbouring words
/// lie in different banks, so each warp takes one stage, whatever p. On the UMM a warp takes at most
/// two.
pub fn bounds(point: &Instance<'_>) -> Vec<Bound> {
    let Some(bulk) = point.layout.bulk else { return vec![] };
    // Threads whose accesses depend on their inputs need not make the same ones.
    if first_dependence(point.program, Origin::Inputs).is_some() {
        return vec![];
    }
    let (p, w, l) = (point.threads(), point.width(), point.latency());
    let steps = point.accesses / p;
    let aligned = p.is_multiple_of(w);
    let smallest = point.layout.regions.iter().map(|it| u128::from(it.cells)).min().unwrap_or(0);
    let (name, assumptions, kind, stages, formula) = match bulk.arrangement {
        Arrangement::RowWise if point.is_umm() && smallest >= w => {
            ("row-wise", "every array has w words or more", point.exact(), p, "(p + l − 1)·t")
        }
        Arrangement::RowWise => ("row-wise", "", Kind::Upper, p, "(p + l − 1)·t"),
        Arrangement::ColumnWise if aligned => {
            ("column-wise", "w divides p", point.exact(), p / w, "(p/w + l − 1)·t")
        }
        Arrangement::ColumnWise if !point.is_umm() => {
            ("column-wise", "", point.exact(), p.div_ceil(w), "(⌈p/w⌉ + l − 1)·t")
        }
        Arrangement::ColumnWise => {
            let stages = p.min(2 * p.div_ceil(w));
            ("column-wise", "", Kind::Upper, stages, "(min(p, 2·⌈p/w⌉) + l − 1)·t")
        }
    };
    let time = |steps: u128| (stages + l - 1) * steps;
    let source = "Tani et al. 2014, Theorem 2";
    let value = time(steps);
    let mut bounds = vec![Bound { name, source, assumptions, kind, phase: None, value, formula }];
    let (source, known) = match point.shipped {
        Some("prefix_sums") => ("Tani et al. 2014, Lemma 1 (t = 2n)", prefix_sums(point)),
        Some("opt") => ("Tani et al. 2014, Corollary 5 (t counted from the listing)", opt(point)),
        _ => return bounds,
    };
    if let Some(steps) = known {
        let value = time(steps);
        bounds.push(Bound { name, source, assumptions, kind, phase: None, value, formula });
    }
    bounds
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
