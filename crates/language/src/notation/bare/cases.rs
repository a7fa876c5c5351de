//! `case` and `switch` of books, Pascal, Ada and algorithm2e, as branches: an arm has what stands behind its
//! values, or deeper below them.

use crate::notation::layout::number_length;
use crate::notation::output::{spaced, words};
use crate::notation::token::{DOTS, LogicalLine, Token, closing, position, split};

const OTHERS: [&str; 4] = ["else", "otherwise", "default", "others"];
const SIGNS: [&str; 5] = [":", "=>", "->", "then", "do"];
const COMPARISONS: [&str; 8] = ["<", ">", "≤", "≥", "≠", "<=", ">=", "<>"];

/// Where an arm begins, its condition (none of the last), and where its statements begin on that line.
struct Arm {
    line: usize,
    condition: Vec<Token>,
    behind: usize,
}

fn code(line: &LogicalLine) -> &[Token] {
    &line.tokens[number_length(&line.tokens).min(line.tokens.len())..]
}

/// The code of a line among arms, whose values are no numbers of lines where the head has none.
fn of_arms(line: &LogicalLine, is_numbered: bool) -> &[Token] {
    if is_numbered { code(line) } else { &line.tokens }
}

/// What the branches ask, if a line begins some.
fn subject(tokens: &[Token]) -> Option<&[Token]> {
    let [word, rest @ ..] = tokens else { return None };
    let rest = match rest {
        [case, rest @ ..] if word.is_word("select") && case.is_any(&["case", "on"]) => rest,
        all if word.is_any(&["case", "switch", "select"]) => all,
        _ => return None,
    };
    let ends = |it: &Token| it.is_any(&["of", "is", "do", ":", "begin", "in", "{block", "on"]);
    let count = rest.iter().rev().take_while(|it| ends(it)).count();
    let rest = &rest[rest.first().map_or(0, |it| usize::from(it.is("on")))..rest.len() - count];
    let is_said = count > 0 || !word.is_word("case");
    let is_value = !rest.is_empty() && !rest.iter().any(|it| it.is_any(&[":", ";", ":=", "←"]));
    (is_said && is_value).then_some(rest)
}

/// One of the values of an arm, as a condition.
fn condition(subject: &[Token], value: &[Token]) -> Option<Vec<Token>> {
    let like = value.first()?;
    let between = position(value, &DOTS).or_else(|| position(value, &["to"]));
    match between {
        Some(at) if at > 0 && at + 1 < value.len() => {
            let parts = [subject, &value[..at], subject, &value[at + 1..]];
            Some(words(like, "( {} ≥ {} and {} ≤ {} )", &parts))
        }
        Some(_) => None,
        None if like.is_any(&COMPARISONS) => Some(words(like, "{} {}", &[subject, value])),
        None => Some(words(like, "{} = {}", &[subject, value])),
    }
}

/// The arm that a line begins.
fn arm(line: &LogicalLine, tokens: &[Token], at: usize, subject: &[Token]) -> Option<Arm> {
    let number = line.tokens.len() - tokens.len();
    let is_word = tokens.first()?.is_any(&["case", "when"]);
    let from = usize::from(is_word);
    let sign = position(&tokens[from..], &SIGNS).map(|it| it + from);
    let is_other = tokens.get(from)?.is_any(&OTHERS);
    let labels = &tokens[from..sign.unwrap_or(tokens.len())];
    if is_other {
        let behind = sign.filter(|it| *it == from + 1).unwrap_or(from) + 1;
        return Some(Arm { line: at, condition: vec![], behind: number + behind });
    }
    if labels.is_empty() || sign.is_none() && !is_word || labels.iter().any(Token::assigns) {
        return None;
    }
    let values = split(labels, &[",", "|", "or"]);
    let all = values
        .into_iter()
        .map(|it| condition(subject, it).map(spaced))
        .collect::<Option<Vec<_>>>()?;
    let condition = all.join(&Token::made("or", &labels[0]));
    Some(Arm { line: at, condition, behind: number + sign.map_or(tokens.len(), |it| it + 1) })
}

/// Makes branches of all of them, the inner ones first; what is not read stays.
pub(super) fn lines(lines: &mut [LogicalLine]) {
    for at in (0..lines.len()).rev() {
        braces(lines, at);
        if let Some(made) = branches(lines, at) {
            for (line, tokens) in made {
                lines[line].tokens = tokens;
            }
            lines[at].tokens.clear();
        }
    }
}

/// Whether the statements of an arm end in what leaves all arms, and without it.
fn leave(lines: &mut [LogicalLine], arm: &Arm, end: usize) -> Option<(usize, usize)> {
    let last = (arm.line..end).rev().find(|it| {
        let from = if *it == arm.line { arm.behind } else { 0 };
        !lines[*it].tokens[from..].is_empty()
    })?;
    let from = if last == arm.line { arm.behind } else { number_length(&lines[last].tokens) };
    let tokens = &lines[last].tokens;
    let length = tokens.len() - usize::from(tokens[tokens.len() - 1].is(";"));
    let is_break = length > from && tokens[length - 1].is_word("break");
    is_break.then_some((last, length - 1))
}

/// The braces around the arms are none.
fn braces(lines: &mut [LogicalLine], at: usize) {
    let is_head = subject(code(&lines[at])).is_some();
    if !is_head || !lines[at].tokens.last().is_some_and(|it| it.is("{block")) {
        return;
    }
    let mut open = 0_usize;
    for line in at..lines.len() {
        for token in 0..lines[line].tokens.len() {
            open += usize::from(lines[line].tokens[token].is("{block"));
            if lines[line].tokens[token].is("}block") {
                open = open.saturating_sub(1);
                if open == 0 {
                    lines[line].tokens.remove(token);
                    lines[at].tokens.pop();
                    return;
                }
            }
        }
    }
}

fn branches(lines: &mut [LogicalLine], at: usize) -> Option<Vec<(usize, Vec<Token>)>> {
    let head = code(&lines[at]).first()?.clone();
    let subject = subject(code(&lines[at]))?.to_vec();
    let is_numbered = code(&lines[at]).len() < lines[at].tokens.len();
    let calls = |it: &[Token]| it[0].is_name() && it[1].is("(");
    let is_deep =
        subject.iter().enumerate().any(|(at, it)| it.opens() && closing(&subject, at).is_none());
    if subject.windows(2).any(calls) || is_deep {
        return None;
    }
    let (mut arms, mut column): (Vec<Arm>, Option<usize>) = (vec![], None);
    let (mut end, mut inner) = (lines.len(), None);
    for (line, code) in lines.iter().enumerate().skip(at + 1) {
        let tokens = of_arms(code, is_numbered);
        let Some(first) = tokens.first() else { continue };
        let own = *column.get_or_insert(first.column);
        if inner.is_some_and(|it| first.column > it) {
            continue;
        }
        let says = first.is_any(&["case", "when"]) || first.is_any(&OTHERS);
        if first.column < own.min(head.column) || first.column <= head.column && !says {
            end = line;
            break;
        }
        inner = Some(first.column);
        arms.push(arm(code, tokens, line, &subject)?);
    }
    let others = arms.iter().filter(|it| it.condition.is_empty()).count();
    if arms.is_empty() || others > 1 || others == 1 && !arms.last()?.condition.is_empty() {
        return None;
    }
    let ends: Vec<usize> =
        (1..=arms.len()).map(|it| arms.get(it).map_or(end, |it| it.line)).collect();
    let breaks: Vec<_> = arms.iter().zip(&ends).map(|(it, end)| leave(lines, it, *end)).collect();
    let has_breaks = breaks.iter().any(Option::is_some);
    // With `break` in some of them, an arm without it goes on with the next.
    if has_breaks && breaks[..breaks.len() - 1].iter().any(Option::is_none) {
        return None;
    }
    for (line, from) in breaks.into_iter().flatten() {
        lines[line].tokens.truncate(from);
    }
    let mut made = vec![];
    for (nth, (arm, end)) in arms.iter().zip(&ends).enumerate() {
        let behind = &lines[arm.line].tokens[arm.behind..];
        let is_empty = behind.iter().all(|it| it.is(";"))
            && (arm.line + 1..*end).all(|it| lines[it].tokens.is_empty());
        if is_empty {
            return None;
        }
        let word = match (nth, arm.condition.is_empty()) {
            (0, false) => "if {} then",
            (_, false) => "else if {} then",
            (0, true) => return None,
            (_, true) => "else",
        };
        let mut tokens = words(&head, word, &[&arm.condition]);
        tokens[0].blank = head.blank.clone();
        let behind = behind.to_vec();
        tokens.extend(spaced(behind));
        made.push((arm.line, tokens));
    }
    Some(made)
}
