//! What a listing is, what a run of it does, and what a machine takes for it: the language, the
//! executor, the clocks and the counting. `memory-machine` has all of it under its own names; it is a
//! crate of its own so that it is compiled as one unit: loops over generic functions of the standard
//! library need them inlined.
//!
//! A module never imports one that stands further down:
//!
//! - [`keyword`], [`units`], [`whole_number`], [`host`], [`grid`]: words of closed sets, quantities of the
//!   models, numbers as people write them, lists of them, and what the computer gives: files and memory;
//! - [`trace`]: what a run asks of the memory, step by step;
//! - [`diagnostic`]: what is wrong at a place of a text;
//! - [`language`]: from a text to a checked program;
//! - [`machine`]: the time of a trace on the Discrete, the Unified or the Hierarchical Memory Machine;
//! - [`run`]: a program executed on memory;
//! - [`count`]: the same time without executing what is affine;
//! - [`steps`]: a run step by step: what each warp asks for, where and which value.

pub mod count;
pub mod diagnostic;
pub mod grid;
pub mod host;
pub mod keyword;
pub mod language;
pub mod machine;
pub mod run;
pub mod steps;
pub mod trace;
pub mod units;
pub mod whole_number;
