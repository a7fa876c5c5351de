//! Machine code of files: CUDA C by nvcc where it is, else by NVRTC without what runs on the host; PTX by
//! ptxas.

use std::path::{Path, PathBuf};
use std::process::Command;

use thiserror::Error;

use super::device_code::{DeviceCode, header_name};
use super::error::CudaError;
use super::fatbin::{self, Chosen};
use super::host_headers::{EMPTY_HEADERS, PRELUDE};
use super::nvrtc::{self, Architecture};

/// Whose code it is, and with what it may use: products of warp groups are of this GPU alone.
const ARCHITECTURE: Architecture = Architecture(90);
const TARGET: &str = "sm_90a";

/// Why there is no machine code.
#[derive(Debug, Error)]
pub enum ToolchainError {
    /// A file that cannot be read.
    #[error("{0}: {1}")]
    File(String, std::io::Error),
    /// A kind of file that is not known.
    #[error("{0}: a file is .cu (CUDA C), .ptx, .cubin or .fatbin")]
    Kind(String),
    /// A file of several architectures without the one.
    #[error("{0}: {1}")]
    Fatbin(String, String),
    /// Neither compiler is there.
    #[error(
        "no compiler for CUDA: neither nvcc nor NVRTC is found; install one: \
         `pip install nvidia-cuda-nvcc nvidia-nvvm nvidia-cuda-crt nvidia-cuda-runtime \
         nvidia-cuda-cccl` and put its folder nvidia/cu13/bin on the PATH, or `pip install \
         nvidia-cuda-nvrtc` and name its folder in LD_LIBRARY_PATH; or give a .cubin"
    )]
    NoCompiler,
    /// The assembler is not there.
    #[error(
        "no ptxas, which makes machine code of PTX; install it (`pip install nvidia-cuda-nvcc`) and put its \
         folder nvidia/cu13/bin on the PATH; or give a .cubin"
    )]
    NoAssembler,
    /// What the compiler says.
    #[error("{0} does not compile for sm_90:\n{1}")]
    Compile(String, String),
    /// NVRTC.
    #[error(transparent)]
    Cuda(#[from] CudaError),
}

/// The options of the compiler.
#[derive(Debug, Clone, Default)]
pub struct CompileOptions {
    /// `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Folders of headers.
    pub includes: Vec<PathBuf>,
    /// Instances of templates that are to be there, such as `f<float, 4>`.
    pub instances: Vec<String>,
    /// Folders in which nvcc and ptxas may be, beside those that the environment names.
    pub tools: Vec<PathBuf>,
    /// Whether the code is not to be executed, but to say what its types are.
    pub is_for_types: bool,
}

/// The machine code of a file, for sm_90, with its lines.
///
/// # Errors
/// A file that cannot be read or is no such file; no compiler; what it says.
pub fn machine_code(path: &Path, options: &CompileOptions) -> Result<Vec<u8>, ToolchainError> {
    let name = path.display().to_string();
    let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
    let read = || std::fs::read(path).map_err(|it| ToolchainError::File(name.clone(), it));
    match extension {
        "cubin" | "fatbin" => chosen(read()?, &name, options),
        "ptx" => assemble(path, &name, options),
        "cu" | "cuh" => compile(&String::from_utf8_lossy(&read()?), path, options),
        _ => Err(ToolchainError::Kind(name)),
    }
}

/// Of a file of several architectures the machine code that is executed; any other file as it is.
fn chosen(bytes: Vec<u8>, name: &str, options: &CompileOptions) -> Result<Vec<u8>, ToolchainError> {
    if !fatbin::is_fatbin(&bytes) {
        return Ok(bytes);
    }
    match fatbin::choose(&bytes, ARCHITECTURE) {
        Ok(Chosen::Cubin(code)) => Ok(code.to_vec()),
        Ok(Chosen::Ptx(text)) => assemble_text(text, options),
        Err(why) => Err(ToolchainError::Fatbin(name.to_owned(), why)),
    }
}

/// The machine code of CUDA C, with its lines, that are called those of `path`.
///
/// # Errors
/// No compiler; what it says.
pub fn compile(
    source: &str,
    path: &Path,
    options: &CompileOptions,
) -> Result<Vec<u8>, ToolchainError> {
    let source = with_instances(source, &options.instances);
    match tool("nvcc", &options.tools) {
        Some(nvcc) => by_nvcc(&nvcc, path, &[&source], options).or_else(|whole| {
            // What runs on the host may be written for another version, or need what is not there.
            let device = DeviceCode::new(&source, path, &options.includes);
            let compiled = device
                .compile(|texts| by_nvcc(&nvcc, path, texts, options).map_err(|it| it.to_string()));
            compiled.map_err(|_| whole)
        }),
        None if nvrtc::is_present() => by_nvrtc(path, &source, options),
        None => Err(ToolchainError::NoCompiler),
    }
}

/// The machine code of PTX.
///
/// # Errors
/// No assembler; what it says.
pub fn assemble_text(text: &str, options: &CompileOptions) -> Result<Vec<u8>, ToolchainError> {
    let folder = folder()?;
    let path = folder.path().join("in.ptx");
    std::fs::write(&path, text)
        .map_err(|it| ToolchainError::File(path.display().to_string(), it))?;
    assemble(&path, "the PTX", options)
}

fn with_instances(source: &str, instances: &[String]) -> String {
    if instances.is_empty() {
        return source.to_owned();
    }
    // A pointer to each makes the compiler make it.
    let pointers: String = instances
        .iter()
        .enumerate()
        .map(|(at, it)| format!("__device__ auto umm_instance_{at} = &{it};\n"))
        .collect();
    format!("{source}\n{pointers}")
}

/// A program of the toolkit.
fn tool(name: &str, folders: &[PathBuf]) -> Option<PathBuf> {
    let homes = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(std::env::var_os);
    let homes = homes.map(|it| PathBuf::from(it).join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::env::split_paths(&path).chain(homes).chain(["/usr/local/cuda/bin".into()]);
    let all = all.chain(folders.iter().cloned());
    all.map(|it| it.join(name)).find(|it| it.is_file())
}

fn output(mut command: Command, name: &str, to: &Path) -> Result<Vec<u8>, ToolchainError> {
    let done = command.output().map_err(|it| ToolchainError::File(name.to_owned(), it))?;
    if !done.status.success() {
        let output = [done.stderr, done.stdout].concat();
        let output = String::from_utf8_lossy(&output).trim().to_owned();
        return Err(ToolchainError::Compile(name.to_owned(), output));
    }
    std::fs::read(to).map_err(|it| ToolchainError::File(to.display().to_string(), it))
}

fn folder() -> Result<tempfile::TempDir, ToolchainError> {
    tempfile::tempdir().map_err(|it| ToolchainError::File("a temporary folder".to_owned(), it))
}

/// Of texts, the first of which may include the others.
fn by_nvcc(
    nvcc: &Path,
    path: &Path,
    texts: &[impl AsRef<str>],
    options: &CompileOptions,
) -> Result<Vec<u8>, ToolchainError> {
    let (name, folder) = (path.display().to_string(), folder()?);
    let to = folder.path().join("out.cubin");
    let own = folder.path().join("in.cu");
    for (number, text) in texts.iter().map(AsRef::as_ref).enumerate() {
        // With the file's own name in what is reported of lines.
        let (to, text) = match number {
            0 => (own.clone(), format!("#line 1 \"{name}\"\n{text}")),
            _ => (folder.path().join(header_name(number)), text.to_owned()),
        };
        std::fs::write(&to, text).map_err(|it| ToolchainError::File(name.clone(), it))?;
    }
    let mut command = Command::new(nvcc);
    command.args(["-x", "cu", "-cubin", "-arch", TARGET]);
    command.args([if options.is_for_types { "-G" } else { "-lineinfo" }, "-std=c++17", "-w"]);
    command.args(["--expt-relaxed-constexpr", "--extended-lambda"]);
    command
        .arg("-I")
        .arg(path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new(".")));
    for it in &options.includes {
        command.arg("-I").arg(it);
    }
    command.args(options.defines.iter().map(|it| format!("-D{it}")));
    command.arg("-o").arg(&to).arg(&own);
    output(command, &name, &to)
}

fn by_nvrtc(
    path: &Path,
    source: &str,
    options: &CompileOptions,
) -> Result<Vec<u8>, ToolchainError> {
    let name = path.display().to_string();
    let target = format!("--gpu-architecture={TARGET}");
    let lines = if options.is_for_types { "--device-debug" } else { "-lineinfo" };
    let mut all = vec![target, lines.to_owned(), "--std=c++17".to_owned(), "-w".to_owned()];
    all.push("--device-as-default-execution-space".to_owned());
    let own = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let toolkit = toolkit_headers(&options.tools);
    let folders = options.includes.iter().map(PathBuf::as_path).chain([own]);
    for it in folders.chain(toolkit.iter().map(PathBuf::as_path)) {
        all.push(format!("--include-path={}", it.display()));
    }
    all.extend(options.defines.iter().map(|it| format!("-D{it}")));
    let mut other = None;
    let compiled = DeviceCode::new(source, path, &options.includes).compile(|texts| {
        let text = format!("{PRELUDE}{}", texts[0]);
        let mut headers: Vec<(String, &str)> =
            EMPTY_HEADERS.split(' ').map(|it| (it.to_owned(), "")).collect();
        let own = texts.iter().enumerate().skip(1);
        headers.extend(own.map(|(number, text)| (header_name(number), text.as_str())));
        nvrtc::compile_with(&text, &name, &headers, &all).map_err(|error| match error {
            CudaError::Compile { log, .. } => log,
            it => {
                other = Some(it);
                String::new()
            }
        })
    });
    compiled.map_err(|log| match other {
        Some(it) => it.into(),
        None => ToolchainError::Compile(name, format!("{log}\n{}", nvrtc_remedy(&log))),
    })
}

/// What helps against what NVRTC says.
fn nvrtc_remedy(log: &str) -> &'static str {
    if log.contains("cannot open source file") {
        "(by NVRTC; -I names a folder of headers; those of CUDA come with `pip install nvidia-cuda-runtime \
         nvidia-cuda-crt nvidia-cuda-cccl`, and are found beside NVRTC)"
    } else {
        "(by NVRTC, without what runs on the host; nvcc takes more, see --help)"
    }
}

/// Folders of CUDA's own headers: beside NVRTC as `pip` lays them, and those that the environment names.
fn toolkit_headers(tools: &[PathBuf]) -> Vec<PathBuf> {
    let homes = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(std::env::var_os);
    let homes = homes.map(PathBuf::from).chain([PathBuf::from("/usr/local/cuda")]);
    let libraries = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let beside = std::env::split_paths(&libraries).chain(tools.iter().cloned());
    let beside = beside.filter_map(|it| it.parent().map(Path::to_owned));
    let of_packages = |it: PathBuf| {
        let others = ["cuda_runtime", "cuda_nvcc", "cuda_cccl", "curand"]
            .map(|name| it.with_file_name(name));
        others.into_iter().chain([it])
    };
    let folders = homes.chain(beside.flat_map(of_packages)).map(|it| it.join("include"));
    let mut folders: Vec<PathBuf> = folders.filter(|it| it.is_dir()).collect();
    folders.dedup();
    folders
}

fn assemble(path: &Path, name: &str, options: &CompileOptions) -> Result<Vec<u8>, ToolchainError> {
    let ptxas = tool("ptxas", &options.tools).ok_or(ToolchainError::NoAssembler)?;
    let folder = folder()?;
    let to = folder.path().join("out.cubin");
    let mut command = Command::new(ptxas);
    let lines = if options.is_for_types { "-g" } else { "-lineinfo" };
    command.arg(format!("-arch={TARGET}")).arg(lines).arg("-o").arg(&to).arg(path);
    output(command, name, &to)
}
