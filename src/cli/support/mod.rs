//! What subcommands share: options, files, progress, pictures, tables and failures. It imports the
//! library alone; subcommands import it, the library, and no other subcommand.

pub(crate) mod allocator;
pub(crate) mod campaign;
pub(crate) mod case;
pub(crate) mod certificate;
pub(crate) mod comparison;
pub(crate) mod cost_options;
pub(crate) mod cost_text;
pub(crate) mod device;
pub(crate) mod failure;
pub(crate) mod files;
pub(crate) mod graph_files;
pub(crate) mod grid;
pub(crate) mod kernel_launch;
pub(crate) mod kernel_pipeline;
pub(crate) mod layer_options;
pub(crate) mod limits;
pub(crate) mod model;
pub(crate) mod names;
pub(crate) mod numbers;
pub(crate) mod options;
pub(crate) mod picture;
pub(crate) mod point_outputs;
pub(crate) mod point_set;
pub(crate) mod prediction;
pub(crate) mod progress;
mod real_inputs;
pub(crate) mod settings;
pub(crate) mod signals;
mod staging;
pub(crate) mod study;
pub(crate) mod table;
pub(crate) mod terminal;
pub(crate) mod trace_text;
pub(crate) mod words;

pub(crate) use self::failure::Failure;
