//! Types, definite assignment and private scalars.

use memory_machine::diagnostic::Source;
use memory_machine::language;
use memory_machine::language::syntax::Type;

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
