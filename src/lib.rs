//! Exact time of parallel algorithms on the memory machine models of GPU computing.
//!
//! A paper's listing is the source code. It is parsed once; from that one program come its values,
//! its memory trace and its time:
//!
//! ```text
//! listing ─▶ program ─┬─▶ run ──▶ trace ──▶ machine ──▶ time units
//!                     └─▶ count (time without values or trace) ─┘
//! ```
//!
//! Data flows one way, and a module never imports one to its right: [`language`] makes a program of
//! a text, [`run`] executes it on memory, [`trace`] is what it asks of the memory step by step,
//! [`machine`] times that on the Discrete or Unified Memory Machine (DMM, UMM) of width `w` and
//! latency `l`, and [`count`] finds the same time without executing what is affine.
//! [`algorithms`] holds what a listing cannot say: references, generators, readers of input, engines.
//! [`fidelity`] predicts seconds and holds them against measured ones. [`chart`] draws, [`report`] writes a page on what was measured, [`cli`] is the command `umm`.
//!
//! ```
//! use memory_machine::count::count;
//! use memory_machine::diagnostic::Source;
//! use memory_machine::language;
//! use memory_machine::machine::{Machine, MachineKind, Mode};
//! use memory_machine::run::layout::Layout;
//! use memory_machine::run::Limits;
//! use memory_machine::units::{Latency, Threads, Width};
//!
//! let text = "\
//! algorithm reverse(n)
//! input a[n] : f32
//! output b[n] : f32
//!
//! for i ← 0 to n-1 do in parallel
//!   b[n-1-i] ← a[i]
//! ";
//! let program = language::load(Source { name: "reverse.alg".into(), text: text.into() })?;
//!
//! // 1024 words, 256 threads on the UMM of width 32 and latency 100: 4 rounds of 2 accesses, each
//! // in 8 address groups.
//! let (width, latency, threads) = (Width::new(32)?, Latency::new(100)?, Threads::new(256)?);
//! let layout = Layout::new(&program, |_| Some(1024), width, None)?;
//! let machine = Machine { kind: MachineKind::Umm, width, latency };
//! let limits = Limits { threads, while_iterations: 0 };
//! let counted = count(&program, &layout, machine, Mode::Sync, limits)?;
//! assert_eq!(counted.counts[0].time_units.0, 4 * 2 * (8 + 100 - 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod algorithms;
pub mod case;
#[cfg(feature = "plot")]
pub mod chart;
#[cfg(feature = "cli")]
pub mod cli;
pub mod count;
#[cfg(feature = "cuda")]
pub mod cuda;
pub mod diagnostic;
pub mod emission;
pub mod fidelity;
pub mod fit;
pub mod grid;
pub mod host;
pub mod language;
pub mod machine;
pub mod measurement;
pub mod models;
#[cfg(feature = "plot")]
pub mod report;
pub mod run;
pub mod sample;
pub mod sweep;
pub mod theory;
pub mod trace;
pub mod units;
pub mod word;
