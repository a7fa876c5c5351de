//! Engines of optimal polygon triangulation against the number of vertices: time, relaxations a
//! second, the share of what registers alone allow, speed-up.

use super::engines::panel;
use super::{Body, Figure, SPREAD, list};
use crate::curves::{PUBLISHED, REFERENCE, Series};
use crate::number::{Unit, seconds};
use memory_machine_measure::opt::{DIAGONALS, OptEngine, OptMeasurements, PLAN, published, rate};
use memory_machine_measure::{Device, Spread, Timing};

/// Types, each with its ceiling and the colour of the tiled engine. The weights measured are not
/// negative, which `f32` makes use of.
const TYPES: [(&str, OptEngine, usize); 3] =
    [("f64", OptEngine::Ceiling, 3), ("i32", OptEngine::Ceiling, 5), F32];
const F32: (&str, OptEngine, usize) = ("f32", OptEngine::NaturalCeiling, 0);

const VERTICES: &str = "number n of vertices";

/// Times of one engine over the number of vertices.
struct VertexCurve {
    label: String,
    /// In a sentence.
    name: String,
    colour: usize,
    dash: usize,
    /// Vertices, and seconds: median and quartiles.
    times: Vec<(u64, [f64; 3])>,
}

impl VertexCurve {
    fn measured(
        opt: &OptMeasurements,
        (engine, kind): (OptEngine, &str),
        (label, name): (&str, &str),
        colour: usize,
    ) -> Self {
        let time = |(n, point): &(u64, &Timing)| {
            let Spread { low, high, .. } = point.time_s();
            (*n, [point.median_s(), low, high])
        };
        let times = opt.single(engine, kind).iter().map(time).collect();
        Self { label: label.to_owned(), name: name.to_owned(), colour, dash: 0, times }
    }

    fn plain(opt: &OptMeasurements) -> Self {
        let names = ("plain loop, one core", "the plain loop on one core");
        Self::measured(opt, (OptEngine::Plain, "f32"), names, 4)
    }

    fn cpu(opt: &OptMeasurements) -> Self {
        let names = ("CPU engine, all cores", "the CPU engine on all cores");
        Self::measured(opt, (OptEngine::Cpu, "f32"), names, 2)
    }

    fn tiled(opt: &OptMeasurements, kind: &str, colour: usize) -> Self {
        let (label, name) = (format!("tiled, {kind}"), format!("the tiled engine in {kind}"));
        Self::measured(opt, (OptEngine::Tiled, kind), (&label, &name), colour)
    }

    /// The plan that tuning found for the paper's methods.
    fn plan(opt: &OptMeasurements) -> Self {
        let (label, name) = ("TB and BB, tuned", "the tuned plan of TB and BB");
        Self::samples(opt.tuned.curve(PLAN), (label, name), 0)
    }

    fn samples(curve: Vec<(u64, f64)>, (label, name): (&str, &str), dash: usize) -> Self {
        let times = curve.into_iter().map(|(n, time)| (n, [time; 3])).collect();
        Self { label: label.to_owned(), name: name.to_owned(), colour: 1, dash, times }
    }

    fn at(&self, n: u64) -> Option<f64> {
        self.times.iter().find(|it| it.0 == n).map(|it| it.1[0])
    }

    /// What `value` makes of vertices and seconds.
    fn series(&self, value: impl Fn(u64, f64) -> f64) -> Series {
        let places: Vec<_> =
            self.times.iter().map(|&(n, [time, ..])| (n as f64, value(n, time))).collect();
        let bar = |&(n, [_, low, high]): &(u64, [f64; 3])| {
            let ends = [value(n, low), value(n, high)];
            (n as f64, ends[0].min(ends[1]), ends[0].max(ends[1]))
        };
        Series {
            label: self.label.clone(),
            colour: self.colour,
            dash: self.dash,
            // Dots are of what was measured here.
            marks: if self.dash == 0 { places.clone() } else { vec![] },
            line: places,
            bars: self.times.iter().map(bar).collect(),
        }
    }

    /// How many times faster than `base`, where both were measured.
    fn over(&self, base: &Self) -> Self {
        let gain = |&(n, [time, low, high]): &(u64, [f64; 3])| {
            let base = base.at(n)?;
            Some((n, [base / time, base / high, base / low]))
        };
        let times = self.times.iter().filter_map(gain).collect();
        Self { label: self.label.clone(), name: self.name.clone(), times, ..*self }
    }
}

/// Of everything that was measured, slowest first.
fn measured(opt: &OptMeasurements) -> Vec<VertexCurve> {
    let mut curves = vec![VertexCurve::plain(opt), VertexCurve::plan(opt), VertexCurve::cpu(opt)];
    curves.extend(TYPES.map(|(kind, _, colour)| VertexCurve::tiled(opt, kind, colour)));
    curves.retain(|it| !it.times.is_empty());
    curves
}

/// Time of every engine, and what is published of the paper's GPU.
pub(super) fn time(device: &Device, opt: &OptMeasurements) -> Option<Figure> {
    let mut curves = measured(opt);
    // The most vertices for which most engines were measured.
    let sizes = curves.iter().flat_map(|it| &it.times).map(|it| it.0);
    let n = sizes.max_by_key(|&n| (curves.iter().filter(|it| it.at(n).is_some()).count(), n))?;
    let phrase = |it: &VertexCurve| Some(format!("{} {}", it.name, seconds(it.at(n)?)));
    let phrases: Vec<String> = curves.iter().filter_map(phrase).collect();
    let mut text = format!("A polygon of {n} vertices takes {}.", list(&phrases));
    let paper = published();
    if let (Some(gpu), Some(cpu)) = (paper.time_s(PLAN, n), paper.time_s(DIAGONALS, n)) {
        text += &format!(
            " Ito and Nakano (2013) publish {} on a GeForce GTX 680 and {} on a Core i7 870.",
            seconds(gpu),
            seconds(cpu)
        );
    }
    curves
        .insert(0, VertexCurve::samples(paper.curve(PLAN), ("TB and BB, GTX 680", ""), PUBLISHED));
    let series = curves.iter().map(|it| it.series(|_, time| time)).collect();
    Some(Figure {
        of: String::new(),
        title: format!("Optimal polygon triangulation on {}", device.name),
        text,
        caption: format!("{SPREAD}  dashed: published"),
        body: Body::Beside(vec![panel(VERTICES, ("time (seconds)", Unit::Seconds), series)]),
    })
}

/// Relaxations a second, and how many the registers alone allow.
pub(super) fn relaxations(device: &Device, opt: &OptMeasurements) -> Option<Figure> {
    let curves = measured(opt);
    let all = || curves.iter().flat_map(|it| &it.times).map(|it| it.0);
    let ends = [all().min()? as f64, all().max()? as f64];
    let mut series: Vec<Series> =
        curves.iter().map(|it| it.series(|n, time| rate(n, 1, time))).collect();
    let mut limits = vec![];
    for (kind, engine, colour) in TYPES {
        let Some(ceiling) = opt.ceiling(engine, kind) else { continue };
        limits.push(format!("{} in {kind}", Unit::Rate.text(ceiling)));
        series.push(Series {
            label: format!("ceiling, {kind}"),
            colour,
            dash: REFERENCE,
            line: ends.map(|n| (n, ceiling)).to_vec(),
            ..Series::default()
        });
    }
    let rates = curves
        .iter()
        .flat_map(|it| it.times.iter().map(move |&(n, [time, ..])| (rate(n, 1, time), it, n)));
    let (most, fastest, n) = rates.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let mut text = format!(
        "One relaxation is s ← min(s, a + b), and n vertices need n(n − 1)(n − 2)/6 of them. The \
         most a second are {}, by {} for n = {n}.",
        Unit::Rate.text(most),
        fastest.name
    );
    if !limits.is_empty() {
        text += &format!(" In registers alone, the GPU makes {}.", list(&limits));
    }
    let dotted = if limits.is_empty() { "" } else { "  dotted: measured in registers alone" };
    Some(Figure {
        of: String::new(),
        title: format!("Optimal polygon triangulation on {}: relaxations a second", device.name),
        text,
        caption: format!("{SPREAD}{dotted}"),
        body: Body::Beside(vec![panel(VERTICES, ("relaxations a second", Unit::Rate), series)]),
    })
}

/// The tiled engine's part of the relaxations that the registers alone allow.
pub(super) fn share(device: &Device, opt: &OptMeasurements) -> Option<Figure> {
    let (mut series, mut sentences) = (vec![], vec![]);
    for (kind, engine, colour) in TYPES {
        let Some(ceiling) = opt.ceiling(engine, kind) else { continue };
        let tiled = VertexCurve::tiled(opt, kind, colour);
        let share = |n: u64, time: f64| rate(n, 1, time) / ceiling;
        let phrase = |&(n, [time, ..]): &(u64, [f64; 3])| {
            format!("{} for n = {n}", Unit::Share.text(share(n, time)))
        };
        let phrases: Vec<String> = tiled.times.iter().map(phrase).collect();
        if !phrases.is_empty() {
            sentences.push(format!("In {kind} {}.", list(&phrases)));
            if tiled.times.iter().any(|&(n, [time, ..])| share(n, time) > 1.0) {
                sentences.push(format!(
                    "So what was measured in registers is no bound in {kind}: that loop takes its \
                     operands from its own sums, and waits for them, which the engine does not."
                ));
            }
            series.push(tiled.series(share));
        }
    }
    (!series.is_empty()).then(|| Figure {
        of: String::new(),
        title: format!("Optimal polygon triangulation on {}: how near the ceiling", device.name),
        text: format!(
            "What the tiled engine reaches of the relaxations a second that a loop in registers \
             alone was measured to make. {}",
            sentences.join(" ")
        ),
        caption: format!("{SPREAD}  100 %: measured in registers alone"),
        body: Body::Beside(vec![panel(VERTICES, ("share of the ceiling", Unit::Share), series)]),
    })
}

/// The speed-up over the plain loop and over the CPU engine where both were measured, all in `f32`.
pub(super) fn speedup(device: &Device, opt: &OptMeasurements) -> Option<Figure> {
    let (plain, cpu, plan) =
        (VertexCurve::plain(opt), VertexCurve::cpu(opt), VertexCurve::plan(opt));
    let tiled = VertexCurve::tiled(opt, F32.0, F32.2);
    let mut panels = vec![];
    let mut text = String::new();
    for (base, title, fast) in [
        (&plain, "time of the plain loop ÷ time", vec![&plan, &cpu, &tiled]),
        (&cpu, "time of the CPU engine ÷ time", vec![&plan, &tiled]),
    ] {
        let mut gains: Vec<VertexCurve> = fast.iter().map(|it| it.over(base)).collect();
        gains.retain(|it| !it.times.is_empty());
        let all = gains.iter().flat_map(|it| it.times.iter().map(move |time| (it, time)));
        let Some((curve, (n, [gain, ..]))) = all.max_by(|a, b| a.1.1[0].total_cmp(&b.1.1[0]))
        else {
            continue;
        };
        text += &format!(
            "The largest speed-up over {} is {}, of {} for n = {n}. ",
            base.name,
            Unit::Times.text(*gain),
            curve.name
        );
        if std::ptr::eq(base, &plain) {
            let paper = published();
            let core = VertexCurve::samples(paper.curve(DIAGONALS), ("", ""), 1);
            let gpu = VertexCurve::samples(paper.curve(PLAN), ("GTX 680 over Core i7 870", ""), 1);
            gains.insert(0, gpu.over(&core));
        }
        let series = gains.iter().map(|it| it.series(|_, gain| gain)).collect();
        panels.push(panel(VERTICES, (title, Unit::Times), series));
    }
    let dashed = if text.contains("plain") { "  dashed: published" } else { "" };
    (!panels.is_empty()).then(|| Figure {
        of: String::new(),
        title: format!("Optimal polygon triangulation on {}: speed-up over its host", device.name),
        text: format!("{text}Nothing is extrapolated: a dot is where both times were measured."),
        caption: format!("{SPREAD}{dashed}"),
        body: Body::Beside(panels),
    })
}
