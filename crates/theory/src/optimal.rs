//! Algorithm UMM-OPT (Nakano 2013, Section V): its sequential memory accesses, and the lower bound
//! of Theorem 3 with constants.

use super::profile::{Profile, SequentialAccess};
use super::{Bound, BoundKind, Instance};
use memory_machine_core::language::program::Program;

/// The accesses of UMM-OPT as Table I has them, with the entries that `docs/errata.md` corrects.
/// Equal to what the listing does (tested), in time O(n²) where running it takes O(n³). `None` if
/// the program lacks the phases A … F.
pub fn table_one(program: &Program, n: u64) -> Option<Profile> {
    let phase = |name: &str| program.phases.iter().position(|it| it == name).map(|it| it as u32);
    let [a, b, c, d, e, f] = ["A", "B", "C", "D", "E", "F"].map(phase);
    let (a, b, c, d, e, f) = (a?, b?, c?, d?, e?, f?);
    let mut profile = Profile::default();
    let mut add = |phase, length: u64, fragmentation: u64, times| {
        profile.add(SequentialAccess { phase, lanes: length, length, fragmentation }, times);
    };
    add(a, n.saturating_sub(1) * n.saturating_sub(2) / 2, n.saturating_sub(3), 1);
    add(b, n.saturating_sub(1), n.saturating_sub(2), 1);
    for r in 1..n.saturating_sub(1) {
        add(c, n - r, n - r - 1, 1);
        add(c, n - r, 0, 1);
        let length = (1..n - r).map(|i| (n - 1).min(i + 2 * r - 1) - (i + r) + 1).sum();
        let rows = n.saturating_sub(r + 2);
        add(d, length, rows, 4);
        add(e, length, rows, 3);
        add(e, length, if r < 4 { 0 } else { (n - r).saturating_sub(4) }, 1);
        add(f, n - r - 1, rows, 3);
    }
    // One iteration's accesses: 1 in A (from n = 3 on) and B, 2 in C, 4 in D and E, 3 in F.
    profile.chain = u128::from(n >= 2) + u128::from(n >= 3) + 13 * u128::from(n.saturating_sub(2));
    Some(profile)
}

/// Theorem 3 for the implementation that the listing is.
///
/// Of its accesses, `4L` in Loop D and `4L` in Loop E of each stage, a stage serves at most w and a
/// thread one in l time units; and stage r must be complete before stage r + 1 begins. Each of the
/// three is a lower bound, so their largest is, and a third of their sum.
pub fn bounds(point: &Instance<'_>) -> Vec<Bound> {
    let (Some("umm_opt"), Some(n)) = (point.shipped, point.parameter("n")) else { return vec![] };
    if n < 3 {
        return vec![];
    }
    let (p, w, l) = (point.threads(), point.width(), point.latency());
    // Triples i ≤ k < j: Σ over the lengths d of (n − 1 − d)·d, and each is relaxed once. In D and
    // E together every triple is met once, or twice if both parts lie in diagonal r − 1.
    let triples = (n - 2) * (n - 1) * n / 6;
    let work = 4 * triples;
    let value = work.div_ceil(w).max(work.div_ceil(p) * l).max((13 * (n - 2) + 2) * l);
    vec![Bound {
        name: "dynamic programming",
        source: "Nakano 2013, Theorem 3",
        assumptions: "the table is kept in memory, four accesses a relaxation",
        kind: BoundKind::Lower,
        phase: None,
        value,
        formula: "max(4T/w, 4T·l/p, (13(n−2) + 2)·l), T = n(n−1)(n−2)/6",
    }]
}
