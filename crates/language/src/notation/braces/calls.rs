//! Functions of whole arrays, as C++'s library has them; slices of Go that grow.

use super::{Translator, closing, position};
use crate::notation::token::Token;

/// What a call folds, by the words of the languages.
fn fold(word: &str) -> Option<&'static str> {
    Some(match word {
        "sum" => "accumulate",
        "max" | "maxOrNull" => "max_element",
        "min" | "minOrNull" => "min_element",
        _ => return None,
    })
}

impl Translator {
    /// `a.iter().sum()`, `a.sum()`, `Math.max(...a)`, `a.reduce((s, x) => s + x, 0)`.
    pub(super) fn folds(&mut self) {
        let mut at = 0;
        while at < self.tokens.len() {
            if let Some((array, word, length)) = folded(&self.tokens[at..]) {
                let made = |text: &str| array.with(text);
                let is_sum = word == "accumulate";
                let mut out: Vec<Token> = if is_sum { vec![] } else { vec![made("*")] };
                out.extend([made(word), made("("), array.clone()]);
                out.extend([".", "begin", "(", ")", ","].map(made));
                out.push(array.clone());
                out.extend([".", "end", "(", ")"].map(made));
                if is_sum {
                    // Of what type the elements are is theirs to say.
                    out.extend([",", "0"].map(made));
                }
                out.push(made(")"));
                let count = out.len();
                self.tokens.splice(at..at + length, out);
                at += count;
            } else {
                at += 1;
            }
        }
    }

    /// `x = append(x, e)`, `x = x[:len(x)-1]`, `x = x[1:]`: methods of a list.
    pub(super) fn grown(&mut self, all: &[Token]) -> bool {
        let [name, sign, value @ ..] = all else { return false };
        let like = |text: &str| name.with(text);
        if !sign.is("=") || !name.is_name() {
            return false;
        }
        let is_own = |it: &Token| it.is(&name.text);
        let method = match value {
            [append, open, own, comma, element @ .., _]
                if append.is("append")
                    && open.is("(")
                    && is_own(own)
                    && comma.is(",")
                    && position(element, &[",", "..."]).is_none() =>
            {
                [&["push", "("].map(like)[..], element, &[like(")")]].concat()
            }
            [own, open, colon, len, .., minus, one, close]
                if is_own(own)
                    && open.is("[")
                    && colon.is(":")
                    && len.is("len")
                    && minus.is("-")
                    && one.is("1")
                    && close.is("]") =>
            {
                ["pop", "(", ")"].map(like).to_vec()
            }
            [own, open, one, colon, close]
                if is_own(own) && open.is("[") && one.is("1") && colon.is(":") && close.is("]") =>
            {
                ["shift", "(", ")"].map(like).to_vec()
            }
            _ => return false,
        };
        self.at += all.len() + 1;
        self.out.extend([name.clone(), like(".")]);
        self.out.extend(method);
        self.out.push(like(";"));
        true
    }

    /// `d := make([][]int, n)` with the loop that makes its rows: both extents, and the type.
    pub(super) fn made_rows(&mut self, name: &Token, value: &[Token]) -> bool {
        let [make, open, ..] = value else { return false };
        if !make.is("make") || !open.is("(") {
            return false;
        }
        let Some(inside) = value.get(2..value.len() - 1) else { return false };
        let Some(comma) = position(inside, &[","]) else { return false };
        let (types, count) = (&inside[..comma], inside[comma + 1..].to_vec());
        if types.iter().filter(|it| it.is("[")).count() != 2 {
            return false;
        }
        // `for i := range d { d[i] = make([]int, m) }`
        let rest = &self.tokens[self.at..];
        let Some(start) =
            rest.windows(4).position(|it| it[0].is(&name.text) && it[1].is("[") && it[3].is("]"))
        else {
            return false;
        };
        let [equal, make, open, ..] = &rest[start + 4..] else { return false };
        let Some(close) = closing(rest, start + 6) else { return false };
        let Some(head) = rest[..start].iter().rposition(|it| it.is("for")) else { return false };
        let is_rows = equal.is("=") && make.is("make") && open.is("(") && head == 0;
        let Some(inside) = rest.get(start + 7..close) else { return false };
        let Some(comma) = position(inside, &[","]).filter(|_| is_rows) else { return false };
        let columns = inside[comma + 1..].to_vec();
        let Some(brace) = position(rest, &["{"]) else { return false };
        let end = closing(rest, brace).unwrap_or(close);
        let Some(between) = rest.get(close + 1..end) else { return false };
        let is_alone = between.iter().all(|it| it.is(";"));
        let element = self.element(types);
        let made = |text: &str| name.with(text);
        let zero = if element == "bool" { "false" } else { "0" };
        self.out.extend(["vector", "<", element, ">"].map(made));
        self.out.extend([name.clone(), made("(")]);
        self.out.extend(count);
        self.out.extend([",", "vector", "<", element, ">", "("].map(made));
        self.out.extend(columns);
        self.out.extend([",", zero, ")", ")", ";"].map(made));
        if is_alone {
            self.at += end + 1;
        } else {
            let from = self.at + start;
            self.tokens.drain(from..=self.at + close + 1);
        }
        true
    }
}

/// The array, what folds it, and how many tokens that is.
fn folded(rest: &[Token]) -> Option<(Token, &'static str, usize)> {
    match rest {
        [math, dot, word, open, dots, array, close, ..]
            if math.is("Math")
                && dot.is(".")
                && open.is("(")
                && dots.is("...")
                && close.is(")") =>
        {
            Some((array.clone(), fold(&word.text).filter(|it| *it != "accumulate")?, 7))
        }
        [
            array,
            dot,
            reduce,
            open,
            bracket,
            s,
            _,
            x,
            _,
            arrow,
            left,
            plus,
            right,
            comma,
            zero,
            close,
            ..,
        ] if dot.is(".")
            && reduce.is("reduce")
            && open.is("(")
            && bracket.is("(")
            && arrow.is("=>")
            && plus.is("+")
            && comma.is(",")
            && zero.is("0")
            && close.is(")")
            && (left.is(&s.text) && right.is(&x.text) || left.is(&x.text) && right.is(&s.text)) =>
        {
            Some((array.clone(), "accumulate", 16))
        }
        [array, dot, rest_of @ ..] if array.is_name() && dot.is(".") => {
            let mut length = 2;
            let mut rest = rest_of;
            if let [iter, open, close, dot, behind @ ..] = rest
                && iter.is("iter")
                && open.is("(")
                && close.is(")")
                && dot.is(".")
            {
                (rest, length) = (behind, length + 4);
            }
            let word = fold(&rest.first()?.text)?;
            (rest, length) = (&rest[1..], length + 1);
            if let [colons, open, _, close, behind @ ..] = rest
                && colons.is("::")
                && open.is("<")
                && close.is(">")
            {
                (rest, length) = (behind, length + 4);
            }
            let [open, close, ..] = rest else { return None };
            (open.is("(") && close.is(")")).then_some(())?;
            (rest, length) = (&rest[2..], length + 2);
            if let [dot, unwrap, open, close, ..] = rest
                && dot.is(".")
                && unwrap.is("unwrap")
                && open.is("(")
                && close.is(")")
            {
                length += 4;
            } else if let [one, other, ..] = rest
                && one.is("!")
                && other.is("!")
            {
                length += 2;
            }
            Some((array.clone(), word, length))
        }
        _ => None,
    }
}
