//! A run as a flame: warps and pipelines side by side, their accesses along the time.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Profile;
use crate::machine::{PipelineDiagram, WarpAccess};

/// A warp, or the warp of a block.
type Warp = (Option<u64>, u64);

fn warp(it: &WarpAccess) -> Warp {
    (it.block.map(|it| it.at.block), it.warp)
}

fn name((block, warp): Warp) -> String {
    block.map_or_else(|| format!("W({warp})"), |block| format!("block {block}, W({warp})"))
}

fn pipeline_name(dmm: Option<u64>) -> String {
    dmm.map_or_else(|| "global memory".to_owned(), |dmm| format!("DMM {dmm}"))
}

/// Things in their order, each with a number.
fn numbered<T: Ord + Copy>(all: impl Iterator<Item = T>) -> BTreeMap<T, usize> {
    let sorted: BTreeMap<T, ()> = all.map(|it| (it, ())).collect();
    sorted.into_keys().zip(0..).collect()
}

impl Profile {
    fn diagram(&self) -> PipelineDiagram {
        self.steps.pipeline(|_, _, _| true)
    }

    /// The code of an access's line.
    fn code(&self, access: &WarpAccess) -> &str {
        let span = self.program.sites[self.steps.site(access).0].span;
        let line = self.program.source.line_text(span);
        line.split("//").next().unwrap_or(line).trim()
    }

    fn phase(&self, access: &WarpAccess) -> usize {
        self.program.sites[self.steps.site(access).0].phase.0 as usize
    }

    /// As Chrome's trace events, which Perfetto shows; a time unit is a microsecond. A warp's access lasts until
    /// its last answer is there, a pipeline is busy while stages enter.
    pub fn perfetto(&self) -> Value {
        let diagram = self.diagram();
        let warps = numbered(diagram.accesses.iter().map(warp));
        let pipelines = numbered(diagram.accesses.iter().map(WarpAccess::dmm));
        let named = |kind: &str, process: u64, thread: usize, name: String| json!({ "ph": "M", "name": kind, "pid": process, "tid": thread, "args": { "name": name } });
        let mut events = vec![
            named("process_name", 1, 0, "warps".to_owned()),
            named("process_name", 2, 0, "pipelines".to_owned()),
        ];
        events.extend(warps.iter().map(|(&it, &at)| named("thread_name", 1, at, name(it))));
        events.extend(
            pipelines.iter().map(|(&it, &at)| named("thread_name", 2, at, pipeline_name(it))),
        );
        for it in &diagram.accesses {
            let (start, stages) = (it.start.0 as u64, it.stages.len() as u64);
            let requests = self.steps.requests(&self.program, &self.layout, it);
            let elements: Vec<String> = requests.map(|it| it.element).collect();
            let event = |process: u64, thread: usize, last: u64| {
                json!({
                    "ph": "X", "name": self.code(it), "cat": self.program.phases[self.phase(it)],
                    "pid": process, "tid": thread, "ts": start, "dur": last,
                    "args": { "line": self.line(it.event), "step": it.step, "stages": stages, "asks": elements },
                })
            };
            events.push(event(1, warps[&warp(it)], it.complete().0 as u64 - start));
            events.push(event(2, pipelines[&it.dmm()], stages));
        }
        json!({
            "traceEvents": events,
            "displayTimeUnit": "ms",
            "otherData": { "listing": self.program.name, "time_units": diagram.time.0 as u64 },
        })
    }

    /// As speedscope reads it: a profile for each warp, of lines within phases.
    pub fn speedscope(&self) -> Value {
        let diagram = self.diagram();
        let mut frames: Vec<Value> =
            self.program.phases.iter().map(|it| json!({ "name": format!("phase {it}") })).collect();
        let mut of_line: BTreeMap<usize, usize> = BTreeMap::new();
        let mut by_warp: BTreeMap<Warp, Vec<Value>> = BTreeMap::new();
        for it in &diagram.accesses {
            let line = self.line(it.event);
            let frame = *of_line.entry(line).or_insert_with(|| {
                frames.push(json!({ "name": self.code(it), "file": self.program.source.name, "line": line }));
                frames.len() - 1
            });
            let [start, end] = [it.start, it.complete()].map(|it| it.0 as u64);
            let events = by_warp.entry(warp(it)).or_default();
            for (kind, frame, at) in [
                ("O", self.phase(it), start),
                ("O", frame, start),
                ("C", frame, end),
                ("C", self.phase(it), end),
            ] {
                events.push(json!({ "type": kind, "frame": frame, "at": at }));
            }
        }
        let profiles: Vec<Value> = by_warp
            .into_iter()
            .map(|(it, events)| {
                json!({
                    "type": "evented", "name": name(it), "unit": "none", "startValue": 0,
                    "endValue": diagram.time.0 as u64, "events": events,
                })
            })
            .collect();
        json!({
            "$schema": "https://www.speedscope.app/file-format-schema.json",
            "name": self.program.name,
            "exporter": "umm",
            "shared": { "frames": frames },
            "profiles": profiles,
        })
    }
}
