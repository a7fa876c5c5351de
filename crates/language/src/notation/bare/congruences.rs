//! `a ≡ b (mod m)`, and `x ← a + b (mod m)`: the remainders of both sides, and of all of the value.

use crate::notation::output::words;
use crate::notation::token::{LogicalLine, Token, closing};

/// What no side goes beyond.
const ENDS: [&str; 17] = [
    "if", "while", "until", "and", "or", "not", "then", "do", "return", ",", ";", "elseif",
    "elsif", "elif", "when", ":", "∧",
];
const EQUALS: [&str; 5] = ["≡", "=", "==", "≠", "≢"];

/// Writes them with `mod` as an operator.
pub(super) fn lines(lines: &mut [LogicalLine]) {
    lines.iter_mut().for_each(|it| while congruence(&mut it.tokens).is_some() {});
}

fn congruence(tokens: &mut Vec<Token>) -> Option<()> {
    let open = tokens.windows(2).position(|it| it[0].is("(") && it[1].is_word("mod"))?;
    let close = closing(tokens, open)?;
    // Where the side in front of a place begins: brackets and what they hold belong to it.
    let start = |from: usize, signs: &[&str]| {
        let mut at = from;
        let mut inside = 0_usize;
        while at > 0 {
            let it = &tokens[at - 1];
            inside += usize::from(it.closes());
            if inside == 0 && (it.opens() || it.is_any(&ENDS) || it.is_any(signs)) {
                break;
            }
            inside -= usize::from(it.opens());
            at -= 1;
        }
        at
    };
    let arrows = ["←", ":=", "<-", "⟵", "≔"];
    let right = start(open, &[&EQUALS[..], &arrows].concat());
    let sign = right.checked_sub(1).map(|at| tokens[at].clone());
    let (value, by) = (tokens[right..open].to_vec(), tokens[open + 2..close].to_vec());
    if value.is_empty() || by.is_empty() {
        return None;
    }
    let like = tokens[open].clone();
    let left = right.saturating_sub(1);
    let left = start(left, &arrows)..left;
    let is_target = left.start == 0 && sign.as_ref().is_some_and(|it| it.is("="));
    let is_equal =
        sign.as_ref().is_some_and(|it| it.is_any(&EQUALS)) && !is_target && !left.is_empty();
    let (from, plain) = match sign {
        Some(sign) if is_equal => {
            let sign = if sign.is_any(&["≠", "≢"]) { "≠" } else { "=" };
            let text = format!("( {{}} ) mod ( {{}} ) {sign} ( {{}} ) mod ( {{}} )");
            (left.start, words(&like, &text, &[&tokens[left], &by, &value, &by]))
        }
        _ => (right, words(&like, "( {} ) mod ( {} )", &[&value, &by])),
    };
    let first = tokens[from].clone();
    tokens.splice(from..=close, plain);
    (tokens[from].blank, tokens[from].column) = (first.blank, first.column);
    Some(())
}
