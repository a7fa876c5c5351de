//! Names that clash with words and signs: with hyphens, as words that close blocks, as π.

use std::collections::HashSet;

use crate::notation::layout::number_length;
use crate::notation::token::{LogicalLine, Token, closing};

/// Gives such names others.
pub(super) fn clear(lines: &mut [LogicalLine]) -> Vec<(Token, String)> {
    hyphens(lines);
    own_words(lines);
    pi(lines);
    squares(lines);
    euler(lines)
}

/// `e^(x)`, where nothing else is called e.
fn euler(lines: &mut [LogicalLine]) -> Vec<(Token, String)> {
    let mut said = vec![];
    let is_power = |tokens: &[Token], at: usize| tokens.get(at + 1).is_some_and(|it| it.is("^"));
    let is_other = |line: &LogicalLine| {
        (0..line.tokens.len()).any(|at| line.tokens[at].is("e") && !is_power(&line.tokens, at))
    };
    if lines.iter().any(is_other) {
        return said;
    }
    for line in lines {
        let mut at = 0;
        while at + 2 < line.tokens.len() {
            if line.tokens[at].is("e") && is_power(&line.tokens, at) {
                said.push((line.tokens[at].clone(), "`e^…` is the exponential".to_owned()));
                line.tokens[at].text = "exp".to_owned();
                line.tokens.remove(at + 1);
                if !line.tokens[at + 1].is_any(&["(", "{"]) {
                    let close = Token::glued(")", &line.tokens[at + 1]);
                    let open = Token::glued("(", &line.tokens[at + 1]);
                    line.tokens.insert(at + 2, close);
                    line.tokens.insert(at + 1, open);
                } else if let Some(close) = closing(&line.tokens, at + 1) {
                    line.tokens[at + 1].text = "(".to_owned();
                    line.tokens[close].text = ")".to_owned();
                }
            }
            at += 1;
        }
    }
    said
}

/// `σ^2 ← …`: what is assigned is a name, which has its 2 above the line.
fn squares(lines: &mut [LogicalLine]) {
    let is_square = |it: &[Token]| it[0].is_name() && it[1].is("^") && it[2].is("2");
    let raised = |it: &[Token]| it[0].is_name() && it[1].is("²") && it[1].blank.is_empty();
    let mut names: HashSet<String> = HashSet::new();
    for line in lines.iter() {
        let code = &line.tokens[number_length(&line.tokens).min(line.tokens.len())..];
        let skip =
            usize::from(code.first().is_some_and(|it| it.is_any(&["set", "let", "compute"])));
        let code = &code[skip..];
        let is_target = code.len() > 3 && is_square(code) && code[3].assigns()
            || code.len() > 2 && raised(code) && code[2].assigns();
        if is_target {
            names.insert(code[0].text.clone());
        }
    }
    for line in lines.iter_mut().filter(|_| !names.is_empty()) {
        for at in 0..line.tokens.len() {
            let Some(rest) =
                line.tokens.get(at..).filter(|it| it.len() > 1 && names.contains(&it[0].text))
            else {
                continue;
            };
            let length = if raised(rest) { 1 } else { 2 };
            if length == 1 || rest.len() > 2 && is_square(rest) {
                line.tokens[at].text += "_squared";
                line.tokens.drain(at + 1..=at + length);
            }
        }
    }
}

/// `left-sum = 0`: what is assigned is one name.
fn hyphens(lines: &mut [LogicalLine]) {
    // `Max-Heapify(A, i)`, `compare-exchange(x, y)`
    let is_call = |it: &[Token], behind: Option<&Token>| {
        let is_long = it.iter().step_by(2).all(|it| it.text.len() > 1);
        let is_known = crate::adopt::KNOWN.contains(&&*it[2].text.to_ascii_lowercase())
            || it[2].is_any(&["min", "max", "abs", "length", "floor", "ceil"]);
        is_long && !is_known && behind.is_some_and(|it| it.is("(") && it.blank.is_empty())
    };
    let joined = |it: &[Token]| {
        it[0].is_name()
            && it[1].is("-")
            && it[2].is_name()
            && it[1].blank.is_empty()
            && it[2].blank.is_empty()
    };
    let mut names: HashSet<(String, String)> = HashSet::new();
    for line in lines.iter() {
        let tokens = &line.tokens[number_length(&line.tokens).min(line.tokens.len())..];
        if tokens.len() > 3 && joined(&tokens[..3]) && tokens[3].assigns() {
            names.insert((tokens[0].text.clone(), tokens[2].text.clone()));
        }
        for at in 0..tokens.len().saturating_sub(3) {
            let it = &tokens[at..at + 3];
            if joined(it) && is_call(it, tokens.get(at + 3)) {
                names.insert((it[0].text.clone(), it[2].text.clone()));
            }
        }
    }
    for line in lines {
        let mut at = 0;
        while at + 2 < line.tokens.len() {
            let it = &line.tokens[at..at + 3];
            if joined(it) && names.contains(&(it[0].text.clone(), it[2].text.clone())) {
                let text = format!("{}_{}", it[0].text, it[2].text);
                let span = it[0].span.to(it[2].span);
                let name = Token { text, span, ..it[0].clone() };
                line.tokens.splice(at..at + 3, [name]);
            }
            at += 1;
        }
    }
}

/// `end ← count`: what is assigned is a variable, though blocks may end with the same word.
fn own_words(lines: &mut [LogicalLine]) {
    let closes = |tokens: &[Token], at: usize| {
        let next = tokens.get(at + 1);
        let is_block = next.is_none_or(|it| {
            it.is_any(&["if", "for", "while", "loop", "procedure", "function", "do", ";", "."])
        });
        is_block && tokens[..at].last().is_none_or(|it| it.is(";") || it.is_number())
    };
    let is_array = |it: &&str| {
        lines.iter().any(|line| {
            line.tokens.windows(3).any(|of| {
                of[0].is(it)
                    && (of[1].is("[") && of[1].blank.is_empty()
                        || of[1].is(".") && of[2].is_any(&["size", "length"]))
            })
        })
    };
    let arrays: Vec<&str> = ["input", "output"].into_iter().filter(is_array).collect();
    for token in lines.iter_mut().flat_map(|it| &mut it.tokens) {
        if arrays.contains(&token.text.as_str()) {
            token.text = format!("{}_", token.text);
        }
    }
    let is_assigned = |word: &str| {
        lines.iter().any(|it| it.tokens.windows(2).any(|it| it[0].is(word) && it[1].assigns()))
    };
    for word in ["end", "begin"].into_iter().filter(|it| is_assigned(it)).collect::<Vec<_>>() {
        for line in lines.iter_mut() {
            for at in 0..line.tokens.len() {
                if line.tokens[at].is(word) && !closes(&line.tokens, at) {
                    line.tokens[at].text = format!("{word}_");
                }
            }
        }
    }
}

/// π that has indices, or is assigned, is no number: an array, or a variable, pi.
fn pi(lines: &mut [LogicalLine]) {
    let is_index = |it: &Token| it.is("[") || it.text.starts_with('_');
    let is_own = lines.iter().any(|line| {
        (0..line.tokens.len()).any(|at| {
            let next = |by: usize| line.tokens.get(at + by);
            let close = || closing(&line.tokens, at + 1).and_then(|it| line.tokens.get(it + 1));
            line.tokens[at].is("π")
                && next(1).is_some_and(|it| {
                    it.assigns()
                        || it.blank.is_empty() && is_index(it)
                        || it.is("(") && close().is_some_and(Token::assigns)
                })
        })
    });
    for line in lines.iter_mut().filter(|_| is_own) {
        let mut at = 0;
        while at < line.tokens.len() {
            if line.tokens[at].is("π") {
                line.tokens[at].text = "pi_".to_owned();
                let index = line.tokens.get(at + 1).cloned();
                match index.filter(|it| it.blank.is_empty() && it.text.starts_with('_')) {
                    Some(under) if under.is("_") => {
                        // `π_{t-1}`
                        line.tokens.remove(at + 1);
                        if let Some(close) = closing(&line.tokens, at + 1) {
                            line.tokens[at + 1].text = "[".to_owned();
                            line.tokens[close].text = "]".to_owned();
                        }
                    }
                    Some(index) => {
                        let name = index.text[1..].to_owned();
                        let made = ["[", &name, "]"].map(|it| Token::glued(it, &index));
                        line.tokens.splice(at + 1..at + 2, made);
                    }
                    None => {}
                }
            }
            at += 1;
        }
    }
}
