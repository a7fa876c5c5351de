//! Statements with their conditions before them, as JáJá has them: `j even : Set C(h, j) := C(h + 1, j/2)`.

use crate::notation::layout::number_length;
use crate::notation::token::{LogicalLine, Token, position};

const COMPARISONS: [&str; 10] = ["=", "<", ">", "≤", "≥", "≠", "<=", ">=", "!=", "=="];
const PARITIES: [&str; 2] = ["even", "odd"];

/// Without the braces around such conditions, or around all of the statements: blanks, so that places stay.
pub(super) fn without_braces(text: &str) -> String {
    let is_guard = |line: &str| {
        let (condition, behind) = line.split_once(':').unwrap_or_default();
        let says = condition.contains(COMPARISONS[0])
            || condition.contains(['<', '>', '≤', '≥', '≠'])
            || PARITIES.iter().any(|word| condition.split([' ', '}']).any(|it| it == *word));
        says && (behind.contains(['←', '=']) || behind.contains(":="))
    };
    let mut is_open = false;
    let of_line = |line: &str| {
        let code = line.trim();
        let begins = code.starts_with('{') && is_guard(&code[1..]);
        let is_whole = begins && code.contains('}') && !code.ends_with('}');
        let ends =
            is_open && code.ends_with('}') && !code.contains('{') || begins && code.ends_with('}');
        is_open = (is_open || begins && !is_whole) && !ends;
        let mut line = line.to_owned();
        if begins {
            line = line.replacen('{', " ", 1);
        }
        if is_whole {
            line = line.replacen('}', " ", 1);
        }
        match line.rfind('}').filter(|_| ends) {
            Some(at) => line[..at].to_owned() + " " + &line[at + 1..],
            None => line,
        }
    };
    text.split_inclusive('\n').map(of_line).collect()
}

/// Makes branches of such statements; those that follow each other are branches of one.
pub(super) fn lines(lines: &mut [LogicalLine]) {
    let mut column = None;
    for line in lines {
        let number = number_length(&line.tokens).min(line.tokens.len());
        parity(&mut line.tokens);
        let code = &line.tokens[number..];
        let Some(first) = code.first().cloned() else { continue };
        let Some(colon) = guard(code, column == Some(first.column)) else {
            column = None;
            continue;
        };
        let condition = condition(&code[..colon]);
        let behind = &code[colon + 1..];
        let skip = usize::from(behind[0].is_word("set"));
        let is_next = column == Some(first.column);
        let word = if is_next { "else" } else { "if" };
        let mut plain = vec![first.with(word)];
        if is_next {
            plain.push(Token::made("if", &first));
        }
        plain.extend(crate::notation::output::spaced(condition));
        plain.push(Token::made("then", &first));
        plain.extend(crate::notation::output::spaced(behind[skip..].to_vec()));
        line.tokens.splice(number.., plain);
        column = Some(first.column);
    }
}

/// Where the colon behind the condition stands. `x = 1 : y = 2` of BASIC has none.
fn guard(tokens: &[Token], is_next: bool) -> Option<usize> {
    let colon = position(tokens, &[":"]).filter(|it| *it > 1 && it + 2 < tokens.len())?;
    let (condition, behind) = (&tokens[..colon], &tokens[colon + 1..]);
    let is_head = condition[0].is_any(&[
        "for", "forall", "foreach", "if", "else", "while", "input", "output", "let", "step", "case",
    ]);
    let says = condition.iter().any(|it| it.is_any(&COMPARISONS) || it.is_any(&PARITIES));
    let assigns = position(behind, &["←", ":=", "<-", "="]).is_some();
    let is_plain = condition.iter().all(|it| {
        it.is_name()
            || it.is_number()
            || it.is_any(&COMPARISONS)
            || it.is_any(&["(", ")", "[", "]", "+", "-", "−", "/", ","])
    });
    let equals = |it: &Token| it.is("=");
    let is_sure = is_next
        || behind[0].is_word("set")
        || !condition.iter().any(equals)
        || condition.iter().any(|it| it.is("mod"));
    (is_sure && !is_head && condition[0].is_name() && says && assigns && is_plain).then_some(colon)
}

/// `j odd > 1` is `j mod 2 = 1 and j > 1`.
fn condition(tokens: &[Token]) -> Vec<Token> {
    match tokens {
        [name, two @ .., sign, bound]
            if two.len() > 3 && sign.is_any(&COMPARISONS) && two[0].is("mod") =>
        {
            let made = |text: &str| Token::made(text, name);
            let again = [made("and"), made(&name.text), sign.clone(), bound.clone()];
            [std::slice::from_ref(name), two, &again].concat()
        }
        all => all.to_vec(),
    }
}

/// `j even` in a condition: `j mod 2 = 0`.
fn parity(tokens: &mut Vec<Token>) {
    let before = ["if", "and", "or", "while", "when", "then", "elseif", "until", "("];
    for at in (1..tokens.len()).rev() {
        let is_alone = at == 1 || tokens[at - 2].is_any(&before) || number_length(tokens) == at - 1;
        let ends = tokens.get(at + 1).is_none_or(|it| {
            it.is_any(&["then", "and", "or", ",", ":", ")", "do"]) || it.is_any(&COMPARISONS)
        });
        if tokens[at].is_any(&PARITIES)
            && tokens[at - 1].is_name()
            && !tokens[at - 1].is_any(&["is", "not", "for", "all", "each", "every"])
            && is_alone
            && ends
        {
            let rest = if tokens[at].is_word("odd") { "1" } else { "0" };
            let made = ["mod", "2", "=", rest].map(|it| Token::made(it, &tokens[at]));
            tokens.splice(at..=at, made);
        }
    }
}
