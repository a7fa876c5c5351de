//! Times to formulas: coefficients of given terms, and whether a bound's growth fits.

pub mod expression;
pub mod least_squares;
pub mod line;
mod non_negative;
pub mod trend;

pub use self::expression::Expression;
pub use self::least_squares::{Coefficient, Fit, FitError, fit};
pub use self::line::{Line, line};
pub use self::trend::{Trend, Verdict, trend};
