//! `umm man`

use std::path::PathBuf;

use clap::Args;
use clap_mangen::Man as Page;

use crate::cli::support::{Failure, files};
use crate::host::files::path_text;

/// Print the manual page of a command, or write those of all commands
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm man run > umm-run.1 && man ./umm-run.1
  umm man -o man1")]
pub(super) struct Man {
    /// The command, as in run or gpu measure; without it the page of umm itself
    command: Vec<String>,
    /// Write a page for each command into this folder
    #[arg(short, long, value_name = "DIR", conflicts_with = "command")]
    output: Option<PathBuf>,
}

impl Man {
    /// Of `command`, the whole of umm.
    pub(super) fn run(&self, command: clap::Command) -> Result<(), Failure> {
        let mut root = command.disable_help_subcommand(true);
        root.build();
        if let Some(folder) = &self.output {
            std::fs::create_dir_all(folder).map_err(|error| {
                Failure::input(format_args!(
                    "{}: cannot make this folder: {error}",
                    path_text(folder)
                ))
            })?;
            return write_all(&root, folder);
        }
        let mut command = &root;
        for word in &self.command {
            command = command.find_subcommand(word).ok_or_else(|| {
                let known: Vec<&str> =
                    command.get_subcommands().map(clap::Command::get_name).collect();
                let (of, known) = (command.get_name(), known.join(", "));
                Failure::input(format_args!("`{of}` has no command `{word}`; it has {known}"))
            })?;
        }
        files::print(&String::from_utf8_lossy(&page(command)?))
    }
}

fn page(command: &clap::Command) -> Result<Vec<u8>, Failure> {
    let mut text = vec![];
    Page::new(command.clone())
        .source(concat!("umm ", env!("CARGO_PKG_VERSION")))
        .render(&mut text)
        .map_err(Failure::run)?;
    Ok(text)
}

/// Writes the pages of a command and of all beneath it.
fn write_all(command: &clap::Command, folder: &std::path::Path) -> Result<(), Failure> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let text = page(command)?;
    files::write(&folder.join(format!("{name}.1")), |file| file.write_all(&text))?;
    command.get_subcommands().try_for_each(|it| write_all(it, folder))
}
