//! Which of two points of leaves comes first.

use super::leaves::{Level, Sequence};
use crate::integers::{Affine, System, Variable};

/// Variables of the second of two points are those of the first, and this.
pub(super) const SECOND: Variable = 1 << 26;
/// Variables of quotients, of the first program, of the second, and of the correspondence.
pub(super) const QUOTIENTS: [Variable; 3] = [1 << 22, 1 << 23, 1 << 24];

/// A variable of the second point: loops and quotients have one of their own.
pub(super) fn second(levels: &[Level], it: Variable) -> Option<Affine> {
    let is_own = it >= QUOTIENTS[0] || levels.iter().any(|level| level.variable == it);
    is_own.then(|| Affine::variable(it + SECOND))
}

/// Levels that are the same of two leaves, and what their variables are at two points.
pub(super) struct Points<'a> {
    pub(super) levels: &'a [Level],
    pub(super) first: Vec<Affine>,
    pub(super) second: Vec<Affine>,
    /// Whether the first leaf comes before the second in the text; `None` if they are one leaf.
    pub(super) in_text: Option<bool>,
}

impl Points<'_> {
    /// Systems of which one holds if the first point comes before the second for sure.
    pub(super) fn first_is_before(&self) -> Option<Vec<System>> {
        let mut found = vec![];
        let mut same = System::default();
        for (level, (first, second)) in self.levels.iter().zip(self.first.iter().zip(&self.second))
        {
            if let Sequence::InTurn { is_downward } = level.sequence {
                let mut system = same.clone();
                let [low, high] = if is_downward { [second, first] } else { [first, second] };
                system.at_most(low, high, 1)?;
                found.push(system);
            }
            same.equal(first, second)?;
        }
        if self.in_text == Some(true) {
            found.push(same);
        }
        Some(found)
    }

    /// Systems of which one holds if it does not.
    pub(super) fn first_is_not_before(&self) -> Option<Vec<System>> {
        let mut found = vec![];
        let mut same = System::default();
        for (level, (first, second)) in self.levels.iter().zip(self.first.iter().zip(&self.second))
        {
            let is_downward = level.sequence == Sequence::InTurn { is_downward: true };
            let sides = match level.sequence {
                Sequence::InTurn { .. } if is_downward => vec![[first, second]],
                Sequence::InTurn { .. } => vec![[second, first]],
                _ => vec![[first, second], [second, first]],
            };
            for [low, high] in sides {
                let mut system = same.clone();
                system.at_most(low, high, 1)?;
                found.push(system);
            }
            same.equal(first, second)?;
        }
        if self.in_text != Some(true) {
            found.push(same);
        }
        Some(found)
    }

    /// Systems of which one holds if neither comes first.
    pub(super) fn unordered(&self) -> Option<Vec<System>> {
        let mut found = vec![];
        let mut same = System::default();
        for (level, (first, second)) in self.levels.iter().zip(self.first.iter().zip(&self.second))
        {
            if !matches!(level.sequence, Sequence::InTurn { .. }) {
                for [low, high] in [[first, second], [second, first]] {
                    let mut system = same.clone();
                    system.at_most(low, high, 1)?;
                    found.push(system);
                }
            }
            same.equal(first, second)?;
        }
        Some(found)
    }
}
