//! Every machine equals an oracle that keeps all that happens and looks through it again and again.

use std::collections::BTreeSet;

use memory_machine::cost::{Cost, CostMachine, Owner, Policy, Value};
use memory_machine::language::program::{ArrayId, Nest, Program};
use memory_machine::run::layout::Layout;
use memory_machine::run::pram::Pram;
use memory_machine::run::{Accesses, Active, Evaluation, Flow, Observer, execute};
use memory_machine::trace::AccessKind;
use proptest::prelude::*;

use super::{PRAM, WORK_SPAN, bsp, cache, cost, ideal, logp};
use crate::graph::random::prepare;
use crate::graph::{ALL, limits, load};
use crate::run::generate::listing;

/// What one thread does: an operation, or an access to an array's word.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Deed {
    Operation,
    Access { array: usize, address: u64, writes: bool },
}

/// What happens, with the threads that do it.
#[derive(Debug)]
enum Happening {
    Deed(Vec<(usize, Deed)>),
    NestBegins,
    RoundBegins,
    RoundEnds,
    NestEnds,
}

struct Recorder<'a> {
    program: &'a Program,
    happened: Vec<Happening>,
}

fn lanes(active: &Active) -> Vec<usize> {
    let mut found = vec![];
    active.for_each(|lane| found.push(lane));
    found
}

impl Observer for Recorder<'_> {
    fn access(&mut self, accesses: &Accesses<'_>) {
        let site = &self.program.sites[accesses.site.0];
        let deed = |lane| {
            let (array, address) = (site.array.0, accesses.addresses[lane]);
            let writes = site.kind == AccessKind::Write;
            (lane, Deed::Access { array, address, writes })
        };
        let deeds = lanes(accesses.active).into_iter().map(deed).collect();
        self.happened.push(Happening::Deed(deeds));
    }

    fn evaluate(&mut self, _: Evaluation, active: &Active) {
        let deeds = lanes(active).into_iter().map(|lane| (lane, Deed::Operation)).collect();
        self.happened.push(Happening::Deed(deeds));
    }

    fn enter_nest(&mut self, _: &Nest) {
        self.happened.push(Happening::NestBegins);
    }

    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {
        self.happened.push(Happening::NestEnds);
    }

    fn flow(&mut self, flow: Flow<'_>) {
        match flow {
            Flow::RoundBegins { .. } => self.happened.push(Happening::RoundBegins),
            Flow::RoundEnds => self.happened.push(Happening::RoundEnds),
            _ => {}
        }
    }
}

/// Time and work of the PRAM: every stretch between two steps of accesses anew, thread by thread.
fn pram(happened: &[Happening]) -> u128 {
    let (mut time, mut since): (u128, Vec<usize>) = (0, vec![]);
    let most = |since: &mut Vec<usize>| {
        let count = |lane: usize| since.iter().filter(|it| **it == lane).count() as u128;
        let most = since.iter().map(|&lane| count(lane)).max().unwrap_or(0);
        since.clear();
        most
    };
    for it in happened {
        match it {
            Happening::Deed(deeds) if deeds[0].1 == Deed::Operation => {
                since.extend(deeds.iter().map(|it| it.0));
            }
            Happening::Deed(_) => time += most(&mut since) + 1,
            _ => time += most(&mut since),
        }
    }
    time + most(&mut since)
}

/// Work and span of a run with one thread: an iteration is a round.
fn work_span(happened: &[Happening]) -> [u128; 2] {
    let [mut work, mut span] = [0_u128; 2];
    let mut iterations: Option<Vec<u128>> = None;
    for it in happened {
        match it {
            Happening::Deed(_) => {
                work += 1;
                match iterations.as_mut().and_then(|it| it.last_mut()) {
                    Some(iteration) => *iteration += 1,
                    None => span += 1,
                }
            }
            Happening::NestBegins => iterations = Some(vec![]),
            Happening::RoundBegins => iterations.as_mut().unwrap().push(0),
            Happening::RoundEnds => {}
            Happening::NestEnds => {
                let iterations = iterations.take().unwrap();
                span += iterations.iter().max().unwrap_or(&0);
                // ⌈log₂ N⌉: how often N is halved, rounded up, until 1 is left.
                let mut left = iterations.len();
                while left > 1 {
                    left = left.div_ceil(2);
                    span += 1;
                }
            }
        }
    }
    [work, span]
}

/// A list of lines, the most recent first, each with whether it is dirty.
fn lru(accesses: &[(u64, bool)], lines: usize) -> [u128; 2] {
    let (mut list, mut misses, mut write_backs): (Vec<(u64, bool)>, u128, u128) = (vec![], 0, 0);
    for &(line, writes) in accesses {
        let at = list.iter().position(|it| it.0 == line);
        misses += u128::from(at.is_none());
        let dirty = at.is_some_and(|at| list.remove(at).1);
        list.insert(0, (line, dirty || writes));
        if list.len() > lines {
            write_backs += u128::from(list.pop().unwrap().1);
        }
    }
    [misses, write_backs + list.iter().filter(|it| it.1).count() as u128]
}

/// The same where the line goes that is used again last.
fn belady(accesses: &[(u64, bool)], lines: usize) -> [u128; 2] {
    let (mut held, mut misses, mut write_backs): (Vec<(u64, bool)>, u128, u128) = (vec![], 0, 0);
    for (now, &(line, writes)) in accesses.iter().enumerate() {
        if let Some(at) = held.iter().position(|it| it.0 == line) {
            held[at].1 |= writes;
            continue;
        }
        misses += 1;
        if held.len() == lines {
            let next = |line: u64| accesses[now..].iter().position(|it| it.0 == line);
            let last = (0..held.len())
                .max_by_key(|&at| next(held[at].0).map_or((1, held[at].0), |it| (0, it as u64)));
            write_backs += u128::from(held.remove(last.unwrap()).1);
        }
        held.push((line, writes));
    }
    [misses, write_backs + held.iter().filter(|it| it.1).count() as u128]
}

/// The accesses in the order of a run.
fn sequence(happened: &[Happening]) -> Vec<(u64, bool)> {
    let deeds = happened.iter().filter_map(|it| match it {
        Happening::Deed(deeds) => Some(deeds),
        _ => None,
    });
    deeds
        .flatten()
        .filter_map(|it| match it.1 {
            Deed::Access { address, writes, .. } => Some((address / 2, writes)),
            Deed::Operation => None,
        })
        .collect()
}

/// A cache for each thread; steps with a miss, misses, write-backs.
fn pem(happened: &[Happening], lines: usize) -> [u128; 3] {
    let mut caches: Vec<Vec<(u64, bool)>> = vec![vec![]; 64];
    let [mut transfers, mut misses, mut write_backs] = [0_u128; 3];
    for it in happened {
        let Happening::Deed(deeds) = it else { continue };
        let before = misses;
        let mut written = vec![];
        for &(lane, deed) in deeds {
            let Deed::Access { address, writes, .. } = deed else { continue };
            let (list, line) = (&mut caches[lane], address / 2);
            let at = list.iter().position(|it| it.0 == line);
            misses += u128::from(at.is_none());
            let dirty = at.is_some_and(|at| list.remove(at).1);
            list.insert(0, (line, dirty || writes));
            if list.len() > lines {
                write_backs += u128::from(list.pop().unwrap().1);
            }
            if writes {
                written.push((lane, line));
            }
        }
        transfers += u128::from(misses > before);
        for (lane, list) in caches.iter_mut().enumerate() {
            list.retain(|&(line, dirty)| {
                let is_stale = written.iter().any(|it| it.0 != lane && it.1 == line);
                write_backs += u128::from(is_stale && dirty);
                !is_stale
            });
        }
    }
    let dirty = caches.iter().flatten().filter(|it| it.1).count() as u128;
    [transfers, misses, write_backs + dirty]
}

/// Supersteps, Σ h and time on three processors with g = 5 and L = 7.
fn supersteps(happened: &[Happening], layout: &Layout, threads: usize, owner: Owner) -> [u128; 3] {
    let mut found = [0; 3];
    let mut present: Vec<(usize, Deed)> = vec![];
    let mut in_nest = false;
    let mut end = |present: &mut Vec<(usize, Deed)>, in_nest: bool| {
        if present.is_empty() && !in_nest {
            return;
        }
        let mut crossing = BTreeSet::new();
        let mut work = [0_u128; 3];
        for &(lane, deed) in &*present {
            let user = if in_nest { lane * 3 / threads } else { 0 };
            match deed {
                Deed::Operation => work[user] += 1,
                Deed::Access { array, address, writes } => {
                    let region = &layout.regions[array];
                    let element = address - region.base.0;
                    let home = match owner {
                        Owner::Block => element / region.cells.div_ceil(3),
                        Owner::Cyclic => element % 3,
                        Owner::BlockCyclic(size) => (element / size) % 3,
                    } as usize;
                    if home != user {
                        crossing.insert((writes, user, home, address));
                    }
                }
            }
        }
        let count = |is: &dyn Fn(bool, usize, usize) -> bool| {
            crossing.iter().filter(|it| is(it.0, it.1, it.2)).count() as u128
        };
        let h = (0..3).flat_map(|it| {
            let sent = count(&|writes, user, home| if writes { user == it } else { home == it });
            let received =
                count(&|writes, user, home| if writes { home == it } else { user == it });
            [sent, received]
        });
        let h = h.max().unwrap();
        let latency = if in_nest { 7 } else { 0 };
        found[0] += u128::from(in_nest);
        found[1] += h;
        found[2] += work.iter().max().unwrap() + 5 * h + latency;
        present.clear();
    };
    for it in happened {
        match it {
            Happening::Deed(deeds) => present.extend(deeds),
            Happening::NestBegins | Happening::NestEnds => {
                end(&mut present, in_nest);
                in_nest = matches!(it, Happening::NestBegins);
            }
            _ => {}
        }
    }
    end(&mut present, in_nest);
    found
}

fn counts<const N: usize>(cost: &Cost, keys: [&str; N]) -> [u128; N] {
    keys.map(|key| cost.count(key).unwrap_or_else(|| panic!("{key}: {cost:?}")))
}

proptest! {
    #![proptest_config(crate::cases(400))]

    #[test]
    fn machines_equal_their_oracles(
        bytes in prop::collection::vec(any::<u8>(), 1..160),
        n in 1_i64..5,
        seed in 0_u64..1000,
        parallel: bool,
        threads in 1_u64..8,
    ) {
        let program = load(&listing(&bytes, parallel));
        let run = |threads: u64| {
            let (layout, mut memory) = prepare(&program, n, seed);
            let mut recorder = Recorder { program: &program, happened: vec![] };
            let it = execute(&program, &layout, &mut memory, limits(threads), &mut recorder);
            let words: Vec<_> = (0..program.global_arrays().count())
                .flat_map(|it| memory.words(&layout, ArrayId(it)).collect::<Vec<_>>())
                .collect();
            it.is_ok().then_some((recorder.happened, words))
        };
        let (Some((happened, end)), Some((serial, serial_end))) = (run(threads), run(1)) else {
            return Ok(());
        };
        let says = |machine: &CostMachine| {
            let (layout, memory) = prepare(&program, n, seed);
            cost(&program, &layout, memory, threads, machine).unwrap()
        };
        let said = says(&PRAM);
        let time = pram(&happened);
        prop_assert_eq!(counts(&said, ["time_units", "work"]), [time, u128::from(threads) * time]);
        for lines in [1_usize, 2, 3, 8] {
            let said = says(&cache(2 * lines as u64, Policy::Lru));
            let keys = ["time_units", "misses", "write_backs"];
            prop_assert_eq!(counts(&said, keys), pem(&happened, lines), "{} lines", lines);
        }
        let layout = prepare(&program, n, seed).0;
        for owner in [Owner::Block, Owner::Cyclic, Owner::BlockCyclic(2)] {
            let said = says(&bsp(owner));
            let keys = ["supersteps", "h", "time_units"];
            let wanted = supersteps(&happened, &layout, threads as usize, owner);
            prop_assert_eq!(counts(&said, keys), wanted, "{}", owner);
        }
        // A message of LogP is a word, and none of LogGP is shorter.
        let [short, long] = [None, Some(1)].map(|it| counts(&says(&logp(it)), ["messages"])[0]);
        prop_assert!(long <= short);
        // Iterations that race may do something else one after another.
        let mut pram = Pram::new(&program);
        let (layout, mut memory) = prepare(&program, n, seed);
        let it = execute(&program, &layout, &mut memory, limits(ALL), &mut pram);
        if end != serial_end || it.is_err() || !pram.finish().1.is_empty() {
            return Ok(());
        }
        prop_assert_eq!(counts(&says(&WORK_SPAN), ["work", "span"]), work_span(&serial));
        let order = sequence(&serial);
        let sizes = [2, 4, 6, 8, 16];
        for (policy, oracle) in
            [(Policy::Lru, lru as fn(&[_], usize) -> [u128; 2]), (Policy::Opt, belady)]
        {
            let curve = says(&ideal(&sizes, policy)).table.unwrap();
            for (row, size) in curve.rows.iter().zip(sizes) {
                let [misses, write_backs] = oracle(&order, size as usize / 2);
                let wanted = [size.into(), misses, write_backs].map(Value::Count);
                prop_assert_eq!(&row[..], &wanted[..], "{}", policy);
            }
        }
    }
}
