//! What `--set` and its like give parameters.

use std::fmt::{self, Display, Formatter};

use crate::whole_number;

fn named(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok((name.trim().to_owned(), value.to_owned()))
        }
        _ => Err("write NAME=VALUE".to_owned()),
    }
}

/// What `--set` gives a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ParameterValue {
    /// An integer's, or a real number's that is whole.
    Whole(i64),
    Real(f64),
}

impl Display for ParameterValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(it) => it.fmt(f),
            Self::Real(it) => it.fmt(f),
        }
    }
}

pub(crate) fn any_setting(text: &str) -> Result<(String, ParameterValue), String> {
    let (name, value) = named(text)?;
    // A real number has a point or an exponent, and is no whole number as those are written here.
    let is_real = |it: &&str| {
        it.contains(['.', 'e', 'E']) && it.starts_with(|it: char| "+-.0123456789".contains(it))
    };
    let real = Some(&*value).filter(is_real).and_then(|it| it.parse::<f64>().ok());
    match real.filter(|it| it.is_finite() && whole_number::signed(&value).is_err()) {
        Some(real) => Ok((name, ParameterValue::Real(real))),
        None => setting(text).map(|(name, it)| (name, ParameterValue::Whole(it))),
    }
}

pub(crate) fn setting(text: &str) -> Result<(String, i64), String> {
    let (name, value) = named(text)?;
    match whole_number::signed(&value) {
        Ok(value) => Ok((name, value)),
        Err(_) if value.contains('=') => {
            Err("one size for each --set, as in --set n=64 --set m=16".to_owned())
        }
        Err(_) => Err(format!(
            "the value of `{name}` must be a whole number below 2^63, as in {name}=64, 1e6, 2^20 or 64Ki"
        )),
    }
}
