//! Names of the listing as names of C++.

use std::collections::{BTreeMap, BTreeSet};

use crate::language::program::{ArrayId, Block, Expr, ExprKind, For, Program, ScalarId, Statement};

/// Words that C++ or this emitter uses; a listing's name among them gets an underscore.
const RESERVED: &[&str] = &[
    "abs",
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "arguments",
    "arrived",
    "asm",
    "atomicAdd",
    "auto",
    "before",
    "begin",
    "bitand",
    "bitor",
    "blockDim",
    "blockIdx",
    "blocks",
    "bool",
    "break",
    "case",
    "catch",
    "cell",
    "char",
    "class",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "count",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "end",
    "enum",
    "error",
    "explicit",
    "export",
    "extern",
    "fabs",
    "fabsf",
    "false",
    "fetch",
    "fetch_four",
    "fetched",
    "first",
    "float",
    "floor_divide",
    "floor_modulo",
    "for",
    "friend",
    "goto",
    "graph",
    "greatest",
    "gridDim",
    "grid_barrier",
    "if",
    "infinity",
    "inline",
    "input",
    "inputs",
    "int",
    "iterations",
    "k",
    "lane",
    "launches",
    "least",
    "long",
    "loop_length",
    "magnitude",
    "main",
    "milliseconds",
    "mixed",
    "mutable",
    "namespace",
    "neighbour",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "number",
    "operator",
    "or",
    "or_eq",
    "passed",
    "place",
    "private",
    "protected",
    "public",
    "quotient",
    "register",
    "reinterpret_cast",
    "repetition",
    "requires",
    "rest",
    "result",
    "return",
    "round",
    "row",
    "row_of",
    "rows",
    "run",
    "series",
    "shift_left",
    "short",
    "signed",
    "sizeof",
    "sqrt",
    "sqrtf",
    "static",
    "static_assert",
    "static_cast",
    "std",
    "stream",
    "stride",
    "struct",
    "switch",
    "template",
    "this",
    "threadIdx",
    "thread_local",
    "throw",
    "tile",
    "tiles",
    "true",
    "try",
    "turn",
    "typedef",
    "typeid",
    "typename",
    "u",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "warpSize",
    "wchar_t",
    "while",
    "whole",
    "wrapping_add",
    "wrapping_multiply",
    "wrapping_negate",
    "wrapping_subtract",
    "xor",
    "xor_eq",
];

/// A name of the listing that C++ accepts.
pub(super) fn plain(name: &str) -> String {
    // `last_i` is where the loop of `i` ends.
    let ours = ["__", "from_", "last_", "length_"].iter().any(|prefix| name.starts_with(prefix))
        || name.ends_with("_ahead");
    match ours || RESERVED.contains(&name) {
        true => format!("{name}_"),
        false => name.to_owned(),
    }
}

/// The C++ names of everything that one function mentions.
pub(super) struct Names {
    arrays: Vec<String>,
    parameters: Vec<String>,
    scalars: BTreeMap<ScalarId, String>,
}

impl Names {
    /// Names for a function that executes `block`. Arrays and parameters keep theirs. Loops that
    /// do not nest may share a variable's name; every other scalar's is its own.
    pub(super) fn new(program: &Program, block: &Block, outer: &[ScalarId]) -> Self {
        let arrays: Vec<_> = program.arrays.iter().map(|it| plain(&it.name)).collect();
        let parameters: Vec<_> = program.parameters.iter().map(|it| plain(&it.name)).collect();
        let mut names = Self { arrays, parameters, scalars: BTreeMap::new() };
        let mut taken: BTreeSet<String> =
            names.arrays.iter().chain(&names.parameters).cloned().collect();
        let mut scalars = Scalars::default();
        scalars.block(block);
        for &variable in &scalars.loops {
            let name = plain(&program.scalars[variable.0].name);
            taken.insert(name.clone());
            names.scalars.insert(variable, name);
        }
        for &scalar in outer.iter().chain(&scalars.others) {
            if names.scalars.contains_key(&scalar) {
                continue;
            }
            let name = plain(&program.scalars[scalar.0].name);
            let numbered = (2..).map(|number| format!("{name}_{number}"));
            let mut free = std::iter::once(name.clone()).chain(numbered);
            if let Some(free) = free.find(|it| !taken.contains(it)) {
                taken.insert(free.clone());
                names.scalars.insert(scalar, free);
            }
        }
        names
    }

    pub(super) fn array(&self, array: ArrayId) -> &str {
        &self.arrays[array.0]
    }

    pub(super) fn parameter(&self, index: usize) -> &str {
        &self.parameters[index]
    }

    pub(super) fn scalar(&self, scalar: ScalarId) -> &str {
        self.scalars.get(&scalar).map_or("", String::as_str)
    }

    /// A name for the number of a bulk run's inputs that no array or parameter has.
    pub(super) fn inputs(program: &Program) -> &'static str {
        let taken = program.arrays.iter().map(|it| &it.name);
        let taken = taken.chain(program.parameters.iter().map(|it| &it.name));
        match taken.chain(program.scalars.iter().map(|it| &it.name)).any(|name| name == "p") {
            true => "inputs",
            false => "p",
        }
    }
}

/// The scalars that a block mentions, in the order of its text.
#[derive(Default)]
pub(super) struct Scalars {
    /// Variables of loops.
    pub(super) loops: Vec<ScalarId>,
    /// Those assigned, by statements or as arguments of functions.
    pub(super) assigned: Vec<ScalarId>,
    read: Vec<ScalarId>,
    /// All but variables of loops.
    pub(super) others: Vec<ScalarId>,
}

impl Scalars {
    /// The scalars that a block reads, variables of loops apart.
    pub(super) fn read(block: &Block) -> Vec<ScalarId> {
        let mut scalars = Self::default();
        scalars.block(block);
        scalars.read
    }

    pub(super) fn block(&mut self, block: &Block) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign { target, value, .. } => {
                self.expr(value);
                self.assigns(*target);
            }
            Statement::Store { access, value, .. } => {
                self.expr(value);
                access.indices.iter().for_each(|it| self.expr(it));
            }
            Statement::For(For { range, body }) => {
                self.ranges(std::slice::from_ref(range));
                self.block(body);
            }
            Statement::Parallel(nest) => {
                self.ranges(&nest.ranges);
                self.block(&nest.body);
            }
            Statement::While { condition, body, .. } => {
                self.expr(condition);
                self.block(body);
            }
            Statement::If { condition, then, otherwise, .. } => {
                self.expr(condition);
                self.block(then);
                self.block(otherwise);
            }
            Statement::Labelled { body, .. } => self.block(body),
        }
    }

    pub(super) fn ranges(&mut self, ranges: &[crate::language::program::Range]) {
        for range in ranges {
            self.expr(&range.from);
            self.expr(&range.to);
            range.step.iter().for_each(|step| self.expr(step));
            self.loops.push(range.variable);
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        let mut found = vec![];
        expr.walk(&mut |it| match &it.kind {
            ExprKind::Scalar(scalar) => found.push((*scalar, false)),
            ExprKind::Let(scalar, _) => found.push((*scalar, true)),
            _ => {}
        });
        self.read.extend(found.iter().filter(|(_, assigned)| !assigned).map(|(it, _)| *it));
        for (scalar, assigned) in found {
            if assigned {
                self.assigns(scalar);
            } else if !self.loops.contains(&scalar) && !self.others.contains(&scalar) {
                self.others.push(scalar);
            }
        }
    }

    fn assigns(&mut self, scalar: ScalarId) {
        for list in [&mut self.assigned, &mut self.others] {
            if !list.contains(&scalar) {
                list.push(scalar);
            }
        }
    }
}
