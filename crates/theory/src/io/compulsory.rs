//! Words that are moved once in any case: what is given and read, and results.

use num_rational::BigRational;
use num_traits::One;

use super::forms::{coordinates, factors, reduce};
use super::order::is_first;
use super::statements::{Operation, Place, Reference, counter};
use crate::derive::domain::{GuardedPolynomial, sum_at_large};
use crate::derive::polynomial::Polynomial;
use memory_machine_core::language::program::{ArrayId, Program};
use memory_machine_core::language::syntax::Role;

/// More ends of loops than this are not tried.
const MOST_ENDS: usize = 32;

/// Words that must come from the slow memory, and words that must go to it.
pub(super) fn compulsory(
    program: &Program,
    operations: &[Operation],
) -> [Vec<GuardedPolynomial>; 2] {
    let mut words = [vec![], vec![]];
    for (at, array) in program.arrays.iter().enumerate() {
        let place = Place::Array(ArrayId(at));
        if matches!(array.role, Role::Input | Role::Inout) {
            let found = operations.iter().enumerate().flat_map(|(at, it)| {
                let reads = it.reads.iter().filter(|it| it.sure && it.place == place);
                reads.filter_map(move |read| cells(operations, at, read, true))
            });
            words[0].extend(largest(found));
        }
        if matches!(array.role, Role::Output | Role::Inout) {
            let writers = operations.iter().enumerate().filter(|it| it.1.write.place == place);
            let found = writers.filter_map(|(at, it)| cells(operations, at, &it.write, false));
            words[1].extend(largest(found));
        }
    }
    words
}

/// Different words of each array of global memory that are surely accessed, at least.
pub(super) fn accessed_words(
    program: &Program,
    operations: &[Operation],
) -> Vec<Vec<GuardedPolynomial>> {
    let of = |array| {
        let place = Place::Array(ArrayId(array));
        let found = operations.iter().enumerate().flat_map(|(at, it)| {
            let all = it.reads.iter().filter(|it| it.sure).chain([&it.write]);
            let own = all.filter(|it| it.place == place);
            own.filter_map(move |own| cells(operations, at, own, false))
        });
        largest(found)
    };
    program.global_arrays().enumerate().map(|(array, _)| of(array)).collect()
}

fn largest(found: impl Iterator<Item = Vec<GuardedPolynomial>>) -> Vec<GuardedPolynomial> {
    found.max_by_key(|it| sum_at_large(it)).unwrap_or_default()
}

/// Different cells that a reference is, at least, if `is_given` of which nothing was written before.
fn cells(
    operations: &[Operation],
    at: usize,
    reference: &Reference,
    is_given: bool,
) -> Option<Vec<GuardedPolynomial>> {
    let own = &operations[at];
    if !own.exact {
        return None;
    }
    let depth = own.loops.len();
    let used = coordinates(reference, depth)?;
    // The other loops stand at an end each.
    let mut ends: Vec<Vec<Polynomial>> = vec![vec![]];
    for free in (0..depth).filter(|it| !used.contains(it)) {
        let tight = own.domain.0.iter().filter(|it| {
            let factors = factors(it, depth);
            factors.is_some_and(|it| it[free].is_one() || it[free] == -BigRational::one())
                && it.mentions(counter(free))
        });
        let tight: Vec<[Polynomial; 2]> = tight.map(|it| [it.clone(), -it]).collect();
        let with = |some: &Vec<Polynomial>| -> Vec<Vec<Polynomial>> {
            tight.iter().map(|it| [&some[..], it].concat()).collect()
        };
        ends = ends.iter().flat_map(with).take(MOST_ENDS).collect();
    }
    // Each cell is that of one point: the ends are independent.
    let free: Vec<usize> = (0..depth).filter(|it| !used.contains(it)).collect();
    let is_one = |it: &&Vec<Polynomial>| {
        let rows = it.iter().filter_map(|it| factors(it, depth));
        let rows: Vec<Vec<_>> =
            rows.map(|row| free.iter().map(|at| row[*at].clone()).collect()).collect();
        free.is_empty() || reduce(rows).len() == free.len()
    };
    let fine = ends.iter().filter(is_one);
    let fine = fine.filter(|it| !is_given || is_first(operations, at, reference, it));
    let counts = fine.filter_map(|it| own.count(it, false)).filter(|it| !it.is_empty());
    counts.max_by_key(|it| sum_at_large(it))
}
