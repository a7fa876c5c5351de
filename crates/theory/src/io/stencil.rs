//! Stencils: of a set of a grid's points over time, those that a level reads are more than the level
//! has, by its boundary. So a set that reads and leaves few words is small.
//!
//! A level of h points reads h + ∂(h) of the level before at least, and of the level before no more than
//! the h − ∂(i) points i + ∂(i) ≤ h are read inside alone. With ∂(h) = d·α^(1/d)·h^(1 − 1/d), words in and out
//! are c ≥ (2d/z)·V + 2·W(z) − δ for V points, of which the widest level has α·z^d: docs/bounds.md proves it.

use std::collections::BTreeSet;

use num_rational::BigRational;
use num_traits::{One, Pow, ToPrimitive, Zero};

use super::forms::factors;
use super::formula::Root;
use super::statements::{Index, Operation, Reference, counter};
use crate::derive::domain::{GuardedPolynomial, times};
use crate::derive::polynomial::{Polynomial, whole};

/// What is known of a stencil.
#[derive(Debug, Clone)]
pub(super) struct StencilBound {
    /// Which operation.
    pub(super) at: usize,
    /// How many there are, at least.
    pub(super) count: Vec<GuardedPolynomial>,
    /// Words that are counted without being moved: values at borders.
    pub(super) free: Vec<GuardedPolynomial>,
    /// d: dimensions of the grid.
    pub(super) dimensions: u32,
    /// α: a level's boundary is that of a ball of volume α·r^d.
    pub(super) ball: BigRational,
}

impl StencilBound {
    /// κ: as many points as κ·c^(1 + 1/d) need c words in and out, to the first order.
    pub(super) fn most(&self) -> Root {
        let d = i64::from(self.dimensions);
        let half = |power: i64| whole(2).pow(i32::try_from(-power).unwrap_or(0));
        let height = &self.ball * whole(2) * (whole(1) - half(d + 1)) / whole(d + 1);
        let words = &self.ball * (whole(4) - half(d - 1));
        let degree = BigRational::new((d + 1).into(), d.into());
        Root::fraction(height).times(&Root::power(&words.recip(), &degree))
    }

    /// No more points than this need c words in and out.
    pub(super) fn points(&self, words: &BigRational) -> BigRational {
        let d = i64::from(self.dimensions);
        let power = |above: i64| BigRational::new(above.into(), d.into());
        let widest = Root::power(&(words / whole(2)), &power(d - 1));
        let boundary = Root::power(&self.ball, &power(1)).times(&widest).ceil() * whole(d);
        let shifted = words + boundary;
        self.most().times(&Root::power(&shifted, &power(d + 1))).ceil() + words
    }
}

/// The bound of a statement that computes a level of a grid from the level before.
pub(super) fn stencil_bound(operations: &[Operation], at: usize) -> Option<StencilBound> {
    let own = &operations[at];
    let depth = own.loops.len();
    if !own.exact || depth < 2 || own.loops.iter().any(|it| it.falls) {
        return None;
    }
    let others = operations.iter().enumerate().filter(|(it, _)| *it != at);
    let writes_too = |(_, it): (usize, &Operation)| {
        it.write.place == own.write.place && it.shared_loops(own) > 0
    };
    if others.into_iter().any(writes_too) {
        return None;
    }
    let mut near: BTreeSet<Vec<i64>> = BTreeSet::new();
    for read in own.reads.iter().filter(|it| it.sure && it.place == own.write.place) {
        let step = step(&own.write, read, depth)?;
        if step[0] != 1 {
            return None;
        }
        near.insert(step[1..].to_vec());
    }
    let dimensions = depth - 1;
    let (reach, ball) = shape(&near, dimensions)?;
    let count = own.count(&[], false)?;
    let all = own.count(&[], true)?;
    let mut free = vec![];
    for step in &reach {
        let step: Vec<i64> = [&[1], &step[..]].concat();
        let moved = |of: &Polynomial| {
            step.iter().enumerate().fold(of.clone(), |of, (at, by)| {
                let value = &Polynomial::from(counter(at)) - &Polynomial::constant(*by);
                of.substitute(counter(at), &value).unwrap_or(of)
            })
        };
        // As many points have their reader inside as have what they read inside.
        let inside: Vec<Polynomial> = own.domain.0.iter().map(moved).collect();
        let inside = own.count(&inside, false)?;
        free.extend(times(&all, &Polynomial::constant(2)));
        free.extend(times(&inside, &Polynomial::constant(-2)));
    }
    let dimensions = u32::try_from(dimensions).ok()?;
    Some(StencilBound { at, count, free, dimensions, ball })
}

/// Which of the points near one count, and α.
fn shape(near: &BTreeSet<Vec<i64>>, dimensions: usize) -> Option<(Vec<Vec<i64>>, BigRational)> {
    if dimensions > 3 {
        return None;
    }
    let mut cube = vec![vec![]];
    for _ in 0..dimensions {
        let longer = |it: &Vec<i64>| [-1, 0, 1].map(|last| [&it[..], &[last]].concat());
        cube = cube.iter().flat_map(longer).collect();
    }
    let d = i64::try_from(dimensions).ok()?;
    let power = |of: BigRational| Pow::pow(of, u32::try_from(dimensions).unwrap_or(0));
    if cube.iter().all(|it| near.contains(it)) {
        return Some((cube, power(whole(2))));
    }
    let is_star = |it: &Vec<i64>| it.iter().map(|it| it.abs()).sum::<i64>() <= 1;
    cube.retain(is_star);
    let ball = if dimensions == 2 { whole(2) } else { power(BigRational::new(2.into(), d.into())) };
    cube.iter().all(|it| near.contains(it)).then_some((cube, ball))
}

/// By counter, how far before the operation that which made the value is; `None` where that is not the same
/// everywhere.
fn step(write: &Reference, read: &Reference, depth: usize) -> Option<Vec<i64>> {
    let mut step = vec![None; depth];
    for (written, read) in write.each.iter().zip(&read.each) {
        let (from, to, is_cyclic) = match (written, read) {
            (Index::Affine(from), Index::Affine(to)) => (from, to, false),
            (Index::Cyclic(from, by), Index::Cyclic(to, other)) if by == other => (from, to, true),
            _ => return None,
        };
        let slopes = factors(from, depth)?;
        let used: Vec<usize> = (0..depth).filter(|&at| !slopes[at].is_zero()).collect();
        let [at] = used[..] else { return None };
        // Only time may go in a circle.
        if !slopes[at].is_one() || step[at].is_some() || is_cyclic && at != 0 {
            return None;
        }
        step[at] = Some((from - to).as_constant()?.to_i64()?);
    }
    step.into_iter().collect()
}
