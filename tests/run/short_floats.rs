//! f16 and bf16: every operation gives the nearest number, found among all of them.

use memory_machine::diagnostic::Source;
use memory_machine::language;
use memory_machine::language::syntax::Type;
use memory_machine::run::layout::Layout;
use memory_machine::run::memory::{Memory, number};
use memory_machine::run::{Limits, NoopObserver, execute};
use memory_machine::units::{Threads, Width};
use rand::{RngExt, SeedableRng};

/// What is computed of x and y, and what that is.
type Operation = (&'static str, fn(f64, f64) -> f64);

const OPERATIONS: [Operation; 9] = [
    ("x + y", |x, y| x + y),
    ("x - y", |x, y| x - y),
    ("x × y", |x, y| x * y),
    ("x / y", |x, y| x / y),
    ("min(x, y)", |x, y| if y < x { y } else { x }),
    ("max(x, y)", |x, y| if y > x { y } else { x }),
    ("sqrt(abs(x))", |x, _| x.abs().sqrt()),
    ("-x", |x, _| -x),
    ("if x < y then y else x^2", |x, y| if x < y { y } else { x * x }),
];

/// All numbers of a type from 0 up, without infinity.
fn numbers(element: Type) -> Vec<f64> {
    let infinite = if element == Type::F16 { 0x7c00 } else { 0x7f80 };
    (0..infinite).map(|bits| number(element, bits)).collect()
}

/// The bits of the number that is nearest, of two the even one.
fn nearest(numbers: &[f64], exact: f64) -> u64 {
    if exact.is_nan() {
        return 0x7fff;
    }
    let sign = if exact.is_sign_negative() { 0x8000 } else { 0 };
    let (above, magnitude) = (numbers.partition_point(|it| *it < exact.abs()), exact.abs());
    let last = numbers.len() - 1;
    let value = |at: usize| match at > last {
        true => 2.0 * numbers[last] - numbers[last - 1],
        false => numbers[at],
    };
    let bits = match above {
        0 => 0,
        _ if magnitude > value(last + 1) => last + 1,
        _ => {
            let (down, up) = (magnitude - value(above - 1), value(above) - magnitude);
            if down < up || (down == up && above % 2 == 1) { above - 1 } else { above }
        }
    };
    sign | bits as u64
}

#[test]
fn operations_give_the_nearest_number() {
    for element in [Type::F16, Type::Bf16] {
        let word = element.word();
        let mut text = format!(
            "algorithm short(n)\ninput a[n] : {word}\ninput b[n] : {word}\noutput w[n] : f32\n\
             output s[n] : {word}\noutput k[n] : i32\n"
        );
        for at in 0..OPERATIONS.len() {
            text += &format!("output c{at}[n] : {word}\n");
        }
        text += "\nfor i ← 0 to n-1 do in parallel\n  x, y ← a[i], b[i]\n  w[i] ← x\n  s[i] ← \
                 {word}(f32(x) / 3)\n  k[i] ← i32(x)\n"
            .replace("{word}", word)
            .as_str();
        for (at, (operation, _)) in OPERATIONS.iter().enumerate() {
            text += &format!("  c{at}[i] ← {operation}\n");
        }
        let source = Source { name: "short.alg".to_owned(), text };
        let program = language::load(source).unwrap_or_else(|error| panic!("{error}"));
        let n = if crate::is_thorough() { 200_000 } else { 2_000 };
        let layout = Layout::new(&program, |_| Some(n), Width::new(32).unwrap(), None).unwrap();
        let mut memory = Memory::new(&layout).unwrap();
        let mut rng = chacha20::ChaCha8Rng::seed_from_u64(1);
        let array = |name: &str| program.array_named(name).unwrap();
        for name in ["a", "b"] {
            let bits: Vec<u64> = (0..n).map(|_| rng.random_range(0..1 << 16_u64)).collect();
            memory.fill(&layout, array(name), 0, &bits);
        }
        let limits = Limits::new(Threads::new(64).unwrap(), 10);
        execute(&program, &layout, &mut memory, limits, &mut NoopObserver).unwrap();
        let words = |name: &str| -> Vec<u64> {
            memory.words(&layout, array(name)).map(Option::unwrap).collect()
        };
        let all = numbers(element);
        let (a, b) = (words("a"), words("b"));
        let pairs = a.iter().zip(&b).map(|(x, y)| (number(element, *x), number(element, *y)));
        for (at, (operation, of)) in OPERATIONS.iter().enumerate() {
            for ((x, y), found) in pairs.clone().zip(words(&format!("c{at}"))) {
                // Of bf16 there are sums that no double holds: rounded to a float first.
                let exact = of(x, y);
                let wanted = match element {
                    Type::F16 => nearest(&all, exact),
                    _ => nearest(&all, f64::from(exact as f32)),
                };
                assert_eq!(found, wanted, "{word} {operation}: x = {x}, y = {y}");
            }
        }
        for ((x, _), (third, whole)) in pairs.zip(words("s").into_iter().zip(words("k"))) {
            assert_eq!(third, nearest(&all, f64::from(x as f32 / 3.0)), "{word}: {x}");
            assert_eq!(whole as i64, i64::from(x as i32), "{word}: {x}");
        }
    }
}

#[test]
fn inputs_and_literals_are_rounded_once() {
    let it = crate::support::folder(&[
        (
            "half.alg",
            "algorithm half(n)\ninput a[n] : f16\noutput b[n] : f32\noutput c[n] : bf16\nanswer b[0]\n\
             constant t[2] : bf16 = 0.1, 3\n\nfor i ← 0 to n-1 do\n  b[i] ← a[i] + 0.1\n  c[i] ← t[0]\n",
        ),
        ("a.csv", "0.1,65504,-0.0000001,inf\n"),
        ("large.csv", "65520,0,0,0\n"),
    ]);
    let words = "run half.alg --input a=a.csv --output b=b.csv --output c=c.csv --json";
    // 0.1 is 0x2e66 = 0.0999755859375; twice that is 0.199951171875.
    assert_eq!(crate::support::json(it.path(), words)["answer"], 0.19995117);
    let read = |name: &str| std::fs::read_to_string(it.path().join(name)).unwrap();
    assert_eq!(read("b.csv").split_whitespace().nth(1), Some("65504"));
    assert!(read("c.csv").starts_with("0.100097656\n"), "{}", read("c.csv"));
    let message = crate::support::fails(it.path(), "run half.alg --input a=large.csv");
    assert!(message.contains("f16"), "{message}");
    for (line, says) in [("b[i] ← f32(0)\n  c[i] ← a[i]", "expected bf16, found f16")] {
        let text = format!(
            "algorithm two(n)\ninput a[n] : f16\noutput b[n] : f32\noutput c[n] : bf16\n\nfor i ← 0 to n-1 do\n  {line}\n"
        );
        std::fs::write(it.path().join("two.alg"), text).unwrap();
        let message = crate::support::fails(it.path(), "check two.alg");
        assert!(message.contains(says), "{message}");
    }
}
