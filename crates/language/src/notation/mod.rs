//! The notation of papers: listings as papers and textbooks print them, put into the plain form that
//! the language has.
//!
//! One pass before the lexer, for text that is no listing as it stands: what is one never changes.
//! Every token keeps its place in the text as printed, so that messages point there.
//! `docs/notation.md` says what is understood.

mod adopted;
mod array_assignment;
mod bare;
mod boundaries;
mod braces;
mod c;
mod calls;
mod counted;
mod digits;
mod element;
mod expression;
mod foreign;
mod head;
mod latex;
mod layout;
mod lengths;
mod loop_variables;
mod loops;
mod matrix;
mod names;
mod output;
mod pattern;
mod patterns;
mod pragma;
mod python;
mod r;
mod recognise;
mod reduction;
mod result;
mod scan;
mod script;
mod selection;
mod shared;
mod skip;
mod slices;
mod statement;
mod token;
mod tree;
mod vector_fold;

pub(super) use self::adopted::read;
use self::expression::Declarations;
use self::layout::{Item, LineKind, items, levels};
pub use self::recognise::Notation;
use self::token::Token;
use crate::diagnostic::Span;

/// A text in the plain form, and where each part of it stands in the text as printed.
#[derive(Debug)]
pub(crate) struct Plain {
    pub(super) text: String,
    parts: Vec<TextPart>,
}

#[derive(Debug)]
struct TextPart {
    plain: Span,
    printed: Span,
}

impl Plain {
    /// The place in the text as printed of a place in the plain text.
    pub(super) fn printed(&self, span: Span) -> Span {
        let behind = self.parts.partition_point(|it| it.plain.start <= span.start);
        let Some(part) = behind.checked_sub(1).map(|at| &self.parts[at]) else {
            return self.parts.first().map_or(span, |it| it.printed);
        };
        if span.start >= part.plain.end {
            // Between two parts: at the end of a line, or in its indentation.
            return match self.parts.get(behind) {
                Some(next) if span.end > span.start => next.printed,
                _ => Span::new(part.printed.end, part.printed.end),
            };
        }
        let length = |it: Span| it.end - it.start;
        if length(part.plain) != length(part.printed) {
            return part.printed;
        }
        let start = part.printed.start + (span.start - part.plain.start);
        Span::new(start, (start + length(span)).min(part.printed.end))
    }
}

/// The nth algorithm of a LaTeX source, from 1 on; lines before it are left empty, so that places stay.
pub fn nth(source: &str, nth: usize) -> Option<String> {
    let part = latex::nth(source, nth)?;
    let above = source[..part.start].matches('\n').count();
    Some("\n".repeat(above) + &source[part.start..part.end])
}

/// Whether a text declares its arrays, or begins as a listing of the language does.
pub(super) fn is_declared(text: &str) -> bool {
    let roles = ["input ", "output ", "inout ", "work "];
    let declares = |line: &str| {
        let line = line.trim();
        roles.iter().any(|role| {
            let rest = line.strip_prefix(role).unwrap_or("");
            let name = rest.find(|it: char| !it.is_ascii_alphanumeric() && it != '_').unwrap_or(0);
            name > 0 && rest[name..].trim_start().starts_with('[') && rest.contains(':')
        })
    };
    let head = text.lines().find(|it| {
        !it.trim().is_empty() && !it.trim().starts_with("//") && !it.trim().starts_with('#')
    });
    let begins = head.and_then(|it| it.strip_prefix("algorithm ")).is_some_and(|it| {
        let name = it.find(|it: char| !it.is_ascii_alphanumeric() && it != '_').unwrap_or(0);
        let code = it.split("//").next().unwrap_or_default().trim_end();
        // `algorithm partition(A, lo, hi) is` of Wikipedia is none.
        name > 0
            && it[name..].starts_with('(')
            && !code.ends_with([':', '{'])
            && !code.ends_with(" is")
    });
    begins || text.lines().any(declares)
}

/// The plain form of a text, if it has any notation that the plain form lacks. Linear in its length.
pub(super) fn plain(text: &str) -> Option<Plain> {
    let lines = token::lines(text)?;
    if lines.iter().any(|it| is_deep(&it.tokens)) {
        return None;
    }
    let told = |tokens: &[Token]| tokens.iter().map(|it| it.text.as_str()).collect::<String>();
    let code_as_printed = lines.iter().map(|it| told(&it.tokens)).collect::<String>();
    let comments_as_printed = lines.iter().map(|it| told(&it.comments)).collect::<String>();
    let is_own = |it: &Token| !text[it.span.start..].starts_with(&it.text);
    let has_own_comments = lines.iter().flat_map(|it| &it.comments).any(is_own);
    let mut items = items(lines);
    let known = Declarations::of(&mut items);
    for item in &mut items {
        match item.kind {
            LineKind::Statement => {
                let tokens = known.rewrite(&item.tokens);
                item.tokens = known.statement(tokens);
            }
            LineKind::Declaration if !item.tokens[0].is("algorithm") => {
                item.tokens = match item.tokens[0].text.as_str() {
                    "answer" | "ensures" | "requires" | "function" => known.rewrite(&item.tokens),
                    _ => std::mem::take(&mut item.tokens),
                };
            }
            _ => {}
        }
    }
    known.returned(&mut items);
    let levels = levels(&items);
    let code = items.iter().filter(|it| !matches!(it.kind, LineKind::Begin | LineKind::End));
    let now = code.map(|it| told(&it.tokens)).collect::<String>();
    let comments = items.iter().map(|it| told(&it.comments)).collect::<String>();
    let differs = now != code_as_printed || comments != comments_as_printed || has_own_comments;
    differs.then(|| print(&items, levels.as_deref()))
}

/// More brackets, or statements on a line, inside each other than any listing is read with.
const DEEPEST: usize = 150;

fn is_deep(tokens: &[Token]) -> bool {
    let inside = token::depths(tokens).into_iter().max().unwrap_or(0);
    let heads = tokens.iter().filter(|it| it.is_any(&["then", "do", "else", "pardo", ":"]));
    inside.max(heads.count()) > DEEPEST
}

/// The items, each on a line of its own, indented by their levels.
fn print(items: &[Item], levels: Option<&[usize]>) -> Plain {
    let mut plain = Plain { text: String::new(), parts: vec![] };
    let mut indents: Vec<usize> = match levels {
        Some(levels) => levels.iter().map(|level| 2 * level).collect(),
        None => items.iter().map(Item::column).collect(),
    };
    // Comments alone stand where the next statement does.
    let mut next = 0;
    for (indent, item) in indents.iter_mut().zip(items).rev() {
        match item.kind {
            LineKind::Statement => next = *indent,
            LineKind::Declaration => {}
            LineKind::Blank | LineKind::Begin | LineKind::End => *indent = next,
        }
    }
    for (index, item) in items.iter().enumerate() {
        let is_code = matches!(item.kind, LineKind::Statement | LineKind::Declaration);
        if !is_code && item.comments.is_empty() && item.kind != LineKind::Blank {
            continue;
        }
        let indent = indents[index];
        let tokens = item.tokens.iter().filter(|_| is_code);
        for (nth, token) in tokens.chain(&item.comments).enumerate() {
            match nth {
                0 => plain.text += &" ".repeat(indent),
                _ => plain.text += &token.blank,
            }
            let start = plain.text.len();
            plain.text += &token.text;
            let plain_span = Span::new(start, plain.text.len());
            plain.parts.push(TextPart { plain: plain_span, printed: token.span });
        }
        plain.text += "\n";
    }
    let end = plain.text.trim_end_matches('\n').len() + 1;
    plain.text.truncate(end);
    plain
}
