//! The execution against the plain interpreter, on random listings; and what the static checks say
//! of them, held against what they do.

use chacha20::ChaCha8Rng;
use memory_machine::diagnostic::Source;
use memory_machine::language::oblivious::{Origin, first_dependence};
use memory_machine::language::program::{ArrayId, Program};
use memory_machine::language::syntax::Type;
use memory_machine::language::{self};
use memory_machine::run::layout::{Arrangement, Bulk, Layout};
use memory_machine::run::memory::Memory;
use memory_machine::run::pram::{Pram, PramClass};
use memory_machine::run::race::{RaceAccess, Races};
use memory_machine::run::{Limits, Tracer, execute};
use memory_machine::trace::{self, Trace};
use memory_machine::units::{Threads, Width};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use rand::{RngExt, SeedableRng};

use super::generate::listing;
use super::oracle::{Event, Oracle, Value};
use crate::machine::oracle::addresses;

const WHILE_LIMIT: u64 = 1000;

fn load(text: &str) -> Program {
    let source = Source { name: "random.alg".into(), text: text.to_owned() };
    language::load(source).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn layout(program: &Program, sizes: (i64, i64), width: u64, bulk: Option<Bulk>) -> Layout {
    let value = |name: &str| Some(if name == "n" { sizes.0 } else { sizes.1 });
    Layout::new(program, value, Width::new(width).unwrap(), bulk).unwrap()
}

/// Random values of an array of one input.
fn numbers(element: Type, cells: u64, rng: &mut ChaCha8Rng) -> Vec<u64> {
    let one = |_| match element {
        Type::F32 => Value::F32(rng.random_range(-9..9) as f32 / 4.0),
        Type::F64 => Value::F64(f64::from(rng.random_range(-9..9)) / 4.0),
        Type::I32 => Value::I32(rng.random_range(-9..9)),
        Type::I64 => Value::I64(rng.random_range(-9..9)),
        Type::U32 => Value::U32(rng.random_range(0..9)),
        Type::U64 => Value::U64(rng.random_range(0..9)),
        Type::Bool => Value::Bool(rng.random()),
        Type::I8 | Type::I16 => Value::Few(element, rng.random_range(-99..99)),
        Type::U8 | Type::U16 => Value::Few(element, rng.random_range(0..99)),
        Type::F16 | Type::Bf16 => unreachable!("no random listing has it"),
    };
    (0..cells).map(one).map(Value::bits).collect()
}

/// Memory with random inputs.
fn memory(program: &Program, layout: &Layout, seed: u64) -> Memory {
    let mut memory = Memory::new(layout).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for input in 0..layout.bulk.map_or(1, |bulk| bulk.inputs) {
        for (index, array) in program.arrays.iter().enumerate() {
            if array.role.is_given() {
                let values = numbers(array.element, layout.regions[index].cells, &mut rng);
                memory.fill(layout, ArrayId(index), input, &values);
            }
        }
    }
    memory
}

fn limits(threads: u64) -> Limits {
    Limits::new(Threads::new(threads).unwrap(), WHILE_LIMIT)
}

/// The values of all arrays of all inputs, every NaN one NaN.
fn values(program: &Program, layout: &Layout, memory: &Memory) -> Vec<Option<u64>> {
    let mut all = vec![];
    for input in 0..layout.bulk.map_or(1, |bulk| bulk.inputs) {
        for (index, array) in program.global_arrays().enumerate() {
            let values = memory.values(layout, ArrayId(index), input).into_iter();
            all.extend(
                values.map(|it| it.map(|bits| Value::from_bits(array.element, bits).bits())),
            );
        }
    }
    all
}

fn events(trace: &Trace, lanes: usize) -> Vec<Event> {
    let events = trace.events.iter().map(|event| match event {
        trace::Event::Barrier => Event::Barrier,
        trace::Event::Blocks(_) => unreachable!("no loop on DMMs is generated here"),
        trace::Event::Step(step) => {
            let all = addresses(step, lanes).into_iter().enumerate();
            Event::Step(step.kind, all.filter_map(|(i, it)| it.map(|it| (i, it))).collect())
        }
    });
    events.collect()
}

/// How a case went, for statistics.
#[derive(Debug, PartialEq, Eq)]
enum Went {
    Through,
    Stuck,
}

fn agree(
    text: &str,
    sizes: (i64, i64),
    width: u64,
    threads: u64,
    bulk: Option<Bulk>,
    seed: u64,
) -> Result<Went, TestCaseError> {
    let program = load(text);
    let layout = layout(&program, sizes, width, bulk);
    let mut memory = memory(&program, &layout, seed);

    let parameters = [sizes.0, sizes.1];
    let mut oracle = Oracle::new(&program, &parameters, width, threads as usize, bulk);
    prop_assert_eq!(oracle.memory.len() as u64, layout.words);
    for input in 0..bulk.map_or(1, |bulk| bulk.inputs) {
        for (index, array) in program.global_arrays().enumerate() {
            let values = memory.values(&layout, ArrayId(index), input);
            for (cell, bits) in (0..).zip(values) {
                let address = oracle.address(index, cell, input) as usize;
                oracle.memory[address] = bits.map(|bits| Value::from_bits(array.element, bits));
            }
        }
    }

    let mut tracer = Tracer::new(&program, Trace::new(Threads::new(threads).unwrap()));
    let found = execute(&program, &layout, &mut memory, limits(threads), &mut tracer);
    if let Err(error) = &found {
        // The message can be drawn, and points into the listing.
        prop_assert!(error.to_string().contains("random.alg:"), "{}", error);
    }
    let expected = oracle.run();
    prop_assert_eq!(found.is_ok(), expected.is_ok(), "{:?}\n{}", found, text);
    if expected.is_err() {
        return Ok(Went::Stuck);
    }
    prop_assert_eq!(&events(&tracer.sink, threads as usize), &oracle.events, "{}", text);
    let mut wanted = vec![];
    for input in 0..bulk.map_or(1, |bulk| bulk.inputs) {
        for index in 0..program.global_arrays().count() {
            for cell in 0..layout.regions[index].cells {
                let address = oracle.address(index, cell, input) as usize;
                wanted.push(oracle.memory[address].map(Value::bits));
            }
        }
    }
    prop_assert_eq!(values(&program, &layout, &memory), wanted, "{}", text);
    Ok(Went::Through)
}

fn sizes() -> impl Strategy<Value = (i64, i64)> {
    (1_i64..7, 1_i64..5)
}

proptest! {
    #![proptest_config(crate::cases(4_000))]

    #[test]
    fn parallel_programs_run_as_the_page_says(
        bytes in proptest::collection::vec(any::<u8>(), 0..250),
        sizes in sizes(),
        width in 1_u64..6,
        threads in 1_u64..12,
        seed in any::<u64>(),
    ) {
        agree(&listing(&bytes, true), sizes, width, threads, None, seed)?;
    }

    #[test]
    fn bulk_runs_run_as_the_page_says(
        bytes in proptest::collection::vec(any::<u8>(), 0..150),
        sizes in sizes(),
        width in 1_u64..6,
        inputs in 1_u64..8,
        row in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let arrangement = if row { Arrangement::RowWise } else { Arrangement::ColumnWise };
        let bulk = Some(Bulk { inputs, arrangement });
        agree(&listing(&bytes, false), sizes, width, inputs, bulk, seed)?;
    }
}

#[test]
fn most_random_programs_run_to_their_end() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let (mut through, mut nests) = (0, 0);
    for seed in 0..400 {
        let length = rng.random_range(0..250);
        let bytes: Vec<u8> = (0..length).map(|_| rng.random()).collect();
        let text = listing(&bytes, true);
        nests += usize::from(text.matches("in parallel").count() > 3);
        through += usize::from(agree(&text, (4, 3), 4, 5, None, seed).unwrap() == Went::Through);
    }
    assert!(through > 200, "{through} of 400");
    assert!(nests > 100, "{nests} of 400");
}

proptest! {
    #![proptest_config(crate::cases(4_000))]

    /// No input changes the trace of a program that is called oblivious.
    #[test]
    fn oblivious_programs_are(
        bytes in proptest::collection::vec(any::<u8>(), 0..120),
        sizes in sizes(),
        threads in 1_u64..12,
        seeds in any::<[u64; 2]>(),
    ) {
        let text = listing(&bytes, true);
        let program = load(&text);
        if first_dependence(&program, Origin::Inputs).is_some() {
            return Ok(());
        }
        let layout = layout(&program, sizes, 4, None);
        let traces = seeds.map(|seed| {
            let mut memory = memory(&program, &layout, seed);
            let mut tracer = Tracer::new(&program, Trace::new(Threads::new(threads).unwrap()));
            let result = execute(&program, &layout, &mut memory, limits(threads), &mut tracer);
            result.ok().map(|_| tracer.sink)
        });
        if let [Some(a), Some(b)] = &traces {
            prop_assert_eq!(a, b, "{}", text);
        }
    }

    /// The number of threads does not change the result of a program without races.
    #[test]
    fn programs_without_races_have_one_result(
        bytes in proptest::collection::vec(any::<u8>(), 0..120),
        sizes in sizes(),
        threads in 1_u64..12,
        seed in any::<u64>(),
    ) {
        let text = listing(&bytes, true);
        let program = load(&text);
        let layout = layout(&program, sizes, 4, None);
        let mut first = memory(&program, &layout, seed);
        let mut observers = (Pram::new(&program), Races::new(&program, &layout));
        let result = execute(&program, &layout, &mut first, limits(u64::MAX), &mut observers);
        let (class, races) = observers.0.finish();
        // What stopped in a nest was watched further than `Pram`, which looks at whole nests.
        if result.is_ok() {
            let raced = observers.1.finish().unwrap();
            prop_assert_eq!(raced.is_empty(), races.is_empty(), "{}", text);
            let known = |it: &RaceAccess| {
                races.iter().any(|race| race.accesses.iter().any(|other| other.site == it.site))
            };
            prop_assert!(raced.iter().all(known), "{}", text);
        }
        if result.is_err() || !races.is_empty() || class == PramClass::CrcwArbitrary {
            return Ok(());
        }
        let mut second = memory(&program, &layout, seed);
        let mut raced = Races::new(&program, &layout);
        execute(&program, &layout, &mut second, limits(threads), &mut raced).unwrap();
        prop_assert_eq!(
            values(&program, &layout, &first),
            values(&program, &layout, &second),
            "{}", text
        );
        prop_assert_eq!(raced.finish(), Some(vec![]), "{}", text);
    }
}
