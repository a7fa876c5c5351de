//! Statements of the listing as C++.

use std::collections::{BTreeSet, HashSet};

use super::barriers::Barriers;
use super::expression::Expressions;
use super::iteration_order::is_fixed;
use super::lines::Lines;
use super::names::Scalars;
use super::prefetch;
use super::storage::{declared, type_word};
use super::title::comment;
use memory_machine_core::language::program::{
    ArrayId, Block, Expr, ExprKind, For, LoopRange, ScalarId, Statement,
};
use memory_machine_core::language::syntax::Role;
use memory_machine_core::language::walk::{accesses, statements, statements_outside};
use memory_machine_core::units::WARP;

/// What a parallel loop becomes where it stands among sequential statements.
pub(super) enum LoopForm_<'a> {
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
    pub(super) place: LoopForm_<'a>,
    /// Iterations by which a read may be made ahead of its place.
    pub(super) prefetch: u32,
    /// Threads of a block; 0 where shared memory has other uses.
    pub(super) block_threads: u32,
    /// Bytes of shared memory that the kernel's loops so far have declared.
    pub(super) shared: u64,
    /// Whether neighbouring threads' words lie side by side.
    pub(super) side_by_side: bool,
    /// Variables of the loops around that all threads count alike; `None` where threads may have
    /// gone different ways.
    pub(super) alike: Option<Vec<ScalarId>>,
}

/// Iterations from which on a loop of known length is unrolled in part: whole, it would leave the
/// caches for code.
const LONG: i64 = 64;
impl Statements<'_> {
    /// Declares the registers of a block, but for those of the nests in it.
    pub(super) fn declare(&mut self, block: &Block) {
        let Expressions { program, names, used, intervals, .. } = &self.expressions;
        let accesses =
            statements_outside(block, Statement::is_parallel).flat_map(Statement::accesses);
        let arrays: BTreeSet<ArrayId> = accesses.map(|it| it.array).collect();
        for id in arrays.into_iter().filter(|it| program.is_private(*it)) {
            let declared = declared(&program.arrays[id.0], names.array(id), intervals.parameters);
            self.lines.line(&declared);
        }
        let scalars = Scalars::outside_parallel(block);
        for &scalar in scalars.assigned.iter().filter(|it| used.contains(**it)) {
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
        let place = std::mem::replace(&mut self.place, LoopForm_::Thread);
        let of_thread_0 = std::mem::replace(&mut self.expressions.of_thread_0, false);
        self.block(body);
        self.expressions.of_thread_0 = of_thread_0;
        self.place = place;
    }

    /// The same where all of some conditions hold.
    pub(super) fn guarded(&mut self, guards: &[String], body: &Block) {
        if guards.is_empty() {
            return self.inside(body);
        }
        self.lines.open(&format!("if ({}) {{", guards.join(" && ")));
        self.inside(body);
        self.lines.close("}");
    }

    /// A barrier of the block, if there must be one.
    fn barrier(&mut self, reason: impl Fn(&Barriers) -> Option<&str>) {
        if let LoopForm_::Block { threads, barriers } = self.place
            && let Some(reason) = reason(barriers)
        {
            let wait = if threads <= WARP as i64 { "__syncwarp();" } else { "__syncthreads();" };
            self.lines.line(&format!("{wait}  // {}", comment(reason)));
        }
    }

    fn statement(&mut self, statement: &Statement) {
        self.barrier(|barriers| barriers.before(statement));
        self.neighbours(statement);
        match statement {
            // Nobody uses it; but what the listing reads, so does the device.
            Statement::Assign { target, value, .. } if !self.expressions.used.contains(*target) => {
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
            Statement::Store { access, value, atomic, .. } => {
                // Thread 0 alone computes it, from its own registers.
                let of_thread_0 = std::mem::replace(&mut self.expressions.of_thread_0, false);
                let value = self.expressions.value(value);
                let element = match self.expressions.prefetch.get(&access.site) {
                    Some(held) => held.clone(),
                    None => self.expressions.element(access),
                };
                self.expressions.of_thread_0 = of_thread_0;
                let vector = self.expressions.program.sites[access.site.0].vector;
                let store = match (atomic, vector) {
                    (Some(atomic), _) => {
                        Some(self.expressions.atomic(access, atomic, (&element, &value)))
                    }
                    (None, Some(lane)) => self.store_lane(access, lane, (&element, &value)),
                    (None, None) => Some(format!("{element} = {value};")),
                };
                let Some(store) = store else { return };
                match self.place {
                    LoopForm_::Block { .. } => {
                        self.lines.line(&format!("if (threadIdx.x == 0) {store}"));
                    }
                    LoopForm_::Cooperative { .. } => {
                        self.grid_barrier();
                        self.lines.line(&format!("if (first == 0) {store}"));
                        self.grid_barrier();
                    }
                    LoopForm_::Thread | LoopForm_::Host(_) => self.lines.line(&store),
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
            Statement::Fork { branches, .. } => branches.iter().for_each(|it| self.block(it)),
            Statement::Labelled { phase, body } => {
                self.lines.line(&format!("// {phase}:"));
                self.block(body);
            }
        }
    }

    /// Whether a value is an element that is read here and now.
    fn is_read_in_place(&self, value: &Expr) -> bool {
        matches!(&value.kind, ExprKind::Element(access)
            if !self.expressions.prefetch.contains_key(&access.site)
                && self.expressions.program.arrays[access.array.0].role != Role::Register)
    }

    /// The whole grid waits.
    fn grid_barrier(&mut self) {
        self.lines.line("grid_barrier(arrived, round);");
    }

    fn parallel(&mut self, source: &Statement) {
        match self.place {
            LoopForm_::Thread => {}
            LoopForm_::Host(launch) => {
                let launch = launch(source, &mut self.expressions);
                self.lines.line(&launch);
            }
            LoopForm_::Cooperative { call, reads } => {
                if reads {
                    self.grid_barrier();
                }
                let call = call(source, &mut self.expressions);
                self.lines.line(&call);
                self.grid_barrier();
            }
            LoopForm_::Block { threads, .. } => self.nest_of_block(source, threads),
        }
    }

    fn for_loop(&mut self, source: &For) {
        let keeps_registers = self.keeps_registers(source);
        let reads = match self.place {
            LoopForm_::Thread if !keeps_registers => {
                prefetch::reads(source, self.prefetch, &mut self.expressions)
            }
            _ => vec![],
        };
        if reads.is_empty() {
            let header = self.header(source);
            if matches!(self.place, LoopForm_::Thread) {
                let is_long = self.expressions.intervals.length(&source.range) >= LONG;
                if keeps_registers {
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
        self.ahead(source, &reads);
    }

    /// Whether the loop goes through arrays of registers: unrolled, they are registers indeed.
    fn keeps_registers(&self, source: &For) -> bool {
        let arrays = &self.expressions.program.arrays;
        let registers =
            accesses(&source.body).filter(|access| arrays[access.array.0].role == Role::Register);
        // What the indices are computed from, in this body.
        let mut decides: HashSet<ScalarId> =
            registers.flat_map(|it| &it.indices).flat_map(Expr::scalars).collect();
        loop {
            let known = decides.len();
            for statement in statements(&source.body) {
                match statement {
                    Statement::Assign { target, value, .. } if decides.contains(target) => {
                        decides.extend(value.scalars());
                    }
                    Statement::For(For { range, .. }) if decides.contains(&range.variable) => {
                        decides.extend(range.bounds().flat_map(Expr::scalars));
                    }
                    _ => {}
                }
            }
            if decides.len() == known {
                return decides.contains(&source.range.variable);
            }
        }
    }

    /// Whether an expression has the same value for all threads, as far as its text tells.
    pub(super) fn is_alike(&self, expr: &Expr) -> bool {
        let Some(known) = &self.alike else { return false };
        is_fixed(expr, |it| !known.contains(&it))
    }

    pub(super) fn counts_alike(&self, range: &LoopRange) -> bool {
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

    /// The head of a sequential loop. Bounds that the body might change are taken before it.
    fn header(&mut self, source: &For) -> String {
        let For { range, body, while_true } = source;
        let LoopRange { variable, from, to, downward, step, .. } = range;
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
        let going = while_true.map(|it| format!(" && {}", self.expressions.names.scalar(it)));
        format!("{taken}; {name} {compare} {last}{}; {advance}", going.unwrap_or_default())
    }
}

/// Declares a loop's variable after `passed` of its iterations.
pub(super) fn variable(range: &LoopRange, passed: &str, statements: &mut Statements<'_>) {
    let expressions = &mut statements.expressions;
    let name = expressions.names.scalar(range.variable).to_owned();
    let from = expressions.term(&range.from);
    let sign = if range.downward { '-' } else { '+' };
    let passed = match &range.step {
        None => passed.to_owned(),
        Some(step) => format!("{passed} * {}", expressions.factor(step)),
    };
    let index = statements.expressions.index;
    statements.lines.line(&match (from.as_str(), sign) {
        ("0", '+') => format!("const {index} {name} = {passed};"),
        _ => format!("const {index} {name} = {from} {sign} {passed};"),
    });
}
