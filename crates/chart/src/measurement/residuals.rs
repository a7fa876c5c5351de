//! How far predictions are off: a small panel for each algorithm, all with the same axes, so that a
//! bias is seen where a scatter of six decades hides it.

use std::collections::BTreeMap;

use super::{Body, Figure, Predictions};
use crate::curves::{Guide, Panel, Series};
use crate::number::{Unit, plain};
use memory_machine_measure::{Device, Timing};

/// A figure for each model.
pub(super) fn figures(
    device: &Device,
    points: &[Timing],
    predictions: &Predictions,
) -> Vec<Figure> {
    let models = predictions.models();
    models.iter().filter_map(|model| figure(model, device, points, predictions)).collect()
}

fn figure(
    model: &str,
    device: &Device,
    points: &[Timing],
    predictions: &Predictions,
) -> Option<Figure> {
    // Measured seconds, and what the model predicts over them.
    let mut groups: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
    for point in points {
        if let Some(time) = predictions.time_s(&point.subject, model) {
            let measured = point.median_s();
            groups.entry(&point.subject.name).or_default().push((measured, time / measured));
        }
    }
    let all: Vec<(f64, f64)> = groups.values().flatten().copied().collect();
    let whole = Errors::of(&all)?;
    let of_each: Vec<(&str, Errors)> =
        groups.iter().filter_map(|(name, points)| Some((*name, Errors::of(points)?))).collect();
    let worst = of_each.iter().max_by(|a, b| a.1.mape.total_cmp(&b.1.mape))?;
    let best = of_each.iter().min_by(|a, b| a.1.mape.total_cmp(&b.1.mape))?;
    let lean = match whole.bias {
        bias if bias < 0.0 => "too short",
        _ => "too long",
    };
    let mut text = format!(
        "Of {} points of {} algorithms, `{model}` is off by {:.1} % in the mean, and its times are \
         {:.1} % {lean} in the mean.",
        plain(all.len() as f64),
        groups.len(),
        whole.mape,
        whole.bias.abs()
    );
    if of_each.len() > 1 {
        text += &format!(
            " It is nearest for {} ({:.1} %) and farthest off for {} ({:.1} %).",
            best.0, best.1.mape, worst.0, worst.1.mape
        );
    }
    // All panels reach what any of them shows, and the bands.
    let corner = |worse: fn(f64, f64) -> f64, band: f64| {
        let far = |start: (f64, f64), it: &(f64, f64)| (worse(start.0, it.0), worse(start.1, it.1));
        all.iter().fold((all[0].0, band), far)
    };
    let reach = vec![corner(f64::min, 0.5), corner(f64::max, 2.0)];
    let panel = |(name, points): (&&str, &Vec<(f64, f64)>)| {
        let errors = Errors::of(points).map_or_else(String::new, |it| it.text());
        Panel {
            heading: (*name).to_owned(),
            guide: Guide::One,
            reach: reach.clone(),
            ..Panel::new(
                ("", Unit::Seconds),
                (format!("{} points, {errors}", plain(points.len() as f64)), Unit::Times),
                vec![Series { marks: points.clone(), ..Series::default() }],
            )
        }
    };
    Some(Figure {
        of: model.to_owned(),
        title: format!(
            "Predicted ÷ measured on {}: the {model} model is {:.1} % off in the mean, bias {}",
            device.name,
            whole.mape,
            signed(whole.bias)
        ),
        text,
        caption: "above each: points, MAPE (mean of |predicted − measured| ÷ measured), bias (the same with its sign)  \
                  grey: within 15 %  dashed: off by a factor of 2"
            .to_owned(),
        body: Body::Grid(
            groups.iter().map(panel).collect(),
            ["measured (seconds)", "predicted ÷ measured"].map(str::to_owned),
        ),
    })
}

/// In per cent.
struct Errors {
    mape: f64,
    bias: f64,
}

impl Errors {
    fn of(points: &[(f64, f64)]) -> Option<Self> {
        let count = points.len() as f64;
        let mean = |of: fn(f64) -> f64| {
            100.0 * points.iter().map(|it| of(it.1 - 1.0)).sum::<f64>() / count
        };
        (count > 0.0).then(|| Self { mape: mean(f64::abs), bias: mean(|it| it) })
    }

    fn text(&self) -> String {
        format!("{:.0} %, {}", self.mape, signed(self.bias))
    }
}

fn signed(percent: f64) -> String {
    let number = format!("{:.0}", percent.abs());
    let sign = match &*number {
        "0" => "",
        _ if percent < 0.0 => "−",
        _ => "+",
    };
    // A title is not broken here.
    format!("{sign}{number}\u{a0}%")
}
