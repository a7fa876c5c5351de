//! Accesses in serial order: what the listing would do with its parallel loops one iteration after
//! another, though its threads go in step.

use super::Event;
use crate::trace::AccessKind;

/// Puts the accesses of a round in the order of its iterations.
#[derive(Debug, Default)]
pub(super) struct SerialOrder {
    in_round: bool,
    /// By thread: the addresses of the round so far, and whether they are written.
    lanes: Vec<Vec<(u64, bool)>>,
}

impl SerialOrder {
    /// Calls `visit` with the accesses that an event brings, each address with whether it is written.
    pub(super) fn event(&mut self, event: &Event<'_>, mut visit: impl FnMut(u64, bool)) {
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
