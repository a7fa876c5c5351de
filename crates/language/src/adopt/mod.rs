//! The declarations of a listing that has none, from how it uses its names.

mod extents;
mod input_scalars;
mod operation;
mod polynomial;
mod ranges;
mod types;
mod uses;

pub(super) use self::input_scalars::input_scalars;
use std::collections::{HashMap, HashSet};

use self::extents::Extents;
use self::ranges::Ranges;
use self::types::Types;
use self::uses::{Access, Uses};
use super::syntax::{ExprNodeKind, Listing, Role, Type};
use crate::PartialDeclaration;
use crate::diagnostic::{Diagnostic, Span};

/// What the text says beside the use of its names.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// Scalars of the head, in order.
    pub(super) arguments: Vec<String>,
    /// Scalars that are real, with their types.
    pub(super) reals: Vec<(String, Type)>,
    /// Scalars that are integers, whatever they meet.
    pub(super) integers: HashSet<String>,
    pub(super) arrays: Vec<SaidOfArray>,
    /// The name that a length has.
    pub(super) lengths: HashMap<(String, usize), String>,
    /// Values of parameters.
    pub(super) defaults: HashMap<String, i64>,
    pub(super) returned: HashSet<String>,
    /// Where indices begin if nothing else tells.
    pub(super) first: Option<i64>,
    /// `/` of elements is that of real numbers.
    pub(super) divides: bool,
    /// Arrays that have the types of others, of which they are copies.
    pub(super) copies: Vec<(String, String)>,
}

/// The same of one array.
#[derive(Debug, Default)]
pub(super) struct SaidOfArray {
    pub(super) name: String,
    /// By dimension, `n` or `1 .. n`.
    pub(super) extents: Vec<Option<String>>,
    pub(super) element: Option<Type>,
    pub(super) is_argument: bool,
    pub(super) is_new: bool,
    /// A list that gets more elements.
    pub(super) grows: bool,
    /// What a user says that it is for.
    pub(super) role: Option<Role>,
}

/// A line of the header.
#[derive(Debug, Clone)]
pub(super) struct Declaration {
    /// As the plain form has it.
    pub(super) text: String,
    /// Why.
    pub(super) reason: String,
    /// What it declares.
    pub(super) name: String,
}

/// What was inferred.
#[derive(Debug, Default)]
pub(super) struct Adoption {
    /// With values, where a text says one.
    pub(super) parameters: Vec<(String, Option<i64>)>,
    /// Those that are real, with why.
    pub(super) reals: Vec<(String, Type, &'static str)>,
    pub(super) declarations: Vec<Declaration>,
    /// The names that lengths have.
    pub(super) lengths: HashMap<(String, usize), String>,
    /// Functions that are called and not there, with the first call.
    pub(super) missing: Vec<(String, Span)>,
    /// Quotients of integers that real values are made of.
    pub(super) rounded: Vec<Span>,
}

impl Adoption {
    /// What is said of each parameter that has no value.
    pub(super) fn of_parameters(&self) -> impl Iterator<Item = (&str, String)> {
        let integers = self.parameters.iter().filter(|it| it.1.is_none());
        let integers = integers.map(|(name, _)| {
            let text = format!("parameter {name}: it is read, and never assigned; --set {name}=…");
            (name.as_str(), text)
        });
        integers.chain(self.reals.iter().map(|(name, _, why)| {
            (name.as_str(), format!("real parameter {name}: {why}; --set {name}=…"))
        }))
    }

    /// That a user declares what is not there.
    pub(super) fn unknown(&self, declared: &[PartialDeclaration]) -> Option<Diagnostic> {
        let arrays = self.declarations.iter().map(|it| it.name.as_str());
        let parameters = self.parameters.iter().map(|it| it.0.as_str());
        let names = arrays.chain(parameters).chain(self.reals.iter().map(|it| it.0.as_str()));
        let names: Vec<&str> = names.collect();
        let it = declared.iter().find(|it| !names.contains(&it.name.as_str()))?;
        let message = format!("--declare: no array or parameter is called `{}`", it.name);
        let help = format!("it has {}", names.join(", "));
        Some(Diagnostic::new(Span::default(), message).help(help))
    }
}

/// Functions that the language has.
pub(super) const KNOWN: [&str; 38] = [
    "popcount",
    "clz",
    "rotl",
    "rotr",
    "mulhi",
    "pow",
    "sqrt",
    "exp",
    "log",
    "log2",
    "sin",
    "cos",
    "tan",
    "atan2",
    "f32",
    "f64",
    "i8",
    "i16",
    "i32",
    "i64",
    "u8",
    "u16",
    "u32",
    "u64",
    "quotient",
    "remainder",
    "half_up",
    "nearest",
    "nearest_even",
    "square_of",
    "hypotenuse",
    "with_sign",
    "is_nan",
    "arc_sine",
    "bool",
    "length",
    "rows",
    "columns",
];

/// Infers what a listing without declarations has.
pub(super) fn adopt(listing: &Listing, said: &Said) -> Adoption {
    let uses = uses::uses(listing);
    let mut adoption = Adoption { lengths: said.lengths.clone(), ..Adoption::default() };
    let arrays = arrays(&uses, said, listing);
    name_lengths(&uses, &arrays, said, &mut adoption.lengths);
    let assigned: HashSet<&str> =
        uses.assignments.iter().filter(|it| !it.is_element).map(|it| it.target.as_str()).collect();
    let is_array = |name: &str| arrays.iter().any(|it| it.0 == name);
    let is_variable = |name: &str| {
        assigned.contains(name)
            || uses.loop_variables.iter().any(|it| it == name)
            || is_array(name)
            || listing.constants.iter().any(|it| it.name.text == name)
    };
    // Sizes, in the order of the head, then of the text.
    let mut sizes: Vec<String> = vec![];
    let mut add = |name: &str| {
        if !sizes.iter().any(|it| it == name) && name != "pi" {
            sizes.push(name.to_owned());
        }
    };
    let read = |name: &str| uses.names.iter().any(|it| it.0 == name);
    let in_extents = said.arrays.iter().flat_map(|it| it.extents.iter().flatten());
    let in_extents: HashSet<String> = in_extents.flat_map(|it| names_of(it)).collect();
    for name in said
        .arguments
        .iter()
        .filter(|it| !is_variable(it) && (read(it) || in_extents.contains(*it)))
    {
        add(name);
    }
    uses.names.iter().filter(|it| !is_variable(&it.0)).for_each(|it| add(&it.0));
    let mut named: Vec<_> = adoption.lengths.iter().collect();
    named.sort();
    for (_, name) in named {
        if !is_variable(name) {
            add(name);
        }
    }
    let of_said =
        said.arrays.iter().flat_map(|it| it.extents.iter().flatten()).flat_map(|it| names_of(it));
    for name in of_said.filter(|it| !is_variable(it)) {
        add(&name);
    }
    let elements = said.arrays.iter().filter_map(|it| Some((it.name.clone(), it.element?)));
    let elements: HashMap<String, Type> = elements.collect();
    // What may be real: what counts nothing.
    let counts = |name: &String| {
        in_extents.contains(name)
            || said.integers.contains(name)
            || uses.bounds.contains(name)
            || adoption.lengths.values().any(|it| it == name)
    };
    let scalars = sizes.iter().filter(|it| !counts(it)).cloned().collect();
    let types = Types::new(&uses, &elements, said, scalars);
    let (reals, mut sizes): (Vec<_>, Vec<_>) = sizes.into_iter().partition(|it| types.is_real(it));
    let known: HashSet<String> = sizes.iter().cloned().collect();
    adoption.reals = reals
        .into_iter()
        .map(|it| {
            let (inferred, why) = types.of(&it);
            let said = said.reals.iter().find(|known| known.0 == it).map(|it| it.1);
            (it, said.unwrap_or(inferred), why)
        })
        .collect();
    let ranges = Ranges::new(&uses, &known, &adoption.lengths);
    let extents = Extents::new(&uses, said, &ranges, &known, &adoption.lengths, &arrays);
    for (name, rank) in &arrays {
        let (role, why_role) = role(name, &uses, said, listing);
        let (element, why_type) = match elements.get(name) {
            Some(element) => (*element, "as declared"),
            None => types.of(name),
        };
        let (extent, why_extent) = extents.of(name, *rank);
        adoption.declarations.push(Declaration {
            text: format!("{} {name}[{extent}] : {}", role.word(), element.word()),
            reason: format!("{why_role}; {why_extent}; {why_type}"),
            name: name.clone(),
        });
        for size in extents.made.borrow_mut().drain(..) {
            if !sizes.contains(&size) {
                sizes.push(size);
            }
        }
    }
    adoption.parameters =
        sizes.into_iter().map(|it| (it.clone(), said.defaults.get(&it).copied())).collect();
    adoption.rounded = if said.divides { types.rounded() } else { vec![] };
    let defined = |name: &str| {
        KNOWN.contains(&name)
            || listing.functions.iter().any(|it| it.name.text == name)
            || listing.procedures.iter().any(|it| it.name.text == name)
    };
    adoption.missing = types.uses().calls.iter().filter(|it| !defined(&it.0)).cloned().collect();
    adoption
}

/// The names in an extent.
fn names_of(text: &str) -> Vec<String> {
    let words = text.split(|it: char| !it.is_alphanumeric() && it != '_');
    let name = |it: &&str| it.starts_with(|it: char| it.is_alphabetic() || it == '_');
    let words = words
        .filter(name)
        .filter(|it| !["mod", "min", "max", "log2", "length", "rows", "columns"].contains(it));
    words.map(str::to_owned).collect()
}

/// Arrays with their numbers of indices, in the order of the head, then of the text.
fn arrays(uses: &Uses, said: &Said, listing: &Listing) -> Vec<(String, usize)> {
    let mut found: Vec<(String, usize)> = vec![];
    let mut add = |name: &str, rank: usize| match found.iter_mut().find(|it| it.0 == name) {
        Some(known) => known.1 = known.1.max(rank),
        None => found.push((name.to_owned(), rank)),
    };
    let rank = |name: &str| {
        let of = uses.accesses.iter().filter(|it| it.array == name).map(|it| it.indices.len());
        of.max()
    };
    // Those that procedures are given have as many as in these.
    let given = |name: &str| {
        let mut of = uses.given.iter().filter(|it| it.1 == name);
        of.find_map(|(procedure, _, at)| {
            let procedure = listing.procedures.iter().find(|it| it.name.text == *procedure)?;
            procedure.parameters.get(*at).map(|it| it.extents.len()).filter(|it| *it > 0)
        })
    };
    let is_formal = |name: &str| {
        let mut of = listing.procedures.iter().flat_map(|it| &it.parameters);
        of.any(|it| it.name.text == name)
    };
    for it in &said.arrays {
        // Of an argument of a procedure nothing else is known.
        let said = if is_formal(&it.name) { 0 } else { it.extents.len() };
        if let Some(rank) =
            rank(&it.name).or_else(|| given(&it.name)).or_else(|| (said > 0).then_some(said))
        {
            add(&it.name, rank);
        }
    }
    for it in &uses.accesses {
        add(&it.array, it.indices.len());
    }
    for (_, name, _) in &uses.given {
        if let Some(rank) = given(name) {
            add(name, rank);
        }
    }
    for (name, dimension, _) in &uses.lengths {
        add(name, dimension + 1);
    }
    found
}

/// Names for the lengths that have none: n, if it is free.
fn name_lengths(
    uses: &Uses,
    arrays: &[(String, usize)],
    said: &Said,
    lengths: &mut HashMap<(String, usize), String>,
) {
    let mut taken: HashSet<String> = uses.names.iter().map(|it| it.0.clone()).collect();
    taken.extend(uses.assignments.iter().map(|it| it.target.clone()));
    taken.extend(uses.loop_variables.iter().cloned());
    taken.extend(arrays.iter().map(|it| it.0.clone()));
    taken.extend(lengths.values().cloned());
    taken.extend(
        said.arrays.iter().flat_map(|it| it.extents.iter().flatten()).flat_map(|it| names_of(it)),
    );
    for (array, dimension, _) in &uses.lengths {
        let key = (array.clone(), *dimension);
        if lengths.contains_key(&key) {
            continue;
        }
        let of_array = format!("{array}_{}", if *dimension == 0 { "length" } else { "columns" });
        let free = ["n", "m"].iter().find(|it| !taken.contains(**it));
        let name = free.map_or(of_array, |it| (*it).to_owned());
        taken.insert(name.clone());
        lengths.insert(key, name);
    }
}

/// What an array is for, and why.
fn role(name: &str, uses: &Uses, said: &Said, listing: &Listing) -> (Role, String) {
    let of = said.arrays.iter().find(|it| it.name == name);
    let accesses = || uses.accesses.iter().filter(|it| it.array == name);
    let (mut reads, mut writes) =
        (accesses().any(|it| !it.is_write), accesses().any(|it| it.is_write));
    // What procedures do with the arrays that they are given.
    for (procedure, _, at) in uses.given.iter().filter(|it| it.1 == name) {
        let Some(procedure) = listing.procedures.iter().find(|it| it.name.text == *procedure)
        else {
            continue;
        };
        let Some(formal) = procedure.parameters.get(*at) else { continue };
        let text = procedure.to_string();
        reads |= text.contains(&format!("{}[", formal.name.text));
        writes |=
            text.lines().any(|it| it.trim_start().starts_with(&format!("{}[", formal.name.text)));
    }
    let is_new = of.is_some_and(|it| it.is_new);
    let is_argument = of.is_some_and(|it| it.is_argument);
    let is_returned = said.returned.contains(name);
    let has_head = !said.arguments.is_empty() || said.arrays.iter().any(|it| it.is_argument);
    let first_is_write = accesses().next().is_some_and(|it| it.is_write);
    match () {
        () if of.is_some_and(|it| it.role.is_some()) => {
            (of.and_then(|it| it.role).unwrap_or(Role::Inout), "as --declare says".to_owned())
        }
        () if !writes => (Role::Input, "read, never written".to_owned()),
        () if is_new && !is_returned => (Role::Work, "new, and not returned".to_owned()),
        () if !reads => (Role::Output, "written, never read".to_owned()),
        () if is_new => (Role::Output, "new, and returned".to_owned()),
        () if is_returned && !is_argument && has_head => {
            (Role::Output, "returned, and no argument".to_owned())
        }
        () if is_argument => (Role::Inout, "an argument that is read and written".to_owned()),
        () if first_is_write && !updates_in_place(accesses()) => {
            (Role::Output, "written before it is read".to_owned())
        }
        () => (Role::Inout, "read before it is written, and written".to_owned()),
    }
}

/// Whether an array's first write is of one element by a number, beside which others are read: a sentinel.
fn updates_in_place<'a>(mut accesses: impl Iterator<Item = &'a Access>) -> bool {
    let Some(first) = accesses.next() else { return false };
    let is_one = first.indices.iter().all(|it| matches!(it.kind, ExprNodeKind::Integer(_)));
    is_one
        && first.facts.is_empty()
        && !accesses.any(|it| it.is_write && it.facts.iter().any(is_loop))
}

fn is_loop(fact: &uses::Fact) -> bool {
    matches!(fact, uses::Fact::Loop(..))
}
