//! Where statements end and operands begin, in programs with C's statements.

use super::token::{Token, closing, position};

/// Behind the statement that begins at a place.
pub(super) fn end_of_statement(tokens: &[Token], at: usize) -> usize {
    let mut at = at;
    while tokens.get(at).is_some_and(|it| it.is_any(&["for", "if", "while"])) {
        at = closing(tokens, at + 1).map_or(tokens.len(), |it| it + 1);
    }
    let end = match tokens.get(at) {
        Some(open) if open.is("{") => closing(tokens, at),
        _ => position(&tokens[at.min(tokens.len())..], &[";"]).map(|it| it + at),
    };
    let end = end.map_or(tokens.len(), |it| it + 1);
    match tokens.get(end) {
        Some(word) if word.is("else") => end_of_statement(tokens, end + 1),
        _ => end,
    }
}

/// Whether a sign at a place stands before an operand, in a program with C's statements.
pub(super) fn is_prefix(tokens: &[Token], at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    if tokens[before].is(")") {
        // Behind the head of a loop or a branch begins a statement.
        let open = (0..before).rev().find(|&it| closing(tokens, it) == Some(before));
        let word = open.and_then(|it| it.checked_sub(1)).map(|it| &tokens[it]);
        return word.is_some_and(|it| it.is_any(&["if", "for", "while"]));
    }
    !tokens[before].ends_operand() || tokens[before].is_any(&["return", "else", "case", "}"])
}
