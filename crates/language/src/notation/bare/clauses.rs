//! Sentences of a step, as what they do.

use crate::notation::output::{spaced, words};
use crate::notation::token::{Token, closing, position, split};

/// What a clause of a step does.
#[derive(Clone)]
pub(super) enum Act {
    /// A statement of any notation.
    Plain(Vec<Token>),
    /// The step that is next, by its name.
    Go(Token, String),
    /// Steps in a loop: its head, the first and the last of them, and whether it is asked at its end.
    Loop { head: Vec<Token>, steps: [String; 2], is_post: bool },
    /// A loop: its head, and what is done in it.
    Body(Vec<Token>, Vec<Act>),
    /// A branch: its condition, and what is done where it holds and where it does not.
    If(Vec<Token>, Vec<Act>, Vec<Act>),
    /// The end, with what comes out.
    End(Token, Vec<Token>),
}

/// Verbs that clauses begin with.
const VERBS: [&str; 40] = [
    "set",
    "let",
    "go",
    "goto",
    "return",
    "increase",
    "decrease",
    "increment",
    "decrement",
    "interchange",
    "exchange",
    "swap",
    "terminate",
    "stop",
    "halt",
    "output",
    "print",
    "proceed",
    "repeat",
    "perform",
    "do",
    "if",
    "otherwise",
    "else",
    "for",
    "while",
    "divide",
    "the",
    "add",
    "subtract",
    "continue",
    "exit",
    "end",
    "replace",
    "advance",
    "compute",
    "put",
    "assign",
    "multiply",
    "write",
];

const ARROWS: [&str; 5] = ["←", ":=", "<-", "=", "↔"];

/// Whether tokens begin a clause of their own.
pub(super) fn begins(tokens: &[Token]) -> bool {
    let filler = tokens.iter().take_while(|it| it.is_any(&["and", "then"])).count();
    let tokens = &tokens[filler..];
    let assigns = || {
        let arrow = position(tokens, &ARROWS);
        arrow.is_some_and(|at| match &tokens[..at] {
            [name] => name.is_name(),
            [name, rest @ ..] => name.is_name() && closing(rest, 0) == Some(rest.len() - 1),
            [] => false,
        })
    };
    let is_answer = matches!(tokens, [_, is, the, answer, ..] if is.is_word("is") && the.is_word("the") && answer.is_word("answer"));
    tokens.first().is_some_and(|it| it.is_any(&VERBS)) || assigns() || is_answer
}

/// What the sentences of a step do.
pub(super) fn acts(tokens: &[Token]) -> Vec<Act> {
    let tokens = without_remarks(tokens);
    let mut acts: Vec<Act> = vec![];
    for sentence in split(&tokens, &["."]) {
        let mut start = 0;
        // An `otherwise` begins a part of its own.
        let cuts = (1..=sentence.len())
            .filter(|&at| sentence.get(at).is_none_or(|it| it.is_any(&["otherwise", "else"])));
        for end in cuts.collect::<Vec<_>>() {
            part(&sentence[start..end], &mut acts);
            start = end;
        }
    }
    acts
}

/// Without what stands in square brackets first, and remarks in round ones.
fn without_remarks(tokens: &[Token]) -> Vec<Token> {
    let mut rest = tokens.to_vec();
    if rest.first().is_some_and(|it| it.is("["))
        && let Some(close) = closing(&rest, 0)
    {
        rest.drain(..=close);
    }
    let mut at = 0;
    while at < rest.len() {
        let is_word = |it: &Token| it.is_name();
        if rest[at].is("(")
            && (at == 0 || rest[at - 1].is_any(&[".", ";"]))
            && let Some(close) = closing(&rest, at)
            && rest[at..close].windows(2).any(|it| is_word(&it[0]) && is_word(&it[1]))
        {
            rest.drain(at..=close);
        } else {
            at += 1;
        }
    }
    rest
}

/// A sentence, or what an `otherwise` begins of it.
fn part(tokens: &[Token], acts: &mut Vec<Act>) {
    let tokens = trimmed(tokens);
    let Some(first) = tokens.first() else { return };
    if first.is_any(&["otherwise", "else"]) {
        let behind = trimmed(&tokens[1..]);
        let mut inner = vec![];
        part(behind, &mut inner);
        let last = acts.iter_mut().rev().find_map(|it| match it {
            Act::If(_, _, other) if other.is_empty() => Some(other),
            _ => None,
        });
        match last {
            Some(other) => *other = inner,
            None => acts.extend(inner),
        }
    } else if first.is_any(&["for", "while"])
        && position(tokens, &["step", "steps"]).is_none()
        && let Some(at) = position(tokens, &["set"])
    {
        // `for j = k, …, n set a_j = 0; set b = 1`: up to the semicolon.
        let end = position(&tokens[at..], &[";"]).map_or(tokens.len(), |it| at + it);
        let head = [trimmed(&tokens[..at]), &[Token::made("do", first)]].concat();
        let mut inner = vec![];
        clauses(&tokens[at..end], &mut inner);
        acts.push(Act::Body(head, inner));
        part(&tokens[end..], acts);
    } else if first.is_word("if") {
        // `if i > n go to step 5` has no sign between.
        let verb = ["go", "goto", "stop", "terminate", "set", "return", "output"];
        let is_beside = |at: &usize| {
            tokens[at - 1].ends_operand() && tokens[*at].is_any(&verb) && begins(&tokens[*at..])
        };
        let sign = position(tokens, &["then"]).or_else(|| position(tokens, &[",", ":"]));
        let ends = match sign {
            Some(at) => Some([at, at + 1]),
            None => (2..tokens.len()).find(is_beside).map(|at| [at, at]),
        };
        let Some([end, start]) = ends else { return acts.push(Act::Plain(tokens.to_vec())) };
        let condition = trimmed(&tokens[1..end]);
        let mut then = vec![];
        clauses(&tokens[start..], &mut then);
        acts.push(Act::If(spaced(condition.to_vec()), then, vec![]));
    } else {
        clauses(tokens, acts);
    }
}

/// Without words and signs that only join.
fn trimmed(mut tokens: &[Token]) -> &[Token] {
    let joins = |it: &Token| it.is_any(&[",", ";", "and", "then", "otherwise_"]);
    while let [first, rest @ ..] = tokens
        && joins(first)
    {
        tokens = rest;
    }
    while let [rest @ .., last] = tokens
        && joins(last)
    {
        tokens = rest;
    }
    tokens
}

/// `set j ← 1, k ← 2, and go to step E1`: each clause.
fn clauses(tokens: &[Token], acts: &mut Vec<Act>) {
    let joins = [",", ";", "and", "then"];
    let mut start = 0;
    for at in 1..=tokens.len() {
        let is_cut = tokens
            .get(at)
            .is_none_or(|it| it.is(";") || it.is_any(&joins) && begins(&tokens[at + 1..]));
        let is_open = tokens[start..at]
            .iter()
            .map(|it| i64::from(it.opens()) - i64::from(it.closes()))
            .sum::<i64>()
            > 0;
        // `perform steps 2 and 3 while …`
        if is_cut && (!is_open || at == tokens.len()) {
            clause(trimmed(&tokens[start..at]), acts);
            start = at;
        }
    }
}

fn clause(tokens: &[Token], acts: &mut Vec<Act>) {
    let Some(first) = tokens.first() else { return };
    if first.is_word("if") {
        return part(tokens, acts);
    }
    if let Some(act) = repeated(tokens) {
        return acts.push(act);
    }
    let has = |words: &[&str]| tokens.iter().any(|it| it.is_any(words));
    let is_go = first.is_any(&["go", "goto", "proceed", "continue", "back"])
        || first.is_word("return") && tokens.len() > 2 && tokens[1].is_word("to");
    if is_go && let Some(to) = tokens.last() {
        let number = to.text.trim_start_matches(|it: char| it.is_ascii_alphabetic());
        return acts.push(Act::Go(first.clone(), number.to_owned()));
    }
    if let [value @ .., is, the, answer] = tokens
        && is.is_word("is")
        && the.is_word("the")
        && answer.is_word("answer")
    {
        acts.retain(|it| !matches!(it, Act::End(..)));
        return acts.push(Act::End(first.clone(), spaced(value.to_vec())));
    }
    if first.is_any(&["terminate", "stop", "halt", "exit", "end"])
        || first.is_word("the") && has(&["terminates", "ends", "stops"])
        || has(&["terminates"])
    {
        let value = has(&["unsuccessfully"]).then(|| vec![Token::made("unsuccessful", first)]);
        if !matches!(acts.last(), Some(Act::End(..))) {
            acts.push(Act::End(first.clone(), value.unwrap_or_default()));
        }
        return;
    }
    if first.is_any(&["output", "return", "print", "write"]) && tokens.len() > 1 {
        return acts.push(Act::End(first.clone(), spaced(tokens[1..].to_vec())));
    }
    // Knuth's division.
    if first.is_word("divide")
        && let Some(by) = position(tokens, &["by"])
    {
        return acts.push(Act::Plain([&tokens[1..by], &tokens[by..]].concat()));
    }
    if let [word, name, be, the, part] = tokens
        && word.is_word("let")
        && be.is_word("be")
        && the.is_word("the")
        && let Some(Act::Plain(division)) = acts.last()
        && let Some(by) = position(division, &["by"])
    {
        let (of, by) = (division[..by].to_vec(), division[by + 1..].to_vec());
        let one = std::slice::from_ref(name);
        let line = match part.is_word("remainder") {
            true => words(word, "{} ← {} mod {}", &[one, &of, &by]),
            false => words(word, "{} ← ⌊ {} / {} ⌋", &[one, &of, &by]),
        };
        acts.pop();
        return acts.push(Act::Plain(line));
    }
    let one = |it: &Token| if it.is("one") { it.with("1") } else { it.clone() };
    let tokens: Vec<Token> = tokens.iter().map(one).collect();
    let skip = usize::from(first.is_word("set") && tokens.iter().any(Token::assigns));
    acts.push(Act::Plain(tokens[skip..].to_vec()));
}

/// `perform steps S2 through S5 for j = 2, …, N`, `while c do steps 3–6`, `repeat steps 3 and 4 while c`.
fn repeated(tokens: &[Token]) -> Option<Act> {
    let word = tokens.iter().position(|it| it.is_any(&["step", "steps"]))?;
    let name = |it: &Token| {
        let number = it.text.trim_start_matches(|it: char| it.is_ascii_alphabetic());
        (!number.is_empty() && number.bytes().all(|it| it.is_ascii_digit()))
            .then(|| number.to_owned())
    };
    let from = name(tokens.get(word + 1)?)?;
    let joins = ["to", "through", "–", "-", "and", ",", "—", "−"];
    let mut end = word + 2;
    let mut to = from.clone();
    while tokens.get(end).is_some_and(|it| it.is_any(&joins)) {
        let skip = tokens[end..]
            .iter()
            .take_while(|it| it.is_any(&joins) || it.is_any(&["step", "steps"]))
            .count();
        let Some(next) = tokens.get(end + skip).and_then(name) else { break };
        (to, end) = (next, end + skip + 1);
    }
    let before = match &tokens[..word] {
        [inner @ .., verb] if verb.is_any(&["do", "repeat", "perform", "execute"]) => inner,
        all => all,
    };
    let condition = if before.is_empty() { &tokens[end..] } else { before };
    let condition = trimmed(condition);
    let kind = condition.first().filter(|it| it.is_any(&["for", "while", "until"]))?;
    let is_post = kind.is_word("until");
    let mut head = condition.to_vec();
    if !is_post {
        head.push(Token::made("do", kind));
    }
    Some(Act::Loop { head, steps: [from, to], is_post })
}

/// Whether one of them leads to a step.
pub(super) fn goes(acts: &[Act]) -> bool {
    acts.iter().any(|it| match it {
        Act::Go(..) => true,
        Act::If(_, then, other) => goes(then) || goes(other),
        _ => false,
    })
}

/// Whether one of them ends the algorithm, or leads to a step.
pub(super) fn leaves(acts: &[Act]) -> bool {
    goes(acts) || !values(acts).is_empty()
}

/// Names in the order in which they are read and assigned, and whether they are assigned.
pub(super) fn scalars(acts: &[Act]) -> Vec<(Token, bool)> {
    let names = |it: &[Token], is_target: bool| {
        let names = it.iter().filter(|it| it.is_name()).cloned();
        names.map(|it| (it, is_target)).collect::<Vec<_>>()
    };
    let mut found = vec![];
    for act in acts {
        match act {
            Act::Plain(tokens) => match tokens.iter().position(Token::assigns) {
                Some(1) => {
                    found.extend(names(&tokens[2..], false));
                    found.extend(names(&tokens[..1], true));
                }
                _ => found.extend(names(tokens, false)),
            },
            Act::If(condition, then, other) => {
                found.extend(names(condition, false));
                found.extend(scalars(then));
                found.extend(scalars(other));
            }
            Act::Loop { head, .. } => found.extend(names(head, false)),
            Act::Body(head, inner) => {
                found.extend(names(head, false));
                found.extend(scalars(inner));
            }
            Act::End(_, value) => found.extend(names(value, false)),
            Act::Go(..) => {}
        }
    }
    found
}

/// What the ends among acts give.
pub(super) fn values(acts: &[Act]) -> Vec<Vec<Token>> {
    let of = |act: &Act| match act {
        Act::End(_, value) => vec![value.clone()],
        Act::If(_, then, other) => [values(then), values(other)].concat(),
        _ => vec![],
    };
    acts.iter().flat_map(of).collect()
}
