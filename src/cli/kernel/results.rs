//! Arrays after a launch: written out, and held against what they must be.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;

use super::Kernel;
use crate::algorithms::npy;
use crate::cli::support::{Failure, files};
use crate::host::files::ends;
use crate::kernel::{Element, Execution};
use memory_machine_geometry::matrix::Matrix;

/// An array by the name of its parameter: bytes, type, columns.
fn array<'a>(
    option: &str,
    name: &str,
    execution: &'a Execution,
) -> Result<(&'a [u8], Element, usize), Failure> {
    let found = execution.parameter(name).and_then(|it| execution.array(it));
    found.ok_or_else(|| {
        let arrays = (0..execution.given.len()).filter(|it| execution.array(*it).is_some());
        let names: Vec<String> = arrays.map(|it| execution.name(it)).collect();
        Failure::input(format_args!(
            "{option} {name}: there is no such array; there are {}",
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        ))
    })
}

impl Kernel {
    pub(super) fn write_outputs(&self, execution: &Execution) -> Result<(), Failure> {
        for (name, path) in &self.outputs {
            let (bytes, element, columns) = array("--output", name, execution)?;
            files::write(Path::new(path), |out| table(out, bytes, element, columns))?;
        }
        Ok(())
    }

    pub(super) fn check(&self, execution: &Execution) -> Result<(), Failure> {
        for (name, path) in &self.expected {
            let (bytes, element, _) = array("--expect", name, execution)?;
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
            let is_off = |at: &usize| {
                let (found, wanted) = (element.number(found[*at]), expected[*at]);
                let off = (found - wanted).abs();
                !(found == wanted
                    || found.is_nan() && wanted.is_nan()
                    || off <= self.tolerance * wanted.abs().max(1.0))
            };
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

/// The numbers of a file, as the type holds them.
fn expected(path: &OsStr, element: Element) -> Result<Vec<f64>, Failure> {
    let parse = |text: &str| {
        let number = text.trim().parse::<f64>().map_err(|_| "is no number".to_owned())?;
        let bits = element.bits(number).to_le_bytes();
        Ok(if element.is_float() { element.number(&bits) } else { number })
    };
    let path = Path::new(path);
    let read = if ends(path, "npy") { npy::read(path, parse) } else { Matrix::read(path, parse) };
    Ok(read.map_err(Failure::input)?.numbers)
}
