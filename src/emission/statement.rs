//! Statements of the listing as C++.

use super::barriers::Barriers;
use super::expression::{Expressions, INPUTS, type_word};
use super::names::{Met, Scalars};
use super::prefetch;
use super::title::comment;
use crate::language::program::{
    Access, Block, Expr, ExprKind, For, Program, Range, ScalarId, Statement,
};
use crate::language::syntax::{Role, Type};
use crate::language::walk::accesses;

/// Lines of text, indented.
#[derive(Default)]
pub(super) struct Lines {
    pub(super) text: String,
    pub(super) depth: usize,
}

impl Lines {
    pub(super) fn line(&mut self, line: &str) {
        if !line.is_empty() {
            self.text.push_str(&"    ".repeat(self.depth));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    pub(super) fn comments(&mut self, texts: &[String]) {
        texts.iter().for_each(|text| self.line(&format!("//   {}", comment(text))));
    }

    pub(super) fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    pub(super) fn close(&mut self, line: &str) {
        self.depth -= 1;
        self.line(line);
    }
}

/// What a parallel loop becomes where it stands among sequential statements.
pub(super) enum Place<'a> {
    /// Inside a nest, or in a program without any: there is none.
    Thread,
    /// On the host: a launch, written by this.
    Host(&'a dyn Fn(&Statement, &mut Expressions<'_>) -> String),
    /// In a kernel of the whole program: a call, and a barrier; thread 0 writes for all.
    Cooperative {
        call: &'a dyn Fn(&Statement, &mut Expressions<'_>) -> String,
        /// Whether sequential statements read memory, which barriers must then protect.
        reads: bool,
    },
    /// In a block of a loop on DMMs: its threads share the iterations; thread 0 writes for all.
    Block {
        /// q.
        threads: i64,
        barriers: &'a Barriers,
    },
}

/// Writes statements for one function.
pub(super) struct Statements<'a> {
    pub(super) lines: Lines,
    pub(super) expressions: Expressions<'a>,
    pub(super) place: Place<'a>,
    /// Iterations by which a read may be made ahead of its place.
    pub(super) prefetch: u32,
    /// Threads of a block; 0 where shared memory has other uses.
    pub(super) block_threads: u32,
    /// Scalars that the program reads.
    pub(super) used: &'a Met,
    /// Whether neighbouring threads' words lie side by side.
    pub(super) side_by_side: bool,
    /// Variables of the loops around that all threads count alike; `None` where threads may have
    /// gone different ways.
    pub(super) alike: Option<Vec<ScalarId>>,
}

/// Iterations of a tile that goes through shared memory.
const TILE: u32 = 16;
/// Iterations whose reads registers hold.
const MOST_REGISTERS: u32 = 8;
/// Iterations from which on a loop of known length is unrolled in part: whole, it would leave the
/// caches for code.
const LONG: i64 = 64;
/// Threads that need no barrier of a block, since they are one warp.
pub(super) const WARP: i64 = 32;
/// Bytes of shared memory that a kernel may declare on every device.
const SHARED: u64 = 48 << 10;

/// Tiles of reads under way.
#[derive(Clone, Copy)]
struct Ring {
    tiles: u32,
}

impl Ring {
    /// The largest ring for so many iterations that shared memory holds; `None` if registers do as
    /// well.
    fn of(prefetch: u32, threads: u32, reads: &[&Access], program: &Program) -> Option<Self> {
        let bytes = reads.iter().map(|it| match program.arrays[it.array.0].element {
            // Only words of 4 or 8 bytes can be copied without waiting for them.
            Type::Bool => SHARED,
            Type::I32 | Type::U32 | Type::F32 => 4,
            Type::I64 | Type::F64 => 8,
        });
        let tile = bytes.sum::<u64>() * u64::from(TILE) * u64::from(threads);
        let tiles = (prefetch / TILE).min(u32::try_from(SHARED / tile.max(1)).unwrap_or(0));
        (threads > 0 && tiles >= 2).then_some(Self { tiles })
    }
}

impl Statements<'_> {
    /// Declares the registers that a block assigns, but for those of the nests in it.
    pub(super) fn declare(&mut self, block: &Block) {
        let scalars = Scalars::outside_parallel(block);
        for &scalar in scalars.assigned.iter().filter(|it| self.used.contains(**it)) {
            let element = self.expressions.program.scalars[scalar.0].element;
            let name = self.expressions.names.scalar(scalar);
            self.lines.line(&format!("{} {name};", self.expressions.word(element)));
        }
    }

    pub(super) fn block(&mut self, block: &Block) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    /// What one iteration of a nest does.
    pub(super) fn inside(&mut self, body: &Block) {
        self.declare(body);
        let place = std::mem::replace(&mut self.place, Place::Thread);
        let of_thread_0 = std::mem::replace(&mut self.expressions.of_thread_0, false);
        self.block(body);
        self.expressions.of_thread_0 = of_thread_0;
        self.place = place;
    }

    /// A barrier of the block, if there must be one.
    fn barrier(&mut self, reason: impl Fn(&Barriers) -> Option<&str>) {
        if let Place::Block { threads, barriers } = self.place
            && let Some(reason) = reason(barriers)
        {
            let wait = if threads <= WARP { "__syncwarp();" } else { "__syncthreads();" };
            self.lines.line(&format!("{wait}  // {}", comment(reason)));
        }
    }

    fn statement(&mut self, statement: &Statement) {
        self.barrier(|barriers| barriers.before(statement));
        match statement {
            // Nobody uses it; but what the listing reads, so does the device.
            Statement::Assign { target, value, .. } if !self.used.contains(*target) => {
                let element = type_word(value.element);
                let text = self.expressions.value(value);
                self.lines.line(&match self.is_read_in_place(value) {
                    true => format!("(void)*(const volatile {element} *)&{text};"),
                    false => format!("(void)({text});"),
                });
            }
            Statement::Assign { target, value, .. } => {
                let text = self.expressions.value(value);
                let name = self.expressions.names.scalar(*target);
                if text != name {
                    self.lines.line(&format!("{name} = {text};"));
                }
            }
            Statement::Store { access, value, .. } => {
                // Thread 0 alone computes it, from its own registers.
                let of_thread_0 = std::mem::replace(&mut self.expressions.of_thread_0, false);
                let value = self.expressions.value(value);
                let element = match self.expressions.prefetch.get(&access.site) {
                    Some(held) => held.clone(),
                    None => self.expressions.element(access),
                };
                self.expressions.of_thread_0 = of_thread_0;
                let store = format!("{element} = {value};");
                match self.place {
                    Place::Block { .. } => {
                        self.lines.line(&format!("if (threadIdx.x == 0) {store}"));
                    }
                    Place::Cooperative { .. } => {
                        self.lines.line("grid_barrier(arrived, round);");
                        self.lines.line(&format!("if (first == 0) {store}"));
                        self.lines.line("grid_barrier(arrived, round);");
                    }
                    Place::Thread | Place::Host(_) => self.lines.line(&store),
                }
            }
            Statement::If { condition, then, otherwise, .. } => {
                let text = self.expressions.plain(condition);
                self.lines.open(&format!("if ({text}) {{"));
                let alike = self.apart_unless(self.is_alike(condition));
                self.block(then);
                if !otherwise.is_empty() {
                    self.lines.close("} else {");
                    self.lines.depth += 1;
                    self.block(otherwise);
                }
                self.alike = alike;
                self.lines.close("}");
            }
            Statement::While { condition, body, .. } => {
                let text = self.expressions.plain(condition);
                self.lines.open(&format!("while ({text}) {{"));
                let alike = self.apart_unless(self.is_alike(condition));
                self.block(body);
                self.barrier(|barriers| barriers.at_end(statement));
                self.alike = alike;
                self.lines.close("}");
            }
            Statement::For(source) => self.for_loop(source),
            Statement::Parallel(_) | Statement::Blocks(_) => self.parallel(statement),
            Statement::Labelled { phase, body } => {
                self.lines.line(&format!("// {phase}:"));
                self.block(body);
            }
        }
    }

    /// Whether a value is an element that is read here and now.
    fn is_read_in_place(&self, value: &Expr) -> bool {
        matches!(&value.kind, ExprKind::Element(access)
            if !self.expressions.prefetch.contains_key(&access.site))
    }

    fn parallel(&mut self, source: &Statement) {
        match self.place {
            Place::Thread => {}
            Place::Host(launch) => {
                let launch = launch(source, &mut self.expressions);
                self.lines.line(&launch);
            }
            Place::Cooperative { call, reads } => {
                if reads {
                    self.lines.line("grid_barrier(arrived, round);");
                }
                let call = call(source, &mut self.expressions);
                self.lines.line(&call);
                self.lines.line("grid_barrier(arrived, round);");
            }
            Place::Block { threads, .. } => self.nest_of_block(source, threads),
        }
    }

    fn for_loop(&mut self, source: &For) {
        let reads = match self.place {
            Place::Thread => prefetch::reads(source, self.prefetch, &mut self.expressions),
            _ => vec![],
        };
        if reads.is_empty() {
            let header = self.header(&source.range, &source.body);
            if matches!(self.place, Place::Thread) {
                let is_long = self.expressions.intervals.length(&source.range) >= LONG;
                if self.keeps_registers(source) {
                    self.lines.line("#pragma unroll");
                } else if is_long && self.expressions.index == "int" {
                    self.lines.line("#pragma unroll 8");
                }
            }
            self.lines.open(&format!("for ({header}) {{"));
            let alike = self.apart_unless(self.counts_alike(&source.range));
            self.alike.iter_mut().for_each(|it| it.push(source.range.variable));
            self.block(&source.body);
            self.alike = alike;
            self.lines.close("}");
            return;
        }
        let For { range, body } = source;
        let name = self.expressions.names.scalar(range.variable).to_owned();
        let [from, to] = [&range.from, &range.to].map(|it| self.expressions.plain(it));
        self.lines.open("{");
        let index = self.expressions.index;
        self.lines.line(&format!("{index} {name} = {from};"));
        self.lines.line(&format!("const {index} {name}last = {to};"));
        match Ring::of(self.prefetch, self.block_threads, &reads, self.expressions.program) {
            Some(ring) => self.through_ring(source, &reads, ring),
            None => self.through_registers(source, &reads),
        }
        self.expressions.prefetch.clear();
        self.expressions.instead.clear();
        self.lines.open(&format!("for (; {name} <= {name}last; {name}++) {{"));
        self.block(body);
        self.lines.close("}");
        self.lines.close("}");
    }

    /// Whether the loop goes through arrays of registers: unrolled, they are registers indeed.
    fn keeps_registers(&self, source: &For) -> bool {
        let arrays = &self.expressions.program.arrays;
        accesses(&source.body).any(|access| {
            let mut scalars = access.indices.iter().flat_map(Expr::scalars);
            arrays[access.array.0].role == Role::Register
                && scalars.any(|it| it == source.range.variable)
        })
    }

    /// Whether an expression has the same value for all threads, as far as its text tells.
    fn is_alike(&self, expr: &Expr) -> bool {
        let Some(known) = &self.alike else { return false };
        is_fixed(expr, |it| !known.contains(&it))
    }

    fn counts_alike(&self, range: &Range) -> bool {
        range.bounds().all(|it| self.is_alike(it))
    }

    /// Forgets what threads have in common unless `alike`; returns what it was.
    fn apart_unless(&mut self, alike: bool) -> Option<Vec<ScalarId>> {
        let before = self.alike.clone();
        if !alike {
            self.alike = None;
        }
        before
    }

    /// Whether a warp's words of these reads lie side by side, so that its lanes may fetch four
    /// each for all of them.
    fn together(&self, source: &For, reads: &[&Access]) -> bool {
        let elements = &self.expressions.program.arrays;
        let known = self.alike.clone().unwrap_or_default();
        self.side_by_side
            && self.counts_alike(&source.range)
            && reads.iter().all(|read| {
                let element = elements[read.array.0].element;
                let differs = |it| it != source.range.variable && !known.contains(&it);
                matches!(element, Type::F32 | Type::I32 | Type::U32)
                    && read.indices.iter().all(|it| is_fixed(it, differs))
            })
    }

    /// Declares a place for what each read brings; returns their names.
    fn held(&mut self, reads: &[&Access], declare: impl Fn(&str, &str) -> String) -> Vec<String> {
        let mut names = vec![];
        for (number, access) in reads.iter().enumerate() {
            let array = self.expressions.names.array(access.array);
            let twice = reads.iter().filter(|it| it.array == access.array).count() > 1;
            let suffix = if twice { format!("{number}_") } else { String::new() };
            let held = format!("{array}{suffix}ahead");
            let element = self.expressions.program.arrays[access.array.0].element;
            self.lines.line(&declare(type_word(element), &held));
            names.push(held);
        }
        names
    }

    /// Some iterations' reads are made together, into registers.
    fn through_registers(&mut self, source: &For, reads: &[&Access]) {
        let variable = source.range.variable;
        let name = self.expressions.names.scalar(variable).to_owned();
        let count = self.prefetch.min(MOST_REGISTERS);
        self.lines.line(&format!(
            "// The reads of {count} iterations at once: none reads what another of them writes."
        ));
        self.lines
            .open(&format!("for (; {name} + {} <= {name}last; {name} += {count}) {{", count - 1));
        self.expressions.instead.insert(variable, format!("{name} + u"));
        let held = self.held(reads, |element, held| format!("{element} {held}[{count}];"));
        self.lines.line("#pragma unroll");
        self.lines.open(&format!("for (int u = 0; u < {count}; u++) {{"));
        for (access, held) in reads.iter().zip(&held) {
            let element = self.expressions.element(access);
            self.lines.line(&format!("{held}[u] = {element};"));
        }
        self.lines.close("}");
        for (access, held) in reads.iter().zip(&held) {
            self.expressions.prefetch.insert(access.site, format!("{held}[u]"));
        }
        self.lines.line("#pragma unroll");
        self.lines.open(&format!("for (int u = 0; u < {count}; u++) {{"));
        self.block(&source.body);
        self.lines.close("}");
        self.lines.close("}");
    }

    /// Reads run ahead through a ring in shared memory, a tile of iterations at a time: a thread
    /// has all but one of the ring's tiles under way while it works on that one.
    fn through_ring(&mut self, source: &For, reads: &[&Access], ring: Ring) {
        let variable = source.range.variable;
        let name = self.expressions.names.scalar(variable).to_owned();
        let (tiles, under_way) = (ring.tiles, ring.tiles - 1);
        self.lines.line(&format!(
            "// Reads run up to {} iterations ahead of their place, a tile of {TILE} at a time: none reads",
            tiles * TILE
        ));
        self.lines.line("// what an iteration in between writes.");
        let threads = self.block_threads;
        let held = self.held(reads, |element, held| {
            format!("__shared__ {element} {held}[{tiles}][{TILE}][{threads}];")
        });
        let distance = under_way * TILE;
        self.lines.line(&format!(
            "const int tiles = {name}last < {name} ? 0 : (int)(({name}last - {name} + 1) / {TILE});"
        ));
        self.lines.line(&format!("{name} -= {distance};"));
        if self.together(source, reads) {
            self.lines.line(
                "// Where all inputs of a warp lie side by side, its lanes fetch four words each.",
            );
            self.lines.line("const int lane = threadIdx.x % 32;");
            self.lines.line(&format!(
                "const bool whole = {INPUTS} % 4 == 0 && input - lane + 32 <= {INPUTS};"
            ));
            self.lines.line("const long long neighbour = input - lane + lane % 8 * 4;");
        }
        self.lines.open(&format!(
            "for (int tile = -{under_way}; tile < tiles; tile++, {name} += {TILE}) {{"
        ));
        let slot = format!("(unsigned)(tile + {under_way}) % {tiles}");
        let together = self.together(source, reads);
        self.lines.open(&format!("if (tile + {under_way} < tiles) {{"));
        if together {
            self.lines.open("if (whole) {");
            self.lines.line("#pragma unroll");
            self.lines.open(&format!("for (int u = 0; u < {TILE}; u += 4) {{"));
            self.expressions.input = "neighbour";
            let iteration = format!("{name} + {distance} + u + lane / 8");
            self.expressions.instead.insert(variable, iteration);
            for (access, held) in reads.iter().zip(&held) {
                let element = self.expressions.element(access);
                let place = "[u + lane / 8][threadIdx.x - lane + lane % 8 * 4]";
                self.lines.line(&format!("fetch_four(&{held}[{slot}]{place}, &{element});"));
            }
            self.expressions.input = "input";
            self.lines.close("}");
            self.lines.close("} else {");
            self.lines.depth += 1;
        }
        self.lines.line("#pragma unroll");
        self.lines.open(&format!("for (int u = 0; u < {TILE}; u++) {{"));
        self.expressions.instead.insert(variable, format!("{name} + {distance} + u"));
        for (access, held) in reads.iter().zip(&held) {
            let element = self.expressions.element(access);
            self.lines.line(&format!("fetch(&{held}[{slot}][u][threadIdx.x], &{element});"));
        }
        self.lines.close("}");
        if together {
            self.lines.close("}");
        }
        self.lines.close("}");
        self.lines.line("fetched();");
        self.lines.open("if (tile >= 0) {");
        self.lines.line(&format!("arrived<{under_way}>();"));
        if together {
            self.lines.line("__syncwarp();");
        }
        self.lines.line("#pragma unroll");
        self.lines.open(&format!("for (int u = 0; u < {TILE}; u++) {{"));
        self.expressions.instead.insert(variable, format!("{name} + u"));
        for (access, held) in reads.iter().zip(&held) {
            let place = format!("{held}[(unsigned)tile % {tiles}][u][threadIdx.x]");
            self.expressions.prefetch.insert(access.site, place);
        }
        self.block(&source.body);
        self.lines.close("}");
        if together {
            self.lines.line("__syncwarp();  // Nobody fetches over what another still reads.");
        }
        self.lines.close("}");
        self.lines.close("}");
        self.lines.line("arrived<0>();");
    }

    /// The head of a sequential loop. Bounds that the body might change are taken before it.
    fn header(&mut self, range: &Range, body: &Block) -> String {
        let Range { variable, from, to, downward, step, .. } = range;
        let name = self.expressions.names.scalar(*variable).to_owned();
        let scalars = Scalars::of(body);
        let index = self.expressions.index;
        let mut taken = format!("{index} {name} = {}", self.expressions.plain(from));
        let mut bound = |statements: &mut Self, suffix: &str, expr: &Expr| {
            let text = statements.expressions.plain(expr);
            if is_fixed(expr, |it| scalars.assigned.contains(it)) {
                return text;
            }
            let kept = format!("{name}{suffix}");
            taken += &format!(", {kept} = {text}");
            kept
        };
        let last = bound(self, "last", to);
        let step = step.as_ref().map(|step| bound(self, "step", step));
        let (compare, sign) = if *downward { (">=", "-") } else { ("<=", "+") };
        let advance = match step {
            None => format!("{name}{sign}{sign}"),
            Some(step) => format!("{name} {sign}= {step}"),
        };
        format!("{taken}; {name} {compare} {last}; {advance}")
    }
}

/// Whether an expression has one value as long as these scalars alone change.
pub(super) fn is_fixed(expr: &Expr, changes: impl Fn(ScalarId) -> bool) -> bool {
    expr.parts().all(|it| match &it.kind {
        ExprKind::Scalar(scalar) => !changes(*scalar),
        ExprKind::Element(_) | ExprKind::Let(..) => false,
        _ => true,
    })
}
