//! Which line belongs to which: statements of one line apart, `begin`, `end` and line numbers gone,
//! blocks by indentation.

mod closers;

use self::closers::by_closers;
use super::statement::opens_block;
use super::token::{BRACES, LogicalLine, Token, depths};

/// A statement, a declaration, or lines without code.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) kind: LineKind,
    pub(super) tokens: Vec<Token>,
    pub(super) comments: Vec<Token>,
    /// Of its first token, and what it would be without the number before it.
    columns: [usize; 2],
    /// Whether a line begins with it.
    is_first: bool,
    /// Of a loop, what stands at the beginning of its body, and at its end.
    pub(super) inner: Vec<Token>,
    pub(super) tail: Vec<Token>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineKind {
    /// Comments alone, or nothing.
    Blank,
    Declaration,
    Statement,
    Begin,
    End,
}

impl Item {
    /// With other tokens, and as something else.
    pub(super) fn set(&mut self, kind: LineKind, tokens: Vec<Token>) {
        (self.kind, self.tokens) = (kind, tokens);
    }

    /// The same place with other tokens.
    pub(super) fn copy(&self, tokens: Vec<Token>) -> Self {
        let comments = self.comments.clone();
        Self {
            tokens,
            comments,
            kind: self.kind,
            columns: self.columns,
            is_first: self.is_first,
            inner: vec![],
            tail: vec![],
        }
    }

    /// Makes a comment of it.
    pub(super) fn say(&mut self) {
        let tokens = std::mem::take(&mut self.tokens);
        let Some(first) = tokens.first().cloned() else { return };
        let words = tokens.iter().map(|it| it.blank.replace('\n', " ") + &it.text);
        let text = format!("// {}", words.collect::<String>().trim_start());
        self.comments.insert(0, first.with(text));
        self.kind = LineKind::Blank;
    }

    /// Where it stands on its line.
    pub(super) fn column(&self) -> usize {
        self.columns[0]
    }

    fn begins_with(&self, word: &str) -> bool {
        self.tokens.first().is_some_and(|it| it.is(word))
    }
}

/// What papers say of a listing in words.
pub(super) const PROSE: [&str; 6] = ["Input", "Output", "Require", "Ensure", "Result", "Data"];

/// The statements of all lines, apart.
pub(super) fn items(lines: Vec<LogicalLine>) -> Vec<Item> {
    let mut items = vec![];
    for LogicalLine { tokens, comments } in lines {
        let before = items.len();
        let (tokens, gap) = without_number(tokens);
        let is_prose = match &tokens[..] {
            [word, colon, ..] if colon.is(":") => PROSE.iter().any(|it| word.is_word(it)),
            [word, name, ..] => {
                word.is("var") && name.is_name() || word.is_word("spawn") && name.is("(")
            }
            _ => false,
        };
        if is_prose {
            let columns = [tokens[0].column, gap];
            let kind = LineKind::Statement;
            let mut item = Item {
                kind,
                tokens,
                comments: vec![],
                columns,
                is_first: true,
                inner: vec![],
                tail: vec![],
            };
            item.say();
            items.push(item);
        } else {
            split_statements(tokens, gap, &mut items);
        }
        if items.len() == before {
            let (columns, kind) = ([0; 2], LineKind::Blank);
            items.push(Item {
                kind,
                tokens: vec![],
                comments: vec![],
                columns,
                is_first: true,
                inner: vec![],
                tail: vec![],
            });
        }
        if let Some(last) = items.last_mut() {
            last.comments.extend(comments);
        }
    }
    items
}

/// Without the number that stands before a line, and how far the rest is from it.
fn without_number(mut tokens: Vec<Token>) -> (Vec<Token>, usize) {
    let taken = number_length(&tokens);
    let behind = tokens[..taken].last().map_or(0, |it| it.column + it.text.chars().count());
    tokens.drain(..taken);
    let gap = tokens.first().map_or(0, |it| it.column.saturating_sub(behind));
    (tokens, gap)
}

/// How many tokens number the line.
pub(super) fn number_length(tokens: &[Token]) -> usize {
    match tokens {
        [step, number, sign, ..]
            if step.is_word("step") && number.is_number() && sign.is_any(&[":", ".", ")"]) =>
        {
            3
        }
        [step, number, name, ..]
            if step.is_word("step")
                && number.is_number()
                && name.is_name()
                && !name.is_any(&["do", "until", "then", "pardo", "in"]) =>
        {
            2
        }
        [number, sign, ..] if number.is_number() && sign.is_any(&[":", ".", ")"]) => 2,
        [open, number, close, ..] if open.is("(") && number.is_number() && close.is(")") => 3,
        [number, next, ..] if number.is_number() && next.is_name() => 1,
        [number] if number.is_number() => 1,
        _ => 0,
    }
}

/// One line's statements.
fn split_statements(tokens: Vec<Token>, gap: usize, items: &mut Vec<Item>) {
    let Some(first) = tokens.first() else { return };
    let (start, depths) = (first.column, depths(&tokens));
    let mut columns = [start, gap];
    let (mut current, mut is_first, mut at): (Vec<Token>, _, _) = (vec![], true, 0);
    let mut flush = |current: &mut Vec<Token>, kind, is_first: &mut bool, items: &mut Vec<Item>| {
        let tokens = std::mem::take(current);
        if kind == LineKind::Statement && tokens.is_empty() {
            return;
        }
        let column = tokens.first().map_or(columns[0], |it| it.column);
        if !*is_first {
            columns = [column, (column + gap).saturating_sub(start)];
        }
        items.push(Item {
            kind,
            tokens,
            comments: vec![],
            columns,
            is_first: *is_first,
            inner: vec![],
            tail: vec![],
        });
        // An `else` behind an `end` stands where that does.
        *is_first &= kind == LineKind::End;
    };
    while at < tokens.len() {
        let token = &tokens[at];
        let next = tokens.get(at + 1);
        let may_begin = current.last().is_none_or(|it: &Token| {
            it.is_any(&["do", "then", "else", "pardo", "parallel", "repeat"])
        });
        let is_value = next.is_some_and(|it| it.assigns() || it.is("["));
        if depths[at] > 0 || is_value {
            current.push(token.clone());
        } else if token.is(";") {
            flush(&mut current, LineKind::Statement, &mut is_first, items);
        } else if token.is_word("begin") && may_begin || token.is(BRACES[0]) {
            flush(&mut current, LineKind::Statement, &mut is_first, items);
            flush(&mut vec![token.clone()], LineKind::Begin, &mut is_first, items);
        } else if let Some(length) = closer(&tokens[at..], current.last()) {
            flush(&mut current, LineKind::Statement, &mut is_first, items);
            flush(&mut tokens[at..at + length].to_vec(), LineKind::End, &mut is_first, items);
            at += length - 1;
        } else if token.is_word("until")
            && current.last().is_some_and(Token::ends_operand)
            && !current[0].is_word("for")
        {
            flush(&mut current, LineKind::Statement, &mut is_first, items);
            current.push(token.clone());
        } else if token.is_word("repeat") && may_begin && next.is_some_and(Token::is_name) {
            flush(&mut current, LineKind::Statement, &mut is_first, items);
            flush(&mut vec![token.clone()], LineKind::Statement, &mut is_first, items);
        } else {
            current.push(token.clone());
        }
        at += 1;
    }
    flush(&mut current, LineKind::Statement, &mut is_first, items);
}

/// How many words close a block here, as in `end for`.
fn closer(tokens: &[Token], before: Option<&Token>) -> Option<usize> {
    const BEHIND: [&str; 20] = [
        "for",
        "if",
        "while",
        "all",
        "each",
        "forall",
        "parallel",
        "par",
        "pardo",
        "do",
        "loop",
        "procedure",
        "algorithm",
        "function",
        "subroutine",
        "sub",
        "program",
        "case",
        "repeat",
        "foreach",
    ];
    if tokens[0].is(BRACES[1]) {
        return Some(1);
    }
    let may_end = before.is_none_or(Token::ends_operand);
    if !may_end {
        return None;
    }
    let word = tokens[0].text.to_ascii_lowercase();
    let length = match (word.strip_prefix("end"), &tokens[1..]) {
        (Some(""), behind) => {
            let words = behind.iter().take_while(|it| it.is_any(&BEHIND)).count();
            // `end merge_sort`
            let is_named = matches!(&behind[words..], [one] if one.is_name());
            1 + words + usize::from(is_named && before.is_none())
        }
        (Some(of), _) if BEHIND.contains(&of.trim_start_matches('_')) => 1,
        // `next i` of BASIC.
        (None, [name]) if word == "next" && name.is_name() && before.is_none() => 2,
        (None, _) if ["fi", "od", "wend", "done"].contains(&word.as_str()) => 1,
        _ => return None,
    };
    Some(length + usize::from(tokens.get(length).is_some_and(|it| it.is("."))))
}

/// How deep each item lies, by its indentation, or, where lines are not indented, by what closes
/// blocks. `None` if neither tells.
pub(super) fn levels(items: &[Item]) -> Option<Vec<usize>> {
    by_columns(items, 0).or_else(|| by_columns(items, 1)).or_else(|| by_closers(items))
}

struct Level {
    /// None until a line shows it.
    column: Option<usize>,
    /// Of the line that opened it.
    outer: usize,
    depth: usize,
}

fn by_columns(items: &[Item], which: usize) -> Option<Vec<usize>> {
    let mut levels: Vec<Level> = vec![];
    let mut found = vec![0; items.len()];
    let mut before: Option<(&Item, usize)> = None;
    for (index, item) in items.iter().enumerate() {
        match item.kind {
            LineKind::Statement => {}
            LineKind::Declaration | LineKind::Blank | LineKind::Begin | LineKind::End => continue,
        }
        let column = item.columns[which];
        let opened = before.is_some_and(|(it, _)| opens_block(&it.tokens));
        let depth = match before {
            None => {
                levels.push(Level { column: Some(column), outer: 0, depth: 0 });
                0
            }
            Some((_, depth)) if !item.is_first && item.begins_with("until") => {
                levels.pop();
                depth.checked_sub(1)?
            }
            Some((before, depth)) if !item.is_first => {
                let inner = depth + usize::from(opened);
                if opened {
                    let outer = before.columns[which];
                    levels.push(Level { column: None, outer, depth: inner });
                }
                inner
            }
            Some((before, depth)) => {
                let is_left = |it: &Level| match it.column {
                    Some(inner) => inner > column,
                    None => it.outer >= column,
                };
                let height = levels.len();
                while levels.last().is_some_and(is_left) {
                    levels.pop();
                }
                let innermost = levels.last_mut()?;
                let inner = *innermost.column.get_or_insert(column);
                if opened && (height > levels.len() || inner == column) {
                    return None;
                }
                if inner < column && height > levels.len() {
                    return None;
                }
                if inner < column {
                    // Nothing above opens a block but a `begin`.
                    let between = items[..index].iter().rev();
                    let mut between = between.take_while(|it| !std::ptr::eq(*it, before));
                    if !opened && !between.any(|it| it.kind == LineKind::Begin) {
                        return None;
                    }
                    let depth = depth + usize::from(opened);
                    let outer = before.columns[which];
                    levels.push(Level { column: Some(column), outer, depth });
                }
                levels.last()?.depth
            }
        };
        found[index] = depth;
        before = Some((item, depth));
    }
    Some(found)
}
