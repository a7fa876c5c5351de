//! Loops on DMMs: counting against executing every block with its values.

pub mod listing;

use chacha20::ChaCha8Rng;
use memory_machine::case::Case;
use memory_machine::count::{CountError, count};
use memory_machine::diagnostic::Source;
use memory_machine::language;
use memory_machine::machine::{Clock, Counts, Machine, Mode};
use memory_machine::run::layout::Layout;
use memory_machine::run::memory::{Memory, given};
use memory_machine::run::{Limits, Tracer, execute};
use memory_machine::units::Threads;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};

use self::listing::listing;
use crate::machine::hmm::hmm;

/// What came of a listing: whether it ran, and how many loops had to be executed to count it.
fn verdict(
    text: &str,
    sizes: [i64; 2],
    machine: Machine,
    mode: Mode,
) -> Result<(bool, usize), TestCaseError> {
    let source = Source { name: "random.alg".to_owned(), text: text.to_owned() };
    let program = match language::load(source) {
        Ok(program) => program,
        Err(error) => return Err(TestCaseError::fail(format!("{error}"))),
    };
    let value = |name: &str| Some(if name == "n" { sizes[0] } else { sizes[1] });
    let layout = Layout::new(&program, value, machine.width, None).unwrap();
    let limits = Limits::new(Threads::new(5).unwrap(), 1000);
    let counted = match count(&program, &layout, machine, mode, limits) {
        Err(CountError::DependsOnMemory(it)) => panic!("{} depends on memory", it.what),
        Err(CountError::Run(error)) => Err(error.to_string()),
        Ok(counted) => Ok(counted),
    };
    let mut memory = Memory::new(&layout).unwrap();
    for array in given(&program) {
        let cells = layout.regions[array.0].cells;
        memory.fill(&layout, array, 0, &(0..cells).map(|it| it * 7 % 11).collect::<Vec<_>>());
    }
    let mut tracer = Tracer::new(&program, Clock::new(machine, mode, limits.threads));
    let run = execute(&program, &layout, &mut memory, limits, &mut tracer);
    match (run, counted) {
        (Ok(_), Ok(counted)) => {
            let mut counts = tracer.sink.finish();
            counts.resize(program.phases.len(), Counts::default());
            prop_assert_eq!(counted.counts, counts);
            Ok((true, counted.executed.len()))
        }
        (Ok(_), Err(error)) => Err(TestCaseError::fail(format!("not counted: {error}"))),
        (Err(run), counted) => {
            let counted = counted.map(|it| it.counts);
            prop_assert_eq!(counted, Err(run.to_string()));
            Ok((false, 0))
        }
    }
}

fn machines(widest: u64) -> impl Strategy<Value = Machine> {
    let sizes = (1..=widest, 1_u64..20, [1_u64..5, 1_u64..5, 1_u64..4]);
    sizes.prop_map(|(width, latency, dmms)| hmm(width, latency, dmms))
}

fn agrees(bytes: &[u8], sizes: [i64; 2], machine: Machine) -> Result<(), TestCaseError> {
    let text = listing(bytes);
    let verdict = verdict(&text, sizes, machine, Mode::Sync);
    prop_assert!(verdict.is_ok(), "{:?}\n{}\n{}", machine, verdict.unwrap_err(), text);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 20_000, ..crate::cases(1_500) })]

    #[test]
    fn counting_blocks_equals_executing_them(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        sizes in [1_i64..14, 1_i64..7],
        machine in machines(8),
    ) {
        agrees(&bytes, sizes, machine)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 20_000, ..crate::cases(2_000) })]

    #[test]
    #[ignore = "takes minutes"]
    fn counting_many_blocks_equals_executing_them(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        sizes in [1_i64..30, 1_i64..13],
        machine in machines(40),
    ) {
        agrees(&bytes, sizes, machine)?;
    }
}

/// What the properties above prove is worth little if every block were executed after all, or none of
/// them ran to its end.
#[test]
fn most_loops_on_dmms_are_counted() {
    let (mut ran, mut executed) = (0, 0);
    for seed in 0..300 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let bytes: Vec<u8> = (0..120).map(|_| rng.random_range(0..=255)).collect();
        let machine = hmm(4, 7, [2, 3, 2]);
        let (went, how_many) = verdict(&listing(&bytes), [9, 4], machine, Mode::Sync).unwrap();
        ran += usize::from(went);
        executed += how_many;
    }
    assert!(ran > 200 && executed < 8, "{ran} of 300 listings ran, {executed} loops were executed");
}

/// A product of n × n matrices in tiles of 32 × 32, 256 threads to a tile: in each of its n / 32 steps
/// two loads from global memory and two stores, then 2 · 32 loads from shared memory, in four rounds
/// of eight warps; at the end a store. All without conflicts.
#[test]
fn a_large_product_takes_what_its_tiles_say() {
    for (n, [d, shared, resident], l) in [(4096, [132, 1, 1], 400), (1024, [7, 30, 3], 100)] {
        let case = Case::load("matrix_multiply_hmm").unwrap().set("n", n);
        let case = case.on(hmm(32, l, [d, shared, resident]));
        let counted = case.count(&case.layout().unwrap()).unwrap();
        assert!(counted.executed.is_empty());
        let (tiles, n) = ((n as u64 / 32).pow(2), n as u128);
        let wave = |blocks: u64| {
            let global = u128::from(8 * blocks + l - 1);
            let shared = u128::from(8 * blocks.div_ceil(d) + shared - 1);
            n / 32 * 4 * (2 * global + 66 * shared) + 4 * global
        };
        let full = u128::from(tiles / (d * resident)) * wave(d * resident);
        let rest = tiles % (d * resident);
        let time = full + if rest > 0 { wave(rest) } else { 0 };
        let total: Counts = counted.counts.into_iter().sum();
        assert_eq!(total.time_units.0, time);
        assert_eq!(total.shared.accesses, 2 * n.pow(3) + 2 * n.pow(3) / 32);
        assert_eq!(total.global().accesses, 2 * n.pow(3) / 32 + n * n);
    }
}

/// Whether a register has a value may be up to memory: no count says that it has none.
#[test]
fn registers_that_memory_decides_are_not_checked() {
    let text = "algorithm decided(n)\ninput a[n] : f32\noutput b[n] : f32\n\n\
                for k ← 0 to 0 do in parallel on DMMs with 4 threads\n  register r : f32\n  \
                for i ← 0 to n-1 do in parallel\n    if a[i] ≥ 0 then r ← a[i]\n  \
                for i ← 0 to n-1 do in parallel\n    b[i] ← r\n";
    let case = Case::parse("decided", text).unwrap().set("n", 4).on(hmm(4, 5, [1, 1, 1]));
    let layout = case.layout().unwrap();
    let mut memory = case.memory(&layout).unwrap();
    let clock = Clock::new(case.machine, case.mode, case.threads);
    let mut tracer = Tracer::new(&case.program, clock);
    case.execute(&layout, &mut memory, &mut tracer).unwrap();
    let run: Counts = tracer.sink.finish().into_iter().sum();
    assert_eq!(case.time().unwrap().total(), run);
}
