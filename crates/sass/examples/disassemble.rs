//! Writes the machine code of cubins: `cargo run -p memory-machine-sass --example disassemble -- FILE.cubin …`

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    for path in std::env::args().skip(1) {
        let module = memory_machine_sass::read(&std::fs::read(&path)?)?;
        for kernel in &module.kernels {
            println!("{}:", kernel.name);
            for at in 0..kernel.instructions() {
                println!("  /*{:04x}*/  {}", 16 * at, kernel.text(at).unwrap_or_default());
            }
        }
    }
    Ok(())
}
