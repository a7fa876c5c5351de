//! What OpenMP and OpenACC say of the loop below.

use super::reduction::Reduction;
use super::token::Token;
use crate::diagnostic::Diagnostic;

/// A loop whose iterations are done by threads.
#[derive(Debug, Clone, Default)]
pub(super) struct Parallel {
    /// Loops directly inside each other that it is of.
    pub(super) loops: usize,
    /// Scalars into which all iterations are combined, and how.
    pub(super) reductions: Vec<Reduction>,
    /// Scalars of which each thread has its own.
    pub(super) private: Vec<String>,
    /// Those of them that begin with the value from before the loop.
    pub(super) first: Vec<String>,
}

/// What a pragma says.
pub(super) enum Pragma {
    /// Of the loop below.
    Loop(Parallel),
    /// Of the update below: no other thread comes between.
    Atomic,
    /// Of the block below, whose loops have pragmas of their own.
    Region,
    /// Of the loop below, whose iterations need what those before have combined.
    InTurn,
    /// Nothing that changes values.
    Nothing,
}

/// Reads what stands behind `#pragma` or `!$`.
///
/// # Errors
/// What threads do together otherwise than by the iterations of a loop.
pub(super) fn read(token: &Token, text: &str) -> Result<Pragma, Diagnostic> {
    let lower = text.to_ascii_lowercase();
    let head = lower.split('(').next().unwrap_or_default();
    let words: Vec<&str> = head.split_whitespace().collect();
    let has = |word: &str| words.contains(&word);
    let is_known = matches!(words.first(), Some(&("omp" | "acc")));
    if !is_known {
        return Ok(Pragma::Nothing);
    }
    if has("atomic") && !has("read") && !has("write") && !has("capture") {
        return Ok(Pragma::Atomic);
    }
    if has("scan") {
        return Ok(Pragma::Nothing);
    }
    let refused = [
        "critical",
        "atomic",
        "task",
        "tasks",
        "taskloop",
        "sections",
        "section",
        "ordered",
        "barrier",
        "single",
        "master",
        "taskwait",
        "threadprivate",
    ];
    if let Some(word) = refused.iter().find(|it| has(it)) {
        return Err(Diagnostic::new(token.span, format!("`{word}`: threads that do not do the iterations of a loop"))
            .help("the models have loops in parallel: give each iteration a cell of its own, and combine them in pairs"));
    }
    let is_loop = has("for") || has("do") || has("loop") || has("simd") || has("distribute");
    if !is_loop {
        let is_region = has("parallel") || has("teams") || has("target") || has("kernels");
        return Ok(if is_region && !has("data") && !has("end") {
            Pragma::Region
        } else {
            Pragma::Nothing
        });
    }
    if has("end") {
        return Ok(Pragma::Nothing);
    }
    let mut parallel = Parallel { loops: 1, ..Parallel::default() };
    for (clause, inside) in clauses(text) {
        match clause.as_str() {
            "collapse" => parallel.loops = inside.trim().parse().unwrap_or(1),
            "private" | "firstprivate" | "lastprivate" | "linear" => {
                if clause == "lastprivate" || clause == "linear" {
                    return Err(Diagnostic::new(
                        token.span,
                        format!("`{clause}` keeps a value of the last iteration"),
                    )
                    .help("assign it behind the loop"));
                }
                let names = inside.split(',').map(|it| it.trim().to_owned());
                if clause == "firstprivate" {
                    parallel.first.extend(names.clone());
                }
                parallel.private.extend(names);
            }
            "reduction" => {
                let Some((op, names)) = inside.split_once(':') else { continue };
                let op = op.trim().to_ascii_lowercase();
                // A prefix of each iteration: the loop is done in turn.
                if let Some(("inscan", _)) = op.split_once(',').map(|it| (it.0.trim(), it.1)) {
                    return Ok(Pragma::InTurn);
                }
                let known = [
                    "+", "*", "min", "max", "&&", "||", ".and.", ".or.", "-", "^", "|", "&",
                    "ieor", "ior", "iand",
                ]
                .contains(&op.as_str());
                if !known {
                    return Err(Diagnostic::new(token.span, format!("a reduction by `{op}`"))
                        .help("those by +, *, min, max, &&, ||, &, | and ^ are known"));
                }
                for name in names.split(',') {
                    let (name, op) = (name.trim().to_owned(), op.clone());
                    parallel.reductions.push(Reduction { name, op });
                }
            }
            _ => {}
        }
    }
    Ok(Pragma::Loop(parallel))
}

/// Variables of which each thread of a region has its own.
pub(super) fn private(text: &str) -> Vec<String> {
    let of = clauses(text).into_iter().filter(|it| it.0 == "private" || it.0 == "firstprivate");
    of.flat_map(|it| it.1.split(',').map(|it| it.trim().to_owned()).collect::<Vec<_>>()).collect()
}

/// The words with brackets behind them, and what stands in these.
fn clauses(text: &str) -> Vec<(String, String)> {
    let (mut found, mut rest) = (vec![], text);
    while let Some(open) = rest.find('(') {
        let word = rest[..open].trim().rsplit([' ', ',', ')']).next().unwrap_or_default();
        let inside = &rest[open + 1..];
        let close = inside.find(')').unwrap_or(inside.len());
        found.push((word.to_ascii_lowercase(), inside[..close].to_owned()));
        rest = inside.get(close + 1..).unwrap_or_default();
    }
    found
}
