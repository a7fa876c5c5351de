//! Python, MATLAB, Fortran and pseudocode: what was lost, or taken for something else.

use super::{gives, refused, result};
use memory_machine_core::diagnostic::Source;
use memory_machine_core::language;

fn plain(text: &str) -> String {
    let program = language::load(Source { name: "listing".to_owned(), text: text.to_owned() });
    program.unwrap_or_else(|error| panic!("{error}")).reading.plain.unwrap_or_default()
}

#[test]
fn lists_of_python_have_the_length_that_they_are_made_with() {
    let text = "def f(n):\n    c = [0]*n\n    c[-1] = 7\n    return c\n";
    gives(text, "n 4", "c", &[0., 0., 0., 7.]);
}

#[test]
fn numpy_says_the_type_of_elements() {
    for (dtype, word) in [
        ("np.float32", "f32"),
        ("\"float32\"", "f32"),
        ("float", "f64"),
        ("np.int32", "i32"),
        ("np.uint8", "u8"),
        ("int", "i64"),
        ("bool", "bool"),
    ] {
        let text = format!("def f(n):\n    c = np.zeros(n, dtype={dtype})\n    return c\n");
        assert!(plain(&text).contains(&format!("c[n] : {word}")), "{}", plain(&text));
    }
    assert!(plain("def f(n):\n    c = np.zeros(n)\n    return c\n").contains("c[n] : f64"));
    let text = "def f(n):\n    c = np.zeros(n, dtype=np.float16)\n    return c\n";
    assert!(refused(text).contains("float16"));
}

#[test]
fn several_targets_get_the_value_itself() {
    let text = "def f(a, b, n):\n    a[0] = b[0] = 3\n    a[1] = b[1] = n * 2\n";
    assert!(!plain(text).contains("← b["), "{}", plain(text));
    gives(text, "n 2", "a", &[3., 4.]);
    let text = "void f(int *a, unsigned char *b, int n) {\n    a[0] = b[0] = n;\n}\n";
    gives(text, "n 300; a 0", "a", &[44.]);
    assert!(refused("def f(n):\n    a = b = [0] * n\n    a[0] = 1\n").contains("two names"));
}

#[test]
fn a_place_is_found_once() {
    for text in [
        "void f(int *x, int *h, int n) {\n  for (int i = 0; i < n; i++) h[x[i]]++;\n}\n",
        "void f(int *x, int *h, int n) {\n  for (int i = 0; i < n; i++) h[x[i]] += 1;\n}\n",
        "def f(x, h, n):\n    for i in range(n):\n        h[x[i]] += 1\n",
    ] {
        assert_eq!(plain(text).matches("x[i]").count(), 1, "{}", plain(text));
        gives(text, "x 0 2 2; n 3; h 0 0 0", "h", &[1., 0., 2.]);
    }
    let atomic = "#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\n  #pragma omp atomic\n  h[x[i]]++;\n}\n";
    assert!(plain(atomic).contains("atomic h["), "{}", plain(atomic));
}

#[test]
fn functions_of_whole_arrays_are_no_arrays() {
    let error = refused("function y = f(x)\n  y = cumsum(x) / 2;\nend\n");
    assert!(error.contains("cumsum"), "{error}");
    assert!(error.contains("write the loop that computes it"), "{error}");
    // A sum is a number, rounded as its elements are.
    let sum = "subroutine f(a, n, s)\n  integer, intent(in) :: n\n  real, intent(in) :: a(n)\n  real, intent(out) :: s\n  s = sum(a)\nend subroutine\n";
    gives(sum, "a 16777216 1 1; n 3", "result", &[16_777_216.]);
    let own = "subroutine f(x, count, n)\n  integer :: n, i\n  integer :: x(n), count(n)\n  do i = 1, n\n    count(x(i)) = count(x(i)) + 1\n  end do\nend subroutine\n";
    gives(own, "x 1 3 3; n 3; count 0 0 0", "count", &[1., 0., 2.]);
}

#[test]
fn functions_of_modules_with_two_arguments_are_read_to_an_end() {
    let text =
        "def f(a, b, s, n):\n    for i in range(n):\n        s[i] = np.maximum(a[i], b[i])\n";
    gives(text, "a 1 5; b 3 2; n 2", "s", &[3., 5.]);
    assert!(refused(&text.replace("np.maximum", "np.amax")).contains("amax"));
}

#[test]
fn scalars_of_fortran_are_given_back() {
    let text = "subroutine f(a, n, s)
  integer, intent(in) :: n
  real, intent(in) :: a(n)
  real, intent(out) :: s
  integer :: i
  s = 0
  do i = 1, n
    s = s + a(i)
  end do
end subroutine
";
    gives(text, "a 1.5 2; n 2", "result", &[3.5]);
    let text = "integer function f(a, n)
  integer, intent(in) :: n
  real, intent(in) :: a(n)
  integer :: i
  f = 0
  do i = 1, n
    f = f + a(i)
  end do
end function
";
    gives(text, "a 2 2; n 2", "result", &[4.]);
    let text = "subroutine f(a, n)
  integer :: n, i, k
  real :: a(n)
  do i = 1, n
    k = a(i) * 0.5
    a(i) = k
  end do
end subroutine
";
    gives(text, "a 3 5; n 2", "a", &[1., 2.]);
}

#[test]
fn an_index_from_0_on_is_in_the_array() {
    let text = "for i = 2^d to n - 1 pardo\n  A[i] = A[i] + A[i - 2^d]\n";
    assert!(plain(text).contains("A[n]"), "{}", plain(text));
    assert_eq!(result(text, "A 1 2 3 4; n 4; d 1", "A"), [1., 2., 4., 6.]);
}

#[test]
fn prose_may_stand_around_a_fence() {
    let text = "# Mine\nSome words.\n```python\ndef f(a):\n    s = 0\n    for x in a:\n        s += x\n    return s\n```\nMore words.\n";
    gives(text, "a 1 2; n 2", "result", &[3.]);
}

#[test]
fn tasks_are_refused_with_a_remedy() {
    let text = "P-FIB(n)\n1 if n ≤ 1\n2     return n\n3 else x = spawn P-FIB(n – 1)\n4     y = P-FIB(n – 2)\n5     sync\n6     return x + y\n";
    let error = refused(text);
    assert!(error.contains("leave out `spawn` and `sync`"), "{error}");
}
