//! Points of the plane on a page.

use plotters::style::text_anchor::HPos;

use super::TITLE_SIZE;
use super::letters::lines;
use super::scene::{Place, Scene};
use super::theme::Theme;
use memory_machine_geometry::polygon::Point;

/// Pixels.
const LONGEST_SIDE: f64 = 720.0;
/// Of so few points: their labels are larger in what they lie on.
const SIDE_OF_FEW: f64 = 400.0;
const WIDTH_OF_FEW: f64 = 640.0;
const FEW: usize = 12;
const MARGIN: f64 = 48.0;
const TITLE_HEIGHT: f64 = 56.0;
pub(super) const TITLE_MARGIN: f64 = 16.0;
const LEAST_WIDTH: f64 = 560.0;
/// Above this number of points lines would cover one another, and the picture becomes larger.
pub(super) const CROWDED: usize = 150;
pub(super) const LARGEST: f64 = 3.0;

/// How many times larger than usual a picture of `n` points is.
pub(super) fn enlarged(n: usize) -> f64 {
    (n as f64 / CROWDED as f64).sqrt().clamp(1.0, LARGEST)
}

/// Width and height of what the points span; not both are 0.
pub(super) fn span(points: &[Point]) -> (f64, f64) {
    let [(left, right), (bottom, top)] = ranges(points);
    let (width, height) = (right - left, top - bottom);
    // A single place may have any scale.
    if width.max(height) > 0.0 { (width, height) } else { (1.0, 0.0) }
}

fn ranges(points: &[Point]) -> [(f64, f64); 2] {
    [|p: &Point| p.x, |p: &Point| p.y].map(|of| {
        let values = points.iter().map(of);
        let low = values.clone().fold(f64::INFINITY, f64::min);
        (low, values.fold(f64::NEG_INFINITY, f64::max))
    })
}

/// The map from the plane to pixels: one scale for both axes, `y` upwards.
pub(super) struct Frame {
    /// Pixels a unit.
    pub(super) scale: f64,
    /// The point of the plane in the middle of what is shown, and its place.
    pub(super) centre: Point,
    middle: Place,
}

impl Frame {
    /// Shows `points` about `middle`.
    pub(super) fn around(points: &[Point], scale: f64, middle: Place) -> Self {
        let [(left, right), (bottom, top)] = ranges(points);
        let centre = Point { x: f64::midpoint(left, right), y: f64::midpoint(bottom, top) };
        Self { scale, centre, middle }
    }

    pub(super) fn pixel(&self, p: Point) -> Place {
        let x = self.middle.0 + (p.x - self.centre.x) * self.scale;
        let y = self.middle.1 - (p.y - self.centre.y) * self.scale;
        (x, y)
    }

    pub(super) fn pixels(&self, points: &[Point]) -> Vec<Place> {
        points.iter().map(|&p| self.pixel(p)).collect()
    }
}

/// A page with a title and one frame, as large as its points ask for.
pub(super) struct Page {
    size: (u32, u32),
    pub(super) frame: Frame,
    /// How many times larger than usual the picture is.
    pub(super) enlarged: f64,
    title: Vec<String>,
}

impl Page {
    /// Of at least one point.
    pub(super) fn around(points: &[Point], title: &str) -> Self {
        let (across, upwards) = span(points);
        let enlarged = enlarged(points.len());
        let (side, least) = match points.len() {
            ..=FEW => (SIDE_OF_FEW, WIDTH_OF_FEW),
            _ => (LONGEST_SIDE, LEAST_WIDTH),
        };
        let scale = enlarged * side / across.max(upwards);
        let margin = enlarged * MARGIN;
        let width = (scale * across + 2.0 * margin).max(enlarged * least);
        let height = scale * upwards + 2.0 * margin;
        let title = lines(title, enlarged * TITLE_SIZE, width - 2.0 * enlarged * TITLE_MARGIN);
        let head = enlarged * (TITLE_HEIGHT + below_first(&title));
        Self {
            size: (width.ceil() as u32, (height + head).ceil() as u32),
            frame: Frame::around(points, scale, (width / 2.0, head + height / 2.0)),
            enlarged,
            title,
        }
    }

    /// The page with its title on it.
    pub(super) fn scene(&self, theme: Theme, description: &str) -> Scene {
        let mut scene = Scene::new(self.size, theme);
        titled(&mut scene, &self.title, description, self.enlarged, TITLE_HEIGHT / 2.0 + 4.0);
        scene
    }

    /// Square pixels.
    pub(super) fn area(&self) -> f64 {
        f64::from(self.size.0) * f64::from(self.size.1)
    }
}

/// Pixels that the lines of a title below its first take, of a picture that is not enlarged.
pub(super) fn below_first(title: &[String]) -> f64 {
    1.25 * TITLE_SIZE * title.len().saturating_sub(1) as f64
}

/// Describes the picture, and writes a title's lines, the middle of the first `top` pixels below the edge, of a picture that
/// is not enlarged.
pub(super) fn titled(
    scene: &mut Scene,
    title: &[String],
    description: &str,
    enlarged: f64,
    top: f64,
) {
    scene.describe(&title.join(" "), description);
    let (ink, middle) = (scene.theme.ink(), scene.width() / 2.0);
    for (line, text) in title.iter().enumerate() {
        let place = (middle, enlarged * (top + 1.25 * TITLE_SIZE * line as f64));
        scene.text(text, place, enlarged * TITLE_SIZE, ink, HPos::Center);
    }
}
