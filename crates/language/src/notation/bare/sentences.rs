//! Statements in sentences: `Otherwise, if x is odd, set c to 0.`, `Add x to s.`, `Let m be 0.`

use super::clauses::begins;
use crate::notation::layout::number_length;
use crate::notation::output::{spaced, words};
use crate::notation::token::{LogicalLine, Token, depths, position, split};

/// Puts the sentences of all lines into the words of code.
pub(super) fn lines(lines: &mut [LogicalLine]) {
    for at in 1..lines.len() {
        // `…, initially all set to true`
        let goes_on = lines[at].tokens.first().is_some_and(|it| it.is_word("initially"))
            && lines[at - 1].tokens.last().is_some_and(|it| it.is(","));
        if goes_on {
            let more = std::mem::take(&mut lines[at].tokens);
            lines[at - 1].tokens.extend(more);
        }
    }
    for line in lines {
        let number = number_length(&line.tokens).min(line.tokens.len());
        let mut code = line.tokens.split_off(number);
        sentence(&mut code);
        line.tokens.append(&mut code);
    }
}

fn sentence(tokens: &mut Vec<Token>) {
    const ADVERBS: [&str; 6] = ["initially", "finally", "first", "next", "now", "also"];
    // `first, last = 1, n` sets two names.
    let adverbs = match &tokens[..] {
        [word, comma, ..] if comma.is(",") && word.is_any(&ADVERBS[..2]) => 2,
        [word, ..] if word.is_any(&ADVERBS) => 1,
        _ => 0,
    };
    if adverbs > 0 && begins(&tokens[adverbs..]) && !tokens[1].assigns() {
        let column = tokens[0].column;
        tokens.drain(..adverbs);
        tokens[0].column = column;
    }
    labelled(tokens);
    let Some(first) = tokens.first().cloned() else { return };
    if first.is_word("otherwise") {
        tokens[0].text = "else".to_owned();
        if tokens.get(1).is_some_and(|it| it.is(",")) {
            tokens.remove(1);
        }
    }
    following(tokens);
    let is_else = first.is_any(&["else", "otherwise"]);
    let head = usize::from(is_else && tokens.get(1).is_some_and(|it| it.is_word("if")));
    let is_head =
        tokens[head].is_any(&["if", "elseif", "elif", "elsif", "while", "for", "foreach"]);
    if is_head {
        comma(tokens, head);
        beside(tokens, head);
        let then = position(tokens, &["then", "do"]).map(|it| it + 1);
        return behind(tokens, then);
    }
    behind(tokens, Some(usize::from(is_else)));
}

/// `Initialize: x ← 0`, `SEND s TO DISPLAY`, `set L to 0 and R to n`.
fn labelled(tokens: &mut Vec<Token>) {
    const LABELS: [&str; 6] =
        ["initialize", "initialise", "initialization", "initialisation", "init", "start"];
    if let [word, colon, _, ..] = &tokens[..]
        && word.is_any(&LABELS)
        && colon.is(":")
    {
        let column = word.column;
        tokens.drain(..2);
        tokens[0].column = column;
    }
    // `return all i such that A[i] is true`: the array says it.
    if let [word, all, index, such, that, array, open, other, ..] = &tokens[..]
        && word.is_word("return")
        && all.is_word("all")
        && such.is_word("such")
        && that.is_word("that")
        && open.is("[")
        && other.text == index.text
    {
        let array = array.clone();
        tokens.truncate(1);
        tokens.push(array);
    }
    if let [word, .., to, display] = &tokens[..]
        && word.is_word("send")
        && to.is_word("to")
        && display.is_any(&["display", "screen"])
    {
        tokens.truncate(tokens.len() - 2);
        tokens[0].text = "return".to_owned();
    }
}

/// `set L to 0 and R to n`: each.
fn several(tokens: &[Token]) -> Option<Vec<Token>> {
    let word = tokens.first().filter(|it| it.is_word("set"))?;
    if tokens.iter().any(Token::assigns) {
        return None;
    }
    let set = |it: &[Token]| {
        let at = position(it, &["to"]).filter(|at| *at > 0 && at + 1 < it.len())?;
        Some(words(word, "{} ← {}", &[&it[..at], &it[at + 1..]]))
    };
    let parts = split(&tokens[1..], &["and", ","]);
    let all = parts.iter().map(|it| set(it)).collect::<Option<Vec<_>>>();
    let all = all.filter(|it| it.len() > 1)?;
    let comma = Token::glued(",", word);
    Some(all.into_iter().map(spaced).collect::<Vec<_>>().join(&comma))
}

/// What stands behind a head on its line.
fn behind(tokens: &mut Vec<Token>, from: Option<usize>) {
    let Some(from) = from.filter(|it| *it < tokens.len()) else { return };
    let several = || several(&tokens[from..]);
    if let Some(plain) = verb(&tokens[from..]).or_else(several) {
        let first = tokens[from].clone();
        tokens.truncate(from);
        tokens.extend(plain);
        (tokens[from].blank, tokens[from].column) = (first.blank, first.column);
    }
}

/// `do the following:` is `do`, and `, do` as well.
fn following(tokens: &mut Vec<Token>) {
    let says =
        |it: &Token| it.is_any(&["the", "following", "steps", "as", "follows", "statements"]);
    if let Some(at) = tokens
        .windows(2)
        .position(|it| it[0].is_any(&["do", "then", "does", "perform"]) && says(&it[1]))
    {
        let count = tokens[at + 1..].iter().take_while(|it| says(it)).count();
        tokens.drain(at + 1..=at + count);
        tokens[at].text = if tokens[at].is_word("then") { "then" } else { "do" }.to_owned();
    }
    let is_comma = |it: &[Token]| it[0].is(",") && it[1].is_any(&["do", "then"]);
    if let Some(at) = tokens.windows(2).position(is_comma) {
        tokens.remove(at);
    }
}

/// `if c, s` has its `then`; `if c,` above its branch has none.
fn comma(tokens: &mut Vec<Token>, head: usize) {
    if !tokens[head].is_any(&["if", "elseif", "elif", "elsif"])
        || position(tokens, &["then"]).is_some()
    {
        return;
    }
    let mut from = head + 1;
    while let Some(at) = position(&tokens[from..], &[","]).map(|it| from + it) {
        if at + 1 == tokens.len() {
            tokens.pop();
            return;
        }
        // `if i = 0, j = 0` may be one condition.
        let behind = &tokens[at + 1..];
        let is_sure = position(behind, &["←", ":=", "<-", "↔"]).is_some()
            || !behind.get(1).is_some_and(Token::assigns)
                && !behind.get(1).is_some_and(|it| it.is("["));
        if is_sure && begins(behind) {
            let then = Token::made("then", &tokens[at]);
            tokens[at] = then;
            return;
        }
        from = at + 1;
    }
}

/// `if a[i] = x return i`: a statement beside the condition has its `then` before it.
fn beside(tokens: &mut Vec<Token>, head: usize) {
    const JOINS: [&str; 14] = [
        "and", "or", "not", "mod", "div", "xor", "is", "in", "divides", "then", "do", "of", "to",
        "than",
    ];
    let is_if = tokens[head].is_any(&["if", "elseif", "elif", "elsif"]);
    if !is_if || position(tokens, &["then", "do", "?"]).is_some() {
        return;
    }
    let levels = depths(tokens);
    let is_start = |at: usize| {
        let [before, it] = [&tokens[at - 1], &tokens[at]];
        levels[at] == 0
            && (before.ends_operand() || before.is("|"))
            && !before.is_any(&JOINS)
            && it.is_name()
            && !it.is_any(&JOINS)
            && !it.blank.is_empty()
            && begins(&tokens[at..])
    };
    if let Some(at) = (head + 2..tokens.len()).find(|&at| is_start(at)) {
        let then = Token::made("then", &tokens[at]);
        tokens.insert(at, then);
    }
}

/// A sentence that begins with its verb, as an assignment.
fn verb(tokens: &[Token]) -> Option<Vec<Token>> {
    let [word, rest @ ..] = tokens else { return None };
    if rest.first().is_none_or(Token::assigns)
        || rest.iter().any(|it| it.is_any(&["←", ":=", "<-"]))
    {
        return None;
    }
    let between = |sign: &str| {
        let at = position(rest, &[sign]).filter(|at| *at > 0 && at + 1 < rest.len())?;
        Some((&rest[..at], &rest[at + 1..]))
    };
    let is_target = |it: &[Token]| match it {
        [name] => name.is_name(),
        [name, open, ..] => name.is_name() && open.is("["),
        [] => false,
    };
    let set = |target: &[Token], value: &[Token]| {
        let is_value = !value[0].is_any(&["a", "an", "the", "new", "zero", "empty"])
            && !value.windows(2).any(|it| it[0].is_name() && it[1].is_name());
        (is_target(target) && is_value).then(|| words(word, "{} ← {}", &[target, value]))
    };
    let changed = |target: &[Token], sign: &str, by: &[Token]| {
        let by =
            if by.len() > 1 { crate::notation::token::bracketed(by.to_vec()) } else { by.to_vec() };
        // What is added to a set is none of a sum.
        let is_sum =
            target.len() > 1 || !target[0].text.starts_with(|it: char| it.is_ascii_uppercase());
        (is_target(target) && is_sum).then(|| {
            words(word, &format!("{{}} ← {{}} {sign} {{}}"), &[target, target, &spaced(by)])
        })
    };
    match word.text.to_ascii_lowercase().as_str() {
        "let" | "define" => between("be").and_then(|it| set(it.0, it.1)),
        "initialize" | "initialise" => {
            between("to").or_else(|| between("with")).and_then(|it| set(it.0, it.1))
        }
        "assign" | "store" | "put" => between("to")
            .or_else(|| between("into"))
            .or_else(|| between("in"))
            .and_then(|it| set(it.1, it.0)),
        "replace" => between("by").or_else(|| between("with")).and_then(|it| set(it.0, it.1)),
        "add" => between("to").and_then(|it| changed(it.1, "+", it.0)),
        "subtract" => between("from").and_then(|it| changed(it.1, "-", it.0)),
        "multiply" => between("by").and_then(|it| changed(it.0, "×", it.1)),
        _ => None,
    }
}
