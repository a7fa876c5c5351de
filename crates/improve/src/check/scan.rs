//! A sequential loop that stores each partial result of a sum (or another operation) becomes a scan by
//! blocks: sums of blocks, sums of these, then all partial results. Legal where a tree is; besides, an
//! iteration may store one cell of its own, and read of that array no other; if it stores before it
//! joins, the scan is exclusive.

use memory_machine_core::language;
use memory_machine_core::language::program::Program;
use memory_machine_core::language::syntax::{
    ArrayDeclaration, BinaryOp, ExprNode, ExprNodeKind, Extent, ForNode, Listing, Name, Order,
    Role, StatementKind, StatementNode, Type,
};

use super::certificate::{Refusal, Scan};
use super::operation::{
    are_new, begins, block, block_mut, declare, is_forgotten, is_power, joined, neutral, pairs,
    words,
};
use super::reduction;

/// Threads that scan the sums of blocks.
const BETWEEN: i64 = 1024;

/// The loop `for i ← … do s ← s ⊕ e; b[i] ← s`, or `b[i] ← s` first: then what it stores leaves out what
/// it joins last.
struct Partial<'a> {
    of: &'a ForNode,
    scalar: &'a str,
    op: BinaryOp,
    joined: &'a ExprNode,
    /// Which statement of the body joins.
    at: usize,
    /// The cell that is stored, and its array.
    cell: String,
    array: &'a str,
    /// A scalar that has what is joined until the cell is stored, and nothing else.
    value: Option<&'a str>,
}

impl Partial<'_> {
    const fn is_exclusive(&self) -> bool {
        self.at > 0
    }
}

/// A statement without a type that assigns something.
fn assignment(it: &StatementNode) -> Option<(&Name, &[ExprNode], &ExprNode)> {
    match &it.kind {
        StatementKind::Assign { target, declared: None, indices, value } => {
            Some((target, indices, value))
        }
        _ => None,
    }
}

fn partial<'a>(listing: &Listing, statement: &'a StatementNode) -> Option<Partial<'a>> {
    let StatementKind::For(of) = &statement.kind else { return None };
    let is_plain = of.order == Order::InTurn && !of.downward && of.step.is_none();
    let named =
        |it: &ExprNode, name: &str| matches!(&it.kind, ExprNodeKind::Name(it) if it == name);
    let all: Vec<_> = of.body.iter().map(assignment).collect::<Option<_>>()?;
    let is_sum = |it: &(&Name, &[ExprNode], &ExprNode)| {
        let ExprNodeKind::Binary(_, left, _) = &it.2.kind else { return false };
        it.1.is_empty() && named(left, &it.0.text)
    };
    let at = all.iter().position(is_sum)?;
    let (s, _, ExprNode { kind: ExprNodeKind::Binary(op, _, joined), .. }) = all[at] else {
        return None;
    };
    let ((array, indices, stored), joined, value) = match (&all[..], at) {
        ([_, store], 0) | ([store, _], 1) => (*store, &**joined, None),
        // `x ← e; b[i] ← s; s ← s ⊕ x`
        ([(x, [], value), store, _], 2) if named(joined, &x.text) => {
            (*store, *value, Some(&*x.text))
        }
        _ => return None,
    };
    let variable = |it: &ExprNode| named(it, &of.variable.text);
    let parameter = |it: &str| listing.parameters.iter().any(|own| own.name.text == it);
    let is_fixed = |it: &str| {
        !it.contains('[') && words(it).all(|it| parameter(it) || it.parse::<i64>().is_ok())
    };
    let is_own = indices.iter().any(variable)
        && indices.iter().all(|it| variable(it) || is_fixed(&it.to_string()));
    let is_simple = is_fixed(&of.from.to_string()) && is_fixed(&of.to.to_string());
    let (text, inside) = (joined.to_string(), indices.iter().map(ToString::to_string));
    let cell = format!("{}[{}]", array.text, inside.collect::<Vec<_>>().join(", "));
    // What is joined after the cell was stored would be what was stored.
    let others = match at == 1 {
        true => text.clone(),
        false => text.replace(&cell, " "),
    };
    let is_free = words(&text).all(|it| it != s.text && Some(it) != value)
        && words(&others).all(|it| it != array.text);
    let fits = is_plain && is_simple && is_own && is_free && named(stored, &s.text);
    let (scalar, array) = (&*s.text, &*array.text);
    fits.then_some(Partial { of, scalar, op: *op, joined, at, cell, array, value })
}

/// The scalar that a loop sums into and the array that it stores, if it is such a loop.
pub(crate) fn scalar<'a>(listing: &Listing, statement: &'a StatementNode) -> Option<&'a str> {
    partial(listing, statement).map(|it| it.scalar)
}

/// The names that a scan needs, in the order in which [`Scan::names`] has them.
pub(crate) const NAMES: [&str; 13] = [
    "part", "at", "own", "half", "all", "sums", "held", "kept", "before", "reach", "first", "last",
    "j",
];

/// The text of the scan in the place of the loop.
fn text(it: &Partial<'_>, is_dead: bool, proof: &Scan, element: Type) -> Option<String> {
    let [part, at, own, half, all, sums, held, kept, before, reach, first, last, j] = &proof.names;
    let (op, i, from, to) = (it.op, &it.of.variable.text, &it.of.from, &it.of.to);
    let (lanes, each, scalar, cell) = (proof.lanes, proof.each, it.scalar, &it.cell);
    let (side, wide, word) = (lanes.checked_mul(each)?, each + 1, element.word());
    let neutral = neutral(op, element)?;
    let (start, end) = match from.to_string().as_str() {
        "0" => (format!("{side} × {all}"), format!("({to}) / {side}")),
        other => (format!("{other} + {side} × {all}"), format!("({to} - ({other})) / {side}")),
    };
    let joined = |left: &str, right: &str| joined(op, left, right);
    let next = it.joined.to_string();
    let most = side - 1;
    let range = format!("  {first} ← {start}\n  {last} ← min({to}, {first} + {most})\n");
    let tree = pairs(op, sums, lanes, "  ", [at, half]);
    // Sums of all up to each, of as many as `count`.
    let scan = |count: &str, indent: &str| {
        let sum = joined(kept, &format!("{sums}[{at}]"));
        format!(
            "{indent}{reach} ← 1\n{indent}while {reach} < {count} do\n\
             {indent}  for {at} ← {reach} to {count} - 1 do in parallel\n\
             {indent}    {kept} ← {sums}[{at} - {reach}]\n\
             {indent}  for {at} ← {reach} to {count} - 1 do in parallel\n\
             {indent}    {sums}[{at}] ← {sum}\n{indent}  {reach} ← 2 × {reach}\n"
        )
    };
    let sums_of_blocks = format!(
        "for {all} ← 0 to {end} do in parallel on DMMs with {lanes} threads\n  \
         shared {sums}[{lanes}] : {word}\n{range}  for {at} ← 0 to {lanes} - 1 do in parallel\n    \
         {own} ← {neutral}\n    for {i} ← {first} + {at} to {last} step {lanes} do\n      \
         {own} ← {}\n    {sums}[{at}] ← {own}\n{tree}  {part}[{all}] ← {sums}[0]\n",
        joined(own, &next)
    );
    let sums_of_these = format!(
        "for {all} ← 0 to 0 do in parallel on DMMs with {BETWEEN} threads\n  \
         shared {sums}[{BETWEEN}] : {word}\n  register {kept} : {word}\n  {before} ← {scalar}\n  \
         for {first} ← 0 to {end} step {BETWEEN} do\n    \
         {last} ← min({BETWEEN}, {end} + 1 - {first})\n    \
         for {at} ← 0 to {last} - 1 do in parallel\n      {sums}[{at}] ← {part}[{first} + {at}]\n{}    \
         for {at} ← 0 to {last} - 1 do in parallel\n      {part}[{first} + {at}] ← {}\n    \
         {before} ← {}\n",
        scan(last, "    "),
        joined(before, &format!("{sums}[{at}]")),
        joined(before, &format!("{sums}[{last} - 1]"))
    );
    let place = format!("{held}[({i} - {first}) / {each}, ({i} - {first}) mod {each}]");
    let earlier = joined(&format!("{sums}[({i} - {first}) / {each} - 1]"), &place);
    // What nobody asks for afterwards is not read back.
    let sum = match is_dead {
        true => String::new(),
        false => format!("if {from} ≤ {to} then {scalar} ← {part}[{end}]\n"),
    };
    let value = format!("{held}[{at}, {j}]");
    let step = match it.is_exclusive() {
        false => format!("        {own} ← {}\n        {value} ← {own}\n", joined(own, &value)),
        true => format!(
            "        {kept} ← {value}\n        {value} ← {own}\n        {own} ← {}\n",
            joined(own, kept)
        ),
    };
    let all_sums = format!(
        "for {all} ← 0 to {end} do in parallel on DMMs with {lanes} threads\n  \
         shared {held}[{lanes}, {wide}] : {word}\n  shared {sums}[{lanes}] : {word}\n  \
         register {kept} : {word}\n{range}  for {i} ← {first} to {last} do in parallel\n    \
         {place} ← {next}\n  for {at} ← 0 to {lanes} - 1 do in parallel\n    {own} ← {neutral}\n    \
         for {j} ← 0 to {each} - 1 do\n      if {first} + {each} × {at} + {j} ≤ {last} then\n\
         {step}    {sums}[{at}] ← {own}\n{}  \
         {before} ← (if {all} > 0 then {part}[{all} - 1] else {scalar})\n  \
         for {i} ← {first} to {last} do in parallel\n    \
         {cell} ← (if {i} - {first} < {each} then {} else {})\n\
         {sum}",
        scan(&lanes.to_string(), "  "),
        joined(before, &place),
        joined(before, &earlier)
    );
    Some([sums_of_blocks, sums_of_these, all_sums].concat())
}

/// The listing with the scan; `element` is the scalar's type.
pub(crate) fn scan(listing: &Listing, proof: &Scan, element: Type) -> Option<Listing> {
    if !is_power(proof.lanes) || !(1..=1024).contains(&proof.each) {
        return None;
    }
    let (at, path) = proof.path.split_last()?;
    let is_outside = super::operation::to_dmms(listing, path).is_none();
    let old = block(listing, path)?.get(*at)?;
    let found = partial(listing, old)?;
    let array = listing.arrays.iter().find(|it| it.name.text == found.array)?;
    // The scalar that is gone is nobody else's: it is assigned there, and joined.
    let whole = listing.to_string();
    let is_used = found.value.is_some_and(|own| words(&whole).filter(|it| *it == own).count() > 2);
    if !is_outside
        || is_used
        || array.element != element
        || !are_new(listing, proof.names.iter().map(|it| &**it))
    {
        return None;
    }
    let is_dead = path.is_empty()
        && begins(listing, *at, found.scalar)
        && is_forgotten(listing, &listing.body[at + 1..], found.scalar);
    let side = proof.lanes.checked_mul(proof.each)?;
    let count = format!("max(0, {} - ({})) / {side} + 1", found.of.to, found.of.from);
    let text = format!(
        "algorithm t(n)\noutput o[{count}] : i64\n\n{}",
        text(&found, is_dead, proof, element)?
    );
    // The head knows no other parameters: they are only written here.
    let parsed = language::parse(&text).ok()?;
    let size = parsed.arrays.first()?.extents.first()?.size.clone();
    let name = Name { text: proof.names[0].clone(), span: old.span };
    let extents = vec![Extent { first: None, size }];
    let mut new = listing.clone();
    new.arrays.push(ArrayDeclaration {
        role: Role::Work,
        name,
        extents,
        fields: vec![],
        element,
        layout: None,
    });
    if is_dead {
        declare(&mut new, *at, element);
    }
    block_mut(&mut new, path)?.splice(*at..=*at, parsed.body);
    Some(new)
}

pub(super) fn verify(before: &Program, after: &Program, proof: &Scan) -> Result<(), Refusal> {
    let wrong = |why: &str| Refusal::new(format!("not a scan in the place of a loop: {why}"));
    let (at, path) = proof.path.split_last().ok_or_else(|| wrong("it has no place"))?;
    let statement = block(&before.listing, path).and_then(|it| it.get(*at));
    let statement = statement.ok_or_else(|| wrong("there is no such loop"))?;
    let found =
        partial(&before.listing, statement).ok_or_else(|| wrong("there is no such loop"))?;
    let sum = (found.scalar, found.op, &found.of.body[found.at].span);
    let element = reduction::summed_type(before, sum, statement.span, proof.reassociates, &wrong)?;
    let mut values = before.scalars.iter().filter(|it| Some(&*it.name) == found.value);
    if !values.all(|it| it.element == element) {
        return Err(wrong("what is joined has another type"));
    }
    let expected =
        scan(&before.listing, proof, element).ok_or_else(|| wrong("it cannot be built"))?;
    if expected.to_string() != after.listing.to_string() {
        return Err(wrong("the listing is another"));
    }
    // Partial results must be of the same type, or they would wrap elsewhere.
    let own = [&proof.names[2], &proof.names[8]];
    let is_meant = |it: &&str| own.iter().any(|own| *own == it) || *it == found.scalar;
    let mut scalars = after.scalars.iter().filter(|it| is_meant(&&*it.name));
    match scalars.all(|it| it.element == element) {
        true => Ok(()),
        false => Err(wrong("partial results have another type")),
    }
}
