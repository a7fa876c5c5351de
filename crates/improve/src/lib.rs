//! From the listing that a person writes to one that takes less time, each step proved.
//!
//! - [`transform`] proposes steps: listings that may compute the same;
//! - [`check`] decides whether they do, and imports nothing of the search;
//! - [`time`] is what the search makes less: the exact time on a machine, counted;
//! - [`oracle`] runs listings against each other on random inputs, besides;
//! - [`search`] finds a ladder of steps, and [`memo`] is what it need not find out again.

pub mod check;
mod integers;
mod ladder;
pub mod memo;
pub mod oracle;
pub mod search;
pub mod time;
pub mod transform;
