//! Types, definite assignment and private scalars; operations on f16 and bf16, which give the nearest of
//! all numbers.

use memory_machine::diagnostic::Source;
use memory_machine::language;
use memory_machine::language::syntax::Type;
use memory_machine::run::layout::Layout;
use memory_machine::run::memory::{Memory, number};
use memory_machine::run::{Limits, NoopObserver, execute};
use memory_machine::units::{Threads, Width};
use rand::{RngExt, SeedableRng};

use super::statements::{load, output, refused, type_of};

#[test]
fn a_function_that_reads_an_array_is_told_so() {
    for body in ["a[i]", "a[i64(i)]", "i + a[0]", "if i > a[i] then 1 else 2"] {
        let text = format!(
            "algorithm t(n)\ninput a[n] : f32\noutput o[n] : f32\nfunction f(i) = {body}\n\no[0] ← f(n)\n"
        );
        let error = language::load(Source { name: "t.alg".into(), text }).expect_err(body);
        assert_eq!(error.diagnostic.message, "the function `f` reads an array", "{body}");
        let help = "functions are pure: pass the element as an argument";
        assert_eq!(error.diagnostic.help.as_deref(), Some(help));
    }
}

#[test]
fn types_are_inferred() {
    for (statements, element) in [
        ("s ← 1", Type::I64),
        ("s ← n", Type::I64),
        ("s ← 1.5", Type::F64),
        ("s ← +∞", Type::F64),
        ("s ← true", Type::Bool),
        ("s ← 1 < 2", Type::Bool),
        ("s ← a[0] < d[0] and q[0]", Type::Bool),
        ("s ← a[0]", Type::F32),
        ("s ← 0\nfor i ← 1 to 3 do s ← s + a[i]", Type::F32),
        ("s ← +∞\nfor i ← 1 to 3 do s ← min(s, a[i])", Type::F32),
        ("s ← +∞\nfor i ← 1 to 3 do s ← min(s, d[i])", Type::F64),
        ("s ← a[0] + d[0]", Type::F64),
        ("s ← a[0] + y[0]", Type::F32),
        ("s ← x[0]", Type::I32),
        ("s ← x[0] + 1", Type::I32),
        ("s ← x[0] + n", Type::I64),
        ("s ← x[0] + u[0]", Type::I64),
        ("s ← u[0] / 2", Type::U32),
        ("s ← 9223372036854775808", Type::U64),
        ("s ← u64(n) + n", Type::U64),
        ("s ← rotl(u[0], n)", Type::U32),
        ("s ← popcount(u[0])", Type::U32),
        ("s ← mulhi(u[0], 3)", Type::U32),
        ("s ← 2^n", Type::I64),
        ("s ← a[0]^2", Type::F32),
        ("s ← 2^a[0]", Type::F32),
        ("s ← sin(n)", Type::F64),
        ("s ← cos(a[0])", Type::F32),
        ("s ← atan2(1, a[0])", Type::F32),
        ("s ← ⌊a[0]⌋", Type::I64),
        ("s ← ⌈log₂ n⌉", Type::I64),
        ("s ← 2 × π × a[0]", Type::F32),
        ("s ← sqrt(n)", Type::F64),
        ("s ← sqrt(a[0])", Type::F32),
        ("s ← i32(a[0])", Type::I32),
        ("s ← if q[0] then 1 else 2.5", Type::F64),
        ("s ← if q[0] then x[0] else 2", Type::I32),
        ("s ← next(x[0])", Type::I32),
        ("s ← sum3(1, 2, a[0])", Type::F32),
        ("s ← x[0]\ns ← y[0]", Type::I64),
        ("s ← 1\ns ← a[0]\ns ← d[0]", Type::F64),
        // Round a loop: each pass widens one more.
        ("s ← 0\nr ← 0\nt ← 0\nfor i ← 0 to 3 do\n  s ← r\n  r ← t\n  t ← d[i]", Type::F64),
    ] {
        let program = load(statements).unwrap_or_else(|error| panic!("{error}\n{statements}"));
        assert_eq!(type_of(&program, "s"), element, "{statements}");
    }
}

/// A function that is checked for floats first and then for integers leaves nothing behind.
#[test]
fn checked_functions_leave_no_trace() {
    let program = load("s ← 1\nr ← 2\no[s] ← next(r)").unwrap();
    assert_eq!(type_of(&program, "s"), Type::I64);
    assert_eq!(type_of(&program, "r"), Type::I64);
    assert!(program.scalars.iter().all(|it| it.element != Type::F64));
}

#[test]
fn wrong_types_are_refused() {
    refused("a[0] ← d[0]", "expected f32, found f64");
    refused("x[0] ← a[0]", "expected i32, found f32");
    refused("x[0] ← 1.5", "expected i32");
    refused("x[0] ← 3000000000", "does not fit i32");
    refused("u[0] ← -1", "does not fit u32");
    refused("q[0] ← 1", "expected bool");
    refused("a[0] ← q[0]", "expected f32, found bool");
    refused("a[1.5] ← 1", "must be an integer");
    refused("a[a[0]] ← 1", "must be an integer");
    refused("if n then o[0] ← 1", "must be bool");
    refused("while 1 do o[0] ← 1", "must be bool");
    refused("s ← 1 and true", "do not mix");
    refused("s ← not 1", "expected bool");
    refused("s ← 1.5 mod 2", "takes integers");
    refused("s ← a[0] << 1", "takes integers");
    refused("s ← ~a[0]", "expected an integer");
    refused("s ← true + true", "takes numbers");
    refused("s ← true < false", "takes numbers");
    refused("s ← 1\ns ← true", "is an integer elsewhere, here it becomes bool");
    refused("s ← i32(true)", "cannot become i32");
    refused("for i ← 0 to 1.5 do o[0] ← 1", "must be an integer");
    refused("s ← a", "is an array");
    refused("s ← n[0]", "has no index");
    refused("s ← a[0, 0]", "1 dimension");
    refused("s ← odd(1, 2)", "takes 1 argument");
    refused("s ← odd", "is a function");
    refused("s ← missing(1)", "unknown function");
    refused("s ← sum3(1, q[0], 2)", "do not mix");
    refused("n ← 3", "cannot be assigned");
    refused("a ← 3", "is an array");
    refused("for i ← 0 to 3 do i ← 2", "loop variable");
    refused("for n ← 0 to 3 do o[0] ← 1", "already a parameter");
    refused("s ← 1\nfor s ← 0 to 3 do o[0] ← 1", "already a scalar");
    refused("for i ← 0 to 3 do\n  for i ← 0 to 3 do o[0] ← 1", "already the variable");
}

#[test]
fn scalars_are_assigned_before_they_are_read() {
    refused("o[0] ← s", "unknown name `s`");
    refused("if q[0] then s ← 1\no[0] ← s", "may be read before it is assigned");
    refused("for i ← 0 to n do s ← 1\no[0] ← s", "may be read before");
    refused("while q[0] do s ← 1\no[0] ← s", "may be read before");
    refused("for i ← 0 to 3 do\n  o[0] ← s\n  s ← 1", "unknown name `s`");
    refused("s ← s + 1", "unknown name `s`");
    refused("o[0] ← i\nfor i ← 0 to 3 do s ← 1", "unknown name `i`");
    refused("for i ← 0 to 3 do s ← 1\no[0] ← i", "unknown name `i`");
    load("if q[0] then s ← 1 else s ← 2\no[0] ← s").unwrap();
    load("if q[0] then\n  s ← 1\nelse\n  if q[1] then s ← 2 else s ← 3\no[0] ← s").unwrap();
    load("s ← 0\nwhile s < 3 do s ← s + 1\no[0] ← s").unwrap();
}

#[test]
fn scalars_of_parallel_loops_are_private() {
    let nest = "for i ← 0 to n-1 do in parallel\n";
    refused(&format!("s ← 0\n{nest}  s ← s + a[i]"), "may be read before it is assigned");
    refused(&format!("s ← 0\n{nest}  o[i] ← s\n  s ← 1"), "may be read before it is assigned");
    refused(&format!("{nest}  s ← 1\no[0] ← s"), "unknown name `s`");
    // The outer value is untouched.
    let statements = format!("s ← 7\n{nest}  s ← i\n  o[i] ← s\no[0] ← s");
    assert_eq!(output(&statements), [7.0, 1.0, 2.0, 3.0]);
    let statements = format!("s ← 7\n{nest}  o[i] ← s + i");
    assert_eq!(output(&statements), [7.0, 8.0, 9.0, 10.0]);
}

#[test]
fn misplaced_parallel_loops_are_refused() {
    let inner = "  for j ← 0 to n-1 do in parallel\n    o[j] ← 1";
    refused(&format!("for i ← 0 to 1 do in parallel\n  s ← 1\n{inner}"), "among other statements");
    refused(
        &format!(
            "for i ← 0 to 1 do in parallel\n  for k ← 0 to 1 do\n  {}",
            inner.replace('\n', "\n  ")
        ),
        "among other statements",
    );
    refused(
        "for i ← 0 to 1 do in parallel\n  for j ← 0 to x[i] do in parallel\n    o[j] ← 1",
        "bounds read an array",
    );
}

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
    let text = "algorithm two(n)\ninput a[n] : f16\noutput b[n] : f32\noutput c[n] : bf16\n\n\
                for i ← 0 to n-1 do\n  b[i] ← f32(0)\n  c[i] ← a[i]\n";
    std::fs::write(it.path().join("two.alg"), text).unwrap();
    let message = crate::support::fails(it.path(), "check two.alg");
    assert!(message.contains("expected bf16, found f16"), "{message}");
}
