//! Fixed patterns: contiguous access, matrix transpose and product, permutation.

use super::{Bound, BoundKind, Instance};
use memory_machine_core::machine::Mode;

/// The bounds of the shipped listings that are such patterns.
pub fn bounds(point: &Instance<'_>) -> Vec<Bound> {
    let bounds = match point.shipped {
        Some("sequential_access") => contiguous(point),
        Some("transpose") => transpose(point),
        Some("matrix_multiply") => matrix_multiply(point),
        Some("permute") => permute(point),
        _ => None,
    };
    bounds.unwrap_or_default()
}

/// Contiguous access of n words (`f = 0`), read and written. Arrays begin at multiples of w. If w
/// divides p, each warp has one address group; on the DMM neighbouring words lie in different banks
/// anyhow.
fn contiguous(point: &Instance<'_>) -> Option<Vec<Bound>> {
    let (n, f) = (point.parameter("n")?, point.parameter("f")?);
    let aligned = point.threads().is_multiple_of(point.width()) || !point.is_umm();
    if f > 0 || !aligned {
        return Some(vec![]);
    }
    let value = 2 * (point.warps(n) + point.rounds(n) * (point.latency() - 1));
    Some(vec![Bound {
        name: "contiguous access",
        source: "Nakano 2012 (IPDPSW), contiguous memory access",
        assumptions: "f = 0; w divides p, or DMM",
        kind: point.exact(),
        phase: None,
        value,
        formula: "2·(warps + ⌈n/p⌉·(l − 1))",
    }])
}

/// Transpose of an n × n matrix where w divides n and p, so that a warp's w threads stay in one row
/// of iterations and begin at a multiple of w.
///
/// By rows a warp reads one address group, w banks, and writes w words that lie n ≥ w apart: w
/// address groups, and one bank as w divides n. By columns the same the other way round. By
/// diagonals both its reads and its writes lie in w rows: w address groups each; but in w banks, as
/// w neighbouring columns (mod n, which w divides) are.
fn transpose(point: &Instance<'_>) -> Option<Vec<Bound>> {
    let (n, w) = (point.parameter("n")?, point.width());
    if !n.is_multiple_of(w) || !point.threads().is_multiple_of(w) || point.mode == Mode::Async {
        return Some(vec![]);
    }
    let latency = 2 * point.rounds(n * n) * (point.latency() - 1);
    let (straight, stride) = (n * n / w, n * n);
    let diagonal = if point.is_umm() { 2 * stride } else { 2 * straight };
    let bound = |phase: &str, stages: u128, formula| Bound {
        name: "transpose",
        source: "Nakano 2012 (IPDPSW), Section IV",
        assumptions: "w divides n and p; synchronous",
        kind: BoundKind::Exact,
        phase: Some(phase.to_owned()),
        value: stages + latency,
        formula,
    };
    let one_way = "n²/w + n² + 2·⌈n²/p⌉·(l − 1)";
    let diagonally = if point.is_umm() {
        "2n² + 2·⌈n²/p⌉·(l − 1)"
    } else {
        "2n²/w + 2·⌈n²/p⌉·(l − 1)"
    };
    Some(vec![
        bound("row", straight + stride, one_way),
        bound("column", straight + stride, one_way),
        bound("diagonal", diagonal, diagonally),
    ])
}

/// Product of n × n matrices, one thread an element. For each k, a warp reads words of column k of
/// a, the same word in all of a row of iterations, and a stretch of row k of b. A row of iterations
/// ends n − 1 times, a gap each in both (Theorem 1). If w divides n and p, a warp stays in one row
/// of iterations: one word of a, one address group and w banks of b and of c.
fn matrix_multiply(point: &Instance<'_>) -> Option<Vec<Bound>> {
    let (n, w) = (point.parameter("n")?, point.width());
    let warps = point.warps(n * n);
    let latency = (2 * n + 1) * point.rounds(n * n) * (point.latency() - 1);
    let factor = point.stages_of_neighbours();
    let mut bounds = vec![Bound {
        name: "matrix product",
        source: "Nakano 2013, Theorem 1, for 2n reads and a write of n² words",
        assumptions: "",
        kind: BoundKind::Upper,
        phase: None,
        value: factor * (2 * n * (warps + n - 1) + warps) + latency,
        formula: if point.is_umm() {
            "4n·(warps + n − 1) + 2·warps + (2n + 1)·⌈n²/p⌉·(l − 1)"
        } else {
            "2n·(warps + n − 1) + warps + (2n + 1)·⌈n²/p⌉·(l − 1)"
        },
    }];
    if n.is_multiple_of(w) && point.threads().is_multiple_of(w) {
        bounds.push(Bound {
            name: "matrix product",
            source: "proven here",
            assumptions: "w divides n and p",
            kind: point.exact(),
            phase: None,
            value: (2 * n + 1) * n * n / w + latency,
            formula: "(2n + 1)·(n²/w + ⌈n²/p⌉·(l − 1))",
        });
    }
    Some(bounds)
}

/// Permutation: two contiguous reads, and a write whose n addresses are all different: at most as
/// many stages as requests.
fn permute(point: &Instance<'_>) -> Option<Vec<Bound>> {
    let n = point.parameter("n")?;
    let (warps, rounds) = (point.warps(n), point.rounds(n));
    let stages = 2 * n.min(point.stages_of_neighbours() * warps) + n;
    Some(vec![Bound {
        name: "permutation",
        source: "Nakano 2012 (IPDPSW), off-line permutation; for any permutation",
        assumptions: "",
        kind: BoundKind::Upper,
        phase: None,
        value: stages + 3 * rounds * (point.latency() - 1),
        formula: if point.is_umm() {
            "2·min(n, 2·warps) + n + 3·⌈n/p⌉·(l − 1)"
        } else {
            "2·warps + n + 3·⌈n/p⌉·(l − 1)"
        },
    }])
}
