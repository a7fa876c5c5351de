//! What loops of Python go through: arrays, parts of them, and several at once.

use super::{Reader, Result};
use crate::notation::output::words;
use crate::notation::token::{Token, closing, position, split};

/// How often a loop goes around, and what its names get.
struct Items {
    count: Vec<Token>,
    gets: Vec<(Token, Vec<Token>)>,
}

/// Of `zip(…)`, the word and what stands in its brackets.
fn call(tokens: &[Token]) -> Option<(&Token, &[Token])> {
    match tokens {
        [word, open, inside @ .., _]
            if word.is_name()
                && open.is("(")
                && closing(tokens, 1) == Some(tokens.len() - 1)
                && !inside.is_empty() =>
        {
            Some((word, inside))
        }
        _ => None,
    }
}

fn grouped(tokens: &[Token]) -> Vec<Token> {
    match tokens {
        [_] | [] => tokens.to_vec(),
        all => [&[all[0].with("(")], all, &[all[0].with(")")]].concat(),
    }
}

fn sum(left: &[Token], sign: &str, right: &[Token]) -> Vec<Token> {
    match left {
        [zero] if zero.is("0") && sign == "+" => right.to_vec(),
        _ => [grouped(left), vec![left[0].with(sign)], grouped(right)].concat(),
    }
}

/// `(x, y)` without its brackets.
fn names(tokens: &[Token]) -> &[Token] {
    match tokens {
        [open, inside @ .., close] if open.is("(") && close.is(")") => inside,
        all => all,
    }
}

impl Reader {
    /// A loop over elements by their places; false if it is none.
    pub(super) fn elements(
        &mut self,
        word: &Token,
        targets: &[Token],
        of: &[Token],
    ) -> Result<bool> {
        let index = word.with(self.out.fresh("e"));
        let Some(items) = self.items(targets, of, std::slice::from_ref(&index)) else {
            return Ok(false);
        };
        self.range(word, &index, &items.count, false, false)?;
        self.out.depth += 1;
        for (name, element) in &items.gets {
            if self.is_row(name) {
                self.rename_row(name, element);
            } else {
                self.assign(std::slice::from_ref(name), &word.with("="), element)?;
            }
        }
        self.out.depth -= 1;
        Ok(true)
    }

    fn items(&mut self, targets: &[Token], of: &[Token], index: &[Token]) -> Option<Items> {
        let targets = names(targets);
        let like = of.first()?;
        let made = |text: &str| like.with(text);
        if let Some((word, inside)) = call(of) {
            let parts = split(inside, &[","]);
            let each = split(targets, &[","]);
            return match (word.text.as_str(), &parts[..]) {
                ("reversed", [one]) => {
                    let count = self.items(targets, one, index)?.count;
                    let back = sum(&sum(&count, "-", &[made("1")]), "-", index);
                    self.items(targets, one, &back)
                }
                ("enumerate", [one, rest @ ..]) if each.len() > 1 => {
                    let start = match rest {
                        [] => vec![made("0")],
                        [[name, sign, from @ ..]] if name.is("start") && sign.is("=") => {
                            from.to_vec()
                        }
                        [from] => from.to_vec(),
                        _ => return None,
                    };
                    let [number] = each[0] else { return None };
                    let mut items = self.items(&targets[2..], one, index)?;
                    items.gets.insert(0, (number.clone(), sum(&start, "+", index)));
                    Some(items)
                }
                ("zip", all) if all.len() == each.len() => {
                    let (mut counts, mut gets) = (vec![], vec![]);
                    for (target, one) in each.iter().zip(all) {
                        let items = self.items(target, one, index)?;
                        counts.push(items.count);
                        gets.extend(items.gets);
                    }
                    let one = counts.len() == 1;
                    let all = counts.join(&made(","));
                    let least = [vec![made("min"), made("(")], all.clone(), vec![made(")")]];
                    Some(Items { count: if one { all } else { least.concat() }, gets })
                }
                ("range", [to]) => {
                    let [name] = targets else { return None };
                    Some(Items { count: to.to_vec(), gets: vec![(name.clone(), index.to_vec())] })
                }
                ("range", [from, to]) => {
                    let [name] = targets else { return None };
                    let gets = vec![(name.clone(), sum(from, "+", index))];
                    Some(Items { count: sum(to, "-", from), gets })
                }
                _ => None,
            };
        }
        let [name] = targets else { return None };
        let length = |of: &Token| vec![made("len"), made("("), of.clone(), made(")")];
        let (count, element) = match of {
            [array] if array.is_name() => {
                self.arrays.insert(array.text.clone());
                (length(array), [&[array.clone(), made("[")], index, &[made("]")]].concat())
            }
            [array, open, inside @ .., _]
                if open.is("[") && closing(of, 1) == Some(of.len() - 1) =>
            {
                self.arrays.insert(array.text.clone());
                match &split(inside, &[":"])[..] {
                    [from, to] => {
                        let end = |it: &[Token], other: Vec<Token>| match it {
                            [] => other,
                            [minus, ..] if minus.is("-") => [length(array), it.to_vec()].concat(),
                            all => all.to_vec(),
                        };
                        let (from, to) = (end(from, vec![made("0")]), end(to, length(array)));
                        let place = sum(&from, "+", index);
                        let whole = matches!(&from[..], [zero] if zero.is("0"));
                        let count = if whole { to } else { sum(&to, "-", &from) };
                        (count, [&[array.clone(), made("[")], &place[..], &[made("]")]].concat())
                    }
                    [_] if position(inside, &[","]).is_none() => {
                        let count = [".", "shape", "[", "1", "]"].map(made);
                        let place = [&[made("[")], index, &[made("]")]].concat();
                        ([std::slice::from_ref(array), &count[..]].concat(), [of, &place].concat())
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(Items { count, gets: vec![(name.clone(), element)] })
    }

    /// The lines of the block below.
    fn below(&self) -> std::ops::Range<usize> {
        let head = self.lines[self.at - 1].column();
        let end = self.lines[self.at..].iter().position(|it| it.column() <= head);
        self.at..end.map_or(self.lines.len(), |it| self.at + it)
    }

    /// Whether an element is itself gone through, or has elements.
    pub(super) fn is_row(&self, name: &Token) -> bool {
        let uses = |it: &[Token]| {
            it[1].is(&name.text)
                && (it[0].is("in") || it[0].is("(") || it[2].is("["))
                && (it[2].is("[") && it[2].blank.is_empty() || it[0].is("in") || it[2].is(")"))
        };
        self.lines[self.below()].iter().any(|line| {
            let tokens = [&line.tokens[..], &[name.with("")]].concat();
            tokens.windows(3).any(|it| uses(it) && (it[2].is("[") || it[0].is("in")))
                || tokens.windows(4).any(|it| {
                    let folds = it[0].is_any(&["len", "sum", "max", "min"]);
                    folds && it[1].is("(") && it[2].is(&name.text) && it[3].is(")")
                })
        })
    }

    /// A row of a matrix by its own name is that of the matrix.
    fn rename_row(&mut self, name: &Token, row: &[Token]) {
        let below = self.below();
        for line in &mut self.lines[below] {
            let tokens = std::mem::take(&mut line.tokens);
            let put = |(at, it): (usize, &Token)| match it.is(&name.text) {
                true => {
                    let folds = at > 1 && tokens[at - 2].is_any(&["sum", "max", "min"]);
                    let whole = ["[", ":", "]"].map(|sign| Token::glued(sign, it));
                    [row, if folds { &whole[..] } else { &[] }].concat()
                }
                false => vec![it.clone()],
            };
            line.tokens = tokens.iter().enumerate().flat_map(put).collect();
        }
    }

    /// `divmod(a, b)` and `a.shape` as the values that they are.
    pub(super) fn values_of_tuple(&self, targets: usize, value: &[Token]) -> Option<Vec<Token>> {
        let like = value.first()?;
        let made = |text: &str| like.with(text);
        if let Some((word, inside)) = call(value)
            && word.is("divmod")
            && let [left, right] = split(inside, &[","])[..]
            && !self.known.defined.contains("divmod")
        {
            let (quotient, remainder) = (sum(left, "//", right), sum(left, "%", right));
            return Some([quotient, vec![made(",")], remainder].concat());
        }
        match value {
            [array, dot, shape] if dot.is(".") && shape.is("shape") => {
                let of = |at: usize| {
                    let behind = ["[", &at.to_string(), "]"].map(made);
                    [&[array.clone(), dot.clone(), shape.clone()], &behind[..]].concat()
                };
                let all: Vec<Vec<Token>> = (0..targets).map(of).collect();
                Some(all.join(&made(",")))
            }
            _ => None,
        }
    }

    /// `x in (2, 3)` and `x not in (2, 3)`: one of these, or none.
    pub(super) fn members(&self, tokens: &[Token]) -> Vec<Token> {
        let mut tokens = tokens.to_vec();
        let opens = |it: Option<&Token>| it.is_some_and(|it| it.is_any(&["(", "[", "{"]));
        while let Some(at) =
            (1..tokens.len()).find(|&at| tokens[at].is("in") && opens(tokens.get(at + 1)))
        {
            let Some(close) = closing(&tokens, at + 1) else { break };
            let is_negated = tokens[at - 1].is("not");
            let end = at - usize::from(is_negated);
            let signs = ["and", "or", "not", "(", "if", "while", "="];
            let stops = |it: &usize| {
                tokens[*it].is_any(&signs) && closing(&tokens, *it).is_none_or(|it| it > end)
            };
            let start = (0..end).rev().find(stops).map_or(0, |it| it + 1);
            let made = |text: &str| tokens[at].with(text);
            let (sign, word) = if is_negated { ("!=", "and") } else { ("==", "or") };
            let one = |it: &[Token]| [&tokens[start..end], &[made(sign)], it].concat();
            let all = split(&tokens[at + 2..close], &[","]).into_iter().filter(|it| !it.is_empty());
            let all: Vec<Vec<Token>> = all.map(one).collect();
            if all.is_empty() || start == end {
                break;
            }
            let joined = [vec![made("(")], all.join(&made(word)), vec![made(")")]].concat();
            tokens.splice(start..=close, joined);
        }
        tokens
    }

    /// `a.index(x)`: the first place of a value, which is looked for above the statement.
    pub(super) fn places(&mut self, value: &[Token]) -> Result<Vec<Token>> {
        let mut value = value.to_vec();
        while let Some(at) = (0..value.len().saturating_sub(3)).rev().find(|&at| {
            let it = &value[at..at + 4];
            let asks = it[2].is_any(&["index", "count"]);
            it[0].is_name() && it[1].is(".") && asks && it[3].is("(")
        }) {
            let Some(close) = closing(&value, at + 3) else { break };
            let array = value[at].clone();
            self.arrays.insert(array.text.clone());
            let sought = self.value(&value[at + 4..close], &array)?;
            let counts = value[at + 2].is("count");
            let place = array.with(self.out.fresh(if counts { "count" } else { "place" }));
            let name = Token::variable(&array).text;
            self.out.line(words(&array, &format!("{} ← 0", place.text), &[]));
            if counts {
                let index = self.out.fresh("e");
                let depth = self.out.depth;
                let head = format!("for {index} ← 0 to length({name}) - 1 do");
                self.out.line(words(&array, &head, &[]));
                self.out.depth += 1;
                self.out.line(words(
                    &array,
                    &format!("if {name}[{index}] = ({{}}) then"),
                    &[&sought],
                ));
                self.out.depth += 1;
                self.out.line(words(&array, &format!("{0} ← {0} + 1", place.text), &[]));
                self.out.depth = depth;
                value.splice(at..=close, [place]);
                continue;
            }
            let head = format!("while {name}[{}] ≠ ({{}}) do", place.text);
            self.out.line(words(&array, &head, &[&sought]));
            self.out.depth += 1;
            self.out.line(words(&array, &format!("{0} ← {0} + 1", place.text), &[]));
            self.out.depth -= 1;
            value.splice(at..=close, [place]);
        }
        Ok(value)
    }
}
