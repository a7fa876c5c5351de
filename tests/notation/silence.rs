//! What has two meanings is taken for the one of its notation, or refused with both.

use memory_machine::case::Case;
use memory_machine::diagnostic::Source;
use memory_machine::language::{self, AsPrinted, PartialDeclaration};
use memory_machine::run::{NoopObserver, execute};

pub(super) fn refused(text: &str) -> String {
    match language::load(Source { name: "paste".to_owned(), text: text.to_owned() }) {
        Ok(program) => panic!("{text}\nis read as\n{}", program.reading.plain.unwrap_or_default()),
        Err(error) => error.to_string(),
    }
}

pub(super) fn read(text: &str) -> String {
    let program = language::load(Source { name: "paste".to_owned(), text: text.to_owned() });
    program.unwrap_or_else(|error| panic!("{error}")).reading.plain.unwrap_or_default()
}

/// What a run ends with.
fn ends(case: &Case) -> String {
    let layout = case.layout().unwrap();
    let mut memory = case.memory(&layout).unwrap();
    let run = execute(&case.program, &layout, &mut memory, case.limits(), &mut NoopObserver);
    run.unwrap_err().to_string()
}

#[test]
fn pragmas_are_the_loops_that_they_say() {
    let body = "for (int i = 0; i < n; i++)\n  b[i] = a[i];\n";
    for pragma in ["omp parallel for", "omp simd", "acc parallel loop", "omp for schedule(static)"]
    {
        let plain = read(&format!("#pragma {pragma}\n{body}"));
        assert!(plain.contains("in parallel"), "{pragma}: {plain}");
    }
    assert!(!read(body).contains("in parallel"));
    let loops = "#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\n  BODY\n}\n";
    assert!(
        refused(&loops.replace("BODY", "s = a[i]; b[i] = s;")).contains("every thread assigns `s`")
    );
    assert!(
        refused("#pragma omp critical\nfor (int i = 0; i < n; i++) s += a[i];\n")
            .contains("critical")
    );
    assert!(
        refused("#pragma omp parallel for lastprivate(s)\nfor (int i = 0; i < n; i++) s = a[i];\n")
            .contains("lastprivate")
    );
}

#[test]
fn two_strokes_between_operands_are_no_comment() {
    let text = "lo = 0\nhi = n\nmid = (lo + hi) // 2\nb[mid] = a[mid]\n";
    assert!(refused(text).contains("divides as in Python"));
    assert!(read("b[0] = a[0]   // the first element\n").contains("// the first element"));
}

#[test]
fn until_is_asked_for() {
    assert!(refused("for i = 0 until n do\n    b[i] = a[i]\n").contains("up to the one before it"));
}

#[test]
fn a_loop_that_changes_its_bound_is_a_while_loop() {
    let plain = read("for (int i = 0; i < n; i++) {\n  if (a[i] == 0) n--;\n  b[i] = 1;\n}\n");
    assert!(plain.contains("while i < n"), "{plain}");
}

#[test]
fn an_element_or_a_scalar_is_asked_for() {
    let text = "for i = 1 to n do\n    x_i = x[i] + 1\n    y[i] = x_i\n";
    assert!(refused(text).contains("is the element x[i], or a scalar of that name"));
}

#[test]
fn kernels_are_no_listings() {
    let text = "__global__ void add(float *a) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  a[i] += 1;\n}\n";
    assert!(refused(text).contains("what one thread does"));
}

#[test]
fn what_is_not_there_is_named() {
    let text = "MERGE-SORT(A, n)\n    q = BINARY-SEARCH(A, n)\n    A[q] = 0\n";
    assert!(
        refused(text).contains("`MERGE_SORT` calls `BINARY_SEARCH`, which is not here"),
        "{}",
        refused(text)
    );
}

/// Errors have the elements of a listing that counts from 1.
#[test]
fn elements_are_counted_as_printed() {
    let text = "algorithm next(n)\ninput A[1 .. n] : i64\noutput B[1 .. n] : i64\n\nfor i ← 1 to n do\n  B[i] ← A[i + 1]\n";
    let error = ends(&Case::parse("next", text).unwrap().set("n", 4));
    assert!(error.contains("A[5] is outside `A`"), "{error}");
    assert!(error.contains("runs from 1 to 4"), "{error}");
}

/// C counts modulo 2ⁿ where a type has no sign or few bits; the language among all integers.
#[test]
fn loops_that_turn_at_a_power_of_two_are_refused() {
    let text = |head: &str| {
        format!(
            "int f(int n, int k, const int *a) {{\n  int s = 0;\n  for ({head}) s += a[i];\n  return s;\n}}\n"
        )
    };
    let heads = [
        "unsigned i = n - 1; i >= 0; i--",
        "size_t i = 0; i < -1; i++",
        "uint8_t i = 0; i < 300; i++",
        "unsigned char i = 250; i != 4; i++",
    ];
    for head in heads {
        assert!(refused(&text(head)).contains("is counted modulo 2^"), "{head}");
    }
    // What depends on values is checked before the loop, and an error when it happens.
    for (head, check) in [
        ("unsigned i = 0; i < n - k; i++", "← u32(n - k)"),
        ("size_t i = n - 1; i > 0; i--", "← u64(n - 1)"),
        ("int i = k; i != n; i++", "← u64(n - k)"),
    ] {
        let plain = read(&text(head));
        assert!(plain.contains(check), "{head}: {plain}");
    }
    let text_of_count = "int f(int n, int k) {\n  int s = 0;\n  for (unsigned i = 0; i < n - k; i++) s++;\n  return s;\n}\n";
    let case = Case::parse("f", text_of_count).unwrap().set("n", 1).set("k", 3);
    assert!(ends(&case).contains("does not fit"), "{}", ends(&case));
    assert!(!read(&text("int i = 0; i < n; i++")).contains("bound"));
    let down = read(&text("unsigned i = n - 1; i >= 2; i -= 4"));
    assert!(down.contains("while i ≥ 2") && down.contains("i : u32"), "{down}");
}

/// What C leaves open, and what no signed type holds, is no number here.
#[test]
fn shifts_and_numbers_that_do_not_fit_are_refused() {
    let text = |value: &str| format!("int f(int a) {{\n  int r = {value};\n  return r;\n}}\n");
    for value in ["a << 33", "a >> 32", "a << -1", "1 << 31"] {
        assert!(refused(&text(value)).contains("C leaves open"), "{value}");
    }
    for value in ["3000000000u", "0xffffffff", "2147483648"] {
        let case = Case::parse("f", &text(value)).unwrap();
        assert!(ends(&case).contains("does not fit"), "{value}");
    }
    assert!(read("#define N 010\nint f(int a) {\n  return a + N;\n}\n").contains("a + 0o10"));
    let division = read(&text("(double) a / 3 > 2"));
    assert!(division.contains("f64(a) / 3"), "{division}");
    let shadow =
        "int f(int a) {\n  int s = 0;\n  for (int i = 0, s = 5; i < a; i++) s++;\n  return s;\n}\n";
    assert!(refused(shadow).contains("in a block around it"));
}

/// Equations have no order: where that of the rows may not be the one in which they are computed, or a sum
/// may go on, both are said.
#[test]
fn equations_out_of_order_are_refused() {
    let rows = |rows: &str| format!("\\begin{{align*}}\n{rows}\n\\end{{align*}}\n");
    let down = rows("x_i &= x_{i+1} + a_i \\quad (1 \\le i \\le n)");
    assert!(refused(&down).contains("in which order is open"));
    let late = rows("y &= x + 1 \\\\\nx &= 3");
    assert!(refused(&late).contains("defined further down"));
    let sum = rows("s &= \\sum_{i=1}^{n} a_i + b");
    assert!(
        read(&sum).contains("s ← sum_1_ + b"),
        "what the index is not in is no term of the sum"
    );
    let cases = rows("y &= x \\quad \\text{if } x > 0");
    assert!(refused(&cases).contains("with cases"));
}

/// A call whose only argument is an array of the algorithm was taken out without end.
#[test]
fn a_call_with_one_array_ends() {
    let lines = [
        "COUNTING-SORT(A, B, k)",
        " let C[0..k] be a new array",
        " for i = 0 to k",
        "     C[i] = 0",
        " for j 1  xs:",
        " A.length",
        "     C[A[j]] = C[A[j]] + 1",
        " for i = 1 to k",
        "     C[i] = C[i] + C[i - 1]",
        " for j = A.length downto 1",
        "     B[C[A[j]]] = A[j]",
        "     C[A[j]] = C[A[j]] - 1",
    ];
    let text = lines.join("\n");
    drop(language::load(Source { name: "paste".to_owned(), text }).map(drop));
}

/// Pseudocode, C and MATLAB mean different things by these.
#[test]
fn what_only_a_notation_settles_is_asked_for() {
    assert!(refused("p = 2^3^2\n").contains("from the right, or from the left"));
    let condition = "if (x = 0)\n    y = 1;\nelse\n    y = 2;\n";
    assert!(refused(condition).contains("pseudocode compares, C assigns"));
    assert!(refused("x = 7 % 3\ny = mod(7, 3)\n").contains("comment of MATLAB"));
    // Brackets, `then` and another sign settle it.
    read("p = 2^(3^2)\n");
    read("if (x = 0) then\n    y = 1\nelse\n    y = 2\nb[0] = y\n");
    read("x = 7 % 3\ny = 8 % 3\n");
}

#[test]
fn cases_end_in_otherwise() {
    let text = |last: &str| {
        format!(
            "\\begin{{align*}}\nb_i &= \\begin{{cases}} a_i & \\text{{if }} a_i > 0 \\\\ 0 & {last} \\end{{cases}}, \\quad 1 \\le i \\le n\n\\end{{align*}}\n"
        )
    };
    let plain = read(&text("\\text{otherwise}"));
    assert!(plain.contains("if a[i] > 0 then a[i] else 0"), "{plain}");
    // Of an equation, what no row says stays as it is; within an expression, that is open.
    let plain = read(&text("\\text{if } a_i < 0"));
    assert!(plain.contains("else if a[i] < 0 then\n    b[i] ← 0"), "{plain}");
    let text = "\\begin{algorithmic}\n\\State $y \\gets \\begin{cases} 1 & x > 0 \\\\ 0 & x < 0 \\end{cases}$\n\\end{algorithmic}\n";
    assert!(refused(text).contains("do not end in `otherwise`"));
}

#[test]
fn words_before_a_loop_variable_are_heeded() {
    let body = "    b[i] := a[i]\n";
    let plain = read(&format!("for all odd i, 1 ≤ i ≤ n, in parallel do\n{body}"));
    assert!(plain.contains("for i ← 1 to n step 2 do in parallel"), "{plain}");
    let plain = read(&format!("for all even i, 1 ≤ i ≤ n, do\n{body}"));
    assert!(plain.contains("for i ← 2 to n step 2 do"), "{plain}");
    refused(&format!("for all odd i, m ≤ i ≤ n, in parallel do\n{body}"));
    refused(&format!("for all unmarked i, 1 ≤ i ≤ n, in parallel do\n{body}"));
}

#[test]
fn private_variables_have_no_value_at_first() {
    let text = |clause: &str| {
        format!(
            "int t = 5;\n#pragma omp parallel for {clause}\nfor (int i = 0; i < n; i++)\n  b[i] = a[i] + t;\n"
        )
    };
    assert!(refused(&text("private(t)")).contains("read before it is assigned"));
    assert!(read(&text("firstprivate(t)")).contains("a[i] + t"));
}

/// Also behind the heads of other loops.
#[test]
fn what_all_threads_assign_is_found_in_loops_inside() {
    let text = "#pragma omp parallel for\nfor (int i = 0; i < n; i++)\n  for (int j = 0; j < n; j++)\n    s += a[i][j];\n";
    assert!(refused(text).contains("every thread assigns `s`"), "{}", refused(text));
}

#[test]
fn one_half_is_not_nothing() {
    assert!(read("y ← 1/2 * x\nb[0] ← y\n").contains("1.0/2"));
    assert!(read("b[0] ← ⌊1/2 * x⌋ + a[1/2]\n").contains("⌊1/2"));
    let said = |text: &str| {
        let source = Source { name: "paste".to_owned(), text: text.to_owned() };
        let said = language::load(source).unwrap().reading.said;
        said.into_iter().map(|it| it.text).collect::<Vec<_>>().join("\n")
    };
    let text = "y = 0\nfor i = 1 to n do\n    y = y + sqrt(x[i]) * (i / n)\nreturn y\n";
    assert!(said(text).contains("rounded down"), "{}", said(text));
}

#[test]
fn parts_of_a_source_that_are_not_read_are_named() {
    let one = |name: &str| {
        format!(
            "\\begin{{algorithm}}\n\\begin{{algorithmic}}\n\\State ${name}[0] \\gets 1$\n\\end{{algorithmic}}\n\\end{{algorithm}}\n"
        )
    };
    let source = Source { name: "paste".to_owned(), text: one("a") + &one("b") };
    let said = language::load(source).unwrap().reading.said;
    assert!(said.iter().any(|it| it.line == 6 && it.text.contains("--nth 2")), "{said:?}");
}

#[test]
fn arrays_are_copied_as_far_as_both_go() {
    let text = "for i = 1 to n do\n    y[i] = a[i]\nfor i = 0 to n do\n    x[i] = 1\nx ← y\n";
    assert!(refused(text).contains("`x` has the indices 0..n, `y` 1..n"), "{}", refused(text));
}

#[test]
fn a_branch_that_goes_on_is_the_only_one() {
    let text = |inner: &str| {
        format!(
            "def f(a):\n    s = 0\n    for x in a:\n        if x < 0:\n{inner}        s += x\n    return s\n"
        )
    };
    let plain = read(&text("            continue\n"));
    assert!(plain.contains("if not"), "{plain}");
    let inner = "            if x < -9:\n                continue\n";
    let plain = read(&text(inner));
    assert!(plain.contains("  if skips_3_ = 0 then\n    s ← s + x\n"), "{plain}");
}

#[test]
fn what_a_program_means_otherwise_is_asked_for() {
    let of = |rule| format!("SUBROUTINE F(A, N)\n{rule}\nREAL A(N)\nA(1) = A(1) / N\nEND\n");
    assert!(refused(&of("IMPLICIT INTEGER (A-Z)")).contains("implicit types"));
    read(&of("IMPLICIT REAL*8 (A-H, O-Z)"));
    assert!(refused("x = 5 ^ 3\ny = 5 ** 3\n").contains("exclusive or as in Python"));
    let text = "int s = 0;\nwhile (n--) {\n  if (a[n] < 0) break;\n  s += a[n];\n}\n";
    assert!(read(text).contains("  n_now ← n_now - 1\n  if not (before_1_ ≠ 0) then\n    break"));
    // The norm of a vector is no length of an array.
    let text = "\\begin{algorithmic}\n\\State $r \\gets \\norm{v}$\n\\State $w[1] \\gets r + v[1]$\n\\end{algorithmic}\n";
    assert!(read(text).contains("sqrt(sum_1_)"), "{}", read(text));
}

#[test]
fn declarations_of_a_user_hold_for_names_that_are_there() {
    let load = |text: &str, declaration: &str| {
        let declared = [declaration.parse().unwrap()];
        let printed = AsPrinted { declared: &declared, ..AsPrinted::default() };
        let source = Source { name: "paste".to_owned(), text: text.to_owned() };
        language::load_in(source, printed, |_| None)
            .map(|it| it.reading.plain.unwrap_or_default())
            .map_err(|it| it.to_string())
    };
    let text = "for i = 1 to n do\n    b[i] = s * a[i]\n";
    for (declaration, line) in [
        ("a : f32", "input a[1 .. n] : f32"),
        ("inout b", "inout b[1 .. n] : i64"),
        ("b[0 .. n]", "output b[0 .. n] : i64"),
        ("s : f32", "algorithm listing(n, s : f32)"),
    ] {
        let plain = load(text, declaration).unwrap();
        assert!(plain.lines().any(|it| it == line), "{declaration}: {plain}");
    }
    assert!(load(text, "c : f32").unwrap_err().contains("no array or parameter is called `c`"));
    let declared = format!("algorithm f(n, s)\ninput a[n] : i64\noutput b[n] : i64\n\n{text}");
    assert!(load(&declared, "a : f32").unwrap_err().contains("declares `a` itself"));
    for wrong in ["a : real", "given a", "a[", "a", "2 : f32", "a[n,]"] {
        assert!(wrong.parse::<PartialDeclaration>().is_err(), "{wrong}");
    }
}

/// Once an endless loop: more arguments than TeX has.
#[test]
fn macros_have_nine_arguments_at_most() {
    refused(
        "\\newcommand{\\f}[222222222222]{#1}\n\\begin{algorithmic}\n\\State $\\f{x}$\n\\end{algorithmic}\n",
    );
    // And a declaration that a comment cuts off, once a panic.
    let text = "program p\n  implicit none\n  integer, parameter :: %n = 1\n  do i = 1, 3\n    a(i) = 1\n  end do\nend program p\n";
    drop(language::load(Source { name: "paste".to_owned(), text: text.to_owned() }));
    // So was a comment between a pragma and its update.
    let text = "#pragma omp atomic /* one */\n/* two */ h[i]++; /* three */\nfor (int i = 0; i < n; i++)\n  h[i] = 0;\n";
    drop(language::load(Source { name: "paste".to_owned(), text: text.to_owned() }));
}

/// What looks alike in languages with braces is what each of them has.
#[test]
fn ranges_end_where_their_language_says() {
    let rust = "let mut s = 0;\nfor i in 1..n {\n    s += a[i];\n}\n";
    assert!(read(rust).contains("for i ← 1 to n - 1 do"), "{}", read(rust));
    let kotlin =
        "fun f(a: IntArray, n: Int) {\n    for (i in 1..n) {\n        a[i] = 0\n    }\n}\n";
    assert!(read(kotlin).contains("for i ← 1 to n do"), "{}", read(kotlin));
    let once = "let mut n = 5;\nlet mut s = 0;\nfor i in 0..n {\n    n = 2;\n    s += i;\n}\n";
    assert!(read(once).contains("bound_1_ ← n"), "{}", read(once));
    let bits = "function f(a, n) {\n  let h = 0;\n  for (let i = 0; i < n; i++) {\n    h = (31 * h + a[i]) | 0;\n  }\n  return h;\n}\n";
    assert!(read(bits).contains("i32("), "{}", read(bits));
    let floor = "double f(double x) {\n    return floor(x) / 2;\n}\n";
    assert!(read(floor).contains("f64(⌊x⌋) / 2"), "{}", read(floor));
    let own = "def sign(x):\n    return x * 2\n\ns = sign(a[0])\n";
    assert!(read(own).contains("function sign(x) = x × 2"), "{}", read(own));
}

/// What was left out in silence, or could be taken for something else.
#[test]
fn what_a_library_does_is_done_or_refused() {
    let squares = "for (int i = 0; i < n; i++)\n    b[i] = square(a[i] - 0.5);\n";
    assert!(read(squares).contains("square_of(a[i] - 0.5)"));
    let include = "#include <algorithm>\nvoid f(double *a, double *b, int n) {\n    BODY\n}\n";
    let body = |text: &str| include.replace("BODY", text);
    assert!(read(&body("std::swap(a[0], a[1]);")).contains("a[0] ↔ a[1]"));
    for (text, said) in [
        ("std::sort(a, a + n);", "a library sorts"),
        ("memcpy(a + 1, a, n * sizeof(double));", "a copy within one array"),
        ("memset(a, 1, n * sizeof(double));", "sets bytes"),
        ("double *p = a; p = b; *p++ = 1.0;", "points into `a`, and elsewhere"),
        ("b[0] = std::accumulate(a, a + n, 0);", "cut off at each step"),
        ("switch (n) { case 1: if (a[0] > 0) break; a[1] = 2; }", "in the middle of a branch"),
    ] {
        let error = refused(&body(text));
        assert!(error.contains(said), "{text}: {error}");
    }
    let calls = "void inc(int &x) { x++; }\nvoid f(int a[], int n) {\n    inc(a[0]);\n}\n";
    assert!(refused(calls).contains("`inc` changes this"));
}

/// A macro has its text, in which a step is taken as often as it stands there.
#[test]
fn a_macro_steps_as_often_as_its_text() {
    let text = "#define MAX(a, b) ((a) > (b) ? (a) : (b))\nint f(int a[], int n) {\n    int m = a[0], i = 1;\n    while (i < n) m = MAX(m, a[VALUE]);\n    return m;\n}\n";
    assert!(refused(&text.replace("VALUE", "i++")).contains("within an expression"));
    assert!(read(&text.replace("VALUE", "i")).contains("m ← max(m, a[i])"));
}
