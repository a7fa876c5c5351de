//! Row-wise over column-wise: what coalescing is worth.

use std::collections::BTreeMap;

use super::bulk::INPUTS;
use super::{Body, Figure, Predictions, list, spaced, stroke, strokes};
use crate::curves::{PUBLISHED, Panel, Series};
use crate::number::{Unit, plain};
use memory_machine_core::run::layout::Arrangement;
use memory_machine_measure::curve::{Axis, Curve, curves};
use memory_machine_measure::models::PublishedFit;
use memory_machine_measure::{Device, Spread, Subject, Timing};

/// A figure for one GPU's plain launches, and one for each other variant.
pub(super) fn figures(
    device: &Device,
    points: &[Timing],
    published: &[PublishedFit],
    predictions: &Predictions,
) -> Vec<Figure> {
    let gpu = points.iter().filter(|it| it.subject.bulk.is_some() && !it.subject.is_cpu());
    let all = curves(gpu, &Axis::Inputs);
    let mut variants: BTreeMap<Option<String>, BTreeMap<Subject, Vec<&Curve>>> = BTreeMap::new();
    for curve in &all {
        let common = Subject { bulk: None, ..curve.subject.clone() };
        let pairs = variants.entry(common.variant()).or_default();
        pairs.entry(common).or_default().push(curve);
    }
    let figure = |(variant, pairs): (Option<String>, BTreeMap<Subject, Vec<&Curve>>)| {
        let of = variant.unwrap_or_else(|| "GPU".to_owned());
        figure(of, &pairs, device, published, predictions)
    };
    variants.into_iter().filter_map(figure).collect()
}

fn figure(
    of: String,
    pairs: &BTreeMap<Subject, Vec<&Curve>>,
    device: &Device,
    published: &[PublishedFit],
    predictions: &Predictions,
) -> Option<Figure> {
    let models = predictions.models();
    let mut series = vec![];
    let mut most = vec![];
    let mut largest_of_all = 0.0_f64;
    for (common, curves) in pairs {
        let of = |bulk| curves.iter().find(|it| it.subject.bulk == Some(bulk));
        let (Some(row), Some(column)) = (of(Arrangement::RowWise), of(Arrangement::ColumnWise))
        else {
            continue;
        };
        let both: Vec<(f64, &Timing, &Timing)> =
            row.points.iter().filter_map(|(p, row)| Some((*p, *row, column.at(*p)?))).collect();
        let colour = most.len();
        let ratios: Vec<(f64, f64)> =
            both.iter().map(|(p, row, column)| (*p, row.median_s() / column.median_s())).collect();
        let Some(largest) = ratios.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1)) else {
            continue;
        };
        let label = spaced(&common.what());
        largest_of_all = largest_of_all.max(largest.1);
        most.push(format!("{label} {}, for {} inputs", plain(largest.1), plain(largest.0)));
        let bars = both.iter().map(|(p, row, column)| {
            let Spread { low, high, .. } = row.time_s();
            let Spread { low: least, high: greatest, .. } = column.time_s();
            (*p, low / greatest, high / least)
        });
        // Without predictions a line leads from dot to dot.
        let line = if models.is_empty() { ratios.clone() } else { vec![] };
        let (marks, bars) = (ratios, bars.collect());
        series.push(Series { label, colour, line, marks, bars, ..Series::default() });
        for (index, model) in models.iter().enumerate() {
            let dash = stroke(index);
            let ratio = |(p, row, column): &(f64, &Timing, &Timing)| {
                let of = |point: &Timing| predictions.time_s(&point.subject, model);
                Some((*p, of(row)? / of(column)?))
            };
            let line: Vec<_> = both.iter().filter_map(ratio).collect();
            if !line.is_empty() {
                series.push(Series { colour, dash, line, ..Series::default() });
            }
        }
        let stated = |curve: &Curve| published.iter().find(|it| it.is_of(&curve.subject));
        if let (Some(of_row), Some(of_column)) = (stated(row), stated(column)) {
            let ratio = |&(p, ..): &(f64, &Timing, &Timing)| {
                (p, of_row.fit.time_s(p as u64) / of_column.fit.time_s(p as u64))
            };
            series.push(Series {
                label: format!("{}, {}", spaced(&common.what()), of_row.model),
                colour,
                dash: PUBLISHED,
                line: both.iter().map(ratio).collect(),
                ..Series::default()
            });
        }
    }
    if most.is_empty() {
        return None;
    }
    let times = format!("up to {} times", plain(largest_of_all.round()));
    let has_published = series.iter().any(|it| it.dash == PUBLISHED);
    Some(Figure {
        title: match of.as_str() {
            "GPU" => format!("What the arrangement costs on {}: {times}", device.name),
            variant => format!("What the arrangement costs on {}, {variant}: {times}", device.name),
        },
        of,
        text: format!(
            "Row-wise, the threads of a warp touch an address group each; column-wise, they share \
             one. The largest ratio of the two times is: {}.",
            list(&most)
        ),
        caption: format!(
            "dots: row-wise ÷ column-wise, of medians, bars: of opposite quartiles{}{}",
            strokes(&models),
            if has_published { "  dashed: published" } else { "" }
        ),
        body: Body::Beside(vec![Panel::new(
            (INPUTS, Unit::Size),
            ("time row-wise ÷ time column-wise", Unit::Times),
            series,
        )]),
    })
}
