//! CUDA kernels from anywhere: executed on their machine code without a GPU, counted line by line of the
//! source, and checked.
//!
//! ```text
//! cubin + launch + arguments ─▶ execute ─▶ arrays, counts by instruction ─▶ table by source line ─▶ page
//!                                  │─▶ findings: races, what was never written
//!                                  └─▶ trace ─▶ a memory machine's clock
//! ```

mod accelsim;
mod argument;
mod cause;
mod choice;
mod constants;
mod counts;
mod debug_info;
mod disassembly;
mod element;
mod execution;
mod findings;
mod observer;
mod page;
mod parameter_values;
mod part;
mod plan;
mod prediction;
mod prepare;
mod records;
mod sample;
mod shadow;
mod shape;
mod signature;
mod source;
mod source_texts;
mod table;
mod texture;
mod timing;
pub mod trace_file;

pub use self::argument::{Argument, ArgumentSource, ArrayBytes, Filling};
pub use self::cause::Cause;
pub use self::choice::{DeclaredTypes, choose, files_of_lines, known_parameters, source_text};
pub use self::counts::InstructionCounts;
pub use self::disassembly::{DisassemblyRow, disassembly, disassembly_text};
pub use self::element::Element;
pub use self::execution::{Execution, execute};
pub use self::findings::{Finding, FindingKind};
pub use self::observer::Watch;
pub use self::page::{CountedCode, page};
pub use self::plan::{Given, GivenValue, KernelError, MOST_INSTRUCTIONS, Plan};
pub use self::prediction::{InstructionPrediction, MovedBytes};
pub use self::prepare::{Carried, Prepared};
pub use self::sample::{SampleEstimate, SampleEstimates};
pub use self::shape::Shape;
pub use self::signature::{Member, Parameter, ParameterType, Signature};
pub use self::source::parameters;
pub use self::source_texts::SourceTexts;
pub use self::table::{LineCounts, SourceTable};
pub use self::texture::{TensorOptions, TextureOptions};
pub use self::timing::{MachineTrace, Recording, TraceError, machine_trace};
