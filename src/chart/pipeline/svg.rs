//! The picture for a slide.

use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::axis::{Cell, Column, Panel, cells, panels};
use super::labels::requests;
use super::text::{labels, widest};
use super::{notes, sums, title};
use crate::chart::{ChartError, LABEL_SIZE, TITLE_SIZE, palette, picture};
use crate::machine::{Mode, Pipeline, WarpAccess};

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
const GRID: RGBColor = RGBColor(222, 222, 222);
const QUIET: RGBColor = RGBColor(90, 90, 90);

/// Pixels.
const MARGIN: i32 = 28;
const TITLE_HEIGHT: i32 = 44;
const AXIS_HEIGHT: i32 = 30;
const ROW: i32 = 28;
/// Between accesses, and between panels.
const GAP: i32 = 6;
const PANEL_GAP: i32 = 26;
const LINE: i32 = 25;
const SMALL_SIZE: f64 = 15.0;
/// A generous estimate of a character's width, in parts of the font size.
const CHARACTER: f64 = 0.58;

/// The picture as SVG: the pipeline stage of each stage's requests in each time unit, in the
/// colour of their warp, with the machine above and the total time below.
///
/// # Errors
/// [`ChartError::Drawing`] if the backend fails.
pub fn svg(pipeline: &Pipeline) -> Result<String, ChartError> {
    let page = Page::new(pipeline);
    picture(page.size, |root| page.draw(root))
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

struct Page<'a> {
    pipeline: &'a Pipeline,
    panels: Vec<Panel<'a>>,
    labels: Vec<Vec<(String, String)>>,
    captions: Vec<String>,
    notes: Vec<String>,
    /// Left edges of the columns of text and of the first time unit.
    requests: i32,
    target: i32,
    addresses: i32,
    grid: i32,
    cell: i32,
    size: (u32, u32),
}

fn pixels(characters: usize, size: f64) -> i32 {
    (characters as f64 * size * CHARACTER).ceil() as i32
}

impl<'a> Page<'a> {
    fn new(pipeline: &'a Pipeline) -> Self {
        let (panels, labels) = (panels(pipeline), labels(pipeline));
        let captions = sums(pipeline);
        let mut notes = notes(pipeline);
        let is_async = pipeline.mode == Mode::Async;
        if is_async && pipeline.accesses.iter().any(|access| access.after_barrier) {
            notes.push("a thick line is a barrier".to_owned());
        }
        let column = |left: i32, characters: usize| left + pixels(characters, SMALL_SIZE) + 14;
        let warp = widest(pipeline.accesses.iter().map(warp).collect::<Vec<_>>().iter());
        let requests = widest(pipeline.accesses.iter().map(requests).collect::<Vec<_>>().iter());
        let requests_at = MARGIN + pixels(warp, LABEL_SIZE) + 12;
        let target = column(requests_at, requests);
        let words = labels.iter().flatten();
        let addresses = column(target, widest(words.clone().map(|(it, _)| it)).max(6));
        let heads = "addresses  time unit".len();
        let grid = column(addresses, widest(words.map(|(_, it)| it)).max(heads));
        let digits = pipeline.time.0.to_string().len();
        let cell = (pixels(digits, SMALL_SIZE) + 10).max(ROW + 2);

        let columns = panels.iter().map(|panel| panel.columns.len()).max().unwrap_or(0);
        let words = captions.iter().map(|it| pixels(it.chars().count(), LABEL_SIZE));
        let words = words.chain(notes.iter().map(|it| pixels(it.chars().count(), SMALL_SIZE)));
        let words = words.chain([pixels(title(pipeline).join(", ").chars().count(), TITLE_SIZE)]);
        let width = (grid + cell * columns as i32).max(MARGIN + words.max().unwrap_or(0)) + MARGIN;
        let mut page = Self {
            pipeline,
            panels,
            labels,
            captions,
            notes,
            requests: requests_at,
            target,
            addresses,
            grid,
            cell,
            size: (0, 0),
        };
        let panels: i32 = page.panels.iter().map(|panel| page.height(panel)).sum();
        let lines = (page.captions.len() + page.notes.len()) as i32;
        let height = MARGIN + TITLE_HEIGHT + panels + LINE * lines + MARGIN;
        page.size = (width.cast_unsigned(), height.cast_unsigned());
        page
    }

    fn height(&self, panel: &Panel) -> i32 {
        let rows: usize = panel.accesses.iter().map(|access| access.stages.len()).sum();
        let barriers = panel.accesses.iter().filter(|access| self.barrier_before(access)).count();
        AXIS_HEIGHT
            + ROW * rows as i32
            + GAP * (panel.accesses.len() + 2 * barriers) as i32
            + PANEL_GAP
    }

    fn barrier_before(&self, access: &WarpAccess) -> bool {
        access.after_barrier && self.pipeline.mode == Mode::Async
    }

    fn draw<'b>(&self, root: &Area<'b>) -> Result<(), Box<dyn Error + 'b>> {
        let centre = self.size.0.cast_signed() / 2;
        let place = (centre, MARGIN + TITLE_HEIGHT / 2 - 8);
        let font = ("sans-serif", TITLE_SIZE).into_font();
        let centred = Pos::new(HPos::Center, VPos::Center);
        root.draw(&Text::new(
            title(self.pipeline).join(", "),
            place,
            font.color(&BLACK).pos(centred),
        ))?;

        let mut top = MARGIN + TITLE_HEIGHT;
        let mut labels = self.labels.iter();
        for panel in &self.panels {
            self.draw_panel(root, panel, top, &mut labels)?;
            top += self.height(panel);
        }
        for line in &self.captions {
            write(root, line, (MARGIN, top + LINE / 2), LABEL_SIZE, BLACK, HPos::Left)?;
            top += LINE;
        }
        for line in &self.notes {
            write(root, line, (MARGIN, top + LINE / 2), SMALL_SIZE, QUIET, HPos::Left)?;
            top += LINE;
        }
        Ok(())
    }

    fn draw_panel<'b>(
        &self,
        root: &Area<'b>,
        panel: &Panel,
        top: i32,
        labels: &mut std::slice::Iter<'_, Vec<(String, String)>>,
    ) -> Result<(), Box<dyn Error + 'b>> {
        let right = self.grid + self.cell * panel.columns.len() as i32;
        let bottom = top + self.height(panel) - PANEL_GAP;
        let axis = top + AXIS_HEIGHT / 2;
        let target = self.pipeline.machine.kind.destination();
        write(root, target, (self.target, axis), SMALL_SIZE, QUIET, HPos::Left)?;
        write(root, "addresses", (self.addresses, axis), SMALL_SIZE, QUIET, HPos::Left)?;
        write(root, "time unit", (self.grid - 14, axis), SMALL_SIZE, QUIET, HPos::Right)?;
        for (left, column) in (self.grid..).step_by(self.cell as usize).zip(&panel.columns) {
            let text = match column {
                Column::Unit(unit) => unit.to_string(),
                Column::Skipped => "…".to_owned(),
            };
            write(root, &text, (left + self.cell / 2, axis), SMALL_SIZE, QUIET, HPos::Center)?;
            line(root, (left, top + AXIS_HEIGHT), (left, bottom), GRID, 1)?;
        }
        line(root, (right, top + AXIS_HEIGHT), (right, bottom), GRID, 1)?;

        let mut y = top + AXIS_HEIGHT;
        for access in panel.accesses {
            if self.barrier_before(access) {
                line(root, (MARGIN, y + GAP), (right, y + GAP), palette::BLACK, 2)?;
                y += 2 * GAP;
            } else {
                line(root, (MARGIN, y), (right, y), GRID, 1)?;
            }
            y += GAP / 2;
            let middle = y + ROW / 2;
            let bold = ("sans-serif", LABEL_SIZE).into_font().style(FontStyle::Bold);
            let bold = bold.color(&BLACK).pos(Pos::new(HPos::Left, VPos::Center));
            root.draw(&Text::new(warp(access), (MARGIN, middle), bold))?;
            let text = requests(access);
            write(root, &text, (self.requests, middle), SMALL_SIZE, BLACK, HPos::Left)?;
            for (row, entered) in labels.next().into_iter().flatten().zip(access.start.0 + 1..) {
                self.draw_row(root, panel, access.warp, row, entered, y)?;
                y += ROW;
            }
            y += GAP - GAP / 2;
        }
        line(root, (MARGIN, bottom), (right, bottom), GRID, 1)?;
        Ok(())
    }

    fn draw_row<'b>(
        &self,
        root: &Area<'b>,
        panel: &Panel,
        warp: u64,
        (target, addresses): &(String, String),
        entered: u128,
        top: i32,
    ) -> Result<(), Box<dyn Error + 'b>> {
        let middle = top + ROW / 2;
        write(root, target, (self.target, middle), SMALL_SIZE, BLACK, HPos::Left)?;
        write(root, addresses, (self.addresses, middle), SMALL_SIZE, BLACK, HPos::Left)?;
        let colour = COLOURS[(warp % COLOURS.len() as u64) as usize];
        let ink = if colour == palette::BLUE { WHITE } else { BLACK };
        let latency = self.pipeline.machine.latency.get().into();
        let cells = cells(&panel.columns, entered, latency);
        for (left, cell) in (self.grid..).step_by(self.cell as usize).zip(cells) {
            let text = match cell {
                Cell::Outside => continue,
                Cell::Stage(stage) => stage.to_string(),
                Cell::Moving => "…".to_owned(),
            };
            let corners = [(left + 1, top + 1), (left + self.cell - 1, top + ROW - 1)];
            root.draw(&Rectangle::new(corners, colour.filled()))?;
            write(root, &text, (left + self.cell / 2, middle), SMALL_SIZE, ink, HPos::Center)?;
        }
        Ok(())
    }
}

fn warp(access: &WarpAccess) -> String {
    format!("W({})", access.warp)
}

fn line<'b>(
    root: &Area<'b>,
    from: (i32, i32),
    to: (i32, i32),
    colour: RGBColor,
    width: u32,
) -> Result<(), Box<dyn Error + 'b>> {
    Ok(root.draw(&PathElement::new([from, to], colour.stroke_width(width)))?)
}

fn write<'b>(
    root: &Area<'b>,
    text: &str,
    place: (i32, i32),
    size: f64,
    colour: RGBColor,
    side: HPos,
) -> Result<(), Box<dyn Error + 'b>> {
    let font = ("sans-serif", size).into_font().color(&colour).pos(Pos::new(side, VPos::Center));
    Ok(root.draw(&Text::new(text, place, font))?)
}
