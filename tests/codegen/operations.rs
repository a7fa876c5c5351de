//! Operations and functions of the language: emitted code computes the same bits as a run. What is
//! computed is mixed into numbers below 2³¹, which standalone programs print exactly.

use memory_machine::language::program::Program;
use memory_machine::language::syntax::Type;
use memory_machine::run::layout::Arrangement;

use super::compile::{by_turns, compile_quietly};
use super::standalone::check;
use super::{emitted, listing, ways};

const MATHEMATICS: &str = "\
algorithm mathematics(n)
input a[n] : f64
output b[n, 9] : i64
output c[n] : f32
function mixed(h, x) = (h × 31 + i64((x - ⌊x⌋) × 2^50) + ⌊x⌋ mod 1_000) mod 2_147_483_647

for i ← 0 to n-1 do
  x ← (a[i] - 0.5) × 2.0^(i mod 40 - 8)
";

/// Every function, of numbers of all sizes.
fn mathematics() -> Program {
    let functions = [
        "sin(x)",
        "cos(x)",
        "tan(x) / 2^10",
        "exp(x / 2^10)",
        "log(y)",
        "log2(y)",
        "atan2(x, y - 1)",
        "y^(x / 2^12)",
        "(x / 2^10)^(i mod 7 - 3) / 2^20",
    ];
    let count = functions.len();
    let mut text = MATHEMATICS.to_owned();
    for function in 0..count {
        text += &format!("  h{function} ← 0\n");
    }
    text += "  for j ← 0 to 50 do\n    x ← x × -1.03 + f64(j) / 64\n    y ← abs(x) + 2^-1000.5\n";
    for (number, function) in functions.iter().enumerate() {
        text += &format!("    h{number} ← mixed(h{number}, {function})\n");
    }
    for number in 0..count {
        text += &format!("  b[i, {number}] ← h{number}\n");
    }
    text += "  c[i] ← sin(f32(x)) + exp(f32(a[i])) + f32(a[i])^3 + atan2(f32(x), 0.5)\n";
    listing(&text)
}

const INTEGERS: &str = "\
algorithm integers(n)
constant K[8] : u32 = 0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5,
                      0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5
constant W[3] : f32 = 0.25, -1.5, ∞
constant T[2] : bool = true, false
constant multiplier = 6_364_136_223_846_793_005
input a[n] : u32
output b[n] : u32
output c[n] : u64
output d[n] : i64
output e[n] : f32
output f[n] : i32

for i ← 0 to n-1 do
  h : u32 ← a[i] × 2_654_435_761
  s : u64 ← i
  t : i64 ← i - 5
  k : i32 ← i - 7
  for r ← 0 to 63 do
    h ← rotl(h xor K[r mod 8], r) + rotr(h, i - r) + mulhi(h, K[i mod 8]) + popcount(h) + clz(h)
    s ← s × multiplier + 0xFFFF_FFFF_FFFF_FFF1 - s / (h | 1) + s mod 1_000_003 + rotl(s, r) - rotr(s, i)
    s ← (s xor s >> 33) + mulhi(s, multiplier) + (s << r) + popcount(s) × clz(s) + u64(h) - max(s, u64(i))
    t ← t × 3 + i64(s >> 1) + rotl(t, r) + mulhi(t, -multiplier) + popcount(t) - clz(t) + t^3
    k ← (k xor i32(h >> 1)) + rotr(k, r) + mulhi(k, 2_000_000_011) + popcount(k) + clz(k) + k^2
  b[i] ← h & 0xFFFFFF
  c[i] ← s mod 2_147_483_647
  d[i] ← t mod 2_147_483_647
  e[i] ← min(W[i mod 3], f32(s >> 40)) + (if T[i mod 2] then 1 else 2)
  f[i] ← k mod 16_777_216 + ⌊log₂ (i + 1)⌋ + ⌈log₂ (i + 1)⌉
";

const CONTROL: &str = "\
algorithm control(n)
input a[n] : i64
inout m[n, 4] : i64
output o[n] : i64

procedure total(z[k], most) → s, count
  s, count ← 0, 0
  for j ← 0 to k-1 do
    if s > most then break
    s ← s + z[j]
    count ← count + 1

for i ← 0 to n-1 do
  m[i, 0] ↔ m[i, 3]
  s, c ← total(m[i, 1 .. 3], 60)
  x, y ← s + 1, a[i] + 2
  repeat
    x, y ← y, x mod y
    if x > 100 then break
  until y = 0
  o[i] ← x × 1000 + c
";

/// Every operator and function of a narrow type, with wrapping, and conversions from and to it.
fn narrow() -> Program {
    let mut text = "algorithm narrow(n)\ninput a[n] : i64\n".to_owned();
    let narrow = Type::ALL.into_iter().filter(|it| it.is_narrow()).map(Type::word);
    for element in narrow.clone() {
        text += &format!("input x{element}[n] : {element}\noutput y{element}[n] : {element}\n");
        text += &format!("constant K{element}[3] : {element} = 3, 100, 127\n");
    }
    text += "output s[n] : i64\noutput f[n] : f32\n\nfor i ← 0 to n-1 do\n  t : i64 ← 0\n  g ← f32(0)\n";
    for (number, element) in narrow.enumerate() {
        let v = format!("v{number}");
        text += &format!(
            "  {v} : {element} ← {element}(a[i] & 127) xor x{element}[i]
  for r ← 0 to 20 do
    {v} ← {v} × K{element}[r mod 3] + x{element}[i] - ({v} << r) + ({v} >> 1) - ({v} >> r + 5)
    {v} ← rotl({v}, r) + rotr({v} + 77, i) xor mulhi({v}, {v} + 99) | popcount({v}) & ~clz({v})
    {v} ← {v} - {v} / (x{element}[i] | 1) + {v} mod (x{element}[i] | 3) + {v}^3 - {v} << 2
    {v} ← max({v}, 5) + min({v}, x{element}[i]) + (if {v} > 9 then 1 else {v}) + abs({v}) - -{v}
    {v} ← {v} + {element}(f64({v}) × 1.5) + {element}(f32({v}) - 60.5) + min({v}, if i > 3 then 3 else 4)
    t ← t × 5 + {v} + min(t, i64({v}))
    g ← g / 3 + f32({v})
  y{element}[i] ← {v}
"
        );
    }
    listing(&(text + "  s[i] ← t mod 2_147_483_647\n  f[i] ← g\n"))
}

/// Floats of 16 bits: constants, a table, random inputs, neighbours, and all that is computed of them.
fn short() -> String {
    let mut text = "algorithm short(n)\n".to_owned();
    for element in ["f16", "bf16"] {
        text += &format!(
            "input a{element}[4 × n] : {element}\noutput b{element}[4 × n] : {element}\n\
             constant K{element}[4] : {element} = 0.1, -3, inf, 70000\n"
        );
    }
    text += "output s[n] : f32\n\nfor i ← 0 to n-1 do\n  r ← f32(0)\n";
    for element in ["f16", "bf16"] {
        let v = format!("v{element}");
        text += &format!(
            "  {v} ← a{element}[i] - 0.5
  for k ← 0 to 3 do
    {v} ← {v} × {v} + K{element}[(i + k) mod 2] / ({v} - 3) - sqrt(abs({v}))
    {v} ← min(max(-{v}, sin({v})), exp({v})) + {v}^2 + (if {v} < 0 then {element}(i) else {v})
    {v} ← {v} + {element}(f64({v}) × 1.5) - {element}(i32({v})) + ⌊{v} / 3⌋ + atan2({v}, 2)
    {v} ← {v} / {element}(2^(k + 7)) × K{element}[1]
    r ← r + {v} × f32(0.25)
  b{element}[4*i : 4*i+3] ← a{element}[4*i : 4*i+3] × {v} + K{element}[0]
"
        );
    }
    text + "  s[i] ← r\n"
}

/// What C++ takes for an int, where a value of each type is expected: each operation that is written as
/// a call, of every two types, with numbers that are chosen while the program runs.
fn mixed() -> Program {
    let types = Type::ALL.into_iter().filter(|it| *it != Type::Bool).map(Type::word);
    let mut text = "algorithm mixed(n)\ninput a[n] : i64\noutput b[n] : f64\n\n\
                    for i ← 0 to n-1 do\n  h ← f64(0)\n"
        .to_owned();
    for (number, element) in types.clone().enumerate() {
        text += &format!("  x{number} ← {element}(a[i] / (i + {number} + 1))\n");
    }
    for (number, element) in types.clone().enumerate() {
        let x = format!("x{number}");
        let choice = "(if a[i] > 50 then 2 else 1)";
        let mut all = vec![
            format!("{x} + {choice}"),
            format!("{choice} - {x}"),
            format!("{choice} × {x}"),
            format!("min({x}, {choice})"),
            format!("max({choice}, {x})"),
            format!("{x} / {choice}"),
            format!("{choice} + {choice} × 3 + {x}"),
            format!("abs({choice}) + -{choice} + {x}"),
        ];
        if !element.starts_with('f') && element != "bf16" {
            let calls = ["mod", "<<", ">>", "&", "|", "xor", "^"];
            all.extend(calls.map(|sign| format!("{x} {sign} {choice}")));
            let calls = ["rotl", "rotr", "mulhi", "pow"];
            all.extend(calls.map(|function| format!("{function}({choice}, {x} & 7)")));
            all.extend(calls.map(|function| format!("min({function}({x}, {choice}), {choice})")));
            all.push(format!("{choice} << {x} mod 8"));
            all.push(format!("{choice} xor popcount({x}) | min(clz({x}), {choice}) & ~clz({x})"));
        }
        for (other, _) in types.clone().enumerate() {
            let y = format!("x{other}");
            all.push(format!("min({x}, {y}) + max({choice}, {y}) - ({x} + {y} × {choice})"));
        }
        for value in all {
            text += &format!("  h ← h / 2 + f64({value})\n");
        }
    }
    // In 64 bits, although each number fits 32.
    text +=
        "  t ← (if a[i] > 50 then 2_000_000_000 else 3) + (if i > 2 then 2_000_000_000 else 4)\n";
    text += "  t ← t + 2_000_000_000 × 2_000_000_000 + i mod (if i > 2 then 5 else 7)\n";
    text += "  b[i] ← h + f64(t)\n";
    listing(&text)
}

/// Sequential, as one thread of a bulk run, and with each iteration a thread.
fn agrees(program: &Program, parallel: &Program) {
    check(program, None, &[40]);
    check(program, Some(Arrangement::ColumnWise), &[9]);
    check(parallel, None, &[40]);
}

/// In one way: what differs lies in the expressions.
fn agrees_once(program: &Program) {
    check(program, None, &[12]);
}

fn in_parallel(program: &Program) -> Program {
    listing(&program.source.text.replacen("n-1 do", "n-1 do in parallel", 1))
}

#[test]
fn mathematics_are_the_same_on_both() {
    let program = mathematics();
    agrees(&program, &in_parallel(&program));
}

#[test]
fn integers_and_tables_are_the_same_on_both() {
    let program = listing(INTEGERS);
    agrees(&program, &in_parallel(&program));
}

#[test]
fn narrow_integers_are_the_same_on_both() {
    agrees_once(&narrow());
}

#[test]
fn floats_of_16_bits_are_the_same_on_both() {
    check(&listing(&short()), None, &[40]);
}

#[test]
fn numbers_take_the_type_that_they_meet_on_both() {
    agrees_once(&mixed());
}

#[test]
fn loops_that_are_left_end_alike_on_both() {
    let program = listing(CONTROL);
    agrees(&program, &in_parallel(&program));
}

#[test]
#[ignore = "needs NVRTC"]
fn all_of_them_compile() {
    let of_loops = [mathematics(), listing(INTEGERS), listing(CONTROL)];
    for program in of_loops.iter().flat_map(|it| [it.clone(), in_parallel(it)]) {
        for (options, architecture) in ways(&program).into_iter().zip(by_turns()) {
            compile_quietly(&emitted(&program, options).source, architecture);
        }
    }
    for (program, architecture) in [narrow(), mixed(), listing(&short())].iter().zip(by_turns()) {
        compile_quietly(&emitted(program, ways(program)[0]).source, architecture);
    }
}
