//! Words and signs of one meaning, wherever they stand.

use std::collections::HashSet;

use super::comparisons;
use crate::notation::output::spaced;
use crate::notation::token::{Token, closing, position};

/// What papers call arrays.
pub(super) const KINDS: [&str; 10] = [
    "matrix", "table", "array", "arrays", "matrices", "tables", "vector", "vectors", "matrixes",
    "list",
];

/// Words before an operand.
const BEFORE: [&str; 16] = [
    "if", "while", "then", "and", "or", "not", "return", "until", "else", "do", "to", "elseif",
    "mod", "a", "an", "be",
];

/// Words and signs of one meaning, wherever they stand.
pub(super) fn words(tokens: &mut Vec<Token>, indexed: &HashSet<String>) {
    tokens.iter_mut().filter(|it| it.is("‥")).for_each(|it| it.text = "..".to_owned());
    join_names(tokens);
    let is_head = tokens.iter().any(|it| it.is_any(&["for", "forall"]));
    let mut out: Vec<Token> = vec![];
    let mut at = 0;
    while let Some(token) = tokens.get(at).cloned() {
        let next = tokens.get(at + 1);
        at += 1;
        if let Some(name) = function(&token).filter(|_| next.is_some_and(|it| it.is("("))) {
            out.push(token.with(name));
        } else if let Some(name) = members(&token, &tokens[at..], out.last(), indexed) {
            out.push(name);
            at += 2;
        } else if let Some(operator) = bitwise(&token)
            && next.is_some_and(|it| it.is("("))
            && let Some(close) = closing(tokens, at)
            && let Some(comma) = position(&tokens[at + 1..close], &[","])
        {
            let comma = at + 1 + comma;
            tokens[comma] = Token::made(operator, &token);
            tokens[comma + 1].blank = " ".to_owned();
            tokens[at].blank.clone_from(&token.blank);
        } else if token.is_any(&["infinity", "INF", "oo", "MAXINT"])
            && !next.is_some_and(Token::assigns)
        {
            out.push(token.with("∞"));
        } else if let Some(plain) = cut_off(&token, &tokens[at..]) {
            at += plain.len().min(2) - 1;
            out.extend(plain);
        } else if token.is_any(&["floor", "ceil", "ceiling"])
            && next.is_some_and(|it| it.is("("))
            && let Some(close) = closing(tokens, at)
        {
            let signs = if token.is_word("floor") { ["⌊", "⌋"] } else { ["⌈", "⌉"] };
            tokens[close].text = signs[1].to_owned();
            tokens[at] = Token { blank: token.blank.clone(), ..tokens[at].with(signs[0]) };
        } else if token.is_any(&["div", "mod", "modulo"])
            && next.is_some_and(|it| it.is("("))
            && !out.last().is_some_and(Token::ends_operand)
            && let Some(close) = closing(tokens, at)
            && let Some(comma) = position(&tokens[at + 1..close], &[","])
        {
            let comma = at + 1 + comma;
            let is_mod = !token.is_word("div");
            tokens[comma + 1].blank = " ".to_owned();
            tokens[comma] = Token::made(if is_mod { "mod" } else { "/" }, &token);
            tokens[close].text = if is_mod { ")" } else { "⌋" }.to_owned();
            tokens[at] = Token {
                blank: token.blank.clone(),
                ..token.with(if is_mod { "(" } else { "⌊" })
            };
        } else if let Some(end) = logarithm(&token, &tokens[at..]) {
            let is_rounded = out.last().is_some_and(|it| it.is_any(&["⌊", "⌈"]));
            let length = operand_length(&tokens[at + end..]);
            let operand = tokens[at + end..at + end + length].to_vec();
            let (operand, taken) = match token.text.as_str() {
                "logn" | "lgn" => (vec![Token::made("n", &token)], 0),
                "logN" | "lgN" => (vec![Token::made("N", &token)], 0),
                _ => (operand, end + length),
            };
            at += taken;
            out.extend(rounded_logarithm(&token, operand, is_rounded));
        } else if token.is("√") {
            let length = operand_length(&tokens[at..]);
            let operand = tokens[at..at + length].to_vec();
            at += length;
            out.extend(root(&token, operand, is_head));
        } else if let Some((plain, length)) = comparisons::is(&token, &tokens[at..]) {
            out.extend(plain);
            at += length;
        } else if let Some((plain, length)) = of_array(&token, &tokens[at..], indexed) {
            out.extend(plain);
            at += length;
        } else if token.is("|")
            && (!out.last().is_some_and(|it| it.ends_operand() && !it.is_any(&BEFORE))
                || super::interval::ends_in_range(&out)
                || is_coefficient(&token, out.last()))
            && let Some(close) = tokens[at..].iter().position(|it| it.is("|"))
        {
            let inside = tokens[at..at + close].to_vec();
            at += close + 1;
            if is_coefficient(&token, out.last()) {
                out.push(Token::made("×", &token));
            }
            out.extend(bars(&token, inside, indexed));
            // `|x − 1|(i + 1)`
            if tokens.get(at).is_some_and(|it| it.is("(") && it.blank.is_empty()) {
                out.push(Token::made("×", &token));
            }
        } else {
            out.push(token);
        }
    }
    *tokens = choice(out);
    end_once(tokens);
}

/// `int(x / y)` is cut off, as programs have it: a quotient within is real.
fn cut_off(token: &Token, behind: &[Token]) -> Option<Vec<Token>> {
    let close = closing(behind, 0).filter(|_| token.is("int") && behind[0].is("("))?;
    let has = |signs: &[&str]| position(&behind[1..close], signs).is_some();
    let word = token.with("i64");
    if !has(&["/"]) || has(&["+", "-", "−"]) {
        return Some(vec![word]);
    }
    Some(
        [vec![word, behind[0].clone()], ["1.0", "×"].map(|it| Token::made(it, token)).to_vec()]
            .concat(),
    )
}

/// Whether a bar opens behind the number that it is multiplied by: `2|x|`.
fn is_coefficient(bar: &Token, before: Option<&Token>) -> bool {
    bar.blank.is_empty() && before.is_some_and(Token::is_number)
}

/// Heads of loops and of conditions that end twice.
fn end_once(tokens: &mut Vec<Token>) {
    // `for … do in parallel do`, of a macro.
    if let [.., one, two, three, four] = &tokens[..]
        && one.is_word("do")
        && two.is_word("in")
        && three.is_word("parallel")
        && four.is_word("do")
    {
        tokens.pop();
    }
    // `then:`
    if let [.., word, colon] = &tokens[..]
        && word.is_any(&["then", "do"])
        && colon.is(":")
    {
        tokens.pop();
    }
}

/// Functions by the names that the plain form has for them.
fn function(token: &Token) -> Option<&'static str> {
    Some(match token.text.to_ascii_lowercase().as_str() {
        "minimum" => "min",
        "maximum" => "max",
        // `\Call{Max}{a, b}`
        "min" => "min",
        "max" => "max",
        _ => return None,
    })
}

/// `bitwiseXOR(i, j)` and others are operators of the plain form.
fn bitwise(token: &Token) -> Option<&'static str> {
    Some(match token.text.to_ascii_lowercase().as_str() {
        "xor" | "bitwisexor" | "bitxor" => "xor",
        "bitwiseand" | "bitand" => "&",
        "bitwiseor" | "bitor" => "|",
        _ => return None,
    })
}

/// `√n`, rounded down where it bounds a loop.
fn root(token: &Token, operand: Vec<Token>, is_head: bool) -> Vec<Token> {
    let glued = |text: &str| Token::glued(text, token);
    let open = match is_head {
        true => vec![token.with("⌊"), glued("sqrt"), glued("(")],
        false => vec![token.with("sqrt"), glued("(")],
    };
    let close = if is_head { vec![glued(")"), glued("⌋")] } else { vec![glued(")")] };
    [open, operand, close].concat()
}

/// `|A|` of a set, `|x|` of a number.
fn bars(token: &Token, inside: Vec<Token>, indexed: &HashSet<String>) -> Vec<Token> {
    match &inside[..] {
        [array] if is_set(array, indexed) => {
            length("length", &Token { blank: token.blank.clone(), ..array.clone() }).to_vec()
        }
        _ => {
            let open = vec![token.with("abs"), Token::glued("(", token)];
            [open, inside, vec![Token::glued(")", token)]].concat()
        }
    }
}

/// Whether bars around a name say how many elements it has, and not how far from 0 it is.
fn is_set(name: &Token, indexed: &HashSet<String>) -> bool {
    name.is_name()
        && (indexed.contains(&name.text)
            || name.text.starts_with(|it: char| it.is_ascii_uppercase()))
}

/// `⌊log₂ n⌋`, which is in such brackets already if it is `is_rounded`.
fn rounded_logarithm(token: &Token, operand: Vec<Token>, is_rounded: bool) -> Vec<Token> {
    let mut inner = vec![token.with("log₂")];
    inner.extend(spaced(operand));
    if is_rounded {
        return inner;
    }
    inner[0].blank.clear();
    let close = Token::glued("⌋", &inner[inner.len() - 1]);
    [vec![token.with("⌊")], inner, vec![close]].concat()
}

/// `c ? x : y`.
fn choice(tokens: Vec<Token>) -> Vec<Token> {
    let Some(at) = position(&tokens, &["?"]) else { return tokens };
    let Some(colon) = position(&tokens[at..], &[":"]).map(|it| at + it) else { return tokens };
    let start = tokens[..at]
        .iter()
        .rposition(|it| it.assigns() && !it.is("=") || it.is_any(&["return"]))
        .or_else(|| tokens[..at].iter().position(|it| it.is("=")));
    let start = start.map_or(0, |it| it + 1);
    let made = |text: &str, like: &Token| Token::made(text, like);
    [
        tokens[..start].to_vec(),
        vec![made("if", &tokens[at])],
        tokens[start..at].to_vec(),
        vec![made("then", &tokens[at])],
        tokens[at + 1..colon].to_vec(),
        vec![made("else", &tokens[colon])],
        tokens[colon + 1..].to_vec(),
    ]
    .concat()
}

/// `MERGE-SORT` is one name.
fn join_names(tokens: &mut Vec<Token>) {
    let is_shouted = |it: &Token| {
        it.is_name()
            && it.text.len() > 1
            && it.text.chars().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || it == '_')
    };
    let mut at = 0;
    while at + 2 < tokens.len() {
        let joins = is_shouted(&tokens[at])
            && tokens[at + 1].is_any(&["-", "–", "‐"])
            && is_shouted(&tokens[at + 2])
            && tokens[at + 1].blank.is_empty()
            && tokens[at + 2].blank.is_empty();
        if joins {
            let text = format!("{}_{}", tokens[at].text, tokens[at + 2].text);
            let span = tokens[at].span.to(tokens[at + 2].span);
            let joined = Token { text, span, ..tokens[at].clone() };
            tokens.splice(at..at + 3, [joined]);
        } else {
            at += 1;
        }
    }
}

/// `|V|` of a set is how many it has, and so are the numbers of its members.
fn members(
    token: &Token,
    behind: &[Token],
    before: Option<&Token>,
    indexed: &HashSet<String>,
) -> Option<Token> {
    let [name, bar, ..] = behind else { return None };
    let is_set =
        name.text.starts_with(|it: char| it.is_ascii_uppercase()) && !indexed.contains(&name.text);
    let opens = !before.is_some_and(|it| it.ends_operand() && !it.is_any(&BEFORE));
    (token.is("|") && bar.is("|") && opens && is_set)
        .then(|| Token { blank: token.blank.clone(), ..name.clone() })
}

/// `A.length`, `length[A]` and `A.heap-size`, and how many tokens behind the first that is.
fn of_array(
    token: &Token,
    behind: &[Token],
    indexed: &HashSet<String>,
) -> Option<(Vec<Token>, usize)> {
    if let [dot, word, ..] = behind
        && token.is_name()
        && dot.is(".")
        && let Some(plain) = attribute(&word.text)
    {
        return Some((length(plain, token).to_vec(), 2));
    }
    if indexed.contains(&token.text)
        && let Some((name, length)) = of_object(token, behind)
    {
        return Some((vec![name], length));
    }
    if let Some(word) = attribute(&token.text)
        && let [open, array, close, ..] = behind
        && open.is_any(&["[", "("])
        && array.is_name()
        && close.is_any(&["]", ")"])
    {
        let array = Token { blank: token.blank.clone(), ..array.clone() };
        return Some((length(word, &array).to_vec(), 3));
    }
    // `length of A`, `number of elements in A`
    let said = behind.iter().take_while(|it| it.is_any(&["of", "in", "the", "elements"])).count();
    let word = match () {
        () if token.is_word("number") && said > 1 => "length",
        () if said > 0 && behind[said - 1].is_any(&["of", "in", "the"]) => attribute(&token.text)?,
        () => return None,
    };
    let array = behind.get(said).filter(|it| it.is_name() && behind[0].is_word("of"))?;
    let is_array = indexed.contains(&array.text) || array.text.len() == 1;
    let array = Token { blank: token.blank.clone(), ..array.clone() };
    is_array.then(|| (length(word, &array).to_vec(), said + 1))
}

/// What stands behind the dot of `A.top` and `A.heap-size`, as one name with it, and how many tokens that is.
fn of_object(token: &Token, behind: &[Token]) -> Option<(Token, usize)> {
    let is_glued = |it: &&Token| it.blank.is_empty() && !it.is("..");
    let joined = behind.iter().take_while(is_glued).count();
    let (word, length) = match &behind[..joined] {
        [dot, first, dash, second, ..] if dot.is(".") && dash.is("-") && second.is_name() => {
            (format!("{}_{}", first.text, second.text), 4)
        }
        [dot, first, ..] if dot.is(".") && first.is_name() => (first.text.clone(), 2),
        _ => return None,
    };
    let is_part = behind.get(length).is_some_and(|it| it.is_any(&["(", "[", "."]));
    let name = token.with(format!("{}_{word}", token.text));
    (!is_part && behind[1].is_name()).then_some((name, length))
}

fn attribute(word: &str) -> Option<&'static str> {
    Some(match word {
        "length" | "size" | "len" | "LEN" | "LENGTH" | "Length" | "Len" => "length",
        "rows" => "rows",
        "columns" | "cols" => "columns",
        _ => return None,
    })
}

pub(super) fn length(word: &str, array: &Token) -> [Token; 4] {
    let glued = |text: &str| Token::glued(text, array);
    [array.with(word), glued("("), glued(&array.text), glued(")")]
}

/// Of `log n`, `lg(n)`, `log_2 n`: how many tokens stand before the operand.
fn logarithm(token: &Token, rest: &[Token]) -> Option<usize> {
    if token.is_any(&["logn", "lgn"]) {
        return Some(0);
    }
    if !token.is_any(&["log", "lg", "log2", "log_2", "log₂"]) {
        return None;
    }
    // `log₂` may come apart, as may `log_{2}`.
    let skip = match rest {
        [two, ..] if two.is("₂") => 1,
        _ => 0,
    };
    let next = rest.get(skip)?;
    (next.is_name() && !next.is_any(&["do", "then", "and", "or"])
        || next.is_number()
        || next.is("("))
    .then_some(skip)
}

/// How many tokens an operand has.
pub(super) fn operand_length(tokens: &[Token]) -> usize {
    let Some(first) = tokens.first() else { return 0 };
    if first.is("(") {
        return closing(tokens, 0).map_or(1, |it| it + 1);
    }
    match tokens.get(1) {
        Some(open)
            if open.is("[") || open.is("(") && first.is_any(&["length", "rows", "columns"]) =>
        {
            closing(tokens, 1).map_or(1, |it| it + 1)
        }
        _ => 1,
    }
}
