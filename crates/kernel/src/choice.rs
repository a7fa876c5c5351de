//! Which kernel of a module is meant, and what is known of its parameters.

use super::argument::Argument;
use super::debug_info::debug_parameters;
use super::prepare::Prepared;
use super::signature::{Parameter, ParameterType, Signature};
use super::source::parameters;
use memory_machine_sass::{KernelCode, Module};

/// The kernel that is asked for, by its name or the compiler's; `file` is what messages call the module.
///
/// # Errors
/// There is none, or there are several.
pub fn choose<'a>(
    module: &'a Module,
    name: Option<&str>,
    file: &str,
) -> Result<&'a KernelCode, String> {
    let short = |it: &KernelCode| Signature::of(&it.name).name;
    let all = || {
        let names: Vec<String> = module.kernels.iter().map(short).collect();
        names.join(", ")
    };
    let named = |name: &str| -> Vec<&KernelCode> {
        module.kernels.iter().filter(|it| it.name == name || short(it) == name).collect()
    };
    match (name, &module.kernels[..]) {
        (_, []) => Err(format!(
            "{file}: no kernel is in it; a template needs an instance: --instance 'f<float>'"
        )),
        (None, [only]) => Ok(only),
        (None, _) => Err(format!("{file}: has several kernels; choose one by --kernel: {}", all())),
        (Some(name), _) => match named(name)[..] {
            [only] => Ok(only),
            [] => Err(format!(
                "--kernel {name}: {file} has no such kernel; it has {}; a template needs an \
                 instance: --instance '{name}<float>'",
                all()
            )),
            _ => {
                let own: Vec<&str> = named(name).iter().map(|it| it.name.as_str()).collect();
                Err(format!(
                    "--kernel {name}: there are several; say the compiler's name: {}",
                    own.join(", ")
                ))
            }
        },
    }
}

/// What is said of the kernel's parameters by its own source, or by the one that its lines are of; `text`
/// gives a file's text, if it can be read.
pub fn known_parameters(
    own: Option<&str>,
    kernel: &KernelCode,
    text: impl Fn(&str) -> Option<String>,
) -> Option<Vec<Parameter>> {
    let name = Signature::of(&kernel.name).name;
    let all = own.into_iter().chain(files_of_lines(kernel));
    all.filter_map(text).find_map(|it| parameters(&it, &name))
}

/// The files that a kernel's lines are of.
pub fn files_of_lines(kernel: &KernelCode) -> Vec<&str> {
    let mut all: Vec<&str> =
        (0..kernel.instructions()).filter_map(|it| Some(&*kernel.line(it)?.file)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// What is known of a kernel's parameters with what debug information says, where these arguments need it:
/// `debug` gives machine code that may have some.
pub fn typed_parameters(
    known: Option<Vec<Parameter>>,
    kernel: &KernelCode,
    arguments: &[Argument],
    debug: impl IntoIterator<Item = Vec<u8>>,
) -> Option<Vec<Parameter>> {
    let parameters = Prepared::signature(kernel, known.as_deref()).parameters.unwrap_or_default();
    let is_open = |(at, it): (usize, &Parameter)| {
        let is_stated = |argument: &Argument| {
            let is_it =
                it.name.as_deref() == Some(&argument.name) || argument.name == at.to_string();
            is_it && argument.source.element().is_some()
        };
        let is_typed = !matches!(it.of, ParameterType::Other | ParameterType::Array(None));
        !is_typed && !arguments.iter().any(is_stated)
    };
    if !parameters.iter().enumerate().any(is_open) {
        return known;
    }
    let mut found = debug.into_iter().filter_map(|it| debug_parameters(&it, &kernel.name));
    found.find(|it| it.len() == parameters.len()).or(known)
}

/// Bytes of a source file, at most.
const MOST_SOURCE_BYTES: u64 = 16 << 20;

/// A source file's text, if it can be read.
pub fn source_text(path: &str) -> Option<String> {
    let size = std::fs::metadata(path).ok()?.len();
    (size <= MOST_SOURCE_BYTES)
        .then(|| std::fs::read(path).ok())
        .flatten()
        .map(|it| String::from_utf8_lossy(&it).into_owned())
}
