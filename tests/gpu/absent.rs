//! What commands say where something that they need is not there: exit code 1, and what to install.

use std::path::Path;

use crate::support::{Words, command};

/// Where no library is found, and where those that are found anyway see no GPU.
fn fails(words: &(impl Words + ?Sized)) -> (Option<i32>, String) {
    let mut command = command(Path::new("."), words);
    command.envs([("LD_LIBRARY_PATH", ""), ("PATH", ""), ("CUDA_VISIBLE_DEVICES", "")]);
    let output = command.output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn no_driver_is_said_and_nothing_written() {
    let folder = tempfile::tempdir().unwrap();
    let measured = folder.path().join("measured");
    let measured = measured.to_str().unwrap();
    for arguments in [
        &["gpu", "info"][..],
        &["gpu", "run", "sum", "--set", "n=8"],
        &["gpu", "measure", "microbenchmarks", "-o", measured],
        &["gpu", "measure", "opt", "--set", "n=8", "--devices", "all", "-o", measured],
        &["opt", "matrix-chain", "30", "35", "15", "--engine", "gpu"],
        &["opt", "search-tree", "-p", "1,2", "--engine", "gpu", "--json"],
        &["opt", "tune", "-n", "64", "-o", measured, "--tables", measured],
    ] {
        let (code, message) = fails(arguments);
        assert_eq!(code, Some(1), "{arguments:?} {message}");
        let said = message.contains("no CUDA driver") || message.contains("finds no GPU");
        assert!(said, "{arguments:?} {message}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn no_compiler_is_said() {
    // All that is missing is named at once; NVRTC may be one that the system finds by itself.
    let (code, message) = fails("cuda sum --resources");
    assert_eq!(code, Some(1));
    assert!(message.contains("pip install nvidia-cuda-nvcc,"), "{message}");
    let (_, compiled) = fails("predict sum --set n=8 --model h200 --compiled");
    assert_eq!(message.contains("no NVRTC"), compiled.contains("no NVRTC"), "{message}{compiled}");
}
