//! A page of shapes in pixels, drawn alike by every back end.

use std::error::Error;
use std::sync::Once;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::ChartError;
use super::svg;
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
    /// What is said of it to whom cannot see it.
    pub(super) title: String,
    pub(super) description: String,
}

/// Pixels: the width of a usual page, and its source's letters.
const PAGE: f64 = 1200.0;
const SOURCE: f64 = 11.0;

/// A PNG has this many pixels for each of the page's, in each direction, unless the page is large …
const PIXELS: u32 = 2;
const LARGE: u32 = 1200;
/// … and is drawn this much larger, then averaged, so that edges are smooth.
const FINER: u32 = 2;

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
        let said = std::mem::take(&mut self.description);
        self.describe(title, &text.trim_end_matches('.').replace('`', ""));
        self.describe_more(&said);
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

    pub(crate) fn width(&self) -> f64 {
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

    /// The picture as SVG text.
    pub fn svg(&self) -> String {
        svg::picture(self, &svg::hex(self.theme.page()), |_, shape| svg::hex(shape.colour()))
    }

    /// The picture as the bytes of a PNG file, with two pixels for each of the SVG's, or one if the
    /// picture is large.
    ///
    /// # Errors
    /// [`ChartError::Drawing`] if the back end or the encoder fails.
    pub fn png(&self) -> Result<Vec<u8>, ChartError> {
        let pixels = if self.size.0.max(self.size.1) > LARGE { 1 } else { PIXELS };
        let scale = pixels * FINER;
        let (width, height) = (self.size.0 * scale, self.size.1 * scale);
        let mut fine = vec![0; (width * height * 3) as usize];
        {
            let root = BitMapBackend::with_buffer(&mut fine, (width, height)).into_drawing_area();
            self.draw(&root, scale.into())
                .and_then(|()| Ok(root.present()?))
                .map_err(|error: Box<dyn Error + '_>| ChartError::Drawing(error.to_string()))?;
        }
        let (columns, rows) = (width / FINER, height / FINER);
        let mut pixels = Vec::with_capacity((columns * rows * 3) as usize);
        for row in 0..rows {
            for column in 0..columns {
                for channel in 0..3 {
                    let at = |i: u32| {
                        let (x, y) = (column * FINER + i % FINER, row * FINER + i / FINER);
                        u32::from(fine[((y * width + x) * 3 + channel) as usize])
                    };
                    let sum: u32 = (0..FINER * FINER).map(at).sum();
                    pixels.push(((sum + FINER) / (FINER * FINER)) as u8);
                }
            }
        }
        encode(&pixels, columns, rows).map_err(|error| ChartError::Drawing(error.to_string()))
    }

    /// Draws on a bitmap, each pixel of the page as `scale` of its own.
    fn draw<'a, 'b>(
        &self,
        root: &DrawingArea<BitMapBackend<'b>, Shift>,
        scale: f64,
    ) -> Result<(), Box<dyn Error + 'a>> {
        load_font();
        let pixel = |(x, y): Place| ((x * scale).round() as i32, (y * scale).round() as i32);
        let all = |points: &[Place]| points.iter().copied().map(pixel).collect::<Vec<_>>();
        root.fill(&self.theme.page())?;
        for shape in &self.shapes {
            match shape {
                Shape::Area(points, colour) => {
                    root.draw(&Polygon::new(all(points), colour.filled()))?;
                }
                Shape::Line(points, colour, width) => {
                    let width = (width * scale).round().max(1.0) as u32;
                    root.draw(&PathElement::new(all(points), colour.stroke_width(width)))?;
                }
                Shape::Segments(ends, colour, width) => {
                    let width = (width * scale).round().max(1.0) as u32;
                    for line in ends {
                        root.draw(&PathElement::new(all(line), colour.stroke_width(width)))?;
                    }
                }
                Shape::Dashed(points, colour, width, dash_and_gap) => {
                    let width = (width * scale).round().max(1.0) as u32;
                    for dash in dashes(points, *dash_and_gap) {
                        root.draw(&PathElement::new(all(&dash), colour.stroke_width(width)))?;
                    }
                }
                Shape::Outline(points, colour, width) => {
                    let width = (width * scale).round().max(1.0) as u32;
                    let mut points = all(points);
                    points.extend_from_within(..1);
                    // Where a line covers itself, bitmaps leave it out: one edge at a time.
                    for edge in points.windows(2) {
                        root.draw(&PathElement::new(edge, colour.stroke_width(width)))?;
                        root.draw(&Circle::new(edge[0], width / 2, colour.filled()))?;
                    }
                }
                Shape::Net { places, edges, colour, width } => {
                    let style = colour.stroke_width((width * scale).round().max(1.0) as u32);
                    let pixels = all(places);
                    // Bitmaps leave out where a line crosses itself.
                    for edge in edges {
                        let line = edge.map(|it| pixels[it as usize]);
                        root.draw(&PathElement::new(line, style))?;
                    }
                }
                Shape::Disc(place, radius, colour) => {
                    let radius = (radius * scale).round() as i32;
                    root.draw(&Circle::new(pixel(*place), radius, colour.filled()))?;
                }
                Shape::Discs(places, radius, colour) => {
                    let radius = (radius * scale).round() as i32;
                    for place in places {
                        root.draw(&Circle::new(pixel(*place), radius, colour.filled()))?;
                    }
                }
                Shape::Text { text, place, size, colour, side } => {
                    let position = Pos::new(*side, VPos::Center);
                    let font = ("sans-serif", size * scale * FONT).into_font();
                    let style = font.color(colour).pos(position);
                    root.draw(&Text::new(text.as_str(), pixel(*place), style))?;
                }
            }
        }
        Ok(())
    }
}

/// The dashes of a line.
fn dashes(points: &[Place], (dash, gap): (f64, f64)) -> Vec<Vec<Place>> {
    let mut dashes = vec![];
    let (mut left, mut on) = (dash, true);
    let mut piece = vec![];
    for pair in points.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        loop {
            if on && piece.is_empty() {
                piece.push(from);
            }
            let length = (to.0 - from.0).hypot(to.1 - from.1);
            if length <= left {
                left -= length;
                if on {
                    piece.push(to);
                }
                break;
            }
            let part = left / length;
            from = (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1));
            if on {
                piece.push(from);
                dashes.push(std::mem::take(&mut piece));
            }
            on = !on;
            left = if on { dash } else { gap };
        }
    }
    if piece.len() > 1 {
        dashes.push(piece);
    }
    dashes
}

fn encode(pixels: &[u8], width: u32, height: u32) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = vec![];
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Best);
    encoder.set_filter(png::FilterType::Up);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}

/// plotters divides sizes by this, to get from a line's height to the font's size.
const FONT: f64 = 1.24;

/// Makes the embedded font known; without one, a bitmap has no text.
fn load_font() {
    static LOADED: Once = Once::new();
    LOADED.call_once(|| {
        let bytes = include_bytes!("fonts/DejaVuSans.ttf");
        // It fails only if the file is no font; a test draws with it.
        let _ = plotters::style::register_font("sans-serif", FontStyle::Normal, bytes);
    });
}

/// In pixels. Of the embedded font, which is wider than most that stand in for it in an SVG.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    load_font();
    let font = ("sans-serif", size * FONT).into_font();
    font.box_size(text).map_or(0.6 * size * text.chars().count() as f64, |(width, _)| width.into())
}

/// `text` in lines of at most `width` pixels, broken at double blanks if possible, else at blanks,
/// and within a word only if it is wider than a line.
pub(super) fn lines(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = vec![];
    for part in text.split("  ").filter(|it| !it.is_empty()) {
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} · {part}"), size) <= width => {
                line.push_str(" · ");
                line.push_str(part);
            }
            _ => lines.push(String::new()),
        }
        let Some(line) = lines.last_mut().filter(|it| it.is_empty()) else { continue };
        if text_width(part, size) <= width {
            line.push_str(part);
            continue;
        }
        for word in part.split(' ').flat_map(|it| pieces(it, size, width)) {
            let line = &lines[lines.len() - 1];
            if !line.is_empty() && text_width(&format!("{line} {word}"), size) > width {
                lines.push(word.to_owned());
            } else if let Some(line) = lines.last_mut() {
                let blank = if line.is_empty() { "" } else { " " };
                *line = format!("{line}{blank}{word}");
            }
        }
    }
    lines
}

/// A word in pieces of at most `width` pixels, a character each at least.
fn pieces(word: &str, size: f64, width: f64) -> Vec<String> {
    if text_width(word, size) <= width {
        return vec![word.to_owned()];
    }
    let mut pieces = vec![String::new()];
    for character in word.chars() {
        let piece = &pieces[pieces.len() - 1];
        if !piece.is_empty() && text_width(&format!("{piece}{character}"), size) > width {
            pieces.push(String::new());
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(character);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_wider_than_the_page() {
        let name = "an-outline-of-the-country-that-nobody-would-ever-type-again.geojson";
        for text in [name.to_owned(), format!("{name}: n = 36, h = 12"), "a b  c".repeat(20)] {
            let lines = lines(&text, 24.0, 300.0);
            assert!(lines.len() > 1);
            assert!(lines.iter().all(|it| text_width(it, 24.0) <= 300.0), "{lines:?}");
            let letters = |text: &str| text.replace([' ', '·'], "");
            assert_eq!(letters(&lines.concat()), letters(&text));
        }
    }
}
