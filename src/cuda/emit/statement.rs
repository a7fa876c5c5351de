//! Statements of the listing as C++.

use super::ahead;
use super::expression::{Expressions, type_word};
use super::names::Scalars;
use crate::language::program::{Block, Expr, ExprKind, For, Nest, Range, ScalarId, Statement};

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

    pub(super) fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    pub(super) fn close(&mut self, line: &str) {
        self.depth -= 1;
        self.line(line);
    }
}

/// What a parallel nest becomes where it stands among sequential statements.
pub(super) enum Place<'a> {
    /// Inside a nest, or in a program without any: there is none.
    Thread,
    /// On the host: a launch, written by this.
    Host(&'a dyn Fn(&Nest, &mut Expressions<'_>) -> String),
    /// In a kernel of the whole program: a call, and a barrier; thread 0 writes for all.
    Cooperative {
        call: &'a dyn Fn(&Nest, &mut Expressions<'_>) -> String,
        /// Whether sequential statements read memory, which barriers must then protect.
        reads: bool,
    },
}

/// Writes statements for one function.
pub(super) struct Statements<'a> {
    pub(super) lines: Lines,
    pub(super) expressions: Expressions<'a>,
    pub(super) place: Place<'a>,
    /// Iterations whose reads may be made together.
    pub(super) ahead: u32,
}

impl Statements<'_> {
    /// Declares the registers that a block assigns.
    pub(super) fn declare(&mut self, block: &Block) {
        let mut scalars = Scalars::default();
        scalars.block(block);
        for scalar in scalars.assigned {
            let element = self.expressions.program.scalars[scalar.0].element;
            let name = self.expressions.names.scalar(scalar);
            self.lines.line(&format!("{} {name};", type_word(element)));
        }
    }

    pub(super) fn block(&mut self, block: &Block) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign { target, value, .. } => {
                let text = self.expressions.value(value);
                let name = self.expressions.names.scalar(*target);
                if text != name {
                    self.lines.line(&format!("{name} = {text};"));
                }
            }
            Statement::Store { access, value, .. } => {
                let value = self.expressions.value(value);
                let element = self.expressions.element(access);
                let store = format!("{element} = {value};");
                match self.place {
                    Place::Cooperative { .. } => {
                        self.lines.line("grid_barrier(arrived, round);");
                        self.lines.line(&format!("if (first == 0) {store}"));
                        self.lines.line("grid_barrier(arrived, round);");
                    }
                    Place::Thread | Place::Host(_) => self.lines.line(&store),
                }
            }
            Statement::If { condition, then, otherwise, .. } => {
                let condition = self.expressions.plain(condition);
                self.lines.open(&format!("if ({condition}) {{"));
                self.block(then);
                if !otherwise.is_empty() {
                    self.lines.close("} else {");
                    self.lines.depth += 1;
                    self.block(otherwise);
                }
                self.lines.close("}");
            }
            Statement::While { condition, body, .. } => {
                let condition = self.expressions.plain(condition);
                self.lines.open(&format!("while ({condition}) {{"));
                self.block(body);
                self.lines.close("}");
            }
            Statement::For(source) => self.for_loop(source),
            Statement::Parallel(nest) => self.nest(nest),
            Statement::Labelled { phase, body } => {
                self.lines.line(&format!("// {phase}:"));
                self.block(body);
            }
        }
    }

    fn nest(&mut self, nest: &Nest) {
        match self.place {
            Place::Thread => {}
            Place::Host(launch) => {
                let launch = launch(nest, &mut self.expressions);
                self.lines.line(&launch);
            }
            Place::Cooperative { call, reads } => {
                if reads {
                    self.lines.line("grid_barrier(arrived, round);");
                }
                let call = call(nest, &mut self.expressions);
                self.lines.line(&call);
                self.lines.line("grid_barrier(arrived, round);");
            }
        }
    }

    fn for_loop(&mut self, source: &For) {
        let ahead = match self.place {
            Place::Thread => ahead::reads(source, self.ahead, &mut self.expressions),
            _ => vec![],
        };
        if ahead.is_empty() {
            let header = self.header(&source.range, &source.body);
            self.lines.open(&format!("for ({header}) {{"));
            self.block(&source.body);
            self.lines.close("}");
            return;
        }
        let For { range, body } = source;
        let name = self.expressions.names.scalar(range.variable).to_owned();
        let [from, to] = [&range.from, &range.to].map(|it| self.expressions.plain(it));
        let (count, last) = (self.ahead, format!("last_{name}"));
        self.lines.open("{");
        self.lines.line(&format!("long long {name} = {from};"));
        self.lines.line(&format!("const long long {last} = {to};"));
        self.lines.line(&format!(
            "// The reads of {count} iterations at once: none reads what another of them writes."
        ));
        self.lines.open(&format!("for (; {name} + {} <= {last}; {name} += {count}) {{", count - 1));
        self.expressions.instead.insert(range.variable, format!("{name} + u"));
        let mut reads = vec![];
        for (number, access) in ahead.iter().enumerate() {
            let array = self.expressions.names.array(access.array);
            let twice = ahead.iter().filter(|it| it.array == access.array).count() > 1;
            let suffix = if twice { format!("_{number}") } else { String::new() };
            let held = format!("{array}{suffix}_ahead");
            let element = self.expressions.program.arrays[access.array.0].element;
            self.lines.line(&format!("{} {held}[{count}];", type_word(element)));
            reads.push((access.site, held, self.expressions.element(access)));
        }
        self.lines.line("#pragma unroll");
        self.lines.open(&format!("for (int u = 0; u < {count}; u++) {{"));
        for (site, held, element) in reads {
            self.lines.line(&format!("{held}[u] = {element};"));
            self.expressions.ahead.insert(site, format!("{held}[u]"));
        }
        self.lines.close("}");
        self.lines.line("#pragma unroll");
        self.lines.open(&format!("for (int u = 0; u < {count}; u++) {{"));
        self.block(body);
        self.lines.close("}");
        self.lines.close("}");
        self.expressions.ahead.clear();
        self.expressions.instead.clear();
        self.lines.open(&format!("for (; {name} <= {last}; {name}++) {{"));
        self.block(body);
        self.lines.close("}");
        self.lines.close("}");
    }

    /// The head of a sequential loop. Bounds that the body might change are taken before it.
    fn header(&mut self, range: &Range, body: &Block) -> String {
        let Range { variable, from, to, downward, step, .. } = range;
        let name = self.expressions.names.scalar(*variable).to_owned();
        let mut scalars = Scalars::default();
        scalars.block(body);
        let mut taken = format!("long long {name} = {}", self.expressions.plain(from));
        let mut bound = |statements: &mut Self, prefix: &str, expr: &Expr| {
            let text = statements.expressions.plain(expr);
            if is_fixed(expr, &scalars.assigned) {
                return text;
            }
            let kept = format!("{prefix}_{name}");
            taken += &format!(", {kept} = {text}");
            kept
        };
        let last = bound(self, "last", to);
        let step = step.as_ref().map(|step| bound(self, "length", step));
        let (compare, sign) = if *downward { (">=", "-") } else { ("<=", "+") };
        let advance = match step {
            None => format!("{name}{sign}{sign}"),
            Some(step) => format!("{name} {sign}= {step}"),
        };
        format!("{taken}; {name} {compare} {last}; {advance}")
    }
}

/// Whether an expression has one value as long as these scalars alone change.
pub(super) fn is_fixed(expr: &Expr, assigned: &[ScalarId]) -> bool {
    let mut fixed = true;
    expr.walk(&mut |it| match &it.kind {
        ExprKind::Scalar(scalar) => fixed &= !assigned.contains(scalar),
        ExprKind::Element(_) | ExprKind::Let(..) => fixed = false,
        _ => {}
    });
    fixed
}
