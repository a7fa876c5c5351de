//! Every number that a picture of `plots/data/` shows is read back from the picture, by the numbers
//! at its axes, and found in the file that it was drawn from.

use std::fs;
use std::path::PathBuf;

use roxmltree::{Document, Node};

use crate::support::root;

/// A row of a file: its fields by column.
struct Row(Vec<(String, String)>);

impl Row {
    fn text(&self, column: &str) -> &str {
        self.0.iter().find(|it| it.0 == column).map_or("", |it| &it.1)
    }

    /// A column's number, or a parameter's.
    fn number(&self, column: &str) -> Option<f64> {
        let set =
            self.text("set").split(' ').find_map(|it| it.strip_prefix(column)?.strip_prefix('='));
        self.text(column).parse().ok().or_else(|| set?.parse().ok())
    }
}

fn rows(file: &str) -> Vec<Row> {
    let path: PathBuf = root().join(file);
    let mut reader = csv::Reader::from_path(path).unwrap();
    let head = reader.headers().unwrap().clone();
    let row = |record: csv::StringRecord| {
        Row(head.iter().map(str::to_owned).zip(record.iter().map(str::to_owned)).collect())
    };
    reader.records().map(|it| row(it.unwrap())).collect()
}

/// What a number at an axis, or in a cell, says: `2·10⁵`, `50 000`, `1K`, `100 ms`, `3×`, `1/2`.
fn value(text: &str) -> Option<f64> {
    let (text, unit) = ["ns", "µs", "ms", "s", "×", "K", "M", "G"]
        .iter()
        .find_map(|it| Some((text.strip_suffix(it)?, *it)))
        .unwrap_or((text, ""));
    let factor = match unit {
        "ns" => 1e-9,
        "µs" => 1e-6,
        "ms" => 1e-3,
        "K" => 1024.0,
        "M" => 1024.0 * 1024.0,
        "G" => 1024.0 * 1024.0 * 1024.0,
        _ => 1.0,
    };
    let text: String = text.chars().filter(|it| !it.is_whitespace()).collect();
    if let Some((above, below)) = text.split_once('/') {
        return Some(above.parse::<f64>().ok()? / below.parse::<f64>().ok()?);
    }
    let (mantissa, power) = match text.split_once("10").filter(|it| !it.1.is_empty()) {
        Some((before, power)) if power.chars().all(|it| "⁻⁰¹²³⁴⁵⁶⁷⁸⁹".contains(it)) =>
        {
            let digit = |it: char| match "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|digit| digit == it)
            {
                Some(at) => at.to_string(),
                None => "-".to_owned(),
            };
            let power: i32 = power.chars().map(digit).collect::<String>().parse().ok()?;
            (before.strip_suffix('·').unwrap_or("1").to_owned(), power)
        }
        _ => (text, 0),
    };
    Some(mantissa.parse::<f64>().ok()? * 10_f64.powi(power) * factor)
}

fn at(node: &Node, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

fn points(list: &str) -> Vec<(f64, f64)> {
    let pair = |it: &str| {
        let (x, y) = it.split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    list.split_whitespace().map(pair).collect()
}

/// A logarithmic axis, by the first and the last of the numbers beside it.
struct Axis {
    first: (f64, f64),
    last: (f64, f64),
}

impl Axis {
    /// Of pixels and values.
    fn new(ticks: &[(f64, f64)]) -> Self {
        let by = |one: &&(f64, f64), other: &&(f64, f64)| one.0.total_cmp(&other.0);
        let [first, last] =
            [ticks.iter().min_by(by), ticks.iter().max_by(by)].map(|it| *it.unwrap());
        assert!(last.0 > first.0, "one number at an axis: {ticks:?}");
        Self { first, last }
    }

    fn value(&self, pixel: f64) -> f64 {
        let part = (pixel - self.first.0) / (self.last.0 - self.first.0);
        (self.first.1.ln() + part * (self.last.1 / self.first.1).ln()).exp()
    }
}

/// A panel of curves: what its dots and the corners of its lines say, and whether they are quotients.
struct Panel {
    said: Vec<(f64, f64)>,
    quotients: bool,
}

const MUTED: &str = "#5C5E64";

fn panels(document: &Document) -> Vec<Panel> {
    let shapes: Vec<Node> = document.root_element().children().filter(Node::is_element).collect();
    let texts = || shapes.iter().filter(|it| it.has_tag_name("text"));
    let lines = || shapes.iter().filter(|it| it.has_tag_name("polyline"));
    let width = |it: &Node| at(it, "stroke-width");
    // The horizontal axis lies below all of its panel.
    let axes = lines().filter(|it| width(it) == 1.5 && it.attribute("stroke") == Some(MUTED));
    let ends = axes.map(|it| points(it.attribute("points").unwrap()));
    let ends: Vec<_> = ends.filter(|it| it.len() == 2 && it[0].1 == it[1].1).collect();
    let lowest = ends.iter().map(|it| it[0].1).fold(0.0, f64::max);
    let panel = |ends: &Vec<(f64, f64)>| {
        let ((left, _), (right, bottom)) = (ends[0], ends[1]);
        let ticks = |anchor: &str, is_there: &dyn Fn(f64, f64) -> bool, across: bool| {
            let there = texts().filter(|it| {
                it.attribute("text-anchor") == Some(anchor) && is_there(at(it, "x"), at(it, "y"))
            });
            let tick = |it: &Node| {
                let number = value(it.text().unwrap_or_default())?;
                Some((at(it, if across { "x" } else { "y" }), number))
            };
            there.filter_map(tick).collect::<Vec<_>>()
        };
        let below = |x: f64, y: f64| (left..=right).contains(&x) && (y - bottom - 18.0).abs() < 0.2;
        let beside = |x: f64, y: f64| (x - left + 8.0).abs() < 0.2 && y < bottom;
        let x = Axis::new(&ticks("middle", &below, true));
        let y = Axis::new(&ticks("end", &beside, false));
        let curves = lines().filter(|it| width(it) >= 3.0);
        let corners = curves.flat_map(|it| points(it.attribute("points").unwrap()));
        let dots = shapes.iter().filter(|it| it.attribute("stroke-linecap") == Some("round"));
        let dots = dots.flat_map(|it| {
            let all = it.attribute("d").unwrap().replace("h0", "");
            let dot = |it: &str| {
                let (x, y) = it.split_once(' ').unwrap();
                (x.parse().unwrap(), y.parse().unwrap())
            };
            all.split('M').filter(|it| !it.is_empty()).map(dot).collect::<Vec<_>>()
        });
        let inside = corners.chain(dots).filter(|it: &(f64, f64)| (left..=right).contains(&it.0));
        let quotients = texts().any(|it| {
            at(it, "x") < left
                && it.text().is_some_and(|it| it.ends_with('×') && value(it).is_some())
                && beside(at(it, "x"), at(it, "y"))
        });
        let said = inside.map(|(a, b)| (x.value(a), y.value(b))).collect();
        Panel { said, quotients }
    };
    ends.iter().filter(|it| it[0].1 == lowest).map(panel).collect()
}

/// A tenth of a pixel, of an axis of many decades.
fn near(one: f64, other: f64) -> bool {
    (one / other).ln().abs() < 0.006
}

fn picture(name: &str) -> String {
    fs::read_to_string(root().join("plots").join(name).with_extension("svg")).unwrap()
}

/// Picture, file, the column of the horizontal axis, and how many numbers it shows at least.
const CURVES: [(&str, &str, &str, usize); 13] = [
    ("prefix-sums-time", "prefix_sums", "threads", 100),
    ("prefix-sums-speedup", "prefix_sums", "threads", 50),
    ("opt-time", "opt", "threads", 100),
    ("opt-speedup", "opt", "threads", 50),
    ("transpose", "transpose", "n", 36),
    ("hmm-sat-d", "hmm_sat_d", "dmms", 20),
    ("hmm-sat-w", "hmm_sat_w", "width", 15),
    ("hmm-transpose-d", "hmm_transpose_d", "dmms", 30),
    ("hmm-transpose-w", "hmm_transpose_w", "width", 15),
    ("hmm-rap", "hmm_rap", "width", 18),
    ("hmm-opt-d", "hmm_opt_d", "dmms", 15),
    ("hmm-opt-w", "hmm_opt_w", "width", 10),
    ("hmm-opt-n", "hmm_opt_n", "n", 30),
];

/// What a picture shows and its file does not hold.
fn absent(svg: &str, (name, file, x, fewest): (&str, &str, &str, usize)) -> Vec<String> {
    let rows = rows(&format!("plots/data/{file}.csv"));
    let quotient = |row: &Row, stages: &str, dispatches: &str| {
        Some(row.number(stages).filter(|it| *it > 0.0)? / row.number(dispatches)?)
    };
    let values = |row: &Row| {
        if name == "hmm-rap" {
            let shared = quotient(row, "shared_stages", "shared_dispatches");
            return shared.or_else(|| quotient(row, "stages", "dispatches")).into_iter().collect();
        }
        let columns = ["time_units", "time_s", "lower_bound"];
        columns.iter().filter_map(|it| row.number(it)).collect::<Vec<_>>()
    };
    let there = |at: f64| rows.iter().filter(move |it| it.number(x).is_some_and(|it| near(it, at)));
    let panels = panels(&Document::parse(svg).unwrap());
    let all: usize = panels.iter().map(|it| it.said.len()).sum();
    assert!(all >= fewest, "{name}: {all} numbers");
    let mut absent = vec![];
    for Panel { said, quotients } in panels {
        for (at, shown) in said {
            let mut values_there = there(at).flat_map(values);
            let is_there = if quotients {
                values_there
                    .any(|one| there(at).flat_map(values).any(|other| near(one / other, shown)))
            } else {
                values_there.any(|it| near(it, shown))
            };
            if !is_there {
                absent.push(format!("{name}: {shown} at {x} = {at} is not in {file}.csv"));
            }
        }
    }
    absent
}

#[test]
fn curves_are_in_their_files() {
    for curves in CURVES {
        for ending in ["", "-dark"] {
            // Grey tells the axes.
            let svg = picture(&format!("{}{ending}", curves.0)).replace("#A8AAB0", MUTED);
            let absent = absent(&svg, curves);
            assert!(absent.is_empty(), "{ending} {}", absent.join("\n"));
        }
    }
}

#[test]
fn what_is_in_no_file_is_found_out() {
    for curves in [CURVES[2], CURVES[4], CURVES[12]] {
        let line = "stroke-width=\"3\" points=\"";
        let svg = picture(curves.0).replacen(line, &format!("{line}300,300 "), 1);
        assert_eq!(absent(&svg, curves).len(), 1, "{}", curves.0);
    }
}

/// Each bar is as high as its phase's share, and the whole stands above.
#[test]
fn shares_are_in_their_file() {
    let rows = rows("plots/data/umm_opt_phases.csv");
    let svg = picture("umm-opt-phases");
    let document = Document::parse(&svg).unwrap();
    let shapes: Vec<Node> = document.root_element().children().filter(Node::is_element).collect();
    let texts: Vec<&Node> = shapes.iter().filter(|it| it.has_tag_name("text")).collect();
    let percent = |words: &str| at(texts.iter().find(|it| it.text() == Some(words)).unwrap(), "y");
    let (bottom, top) = (percent("0 %"), percent("100 %"));
    let mut seen = 0;
    for bar in shapes.iter().filter(|it| it.has_tag_name("polygon")) {
        let corners = points(bar.attribute("points").unwrap());
        let middle = f64::midpoint(corners[0].0, corners[1].0);
        let share = (corners[2].1 - corners[1].1) / (bottom - top);
        let labels = texts.iter().filter(|it| (at(it, "x") - middle).abs() < 0.2);
        let [p, whole]: [f64; 2] = {
            let mut all: Vec<_> =
                labels.map(|it| (at(it, "y"), value(it.text().unwrap()))).collect();
            all.retain(|it| it.1.is_some() && it.0 < bottom + 30.0);
            all.sort_by(|one, other| other.0.total_cmp(&one.0));
            [all[0].1.unwrap(), all[1].1.unwrap()]
        };
        let times = rows.iter().filter(|it| it.number("threads") == Some(p));
        let times: Vec<f64> = times.map(|it| it.number("time_units").unwrap()).collect();
        let total: f64 = times.iter().sum();
        assert!((whole / total - 1.0).abs() < 0.01, "{whole} above p = {p}, but {total}");
        let is_there = times.iter().any(|it| (it / total - share).abs() < 0.0005);
        assert!(is_there, "a share of {share} at p = {p}: {times:?}");
        seen += 1;
    }
    assert_eq!(seen, rows.len());
}

/// Each dot is a run, and the number at it the run's time over the largest term.
#[test]
fn regimes_are_in_their_files() {
    for (name, file) in [("umm-opt-regime", "umm_opt"), ("hmm-sum", "hmm_sum")] {
        let rows = rows(&format!("plots/data/{file}.csv"));
        let svg = picture(name);
        let document = Document::parse(&svg).unwrap();
        let shapes: Vec<Node> =
            document.root_element().children().filter(Node::is_element).collect();
        let texts: Vec<&Node> = shapes.iter().filter(|it| it.has_tag_name("text")).collect();
        let caption: String =
            texts.iter().filter_map(|it| it.text()).collect::<Vec<_>>().join(" · ");
        let after = |words: &str| {
            let from = caption.split_once(words)?.1;
            let digits = from.chars().take_while(|it| it.is_ascii_digit() || !it.is_ascii());
            value(&digits.collect::<String>())
        };
        let (chain, shared) = (after("chain of ").unwrap(), after(", s = ").unwrap_or(0.0));
        let of = |anchor: &str, number: &str| {
            let there = texts.iter().filter(|it| {
                it.attribute("text-anchor") == Some(anchor) && it.attribute("fill") == Some(MUTED)
            });
            let tick = |it: &&&Node| Some((at(it, number), value(it.text().unwrap_or_default())?));
            Axis::new(&there.filter_map(|it| tick(&it)).collect::<Vec<_>>())
        };
        let (x, y) = (of("middle", "x"), of("end", "y"));
        let mut seen = 0;
        for dot in shapes.iter().filter(|it| it.has_tag_name("circle")) {
            let (across, up) = (at(dot, "cx"), at(dot, "cy"));
            let (p, l) = (x.value(across), y.value(up));
            let near_dot = |it: &&&Node| {
                (at(it, "x") - across).abs() < 0.2 && (at(it, "y") - up + 15.0).abs() < 0.2
            };
            let said = value(texts.iter().find(near_dot).unwrap().text().unwrap()).unwrap();
            let is_there = rows.iter().any(|row| {
                let of = |column: &str| row.number(column).unwrap_or(0.0);
                let (threads, latency) = (of("threads"), of("latency"));
                let accesses = of("accesses") - of("shared_accesses");
                let terms =
                    [accesses / of("width"), accesses * latency / threads, chain * latency, shared];
                let largest = terms.into_iter().fold(0.0, f64::max);
                near(threads, p)
                    && near(latency, l)
                    && (of("time_units") / largest - said).abs() < 0.06
            });
            assert!(is_there, "{name}: {said} at p = {p}, l = {l}");
            seen += 1;
        }
        assert_eq!(seen, rows.len(), "{name}");
    }
}

/// Dots of own times over those of peers.
#[test]
fn peers_are_in_their_file() {
    let rows = rows("plots/data/peers.csv");
    let svg = picture("h200-peers");
    let document = Document::parse(&svg).unwrap();
    let shapes: Vec<Node> = document.root_element().children().filter(Node::is_element).collect();
    let texts = shapes.iter().filter(|it| it.has_tag_name("text"));
    let ticks = texts.filter(|it| it.attribute("text-anchor") == Some("middle"));
    let ticks: Vec<_> = ticks.filter_map(|it| Some((at(it, "x"), value(it.text()?)?))).collect();
    let axis = Axis::new(&ticks);
    let legend = at(shapes.iter().find(|it| it.has_tag_name("circle")).unwrap(), "cy");
    let dots = shapes.iter().filter(|it| it.has_tag_name("circle") && at(it, "cy") > legend + 1.0);
    let mut seen = 0;
    for dot in dots {
        let ratio = axis.value(at(dot, "cx"));
        let of = |row: &Row| row.number("time_s").unwrap() / row.number("peer_time_s").unwrap();
        assert!(rows.iter().any(|it| near(of(it), ratio)), "{ratio} is not in peers.csv");
        seen += 1;
    }
    assert_eq!(seen, rows.len());
}

/// Each cell's number is that of a row.
#[test]
fn cells_are_in_their_files() {
    let of = "models/measurements";
    let tables: [(&str, &[&str]); 2] = [
        ("gtx-680-opt", &["ito-nakano-gtx-680/table-1a.csv", "ito-nakano-gtx-680/table-1b.csv"]),
        ("h200-tb-bb", &["nvidia-h200/2026-11-21/opt/table-1.csv"]),
    ];
    for (name, files) in tables {
        let rows: Vec<Row> = files.iter().flat_map(|it| rows(&format!("{of}/{it}"))).collect();
        let times = rows.iter().filter(|it| it.number("n") == Some(8192.0));
        let times: Vec<f64> = times.filter_map(|it| it.number("time_s")).collect();
        let svg = picture(name);
        let document = Document::parse(&svg).unwrap();
        let texts = document.root_element().children().filter(|it| it.has_tag_name("text"));
        let cells = texts
            .filter(|it| it.text().is_some_and(|it| it.ends_with(" s") || it.ends_with(" ms")));
        let cells: Vec<f64> = cells.filter_map(|it| value(it.text()?)).collect();
        assert_eq!(cells.len(), times.len(), "{name}");
        for cell in cells {
            // Three digits.
            let is_there = times.iter().any(|it| (it / cell - 1.0).abs() < 0.005);
            assert!(is_there, "{name}: {cell} s is in no row");
        }
    }
}

/// The addresses of a trace's lines, in their order: `W 200+9x7 199`.
fn steps(file: &str) -> Vec<Vec<i64>> {
    let text = fs::read_to_string(root().join(file)).unwrap();
    let run = |run: &str| -> Vec<i64> {
        let (cells, count) = run.split_once('x').unwrap_or((run, "1"));
        let at = cells.rfind(['+', '-']).unwrap_or(cells.len());
        let (base, stride): (i64, i64) =
            (cells[..at].parse().unwrap(), cells[at..].parse().unwrap_or(0));
        (0..count.parse().unwrap()).map(|it: i64| base + it * stride).collect()
    };
    let lines = text.lines().filter(|it| it.starts_with(['R', 'W']));
    lines.map(|it| it.split(' ').skip(1).flat_map(run).collect()).collect()
}

/// The words that a step asks for, each in the row of its address group and the column of its bank.
#[test]
fn accesses_are_in_their_trace() {
    let addresses = &steps("plots/data/transpose.trace")[1];
    let svg = picture("transpose-access");
    let document = Document::parse(&svg).unwrap();
    let texts: Vec<Node> =
        document.root_element().children().filter(|it| it.has_tag_name("text")).collect();
    let mut shown = vec![];
    for text in texts.iter().filter(|it| it.attribute("fill") == Some("#FFFFFF")) {
        let address: i64 = text.text().unwrap().parse().unwrap();
        let is_beside = |words: String, coordinate: &str| {
            let label = texts.iter().find(|it| it.text() == Some(&words)).unwrap();
            (at(label, coordinate) - at(text, coordinate)).abs() < 0.2
        };
        assert!(is_beside(format!("A[{}]", address / 8), "y"), "{address}");
        assert!(is_beside((address % 8).to_string(), "x"), "{address}");
        shown.push(address);
    }
    assert_eq!(&shown, addresses);
}

/// Each column is as high as the stages that enter in its time units, counted here from the trace.
#[test]
fn occupancy_is_that_of_its_trace() {
    let (w, l, bin) = (4, 8, 3.0);
    let (mut now, mut entered) = (0, vec![]);
    for addresses in steps("plots/data/prefix_sums_parallel.trace") {
        let groups = |warp: &[i64]| {
            let mut groups: Vec<i64> = warp.iter().map(|it| it / w).collect();
            groups.sort_unstable();
            groups.dedup();
            groups.len()
        };
        let stages: usize = addresses.chunks(w as usize).map(groups).sum();
        entered.extend(now..now + stages);
        now += stages + l - 1;
    }
    let svg = picture("occupancy");
    let document = Document::parse(&svg).unwrap();
    let shapes: Vec<Node> = document.root_element().children().filter(Node::is_element).collect();
    let texts: Vec<&Node> = shapes.iter().filter(|it| it.has_tag_name("text")).collect();
    let said = |words: &str| texts.iter().any(|it| it.text().unwrap().starts_with(words));
    assert!(
        said(&format!("synchronous: {now} time units")) && said("asynchronous: 481 time units")
    );
    let tick = |words: &str| at(texts.iter().find(|it| it.text() == Some(words)).unwrap(), "x");
    let across = (tick("500") - tick("0")) / 500.0;
    // Stages by column, of the upper panel and of the lower one.
    let columns = |colour: &str, bottom: &str| {
        let heights: Vec<f64> =
            texts.iter().filter(|it| it.text() == Some(bottom)).map(|it| at(it, "y")).collect();
        let mut columns = vec![0.0; now.div_ceil(3)];
        for bar in shapes.iter().filter(|it| it.attribute("fill") == Some(colour)) {
            let corners = points(bar.attribute("points").unwrap());
            let full = heights.iter().find(|it| **it >= corners[2].1 - 0.2).unwrap();
            assert!((full - corners[2].1).abs() < 0.2);
            let column = |x: f64| ((x - tick("0")) / across / bin).round() as usize;
            let stages = bin * (corners[2].1 - corners[1].1) / (corners[2].1 - top(&texts, *full));
            columns[column(corners[0].0)..column(corners[1].0)].fill(stages.round());
        }
        columns
    };
    let mut expected = vec![0.0; now.div_ceil(3)];
    entered.iter().for_each(|it| expected[it / 3] += 1.0);
    assert_eq!(columns("#0072B2", "0 %"), expected);
    assert_eq!(columns("#D55E00", "0 %").iter().sum::<f64>(), entered.len() as f64);
}

/// Where 100 % are, of a panel whose foot is at `bottom`.
fn top(texts: &[&Node], bottom: f64) -> f64 {
    let tops = texts.iter().filter(|it| it.text() == Some("100 %")).map(|it| at(it, "y"));
    tops.filter(|it| *it < bottom).fold(0.0, f64::max)
}

/// The cells that Loops D and E use in stage 3 of UMM-OPT, n = 12, by their definition (Nakano 2013,
/// Section IV), and those of row 2 alone.
#[test]
fn cells_are_those_of_the_loops() {
    type Cells = std::collections::BTreeMap<(String, i64, i64), &'static str>;
    let (n, r) = (12_i64, 3);
    let used = |loops: &str, rows: &dyn Fn(i64) -> bool| {
        let mut cells = Cells::new();
        for i in (1..n - r).filter(|it| rows(*it)) {
            for j in i + r..=(i + 2 * r - 1).min(n - 1) {
                let m = |i, j| ("M".to_owned(), i, j);
                let mut read = vec![];
                if loops.contains('D') {
                    read.extend([m(i, i + r - 1), m(i + r, j)]);
                }
                if loops.contains('E') {
                    read.extend([m(i, j - r), ("b".to_owned(), 0, j - r + 1)]);
                }
                read.into_iter().for_each(|it| {
                    cells.entry(it).or_insert("r");
                });
                cells.insert(m(i, j), "rw");
            }
        }
        cells
    };
    for (name, loops, row) in [
        ("umm-opt-diagonals", "DE", None),
        ("umm-opt-case-1", "D", Some(2)),
        ("umm-opt-case-2", "E", Some(2)),
    ] {
        let svg = picture(name);
        let document = Document::parse(&svg).unwrap();
        let texts: Vec<Node> =
            document.root_element().children().filter(|it| it.has_tag_name("text")).collect();
        let same =
            |one: &Node, other: &Node, name: &str| (at(one, name) - at(other, name)).abs() < 0.2;
        let number = |it: &Node| it.text().unwrap().parse::<i64>().ok();
        let mut shown = Cells::new();
        for text in texts.iter().filter(|it| it.attribute("text-anchor") == Some("middle")) {
            let Some(word) = ["r", "rw"].into_iter().find(|it| text.text() == Some(it)) else {
                continue;
            };
            // The legend's letters stand below no column's number.
            let above =
                texts.iter().filter(|it| same(it, text, "x") && at(it, "y") < at(text, "y"));
            let Some(column) = above.filter_map(number).next_back() else { continue };
            let beside = texts.iter().find(|it| same(it, text, "y") && number(it).is_some());
            let mut names = texts.iter().filter(|it| ["M", "b"].contains(&it.text().unwrap()));
            let array = names.rfind(|it| at(it, "y") < at(text, "y")).unwrap();
            let row = beside.and_then(number).unwrap_or(0);
            shown.insert((array.text().unwrap().to_owned(), row, column), word);
        }
        assert_eq!(shown, used(loops, &|it| row.is_none_or(|row| row == it)), "{name}");
    }
}

#[test]
fn numbers_are_read() {
    for (text, number) in [
        ("2·10⁵", 2e5),
        ("10⁻³", 1e-3),
        ("50\u{2009}000", 5e4),
        ("1K", 1024.0),
        ("100 ms", 0.1),
        ("10 s", 10.0),
        ("3×", 3.0),
        ("1/16", 0.0625),
        ("2.27·10⁹", 2.27e9),
    ] {
        assert!((value(text).unwrap() / number - 1.0).abs() < 1e-9, "{text}: {:?}", value(text));
    }
    assert_eq!(value("row"), None);
}
