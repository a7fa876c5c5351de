//! One's own times beside those of peers: a dot for each peer, where both would meet at 1.

use plotters::style::text_anchor::HPos;
use serde::Deserialize;

use super::ChartError;
use super::curves::{MARGIN, TEXT, head};
use super::number::{Unit, seconds};
use super::scene::{Scene, text_width};
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
/// Pixels of a line, and of the narrowest picture.
const LINE: f64 = 30.0;
const WIDTH: u32 = 1280;

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
    let mut works: Vec<(String, Vec<&Peer>)> = vec![];
    let mut kinds: Vec<&str> = vec![];
    for row in rows {
        match works.iter_mut().find(|it| it.0 == row.label()) {
            Some(work) => work.1.push(row),
            None => works.push((row.label(), vec![row])),
        }
        if !kinds.contains(&&*row.kind) {
            kinds.push(&row.kind);
        }
    }

    let height = 230.0 + LINE * works.len() as f64;
    let mut scene = Scene::new((WIDTH, height as u32), theme);
    let near = rows.iter().filter(|it| it.ratio() <= NEAR).count();
    let usual = format!("Slower than the other side by a tenth at most: {near} of {}", rows.len());
    let title = title.unwrap_or(&usual);
    let caption = "dots: own time ÷ the other's, of medians; left of 1 the own is faster";
    let top = head(&mut scene, title, caption) + 24.0;
    let left = works.iter().map(|it| text_width(&it.0, TEXT)).fold(0.0, f64::max) + MARGIN + 110.0;
    let right = scene.width() - MARGIN - 150.0;
    let bottom = top + LINE * works.len() as f64;

    let mut at = MARGIN;
    for (index, kind) in kinds.iter().enumerate() {
        scene.disc((at + 5.0, top - 14.0), 6.0, theme.series(index));
        scene.text(kind, (at + 18.0, top - 14.0), TEXT, theme.ink(), HPos::Left);
        at += text_width(kind, TEXT) + 44.0;
    }

    // Whole powers of two around all ratios.
    let ends = rows
        .iter()
        .map(|it| it.ratio().log2())
        .fold((0.0_f64, 0.0_f64), |ends, it| (ends.0.min(it), ends.1.max(it)));
    let (low, high) = (ends.0.floor(), ends.1.ceil().max(1.0));
    let place = |ratio: f64| left + (ratio.log2() - low) / (high - low) * (right - left);
    for power in low as i32..=high as i32 {
        let ratio = 2_f64.powi(power);
        let colour = if power == 0 { theme.ink() } else { theme.grid() };
        scene.line(vec![(place(ratio), top), (place(ratio), bottom)], colour, 1.0);
        let text =
            if power < 0 { format!("1/{}", 1_u64 << -power) } else { Unit::Times.text(ratio) };
        scene.text(&text, (place(ratio), bottom + 18.0), TEXT, theme.muted(), HPos::Center);
    }
    let middle = (f64::midpoint(left, right), bottom + 46.0);
    scene.text("own time ÷ the other's", middle, TEXT, theme.ink(), HPos::Center);

    for (index, (label, peers)) in works.iter().enumerate() {
        let y = top + (index as f64 + 0.5) * LINE;
        scene.text(label, (MARGIN, y), TEXT, theme.ink(), HPos::Left);
        let time = seconds(peers[0].time_s);
        scene.text(&time, (left - 14.0, y), TEXT, theme.muted(), HPos::Right);
        scene.line(vec![(left, y), (right, y)], theme.grid(), 1.0);
        for peer in peers {
            let kind = kinds.iter().position(|it| *it == peer.kind).unwrap_or_default();
            scene.disc((place(peer.ratio()), y), 6.0, theme.series(kind));
        }
        // The farthest has its number, and its name.
        let far = |a: &&&Peer, b: &&&Peer| a.ratio().total_cmp(&b.ratio());
        if let Some(peer) = peers.iter().max_by(far) {
            let text = format!("{:.2}, {}", peer.ratio(), peer.peer);
            let x = place(peer.ratio()) + 12.0;
            scene.text(&text, (x, y - 9.0), 0.8 * TEXT, theme.muted(), HPos::Left);
        }
    }
    Ok(scene)
}
