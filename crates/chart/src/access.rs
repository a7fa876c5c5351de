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
use memory_machine_core::trace::{AccessKind, Event, Piece, Step, Trace};

const MOST_GROUPS: usize = 32;
const MOST_BANKS: u64 = 64;
const MOST_REQUESTS: u64 = 65_536;
/// Pixels: room beside the cells that notes need, and below them.
const LEAST_NOTE: f64 = 260.0;
const BELOW: f64 = 110.0;

/// Requests by address group and bank.
type RequestCounts = BTreeMap<u64, BTreeMap<u64, u64>>;

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
    let step = step_of(trace, number, name)?;
    let width = machine.width.get();
    let words = requests(step, width).map_err(|why| {
        ChartError::Data(match why {
            Undrawable::Empty => format!("{name}: no thread asks for anything in step {number}"),
            Undrawable::TooLarge => format!(
                "{name}: step {number} is too large to draw: at most {MOST_BANKS} banks (-w) and \
                 {MOST_GROUPS} address groups"
            ),
        })
    })?;
    let mut scene = Scene::on(canvas);
    let (kind, rule) = (machine.kind.name(), machine.kind.rule());
    let verb = match step.kind {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
    };
    let caption =
        format!("{name}, step {number}: {verb}  {kind}  w = {width}  p = {}", trace.threads);
    let top = head(&mut scene, title.unwrap_or("One access step"), &caption);
    let cells = CellGrid::place(&scene, &words, width, top);
    cells.draw(&mut scene, &words);
    let requests = match largest(&words) {
        1 => "1 request".to_owned(),
        many => format!("{} requests", plain(many as f64)),
    };
    let notes = [
        format!("stages of the warps: {}", stages(machine, step).join(", ")),
        format!("a warp takes {rule}"),
        format!("coloured: requested words; at most {requests} for one word"),
    ];
    cells.annotate(&mut scene, &notes);
    Ok(scene)
}

fn step_of<'a>(trace: &'a Trace, number: usize, name: &str) -> Result<&'a Step, ChartError> {
    let steps = trace.events.iter().filter_map(|event| match event {
        Event::Step(step) => Some(step),
        _ => None,
    });
    let steps: Vec<&Step> = steps.collect();
    let step = number.checked_sub(1).and_then(|index| steps.get(index).copied());
    step.ok_or_else(|| {
        ChartError::Data(format!(
            "{name}: there is no step {number}; the trace has steps 1 to {} (--step)",
            steps.len()
        ))
    })
}

/// Why a step has no picture.
enum Undrawable {
    Empty,
    TooLarge,
}

fn requests(step: &Step, width: u64) -> Result<RequestCounts, Undrawable> {
    let runs = || {
        step.pieces.iter().filter_map(|piece| match piece {
            Piece::Run(run) => Some(run),
            Piece::Idle(_) => None,
        })
    };
    let all: u64 = runs().map(|run| run.count).sum();
    if all == 0 {
        return Err(Undrawable::Empty);
    }
    if width > MOST_BANKS || all > MOST_REQUESTS {
        return Err(Undrawable::TooLarge);
    }
    let mut words = RequestCounts::new();
    for address in runs().flat_map(|run| (0..run.count).map(|index| run.at(index).0)) {
        let group = words.entry(address / width).or_default();
        *group.entry(address % width).or_default() += 1;
    }
    if words.len() > MOST_GROUPS { Err(Undrawable::TooLarge) } else { Ok(words) }
}

fn largest(words: &RequestCounts) -> u64 {
    words.values().flat_map(BTreeMap::values).copied().max().unwrap_or(1)
}

/// The stages that each warp takes, in words; of many warps the first.
fn stages(machine: Machine, step: &Step) -> Vec<String> {
    let mut stages = vec![];
    StageCounter::new(machine).visit(step, |warps| {
        stages.extend((0..warps.count).map(|i| format!("W({}) {}", warps.first + i, warps.stages)));
    });
    if stages.len() > 16 {
        stages.truncate(15);
        stages.push("…".to_owned());
    }
    stages
}

/// Where the cells lie, in pixels: `side` each, the first at (`left`, `above`).
struct CellGrid {
    names: Vec<String>,
    width: u64,
    top: f64,
    left: f64,
    above: f64,
    side: f64,
}

impl CellGrid {
    fn place(scene: &Scene, words: &RequestCounts, width: u64, top: f64) -> Self {
        let names: Vec<String> = words.keys().map(|group| format!("A[{group}]")).collect();
        let label = names.iter().map(|it| text_width(it, TEXT)).fold(0.0, f64::max);
        let (left, above) = (MARGIN + label.max(110.0) + 10.0, top + 64.0);
        let side = ((scene.width() - MARGIN - left) / width as f64)
            .min((scene.height() - BELOW - above) / names.len() as f64)
            .min(56.0);
        Self { names, width, top, left, above, side }
    }

    fn draw(&self, scene: &mut Scene, words: &RequestCounts) {
        let (theme, side) = (scene.theme, self.side);
        let size = TEXT.min(0.5 * side);
        scene.text("address group", (MARGIN, self.top + 40.0), TEXT, theme.ink(), HPos::Left);
        let banks = (self.left, self.top + 16.0);
        scene.text("bank (address mod w)", banks, TEXT, theme.ink(), HPos::Left);
        let every = if side < 22.0 { 4 } else { 1 };
        for bank in (0..self.width).step_by(every) {
            let at = (self.left + (bank as f64 + 0.5) * side, self.top + 48.0);
            scene.text(&bank.to_string(), at, size.max(11.0), theme.muted(), HPos::Center);
        }
        let largest = largest(words) as f64;
        for (row, (group, cells)) in words.iter().enumerate() {
            let y = self.above + row as f64 * side;
            let place = (self.left - 10.0, y + side / 2.0);
            scene.text(&self.names[row], place, TEXT.min(0.8 * side), theme.muted(), HPos::Right);
            for bank in 0..self.width {
                let x = self.left + bank as f64 * side;
                let count = cells.get(&bank).copied().unwrap_or(0);
                let part = 0.35 + 0.65 * count as f64 / largest;
                let colour =
                    if count == 0 { theme.grid() } else { theme.tint(theme.series(0), part) };
                scene.rectangle((x + 1.0, y + 1.0), (x + side - 1.0, y + side - 1.0), colour);
                if count > 0 && side >= 30.0 {
                    let text = (group * self.width + bank).to_string();
                    let size = size.min(size * 0.9 * side / text_width(&text, size));
                    let middle = (x + side / 2.0, y + side / 2.0);
                    scene.text(&text, middle, size, Theme::on(colour), HPos::Center);
                }
            }
        }
    }

    /// Notes beside the cells if there is room, else below them.
    fn annotate(&self, scene: &mut Scene, notes: &[String]) {
        let right = self.left + self.width as f64 * self.side + 40.0;
        let below = self.above + self.names.len() as f64 * self.side + 24.0;
        let mut place = if scene.width() - MARGIN - right >= LEAST_NOTE {
            (right, self.above + self.side / 2.0)
        } else {
            (MARGIN, below)
        };
        let room = scene.width() - MARGIN - place.0;
        let ink = scene.theme.ink();
        for note in notes {
            place.1 = scene.paragraph(note, place, TEXT, ink, room) + 6.0;
        }
    }
}
