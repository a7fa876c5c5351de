//! `A * v` and `u' * v` of whole arrays: computed above the statement, by the loops that they stand for.

use super::{Reader, Result};
use crate::notation::output::words;
use crate::notation::token::Token;

impl Reader {
    /// A value without products of matrices and vectors.
    pub(super) fn algebra(&mut self, value: &[Token], sign: &Token) -> Result<Vec<Token>> {
        let mut value = value.to_vec();
        loop {
            let is_whole = |at: usize| {
                let next = value.get(at + 1);
                self.known.arrays.contains(&value[at].text)
                    && !next.is_some_and(|it| it.is_any(&["(", "[", "."]))
            };
            let is_vector = |at: usize| is_whole(at) && !self.is_matrix(&value[at]);
            let product = (0..value.len().saturating_sub(2)).rev().find(|&at| {
                let is_product = value[at + 1].is("*") && is_vector(at + 2);
                let stays = value.get(at + 3).is_none_or(|it| !it.is("'"));
                is_whole(at) && self.is_matrix(&value[at]) && is_product && stays
            });
            if let Some(at) = product {
                let name = self.times(&value[at].clone(), &value[at + 2].clone(), sign);
                value.splice(at..at + 3, [name]);
                continue;
            }
            let dot = (0..value.len().saturating_sub(3)).find(|&at| {
                let signs = value[at + 1].is("'") && value[at + 2].is("*");
                let next = value.get(at + 4);
                let is_alone = !next.is_some_and(|it| it.is_any(&["(", "[", ".", "'"]));
                let right = &value[at + 3];
                signs
                    && right.is_name()
                    && is_alone
                    && !self.is_matrix(&value[at])
                    && !self.is_matrix(right)
            });
            let Some(at) = dot else { return Ok(value) };
            let name = self.dot(&value[at].clone(), &value[at + 3].clone(), sign);
            value.splice(at..at + 4, [name]);
        }
    }

    /// Whether an array has two indices, where it is used with some or asked for its rows.
    fn is_matrix(&self, name: &Token) -> bool {
        let sizes = |it: &[Token]| {
            it[0].is("size") && it[1].is("(") && it[2].is(&name.text) && it[3].is(",")
        };
        self.rank_of(name) == 2 || self.all.iter().any(|it| it.windows(4).any(sizes))
    }

    fn times(&mut self, matrix: &Token, vector: &Token, sign: &Token) -> Token {
        let [matrix, vector] = [matrix, vector].map(|it| Token::variable(it).text);
        let product = sign.with(self.out.fresh("product"));
        let [row, column, sum] = ["z", "z", "sum"].map(|it| self.out.fresh(it));
        let name = &product.text;
        for (text, deeper) in [
            (format!("for {row} ← 1 to rows({matrix}) do"), 0),
            (format!("{sum} ← 0"), 1),
            (format!("for {column} ← 1 to columns({matrix}) do"), 1),
            (format!("{sum} ← {sum} + {matrix}[{row},{column}] × {vector}[{column}]"), 2),
            (format!("{name}[{row}] ← {sum}"), 1),
        ] {
            self.out.depth += deeper;
            self.out.line(words(sign, &text, &[]));
            self.out.depth -= deeper;
        }
        self.known.arrays.insert(name.clone());
        self.out.hints.array(&product).is_new = true;
        self.out.hints.alike.push((name.clone(), format!("rows {matrix}")));
        product
    }

    fn dot(&mut self, left: &Token, right: &Token, sign: &Token) -> Token {
        self.known.arrays.extend([left.text.clone(), right.text.clone()]);
        let sum = sign.with(self.out.fresh("dot"));
        let index = self.out.fresh("z");
        let [left, right] = [left, right].map(|it| Token::variable(it).text);
        let name = &sum.text;
        for (text, deeper) in [
            (format!("{name} ← 0"), 0),
            (format!("for {index} ← 1 to length({left}) do"), 0),
            (format!("{name} ← {name} + {left}[{index}] × {right}[{index}]"), 1),
        ] {
            self.out.depth += deeper;
            self.out.line(words(sign, &text, &[]));
            self.out.depth -= deeper;
        }
        sum
    }
}
