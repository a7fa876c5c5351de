//! Rows of Java that change places: `double[] t = a[i]; a[i] = a[j]; a[j] = t;`. Their elements do.

use crate::notation::output::Output;
use crate::notation::token::{Token, closing};

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
