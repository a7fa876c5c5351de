//! What arrays hold at first, and what results are held against.

use std::fs;
use std::io::Write;

use memory_machine::case::{Case, ExpectedFile, Inputs};
use memory_machine::run::memory::number;
use tempfile::TempDir;

use crate::support::{fails, json, succeeds, umm};

const SORT: &str = "algorithm mine(n)\ninput a[n] : i32 from random(-5, 5)\noutput b[n] : i32\n\
                    ensures sorted(b)\nensures permutation(b, a)\n\n\
                    for i ← 0 to n-1 do\n  b[i] ← a[i]\nfor i ← 0 to n-2 do\n  \
                    for j ← 0 to n-2-i do\n    if b[j] > b[j+1] then\n      t ← b[j]\n      \
                    b[j] ← b[j+1]\n      b[j+1] ← t\n";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.alg"), SORT).unwrap();
    folder
}

/// What an array of a type and shape is filled with, where n is 6.
fn filled(declaration: &str, source: &str) -> Result<Vec<f64>, String> {
    filled_at(6, declaration, source)
}

fn filled_at(n: i64, declaration: &str, source: &str) -> Result<Vec<f64>, String> {
    let text = format!("algorithm t(n)\ninout a{declaration}\na[0] ← a[0]\n");
    let indices = declaration.matches(',').count();
    let text = text.replace("a[0]", &format!("a[0{}]", ", 0".repeat(indices)));
    let case = Case::parse("t.alg", &text).unwrap().set("n", n);
    let given = [("a".to_owned(), source.into())];
    let inputs = Inputs::read(&case.program, &given, 1).map_err(|it| it.to_string())?;
    let case = Case { inputs, ..case };
    let layout = case.layout().map_err(|it| it.to_string())?;
    let memory = case.memory(&layout).map_err(|it| it.to_string())?;
    let array = case.program.array_named("a").unwrap();
    let element = case.program.arrays[array.0].element;
    Ok(memory.cells(&layout, array, 0).map(|it| number(element, it.unwrap())).collect())
}

#[test]
fn inputs_are_what_they_are_called() {
    let is_ascending = |it: &[f64]| it.windows(2).all(|it| it[0] <= it[1]);
    let ints = filled("[n] : i32", "random:3:-2..2").unwrap();
    assert!(ints.iter().all(|it| (-2.0..=2.0).contains(it)));
    assert_eq!(ints, filled("[n] : i32", "random:-2..2:3").unwrap());
    let reals = filled("[n] : f64", "random:1.5..2").unwrap();
    assert!(reals.iter().all(|it| (1.5..2.0).contains(it)));
    assert!(is_ascending(&filled("[n] : i32", "sorted").unwrap()));
    assert!(is_ascending(&filled("[n] : f32", "sorted:9").unwrap()));

    // From the head of the list, which nobody succeeds, all are met.
    let list = filled("[n] : i32", "list:4").unwrap();
    let mut at = (0..6_usize).find(|&it| !list.contains(&(it as f64))).unwrap();
    let mut met = vec![at];
    while list[at] as usize != at {
        at = list[at] as usize;
        met.push(at);
    }
    met.sort_unstable();
    assert_eq!(met, [0, 1, 2, 3, 4, 5]);

    let matrix = filled("[n, n] : i32", "graph:6,7").unwrap();
    assert_eq!(matrix.iter().sum::<f64>(), 7.0);
    assert!((0..6).all(|it| matrix[7 * it] == 0.0));
    let lengths = filled("[n, n] : f32", "graph:6,29").unwrap();
    assert_eq!(lengths.iter().filter(|it| it.is_infinite()).count(), 1);
    let edges = filled("[n, 2] : i32", "graph:5,6").unwrap();
    let pairs: std::collections::BTreeSet<_> =
        edges.chunks(2).map(|it| [it[0] as u8, it[1] as u8]).collect();
    assert_eq!(pairs.len(), 6);
    assert!(pairs.iter().all(|it| it[0] != it[1] && it[0] < 5 && it[1] < 5));

    let spd = filled("[n, n] : f64", "spd").unwrap();
    for row in 0..6 {
        assert!((0..6).all(|column| spd[6 * row + column] == spd[6 * column + row]));
        assert!(2.0 * spd[7 * row] > spd[6 * row..][..6].iter().sum::<f64>());
    }
    let whole = filled("[n, n] : f64", "tridiagonal:2").unwrap();
    let bands = filled("[3, n] : f64", "tridiagonal:2").unwrap();
    for (cell, &number) in whole.iter().enumerate() {
        let (row, column) = (cell / 6, cell % 6);
        let band = (column + 1).checked_sub(row).filter(|&it| it < 3);
        assert_eq!(number, band.map_or(0.0, |band| bands[6 * band + row]));
    }
    // Three of a size are not three diagonals, nor two of it two ends.
    let whole = filled_at(3, "[n, n] : f64", "tridiagonal:2").unwrap();
    assert!([0, 4, 8].iter().all(|&it| whole[it] >= 2.0), "{whole:?}");
    assert_eq!([whole[2], whole[6]], [0.0; 2]);
    let rows = filled_at(3, "[3, n] : f64", "tridiagonal:2").unwrap();
    assert_eq!([rows[0], rows[3], rows[8]], [0.0, whole[0], 0.0]);
    let columns = filled_at(3, "[n, 3] : f64", "tridiagonal:2").unwrap();
    assert_eq!([columns[0], columns[1], columns[8]], [0.0, whole[0], 0.0]);
    let edges = filled_at(2, "[n, 2] : i32", "graph:2,2").unwrap();
    assert!(edges == [0.0, 1.0, 1.0, 0.0] || edges == [1.0, 0.0, 0.0, 1.0], "{edges:?}");
    let matrix = filled_at(2, "[n, n] : i32", "graph:2,2").unwrap();
    assert_eq!(matrix, [0.0, 1.0, 1.0, 0.0]);
    let text = filled("[n] : u32", "text:AC").unwrap();
    assert!(text.iter().all(|it| [65.0, 67.0].contains(it)));
}

#[test]
fn inputs_that_make_no_sense_say_what_to_do() {
    for (declaration, source, why) in [
        ("[n] : i32", "spd", "is square, of f32 or f64"),
        ("[n, n] : i32", "list", "of one dimension"),
        ("[n, n] : i32", "graph:6,31", "at most 30 edges; ask for fewer"),
        ("[n, n] : i32", "graph:many", "as in graph:8,12"),
        ("[n] : i32", "random:9..1", "the lesser first"),
        ("[n] : u64", "random:0..18000000000000000000", "to 9007199254740992 at most"),
        ("[n] : i32", "random:x", "the seed must be a whole number"),
        ("[n] : i32", "sorted:1:2", "too much behind `sorted`"),
        ("[n] : i32", "text:", "text:ACGT"),
        ("[n] : i32", "nothing", "random[:SEED][:LO..HI]"),
        ("[n] : i32", "image:missing.png", "cannot read the file"),
        ("[n] : i32", "missing.npy", "cannot read the file"),
    ] {
        let error = filled(declaration, source).expect_err(source);
        assert!(error.contains(why), "{source}: {error}");
    }
}

/// As `numpy.save` writes it.
fn npy(kind: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    let header = format!("{header:<117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(data);
    bytes
}

#[test]
fn arrays_of_numpy_and_pictures_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let read = |bytes: &[u8], declaration: &str| {
        fs::File::create(&path).unwrap().write_all(bytes).unwrap();
        filled(declaration, path.to_str().unwrap())
    };
    let floats: Vec<u8> = (0..6).flat_map(|it| (it as f32 / 2.0).to_le_bytes()).collect();
    let found = read(&npy("<f4", "(6,)", &floats), "[n] : f64").unwrap();
    assert_eq!(found, [0.0, 0.5, 1.0, 1.5, 2.0, 2.5]);
    let integers: Vec<u8> = (-3..3_i64).flat_map(i64::to_le_bytes).collect();
    let found = read(&npy("<i8", "(3, 2)", &integers), "[3, 2] : i32").unwrap();
    assert_eq!(found, [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0]);
    for (bytes, why) in [
        (npy("<f4", "(7,)", &floats), "cut off, or too long"),
        (npy(">f4", "(6,)", &floats), "save a.astype"),
        (npy("<f4", "(6,)", &floats)[..20].to_vec(), "no .npy file"),
        (b"1,2,3,4,5,6".to_vec(), "no .npy file"),
    ] {
        let error = read(&bytes, "[n] : f32").unwrap_err();
        assert!(error.contains(why), "{error}");
    }

    let path = folder.path().join("grey.png");
    let mut encoder = png::Encoder::new(fs::File::create(&path).unwrap(), 3, 2);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[0, 51, 255, 1, 2, 3]).unwrap();
    writer.finish().unwrap();
    let source = format!("image:{}", path.display());
    assert_eq!(filled("[2, 3] : i32", &source).unwrap(), [0.0, 51.0, 255.0, 1.0, 2.0, 3.0]);
    assert_eq!(filled("[2, 3] : f64", &source).unwrap()[..3], [0.0, 0.2, 1.0]);
}

#[test]
fn a_listing_of_ones_own_is_verified() {
    let folder = folder();
    let folder = folder.path();
    let told = succeeds(folder, "run mine.alg --set n=9");
    assert!(told.contains("a: random, -5 … 5\n"), "{told}");
    assert!(told.contains("verified: the result agrees with `ensures`"), "{told}");
    let report = json(folder, "run mine.alg --set n=9 --json");
    assert_eq!(
        (&report["verified"], &report["inputs"]["a"]),
        (&true.into(), &"random, -5 … 5".into())
    );
    // A sort that forgets, and one that does not sort.
    let wrong = |from: &str, to: &str| {
        fs::write(folder.join("wrong.alg"), SORT.replace(from, to)).unwrap();
        let output = umm(folder, "run wrong.alg --set n=9 --output b=b.csv");
        assert_eq!(output.status.code(), Some(1));
        assert!(!folder.join("b.csv").exists());
        String::from_utf8(output.stderr).unwrap()
    };
    let message = wrong("b[i] ← a[i]", "b[i] ← 1");
    assert!(message.contains("`ensures permutation(b, a)` fails"), "{message}");
    let message = wrong("b[j] > b[j+1]", "b[j] < b[j+1]");
    assert!(message.contains("less than the"), "{message}");
}

#[test]
fn a_listing_has_another_for_reference() {
    let folder = folder();
    let folder = folder.path();
    let sums = "algorithm sums(n)\ninput b[n] : i32\noutput s[n] : i32\nreference deep/slow.alg  // so\n\
                ensures s = reference.t\n\nr ← 0\nfor i ← 0 to n-1 do\n  r ← r + b[i]\n  s[i] ← r\n";
    let slow = "algorithm slow(n)\ninput b[n] : i32\noutput t[n] : i32\n\nfor i ← 0 to n-1 do\n  r ← 0\n  \
                for j ← 0 to i do\n    r ← r + b[j]\n  t[i] ← r\n";
    fs::write(folder.join("sums.alg"), sums).unwrap();
    let missing = fails(folder, "run sums.alg --set n=5");
    assert!(missing.contains("sums.alg:4:11") && missing.contains("slow.alg"), "{missing}");
    fs::create_dir(folder.join("deep")).unwrap();
    fs::write(folder.join("deep/slow.alg"), slow).unwrap();
    for flags in ["", "--bulk column -p 3", "--bulk row -p 3"] {
        let told = succeeds(folder, &format!("run sums.alg --set n=5 {flags}"));
        assert!(told.contains("verified: the result agrees with `ensures`"), "{told}");
    }
    fs::write(folder.join("deep/slow.alg"), slow.replace("r + b[j]", "r + 2 × b[j]")).unwrap();
    let output = umm(folder, "run sums.alg --set n=5");
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("cell 0 of `s` holds"), "{message}");
    for (from, to, why) in [
        ("ensures s = reference.t", "ensures s = reference.x", "has no array `x`"),
        ("reference deep/slow.alg  // so\n", "", "there is no `reference`"),
        ("ensures s =", "ensures b =", "an input never changes"),
        ("ensures s =", "ensures x =", "unknown array `x`"),
        ("ensures s = reference.t", "ensures even(s)", "this cannot be ensured"),
        ("ensures s = reference.t", "ensures s = t", "compared with the reference's"),
        ("[n] : i32\nreference", "[n] : i32 from sorted\nreference", "holds something at first"),
        ("b[n] : i32\n", "b[n] : i32 from nowhere\n", "no array is filled so"),
    ] {
        fs::write(folder.join("bad.alg"), sums.replace(from, to)).unwrap();
        let message = fails(folder, "run bad.alg --set n=5");
        assert!(message.contains(why), "{message}");
    }
    // None of the words is reserved.
    let names = "algorithm t(n)\noutput ensures[n] : i32\n\nreference ← 1\nfrom ← reference + 1\n\
                 ensures[0] ← from\n";
    Case::parse("t.alg", names).unwrap();
}

#[test]
fn bulk_runs_take_a_table_and_give_one() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("three.csv"), "5,3,1,0\n9,8,7,7\n2,1,1,3\n").unwrap();
    fs::write(folder.join("right.csv"), "0,1,3,5\n7,7,8,9\n1,1,2,3\n").unwrap();
    fs::create_dir(folder.join("inputs")).unwrap();
    for (name, text) in [("1.csv", "5\n3\n1\n0\n"), ("2.csv", "9,8,7,7\n"), ("3.csv", "2,1,1,3\n")]
    {
        fs::write(folder.join("inputs").join(name), text).unwrap();
    }
    for bulk in ["row", "column"] {
        for source in ["three.csv", "inputs"] {
            let run = format!("run mine.alg -p 3 --bulk {bulk} --input a={source}");
            succeeds(folder, &format!("{run} --expect b=right.csv --output-table b=out.csv"));
            let [out, right] =
                ["out.csv", "right.csv"].map(|it| fs::read(folder.join(it)).unwrap());
            assert_eq!(out, right, "{run}");
        }
    }
    // A row is an input's array of two dimensions: its rows are not the table's.
    let pairs = "algorithm pairs(n, d = 2)\ninput a[n, d] : i32\noutput b[n] : i32\n\n\
                 for i ← 0 to n-1 do\n  b[i] ← a[i, 0] + a[i, d - 1]\n";
    fs::write(folder.join("pairs.alg"), pairs).unwrap();
    fs::write(folder.join("sums.csv"), "8,1\n17,14\n3,4\n").unwrap();
    let run = "run pairs.alg --set n=2 -p 3 --bulk column --input a=three.csv --expect b=sums.csv";
    succeeds(folder, run);
    let output =
        umm(folder, "run mine.alg -p 3 --bulk row --input a=three.csv --expect b=three.csv");
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(message.contains("cell 0 of `b` (input 0) holds 0; --expect has 5"), "{message}");
    for (line, why) in [
        ("-p 4 --bulk row --input a=three.csv --set n=4", "a row for each of the -p inputs"),
        ("--set n=3 --expect b=right.csv", "has 3 × 4 numbers, but the array is b[3]"),
        ("--set n=3 --expect c=right.csv", "has no array `c`"),
        ("--set n=3 --expect b=right.csv --tolerance=-1", "a number from 0 on"),
        ("--set n=3 --output-table b=o.csv", "--bulk"),
    ] {
        let message = fails(folder, &format!("run mine.alg {line}"));
        assert!(message.contains(why), "{line}: {message}");
    }
}

#[test]
fn expected_numbers_may_be_near() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("near.csv");
    let case = Case::load("prefix_sums").unwrap().set("n", 4).threads(1).unwrap();
    let judged = |tolerance: f64, numbers: &str| {
        fs::write(&path, numbers).unwrap();
        let one = ExpectedFile::read(&case.program, "b", path.as_os_str()).unwrap();
        let case = Case { expected: vec![one], tolerance, ..case.clone() };
        let layout = case.layout().unwrap();
        let mut memory = case.memory(&layout).unwrap();
        case.execute(&layout, &mut memory, &mut memory_machine::run::NoopObserver).unwrap();
        case.verify(&layout, &memory).unwrap().is_right()
    };
    fn sums(case: &Case) -> Vec<f64> {
        let layout = case.layout().unwrap();
        let mut memory = case.memory(&layout).unwrap();
        case.execute(&layout, &mut memory, &mut memory_machine::run::NoopObserver).unwrap();
        let array = case.program.array_named("b").unwrap();
        let cells = memory.cells(&layout, array, 0);
        cells.map(|it| f64::from(f32::from_bits(it.unwrap() as u32))).collect()
    }
    let text = |by: f64| sums(&case).iter().map(|it| format!("{}\n", it + by)).collect::<String>();
    assert_eq!(judged(0.0, &text(0.0)), Some(true));
    assert_eq!(judged(0.0, &text(1e-3)), Some(false));
    assert_eq!(judged(2e-3, &text(1e-3)), Some(true));
}

#[test]
fn the_folder_of_a_listing_is_where_its_reference_lies() {
    let text = "algorithm mine(n)\ninout b[n] : f32\nreference prefix_sums\nensures b = reference.b\n\n\
                s ← 0\nfor i ← 0 to n-1 do\n  s ← s + b[i]\n  b[i] ← s\n";
    let case = Case::parse("anywhere/mine.alg", text).unwrap().set("n", 5);
    let layout = case.layout().unwrap();
    let mut memory = case.memory(&layout).unwrap();
    case.execute(&layout, &mut memory, &mut memory_machine::run::NoopObserver).unwrap();
    assert_eq!(case.verify(&layout, &memory).unwrap().is_right(), Some(true));
}

/// What a result must be, what it is, and whether that is near enough.
#[test]
fn infinities_and_integers_are_expected_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("right.csv");
    for (element, found, right, tolerance, is_right) in [
        ("f32", "42", "inf", 1e-6, false),
        ("f64", "42", "-inf", 0.5, false),
        ("f64", "inf", "inf", 1e-6, true),
        ("f64", "inf", "1e300", 1e-6, false),
        ("i64", "9000027000001", "9000027000000", 0.0, false),
        ("i64", "9000027000001", "9000027000001", 0.0, true),
        ("i64", "9007199254740993", "9007199254740992", 0.0, false),
        ("u64", "18446744073709551615", "18446744073709551614", 0.0, false),
        ("i64", "9007199254740993", "9007199254740992", 1e-15, true),
    ] {
        fs::write(&path, right).unwrap();
        let text = format!("algorithm one()\noutput b[1] : {element}\n\nb[0] ← {found}\n");
        let case = Case::parse("one.alg", &text).unwrap();
        let one = ExpectedFile::read(&case.program, "b", path.as_os_str()).unwrap();
        let case = Case { expected: vec![one], tolerance, ..case };
        let layout = case.layout().unwrap();
        let mut memory = case.memory(&layout).unwrap();
        case.execute(&layout, &mut memory, &mut memory_machine::run::NoopObserver).unwrap();
        let verdict = case.verify(&layout, &memory).unwrap();
        assert_eq!(verdict.is_right(), Some(is_right), "{element} {found} {right}: {verdict:?}");
    }
}
