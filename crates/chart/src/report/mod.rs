//! What a folder of measurements says: fits, and a page with its tables and charts.

mod exclusions;
pub mod fidelity;
mod findings;
pub mod fits;
mod greedy;
mod hull;
mod machine;
mod opt;
mod page;
mod prose;
mod section;
mod table;
mod times;

pub use self::fidelity::FidelityTables;
pub use self::page::{ReportError, page};
