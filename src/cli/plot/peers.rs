//! `umm plot peers`: one's own times beside those of others.

use std::path::PathBuf;

use clap::Args;

use super::page::{Picture, shown};
use crate::chart::{self, ChartError, Peer};
use crate::cli::support::Failure;
use crate::host::files;

/// Draw own times over those of peers, a dot each
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  umm plot peers plots/data/peers.csv --whose 'Emitted CUDA on an H200' -o peers.svg

Columns: what, size, peer, kind, time_s, peer_time_s. benches/peers/emitted/run makes such a table.")]
pub(super) struct Peers {
    /// A CSV file of times, - for standard input
    #[arg(value_name = "PEERS.csv")]
    table: PathBuf,
    /// Whose the own times are, for the title
    #[arg(long, value_name = "WORDS", default_value = "Own time")]
    whose: String,
    #[command(flatten)]
    picture: Picture,
}

impl Peers {
    pub(super) fn draw(&self) -> Result<(), Failure> {
        let text = files::read(&self.table, files::DATA)?;
        let of_table = |error: ChartError| {
            Failure::input(format_args!("{}:{error}", files::path_text(&self.table)))
        };
        let rows = Peer::parse(&text).map_err(of_table)?;
        let picture = &self.picture;
        let scene = chart::peers(&rows, &self.whose, picture.title(), picture.theme())
            .map_err(|error| Failure::input(format_args!("{}: {error}", self.table.display())));
        picture.write(Ok(scene?), &shown(&self.table))
    }
}
