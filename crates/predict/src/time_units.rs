//! What a case takes on the plain machine, as far as that is found in a fraction of a second.

use memory_machine_case::{Case, CaseError, Prepared};
use memory_machine_codegen as codegen;
use memory_machine_core::language::oblivious::{Origin, first_dependence};
use memory_machine_core::language::program::Program;
use memory_machine_core::language::walk::loops_on_dmms;
use memory_machine_core::machine::{Dmms, Machine, MachineKind};
use memory_machine_core::run::layout::Layout;
use memory_machine_core::units::Threads;

/// Operations of an execution for its time alone, at most: a fraction of a second.
const MOST_OPERATIONS: u64 = 1 << 23;
/// Inputs of a bulk run that are timed if all take too long; each more takes as much as those between.
const TIMED_INPUTS: [u64; 2] = [128, 256];

/// On the plain machine; none, if it depends on values and executing it takes long.
pub(super) fn time_units(prepared: &Prepared) -> Result<Option<f64>, CaseError> {
    let (case, layout) = (prepared.case(), prepared.layout());
    let units = |prepared: &Prepared, operations| {
        let timed = prepared.time_within(operations)?;
        Ok::<_, CaseError>(timed.map(|it| it.total().time_units.0 as f64))
    };
    let program = &*case.program;
    let is_executed = first_dependence(program, Origin::AnyArray).is_some();
    // Filling its arrays would take longer than what is executed.
    let is_long = layout.words > MOST_OPERATIONS || has_long_blocks(program, layout);
    let all = match is_executed && is_long {
        true => None,
        false => match units(prepared, MOST_OPERATIONS) {
            // All blocks at once may be too many for this computer's memory; other mistakes one DMM shows,
            // too.
            Err(_) if program.first_loop_on_dmms().is_some() => {
                let machine =
                    Machine { kind: MachineKind::hierarchical(Dmms::ONE), ..case.machine };
                units(&case.clone().on(machine).prepare()?, MOST_OPERATIONS)?;
                None
            }
            all => all?,
        },
    };
    if all.is_some() || case.bulk.is_none() {
        return Ok(all);
    }
    let some = |it: u64| {
        let case = Case { threads: Threads::at_least_one(it), ..case.clone() };
        units(&case.prepare()?, 2 * MOST_OPERATIONS)
    };
    let (Some(less), Some(more)) = (some(TIMED_INPUTS[0])?, some(TIMED_INPUTS[1])?) else {
        return Ok(None);
    };
    let [few, many] = TIMED_INPUTS.map(|it| it as f64);
    let each = (more - less) / (many - few);
    Ok(Some(more + each * (case.threads.get() as f64 - many)))
}

/// Whether a loop on DMMs has more blocks than are executed for their time alone: all go in step, and
/// their registers take memory.
fn has_long_blocks(program: &Program, layout: &Layout) -> bool {
    loops_on_dmms(&program.body).any(|it| {
        let blocks = codegen::iterations(&it.ranges, &layout.parameters, &|_| None).unwrap_or(0);
        let threads = layout.blocks[it.id.0].threads.get();
        blocks.saturating_mul(threads) > MOST_OPERATIONS / 4
    })
}
