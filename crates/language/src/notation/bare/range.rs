//! What heads of loops say in words of their steps and ends.

use crate::diagnostic::Diagnostic;
use crate::notation::expression::integer;
use crate::notation::output::words;
use crate::notation::token::{LogicalLine, Token, closing, lines, position, split, text};

/// `with a step size of 2`, `in steps of 2`: `step 2`; `not exceeding n`: `n`.
pub(super) fn steps(tokens: &mut Vec<Token>) {
    // `for each i from 0 to n`, `for i ← 1, n`
    if let [_, each, variable, sign, ..] = &tokens[..]
        && each.is_any(&["each", "every"])
        && variable.is_name()
        && sign.is_any(&["in", "from", "=", "←", ":="])
        && position(tokens, &["to", "downto"]).is_some()
    {
        tokens.remove(1);
        tokens[2].text = "←".to_owned();
    }
    if let [_, _, arrow, rest @ ..] = &tokens[..]
        && arrow.assigns()
    {
        let end = position(rest, &["do", "pardo"]).unwrap_or(rest.len());
        if let [from, to] = split(&rest[..end], &[","])[..]
            && let ([_], [first, ..]) = (from, to)
            && first.is_name()
            && position(to, &["to", "downto", "…", "...", "..", "by", "step"]).is_none()
        {
            tokens[4] = Token::made("to", &tokens[4]);
        }
    }
    // `for each row i of A (i = 1, …, n)`
    if let Some(open) = tokens.iter().position(|it| it.is("("))
        && let Some(close) = closing(tokens, open)
        && let [variable, sign, ..] = &tokens[open + 1..close]
        && (sign.assigns() || sign.is("∈"))
        && tokens[..open].iter().any(|it| it.is(&variable.text))
        && tokens[1].is_any(&["each", "every", "all"])
    {
        let said = crate::notation::output::spaced(tokens[open + 1..close].to_vec());
        tokens.splice(2..=close, said);
    }
    // `for i = n-1 to 1 (Step: -1)`
    if let Some(open_at) = tokens.iter().rposition(|it| it.is("("))
        && closing(tokens, open_at) == Some(tokens.len() - 1)
        && open_at + 3 < tokens.len()
        && tokens[open_at + 1].is_word("step")
    {
        let skip = usize::from(tokens[open_at + 2].is_any(&[":", "="]));
        let by = tokens[open_at + 2 + skip..tokens.len() - 1].to_vec();
        let word = Token::made("step", &tokens[open_at]);
        tokens.splice(open_at.., [vec![word], crate::notation::output::spaced(by)].concat());
    }
    // `for i in range 0 to n - 1`
    if let [_, _, sign, range, from, ..] = &tokens[..]
        && sign.is("in")
        && range.is("range")
        && !from.is("(")
        && position(tokens, &["to"]).is_some()
    {
        tokens.remove(3);
        tokens[2].text = "←".to_owned();
    }
    let fillers = ["with", "a", "an", "in", "size", "of", "by", "increments", "steps", "step"];
    let said = |it: &Token| it.is_any(&["step", "steps", "increments"]);
    if let Some(at) = tokens.iter().position(said)
        && !tokens[at].blank.is_empty()
        && tokens[at - 1].ends_operand()
    {
        let start =
            tokens[..at].iter().rposition(|it| !it.is_any(&fillers)).map_or(at, |it| it + 1);
        let length = tokens[start..].iter().take_while(|it| it.is_any(&fillers)).count();
        let step = tokens[at].with("step");
        tokens.splice(start..start + length, [step]);
    }
    if let Some(at) =
        tokens.windows(2).position(|it| it[0].is_word("not") && it[1].is_word("exceeding"))
    {
        tokens.drain(at..at + 2);
    }
    // `foreach (x in A)`
    if tokens.first().is_some_and(|it| it.is_any(&["foreach", "for"]))
        && tokens.get(1).is_some_and(|it| it.is("("))
        && let Some(close) = closing(tokens, 1)
        && position(&tokens[2..close], &["in", "∈"]).is_some()
    {
        tokens.remove(close);
        tokens.remove(1);
        if tokens[0].is_word("for") {
            tokens[0].text = "foreach".to_owned();
        }
    }
}

/// A loop whose values are not said.
pub(super) fn open_loop(tokens: &[Token]) -> Option<Diagnostic> {
    match tokens {
        // Some books mean a loop that goes down.
        [_, variable, arrow, rest @ ..]
            if arrow.assigns()
                && let Some(to) = position(rest, &["to"])
                && let [last, behind @ ..] = &rest[to + 1..]
                && let from = &rest[..to]
                && from.iter().any(Token::is_name)
                && !from[0].is_any(&["-", "−"])
                && !from[to - 1].is_word("down")
                && last.is_any(&["0", "1"])
                && !is_logarithm(from)
                && position(behind, &["by", "step", "+", "-", "*", "/"]).is_none() =>
        {
            let from = text(from);
            let said = format!("a loop from {from} up to {}: not at all, or down", last.text);
            let help = format!(
                "write `for {} ← {from} downto {}`, or leave the loop out",
                variable.text, last.text
            );
            Some(Diagnostic::new(rest[to].span, said).help(help))
        }
        [_, all, name, rest @ ..]
            if all.is_any(&["all", "each", "every"])
                && name.is_name()
                && rest.first().is_none_or(|it| it.is_any(&["do", "pardo", "in", ":"]))
                && rest.get(1).is_none_or(|it| it.is_any(&["parallel", "do", "in"])) =>
        {
            let error =
                Diagnostic::new(name.span, format!("which values {} takes is not said", name.text));
            Some(error.help(format!(
                "write `for all 0 ≤ {} < n do in parallel`, or how far it goes",
                name.text
            )))
        }
        [_, .., edge, open, u, comma, v, _] | [_, .., edge, open, u, comma, v, _, _]
            if edge.is_any(&["edge", "edges", "arc", "pair"]) && open.is("(") && comma.is(",") =>
        {
            let error = Diagnostic::new(edge.span, "a loop over the edges of a graph");
            Some(error.help(format!(
                "a graph is given by arrays: write `for e ← 1 to m do`, and `from[e]` for {}, `to[e]` for {}",
                u.text, v.text
            )))
        }
        _ => None,
    }
}

/// `log n`, or a bracket around it.
fn is_logarithm(tokens: &[Token]) -> bool {
    tokens.iter().find(|it| !it.opens()).is_some_and(|it| it.is_any(&["log", "lg", "log₂"]))
}

/// `for h = log n to 0` goes through the levels of a tree from its root down; returns whether it does.
pub(super) fn levels(tokens: &mut [Token]) -> bool {
    let Some(to) = position(tokens, &["to"]).filter(|to| *to > 3) else { return false };
    let ends = tokens.get(to + 1).is_some_and(|it| it.is_any(&["0", "1"]))
        && tokens.get(to + 2).is_none_or(|it| it.is_any(&["do", ":", "by", "step"]));
    let is_down = ends && tokens[2].assigns() && is_logarithm(&tokens[3..to]);
    if is_down {
        tokens[to].text = "downto".to_owned();
    }
    is_down
}

/// What loops go over, beside numbers.
const NOUNS: [&str; 22] = [
    "row",
    "column",
    "cell",
    "pixel",
    "entry",
    "key",
    "item",
    "bit",
    "digit",
    "point",
    "step",
    "round",
    "position",
    "level",
    "node",
    "vertex",
    "edge",
    "job",
    "task",
    "symbol",
    "character",
    "city",
];

/// `for each row i = 1, …, n`: i is the variable.
pub(super) fn noun(tokens: &mut Vec<Token>) {
    // `for each x from A`
    if let Some(at) = tokens.iter().position(|it| it.is_word("from"))
        && tokens.iter().take(3).any(|it| it.is_any(&["each", "foreach"]))
        && position(tokens, &["to", "downto", "step", "by"]).is_none()
        && tokens.get(at + 1).is_some_and(Token::is_name)
    {
        tokens[at].text = "in".to_owned();
    }
    let is_said = |it: &[Token]| {
        it[0].is_any(&["each", "every", "all"])
            && it[1].is_any(&NOUNS)
            && it[2].is_name()
            && (it[3].assigns() || it[3].is_any(&["∈", "in", "from", ","]))
    };
    // `FOREACH node v ∈ {1, …, n}`
    if let [word, noun, name, sign, ..] = &tokens[..]
        && word.is_word("foreach")
        && noun.is_any(&NOUNS)
        && name.is_name()
        && (sign.assigns() || sign.is_any(&["∈", "in", "from"]))
    {
        tokens.remove(1);
    }
    if let Some(at) = tokens.windows(4).position(is_said)
        && tokens[..at].last().is_some_and(|it| it.is_any(&["for", "forall"]))
    {
        tokens.remove(at + 1);
    }
}

/// `for p = 1, 2, 4, … # as long as p < n`: the comment has the condition.
pub(super) fn as_long_as(line: &mut LogicalLine) {
    let [word, variable, arrow, list @ ..] = &line.tokens[..] else { return };
    let list = match list {
        [inner @ .., last] if last.is_any(&["do", ":"]) => inner,
        all => all,
    };
    let (Some(last), Some(comment)) = (list.last(), line.comments.first()) else { return };
    let text = comment.text.trim_start_matches(['/', '#', ' ']);
    let is_open = last.is_any(&["...", "…", "..", ". . ."]);
    let Some(condition) = text.strip_prefix("as long as ").or_else(|| text.strip_prefix("while "))
    else {
        return;
    };
    let [first, second, ..] = split(list, &[","])[..] else { return };
    if !is_open || !word.is_word("for") || !arrow.assigns() {
        return;
    }
    let condition = lines(condition).into_iter().flatten().flat_map(|it| it.tokens);
    let condition: Vec<Token> =
        condition.map(|it| Token { text: it.text, ..Token::made("", comment) }).collect();
    let advance = match (first, second) {
        ([one], [two]) if one.is("1") && two.is_number() => format!("× {}", two.text),
        (from, [again @ .., slash, by]) if slash.is("/") && by.is_number() && same(from, again) => {
            format!("/ {}", by.text)
        }
        (from, [by, again @ ..]) if by.is_number() && same(from, again) => format!("× {}", by.text),
        _ => return,
    };
    let one = std::slice::from_ref(variable);
    let text = format!("for ( {{}} = {{}} ; {{}} ; {{}} = {{}} {advance} )");
    line.tokens = words(word, &text, &[one, first, &condition, one, one]);
}

fn same(a: &[Token], b: &[Token]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.text == b.text)
}

/// `for all odd i, 1 ≤ i ≤ n`, `for even i = 2 to n`: every second value.
///
/// # Errors
/// Where the first one depends on values.
pub(super) fn parity(tokens: &[Token]) -> Result<Option<Vec<Token>>, Diagnostic> {
    let Some(at) = (1..tokens.len().min(5)).find(|&at| tokens[at].is_any(&["odd", "even"])) else {
        return Ok(None);
    };
    let word = &tokens[at];
    let Some(variable) = tokens.get(at + 1).filter(|it| it.is_name()) else { return Ok(None) };
    let end = position(tokens, &["do", "pardo", "in"]).unwrap_or(tokens.len());
    let range = match &tokens[(at + 2).min(end)..end] {
        [comma, inner @ .., last] if comma.is(",") && last.is(",") => inner,
        [comma, inner @ ..] if comma.is_any(&[",", "with", "where", ":"]) => inner,
        all => all,
    };
    let range = match range.first() {
        Some(sign) if sign.assigns() || sign.is("∈") => &tokens[at + 1..end],
        _ => range,
    };
    let to = position(range, &["to"]);
    let found = match to {
        Some(to) if to > 2 => Some((range[2..to].to_vec(), range[to + 1..].to_vec())),
        _ => super::interval::range(range).map(|it| (it.from, it.to)),
    };
    let remainder = i64::from(word.is_word("odd"));
    let first = found.and_then(|(from, to)| Some((integer(&from)?, to)));
    let Some((from, to)) = first else {
        let text = format!("the first {} {} is not said as a number", word.text, variable.text);
        return Err(Diagnostic::new(word.span, text)
            .help(format!("write `for {} ← 1 to n step 2`", variable.text)));
    };
    let from = from + i64::from(from.rem_euclid(2) != remainder);
    let is_parallel = tokens.iter().any(|it| it.is_any(&["parallel", "pardo", "forall"]))
        || tokens[1].is_word("all");
    let order = if is_parallel { " in parallel" } else { "" };
    let behind = position(tokens, &["do", "pardo"]).map_or(tokens.len(), |it| it + 1);
    let behind = match &tokens[behind..] {
        [one, two, rest @ ..] if one.is_word("in") && two.is_word("parallel") => rest,
        all => all,
    };
    let head = format!("for {{}} ← {from} to {{}} step 2 do{order}");
    let one = std::slice::from_ref(variable);
    Ok(Some([words(&tokens[0], &head, &[one, &to]), behind.to_vec()].concat()))
}

/// `for i ← 0 to n and j ← 0 to m, in parallel`: both variables are chained as in `0 ≤ i ≤ n, 0 ≤ j ≤ m`.
pub(super) fn joined(tokens: &mut Vec<Token>) {
    let end = position(tokens, &["do", "pardo", "in"]).unwrap_or(tokens.len());
    if !tokens[0].is_any(&["for", "forall", "parallel"]) {
        return;
    }
    let start = 1 + usize::from(tokens.get(1).is_some_and(|it| it.is_any(&["all", "for"])));
    if start >= end {
        return;
    }
    let parts = split(&tokens[start..end], &["and", ","]);
    let parts: Vec<&[Token]> = parts.into_iter().filter(|it| !it.is_empty()).collect();
    let chained = |part: &[Token]| -> Option<Vec<Token>> {
        let [variable, arrow, rest @ ..] = part else { return None };
        let to = position(rest, &["to"]).filter(|at| *at > 0 && at + 1 < rest.len())?;
        let is_plain = position(rest, &["step", "by", "downto", "down"]).is_none();
        let one = std::slice::from_ref(variable);
        (arrow.assigns() && variable.is_name() && is_plain)
            .then(|| words(variable, "{} ≤ {} ≤ {}", &[&rest[..to], one, &rest[to + 1..]]))
    };
    let all: Option<Vec<Vec<Token>>> = parts.iter().map(|it| chained(it)).collect();
    let Some(all) = all.filter(|it| it.len() > 1) else { return };
    let comma = [Token::glued(",", &tokens[0])];
    let mut chained = all.join(&comma[..]);
    chained[0].blank = " ".to_owned();
    tokens.splice(start..end, chained);
}
