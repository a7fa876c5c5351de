//! How tightly the operators of C and Python bind: every pair of them.

use super::{gives, result};

#[test]
fn every_pair_binds_as_its_language_says() {
    let table = include_str!("precedence.txt");
    let mut lines: Vec<[&str; 5]> = vec![];
    for line in table.lines().filter(|it| !it.starts_with('#')) {
        lines.push(line.split(' ').collect::<Vec<_>>().try_into().unwrap());
    }
    for language in ["C", "Python"] {
        let of: Vec<&[&str; 5]> = lines.iter().filter(|it| it[0] == language).collect();
        assert!(of.len() >= 100, "{} of {language}", of.len());
        let value = |at: usize, it: &[&str; 5]| match (language, it[2]) {
            ("C", _) => format!("r[{at}] = a[0] {} a[1] {} a[2];\n", it[1], it[2]),
            (_, "==" | "<") => {
                format!("    r[{at}] = 1 if a[0] {} a[1] {} a[2] else 0\n", it[1], it[2])
            }
            _ => format!("    r[{at}] = a[0] {} a[1] {} a[2]\n", it[1], it[2]),
        };
        let body: String = of.iter().enumerate().map(|(at, it)| value(at, it)).collect();
        let text = match language {
            "C" => format!("void f(long a[3], long r[{}]) {{\n{body}}}\n", of.len()),
            _ => format!("def f(a, r):\n{body}"),
        };
        for (nth, given) in ["a 13 6 3", "a 29 11 2"].into_iter().enumerate() {
            let found = result(&text, given, "r");
            for (it, found) in of.iter().zip(found) {
                let wanted: f64 = it[3 + nth].parse().unwrap();
                assert!(found == wanted, "{it:?}: {found}");
            }
        }
    }
}

#[test]
fn comparisons_of_c_bind_more_tightly_than_its_bits() {
    let text = "void f(int *a, int *b, int n) {
    for (int i = 0; i < n; i++) b[i] = 12 | a[i] ^ 12;
}
";
    gives(text, "a 4 8; n 2", "b", &[12., 12.]);
    let text = "void f(int *a, int *b, int n) {
    for (int i = 0; i < n; i++) { if (a[i] & 1 == 0) b[i] = 1; else b[i] = 5; }
}
";
    gives(text, "a 1 3; n 2; b 5 5", "b", &[5., 5.]);
    let text = "void f(int *a, int *b, int n) {
    for (int i = 0; i < n; i++) b[i] = a[i] >>> 1;
}
";
    // Java's: the bits without their sign.
    gives(text, "a -2 8; n 2", "b", &[2_147_483_647., 4.]);
}

#[test]
fn python_negates_a_power() {
    gives("def f(a, b):\n    b[0] = -a[0] ** 2\n    b[1] = ~a[0] ** 2\n", "a 3", "b", &[-9., -10.]);
}
