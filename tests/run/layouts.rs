//! Layouts: what they do to addresses, and that they do nothing else.

use crate::support::{fails, folder, json, succeeds};

/// A copy, row by row or column by column, of a matrix with a layout.
fn copy(layout: &str, index: &str) -> String {
    format!(
        "algorithm copy(n, m)\ninput a[n, m] : f32 {layout}\noutput b[n, m] : f32\nanswer b[1, 2]\n\n\
         for i ← 0 to n-1 do in parallel\n  for j ← 0 to m-1 do in parallel\n    b[i, j] ← {index}\n"
    )
}

const RUN: &str = "run copy.alg --set n=8 --set m=8 -w 8 -l 10 -p 64";

fn stages(text: &str, words: &str) -> u64 {
    let it = folder(&[("copy.alg", text)]);
    let run = json(it.path(), &format!("{RUN} {words} --json"));
    let counted = json(it.path(), &format!("{RUN} {words} --time-only --json"));
    assert_eq!(run["time_units"], counted["time_units"], "{text}");
    let stages = run["stages"].as_u64().unwrap();
    // Two steps.
    assert_eq!(run["time_units"].as_u64(), Some(stages + 2 * 9));
    stages
}

#[test]
fn stages_are_those_of_the_addresses() {
    // The writes take a stage a warp, 8 of them.
    let rows = |layout: &str, words: &str| stages(&copy(layout, "a[i, j]"), words) - 8;
    let columns = |layout: &str, words: &str| stages(&copy(layout, "a[j, i]"), words) - 8;
    for (layout, of_rows, of_columns, columns_in_banks) in [
        ("", 8, 64, 64),
        ("layout column", 64, 8, 8),
        // Two tiles of a group's half each; of a column four words of each.
        ("layout tile(4, 4)", 16, 32, 32),
        // Row i begins at 9i, so that all but the first meet two groups; columns meet every bank.
        ("layout pad(1)", 15, 64, 8),
        ("layout swizzle(3, 0, 3)", 8, 64, 8),
    ] {
        assert_eq!(rows(layout, "-m umm"), of_rows, "{layout}");
        assert_eq!(columns(layout, "-m umm"), of_columns, "{layout}");
        assert_eq!(columns(layout, "-m dmm"), columns_in_banks, "{layout}");
    }
}

#[test]
fn nothing_but_addresses_changes() {
    let plain = folder(&[("copy.alg", &copy("", "a[i, j]"))]);
    let answer = json(plain.path(), &format!("{RUN} --json"))["answer"].clone();
    for layout in ["column", "tile(3, 5)", "pad(2)", "swizzle(2, 1, 3)", "swizzle(2, 0, -2)"] {
        let text = copy(&format!("layout {layout} from random(0, 1)"), "a[i, j]");
        let it = folder(&[("copy.alg", &text), ("plain.alg", &copy("", "a[i, j]"))]);
        let run = json(it.path(), &format!("{RUN} --json"));
        assert_eq!((&run["answer"], run["races"].as_array().unwrap().len()), (&answer, 0));
        for machine in ["pram", "work-span", "bsp --processors 3"] {
            let of = |file: &str| {
                let words = format!("run {file} --set n=8 --set m=8 -p 64 -m {machine} --json");
                let mut run = json(it.path(), &words);
                run["inputs"].take();
                run
            };
            assert_eq!(of("copy.alg"), of("plain.alg"), "{machine} {layout}");
        }
    }
    // Lines of a cache are of addresses.
    let misses = |text: &str| {
        let it = folder(&[("copy.alg", text)]);
        let words = "run copy.alg --set n=8 --set m=8 -m ideal-cache --line 4 --cache 16 --json";
        json(it.path(), words)["misses"].as_u64()
    };
    assert_eq!(misses(&copy("layout column", "a[j, i]")), misses(&copy("", "a[i, j]")));
    assert_eq!(misses(&copy("layout column", "a[i, j]")), misses(&copy("", "a[j, i]")));
}

#[test]
fn layouts_of_shared_memory_avoid_conflicts() {
    let transpose = |layout: &str| {
        format!(
            "algorithm t(n)\ninput a[n, n] : f32\noutput b[n, n] : f32\n\n\
             for k ← 0 to 0 do in parallel on DMMs with 64 threads\n  shared s[8, 8] : f32 {layout}\n  \
             for i ← 0 to 7 do in parallel\n    for j ← 0 to 7 do in parallel\n      s[i, j] ← a[i, j]\n  \
             for i ← 0 to 7 do in parallel\n    for j ← 0 to 7 do in parallel\n      b[i, j] ← s[j, i]\n"
        )
    };
    for (layout, stages) in [("", 8 + 64), ("layout pad(1)", 16), ("layout swizzle(3, 0, 3)", 16)] {
        let it = folder(&[("t.alg", &transpose(layout))]);
        let run = json(it.path(), "run t.alg --set n=8 -m hmm -d 1 -w 8 -l 10 --json");
        assert_eq!(run["shared"]["stages"].as_u64(), Some(stages), "{layout}");
        let counted =
            json(it.path(), "run t.alg --set n=8 -m hmm -d 1 -w 8 -l 10 --time-only --json");
        assert_eq!(run["time_units"], counted["time_units"]);
    }
    let it = folder(&[("t.alg", &transpose("layout pad(1)"))]);
    let cuda = succeeds(it.path(), "cuda t.alg --set n=8");
    assert!(cuda.contains("s_[72]") && cuda.contains("* (8 + 1) +"), "{cuda}");
}

#[test]
fn cuda_has_the_addresses() {
    for (layout, index) in [
        ("layout column", "a_[j_ * n_ + i_]"),
        ("layout pad(1)", "a_[(i_) * (m_ + 1) + j_]"),
        ("layout swizzle(3, 0, 3)", "a_[swizzled(i_ * m_ + j_, 3, 0, 3)]"),
    ] {
        let it = folder(&[("copy.alg", &copy(layout, "a[i, j]"))]);
        let cuda = succeeds(it.path(), "cuda copy.alg");
        assert!(cuda.contains(index), "{cuda}");
        let message = fails(it.path(), "cuda copy.alg --standalone");
        assert!(message.contains("copy.alg:2:"), "{message}");
    }
}

#[test]
fn what_is_no_layout_says_why() {
    for (layout, why) in [
        ("layout diagonal", "`diagonal` is none of column, soa, tile, pad, swizzle"),
        ("layout soa", "`layout soa` is for records"),
        ("layout tile(4)", "takes 2 arguments here, not 1"),
        ("layout tile(4, 0)", "sides must be at least 1"),
        ("layout pad(-1)", "-1 is negative"),
        ("layout swizzle(3, 0, 0)", "shift of 0"),
    ] {
        let it = folder(&[("copy.alg", &copy(layout, "a[i, j]"))]);
        let message = fails(it.path(), RUN);
        assert!(message.contains(why), "{layout}: {message}");
    }
    let it = folder(&[("copy.alg", &copy("layout column", "a[i, j]"))]);
    let message = fails(it.path(), "improve copy.alg --set n=8 --set m=8");
    assert!(message.contains("arrays with a layout, such as `a`"), "{message}");
    // An index outside is outside, though there may be a word.
    let it = folder(&[("copy.alg", &copy("layout pad(4)", "a[i, j+1]"))]);
    let message = fails(it.path(), RUN);
    assert!(message.contains("a[0, 8] is outside `a`"), "{message}");
}

/// Particles of three coordinates, with a layout.
fn particles(layout: &str) -> String {
    format!(
        "algorithm particles(n)\ninout p[n] : {{x, y, z : f32}} {layout}\noutput r[n] : f32\nanswer r[1]\n\n\
         for i ← 0 to n-1 do in parallel\n  p[i].x ← p[i].x + p[i].z\n  r[i] ← p[i].y - p[i].x\n"
    )
}

#[test]
fn records_are_rows_of_fields() {
    let rows = particles("").replace(": {x, y, z : f32}", ": f32").replace("p[n]", "p[n, 3]");
    let rows =
        rows.replace("[i].x", "[i, 0]").replace("[i].y", "[i, 1]").replace("[i].z", "[i, 2]");
    let it = folder(&[
        ("rows.alg", &rows),
        ("aos.alg", &particles("layout aos")),
        ("plain.alg", &particles("")),
        ("soa.alg", &particles("layout soa")),
        ("column.alg", &particles("layout column")),
        ("p.csv", "z, mass, x, y\n1,9,2,3\n4,9,5,6\n"),
        ("wrong.csv", "x,y,q\n1,2,3\n"),
    ]);
    let run = |file: &str, words: &str| {
        let mut run = json(it.path(), &format!("run {file} {words} -w 8 -l 10 --json"));
        run["phases"].take();
        run
    };
    for words in ["--set n=64 -p 64", "--set n=64 -p 16 -m dmm --bytes"] {
        let plain = run("plain.alg", words);
        for file in ["rows.alg", "aos.alg"] {
            let other = run(file, words);
            for key in ["time_units", "stages", "answer", "accesses"] {
                assert_eq!(other[key], plain[key], "{file} {words} {key}");
            }
        }
        assert_eq!(run("soa.alg", words)["answer"], plain["answer"]);
        assert_eq!(run("soa.alg", words)["stages"], run("column.alg", words)["stages"]);
    }
    // Of six accesses to fields each warp's takes three groups, and one field by field.
    let stages = |file: &str| run(file, "--set n=64 -p 64")["stages"].as_u64();
    assert_eq!((stages("plain.alg"), stages("soa.alg")), (Some(8 * (5 * 3 + 1)), Some(8 * 6)));
    // Columns by their names, in and out.
    for file in ["plain.alg", "soa.alg"] {
        let words = format!("run {file} --input p=p.csv --output p=out.csv --json");
        assert_eq!(json(it.path(), &words)["answer"], 6.0 - 9.0);
        let out = std::fs::read_to_string(it.path().join("out.csv")).unwrap();
        assert_eq!(out, "x,y,z\n3,3,1\n9,6,4\n");
        let words = format!("run {file} --input p=p.csv --expect p=out.csv --json");
        assert_eq!(json(it.path(), &words)["verified"], true);
    }
    let message = fails(it.path(), "run plain.alg --input p=wrong.csv");
    assert!(message.contains("no column `z`; its first line names x, y, q"), "{message}");
    let cuda = succeeds(it.path(), "cuda soa.alg");
    assert!(cuda.contains("p_[1 * n_ + i_]"), "{cuda}");
    assert!(succeeds(it.path(), "check soa.alg --plain").contains("{x, y, z : f32} layout soa"));
}

/// NumPy's structured arrays, whose fields are found by their names.
#[test]
fn records_are_structures_of_numpy() {
    let it = folder(&[("p.alg", &particles("")), ("soa.alg", &particles("layout soa"))]);
    let descr = "[('x', '<f4'), ('id', '<i8'), ('z', '<f8'), ('y', '<f2')]";
    let header = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': (2,), }}");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16 + 1).to_le_bytes());
    bytes.extend(header.bytes().chain([b'\n']));
    for (x, z, y) in [(2.0_f32, 1.0_f64, 0x4200_u16), (5.0, 4.0, 0x4600)] {
        bytes.extend(x.to_le_bytes());
        bytes.extend(7_i64.to_le_bytes());
        bytes.extend(z.to_le_bytes());
        bytes.extend(y.to_le_bytes());
    }
    std::fs::write(it.path().join("p.npy"), bytes).unwrap();
    for file in ["p.alg", "soa.alg"] {
        let run = json(it.path(), &format!("run {file} --input p=p.npy --output p=out.csv --json"));
        assert_eq!(run["answer"], 6.0 - 9.0);
        let out = std::fs::read_to_string(it.path().join("out.csv")).unwrap();
        assert_eq!(out, "x,y,z\n3,3,1\n9,6,4\n");
    }
    std::fs::write(
        it.path().join("q.alg"),
        "algorithm q(n)\ninput p[n] : f32\noutput r[1] : f32\n\nr[0] ← p[0]\n",
    )
    .unwrap();
    let message = fails(it.path(), "run q.alg --input p=p.npy");
    assert!(message.contains("has fields x, id, z, y; declare records"), "{message}");
}

#[test]
fn what_is_no_field_says_why() {
    for (line, why) in [
        ("p[i] ← 1", "name a field of one, as in `p[i].x`"),
        ("p[i].w ← 1", "its fields are x, y, z"),
        ("r[i].x ← 1", "`r` has no field `x`"),
        ("p[i, 0].x ← 1", "`p` holds records, in 1 dimension"),
        ("r[i] ← p[n].y", "p[8].y is outside `p`"),
    ] {
        let text = particles("").replace("p[i].x ← p[i].x + p[i].z", line);
        let it = folder(&[("p.alg", &text)]);
        let message = fails(it.path(), "run p.alg --set n=8");
        assert!(message.contains(why), "{line}: {message}");
    }
    for (fields, why) in [
        ("{x, y : f32, k : i32}", "the fields of a record have one type"),
        ("{x, x : f32}", "a second field `x`"),
        ("{x, y}", "write the fields' type"),
        ("{}", "a field's name"),
    ] {
        let text = particles("").replace("{x, y, z : f32}", fields);
        let it = folder(&[("p.alg", &text)]);
        let message = fails(it.path(), "check p.alg");
        assert!(message.contains(why), "{fields}: {message}");
    }
    let race = particles("").replace("p[i].x ← p[i].x", "p[0].y ← p[i].x");
    let it = folder(&[("p.alg", &race)]);
    let text = succeeds(it.path(), "check p.alg --set n=8");
    assert!(text.contains("p[0].y"), "{text}");
}
