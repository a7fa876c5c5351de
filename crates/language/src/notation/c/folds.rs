//! Functions of libraries that sum elements or look for the greatest, as the loops that they are, above the
//! statement that asks.

use super::fills::{made, part};
use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::notation::token::{Token, closing, position, split};

impl Reader {
    /// The statement that stands here without such calls, whose loops stand before it.
    pub(super) fn folds(&mut self) -> Result<()> {
        let words = ["accumulate", "max_element", "min_element", "count", "inner_product"];
        loop {
            let rest = &self.tokens[self.at..];
            let end = position(rest, &[";", "{"]).unwrap_or(rest.len());
            let found = (0..end).rev().find(|&at| {
                rest[at].is_any(&words)
                    && rest.get(at + 1).is_some_and(|it| it.is("("))
                    && !self.functions.contains(&rest[at].text)
                    && at.checked_sub(1).is_none_or(|it| !rest[it].is("."))
            });
            let Some(at) = found else { return Ok(()) };
            let Some(close) = closing(rest, at + 1) else { return Ok(()) };
            let name = rest[at].clone();
            let inside = rest[at + 2..close].to_vec();
            let parts: Vec<&[Token]> = split(&inside, &[","]);
            let is_element = at > 0 && rest[at - 1].is("*");
            let Some((loops, value)) = self.fold(&name, &parts, is_element)? else { return Ok(()) };
            let start = self.at + at - usize::from(is_element);
            self.replace(start, self.at + close + 1, vec![value]);
            let length = loops.len();
            self.replace(self.at, self.at, loops);
            // The loops are read first.
            let end = self.at + length;
            let behind = self.tokens.len() - end;
            while self.tokens.len() - self.at > behind {
                self.statement()?;
            }
        }
    }

    fn fold(
        &mut self,
        name: &Token,
        parts: &[&[Token]],
        is_element: bool,
    ) -> Result<Option<(Vec<Token>, Token)>> {
        let [first, last, others @ ..] = parts else { return Ok(None) };
        let Some(part) = part(first, last) else { return Ok(None) };
        let own = name.with(self.out.fresh("fold"));
        let z = name.with(self.out.fresh("z"));
        let (own_is, z_is) = ([own.clone()], [z]);
        let parts: [&[Token]; 6] = [
            &own_is,
            &z_is,
            &part.array,
            &part.from,
            &part.to,
            others.first().copied().unwrap_or(&[]),
        ];
        let is_real = self.known.reals.contains(&part.array[0].text);
        let head = "for ( auto {1} = {3} ; {1} < {4} ; {1} ++ )";
        let text = match (name.text.as_str(), others) {
            ("accumulate", [begin]) => {
                if is_real && !self.is_of_other && !begin.iter().any(|it| it.text.contains('.')) {
                    return Err(Diagnostic::new(
                        name.span,
                        "a sum of real numbers that begins with an integer is cut off at each step",
                    )
                    .help("begin with `0.0`"));
                }
                format!("auto {{0}} = {{5}} ; {head} {{0}} += {{2}} [ {{1}} ] ;")
            }
            ("count", [_]) => {
                format!("auto {{0}} = 0 ; {head} if ( {{2}} [ {{1}} ] == {{5}} ) {{0}} ++ ;")
            }
            ("max_element" | "min_element", []) => {
                let sign = if name.is("max_element") { ">" } else { "<" };
                match is_element {
                    true => format!(
                        "auto {{0}} = {{2}} [ {{3}} ] ; {head} if ( {{2}} [ {{1}} ] {sign} {{0}} ) {{0}} = {{2}} [ {{1}} ] ;"
                    ),
                    false => format!(
                        "auto {{0}} = {{3}} ; {head} if ( {{2}} [ {{1}} ] {sign} {{2}} [ {{0}} ] ) {{0}} = {{1}} ;"
                    ),
                }
            }
            _ => return Ok(None),
        };
        if is_real && (name.is("accumulate") || is_element) {
            self.known.reals.insert(own.text.clone());
        }
        Ok(Some((made(name, &text, &parts), own)))
    }
}
