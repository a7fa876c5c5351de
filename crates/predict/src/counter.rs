//! What is counted of a kernel's accesses, by a GPU and by the memory machine.

use memory_machine_core::keyword::{Keyword, keywords};

/// What a GPU and the memory machine both count, of one launch of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counter {
    /// Instructions of warps that read global memory: dispatches at w = 32.
    LoadRequests,
    /// The same that write.
    StoreRequests,
    /// Sectors of 32 bytes that they read: address groups of 8 words of 4 bytes.
    LoadSectors,
    /// Sectors that they write.
    StoreSectors,
    /// Passes through the banks of shared memory by reads: stages of a DMM.
    SharedLoads,
    /// The same by writes.
    SharedStores,
    /// Sectors that multiprocessors ask the last-level cache for.
    CacheReads,
    /// Sectors that they hand it.
    CacheWrites,
    /// Bytes that come from memory.
    MemoryReads,
}

keywords! { Counter {
    LoadRequests "load_requests" "Warps' reads of global memory"
    StoreRequests "store_requests" "Warps' writes to global memory"
    LoadSectors "load_sectors" "Sectors of 32 bytes that they read"
    StoreSectors "store_sectors" "Sectors of 32 bytes that they write"
    SharedLoads "shared_load_wavefronts" "Stages of shared memory, reading"
    SharedStores "shared_store_wavefronts" "Stages of shared memory, writing"
    CacheReads "l2_read_sectors" "Sectors that the last-level cache is asked for"
    CacheWrites "l2_write_sectors" "Sectors that are handed to the last-level cache"
    MemoryReads "dram_read_bytes" "Bytes that come from memory"
} }

impl Counter {
    /// What NVIDIA's profiler calls it.
    pub const fn metric(self) -> &'static str {
        match self {
            Self::LoadRequests => "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
            Self::StoreRequests => "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
            Self::LoadSectors => "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
            Self::StoreSectors => "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
            Self::SharedLoads => "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
            Self::SharedStores => "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
            Self::CacheReads => "lts__t_sectors_srcunit_tex_op_read.sum",
            Self::CacheWrites => "lts__t_sectors_srcunit_tex_op_write.sum",
            Self::MemoryReads => "dram__bytes_read.sum",
        }
    }

    /// Every counter.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::WORDS.iter().map(|it| it.0)
    }
}
