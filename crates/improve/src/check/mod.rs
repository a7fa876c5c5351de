//! Certificates, and whether they prove what they say. Nothing here knows how a step was found: the
//! checker reads two listings and the data beside them, and imports the language alone.

pub(crate) mod bands;
mod certificate;
pub(crate) mod columns;
mod copies;
mod correspondence;
mod definition;
mod dependence;
pub(crate) mod elision;
mod expression;
mod leaves;
mod matching;
mod operation;
mod order;
mod part;
mod promotion;
pub(crate) mod reduction;
pub(crate) mod scan;
mod schedule;
mod speculation;
pub(crate) mod stencil;
pub(crate) mod substitution;
pub(crate) mod swizzle;
pub(crate) mod team;
pub(crate) mod time_tiles;
pub(crate) mod unrolling;

use memory_machine_core::diagnostic::Source;
use memory_machine_core::keyword::Keyword;
use memory_machine_core::language;
use memory_machine_core::language::program::Program;
use memory_machine_core::run::layout::Arrangement;

pub use self::certificate::{
    Bands, Certificate, Columns, Copies, Diagonal, Elision, Linear, Promotion, Proof, Reduction,
    Refusal, Scan, Schedule, Speculation, Substitution, Swizzle, Team, TimeTiles, Unrolling,
};

/// Checks a certificate: whether the listing after the step computes what the one before it does, bit by
/// bit, for all sizes and inputs.
///
/// # Errors
/// What it does not show.
pub fn verify(certificate: &Certificate) -> Result<(), Refusal> {
    let load = |name: &str, text: &str| {
        let source = Source { name: name.to_owned(), text: text.to_owned() };
        language::load(source).map_err(|it| {
            let message = it.diagnostic.message.to_string();
            Refusal::new(format!("the listing {name} the step is none: {message}"))
        })
    };
    let before = load("before", &certificate.before)?;
    let after = load("after", &certificate.after)?;
    if before.first_atomic().or_else(|| after.first_atomic()).is_some() {
        return Err(Refusal::new("the order of atomics is not known"));
    }
    if before.first_fork().or_else(|| after.first_fork()).is_some() {
        return Err(Refusal::new("of calls in parallel no step is proved"));
    }
    if before.first_warp_word().or_else(|| after.first_warp_word()).is_some() {
        return Err(Refusal::new("of what threads of a warp give each other no step is proved"));
    }
    if before.first_vector().or_else(|| after.first_vector()).is_some() {
        return Err(Refusal::new("of accesses of several neighbours no step is proved"));
    }
    // A swizzle comes last; several arrays may lie column by column.
    let (before_has, after_has) = (before.first_layout().is_some(), after.first_layout().is_some());
    let may = match certificate.proof {
        Proof::Swizzle(_) => !before_has,
        Proof::Columns(_) => true,
        _ => !before_has && !after_has,
    };
    if !may {
        return Err(Refusal::new("of arrays with a layout no step is proved"));
    }
    if before.is_unfolded || after.is_unfolded {
        return Err(Refusal::new("a procedure calls itself"));
    }
    if before.name != after.name || before.listing.clauses != after.listing.clauses {
        // Spans differ where lines move; words may not.
        let words = |it: &Program| {
            let head = it.listing.to_string();
            let clause = |line: &&str| line.starts_with("ensures") || line.starts_with("reference");
            head.lines().filter(clause).map(str::to_owned).collect::<Vec<_>>()
        };
        if before.name != after.name || words(&before) != words(&after) {
            return Err(Refusal::new("the head of the listing is not the same"));
        }
    }
    match &certificate.proof {
        Proof::Schedule(it) => schedule::verify(&before, &after, it),
        Proof::Reduction(it) => reduction::verify(&before, &after, it),
        Proof::Scan(it) => scan::verify(&before, &after, it),
        Proof::Bands(it) => bands::verify(&before, &after, it),
        Proof::TimeTiles(it) => time_tiles::verify(&before, &after, it),
        Proof::Swizzle(it) => swizzle::verify(&before, &after, it),
        Proof::Columns(it) => columns::verify(&before, &after, it),
        Proof::Diagonal(it) => swizzle::verify_diagonal(&before, &after, it),
        Proof::Unrolling(it) => unrolling::verify(&before, &after, it),
        Proof::Substitution(it) => substitution::verify(&before, &after, it),
        Proof::Team(it) => team::verify(&before, &after, it),
        Proof::Elision(it) => elision::verify(&before, &after, it),
        Proof::Promotion(it) => promotion::verify(&before, &after, it),
        Proof::Speculation(it) => speculation::verify(&before, &after, it),
        Proof::Copies(it) => copies::verify(&before, &after, it),
        Proof::Arrangement { from, to } => {
            let is_known = |it: &String| Arrangement::WORDS.iter().any(|word| word.1 == *it);
            if certificate.before != certificate.after {
                return Err(Refusal::new("the listing changes"));
            }
            if !is_known(from) || !is_known(to) {
                return Err(Refusal::new("there is no such arrangement"));
            }
            // Each is a bijection from cells of inputs to words.
            Ok(())
        }
    }
}
