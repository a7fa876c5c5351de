//! Names of other languages as the plain form has them.

use crate::syntax::Role;

/// Words that the plain form keeps for itself; a variable of that name gets a `_` behind it.
const RESERVED: [&str; 38] = [
    "algorithm",
    "function",
    "answer",
    "for",
    "to",
    "downto",
    "step",
    "do",
    "in",
    "parallel",
    "while",
    "if",
    "then",
    "else",
    "and",
    "or",
    "not",
    "mod",
    "xor",
    "min",
    "max",
    "abs",
    "sqrt",
    "true",
    "false",
    "inf",
    "input",
    "output",
    "inout",
    "work",
    "f32",
    "f64",
    "i32",
    "i64",
    "u32",
    "u64",
    "bool",
    "reference",
];

const GREEK: [(&str, &str); 36] = [
    ("α", "alpha"),
    ("β", "beta"),
    ("γ", "gamma"),
    ("δ", "delta"),
    ("ε", "epsilon"),
    ("ϵ", "epsilon"),
    ("ζ", "zeta"),
    ("η", "eta"),
    ("θ", "theta"),
    ("ι", "iota"),
    ("κ", "kappa"),
    ("λ", "lambda"),
    ("μ", "mu"),
    ("ν", "nu"),
    ("ξ", "xi"),
    ("π", "pi"),
    ("ρ", "rho"),
    ("σ", "sigma"),
    ("τ", "tau"),
    ("υ", "upsilon"),
    ("φ", "phi"),
    ("ϕ", "phi"),
    ("χ", "chi"),
    ("ψ", "psi"),
    ("ω", "omega"),
    ("Γ", "Gamma"),
    ("Δ", "Delta"),
    ("Θ", "Theta"),
    ("Λ", "Lambda"),
    ("Ξ", "Xi"),
    ("Π", "Pi"),
    ("Σ", "Sigma"),
    ("Φ", "Phi"),
    ("Ψ", "Psi"),
    ("Ω", "Omega"),
    ("ℓ", "ell"),
];

/// Whether a letter begins or is a name that [`spelled`] can write.
pub(super) fn is_greek(letter: char) -> bool {
    GREEK.iter().any(|it| it.0.starts_with(letter)) && letter != 'π'
}

/// Whether a name is that of a Greek letter.
pub(super) fn is_greek_name(name: &str) -> bool {
    GREEK.iter().any(|it| it.1 == name)
}

/// Whether fields of a record stand behind these words: of a declaration, up to its colon.
pub(super) fn is_of_record<'a>(mut words: impl DoubleEndedIterator<Item = &'a str>) -> bool {
    words.next().is_some_and(|first| Role::ALL.iter().any(|role| role.word() == first))
        && words.next_back() == Some(":")
}

/// A name in letters that names are made of.
pub(super) fn spelled(name: &str) -> String {
    let mut plain = String::new();
    for letter in name.chars() {
        let greek = GREEK.iter().find(|it| it.0.starts_with(letter));
        match greek {
            Some((_, name)) => plain += name,
            None if letter.is_ascii_alphanumeric() || letter == '_' => plain.push(letter),
            None if letter.is_numeric() => {
                let digit = "₀₁₂₃₄₅₆₇₈₉".chars().position(|it| it == letter);
                plain += &digit.map_or_else(|| "_".to_owned(), |it| it.to_string());
            }
            None => plain += &format!("u{:x}_", letter as u32),
        }
    }
    plain
}

/// Whether the plain form keeps a word for itself.
pub(super) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

/// The name and the index of `x_i`, and of `x_prime_i`, which is x′ᵢ.
pub(super) fn subscript(text: &str) -> Option<(&str, &str)> {
    let mut end = text.find('_')?;
    while text[end..].starts_with("_prime") {
        end += "_prime".len();
    }
    Some((&text[..end], text[end..].strip_prefix('_')?))
}
