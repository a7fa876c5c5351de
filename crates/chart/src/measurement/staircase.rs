//! Bank conflicts: on the DMM, an access of a warp whose addresses meet k-fold in a bank takes k
//! pipeline stages.

use super::latency::{StepLatency, steps};
use super::{Body, Figure};
use crate::curves::{Panel, Series};
use crate::number::{Unit, plain};
use memory_machine_fit::fit;
use memory_machine_measure::{Device, Timing};

pub(super) fn figure(device: &Device, points: &[Timing]) -> Option<Figure> {
    let found = steps(points, "shared", "degree", device.clock_hz);
    let warps = |it: &StepLatency| it.settings.0.get("warps").copied().unwrap_or(1).max(1);
    let mut groups: std::collections::BTreeMap<i64, Vec<&StepLatency>> =
        std::collections::BTreeMap::new();
    for step in &found {
        groups.entry(warps(step)).or_default().push(step);
    }
    let (&fewest, alone) = groups.first_key_value()?;
    let model = conflict(alone.iter().map(|it| (it.x, it.median)), fewest as f64);
    // What a stage takes where warps follow each other without a gap, from the most warps.
    let full = groups.last_key_value().filter(|_| groups.len() > 1).and_then(|(&warps, steps)| {
        let rows: Vec<Vec<f64>> = steps.iter().map(|it| vec![warps as f64 * it.x]).collect();
        let times: Vec<f64> = steps.iter().map(|it| it.median).collect();
        Some(fit(&rows, &times).ok()?.coefficients[0].coefficient)
    });
    let phrase = |warps: i64, k: f64| {
        model.map(|(latency, cycles)| {
            let stage = full.unwrap_or(cycles);
            (latency + (k - 1.0) * cycles).max(warps as f64 * k * stage)
        })
    };
    let mut series = vec![];
    for (colour, (&warps, steps)) in groups.iter().enumerate() {
        let label = if warps == 1 { "1 warp".to_owned() } else { format!("{warps} warps") };
        let line = steps.iter().filter_map(|it| Some((it.x, phrase(warps, it.x)?))).collect();
        series.push(Series {
            label,
            colour,
            line,
            marks: steps.iter().map(|it| (it.x, it.median)).collect(),
            bars: steps.iter().map(|it| (it.x, it.low, it.high)).collect(),
            dash: 0,
        });
    }
    let mut text = "An access whose addresses meet k-fold in a bank takes k pipeline stages: one \
                    warp waits l + (k − 1)·c cycles, and many warps, which keep the pipeline \
                    full, (p/w)·k·s."
        .to_owned();
    let mut caption = "dots: measured, bars: quartiles".to_owned();
    let mut title = format!("Bank conflicts in the shared memory of {}", device.name);
    if let Some((latency, cycles)) = model {
        let (l, c) = (plain(latency), plain(cycles));
        title += &format!(": each adds {c} cycles");
        let stage = plain(full.unwrap_or(cycles));
        text += &format!(
            " The times of the fewest warps give l = {l} and c = {c} cycles, those of the most \
             s = {stage}: a stage of the pipeline."
        );
        caption += &format!(
            "  lines: the larger of l + (k − 1)·c and (p/w)·k·s; l = {l}, c = {c}, s = {stage}"
        );
        let steps = groups.iter().flat_map(|(warps, steps)| steps.iter().map(|it| (*warps, it)));
        let errors: Vec<f64> = steps
            .filter_map(|(warps, it)| Some((phrase(warps, it.x)? - it.median).abs() / it.median))
            .collect();
        let mape = 100.0 * errors.iter().sum::<f64>() / errors.len() as f64;
        text += &format!(" The lines miss the times by {mape:.1} % in the mean.");
    }
    Some(Figure {
        of: String::new(),
        title,
        text,
        caption,
        body: Body::Beside(vec![Panel::new(
            ("degree k of the conflict", Unit::Size),
            ("cycles for an access by all warps", Unit::TimeUnits),
            series,
        )]),
    })
}

/// l and c of the few warps' times, `(k, cycles)`: l + (k − 1)·c of a single warp, and of W warps,
/// whose accesses follow each other, l + (W·k − 1)·c.
fn conflict(times: impl Iterator<Item = (f64, f64)>, warps: f64) -> Option<(f64, f64)> {
    let (rows, times): (Vec<Vec<f64>>, Vec<f64>) =
        times.map(|(k, cycles)| (vec![1.0, warps * k], cycles)).unzip();
    let fit = fit(&rows, &times).ok()?;
    let (fixed, cycles) = (fit.coefficients[0].coefficient, fit.coefficients[1].coefficient);
    Some((fixed + cycles, cycles))
}
