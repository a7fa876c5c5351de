//! Errors that point at the text they are about: file, line, column, a caret and a remedy.

use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// A byte range of a source text. Spans never take part in comparisons: two programs are equal if
/// they say the same, wherever they say it.
#[derive(Debug, Clone, Copy, Default, Eq)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

impl PartialEq for Span {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A text with the name under which messages refer to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    pub name: String,
    pub text: String,
}

impl Source {
    /// Line (1-based) in which `span` starts.
    pub fn line(&self, span: Span) -> usize {
        1 + self.text.as_bytes()[..span.start.min(self.text.len())]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count()
    }

    /// The source line in which `span` starts, without surrounding blanks.
    pub fn line_text(&self, span: Span) -> &str {
        self.text.lines().nth(self.line(span) - 1).unwrap_or("").trim()
    }
}

/// What is wrong at one place of a [`Source`], and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub span: Span,
    pub message: String,
    /// Stands beside the caret; may be empty.
    pub label: String,
    pub notes: Vec<String>,
    pub help: Option<String>,
}

impl Diagnostic {
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), label: String::new(), notes: vec![], help: None }
    }

    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The message as a terminal shows it, without colour.
    pub fn render(&self, source: &Source) -> String {
        let span = visible(&source.text, self.span);
        let mut annotation = AnnotationKind::Primary.span(span);
        if !self.label.is_empty() {
            annotation = annotation.label(self.label.as_str());
        }
        let mut group = Level::ERROR.primary_title(self.message.as_str()).element(
            Snippet::source(source.text.as_str())
                .path(source.name.as_str())
                .fold(true)
                .annotation(annotation),
        );
        for note in &self.notes {
            group = group.element(Level::NOTE.message(note.as_str()));
        }
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        Renderer::plain().render(&[group])
    }
}

/// Clamps a span to one line of the text and to character borders, so that a caret can be drawn.
fn visible(text: &str, span: Span) -> Range<usize> {
    let start = floor_char(text, span.start);
    let line_end = text[start..].find('\n').map_or(text.len(), |length| start + length);
    let end = floor_char(text, span.end.clamp(start, line_end));
    start..end
}

fn floor_char(text: &str, mut index: usize) -> usize {
    index = index.min(text.len());
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}

/// A diagnostic together with the text it is about: complete, ready to be printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    pub source: Source,
    pub diagnostic: Diagnostic,
}

impl fmt::Display for Located {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diagnostic.render(&self.source))
    }
}

impl std::error::Error for Located {}
