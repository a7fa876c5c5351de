//! `for all` of texts that say nothing of processors: where its iterations need each other, they are done in turn.

use crate::notation::layout::number_length;
use crate::notation::token::{LogicalLine, Token, closing};

/// What says that loops are parallel.
const PARALLEL: [&str; 13] = [
    "parallel",
    "pardo",
    "par",
    "parfor",
    "dopar",
    "processor",
    "processors",
    "pram",
    "erew",
    "crew",
    "crcw",
    "concurrently",
    "threads",
];

/// Makes `for each` of such heads, and says so.
pub(super) fn lines(lines: &mut [LogicalLine]) -> Vec<(Token, String)> {
    let is_said = |it: &Token| it.is_any(&PARALLEL) || it.text.starts_with("P_");
    let in_comment =
        |it: &Token| PARALLEL.iter().any(|word| it.text.to_ascii_lowercase().contains(word));
    let says =
        |it: &LogicalLine| it.tokens.iter().any(is_said) || it.comments.iter().any(in_comment);
    let mut said = vec![];
    if lines.iter().any(says) {
        return said;
    }
    for at in 0..lines.len() {
        let number = number_length(&lines[at].tokens);
        let Some([word, all, variable, ..]) = lines[at].tokens.get(number..) else { continue };
        if !word.is_word("for") || !all.is_word("all") || !variable.is_name() {
            continue;
        }
        let (column, variable) = (word.column, variable.clone());
        let below = |it: &&LogicalLine| {
            it.tokens.get(number_length(&it.tokens)).is_none_or(|it| it.column > column)
        };
        let body: Vec<&LogicalLine> = lines[at + 1..].iter().take_while(below).collect();
        if needs_order(&body, &variable) {
            let text = "`for all` in turn: iterations read what others write".to_owned();
            said.push((lines[at].tokens[number].clone(), text));
            lines[at].tokens[number + 1].text = "each".to_owned();
        }
    }
    said
}

/// Whether an element is written whose index has not the loop's variable, of an array that is read, too.
fn needs_order(body: &[&LogicalLine], variable: &Token) -> bool {
    let accesses = |line: &LogicalLine| {
        let tokens = &line.tokens;
        let at = |at: usize| {
            let is_access = tokens[at].is_name() && tokens.get(at + 1)?.is("[");
            let close = closing(tokens, at + 1).filter(|_| is_access)?;
            let has_variable = tokens[at..close].iter().any(|it| it.is(&variable.text));
            let is_written = tokens.get(close + 1).is_some_and(Token::assigns)
                && !tokens[..at].iter().any(|it| it.is_any(&["if", "while", "until"]));
            Some((tokens[at].text.clone(), has_variable, is_written))
        };
        (0..tokens.len()).filter_map(at).collect::<Vec<_>>()
    };
    if carries(body) {
        return true;
    }
    let all: Vec<_> = body.iter().flat_map(|it| accesses(it)).collect();
    all.iter().any(|it| it.2 && !it.1 && all.iter().any(|of| of.0 == it.0 && !of.2))
}

/// Whether a scalar is read before the body assigns it.
fn carries(body: &[&LogicalLine]) -> bool {
    let target = |line: &LogicalLine| {
        let code = &line.tokens[number_length(&line.tokens).min(line.tokens.len())..];
        let head = code.iter().position(|it| it.is_any(&["then", "do"])).map_or(0, |it| it + 1);
        match code.get(head..)? {
            [name, arrow, ..] if name.is_name() && arrow.assigns() => {
                Some((name.text.clone(), head))
            }
            _ => None,
        }
    };
    let names: Vec<String> = body.iter().filter_map(|it| target(it)).map(|it| it.0).collect();
    names.iter().any(|name| {
        let first = body.iter().find(|it| it.tokens.iter().any(|it| it.is(name)));
        first.is_some_and(|it| {
            let is_target = target(it).is_some_and(|of| of.0 == *name);
            !is_target || it.tokens.iter().filter(|it| it.is(name)).count() > 1
        })
    })
}
