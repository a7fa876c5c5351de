//! Engines of convex hulls: time and speed-up against n, against workers, points a second.

use std::collections::BTreeSet;

use super::engines::{EngineCurve, EngineStyle, POINTS, most_measured, panel, spreads};
use super::{Body, Figure, SPREAD, list};
use crate::curves::{Panel, REFERENCE, Series};
use crate::number::{Unit, plain, seconds};
use memory_machine_geometry::points::random::PointDistribution;
use memory_machine_measure::hull::{HullEngine, HullRepetition};
use memory_machine_measure::{Device, Repetitions};

/// Bytes of a point.
const POINT: f64 = 16.0;

/// Engines, slowest first.
static ENGINES: [EngineStyle<HullEngine>; 5] = [
    EngineStyle::new(
        HullEngine::Sequential,
        ["Algorithm 1, one core", "the paper's Algorithm 1 on one core"],
        4,
    ),
    EngineStyle::new(HullEngine::Workers, ["chunks, all workers", "its version in chunks"], 3),
    EngineStyle::new(HullEngine::Cpu, ["filtered, CPU", "the filtering engine of the CPU"], 2),
    EngineStyle::new(
        HullEngine::GpuPaper,
        ["paper's phases, GPU", "the paper's seven phases on the GPU"],
        1,
    ),
    EngineStyle::new(HullEngine::Gpu, ["filtered, GPU", "the filtering engine of the GPU"], 0),
];

/// Those measured on points of one distribution; of workers the most, with SIMD.
fn curves(
    hull: &[Repetitions<HullRepetition>],
    distribution: PointDistribution,
) -> Vec<EngineCurve<'_, HullEngine, HullRepetition>> {
    let most = most_workers(hull);
    let curve = |look: &'static EngineStyle<HullEngine>| {
        let is_meant = |it: &&Repetitions<HullRepetition>| {
            let of = it.subject;
            (of.engine == look.engine && of.distribution == distribution)
                && (of.workers.is_none() || of.workers == most)
                && of.simd != Some(false)
        };
        let mut runs: Vec<_> = hull.iter().filter(is_meant).map(|it| (it.subject.n, it)).collect();
        runs.sort_by_key(|it| it.0);
        EngineCurve { look, runs }
    };
    ENGINES.iter().map(curve).filter(|it| !it.runs.is_empty()).collect()
}

fn most_workers(hull: &[Repetitions<HullRepetition>]) -> Option<u64> {
    hull.iter().filter_map(|it| it.subject.workers).max()
}

fn distributions(hull: &[Repetitions<HullRepetition>]) -> BTreeSet<PointDistribution> {
    hull.iter().map(|it| it.subject.distribution).collect()
}

/// A figure for each distribution.
fn for_each(
    hull: &[Repetitions<HullRepetition>],
    figure: impl Fn(PointDistribution, &[EngineCurve<'_, HullEngine, HullRepetition>]) -> Option<Figure>,
) -> Vec<Figure> {
    let of = |it| figure(it, &curves(hull, it));
    distributions(hull).into_iter().filter_map(of).collect()
}

pub(super) fn times(device: &Device, hull: &[Repetitions<HullRepetition>]) -> Vec<Figure> {
    for_each(hull, |distribution, curves| {
        let n = most_measured(curves)?;
        let phrase =
            |it: &EngineCurve<'_, _, _>| Some(format!("{} {}", it.look.name, seconds(it.at(n)?)));
        let phrases: Vec<String> = curves.iter().filter_map(phrase).collect();
        let size = Unit::Size.text(n as f64);
        Some(Figure {
            of: distribution.to_string(),
            title: format!("Convex hull, {distribution}, on {}", device.name),
            text: format!("The hull of {size} points takes {}.", list(&phrases)),
            caption: format!("{SPREAD}  the GPU's points are in its memory"),
            body: Body::Beside(vec![panel(
                POINTS,
                ("time (seconds)", Unit::Seconds),
                curves.iter().map(|it| it.series(|run| Some(run.time_s))).collect(),
            )]),
        })
    })
}

pub(super) fn speedups(device: &Device, hull: &[Repetitions<HullRepetition>]) -> Vec<Figure> {
    for_each(hull, |distribution, curves| {
        let (base, fast) = curves.split_first()?;
        if base.look.engine != HullEngine::Sequential {
            return None;
        }
        let gain = |run: &HullRepetition| Some(base.at(run.n)? / run.time_s);
        let all: Vec<(Series, _)> = fast.iter().map(|it| (it.series(gain), it)).collect();
        let marks = all.iter().flat_map(|(it, curve)| it.marks.iter().map(move |at| (at, curve)));
        let ((n, gain), curve) = marks.max_by(|a, b| a.0.1.total_cmp(&b.0.1))?;
        let text = format!(
            "The largest speed-up is {}, of {} for {} points. Nothing is extrapolated: a dot is \
             where both times were measured.",
            Unit::Times.text(*gain),
            curve.look.name,
            Unit::Size.text(*n)
        );
        let series = all.into_iter().map(|it| it.0).collect();
        Some(Figure {
            of: distribution.to_string(),
            title: format!("Convex hull, {distribution}, on {}: speed-up", device.name),
            text,
            caption: format!("over the paper's Algorithm 1 on one core  {SPREAD}"),
            body: Body::Beside(vec![panel(
                POINTS,
                ("time of Algorithm 1 ÷ time", Unit::Times),
                series,
            )]),
        })
    })
}

/// Of the paper's version in chunks and of the filtering engine, for the largest n for which several
/// numbers of workers were measured.
pub(super) fn workers(device: &Device, hull: &[Repetitions<HullRepetition>]) -> Vec<Figure> {
    let figure = |distribution| {
        let of = |engine: HullEngine| {
            hull.iter().filter(move |it| {
                it.subject.engine == engine && it.subject.distribution == distribution
            })
        };
        let workers = |engine, n| {
            let same = of(engine).filter(move |it| it.subject.n == n);
            same.filter_map(|it| it.subject.workers).collect::<BTreeSet<_>>()
        };
        let several = |n: &u64| {
            [HullEngine::Workers, HullEngine::Cpu].iter().any(|it| workers(*it, *n).len() > 1)
        };
        let n =
            [HullEngine::Workers, HullEngine::Cpu].into_iter().flat_map(of).map(|it| it.subject.n);
        let n = n.filter(several).max()?;
        let (mut panels, mut phrases) = (vec![], vec![]);
        for (engine, heading) in
            [(HullEngine::Workers, "the paper's, in chunks"), (HullEngine::Cpu, "filtered")]
        {
            let series = |simd: bool, label: &str, colour: usize| {
                let runs = of(engine).filter(|it| it.subject.n == n);
                let runs = runs.filter(|it| it.subject.simd == Some(simd));
                let mut times: Vec<_> =
                    runs.filter_map(|it| Some((it.subject.workers? as f64, it.time_s()))).collect();
                times.sort_by(|a, b| a.0.total_cmp(&b.0));
                spreads(label, colour, times)
            };
            let mut all = vec![series(false, "without SIMD", 4), series(true, "with SIMD", 2)];
            all.retain(|it| !it.marks.is_empty());
            phrases.extend(all.iter().filter_map(|it| {
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
                    ..panel("workers", ("time (seconds)", Unit::Seconds), all)
                });
            }
        }
        let size = Unit::Size.text(n as f64);
        Some(Figure {
            of: distribution.to_string(),
            title: format!("Convex hull of {size} points, {distribution}, on {}", device.host),
            text: format!("Of the CPU's engines, {}.", phrases.join("; ")),
            caption: SPREAD.to_owned(),
            body: Body::Beside(panels),
        })
    };
    distributions(hull).into_iter().filter_map(figure).collect()
}

pub(super) fn rates(device: &Device, hull: &[Repetitions<HullRepetition>]) -> Vec<Figure> {
    for_each(hull, |distribution, curves| {
        let rate = |run: &HullRepetition| Some(run.n as f64 / run.time_s);
        let bandwidth = |run: &HullRepetition| Some(run.n as f64 * POINT / run.first_pass_s?);
        let rates: Vec<Series> = curves.iter().map(|it| it.series(rate)).collect();
        let marks = rates
            .iter()
            .zip(curves)
            .flat_map(|(it, curve)| it.marks.iter().map(move |at| (at, curve)));
        let ((n, most), curve) = marks.max_by(|a, b| a.0.1.total_cmp(&b.0.1))?;
        let mut text = format!(
            "The most points a second are {}, by {} for {} points.",
            Unit::Rate.text(*most),
            curve.look.name,
            Unit::Size.text(*n)
        );
        let mut panels = vec![panel(POINTS, ("points a second", Unit::Rate), rates)];
        let gpu = curves.iter().filter(|it| it.look.engine == HullEngine::Gpu);
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
            let peak = Series { label, colour: 6, dash: REFERENCE, line, ..Series::default() };
            panels.push(panel(POINTS, ("bytes a second", Unit::Bandwidth), vec![pass, peak]));
        }
        Some(Figure {
            of: distribution.to_string(),
            title: format!("Convex hull, {distribution}, on {}: points a second", device.name),
            text,
            caption: format!("{SPREAD}  a point is {} bytes", plain(POINT)),
            body: Body::Beside(panels),
        })
    })
}
