//! The pipeline of a small run, drawn as the papers' figure draws it: a row for each stage's
//! requests, a column for each time unit, and in each cell the pipeline stage that they are in.
//!
//! Time units are counted from 1 here, so that the last column's number is the time that the run
//! takes: requests that enter at time `s` are in stage 1 during time unit `s + 1`.

mod axis;
mod labels;
mod slide;
mod text;

pub use self::slide::scene;
pub use self::text::text;

use self::labels::range;
use crate::machine::{Machine, Mode, Pipeline};

/// The machine and the run, in a few words each.
fn title(pipeline: &Pipeline) -> [String; 5] {
    let Pipeline { machine: Machine { kind, width, latency }, mode, threads, .. } = pipeline;
    [
        kind.name().to_owned(),
        format!("w = {width}"),
        format!("l = {latency}"),
        mode.name().to_owned(),
        format!("p = {threads}"),
    ]
}

/// What the time is made of; a line for each step of a synchronous run, then the total.
fn sums(pipeline: &Pipeline) -> Vec<String> {
    let steps = steps(pipeline);
    let latency = u128::from(pipeline.machine.latency.get());
    let cost = |stages: &[usize]| stages.iter().sum::<usize>() as u128 + latency - 1;
    let sum = |stages: &[usize]| {
        let total: usize = stages.iter().sum();
        let terms: Vec<String> = stages.iter().map(usize::to_string).collect();
        let terms = if terms.len() > 8 { total.to_string() } else { terms.join(" + ") };
        let noun = if total == 1 { "stage" } else { "stages" };
        format!("{terms} {noun} + latency {latency} − 1")
    };
    let complete = format!("complete after {}", units(pipeline.time.0));
    match (pipeline.mode, &steps[..]) {
        (_, []) => vec!["no thread asks for anything: 0 time units".to_owned()],
        (Mode::Sync, [(_, stages)]) => vec![format!("{complete}: {}", sum(stages))],
        (Mode::Sync, _) => (steps.chunk_by(|(_, a), (_, b)| a == b))
            .map(|alike| {
                let numbers: Vec<usize> = alike.iter().map(|(step, _)| *step).collect();
                let stages = &alike[0].1;
                let each = if alike.len() == 1 { "" } else { " each" };
                let (which, time) = (steps_text(&numbers), units(cost(stages)));
                format!("{which}: {time}{each}: {}", sum(stages))
            })
            .chain([complete])
            .collect(),
        (Mode::Async, _) => {
            let synchronous: u128 = steps.iter().map(|(_, stages)| cost(stages)).sum();
            vec![format!("{complete}; the synchronous run takes {synchronous}")]
        }
    }
}

fn units(time: u128) -> String {
    if time == 1 { "1 time unit".to_owned() } else { format!("{time} time units") }
}

/// Each step in the order of its number, with the stages that its warps take.
fn steps(pipeline: &Pipeline) -> Vec<(usize, Vec<usize>)> {
    let mut accesses: Vec<_> = pipeline.accesses.iter().collect();
    accesses.sort_by_key(|access| (access.step, access.warp));
    accesses
        .chunk_by(|a, b| a.step == b.step)
        .map(|step| (step[0].step, step.iter().map(|access| access.stages.len()).collect()))
        .collect()
}

/// How to read the picture, and what it leaves out.
fn notes(pipeline: &Pipeline) -> Vec<String> {
    if pipeline.accesses.is_empty() {
        return Vec::new();
    }
    let convention =
        "time units count from 1; a number is the pipeline stage that the requests are in";
    let mut lines = vec![convention.to_owned()];
    let mut idle: Vec<((u64, u64), Vec<usize>)> = Vec::new();
    for it in &pipeline.idle {
        match idle.iter_mut().find(|(warps, _)| *warps == (it.first, it.last)) {
            Some((_, steps)) => steps.push(it.step),
            None => idle.push(((it.first, it.last), vec![it.step])),
        }
    }
    for ((first, last), steps) in idle {
        let warps = range(first, last, |warp| format!("W({warp})"));
        let verb = if first == last { "is" } else { "are" };
        lines.push(format!("{warps} {verb} idle in {}: not dispatched", steps_text(&steps)));
    }
    match pipeline.empty_steps {
        0 => {}
        1 => lines.push("1 more step takes no time: no thread asks for anything".to_owned()),
        n => lines.push(format!("{n} more steps take no time: no thread asks for anything")),
    }
    lines
}

/// `step 3`, `steps 1, 2, 5…9`.
fn steps_text(steps: &[usize]) -> String {
    let ranges: Vec<String> = steps
        .chunk_by(|a, b| a + 1 == *b)
        .map(|it| range(it[0] as u64, it[it.len() - 1] as u64, |step| step.to_string()))
        .collect();
    format!("{} {}", if steps.len() == 1 { "step" } else { "steps" }, ranges.join(", "))
}
