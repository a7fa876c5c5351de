//! Exercises of the library's bank, as the page asks for them.

use memory_machine::grade::bank::{self, Exercise, ExerciseKind, Item};
use memory_machine::keyword::Keyword;
use serde_json::{Value, json};

use crate::case::Wrong;

fn value(item: &Item, seed: u64, exercise: &Exercise) -> Value {
    let mut value = json!(exercise);
    value["item"] = item.name().into();
    value["kind"] = item.kind().word().into();
    value["seed"] = seed.to_string().into();
    value["is_listing"] = exercise.asks_for_a_listing().into();
    value
}

pub fn sheet(seed: u64, number: usize, kind: Option<String>) -> Result<Vec<Value>, Wrong> {
    let kind = kind.map(|it| ExerciseKind::from_keyword(&it)).transpose();
    let kind = kind.map_err(|error| Wrong::message(error.to_string()))?;
    let sheet = bank::sheet(kind, seed, number).map_err(Wrong::message)?;
    Ok(sheet.iter().map(|(item, exercise)| value(item, seed, exercise)).collect())
}

pub fn course(seed: u64, items: &[String]) -> Result<Vec<Value>, Wrong> {
    let pose = |name: &String| {
        let item = bank::find(name)?;
        Ok::<_, String>(value(&item, seed, &item.pose(seed)?))
    };
    items.iter().map(pose).collect::<Result<_, String>>().map_err(Wrong::message)
}

/// What is wrong with an answer; null where it is right.
pub fn mark(item: &str, seed: &str, answer: &str) -> Result<Option<String>, Wrong> {
    let posed = bank::find(item).and_then(|it| {
        let seed = seed.parse().map_err(|_| format!("`{seed}` is no seed"))?;
        it.pose(seed)
    });
    Ok(posed.map_err(Wrong::message)?.judge(answer))
}
