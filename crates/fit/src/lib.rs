//! Times to formulas: coefficients of given terms; and what a formula says of growth.

pub mod expression;
pub mod least_squares;
pub mod line;
mod non_negative;
pub mod product;
mod syntax_tree;

pub use self::expression::Expression;
pub use self::least_squares::{Coefficient, Fit, FitError, fit};
pub use self::line::{FittedLine, line};
pub use self::product::{Factor, FactorKind, Product};
