//! Executes a [`Program`] on memory: its values, and what it asks of the memory step by step.

mod active;
mod arithmetic;
mod budget;
pub mod byte_places;
mod cell_order;
pub mod cells;
mod code;
mod execute;
mod flow;
mod lanes;
mod launches;
pub mod layout;
mod layout_error;
mod limits;
mod lower;
mod mathematics;
pub mod memory;
mod observer;
pub mod odometer;
mod operation;
mod parallel_calls;
pub mod pram;
pub mod race;
mod region;
mod tracer;

pub use self::active::Active;
pub use self::budget::Budget;
pub use self::code::{ForkStep, Register};
pub use self::flow::Flow;
pub use self::launches::each_launch;
use self::layout::Layout;
pub use self::limits::{LimitAmount, Limits, TimeLimit, WHILE_ITERATIONS, WorkLimit};
pub(crate) use self::lower::is_eager;
use self::memory::Memory;
pub use self::observer::{
    Accesses, BlockGroup, BlocksEvent, NestArrival, NoopObserver, Observer, Winner,
};
pub use self::operation::{Evaluation, Operation};
pub use self::tracer::{BlockTracer, Tracer};
use crate::diagnostic::{Diagnostic, Located, Span};
use crate::language::oblivious::{OnData, on_data};
use crate::language::program::Program;

/// Runs `program` on `memory`, which holds its inputs before and its outputs after, and reports
/// every access step to `observer`. Returns the bits of the answer that the listing names; of a bulk
/// run, input 0's.
///
/// Every type of observer has an executor of its own compiled. One that need not be told fast, or that
/// does much with what it is told, is better passed as a `&mut dyn Observer`.
///
/// Reads of a step happen before its writes; of several writes to one word in one step, the
/// highest-numbered thread's stays (the machine promises only that one does), unless the observer has
/// another [`Winner`].
///
/// # Errors
/// What a check of the text cannot find: an index outside its array, a cell read before it is
/// written, a division by zero, a step below 1, a sequential loop beyond its limit.
///
/// # Panics
/// If `memory` is not of `layout`.
pub fn execute(
    program: &Program,
    layout: &Layout,
    memory: &mut Memory,
    limits: Limits,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Option<u64>, Box<Located>> {
    if layout.bulk.is_some() {
        program.without_vectors("bulk runs")?;
    }
    let nothing = OnData::default();
    let lowered = lower::lower(program, layout, &nothing);
    if let Some(inputs) = layout.bulk.map(|bulk| bulk.inputs)
        && !memory::holds_registers(inputs, lowered.registers.len())
    {
        let message = format!("the registers of {inputs} threads do not fit memory");
        let error = Diagnostic::new(Span::default(), message).help("choose a smaller -p");
        return Err(locate(program, error));
    }
    let memory = Some(memory);
    let mut executor = execute::Executor::new(program, layout, &lowered, memory, observer, limits);
    executor.run(&lowered).map_err(|diagnostic| locate(program, *diagnostic))
}

/// Runs `program` without memory: every read yields 0 bits, writes are lost. The accesses are the
/// same if they do not depend on memory. Of a bulk run, input 0's thread alone runs.
///
/// # Errors
/// As [`execute()`], but for cells read before they are written, and for what fails or not as memory
/// holds ([`OnData::failures`]).
pub fn execute_without_values(
    program: &Program,
    layout: &Layout,
    limits: Limits,
    observer: &mut (impl Observer + ?Sized),
) -> Result<(), Box<Located>> {
    let on_data = on_data(program);
    let lowered = lower::lower(program, layout, &on_data);
    let mut executor = execute::Executor::new(program, layout, &lowered, None, observer, limits);
    executor.run(&lowered).map(|_| ()).map_err(|diagnostic| locate(program, *diagnostic))
}

fn locate(program: &Program, diagnostic: Diagnostic) -> Box<Located> {
    Box::new(Located { source: program.source.clone(), diagnostic })
}
