//! Syntax tree → [`Program`]: names, ranks, types, definite assignment, parallel nests.
//!
//! Scalars are not declared; their types are inferred by building the program again and again
//! until no assignment widens a scalar any more (each pass widens at least one, and a type can
//! widen only a few times).

mod atomics;
mod built_in;
mod clauses;
mod constants;
mod dmm_loops;
mod early_exits;
mod expressions;
mod extents;
mod forks;
mod functions;
mod multi_assign;
mod procedures;
pub(crate) mod recursion_unfolding;
mod scope;
mod statements;
mod types;
mod vectors;

use std::collections::{HashMap, HashSet};

use self::early_exits::Exits;
use self::procedures::Aliases;
use self::scope::Scope;
use self::types::{TypeEstimate, Typed};
use super::notation::Notation;
use super::program::{
    Array, ArrayId, Block, BlockShape, ConstantTable, Expr, Loop, LoopId, Parameter, Program,
    Reading, Requirement, ScalarId, Site,
};
use super::synchronous::Semantics;
use super::syntax::{
    self, Extent, FunctionNode, Listing, Name, Procedure, RealParameter, Role, StatementNode,
};
use super::walk::outermost_parallel;
use super::warp;
use crate::access::Phase;
use crate::diagnostic::{Diagnostic, Source, Span};

type Result<T> = std::result::Result<T, Diagnostic>;

/// Checks a listing and resolves it.
///
/// # Errors
/// The first construct that has no meaning: an unknown or doubly used name, a wrong rank or type,
/// a scalar read before it is assigned, a write to an input, a misplaced parallel loop.
///
/// `sizes` has the parameters' values as far as they are known; only recursion asks for them.
pub fn check(
    listing: Listing,
    source: Source,
    sizes: &dyn Fn(&str) -> Option<i64>,
) -> Result<Program> {
    let mut checker = Checker::new(&listing, sizes)?;
    let (answer, requirements, body) = loop {
        checker.start_pass();
        let built = checker.build(&listing)?;
        if !checker.widened {
            break built;
        }
    };
    let conditions = requirements.iter().filter_map(Requirement::condition);
    let numbers =
        checker.arrays.iter().flat_map(|it| it.extents.iter().chain(it.firsts.iter().flatten()));
    warp::check(&body, answer.iter().chain(conditions).chain(numbers))?;
    let is_unfolded = checker.sizes.is_some();
    let Checker { parameters, arrays, tables, blocks, scope, phases, sites, loops, .. } = checker;
    let scalars = scope.into_scalars();
    Ok(Program {
        is_unfolded,
        name: listing.name.text.clone(),
        source,
        listing,
        reading: Reading {
            notation: Notation::Plain,
            plain: None,
            semantics: Semantics::default(),
            said: vec![],
        },
        parameters,
        arrays,
        tables,
        blocks,
        scalars,
        phases,
        sites,
        loops,
        body,
        answer,
        requirements,
    })
}

struct Checker<'a> {
    parameters: Vec<Parameter>,
    reals: &'a [RealParameter],
    arrays: Vec<Array>,
    /// By array, as declared.
    declared_extents: Vec<Vec<Extent>>,
    tables: Vec<ConstantTable>,
    /// Those without a table, as far as they are resolved.
    constants: Vec<(&'a str, Typed)>,
    /// Loops on DMMs; inside one, it is the last.
    blocks: Vec<BlockShape>,
    in_blocks: bool,
    /// How many arrays are declared above the statements.
    above: usize,
    /// In a loop with arrays of its own: the first of them.
    local: Option<usize>,
    functions: &'a [FunctionNode],
    procedures: &'a [Procedure],
    /// The procedures whose calls are being resolved inside each other.
    calls: Vec<usize>,
    /// In a procedure: what its parameters stand for.
    aliases: Aliases,
    /// Of a listing with recursion: by parameter, its value.
    sizes: Option<Vec<Option<i64>>>,
    /// Calls of procedures by themselves around.
    recursion: usize,
    /// All statements of the procedure, or of the listing, that is being resolved.
    body: &'a [StatementNode],
    /// Blocks being resolved inside each other.
    nesting: usize,
    /// How many of `functions` may be called: a function calls only earlier ones.
    callable: usize,
    scope: Scope,
    /// A scalar's type changed in this pass.
    widened: bool,
    phases: Vec<String>,
    phase_numbers: HashMap<String, u32>,
    sites: Vec<Site>,
    loops: Vec<Loop>,
    label: Option<String>,
    /// Scalars that certainly have a value here.
    assigned: HashSet<ScalarId>,
    in_parallel: bool,
    /// What may be left here, outermost first: a procedure or the algorithm, and loops in turn.
    leavable: Vec<Exits>,
    /// Results of the procedure that may be left.
    results: Vec<Name>,
    /// Statements around that come behind one which may leave a loop.
    leaving: usize,
    /// How many times something is left, so far.
    left: usize,
    /// Whether what comes next is never done, since what is around was left.
    is_left: bool,
    /// The function whose body is being resolved: it reads no array.
    function: Option<&'a str>,
    /// Expressions resolved in this pass, those of inlined functions included.
    expressions: usize,
    /// Expressions being resolved inside each other.
    depth: usize,
}

impl<'a> Checker<'a> {
    fn new(listing: &'a Listing, sizes: &dyn Fn(&str) -> Option<i64>) -> Result<Self> {
        let names = listing
            .parameters
            .iter()
            .map(|it| &it.name)
            .chain(listing.reals.iter().map(|it| &it.name))
            .chain(listing.arrays.iter().map(|it| &it.name))
            .chain(listing.constants.iter().map(|it| &it.name))
            .chain(listing.functions.iter().map(|it| &it.name))
            .chain(listing.procedures.iter().map(|it| &it.name));
        let mut seen = HashSet::new();
        for name in names {
            if !seen.insert(name.text.as_str()) {
                return Err(taken(name, "a parameter, array, constant, function or procedure"));
            }
        }
        let is_array = |it: &&Name| listing.arrays.iter().any(|array| array.name.text == it.text);
        if let Some(result) = listing.procedures.iter().flat_map(|it| &it.results).find(is_array) {
            return Err(taken(result, "an array, and a procedure gives scalars"));
        }
        clauses::check(listing)?;
        let is_recursive = !recursion_unfolding::recursive(&listing.procedures).is_empty();
        let parameter = |it: &syntax::ParameterNode| {
            let name = it.name.text.clone();
            let value = sizes(&name).filter(|_| is_recursive);
            Parameter { name, default: value.or(it.default) }
        };
        let parameters: Vec<Parameter> = listing.parameters.iter().map(parameter).collect();
        let sizes = is_recursive.then(|| parameters.iter().map(|it| it.default).collect());
        Ok(Self {
            parameters,
            reals: &listing.reals,
            arrays: vec![],
            declared_extents: vec![],
            tables: vec![],
            constants: vec![],
            blocks: vec![],
            in_blocks: false,
            above: 0,
            local: None,
            functions: &listing.functions,
            procedures: &listing.procedures,
            calls: vec![],
            aliases: Aliases::default(),
            sizes,
            recursion: 0,
            body: &listing.body,
            nesting: 0,
            callable: 0,
            scope: Scope::default(),
            widened: false,
            phases: vec![],
            phase_numbers: HashMap::new(),
            sites: vec![],
            loops: vec![],
            label: None,
            assigned: HashSet::new(),
            in_parallel: false,
            leavable: vec![],
            results: vec![],
            leaving: 0,
            left: 0,
            is_left: false,
            function: None,
            expressions: 0,
            depth: 0,
        })
    }

    fn start_pass(&mut self) {
        self.arrays.clear();
        self.declared_extents.clear();
        self.tables.clear();
        self.constants.clear();
        self.blocks.clear();
        self.phases.clear();
        self.phase_numbers.clear();
        self.sites.clear();
        self.loops.clear();
        self.assigned.clear();
        self.callable = 0;
        self.left = 0;
        self.is_left = false;
        self.above = 0;
        self.widened = false;
        self.function = None;
        self.expressions = 0;
        self.scope.start_pass();
    }

    fn build(&mut self, listing: &'a Listing) -> Result<(Option<Expr>, Vec<Requirement>, Block)> {
        listing.reals.iter().for_each(|it| self.real_parameter(it));
        for constant in &listing.constants {
            self.constant(constant)?;
        }
        let (registers, memory): (Vec<_>, Vec<_>) =
            listing.arrays.iter().partition(|it| it.role == Role::Register);
        for declaration in memory.into_iter().chain(registers.iter().copied()) {
            // Extents see the parameters alone: no array is known yet while they are resolved.
            let numbers = declaration.extents.iter().map(|it| self.extent(it));
            let (firsts, extents) = numbers.collect::<Result<Vec<_>>>()?.into_iter().unzip();
            let origins = &listing.clauses.origins;
            let origin = origins.iter().find(|it| it.array == declaration.name.text);
            let origin = origin.map_or(Ok(vec![]), |it| self.origin(it))?;
            let layout = self.array_layout(declaration)?;
            self.arrays.push(Array {
                name: declaration.name.text.clone(),
                role: declaration.role,
                extents,
                firsts,
                fields: declaration.field_names(),
                element: declaration.element,
                layout,
                origin,
                span: declaration.name.span,
            });
            self.declared_extents.push(declaration.extents.clone());
            self.above = self.arrays.len();
            if !self.sites.is_empty() {
                return Err(Diagnostic::new(
                    declaration.name.span,
                    format!("the extents of `{}` read an array", declaration.name.text),
                )
                .help("extents are expressions of the parameters"));
            }
        }
        for function in self.functions {
            self.check_function(function)?;
            self.callable += 1;
        }
        let mut body = vec![];
        self.returnable(vec![], &listing.body, Span::default(), &mut body)?;
        if let (Some(array), true) = (registers.first(), outermost_parallel(&body).next().is_some())
        {
            let name = &array.name;
            let message = format!("`{}` is in the registers of one thread", name.text);
            return Err(Diagnostic::new(name.span, message).label("but there are parallel loops").help(
                "declare it at the head of the parallel loop whose iterations use it, or as `work`",
            ));
        }
        let (sites, phases) = (self.sites.len(), self.phases.len());
        let answer = match &listing.answer {
            None => None,
            Some(answer) => Some(self.typed(answer)?.settle()),
        };
        let requirements = self.requirements(listing)?;
        // The answer is read after the run, by nobody's thread: it is no access.
        self.sites.truncate(sites);
        self.phases.truncate(phases);
        Ok((answer, requirements, body))
    }

    /// Assigns a type to a scalar, widening the one it has.
    fn widen(&mut self, scalar: ScalarId, found: TypeEstimate, span: Span) -> Result<()> {
        let known = self.scope.inferred(scalar);
        let Some(joined) = known.join(found) else {
            let name = self.scope.name(scalar);
            return Err(Diagnostic::new(
                span,
                format!("`{name}` is {known} elsewhere, here it becomes {found}"),
            )
            .help("use another scalar, or convert the value, as in `f32(x)`"));
        };
        if joined != known {
            self.scope.set_inferred(scalar, joined);
            self.widened = true;
        }
        Ok(())
    }

    /// Numbers a loop whose header stands here.
    fn new_loop(&mut self, variable: Option<ScalarId>, span: Span) -> LoopId {
        self.loops.push(Loop { variable, span });
        LoopId(self.loops.len() - 1)
    }

    /// The number of the phase that the innermost label names.
    fn phase(&mut self) -> Phase {
        let label = self.label.as_deref().unwrap_or("main");
        if let Some(&number) = self.phase_numbers.get(label) {
            return Phase(number);
        }
        let number = u32::try_from(self.phases.len()).unwrap_or(u32::MAX);
        self.phases.push(label.to_owned());
        self.phase_numbers.insert(label.to_owned(), number);
        Phase(number)
    }

    /// The array of this name that is known here.
    fn array(&self, name: &str) -> Option<ArrayId> {
        if let Some(alias) = self.aliases.arrays.get(name) {
            return Some(alias.array);
        }
        let first = self.local.unwrap_or(self.arrays.len());
        let local = self.arrays.iter().enumerate().skip(first);
        let mut known = self.arrays.iter().enumerate().take(self.above).chain(local);
        known.find(|(_, it)| it.name == name).map(|it| ArrayId(it.0))
    }

    /// What kind of thing other than a scalar bears this name.
    fn declared(&self, name: &str) -> Option<&'static str> {
        let is_array = self.array(name).is_some();
        let is_size = self.aliases.sizes.contains_key(name);
        let is_real = self.reals.iter().any(|it| it.name.text == name);
        let is_parameter = is_size || is_real || self.parameters.iter().any(|it| it.name == name);
        let is_procedure = self.procedures.iter().any(|it| it.name.text == name);
        let is_function = self.functions.iter().any(|it| it.name.text == name);
        let is_constant = self.constants.iter().any(|it| it.0 == name);
        let is_table = self.tables.iter().any(|it| it.name == name);
        match () {
            () if is_array => Some("an array"),
            () if is_parameter => Some("a parameter"),
            () if is_function => Some("a function"),
            () if is_procedure => Some("a procedure"),
            () if is_constant => Some("a constant"),
            () if is_table => Some("a table of constants"),
            () => None,
        }
    }
}

fn taken(name: &Name, by: &str) -> Diagnostic {
    Diagnostic::new(name.span, format!("`{}` is already {by}", name.text))
        .help("choose another name")
}
