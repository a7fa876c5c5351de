//! Arrays of a run from and to numpy.

use memory_machine::algorithms::matrix::Matrix;
use memory_machine::language::syntax::{Type, short_float};
use memory_machine::run::memory::Bits;
use numpy::{Element, PyArray1, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::error;

/// numpy's name of a type.
pub const fn dtype(element: Type) -> &'static str {
    match element {
        Type::Bool => "bool",
        Type::I8 => "int8",
        Type::U8 => "uint8",
        Type::I16 => "int16",
        Type::U16 => "uint16",
        Type::I32 => "int32",
        Type::U32 => "uint32",
        Type::I64 => "int64",
        Type::U64 => "uint64",
        Type::F16 => "float16",
        // numpy has no bfloat16.
        Type::F32 | Type::Bf16 => "float32",
        Type::F64 => "float64",
    }
}

macro_rules! by_type {
    ($element:expr, $function:ident($($argument:expr),*)) => {
        match $element {
            Type::Bool => $function::<bool>($($argument),*),
            Type::I8 => $function::<i8>($($argument),*),
            Type::U8 => $function::<u8>($($argument),*),
            Type::I16 => $function::<i16>($($argument),*),
            Type::U16 => $function::<u16>($($argument),*),
            Type::I32 => $function::<i32>($($argument),*),
            Type::U32 => $function::<u32>($($argument),*),
            Type::I64 => $function::<i64>($($argument),*),
            Type::U64 => $function::<u64>($($argument),*),
            Type::F32 => $function::<f32>($($argument),*),
            Type::F64 => $function::<f64>($($argument),*),
            // By way of what holds them.
            Type::F16 | Type::Bf16 => $function::<f32>($($argument),*),
        }
    };
}

/// The numbers of an array of `element`'s dtype, row-major, whatever its strides: a vector as one
/// row, of higher dimensions all but the last as rows.
pub fn read(element: Type, array: &Bound<'_, PyAny>) -> PyResult<Matrix<u64>> {
    let mut read = by_type!(element, read_as(array))?;
    if element.is_short_float() {
        for (at, bits) in read.numbers.iter_mut().enumerate() {
            let number: f32 = Bits::from_bits(*bits);
            let short = short_float::rounded(element, number);
            if number.is_finite() && short_float::widened(element, short).is_infinite() {
                let (place, word) = (at + 1, element.word());
                return Err(error(format_args!(
                    "number {place}, {number:?}, is too large for {word}; give a smaller one, or inf"
                )));
            }
            *bits = short.into();
        }
    }
    Ok(read)
}

fn read_as<T: Element + Bits>(array: &Bound<'_, PyAny>) -> PyResult<Matrix<u64>> {
    let array: PyReadonlyArrayDyn<'_, T> = array.extract()?;
    let columns = array.shape().last().copied().unwrap_or(1);
    let numbers = array.as_array().iter().map(|&it| Bits::to_bits(it)).collect();
    Ok(Matrix::new(columns, numbers))
}

/// A flat array of numbers, and whether each has a value.
pub fn write<'py>(
    py: Python<'py>,
    element: Type,
    cells: impl Iterator<Item = Option<u64>>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyArray1<bool>>)> {
    let (mut bits, known): (Vec<u64>, Vec<bool>) =
        cells.map(|it| (it.unwrap_or_default(), it.is_some())).unzip();
    if element.is_short_float() {
        let wide = |bits: &mut u64| {
            *bits = Bits::to_bits(short_float::widened(element, *bits as u16));
        };
        bits.iter_mut().for_each(wide);
    }
    let numbers = by_type!(element, write_as(py, &bits));
    let known = PyArray1::from_vec(py, known);
    let numbers = match element {
        Type::F16 => numbers.call_method1("astype", (dtype(element),))?,
        _ => numbers,
    };
    Ok((numbers, known))
}

fn write_as<'py, T: Element + Bits>(py: Python<'py>, bits: &[u64]) -> Bound<'py, PyAny> {
    let numbers: Vec<T> = bits.iter().map(|&it| Bits::from_bits(it)).collect();
    PyArray1::from_vec(py, numbers).into_any()
}
