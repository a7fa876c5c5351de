//! Where a picture goes and how it looks.

use std::path::{Component, Path, PathBuf};

use clap::Args;

use crate::chart::{Canvas, ChartError, Scene, Theme};
use crate::cli::support::options::{ThemeOption, os};
use crate::cli::support::picture::{encode, picture};
use crate::cli::support::{Failure, files};
use crate::host::files::path_text;

/// Where a picture goes and how it looks.
#[derive(Debug, Args)]
pub(super) struct Picture {
    /// The file to write
    #[arg(short, long, value_name = "FILE.svg|.png", value_parser = os(picture))]
    output: PathBuf,
    /// Colours for light or for dark pages
    #[arg(long, value_enum, default_value_t = ThemeOption::Light)]
    theme: ThemeOption,
    /// The title, in place of the usual one
    #[arg(long)]
    title: Option<String>,
}

impl Picture {
    pub(super) const fn theme(&self) -> Theme {
        self.theme.theme()
    }

    pub(super) fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Writes the picture with a line on its source: `data` that it shows.
    pub(super) fn write(
        &self,
        scene: Result<Scene, ChartError>,
        data: &str,
    ) -> Result<(), Failure> {
        let mut scene = scene.map_err(Failure::input)?;
        scene.source(&format!("data: {data}"));
        let bytes = encode(&scene, &self.output)?;
        files::write(&self.output, |file| file.write_all(&bytes))
    }
}

/// Of a picture that may be of any size.
#[derive(Debug, Args)]
pub(super) struct Page {
    #[command(flatten)]
    pub(super) picture: Picture,
    /// Pixels; letters keep their size, so that a small chart is readable where it is enlarged, as on a slide
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = size, default_value = "1200x675")]
    pub(super) size: (u32, u32),
}

impl Page {
    pub(super) const fn canvas(&self) -> Canvas {
        Canvas { size: self.size, theme: self.picture.theme() }
    }

    pub(super) fn title(&self) -> Option<&str> {
        self.picture.title()
    }

    pub(super) fn write(
        &self,
        scene: Result<Scene, ChartError>,
        data: &str,
    ) -> Result<(), Failure> {
        self.picture.write(scene, data)
    }
}

/// Pixels that leave room for a chart beside its words, and that fit a file.
const SIDES: std::ops::RangeInclusive<u32> = 400..=8000;

fn size(text: &str) -> Result<(u32, u32), String> {
    let side = |it: &str| it.parse().ok().filter(|it| SIDES.contains(it));
    let sides = text.split_once(['x', '×']).and_then(|(a, b)| Some((side(a)?, side(b)?)));
    let (least, most) = SIDES.into_inner();
    sides.ok_or(format!("write WIDTHxHEIGHT, as in 800x450, each of {least} to {most} pixels"))
}

/// A path as a reader would write it: `a/b/../c` is `a/c`.
pub(super) fn shown(path: &Path) -> String {
    let mut short = PathBuf::new();
    for part in path.components() {
        let is_below = short.components().next_back().is_some_and(|it| it != Component::ParentDir);
        if part == Component::ParentDir && is_below {
            short.pop();
        } else {
            short.push(part);
        }
    }
    if path == "-" { "standard input".to_owned() } else { path_text(short) }
}
