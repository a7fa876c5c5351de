//! `umm plot peers`: one's own times beside those of others.

use std::path::PathBuf;

use clap::Args;

use super::{Picture, shown};
use crate::chart;
use crate::cli::Failure;
use crate::host::files;
use crate::measure::read::{line_of, reason};

/// Draw own times over those of peers, a dot each
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  umm plot peers plots/data/peers.csv -o peers.svg

Columns: what, size, peer, kind, time_s, peer_time_s. benches/peers/emitted/run makes such a table.")]
pub(super) struct Peers {
    /// A CSV file of times, - for standard input
    #[arg(value_name = "PEERS.csv")]
    table: PathBuf,
    #[command(flatten)]
    picture: Picture,
}

impl Peers {
    pub(super) fn draw(&self) -> Result<(), Failure> {
        let text = files::read(&self.table, files::DATA)?;
        let fail = |error: &dyn std::fmt::Display| {
            Failure::input(format_args!("{}: {error}", self.table.display()))
        };
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = reader.headers().cloned().unwrap_or_default();
        let rows = reader.into_deserialize().collect::<Result<Vec<chart::Peer>, _>>();
        let rows = rows.map_err(|error| {
            let (line, reason) = (line_of(&error), reason(&error, &header));
            Failure::input(format_args!("{}:{line}: {reason}", self.table.display()))
        })?;
        let picture = &self.picture;
        let scene = chart::peers(&rows, picture.title(), picture.theme());
        picture.write(Ok(scene.map_err(|error| fail(&error))?), &shown(&self.table))
    }
}
