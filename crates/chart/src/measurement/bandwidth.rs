//! What gaps between the addresses of a read cost.

use super::{Body, Figure, bar, differing};
use crate::curves::{Panel, Series};
use crate::number::{Unit, bandwidth, plain};
use memory_machine_measure::curve::{Axis, Curve, curves};
use memory_machine_measure::{Device, Timing};

/// Words are of 32 bits.
const WORD: f64 = 4.0;

/// Neighbouring threads read words that lie `stride` apart.
pub(super) fn of_stride(device: &Device, points: &[Timing]) -> Option<Figure> {
    let x = ("stride (words between neighbouring threads)", "stride");
    figure(device, points, x, 0.0, |x| format!("stride {}", plain(x)))
}

/// n words in f + 1 stretches.
pub(super) fn of_gaps(device: &Device, points: &[Timing]) -> Option<Figure> {
    let x = ("number f + 1 of stretches that the words lie in", "f");
    figure(device, points, x, 1.0, |x| {
        format!("{} {}", plain(x), if x == 1.0 { "stretch" } else { "stretches" })
    })
}

/// Useful bandwidth of the microbenchmark `read`, its n words over its time, against `parameter`.
fn figure(
    device: &Device,
    points: &[Timing],
    (axis, parameter): (&str, &str),
    shift: f64,
    name: impl Fn(f64) -> String,
) -> Option<Figure> {
    let words = |point: &Timing| point.subject.set.0.get("n").map(|&it| it as f64);
    let reads = points.iter().filter(|it| it.subject.name == "read" && words(it) > Some(0.0));
    // Shifted by one where no gap at all is a value, too.
    let shifted: Vec<Timing> = reads
        .filter_map(|point| {
            let mut point = point.clone();
            *point.subject.set.0.get_mut(parameter)? += shift as i64;
            Some(point)
        })
        .collect();
    let mut all = curves(&shifted, &Axis::Parameter(parameter.to_owned()));
    all.retain(|it| it.points.len() > 1);
    let rate = |point: &Timing, time: f64| words(point).unwrap_or(0.0) * WORD / time;
    let rates = |curve: &Curve| -> Vec<(f64, f64)> {
        curve.points.iter().map(|(x, point)| (*x, rate(point, point.median_s()))).collect()
    };
    let labels = differing(&all.iter().map(|it| &it.subject.set).collect::<Vec<_>>());
    let series = all.iter().zip(&labels).enumerate().map(|(colour, (curve, label))| Series {
        label: label.clone(),
        colour,
        line: rates(curve),
        marks: rates(curve),
        bars: (curve.points.iter())
            .map(|(x, point)| bar(*x, point))
            .zip(&curve.points)
            .map(|((x, low, high), (_, point))| (x, rate(point, high), rate(point, low)))
            .collect(),
        dash: 0,
    });
    // Of one curve: another one's data may lie in the cache.
    let extremes = |(curve, label)| {
        let rates = rates(curve);
        let most = rates.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let least = rates.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1))?;
        Some((label, most, least))
    };
    let (label, most, least) = (all.iter().zip(&labels).filter_map(extremes))
        .max_by(|(_, a, b), (_, c, d)| (a.1 / b.1).total_cmp(&(c.1 / d.1)))?;
    let of = if label.is_empty() { String::new() } else { format!(" ({label})") };
    let mut text = format!(
        "Of the words that are asked for{of}, {} a second arrive with {}, and {} with {}: {} times less.",
        bandwidth(most.1).trim_end_matches("/s"),
        name(most.0),
        bandwidth(least.1).trim_end_matches("/s"),
        name(least.0),
        plain(most.1 / least.1)
    );
    if device.peak_bandwidth() > 0.0 {
        let part = 100.0 * most.1 / device.peak_bandwidth();
        text += &format!(
            " The most is {part:.0} % of the {} between the memory and its controller; data that \
             the cache holds need not pass there.",
            bandwidth(device.peak_bandwidth())
        );
    }
    Some(Figure {
        of: String::new(),
        title: format!(
            "Useful bandwidth of reads on {}: {} times less with {}{of}",
            device.name,
            plain(most.1 / least.1),
            name(least.0)
        ),
        text,
        caption: "dots: words asked for over the median time, bars: quartiles".to_owned(),
        body: Body::Beside(vec![Panel::new(
            (axis, Unit::Size),
            ("useful bandwidth", Unit::Bandwidth),
            series.collect(),
        )]),
    })
}
