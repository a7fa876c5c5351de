//! A listing with recursion for all sizes: each procedure that calls itself is checked once, for arrays of
//! any extent, and a call of it is a store to an array that stands for the procedure.

mod arguments;
mod calls;
mod sizes;

use std::collections::HashMap;

use self::arguments::{declaration, integer, unknown, without_returns};
use self::sizes::{SizeKind, sizes};
use crate::check::check;
use crate::check::recursion_unfolding::{all, recursive};
use crate::diagnostic::{Diagnostic, Span};
use crate::program::{ArrayId, Block, ParameterId, Program, Statement};
use crate::syntax::{
    Constant, ExprNode, ExprNodeKind, Extent, Listing, Name, ParameterNode, Procedure,
    StatementKind, StatementNode, Target, Type,
};

type Result<T> = std::result::Result<T, Diagnostic>;

/// A listing whose recursion is not unfolded.
#[derive(Debug)]
pub struct Outline {
    /// All statements: those of the procedures, each under `if true`, then the others.
    pub program: Program,
    /// Those that stand in no procedure that calls itself.
    pub main: Block,
    /// Whether a procedure has results, of which nothing is known.
    pub hides_values: bool,
    /// In the order of the text.
    pub procedures: Vec<RecursiveProcedure>,
}

/// A procedure that calls itself.
#[derive(Debug)]
pub struct RecursiveProcedure {
    /// As the listing spells it.
    pub name: String,
    /// A store to this array is a call of it: the indices are the sizes of what is given, then the
    /// positions.
    pub call: ArrayId,
    /// Parameters that stand for extents, for ranges between two scalars, and for scalars and one more; for
    /// halves of them, if so asked.
    pub sizes: Vec<ParameterId>,
    /// Parameters that stand for a range's first number and one more.
    pub positions: Vec<ParameterId>,
    /// Its name's place.
    pub span: Span,
    /// What a call does.
    pub body: Block,
}

/// The outline of a program that was unfolded. Extents of the arrays that procedures are given are
/// parameters of its own, or so many times them.
///
/// # Errors
/// What has no meaning for extents of all sizes.
pub fn outline(program: &Program, times: u64) -> Result<Outline> {
    let listing = &program.listing;
    let mut outliner = Outliner { program, listing, recursive: vec![], elements: HashMap::new() };
    outliner.recursive = outlined(&listing.procedures);
    outliner.infer_elements();
    let made = outliner.listing(times)?;
    let program = check(made, program.source.clone(), &|_| None)?;
    let (bodies, main) = program.body.split_at(outliner.recursive.len().min(program.body.len()));
    let main = main.to_vec();
    let array = |name: &str| program.arrays.iter().position(|it| it.name == name).map(ArrayId);
    let parameter =
        |name: &str| program.parameters.iter().position(|it| it.name == name).map(ParameterId);
    let mut procedures = vec![];
    for (procedure, statement) in outliner.recursive.iter().zip(bodies) {
        let Statement::If { then: body, .. } = statement else {
            return Err(Diagnostic::new(procedure.name.span, "it is left by a `return`"));
        };
        let (body, span) = (body.clone(), procedure.name.span);
        let sizes = sizes(procedure);
        let ids = |names: &mut dyn Iterator<Item = String>| {
            names.filter_map(|it| parameter(&of(procedure, &it))).collect::<Vec<_>>()
        };
        let positions = ids(&mut sizes.iter().filter_map(SizeKind::position));
        let sizes = ids(&mut sizes.iter().map(SizeKind::name));
        let Some(call) = array(&call_of(procedure)) else { continue };
        let name = procedure.name.text.clone();
        procedures.push(RecursiveProcedure { name, call, sizes, positions, span, body });
    }
    let hides_values = outliner.recursive.iter().any(|it| !it.results.is_empty());
    Ok(Outline { program, main, hides_values, procedures })
}

/// Names with blanks, which no listing has.
fn of(procedure: &Procedure, name: &str) -> String {
    format!("{name} of {}", procedure.name.text)
}

fn call_of(procedure: &Procedure) -> String {
    format!("call of {}", procedure.name.text)
}

fn unknown_of(element: Type) -> String {
    format!("unknown {}", element.word())
}

/// Procedures that call themselves, so that the others do not without them.
fn outlined(procedures: &[Procedure]) -> Vec<&Procedure> {
    let mut found = recursive(procedures);
    let calls_itself = |it: usize| !recursive(&procedures[it..=it]).is_empty();
    for at in found.clone().into_iter().filter(|it| !calls_itself(*it)) {
        let is_left = |it: &usize| *it == at || !found.contains(it);
        let others = (0..procedures.len()).filter(is_left).map(|it| procedures[it].clone());
        if recursive(&others.collect::<Vec<_>>()).is_empty() {
            found.retain(|it| *it != at);
        }
    }
    found.into_iter().map(|it| &procedures[it]).collect()
}

struct Outliner<'a> {
    program: &'a Program,
    listing: &'a Listing,
    recursive: Vec<&'a Procedure>,
    /// By procedure and parameter, the type of an array's elements.
    elements: HashMap<(String, String), Type>,
}

/// Where a call stands: in a procedure, or not.
type Around<'a> = Option<&'a Procedure>;

fn call(value: &ExprNode) -> Option<(&str, &[ExprNode])> {
    match &value.kind {
        ExprNodeKind::Call { function, arguments } => Some((function, arguments)),
        _ => None,
    }
}

/// The calls that a statement itself makes.
fn calls(statement: &StatementNode) -> Vec<(&str, &[ExprNode])> {
    match &statement.kind {
        StatementKind::Call { procedure, arguments } => vec![(&procedure.text, arguments)],
        StatementKind::Assign { value, .. } => call(value).into_iter().collect(),
        StatementKind::Several { values, .. } | StatementKind::Return { values, .. } => {
            values.iter().filter_map(call).collect()
        }
        _ => vec![],
    }
}

impl<'a> Outliner<'a> {
    fn procedure(&self, name: &str) -> Option<&'a Procedure> {
        self.listing.procedures.iter().find(|it| it.name.text == name)
    }

    fn is_recursive(&self, name: &str) -> bool {
        self.recursive.iter().any(|it| it.name.text == name)
    }

    /// Every call of a procedure, and where.
    fn calls(&self) -> Vec<(Around<'a>, &'a Procedure, &'a [ExprNode])> {
        let bodies = self.listing.procedures.iter().map(|it| (Some(it), &it.body));
        let bodies = bodies.chain([(None, &self.listing.body)]);
        let statements = bodies.flat_map(|(around, body)| all(body).map(move |it| (around, it)));
        let calls = statements.flat_map(|(around, it)| {
            calls(it).into_iter().map(move |(name, arguments)| (around, name, arguments))
        });
        calls.filter_map(|(around, name, it)| Some((around, self.procedure(name)?, it))).collect()
    }

    /// The types of arrays that procedures are given, from the calls.
    fn infer_elements(&mut self) {
        let calls = self.calls();
        for _ in 0..=self.listing.procedures.len() {
            for (around, procedure, arguments) in &calls {
                for (formal, argument) in procedure.parameters.iter().zip(*arguments) {
                    let (ExprNodeKind::Name(array) | ExprNodeKind::Slice { array, .. }) =
                        &argument.kind
                    else {
                        continue;
                    };
                    let own = around.and_then(|it| {
                        self.elements.get(&(it.name.text.clone(), array.clone())).copied()
                    });
                    let declared = self.listing.arrays.iter().find(|it| it.name.text == *array);
                    if let Some(element) = own.or(declared.map(|it| it.element)) {
                        let key = (procedure.name.text.clone(), formal.name.text.clone());
                        self.elements.entry(key).or_insert(element);
                    }
                }
            }
        }
    }

    /// Parts of columns have neighbours far apart, and so may the cells of a layout.
    fn has_strides(&self) -> bool {
        let is_column = |it: &ExprNode| match &it.kind {
            ExprNodeKind::Slice { ranges, .. } => ranges.last().is_some_and(|it| it.1.is_none()),
            _ => false,
        };
        self.listing.arrays.iter().any(|it| it.layout.is_some())
            || self.calls().iter().any(|it| it.2.iter().any(is_column))
    }

    fn listing(&self, times: u64) -> Result<Listing> {
        let mut made = self.listing.clone();
        for procedure in &mut made.procedures {
            let around = self.procedure(&procedure.name.text);
            procedure.body = self.block(&without_returns(&procedure.body), around)?;
        }
        let mut body = vec![];
        for procedure in &self.recursive {
            let is_parallel = |it: &StatementNode| matches!(&it.kind, StatementKind::For(it) if it.order != crate::syntax::Order::InTurn);
            if self.has_strides()
                && self.listing.procedures.iter().flat_map(|it| all(&it.body)).any(is_parallel)
            {
                let what = "its parallel loops are given columns, or arrays with a layout";
                return Err(Diagnostic::new(procedure.name.span, what));
            }
            let sizes = sizes(procedure);
            let parameter = |name: String| ParameterNode {
                name: Name { text: of(procedure, &name), span: procedure.name.span },
                default: None,
            };
            let names = sizes.iter().map(SizeKind::name);
            let names = names.chain(sizes.iter().filter_map(SizeKind::position));
            let names: Vec<String> = names.collect();
            let one = Extent { first: None, size: integer(1, Span::default()) };
            let extents = vec![one; names.len().max(1)];
            made.parameters.extend(names.into_iter().map(parameter));
            made.arrays.push(declaration(call_of(procedure), extents, Type::I64, procedure));
            let mut arguments = vec![];
            for formal in &procedure.parameters {
                arguments.push(self.given(procedure, formal, (times, &sizes), &mut made)?);
            }
            let call = StatementKind::Call { procedure: procedure.name.clone(), arguments };
            let span = procedure.name.span;
            let condition = ExprNode { kind: ExprNodeKind::Boolean(true), span };
            let then = vec![StatementNode { kind: call, span }];
            let kind = StatementKind::If { condition, then, otherwise: vec![] };
            body.push(StatementNode { kind, span });
        }
        body.extend(self.block(&self.listing.body, None)?);
        made.body = body;
        for element in Type::ALL {
            let zero = match element {
                Type::Bool => ExprNodeKind::Boolean(false),
                _ if element.is_float() => ExprNodeKind::Float(0.0),
                _ => ExprNodeKind::Integer(0),
            };
            made.constants.push(Constant {
                name: Name { text: unknown_of(element), span: Span::default() },
                entries: Some(integer(1, Span::default())),
                element: Some(element),
                values: vec![ExprNode { kind: zero, span: Span::default() }],
            });
        }
        Ok(made)
    }

    /// The type of a scalar, as it was inferred; what is a number is none.
    fn scalar(&self, name: &str) -> Type {
        let found = self.program.scalars.iter().find(|it| it.name == name);
        found.map_or(Type::I64, |it| it.element)
    }

    fn block(
        &self,
        statements: &[StatementNode],
        around: Around<'_>,
    ) -> Result<Vec<StatementNode>> {
        let mut made = vec![];
        for statement in statements {
            self.statement(statement, around, &mut made)?;
        }
        Ok(made)
    }

    fn statement(
        &self,
        statement: &StatementNode,
        around: Around<'_>,
        made: &mut Vec<StatementNode>,
    ) -> Result<()> {
        // Bounds are of calls one after another.
        if let StatementKind::Fork { calls, meanwhile } = &statement.kind {
            let mut all = calls.iter().chain(meanwhile);
            return all.try_for_each(|it| self.statement(it, around, made));
        }
        for (procedure, arguments) in calls(statement) {
            if let Some(procedure) =
                self.procedure(procedure).filter(|it| self.is_recursive(&it.name.text))
            {
                made.push(self.call(procedure, arguments, statement.span, around)?);
            }
        }
        let mut statement = statement.clone();
        match &mut statement.kind {
            StatementKind::Call { procedure, .. } if self.is_recursive(&procedure.text) => {
                return Ok(());
            }
            StatementKind::Assign { value, .. } => self.results(std::slice::from_mut(value), 1),
            StatementKind::Several { targets, values }
            | StatementKind::Return { targets, values } => {
                self.several(targets, values);
            }
            StatementKind::For(it) => it.body = self.block(&it.body, around)?,
            StatementKind::While { body, .. }
            | StatementKind::Repeat { body, .. }
            | StatementKind::Label { body, .. } => *body = self.block(body, around)?,
            StatementKind::If { then, otherwise, .. } => {
                *then = self.block(then, around)?;
                *otherwise = self.block(otherwise, around)?;
            }
            _ => {}
        }
        made.push(statement);
        Ok(())
    }

    /// Nothing is known of what a call gives.
    fn results(&self, values: &mut [ExprNode], at: usize) {
        for value in values {
            let result = call(value).and_then(|(it, _)| self.procedure(it));
            let result = result.filter(|it| self.is_recursive(&it.name.text));
            if let Some(result) = result.and_then(|it| it.results.get(at - 1)) {
                *value = unknown(self.scalar(&result.text), value.span);
            }
        }
    }

    fn several(&self, targets: &[Target], values: &mut Vec<ExprNode>) {
        if let [value] = &values[..]
            && call(value).is_some_and(|it| self.is_recursive(it.0))
        {
            *values = vec![value.clone(); targets.len().max(1)];
            for at in 0..values.len() {
                self.results(&mut values[at..=at], at + 1);
            }
        }
        self.results(values, 1);
    }
}
