//! The questions, by name, and their answers.

use memory_machine::case::check;
use memory_machine::case::model_comparison::ComparedCost;
use memory_machine::case::outcome::{Outcome, RunReport};
use memory_machine::case::{Case, CaseCache, race};
use memory_machine::codegen::{self, Options, PREFETCH};
use memory_machine::cost::{CostKind, CostMachine, Rules};
use memory_machine::count::CountError;
use memory_machine::grade::bank;
use memory_machine::improve::memo::Memo;
use memory_machine::improve::search::{Company, Reach};
use memory_machine::keyword::Keyword;
use memory_machine::language::oblivious::obliviousness;
use memory_machine::language::program::Statement;
use memory_machine::language::sites::work;
use memory_machine::language::walk::outermost_parallel;
use memory_machine::machine::{Clock, Counts, Machine, Mode};
use memory_machine::profile::Profile;
use memory_machine::run::layout::Layout;
use memory_machine::units::Latency;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::case::{Place, Wording, Wrong};
use crate::{exercises, gallery, measurements, stepper, sweep};

/// Words up to which a listing is run with one thread an iteration to find races.
const MOST_OBSERVED: u64 = 1 << 14;

/// Requests of a run that is spread out by line.
const MOST_REQUESTS: u64 = 1 << 20;

/// Listings that a search keeps of each round.
const BEAM: usize = 2;

#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
enum Question {
    /// The shipped listings.
    Gallery,
    /// What the listing is: its parameters and arrays, or what is wrong with it.
    Listing { case: Wording },
    /// What `umm check --json` says; `race`: of a run with small sizes.
    Check { case: Wording },
    /// The time by phase, without values where that is possible; as `umm run --time-only --json`, with
    /// what each phase's time is the sum of.
    Time { case: Wording },
    /// The run with its values: as `umm run --json`.
    Run { case: Wording },
    /// What theory says of the time.
    Bounds { case: Wording },
    /// The time and its bounds for many values of one of w, l, p, d or a parameter.
    Sweep { case: Wording, axis: String, values: Vec<u64> },
    /// The largest lower bound over a grid of p and l.
    Regime { case: Wording, threads: Vec<u64>, latencies: Vec<u64> },
    /// Measured seconds on a GPU, beside those predicted.
    Measured { case: Wording },
    /// Accesses in time units `from .. to`.
    Steps { case: Wording, from: u64, to: u64 },
    /// A ladder of faster listings, each step proved: as `umm improve --json`.
    Improve { case: Wording, steps: usize, reassociate: bool, launch: u64 },
    /// The same command for a terminal.
    Command { case: Wording, name: String },
    /// What each line takes, by its number.
    Lines { case: Wording },
    /// The listing as CUDA C.
    Cuda { case: Wording },
    /// What the listing costs on every machine of courses that its rules, by name, make: as
    /// `umm compare-models --json`.
    Models { case: Wording, rules: Rules },
    /// Exercises of the bank that follow from a seed, of one kind or all.
    Sheet { seed: u64, number: usize, kind: Option<String> },
    /// Those of an assignment, with the numbers of one of its students.
    Course { seed: u64, title: String, student: String, items: Vec<String> },
    /// What is wrong with an answer to one of them; seeds are texts, since scripts have no such numbers.
    Mark { item: String, seed: String, answer: String },
}

pub fn answer(question: &[u8]) -> Vec<u8> {
    let answered = match serde_json::from_slice(question) {
        Ok(question) => of(question),
        Err(error) => Err(Wrong::message(format!("no such question: {error}"))),
    };
    match answered {
        Ok(answer) => format!("{{\"ok\":{answer}}}").into_bytes(),
        Err(wrong) => text(&json!({ "error": wrong })).into_bytes(),
    }
}

/// Numbers of the model have up to 128 bits: they are written as they are, not through a [`Value`].
fn text(it: &impl Serialize) -> String {
    serde_json::to_string(it).unwrap_or_else(|error| format!("{:?}", error.to_string()))
}

fn of(question: Question) -> Result<String, Wrong> {
    Ok(match question {
        Question::Gallery => text(&gallery::gallery()),
        Question::Listing { case } => text(&listing(&case.program()?)),
        Question::Check { case } => check(&case.case()?)?,
        Question::Time { case } => time(&case.fitted()?)?,
        Question::Run { case } => run(&case.case()?)?,
        Question::Bounds { case } => bounds(&case.case()?)?,
        Question::Sweep { case, axis, values } => text(&sweep::sweep(&case, &axis, &values)?),
        Question::Regime { case, threads, latencies } => {
            text(&sweep::regime(&case, &threads, &latencies)?)
        }
        Question::Measured { case } => text(&measurements::measured(&case)?),
        Question::Steps { case, from, to } => text(&stepper::window(&case, from, to)?),
        Question::Improve { case, steps, reassociate, launch } => {
            let (case, reassociates) = (case.case()?, reassociate);
            let reach = Reach { steps, beam: BEAM, reassociates, layouts: false, launch };
            // Whoever asks ends what takes too long: there is no clock here.
            text(&case.improve(reach, Company::none(&Memo::default()))?)
        }
        Question::Command { case, name } => text(&command(&case, &name)?),
        Question::Lines { case } => text(&Profile::record(&case.case()?, MOST_REQUESTS)?.by_line()),
        Question::Cuda { case } => text(&cuda(&case.case()?)?),
        Question::Models { case, rules } => text(&model_costs(&case.case()?, &rules)?),
        Question::Sheet { seed, number, kind } => text(&exercises::sheet(seed, number, kind)?),
        Question::Course { seed, title, student, items } => {
            text(&exercises::course(bank::own_seed(seed, &title, &student), &items)?)
        }
        Question::Mark { item, seed, answer } => text(&exercises::mark(&item, &seed, &answer)?),
    })
}

fn listing(case: &Case) -> Value {
    let program = &*case.program;
    let source = &program.source;
    let arrays = program.arrays.iter().map(|it| {
        json!({
            "name": it.name, "role": it.role.word(), "element": it.element.word(),
            "extents": (0..it.extents.len())
                .map(|dimension| program.extent_text(it, dimension)).collect::<Vec<_>>(),
            "given": it.role.is_given(),
        })
    });
    let parameters =
        program.parameters.iter().map(|it| json!({ "name": it.name, "default": it.default }));
    let obliviousness = obliviousness(program);
    let dependence = obliviousness.dependence().map(|it| {
        let place = Place::of(&source.text, it.span.start, it.span.end);
        json!({ "what": it.what, "line": place.line, "text": source.line_text(it.span) })
    });
    let said = program.reading.said.iter().map(|it| json!({ "line": it.line, "text": it.text }));
    json!({
        "name": program.name,
        "plain": program.reading.plain,
        "said": said.collect::<Vec<_>>(),
        "parameters": parameters.collect::<Vec<_>>(),
        "arrays": arrays.collect::<Vec<_>>(),
        "phases": program.phases,
        "sequential": program.first_parallel_loop().is_none()
            && program.first_loop_on_dmms().is_none(),
        "on_dmms": program.first_loop_on_dmms().is_some(),
        // The machine's threads run them, not those of blocks.
        "has_nests": outermost_parallel(&program.body).any(Statement::is_nest),
        "shipped": case.shipped().map(|it| it.name),
        "obliviousness": obliviousness.word(),
        "dependence": dependence,
    })
}

fn check(case: &Case) -> Result<String, Wrong> {
    let program = &case.program;
    let small = case.clone().of_pram().layout().is_ok_and(|it| it.words <= MOST_OBSERVED);
    let observed = small.then(|| case.observe()).transpose()?;
    let report = check::report(program, &obliviousness(program), &work(program), observed.as_ref());
    let race = if small { None } else { race(program) };
    Ok(format!("{{\"report\":{},\"observed\":{small},\"race\":{}}}", text(&report), text(&race)))
}

/// The time as it is known soonest.
fn timed(case: &Case, layout: &Layout) -> Result<Outcome, Wrong> {
    match case.count(layout) {
        Ok(counted) => Ok(Outcome::of_time(counted)),
        Err(CountError::DependsOnMemory(dependence)) => {
            let outcome = executed(case, layout)?;
            Ok(outcome.for_its_time(&case.program, dependence.span))
        }
        Err(CountError::Run(located)) => Err(located.into()),
    }
}

fn executed(case: &Case, layout: &Layout) -> Result<Outcome, Wrong> {
    let mut memory = case.memory(layout)?;
    let clock = Clock::new(case.machine, case.mode, case.threads);
    Ok(case.outcome(layout, &mut memory, clock, |it| it)?)
}

fn time((case, misfits): &(Case, Vec<String>)) -> Result<String, Wrong> {
    let layout = case.layout()?;
    let outcome = timed(case, &layout)?;
    let report = RunReport::new(case, &layout, &outcome);
    let steps = steps(case, &layout, &outcome.counts)?;
    Ok(format!(
        "{{\"report\":{},\"steps\":{},\"words\":{},\"misfits\":{}}}",
        text(&report),
        text(&steps),
        layout.words,
        text(&misfits)
    ))
}

/// By phase, the steps in which something is asked: a synchronous run takes stages + steps·(l − 1)
/// time units. `None` where the time is no such sum: asynchronously, and with shared memories.
fn steps(case: &Case, layout: &Layout, counts: &[Counts]) -> Result<Option<Vec<u128>>, Wrong> {
    if case.mode == Mode::Async || case.machine.kind.dmms().is_some() {
        return Ok(None);
    }
    let one = case.machine.latency == Latency::ONE;
    let (counts, latency) = if one {
        let latency = Latency::at_least_one(2);
        let machine = Machine { latency, ..case.machine };
        (timed(&case.clone().on(machine), layout)?.counts, 2)
    } else {
        (counts.to_vec(), case.machine.latency.get().into())
    };
    let of = |it: &Counts| (it.time_units.0 - it.stages) / (latency - 1_u128);
    Ok(Some(counts.iter().map(of).collect()))
}

fn run(case: &Case) -> Result<String, Wrong> {
    let layout = case.layout()?;
    let outcome = executed(case, &layout)?;
    Ok(text(&RunReport::new(case, &layout, &outcome)))
}

fn bounds(case: &Case) -> Result<String, Wrong> {
    let timed = case.time()?;
    Ok(text(&CaseCache::default().bounds(case, &timed)))
}

/// What prints the same numbers in a terminal.
fn command(wording: &Wording, name: &str) -> Result<String, Wrong> {
    let (case, misfits) = wording.fitted()?;
    let words = case.to_string();
    let flags = words.split_once(' ').map_or("", |it| it.1);
    let mut line = format!("umm run {name} {flags}");
    for (array, source) in wording.inputs.iter().filter(|it| !misfits.contains(it.0)) {
        line += &format!(" --input {array}={source}");
    }
    if wording.seed != 1 {
        line += &format!(" --seed {}", wording.seed);
    }
    Ok(line)
}

/// The code that `umm cuda` prints.
fn cuda(case: &Case) -> Result<String, Wrong> {
    let launch = codegen::launches(&case.program)[0];
    let options = Options { bulk: case.bulk, launch, prefetch: PREFETCH, standalone: false };
    Ok(codegen::emit(&case.program, options, &case.given_sizes()?)?.source)
}

/// On the memory machines as they are set, then on each machine of courses.
fn model_costs(case: &Case, rules: &Rules) -> Result<Vec<ComparedCost>, Wrong> {
    let mut rows = vec![];
    for kind in case.memory_machines() {
        rows.push(case.compare_memory(Machine { kind, ..case.machine })?);
    }
    // The roofline is of a device, which has no default.
    let has_device = rules.contains_key("bandwidth");
    let kinds = CostKind::WORDS.iter().filter(|it| has_device || it.0 != CostKind::Roofline);
    for (kind, ..) in kinds {
        let machine = || CostMachine::of(*kind, rules).map_err(Wrong::message);
        let given = |name: &str| rules.get(name).and_then(|it| it.parse().ok());
        let processors = given("processors");
        let has = |name: &str| rules.contains_key(name);
        let machines = case.course_machines(*kind, processors, has, machine)?;
        rows.extend(case.with_processors(*kind, processors).compare_first(machines)?);
    }
    Ok(rows)
}
