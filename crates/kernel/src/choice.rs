//! Which kernel of a module is meant, and what is known of its parameters.

use super::signature::{Parameter, Signature};
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
    let mut of_lines: Vec<&str> =
        (0..kernel.instructions()).filter_map(|it| Some(&*kernel.line(it)?.file)).collect();
    of_lines.sort_unstable();
    of_lines.dedup();
    let all = own.into_iter().chain(of_lines);
    all.filter_map(text).find_map(|it| parameters(&it, &name))
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
