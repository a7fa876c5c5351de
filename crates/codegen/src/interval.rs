//! Intervals of whole numbers, and arithmetic on them.

use memory_machine_core::language::syntax::Type;

/// All whole numbers from `least` to `most`; there is one at least.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) least: i64,
    pub(super) most: i64,
}

/// Numbers of this size may be added, doubled and counted past their end in 32 bits.
pub(super) const NARROW: i64 = 1 << 29;
impl Interval {
    pub(super) const ALL: Self = Self { least: i64::MIN, most: i64::MAX };

    pub(super) const fn one(value: i64) -> Self {
        Self { least: value, most: value }
    }

    /// What a type holds.
    pub(super) const fn of_type(element: Type) -> Self {
        match element {
            Type::Bool => Self { least: 0, most: 1 },
            _ if element.is_integer() && element.bits() < 64 => {
                let limits = element.limits();
                Self { least: *limits.start(), most: *limits.end() }
            }
            _ => Self::ALL,
        }
    }

    pub(super) fn value(self) -> Option<i64> {
        (self.least == self.most).then_some(self.least)
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    /// What both allow; `self` if that is nothing.
    pub(super) fn within(self, other: Self) -> Self {
        let (least, most) = (self.least.max(other.least), self.most.min(other.most));
        if least <= most { Self { least, most } } else { self }
    }

    /// Lets an end that has grown since `before` grow for ever.
    pub(super) fn widen(&mut self, before: Self) {
        if self.least < before.least {
            self.least = i64::MIN;
        }
        if self.most > before.most {
            self.most = i64::MAX;
        }
    }

    pub(super) fn is_narrow(self) -> bool {
        self.least >= -NARROW && self.most <= NARROW
    }

    /// The hull of an operation that is monotone in each operand, at the ends of these.
    pub(super) fn corners(self, other: &[i64], operation: impl Fn(i128, i128) -> i128) -> Self {
        let ends = other.iter().flat_map(|&y| [self.least, self.most].map(|x| (x, y)));
        let found: Vec<i128> = ends.map(|(x, y)| operation(x.into(), y.into())).collect();
        let least = found.iter().min().and_then(|&it| i64::try_from(it).ok());
        let most = found.iter().max().and_then(|&it| i64::try_from(it).ok());
        least.zip(most).map_or(Self::ALL, |(least, most)| Self { least, most })
    }
}
