//! The file: kernels one after another, what they call, and what launches them.

use super::block_size::Size;
use super::expression::{Expressions, INPUTS};
use super::intervals::Intervals;
use super::lines::Lines;
use super::names::{self, Names, Numbering, ScalarOrder, Scalars};
use super::nest::{self, Deal};
use super::statement::{LoopForm_, Statements};
use super::storage::type_word;
use super::{
    BLOCK, BULK_BLOCK, COOPERATIVE_BLOCK, Emission, HostCode, Kernel, Launch, LaunchGrid, Options,
    captured, of_loop, prelude, short_floats, title,
};
use super::{tiles, vector};
use memory_machine_core::diagnostic::Diagnostic;
use memory_machine_core::language::program::{ArrayId, Program, ScalarId, Statement};
use memory_machine_core::language::syntax::{Role, Type};
use memory_machine_core::language::walk::accesses;
use memory_machine_core::run::layout::Arrangement;

pub(super) struct Emitter<'a> {
    pub(super) program: &'a Program,
    pub(super) options: Options,
    /// The parallel loops, nests and loops on DMMs.
    pub(super) loops: Vec<&'a Statement>,
    /// Whether what is between them reads memory.
    reads: bool,
    /// Whether it writes memory.
    writes: bool,
    /// Scalars whose value something is made of.
    used: ScalarOrder,
    /// By parameter, its value if it is a constant of the file.
    pub(super) constants: &'a [Option<i64>],
    /// By loop on DMMs.
    pub(super) sizes: &'a [Size],
    pub(super) intervals: Intervals<'a>,
    /// The type of places, counts and sizes.
    pub(super) index: &'static str,
}

impl<'a> Emitter<'a> {
    pub(super) fn new(
        program: &'a Program,
        options: Options,
        outer: HostCode<'a>,
        constants: &'a [Option<i64>],
        sizes: &'a [Size],
    ) -> Self {
        let intervals = Intervals::new(program, constants);
        let is_narrow = options.bulk.is_none() && intervals.are_narrow();
        let index = if is_narrow { "int" } else { type_word(Type::I64) };
        let used = Scalars::of(&program.body).read;
        let HostCode { loops, reads, writes, .. } = outer;
        Self { program, options, loops, reads, writes, used, constants, sizes, intervals, index }
    }

    pub(super) fn file(&self) -> Result<Emission, Diagnostic> {
        let (kernels, code) = if self.loops.is_empty() {
            self.threads()
        } else if self.options.launch == Launch::Cooperative {
            self.cooperative()
        } else {
            let kernels = self.kernels("kernel");
            let code = self.loops.iter().zip(&kernels).map(|(source, kernel)| match source {
                Statement::Blocks(blocks) => self.blocks(blocks, source, kernel),
                _ => self.nest(source, kernel, "extern \"C\" __global__ void"),
            });
            let code = code.collect::<Vec<_>>().join("\n");
            (kernels, code)
        };
        let main = if self.options.standalone { self.standalone(&kernels)? } else { String::new() };
        Ok(self.with_declarations(kernels, code, main))
    }

    /// A cooperative kernel, and its loops as kernels.
    pub(super) fn between_barriers(&self) -> Emission {
        let mut kernels = self.kernels("alone");
        let qualifiers =
            format!("extern \"C\" __global__ void __launch_bounds__({COOPERATIVE_BLOCK})");
        let alone = self.loops.iter().zip(&kernels).map(|it| self.nest(it.0, it.1, &qualifiers));
        let alone = alone.collect::<Vec<_>>().join("\n");
        kernels.iter_mut().for_each(|it| it.threads = COOPERATIVE_BLOCK);
        let (whole, code) = self.cooperative();
        kernels.splice(..0, whole);
        self.with_declarations(kernels, format!("{code}\n{alone}"), String::new())
    }

    fn with_declarations(&self, kernels: Vec<Kernel>, code: String, main: String) -> Emission {
        let mut source =
            title::title(self.program, self.options, self.constants, !self.loops.is_empty());
        let prelude = prelude::needed(&format!("{code}{main}"));
        let constants = self.constants_declared(&format!("{code}{main}"));
        let tables = self.tables_declared(&code);
        let types = short_floats::needed(&[&*tables, &prelude, &code, &main]);
        for part in [constants, types, tables, prelude, code, main] {
            if !part.is_empty() {
                source.push('\n');
                source.push_str(&part);
            }
        }
        Emission { source, kernels, constants: self.constants.to_vec() }
    }

    /// A function for each parallel loop, called by the program, the phase if it has labels, and
    /// `what` it is.
    fn kernels(&self, what: &str) -> Vec<Kernel> {
        let mut numbering = Numbering::default();
        let kernel = |source: &&Statement| {
            let phase = phase_of(self.program, source).map_or(String::new(), names::of);
            let name = format!("{}{phase}{what}", names::of(&self.program.name));
            let name = numbering.unique(name.clone(), |number| format!("{name}_{number}"));
            let of = source.ranges().first().map(|range| range.id);
            let captured = captured(source);
            let names = Names::of_loop(self.program, source, &captured);
            let (grid, (threads, shared)) = match source {
                Statement::Blocks(blocks) => {
                    (LaunchGrid::Blocks, self.sizes[blocks.id.0].of_block())
                }
                _ => match Deal::of(source, self.options.launch, &self.expressions(&names)) {
                    Deal::Tiles(tiles) => {
                        (LaunchGrid::Tiles(tiles.tile()), (tiles::TILE_THREADS, 0))
                    }
                    Deal::Vectors(_) => (LaunchGrid::Threads(vector::WORDS as u32), (BLOCK, 0)),
                    _ => (LaunchGrid::Threads(1), (BLOCK, 0)),
                },
            };
            let choices = self.choices(source, grid, threads);
            Kernel { name, of, captured, grid, threads, shared, choices }
        };
        self.loops.iter().map(kernel).collect()
    }

    /// A parallel nest as a function whose threads share its iterations.
    fn nest(&self, source: &Statement, kernel: &Kernel, qualifiers: &str) -> String {
        let names = Names::of_loop(self.program, source, &kernel.captured);
        let mut statements = self.statements(&names, LoopForm_::Thread);
        statements
            .lines
            .line(&format!("// {}", self.described(source, &mut statements.expressions)));
        let arguments = self.declared(&names, &kernel.captured, None);
        statements.lines.open(&format!("{qualifiers} {}({arguments}) {{", kernel.name));
        let deal = Deal::of(source, self.options.launch, &statements.expressions);
        nest::deal(source, &deal, &mut statements);
        statements.lines.close("}");
        statements.lines.text
    }

    /// A parallel loop as the listing has it, with its phase, for a comment.
    pub(super) fn described(
        &self,
        source: &Statement,
        expressions: &mut Expressions<'_>,
    ) -> String {
        let loops = nest::describe(source.ranges(), expressions);
        match phase_of(self.program, source) {
            Some(phase) => format!("{phase}: {loops}"),
            None => loops,
        }
    }

    /// A program without parallel loops: a thread runs all of it.
    fn threads(&self) -> (Vec<Kernel>, String) {
        let names = Names::of_program(self.program);
        let mut statements = self.statements(&names, LoopForm_::Thread);
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
            statements.lines.line(&nest::first("long long").replace("first", "input"));
            statements.lines.line(&format!("if (input >= {INPUTS}) return;"));
        } else {
            statements.lines.line("if (blockIdx.x != 0 || threadIdx.x != 0) return;");
        }
        statements.declare(&self.program.body);
        statements.block(&self.program.body);
        statements.lines.close("}");
        code += &statements.lines.text;
        (vec![self.whole(name)], code)
    }

    /// The whole program as one kernel; nests are device functions.
    fn cooperative(&self) -> (Vec<Kernel>, String) {
        let nests = self.kernels("nest");
        let mut code = String::new();
        for (source, kernel) in self.loops.iter().zip(&nests) {
            code += &self.nest(source, kernel, "__device__ void");
            code.push('\n');
        }
        let names = Names::of_program(self.program);
        let call = |source: &Statement, expressions: &mut Expressions<'_>| {
            self.kernel_of(&nests, source).map_or_else(String::new, |index| {
                let kernel = &nests[index];
                let arguments = self.passed(expressions.names, &kernel.captured);
                format!("{}({arguments});", kernel.name)
            })
        };
        let place = LoopForm_::Cooperative { call: &call, reads: self.reads };
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
        if self.writes {
            statements.lines.line(&nest::first(self.index));
        }
        statements.declare(&self.program.body);
        statements.block(&self.program.body);
        statements.lines.close("}");
        code += &statements.lines.text;
        (vec![self.whole(name)], code)
    }

    /// The kernel of a whole program.
    fn whole(&self, name: String) -> Kernel {
        let choices = self.choices_of_program();
        let (grid, threads, shared) = (LaunchGrid::Program, 0, 0);
        Kernel { name, of: None, captured: vec![], grid, threads, shared, choices }
    }

    /// The index of a parallel loop's kernel.
    pub(super) fn kernel_of(&self, kernels: &[Kernel], source: &Statement) -> Option<usize> {
        of_loop(kernels, source.ranges().first()?.id)
    }

    pub(super) fn statements<'b>(
        &'b self,
        names: &'b Names,
        place: LoopForm_<'b>,
    ) -> Statements<'b> {
        let bulk = self.options.bulk.is_some();
        let expressions = self.expressions(names);
        let prefetch = self.options.prefetch;
        let block_threads = if bulk { BULK_BLOCK } else { 0 };
        Statements {
            lines: Lines::default(),
            expressions,
            place,
            prefetch,
            block_threads,
            shared: 0,
            side_by_side: self.options.bulk == Some(Arrangement::ColumnWise),
            alike: Some(vec![]),
        }
    }

    pub(super) fn expressions<'b>(&'b self, names: &'b Names) -> Expressions<'b> {
        let bulk = self.options.bulk.is_some();
        Expressions::new(self.program, names, &self.used, &self.intervals, self.index, bulk)
    }

    /// The arguments of a function, with their types.
    pub(super) fn declared(
        &self,
        names: &Names,
        captured: &[ScalarId],
        extra: Option<String>,
    ) -> String {
        // Between a cooperative kernel's barriers other threads change what a thread has read.
        let cooperative = self.options.launch == Launch::Cooperative;
        let pointer = |id: ArrayId| {
            let array = &self.program.arrays[id.0];
            let element = type_word(array.element);
            match array.role {
                Role::Input => format!("const {element} *__restrict__ "),
                _ if cooperative => format!("{element} *"),
                _ => format!("{element} *__restrict__ "),
            }
        };
        self.arguments(names, captured, pointer, extra)
    }

    /// The same, each array as `pointer` says.
    pub(super) fn arguments(
        &self,
        names: &Names,
        captured: &[ScalarId],
        pointer: impl Fn(ArrayId) -> String,
        extra: Option<String>,
    ) -> String {
        let arrays = self.arrays().map(|id| format!("{}{}", pointer(id), names.array(id)));
        let numbers = self.numbers(names, captured, true);
        arrays.chain(numbers).chain(extra).collect::<Vec<_>>().join(", ")
    }

    /// The global arrays.
    fn arrays(&self) -> impl Iterator<Item = ArrayId> {
        (0..self.program.global_arrays().count()).map(ArrayId)
    }

    /// The parameters that are no constants, and scalars, with their types if they are `typed`.
    pub(super) fn numbers<'b>(
        &self,
        names: &'b Names,
        captured: &[ScalarId],
        typed: bool,
    ) -> Vec<String> {
        let argument = |element, name: &'b str| match typed {
            true => format!("{} {name}", self.word(element)),
            false => name.to_owned(),
        };
        let parameters = self.constants.iter().enumerate().filter(|(_, it)| it.is_none());
        let parameters = parameters.map(|(index, _)| argument(Type::I64, names.parameter(index)));
        let element = |scalar: &ScalarId| self.program.scalars[scalar.0].element;
        let scalars = captured.iter().map(|it| argument(element(it), names.scalar(*it)));
        parameters.chain(scalars).collect()
    }

    /// Whether a parameter is no constant.
    pub(super) fn is_free(&self, parameter: usize) -> bool {
        self.constants[parameter].is_none()
    }

    /// The type of scalars.
    pub(super) fn word(&self, element: Type) -> &'static str {
        if element == Type::I64 { self.index } else { type_word(element) }
    }

    /// The arguments as they are passed on under the same names.
    pub(super) fn passed(&self, names: &Names, captured: &[ScalarId]) -> String {
        let arrays = self.arrays().map(|id| names.array(id).to_owned());
        let numbers = self.numbers(names, captured, false);
        arrays.chain(numbers).collect::<Vec<_>>().join(", ")
    }
}

/// The label under which a parallel loop stands, if there is one.
fn phase_of<'a>(program: &'a Program, source: &Statement) -> Option<&'a str> {
    let sites = source.blocks().flat_map(accesses).map(|access| &program.sites[access.site.0]);
    let mut sites = sites.filter(|site| program.arrays[site.array.0].role != Role::Register);
    let first = sites.next()?.phase;
    let phase = &program.phases[first.0 as usize];
    let is_one = source.is_nest() || sites.all(|site| site.phase == first);
    (is_one && (program.phases.len() > 1 || phase != "main")).then_some(phase)
}
