//! Commands that a source defines itself.

use std::collections::HashMap;

use super::{group, within};
use crate::diagnostic::Span;

/// What a command stands for.
#[derive(Debug, Clone)]
pub(super) enum Macro {
    /// How many arguments it takes, and its text.
    Text(usize, String),
    /// A keyword or the name of a function.
    Word(String),
    /// What an algorithm or a procedure of algorithm2e begins with.
    Program(String),
    /// A loop of algorithm2e, whose head begins with this and ends with that; whether it is parallel.
    Loop(String, String),
}

pub(super) type Macros = HashMap<String, Macro>;

/// The definitions of a source, and the part behind them.
pub(super) fn definitions(source: &str) -> (Macros, Span) {
    let mut macros = Macros::new();
    let mut at = 0;
    let mut behind = 0;
    while let Some(offset) = source[at..].find('\\') {
        let start = at + offset;
        let name: String =
            source[start + 1..].chars().take_while(char::is_ascii_alphabetic).collect();
        let mut next = start
            + 1
            + name.len().max(usize::from(
                name.is_empty() && start + 1 < source.len() && source.is_char_boundary(start + 2),
            ));
        next = next.min(source.len());
        while !source.is_char_boundary(next) {
            next += 1;
        }
        at = next;
        let mut take = || {
            let rest = &source[next..];
            let blank = rest.len() - rest.trim_start().len();
            let open = next + blank;
            if source[open..].starts_with('{') {
                let close = group(source, open, source.len());
                next = close;
                let inside = within(source, open, close);
                return Some(source[inside.start..inside.end].to_owned());
            }
            if source[open..].starts_with('\\') {
                let name: String =
                    source[open + 1..].chars().take_while(char::is_ascii_alphabetic).collect();
                next = open + 1 + name.len();
                return Some(format!("\\{name}"));
            }
            None
        };
        match name.as_str() {
            "newcommand" | "renewcommand" | "providecommand" | "algnewcommand" | "def" => {
                let Some(defined) = take() else { continue };
                let rest = &source[next..];
                let mut count = 0;
                if let Some(option) = rest.strip_prefix('[') {
                    let end = option.find(']').unwrap_or(0);
                    // TeX has nine at most.
                    count = option[..end].parse().unwrap_or(0).min(9);
                    next += end + 2;
                } else if name == "def" {
                    let end = rest.find('{').unwrap_or(0);
                    count = rest[..end].matches('#').count().min(9);
                    next += end;
                }
                let rest = &source[next..];
                let blank = rest.len() - rest.trim_start().len();
                let open = next + blank;
                if !source[open..].starts_with('{') {
                    continue;
                }
                let close = group(source, open, source.len());
                let inside = within(source, open, close);
                let body = source[inside.start..inside.end].to_owned();
                let defined = defined.trim().trim_start_matches('\\').to_owned();
                macros.insert(defined, Macro::Text(count, body));
                (at, behind) = (close, close);
            }
            "DeclareMathOperator" => {
                if let (Some(defined), Some(text)) = (take(), take()) {
                    macros.insert(defined.trim_start_matches('\\').to_owned(), Macro::Word(text));
                    (at, behind) = (next, next);
                }
            }
            "SetKwProg" | "SetKwFunction" | "SetKw" | "SetKwData" | "SetKwArray" | "SetKwInOut"
            | "SetKwInput" => {
                if let (Some(defined), Some(text)) = (take(), take()) {
                    // algorithm2e's own words for input and output.
                    let is_said = name.starts_with("SetKwIn");
                    for (defined, text) in defined.split(',').zip(text.split(',')) {
                        let text = text.trim();
                        let word = match is_said {
                            true => Macro::Word(format!("{text}:")),
                            false if name == "SetKwProg" => Macro::Program(text.to_owned()),
                            false => Macro::Word(text.to_owned()),
                        };
                        macros.insert(defined.trim().to_owned(), word);
                    }
                    (at, behind) = (next, next);
                }
            }
            "SetKwFor" => {
                if let (Some(defined), Some(head), Some(tail), Some(_)) =
                    (take(), take(), take(), take())
                {
                    macros.insert(defined.trim().to_owned(), Macro::Loop(head, tail));
                    (at, behind) = (next, next);
                }
            }
            _ => {}
        }
    }
    (macros, Span::new(behind, source.len()))
}
