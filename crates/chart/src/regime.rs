//! Which term of the lower bound dominates, over threads and latency.

use std::collections::{BTreeSet, HashMap, HashSet};

use plotters::style::text_anchor::HPos;

use super::ChartError;
use super::compare::{ChartStyle, algorithms};
use super::curves::{MARGIN, TEXT, head, x_ticks};
use super::letters::text_width;
use super::number::{Unit, plain};
use super::rows::{Column, SampleRow, common, varies};
use super::scale::Scale;
use super::scene::{Place, Scene};
use memory_machine_core::keyword::Keyword;
use memory_machine_core::machine::Mode;

/// On an HMM there is one more, and accesses are those to global memory.
const TERMS: [(&str, &str); 4] = [
    ("accesses / w", "bandwidth"),
    ("accesses · l / p", "latency, too few threads to hide it"),
    ("chain · l", "latency, of steps that wait for each other"),
    ("s", "shared memories"),
];
/// Above this number, samples are dots without numbers.
const MOST_NUMBERS: usize = 120;
/// Pixels: above and below the map, and of its rows, below which numbers would lie on dots.
const BESIDE: f64 = 300.0;
const LEAST_ROW: f64 = 30.0;

/// A sample on the map; of an HMM, `accesses` and `stages` are those of global memory.
struct MapPoint<'a> {
    row: &'a SampleRow,
    p: f64,
    l: f64,
    w: f64,
    accesses: f64,
    stages: f64,
    time: f64,
}

impl<'a> MapPoint<'a> {
    /// `None` if the row lacks what a map needs.
    fn of(row: &'a SampleRow) -> Result<Option<Self>, ChartError> {
        let it = &row.sample;
        let p = threads_of_blocks(row).or(it.threads);
        let (Some(p), Some(l), Some(w)) = (p, it.latency, it.width) else { return Ok(None) };
        let (Some(accesses), Some(stages), Some(time)) = (it.accesses, it.stages, it.time_units)
        else {
            return Ok(None);
        };
        let accesses = accesses.saturating_sub(it.shared_accesses.unwrap_or(0));
        let stages = stages.saturating_sub(it.shared_stages.unwrap_or(0));
        if it.mode.as_deref() == Some(Mode::Async.word())
            || it.phase.is_some()
            || p == 0
            || l == 0
            || w == 0
        {
            return Err(row.fail("a regime map needs synchronous runs as a whole, without phases"));
        }
        if time == 0 || accesses == 0 || time < stages {
            return Err(row.fail("a run without time has no place on a logarithmic map"));
        }
        let [p, l, w] = [p, l, w].map(|it| it as f64);
        let [accesses, stages, time] = [accesses, stages, time].map(|it| it as f64);
        Ok(Some(Self { row, p, l, w, accesses, stages, time }))
    }
}

/// Of an HMM those of all blocks that run at once, d·R·q; listings call the threads of a block so.
fn threads_of_blocks(row: &SampleRow) -> Option<u64> {
    let it = &row.sample;
    let q = u64::try_from(*it.set.0.get("q")?).ok()?;
    it.dmms?.checked_mul(it.resident?)?.checked_mul(q)
}

/// Steps on global memory that wait for each other, and the time in shared memories, of the runs
/// that have fewest; the latter only of an HMM. A synchronous run takes stages + steps·(l − 1) on
/// global memory, so that two latencies tell the steps; without shared memories, one does.
fn waits(runs: &[MapPoint<'_>], is_hmm: bool) -> Option<(f64, Option<f64>)> {
    let mut least: HashMap<u64, &MapPoint<'_>> = HashMap::new();
    for run in runs.iter().filter(|_| is_hmm) {
        let alike = least.entry(run.p.to_bits()).or_insert(run);
        *alike = if run.l < alike.l { run } else { alike };
    }
    let of_run = |run: &MapPoint<'_>| {
        let alike = least.get(&run.p.to_bits());
        let (l, time) = alike.map_or((1.0, run.stages), |it| (it.l, it.time));
        let steps = (run.time - time) / (run.l - l);
        (run.l > l).then_some((steps, time - run.stages - steps * (l - 1.0)))
    };
    let all: Vec<(f64, f64)> = runs.iter().filter_map(of_run).collect();
    let chain = all.iter().map(|it| it.0).min_by(f64::total_cmp).filter(|it| *it >= 1.0)?;
    let shared = all.iter().map(|it| it.1).min_by(f64::total_cmp);
    Some((chain, shared.filter(|it| is_hmm && *it >= 1.0)))
}

/// The plane of threads `p` and latency `l`, coloured by the largest of the terms accesses/w,
/// accesses·l/p and chain·l. The chain is read off the samples: the fewest steps that any of them took,
/// (time units − stages) / (l − 1) of a synchronous run, as the run with the most threads takes.
/// Each sample is a dot, with its time over the largest term.
///
/// On an HMM, p is d·R·q if the algorithm has a parameter q, these are the terms of global memory, and
/// the least time that any sample spent in shared memories is a fourth.
///
/// # Errors
/// [`ChartError::Data`] if the rows are not synchronous runs of one algorithm at one size and
/// width, with `threads`, `latency`, `accesses`, `stages` and `time_units`.
pub fn regime(rows: &[SampleRow], style: &ChartStyle) -> Result<Scene, ChartError> {
    let points = points(rows)?;
    let terms = Terms::of(rows, &points)?;
    let mut scene = Scene::on(style.canvas);
    let latencies: BTreeSet<u64> = points.iter().map(|it| it.l.to_bits()).collect();
    let many =
        points.len() > MOST_NUMBERS || scene.height() < BESIDE + LEAST_ROW * latencies.len() as f64;
    let title = style.title.clone();
    let title = title.unwrap_or_else(|| format!("What bounds the time of {}", algorithms(rows)));
    let all: Vec<&SampleRow> = rows.iter().collect();
    let note = if many { "dots: runs" } else { "numbers: runs, time ÷ largest term" };
    let caption = format!("{}  {}  {note}", common(&all, &[]), terms.caption());
    let top = head(&mut scene, &title, &caption);

    let (legend, below) = legend(&scene, terms.shown(), top);
    let (x0, x1) = (MARGIN + 62.0, scene.width() - MARGIN);
    let (y0, y1) = (scene.height() - 76.0, below + 63.0);
    let map = Map {
        x: Scale::around(points.iter().map(|it| it.p), 0.06, (x0, x1)),
        y: Scale::around(points.iter().map(|it| it.l), 0.10, (y0, y1)),
        horizontal: (x0, x1),
        vertical: (y0, y1),
    };
    map.draw_regions(&mut scene, &terms);
    let theme = scene.theme;
    map.draw_axes(&mut scene);
    scene.text("latency l (time units)", (MARGIN, below + 35.0), TEXT, theme.ink(), HPos::Left);
    let place = (f64::midpoint(x0, x1), y0 + 48.0);
    let in_blocks = rows.iter().any(|it| threads_of_blocks(it).is_some());
    let axis = if in_blocks { "number p = d·R·q of threads" } else { "number p of threads" };
    scene.text(&format!("{axis} (1K = 1024)"), place, TEXT, theme.ink(), HPos::Center);
    for (index, ((at, middle), text)) in legend.into_iter().enumerate() {
        let colour = theme.tint(theme.series(index), 0.6);
        scene.rectangle((at, middle - 7.0), (at + 14.0, middle + 7.0), colour);
        scene.text(&text, (at + 21.0, middle), 0.9 * TEXT, theme.ink(), HPos::Left);
    }
    map.draw_runs(&mut scene, &points, &terms, many);
    Ok(scene)
}

/// The rows as points of one map.
fn points(rows: &[SampleRow]) -> Result<Vec<MapPoint<'_>>, ChartError> {
    let file = rows.first().map_or("", |row| &row.file);
    let mut fixed = vec![Column::Algorithm, Column::Machine, Column::Width, Column::Mode];
    fixed.extend([Column::Bulk, Column::SharedLatency]);
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
    let points: Vec<MapPoint<'_>> =
        rows.iter().filter_map(|it| MapPoint::of(it).transpose()).collect::<Result<_, _>>()?;
    let Some(first) = points.first() else {
        return Err(ChartError::Data(format!(
            "{file}: no row has threads, latency, width, accesses, stages and time_units"
        )));
    };
    if let Some(run) = points.iter().find(|it| it.accesses != first.accesses) {
        return Err(run.row.fail("the number of accesses differs from the first row's"));
    }
    Ok(points)
}

/// The terms of the lower bound.
struct Terms {
    accesses: f64,
    w: f64,
    chain: f64,
    shared: Option<f64>,
    is_hmm: bool,
}

impl Terms {
    fn of(rows: &[SampleRow], points: &[MapPoint<'_>]) -> Result<Self, ChartError> {
        let is_hmm = rows.iter().any(|it| it.sample.dmms.is_some());
        let Some((chain, shared)) = waits(points, is_hmm) else {
            let file = rows.first().map_or("", |row| &row.file);
            let needed =
                if is_hmm { "another latency at the same p" } else { "a latency of 2 or more" };
            return Err(ChartError::Data(format!("{file}: no row has {needed}")));
        };
        let MapPoint { w, accesses, .. } = points[0];
        Ok(Self { accesses, w, chain, shared, is_hmm })
    }

    /// Their values, in the order of [`TERMS`].
    fn at(&self, p: f64, l: f64) -> Vec<f64> {
        let of_global = [self.accesses / self.w, self.accesses * l / p, self.chain * l];
        of_global.into_iter().chain(self.shared).collect()
    }

    fn shown(&self) -> &'static [(&'static str, &'static str)] {
        &TERMS[..3 + usize::from(self.shared.is_some())]
    }

    fn caption(&self) -> String {
        format!(
            "{} {}accesses, chain of {} steps{}",
            plain(self.accesses),
            if self.is_hmm { "global " } else { "" },
            plain(self.chain.round()),
            self.shared.map_or_else(String::new, |it| format!(", s = {}", plain(it)))
        )
    }
}

/// The terms in words at their places, in as many rows as it takes, and where the last row lies.
fn legend(scene: &Scene, shown: &[(&str, &str)], top: f64) -> (Vec<(Place, String)>, f64) {
    let (mut place, mut legend) = ((MARGIN, top + 17.0), vec![]);
    for (term, what) in shown {
        let text = format!("{term}: {what}");
        let width = text_width(&text, 0.9 * TEXT);
        if place.0 + 21.0 + width > scene.width() {
            place = (MARGIN, place.1 + 24.0);
        }
        legend.push((place, text));
        place.0 += width + 44.0;
    }
    (legend, place.1)
}

/// The plane on the page; pixels from the left, and from the bottom up.
struct Map {
    x: Scale,
    y: Scale,
    horizontal: (f64, f64),
    vertical: (f64, f64),
}

impl Map {
    /// Borders are straight in the plane of logarithms: l = p/w, l = accesses/(w·chain) and
    /// p = accesses/chain; each region is a part of the rectangle, cut by half-planes.
    fn draw_regions(&self, scene: &mut Scene, terms: &Terms) {
        let ((x0, x1), (y0, y1)) = (self.horizontal, self.vertical);
        let logs = |(px, py): Place| {
            let part = |from: f64, to: f64, at: f64, (low, high): (f64, f64)| {
                low.ln() + (at - from) / (to - from) * (high.ln() - low.ln())
            };
            (part(x0, x1, px, self.x.ends()), part(y0, y1, py, self.y.ends()))
        };
        let count = terms.shown().len();
        for term in 0..count {
            let mut region = vec![(x0, y0), (x1, y0), (x1, y1), (x0, y1)];
            for other in (0..count).filter(|it| *it != term) {
                let excess = |place: Place| {
                    let (p, l) = logs(place);
                    let all = terms.at(p.exp(), l.exp());
                    all[term].ln() - all[other].ln()
                };
                region = cut(&region, excess);
            }
            if region.len() > 2 {
                scene.area(region, scene.theme.tint(scene.theme.series(term), 0.28));
            }
        }
    }

    fn draw_axes(&self, scene: &mut Scene) {
        let ((x0, x1), (y0, y1), theme) = (self.horizontal, self.vertical, scene.theme);
        let y_ticks = self.y.decades(26.0);
        for (&tick, text) in y_ticks.iter().zip(Unit::TimeUnits.texts(&y_ticks)) {
            let at = self.y.pixel(tick);
            scene.line(vec![(x0 - 5.0, at), (x0, at)], theme.muted(), 1.0);
            scene.text(&text, (x0 - 9.0, at), TEXT, theme.muted(), HPos::Right);
        }
        for tick in x_ticks(&self.x, Unit::Size) {
            let at = self.x.pixel(tick);
            scene.line(vec![(at, y0), (at, y0 + 5.0)], theme.muted(), 1.0);
            let text = Unit::Size.text(tick);
            scene.text(&text, (at, y0 + 18.0), TEXT, theme.muted(), HPos::Center);
        }
        scene.line(vec![(x0, y1), (x0, y0), (x1, y0)], theme.muted(), 1.5);
    }

    /// At each run its time over the largest term; a dot where there are too many to be read.
    fn draw_runs(&self, scene: &mut Scene, points: &[MapPoint<'_>], terms: &Terms, many: bool) {
        let ink = scene.theme.ink();
        let mut seen = HashSet::new();
        for MapPoint { p, l, time, .. } in points {
            let place = (self.x.pixel(*p), self.y.pixel(*l));
            if many && !seen.insert(((place.0 / 6.0) as i32, (place.1 / 6.0) as i32)) {
                continue;
            }
            if many {
                scene.disc(place, 4.0, ink);
            } else {
                let ratio = time / terms.at(*p, *l).into_iter().fold(0.0, f64::max);
                scene.text(&format!("{ratio:.1}×"), place, 0.95 * TEXT, ink, HPos::Center);
            }
        }
    }
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
