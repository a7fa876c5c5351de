//! A page of shapes in pixels, drawn alike by every back end.

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::letters::{lines, text_width};
use super::theme::{Canvas, Theme};

/// Pixels from the left and from the top.
pub(super) type Place = (f64, f64);

pub(super) enum Shape {
    Area(Vec<Place>, RGBColor),
    Line(Vec<Place>, RGBColor, f64),
    /// Many straight lines.
    Segments(Vec<[Place; 2]>, RGBColor, f64),
    /// With the lengths of a dash and of a gap.
    Dashed(Vec<Place>, RGBColor, f64, (f64, f64)),
    Outline(Vec<Place>, RGBColor, f64),
    Net {
        places: Vec<Place>,
        edges: Vec<[u32; 2]>,
        colour: RGBColor,
        width: f64,
    },
    Disc(Place, f64, RGBColor),
    /// Discs of one size.
    Discs(Vec<Place>, f64, RGBColor),
    Text {
        text: String,
        place: Place,
        size: f64,
        colour: RGBColor,
        side: HPos,
    },
}

impl Shape {
    pub(super) const fn colour(&self) -> RGBColor {
        match self {
            Self::Area(_, colour)
            | Self::Line(_, colour, _)
            | Self::Segments(_, colour, _)
            | Self::Dashed(_, colour, ..)
            | Self::Outline(_, colour, _)
            | Self::Net { colour, .. }
            | Self::Disc(.., colour)
            | Self::Discs(.., colour)
            | Self::Text { colour, .. } => *colour,
        }
    }
}

/// A picture.
pub struct Scene {
    pub(super) size: (u32, u32),
    pub(super) theme: Theme,
    pub(super) shapes: Vec<Shape>,
    /// The description for readers who cannot see it.
    pub(super) title: String,
    pub(super) description: String,
}

/// Pixels: the width of a usual page, and its source's letters.
const PAGE: f64 = 1200.0;
const SOURCE: f64 = 11.0;

impl Scene {
    pub(super) const fn new(size: (u32, u32), theme: Theme) -> Self {
        Self { size, theme, shapes: vec![], title: String::new(), description: String::new() }
    }

    pub(super) const fn on(canvas: Canvas) -> Self {
        Self::new(canvas.size, canvas.theme)
    }

    /// Says what the picture shows, for those who cannot see it; texts of several parts, two blanks
    /// between them.
    pub(super) fn describe(&mut self, title: &str, description: &str) {
        self.title = title.replace("  ", ", ");
        self.description = description.trim().replace("  ", ", ");
    }

    /// Says, before all else, what the picture shows.
    pub(super) fn entitle(&mut self, title: &str, text: &str) {
        let description = std::mem::take(&mut self.description);
        self.describe(title, &text.trim_end_matches('.').replace('`', ""));
        self.describe_more(&description);
    }

    /// Says more of what the picture shows.
    pub(super) fn describe_more(&mut self, text: &str) {
        if !self.description.is_empty() {
            self.description.push_str(". ");
        }
        self.description.push_str(&text.replace("  ", ", "));
    }

    /// Says at the foot where the numbers are from.
    pub fn source(&mut self, text: &str) {
        let scale = (self.width() / PAGE).max(1.0);
        let (margin, size) = (36.0 * scale, SOURCE * scale);
        let wide = text_width(text, size);
        let size = size.min(size * (self.width() - 2.0 * margin) / wide);
        let place = (margin, self.height() - 0.7 * SOURCE * scale);
        self.text(text, place, size, self.theme.muted(), HPos::Left);
    }

    /// In pixels.
    pub fn width(&self) -> f64 {
        self.size.0.into()
    }

    pub(super) fn height(&self) -> f64 {
        self.size.1.into()
    }

    pub(super) fn area(&mut self, points: Vec<Place>, colour: RGBColor) {
        self.shapes.push(Shape::Area(points, colour));
    }

    pub(super) fn rectangle(&mut self, (x0, y0): Place, (x1, y1): Place, colour: RGBColor) {
        self.area(vec![(x0, y0), (x1, y0), (x1, y1), (x0, y1)], colour);
    }

    pub(super) fn line(&mut self, points: Vec<Place>, colour: RGBColor, width: f64) {
        self.shapes.push(Shape::Line(points, colour, width));
    }

    pub(super) fn segments(&mut self, ends: Vec<[Place; 2]>, colour: RGBColor, width: f64) {
        if !ends.is_empty() {
            self.shapes.push(Shape::Segments(ends, colour, width));
        }
    }

    /// A closed line that may come close to itself.
    pub(super) fn outline(&mut self, points: Vec<Place>, colour: RGBColor, width: f64) {
        self.shapes.push(Shape::Outline(points, colour, width));
    }

    /// Many lines between few places, by their index.
    pub(super) fn net(
        &mut self,
        places: Vec<Place>,
        edges: Vec<[u32; 2]>,
        colour: RGBColor,
        width: f64,
    ) {
        self.shapes.push(Shape::Net { places, edges, colour, width });
    }

    pub(super) fn disc(&mut self, place: Place, radius: f64, colour: RGBColor) {
        self.shapes.push(Shape::Disc(place, radius, colour));
    }

    pub(super) fn discs(&mut self, places: Vec<Place>, radius: f64, colour: RGBColor) {
        if !places.is_empty() {
            self.shapes.push(Shape::Discs(places, radius, colour));
        }
    }

    pub(super) fn text(
        &mut self,
        text: &str,
        place: Place,
        size: f64,
        colour: RGBColor,
        side: HPos,
    ) {
        self.shapes.push(Shape::Text { text: text.to_owned(), place, size, colour, side });
    }

    /// A line of dashes and gaps of these lengths.
    pub(super) fn dashed(
        &mut self,
        points: &[Place],
        colour: RGBColor,
        width: f64,
        dash_and_gap: (f64, f64),
    ) {
        self.shapes.push(Shape::Dashed(points.to_vec(), colour, width, dash_and_gap));
    }

    /// Writes `text` in lines of at most `width` pixels; the place of a line below them.
    pub(super) fn paragraph(
        &mut self,
        text: &str,
        (x, mut y): Place,
        size: f64,
        colour: RGBColor,
        width: f64,
    ) -> f64 {
        for line in lines(text, size, width) {
            self.text(&line, (x, y), size, colour, HPos::Left);
            y += 1.25 * size;
        }
        y
    }
}
