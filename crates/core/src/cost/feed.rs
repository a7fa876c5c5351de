//! From an execution to the events that a machine hears.

use super::{CostModel, CountedLoop, Event};
use crate::diagnostic::Diagnostic;
use crate::language::program::{Nest, Program};
use crate::run::BlocksEvent;
use crate::run::{Accesses, Active, Evaluation, Flow, Observer, Winner};

/// Feeds a machine with what an execution does. Ends the execution, which then fails, where the machine
/// refuses what it is told.
pub struct Feed<'a> {
    program: &'a Program,
    model: Box<dyn CostModel + 'a>,
    winner: Winner,
    refusal: Option<Diagnostic>,
}

impl<'a> Feed<'a> {
    /// Of an execution from its start.
    pub fn new(program: &'a Program, model: Box<dyn CostModel + 'a>, winner: Winner) -> Self {
        Self { program, model, winner, refusal: None }
    }

    /// What the machine refused, or how it stands at the end.
    ///
    /// # Errors
    /// Why the machine cannot run the listing.
    pub fn finish(self) -> Result<Box<dyn CostModel + 'a>, Diagnostic> {
        self.refusal.map_or(Ok(self.model), Err)
    }

    /// Tells the machine of a loop that was not executed; see [`CostModel::counted`].
    pub(crate) fn counted(&mut self, it: &CountedLoop<'_>) -> bool {
        self.model.counted(it)
    }

    #[inline(always)]
    fn tell(&mut self, event: &Event<'_>) {
        if self.refusal.is_none() {
            self.model.event(event);
        }
    }
}

impl Observer for Feed<'_> {
    fn access(&mut self, accesses: &Accesses<'_>) {
        self.tell(&Event::Access(accesses, &self.program.sites[accesses.site.0]));
        if self.refusal.is_none() {
            self.refusal = self.model.refusal();
        }
    }

    fn evaluate(&mut self, evaluation: Evaluation, active: &Active) {
        self.tell(&Event::Operation(evaluation, active));
    }

    fn enter_nest(&mut self, _: &Nest) {
        self.tell(&Event::NestBegins);
    }

    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {
        self.tell(&Event::NestEnds);
    }

    fn blocks(&mut self, event: BlocksEvent<'_>) {
        self.tell(&Event::Blocks(event));
    }

    fn flow(&mut self, flow: Flow<'_>) {
        match flow {
            Flow::RoundBegins { count } => self.tell(&Event::RoundBegins { count }),
            Flow::RoundEnds => self.tell(&Event::RoundEnds),
            Flow::Dealt { lanes, .. } => self.tell(&Event::Dealt(lanes)),
            Flow::Fork(step) => self.tell(&Event::Fork(step)),
            _ => {}
        }
    }

    fn winner(&self) -> Winner {
        self.winner
    }

    fn has_seen_enough(&self) -> bool {
        self.refusal.is_some()
    }
}
