//! Times over two parameters, as coloured cells.

use std::collections::BTreeMap;

use plotters::style::text_anchor::HPos;

use super::ChartError;
use super::compare::{ChartStyle, algorithms};
use super::curves::{MARGIN, TEXT, head};
use super::number::Unit;
use super::rows::{Column, SampleRow, Value, columns, common, varies};
use super::scene::{Place, Scene};
use super::theme::Theme;

/// Panels that fit a picture, and cells that fit a panel's side.
const MOST_PANELS: usize = 6;
const MOST_CELLS: usize = 16;
/// Pixels: of a cell's height at most, and in a panel alone, of the numbers beside and below the cells, of a panel's heading, and
/// between panels.
const HIGHEST: f64 = 120.0;
const LOW: f64 = 56.0;
const BESIDE: f64 = 56.0;
const BELOW: f64 = 62.0;
const ABOVE: f64 = 34.0;
const BETWEEN: f64 = 32.0;
/// Share of the full colour: of the fastest, of the slowest; from this share on, text is the page's.
const PALE: f64 = 0.06;
const FULL: f64 = 0.95;

/// A time, and between which of them its repetitions were.
#[derive(Debug, Clone, Copy)]
pub(super) struct HeatCell {
    pub(super) time: f64,
    pub(super) least: f64,
    pub(super) most: f64,
}

impl HeatCell {
    /// Of one time alone.
    pub(super) const fn alone(time: f64) -> Self {
        Self { time, least: time, most: time }
    }
}

/// Column and row of a cell in the picture.
pub(super) type HeatKey = (Option<Value>, Option<Value>);

/// A panel: its cells by column, then row, of the picture.
pub(super) type HeatPanel = BTreeMap<HeatKey, HeatCell>;

/// The fastest cells of a panel, the fastest first: those whose repetitions reach down among its are not
/// distinguished from it.
pub(super) fn fastest(cells: &HeatPanel) -> Vec<&HeatKey> {
    let Some(best) = cells.values().min_by(|a, b| a.time.total_cmp(&b.time)) else { return vec![] };
    let mut ties: Vec<_> = cells.iter().filter(|it| it.1.least <= best.most).collect();
    ties.sort_by(|a, b| a.1.time.total_cmp(&b.1.time));
    ties.into_iter().map(|it| it.0).collect()
}

/// Cells over the column `t`, or the style's `x`, and the column `b`, or the style's `by`, with a
/// panel for whatever else the rows differ in. Colours are logarithmic, from the fastest of all to
/// the slowest; the fastest of each panel is outlined.
///
/// # Errors
/// [`ChartError::Data`] if a row has no time or no column, if two rows are for one cell, or if there
/// is more than a picture holds.
pub fn heat(rows: &[SampleRow], style: &ChartStyle) -> Result<Scene, ChartError> {
    let (heat, caption) = Heat::of(rows, style)?;
    let mut scene = Scene::on(style.canvas);
    let title = style.title.clone().unwrap_or_else(|| format!("Time of {}", algorithms(rows)));
    let top = head(&mut scene, &title, &caption);
    heat.draw(&mut scene, top);
    Ok(scene)
}

/// For a caption.
pub(super) const FASTEST: &str = "outlined: the fastest of each panel";

/// Panels of coloured cells.
#[derive(Debug)]
pub(super) struct Heat {
    /// With their names.
    pub(super) panels: Vec<(String, HeatPanel)>,
    /// Of columns and of rows.
    pub(super) titles: (String, String),
    pub(super) unit: Unit,
    /// Panels whose times cannot be compared have colours of their own.
    pub(super) apart: bool,
}

impl Heat {
    /// The cells of rows, and what they have in common.
    pub(super) fn of(rows: &[SampleRow], style: &ChartStyle) -> Result<(Self, String), ChartError> {
        let column = |given: &Option<Column>, name: &str| {
            let unknown = |error| ChartError::Data(format!("{error}; choose with --x and --by"));
            given.clone().map_or_else(|| Column::named(name, rows).map_err(unknown), Ok)
        };
        // A file without the rows' column has one row of cells.
        let x = column(&style.x, "t")?;
        let y = style.by.clone().unwrap_or_else(|| Column::Set("b".to_owned()));
        let keys: Vec<Column> = columns(rows)
            .into_iter()
            .filter(|it| *it != x && *it != y && *it != Column::Source && varies(it, rows.iter()))
            .collect();
        let unit = if rows.iter().all(|it| it.sample.time_s.is_some()) {
            Unit::Seconds
        } else {
            Unit::TimeUnits
        };
        let mut panels: Vec<(String, HeatPanel)> = vec![];
        for row in rows {
            let it = &row.sample;
            let time = match unit {
                Unit::Seconds => it.time_s,
                _ => it.time_units.map(|it| it as f64),
            };
            let time = time.filter(|it| *it > 0.0);
            let time =
                time.ok_or_else(|| row.fail("no time, or not in the unit of the other rows"))?;
            let at = (x.value(it), y.value(it));
            if at.0.is_none() {
                return Err(row.fail(format_args!("no value in the column `{}`", x.title(rows))));
            }
            let words = keys.iter().filter_map(|key| Some(key.describe(&key.value(it)?)));
            let name = words.collect::<Vec<_>>().join("  ");
            let index = panels.iter().position(|panel| panel.0 == name).unwrap_or_else(|| {
                panels.push((name, BTreeMap::new()));
                panels.len() - 1
            });
            if panels[index].1.insert(at, HeatCell::alone(time)).is_some() {
                return Err(row.fail("another row has the same cell"));
            }
        }
        let file = rows.first().map_or("", |row| &row.file);
        if panels.len() > MOST_PANELS {
            return Err(ChartError::Data(format!(
                "{file}: {} panels, where {MOST_PANELS} are the most; choose rows with --of \
             COLUMN=VALUE, such as --of n=8192",
                panels.len()
            )));
        }
        if panels.iter().map(|it| sides(&it.1)).any(|(a, b)| a.len().max(b.len()) > MOST_CELLS) {
            return Err(ChartError::Data(format!(
                "{file}: more than {MOST_CELLS} cells a side; a heat map is of a few values"
            )));
        }
        let all: Vec<&SampleRow> = rows.iter().collect();
        let caption = format!("{}  {FASTEST}", common(&all, &[&x, &y]));
        let titles = (x.title(rows), y.title(rows));
        Ok((Self { panels, titles, unit, apart: false }, caption))
    }

    /// The colours of a panel.
    fn colour(&self, panel: usize) -> Colour {
        let one = self.apart.then_some(panel);
        let panels = self.panels.iter().enumerate().filter(|it| one.is_none_or(|one| one == it.0));
        let times = panels.flat_map(|it| it.1.1.values().map(|it| it.time));
        let ends = times.fold((f64::INFINITY, 0.0_f64), |(a, b), it| (a.min(it), b.max(it)));
        // Blue, then green: the frame of the fastest is between them.
        Colour { ends, hue: 2 * one.unwrap_or(0), unit: self.unit }
    }

    /// Each panel alone.
    pub(super) fn scenes(&self, theme: Theme, wide: u32) -> Vec<Scene> {
        let scene = |(index, (name, cells)): (usize, &(String, HeatPanel))| {
            let high = sides(cells).1.len() as f64 * LOW;
            let mut scene = Scene::new((wide, (ABOVE + BELOW + high) as u32), theme);
            let wide = (scene.width() - 16.0, LOW);
            panel(&mut scene, (8.0, 0.0), wide, (name, cells), &self.titles, &self.colour(index));
            scene
        };
        self.panels.iter().enumerate().map(scene).collect()
    }

    pub(super) fn draw(&self, scene: &mut Scene, top: f64) {
        let (panels, titles) = (&self.panels, &self.titles);
        // Two panels side by side; a line of panels is as high as its rows ask for.
        let heights: Vec<usize> = panels
            .chunks(2)
            .map(|line| line.iter().map(|it| sides(&it.1).1.len()).max().unwrap_or(1))
            .collect();
        let lines = heights.len() as f64;
        let free = scene.height() - top - lines * (ABOVE + BELOW);
        let high = (free / heights.iter().sum::<usize>() as f64).min(HIGHEST);
        let across = panels.len().min(2) as f64;
        let wide = (scene.width() - 2.0 * MARGIN - (across - 1.0) * BETWEEN) / across;
        let mut above = top;
        for (row, (line, height)) in panels.chunks(2).zip(heights).enumerate() {
            for (index, (name, cells)) in line.iter().enumerate() {
                let corner = (MARGIN + index as f64 * (wide + BETWEEN), above);
                let colour = self.colour(2 * row + index);
                panel(scene, corner, (wide, high), (name, cells), titles, &colour);
            }
            above += ABOVE + BELOW + height as f64 * high;
        }
    }
}

/// The values of columns and of rows.
fn sides(cells: &HeatPanel) -> (Vec<Option<Value>>, Vec<Option<Value>>) {
    (axis(cells, |it| &it.0), axis(cells, |it| &it.1))
}

/// The values on one side of a panel, ascending.
fn axis(cells: &HeatPanel, of: impl Fn(&HeatKey) -> &Option<Value>) -> Vec<Option<Value>> {
    let mut values: Vec<Option<Value>> = cells.keys().map(|it| of(it).clone()).collect();
    values.sort();
    values.dedup();
    values
}

struct Colour {
    /// The fastest and the slowest time.
    ends: (f64, f64),
    hue: usize,
    unit: Unit,
}

impl Colour {
    fn share(&self, time: f64) -> f64 {
        let (least, most) = self.ends;
        let whole = (most / least).ln();
        let part = if whole > 0.0 { (time / least).ln() / whole } else { 0.0 };
        PALE + part * (FULL - PALE)
    }
}

fn panel(
    scene: &mut Scene,
    (left, top): Place,
    (wide, high): (f64, f64),
    (name, cells): (&str, &HeatPanel),
    (x_title, y_title): &(String, String),
    colour: &Colour,
) {
    let theme = scene.theme;
    let (columns, rows) = sides(cells);
    let (x0, y0) = (left + BESIDE, top + ABOVE);
    let width = (wide - BESIDE) / columns.len() as f64;
    let bottom = y0 + rows.len() as f64 * high;
    scene.text(name, (x0, top + ABOVE / 2.0), TEXT, theme.ink(), HPos::Left);
    let text = |value: &Option<Value>| value.as_ref().map(Value::text).unwrap_or_default();
    let fastest = fastest(cells);
    for (row, b) in rows.iter().enumerate() {
        let middle = y0 + (row as f64 + 0.5) * high;
        scene.text(&text(b), (x0 - 10.0, middle), TEXT, theme.muted(), HPos::Right);
        for (column, t) in columns.iter().enumerate() {
            let key = (t.clone(), b.clone());
            let Some(&HeatCell { time, .. }) = cells.get(&key) else { continue };
            let from = (x0 + column as f64 * width, y0 + row as f64 * high);
            let to = (from.0 + width - 2.0, from.1 + high - 2.0);
            let share = colour.share(time);
            let fill = theme.tint(theme.series(colour.hue), share);
            scene.rectangle(from, to, fill);
            if fastest.contains(&&key) {
                let frame = vec![from, (to.0, from.1), to, (from.0, to.1), from];
                scene.line(frame, theme.series(1), 3.0);
            }
            let place = (f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1));
            scene.text(&colour.unit.text(time), place, 0.9 * TEXT, Theme::on(fill), HPos::Center);
        }
    }
    for (column, t) in columns.iter().enumerate() {
        let place = (x0 + (column as f64 + 0.5) * width, bottom + 14.0);
        scene.text(&text(t), place, TEXT, theme.muted(), HPos::Center);
    }
    let middle = f64::midpoint(x0, left + wide);
    scene.text(x_title, (middle, bottom + 38.0), TEXT, theme.ink(), HPos::Center);
    if rows.iter().any(Option::is_some) {
        let place = (x0 - 10.0, top + ABOVE / 2.0);
        scene.text(y_title, place, TEXT, theme.ink(), HPos::Right);
    }
}
