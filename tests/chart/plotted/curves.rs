//! Curves: their dots and corners.

use roxmltree::{Document, Node};

use super::picture::{Axis, MUTED, Row, at, near, picture, points, rows, value};

/// A panel of curves: what its dots and the corners of its lines say, and whether they are quotients.
struct Panel {
    said: Vec<(f64, f64)>,
    quotients: bool,
}

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
