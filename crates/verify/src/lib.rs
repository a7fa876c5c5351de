//! Checks certificates of running times: each step of the derivation of a bound that holds for all sizes.
//!
//! A certificate repeats the listing as a tree and answers, one after another, the questions that the walk
//! over this tree asks: what bounds a sum, and why a polynomial is not negative. The walk believes no
//! answer. Where a certificate is made, the same walk asks the prover's search; so both go through the same
//! places in the same order. `docs/certificates.md` has the rules and why they are sound.

pub mod claim;
mod measures;
mod paths;
pub mod polynomial;
mod series;
mod stages;
pub mod sums;
pub mod tree;
mod values;
pub mod walk;
mod while_loops;

use std::collections::BTreeMap;

use memory_machine_language::program::Program;
use num_traits::Signed;
use serde_json::{Map, Value, json};

use crate::claim::{Claim, Statement};
use crate::polynomial::{Polynomial, ceiling_log, whole};
use crate::walk::Walk;

/// The name of the format, its first field.
pub const FORMAT: &str = "umm certificate 1";

/// Why a certificate is refused, or none can be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(pub String);

impl Refusal {
    /// With a reason.
    pub fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

/// The answers of a certificate, in their order.
struct Answers<'a> {
    all: std::slice::Iter<'a, Value>,
}

impl Source for Answers<'_> {
    fn answer(&mut self, _: &Question<'_>) -> Result<Value, Refusal> {
        self.all.next().cloned().ok_or_else(|| Refusal::new("it has too few steps"))
    }
}

/// What walks over a listing: what it is of, what is claimed, and the tree.
pub struct Task<'a> {
    /// Machine, parameters that are numbers, where sizes begin.
    pub setting: &'a Setting,
    /// What is claimed; bounds alone without it.
    pub claim: Option<&'a Claim>,
    /// Of the listing.
    pub tree: &'a Value,
}

impl Task<'_> {
    /// Goes through the derivation with a source of answers.
    ///
    /// # Errors
    /// The first answer that does not hold.
    pub fn go(&self, source: &mut dyn Source) -> Result<Statement, Refusal> {
        let mut walk = Walk::new(self.setting, self.tree, source);
        walk.program()?;
        let bounds = walk.bounds();
        claim::settle(self.setting, self.claim, &bounds, source)
    }

    /// The certificate that repeats the listing and holds the answers.
    pub fn certificate(&self, listing: &str, steps: Vec<Value>, found: &Statement) -> Value {
        let mut all = Map::new();
        all.insert("format".to_owned(), json!(FORMAT));
        all.insert("listing".to_owned(), json!(listing));
        all.insert("setting".to_owned(), self.setting.json());
        all.insert("claim".to_owned(), self.claim.map_or(Value::Null, Claim::json));
        all.insert("states".to_owned(), found.json());
        all.insert("program".to_owned(), self.tree.clone());
        all.insert("steps".to_owned(), steps.into());
        all.into()
    }
}

/// Checks a certificate against the listing that it is of.
///
/// # Errors
/// Why it is refused.
pub fn verify(certificate: &Value, program: &Program) -> Result<Statement, Refusal> {
    let own = tree::tree(program)?;
    let field = |name: &str| {
        certificate.get(name).ok_or_else(|| Refusal::new(format!("it has no `{name}`")))
    };
    if field("format")? != FORMAT {
        return Err(Refusal::new(format!("it is no `{FORMAT}`")));
    }
    let fields = certificate.as_object().map_or(0, Map::len);
    if fields != 7 {
        return Err(Refusal::new(format!("it has {fields} fields, and not 7")));
    }
    if field("program")? != &own || field("listing")? != program.name.as_str() {
        return Err(Refusal::new("it is of another listing"));
    }
    let setting = Setting::read(field("setting")?, &own)?;
    if program.is_unfolded {
        unfolded(program, &setting)?;
    }
    let claim = match field("claim")? {
        Value::Null => None,
        it => Some(Claim::read(it, &setting)?),
    };
    let steps = field("steps")?.as_array().ok_or_else(|| Refusal::new("`steps` is no list"))?;
    let task = Task { setting: &setting, claim: claim.as_ref(), tree: &own };
    let mut answers = Answers { all: steps.iter() };
    let found = task.go(&mut answers)?;
    if answers.all.next().is_some() {
        return Err(Refusal::new("it has too many steps"));
    }
    if field("states")? != &found.json() {
        return Err(Refusal::new("what it states is not what follows"));
    }
    Ok(found)
}

/// A procedure that calls itself is unfolded for its default sizes alone.
fn unfolded(program: &Program, setting: &Setting) -> Result<(), Refusal> {
    for (parameter, fixed) in program.parameters.iter().zip(&setting.fixed) {
        if parameter.default.is_some() && *fixed != parameter.default {
            let name = &parameter.name;
            return Err(Refusal::new(format!(
                "the recursion is unfolded: `{name}` has its default alone"
            )));
        }
    }
    Ok(())
}

/// What bounds the time of the whole run.
#[derive(Debug, Clone, Default)]
pub struct Bounds {
    /// The time is at most the sum of parts: so many times the least of some sums.
    pub upper: Vec<(i64, Vec<Polynomial>)>,
    /// It is at least each, by the rule's name, where what stands first, if anything, is at least w.
    pub lower: BTreeMap<String, (Option<Polynomial>, Polynomial)>,
}

/// What is said from below holds where all parameters are that much.
pub const FROM: i64 = 16;

/// Machine, parameters that are numbers or exponents, and where sizes begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Whether a warp takes a stage for each address group (UMM), or for each address of a bank (DMM).
    pub is_umm: bool,
    /// By parameter, its value if it is a number.
    pub fixed: Vec<Option<i64>>,
    /// By parameter, whether it is the logarithm of the size that grows.
    pub exponents: Vec<bool>,
    /// What the listing calls its parameters.
    pub names: Vec<String>,
}

impl Setting {
    /// As JSON.
    pub fn json(&self) -> Value {
        json!({
            "machine": if self.is_umm { "umm" } else { "dmm" },
            "fixed": self.fixed, "exponents": self.exponents, "from": FROM,
        })
    }

    /// From JSON, for a listing.
    ///
    /// # Errors
    /// What is no setting.
    pub fn read(of: &Value, tree: &Value) -> Result<Self, Refusal> {
        let names: Vec<String> =
            serde_json::from_value(tree["parameters"].clone()).unwrap_or_default();
        let fixed = serde_json::from_value(of["fixed"].clone()).unwrap_or_default();
        let exponents = serde_json::from_value(of["exponents"].clone()).unwrap_or_default();
        let setting = Self { is_umm: of["machine"] == "umm", fixed, exponents, names };
        let count = setting.names.len();
        let fits = setting.fixed.len() == count && setting.exponents.len() == count;
        // What is not written as it would be is not read.
        if !fits || setting.json() != *of {
            return Err(Refusal::new("`setting` is none"));
        }
        Ok(setting)
    }

    /// The sizes that grow with a listing, and whether each is a power of 2 whose logarithm is a parameter.
    fn parameters(&self) -> impl Iterator<Item = (&String, bool)> {
        let all = self.names.iter().zip(&self.fixed).zip(&self.exponents);
        all.filter(|((_, fixed), _)| fixed.is_none()).map(|((name, _), it)| (name, *it))
    }

    /// The size that an atom is, and the atom of its logarithm; at first those of parameters.
    pub fn sizes(&self) -> Vec<[String; 2]> {
        let own = self.parameters().map(|(name, is_exponent)| {
            if is_exponent {
                [format!("2^{name}"), name.clone()]
            } else {
                [name.clone(), format!("log {name}")]
            }
        });
        let machine = ["@p", "@w", "@l"].map(|it| [it.to_owned(), format!("log {it}")]);
        own.chain(machine).collect()
    }

    /// The least that a size or its logarithm is: 1 from above; from below parameters begin elsewhere.
    /// `None` if the atom is neither.
    pub fn least(&self, atom: &str, up: bool) -> Option<i64> {
        let sizes = self.sizes();
        let [size, _] = sizes.iter().find(|it| it.iter().any(|it| it == atom))?;
        let is_machine = size.starts_with('@');
        let from = if up || is_machine { 1 } else { FROM };
        Some(if size == atom { from } else { ceiling_log(&whole(from)).max(1) })
    }

    /// `⌈log₂⌉` of a sum of products of sizes, at most: it is no more than all coefficients times the product of
    /// the largest powers.
    pub fn logarithm(&self, of: &Polynomial) -> Option<Polynomial> {
        let (mut factor, mut most) = (whole(0), BTreeMap::<&String, i64>::new());
        for (powers, coefficient) in of.0.iter().filter(|it| it.1.is_positive()) {
            factor += coefficient;
            for (size, power) in powers {
                let entry = most.entry(size).or_default();
                *entry = (*entry).max(*power);
            }
        }
        let mut sum = Polynomial::constant(ceiling_log(&factor));
        for (size, power) in most {
            let log = Polynomial::atom(&self.log(size).filter(|_| power > 0)?);
            sum = sum.plus(&log.scale(&whole(power)));
        }
        factor.is_positive().then_some(sum)
    }

    /// The logarithm's atom of a size.
    pub fn log(&self, size: &str) -> Option<String> {
        self.sizes().into_iter().find(|it| it[0] == size).map(|[_, log]| log)
    }
}

/// What a source is asked.
pub enum Question<'a> {
    /// Why the first is not negative where the facts hold; null if it is not known.
    Prove {
        /// Not negative?
        of: &'a Polynomial,
        /// Each is not negative.
        facts: &'a [Polynomial],
        /// Whether from above.
        up: bool,
    },
    /// What bounds the sum over a loop from above (or below).
    Sum {
        /// The sum for its ends.
        sum: &'a Polynomial,
        /// Iterations, where the ends are exact.
        room: Option<&'a Polynomial>,
        /// Inside, of a loop that is not empty.
        facts: &'a [Polynomial],
        /// Outside.
        outer: &'a [Polynomial],
        /// Atoms that must be gone.
        gone: &'a [String],
        /// Whether from above.
        up: bool,
    },
    /// What is no more than any.
    Least {
        /// Of these.
        of: &'a [Polynomial],
        /// Outside.
        facts: &'a [Polynomial],
    },
    /// What bounds a polynomial from above (or below), without some atoms.
    Without {
        /// Which.
        of: &'a Polynomial,
        /// Inside.
        facts: &'a [Polynomial],
        /// Outside: there it is not negative, if that matters.
        outer: &'a [Polynomial],
        /// Atoms that must be gone, the innermost last.
        gone: &'a [String],
        /// Whether from above.
        up: bool,
    },
    /// The weights of a claim, and of a contradiction: see [`crate::claim`].
    Claim(crate::claim::Wanted<'a>),
}

/// Who answers.
pub trait Source {
    /// An answer, which is not believed.
    ///
    /// # Errors
    /// That there is none.
    fn answer(&mut self, question: &Question<'_>) -> Result<Value, Refusal>;
}
