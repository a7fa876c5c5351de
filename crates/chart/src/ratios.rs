//! Ratios as dots: a line for each thing, a colour for each kind, on a logarithmic axis about 1.

use plotters::style::text_anchor::HPos;

use super::curves::{MARGIN, TEXT, head};
use super::letters::text_width;
use super::number::Unit;
use super::scene::Scene;
use super::theme::Theme;

/// One ratio.
pub(super) struct Dot<'a> {
    pub(super) kind: &'a str,
    pub(super) ratio: f64,
    /// What it is called where it is the farthest of its line; empty if its colour says so.
    pub(super) name: &'a str,
}

/// A line of the picture.
pub(super) struct DotRow<'a> {
    pub(super) label: String,
    /// Beside the label, muted.
    pub(super) size: String,
    pub(super) dots: Vec<Dot<'a>>,
}

/// What is written around the lines.
pub(super) struct Captions<'a> {
    pub(super) title: &'a str,
    pub(super) caption: &'a str,
    pub(super) axis: &'a str,
}

/// Pixels of a line, and of the picture.
const LINE: f64 = 30.0;
const WIDTH: u32 = 1280;
const MOST_TICKS: i32 = 10;

/// Draws lines in their order; at least the powers of two in `ends` are on the axis.
pub(super) fn ratios(
    lines: &[DotRow<'_>],
    words: &Captions<'_>,
    ends: (f64, f64),
    theme: Theme,
) -> Scene {
    let dots = || lines.iter().flat_map(|it| &it.dots);
    let mut kinds: Vec<&str> = vec![];
    for dot in dots() {
        if !kinds.contains(&dot.kind) {
            kinds.push(dot.kind);
        }
    }
    let height = 230.0 + LINE * lines.len() as f64;
    let mut scene = Scene::new((WIDTH, height as u32), theme);
    let top = head(&mut scene, words.title, words.caption) + 24.0;
    let left = lines.iter().map(|it| text_width(&it.label, TEXT)).fold(0.0, f64::max);
    let left = left + MARGIN + 110.0;
    let right = scene.width() - MARGIN - 150.0;
    let bottom = top + LINE * lines.len() as f64;

    let mut at = MARGIN;
    for (index, kind) in kinds.iter().enumerate() {
        scene.disc((at + 5.0, top - 14.0), 6.0, theme.series(index));
        scene.text(kind, (at + 18.0, top - 14.0), TEXT, theme.ink(), HPos::Left);
        at += text_width(kind, TEXT) + 44.0;
    }

    // Whole powers of two around all ratios.
    let logarithms = dots().map(|it| it.ratio.log2());
    let ends = logarithms.fold(ends, |ends, it| (ends.0.min(it), ends.1.max(it)));
    let (low, high) = (ends.0.floor(), ends.1.ceil());
    let place = |ratio: f64| left + (ratio.log2() - low) / (high - low) * (right - left);
    // As many as have room for their numbers.
    let apart = 1 + (high - low) as i32 / MOST_TICKS;
    for power in (low as i32..=high as i32).filter(|it| it % apart == 0) {
        let ratio = 2_f64.powi(power);
        let colour = if power == 0 { theme.ink() } else { theme.grid() };
        scene.line(vec![(place(ratio), top), (place(ratio), bottom)], colour, 1.0);
        let text =
            if power < 0 { format!("1/{}", 1_u64 << -power) } else { Unit::Times.text(ratio) };
        scene.text(&text, (place(ratio), bottom + 18.0), TEXT, theme.muted(), HPos::Center);
    }
    let middle = (f64::midpoint(left, right), bottom + 46.0);
    scene.text(words.axis, middle, TEXT, theme.ink(), HPos::Center);

    for (index, DotRow { label, size, dots }) in lines.iter().enumerate() {
        let y = top + (index as f64 + 0.5) * LINE;
        scene.text(label, (MARGIN, y), TEXT, theme.ink(), HPos::Left);
        scene.text(size, (left - 14.0, y), TEXT, theme.muted(), HPos::Right);
        scene.line(vec![(left, y), (right, y)], theme.grid(), 1.0);
        for dot in dots {
            let kind = kinds.iter().position(|it| *it == dot.kind).unwrap_or_default();
            scene.disc((place(dot.ratio), y), 6.0, theme.series(kind));
        }
        // The farthest has its number, and its name.
        if let Some(dot) = dots.iter().max_by(|a, b| a.ratio.total_cmp(&b.ratio)) {
            let text = match dot.name {
                "" => format!("{:.2}", dot.ratio),
                name => format!("{:.2}, {name}", dot.ratio),
            };
            let x = place(dot.ratio) + 12.0;
            scene.text(&text, (x, y - 9.0), 0.8 * TEXT, theme.muted(), HPos::Left);
        }
    }
    scene
}
