//! What is printed and drawn now becomes what tests expect.

use clap::Args;

use crate::gallery::draw;
use crate::process::Process;
use crate::{Failure, root};

/// Write what commands and pages print, and the pictures of the course and of transformations, anew, to be read in the diff.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo xtask bless              sessions, snapshots and figures
  cargo xtask bless --sessions   of tests/cli and of the documentation alone")]
pub struct Bless {
    /// Draw no pictures.
    #[arg(long)]
    sessions: bool,
}

impl Bless {
    pub fn run(self) -> Result<(), Failure> {
        Process::new("cargo test --locked --test main -- cli:: docs:: --include-ignored")
            .with("TRYCMD", "overwrite")
            .run()?;
        if self.sessions { Ok(()) } else { draw_pages() }
    }
}

/// The pictures, by the commands in the tables of their pages.
fn draw_pages() -> Result<(), Failure> {
    std::env::set_current_dir(root())?;
    let pages = ["docs/course/README.md", "docs/transformations.md"].map(std::fs::read_to_string);
    let text = pages.into_iter().collect::<Result<String, _>>()?;
    let begins = ["| `figures/", "| `transformations/"];
    let rows = text.lines().filter(|line| begins.iter().any(|it| line.starts_with(it)));
    for command in rows.filter_map(|row| row.split('`').nth(3)?.strip_prefix("umm ")) {
        // Words, or what stands between quotes.
        let parts = command.split('\'').enumerate();
        let words = parts.flat_map(|(part, text)| match part % 2 {
            0 => text.split_whitespace().collect(),
            _ => vec![text],
        });
        draw(&words.collect::<Vec<_>>())?;
    }
    Ok(())
}
