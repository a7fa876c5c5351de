//! Rows of Java that change places: `double[] t = a[i]; a[i] = a[j]; a[j] = t;`. Their elements do.

use crate::notation::boundaries::end_of_statement;
use crate::notation::output::Output;
use crate::notation::token::{Token, closing, position};

/// An element or a row, up to the sign behind it, and the place behind that.
fn part<'a>(tokens: &'a [Token], at: usize, sign: &str) -> Option<(&'a [Token], usize)> {
    let mut end = at + 1;
    while tokens.get(end)?.is("[") {
        end = closing(tokens, end)? + 1;
    }
    (tokens.get(at)?.is_name() && tokens.get(end)?.is(sign)).then(|| (&tokens[at..end], end + 1))
}

fn same(one: &[Token], two: &[Token]) -> bool {
    one.len() == two.len() && one.iter().zip(two).all(|(it, of)| it.is(&of.text))
}

/// The type, the name and the two rows of three statements, and the place behind them.
type Swap<'a> = (&'a Token, &'a Token, &'a [Token], &'a [Token], usize);

fn swap(tokens: &[Token], at: usize) -> Option<Swap<'_>> {
    let [of, open, close, name, equal, ..] = tokens.get(at..)? else { return None };
    let is_row = of.is_name() && open.is("[") && close.is("]") && name.is_name() && equal.is("=");
    let (one, next) = part(tokens, at + 5, ";").filter(|it| is_row && it.0.len() > 3)?;
    let (target, next) = part(tokens, next, "=")?;
    let (two, next) = part(tokens, next, ";")?;
    let (last, next) = part(tokens, next, "=")?;
    let (value, next) = part(tokens, next, ";")?;
    let is_swap = same(one, target) && same(two, last) && same(value, std::slice::from_ref(name));
    (is_swap && one[0].is(&two[0].text)).then_some((of, name, one, two, next))
}

/// The program with loops over the elements.
pub(super) fn swapped(mut tokens: Vec<Token>, out: &mut Output) -> Vec<Token> {
    for at in (0..tokens.len()).rev() {
        let Some((of, name, one, two, end)) = swap(&tokens, at) else { continue };
        let column = out.fresh("z");
        let text = format!(
            "for ( int {column} = 0 ; {column} < {} [ 0 ] . length ; {column} ++ ) {{ {} {} =",
            one[0].text, of.text, name.text
        );
        let made = |text: &str| text.split(' ').map(|it| of.with(it)).collect::<Vec<_>>();
        let index = made(&format!("[ {column} ]"));
        let [one, two] = [one, two].map(|it| [it, &index].concat());
        let sign = |text: &str| vec![of.with(text)];
        let body = [&one, &sign(";"), &one, &sign("="), &two, &sign(";"), &two, &sign("=")];
        let body = body.into_iter().flatten().cloned();
        let made =
            made(&text).into_iter().chain(body).chain([name.clone(), of.with(";"), of.with("}")]);
        let made: Vec<Token> = made.collect();
        tokens.splice(at..end, made);
    }
    tokens
}

/// `for (const auto& row : a) … row[j]`, `var row = a[i];`: a row by its own name is that of the matrix.
pub(super) fn named(mut tokens: Vec<Token>, out: &mut Output) -> Vec<Token> {
    let is_row = |of: &[Token], name: &str| {
        (0..of.len()).any(|at| {
            let next = |by: usize| of.get(at + by);
            let counts = next(1).is_some_and(|it| it.is("."))
                && next(2).is_some_and(|it| it.is_any(&["size", "length", "len", "count"]));
            let is_gone_through =
                at > 0 && of[at - 1].is(":") && next(1).is_some_and(|it| it.is(")"));
            of[at].is(name) && (next(1).is_some_and(|it| it.is("[")) || counts || is_gone_through)
        })
    };
    for at in (2..tokens.len()).rev() {
        // `for (… name : array)`
        let Some(close) =
            closing(&tokens, at).filter(|_| tokens[at].is("(") && tokens[at - 1].is("for"))
        else {
            continue;
        };
        let Some(colon) = position(&tokens[at + 1..close], &[":"]).map(|it| at + 1 + it) else {
            continue;
        };
        let (name, array) = (tokens[colon - 1].clone(), tokens[colon + 1..close].to_vec());
        let end = end_of_statement(&tokens, close + 1);
        let is_element =
            array.len() > 1 && array[1].is("[") && closing(&array, 1) == Some(array.len() - 1);
        let body = tokens[close + 1..end.min(tokens.len())].to_vec();
        let has = |words: &[&str]| tokens[at + 1..close].iter().any(|it| it.is_any(words));
        if has(&["?", ";"]) || !(array.len() == 1 && is_row(&body, &name.text) || is_element) {
            continue;
        }
        let index = out.fresh("z");
        let words =
            |text: &str| text.split(' ').map(|it| Token::made(it, &name)).collect::<Vec<_>>();
        let head = [words(&format!("( int {index} = 0 ; {index} <")), array.clone()];
        let behind = words(&format!(". length ; {index} ++ ) {{ auto {} =", name.text));
        let element = [array, words(&format!("[ {index} ] ;"))];
        let made = [head.concat(), behind, element.concat(), body, words("}")].concat();
        tokens.splice(at..end.min(tokens.len()), made);
    }
    let mut at = 0;
    while at + 5 < tokens.len() {
        let [of, name, equal, array, open, ..] = &tokens[at..] else { break };
        let is_declared =
            of.is_any(&["auto", "var"]) && equal.is("=") && open.is("[") && array.is_name();
        let end = closing(&tokens, at + 4).filter(|_| is_declared);
        let Some(end) = end.filter(|it| tokens.get(it + 1).is_some_and(|it| it.is(";"))) else {
            at += 1;
            continue;
        };
        let mut depth = 0_usize;
        let behind = tokens[end..].iter().position(|it| {
            depth += usize::from(it.is("{"));
            let closes = it.is("}") && depth == 0;
            depth = depth.saturating_sub(usize::from(it.is("}")));
            closes
        });
        let last = behind.map_or(tokens.len(), |it| end + it);
        let name = name.text.clone();
        if !is_row(&tokens[end + 2..last.max(end + 2)], &name) {
            at += 1;
            continue;
        }
        let row = tokens[at + 3..=end].to_vec();
        let put = |it: &Token| if it.is(&name) { row.clone() } else { vec![it.clone()] };
        let rest: Vec<Token> = tokens[end + 2..last].iter().flat_map(put).collect();
        tokens.splice(at..last, rest);
    }
    tokens
}
