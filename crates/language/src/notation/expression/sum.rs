//! Numbers, and sums with them.

use crate::notation::token::{Token, bracketed};

/// The value of a literal, which may have a sign.
pub(in crate::notation) fn integer(tokens: &[Token]) -> Option<i64> {
    match tokens {
        [number] => number.text.parse().ok(),
        [sign, number] if sign.is_any(&["-", "−"]) => {
            number.text.parse::<i64>().ok().map(|it| -it)
        }
        _ => None,
    }
}

/// Whether nothing in it binds more loosely than `+`.
fn is_sum(tokens: &[Token]) -> bool {
    let sum = |it: &Token| {
        it.ends_operand() && !it.is_any(&["and", "or", "not", "xor", "if", "then", "else"])
            || it.is_any(&[
                "+", "-", "−", "×", "*", "·", "/", "mod", "%", "^", ".", ",", "(", "[", "⌊", "⌈",
            ])
    };
    let depths = crate::notation::token::depths(tokens);
    tokens.iter().zip(depths).all(|(it, depth)| depth > 0 || sum(it))
}

/// `tokens` + `number`, with what the sum ends in already added to it.
pub(in crate::notation) fn plus(mut tokens: Vec<Token>, number: i64) -> Vec<Token> {
    if number == 0 {
        return tokens;
    }
    if let Some(value) = integer(&tokens).and_then(|it| it.checked_add(number)) {
        let first = tokens[0].with(value.to_string());
        return vec![first];
    }
    if !is_sum(&tokens) {
        tokens = bracketed(tokens);
    }
    let mut sum = number;
    if let [.., before, sign, last] = &tokens[..]
        && before.ends_operand()
        && let Ok(value) = last.text.parse::<i64>()
        && let Some(total) = match sign.text.as_str() {
            "+" => value.checked_add(number),
            "-" | "−" => number.checked_sub(value),
            _ => None,
        }
    {
        sum = total;
        tokens.truncate(tokens.len() - 2);
    }
    if sum != 0
        && let Some(last) = tokens.last().cloned()
    {
        tokens.push(Token::made(if sum < 0 { "-" } else { "+" }, &last));
        tokens.push(Token::made(sum.unsigned_abs().to_string(), &last));
    }
    tokens
}
