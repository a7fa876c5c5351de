//! The comment at the top of an emitted file.

use std::fmt::Write;

use super::{Options, PREFETCH};
use memory_machine_algorithms::{catalogue, validation_listings};
use memory_machine_core::diagnostic::{Source, is_hidden};
use memory_machine_core::language::program::Program;
use memory_machine_core::run::layout::Arrangement;

/// What the file is, and the listing.
pub(super) fn title(
    program: &Program,
    options: Options,
    constants: &[Option<i64>],
    has_loops: bool,
) -> String {
    let Program { name, source, .. } = program;
    let mut title = format!("// {name} as CUDA, emitted by `umm cuda {}", given(source));
    let constants = program.parameters.iter().zip(constants);
    let sizes: Vec<String> =
        constants.filter_map(|(it, value)| Some(format!("{}={}", it.name, (*value)?))).collect();
    if !sizes.is_empty() {
        let _ = write!(title, " --set {}", sizes.join(" --set "));
    }
    match options.bulk {
        Some(Arrangement::RowWise) => title += " --bulk row",
        Some(Arrangement::ColumnWise) => title += " --bulk column",
        None => {}
    }
    if options.prefetch != PREFETCH {
        let _ = write!(title, " --prefetch {}", options.prefetch);
    }
    if has_loops {
        let _ = write!(title, " --launch {}", options.launch);
    }
    title += if options.standalone { " --standalone`.\n" } else { "`.\n" };
    title += "// The listing:\n//\n";
    for line in source.text.trim_end().lines() {
        title += &comment(&format!("//     {line}"));
        title.push('\n');
    }
    title
}

/// What the listing is called on the command line: one that the program has by its name, another by
/// its file.
fn given(source: &Source) -> String {
    let name = source.name.strip_suffix(".alg").unwrap_or(&source.name);
    let shipped = catalogue::find(name).map(|it| it.text);
    match shipped.or_else(|| Some(validation_listings::find(name)?.text)) {
        Some(text) if text == source.text => name.to_owned(),
        _ => comment(&source.name),
    }
}

/// A text as a comment, which ends where the line does: what a compiler or an editor takes for the
/// end of a line, or does not show, is spelled out, no line is continued, and there are no trigraphs.
pub(super) fn comment(line: &str) -> String {
    let mut text = String::new();
    for it in line.chars() {
        match it {
            '?' if text.ends_with('?') => text += " ?",
            it if is_hidden(it) => text.extend(it.escape_default()),
            it => text.push(it),
        }
    }
    text.truncate(text.trim_end().len());
    // A backslash would continue the comment in the next line.
    if text.ends_with('\\') {
        text += " .";
    }
    text
}
