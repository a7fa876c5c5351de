//! Names of the listing as names of C++.

use std::collections::{HashMap, HashSet};

use memory_machine_core::language::program::{
    ArrayId, Block, Expr, ExprKind, LoopRange, Program, ScalarId, Statement, TableId,
};
use memory_machine_core::language::walk::{statements, statements_outside};

/// A name of the listing in C++. It ends in `_`, as no word, macro or function of C++ and CUDA does,
/// nor anything that the emitter names itself, except what begins with `_`: such a name, and one
/// with letters that are not ASCII, is written between `u` and `_u`.
pub(super) fn of(name: &str) -> String {
    let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
    if name.starts_with(|it: char| it.is_ascii_alphabetic()) && name.chars().all(is_word) {
        return format!("{name}_");
    }
    let spelled = name.chars().map(|it| match is_word(it) {
        true => it.to_string(),
        false => format!("_{:x}_", u32::from(it)),
    });
    format!("u{}_u", spelled.collect::<String>())
}

/// Tells things of one name apart: the first keeps it, the others are numbered.
#[derive(Default)]
pub(super) struct Numbering {
    taken: HashSet<String>,
    next: HashMap<String, usize>,
}

impl Numbering {
    pub(super) fn unique(&mut self, name: String, numbered: impl Fn(usize) -> String) -> String {
        if self.taken.insert(name.clone()) {
            return name;
        }
        let next = self.next.entry(name).or_insert(2);
        loop {
            let name = numbered(*next);
            *next += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// The C++ names of everything that one function mentions.
pub(super) struct Names {
    arrays: Vec<String>,
    tables: Vec<String>,
    parameters: Vec<String>,
    scalars: HashMap<ScalarId, String>,
}

impl Names {
    /// Names for a function that executes a whole program. Loops that do not nest may share a
    /// variable's name; every other scalar's is its own.
    pub(super) fn of_program(program: &Program) -> Self {
        Self::new(program, &Scalars::of(&program.body), &[])
    }

    /// The same for one that executes a parallel loop and is given the scalars that it captures.
    pub(super) fn of_loop(program: &Program, source: &Statement, captured: &[ScalarId]) -> Self {
        Self::new(program, &Scalars::of_loop(source), captured)
    }

    fn new(program: &Program, scalars: &Scalars, first: &[ScalarId]) -> Self {
        let arrays: Vec<_> = program.arrays.iter().map(|it| of(&it.name)).collect();
        let tables: Vec<_> = program.tables.iter().map(|it| of(&it.name)).collect();
        let parameters: Vec<_> = program.parameters.iter().map(|it| of(&it.name)).collect();
        let named = |scalar: ScalarId| of(&program.scalars[scalar.0].name);
        let mut names: HashMap<_, _> = scalars.loops.iter().map(|&it| (it, named(it))).collect();
        let taken = arrays
            .iter()
            .chain(&tables)
            .chain(&parameters)
            .chain(names.values())
            .cloned()
            .collect();
        let mut numbering = Numbering { taken, next: HashMap::new() };
        for &scalar in first.iter().chain(scalars.others.iter()) {
            names.entry(scalar).or_insert_with(|| {
                let name = named(scalar);
                numbering.unique(name.clone(), |number| format!("{name}{number}_"))
            });
        }
        Self { arrays, tables, parameters, scalars: names }
    }

    pub(super) fn array(&self, array: ArrayId) -> &str {
        &self.arrays[array.0]
    }

    pub(super) fn table(&self, table: TableId) -> &str {
        &self.tables[table.0]
    }

    pub(super) fn parameter(&self, index: usize) -> &str {
        &self.parameters[index]
    }

    pub(super) fn scalar(&self, scalar: ScalarId) -> &str {
        self.scalars.get(&scalar).map_or("", String::as_str)
    }
}

/// Scalars in the order in which they were met.
#[derive(Default)]
pub(super) struct ScalarOrder {
    order: Vec<ScalarId>,
    known: HashSet<ScalarId>,
}

impl ScalarOrder {
    fn push(&mut self, scalar: ScalarId) {
        if self.known.insert(scalar) {
            self.order.push(scalar);
        }
    }

    pub(super) fn contains(&self, scalar: ScalarId) -> bool {
        self.known.contains(&scalar)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &ScalarId> {
        self.order.iter()
    }
}

/// The scalars that a block mentions, in the order of its text.
#[derive(Default)]
pub(super) struct Scalars {
    /// Variables of loops.
    pub(super) loops: ScalarOrder,
    /// Those assigned, by statements or as arguments of functions.
    pub(super) assigned: ScalarOrder,
    /// Those whose value something is made of.
    pub(super) read: ScalarOrder,
    /// All but variables of loops.
    pub(super) others: ScalarOrder,
}

impl Scalars {
    pub(super) fn of(block: &Block) -> Self {
        let mut scalars = Self::default();
        statements(block).for_each(|it| scalars.statement(it));
        scalars
    }

    /// Those that stand outside parallel loops.
    pub(super) fn outside_parallel(block: &Block) -> Self {
        let mut scalars = Self::default();
        statements_outside(block, Statement::is_parallel).for_each(|it| scalars.statement(it));
        scalars
    }

    pub(super) fn of_loop(source: &Statement) -> Self {
        let mut scalars = Self::default();
        scalars.statement(source);
        source.blocks().flat_map(statements).for_each(|it| scalars.statement(it));
        scalars
    }

    fn statement(&mut self, statement: &Statement) {
        self.variables(statement.ranges());
        statement.expressions().for_each(|it| self.expr(it));
        match statement {
            Statement::Assign { target, .. } => self.assigns(*target),
            Statement::Store { atomic: Some(atomic), .. } => {
                atomic.old.into_iter().for_each(|it| self.assigns(it));
            }
            _ => {}
        }
    }

    /// Come before the bounds: those of inner loops mention variables of outer ones.
    fn variables(&mut self, ranges: &[LoopRange]) {
        ranges.iter().for_each(|range| self.loops.push(range.variable));
    }

    fn expr(&mut self, expr: &Expr) {
        expr.parts().for_each(|it| match &it.kind {
            ExprKind::Scalar(scalar) => {
                self.read.push(*scalar);
                if !self.loops.contains(*scalar) {
                    self.others.push(*scalar);
                }
            }
            ExprKind::Let(scalar, _) => self.assigns(*scalar),
            _ => {}
        });
    }

    fn assigns(&mut self, scalar: ScalarId) {
        self.assigned.push(scalar);
        self.others.push(scalar);
    }
}
