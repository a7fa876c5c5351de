//! Dependences: of two points that touch one cell, of which one writes it, the first stays the first.

use super::certificate::Refusal;
use super::leaves::{Level, Storage, Touch};
use super::order::{Points, SECOND, second};
use super::schedule::{Checker, Pair, too_large};
use crate::integers::{Affine, System, Variable};

impl<'a> Checker<'_, 'a> {
    /// Of two points that touch one cell, of which one writes it, the first stays the first.
    pub(super) fn dependences(&self, pairs: &[Pair<'a>]) -> Result<(), Refusal> {
        for (at, first) in pairs.iter().enumerate() {
            for (other, other_pair) in pairs.iter().enumerate() {
                let moved = Second::new(other_pair).ok_or_else(too_large)?;
                let in_old = (first.old.levels.len(), first.old.span, other_pair.old.span);
                debug_assert!(in_old.0 == first.values.len());
                let old = self.points(first, &moved, true, (at == other).then_some(()));
                let new = self.points(first, &moved, false, (at == other).then_some(()));
                let systems = (|| {
                    Some((old.first_is_before()?, old.unordered()?, new.first_is_not_before()?))
                })();
                let (before, unordered, not_before) = systems.ok_or_else(too_large)?;
                let domain = first.domain.and(&moved.domain);
                for (one, one_owner) in &first.touches {
                    for (two, two_owner) in &moved.touches {
                        if one.storage != two.storage {
                            continue;
                        }
                        self.copies(&domain, (one, one_owner), (two, two_owner))?;
                        if !one.writes && !two.writes {
                            continue;
                        }
                        self.keeps(&domain, [one, two], [&before, &unordered, &not_before])?;
                    }
                }
            }
        }
        Ok(())
    }

    fn points<'p>(
        &self,
        first: &'p Pair<'a>,
        second: &Second<'p, 'a>,
        is_old: bool,
        same: Option<()>,
    ) -> Points<'p> {
        let of = |pair: &'p Pair<'a>| if is_old { &pair.old } else { &pair.new };
        let (one, other) = (of(first), of(second.pair));
        let levels = one.levels.iter().zip(&other.levels);
        let common = levels.take_while(|(one, other)| one.id == other.id).count();
        let levels = &one.levels[..common];
        let variables = |it: &[Level], by| {
            it[..common].iter().map(|it| Affine::variable(it.variable + by)).collect()
        };
        let (first_values, second_values) = match is_old {
            true => (first.values[..common].to_vec(), second.values[..common].to_vec()),
            false => (variables(&one.levels, 0), variables(&other.levels, SECOND)),
        };
        let in_text = match same {
            Some(()) => None,
            None => Some(one.at < other.at),
        };
        Points { levels, first: first_values, second: second_values, in_text }
    }

    /// Two touches are of one copy before the step if and only if they are after it.
    fn copies(
        &self,
        domain: &System,
        (one, one_new): (&Touch, &Option<Vec<Affine>>),
        (two, two_new): (&Touch, &Option<Vec<Affine>>),
    ) -> Result<(), Refusal> {
        let owners = [&one.owner, &two.owner, one_new, two_new];
        if owners.iter().all(|it| it.as_ref().is_some_and(Vec::is_empty)) {
            return Ok(());
        }
        let unknown = || Refusal::at(self.before, one.span, "whose copy it is cannot be told");
        let equal = |a: &Option<Vec<Affine>>, b: &Option<Vec<Affine>>| {
            let mut system = System::default();
            for (a, b) in a.as_ref()?.iter().zip(b.as_ref()?) {
                system.equal(a, b)?;
            }
            Some(system)
        };
        let old = equal(&one.owner, &two.owner).ok_or_else(unknown)?;
        let new = equal(one_new, two_new).ok_or_else(unknown)?;
        let fits = domain.and(&old).implies(&new) && domain.and(&new).implies(&old);
        if fits { Ok(()) } else { Err(unknown()) }
    }

    fn keeps(
        &self,
        domain: &System,
        [one, two]: [&Touch; 2],
        [before, unordered, not_before]: [&[System]; 3],
    ) -> Result<(), Refusal> {
        let mut same = System::default();
        let owners = one.owner.iter().flatten().zip(two.owner.iter().flatten());
        let cells = one.cell.iter().flatten().zip(two.cell.iter().flatten());
        let is_known = one.cell.is_some() && two.cell.is_some();
        for (a, b) in owners.chain(cells.filter(|_| is_known)) {
            same.equal(a, b).ok_or_else(too_large)?;
        }
        for a in &one.alternatives {
            for b in &two.alternatives {
                let base = domain.and(&same).and(a).and(b);
                if base.is_empty() {
                    continue;
                }
                let name = self.name(one.storage);
                if !unordered.iter().all(|it| base.and(it).is_empty()) {
                    let message = format!("parallel iterations may need one cell of `{name}`");
                    return Err(Refusal::at(self.before, one.span, message));
                }
                let both = before.iter().map(|it| base.and(it)).filter(|it| !it.is_empty());
                for it in both {
                    if !not_before.iter().all(|other| it.and(other).is_empty()) {
                        let message = match is_known {
                            true => format!("a later iteration needs a cell of `{name}` first"),
                            false => format!("which cells of `{name}` it needs depends on data"),
                        };
                        let span = if one.writes { two.span } else { one.span };
                        return Err(Refusal::at(self.before, span, message));
                    }
                }
            }
        }
        Ok(())
    }

    fn name(&self, storage: Storage) -> &'a str {
        match storage {
            Storage::Array(it) => &self.before.arrays[it.0].name,
            Storage::Scalar(it) => &self.before.scalars[it.0].name,
        }
    }
}

/// The second of two points.
struct Second<'p, 'a> {
    pair: &'p Pair<'a>,
    values: Vec<Affine>,
    touches: Vec<(Touch, Option<Vec<Affine>>)>,
    domain: System,
}

impl<'p, 'a> Second<'p, 'a> {
    fn new(pair: &'p Pair<'a>) -> Option<Self> {
        let move_on = |it: Variable| second(&pair.new.levels, it);
        let all =
            |it: &[Affine]| it.iter().map(|it| it.substitute(&move_on)).collect::<Option<Vec<_>>>();
        let maybe = |it: &Option<Vec<Affine>>| match it {
            Some(it) => all(it).map(Some),
            None => Some(None),
        };
        let mut touches = vec![];
        for (touch, owner) in &pair.touches {
            let alternatives = touch
                .alternatives
                .iter()
                .map(|it| it.substitute(&move_on))
                .collect::<Option<_>>()?;
            let (own, cell) = (maybe(&touch.owner)?, maybe(&touch.cell)?);
            let touch = Touch { owner: own, cell, alternatives, ..touch.clone() };
            touches.push((touch, maybe(owner)?));
        }
        let (values, domain) = (all(&pair.values)?, pair.domain.substitute(&move_on)?);
        Some(Self { pair, values, touches, domain })
    }
}
