//! Table I of Nakano 2013: the length and fragmentation of every sequential memory access of
//! Algorithm UMM-OPT, by computation.

use memory_machine::trace::AccessKind;

use super::{Sequence, kernel, sequences};

/// `Σ` over `i` of the iterations of Loops D and E.
fn length(n: usize, r: usize) -> usize {
    (1..n - r).map(|i| (n - 1).min(i + 2 * r - 1) - (i + r) + 1).sum()
}

/// The sequences of one place of the listing, one a stage.
fn site<'a>(all: &'a [Sequence], phase: &str, kind: AccessKind, text: &str) -> Vec<&'a Sequence> {
    let found: Vec<_> =
        all.iter().filter(|it| it.phase == phase && it.kind == kind && it.site == text).collect();
    assert!(!found.is_empty(), "{phase} {text}");
    found
}

/// What is right, for every row of the table.
#[test]
fn lengths_and_fragmentations() {
    use AccessKind::{Read, Write};
    for n in 4..=24 {
        let all = sequences(&kernel("umm_opt"), n as i64);
        let check = |phase: &str, kind, text: &str, expected: &dyn Fn(usize) -> (usize, usize)| {
            for (r, found) in (1..).zip(site(&all, phase, kind, text)) {
                let found = (found.addresses.len(), found.fragmentation());
                assert_eq!(found, expected(r), "{phase} {text}, n = {n}, r = {r}");
            }
        };
        check("A", Write, "M", &|_| ((n - 1) * (n - 2) / 2, n - 3));
        check("B", Write, "M", &|_| (n - 1, n - 2));
        check("C", Read, "M[i, i+r-1]", &|r| (n - r, n - r - 1));
        check("C", Write, "b", &|r| (n - r, 0));
        for (phase, text) in [
            ("D", "M[i, j]"),
            ("D", "M[i, i+r-1]"),
            ("D", "M[i+r, j]"),
            ("E", "M[i, j]"),
            ("E", "M[i, j-r]"),
        ] {
            check(phase, Read, text, &|r| (length(n, r), n - r - 2));
        }
        for phase in ["D", "E"] {
            check(phase, Write, "M", &|r| (length(n, r), n - r - 2));
        }
        check("E", Read, "b[j-r+1]", &|r| {
            (length(n, r), if r < 4 { 0 } else { (n - r).saturating_sub(4) })
        });
        check("F", Read, "M[i, i+r]", &|r| (n - r - 1, n - r - 2));
        check("F", Read, "c[i-1, i+r]", &|r| (n - r - 1, n - r - 2));
        check("F", Write, "M", &|r| (n - r - 1, n - r - 2));
    }
}

/// The row of `M[i, i+r−1]` in Loop D: its time is printed as `O(n/w + nl/p + l)`.
#[test]
fn running_time_of_the_diagonal_in_loop_d_is_quadratic() {
    for m in [4, 8, 16, 32, 64, 128] {
        // A third of the way, the length is more than n²/7: with p and w fixed, no O(n).
        let n = 3 * m;
        assert_eq!(length(n, m), (3 * m * m - m) / 2);
        assert!(7 * length(n, m) > n * n);
    }
    let all = sequences(&kernel("umm_opt"), 48);
    let accessed = site(&all, "D", AccessKind::Read, "M[i, i+r-1]")[15];
    assert_eq!(accessed.addresses.len(), length(48, 16));
    let mut distinct = accessed.addresses.clone();
    distinct.dedup();
    assert_eq!(distinct.len(), 48 - 16 - 1, "though only n − r − 1 words are distinct");
}

/// Loop F reads diagonal `r + 1` of `c`.
#[test]
fn diagonal_of_c_in_loop_f() {
    let n = 12;
    let all = sequences(&kernel("umm_opt"), n as i64);
    // c is the second array, and with w = 1 it begins right after M.
    let base = (n * n) as u64;
    for (r, found) in (1..).zip(site(&all, "F", AccessKind::Read, "c[i-1, i+r]")) {
        for address in &found.addresses {
            let cell = (address - base) as usize;
            assert_eq!(cell % n - cell / n, r + 1);
        }
    }
}
