//! Dependent loads: each waits for the one before.

use std::collections::BTreeMap;

use super::{Body, Figure, differing, list};
use crate::curves::{Panel, Series};
use crate::number::{Unit, plain};
use memory_machine_case::sample::Settings;
use memory_machine_measure::{Device, Spread, Subject, Timing};

/// Cycles of one of a kernel's many equal steps.
pub(crate) struct StepLatency {
    /// What the steps differ in.
    pub(crate) x: f64,
    /// The parameters beside `x` and the number of steps.
    pub(crate) settings: Settings,
    pub(crate) median: f64,
    /// What the quartiles allow.
    pub(super) low: f64,
    pub(super) high: f64,
}

/// The steps of the microbenchmark `name` over its parameter `x`, in cycles of `clock_hz`. What
/// the kernel takes beside its steps cancels in the difference of the longest and the shortest
/// that differ in `steps` alone; with one of them only, it is part of the time.
pub(crate) fn steps(points: &[Timing], name: &str, x: &str, clock_hz: f64) -> Vec<StepLatency> {
    let mut groups: BTreeMap<Subject, BTreeMap<i64, &Timing>> = BTreeMap::new();
    for point in points.iter().filter(|it| it.subject.name == name) {
        let mut alike = Subject { bytes: 0, ..point.subject.clone() };
        let steps = alike.set.0.remove("steps").filter(|it| *it > 0);
        if let Some(steps) = steps.filter(|_| alike.set.0.contains_key(x)) {
            groups.entry(alike).or_default().insert(steps, point);
        }
    }
    let step = |(mut subject, runs): (Subject, BTreeMap<i64, &Timing>)| {
        let (few, short) = runs.first_key_value()?;
        let (many, long) = runs.last_key_value()?;
        let Spread { low: short_low, high: short_high, .. } = short.time_s();
        let Spread { low, high, .. } = long.time_s();
        let (median, low, high, count) = match many - few {
            0 => (long.median_s(), low, high, *many),
            more => (long.median_s() - short.median_s(), low - short_high, high - short_low, more),
        };
        let x = subject.set.0.remove(x)? as f64;
        let cycles = |time: f64| time * clock_hz / count as f64;
        let step = StepLatency {
            x,
            settings: subject.set,
            median: cycles(median),
            low: cycles(low),
            high: cycles(high),
        };
        // A difference that noise turns round has no place on a logarithmic axis.
        (x > 0.0 && step.median > 0.0 && step.median.is_finite()).then_some(step)
    };
    let mut steps: Vec<StepLatency> = groups.into_iter().filter_map(step).collect();
    steps.sort_by(|a, b| a.x.total_cmp(&b.x));
    steps
}

pub(super) fn figure(device: &Device, points: &[Timing]) -> Option<Figure> {
    let found = steps(points, "chase", "bytes", device.clock_hz);
    let (first, last) = (found.first()?, found.last()?);
    let mut groups: BTreeMap<&Settings, Vec<&StepLatency>> = BTreeMap::new();
    for step in &found {
        groups.entry(&step.settings).or_default().push(step);
    }
    let several = groups.len() > 1;
    let labels = differing(&groups.keys().copied().collect::<Vec<_>>());
    let series = groups.values().zip(labels).enumerate().map(|(colour, (steps, label))| {
        let line: Vec<_> = steps.iter().map(|it| (it.x, it.median)).collect();
        Series {
            label,
            colour,
            marks: line.clone(),
            line,
            bars: steps.iter().map(|it| (it.x, it.low, it.high)).collect(),
            dash: 0,
        }
    });
    let at =
        |it: &StepLatency| format!("{} cycles in {}", plain(it.median), Unit::Bytes.text(it.x));
    let mut text = format!(
        "Each load gives the address of the next, so that nothing hides its latency: {}.",
        list(&if several || found.len() == 1 {
            vec![at(first)]
        } else {
            vec![at(first), at(last)]
        })
    );
    if device.l2_bytes > 0 {
        let inside = |it: &&StepLatency| it.x <= device.l2_bytes as f64;
        let (cached, beyond): (Vec<&StepLatency>, Vec<&StepLatency>) =
            found.iter().partition(inside);
        if let (Some(cached), Some(beyond)) = (cached.last(), beyond.last()) {
            text += &format!(
                " The last-level cache holds {}; the largest footprint within it takes {} cycles, \
                 the largest beyond it {}.",
                Unit::Bytes.text(device.l2_bytes as f64),
                plain(cached.median),
                plain(beyond.median)
            );
        }
    }
    Some(Figure {
        of: String::new(),
        title: format!("Latency of dependent loads on {}", device.name),
        text,
        caption: "dots: measured, bars: quartiles".to_owned(),
        body: Body::Beside(vec![Panel::new(
            ("footprint", Unit::Bytes),
            ("latency of a load (cycles)", Unit::TimeUnits),
            series.collect(),
        )]),
    })
}
