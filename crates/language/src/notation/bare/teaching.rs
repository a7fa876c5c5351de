//! What BASIC, Pascal, Algol and Ada have of their own, in the words that pseudocode has for it.

use crate::notation::layout::number_length;
use crate::notation::token::{LogicalLine, Token, closing, depths, position, split};

/// Names in round brackets that are no arrays.
const FUNCTIONS: [&str; 26] = [
    "abs", "int", "sqr", "sqrt", "sgn", "sin", "cos", "tan", "atn", "exp", "log", "ln", "min",
    "max", "mod", "floor", "ceil", "odd", "ord", "trunc", "round", "integer", "float", "succ",
    "pred", "rnd",
];
/// Words before a bracket that opens an expression.
const WORDS: [&str; 24] = [
    "if", "then", "else", "and", "or", "not", "while", "until", "to", "step", "print", "return",
    "mod", "div", "dim", "in", "loop", "elseif", "elsif", "input", "for", "when", "reverse", "rem",
];

/// Rewrites the lines of a text in one of these languages.
pub(super) fn lines(lines: &mut [LogicalLine]) {
    let begins = |line: &LogicalLine, words: &[&str]| {
        let first = line.tokens.get(number_length(&line.tokens));
        first.is_some_and(|it| words.contains(&&*it.text))
    };
    let has = |words: &[&str]| lines.iter().any(|it| begins(it, words));
    // In small letters, `next` alone might go on with a loop.
    let is_small = has(&["next"]) && has(&["wend", "dim", "rem"]);
    let is_basic = (is_small || has(&["NEXT", "REM", "WEND", "DIM", "Next", "UNTIL"]))
        && has(&["FOR", "IF", "WHILE", "REPEAT", "LET", "For", "DIM", "for"])
        && !lines.iter().any(|it| it.tokens.iter().any(|it| it.is_any(&["←", ":=", "<-"])));
    let is_loop = |it: &LogicalLine| {
        let tokens = it.tokens.iter().filter(|it| !it.is(";")).collect::<Vec<_>>();
        matches!(tokens[..], [end, word] if end.is_word("end") && word.is_word("loop"))
    };
    let is_head = |it: &LogicalLine| {
        let last = it.tokens.last().is_some_and(|it| it.is_word("loop"));
        last && it.tokens[0].is_any(&["for", "while"])
    };
    let is_ada = lines.iter().any(is_loop)
        && lines.iter().any(is_head)
        && lines.iter().any(|it| it.tokens.iter().any(|it| it.is(":=")));
    let defined: Vec<String> = lines
        .iter()
        .flat_map(|it| it.tokens.windows(2))
        .filter(|it| it[0].is_any(&["function", "procedure", "def", "algorithm"]))
        .map(|it| it[1].text.to_ascii_lowercase())
        .collect();
    let has_begin = has(&["begin", "BEGIN"])
        || lines.iter().any(|it| it.tokens.iter().any(|it| it.is("begin")));
    for line in lines.iter_mut() {
        if has_begin {
            comment_behind_end(&mut line.tokens);
        }
        if is_basic {
            basic(&mut line.tokens);
        }
        if is_ada {
            ada(&mut line.tokens);
        }
        if is_basic || is_ada {
            elements(&mut line.tokens);
        }
        functions(&mut line.tokens, &defined);
    }
    let last = lines.iter().rposition(|it| !it.tokens.is_empty());
    if let Some(last) = last.filter(|_| is_basic) {
        let number = number_length(&lines[last].tokens);
        if matches!(&lines[last].tokens[number..], [end] if end.is_any(&["end", "stop"])) {
            lines[last].tokens.clear();
        }
    }
}

/// What stands behind an `end` of Algol, up to a semicolon, is a remark.
fn comment_behind_end(tokens: &mut Vec<Token>) {
    let [end, rest @ ..] = &tokens[..] else { return };
    let length = rest.iter().take_while(|it| it.is_name()).count();
    let is_remark = length > 1 && rest.len() == length;
    let of_code = ["else", "end", "if", "for", "while", "until", "then", "do"];
    if end.is_word("end") && is_remark && !rest.iter().any(|it| it.is_any(&of_code)) {
        tokens.truncate(1);
    }
}

/// Statements with colons between, `NEXT`, `SWAP a, b`.
fn basic(tokens: &mut Vec<Token>) {
    let number = number_length(tokens);
    let Some(first) = tokens.get(number).cloned() else { return };
    if first.is_word("next") {
        tokens.truncate(number);
        tokens.extend([first.with("end"), Token::made("for", &first)]);
        return;
    }
    if first.is_any(&["rem", "data", "'"]) {
        return;
    }
    for token in tokens.iter_mut() {
        match token.text.to_ascii_uppercase().as_str() {
            "SQR" => token.text = "sqrt".to_owned(),
            "INT" => token.text = "floor".to_owned(),
            _ => {}
        }
    }
    let depths = depths(tokens);
    let colons: Vec<usize> =
        (number + 1..tokens.len()).filter(|&at| depths[at] == 0 && tokens[at].is(":")).collect();
    // All that stands behind `THEN` on its line belongs to it.
    let has_then = position(&tokens[number..], &["then"]).map(|it| it + number);
    let is_one_line = first.is_word("if") && has_then.is_some_and(|it| it + 1 < tokens.len());
    for &at in &colons {
        tokens[at] = Token::glued(";", &tokens[at]);
    }
    if is_one_line && !colons.is_empty() {
        let last = tokens[tokens.len() - 1].clone();
        tokens.push(Token::made("fi", &last));
    }
    while let Some(at) = tokens.iter().position(|it| it.is("SWAP")) {
        let end = position(&tokens[at..], &[";", "fi", "else"]).map_or(tokens.len(), |it| at + it);
        let comma = position(&tokens[at..end], &[","]).map(|it| at + it);
        let Some(comma) = comma.filter(|it| it + 1 < end) else { break };
        tokens[comma] = Token::made("↔", &tokens[at]);
        tokens[comma + 1].blank = " ".to_owned();
        let blank = tokens[at].blank.clone();
        tokens.remove(at);
        tokens[at].blank = blank;
    }
}

/// `for I in reverse 1 .. N loop`, `while c loop`, `/=`.
fn ada(tokens: &mut Vec<Token>) {
    for token in tokens.iter_mut() {
        match token.text.as_str() {
            "/=" => token.text = "≠".to_owned(),
            "elsif" => token.text = "elseif".to_owned(),
            _ => {}
        }
    }
    let Some(last) = tokens.len().checked_sub(1) else { return };
    if !tokens[last].is_word("loop") || last == 0 || tokens[0].is_word("end") {
        return;
    }
    tokens[last].text = "do".to_owned();
    let [word, variable, sign, range @ ..] = &tokens[..last] else { return };
    if !word.is_word("for") || !sign.is_word("in") {
        return;
    }
    let is_down = range.first().is_some_and(|it| it.is_word("reverse"));
    let range = &range[usize::from(is_down)..];
    let [from, to] = split(range, &[".."])[..] else { return };
    if from.is_empty() || to.is_empty() {
        return;
    }
    let (first, second) = if is_down { (to, from) } else { (from, to) };
    let way = if is_down { "downto" } else { "to" };
    let spaced = |it: &[Token]| crate::notation::output::spaced(it.to_vec());
    let head = [word.clone(), variable.clone(), Token::made("←", sign)];
    *tokens = [
        head.to_vec(),
        spaced(first),
        vec![Token::made(way, sign)],
        spaced(second),
        vec![tokens[last].clone()],
    ]
    .concat();
}

/// `A(I)` is an element.
fn elements(tokens: &mut [Token]) {
    for at in 0..tokens.len().saturating_sub(1) {
        let is_array = tokens[at].is_name()
            && tokens[at + 1].is("(")
            && !tokens[at].is_any(&FUNCTIONS)
            && !tokens[at].is_any(&WORDS);
        if is_array && let Some(close) = closing(tokens, at + 1) {
            tokens[at + 1] = Token::glued("[", &tokens[at + 1]);
            tokens[close] = Token::glued("]", &tokens[close]);
        }
    }
}

/// `odd(x)`, `ord(odd(x))`, `sqr(x)`, `inc(x)`: as what they are.
fn functions(tokens: &mut Vec<Token>, defined: &[String]) {
    let mut at = 0;
    while at + 1 < tokens.len() {
        let word = tokens[at].clone();
        let close = closing(tokens, at + 1).filter(|_| tokens[at + 1].is("("));
        let Some(close) = close else {
            at += 1;
            continue;
        };
        let inside = tokens[at + 2..close].to_vec();
        let made = |text: &str| Token::made(text, &word);
        let group = |it: &[Token]| {
            [vec![word.with("(")], it.to_vec(), vec![Token::glued(")", &word)]].concat()
        };
        let plain = match word.text.to_ascii_lowercase().as_str() {
            name if defined.iter().any(|it| it == name) => {
                at += 1;
                continue;
            }
            "ord" if inside.len() > 2 && inside[0].is_word("odd") => {
                let of = &inside[2..inside.len() - 1];
                group(&[group(of), vec![made("mod"), made("2")]].concat())
            }
            "ord" => group(&inside),
            "odd" => group(
                &[group(&inside), vec![made("mod"), made("2"), made("="), made("1")]].concat(),
            ),
            // BASIC's SQR is the root.
            "sqr" if word.text != "SQR" => {
                [group(&inside), vec![Token::glued("^", &word), Token::glued("2", &word)]].concat()
            }
            "succ" => group(&[group(&inside), vec![made("+"), made("1")]].concat()),
            "pred" => group(&[group(&inside), vec![made("-"), made("1")]].concat()),
            name @ ("inc" | "dec") => {
                let parts = split(&inside, &[","]);
                let by = parts.get(1).map_or(vec![made("1")], |it| group(it));
                let sign = made(if name == "inc" { "+" } else { "-" });
                [parts[0].to_vec(), vec![made("←")], parts[0].to_vec(), vec![sign], by].concat()
            }
            _ => {
                at += 1;
                continue;
            }
        };
        let plain = plain.into_iter().enumerate().map(|(nth, it)| match nth {
            0 => Token { blank: word.blank.clone(), ..it },
            _ => it,
        });
        tokens.splice(at..=close, plain.collect::<Vec<_>>());
        at += 1;
    }
}
