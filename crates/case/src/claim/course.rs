//! What bounds and claims are on machines of courses: which figure of which machine, over which sizes.

use memory_machine_core::cost::{
    Agpu, CostKind, CostMachine, CountedCost, Device, Owner, Owners, Policy, PramVariant, Spawn,
    Tmm,
};
use memory_machine_core::keyword::Keyword;
use memory_machine_core::machine::{MachineKind, Mode};
use memory_machine_theory::derive::UnitCost;
use memory_machine_theory::derive::polynomial::Size;

use super::ParsedClaim;
use crate::Case;

/// The figures that are bounded for all sizes; of a machine, its first if none is asked for.
const FIGURES: &[(CostKind, &str, UnitCost)] = &[
    (CostKind::Pram, "time", UnitCost::Time),
    (CostKind::WorkSpan, "work", UnitCost::Work),
    (CostKind::WorkSpan, "span", UnitCost::Span),
    (CostKind::IdealCache, "misses", UnitCost::Misses),
    (CostKind::Pem, "time", UnitCost::Transfers),
    (CostKind::Bsp, "supersteps", UnitCost::Supersteps),
    (CostKind::Bsp, "w", UnitCost::LocalWork),
    (CostKind::Mpc, "rounds", UnitCost::Rounds),
    (CostKind::Agpu, "io", UnitCost::Blocks),
    (CostKind::Tmm, "io", UnitCost::Chunks),
    (CostKind::Roofline, "operations", UnitCost::Operations),
    (CostKind::Roofline, "bytes", UnitCost::Bytes),
];

/// What is bounded of a machine, by its name.
///
/// # Errors
/// A machine that has no bounds, a figure that it has none of.
pub fn figure(kind: CostKind, of: Option<&str>) -> Result<UnitCost, String> {
    let own: Vec<_> = FIGURES.iter().filter(|it| it.0 == kind).collect();
    let Some(first) = own.first() else {
        return Err(format!(
            "-m {kind}: it has no bounds for all sizes, as its time depends on the order in which words \
             are first asked for; `umm sweep -m {kind}` counts it for sizes, and `umm fit` fits a formula; \
             supersteps are those of -m bsp"
        ));
    };
    let Some(of) = of else { return Ok(first.2) };
    let found = own.iter().find(|it| it.1 == of);
    found.map(|it| it.2).ok_or_else(|| {
        let names: Vec<&str> = own.iter().map(|it| it.1).collect();
        format!(
            "--of {of}: bounds of -m {kind} are of its {}; say so, or leave it out",
            names.join(" or ")
        )
    })
}

/// The words of figures.
pub fn figures() -> Vec<&'static str> {
    let mut words: Vec<&str> = FIGURES.iter().map(|it| it.1).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// The machine that has it.
pub fn machine_of(unit: UnitCost) -> CostKind {
    let own = FIGURES.iter().find(|it| it.2 == unit);
    own.map_or(CostKind::Pram, |it| it.0)
}

/// What bounds are of.
pub const fn subject(unit: Option<UnitCost>) -> &'static str {
    match unit {
        None | Some(UnitCost::Time | UnitCost::Transfers) => "time",
        Some(UnitCost::Work) => "work",
        Some(UnitCost::Span) => "span",
        Some(UnitCost::Misses) => "misses",
        Some(UnitCost::Blocks | UnitCost::Chunks) => "I/O",
        Some(UnitCost::Supersteps) => "supersteps",
        Some(UnitCost::LocalWork) => "w",
        Some(UnitCost::Rounds) => "rounds",
        Some(UnitCost::Operations) => "operations",
        Some(UnitCost::Bytes) => "bytes",
    }
}

/// What a part of them is counted in.
pub const fn counted_in(unit: UnitCost) -> &'static str {
    match unit {
        UnitCost::Work => "accesses",
        UnitCost::Time | UnitCost::Span => "steps",
        UnitCost::Transfers => "transfers",
        UnitCost::Misses => "misses",
        UnitCost::Blocks => "blocks",
        UnitCost::Chunks => "chunks",
        UnitCost::Supersteps | UnitCost::Rounds => "nests",
        UnitCost::Operations | UnitCost::LocalWork => "operations",
        UnitCost::Bytes => "bytes",
    }
}

/// A machine on which it is the figure with this key: with so many words of a line, and of its cache or so
/// many processors. Bounds hold for whatever it has besides.
pub fn course(unit: UnitCost, line: u64, other: u64) -> (CostMachine, &'static str) {
    let counted = CountedCost::Accesses;
    let policy = Policy::Lru;
    let owners = Owners { other: Owner::Block, named: vec![] };
    match unit {
        UnitCost::Time => {
            (CostMachine::Pram { variant: PramVariant::Arbitrary, counted }, "time_units")
        }
        UnitCost::Work => (CostMachine::WorkSpan { counted, spawn: Spawn::Free }, "work"),
        UnitCost::Span => (CostMachine::WorkSpan { counted, spawn: Spawn::Free }, "span"),
        UnitCost::Transfers => (CostMachine::Pem { size: other, line, policy }, "time_units"),
        UnitCost::Misses => {
            (CostMachine::IdealCache { sizes: vec![other], line, policy }, "misses")
        }
        UnitCost::Blocks => {
            (CostMachine::Agpu(Agpu { cores: line, line, cache: other, space: None }), "io")
        }
        UnitCost::Chunks => {
            (CostMachine::Tmm(Tmm { cores: line, line, cache: other, slots: 1, latency: 1 }), "io")
        }
        UnitCost::Supersteps | UnitCost::LocalWork => {
            let key = if unit == UnitCost::LocalWork { "w" } else { "supersteps" };
            (CostMachine::Bsp { processors: other, owners, gap: 1, latency: 1 }, key)
        }
        UnitCost::Rounds => {
            (CostMachine::Mpc { processors: Some(2), owners, space: u64::MAX }, "rounds")
        }
        UnitCost::Operations | UnitCost::Bytes => {
            let device = Device { name: "any".to_owned(), peaks: vec![], bandwidth: 1.0 };
            let key = if unit == UnitCost::Bytes { "bytes" } else { "operations" };
            (CostMachine::Roofline(device), key)
        }
    }
}

impl ParsedClaim {
    /// What the claim is over beside parameters, by its names.
    pub(super) fn sizes(
        &self,
        kind: MachineKind,
        parameters: &[String],
    ) -> Vec<(Size, &'static str)> {
        match self.unit {
            None => Size::of_machine(kind).iter().map(|it| (*it, it.name(&[]))).collect(),
            Some(unit) => unit.sizes_beside(parameters),
        }
    }

    /// What it is a claim on.
    pub fn subject(&self) -> &'static str {
        subject(self.unit)
    }

    /// What the column of runs is called.
    pub fn column(&self) -> String {
        match self.unit {
            None => "time units".to_owned(),
            Some(UnitCost::Time | UnitCost::Work | UnitCost::Span) => {
                format!("{} accesses", self.subject())
            }
            Some(_) => self.subject().to_owned(),
        }
    }
}

impl Case {
    /// Why bounds of a machine of courses do not follow from the listing.
    pub(super) fn refuse_unit(&self, unit: UnitCost) -> Result<(), String> {
        let kind = machine_of(unit);
        let has_blocks = matches!(unit, UnitCost::Blocks | UnitCost::Chunks);
        if self.program.first_loop_on_dmms().is_some() && !has_blocks {
            return Err(format!(
                "-m {kind}: bounds are of listings without loops on DMMs; those of their time are of -m hmm, \
                 those of blocks that they access of -m agpu"
            ));
        }
        if let (UnitCost::Span, Some(span)) = (unit, self.program.first_fork()) {
            let line = self.program.source.line(span);
            return Err(format!(
                "line {line}: bounds of the span are not derived of calls in parallel; `umm sweep -m work-span` \
                 counts it for sizes"
            ));
        }
        if self.bulk.is_some() || self.mode != Mode::Sync {
            return Err(format!("-m {} has no --bulk and no --mode; leave them out", kind.word()));
        }
        Ok(())
    }
}
