//! LogP: every word that crosses is a message, or in LogGP every run of words from one processor to
//! another in a superstep (Culler et al. 1993; Alexandrov, Ionescu, Schauser, Scheiman 1995).
//!
//! In a superstep a processor computes, then sends its messages, then receives what arrives, in the order
//! of arrival. Sending or receiving takes it o; it begins sends g apart at least, and receives. A message
//! arrives L after it was sent. One of k words keeps the sender for (k − 1)·G more.

use super::messages::{Superstep, Supersteps};
use super::{Cost, CostModel, CostTable, Event};

/// In time units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogP {
    /// L: from a message's last word leaving to its arrival.
    pub latency: u64,
    /// o: of a processor that sends or receives.
    pub overhead: u64,
    /// g: between beginnings of sends, and of receives.
    pub gap: u64,
    /// G of LogGP: a word more in one message.
    pub long_gap: Option<u64>,
}

pub(super) struct LogPModel<'a> {
    supersteps: Supersteps<'a>,
    parameters: LogP,
    /// Time and messages of each superstep, and of what stands between them; whether it is a nest.
    done: Vec<([u128; 2], bool)>,
}

impl<'a> LogPModel<'a> {
    pub(super) fn new(supersteps: Supersteps<'a>, parameters: LogP) -> Self {
        Self { supersteps, parameters, done: vec![] }
    }

    fn note(&mut self, over: Option<Superstep>) {
        self.done.extend(over.map(|it| (time(&it, self.parameters), it.is_nest)));
    }
}

/// Messages with their words: from, to, how many.
fn messages(superstep: &Superstep, are_long: bool) -> Vec<(u32, u32, u64)> {
    let mut found: Vec<(u32, u32, u64)> = vec![];
    let mut places = std::collections::HashMap::new();
    for &(from, to) in &superstep.messages {
        let place = places.entry((from, to)).or_insert(found.len());
        match found.get_mut(*place).filter(|_| are_long) {
            Some(message) => message.2 += 1,
            None => found.push((from, to, 1)),
        }
    }
    found
}

/// How long a superstep takes, and how many messages it has.
fn time(superstep: &Superstep, parameters: LogP) -> [u128; 2] {
    let LogP { latency, overhead, gap, long_gap } = parameters;
    let [latency, overhead, gap] = [latency, overhead, gap].map(u128::from);
    let apart = gap.max(overhead);
    let mut ends: Vec<u128> = superstep.operations.iter().map(|&it| it.into()).collect();
    let mut next_send = ends.clone();
    let messages = messages(superstep, long_gap.is_some());
    // By receiver: arrival and sender.
    let mut arrivals: Vec<Vec<(u128, u32)>> = vec![vec![]; ends.len()];
    for &(from, to, words) in &messages {
        let longer = u128::from(words - 1) * u128::from(long_gap.unwrap_or(0));
        let begins = next_send[from as usize];
        let sent = begins + overhead + longer;
        ends[from as usize] = sent;
        next_send[from as usize] = begins + apart + longer;
        arrivals[to as usize].push((sent + latency, from));
    }
    for (end, arrivals) in ends.iter_mut().zip(&mut arrivals) {
        arrivals.sort_unstable();
        let mut free = *end;
        for &(arrival, _) in &*arrivals {
            let begins = free.max(arrival);
            *end = begins + overhead;
            free = begins + apart;
        }
    }
    [ends.into_iter().max().unwrap_or(0), messages.len() as u128]
}

impl CostModel for LogPModel<'_> {
    fn event(&mut self, event: &Event<'_>) {
        let over = self.supersteps.event(event);
        self.note(over);
    }

    fn cost(mut self: Box<Self>) -> Cost {
        let over = self.supersteps.end(false);
        self.note(over);
        let sum = |of: usize| self.done.iter().map(|it| it.0[of]).sum::<u128>();
        let row = |&([time, messages], is_nest): &([u128; 2], bool)| {
            vec![is_nest.into(), messages.into(), time.into()]
        };
        let table = CostTable {
            key: "steps",
            columns: vec!["nest", "messages", "time_units"],
            rows: self.done.iter().map(row).collect(),
        };
        let supersteps = self.done.iter().filter(|it| it.1).count() as u128;
        let cost = Cost::default()
            .with("time_units", "time", sum(0))
            .with("supersteps", "supersteps", supersteps)
            .with("messages", "messages", sum(1));
        Cost { table: Some(table), ..cost }
    }
}
