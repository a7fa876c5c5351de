//! Questions on small accesses, and their answers. The page words them.

use chacha20::ChaCha8Rng;
use memory_machine::machine::{Machine, Mode, PipelineDiagram, time};
use memory_machine::trace::{AccessKind, Event, Step, Trace};
use memory_machine::units::{Address, Latency, Threads, Width};
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

/// So many questions: the kinds take turns.
pub fn exercises(seed: u64, number: usize) -> Vec<Value> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let kinds = [stages, time_units, arrangement];
    (0..number).map(|at| kinds[at % kinds.len()](&mut random)).collect()
}

fn pick<T: Copy>(random: &mut ChaCha8Rng, from: &[T]) -> T {
    from[random.random_range(0..from.len())]
}

fn machine(random: &mut ChaCha8Rng) -> Machine {
    let of = pick(random, &[Machine::umm, Machine::dmm]);
    let width = Width::at_least_one(pick(random, &[4, 8]));
    of(width, Latency::at_least_one(random.random_range(2..=8)))
}

/// What `count` threads ask for: with a stride, in a permutation of rows, or anything.
fn addresses(random: &mut ChaCha8Rng, width: u64, count: u64) -> Vec<u64> {
    let stride = pick(random, &[1, 2, 3, width - 1, width, width + 1]);
    let base = random.random_range(0..2 * width);
    match random.random_range(0..3) {
        0 => (0..count).map(|i| base + stride * i).collect(),
        1 => (0..count).map(|i| base + stride * (i / 2)).collect(),
        _ => (0..count).map(|_| random.random_range(0..4 * width)).collect(),
    }
}

fn trace(threads: u64, steps: &[Vec<u64>]) -> Trace {
    let mut trace = Trace::new(Threads::at_least_one(threads));
    for addresses in steps {
        let mut step = Step::new(AccessKind::Read);
        addresses.iter().for_each(|&it| step.push(Address(it)));
        trace.events.push(Event::Step(step));
    }
    trace
}

/// By warp access, the words of each of its stages.
fn contents(machine: Machine, trace: &Trace) -> Vec<Vec<Vec<u64>>> {
    let pipeline = PipelineDiagram::of(machine, Mode::Sync, trace, |_, _, _| true);
    let stage = |it: &Vec<Address>| it.iter().map(|it| it.0).collect();
    pipeline.accesses.iter().map(|it| it.stages.iter().map(stage).collect()).collect()
}

/// How many stages does a warp's access take?
fn stages(random: &mut ChaCha8Rng) -> Value {
    let machine = machine(random);
    let width = machine.width.get();
    let asked = addresses(random, width, width);
    let trace = trace(width, std::slice::from_ref(&asked));
    json!({
        "kind": "stages", "machine": machine, "steps": [asked],
        "answer": time(machine, Mode::Sync, &trace).stages as u64,
        "contents": contents(machine, &trace),
    })
}

/// How many time units do two steps of two warps take?
fn time_units(random: &mut ChaCha8Rng) -> Value {
    let machine = machine(random);
    let threads = 2 * machine.width.get();
    let steps: Vec<_> = (0..2).map(|_| addresses(random, machine.width.get(), threads)).collect();
    let trace = trace(threads, &steps);
    let counts = time(machine, Mode::Sync, &trace);
    json!({
        "kind": "time_units", "machine": machine, "steps": steps,
        "answer": counts.time_units.0 as u64, "stages": counts.stages as u64,
        "contents": contents(machine, &trace),
    })
}

/// Every thread reads cell `a` of an input of its own: which arrangement is faster, and by how much?
fn arrangement(random: &mut ChaCha8Rng) -> Value {
    let machine = machine(random);
    let width = machine.width.get();
    let inputs = width * pick(random, &[2, 4]);
    let cells = pick(random, &[2, width / 2, width, width + 1, 2 * width]);
    let cell = random.random_range(0..cells);
    let row: Vec<u64> = (0..inputs).map(|j| j * cells + cell).collect();
    let column: Vec<u64> = (0..inputs).map(|j| cell * inputs + j).collect();
    let [row, column] = [row, column]
        .map(|it| time(machine, Mode::Sync, &trace(inputs, &[it])).time_units.0 as u64);
    json!({
        "kind": "arrangement", "machine": machine, "inputs": inputs, "cells": cells, "cell": cell,
        "row": row, "column": column,
        "answer": match row.cmp(&column) {
            std::cmp::Ordering::Less => "row",
            std::cmp::Ordering::Equal => "equal",
            std::cmp::Ordering::Greater => "column",
        },
    })
}
