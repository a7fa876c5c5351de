//! Loops on DMMs, and the arrays that are local to loops.

use super::statements::inner_parallel;
use super::{Checker, Result, taken};
use crate::diagnostic::{Diagnostic, Span};
use crate::program::{self, Array, BlockShape, Blocks, BlocksId};
use crate::syntax::{self, ArrayDeclaration, Order};

/// As many dimensions has a grid of blocks.
const MOST_LOOPS_ON_DMMS: usize = 3;

impl Checker<'_> {
    /// Gathers the loops on DMMs that stand directly inside each other.
    pub(super) fn blocks(
        &mut self,
        outermost: &syntax::ForNode,
        span: Span,
    ) -> Result<program::Statement> {
        if self.in_parallel || self.in_blocks {
            let (inside, help) = if self.in_parallel {
                (
                    "a loop on DMMs inside a parallel loop",
                    "drop `on DMMs`, or the parallel loop around",
                )
            } else {
                (
                    "a loop on DMMs among other statements of one",
                    "loops on DMMs nest only directly inside each other; for the threads of a block \
                     write `in parallel` alone",
                )
            };
            return Err(Diagnostic::new(span, inside).help(help));
        }
        let (ranges, innermost, label) = self.directly_inside(outermost, span)?;
        if ranges.len() > MOST_LOOPS_ON_DMMS {
            let message = format!("more than {MOST_LOOPS_ON_DMMS} loops on DMMs inside each other");
            return Err(Diagnostic::new(span, message).help("compute one variable from several"));
        }
        let mut outer = outermost;
        while !std::ptr::eq(outer, innermost) {
            if let Order::OnDmms { threads: Some(threads) } = &outer.order {
                let message = "the number of threads belongs to the innermost loop on DMMs";
                return Err(Diagnostic::new(threads.span, message).help("move it there"));
            }
            let Some((inner, ..)) = inner_parallel(outer) else { break };
            outer = inner;
        }
        let Order::OnDmms { threads: Some(threads) } = &innermost.order else {
            return Err(Diagnostic::new(span, "the number of threads of a block is missing")
                .help("write `in parallel on DMMs with q threads`"));
        };
        let threads = self.of_parameters(threads, "the number of threads")?;
        if let program::ExprKind::Integer(..1) = threads.kind {
            return Err(Diagnostic::new(threads.span, "a block has at least one thread")
                .help("write `with 1 threads`, or more"));
        }
        let first = self.arrays.len();
        self.blocks.push(BlockShape { threads, arrays: first..first });
        self.in_blocks = true;
        self.local_arrays(&innermost.arrays)?;
        let id = BlocksId(self.blocks.len() - 1);
        self.blocks[id.0].arrays.end = self.arrays.len();
        let body = self.private_body(&innermost.body, label)?;
        self.in_blocks = false;
        self.local = None;
        for _ in &ranges {
            self.scope.unbind();
        }
        Ok(program::Statement::Blocks(Blocks { id, ranges, body, span }))
    }

    /// The declarations at the head of a loop, which its body knows.
    pub(super) fn local_arrays(&mut self, arrays: &[ArrayDeclaration]) -> Result<()> {
        self.local = Some(self.arrays.len());
        arrays.iter().try_for_each(|it| self.local_array(it))
    }

    fn local_array(&mut self, it: &ArrayDeclaration) -> Result<()> {
        let ArrayDeclaration { role, name, extents, element, layout, .. } = it;
        if let Some(other) = self.declared(&name.text) {
            return Err(taken(name, other));
        }
        if self.scope.lookup(&name.text).is_some() {
            return Err(taken(name, "a scalar"));
        }
        for it in extents.iter().flat_map(|it| it.first.iter().chain([&it.size])) {
            self.of_parameters(it, "an extent")?;
        }
        for it in layout.iter().flat_map(|it| &it.arguments) {
            self.of_parameters(it, "a layout")?;
        }
        let layout = self.array_layout(it)?;
        let numbers = extents.iter().map(|it| self.extent(it));
        let (firsts, extents) = numbers.collect::<Result<Vec<_>>>()?.into_iter().unzip();
        self.declared_extents.push(it.extents.clone());
        let (role, element, span) = (*role, *element, name.span);
        let (name, fields, origin) = (name.text.clone(), it.field_names(), vec![]);
        self.arrays.push(Array {
            name,
            role,
            extents,
            firsts,
            fields,
            element,
            layout,
            origin,
            span,
        });
        Ok(())
    }
}
