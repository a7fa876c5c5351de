//! Which kernel of a module is meant, and what is known of its parameters.

use super::argument::Argument;
use super::debug_info::{debug_parameters, debug_variable};
use super::part::split_name;
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

/// What is known of the types of what a launch is given.
#[derive(Debug, Clone, Default)]
pub struct DeclaredTypes {
    /// Of the kernel's parameters, by their place.
    pub parameters: Option<Vec<Parameter>>,
    /// Of constants, by their name.
    pub constants: Vec<Parameter>,
}

impl DeclaredTypes {
    /// Of a kernel that is given these arguments and constants: what is known of its parameters, and what
    /// debug information says where they need it; `debug` gives machine code that may have some.
    pub fn new(
        known: Option<Vec<Parameter>>,
        kernel: &KernelCode,
        (arguments, constants): (&[Argument], &[Argument]),
        debug: impl IntoIterator<Item = Vec<u8>>,
    ) -> Self {
        let parameters = Prepared::signature(kernel, known.as_deref()).parameters;
        let parameters = parameters.unwrap_or_default();
        let is_open = |(at, it): (usize, &Parameter)| {
            let is_it = |name: &str| it.name.as_deref() == Some(name) || name == at.to_string();
            let is_stated = |it: &Argument| is_it(&it.name) && it.source.element().is_some();
            matches!(it.of, ParameterType::Other | ParameterType::Array(None))
                && !arguments.iter().any(is_stated)
        };
        let mut is_wanted = parameters.iter().enumerate().any(is_open);
        let untyped = constants.iter().filter(|it| it.source.element().is_none());
        let mut names: Vec<&str> = untyped.map(|it| split_name(&it.name).0).collect();
        let mut all = Self { parameters: known, constants: vec![] };
        let mut debug = debug.into_iter();
        while is_wanted || !names.is_empty() {
            let Some(code) = debug.next() else { break };
            if is_wanted
                && let Some(found) = debug_parameters(&code, &kernel.name)
                && found.len() == parameters.len()
            {
                (all.parameters, is_wanted) = (Some(found), false);
            }
            names.retain(|name| {
                let found = debug_variable(&code, name);
                let name = Some((*name).to_owned());
                let is_missing = found.is_none();
                all.constants.extend(found.map(|it| Parameter { name, ..it }));
                is_missing
            });
        }
        all
    }
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
