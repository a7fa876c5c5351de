//! Compiled by NVRTC, without a GPU.

use std::collections::BTreeSet;

use memory_machine::gpu::nvrtc::{self, Architecture};

use super::{all_shipped, emitted, emitted_for, is_tried_in_full, listing, ways};

/// Volta, Ampere, Hopper and Blackwell, as far as this NVRTC knows them; newer ones have dropped
/// Volta.
pub(crate) fn architectures() -> Vec<Architecture> {
    let known = nvrtc::architectures().unwrap();
    let wanted = [70, 80, 90, 100].map(Architecture);
    let here: Vec<_> = wanted.into_iter().filter(|it| known.contains(it)).collect();
    assert!(here.contains(&Architecture(80)) && here.contains(&Architecture(90)), "{known:?}");
    here
}

/// The same for one source after another, by turns: little depends on the architecture, and there is no
/// time for all of them.
pub(crate) fn by_turns() -> impl Iterator<Item = Architecture> {
    architectures().into_iter().cycle()
}

pub(crate) fn compile(source: &str, architectures: &[Architecture]) {
    for &architecture in architectures {
        if let Err(error) = nvrtc::compile(source, architecture) {
            panic!("{error}\n{source}");
        }
    }
}

/// Compiles what was emitted, without a word from the compiler.
pub(super) fn compile_quietly(source: &str, architecture: Architecture) {
    let remarks = nvrtc::remarks(source, architecture).unwrap_or_else(|error| error.to_string());
    // Some versions of NVRTC say so of Volta.
    let is_of_source = |line: &&str| !line.starts_with("nvrtc: warning: Architectures prior to");
    let remarks: String = remarks.lines().filter(is_of_source).collect();
    assert!(remarks.is_empty(), "{remarks}\n{source}");
}

#[test]
#[ignore = "needs NVRTC"]
fn every_emitted_kernel_compiles() {
    let mut sources = BTreeSet::new();
    for (turn, program) in all_shipped().enumerate() {
        let ways = ways(&program);
        let options = ways[turn % ways.len()];
        if is_tried_in_full(&program) {
            sources.extend(ways.iter().map(|it| emitted(&program, *it).source));
            sources.insert(emitted_for(&program, options, 64).source);
        } else {
            sources.insert(emitted(&program, options).source);
        }
    }
    for (source, architecture) in sources.iter().zip(by_turns()) {
        compile_quietly(source, architecture);
    }
}

#[test]
#[ignore = "needs NVRTC, and takes minutes"]
fn every_kernel_compiles_in_every_way() {
    let mut sources = BTreeSet::new();
    for program in all_shipped() {
        for options in ways(&program) {
            sources.insert(emitted(&program, options).source);
            sources.insert(emitted_for(&program, options, 64).source);
        }
    }
    let architectures = architectures();
    let pairs = sources.iter().flat_map(|source| architectures.iter().map(move |it| (source, *it)));
    // No multiple of the architectures, so that each has its turn.
    for (source, architecture) in crate::few(pairs, 33) {
        compile_quietly(source, architecture);
    }
}

/// Names that mean something to C++, CUDA, its headers or the emitter itself.
pub(super) const NAMES: &[&str] = &[
    "log",
    "exp",
    "pow",
    "floor",
    "free",
    "printf",
    "NULL",
    "linux",
    "unix",
    "EOF",
    "stdin",
    "main",
    "int",
    "this",
    "p",
    "first",
    "number",
    "i_last",
    "x_",
    "_x",
    "__global_",
    "__LINE_",
    "u_x_u",
    "blockIdx",
    "float4",
    "round",
    "arrived",
    "grid_barrier",
    "run",
    "seed",
    "cells",
    "Random",
];

/// A listing in which three names mean whatever a listing can name; with and without nests.
pub(super) fn named([a, b, c]: [&str; 3], parallel: bool) -> String {
    let parallel = if parallel { " in parallel" } else { "" };
    format!(
        "algorithm {a}({b})\ninout {a}[{b}] : f32\noutput {c}[{b}] : f32\n\
         function {a}{c}(x_2) = x_2 × x_2\n\nx ← 1\n{c}:\n  \
         for {a}_{b} ← 0 to {b}-1 do{parallel}\n    {c}_{a} ← {a}[{a}_{b}]\n    \
         {c}[{a}_{b}] ← {a}{c}({c}_{a}) + x\n    {a}[{a}_{b}] ← {a}{c}({c}_{a})\n"
    )
}

#[test]
#[ignore = "needs NVRTC"]
fn any_name_compiles() {
    for (at, &name) in NAMES.iter().enumerate() {
        let others = [1, 2].map(|it| NAMES[(at + it) % NAMES.len()]);
        for parallel in [false, true] {
            let program = listing(&named([name, others[0], others[1]], parallel));
            let ways = ways(&program).into_iter().filter(|it| it.prefetch > 1).collect::<Vec<_>>();
            let options = ways[at % ways.len()];
            compile_quietly(&emitted(&program, options).source, Architecture(70));
        }
    }
}

#[test]
#[ignore = "needs NVRTC"]
fn what_nobody_uses_is_not_remarked() {
    for parallel in ["", " in parallel"] {
        let program = listing(&format!(
            "algorithm idle(n)\ninout a[n] : f32\nfunction f(u, v) = 2 × u\n\nw ← 3\n\
             for i ← 0 to n-1 do{parallel}\n  for j ← 0 to 3 do{parallel}\n    x ← 5\n    \
             y ← a[0]\n    z ← a[i] + 1\n    a[i] ← f(y, a[i])\n",
        ));
        for options in ways(&program) {
            compile_quietly(&emitted(&program, options).source, Architecture(90));
        }
    }
}

/// What follows is no code: in the text of a listing stands whatever ends a line somewhere.
#[test]
#[ignore = "needs NVRTC"]
fn no_comment_becomes_code() {
    let mut comments: Vec<String> =
        ["\r", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}", "\u{202e}"]
            .map(|it| format!("// harmless{it}#error not harmless"))
            .to_vec();
    comments.extend(["// path C:\\", "// what??/", "// C:\\ \t"].map(str::to_owned));
    for comment in comments {
        let text = format!(
            "algorithm f(n) {comment}\ninout a[n] : f32\n\na[0] ← a[0] + 1 {comment}\n{comment}\n"
        );
        let source = emitted(&listing(&text), ways(&listing(&text))[0]).source;
        compile_quietly(&source, Architecture(70));
        let hidden =
            |it: char| it.is_control() && it != '\n' || "\u{2028}\u{2029}\u{202e}".contains(it);
        assert!(!source.chars().any(hidden), "{source:?}");
        assert!(source.lines().all(|it| !it.ends_with('\\') && !it.ends_with("??/")), "{source}");
    }
}

#[test]
#[ignore = "needs NVRTC"]
fn every_written_kernel_compiles() {
    let architectures = architectures();
    let folder = crate::support::root().join("kernels");
    let mut found = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|it| it == "cu") {
            let source = std::fs::read_to_string(path).unwrap();
            // The barrier of a grid is written once, by the emitter.
            let barrier = if source.contains("grid_barrier") {
                memory_machine::codegen::grid_barrier()
            } else {
                String::new()
            };
            compile(&(barrier + &source), &architectures);
            found += 1;
        }
    }
    assert!(found > 0);
}

/// Everything that the language has, so that no operator lacks its C++.
pub(crate) const EVERYTHING: &str = "\
algorithm everything(n, k = 3)
input f[n] : f32
input d[n] : f64
input i[n] : i32
input u[n] : u32
input l[n] : i64
input q[n] : bool
output rf[n] : f32
output rd[n] : f64
output ri[n, n] : i32
output ru[n] : u32
output rl[n, 2, 3] : i64
output rq[n] : bool
function square(x) = x × x
function between(x, low, high) = min(max(x, low), high)

floats:
  for t ← 0 to n-1 do in parallel
    x ← f[t] × f[t] + f[t] / (f[t] + 1.5) - sqrt(abs(f[t]))
    if x < 0.25 or (x > 2.5 and f[t] ≠ 0.5) then x ← -x
    rf[t] ← if x ≥ 1 then x else min(x, +∞)
    rd[t] ← square(d[t]) + between(d[t], -1.0, 1.0) + x
integers:
  for for_ ← n-1 downto 0 do in parallel
    a ← i[for_] × i[for_] + 7
    b ← (a << 3) xor (a >> 1) xor (a << i[for_]) xor (a >> for_ - n)
    ri[for_, n-1-for_] ← b mod 5 + a / 3 - (b & 12 | 3)
    ru[for_] ← u[for_] × u[for_] + u[for_] / 3 mod 7 + (u[for_] << a) - (u[for_] >> 32 - for_)
    y ← l[for_] × l[for_] × l[for_] xor (1 << for_) xor (l[for_] >> i[for_] - 50)
    while y > 1000 or y < -1000 do
      y ← y / 2
    for z ← 0 to 2 do
      rl[for_, 1, z] ← y + z
    rq[for_] ← not q[for_] and y > 3
";

#[test]
#[ignore = "needs NVRTC"]
fn every_operator_compiles() {
    let program = listing(EVERYTHING);
    for (options, architecture) in ways(&program).into_iter().zip(by_turns()) {
        compile(&emitted(&program, options).source, &[architecture]);
    }
}

#[test]
#[ignore = "needs NVRTC"]
fn a_mistake_brings_the_compilers_words() {
    let error = nvrtc::compile("__global__ void f() { nonsense(); }", Architecture(90));
    let message = error.unwrap_err().to_string();
    assert!(message.contains("sm_90") && message.contains("nonsense"), "{message}");
    let error = nvrtc::compile("", Architecture(35)).unwrap_err().to_string();
    assert!(error.contains("does not know sm_35; it compiles for sm_"), "{error}");
}
