//! One's own times beside those of peers: a dot for each peer, where both would meet at 1.

use serde::Deserialize;

use super::ChartError;
use super::number::{Unit, plain, seconds};
use super::ratios::{Captions, Dot, DotRow, ratios};
use super::scene::Scene;
use super::theme::Theme;
use memory_machine_measure::plausibility::seconds as seconds_of;
use memory_machine_measure::read::{line_of, reason};

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
    /// The rows of a CSV file.
    ///
    /// # Errors
    /// [`ChartError::Data`]: the line that is none, and why.
    pub fn parse(text: &str) -> Result<Vec<Self>, ChartError> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = reader.headers().cloned().unwrap_or_default();
        let malformed = |error: csv::Error| {
            ChartError::Data(format!("{}: {}", line_of(&error), reason(&error, &header)))
        };
        reader.into_deserialize().collect::<Result<_, _>>().map_err(malformed)
    }

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

/// What is seen, for the title: of `whose` times.
fn findings(rows: &[Peer], whose: &str) -> String {
    let near = rows.iter().filter(|it| it.ratio() <= NEAR).count();
    let begin = format!("{whose}: a tenth slower at most than {near} of {} others", rows.len());
    match rows.iter().max_by(|a, b| a.ratio().total_cmp(&b.ratio())) {
        Some(worst) if worst.ratio() > NEAR => {
            let (what, times) = (worst.what.replace('_', " "), plain(worst.ratio()));
            format!("{begin}, {times} times as slow as {} at worst ({what})", worst.peer)
        }
        _ => begin,
    }
}

/// A line for each work, in the order given; on it a dot for each peer at one's own time over the
/// peer's, on a logarithmic axis. The title says of `whose` times what is seen.
///
/// # Errors
/// [`ChartError::Data`] without a row, or if a time is none that can be measured.
pub fn peers(
    rows: &[Peer],
    whose: &str,
    title: Option<&str>,
    theme: Theme,
) -> Result<Scene, ChartError> {
    if rows.is_empty() {
        return Err(ChartError::Data("no row below the header; give at least one peer".to_owned()));
    }
    for row in rows {
        let times = [("time_s", row.time_s), ("peer_time_s", row.peer_time_s)];
        if let Err(impossible) = times.into_iter().try_for_each(|(name, it)| seconds_of(name, it)) {
            let (what, peer) = (row.label(), &row.peer);
            return Err(ChartError::Data(format!("{what}, {peer}: {impossible}")));
        }
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
    let usual = findings(rows, whose);
    let words = Captions {
        title: title.unwrap_or(&usual),
        caption: "dots: own time ÷ the other's, of medians; left of 1 the own is faster",
        axis: "own time ÷ the other's",
    };
    Ok(ratios(&lines, &words, (0.0, 1.0), theme))
}
