//! The sources of LaTeX's packages for algorithms, as the text that they print.
//!
//! Blocks are made by commands (`\For … \EndFor`, `\For{…}{…}`, `\Do … \End`), so that each line knows how deep
//! it is; mathematics becomes the signs that it prints.

mod blocks;
mod cases;
mod elements;
mod equations;
mod macros;
mod parts;
mod sentences;
mod signs;
mod structure;

use self::macros::Macros;
pub(super) use self::parts::{is_whole, nth};
use super::recognise::Notation;
use crate::diagnostic::{Diagnostic, Span};

type Result<T> = std::result::Result<T, Diagnostic>;

/// A source as the text that it prints.
#[derive(Debug, Default)]
pub(super) struct Printed {
    pub(super) text: String,
    /// Where each part of the text begins, and what it was made from.
    parts: Vec<(usize, Span)>,
    pub(super) notation: Option<Notation>,
}

impl Printed {
    /// The place in the source of a place in the text.
    pub(super) fn printed(&self, span: Span) -> Span {
        let at = |place: usize, is_end: bool| {
            let behind = self.parts.partition_point(|it| it.0 < place || !is_end && it.0 == place);
            let nth = behind.checked_sub(1)?;
            let (start, source) = self.parts[nth];
            let end = self.parts.get(nth + 1).map_or(self.text.len(), |it| it.0);
            let offset = place - start;
            // What is made of something else stands for all of it.
            let is_same = offset <= end - start && end - start == source.end - source.start;
            Some(match (is_same, is_end) {
                (true, _) => source.start + offset,
                (false, false) => source.start,
                (false, true) => source.end,
            })
        };
        let from = at(span.start, false).unwrap_or(0);
        Span::new(from, at(span.end, true).unwrap_or(from).max(from))
    }
}

/// More macros inside each other than any source has.
const DEEPEST: usize = 60;
/// More than any source comes to.
const LONGEST: usize = 1 << 20;

struct Reader {
    out: Printed,
    depth: usize,
    /// Whether something stands on the line that is written.
    has_line: bool,
    macros: Macros,
    nesting: usize,
    /// The place in the source of what a macro stands for.
    around: Option<Span>,
}

/// A source, or the part of it that holds an algorithm.
///
/// # Errors
/// Macros without end.
pub(super) fn text(source: &str) -> Result<Printed> {
    let source = &cases::by_array(source);
    let (macros, source_span) = macros::definitions(source);
    if let Some(listing) = parts::verbatim(source) {
        let named = language(source);
        let is_code =
            named.is_some_and(|it| !has_mathematics(&source[listing.start..listing.end], it));
        if source[listing.start..listing.end].contains('$') && !is_code {
            let mut reader = Reader::new(macros);
            reader.mathescape(source, listing)?;
            return Ok(reader.out);
        }
        let inner = without_escapes(&source[listing.start..listing.end]);
        let notation = super::recognise::recognise(&inner, named).notation;
        return Ok(Printed { text: inner, parts: vec![(0, listing)], notation: Some(notation) });
    }
    let part = parts::algorithm(source).unwrap_or(source_span);
    let mut reader = Reader::new(macros);
    match equations::find(source) {
        Some(rows) => reader.equations(source, rows)?,
        None => {
            for part in parts::boxes(source).unwrap_or_else(|| vec![part]) {
                reader.read(source, part)?;
                reader.end_line();
            }
        }
    }
    reader.end_line();
    Ok(reader.out)
}

/// The language that a source says of its listings.
fn language(source: &str) -> Option<Notation> {
    let said = ["language=", "\\begin{minted}{"].iter().find_map(|it| source.split_once(it));
    let behind = said?.1;
    // `[90]Fortran`
    let behind =
        behind.split_once(']').filter(|_| behind.starts_with('[')).map_or(behind, |it| it.1);
    let behind = behind.trim_start_matches(['{', '[']);
    let end = behind.find(|it: char| !it.is_ascii_alphanumeric()).unwrap_or(behind.len());
    match behind[..end].to_ascii_lowercase().as_str() {
        "python" => Some(Notation::Python),
        "c" | "java" | "javascript" | "rust" | "go" | "cpp" => Some(Notation::C),
        "matlab" | "octave" | "fortran" | "julia" => Some(Notation::Matrix),
        _ => None,
    }
}

/// Whether dollars stand in the code of a listing, not only in its comments.
fn has_mathematics(text: &str, notation: Notation) -> bool {
    let signs: &[&str] = match notation {
        Notation::C => &["//", "/*"],
        Notation::Python => &["#"],
        _ => &["%", "!", "#"],
    };
    let code = |line: &str| signs.iter().filter_map(|it| line.find(it)).min().unwrap_or(line.len());
    text.lines().any(|it| it[..code(it)].contains('$'))
}

/// The listing without the LaTeX in it, `|\label{line}|`: blanks, so that places stay.
fn without_escapes(text: &str) -> String {
    let mut out = text.to_owned();
    for [open, close] in [["(*@", "@*)"], ["|\\label{", "}|"]] {
        while let Some(at) = out.find(open) {
            let Some(end) = out[at..].find(close).map(|it| at + it + close.len()) else { break };
            let blank = out[at..end].chars().map(|it| if it == '\n' { '\n' } else { ' ' });
            let blank: String = blank.collect();
            let blank = format!("{blank:<length$}", length = end - at);
            out.replace_range(at..end, &blank);
        }
    }
    while let Some(at) = out.find("\\label{") {
        let Some(close) = out[at..].find('}').map(|it| at + it + 1) else { break };
        let before = out[..at].chars().next_back().filter(|it| !it.is_alphanumeric());
        let is_pair = before.is_some_and(|it| out[close..].starts_with(it));
        let [from, to] = match before.filter(|_| is_pair) {
            Some(sign) => [at - sign.len_utf8(), close + sign.len_utf8()],
            None => [at, close],
        };
        out.replace_range(from..to, &" ".repeat(to - from));
    }
    out
}

impl Reader {
    fn new(macros: Macros) -> Self {
        let out = Printed::default();
        Self { out, depth: 0, has_line: false, macros, nesting: 0, around: None }
    }

    /// A listing as it stands, but for the mathematics between its dollars.
    fn mathescape(&mut self, source: &str, listing: Span) -> Result<()> {
        let mut start = listing.start;
        for line in source[listing.start..listing.end].split_inclusive('\n') {
            let mut at = start;
            start += line.len();
            let text = line.trim_end();
            self.out.text += &text[..text.len() - text.trim_start().len()];
            self.has_line = true;
            for (nth, part) in text.split('$').enumerate() {
                let place = Span::new(at, at + part.len());
                match nth % 2 {
                    0 if nth == 0 => {
                        let code = part.trim_start();
                        self.push(code, Span::new(place.end - code.len(), place.end));
                    }
                    0 => self.push(part, place),
                    _ => self.read(source, place)?,
                }
                at = place.end + 1;
            }
            self.has_line = true;
            self.end_line();
        }
        Ok(())
    }

    /// Text at the place of a part of the source.
    fn push(&mut self, text: &str, place: Span) {
        if !self.has_line {
            if text.trim().is_empty() {
                return;
            }
            let indent = "    ".repeat(self.depth);
            self.out.text += &indent;
            self.has_line = true;
        }
        self.out.parts.push((self.out.text.len(), self.around.unwrap_or(place)));
        self.out.text += text;
    }

    fn end_line(&mut self) {
        if self.has_line {
            self.out.text.push('\n');
            self.has_line = false;
        }
    }

    /// The part of a source.
    fn read(&mut self, source: &str, part: Span) -> Result<()> {
        self.nesting += 1;
        if self.nesting > DEEPEST || self.out.text.len() > LONGEST {
            let place = self.around.unwrap_or(part);
            return Err(Diagnostic::new(
                place,
                "macros that stand for themselves, or blocks too deep",
            )
            .help("write what is meant"));
        }
        let mut at = part.start;
        while at < part.end {
            let rest = &source[at..part.end];
            let first = rest.chars().next().unwrap_or(' ');
            match first {
                '\\' => at = self.command(source, at, part.end)?,
                '%' => at += rest.find('\n').map_or(rest.len(), |it| it + 1),
                '\n' => {
                    let is_blank = rest[1..].trim_start_matches([' ', '\t']).starts_with('\n');
                    if is_blank {
                        self.end_line();
                    } else if self.has_line {
                        self.push(" ", Span::new(at, at + 1));
                    }
                    at += 1;
                }
                '$' | '~' | '&' => {
                    if first != '$' {
                        self.push(" ", Span::new(at, at + 1));
                    }
                    at += 1;
                }
                '{' => {
                    let end = group(source, at, part.end);
                    let before = source[..at].chars().next_back().unwrap_or(' ');
                    let is_script = before == '_' || before == '^';
                    if is_script && before == '^' {
                        self.push("(", Span::new(at, at + 1));
                    } else if is_script {
                        self.push("{", Span::new(at, at + 1));
                    }
                    let inside = within(source, at, end);
                    self.read(source, inside)?;
                    if is_script {
                        let close = Span::new(inside.end, end);
                        self.push(if before == '^' { ")" } else { "}" }, close);
                    }
                    at = end;
                }
                '}' => at += 1,
                _ => {
                    let stop = rest
                        .find(['\\', '%', '\n', '$', '~', '&', '{', '}'])
                        .unwrap_or(rest.len())
                        .max(first.len_utf8());
                    let mut text = rest[..stop].to_owned();
                    if !self.has_line {
                        let trimmed = text.trim_start().to_owned();
                        let skip = text.len() - trimmed.len();
                        self.push(&trimmed, Span::new(at + skip, at + stop));
                    } else {
                        text = text.replace('\t', " ");
                        self.push(&text, Span::new(at, at + stop));
                    }
                    at += stop;
                }
            }
        }
        self.nesting -= 1;
        Ok(())
    }

    /// What stands in the braces at a place, blanks before them left out.
    fn argument(&self, source: &str, at: usize, end: usize) -> (Span, usize) {
        let mut start = at;
        while start < end && source[start..].starts_with([' ', '\n', '\t', '\r']) {
            start += 1;
        }
        if source[start..end].starts_with('{') {
            let close = group(source, start, end);
            return (within(source, start, close), close);
        }
        (Span::new(at, at), at)
    }

    /// Without what stands in square brackets here.
    fn skip_option(&self, source: &str, at: usize, end: usize) -> usize {
        let rest = &source[at..end];
        let blank = rest.len() - rest.trim_start_matches([' ']).len();
        // `\If(\tcc*[f]{a comment}){…}`
        if rest[blank..].starts_with("(\\tc")
            && let Some(open) = rest.find('{')
        {
            let close = group(source, at + open, end);
            return close + usize::from(source[close..end].starts_with(')'));
        }
        if !rest[blank..].starts_with('[') {
            return at;
        }
        rest.find(']').map_or(at, |it| at + it + 1)
    }
}

/// Behind the brace that closes the one here.
fn group(source: &str, at: usize, end: usize) -> usize {
    let (mut depth, mut escaped) = (0_usize, false);
    for (offset, byte) in source.as_bytes()[at..end].iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'{' => depth += 1,
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + offset + 1;
                }
            }
            _ => {}
        }
    }
    end.max(at + 1)
}

/// What the group from `open` to before `close` holds; one that nothing closes holds all that follows.
fn within(source: &str, open: usize, close: usize) -> Span {
    let is_closed = close > open + 1 && source.as_bytes()[close - 1] == b'}';
    Span::new(open + 1, if is_closed { close - 1 } else { close })
}
