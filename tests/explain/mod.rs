//! `umm explain`: what it prints, what it refuses, and its rows against the schedule.

mod rows;

use std::process::Output;

use memory_machine::chart::pipeline;
use memory_machine::machine::{Machine, MachineKind, Mode, Recorder};
use memory_machine::trace::text::parse;
use memory_machine::units::{Latency, Threads, Width};

use crate::support::{folder, reads, root};

const FIGURE: &str = "threads 8\nR 7 5 15 0 10 11 8 9\n";

/// `umm explain` with the given words and standard input.
fn explain(words: &str, input: &str) -> Output {
    reads(root(), &format!("explain {words}"), input)
}

fn printed(words: &str, input: &str) -> String {
    let output = explain(words, input);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The message of a command that must exit with 2.
fn refused(words: &str, input: &str) -> String {
    let output = explain(words, input);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

/// An array of the papers' letter is not taken for address groups or banks.
#[test]
fn destinations_have_a_word_where_an_array_has_their_letter() {
    let text = |array: &str| {
        format!(
            "algorithm f(n)\ninout {array}[1..n] : i32\nfor i ← 1 to n do in parallel\n  {array}[i] ← 0\n"
        )
    };
    let folder = folder(&[("a.alg", &text("A")), ("b.alg", &text("B"))]);
    for (words, line) in [
        ("a.alg -m umm", "group[0]:  A[1] A[2]"),
        ("b.alg -m umm", "A[0]:  B[1] B[2]"),
        ("a.alg -m dmm", "B[0 1]:  A[1] A[2]"),
        ("b.alg -m dmm", "bank[0 1]:  B[1] B[2]"),
    ] {
        let words = format!("explain {words} --set n=2 -w 2 -l 2 -p 2");
        let output = reads(folder.path(), &words, "");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(line), "{words}: {text}");
    }
}

#[test]
fn the_papers_figure() {
    let expected = "\
UMM  w = 4  l = 5  synchronous  p = 8

time unit           1 2 3 4 5 6 7 8
W(0)  step 1 reads 7 5 15 0
  A[0]:  0          1 2 3 4 5
  A[1]:  5 7          1 2 3 4 5
  A[3]:  15             1 2 3 4 5
W(1)  step 1 reads 10 11 8 9
  A[2]:  8 9 10 11        1 2 3 4 5

complete after 8 time units: 3 + 1 stages + latency 5 − 1
time units count from 1; a number is the pipeline stage that the requests are in
";
    assert_eq!(printed("- -w 4 -l 5", FIGURE), expected);
}

#[test]
fn an_asynchronous_run_with_idle_threads_and_a_barrier() {
    let expected = "\
DMM  w = 4  l = 3  asynchronous  p = 8

time unit            1  2  3  4  5  6  7  8  9 10
W(0)  step 1 writes 4 8 – –
  B[0]:      4       1  2  3
  B[0]:      8          1  2  3
W(1)  step 1 writes 1 1 2 –
  B[1 2]:    1 2           1  2  3
W(0)  step 2 reads 0 – 2 3
  B[0 2 3]:  0 2 3               1  2  3
barrier
W(0)  step 4 reads 9 – – –
  B[1]:      9                            1  2  3

complete after 10 time units; the synchronous run takes 11
time units count from 1; a number is the pipeline stage that the requests are in
W(1) is idle in steps 2, 4: not dispatched
1 more step takes no time: no thread asks for anything
";
    let trace = "threads 8\nW 4 8 -x2 1+0x2 2\nR 0 - 2 3\nB\nR\nR 9";
    assert_eq!(printed("- -m dmm -w 4 -l 3 --mode async", trace), expected);
}

#[test]
fn a_long_latency_is_compressed() {
    let text = printed("- -w 4", FIGURE);
    assert!(text.contains("1   2   3   4   5   …  99 100 101 102 103\n"), "{text}");
    assert!(text.contains("A[3]:  15                   1   2   3   …  97  98  99 100\n"), "{text}");
    assert!(text.contains("complete after 103 time units: 3 + 1 stages + latency 100 − 1"));
}

#[test]
fn a_listing_takes_the_options_of_run() {
    let text = printed("sum --set n=8 -p 4 -w 4 -l 5", "");
    assert!(text.starts_with("sum  UMM  w = 4  l = 5  synchronous  p = 4\n"));
    assert!(text.contains("steps 1…9: 5 time units each: 1 stage + latency 5 − 1\n"), "{text}");
    let bulk = "prefix_sums --set n=4 --bulk column -p 8 -w 4 -l 5";
    assert!(printed(bulk, "").contains("time units each: 1 + 1 stages + latency 5 − 1\n"));
}

#[test]
fn the_slide_is_written_and_holds_the_picture() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("slide.svg");
    let words = format!("- -w 4 -l 5 --draw {}", path.display());
    printed(&words, FIGURE);
    let bitmap = folder.path().join("slide.png");
    printed(&format!("- -w 4 -l 5 --draw {}", bitmap.display()), FIGURE);
    assert!(std::fs::read(bitmap).unwrap().starts_with(b"\x89PNG"));
    let picture = std::fs::read_to_string(path).unwrap();
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"));
    // Sky blue for W(0), orange for W(1).
    assert_eq!(picture.matches("fill=\"#56B4E9\"").count(), 3 * 5);
    assert_eq!(picture.matches("fill=\"#E69F00\"").count(), 5);
    for text in ["W(1)", "A[3]", "8 9 10 11", "3 + 1 stages + latency 5 − 1"] {
        assert!(picture.contains(text), "{text}");
    }
}

#[test]
fn what_cannot_be_drawn_is_refused_with_the_remedy() {
    let stages = refused("umm_opt --set n=16", "");
    assert!(stages.contains("a picture holds at most 60"), "{stages}");
    assert!(stages.contains("explain a smaller run: smaller sizes (--set)"));
    let requests = refused("- -w 1000000", "threads 1000000\nR 3+0x1000000");
    assert!(requests.contains("the threads ask 1000000 times"), "{requests}");
    let wide = refused("- -l 100", "threads 32\nR 0+32x32");
    assert!(wide.contains("200 are the most; lower the latency (-l)"), "{wide}");

    let missing = refused("nowhere.trace", "");
    assert!(missing.contains("nowhere.trace: there is no such trace file"), "{missing}");
    let missing = refused("transpos --set n=4", "");
    assert!(missing.contains("did you mean `transpose`?"), "{missing}");
    let missing = refused("nowhere.alg", "");
    assert!(missing.contains("nowhere.alg: cannot read the file"), "{missing}");
    let malformed = refused("-", "threads 8\nR 1 x 3\n");
    assert!(malformed.contains("standard input:2:5"), "{malformed}");
    let options = refused("- --set n=3", FIGURE);
    assert!(options.contains("are for listings, and this is read as a trace"), "{options}");
}

/// Time units that do not fit stand below, with their rows again.
#[test]
fn a_narrow_terminal_has_the_time_units_below_one_another() {
    let mut recorder = Recorder::new(
        Machine {
            kind: MachineKind::Umm,
            width: Width::new(4).unwrap(),
            latency: Latency::new(5).unwrap(),
        },
        Threads::new(8).unwrap(),
    );
    parse(FIGURE).unwrap().replay(&mut recorder);
    let pipeline = recorder.finish(Mode::Sync).unwrap();
    let text = |columns| pipeline::text(&pipeline, columns).unwrap();
    assert_eq!(text(Some(80)), text(None));
    let expected = "
time unit           1 2 3 4
W(0)  step 1 reads 7 5 15 0
  A[0]:  0          1 2 3 4
  A[1]:  5 7          1 2 3
  A[3]:  15             1 2
W(1)  step 1 reads 10 11 8 9
  A[2]:  8 9 10 11        1

time unit           5 6 7 8
W(0)  step 1 reads 7 5 15 0
  A[0]:  0          5
  A[1]:  5 7        4 5
  A[3]:  15         3 4 5
W(1)  step 1 reads 10 11 8 9
  A[2]:  8 9 10 11  2 3 4 5

";
    assert!(text(Some(27)).contains(expected), "{}", text(Some(27)));
}

/// Steps of a long run, with elements and values, below phase and line.
#[test]
fn a_window_of_a_long_run_is_shown() {
    let gon = "umm_opt --input c=paper -w 4 -l 5 -p 8";
    let text = printed(&format!("{gon} --phase F --steps 98"), "");
    let expected = "\
umm_opt  UMM  w = 4  l = 5  synchronous  p = 8

time unit         695 696 697 698 699
step 98, F, line 28: M[i, i+r] ← M[i, i+r] + c[i-1, i+r]
W(0)  writes M[1, 7] = 6
  A[3]:  M[1, 7]    1   2   3   4   5

step 98: 5 time units: 1 stage + latency 5 − 1
the whole run is complete after 699 time units
time units count from 1; a number is the pipeline stage that the requests are in
W(1) is idle in step 98: not dispatched
";
    assert_eq!(text, expected);
    let one = printed(&format!("{gon} --warps 1 --steps 1"), "");
    assert!(one.contains("W(1)  writes M[1, 6] = inf") && !one.contains("W(0)"), "{one}");
    let later = printed("- -w 4 -l 5 --steps 2", "threads 8\nR 7 5 15 0\nW 1 2\n");
    assert!(later.contains("W(0)  step 2 writes 1 2 – –") && !later.contains("15"), "{later}");

    let none = refused(&format!("{gon} --steps 99"), "");
    assert!(none.contains("the run has 98 steps"), "{none}");
    let phase = refused(&format!("{gon} --phase G"), "");
    assert!(phase.contains("its phases are: A, B, C, D, E, F"), "{phase}");
    let whole = refused(gon, "");
    assert!(whole.contains("takes 307 pipeline stages") && whole.contains("--steps"), "{whole}");
}

/// A slide is 16:9, on either page.
#[test]
fn slides_are_as_wide_as_screens() {
    let folder = tempfile::tempdir().unwrap();
    for theme in ["light", "dark"] {
        let path = folder.path().join("slide.svg");
        let words =
            format!("sum --set n=8 -p 4 -w 4 -l 5 --theme {theme} --draw {}", path.display());
        printed(&words, "");
        let picture = std::fs::read_to_string(&path).unwrap();
        let size = |name: &str| -> f64 {
            let rest = picture.split(&format!(" {name}=\"")).nth(1).unwrap();
            rest.split('"').next().unwrap().parse().unwrap()
        };
        let (width, height) = (size("width"), size("height"));
        assert!((width / height - 16.0 / 9.0).abs() < 0.01, "{width} × {height}");
        assert!(picture.contains("a[0] = ") || picture.contains("a[4]"), "{theme}");
        // Heads of columns stand once.
        assert_eq!(picture.matches("elements").count(), 1);
    }
}
