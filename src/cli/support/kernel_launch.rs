//! A kernel and how it is launched, as flags say it.

use std::path::{Path, PathBuf};

use clap::Args;

use super::Failure;
use super::progress::spin;
use crate::gpu::toolchain::{CompileOptions, machine_code};
use crate::host::files::ends;
use crate::kernel::{
    Argument, DeclaredTypes, KernelError, MOST_INSTRUCTIONS, Plan, Shape, choose, files_of_lines,
    known_parameters, source_text,
};
use crate::run::WorkLimit;
use crate::sass::{self, KernelCode, Module};

/// A kernel and how it is launched.
#[derive(Debug, Args)]
pub(in crate::cli) struct LaunchOptions {
    /// Which kernel, by its name or the compiler's [default: the only one]
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) kernel: Option<String>,
    /// Blocks, as in 64, 64x2 or 8x8x8 [default: 1]
    #[arg(long, value_name = "XxYxZ")]
    pub(in crate::cli) grid: Option<Shape>,
    /// Threads of a block [default: 32]
    #[arg(long, value_name = "XxYxZ")]
    pub(in crate::cli) block: Option<Shape>,
    /// A parameter, by its name or its place from 0 on, or a member of a structure, as in m.width=32: a
    /// number; random, zeros, ones, count or unwritten with a type and extents, as in random:f32[64x64]; a
    /// file .csv or .npy; numbers of a structure, as in 1,2,3; an array behind
    /// texture,linear,wrap,normalized:, surface: or tensor,box=64x64,swizzle=128:; repeatable
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    pub(in crate::cli) arguments: Vec<Argument>,
    /// A `__constant__` of the source, likewise; repeatable
    #[arg(long = "constant", value_name = "NAME=VALUE")]
    pub(in crate::cli) constants: Vec<Argument>,
    /// Dynamic shared memory of a block, in bytes or as in 48K [default: 0]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(in crate::cli) shared: Option<u32>,
    /// A macro for the compiler, as in N=64; repeatable
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]")]
    defines: Vec<String>,
    /// A folder of headers; repeatable
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    includes: Vec<PathBuf>,
    /// An instance of a template that is to be compiled, as in 'f<float, 4>'; repeatable
    #[arg(long = "instance", value_name = "NAME<…>")]
    instances: Vec<String>,
}

/// Bytes of shared memory that devices have at most.
const MOST_SHARED_BYTES: u64 = 227 << 10;

fn bytes(text: &str) -> Result<u32, String> {
    let units = ["KiB", "KB", "K", "k"];
    let (digits, unit) = match units.iter().find_map(|it| text.strip_suffix(it)) {
        Some(digits) => (digits, 1024),
        None => (text, 1),
    };
    let count = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => digits.parse::<u64>().ok(),
    };
    let count = count.and_then(|it| it.checked_mul(unit));
    match count {
        Some(it) if it <= MOST_SHARED_BYTES => Ok(it as u32),
        Some(_) => Err(format!("a block has at most {MOST_SHARED_BYTES}")),
        None => Err("write bytes, as in 4096 or 48K".to_owned()),
    }
}

/// Whether a file is a kernel's, by its name.
pub(in crate::cli) fn is_kernel(path: &Path) -> bool {
    ["cu", "cuh", "ptx", "cubin", "fatbin"].into_iter().any(|it| ends(path, it))
}

fn is_source(path: &Path) -> bool {
    ["cu", "cuh"].into_iter().any(|it| ends(path, it))
}

pub(in crate::cli) fn failed(error: KernelError) -> Failure {
    match error {
        KernelError::Given(why) => Failure::input(why),
        KernelError::Fault(fault) => Failure::run(fault),
    }
}

impl LaunchOptions {
    /// The file's machine code, compiled if it is a source.
    pub(in crate::cli) fn module(&self, file: &Path) -> Result<Module, Failure> {
        let given = self.of_compiler();
        if let Some((flag, _)) = given.iter().find(|it| it.1 && is_kernel(file) && !is_source(file))
        {
            return Err(Failure::input(format_args!(
                "{flag}: it is for the compiler of a .cu, and {} is compiled already; leave it out",
                file.display()
            )));
        }
        let options = self.compile_options(false);
        let code = spin("compiling", || machine_code(file, &options)).map_err(Failure::input)?;
        let name = file.display();
        sass::read(&code).map_err(|it| Failure::input(format_args!("{name}: {it}")))
    }

    fn compile_options(&self, is_for_types: bool) -> CompileOptions {
        CompileOptions {
            defines: self.defines.clone(),
            includes: self.includes.clone(),
            instances: self.instances.clone(),
            tools: vec![],
            is_for_types,
        }
    }

    /// What is known of the types of a kernel's parameters that are given this, and of constants.
    pub(in crate::cli) fn types(
        &self,
        file: &Path,
        kernel: &KernelCode,
        arguments: &[Argument],
    ) -> DeclaredTypes {
        let own = is_source(file).then(|| file.to_string_lossy());
        let known = known_parameters(own.as_deref(), kernel, source_text);
        let options = self.compile_options(true);
        let sources = files_of_lines(kernel).into_iter().map(Path::new).filter(|it| is_source(it));
        let files = [file].into_iter().chain(sources.filter(|it| *it != file));
        let debug = files.filter_map(|it| spin("compiling", || machine_code(it, &options)).ok());
        DeclaredTypes::new(known, kernel, (arguments, &self.constants), debug)
    }

    /// The kernel that is launched, and what is known of the types of what it is given.
    pub(in crate::cli) fn kernel<'m>(
        &self,
        file: &Path,
        module: &'m Module,
    ) -> Result<(&'m KernelCode, DeclaredTypes), Failure> {
        let kernel = choose(module, self.kernel.as_deref(), &file.display().to_string());
        let kernel = kernel.map_err(Failure::input)?;
        Ok((kernel, self.types(file, kernel, &self.arguments)))
    }

    /// A launch within a limit.
    pub(in crate::cli) fn plan(&self, seed: u64, limit: WorkLimit) -> Plan {
        Plan {
            grid: self.grid.unwrap_or(Shape([1; 3])),
            block: self.block.unwrap_or(Shape([32, 1, 1])),
            shared_bytes: self.shared.unwrap_or(0),
            arguments: self.arguments.clone(),
            constants: self.constants.clone(),
            constant_types: vec![],
            seed,
            sample: None,
            limit: limit.operations.unwrap_or(MOST_INSTRUCTIONS),
            checks: true,
            traces: false,
        }
    }

    /// The first flag that is given, if any is.
    pub(in crate::cli) fn given(&self) -> Option<&'static str> {
        let given = [
            ("--kernel", self.kernel.is_some()),
            ("--grid", self.grid.is_some()),
            ("--block", self.block.is_some()),
            ("--arg", !self.arguments.is_empty()),
            ("--constant", !self.constants.is_empty()),
            ("--shared", self.shared.is_some()),
        ];
        given.iter().chain(&self.of_compiler()).find(|it| it.1).map(|it| it.0)
    }

    /// The compiler's flags, and whether each is given.
    fn of_compiler(&self) -> [(&'static str, bool); 3] {
        [
            ("--define", !self.defines.is_empty()),
            ("--include", !self.includes.is_empty()),
            ("--instance", !self.instances.is_empty()),
        ]
    }
}
