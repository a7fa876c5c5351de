//! What a run of a listing does, and what a machine takes for it: the executor, the clocks and the
//! counting. `memory-machine` has all of it under its own names; it is a crate of its own so that it is
//! compiled as one unit: loops over generic functions of the standard library need them inlined.
//!
//! A module never imports one that stands further down:
//!
//! - [`language`], with [`diagnostic`] and [`keyword`], is a crate of its own;
//! - [`units`], [`number`], [`whole_number`], [`host`], [`grid`]: quantities of the models, numbers of
//!   results, numbers as people write them, lists of them, and what the computer gives: files and memory;
//! - [`trace`]: what a run asks of the memory, step by step;
//! - [`machine`]: the time of a trace on the Discrete, the Unified or the Hierarchical Memory Machine;
//! - [`run`]: a program executed on memory;
//! - [`cost`]: what a run costs on the other machines that are taught;
//! - [`count`]: time and cost without executing what is affine;
//! - [`steps`]: a run step by step: what each warp asks for, where and which value.

pub mod cost;
pub mod count;
pub mod grid;
pub mod host;
pub mod machine;
pub mod number;
pub mod run;
pub mod steps;
pub mod trace;
pub mod units;
pub mod whole_number;

pub use memory_machine_language as language;
pub use memory_machine_language::{diagnostic, keyword};
