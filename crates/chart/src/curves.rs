//! Panels of curves: logarithmic axes, lines for what is predicted, marks for what is measured,
//! and each series' name at its right end.

use plotters::style::text_anchor::HPos;

use super::decimation::{thin_line, thin_marks};
use super::label_layout::spread;
use super::letters::{lines, text_width};
use super::number::Unit;
use super::scale::Scale;
use super::scene::{Place, Scene};

#[derive(Debug, Default)]
pub(super) struct Series {
    pub(super) label: String,
    pub(super) colour: usize,
    pub(super) dash: usize,
    /// By increasing `x`.
    pub(super) line: Vec<Place>,
    pub(super) marks: Vec<Place>,
    /// Spread of marks: place, lower and upper end.
    pub(super) bars: Vec<(f64, f64, f64)>,
}

#[derive(Debug)]
pub(super) struct Panel {
    /// What the panel's rows have in common.
    pub(super) heading: String,
    pub(super) x: (String, Unit),
    pub(super) y: (String, Unit),
    pub(super) series: Vec<Series>,
    pub(super) guide: Guide,
    /// What the axes reach, beside the series.
    pub(super) reach: Vec<Place>,
}

/// What is drawn where a prediction is right, about it what is off by 15 % and by a factor of 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guide {
    None,
    /// Both axes measure the same, and range alike.
    Diagonal,
    /// The vertical axis is a quotient.
    One,
}

pub(super) const TITLE: f64 = 26.0;
pub(super) const TEXT: f64 = 16.0;
pub(super) const MARGIN: f64 = 36.0;
/// Of the upper of two panels one above the other.
const UPPER_SHARE: f64 = 0.62;
/// Ways to draw a line, the same in every chart. Solid is what is counted, predicted or fitted; dots
/// are measured. Dashed is what others publish …
pub(super) const PUBLISHED: usize = 1;
/// … and dotted is what the picture compares with: a bound, a plainer model, a fit that misses.
pub(super) const REFERENCE: usize = 2;
/// Where colours do not suffice.
pub(super) const LONG: usize = 3;
/// Dash and gap of each but the solid line.
const DASHES: [(f64, f64); 3] = [(9.0, 6.0), (2.5, 5.0), (16.0, 5.0)];
const LINE: f64 = 3.0;
/// How much wider a line is for each other that is drawn over it.
const WIDER: f64 = 4.0;
const MARK: f64 = 5.0;
const FINE: f64 = 2.5;
/// More marks than this are drawn small.
const MANY: usize = 60;

/// Writes title and caption; the height at which the rest begins.
pub(super) fn head(scene: &mut Scene, title: &str, caption: &str) -> f64 {
    scene.describe(title, caption);
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

/// Draws a panel that is the whole picture.
pub(super) fn draw_alone(scene: &mut Scene, panel: &Panel) {
    let (wide, high) = (scene.width(), scene.height());
    let headings = lines(&panel.heading, TEXT, wide - 16.0);
    for (row, line) in headings.iter().enumerate() {
        let place = (8.0, 14.0 + row as f64 * 1.25 * TEXT);
        scene.text(line, place, TEXT, scene.theme.ink(), HPos::Left);
    }
    let top = headings.len() as f64 * 1.25 * TEXT;
    panel.draw(scene, (8.0, top), (wide - 4.0, high));
}

/// Draws small panels in lines of as many as there are lines, or a few more, below one title of the
/// vertical axes and above one of the horizontal axes.
pub(super) fn draw_grid(scene: &mut Scene, top: f64, panels: &[Panel], titles: &[String; 2]) {
    let columns = (panels.len() as f64).sqrt().ceil();
    let rows = (panels.len() as f64 / columns).ceil();
    let (ink, bottom) = (scene.theme.ink(), scene.height() - 64.0);
    scene.text(&titles[1], (MARGIN, top + 8.0), TEXT, ink, HPos::Left);
    scene.text(&titles[0], (scene.width() / 2.0, bottom + 18.0), TEXT, ink, HPos::Center);
    let top = top + 24.0;
    let (wide, high) = ((scene.width() - 2.0 * MARGIN) / columns, (bottom - top) / rows);
    let gutters = (top, top + high);
    let widest = panels.iter().map(|it| it.gutters(gutters).0).fold(0.0, f64::max);
    for (index, panel) in panels.iter().enumerate() {
        let (row, column) = ((index as f64 / columns).floor(), index as f64 % columns);
        let (left, top) = (MARGIN + column * wide, top + row * high);
        let (ink, place) = (scene.theme.ink(), (left, top + 14.0));
        scene.text(&panel.heading, place, TEXT, ink, HPos::Left);
        let to = (left + wide - 8.0, top + high);
        panel.draw_within(scene, (left, top + 20.0), to, (widest, 0.0));
    }
}

/// Draws two panels one above the other, over one horizontal axis.
pub(super) fn draw_above(scene: &mut Scene, top: f64, [upper, lower]: [&Panel; 2]) {
    let (left, right) = (MARGIN, scene.width() - MARGIN);
    let bottom = scene.height();
    let border = top + UPPER_SHARE * (bottom - top);
    let gutters = [upper.gutters((top, border)), lower.gutters((border, bottom))];
    let common = (gutters[0].0.max(gutters[1].0), gutters[0].1.max(gutters[1].1));
    // The upper panel's axis is the lower's: its title would say the same again.
    upper.draw_within(scene, (left, top), (right, border), common);
    lower.draw_within(scene, (left, border + 8.0), (right, bottom), common);
}

/// Room for an axis' numbers, and with its title: of the horizontal one, of the vertical one.
const BELOW: (f64, f64) = (32.0, 76.0);
const ABOVE: (f64, f64) = (10.0, 40.0);

impl Panel {
    /// A panel with axes of these titles and units.
    pub(super) fn new(
        x: (impl Into<String>, Unit),
        y: (impl Into<String>, Unit),
        series: Vec<Series>,
    ) -> Self {
        let (x, y) = ((x.0.into(), x.1), (y.0.into(), y.1));
        Self { heading: String::new(), x, y, series, guide: Guide::None, reach: vec![] }
    }

    fn points(&self) -> impl Iterator<Item = Place> {
        let drawn = self.series.iter().flat_map(|it| {
            let ends = it.bars.iter().flat_map(|&(x, low, high)| [(x, low), (x, high)]);
            it.line.iter().chain(&it.marks).copied().chain(ends.filter(|it| it.1 > 0.0))
        });
        drawn.chain(self.reach.iter().copied())
    }

    fn scales(&self) -> [Vec<f64>; 2] {
        let [x, y] =
            [self.points().map(|it| it.0).collect(), self.points().map(|it| it.1).collect()];
        if self.guide == Guide::Diagonal {
            let both: Vec<f64> = [x, y].concat();
            return [both.clone(), both];
        }
        [x, y]
    }

    fn y(&self, ends: (f64, f64)) -> Scale {
        let [_, y] = self.scales();
        Scale::around(y.into_iter(), 0.05, ends)
    }

    fn y_ticks(&self, y: &Scale) -> Vec<f64> {
        match self.guide {
            // Beside the line at 1, which is drawn anyway: these panels are low.
            Guide::One => vec![0.5, 2.0],
            Guide::None | Guide::Diagonal => y.decades(26.0),
        }
    }

    /// Where the curves begin and end, of a panel from `top` to `bottom`.
    fn heights(&self, top: f64, bottom: f64) -> (f64, f64) {
        let room = |title: &str, (without, with)| if title.is_empty() { without } else { with };
        (bottom - room(&self.x.0, BELOW), top + room(&self.y.0, ABOVE))
    }

    /// Widths of the numbers at the left and of the names at the right.
    fn gutters(&self, (top, bottom): (f64, f64)) -> (f64, f64) {
        let names = self.series.iter().map(|it| text_width(&it.label, TEXT)).fold(0.0, f64::max);
        let ticks = self.y_ticks(&self.y(self.heights(top, bottom)));
        let texts = self.y.1.texts(&ticks);
        (texts.iter().map(|it| text_width(it, TEXT)).fold(0.0, f64::max), names)
    }

    /// The panel in words: its axes and its curves, as far as they are named at it.
    fn description(&self) -> String {
        let names = self.series.iter().map(|it| &it.label[..]).filter(|it| !it.is_empty());
        let names = names.collect::<Vec<_>>().join("; ");
        let named = |it: &str, words: String| if it.is_empty() { String::new() } else { words };
        let [heading, across, up] = [&self.heading, &self.x.0, &self.y.0];
        let of = named(heading, format!("{heading}: "));
        let against = named(across, format!(" against {across}"));
        format!("{of}{up}{against}{}", named(&names, format!(", of {names}")))
    }

    fn draw(&self, scene: &mut Scene, from: Place, to: Place) {
        let gutters = self.gutters((from.1, to.1));
        self.draw_within(scene, from, to, gutters);
    }

    fn draw_within(
        &self,
        scene: &mut Scene,
        (left, top): Place,
        (right, bottom): Place,
        (widest, names): (f64, f64),
    ) {
        let theme = scene.theme;
        scene.describe_more(&self.description());
        // However long a name is, the curves keep their half.
        let names = names.min(0.5 * (right - left));
        let (y0, y1) = self.heights(top, bottom);
        let y = self.y((y0, y1));
        let y_ticks = self.y_ticks(&y);
        let (x0, x1) = (left + widest + 12.0, right - names - if names > 0.0 { 34.0 } else { 8.0 });
        let margin = if self.guide == Guide::Diagonal { 0.05 } else { 0.02 };
        let [all_x, _] = self.scales();
        let x = Scale::around(all_x.into_iter(), margin, (x0, x1));
        match self.guide {
            Guide::None => {}
            Guide::Diagonal => bands(scene, &x, &y),
            Guide::One => band(scene, (x0, x1), &y),
        }

        let x_ticks = x_ticks(&x, self.x.1);
        let across = y_ticks.iter().map(|&tick| [x0, x1].map(|it| (it, y.pixel(tick))));
        let up = x_ticks.iter().map(|&tick| [y0, y1].map(|it| (x.pixel(tick), it)));
        scene.segments(across.chain(up).collect(), theme.grid(), 1.0);
        for (&tick, text) in y_ticks.iter().zip(self.y.1.texts(&y_ticks)) {
            let place = (x0 - 8.0, y.pixel(tick));
            scene.text(&text, place, TEXT, theme.muted(), HPos::Right);
        }
        let x_texts = self.x.1.texts(&x_ticks);
        for (&tick, text) in x_ticks.iter().zip(&x_texts) {
            let place = (x.pixel(tick), y0 + 18.0);
            scene.text(text, place, TEXT, theme.muted(), HPos::Center);
        }
        scene.line(vec![(x0, y0), (x1, y0)], theme.muted(), 1.5);
        let (lowest, highest) = y.ends();
        if self.y.1 == Unit::Times && lowest < 1.0 && 1.0 < highest {
            scene.line(vec![(x0, y.pixel(1.0)), (x1, y.pixel(1.0))], theme.muted(), 1.5);
        }
        scene.text(&self.y.0, (left, top + 18.0), TEXT, theme.ink(), HPos::Left);
        let kilo = x_texts.iter().any(|it| it.ends_with(['K', 'M', 'G', 'T']));
        let note = if kilo && !self.x.0.is_empty() { " (1K = 1024)" } else { "" };
        let title = format!("{}{note}", self.x.0);
        let centre = f64::midpoint(x0, x1).max(left + text_width(&title, TEXT) / 2.0);
        scene.text(&title, (centre, y0 + 48.0), TEXT, theme.ink(), HPos::Center);

        let mut ends = vec![];
        let has_place = |it: &&Place| Scale::has_place(it.0) && Scale::has_place(it.1);
        let place = |&(a, b): &Place| (x.pixel(a), y.pixel(b));
        let lines: Vec<Vec<Place>> = (self.series.iter())
            .map(|it| thin_line(it.line.iter().filter(has_place).map(place)))
            .collect();
        for (index, series) in self.series.iter().enumerate() {
            let colour = theme.series(series.colour);
            let line = &lines[index];
            // Of lines in one place, those below show on both sides of those above.
            let above = lines[index + 1..].iter().filter(|it| coincide(it, line)).count();
            let width = LINE + WIDER * above as f64;
            match series.dash {
                0 if line.len() > 1 => scene.line(line.clone(), colour, width),
                dash if line.len() > 1 => {
                    scene.dashed(line, colour, LINE, DASHES[(dash - 1) % DASHES.len()]);
                }
                // A prediction for one place is no line.
                _ => line.iter().for_each(|&(a, b)| {
                    scene.line(vec![(a - 8.0, b), (a + 8.0, b)], colour, LINE);
                }),
            }
            let bars = series.bars.iter().filter(|it| has_place(&&(it.0, it.2)));
            let spread = |&(a, low, high): &(f64, f64, f64)| {
                let low = if low > 0.0 { y.pixel(low) } else { y0 };
                bar(x.pixel(a), (low, y.pixel(high)))
            };
            scene.segments(bars.flat_map(spread).collect(), colour, 1.5);
            let marks = thin_marks(series.marks.iter().filter(has_place).map(place).collect());
            // Many dots are small, so that each is seen.
            if marks.len() > MANY {
                scene.discs(marks.clone(), FINE, colour);
            } else {
                scene.discs(marks.clone(), MARK + 1.5, theme.page());
                scene.discs(marks.clone(), MARK, colour);
            }
            let last = line.iter().chain(&marks).copied().max_by(|a, b| a.0.total_cmp(&b.0));
            let end = last.filter(|_| !series.label.is_empty());
            ends.extend(end.map(|end| (end, &series.label, colour)));
        }
        ends.sort_by(|a, b| a.0.1.total_cmp(&b.0.1));
        let places = spread(&ends.iter().map(|it| it.0.1).collect::<Vec<_>>(), (y1, y0));
        for ((end, label, colour), at) in ends.into_iter().zip(places) {
            scene.line(vec![(end.0 + 7.0, end.1), (x1 + 16.0, at)], theme.tint(colour, 0.5), 1.0);
            scene.text(label, (x1 + 20.0, at), TEXT, theme.ink(), HPos::Left);
            scene.disc((x1 + 16.0, at), 2.5, colour);
        }
    }
}

/// Lower and upper end of a spread, with small caps; none where the mark hides it.
fn bar(x: f64, (low, high): (f64, f64)) -> Vec<[Place; 2]> {
    if low - high < 2.0 {
        return vec![];
    }
    let cap = |at: f64| [(x - 4.0, at), (x + 4.0, at)];
    vec![[(x, low), (x, high)], cap(low), cap(high)]
}

/// The diagonal, what is within 15 % of it, and the borders of a factor of 2.
fn bands(scene: &mut Scene, x: &Scale, y: &Scale) {
    let theme = scene.theme;
    let (low, high) = x.ends();
    // y = factor · x, as far as both axes reach.
    let line = |factor: f64| {
        let (from, to) = ((low / factor).max(low), (high / factor).min(high));
        [from, to].map(|it| (x.pixel(it), y.pixel(it * factor)))
    };
    let corner = |at: f64| (x.pixel(at), y.pixel(at));
    let ([a, b], [c, d]) = (line(1.15), line(0.85));
    scene.area(vec![corner(low), a, b, corner(high), d, c], theme.tint(theme.ink(), 0.12));
    for factor in [0.5, 2.0] {
        scene.dashed(&line(factor), theme.muted(), 1.0, (4.0, 5.0));
    }
    scene.line(line(1.0).to_vec(), theme.muted(), 1.5);
}

/// The same about 1, from pixel to pixel.
fn band(scene: &mut Scene, (from, to): (f64, f64), y: &Scale) {
    let theme = scene.theme;
    let line = |factor: f64| [from, to].map(|it| (it, y.pixel(factor)));
    let ([a, b], [c, d]) = (line(1.15), line(0.85));
    scene.area(vec![a, b, d, c], theme.tint(theme.ink(), 0.12));
    for factor in [0.5, 2.0] {
        scene.dashed(&line(factor), theme.muted(), 1.0, (4.0, 5.0));
    }
}

/// Sizes at powers of two; what has a unit, at powers of ten.
pub(super) fn x_ticks(x: &Scale, unit: Unit) -> Vec<f64> {
    let apart = match unit {
        Unit::Size => &[56.0, 42.0][..],
        Unit::Bytes => &[84.0],
        _ => &[],
    };
    // Where there is little room, two beat none.
    let powers = apart.iter().zip([3, 2]).map(|(apart, least)| (x.powers_of_two(*apart), least));
    let powers = powers.filter(|(powers, least)| powers.len() >= *least).map(|it| it.0).next();
    powers.unwrap_or_else(|| x.decades(64.0))
}

/// Whether two lines cover each other.
fn coincide(one: &[Place], other: &[Place]) -> bool {
    let near = |(a, b): (&Place, &Place)| (a.0 - b.0).abs() < 1.0 && (a.1 - b.1).abs() < 1.5;
    one.len() > 1 && one.len() == other.len() && one.iter().zip(other).all(near)
}
