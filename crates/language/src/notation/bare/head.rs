//! Heads of algorithms: `MERGE-SORT(A, p, r)`, `Algorithm 2: Prefix sums`, `procedure f(x)`.

use std::collections::HashMap;

use crate::notation::expression::Array;
use crate::notation::layout::{PROSE, number_length};
use crate::notation::token::{LogicalLine, Token, closing, split};

/// The head of an algorithm.
#[derive(Debug, Clone)]
pub(super) struct Head {
    pub(super) name: Token,
    pub(super) arguments: Vec<Token>,
    /// What stands in brackets behind each argument.
    pub(super) ranges: Vec<Vec<Vec<Token>>>,
    at: usize,
    column: usize,
    /// `program p`, whose own statements stand below its procedures.
    is_program: bool,
}

/// What statements begin with, and no titles.
const STATEMENTS: [&str; 19] = [
    "for",
    "while",
    "if",
    "repeat",
    "return",
    "else",
    "let",
    "swap",
    "exchange",
    "set",
    "until",
    "do",
    "begin",
    "end",
    "parallel",
    "forall",
    "foreach",
    "print",
    "processors",
];

const SAID: [&str; 7] =
    ["algorithm", "procedure", "function", "subroutine", "program", "method", "def"];

/// Takes the heads out of the lines.
pub(super) fn algorithms(lines: &mut [LogicalLine]) -> Vec<Head> {
    let mut found = vec![];
    let code: Vec<usize> = (0..lines.len()).filter(|&at| !lines[at].tokens.is_empty()).collect();
    for (nth, &at) in code.iter().enumerate() {
        let tokens = &lines[at].tokens;
        let number = number_length(tokens);
        let next = code.get(nth + 1).map(|&it| &lines[it].tokens);
        let behind_blank =
            at > 0 && lines[at - 1].tokens.is_empty() && lines[at - 1].comments.is_empty();
        let is_shouted = tokens[number..]
            .first()
            .is_some_and(|it| it.text.len() > 1 && it.text == it.text.to_ascii_uppercase());
        let begins = nth == 0 || behind_blank && is_shouted && tokens[number].column == 0;
        if let Some(head) = head(&tokens[number..], number > 0, next.map(Vec::as_slice), begins, at)
        {
            found.push(head);
            lines[at].tokens.clear();
        }
    }
    found
}

fn head(
    tokens: &[Token],
    is_numbered: bool,
    next: Option<&[Token]>,
    is_first: bool,
    at: usize,
) -> Option<Head> {
    let first = tokens.first()?;
    let is_said =
        SAID.iter().any(|it| first.is_word(it)) && tokens.len() > 1 && !tokens[1].assigns();
    let all = tokens;
    let tokens = if is_said { &tokens[1..] } else { tokens };
    // `Algorithm 3.2:`
    let skip = tokens
        .iter()
        .take_while(|it| is_said && (it.is_number() || it.is_any(&[".", ":", "-", "–"])))
        .count();
    let tokens = match &tokens[skip..] {
        [rest @ .., last] if last.is_any(&[":", ";", "begin", "{block", "is"]) => rest,
        all => all,
    };
    let open = tokens.iter().position(|it| it.is("("));
    let is_word =
        |it: &Token| it.is_name() || it.is_number() || it.is_any(&["-", "–", "_", "'", "."]);
    let is_call = open.is_some_and(|open| {
        open > 0
            && tokens[..open].iter().all(is_word)
            && closing(tokens, open).is_some_and(|it| it + 1 >= tokens.len())
    });
    let has_statement = tokens.iter().any(Token::assigns) || first.is_any(&STATEMENTS);
    let is_head = match () {
        () if is_said => true,
        () if has_statement || is_numbered => false,
        () if is_call => {
            let column = first.column;
            next.is_some_and(|next| {
                let number = number_length(next);
                number > 0 || next.first().is_some_and(|it| it.column > column) || is_first
            })
        }
        // A title, also with remarks in brackets and commas, above a blank line.
        () if is_first
            && !is_said
            && tokens.len() > 3
            && next.is_some()
            && first.is_name()
            && all.last().is_some_and(|it| it.is(":"))
            && tokens.windows(2).any(|it| it[0].is_name() && it[1].is_name()) =>
        {
            true
        }
        () => {
            is_first
                && tokens.iter().all(is_word)
                && tokens.len() <= 8
                && next.is_some()
                && first.is_name()
        }
    };
    if !is_head {
        return None;
    }
    let title = &tokens[..if is_call { open.unwrap_or(0) } else { tokens.len() }];
    let words: Vec<&str> = title
        .iter()
        .filter(|it| it.is_name() || it.is_number())
        .map(|it| it.text.as_str())
        .collect();
    let like = title.first().unwrap_or(first);
    let span = title.iter().fold(like.span, |span, it| span.to(it.span));
    let name = if words.is_empty() { "listing".to_owned() } else { words.join("_") };
    let name = Token { text: name, span, ..like.clone() };
    let (mut arguments, mut ranges) = (vec![], vec![]);
    if let (true, Some(open)) = (is_call, open) {
        for part in split(&tokens[open + 1..tokens.len() - 1], &[",", ";"]) {
            let end = part.iter().position(|it| it.is_any(&["[", ":", "("])).unwrap_or(part.len());
            let Some(argument) = part[..end].iter().rfind(|it| it.is_name()) else { continue };
            let inside = part.get(end).filter(|it| it.is("[")).and_then(|_| closing(part, end));
            let range = inside.map_or(vec![], |close| {
                split(&part[end + 1..close], &[","]).into_iter().map(<[Token]>::to_vec).collect()
            });
            arguments.push(argument.clone());
            ranges.push(range);
        }
    }
    let is_program = is_said && first.is_word("program");
    Some(Head { name, arguments, ranges, at, column: first.column, is_program })
}

/// The lines of the algorithm, and those of the procedures that it calls.
#[expect(clippy::type_complexity, reason = "three parts, each used once")]
pub(super) fn order(
    heads: Vec<Head>,
    lines: Vec<LogicalLine>,
) -> (Option<Head>, Vec<LogicalLine>, Vec<(Head, Vec<LogicalLine>)>) {
    if heads.is_empty() {
        return (None, lines, vec![]);
    }
    let mut parts: Vec<(Head, Vec<LogicalLine>)> = vec![];
    let mut before: Vec<LogicalLine> = vec![];
    let mut heads = heads.into_iter().peekable();
    let (mut is_closed, mut behind) = (false, vec![]);
    for (at, line) in lines.into_iter().enumerate() {
        if let Some(head) = heads.next_if(|it| it.at == at) {
            parts.push((head, vec![]));
            is_closed = false;
        }
        match parts.last_mut() {
            Some((head, lines)) if !is_closed && !head.is_program => {
                is_closed = head.is_closed_by(&line.tokens, lines);
                lines.push(line);
            }
            Some((head, _)) if !head.is_program => behind.push(line),
            _ => before.push(line),
        }
    }
    // A title above a head is none of a procedure.
    let says = |it: &LogicalLine| {
        it.tokens.is_empty()
            || matches!(&it.tokens[..], [word, colon, ..] if colon.is(":") && word.is_any(&PROSE))
    };
    let is_empty = |it: &(Head, Vec<LogicalLine>)| it.1.iter().all(says);
    if !parts.iter().all(is_empty) {
        let (titles, kept) = parts.into_iter().partition::<Vec<_>, _>(is_empty);
        parts = kept;
        before.extend(titles.into_iter().flat_map(|it| it.1));
    }
    // Statements that call what stands above or below them are the algorithm.
    let own = |it: &[LogicalLine]| parts.iter().any(|of| calls(it, &of.0.name.text));
    if own(&before) || own(&behind) {
        before.append(&mut behind);
        let program = parts.iter().position(|it| it.0.is_program).map(|it| parts.remove(it).0);
        return (program, before, parts);
    }
    if parts.len() > 1 {
        parts.retain(|it| !it.0.is_program);
    }
    let is_called = |(head, _): &(Head, Vec<LogicalLine>)| {
        parts
            .iter()
            .any(|(by, lines)| by.name.text != head.name.text && calls(lines, &head.name.text))
    };
    let main = parts.iter().rposition(|it| !is_called(it)).unwrap_or(parts.len() - 1);
    let (head, lines) = parts.remove(main);
    (Some(head), [before, lines, behind].concat_lines(), parts)
}

/// Whether lines call a procedure.
pub(super) fn calls(lines: &[LogicalLine], name: &str) -> bool {
    lines.iter().any(|it| it.tokens.windows(2).any(|it| it[0].is(name) && it[1].is("(")))
}

impl Head {
    /// Whether its `end` stands below it.
    fn is_closed_by(&self, tokens: &[Token], above: &[LogicalLine]) -> bool {
        let Some(first) = tokens.first().filter(|it| it.column <= self.column) else {
            return false;
        };
        let is_end = first.text.to_ascii_lowercase().starts_with("end");
        let is_inside = |it: &LogicalLine| !it.tokens.is_empty();
        is_end && above.iter().any(is_inside)
    }

    /// Gives arguments that are called as those of the algorithm other names, and returns these.
    pub(super) fn rename(&mut self, lines: &mut [LogicalLine], own: &[String]) -> Vec<String> {
        let mut names = vec![];
        for argument in self.arguments.iter_mut().filter(|it| own.contains(&it.text)) {
            let name = format!("{}_", argument.text);
            for token in
                lines.iter_mut().flat_map(|it| &mut it.tokens).filter(|it| it.is(&argument.text))
            {
                token.text.clone_from(&name);
            }
            names.push(name.clone());
            argument.text = name;
        }
        // So are scalars of the procedure itself.
        let assigned = |name: &str| {
            lines.iter().any(|it| it.tokens.windows(2).any(|it| it[0].is(name) && it[1].assigns()))
        };
        let local: Vec<&String> = own.iter().filter(|it| assigned(it)).collect();
        for token in lines.iter_mut().flat_map(|it| &mut it.tokens) {
            if local.iter().any(|it| token.is(it)) {
                token.text += "_";
            }
        }
        names.extend(local.into_iter().map(|it| format!("{it}_")));
        names
    }

    /// A call with the arguments of the head.
    pub(super) fn call(&self) -> LogicalLine {
        let glued = |text: &str| Token::glued(text, &self.name);
        let mut tokens = vec![self.name.clone(), glued("(")];
        for (at, argument) in self.arguments.iter().enumerate() {
            if at > 0 {
                tokens.push(glued(","));
            }
            tokens.push(Token::made(&argument.text, argument));
        }
        tokens.push(glued(")"));
        LogicalLine { tokens, comments: vec![] }
    }
}

/// An array that every call gives under the name that the procedure has for it is that of the algorithm.
pub(super) fn shared(
    procedures: &mut [(Head, Vec<LogicalLine>)],
    main: &mut [LogicalLine],
    arrays: &HashMap<String, Array>,
) -> Vec<(Token, String)> {
    let mut said = vec![];
    for nth in 0..procedures.len() {
        for at in (0..procedures[nth].0.arguments.len()).rev() {
            let head = procedures[nth].0.clone();
            let argument = &head.arguments[at];
            if !arrays.contains_key(&argument.text) {
                continue;
            }
            let lines = || procedures.iter().flat_map(|it| &it.1).chain(main.iter());
            let is_same = lines().all(|line| {
                places(line, &head.name.text).all(|(open, close)| {
                    split(&line.tokens[open + 1..close], &[","])
                        .get(at)
                        .is_some_and(|it| matches!(it, [one] if one.is(&argument.text)))
                })
            });
            if !is_same {
                continue;
            }
            let mut all: Vec<&mut LogicalLine> = vec![];
            for (_, lines) in procedures.iter_mut() {
                all.extend(lines.iter_mut());
            }
            all.extend(main.iter_mut());
            for line in all {
                // Each call once: one that has a single argument still has one when it is empty.
                let calls: Vec<usize> = places(line, &head.name.text).map(|it| it.0).collect();
                for open in calls.into_iter().rev() {
                    let Some(close) = closing(&line.tokens, open) else { continue };
                    let parts = split(&line.tokens[open + 1..close], &[","]);
                    if parts.len() != head.arguments.len() {
                        continue;
                    }
                    let kept: Vec<Vec<Token>> = parts
                        .iter()
                        .enumerate()
                        .filter(|it| it.0 != at)
                        .map(|it| it.1.to_vec())
                        .collect();
                    let comma = Token::glued(",", &line.tokens[open]);
                    let mut inside = kept.join(&comma);
                    inside.iter_mut().take(1).for_each(|it| it.blank.clear());
                    line.tokens.splice(open + 1..close, inside);
                }
            }
            procedures[nth].0.arguments.remove(at);
            procedures[nth].0.ranges.remove(at);
            said.push((
                argument.clone(),
                format!(
                    "`{}` of `{}` is the array of the algorithm, whose indices it has",
                    argument.text, head.name.text
                ),
            ));
        }
    }
    said
}

/// Where calls open and close their brackets.
fn places<'a>(line: &'a LogicalLine, name: &'a str) -> impl Iterator<Item = (usize, usize)> + 'a {
    let tokens = &line.tokens;
    (0..tokens.len().saturating_sub(1))
        .filter(move |&at| tokens[at].is(name) && tokens[at + 1].is("("))
        .filter_map(move |at| Some((at + 1, closing(tokens, at + 1)?)))
}

trait ConcatLines {
    fn concat_lines(self) -> Vec<LogicalLine>;
}

impl<const N: usize> ConcatLines for [Vec<LogicalLine>; N] {
    fn concat_lines(self) -> Vec<LogicalLine> {
        self.into_iter().flatten().collect()
    }
}
