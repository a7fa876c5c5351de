//! One's own times beside those of peers: a dot for each peer, where both would meet at 1.

use serde::Deserialize;

use super::ChartError;
use super::number::{Unit, seconds};
use super::ratios::{Captions, Dot, DotRow, ratios};
use super::scene::Scene;
use super::theme::Theme;

/// A time, and that of one peer for the same work.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Peer {
    /// What was done, and of which size.
    pub what: String,
    /// Its size.
    pub size: u64,
    /// Who else did it.
    pub peer: String,
    /// What sort of peer that is: each has a colour.
    pub kind: String,
    /// Seconds.
    pub time_s: f64,
    /// The peer's.
    pub peer_time_s: f64,
}

impl Peer {
    fn ratio(&self) -> f64 {
        self.time_s / self.peer_time_s
    }

    fn label(&self) -> String {
        let size = Unit::Size.text(self.size as f64);
        format!("{} {size}", self.what.replace('_', " "))
    }
}

/// So near to a peer, it is not called slower.
const NEAR: f64 = 1.1;
/// A line for each work, in the order given; on it a dot for each peer at one's own time over the
/// peer's, on a logarithmic axis.
///
/// # Errors
/// [`ChartError::Data`] without a row, or if a time is not above 0.
pub fn peers(rows: &[Peer], title: Option<&str>, theme: Theme) -> Result<Scene, ChartError> {
    if rows.is_empty() {
        return Err(ChartError::Data("no row below the header; give at least one peer".to_owned()));
    }
    let positive = |it: &&Peer| !(it.time_s > 0.0 && it.peer_time_s > 0.0);
    if let Some(bad) = rows.iter().find(positive) {
        let (what, peer) = (bad.label(), &bad.peer);
        return Err(ChartError::Data(format!("{what}, {peer}: times must be above 0 s")));
    }
    let mut lines: Vec<DotRow<'_>> = vec![];
    for row in rows {
        let dot = Dot { kind: &row.kind, ratio: row.ratio(), name: &row.peer };
        let label = row.label();
        match lines.iter_mut().find(|it| it.label == label) {
            Some(line) => line.dots.push(dot),
            None => lines.push(DotRow { label, size: seconds(row.time_s), dots: vec![dot] }),
        }
    }
    let near = rows.iter().filter(|it| it.ratio() <= NEAR).count();
    let usual = format!("Slower than the other side by a tenth at most: {near} of {}", rows.len());
    let words = Captions {
        title: title.unwrap_or(&usual),
        caption: "dots: own time ÷ the other's, of medians; left of 1 the own is faster",
        axis: "own time ÷ the other's",
    };
    Ok(ratios(&lines, &words, (0.0, 1.0), theme))
}
