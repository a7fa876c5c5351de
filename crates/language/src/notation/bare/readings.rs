//! What pseudocode and programs mean differently, where nothing else says which of them a text is.

use super::Result;
use crate::diagnostic::Diagnostic;
use crate::notation::token::{LogicalLine, Token, closing};

/// # Errors
/// What has two meanings.
pub(super) fn check(lines: &[LogicalLine]) -> Result<()> {
    let all = || lines.iter().flat_map(|it| &it.tokens);
    let is_plain =
        |it: &Token| it.is_any(&["then", "do", "←", ":=", "<-", "end", "begin", "endif"]);
    let has_semicolons = lines.iter().any(|it| it.tokens.last().is_some_and(|it| it.is(";")));
    let calls_mod = lines.iter().any(|line| {
        line.tokens.windows(2).any(|it| it[0].is_any(&["mod", "rem"]) && it[1].is("("))
    });
    for line in lines {
        if let Some(sign) = tower(&line.tokens) {
            return Err(Diagnostic::new(
                sign.span,
                "a power of a power: from the right, or from the left as in MATLAB",
            )
            .help("write the brackets that are meant"));
        }
        if has_semicolons
            && !all().any(is_plain)
            && let Some(sign) = assigned(&line.tokens)
        {
            return Err(Diagnostic::new(
                sign.span,
                "`=` in a condition: pseudocode compares, C assigns",
            )
            .help("write `==`, or `then` behind the condition"));
        }
        let remainder = line.tokens.windows(2).find(|it| it[0].ends_operand() && it[1].is("%"));
        if let Some([_, sign]) = remainder.filter(|_| calls_mod) {
            return Err(Diagnostic::new(
                sign.span,
                "`%`: a remainder, or the beginning of a comment of MATLAB",
            )
            .help("write `mod`; or say which with --notation"));
        }
    }
    Ok(())
}

/// `2^3^2`: the second sign.
fn tower(tokens: &[Token]) -> Option<&Token> {
    let raised = (0..tokens.len()).filter(|&at| tokens[at].is("^"));
    raised.into_iter().find_map(|at| {
        let next = tokens.get(at + 1)?;
        let end = if next.is_any(&["(", "{"]) { closing(tokens, at + 1)? } else { at + 1 };
        let end = match tokens.get(end + 1) {
            Some(open) if open.is("[") => closing(tokens, end + 1)?,
            _ => end,
        };
        tokens.get(end + 1).filter(|it| it.is("^"))
    })
}

/// `if (x = 0)` at the end of its line: the sign.
fn assigned(tokens: &[Token]) -> Option<&Token> {
    let [word, open, ..] = tokens else { return None };
    let is_head = word.is_any(&["if", "while"]) && open.is("(");
    let close = closing(tokens, 1).filter(|it| is_head && *it + 1 == tokens.len())?;
    tokens[2..close].iter().find(|it| it.is("="))
}

/// `1/2` is one half, unless it is rounded or an index.
pub(super) fn fractions(tokens: &mut [Token]) {
    let is_value = |at: usize, tokens: &[Token]| {
        let mut open = vec![];
        for token in &tokens[..at] {
            match token.text.as_str() {
                "(" | "[" | "⌊" | "⌈" | "{" => open.push(token.text.clone()),
                ")" | "]" | "⌋" | "⌉" | "}" => drop(open.pop()),
                _ => {}
            }
        }
        !open.iter().any(|it| ["[", "⌊", "⌈", "{"].contains(&it.as_str()))
    };
    let is_head =
        tokens.first().is_some_and(|it| it.is_any(&["for", "forall", "foreach", "parallel"]));
    for at in 0..tokens.len().saturating_sub(2) {
        let number = |it: &Token| it.text.parse::<u64>().ok();
        let Some(above) = number(&tokens[at]) else { continue };
        // `((1) / (n))`, as LaTeX prints a fraction.
        let is_bracketed = at > 0 && tokens[at - 1].is("(") && tokens[at + 1].is(")");
        let sign = at + 1 + usize::from(is_bracketed);
        if !tokens.get(sign).is_some_and(|it| it.is("/")) {
            continue;
        }
        let below = tokens[sign + 1..].iter().find(|it| !it.is("("));
        let is_broken = match below.map(number) {
            Some(Some(below)) => below > 0 && above % below != 0,
            // A quotient of a small number and a size would be 0.
            Some(None) => above == 1,
            None => false,
        };
        let before = at.checked_sub(1).map(|it| &tokens[it]);
        let is_alone = before.is_none_or(|it| !it.is_any(&["/", "^", "mod", "%", "div"]));
        if is_broken && is_alone && !is_head && is_value(at, tokens) {
            tokens[at].text += ".0";
        }
    }
}

/// What `//` begins is a comment, unless it stands between two operands.
pub(super) fn quotient(line: &LogicalLine) -> Result<()> {
    let factorial = line
        .tokens
        .windows(2)
        .find(|it| it[1].is("!") && it[0].ends_operand() && it[1].blank.is_empty());
    if let Some([_, sign]) = factorial {
        return Err(Diagnostic::new(sign.span, "a factorial")
            .help("write the loop that makes it; `not` for a negation"));
    }
    let (Some(last), Some(comment)) = (line.tokens.last(), line.comments.first()) else {
        return Ok(());
    };
    let behind = comment.text.strip_prefix("//").unwrap_or("").trim();
    let is_operand = !behind.is_empty()
        && behind.chars().all(|it| it.is_ascii_alphanumeric() || "_+-*()[] ".contains(it))
        && (behind.starts_with(|it: char| it.is_ascii_digit() || it == '(')
            || !behind.contains(' '));
    let is_python = behind.starts_with(|it: char| it.is_ascii_digit()) && behind.contains(" if ");
    if comment.blank.len() > 1 || !last.ends_operand() || !is_operand && !is_python {
        return Ok(());
    }
    Err(Diagnostic::new(comment.span, "`//` begins a comment, or divides as in Python").help(
        format!("write `⌊… / {behind}⌋` for the quotient; for a comment, two blanks before it"),
    ))
}
