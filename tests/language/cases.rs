//! Types, definite assignment, private scalars, obliviousness and races, case by case.

use memory_machine::diagnostic::Source;
use memory_machine::language::oblivious::{Origin, first_dependence};
use memory_machine::language::program::Program;
use memory_machine::language::sites::work;
use memory_machine::language::syntax::Type;
use memory_machine::language::{self};
use memory_machine::run::layout::Layout;
use memory_machine::run::memory::Memory;
use memory_machine::run::pram::{Pram, PramClass};
use memory_machine::run::{Limits, NoopObserver, Observer, execute};
use memory_machine::units::{Threads, Width};

const HEAD: &str = "\
algorithm t(n)
inout a[n] : f32
inout d[n] : f64
inout x[n] : i32
inout u[n] : u32
inout y[n] : i64
inout q[n] : bool
output o[n] : f32
function odd(k) = k mod 2 = 1
function next(k) = if odd(k) then k + 1 else k
function sum3(e, f, g) = e + f + g
";

fn load(statements: &str) -> Result<Program, String> {
    let source = Source { name: "t.alg".into(), text: format!("{HEAD}{statements}\n") };
    language::load(source).map_err(|error| error.diagnostic.message)
}

fn refused(statements: &str, why: &str) {
    match load(statements) {
        Ok(_) => panic!("accepted:\n{statements}"),
        Err(message) => assert!(message.contains(why), "{message}\n{statements}"),
    }
}

/// The message and the remedy.
fn answered(statements: &str, why: &str, remedy: &str) {
    let source = Source { name: "t.alg".into(), text: format!("{HEAD}{statements}\n") };
    let error = language::load(source).expect_err(statements).diagnostic;
    let help = error.help.unwrap_or_default();
    assert!(error.message.contains(why), "{}\n{statements}", error.message);
    assert!(help.contains(remedy), "{help}\n{statements}");
}

#[test]
fn what_other_languages_have_is_named() {
    let each = "for i ← 0 to n-1 do\n  o[i] ← 1\n";
    answered(&format!("{each}  exit"), "a loop is left by `break`", "innermost loop");
    answered("break", "`break` outside of a loop in turn", "do not end each other");
    let parallel = "for i ← 0 to n-1 do in parallel\n  if a[i] > 0 then break";
    answered(parallel, "`break` outside of a loop in turn", "do not end each other");
    answered(
        &format!("{each}  break\n  o[i] ← 2"),
        "nothing is done after a `break`",
        "under an `if`",
    );
    answered(&format!("{each}  continue"), "an iteration is not left early", "under an `if`");
    answered("repeat\n  o[0] ← 1\nwhile n > 0", "expected `until`", "ends in `until`");
    answered("until n > 0", "no loop begins or ends like this", "write `repeat`");
    answered("swap(a)", "there is no `swap`", "`a[i] ↔ a[j]`");
    answered("x, y ← 1", "1 values for 2 targets", "one value for each");
    answered("x ↔ y ↔ z", "`↔` swaps two, not 3", "at once");
    answered("return o[0]\no[0] ← 1", "returns nothing", "`answer …`");
    answered(&format!("{each}done"), "no such `end` here", "`end for`");
    answered("barrier", "there is no barrier", "end this loop, and begin another");
    answered("__syncthreads()", "there is no barrier", "end this loop, and begin another");
    answered("atomicAdd(o[0], 1)", "no atomic operations", "combine them in pairs");
    answered("def p(x)", "procedures stand above the statements", "call it");
    answered("shared s[32]", "head of a loop on DMMs", "`work s[32] : f32`");
    answered("shared s[32] : f32", "head of a loop on DMMs", "`work s[32] : f32`");
    answered("o[0] ← 1\nregister r[2] : f32", "head of a parallel loop", "write it there");
    answered("int k", "a scalar needs no declaration", "`s ← 0`");
    answered("print(o[0])", "nothing is printed", "--output");
    answered("f(o[0])", "`f` is no procedure, but unknown", "define `procedure f(…)`");
    answered("next(o[0])", "`next` is no procedure, but a function", "`x ← next(…)`");
    answered("o[0] ← 0x1G", "`0x1G` is no hexadecimal number", "in groups");
    answered("o[0] ← 0b102", "`0b102` is no binary number", "in groups");
    answered("o[0] ← 1__000", "`1__000` is no decimal number", "one `_` between");
    answered("o[0] ← 0x1_0000_0000_0000_0000", "this number is too large", "up to 64 bits");
    answered("x[0] ← 18446744073709551615", "18446744073709551615 does not fit i32", "");
    answered("o[0] ← f32(tanh(1.0))", "unknown function `tanh`", "made of these");
    answered("o[0] ← power(n, 2)", "unknown function `power`", "`x^2`");
    answered("o[0] ← floor(a[0])", "unknown function `floor`", "⌊x⌋");
    answered("o[0] ← popcount(a[0])", "expected an integer, found f32", "");
    answered("o[0] ← rotl(1, 2, 3)", "`rotl` takes two arguments, not 3", "");
    answered("o[0] ← 2m", "a name cannot begin with a digit", "`2 × n`");
    answered("o[0] ← mine(1)", "unknown function `mine`", "`function mine(x) = …`");
    // These words are not reserved.
    load("break ← 1\nend ← break + 1\no[0] ← f32(end)").unwrap();
}

#[test]
fn registers_are_declared_where_they_are_assigned_first() {
    let program =
        load("h : u32 ← 7\nh ← n\nif n > 1 then\n  k : u64 ← 1\nelse\n  k : u64 ← 2").unwrap();
    assert_eq!(type_of(&program, "h"), Type::U32);
    assert_eq!(type_of(&program, "k"), Type::U64);
    // A pass that widens other scalars finds the same.
    load("h : u32 ← 7\ns ← 1\nfor i ← 0 to 3 do\n  s ← s + a[i]\n  h ← h + 1").unwrap();
    answered("h ← 1\nh : i64 ← 1", "`h` is an integer already", "assigned first");
    answered("h : u32 ← 1\nh : u64 ← 1", "`h` is u32 already", "with one type");
    answered("h : u32 ← 1.5", "expected u32, found a float", "no such value");
    answered("h : u32", "expected `←`", "`h : u32 ← 0`");
    answered("n : u32 ← 1", "`n` is a parameter and cannot be assigned", "");
    answered("for i ← 0 to 3 do\n  i : u32 ← 1", "is a loop variable", "");
    // A label is none.
    load("h: o[0] ← 1").unwrap();
}

#[test]
fn constants_stand_for_their_values() {
    let refused = |constants: &str, why: &str| {
        let text = format!("algorithm t(n)\n{constants}\noutput o[n] : f32\n\no[0] ← 1\n");
        let error = language::load(Source { name: "t.alg".into(), text }).expect_err(constants);
        assert!(error.diagnostic.message.contains(why), "{error}");
    };
    refused("constant K[2] : u32 = 1", "`K` has 2 entries, but 1 values");
    refused("constant K[n] : u32 = 1, 2", "the number of entries must be known");
    refused("constant K[2] = 1, 2", "expected `:`");
    refused("constant K[2, 2] : u32 = 1, 2, 3, 4", "expected `]`");
    refused("constant K[1] : u32 = n", "a table's entries are numbers");
    refused("constant K[1] : u32 = -1", "-1 does not fit u32");
    refused("constant k = m", "unknown name `m`");
    refused("constant k = k", "unknown name `k`");
    refused("constant n = 2", "`n` is already");
    refused("constant k = o[0]", "unknown array `o`");
    let head = "algorithm t(n)\nconstant a = 2 × 3\nconstant b : f32 = a / 4.0\n\
        constant K[a] : f32 = 1, -b, b + 1, ∞, 1e3, 1 << 4\nconstant mask : u32 = ~0 & 0xFFFF_FFFF\n\
        function f(x) = K[x mod 6] + b\noutput o[a] : f32\noutput u[1] : u32\nanswer o[5]\n\n";
    let body = "for i ← 0 to a-1 do\n  o[i] ← f(i)\nu[0] ← mask\n";
    let load =
        |body: &str| language::load(Source { name: "t.alg".into(), text: format!("{head}{body}") });
    let program = load(body).unwrap();
    // Reading a table is no access.
    assert_eq!(program.sites.len(), 2);
    let message = |body: &str| load(body).expect_err(body).diagnostic.message;
    assert_eq!(message("K[0] ← 1"), "`K` is a table of constants and has no index");
    assert_eq!(message("a ← 1"), "`a` is a constant and cannot be assigned");
    assert_eq!(message("o[0] ← K"), "`K` is a table of constants and needs an index");
    assert_eq!(message("o[0] ← K[0, 1]"), "the table `K` has one dimension");
}

#[test]
fn several_are_read_before_any_is_written() {
    let zeros = "for z ← 0 to n-1 do\n  o[z] ← 0\n";
    let first = |statements: &str| output(&format!("{zeros}{statements}"))[..4].to_vec();
    assert_eq!(
        first("s, r ← 1, 2\ns, r ← r, s + r\no[0], o[1] ← s, r\ns ↔ r\no[2] ← s"),
        [2.0, 3.0, 3.0, 0.0]
    );
    assert_eq!(
        first("o[0], o[1], o[2] ← 1, 2, 3\no[0] ↔ o[2]\no[n / 4] ↔ o[0]"),
        [2.0, 3.0, 1.0, 0.0]
    );
    let program = load("o[0], o[1] ← a[2], a[3]\no[0] <-> o[1]").unwrap();
    let order: Vec<_> = program.sites.iter().map(|it| (it.kind, it.span.start)).collect();
    use memory_machine::trace::AccessKind::{Read, Write};
    assert_eq!(
        order.iter().map(|it| it.0).collect::<Vec<_>>(),
        [Read, Read, Write, Write, Read, Read, Write, Write]
    );
    assert!(order[4].1 < order[5].1 && order[6].1 < order[7].1);
}

#[test]
fn loops_are_left_early() {
    let zeros = "for z ← 0 to n-1 do\n  o[z] ← 0\n";
    let first = |statements: &str| output(&format!("{zeros}{statements}"))[..4].to_vec();
    let text = "s ← 0\nfor i ← 0 to n-1 do\n  if i = 2 then\n    o[3] ← i\n    break\n  s ← s + 1\n  o[i] ← s";
    assert_eq!(first(text), [1.0, 2.0, 0.0, 2.0]);
    let text = "i ← 0\nwhile true do\n  o[i] ← 1\n  i ← i + 1\n  if i > 2 then break";
    assert_eq!(first(text), [1.0, 1.0, 1.0, 0.0]);
    let text = "i ← 7\nrepeat\n  i ← i - 3\n  if i < 0 then break else o[i mod 4] ← i\nuntil i = 1\no[2] ← i";
    assert_eq!(first(text), [4.0, 1.0, 1.0, 0.0]);
    // The innermost loop alone; each thread of a nest its own.
    let text = "for i ← 0 to 3 do in parallel\n  s ← 0\n  for j ← 0 to 9 do\n    for k ← 0 to 9 do\n      if k > i then break\n      s ← s + 1\n    if j = 1 then break\n  o[i] ← s";
    assert_eq!(first(text), [2.0, 4.0, 6.0, 8.0]);
    // After it, what the other arm assigns is certain.
    load("for i ← 0 to 3 do\n  if a[i] > 0 then break else r ← 1\n  o[i] ← r").unwrap();
    load("repeat\n  r ← 1\nuntil r > 0\no[0] ← r").unwrap();
    load("break ← 1\nrepeat ← break\nuntil ← repeat\no[0] ← until").unwrap();
    let many = "  if a[i] > 0 then break\n".repeat(60);
    refused(&format!("for i ← 0 to 3 do\n{many}"), "more than 50 statements");
}

#[test]
fn procedures_stand_for_their_statements() {
    let head = "algorithm t(n)\ninput a[n] : f32\ninput m[n, n] : i32\noutput o[n] : f32\n\n\
        procedure gcd(x, y) → x, y\n  while y ≠ 0 do x, y ← y, x mod y\n\n\
        procedure put(z[k], at, v)\n  h : f32 ← v\n  z[at] ← h\n  s ← 5\n\n\
        procedure all(z[k], v)\n  for i ← 0 to k-1 do\n    put(z[i .. k-1], 0, v)\n\n\
        procedure sum(z[j, k]) → s\n  s ← 0\n  for i ← 0 to j-1 do\n    for l ← 0 to k-1 do s ← s + z[i, l]\n\n";
    let load = |body: &str| {
        language::load(Source { name: "t.alg".into(), text: format!("{head}{body}\n") })
    };
    let program = load("s ← 1\nall(o[1 .. n-1], s)\no[0], s ← gcd(12 × n, 18)\nfor i ← 0 to n-1 do in parallel\n  r ← sum(m[i .. i, 0 .. i])\n  o[i] ← r + f32(s)").unwrap();
    assert_eq!(type_of(&program, "r"), Type::I32);
    assert_eq!(type_of(&program, "s"), Type::I64);
    let refused = |body: &str, why: &str| {
        let error = load(body).expect_err(body);
        assert!(error.diagnostic.message.contains(why), "{error}");
    };
    refused("put(a, 0, 1)", "`z` is an input and cannot be written");
    refused("put(o, 0)", "`put` takes 3 arguments, not 2");
    refused("put(m, 0, 1)", "`z` has 1 dimension, what is given 2 dimensions");
    refused("put(m[0, 1], 0, 1)", "must be one");
    refused("put(m[0 .. 1], 0, 1)", "`m` has 2 dimensions, not 1 index");
    refused("put(n, 0, 1)", "`n` is no array");
    refused("put(1, 0, 1)", "`z` is an array: the argument must be one");
    refused("r ← put(o, 0, 1)", "`put` has 0 results, not 1");
    refused("r ← gcd(1, 2)", "`gcd` has 2 results, not 1");
    refused("r ← 1 + gcd(1, 2)", "`gcd` is a procedure, not a function");
    refused("r ← a[0 .. 1]", "a part of `a` is no value");
    refused("put(o, 0, 1)\no[0] ← s", "unknown name `s`");
    let text = |procedure: &str, body: &str| {
        let text = format!("algorithm t(n)\noutput o[n] : f32\n{procedure}\n\n{body}\n");
        language::load(Source { name: "t.alg".into(), text }).expect_err(body).diagnostic.message
    };
    assert_eq!(
        text("procedure p(x)\n  p(x)", "p(1)"),
        "`p` calls itself more than 32 times inside each other"
    );
    assert_eq!(text("procedure p(x) → s\n  r ← x", "s ← p(1)"), "unknown name `s`");
    assert_eq!(
        text("procedure o(x)\n  r ← x", "o(1)"),
        "`o` is already a parameter, array, constant, function or procedure"
    );
    assert_eq!(
        text("procedure p()\n  break", "for i ← 0 to 1 do p()"),
        "`break` outside of a loop in turn"
    );
    let nest = "procedure p(x[k])\n  for i ← 0 to k-1 do in parallel\n    x[i] ← 1";
    assert_eq!(
        text(nest, "for j ← 0 to 1 do in parallel\n  s ← j\n  p(o)"),
        "a parallel loop among other statements of one"
    );
    // Each of them calls the one before twice.
    let mut many = "procedure p0()\n  s ← 1\n".to_owned();
    for number in 1..40 {
        many += &format!("procedure p{number}()\n  p{0}()\n  p{0}()\n", number - 1);
    }
    assert!(text(&many, "p39()").contains("expand to more than"));
}

#[test]
fn powers_group_to_the_right_and_before_signs() {
    assert_eq!(
        output("o[0] ← 2^3^2\no[1] ← -2^2\no[2] ← 2^-1.0\no[3] ← 2 × 3^2")[..4],
        [512.0, -4.0, 0.5, 18.0]
    );
}

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
fn each_loop_and_each_arm_is_counted_by_itself() {
    let counts = |statements: &str| -> Vec<(usize, usize, usize)> {
        let program = load(statements).unwrap();
        let loops = work(&program);
        loops.iter().map(|it| (it.loops.len(), it.least, it.most)).collect()
    };
    // Two loops of one variable in one phase.
    let twice = "for i ← 0 to 3 do\n  o[i] ← a[i]\nfor i ← 0 to 3 do\n  o[i] ← a[i] + x[i]";
    assert_eq!(counts(twice), [(1, 2, 2), (1, 3, 3)]);
    let arms = "if q[0] then o[0] ← a[0] else o[0] ← 1";
    assert_eq!(counts(arms), [(0, 2, 3)]);
    assert_eq!(counts("if n > 2 then o[0] ← 1"), [(0, 0, 1)]);
    assert_eq!(counts("if n > 2 and a[0] > 1 then o[0] ← 1"), [(0, 0, 2)]);
    assert_eq!(counts("o[0] ← if n > 2 then a[0] else a[1] + a[2]"), [(0, 2, 3)]);
    // A loop in an arm: its iteration makes what it makes.
    let inside = "if n > 2 then\n  for i ← 0 to 3 do\n    o[i] ← a[i]\nelse\n  o[0] ← 1";
    assert_eq!(counts(inside), [(1, 2, 2), (0, 0, 1)]);
    // A parallel loop's bounds are read once, before it.
    let bounds = "for i ← 0 to i64(a[0]) mod 3 do in parallel\n  o[i] ← 1";
    assert_eq!(counts(bounds), [(0, 1, 1), (1, 1, 1)]);
}

fn type_of(program: &Program, name: &str) -> Type {
    program.scalars.iter().find(|it| it.name == name).unwrap().element
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

fn execution(statements: &str, observer: &mut impl Observer, program: &Program) -> Memory {
    let four = |_: &str| Some(4);
    let layout = Layout::new(program, four, Width::new(4).unwrap(), None).unwrap();
    let mut memory = Memory::new(&layout).unwrap();
    let limits = Limits { threads: Threads::new(u64::MAX).unwrap(), while_iterations: 100 };
    if let Err(error) = execute(program, &layout, &mut memory, limits, observer) {
        panic!("{error}\n{statements}");
    }
    memory
}

fn output(statements: &str) -> Vec<f32> {
    let program = load(statements).unwrap();
    let memory = execution(statements, &mut NoopObserver, &program);
    let four = |_: &str| Some(4);
    let layout = Layout::new(&program, four, Width::new(4).unwrap(), None).unwrap();
    let o = program.array_named("o").unwrap();
    memory.values(&layout, o, 0).iter().map(|it| f32::from_bits(it.unwrap() as u32)).collect()
}

#[test]
fn arithmetic_is_as_the_page_says() {
    for (expression, wanted) in [
        ("7 / 2", 3.0),
        ("-7 / 2", -4.0),
        ("7 / -2", -4.0),
        ("-7 mod 2", 1.0),
        ("7 mod -2", -1.0),
        ("-7 mod 3 + 0", 2.0),
        ("7.0 / 2", 3.5),
        ("2 + 3 × 4", 14.0),
        ("10 - 3 - 2", 5.0),
        ("1 << 3 | 1", 9.0),
        ("6 & 3 xor 1", 3.0),
        ("-8 >> 1", -4.0),
        ("min(3, 1, 2)", 1.0),
        ("max(3, 1.5)", 3.0),
        ("abs(-3)", 3.0),
        ("sqrt(2.25)", 1.5),
        ("if not 1 = 2 and 2 < 3 then 1 else 0", 1.0),
        ("if true or 1 / 0 = 1 then 1 else 0", 1.0),
        ("if false and 1 / 0 = 1 then 1 else 0", 0.0),
        ("~0", -1.0),
        ("⌊7 / 2⌋", 3.0),
        ("⌈7 / 2⌉", 4.0),
        ("⌈-7 / 2⌉", -3.0),
        ("⌈(n + 2) / 3⌉ + ⌈n⌉", 6.0),
        ("if ¬ (1 == 2) ∧ 2 <> 3 ∨ false then 1 else 0", 1.0),
        ("i64(2.9)", 2.0),
        ("i32(x[0] + 2147483647 + 1)", -2147483648.0),
        ("i64(u[0] - 1)", 4294967295.0),
    ] {
        let filled = format!("for i ← 0 to 3 do o[i] ← f32({expression})");
        assert_eq!(output(&filled)[0], wanted as f32, "{expression}");
    }
}

fn pram(statements: &str) -> (PramClass, usize) {
    let program = load(statements).unwrap();
    let mut pram = Pram::new(&program);
    execution(statements, &mut pram, &program);
    let (class, races) = pram.finish();
    (class, races.len())
}

#[test]
fn pram_classes_and_races() {
    let one = "for i ← 0 to n-1 do in parallel\n  ";
    let two = "for i ← 0 to n-1 do in parallel\n  for j ← 0 to n-1 do in parallel\n    ";
    for (statement, class, races) in [
        (format!("{one}o[i] ← a[i]"), PramClass::Erew, 0),
        (format!("{one}o[i] ← a[n-1-i]"), PramClass::Erew, 0),
        (format!("{one}o[i] ← a[0]"), PramClass::Crew, 0),
        (format!("{one}o[0] ← 1"), PramClass::CrcwCommon, 0),
        (format!("{one}o[0] ← i"), PramClass::CrcwArbitrary, 0),
        (format!("{two}o[i] ← j"), PramClass::CrcwArbitrary, 0),
        (format!("{two}o[i] ← i"), PramClass::CrcwCommon, 0),
        (format!("{one}a[i] ← a[i] + 1"), PramClass::Erew, 0),
        (format!("{one}a[i] ← a[(i+1) mod n]"), PramClass::Erew, 1),
        (format!("{one}if i > 0 then a[i] ← a[i-1]"), PramClass::Erew, 1),
        (format!("{one}a[0] ← a[0] + 1"), PramClass::CrcwCommon, 1),
        (format!("{one}if i = 0 then o[0] ← 1 else o[i - i/3 - 1] ← 2"), PramClass::CrcwCommon, 1),
        ("for i ← 0 to n-1 do\n  a[0] ← a[0] + 1".to_owned(), PramClass::Erew, 0),
    ] {
        let (found, count) = pram(&statement);
        assert_eq!(count, races, "{statement}");
        if races == 0 {
            assert_eq!(found, class, "{statement}");
        }
    }
}

#[test]
fn a_race_names_both_iterations() {
    let statements = "for i ← 0 to n-2 do in parallel\n  a[i] ← a[i+1]";
    let program = load(statements).unwrap();
    let mut pram = Pram::new(&program);
    execution(statements, &mut pram, &program);
    let (_, races) = pram.finish();
    let [race] = races.as_slice() else { panic!("{races:?}") };
    let iterations: Vec<_> = race.accesses.iter().map(|it| it.iteration[0].clone()).collect();
    let [(_, writer), (_, reader)] = iterations.as_slice() else { panic!() };
    assert_eq!((*writer, race.address), (reader + 1, *writer as u64));
}

#[test]
fn obliviousness() {
    for statements in [
        "r ← a[0]\nif r < a[1] then r ← a[1]\no[0] ← r".replace("then r ← a[1]", "then r ← 2"),
        "s ← 0\nif a[0] < 1 then s ← 1 else s ← 2\no[0] ← s".to_owned(),
        "o[0] ← if a[0] < 1 then 2 else 3".to_owned(),
        "s ← y[0]\ns ← 1\no[s] ← 1".to_owned(),
        "for i ← 0 to n-1 do\n  if i mod 2 = 0 then o[i] ← a[i]".to_owned(),
        "if n > 3 and a[0] < 1 then s ← 1".to_owned(),
        "o[0] ← 1\no[1] ← o[0]".to_owned(),
        "o[0] ← 1\nfor i ← 0 to i64(o[0]) do o[i] ← 1".to_owned(),
        "s ← y[0]\nwhile s > 0 do s ← s - 1".to_owned(),
    ] {
        let program = load(&statements).unwrap_or_else(|error| panic!("{error}\n{statements}"));
        assert_eq!(first_dependence(&program, Origin::Inputs), None, "{statements}");
    }
    for (statements, what) in [
        ("while a[0] > 0 do a[0] ← a[0] - 1", "whether `a` is accessed"),
        ("o[y[0]] ← 1", "the address of `o`"),
        ("o[0] ← a[y[0]]", "the address of `a`"),
        ("for i ← 0 to y[0] do o[i] ← 1", "the address of `o`"),
        ("for i ← 0 to y[0] do o[0] ← 1", "whether `o` is accessed"),
        ("for i ← 0 to 3 step y[0] do o[0] ← 1", "whether `o` is accessed"),
        ("for i ← 0 to y[0] do in parallel\n  o[0] ← 1", "whether `o` is accessed"),
        ("s ← 0\nif q[0] and a[0] < 1 then s ← 1", "whether `a` is accessed"),
        ("s ← 0\nif q[0] or a[0] < 1 then s ← 1", "whether `a` is accessed"),
        ("s ← if q[0] then a[0] else 1", "whether `a` is accessed"),
        ("if q[0] then o[0] ← 1", "whether `o` is accessed"),
        // Through a scalar, an array, a branch, around loops.
        ("s ← y[0]\nr ← s + 1\no[r] ← 1", "the address of `o`"),
        ("s ← 0\nif q[0] then s ← 1\no[s] ← 1", "the address of `o`"),
        ("o[0] ← a[0]\no[i64(o[0])] ← 1", "the address of `o`"),
        ("s ← 0\nfor i ← 0 to 3 do\n  o[s] ← 1\n  s ← y[i]", "the address of `o`"),
        ("s ← 0\nr ← 0\nfor i ← 0 to 3 do\n  o[s] ← 1\n  s ← r\n  r ← y[i]", "the address of `o`"),
        (
            "s ← 1\nwhile s < 9 do\n  o[0] ← 1\n  if q[0] then s ← s + 1 else s ← s + 2",
            "whether `o`",
        ),
        (
            "if q[0] then\n  for i ← 0 to 3 do in parallel\n    s ← 1",
            "whether a parallel loop runs",
        ),
        ("o[next(y[0])] ← 1", "the address of `o`"),
    ] {
        let program = load(statements).unwrap_or_else(|error| panic!("{error}\n{statements}"));
        let found =
            first_dependence(&program, Origin::Inputs).unwrap_or_else(|| panic!("{statements}"));
        assert!(found.what.starts_with(what), "{}\n{statements}", found.what);
    }
}

#[test]
fn the_chain_leads_back_to_the_input() {
    let program = load("s ← y[0]\nr ← s + 1\no[r] ← 1").unwrap();
    let found = first_dependence(&program, Origin::Inputs).unwrap();
    let lines: Vec<&str> = found.chain.iter().map(|&it| program.source.line_text(it)).collect();
    assert_eq!(lines, ["r ← s + 1", "s ← y[0]", "inout y[n] : i64"]);
}

#[test]
fn numbers_are_rounded() {
    refused("o[0] ← ⌈q[0]⌉", "expected a number to round, found bool");
    assert!(load("r := 1\no[0] ⟵ r").is_ok());
}

/// A procedure's names are its own, whatever the loop that calls it declares.
#[test]
fn a_loops_arrays_are_its_own() {
    let of = |value: &str| {
        format!(
            "procedure twice(e) → f\n  s ← {value}\n  f ← s\n\
             for k ← 0 to n/4-1 do in parallel on DMMs with 4 threads\n  shared s[4] : f32\n  \
             shared z[4] : f32\n  for i ← 0 to 3 do in parallel\n    s[i] ← a[4×k + i]\n  \
             for i ← 0 to 3 do in parallel\n    v ← twice(s[i])\n    o[4×k + i] ← v + s[i]"
        )
    };
    assert_eq!(load(&of("e + e")).err(), None);
    refused(&of("z[0]"), "`z` belongs to another loop");
}
