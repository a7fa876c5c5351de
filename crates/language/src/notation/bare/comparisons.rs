//! Comparisons in words: `is odd`, `is less than`.

use crate::notation::token::Token;

/// `is true`, `is odd`, `is not`, and how many words that is.
pub(super) fn is(token: &Token, rest: &[Token]) -> Option<(Vec<Token>, usize)> {
    let next = rest.first().filter(|_| token.is_word("is"))?;
    let made = |words: &[&str]| words.iter().map(|it| Token::made(*it, token)).collect::<Vec<_>>();
    if let Some(divided) = divided(token, rest) {
        return Some(divided);
    }
    let plain: &[&str] = match next.text.to_ascii_lowercase().as_str() {
        "true" => &[],
        "false" => &["=", "false"],
        "odd" => &["mod", "2", "=", "1"],
        "even" => &["mod", "2", "=", "0"],
        "not" => &["≠"],
        "equal" => {
            let to = usize::from(rest.get(1).is_some_and(|it| it.is_word("to")));
            return Some((made(&["="]), 1 + to));
        }
        "less" | "smaller" | "greater" | "larger" | "more" | "bigger" => {
            return compared(token, rest);
        }
        "at" => return compared(token, rest),
        _ => return None,
    };
    Some((made(plain), 1))
}

/// `is less than or equal to`, `is at least`.
fn compared(token: &Token, rest: &[Token]) -> Option<(Vec<Token>, usize)> {
    let says = |words: &[&str]| {
        words.iter().zip(rest).filter(|(word, it)| it.is_word(word)).count() == words.len()
    };
    let is_less = rest[0].is_any(&["less", "smaller"]);
    let (sign, length) = match () {
        () if says(&["at", "least"]) => (">=", 2),
        () if says(&["at", "most"]) => ("<=", 2),
        () if !rest.get(1)?.is_word("than") => return None,
        () => {
            let says_or = |at: usize, word: &str| rest.get(at).is_some_and(|it| it.is_word(word));
            let is_equal = says_or(2, "or") && says_or(3, "equal");
            let to = usize::from(is_equal && rest.get(4).is_some_and(|it| it.is_word("to")));
            let sign = match (is_less, is_equal) {
                (true, true) => "<=",
                (true, false) => "<",
                (false, true) => ">=",
                (false, false) => ">",
            };
            (sign, 2 + if is_equal { 2 + to } else { 0 })
        }
    };
    Some((vec![Token::made(sign, token)], length))
}

/// `is divisible by`, `is not a multiple of`: the divisor is the number or the name behind it.
fn divided(token: &Token, rest: &[Token]) -> Option<(Vec<Token>, usize)> {
    let not = usize::from(rest[0].is_word("not"));
    let says = |words: &[&str]| {
        let of = rest.get(not..not + words.len())?;
        of.iter().zip(words).all(|(it, word)| it.is_word(word)).then_some(not + words.len())
    };
    let behind = says(&["divisible", "by"])
        .or_else(|| says(&["a", "multiple", "of"]))
        .or_else(|| says(&["evenly", "divisible", "by"]))?;
    let by = rest.get(behind).filter(|it| it.is_name() || it.is_number())?;
    let ends = rest
        .get(behind + 1)
        .is_none_or(|it| it.is_any(&["then", "and", "or", "do", ",", ":", ";", ")", "{block"]));
    let sign = if not > 0 { "≠" } else { "=" };
    let plain = ["mod", &by.text, sign, "0"].map(|it| Token::made(it, token));
    ends.then(|| (plain.to_vec(), behind + 1))
}
