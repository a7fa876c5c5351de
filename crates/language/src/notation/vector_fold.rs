//! `sum(a(1:n))`, `max(x)`, `dot(u, v)`, `sum(f(i) for i in range(n))` in a value: what is folded is computed
//! above the statement, and stands there by its name.

use super::output::words;
use super::slices::{ArrayReader, Style, element_of_vectors};
use super::token::{Token, closing, position, split};
use crate::diagnostic::Diagnostic;

type Result<T> = std::result::Result<T, Diagnostic>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Sum,
    Product,
    Max,
    Min,
    Dot,
    Norm,
    Mean,
    Any,
    All,
    ArgMax,
    ArgMin,
}

fn kind(word: &str) -> Option<Kind> {
    Some(match word.to_ascii_lowercase().as_str() {
        "sum" => Kind::Sum,
        "prod" | "product" => Kind::Product,
        "max" | "maxval" | "maximum" | "amax" => Kind::Max,
        "min" | "minval" | "minimum" | "amin" => Kind::Min,
        "dot" | "dot_product" | "inner" | "vdot" => Kind::Dot,
        "norm" => Kind::Norm,
        "mean" => Kind::Mean,
        "any" => Kind::Any,
        "all" => Kind::All,
        "argmax" | "maxloc" => Kind::ArgMax,
        "argmin" | "minloc" => Kind::ArgMin,
        _ => return None,
    })
}

/// A call that folds.
struct Call {
    kind: Kind,
    start: usize,
    end: usize,
    /// Of what stands in its brackets.
    inside: Vec<Token>,
    /// NumPy's: of a matrix, of all elements.
    is_method: bool,
}

/// The value with names in place of what it folds.
///
/// # Errors
/// A fold of what is neither a vector nor counted by a loop.
pub(super) fn folded(
    reader: &mut impl ArrayReader,
    value: &[Token],
    style: Style,
) -> Result<Vec<Token>> {
    let mut value = value.to_vec();
    let mut until = value.len();
    while let Some(call) = find(&value, until, reader) {
        let place = value[call.start].clone();
        // What is not folded, as the greatest of two numbers, stays; what stands around it comes next.
        if let Some(plain) = fold(reader, &call, &place, style)? {
            value.splice(call.start..call.end, plain);
        }
        until = call.start;
    }
    Ok(value)
}

/// The last call before a place; the innermost of several is that behind all others.
fn find(value: &[Token], until: usize, reader: &impl ArrayReader) -> Option<Call> {
    (0..until).rev().find_map(|at| {
        let word = &value[at];
        // `x.sum()`
        if let [array, dot, word, open, close, ..] = &value[at..]
            && dot.is(".")
            && open.is("(")
            && close.is(")")
            && reader.is_array(array)
            && let Some(kind) = kind(&word.text)
        {
            let inside = vec![array.clone()];
            return Some(Call { kind, start: at, end: at + 5, inside, is_method: true });
        }
        let kind = kind(&word.text).filter(|_| value.get(at + 1).is_some_and(|it| it.is("(")))?;
        let of_module = is_module(value, at);
        let of_other = at > 0 && value[at - 1].is(".");
        if !of_module && (of_other || reader.defines(word)) {
            return None;
        }
        let close = closing(value, at + 1)?;
        let is_method = at > 0 && value[at - 1].is(".");
        let start = if is_method { at - 2 } else { at };
        // `np.linalg.norm(x)`
        let is_nested = is_method && start > 1 && value[start - 1].is(".");
        let start = if is_nested { start - 2 } else { start };
        let inside = value[at + 2..close].to_vec();
        Some(Call { kind, start, end: close + 1, inside, is_method })
    })
}

fn is_module(value: &[Token], at: usize) -> bool {
    at > 1 && value[at - 1].is(".") && value[at - 2].is_any(&["np", "numpy", "math", "linalg"])
}

fn fold(
    reader: &mut impl ArrayReader,
    call: &Call,
    place: &Token,
    style: Style,
) -> Result<Option<Vec<Token>>> {
    let parts = split(&call.inside, &[","]);
    let generator = position(&call.inside, &["for"]);
    let parts = if generator.is_some() { vec![&call.inside[..]] } else { parts };
    let made = |text: &str| Token::made(text, place);
    let group = |of: &[Token]| [&[made("(")], of, &[made(")")]].concat();
    let inside = match (call.kind, &parts[..]) {
        (Kind::Dot, [left, right]) => [group(left), vec![made(".*")], group(right)].concat(),
        (Kind::ArgMax | Kind::ArgMin, [one, dimension])
            if dimension.last().is_some_and(|it| it.is("1")) =>
        {
            one.to_vec()
        }
        (Kind::Dot, _) | (_, [_, _, ..]) => return Ok(None),
        (Kind::Norm, [one]) => [group(one), vec![made(".*")], group(one)].concat(),
        _ => call.inside.clone(),
    };
    let name = place.with(reader.output().fresh(word_of(call.kind)));
    let mut variables = vec![place.with(reader.output().fresh("z"))];
    if style.flattens || call.is_method {
        variables.push(place.with(reader.output().fresh("z")));
    }
    let depth = reader.output().depth;
    let names = [&name, &variables[0]];
    let mut length: Option<Vec<Token>> = None;
    if let Some(at) = generator {
        let element = generated(reader, call.kind, at, &inside, names)?;
        add(reader, call.kind, &name, &element, place)?;
        reader.output().depth = depth + 1;
        reader.close_loop(place)?;
    } else {
        let rank = |it: &Token| reader.is_array(it).then(|| reader.rank(it));
        let Some((bounds, element)) = element_of_vectors(&inside, style, rank, &variables) else {
            return Ok(None);
        };
        if matches!(call.kind, Kind::Any | Kind::All) {
            reader.know_bool(&name);
        }
        if matches!(call.kind, Kind::ArgMax | Kind::ArgMin) {
            let [bounds] = &bounds[..] else { return Ok(None) };
            let is_whole = matches!(&bounds.0[..], [one] if one.is_any(&["0", "1"]));
            if !is_whole {
                return Err(refused(&name, call.kind));
            }
            place_of(reader, call.kind, [&name, &variables[0]], bounds, &element)?;
            reader.output().depth = depth;
            return Ok(Some(vec![name]));
        }
        let first = variables
            .iter()
            .zip(&bounds)
            .fold(element.clone(), |it, (variable, bounds)| put(&it, variable, &bounds.0));
        start(reader, call.kind, &name, &first)?;
        for (variable, (from, to)) in variables.iter().zip(&bounds) {
            let (from, to) = (reader.written(from, place)?, reader.written(to, place)?);
            let one = std::slice::from_ref(variable);
            reader.output().line(words(place, "for {} ← {} to {} do", &[one, &from, &to]));
            reader.output().depth += 1;
            let own = group(
                &[group(&to), vec![made("-")], group(&from), vec![made("+"), made("1")]].concat(),
            );
            length = Some(match length {
                None => own,
                Some(other) => [other, vec![made("*")], own].concat(),
            });
        }
        add(reader, call.kind, &name, &element, place)?;
    }
    reader.output().depth = depth;
    Ok(Some(match (call.kind, length) {
        (Kind::Norm, _) => [vec![made("sqrt"), made("(")], vec![name], vec![made(")")]].concat(),
        (Kind::Mean, Some(length)) => group(&[vec![name, made("/")], group(&length)].concat()),
        _ => vec![name],
    }))
}

/// Looks for the first place of the greatest, or the least, element.
fn place_of(
    reader: &mut impl ArrayReader,
    kind: Kind,
    [name, variable]: [&Token; 2],
    (from, to): &(Vec<Token>, Vec<Token>),
    element: &[Token],
) -> Result<()> {
    let sign = if kind == Kind::ArgMax { ">" } else { "<" };
    let (from, to) = (reader.written(from, name)?, reader.written(to, name)?);
    reader.output().line(words(name, "{} ← {}", &[std::slice::from_ref(name), &from]));
    let one = std::slice::from_ref(variable);
    reader.output().line(words(name, "for {} ← {} to {} do", &[one, &from, &to]));
    reader.output().depth += 1;
    let best = put(element, variable, std::slice::from_ref(name));
    let compared = [element, &[name.with(sign)], &best].concat();
    let condition = reader.written_condition(&compared, name)?;
    reader.output().line(words(name, "if {} then", &[&condition]));
    reader.output().depth += 1;
    reader.output().line(words(name, "{} ← {}", &[std::slice::from_ref(name), one]));
    Ok(())
}

/// An element with an index in place of the variable.
fn put(element: &[Token], variable: &Token, index: &[Token]) -> Vec<Token> {
    let group = [&[variable.with("(")], index, &[variable.with(")")]].concat();
    let one = |it: &Token| if it.is(&variable.text) { group.clone() } else { vec![it.clone()] };
    element.iter().flat_map(one).collect()
}

/// What a fold begins with; `first` is the first element.
fn start(reader: &mut impl ArrayReader, kind: Kind, name: &Token, first: &[Token]) -> Result<()> {
    let value = match kind {
        Kind::Max | Kind::Min => first.to_vec(),
        Kind::Product => vec![name.with("1")],
        Kind::Any => vec![name.with("false")],
        Kind::All => vec![name.with("true")],
        _ => vec![name.with("0")],
    };
    reader.assign_element(std::slice::from_ref(name), &name.with("="), &value)
}

/// `f(i) for i in … if c`: the beginning of its loop; gives the element.
fn generated(
    reader: &mut impl ArrayReader,
    kind: Kind,
    at: usize,
    inside: &[Token],
    [name, variable]: [&Token; 2],
) -> Result<Vec<Token>> {
    let Some(word) = position(&inside[at..], &["in", "=", "∈"]).map(|it| at + it) else {
        return Err(refused(name, kind));
    };
    let (own, range) = (&inside[at + 1..word], &inside[word + 1..]);
    let numbers = [Kind::Mean, Kind::Norm, Kind::Dot, Kind::ArgMax, Kind::ArgMin];
    if own.is_empty() || position(range, &["for"]).is_some() || numbers.contains(&kind) {
        return Err(refused(name, kind));
    }
    let end = position(range, &["if"]).unwrap_or(range.len());
    // Names of its own, which nothing else has.
    let own_names = own.iter().filter(|it| it.is_name());
    let fresh: Vec<(String, Token)> = own_names
        .enumerate()
        .map(|(at, it)| match at {
            0 => (it.text.clone(), variable.clone()),
            _ => (it.text.clone(), name.with(reader.output().fresh("z"))),
        })
        .collect();
    let renamed = |of: &[Token]| -> Vec<Token> {
        let one = |it: &Token| {
            let found = fresh.iter().find(|(own, _)| it.is(own));
            found.map_or(it.clone(), |(_, fresh)| it.with(&fresh.text))
        };
        of.iter().map(one).collect()
    };
    let targets = renamed(own);
    let condition = renamed(range.get(end + 1..).unwrap_or_default());
    let (element, range) = (renamed(&inside[..at]), &range[..end]);
    let first = match range {
        _ if !matches!(kind, Kind::Max | Kind::Min) => vec![],
        [word, open, inner @ .., _] if word.is("range") && open.is("(") && condition.is_empty() => {
            let parts = split(inner, &[","]);
            let from = if parts.len() > 1 { parts[0].to_vec() } else { vec![name.with("0")] };
            put(&element, variable, &from)
        }
        _ => return Err(refused(name, kind)),
    };
    if matches!(kind, Kind::Any | Kind::All) {
        reader.know_bool(name);
    }
    start(reader, kind, name, &first)?;
    reader.open_loop(name, &targets, range)?;
    if !condition.is_empty() {
        let condition = reader.written_condition(&condition, name)?;
        reader.output().line(words(name, "if {} then", &[&condition]));
        reader.output().depth += 1;
    }
    Ok(element)
}

fn word_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Sum | Kind::Mean | Kind::Norm => "sum",
        Kind::Product => "product",
        Kind::Max => "max",
        Kind::Min => "min",
        Kind::Dot => "dot",
        Kind::Any => "any",
        Kind::All => "all",
        Kind::ArgMax | Kind::ArgMin => "place",
    }
}

fn refused(place: &Token, kind: Kind) -> Diagnostic {
    Diagnostic::new(place.span, format!("a {} of what no range counts", word_of(kind)))
        .help("write the loop that computes it")
}

/// One more element.
fn add(
    reader: &mut impl ArrayReader,
    kind: Kind,
    name: &Token,
    element: &[Token],
    place: &Token,
) -> Result<()> {
    let made = |text: &str| Token::made(text, place);
    let compares = ["==", "!=", "~=", "<", ">", "<=", ">=", "and", "or", "not", "&&", "||"];
    let is_bool = match element {
        [array, open, ..] if open.is("[") && closing(element, 1) == Some(element.len() - 1) => {
            reader.is_bool(array)
        }
        [open, inner @ .., _] if open.is("(") && closing(element, 0) == Some(element.len() - 1) => {
            position(inner, &compares).is_some()
        }
        all => position(all, &compares).is_some(),
    };
    let one = std::slice::from_ref(name);
    let depth = reader.output().depth;
    if matches!(kind, Kind::Any | Kind::All) {
        let condition = reader.written_condition(element, place)?;
        let (head, value) = match kind {
            Kind::Any => ("if {} then", "true"),
            _ => ("if not ({}) then", "false"),
        };
        reader.output().line(words(name, head, &[&condition]));
        reader.output().depth += 1;
        reader.output().line(words(name, &format!("{} ← {value}", name.text), &[]));
        reader.output().depth = depth;
        return Ok(());
    }
    let (sign, element) = match kind {
        Kind::Sum if is_bool => {
            let condition = reader.written_condition(element, place)?;
            reader.output().line(words(place, "if {} then", &[&condition]));
            reader.output().depth += 1;
            ("+", vec![place.with("1")])
        }
        Kind::Product => ("*", element.to_vec()),
        _ => ("+", element.to_vec()),
    };
    let value = match kind {
        Kind::Max | Kind::Min => {
            let word = if kind == Kind::Max { "max" } else { "min" };
            [&[made(word), made("("), name.clone(), made(",")], &element[..], &[made(")")]].concat()
        }
        _ => [&[name.clone(), made(sign), made("(")], &element[..], &[made(")")]].concat(),
    };
    reader.assign_element(one, &place.with("="), &value)?;
    reader.output().depth = depth;
    Ok(())
}
