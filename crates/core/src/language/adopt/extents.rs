//! First and last indices of arrays.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use super::polynomial::Polynomial;
use super::ranges::{Ranges, further};
use super::uses::Uses;
use super::{Said, names_of};

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
        let firsts = of_open.filter_map(|(name, at)| it.inferred(name, at, false)?.constant());
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

    /// Whether every index has a bound.
    fn is_whole(&self, array: &str, dimension: usize, upward: bool) -> bool {
        let mut indices = self
            .uses
            .accesses
            .iter()
            .filter(|it| it.array == array)
            .filter_map(|it| Some((it.indices.get(dimension)?, it)));
        indices.all(|(index, it)| self.ranges.bound(index, upward, &it.facts).is_some())
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
            if let Some(known) = known.filter(is_known) {
                ranges.push(known.clone());
                reasons.push("indices as it says".to_owned());
                continue;
            }
            let length = self.lengths.get(&(array.to_owned(), dimension));
            let lower = self.inferred(array, dimension, false).and_then(|it| it.constant());
            let first = match (self.said.first, lower) {
                (Some(said), _) => said,
                (None, Some(least)) => least.min(1),
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
                    match (upper, is_whole, &self.common) {
                        (Some(last), true, _) => (Some(last), "its indices go so far".to_owned()),
                        (Some(last), false, Some(common)) => (
                            Some(further(last, common.clone(), true)),
                            "taken: not all of its indices can be bounded".to_owned(),
                        ),
                        (Some(last), false, None) => {
                            (Some(last), "taken: not all of its indices can be bounded".to_owned())
                        }
                        (None, _, Some(common)) => (
                            Some(common.clone()),
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
