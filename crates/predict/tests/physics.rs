//! No prediction is faster than the device can be.

use memory_machine_algorithms::catalogue::{CATALOGUE, ON_DMMS};
use memory_machine_case::Case;
use memory_machine_codegen::Launch;
use memory_machine_measure::models::{self, Calibration};
use memory_machine_predict::counters::Counter;
use memory_machine_predict::{
    Bound, LaunchOptions, Prediction, ReuseCache, Work, predict, traffic,
};

fn predicted(case: &Case, machine: &Calibration) -> Option<Prediction> {
    let options = LaunchOptions { launch: None, prefetch: 1 };
    let work = Work::of(case, options, machine, &mut ReuseCache::default()).ok()?;
    Some(predict(&work, machine, &[]))
}

/// What is read and written in place goes to memory in both directions: measured on both GPUs.
#[test]
fn an_array_in_place_is_read_and_written() {
    let text = "algorithm saxpy(n)\ninput x[n] : f32\ninout y[n] : f32\n\
                for i ← 0 to n-1 do in parallel\n  y[i] ← y[i] + f32(2) × x[i]\n";
    let n = 1_u64 << 28;
    for (name, measured_s) in [("h100", 1.055e-3), ("h200", 0.744e-3)] {
        let model = models::find(name).unwrap();
        let machine = model.calibration.as_ref().unwrap();
        let case = Case::parse("saxpy.alg", text).unwrap().set("n", n as i64).on(model.machine());
        let it = predicted(&case, machine).unwrap();
        let least_s = machine.least_dram_s(3.0 * 4.0 * n as f64);
        assert!(least_s > 6e-4 && it.time_s >= least_s, "{name}: {} s", it.time_s);
        assert_eq!(it.bound(), Bound::Memory);
        let interval = it.interval(false);
        assert!((interval.low_s..interval.high_s).contains(&measured_s), "{name}: {interval:?}");
        assert!((it.time_s / measured_s - 1.0).abs() < 0.15, "{name}: {} s", it.time_s);
    }
}

/// Of a GPU that keeps nothing: each launch brings what it reads and has not written.
#[test]
fn no_shipped_listing_is_faster_than_memory() {
    let model = models::find("h200").unwrap();
    let mut machine = model.calibration.clone().unwrap();
    // Memory alone is to be the limit.
    machine.l2_bytes.value = 1.0;
    machine.l2_held_bytes.value = 1.0;
    let mut looked = 0;
    for entry in CATALOGUE.iter().chain(ON_DMMS) {
        let mut case = Case::load(entry.name).unwrap().with_dmms().on(model.machine());
        for parameter in &case.program.clone().parameters {
            if parameter.default.is_none() {
                case = case.set(&parameter.name, 16);
            }
        }
        let Some(it) = predicted(&case, &machine) else { continue };
        let Ok(kernels) = traffic(&case) else { continue };
        let bytes: u64 = kernels.iter().map(|it| it.of(Counter::MemoryReads)).sum();
        let least_s = machine.least_dram_s(bytes as f64);
        assert!(it.dram_s >= 0.9 * least_s, "{}: {it:?}, {least_s}", case.program.name);
        let parts = [it.latency_s, it.operations_s, it.l1_s, it.l2_s, it.writes_s, it.dram_s];
        let longest = parts.into_iter().fold(0.0, f64::max);
        assert!(it.time_s >= longest * (1.0 - 1e-12), "{}: {it:?}", case.program.name);
        looked += 1;
    }
    assert!(looked > 20, "{looked}");
}

/// A multiprocessor has 128 units for f32 and 64 for f64; `clock_hz` is that of the devices' descriptions.
#[test]
fn no_operation_is_faster_than_its_units() {
    let clock_hz = 1.98e9;
    for name in ["h100", "h200"] {
        let machine = models::find(name).unwrap().calibration.unwrap();
        for (issue_s, units) in [(&machine.f32_s, 128.0), (&machine.f64_s, 64.0)] {
            assert!(issue_s.value >= 32.0 / units / clock_hz, "{name}: {issue_s:?}");
        }
    }
}

/// README's own listing, and one whose loops end where its values say.
#[test]
fn accesses_between_parallel_loops_are_part_of_a_cooperative_kernel() {
    let model = models::find("h100").unwrap();
    let machine = model.calibration.as_ref().unwrap();
    let smooth = |last: &str| {
        let text = format!(
            "algorithm smooth(n)\ninput a[n] : f32\noutput b[n] : f32\n\
             for i ← 0 to n-2 do in parallel\n  b[i] ← (a[i] + a[i+1]) / 2\n{last}"
        );
        let case = Case::parse("smooth.alg", &text).unwrap().set("n", 4096).on(model.machine());
        let options = LaunchOptions { launch: Some(Launch::Cooperative), prefetch: 1 };
        let work = Work::of(&case, options, machine, &mut ReuseCache::default()).unwrap();
        predict(&work, machine, &[]).time_s
    };
    // A read, a write, and the two barriers around it.
    let more_s = smooth("b[n-1] ← a[n-1]\n") - smooth("");
    let least_s = 2.0 * machine.barrier_s.value + 2.0 * machine.l2_latency_s.value;
    assert!((least_s..2.0 * least_s).contains(&more_s), "{more_s} {least_s}");
    let bfs = Case::load("bfs").unwrap().set("n", 64).on(model.machine());
    let it = predicted(&bfs, machine).unwrap();
    assert!(it.launches_s > 2.0 * machine.barrier_s.value, "{it:?}");
}

/// A bound that is read from memory is no empty loop.
#[test]
fn parallel_loops_as_long_as_memory_says_are_refused_in_words() {
    let text = "algorithm count(n)\ninput c[1] : i32\noutput b[n] : i32\n\
                for i ← 0 to c[0] do in parallel\n  b[i] ← i\n";
    let model = models::find("h100").unwrap();
    let case = Case::parse("count.alg", text).unwrap().set("n", 64).on(model.machine());
    let machine = model.calibration.as_ref().unwrap();
    let options = LaunchOptions { launch: None, prefetch: 1 };
    let error = Work::of(&case, options, machine, &mut ReuseCache::default()).unwrap_err();
    assert!(error.to_string().contains("is read from memory"), "{error}");
}
