//! When the pipeline is busy: the share of time units in which a stage enters it.

use plotters::style::text_anchor::HPos;

use super::ChartError;
use super::curves::{MARGIN, TEXT, head};
use super::number::plain;
use super::scene::Scene;
use super::theme::Canvas;
use memory_machine_core::machine::{Machine, Mode, schedule, time};
use memory_machine_core::trace::Trace;

/// Columns of the picture; more time units than this share a column.
const MOST_COLUMNS: u128 = 240;
/// Dispatches are kept in memory.
const MOST_DISPATCHES: u128 = 5_000_000;

/// The pipeline's occupancy over the time of `trace`, synchronous above asynchronous on one time
/// axis. `name` is the trace's.
///
/// # Errors
/// [`ChartError::Data`] for a trace that takes no time or has too many warp accesses.
pub fn occupancy(
    machine: Machine,
    trace: &Trace,
    name: &str,
    title: Option<&str>,
    canvas: Canvas,
) -> Result<Scene, ChartError> {
    let sync = time(machine, Mode::Sync, trace);
    if sync.time_units.0 == 0 {
        return Err(ChartError::Data(format!(
            "{name}: the trace takes no time: no thread asks for anything"
        )));
    }
    if sync.dispatches > MOST_DISPATCHES {
        return Err(ChartError::Data(format!(
            "{name}: {} warp accesses; occupancy is drawn of at most {MOST_DISPATCHES}: choose a \
             smaller run",
            sync.dispatches
        )));
    }
    let mut scene = Scene::on(canvas);
    let theme = canvas.theme;
    let kind = machine.kind.name();
    let caption = format!(
        "{name}  {kind}  w = {}  l = {}  p = {}",
        machine.width, machine.latency, trace.threads
    );
    let heading = title.unwrap_or("Occupancy of the pipeline");
    let modes = [Mode::Sync, Mode::Async].map(|mode| (mode, mode.name()));
    let longest = modes.map(|(mode, _)| time(machine, mode, trace).time_units.0);
    let longest = longest.into_iter().max().unwrap_or(1);
    let per = longest.div_ceil(MOST_COLUMNS);
    let columns = longest.div_ceil(per) as usize;
    let bin = if per == 1 { "one time unit".to_owned() } else { format!("{per} time units") };
    let caption = format!("{caption}  a column: {bin}  pale: until the run ends");
    let top = head(&mut scene, heading, &caption);
    let (x0, x1) = (MARGIN + 62.0, scene.width() - MARGIN);
    let bottom = scene.height() - 76.0;
    let each = (bottom - top) / 2.0;
    let width = (x1 - x0) / columns as f64;
    for (index, (mode, word)) in modes.into_iter().enumerate() {
        let counts = time(machine, mode, trace);
        let mut busy = vec![0_u128; columns];
        for dispatch in schedule(machine, mode, trace) {
            let (mut at, end) = (dispatch.start.0, dispatch.start.0 + u128::from(dispatch.stages));
            while at < end {
                let next = ((at / per + 1) * per).min(end);
                busy[(at / per) as usize] += next - at;
                at = next;
            }
        }
        let (y1, y0) = (top + index as f64 * each + 44.0, top + (index + 1) as f64 * each - 8.0);
        let total = counts.time_units.0;
        let share = 100.0 * counts.stages as f64 / total as f64;
        let text = format!("{word}: {} time units, {share:.0} % of them busy", plain(total as f64));
        let colour = theme.series(index);
        scene.text(&text, (x0, y1 - 20.0), TEXT, theme.ink(), HPos::Left);
        for percent in [0, 50, 100] {
            let at = y0 - (y0 - y1) * f64::from(percent) / 100.0;
            scene.line(vec![(x0, at), (x1, at)], theme.grid(), 1.0);
            let text = format!("{percent} %");
            scene.text(&text, (x0 - 8.0, at), TEXT, theme.muted(), HPos::Right);
        }
        let ended = x0 + total as f64 / per as f64 * width;
        scene.rectangle((x0, y1), (ended.min(x1), y0), theme.tint(colour, 0.12));
        let mut at = 0;
        while at < columns {
            let alike = busy[at..].iter().take_while(|it| **it == busy[at]).count();
            if busy[at] > 0 {
                let height = (y0 - y1) * busy[at] as f64 / per as f64;
                let (from, to) = (x0 + at as f64 * width, x0 + (at + alike) as f64 * width);
                scene.rectangle((from, y0 - height), (to, y0), colour);
            }
            at += alike;
        }
        scene.line(vec![(x0, y0), (x1, y0)], theme.muted(), 1.5);
    }
    let step = 10_f64.powf((longest as f64).log10().floor());
    let step = [step / 5.0, step / 2.0, step].into_iter().find(|it| longest as f64 / it <= 10.0);
    let step = step.unwrap_or(1.0).max(1.0);
    for tick in 0..=(longest as f64 / step) as u64 {
        let value = tick as f64 * step;
        let at = x0 + value / per as f64 * width;
        scene.line(vec![(at, bottom - 8.0), (at, bottom - 3.0)], theme.muted(), 1.0);
        scene.text(&plain(value), (at, bottom + 12.0), TEXT, theme.muted(), HPos::Center);
    }
    let title = "time (time units); height: share of a column's time units in which a stage enters";
    let place = (f64::midpoint(x0, x1), bottom + 44.0);
    scene.text(title, place, TEXT, theme.ink(), HPos::Center);
    Ok(scene)
}
