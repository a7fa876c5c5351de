//! Types and arrays as a GPU has them: their names in CUDA C, and what they take.

use memory_machine_core::language::program::{Array, ArrayId, Expr, ExprKind, Program};
use memory_machine_core::language::syntax::Type;
use memory_machine_core::run::layout::{self, CellOrder, Layout};

/// The name of a type in CUDA C.
pub(super) const fn type_word(element: Type) -> &'static str {
    match element {
        Type::Bool => "bool",
        Type::I8 => "signed char",
        Type::U8 => "unsigned char",
        Type::I16 => "short",
        Type::U16 => "unsigned short",
        Type::I32 => "int",
        Type::U32 => "unsigned",
        Type::I64 => "long long",
        Type::U64 => "unsigned long long",
        Type::F32 => "float",
        Type::F64 => "double",
        Type::F16 => "binary16",
        Type::Bf16 => "bfloat16",
    }
}

/// Bytes of an element on the GPU.
pub const fn bytes_of(element: Type) -> u64 {
    match element {
        Type::Bool | Type::I8 | Type::U8 => 1,
        Type::I16 | Type::U16 | Type::F16 | Type::Bf16 => 2,
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
    layout.regions[array.0].words * copies * bytes_of(program.arrays[array.0].element)
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

/// The cells of an array, with those that its layout leaves free, if its extents are known, and at
/// least 1.
pub(super) fn cells_of(array: &Array, parameters: &[Option<i64>]) -> Option<u64> {
    let extent =
        |it: &Expr| u64::try_from(constant(it, parameters)?).ok().filter(|extent| *extent > 0);
    let extents: Vec<u64> = array.extents.iter().map(extent).collect::<Option<_>>()?;
    CellOrder::of(array, |it| constant(it, parameters)).ok()?.words(&extents)
}

/// The declaration of a local array.
pub(super) fn declared(array: &Array, name: &str, constants: &[Option<i64>]) -> String {
    let (element, cells) = (type_word(array.element), cells_of(array, constants).unwrap_or(1));
    match array.extents.is_empty() {
        true => format!("{element} {name};"),
        false => format!("{element} {name}[{cells}];"),
    }
}
