//! The shipped listings.

use memory_machine::algorithms::catalogue::{CATALOGUE, Entry, ON_DMMS};
use serde_json::{Value, json};

/// As they are printed: each is checked when it is chosen, so that the page is there at once.
pub fn gallery() -> Vec<Value> {
    let of = |on_dmms: bool| {
        move |it: &Entry| {
            json!({
                "name": it.name, "topic": it.topic, "source": it.source(), "about": it.about,
                "text": it.text, "on_dmms": on_dmms,
            })
        }
    };
    CATALOGUE.iter().map(of(false)).chain(ON_DMMS.iter().map(of(true))).collect()
}
