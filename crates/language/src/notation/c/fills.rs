//! Functions of libraries that fill, copy or turn arrays, as the loops that they are.

use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::notation::token::{Token, closing, position, split};
use crate::syntax::Type;

/// Part of an array: from, and up to but without.
pub(super) struct Part {
    pub(super) array: Vec<Token>,
    pub(super) from: Vec<Token>,
    pub(super) to: Vec<Token>,
}

/// Words apart, with `{0}` for the first of the parts.
pub(super) fn made(like: &Token, text: &str, parts: &[&[Token]]) -> Vec<Token> {
    let of = |word: &str| {
        let nth = word.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
        match nth.and_then(|it| it.parse::<usize>().ok()) {
            Some(nth) => parts[nth].to_vec(),
            None => vec![like.with(word)],
        }
    };
    text.split(' ').flat_map(of).collect()
}

/// `a + k`, `a.begin() + k`, `&a[k]`, `a`: the array, and the place; none where it is the end of the array.
fn place(tokens: &[Token]) -> Option<(Vec<Token>, Option<Vec<Token>>)> {
    let like = tokens.first()?;
    let (tokens, behind) = match position(tokens, &["+"]) {
        Some(at) => (&tokens[..at], tokens[at + 1..].to_vec()),
        None => (tokens, vec![like.with("0")]),
    };
    match tokens {
        [array @ .., dot, end, open, close] if dot.is(".") && open.is("(") && close.is(")") => {
            match end.text.as_str() {
                "begin" | "cbegin" => Some((array.to_vec(), Some(behind))),
                "end" | "cend" => Some((array.to_vec(), None)),
                _ => None,
            }
        }
        [end, open, array, close] if open.is("(") && close.is(")") => match end.text.as_str() {
            "begin" => Some((vec![array.clone()], Some(behind))),
            "end" => Some((vec![array.clone()], None)),
            _ => None,
        },
        [address, array, open, inside @ .., _] if address.is("&") && open.is("[") => {
            Some((vec![array.clone()], Some(inside.to_vec())))
        }
        [array, ..] if array.is_name() => Some((tokens.to_vec(), Some(behind))),
        _ => None,
    }
}

pub(super) fn part(first: &[Token], last: &[Token]) -> Option<Part> {
    let (array, from) = place(first)?;
    let (same, to) = place(last)?;
    let text = |it: &[Token]| it.iter().map(|it| it.text.clone()).collect::<String>();
    let length = || made(&array[0], "{0} . length", &[&array]);
    let to = to.unwrap_or_else(length);
    (text(&array) == text(&same)).then_some(Part { array, from: from?, to })
}

impl Reader {
    /// Puts the loop in place of the call that stands here, if one does.
    pub(super) fn filled(&mut self) -> Result<bool> {
        let rest = &self.tokens[self.at..];
        let length = match rest {
            [of, dot, name, open, ..]
                if dot.is(".") && open.is("(") && of.is_any(&["Arrays", "System", "Array"]) =>
            {
                name.is_any(&["fill", "arraycopy", "Copy", "sort"]).then_some(3)
            }
            [name, open, ..] if open.is("(") && !self.functions.contains(&name.text) => Some(1),
            _ => None,
        };
        let Some(length) = length else { return Ok(false) };
        let name = rest[length - 1].clone();
        let Some(close) = closing(rest, length) else { return Ok(false) };
        if !rest.get(close + 1).is_some_and(|it| it.is(";")) {
            return Ok(false);
        }
        let inside = rest[length + 1..close].to_vec();
        let parts: Vec<&[Token]> = split(&inside, &[","]);
        let Some(loops) = self.loop_of(&name, &parts)? else { return Ok(false) };
        self.replace(self.at, self.at + close + 2, loops);
        Ok(true)
    }

    fn loop_of(&mut self, name: &Token, parts: &[&[Token]]) -> Result<Option<Vec<Token>>> {
        let zero = [name.with("0")];
        let z = [name.with(self.out.fresh("z"))];
        let looped = |part: &Part, body: Vec<Token>| {
            let head = "for ( auto {0} = {1} ; {0} < {2} ; {0} ++ )";
            let head = made(name, head, &[&z, &part.from, &part.to]);
            [head, body].concat()
        };
        let give = |part: &Part, value: &[Token]| {
            looped(part, made(name, "{0} [ {1} ] = {2} ;", &[&part.array, &z, value]))
        };
        let of = |first: &[Token], last: &[Token]| part(first, last);
        Ok(match (name.text.as_str(), parts) {
            ("memset", [array, value, bytes]) => Some(self.set(name, array, value, bytes)?),
            ("memcpy" | "memmove", [to, from, bytes]) => {
                let (Some((array, at)), Some((source, start))) = (place(to), place(from)) else {
                    return Ok(None);
                };
                let count = self.count(&array, bytes);
                Some(self.copy(name, [&source, &array], [start, at], count)?)
            }
            ("arraycopy", [source, start, array, at, count]) => {
                let places = [Some(start.to_vec()), Some(at.to_vec())];
                Some(self.copy(name, [source, array], places, count.to_vec())?)
            }
            ("copy", [first, last, to]) => match (of(first, last), place(to)) {
                (Some(it), Some((array, at))) => {
                    let count = made(name, "( {0} ) - ( {1} )", &[&it.to, &it.from]);
                    Some(self.copy(name, [&it.array, &array], [Some(it.from), at], count)?)
                }
                _ => None,
            },
            ("fill", [array, value]) => {
                let to = made(name, "{0} . length", &[array]);
                Some(give(&Part { array: array.to_vec(), from: zero.to_vec(), to }, value))
            }
            ("fill", [array, from, to, value]) => {
                let part = Part { array: array.to_vec(), from: from.to_vec(), to: to.to_vec() };
                Some(give(&part, value))
            }
            ("fill", [first, last, value]) => of(first, last).map(|it| give(&it, value)),
            ("fill_n", [first, count, value]) => place(first).and_then(|(array, at)| {
                let to = made(name, "( {0} ) + ( {1} )", &[at.as_deref()?, count]);
                Some(give(&Part { array, from: at?, to }, value))
            }),
            ("iota", [first, last, value]) => of(first, last).map(|it| {
                let value = made(name, "( {0} ) + {1} - ( {2} )", &[value, &z, &it.from]);
                give(&it, &value)
            }),
            ("reverse", [first, last]) => of(first, last).map(|it| {
                let other = made(name, "( {0} ) + ( {1} ) - 1 - {2}", &[&it.from, &it.to, &z]);
                let text = "swap ( {0} [ {1} ] , {0} [ {2} ] ) ;";
                let body = made(name, text, &[&it.array, &z, &other]);
                let to = made(name, "( ( {0} ) + ( {1} ) ) / 2", &[&it.from, &it.to]);
                looped(&Part { to, ..it }, body)
            }),
            ("sort" | "stable_sort" | "qsort", _) => {
                return Err(Diagnostic::new(
                    name.span,
                    "a library sorts here, and its accesses are not known",
                )
                .help("paste an algorithm that sorts, or give the input in order"));
            }
            _ => None,
        })
    }

    /// Every element of an array, whose bytes are set.
    fn set(
        &mut self,
        name: &Token,
        array: &[Token],
        value: &[Token],
        bytes: &[Token],
    ) -> Result<Vec<Token>> {
        let element = self.types.get(&array[0].text).copied();
        let is_byte = element.is_some_and(|it| it.is_integer() && it.bits() == 8);
        let is_zero = matches!(value, [one] if one.is_any(&["0", "false"]));
        let is_minus_one = matches!(value, [minus, one] if minus.is("-") && one.is("1"))
            && element.is_some_and(|it| it.is_integer() && it.is_signed());
        if !is_byte && !is_zero && !is_minus_one {
            return Err(Diagnostic::new(name.span, "`memset` sets bytes, not elements")
                .help("write the loop that gives each element its value"));
        }
        let value = match element {
            Some(Type::Bool) => vec![name.with("false")],
            _ => value.to_vec(),
        };
        let rank = self.out.hints.array(&Token::variable(&array[0])).extents.len();
        if rank == 2 && array.len() == 1 {
            let [y, x] = [(); 2].map(|()| [name.with(self.out.fresh("z"))]);
            let text = "for ( auto {0} = 0 ; {0} < {2} . rows ; {0} ++ ) for ( auto {1} = 0 ; {1} < {2} . columns ; {1} ++ ) {2} [ {0} ] [ {1} ] = {3} ;";
            return Ok(made(name, text, &[&y, &x, array, &value]));
        }
        let count = self.count(array, bytes);
        let z = [name.with(self.out.fresh("z"))];
        let text = "for ( auto {0} = 0 ; {0} < {1} ; {0} ++ ) {2} [ {0} ] = {3} ;";
        Ok(made(name, text, &[&z, &count, array, &value]))
    }

    /// How many elements so many bytes are.
    fn count(&self, array: &[Token], bytes: &[Token]) -> Vec<Token> {
        let like = &bytes[0];
        let is_size = |it: &[Token]| it.first().is_some_and(|it| it.is("sizeof"));
        let is_whole =
            |it: &[Token]| it.len() > 1 && it[1..].iter().any(|it| it.is(&array[0].text));
        let parts = split(bytes, &["*"]);
        let is_all = |it: &[Token]| is_whole(it) && !it.iter().any(|it| it.is("["));
        if parts.len() == 1 && is_all(bytes) {
            return made(like, "{0} . length", &[array]);
        }
        let kept: Vec<&[Token]> = parts.into_iter().filter(|it| !is_size(it)).collect();
        match &kept[..] {
            [] => vec![like.with("1")],
            all => all.join(&like.with("*")),
        }
    }

    /// Elements of one array as those of another.
    fn copy(
        &mut self,
        name: &Token,
        [source, array]: [&[Token]; 2],
        [start, at]: [Option<Vec<Token>>; 2],
        count: Vec<Token>,
    ) -> Result<Vec<Token>> {
        if source[0].text == array[0].text {
            return Err(Diagnostic::new(name.span, "a copy within one array, whose order is open")
                .help("write its loop, upwards or downwards"));
        }
        let z = [name.with(self.out.fresh("z"))];
        let zero = || vec![name.with("0")];
        let (start, at) = (start.unwrap_or_else(zero), at.unwrap_or_else(zero));
        let index = |it: &[Token]| match it {
            [one] if one.is("0") => z.to_vec(),
            all => made(name, "( {0} ) + {1}", &[all, &z]),
        };
        let text = "for ( auto {0} = 0 ; {0} < {1} ; {0} ++ ) {2} [ {3} ] = {4} [ {5} ] ;";
        Ok(made(name, text, &[&z, &count, array, &index(&at), source, &index(&start)]))
    }
}
