//! What papers print around statements: remarks in brackets, signs in quotes, names in capitals.

use crate::notation::layout::number_length;
use crate::notation::token::{LogicalLine, Token, closing, text};

/// Words that stand between two names in an expression.
const OPERATORS: [&str; 11] =
    ["and", "or", "not", "mod", "div", "xor", "is", "in", "to", "odd", "even"];

/// Puts aside what is no statement, and gives names that clash with words of the notation others.
/// Returns what is to be said of it.
pub(super) fn clear(lines: &mut [LogicalLine]) -> Vec<(Token, String)> {
    for line in lines.iter_mut() {
        // What ends a proof, or an algorithm.
        let is_end = |it: &Token| ["□", "■", "∎", "▮", "◻", "◼"].contains(&it.text.as_str());
        while line.tokens.last().is_some_and(is_end) {
            line.tokens.pop();
        }
        // `L ← 0 (n × n)` says how far the array goes, which its use does, too.
        if let [name, arrow, number, open, inside @ .., close] =
            &line.tokens[number_length(&line.tokens).min(line.tokens.len())..]
            && arrow.assigns()
            && name.is_name()
            && number.is_number()
            && open.is("(")
            && close.is(")")
            && inside.iter().any(|it| it.is("×"))
            && inside.iter().all(|it| it.is("×") || it.is_name())
        {
            let kept = line.tokens.len() - inside.len() - 2;
            line.tokens.truncate(kept);
        }
        // A rule across the page.
        if let [rule] = &line.tokens[..]
            && rule.text.len() > 2
            && rule.text.chars().all(|it| "_-=–—".contains(it))
        {
            line.tokens.clear();
        }
        idle(&mut line.tokens);
        // A sentence ends in a full stop.
        if let [.., before, stop] = &line.tokens[..]
            && stop.is(".")
            && before.ends_operand()
            && !before.is_word("end")
        {
            line.tokens.pop();
        }
    }
    continued(lines);
    let titles = titles(lines);
    remarks(lines);
    let spelled = super::spelling::clear(lines);
    let capitals = super::subscripts::capitals(lines);
    let quoted = quoted(lines);
    [titles, spelled, capitals, quoted].concat()
}

/// `m[i] ← 0        ; by one processor`: far behind a statement, a comment as assemblers have it.
pub(super) fn behind_semicolon(line: &mut LogicalLine) {
    let is_far = |it: &Token| it.is(";") && it.blank.len() > 2;
    let Some(at) = line.tokens.iter().position(is_far) else { return };
    let behind = &line.tokens[at + 1..];
    let is_statement = behind.iter().any(|it| it.assigns() || it.is_any(&["[", "(", "{block"]));
    if at > 0 && !behind.is_empty() && !is_statement && !begins(behind) {
        let words = line.tokens.split_off(at);
        let said = format!("// {}", text(&words[1..]));
        line.comments.insert(0, words[0].with(said));
    }
}

/// `else stay idle`, `do nothing`: a statement without effect.
fn idle(tokens: &mut Vec<Token>) {
    let [.., first, second] = &tokens[..] else { return };
    let is_idle = first.is_any(&["stay", "remain", "be"]) && second.is_word("idle");
    if is_idle || first.is_word("do") && second.is_word("nothing") {
        tokens.pop();
        tokens.last_mut().into_iter().for_each(|it| it.text = "pass".to_owned());
    }
}

/// Words that statements, declarations and heads begin with.
const BEGINS: [&str; 52] = [
    "for",
    "forall",
    "foreach",
    "while",
    "if",
    "else",
    "elseif",
    "elif",
    "repeat",
    "until",
    "loop",
    "do",
    "return",
    "let",
    "set",
    "put",
    "swap",
    "exchange",
    "interchange",
    "increment",
    "decrement",
    "increase",
    "decrease",
    "begin",
    "end",
    "procedure",
    "function",
    "algorithm",
    "program",
    "subroutine",
    "method",
    "def",
    "processor",
    "processors",
    "each",
    "parallel",
    "in",
    "initialize",
    "initialise",
    "create",
    "allocate",
    "declare",
    "new",
    "array",
    "break",
    "continue",
    "print",
    "input",
    "output",
    "step",
    "var",
    "compute",
];

pub(super) fn begins(tokens: &[Token]) -> bool {
    tokens.first().is_some_and(|it| it.is_any(&BEGINS))
}

/// Whether tokens are words of a sentence rather than a statement.
pub(super) fn is_sentence(tokens: &[Token]) -> bool {
    let is_word = |it: &Token| it.is_name() && !it.text.contains('_');
    let in_turn = |it: &[&Token]| it.iter().all(|it| is_word(it));
    let words: Vec<&Token> = tokens.iter().filter(|it| !it.is_any(&["-", "–"])).collect();
    !begins(tokens)
        && words.windows(3).any(in_turn)
        && !tokens.iter().any(|it| it.assigns() || it.is_any(&["do", "then", "return", "pardo"]))
}

/// What `Input:` says may go on below, up to what is no sentence.
fn continued(lines: &mut [LogicalLine]) {
    const SAYS: [&str; 7] = ["input", "output", "require", "ensure", "result", "data", "given"];
    let mut at = 0;
    while at < lines.len() {
        let says = |it: &[Token]| {
            it.len() > 1
                && it[0].is_any(&SAYS)
                && (it[1].is(":") || it[0].text == it[0].text.to_uppercase())
        };
        if !says(&lines[at].tokens) {
            at += 1;
            continue;
        }
        let mut next = at + 1;
        while next < lines.len() {
            let tokens = &lines[next].tokens;
            let goes_on = !tokens.is_empty()
                && number_length(tokens) == 0
                && !begins(tokens)
                && !says(tokens)
                && tokens.iter().filter(|it| it.is_name()).count() > 3
                && !tokens.iter().any(Token::assigns);
            if !goes_on {
                break;
            }
            let more = std::mem::take(&mut lines[next].tokens);
            lines[at].tokens.extend(more);
            next += 1;
        }
        at = next;
    }
}

/// Sentences above the first statement, and titles of parts, `The Down-Sweep Phase`, are none.
fn titles(lines: &mut [LogicalLine]) -> Vec<(Token, String)> {
    let is_blank = |it: &LogicalLine| it.tokens.is_empty() && it.comments.is_empty();
    let (mut said, mut at, mut is_first) = (vec![], 0, true);
    while at < lines.len() {
        if is_blank(&lines[at]) {
            at += 1;
            continue;
        }
        let end = (at..lines.len()).find(|&it| is_blank(&lines[it])).unwrap_or(lines.len());
        let part = &lines[at..end];
        let is_title =
            part.iter().all(|it| number_length(&it.tokens) == 0 && !it.tokens.is_empty());
        let first = &part[0].tokens;
        let names = first.iter().filter(|it| it.is_name()).count();
        // A head has its name first, and its arguments in brackets.
        let is_head = first.get(1).is_some_and(|it| it.is("("));
        let words: Vec<Token> = part.iter().flat_map(|it| it.tokens.clone()).collect();
        let is_prose = is_title && is_sentence(&words) && names > 2 && !is_head;
        let is_part =
            first.first().is_some_and(|it| it.is_any(&["the", "a", "an", "phase", "part"]));
        if is_prose && end < lines.len() && (is_first || is_part) {
            let place = part[0].tokens[0].clone();
            for line in &mut lines[at..end] {
                line.tokens.clear();
            }
            said.push((place, "words above the algorithm: left out".to_owned()));
        } else {
            is_first = false;
        }
        at = end;
    }
    said
}

/// `(Heap construction)` at the end of a line is a comment.
fn remarks(lines: &mut [LogicalLine]) {
    for line in lines {
        let number = number_length(&line.tokens);
        let Some(open) =
            (number..line.tokens.len()).find(|&at| is_remark(&line.tokens, at, number))
        else {
            continue;
        };
        let words = line.tokens.split_off(open);
        let words_text = text(&words);
        let inside = words_text.trim_start_matches('(').trim_end_matches(')');
        let inside = inside.split_whitespace().collect::<Vec<_>>().join(" ");
        let comment = Token::made(format!("// {inside}"), &words[0]);
        line.comments.insert(0, comment);
    }
}

fn is_remark(tokens: &[Token], at: usize, number: usize) -> bool {
    let before = || tokens[at - 1].is_any(&["then", "else", "do"]) || tokens[at].blank.len() > 2;
    if !tokens[at].is("(") || at > number && !before() {
        return false;
    }
    if closing(tokens, at) != Some(tokens.len() - 1) {
        return false;
    }
    let is_word = |it: &Token| it.is_name() && !it.is_any(&OPERATORS);
    let inside = &tokens[at + 1..tokens.len() - 1];
    inside.windows(2).any(|it| is_word(&it[0]) && is_word(&it[1]))
}

/// “↖” and other signs in quotes are numbers, each its own.
fn quoted(lines: &mut [LogicalLine]) -> Vec<(Token, String)> {
    const QUOTES: [&str; 5] = ["“", "”", "\"", "‘", "’"];
    let mut known: Vec<(String, Token)> = vec![];
    for line in lines {
        let mut at = 0;
        while at + 2 < line.tokens.len() {
            let [open, close] =
                [at, at + 2].map(|it| QUOTES.contains(&line.tokens[it].text.as_str()));
            if !open || !close {
                at += 1;
                continue;
            }
            let sign = line.tokens[at + 1].text.clone();
            let number = known.iter().position(|it| it.0 == sign).unwrap_or_else(|| {
                known.push((sign, line.tokens[at].clone()));
                known.len() - 1
            });
            let token = line.tokens[at].with((number + 1).to_string());
            line.tokens.splice(at..at + 3, [token]);
            at += 1;
        }
    }
    let said =
        |(at, (sign, token)): (usize, (String, Token))| (token, format!("“{sign}” is {}", at + 1));
    known.into_iter().enumerate().map(said).collect()
}
