//! What a program's arrays take on a GPU.

use crate::language::program::{ArrayId, Program};
use crate::language::syntax::Type;
use crate::run::layout::Layout;

/// Bytes of an element on the GPU.
pub const fn bytes_of(element: Type) -> u64 {
    match element {
        Type::Bool => 1,
        Type::I32 | Type::U32 | Type::F32 => 4,
        Type::I64 | Type::F64 => 8,
    }
}

/// Bytes of all arrays of a layout.
pub fn bytes(program: &Program, layout: &Layout) -> u64 {
    (0..program.arrays.len()).map(|array| array_bytes(program, layout, ArrayId(array))).sum()
}

/// Bytes of one of them.
pub fn array_bytes(program: &Program, layout: &Layout, array: ArrayId) -> u64 {
    let copies = layout.bulk.map_or(1, |bulk| bulk.inputs);
    layout.regions[array.0].cells * copies * bytes_of(program.arrays[array.0].element)
}
