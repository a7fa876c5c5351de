//! The same statements in another order: legal if the points of both listings' loops are in one-to-one
//! correspondence, corresponding statements are the same, and of two that need each other's cell the
//! first stays the first.

use std::collections::{BTreeMap, BTreeSet};

use memory_machine_core::language::program::{ExprKind, Program, ScalarId, Statement};

use super::expression::Scope;
use super::leaves::{Leaf, Level, Sequence, Storage, Touch, assigned, leaves, within};
use super::matching::{AFTER, BEFORE, Matching, variable};
use super::order::Points;
use super::part::{FirstUse, Part, first_use, part};
use super::{Linear, Refusal, Schedule};
use crate::integers::{Affine, System, Variable};

/// Variables of the second of two points are those of the first, and this.
const SECOND: Variable = 1 << 26;
/// Variables of quotients, of the first program, of the second, and of the correspondence.
const QUOTIENTS: [Variable; 3] = [1 << 22, 1 << 23, 1 << 24];

/// A leaf of the new part with the one of the old part that it is.
pub(super) struct Pair<'a> {
    pub(super) old: Leaf<'a>,
    pub(super) new: Leaf<'a>,
    /// The old loops' variables in terms of the new ones.
    pub(super) values: Vec<Affine>,
    /// What the old leaf touches, in new variables; beside it the owners in the new part.
    pub(super) touches: Vec<(Touch, Option<Vec<Affine>>)>,
    pub(super) domain: System,
}

pub(super) fn verify(before: &Program, after: &Program, proof: &Schedule) -> Result<(), Refusal> {
    let mut matching = Matching::new([before, after], &proof.arrays)?;
    matching.register_names.clone_from(&proof.registers);
    let part = part(&mut matching, proof.depth)?;
    let dead: Vec<ScalarId> = assigned(&part.before)
        .into_iter()
        .filter(|it| !part.is_alive(&matching, *it))
        .filter(|it| first_use(part.before.iter().copied(), *it) != FirstUse::Read)
        .collect();
    dead.iter().for_each(|it| matching.forget(*it));
    let checker = Checker { before, after, part: &part, dead: &dead, proof };
    let (context, old, new) = checker.leaves(&matching)?;
    let pairs = checker.pairs(&mut matching, &context, old, new)?;
    checker.dependences(&pairs)?;
    dead.iter().for_each(|it| matching.forget(*it));
    if part.rest_matches(&mut matching) {
        return Ok(());
    }
    Err(Refusal::new("what follows the part is not the same"))
}

/// What is known of the statements around, and the leaves of both parts.
type Leaves<'a> = (System, Vec<Leaf<'a>>, Vec<Leaf<'a>>);

struct Checker<'c, 'a> {
    before: &'a Program,
    after: &'a Program,
    part: &'c Part<'a>,
    dead: &'c [ScalarId],
    proof: &'c Schedule,
}

/// The arguments of functions in a program.
fn arguments(program: &Program) -> BTreeSet<ScalarId> {
    let all = program.body.iter().flat_map(within);
    let parts = all.flat_map(Statement::expressions).flat_map(|it| it.parts());
    parts
        .filter_map(|it| match it.kind {
            ExprKind::Let(scalar, _) => Some(scalar),
            _ => None,
        })
        .collect()
}

/// Scopes of both programs' parts.
pub(super) fn scope<'a>(program: &'a Program, block: &[&Statement], is_before: bool) -> Scope<'a> {
    let (assigned, arguments) = (assigned(block), arguments(program));
    let (base, fresh) = if is_before { (BEFORE, QUOTIENTS[0]) } else { (AFTER, QUOTIENTS[1]) };
    Scope { program, known: BTreeMap::new(), assigned, arguments, base, fresh }
}

/// What is known of the variables of loops around a part, and of sizes: every extent is at least 1. In
/// terms of the new program's variables.
pub(super) fn context(
    before: &mut Scope<'_>,
    part: &Part<'_>,
    matching: &Matching<'_>,
) -> Option<System> {
    let mut context = System::default();
    for statement in part.around.iter().filter_map(|it| it.0) {
        for range in statement.ranges() {
            let variable = Affine::variable(variable(range.variable));
            if let Some(known) = before.range(range, &variable) {
                context = context.and(&known);
            }
        }
    }
    for extent in before.program.arrays.iter().flat_map(|it| &it.extents) {
        let mut system = System::default();
        if let Some(extent) = before.affine(extent, &mut system) {
            system.at_most(&Affine::constant(1), &extent, 0)?;
            context = context.and(&system);
        }
    }
    context.substitute(&|it| matching.forms.get(&it).cloned())
}

impl<'a> Checker<'_, 'a> {
    /// The context in terms of the new program's variables.
    fn leaves(&self, matching: &Matching<'a>) -> Result<Leaves<'a>, Refusal> {
        let mut before = scope(self.before, &self.part.before, true);
        let mut after = scope(self.after, &self.part.after, false);
        let context = context(&mut before, self.part, matching).ok_or_else(too_large)?;
        let old = leaves(&mut before, &self.part.before);
        let new = leaves(&mut after, &self.part.after);
        if old.len() != new.len() {
            let message = format!("{} statements are not {}", new.len(), old.len());
            return Err(Refusal::new(message));
        }
        Ok((context, old, new))
    }

    fn pairs(
        &self,
        matching: &mut Matching<'a>,
        context: &System,
        old: Vec<Leaf<'a>>,
        new: Vec<Leaf<'a>>,
    ) -> Result<Vec<Pair<'a>>, Refusal> {
        let identity: Vec<usize> = (0..old.len()).collect();
        let order = if self.proof.order.is_empty() { &identity } else { &self.proof.order };
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if sorted != identity {
            return Err(Refusal::new("the order of the statements is no permutation"));
        }
        let mut pairs = vec![];
        for (new, at) in new.into_iter().zip(order) {
            pairs.push(self.pair(matching, context, old[*at].clone(), new)?);
        }
        // Which scalars stand for each other is known only now.
        for pair in &mut pairs {
            self.own(matching, pair)?;
        }
        Ok(pairs)
    }

    fn pair(
        &self,
        matching: &mut Matching<'a>,
        context: &System,
        old: Leaf<'a>,
        new: Leaf<'a>,
    ) -> Result<Pair<'a>, Refusal> {
        let refuse = |message: String| Refusal::at(self.before, old.span, message);
        let mut values = vec![];
        for level in &old.levels {
            let name = &self.before.scalars[level.scalar.0].name;
            let value = match self.proof.old.get(name) {
                Some(linear) if linear.by == 1 => {
                    sum(linear, |it| self.new_name(it, &new.levels, matching))
                }
                Some(_) => Err(format!("`{name}` is a quotient")),
                None => self.new_name(name, &new.levels, matching),
            };
            values.push(value.map_err(refuse)?);
        }
        for (level, value) in old.levels.iter().zip(&values) {
            matching.forms.insert(level.variable, value.clone());
        }
        let in_new = |it: Variable| matching.forms.get(&it).cloned();
        let domain = old.domain.substitute(&in_new).ok_or_else(too_large)?;
        let bounded = context.and(&new.domain);
        if !bounded.implies(&domain) {
            return Err(refuse("the new loops leave the old ones' range".to_owned()));
        }
        let mut touches = vec![];
        for touch in &old.touches {
            let cells = |it: &Option<Vec<Affine>>| {
                it.as_ref()
                    .map(|it| it.iter().map(|it| it.substitute(&in_new)).collect::<Option<_>>())
            };
            let substituted = (|| {
                let alternatives = touch
                    .alternatives
                    .iter()
                    .map(|it| it.substitute(&in_new))
                    .collect::<Option<_>>()?;
                let owner =
                    cells(&touch.owner).map_or(Some(None), |it: Option<Vec<_>>| it.map(Some))?;
                let cell =
                    cells(&touch.cell).map_or(Some(None), |it: Option<Vec<_>>| it.map(Some))?;
                Some(Touch { alternatives, owner, cell, ..touch.clone() })
            })();
            touches.push((substituted.ok_or_else(too_large)?, None));
        }
        let is_same = matching.statement(old.statement, new.statement);
        old.levels.iter().for_each(|it| drop(matching.forms.remove(&it.variable)));
        if !is_same {
            return Err(refuse("the statement is not the same".to_owned()));
        }
        let pair = Pair { domain: bounded.and(&domain), old, new, values, touches };
        self.one_to_one(matching, context, &pair)?;
        Ok(pair)
    }

    /// A name in a certificate: a new loop around the leaf, a parameter, or what stands around the part.
    fn new_name(
        &self,
        name: &str,
        levels: &[Level],
        matching: &Matching<'a>,
    ) -> Result<Affine, String> {
        let scalars = &self.after.scalars;
        if let Some(level) = levels.iter().find(|it| scalars[it.scalar.0].name == name) {
            return Ok(Affine::variable(level.variable));
        }
        if let Some(at) = self.after.parameters.iter().position(|it| it.name == name) {
            return Ok(Affine::variable(at as Variable));
        }
        let around = matching.scalars.values().find(|it| scalars[it.0].name == name);
        let around = around.map(|it| Affine::variable(AFTER + it.0 as Variable));
        around.ok_or_else(|| format!("no loop of the new listing is `{name}` here"))
    }

    /// Every old point is one new point.
    fn one_to_one(
        &self,
        matching: &Matching<'a>,
        context: &System,
        pair: &Pair<'a>,
    ) -> Result<(), Refusal> {
        let refuse = |message: &str| Refusal::at(self.before, pair.old.span, message);
        let second = |it: Variable| second(&pair.new.levels, it);
        let mut both = pair.new.domain.and(context);
        let other = both.substitute(&second).ok_or_else(too_large)?;
        both = both.and(&other);
        for value in &pair.values {
            let other = value.substitute(&second).ok_or_else(too_large)?;
            both.equal(value, &other).ok_or_else(too_large)?;
        }
        let mut same = System::default();
        for level in &pair.new.levels {
            let [one, other] = [level.variable, level.variable + SECOND].map(Affine::variable);
            same.equal(&one, &other).ok_or_else(too_large)?;
        }
        if !both.implies(&same) {
            return Err(refuse("the new loops come to a point twice"));
        }
        // From old variables to new ones, and back.
        let mut fresh = QUOTIENTS[2];
        let around = |it: Variable| matching.forms.get(&it).cloned();
        let mut base = pair.old.domain.substitute(&around).ok_or_else(too_large)?.and(context);
        let mut known: BTreeMap<Variable, Affine> = BTreeMap::new();
        for level in &pair.new.levels {
            let name = &self.after.scalars[level.scalar.0].name;
            let old_name = |it: &str| self.old_name(it, pair, &known, matching);
            let value = match self.proof.new.get(name) {
                Some(linear) if linear.by < 1 => {
                    Err(format!("`{name}` is divided by {}", linear.by))
                }
                Some(linear) => sum(linear, old_name).and_then(|value| {
                    if linear.by == 1 {
                        return Ok(value);
                    }
                    fresh += 1;
                    let by = i128::from(linear.by);
                    base.divide(fresh, &value, by).ok_or_else(|| "too large".to_owned())?;
                    Ok(Affine::variable(fresh))
                }),
                None => old_name(name),
            };
            known.insert(level.variable, value.map_err(|it| refuse(&it))?);
        }
        let in_old = |it: Variable| known.get(&it).cloned();
        let mut other = pair.new.domain.substitute(&in_old).ok_or_else(too_large)?;
        for (level, value) in pair.old.levels.iter().zip(&pair.values) {
            let value = value.substitute(&in_old).ok_or_else(too_large)?;
            other.equal(&value, &Affine::variable(level.variable)).ok_or_else(too_large)?;
        }
        if base.implies(&other) { Ok(()) } else { Err(refuse("the new loops leave out a point")) }
    }

    fn old_name(
        &self,
        name: &str,
        pair: &Pair<'a>,
        known: &BTreeMap<Variable, Affine>,
        matching: &Matching<'a>,
    ) -> Result<Affine, String> {
        if let Some(name) = name.strip_prefix('\'') {
            let levels = &pair.new.levels;
            let level = levels.iter().find(|it| self.after.scalars[it.scalar.0].name == name);
            let value = level.and_then(|it| known.get(&it.variable).cloned());
            return value.ok_or_else(|| format!("no loop further out is `{name}`"));
        }
        let levels = &pair.old.levels;
        let level = levels.iter().find(|it| self.before.scalars[it.scalar.0].name == name);
        match level {
            Some(level) => Ok(Affine::variable(level.variable)),
            None => self.new_name(name, &[], matching),
        }
    }

    /// Whose copy of each scalar a leaf touches, before and after.
    fn own(&self, matching: &Matching<'a>, pair: &mut Pair<'a>) -> Result<(), Refusal> {
        for (touch, new_owner) in &mut pair.touches {
            let lost =
                || Refusal::at(self.before, touch.span, "what it touches is not found again");
            let after = match touch.storage {
                Storage::Array(it) => matching.arrays.get(&it).map(|it| Storage::Array(it.0)),
                Storage::Scalar(it) => {
                    let register = matching.registers.get(&it).map(|it| Storage::Array(*it));
                    register.or_else(|| matching.scalars.get(&it).map(|it| Storage::Scalar(*it)))
                }
            };
            let after = after.ok_or_else(lost)?;
            if let Storage::Scalar(scalar) = touch.storage {
                let old =
                    self.copies_of(&self.part.before, scalar, scalar, touch, &pair.old.levels)?;
                touch.owner = Some(pair.values[..old].to_vec());
            }
            *new_owner = match (after, touch.storage) {
                (Storage::Scalar(it), Storage::Scalar(old)) => {
                    let new = self.copies_of(&self.part.after, it, old, touch, &pair.new.levels)?;
                    let levels = pair.new.levels[..new].iter();
                    Some(levels.map(|it| Affine::variable(it.variable)).collect())
                }
                // All of a leaf have one owner.
                _ => {
                    let found = pair.new.touches.iter().find(|it| it.storage == after);
                    found.ok_or_else(lost)?.owner.clone()
                }
            };
        }
        Ok(())
    }

    /// How many loops around a leaf have a copy of a scalar of their own an iteration. Parallel
    /// iterations cannot share what they assign.
    fn copies_of(
        &self,
        part: &[&Statement],
        scalar: ScalarId,
        old: ScalarId,
        touch: &Touch,
        levels: &[Level],
    ) -> Result<usize, Refusal> {
        let copies = private(part, scalar, self.dead.contains(&old), levels);
        let in_turn = |it: &Level| matches!(it.sequence, Sequence::InTurn { .. });
        let last = levels.iter().rposition(|it| !in_turn(it)).map_or(0, |it| it + 1);
        if touch.writes && copies < last {
            let message =
                format!("iterations share the scalar `{}`", self.before.scalars[old.0].name);
            return Err(Refusal::at(self.before, touch.span, message));
        }
        Ok(copies)
    }

    /// Of two points that touch one cell, of which one writes it, the first stays the first.
    fn dependences(&self, pairs: &[Pair<'a>]) -> Result<(), Refusal> {
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

/// A variable of the second point: loops and quotients have one of their own.
fn second(levels: &[Level], it: Variable) -> Option<Affine> {
    let is_own = it >= QUOTIENTS[0] || levels.iter().any(|level| level.variable == it);
    is_own.then(|| Affine::variable(it + SECOND))
}

/// How many loops around a leaf have a copy of a scalar of their own an iteration: the most in whose
/// body it is assigned before it is read.
fn private(part: &[&Statement], scalar: ScalarId, is_dead: bool, levels: &[Level]) -> usize {
    if !is_dead {
        return 0;
    }
    let all: Vec<&Statement> = part.iter().flat_map(|it| within(it)).collect();
    let mut found = 0;
    for (at, level) in levels.iter().enumerate() {
        let entered = all.iter().find(|it| it.ranges().iter().any(|range| range.id.0 == level.id));
        let Some(entered) = entered else { break };
        let is_inside = |it: &&&Statement| {
            let assigns = matches!(it, Statement::Assign { target, .. } if *target == scalar);
            assigns || it.expressions().any(|it| it.scalars().any(|it| it == scalar))
        };
        // A loop beside others that touch it, too, has no copy of its own.
        let inner = within(entered).iter().filter(is_inside).count();
        if inner < all.iter().filter(is_inside).count() {
            break;
        }
        let body = entered.blocks().next();
        if body.is_some_and(|it| first_use(it, scalar) != FirstUse::Read) {
            found = at + 1;
        }
    }
    found
}

fn sum(linear: &Linear, name: impl Fn(&str) -> Result<Affine, String>) -> Result<Affine, String> {
    let mut sum = Affine::constant(i128::from(linear.constant));
    for (of, factor) in &linear.terms {
        sum = sum.plus(&name(of)?, i128::from(*factor)).ok_or("too large")?;
    }
    Ok(sum)
}

pub(super) fn too_large() -> Refusal {
    Refusal::new("numbers become too large")
}
