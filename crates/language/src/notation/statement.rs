//! Statements as papers print them, each as the plain form has it.

use super::expression::Declarations;
use super::loops;
use super::token::{Token, closing, position};

impl Declarations {
    /// A statement, or the head of one, on a line of its own.
    pub(super) fn statement(&self, tokens: Vec<Token>) -> Vec<Token> {
        let Some(first) = tokens.first().cloned() else { return tokens };
        let is_assigned = tokens.get(1).is_some_and(Token::assigns);
        if first.is("(")
            && let Some(plain) = several(&tokens)
        {
            return plain;
        }
        if !first.is_name() || is_assigned {
            return self.assignment(tokens);
        }
        let rest = || tokens[1..].to_vec();
        let word = first.text.to_ascii_lowercase();
        match word.as_str() {
            "for" | "forall" | "foreach" | "parfor" | "parallel" | "par" => {
                match loops::head(&tokens) {
                    Some((mut head, rest)) => {
                        head.extend(self.statement(rest));
                        head
                    }
                    None => tokens,
                }
            }
            "while" => self.headed(first.with(word), &rest(), "do"),
            "if" => self.headed(first.with(word), &rest(), "then"),
            "else" => {
                let mut plain = vec![first.with(word)];
                let behind = match &tokens[1..] {
                    [colon, behind @ ..] if colon.is(":") => behind,
                    all => all,
                };
                plain.extend(self.statement(behind.to_vec()));
                plain
            }
            "elseif" | "elsif" | "elif" => {
                let mut plain = vec![first.with("else")];
                plain.extend(self.headed(Token::made("if", &first), &rest(), "then"));
                plain
            }
            "set" | "let" if position(&tokens, &["←", "<-", ":=", "=", "≔"]).is_some() => {
                let mut rest = rest();
                rest[0].blank.clone_from(&first.blank);
                self.assignment(rest)
            }
            "repeat" | "until" => {
                let mut plain = vec![first.with(word)];
                plain.extend(rest());
                plain
            }
            "swap" | "exchange" | "interchange" => exchanged(&tokens).unwrap_or(tokens),
            _ if tokens.get(1).is_some_and(|it| it.is(":")) => {
                let mut plain = tokens[..2].to_vec();
                plain.extend(self.statement(tokens[2..].to_vec()));
                plain
            }
            _ => self.assignment(tokens),
        }
    }

    /// `word condition then …`, where a line's end stands for `then`.
    fn headed(&self, first: Token, rest: &[Token], then: &str) -> Vec<Token> {
        if let Some(condition) = super::counted::condition(rest, then) {
            let then = Token::made(then, &condition[condition.len() - 1]);
            let behind = self.statement(rest[condition.len()..].to_vec());
            return [vec![first], condition.to_vec(), vec![then], behind].concat();
        }
        let end = position(rest, &[then]);
        let condition = match end {
            Some(end) => &rest[..end],
            None => match rest {
                [condition @ .., colon] if colon.is(":") => condition,
                all => all,
            },
        };
        let Some(last) = condition.last() else { return [vec![first], rest.to_vec()].concat() };
        let then = end.map_or_else(|| Token::made(then, last), |end| rest[end].with(then));
        let mut plain = [vec![first], condition.to_vec(), vec![then]].concat();
        if let Some(end) = end {
            plain.extend(self.statement(rest[end + 1..].to_vec()));
        }
        plain
    }

    /// `x = e`, and what stands behind an `else` on its line.
    fn assignment(&self, mut tokens: Vec<Token>) -> Vec<Token> {
        if let Some(plain) = super::counted::assigned(&tokens) {
            return plain;
        }
        let mut at = 1;
        while tokens.get(at).is_some_and(|it| it.is("[")) {
            match closing(&tokens, at) {
                Some(close) => at = close + 1,
                None => return tokens,
            }
        }
        if tokens.first().is_some_and(Token::is_name) && tokens.get(at).is_some_and(|it| it.is("="))
        {
            tokens[at].text = "←".to_owned();
        }
        // Of a conditional expression, each `else` has its `then`.
        let mut open = 0;
        for (index, token) in tokens.iter().enumerate().skip(at) {
            match token.text.to_ascii_lowercase().as_str() {
                "then" => open += 1,
                "else" if open == 0 => {
                    let behind = self.statement(tokens[index..].to_vec());
                    tokens.truncate(index);
                    tokens.extend(behind);
                    break;
                }
                "else" => open -= 1,
                _ => {}
            }
        }
        tokens
    }
}

/// `(x, y) ← (e, f)`: `x, y ← e, f`.
fn several(tokens: &[Token]) -> Option<Vec<Token>> {
    let close = closing(tokens, 0)?;
    let (arrow, [open, values @ .., end]) = (tokens.get(close + 1)?, &tokens[close + 2..]) else {
        return None;
    };
    let is_list = open.is("(") && end.is(")") && closing(tokens, close + 2)? == tokens.len() - 1;
    (arrow.assigns() && is_list).then(|| {
        let mut plain = tokens[1..close].to_vec();
        plain.first_mut().into_iter().for_each(|it| it.blank.clear());
        plain.push(Token::made("←", arrow));
        let behind = plain.len();
        plain.extend_from_slice(values);
        plain[behind..].iter_mut().take(1).for_each(|it| it.blank = " ".to_owned());
        plain
    })
}

/// `exchange x with y`, `swap(x, y)`: `x ↔ y`.
fn exchanged(tokens: &[Token]) -> Option<Vec<Token>> {
    // `exchange x ↔ y`
    if tokens.iter().any(|it| it.is("↔")) {
        let mut plain = tokens[1..].to_vec();
        plain.first_mut()?.blank.clone_from(&tokens[0].blank);
        return Some(plain);
    }
    let (inside, between) = match &tokens[1..] {
        [open, inside @ .., close] if open.is("(") && close.is(")") => (inside, [","]),
        all if position(all, &["with"]).is_some() => (all, ["with"]),
        all if position(all, &["and"]).is_none() => (all, [","]),
        all => (all, ["and"]),
    };
    let at = position(inside, &between)?;
    let mut plain = inside[..at].to_vec();
    plain.first_mut()?.blank.clone_from(&tokens[0].blank);
    plain.push(Token::made("↔", &inside[at]));
    let mut other = inside[at + 1..].to_vec();
    other.first_mut()?.blank = " ".to_owned();
    plain.extend(other);
    Some(plain)
}

/// Whether what follows on the next lines belongs to this one.
pub(super) fn opens_block(tokens: &[Token]) -> bool {
    let Some(last) = tokens.last() else { return false };
    if tokens[0].is("procedure") {
        return true;
    }
    let is_head = tokens[0].is_any(&["for", "while", "if", "else", "repeat", "do", "loop"])
        || is_label(tokens);
    let behind_parallel = last.is_any(&["parallel", "threads", "DMMs"]);
    is_head && (last.is_any(&["do", "then", "else", "repeat", "loop", ":"]) || behind_parallel)
}

fn is_label(tokens: &[Token]) -> bool {
    tokens[0].is_name() && tokens.get(1).is_some_and(|it| it.is(":"))
}
