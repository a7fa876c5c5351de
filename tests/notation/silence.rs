//! What has two meanings is taken for the one of its notation, or refused with both.

use memory_machine::case::Case;
use memory_machine::diagnostic::Source;
use memory_machine::language;
use memory_machine::run::{NoopObserver, execute};

fn refused(text: &str) -> String {
    match language::load(Source { name: "paste".to_owned(), text: text.to_owned() }) {
        Ok(program) => panic!("{text}\nis read as\n{}", program.reading.plain.unwrap_or_default()),
        Err(error) => error.to_string(),
    }
}

fn read(text: &str) -> String {
    let program = language::load(Source { name: "paste".to_owned(), text: text.to_owned() });
    program.unwrap_or_else(|error| panic!("{error}")).reading.plain.unwrap_or_default()
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
    let case = Case::parse("next", text).unwrap().set("n", 4);
    let layout = case.layout().unwrap();
    let mut memory = case.memory(&layout).unwrap();
    let run = execute(&case.program, &layout, &mut memory, case.limits(), &mut NoopObserver);
    let error = run.unwrap_err().to_string();
    assert!(error.contains("A[5] is outside `A`"), "{error}");
    assert!(error.contains("runs from 1 to 4"), "{error}");
}
