//! Words of warps: what is emitted, compiled and executed instruction by instruction leaves the bits of a run.

use std::fmt::Write;
use std::path::Path;

use chacha20::ChaCha8Rng;

use memory_machine::case::Case;
use memory_machine::codegen::{self, Launch, Options};
use memory_machine::gpu::toolchain::{self, CompileOptions};
use memory_machine::kernel::{Plan, execute, parameters};
use memory_machine::language::syntax::Type;
use memory_machine::run::NoopObserver;
use memory_machine::run::layout::Layout;
use memory_machine::run::memory::Memory;
use memory_machine::sass;
use rand::{RngExt, SeedableRng};

use crate::support::{fails, folder};

/// Blocks of q threads whose every nest has c iterations, with values of one type.
struct Shape {
    element: Type,
    threads: u64,
    iterations: u64,
}

impl Shape {
    /// Whether every thread of every warp has an iteration in every round.
    fn is_full(&self) -> bool {
        self.threads.is_multiple_of(32) && self.iterations.is_multiple_of(32)
    }

    fn first_value(&self) -> String {
        let word = self.element.word();
        match self.element {
            Type::F32 | Type::F64 => format!("{word}(h) × 0.001 - 5"),
            it if it.is_short_float() => format!("{word}(f32(h & 1023) / 7)"),
            it if it.bits() < 32 => format!("{word}(h & 127)"),
            Type::I32 => "i32(h >> 1)".to_owned(),
            _ => format!("{word}(h) × 5"),
        }
    }
}

fn listing(rng: &mut ChaCha8Rng, shape: &Shape) -> String {
    let (word, threads, last) = (shape.element.word(), shape.threads, shape.iterations - 1);
    let mut text = format!(
        "algorithm warps(n)\noutput b[3, n] : {word}\noutput votes[3, n] : u64\n\n\
         for k ← 0 to 2 do in parallel on DMMs with {threads} threads\n  \
         for i ← 0 to {last} do in parallel\n    \
         h : u32 ← u32(i + 100 × k + 7) × 2654435761\n    h ← h xor h >> 13\n    \
         x ← {}\n    t : u64 ← lane() + width()\n    for r ← 0 to 1 do\n",
        shape.first_value()
    );
    for _ in 0..4 {
        let lines = statement(rng, shape);
        lines.lines().for_each(|it| writeln!(text, "      {it}").unwrap());
    }
    text + "    b[k, i] ← x\n    votes[k, i] ← t\n"
}

fn statement(rng: &mut ChaCha8Rng, shape: &Shape) -> String {
    let mut of = |items: &[&'static str]| items[rng.random_range(0..items.len())];
    let mut reductions = vec!["sum", "min", "max"];
    if shape.element.is_integer() {
        reductions.extend(["and", "or", "xor"]);
    }
    let far = of(&["1", "2", "r + 3", "31", "32", "40", "lane() mod 7", "i64(h & 3)"]);
    let near = of(&["1", "16", "r + 4", "i64(h & 31)", "31 - lane()"]);
    let shuffle = match of(&["up", "down", "lane", "xor"]) {
        _ if !shape.is_full() => format!("shuffle_up(x, {far})"),
        "up" => format!("shuffle_up(x, {far})"),
        "down" => format!("shuffle_down(x, {far})"),
        "lane" => format!("shuffle(x, {near})"),
        _ => format!("shuffle_xor(x, {near})"),
    };
    match of(&["0", "1", "2", "3", "4", "5", "6"]) {
        "0" => format!("x ← {shuffle}"),
        "1" => format!("x ← x + {shuffle}"),
        "2" => format!("x ← reduce_{}(x) - x", of(&reductions)),
        "3" => format!("t ← t xor ballot(x {} 9) << r", of(&["<", "≥", "="])),
        "4" => format!("if {}(x > 20) then x ← x / 2 + {shuffle}", of(&["any", "all"])),
        "5" => "if i mod 3 = 0 then x ← x + 3".to_owned(),
        _ => "c ← shuffle_up(x > 9, 1)\nd ← all(t > 3)\nt ← t + (if c and d then 2 else 5)"
            .to_owned(),
    }
}

/// What a run leaves, and what the emitted code does: bytes of both arrays.
fn agree(text: &str, shape: &Shape) {
    let case = Case::parse("warps", text).unwrap_or_else(|it| panic!("{it}\n{text}"));
    let case = case.with_dmms().set("n", shape.iterations as i64);
    let layout = case.layout().unwrap();
    let mut memory = case.memory(&layout).unwrap();
    let done = case.execute(&layout, &mut memory, &mut NoopObserver);
    done.unwrap_or_else(|it| panic!("{it}\n{text}"));
    let options = Options { bulk: None, launch: Launch::Plain, prefetch: 1, standalone: false };
    let sizes = [Some(shape.iterations as i64)];
    let emission = codegen::emit(&case.program, options, &sizes).unwrap();
    let path = Path::new("warps.cu");
    let code = toolchain::compile(&emission.source, path, &CompileOptions::default())
        .unwrap_or_else(|it| panic!("{it}\n{}", emission.source));
    let module = sass::read(&code).unwrap();
    let kernel = &module.kernels[0];
    let cells = 3 * shape.iterations;
    let element = if shape.element.is_short_float() { "u16" } else { shape.element.word() };
    let given =
        [format!("b_=unwritten:{element}[{cells}]"), format!("votes_=unwritten:u64[{cells}]")];
    let plan = Plan {
        grid: "3".parse().unwrap(),
        block: shape.threads.to_string().parse().unwrap(),
        shared_bytes: 0,
        arguments: given.iter().map(|it| it.parse().unwrap()).collect(),
        constants: vec![],
        constant_types: vec![],
        seed: 0,
        sample: None,
        limit: 1 << 24,
        checks: true,
        traces: false,
    };
    let parameters = parameters(&emission.source, &emission.kernels[0].name);
    let done = execute(&module, kernel, parameters.as_deref(), &plan)
        .unwrap_or_else(|it| panic!("{it}\n{}", emission.source));
    for name in ["b", "votes"] {
        let found = done.array(done.parameter(&format!("{name}_")).unwrap()).unwrap();
        assert_eq!(
            found.0,
            expected(&case, &layout, &memory, name),
            "{name}\n{text}\n{}",
            emission.source
        );
    }
}

fn expected(case: &Case, layout: &Layout, memory: &Memory, name: &str) -> Vec<u8> {
    let id = case.program.array_named(name).unwrap();
    let bytes = case.program.arrays[id.0].element.bits() as usize / 8;
    let values = memory.values(layout, id, 0);
    values.iter().flat_map(|it| it.unwrap().to_le_bytes()[..bytes].to_vec()).collect()
}

#[test]
#[ignore = "needs NVRTC"]
fn emitted_code_gives_the_bits_of_a_run() {
    let types = Type::ALL.into_iter().filter(|it| *it != Type::Bool);
    let shapes = [(32, 32), (64, 128), (96, 64), (48, 48), (64, 100), (40, 130)];
    let mut rng = ChaCha8Rng::seed_from_u64(58);
    let rounds = crate::cases(40).cases as usize;
    for element in std::iter::repeat_n(types, rounds.max(1)).flatten() {
        let (threads, iterations) = shapes[rng.random_range(0..shapes.len())];
        let shape = Shape { element, threads, iterations };
        agree(&listing(&mut rng, &shape), &shape);
    }
}

#[test]
fn code_has_the_words_of_cuda() {
    let text = "algorithm words(n)\ninput a[n] : f32\noutput b[n] : f32\n\n\
                for k ← 0 to n/64-1 do in parallel on DMMs with 64 threads\n  \
                for i ← 0 to 63 do in parallel\n    x ← a[64 × k + i]\n    \
                b[64 × k + i] ← x + shuffle_up(x, 1) + reduce_sum(x) + f32(popcount(ballot(x > 0)))\n";
    let it = folder(&[("words.alg", text)]);
    let code = crate::support::succeeds(it.path(), "cuda words.alg --set n=128");
    for word in [
        "const unsigned warp = warp_lanes(",
        "warp_shuffle_up(warp, x_, 1)",
        "return __shfl_up_sync(warp, bits, by);",
        "warp_reduce(warp, x_, [](float x, float y) { return x + y; })",
        "__ballot_sync(warp, x_ > 0.0f)",
    ] {
        assert!(code.contains(word), "{word}\n{code}");
    }
    let walked = text.replace("for i ← 0 to 63 do", "for j ← 0 to 3 do in parallel\n    for m ← 0 to j × j do in parallel\n      for i ← 0 to m do");
    let walked = walked.replace("    x ← a", "        x ← a").replace("    b[", "        b[");
    let it = folder(&[("walked.alg", &walked)]);
    let message = fails(it.path(), "cuda walked.alg --set n=128");
    assert!(message.contains("in loops whose rows have no formula"), "{message}");
}
