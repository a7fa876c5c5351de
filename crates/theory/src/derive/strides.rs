//! How the address of an access changes from one iteration of a nest to the next, and how far it goes.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::facts::Facts;
use super::level::Level;
use super::polynomial::{Atom, Polynomial, whole};
use super::scope::Scope;

/// Where the present nest has an iteration: an empty one has no stages.
pub(super) fn some(scope: &Scope) -> Facts {
    let Some(nest) = &scope.nest else { return scope.facts.clone() };
    let first = &nest.variables[0];
    let some = first.highs.iter().zip(&first.lows).map(|(high, low)| high - low);
    let outside = |it: &Polynomial| {
        let is_inside = |it: Atom| matches!(it, Atom::Local(number) if number >= nest.first);
        !it.atoms().any(is_inside)
    };
    some.filter(outside).fold(nest.outer_facts.clone(), |facts, it| facts.and(it))
}

/// How far apart the cells of the present nest lie at most, if that is known.
pub(super) fn range(cell: &Polynomial, scope: &Scope) -> Option<Polynomial> {
    let outside = scope.nest.as_ref()?.outside;
    let [high, low] = [scope.extreme(cell, outside, true)?, scope.extreme(cell, outside, false)?];
    // What is left in them must be the same for all threads, or it would not be gone from the difference.
    let are_ends = scope.is_in_step(&high) && scope.is_in_step(&low);
    let range = &high - &low;
    (are_ends && scope.is_known(&range) && some(scope).imply(&range)).then_some(range)
}

/// From a row's last iteration to the next one's first, in the loop that goes on.
pub(super) struct Turn {
    /// Whether the addresses there are equal.
    pub(super) are_equal: bool,
    /// Whether they are neighbours, or equal.
    pub(super) are_neighbours: bool,
    /// By how much the address grows there, or falls, at least.
    pub(super) by: Option<Polynomial>,
}

/// Quotients in a cell that count the iterations of a nest's one loop: each with the number of
/// iterations in which it stays the same.
pub(super) fn runs(cell: &Polynomial, scope: &Scope) -> Vec<(Atom, Polynomial)> {
    let Some(nest) = &scope.nest else { return vec![] };
    let [variable] = &nest.variables[..] else { return vec![] };
    let counts = |level: &Level| {
        let Level::Quotient { atom, of, by } = level else { return None };
        let (slope, rest) = of.linear_in(variable.atom)?;
        let own = |it: Atom| matches!(it, Atom::Local(number) if number >= nest.first);
        let is_long = by.as_constant().is_none();
        let wanted = is_long && slope == whole(1) && !rest.atoms().any(own) && cell.mentions(*atom);
        wanted.then(|| (*atom, by.clone()))
    };
    scope.levels[nest.outside..].iter().filter_map(counts).collect()
}

/// The cell without quotients by numbers and other values that are known up to a number, and how far from it
/// the cell is at most.
pub(super) fn nearly(cell: &Polynomial, scope: &Scope) -> (Polynomial, BigRational) {
    let (mut cell, mut deviation) = (cell.clone(), BigRational::zero());
    let outside = scope.nest.as_ref().map_or(0, |it| it.outside);
    for level in scope.levels[outside..].iter().rev() {
        let known = match level {
            Level::Quotient { of, by, .. } => {
                by.as_constant().map(|by| (of.scale(&by.recip()), (&by - BigRational::one()) / &by))
            }
            Level::Value { lows, high, .. } => {
                (high - &lows[0]).as_constant().map(|it| (lows[0].clone(), it))
            }
            _ => None,
        };
        if let Some((value, range)) = known
            && let Some((slope, rest)) = cell.linear_in(level.atom())
        {
            cell = &rest + &value.scale(&slope);
            deviation += slope.abs() * range.abs();
        }
    }
    (cell, deviation)
}

/// How the cell changes with each of the nest's variables; `None` if it depends on what each thread
/// computes for itself, or not linearly on the innermost.
pub(super) fn slopes(cell: &Polynomial, scope: &Scope) -> Option<Vec<Polynomial>> {
    let nest = scope.nest.as_ref()?;
    let own = |atom: Atom| match atom {
        Atom::Local(number) if number >= nest.first => {
            nest.inner.contains(&atom) || nest.variables.iter().any(|it| it.atom == atom)
        }
        _ => true,
    };
    if !cell.atoms().all(own) {
        return None;
    }
    let mut slopes = vec![];
    for variable in &nest.variables {
        let powers = cell.by_powers(variable.atom)?;
        slopes.push(match powers.len() {
            0 | 1 => Polynomial::default(),
            2 => powers[1].clone(),
            _ => return None,
        });
    }
    let innermost = slopes.last()?;
    let varies = nest.variables.iter().any(|it| innermost.mentions(it.atom))
        || nest.inner.iter().any(|it| innermost.mentions(*it));
    (!varies).then_some(slopes)
}

pub(super) fn turn(at: usize, cell: &Polynomial, scope: &Scope) -> Turn {
    let unknown = Turn { are_equal: false, are_neighbours: false, by: None };
    let Some(nest) = &scope.nest else { return unknown };
    let (mut last, mut first) = (cell.clone(), cell.clone());
    let inner = &nest.variables[at + 1..];
    let mut exact = true;
    for variable in inner.iter().rev() {
        exact &= variable.highs.len() == 1 && variable.lows.len() == 1;
        exact &= variable.highs[0].terms().all(|(_, it)| it.is_integer());
        let ends = [(&mut last, &variable.highs[0]), (&mut first, &variable.lows[0])];
        for (side, end) in ends {
            match side.substitute(variable.atom, end) {
                Some(placed) => *side = placed,
                None => return unknown,
            }
        }
    }
    // One of several ends is no less than the last, which is enough where only the innermost
    // loop has several.
    // Of three loops and more, rows that are empty may lie anywhere unless all rows are alike.
    if inner.len() > 1 && !(exact && is_rectangular(scope)) {
        return unknown;
    }
    let own = nest.variables[at].atom;
    let next = &Polynomial::from(own) + &Polynomial::constant(1);
    let Some(first) = first.substitute(own, &next) else { return unknown };
    let by = &first - &last;
    let apart = by.as_constant().filter(|_| exact).map(|it| it.abs());
    let at_most = |most: i64| apart.as_ref().is_some_and(|it| *it <= whole(most));
    Turn { are_equal: at_most(0), are_neighbours: at_most(1), by: Some(by) }
}

/// Whether no loop's ends depend on the nest's other variables.
pub(super) fn is_rectangular(scope: &Scope) -> bool {
    let Some(nest) = &scope.nest else { return false };
    let ends = nest.variables.iter().flat_map(|it| it.lows.iter().chain(&it.highs));
    let mut atoms = ends.flat_map(Polynomial::atoms);
    !atoms.any(|atom| matches!(atom, Atom::Local(number) if number >= nest.first))
}
