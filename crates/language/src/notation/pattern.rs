//! What languages write in several ways, as patterns of tokens and what each stands for.

use super::output::Output;
use super::token::Token;

/// A pattern, and the words that stand for it. `@a` is a name, `%a` a name with its indices, `$a` whatever
/// stands up to the word behind it or to the end, `?a` the same or nothing, `a|b` one of two words, `^a|b` the same,
/// which the other side has, too; `#a` is a name made new.
pub(super) type Rule = (&'static str, &'static str);

/// More are taken for an endless exchange.
const MOST: usize = 5_000;

type Parts = Vec<(&'static str, Vec<Token>)>;

/// Puts what patterns stand for in their places.
pub(super) fn replace(tokens: &mut Vec<Token>, rules: &[Rule], out: &mut Output) {
    let (mut at, mut count) = (0, 0);
    while at < tokens.len() {
        let found = rules.iter().find_map(|(pattern, by)| {
            let mut parts = vec![];
            let end = matched(tokens, at, pattern, &mut parts)?;
            Some((end, parts, *by))
        });
        match found {
            Some((end, parts, by)) if count < MOST => {
                count += 1;
                let made = written(&tokens[at], by, parts, out);
                tokens.splice(at..end, made);
            }
            _ => at += 1,
        }
    }
}

/// Where a pattern that begins at a place ends.
fn matched(tokens: &[Token], at: usize, pattern: &'static str, parts: &mut Parts) -> Option<usize> {
    let mut at = at;
    let mut words = pattern.split(' ').peekable();
    while let Some(word) = words.next() {
        let end = match word.chars().next()? {
            '@' if word.len() > 1 => at + usize::from(is_own_name(tokens.get(at)?)),
            '%' if word.len() > 1 => operand(tokens, at)?,
            '$' | '?' if word.len() > 1 => match words.peek() {
                Some(next) => up_to(tokens, at, next)?,
                None => tokens.len(),
            },
            '^' if word.len() > 1 && is_one(tokens.get(at)?, &word[1..]) => at + 1,
            _ if is_one(tokens.get(at)?, word) => {
                at += 1;
                continue;
            }
            _ => return None,
        };
        if end == at && !word.starts_with('?') {
            return None;
        }
        let part = &tokens[at..end];
        match parts.iter().find(|it| it.0 == word) {
            Some((_, other)) => {
                let same = other.len() == part.len()
                    && other.iter().zip(part).all(|(a, b)| a.text == b.text);
                same.then_some(())?;
            }
            None => parts.push((word, part.to_vec())),
        }
        at = end;
    }
    Some(at)
}

fn is_one(token: &Token, word: &str) -> bool {
    token.is(word) || word.len() > 2 && word.split('|').any(|it| token.is(it))
}

/// Not a word of the languages themselves.
fn is_own_name(token: &Token) -> bool {
    const KEPT: [&str; 18] = [
        "if", "else", "for", "while", "do", "return", "in", "new", "case", "switch", "let", "var",
        "const", "and", "or", "not", "elif", "break",
    ];
    token.is_name() && !KEPT.contains(&&*token.text)
}

/// Behind a name and its indices.
fn operand(tokens: &[Token], at: usize) -> Option<usize> {
    let mut end = at + 1;
    if !is_own_name(tokens.get(at)?) || at > 0 && tokens[at - 1].is(".") {
        return None;
    }
    while tokens.get(end).is_some_and(|it| it.is("[")) {
        end = super::token::closing(tokens, end)? + 1;
    }
    Some(end)
}

/// The next place of a word outside of brackets, in the same statement or block.
fn up_to(tokens: &[Token], at: usize, word: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (end, token) in tokens.iter().enumerate().skip(at) {
        if depth == 0 && is_one(token, word) {
            return Some(end);
        }
        if token.opens() {
            depth += 1;
        } else if token.closes() {
            depth = depth.checked_sub(1)?;
        } else if depth == 0 && token.is(";") && !["}", "return"].contains(&word) {
            return None;
        }
    }
    None
}

fn written(like: &Token, by: &'static str, mut parts: Parts, out: &mut Output) -> Vec<Token> {
    let mut made: Vec<Token> = vec![];
    for word in by.split(' ').filter(|it| !it.is_empty()) {
        if word.len() > 1 && word.starts_with('#') && !parts.iter().any(|it| it.0 == word) {
            parts.push((word, vec![Token::made(out.fresh(&word[1..]), like)]));
        }
        let behind = made.last().cloned();
        let start = made.len();
        match parts.iter().find(|it| it.0 == word) {
            Some((_, part)) => made.extend_from_slice(part),
            None if "()[].,".contains(word) => made.push(Token::glued(word, like)),
            None => made.push(Token::made(word, like)),
        }
        if let (Some(behind), Some(first)) = (behind, made.get_mut(start)) {
            let is_word = |it: &Token| it.is_name() || it.is_number();
            if behind.is_any(&["(", "[", "."]) {
                first.blank.clear();
            } else if is_word(&behind) && is_word(first) {
                " ".clone_into(&mut first.blank);
            }
        }
    }
    if let Some(first) = made.first_mut() {
        first.blank.clone_from(&like.blank);
        first.column = like.column;
    }
    made
}
