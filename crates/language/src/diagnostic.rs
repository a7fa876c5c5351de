//! Errors that point at the text they are about: file, line, column, a caret and a remedy.

use std::borrow::Cow;
use std::fmt;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// A byte range of a source text. Spans never take part in comparisons: two programs are equal if
/// they say the same, wherever they say it.
#[derive(Debug, Clone, Copy, Default, Eq)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// Behind the last byte.
    pub end: usize,
}

impl Span {
    /// Bytes `start .. end`.
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
    /// A file's name, or what stands for one.
    pub name: String,
    /// The whole text, to which spans refer.
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

    /// What stands at a place.
    pub fn at(&self, span: Span) -> &str {
        let start = floor_char(&self.text, span.start);
        let end = floor_char(&self.text, span.end).max(start);
        &self.text[start..end]
    }

    /// The source line in which `span` starts, without surrounding blanks.
    pub fn line_text(&self, span: Span) -> &str {
        self.text.lines().nth(self.line(span) - 1).unwrap_or("").trim()
    }
}

/// What is wrong at one place of a [`Source`], and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where the caret stands.
    pub span: Span,
    /// What is wrong, in a line.
    pub message: String,
    /// Stands beside the caret; may be empty.
    pub label: String,
    /// What else is to be known, a paragraph each.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Option<String>,
    /// The limit that was reached, where nothing else is wrong.
    pub limit: Option<LimitKind>,
}

/// What stops a run that is allowed nothing more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitKind {
    /// Of work or time, that of the whole run.
    Work,
    /// Of the iterations of one loop.
    Iterations,
}

impl Diagnostic {
    /// A message at a place, without label, notes or help.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self {
            span,
            message: message.into(),
            label: String::new(),
            notes: vec![],
            help: None,
            limit: None,
        }
    }

    /// With what stands beside the caret.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// With one more note.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// With the remedy.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The message as a terminal shows it, without colour.
    pub fn render(&self, source: &Source) -> String {
        self.render_by(&Renderer::plain(), source)
    }

    fn render_by(&self, renderer: &Renderer, source: &Source) -> String {
        let parts = around(&source.text, self.span).map(visible);
        let start = parts[0].len();
        let mut annotation = AnnotationKind::Primary.span(start..start + parts[1].len());
        if !self.label.is_empty() {
            annotation = annotation.label(visible(&self.label));
        }
        let mut group = Level::ERROR.primary_title(visible(&self.message)).element(
            Snippet::source(parts.concat())
                .path(visible(&source.name))
                .fold(true)
                .annotation(annotation),
        );
        for note in &self.notes {
            group = group.element(Level::NOTE.message(visible(note)));
        }
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(visible(help)));
        }
        renderer.render(&[group])
    }
}

/// The text before a span, in it and after it. The span is clamped to one line of the text and to
/// character borders, so that a caret can be drawn.
fn around(text: &str, span: Span) -> [&str; 3] {
    let start = floor_char(text, span.start);
    let line_end = text[start..].find('\n').map_or(text.len(), |length| start + length);
    let end = floor_char(text, span.end.clamp(start, line_end));
    [&text[..start], &text[start..end], &text[end..]]
}

fn floor_char(text: &str, mut index: usize) -> usize {
    index = index.min(text.len());
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}

/// `text` with what commands a terminal, or may not stand in XML, written out as in `\u{1b}`:
/// control characters but for tabs and line breaks, overrides of the writing direction, and what is
/// no character. Text from files and arguments passes through this on its way to a reader.
///
/// ```
/// use memory_machine_language::diagnostic::visible;
///
/// assert_eq!(visible("tab\tand line\r\n"), "tab\tand line\r\n");
/// assert_eq!(visible("\u{1b}[31mred\u{9b}0m"), r"\u{1b}[31mred\u{9b}0m");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut written = String::with_capacity(text.len() + 16);
    let mut characters = text.chars().peekable();
    while let Some(it) = characters.next() {
        let ends_line = it == '\r' && characters.peek() == Some(&'\n');
        if is_hidden(it) && !ends_line {
            written.extend(it.escape_default());
        } else {
            written.push(it);
        }
    }
    Cow::Owned(written)
}

/// `text` as the text or an attribute of HTML and XML. What may not stand there at all is not looked at:
/// see [`visible`].
///
/// ```
/// use memory_machine_language::diagnostic::markup;
///
/// assert_eq!(markup("a<b>&\""), "a&lt;b&gt;&amp;&quot;");
/// ```
pub fn markup(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for it in text.chars() {
        match it {
            '&' => written += "&amp;",
            '<' => written += "&lt;",
            '>' => written += "&gt;",
            '"' => written += "&quot;",
            it => written.push(it),
        }
    }
    written
}

/// A number that follows from what bytes are (FNV-1a): the same on every machine and by every compiler.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Whether a character has an effect that a reader does not see.
pub fn is_hidden(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' => true,
        '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}' => true,
        other => other.is_control(),
    }
}

/// A diagnostic together with the text it is about: complete, ready to be printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The text that the span refers to.
    pub source: Source,
    /// What is wrong in it.
    pub diagnostic: Diagnostic,
}

impl Located {
    /// As it is displayed, with the colours of a terminal.
    pub fn coloured(&self) -> String {
        self.diagnostic.render_by(&Renderer::styled(), &self.source)
    }
}

impl fmt::Display for Located {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diagnostic.render(&self.source))
    }
}

impl std::error::Error for Located {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_no_markup() {
        assert_eq!(markup("a<b>&\""), "a&lt;b&gt;&amp;&quot;");
    }
}
