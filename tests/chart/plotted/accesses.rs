//! Pictures of accesses: words, banks, cells and stages.

use std::fs;

use roxmltree::{Document, Node};

use super::picture::{at, picture, points};
use crate::support::root;

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
