//! This crate's side of `run`: basic blocks of PTX files as the model orders them, each alone, with 300
//! cycles for every word from global memory.
//!
//! usage: ptxas_peers FILE.ptx …

use memory_machine::ptx::{
    self, Beyond, BlockRun, Instruction, Memory, Opcode, Space, Timing, parse,
};

const TIMING: Timing = Timing {
    simple: 4.5,
    f64: [8.3, 2.2],
    product64: [17.0, 8.4],
    quotient: [131.0, 31.0],
    quotient64: [173.0, 37.0],
    f32_quotient: [58.0, 18.0],
    f64_quotient: [126.0, 27.0],
    f32_root: [57.0, 12.0],
    f64_root: [93.0, 29.0],
    branch: 0.0,
    near: 300.0,
    far: [300.0; 2],
    memory: 300.0,
    shared: 24.0,
    barrier: [0.0; 2],
    near_groups: 1e-9,
    beyond: Beyond::Part(0.0),
};

struct Zeros;

impl Memory for Zeros {
    fn load(&mut self, _: u64, _: u64) -> u64 {
        0
    }

    fn store(&mut self, _: u64, _: u64, _: u64) {}
}

fn main() {
    println!("file,kernel,reads,writes,shared_reads,shared_writes,instructions,cycles");
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).unwrap_or_else(|error| fail(&file, &error));
        let module = parse(&text).unwrap_or_else(|error| fail(&file, &error));
        for kernel in &module.kernels {
            for block in kernel.blocks() {
                let run = BlockRun {
                    blocks: 1,
                    threads: 32,
                    block: 0,
                    warps: 1,
                    arguments: &[],
                    limit: 1 << 20,
                    has_results: false,
                };
                let Ok(counts) = ptx::run(&module, &block, run, &TIMING, &mut Zeros) else {
                    continue;
                };
                let count = |does: fn(&Instruction) -> bool| {
                    block.instructions.iter().filter(|it| does(it)).count()
                };
                let reads =
                    count(|it| matches!(it.opcode, Opcode::Ld(Space::Global) | Opcode::LdReadOnly));
                let writes = count(|it| it.opcode == Opcode::St(Space::Global));
                let shared_reads = count(|it| it.opcode == Opcode::Ld(Space::Shared));
                let shared_writes = count(|it| it.opcode == Opcode::St(Space::Shared));
                println!(
                    "{file},{},{reads},{writes},{shared_reads},{shared_writes},{},{:.0}",
                    kernel.name, counts.instructions, counts.cycles
                );
            }
        }
    }
}

fn fail(file: &str, error: &dyn std::fmt::Display) -> ! {
    eprintln!("{file}: {error}");
    std::process::exit(2);
}
