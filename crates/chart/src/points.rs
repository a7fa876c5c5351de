//! Points of the plane with what is made of them: their hull, edges between them.

use std::collections::{HashMap, HashSet};

use plotters::style::text_anchor::HPos;

use super::letters::lines;
use super::number::plain;
use super::plane::{Frame, Page, TITLE_MARGIN, below_first, enlarged, span, titled};
use super::scene::{Place, Scene};
use super::theme::Theme;
use super::triangulation::readable;
use super::{ChartError, LABEL_SIZE, TITLE_SIZE};
use memory_machine_geometry::opt::Chord;
use memory_machine_geometry::points::{Point, distinct, length, total_length};

/// Of a dot, pixels and the share of the mean distance between points.
const LARGEST_DOT: f64 = 5.0;
const DOT: f64 = 0.2;
/// More dots than this, and those that nearly coincide become one …
const MOST_DOTS: usize = 20_000;
/// … and of more points than this, only the edges are drawn.
const FEW: usize = 5_000;

/// A picture of points and of their hull, whose `vertices` are indices into `points`, along its
/// boundary. Its title line holds `name`, the numbers of points and of vertices, and the perimeter.
///
/// `O(n)` time.
///
/// # Errors
/// [`ChartError`] if there are no points, or a vertex is none of them.
pub fn hull(
    points: &[Point],
    vertices: &[u32],
    name: &str,
    theme: Theme,
) -> Result<Scene, ChartError> {
    check(points, vertices.iter())?;
    let page = Page::around(points, &format!("{name}: {}", hull_text(points, vertices)));
    let mut scene = page.scene(theme, "Points, and the corners and edges of their convex hull");
    let panel = Panel { area: page.area(), frame: page.frame, enlarged: page.enlarged };
    panel.hull(&mut scene, points, vertices);
    Ok(scene)
}

/// A picture of points and of `edges` between them, as indices into `points`. Its title line holds
/// `name`, the numbers of points and of edges, and the total length.
///
/// `O(n + edges)` time. Edges that would be drawn as the same pixels are drawn once, so that the
/// picture of a million edges is not larger than its page.
///
/// # Errors
/// [`ChartError`] if there are no points, or an edge ends at none of them.
pub fn edges(
    points: &[Point],
    edges: &[[u32; 2]],
    name: &str,
    theme: Theme,
) -> Result<Scene, ChartError> {
    check(points, edges.iter().flatten())?;
    let text = edges_text(&distinct(points).points, total_length(points, edges), edges.len());
    let page = Page::around(points, &format!("{name}: {text}"));
    let mut scene = page.scene(theme, "Points and the lines between them");
    let panel = Panel { area: page.area(), frame: page.frame, enlarged: page.enlarged };
    panel.edges(&mut scene, points, edges);
    Ok(scene)
}

/// What a page on the way from points to triangulations shows.
#[derive(Debug, Clone, Copy)]
pub struct Triangulations<'a> {
    /// Stands above the panels.
    pub name: &'a str,
    /// As read, each once; everything else names them by number.
    pub points: &'a [Point],
    /// How many more were read that repeat one of them.
    pub repeated: usize,
    /// Vertices of the hull, in order.
    pub hull: &'a [u32],
    /// Of the optimal triangulation of the hull; their ends are places in `hull`.
    pub chords: &'a [Chord],
    /// Total length of the chords, in the unit of the coordinates.
    pub weight: f64,
    /// Of the greedy triangulation.
    pub edges: &'a [[u32; 2]],
}

/// Pixels: of a panel, between panels, of the text above and below.
const PANEL: f64 = 560.0;
const LEAST_HEIGHT: f64 = 240.0;
const GAP: f64 = 48.0;
const HEAD: f64 = 76.0;
const ABOVE: f64 = 40.0;
const BELOW: f64 = 52.0;

/// Four panels: points, their hull, the optimal triangulation of the hull, the greedy triangulation
/// of all points.
///
/// # Errors
/// [`ChartError`] if there are no points, or an index is beyond them.
pub fn pipeline(it: Triangulations<'_>, theme: Theme) -> Result<Scene, ChartError> {
    let Triangulations { name, points, repeated, hull, chords, weight, edges } = it;
    check(points, hull.iter().chain(edges.iter().flatten()))?;
    let corners: Vec<Point> = hull.iter().map(|&it| points[it as usize]).collect();
    let (n, h) = (points.len(), corners.len());
    if let Some(&Chord { a, b }) = chords.iter().find(|it| it.a.max(it.b) >= h) {
        return Err(ChartError::Chord { a, b, n: h });
    }
    let across = span(points);
    let enlarged = enlarged(n);
    let width = enlarged * PANEL;
    let height = (width * across.1 / across.0).clamp(enlarged * LEAST_HEIGHT, width);
    let scale = (width / across.0).min(height / across.1);
    let gap = enlarged * GAP;
    let across = 2.0 * width + 3.0 * gap;
    let title = lines(name, enlarged * TITLE_SIZE, across - 2.0 * enlarged * TITLE_MARGIN);
    let head = enlarged * (HEAD + below_first(&title));
    let row = height + enlarged * (ABOVE + BELOW);
    let size = (across, head + 2.0 * row);
    let mut scene = Scene::new((size.0.ceil() as u32, size.1.ceil() as u32), theme);
    let (ink, muted) = (theme.ink(), theme.muted());
    let headings =
        ["points", "convex hull", "hull, triangulated optimally", "greedy triangulation"];
    let texts = [
        match repeated {
            0 => format!("n = {}", plain(n as f64)),
            _ => format!("n = {}, and {repeated} that repeat", plain(n as f64)),
        },
        hull_text(points, hull),
        match chords {
            [] => format!("h = {}, no chords", plain(h as f64)),
            _ => {
                format!(
                    "h = {}, {} chords, total weight {}",
                    plain(h as f64),
                    plain(chords.len() as f64),
                    readable(weight)
                )
            }
        },
        edges_text(points, total_length(points, edges), edges.len()),
    ];
    let description: Vec<String> =
        headings.iter().zip(&texts).map(|(heading, text)| format!("{heading}: {text}")).collect();
    titled(&mut scene, &title, &description.join(". "), enlarged, 36.0);
    for (index, (heading, text)) in headings.iter().zip(&texts).enumerate() {
        let (column, line) = ((index % 2) as f64, (index / 2) as f64);
        let left = gap + column * (width + gap);
        let top = head + line * row + enlarged * ABOVE;
        let middle = left + width / 2.0;
        let frame = Frame::around(points, scale, (middle, top + height / 2.0));
        let panel = Panel { frame, area: width * height, enlarged };
        match index {
            0 => panel.dots(&mut scene, points),
            1 => panel.hull(&mut scene, points, hull),
            2 => panel.polygon(&mut scene, &corners, chords),
            _ => panel.edges(&mut scene, points, edges),
        }
        let above = (left, top - enlarged * 22.0);
        let heading = format!("{}  {heading}", index + 1);
        scene.text(&heading, above, enlarged * LABEL_SIZE, ink, HPos::Left);
        let below = (left, top + height + enlarged * 22.0);
        scene.text(text, below, enlarged * LABEL_SIZE, muted, HPos::Left);
    }
    Ok(scene)
}

fn check<'a>(
    points: &[Point],
    mut indices: impl Iterator<Item = &'a u32>,
) -> Result<(), ChartError> {
    let n = points.len();
    if n == 0 {
        return Err(ChartError::NoPoints);
    }
    match indices.find(|&&it| it as usize >= n) {
        Some(&index) => Err(ChartError::Point { index, n }),
        None => Ok(()),
    }
}

fn hull_text(points: &[Point], vertices: &[u32]) -> String {
    let h = vertices.len();
    let perimeter = (0..h).map(|i| length(points, [vertices[i], vertices[(i + 1) % h]]));
    format!(
        "n = {}, h = {}, perimeter {}",
        plain(points.len() as f64),
        plain(h as f64),
        readable(perimeter.sum())
    )
}

/// Of points without their copies.
fn edges_text(points: &[Point], length: f64, edges: usize) -> String {
    let (n, edges) = (plain(points.len() as f64), plain(edges as f64));
    format!("n = {n}, {edges} edges, total length {}", readable(length))
}

/// A part of a page in which points are shown.
struct Panel {
    frame: Frame,
    /// Square pixels.
    area: f64,
    enlarged: f64,
}

impl Panel {
    /// A dot's radius.
    fn dot(&self, n: usize) -> f64 {
        (DOT * (self.area / n as f64).sqrt()).clamp(1.0, LARGEST_DOT)
    }

    fn dots(&self, scene: &mut Scene, points: &[Point]) {
        let (colour, mut radius) = (scene.theme.ink(), self.dot(points.len()));
        let mut places = self.frame.pixels(points);
        let mut cell = radius;
        loop {
            let mut seen = HashSet::new();
            places.retain(|&it| seen.insert(snapped(it, cell)));
            if places.len() <= MOST_DOTS {
                break;
            }
            // A dot stands for all in its cell.
            cell *= 1.5;
            radius = radius.max(cell / 2.0);
        }
        places.into_iter().for_each(|it| scene.disc(it, radius, colour));
    }

    fn hull(&self, scene: &mut Scene, points: &[Point], vertices: &[u32]) {
        let corners: Vec<Place> =
            vertices.iter().map(|&it| self.frame.pixel(points[it as usize])).collect();
        scene.area(corners.clone(), scene.theme.inside());
        self.dots(scene, points);
        self.boundary(scene, corners);
    }

    fn boundary(&self, scene: &mut Scene, corners: Vec<Place>) {
        let (line, dot) = (scene.theme.series(0), scene.theme.series(1));
        let apart = DOT * (self.area / corners.len() as f64).sqrt();
        let radius = apart.clamp(1.0, 4.0 * self.enlarged);
        scene.outline(corners.clone(), line, 2.0 * self.enlarged);
        corners.into_iter().for_each(|it| scene.disc(it, radius, dot));
    }

    fn polygon(&self, scene: &mut Scene, corners: &[Point], chords: &[Chord]) {
        let corners = self.frame.pixels(corners);
        scene.area(corners.clone(), scene.theme.inside());
        let net = chords.iter().map(|it| [it.a as u32, it.b as u32]).collect();
        scene.net(corners.clone(), net, scene.theme.series(2), 1.5 * self.enlarged);
        self.boundary(scene, corners);
    }

    fn edges(&self, scene: &mut Scene, points: &[Point], edges: &[[u32; 2]]) {
        // Places that differ, so that what cannot be seen is not drawn.
        let mut places: Vec<Place> = vec![];
        let mut index = HashMap::new();
        let place_of: Vec<u32> = (points.iter().map(|&p| self.frame.pixel(p)))
            .map(|place| {
                *index.entry(snapped(place, 1.0)).or_insert_with(|| {
                    places.push(place);
                    places.len() as u32 - 1
                })
            })
            .collect();
        let drawn: HashSet<[u32; 2]> = edges
            .iter()
            .map(|ends| ends.map(|it| place_of[it as usize]))
            .filter(|[a, b]| a != b)
            .map(|[a, b]| [a.min(b), a.max(b)])
            .collect();
        let mut drawn: Vec<[u32; 2]> = drawn.into_iter().collect();
        drawn.sort_unstable();
        scene.net(places, drawn, scene.theme.series(0), 1.0);
        if points.len() <= FEW {
            self.dots(scene, points);
        }
    }
}

/// The cell of a grid of this width.
fn snapped((x, y): Place, cell: f64) -> (i32, i32) {
    ((x / cell).round() as i32, (y / cell).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(side: u32) -> (Vec<Point>, Vec<[u32; 2]>) {
        let all = (0..side * side).map(|i| (i % side, i / side));
        let points = all.clone().map(|(x, y)| Point { x: x.into(), y: y.into() }).collect();
        let right =
            all.filter(|(x, _)| x + 1 < side).map(|(x, y)| [x + side * y, x + 1 + side * y]);
        (points, right.collect())
    }

    #[test]
    fn the_title_counts() {
        let (points, net) = grid(4);
        let svg = edges(&points, &net, "rows", Theme::Light).unwrap().svg();
        assert!(svg.contains("rows: n = 16, 12 edges, total length 12"), "{svg}");
        let svg = hull(&points, &[0, 3, 15, 12], "grid", Theme::Dark).unwrap().svg();
        assert!(svg.contains("grid: n = 16, h = 4, perimeter 12"), "{svg}");
        assert_eq!(svg.matches("<circle").count(), 20);
    }

    #[test]
    fn many_edges_make_no_huge_picture() {
        let (points, net) = grid(300);
        let svg = edges(&points, &net, "rows", Theme::Light).unwrap().svg();
        assert!(svg.len() < 1_500_000, "{}", svg.len());
    }

    #[test]
    fn degenerate_points_are_drawn() {
        let one = [Point { x: 3.0, y: 4.0 }];
        let column = [0.0, 1.0, 2.0].map(|y| Point { x: 5.0, y });
        for points in [&one[..], &column[..]] {
            let last = points.len() as u32 - 1;
            let svg = hull(points, &[0, last], "few", Theme::Light).unwrap().svg();
            assert!(!svg.contains("NaN") && svg.contains("<circle"), "{svg}");
            let none = Triangulations {
                name: "few",
                points,
                repeated: 0,
                hull: &[0],
                chords: &[],
                weight: 0.0,
                edges: &[],
            };
            let svg = pipeline(none, Theme::Light).unwrap().svg();
            assert!(svg.contains("no chords"), "{svg}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let (points, _) = grid(2);
        let error = hull(&[], &[], "none", Theme::Light).err().unwrap();
        assert_eq!(error, ChartError::NoPoints);
        let error = edges(&points, &[[0, 4]], "rows", Theme::Light).err().unwrap();
        assert_eq!(error, ChartError::Point { index: 4, n: 4 });
    }
}
