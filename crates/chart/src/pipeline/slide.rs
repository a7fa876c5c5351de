//! The picture for a slide.

use plotters::style::text_anchor::HPos;
use plotters::style::{BLACK, RGBColor, WHITE};

use super::axis::{Cell, Column, Panel, cells, panels};
use super::labels::{pipeline as whose, requests, stages, warp};
use super::{Picture, notes, sums, title};
use crate::letters::text_width;
use crate::palette;
use crate::scene::Scene;
use crate::theme::Theme;
use memory_machine_core::machine::{Mode, WarpAccess};

/// By warp, in turn.
const COLOURS: [RGBColor; 7] = [
    palette::SKY_BLUE,
    palette::ORANGE,
    palette::GREEN,
    palette::YELLOW,
    palette::PURPLE,
    palette::VERMILLION,
    palette::BLUE,
];

/// Pixels.
const MARGIN: f64 = 28.0;
const TITLE_HEIGHT: f64 = 44.0;
const AXIS_HEIGHT: f64 = 30.0;
const ROW: f64 = 26.0;
/// Between accesses, and between panels.
const GAP: f64 = 6.0;
const PANEL_GAP: f64 = 26.0;
/// Between columns of text.
const SPACE: f64 = 14.0;
const LINE: f64 = 24.0;
const TITLE_SIZE: f64 = 19.0;
const LABEL_SIZE: f64 = 16.0;
const SMALL_SIZE: f64 = 16.0;

/// The picture: the pipeline stage of each stage's requests in each time unit, in the colour of
/// their warp, with the machine above and the total time below.
///
/// As wide as 16:9 at least, and as tall.
pub fn scene<'a>(picture: impl Into<Picture<'a>>, theme: Theme) -> Scene {
    let picture = picture.into();
    let page = SlidePage::new(&picture, theme);
    let (width, height) = page.size;
    let mut scene = Scene::new((width.ceil() as u32, height.ceil() as u32), theme);
    page.draw(&mut scene);
    scene
}

/// Width over height of a slide.
const SLIDE: f64 = 16.0 / 9.0;

struct SlidePage<'a> {
    picture: &'a Picture<'a>,
    theme: Theme,
    panels: Vec<Panel<'a>>,
    captions: Vec<String>,
    notes: Vec<String>,
    /// Left edges of the columns of text and of the first time unit.
    requests: f64,
    target: f64,
    addresses: f64,
    grid: f64,
    cell: f64,
    size: (f64, f64),
}

fn widest(texts: impl IntoIterator<Item = impl AsRef<str>>, size: f64) -> f64 {
    texts.into_iter().map(|it| text_width(it.as_ref(), size)).fold(0.0, f64::max)
}

impl<'a> SlidePage<'a> {
    fn new(picture: &'a Picture<'a>, theme: Theme) -> Self {
        let pipeline = picture.pipeline;
        let (panels, accesses) = (panels(pipeline), &pipeline.accesses);
        let labels: Vec<(String, String)> =
            accesses.iter().flat_map(|it| stages(picture, it)).collect();
        let captions = sums(picture);
        let mut notes = notes(picture);
        let is_async = pipeline.mode == Mode::Async;
        if is_async && pipeline.accesses.iter().any(|access| access.after_barrier) {
            notes.push("a thick line is a barrier".to_owned());
        }
        let requests_at = MARGIN + widest(accesses.iter().map(warp), LABEL_SIZE) + SPACE;
        let target = requests_at
            + widest(accesses.iter().map(|it| requests(picture, it)), SMALL_SIZE)
            + SPACE;
        let words = labels.iter();
        let targets = words.clone().map(|(it, _)| it.as_str()).chain(["group", "banks"]);
        let addresses = target + widest(targets, SMALL_SIZE) + SPACE;
        let heads = ["addresses  time unit"];
        let grid =
            addresses + widest(words.map(|(_, it)| it.as_str()).chain(heads), SMALL_SIZE) + SPACE;
        let last = text_width(&pipeline.time.0.to_string(), SMALL_SIZE);
        let cell = (last + 10.0).max(ROW + 2.0).ceil();

        let columns = panels.iter().map(|panel| panel.columns.len()).max().unwrap_or(0);
        let words = widest(&captions, LABEL_SIZE)
            .max(widest(&notes, SMALL_SIZE))
            .max(text_width(&title(picture).join(", "), TITLE_SIZE));
        let width = (grid + cell * columns as f64).max(MARGIN + words) + MARGIN;
        let mut page = Self {
            picture,
            theme,
            panels,
            captions,
            notes,
            requests: requests_at,
            target,
            addresses,
            grid,
            cell,
            size: (width, 0.0),
        };
        let panels: f64 = page.panels.iter().map(|panel| page.height(panel)).sum();
        let lines = (page.captions.len() + page.notes.len()) as f64;
        let height = MARGIN + TITLE_HEIGHT + panels + LINE * lines + MARGIN;
        page.size = (page.size.0.max(height * SLIDE), height.max(page.size.0 / SLIDE));
        page
    }

    fn height(&self, panel: &Panel) -> f64 {
        let rows: usize = panel.accesses.iter().map(|access| access.stages.len()).sum();
        let barriers = panel.accesses.iter().filter(|access| self.barrier_before(access)).count();
        let memories = panel.accesses.chunk_by(|a, b| a.dmm() == b.dmm()).count();
        let heads = self.heads(panel).filter(Option::is_some).count();
        AXIS_HEIGHT
            + ROW * (rows + heads) as f64
            + if self.picture.pipeline.has_blocks() { ROW * memories as f64 } else { 0.0 }
            + GAP * (panel.accesses.len() + 2 * barriers) as f64
            + PANEL_GAP
    }

    /// By access, what stands above it.
    fn heads(&self, panel: &Panel) -> impl Iterator<Item = Option<String>> {
        let before = panel.accesses.iter().map(|it| Some(*it));
        let before = std::iter::once(None).chain(before);
        before.zip(&panel.accesses).map(|(before, it)| self.picture.head(before, it))
    }

    fn barrier_before(&self, access: &WarpAccess) -> bool {
        access.after_barrier && self.picture.pipeline.mode == Mode::Async
    }

    /// Left edges of the time units.
    fn lefts(&self) -> impl Iterator<Item = f64> {
        (0_u32..).map(|column| self.grid + self.cell * f64::from(column))
    }

    fn draw(&self, scene: &mut Scene) {
        let place = (self.size.0 / 2.0, MARGIN + TITLE_HEIGHT / 2.0 - 8.0);
        let title = title(self.picture).join(", ");
        scene.describe(&title, &self.captions.join(". "));
        scene.text(&title, place, TITLE_SIZE, self.theme.ink(), HPos::Center);

        let mut top = MARGIN + TITLE_HEIGHT;
        for (index, panel) in self.panels.iter().enumerate() {
            self.draw_panel(scene, panel, top, index == 0);
            top += self.height(panel);
        }
        let captions = self.captions.iter().map(|line| (line, LABEL_SIZE, self.theme.ink()));
        let notes = self.notes.iter().map(|line| (line, SMALL_SIZE, self.theme.muted()));
        for (line, size, colour) in captions.chain(notes) {
            scene.text(line, (MARGIN, top + LINE / 2.0), size, colour, HPos::Left);
            top += LINE;
        }
    }

    /// The first panel has the heads of the columns.
    fn draw_panel(&self, scene: &mut Scene, panel: &Panel, top: f64, is_first: bool) {
        let (ink, quiet, grid) = (self.theme.ink(), self.theme.muted(), self.theme.grid());
        let right = self.grid + self.cell * panel.columns.len() as f64;
        let bottom = top + self.height(panel) - PANEL_GAP;
        let axis = top + AXIS_HEIGHT / 2.0;
        let target = self.picture.pipeline.machine.kind.destination();
        if is_first {
            let what = if self.picture.listing.is_some() || self.picture.source.is_some() {
                "elements"
            } else {
                "addresses"
            };
            scene.text(target, (self.target, axis), SMALL_SIZE, quiet, HPos::Left);
            scene.text(what, (self.addresses, axis), SMALL_SIZE, quiet, HPos::Left);
        }
        scene.text("time unit", (self.grid - SPACE, axis), SMALL_SIZE, quiet, HPos::Right);
        for (left, column) in self.lefts().zip(&panel.columns) {
            let text = match column {
                Column::Unit(unit) => unit.to_string(),
                Column::Skipped => "…".to_owned(),
            };
            let centre = (left + self.cell / 2.0, axis);
            scene.text(&text, centre, SMALL_SIZE, quiet, HPos::Center);
            scene.line(vec![(left, top + AXIS_HEIGHT), (left, bottom)], grid, 1.0);
        }
        scene.line(vec![(right, top + AXIS_HEIGHT), (right, bottom)], grid, 1.0);

        let mut y = top + AXIS_HEIGHT;
        let mut last = None;
        for (&access, head) in panel.accesses.iter().zip(self.heads(panel)) {
            if self.picture.pipeline.has_blocks()
                && last.replace(access.dmm()) != Some(access.dmm())
            {
                let place = (MARGIN, y + ROW / 2.0);
                scene.text(&whose(access), place, LABEL_SIZE, quiet, HPos::Left);
                y += ROW;
            }
            if self.barrier_before(access) {
                let barrier = vec![(MARGIN, y + GAP), (right, y + GAP)];
                scene.line(barrier, ink, 2.0);
                y += 2.0 * GAP;
            } else {
                scene.line(vec![(MARGIN, y), (right, y)], grid, 1.0);
            }
            if let Some(head) = head {
                scene.text(&head, (MARGIN, y + ROW / 2.0), LABEL_SIZE, ink, HPos::Left);
                y += ROW;
            }
            y += GAP / 2.0;
            let middle = y + ROW / 2.0;
            scene.text(&warp(access), (MARGIN, middle), LABEL_SIZE, ink, HPos::Left);
            let place = (self.requests, middle);
            scene.text(&requests(self.picture, access), place, SMALL_SIZE, ink, HPos::Left);
            for (row, entered) in stages(self.picture, access).iter().zip(access.start.0 + 1..) {
                self.draw_row(scene, panel, access, row, entered, y);
                y += ROW;
            }
            y += GAP / 2.0;
        }
        scene.line(vec![(MARGIN, bottom), (right, bottom)], grid, 1.0);
    }

    fn draw_row(
        &self,
        scene: &mut Scene,
        panel: &Panel,
        access: &WarpAccess,
        (target, addresses): &(String, String),
        entered: u128,
        top: f64,
    ) {
        let middle = top + ROW / 2.0;
        scene.text(target, (self.target, middle), SMALL_SIZE, self.theme.ink(), HPos::Left);
        scene.text(addresses, (self.addresses, middle), SMALL_SIZE, self.theme.ink(), HPos::Left);
        // Of a block all warps, if there are blocks.
        let turn = access.block.map_or(access.warp, |it| it.at.block);
        let colour = COLOURS[(turn % COLOURS.len() as u64) as usize];
        let ink = if colour == palette::BLUE { WHITE } else { BLACK };
        let latency = access.memory.latency.get().into();
        for (left, cell) in self.lefts().zip(cells(&panel.columns, entered, latency)) {
            let text = match cell {
                Cell::Outside => continue,
                Cell::Stage(stage) => stage.to_string(),
                Cell::Moving => "…".to_owned(),
            };
            let (from, to) = ((left + 1.0, top + 1.0), (left + self.cell - 1.0, top + ROW - 1.0));
            scene.rectangle(from, to, colour);
            scene.text(&text, (left + self.cell / 2.0, middle), SMALL_SIZE, ink, HPos::Center);
        }
    }
}
