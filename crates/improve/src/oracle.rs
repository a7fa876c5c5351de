//! Two listings run on the same random inputs: no proof, but it would show that one is wrong.

use std::collections::BTreeMap;

use chacha20::ChaCha8Rng;
use memory_machine_core::language::program::{ArrayId, Program};
use memory_machine_core::language::syntax::{Role, Type};
use memory_machine_core::number;
use memory_machine_core::run::layout::Layout;
use memory_machine_core::run::memory::{self, Memory, encode};
use memory_machine_core::run::{Limits, NoopObserver, execute};
use memory_machine_core::units::{Threads, Width};
use rand::{RngExt, SeedableRng};

/// Every parameter that has a value from outside has these in turn, or its own if that is less.
const SIZES: [i64; 7] = [1, 2, 3, 4, 7, 12, 33];
/// Numbers of threads in turn.
const THREADS: [u64; 3] = [1, 5, 64];

/// What a comparison came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Comparison {
    /// On so many inputs both gave the same bits; on others the first fails, too.
    Same {
        /// Runs of both.
        runs: usize,
    },
    /// They gave different ones.
    Different {
        /// The sizes, and what differs.
        witness: String,
    },
}

/// Random numbers for the given arrays.
fn fill(program: &Program, layout: &Layout, seed: u64) -> Option<Memory> {
    let mut memory = Memory::new(layout).ok()?;
    for array in memory::given(program) {
        let of = &program.arrays[array.0];
        // By the name, so that another order of declarations changes nothing.
        let name =
            of.name.bytes().fold(seed, |all, it| all.wrapping_mul(257).wrapping_add(it.into()));
        let mut random = ChaCha8Rng::seed_from_u64(name);
        let mut next = || match of.element {
            it if it.is_float() => f64::from(random.random_range(0..1 << 20_i32)) / 1_048_576.0,
            Type::Bool => f64::from(random.random_range(0..2)),
            _ => f64::from(random.random_range(0..100)),
        };
        let numbers: Vec<f64> = (0..layout.regions[array.0].cells).map(|_| next()).collect();
        memory.fill(layout, array, 0, &encode(of.element, &numbers).ok()?);
    }
    Some(memory)
}

/// The results of a run.
type Results = Vec<(String, Vec<Option<u64>>)>;

fn results(
    program: &Program,
    values: &BTreeMap<String, i64>,
    seed: u64,
    threads: u64,
) -> Option<Results> {
    let value = |name: &str| values.get(name).copied();
    let layout = Layout::new(program, value, Width::at_least_one(4), None).ok()?;
    let mut memory = fill(program, &layout, seed)?;
    let threads = Threads::at_least_one(threads);
    let limits = Limits::new(threads, 1 << 20);
    let answer = execute(program, &layout, &mut memory, limits, &mut NoopObserver).ok()?;
    let is_result = |it: &usize| matches!(program.arrays[*it].role, Role::Output | Role::Inout);
    let arrays = (0..program.arrays.len()).filter(is_result);
    let mut results: Results = arrays
        .map(|it| (program.arrays[it].name.clone(), memory.values(&layout, ArrayId(it), 0)))
        .collect();
    results.push(("answer".to_owned(), vec![answer]));
    Some(results)
}

/// What the first listing leaves of one random input, to hold others against it.
struct Expected<'a> {
    before: &'a Program,
    values: &'a BTreeMap<String, i64>,
    seed: u64,
    results: Results,
}

impl<'a> Expected<'a> {
    /// Nothing if it fails.
    fn of(before: &'a Program, values: &'a BTreeMap<String, i64>, seed: u64) -> Option<Self> {
        let results = results(before, values, seed, 1 << 20)?;
        Some(Self { before, values, seed, results })
    }

    /// What differs in another listing with so many threads, if something does.
    fn against(
        &self,
        after: &Program,
        threads: u64,
        is_near: &dyn Fn(Type, u64, u64) -> bool,
    ) -> Result<(), String> {
        let Self { before, values, seed, results: expected } = self;
        let witness = |what: &str| Err(format!("with {values:?} and {threads} threads {what}"));
        let Some(found) = results(after, values, *seed, threads) else {
            return witness("it fails");
        };
        for (name, expected) in expected {
            let Some((_, found)) = found.iter().find(|it| it.0 == *name) else {
                return witness(&format!("`{name}` is gone"));
            };
            let array = before.array_named(name);
            let element = array.map_or(Type::I64, |it| before.arrays[it.0].element);
            let is_same = |(a, b): (&Option<u64>, &Option<u64>)| match (a, b) {
                (Some(a), Some(b)) => a == b || array.is_some() && is_near(element, *a, *b),
                (a, b) => a == b,
            };
            let answer_is_free = array.is_none();
            if expected.len() != found.len()
                || !answer_is_free && !expected.iter().zip(found).all(is_same)
            {
                return witness(&format!("`{name}` differs"));
            }
        }
        Ok(())
    }
}

/// Runs both listings on one random input: what differs, if something does; nothing if the first fails.
pub fn compare_at(
    before: &Program,
    after: &Program,
    values: &BTreeMap<String, i64>,
    (seed, threads): (u64, u64),
    is_near: &dyn Fn(Type, u64, u64) -> bool,
) -> Option<Result<(), String>> {
    Some(Expected::of(before, values, seed)?.against(after, threads, is_near))
}

/// Runs both listings on random inputs of several sizes, with several numbers of threads. `given` are the
/// sizes that are asked for; none is exceeded. Floats are compared by `is_near`.
pub fn compare(
    before: &Program,
    after: &Program,
    given: &BTreeMap<String, i64>,
    is_near: &dyn Fn(Type, u64, u64) -> bool,
) -> Comparison {
    let mut runs = 0;
    for (seed, size) in (1..).zip(SIZES) {
        let sizes = given.iter().enumerate();
        // Different ones, so that rows and columns do not stand for each other.
        let of = |(at, (name, value)): (usize, (&String, &i64))| {
            (name.clone(), (*value).min(size + at as i64))
        };
        let values: BTreeMap<String, i64> = sizes.map(of).collect();
        let Some(expected) = Expected::of(before, &values, seed) else { continue };
        for threads in THREADS {
            match expected.against(after, threads, is_near) {
                Ok(()) => runs += 1,
                Err(witness) => return Comparison::Different { witness },
            }
        }
    }
    Comparison::Same { runs }
}

/// Whether floats are the same but for rounding, with room for that of small sizes.
pub(crate) fn is_near(element: Type, a: u64, b: u64) -> bool {
    let precision = match element {
        Type::F32 => f64::from(f32::EPSILON),
        Type::F64 => f64::EPSILON,
        _ => return false,
    };
    let [a, b] = [a, b].map(|it| memory::number(element, it));
    number::near(a, b, 1024.0 * precision * a.abs().max(b.abs()).max(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_infinity_is_near_itself_alone() {
        let is_near = |a: f64, b: f64| is_near(Type::F64, a.to_bits(), b.to_bits());
        assert!(is_near(1.0, 1.0 + f64::EPSILON) && is_near(f64::INFINITY, f64::INFINITY));
        assert!(!is_near(f64::INFINITY, 42.0) && !is_near(42.0, -f64::INFINITY));
        assert!(!is_near(1.0, 1.001));
    }
}
