//! What a listing does, whatever the machine: whether it is oblivious, which PRAM it needs, its races.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Case, CaseError};
use memory_machine_core::diagnostic::Span;
use memory_machine_core::language::oblivious::Obliviousness;
use memory_machine_core::language::program::Program;
use memory_machine_core::language::sites::IterationAccesses;
use memory_machine_core::run::Observer;
use memory_machine_core::run::layout::Layout;
use memory_machine_core::run::pram::{Pram, PramClass, Race, RacingAccess};
use memory_machine_core::trace::AccessKind;

/// What a run with one thread an iteration showed.
pub struct RunFindings {
    /// Of the memory of the whole machine.
    pub class: PramClass,
    /// Of the memories of DMMs, if there are any.
    pub shared_class: Option<PramClass>,
    /// A word each.
    pub races: Vec<Race>,
    /// Where the arrays lay.
    pub layout: Layout,
}

/// What a listing does, as `--json` prints it.
#[derive(Serialize)]
pub struct CheckReport<'a> {
    /// The listing's name.
    pub algorithm: &'a str,
    /// True: of another there is no report.
    pub well_formed: bool,
    /// Whether addresses do not depend on input data.
    pub oblivious: bool,
    /// `oblivious`, `semi-oblivious` or `not oblivious`.
    pub obliviousness: &'static str,
    /// Where they do.
    pub dependence: Option<Value>,
    /// What an iteration of each loop accesses.
    pub phases: Vec<Value>,
    /// Values of the run, if there was one.
    pub parameters: Option<Map<String, Value>>,
    /// What the run needs.
    pub pram_class: Option<PramClass>,
    /// Of the DMMs' memories, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared_pram_class: Option<PramClass>,
    /// A word each, with two accesses to it.
    pub races: Vec<Value>,
}

impl RunFindings {
    /// What makes results depend on the order of iterations, in words: the first race, or words that several
    /// iterations write at once.
    pub fn race(&self, program: &Program) -> Option<String> {
        let access = |it: &RacingAccess| {
            let site = &program.sites[it.site.0];
            let verb = if site.kind == AccessKind::Write { "writes" } else { "reads" };
            let iteration = it.iteration.iter().map(|(name, at)| format!("{name} = {at}"));
            let who = match &iteration.collect::<Vec<_>>()[..] {
                [] => "a call in parallel".to_owned(),
                of => format!("iteration {}", of.join(", ")),
            };
            format!("{who} {verb} it in line {}", program.source.line(site.span))
        };
        if let Some(race) = self.races.first() {
            let accesses: Vec<String> = race.accesses.iter().map(access).collect();
            let word = element(program, self, race);
            return Some(format!("{word}: {}", accesses.join(", and ")));
        }
        [Some(self.class), self.shared_class].contains(&Some(PramClass::CrcwArbitrary)).then(|| {
            "iterations write one word at once, different values: which one stays is open"
                .to_owned()
        })
    }
}

impl Case {
    /// Runs the program with one thread an iteration.
    ///
    /// # Errors
    /// As [`Case::execute`].
    pub fn observe(&self) -> Result<RunFindings, CaseError> {
        let case = self.clone().of_pram();
        let layout = case.layout()?;
        let mut memory = case.memory(&layout)?;
        let mut pram = Pram::new(&case.program);
        case.execute(&layout, &mut memory, &mut pram as &mut dyn Observer)?;
        let shared_class = pram.shared_class();
        let (class, races) = pram.finish();
        Ok(RunFindings { class, shared_class, races, layout })
    }
}

/// All of it.
pub fn report<'a>(
    program: &'a Program,
    obliviousness: &Obliviousness,
    work: &[IterationAccesses],
    observed: Option<&RunFindings>,
) -> CheckReport<'a> {
    let place = |span: Span| json!({ "line": program.source.line(span), "text": program.source.line_text(span) });
    let dependence = obliviousness.dependence().map(|it| {
        let chain: Vec<Value> = it.chain.iter().map(|&span| place(span)).collect();
        json!({ "what": it.what, "at": place(it.span), "chain": chain })
    });
    let phases = work.iter().map(|it| {
        let phase = &program.phases[it.phase.0 as usize];
        let loops: Vec<&str> = it.loops.iter().map(|&it| program.loop_name(it)).collect();
        json!({
            "name": phase, "loops": loops, "line": line(program, it),
            "reads": it.reads.len(), "writes": it.writes.len(), "least": it.least, "most": it.most,
        })
    });
    let races = observed.iter().flat_map(|observed| {
        observed.races.iter().map(|race| {
            let access = |it: &RacingAccess| {
                let site = &program.sites[it.site.0];
                let iteration: Map<_, _> =
                    it.iteration.iter().map(|(name, at)| (name.clone(), json!(at))).collect();
                json!({
                    "kind": if site.kind == AccessKind::Write { "write" } else { "read" },
                    "iteration": iteration,
                    "line": program.source.line(site.span),
                })
            };
            json!({
                "element": element(program, observed, race),
                "accesses": race.accesses.iter().map(access).collect::<Vec<_>>(),
            })
        })
    });
    let parameters = observed.map(|observed| {
        let values = program.parameters.iter().zip(&observed.layout.parameters);
        values.map(|(it, &value)| (it.name.clone(), json!(value))).collect()
    });
    CheckReport {
        algorithm: &program.name,
        well_formed: true,
        oblivious: dependence.is_none(),
        obliviousness: obliviousness.word(),
        dependence,
        phases: phases.collect(),
        parameters,
        pram_class: observed.map(|it| it.class),
        shared_pram_class: observed.and_then(|it| it.shared_class),
        races: races.collect(),
    }
}

/// Of the innermost loop around, if there is one.
pub fn line(program: &Program, work: &IterationAccesses) -> Option<usize> {
    let innermost = work.loops.last()?;
    Some(program.source.line(program.loops[innermost.0].span))
}

/// The word that a race is on.
pub fn element(program: &Program, observed: &RunFindings, race: &Race) -> String {
    let array = program.sites[race.accesses[0].site.0].array;
    observed.layout.element(program, array, race.address)
}
