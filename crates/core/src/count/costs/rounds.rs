//! Iterations that go in step: whether they access words of their own, and what rounds take on a PRAM whose
//! threads do unlike things.

use std::collections::{BTreeSet, HashMap};

use crate::count::form::{Affine, Form, Scalars};
use crate::count::guard::Guard;
use crate::count::iteration_row::IterationRow;
use crate::count::rows::Rounds;
use crate::count::work::{Action, NestForm, NotAffine, RangeForm};
use crate::language::program::{Program, ScalarId};
use crate::language::syntax::BinaryOp;
use crate::trace::AccessKind;

/// Longer iterations are executed.
const MOST_DEEDS: usize = 1 << 12;
/// Conditions of an iteration, a bit each.
const MOST_GUARDS: usize = 128;

/// What an iteration does, in order: whether it is an access, and by number on what condition.
#[derive(Default)]
struct Script {
    deeds: Vec<(bool, usize)>,
    guards: Vec<Guard>,
}

/// Time and steps of a nest in rounds of so many threads, where accesses and operators take so long;
/// `None` if its iterations run loops unlike, or are long.
pub(super) fn time_and_steps(
    form: &NestForm,
    work: &[Action],
    scalars: &Scalars,
    threads: u64,
    costs: [u64; 2],
) -> Option<[u128; 2]> {
    let mut script = Script::default();
    script.add(form, work, &mut scalars.clone(), &[])?;
    let mut outside = scalars.clone();
    let mut rounds = Rounds::new(&form.ranges, &mut outside, threads, false, form.span).ok()?;
    let mut known = HashMap::new();
    let mut found = [0_u128; 2];
    while rounds.deal().ok()? {
        let mut kinds = BTreeSet::new();
        for number in 0..rounds.rows.len() {
            let row = rounds.rows[number];
            let scalars = &*rounds.stand_at(row);
            let variable = form.ranges[form.ranges.len() - 1].variable;
            let first = scalars[variable.0];
            let (step, count) = (row.step, row.count);
            let row = IterationRow { scalars, variable, first, step, count };
            script.note_kinds(&row, &mut kinds).ok()?;
        }
        let once = known.entry(kinds).or_insert_with_key(|kinds| script.round(kinds, costs));
        found = [found[0] + once[0], found[1] + once[1]];
    }
    Some(found)
}

impl Script {
    /// Adds what stands in a body, loops turn by turn; `turns` are the values of variables around.
    fn add(
        &mut self,
        form: &NestForm,
        work: &[Action],
        scalars: &mut Scalars,
        turns: &[(ScalarId, i64)],
    ) -> Option<()> {
        let known = |scalar: ScalarId| {
            turns.iter().find(|it| it.0 == scalar).map(|it| Form::constant(it.1))
        };
        for action in work {
            let (is_access, guard) = match action {
                Action::Access(it) => (true, &it.guard),
                Action::Operation(it) => (false, &it.guard),
                Action::Require(_) => continue,
                Action::Loop(it) => {
                    let RangeForm { variable, .. } = it.range;
                    if form
                        .variables()
                        .into_iter()
                        .any(|by| it.range.mentions(by) || it.guard.mentions(by))
                    {
                        return None;
                    }
                    if !it.guard.holds(&|it: ScalarId| scalars[it.0])? {
                        continue;
                    }
                    let wheel = it.range.wheel(scalars, form.span).ok()?;
                    for turn in 0..wheel.count {
                        let value = wheel.after(turn);
                        scalars[variable.0] = value;
                        let turns = [turns, &[(variable, value)]].concat();
                        self.add(form, &it.body, scalars, &turns)?;
                    }
                    continue;
                }
            };
            let guard = guard.specialise(&known)?;
            let number = self.guards.iter().position(|it| *it == guard).unwrap_or_else(|| {
                self.guards.push(guard);
                self.guards.len() - 1
            });
            self.deeds.push((is_access, number));
            if self.deeds.len() > MOST_DEEDS || self.guards.len() > MOST_GUARDS {
                return None;
            }
        }
        Some(())
    }

    /// Notes which conditions hold together in an iteration of a row.
    fn note_kinds(
        &self,
        row: &IterationRow<'_>,
        found: &mut BTreeSet<u128>,
    ) -> Result<(), NotAffine> {
        let overflow = NotAffine::overflow(Default::default());
        let stretches = self.guards.iter().map(|it| it.stretches(row).ok_or(overflow));
        let stretches = stretches.collect::<Result<Vec<_>, _>>()?;
        let mut cuts: Vec<u64> = stretches.iter().flatten().map(|it| it.0).collect();
        cuts.extend(stretches.iter().flatten().map(|it| it.1).chain([0]));
        cuts.sort_unstable();
        cuts.dedup();
        for at in cuts.into_iter().filter(|it| *it < row.count) {
            let holds = |it: &Vec<(u64, u64)>| it.iter().any(|it| (it.0..it.1).contains(&at));
            let bits = stretches.iter().enumerate().filter(|it| holds(it.1));
            found.insert(bits.fold(0, |kind, (number, _)| kind | 1 << number));
        }
        Ok(())
    }

    /// Time and steps of a round that has threads of these kinds: operators of one kind wait for nobody up
    /// to the next step of accesses.
    fn round(&self, kinds: &BTreeSet<u128>, [of_access, of_operation]: [u64; 2]) -> [u128; 2] {
        let mut since: Vec<(u128, u128)> = kinds.iter().map(|&kind| (kind, 0)).collect();
        let [mut time, mut steps] = [0, 0];
        let flush = |since: &mut Vec<(u128, u128)>| {
            let most = since.iter().map(|it| it.1).max().unwrap_or(0);
            since.iter_mut().for_each(|it| it.1 = 0);
            most
        };
        for &(is_access, guard) in &self.deeds {
            let is_active = |kind: u128| kind >> guard & 1 == 1;
            if !is_access {
                let active = since.iter_mut().filter(|it| is_active(it.0));
                active.for_each(|it| it.1 += u128::from(of_operation));
            } else if since.iter().any(|it| is_active(it.0)) {
                time += flush(&mut since) + u128::from(of_access);
                steps += 1;
            }
        }
        [time + flush(&mut since), steps]
    }
}

/// The least and the greatest value that each variable of a nest may have.
type Hull = Vec<(ScalarId, [i128; 2])>;

/// Whether it is sure that no two iterations access one word by one reference in one step: with reads, with
/// writes.
pub(super) fn exclusive(
    program: &Program,
    form: &NestForm,
    work: &[Action],
    scalars: &Scalars,
) -> [bool; 2] {
    let mut hull = Hull::new();
    for range in &form.ranges {
        let [from, to] = [&range.from, &range.to].map(|it| extremes(it, &hull, scalars));
        let (Some(from), Some(to)) = (from, to) else { return [false; 2] };
        let ends = if range.downward { [to[0], from[1]] } else { [from[0], to[1]] };
        hull.push((range.variable, ends));
    }
    let moved = form.variables();
    [AccessKind::Read, AccessKind::Write].map(|kind| {
        let sites = Sites { program, kind, hull: &hull };
        sites.are_apart(work, &moved, &[])
    })
}

struct Sites<'a> {
    program: &'a Program,
    kind: AccessKind,
    hull: &'a Hull,
}

impl Sites<'_> {
    /// `moved` are variables that differ from iteration to iteration in one turn; `uneven` those of loops
    /// inside that do.
    fn are_apart(&self, work: &[Action], moved: &[ScalarId], uneven: &[ScalarId]) -> bool {
        work.iter().all(|action| match action {
            Action::Access(it) if self.program.sites[it.site.0].kind == self.kind => {
                !uneven.iter().any(|&variable| it.cell.mentions(variable))
                    && is_apart(&it.cell, self.hull)
            }
            Action::Loop(it) => {
                let range = &it.range;
                let is_moved = |&variable: &ScalarId| {
                    range.from.mentions(variable) || range.step.mentions(variable)
                };
                let (mut moved, mut uneven) = (moved.to_vec(), uneven.to_vec());
                if moved.iter().any(is_moved) {
                    moved.push(range.variable);
                    uneven.push(range.variable);
                }
                self.are_apart(&it.body, &moved, &uneven)
            }
            _ => true,
        })
    }
}

/// Whether the cell tells the iteration: as digits do, each slope exceeds all that smaller ones amount to.
fn is_apart(cell: &Form, hull: &Hull) -> bool {
    let Form::Affine(cell) = cell else { return false };
    let moving = hull.iter().filter(|(_, [low, high])| low < high);
    let mut digits: Vec<[i128; 2]> = moving
        .map(|(variable, [low, high])| [i128::from(cell.slope(*variable)).abs(), high - low])
        .collect();
    digits.sort_unstable();
    let mut reach = 0;
    digits.into_iter().all(|[slope, length]| {
        let is_apart = slope > reach;
        reach += slope * length;
        is_apart
    })
}

fn extremes(form: &Form, hull: &Hull, scalars: &Scalars) -> Option<[i128; 2]> {
    match form {
        Form::Affine(Affine { constant, slopes }) => {
            let mut found = [i128::from(*constant); 2];
            for &(scalar, slope) in slopes {
                let known = hull.iter().find(|it| it.0 == scalar);
                let [low, high] = known.map_or([scalars[scalar.0].into(); 2], |it| it.1);
                let ends = [low, high].map(|it| it * i128::from(slope));
                found[0] += ends[0].min(ends[1]);
                found[1] += ends[0].max(ends[1]);
            }
            Some(found)
        }
        Form::Operation(op @ (BinaryOp::Min | BinaryOp::Max), parts) => {
            let [left, right] = parts.each_ref().map(|it| extremes(it, hull, scalars));
            let (left, right) = (left?, right?);
            Some([0, 1].map(|at| match op {
                BinaryOp::Min => left[at].min(right[at]),
                _ => left[at].max(right[at]),
            }))
        }
        Form::Operation(..) => None,
    }
}
