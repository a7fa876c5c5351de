//! CUDA C to machine code of one architecture, by NVRTC, without a GPU.

use std::collections::BTreeMap;
use std::ffi::{CString, c_char};
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::nvrtc::sys::{self, nvrtcProgram, nvrtcResult};

use super::error::{CudaError, Result};

/// Machine code, as in `90` for sm_90.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Architecture(pub u32);

impl std::fmt::Display for Architecture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "sm_{}", self.0)
    }
}

/// Options of every compilation: what a sum or product rounds to is what the listing says.
const OPTIONS: &[&str] = &["--fmad=false", "--std=c++17", "--device-as-default-execution-space"];

/// Whether libnvrtc can be loaded.
pub fn is_present() -> bool {
    // SAFETY: it only tries to load the library.
    unsafe { sys::is_culib_present() }
}

/// NVRTC's version, as in `13.0`.
///
/// # Errors
/// [`CudaError::NoNvrtc`].
pub fn version() -> Result<String> {
    let (major, minor) = numbers()?;
    Ok(format!("{major}.{minor}"))
}

fn numbers() -> Result<(i32, i32)> {
    need()?;
    let (mut major, mut minor) = (0, 0);
    // SAFETY: both point to integers that outlive the call.
    check(unsafe { sys::nvrtcVersion(&mut major, &mut minor) })?;
    Ok((major, minor))
}

/// The architectures that this NVRTC compiles for.
///
/// # Errors
/// [`CudaError::NoNvrtc`].
pub fn architectures() -> Result<Vec<Architecture>> {
    need()?;
    let mut count = 0;
    // SAFETY: the count says how many numbers the second call writes.
    let found = unsafe {
        check(sys::nvrtcGetNumSupportedArchs(&mut count))?;
        let mut found = vec![0; count as usize];
        check(sys::nvrtcGetSupportedArchs(found.as_mut_ptr()))?;
        found
    };
    Ok(found.into_iter().map(|number| Architecture(number as u32)).collect())
}

/// What was compiled by this process: a measurement needs the same kernels at many points.
static COMPILED: Mutex<BTreeMap<Unit, Arc<[u8]>>> = Mutex::new(BTreeMap::new());

/// A source and what it is compiled for.
type Unit = (String, Architecture);

/// Compiles a file to machine code (a cubin), once.
///
/// # Errors
/// No NVRTC, an architecture that it does not know, or a mistake in the code with NVRTC's log.
pub fn compile(source: &str, architecture: Architecture) -> Result<Arc<[u8]>> {
    let key = (source.to_owned(), architecture);
    let compiled = || COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(code) = compiled().get(&key) {
        return Ok(code.clone());
    }
    let code = Compilation::new(source, architecture, &[])?
        .code(sys::nvrtcGetCUBINSize, sys::nvrtcGetCUBIN)?;
    let code: Arc<[u8]> = code.into();
    compiled().insert(key, code.clone());
    Ok(code)
}

/// Compiles a file to PTX, the text from which a driver or `ptxas` makes machine code.
///
/// # Errors
/// As [`compile`].
pub fn compile_ptx(source: &str, architecture: Architecture) -> Result<Vec<u8>> {
    Compilation::new(source, architecture, &[])?.code(sys::nvrtcGetPTXSize, sys::nvrtcGetPTX)
}

/// Compiles a file of a name to machine code, with headers of these names and texts, and as options say.
///
/// # Errors
/// As [`compile`].
pub(crate) fn compile_with(
    source: &str,
    name: &str,
    headers: &[(String, &str)],
    options: &[String],
) -> Result<Vec<u8>> {
    need()?;
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    Compilation::of(source, name, headers, &options)?
        .code(sys::nvrtcGetCUBINSize, sys::nvrtcGetCUBIN)
}

/// What the compiler remarks on a file that it accepts, such as variables without use; empty if
/// nothing. Optimising, which takes longest and finds no more, is left out where NVRTC lets it.
///
/// # Errors
/// As [`compile`].
pub fn remarks(source: &str, architecture: Architecture) -> Result<String> {
    let fast: &[&str] = if numbers()? >= (12, 9) { &["--Ofast-compile=max"] } else { &[] };
    Compilation::new(source, architecture, fast)?.log()
}

fn need() -> Result<()> {
    if is_present() { Ok(()) } else { Err(CudaError::NoNvrtc) }
}

fn check(result: nvrtcResult) -> Result<()> {
    match result {
        nvrtcResult::NVRTC_SUCCESS => Ok(()),
        other => Err(CudaError::Nvrtc(format!("{other:?}"))),
    }
}

/// A compiled NVRTC program; dropped, it is destroyed.
struct Compilation(nvrtcProgram);

impl Drop for Compilation {
    fn drop(&mut self) {
        // SAFETY: the program was created and is destroyed once.
        unsafe { sys::nvrtcDestroyProgram(&mut self.0) };
    }
}

impl Compilation {
    fn new(source: &str, architecture: Architecture, more: &[&str]) -> Result<Self> {
        need()?;
        let known = architectures()?;
        if !known.contains(&architecture) {
            let known: Vec<String> = known.iter().map(Architecture::to_string).collect();
            return Err(CudaError::Architecture {
                architecture: architecture.to_string(),
                version: version()?,
                known: known.join(", "),
            });
        }
        let target = format!("--gpu-architecture={architecture}");
        let options = [OPTIONS, &[target.as_str()], more].concat();
        Self::of(source, "", &[], &options).map_err(|error| match error {
            CudaError::Compile { log, .. } => {
                CudaError::Compile { architecture: architecture.to_string(), log }
            }
            other => other,
        })
    }

    /// Of a name, if it has one, with headers.
    fn of(source: &str, name: &str, headers: &[(String, &str)], options: &[&str]) -> Result<Self> {
        let nul = |_| CudaError::Nvrtc("the source holds a zero byte".to_owned());
        let texts = |all: &mut dyn Iterator<Item = &str>| {
            all.map(CString::new).collect::<std::result::Result<Vec<_>, _>>()
        };
        let (source, name) = (CString::new(source).map_err(nul)?, CString::new(name).map_err(nul)?);
        let names = texts(&mut headers.iter().map(|it| it.0.as_str())).map_err(nul)?;
        let headers = texts(&mut headers.iter().map(|it| it.1)).map_err(nul)?;
        let options = texts(&mut options.iter().copied()).map_err(nul)?;
        let pointers = |all: &[CString]| all.iter().map(|it| it.as_ptr()).collect::<Vec<_>>();
        let (names, headers) = (pointers(&names), pointers(&headers));
        let option_texts = pointers(&options);
        let mut compilation = Self(std::ptr::null_mut());
        // SAFETY: strings end in zero bytes and outlive the calls.
        unsafe {
            let program = &mut compilation.0;
            let name = if name.is_empty() { std::ptr::null() } else { name.as_ptr() };
            check(sys::nvrtcCreateProgram(
                program,
                source.as_ptr(),
                name,
                headers.len() as i32,
                headers.as_ptr(),
                names.as_ptr(),
            ))?;
            let compiled = sys::nvrtcCompileProgram(
                compilation.0,
                option_texts.len() as i32,
                option_texts.as_ptr(),
            );
            if compiled != nvrtcResult::NVRTC_SUCCESS {
                let (log, architecture) = (compilation.log()?, String::new());
                return Err(CudaError::Compile { architecture, log });
            }
        }
        Ok(compilation)
    }

    fn log(&self) -> Result<String> {
        let log = self.code(sys::nvrtcGetProgramLogSize, sys::nvrtcGetProgramLog)?;
        Ok(String::from_utf8_lossy(&log).trim_end_matches('\0').to_owned())
    }

    /// Bytes whose number `size` says and which `get` writes.
    fn code(
        &self,
        size: unsafe fn(nvrtcProgram, *mut usize) -> nvrtcResult,
        get: unsafe fn(nvrtcProgram, *mut c_char) -> nvrtcResult,
    ) -> Result<Vec<u8>> {
        let mut length = 0;
        // SAFETY: the buffer is as long as `size` says.
        unsafe {
            check(size(self.0, &mut length))?;
            let mut bytes = vec![0_u8; length];
            check(get(self.0, bytes.as_mut_ptr().cast()))?;
            Ok(bytes)
        }
    }
}
