//! Files that commands read and write: inputs stay, outputs appear whole or not at all, under any name.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::support::{UMM, command, exits, fails, folder, reads, root, umm};

const MINE: &str =
    "algorithm mine(n)\ninout a[n] : f32\n\nfor i ← 0 to n-1 do\n  a[i] ← a[i] + 1\n";
const POLYGON: &str = "0,0\n4,0\n5,3\n2,6\n-1,3\n";

fn names(at: &Path) -> Vec<OsString> {
    let mut names: Vec<_> = fs::read_dir(at).unwrap().map(|it| it.unwrap().file_name()).collect();
    names.sort();
    names
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn no_output_takes_the_place_of_an_input() {
    let root = root();
    let shipped = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    let laos = shipped("tests/data/laos.geojson");
    let weights = shipped("tests/data/paper-8-gon-weights.csv");
    let samples = shipped("plots/data/prefix_sums.csv");
    let trace = "threads 2\nR 0 1\n";
    let files = [
        ("P.csv", POLYGON),
        ("L.geojson", &laos),
        ("W.csv", &weights),
        ("mine.alg", MINE),
        ("t.svg", trace),
        ("x.csv", "1,2,3,4\n"),
        ("samples.svg", &samples),
    ];
    let folder = folder(&files);
    let at = folder.path();
    symlink("mine.alg", at.join("soft.alg")).unwrap();
    fs::hard_link(at.join("mine.alg"), at.join("hard.alg")).unwrap();
    fs::hard_link(at.join("P.csv"), at.join("P.svg")).unwrap();
    let measured = root.join("models/measurements/nvidia-h200/2026-11-22");
    fs::create_dir(at.join("m")).unwrap();
    for name in ["device.json", "microbenchmarks.csv", "algorithms.csv"] {
        fs::copy(measured.join(name), at.join("m").join(name)).unwrap();
    }
    let measurements = |at: &Path| {
        let names = ["device.json", "microbenchmarks.csv", "algorithms.csv"];
        names.map(|name| fs::read(at.join(name)).unwrap())
    };
    let before = names(at);
    for line in [
        "opt solve P.csv --output P.csv",
        "opt solve L.geojson --output L.geojson",
        "opt solve --weights W.csv --output W.csv",
        "hull P.csv --csv P.csv",
        "greedy P.csv --draw P.svg",
        "run mine.alg --set n=4 --output a=mine.alg",
        "run mine.alg --input a=x.csv --output a=x.csv",
        "trace mine.alg --set n=4 -o mine.alg",
        "trace mine.alg --set n=4 -o soft.alg",
        "trace soft.alg --set n=4 -o hard.alg",
        "cuda mine.alg -o mine.alg",
        "bounds mine.alg --set n=4 --csv mine.alg",
        "sweep mine.alg --set n=4 -o mine.alg --force",
        "explain t.svg -w 2 -l 2 --draw t.svg",
        "plot time samples.svg -o samples.svg",
        "plot access t.svg -o t.svg",
        "plot pipeline P.csv -o P.svg",
        "fit m --csv m/algorithms.csv",
        "compare m --model h200 --csv m/microbenchmarks.csv",
        "calibrate m -o m/device.json",
        "report m -o m/device.json",
    ] {
        let message = fails(at, line);
        assert!(message.contains("is an input of this command; write to another"), "{message}");
    }
    let output = reads(at, "trace - --set n=4 -o W.csv", MINE);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(names(at), before);
    for (name, text) in files.iter().filter(|it| it.0 != "W.csv") {
        assert_eq!(fs::read_to_string(at.join(name)).unwrap(), *text, "{name}");
    }
    assert_eq!(measurements(&at.join("m")), measurements(&measured));
}

#[test]
fn no_two_outputs_go_to_one_place() {
    let folder = folder(&[("mine.alg", MINE), ("P.csv", POLYGON), ("o.csv", "old")]);
    let at = folder.path();
    symlink("o.csv", at.join("link.csv")).unwrap();
    for line in [
        "run mine.alg --set n=4 --output a=o.csv --output a=link.csv",
        "run mine.alg --set n=4 --output a=new.csv --output a=./new.csv",
        "opt solve P.csv --draw z.svg --tree ./z.svg",
    ] {
        let message = fails(at, line);
        assert!(message.contains("is to be written twice"), "{message}");
    }
    assert_eq!(fs::read_to_string(at.join("o.csv")).unwrap(), "old");
    assert_eq!(names(at), ["P.csv", "link.csv", "mine.alg", "o.csv"]);
}

#[test]
fn a_file_that_is_replaced_keeps_its_mode_and_a_protected_one_stays() {
    let folder = folder(&[("mine.alg", MINE), ("secret.csv", "old"), ("safe.csv", "old")]);
    let at = folder.path();
    let set = |name: &str, mode| {
        fs::set_permissions(at.join(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    let mode = |name: &str| fs::metadata(at.join(name)).unwrap().permissions().mode() & 0o777;
    set("secret.csv", 0o606);
    set("safe.csv", 0o444);
    assert!(umm(at, "run mine.alg --set n=2 --output a=secret.csv").status.success());
    assert_eq!(fs::read_to_string(at.join("secret.csv")).unwrap().lines().count(), 2);
    assert_eq!(mode("secret.csv"), 0o606);
    let message = fails(at, "run mine.alg --set n=2 --output a=safe.csv");
    assert!(message.contains("safe.csv: may not be written (see its mode)"), "{message}");
    assert_eq!(
        (fs::read_to_string(at.join("safe.csv")).unwrap().as_str(), mode("safe.csv")),
        ("old", 0o444)
    );
}

#[test]
fn an_output_on_standard_output_stands_there_alone() {
    let folder = folder(&[("mine.alg", MINE), ("numbers", "1,2,3\n")]);
    let at = folder.path();
    let line = "run mine.alg --input a=numbers --output a=/dev/stdout";
    let piped = umm(at, line);
    assert_eq!((piped.status.code(), text(&piped.stdout).as_str()), (Some(0), "2\n3\n4\n"));
    assert!(text(&piped.stderr).contains("time units"));
    let redirected = command(at, line)
        .stdout(fs::File::create(at.join("redirected")).unwrap())
        .output()
        .unwrap();
    assert_eq!(redirected.status.code(), Some(0));
    assert_eq!(fs::read_to_string(at.join("redirected")).unwrap(), "2\n3\n4\n");
    assert_eq!(text(&umm(at, "cuda mine.alg -o -").stdout), text(&umm(at, "cuda mine.alg").stdout));
    assert!(!at.join("-").exists());
}

#[test]
fn any_file_of_numbers_and_standard_input_are_inputs() {
    let folder = folder(&[("mine.alg", MINE), ("numbers", "1,2,3\n"), ("N.CSV", "1,2,3\n")]);
    let at = folder.path();
    for (source, input) in
        [("numbers", ""), ("N.CSV", ""), ("-", "1,2,3\n"), ("/dev/stdin", "1,2,3\n")]
    {
        let line = format!("run mine.alg --input a={source} --output a=/dev/stdout");
        let output = reads(at, &line, input);
        assert_eq!(text(&output.stdout), "2\n3\n4\n", "{source}: {}", text(&output.stderr));
    }
    let message = fails(at, "run mine.alg --input a=nowhere");
    assert!(message.contains("no such source or file"), "{message}");
}

#[test]
fn files_without_end_are_refused_at_once() {
    let folder = folder(&[]);
    let at = folder.path();
    for name in ["z.alg", "z.toml"] {
        symlink("/dev/zero", at.join(name)).unwrap();
    }
    for line in [
        "check z.alg",
        "sweep z.toml -o o.csv",
        "run sum --input a=/dev/zero",
        "run opt --input c=polygon:/dev/zero",
        "hull /dev/zero",
        "opt solve /dev/zero",
        "replay /dev/zero",
        "plot time /dev/zero -o o.svg",
    ] {
        let message = fails(at, line);
        assert!(message.contains(":1: not UTF-8 text"), "{message}");
    }
    fs::write(at.join("long.alg"), " ".repeat((1 << 20) + 1)).unwrap();
    assert!(fails(at, "check long.alg").contains("it is longer than 1 MiB"));
}

#[test]
fn names_need_not_be_text() {
    let folder = folder(&[]);
    let at = folder.path();
    let name = |end: &str| OsStr::from_bytes(&[b"n\xff", end.as_bytes()].concat()).to_owned();
    let of_a = |end: &str| OsStr::from_bytes(&[b"a=n\xff", end.as_bytes()].concat()).to_owned();
    for (end, text) in [(".alg", MINE), (".csv", "1,2,3\n"), (".points", POLYGON)] {
        fs::write(at.join(name(end)), text).unwrap();
    }
    let run = |arguments: &[OsString]| {
        let output = Command::new(UMM).current_dir(at).args(arguments).output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {:?}", output.stderr);
    };
    let word = |text: &str| OsString::from(text);
    let (alg, points, n) = (name(".alg"), name(".points"), word("n=4"));
    let (set, draw, output) = (word("--set"), word("--draw"), word("--output"));
    run(&[word("run"), alg.clone(), word("--input"), of_a(".csv"), output.clone(), of_a(".o.csv")]);
    run(&[word("check"), alg.clone(), set.clone(), n.clone()]);
    run(&[word("trace"), alg.clone(), set.clone(), n.clone(), word("-o"), name(".trace")]);
    run(&[word("graph"), alg.clone(), set.clone(), n, word("-o"), name(".svg")]);
    run(&[word("cuda"), alg, word("-o"), name(".cu")]);
    for command in ["hull", "greedy"] {
        let (picture, table) = (name(".svg"), name(".out.csv"));
        run(&[word(command), points.clone(), draw.clone(), picture, output.clone(), table]);
    }
    let (solve, table) = (word("solve"), name(".out.csv"));
    run(&[word("opt"), solve, points, output, table, word("--tree"), name(".dot")]);
    let written = [".o.csv", ".trace", ".svg", ".cu", ".out.csv", ".dot"];
    assert!(written.iter().all(|end| at.join(name(end)).exists()));
}

/// What came while a sweep ran is not its to replace; its own rows are safe.
#[test]
fn a_table_that_appears_during_a_sweep_is_left_alone() {
    let folder = folder(&[]);
    let at = folder.path();
    let line = "sweep permute --set n=30000..30100+1 -o table.csv";
    let child = command(at, line).stderr(Stdio::piped()).spawn().unwrap();
    while !at.join("table.csv.partial").exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    fs::write(at.join("table.csv"), "mine").unwrap();
    let output = child.wait_with_output().unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.starts_with("error: table.csv: exists; repeat the command"), "{message}");
    assert_eq!(fs::read_to_string(at.join("table.csv")).unwrap(), "mine");
    let rows = fs::read(at.join("table.csv.partial")).unwrap();
    assert_eq!(rows.iter().filter(|&&byte| byte == b'\n').count(), 1 + 101);
    assert!(umm(at, &format!("{line} --force")).status.success());
    assert_eq!(fs::read_to_string(at.join("table.csv")).unwrap().lines().count(), 1 + 101);
    assert_eq!(names(at), ["table.csv"]);
}

/// Of `env`: what a shell does in its background ignores Ctrl-C, tests too, and commands inherit that.
const HEARS_SIGNALS: &str = "--default-signal=INT,TERM,HUP";

/// Whether a process writes a file of this folder, which may have no name yet.
fn writes_into(id: u32, folder: &Path) -> bool {
    let opened = fs::read_dir(format!("/proc/{id}/fd")).into_iter().flatten().flatten();
    let folder = folder.canonicalize().unwrap();
    opened.into_iter().any(|it| fs::read_link(it.path()).is_ok_and(|to| to.starts_with(&folder)))
}

/// A trace that takes long to write, begun.
fn writer(folder: &Path) -> Child {
    let mut child = Command::new("env")
        .args([HEARS_SIGNALS, env!("CARGO_BIN_EXE_umm")])
        .current_dir(folder)
        .args(["trace", "umm_opt", "--set", "n=2000", "-o", "big.trace"])
        .spawn()
        .unwrap();
    while !writes_into(child.id(), folder) {
        assert_eq!(child.try_wait().unwrap(), None, "it ended before it began to write");
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

/// Nothing can be removed by a process that is killed.
#[test]
fn a_killed_command_leaves_nothing_behind() {
    let folder = folder(&[]);
    let mut child = writer(folder.path());
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().code(), None);
    assert!(names(folder.path()).is_empty(), "{:?}", names(folder.path()));
}

#[test]
fn a_full_disk_is_a_failed_run_whatever_is_written() {
    let folder = folder(&[("mine.alg", MINE), ("P.csv", POLYGON)]);
    for line in [
        "trace mine.alg --set n=4 -o /dev/full",
        "run mine.alg --set n=4 --output a=/dev/full",
        "cuda mine.alg -o /dev/full",
        "bounds mine.alg --set n=4 --csv /dev/full",
        "graph mine.alg --set n=4 -o full.dot",
        "opt solve P.csv --output full.csv",
        "hull P.csv --csv full.csv",
    ] {
        for name in ["full.dot", "full.csv"] {
            let _ = symlink("/dev/full", folder.path().join(name));
        }
        let message = exits(folder.path(), line, 1);
        assert!(message.contains("cannot write it: No space left on device"), "{line}: {message}");
    }
}

#[test]
fn signals_leave_no_half_written_file() {
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let folder = folder(&[]);
        let mut child = writer(folder.path());
        let arguments = [format!("-{signal}"), child.id().to_string()];
        assert!(Command::new("kill").args(arguments).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(128 + number), "{signal}");
        assert!(names(folder.path()).is_empty(), "{signal}");
    }
}

/// What a command shows on a terminal until it has shown `wanted`; then it is ended.
fn on_a_terminal(at: &Path, line: &str, wanted: &str) -> String {
    let umm = format!("exec env {HEARS_SIGNALS} {UMM} {line}");
    let mut child = Command::new("script")
        .args(["-q", "-e", "-c", &umm, "/dev/null"])
        .current_dir(at)
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("`script` of util-linux makes a terminal");
    let (mut shown, mut bytes) = (vec![], [0; 4096]);
    let mut out = child.stdout.take().unwrap();
    while !text(&shown).contains(wanted) {
        match out.read(&mut bytes).unwrap() {
            0 => break,
            read => shown.extend(&bytes[..read]),
        }
    }
    // Ctrl-C, as it is typed; the pipe stays open until the command has ended.
    let mut typed = child.stdin.take().unwrap();
    typed.write_all(b"\x03").unwrap();
    typed.flush().unwrap();
    out.read_to_end(&mut shown).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{line}");
    text(&shown)
}

#[test]
fn long_work_shows_on_a_terminal_how_far_it_has_come_and_ctrl_c_leaves_nothing() {
    let lines = [
        ("trace umm_opt --set n=4000 -o big.trace", " accesses, "),
        ("bounds quickhull --set n=1000000", "0 % of 1 points"),
        ("run umm_opt --set n=4000 --draw laos.svg", " accesses, "),
        ("check lcs --set n=4000", "a run with one thread an iteration, 2s"),
    ];
    for (line, wanted) in crate::some(lines, 2) {
        let folder = folder(&[]);
        let shown = on_a_terminal(folder.path(), line, wanted);
        assert!(shown.contains(wanted), "{line}: {shown}");
        assert!(names(folder.path()).is_empty(), "{line}");
    }
}
