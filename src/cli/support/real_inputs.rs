//! Inputs whose files hold real numbers, where nothing in a pasted listing says of what type they are.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::language::PartialDeclaration;
use crate::language::program::Program;

/// Bytes of a file that are looked at.
const LOOKED_AT: u64 = 1 << 20;

/// A declaration as real for each input that was taken to be whole for want of a reason, and whose file holds
/// real numbers.
pub(super) fn real_inputs(
    program: &Program,
    inputs: &[(String, OsString)],
) -> Vec<PartialDeclaration> {
    let is_open = |name: &str| {
        let begins = ["input", "inout"].map(|role| format!("{role} {name}["));
        program.reading.said.iter().any(|it| {
            begins.iter().any(|begin| it.text.starts_with(begin))
                && it.text.ends_with("nothing in it is real")
        })
    };
    let of = inputs.iter().filter(|(name, file)| is_open(name) && has_reals(Path::new(file)));
    of.filter_map(|(name, _)| format!("{name} : f64").parse().ok()).collect()
}

/// Whether the beginning of a table holds numbers that are not whole.
fn has_reals(path: &Path) -> bool {
    let mut start = vec![];
    let is_table =
        path.extension().is_some_and(|it| it == OsStr::new("csv") || it == OsStr::new("npy"));
    let read = |start: &mut Vec<u8>| File::open(path)?.take(LOOKED_AT).read_to_end(start);
    if !is_table || read(&mut start).is_err() {
        return false;
    }
    if start.starts_with(b"\x93NUMPY") {
        let header = &start[..start.len().min(256)];
        return header.windows(2).any(|it| it == b"<f" || it == b">f");
    }
    let text = String::from_utf8_lossy(&start);
    let is_real =
        |it: &str| it.contains(['.', 'e', 'E']) && it.parse::<f64>().is_ok_and(f64::is_finite);
    text.split([',', ';', '\n', '\r', '\t', ' ']).any(is_real)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_whether_its_numbers_are_whole() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            has_reals(&path)
        };
        assert!(file("a.csv", b"1,2\n3,4.5\n"));
        assert!(file("b.csv", b"1e-3\n"));
        assert!(!file("c.csv", b"1,2,-3\ninf\n"));
        assert!(file("d.npy", b"\x93NUMPY\x01\0v\0{'descr': '<f8', 'fortran_order': False}"));
        assert!(!file("e.npy", b"\x93NUMPY\x01\0v\0{'descr': '<i8', 'fortran_order': False}"));
        assert!(!file("f.txt", b"1.5"));
    }
}
