//! Massively parallel computation: machines of S words each; a nest in which a machine receives a word
//! is a round (Karloff, Suri, Vassilvitskii 2010).

use super::messages::{Superstep, Supersteps};
use super::{Cost, CostModel, CostTable, Event};
use crate::language::program::Program;
use crate::run::layout::Layout;

/// As many machines as hold all arrays, without the words that align them.
pub(super) fn machines(program: &Program, layout: &Layout, space: u64) -> u64 {
    layout.cells(program).div_ceil(space).max(1)
}

pub(super) struct Mpc<'a> {
    supersteps: Supersteps<'a>,
    space: u64,
    /// Words that the machine received that received most, of each nest in which one did.
    rounds: Vec<u64>,
}

impl<'a> Mpc<'a> {
    pub(super) fn new(supersteps: Supersteps<'a>, space: u64) -> Self {
        Self { supersteps, space, rounds: vec![] }
    }

    fn note(&mut self, over: Option<Superstep>) {
        // What stands between nests waits for no round: its words come with the next.
        let over = over.filter(|it| it.is_nest);
        let received = over.and_then(|it| it.traffic()[1].iter().copied().max());
        self.rounds.extend(received.filter(|&it| it > 0));
    }
}

impl CostModel for Mpc<'_> {
    fn event(&mut self, event: &Event<'_>) {
        let over = self.supersteps.event(event);
        self.note(over);
    }

    fn cost(mut self: Box<Self>) -> Cost {
        let over = self.supersteps.end(false);
        self.note(over);
        let held = self.supersteps.most_held();
        let received = self.rounds.iter().copied().max().unwrap_or(0);
        let rows = self.rounds.iter().map(|&it| vec![it.into()]).collect();
        let cost = Cost::default()
            .with("rounds", "rounds", self.rounds.len() as u128)
            .with("machines", "machines", self.supersteps.processors)
            .with("held", "the most words that a machine holds", held)
            .with("received", "the most words that a machine receives in a round", received)
            .with("words", "the most words that a machine holds or receives", held.max(received))
            .with("fits", "no more than S", held.max(received) <= self.space);
        Cost { table: Some(CostTable { key: "steps", columns: vec!["received"], rows }), ..cost }
    }
}
