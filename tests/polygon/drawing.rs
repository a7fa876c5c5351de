//! Pictures of triangulations.

use memory_machine::algorithms::opt::{Chord, paper, reference, triangulation};
use memory_machine::algorithms::polygon::{self, Point, Polygon};
use memory_machine::chart::Theme;
use memory_machine::chart::triangulation::{VertexLayout, scene};
use roxmltree::Document;

/// Numbers in `attribute="…"`, for all elements of the picture.
fn numbers<'a>(svg: &'a str, attribute: &str) -> impl Iterator<Item = f64> + 'a {
    let start = format!(" {attribute}=\"");
    let values: Vec<&str> =
        svg.split(start.as_str()).skip(1).filter_map(|rest| rest.split('"').next()).collect();
    values
        .into_iter()
        .flat_map(|value| value.split([' ', ',']))
        .filter(|number| !number.is_empty())
        .map(|number| number.parse().unwrap())
}

fn drawn(shape: VertexLayout, chords: &[Chord], name: &str, weight: f64) -> String {
    scene(shape, chords, name, weight, Theme::Light).unwrap().svg()
}

#[test]
fn the_papers_polygon() {
    let c = paper::weights();
    let m = reference::table(c.n(), c.as_slice());
    let chords = triangulation::recover(paper::N, &m, c.as_slice()).unwrap();
    let picture = drawn(VertexLayout::Regular(paper::N), &chords, "a < b & c", 6.0);
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"));
    assert_eq!(picture.matches("stroke=\"#0072B2\"").count(), 5);
    assert_eq!(picture.matches("<circle").count(), 8);
    // Eight labels and the title, whose text is escaped.
    assert_eq!(picture.matches("<text").count(), 9);
    assert!(picture.contains("a &lt; b &amp; c: n = 8, total weight 6"));
}

#[test]
fn nothing_is_clipped_and_one_scale_serves_both_axes() {
    for name in ["laos.geojson", "mongolia.geojson", "concave-16.csv"] {
        let polygon = polygon::read(&crate::support::data(name)).unwrap();
        let chord = [Chord { a: 0, b: 2 }];
        let picture = drawn(VertexLayout::Polygon(&polygon), &chord, name, 1.0);
        let width = numbers(&picture, "width").next().unwrap();
        let height = numbers(&picture, "height").next().unwrap();
        for (attributes, limit) in [(["cx", "x"], width), (["cy", "y"], height)] {
            for attribute in attributes {
                assert!(numbers(&picture, attribute).all(|at| (0.0..=limit).contains(&at)));
            }
        }
        let x: Vec<f64> = numbers(&picture, "cx").collect();
        let y: Vec<f64> = numbers(&picture, "cy").collect();
        assert_eq!(x.len(), polygon.n());
        let v = polygon.vertices();
        for i in 2..polygon.n() {
            let drawn = (x[i] - x[0]).hypot(y[i] - y[0]);
            let meant = (v[i].x - v[0].x).hypot(v[i].y - v[0].y);
            let unit = (x[1] - x[0]).hypot(y[1] - y[0]) / (v[1].x - v[0].x).hypot(v[1].y - v[0].y);
            assert!((drawn / meant / unit - 1.0).abs() < 0.1, "{name}, vertex {i}");
        }
    }
}

/// A title has as many lines as it needs, and moves the picture down.
#[test]
fn no_title_is_wider_than_its_picture() {
    let tall = [(0.0, 0.0), (1.0, 0.0), (1.0, 30.0), (0.5, 31.0), (0.0, 30.0)];
    let polygon = Polygon::new(tall.map(|(x, y)| Point { x, y }).to_vec()).unwrap();
    let title = |name: &str| {
        let picture = drawn(VertexLayout::Polygon(&polygon), &[Chord { a: 0, b: 2 }], name, 1.0);
        let width = numbers(&picture, "width").next().unwrap();
        let document = Document::parse(&picture).unwrap();
        let texts = document.descendants().filter(|it| it.has_tag_name("text"));
        let lines: Vec<String> = texts
            .map(|it| it.text().unwrap().trim().to_owned())
            .filter(|text| text.len() > 1)
            .collect();
        // Letters are at least half as wide as they are high, 24 pixels or nearly.
        assert!(lines.iter().all(|it| it.chars().count() as f64 * 11.0 <= width), "{lines:?}");
        (lines.len(), numbers(&picture, "height").next().unwrap())
    };
    let (short, long) = (title("Outline"), title(&"a-country-with-a-long-outline ".repeat(4)));
    assert_eq!(short.0, 1);
    assert!(long.0 > 3 && long.1 > short.1 + 60.0, "{short:?} {long:?}");
}

#[test]
fn control_characters_in_a_title_make_no_broken_picture() {
    let picture = drawn(VertexLayout::Regular(4), &[], "a\u{1b}[31m\u{7}\u{9b}b\u{fffe}", 1.0);
    let document = Document::parse(&picture).unwrap();
    let title = document.descendants().find(|it| it.has_tag_name("text")).unwrap();
    let text = title.text().unwrap();
    assert!(text.contains(r"a\u{1b}[31m\u{7}\u{9b}b\u{fffe}: n = 4"), "{text}");
}
