//! Exact time of parallel algorithms on the memory machine models of GPU computing.
//!
//! A paper's listing is the source code. It is parsed once; from that one program come its values,
//! its memory trace and its time:
//!
//! ```text
//!                              ┌─▶ run ──▶ trace ──▶ machine ──▶ time units
//! listing ─▶ program ─▶ case ──┼─▶ count (time without values or trace) ─┘
//!                              └─▶ emission (CUDA C)
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
//! Data flows one way, and a module never imports one that stands further down:
//!
//! - [`word`], [`units`], [`grid`], [`host`]: words of closed sets, quantities of the models, lists of
//!   numbers, and what the computer gives: files and memory;
//! - [`trace`]: what a run asks of the memory, step by step;
//! - [`diagnostic`]: what is wrong at a place of a text;
//! - [`language`]: from a text to a checked program;
//! - [`machine`]: the time of a trace on the Discrete, the Unified or the Hierarchical Memory Machine
//!   (DMM, UMM, HMM) of width `w` and latency `l`;
//! - [`run`]: a program executed on memory;
//! - [`count`]: the same time without executing what is affine;
//! - [`steps`]: a run step by step: what each warp asks for, where and which value;
//! - [`theory`]: bounds and closed forms, dependences and depth;
//! - [`algorithms`]: what a listing cannot say: references, generators, readers of input, engines;
//! - [`emission`]: from a program to CUDA C;
//! - [`fit`], [`sample`]: coefficients of terms; rows of runs;
//! - [`case`](mod@case), [`sweep`]: one program as it is to be run; grids of them;
//! - [`sass`]: machine code of compiled kernels, executed by the warps of a block;
//! - [`measurement`], [`models`], [`fidelity`]: measured seconds, described machines, and predicted
//!   seconds held against the measured;
//! - `chart`, `report`, `cuda`, `ranks`: pictures, the page on measurements, programs and engines on a
//!   GPU, and over ranks of MPI.
//!
//! What stands up to [`count`] is compiled as a crate of its own, `memory-machine-core`, and so are the
//! engines for polygons and points, `memory-machine-engines`, [`sass`], `memory-machine-sass`, and
//! [`theory`], `memory-machine-theory`; all are reached through this one.
//!
//! Without its default features the crate is pure and builds for WebAssembly. `plot` adds `chart` and
//! `report`, `cuda` what needs a GPU, `cli` the command `umm`, `mpi` `ranks`. The folder `examples` times a listing,
//! checks a bound and predicts seconds.

// Public for the binary `umm` and the fuzz target only: no part of the library.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "mpi")]
pub mod mpi;
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
    count, diagnostic, grid, host, keyword, language, machine, run, steps, trace, units,
};
#[doc(inline)]
pub use memory_machine_fit as fit;
#[cfg(feature = "cuda")]
#[doc(inline)]
pub use memory_machine_gpu as gpu;
#[doc(inline)]
pub use memory_machine_measure::{self as measure, models};
#[doc(inline)]
pub use memory_machine_predict as predict;
#[doc(inline)]
pub use memory_machine_sass as sass;
#[doc(inline)]
pub use memory_machine_theory as theory;
