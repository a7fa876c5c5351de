//! Parallel nests: how many iterations there are, and which one a thread's number means.

use super::Launch;
use super::expression::{Expressions, is_word};
use super::iteration_order::IterationOrder;
use super::lines::Lines;
use super::statement::{Statements, variable};
use super::tiles::Tiles;
use super::vector::{self, Vectors};
use memory_machine_core::language::program::{Block, LoopRange, Statement};
use memory_machine_core::language::warp::first_warp_word;

/// Who shares the iterations of a parallel loop.
pub(super) enum Deal<'a> {
    /// The threads of the grid, one after another.
    Grid,
    /// The same, each taking neighbouring iterations at a time.
    Vectors(Vectors<'a>),
    /// The threads of the grid, whose blocks lie as tiles over the innermost two loops.
    Tiles(Tiles),
    /// The blocks of the grid, one each: it has as many.
    Blocks,
    /// The threads of a block, this many.
    Threads(i64),
}

impl<'a> Deal<'a> {
    /// How a nest is shared that is a kernel of its own, or a part of a cooperative one.
    pub(super) fn of(source: &'a Statement, launch: Launch, expressions: &Expressions<'_>) -> Self {
        if let Some(vectors) = Vectors::of(source, expressions) {
            return Self::Vectors(vectors);
        }
        let tiles = match launch {
            Launch::Cooperative => None,
            Launch::Plain | Launch::Graph => Tiles::of(source.ranges(), expressions),
        };
        tiles.map_or(Self::Grid, Self::Tiles)
    }
}

/// The number of a thread in the grid.
pub(super) fn first(index: &str) -> String {
    let wide = if index == "int" { "" } else { "(long long)" };
    format!("const {index} first = blockIdx.x * {wide}blockDim.x + threadIdx.x;")
}

/// The length of a loop as C++.
fn length(range: &LoopRange, expressions: &mut Expressions<'_>) -> String {
    let [from, to] = [&range.from, &range.to].map(|it| expressions.plain(it));
    let (low, high) = if range.downward { (to, from) } else { (from, to) };
    let step = range.step.as_ref().map_or("1".to_owned(), |step| expressions.plain(step));
    format!("loop_length({low}, {high}, {step})")
}

/// Declares `iterations`, and what finding one needs. Nothing for a walk.
pub(super) fn count(
    ranges: &[LoopRange],
    shape: &IterationOrder<'_>,
    lines: &mut Lines,
    expressions: &mut Expressions<'_>,
) {
    let index = expressions.index;
    match shape {
        IterationOrder::Walk => {}
        IterationOrder::Box => {
            let mut product = vec![];
            for range in ranges {
                let length = length(range, expressions);
                if ranges.len() == 1 {
                    product.push(length);
                } else {
                    let name = format!("{}length", expressions.names.scalar(range.variable));
                    lines.line(&format!("const {index} {name} = {length};"));
                    product.push(name);
                }
            }
            lines.line(&format!("const {index} iterations = {};", product.join(" * ")));
        }
        IterationOrder::Rows(found) => {
            let outer = &ranges[0];
            let rows = length(outer, expressions);
            lines.line(&format!("const long long rows = {rows};"));
            // Lengths of row 0: the outer variable stands where its loop begins.
            let first = expressions.plain(&outer.from);
            expressions.instead.insert(outer.variable, first);
            let starts: Vec<String> = found
                .iter()
                .map(|line| {
                    let upper = expressions.term(line.upper);
                    let lower = expressions.plain(line.lower);
                    let lower = if is_word(&lower) { lower } else { format!("({lower})") };
                    format!("{upper} - {lower} + 1")
                })
                .collect();
            expressions.instead.clear();
            if let ([start], [line]) = (&starts[..], &found[..]) {
                lines.line("// before(k): the iterations of the rows before row k.");
                lines.line(&format!("const long long length_0 = {start};"));
                lines.line(&format!(
                    "const auto before = [=](long long k) {{ return series<{}>(length_0, 0, k); }};",
                    line.slope
                ));
            } else if let ([start, other], [line, flatter]) = (&starts[..], &found[..]) {
                lines.line("// before(k): the iterations of the rows before row k. A row has the lesser of");
                lines.line("// two lengths; up to row `turn` that is the first.");
                lines.line(&format!("const long long length_0 = {start};"));
                lines.line(&format!("const long long length_1 = {other};"));
                let steeper = line.slope - flatter.slope;
                let apart = match steeper {
                    1 => "length_1 - length_0".to_owned(),
                    _ => format!("floor_divide(length_1 - length_0, {steeper}LL)"),
                };
                lines.line(&format!(
                    "const long long turn = least(greatest({apart} + 1, 0LL), rows);"
                ));
                lines.open("const auto before = [=](long long k) {");
                lines.line(&format!(
                    "return series<{}>(length_0, 0, least(k, turn)) + series<{}>(length_1, least(k, turn), k);",
                    line.slope, flatter.slope
                ));
                lines.close("};");
            }
            lines.line("const long long iterations = before(rows);");
        }
    }
}

/// Returns the number of iterations of loops without a formula for it.
pub(super) fn count_by_rows(
    ranges: &[LoopRange],
    lines: &mut Lines,
    expressions: &mut Expressions<'_>,
) {
    lines.line("long long iterations = 0;");
    let Some((inner, outer)) = ranges.split_last() else { return };
    for range in outer {
        let header = header(range, expressions);
        lines.line(&format!("for ({header})"));
        lines.depth += 1;
    }
    let length = length(inner, expressions);
    lines.line(&format!("iterations += {length};"));
    lines.depth -= outer.len();
    lines.line("return iterations;");
}

/// A parallel loop whose iterations are shared.
pub(super) fn deal(source: &Statement, deal: &Deal<'_>, statements: &mut Statements<'_>) {
    let index = statements.expressions.index;
    let wide = if index == "int" { "" } else { "(long long)" };
    let ranges = source.ranges();
    let Some(body) = source.blocks().next() else { return };
    let shape = &IterationOrder::of(ranges);
    let (first, stride) = match deal {
        Deal::Tiles(tiles) => return tiles.emit(ranges, body, statements),
        Deal::Grid | Deal::Vectors(_) => (first(index), format!("gridDim.x * {wide}blockDim.x")),
        Deal::Blocks => (format!("const {index} first = blockIdx.x;"), "gridDim.x".to_owned()),
        Deal::Threads(threads) => {
            (format!("const {index} first = threadIdx.x;"), threads.to_string())
        }
    };
    if let (Deal::Blocks, IterationOrder::Box) = (deal, shape) {
        if let [_, inner @ ..] = ranges {
            for range in inner {
                let length = length(range, &mut statements.expressions);
                let name = statements.expressions.names.scalar(range.variable).to_owned();
                statements.lines.line(&format!("const {index} {name}length = {length};"));
            }
        }
        statements.lines.line(&format!("const {index} number = blockIdx.x;"));
        digits(ranges, false, statements);
        return finish(body, deal, statements);
    }
    statements.lines.line(&first);
    statements.lines.line(&format!("const {index} stride = {stride};"));
    count(ranges, shape, &mut statements.lines, &mut statements.expressions);
    if let Deal::Vectors(vectors) = deal {
        let (groups, words) = ("iterations", vector::WORDS);
        statements.lines.line("// A thread takes four iterations side by side.");
        statements.lines.open(&format!(
            "for ({index} group = first; {words} * group < {groups}; group += stride) {{"
        ));
        statements.lines.line(&format!("const {index} number = {words} * group;"));
        digits(ranges, true, statements);
        vectors.emit(body, statements);
        return statements.lines.close("}");
    }
    if let IterationOrder::Walk = shape {
        return walked(ranges, body, deal, statements);
    }
    if first_warp_word(body).is_some() {
        // Threads of a warp would come to copies of its words at several places.
        statements.lines.line("#pragma unroll 1");
    }
    statements
        .lines
        .open(&format!("for ({index} number = first; number < iterations; number += stride) {{"));
    match shape {
        IterationOrder::Rows(_) => {
            statements.lines.line("const long long row = row_of(before, rows, number);");
            for (range, passed) in ranges.iter().zip(["row", "(number - before(row))"]) {
                if statements.expressions.used.contains(range.variable) {
                    variable(range, passed, statements);
                }
            }
        }
        _ => digits(ranges, false, statements),
    }
    finish(body, deal, statements);
    statements.lines.close("}");
}

/// What is done in an iteration: by a thread, or by all threads of a block.
fn finish(body: &Block, deal: &Deal<'_>, statements: &mut Statements<'_>) {
    match deal {
        Deal::Threads(threads) => {
            if first_warp_word(body).is_some() {
                statements.lines.line(&format!(
                    "[[maybe_unused]] const unsigned warp = warp_lanes(least<long long>(iterations - number, {threads} - (int)threadIdx.x));"
                ));
            }
            statements.inside(body);
        }
        Deal::Grid | Deal::Vectors(_) | Deal::Tiles(_) => statements.inside(body),
        Deal::Blocks => {
            statements.declare(body);
            statements.block(body);
        }
    }
}

/// The variables of an iteration whose `number` is known, where no length depends on another loop:
/// `all`, or those that are used.
pub(super) fn digits(ranges: &[LoopRange], all: bool, statements: &mut Statements<'_>) {
    let index = statements.expressions.index;
    // Digits from the innermost to the outermost, variables the other way: loops begin where outer ones
    // say.
    let (mut rest, mut digits) = ("number".to_owned(), vec![]);
    for depth in (1..ranges.len()).rev() {
        let name = statements.expressions.names.scalar(ranges[depth].variable);
        let above = if depth == 1 { "row".to_owned() } else { format!("rest_{depth}") };
        let line = format!("const {index} {above} = quotient({rest}, {name}length);");
        digits.push(format!("({rest} - {above} * {name}length)"));
        statements.lines.line(&line);
        rest = above;
    }
    digits.push(rest);
    for (range, digit) in ranges.iter().zip(digits.iter().rev()) {
        if all || statements.expressions.used.contains(range.variable) {
            variable(range, digit, statements);
        }
    }
}

fn walked(ranges: &[LoopRange], body: &Block, deal: &Deal<'_>, statements: &mut Statements<'_>) {
    statements.lines.line("// The rows' lengths have no formula: they are counted one by one.");
    statements.lines.line("long long passed = 0, number = first;");
    let Some((inner, outer)) = ranges.split_last() else { return };
    for range in outer {
        let header = header(range, &mut statements.expressions);
        statements.lines.open(&format!("for ({header}) {{"));
    }
    // Bounds once a row: they may hold divisions.
    let name = statements.expressions.names.scalar(inner.variable).to_owned();
    for (suffix, bound) in [("from", &inner.from), ("last", &inner.to)] {
        let bound = statements.expressions.plain(bound);
        statements.lines.line(&format!("const long long {name}{suffix} = {bound};"));
    }
    let step = inner.step.as_ref().map(|step| statements.expressions.factor(step));
    let (from, to) = (format!("{name}from"), format!("{name}last"));
    let (low, high) = if inner.downward { (&to, &from) } else { (&from, &to) };
    let by = step.clone().unwrap_or_else(|| "1".to_owned());
    statements.lines.line(&format!("const long long row = loop_length({low}, {high}, {by});"));
    statements.lines.open("for (; number < passed + row; number += stride) {");
    let sign = if inner.downward { '-' } else { '+' };
    let times = step.map_or_else(String::new, |step| format!(" * {step}"));
    if statements.expressions.used.contains(inner.variable) {
        let index = statements.expressions.index;
        statements
            .lines
            .line(&format!("const {index} {name} = {from} {sign} (number - passed){times};"));
    }
    finish(body, deal, statements);
    statements.lines.close("}");
    statements.lines.line("passed += row;");
    for _ in outer {
        statements.lines.close("}");
    }
}

fn header(range: &LoopRange, expressions: &mut Expressions<'_>) -> String {
    let name = expressions.names.scalar(range.variable).to_owned();
    let [from, to] = [&range.from, &range.to].map(|it| expressions.plain(it));
    let step = range.step.as_ref().map_or("1".to_owned(), |step| expressions.plain(step));
    let (compare, sign) = if range.downward { (">=", "-") } else { ("<=", "+") };
    let index = expressions.index;
    format!("{index} {name} = {from}; {name} {compare} {to}; {name} {sign}= {step}")
}

/// The loops as the listing has them, for a comment.
pub(super) fn describe(ranges: &[LoopRange], expressions: &mut Expressions<'_>) -> String {
    let loops = ranges.iter().map(|range| {
        let name = expressions.names.scalar(range.variable).to_owned();
        let [from, to] = [&range.from, &range.to].map(|it| expressions.plain(it));
        let word = if range.downward { "downto" } else { "to" };
        format!("for {name} from {from} {word} {to}")
    });
    loops.collect::<Vec<_>>().join(", ") + " in parallel"
}
