//! The picture of `docs/how-time-is-counted.md`: rows of a nest, their warps and address groups.
//!
//! `cargo run --example rows_over_warps > plots/rows-over-warps.svg`

use std::fmt::Write;

use memory_machine::machine::{Machine, MachineKind, StageCounter};
use memory_machine::trace::{AccessKind, Piece, Step, StridedRun};
use memory_machine::units::{Address, Latency, Width};

/// Loop D of UMM-OPT, stage r: row i is threads that ask for M[i, i+r], …, M[i, i+2r−1].
const N: u64 = 48;
const R: u64 = 10;
const W: u64 = 4;
/// Rows in the picture; one, and three periods.
const ROWS: u64 = 13;
const PERIOD: u64 = 4;

/// Pixels.
const CELL: u64 = 44;
const ROW: u64 = 40;
const LEFT: u64 = 250;
const TOP: u64 = 128;
const GROUPS: u64 = 4;
const SIZE: (u64, u64) = (1240, 770);

/// Okabe and Ito's blue and orange, light enough for black numbers.
const FULL: [&str; 2] = ["#8CC4EA", "#B9DCF3"];
const BORDER: &str = "#F3C057";
const GREY: &str = "#666666";
const INK: &str = "#000000";
const PAGE: &str = "#FFFFFF";

fn main() {
    print!("{}", svg());
}

/// Address of row `i`'s first cell.
const fn base(i: u64) -> u64 {
    i * N + i + R
}

/// Stages of each warp that is complete within the picture, by its number.
fn stages() -> Vec<u64> {
    let mut step = Step::new(AccessKind::Read);
    for i in 1..=ROWS + 1 {
        let base = Address(base(i));
        step.pieces.push(Piece::Run(StridedRun { base, stride: 1, count: R }));
    }
    let width = Width::new(W).expect("positive");
    let latency = Latency::new(1).expect("positive");
    let machine = Machine { kind: MachineKind::Umm, width, latency };
    let mut stages = vec![];
    StageCounter::new(machine).visit(&step, |warps| {
        stages.extend((0..warps.count).map(|_| warps.stages));
    });
    stages
}

/// The warps whose last thread is in row `i`.
const fn warps_ending_in(i: u64) -> std::ops::Range<u64> {
    (i - 1) * R / W..i * R / W
}

/// Whether a warp's threads belong to more than one row.
const fn is_border(warp: u64) -> bool {
    warp * W / R != (warp * W + W - 1) / R
}

/// The picture as SVG text.
pub fn svg() -> String {
    let mut svg = Svg(String::new());
    let (width, height) = SIZE;
    writeln!(
        svg.0,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" \
         role=\"img\">"
    )
    .expect("a string");
    let stages = stages();
    let of_row = |i: u64| warps_ending_in(i).map(|warp| stages[warp as usize]).sum::<u64>();
    let of_period = |first: u64| (first..first + PERIOD).map(of_row).sum::<u64>();
    let title = format!("Every period of {PERIOD} rows takes {} stages", of_period(2));
    let subtitle = format!(
        "Loop D of UMM-OPT, n = {N}, r = {R}, w = {W}: a row is {R} threads, the next begins \
         n + 1 = {} words further",
        N + 1
    );
    writeln!(svg.0, "<title>{title}</title>\n<desc>{subtitle}</desc>").expect("a string");
    svg.rect((0, 0), SIZE, PAGE, "none");
    svg.text((40, 46), 25, "start", INK, &title);
    svg.text((40, 76), 17, "start", GREY, &subtitle);

    let (right, bottom) = (LEFT + GROUPS * W * CELL, TOP + ROWS * ROW);
    for i in 1..=ROWS {
        svg.row(i, &stages);
    }
    // Borders of address groups.
    for group in 0..=GROUPS {
        let x = LEFT + group * W * CELL;
        svg.line((x, TOP - 8), (x, bottom + 4), INK, 2);
    }
    svg.text((LEFT, TOP - 18), 15, "start", GREY, "address groups: w words each, aligned");
    svg.text((right + 30, TOP - 18), 15, "start", GREY, "stages of warps ending here");

    for (number, name) in ["first period", "second period", "third period"].iter().enumerate() {
        let from = TOP + (1 + number as u64 * PERIOD) * ROW;
        let sum = format!("{} stages", of_period(2 + number as u64 * PERIOD));
        svg.bracket(from + 5, from + PERIOD * ROW - 5, name, &sum);
    }
    let more = format!("⋮  up to row {}: each period as the one before", N - 2 * R);
    svg.text((LEFT + 8, bottom + 34), 16, "start", GREY, &more);

    let legend = bottom + 76;
    let items = [
        (40, FULL[0], "full warp: one row, contiguous"),
        (430, BORDER, "border warp: end of a row, beginning of the next"),
    ];
    for (x, colour, what) in items {
        svg.rect((x, legend - 17), (24, 22), colour, INK);
        svg.text((x + 34, legend), 16, "start", INK, what);
    }
    svg.text((960, legend), 16, "start", INK, "numbers: threads");
    svg.0 += "</svg>\n";
    svg.0
}

struct Svg(String);

impl Svg {
    fn row(&mut self, i: u64, stages: &[u64]) {
        let y = TOP + (i - 1) * ROW;
        let first = (i - 1) * R;
        self.text((LEFT - 16, y + 26), 16, "end", INK, &format!("i = {i}"));
        for thread in first..first + R {
            let x = LEFT + (base(i) % W + thread - first) * CELL;
            let warp = thread / W;
            let colour = if is_border(warp) { BORDER } else { FULL[(warp % 2) as usize] };
            self.rect((x, y + 4), (CELL, ROW - 8), colour, "#FFFFFF");
            self.text((x + CELL / 2, y + 26), 15, "middle", INK, &thread.to_string());
        }
        let ends: Vec<u64> = warps_ending_in(i).map(|warp| stages[warp as usize]).collect();
        let sum: u64 = ends.iter().sum();
        let ends: Vec<String> = ends.iter().map(u64::to_string).collect();
        let x = LEFT + GROUPS * W * CELL + 30;
        self.text((x, y + 26), 16, "start", INK, &format!("{} = {sum}", ends.join(" + ")));
    }

    /// The rows of one period: its name on the left, its stages on the right.
    fn bracket(&mut self, from: u64, to: u64, name: &str, sum: &str) {
        let (left, right, middle) =
            (LEFT - 90, LEFT + GROUPS * W * CELL + 164, (from + to) / 2 + 6);
        for (x, inwards) in [(left, left + 9), (right, right - 9)] {
            for (a, b) in
                [((x, from), (x, to)), ((x, from), (inwards, from)), ((x, to), (inwards, to))]
            {
                self.line(a, b, GREY, 2);
            }
        }
        self.text((left - 12, middle), 16, "end", INK, name);
        self.text((right + 12, middle), 16, "start", INK, sum);
    }

    fn rect(&mut self, at: (u64, u64), size: (u64, u64), fill: &str, stroke: &str) {
        let ((x, y), (width, height)) = (at, size);
        writeln!(
            self.0,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\" \
             stroke=\"{stroke}\"/>"
        )
        .expect("a string");
    }

    fn line(&mut self, from: (u64, u64), to: (u64, u64), colour: &str, width: u64) {
        let ((x1, y1), (x2, y2)) = (from, to);
        writeln!(
            self.0,
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{colour}\" \
             stroke-width=\"{width}\"/>"
        )
        .expect("a string");
    }

    fn text(&mut self, at: (u64, u64), size: u64, anchor: &str, fill: &str, text: &str) {
        let (x, y) = at;
        writeln!(
            self.0,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\" \
             fill=\"{fill}\">{text}</text>"
        )
        .expect("a string");
    }
}
