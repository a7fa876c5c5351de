//! Statements, constants, procedures: what is accepted, and what is answered to what is not.

use memory_machine::diagnostic::Source;
use memory_machine::language;
use memory_machine::language::sites::work;
use memory_machine::language::syntax::Type;

use super::statements::{answered, load, output, refused, type_of};

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
    load(&format!("{each}done")).unwrap();
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
