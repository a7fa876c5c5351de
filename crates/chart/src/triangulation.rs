//! A polygon and the chords of a triangulation of it.

use plotters::style::text_anchor::HPos;

use super::plane::{CROWDED, Frame, LARGEST, Page};
use super::scene::{Place, Scene};
use super::theme::Theme;
use super::{ChartError, LABEL_SIZE};
use memory_machine_geometry::opt::Chord;
use memory_machine_geometry::polygon::{Point, Polygon};

/// Pixels from a vertex to the middle of its label.
const LABEL_DISTANCE: f64 = 18.0;
/// Above this number of vertices, labels would cover one another.
const MOST_LABELS: usize = 40;

/// Where the vertices are.
#[derive(Debug, Clone, Copy)]
pub enum VertexLayout<'a> {
    /// At their own coordinates, `y` upwards, with one scale for both axes.
    Polygon(&'a Polygon),
    /// On a regular `n`-gon, for weights without coordinates: edge `v_0 v_{n−1}`, the root of the
    /// papers' parse tree, on top, and vertices counter-clockwise from its left end.
    Regular(usize),
}

/// A picture of a polygon in bold and `chords` in blue. Its title line holds `name`, the
/// number of vertices and `weight`, the total weight in the unit of the weights. Vertices are
/// labelled up to 40 of them.
///
/// `O(n + chords)` time.
///
/// # Errors
/// [`ChartError`] if a chord names a vertex that is not there, or fewer than three vertices are to
/// be drawn.
pub fn scene(
    shape: VertexLayout,
    chords: &[Chord],
    name: &str,
    weight: f64,
    theme: Theme,
) -> Result<Scene, ChartError> {
    let vertices = match shape {
        VertexLayout::Polygon(polygon) => polygon.vertices().to_vec(),
        VertexLayout::Regular(n) => regular(n),
    };
    let n = vertices.len();
    if n < 3 {
        return Err(ChartError::TooFew { n });
    }
    if let Some(&Chord { a, b }) = chords.iter().find(|chord| chord.a.max(chord.b) >= n) {
        return Err(ChartError::Chord { a, b, n });
    }
    let unit = match shape {
        VertexLayout::Polygon(polygon) if polygon.is_geographic() => "°",
        _ => "",
    };
    let title = format!("{name}: n = {n}, total weight {}{unit}", readable(weight));
    let page = Page::around(&vertices, &title);
    let chords_of = format!("A polygon and {} chords that cut it into triangles", chords.len());
    let mut scene = page.scene(theme, &chords_of);
    draw(&mut scene, &page, &vertices, chords);
    Ok(scene)
}

/// The vertices of [`VertexLayout::Regular`].
fn regular(n: usize) -> Vec<Point> {
    (0..n)
        .map(|vertex| {
            let turn = (vertex as f64 + 0.5) / n as f64;
            let (sin, cos) = (std::f64::consts::TAU * turn).sin_cos();
            Point { x: -sin, y: cos }
        })
        .collect()
}

/// Five digits, without the zeros that say nothing.
pub(super) fn readable(weight: f64) -> String {
    if weight != 0.0 && !(1e-3..1e7).contains(&weight.abs()) {
        return format!("{weight:.4e}");
    }
    if weight == 0.0 {
        return "0".to_owned();
    }
    let decimals = (4.0 - weight.abs().log10().floor()).max(0.0) as usize;
    let text = format!("{weight:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

fn draw(scene: &mut Scene, page: &Page, vertices: &[Point], chords: &[Chord]) {
    let crowded = vertices.len() > CROWDED;
    let (chord_width, boundary_width, dot) = if crowded {
        // On a page three times as large, at most twice as wide.
        (1.0 + page.enlarged / LARGEST, 1.0 + page.enlarged * 2.0 / LARGEST, 0.0)
    } else {
        (2.0, 4.0, 5.0)
    };
    let (ink, chord_colour) = (scene.theme.ink(), scene.theme.series(0));
    let pixels = page.frame.pixels(vertices);
    scene.area(pixels.clone(), scene.theme.inside());
    for chord in chords {
        scene.line(vec![pixels[chord.a], pixels[chord.b]], chord_colour, chord_width);
    }
    scene.outline(pixels.clone(), ink, boundary_width);
    for &pixel in pixels.iter().filter(|_| dot > 0.0) {
        scene.disc(pixel, dot, ink);
    }
    if vertices.len() <= MOST_LABELS {
        let mut labelled: Vec<Place> = vec![];
        for (vertex, place) in label_places(&page.frame, vertices).into_iter().enumerate() {
            // Where vertices crowd, a label on another could not be read.
            let near = |it: &Place| {
                (it.0 - place.0).abs() < 1.3 * LABEL_SIZE && (it.1 - place.1).abs() < LABEL_SIZE
            };
            if labelled.iter().any(near) {
                continue;
            }
            labelled.push(place);
            scene.text(&vertex.to_string(), place, LABEL_SIZE, ink, HPos::Center);
        }
    }
}

/// The middle of each vertex's label: outside, where the angle between its edges is halved.
fn label_places(frame: &Frame, vertices: &[Point]) -> Vec<Place> {
    let (n, centre) = (vertices.len(), frame.centre);
    let area: f64 = (0..n)
        .map(|i| {
            let (a, b) = (vertices[i], vertices[(i + 1) % n]);
            (a.x - centre.x) * (b.y - centre.y) - (b.x - centre.x) * (a.y - centre.y)
        })
        .sum();
    (0..n)
        .map(|i| {
            let v = vertices[i];
            let into = unit(vertices[(i + n - 1) % n], v);
            let onward = unit(v, vertices[(i + 1) % n]);
            // The outward normals of both edges, added; at a needle's tip they cancel, and the
            // label goes straight on.
            let side = area.signum();
            let mut out = (side * (into.1 + onward.1), -side * (into.0 + onward.0));
            if out.0.hypot(out.1) < 1e-3 {
                out = into;
            }
            // In a narrow dent, farther from the corner, so that both edges keep their distance.
            let length = out.0.hypot(out.1);
            let dent = side * (into.0 * onward.1 - into.1 * onward.0) < 0.0;
            let narrow = if dent { (length / 1.3).clamp(0.5, 1.0) } else { 1.0 };
            let step = LABEL_DISTANCE / narrow / length / frame.scale;
            frame.pixel(Point { x: v.x + step * out.0, y: v.y + step * out.1 })
        })
        .collect()
}

/// The direction from `a` to `b`.
fn unit(a: Point, b: Point) -> (f64, f64) {
    let (x, y) = (b.x - a.x, b.y - a.y);
    let length = x.hypot(y);
    (x / length, y / length)
}

#[cfg(test)]
mod tests {
    use super::{ChartError, Theme, VertexLayout, readable, scene};
    use memory_machine_geometry::opt::Chord;

    #[test]
    fn weights_are_readable() {
        for (weight, text) in [
            (6.0, "6"),
            (0.0, "0"),
            (12.34567, "12.346"),
            (123_456.7, "123457"),
            (0.5, "0.5"),
            (100.0, "100"),
        ] {
            assert_eq!(readable(weight), text);
        }
    }

    #[test]
    fn a_chord_of_another_polygon_is_refused() {
        let chords = [Chord { a: 1, b: 5 }];
        let error =
            scene(VertexLayout::Regular(5), &chords, "pentagon", 1.0, Theme::Light).err().unwrap();
        assert_eq!(error, ChartError::Chord { a: 1, b: 5, n: 5 });
        let error =
            scene(VertexLayout::Regular(2), &[], "nothing", 0.0, Theme::Light).err().unwrap();
        assert_eq!(error, ChartError::TooFew { n: 2 });
    }
}
