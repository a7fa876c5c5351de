//! Shapes as SVG text, to a tenth of a pixel.

use std::fmt::Write;

use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use super::scene::{Place, Scene, Shape};
use super::trails::trails;
use memory_machine_core::diagnostic::{markup, visible};

/// DejaVu Sans is what widths are measured in, and Verdana is as wide.
const FONTS: &str = "DejaVu Sans, Verdana, sans-serif";

impl Scene {
    /// The picture as SVG text.
    pub fn svg(&self) -> String {
        picture(self, &hex(self.theme.page()), |_, shape| hex(shape.colour()))
    }
}

/// A picture on a page of the colour `page`; `ink` writes the colour of the shape of an index.
pub(super) fn picture(
    scene: &Scene,
    page: &str,
    mut ink: impl FnMut(usize, &Shape) -> String,
) -> String {
    let (width, height) = scene.size;
    let mut svg = Svg(format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" font-family=\"{FONTS}\">\n{}\
         <rect x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\" fill=\"{page}\"/>\n",
        described(&scene.title, &scene.description)
    ));
    for (index, shape) in scene.shapes.iter().enumerate() {
        svg.shape(shape, &ink(index, shape));
    }
    svg.0.push_str("</svg>\n");
    svg.0
}

/// What a screen reader says of a picture, as its first elements.
pub(super) fn described(title: &str, description: &str) -> String {
    let (title, description) = (escaped(title), escaped(description));
    format!("<title>{title}</title>\n<desc>{description}</desc>\n")
}

/// Text that stands in XML: control characters would make it none.
pub(super) fn escaped(text: &str) -> String {
    markup(&visible(text))
}

struct Svg(String);

impl Svg {
    fn shape(&mut self, shape: &Shape, colour: &str) {
        match shape {
            Shape::Area(points, _) => {
                self.element(format_args!(
                    "<polygon fill=\"{colour}\" points=\"{}\"/>",
                    list(points.iter().copied())
                ));
            }
            Shape::Line(points, _, width) => {
                self.polyline("polyline", points.iter().copied(), colour, *width);
            }
            Shape::Segments(ends, _, width) => {
                let line = |[(a, b), (c, d)]: &[Place; 2]| {
                    format!("M{} {}L{} {}", tenths(*a), tenths(*b), tenths(*c), tenths(*d))
                };
                let lines: String = ends.iter().map(line).collect();
                self.element(format_args!(
                    "<path stroke=\"{colour}\" stroke-width=\"{}\" d=\"{lines}\"/>",
                    tenths(*width)
                ));
            }
            Shape::Dashed(points, _, width, (dash, gap)) => {
                self.element(format_args!(
                    "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" \
                     stroke-dasharray=\"{dash} {gap}\" points=\"{}\"/>",
                    tenths(*width),
                    list(points.iter().copied())
                ));
            }
            Shape::Outline(points, _, width) => {
                self.polyline("polygon", points.iter().copied(), colour, *width);
            }
            Shape::Net { places, edges, width, .. } => {
                for walk in trails(places.len(), edges) {
                    let line = walk.iter().map(|&it| places[it as usize]);
                    self.polyline("polyline", line, colour, *width);
                }
            }
            Shape::Disc((x, y), radius, _) => {
                let (x, y, radius) = (tenths(*x), tenths(*y), tenths(*radius));
                self.element(format_args!(
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{colour}\"/>"
                ));
            }
            // Lines of no length with round ends: a fifth of the room that circles take.
            Shape::Discs(places, radius, _) => {
                let dot = |(x, y): &Place| format!("M{} {}h0", tenths(*x), tenths(*y));
                let dots: String = places.iter().map(dot).collect();
                self.element(format_args!(
                    "<path stroke=\"{colour}\" stroke-width=\"{}\" stroke-linecap=\"round\" \
                     d=\"{dots}\"/>",
                    tenths(2.0 * radius)
                ));
            }
            Shape::Text { text, place: (x, y), size, side, .. } => {
                let anchor = match side {
                    HPos::Left => "start",
                    HPos::Center => "middle",
                    HPos::Right => "end",
                };
                let (x, y, size) = (tenths(*x), tenths(*y), tenths(*size));
                self.element(format_args!(
                    "<text x=\"{x}\" y=\"{y}\" dy=\"0.5ex\" text-anchor=\"{anchor}\" \
                     font-size=\"{size}\" fill=\"{colour}\">{}</text>",
                    escaped(text)
                ));
            }
        }
    }

    fn polyline(
        &mut self,
        element: &str,
        points: impl Iterator<Item = Place>,
        colour: &str,
        width: f64,
    ) {
        self.element(format_args!(
            "<{element} fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" points=\"{}\"/>",
            tenths(width),
            list(points)
        ));
    }

    fn element(&mut self, element: std::fmt::Arguments) {
        // Writing to a text does not fail.
        let _ = writeln!(self.0, "{element}");
    }
}

fn list(points: impl Iterator<Item = Place>) -> String {
    let pairs: Vec<String> = points.map(|(x, y)| format!("{},{}", tenths(x), tenths(y))).collect();
    pairs.join(" ")
}

/// A number of pixels with at most one decimal.
fn tenths(pixels: f64) -> f64 {
    // Adding 0 makes −0 a 0.
    (pixels * 10.0).round() / 10.0 + 0.0
}

pub(super) fn hex(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}
