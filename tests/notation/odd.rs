//! Expressions with a meaning that is easily taken for another: right, or refused.

use std::fs;

use memory_machine::diagnostic::Source;
use memory_machine::language;

use super::{Case, folder, run};

/// A program whose value is the expression.
fn text(notation: &str, expression: &str) -> String {
    match notation {
        "c" => format!(
            "int f(int a, int b, int c) {{\n    int r;\n    r = {expression};\n    return r;\n}}\n"
        ),
        "python" => format!("def f(a, b, c):\n    r = {expression}\n    return r\n"),
        "matlab" => format!("function r = f(a, b, c)\n% a remark\nr = {expression};\nend\n"),
        "fortran" => format!(
            "integer function f(a, b, c)\n  implicit none\n  integer, intent(in) :: a, b, c\n  integer :: r\n  \
             r = {expression}\n  f = r\nend function f\n"
        ),
        "julia" => format!("function f(a, b, c)\n    r = {expression}\n    return r\nend\n"),
        "latex" => format!(
            "\\begin{{algorithmic}}[1]\n\\Function{{F}}{{$a, b, c$}}\n\\State $r \\gets {expression}$\n\
             \\State \\Return $r$\n\\EndFunction\n\\end{{algorithmic}}\n"
        ),
        _ => format!("F(a, b, c)\n1  r = {expression}\n2  return r\n"),
    }
}

/// Nothing is taken for another thing in silence: an input gives what Python gives, or a message.
#[test]
fn odd_inputs_are_right_or_refused() {
    let lines = fs::read_to_string(folder().join("odd.txt")).unwrap();
    let (mut right, mut different) = (0, vec![]);
    for line in lines.lines() {
        let [notation, expression, a, b, c, value] = line.split('\t').collect::<Vec<_>>()[..]
        else {
            panic!("{line}");
        };
        let part = |kind: &str, name: &str, it: &str| {
            (kind.to_owned(), name.to_owned(), vec![it.to_owned()])
        };
        let parts = [
            part("set", "a", a),
            part("set", "b", b),
            part("set", "c", c),
            part("out", "result", value),
        ];
        let case = Case { name: notation.to_owned(), parts: parts.to_vec() };
        match run(&case, text(notation, expression), false) {
            Ok(_) => right += 1,
            Err(error) if error.contains("instead of") => {
                different.push(format!("{line}: {error}"))
            }
            Err(_) => {}
        }
    }
    let all = lines.lines().count();
    println!("{right} of {all} are right, {} different", different.len());
    assert!(different.is_empty(), "{}", different.join("\n"));
    assert!(4 * right > 3 * all, "{right} of {all}");
}

/// What a sign is in one language and not in another, and jumps that leave more than one loop.
#[test]
fn signs_and_jumps_are_those_of_their_language() {
    let load = |name: &str, text: &str| {
        language::load(Source { name: name.to_owned(), text: text.to_owned() })
    };
    let message = |text: &str| load("paste", text).unwrap_err().to_string();
    let julia = "for i in eachindex(a)\n    q[i] = a[i] % 3\nend\n";
    let plain = load("paste.jl", julia).unwrap().reading.plain.unwrap_or_default();
    assert!(!plain.contains("//") && plain.contains("remainder(a[i], 3)"), "{plain}");
    let open = "for i = 1:n\n    q(i) = a(i) % 3\nend\n";
    assert!(message(open).contains("begins a comment of MATLAB"));
    let named = |jump: &str| {
        format!(
            "count = 0\nrows: do i = 1, n\n   do j = 1, m\n      if (a(i,j) < 0) {jump} rows\n   end do\n   \
             count = count + 1\nend do rows\n"
        )
    };
    assert!(message(&named("cycle")).contains("the loop `rows` is not the innermost one"));
    message(&named("exit"));
    let other = "void f(std::vector<int>& a) {\n    int& m = a[0];\n    for (int i = 1; i < a.size(); i++)\n        if (a[i] > m) m = a[i];\n}\n";
    assert!(message(other).contains("another name"));
}
