//! The chunked version of quickhull by workers and by points: from how many points on more workers
//! are faster, and what double buffering gains.

use std::collections::BTreeSet;

use super::engines::{POINTS, panel, spreads};
use super::{Body, Figure, SPREAD, list};
use crate::curves::{Panel, Series};
use crate::number::{Unit, plain};
use memory_machine_geometry::points::random::PointDistribution;
use memory_machine_measure::hull::{HullEngine, HullRepetition};
use memory_machine_measure::{Device, Repetitions, Spread};

/// Runs of one engine with one number of workers, with SIMD, by ascending number of points.
struct WorkerCurve<'a> {
    workers: u64,
    runs: Vec<(u64, &'a Repetitions<HullRepetition>)>,
}

impl WorkerCurve<'_> {
    /// Median seconds of `n` points.
    fn at(&self, n: u64) -> Option<f64> {
        self.spread(n).map(|it| it.median)
    }

    fn spread(&self, n: u64) -> Option<Spread> {
        self.runs.iter().find(|it| it.0 == n).map(|it| it.1.time_s())
    }

    /// The fewest points from which on this takes less time than `other`, as far as both were
    /// measured.
    fn faster_from(&self, other: &Self) -> Option<u64> {
        let both = self.runs.iter().filter_map(|&(n, run)| Some((n, run.median_s(), other.at(n)?)));
        let faster = both.rev().take_while(|(_, time, others)| time < others);
        faster.last().map(|it| it.0)
    }
}

fn curves(
    hull: &[Repetitions<HullRepetition>],
    distribution: PointDistribution,
    engine: HullEngine,
) -> Vec<WorkerCurve<'_>> {
    let of = || {
        hull.iter().filter(move |it| {
            let of = it.subject;
            (of.distribution, of.engine, of.simd) == (distribution, engine, Some(true))
        })
    };
    let all: BTreeSet<u64> = of().filter_map(|it| it.subject.workers).collect();
    let curve = |workers| {
        let same = of().filter(|it| it.subject.workers == Some(workers));
        let mut runs: Vec<_> = same.map(|it| (it.subject.n, it)).collect();
        runs.sort_by_key(|it| it.0);
        WorkerCurve { workers, runs }
    };
    all.into_iter().map(curve).collect()
}

/// A figure for each distribution of which one worker and several were measured on three numbers of
/// points or more.
pub(super) fn figures(device: &Device, hull: &[Repetitions<HullRepetition>]) -> Vec<Figure> {
    let distributions: BTreeSet<PointDistribution> =
        hull.iter().map(|it| it.subject.distribution).collect();
    let figure = |distribution: PointDistribution| {
        let mut single = curves(hull, distribution, HullEngine::Workers);
        single.retain(|it| it.runs.len() >= 3);
        let (one, more) = single.split_first()?;
        if one.workers != 1 || more.is_empty() {
            return None;
        }
        let times = single.iter().enumerate().map(|(colour, it)| {
            let times = it.runs.iter().map(|(n, run)| (*n as f64, run.time_s())).collect();
            spreads(&label(it.workers), colour, times)
        });
        let time = ("time (seconds)", Unit::Seconds);
        let mut panels = vec![panel(POINTS, time, times.collect())];
        let phrases: Vec<String> = more.iter().map(|it| crossover(it, one)).collect();
        let mut text = format!("Of the paper's version in chunks, {}.", list(&phrases));
        let double = curves(hull, distribution, HullEngine::WorkersPrefetch);
        let ratios: Vec<Series> = single
            .iter()
            .enumerate()
            .filter_map(|(colour, it)| {
                let double = double.iter().find(|double| double.workers == it.workers)?;
                ratio(it, double, colour)
            })
            .collect();
        let marks = || ratios.iter().flat_map(|it| it.marks.iter().map(|mark| mark.1));
        let is_decided = |it: &&(f64, f64, f64)| it.1 > 1.0 || it.2 < 1.0;
        let bars = || ratios.iter().flat_map(|it| &it.bars);
        let (decided, all) = (bars().filter(is_decided).count(), bars().count());
        if let Some(least) = marks().min_by(f64::total_cmp)
            && let Some(most) = marks().max_by(f64::total_cmp)
        {
            text += &format!(
                " Double buffering takes {} to {} of the time of single buffering; quartiles tell them \
                 apart at {decided} of {all} places.",
                Unit::Share.text(least),
                Unit::Share.text(most)
            );
            panels[0].heading = "single buffering".to_owned();
            panels.push(Panel {
                heading: "double buffering".to_owned(),
                ..panel(POINTS, ("time ÷ that of single buffering", Unit::Times), ratios)
            });
        }
        Some(Figure {
            of: distribution.to_string(),
            title: format!("Convex hull by workers, {distribution}, on {}", device.host),
            text,
            caption: format!(
                "with SIMD; each run starts its threads  {SPREAD}; of a quotient, the least and the most \
                 that they allow"
            ),
            body: Body::Beside(panels),
        })
    };
    distributions.into_iter().filter_map(figure).collect()
}

/// `8 workers`
fn label(workers: u64) -> String {
    format!("{} worker{}", plain(workers as f64), if workers == 1 { "" } else { "s" })
}

fn crossover(several: &WorkerCurve<'_>, one: &WorkerCurve<'_>) -> String {
    let workers = label(several.workers);
    match several.faster_from(one) {
        Some(n) => {
            format!("{workers} are faster than one from n = {} on", Unit::Size.text(n as f64))
        }
        None => format!("{workers} are slower than one for the largest n"),
    }
}

/// Times of double over times of single buffering, where both were measured.
fn ratio(single: &WorkerCurve<'_>, double: &WorkerCurve<'_>, colour: usize) -> Option<Series> {
    let spread = |(n, run): &(u64, &Repetitions<HullRepetition>)| {
        let (double, single) = (run.time_s(), single.spread(*n)?);
        let median = double.median / single.median;
        Some((
            *n as f64,
            Spread { median, low: double.low / single.high, high: double.high / single.low },
        ))
    };
    let both: Vec<(f64, Spread)> = double.runs.iter().filter_map(spread).collect();
    (!both.is_empty()).then(|| spreads(&label(single.workers), colour, both))
}
