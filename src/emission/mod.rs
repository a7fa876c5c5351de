//! From a checked program to CUDA C that runs the same algorithm, bit by bit.
//!
//! A program without parallel loops is one kernel: a bulk run has one thread an input and one
//! function that says where a cell lies. A parallel nest is one kernel, flattened in lexicographic
//! order, so that what is coalesced in the listing is coalesced on the device; the sequential
//! statements around nests launch them from the host, or stand with them in one cooperative kernel
//! with barriers of the whole grid. This is the conversion that Tani et al. 2014, Section VI,
//! leave to future work.
//!
//! What a listing says is kept to the last bit: sums and products are rounded one by one, integers
//! wrap, quotients round down. What a run on the machine checks is not: indices outside their
//! array, divisions by zero and conversions that do not fit have no defined result. Threads of one
//! nest must not wait for each other's values: `umm check` finds such races.

mod expression;
mod names;
mod nest;
mod prefetch;
mod prelude;
mod random;
mod standalone;
mod statement;
mod storage;
mod title;

use std::collections::HashSet;

use self::expression::{Expressions, INPUTS, type_word};
use self::names::{Met, Names, Numbering, Scalars};
use self::nest::Shape;
pub use self::nest::{is_walked, iterations};
use self::statement::{Lines, Place, Statements};
pub use self::storage::{array_bytes, bytes, bytes_of};
use crate::diagnostic::{Diagnostic, Located, Span};
use crate::language::program::{ArrayId, Expr, LoopId, Nest, Program, Range, ScalarId, Statement};
use crate::language::syntax::{Role, Type};
use crate::language::walk::{accesses, nests, statements, statements_outside};
use crate::run::layout::Arrangement;
use crate::trace::Kind;
use crate::word::words;

/// Threads of a block that share a nest.
pub const BLOCK: u32 = 128;

/// Threads of a block of a cooperative kernel: large, since every block comes to every barrier.
pub const COOPERATIVE_BLOCK: u32 = 1024;

/// Threads of a block of a bulk run.
pub const BULK_BLOCK: u32 = 64;

/// Iterations by which a bulk run's reads are made ahead of their place, where that changes no
/// value.
pub const PREFETCH: u32 = 128;

/// Arguments of one kernel: CUDA passes 32,764 bytes.
const MOST_ARGUMENTS: usize = 4095;
/// Arguments of all kernels together: every kernel takes every array.
const MOST_PASSED: usize = 1 << 20;

/// The most that `--prefetch` takes: the iterations that a ring of reads under way holds.
pub const MOST_PREFETCH: u32 = PREFETCH;

/// How the sequential statements around parallel nests are carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Launch {
    /// By the host, a launch a nest.
    Plain,
    /// The same launches, captured once in a CUDA graph and replayed.
    Graph,
    /// In one cooperative kernel, with a barrier of the whole grid after each nest.
    Cooperative,
}

impl Launch {
    /// Every way; a listing that is told none takes the first that it allows.
    pub const ALL: [Self; 3] = [Self::Plain, Self::Graph, Self::Cooperative];
}

words! { Launch {
    Plain "plain" "The host launches a kernel for each parallel nest"
    Graph "graph" "The same launches, captured once in a CUDA graph"
    Cooperative "cooperative" "One cooperative kernel, with barriers of the whole grid"
} }

/// What to emit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Options {
    /// The arrangement of a bulk run; `None` for a run that is none.
    pub bulk: Option<Arrangement>,
    /// How statements around parallel nests are carried out.
    pub launch: Launch,
    /// Iterations by which reads are made ahead of their place; 1 for each in its place.
    pub prefetch: u32,
    /// Whether a `main` follows that allocates, runs, and times.
    pub standalone: bool,
}

/// A `__global__` function. Its arguments: the arrays, the parameters, the scalars that it captures,
/// and for a bulk run the number of inputs, for a cooperative kernel the barrier's counter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// As in the source.
    pub name: String,
    /// The nest that it executes; `None` for a whole program.
    pub nest: Option<LoopId>,
    /// Scalars from outside the nest, which come as arguments after the parameters.
    pub captured: Vec<ScalarId>,
}

/// A file of CUDA C.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Emission {
    /// The whole text.
    pub source: String,
    /// In the order of the source.
    pub kernels: Vec<Kernel>,
}

impl Emission {
    /// Adds a line of comment at the top, below what the file is.
    pub fn remark(&mut self, text: &str) {
        let end = self.source.find('\n').map_or(0, |at| at + 1);
        self.source.insert_str(end, &format!("// {text}\n"));
    }

    /// The kernel of a nest, and its number.
    pub fn of_nest(&self, nest: &Nest) -> Option<(usize, &Kernel)> {
        of_nest(&self.kernels, nest).map(|index| (index, &self.kernels[index]))
    }
}

/// The launches that a program allows: those of its parallel nests where no sequential statement
/// accesses memory, since that stays on the device.
pub fn launches(program: &Program) -> &'static [Launch] {
    let outer = Outer::of(program);
    match (outer.nests.is_empty(), outer.access) {
        (true, _) => &[Launch::Plain],
        (false, None) => &Launch::ALL,
        (false, Some(_)) => &[Launch::Cooperative],
    }
}

/// Emits a program.
///
/// # Errors
/// A loop on DMMs; a launch that the program does not allow, with the statement that prevents it; a bulk run of a
/// parallel program.
pub fn emit(program: &Program, options: Options) -> Result<Emission, Box<Located>> {
    let located = |diagnostic| Box::new(Located { source: program.source.clone(), diagnostic });
    if let Some(span) = program.first_loop_on_dmms() {
        let error = Diagnostic::new(span, "loops on DMMs are not emitted as CUDA C yet");
        return Err(located(error.help("time it: umm run -m hmm")));
    }
    let outer = Outer::of(program);
    if let (Some(_), Some(span)) = (options.bulk, program.first_parallel_loop()) {
        let error = Diagnostic::new(span, "a bulk run executes a sequential program");
        return Err(located(error.label("this loop is parallel").help("leave out --bulk")));
    }
    if !launches(program).contains(&options.launch) {
        let error = match outer.access.filter(|_| !outer.nests.is_empty()) {
            Some(span) => {
                Diagnostic::new(span, "a statement between parallel loops accesses memory")
                    .label("the host cannot do this between launches")
                    .help("keep it on the device: --launch cooperative")
            }
            None => {
                Diagnostic::new(Span::default(), "a program without parallel loops is one kernel")
                    .help("leave out --launch")
            }
        };
        return Err(located(error));
    }
    if let Some(span) = outer.nests.iter().find_map(|nest| bounds_written(nest)) {
        let error = Diagnostic::new(span, "the loop's bounds read an array that the loop writes");
        return Err(located(error.help("read the bound into a scalar before the loop")));
    }
    let given = program.arrays.len() + program.parameters.len();
    let captured = outer.nests.iter().map(|nest| nest::captured(nest).len()).max().unwrap_or(0);
    if given + captured + 1 > MOST_ARGUMENTS || given * outer.nests.len() > MOST_PASSED {
        let kernels = outer.nests.len().max(1);
        let message = format!(
            "{kernels} kernels of {given} arrays and parameters, and up to {captured} scalars"
        );
        let help = format!(
            "a kernel takes at most {MOST_ARGUMENTS}, all kernels together {MOST_PASSED}: declare \
             fewer arrays, or use fewer scalars in one loop"
        );
        return Err(located(Diagnostic::new(Span::default(), message).help(help)));
    }
    let used = Scalars::of(&program.body).read;
    let emitter = Emitter { program, options, nests: outer.nests, reads: outer.reads, used };
    Ok(emitter.file())
}

/// What stands outside parallel nests.
struct Outer<'a> {
    nests: Vec<&'a Nest>,
    /// The first access to memory.
    access: Option<Span>,
    reads: bool,
}

impl<'a> Outer<'a> {
    fn of(program: &'a Program) -> Self {
        let accesses =
            || statements_outside(&program.body, Statement::is_nest).flat_map(Statement::accesses);
        Self {
            nests: nests(&program.body).collect(),
            access: accesses().next().map(|it| it.span),
            reads: accesses().any(|it| program.sites[it.site.0].kind == Kind::Read),
        }
    }
}

/// The bounds of a nest that read an array which its body writes.
fn bounds_written(nest: &Nest) -> Option<Span> {
    let stored = statements(&nest.body).filter_map(|it| match it {
        Statement::Store { access, .. } => Some(access.array),
        _ => None,
    });
    let written: HashSet<ArrayId> = stored.collect();
    let bounds = nest.ranges.iter().flat_map(Range::bounds);
    bounds.flat_map(Expr::reads).find(|it| written.contains(&it.array)).map(|it| it.span)
}

struct Emitter<'a> {
    program: &'a Program,
    options: Options,
    nests: Vec<&'a Nest>,
    reads: bool,
    /// Scalars whose value something is made of.
    used: Met,
}

const FIRST: &str = "const long long first = blockIdx.x * (long long)blockDim.x + threadIdx.x;";
const STRIDE: &str = "const long long stride = gridDim.x * (long long)blockDim.x;";

impl<'a> Emitter<'a> {
    fn file(&self) -> Emission {
        let (kernels, code) = if self.nests.is_empty() {
            self.threads()
        } else if self.options.launch == Launch::Cooperative {
            self.cooperative()
        } else {
            let kernels = self.kernels("kernel");
            let code = self
                .nests
                .iter()
                .zip(&kernels)
                .map(|(nest, kernel)| self.nest(nest, kernel, "extern \"C\" __global__ void"));
            let code = code.collect::<Vec<_>>().join("\n");
            (kernels, code)
        };
        let main = if self.options.standalone { self.standalone(&kernels) } else { String::new() };
        let mut source = title::title(self.program, self.options, !self.nests.is_empty());
        let prelude = prelude::needed(&format!("{code}{main}"));
        for part in [prelude, code, main] {
            if !part.is_empty() {
                source.push('\n');
                source.push_str(&part);
            }
        }
        Emission { source, kernels }
    }

    /// A function for each nest, called by the program, the phase if it has labels, and `what` it
    /// is.
    fn kernels(&self, what: &str) -> Vec<Kernel> {
        let mut numbering = Numbering::default();
        let kernel = |nest: &&Nest| {
            let phase = phase_of(self.program, nest).map_or(String::new(), names::of);
            let name = format!("{}{phase}{what}", names::of(&self.program.name));
            let name = numbering.unique(name.clone(), |number| format!("{name}_{number}"));
            Kernel { name, nest: Some(nest.id()), captured: nest::captured(nest) }
        };
        self.nests.iter().map(kernel).collect()
    }

    /// A parallel nest as a function whose threads share its iterations.
    fn nest(&self, nest: &Nest, kernel: &Kernel, qualifiers: &str) -> String {
        let names = Names::of_nest(self.program, nest, &kernel.captured);
        let mut statements = self.statements(&names, Place::Thread);
        let shape = Shape::of(nest);
        let comment = nest::describe(nest, &names, &mut statements.expressions);
        let phase =
            phase_of(self.program, nest).map_or(String::new(), |phase| format!("{phase}: "));
        statements.lines.line(&format!("// {phase}{comment}"));
        let arguments = self.declared(&names, &kernel.captured, None);
        statements.lines.open(&format!("{qualifiers} {}({arguments}) {{", kernel.name));
        statements.lines.line(FIRST);
        statements.lines.line(STRIDE);
        nest::count(nest, &shape, &mut statements.lines, &mut statements.expressions);
        nest::body(nest, &shape, &mut statements);
        statements.lines.close("}");
        statements.lines.text
    }

    /// A program without parallel loops: a thread runs all of it.
    fn threads(&self) -> (Vec<Kernel>, String) {
        let names = Names::of_program(self.program);
        let mut statements = self.statements(&names, Place::Thread);
        let name = format!("{}kernel", names::of(&self.program.name));
        let bulk = self.options.bulk.is_some();
        let extra = bulk.then(|| format!("long long {INPUTS}"));
        let mut code = String::new();
        if let Some(arrangement) = self.options.bulk {
            code += match arrangement {
                Arrangement::RowWise => {
                    "// Row-wise: input after input.\n\
                     __device__ __forceinline__ long long place(long long cell, long long cells, long long input, long long) {\n    \
                     return input * cells + cell;\n}\n\n"
                }
                Arrangement::ColumnWise => {
                    "// Column-wise: all inputs' first cells, then all their second, and so on.\n\
                     __device__ __forceinline__ long long place(long long cell, long long, long long input, long long inputs) {\n    \
                     return cell * inputs + input;\n}\n\n"
                }
            };
        }
        statements.lines.line(match self.options.bulk {
            Some(_) => "// Thread j runs the program on input j.",
            None => "// One thread runs the program.",
        });
        let arguments = self.declared(&names, &[], extra);
        let bounds = match bulk {
            true => format!("__launch_bounds__({BULK_BLOCK}) "),
            false => String::new(),
        };
        statements
            .lines
            .open(&format!("extern \"C\" __global__ void {bounds}{name}({arguments}) {{"));
        if bulk {
            statements.lines.line(&FIRST.replace("first", "input"));
            statements.lines.line(&format!("if (input >= {INPUTS}) return;"));
        } else {
            statements.lines.line("if (blockIdx.x != 0 || threadIdx.x != 0) return;");
        }
        statements.declare(&self.program.body);
        statements.block(&self.program.body);
        statements.lines.close("}");
        code += &statements.lines.text;
        (vec![Kernel { name, nest: None, captured: vec![] }], code)
    }

    /// The whole program as one kernel; nests are device functions.
    fn cooperative(&self) -> (Vec<Kernel>, String) {
        let nests = self.kernels("nest");
        let mut code = String::new();
        for (nest, kernel) in self.nests.iter().zip(&nests) {
            code += &self.nest(nest, kernel, "__device__ void");
            code.push('\n');
        }
        let names = Names::of_program(self.program);
        let call = |nest: &Nest, expressions: &mut Expressions<'_>| {
            of_nest(&nests, nest).map_or_else(String::new, |index| {
                let kernel = &nests[index];
                let arguments = self.passed(expressions.names, &kernel.captured);
                format!("{}({arguments});", kernel.name)
            })
        };
        let place = Place::Cooperative { call: &call, reads: self.reads };
        let mut statements = self.statements(&names, place);
        let name = format!("{}cooperative", names::of(&self.program.name));
        statements.lines.line(
            "// Every thread follows the sequential statements; those of the grid share each nest.",
        );
        let arguments = self.declared(&names, &[], Some("unsigned *arrived".to_owned()));
        statements.lines.open(&format!(
            "extern \"C\" __global__ void __launch_bounds__({COOPERATIVE_BLOCK}) {name}({arguments}) {{"
        ));
        statements.lines.line("unsigned round = 0;");
        if launches(self.program) == [Launch::Cooperative] {
            statements.lines.line(FIRST);
        }
        statements.declare(&self.program.body);
        statements.block(&self.program.body);
        statements.lines.close("}");
        code += &statements.lines.text;
        (vec![Kernel { name, nest: None, captured: vec![] }], code)
    }

    fn statements<'b>(&'b self, names: &'b Names, place: Place<'b>) -> Statements<'b> {
        let bulk = self.options.bulk.is_some();
        let expressions = Expressions::new(self.program, names, bulk);
        let prefetch = self.options.prefetch;
        let block_threads = if bulk { BULK_BLOCK } else { 0 };
        Statements {
            lines: Lines::default(),
            expressions,
            place,
            prefetch,
            block_threads,
            used: &self.used,
            side_by_side: self.options.bulk == Some(Arrangement::ColumnWise),
            alike: Some(vec![]),
        }
    }

    /// The arguments of a function, with their types.
    fn declared(&self, names: &Names, captured: &[ScalarId], extra: Option<String>) -> String {
        // Between a cooperative kernel's barriers other threads change what a thread has read.
        let cooperative = self.options.launch == Launch::Cooperative;
        let arrays = self.program.arrays.iter().enumerate().map(|(index, array)| {
            let name = names.array(ArrayId(index));
            let element = type_word(array.element);
            match array.role {
                Role::Input => format!("const {element} *__restrict__ {name}"),
                _ if cooperative => format!("{element} *{name}"),
                _ => format!("{element} *__restrict__ {name}"),
            }
        });
        let parameters = (0..self.program.parameters.len())
            .map(|index| format!("{} {}", type_word(Type::I64), names.parameter(index)));
        let scalars = captured.iter().map(|scalar| {
            let element = self.program.scalars[scalar.0].element;
            format!("{} {}", type_word(element), names.scalar(*scalar))
        });
        arrays.chain(parameters).chain(scalars).chain(extra).collect::<Vec<_>>().join(", ")
    }

    /// The same, as they are passed on under the same names.
    fn passed(&self, names: &Names, captured: &[ScalarId]) -> String {
        let arrays = (0..self.program.arrays.len()).map(|index| names.array(ArrayId(index)));
        let parameters = (0..self.program.parameters.len()).map(|index| names.parameter(index));
        let scalars = captured.iter().map(|scalar| names.scalar(*scalar));
        arrays.chain(parameters).chain(scalars).collect::<Vec<_>>().join(", ")
    }
}

/// The index of a nest's kernel. Kernels stand in the order of their nests.
fn of_nest(kernels: &[Kernel], nest: &Nest) -> Option<usize> {
    kernels.binary_search_by_key(&Some(nest.id()), |kernel| kernel.nest).ok()
}

/// The label under which a nest stands, if there is one.
fn phase_of<'a>(program: &'a Program, nest: &Nest) -> Option<&'a str> {
    let first = accesses(&nest.body).next()?;
    let phase = &program.phases[program.sites[first.site.0].phase.0 as usize];
    (program.phases.len() > 1 || phase != "main").then_some(phase)
}
