//! A machine from the texts of its parameters, as flags and sweeps give them.

use std::collections::BTreeMap;

use super::{
    Agpu, CostKind, CostMachine, CountedCost, Device, LogP, Owner, Owners, Policy, PramVariant,
    Spawn, Tmm,
};
use crate::grid::Grid;
use crate::keyword::Keyword;
use crate::run::Operation;

/// Processors that can be kept apart.
const MOST_PROCESSORS: u64 = 1 << 20;

/// Texts of parameters by their names.
pub type Rules = BTreeMap<String, String>;

impl CostKind {
    /// The names of its parameters.
    pub const fn rules(self) -> &'static [&'static str] {
        match self {
            Self::Pram => &["pram", "cost"],
            Self::WorkSpan => &["cost", "spawn"],
            Self::IdealCache | Self::Pem => &["cache", "line", "policy"],
            Self::Bsp => &["processors", "owner", "g", "L"],
            Self::LogP => &["processors", "owner", "L", "o", "g"],
            Self::LogGp => &["processors", "owner", "L", "o", "g", "G"],
            Self::Mpc => &["space", "processors", "owner"],
            Self::Agpu => &["cores", "line", "cache", "space"],
            Self::Tmm => &["cores", "line", "cache", "slots", "L"],
            Self::Roofline => &["bandwidth", "f32", "f64", "integer"],
        }
    }
}

/// Operations that have a peak in common: the name of the roofline's parameter.
pub const fn peak_of(operation: Operation) -> &'static str {
    match operation {
        Operation::F32 | Operation::F32Quotient | Operation::F32Root => "f32",
        Operation::F64 | Operation::F64Quotient | Operation::F64Root => "f64",
        _ => "integer",
    }
}

/// The operations that a peak may be given for.
pub fn operations_with_peaks() -> impl Iterator<Item = Operation> {
    Operation::ALL.into_iter().skip_while(|it| *it != Operation::Simple)
}

impl CostMachine {
    /// The machine of these parameters; what is missing has its default. Other names are passed over.
    ///
    /// # Errors
    /// What is no value of its parameter: the message begins with the name.
    pub fn of(kind: CostKind, rules: &Rules) -> Result<Self, String> {
        let counted = word(rules, "cost", CountedCost::Both)?;
        let policy = word(rules, "policy", Policy::Lru)?;
        let processors = || match number(rules, "processors")? {
            Some(0) => Err("processors 0: there must be one at least".to_owned()),
            Some(many) if many > MOST_PROCESSORS => {
                Err(format!("processors {many}: at most {MOST_PROCESSORS} are kept apart"))
            }
            processors => Ok(processors),
        };
        let gap = number(rules, "g")?.unwrap_or(4);
        let latency = number(rules, "L")?;
        Ok(match kind {
            CostKind::Pram => {
                Self::Pram { variant: word(rules, "pram", PramVariant::Crew)?, counted }
            }
            CostKind::WorkSpan => {
                Self::WorkSpan { counted, spawn: word(rules, "spawn", Spawn::Free)? }
            }
            CostKind::IdealCache => {
                let (sizes, line) = caches(rules)?;
                Self::IdealCache { sizes, line, policy }
            }
            CostKind::Pem => match caches(rules)? {
                (sizes, line) if sizes.len() == 1 => Self::Pem { size: sizes[0], line, policy },
                _ => {
                    return Err(
                        "cache: the PEM has caches of one size; -m ideal-cache has a curve"
                            .to_owned(),
                    );
                }
            },
            CostKind::Bsp => Self::Bsp {
                processors: processors()?.unwrap_or(8),
                owners: owners(rules)?,
                gap,
                latency: latency.unwrap_or(100),
            },
            CostKind::LogP | CostKind::LogGp => Self::LogP {
                processors: processors()?.unwrap_or(8),
                owners: owners(rules)?,
                parameters: LogP {
                    latency: latency.unwrap_or(6),
                    overhead: number(rules, "o")?.unwrap_or(2),
                    gap,
                    long_gap: match kind {
                        CostKind::LogGp => Some(number(rules, "G")?.unwrap_or(1)),
                        _ => None,
                    },
                },
            },
            CostKind::Mpc => Self::Mpc {
                processors: processors()?,
                owners: owners(rules)?,
                space: number(rules, "space")?.filter(|it| *it > 0).ok_or(
                    "space: -m mpc needs S, the words of a machine, which are one at least: 1024",
                )?,
            },
            CostKind::Agpu => {
                let Chip { cores, line, cache } = chip(rules)?;
                Self::Agpu(Agpu { cores, line, cache, space: number(rules, "space")? })
            }
            CostKind::Tmm => {
                let Chip { cores, line, cache } = chip(rules)?;
                let (slots, latency) = (at_least_one(rules, "slots", 16)?, latency.unwrap_or(100));
                Self::Tmm(Tmm { cores, line, cache, slots, latency })
            }
            CostKind::Roofline => Self::Roofline(device(rules)?),
        })
    }
}

fn word<T: Keyword>(rules: &Rules, name: &str, default: T) -> Result<T, String> {
    rules.get(name).map_or(Ok(default), |text| {
        T::from_keyword(text).map_err(|error| format!("{name} {text}: {error}"))
    })
}

fn number(rules: &Rules, name: &str) -> Result<Option<u64>, String> {
    let Some(text) = rules.get(name) else { return Ok(None) };
    let number = text.parse().map(Some);
    number.map_err(|_| format!("{name} {text}: it must be a whole number, 0 or more"))
}

fn at_least_one(rules: &Rules, name: &str, default: u64) -> Result<u64, String> {
    match number(rules, name)?.unwrap_or(default) {
        0 => Err(format!("{name} 0: there must be one at least")),
        number => Ok(number),
    }
}

/// Of a machine with cores in groups: how many there are, how many are in a group, and the words of the
/// memory that a group shares.
struct Chip {
    cores: u64,
    line: u64,
    cache: u64,
}

fn chip(rules: &Rules) -> Result<Chip, String> {
    let line = at_least_one(rules, "line", 32)?;
    let cores = at_least_one(rules, "cores", line.saturating_mul(32))?;
    if !cores.is_multiple_of(line) || cores / line > MOST_PROCESSORS {
        return Err(format!(
            "cores {cores}: they come in groups of {line} (--line), {MOST_PROCESSORS} groups at most"
        ));
    }
    Ok(Chip { cores, line, cache: at_least_one(rules, "cache", 12_288)? })
}

/// Sizes of caches, and of a line.
fn caches(rules: &Rules) -> Result<(Vec<u64>, u64), String> {
    let line = number(rules, "line")?.unwrap_or(32);
    if line == 0 {
        return Err("line 0: a line has one word at least".to_owned());
    }
    let text = rules.get("cache").map_or("1024", String::as_str);
    let Grid(sizes) = text.parse().map_err(|error| format!("cache {text}: {error}"))?;
    let sizes = sizes.into_iter().map(|size| match u64::try_from(size) {
        Ok(size) if size >= line => Ok(size),
        _ => Err(format!(
            "cache {size}: a cache must hold a line of {line} words; change --cache or --line"
        )),
    });
    Ok((sizes.collect::<Result<_, _>>()?, line))
}

/// `block`, `cyclic,a=block:4`: of all arrays, and of some of them.
fn owners(rules: &Rules) -> Result<Owners, String> {
    let mut owners = Owners { other: Owner::Block, named: vec![] };
    let text = rules.get("owner").map_or("block", String::as_str);
    for word in text.split(',') {
        let fail = |error| format!("owner {text}: {error}");
        match word.split_once('=') {
            Some((array, owner)) => {
                owners.named.push((array.to_owned(), owner.parse().map_err(fail)?));
            }
            None => owners.other = word.parse().map_err(fail)?,
        }
    }
    Ok(owners)
}

/// Of the numbers alone: its name are the peaks.
fn device(rules: &Rules) -> Result<Device, String> {
    let rate = |name: &str| {
        let Some(text) = rules.get(name) else { return Ok(None) };
        match text.parse::<f64>() {
            Ok(rate) if rate.is_finite() && rate > 0.0 => Ok(Some(rate)),
            _ => Err(format!("{name} {text}: it must be a number above 0, such as 2e12")),
        }
    };
    let bandwidth = rate("bandwidth")?
        .ok_or("bandwidth: -m roofline needs that of its memory, in bytes a second: 2e12")?;
    let (mut peaks, mut name) = (vec![], vec![]);
    for kind in ["f32", "f64", "integer"] {
        if let Some(peak) = rate(kind)? {
            peaks.extend(
                operations_with_peaks().filter(|it| peak_of(*it) == kind).map(|it| (it, peak)),
            );
            name.push(format!("{kind}={peak}"));
        }
    }
    Ok(Device { name: name.join(","), peaks, bandwidth })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_make_the_machine_again() {
        let given = [
            ("cache", "64,128"),
            ("line", "8"),
            ("owner", "cyclic,a=block:4"),
            ("G", "7"),
            ("space", "100"),
            ("pram", "priority"),
            ("cores", "64"),
            ("slots", "4"),
        ];
        let given: Rules = given.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
        let others = CostKind::WORDS.iter().map(|it| it.0);
        for kind in others.filter(|it| !matches!(it, CostKind::Roofline | CostKind::Pem)) {
            let mut given = given.clone();
            if matches!(kind, CostKind::Agpu | CostKind::Tmm) {
                given.insert("cache".to_owned(), "128".to_owned());
            }
            let machine = CostMachine::of(kind, &given).unwrap();
            let parameters = machine.parameters().into_iter();
            let again: Rules =
                parameters.map(|(name, value)| (name.to_owned(), value.to_string())).collect();
            assert!(again.keys().all(|it| kind.rules().contains(&it.as_str())), "{kind}");
            assert_eq!(CostMachine::of(kind, &again), Ok(machine));
        }
        assert!(CostMachine::of(CostKind::Pem, &given).unwrap_err().starts_with("cache: "));
    }

    #[test]
    fn what_is_no_value_is_named() {
        let of = |kind, name: &str, text: &str| {
            CostMachine::of(kind, &[(name.to_owned(), text.to_owned())].into()).unwrap_err()
        };
        assert!(of(CostKind::Bsp, "processors", "0").starts_with("processors 0: "));
        assert!(of(CostKind::Bsp, "processors", "9999999").starts_with("processors 9999999: "));
        assert!(of(CostKind::Bsp, "owner", "mine").starts_with("owner mine: "));
        assert!(of(CostKind::IdealCache, "line", "0").starts_with("line 0: "));
        assert!(of(CostKind::IdealCache, "cache", "31").starts_with("cache 31: "));
        assert!(of(CostKind::Mpc, "space", "0").starts_with("space: "));
        assert!(of(CostKind::Roofline, "f32", "1").starts_with("bandwidth: "));
        assert!(of(CostKind::Roofline, "bandwidth", "-1").starts_with("bandwidth -1: "));
        assert!(of(CostKind::Agpu, "cores", "100").starts_with("cores 100: "));
        assert!(of(CostKind::Tmm, "slots", "0").starts_with("slots 0: "));
        assert!(of(CostKind::Pram, "pram", "x").starts_with("pram x: `x` is none of"));
    }
}
