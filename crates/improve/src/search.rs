//! A ladder: from a listing by proved steps to one that takes less time.

use std::collections::{BTreeMap, BTreeSet};

use memory_machine_core::diagnostic::{Located, Source};
use memory_machine_core::keyword::Keyword;
use memory_machine_core::language;
use memory_machine_core::language::program::Program;
use memory_machine_core::language::syntax::{Listing, Type};
use memory_machine_core::run::layout::{Arrangement, Layout};

use crate::check::{Certificate, Proof, verify};
pub use crate::ladder::{
    Company, Ladder, NamedStep, Predict, Reach, RefusedStep, Rung, SearchError, Step,
};
use crate::oracle::{Comparison, compare, is_near};
use crate::time::{Setting, Time, launches, layout, time};
use crate::transform::tree::depth;
use crate::transform::{ARRANGEMENT, COLUMNS, Proposal, TRANSFORMATIONS, Transformation};

/// Listings with more accesses than this are not executed to time them.
const MOST_EXECUTED: u128 = 1 << 22;

/// Seconds are predicted of so many times as many candidates as are kept: those with the least time.
const PREDICTED: usize = 3;
/// Candidates are compared with sizes up to this first.
const SMALL: i64 = 128;
/// The same where more than three loops stand inside each other: counting takes longer.
const SMALL_OF_MANY: i64 = 16;
/// By how much one may be slower there than another to be counted with the sizes that are asked for.
const FAR_BEHIND: u128 = 30;

/// What is made less: predicted seconds where they are known, then exact time with its launches.
type Cost = (u128, u128, Time);

fn cost(seconds: Option<f64>, time: Time, setting: &Setting<'_>) -> Cost {
    let picoseconds = seconds.map_or(u128::MAX, |it| (it * 1e12) as u128);
    (picoseconds, time.with_launches(setting.launch), time)
}

/// A listing on the way.
struct State {
    program: Program,
    bulk: Option<Arrangement>,
    rungs: Vec<Rung>,
}

/// What may come next.
struct Candidate {
    from: usize,
    rule: &'static str,
    proposal: Proposal,
    program: Program,
    bulk: Option<Arrangement>,
    time: Time,
    seconds: Option<f64>,
}

impl Rung {
    fn cost(&self, setting: &Setting<'_>) -> Cost {
        cost(self.seconds, self.time, setting)
    }
}

impl State {
    fn last(&self) -> &Rung {
        self.rungs.last().unwrap_or_else(|| unreachable!("a ladder has a first rung"))
    }
}

fn load(text: &str) -> Result<Program, Box<Located>> {
    language::load(Source { name: "listing".to_owned(), text: text.to_owned() })
}

/// Searches for a ladder, by exact time, or by seconds if they can be predicted.
///
/// # Errors
/// [`SearchError`]
pub fn search(
    program: &Program,
    setting: &Setting<'_>,
    reach: Reach,
    company: Company<'_>,
) -> Result<Ladder, SearchError> {
    let Company { is_over, predict, memo, .. } = company;
    let text = program.listing.to_string();
    let program = load(&text)?;
    program.with_plain_accesses("improvements")?;
    program.without_forks("improvements")?;
    let count = || time(&program, setting);
    let first = memo.time(&program, (setting.values, setting.bulk), count);
    let first = first.map_err(SearchError::Time)?;
    let bulk = setting.bulk.map(Keyword::word);
    let seconds = predict.and_then(|it| {
        memo.seconds(&program, setting.bulk, || it(&program, setting.bulk), is_over)
    });
    let rung = Rung { listing: text.clone(), bulk, time: first, seconds, step: None };
    let mut beam = vec![State { program, bulk: setting.bulk, rungs: vec![rung] }];
    let mut best = beam[0].rungs.clone();
    let mut seen = BTreeSet::from([(text, setting.bulk)]);
    let (mut tried, mut refused, mut is_cut) = (0, BTreeMap::new(), false);
    let mut idle = 0;
    let rounds = if company.steps.is_empty() { reach.steps } else { company.steps.len() };
    for round in 0..rounds {
        let asked = company.steps.get(round);
        let mut candidates = vec![];
        for (from, state) in beam.iter().enumerate() {
            if is_cut {
                break;
            }
            candidates.extend(next(
                from,
                state,
                (setting, reach, asked),
                &mut seen,
                (company, &mut tried),
            ));
            is_cut |= is_over();
        }
        candidates.sort_by_key(|it| (cost(None, it.time, setting), it.from));
        if predict.is_some() {
            is_cut |= predict_some(&mut candidates, company, PREDICTED * reach.beam, tried);
            candidates.sort_by_key(|it| (cost(it.seconds, it.time, setting), it.from));
        }
        let mut found: Vec<State> = vec![];
        let mut why = String::new();
        for candidate in candidates {
            // What was counted in time is worth a proof.
            is_cut |= is_over();
            if found.len() == reach.beam || is_cut && !found.is_empty() {
                break;
            }
            let from = &beam[candidate.from];
            let is_faster =
                cost(candidate.seconds, candidate.time, setting) < from.last().cost(setting);
            let time_units = candidate.time.time_units;
            match step(from, &beam[0].rungs[0], candidate, setting, reach.reassociates)? {
                Ok(state) => found.push(state),
                Err((what, reason)) if round == 0 && is_faster && asked.is_none() => {
                    refused.entry(reason.clone()).or_insert(RefusedStep {
                        what,
                        time_units,
                        reason,
                    });
                }
                Err((_, reason)) => why = reason,
            }
        }
        if let Some(asked) = asked.filter(|_| found.is_empty()) {
            return Err(SearchError::NotTaken { rule: asked.rule, why: no_step(is_cut, why) });
        }
        let least = found.iter().min_by_key(|it| it.last().cost(setting));
        idle += 1;
        if let Some(least) = least
            && (asked.is_some()
                || best.last().is_none_or(|it| least.last().cost(setting) < it.cost(setting)))
        {
            best.clone_from(&least.rungs);
            idle = 0;
        }
        if found.is_empty() || is_cut || idle == 2 {
            break;
        }
        beam = found;
    }
    let mut refused: Vec<RefusedStep> = refused.into_values().collect();
    refused.sort_by(|a, b| (a.time_units, &a.what).cmp(&(b.time_units, &b.what)));
    count_launches(&mut best, setting)?;
    Ok(Ladder { rungs: best, refused, tried, is_cut })
}

/// Why none of the steps that are to be taken is.
fn no_step(is_cut: bool, why: String) -> String {
    match (is_cut, why.is_empty()) {
        (true, _) => "time was up".to_owned(),
        (false, true) => "it fits nowhere, or comes out as no listing of this machine".to_owned(),
        (false, false) => why,
    }
}

/// Predicts the seconds of so many of those with the least time, and of the best of each transformation
/// besides, which may need fewer launches. Whether time was up before the last.
fn predict_some(
    candidates: &mut [Candidate],
    Company { is_over, predict, memo, progress, .. }: Company<'_>,
    most: usize,
    tried: usize,
) -> bool {
    let Some(predict) = predict else { return is_over() };
    let mut rules = BTreeSet::new();
    for (at, it) in candidates.iter_mut().enumerate() {
        if !rules.insert(it.rule) && at >= most {
            continue;
        }
        // What was counted is worth a prediction, of the fastest alone when time is up.
        if at > 0 && is_over() {
            return true;
        }
        let own = || predict(&it.program, it.bulk);
        it.seconds = memo.seconds(&it.program, it.bulk, own, is_over);
        progress(tried);
    }
    is_over()
}

/// Says of each rung how often it starts a parallel loop.
fn count_launches(rungs: &mut [Rung], setting: &Setting<'_>) -> Result<(), SearchError> {
    for rung in rungs.iter_mut().filter(|it| it.time.launches.is_none()) {
        let program = load(&rung.listing)?;
        let layout = layout(&program, &Setting { bulk: None, ..*setting });
        rung.time.launches = layout.ok().and_then(|it| launches(&program, &it, setting.limits));
    }
    Ok(())
}

/// What may come after a listing, with its time.
fn next(
    from: usize,
    state: &State,
    (setting, reach, asked): (&Setting<'_>, Reach, Option<&NamedStep>),
    seen: &mut BTreeSet<(String, Option<Arrangement>)>,
    (Company { is_over, memo, progress, .. }, tried): (Company<'_>, &mut usize),
) -> Vec<Candidate> {
    let text = state.rungs.last().map_or("", |it| &it.listing);
    let mut proposals = vec![];
    let is_tried = |it: &&Transformation| match asked {
        Some(asked) => it.name == asked.rule,
        None => it.is_searched && (it.name != COLUMNS || reach.layouts),
    };
    for transformation in TRANSFORMATIONS.iter().filter(is_tried) {
        let all = (transformation.propose)(&state.program.listing, text);
        proposals.extend(all.into_iter().map(|it| (transformation.name, it, state.bulk)));
    }
    if asked.is_none_or(|it| it.rule == ARRANGEMENT) {
        let all = Arrangement::WORDS.iter().map(|it| it.0);
        proposals.extend(all.filter(|it| Some(*it) != state.bulk).filter_map(|to| {
            let own = arrangement(&state.program.listing, state.bulk?, to);
            Some((ARRANGEMENT, own, Some(to)))
        }));
    }
    proposals.retain(|it| asked.is_none_or(|asked| asked.has_form(&it.1.what)));
    let mut found = vec![];
    let mut forbidden = BTreeSet::new();
    let free = without_order(&proposals, text);
    let side = if depth(&state.program.listing.body) > 3 { SMALL_OF_MANY } else { SMALL };
    let few = |it: (&String, &i64)| (it.0.clone(), (*it.1).min(side));
    let small: BTreeMap<String, i64> = setting.values.iter().map(few).collect();
    let mut least = u128::MAX;
    // What depends on memory is executed: only where that does not take long.
    let accesses = state.last().time.accesses;
    let given = |program: &Program, layout: &Layout| match accesses > MOST_EXECUTED {
        true => Err("it has too many accesses to be executed".to_owned()),
        false => (setting.given)(program, layout),
    };
    for (rule, proposal, bulk) in proposals {
        if is_over() {
            break;
        }
        // Of steps that are not allowed one is enough to name the reason.
        let is_forbidden =
            proposal.path.iter().any(|it| it.1.reassociates()) && !reach.reassociates;
        if is_forbidden && !forbidden.insert(proposal.line)
            || rule == "wavefront" && free.contains(&proposal.line)
        {
            continue;
        }
        let Some(listing) = proposal.listing().map(ToString::to_string) else { continue };
        if !seen.insert((listing.clone(), bulk)) && asked.is_none() {
            continue;
        }
        // What is no listing, or does not run on this machine, is no step.
        let is_counted = |it: &Program| it.first_layout().is_none() || accesses <= MOST_EXECUTED;
        let Some(program) = load(&listing).ok().filter(is_counted) else { continue };
        // Exact times of what is far behind are not worth the wait.
        if setting.values != &small {
            let setting = Setting { bulk, given: &given, values: &small, ..*setting };
            let count = || time(&program, &setting);
            let Ok(time) = memo.time(&program, (&small, bulk), count) else { continue };
            least = least.min(time.time_units);
            if asked.is_none() && time.time_units / FAR_BEHIND > least {
                continue;
            }
        }
        let count = || time(&program, &Setting { bulk, given: &given, ..*setting });
        let Ok(time) = memo.time(&program, (setting.values, bulk), count) else { continue };
        *tried += 1;
        progress(*tried);
        found.push(Candidate { from, rule, proposal, program, bulk, time, seconds: None });
    }
    found
}

/// The lines of nests that run in parallel as they are: none of them needs a wavefront.
fn without_order(
    proposals: &[(&str, Proposal, Option<Arrangement>)],
    before: &str,
) -> BTreeSet<usize> {
    let is_proved = |it: &&(&str, Proposal, Option<Arrangement>)| {
        let [(listing, proof)] = &it.1.path[..] else { return false };
        let (rule, before) = (it.0.to_owned(), before.to_owned());
        let after = listing.to_string();
        verify(&Certificate { rule, before, after, proof: proof.clone() }).is_ok()
    };
    let nests = proposals.iter().filter(|it| it.0 == "parallel" && it.1.what.contains(" in it "));
    nests.filter(is_proved).map(|it| it.1.line).collect()
}

/// Another arrangement of the inputs of a bulk run.
fn arrangement(listing: &Listing, from: Arrangement, to: Arrangement) -> Proposal {
    let [one, other] = [from, to].map(|it| it.word().to_owned());
    Proposal {
        what: format!("arrange the inputs {} in place of {}", to.name(), from.name()),
        why: "each input keeps its cells, in other words of memory",
        line: 1,
        path: vec![(listing.clone(), Proof::Arrangement { from: one, to: other })],
    }
}

/// Takes a step if it is proved; else what it was, and why not.
fn step(
    from: &State,
    first: &Rung,
    candidate: Candidate,
    setting: &Setting<'_>,
    reassociates: bool,
) -> Result<Result<State, (String, String)>, SearchError> {
    let Proposal { what, why, line, path } = candidate.proposal;
    let mut before = from.rungs.last().map_or(String::new(), |it| it.listing.clone());
    let mut certificates = vec![];
    for (listing, proof) in path {
        let (rule, after) = (candidate.rule.to_owned(), listing.to_string());
        let certificate = Certificate { rule, before, after: after.clone(), proof };
        if certificate.reassociates() && !reassociates {
            let reason = "line {line}: the order in which floats are joined decides their last bits; \
                          --reassociate allows it";
            return Ok(Err((what, reason.replace("{line}", &line.to_string()))));
        }
        if let Err(refusal) = verify(&certificate) {
            return Ok(Err((what, refusal.to_string())));
        }
        certificates.push(certificate);
        before = after;
    }
    let after = before;
    let original = load(&first.listing)?;
    let near = |element: Type, a, b| is_near(element, a, b) && reassociates;
    let runs = match compare(&original, &candidate.program, setting.values, &near) {
        Comparison::Same { runs } => runs,
        Comparison::Different { witness } => return Err(SearchError::Unsound { what, witness }),
    };
    let step = Some(Step { what, why: why.to_owned(), line, runs, certificates });
    let mut rungs = from.rungs.clone();
    let bulk = candidate.bulk;
    let Candidate { time, seconds, .. } = candidate;
    rungs.push(Rung { listing: after, bulk: bulk.map(Keyword::word), time, seconds, step });
    Ok(Ok(State { program: candidate.program, bulk, rungs }))
}
