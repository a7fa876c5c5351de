//! Files for `--input` that are odd, and files that are wrong.

use std::path::Path;

use memory_machine::algorithms::catalogue;
use memory_machine::diagnostic::Source;
use memory_machine::language;
use memory_machine::language::syntax::Type;
use memory_machine::run::layout::Layout;
use memory_machine::run::memory::given;
use memory_machine::units::Width;
use serde_json::Value;

use super::listings;
use crate::support::{Words, umm};

/// The exit code and what it prints and complains of.
fn outcome(folder: &Path, words: &(impl Words + ?Sized)) -> (i32, String, String) {
    let output = umm(folder, words);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Numbers that no type holds as written, or that only just fit.
fn odd_numbers(element: Type) -> &'static [&'static [&'static str]] {
    match element {
        Type::F32 | Type::F64 => &[
            &["0.1", "0.2", "1", "3"],
            &["16777217", "0.30000000000000004", "-0.1", "1e-3"],
            &["1e-46", "1.1754943e-38", "-1e-40", "3e-39"],
            &["3.4028235e38", "3.4028234e38", "-3.4e38", "1e38"],
            &["inf", "-inf", "+inf", "0.7"],
            &["-0", "0", "+0.0", "-0.0"],
            &["0.1", "0.1", "0.3", "0.1"],
            &["inf", "0", "0", "inf"],
        ],
        Type::Bool => &[&["1", "0", "0", "1"]],
        _ => &[&["3", "2", "1", "0"], &["0", "1e0", "2.0", "3"], &["2", "2", "0", "1"]],
    }
}

/// A CSV file for `rows × columns` words, beginning somewhere in `pool`.
fn csv(pool: &[&str], rows: u64, columns: u64, first: usize) -> String {
    let field = |cell: u64| pool[(cell as usize * 3 + cell as usize / 4 + first) % pool.len()];
    let row = |row| (0..columns).map(|column| field(row * columns + column)).collect::<Vec<_>>();
    (0..rows).map(|it| row(it).join(",") + "\n").collect()
}

#[test]
fn odd_files_get_right_verdicts() {
    let folder = tempfile::tempdir().unwrap();
    let mut verdicts = [0; 2];
    for entry in listings().map(|it| catalogue::find(it).unwrap()) {
        let source = Source { name: entry.name.to_owned(), text: entry.text.to_owned() };
        let program = language::load(source).unwrap();
        let four = |name: &str| (name == "n").then_some(4);
        let layout = Layout::new(&program, four, Width::new(1).unwrap(), None).unwrap();
        let is_sequential = program.first_parallel_loop().is_none();
        for number in crate::some(0..8, 3) {
            let mut line = vec!["run".to_owned(), entry.name.to_owned(), "--set=n=4".to_owned()];
            for id in given(&program) {
                let array = &program.arrays[id.0];
                let pools = odd_numbers(array.element);
                let (columns, rows) = match layout.regions[id.0].extents[..] {
                    [cells] => (1, cells),
                    [rows, columns] => (columns, rows),
                    _ => unreachable!("no shipped listing is given a cube"),
                };
                let text = csv(pools[number % pools.len()], rows, columns, id.0);
                let file = format!("{}.csv", array.name);
                std::fs::write(folder.path().join(&file), text).unwrap();
                line.push(format!("--input={}={file}", array.name));
            }
            let bulk = ["--bulk=row".to_owned(), "-p=3".to_owned()];
            for more in if is_sequential { vec![&[][..], &bulk] } else { vec![&[][..]] } {
                let line: Vec<&str> = line.iter().chain(more).map(String::as_str).collect();
                let (code, out, error) = outcome(folder.path(), &[&line[..], &["--json"]].concat());
                assert_eq!(code, 0, "{line:?}: {out}{error}");
                let report: Value = serde_json::from_str(&out).unwrap();
                verdicts[usize::from(report["verified"] == true)] += 1;
            }
        }
    }
    // Sums that leave f32, permutations with repetitions and points that round have no reference.
    assert!(verdicts[1] > 3 * verdicts[0], "{verdicts:?}");
}

/// What is verified is right: held against what the file says, read as `f32`.
#[test]
fn what_is_verified_is_what_the_file_says() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let write = |name: &str, text: &str| std::fs::write(at.join(name), text).unwrap();
    let read = |name: &str| -> Vec<f32> {
        let text = std::fs::read_to_string(at.join(name)).unwrap();
        text.split([',', '\n']).filter(|it| !it.is_empty()).map(|it| it.parse().unwrap()).collect()
    };
    for pool in odd_numbers(Type::F32) {
        write("a.csv", &csv(pool, 4, 4, 1));
        let transpose = ["run", "transpose", "--input=a=a.csv", "--output=by_columns=t.csv"];
        let (code, out, error) = outcome(at, &transpose);
        assert!(code == 0 && out.contains("\nverified"), "{out}{error}");
        let (given, found) = (read("a.csv"), read("t.csv"));
        for (cell, found) in found.iter().enumerate() {
            assert_eq!(found.to_bits(), given[cell % 4 * 4 + cell / 4].to_bits());
        }
        // Seven listings of one problem, one answer.
        let answers =
            ["opt", "dp_opt", "umm_opt", "opt_tb_naive", "opt_bb_mirroring"].map(|name| {
                let (code, out, error) = outcome(at, &["run", name, "--input=c=a.csv"]);
                assert!(code == 0 && out.contains("\nverified"), "{name}: {out}{error}");
                let line = out.lines().find(|line| line.starts_with("answer")).unwrap().to_owned();
                line.rsplit(' ').next().unwrap().to_owned()
            });
        assert!(answers.iter().all(|it| *it == answers[0]), "{answers:?}");
    }
}

#[test]
fn the_time_of_a_word_and_its_value_are_those_of_the_type() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (element, given, held) in [
        ("f32", "0.1\n16777217\n1e-50\n-inf\n", "0.1\n16777216\n0\n-inf\n"),
        ("f64", "0.1\n9007199254740993\n1e308\ninf\n", "0.1\n9007199254740992\n1e308\ninf\n"),
        ("i32", "-2147483648\n2147483647\n1e3\n7.0\n", "-2147483648\n2147483647\n1000\n7\n"),
        ("u32", "4294967295\n0\n1e3\n7.0\n", "4294967295\n0\n1000\n7\n"),
        (
            "i64",
            "9223372036854775807\n-9223372036854775808\n9007199254740993\n1e3\n",
            "9223372036854775807\n-9223372036854775808\n9007199254740993\n1000\n",
        ),
        ("bool", "0\n1\n1\n0\n", "0\n1\n1\n0\n"),
        // A byte order mark, other line ends, blanks.
        ("f32", "\u{feff}1.5\r\n 2 \r\n\r\n3\r\n4", "1.5\n2\n3\n4\n"),
        ("i32", "\u{feff}1, 2 ,\t3,4\r\n", "1\n2\n3\n4\n"),
    ] {
        let listing = format!(
            "algorithm copy(n)\ninput a[n] : {element}\noutput o[n] : {element}\n\n\
             for i ← 0 to n-1 do o[i] ← a[i]\n"
        );
        std::fs::write(at.join("copy.alg"), listing).unwrap();
        std::fs::write(at.join("a.csv"), given).unwrap();
        let (code, _, error) =
            outcome(at, &["run", "copy.alg", "--input=a=a.csv", "--output=o=o.csv"]);
        assert_eq!((code, error.as_str()), (0, ""), "{element}: {given}");
        let found = std::fs::read_to_string(at.join("o.csv")).unwrap();
        let number = |text: &str| text.parse::<f64>().unwrap();
        let is_float = element.starts_with('f');
        for (found, held) in found.lines().zip(held.lines()) {
            assert!(found == held || is_float && number(found) == number(held), "{found}, {held}");
        }
        assert_eq!(found.lines().count(), 4);
    }
}

#[test]
fn wrong_files_are_named_by_row_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (element, text, message) in [
        ("f32", "1,x\n", "a.csv:1: column 2: 'x' is not a number; write one such as 12.5, or inf"),
        ("f32", "x,y\n1,2\n", "a.csv:1: column 1: 'x' is not a number"),
        ("f32", "1,2\n3,NaN\n", "a.csv:2: column 2: 'NaN' is not a number"),
        ("f32", "0x1F,2\n", "a.csv:1: column 1: '0x1F' is not a number"),
        ("f32", "1,2\n\n\n1_000,4\n", "a.csv:4: column 1: '1_000' is not a number"),
        ("f32", "1,2\n3,1e39\n", "a.csv:2: column 2: '1e39' is too large for f32; write a smaller"),
        ("f64", "1e400,2\n", "a.csv:1: column 1: '1e400' is too large for f64; write a smaller"),
        ("f32", "1,\n", "a.csv:1: column 2: the field is empty; write a number, or leave out"),
        ("f32", "1,2\n3,4,\n", "a.csv:2: column 3: the field is empty"),
        ("f32", "1,,2\n", "a.csv:1: column 2: the field is empty"),
        ("f32", "1;2\n", "a.csv:1: column 1: '1;2' is not a number"),
        ("f32", "1 2\n", "a.csv:1: column 1: '1 2' is not a number"),
        ("f32", "1,2\n3\n", "a.csv:2: 1 column(s), but the rows above have 2; give every row"),
        ("f32", "", "a.csv: the file is empty; write one row of numbers a line"),
        ("f32", "\u{feff}\r\n \r\n", "a.csv: the file is empty"),
        ("f32", "1,2\n3,4\n", "a.csv: has 2 × 2 numbers, but the array is a[4]; change --set, or"),
        ("f32", "1,2,3\n", "a.csv: has 1 × 3 numbers, but the array is a[4]"),
        ("i32", "1,2\n3,0.5\n", "a.csv:2: column 2: '0.5' does not fit the array; write a whole"),
        ("i32", "2147483648\n", "a.csv:1: column 1: '2147483648' does not fit the array"),
        ("i32", "inf\n", "a.csv:1: column 1: 'inf' does not fit the array"),
        (
            "u32",
            "-1\n",
            "a.csv:1: column 1: '-1' does not fit the array; write a whole number from 0",
        ),
        ("i64", "9223372036854775808\n", "a.csv:1: column 1: '9223372036854775808' does not fit"),
        ("i64", "0x10\n", "a.csv:1: column 1: '0x10' does not fit the array"),
        ("bool", "0\n2\n", "a.csv:2: column 1: '2' does not fit the array; write 0 or 1"),
    ] {
        let listing = format!(
            "algorithm copy(n)\ninput a[n] : {element}\noutput o[n] : {element}\n\n\
             for i ← 0 to n-1 do o[i] ← a[i]\n"
        );
        std::fs::write(at.join("copy.alg"), listing).unwrap();
        std::fs::write(at.join("a.csv"), text).unwrap();
        let (code, _, error) = outcome(at, &["run", "copy.alg", "--input=a=a.csv", "--set=n=4"]);
        assert_eq!(code, 2, "{text:?}: {error}");
        assert!(error.starts_with(&format!("error: {message}")), "{text:?}: {error}");
    }
    // UTF-16, as some spreadsheets save.
    std::fs::write(at.join("a.csv"), b"\xff\xfe1\0\n\0").unwrap();
    let (code, _, error) = outcome(at, &["run", "copy.alg", "--input=a=a.csv", "--set=n=4"]);
    assert_eq!(code, 2);
    assert!(error.contains("a.csv:1: not UTF-8 text; save the file as UTF-8"), "{error}");
}
