//! `a(k:n) = a(k:n) / p`: statements on parts of arrays, as loops over their elements.

mod reader;
mod stride;
mod vectors;

pub(super) use self::reader::ArrayReader;
use self::stride::strided;
pub(super) use self::vectors::{assign_whole, element_of_vectors};
use super::output::{Output, words};
use super::token::{Token, closing, split};
use crate::diagnostic::Diagnostic;

type Result<T> = std::result::Result<T, Diagnostic>;

/// How a language has the parts of arrays.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    /// Python: the last index is one less than what is said, and `-1` counts from the end.
    pub(super) is_python: bool,
    /// MATLAB and Julia: `*` of two parts is a product of matrices.
    pub(super) multiplies: bool,
    /// What is folded of a matrix is folded of all its elements.
    pub(super) flattens: bool,
    /// The step stands behind the last index, not before it.
    pub(super) steps_last: bool,
}

/// A statement on parts of arrays as loops over their elements; false if it is none.
pub(super) fn assign_parts(
    reader: &mut impl ArrayReader,
    target: &[Token],
    sign: &Token,
    value: &[Token],
    style: Style,
) -> Result<bool> {
    let fresh = |word: &str| reader.output().fresh(word);
    let Some(it) = sliced(target, value, style, fresh) else { return Ok(false) };
    let equals = sign.with("=");
    for (name, element) in &it.before {
        reader.assign_element(std::slice::from_ref(name), &equals, element)?;
    }
    let (mut targets, mut values) = (vec![it.target], vec![it.value]);
    if it.overlaps {
        // What is read is that from before the statement.
        let name = sign.with(reader.output().fresh("part"));
        let mut part = vec![name.clone()];
        for (at, (variable, ..)) in it.loops.iter().enumerate() {
            part.push(Token::glued(if at == 0 { "[" } else { "," }, sign));
            part.push(Token::glued(variable.text.clone(), sign));
        }
        part.push(Token::glued("]", sign));
        reader.know_array(&name);
        let arrays = &reader.output().hints.arrays;
        let of = arrays.iter().find(|of| of.name.is(&target[0].text)).and_then(|it| it.element);
        let hint = reader.output().hints.array(&name);
        (hint.is_new, hint.element) = (true, of);
        targets.insert(0, part.clone());
        values.push(part);
    }
    let depth = reader.output().depth;
    for (target, value) in targets.iter().zip(&values) {
        for (variable, from, to) in &it.loops {
            let one = std::slice::from_ref(variable);
            let (from, to) = (reader.written(from, sign)?, reader.written(to, sign)?);
            reader.output().line(words(sign, "for {} ← {} to {} do", &[one, &from, &to]));
            reader.output().depth += 1;
        }
        reader.assign_element(target, &equals, value)?;
        reader.output().depth = depth;
    }
    Ok(true)
}

/// Loops that copy every element of an array; `sized` is the array that says how many there are.
pub(super) fn copy_elements(
    out: &mut Output,
    place: &Token,
    [target, source, sized]: [&str; 3],
    rank: usize,
    is_python: bool,
) {
    let depth = out.depth;
    let mut indices = vec![];
    for dimension in 0..rank {
        let index = out.fresh("z");
        let of = match (rank, dimension) {
            (1, _) => "length",
            (_, 0) => "rows",
            _ => "columns",
        };
        let range = match is_python {
            true => format!("0 to {of}({sized}) - 1"),
            false => format!("1 to {of}({sized})"),
        };
        out.line(words(place, &format!("for {index} ← {range} do"), &[]));
        out.depth += 1;
        indices.push(index);
    }
    let indices = indices.join(",");
    out.line(words(place, &format!("{target}[{indices}] ← {source}[{indices}]"), &[]));
    out.depth = depth;
}

/// A statement on parts, element by element.
struct Sliced {
    /// Each loop's variable, first and last value.
    loops: Vec<(Token, Vec<Token>, Vec<Token>)>,
    target: Vec<Token>,
    value: Vec<Token>,
    /// Elements that are read before the first is written.
    before: Vec<(Token, Vec<Token>)>,
    /// Whether an element may be written that another one is still made of.
    overlaps: bool,
}

/// The first and the last index of a vector.
type Bounds = (Vec<Token>, Vec<Token>);

/// An index, the first and the last, or the first, a step and how many.
#[derive(Clone)]
enum Index {
    One(Vec<Token>),
    Range(Vec<Token>, Vec<Token>),
    Stride(Vec<Token>, i64, Vec<Token>),
}

impl Index {
    /// From where to where a loop goes over it, if it is no single index.
    fn bounds(&self) -> Option<Bounds> {
        match self {
            Self::One(_) => None,
            Self::Range(from, to) => Some((from.clone(), to.clone())),
            Self::Stride(from, _, count) => {
                let glued = |text: &str| Token::glued(text, &from[0]);
                let last = [&[glued("(")], &count[..], &[glued(")"), glued("-"), glued("1")]];
                Some((vec![glued("0")], last.concat()))
            }
        }
    }
}

struct Access {
    end: usize,
    array: Token,
    indices: Vec<Index>,
}

/// Functions of one element at a time.
pub(super) const ELEMENTWISE: [&str; 30] = [
    "abs", "sqrt", "exp", "log", "sin", "cos", "tan", "floor", "ceil", "mod", "rem", "round",
    "fix", "sign", "maximum", "minimum", "where", "power", "square", "hypot", "atan2", "double",
    "dble", "merge", "fabs", "log2", "nint", "ceiling", "real", "clip",
];

/// The statement element by element, if it is one on parts that can be told so.
fn sliced(
    target: &[Token],
    value: &[Token],
    style: Style,
    mut fresh: impl FnMut(&str) -> String,
) -> Option<Sliced> {
    let of_target = access(target, 0, style).filter(|it| it.end == target.len())?;
    let ranges: Vec<Bounds> = of_target.indices.iter().filter_map(Index::bounds).collect();
    if ranges.is_empty() || value.iter().any(|it| it.is_any(&["'", "@"])) {
        return None;
    }
    let like = &of_target.array;
    let loops: Vec<(Token, Vec<Token>, Vec<Token>)> =
        ranges.into_iter().map(|(from, to)| (Token::made(fresh("z"), like), from, to)).collect();
    let (mut out, mut before, mut overlaps, mut at) = (vec![], vec![], false, 0);
    let mut open: Vec<bool> = vec![];
    let mut has_slice_before = false;
    while at < value.len() {
        let token = &value[at];
        if style.multiplies && token.is_any(&["*", "/", "\\"]) && has_slice_before {
            let behind = access(value, at + 1, style);
            let is_group = value.get(at + 1).is_some_and(|it| it.is("("));
            if is_group || behind.is_some_and(|it| it.is_part()) {
                return None;
            }
        }
        let Some(found) = access(value, at, style) else {
            let opens = token.is_any(&["(", "["]);
            if opens {
                let name = at.checked_sub(1).map(|it| &value[it]).filter(|it| it.is_name());
                let is_grouping = name.is_none_or(|it| {
                    it.is_any(&ELEMENTWISE) || it.is_any(&["np", "numpy", "math"])
                });
                open.push(is_grouping && token.is("("));
            } else if token.is_any(&[")", "]"]) {
                open.pop();
            }
            has_slice_before &= token.is_any(&["*", "/", "\\"]) || token.is(")");
            out.push(match token.text.as_str() {
                ".*" | "./" | ".^" | ".+" | ".-" => token.with(&token.text[1..]),
                _ => token.clone(),
            });
            at += 1;
            continue;
        };
        let is_own = found.array.is(&of_target.array.text);
        has_slice_before = found.is_part();
        if !found.is_part() {
            if is_own {
                let name = Token { blank: token.blank.clone(), ..token.with(fresh("before")) };
                before.push((name.clone(), value[at..found.end].to_vec()));
                out.push(name);
            } else {
                out.extend_from_slice(&value[at..found.end]);
            }
            at = found.end;
            continue;
        }
        if !open.iter().all(|it| *it) {
            return None;
        }
        let (element, is_aligned) = found.element(&loops)?;
        overlaps |= is_own && !(is_aligned && found.is_like(&of_target));
        out.extend(element);
        at = found.end;
    }
    let (target, _) = of_target.element(&loops)?;
    Some(Sliced { loops, target, value: out, before, overlaps })
}

impl Access {
    fn is_part(&self) -> bool {
        self.indices.iter().any(|it| !matches!(it, Index::One(_)))
    }

    /// Whether ranges stand at the same places.
    fn is_like(&self, other: &Self) -> bool {
        let shape = |it: &Self| {
            let step = |it: &Index| match it {
                Index::One(_) => 0,
                Index::Range(..) => 1,
                Index::Stride(_, step, _) => *step,
            };
            it.indices.iter().map(step).collect::<Vec<_>>()
        };
        shape(self) == shape(other)
    }

    /// The element that the loops are at, and whether its ranges begin where those of the loops do.
    fn element(&self, loops: &[(Token, Vec<Token>, Vec<Token>)]) -> Option<(Vec<Token>, bool)> {
        let mut left = loops.iter();
        let mut is_aligned = true;
        let glued = |text: &str| Token::glued(text, &self.array);
        let mut out = vec![self.array.clone(), glued("[")];
        for (at, index) in self.indices.iter().enumerate() {
            if at > 0 {
                out.push(glued(","));
            }
            match index {
                Index::One(tokens) => out.extend_from_slice(tokens),
                Index::Range(from, _) => {
                    let (variable, first, _) = left.next()?;
                    out.push(Token::glued(variable.text.clone(), variable));
                    let text = |it: &[Token]| it.iter().map(|it| &*it.text).collect::<String>();
                    if text(from) != text(first) {
                        is_aligned = false;
                        out.extend([glued("-"), glued("(")]);
                        out.extend_from_slice(first);
                        out.extend([glued(")"), glued("+"), glued("(")]);
                        out.extend_from_slice(from);
                        out.push(glued(")"));
                    }
                }
                Index::Stride(from, step, _) => {
                    let (variable, first, _) = left.next()?;
                    is_aligned = false;
                    out.push(glued("("));
                    out.extend_from_slice(from);
                    out.extend([glued(")"), glued(if *step < 0 { "-" } else { "+" })]);
                    if step.abs() != 1 {
                        out.extend([glued(&step.abs().to_string()), glued("*")]);
                    }
                    out.extend([glued("("), Token::glued(variable.text.clone(), variable)]);
                    if !matches!(&first[..], [zero] if zero.is("0")) {
                        out.extend([glued("-"), glued("(")]);
                        out.extend_from_slice(first);
                        out.push(glued(")"));
                    }
                    out.push(glued(")"));
                }
            }
        }
        out.push(glued("]"));
        left.next().is_none().then_some((out, is_aligned))
    }
}

/// `a(i, 1:n)` at a place, with whatever indices.
fn access(tokens: &[Token], at: usize, style: Style) -> Option<Access> {
    let [array, open, ..] = tokens.get(at..)? else { return None };
    let is_bracket = open.is("[") || open.is("(") && !style.is_python;
    if !array.is_name() || !is_bracket || array.is_any(&ELEMENTWISE) || array.is("size") {
        return None;
    }
    let close = closing(tokens, at + 1)?;
    let parts = split(&tokens[at + 2..close], &[","]);
    let rank = parts.len();
    let index = |(dimension, part): (usize, &&[Token])| {
        let size = size(array, dimension, rank, style);
        index(part, &size, style)
    };
    let indices: Option<Vec<Index>> = parts.iter().enumerate().map(index).collect();
    let mut end = close + 1;
    let mut indices = indices?;
    // `a[i][1:n]`
    if style.is_python && tokens.get(end).is_some_and(|it| it.is("[")) {
        let close = closing(tokens, end)?;
        let size = size(array, 1, 2, style);
        indices.push(self::index(&tokens[end + 1..close], &size, style)?);
        end = close + 1;
    }
    Some(Access { end, array: array.clone(), indices })
}

fn index(part: &[Token], size: &[Token], style: Style) -> Option<Index> {
    let like = part.first()?;
    let ends = split(part, &[":"]);
    let counted = |of: &[Token]| counted(of, like, size, style);
    match &ends[..] {
        [_] if style.is_python => Some(Index::One(part.to_vec())),
        [one] => Some(Index::One(with_length(one, size))),
        [from, to] => {
            let first = if style.is_python { "0" } else { "1" };
            let from = if from.is_empty() { vec![like.with(first)] } else { counted(from) };
            let to = if to.is_empty() { size.to_vec() } else { counted(to) };
            let one = [Token::glued("-", like), Token::glued("1", like)];
            let last = if style.is_python { [&to[..], &one].concat() } else { to };
            Some(Index::Range(from, last))
        }
        [from, second, third] => strided([from, second, third], like, size, style),
        _ => None,
    }
}

/// An index that may count from the end.
fn counted(of: &[Token], like: &Token, size: &[Token], style: Style) -> Vec<Token> {
    match of {
        [minus, number] if minus.is("-") && number.is_number() && style.is_python => {
            [size, &[Token::glued("-", like), Token::glued(&*number.text, like)]].concat()
        }
        all => with_length(all, size),
    }
}

/// An index with a length in place of MATLAB's `end`.
fn with_length(index: &[Token], size: &[Token]) -> Vec<Token> {
    let put = |it: &Token| if it.is("end") { size.to_vec() } else { vec![it.clone()] };
    index.iter().flat_map(put).collect()
}

/// An index of MATLAB with the array's length in place of `end`.
pub(super) fn without_end(
    index: &[Token],
    array: &Token,
    dimension: usize,
    rank: usize,
) -> Vec<Token> {
    let style = Style { is_python: false, multiplies: true, flattens: false, steps_last: false };
    with_length(index, &size(array, dimension, rank, style))
}

/// How many elements an array has along a dimension, in its language.
fn size(array: &Token, dimension: usize, rank: usize, style: Style) -> Vec<Token> {
    let glued = |text: &str| Token::glued(text, array);
    let name = glued(&array.text);
    let at = if style.is_python { dimension } else { dimension + 1 }.to_string();
    match (style.is_python, rank) {
        (true, 1) => vec![glued("len"), glued("("), name, glued(")")],
        (true, _) => {
            vec![name, glued("."), glued("shape"), glued("["), glued(&at), glued("]")]
        }
        (false, 1) => vec![glued("length"), glued("("), name, glued(")")],
        (false, _) => {
            vec![glued("size"), glued("("), name, glued(","), glued(&at), glued(")")]
        }
    }
}
