//! Pictures of runs on machines of courses: the roofline with a dot for each phase, and the words of each
//! superstep.

use plotters::style::text_anchor::HPos;

use super::ChartError;
use super::curves::{self, MARGIN, Panel, REFERENCE, Series, TEXT, head};
use super::number::{Unit, bandwidth, grouped, per_second};
use super::scene::Scene;
use super::theme::Canvas;

/// More bars than this would be thinner than two pixels.
const MOST_BARS: usize = 400;

/// A phase of a run on a roofline.
#[derive(Debug, Clone, PartialEq)]
pub struct RooflinePhase {
    /// As the listing calls it.
    pub name: String,
    /// Operations a byte.
    pub intensity: f64,
    /// Operations a second at most.
    pub rate: f64,
}

/// The roofs of a device, one for each peak by its name and in operations a second, under the slope of its
/// bandwidth in bytes a second; and where each phase stands.
///
/// # Errors
/// [`ChartError::Data`] if no phase has operations and bytes.
pub fn roofline(
    name: &str,
    caption: &str,
    (peaks, bytes_per_s): (&[(String, f64)], f64),
    phases: &[RooflinePhase],
    canvas: Canvas,
) -> Result<Scene, ChartError> {
    let drawn: Vec<&RooflinePhase> =
        phases.iter().filter(|it| it.intensity > 0.0 && it.rate.is_finite()).collect();
    if drawn.is_empty() {
        return Err(ChartError::Data(format!(
            "{name}: no phase has operations and bytes, so that none has a place under a roof"
        )));
    }
    let mut scene = Scene::on(canvas);
    let text = format!("{caption}  bandwidth {}", bandwidth(bytes_per_s));
    let top = head(&mut scene, &format!("{name} under the roofline"), &text);
    let edges = drawn.iter().map(|it| it.intensity);
    let ridges = peaks.iter().map(|it| it.1 / bytes_per_s);
    let places: Vec<f64> = edges.chain(ridges).collect();
    let left = places.iter().copied().fold(f64::INFINITY, f64::min) / 4.0;
    let right = places.iter().copied().fold(0.0, f64::max) * 4.0;
    let highest = peaks.iter().map(|it| it.1).fold(bytes_per_s * right, f64::min);
    let highest = peaks.iter().map(|it| it.1).fold(highest, f64::max);
    let slope = vec![(left, left * bytes_per_s), (highest / bytes_per_s, highest)];
    let roof = |line, label| Series { label, line, dash: REFERENCE, ..Series::default() };
    let mut series = vec![roof(slope, String::new())];
    for (kind, peak) in peaks {
        let label = format!("{kind}: {}", per_second(*peak));
        series.push(roof(vec![(peak / bytes_per_s, *peak), (right, *peak)], label));
    }
    series.extend(drawn.iter().enumerate().map(|(index, it)| Series {
        label: it.name.clone(),
        colour: index + 1,
        marks: vec![(it.intensity, it.rate)],
        ..Series::default()
    }));
    let x = ("operations a byte", Unit::Stages);
    curves::draw(&mut scene, top, &[Panel::new(x, ("operations a second", Unit::Rate), series)]);
    Ok(scene)
}

/// A bar for each superstep: the most words that a processor sends or receives.
///
/// # Errors
/// [`ChartError::Data`] if there are none, or too many.
pub fn relations(
    name: &str,
    caption: &str,
    words: &[u128],
    canvas: Canvas,
) -> Result<Scene, ChartError> {
    if words.is_empty() || words.len() > MOST_BARS {
        return Err(ChartError::Data(format!(
            "{name}: {} supersteps; 1 to {MOST_BARS} can be drawn: choose another size",
            words.len()
        )));
    }
    let mut scene = Scene::on(canvas);
    let top = head(&mut scene, &format!("The h-relations of {name}"), caption);
    let theme = scene.theme;
    let (x0, x1) = (MARGIN + 62.0, scene.width() - MARGIN);
    let (y0, y1) = (scene.height() - 76.0, top + 48.0);
    let most = words.iter().copied().max().unwrap_or(0).max(1);
    scene.text(
        "words of the busiest processor",
        (MARGIN, top + 18.0),
        TEXT,
        theme.ink(),
        HPos::Left,
    );
    let step = most.div_ceil(4).max(1);
    for value in (0..=4).map(|it| it * step).filter(|it| *it <= most) {
        let at = y0 - (y0 - y1) * value as f64 / most as f64;
        scene.line(vec![(x0, at), (x1, at)], theme.grid(), 1.0);
        scene.text(&grouped(value), (x0 - 8.0, at), TEXT, theme.muted(), HPos::Right);
    }
    let each = (x1 - x0) / words.len() as f64;
    let every = words.len().div_ceil(20);
    for (index, &h) in words.iter().enumerate() {
        let middle = x0 + (index as f64 + 0.5) * each;
        let (half, high) = ((0.38 * each).min(30.0), y0 - (y0 - y1) * h as f64 / most as f64);
        scene.rectangle((middle - half, high), (middle + half, y0), theme.series(0));
        if index.is_multiple_of(every) {
            let text = (index + 1).to_string();
            scene.text(&text, (middle, y0 + 18.0), TEXT, theme.muted(), HPos::Center);
        }
    }
    let place = (f64::midpoint(x0, x1), y0 + 48.0);
    scene.text("superstep, and what stands between them", place, TEXT, theme.ink(), HPos::Center);
    Ok(scene)
}
