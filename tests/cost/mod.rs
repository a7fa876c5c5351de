//! The machines of courses: closed forms, textbooks' examples, and slow oracles on random listings.

mod answers;
mod by_hand;
mod chips;
mod commands;
mod counted;
mod forks;
mod oracle;

use memory_machine::cost::{
    Cost, CostMachine, CountedCost, Feed, LogP, Owner, Owners, Policy, PramVariant, Spawn,
};
use memory_machine::language::program::Program;
use memory_machine::run::execute;
use memory_machine::run::layout::Layout;
use memory_machine::run::memory::Memory;
use memory_machine::units::Threads;

use crate::graph::limits;

/// What a machine says of a run by so many threads; `None` if the listing fails.
fn cost(
    program: &Program,
    layout: &Layout,
    mut memory: Memory,
    threads: u64,
    machine: &CostMachine,
) -> Option<Cost> {
    let model = machine.model(program, layout, Threads::new(threads).unwrap());
    let mut feed = Feed::new(program, model, machine.winner());
    execute(program, layout, &mut memory, limits(threads), &mut feed).ok()?;
    Some(feed.finish().unwrap().cost())
}

const PRAM: CostMachine =
    CostMachine::Pram { variant: PramVariant::Arbitrary, counted: CountedCost::Both };
const WORK_SPAN: CostMachine =
    CostMachine::WorkSpan { counted: CountedCost::Both, spawn: Spawn::Log };

const fn cache(size: u64, policy: Policy) -> CostMachine {
    CostMachine::Pem { size, line: 2, policy }
}

fn ideal(sizes: &[u64], policy: Policy) -> CostMachine {
    CostMachine::IdealCache { sizes: sizes.to_vec(), line: 2, policy }
}

fn bsp(owner: Owner) -> CostMachine {
    let owners = Owners { other: owner, named: vec![] };
    CostMachine::Bsp { processors: 3, owners, gap: 5, latency: 7 }
}

fn logp(long_gap: Option<u64>) -> CostMachine {
    let owners = Owners { other: Owner::Block, named: vec![] };
    let parameters = LogP { latency: 6, overhead: 2, gap: 4, long_gap };
    CostMachine::LogP { processors: 3, owners, parameters }
}
