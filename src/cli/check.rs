//! `umm check`

use clap::Args;

use crate::case::check::{RunFindings, element, line, report};
use crate::cli::support::Failure;
use crate::cli::support::files;
use crate::cli::support::options::{ANY, ProgramOptions, whole};
use crate::cli::support::progress::spin;
use crate::cli::support::terminal::wrapped;
use crate::diagnostic::Span;
use crate::language::oblivious::{Obliviousness, obliviousness};
use crate::language::program::{Program, SiteId};
use crate::language::sites::{IterationAccesses, work};
use crate::run::pram::{PramClass, RacingAccess};
use crate::trace::AccessKind;

/// Say whether a listing is oblivious; with sizes, which PRAM it needs and its races
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm check umm_opt
  umm check mine.alg --plain
  umm check mine.alg --set n=16 --json")]
pub(super) struct Check {
    #[command(flatten)]
    program: ProgramOptions,
    /// Of loops on DMMs: most words of shared memory that a block may take [default: any number]
    #[arg(long, value_name = "WORDS", value_parser = whole::<u64>(ANY))]
    shared_words: Option<u64>,
    /// Print the listing in the plain form of the language, without its paper's notation
    #[arg(long, conflicts_with_all = ["json", "settings", "inputs"])]
    plain: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Check {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let program = self.program.program()?;
        if self.plain {
            let plain = program.reading.plain.clone();
            return files::print(&plain.unwrap_or_else(|| program.source.text.clone()));
        }
        let obliviousness = obliviousness(&program);
        let work = work(&program);
        let has_sizes = !self.program.settings.is_empty() || !self.program.inputs.is_empty();
        let observed = if has_sizes { Some(self.observe(&program)?) } else { None };
        if self.json {
            return files::print_json(&report(&program, &obliviousness, &work, observed.as_ref()));
        }
        let mut text = format!("{}: well-formed\n", program.name);
        text += &describe_obliviousness(&program, &obliviousness);
        text += "\naccesses per iteration\n";
        let mut lines: Vec<String> = vec![];
        for it in &work {
            // What a recursion makes again and again is stated once.
            let line = format!("  {}\n", describe_work(&program, it));
            if !program.is_unfolded || !lines.contains(&line) {
                lines.push(line);
            }
        }
        text += &lines.concat();
        match &observed {
            None => {
                text += "\nwith sizes (--set n=16) it also says which PRAM class a run needs, and its races\n"
            }
            Some(observed) => text += &describe_observed(&program, observed),
        }
        files::print(&wrapped(&text))
    }

    fn observe(&self, program: &Program) -> Result<RunFindings, Failure> {
        let case = self.program.case_of(program.clone())?.of_pram();
        let layout = case.layout()?;
        let taken = layout.blocks.iter().map(|it| it.shared_words).max().unwrap_or(0);
        if let Some(most) = self.shared_words.filter(|&most| taken > most) {
            return Err(Failure::input(format_args!(
                "--shared-words {most}: a block takes {taken} words of shared memory; choose smaller \
                 sizes with --set"
            )));
        }
        Ok(spin("a run with one thread an iteration", || case.observe())?)
    }
}

/// Of a synchronous run, in which steps are those of an oblivious listing or none.
const SEMI: &str = "  no address does: threads skip accesses of an oblivious listing. Column-wise, p inputs take at
  most (p/w + l - 1)·t time units where w divides p, t being the accesses of a thread for which
  every guard is open and every loop goes on as long as any thread's
";

fn describe_obliviousness(program: &Program, obliviousness: &Obliviousness) -> String {
    let (word, Some(dependence)) = (obliviousness.word(), obliviousness.dependence()) else {
        return "oblivious: which addresses are accessed, and when, does not depend on input data\n"
            .to_owned();
    };
    let source = &program.source;
    let line = |span: Span| format!("line {}: {}\n", source.line(span), source.line_text(span));
    let mut text = format!("{word}: {} depends on input data\n", dependence.what);
    text += &format!("  {}", line(dependence.span));
    for &span in &dependence.chain {
        text += &format!("    ← {}", line(span));
    }
    if matches!(obliviousness, Obliviousness::Semi(_)) {
        text += SEMI;
    }
    text
}

fn describe_work(program: &Program, work: &IterationAccesses) -> String {
    let names = |sites: &[SiteId]| {
        let name = |site: &SiteId| program.arrays[program.sites[site.0].array.0].name.as_str();
        sites.iter().map(name).collect::<Vec<_>>().join(", ")
    };
    let mut parts = vec![];
    for (sites, verb) in [(&work.reads, "reads"), (&work.writes, "writes")] {
        if !sites.is_empty() {
            parts.push(format!("{verb} {}", names(sites)));
        }
    }
    let phase = &program.phases[work.phase.0 as usize];
    let names: Vec<&str> = work.loops.iter().map(|&it| program.loop_name(it)).collect();
    let place = match line(program, work) {
        None => "once".to_owned(),
        Some(line) => format!("{}, line {line}", names.join(", ")),
    };
    let count = match (work.least, work.most) {
        (least, most) if least == most => most.to_string(),
        (0, most) => format!("at most {most}"),
        (least, most) => format!("{least} to {most}"),
    };
    format!("{phase} ({place}): {count} ({})", parts.join("; "))
}

fn describe_observed(program: &Program, observed: &RunFindings) -> String {
    let parameters = program.parameters.iter().zip(&observed.layout.parameters);
    let sizes: Vec<String> =
        parameters.map(|(it, value)| format!("{} = {value}", it.name)).collect();
    let describe = |class| match class {
        PramClass::Erew => "EREW (no word is accessed by two threads at once)",
        PramClass::Crew => "CREW (threads read one word at once)",
        PramClass::CrcwCommon => "CRCW common (threads write one word at once, the same value)",
        PramClass::CrcwArbitrary => {
            "CRCW arbitrary (threads write one word at once, different values: which one stays is open)"
        }
        PramClass::CrcwCombining => "CRCW combining (atomics of threads change one word at once)",
    };
    let mut text = format!("\nrun with {} and one thread an iteration\n", sizes.join(", "));
    text += &format!("  PRAM class: {}\n", describe(observed.class));
    if let Some(class) = observed.shared_class {
        text += &format!("  PRAM class of shared memory: {}\n", describe(class));
    }
    if observed.races.is_empty() {
        text += "  races: none\n";
    }
    for race in &observed.races {
        let access = |it: &RacingAccess| {
            let site = &program.sites[it.site.0];
            let verb = if site.kind == AccessKind::Write { "writes" } else { "reads" };
            let iteration: Vec<String> =
                it.iteration.iter().map(|(name, at)| format!("{name} = {at}")).collect();
            let line = program.source.line(site.span);
            let code = program.source.line_text(site.span);
            let who = match &iteration[..] {
                [] => "a call in parallel".to_owned(),
                of => format!("iteration {}", of.join(", ")),
            };
            format!("    {who} {verb} it in line {line}: {code}\n")
        };
        let [write, other] = &race.accesses;
        text += &format!("  RACE on {}\n", element(program, observed, race));
        text += &(access(write) + &access(other));
    }
    text
}
