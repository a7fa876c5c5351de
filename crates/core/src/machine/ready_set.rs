//! The set of warps that are ready.

/// A set of small numbers, with the next member in cyclic order in O(log₆₄ size): bit `i` of each
/// level says whether word `i` of the level below has a bit set.
#[derive(Debug, Clone, Default)]
pub(super) struct ReadySet {
    levels: Vec<Vec<u64>>,
}

impl ReadySet {
    /// An empty set that can hold `0 .. size`.
    pub fn reset(&mut self, size: usize) {
        self.levels.clear();
        let mut words = size;
        while words > 1 || self.levels.is_empty() {
            words = words.div_ceil(64).max(1);
            self.levels.push(vec![0; words]);
        }
    }

    pub fn insert(&mut self, mut member: usize) {
        for level in &mut self.levels {
            let word = &mut level[member / 64];
            let was_empty = *word == 0;
            *word |= 1 << (member % 64);
            if !was_empty {
                return;
            }
            member /= 64;
        }
    }

    pub fn remove(&mut self, mut member: usize) {
        for level in &mut self.levels {
            let word = &mut level[member / 64];
            *word &= !(1 << (member % 64));
            if *word != 0 {
                return;
            }
            member /= 64;
        }
    }

    /// The smallest member that is at least `from`, otherwise the smallest of all.
    pub fn next_cyclic(&self, from: usize) -> Option<usize> {
        self.next(from).or_else(|| self.next(0))
    }

    fn next(&self, from: usize) -> Option<usize> {
        let mut from = from;
        for (height, level) in self.levels.iter().enumerate() {
            let at = from / 64;
            let word = level.get(at)? & (u64::MAX << (from % 64));
            if word != 0 {
                let found = at * 64 + word.trailing_zeros() as usize;
                return Some(self.first_below(height, found));
            }
            from = at + 1;
        }
        None
    }

    /// The smallest member under bit `bit` of level `height`.
    fn first_below(&self, height: usize, bit: usize) -> usize {
        let below = self.levels[..height].iter().rev();
        below.fold(bit, |bit, level| bit * 64 + level[bit].trailing_zeros() as usize)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn equals_a_sorted_set(
            size in 1_usize..9000,
            members in prop::collection::vec((0_usize..9000, any::<bool>(), 0_usize..9001), 1..60),
        ) {
            let mut fast = ReadySet::default();
            let mut plain = BTreeSet::new();
            fast.reset(size);
            for (member, insert, from) in members {
                let (member, from) = (member % size, from % (size + 1));
                if insert {
                    fast.insert(member);
                    plain.insert(member);
                } else {
                    fast.remove(member);
                    plain.remove(&member);
                }
                let next = plain.range(from..).next().or_else(|| plain.first());
                prop_assert_eq!(fast.next_cyclic(from), next.copied());
            }
        }
    }
}
