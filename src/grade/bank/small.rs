//! Exercises on what a warp or two ask for.

use super::{Check, Draw, Exercise};
use crate::machine::{Machine, Mode, PipelineDiagram, time};
use crate::run::layout::Arrangement;
use crate::trace::{AccessKind, Event, Step, Trace};
use crate::units::{Address, Threads};

/// What such an exercise asks for.
pub(super) const SUBJECTS: [&str; 3] = ["stages", "steps", "arrangement"];

pub(super) fn pose(subject: &str, machine: Machine, draw: &mut Draw) -> Exercise {
    match subject {
        "stages" => stages(machine, draw),
        "steps" => steps(machine, draw),
        _ => arrangement(machine, draw),
    }
}

/// What `count` threads ask for: with a stride, in a permutation of rows, or anything.
fn addresses(draw: &mut Draw, width: u64, count: u64) -> Vec<u64> {
    let stride = draw.pick(&[1, 2, 3, width - 1, width, width + 1]);
    let base = draw.below(2 * width);
    match draw.below(3) {
        0 => (0..count).map(|i| base + stride * i).collect(),
        1 => (0..count).map(|i| base + stride * (i / 2)).collect(),
        _ => (0..count).map(|_| draw.below(4 * width)).collect(),
    }
}

fn trace(steps: &[Vec<u64>]) -> Trace {
    let threads = steps.first().map_or(1, |it| it.len() as u64);
    let mut trace = Trace::new(Threads::at_least_one(threads));
    for addresses in steps {
        let mut step = Step::new(AccessKind::Read);
        addresses.iter().for_each(|&it| step.push(Address(it)));
        trace.events.push(Event::Step(step));
    }
    trace
}

fn list(numbers: impl IntoIterator<Item = u64>) -> String {
    numbers.into_iter().map(|it| it.to_string()).collect::<Vec<_>>().join(", ")
}

/// The words of each stage, by warp access.
fn contents(machine: Machine, trace: &Trace) -> String {
    let pipeline = PipelineDiagram::of(machine, Mode::Sync, trace, |_, _, _| true);
    let stage = |it: &Vec<Address>| format!("{{{}}}", list(it.iter().map(|it| it.0)));
    let access = pipeline
        .accesses
        .iter()
        .map(|it| it.stages.iter().map(stage).collect::<Vec<_>>().join(" "));
    format!("Stages: {}.", access.collect::<Vec<_>>().join(" | "))
}

fn stages(machine: Machine, draw: &mut Draw) -> Exercise {
    let width = machine.width.get();
    let asked = addresses(draw, width, width);
    let name = machine.kind.name();
    let text = format!(
        "On a {name} of width w = {width}, the threads of one warp ask for words {}. How many pipeline stages \
         does the access take?",
        list(asked.iter().copied())
    );
    let trace = trace(&[asked]);
    let stages = time(machine, Mode::Sync, &trace).stages;
    Exercise::new(text, Check::Number(stages)).because(contents(machine, &trace))
}

fn steps(machine: Machine, draw: &mut Draw) -> Exercise {
    let (width, latency) = (machine.width.get(), machine.latency.get());
    let asked: Vec<_> = (0..2).map(|_| addresses(draw, width, 2 * width)).collect();
    let words: Vec<String> =
        (1..).zip(&asked).map(|(at, it)| format!("{at}) {}", list(it.iter().copied()))).collect();
    let text = format!(
        "On a synchronous {} of width w = {width} and latency l = {latency}, two warps make two steps: {}. How \
         many time units do they take?",
        machine.kind.name(),
        words.join("; ")
    );
    let trace = trace(&asked);
    let counts = time(machine, Mode::Sync, &trace);
    Exercise::new(text, Check::Number(counts.time_units.0)).because(contents(machine, &trace))
}

fn arrangement(machine: Machine, draw: &mut Draw) -> Exercise {
    let width = machine.width.get();
    let inputs = width * draw.pick(&[2, 4]);
    let cells = draw.pick(&[2, width / 2, width, width + 1, 2 * width]);
    let cell = draw.below(cells);
    let row: Vec<u64> = (0..inputs).map(|j| j * cells + cell).collect();
    let column: Vec<u64> = (0..inputs).map(|j| cell * inputs + j).collect();
    let [row, column] =
        [row, column].map(|it| time(machine, Mode::Sync, &trace(&[it])).time_units.0);
    let text = format!(
        "Each of {inputs} threads reads cell {cell} of an input of {cells} cells of its own, on a {} of width \
         w = {width} and latency l = {}. Row-wise, input j has cell a at j·{cells} + a; column-wise at \
         a·{inputs} + j. Which arrangement takes less time: row-wise, column-wise, or equal?",
        machine.kind.name(),
        machine.latency
    );
    let right = match row.cmp(&column) {
        std::cmp::Ordering::Less => Arrangement::RowWise.name(),
        std::cmp::Ordering::Equal => "equal",
        std::cmp::Ordering::Greater => Arrangement::ColumnWise.name(),
    };
    Exercise::new(text, Check::OneOf(vec![right.to_owned()]))
        .because(format!("Row-wise {row}, column-wise {column} time units."))
}
