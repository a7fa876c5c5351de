//! The words that warps access, access by access, of several listings side by side.

use std::collections::BTreeSet;
use std::sync::Arc;

use plotters::style::text_anchor::HPos;

use super::ChartError;
use super::curves::{MARGIN, TEXT, head};
use super::letters::{lines, text_width};
use super::number::plain;
use super::scene::Scene;
use super::theme::Canvas;
use memory_machine_core::language::program::Program;
use memory_machine_core::machine::{Machine, StageCounter};
use memory_machine_core::run::layout::Layout;
use memory_machine_core::trace::{AccessKind, BlockAt, Phase, Piece, Sink, Space, Step};
use memory_machine_core::units::Threads;

/// Stages that are kept of each listing; the others are only counted.
const MOST_STAGES: u64 = 96;
/// Words side by side.
const MOST_WORDS: u64 = 2048;

/// What one warp asks for at once.
#[derive(Debug, Clone)]
struct WarpAccess {
    kind: AccessKind,
    space: Space,
    words: BTreeSet<u64>,
    stages: u64,
}

/// The accesses of warps as a run makes them, the first of them in full. Of a loop on DMMs the first
/// block's.
#[derive(Debug, Clone)]
pub struct WarpAccesses {
    width: usize,
    global: StageCounter,
    shared: StageCounter,
    accesses: Vec<WarpAccess>,
    stages: u64,
    has_blocks: bool,
}

impl WarpAccesses {
    /// Of a run on this machine; none yet.
    pub fn new(machine: Machine) -> Self {
        let of = |space| StageCounter::new(machine.of_memory(space));
        Self {
            width: machine.width.get() as usize,
            global: of(Space::Global),
            shared: of(Space::Shared),
            accesses: vec![],
            stages: 0,
            has_blocks: false,
        }
    }

    /// Words of shared memory up to the last group that is drawn.
    fn shared_words(&self) -> u64 {
        let shared = self.accesses.iter().filter(|it| it.space == Space::Shared);
        let last = shared.filter_map(|it| it.words.last()).max();
        last.map_or(0, |it| (it + 1).next_multiple_of(self.width as u64))
    }

    fn add(&mut self, space: Space, step: &Step) {
        let counter = match space {
            Space::Global => &mut self.global,
            Space::Shared => &mut self.shared,
        };
        let mut stages = vec![];
        counter.visit(step, |warps| stages.extend((0..warps.count).map(|_| warps.stages)));
        let kept = self.stages < MOST_STAGES;
        self.stages += stages.iter().sum::<u64>();
        if !kept {
            return;
        }
        let threads: Vec<Option<u64>> = step
            .pieces
            .iter()
            .flat_map(|piece| -> Box<dyn Iterator<Item = Option<u64>>> {
                match *piece {
                    Piece::Run(run) => Box::new((0..run.count).map(move |it| Some(run.at(it).0))),
                    Piece::Idle(idle) => Box::new((0..idle).map(|_| None)),
                }
            })
            .collect();
        let words = |warp: &[Option<u64>]| -> BTreeSet<u64> {
            warp.iter().flatten().flat_map(|&first| first..first + step.words).collect()
        };
        let active = threads.chunks(self.width).map(words).filter(|it| !it.is_empty());
        let of = |(words, stages)| WarpAccess { kind: step.kind, space, words, stages };
        self.accesses.extend(active.zip(stages).map(of));
    }
}

impl Sink for WarpAccesses {
    fn step(&mut self, _phase: Phase, step: &Step) {
        self.add(Space::Global, step);
    }

    fn barrier(&mut self) {}

    fn begin_blocks(&mut self, _threads: Threads) {
        self.has_blocks = true;
    }

    fn block_step(&mut self, at: BlockAt, _phase: Phase, space: Space, step: &Step) {
        if at.block == 0 {
            self.add(space, step);
        }
    }

    fn block_barrier(&mut self, _at: BlockAt) {}

    fn end_blocks(&mut self) {}
}

/// One listing of a picture.
#[derive(Debug)]
pub struct AccessPanel {
    /// What it is, above it.
    pub heading: String,
    /// Its arrays.
    pub program: Arc<Program>,
    /// Where they lie.
    pub layout: Layout,
    /// What its warps access.
    pub accesses: WarpAccesses,
}

/// Consecutive words under one name.
struct Strip<'a> {
    space: Space,
    name: &'a str,
    base: u64,
    words: u64,
    /// Pixels.
    left: f64,
}

/// Pixels: between strips, between panels, below them, and the widest word.
const GAP: f64 = 14.0;
const APART: f64 = 36.0;
const BELOW: f64 = 88.0;
const WIDEST: f64 = 18.0;
const SMALL: f64 = 13.0;

/// Listings side by side, each with the accesses of its warps from top to bottom: a column for each
/// word of memory, a row for each access, as high as it takes stages. All have one scale, so that what
/// takes less time is shorter; of a long run the first stages are drawn.
///
/// # Errors
/// [`ChartError::Data`] if there are more words than can be seen.
pub fn warp_accesses(
    panels: &[AccessPanel],
    title: &str,
    caption: &str,
    canvas: Canvas,
) -> Result<Scene, ChartError> {
    let mut scene = Scene::on(canvas);
    let top = head(&mut scene, title, caption) + 8.0;
    let all = panels.len().max(1) as f64;
    let room = (scene.width() - 2.0 * MARGIN - (all - 1.0) * APART) / all;
    let longest = panels.iter().map(|it| it.accesses.stages).max().unwrap_or(1);
    let deepest = panels.iter().map(|it| heading(it, room).len()).max().unwrap_or(1);
    let above = top + deepest as f64 * 1.25 * TEXT + 36.0;
    let unit = (scene.height() - BELOW - above) / longest.clamp(1, MOST_STAGES) as f64;
    for (index, panel) in panels.iter().enumerate() {
        let left = MARGIN + index as f64 * (room + APART);
        for (row, line) in heading(panel, room).iter().enumerate() {
            let place = (left, top + 8.0 + row as f64 * 1.25 * TEXT);
            scene.text(line, place, TEXT, scene.theme.ink(), HPos::Left);
        }
        let (strips, word) = strips(panel, left, room)?;
        draw(&mut scene, panel, (&strips, word), above, unit);
    }
    legend(&mut scene);
    Ok(scene)
}

fn heading(panel: &AccessPanel, room: f64) -> Vec<String> {
    let stages = match panel.accesses.stages {
        1 => "1 stage".to_owned(),
        many => format!("{} stages", plain(many as f64)),
    };
    let of = if panel.accesses.has_blocks { ", on DMMs those of the first block" } else { "" };
    lines(&format!("{}  {stages}{of}", panel.heading.replace('`', "")), TEXT, room)
}

/// The strips of a panel from `left` on, and pixels for a word: as many as there is room for.
fn strips(panel: &AccessPanel, left: f64, room: f64) -> Result<(Vec<Strip<'_>>, f64), ChartError> {
    let AccessPanel { program, layout, .. } = panel;
    let copies = layout.bulk.map_or(1, |it| it.inputs);
    let global = program.global_arrays().zip(&layout.regions).map(|(array, region)| {
        (Space::Global, array.name.as_str(), region.base.0, region.words * copies)
    });
    let shared = panel.accesses.shared_words();
    let shared = (shared > 0).then_some((Space::Shared, "shared memory", 0, shared));
    let all: Vec<_> = global.chain(shared).collect();
    let words: u64 = all.iter().map(|it| it.3).sum();
    if words > MOST_WORDS {
        return Err(ChartError::Data(format!(
            "{words} words of memory; at most {MOST_WORDS} can be drawn: choose smaller sizes (--set)"
        )));
    }
    let wide =
        |name: &str, words: u64, word: f64| (words as f64 * word).max(text_width(name, SMALL));
    let width = |word: f64| -> f64 { all.iter().map(|it| wide(it.1, it.3, word) + GAP).sum() };
    let mut word = WIDEST;
    while width(word) > room && word > 0.1 {
        word *= 0.98;
    }
    let mut at = left;
    let strips = all.into_iter().map(|(space, name, base, words)| {
        let strip = Strip { space, name, base, words, left: at };
        at += wide(name, words, word) + GAP;
        strip
    });
    Ok((strips.collect(), word))
}

/// The accesses of a panel below `top`, a stage `unit` pixels high.
fn draw(
    scene: &mut Scene,
    panel: &AccessPanel,
    (strips, word): (&[Strip<'_>], f64),
    top: f64,
    unit: f64,
) {
    let theme = scene.theme;
    let accesses = &panel.accesses;
    let bottom = top + accesses.stages.min(MOST_STAGES) as f64 * unit;
    for strip in strips {
        let right = strip.left + strip.words as f64 * word;
        scene.text(strip.name, (strip.left, top - 14.0), SMALL, theme.muted(), HPos::Left);
        scene.rectangle((strip.left, top), (right, bottom), theme.tint(theme.grid(), 0.5));
        let borders = (0..=strip.words).step_by(accesses.width);
        let border = |at: u64| strip.left + at as f64 * word;
        let lines = borders.map(|at| [(border(at), top), (border(at), bottom)]);
        scene.segments(lines.collect(), theme.grid(), 1.0);
    }
    let mut y = top;
    for access in &accesses.accesses {
        let below = (y + access.stages as f64 * unit).min(bottom);
        let colour = theme.series(look(access.kind).0);
        for &address in &access.words {
            let of = |it: &&Strip<'_>| {
                it.space == access.space && (it.base..it.base + it.words).contains(&address)
            };
            let Some(strip) = strips.iter().find(of) else { continue };
            let x = strip.left + (address - strip.base) as f64 * word;
            let gap = if word > 3.0 { 0.5 } else { 0.0 };
            scene.rectangle((x + gap, y), (x + word - gap, below - gap), colour);
        }
        y = below;
        if y >= bottom {
            break;
        }
    }
    if accesses.stages > MOST_STAGES {
        let more = format!("and {} stages more", plain((accesses.stages - MOST_STAGES) as f64));
        scene.text(&more, (strips[0].left, bottom + 14.0), SMALL, theme.muted(), HPos::Left);
    }
}

/// Colour and words of an access.
const fn look(kind: AccessKind) -> (usize, &'static str) {
    match kind {
        AccessKind::Read => (0, "read"),
        AccessKind::Write => (2, "written"),
    }
}

fn legend(scene: &mut Scene) {
    let theme = scene.theme;
    let (mut x, y) = (MARGIN, scene.height() - 38.0);
    for (index, word) in [AccessKind::Read, AccessKind::Write].map(look) {
        scene.rectangle((x, y - 7.0), (x + 14.0, y + 7.0), theme.series(index));
        scene.text(word, (x + 22.0, y), TEXT, theme.ink(), HPos::Left);
        x += 22.0 + text_width(word, TEXT) + 28.0;
    }
    let how = "down: accesses of warps, as high as they take stages; across: words, a line between address groups";
    scene.paragraph(how, (x, y), SMALL, theme.muted(), scene.width() - MARGIN - x);
}
