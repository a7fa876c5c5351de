//! Division by the width, which is fixed for a whole replay.

use crate::units::Width;

/// Divides by a fixed number with one multiplication and one correction; a hardware division is
/// several times as slow, and a replay divides a few times for every run of addresses.
#[derive(Debug, Clone, Copy)]
pub(super) struct Divisor {
    by: u64,
    /// ⌊2⁶⁴ / by⌋. For `by` = 1, 2⁶⁴ − 1: the quotient is then one short, which the correction mends.
    reciprocal: u64,
}

impl Divisor {
    pub const fn new(by: Width) -> Self {
        let by = by.get();
        let reciprocal = if by == 1 { u64::MAX } else { ((1_u128 << 64) / by as u128) as u64 };
        Self { by, reciprocal }
    }

    pub const fn get(self) -> u64 {
        self.by
    }

    /// `(n / by, n mod by)`.
    ///
    /// The reciprocal is less than 1 too small, so that `n · reciprocal / 2⁶⁴` is less than
    /// `n / 2⁶⁴ < 1` below `n / by`: the estimate is the quotient or one less.
    #[inline]
    pub const fn divide(self, n: u64) -> (u64, u64) {
        let estimate = ((n as u128 * self.reciprocal as u128) >> 64) as u64;
        let rest = n - estimate * self.by;
        let short = rest >= self.by;
        (estimate + short as u64, if short { rest - self.by } else { rest })
    }

    #[inline]
    pub const fn quotient(self, n: u64) -> u64 {
        self.divide(n).0
    }

    #[inline]
    pub const fn remainder(self, n: u64) -> u64 {
        self.divide(n).1
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn agrees(n: u64, by: u64) {
        let divisor = Divisor::new(Width::new(by).unwrap());
        assert_eq!(divisor.divide(n), (n / by, n % by), "{n} / {by}");
    }

    #[test]
    fn extremes() {
        let edges = [1, 2, 3, 5, 7, 32, 33, 1 << 40, (1 << 63) - 1, 1 << 63];
        for by in edges.into_iter().chain([u64::MAX - 1, u64::MAX]) {
            for n in edges.into_iter().chain([0, u64::MAX - 1, u64::MAX]) {
                agrees(n, by);
                agrees((n / by * by).wrapping_sub(1), by);
                agrees(n / by * by, by);
            }
        }
    }

    proptest! {
        #[test]
        fn any(n: u64, by in 1_u64.., shift in 0_u32..64) {
            agrees(n, by);
            agrees(n, (by >> shift).max(1));
        }
    }
}
