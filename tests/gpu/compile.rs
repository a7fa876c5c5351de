//! The engines' own kernels, compiled by NVRTC without a GPU.

use memory_machine::gpu::opt::tiled::{self, Side};
use memory_machine::gpu::{greedy, hull, nvrtc};

use crate::codegen::compile::{architectures, by_turns, compile};

#[test]
#[ignore = "needs NVRTC"]
fn engines_of_points_compile() {
    let [filter, quickhull] = hull::sources();
    for source in [greedy::source(), filter, quickhull] {
        compile(&source, &architectures());
    }
}

/// The tiled engine for every number, with sides and without, by tiles of either side.
fn tiled_sources() -> impl Iterator<Item = String> {
    let ways = [false, true].into_iter().flat_map(|it| Side::ALL.map(|side| (it, side)));
    let numbers = [tiled::source::<f32>, tiled::source::<f64>, tiled::source::<i32>];
    ways.flat_map(move |(split, side)| numbers.map(|source| source(split, side)))
}

/// One of every number, optimised, which takes seconds.
#[test]
#[ignore = "needs NVRTC"]
fn the_tiled_engine_compiles_for_all_numbers() {
    for (source, architecture) in tiled_sources().step_by(5).zip(by_turns()) {
        compile(&source, &[architecture]);
    }
}

#[test]
#[ignore = "needs NVRTC, and takes minutes"]
fn the_tiled_engine_compiles_for_all_architectures() {
    let architectures = architectures();
    let pairs =
        tiled_sources().flat_map(|it| architectures.iter().map(move |to| (it.clone(), *to)));
    // Every source, and no multiple of the architectures, so that each has its turn. Not optimised.
    for (source, architecture) in crate::few(pairs, 3) {
        nvrtc::remarks(&source, architecture).unwrap();
    }
}
