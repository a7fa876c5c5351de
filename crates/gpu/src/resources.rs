//! What `ptxas` says a kernel takes: registers, shared memory, spills.

use std::io::{self, Write};
use std::process::Command;

use serde::Serialize;

/// A kernel's share of a multiprocessor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Resources {
    /// Its name in the PTX.
    pub kernel: String,
    /// Of a thread, 32 bits each.
    pub registers: u64,
    /// Of a block, what is declared statically.
    pub shared_bytes: u64,
    /// Of a thread's stack frame.
    pub stack_bytes: u64,
    /// Written by a thread for want of registers.
    pub spill_store_bytes: u64,
    /// Read back by a thread.
    pub spill_load_bytes: u64,
}

/// Whether there is a `ptxas` to run.
pub fn is_present() -> bool {
    Command::new("ptxas").arg("--version").output().is_ok()
}

/// Runs `ptxas` on PTX text.
///
/// # Errors
/// `NotFound` where there is no `ptxas`; what it says if it fails.
pub fn of_ptx(ptx: &[u8], architecture: &str) -> io::Result<Vec<Resources>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("kernels.ptx");
    std::fs::File::create(&path)?.write_all(ptx.strip_suffix(b"\0").unwrap_or(ptx))?;
    let target = format!("-arch={architecture}");
    let cubin = folder.path().join("kernels.cubin");
    let output =
        Command::new("ptxas").args(["-v", &target, "-o"]).arg(cubin).arg(&path).output()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned()
        + &String::from_utf8_lossy(&output.stdout);
    match output.status.success() {
        true => Ok(parse(&text)),
        false => Err(io::Error::other(format!("ptxas: {}", text.trim()))),
    }
}

/// Reads the report: an entry's name, its stack and spills, and what it uses stand on lines of
/// their own.
fn parse(text: &str) -> Vec<Resources> {
    let mut found: Vec<Resources> = vec![];
    for line in text.lines() {
        let before = |unit: &str| -> u64 {
            let end = line.find(unit).unwrap_or(0);
            line[..end]
                .trim_end()
                .rsplit([' ', ','])
                .next()
                .and_then(|it| it.parse().ok())
                .unwrap_or(0)
        };
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            found.push(Resources {
                kernel: rest.split('\'').next().unwrap_or("").to_owned(),
                registers: 0,
                shared_bytes: 0,
                stack_bytes: 0,
                spill_store_bytes: 0,
                spill_load_bytes: 0,
            });
        } else if let Some(last) = found.last_mut() {
            if line.contains("bytes stack frame") {
                last.stack_bytes = before("bytes stack frame");
                last.spill_store_bytes = before("bytes spill stores");
                last.spill_load_bytes = before("bytes spill loads");
            } else if line.contains("registers") {
                last.registers = before("registers");
                last.shared_bytes = before("bytes smem");
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read() {
        let text = "ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'opt' for 'sm_90'
ptxas info    : Function properties for opt
    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 40 registers, used 0 barriers, 512 bytes smem
ptxas info    : Compile time = 4.0 ms";
        let found = parse(text);
        assert_eq!(found.len(), 1);
        let Resources { kernel, registers, shared_bytes, stack_bytes, .. } = &found[0];
        assert_eq!(
            (kernel.as_str(), *registers, *shared_bytes, *stack_bytes),
            ("opt", 40, 512, 16)
        );
        assert_eq!((found[0].spill_store_bytes, found[0].spill_load_bytes), (8, 4));
    }
}
