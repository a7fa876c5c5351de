//! The pictures of `plots/`: each is a command line.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, Command, FromArgMatches};

use super::Plot;
use crate::cli::support::terminal::wrapped;
use crate::cli::support::{Failure, files};
use crate::host::files::path_text;

/// Draw every picture of plots/, light and dark
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm plot gallery
  umm plot gallery -o /tmp")]
pub(super) struct Gallery {
    /// The folder of its data
    #[arg(default_value = "plots/data")]
    data: PathBuf,
    /// The folder to write into
    #[arg(short, long, value_name = "DIR", default_value = "plots")]
    output: PathBuf,
}

/// For each picture its name, and what follows `umm plot`; `DATA` is the folder of data.
const PICTURES: &str = include_str!("../../../plots/gallery.toml");

/// Of these a PNG, too.
const BITMAPS: &[&str] = &["prefix-sums-time"];

impl Gallery {
    pub(super) fn draw(&self) -> Result<(), Failure> {
        let pictures: BTreeMap<String, Vec<String>> =
            toml::from_str(PICTURES).map_err(Failure::run)?;
        let (mut drawn, mut text) = (0, String::new());
        for (name, words) in &pictures {
            let mut files = vec![];
            for (theme, ending) in [("light", ""), ("dark", "-dark")] {
                let formats =
                    if BITMAPS.contains(&name.as_str()) { &["svg", "png"][..] } else { &["svg"] };
                for format in formats {
                    let path = self.output.join(format!("{name}{ending}.{format}"));
                    self.picture(words, theme, &path)?;
                    files.push(format!("{name}{ending}.{format}"));
                }
            }
            drawn += files.len();
            text += &format!("  {}\n", files.join(", "));
        }
        let folder = path_text(&self.output);
        files::print(&wrapped(&format!("wrote {drawn} pictures into {folder}:\n{text}")))
    }

    fn picture(&self, words: &[String], theme: &str, path: &Path) -> Result<(), Failure> {
        let word = |word: &String| match word.strip_prefix("DATA/") {
            Some(file) => self.data.join(file).into_os_string(),
            None => word.into(),
        };
        let more = ["--theme".into(), theme.into(), "--output".into(), path.into()];
        let line = [OsString::from("plot")].into_iter().chain(words.iter().map(word)).chain(more);
        let matches = Plot::augment_args(Command::new("plot")).try_get_matches_from(line);
        let plot = matches.and_then(|it| Plot::from_arg_matches(&it)).map_err(Failure::run)?;
        plot.run()
    }
}
