//! Procedures: each call stands for the statements of the procedure, in which the parameters are what
//! the call gives. Arrays are given themselves, scalars by their values.

use std::collections::HashMap;

use super::extents::count;
use super::types::{TypeEstimate, Typed};
use super::{Checker, Result};
use crate::diagnostic::{Diagnostic, Span};
use crate::parser::{arity, foreign};
use crate::program::{self, ArrayId, Block, Expr, ExprKind};
use crate::syntax::{self, BinaryOp, Extent, Formal, Procedure, Type};

/// A call counts as this many expressions, besides those of its statements.
const OF_A_CALL: usize = 100;

/// What the parameters of a procedure stand for.
#[derive(Default)]
pub(super) struct Aliases {
    pub(super) arrays: HashMap<String, Alias>,
    /// The extents of its arrays, by the names that it has for them.
    pub(super) sizes: HashMap<String, Expr>,
    /// Scalars that stand for numbers.
    pub(super) known: HashMap<String, Typed>,
}

/// An array, or a part of one.
#[derive(Clone)]
pub(super) struct Alias {
    pub(super) array: ArrayId,
    /// By dimension of the array.
    places: Vec<PlaceOfCall>,
    /// Whether it is all of the array, whose indices then begin where its declaration says.
    is_whole: bool,
}

#[derive(Clone)]
enum PlaceOfCall {
    /// The one index that the part has.
    Fixed(Expr),
    /// The first index, if it is not 0, and how many there are.
    From(Option<Expr>, Expr),
}

impl<'a> Checker<'a> {
    /// The procedure that an expression calls, if it is such a call and nothing else.
    pub(super) fn calls(&self, value: &syntax::ExprNode) -> Option<&'a Procedure> {
        let syntax::ExprNodeKind::Call { function, .. } = &value.kind else { return None };
        self.procedures.iter().find(|it| it.name.text == *function)
    }

    /// Such a call, and this many of its results.
    pub(super) fn results(
        &mut self,
        value: &syntax::ExprNode,
        wanted: usize,
        block: &mut Block,
    ) -> Result<Vec<Typed>> {
        let syntax::ExprNodeKind::Call { function, arguments } = &value.kind else {
            return Ok(vec![]);
        };
        self.call_procedure(function, arguments, wanted, value.span, block)
    }

    pub(super) fn call_procedure(
        &mut self,
        name: &str,
        arguments: &[syntax::ExprNode],
        wanted: usize,
        span: Span,
        block: &mut Block,
    ) -> Result<Vec<Typed>> {
        let procedures = self.procedures;
        let Some(index) = procedures.iter().position(|it| it.name.text == name) else {
            if let (None, Some((what, help))) = (self.declared(name), foreign(name)) {
                return Err(Diagnostic::new(span, what).help(help));
            }
            let what = self.declared(name).unwrap_or("unknown");
            let message = format!("`{name}` is no procedure, but {what}");
            let help = format!(
                "define `procedure {name}(…)` above the statements; a function's value is assigned, as \
                 in `x ← {name}(…)`"
            );
            return Err(Diagnostic::new(span, message).help(help));
        };
        let procedure = &procedures[index];
        if arguments.len() != procedure.parameters.len() {
            let takes = count(procedure.parameters.len(), "argument");
            return Err(arity(span, name, &takes, arguments.len()));
        }
        if wanted > 0 && wanted != procedure.results.len() {
            let has = count(procedure.results.len(), "result");
            let message = format!("`{name}` has {has}, not {wanted}");
            return Err(Diagnostic::new(span, message)
                .help("name the results behind its head: `procedure p(x[n]) → s, t`"));
        }
        let around = self.recursion;
        self.recursion += usize::from(self.calls.contains(&index));
        self.expressions += OF_A_CALL;
        self.expands(span)?;
        self.unfolds(name, span)?;
        let mut inner = Aliases::default();
        let mut scalars = vec![];
        for (formal, argument) in procedure.parameters.iter().zip(arguments) {
            if formal.extents.is_empty() {
                let value = self.typed(argument)?;
                scalars.push((&formal.name, value));
            } else {
                let alias = self.argument(formal, argument, span, block)?;
                let sizes = alias.places.iter().filter_map(|it| match it {
                    PlaceOfCall::From(_, size) => Some(size.clone()),
                    PlaceOfCall::Fixed(_) => None,
                });
                for (name, size) in formal.extents.iter().zip(sizes) {
                    inner.sizes.entry(name.text.clone()).or_insert(size);
                }
                inner.arrays.insert(formal.name.text.clone(), alias);
            }
        }
        // The scalars are evaluated before any is bound, since they are seen from outside.
        let hidden = self.scope.hide();
        let outer = std::mem::replace(&mut self.aliases, inner);
        let body = std::mem::replace(&mut self.body, &procedure.body);
        let local = self.local.take();
        for (name, value) in scalars {
            if self.stands_for(name, &value, 0) {
                continue;
            }
            let target = self.scope.target(&name.text, value.inferred);
            self.widen(target, value.inferred, name.span)?;
            self.assigned.insert(target);
            let value = value.coerce(self.scope.element(target))?;
            block.push(program::Statement::Assign { target, value, span });
        }
        self.calls.push(index);
        let label = self.label.clone();
        self.returnable(procedure.results.clone(), &procedure.body, span, block)?;
        let results = procedure.results.iter().take(wanted).map(|result| {
            let kind = syntax::ExprNodeKind::Name(result.text.clone());
            self.typed(&syntax::ExprNode { kind, span: result.span })
        });
        let results = results.collect::<Result<Vec<_>>>()?;
        self.label = label;
        self.calls.pop();
        self.local = local;
        self.aliases = outer;
        self.body = body;
        self.recursion = around;
        self.scope.reveal(hidden);
        Ok(results)
    }

    /// What an array of a procedure stands for in a call.
    fn argument(
        &mut self,
        formal: &Formal,
        argument: &syntax::ExprNode,
        span: Span,
        block: &mut Block,
    ) -> Result<Alias> {
        let (name, ranges) = match &argument.kind {
            syntax::ExprNodeKind::Name(name) => (name, None),
            syntax::ExprNodeKind::Slice { array, ranges } => (array, Some(ranges)),
            _ => {
                let message =
                    format!("`{}` is an array: the argument must be one", formal.name.text);
                return Err(Diagnostic::new(argument.span, message)
                    .help("give an array by its name, or a part of one: `a[0 .. m-1]`"));
            }
        };
        let Some(array) = self.array(name) else {
            return Err(Diagnostic::new(argument.span, format!("`{name}` is no array"))
                .help("give an array by its name, or a part of one: `a[0 .. m-1]`"));
        };
        let mut alias = self.whole(name, array);
        if let Some(ranges) = ranges {
            let rank = alias.rank();
            if ranges.len() != rank {
                let (has, given) = (count(rank, "dimension"), count(ranges.len(), "index"));
                let message = format!("`{name}` has {has}, not {given}");
                return Err(Diagnostic::new(argument.span, message)
                    .help("give an index or a range a dimension"));
            }
            let firsts: Vec<_> = ranges.iter().map(|it| it.0.clone()).collect();
            let lasts: Vec<_> =
                ranges.iter().map(|(first, last)| last.as_ref().unwrap_or(first).clone()).collect();
            let firsts = self.counted_from_zero(name, &firsts);
            let lasts = self.counted_from_zero(name, &lasts);
            let is_range = ranges.iter().map(|it| it.1.is_some());
            let mut ranges = firsts.iter().zip(&lasts).zip(is_range);
            alias.is_whole = false;
            for place in &mut alias.places {
                let PlaceOfCall::From(offset, _) = &place else { continue };
                let offset = offset.clone();
                let Some(((first, last), is_range)) = ranges.next() else { break };
                let mut bound = |it: &syntax::ExprNode| {
                    let expr = self.integer(it, "an index")?;
                    let expr = self.sized(expr);
                    self.kept(expr, span, block)
                };
                let first = bound(first)?;
                let last = if is_range { Some(bound(last)?) } else { None };
                let start = sum(offset, first.clone());
                *place = match last {
                    None => PlaceOfCall::Fixed(start),
                    Some(last) => {
                        let one = Expr { kind: ExprKind::Integer(1), ..last.clone() };
                        let size = sum(Some(binary(BinaryOp::Subtract, last, first)), one);
                        let is_0 = matches!(start.kind, ExprKind::Integer(0));
                        PlaceOfCall::From((!is_0).then_some(start), size)
                    }
                };
            }
        }
        if alias.rank() != formal.extents.len() {
            let (has, wanted) = (alias.rank(), formal.extents.len());
            let (has, wanted) = (count(has, "dimension"), count(wanted, "dimension"));
            let message = format!("`{}` has {wanted}, what is given {has}", formal.name.text);
            return Err(Diagnostic::new(argument.span, message)
                .help("a part with fewer dimensions is given as `a[i, 0 .. m-1]`"));
        }
        Ok(alias)
    }

    /// An index as it is now, whatever is assigned later.
    fn kept(&mut self, expr: Expr, span: Span, block: &mut Block) -> Result<Expr> {
        let inferred = TypeEstimate::Known(Type::I64);
        Ok(self.hold(Typed { expr, inferred }, span, block)?.settle())
    }

    /// All of an array that has a name here.
    fn whole(&self, name: &str, array: ArrayId) -> Alias {
        self.aliases.arrays.get(name).cloned().unwrap_or_else(|| {
            let extents = self.arrays[array.0].extents.iter();
            let places = extents.map(|it| PlaceOfCall::From(None, it.clone())).collect();
            Alias { array, places, is_whole: true }
        })
    }

    /// The declaration whose indices an array of this name takes; a part of an array counts from 0.
    pub(super) fn declaration(&self, name: &str) -> Option<&[Extent]> {
        let array = match self.aliases.arrays.get(name) {
            Some(alias) => alias.is_whole.then_some(alias.array)?,
            None => self.array(name)?,
        };
        self.declared_extents.get(array.0).map(Vec::as_slice)
    }

    /// The indices that an array of this name takes.
    pub(super) fn rank(&self, name: &str, array: ArrayId) -> usize {
        let alias = self.aliases.arrays.get(name);
        alias.map_or(self.arrays[array.0].extents.len(), Alias::rank)
    }

    /// The indices of the whole array.
    pub(super) fn of_whole(&self, name: &str, indices: Vec<Expr>) -> Vec<Expr> {
        let Some(alias) = self.aliases.arrays.get(name) else { return indices };
        let mut indices = indices.into_iter();
        let of_place = |place: &PlaceOfCall| match place {
            PlaceOfCall::Fixed(index) => Some(index.clone()),
            PlaceOfCall::From(offset, _) => Some(sum(offset.clone(), indices.next()?)),
        };
        alias.places.iter().filter_map(of_place).collect()
    }
}

impl Alias {
    fn rank(&self) -> usize {
        self.places.iter().filter(|it| matches!(it, PlaceOfCall::From(..))).count()
    }
}

fn sum(left: Option<Expr>, right: Expr) -> Expr {
    match left {
        Some(left) => binary(BinaryOp::Add, left, right),
        None => right,
    }
}

/// Of integers; of two numbers their result.
fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = right.span;
    let known = match (&left.kind, &right.kind) {
        (ExprKind::Integer(left), ExprKind::Integer(right)) if op == BinaryOp::Add => {
            left.checked_add(*right)
        }
        (ExprKind::Integer(left), ExprKind::Integer(right)) => left.checked_sub(*right),
        _ => None,
    };
    let kind = match known {
        Some(value) => ExprKind::Integer(value),
        None => ExprKind::Binary(op, Box::new(left), Box::new(right)),
    };
    Expr { kind, element: Type::I64, span }
}
