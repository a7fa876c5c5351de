//! Panels of curves: logarithmic axes, lines for what is predicted, marks for what is measured,
//! and each series' name at its right end.

use std::collections::HashSet;

use plotters::style::text_anchor::HPos;

use super::number::Unit;
use super::scale::Scale;
use super::scene::{Place, Scene, lines, text_width};

pub(super) struct Series {
    pub(super) label: String,
    pub(super) colour: usize,
    pub(super) dash: usize,
    /// By increasing `x`.
    pub(super) line: Vec<Place>,
    pub(super) marks: Vec<Place>,
}

pub(super) struct Panel {
    /// What the panel's rows have in common.
    pub(super) heading: String,
    pub(super) x: (String, Unit),
    pub(super) y: (String, Unit),
    pub(super) series: Vec<Series>,
}

pub(super) const TITLE: f64 = 26.0;
pub(super) const TEXT: f64 = 16.0;
pub(super) const MARGIN: f64 = 36.0;
const LINE_HEIGHT: f64 = 21.0;
/// Dash and gap of the second, third … way to draw a line.
const DASHES: [(f64, f64); 3] = [(9.0, 6.0), (2.5, 5.0), (16.0, 5.0)];
const MARK: f64 = 5.0;
/// More marks than this, and those that nearly coincide become one.
const MOST_MARKS: usize = 2000;

/// Writes title and caption; the height at which the rest begins.
pub(super) fn head(scene: &mut Scene, title: &str, caption: &str) -> f64 {
    let (ink, muted) = (scene.theme.ink(), scene.theme.muted());
    let width = scene.width() - 2.0 * MARGIN;
    let y = scene.paragraph(title, (MARGIN, 38.0), TITLE, ink, width);
    let below = y - 1.25 * TITLE + 32.0;
    scene.paragraph(caption, (MARGIN, below), TEXT, muted, width)
}

pub(super) fn draw(scene: &mut Scene, top: f64, panels: &[Panel]) {
    let each = (scene.width() - 2.0 * MARGIN) / panels.len() as f64;
    let headings: Vec<_> =
        panels.iter().map(|panel| lines(&panel.heading, TEXT, each - 24.0)).collect();
    let deepest = headings.iter().map(Vec::len).max().unwrap_or(0);
    for (index, panel) in panels.iter().enumerate() {
        let left = MARGIN + index as f64 * each;
        for (row, line) in headings[index].iter().enumerate() {
            let place = (left, top + 8.0 + row as f64 * 1.25 * TEXT);
            scene.text(line, place, TEXT, scene.theme.ink(), HPos::Left);
        }
        let top = top + deepest as f64 * 1.25 * TEXT + 14.0;
        let gap = if index + 1 < panels.len() { 28.0 } else { 0.0 };
        panel.draw(scene, (left, top), (left + each - gap, scene.height()));
    }
}

impl Panel {
    fn points(&self) -> impl Iterator<Item = Place> {
        self.series.iter().flat_map(|it| it.line.iter().chain(&it.marks)).copied()
    }

    fn draw(&self, scene: &mut Scene, (left, top): Place, (right, bottom): Place) {
        let theme = scene.theme;
        let names = self.series.iter().map(|it| text_width(&it.label, TEXT));
        let names = names.fold(0.0, f64::max);
        let (y0, y1) = (bottom - 76.0, top + 40.0);
        let y = Scale::around(self.points().map(|it| it.1), 0.05, (y0, y1));
        let y_ticks = y.decades(26.0);
        let y_text = |value: f64| self.y.1.text(value);
        let widest = y_ticks.iter().map(|&it| text_width(&y_text(it), TEXT)).fold(0.0, f64::max);
        let (x0, x1) = (left + widest + 12.0, right - names - if names > 0.0 { 34.0 } else { 8.0 });
        let x = Scale::around(self.points().map(|it| it.0), 0.02, (x0, x1));

        for &tick in &y_ticks {
            let at = y.pixel(tick);
            scene.line(vec![(x0, at), (x1, at)], theme.grid(), 1.0);
            scene.text(&y_text(tick), (x0 - 8.0, at), TEXT, theme.muted(), HPos::Right);
        }
        let x_ticks = x_ticks(&x, self.x.1);
        for &tick in &x_ticks {
            let at = x.pixel(tick);
            scene.line(vec![(at, y0), (at, y1)], theme.grid(), 1.0);
            let place = (at, y0 + 18.0);
            scene.text(&self.x.1.text(tick), place, TEXT, theme.muted(), HPos::Center);
        }
        scene.line(vec![(x0, y0), (x1, y0)], theme.muted(), 1.5);
        let (lowest, highest) = y.ends();
        if self.y.1 == Unit::Times && lowest < 1.0 && 1.0 < highest {
            scene.line(vec![(x0, y.pixel(1.0)), (x1, y.pixel(1.0))], theme.muted(), 1.5);
        }
        scene.text(&self.y.0, (left, top + 18.0), TEXT, theme.ink(), HPos::Left);
        let kilo = x_ticks.iter().any(|&it| self.x.1.text(it).ends_with(['K', 'M', 'G', 'T']));
        let note = if kilo { " (1K = 1024)" } else { "" };
        let title = format!("{}{note}", self.x.0);
        let centre = f64::midpoint(x0, x1).max(left + text_width(&title, TEXT) / 2.0);
        scene.text(&title, (centre, y0 + 48.0), TEXT, theme.ink(), HPos::Center);

        let mut ends = vec![];
        for series in &self.series {
            let place = |&(a, b): &Place| (x.pixel(a), y.pixel(b));
            let colour = theme.series(series.colour);
            let line = thin_line(series.line.iter().map(place));
            match series.dash {
                0 if line.len() > 1 => scene.line(line.clone(), colour, 3.0),
                dash if line.len() > 1 => {
                    scene.dashed(&line, colour, 3.0, DASHES[(dash - 1) % DASHES.len()]);
                }
                // A prediction for one place is no line.
                _ => line.iter().for_each(|&(a, b)| {
                    scene.line(vec![(a - 8.0, b), (a + 8.0, b)], colour, 3.0);
                }),
            }
            let marks = thin_marks(series.marks.iter().map(place).collect());
            for &mark in &marks {
                scene.disc(mark, MARK + 1.5, theme.page());
                scene.disc(mark, MARK, colour);
            }
            let last = line.iter().chain(&marks).copied().max_by(|a, b| a.0.total_cmp(&b.0));
            ends.extend(last.map(|end| (end, &series.label, colour)));
        }
        ends.sort_by(|a, b| a.0.1.total_cmp(&b.0.1));
        let places = apart(&ends.iter().map(|it| it.0.1).collect::<Vec<_>>(), (y1, y0));
        for ((end, label, colour), at) in ends.into_iter().zip(places) {
            if label.is_empty() {
                continue;
            }
            scene.line(vec![(end.0 + 7.0, end.1), (x1 + 16.0, at)], theme.tint(colour, 0.5), 1.0);
            scene.text(label, (x1 + 20.0, at), TEXT, theme.ink(), HPos::Left);
            scene.disc((x1 + 16.0, at), 2.5, colour);
        }
    }
}

/// Sizes at powers of two; what has a unit, at powers of ten.
pub(super) fn x_ticks(x: &Scale, unit: Unit) -> Vec<f64> {
    let powers = x.powers_of_two(56.0);
    if unit == Unit::Size && powers.len() >= 3 { powers } else { x.decades(64.0) }
}

/// `wanted` heights, increasing, moved so that lines of text do not overlap.
pub(super) fn apart(wanted: &[f64], (top, bottom): (f64, f64)) -> Vec<f64> {
    let height = LINE_HEIGHT.min((bottom - top) / wanted.len().max(1) as f64);
    // Blocks of touching lines; each is centred about what its lines want.
    let mut blocks: Vec<(f64, usize)> = vec![];
    for &at in wanted {
        let mut block = (at, 1);
        while let Some(&(above, lines)) = blocks.last() {
            let distance = height * (lines + block.1) as f64 / 2.0;
            if block.0 - above >= distance {
                break;
            }
            blocks.pop();
            let all = lines + block.1;
            // Means of wanted places, so that order does not matter.
            block = ((above * lines as f64 + block.0 * block.1 as f64) / all as f64, all);
        }
        blocks.push(block);
    }
    let mut places = vec![];
    for (centre, lines) in blocks {
        let first = centre - height * (lines - 1) as f64 / 2.0;
        places.extend((0..lines).map(|line| first + height * line as f64));
    }
    let over = places.last().map_or(0.0, |last| (last - bottom).max(0.0));
    places.iter_mut().for_each(|it| *it -= over);
    places
}

/// At most two points a pixel column: its lowest and its highest.
fn thin_line(points: impl Iterator<Item = Place>) -> Vec<Place> {
    let mut thin: Vec<Place> = vec![];
    for point in points {
        match &mut thin[..] {
            [.., a, b] if a.0 as i32 == point.0 as i32 && b.0 as i32 == point.0 as i32 => {
                let (low, high) = (a.1.min(b.1).min(point.1), a.1.max(b.1).max(point.1));
                (a.1, b.1) = if a.1 < b.1 { (low, high) } else { (high, low) };
                b.0 = point.0;
            }
            _ => thin.push(point),
        }
    }
    thin
}

/// Of many marks, one for each small square of the page.
fn thin_marks(mut marks: Vec<Place>) -> Vec<Place> {
    let mut side = 2.0;
    while marks.len() > MOST_MARKS {
        let mut seen = HashSet::new();
        marks.retain(|it| seen.insert(((it.0 / side) as i32, (it.1 / side) as i32)));
        side *= 1.5;
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_apart() {
        assert_eq!(apart(&[10.0, 100.0], (0.0, 500.0)), [10.0, 100.0]);
        let places = apart(&[100.0, 101.0, 102.0, 490.0, 499.0], (0.0, 500.0));
        assert!(places.windows(2).all(|it| it[1] - it[0] >= 20.9), "{places:?}");
        assert!(places[4] <= 500.0);
    }

    #[test]
    fn a_million_points_are_thinned() {
        let points = |i: u32| (f64::from(i) / 1e3, f64::from(i.wrapping_mul(2_654_435_761) >> 23));
        let many: Vec<Place> = (0..1_000_000).map(points).collect();
        assert!(thin_line(many.iter().copied()).len() <= 2002);
        assert!(thin_marks(many).len() <= MOST_MARKS);
    }
}
