//! Conditions as books write them: `0 ≤ i < n`, `x ∈ {2, 3}`, `[a < b]` as a number.

use crate::notation::output::{spaced, words};
use crate::notation::token::{Token, bracketed, closing, depths, position, split};

const UPWARD: [&str; 4] = ["<", "≤", "<=", "⩽"];
const DOWNWARD: [&str; 4] = [">", "≥", ">=", "⩾"];
/// All comparisons.
const COMPARISONS: [&str; 12] = ["<", "≤", "<=", "⩽", ">", "≥", ">=", "⩾", "=", "==", "≠", "!="];
/// What comparisons stand between, beside brackets.
const LIMITS: [&str; 19] = [
    "and", "or", "∧", "∨", "&&", "||", "not", "¬", "if", "while", "until", "then", "else",
    "return", "elseif", ",", "←", ":=", "<-",
];

/// `0 ≤ i < n` outside of a loop's head: both comparisons.
pub(super) fn chains(tokens: &[Token]) -> Vec<Token> {
    if tokens.first().is_some_and(|it| it.is_any(&["for", "forall", "foreach", "parallel", "par"]))
    {
        return tokens.to_vec();
    }
    let mut out = tokens.to_vec();
    let mut at = 0;
    while at < out.len() {
        let Some((middle, next)) = chained(&out, at) else {
            at += 1;
            continue;
        };
        let like = out[next].clone();
        let again = [vec![Token::made("and", &like)], spaced(out[middle..next].to_vec())].concat();
        out.splice(next..next, again);
        at = next + 1;
    }
    out
}

/// Of a comparison at `at` that is compared again, the operand between, and where the next sign stands.
fn chained(tokens: &[Token], at: usize) -> Option<(usize, usize)> {
    let signs: &[&str] = match () {
        () if tokens[at].is_any(&UPWARD) => &UPWARD,
        () if tokens[at].is_any(&DOWNWARD) => &DOWNWARD,
        () => return None,
    };
    let mut next = at + 1;
    while let Some(token) = tokens.get(next) {
        if token.is_any(signs) {
            return (next > at + 1).then_some((at + 1, next));
        }
        if token.is_any(&["(", "[", "⌊", "⌈"]) {
            next = closing(tokens, next)? + 1;
            continue;
        }
        if token.is_any(&LIMITS) || token.is_any(&[")", "]", "⌋", "⌉", "=", "≠"]) {
            return None;
        }
        next += 1;
    }
    None
}

/// `i, j > 0` in a condition: each of them.
pub(super) fn each(tokens: &[Token]) -> Vec<Token> {
    let mut out = tokens.to_vec();
    let mut at = 1;
    while at + 3 < out.len() {
        let begins = out[at - 1].is_any(&["if", "and", "or", "while", "until", "elseif"]);
        let [first, comma, second, sign, bound] = &out[at..=(at + 4).min(out.len() - 1)] else {
            break;
        };
        let is_list = begins
            && first.is_name()
            && comma.is(",")
            && second.is_name()
            && sign.is_any(&COMPARISONS);
        let is_bound = bound.is_number() || bound.is_name();
        if is_list
            && is_bound
            && !out.get(at + 5).is_some_and(|it| it.is_any(&["[", "(", "+", "-", "/"]))
        {
            let made = [sign.clone(), bound.clone(), Token::made("and", comma)];
            out.splice(at + 1..at + 2, made);
            out[at + 4].blank = " ".to_owned();
            at += 6;
        }
        at += 1;
    }
    out
}

/// `x ∈ {2, 3, 5}` in a condition.
pub(super) fn members(tokens: &[Token]) -> Vec<Token> {
    let sign = (1..tokens.len()).find(|&at| tokens[at].is_any(&["∈", "∉"]));
    let is_loop =
        tokens.first().is_some_and(|it| it.is_any(&["for", "forall", "foreach", "parallel"]));
    let Some(at) = sign.filter(|_| !is_loop) else { return tokens.to_vec() };
    let close = tokens.get(at + 1).filter(|it| it.is("{")).and_then(|_| closing(tokens, at + 1));
    let Some(close) = close else { return tokens.to_vec() };
    // Behind a word, or an open bracket.
    let levels = depths(&tokens[..at]);
    let own = tokens[..at]
        .iter()
        .map(|it| i64::from(it.is_any(&["(", "["])) - i64::from(it.is_any(&[")", "]"])));
    let own = own.sum::<i64>().max(0) as usize;
    let is_start = |it: &usize| {
        levels[*it] + 1 == own && tokens[*it].is("(")
            || levels[*it] == own && tokens[*it].is_any(&LIMITS)
    };
    let start = (0..at).rev().find(is_start).map_or(0, |it| it + 1);
    let (of, inside) = (&tokens[start..at], &tokens[at + 2..close]);
    if of.is_empty() || inside.iter().any(|it| it.is_any(&["…", "...", ".."])) {
        return tokens.to_vec();
    }
    let like = &tokens[at];
    let one = |value: &&[Token]| {
        [of.to_vec(), vec![Token::made("=", like)], spaced(value.to_vec())].concat()
    };
    let all: Vec<Vec<Token>> = split(inside, &[","]).iter().map(one).map(spaced).collect();
    let all = bracketed(all.join(&[Token::made("or", like)][..]));
    let not = if like.is("∉") { vec![Token::made("not", like)] } else { vec![] };
    [&tokens[..start], &not, &spaced(all), &tokens[close + 1..]].concat()
}

/// `[a < b]` of Iverson, where no index stands.
pub(super) fn iverson(tokens: &[Token]) -> Vec<Token> {
    let mut out = tokens.to_vec();
    for at in (1..tokens.len()).rev() {
        if !out[at].is("[") || out[at - 1].ends_operand() && !out[at - 1].is("}") {
            continue;
        }
        let Some(close) = closing(&out, at) else { continue };
        if position(&out[at + 1..close], &COMPARISONS).is_some() {
            make_number(&mut out, at, close);
        }
    }
    out
}

/// What stands in brackets is 1 where it holds, and else 0.
fn make_number(tokens: &mut Vec<Token>, open: usize, close: usize) {
    let mut number = words(&tokens[open], "( if {} then 1 else 0 )", &[&tokens[open + 1..close]]);
    number[0].blank.clone_from(&tokens[open].blank);
    tokens.splice(open..=close, number);
}

/// `k + (a < b)`: a condition as a number.
pub(super) fn numbers(tokens: &[Token]) -> Vec<Token> {
    let arrows = ["←", ":=", "<-", "=", "≔", "+=", "-=", "*="];
    let Some(arrow) = position(tokens, &arrows) else { return tokens.to_vec() };
    let mut out = tokens.to_vec();
    let sums = ["+", "-", "−", "×", "*", "·", "+=", "-=", "*="];
    for at in (arrow + 1..tokens.len()).rev() {
        let Some(close) = Some(&out[at]).filter(|it| it.is("(")).and_then(|_| closing(&out, at))
        else {
            continue;
        };
        let inside = &out[at + 1..close];
        let is_condition =
            position(inside, &COMPARISONS).is_some() && position(inside, &["if", "?"]).is_none();
        let adds =
            out[at - 1].is_any(&sums) || out.get(close + 1).is_some_and(|it| it.is_any(&sums));
        let is_call = out[at - 1].ends_operand();
        if is_condition && adds && !is_call {
            make_number(&mut out, at, close);
        }
    }
    out
}
