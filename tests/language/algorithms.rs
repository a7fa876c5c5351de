//! Algorithms that papers and standards print, against their published values.

use memory_machine::diagnostic::Source;
use memory_machine::language;
use memory_machine::run::layout::Layout;
use memory_machine::run::memory::Memory;
use memory_machine::run::{Limits, NoopObserver, execute};
use memory_machine::units::{Threads, Width};

/// What an array holds after a run, in which the first given array holds `given`.
fn output(text: &str, n: i64, given: &[u64], array: &str) -> Vec<u64> {
    let source = Source { name: "t.alg".to_owned(), text: text.to_owned() };
    let program = language::load(source).unwrap_or_else(|error| panic!("{error}"));
    let value = |name: &str| (name == "n").then_some(n);
    let layout = Layout::new(&program, value, Width::new(4).unwrap(), None).unwrap();
    let mut memory = Memory::new(&layout).unwrap();
    if let Some(id) = memory_machine::run::memory::given(&program).next() {
        memory.fill(&layout, id, 0, given);
    }
    let limits = Limits::new(Threads::new(4).unwrap(), 100_000);
    execute(&program, &layout, &mut memory, limits, &mut NoopObserver)
        .unwrap_or_else(|error| panic!("{error}"));
    let id = program.array_named(array).unwrap();
    memory.values(&layout, id, 0).into_iter().flatten().collect()
}

/// FIPS 180-4: one block, `abc`.
#[test]
fn sha_256() {
    let text = "\
algorithm sha256(n = 64)
constant K[64] : u32 = 0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
                       0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
                       0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
                       0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
                       0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
                       0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
                       0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
                       0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
constant start[8] : u32 = 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
input m[16] : u32
work w[n] : u32
output d[8] : u32
function sum0(x) = rotr(x, 2) xor rotr(x, 13) xor rotr(x, 22)
function sum1(x) = rotr(x, 6) xor rotr(x, 11) xor rotr(x, 25)
function sigma0(x) = rotr(x, 7) xor rotr(x, 18) xor x >> 3
function sigma1(x) = rotr(x, 17) xor rotr(x, 19) xor x >> 10
function choose(x, y, z) = x & y xor ~x & z
function majority(x, y, z) = x & y xor x & z xor y & z

for t ← 0 to 15 do w[t] ← m[t]
for t ← 16 to n-1 do
  w[t] ← sigma1(w[t-2]) + w[t-7] + sigma0(w[t-15]) + w[t-16]
a, b, c, d0 ← start[0], start[1], start[2], start[3]
e, f, g, h ← start[4], start[5], start[6], start[7]
for t ← 0 to n-1 do
  first : u32 ← h + sum1(e) + choose(e, f, g) + K[t] + w[t]
  second : u32 ← sum0(a) + majority(a, b, c)
  a, b, c, d0, e, f, g, h ← first + second, a, b, c, d0 + first, e, f, g
d[0], d[1], d[2], d[3] ← a + start[0], b + start[1], c + start[2], d0 + start[3]
d[4], d[5], d[6], d[7] ← e + start[4], f + start[5], g + start[6], h + start[7]
";
    let mut block = [0; 16];
    (block[0], block[15]) = (0x6162_6380, 24);
    let wanted = [
        0xba78_16bf,
        0x8f01_cfea,
        0x4141_40de,
        0x5dae_2223,
        0xb003_61a3,
        0x9617_7a9c,
        0xb410_ff61,
        0xf200_15ad,
    ];
    assert_eq!(output(text, 64, &block, "d"), wanted);
}

/// Matsumoto and Nishimura 1998: the first numbers of seed 5489.
#[test]
fn mersenne_twister() {
    let text = "\
algorithm mt19937(n)
constant mag01[2] : u32 = 0, 0x9908_b0df
inout s[1] : u32
work state[624] : u32
output o[n] : u32
procedure refill(x[k])
  for i ← 0 to k-1 do
    y : u32 ← x[i] & 0x8000_0000 | x[(i + 1) mod k] & 0x7fff_ffff
    x[i] ← x[(i + 397) mod k] xor y >> 1 xor mag01[y & 1]

state[0] ← s[0]
for i ← 1 to 623 do
  state[i] ← 1_812_433_253 × (state[i-1] xor state[i-1] >> 30) + u32(i)
refill(state)
for i ← 0 to n-1 do
  y : u32 ← state[i]
  y ← y xor y >> 11
  y ← y xor y << 7 & 0x9d2c_5680
  y ← y xor y << 15 & 0xefc6_0000
  o[i] ← y xor y >> 18
";
    assert_eq!(output(text, 3, &[5489], "o"), [3_499_211_612, 581_869_302, 3_890_346_734]);
}

/// Knuth's MMIX generator, and Vigna's xorshift64*.
#[test]
fn generators_of_64_bits() {
    let text = "\
algorithm generators(n)
input seed[1] : u64
output o[2] : u64

s : u64 ← seed[0]
for i ← 1 to n do
  s ← s × 6364136223846793005 + 1442695040888963407
o[0] ← s
s ← seed[0]
for i ← 1 to n / 10 do
  s ← s xor s >> 12
  s ← s xor s << 25
  s ← s xor s >> 27
o[1] ← s × 2685821657736338717
";
    assert_eq!(output(text, 1000, &[1], "o"), [17660865281050590889, 15161545059816271271]);
}

/// One step of Montgomery's multiplication with R = 2³², by the upper halves of products.
#[test]
fn montgomery_multiplication() {
    let text = "\
algorithm montgomery(n)
constant inverse : u32 = 3435973837              // −1/N modulo R
input x[2] : u32
output p[1] : u32

m : u32 ← x[0] × x[1] × inverse
carry ← if x[0] × x[1] ≠ 0 then 1 else 0
t : u64 ← u64(mulhi(x[0], x[1])) + mulhi(m, u32(n)) + carry
p[0] ← if t ≥ n then t - n else t
";
    assert_eq!(output(text, 4294967291, &[123456789, 3987654321], "p"), [48733817]);
}

/// Cooley and Tukey's transform: of a shifted unit the powers of a root of unity.
#[test]
fn fast_fourier_transform() {
    let text = "\
algorithm fft(n)
inout x[n, 2] : f64

bits ← ⌈log₂ n⌉
for i ← 0 to n-1 do
  j ← 0
  for b ← 0 to bits-1 do
    j ← 2 × j + (i >> b & 1)
  if i < j then
    x[i, 0] ↔ x[j, 0]
    x[i, 1] ↔ x[j, 1]
for s ← 1 to bits do
  half ← 2^(s-1)
  for k ← 0 to n / 2 - 1 do in parallel
    j ← k mod half
    low ← k / half × 2 × half + j
    re, im ← cos(π × j / half), -sin(π × j / half)
    a, b ← x[low + half, 0], x[low + half, 1]
    a, b ← a × re - b × im, a × im + b × re
    u, v ← x[low, 0], x[low, 1]
    x[low, 0], x[low, 1] ← u + a, v + b
    x[low + half, 0], x[low + half, 1] ← u - a, v - b
";
    let n = 16_usize;
    let mut given = vec![0; 2 * n];
    given[2] = 1_f64.to_bits();
    let found = output(text, n as i64, &given, "x");
    for k in 0..n {
        let angle = -std::f64::consts::TAU * k as f64 / n as f64;
        for (part, wanted) in [angle.cos(), angle.sin()].into_iter().enumerate() {
            let found = f64::from_bits(found[2 * k + part]);
            assert!((found - wanted).abs() < 4e-15, "{k} {part}: {found} {wanted}");
        }
    }
}
