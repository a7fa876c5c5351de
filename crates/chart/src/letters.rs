//! Letters of the embedded font: how wide a text is, and where its lines break.

use std::sync::Once;

use plotters::prelude::*;

/// plotters divides sizes by this, to get from a line's height to the font's size.
pub(super) const FONT: f64 = 1.24;

/// Makes the embedded font known; without one, a bitmap has no text.
pub(super) fn load_font() {
    static LOADED: Once = Once::new();
    LOADED.call_once(|| {
        let bytes = include_bytes!("../fonts/DejaVuSans.ttf");
        // It fails only if the file is no font; a test draws with it.
        let _ = plotters::style::register_font("sans-serif", FontStyle::Normal, bytes);
    });
}

/// In pixels. Of the embedded font, which is wider than most that stand in for it in an SVG.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    load_font();
    let font = ("sans-serif", size * FONT).into_font();
    font.box_size(text).map_or(0.6 * size * text.chars().count() as f64, |(width, _)| width.into())
}

/// `text` in lines of at most `width` pixels, broken at double blanks if possible, else at blanks,
/// and within a word only if it is wider than a line.
pub(super) fn lines(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = vec![];
    for part in text.split("  ").filter(|it| !it.is_empty()) {
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} · {part}"), size) <= width => {
                line.push_str(" · ");
                line.push_str(part);
            }
            _ => lines.push(String::new()),
        }
        let Some(line) = lines.last_mut().filter(|it| it.is_empty()) else { continue };
        if text_width(part, size) <= width {
            line.push_str(part);
            continue;
        }
        for word in part.split(' ').flat_map(|it| pieces(it, size, width)) {
            let line = &lines[lines.len() - 1];
            if !line.is_empty() && text_width(&format!("{line} {word}"), size) > width {
                lines.push(word.to_owned());
            } else if let Some(line) = lines.last_mut() {
                let blank = if line.is_empty() { "" } else { " " };
                *line = format!("{line}{blank}{word}");
            }
        }
    }
    lines
}

/// A word in pieces of at most `width` pixels, a character each at least.
fn pieces(word: &str, size: f64, width: f64) -> Vec<String> {
    if text_width(word, size) <= width {
        return vec![word.to_owned()];
    }
    let mut pieces = vec![String::new()];
    for character in word.chars() {
        let piece = &pieces[pieces.len() - 1];
        if !piece.is_empty() && text_width(&format!("{piece}{character}"), size) > width {
            pieces.push(String::new());
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(character);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_wider_than_the_page() {
        let name = "an-outline-of-the-country-that-nobody-would-ever-type-again.geojson";
        for text in [name.to_owned(), format!("{name}: n = 36, h = 12"), "a b  c".repeat(20)] {
            let lines = lines(&text, 24.0, 300.0);
            assert!(lines.len() > 1);
            assert!(lines.iter().all(|it| text_width(it, 24.0) <= 300.0), "{lines:?}");
            let letters = |text: &str| text.replace([' ', '·'], "");
            assert_eq!(letters(&lines.concat()), letters(&text));
        }
    }
}
