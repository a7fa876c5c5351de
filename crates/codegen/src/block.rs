//! Loops on DMMs: each is a kernel, each of its blocks a block of threads.

use super::Kernel;
use super::barriers::Barriers;
use super::block_size::ALIGNED;
use super::emitter::Emitter;
use super::names::Names;
use super::nest::{self, Deal};
use super::statement::{LoopForm_, Statements};
use super::storage::{declared, type_word};
use memory_machine_core::language::program::{ArrayId, Blocks, Expr, LoopRange, Statement};
use memory_machine_core::language::syntax::Role;
use memory_machine_core::language::walk::accesses;
use memory_machine_core::language::warp::first_warp_word;
use memory_machine_core::trace::AccessKind;

/// Rounds of a nest that are unrolled.
const UNROLLED: i64 = 16;
/// Rounds that are unrolled so that arrays of registers are registers.
const REGISTERS: i64 = 128;
/// A nest is dealt as a box if that has no more cells for each thread.
const BOXED: i64 = 256;

impl Emitter<'_> {
    /// A loop on DMMs as a kernel.
    pub(super) fn blocks(&self, blocks: &Blocks, source: &Statement, kernel: &Kernel) -> String {
        let names = Names::of_loop(self.program, source, &kernel.captured);
        let size = &self.sizes[blocks.id.0];
        let barriers = Barriers::of(self.program, blocks);
        let threads = i64::from(size.threads);
        let mut statements =
            self.statements(&names, LoopForm_::Block { threads, barriers: &barriers });
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
        // Which threads of a warp have an iteration, a word of it must know.
        let is_boxed = source.blocks().all(|it| first_warp_word(it).is_none());
        if is_boxed && (fixed || helps && !decided && cells <= most) {
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

    /// Opens the loop over rounds of a nest of this many iterations: thread `thread` has `number`.
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
