//! Files of numbers and pictures, as the bits of an array's elements.

use std::fmt;
use std::path::{Path, PathBuf};

use super::error::{CaseError, given};
use memory_machine_algorithms::npy;
use memory_machine_core::host::files::{ends, path_text};
use memory_machine_core::language::program::Array;
use memory_machine_core::language::syntax::Type;
use memory_machine_core::run::memory;
use memory_machine_core::run::memory::Bits;
use memory_machine_geometry::matrix::{self, Matrix};

/// The numbers of a file, or of a folder of files, one input each, in the order of their names; of an
/// array of records the columns that are called as its fields are, where columns have names.
pub(super) fn table(array: &Array, path: &Path) -> Result<Matrix<u64>, CaseError> {
    let read = |path: &Path| {
        let parse = |field: &str| parse(array.element, field);
        let read = match ends(path, "npy") {
            true => npy::read_fields(path, &array.fields, parse),
            false => Matrix::read_columns(path, &array.fields, parse),
        };
        read.map_err(given)
    };
    if !path.is_dir() {
        return read(path);
    }
    let fail = |why: &dyn fmt::Display| given(format_args!("{}: {why}", path_text(path)));
    let entries = std::fs::read_dir(path).map_err(|error| fail(&error))?;
    let files = entries.filter_map(|it| it.ok().map(|it| it.path()));
    let mut files: Vec<PathBuf> = files.filter(|it| ends(it, "csv") || ends(it, "npy")).collect();
    files.sort();
    let (mut numbers, mut columns) = (vec![], None);
    for file in &files {
        let one = read(file)?.numbers;
        let columns = *columns.get_or_insert(one.len());
        if one.len() != columns {
            return Err(given(format_args!(
                "{}: has {} numbers, but the files before it {columns}; give every input as many",
                path_text(file),
                one.len()
            )));
        }
        numbers.extend(one);
    }
    match columns {
        Some(columns) => Ok(Matrix::new(columns, numbers)),
        None => Err(fail(&"no file .csv or .npy is in this folder; put one there for each input")),
    }
}

/// A picture's grey levels: 0 … 255, of reals 0 … 1, of booleans whether it is rather white.
#[cfg(feature = "images")]
pub(super) fn picture(element: Type, path: &Path) -> Result<Matrix<u64>, CaseError> {
    let picture = memory_machine_algorithms::image::read(path).map_err(given)?;
    let level = |it: u8| match element {
        _ if element.is_float() => f64::from(it) / 255.0,
        Type::Bool => f64::from(u8::from(it > 127)),
        _ => f64::from(it),
    };
    let of = |&it: &u8| memory::bits(element, level(it)).unwrap_or_default();
    Ok(Matrix::new(picture.columns, picture.numbers.iter().map(of).collect()))
}

#[cfg(not(feature = "images"))]
pub(super) fn picture(_: Type, path: &Path) -> Result<Matrix<u64>, CaseError> {
    Err(given(format_args!("{}: this build reads no pictures; build with `plot`", path_text(path))))
}

/// A field of a CSV file as an element's bits; else what is wrong with it.
fn parse(element: Type, field: &str) -> Result<u64, String> {
    fn integer<I: TryFrom<i128> + Bits>(field: &str, range: &str) -> Result<u64, String> {
        // A number such as 1e3 is read as a float, of which each is one integer below 2⁵³ only.
        let float =
            || matrix::float::<f64>(field).ok().filter(|it| it.abs() < (1_u64 << 53) as f64);
        let whole = || float().filter(|it| it.fract() == 0.0).map(|it| it as i128);
        let value = field.parse::<i128>().ok().or_else(whole).and_then(|it| I::try_from(it).ok());
        let why = || format!("does not fit the array; write {range}, or change its type");
        value.map(Bits::to_bits).ok_or_else(why)
    }
    match element {
        Type::F32 => matrix::float::<f32>(field).map(Bits::to_bits),
        Type::F64 => matrix::float::<f64>(field).map(Bits::to_bits),
        // By way of binary32, as everywhere.
        Type::F16 | Type::Bf16 => {
            let number = matrix::float::<f32>(field)?;
            let why =
                || format!("is too large for {}; write a smaller number, or inf", element.word());
            memory::bits(element, number.into()).ok_or_else(why)
        }
        Type::I8 => integer::<i8>(field, "a whole number from -128 to 127"),
        Type::U8 => integer::<u8>(field, "a whole number from 0 to 255"),
        Type::I16 => integer::<i16>(field, "a whole number from -32768 to 32767"),
        Type::U16 => integer::<u16>(field, "a whole number from 0 to 65535"),
        Type::I32 => integer::<i32>(field, "a whole number from -2147483648 to 2147483647"),
        Type::U32 => integer::<u32>(field, "a whole number from 0 to 4294967295"),
        Type::I64 => integer::<i64>(field, "a whole number from -2^63 to 2^63 - 1"),
        Type::U64 => integer::<u64>(field, "a whole number from 0 to 2^64 - 1"),
        Type::Bool => match field {
            "0" => Ok(Bits::to_bits(false)),
            "1" => Ok(Bits::to_bits(true)),
            _ => Err("does not fit the array; write 0 or 1, or change its type".to_owned()),
        },
    }
}
