//! What a module's `__constant__`s are given.

use super::argument::{ArgumentSource, ArrayBytes};
use super::element::Element;
use super::parameter_values::{Device, GivenBytes, parse};
use super::part::{Part, split_name};
use super::plan::{Given, GivenValue, Plan};
use super::signature::{Parameter, ParameterType};
use memory_machine_sass::Module;
use memory_machine_sass::launch::Image;

/// Sets them; what parts of them are given.
pub(super) fn set_constants(
    module: &Module,
    image: &mut Image,
    plan: &Plan,
    device: &mut Device<'_>,
) -> Result<Vec<Given>, String> {
    let mut all = vec![];
    for it in &plan.constants {
        let fail = |why: String| format!("--constant {}: {why}", it.name);
        let (name, behind) = split_name(&it.name);
        let found = module.constant(name).ok_or_else(|| {
            let known: Vec<&str> = module.named_constants().iter().map(|it| &*it.name).collect();
            fail(match known.is_empty() {
                true => "there is no `__constant__`".to_owned(),
                false => format!("there is no such `__constant__`; there are {}", known.join(", ")),
            })
        })?;
        let is_it =
            |of: &&Parameter| of.name.as_ref().is_some_and(|it| it == name || *it == found.name);
        let typed = plan.constant_types.iter().find(is_it);
        let typed = typed.filter(|it| it.bytes() <= found.bytes);
        let whole = Part {
            name: name.to_owned(),
            place: name.to_owned(),
            offset: 0,
            begin: 0,
            bytes: found.bytes,
            of: typed.map_or(ParameterType::Other, |it| it.of),
            members: typed.map_or(&[], |it| &it.members),
            alignment: 1,
        };
        let part = whole.at(behind, &it.source).map_err(fail)?;
        let (value, bytes) = match (behind, &it.source) {
            ("", source) if is_plain(&part) => beginning(typed, source, device.seed),
            (_, source) => device.give(&part, source, device.seed),
        }
        .map_err(fail)?;
        if !image.set_constant(module, name, part.offset, &bytes) {
            return Err(fail(format!("is {} bytes, and there are {}", bytes.len(), found.bytes)));
        }
        all.push(Given { name: part.name.clone(), place: part.place.clone(), value });
    }
    Ok(all)
}

/// Whether it is one number, several of one type, or not known.
fn is_plain(part: &Part<'_>) -> bool {
    let is_one = |of: ParameterType| part.members.iter().all(|it| it.of == of);
    match (part.of, part.members.first()) {
        (ParameterType::Other, Some(first)) => {
            matches!(first.of, ParameterType::Number(_)) && is_one(first.of)
        }
        (of, _) => matches!(of, ParameterType::Number(_) | ParameterType::Other),
    }
}

/// Numbers of one type, of which there may be fewer than the constant has.
fn beginning(
    typed: Option<&Parameter>,
    source: &ArgumentSource,
    seed: u64,
) -> Result<GivenBytes, String> {
    let typed: Option<Element> =
        typed.and_then(|it| match it.members.first().map_or(it.of, |it| it.of) {
            ParameterType::Number(of) => Some(of),
            _ => None,
        });
    let bytes = match source {
        ArgumentSource::Numbers(of, texts) => {
            let of = of.or(typed).ok_or("say its type, as in f32:1,2,3")?;
            let mut bytes = vec![];
            for text in texts {
                bytes.extend_from_slice(&parse(of, text)?.to_le_bytes()[..of.bytes()]);
            }
            bytes
        }
        ArgumentSource::Bytes(bytes) => bytes.clone(),
        source => ArrayBytes::of(source, typed, seed)?.bytes,
    };
    Ok((GivenValue::Value(bytes.clone()), bytes))
}
