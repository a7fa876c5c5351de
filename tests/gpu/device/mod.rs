//! What needs a GPU: `cargo test --test main gpu::device:: -- --ignored` runs it.

mod listings;
mod opt_stages;
mod points;
mod tiled;

use memory_machine::gpu::Gpu;

fn gpu() -> Gpu {
    Gpu::open(0).unwrap_or_else(|error| panic!("this test needs a GPU: {error}"))
}
