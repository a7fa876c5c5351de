//! The constants of a launch: its shape and parameters, those of the module, and addresses.

use super::image::Image;
use super::{LOCAL_WINDOW, Launch};
use crate::cubin::{
    BLOCKS_OFFSET, DESCRIPTOR_OFFSET, GRID_OFFSET, KernelCode, LOCAL_WINDOW_OFFSET, Module,
    THREADS_OFFSET,
};
use crate::values::Constants;

/// By bank.
pub(crate) fn constants(
    module: &Module,
    kernel: &KernelCode,
    launch: &Launch<'_>,
    image: &Image,
) -> Constants {
    let blank = module.constants(kernel, (0, 0), &[]);
    let [mut own, _, jumps, ..] = blank;
    let mut put = |at: usize, bytes: &[u8]| {
        if own.len() < at + bytes.len() {
            own.resize(at + bytes.len(), 0);
        }
        own[at..at + bytes.len()].copy_from_slice(bytes);
    };
    for axis in 0..3 {
        put(THREADS_OFFSET + 4 * axis, &launch.block[axis].to_le_bytes());
        put(BLOCKS_OFFSET + 4 * axis, &launch.grid[axis].to_le_bytes());
    }
    put(LOCAL_WINDOW_OFFSET, &(LOCAL_WINDOW << 32).to_le_bytes());
    put(DESCRIPTOR_OFFSET, &[0; 8]);
    let [low, high] = [image.grid as u32, (image.grid >> 32) as u32];
    put(GRID_OFFSET, &high.to_le_bytes());
    put(GRID_OFFSET + 4, &low.to_le_bytes());
    put(kernel.parameters_begin(), launch.parameters);
    [own, vec![], jumps, image.constants.clone(), image.addresses.clone()]
}
