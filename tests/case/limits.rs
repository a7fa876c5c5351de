//! What a stranger's listing may take of who runs it: work, time, files.

use std::fs;
use std::os::unix::fs::symlink;

use crate::support::{exits, fails, folder, json, succeeds, umm};

const LOOPS: &str = "algorithm loops(n)\noutput a[n] : i32\n\nr ← 0\nfor i ← 1 to 5000000 do\n  \
                     for j ← 1 to 5000000 do\n    r ← i\na[0] ← r\n";

#[test]
fn every_command_that_executes_stops_at_its_limit() {
    let folder =
        folder(&[("loops.alg", LOOPS), ("spec.toml", "algorithm = 'loops.alg'\nset.n = 4")]);
    for command in [
        "check loops.alg --set n=4",
        "run loops.alg --set n=4",
        "run loops.alg --set n=4 --time-only",
        "trace loops.alg --set n=4 -o t.trace",
        "explain loops.alg --set n=4",
        "graph loops.alg --set n=4",
        "sweep loops.alg --set n=4 -o rows.csv",
        "sweep spec.toml -o rows.csv",
        "bounds loops.alg --set n=4",
        "bench loops.alg --set n=4",
        "plot cells loops.alg --set n=4 --phase main -o cells.svg",
    ] {
        let message = exits(folder.path(), &format!("{command} --limit 1e6"), 1);
        assert!(message.contains("stopped at the limit of 1000000 operations"), "{message}");
        assert!(message.contains("loops.alg:6"), "{command}: {message}");
        assert!(message.contains("raise --limit"), "{command}: {message}");
    }
    let message = exits(folder.path(), "check loops.alg --set n=4 --limit 100ms", 1);
    assert!(message.contains("stopped at the limit of 0.1 s"), "{message}");
    // The lesser of several.
    let all = ["--limit", "1min", "--limit", "2e6 operations", "--limit", "3e6"];
    let words = [&["run", "loops.alg", "--set", "n=4"][..], &all].concat();
    let message = exits(folder.path(), &words[..], 1);
    assert!(message.contains("2000000 operations"), "{message}");
}

#[test]
fn what_stays_within_its_limit_is_as_without() {
    let folder = folder(&[]);
    let free = json(folder.path(), "run prefix_sums --set n=64 --bulk column -p 8 --json");
    let run = "run prefix_sums --set n=64 --bulk column -p 8 --json --limit 1min --limit 100_000";
    assert_eq!(json(folder.path(), run), free);
    exits(folder.path(), "run prefix_sums --set n=64 --bulk column -p 8 --limit 100", 1);
    for (limit, why) in [("0", "write a time"), ("0s", "write a time"), ("10 h", "write a time")] {
        let words = ["run", "sum", "--set", "n=8", "--limit", limit];
        assert!(fails(folder.path(), &words[..]).contains(why));
    }
}

const COPY: &str = "algorithm copy(n)\ninput a[n] : i32\noutput b[n] : i32\nreference REFERENCE\n\
                    ensures b = reference.b\n\nfor i ← 0 to n-1 do\n  b[i] ← a[i]\n";

/// None of its text is told, wherever it stands.
#[test]
fn a_listing_reads_no_file_but_listings_beside_it() {
    let outer = folder(&[("outside.alg", "top-secret\n")]);
    let home = outer.path().join("home");
    fs::create_dir_all(home.join("deep")).unwrap();
    fs::write(home.join("secret.alg"), "top-secret\n").unwrap();
    fs::write(home.join("secret.csv"), "top-secret\n").unwrap();
    let right = COPY.replace("reference REFERENCE\nensures b = reference.b\n", "");
    fs::write(home.join("deep/right.alg"), &right).unwrap();
    symlink(outer.path().join("outside.alg"), home.join("link.alg")).unwrap();
    symlink(home.join("deep"), home.join("folder")).unwrap();
    let absolute = outer.path().join("outside.alg");
    for (name, why) in [
        ("/etc/hostname", "lies outside the listing's folder"),
        (absolute.to_str().unwrap(), "lies outside"),
        ("/dev/stdin", "lies outside"),
        ("../outside.alg", "lies outside"),
        ("deep/../../outside.alg", "lies outside"),
        ("link.alg", "lies outside"),
        ("secret.alg", "line 1 is wrong"),
        ("deep/secret.csv", "there is no such file"),
        ("./secret.csv", "is no file FILE.alg"),
        ("secret", "no shipped listing"),
    ] {
        fs::write(home.join("copy.alg"), COPY.replace("REFERENCE", name)).unwrap();
        let message = fails(&home, "run copy.alg --set n=4");
        assert!(message.contains("copy.alg:4:11"), "{name}: {message}");
        assert!(message.contains(why) && message.contains("help: "), "{name}: {message}");
        assert!(!message.contains("top-secret"), "{name}: {message}");
    }
    for name in ["deep/right.alg", "folder/right.alg"] {
        fs::write(home.join("copy.alg"), COPY.replace("REFERENCE", name)).unwrap();
        let told = succeeds(&home, "run copy.alg --set n=4");
        assert!(told.contains("verified"), "{told}");
        let message = fails(&home, "run copy.alg --set n=4 --no-files");
        assert!(message.contains("may read no file (--no-files)"), "{message}");
    }
}

#[test]
fn sizes_are_read_as_people_write_them() {
    let folder = folder(&[]);
    let run =
        |n: &str| json(folder.path(), &format!("run sum --set n={n} -p 1K -w 2^5 -l 1e2 --json"));
    let plain = json(folder.path(), "run sum --set n=4096 -p 1000 -w 32 -l 100 --json");
    for n in ["4096", "4_096", "4Ki", "2^12", "4.096K", "4.096e3"] {
        assert_eq!(run(n), plain, "{n}");
    }
    let rows = succeeds(folder.path(), "sweep sum --set n=1Ki..2^12*2 -p 1e1,1_00 -o -");
    assert_eq!(rows.lines().count(), 7);
    for n in ["1.5", "1e-1", "x", "1K5", "2^64", "1,000"] {
        let message = fails(folder.path(), &format!("run sum --set n={n}"));
        assert!(message.contains("must be a whole number"), "{n}: {message}");
    }
}

#[test]
fn real_parameters_have_values() {
    let text = "algorithm scale(n, by : f64)\ninput a[n] : f64 from sorted\noutput b[n] : f64\nanswer b[0]\n\n\
                for i ← 0 to n-1 do in parallel\n  b[i] ← by\n";
    let paste = "void fill(double *b, int n, double by)\n{\n    for (int i = 0; i < n; i++)\n        b[i] = by;\n}\n";
    let folder = folder(&[("scale.alg", text), ("fill.c", paste)]);
    // What was read of a paste is said beside the report.
    let json = |words: &str| {
        let output = umm(folder.path(), words);
        assert!(output.status.success(), "{words}");
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    for file in ["scale.alg", "fill.c"] {
        let run = format!("run {file} --set n=4");
        let output = umm(folder.path(), &run);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains("give it: --set by=0.5"), "{message}");
        let report = json(&format!("{run} --set by=0.125 --json"));
        assert_eq!(report["parameters"]["by"], 0.125);
        let whole = json(&format!("{run} --set by=3 --json"));
        assert_eq!(whole["parameters"]["by"], 3.0);
        // The time does not depend on it.
        assert_eq!(whole["time_units"], report["time_units"]);
        let count = format!("{run} --set by=-2.5e-3 --time-only --json");
        assert_eq!(json(&count)["time_units"], report["time_units"]);
        let output = umm(folder.path(), &format!("cuda {file}"));
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8(output.stderr).unwrap().contains("--set by=0.5"));
        assert!(succeeds(folder.path(), &format!("cuda {file} --set by=0.125")).contains("0.125"));
    }
    let report = json("run scale.alg --set n=4 --set by=0.125 --json");
    assert_eq!(report["answer"], 0.125);
    let declared = "adopt fill.c --declare b:f32 --declare by:f32";
    let declared = succeeds(folder.path(), declared);
    assert!(declared.contains("algorithm fill(n, by : f32)") && declared.contains("b[n] : f32"));
    let message = fails(folder.path(), "run scale.alg --set n=4 --set by=1 --set of=0.5");
    assert!(message.contains("has no parameter `of`; its parameters are: n, by"), "{message}");
}

#[test]
fn what_is_nearly_right_is_told() {
    let folder = folder(&[]);
    for flag in ["-n 8", "-n", "--n 8"] {
        let message = fails(folder.path(), &format!("run sum {flag}"));
        assert!(message.contains("--set n=8"), "{flag}: {message}");
    }
    let message = fails(folder.path(), "hull --n 8");
    assert!(!message.contains("--set"), "{message}");
    let told = json(folder.path(), "run Sum --set n=8 --json");
    assert_eq!(told["algorithm"], "sum");
    let message = fails(folder.path(), "run PrefixSums --set n=8");
    assert!(message.contains("did you mean `prefix_sums`"), "{message}");
}

#[test]
fn inputs_depend_on_sizes() {
    let text = "algorithm pick(n)\ninput a[n] : i32 from random(0, n-1)\ninput c[n] : f64 from random(n, 2 × n)\n\
                output b[n] : i32\noutput d[n] : f64\n\nfor i ← 0 to n-1 do\n  b[a[i]] ← 1\n  d[i] ← c[i]\n  b[i] ← a[i]\n";
    let folder = folder(&[("pick.alg", text)]);
    for (n, flags) in [(1, ""), (5, ""), (64, "--input a=random:7"), (9, "--bulk column -p 3")] {
        let run = format!("run pick.alg --set n={n} {flags} --output b=b.csv --output d=d.csv");
        succeeds(folder.path(), &run);
        let numbers = |file: &str| -> Vec<f64> {
            let text = fs::read_to_string(folder.path().join(file)).unwrap();
            text.lines().map(|it| it.parse().unwrap()).collect()
        };
        let n = f64::from(n);
        assert!(numbers("b.csv").iter().all(|it| (0.0..n).contains(it)), "{n}");
        assert!(numbers("d.csv").iter().all(|it| (n..2.0 * n).contains(it)), "{n}");
    }
    assert!(fs::read_to_string(folder.path().join("b.csv")).unwrap().lines().any(|it| it != "0"));
    let told = succeeds(folder.path(), "run pick.alg --set n=5");
    assert!(told.contains("random(0, n-1)") || told.contains("random(0, n - 1)"), "{told}");
    fs::write(folder.path().join("bad.alg"), text.replace("random(0, n-1)", "random(2, n-3)"))
        .unwrap();
    let message = fails(folder.path(), "run bad.alg --set n=4");
    assert!(message.contains("the lesser first"), "{message}");
    for (wrong, why) in
        [("random(0, m)", "unknown"), ("random(0, n, 3)", "is filled from random(0, n, 3), but")]
    {
        fs::write(folder.path().join("bad.alg"), text.replace("random(0, n-1)", wrong)).unwrap();
        let message = fails(folder.path(), "run bad.alg --set n=4");
        assert!(message.contains(why), "{wrong}: {message}");
    }
}
