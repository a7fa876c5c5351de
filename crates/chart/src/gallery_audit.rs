//! The committed pictures, looked at as a reader would: titles, descriptions, text in its frame, on
//! no other text, and of enough contrast.

use std::fs;
use std::path::{Path, PathBuf};

use roxmltree::{Document, Node};

use super::letters::text_width;

/// Left, top, right, bottom.
type Box = [f64; 4];

fn pictures(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pictures(&path, found);
        } else if path.extension().is_some_and(|it| it == "svg") {
            found.push(path);
        }
    }
}

fn number(node: Node, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

/// Where a text's letters are, about.
fn place(text: Node) -> Box {
    let (x, y, size) = (number(text, "x"), number(text, "y"), number(text, "font-size"));
    let width = text_width(text.text().unwrap_or_default().trim(), size);
    let left = match text.attribute("text-anchor") {
        Some("middle") => x - width / 2.0,
        Some("end") => x - width,
        _ => x,
    };
    // Half an ex below, or on the line.
    let middle = if text.has_attribute("dy") { y } else { y - 0.3 * size };
    [left, middle - 0.45 * size, left + width, middle + 0.45 * size]
}

fn points(node: Node) -> Vec<(f64, f64)> {
    let pair = |it: &str| {
        let (x, y) = it.split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    node.attribute("points").unwrap().split_whitespace().map(pair).collect()
}

fn covers(node: Node, (x, y): (f64, f64)) -> bool {
    match node.tag_name().name() {
        "rect" => {
            let (left, top) = (number(node, "x"), number(node, "y"));
            let across = (left..=left + number(node, "width")).contains(&x);
            across && (top..=top + number(node, "height")).contains(&y)
        }
        "circle" => (number(node, "cx") - x).hypot(number(node, "cy") - y) <= number(node, "r"),
        "polygon" if node.attribute("fill") != Some("none") => {
            let corners = points(node);
            let edges = corners.iter().zip(corners.iter().cycle().skip(1));
            let crossed = edges.filter(|(a, b)| {
                (a.1 > y) != (b.1 > y) && x < (b.0 - a.0) * (y - a.1) / (b.1 - a.1) + a.0
            });
            crossed.count() % 2 == 1
        }
        _ => false,
    }
}

/// Relative luminance, as the Web Content Accessibility Guidelines define it.
fn luminance(colour: &str) -> f64 {
    let part = |at: usize| {
        let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}

fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// What is wrong with a picture.
fn faults(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).unwrap();
    let root = document.root_element();
    let mut faults = vec![];
    let is_mentioned = |name: &str| {
        let found = root.children().find(|it| it.tag_name().name() == name);
        found.and_then(|it| it.text()).is_some_and(|it| !it.trim().is_empty())
    };
    for name in ["title", "desc"] {
        if !is_mentioned(name) {
            faults.push(format!("no <{name}>"));
        }
    }
    if root.attribute("role") != Some("img") {
        faults.push("no role".to_owned());
    }
    let shapes: Vec<Node> = root.children().filter(Node::is_element).collect();
    let page = [0.0, 0.0, number(root, "width"), number(root, "height")];
    faults.extend(faults_of_texts(&shapes, page));
    for picture in shapes.iter().filter(|it| it.tag_name().name() == "svg") {
        faults.extend(faults_inside(*picture));
    }
    faults
}

/// Of what a slide shows: it is enlarged or made smaller, and title and source are cut off.
fn faults_inside(picture: Node) -> Vec<String> {
    let view: Vec<f64> =
        picture.attribute("viewBox").unwrap().split(' ').map(|it| it.parse().unwrap()).collect();
    let [x, y, width, height] = view[..] else { panic!("{view:?}") };
    let shapes: Vec<Node> = picture.children().filter(Node::is_element).collect();
    let view = [x, y, x + width, y + height];
    let is_shown = |it: &Node| {
        it.tag_name().name() != "text" || {
            let [left, top, right, bottom] = place(*it);
            left < view[2] && right > view[0] && top < view[3] && bottom > view[1]
        }
    };
    let shown: Vec<Node> = shapes.into_iter().filter(is_shown).collect();
    let mut faults = faults_of_texts(&shown, view);
    let scale = number(picture, "width") / width;
    for text in shown.iter().filter(|it| it.tag_name().name() == "text") {
        let size = scale * number(*text, "font-size");
        if size < SMALLEST {
            let words = text.text().unwrap_or_default();
            faults.push(format!("`{words}` has letters of {size:.1} pixels"));
        }
    }
    faults
}

/// Pixels of letters on a slide of 1280 × 720.
const SMALLEST: f64 = 14.0;

/// What is wrong with texts on a page from its left and upper to its right and lower edge.
fn faults_of_texts(shapes: &[Node], page: Box) -> Vec<String> {
    let mut faults = vec![];
    let mut before: Vec<(Box, &str)> = vec![];
    for (index, text) in shapes.iter().enumerate() {
        // Code of slides is of another font.
        if text.tag_name().name() != "text" || text.attribute("font-family").is_some() {
            continue;
        }
        let words = text.text().unwrap_or_default().trim();
        let [left, top, right, bottom] = place(*text);
        if left < page[0] || top < page[1] || right > page[2] || bottom > page[3] {
            faults.push(format!("`{words}` leaves the page"));
        }
        for (other, what) in &before {
            let across = right.min(other[2]) - left.max(other[0]);
            let down = bottom.min(other[3]) - top.max(other[1]);
            if across > 1.0 && down > 1.0 {
                faults.push(format!("`{words}` lies on `{what}`"));
            }
        }
        before.push(([left, top, right, bottom], words));
        let middle = (f64::midpoint(left, right), f64::midpoint(top, bottom));
        let below = shapes[..index].iter().rev().find(|it| covers(**it, middle));
        let Some(below) = below else { continue };
        let (ink, page) = (text.attribute("fill").unwrap(), below.attribute("fill").unwrap());
        let contrast = contrast(ink, page);
        if contrast < 4.5 {
            faults.push(format!("`{words}`: {ink} on {page}, a contrast of {contrast:.1}"));
        }
    }
    faults
}

#[test]
fn a_reader_can_read_every_committed_picture() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut found = vec![];
    pictures(&root.join("plots"), &mut found);
    pictures(&root.join("docs"), &mut found);
    assert!(found.len() > 120, "{}", found.len());
    let mut all = vec![];
    for path in found {
        let faults = faults(&fs::read_to_string(&path).unwrap());
        let name = path.strip_prefix(root).unwrap().display();
        all.extend(faults.iter().map(|it| format!("{name}: {it}")));
    }
    assert!(all.is_empty(), "{} faults:\n{}", all.len(), all.join("\n"));
}

#[test]
fn faults_are_found() {
    let page = |inside: &str| {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"100\" height=\"50\">\
             <title>t</title><desc>d</desc>\
             <rect x=\"0\" y=\"0\" width=\"100\" height=\"50\" fill=\"#FFFFFF\"/>{inside}</svg>"
        )
    };
    let text = |x: f64, fill: &str| {
        format!("<text x=\"{x}\" y=\"20\" font-size=\"10\" fill=\"{fill}\">words</text>")
    };
    assert_eq!(faults(&page(&text(10.0, "#000000"))), Vec::<String>::new());
    let found = |inside: String| faults(&page(&inside)).join("; ");
    assert!(found(text(90.0, "#000000")).contains("leaves the page"));
    assert!(found(text(10.0, "#000000") + &text(20.0, "#000000")).contains("lies on"));
    assert!(found(text(10.0, "#AAAAAA")).contains("contrast"));
    let slide = |text: &str, width: u32| {
        found(format!(
            "<svg x=\"0\" y=\"0\" width=\"{width}\" height=\"50\" viewBox=\"0 0 100 50\">{text}</svg>"
        ))
    };
    assert_eq!(slide(&text(10.0, "#000000"), 150), "");
    assert!(slide(&text(90.0, "#000000"), 150).contains("leaves the page"));
    assert_eq!(slide(&text(110.0, "#000000"), 150), "");
    assert!(slide(&text(10.0, "#000000"), 130).contains("letters of 13.0 pixels"));
    assert!(faults(&page("").replace("<desc>d</desc>", "")).contains(&"no <desc>".to_owned()));
}
