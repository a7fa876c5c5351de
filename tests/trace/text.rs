//! The text format: what it reads, what it prints, and what it says of faults.

use memory_machine::trace::text::{self, Parser, TextError, TraceLine};
use memory_machine::trace::{AccessKind, Event, Piece, StridedRun};
use memory_machine::units::Address;
use proptest::prelude::*;

use crate::machine::traces;

const EXAMPLE: &str = "\
threads 8
R 0+1x8          # a read step: addresses 0,1,…,7 for threads 0…7
W 16+0x4 -x4     # threads 0…3 write address 16, threads 4…7 idle

R 5 - 9 2+3x2    # single addresses, '-' idle, then 2 and 5; the rest of the threads idle
B                # barrier
";

fn run(base: u64, stride: i64, count: u64) -> Piece {
    Piece::Run(StridedRun { base: Address(base), stride, count })
}

#[test]
fn the_example_of_the_page() {
    let trace = text::parse(EXAMPLE).unwrap();
    assert_eq!(trace.threads.get(), 8);
    let steps: Vec<_> = trace
        .events
        .iter()
        .map(|event| match event {
            Event::Step(step) => Some((step.kind, step.pieces.clone())),
            Event::Barrier | Event::Blocks(_) => None,
        })
        .collect();
    let idle = Piece::Idle;
    assert_eq!(
        steps,
        [
            Some((AccessKind::Read, vec![run(0, 1, 8)])),
            Some((AccessKind::Write, vec![run(16, 0, 4), idle(4)])),
            Some((AccessKind::Read, vec![run(5, 0, 1), idle(1), run(9, 0, 1), run(2, 3, 2)])),
            None,
        ]
    );
    let printed = "threads 8\nR 0+1x8\nW 16+0x4 -x4\nR 5 - 9 2+3x2\nB\n";
    assert_eq!(trace.to_string(), printed);
}

#[test]
fn tabs_carriage_returns_and_empty_steps_are_fine() {
    let trace = text::parse("\r\n# first\n\tthreads\t3 # three\r\nR\r\nW 7-1x3\r\n").unwrap();
    assert_eq!(trace.to_string(), "threads 3\nR\nW 7-1x3\n");
}

/// `(line, column, span)` and the message.
fn fault(text: &str) -> ((usize, usize, usize), String) {
    let error = text::parse(text).unwrap_err();
    assert!(!error.help.is_empty());
    ((error.line, error.column, error.span), error.message)
}

#[test]
fn faults_are_named_and_pointed_at() {
    let largest = "9223372036854775807";
    let beyond = "9223372036854775808";
    let far = format!("threads 9\nR {largest}+1x2");
    let beyond_base = format!("threads 9\nR {beyond}");
    let beyond_stride = format!("threads 9\nR 0+{beyond}x2");
    let over = "threads 9223372036854775807\nR -x9223372036854775807 -x9223372036854775807 \
                -x9223372036854775807";
    let cases: &[(&str, (usize, usize, usize), &str)] = &[
        ("", (1, 1, 0), "the trace has no header"),
        ("# é\n  ", (2, 3, 0), "the trace has no header"),
        ("R 5", (1, 1, 1), "a step comes before the header"),
        ("B", (1, 1, 1), "a step comes before the header"),
        ("threads", (1, 1, 7), "the number of threads is missing"),
        ("threads 0", (1, 9, 1), "number of threads p must be at least 1"),
        ("threads x", (1, 9, 1), "`x` is not a number"),
        ("threads 8x", (1, 9, 2), "`8x` is not a number"),
        ("threads 8 9", (1, 11, 1), "`9` is one word too many"),
        ("threads 8\n\nthreads 8", (3, 1, 7), "the header is repeated; it said `threads 8`"),
        ("threads 8\nX 3", (2, 1, 1), "`X` is no kind of step"),
        ("threads 8\nX5", (2, 1, 2), "`X` is no kind of step"),
        ("threads 8\nR99", (2, 1, 3), "`99` is no number of words of an access"),
        ("threads 8\n  é 3", (2, 3, 1), "`é` is no kind of step"),
        ("threads 8\nB 3", (2, 3, 1), "`3` is one word too many"),
        ("threads 8\nR 5 öü 6", (2, 5, 2), "`öü` is not a piece of a step"),
        ("threads 8\nR 5x3", (2, 3, 3), "`5x3` is not a piece of a step"),
        ("threads 8\nR 5+3", (2, 3, 3), "`5+3` is not a piece of a step"),
        ("threads 8\nR 5+-3x2", (2, 3, 6), "`5+-3x2` is not a piece of a step"),
        ("threads 8\nR 5+3x2y", (2, 3, 6), "`5+3x2y` is not a piece of a step"),
        ("threads 8\nR -5", (2, 3, 2), "`-5` is not a piece of a step"),
        ("threads 8\nR -x", (2, 3, 2), "`-x` is not a piece of a step"),
        ("threads 8\nR 5+3x0", (2, 3, 5), "`5+3x0` is for no thread"),
        ("threads 8\nR -x0", (2, 3, 3), "`-x0` is for no thread"),
        ("threads 8\nR 5-3x4", (2, 3, 5), "the run reaches address -4"),
        ("threads 2\nR 1 2 3", (2, 7, 1), "the step names 3 threads, the trace has 2"),
        ("threads 8\nR 0+1x8 -", (2, 9, 1), "the step names 9 threads, the trace has 8"),
        (&far, (2, 3, 23), "`9223372036854775807+1x2` goes beyond the largest address or number"),
        (
            &beyond_base,
            (2, 3, 19),
            "`9223372036854775808` goes beyond the largest address or number",
        ),
        (
            &beyond_stride,
            (2, 3, 23),
            "`0+9223372036854775808x2` goes beyond the largest address or number",
        ),
    ];
    for &(text, place, message) in cases {
        assert_eq!(fault(text), (place, message.to_owned()), "{text:?}");
    }
    assert_eq!(fault(over).0, (2, 25, 21));
}

#[test]
fn the_largest_address_is_fine() {
    let text = "threads 3\nR 9223372036854775807-9223372036854775807x2 0\n";
    assert_eq!(text::parse(text).unwrap().to_string(), text);
}

#[test]
fn a_parser_goes_on_after_a_fault() {
    let mut parser = Parser::default();
    assert!(matches!(parser.line("threads 4"), Ok(TraceLine::Threads(_))));
    assert!(matches!(parser.line("R 9 9 9 9 9"), Err(TextError { .. })));
    assert_eq!(parser.line("B"), Ok(TraceLine::Event(Event::Barrier)));
    assert_eq!(parser.line(" # nothing"), Ok(TraceLine::Blank));
    assert_eq!(parser.line("Q").unwrap_err().line, 5);
    assert_eq!(parser.finish().unwrap().get(), 4);
}

proptest! {
    #![proptest_config(crate::cases(2_000))]

    #[test]
    fn a_printed_trace_reads_back_as_the_same(trace in traces::trace()) {
        let printed = trace.to_string();
        let back = text::parse(&printed).unwrap();
        prop_assert_eq!(back.to_string(), printed);
        prop_assert_eq!(back, trace);
    }

    /// Text that looks like a trace, then any text at all: a trace or an error that points into it.
    #[test]
    fn no_text_panics(text in "(threads [0-9]{1,20}\n)?([RWB#t][ \t]?([-+x0-9é ]{0,25})\r?\n?){0,6}") {
        points_inside(&text);
    }

    #[test]
    fn no_garbage_panics(text in "\\PC*(\n\\PC*)?") {
        points_inside(&text);
        points_inside(&format!("threads 9\nR {text}"));
    }
}

fn points_inside(text: &str) {
    let Err(error) = text::parse(text) else {
        return;
    };
    let line = text.lines().nth(error.line - 1).unwrap_or("");
    let end = error.column - 1 + error.span;
    assert!(error.column >= 1 && end <= line.chars().count(), "{text:?}: {error:?}");
}
