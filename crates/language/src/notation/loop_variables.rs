//! Variables of loops that their bodies assign, or that keep a value behind the loop.

use super::output::{Line, LoopVariable, Output, words};
use super::token::{Token, position, text};

/// Gives such variables their values by statements.
pub(super) fn keep(output: &mut Output, meaning: LoopVariable) {
    let mut lines = std::mem::take(&mut output.lines);
    in_lines(&mut lines, output, meaning);
    output.lines = lines;
    let mut lines = std::mem::take(&mut output.procedures);
    in_lines(&mut lines, output, meaning);
    output.procedures = lines;
}

fn in_lines(lines: &mut Vec<Line>, output: &mut Output, meaning: LoopVariable) {
    let mut at = 0;
    while at < lines.len() {
        if let [word, variable, arrow, ..] = &lines[at].tokens[..]
            && word.is("for")
            && arrow.is("←")
            && lines[at].tokens.last().is_some_and(|it| it.is("do"))
        {
            let variable = variable.clone();
            let end = end(lines, at);
            let is_read = meaning != LoopVariable::Own
                && is_read_behind(&lines[end..], lines[at].depth, &variable);
            let body = at + 1..end;
            let is_assigned = lines[body].iter().any(|it| is_target(it, &variable));
            match meaning {
                LoopVariable::Beyond if is_read => counting(lines, at, end, output),
                LoopVariable::Beyond => {}
                _ if is_read || is_assigned => {
                    renamed(lines, at, output);
                    if is_read && !lines[..at].iter().any(|it| is_target(it, &variable)) {
                        begun(lines, at, &variable);
                        at += 1;
                    }
                }
                _ => {}
            }
        }
        at += 1;
    }
}

/// Behind the body of a loop.
fn end(lines: &[Line], at: usize) -> usize {
    let depth = lines[at].depth;
    let out = |it: &usize| !lines[*it].tokens.is_empty() && lines[*it].depth <= depth;
    (at + 1..lines.len()).find(out).unwrap_or(lines.len())
}

fn is_target(line: &Line, name: &Token) -> bool {
    let Some(arrow) = position(&line.tokens, &["←", "↔"]) else { return false };
    let is_head = line.tokens[0].is("for");
    let targets = super::token::split(&line.tokens[..arrow], &[","]);
    !is_head && targets.iter().any(|it| matches!(it, [one] if one.is(&name.text)))
}

fn is_read_behind(lines: &[Line], depth: usize, name: &Token) -> bool {
    for line in lines {
        if line.tokens.first().is_some_and(|it| it.text.starts_with("procedure ")) {
            return false;
        }
        if !line.tokens.iter().any(|it| it.is(&name.text)) {
            continue;
        }
        let is_head = line.tokens[0].is("for") && line.tokens[1].is(&name.text);
        let uses = line.tokens.iter().filter(|it| it.is(&name.text)).count();
        if !is_head && !is_target(line, name) || uses > 1 {
            return true;
        }
        if line.depth <= depth {
            return false;
        }
        if is_head {
            // What the loop's body reads is the loop's own.
            return false;
        }
    }
    false
}

/// Another variable counts, which the body's first statement gives to this one.
fn renamed(lines: &mut Vec<Line>, at: usize, output: &mut Output) {
    let name = lines[at].tokens[1].clone();
    let own = name.with(output.fresh("count"));
    let line = words(&name, &format!("{} ← {}", name.text, own.text), &[]);
    lines[at].tokens[1] = own;
    let depth = lines[at].depth + 1;
    lines.insert(at + 1, Line { depth, tokens: line, comments: vec![] });
}

/// A first value, which is none where the loop is empty: then there is none behind it, either.
fn begun(lines: &mut Vec<Line>, at: usize, variable: &Token) {
    let head = lines[at].tokens.clone();
    let (Some(to), Some(last)) = (position(&head, &["to", "downto"]), position(&head, &["do"]))
    else {
        return;
    };
    let end = position(&head, &["step"]).unwrap_or(last);
    let (from, to, is_down) = (&head[3..to], &head[to + 1..end], head[to].is("downto"));
    let (less, more) = if is_down { (to, from) } else { (from, to) };
    let text = format!("{} ← u64({{}} - ({{}}))", variable.text);
    let tokens = words(variable, &text, &[more, less]);
    let depth = lines[at].depth;
    lines.insert(at, Line { depth, tokens, comments: vec![] });
}

/// A `while` loop that counts.
fn counting(lines: &mut Vec<Line>, at: usize, end: usize, output: &mut Output) {
    let head = lines[at].tokens.clone();
    let (Some(to), Some(last)) = (position(&head, &["to", "downto"]), position(&head, &["do"]))
    else {
        return;
    };
    let step = position(&head, &["step"]).unwrap_or(last);
    let (name, depth, is_down) = (head[1].clone(), lines[at].depth, head[to].is("downto"));
    let by = if step < last { text(&head[step + 1..last]) } else { "1".to_owned() };
    let bound = output.fresh("bound");
    let line = |tokens: Vec<Token>, depth| Line { depth, tokens, comments: vec![] };
    let (sign, compare) = if is_down { ("-", "≥") } else { ("+", "≤") };
    let advance = words(&name, &format!("{0} ← {0} {sign} {by}", name.text), &[]);
    lines.insert(end, line(advance.clone(), depth + 1));
    // Each `continue` of this loop goes on with the next value.
    let mut inner: Vec<usize> = vec![];
    let mut place = at + 1;
    while place < lines.len() && lines[place].depth > depth {
        let it = &lines[place];
        inner.retain(|of| *of < it.depth);
        if it.tokens.first().is_some_and(|it| it.is_any(&["for", "while", "repeat"])) {
            inner.push(it.depth);
        }
        if inner.is_empty() && matches!(&it.tokens[..], [word] if word.is("continue")) {
            let own = line(advance.clone(), it.depth);
            lines.insert(place, own);
            place += 1;
        }
        place += 1;
    }
    let bounded = words(&name, &format!("{bound} ← {{}}"), &[&head[to + 1..step]]);
    let first = words(&name, &format!("{} ← {{}}", name.text), &[&head[3..to]]);
    lines[at].tokens = words(&name, &format!("while {} {compare} {bound} do", name.text), &[]);
    lines.splice(at..at, [line(bounded, depth), line(first, depth)]);
}
