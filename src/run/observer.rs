//! What an execution tells its observer: every access step, and where parallel nests begin and end.

use super::code::Register;
use super::flow::Flow;
use super::lanes::Active;
use crate::diagnostic::Diagnostic;
use crate::language::program::{For, Nest, Program, ScalarId, SiteId};
use crate::trace::{Kind, Sink, Step};
use crate::units::Address;

/// One access step: each active thread accesses one word.
pub struct Accesses<'a> {
    /// The array reference of the listing.
    pub site: SiteId,
    /// The threads that access.
    pub active: &'a Active,
    /// By thread; of no meaning for idle threads.
    pub addresses: &'a [u64],
    /// The bits read or written, by thread.
    pub values: &'a [u64],
    /// The register from which the cell's number came.
    pub cell: Register,
    /// The register into which was read or from which was written.
    pub value: Register,
    /// Where the sequential loops around stand, as a hash: threads that access by one site at one
    /// turn do so in one step.
    pub turn: u64,
}

impl Accesses<'_> {
    /// Makes `step` what the threads ask for.
    pub fn fill(&self, kind: Kind, step: &mut Step) {
        step.kind = kind;
        step.pieces.clear();
        match self.active {
            Active::First(count) => {
                for &address in &self.addresses[..*count] {
                    step.push(Address(address));
                }
            }
            Active::Some(lanes) => {
                let mut next = 0;
                for &lane in lanes {
                    step.push_idle(u64::from(lane - next));
                    step.push(Address(self.addresses[lane as usize]));
                    next = lane + 1;
                }
            }
        }
    }
}

/// Watches an execution.
pub trait Observer {
    /// One access step has happened.
    fn access(&mut self, accesses: &Accesses<'_>);
    /// A parallel nest begins: all threads have come to it.
    fn enter_nest(&mut self, nest: &Nest);
    /// `variables` are the nest's loop variables in the last round, by thread.
    fn leave_nest(&mut self, nest: &Nest, variables: &[(&str, &[u64])]);

    /// Whether the execution is to end here, in the middle: it fails then. Asked in every loop.
    #[inline(always)]
    fn has_seen_enough(&self) -> bool {
        false
    }

    /// Data or control moves between registers; nothing to observers that do not follow it.
    #[inline(always)]
    fn flow(&mut self, _flow: Flow<'_>) {}

    /// In an execution without values: whether the observer has counted a whole nest by itself, so
    /// that it need not be executed. `nest` is a part of the program, no copy; `scalars` are the
    /// integers outside it.
    ///
    /// # Errors
    /// What executing the nest would have found.
    fn skip_nest(
        &mut self,
        _nest: &Nest,
        _scalars: &dyn Fn(ScalarId) -> i64,
    ) -> Result<bool, Box<Diagnostic>> {
        Ok(false)
    }

    /// The same for a sequential loop outside nests.
    fn skip_loop(&mut self, _loop: &For, _scalars: &dyn Fn(ScalarId) -> i64) -> bool {
        false
    }
}

/// Two observers of one execution with values.
impl<A: Observer, B: Observer> Observer for (A, B) {
    #[inline(always)]
    fn access(&mut self, accesses: &Accesses<'_>) {
        self.0.access(accesses);
        self.1.access(accesses);
    }

    fn enter_nest(&mut self, nest: &Nest) {
        self.0.enter_nest(nest);
        self.1.enter_nest(nest);
    }

    fn leave_nest(&mut self, nest: &Nest, variables: &[(&str, &[u64])]) {
        self.0.leave_nest(nest, variables);
        self.1.leave_nest(nest, variables);
    }

    #[inline(always)]
    fn flow(&mut self, flow: Flow<'_>) {
        self.0.flow(flow.clone());
        self.1.flow(flow);
    }

    fn has_seen_enough(&self) -> bool {
        self.0.has_seen_enough() || self.1.has_seen_enough()
    }
}

/// Hands the execution on as a trace; a barrier stands at the beginning and end of every nest.
pub struct Tracer<'a, S> {
    program: &'a Program,
    /// Receives the trace.
    pub sink: S,
    step: Step,
}

impl<'a, S: Sink> Tracer<'a, S> {
    /// A tracer of a run from its start.
    pub const fn new(program: &'a Program, sink: S) -> Self {
        Self { program, sink, step: Step::new(Kind::Read) }
    }
}

impl<S: Sink> Observer for Tracer<'_, S> {
    fn access(&mut self, accesses: &Accesses<'_>) {
        let site = &self.program.sites[accesses.site.0];
        accesses.fill(site.kind, &mut self.step);
        self.sink.step(site.phase, &self.step);
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
