//! Emitted CUDA: every kernel compiles, says what the listing says, and refuses what it cannot do.

pub(crate) mod compile;
mod operations;
mod standalone;
mod text;
mod warps;

use memory_machine::algorithms::catalogue::{CATALOGUE, ON_DMMS, find};
use memory_machine::codegen::{self, Emission, Launch, Options, PREFETCH};
use memory_machine::diagnostic::Source;
use memory_machine::language;
use memory_machine::language::program::Program;
use memory_machine::run::layout::Arrangement;

pub(crate) fn shipped(name: &str) -> Program {
    let text = find(name).unwrap().text.to_owned();
    language::load(Source { name: format!("{name}.alg"), text }).unwrap()
}

pub(crate) fn listing(text: &str) -> Program {
    language::load(Source { name: "test.alg".to_owned(), text: text.to_owned() }).unwrap()
}

/// Every way to emit a program.
pub(crate) fn ways(program: &Program) -> Vec<Options> {
    let mut ways = vec![];
    for &launch in codegen::launches(program) {
        for prefetch in [1, PREFETCH] {
            ways.push(Options { bulk: None, launch, prefetch, standalone: false });
        }
    }
    if program.first_parallel_loop().is_none() {
        for arrangement in [Arrangement::RowWise, Arrangement::ColumnWise] {
            for prefetch in [1, 8, PREFETCH] {
                let (bulk, launch) = (Some(arrangement), Launch::Plain);
                ways.push(Options { bulk, launch, prefetch, standalone: false });
            }
        }
    }
    ways
}

/// Emitted for any size; where a size shapes blocks, for 64.
pub(crate) fn emitted(program: &Program, options: Options) -> Emission {
    codegen::emit(program, options, &[]).unwrap_or_else(|_| emitted_for(program, options, 64))
}

/// Emitted for one size, of all parameters without a default.
pub(crate) fn emitted_for(program: &Program, options: Options, size: i64) -> Emission {
    let sizes = program.parameters.iter().map(|it| Some(it.default.unwrap_or(size)));
    codegen::emit(program, options, &sizes.collect::<Vec<_>>()).unwrap()
}

/// Whether a listing is emitted in every way, as those of the papers and those on DMMs are: the tests
/// have no time for all ways of all.
pub(crate) fn is_tried_in_full(program: &Program) -> bool {
    crate::PAPERS.contains(&program.name.as_str()) || program.first_loop_on_dmms().is_some()
}

pub(crate) fn all_shipped() -> impl Iterator<Item = Program> {
    CATALOGUE.iter().chain(ON_DMMS).map(|entry| shipped(entry.name))
}
