//! First and last indices of arrays.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use super::polynomial::{Polynomial, further};
use super::ranges::Ranges;
use super::uses::{Fact, Uses};
use super::{Said, names_of};
use crate::syntax::{ExprNode, ExprNodeKind};

/// First and last indices.
pub(super) struct Extents<'a> {
    uses: &'a Uses,
    said: &'a Said,
    ranges: &'a Ranges<'a>,
    sizes: &'a HashSet<String>,
    lengths: &'a HashMap<(String, usize), String>,
    /// Where the indices of the listing begin.
    first: i64,
    /// The last index of most arrays.
    common: Option<Polynomial>,
    pub(super) made: RefCell<Vec<String>>,
}

/// How many more elements than others have a list that grows may get.
const GROWTH: i64 = 1024;

/// A text with an expression in place of a name; a sum that a number follows is one sum with it.
fn replaced(text: &str, name: &str, value: &str) -> String {
    let is_letter = |it: Option<char>| it.is_some_and(|it| it.is_alphanumeric() || it == '_');
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(name) {
        let (before, behind) = (&rest[..at], &rest[at + name.len()..]);
        out += before;
        let is_whole = !is_letter(out.chars().next_back()) && !is_letter(behind.chars().next());
        let binds = out.trim_end().ends_with(['*', '×', '/', '-'])
            || behind.trim_start().starts_with(['*', '×', '/']);
        match (is_whole, binds) {
            (false, _) => out += name,
            (true, true) => out += &format!("({value})"),
            (true, false) => out += value,
        }
        rest = behind;
    }
    out + rest
}

impl<'a> Extents<'a> {
    pub(super) fn new(
        uses: &'a Uses,
        said: &'a Said,
        ranges: &'a Ranges<'a>,
        sizes: &'a HashSet<String>,
        lengths: &'a HashMap<(String, usize), String>,
        arrays: &[(String, usize)],
    ) -> Self {
        let mut it = Self {
            uses,
            said,
            ranges,
            sizes,
            lengths,
            first: 0,
            common: None,
            made: Default::default(),
        };
        let bounds = |upward| {
            let of = arrays.iter().flat_map(|(name, rank)| (0..*rank).map(move |at| (name, at)));
            of.filter_map(|(name, at)| it.inferred(name, at, upward)).collect::<Vec<_>>()
        };
        let is_open = |name: &str| {
            said.arrays
                .iter()
                .find(|it| it.name == name)
                .is_none_or(|it| it.extents.iter().all(Option::is_none))
        };
        let of_open = arrays
            .iter()
            .filter(|it| is_open(&it.0))
            .flat_map(|(name, rank)| (0..*rank).map(move |at| (name, at)));
        let firsts = of_open.filter_map(|(name, at)| it.least(name, at));
        let least = firsts.min();
        let first = said.first.unwrap_or_else(|| least.map_or(1, |it| it.clamp(0, 1)));
        let lasts = bounds(true);
        let size = ["n", "N"].iter().find(|it| sizes.contains(**it)).map(|it| Polynomial::name(it));
        let size = size.and_then(|it| it.plus(&Polynomial::number(first - 1), 1));
        let common = lasts.into_iter().chain(size).reduce(|a, b| further(a, b, true));
        (it.first, it.common) = (first, common);
        it
    }

    /// The least or the greatest index of all accesses whose index can be bounded.
    fn inferred(&self, array: &str, dimension: usize, upward: bool) -> Option<Polynomial> {
        let indices = self.uses.accesses.iter().filter(|it| it.array == array);
        let bounds = indices
            .filter_map(|it| self.ranges.bound(it.indices.get(dimension)?, upward, &it.facts));
        bounds.reduce(|a, b| further(a, b, upward))
    }

    /// The least index that is a number: of `A[i]` and `A[i - 2^d]` from i = 2^d on, 0.
    fn least(&self, array: &str, dimension: usize) -> Option<i64> {
        let indices = self.uses.accesses.iter().filter(|it| it.array == array);
        let bounds = indices
            .filter_map(|it| self.ranges.bound(it.indices.get(dimension)?, false, &it.facts));
        bounds.filter_map(|it| it.constant()).min()
    }

    /// Whether every index has a bound.
    fn is_whole(&self, array: &str, dimension: usize, upward: bool) -> bool {
        let mut indices = self
            .uses
            .accesses
            .iter()
            .filter(|it| it.array == array)
            .filter_map(|it| Some((it.indices.get(dimension)?, it)));
        indices.all(|(index, it)| {
            let block = self.ranges.polynomial(index, &it.facts, 0);
            let is_block = block.is_some_and(|of| self.ranges.block(&of, &it.facts).is_some());
            !is_block && self.ranges.bound(index, upward, &it.facts).is_some()
        })
    }

    /// An extent as printed, with what is assigned once, of sizes alone, in place of its name.
    fn resolved(&self, extent: &str) -> String {
        let mut extent = extent.to_owned();
        for name in names_of(&extent) {
            let mut values = self.uses.assignments.iter().filter(|it| it.target == name);
            let (Some(only), None) = (values.next(), values.next()) else { continue };
            let Some(value) = only.value.as_ref().filter(|_| !self.sizes.contains(&name)) else {
                continue;
            };
            let text = value.to_string();
            if !names_of(&text).iter().all(|it| self.sizes.contains(it)) || text.contains('[') {
                continue;
            }
            extent = replaced(&extent, &name, &text);
        }
        extent
    }

    /// Whether 0 is among what the indices of an array are made of.
    fn begins_at_0(&self, array: &str, dimension: usize) -> bool {
        let indices = self.uses.accesses.iter().filter(|it| it.array == array);
        let name = |index: &ExprNode| match &index.kind {
            ExprNodeKind::Name(name) => Some(name.clone()),
            _ => None,
        };
        let mut names: Vec<String> =
            indices.filter_map(|it| name(it.indices.get(dimension)?)).collect();
        let mut seen: HashSet<String> = HashSet::new();
        while let Some(name) = names.pop() {
            if !seen.insert(name.clone()) {
                continue;
            }
            let values =
                self.uses.assignments.iter().filter(|it| it.target == name && !it.is_element);
            for value in values.filter_map(|it| it.value.as_ref()) {
                if matches!(value.kind, ExprNodeKind::Integer(0)) {
                    return true;
                }
                names.extend(names_of(&value.to_string()));
            }
        }
        false
    }

    /// Whether the indices that cannot be bounded are all read from memory.
    fn is_by_memory(&self, array: &str, dimension: usize) -> bool {
        let accesses = self.uses.accesses.iter().filter(|it| it.array == array);
        let indices = accesses.filter_map(|it| Some((it.indices.get(dimension)?, it)));
        let mut open =
            indices.filter(|(index, it)| self.ranges.bound(index, true, &it.facts).is_none());
        let mut is_any = false;
        open.all(|(index, _)| {
            is_any = true;
            index.to_string().contains('[')
        }) && is_any
    }

    /// Whether an array is read alone, at indices that memory has or bounds.
    fn is_far(&self, array: &str) -> bool {
        let mut accesses = self.uses.accesses.iter().filter(|it| it.array == array);
        accesses.all(|it| {
            let has_element = it.indices[0].to_string().contains('[');
            let is_bound = |fact: &Fact| match fact {
                Fact::Loop(name, _, to) => {
                    let to = names_of(&to.to_string());
                    names_of(&it.indices[0].to_string()).contains(name)
                        && to.iter().any(|of| self.is_from_memory(of))
                }
                _ => false,
            };
            let counts = names_of(&it.indices[0].to_string()).iter().any(|it| self.counts_on(it));
            !it.is_write && (has_element || counts || it.facts.iter().any(is_bound))
        })
    }

    /// Whether an array is 1 or 2 elements shorter than the others, which have a size of the listing.
    fn falls_short(&self, last: &Polynomial, common: &Polynomial) -> bool {
        let is_size = |last: &Polynomial| {
            let size = last.plus(&Polynomial::number(1 - self.first), 1);
            size.is_some_and(|it| self.sizes.contains(&it.to_string()))
        };
        let is_less = |by| {
            let more = last.plus(&Polynomial::number(by), 1);
            more.is_some_and(|it| it.to_string() == common.to_string())
        };
        !is_size(last) && is_size(common) && (1..=2).any(is_less)
    }

    /// Whether an array is an argument, or nothing makes it.
    fn is_given(&self, array: &str) -> bool {
        let said = self.said.arrays.iter().find(|it| it.name == array);
        said.is_none_or(|it| it.is_argument || !it.is_new)
    }

    /// Whether an index is made of what a procedure gives.
    fn is_by_call(&self, array: &str) -> bool {
        let of_call = |name: &String| {
            let mut of = self.uses.assignments.iter().filter(|it| it.target == *name);
            let is_call = |it: &ExprNode| match &it.kind {
                ExprNodeKind::Call { function, .. } => !super::KNOWN.contains(&&**function),
                _ => false,
            };
            of.any(|it| it.value.as_ref().is_none_or(is_call) && !it.is_element)
        };
        let mut accesses = self.uses.accesses.iter().filter(|it| it.array == array);
        accesses.any(|it| names_of(&it.indices[0].to_string()).iter().any(of_call))
    }

    /// Whether a scalar begins with what memory has, and counts up by 1.
    fn counts_on(&self, scalar: &str) -> bool {
        let values =
            || self.uses.assignments.iter().filter(|it| it.target == scalar && !it.is_element);
        let text = |it: &ExprNode| it.to_string().replace(' ', "");
        let next = format!("{scalar}+1");
        let is_next = |it: &ExprNode| text(it) == next;
        self.is_from_memory(scalar) && values().filter_map(|it| it.value.as_ref()).any(is_next)
    }

    fn is_from_memory(&self, scalar: &str) -> bool {
        let values =
            self.uses.assignments.iter().filter(|it| it.target == scalar && !it.is_element);
        values.filter_map(|it| it.value.as_ref()).any(|it| it.to_string().contains('['))
            || self.uses.accesses.iter().any(|it| it.array == scalar)
    }

    /// The ranges of all dimensions, and why.
    pub(super) fn of(&self, array: &str, rank: usize) -> (String, String) {
        let said = self.said.arrays.iter().find(|it| it.name == array);
        let (mut ranges, mut reasons) = (vec![], vec![]);
        for dimension in 0..rank {
            let known = said.and_then(|it| it.extents.get(dimension)).and_then(Option::as_ref);
            let is_known = |it: &&String| {
                names_of(it).iter().all(|it| self.sizes.contains(it)) && !it.contains('[')
            };
            let known = known.map(|it| self.resolved(it));
            if let Some(known) = known.filter(|it| is_known(&it)) {
                ranges.push(known);
                reasons.push("indices as it says".to_owned());
                continue;
            }
            let length = self.lengths.get(&(array.to_owned(), dimension));
            let lower = self.least(array, dimension);
            let first = match (self.said.first, lower) {
                (Some(said), _) => said,
                (None, Some(least)) => least.min(1),
                (None, None) if self.begins_at_0(array, dimension) => 0,
                (None, None) => self.first,
            };
            let (last, reason) = match length {
                Some(name) => {
                    let last = Polynomial::name(name).plus(&Polynomial::number(first - 1), 1);
                    (last, format!("{name} is its length"))
                }
                None => {
                    let upper = self.inferred(array, dimension, true);
                    let is_whole = self.is_whole(array, dimension, true);
                    let is_number = |it: &Polynomial| it.constant().is_some();
                    match (upper, is_whole, &self.common) {
                        (of, false, _) if said.is_some_and(|it| it.grows) => self.grown(of, first),
                        // An array alone, whose last index nothing says.
                        (_, false, common)
                            if rank == 1
                                && common.as_ref().is_none_or(is_number)
                                && self.is_given(array)
                                && self.is_read(array) =>
                        {
                            self.length_of(array, first)
                        }
                        // An array whose last element is left out is as long as the others.
                        (Some(last), true, Some(common))
                            if rank == 1
                                && first == self.first
                                && self.is_given(array)
                                && self.falls_short(&last, common) =>
                        {
                            (
                                Some(common.clone()),
                                "taken: as long as others, though its indices go less far"
                                    .to_owned(),
                            )
                        }
                        (Some(last), true, _) => (Some(last), "its indices go so far".to_owned()),
                        (Some(last), false, Some(_)) if self.is_by_memory(array, dimension) => (
                            Some(last),
                            "taken: those of its indices that memory has may go further".to_owned(),
                        ),
                        (Some(last), false, Some(common)) => (
                            Some(further(last, common.clone(), true)),
                            "taken: not all of its indices can be bounded".to_owned(),
                        ),
                        (Some(last), false, None) => {
                            (Some(last), "taken: not all of its indices can be bounded".to_owned())
                        }
                        (None, ..)
                            if rank == 1 && (self.is_far(array) || self.is_by_call(array)) =>
                        {
                            self.length_of(array, first)
                        }
                        (None, _, Some(common)) => (
                            common.plus(&Polynomial::number(first - self.first), 1),
                            "taken: as far as others, since its indices cannot be bounded"
                                .to_owned(),
                        ),
                        (None, _, None) => {
                            (None, "asked for: nothing says how far its indices go".to_owned())
                        }
                    }
                }
            };
            let last = last.unwrap_or_else(|| {
                let size = self.size();
                let last = Polynomial::name(&size).plus(&Polynomial::number(first - 1), 1);
                last.unwrap_or_else(|| Polynomial::name(&size))
            });
            let size = last.plus(&Polynomial::number(1), 1);
            ranges.push(match (first, size) {
                (0, Some(size)) => size.to_string(),
                _ => format!("{first} .. {last}"),
            });
            reasons.push(reason);
        }
        reasons.dedup();
        (ranges.join(", "), reasons.join(", "))
    }

    /// The last index of a list that grows, and why.
    fn grown(&self, own: Option<Polynomial>, first: i64) -> (Option<Polynomial>, String) {
        let others = self.common.clone().or(own);
        let last = others.unwrap_or_else(|| Polynomial::number(first - 1));
        let last = last.plus(&Polynomial::number(GROWTH), 1);
        (last, format!("taken: {GROWTH} more than others, since it grows"))
    }

    /// The last index of an array whose length is asked for, and why.
    fn length_of(&self, array: &str, first: i64) -> (Option<Polynomial>, String) {
        let name = format!("{array}_length");
        self.made.borrow_mut().push(name.clone());
        let last = Polynomial::name(&name).plus(&Polynomial::number(first - 1), 1);
        (last, "asked for: its indices come from memory, or from a call".to_owned())
    }

    /// Whether an array is read, and never written.
    fn is_read(&self, array: &str) -> bool {
        let mut accesses = self.uses.accesses.iter().filter(|it| it.array == array).peekable();
        accesses.peek().is_some() && accesses.all(|it| !it.is_write)
    }

    /// The size that a listing without any other has.
    fn size(&self) -> String {
        let known = ["n", "N"].iter().find(|it| self.sizes.contains(**it));
        let name = known.map_or("n".to_owned(), |it| (*it).to_owned());
        let arguments = self.said.arguments.iter().rfind(|it| self.sizes.contains(*it));
        let other = arguments.or(self.sizes.iter().min()).filter(|_| known.is_none());
        let name = other.cloned().unwrap_or(name);
        self.made.borrow_mut().push(name.clone());
        name
    }
}
