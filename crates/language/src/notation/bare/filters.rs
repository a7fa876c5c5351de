//! What holds of the values of loops, beside their ranges.

use crate::notation::expression::integer;
use crate::notation::token::{Token, closing, position, split};

/// `for 1 ≤ i ≤ n, i mod 2^h = 0 pardo`: what stands behind the range is a condition.
fn beside(tokens: &mut [Token]) {
    let end = position(tokens, &["do", "pardo", "in", "with", "where"]).unwrap_or(tokens.len());
    let Some(comma) = position(&tokens[..end], &[","]).filter(|it| *it > 3) else { return };
    let orders = ["<", "≤", "<=", ">", "≥", ">="];
    let is_chain = split(&tokens[1..comma], &orders).len() == 3;
    let behind = &tokens[comma + 1..end];
    let is_condition = split(behind, &["=", "≠", "=="]).len() == 2
        && position(behind, &orders).is_none()
        && behind.iter().any(|it| it.is_any(&["mod", "≠"]));
    if is_chain && is_condition {
        tokens[comma] = Token::made("with", &tokens[comma]);
    }
}

/// `{1, …, n} ∖ {k}`: without k.
fn without(tokens: &mut Vec<Token>) {
    let Some(at) = tokens.iter().position(|it| it.is_any(&["∖", "\\"])) else { return };
    let [_, open, ..] = &tokens[at..] else { return };
    let Some(close) = closing(tokens, at + 1).filter(|_| open.is("{")) else { return };
    let Some(sign) = position(&tokens[..at], &["∈", "in"]).filter(|it| *it > 0) else { return };
    let variable = tokens[sign - 1].clone();
    let place = tokens[at].clone();
    let values = split(&tokens[at + 2..close], &[","])
        .into_iter()
        .map(<[Token]>::to_vec)
        .collect::<Vec<_>>();
    let differs = values.into_iter().map(|value| {
        let is = [Token::made(&variable.text, &place), Token::made("≠", &place)];
        [is.to_vec(), crate::notation::output::spaced(value)].concat()
    });
    let and = Token::made("and", &place);
    let said = differs.collect::<Vec<_>>().join(&and);
    tokens.splice(at..=close, [vec![Token::made("with", &place)], said].concat());
}

/// `… with level[u] = d`: what values of a loop have beside their range, as the head of a branch; `{0, 2, 4, …}` with
/// `i + 1 < n` goes so far.
pub(super) fn condition(tokens: &mut Vec<Token>) -> Option<Vec<Token>> {
    without(tokens);
    beside(tokens);
    let at = position(tokens, &["with", "where"])?;
    let end = position(tokens, &["do", "pardo", "in parallel"]).unwrap_or(tokens.len());
    let end = match &tokens[..end] {
        [.., one, two] if one.is_word("in") && two.is_word("parallel") => end - 2,
        [.., last] if last.is_any(&[":", ","]) => end - 1,
        _ => end,
    };
    let said = tokens.get(at + 1..end)?;
    let has_range =
        tokens[..at].iter().any(|it| it.is_any(&["∈", "=", "←", ":=", "in", "≤", "<", "to"]));
    let step = said.iter().any(|it| it.is_any(&["step", "steps", "increments", "stride"]));
    let signs = ["=", "≠", "<", "≤", ">", ">=", "<=", "≥", "!=", "=="];
    if !has_range || step || position(said, &signs).is_none() || said[0].is_any(&["a", "an"]) {
        return None;
    }
    let first = tokens[0].clone();
    let open = tokens[..at].iter().rposition(|it| it.is_any(&["…", "...", ".."]));
    let is_open = open.is_some_and(|it| tokens[it + 1..at].iter().all(|it| it.is("}")));
    if let (true, Some(dots)) = (is_open, open) {
        // As far as the condition holds.
        let sign = position(said, &["<", "≤", "<="])?;
        let by = match &said[..sign] {
            [_] => 0,
            [_, plus, number] if plus.is("+") => integer(std::slice::from_ref(number))?,
            _ => return None,
        };
        let less = by + i64::from(said[sign].is("<"));
        let to = crate::notation::expression::plus(said[sign + 1..].to_vec(), -less);
        let behind = tokens.split_off(end);
        tokens.truncate(at);
        tokens.splice(dots + 1..dots + 1, [vec![Token::glued(",", &first)], to].concat());
        tokens.extend(behind);
        return Some(vec![]);
    }
    let head = [vec![first.with("if")], said.to_vec(), vec![Token::made("then", &first)]].concat();
    tokens.drain(at..end);
    Some(head)
}
