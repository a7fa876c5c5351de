//! `n(n + 1)` and `p(j)`: a factor before a bracket, or the index of an array that is given.

use std::collections::HashSet;

use super::head::Head;
use crate::notation::names::is_greek_name;
use crate::notation::token::{LogicalLine, Token, closing, split};

/// Names before brackets that books have for values: one letter.
fn is_letter(token: &Token) -> bool {
    token.is_name() && (token.text.len() == 1 || is_greek_name(&token.text))
}

/// What values stand beside, and no arrays.
const SIGNS: [&str; 16] =
    ["+", "-", "−", "×", "·", "*", "/", "^", "<", "≤", ">", "≥", "to", "downto", "mod", "for"];

/// What stands in the brackets behind a letter.
fn inside(tokens: &[Token], at: usize) -> Option<&[Token]> {
    let is_open = is_letter(&tokens[at]) && tokens.get(at + 1)?.is("(");
    let close = closing(tokens, at + 1).filter(|_| is_open)?;
    Some(&tokens[at + 2..close])
}

fn is_sum(inside: &[Token]) -> bool {
    let signs = ["+", "-", "−", "–", "×", "·", "*", "/"];
    split(inside, &[","]).len() == 1
        && crate::notation::token::position(inside, &signs).is_some()
        && !inside.windows(2).any(|it| it[0].is_name() && it[1].is_name())
}

/// Signs of products behind letters that are values elsewhere; gives the letters that only have indices, `p(j)` and
/// `w(u, v)`, and how many.
pub(super) fn lines(
    lines: &mut [LogicalLine],
    heads: &[Head],
    is_round: bool,
) -> Vec<(Token, usize)> {
    let is_own = |it: &Token| heads.iter().any(|head| head.name.is(&it.text));
    let mut values: HashSet<String> = HashSet::new();
    for line in lines.iter() {
        for at in 0..line.tokens.len() {
            let next = line.tokens.get(at + 1);
            let is_open = next.is_some_and(|it| it.is_any(&["(", "["]));
            let before = at.checked_sub(1).map(|it| &line.tokens[it]);
            let computes =
                [before, next].into_iter().flatten().any(|it| it.is_any(&SIGNS) || it.assigns());
            if is_letter(&line.tokens[at]) && !is_open && computes {
                values.insert(line.tokens[at].text.clone());
            }
        }
    }
    let mut given: Vec<(Token, usize)> = vec![];
    let mut others: HashSet<String> = HashSet::new();
    for line in lines.iter_mut() {
        for at in (0..line.tokens.len()).rev() {
            let token = line.tokens[at].clone();
            let Some(inside) = inside(&line.tokens, at).filter(|_| !is_own(&token)) else {
                continue;
            };
            let is_target = at == 0 && line.tokens.iter().any(Token::assigns);
            let is_value = values.contains(&token.text);
            let parts = split(inside, &[","]);
            let is_index =
                parts.iter().all(|it| matches!(it, [one] if one.is_name() || one.is_number()));
            if is_sum(inside)
                && !is_target
                && !is_round
                && (is_value || !line.tokens[at + 1].blank.is_empty())
            {
                line.tokens[at + 1].blank = " ".to_owned();
                line.tokens.insert(at + 1, Token::made("×", &token));
            } else if is_index && !is_value {
                given.push((token, parts.len()));
            } else {
                others.insert(token.text);
            }
        }
    }
    given.retain(|it| !others.contains(&it.0.text));
    given
}
