//! Engines of convex hulls: time and speed-up against n, against workers, points a second.

use std::collections::BTreeSet;

use super::{Body, Figure, SPREAD, list};
use crate::chart::curves::{Panel, Series};
use crate::chart::number::{Unit, plain, seconds};
use crate::measurement::hull::{CPU, GPU, GPU_PAPER, Run, SEQUENTIAL, WORKERS};
use crate::measurement::{Device, Repeated};

/// Bytes of a point.
const POINT: f64 = 16.0;

/// Runs of an engine on points of one distribution, by ascending n.
struct Curve<'a> {
    label: &'static str,
    /// In a sentence.
    name: &'static str,
    colour: usize,
    runs: Vec<&'a Repeated<Run>>,
}

impl<'a> Curve<'a> {
    /// All that was measured, slowest first; of workers the most, with SIMD.
    fn all(hull: &'a [Repeated<Run>], distribution: &str) -> Vec<Self> {
        let most = most_workers(hull);
        let engines = [
            (SEQUENTIAL, "Algorithm 1, one core", "the paper's Algorithm 1 on one core", 4),
            (WORKERS, "chunks, all workers", "its version in chunks", 3),
            (CPU, "filtered, CPU", "the filtering engine of the CPU", 2),
            (GPU_PAPER, "paper's phases, GPU", "the paper's seven phases on the GPU", 1),
            (GPU, "filtered, GPU", "the filtering engine of the GPU", 0),
        ];
        let curve = |(engine, label, name, colour)| {
            let is_meant = |it: &&Repeated<Run>| {
                let run = it.first();
                (run.engine == engine && run.distribution == distribution)
                    && (run.workers.is_none() || run.workers == most)
                    && run.simd != Some(false)
            };
            let mut runs: Vec<_> = hull.iter().filter(is_meant).collect();
            runs.sort_by_key(|it| it.first().n);
            Self { label, name, colour, runs }
        };
        engines.map(curve).into_iter().filter(|it| !it.runs.is_empty()).collect()
    }

    fn at(&self, n: u64) -> Option<f64> {
        self.runs.iter().find(|it| it.first().n == n).map(|it| it.time_s().median)
    }

    fn series(&self, value: impl Fn(&Run) -> Option<f64>) -> Series {
        let of = |it: &&Repeated<Run>| Some((it.first().n as f64, it.spread(&value)?));
        let spreads: Vec<_> = self.runs.iter().filter_map(of).collect();
        let places: Vec<_> = spreads.iter().map(|(n, it)| (*n, it.median)).collect();
        Series {
            label: self.label.to_owned(),
            colour: self.colour,
            marks: places.clone(),
            line: places,
            bars: spreads.iter().map(|(n, it)| (*n, it.low, it.high)).collect(),
            ..Series::default()
        }
    }
}

fn most_workers(hull: &[Repeated<Run>]) -> Option<u64> {
    hull.iter().filter_map(|it| it.first().workers).max()
}

fn distributions(hull: &[Repeated<Run>]) -> BTreeSet<&str> {
    hull.iter().map(|it| &*it.first().distribution).collect()
}

fn panel((title, unit): (&str, Unit), series: Vec<Series>) -> Panel {
    Panel {
        heading: String::new(),
        x: ("number n of points".to_owned(), Unit::Size),
        y: (title.to_owned(), unit),
        series,
        diagonal: false,
    }
}

/// A figure for each distribution.
fn for_each<'a>(
    hull: &'a [Repeated<Run>],
    figure: impl Fn(&'a str, &[Curve<'a>]) -> Option<Figure>,
) -> Vec<Figure> {
    let of = |it: &'a str| figure(it, &Curve::all(hull, it));
    distributions(hull).into_iter().filter_map(of).collect()
}

pub(super) fn times(device: &Device, hull: &[Repeated<Run>]) -> Vec<Figure> {
    for_each(hull, |distribution, curves| {
        let sizes = curves.iter().flat_map(|it| &it.runs).map(|it| it.first().n);
        let measured = |n: u64| curves.iter().filter(|it| it.at(n).is_some()).count();
        let n = sizes.max_by_key(|&n| (measured(n), n))?;
        let said = |it: &Curve| Some(format!("{} {}", it.name, seconds(it.at(n)?)));
        let said: Vec<String> = curves.iter().filter_map(said).collect();
        let size = Unit::Size.text(n as f64);
        Some(Figure {
            of: distribution.to_owned(),
            title: format!("Convex hull, {distribution}, on {}", device.name),
            text: format!("The hull of {size} points takes {}.", list(&said)),
            caption: format!("{SPREAD}  the GPU's points are in its memory"),
            body: Body::Beside(vec![panel(
                ("time (seconds)", Unit::Seconds),
                curves.iter().map(|it| it.series(|run| Some(run.time_s))).collect(),
            )]),
        })
    })
}

pub(super) fn speedups(device: &Device, hull: &[Repeated<Run>]) -> Vec<Figure> {
    for_each(hull, |distribution, curves| {
        let (base, fast) = curves.split_first()?;
        if base.label != "Algorithm 1, one core" {
            return None;
        }
        let gain = |run: &Run| Some(base.at(run.n)? / run.time_s);
        let all: Vec<(Series, &Curve)> = fast.iter().map(|it| (it.series(gain), it)).collect();
        let marks = all.iter().flat_map(|(it, curve)| it.marks.iter().map(move |at| (at, curve)));
        let ((n, gain), curve) = marks.max_by(|a, b| a.0.1.total_cmp(&b.0.1))?;
        let text = format!(
            "The largest speed-up is {}, of {} for {} points. Nothing is extrapolated: a dot is \
             where both times were measured.",
            Unit::Times.text(*gain),
            curve.name,
            Unit::Size.text(*n)
        );
        let series = all.into_iter().map(|it| it.0).collect();
        Some(Figure {
            of: distribution.to_owned(),
            title: format!("Convex hull, {distribution}, on {}: speed-up", device.name),
            text,
            caption: format!("over the paper's Algorithm 1 on one core  {SPREAD}"),
            body: Body::Beside(vec![panel(("time of Algorithm 1 ÷ time", Unit::Times), series)]),
        })
    })
}

/// Of the paper's version in chunks and of the filtering engine, for the largest n for which several
/// numbers of workers were measured.
pub(super) fn workers(device: &Device, hull: &[Repeated<Run>]) -> Vec<Figure> {
    let figure = |distribution: &str| {
        let of = |engine: &'static str| {
            hull.iter().filter(move |it| {
                it.first().engine == engine && it.first().distribution == distribution
            })
        };
        let workers = |engine, n| {
            let same = of(engine).filter(move |it| it.first().n == n);
            same.filter_map(|it| it.first().workers).collect::<BTreeSet<_>>()
        };
        let several = |n: &u64| [WORKERS, CPU].iter().any(|it| workers(it, *n).len() > 1);
        let n = [WORKERS, CPU].iter().flat_map(|it| of(it)).map(|it| it.first().n);
        let n = n.filter(several).max()?;
        let (mut panels, mut said) = (vec![], vec![]);
        for (engine, heading) in [(WORKERS, "the paper's, in chunks"), (CPU, "filtered")] {
            let series = |simd: bool, label: &str, colour: usize| {
                let runs = of(engine).filter(|it| it.first().n == n);
                let runs = runs.filter(|it| it.first().simd == Some(simd));
                let mut times: Vec<_> =
                    runs.filter_map(|it| Some((it.first().workers? as f64, it.time_s()))).collect();
                times.sort_by(|a, b| a.0.total_cmp(&b.0));
                let places: Vec<_> = times.iter().map(|(k, it)| (*k, it.median)).collect();
                Series {
                    label: label.to_owned(),
                    colour,
                    marks: places.clone(),
                    line: places,
                    bars: times.iter().map(|(k, it)| (*k, it.low, it.high)).collect(),
                    ..Series::default()
                }
            };
            let mut all = vec![series(false, "without SIMD", 4), series(true, "with SIMD", 2)];
            all.retain(|it| !it.marks.is_empty());
            said.extend(all.iter().filter_map(|it| {
                let (first, last) = (it.marks.first()?, it.marks.last()?);
                Some(format!(
                    "{heading}, {}: {} workers take {}, {} of the time of {}",
                    it.label,
                    last.0,
                    seconds(last.1),
                    Unit::Share.text(last.1 / first.1),
                    first.0
                ))
            }));
            if !all.is_empty() {
                panels.push(Panel {
                    heading: heading.to_owned(),
                    x: ("workers".to_owned(), Unit::Size),
                    ..panel(("time (seconds)", Unit::Seconds), all)
                });
            }
        }
        let size = Unit::Size.text(n as f64);
        Some(Figure {
            of: distribution.to_owned(),
            title: format!("Convex hull of {size} points, {distribution}, on {}", device.host),
            text: format!("Of the CPU's engines, {}.", said.join("; ")),
            caption: SPREAD.to_owned(),
            body: Body::Beside(panels),
        })
    };
    distributions(hull).into_iter().filter_map(figure).collect()
}

pub(super) fn rates(device: &Device, hull: &[Repeated<Run>]) -> Vec<Figure> {
    for_each(hull, |distribution, curves| {
        let rate = |run: &Run| Some(run.n as f64 / run.time_s);
        let bandwidth = |run: &Run| Some(run.n as f64 * POINT / run.first_pass_s?);
        let rates: Vec<Series> = curves.iter().map(|it| it.series(rate)).collect();
        let marks = rates
            .iter()
            .zip(curves)
            .flat_map(|(it, curve)| it.marks.iter().map(move |at| (at, curve)));
        let ((n, most), curve) = marks.max_by(|a, b| a.0.1.total_cmp(&b.0.1))?;
        let mut text = format!(
            "The most points a second are {}, by {} for {} points.",
            Unit::Rate.text(*most),
            curve.name,
            Unit::Size.text(*n)
        );
        let mut panels = vec![panel(("points a second", Unit::Rate), rates)];
        let gpu = curves.iter().filter(|it| it.runs.iter().any(|it| it.first().engine == GPU));
        for mut pass in gpu.map(|it| it.series(bandwidth)).filter(|it| !it.marks.is_empty()) {
            pass.label = "first pass".to_owned();
            let (n, last) = pass.marks[pass.marks.len() - 1];
            let peak = device.peak_bandwidth();
            let ends = [pass.marks[0].0, n];
            text += &format!(
                " Its first pass over {} points reads {}",
                Unit::Size.text(n),
                Unit::Bandwidth.text(last)
            );
            if peak > 0.0 {
                let share = Unit::Share.text(last / peak);
                text += &format!(", {share} of what the memory's clock allows");
            }
            text.push('.');
            let line = ends.map(|n| (n, peak)).to_vec();
            let label = "peak".to_owned();
            let peak = Series { label, colour: 6, dash: 2, line, ..Series::default() };
            panels.push(panel(("bytes a second", Unit::Bandwidth), vec![pass, peak]));
        }
        Some(Figure {
            of: distribution.to_owned(),
            title: format!("Convex hull, {distribution}, on {}: points a second", device.name),
            text,
            caption: format!("{SPREAD}  a point is {} bytes", plain(POINT)),
            body: Body::Beside(panels),
        })
    })
}
