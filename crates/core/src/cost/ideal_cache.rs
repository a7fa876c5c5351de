//! The ideal cache: one fully associative memory of M words in lines of B words, through which all
//! accesses go in serial order (Frigo, Leiserson, Prokop, Ramachandran 1999).

use super::belady;
use super::stack_distance::StackDistances;
use super::{Cost, CostModel, CostTable, Event, Policy};
use crate::trace::AccessKind;

pub(super) struct IdealCache {
    /// In words.
    sizes: Vec<u64>,
    line: u64,
    order: SerialOrder,
    accesses: u128,
    lines: Lines,
}

/// What is known of the lines that were accessed.
enum Lines {
    /// Enough for LRU caches of all sizes.
    Distances(StackDistances),
    /// All of it: what goes depends on what comes.
    Sequence(Vec<(u64, bool)>),
}

impl IdealCache {
    pub(super) fn new(sizes: Vec<u64>, line: u64, policy: Policy) -> Self {
        let lines = match policy {
            Policy::Lru => Lines::Distances(StackDistances::default()),
            Policy::Opt => Lines::Sequence(vec![]),
        };
        Self { sizes, line, order: SerialOrder::default(), accesses: 0, lines }
    }
}

impl CostModel for IdealCache {
    fn event(&mut self, event: &Event<'_>) {
        if let Event::Access(accesses, site) = event
            && site.elements().is_some()
        {
            self.accesses += accesses.active.count() as u128;
        }
        let (line, lines) = (self.line, &mut self.lines);
        self.order.event(event, |address, writes| match lines {
            Lines::Distances(distances) => distances.access(address / line, writes),
            Lines::Sequence(sequence) => sequence.push((address / line, writes)),
        });
    }

    fn cost(self: Box<Self>) -> Cost {
        let next = match &self.lines {
            Lines::Distances(_) => vec![],
            Lines::Sequence(sequence) => belady::next_uses(sequence),
        };
        let of = |size: u64| match &self.lines {
            Lines::Distances(distances) => distances.of(size / self.line),
            Lines::Sequence(sequence) => belady::misses(sequence, &next, size / self.line),
        };
        let figures = |[misses, write_backs]: [u128; 2]| {
            Cost::default()
                .with("misses", "misses Q(M, B)", misses)
                .with("write_backs", "write-backs", write_backs)
                .with("accesses", "accesses", self.accesses)
        };
        if let [size] = self.sizes[..] {
            return figures(of(size));
        }
        let row = |&size: &u64| {
            let [misses, write_backs] = of(size);
            vec![size.into(), misses.into(), write_backs.into()]
        };
        let columns = vec!["cache", "misses", "write_backs"];
        let rows = self.sizes.iter().map(row).collect();
        let table = Some(CostTable { key: "curve", columns, rows });
        Cost { table, ..Cost::default().with("accesses", "accesses", self.accesses) }
    }
}

/// Puts the accesses of a round in the order of its iterations: what the listing would do with its parallel
/// loops one iteration after another, though its threads go in step.
#[derive(Debug, Default)]
struct SerialOrder {
    in_round: bool,
    /// By thread: the addresses of the round so far, and whether they are written.
    lanes: Vec<Vec<(u64, bool)>>,
}

impl SerialOrder {
    /// Calls `visit` with the accesses that an event brings, each address with whether it is written.
    fn event(&mut self, event: &Event<'_>, mut visit: impl FnMut(u64, bool)) {
        match event {
            Event::Access(accesses, site) => {
                let writes = site.kind == AccessKind::Write;
                accesses.active.for_each(|lane| {
                    let address = accesses.addresses[lane];
                    match self.in_round {
                        true => self.lanes[lane].push((address, writes)),
                        false => visit(address, writes),
                    }
                });
            }
            Event::RoundBegins { count } => {
                self.in_round = true;
                self.lanes.resize(self.lanes.len().max(*count), vec![]);
            }
            Event::RoundEnds => {
                self.in_round = false;
                for lane in &mut self.lanes {
                    lane.drain(..).for_each(|(address, writes)| visit(address, writes));
                }
            }
            _ => {}
        }
    }
}
