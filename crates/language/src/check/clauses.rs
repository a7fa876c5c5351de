//! Whether what a listing says of its inputs and of its result is about arrays that it has.

use super::{Checker, Result};
use crate::diagnostic::{Diagnostic, Span};
use crate::program::{Access, ArrayId, Expr, OriginValue, Requirement};
use crate::syntax::{
    InputOrigin, Listing, Name, OriginArgument, Promise, RequirementNode, Role, Type,
};

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

impl Checker<'_> {
    /// What must hold before a run, over parameters and given arrays: nobody's accesses.
    pub(super) fn requirements(&mut self, listing: &Listing) -> Result<Vec<Requirement>> {
        let of_clause = |it: &RequirementNode| match it {
            RequirementNode::Sorted(name) => {
                let own = self.arrays.iter().position(|it| it.name == name.text);
                let own = own.filter(|at| self.arrays[*at].role.is_given()).ok_or_else(|| {
                    let message = format!("`{}` is no array that is given", name.text);
                    Diagnostic::new(name.span, message).help(REQUIRED)
                })?;
                Ok(Requirement::Sorted(ArrayId(own), name.span))
            }
            RequirementNode::Holds(condition) => {
                let sites = self.sites.len();
                let holds = self.boolean(condition, "what is required")?;
                self.sites.truncate(sites);
                let is_given = |it: &Access| self.arrays[it.array.0].role.is_given();
                if holds.scalars().next().is_some() || !holds.reads().all(is_given) {
                    let message = "what is required is known before a run";
                    return Err(Diagnostic::new(condition.span, message).help(REQUIRED));
                }
                if let Some(span) = fraction(&holds) {
                    return Err(Diagnostic::new(span, "what is required is of whole numbers")
                        .help("compare parameters and arrays of i32 or i64"));
                }
                Ok(Requirement::Holds(holds))
            }
        };
        listing.clauses.requirements.iter().map(of_clause).collect()
    }
}

/// A part that is neither a whole number of at most 64 bits with a sign, nor a condition.
fn fraction(of: &Expr) -> Option<Span> {
    if of.element.is_float() || of.element == Type::U64 {
        return Some(of.span);
    }
    of.operands().find_map(fraction)
}

const REQUIRED: &str = "`requires` is about parameters and arrays that are `input` or `inout`";

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
