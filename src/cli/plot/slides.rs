//! Slides of a lecture, a file each.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::chart::{self, ChartError};
use crate::cli::support::{Failure, files};
use crate::host::files::{DATA, path_text, read};

/// Draw the slides of a lecture, from a text with pictures
#[derive(Debug, Args)]
#[command(
    long_about = "\
Draw the slides of a lecture, from a text with pictures

The text is Markdown: a line `# Title` names the deck, each line `## Title` begins a slide. On it
stand paragraphs, points (`- …`), code between lines of ```, and at most one picture,
`![what](FILE.svg)`, whose place is given from the text's folder. Slides are 1280 × 720.",
    after_help = "\
Example:
  umm plot slides docs/course/1-coalescing/slides.md -o slides"
)]
pub(super) struct Slides {
    /// The text
    text: PathBuf,
    /// The folder to write 01.svg, 02.svg … into, which is made if it is missing
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

impl Slides {
    pub(super) fn draw(&self) -> Result<(), Failure> {
        let name = path_text(&self.text);
        let text = read(&self.text, DATA)?;
        let folder = self.text.parent().unwrap_or(Path::new(""));
        let picture = |file: &str| {
            read(&folder.join(file), DATA).map_err(|error| ChartError::Data(error.to_string()))
        };
        let slides = chart::slides(&text, picture)
            .map_err(|error| Failure::input(format_args!("{name}: {error}")))?;
        std::fs::create_dir_all(&self.output).map_err(|error| {
            Failure::input(format_args!("{}: {error}", path_text(&self.output)))
        })?;
        for (number, slide) in (1..).zip(&slides) {
            let path = self.output.join(format!("{number:02}.svg"));
            files::write(&path, |file| file.write_all(slide.as_bytes()))?;
        }
        Ok(())
    }
}
