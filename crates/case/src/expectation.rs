//! What arrays must hold after a run: `--expect ARRAY=FILE`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::CaseError;
use super::error::given;
use super::table::table;
use memory_machine_core::host::files::path_text;
use memory_machine_core::language::program::{ArrayId, Program};
use memory_machine_core::language::syntax::Type;
use memory_machine_core::number::Number;
use memory_machine_core::run::layout::Layout;
use memory_machine_core::run::memory;
use memory_machine_geometry::matrix::Matrix;

/// The numbers that an array must hold, from a file.
#[derive(Debug, Clone)]
pub struct ExpectedFile {
    pub(super) array: ArrayId,
    element: Type,
    bits: Matrix<u64>,
    from: PathBuf,
}

impl ExpectedFile {
    /// Reads a file `.csv` or `.npy`, a folder of such files, or `-`, for an array of a program.
    ///
    /// # Errors
    /// [`CaseError::Given`]: there is no such array, or no such numbers.
    pub fn read(program: &Program, name: &str, value: &OsStr) -> Result<Self, CaseError> {
        let Some(array) = program.array_named(name) else {
            let names: Vec<&str> = program.arrays.iter().map(|it| it.name.as_str()).collect();
            return Err(given(format_args!(
                "--expect {name}={}: `{}` has no array `{name}`; its arrays are: {}",
                path_text(value),
                program.name,
                names.join(", ")
            )));
        };
        let (path, element) = (Path::new(value), program.arrays[array.0].element);
        let bits = table(&program.arrays[array.0], path)?;
        Ok(Self { array, element, bits, from: path.into() })
    }

    /// Refuses numbers of another shape than the array's.
    ///
    /// # Errors
    /// [`CaseError::Given`], with both shapes.
    pub fn check(&self, program: &Program, layout: &Layout) -> Result<(), CaseError> {
        let extents = &layout.regions[self.array.0].extents;
        let cells = extents.iter().product::<u64>();
        let Matrix { rows, columns, .. } = self.bits;
        let is_table =
            layout.bulk.is_some_and(|it| it.inputs == rows as u64) && columns as u64 == cells;
        if is_table || self.bits.fits(extents) {
            return Ok(());
        }
        let shape: Vec<String> = extents.iter().map(u64::to_string).collect();
        let (name, from) = (&program.arrays[self.array.0].name, path_text(&self.from));
        let remedy = match layout.bulk {
            Some(_) => "give what all inputs have, or a row for each of the -p inputs",
            None => "give as many, or change --set",
        };
        Err(given(format_args!(
            "--expect {name}: {from} has {rows} × {columns} numbers, but the array is {name}[{}]; {remedy}",
            shape.join(", ")
        )))
    }

    /// Those of one input.
    pub(super) fn numbers(&self, layout: &Layout, input: u64) -> impl Iterator<Item = Number> + '_ {
        let cells = layout.regions[self.array.0].cells as usize;
        let from = if self.bits.numbers.len() > cells { input as usize * cells } else { 0 };
        let bits = self.bits.numbers[from..].iter().take(cells);
        bits.map(|&it| memory::exact(self.element, it))
    }
}
