//! The recurrence of the dynamic programming, and how many triangulations there are.

use memory_machine::algorithms::opt::{paper, reference};

const N: usize = paper::N;

/// The recurrence for `M` with `M[i][j] = 0` wherever `j − i ≤ base`.
fn table(base: usize) -> Vec<Vec<f32>> {
    let c = paper::weights();
    let mut m = vec![vec![0.0; N]; N];
    for r in 1..N - 1 {
        for i in 1..N - r {
            let j = i + r;
            if r > base {
                let least = (i..j).map(|k| m[i][k] + m[k + 1][j]).fold(f32::INFINITY, f32::min);
                m[i][j] = least + c.get(i - 1, j);
            }
        }
    }
    m
}

#[test]
fn printed_base_contradicts_the_printed_table() {
    let printed = table(1);
    let right = table(0);
    assert_eq!(right.concat(), paper::TABLE.concat());
    assert_eq!(printed[1][2], 0.0);
    assert_eq!(paper::TABLE[1][2], 4.0);
    assert_eq!(right[1][N - 1], paper::OPTIMUM);
    assert_eq!(printed[1][N - 1], 2.0, "the optimum is 6");
}

/// `m[i][j]` by its own recurrence, with weight `edge` on every edge of the polygon.
fn least_weight(edge: f32) -> f32 {
    let c = |a: usize, b: usize| {
        if b == a + 1 { edge } else { paper::weights().get(a, b) }
    };
    let mut m = vec![vec![0.0_f32; N]; N];
    for r in 2..N - 1 {
        for i in 1..N - r {
            let j = i + r;
            let cost = |k: usize| m[i][k] + m[k + 1][j] + c(i - 1, k) + c(k, j);
            m[i][j] = (i..j).map(cost).fold(f32::INFINITY, f32::min);
        }
    }
    m[1][N - 1]
}

#[test]
fn recurrence_for_m_needs_edges_of_weight_zero() {
    assert_eq!(least_weight(0.0), paper::OPTIMUM);
    assert_ne!(least_weight(1.0), paper::OPTIMUM);
    assert_eq!(reference::table(N, paper::weights().as_slice())[2 * N - 1], paper::OPTIMUM);
}

/// Counts sets of `n − 3` chords of which no two cross, one chord after another.
fn triangulations(n: usize) -> u64 {
    fn extend(chords: &[(usize, usize)], chosen: &mut Vec<(usize, usize)>, missing: usize) -> u64 {
        if missing == 0 {
            return 1;
        }
        let mut count = 0;
        for (index, &(a, b)) in chords.iter().enumerate() {
            let crosses =
                |&(c, d): &(usize, usize)| (a < c && c < b && b < d) || (c < a && a < d && d < b);
            if !chosen.iter().any(crosses) {
                chosen.push((a, b));
                count += extend(&chords[index + 1..], chosen, missing - 1);
                chosen.pop();
            }
        }
        count
    }
    let chords: Vec<_> = (0..n)
        .flat_map(|a| (a + 2..n).map(move |b| (a, b)))
        .filter(|&chord| chord != (0, n - 1))
        .collect();
    assert_eq!(chords.len(), n * (n - 3) / 2);
    extend(&chords, &mut vec![], n - 3)
}

#[test]
fn number_of_triangulations_is_as_printed() {
    let factorial = |n: u64| (1..=n).product::<u64>();
    for n in 3..=9 {
        let printed =
            factorial(2 * n as u64 - 4) / (factorial(n as u64 - 1) * factorial(n as u64 - 2));
        assert_eq!(triangulations(n), printed, "n = {n}");
    }
}

#[test]
fn number_of_vertices_of_the_parts_of_a_polygon() {
    // v_{i−1} … v_j, cut at v_k.
    for (i, k, j) in [(1, 1, 2), (1, 3, 7), (2, 4, 6)] {
        let vertices = |from: usize, to: usize| to - from + 1;
        assert_eq!(vertices(i - 1, j), j - i + 2);
        assert_eq!(vertices(i - 1, k), k - i + 2);
        assert_eq!(vertices(k, j), j - k + 1);
    }
}
