//! Parallel external memory: every thread is a processor with an ideal cache of its own. A step takes a
//! transfer if any processor misses (Arge, Goodrich, Nelson, Sitchinava 2008).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Cost, CostModel, Event, Policy};
use crate::trace::AccessKind;

/// One access of a step: processor, line.
type Request = (u32, u64);

/// All steps are kept, since Belady's caches must know what comes.
pub(super) struct Pem {
    lines: u64,
    line: u64,
    policy: Policy,
    steps: Vec<(AccessKind, Vec<Request>)>,
}

/// A processor's line: the key by which the highest goes first, and whether it is dirty.
struct Held {
    rank: (u64, u64),
    dirty: bool,
}

#[derive(Default)]
struct Cache {
    held: HashMap<u64, Held>,
    ranks: BTreeSet<(u64, u64)>,
}

impl Cache {
    fn take(&mut self, line: u64) -> Option<Held> {
        let held = self.held.remove(&line)?;
        self.ranks.remove(&held.rank);
        Some(held)
    }

    fn put(&mut self, line: u64, held: Held) {
        self.ranks.insert(held.rank);
        self.held.insert(line, held);
    }
}

impl Pem {
    pub(super) fn new(size: u64, line: u64, policy: Policy) -> Self {
        Self { lines: size / line, line, policy, steps: vec![] }
    }

    /// For each request of each step, in which step its processor uses its line again, if it still
    /// holds then what it got: nobody else has written the line in between.
    fn next_uses(&self) -> Vec<Vec<u64>> {
        let mut next: HashMap<Request, u64> = HashMap::new();
        let mut users: HashMap<u64, BTreeSet<u32>> = HashMap::new();
        let mut found = Vec::with_capacity(self.steps.len());
        for (step, (kind, requests)) in self.steps.iter().enumerate().rev() {
            if *kind == AccessKind::Write {
                for &(writer, line) in requests {
                    let Some(users) = users.get_mut(&line) else { continue };
                    users.retain(|&user| {
                        let stays = user == writer;
                        if !stays {
                            next.remove(&(user, line));
                        }
                        stays
                    });
                }
            }
            let of = |it: &Request| next.get(it).copied().unwrap_or(u64::MAX);
            found.push(requests.iter().map(of).collect());
            for &request in requests {
                next.insert(request, step as u64);
                users.entry(request.1).or_default().insert(request.0);
            }
        }
        found.reverse();
        found
    }

    /// Transfers, misses, write-backs.
    fn run(&self) -> [u128; 3] {
        let next = match self.policy {
            Policy::Lru => vec![],
            Policy::Opt => self.next_uses(),
        };
        let mut caches: BTreeMap<u32, Cache> = BTreeMap::new();
        let mut holders: HashMap<u64, BTreeSet<u32>> = HashMap::new();
        let [mut transfers, mut misses, mut write_backs] = [0_u128; 3];
        for (step, (kind, requests)) in self.steps.iter().enumerate() {
            let missed = misses;
            for (index, &(processor, line)) in requests.iter().enumerate() {
                let cache = caches.entry(processor).or_default();
                let dirty = match cache.take(line) {
                    Some(held) => held.dirty,
                    None => {
                        misses += 1;
                        if cache.held.len() as u64 >= self.lines
                            && let Some(&(_, victim)) = cache.ranks.last()
                            && let Some(victim_held) = cache.take(victim)
                        {
                            write_backs += u128::from(victim_held.dirty);
                            holders.entry(victim).or_default().remove(&processor);
                        }
                        holders.entry(line).or_default().insert(processor);
                        false
                    }
                };
                let rank = match self.policy {
                    Policy::Lru => u64::MAX - step as u64,
                    Policy::Opt => next[step][index],
                };
                let dirty = dirty || *kind == AccessKind::Write;
                cache.put(line, Held { rank: (rank, line), dirty });
            }
            transfers += u128::from(misses > missed);
            if *kind == AccessKind::Write {
                write_backs += invalidate(requests, &mut caches, &mut holders);
            }
        }
        let dirty = |cache: &Cache| cache.held.values().filter(|it| it.dirty).count() as u128;
        [transfers, misses, write_backs + caches.values().map(dirty).sum::<u128>()]
    }
}

/// Takes lines that were written from all others who hold them; returns how many of these were dirty.
fn invalidate(
    requests: &[Request],
    caches: &mut BTreeMap<u32, Cache>,
    holders: &mut HashMap<u64, BTreeSet<u32>>,
) -> u128 {
    let mut writers: BTreeMap<u64, BTreeSet<u32>> = BTreeMap::new();
    for &(processor, line) in requests {
        writers.entry(line).or_default().insert(processor);
    }
    let mut dirty = 0;
    for (line, writers) in writers {
        // Of several writers none has all of it.
        let keeps = |it: u32| writers.len() == 1 && writers.contains(&it);
        let Some(held_by) = holders.get_mut(&line) else { continue };
        held_by.retain(|&processor| {
            let stays = keeps(processor);
            if !stays && let Some(held) = caches.get_mut(&processor).and_then(|it| it.take(line)) {
                dirty += u128::from(held.dirty);
            }
            stays
        });
    }
    dirty
}

impl CostModel for Pem {
    fn event(&mut self, event: &Event<'_>) {
        if let Event::Access(accesses, site) = event {
            let mut requests = Vec::with_capacity(accesses.active.count());
            accesses.active.for_each(|lane| {
                requests.push((lane as u32, accesses.addresses[lane] / self.line));
            });
            match self.steps.last_mut().filter(|_| site.elements().is_none()) {
                // Words more of the same step.
                Some((_, step)) => step.append(&mut requests),
                None => self.steps.push((site.kind, requests)),
            }
        }
    }

    fn cost(self: Box<Self>) -> Cost {
        let [transfers, misses, write_backs] = self.run();
        Cost::default()
            .with("time_units", "parallel transfers", transfers)
            .with("misses", "misses of all processors", misses)
            .with("write_backs", "write-backs of all processors", write_backs)
            .with("steps", "steps of accesses", self.steps.len() as u128)
    }
}
