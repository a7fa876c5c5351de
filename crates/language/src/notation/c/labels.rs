//! Loops with names, which jumps in loops inside leave or go on with: by a flag that each loop between asks.

use crate::notation::boundaries::end_of_statement;
use crate::notation::output::Output;
use crate::notation::token::{Token, closing};

/// Where the loop inside begins that is the outermost around a place.
fn loop_around(tokens: &[Token], from: usize, at: usize) -> Option<usize> {
    (from..at)
        .find(|&it| tokens[it].is_any(&["for", "while", "do"]) && end_of_statement(tokens, it) > at)
}

/// The program without names of loops.
pub(super) fn without_labels(tokens: Vec<Token>, out: &mut Output) -> Vec<Token> {
    let mut tokens = tokens;
    let begins =
        |tokens: &[Token], at: usize| at == 0 || tokens[at - 1].is_any(&[";", "{", "}", ")"]);
    while let Some(at) = (0..tokens.len().saturating_sub(2)).find(|&at| {
        tokens[at].is_name()
            && tokens[at + 1].is(":")
            && tokens[at + 2].is_any(&["for", "while"])
            && begins(&tokens, at)
            && !tokens[at].is("default")
    }) {
        let name = tokens[at].text.clone();
        tokens.drain(at..at + 2);
        loop {
            let end = end_of_statement(&tokens, at);
            let jump = (at..end.saturating_sub(1))
                .find(|&it| tokens[it].is_any(&["break", "continue"]) && tokens[it + 1].is(&name));
            let Some(jump) = jump else { break };
            let word = tokens[jump].clone();
            tokens.remove(jump + 1);
            let body = closing(&tokens, at + 1).map_or(at, |it| it + 1);
            if loop_around(&tokens, body, jump).is_none() {
                continue;
            }
            let made = |text: &str| word.with(text);
            let own = made(&out.fresh(if word.is("break") { "leaves" } else { "goes_on" }));
            // Each loop between is left, too.
            let mut ends = vec![];
            let mut from = body;
            while let Some(inner) = loop_around(&tokens, from, jump) {
                ends.push(end_of_statement(&tokens, inner));
                from = inner + 1;
            }
            ends.reverse();
            let count = ends.len();
            for (nth, place) in ends.into_iter().enumerate() {
                let leaf = if nth + 1 == count { word.text.as_str() } else { "break" };
                let text = ["if", "(", &own.text, ")", leaf, ";"].map(made);
                tokens.splice(place..place, text);
            }
            let text = ["{", &own.text, "=", "true", ";", "break", ";", "}"].map(made);
            tokens.splice(jump..jump + 2, text);
            if !tokens[body].is("{") {
                let end = end_of_statement(&tokens, body);
                tokens.insert(end, made("}"));
                tokens.insert(body, made("{"));
            }
            let text = ["bool", &own.text, "=", "false", ";"].map(made);
            tokens.splice(body + 1..body + 1, text);
        }
    }
    tokens
}
