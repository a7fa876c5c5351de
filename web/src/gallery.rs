//! The shipped listings.

use memory_machine::algorithms::catalogue::{CATALOGUE, Entry, ON_DMMS};
use memory_machine::case::load;
use serde_json::{Value, json};

use crate::case::Wrong;

pub fn gallery() -> Result<Value, Wrong> {
    let listings: Result<Vec<_>, _> = CATALOGUE.iter().chain(ON_DMMS).map(listing).collect();
    Ok(json!(listings?))
}

fn listing(entry: &Entry) -> Result<Value, Wrong> {
    let program = load(entry.name)?;
    Ok(json!({
        "name": entry.name,
        "paper": entry.paper,
        "about": entry.about,
        "text": entry.text,
        "sequential": program.first_parallel_loop().is_none()
            && program.first_loop_on_dmms().is_none(),
        "on_dmms": program.first_loop_on_dmms().is_some(),
    }))
}
