//! Which operations come between which, and which places may be one, by linear programs.

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::forms::reduce;
use super::statements::{Operation, Reference, counter};
use crate::derive::domain::GuardedPolynomial;
use crate::derive::facts::Facts;
use crate::derive::polynomial::{Atom, Polynomial};

/// Counters of different points of one system have different names.
const POINT: usize = 100;

/// A polynomial over the counters of another point.
fn at_point(of: &Polynomial, point: usize, depth: usize) -> Polynomial {
    (0..depth).fold(of.clone(), |of, at| {
        let moved = Polynomial::from(counter(point * POINT + at));
        of.substitute(counter(at), &moved).unwrap_or(of)
    })
}

fn domain(of: &Operation, point: usize) -> Vec<Polynomial> {
    of.domain.0.iter().map(|it| at_point(it, point, of.loops.len())).collect()
}

/// What is 0 where two references are one cell; `None` where that is unknown.
fn differences(
    (a, of_a, point_a): (&Reference, &Operation, usize),
    (b, of_b, point_b): (&Reference, &Operation, usize),
) -> Option<Vec<Polynomial>> {
    let (left, right) = (a.indices.as_ref()?, b.indices.as_ref()?);
    let pairs = left.iter().zip(right);
    let difference = |(left, right)| {
        &at_point(left, point_a, of_a.loops.len()) - &at_point(right, point_b, of_b.loops.len())
    };
    Some(pairs.map(difference).collect())
}

fn equal(zeros: &[Polynomial]) -> Vec<Polynomial> {
    zeros.iter().flat_map(|it| [it.clone(), -it]).collect()
}

/// Whether two references may be one cell, of any two points.
pub(super) fn may_meet(a: (&Reference, &Operation), b: (&Reference, &Operation)) -> bool {
    if a.0.place != b.0.place {
        return false;
    }
    let Some(zeros) = differences((a.0, a.1, 0), (b.0, b.1, 1)) else { return true };
    let facts = [domain(a.1, 0), domain(b.1, 1), equal(&zeros)].concat();
    !Facts(facts).are_impossible()
}

/// One of the ways in which a point of `a` is before one of `b`: what is 0, and what is not negative.
type Way = (Vec<Polynomial>, Vec<Polynomial>);

/// The ways in which an execution of the `a`th operation is before one of the `b`th; `or_same`: or is it.
fn before(
    operations: &[Operation],
    (a, point_a): (usize, usize),
    (b, point_b): (usize, usize),
    or_same: bool,
) -> Vec<Way> {
    let shared = operations[a].shared_loops(&operations[b]);
    let difference = |at: usize| {
        let [from, to] =
            [point_a, point_b].map(|point| Polynomial::from(counter(point * POINT + at)));
        if operations[a].loops[at].falls { &from - &to } else { &to - &from }
    };
    let zeros = |count: usize| (0..count).map(difference).collect::<Vec<_>>();
    let mut ways: Vec<Way> = (0..shared)
        .map(|at| (zeros(at), vec![&difference(at) - &Polynomial::constant(1)]))
        .collect();
    if a < b || a == b && or_same {
        ways.push((zeros(shared), vec![]));
    }
    ways
}

/// How many writes come between two reads of one cell by one reference: of these, the cell has different
/// values. At most; `None` where that is not known.
pub(super) fn writes_between(
    operations: &[Operation],
    reader: usize,
    read: &Reference,
) -> Option<Vec<GuardedPolynomial>> {
    let mut all = vec![];
    let own = &operations[reader];
    for (writer, other) in operations.iter().enumerate() {
        if other.write.place != read.place {
            continue;
        }
        let first = differences((read, own, 0), (&other.write, other, 1))?;
        let last = differences((read, own, 2), (&other.write, other, 1))?;
        let known = [domain(own, 0), domain(other, 1), domain(own, 2)].concat();
        for (zeros, positive) in before(operations, (reader, 0), (writer, 1), true) {
            for (then_zeros, then_positive) in before(operations, (writer, 1), (reader, 2), false) {
                let zeros = [&first[..], &last, &zeros, &then_zeros].concat();
                let facts = [&known[..], &positive, &then_positive, &equal(&zeros)].concat();
                if Facts(facts).are_impossible() {
                    continue;
                }
                let own_zeros = of_point(&zeros, 1, own.loops.len(), other.loops.len())?;
                all.extend(other.count(&equal(&own_zeros), true)?);
            }
        }
    }
    Some(all)
}

/// Of a statement that writes all its cells anew in each iteration of its outermost loop: how many of its
/// operations may read by `b` a value that an operation reads by `a`, at most. Where two iterations or more
/// lie between, the values differ.
pub(super) fn meeting_in_time(
    own: &Operation,
    a: &Reference,
    b: &Reference,
) -> Option<Vec<GuardedPolynomial>> {
    let depth = own.loops.len();
    if own.write.place != a.place || own.loops[0].falls || !own.exact {
        return None;
    }
    let same = differences((a, own, 0), (b, own, 1))?;
    let indices = own.write.indices.as_ref()?;
    let time = |point: usize| Polynomial::from(counter(point * POINT));
    let two = Polynomial::constant(2);
    // Where it is written between: the iteration after the first of the two, at the cell that is read.
    for (from, to, cell) in [(0, 1, a), (1, 0, b)] {
        let mut between = vec![None; depth];
        between[0] = Some(&time(from) + &Polynomial::constant(1));
        for (index, read) in indices.iter().zip(cell.indices.as_ref()?) {
            let at = (1..depth).find(|&at| *index == Polynomial::from(counter(at)))?;
            between[at] = Some(at_point(read, from, depth));
        }
        let between: Vec<Polynomial> = between.into_iter().collect::<Option<_>>()?;
        let known = [
            &domain(own, 0)[..],
            &domain(own, 1),
            &equal(&same),
            &[&(&time(to) - &time(from)) - &two],
        ];
        let known = Facts(known.concat());
        let moved = own.domain.0.iter().map(|it| at_point(it, 3, depth));
        for fact in moved {
            let values = between.iter().enumerate();
            let fact = values.into_iter().try_fold(fact, |fact, (at, value)| {
                fact.substitute(counter(3 * POINT + at), value)
            });
            if !known.imply(&fact?) {
                return None;
            }
        }
    }
    let mut all = vec![];
    for apart in -1..=1 {
        let near = &(&time(1) - &time(0)) - &Polynomial::constant(apart);
        let own_zeros = of_point(&[&same[..], &[near]].concat(), 1, depth, depth)?;
        if own_zeros.is_empty() {
            return None;
        }
        all.extend(own.count(&equal(&own_zeros), true)?);
    }
    Some(all)
}

/// What is 0 of one point alone, in the names of its operation.
fn of_point(
    zeros: &[Polynomial],
    point: usize,
    outer: usize,
    depth: usize,
) -> Option<Vec<Polynomial>> {
    // Counters of the other points come first, and go; sizes and the constant stay at the end.
    let others: Vec<Atom> =
        (0..outer).flat_map(|at| [counter(at), counter(2 * POINT + at)]).collect();
    let own: Vec<Atom> = (0..depth).map(|at| counter(point * POINT + at)).collect();
    let mut rests: Vec<Polynomial> = vec![];
    let mut rows: Vec<Vec<BigRational>> = vec![];
    for zero in zeros {
        let mut rest = zero.clone();
        let mut row = vec![];
        for atom in others.iter().chain(&own) {
            let factor = match &rest.by_powers(*atom)?[..] {
                [] | [_] => BigRational::zero(),
                [constant, slope] => {
                    let slope = slope.as_constant()?;
                    rest = constant.clone();
                    slope
                }
                _ => return None,
            };
            row.push(factor);
        }
        rests.push(rest);
        rows.push(row);
    }
    // Which combination of the equations a row is.
    let count = rows.len();
    for (at, row) in rows.iter_mut().enumerate() {
        row.extend((0..count).map(|it| if it == at { One::one() } else { BigRational::zero() }));
    }
    let width = others.len() + own.len();
    let is_own = |row: &&Vec<BigRational>| {
        row[..others.len()].iter().all(Zero::is_zero)
            && row[others.len()..width].iter().any(|it| !it.is_zero())
    };
    let combine = |row: &Vec<BigRational>| {
        let mut sum = Polynomial::default();
        for (at, factor) in row[others.len()..width].iter().enumerate() {
            sum = &sum + &Polynomial::from(counter(at)).scale(factor);
        }
        for (rest, factor) in rests.iter().zip(&row[width..]) {
            sum = &sum + &rest.scale(factor);
        }
        sum.cleared()
    };
    Some(reduce(rows).iter().filter(is_own).map(combine).collect())
}

/// Whether no write to a cell comes before a read of it by the reference, where more holds of the reader.
pub(super) fn is_first(
    operations: &[Operation],
    reader: usize,
    read: &Reference,
    more: &[Polynomial],
) -> bool {
    let own = &operations[reader];
    operations.iter().enumerate().all(|(writer, other)| {
        if other.write.place != read.place {
            return true;
        }
        let Some(zeros) = differences((read, own, 0), (&other.write, other, 1)) else {
            return false;
        };
        let more: Vec<Polynomial> =
            more.iter().map(|it| at_point(it, 0, own.loops.len())).collect();
        let known = [domain(own, 0), domain(other, 1), more, equal(&zeros)].concat();
        before(operations, (writer, 1), (reader, 0), false).into_iter().all(|(zeros, positive)| {
            Facts([&known[..], &positive, &equal(&zeros)].concat()).are_impossible()
        })
    })
}
