//! Bulk-synchronous parallel: a superstep takes w + g·h + L (Valiant 1990). What stands between nests ends in
//! no barrier of its own, so that it takes no L.

use super::messages::{Superstep, Supersteps};
use super::{Cost, CostModel, CostTable, CountedLoop, Event};

pub(super) struct Bsp<'a> {
    supersteps: Supersteps<'a>,
    gap: u64,
    latency: u64,
    /// w and h of each superstep, and of what stands between them; whether it is a nest.
    done: Vec<([u64; 2], bool)>,
}

impl<'a> Bsp<'a> {
    pub(super) fn new(supersteps: Supersteps<'a>, gap: u64, latency: u64) -> Self {
        Self { supersteps, gap, latency, done: vec![] }
    }

    fn note(&mut self, over: Option<Superstep>) {
        self.done.extend(over.map(|it| ([it.work(), it.relation()], it.is_nest)));
    }

    fn time(&self, ([w, h], is_nest): ([u64; 2], bool)) -> u128 {
        let latency = if is_nest { self.latency } else { 0 };
        u128::from(w) + u128::from(self.gap) * u128::from(h) + u128::from(latency)
    }
}

impl CostModel for Bsp<'_> {
    fn event(&mut self, event: &Event<'_>) {
        let over = self.supersteps.event(event);
        self.note(over);
    }

    fn counted(&mut self, it: &CountedLoop<'_>) -> bool {
        let Some(over) = self.supersteps.counted(it) else { return false };
        over.into_iter().for_each(|it| self.note(Some(it)));
        true
    }

    fn cost(mut self: Box<Self>) -> Cost {
        let over = self.supersteps.end(false);
        self.note(over);
        let sum = |of: usize| self.done.iter().map(|it| u128::from(it.0[of])).sum::<u128>();
        let row = |&it: &([u64; 2], bool)| {
            let ([w, h], is_nest) = it;
            vec![is_nest.into(), w.into(), h.into(), self.time(it).into()]
        };
        let table = CostTable {
            key: "steps",
            columns: vec!["nest", "w", "h", "time_units"],
            rows: self.done.iter().map(row).collect(),
        };
        let time: u128 = self.done.iter().map(|&it| self.time(it)).sum();
        let largest = self.done.iter().map(|it| it.0[1]).max().unwrap_or(0);
        let supersteps = self.done.iter().filter(|it| it.1).count() as u128;
        let cost = Cost::default()
            .with("time_units", "time Σ w + g·h + L", time)
            .with("supersteps", "supersteps", supersteps)
            .with("w", "operations Σ w", sum(0))
            .with("h", "words Σ h", sum(1))
            .with("largest_h", "the largest h", largest);
        Cost { table: Some(table), ..cost }
    }
}
