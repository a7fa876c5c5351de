//! What a user says of a name of a text without declarations, in part or in whole: `a : f32`, `inout x`,
//! `x[1 .. n]`, `input a[n, m] : f64`.

use std::str::FromStr;

use crate::syntax::{Role, Type};

/// A declaration of which parts may be missing: what it does not say is inferred.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartialDeclaration {
    /// Of an array, or of a parameter.
    pub name: String,
    /// What the array is for.
    pub role: Option<Role>,
    /// By dimension, `n` or `1 .. n`; none if they are not said.
    pub extents: Vec<String>,
    /// The type of an element, or of a real parameter.
    pub element: Option<Type>,
}

impl FromStr for PartialDeclaration {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = |what: &str| {
            format!(
                "{what}; write a declaration or a part of one: `a : f32`, `inout x`, `x[1 .. n]`, \
                 `input a[n, m] : f64`"
            )
        };
        let (head, element) = match text.rsplit_once(':') {
            None => (text, None),
            Some((head, word)) => {
                let word = word.trim();
                let found = Type::ALL.into_iter().find(|it| it.word() == word);
                let words: Vec<&str> = Type::ALL.iter().map(|it| it.word()).collect();
                let unknown = || wrong(&format!("`{word}` is no type: {}", words.join(", ")));
                (head, Some(found.ok_or_else(unknown)?))
            }
        };
        let (head, extents) = match head.trim().split_once('[') {
            None => (head.trim(), vec![]),
            Some((head, inside)) => {
                let inside = inside.trim_end().strip_suffix(']');
                let inside = inside.ok_or_else(|| wrong("a `[` is not closed"))?;
                (head.trim(), inside.split(',').map(|it| it.trim().to_owned()).collect())
            }
        };
        let (role, name) = match head.split_once(char::is_whitespace) {
            None => (None, head),
            Some((word, name)) => {
                let role = Role::ALL.into_iter().find(|it| it.word() == word);
                let unknown = || wrong(&format!("`{word}` is no role: input, output, inout, work"));
                (Some(role.ok_or_else(unknown)?), name.trim())
            }
        };
        let is_name = name.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_')
            && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
        if !is_name {
            return Err(wrong(&format!("`{name}` is no name")));
        }
        if role.is_none() && extents.is_empty() && element.is_none() {
            return Err(wrong(&format!("this says nothing of `{name}`")));
        }
        if extents.iter().any(String::is_empty) {
            return Err(wrong("an extent is missing"));
        }
        Ok(Self { name: name.to_owned(), role, extents, element })
    }
}
