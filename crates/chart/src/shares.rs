//! What part of the time each phase takes.

use std::collections::BTreeMap;

use plotters::style::text_anchor::HPos;

use super::ChartError;
use super::compare::{ChartStyle, algorithms};
use super::curves::{MARGIN, TEXT, head};
use super::letters::text_width;
use super::number::Unit;
use super::rows::{Column, SampleRow, Value, common, distinct};
use super::scene::Scene;
use super::theme::COLOURS;

/// More bars than this would be too narrow for their numbers.
const MOST_BARS: usize = 24;

/// A bar for each value of the horizontal column, cut into the shares of the phases, in their
/// order; the whole time stands on top.
///
/// # Errors
/// [`ChartError::Data`] if no row has a phase and a time in time units, if there are too many bars
/// or phases, or several rows claim one phase of one bar.
pub fn phases(rows: &[SampleRow], style: &ChartStyle) -> Result<Scene, ChartError> {
    let kept: Vec<&SampleRow> = rows
        .iter()
        .filter(|row| row.sample.phase.is_some() && row.sample.time_units.is_some())
        .collect();
    let Some(first) = kept.first() else {
        let file = rows.first().map_or("", |row| &row.file);
        return Err(ChartError::Data(format!("{file}: no row has a phase and time_units")));
    };
    let x = style.x.clone().unwrap_or_else(|| widest(rows, first));
    let bars = Bars::of(rows, &kept, &x)?;
    let mut scene = Scene::on(style.canvas);
    let title = style.title.clone();
    let title = title.unwrap_or_else(|| format!("Time of {} by phase", algorithms(rows)));
    let top = head(&mut scene, &title, &common(&kept, &[&x, &Column::Phase]));
    let numbers =
        bars.times.keys().any(|it| matches!(it, Value::Number(number) if *number >= 1024));
    let note = if numbers { " (1K = 1024)" } else { "" };
    bars.draw(&mut scene, top, &format!("{}{note}", x.title(rows)));
    Ok(scene)
}

/// The column in which the rows differ most.
fn widest(rows: &[SampleRow], first: &SampleRow) -> Column {
    let mut best = (Column::Threads, distinct(&Column::Threads, rows));
    let names = first.sample.set.0.keys().cloned().map(Column::Set);
    for column in names.chain([Column::Width, Column::Latency]) {
        let count = distinct(&column, rows);
        if count > best.1 {
            best = (column, count);
        }
    }
    best.0
}

/// The phases' names, and by bar each phase's time by its number.
struct Bars<'a> {
    names: Vec<&'a str>,
    times: BTreeMap<Value, BTreeMap<usize, u128>>,
}

impl<'a> Bars<'a> {
    fn of(rows: &[SampleRow], kept: &[&'a SampleRow], x: &Column) -> Result<Self, ChartError> {
        let (mut names, mut times) = (vec![], BTreeMap::<Value, BTreeMap<usize, u128>>::new());
        for row in kept {
            let (Some(at), Some(phase), Some(time)) =
                (x.value(&row.sample), row.sample.phase.as_deref(), row.sample.time_units)
            else {
                continue;
            };
            let index = names.iter().position(|it| *it == phase).unwrap_or_else(|| {
                names.push(phase);
                names.len() - 1
            });
            if times.entry(at).or_default().insert(index, time).is_some() {
                return Err(row.fail(format_args!(
                    "a second row of phase {phase} for one bar; leave only rows that differ in the \
                     horizontal axis, {}",
                    x.title(rows)
                )));
            }
        }
        if times.is_empty() || times.len() > MOST_BARS || names.len() > COLOURS {
            return Err(ChartError::Data(format!(
                "{}: {} bars of {} phases; 1 to {MOST_BARS} bars and at most {COLOURS} phases can \
                 be drawn: choose another --x, or fewer rows",
                kept[0].file,
                times.len(),
                names.len()
            )));
        }
        Ok(Self { names, times })
    }

    fn draw(&self, scene: &mut Scene, top: f64, axis: &str) {
        let theme = scene.theme;
        let label =
            |it: &&str| if it.len() == 1 { format!("phase {it}") } else { (*it).to_owned() };
        let labels: Vec<String> = self.names.iter().map(label).collect();
        let names_width = labels.iter().map(|it| text_width(it, TEXT)).fold(0.0, f64::max);
        let (x0, x1) = (MARGIN + 62.0, scene.width() - MARGIN - names_width - 44.0);
        let (y0, y1) = (scene.height() - 76.0, top + 76.0);
        scene.text("share of the time", (MARGIN, top + 18.0), TEXT, theme.ink(), HPos::Left);
        let above = "above each bar: the whole, in time units";
        scene.text(above, (x1, top + 18.0), TEXT, theme.muted(), HPos::Right);
        for percent in (0..=100).step_by(20) {
            let at = y0 - (y0 - y1) * f64::from(percent) / 100.0;
            scene.line(vec![(x0, at), (x1, at)], theme.grid(), 1.0);
            let text = format!("{percent} %");
            scene.text(&text, (x0 - 8.0, at), TEXT, theme.muted(), HPos::Right);
        }
        let each = (x1 - x0) / self.times.len() as f64;
        let half = (0.38 * each).min(60.0);
        let mut last = vec![];
        for (bar, (at, times)) in self.times.iter().enumerate() {
            let middle = x0 + (bar as f64 + 0.5) * each;
            last = bar_of(scene, times, (middle - half, middle + half), (y0, y1));
            let text = match at {
                Value::Number(number) => Unit::Size.text(*number as f64),
                Value::Text(text) => text.clone(),
            };
            scene.text(&text, (middle, y0 + 18.0), TEXT, theme.muted(), HPos::Center);
            let total = times.values().sum::<u128>() as f64;
            let total = Unit::TimeUnits.text((total / 1e3).round().max(0.001) * 1e3);
            let size = if text_width(&total, TEXT) < each - 6.0 { TEXT } else { 0.7 * TEXT };
            scene.text(&total, (middle, y1 - 14.0), size, theme.ink(), HPos::Center);
        }
        // The names stand beside the last bar.
        let middles: Vec<f64> = last.iter().rev().map(|it| it.1).collect();
        let places = super::label_layout::spread(&middles, (y1, y0));
        for ((index, from), at) in last.iter().rev().zip(places) {
            let colour = theme.series(*index);
            let edge = x0 + (self.times.len() as f64 - 0.5) * each + half;
            scene.line(vec![(edge, *from), (x1 + 14.0, at)], colour, 1.0);
            scene.disc((x1 + 18.0, at), 5.0, colour);
            scene.text(&labels[*index], (x1 + 30.0, at), TEXT, theme.ink(), HPos::Left);
        }
        let place = (f64::midpoint(x0, x1), y0 + 48.0);
        scene.text(axis, place, TEXT, theme.ink(), HPos::Center);
    }
}

/// Draws a bar; each phase's number, and the height of its middle.
fn bar_of(
    scene: &mut Scene,
    times: &BTreeMap<usize, u128>,
    (left, right): (f64, f64),
    (y0, y1): (f64, f64),
) -> Vec<(usize, f64)> {
    let total: u128 = times.values().sum();
    let mut below = y0;
    let mut middles = vec![];
    for (&index, &time) in times {
        let share = if total == 0 { 0.0 } else { time as f64 / total as f64 };
        let above = below - share * (y0 - y1);
        scene.rectangle((left, above), (right, below), scene.theme.series(index));
        middles.push((index, f64::midpoint(above, below)));
        below = above;
    }
    middles
}
