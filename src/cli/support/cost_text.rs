//! What machines that are no memory machines say, as people and tables read it.

use super::numbers::grouped;
use crate::cost::{CostMachine, Value};

/// The machine and its parameters, in a line.
pub(crate) fn describe(machine: &CostMachine) -> String {
    let mut text = machine.kind().name().to_owned();
    for (name, value) in machine.parameters() {
        text += &format!("  {name} = {value}");
    }
    text
}

/// A value as people read it.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::Count(count) => grouped(*count),
        Value::Number(number) if *number != 0.0 && number.abs() < 1e-3 => format!("{number:.3e}"),
        Value::Number(number) => format!("{number:.3}"),
        other => other.to_string(),
    }
}
