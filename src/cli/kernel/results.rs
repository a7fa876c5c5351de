//! Arrays after a launch: written out, and held against what they must be.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;

use super::Kernel;
use crate::algorithms::npy;
use crate::cli::support::kernel_launch::failed;
use crate::cli::support::progress::spin;
use crate::cli::support::{Failure, files};
use crate::host::files::ends;
use crate::kernel::{Element, Plan, Prepared};
use crate::number::Number;
use crate::sass::{KernelCode, Module};
use memory_machine_geometry::matrix::Matrix;

/// An array's bytes, their type, and columns.
type Array<'a> = (&'a [u8], Element, usize);

/// Arrays that came out, by name.
pub(super) struct Results<'a> {
    pub(super) find: &'a dyn Fn(&str) -> Option<Array<'a>>,
    /// All of them.
    pub(super) names: Vec<String>,
}

impl<'a> Results<'a> {
    fn array(&self, option: &str, name: &str) -> Result<Array<'a>, Failure> {
        (self.find)(name).ok_or_else(|| {
            let all = self.names.join(", ");
            Failure::input(format_args!(
                "{option} {name}: there is no such array; there are {}",
                if all.is_empty() { "none" } else { &all }
            ))
        })
    }
}

impl Kernel {
    /// Executes the launch once more, and writes what its warps do.
    pub(super) fn write_trace(
        &self,
        path: &Path,
        prepared: Prepared,
        (module, kernel, plan): (&Module, &KernelCode, &Plan),
    ) -> Result<(), Failure> {
        let mut failure = None;
        let written = files::write(path, |out| {
            match spin("tracing", || prepared.write_traceg(module, kernel, plan, out)) {
                Ok(written) => written,
                Err(error) => {
                    failure = Some(failed(error));
                    Err(std::io::Error::other("the run failed"))
                }
            }
        });
        failure.map_or(written, Err)
    }

    pub(super) fn write_outputs(&self, results: &Results<'_>) -> Result<(), Failure> {
        for (name, path) in &self.outputs {
            let (bytes, element, columns) = results.array("--output", name)?;
            let path = Path::new(path);
            if !ends(path, "npy") {
                files::write(path, |out| table(out, bytes, element, columns))?;
                continue;
            }
            let kind = element.numpy().ok_or_else(|| {
                let of = element.name();
                Failure::input(format_args!("--output {name}: .npy has no {of}; write a .csv"))
            })?;
            let (count, columns) = (bytes.len() / element.bytes(), columns.max(1));
            let shape = match columns {
                _ if columns == count => vec![count],
                _ => vec![count / columns, columns],
            };
            files::write(path, |out| npy::write(out, kind, &shape, bytes))?;
        }
        Ok(())
    }

    pub(super) fn check(&self, results: &Results<'_>) -> Result<(), Failure> {
        for (name, path) in &self.expected {
            let (bytes, element, _) = results.array("--expect", name)?;
            let expected = expected(path, element)?;
            let found: Vec<&[u8]> = bytes.chunks_exact(element.bytes()).collect();
            if found.len() != expected.len() {
                return Err(Failure::input(format_args!(
                    "--expect {name}: {} has {} numbers, and the array {}",
                    Path::new(path).display(),
                    expected.len(),
                    found.len()
                )));
            }
            let is_off =
                |at: &usize| !element.exact(found[*at]).agrees(expected[*at], self.tolerance);
            let wrong: Vec<usize> = (0..found.len()).filter(is_off).collect();
            if let Some(&first) = wrong.first() {
                return Err(Failure::run(format_args!(
                    "--expect {name}: {} of {} elements are wrong; the first is element {first}: {} for {}",
                    wrong.len(),
                    found.len(),
                    element.text(found[first]),
                    expected[first]
                )));
            }
        }
        Ok(())
    }
}

fn table(
    out: &mut dyn Write,
    bytes: &[u8],
    element: Element,
    columns: usize,
) -> std::io::Result<()> {
    for row in bytes.chunks(columns.max(1) * element.bytes()) {
        let cells: Vec<String> = row.chunks(element.bytes()).map(|it| element.text(it)).collect();
        writeln!(out, "{}", cells.join(","))?;
    }
    Ok(())
}

/// The numbers of a file, as the type holds them; what it cannot hold is wrong wherever it stands.
fn expected(path: &OsStr, element: Element) -> Result<Vec<Number>, Failure> {
    let parse = |text: &str| {
        if let (false, Ok(bits)) = (element.is_float(), element.parse(text)) {
            return Ok(element.exact(&bits.to_le_bytes()));
        }
        let number = text.trim().parse::<f64>().map_err(|_| "is no number".to_owned())?;
        let bits = element.bits(number).to_le_bytes();
        Ok(if element.is_float() { element.exact(&bits) } else { Number::Float(number) })
    };
    let path = Path::new(path);
    let read = if ends(path, "npy") { npy::read(path, parse) } else { Matrix::read(path, parse) };
    Ok(read.map_err(Failure::input)?.numbers)
}
