//! Every number that a picture of `plots/data/` shows is read back from the picture, by the numbers
//! at its axes, and found in the file that it was drawn from.

mod accesses;
mod curves;
mod picture;

use roxmltree::{Document, Node};

use self::picture::{Axis, MUTED, Row, at, near, picture, points, rows, value};

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
        // Each number stands where its run is.
        let is_quotient = |it: &&&Node| it.text().is_some_and(|it| it.ends_with('×'));
        for number in texts.iter().filter(is_quotient) {
            let (p, l) = (x.value(at(number, "x")), y.value(at(number, "y")));
            let said = value(number.text().unwrap()).unwrap();
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
