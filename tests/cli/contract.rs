//! What scripts rely on: fields of JSON, exit codes, files that appear whole or not at all.

use std::process::{Command, Stdio};

use serde_json::Value;

use super::listings;
use crate::support::{command, exits, fails, folder, json, reads, root, umm};

const COUNTS: [&str; 4] = ["accesses", "dispatches", "stages", "time_units"];

#[test]
fn a_run_as_json() {
    let folder = folder(&[]);
    let run = json(
        folder.path(),
        "run umm_opt --input c=paper -m dmm -w 4 -l 5 -p 16 --mode async --json",
    );
    assert_eq!(run["algorithm"], "umm_opt");
    assert_eq!(run["machine"], serde_json::json!({ "kind": "dmm", "width": 4, "latency": 5 }));
    assert_eq!((&run["threads"], &run["mode"]), (&16.into(), &"async".into()));
    assert_eq!(run["verified"], true);
    assert_eq!(run["answer"], 6);
    let phases = run["phases"].as_array().unwrap();
    let names: Vec<&str> = phases.iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["A", "B", "C", "D", "E", "F"]);
    for count in COUNTS {
        let of_phases: u64 = phases.iter().map(|it| it[count].as_u64().unwrap()).sum();
        assert_eq!(of_phases, run[count].as_u64().unwrap(), "{count}");
    }
}

#[test]
fn answers_and_verdicts() {
    let mine = "algorithm mine(n)\noutput o[n] : f32\nanswer o[0]\n\no[0] ← +∞\n";
    let wrong =
        "algorithm sum(n)\ninout a[n] : f32\nanswer if a[0] > 1 then a[0] else a[1]\n\na[0] ← 2\n";
    let folder = folder(&[("mine.alg", mine), ("sum.alg", wrong)]);
    let run = json(folder.path(), "run mine.alg --set n=4 --json");
    assert_eq!((&run["answer"], &run["verified"]), (&Value::Null, &Value::Null));
    // Another listing of a shipped name has no reference; its answer is no access.
    let run = json(folder.path(), "run sum.alg --set n=4 --json");
    assert_eq!((&run["answer"], &run["verified"]), (&2.into(), &Value::Null));
    assert_eq!(run["accesses"], 1);
    let run = json(folder.path(), "run transpose --set n=4 --json");
    assert_eq!((&run["answer"], &run["verified"]), (&Value::Null, &true.into()));
}

#[test]
fn a_traced_run_replays_to_the_same_counts() {
    let folder = folder(&[]);
    let at = folder.path();
    let mut cases: Vec<String> = listings().map(|it| format!("{it} --set n=9")).collect();
    for arrangement in ["row", "column"] {
        for name in ["prefix_sums", "opt"] {
            cases.push(format!("{name} --set n=6 --bulk {arrangement}"));
        }
    }
    for case in crate::some(cases, 8) {
        for (width, threads) in [(4, 10), (3, 1)] {
            let options = format!("{case} -w {width} -p {threads}");
            assert!(umm(at, &format!("trace {options} -o t.trace")).status.success());
            for machine in ["umm", "dmm"] {
                for mode in ["sync", "async"] {
                    let clock = format!("-m {machine} -l 7 --mode {mode} --json");
                    let run = json(at, &format!("run {options} {clock}"));
                    let replay = json(at, &format!("replay t.trace -w {width} {clock}"));
                    for field in ["threads", "machine", "mode"].into_iter().chain(COUNTS) {
                        assert_eq!(run[field], replay[field], "{field}: {options} {clock}");
                    }
                }
            }
        }
    }
}

#[test]
fn the_papers_pipeline_figure() {
    let folder = folder(&[("figure.trace", "\u{feff}threads 8\r\nR 0 5 2 9 12+1x4\r\n")]);
    let replay = json(folder.path(), "replay figure.trace -w 4 -l 5 --json");
    let counts = COUNTS.map(|count| replay[count].as_u64().unwrap());
    assert_eq!(counts, [8, 2, 4, 8]);
}

#[test]
fn a_check_as_json() {
    let racy =
        "algorithm racy(n)\ninout a[n] : f32\n\nfor i ← 1 to n-1 do in parallel\n  a[i] ← a[i-1]\n";
    let folder = folder(&[("racy.alg", racy)]);
    let check = json(folder.path(), "check umm_opt --set n=9 --json");
    assert_eq!((&check["oblivious"], &check["pram_class"]), (&true.into(), &"CREW".into()));
    assert_eq!(check["races"], serde_json::json!([]));
    let check = json(folder.path(), "check permute --json");
    assert_eq!((&check["oblivious"], &check["pram_class"]), (&false.into(), &Value::Null));
    assert_eq!(check["dependence"]["at"]["line"], 7);
    assert_eq!(check["dependence"]["chain"][0]["line"], 3);
    let check = json(folder.path(), "check racy.alg --set n=5 --json");
    assert_eq!(
        check["races"],
        serde_json::json!([{
            "element": "a[1]",
            "accesses": [
                { "kind": "write", "iteration": { "i": 1 }, "line": 5 },
                { "kind": "read", "iteration": { "i": 2 }, "line": 5 },
            ],
        }])
    );
    let text = umm(folder.path(), "check racy.alg --set n=5").stdout;
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("RACE on a[1]"), "{text}");
    assert!(text.contains("iteration i = 1 writes it in line 5: a[i] ← a[i-1]"), "{text}");
    assert!(text.contains("iteration i = 2 reads it in line 5: a[i] ← a[i-1]"), "{text}");
}

/// Nothing is overwritten, and nothing is left lying about, unless all goes well.
#[test]
fn a_failed_run_leaves_files_alone() {
    let stuck = "algorithm stuck(n)\noutput o[n] : f32\n\nfor i ← 0 to n do\n  o[i] ← i\n";
    let forbidden = "0,0,inf,inf,0\n0,0,0,inf,inf\ninf,0,0,0,inf\ninf,inf,0,0,0\n0,inf,inf,0,0\n";
    let files = [
        ("stuck.alg", stuck),
        ("c.csv", forbidden),
        ("old.svg", "old"),
        ("m.csv", "old"),
        ("t", "old"),
    ];
    let folder = folder(&files);
    let at = folder.path();
    fails(at, "run stuck.alg --set n=4 --output o=old.svg");
    fails(at, "trace stuck.alg --set n=4 -o t");
    fails(at, "run opt --set n=4 --output M=m.csv --output c=missing/c.csv");
    fails(at, "run opt --set n=4 --output M=m.csv --output c=m.csv");
    // No triangulation of finite weight: the table could be written, the picture cannot.
    exits(at, "run opt --input c=c.csv --output M=m.csv --draw old.svg", 1);
    let mut found: Vec<String> = std::fs::read_dir(at)
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort();
    assert_eq!(found, ["c.csv", "m.csv", "old.svg", "stuck.alg", "t"]);
    for (name, text) in files {
        assert_eq!(std::fs::read_to_string(at.join(name)).unwrap(), text);
    }
    assert!(umm(at, "run opt --set n=4 --output M=m.csv --draw old.svg").status.success());
    assert_eq!(std::fs::read_to_string(at.join("m.csv")).unwrap().lines().count(), 4);
    assert!(std::fs::read_to_string(at.join("old.svg")).unwrap().contains("<svg"));
}

#[test]
fn outputs_read_back_as_inputs() {
    let folder = folder(&[("odd.csv", "\u{feff}1e3, -0.1\r\n\r\ninf,3.5\r\n")]);
    let at = folder.path();
    let copy = "algorithm copy(n)\ninput a[n, n] : f32\noutput o[n, n] : f32\n\nfor i ← 0 to n-1 do\n  for j ← 0 to n-1 do\n    o[i, j] ← a[i, j]\n";
    std::fs::write(at.join("copy.alg"), copy).unwrap();
    assert!(umm(at, "run copy.alg --input a=odd.csv --output o=1.csv").status.success());
    assert!(umm(at, "run copy.alg --input a=1.csv --output o=2.csv").status.success());
    let texts = ["1.csv", "2.csv"].map(|name| std::fs::read_to_string(at.join(name)).unwrap());
    assert_eq!(texts, ["1000,-0.1\ninf,3.5\n"; 2]);
}

#[test]
fn extreme_numbers_are_answered() {
    let wide = "algorithm wide(n)\noutput o[n] : i64\n\nfor i ← -n - 1 to n do in parallel\n  if i > n - 2 then o[0] ← i\n";
    let steps = "algorithm steps(n)\noutput o[4] : i64\n\nfor i ← -n to n step n do in parallel\n  o[i / n + 1] ← i\nfor i ← n to -n step n do\n  o[3] ← i\nfor i ← -n to n step n do\n  o[3] ← i\n";
    let bare = "algorithm bare(n)\n\nx ← n\n";
    let folder = folder(&[("wide.alg", wide), ("steps.alg", steps), ("bare.alg", bare)]);
    let at = folder.path();
    for line in [
        "run wide.alg --set n=9223372036854775807 -p 281474976710656",
        "run prefix_sums --set n=9223372036854775807",
        "run prefix_sums --set n=4 --bulk column -p 281474976710656",
        "run bare.alg --set n=4 --bulk column -p 281474976710656",
        "check matrix_multiply --set n=9223372036854775807",
    ] {
        fails(at, line);
    }
    let large = i64::MAX / 2 + 9;
    let run = format!("run steps.alg --set n={large} --output o=o.csv");
    assert!(umm(at, &run).status.success());
    let text = std::fs::read_to_string(at.join("o.csv")).unwrap();
    assert_eq!(text, format!("{}\n0\n{large}\n{large}\n", -large));
    for algorithm in [
        "matrix_chain",
        "lcs",
        "sum",
        "prefix_sums",
        "transpose",
        "permute",
        "matrix_multiply",
        "greedy",
        "quickhull",
    ] {
        let line = format!("run {algorithm} --set n=1 -p 1 -w 1 -l 1 --json");
        assert_eq!(json(at, &line)["verified"], true);
        json(at, &format!("run {algorithm} --set n=2 -w 1000000 -p 281474976710656 --json"));
    }
}

#[test]
fn a_closed_pipe_is_no_failure() {
    for line in ["trace opt --set n=40 -o -", "completions zsh", "list", "run sum --set n=8"] {
        let mut child =
            command(root(), line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{line}");
        assert_eq!(output.status.code(), Some(0), "{line}");
    }
    let mut child = command(root(), "run nothing").stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[test]
fn listings_and_traces_from_standard_input() {
    for (line, text, wanted) in [
        (
            "run - --set n=4 --json",
            "algorithm t(n)\noutput o[n] : f32\n\no[0] ← 1\n",
            "\"accesses\":1",
        ),
        ("replay - --json", "threads 2\nW 0 1\n", "\"accesses\":2"),
    ] {
        let output = reads(root(), line, text);
        assert!(String::from_utf8(output.stdout).unwrap().contains(wanted));
    }
}

#[test]
fn time_alone_is_the_time_of_the_run() {
    let folder = folder(&[]);
    for line in [
        "umm_opt --set n=40 -p 96",
        "umm_opt --set n=40 -p 100 -m dmm --mode async",
        "transpose --set n=24 -w 8",
        "opt --set n=9 --bulk row -p 33",
        "permute --set n=50 -p 16",
    ] {
        let mut run = json(folder.path(), &format!("run {line} --json"));
        let mut time = json(folder.path(), &format!("run {line} --time-only --json"));
        for report in [&mut run, &mut time] {
            let report = report.as_object_mut().unwrap();
            for field in ["executed", "unchecked", "verified", "answer", "races", "inputs"] {
                report.remove(field);
            }
        }
        assert_eq!(run, time, "{line}");
    }
    // The diagonal's addresses are affine in pieces, a reversal's are made in a loop, a permutation's
    // depend on data.
    let transpose = json(folder.path(), "run transpose --set n=24 --time-only --json");
    assert_eq!(transpose["executed"], serde_json::json!([]));
    let ntt = json(folder.path(), "run ntt --time-only --json");
    assert_eq!(ntt["executed"][0]["phases"], serde_json::json!(["reverse"]));
    let permute = json(folder.path(), "run permute --set n=24 --time-only --json");
    assert_eq!(permute["executed"][0]["line"], 7);
}

/// A script that takes what exits with 0 takes proofs alone.
#[test]
fn claims_exit_with_their_verdicts() {
    let capped = "algorithm capped(n)\ninout a[n] : i32\n\nk ← 1\n\
                  while k × k < min(n, 1000000) do\n  a[0] ← a[0] + 1\n  k ← k + 1\n";
    let folder = folder(&[("capped.alg", capped)]);
    for (line, verdict, code) in [
        ("sum --bound n/w+n·l/p+l·log(n)", "proved", 0),
        ("sum --bound n/w+n·l/p+l", "refuted", 1),
        ("transpose --bound Ω(n)", "refuted", 1),
        ("capped.alg --bound l", "open", 3),
    ] {
        let output = umm(folder.path(), &format!("complexity {line} --json"));
        assert_eq!(output.status.code(), Some(code), "{line}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["verdict"], verdict, "{line}");
        assert_eq!(output.stderr.is_empty(), code == 0, "{line}");
    }
    let output = umm(folder.path(), "complexity capped.alg --bound l");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("NOT PROVED: O(l)\n") && text.contains("time/claim"), "{text}");
}

/// What stands for numbers of memory is of their type, whatever the register held before.
#[test]
fn unknown_numbers_fit_their_types() {
    let plain = "algorithm f(n)\ninput b[n] : u8\noutput v[n] : u16\n\nk ← 0\nwhile k < n do\n  \
                 h ← n × 100000 xor k\n  v[k] ← b[k] xor b[0]\n  k ← k + 1\n";
    for operation in ["xor", "|", "&", "+", "max"] {
        let text = match operation {
            "max" => plain.replace("b[k] xor b[0]", "max(b[k], b[0])"),
            "+" => plain.replace("b[k] xor b[0]", "b[k] mod 100 + b[0] mod 100"),
            _ => plain.replace("[k] xor", &format!("[k] {operation}")),
        };
        let folder = folder(&[("f.alg", &text)]);
        for flags in ["", " --bulk row -p 4"] {
            let run = json(folder.path(), &format!("run f.alg --set n=6{flags} --json"));
            let time =
                json(folder.path(), &format!("run f.alg --set n=6{flags} --time-only --json"));
            assert_eq!(run["time_units"], time["time_units"], "{text}");
        }
    }
}

#[test]
fn a_bulk_run_of_2_to_the_30_inputs_is_timed() {
    let folder = folder(&[]);
    let p = 1_u128 << 30;
    for (arrangement, step) in [("row", p + 99), ("column", p / 32 + 99)] {
        let line =
            format!("run prefix_sums --set n=4096 --bulk {arrangement} -p {p} --time-only --json");
        let time = &json(folder.path(), &line)["time_units"];
        assert_eq!(time.to_string(), (step * 2 * 4096).to_string());
    }
}

#[test]
fn links_and_pipes_are_written_through_not_replaced() {
    let folder = folder(&[("target.csv", "old\n")]);
    let path = |name: &str| folder.path().join(name);
    std::os::unix::fs::symlink("target.csv", path("link.csv")).unwrap();
    let output = umm(folder.path(), "run transpose --set n=2 --output a=link.csv");
    assert_eq!(output.status.code(), Some(0));
    assert!(path("link.csv").is_symlink());
    assert_eq!(std::fs::read_to_string(path("target.csv")).unwrap().lines().count(), 2);

    assert!(Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
    let reader = Command::new("cat").arg(path("pipe")).stdout(Stdio::piped()).spawn().unwrap();
    let output = umm(folder.path(), "run transpose --set n=2 --output a=pipe");
    assert_eq!(output.status.code(), Some(0));
    let read = reader.wait_with_output().unwrap().stdout;
    assert_eq!(String::from_utf8(read).unwrap().lines().count(), 2);
}

#[test]
fn what_no_reference_determines_is_not_verified() {
    let folder = folder(&[("p.csv", "0\n0\n1\n2\n"), ("b.csv", "3e38,3e38,-3e38,-3e38\n")]);
    for line in ["permute --input p=p.csv", "prefix_sums_parallel --input b=b.csv"] {
        let report = json(folder.path(), &format!("run {line} --json"));
        assert_eq!(report["verified"], Value::Null, "{line}");
    }
}
