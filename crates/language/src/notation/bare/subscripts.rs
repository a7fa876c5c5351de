//! Elements that are written by subscripts alone, of arrays that have other names.

use std::collections::HashSet;

use super::head::Head;
use crate::notation::layout::PROSE;
use crate::notation::token::{LogicalLine, Token};

/// Elements a_ij of the matrix A, as CLRS has them.
pub(super) fn capitals(lines: &mut [LogicalLine]) -> Vec<(Token, String)> {
    let tokens = || lines.iter().flat_map(|it| &it.tokens);
    // `a` before another word is no name.
    let is_article = |line: &LogicalLine, at: usize| {
        line.tokens[at].is("a") && line.tokens.get(at + 1).is_some_and(Token::is_name)
    };
    let places = |line: &LogicalLine| {
        (0..line.tokens.len()).filter(|&at| !is_article(line, at)).collect::<Vec<_>>()
    };
    let names: HashSet<&str> = lines
        .iter()
        .flat_map(|line| places(line).into_iter().map(|at| line.tokens[at].text.as_str()))
        .collect();
    // The letter of `a_ij`, and of `a_` before a brace.
    let letter = |text: &str| -> Option<char> {
        let (name, _) = text.split_once('_')?;
        let mut letters = name.chars();
        letters.next().filter(|it| it.is_ascii_lowercase() && letters.next().is_none())
    };
    // A capital that bounds a loop, or is computed with, is a scalar.
    let signs = ["to", "downto", "≤", "<", ">", "≥", "+", "-", "−", "×", "*", "/"];
    let is_scalar = |name: &str| {
        lines.iter().any(|line| {
            let tokens = &line.tokens;
            (1..tokens.len()).any(|at| {
                let next = tokens.get(at + 1);
                tokens[at].is(name)
                    && !next.is_some_and(|it| it.is_any(&["[", "("]) || it.text.starts_with('_'))
                    && (tokens[at - 1].is_any(&signs) || next.is_some_and(|it| it.is_any(&signs)))
            })
        })
    };
    let mut found: Vec<(char, Token)> = vec![];
    for token in tokens() {
        let Some(small) = letter(&token.text) else { continue };
        let capital = small.to_ascii_uppercase().to_string();
        let is_new = !found.iter().any(|it| it.0 == small);
        if is_new
            && names.contains(capital.as_str())
            && !names.contains(small.to_string().as_str())
            && !is_scalar(&capital)
        {
            found.push((small, token.clone()));
        }
    }
    for line in lines.iter_mut() {
        for token in &mut line.tokens {
            let small = letter(&token.text);
            if small.is_some_and(|small| found.iter().any(|it| it.0 == small)) {
                token.text[..1].make_ascii_uppercase();
            }
        }
    }
    let said = |(small, token): (char, Token)| {
        let text = format!("{small}_… is an element of {}", small.to_ascii_uppercase());
        (token, text)
    };
    found.into_iter().map(said).collect()
}

/// `xi` of a PDF is an element of the argument X, where nothing else has its name and i counts a loop.
pub(super) fn lost(lines: &mut [LogicalLine], heads: &[Head]) -> Vec<(Token, String)> {
    let says = |it: &LogicalLine| matches!(&it.tokens[..], [word, colon, ..] if colon.is(":") && word.is_any(&PROSE));
    let code = || lines.iter().filter(|it| !says(it));
    let tokens = || code().flat_map(|it| &it.tokens);
    let is_used = |name: &str| tokens().any(|it| it.is(name));
    let pairs = || lines.iter().flat_map(|it| it.tokens.windows(2));
    let counts =
        |name: &str| pairs().any(|it| (it[0].is_word("for") || it[0].is("{")) && it[1].is(name));
    let arguments = heads.iter().flat_map(|it| &it.arguments);
    let mut found: Vec<(Token, String)> = vec![];
    for argument in arguments.filter(|it| it.text.len() == 1 && !is_used(&it.text)) {
        let small = argument.text.to_ascii_lowercase();
        for token in tokens() {
            let Some(index) = token.text.strip_prefix(&*small) else { continue };
            let is_assigned = pairs().any(|it| it[0].is(&token.text) && it[1].assigns());
            // `ukj` of the matrix U
            let are_two = index.len() == 2 && index.chars().all(|it| counts(&it.to_string()));
            let is_one = ["i", "j", "k"].contains(&index) && counts(index) && !is_assigned;
            if is_one || are_two && argument.text != small {
                found.push((token.clone(), format!("{}_{index}", argument.text)));
            }
        }
    }
    for token in lines.iter_mut().flat_map(|it| &mut it.tokens) {
        if let Some((_, element)) = found.iter().find(|it| it.0.is(&token.text)) {
            token.text.clone_from(element);
        }
    }
    let said = |(token, element): (Token, String)| {
        let text = format!("`{}` is {element}, an element of the argument", token.text);
        (token, text)
    };
    found.dedup_by(|a, b| a.0.is(&b.0.text));
    found.into_iter().map(said).collect()
}
