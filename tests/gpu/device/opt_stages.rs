//! On a GPU: every method, arrangement and type leaves the bits of the plain triple loop.

use bytemuck::cast_slice;
use chacha20::ChaCha8Rng;
use memory_machine::algorithms::opt::plan::Plan;
use memory_machine::algorithms::opt::variant::{Method, Variant};
use memory_machine::algorithms::opt::{Weight, reference};
use memory_machine::gpu::Gpu;
use memory_machine::gpu::opt::stages::{StagedOpt, solve};
use memory_machine::gpu::opt::tiled::Number;
use memory_machine::gpu::opt::tune::{TuneEffort, tune};
use rand::{Rng, RngExt, SeedableRng};

use super::gpu;

/// Positive weights, weights of both signs, or weights of which a third is infinite.
fn weights<T: Weight>(
    n: usize,
    kind: usize,
    number: fn(f64) -> T,
    random: &mut impl Rng,
) -> Vec<T> {
    let weight = |_| {
        let unit: f64 = random.random();
        match kind % 3 {
            0 => number(unit),
            1 => number(unit - 0.7),
            _ if random.random_range(0..3) == 0 => T::INFINITY,
            _ => number(unit),
        }
    };
    (0..n * n).map(weight).collect()
}

fn single(number: f64) -> f32 {
    number as f32
}

fn double(number: f64) -> f64 {
    number
}

fn whole(number: f64) -> i32 {
    (1000.0 * number) as i32
}

fn check<T: Number>(gpu: &Gpu, n: usize, kind: usize, plans: &[Plan], number: fn(f64) -> T) {
    let c: Vec<T> = weights(n, kind, number, &mut ChaCha8Rng::seed_from_u64(n as u64));
    let expected = reference::table(n, &c);
    let stages = StagedOpt::new(gpu, n, &c).unwrap();
    for plan in plans {
        let what = format!("{} n = {n} weights {kind} {:?}", T::NAME, plan.ranges);
        // Twice: nothing of the first run may matter to the second.
        for _ in 0..2 {
            stages.launch(plan).unwrap();
            let found = stages.square(plan).unwrap();
            assert!(cast_slice::<_, u8>(&found) == cast_slice::<_, u8>(&expected), "{what}");
            assert_eq!(stages.first_row(plan).unwrap(), found[n..2 * n], "{what}");
        }
    }
}

/// All ways in turn, and plans that change the arrangement: the more, the larger the step.
fn plans(n: usize, turn: usize, count: usize) -> Vec<Plan> {
    let ways = Variant::all();
    let way = |index: usize| ways[(turn * count + index) % ways.len()];
    let mut plans: Vec<Plan> = (0..count).map(|index| Plan::single(n, way(index))).collect();
    let [naive, sliding, rows, mirrored] = Method::ALL.map(|method| {
        let b = if method.is_block_based() { 1 << (turn % 4) } else { 1 };
        Variant { method, t: 32 << (turn % 6), b }
    });
    let (third, half) = ((n - 1) / 3, (n - 1) / 2);
    plans.push(Plan::from_borders(n, &[(0, sliding), (third, mirrored)]));
    plans.push(Plan::from_borders(n, &[(0, naive), (third, sliding), (half, rows)]));
    plans.push(Plan::from_borders(n, &[(0, mirrored), (third, rows), (half, sliding)]));
    plans
}

#[test]
#[ignore = "needs a GPU"]
fn every_size_is_the_triple_loops() {
    let gpu = gpu();
    for n in 3..=200 {
        check(&gpu, n, n, &plans(n, n, 12), single);
        check(&gpu, n, n + 1, &plans(n, n + 1, 6), double);
        check(&gpu, n, n + 2, &plans(n, n + 2, 6), whole);
    }
}

#[test]
#[ignore = "needs a GPU"]
fn every_way_is_the_triple_loops_for_larger_sizes() {
    let gpu = gpu();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for kind in 0..3 {
        let n = random.random_range(201..700);
        check(&gpu, n, kind, &plans(n, kind, 60), single);
        check(&gpu, n, kind, &plans(n, kind, 60), double);
        check(&gpu, n, kind, &plans(n, kind, 60), whole);
    }
}

#[test]
#[ignore = "needs a GPU"]
fn a_graph_solves_alike() {
    let gpu = gpu();
    for n in [3, 64, 333] {
        let c = weights(n, 0, single, &mut ChaCha8Rng::seed_from_u64(7));
        let plan = &plans(n, 3, 0)[0];
        let (found, seconds) = solve(&gpu, &c, plan).unwrap();
        assert_eq!(found, reference::table(n, &c));
        assert!(seconds > 0.0);
    }
}

#[test]
#[ignore = "needs a GPU"]
fn tuning_finds_a_plan_that_no_single_method_beats() {
    let gpu = gpu();
    for (n, every) in [(4, 1), (65, 1), (300, 7)] {
        let manner = TuneEffort { every, repetitions: 5, budget_s: 10.0, seed: 1 };
        let mut last = (0, 1);
        let tuning = tune(&gpu, n, manner, &mut |done, steps| last = (done, steps)).unwrap();
        assert_eq!(last.0, last.1);
        assert_eq!(tuning.totals.len(), Variant::all().len());
        assert!(tuning.totals.iter().all(|it| it.measured && it.time_s >= tuning.graph_s));
        assert_eq!(tuning.plan.ranges.last().unwrap().last, n - 2);
    }
}
