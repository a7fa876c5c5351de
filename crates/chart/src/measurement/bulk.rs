//! The bulk papers' figures: time against the number of inputs, row-wise, column-wise and on one
//! CPU core; and beside it the speed-up over that core.

use std::collections::BTreeMap;

use super::engines::panel;
use super::{Body, Figure, SPREAD, list, marks, named, spaced};
use crate::curves::{PUBLISHED, REFERENCE, Series};
use crate::number::{Unit, plain, seconds};
use memory_machine_core::run::layout::Arrangement;
use memory_machine_fit::line;
use memory_machine_measure::curve::{Axis, Curve, curves};
use memory_machine_measure::models::PublishedFit;
use memory_machine_measure::{Device, Subject, Timing};

/// A line that explains less than this part of the medians' spread misses them.
const LEAST_R2: f64 = 0.9;

pub(super) const INPUTS: &str = "number p of inputs, a thread each";

pub(super) fn figures(
    device: &Device,
    points: &[Timing],
    published: &[PublishedFit],
) -> Vec<Figure> {
    let bulk = points.iter().filter(|it| it.subject.is_bulk());
    let (cpu, gpu): (Vec<Curve>, Vec<Curve>) =
        curves(bulk, &Axis::Inputs).into_iter().partition(|it| it.subject.is_cpu());
    let mut groups: BTreeMap<Subject, Vec<Curve>> = BTreeMap::new();
    for curve in gpu {
        let either = Subject { bulk: None, ..curve.subject.clone() };
        groups.entry(either).or_default().push(curve);
    }
    let figures = groups.into_iter().map(|(subject, mut curves)| {
        // The CPU's beside each, after them.
        curves.extend(cpu.iter().filter(|it| it.subject.what() == subject.what()).cloned());
        figure(named(&subject), &curves, device, published)
    });
    figures.collect()
}

fn figure(of: String, curves: &[Curve], device: &Device, published: &[PublishedFit]) -> Figure {
    let mut sentences = vec![];
    let mut missed = vec![];
    let mut times: Vec<Series> = vec![];
    for (colour, curve) in curves.iter().enumerate() {
        let mut series = marks(curve, arrangement(curve), colour);
        if let Ok(line) = line(&curve.medians()) {
            series.line = curve.points.iter().map(|it| (it.0, line.time_s(it.0))).collect();
            if line.r2 < LEAST_R2 {
                series.dash = REFERENCE;
                missed.push(format!("{}, R² = {:.2}", arrangement(curve), line.r2));
            }
            let (a, b) = (line.fixed_s.coefficient, line.per_input_s.coefficient);
            sentences.push(format!(
                "{} takes {} + {}·p",
                arrangement(curve),
                seconds(a),
                seconds(b)
            ));
        }
        times.push(series);
    }
    let fitted = list(&sentences);
    let mut text = compare(curves);
    if !fitted.is_empty() {
        text += &format!(" Fitted to relative errors, {fitted}.");
    }
    if !missed.is_empty() {
        text += &format!(" A single line misses the medians of {}.", list(&missed));
    }
    for it in published {
        let alike = |curve: &&Curve| it.is_of(&curve.subject);
        let Some(colour) = curves.iter().position(|curve| alike(&curve)) else { continue };
        let execution =
            it.fit.bulk.as_ref().map_or(String::new(), |bulk| format!(", {}", bulk.name()));
        let all = curves.iter().flat_map(|curve| &curve.points).map(|point| point.0 as u64);
        let ends = [all.clone().min().unwrap_or(1), all.max().unwrap_or(1)];
        let doubling = std::iter::successors(Some(ends[0]), |p| Some(p * 2));
        let inputs = doubling.take_while(|p| *p < ends[1]).chain([ends[1]]);
        times.push(Series {
            label: format!("{}{execution}", it.model),
            colour,
            dash: PUBLISHED,
            line: inputs.map(|p| (p as f64, it.fit.time_s(p))).collect(),
            ..Series::default()
        });
        text += &format!(
            " The line published for {}{execution} is {} + {}·p ({}).",
            it.model,
            seconds(it.fit.fixed_s),
            seconds(it.fit.per_input_s),
            it.fit.source
        );
    }
    let mut caption = format!("{SPREAD}  lines: a + b·p, fitted");
    if times.iter().any(|it| it.dash == PUBLISHED) {
        caption += "  dashed: published";
    }
    if !missed.is_empty() {
        caption += &format!("  dotted: the line misses the dots ({})", missed.join("; "));
    }
    if curves.iter().any(|it| it.subject.is_cpu()) && !device.host.is_empty() {
        caption += &format!("  CPU: {}", device.host);
    }
    let mut panels = vec![panel(INPUTS, ("time (seconds)", Unit::Seconds), times)];
    let (speedups, best) = speedups(curves);
    if !speedups.is_empty() {
        panels.push(panel(INPUTS, ("time of one CPU core ÷ time", Unit::Times), speedups));
        text += &best;
    }
    Figure {
        title: format!("Bulk runs of {} on {}{}", spaced(&of), device.name, finding(curves)),
        text: text.trim().to_owned(),
        caption,
        body: Body::Beside(panels),
        of,
    }
}

/// What tells the curves of a figure apart; its title has the rest.
fn arrangement(curve: &Curve) -> String {
    Subject { launch: None, devices: 1, ..curve.subject.clone() }.execution()
}

/// The most inputs that ran in both arrangements, and their times row-wise and column-wise.
fn both(curves: &[Curve]) -> Option<(f64, f64, f64)> {
    let of = |bulk| curves.iter().find(|it| !it.subject.is_cpu() && it.subject.bulk == Some(bulk));
    let (row, column) = (of(Arrangement::RowWise)?, of(Arrangement::ColumnWise)?);
    let found = row.points.iter().rev().find_map(|(p, row)| Some((*p, row, column.at(*p)?)));
    found.map(|(p, row, column)| (p, row.median_s(), column.median_s()))
}

/// A title's end: how much faster the faster arrangement is.
fn finding(curves: &[Curve]) -> String {
    both(curves).map_or_else(String::new, |(p, row, column)| {
        let which = if column <= row { Arrangement::ColumnWise } else { Arrangement::RowWise };
        let times = (row / column).max(column / row);
        format!(": {which}-wise {times:.1} times as fast for {} inputs", Unit::Size.text(p))
    })
}

/// Row-wise against column-wise, with the most inputs that both ran.
fn compare(curves: &[Curve]) -> String {
    both(curves).map_or_else(String::new, |(p, row, column)| {
        format!(
            "For {} inputs the row-wise arrangement takes {} and the column-wise one {}, a ratio of {}.",
            plain(p),
            seconds(row),
            seconds(column),
            plain(row / column)
        )
    })
}

/// What each GPU curve gains over one CPU core where both were measured, and a sentence on the most.
fn speedups(curves: &[Curve]) -> (Vec<Series>, String) {
    let cpu = curves.iter().filter(|it| it.subject.is_cpu());
    // A CPU is served best by inputs that lie together.
    let Some(cpu) = cpu.min_by_key(|it| it.subject.bulk == Some(Arrangement::ColumnWise)) else {
        return (vec![], String::new());
    };
    let mut series = vec![];
    let mut best: Option<(f64, f64, String)> = None;
    for (colour, curve) in curves.iter().enumerate().filter(|(_, it)| !it.subject.is_cpu()) {
        let gain = |(p, own): &(f64, f64)| Some((*p, cpu.at(*p)?.median_s() / own));
        let gains: Vec<(f64, f64)> = curve.medians().iter().filter_map(gain).collect();
        for (p, gain) in &gains {
            if best.as_ref().is_none_or(|it| it.1 < *gain) {
                best = Some((*p, *gain, arrangement(curve)));
            }
        }
        if !gains.is_empty() {
            let label = arrangement(curve);
            series.push(Series {
                label,
                colour,
                line: gains.clone(),
                marks: gains,
                ..Series::default()
            });
        }
    }
    let text = best.map_or_else(String::new, |(p, gain, execution)| {
        format!(
            " The largest speed-up over one CPU core is {}, {execution} for {} inputs, among those that the core was measured with.",
            plain(gain),
            plain(p)
        )
    });
    (series, text)
}
