//! Exact time of parallel algorithms on the memory machine models of GPU computing.
//!
//! A paper's listing is the source code. It is parsed once; from that one program come its values,
//! its memory trace and its time:
//!
//! ```text
//!                              ┌─▶ run ──▶ trace ──▶ machine ──▶ time units
//! listing ─▶ program ─▶ case ──┼─▶ count (time without values or trace) ─┘
//!                              └─▶ codegen (CUDA C)
//! ```
//!
//! A [`Case`](case::Case) is a program with sizes, inputs, machine, mode and threads: whatever can be
//! asked of a run is asked of it.
//!
//! ```
//! use memory_machine::case::Case;
//!
//! let text = "\
//! algorithm reverse(n)
//! input a[n] : f32
//! output b[n] : f32
//!
//! for i ← 0 to n-1 do in parallel
//!   b[n-1-i] ← a[i]
//! ";
//! // 1024 words, 256 threads on the UMM of width 32 and latency 100: 4 rounds of 2 accesses, each
//! // in 8 address groups.
//! let case = Case::parse("reverse.alg", text)?.set("n", 1024).threads(256)?;
//! assert_eq!(case.time()?.total().time_units.0, 4 * 2 * (8 + 100 - 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every module below but [`sweep`], [`grade`], [`profile`], [`kernel`] (and `mpi`, `cli`) is a crate of its own in `crates/`, reached through
//! this one; Cargo holds the direction in which they import each other:
//!
//! - from `memory-machine-core`: [`language`], from a text to a checked program; [`run`], a program
//!   executed on memory; [`trace`], what a run asks of the memory, step by step; [`machine`], the time of a
//!   trace on the Discrete, the Unified or the Hierarchical Memory Machine (DMM, UMM, HMM) of width `w` and
//!   latency `l`; [`count`](mod@count), the same time without executing what is affine; [`steps`], a run
//!   spelled out; [`diagnostic`], [`grid`], [`host`], [`keyword`], [`units`], [`whole_number`], what all of them use;
//! - [`sass`]: machine code of compiled kernels, executed by the warps of a block;
//! - [`kernel`]: kernels from anywhere with a launch: executed, counted line by line, checked, reported;
//! - [`fit`](mod@fit): coefficients of terms, fitted to rows;
//! - [`verify`](mod@verify): certificates of bounds, checked; [`theory`]: bounds and closed forms, dependences and depth;
//! - [`algorithms`]: what a listing cannot say: references, generators and readers of inputs, engines;
//! - [`improve`]: from a listing to a faster one, each step proved;
//! - [`codegen`]: from a program to CUDA C;
//! - [`case`](mod@case), [`sample`]: one program as it is to be run; rows of runs;
//! - [`measure`], [`models`]: measured seconds, and described machines;
//! - [`predict`]: predicted seconds, held against the measured;
//! - `chart`, `report`: pictures, and the page on measurements;
//! - `gpu`: programs and engines on a GPU.
//!
//! Without its default features the crate is pure and builds for WebAssembly. `plot` adds `chart` and
//! `report`, `cuda` what needs a GPU, `cli` the command `umm`, `mpi` work over ranks. The folder `examples`
//! times a listing, checks a bound and predicts seconds.

// Public for the binary `umm` and the fuzz target only: no part of the library.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
pub mod grade;
pub mod kernel;
#[cfg(feature = "mpi")]
pub mod mpi;
pub mod profile;
pub mod sweep;

#[doc(inline)]
pub use memory_machine_algorithms as algorithms;
#[doc(inline)]
pub use memory_machine_case as case;
#[doc(inline)]
pub use memory_machine_case::sample;
#[cfg(feature = "plot")]
#[doc(inline)]
pub use memory_machine_chart::{self as chart, report};
#[doc(inline)]
pub use memory_machine_codegen as codegen;
#[doc(inline)]
pub use memory_machine_core::{
    cost, count, diagnostic, grid, host, keyword, language, machine, number, run, steps, trace,
    units, whole_number,
};
#[doc(inline)]
pub use memory_machine_fit as fit;
#[cfg(feature = "cuda")]
#[doc(inline)]
pub use memory_machine_gpu as gpu;
#[doc(inline)]
pub use memory_machine_improve as improve;
#[doc(inline)]
pub use memory_machine_measure::{self as measure, models};
#[doc(inline)]
pub use memory_machine_predict as predict;
#[doc(inline)]
pub use memory_machine_sass as sass;
#[doc(inline)]
pub use memory_machine_theory as theory;
#[doc(inline)]
pub use memory_machine_verify as verify;

// The names of these modules until 0.1.
#[doc(hidden)]
pub use memory_machine_codegen as emission;
#[cfg(feature = "cuda")]
#[doc(hidden)]
pub use memory_machine_gpu as cuda;
#[doc(hidden)]
pub use memory_machine_measure as measurement;
#[doc(hidden)]
pub use memory_machine_predict as fidelity;
