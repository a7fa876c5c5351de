//! Exercises on listings.

use std::collections::BTreeSet;

use super::comparison::Task;
use super::table::{BOUNDS, BROKEN, COURSES, FASTER, Pair, RACES};
use super::{Check, Draw, Exercise, ExerciseKind, Item, Setting, own, small};
use crate::case::{Case, CaseError};
use crate::cost::{CostKind, CostMachine, Figure, Value};
use crate::keyword::Keyword;
use crate::machine::{Machine, MachineKind};
use crate::profile::Profile;
use crate::units::{Latency, Threads, Width};

/// Of a run by hand.
const MOST_REQUESTS: u64 = 1 << 20;

fn said(error: CaseError) -> String {
    error.to_string()
}

pub(super) fn pose(item: &Item, draw: &mut Draw) -> Result<Exercise, String> {
    let memory = memory(item.machine, draw);
    if item.kind == ExerciseKind::Small {
        return Ok(small::pose(item.subject, memory, draw));
    }
    let setting = setting(item, memory, draw);
    let exercise = match item.kind {
        ExerciseKind::Bound => bound(item)?,
        ExerciseKind::Race => race(item, draw)?,
        ExerciseKind::Faster => listing(item, &FASTER, memory, setting)?,
        ExerciseKind::Repair => listing(item, &BROKEN, memory, setting)?,
        _ => {
            let case = Case::load(item.subject).map_err(|error| error.to_string())?;
            let case = case.on(memory).set("n", setting.n);
            let case = case.threads(setting.p).map_err(|error| error.to_string())?;
            let text = case.program.source.text.clone();
            let exercise = match item.kind {
                ExerciseKind::Conflict => conflict(&case)?,
                ExerciseKind::Choose => choose(&case)?,
                _ => predict(item, &case)?,
            };
            Exercise { listing: Some(text), ..exercise }
        }
    };
    Ok(Exercise { setting: Some(setting), ..exercise })
}

/// A small machine; where another is asked about, a UMM beside it.
fn memory(machine: &str, draw: &mut Draw) -> Machine {
    let kind = MachineKind::from_keyword(machine).unwrap_or(Machine::default().kind);
    let width = Width::at_least_one(draw.pick(&[4, 8]));
    Machine { kind, width, latency: Latency::at_least_one(2 + draw.below(7)) }
}

/// Sizes and threads: few enough for a run by hand, or of a listing that is written enough to tell.
fn setting(item: &Item, memory: Machine, draw: &mut Draw) -> Setting {
    let is_square = matches!(
        item.subject,
        "transpose"
            | "matrix_multiply"
            | "matrix_vector"
            | "warshall"
            | "floyd_warshall"
            | "scale"
            | "column_maxima"
            | "row_sums"
            | "swap"
    );
    let n = if is_square { draw.pick(&[4, 8]) } else { draw.pick(&[8, 16, 32]) };
    let (n, p) = match item.kind {
        ExerciseKind::Faster => (if is_square { 16 } else { 64 }, 64),
        _ => (n, draw.pick(&[4, 8, 16])),
    };
    let (w, l) = (memory.width.get(), memory.latency.get());
    Setting { machine: memory.kind.word(), n, w, l, p }
}

fn predict(item: &Item, case: &Case) -> Result<Exercise, String> {
    let (case, machine, figure) = match COURSES.iter().find(|it| it.0 == item.machine) {
        None => {
            let time = case.time().map_err(said)?.total().time_units.0;
            let figure = Figure { key: "time_units", about: "time", value: Value::Count(time) };
            (case.clone(), in_words(case.machine), figure)
        }
        Some((word, rules)) => {
            let kind = CostKind::from_keyword(word).map_err(|error| error.to_string())?;
            let rules = rules.iter().map(|&(name, text)| (name.to_owned(), text.to_owned()));
            let machine = CostMachine::of(kind, &rules.collect())?;
            let cost = case.count_cost(&machine).map_err(said)?.cost;
            let figure = cost.figures.into_iter().next().ok_or("it costs nothing")?;
            let parameters = machine.parameters().into_iter();
            let parameters: Vec<String> =
                parameters.map(|(name, value)| format!("{name} = {value}")).collect();
            let words = format!("{} ({})", kind.name(), parameters.join(", "));
            (Case { course: Some(machine), ..case.clone() }, words, figure)
        }
    };
    let unit = if figure.about.starts_with("time") { ", in time units" } else { "" };
    let text = format!(
        "What does `{}` cost for n = {} with p = {} threads on {machine}: {}{unit}?",
        item.subject, case.set.0["n"], case.threads, figure.about
    );
    let check = match figure.value {
        Value::Count(count) => Check::Number(count),
        Value::Number(number) => Check::Near(number),
        other => Check::OneOf(vec![other.to_string()]),
    };
    Ok(Exercise::new(text, check).because(format!("umm run {case} tells it.")))
}

fn in_words(Machine { kind, width, latency }: Machine) -> String {
    format!("the synchronous {} of width w = {width} and latency l = {latency}", kind.name())
}

/// The lines whose accesses take the most stages.
fn conflict(case: &Case) -> Result<Exercise, String> {
    let lines = Profile::record(case, MOST_REQUESTS).map_err(said)?.by_line();
    let worst = lines.values().map(|it| it.stages_per_dispatch()).fold(0.0, f64::max);
    let right = lines.iter().filter(|it| it.1.stages_per_dispatch() >= worst);
    let right: Vec<String> = right.map(|it| it.0.to_string()).collect();
    let text = format!(
        "`{}` runs for n = {} with p = {} threads on {}. In which line do warps' accesses take the most stages \
         each, on average? A line number is the answer.",
        case.program.name,
        case.set.0["n"],
        case.threads,
        in_words(case.machine)
    );
    let each =
        lines.iter().map(|(line, it)| format!("line {line}: {:.2}", it.stages_per_dispatch()));
    let because = format!("Stages per access of a warp: {}.", each.collect::<Vec<_>>().join(", "));
    Ok(Exercise::new(text, Check::OneOf(right)).because(because))
}

/// Threads with which the listing is as fast as with any power of two up to 256.
fn choose(case: &Case) -> Result<Exercise, String> {
    let mut best: Option<(u128, Case)> = None;
    for power in 0..=8 {
        let case = case.clone().threads(1 << power).map_err(|error| error.to_string())?;
        let time = case.time().map_err(said)?.total().time_units.0;
        if best.as_ref().is_none_or(|it| time < it.0) {
            best = Some((time, case));
        }
    }
    let (most, case) = best.ok_or("it cannot be run")?;
    let text = format!(
        "Choose p: with how many threads does `{}` take at most {most} time units for n = {} on {}?",
        case.program.name,
        case.set.0["n"],
        in_words(case.machine)
    );
    let because = format!("With p = {} it takes {most}.", case.threads);
    Ok(Exercise::new(text, Check::Threads(Box::new(case), most)).because(because))
}

fn bound(item: &Item) -> Result<Exercise, String> {
    let found = BOUNDS.iter().find(|it| it.0 == item.subject).ok_or("there is no bound")?;
    let case = Case::load(item.subject).map_err(|error| error.to_string())?;
    let listing = Some(case.program.source.text.clone());
    let text = format!(
        "State an upper bound O(…) of the time of `{}` on the synchronous UMM in n, w, l and p, for all of their \
         values. It counts if it is proved, and is no larger than need be.",
        item.subject
    );
    let because = format!("umm complexity {} --bound \"O({})\" proves it.", item.subject, found.1);
    let check = Check::Claim(Box::new(case), found.1);
    Ok(Exercise { listing, ..Exercise::new(text, check).because(because) })
}

/// The lines that take part in a race.
fn race(item: &Item, draw: &mut Draw) -> Result<Exercise, String> {
    let found = RACES.iter().find(|it| it.0 == item.subject).ok_or("there is no listing")?;
    let n = draw.pick(&[6, 8, 10, 12]);
    let case = Case::new(own(item.subject, found.1)?).set("n", n);
    let findings = case.observe().map_err(said)?;
    let program = &case.program;
    let lines: BTreeSet<usize> = { findings.races.iter().flat_map(|it| &it.accesses) }
        .map(|it| program.source.line(program.sites[it.site.0].span))
        .collect();
    let text = format!(
        "Iterations of a parallel loop of this listing race for a word if n = {n}. Name a line that takes part in \
         it."
    );
    let because = findings.race(program).ok_or("there is no race")?;
    let check = Check::OneOf(lines.iter().map(usize::to_string).collect());
    let exercise = Exercise::new(text, check).because(format!("A race on {because}."));
    Ok(Exercise { listing: Some(found.1.to_owned()), ..exercise })
}

/// A listing that is begun.
fn listing(
    item: &Item,
    pairs: &'static [Pair],
    machine: Machine,
    setting: Setting,
) -> Result<Exercise, String> {
    let pair = pairs.iter().find(|it| it.name == item.subject).ok_or("there is no listing")?;
    let solved = own(item.subject, pair.solved)?;
    let threads = Threads::at_least_one(setting.p);
    let mut task = Task { solved, machine, threads, n: setting.n, most: None };
    let text = if item.kind == ExerciseKind::Faster {
        let [begun, most] = [own(item.subject, pair.begun)?, task.solved.clone()]
            .map(|it| task.time(&it).map_err(said));
        let (begun, most) = (begun?, most?);
        task.most = Some(most);
        format!(
            "{}. This listing takes {begun} time units for n = {} with p = {} threads on {}; write one that takes at \
             most {most}.",
            pair.task,
            setting.n,
            setting.p,
            in_words(machine)
        )
    } else {
        format!("{}. This listing does not do that, or not always: repair it.", pair.task)
    };
    let begun = Some(pair.begun.to_owned());
    Ok(Exercise { listing: begun, ..Exercise::new(text, Check::Listing(Box::new(task))) })
}
