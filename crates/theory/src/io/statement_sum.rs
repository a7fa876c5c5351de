//! Bounds of several statements at once.

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::formula::Root;
use super::order::may_meet;
use super::product::{ProductBound, segment};
use super::statements::{Operation, Place};
use super::{PRODUCT, Pieces, Share};
use crate::derive::domain::{GuardedPolynomial, merged};
use crate::derive::polynomial::whole;

/// The first statement with as many others as read other words.
pub(super) fn sum_of_statements(
    operations: &[Operation],
    found: &[ProductBound],
) -> Option<Pieces> {
    let (first, others) = found.split_first()?;
    let mut chosen = vec![first];
    let mut free = first.free.clone();
    let mut factor = Root::fraction(BigRational::one());
    for other in others.iter().filter(|it| it.degree() == first.degree()) {
        let more: Option<Vec<_>> =
            chosen.iter().map(|it| apart(operations, it, other, false)).collect();
        let more = match (more, &chosen[..]) {
            (Some(more), _) => more,
            (None, [first]) if let Some(own) = own_degree(operations, first, other) => {
                let Some(more) = apart(operations, first, other, true) else { continue };
                factor = Root::power(&whole(2), &(BigRational::one() - own));
                vec![more]
            }
            _ => continue,
        };
        free.extend(other.free.iter().cloned());
        free.extend(more.into_iter().flatten());
        chosen.push(other);
    }
    let share = |it: &&ProductBound| Share {
        span: operations[it.at].span,
        count: it.count.clone(),
        most: it.most().times(&factor),
        degree: it.degree(),
        stencil: None,
    };
    let shares = chosen.iter().map(share).collect();
    let segment = segment(&first.degree());
    Some(Pieces { rule: PRODUCT, shares, segment, reserve: 1, free: merged(free) })
}

/// If two statements read different words: those that are counted twice nevertheless. A value that is
/// overwritten is read so once.
fn apart(
    operations: &[Operation],
    a: &ProductBound,
    b: &ProductBound,
    may_share: bool,
) -> Option<Vec<GuardedPolynomial>> {
    let mut free = vec![];
    for left in &a.groups {
        for right in &b.groups {
            let [own, other] = [(a.at, left), (b.at, right)].map(|(at, group)| {
                let it = &operations[at];
                (group.read.map_or(&it.write, |read| &it.reads[read]), it)
            });
            if own.0.place != other.0.place {
                continue;
            }
            match (&left.read, &right.read) {
                (None, None) => {}
                (Some(_), Some(_)) => {
                    if !may_share && may_meet(own, other) {
                        return None;
                    }
                }
                (Some(_), None) => free.extend(left.made.clone()?),
                (None, Some(_)) => free.extend(right.made.clone()?),
            }
        }
    }
    Some(free)
}

/// Of two statements that read words of the same arrays, as many of each, and overwrite one each: the
/// exponent s of what they overwrite. f·xˢ operations of the one and f·(y − x)ˢ of the other are
/// f·yˢ·2^(1 − s) together at most.
fn own_degree(operations: &[Operation], a: &ProductBound, b: &ProductBound) -> Option<BigRational> {
    let parts = |of: &ProductBound| -> Option<(BigRational, Vec<(Place, BigRational)>)> {
        let own = of.groups.iter().find(|it| it.read.is_none())?;
        let mut others: Vec<(Place, usize)> = vec![];
        for group in &of.groups {
            let Some(read) = group.read else { continue };
            let place = operations[of.at].reads[read].place;
            match others.iter().find(|it| it.0 == place) {
                None => others.push((place, group.class)),
                // One number of words an array.
                Some(it) if it.1 == group.class => {}
                Some(_) => return None,
            }
        }
        let with = |(place, class): &(Place, usize)| (*place, of.exponents[*class].clone());
        Some((of.exponents[own.class].clone(), others.iter().map(with).collect()))
    };
    let ((own, mine), (other, theirs)) = (parts(a)?, parts(b)?);
    let is_same = mine.len() == theirs.len() && mine.iter().all(|it| theirs.contains(it));
    let is_fine = own > BigRational::zero() && own <= BigRational::one() && !a.is_symmetric;
    (own == other && is_same && is_fine && !b.is_symmetric).then_some(own)
}
