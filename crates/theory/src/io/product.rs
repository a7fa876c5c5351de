//! How many operations this many words allow: a discrete Loomis–Whitney inequality for the reads of a
//! statement, whose exponents come from an exact linear program.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use super::forms::{kernel, rows, shared_coordinates};
use super::formula::Root;
use super::order::{may_meet, meeting_in_time, writes_between};
use super::statements::{Operation, Place, Reference, counter};
use crate::derive::domain::{GuardedPolynomial, merged, times};
use crate::derive::linear::{Row, least};
use crate::derive::polynomial::{Polynomial, whole};
use memory_machine_core::language::program::Program;

/// Words that a statement's operations read, by one of its references.
#[derive(Debug, Clone)]
pub(super) struct Group {
    /// Which reads of the operation; none for the value that it overwrites.
    pub(super) read: Option<usize>,
    /// What it depends on, linearly.
    pub(super) rows: Vec<Vec<BigRational>>,
    /// A set of operations reads no fewer words than it has points over these coordinates.
    pub(super) coordinates: BTreeSet<usize>,
    /// References with equal numbers may read the same words.
    pub(super) class: usize,
    /// How many different values it reads, at most, that the listing makes; none if it makes none.
    pub(super) made: Option<Vec<GuardedPolynomial>>,
}

/// What is known of one statement.
#[derive(Debug, Clone)]
pub(super) struct ProductBound {
    /// Which operation.
    pub(super) at: usize,
    pub(super) groups: Vec<Group>,
    /// How many operations there are, at least.
    pub(super) count: Vec<GuardedPolynomial>,
    /// Words that are counted without being moved, at most.
    pub(super) free: Vec<GuardedPolynomial>,
    /// By class, its exponent.
    pub(super) exponents: Vec<BigRational>,
    /// Whether only half of the points of a square count.
    pub(super) is_symmetric: bool,
}

impl ProductBound {
    /// σ: this many words allow their σth power of operations, times a constant.
    pub(super) fn degree(&self) -> BigRational {
        self.exponents.iter().sum()
    }

    /// `F(X)/X^σ`: the most operations that read no more than X words are F(X).
    pub(super) fn most(&self) -> Root {
        let sigma = self.degree();
        let mut root = Root::power(&sigma.recip(), &sigma);
        for it in self.exponents.iter().filter(|it| !it.is_zero()) {
            root = root.times(&Root::power(it, it));
        }
        if self.is_symmetric {
            root = root.times(&Root::power(&whole(2).recip(), &whole(2).recip()));
        }
        root
    }
}

/// The bound of a statement, if it reads what it reads often enough.
pub(super) fn product_bound(
    program: &Program,
    operations: &[Operation],
    at: usize,
) -> Option<ProductBound> {
    let own = &operations[at];
    if !own.exact || own.loops.is_empty() {
        return None;
    }
    let mut groups: Vec<Group> = vec![];
    let mut free = vec![];
    groups.extend(overwritten(operations, at, &mut free));
    for number in 0..own.reads.len() {
        if let Some(group) = read_often(program, operations, at, number, &groups) {
            groups.push(group);
        }
    }
    let rows: Vec<_> = groups.iter().map(|it| it.rows.clone()).collect();
    let mut found = shared_coordinates(&rows, own.loops.len()).into_iter();
    groups.retain_mut(|it| match found.next().flatten() {
        Some(coordinates) => {
            it.coordinates = coordinates;
            true
        }
        None => false,
    });
    let cut = classes(operations, at, &mut groups);
    let own_place = groups.first().filter(|it| it.read.is_none()).map(|_| own.write.place);
    for group in &groups {
        let Some((made, read)) = group.made.as_ref().zip(group.read) else { continue };
        free.extend(made.iter().cloned());
        // A value of both kinds is counted twice, once.
        if own_place == Some(own.reads[read].place) {
            free.extend(made.iter().cloned());
        }
    }
    let exponents = exponents(own.loops.len(), &groups)?;
    // Pairs of rows count by the root of what is overwritten.
    let by_root = || exponents[groups[0].class] == whole(2).recip();
    let restriction = symmetry(own, &groups).filter(|_| by_root());
    let is_symmetric = restriction.is_some();
    let restriction = Vec::from_iter(restriction);
    let mut count = own.count(&restriction, false)?;
    count.extend(times(&cut, &Polynomial::constant(-1)));
    let count = merged(count);
    let bound = ProductBound { at, groups, count, free, exponents, is_symmetric };
    (bound.degree() > BigRational::one() && !bound.count.is_empty()).then_some(bound)
}

/// The value that an operation takes from the place that it writes: of a set of operations, the first
/// at each place takes one that none of them made. What other statements write there is made for free.
fn overwritten(
    operations: &[Operation],
    at: usize,
    free: &mut Vec<GuardedPolynomial>,
) -> Option<Group> {
    let own = &operations[at];
    let is_same =
        |it: &&Reference| it.sure && it.place == own.write.place && it.indices == own.write.indices;
    own.reads.iter().find(is_same)?;
    let depth = own.loops.len();
    let mut used = rows(&own.write, depth)?;
    let others = || {
        let all = operations.iter().enumerate();
        all.filter(|(it, other)| *it != at && other.write.place == own.write.place)
    };
    // What begins anew in each iteration of the outer loops has other values in each.
    if let Place::Scalar(_) = own.write.place {
        let begins = |(it, other): &(usize, &Operation)| {
            *it < at
                && other.plain
                && other.loops.len() < depth
                && other.shared_loops(own) == other.loops.len()
                && other.reads.iter().all(|it| it.place != own.write.place)
        };
        let anew = others().filter(begins).map(|it| it.1.loops.len()).max()?;
        let unit = |at: usize| (0..depth).map(|it| whole(i64::from(it == at))).collect();
        used.extend((0..anew).map(unit));
    }
    let made: Option<Vec<_>> = others().map(|(_, it)| it.count(&[], true)).collect();
    free.extend(made?.into_iter().flatten());
    Some(Group { read: None, rows: used, coordinates: BTreeSet::new(), class: 0, made: None })
}

/// The words that a reference reads, of which the listing makes few.
fn read_often(
    program: &Program,
    operations: &[Operation],
    at: usize,
    number: usize,
    known: &[Group],
) -> Option<Group> {
    let own = &operations[at];
    let read = &own.reads[number];
    let Place::Array(array) = read.place else { return None };
    let is_known = |it: &&Group| {
        let other = it.read.map_or(&own.write, |it| &own.reads[it]);
        other.place == read.place && other.indices == read.indices
    };
    if !read.sure || known.iter().any(|it| is_known(&it)) {
        return None;
    }
    let rows = rows(read, own.loops.len())?;
    if kernel(rows.clone(), own.loops.len()).is_empty() {
        return None;
    }
    let is_written = operations.iter().any(|it| it.write.place == read.place);
    let made = if is_written {
        let mut cells = Polynomial::constant(1);
        for extent in &program.arrays[array.0].extents {
            cells = &cells * &super::size(extent)?;
        }
        let mut made = vec![GuardedPolynomial { guard: vec![], value: cells }];
        made.extend(writes_between(operations, at, read)?);
        Some(made)
    } else {
        None
    };
    Some(Group { read: Some(number), rows, coordinates: BTreeSet::new(), class: 0, made })
}

/// Numbers the classes: references of one class may read the same words. Gives the operations that are
/// left out, at most, so that others read different ones.
fn classes(operations: &[Operation], at: usize, groups: &mut [Group]) -> Vec<GuardedPolynomial> {
    let own = &operations[at];
    let mut cut = vec![];
    for at in 0..groups.len() {
        groups[at].class = at;
        let Some(read) = groups[at].read else { continue };
        for before in 0..at {
            let Some(other) = groups[before].read else { continue };
            let [read, other] = [read, other].map(|it| &own.reads[it]);
            if !may_meet((read, own), (other, own)) {
                continue;
            }
            if let Some(meeting) = meeting_in_time(own, other, read) {
                cut.extend(meeting);
                continue;
            }
            let [from, to] = [at, before].map(|it| groups[it].class);
            groups.iter_mut().filter(|it| it.class == from).for_each(|it| it.class = to);
        }
    }
    cut
}

/// Where all words that are read stand in rows i and j of something, i > j, of which either is read: i
/// rows meet in i(i − 1)/2 pairs. Gives what makes the rows differ.
fn symmetry(own: &Operation, groups: &[Group]) -> Option<Polynomial> {
    let depth = own.loops.len();
    let is_plain = |it: &&Group| {
        let used = |at: &usize| it.rows.iter().any(|row| !row[*at].is_zero());
        (0..depth).filter(used).collect::<BTreeSet<_>>() == it.coordinates
    };
    if !groups.iter().all(|it| is_plain(&it)) {
        return None;
    }
    let pair = groups.first().filter(|it| it.read.is_none())?.coordinates.clone();
    let [i, j] = pair.iter().copied().collect::<Vec<_>>()[..] else { return None };
    let rest: BTreeSet<usize> = (0..depth).filter(|it| !pair.contains(it)).collect();
    let reads: Vec<&Group> = groups.iter().filter(|it| it.read.is_some()).collect();
    let swapped = |a: &Group, b: &Group| {
        let [a, b] = [a, b].map(|it| own.reads[it.read.unwrap_or_default()].indices.as_ref());
        let (Some(a), Some(b)) = (a, b) else { return false };
        let swap = |of: &Polynomial| of.substitute(counter(i), &counter(j).into());
        a.iter().map(swap).eq(b.iter().cloned().map(Some))
    };
    let is_paired = |it: &&Group| {
        let with = |row: usize| {
            let mut all = rest.clone();
            all.insert(row);
            all
        };
        let (mine, wanted) = (&it.coordinates, [with(i), with(j)]);
        wanted.contains(mine)
            && reads.iter().filter(|other| other.class == it.class).count() == 2
            && reads.iter().any(|other| {
                other.class == it.class
                    && other.read != it.read
                    && if *mine == wanted[0] { swapped(it, other) } else { swapped(other, it) }
            })
    };
    if reads.is_empty() || !reads.iter().all(is_paired) {
        return None;
    }
    let [i, j] = [i, j].map(|it| Polynomial::from(counter(it)));
    let differences = [&i - &j, &j - &i];
    let fact = differences.into_iter().find(|it| own.domain.imply(it))?;
    Some(&fact - &Polynomial::constant(1))
}

/// By class, exponents with the least sum such that a set's size is at most the product of its classes'
/// words to these powers: for every set of counters, the exponents of the references that depend on one
/// of them, times how many of them it depends on, are as many as the counters (Christ et al. 2013).
fn exponents(depth: usize, groups: &[Group]) -> Option<Vec<BigRational>> {
    let mut kinds: Vec<&BTreeSet<usize>> = groups.iter().map(|it| &it.coordinates).collect();
    kinds.sort();
    kinds.dedup();
    if kinds.is_empty() || depth > 8 {
        return None;
    }
    let row = |set: usize| {
        let of = |kind: &BTreeSet<usize>| kind.iter().filter(|&&it| set >> it & 1 == 1).count();
        let factors = kinds.iter().enumerate().map(|(at, kind)| (at, -BigInt::from(of(kind))));
        let factors = factors.filter(|it| !it.1.is_zero()).collect();
        Row { factors, right: -BigInt::from(set.count_ones()) }
    };
    let mut rows: Vec<Row> = (1..1_usize << depth).map(row).collect();
    let most = |at| Row { factors: vec![(at, BigInt::one())], right: BigInt::one() };
    rows.extend((0..kinds.len()).map(most));
    let found = least(&rows, &vec![BigInt::one(); kinds.len()])?;
    // Equal kinds share, which makes the constant best.
    let mut exponents = vec![BigRational::zero(); groups.len()];
    for group in groups {
        let kind = kinds.iter().position(|it| **it == group.coordinates)?;
        let equal = groups.iter().filter(|it| it.coordinates == group.coordinates).count();
        exponents[group.class] += &found[kind] / whole(equal.to_i64()?);
    }
    Some(exponents)
}

/// A multiplier that makes the best of a degree: with segments of as many times S words.
pub(super) fn segment(degree: &BigRational) -> u64 {
    let exact = (degree - BigRational::one()).recip();
    let (down, up) = (exact.floor(), exact.ceil());
    let value = |it: &BigRational| {
        let [it, degree] = [it, degree].map(|it| it.to_f64().unwrap_or(1.0));
        it / (it + 1.0).powf(degree)
    };
    let best = if down >= BigRational::one() && value(&down) > value(&up) { down } else { up };
    best.to_integer().to_u64().unwrap_or(1).max(1)
}
