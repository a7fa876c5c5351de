//! Shapes as SVG text, to a tenth of a pixel.

use std::fmt::Write;

use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use super::scene::{Place, Shape};
use super::trails::trails;
use crate::diagnostic::visible;

/// DejaVu Sans is what widths are measured in, and Verdana is as wide.
const FONTS: &str = "DejaVu Sans, Verdana, sans-serif";

/// A picture of `size` pixels on a page of a colour. `title` and `description` are what a screen
/// reader says of it.
pub(super) fn picture(
    size: (u32, u32),
    page: RGBColor,
    (title, description): (&str, &str),
    shapes: &[Shape],
) -> String {
    let (width, height) = size;
    let mut svg = Svg(format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" font-family=\"{FONTS}\">\n{}\
         <rect x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
        described(title, description),
        hex(page)
    ));
    shapes.iter().for_each(|shape| svg.shape(shape));
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
    let text = visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;")
}

struct Svg(String);

impl Svg {
    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Area(points, colour) => {
                self.element(format_args!(
                    "<polygon fill=\"{}\" points=\"{}\"/>",
                    hex(*colour),
                    list(points.iter().copied())
                ));
            }
            Shape::Line(points, colour, width) => {
                self.polyline("polyline", points.iter().copied(), *colour, *width);
            }
            Shape::Outline(points, colour, width) => {
                self.polyline("polygon", points.iter().copied(), *colour, *width);
            }
            Shape::Net { places, edges, colour, width } => {
                for walk in trails(places.len(), edges) {
                    let line = walk.iter().map(|&it| places[it as usize]);
                    self.polyline("polyline", line, *colour, *width);
                }
            }
            Shape::Disc((x, y), radius, colour) => {
                let (x, y, radius) = (tenths(*x), tenths(*y), tenths(*radius));
                self.element(format_args!(
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{}\"/>",
                    hex(*colour)
                ));
            }
            Shape::Text { text, place: (x, y), size, colour, side } => {
                let anchor = match side {
                    HPos::Left => "start",
                    HPos::Center => "middle",
                    HPos::Right => "end",
                };
                let (x, y, size) = (tenths(*x), tenths(*y), tenths(*size));
                self.element(format_args!(
                    "<text x=\"{x}\" y=\"{y}\" dy=\"0.5ex\" text-anchor=\"{anchor}\" \
                     font-size=\"{size}\" fill=\"{}\">{}</text>",
                    hex(*colour),
                    escaped(text)
                ));
            }
        }
    }

    fn polyline(
        &mut self,
        element: &str,
        points: impl Iterator<Item = Place>,
        colour: RGBColor,
        width: f64,
    ) {
        self.element(format_args!(
            "<{element} fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" points=\"{}\"/>",
            hex(colour),
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

fn hex(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}
