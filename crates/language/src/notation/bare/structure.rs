//! Lines that papers break or close otherwise, and the depth of each.

use super::{Reader, Result};
use crate::notation::layout::{Item, LineKind, number_length};
use crate::notation::output::Line;
use crate::notation::token::{LogicalLine, Token, position};

/// `do` and `then` at the beginning of a line belong to the end of the one above.
pub(super) fn loosen(lines: &mut Vec<LogicalLine>) {
    for at in 0..lines.len() {
        asked_first(lines, at);
    }
    // `for all v ∈ V do` and `in parallel` below it.
    for at in 1..lines.len() {
        let [above, line] = &mut lines[at - 1..=at] else { continue };
        let is_order =
            matches!(&line.tokens[..], [one, two] if one.is_word("in") && two.is_word("parallel"));
        let is_head = above.tokens.last().is_some_and(|it| it.is_word("do"));
        if is_order && is_head {
            above.tokens.append(&mut line.tokens);
        }
    }
    part_heads(lines);
    lines.iter_mut().for_each(|it| whole_branch(&mut it.tokens));
    let mut open: Vec<(usize, usize)> = vec![];
    let mut heads: Vec<usize> = vec![];
    let mut at = 0;
    while at < lines.len() {
        let number = number_length(&lines[at].tokens);
        let tokens = &mut lines[at].tokens;
        let Some(first) = tokens.get(number).cloned() else {
            at += 1;
            continue;
        };
        let is_alone = tokens.len() == number + 1;
        open.retain(|it| it.0 <= first.column);
        if first.is_any(&["do", "then"])
            && heads.last().is_some_and(|it| {
                *it < first.column || is_alone || *it == first.column && first.is_word("then")
            })
        {
            let head = heads.last().copied().unwrap_or(0);
            if first.is_word("then") {
                open.push((first.column, head));
            }
            tokens.remove(number);
            if is_alone {
                tokens.clear();
            }
        } else if first.is_any(&["else", "elseif"])
            && let Some((_, head)) = open.iter().rfind(|it| it.0 == first.column).copied()
        {
            // It stands where its `then` did: at the column of its `if`.
            let mut rest = tokens.split_off(number + 1);
            tokens[number].column = head;
            if !rest.is_empty() && !rest[0].is_word("if") {
                let line = LogicalLine {
                    tokens: std::mem::take(&mut rest),
                    comments: std::mem::take(&mut lines[at].comments),
                };
                lines.insert(at + 1, line);
                at += 1;
            } else {
                lines[at].tokens.extend(rest);
            }
        }
        let tokens = &lines[at].tokens;
        let begins =
            |it: &Token| it.is_any(&["for", "while", "if", "forall", "foreach", "parallel", "par"]);
        let number = number_length(tokens);
        if let Some(first) = tokens.get(number).filter(|it| begins(it)) {
            heads.retain(|it| *it < first.column);
            heads.push(first.column);
        }
        at += 1;
    }
}

/// `loop while c`, `loop until c` and `loop` above their bodies are asked first, or leave from inside.
fn asked_first(lines: &mut [LogicalLine], at: usize) {
    let column = |it: &LogicalLine| it.tokens.get(number_length(&it.tokens)).map(|it| it.column);
    let number = number_length(&lines[at].tokens);
    let below = lines[at + 1..].iter().find_map(column);
    let [word, behind @ ..] = &lines[at].tokens[number.min(lines[at].tokens.len())..] else {
        return;
    };
    if !word.is_word("loop") || below.is_none_or(|it| it <= word.column) {
        return;
    }
    let made = |text: &str| Token::made(text, word);
    let condition = |of: &[Token]| match of {
        [inner @ .., last] if last.is_any(&["do", ":"]) => inner.to_vec(),
        all => all.to_vec(),
    };
    let plain = match behind {
        [next, ..] if next.is_word("while") => behind.to_vec(),
        [next, of @ ..] if next.is_word("until") => {
            let not = [made("while"), made("not"), made("(")];
            [not.to_vec(), condition(of), vec![made(")"), made("do")]].concat()
        }
        [] => {
            // What closes it may ask.
            let end =
                lines[at + 1..].iter().find(|it| column(it).is_some_and(|it| it <= word.column));
            let asks = end.is_some_and(|it| {
                let code = &it.tokens[number_length(&it.tokens)..];
                let skip = usize::from(code[0].is_any(&["loop", "end"]));
                code.get(skip).is_some_and(|it| it.is_any(&["until", "while"]))
            });
            if asks {
                return;
            }
            vec![made("while"), made("true"), made("do")]
        }
        _ => return,
    };
    let first = Token { column: word.column, blank: word.blank.clone(), ..plain[0].clone() };
    lines[at].tokens.splice(number.., plain);
    lines[at].tokens[number] = first;
}

/// `if c then x := 1; y := 2 fi` on one line: both belong to the branch that `fi` closes.
fn whole_branch(tokens: &mut Vec<Token>) {
    let number = number_length(tokens);
    let code = &tokens[number.min(tokens.len())..];
    let is_head = code.first().is_some_and(|it| it.is_any(&["if", "while", "for", "forall"]));
    let closes = ["fi", "od", "end", "endif", "endwhile", "endfor", "enddo"];
    let is_closed = code.last().is_some_and(|it| it.is_any(&closes))
        || code.len() > 2 && code[code.len() - 2].is("end");
    let Some(head) = position(code, &["then", "do", "pardo"]).filter(|_| is_head && is_closed)
    else {
        return;
    };
    let behind = &code[head + 1..];
    let is_one = position(behind, &[";"]).is_none();
    let is_plain = position(behind, &["else", "then", "do", "in"]).is_none();
    if is_plain && !is_one {
        let sign = Token::glued(";", &code[head]);
        tokens.insert(number + head + 1, sign);
    }
}

/// `else x = 1` above a line that is indented more: both belong to the `else`.
fn part_heads(lines: &mut Vec<LogicalLine>) {
    let mut at = 0;
    while at + 1 < lines.len() {
        let number = number_length(&lines[at].tokens);
        let code = |it: &&LogicalLine| it.tokens.len() > number_length(&it.tokens);
        let below = lines[at + 1..].iter().find(code);
        let below = below.map(|it| it.tokens[number_length(&it.tokens)].column);
        let tokens = &lines[at].tokens[number..];
        at += 1;
        let (Some(first), Some(below)) = (tokens.first(), below) else { continue };
        let is_branch = first.is_any(&["if", "elseif", "elsif", "elif", "while"])
            || tokens.get(1).is_some_and(|it| first.is_word("else") && it.is_word("if"));
        let end = match first {
            _ if is_branch => position(tokens, &["then", "do"]).map(|it| it + 1),
            _ if first.is_word("else") => Some(1),
            _ if first.is_any(&["for", "foreach", "forall"]) => {
                position(tokens, &["do"]).map(|it| it + 1)
            }
            _ => None,
        };
        let Some(end) = end.filter(|end| *end < tokens.len() && below > first.column) else {
            continue;
        };
        let behind = &tokens[end..];
        if behind[0].is_any(&["in", ":", "parallel"])
            || behind[0].is("{block")
            || position(behind, &["else"]).is_some()
        {
            continue;
        }
        let mut rest = lines[at - 1].tokens.split_off(number + end);
        rest[0].column = below;
        let comments = std::mem::take(&mut lines[at - 1].comments);
        lines.insert(at, LogicalLine { tokens: rest, comments });
    }
}

/// `do … while c` and `loop … until c` are asked at their end.
pub(super) fn close_loops(items: &mut [Item]) {
    let code: Vec<usize> =
        (0..items.len()).filter(|&at| items[at].kind == LineKind::Statement).collect();
    let mut open: Vec<usize> = vec![];
    for (nth, &at) in code.iter().enumerate() {
        let column = items[at].column();
        open.retain(|&it| items[it].column() <= column);
        let tokens = &items[at].tokens;
        if matches!(&tokens[..], [one] if one.is_any(&["do", "repeat", "loop"])) {
            open.push(at);
            continue;
        }
        let skip = usize::from(tokens[0].is_word("loop") && tokens.len() > 1);
        let Some(word) = tokens.get(skip) else { continue };
        let next = code.get(nth + 1).map_or(0, |&it| items[it].column());
        let closes = word.is_word("while") && next <= column || word.is_word("until");
        let opener = open.iter().rposition(|&it| items[it].column() == column);
        if let (true, Some(place)) = (closes, opener) {
            let opener = open[place];
            open.truncate(place);
            let first = items[opener].tokens[0].with("repeat");
            items[opener].tokens = vec![first];
            let tokens = &items[at].tokens;
            let word = tokens[skip].clone();
            let condition = match &tokens[skip + 1..] {
                [rest @ .., last] if last.is_word("do") => rest.to_vec(),
                all => all.to_vec(),
            };
            let made = |text: &str| Token::made(text, &word);
            items[at].tokens = match word.is_word("while") {
                true => {
                    [vec![word.with("until"), made("not"), made("(")], condition, vec![made(")")]]
                        .concat()
                }
                false => [vec![word.with("until")], condition].concat(),
            };
        }
    }
}

/// The lines of items, with what stands at the end of loops, and what is returned.
pub(super) fn assembled(
    items: Vec<Item>,
    levels: &[usize],
    reader: &mut Reader,
    mut results: Option<&mut usize>,
) -> Result<Vec<Line>> {
    let mut lines: Vec<Line> = vec![];
    let mut tails: Vec<(usize, Vec<Token>)> = vec![];
    // Levels of loops whose bodies are in a branch.
    let mut guards: Vec<usize> = vec![];
    let last = items.iter().rposition(|it| it.kind == LineKind::Statement);
    for (at, (item, &level)) in items.into_iter().zip(levels).enumerate() {
        if item.kind != LineKind::Statement {
            let depth = lines.last().map_or(0, |it| it.depth);
            if !item.comments.is_empty() {
                lines.push(Line { depth, tokens: vec![], comments: item.comments });
            }
            continue;
        }
        guards.retain(|it| *it < level);
        let depth = level + guards.len();
        while let Some((depth, tail)) = tails.pop_if(|it| it.0 >= depth) {
            lines.push(Line { depth: depth + 1, tokens: tail, comments: vec![] });
        }
        if !item.tail.is_empty() {
            tails.push((depth, item.tail));
        }
        if item.tokens[0].is_word("return") && !item.tokens.get(1).is_some_and(Token::assigns) {
            let is_last = Some(at) == last && level == 0;
            reader.returned(&item.tokens, is_last, depth, results.as_deref_mut(), &mut lines);
            continue;
        }
        lines.push(Line { depth, tokens: item.tokens, comments: item.comments });
        if !item.inner.is_empty() {
            let is_guard = item.inner.last().is_some_and(|it| it.is("then"));
            lines.push(Line { depth: depth + 1, tokens: item.inner, comments: vec![] });
            if is_guard {
                guards.push(level);
            }
        }
    }
    while let Some((depth, tail)) = tails.pop() {
        lines.push(Line { depth: depth + 1, tokens: tail, comments: vec![] });
    }
    Ok(lines)
}

/// Without the upright rules that algorithm2e and lectures draw along blocks: blanks, so that places stay.
pub(super) fn without_rules(text: &str) -> String {
    const RULES: [char; 4] = ['|', '│', '┃', '∣'];
    let margin = |line: &str| {
        let is_margin = |it: char| it.is_whitespace() || RULES.contains(&it);
        line.find(|it| !is_margin(it)).unwrap_or(line.len())
    };
    let has_rule = |line: &&str| line[..margin(line)].contains(RULES);
    // A single one is the bar of an absolute value.
    if text.lines().filter(has_rule).count() < 3 {
        return text.to_owned();
    }
    let of_line = |line: &str| {
        let (rules, code) = line.split_at(margin(line));
        let blank = |it: char| " ".repeat(if RULES.contains(&it) { it.len_utf8() } else { 0 });
        let blanks = |it: char| if RULES.contains(&it) { blank(it) } else { it.to_string() };
        rules.chars().map(blanks).collect::<String>() + code
    };
    text.split_inclusive('\n').map(of_line).collect()
}
