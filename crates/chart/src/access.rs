//! Where one access step falls: address groups down, banks across.

use std::collections::BTreeMap;

use plotters::style::text_anchor::HPos;

use super::ChartError;
use super::curves::{MARGIN, TEXT, head};
use super::letters::text_width;
use super::number::plain;
use super::scene::Scene;
use super::theme::{Canvas, Theme};
use memory_machine_core::machine::{Machine, StageCounter};
use memory_machine_core::trace::{AccessKind, Event, Trace};

const MOST_GROUPS: usize = 32;
const MOST_BANKS: u64 = 64;
/// Pixels: room beside the cells that notes need, and below them.
const LEAST_NOTE: f64 = 260.0;
const BELOW: f64 = 110.0;

/// The requests of the `number`th step of `trace`, from 1: a cell for each word, a row for each
/// address group that is touched, a column for each bank; the stronger the colour, the more
/// requests. Below, what conflicts: the stages that each warp takes.
///
/// # Errors
/// [`ChartError::Data`] if there is no such step, or it is too large for a page.
pub fn access(
    machine: Machine,
    trace: &Trace,
    number: usize,
    name: &str,
    title: Option<&str>,
    canvas: Canvas,
) -> Result<Scene, ChartError> {
    let steps: Vec<_> = trace
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Step(step) => Some(step),
            _ => None,
        })
        .collect();
    let Some(step) = number.checked_sub(1).and_then(|index| steps.get(index)) else {
        return Err(ChartError::Data(format!(
            "{name}: there is no step {number}; the trace has steps 1 to {} (--step)",
            steps.len()
        )));
    };
    let width = machine.width.get();
    let mut words: BTreeMap<u64, BTreeMap<u64, u64>> = BTreeMap::new();
    let requests = step.pieces.iter().map(|piece| match piece {
        memory_machine_core::trace::Piece::Run(run) => run.count,
        memory_machine_core::trace::Piece::Idle(_) => 0,
    });
    let requests: u64 = requests.sum();
    if requests == 0 {
        return Err(ChartError::Data(format!(
            "{name}: no thread asks for anything in step {number}"
        )));
    }
    let mut too_large = width > MOST_BANKS || requests > 65_536;
    if !too_large {
        for piece in &step.pieces {
            if let memory_machine_core::trace::Piece::Run(run) = piece {
                for index in 0..run.count {
                    let address = run.at(index).0;
                    *words
                        .entry(address / width)
                        .or_default()
                        .entry(address % width)
                        .or_default() += 1;
                }
            }
        }
        too_large = words.len() > MOST_GROUPS;
    }
    if too_large {
        return Err(ChartError::Data(format!(
            "{name}: step {number} is too large to draw: at most {MOST_BANKS} banks (-w) and \
             {MOST_GROUPS} address groups"
        )));
    }
    let mut stages = vec![];
    StageCounter::new(machine).visit(step, |warps| {
        stages.extend((0..warps.count).map(|i| format!("W({}) {}", warps.first + i, warps.stages)));
    });
    let mut scene = Scene::on(canvas);
    let theme = canvas.theme;
    let (kind, rule) = (machine.kind.name(), machine.kind.rule());
    let verb = match step.kind {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
    };
    if stages.len() > 16 {
        stages.truncate(15);
        stages.push("…".to_owned());
    }
    let caption =
        format!("{name}, step {number}: {verb}  {kind}  w = {width}  p = {}", trace.threads);
    let top = head(&mut scene, title.unwrap_or("One access step"), &caption);
    let rows: Vec<u64> = words.keys().copied().collect();
    let largest = words.values().flat_map(BTreeMap::values).copied().max().unwrap_or(1);
    let names: Vec<String> = rows.iter().map(|group| format!("A[{group}]")).collect();
    let label = names.iter().map(|it| text_width(it, TEXT)).fold(0.0, f64::max);
    let (left, above) = (MARGIN + label.max(110.0) + 10.0, top + 64.0);
    let side = ((scene.width() - MARGIN - left) / width as f64)
        .min((scene.height() - BELOW - above) / rows.len() as f64)
        .min(56.0);
    scene.text("address group", (MARGIN, top + 40.0), TEXT, theme.ink(), HPos::Left);
    scene.text("bank (address mod w)", (left, top + 16.0), TEXT, theme.ink(), HPos::Left);
    let size = TEXT.min(0.5 * side);
    let every = if side < 22.0 { 4 } else { 1 };
    for bank in (0..width).step_by(every) {
        let at = left + (bank as f64 + 0.5) * side;
        scene.text(
            &bank.to_string(),
            (at, top + 48.0),
            size.max(11.0),
            theme.muted(),
            HPos::Center,
        );
    }
    for (row, (group, cells)) in words.iter().enumerate() {
        let y = above + row as f64 * side;
        let place = (left - 10.0, y + side / 2.0);
        scene.text(&names[row], place, TEXT.min(0.8 * side), theme.muted(), HPos::Right);
        for bank in 0..width {
            let x = left + bank as f64 * side;
            let count = cells.get(&bank).copied().unwrap_or(0);
            let part = 0.35 + 0.65 * count as f64 / largest as f64;
            let colour = if count == 0 { theme.grid() } else { theme.tint(theme.series(0), part) };
            scene.rectangle((x + 1.0, y + 1.0), (x + side - 1.0, y + side - 1.0), colour);
            if count > 0 && side >= 30.0 {
                let text = (group * width + bank).to_string();
                let size = size.min(size * 0.9 * side / text_width(&text, size));
                scene.text(
                    &text,
                    (x + side / 2.0, y + side / 2.0),
                    size,
                    Theme::on(colour),
                    HPos::Center,
                );
            }
        }
    }
    let requests = match largest {
        1 => "1 request".to_owned(),
        many => format!("{} requests", plain(many as f64)),
    };
    let notes = [
        format!("stages of the warps: {}", stages.join(", ")),
        format!("a warp takes {rule}"),
        format!("coloured: requested words; at most {requests} for one word"),
    ];
    // Beside the cells if there is room, else below them.
    let right = left + width as f64 * side + 40.0;
    let below = above + rows.len() as f64 * side + 24.0;
    let mut place = if scene.width() - MARGIN - right >= LEAST_NOTE {
        (right, above + side / 2.0)
    } else {
        (MARGIN, below)
    };
    let room = scene.width() - MARGIN - place.0;
    for note in notes {
        place.1 = scene.paragraph(&note, place, TEXT, theme.ink(), room) + 6.0;
    }
    Ok(scene)
}
