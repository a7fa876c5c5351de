//! A launch written as a trace of Accel-Sim, without a GPU: `.traceg`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use super::plan::{KernelError, Plan};
use super::prepare::Prepared;
use memory_machine_core::units::WARP;
use memory_machine_sass::launch::{
    Launch, LaunchObserver, MemorySpace, WarpAccess, WarpPlace, launch_in_order,
};
use memory_machine_sass::{KernelCode, Module, NamedInstruction};

/// Bytes of the lines of blocks that are under way, at most.
const MOST_BYTES: usize = 1 << 30;
/// Bytes of an instruction.
const INSTRUCTION_BYTES: usize = 16;
/// Where windows of shared memory and of threads' own memory begin.
const SHARED_WINDOW: u64 = 0x7e00 << 32;
const LOCAL_WINDOW: u64 = 0x7d00 << 32;

impl Prepared {
    /// Executes the launch and writes what each warp does.
    ///
    /// # Errors
    /// What goes wrong as it is executed; what cannot be written.
    pub fn write_traceg(
        mut self,
        module: &Module,
        kernel: &KernelCode,
        plan: &Plan,
        out: &mut dyn Write,
    ) -> Result<io::Result<()>, KernelError> {
        let of = plan.launch(&self.parameters, self.chosen.as_deref());
        let names = (0..kernel.instructions()).map(|it| kernel.named(it)).collect();
        let mut tracer = Tracer {
            launch: of,
            names,
            out,
            blocks: BTreeMap::new(),
            begun: 0,
            open: None,
            bytes: 0,
            failed: None,
        };
        tracer.header(kernel);
        launch_in_order(module, kernel, &self.image, &of, &mut self.memory, &mut tracer)?;
        tracer.close();
        tracer.flush(u64::MAX);
        Ok(tracer.failed.map_or(Ok(()), Err))
    }
}

/// What a warp did so far.
#[derive(Default)]
struct WarpText {
    text: String,
    count: u64,
}

struct Tracer<'a> {
    launch: Launch<'a>,
    names: Vec<Option<NamedInstruction>>,
    out: &'a mut dyn Write,
    /// Of blocks that are under way, by warp.
    blocks: BTreeMap<u64, Vec<WarpText>>,
    /// The block that began last.
    begun: u64,
    /// The warp whose last instruction waits for its addresses.
    open: Option<(u64, usize)>,
    bytes: usize,
    failed: Option<io::Error>,
}

impl Tracer<'_> {
    fn header(&mut self, kernel: &KernelCode) {
        let three = |it: [u32; 3]| format!("({},{},{})", it[0], it[1], it[2]);
        let shared = kernel.shared_bytes + u64::from(self.launch.dynamic_shared_bytes);
        let text = format!(
            "-kernel name = {}\n-kernel id = 1\n-grid dim = {}\n-block dim = {}\n-shmem = {shared}\n\
             -nregs = {}\n-binary version = 90\n-cuda stream id = 0\n-shmem base_addr = {SHARED_WINDOW:#018x}\n\
             -local mem base_addr = {LOCAL_WINDOW:#018x}\n-nvbit version = none\n-accelsim tracer version = 5\n\
             -enable lineinfo = 0\n\n#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num \
             [reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate\n\n",
            kernel.name,
            three(self.launch.grid),
            three(self.launch.block),
            kernel.registers
        );
        self.put(&text);
    }

    fn put(&mut self, text: &str) {
        if self.failed.is_none()
            && let Err(error) = self.out.write_all(text.as_bytes())
        {
            self.failed = Some(error);
        }
    }

    /// The last instruction has no addresses.
    fn close(&mut self) {
        if let Some((block, warp)) = self.open.take()
            && let Some(it) = self.blocks.get_mut(&block).and_then(|it| it.get_mut(warp))
        {
            it.text += " 0 0\n";
        }
    }

    /// Writes the blocks before one.
    fn flush(&mut self, before: u64) {
        while let Some(first) = self.blocks.first_entry().filter(|it| *it.key() < before) {
            let (block, warps) = first.remove_entry();
            let [x, y, z] = self.launch.place(block, 0).block;
            self.put(&format!("#BEGIN_TB\n\nthread block = {x},{y},{z}\n\n"));
            for (number, it) in warps.iter().enumerate() {
                self.bytes -= it.text.len().min(self.bytes);
                self.put(&format!("warp = {number}\ninsts = {}\n", it.count));
                self.put(&it.text);
                self.put("\n");
            }
            self.put("#END_TB\n\n");
        }
    }
}

impl LaunchObserver for Tracer<'_> {
    fn begin_block(&mut self, block: u64) {
        self.close();
        // Those before are done, unless blocks wait for each other.
        let warps = self.launch.threads().div_ceil(WARP);
        self.flush(self.begun);
        self.begun = block;
        self.blocks.insert(block, (0..warps).map(|_| WarpText::default()).collect());
    }

    fn instruction(&mut self, at: WarpPlace) {
        self.close();
        let warp = at.warp as usize;
        let of = self.blocks.get_mut(&at.block).and_then(|it| it.get_mut(warp));
        let (Some(it), Some(Some(named))) = (of, self.names.get(at.instruction)) else { return };
        let before = it.text.len();
        let place = at.instruction * INSTRUCTION_BYTES;
        let _ = write!(it.text, "{place:04x} {:08x} {}", at.active, named.writes.len());
        named.writes.iter().for_each(|register| it.text += &format!(" R{register}"));
        let _ = write!(it.text, " {} {}", named.name, named.reads.len());
        named.reads.iter().for_each(|register| it.text += &format!(" R{register}"));
        it.count += 1;
        self.bytes += it.text.len() - before;
        self.open = Some((at.block, warp));
        if self.bytes > MOST_BYTES && self.failed.is_none() {
            let why = "a block makes more instructions than fit; launch less";
            self.failed = Some(io::Error::other(why));
        }
    }

    fn access(&mut self, access: &WarpAccess<'_>) {
        let at = (access.warp.block, access.warp.warp as usize);
        if self.open != Some(at) {
            return;
        }
        self.open = None;
        let of = self.blocks.get_mut(&at.0).and_then(|it| it.get_mut(at.1));
        let Some(it) = of else { return };
        let _ = write!(it.text, " {}", access.bytes);
        let address = |lane: usize| match access.space {
            MemorySpace::Global => access.addresses[lane],
            MemorySpace::Shared => SHARED_WINDOW + access.addresses[lane],
            MemorySpace::Local => LOCAL_WINDOW + access.addresses[lane] % (1 << 24),
        };
        let active = access.warp.active;
        let lanes: Vec<u64> = (0..32).filter(|lane| active >> lane & 1 == 1).map(address).collect();
        let steps: Vec<i64> =
            lanes.windows(2).map(|it| it[1].wrapping_sub(it[0]).cast_signed()).collect();
        // Those that follow each other without a gap, as readers take them apart again.
        let is_gapless = {
            let mask = active >> active.trailing_zeros().min(31);
            mask & mask.wrapping_add(1) == 0
        };
        let first = lanes.first().copied().unwrap_or(0);
        let stride = steps.first().copied().unwrap_or(access.bytes as i64);
        it.text += &match steps.iter().all(|it| *it == stride) && is_gapless {
            true => format!(" 1 {first:#x} {stride} 0\n"),
            false => {
                let steps: Vec<String> = steps.iter().map(i64::to_string).collect();
                format!(" 2 {first:#x} {} 0\n", steps.join(" "))
            }
        };
    }
}
