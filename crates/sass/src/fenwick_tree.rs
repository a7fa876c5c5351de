//! Sums over a time's marks, each found in logarithmic time (a Fenwick tree).

/// Groups, and what room they take in the last-level cache, in one number: sums of both are one sum.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Marks(u64);

impl Marks {
    /// Bits of the number of groups, and of a fraction of the room of one.
    const GROUPS: u32 = 24;
    const FRACTION: f64 = 65536.0;

    pub(super) fn one(room: f64) -> Self {
        Self(1 + (((room * Self::FRACTION) as u64) << Self::GROUPS))
    }

    const fn and(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    pub(super) const fn less(self) -> Self {
        Self(self.0.wrapping_neg())
    }

    pub(super) fn groups(self) -> f64 {
        (self.0 & ((1 << Self::GROUPS) - 1)) as f64
    }

    pub(super) fn l2_groups(self) -> f64 {
        (self.0 >> Self::GROUPS) as f64 / Self::FRACTION
    }
}

/// Marks at times; sums of them are found in logarithmic time.
#[derive(Debug)]
pub(super) struct FenwickTree {
    /// Each the sum of a range of times that ends with the one before.
    sums: Vec<Marks>,
    all: Marks,
}

impl FenwickTree {
    /// With room for `times` of them less one, all without marks: numbers run from 1 on in such a tree.
    pub(super) fn new(times: usize) -> Self {
        Self { sums: vec![Marks::default(); times], all: Marks::default() }
    }

    /// The same with marks at times of their own each: in linear time.
    pub(super) fn of(times: usize, marks: impl Iterator<Item = (usize, Marks)>) -> Self {
        let mut tree = Self::new(times);
        for (time, mark) in marks {
            tree.sums[time + 1] = mark;
            tree.all = tree.all.and(mark);
        }
        for at in 1..tree.sums.len() {
            let above = at + (at & at.wrapping_neg());
            if above < tree.sums.len() {
                tree.sums[above] = tree.sums[above].and(tree.sums[at]);
            }
        }
        tree
    }

    pub(super) fn len(&self) -> usize {
        self.sums.len()
    }

    pub(super) fn all(&self) -> Marks {
        self.all
    }

    pub(super) fn add(&mut self, time: usize, more: Marks) {
        self.all = self.all.and(more);
        let mut at = time + 1;
        while at < self.sums.len() {
            self.sums[at] = self.sums[at].and(more);
            at += at & at.wrapping_neg();
        }
    }

    /// Marks after `time`.
    pub(super) fn after(&self, time: usize) -> Marks {
        self.all.and(self.before(time + 1).less())
    }

    /// Marks before `time`.
    fn before(&self, time: usize) -> Marks {
        let (mut at, mut sum) = (time.min(self.sums.len() - 1), Marks::default());
        while at > 0 {
            sum = sum.and(self.sums[at]);
            at -= at & at.wrapping_neg();
        }
        sum
    }
}
