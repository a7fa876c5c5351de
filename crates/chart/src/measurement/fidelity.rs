//! Predictions over what was measured: each algorithm's curves with the residuals below, and all
//! points together.

use std::collections::{BTreeMap, BTreeSet};

use super::bulk::INPUTS;
use super::engines::panel;
use super::{
    Body, Figure, Predictions, SPREAD, differing, list, marks, named, spaced, stroke, strokes,
};
use crate::curves::{Guide, Panel, Series};
use crate::number::{Unit, plain};
use memory_machine_measure::curve::{Axis, Curve, curves};
use memory_machine_measure::{Device, Spread, Subject, Timing};

pub(super) fn figures(
    device: &Device,
    points: &[Timing],
    predictions: &Predictions,
) -> Vec<Figure> {
    let figure = |(of, points): (String, Vec<&Timing>)| {
        let axis = widest(&points);
        let curves = curves(points, &axis);
        (!curves.is_empty()).then(|| figure(of, &curves, &axis, device, predictions))
    };
    groups(points).filter_map(figure).collect()
}

/// The points of the figure that is of `of`.
pub(super) fn points_of<'a>(points: &'a [Timing], of: &str) -> Vec<&'a Timing> {
    groups(points).filter(|it| it.0 == of).flat_map(|it| it.1).collect()
}

/// The points of each figure, and what it is of: bulk runs by algorithm and size, over p; others by
/// algorithm, over what varies most.
fn groups(points: &[Timing]) -> impl Iterator<Item = (String, Vec<&Timing>)> {
    let mut groups: BTreeMap<(&str, Option<Subject>), Vec<&Timing>> = BTreeMap::new();
    for point in points.iter().filter(|it| !it.subject.is_cpu()) {
        let Subject { name, set, launch, devices, .. } = &point.subject;
        let bulk = point.subject.bulk.as_ref().map(|_| Subject {
            name: name.clone(),
            set: set.clone(),
            launch: launch.clone(),
            devices: *devices,
            ..Subject::default()
        });
        groups.entry((name, bulk)).or_default().push(point);
    }
    let of = |name: &str, bulk: Option<Subject>| bulk.as_ref().map_or(name.to_owned(), named);
    groups.into_iter().map(move |((name, bulk), points)| (of(name, bulk), points))
}

/// The axis with most values; of equals p.
fn widest(points: &[&Timing]) -> Axis {
    let names: BTreeSet<&String> = points.iter().flat_map(|it| it.subject.set.0.keys()).collect();
    let axes = names.into_iter().map(|name| Axis::Parameter(name.clone())).chain([Axis::Inputs]);
    let values = |axis: &Axis| {
        let values: BTreeSet<u64> =
            points.iter().filter_map(|it| axis.value(&it.subject)).map(f64::to_bits).collect();
        values.len()
    };
    axes.max_by_key(values).unwrap_or(Axis::Inputs)
}

fn figure(
    of: String,
    curves: &[Curve],
    axis: &Axis,
    device: &Device,
    predictions: &Predictions,
) -> Figure {
    let models = predictions.models();
    let names = labels(curves);
    let (mut times, mut residuals) = (vec![], vec![]);
    let mut errors: BTreeMap<&str, Vec<(f64, &Subject)>> = BTreeMap::new();
    for (colour, (curve, label)) in curves.iter().zip(&names).enumerate() {
        let mut measured = marks(curve, label.clone(), colour);
        if models.is_empty() {
            // Without predictions a line leads from dot to dot.
            measured.line.clone_from(&measured.marks);
        }
        times.push(measured);
        for (index, model) in models.iter().enumerate() {
            let dash = stroke(index);
            let predicted = |(x, point): &(f64, &Timing)| {
                Some((*x, predictions.time_s(&point.subject, model)?))
            };
            let line: Vec<_> = curve.points.iter().filter_map(predicted).collect();
            let over = |(x, point): &(f64, &Timing)| {
                let part = predictions.time_s(&point.subject, model)? / point.median_s();
                Some((*x, part))
            };
            let part: Vec<_> = curve.points.iter().filter_map(over).collect();
            for (_, point) in &curve.points {
                if let Some(time) = predictions.time_s(&point.subject, model) {
                    let error = time / point.median_s() - 1.0;
                    errors.entry(*model).or_default().push((error, &point.subject));
                }
            }
            if line.is_empty() {
                continue;
            }
            times.push(Series { colour, dash, line, ..Series::default() });
            let marks = if dash == 0 { part.clone() } else { vec![] };
            residuals.push(Series { colour, dash, line: part, marks, ..Series::default() });
        }
    }
    let bulk = curves.iter().all(|it| it.subject.is_bulk());
    let title = match axis {
        Axis::Inputs if bulk => INPUTS.to_owned(),
        Axis::Inputs => "number p of threads".to_owned(),
        Axis::Parameter(name) if name == "n" => "size n".to_owned(),
        Axis::Parameter(name) => name.clone(),
    };
    let mut text = describe(&of, curves);
    let mut found = vec![];
    for (model, errors) in models.iter().filter_map(|it| errors.get_key_value(it)) {
        text += &accuracy(model, errors);
        found.push(format!("{:.0}\u{a0}% ({model})", mape(errors)));
    }
    let found = match &found[..] {
        [] => String::new(),
        found => format!(": predictions are off by {} in the mean", list(found)),
    };
    let seconds = |heading: &str| panel(heading, ("time (seconds)", Unit::Seconds), times);
    let (body, strokes) = if residuals.is_empty() {
        (Body::Beside(vec![seconds(&title)]), String::new())
    } else {
        let lower = panel(&title, ("predicted ÷ measured", Unit::Times), residuals);
        (Body::Above(Box::new([seconds(""), lower])), strokes(&models))
    };
    Figure {
        title: format!("{} on {}{found}", spaced(&of), device.name),
        text,
        caption: format!("{SPREAD}{strokes}"),
        body,
        of,
    }
}

/// What tells curves apart: the execution, and parameters in which they differ.
fn labels(curves: &[Curve]) -> Vec<String> {
    let executions: BTreeSet<String> = curves.iter().map(|it| it.subject.execution()).collect();
    let sets = differing(&curves.iter().map(|it| &it.subject.set).collect::<Vec<_>>());
    let threads = curves.iter().any(|it| it.subject.threads != curves[0].subject.threads);
    let label = |(curve, set): (&Curve, String)| {
        let threads = curve.subject.threads.filter(|_| threads);
        let threads = threads.map(|it| format!("p = {}", Unit::Size.text(it as f64)));
        let execution = (executions.len() > 1).then(|| curve.subject.execution());
        let words =
            Some(set).filter(|it| !it.is_empty()).into_iter().chain(threads).chain(execution);
        words.collect::<Vec<String>>().join(", ")
    };
    curves.iter().zip(sets).map(label).collect()
}

/// How many points, and how far their quartiles lie apart.
fn describe(of: &str, curves: &[Curve]) -> String {
    let points: Vec<&Timing> = curves.iter().flat_map(|it| &it.points).map(|it| it.1).collect();
    let spread = |point: &&Timing| {
        let Spread { low, high, .. } = point.time_s();
        (high - low) / point.median_s()
    };
    let widest = 100.0 * points.iter().map(spread).fold(0.0, f64::max);
    let noun = if points.len() == 1 { "point" } else { "points" };
    format!(
        "{} {noun} of {of}; between quartiles the times of one point differ by {widest:.1} % at most.",
        points.len()
    )
}

/// In per cent.
fn mape(errors: &[(f64, &Subject)]) -> f64 {
    100.0 * errors.iter().map(|it| it.0.abs()).sum::<f64>() / errors.len() as f64
}

fn accuracy(model: &str, errors: &[(f64, &Subject)]) -> String {
    let mape = mape(errors);
    let worst = errors.iter().max_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
    let worst = worst.map_or_else(String::new, |(error, subject)| {
        format!(", most for {subject} ({:+.1} %)", 100.0 * error)
    });
    format!(" The prediction `{model}` is off by {mape:.1} % in the mean{worst}.")
}

/// For each model, all its predictions against what was measured.
pub(super) fn scatters(
    device: &Device,
    points: &[Timing],
    predictions: &Predictions,
) -> Vec<Figure> {
    let models = predictions.models();
    let figure = |model: &&str| {
        let mut groups: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
        for point in points {
            if let Some(time) = predictions.time_s(&point.subject, model) {
                groups.entry(&point.subject.name).or_default().push((point.median_s(), time));
            }
        }
        let all: Vec<(f64, f64)> = groups.values().flatten().copied().collect();
        let within = |factor: f64| {
            let near = all.iter().filter(|(a, b)| (b / a).max(a / b) <= factor).count();
            plain(100.0 * near as f64 / all.len().max(1) as f64)
        };
        let close = all.iter().filter(|(a, b)| (b / a - 1.0).abs() <= 0.15).count();
        let names: Vec<String> = groups.keys().map(|it| (*it).to_owned()).collect();
        let text = format!(
            "{} points of {}. Of what `{model}` predicts, {} % lie within 15 % of the measured \
             median, {} % within a factor of 2.",
            all.len(),
            list(&names),
            plain(100.0 * close as f64 / all.len().max(1) as f64),
            within(2.0)
        );
        let series = groups.iter().enumerate().map(|(colour, (name, marks))| Series {
            label: (*name).to_owned(),
            colour,
            marks: marks.clone(),
            ..Series::default()
        });
        (!all.is_empty()).then(|| Figure {
            of: (*model).to_owned(),
            title: format!(
                "Predicted against measured, {}: {} % of {} times by {model} within a factor of 2",
                device.name,
                within(2.0),
                plain(all.len() as f64)
            ),
            text,
            caption: "grey: within 15 %  dashed: off by a factor of 2".to_owned(),
            body: Body::Beside(vec![Panel {
                guide: Guide::Diagonal,
                ..Panel::new(
                    ("measured (seconds)", Unit::Seconds),
                    ("predicted (seconds)", Unit::Seconds),
                    series.collect(),
                )
            }]),
        })
    };
    models.iter().filter_map(figure).collect()
}
