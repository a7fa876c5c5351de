//! An algorithm whose last statement calls itself is a loop.

use crate::notation::output::{Line, Output, spaced, words};
use crate::notation::token::{LogicalLine, Token, closing, split};

use super::head::{Head, calls};
use crate::notation::layout::number_length;

/// Whether the only call of an algorithm by itself is its last statement.
pub(super) fn is_last(head: &Head, lines: &[LogicalLine]) -> bool {
    let code = |it: &&LogicalLine| it.tokens.len() > number_length(&it.tokens);
    let mut code = lines.iter().filter(code).rev();
    let ends = ["end", "endif", "}", "}block", "fi"];
    let last = code.by_ref().find(|it| !it.tokens[number_length(&it.tokens)].is_any(&ends));
    let is_call = |it: &LogicalLine| {
        let tokens = &it.tokens[number_length(&it.tokens)..];
        tokens[0].is(&head.name.text) && closing(tokens, 1) == Some(tokens.len() - 1)
    };
    last.is_some_and(is_call) && !code.any(|it| calls(std::slice::from_ref(it), &head.name.text))
}

/// The loop: its body gives the arguments their next values in place of the call.
pub(super) fn repeated(head: &Head, out: &mut Output) {
    let again = out.fresh("again");
    let name = &head.name;
    let at = |lines: &[Line]| {
        lines.iter().rposition(|it| it.tokens.first().is_some_and(|it| it.is(&name.text)))
    };
    let Some(call) = at(&out.lines) else { return };
    let tokens = out.lines[call].tokens.clone();
    let depth = out.lines[call].depth;
    let values = split(&tokens[2..tokens.len() - 1], &[","]);
    let given = head.arguments.iter().zip(&values);
    let changed: Vec<_> =
        given.filter(|(name, value)| !matches!(value, [one] if one.is(&name.text))).collect();
    let mut next = vec![];
    for (side, _) in [0, 1].iter().enumerate() {
        for (nth, (argument, value)) in changed.iter().enumerate() {
            if nth > 0 {
                next.push(Token::glued(",", name));
            }
            let part = if side == 0 { vec![(*argument).clone()] } else { value.to_vec() };
            next.extend(if next.is_empty() { part } else { spaced(part) });
        }
        if side == 0 {
            next.push(Token::made("←", name));
        }
    }
    let line = |text: &str, depth| Line { depth, tokens: words(name, text, &[]), comments: vec![] };
    out.lines[call].tokens = words(name, &format!("{again} ← 1"), &[]);
    if !changed.is_empty() {
        out.lines.insert(call, Line { depth, tokens: next, comments: vec![] });
    }
    out.lines.iter_mut().for_each(|it| it.depth += 1);
    out.lines.insert(0, line(&format!("{again} ← 0"), 1));
    out.lines.insert(0, line(&format!("while {again} > 0 do"), 0));
    out.lines.insert(0, line(&format!("{again} ← 1"), 0));
    let text = format!("`{}` calls itself last: a loop", name.text);
    out.hints.said.push((name.clone(), text));
}
