//! Parts of arrays in steps, as `a[1::2]` and `a(1:2:n)`.

use super::{Index, Style, counted};
use crate::notation::token::Token;

/// The first index, the step, and how many there are.
pub(super) fn strided(
    [from, second, third]: [&[Token]; 3],
    like: &Token,
    size: &[Token],
    style: Style,
) -> Option<Index> {
    let counted = |of: &[Token]| counted(of, like, size, style);
    let sum = |of: Vec<Token>, sign: &str, by: &str| {
        [of, vec![Token::glued(sign, like), Token::glued(by, like)]].concat()
    };
    let (step, to) = if style.steps_last { (third, second) } else { (second, third) };
    let step = if step.is_empty() { 1 } else { crate::notation::expression::integer(step)? };
    let first = vec![like.with(if style.is_python { "0" } else { "1" })];
    let last = if style.is_python { sum(size.to_vec(), "-", "1") } else { size.to_vec() };
    let (least, most) = if step < 0 { (last, first) } else { (first, last) };
    let from = if from.is_empty() { least } else { counted(from) };
    let to = match (to.is_empty(), style.is_python) {
        (true, _) => most,
        (false, false) => counted(to),
        (false, true) => sum(counted(to), if step < 0 { "+" } else { "-" }, "1"),
    };
    let (low, high) = if step < 0 { (&to, &from) } else { (&from, &to) };
    let glued = |text: &str| vec![Token::glued(text, like)];
    let group = |it: &[Token]| [&glued("(")[..], it, &glued(")")[..]].concat();
    let way = group(&[group(high), glued("-"), group(low)].concat());
    let by = glued(&step.abs().to_string());
    let steps = match (step.abs(), style.is_python) {
        (0, _) => return None,
        (1, _) => way,
        (_, true) => [way, glued("//"), by].concat(),
        (_, false) => [glued("fld"), glued("("), way, glued(","), by, glued(")")].concat(),
    };
    Some(Index::Stride(from, step, [steps, glued("+"), glued("1")].concat()))
}
