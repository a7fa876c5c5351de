//! What an execution tells its observer: every access step, and where parallel nests begin and end.

use super::lanes::Active;
use crate::language::program::{Nest, Program, SiteId};
use crate::trace::{Phase, Sink, Step};
use crate::units::Address;

/// One access step: each active thread accesses one word.
pub struct Accesses<'a> {
    pub site: SiteId,
    pub active: &'a Active,
    /// By thread; of no meaning for idle threads.
    pub addresses: &'a [u64],
    /// The bits read or written, by thread.
    pub values: &'a [u64],
}

pub trait Observer {
    fn access(&mut self, accesses: &Accesses<'_>);
    fn enter_nest(&mut self, nest: &Nest);
    /// `variables` are the nest's loop variables in the last round, by thread.
    fn leave_nest(&mut self, nest: &Nest, variables: &[(&str, &[u64])]);
}

/// Hands the execution on as a trace; a barrier stands at the beginning and end of every nest.
pub struct Tracer<'a, S> {
    program: &'a Program,
    pub sink: S,
    step: Step,
}

impl<'a, S: Sink> Tracer<'a, S> {
    pub const fn new(program: &'a Program, sink: S) -> Self {
        Self { program, sink, step: Step::new(crate::trace::Kind::Read) }
    }
}

impl<S: Sink> Observer for Tracer<'_, S> {
    fn access(&mut self, accesses: &Accesses<'_>) {
        let site = &self.program.sites[accesses.site.0];
        self.step.kind = site.kind;
        self.step.pieces.clear();
        match accesses.active {
            Active::First(count) => {
                for &address in &accesses.addresses[..*count] {
                    self.step.push(Address(address));
                }
            }
            Active::Some(lanes) => {
                let mut next = 0;
                for &lane in lanes {
                    self.step.push_idle(u64::from(lane - next));
                    self.step.push(Address(accesses.addresses[lane as usize]));
                    next = lane + 1;
                }
            }
        }
        self.sink.step(Phase(site.phase.0), &self.step);
    }

    fn enter_nest(&mut self, _: &Nest) {
        self.sink.barrier();
    }

    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {
        self.sink.barrier();
    }
}

/// Watches nothing: for runs that are after the values alone.
pub struct Blind;

impl Observer for Blind {
    fn access(&mut self, _: &Accesses<'_>) {}
    fn enter_nest(&mut self, _: &Nest) {}
    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {}
}
