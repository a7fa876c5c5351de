//! Whether what a listing says of its inputs and of its result is about arrays that it has.

use super::{Checker, Result};
use crate::diagnostic::Diagnostic;
use crate::program::OriginValue;
use crate::syntax::{InputOrigin, Listing, Name, OriginArgument, Promise, Role};

impl Checker<'_> {
    /// What stands in the brackets behind `from random`.
    pub(super) fn origin(&mut self, origin: &InputOrigin) -> Result<Vec<OriginValue>> {
        let value = |it: &OriginArgument| match it {
            OriginArgument::Text(text) => Ok(OriginValue::Text(text.clone())),
            OriginArgument::Expression(it) => {
                self.of_parameters(it, "an argument of `from`").map(OriginValue::Integer)
            }
        };
        origin.arguments.iter().map(value).collect()
    }
}

pub(super) fn check(listing: &Listing) -> Result<()> {
    let role = |name: &Name| {
        let array = listing.arrays.iter().find(|it| it.name.text == name.text);
        array.map(|it| it.role).ok_or_else(|| {
            Diagnostic::new(name.span, format!("unknown array `{}`", name.text))
                .help("`ensures` is about the arrays that are declared")
        })
    };
    let clauses = &listing.clauses;
    for origin in &clauses.origins {
        let name = Name { text: origin.array.clone(), span: origin.word.span };
        if !role(&name)?.is_given() {
            return Err(Diagnostic::new(
                name.span,
                "only an `input` or `inout` array holds something at first",
            )
            .help("leave `from …` out, or declare the array so"));
        }
    }
    for promise in &clauses.promises {
        match promise {
            Promise::Sorted(array) => drop(role(array)?),
            Promise::Permutation { array, of } => {
                role(array)?;
                if !role(of)?.is_given() {
                    let message = format!("`{}` holds nothing before the run", of.text);
                    return Err(Diagnostic::new(of.span, message)
                        .help("the second array is as it was before the run: `input` or `inout`"));
                }
            }
            Promise::Equal { array, of } => {
                if role(array)? == Role::Input {
                    return Err(Diagnostic::new(array.span, "an input never changes")
                        .help("compare an array that the listing writes"));
                }
                if clauses.reference.is_none() {
                    return Err(Diagnostic::new(of.span, "there is no `reference`")
                        .help("name a listing above the statements: `reference FILE.alg`"));
                }
            }
        }
    }
    Ok(())
}
