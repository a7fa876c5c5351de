//! Shapes as a PNG file.

use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{Pos, VPos};

use super::ChartError;
use super::letters::{FONT, load_font};
use super::scene::{Place, Scene, Shape};

/// A PNG has this many pixels for each of the page's, in each direction, unless the page is large …
const PIXELS: u32 = 2;
const LARGE: u32 = 1200;
/// … and is drawn this much larger, then averaged, so that edges are smooth.
const FINER: u32 = 2;

impl Scene {
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
        let line = (width * 3) as usize;
        for lines in fine.chunks_exact(line * FINER as usize) {
            let mut sums = vec![FINER; (columns * 3) as usize];
            for line in lines.chunks_exact(line) {
                for (sum, fine) in
                    sums.chunks_exact_mut(3).zip(line.chunks_exact(3 * FINER as usize))
                {
                    for pixel in fine.chunks_exact(3) {
                        sum.iter_mut().zip(pixel).for_each(|(sum, it)| *sum += u32::from(*it));
                    }
                }
            }
            pixels.extend(sums.iter().map(|sum| (sum / (FINER * FINER)) as u8));
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
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::Up);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}
