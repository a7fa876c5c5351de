//! Whether a run's result is right.

use std::fmt;
use std::sync::Arc;

use super::{Case, CaseError};
use memory_machine_algorithms::reference::Given;
use memory_machine_core::language::program::{ArrayId, Program};
use memory_machine_core::language::syntax::{Name, Promise};
use memory_machine_core::number::Number;
use memory_machine_core::run::layout::Layout;
use memory_machine_core::run::memory::{self, Memory};
use memory_machine_core::run::{self, NoopObserver};

/// What is known of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// There is no reference for this listing, or not for such input.
    Unknown,
    /// Every cell agrees, within the reference's tolerance.
    Right,
    /// Where the result first differs.
    Wrong(String),
}

impl Verdict {
    /// `None` if nobody knows.
    pub const fn is_right(&self) -> Option<bool> {
        match self {
            Self::Unknown => None,
            Self::Right => Some(true),
            Self::Wrong(_) => Some(false),
        }
    }

    /// Of two verdicts on one result, one that says what is wrong, else one that says anything.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Wrong(why), _) | (_, Self::Wrong(why)) => Self::Wrong(why),
            (Self::Unknown, other) => other,
            (Self::Right, _) => Self::Right,
        }
    }
}

impl Case {
    /// What the result is held against, as a report names it.
    pub fn judges(&self) -> String {
        let promises = &self.program.listing.clauses.promises;
        let judges = [
            (self.shipped().is_some(), "the reference"),
            (!self.expected.is_empty(), "--expect"),
            (!promises.is_empty(), "`ensures`"),
        ];
        let judges: Vec<&str> = judges.iter().filter(|it| it.0).map(|it| it.1).collect();
        judges.join(" and ")
    }
}

pub(super) fn verify(
    case: &Case,
    reference: Option<&Arc<Program>>,
    layout: &Layout,
    memory: &Memory,
) -> Result<Verdict, CaseError> {
    let verdict = shipped(case, layout, memory).and(expected(case, layout, memory));
    Ok(verdict.and(ensured(case, reference, layout, memory)?))
}

fn inputs(layout: &Layout) -> std::ops::Range<u64> {
    0..layout.bulk.map_or(1, |bulk| bulk.inputs)
}

/// Which input of a bulk run a message is about; elsewhere there is one.
#[derive(Clone, Copy)]
struct InputOfBulk(Option<u64>);

impl InputOfBulk {
    fn of(layout: &Layout, input: u64) -> Self {
        Self(layout.bulk.map(|_| input))
    }
}

impl fmt::Display for InputOfBulk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |input| write!(f, " (input {input})"))
    }
}

/// The numbers of an array after the run; `None` for a cell without a value.
fn found<'a>(
    case: &'a Case,
    layout: &'a Layout,
    memory: &'a Memory,
    array: ArrayId,
    input: u64,
) -> impl Iterator<Item = Option<Number>> + 'a {
    let element = case.program.arrays[array.0].element;
    let cells = memory.cells(layout, array, input);
    cells.map(move |bits| bits.map(|bits| memory::exact(element, bits)))
}

/// By the reference of a shipped listing.
fn shipped(case: &Case, layout: &Layout, memory: &Memory) -> Verdict {
    let Some(entry) = case.shipped() else { return Verdict::Unknown };
    let program = &case.program;
    for input in inputs(layout) {
        let given: Vec<_> = case.inputs.given(program, layout, input).collect();
        let given: Vec<_> = given.iter().map(|it| it as &dyn Given).collect();
        let Some(all) = (entry.reference)(&layout.parameters, &given) else {
            return Verdict::Unknown;
        };
        for expected in all {
            let Some(array) = program.array_named(expected.array) else { continue };
            let (name, is_certain) = (expected.array, expected.certain);
            let found = found(case, layout, memory, array, input).map(|it| it.map(Number::float));
            match expected.first_difference(found) {
                None => {}
                Some(_) if !is_certain => return Verdict::Unknown,
                Some((cell, found, wanted)) => {
                    let difference = (cell, found.map(Number::Float), Number::Float(wanted));
                    let which = InputOfBulk::of(layout, input);
                    return differs(name, which, difference, "the reference has");
                }
            }
        }
    }
    Verdict::Right
}

/// A cell, what it holds, and what it should hold.
type Difference = (usize, Option<Number>, Number);

fn differs(
    array: &str,
    which: InputOfBulk,
    (cell, found, wanted): Difference,
    who: &str,
) -> Verdict {
    let found = found.map_or("nothing".to_owned(), |it| it.to_string());
    Verdict::Wrong(format!("cell {cell} of `{array}`{which} holds {found}; {who} {wanted}"))
}

/// By the files of `--expect`; those of a bulk run have a row an input, or what all inputs have.
fn expected(case: &Case, layout: &Layout, memory: &Memory) -> Verdict {
    for expected in &case.expected {
        let name = &case.program.arrays[expected.array.0].name;
        for input in inputs(layout) {
            let found = found(case, layout, memory, expected.array, input);
            let wanted = expected.numbers(layout, input);
            if let Some(difference) = first_difference(found, wanted.map(Some), case.tolerance) {
                return differs(name, InputOfBulk::of(layout, input), difference, "--expect has");
            }
        }
    }
    if case.expected.is_empty() { Verdict::Unknown } else { Verdict::Right }
}

/// The first cell that should hold a number and holds another.
fn first_difference(
    found: impl Iterator<Item = Option<Number>>,
    wanted: impl Iterator<Item = Option<Number>>,
    tolerance: f64,
) -> Option<Difference> {
    let cells = wanted.zip(found).enumerate();
    let cells = cells.filter_map(|(cell, (wanted, found))| Some((cell, found, wanted?)));
    { cells }.find(|&(_, found, wanted)| !found.is_some_and(|it| it.agrees(wanted, tolerance)))
}

/// By what the listing ensures.
fn ensured(
    case: &Case,
    reference: Option<&Arc<Program>>,
    layout: &Layout,
    memory: &Memory,
) -> Result<Verdict, CaseError> {
    let program = &case.program;
    let promises = &program.listing.clauses.promises;
    if promises.is_empty() {
        return Ok(Verdict::Unknown);
    }
    for input in inputs(layout) {
        let which = InputOfBulk::of(layout, input);
        let reference = match reference {
            Some(reference) => Some(Reference::run(case, layout, reference, input)?),
            None => None,
        };
        let found = |name: &Name| {
            let array = program.array_named(&name.text);
            array.map(|array| found(case, layout, memory, array, input).collect::<Vec<_>>())
        };
        for promise in promises {
            let verdict = match promise {
                Promise::Sorted(array) => {
                    found(array).map_or(Verdict::Unknown, |it| sorted(&array.text, which, &it))
                }
                Promise::Permutation { array, of } => {
                    let id = program.array_named(&of.text);
                    let given = { case.inputs.given(program, layout, input) }
                        .find(|it| Some(it.id()) == id)
                        .map(|it| it.numbers().collect::<Vec<_>>());
                    match (found(array), given) {
                        (Some(found), Some(given)) => {
                            permutation([&array.text, &of.text], which, &found, given)
                        }
                        _ => Verdict::Unknown,
                    }
                }
                Promise::Equal { array, of } => match (found(array), &reference) {
                    (Some(found), Some(reference)) => {
                        let wanted = reference.numbers(of)?;
                        let found = found.into_iter();
                        match first_difference(found, wanted.into_iter(), case.tolerance) {
                            Some(difference) => {
                                differs(&array.text, which, difference, "the reference has")
                            }
                            None => Verdict::Right,
                        }
                    }
                    _ => Verdict::Unknown,
                },
            };
            if verdict != Verdict::Right {
                return Ok(verdict);
            }
        }
    }
    Ok(Verdict::Right)
}

fn sorted(array: &str, which: InputOfBulk, found: &[Option<Number>]) -> Verdict {
    let mut before: Option<Number> = None;
    for (cell, number) in found.iter().enumerate() {
        let Some(number) = *number else {
            return Verdict::Wrong(format!("cell {cell} of `{array}`{which} holds nothing"));
        };
        if let Some(before) = before.filter(|&before| number < before) {
            return Verdict::Wrong(format!(
                "cell {cell} of `{array}`{which} holds {number}, less than the {before} \
                 before it: `ensures sorted({array})` fails"
            ));
        }
        before = Some(number);
    }
    Verdict::Right
}

fn permutation(
    [array, of]: [&str; 2],
    which: InputOfBulk,
    found: &[Option<Number>],
    mut given: Vec<f64>,
) -> Verdict {
    let what = format!("`ensures permutation({array}, {of})` fails");
    let Some(mut found) =
        found.iter().map(|it| it.map(Number::float)).collect::<Option<Vec<f64>>>()
    else {
        let cell = found.iter().position(Option::is_none).unwrap_or(0);
        return Verdict::Wrong(format!("cell {cell} of `{array}`{which} holds nothing: {what}"));
    };
    found.sort_by(f64::total_cmp);
    given.sort_by(f64::total_cmp);
    if found.len() != given.len() {
        return Verdict::Wrong(format!(
            "`{array}` has {} cells and `{of}` {}: {what}",
            found.len(),
            given.len()
        ));
    }
    match found.iter().zip(&given).position(|(one, other)| one.total_cmp(other).is_ne()) {
        None => Verdict::Right,
        Some(at) => {
            let (lost, new) = (given[at], found[at]);
            let (number, who) = if new < lost { (new, array) } else { (lost, of) };
            Verdict::Wrong(format!(
                "`{who}` holds {number} more often than the other{which}: {what}"
            ))
        }
    }
}

/// A run of the reference on what this listing was given.
struct Reference {
    case: Case,
    layout: Layout,
    memory: Memory,
}

impl Reference {
    fn run(
        of: &Case,
        of_layout: &Layout,
        program: &Arc<Program>,
        input: u64,
    ) -> Result<Self, CaseError> {
        let mut case = Case {
            while_iterations: of.while_iterations,
            work: of.work,
            ..Case::new(program.clone())
        };
        case = case.with_dmms();
        for (name, value) in of.settings(of_layout).0 {
            if program.parameters.iter().any(|it| it.name == name) {
                case = case.set(&name, value);
            }
        }
        let layout = case.layout()?;
        let mut memory = Memory::new(&layout)?;
        let mut filled = vec![];
        for given in of.inputs.given(&of.program, of_layout, input) {
            let name = &of.program.arrays[given.id().0].name;
            let Some(array) = program.array_named(name) else { continue };
            let fits = layout.regions[array.0].extents == of_layout.regions[given.id().0].extents;
            let element = program.arrays[array.0].element;
            let numbers = given.numbers();
            if !fits || memory.fill_numbers(&layout, (array, element), 0, numbers).is_err() {
                return Err(super::error::given(format_args!(
                    "the reference {} takes `{name}` of another shape or type; declare it alike",
                    program.source.name
                )));
            }
            filled.push(array);
        }
        if let Some(id) = memory::given(program).find(|id| !filled.contains(id)) {
            let name = &program.arrays[id.0].name;
            return Err(super::error::given(format_args!(
                "the reference {0} takes an array `{name}`, which `{1}` does not; declare it in \
                 `{1}`",
                program.source.name, of.program.name
            )));
        }
        run::execute(&case.program, &layout, &mut memory, case.limits(), &mut NoopObserver)?;
        Ok(Self { case, layout, memory })
    }

    fn numbers(&self, name: &Name) -> Result<Vec<Option<Number>>, CaseError> {
        let Some(array) = self.case.program.array_named(&name.text) else {
            return Err(super::error::given(format_args!(
                "the reference {} has no array `{}`",
                self.case.program.source.name, name.text
            )));
        };
        Ok(found(&self.case, &self.layout, &self.memory, array, 0).collect())
    }
}
