//! Which term of the lower bound dominates, over threads and latency.

use plotters::style::text_anchor::HPos;

use super::ChartError;
use super::compare::{SIZE, Style, algorithms};
use super::curves::{MARGIN, TEXT, head, x_ticks};
use super::number::{Unit, plain};
use super::rows::{Column, Row, common, varies};
use super::scale::Scale;
use super::scene::{Place, Scene, text_width};

const TERMS: [(&str, &str); 3] = [
    ("accesses / w", "bandwidth"),
    ("accesses · l / p", "latency, too few threads to hide it"),
    ("chain · l", "latency, of steps that wait for each other"),
];
/// Above this number, samples are dots without numbers.
const MOST_NUMBERS: usize = 120;

/// The plane of threads `p` and latency `l`, coloured by the largest of the terms accesses/w,
/// accesses·l/p and chain·l. The chain is read off the samples: the fewest steps that any of them took,
/// (time units − stages) / (l − 1) of a synchronous run, as the run with the most threads takes.
/// Each sample is a dot, with its time over the largest term.
///
/// # Errors
/// [`ChartError::Data`] if the rows are not synchronous runs of one algorithm at one size and
/// width, with `threads`, `latency`, `accesses`, `stages` and `time_units`.
pub fn regime(rows: &[Row], style: &Style) -> Result<Scene, ChartError> {
    let file = rows.first().map_or("", |row| &row.file);
    let mut fixed = vec![Column::Algorithm, Column::Machine, Column::Width, Column::Mode];
    fixed.push(Column::Bulk);
    fixed.extend(
        rows.iter().flat_map(|row| row.sample.set.0.keys().cloned().map(Column::Set)).take(8),
    );
    if let Some(column) = fixed.iter().find(|it| varies(it, rows.iter())) {
        return Err(ChartError::Data(format!(
            "{file}: the rows differ in {}; a regime map is of one algorithm, size, machine and \
             width",
            column.title(&[])
        )));
    }
    let mut points = vec![];
    let mut depth = f64::INFINITY;
    for row in rows {
        let it = &row.sample;
        let (Some(p), Some(l), Some(w)) = (it.threads, it.latency, it.width) else { continue };
        let (Some(accesses), Some(stages), Some(time)) = (it.accesses, it.stages, it.time_units)
        else {
            continue;
        };
        if it.mode.as_deref() == Some("async") || it.phase.is_some() || p == 0 || l == 0 || w == 0 {
            return Err(row.fail("a regime map needs synchronous runs as a whole, without phases"));
        }
        if time == 0 || accesses == 0 || time < stages {
            return Err(row.fail("a run without time has no place on a logarithmic map"));
        }
        if l > 1 {
            depth = depth.min((time - stages) as f64 / (l - 1) as f64);
        }
        points.push((row, p as f64, l as f64, w as f64, accesses as f64, time as f64));
    }
    let Some(&(_, _, _, w, accesses, _)) = points.first() else {
        return Err(ChartError::Data(format!(
            "{file}: no row has threads, latency, width, accesses, stages and time_units"
        )));
    };
    if let Some((row, ..)) = points.iter().find(|it| it.4 != accesses) {
        return Err(row.fail("the number of accesses differs from the first row's"));
    }
    if !depth.is_finite() || depth < 1.0 {
        return Err(ChartError::Data(format!("{file}: no row has a latency of 2 or more")));
    }
    let terms = |p: f64, l: f64| [accesses / w, accesses * l / p, depth * l];

    let mut scene = Scene::new(SIZE, style.theme);
    let theme = style.theme;
    let title = style.title.clone();
    let title = title.unwrap_or_else(|| format!("What bounds the time of {}", algorithms(rows)));
    let all: Vec<&Row> = rows.iter().collect();
    let many = points.len() > MOST_NUMBERS;
    let note = if many { "dots: runs" } else { "dots: runs, with time ÷ largest term" };
    let caption = format!(
        "{}  {} accesses, chain of {} steps  {note}",
        common(&all, &[]),
        plain(accesses),
        plain(depth.round())
    );
    let top = head(&mut scene, &title, &caption);

    let (x0, x1) = (MARGIN + 62.0, scene.width() - MARGIN);
    let (y0, y1) = (scene.height() - 76.0, top + 80.0);
    let x = Scale::around(points.iter().map(|it| it.1), 0.06, (x0, x1));
    let y = Scale::around(points.iter().map(|it| it.2), 0.10, (y0, y1));
    // Borders are straight in the plane of logarithms: l = p/w, l = accesses/(w·depth) and
    // p = accesses/depth; each region is a part of the rectangle, cut by two half-planes.
    let logs = |(px, py): Place| {
        let part = |from: f64, to: f64, at: f64, (low, high): (f64, f64)| {
            low.ln() + (at - from) / (to - from) * (high.ln() - low.ln())
        };
        (part(x0, x1, px, x.ends()), part(y0, y1, py, y.ends()))
    };
    let frame = vec![(x0, y0), (x1, y0), (x1, y1), (x0, y1)];
    for term in 0..3 {
        let mut region = frame.clone();
        for other in (0..3).filter(|it| *it != term) {
            let excess = |place: Place| {
                let (p, l) = logs(place);
                let all = terms(p.exp(), l.exp());
                all[term].ln() - all[other].ln()
            };
            region = cut(&region, excess);
        }
        if region.len() > 2 {
            scene.area(region, theme.tint(theme.series(term), 0.28));
        }
    }
    for tick in y.decades(26.0) {
        let at = y.pixel(tick);
        scene.line(vec![(x0 - 5.0, at), (x0, at)], theme.muted(), 1.0);
        let text = Unit::TimeUnits.text(tick);
        scene.text(&text, (x0 - 9.0, at), TEXT, theme.muted(), HPos::Right);
    }
    for tick in x_ticks(&x, Unit::Size) {
        let at = x.pixel(tick);
        scene.line(vec![(at, y0), (at, y0 + 5.0)], theme.muted(), 1.0);
        let text = Unit::Size.text(tick);
        scene.text(&text, (at, y0 + 18.0), TEXT, theme.muted(), HPos::Center);
    }
    scene.line(vec![(x0, y1), (x0, y0), (x1, y0)], theme.muted(), 1.5);
    scene.text("latency l (time units)", (MARGIN, top + 52.0), TEXT, theme.ink(), HPos::Left);
    let place = (f64::midpoint(x0, x1), y0 + 48.0);
    scene.text("number p of threads (1K = 1024)", place, TEXT, theme.ink(), HPos::Center);
    let mut at = MARGIN;
    for (index, (term, what)) in TERMS.iter().enumerate() {
        let text = format!("{term}: {what}");
        let colour = theme.tint(theme.series(index), 0.6);
        scene.rectangle((at, top + 10.0), (at + 14.0, top + 24.0), colour);
        scene.text(&text, (at + 21.0, top + 17.0), 0.9 * TEXT, theme.ink(), HPos::Left);
        at += text_width(&text, 0.9 * TEXT) + 44.0;
    }
    let mut seen = std::collections::HashSet::new();
    for (_, p, l, _, _, time) in &points {
        let place = (x.pixel(*p), y.pixel(*l));
        if many && !seen.insert(((place.0 / 6.0) as i32, (place.1 / 6.0) as i32)) {
            continue;
        }
        scene.disc(place, 4.0, theme.ink());
        if !many {
            let ratio = time / terms(*p, *l).into_iter().fold(0.0, f64::max);
            let text = format!("{ratio:.1}×");
            scene.text(&text, (place.0, place.1 - 15.0), 0.8 * TEXT, theme.ink(), HPos::Center);
        }
    }
    Ok(scene)
}

/// The part of a convex polygon where `excess`, linear in the place, is not negative.
fn cut(polygon: &[Place], excess: impl Fn(Place) -> f64) -> Vec<Place> {
    let mut kept = vec![];
    for (index, &from) in polygon.iter().enumerate() {
        let to = polygon[(index + 1) % polygon.len()];
        let (a, b) = (excess(from), excess(to));
        if a >= 0.0 {
            kept.push(from);
        }
        if (a >= 0.0) != (b >= 0.0) {
            let part = a / (a - b);
            kept.push((from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1)));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_square_is_cut_in_two() {
        let square = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)];
        let left = super::cut(&square, |(x, _)| 1.0 - x);
        assert_eq!(left, [(0.0, 0.0), (1.0, 0.0), (1.0, 2.0), (0.0, 2.0)]);
        assert!(super::cut(&square, |_| -1.0).is_empty());
    }
}
