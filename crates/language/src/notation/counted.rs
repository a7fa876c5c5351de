//! What C and its heirs print: `for (i = 0; i < n; i++)`, `x += e`, `i++`.

use super::expression::plus;
use super::token::bracketed;
use super::token::{Token, closing, position, split};

/// A loop's head as one that books have, and what stands behind it: `i = a to b by s`.
pub(super) fn counted(tokens: &[Token]) -> Option<(Vec<Token>, &[Token])> {
    if !tokens.first()?.is("(") {
        return None;
    }
    let close = closing(tokens, 0)?;
    let [start, condition, advance] = split(&tokens[1..close], &[";"])[..] else { return None };
    let start = match start {
        [of, rest @ ..] if rest.first().is_some_and(Token::is_name) && of.is_name() => rest,
        all => all,
    };
    let [variable, arrow, from @ ..] = start else { return None };
    let at = position(condition, &["<", "<=", "≤", ">", ">=", "≥"])?;
    let (compared, sign, to) = (&condition[..at], &condition[at], &condition[at + 1..]);
    let is_variable = |it: &Token| it.is(&variable.text);
    let downward = sign.is_any(&[">", ">=", "≥"]);
    if !arrow.assigns() || !is_variable(compared.first()?) || from.is_empty() || to.is_empty() {
        return None;
    }
    let inward = if downward { 1 } else { -1 };
    let to = without(to.to_vec(), &compared[1..])?;
    let to = plus(to, if sign.is_any(&["<", ">"]) { inward } else { 0 });
    let wanted = if downward { ["--", "-="] } else { ["++", "+="] };
    let step = match advance {
        [name, sign] | [sign, name] if is_variable(name) && sign.is(wanted[0]) => None,
        [name, sign, by @ ..] if is_variable(name) && sign.is(wanted[1]) => Some(by),
        _ => return None,
    };
    let word = |text: &str| Token::made(text, &tokens[close]);
    let mut head = vec![Token::made(&variable.text, variable), word("←")];
    head.extend_from_slice(from);
    head.push(word(if downward { "downto" } else { "to" }));
    head.extend(to);
    if let Some(by) = step {
        head.push(word("step"));
        head.extend_from_slice(by);
    }
    Some((head, &tokens[close + 1..]))
}

/// A bound without what the condition adds to the variable, as in `j + 1 < n - i`.
fn without(to: Vec<Token>, added: &[Token]) -> Option<Vec<Token>> {
    const SUMS: [&str; 3] = ["+", "-", "−"];
    let [sign, rest @ ..] = added else { return Some(to) };
    let adds = sign.is("+");
    // `j - a + b` is no `j - (a + b)`.
    if rest.is_empty() || !sign.is_any(&SUMS) || !adds && position(rest, &SUMS).is_some() {
        return None;
    }
    if let [number] = rest
        && let Ok(number) = number.text.parse::<i64>()
    {
        return Some(plus(to, if adds { -number } else { number }));
    }
    let operator = Token::made(if adds { "-" } else { "+" }, sign);
    let operand = |it: Vec<Token>| if it.len() == 1 { it } else { bracketed(it) };
    Some([operand(to), vec![operator], operand(rest.to_vec())].concat())
}

/// The condition of `if (c) statement`, in its brackets, where no word parts it from the statement.
pub(super) fn condition<'a>(tokens: &'a [Token], then: &str) -> Option<&'a [Token]> {
    let close = closing(tokens, 0).filter(|_| tokens[0].is("("))?;
    let behind = &tokens[close + 1..];
    let is_statement = behind.first().is_some_and(Token::is_name)
        && !behind[0].is_any(&[then, "and", "or", "mod", "div", "xor", "do"])
        && position(behind, &[then]).is_none();
    is_statement.then(|| &tokens[..=close])
}

/// `x ← x + e` of `x += e`, and of `x++`.
pub(super) fn assigned(tokens: &[Token]) -> Option<Vec<Token>> {
    let at = position(tokens, &["+=", "-=", "*=", "/=", "++", "--"])?;
    let (target, sign, by) = (&tokens[..at], &tokens[at], &tokens[at + 1..]);
    if !target.first()?.is_name() || sign.is_any(&["++", "--"]) != by.is_empty() {
        return None;
    }
    let made = |text: &str| Token::made(text, sign);
    let mut again = target.to_vec();
    again[0].blank = " ".to_owned();
    let operator = made(&sign.text[..1]);
    let operand = match by {
        [] => vec![made("1")],
        [_] => by.to_vec(),
        _ => bracketed(by.to_vec()),
    };
    Some([target.to_vec(), vec![made("←")], again, vec![operator], operand].concat())
}
