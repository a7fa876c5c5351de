//! Steps of a closure, such as shortest paths, by bands: in step k each cell that is in neither row k nor
//! column k becomes a function of itself, of the cell of its row in column k, and of the cell of its
//! column in row k. So in step k nothing writes row k and column k, and a copy of them, made in that
//! step, stands for them whenever it is read. A band of steps is first made where its rows and columns
//! are, which leaves these copies; then each other cell goes through all steps of the band at once. Each
//! cell is computed by the same operations on the same values in the same order: nothing need be known
//! of the function.

use std::collections::BTreeSet;

use memory_machine_core::language;
use memory_machine_core::language::program::Program;
use memory_machine_core::language::syntax::{
    ArrayDeclaration, BinaryOp, ExprNode, ExprNodeKind, ForNode, Listing, Order, Role,
    StatementKind, StatementNode, Type,
};

use super::certificate::{Bands, Refusal};
use super::operation::{are_new, block, block_mut, words};

/// Steps of a band, and places of a tile and of a thread's part of it.
const SIDE: i64 = 32;
const TILE: i64 = 64;
const LANES: i64 = 16;
const OWN: i64 = TILE / LANES;

/// The names that bands need, in the order in which [`Bands::names`] has them.
pub(crate) const NAMES: [&str; 16] =
    ["row", "column", "K", "I", "J", "t", "c", "s", "a_own", "b_own", "y", "x", "u", "v", "e", "f"];

/// `for k … for i … for j … if i ≠ k and j ≠ k then d[i, j] ← value`.
struct Closure<'a> {
    k: &'a str,
    i: &'a str,
    j: &'a str,
    /// The last value of each of them; the first is 0.
    last: String,
    array: &'a str,
    value: String,
    element: Type,
}

/// The loop that a block consists of, whatever its label.
pub(super) fn only_loop(block: &[StatementNode]) -> Option<&ForNode> {
    match block {
        [StatementNode { kind: StatementKind::Label { body, .. }, .. }] => only_loop(body),
        [StatementNode { kind: StatementKind::For(it), .. }] => Some(it),
        _ => None,
    }
}

fn closure<'a>(listing: &Listing, statement: &'a StatementNode) -> Option<Closure<'a>> {
    let steps = only_loop(std::slice::from_ref(statement))?;
    let rows = only_loop(&steps.body)?;
    let columns = only_loop(&rows.body)?;
    let [StatementNode { kind: StatementKind::If { condition, then, otherwise }, .. }] =
        &columns.body[..]
    else {
        return None;
    };
    let [StatementNode { kind, .. }] = &then[..] else { return None };
    let StatementKind::Assign { target, declared: None, indices, value } = kind else {
        return None;
    };
    let [k, i, j] = [steps, rows, columns].map(|it| &*it.variable.text);
    let last = steps.to.to_string();
    let parameter = |it: &str| listing.parameters.iter().any(|own| own.name.text == it);
    let is_plain = |it: &ForNode| {
        let is_whole = it.from.to_string() == "0" && it.to.to_string() == last;
        is_whole && !it.downward && it.step.is_none() && it.arrays.is_empty()
    };
    let all = [steps, rows, columns];
    let in_order = steps.order == Order::InTurn
        && all[1..].iter().all(|it| matches!(it.order, Order::InTurn | Order::InParallel));
    let is_fixed =
        !last.contains('[') && words(&last).all(|it| parameter(it) || it.parse::<i64>().is_ok());
    let names = BTreeSet::from([k, i, j]);
    let guard = condition.to_string();
    let is_guarded =
        guard == format!("{i} ≠ {k} and {j} ≠ {k}") || guard == format!("{j} ≠ {k} and {i} ≠ {k}");
    let cell: Vec<String> = indices.iter().map(ToString::to_string).collect();
    let array = listing.arrays.iter().find(|it| it.name.text == target.text)?;
    let fits = all.into_iter().all(is_plain) && in_order && is_fixed && names.len() == 3;
    let is_known = is_guarded && otherwise.is_empty() && cell == [i, j] && array.layout.is_none();
    let element = array.element;
    let may = [[i, j], [i, k], [k, j]];
    (fits && is_known && is_total(value, &target.text, &may)).then(|| Closure {
        k,
        i,
        j,
        last,
        array: &target.text,
        value: value.to_string(),
        element,
    })
}

/// Whether an expression has a value whatever it reads, and reads nothing but these cells of an array.
fn is_total(value: &ExprNode, array: &str, may: &[[&str; 2]; 3]) -> bool {
    match &value.kind {
        ExprNodeKind::Integer(_) | ExprNodeKind::Float(_) => true,
        ExprNodeKind::Element { array: of, indices } => {
            let cell: Vec<String> = indices.iter().map(ToString::to_string).collect();
            of == array && may.iter().any(|it| cell == *it)
        }
        ExprNodeKind::Binary(op, left, right) => {
            use BinaryOp::{Add, Max, Min, Multiply, Subtract};
            let is_known = matches!(op, Add | Subtract | Multiply | Min | Max);
            is_known && is_total(left, array, may) && is_total(right, array, may)
        }
        _ => false,
    }
}

impl Closure<'_> {
    /// The value, each cell that it reads in another place.
    fn value(&self, own: &str, of_row: &str, of_column: &str) -> String {
        let Self { k, i, j, array, value, .. } = self;
        // Nothing but cells of this array has brackets.
        value
            .replace(&format!("{array}[{i}, {j}]"), own)
            .replace(&format!("{array}[{i}, {k}]"), of_row)
            .replace(&format!("{array}[{k}, {j}]"), of_column)
    }

    /// One more than the last value.
    fn count(&self) -> String {
        self.last.strip_suffix(" - 1").map_or_else(|| format!("{} + 1", self.last), str::to_owned)
    }

    /// The band where its rows and columns meet, and its other rows and columns.
    fn cross(&self, names: &[String; 16]) -> String {
        let [row, column, band, tile, _, t, c, ..] = names;
        let Self { k, i, j, last, array: d, element, .. } = self;
        let (word, wide, threads, count) = (element.word(), SIDE + 1, SIDE * SIDE, self.count());
        let range = |of: &str, it: &str| {
            format!("for {of} ← 0 to min({SIDE}, {count} - {SIDE} × {it}) - 1 do")
        };
        let nest = |first: &str, second: &str, indent: usize, inside: &[String]| {
            let space = " ".repeat(indent);
            let lines = inside.iter().map(|it| format!("{space}    {it}\n"));
            let [i, j] = [(i, first), (j, second)].map(|it| range(it.0, it.1));
            let lines: String = lines.collect();
            format!("{space}{i} in parallel\n{space}  {j} in parallel\n{lines}")
        };
        let shared = |name: &str| format!("    shared {name}[{SIDE}, {wide}] : {word}\n");
        let in_band = |it: &str, of: &str| format!("{SIDE} × {of} + {it}");
        let cell = |first: &str, second: &str| {
            format!("{d}[{}, {}]", in_band(i, first), in_band(j, second))
        };
        let (own, steps) = (format!("{t}[{i}, {j}]"), range(k, band));
        let [of_row, of_column] = [format!("[{i}, {k}]"), format!("[{k}, {j}]")];
        let saved_row = |second: &str| format!("{row}[{k}, {}]", in_band(j, second));
        let saved_column = |first: &str| format!("{column}[{}, {k}]", in_band(i, first));
        let value = self.value(&own, &format!("{t}{of_row}"), &format!("{t}{of_column}"));
        let mut text = format!(
            "  for {tile} ← 0 to 0 do in parallel on DMMs with {threads} threads\n{}{}    {steps}\n",
            shared(t),
            nest(band, band, 4, &[format!("{own} ← {}", cell(band, band))])
        );
        let saves = [
            format!("if {i} = {k} then {} ← {own}", saved_row(band)),
            format!("if {j} = {k} then {} ← {own}", saved_column(band)),
            format!("if {i} ≠ {k} and {j} ≠ {k} then {own} ← {value}"),
        ];
        text += &nest(band, band, 6, &saves);
        text += &nest(band, band, 4, &[format!("{} ← {own}", cell(band, band))]);
        for is_row in [true, false] {
            let (first, second) = if is_row { (band, tile) } else { (tile, band) };
            // What was saved where rows and columns of the band meet is copied first.
            let (at, saved, held, copied) = match is_row {
                true => (
                    i,
                    saved_row(tile),
                    &of_row,
                    [format!("{c}[{i}, {j}]"), format!("{column}[{}, {j}]", in_band(i, band))],
                ),
                false => (
                    j,
                    saved_column(tile),
                    &of_column,
                    [format!("{c}[{i}, {j}]"), format!("{row}[{i}, {}]", in_band(j, band))],
                ),
            };
            let other = if is_row { &of_column } else { &of_row };
            let [held, other] = [format!("{c}{held}"), format!("{t}{other}")];
            let value = match is_row {
                true => self.value(&own, &held, &other),
                false => self.value(&own, &other, &held),
            };
            let step = [
                format!("if {at} = {k} then"),
                format!("  {saved} ← {own}"),
                "else".to_owned(),
                format!("  {own} ← {value}"),
            ];
            text += &format!(
                "  for {tile} ← 0 to ({last}) / {SIDE} do in parallel on DMMs with {threads} threads\n\
                 {}{}    if {tile} ≠ {band} then\n{}{}      {steps}\n{}{}",
                shared(t),
                shared(c),
                nest(first, second, 6, &[format!("{own} ← {}", cell(first, second))]),
                nest(band, band, 6, &[copied.join(" ← ")]),
                nest(first, second, 8, &step),
                nest(first, second, 6, &[format!("{} ← {own}", cell(first, second))]),
            );
        }
        text
    }

    /// All steps of a band for the cells of a rectangle, by tiles.
    fn rest(&self, names: &[String; 16], rows: [&str; 2], columns: [&str; 2]) -> String {
        let [row, column, band, tile, other, t, c, s, a_own, b_own, y, x, u, v, e, f] = names;
        let Self { k, last, array: d, element, .. } = self;
        let (word, threads, own) = (element.word(), LANES * LANES, OWN - 1);
        let count = self.count();
        let [[i0, i1], [j0, j1]] = [rows, columns];
        let (i, j) = (
            |at: &str| format!("{i0} + {TILE} × {tile} + {at}"),
            |at: &str| format!("{j0} + {TILE} × {other} + {at}"),
        );
        let (high, wide) = (TILE - 1, SIDE - 1);
        let (i_own, j_own) =
            (i(&format!("{LANES} × {e} + {u}")), j(&format!("{LANES} × {f} + {v}")));
        let inside = format!("{i_own} ≤ {i1} and {j_own} ≤ {j1}");
        let value = self.value(
            &format!("{s}[{e}, {f}]"),
            &format!("{a_own}[{e}]"),
            &format!("{b_own}[{f}]"),
        );
        format!(
            "  for {tile} ← 0 to ({i1} - ({i0})) / {TILE} do in parallel on DMMs\n    \
             for {other} ← 0 to ({j1} - ({j0})) / {TILE} do in parallel on DMMs with {threads} threads\n      \
             register {s}[{OWN}, {OWN}] : {word}\n      register {a_own}[{OWN}] : {word}\n      \
             register {b_own}[{OWN}] : {word}\n      shared {t}[{TILE}, {}] : {word}\n      \
             shared {c}[{SIDE}, {}] : {word}\n      \
             for {y} ← 0 to {high} do in parallel\n        for {x} ← 0 to {wide} do in parallel\n          \
             {t}[{y}, {x}] ← (if {} ≤ {i1} and {SIDE} × {band} + {x} ≤ {last} then {column}[{}, {x}] else 0)\n      \
             for {y} ← 0 to {wide} do in parallel\n        for {x} ← 0 to {high} do in parallel\n          \
             {c}[{y}, {x}] ← (if {SIDE} × {band} + {y} ≤ {last} and {} ≤ {j1} then {row}[{y}, {}] else 0)\n      \
             for {u} ← 0 to {} do in parallel\n        for {v} ← 0 to {} do in parallel\n          \
             for {e} ← 0 to {own} do\n            for {f} ← 0 to {own} do\n              \
             {s}[{e}, {f}] ← (if {inside} then {d}[{i_own}, {j_own}] else 0)\n          \
             for {k} ← 0 to min({SIDE}, {count} - {SIDE} × {band}) - 1 do\n            \
             for {e} ← 0 to {own} do\n              {a_own}[{e}] ← {t}[{LANES} × {e} + {u}, {k}]\n            \
             for {f} ← 0 to {own} do\n              {b_own}[{f}] ← {c}[{k}, {LANES} × {f} + {v}]\n            \
             for {e} ← 0 to {own} do\n              for {f} ← 0 to {own} do\n                \
             {s}[{e}, {f}] ← {value}\n          \
             for {e} ← 0 to {own} do\n            for {f} ← 0 to {own} do\n              \
             if {inside} then {d}[{i_own}, {j_own}] ← {s}[{e}, {f}]\n",
            SIDE + 1,
            TILE + 1,
            i(y),
            i(y),
            j(x),
            j(x),
            LANES - 1,
            LANES - 1,
        )
    }

    fn text(&self, names: &[String; 16]) -> String {
        let (band, last) = (&names[2], &self.last);
        let (before, after) = (format!("{SIDE} × {band} - 1"), format!("{SIDE} × {band} + {SIDE}"));
        let sides = [["0", &*before], [&*after, &**last]];
        let mut text = format!("for {band} ← 0 to ({last}) / {SIDE} do\n{}", self.cross(names));
        for rows in sides {
            for columns in sides {
                text += &self.rest(names, rows, columns);
            }
        }
        text
    }
}

/// Whether there is such a loop.
pub(crate) fn has_bands(listing: &Listing, statement: &StatementNode) -> bool {
    closure(listing, statement).is_some()
}

/// The listing with the bands.
pub(crate) fn bands(listing: &Listing, proof: &Bands) -> Option<Listing> {
    let (at, path) = proof.path.split_last()?;
    let found = closure(listing, block(listing, path)?.get(*at)?)?;
    let is_outside = super::operation::to_dmms(listing, path).is_none();
    if !is_outside || !are_new(listing, proof.names.iter().map(|it| &**it)) {
        return None;
    }
    let ([row, column, ..], count, word) = (&proof.names, found.count(), found.element.word());
    let text = format!(
        "algorithm t()\nwork {row}[{SIDE}, {count}] : {word}\nwork {column}[{count}, {SIDE}] : {word}\n\n{}",
        found.text(&proof.names)
    );
    // The head knows no parameters: they are only written here.
    let parsed = language::parse(&text).ok()?;
    let mut new = listing.clone();
    let copies: Vec<ArrayDeclaration> = parsed.arrays;
    debug_assert!(copies.iter().all(|it| it.role == Role::Work));
    new.arrays.extend(copies);
    block_mut(&mut new, path)?.splice(*at..=*at, parsed.body);
    Some(new)
}

pub(super) fn verify(before: &Program, after: &Program, proof: &Bands) -> Result<(), Refusal> {
    let expected = bands(&before.listing, proof).ok_or_else(|| {
        Refusal::new("there is no loop over all rows and columns that leaves row k and column k")
    })?;
    match expected.to_string() == after.listing.to_string() {
        true => Ok(()),
        false => Err(Refusal::new("the listing by bands is another")),
    }
}
