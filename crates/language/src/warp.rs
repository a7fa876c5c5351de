//! Words by which the threads of a warp see each other's registers: they access no memory.

use std::collections::HashSet;
use std::ptr::from_ref;

use super::program::{Block, Expr, ExprKind, Program, ScalarId, Statement};
use super::syntax::BinaryOp;
use super::walk::{loops_on_dmms, nests, statements};
use crate::diagnostic::{Diagnostic, Located, Span};

/// What such a word gives; the words are those of [`WarpOp::of`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WarpOp {
    /// The thread's number in its warp.
    Lane,
    /// w.
    Width,
    /// What another thread of the warp has.
    Shuffle(Source),
    /// Whether a condition holds for some thread.
    Any,
    /// Whether it holds for all.
    All,
    /// For which threads it holds: bit i says it of lane i.
    Ballot,
    /// The sum, minimum, maximum, and, or, exclusive or of what all threads have.
    Reduce(BinaryOp),
}

/// Which lane a shuffle reads, by its second argument j.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// j.
    Lane,
    /// The thread's own less j; the own where there is none.
    Up,
    /// The thread's own and j; the own where there is none.
    Down,
    /// The thread's own xor j.
    Xor,
}

impl WarpOp {
    /// What is written as a function of this name.
    pub fn of(name: &str) -> Option<Self> {
        Some(match name {
            "lane" => Self::Lane,
            "width" => Self::Width,
            "shuffle" => Self::Shuffle(Source::Lane),
            "shuffle_up" => Self::Shuffle(Source::Up),
            "shuffle_down" => Self::Shuffle(Source::Down),
            "shuffle_xor" => Self::Shuffle(Source::Xor),
            "any" => Self::Any,
            "all" => Self::All,
            "ballot" => Self::Ballot,
            "reduce_sum" => Self::Reduce(BinaryOp::Add),
            "reduce_min" => Self::Reduce(BinaryOp::Min),
            "reduce_max" => Self::Reduce(BinaryOp::Max),
            "reduce_and" => Self::Reduce(BinaryOp::BitAnd),
            "reduce_or" => Self::Reduce(BinaryOp::BitOr),
            "reduce_xor" => Self::Reduce(BinaryOp::BitXor),
            _ => return None,
        })
    }

    /// How many arguments it has.
    pub const fn arity(self) -> usize {
        match self {
            Self::Lane | Self::Width => 0,
            Self::Shuffle(_) => 2,
            Self::Any | Self::All | Self::Ballot | Self::Reduce(_) => 1,
        }
    }
}

impl Expr {
    /// The first word of a warp in it, itself included.
    pub fn warp_word(&self) -> Option<Span> {
        self.parts().find(|it| matches!(it.kind, ExprKind::Warp(..))).map(|it| it.span)
    }
}

/// The first word of a warp in a block, if there is one.
pub fn first_warp_word(block: &Block) -> Option<Span> {
    statements(block).flat_map(Statement::expressions).find_map(Expr::warp_word)
}

impl Program {
    /// The first word of a warp, if there is one.
    pub fn first_warp_word(&self) -> Option<Span> {
        first_warp_word(&self.body)
    }

    /// # Errors
    /// A thread reads another's registers, and `what` takes threads to meet in memory alone.
    pub fn without_warp_words(&self, what: &str) -> Result<(), Box<Located>> {
        self.first_warp_word().map_or(Ok(()), |span| {
            let message = format!("{what} are not known of words of a warp");
            let diagnostic = Diagnostic::new(span, message)
                .help("`umm run` and `umm check` know them; or exchange by shared memory");
            Err(Box::new(Located { source: self.source.clone(), diagnostic }))
        })
    }
}

/// Whether all words of warps stand where all threads of a warp come to them together; none where no
/// thread is.
///
/// # Errors
/// The first one that does not, with the remedy.
pub(super) fn check<'a>(
    body: &Block,
    mut of_no_thread: impl Iterator<Item = &'a Expr>,
) -> Result<(), Diagnostic> {
    if let Some(span) = of_no_thread.find_map(Expr::warp_word) {
        return Err(misplaced(span));
    }
    if first_warp_word(body).is_none() {
        return Ok(());
    }
    let mut allowed = HashSet::new();
    for nest in loops_on_dmms(body).flat_map(|it| nests(&it.body)) {
        let mut uniformity = Uniformity::default();
        uniformity.varying.extend(nest.ranges.iter().map(|it| it.variable));
        // What varies in the end of a loop varies at its beginning.
        loop {
            let before = uniformity.varying.len();
            uniformity.found = Ok(());
            uniformity.block(&nest.body, true);
            if uniformity.varying.len() == before {
                break;
            }
        }
        uniformity.found?;
        allowed.extend(statements(&nest.body).map(from_ref));
    }
    let in_blocks: HashSet<_> =
        loops_on_dmms(body).flat_map(|it| statements(&it.body)).map(from_ref).collect();
    for statement in statements(body).filter(|it| !allowed.contains(&from_ref(*it))) {
        let is_in_block = in_blocks.contains(&from_ref(statement));
        let mut words = statement.expressions().flat_map(Expr::parts);
        let wrong = words.find(|it| match &it.kind {
            ExprKind::Warp(op, _) => !(is_in_block && *op == WarpOp::Width),
            _ => false,
        });
        if let Some(word) = wrong {
            return Err(misplaced(word.span));
        }
    }
    Ok(())
}

fn misplaced(span: Span) -> Diagnostic {
    Diagnostic::new(span, "a word of a warp outside a parallel loop of a block").help(
        "it stands in a loop `in parallel` inside one `in parallel on DMMs`, whose threads are in warps",
    )
}

/// Which scalars are not the same in all threads of a warp.
struct Uniformity {
    varying: HashSet<ScalarId>,
    found: Result<(), Diagnostic>,
}

impl Default for Uniformity {
    fn default() -> Self {
        Self { varying: HashSet::new(), found: Ok(()) }
    }
}

impl Uniformity {
    fn block(&mut self, block: &Block, together: bool) {
        block.iter().for_each(|it| self.statement(it, together));
    }

    /// Whether all of them are uniform; each is gone through for its own faults.
    fn all<'e>(&mut self, of: impl Iterator<Item = &'e Expr>, together: bool) -> bool {
        let varying = of.filter(|it| !self.expr(it, together)).count();
        varying == 0
    }

    /// A statement to which the threads of a warp come `together`, or some of them.
    fn statement(&mut self, statement: &Statement, together: bool) {
        let mut inside = together;
        match statement {
            Statement::Assign { target, value, .. } => {
                if !self.expr(value, together) || !together {
                    self.varying.insert(*target);
                }
            }
            Statement::For(it) => {
                let is_uniform = self.all(it.range.bounds(), together);
                let going = it.while_true.is_none_or(|it| !self.varying.contains(&it));
                inside = together && is_uniform && going;
                if !inside {
                    self.varying.insert(it.range.variable);
                }
            }
            // The condition is asked again by those that go on.
            Statement::While { condition, .. } => {
                inside = self.expr(condition, together) && together;
                self.expr(condition, inside);
            }
            Statement::If { condition, .. } => inside = self.expr(condition, together) && together,
            _ => {
                for it in statement.expressions() {
                    self.expr(it, together);
                }
            }
        }
        if let Statement::Store { atomic: Some(atomic), .. } = statement {
            self.varying.extend(atomic.old);
        }
        statement.blocks().for_each(|it| self.block(it, inside));
    }

    /// Whether an expression that the threads of a warp evaluate has one value in all of them.
    fn expr(&mut self, expr: &Expr, together: bool) -> bool {
        match &expr.kind {
            ExprKind::Scalar(scalar) => !self.varying.contains(scalar),
            ExprKind::Warp(op, operands) => {
                let is_alone = matches!(op, WarpOp::Lane | WarpOp::Width);
                if !together && !is_alone && self.found.is_ok() {
                    self.found = Err(apart(expr.span));
                }
                let are_uniform: Vec<bool> =
                    operands.iter().map(|it| self.expr(it, together)).collect();
                match op {
                    WarpOp::Lane => false,
                    // Whichever thread has it.
                    WarpOp::Shuffle(Source::Lane) => are_uniform.contains(&true),
                    WarpOp::Shuffle(_) => are_uniform[0],
                    _ => true,
                }
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                let is_uniform = self.expr(left, together);
                self.expr(right, together && is_uniform) && is_uniform
            }
            ExprKind::Conditional(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                let is_uniform = self.expr(condition, together);
                let arms = [then, otherwise].map(|it| self.expr(it, together && is_uniform));
                is_uniform && arms == [true; 2]
            }
            ExprKind::Let(scalar, parts) => {
                let [value, body] = parts.as_ref();
                if !self.expr(value, together) {
                    self.varying.insert(*scalar);
                }
                self.expr(body, together)
            }
            _ => {
                let are_uniform = self.all(expr.operands(), together);
                are_uniform && !matches!(expr.kind, ExprKind::Element(_))
            }
        }
    }
}

fn apart(span: Span) -> Diagnostic {
    Diagnostic::new(span, "not all threads of a warp need come to this word")
        .label("a condition or a loop around depends on the thread")
        .help(
            "take it out: `x ← shuffle_up(y, 1)` before `if`, or decide with `any(…)` or `all(…)`, \
             which are the same for a warp",
        )
}
