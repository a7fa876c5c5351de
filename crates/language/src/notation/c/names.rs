//! Names that are an array in one function and a scalar in another.

use std::collections::HashSet;

use super::Reader;
use crate::notation::token::{Token, closing};

impl Reader {
    /// Gives scalars of functions that are called names of their own, where an array elsewhere has theirs.
    pub(super) fn names_apart(&mut self) {
        let functions = self.functions();
        if functions.len() < 2 {
            return;
        }
        let text = |(from, to): (usize, usize)| self.tokens[from..to].to_vec();
        let indexed = |of: &[Token]| -> HashSet<String> {
            let pairs = of.windows(2).filter(|it| it[0].is_name() && it[1].is("["));
            pairs.map(|it| it[0].text.clone()).collect()
        };
        let arrays: Vec<HashSet<String>> = functions
            .iter()
            .map(|it| {
                let formals = it
                    .arguments
                    .iter()
                    .filter(|it| it.iter().any(|it| it.is_any(&["[", "*", "vector"])));
                let formals = formals.filter_map(|it| it.iter().rfind(|it| it.is_name()));
                let own = indexed(&text(it.body));
                own.into_iter().chain(formals.map(|it| it.text.clone())).collect()
            })
            .collect();
        let (mut regions, mut all) = (vec![], vec![]);
        for (nth, function) in functions.iter().enumerate() {
            let body = text(function.body);
            let open = (0..function.body.0).rev().find(|&at| {
                self.tokens[at].is("(")
                    && closing(&self.tokens, at).map(|it| it + 2) == Some(function.body.0)
            });
            let open = open.unwrap_or(function.body.0);
            let scalars: HashSet<String> = function
                .arguments
                .iter()
                .filter_map(|it| it.iter().rfind(|it| it.is_name()))
                .chain(
                    body.windows(2)
                        .filter(|it| {
                            it[0].is_any(&[
                                "int", "long", "double", "float", "auto", "var", "bool", "char",
                            ]) && it[1].is_name()
                        })
                        .map(|it| &it[1]),
                )
                .map(|it| it.text.clone())
                .filter(|it| !arrays[nth].contains(it))
                .collect();
            regions.push((open, function.body.1));
            all.push(scalars);
        }
        // What others call are the procedures; the names of the algorithm itself stay.
        let is_called = |nth: usize| {
            let calls = |of: &[Token]| {
                of.windows(2).any(|it| it[0].is(&functions[nth].name.text) && it[1].is("("))
            };
            (0..functions.len()).any(|at| at != nth && calls(&text(functions[at].body)))
        };
        let of_main: HashSet<String> = functions
            .iter()
            .enumerate()
            .filter(|(nth, _)| !is_called(*nth))
            .flat_map(|(_, it)| {
                it.arguments.iter().filter_map(|it| it.iter().rfind(|it| it.is_name()))
            })
            .map(|it| it.text.clone())
            .collect();
        let mut renamed = vec![];
        for (nth, scalars) in all.into_iter().enumerate() {
            for name in scalars {
                let mut others: Vec<usize> = (0..arrays.len())
                    .filter(|&at| at != nth && arrays[at].contains(&name))
                    .collect();
                // What the algorithm is given is not assigned.
                if is_called(nth) && (!others.is_empty() || of_main.contains(&name)) {
                    others = vec![nth];
                }
                for at in others {
                    let own = format!("{name}_of_{}", functions[at].name.text);
                    renamed.push((regions[at], name.clone(), own));
                }
            }
        }
        for ((from, to), name, own) in renamed {
            for at in from..to {
                let is_part = at > 0 && self.tokens[at - 1].is(".");
                if self.tokens[at].is(&name) && !is_part {
                    self.tokens[at].text.clone_from(&own);
                }
            }
        }
    }
}
