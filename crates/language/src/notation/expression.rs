//! Expressions as papers print them: indices, products without a sign, powers, signs of mathematics.

mod product;
mod sum;

use std::collections::{HashMap, HashSet};

pub(super) use self::product::opening;
use self::product::{follows_factor, times, times_power};
pub(super) use self::sum::{integer, plus};

use super::names::subscript;
use super::script::{lowered, power};
use super::token::{SUBSCRIPTS, SUPERSCRIPTS, Token, bracketed, closing, split};

/// What declarations say, as far as the notation depends on it.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    pub(super) arrays: HashMap<String, Array>,
    pub(super) functions: HashSet<String>,
    /// Every word of the listing.
    pub(super) words: HashSet<String>,
    /// Those that brackets follow in statements.
    pub(super) bracketed: HashSet<String>,
}

/// A declared array.
#[derive(Debug, Default)]
pub(super) struct Array {
    /// How many indices each dimension has, as the plain form says it.
    pub(super) extents: Vec<Vec<Token>>,
}

/// Signs that have one meaning, and how it is written.
const SIGNS: [(&str, &str); 29] = [
    ("**", "^"),
    ("⊕", "xor"),
    ("⊻", "xor"),
    ("&&", "and"),
    ("||", "or"),
    ("!", "not"),
    ("div", "/"),
    ("modulo", "mod"),
    ("÷", "/"),
    ("∕", "/"),
    ("≪", "<<"),
    ("≫", ">>"),
    ("⩽", "≤"),
    ("≦", "≤"),
    ("⩾", "≥"),
    ("≧", "≥"),
    ("–", "-"),
    ("⋅", "×"),
    ("∗", "×"),
    ("•", "×"),
    ("≔", "←"),
    ("=<", "≤"),
    ("⇔", "↔"),
    (":=:", "↔"),
    ("⇄", "↔"),
    ("⟷", "↔"),
    ("~=", "≠"),
    ("=/=", "≠"),
    ("/=", "≠"),
];

/// Words that are written in capitals, too.
const WORDS: [&str; 8] = ["and", "or", "not", "mod", "div", "xor", "true", "false"];

impl Declarations {
    /// Expressions among `tokens`, as the plain form has them.
    pub(super) fn rewrite(&self, tokens: &[Token]) -> Vec<Token> {
        let mut plain: Vec<Token> = vec![];
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let next = tokens.get(at + 1);
            if let Some(array) = self.arrays.get(&token.text)
                && let Some((access, end)) = self.access(token, array, &tokens[at..])
            {
                times_power(&mut plain, token);
                times(&mut plain, token);
                plain.extend(access);
                at += end;
                continue;
            }
            let is_power = at > 0 && tokens[at - 1].is("^") && token.is("{");
            if is_power && let Some(close) = closing(tokens, at) {
                plain.extend(bracketed(self.rewrite(&tokens[at + 1..close])));
                at = close + 1;
                continue;
            }
            if let Some(of) = self.length_of(&tokens[at..]) {
                plain.extend(of);
                at += 4;
                continue;
            }
            if let Some(name) = token.text.strip_suffix('_')
                && self.arrays.contains_key(name)
                && next.is_some_and(|it| it.is("{"))
                && let Some(close) = closing(tokens, at + 1)
            {
                // x_{i+1}
                let mut access = vec![token.with(name)];
                access.extend_from_slice(&tokens[at + 1..=close]);
                access[1].text = "[".to_owned();
                self.part_letters(name, &mut access);
                access.last_mut().into_iter().for_each(|it| it.text = "]".to_owned());
                times(&mut plain, token);
                plain.extend(self.rewrite(&access));
                at = close + 1;
                continue;
            }
            if let Some((name, indices)) = self.indexed(token) {
                let mut tokens = vec![name.clone()];
                for (nth, index) in indices.into_iter().enumerate() {
                    tokens.extend([Token::glued(if nth == 0 { "[" } else { "," }, token), index]);
                }
                tokens.push(Token::glued("]", token));
                times(&mut plain, token);
                plain.extend(self.rewrite(&tokens));
                at += 1;
                continue;
            }
            if let Some((least, end)) = self.of_set(token, &tokens[at..]) {
                plain.extend(least);
                at += end;
                continue;
            }
            self.signs(token, next, &mut plain);
            let is_group = next.is_some_and(|it| it.is("(")) && self.holds_value(&tokens[at + 1..]);
            if token.is_number()
                && next.is_some_and(|it| (it.blank.is_empty() || is_group) && self.is_factor(it))
            {
                let end = self.factor(&tokens[at + 1..]) + at + 1;
                let product = [token.clone(), Token::made("×", token)].into_iter();
                let factor = self.rewrite(&tokens[at + 1..end]);
                let product = product.chain(spaced(factor)).collect::<Vec<_>>();
                let divides = |it: &Token| it.is_any(&["/", "mod", "%", "^", "div", "÷"]);
                let is_divisor = plain.last().is_some_and(divides);
                plain.extend(if is_divisor { bracketed(product) } else { product });
                at = end;
                continue;
            }
            at += 1;
            // Without brackets, and without a base, it is that to base 2.
            if token.is_any(&["lg", "log"]) && next.is_some_and(|it| it.is_name() || it.is_number())
            {
                plain.push(token.with("log₂"));
                continue;
            }
            if token.text.starts_with(|it| SUPERSCRIPTS.contains(it)) {
                power(&mut plain, token);
            } else if token.text.starts_with(|it| SUBSCRIPTS.contains(it))
                && plain.last().is_some_and(Token::is_name)
            {
                // x₁ is another scalar than x.
                let name = plain.last().map_or(String::new(), |it| it.text.clone());
                let name = format!("{name}_{}", lowered(&token.text));
                if let Some(last) = plain.last_mut() {
                    last.text = name;
                    last.span = last.span.to(token.span);
                }
            } else {
                plain.push(sign(token));
            }
        }
        plain
    }

    /// A sign between factors: `(1 - ω) x_i`, `(k + 1) 2^d`, `k 2^d`.
    fn signs(&self, token: &Token, next: Option<&Token>, plain: &mut Vec<Token>) {
        let ends = |it: &Token| it.is_any(&[")", "]"]) || it.is_name() && it.text.len() == 1;
        let is_power =
            token.is_number() && !token.blank.is_empty() && next.is_some_and(|it| it.is("^"));
        if self.words.contains(&token.text) && follows_factor(token, plain)
            || is_power && plain.last().is_some_and(ends)
        {
            plain.push(Token::made("×", token));
        }
    }

    /// `length[A]`.
    fn length_of(&self, tokens: &[Token]) -> Option<Vec<Token>> {
        let [word, open, name, close, ..] = tokens else { return None };
        let [extent] = &self.arrays.get(&name.text)?.extents[..] else { return None };
        (word.is("length") && open.is("[") && close.is("]")).then(|| length(name, extent, word))
    }

    /// `min{x, y}`, and how many tokens it has.
    fn of_set(&self, token: &Token, tokens: &[Token]) -> Option<(Vec<Token>, usize)> {
        let open = tokens.get(1).filter(|it| it.is("{") && token.is_any(&["min", "max"]))?;
        let close = closing(tokens, 1)?;
        let mut plain = vec![token.with(token.text.to_lowercase()), open.with("(")];
        plain.extend(self.rewrite(&tokens[2..close]));
        plain.push(tokens[close].with(")"));
        Some((plain, close + 1))
    }

    /// Of `x_i`, the array x with the index i, and of `x_ij` that with two, where x is never printed as
    /// `x[i]`: else it is a scalar.
    fn indexed(&self, token: &Token) -> Option<(Token, Vec<Token>)> {
        let (name, index) = subscript(&token.text)?;
        let is_one = !index.is_empty() && !index.contains('_');
        let array = self.arrays.get(name).filter(|_| is_one)?;
        let is_known = |it: &str| it.parse::<u64>().is_ok() || self.words.contains(it);
        let other = self.arrays.contains_key(&token.text) || self.bracketed.contains(name);
        let letters = || index.chars().map(|it| it.to_string()).collect::<Vec<_>>();
        let parts = match array.extents.len() {
            0 => return None,
            1 if is_known(index) => vec![index.to_owned()],
            // Its letters are indices: of `c_ij`, i and j.
            rank if rank == index.chars().count() => letters(),
            _ => return None,
        };
        let glued = |it: &String| Token::glued(it.as_str(), token);
        (!other).then(|| (token.with(name), parts.iter().map(glued).collect()))
    }

    /// Of `x_{ij}`, i and j, where x has as many indices as there are letters.
    fn part_letters(&self, name: &str, access: &mut Vec<Token>) {
        let rank = self.arrays.get(name).map_or(1, |it| it.extents.len());
        let inside = &access[2..access.len() - 1];
        let text: String = inside.iter().map(|it| it.text.as_str()).collect();
        let is_word = inside.iter().all(|it| it.is_name() || it.is_number());
        let each: Vec<String> = match inside.len() == rank {
            true => inside.iter().map(|it| it.text.clone()).collect(),
            false => text.chars().map(String::from).collect(),
        };
        if rank < 2 || !is_word || each.len() != rank {
            return;
        }
        let like = inside[0].clone();
        let end = access.len() - 1;
        let letters = each.into_iter().enumerate().flat_map(|(nth, index)| {
            let comma = (nth > 0).then(|| Token::glued(",", &like));
            comma.into_iter().chain([Token::glued(index, &like)])
        });
        let letters: Vec<Token> = letters.collect();
        access.splice(2..end, letters);
    }

    /// Whether a bracket holds a value, and no words.
    fn holds_value(&self, tokens: &[Token]) -> bool {
        let Some(close) = closing(tokens, 0) else { return false };
        !tokens[1..close].windows(2).any(|it| it[0].is_name() && it[1].is_name())
            && tokens[1..close].iter().any(|it| it.is_any(&["+", "-", "−", "×", "*", "/"]))
    }

    /// Whether a number may stand directly before it, as its factor.
    fn is_factor(&self, token: &Token) -> bool {
        token.is_any(&["(", "⌊", "⌈"]) || (token.is_name() && self.words.contains(&token.text))
    }

    /// How many tokens the factor with which `tokens` begin has.
    fn factor(&self, tokens: &[Token]) -> usize {
        if tokens[0].is_any(&["⌊", "⌈"]) {
            return closing(tokens, 0).map_or(1, |close| close + 1);
        }
        let mut end = if tokens[0].is("(") { 0 } else { 1 };
        while tokens.get(end).is_some_and(|it| it.is_any(&["(", "["])) {
            match closing(tokens, end) {
                Some(close) => end = close + 1,
                None => break,
            }
        }
        let is_power = |it: &Token| {
            it.text.starts_with(|it| SUPERSCRIPTS.contains(it) || SUBSCRIPTS.contains(it))
        };
        end += usize::from(tokens.get(end).is_some_and(is_power));
        end.clamp(1, tokens.len())
    }

    /// An access to `array`, by whatever brackets, and how many tokens it had.
    fn access(&self, name: &Token, array: &Array, tokens: &[Token]) -> Option<(Vec<Token>, usize)> {
        let mut indices = vec![];
        let mut end = 1;
        match tokens.get(1)? {
            it if it.is_any(&["[", "("]) && !self.functions.contains(&name.text) => {
                while indices.len() < array.extents.len()
                    && tokens.get(end).is_some_and(|it| it.is("[") || (end == 1 && it.is("(")))
                {
                    let close = closing(tokens, end)?;
                    let parts = split(&tokens[end + 1..close], &[","]);
                    indices.extend(parts.into_iter().map(|it| self.rewrite(it)));
                    end = close + 1;
                }
            }
            it if it.text.starts_with(|it| SUBSCRIPTS.contains(it)) => {
                let text = lowered(&it.text);
                let parts = match (array.extents.len(), super::script::indices(&text)) {
                    (1, _) => vec![text],
                    (rank, parts) if rank == parts.len() => parts,
                    (rank, _) if rank == text.len() => text.chars().map(String::from).collect(),
                    _ => return None,
                };
                indices = parts.into_iter().map(|part| vec![Token::glued(part, it)]).collect();
                end = 2;
            }
            it if it.is(".") && tokens.get(2).is_some_and(|it| it.is_any(&["length", "size"])) => {
                let [extent] = &array.extents[..] else { return None };
                return Some((length(name, extent, name), 3));
            }
            _ => return None,
        }
        let mut access = vec![name.clone()];
        for (dimension, index) in indices.into_iter().enumerate() {
            let comma = if dimension == 0 { "[" } else { "," };
            access.push(Token::glued(comma, &tokens[1]));
            let mut index = index.into_iter();
            access.extend(index.next().map(|it| Token {
                blank: if dimension == 0 { it.blank } else { " ".to_owned() },
                ..it
            }));
            access.extend(index);
        }
        access.push(Token::glued("]", &tokens[end - 1]));
        Some((access, end))
    }
}

/// How many elements an array has: what its declaration says, or its length by its name.
fn length(array: &Token, extent: &[Token], place: &Token) -> Vec<Token> {
    if !extent.is_empty() {
        return bracketed(at_place(extent, place));
    }
    let glued = |text: &str| Token::glued(text, array);
    vec![place.with("length"), glued("("), glued(&array.text), glued(")")]
}

/// A sign or word in its plain spelling.
fn sign(token: &Token) -> Token {
    let plain = SIGNS.iter().find(|(sign, _)| token.is_word(sign)).map(|(_, plain)| *plain);
    if let Some(plain) = plain {
        return token.with(plain);
    }
    let shouted = WORDS.iter().find(|it| token.is_word(it));
    shouted.map_or_else(|| token.clone(), |word| token.with(*word))
}

fn spaced(mut tokens: Vec<Token>) -> Vec<Token> {
    if let Some(first) = tokens.first_mut() {
        first.blank = " ".to_owned();
    }
    tokens
}

/// Copies of `tokens` that point to another place.
pub(super) fn at_place(tokens: &[Token], place: &Token) -> Vec<Token> {
    let copy = |it: &Token| Token { span: place.span, column: place.column, ..it.clone() };
    tokens.iter().map(copy).collect()
}
