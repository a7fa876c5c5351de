//! The kinds of machine, and what they are called.

use std::collections::BTreeMap;

use crate::keyword::keywords;
use crate::units::{Address, Latency, Width};

/// What makes two requests of one warp conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MachineKind {
    /// Unified Memory Machine: distinct address groups `A[g] = {g·w, …, g·w+w−1}`.
    Umm,
    /// Discrete Memory Machine: distinct addresses in one bank `B[b] = {b, b+w, b+2w, …}`.
    Dmm,
    /// Hierarchical Memory Machine: DMMs whose threads all use the memory of one UMM.
    Hmm(Dmms),
}

/// The DMMs of a Hierarchical Memory Machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dmms {
    /// d, at least 1.
    pub number: u64,
    /// ls: the latency of their memories.
    pub latency: Latency,
    /// R: blocks that are on a DMM at a time, at least 1.
    pub resident: u64,
}

impl Dmms {
    /// One DMM, with one block at a time and no latency to speak of.
    pub const ONE: Self = Self { number: 1, latency: Latency::ONE, resident: 1 };

    /// d·R: the blocks that run at once.
    pub const fn blocks(self) -> u64 {
        self.number.saturating_mul(self.resident)
    }
}

/// What makes requests of one warp to a memory conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// A stage for each address group.
    Groups,
    /// As many stages as one bank has addresses.
    Banks,
}

keywords! { MachineKind {
    Umm "umm" "Unified Memory Machine: a warp takes a stage for each address group"
    Dmm "dmm" "Discrete Memory Machine: a warp takes as many stages as one bank has addresses"
    Hmm(Dmms::ONE) "hmm" "Hierarchical Memory Machine: DMMs of shared memory, and one UMM for all of them"
} }

impl MachineKind {
    /// The Hierarchical Memory Machine of these DMMs.
    pub const fn hierarchical(dmms: Dmms) -> Self {
        Self::Hmm(dmms)
    }

    /// The rule of the memory that all threads use.
    pub(super) const fn rule_of_global(self) -> Rule {
        match self {
            Self::Umm | Self::Hmm(_) => Rule::Groups,
            Self::Dmm => Rule::Banks,
        }
    }

    /// The DMMs on which blocks run, if there are any.
    pub const fn dmms(self) -> Option<Dmms> {
        match self {
            Self::Umm | Self::Dmm => None,
            Self::Hmm(dmms) => Some(dmms),
        }
    }

    /// The same, to be changed.
    pub const fn dmms_mut(&mut self) -> Option<&mut Dmms> {
        match self {
            Self::Umm | Self::Dmm => None,
            Self::Hmm(dmms) => Some(dmms),
        }
    }

    /// Whether a warp takes a stage for each address group of the memory that all threads use, and
    /// not for each address of a bank. What is derived of a listing (`memory_machine_theory::derive`) rests
    /// on these two rules: a third one needs theorems of its own before it may pass here.
    pub const fn has_groups(self) -> bool {
        match self.rule_of_global() {
            Rule::Groups => true,
            Rule::Banks => false,
        }
    }

    /// Why it cannot run a listing or a trace with a loop on DMMs, and the remedy.
    pub const fn without_dmms(self) -> Option<[&'static str; 2]> {
        let remedy = "time it on the hierarchical memory machine: -m hmm, with -d DMMs";
        match self {
            Self::Umm => Some(["the UMM has no DMMs", remedy]),
            Self::Dmm => Some(["the DMM is one alone, without global memory", remedy]),
            Self::Hmm(_) => None,
        }
    }

    /// As the papers write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Umm => "UMM",
            Self::Dmm => "DMM",
            Self::Hmm(_) => "HMM",
        }
    }

    /// What the requests of one pipeline stage go to.
    pub const fn destination(self) -> &'static str {
        match self.rule_of_global() {
            Rule::Groups => "group",
            Rule::Banks => "banks",
        }
    }

    /// How many stages a warp takes, where rows are address groups and columns banks.
    pub const fn rule(self) -> &'static str {
        match self.rule_of_global() {
            Rule::Groups => "a stage for each address group (row) that a warp touches",
            Rule::Banks => "as many stages as a warp has words in one bank (column)",
        }
    }

    /// The addresses that each stage of one warp's access holds: the distinct addresses that it asks
    /// for, ascending, an address group a stage, or one address of each bank a stage.
    pub(super) fn stages(self, addresses: &[Address], width: Width) -> Vec<Vec<Address>> {
        let width = width.get();
        match self.rule_of_global() {
            Rule::Groups => {
                let groups = addresses.chunk_by(|a, b| a.0 / width == b.0 / width);
                groups.map(<[_]>::to_vec).collect()
            }
            Rule::Banks => {
                let mut banks: BTreeMap<u64, Vec<Address>> = BTreeMap::new();
                for &address in addresses {
                    banks.entry(address.0 % width).or_default().push(address);
                }
                let depth = banks.values().map(Vec::len).max().unwrap_or(0);
                let stage = |i| banks.values().filter_map(|bank| bank.get(i).copied()).collect();
                (0..depth).map(stage).collect()
            }
        }
    }

    /// The same where requests to equal addresses do not merge; `addresses` has one for each.
    pub(super) fn serial_stages(self, addresses: &[Address], width: Width) -> Vec<Vec<Address>> {
        match self.rule_of_global() {
            // As of a bank with distinct addresses.
            Rule::Banks => self.stages(addresses, width),
            Rule::Groups => {
                let groups = addresses.chunk_by(|a, b| a.0 / width.get() == b.0 / width.get());
                let of_group = |group: &[Address]| {
                    let words: Vec<&[Address]> = group.chunk_by(|a, b| a == b).collect();
                    let most = words.iter().map(|it| it.len()).max().unwrap_or(0);
                    let stage = |i| words.iter().filter_map(|it| it.get(i).copied()).collect();
                    (0..most).map(stage).collect::<Vec<Vec<Address>>>()
                };
                groups.flat_map(of_group).collect()
            }
        }
    }

    /// The papers' letter of [`Self::destination`], or a word where an array has that name, and the
    /// numbers of those that one stage's requests go to.
    pub fn destinations(
        self,
        stage: &[Address],
        width: Width,
        is_array: impl Fn(&str) -> bool,
    ) -> (&'static str, Vec<Address>) {
        let width = width.get();
        let (letter, word, places): (_, _, Vec<Address>) = match self.rule_of_global() {
            Rule::Groups => {
                ("A", "group", stage.iter().take(1).map(|it| Address(it.0 / width)).collect())
            }
            Rule::Banks => ("B", "bank", stage.iter().map(|it| Address(it.0 % width)).collect()),
        };
        (if is_array(letter) { word } else { letter }, places)
    }
}

/// How the steps of a trace follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Steps one after another, as the papers analyse them.
    Sync,
    /// Every warp goes on as soon as its own access is complete, up to the next barrier.
    Async,
}

keywords! { Mode {
    Sync "sync" "Steps one after another, as the papers analyse them"
    Async "async" "Each warp goes on as soon as its own access is complete"
} }

impl Mode {
    /// As reports have it: `synchronous`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sync => "synchronous",
            Self::Async => "asynchronous",
        }
    }
}
