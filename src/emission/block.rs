//! Loops on DMMs: each is a kernel, each of its blocks a block of threads.

use super::barriers::Barriers;
use super::emitter::Emitter;
use super::expression::type_word;
use super::names::Names;
use super::nest::{self, Deal};
use super::statement::{Place, Statements};
use super::storage::{bytes_of, cells_of, constant};
use super::{Kernel, MOST_THREADS};
use crate::diagnostic::Diagnostic;
use crate::language::program::{
    Array, ArrayId, BlockShape, Blocks, Expr, ExprKind, LoopRange, Program, Statement,
};
use crate::language::syntax::Role;
use crate::language::walk::accesses;
use crate::trace::AccessKind;

/// Bytes of shared memory that a kernel may declare with their sizes.
const DECLARED: u64 = 48 << 10;
/// Arrays in shared memory begin at multiples of so many bytes.
const ALIGNED: u64 = 16;
/// Rounds of a nest that are unrolled.
const UNROLLED: i64 = 16;
/// Rounds that are unrolled so that arrays of registers are registers.
const REGISTERS: i64 = 128;
/// A nest is dealt as a box if that has no more cells for each thread.
const BOXED: i64 = 256;

/// What the blocks of a loop on DMMs take, with the values that shape them.
#[derive(Debug, Clone)]
pub(super) struct Size {
    threads: u32,
    /// Of each shared array: where it begins, in bytes.
    places: Vec<(ArrayId, u64)>,
    bytes: u64,
}

impl Size {
    const fn is_dynamic(&self) -> bool {
        self.bytes > DECLARED
    }

    /// Its shared memory, in a sentence.
    pub(super) fn described(&self) -> String {
        let Self { bytes, .. } = self;
        match (bytes, self.is_dynamic()) {
            (0, _) => "shared memory: none".to_owned(),
            (_, false) => format!("shared memory: {bytes} bytes, declared"),
            (_, true) => format!("shared memory: {bytes} bytes, asked for at the launch"),
        }
    }

    /// Threads of a block, and bytes of its dynamic shared memory.
    pub(super) const fn of_block(&self) -> (u32, u32) {
        (self.threads, if self.is_dynamic() { self.bytes as u32 } else { 0 })
    }
}

/// The parameters that are constants of the file: if there are given sizes, those and the others'
/// defaults; and those that shape blocks.
///
/// # Errors
/// One that shapes blocks and has neither a size nor a default.
pub(super) fn constants(
    program: &Program,
    sizes: &[Option<i64>],
) -> Result<Vec<Option<i64>>, Diagnostic> {
    let is_given = program.is_unfolded || sizes.iter().any(Option::is_some);
    let parameters = program.parameters.iter().enumerate();
    let mut constants: Vec<Option<i64>> = parameters
        .map(|(at, it)| sizes.get(at).copied().flatten().or(it.default.filter(|_| is_given)))
        .collect();
    let local = program.arrays.iter().filter(|it| it.role.is_local());
    let extents = local.flat_map(|it| &it.extents);
    let shapes = extents.chain(program.blocks.iter().map(|it| &it.threads));
    for part in shapes.flat_map(Expr::parts) {
        let ExprKind::Parameter(id) = part.kind else { continue };
        let parameter = &program.parameters[id.0];
        let known = &mut constants[id.0];
        *known = known.or(parameter.default);
        if known.is_none() {
            let name = &parameter.name;
            let what = match program.blocks.is_empty() {
                true => "arrays of registers",
                false => "blocks of threads",
            };
            let message = format!("`{name}` shapes {what}, so code needs its value");
            let help = format!("give it: --set {name}=64");
            return Err(Diagnostic::new(part.span, message).help(help));
        }
    }
    Ok(constants)
}

/// What the blocks of each loop on DMMs take.
///
/// # Errors
/// Shapes that no GPU has.
pub(super) fn sizes(program: &Program, constants: &[Option<i64>]) -> Result<Vec<Size>, Diagnostic> {
    let size = |shape: &BlockShape| {
        let error = |span, message: String| Diagnostic::new(span, message).help("change --set");
        let threads = constant(&shape.threads, constants).and_then(|it| u32::try_from(it).ok());
        let span = shape.threads.span;
        let Some(threads) = threads.filter(|it| (1..=MOST_THREADS).contains(it)) else {
            let message = format!("a block on a GPU has 1 to {MOST_THREADS} threads");
            return Err(error(span, message));
        };
        let (mut places, mut bytes) = (vec![], 0_u64);
        for id in shape.arrays.clone().map(ArrayId) {
            let array = &program.arrays[id.0];
            let cells = cells_of(array, constants).filter(|it| *it < 1 << 20);
            let Some(cells) = cells else {
                let message =
                    format!("`{}` has no size that a block on a GPU can hold", array.name);
                return Err(error(array.span, message));
            };
            if array.role == Role::Shared {
                places.push((id, bytes));
                bytes += (cells * bytes_of(array.element)).next_multiple_of(ALIGNED);
            }
        }
        Ok(Size { threads, places, bytes })
    };
    program.blocks.iter().map(size).collect()
}

impl Emitter<'_> {
    /// A loop on DMMs as a kernel.
    pub(super) fn blocks(&self, blocks: &Blocks, source: &Statement, kernel: &Kernel) -> String {
        let names = Names::of_loop(self.program, source, &kernel.captured);
        let size = &self.sizes[blocks.id.0];
        let barriers = Barriers::of(self.program, blocks);
        let threads = i64::from(size.threads);
        let mut statements = self.statements(&names, Place::Block { threads, barriers: &barriers });
        statements.prefetch = 1;
        statements.expressions.of_thread_0 = true;
        let described = self.described(source, &mut statements.expressions);
        statements.lines.line(&format!("// {described} on DMMs"));
        statements.lines.comments(&kernel.choices);
        let pointer = |id: ArrayId| self.pointer(id, blocks);
        let arguments = self.arguments(&names, &kernel.captured, pointer, None);
        statements.lines.open(&format!(
            "extern \"C\" __global__ void __launch_bounds__({threads}) {}({arguments}) {{",
            kernel.name
        ));
        self.local_arrays(blocks, &names, &mut statements);
        nest::deal(source, &Deal::Blocks, &mut statements);
        statements.lines.close("}");
        statements.lines.text
    }

    /// How a block sees a global array: what it writes and reads again, other threads may have
    /// written in between.
    fn pointer(&self, id: ArrayId, blocks: &Blocks) -> String {
        let accesses = || accesses(&blocks.body).filter(|access| access.array == id);
        let is = |kind| accesses().any(|access| self.program.sites[access.site.0].kind == kind);
        let element = type_word(self.program.arrays[id.0].element);
        match (is(AccessKind::Read), is(AccessKind::Write)) {
            (_, false) => format!("const {element} *__restrict__ "),
            (false, true) => format!("{element} *__restrict__ "),
            (true, true) => format!("{element} *"),
        }
    }

    fn local_arrays(&self, blocks: &Blocks, names: &Names, statements: &mut Statements<'_>) {
        let size = &self.sizes[blocks.id.0];
        if size.is_dynamic() {
            let line = format!("extern __shared__ __align__({ALIGNED}) unsigned char shared[];");
            statements.lines.line(&line);
        }
        for at in self.program.blocks[blocks.id.0].arrays.clone() {
            let array = &self.program.arrays[at];
            let (name, element) = (names.array(ArrayId(at)), type_word(array.element));
            let declared = declared(array, name, self.constants);
            let place = size.places.iter().find(|(id, _)| id.0 == at).map(|(_, place)| *place);
            statements.lines.line(&match place {
                Some(place) if size.is_dynamic() => {
                    format!("{element} *const {name} = ({element} *)(shared + {place});")
                }
                Some(_) => format!("__shared__ __align__({ALIGNED}) {declared}"),
                None => declared,
            });
        }
    }
}

/// The declaration of a local array.
pub(super) fn declared(array: &Array, name: &str, constants: &[Option<i64>]) -> String {
    let (element, cells) = (type_word(array.element), cells_of(array, constants).unwrap_or(1));
    match array.extents.is_empty() {
        true => format!("{element} {name};"),
        false => format!("{element} {name}[{cells}];"),
    }
}

impl Statements<'_> {
    /// A nest of a block, shared by its threads. Which of them has an iteration is told by the model;
    /// but unless it is remembered in registers, the result does not tell.
    pub(super) fn nest_of_block(&mut self, source: &Statement, threads: i64) {
        let ranges = source.ranges();
        let phrase = nest::describe(ranges, &mut self.expressions);
        self.lines.line(&format!("// {phrase}"));
        let arrays = &self.expressions.program.arrays;
        let mut inside = source.blocks().flat_map(accesses);
        let keeps = inside.any(|access| arrays[access.array.0].role == Role::Register);
        let lengths: Vec<i64> =
            ranges.iter().map(|range| self.expressions.intervals.length(range)).collect();
        let cells = lengths.iter().fold(1_i64, |product, &it| product.saturating_mul(it));
        let fixed = ranges.iter().all(|range| self.has_fixed_length(range));
        // A bound that memory decides is looked at once, before the nest.
        let decided =
            ranges.iter().flat_map(LoopRange::bounds).any(|it| it.reads().next().is_some());
        let most = threads.saturating_mul(if keeps { REGISTERS } else { BOXED });
        // A box spares several loops a division, but registers would tell its other order; one loop
        // it lets be unrolled, so that registers are registers.
        let helps = keeps == (ranges.len() == 1);
        if fixed || helps && !decided && cells <= most {
            return self.boxed(source, &lengths, threads, keeps);
        }
        self.lines.open("{");
        nest::deal(source, &Deal::Threads(threads), self);
        self.lines.close("}");
    }

    fn has_fixed_length(&self, range: &LoopRange) -> bool {
        let is_fixed = |it: &Expr| self.expressions.intervals.of(it).value().is_some();
        range.bounds().all(is_fixed)
    }

    /// Opens the loop over rounds of a nest of so many iterations: thread `thread` has `number`.
    fn rounds(&mut self, cells: i64, threads: i64, most_unrolled: i64) {
        let index = self.expressions.index;
        let rounds = (cells + threads - 1) / threads;
        if rounds <= most_unrolled {
            self.lines.line("#pragma unroll");
        }
        self.lines.open(&format!("for ({index} round = 0; round < {rounds}; round++) {{"));
        self.lines.line(&format!("const {index} thread = threadIdx.x;"));
        self.lines.line(&format!("const {index} number = round * {threads} + thread;"));
    }

    /// A nest as a box of the most iterations that each of its loops has; threads whose number means
    /// none are idle.
    fn boxed(&mut self, source: &Statement, lengths: &[i64], threads: i64, keeps: bool) {
        let ranges = source.ranges();
        let index = self.expressions.index;
        let cells: i64 = lengths.iter().product();
        self.rounds(cells, threads, if keeps { REGISTERS } else { UNROLLED });
        for (range, length) in ranges.iter().zip(lengths).skip(1) {
            let name = self.expressions.names.scalar(range.variable).to_owned();
            self.lines.line(&format!("constexpr {index} {name}length = {length};"));
        }
        self.deal_one(ranges, threads);
        let mut guards = vec![];
        if cells % threads != 0 {
            guards.push(format!("number < {cells}"));
        }
        for range in ranges {
            if self.has_fixed_length(range) {
                continue;
            }
            let name = self.expressions.names.scalar(range.variable).to_owned();
            let last = self.expressions.plain(&range.to);
            let compare = if range.downward { ">=" } else { "<=" };
            guards.push(format!("{name} {compare} {last}"));
        }
        let Some(body) = source.blocks().next() else { return };
        self.guarded(&guards, body);
        self.expressions.dealt = None;
        self.lines.close("}");
    }

    /// The variables of iteration `number`; of a single loop from 0 its quotient by the threads is
    /// the round.
    fn deal_one(&mut self, ranges: &[LoopRange], threads: i64) {
        nest::digits(ranges, true, self);
        if let [range] = ranges
            && self.expressions.intervals.of(&range.from).value() == Some(0)
            && range.step.is_none()
            && !range.downward
        {
            self.expressions.dealt = Some((range.variable, threads));
        }
    }
}
