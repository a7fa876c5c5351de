//! The recurrence as it stands, to check faster engines against.

/// The table `M` of the recurrence in [`super`], `n × n` row-major; cells that the papers do not
/// define are 0.
///
/// Each cell is exactly `min over k of (M[i][k] + M[k+1][j])`, then `+ c[i−1][j]`, in `f32`. The
/// minimum does not depend on the order of `k`, so any engine that keeps these two additions must
/// give the same bits. Infinite weights give infinite cells, never NaN.
///
/// `O(n³)` time.
pub fn table(n: usize, c: &[f32]) -> Vec<f32> {
    let mut m = vec![0.0; n * n];
    fill(n, c, &mut m);
    m
}

/// The same into a table of which row and column 0 and the part below the diagonal are left alone.
pub fn fill(n: usize, c: &[f32], m: &mut [f32]) {
    for i in 1..n {
        m[i * n + i] = 0.0;
    }
    for i in (1..n.saturating_sub(1)).rev() {
        for j in i + 1..n {
            let mut least = f32::INFINITY;
            for k in i..j {
                least = least.min(m[i * n + k] + m[(k + 1) * n + j]);
            }
            m[i * n + j] = least + c[(i - 1) * n + j];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::paper;
    use super::table;

    #[test]
    fn papers_table() {
        assert_eq!(table(paper::N, paper::weights().as_slice()), paper::TABLE.concat());
    }
}
