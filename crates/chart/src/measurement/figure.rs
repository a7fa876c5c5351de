//! A chart of measurements with its title and sentences.

use crate::ChartError;
use crate::compare::ChartStyle;
use crate::curves::{self, Panel};
use crate::heat::Heat;
use crate::rows::SampleRow;
use crate::scene::Scene;
use crate::theme::{Canvas, Theme};

/// A chart with the sentences that say what it shows.
#[derive(Debug)]
pub struct Figure {
    /// What tells it from others of the same chart: `opt n=8`. Empty if there is one at most.
    pub of: String,
    /// Stands above the chart.
    pub title: String,
    /// Two or three sentences, their numbers from the data.
    pub text: String,
    pub(super) caption: String,
    pub(super) body: Body,
}

#[derive(Debug)]
pub(super) enum Body {
    /// Panels side by side.
    Beside(Vec<Panel>),
    /// One above the other, over one horizontal axis.
    Above(Box<[Panel; 2]>),
    /// Small panels of alike axes, and the titles of these.
    Grid(Vec<Panel>, [String; 2]),
    /// Coloured cells.
    Cells(Heat),
}

/// Pixels of a panel alone: of a few, of one above the other, of small ones.
const ALONE: (u32, u32) = (640, 430);
const TALL: (u32, u32) = (640, 640);
const SMALL: (u32, u32) = (400, 260);

impl Figure {
    /// Draws it under `title`, if given, in place of its own.
    pub fn scene(&self, canvas: Canvas, title: Option<&str>) -> Scene {
        let mut scene = Scene::on(canvas);
        let top = curves::head(&mut scene, title.unwrap_or(&self.title), &self.caption);
        match &self.body {
            Body::Beside(panels) => curves::draw(&mut scene, top, panels),
            Body::Above(panels) => curves::draw_above(&mut scene, top, panels.each_ref()),
            Body::Grid(panels, titles) => curves::draw_grid(&mut scene, top, panels, titles),
            Body::Cells(cells) => cells.draw(&mut scene, top),
        }
        scene
    }

    /// Pixels that it is high at least, so that its panels can be read.
    pub fn least_height(&self) -> u32 {
        match &self.body {
            Body::Beside(_) | Body::Cells(_) => 400,
            Body::Above(_) => 600,
            Body::Grid(panels, _) => {
                let columns = panels.len().isqrt() as u32;
                170 + 140 * (panels.len() as u32).div_ceil(columns.max(1) + 1)
            }
        }
    }

    /// A figure of coloured cells.
    ///
    /// # Errors
    /// As [`crate::heat()`].
    pub fn of_cells(
        rows: &[SampleRow],
        style: &ChartStyle,
        text: String,
    ) -> Result<Self, ChartError> {
        let (cells, caption) = Heat::of(rows, style)?;
        let title = style.title.clone().unwrap_or_default();
        Ok(Self { of: String::new(), title, text, caption, body: Body::Cells(cells) })
    }

    /// What its colours and lines stand for.
    pub fn legend(&self) -> Vec<&str> {
        self.caption.split("  ").filter(|it| !it.is_empty()).collect()
    }

    /// Whether its panels are small ones.
    pub const fn is_grid(&self) -> bool {
        matches!(self.body, Body::Grid(..))
    }

    /// A picture of each panel, for a page that has title and captions as text and shows as many
    /// beside each other as it has room for.
    pub fn panels(&self, theme: Theme) -> Vec<Scene> {
        let alone = |panel: &Panel, size| {
            let mut scene = Scene::new(size, theme);
            curves::draw_alone(&mut scene, panel);
            scene
        };
        let mut scenes: Vec<Scene> = match &self.body {
            Body::Beside(panels) => panels.iter().map(|it| alone(it, ALONE)).collect(),
            Body::Grid(panels, _) => panels.iter().map(|it| alone(it, SMALL)).collect(),
            Body::Above(panels) => {
                let mut scene = Scene::new(TALL, theme);
                curves::draw_above(&mut scene, 0.0, panels.each_ref());
                vec![scene]
            }
            Body::Cells(cells) => cells.scenes(theme, ALONE.0),
        };
        // The first says what is seen; each says what it is of.
        for (index, scene) in scenes.iter_mut().enumerate() {
            scene.entitle(&self.title, if index == 0 { &self.text } else { "" });
        }
        scenes
    }
}
