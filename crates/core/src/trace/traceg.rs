//! A trace as Accel-Sim reads one: what each warp does, an instruction a line.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::{AccessKind, BlockAt, Phase, Piece, Sink, Space, Step};
use crate::units::{BANK_BYTES, Threads, WARP};

/// Where the arrays' address 0 is: Accel-Sim takes lower ones for no memory.
const BEGIN_BYTE: u64 = 1 << 32;
/// Threads of a block that devices have, at most.
const MOST_THREADS: u64 = 1024;
/// Bytes of all lines, which are written once their number is known, at most.
const MOST_BYTES: usize = 1 << 30;
/// Warps, at most.
const MOST_WARPS: usize = 1 << 22;

/// Keeps what each warp does, and writes it at the end: threads in blocks of 1024, or one smaller block. Barriers are
/// those of each block. A run on DMMs has memory of its own for each block, and is refused.
pub struct TracegWriter<'a> {
    out: &'a mut dyn Write,
    threads: u64,
    /// By warp: its instructions, and how many.
    warps: Vec<(String, u64)>,
    bytes: usize,
    refused: Option<&'static str>,
}

impl<'a> TracegWriter<'a> {
    /// Of a run of this many threads, into a file.
    pub fn new(out: &'a mut dyn Write, threads: Threads) -> Self {
        Self { out, threads: threads.get(), warps: vec![], bytes: 0, refused: None }
    }

    /// # Errors
    /// The first that the system told; more lines than are kept; a run on DMMs.
    pub fn finish(self) -> io::Result<()> {
        if let Some(why) = self.refused {
            return Err(io::Error::other(why));
        }
        let block = self.threads.clamp(1, MOST_THREADS);
        let of_block = block.div_ceil(WARP) as usize;
        let blocks = self.warps.len().div_ceil(of_block).max(1);
        let out = self.out;
        write!(
            out,
            "-kernel name = run\n-kernel id = 1\n-grid dim = ({blocks},1,1)\n-block dim = ({block},1,1)\n\
             -shmem = 0\n-nregs = 8\n-binary version = 90\n-cuda stream id = 0\n-shmem base_addr = \
             0x0000000000000000\n-local mem base_addr = 0x0000000000000000\n-nvbit version = none\n\
             -accelsim tracer version = 5\n-enable lineinfo = 0\n\n#traces format = [line_num] PC mask \
             dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses] \
             immediate\n\n"
        )?;
        for (number, warps) in self.warps.chunks(of_block).enumerate() {
            write!(out, "#BEGIN_TB\n\nthread block = {number},0,0\n\n")?;
            for (warp, (text, count)) in warps.iter().enumerate() {
                write!(
                    out,
                    "warp = {warp}\ninsts = {}\n{text}ffff ffffffff 0 EXIT 0 0 0\n\n",
                    count + 1
                )?;
            }
            write!(out, "#END_TB\n\n")?;
        }
        Ok(())
    }

    fn line(&mut self, warp: usize, text: &str) {
        self.bytes += text.len();
        if self.bytes > MOST_BYTES || warp > MOST_WARPS {
            self.refused = Some("more than 1 GiB of lines; take a smaller run, or --format text");
        }
        if self.refused.is_none() {
            if warp >= self.warps.len() {
                self.warps.resize(warp + 1, (String::new(), 0));
            }
            let (all, count) = &mut self.warps[warp];
            all.push_str(text);
            *count += 1;
        }
    }

    /// A warp's access, by lane.
    fn access(&mut self, warp: usize, step: &Step, lanes: &[Option<u64>]) {
        let mask = lanes.iter().rev().fold(0_u32, |all, it| all << 1 | u32::from(it.is_some()));
        if mask == 0 {
            return;
        }
        let (place, name) = match step.kind {
            _ if step.is_atomic => ("0020", "0 RED.E 2 R2 R4"),
            AccessKind::Read => ("0000", "1 R4 LDG.E 1 R2"),
            AccessKind::Write => ("0010", "0 STG.E 2 R2 R4"),
        };
        let size = match step.words {
            2 => ".64",
            4 => ".128",
            _ => "",
        };
        let name = name.replace(".E", &format!(".E{size}"));
        let bytes = step.words * BANK_BYTES;
        let mut text = format!("{place} {mask:08x} {name} {bytes} 0");
        for it in lanes.iter().flatten() {
            let _ = write!(text, " {:#x}", BEGIN_BYTE.wrapping_add(it.wrapping_mul(BANK_BYTES)));
        }
        text.push_str(" 0\n");
        self.line(warp, &text);
    }
}

impl Sink for TracegWriter<'_> {
    fn step(&mut self, _: Phase, step: &Step) {
        let mut lanes = [None; WARP as usize];
        let (mut thread, mut warp) = (0_u64, 0);
        for piece in &step.pieces {
            let run = match piece {
                Piece::Run(run) => run,
                Piece::Idle(count) => {
                    thread += count;
                    continue;
                }
            };
            for at in 0..run.count {
                if thread / WARP != warp {
                    self.access(warp as usize, step, &lanes);
                    (lanes, warp) = ([None; WARP as usize], thread / WARP);
                }
                lanes[(thread % WARP) as usize] = Some(run.at(at).0);
                thread += 1;
            }
        }
        self.access(warp as usize, step, &lanes);
    }

    fn barrier(&mut self) {
        for warp in 0..self.warps.len() {
            self.line(warp, "0030 ffffffff 0 BAR.SYNC 0 0 0\n");
        }
    }

    fn begin_blocks(&mut self, _: Threads) {
        self.refused = Some("a run on DMMs is not written so; --format text writes it");
    }

    fn block_step(&mut self, _: BlockAt, _: Phase, _: Space, _: &Step) {}

    fn block_barrier(&mut self, _: BlockAt) {}

    fn end_blocks(&mut self) {}
}
