//! The words of a text, whichever of their spellings stand in it.

use super::lexer::{Symbol, Token, Word, tokens};
use crate::diagnostic::Diagnostic;

/// Words, numbers and signs of a text in the plain form, without comments; each as it is usually spelled,
/// so that `*` is `×`, and `reference.b` three of them.
///
/// # Errors
/// What is no part of a listing.
pub fn spellings(text: &str) -> Result<Vec<String>, Diagnostic> {
    let mut all = vec![];
    for it in tokens(text)? {
        let spelling = it.token.spelling();
        match (it.token, spelling.split_once('.')) {
            (Token::Name(_), Some((before, behind))) => {
                all.extend([before, ".", behind].map(str::to_owned));
            }
            _ if spelling.is_empty() => {}
            _ => all.push(spelling),
        }
    }
    Ok(all)
}

impl Symbol {
    /// The word that says the same.
    const fn word(self) -> Option<Word> {
        Some(match self {
            Self::And => Word::And,
            Self::Or => Word::Or,
            Self::Not => Word::Not,
            Self::Percent => Word::Mod,
            Self::Infinity => Word::Infinity,
            _ => return None,
        })
    }
}

impl Token {
    /// As it is usually spelled, whichever of its spellings stands here; of what is no text, nothing.
    fn spelling(&self) -> String {
        match self {
            Self::Integer(value) => value.to_string(),
            Self::Float(value) => value.to_string(),
            Self::Name(text) | Self::Text(text) => text.clone(),
            Self::Word(word) => word.text().to_owned(),
            Self::Role(role) => role.word().to_owned(),
            Self::Type(element) => element.word().to_owned(),
            Self::Symbol(symbol) => symbol.word().map_or(symbol.text(), Word::text).to_owned(),
            Self::Newline | Self::Indent | Self::Dedent | Self::End => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::spellings;

    #[test]
    fn one_spelling_of_each() {
        let words = |text: &str| spellings(text).unwrap().join(" ");
        for (text, usual) in [
            ("x := 2 * y  // times", "x ← 2 × y"),
            ("i % 2 = 0 ∧ ¬b", "i mod 2 = 0 and not b"),
            ("reference.m", "reference . m"),
            ("while", "while"),
            ("", ""),
        ] {
            assert_eq!(words(text), usual, "{text}");
        }
        assert!(spellings("☃").is_err());
    }
}
