//! What lines say beside the computation: what is printed and read, and titles of parts.

use super::prose::is_sentence;
use crate::notation::layout::number_length;
use crate::notation::output::Hints;
use crate::notation::token::{DOTS, LogicalLine, Token, closing, split, text};

const PRINTS: [&str; 11] = [
    "show", "print", "println", "output", "write", "writeln", "display", "puts", "echo", "printf",
    "disp",
];
const READS: [&str; 4] = ["input", "read", "readln", "userinput"];
/// Words that say what a part of a text is about.
const LABELS: [&str; 17] = [
    "phase",
    "part",
    "stage",
    "model",
    "note",
    "remark",
    "idea",
    "complexity",
    "time",
    "space",
    "precondition",
    "postcondition",
    "assumption",
    "processors",
    "goal",
    "problem",
    "machine",
];
const OF_NAMES: [&str; 6] = ["input", "output", "require", "ensure", "given", "result"];

/// Makes comments of what is said, and results of what is printed.
pub(super) fn clear(lines: &mut [LogicalLine], hints: &mut Hints) {
    for line in lines.iter_mut() {
        remark(line);
        label(line);
    }
    let code: Vec<usize> = (0..lines.len()).filter(|&it| first(&lines[it]).is_some()).collect();
    let column = code.iter().filter_map(|&it| first(&lines[it])).map(|it| it.column).min();
    let ends = |it: &Token| it.text.to_ascii_lowercase().starts_with("end") || it.is("}block");
    // What prints words only says nothing of the result.
    let is_silent = |it: &LogicalLine| {
        let shown = shown(&it.tokens[number_length(&it.tokens)..]);
        shown.is_some_and(|it| it.values.iter().all(Vec::is_empty))
    };
    let last = code
        .iter()
        .copied()
        .rfind(|&it| !first(&lines[it]).is_some_and(ends) && !is_silent(&lines[it]));
    for at in code {
        let number = number_length(&lines[at].tokens);
        let mut from = number;
        while from < lines[at].tokens.len() {
            let tokens = &lines[at].tokens;
            let begins = from == number
                || tokens[from - 1].is_any(&[";", "then", "do", "else", "begin", "{block", ":"]);
            let Some(shown) = begins.then(|| shown(&tokens[from..])).flatten() else {
                from += 1;
                continue;
            };
            let word = &tokens[from];
            let is_whole = from == number && from + shown.length == tokens.len();
            let is_outermost = Some(word.column) == column;
            // A scalar that is read again and again has many values.
            if shown.is_read && !is_outermost && shown.values.iter().any(|it| it.len() == 1) {
                from += 1;
                continue;
            }
            let plain = match is_whole && is_outermost {
                true if Some(at) == last && shown.tells() => shown.returned(word),
                is_alone => {
                    let text = text(&tokens[from..from + shown.length]);
                    shown.leave_out(word, &text, hints);
                    if is_alone { vec![] } else { vec![word.with("pass")] }
                }
            };
            let length = plain.len();
            lines[at].tokens.splice(from..from + shown.length, plain);
            if length == 0 {
                lines[at].tokens.clear();
            }
            from += length.max(1);
        }
    }
}

fn first(line: &LogicalLine) -> Option<&Token> {
    line.tokens.get(number_length(&line.tokens))
}

/// What a statement prints or reads.
struct Shown {
    /// Each without its texts in quotes.
    values: Vec<Vec<Token>>,
    is_read: bool,
    length: usize,
}

impl Shown {
    fn said(&self) -> impl Iterator<Item = &Vec<Token>> {
        self.values.iter().filter(|it| !it.is_empty())
    }

    /// Whether it prints a value.
    fn tells(&self) -> bool {
        !self.is_read && self.said().next().is_some()
    }

    /// What is printed last is what comes out.
    fn returned(&self, word: &Token) -> Vec<Token> {
        let values: Vec<&[Token]> = self.said().map(Vec::as_slice).collect();
        [vec![word.with("return")], values.join(&Token::glued(",", word))].concat()
    }

    /// Remembers what it prints or reads, and that it goes.
    fn leave_out(&self, word: &Token, text: &str, hints: &mut Hints) {
        let what = match self.is_read {
            true => "is given",
            false => "has no effect on the values: left out",
        };
        hints.said.push((word.clone(), format!("`{text}` {what}")));
        for value in self.said().filter(|_| !self.is_read) {
            match &value[..] {
                [name] if name.is_name() => {
                    hints.outputs.insert(name.text.clone());
                }
                [name, open, ..] if open.is("[") => {
                    hints.returned.insert(name.text.clone());
                }
                _ => {}
            }
        }
    }
}

fn shown(tokens: &[Token]) -> Option<Shown> {
    let word = &tokens[0];
    let is_read = word.is_any(&READS);
    let end = tokens.iter().position(|it| it.is_any(&["}block", "end", "else", "until"]));
    let end = split(&tokens[..end.unwrap_or(tokens.len())], &[";"])[0].len();
    let next = tokens.get(1);
    let is_other = next.is_some_and(|it| it.assigns() || it.is_any(&[":", "[", "."]));
    let assigns = tokens[..end].iter().any(Token::assigns);
    if !(is_read || word.is_any(&PRINTS)) || is_other || assigns && !is_quoted(&tokens[..end]) {
        return None;
    }
    let inside = match &tokens[1..end] {
        [open, inside @ .., _] if open.is("(") && closing(&tokens[1..end], 0) == Some(end - 2) => {
            inside
        }
        all => all,
    };
    let values = split(inside, &[","]).into_iter().map(unquoted).collect();
    Some(Shown { values, is_read, length: end })
}

const QUOTES: [&str; 6] = ["\"", "'", "“", "”", "‘", "’"];

fn is_quoted(tokens: &[Token]) -> bool {
    tokens.iter().any(|it| QUOTES.contains(&it.text.as_str()))
}

/// Without texts in quotes.
fn unquoted(tokens: &[Token]) -> Vec<Token> {
    let (mut is_inside, mut kept) = (false, vec![]);
    for token in tokens {
        if QUOTES.contains(&token.text.as_str()) {
            is_inside = !is_inside;
        } else if !is_inside {
            kept.push(token.clone());
        }
    }
    if is_quoted(tokens) {
        kept.retain(|it| !it.is_any(&["+", "&", "<<"]));
    }
    kept
}

/// `REM …`, `comment …` and `-- …` are comments.
fn remark(line: &mut LogicalLine) {
    let number = number_length(&line.tokens);
    let Some(first) = line.tokens.get(number) else { return };
    let is_shouted = first.is("REM")
        || first.is("comment")
        || first.is_any(&["assert", "invariant", "assertion"]);
    let next = line.tokens.get(number + 1);
    let is_dash = first.is("--") && next.is_some_and(|it| !it.blank.is_empty());
    if is_dash || is_shouted && !next.is_some_and(Token::assigns) {
        let said = text(&line.tokens[number + 1..]);
        comment(line, number, &said);
    }
}

/// A line becomes a comment, in the place of what stands behind its number.
fn comment(line: &mut LogicalLine, number: usize, said: &str) {
    let comment = line.tokens[number].with(format!("// {said}"));
    line.comments.insert(0, comment);
    line.tokens.clear();
}

/// `Input array A of n numbers`, `Phase 1: local sums`, `Model: EREW`.
fn label(line: &mut LogicalLine) {
    let number = number_length(&line.tokens);
    let code = &line.tokens[number.min(line.tokens.len())..];
    let Some(first) = code.first() else { return };
    if code.iter().any(Token::assigns) && !code.get(1).is_some_and(|it| it.is(":")) {
        return;
    }
    let computes = code.iter().any(|it| it.is_any(&["div", "mod", "xor", "and", "or"]));
    let has_dots = code.iter().any(|it| it.is_any(&DOTS));
    let says = first.is_any(&OF_NAMES) && (is_sentence(&code[1..]) || has_dots) && !computes;
    let colon = code.iter().take(3).position(|it| it.is(":"));
    // `Global variables: n, A[0 … n - 1], j`
    let is_condition = first.is_any(&["global", "initial", "final"])
        && code
            .get(1)
            .is_some_and(|it| it.is_any(&["variable", "variables", "condition", "conditions"]))
        && code.get(2).is_some_and(|it| it.is(":"));
    let labels = is_condition
        || colon.is_some_and(|colon| {
            let behind = &code[colon + 1..];
            let are_words = behind.windows(2).any(|it| it[0].is_name() && it[1].is_name());
            first.is_any(&LABELS)
                && (behind.is_empty() && colon > 1
                    || are_words && !super::prose::begins(behind)
                    || behind.len() == 1 && behind[0].is_name() && colon > 1)
        });
    // `The up-sweep phase:`
    let is_title = number == 0
        && code.len() > 3
        && code[code.len() - 1].is(":")
        && first.is_any(&["the", "a", "an", "this", "in"])
        && is_sentence(&code[..code.len() - 1]);
    if says || labels || is_title {
        let said = text(code);
        comment(line, number, &said);
    }
}
