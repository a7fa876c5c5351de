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
use memory_machine_core::language::program::Program;
use memory_machine_core::machine::{Dmms, Machine, Mode, PipelineDiagram, WarpAccess};
use memory_machine_core::run::layout::Layout;
use memory_machine_core::steps::Steps;
use memory_machine_core::units::Address;

/// What is drawn.
#[derive(Clone, Copy)]
pub struct Picture<'a> {
    /// The accesses, and the machine.
    pub pipeline: &'a PipelineDiagram,
    /// Of a listing, what its accesses are on.
    pub listing: Option<(&'a Steps, &'a Program, &'a Layout)>,
    /// Of a kernel, likewise.
    pub source: Option<&'a dyn SourceLabels>,
    /// Whether it has all warps of the steps that it has: else there is no sum.
    pub has_all_warps: bool,
}

/// What stands beside the accesses of a program that is no listing.
pub trait SourceLabels {
    /// What it is called.
    fn name(&self) -> String;
    /// The place in the source that makes an access, in words; accesses of one place are named once.
    fn place(&self, access: &WarpAccess) -> Option<String>;
    /// What stands at an address of the access.
    fn element(&self, access: &WarpAccess, address: Address) -> String;
}

/// Of a trace.
impl<'a> From<&'a PipelineDiagram> for Picture<'a> {
    fn from(pipeline: &'a PipelineDiagram) -> Self {
        Self { pipeline, listing: None, source: None, has_all_warps: true }
    }
}

impl Picture<'_> {
    /// Where in the listing an access stands, if that is not where the access before it stands.
    fn head(&self, before: Option<&WarpAccess>, access: &WarpAccess) -> Option<String> {
        if let Some(source) = self.source {
            let place = source.place(access)?;
            let is_new = |it: &WarpAccess| {
                it.step != access.step || source.place(it).as_ref() != Some(&place)
            };
            return before.is_none_or(is_new).then(|| format!("step {}, {place}", access.step));
        }
        let (steps, program, _) = self.listing?;
        let site = |it: &WarpAccess| &program.sites[steps.site(it).0];
        let (here, source) = (site(access), &program.source);
        let is_new =
            |it: &WarpAccess| (it.step, site(it).span.start) != (access.step, here.span.start);
        before.is_none_or(is_new).then(|| {
            let code = source.line_text(here.span).split("//").next().unwrap_or_default();
            let (phase, line) = (&program.phases[here.phase.0 as usize], source.line(here.span));
            format!("step {}, {phase}, line {line}: {}", access.step, code.trim_end())
        })
    }
}

/// The machine and the run, in a few words each.
fn title(picture: &Picture<'_>) -> Vec<String> {
    let pipeline = picture.pipeline;
    let PipelineDiagram { machine: Machine { kind, width, latency }, mode, threads, .. } = pipeline;
    let mut title: Vec<String> =
        picture.listing.iter().map(|(_, program, _)| program.name.clone()).collect();
    title.extend(picture.source.map(SourceLabels::name));
    title.extend([kind.name().to_owned(), format!("w = {width}"), format!("l = {latency}")]);
    if let Some(Dmms { number, latency, resident }) = kind.dmms() {
        title.push(format!("d = {number}"));
        title.push(format!("shared l = {latency}"));
        title.push(format!("R = {resident}"));
    }
    title.push(mode.name().to_owned());
    title.push(format!("p = {threads}"));
    title
}

/// What the time is made of; a line for each step of a synchronous run, then the total.
fn sums(picture: &Picture<'_>) -> Vec<String> {
    let pipeline = picture.pipeline;
    let steps = steps(pipeline);
    let all = pipeline.steps - pipeline.empty_steps;
    let mut shown: Vec<usize> = steps.iter().map(|it| it.number).collect();
    shown.sort_unstable();
    shown.dedup();
    let is_part = shown.len() < all;
    if !picture.has_all_warps || (is_part && pipeline.mode == Mode::Async) {
        return vec![format!("the whole run is complete after {}", units(pipeline.time.0))];
    }
    let latency = |it: &StepSum| u128::from(it.memory.latency.get());
    let cost = |it: &StepSum| it.stages.iter().sum::<usize>() as u128 + latency(it) - 1;
    let sum = |it: &StepSum| {
        let total: usize = it.stages.iter().sum();
        let terms: Vec<String> = it.stages.iter().map(usize::to_string).collect();
        let terms = if terms.len() > 8 { total.to_string() } else { terms.join(" + ") };
        let noun = if total == 1 { "stage" } else { "stages" };
        let which = if it.is_shared { " of the DMM with most" } else { "" };
        format!("{terms} {noun}{which} + latency {} − 1", latency(it))
    };
    let has_waves = steps.iter().any(|it| it.wave.is_some_and(|it| it > 1));
    let whole = if is_part { "the whole run is " } else { "" };
    let complete = format!("{whole}complete after {}", units(pipeline.time.0));
    match (pipeline.mode, &steps[..]) {
        (_, []) => vec!["no thread asks for anything: 0 time units".to_owned()],
        (Mode::Sync, [one]) if !is_part => vec![format!("{complete}: {}", sum(one))],
        (Mode::Sync, _) => (steps.chunk_by(StepSum::is_alike))
            .map(|alike| {
                let numbers: Vec<usize> = alike.iter().map(|it| it.number).collect();
                let each = if alike.len() == 1 { "" } else { " each" };
                let (which, time) = (steps_text(&numbers), units(cost(&alike[0])));
                let wave = alike[0].wave.filter(|_| has_waves);
                let wave = wave.map_or_else(String::new, |it| format!("wave {it}, "));
                format!("{wave}{which}: {time}{each}: {}", sum(&alike[0]))
            })
            .chain([complete])
            .collect(),
        // Blocks that go their own way make no waves.
        (Mode::Async, _) if pipeline.has_blocks() => vec![complete],
        (Mode::Async, _) => {
            let synchronous: u128 = steps.iter().map(cost).sum();
            vec![format!("{complete}; the synchronous run takes {synchronous}")]
        }
    }
}

fn units(time: u128) -> String {
    if time == 1 { "1 time unit".to_owned() } else { format!("{time} time units") }
}

/// What the time of a step is made of.
struct StepSum {
    number: usize,
    /// Of the blocks that make it, from 1; `None` outside loops on DMMs.
    wave: Option<u64>,
    memory: Machine,
    is_shared: bool,
    /// Of its warps; those of the DMM with most if it goes to shared memories.
    stages: Vec<usize>,
}

impl StepSum {
    fn is_alike(&self, other: &Self) -> bool {
        (self.wave, self.is_shared, &self.stages) == (other.wave, other.is_shared, &other.stages)
    }
}

/// The steps, as a synchronous run makes them: wave by wave, in the order of their numbers.
fn steps(pipeline: &PipelineDiagram) -> Vec<StepSum> {
    let together = pipeline.machine.kind.dmms().map_or(1, Dmms::blocks);
    let wave = |it: &WarpAccess| it.block.map(|it| it.at.block / together + 1);
    let mut accesses: Vec<_> = pipeline.accesses.iter().collect();
    // A step's accesses stand together in a synchronous run, and only there waves are of interest.
    if pipeline.mode == Mode::Async {
        accesses.sort_by_key(|it| (it.step, it.warp));
    }
    accesses
        .chunk_by(|a, b| (a.step, wave(a)) == (b.step, wave(b)))
        .map(|step| {
            let mut step = step.to_vec();
            step.sort_by_key(|it| (it.dmm(), it.block.map(|it| it.at.block), it.warp));
            let dmms = step.chunk_by(|a, b| a.dmm() == b.dmm());
            let stages = dmms.map(|it| it.iter().map(|it| it.stages.len()).collect::<Vec<_>>());
            let stages = stages.max_by_key(|it| it.iter().sum::<usize>()).unwrap_or_default();
            let WarpAccess { step: number, memory, .. } = *step[0];
            let (wave, is_shared) = (wave(step[0]), step[0].dmm().is_some());
            StepSum { number, wave, memory, is_shared, stages }
        })
        .collect()
}

/// How to read the picture, and what it leaves out.
fn notes(picture: &Picture<'_>) -> Vec<String> {
    let pipeline = picture.pipeline;
    if pipeline.accesses.is_empty() {
        return Vec::new();
    }
    let convention =
        "time units count from 1; a number is the pipeline stage that the requests are in";
    let mut lines = vec![convention.to_owned()];
    if !picture.has_all_warps {
        return lines;
    }
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
