//! Slides of a lecture, from a text.
//!
//! The text is Markdown of few forms: `# ` begins the deck, each `## ` a slide. Below stand
//! paragraphs, points (`- `), code between fences, and at most one picture, `![what](FILE.svg)`,
//! which takes the room that is left.

mod picture;

use std::fmt::Write;

use plotters::style::text_anchor::HPos;

use self::picture::embedded;
use super::ChartError;
use super::letters::lines;
use super::scene::Scene;
use super::theme::Theme;

/// Pixels: 16:9.
const SIZE: (u32, u32) = (1280, 720);
const MARGIN: f64 = 56.0;
const TITLE: f64 = 36.0;
const TEXT: f64 = 25.0;
const SMALL: f64 = 16.0;
const SOURCE: f64 = 15.0;
/// Where text begins, and where the line at the foot is.
const TOP: f64 = 112.0;
const FOOT: f64 = 690.0;
/// Of a line of text, and of code, to the size of its letters.
const LEADING: f64 = 1.36;
const CODE_LEADING: f64 = 1.22;
const LARGEST_CODE: f64 = 19.0;
/// How much larger letters may be on a slide without a picture, the most first.
const LARGER: [f64; 5] = [1.4, 1.3, 1.2, 1.1, 1.0];
/// Letters of code are as wide as this part of their size.
const CODE_WIDTH: f64 = 0.603;
/// Less room than this shows no picture.
const LEAST_PICTURE: f64 = 120.0;
const INDENT: f64 = 26.0;

enum SlideBlock {
    Paragraph(String),
    Point(String),
    Code(Vec<String>),
    Picture { file: String, what: String },
}

struct Slide {
    title: String,
    blocks: Vec<SlideBlock>,
}

/// The slides of `text`, each as SVG text of 1280 × 720 pixels. `picture` gives the SVG text of a
/// file that the text names.
///
/// # Errors
/// [`ChartError::Data`] with slide and remedy if the text is no deck or a slide too full, and what
/// `picture` fails with.
pub fn slides(
    text: &str,
    picture: impl Fn(&str) -> Result<String, ChartError>,
) -> Result<Vec<String>, ChartError> {
    let (deck, slides) = read(text)?;
    let of = slides.len();
    let draw = |(number, slide): (usize, &Slide)| {
        let foot = format!("{number} / {of}");
        slide.draw(&deck, &foot, &picture).map_err(|error| match error {
            ChartError::Data(why) => ChartError::Data(format!("slide {number}: {why}")),
            other => other,
        })
    };
    (1..).zip(&slides).map(draw).collect()
}

fn read(text: &str) -> Result<(String, Vec<Slide>), ChartError> {
    let mut deck = String::new();
    let mut slides: Vec<Slide> = vec![];
    let mut code: Option<Vec<String>> = None;
    // Whether the line before may go on in this one.
    let mut goes_on = false;
    for line in text.lines() {
        let Some(slide) = slides.last_mut() else {
            if let Some(title) = line.strip_prefix("# ") {
                title.clone_into(&mut deck);
            } else if let Some(title) = line.strip_prefix("## ") {
                slides.push(Slide { title: plain(title), blocks: vec![] });
            }
            continue;
        };
        let went_on = std::mem::take(&mut goes_on);
        match (line.strip_prefix("```"), &mut code) {
            (Some(_), None) => code = Some(vec![]),
            (Some(_), Some(_)) => slide.blocks.extend(code.take().map(SlideBlock::Code)),
            (None, Some(code)) => code.push(line.to_owned()),
            (None, None) => {
                if let Some(title) = line.strip_prefix("## ") {
                    slides.push(Slide { title: plain(title), blocks: vec![] });
                } else if let Some(point) = line.strip_prefix("- ") {
                    slide.blocks.push(SlideBlock::Point(plain(point)));
                    goes_on = true;
                } else if let Some((what, file)) = linked(line) {
                    let (what, file) = (plain(what), file.to_owned());
                    slide.blocks.push(SlideBlock::Picture { file, what });
                } else if !line.trim().is_empty() {
                    match slide.blocks.last_mut() {
                        Some(SlideBlock::Point(text) | SlideBlock::Paragraph(text)) if went_on => {
                            let _ = write!(text, " {}", plain(line.trim()));
                        }
                        _ => slide.blocks.push(SlideBlock::Paragraph(plain(line))),
                    }
                    goes_on = true;
                }
            }
        }
    }
    if deck.is_empty() || slides.is_empty() {
        return Err(ChartError::Data(
            "begin the deck with a line `# Its title` and each slide with a line `## Its title`"
                .to_owned(),
        ));
    }
    if code.is_some() {
        return Err(ChartError::Data("code begins with ``` and does not end".to_owned()));
    }
    Ok((deck, slides))
}

/// What a line that is a picture shows, and its file.
fn linked(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("![")?.strip_suffix(')')?.split_once("](")
}

/// Text without the marks for code and for what is strong.
fn plain(text: &str) -> String {
    text.replace("**", "").replace('`', "")
}

impl Slide {
    fn draw(
        &self,
        deck: &str,
        foot: &str,
        picture: &impl Fn(&str) -> Result<String, ChartError>,
    ) -> Result<String, ChartError> {
        let mut scene = Scene::new(SIZE, Theme::Light);
        let (ink, muted) = (scene.theme.ink(), scene.theme.muted());
        scene.describe(&self.title, &self.description());
        let width = scene.width() - 2.0 * MARGIN;
        let below = scene.paragraph(&self.title, (MARGIN, 60.0), TITLE, ink, width);
        scene.text(deck, (MARGIN, FOOT), SMALL, muted, HPos::Left);
        scene.text(foot, (scene.width() - MARGIN, FOOT), SMALL, muted, HPos::Right);
        let mut y = TOP.max(below + 20.0);
        let mut inside = String::new();
        let is_picture = |it: &SlideBlock| matches!(it, SlideBlock::Picture { .. });
        let height = |scale| self.blocks.iter().map(|it| it.height(width, scale)).sum::<f64>();
        let left = FOOT - 24.0 - y;
        let fits = |scale: &f64| height(*scale) - TEXT <= left;
        let larger = LARGER.into_iter().filter(|_| !self.blocks.iter().any(is_picture)).find(fits);
        let scale = larger.unwrap_or(1.0);
        let size = scale * TEXT;
        y += (size - TEXT) / 2.0;
        // What stands below the picture takes its room first.
        let after = height(scale);
        for block in &self.blocks {
            match block {
                SlideBlock::Paragraph(text) => {
                    for line in lines(text, size, width) {
                        scene.text(&line, (MARGIN, y), size, ink, HPos::Left);
                        y += LEADING * size;
                    }
                    y += GAP;
                }
                SlideBlock::Point(text) => {
                    scene.disc((MARGIN + 7.0, y + 1.0), 4.5, scene.theme.series(0));
                    for line in lines(text, size, width - INDENT) {
                        scene.text(&line, (MARGIN + INDENT, y), size, ink, HPos::Left);
                        y += LEADING * size;
                    }
                    y += GAP;
                }
                SlideBlock::Code(code) => {
                    let size = code_size(code, width, scale);
                    for line in code {
                        let _ = writeln!(
                            inside,
                            "<text x=\"{MARGIN}\" y=\"{y:.1}\" dy=\"0.5ex\" xml:space=\"preserve\" \
                             font-family=\"DejaVu Sans Mono, monospace\" font-size=\"{size:.1}\" \
                             fill=\"#19191C\">{}</text>",
                            super::svg::escaped(line)
                        );
                        y += CODE_LEADING * size;
                    }
                    y += GAP + 6.0;
                }
                SlideBlock::Picture { file: name, .. } => {
                    let room = FOOT - 36.0 - TOP.max(below + 20.0) - after;
                    if room < LEAST_PICTURE {
                        return Err(ChartError::Data(format!(
                            "there is no room for {name}; write less, or make two slides of it"
                        )));
                    }
                    let top = y - TEXT / 2.0;
                    let (shown, source) =
                        embedded(&picture(name)?, (MARGIN, top), (width, room), name)?;
                    inside += &shown;
                    if let Some(source) = source {
                        let _ = writeln!(
                            inside,
                            "<text x=\"{MARGIN}\" y=\"{}\" dy=\"0.5ex\" font-size=\"{SOURCE}\" \
                             fill=\"{}\">{source}</text>",
                            FOOT - 26.0,
                            super::svg::hex(muted)
                        );
                    }
                    y += room;
                }
            }
        }
        if y - TEXT > FOOT - 24.0 {
            return Err(ChartError::Data(format!(
                "`{}` is too full by {:.0} pixels; write less, or make two slides of it",
                self.title,
                y - TEXT - FOOT + 24.0
            )));
        }
        let svg = scene.svg();
        let (shapes, end) = svg.split_at(svg.rfind("</svg>").unwrap_or(svg.len()));
        Ok(format!("{shapes}{inside}{end}"))
    }

    /// Its text, for those who cannot see it.
    fn description(&self) -> String {
        let texts = self.blocks.iter().map(|block| match block {
            SlideBlock::Paragraph(text) | SlideBlock::Point(text) => text.clone(),
            SlideBlock::Code(code) => {
                let words = code.iter().flat_map(|line| line.split_whitespace());
                words.collect::<Vec<_>>().join(" ")
            }
            SlideBlock::Picture { what, .. } => format!("Picture: {what}"),
        });
        let texts: Vec<String> = texts.collect();
        let ended = |it: &String| match it.ends_with(['.', ':', '…']) {
            true => it.clone(),
            false => format!("{it}."),
        };
        texts.iter().map(ended).collect::<Vec<_>>().join(" ")
    }
}

const GAP: f64 = 12.0;

impl SlideBlock {
    /// Pixels that it takes; a picture takes what is left.
    fn height(&self, width: f64, scale: f64) -> f64 {
        let size = scale * TEXT;
        match self {
            Self::Paragraph(text) => LEADING * size * lines(text, size, width).len() as f64 + GAP,
            Self::Point(text) => {
                LEADING * size * lines(text, size, width - INDENT).len() as f64 + GAP
            }
            Self::Code(code) => {
                CODE_LEADING * code_size(code, width, scale) * code.len() as f64 + GAP + 6.0
            }
            Self::Picture { .. } => 0.0,
        }
    }
}

/// The size at which the widest line fits, of letters that are `scale` times as large as usual.
fn code_size(code: &[String], width: f64, scale: f64) -> f64 {
    let widest = code.iter().map(|it| it.chars().count()).max().unwrap_or(0).max(1);
    (scale * LARGEST_CODE).min(width / (CODE_WIDTH * widest as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: fn(&str) -> Result<String, ChartError> =
        |name| Err(ChartError::Data(format!("{name}: not found")));

    #[test]
    fn a_heading_is_a_slide() {
        let text = "# Banks\n\n## One\n- a point that\n  goes on\n- another\n\n## `Two` & three\n\
                    ```console\n$ umm list\n```\nThe end.\n";
        let slides = slides(text, NONE).unwrap();
        assert_eq!(slides.len(), 2);
        assert!(slides[0].contains("a point that goes on") && slides[0].contains("1 / 2"));
        assert!(slides[1].contains("Two &amp; three") && slides[1].contains("$ umm list"));
        assert!(slides.iter().all(|it| it.contains("<title>") && it.contains(">Banks<")));
    }

    #[test]
    fn a_picture_takes_the_room_that_is_left() {
        let picture = |_: &str| Ok("<svg viewBox=\"0 0 4 3\"><circle r=\"1\"/></svg>".to_owned());
        let slides = slides("# D\n## S\nText.\n![a](a.svg)\nMore.\n", picture).unwrap();
        assert!(slides[0].contains("viewBox=\"0 0 4 3\"><circle r=\"1\"/></svg>"));
    }

    /// The slide has a title, and writes the source where it can be read.
    #[test]
    fn what_is_no_deck_is_refused() {
        let refused = |text: &str| slides(text, NONE).unwrap_err().to_string();
        assert!(refused("Text.\n").contains("begin the deck"));
        assert!(refused("# D\n## S\n```\ncode\n").contains("does not end"));
        assert!(refused("# D\n## S\n![a](a.svg)\n").contains("slide 1: a.svg: not found"));
        let full = format!("# D\n## S\n{}", "- a point\n".repeat(20));
        assert!(refused(&full).contains("slide 1: `S` is too full"));
        let full = format!("# D\n## S\n{}![a](a.svg)\n", "- a point\n".repeat(10));
        assert!(refused(&full).contains("no room for a.svg"));
    }
}
