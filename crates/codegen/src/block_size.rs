//! What the blocks of a loop on DMMs take of a GPU, and the parameters that shape them.

use super::MOST_THREADS;
use super::storage::{bytes_of, cells_of, constant};
use memory_machine_core::diagnostic::Diagnostic;
use memory_machine_core::language::program::{ArrayId, BlockShape, Expr, ExprKind, Program};
use memory_machine_core::language::syntax::Role;

/// Bytes of shared memory that a kernel may declare with their sizes.
const DECLARED: u64 = 48 << 10;
/// Arrays in shared memory begin at multiples of this many bytes.
pub(super) const ALIGNED: u64 = 16;

/// What the blocks of a loop on DMMs take, with the values that shape them.
#[derive(Debug, Clone)]
pub(super) struct Size {
    pub(super) threads: u32,
    /// Of each shared array: where it begins, in bytes.
    pub(super) places: Vec<(ArrayId, u64)>,
    bytes: u64,
}

impl Size {
    pub(super) const fn is_dynamic(&self) -> bool {
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
