//! What a program's arrays take on a GPU.

use crate::language::program::{Array, ArrayId, Expr, ExprKind, Program};
use crate::language::syntax::Type;
use crate::run::layout::{self, Layout};

/// Bytes of an element on the GPU.
pub const fn bytes_of(element: Type) -> u64 {
    match element {
        Type::Bool | Type::I8 | Type::U8 => 1,
        Type::I16 | Type::U16 => 2,
        Type::I32 | Type::U32 | Type::F32 => 4,
        Type::I64 | Type::U64 | Type::F64 => 8,
    }
}

/// Bytes of all global arrays of a layout.
pub fn bytes(program: &Program, layout: &Layout) -> u64 {
    let arrays = 0..program.global_arrays().count();
    arrays.map(|array| array_bytes(program, layout, ArrayId(array))).sum()
}

/// Bytes of one of them.
pub fn array_bytes(program: &Program, layout: &Layout, array: ArrayId) -> u64 {
    let copies = layout.bulk.map_or(1, |bulk| bulk.inputs);
    layout.regions[array.0].cells * copies * bytes_of(program.arrays[array.0].element)
}

/// The sizes that are constants of code for a layout: all; of a bulk run none, whose code is that of
/// any size, unless there are registers to be declared.
pub fn sizes(layout: &Layout) -> Vec<Option<i64>> {
    match layout.bulk {
        Some(_) if layout.registers == 0 => vec![],
        _ => layout.parameters.iter().copied().map(Some).collect(),
    }
}

/// The value of an expression over parameters, as far as these are known.
pub(super) fn constant(expr: &Expr, parameters: &[Option<i64>]) -> Option<i64> {
    let is_known = |it: &Expr| match it.kind {
        ExprKind::Parameter(parameter) => parameters[parameter.0].is_some(),
        _ => true,
    };
    let values: Vec<i64> = parameters.iter().map(|it| it.unwrap_or_default()).collect();
    if expr.parts().all(is_known) { layout::constant(expr, &values) } else { None }
}

/// The cells of an array, if its extents are known, and at least 1.
pub(super) fn cells_of(array: &Array, parameters: &[Option<i64>]) -> Option<u64> {
    array.extents.iter().try_fold(1_u64, |product, extent| {
        let extent = u64::try_from(constant(extent, parameters)?).ok().filter(|it| *it > 0)?;
        product.checked_mul(extent)
    })
}
