//! Operators that are written with letters and bars.

use super::words::operand_length;
use crate::notation::expression::opening;
use crate::notation::output::{spaced, words};
use crate::notation::token::{LogicalLine, Token};

/// `A[i, k] x A[k, j]`, where nothing is called x, and `3 | a[i]` in a condition: operators by their signs.
pub(super) fn operators(lines: &mut [LogicalLine]) {
    let is_x = |tokens: &[Token], at: usize| {
        tokens[at].is("x")
            && !tokens[at].blank.is_empty()
            && at > 0
            && (tokens[at - 1].is_any(&["]", ")"]) || tokens[at - 1].is_number())
            && tokens.get(at + 1).is_some_and(|it| it.is_name() || it.is_number() || it.is("("))
    };
    let all = |lines: &[LogicalLine], keep: bool| {
        let of = |it: &LogicalLine| {
            (0..it.tokens.len()).any(|at| it.tokens[at].is("x") && is_x(&it.tokens, at) == keep)
        };
        lines.iter().any(of)
    };
    let is_sign = all(lines, true) && !all(lines, false);
    for tokens in lines.iter_mut().map(|it| &mut it.tokens) {
        for at in 0..tokens.len() {
            if is_sign && is_x(tokens, at) {
                tokens[at].text = "×".to_owned();
            }
        }
        divides(tokens);
    }
}

/// `if 3 | n then`: whether a number divides another.
fn divides(tokens: &mut Vec<Token>) {
    let bars = (0..tokens.len()).filter(|&at| tokens[at].is("|")).collect::<Vec<_>>();
    let [bar] = bars[..] else { return };
    let is_condition = bar > 1 && tokens[bar - 2].is_any(&["if", "and", "or", "while", "elseif"]);
    if !is_condition || tokens[bar].blank.is_empty() {
        return;
    }
    let length = operand_length(&tokens[bar + 1..]);
    let place = tokens[bar].clone();
    let divisor = tokens[bar - 1].clone();
    let of = tokens[bar + 1..bar + 1 + length].to_vec();
    let made = |text: &str| Token::made(text, &place);
    let plain = [spaced(of), vec![made("mod")], spaced(vec![divisor]), vec![made("="), made("0")]];
    tokens.splice(bar - 1..bar + 1 + length, plain.concat());
}

/// Pascal's `div` is cut off where the sign of what is divided is open: of elements. Returns whether it is used.
pub(super) fn cut_quotients(lines: &mut [LogicalLine]) -> bool {
    let has = |word: &str| lines.iter().any(|it| it.tokens.iter().any(|it| it.is(word)));
    let ends = |it: &LogicalLine| it.tokens.last().is_some_and(|it| it.is(";"));
    let is_pascal = has(":=") && has("begin") && lines.iter().any(ends);
    let mut is_used = false;
    for tokens in lines.iter_mut().map(|it| &mut it.tokens).filter(|_| is_pascal) {
        let mut at = 1;
        while at + 1 < tokens.len() {
            let start = tokens[at].is_word("div").then(|| operand_start(&tokens[..at]));
            let Some(start) = start.filter(|it| tokens[*it..at].iter().any(|it| it.is("["))) else {
                at += 1;
                continue;
            };
            let end = at + 1 + operand_length(&tokens[at + 1..]);
            let parts = [&tokens[start..at], &tokens[at + 1..end]];
            let call = words(&tokens[at], "quotient ( {} , {} )", &parts);
            (at, is_used) = (start + call.len(), true);
            tokens.splice(start..end, call);
        }
    }
    is_used
}

/// Where the operand begins that tokens end in.
fn operand_start(tokens: &[Token]) -> usize {
    match opening(tokens) {
        Some(open) if open > 0 && tokens[open - 1].is_name() => open - 1,
        Some(open) => open,
        None => tokens.len().saturating_sub(1),
    }
}
