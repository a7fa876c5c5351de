//! Rows of random small runs.

use memory_machine::chart::{Theme, pipeline};
use memory_machine::machine::{Dispatch, Mode, Recorder, TooLarge, schedule, time};
use memory_machine::trace::Event;
use proptest::prelude::*;

use crate::machine::oracle;
use crate::machine::traces::{machine, trace};

/// Numbers in `attribute="…"`, for all elements of the picture.
fn numbers<'a>(svg: &'a str, attribute: &str) -> impl Iterator<Item = f64> + 'a {
    let start = format!(" {attribute}=\"");
    let values: Vec<&str> =
        svg.split(start.as_str()).skip(1).filter_map(|rest| rest.split('"').next()).collect();
    values.into_iter().filter_map(|number| number.parse().ok())
}

proptest! {
    #![proptest_config(crate::cases(1_024))]

    #[test]
    fn rows_are_the_schedule_spelled_out(
        machine in machine(),
        mut trace in trace(),
        events in 1_usize..6,
        asynchronous: bool,
    ) {
        trace.events.truncate(events);
        let mode = if asynchronous { Mode::Async } else { Mode::Sync };
        let counts = time(machine, mode, &trace);
        let mut recorder = Recorder::new(machine, trace.threads);
        trace.replay(&mut recorder);
        let pipeline = match recorder.finish(mode) {
            Ok(pipeline) => pipeline,
            Err(refused) => {
                prop_assert_eq!(refused, TooLarge::Stages(counts.stages));
                return Ok(());
            }
        };
        prop_assert_eq!(pipeline.time, counts.time_units);

        let steps: Vec<usize> = (0..trace.events.len())
            .filter(|&event| matches!(trace.events[event], Event::Step(_)))
            .collect();
        let dispatches: Vec<Dispatch> = (pipeline.accesses.iter())
            .map(|access| Dispatch {
                warp: access.warp,
                step: steps[access.step - 1],
                start: access.start,
                stages: access.stages.len() as u64,
                block: access.block,
            })
            .collect();
        prop_assert_eq!(&dispatches, &schedule(machine, mode, &trace));

        // Every address is in exactly one stage.
        let width = machine.width.get() as usize;
        for (access, dispatch) in pipeline.accesses.iter().zip(dispatches) {
            let Event::Step(step) = &trace.events[dispatch.step] else { unreachable!() };
            let all = oracle::addresses(step, trace.threads.get() as usize);
            let of_warp = all.chunks(width).nth(access.warp as usize).unwrap();
            let mut asked: Vec<u64> = of_warp.iter().flatten().copied().collect();
            asked.sort_unstable();
            asked.dedup();
            let mut held: Vec<u64> = access.stages.iter().flatten().map(|it| it.0).collect();
            held.sort_unstable();
            prop_assert_eq!(held, asked);
        }

        if let Ok(text) = pipeline::text(&pipeline, None) {
            // Sentences below the picture may be longer.
            let grid = text.lines().filter(|line| line.starts_with([' ', 't']));
            prop_assert!(grid.clone().all(|line| line.chars().count() <= 200));
        }
        let svg = pipeline::scene(&pipeline, Theme::Light).svg();
        let [width, height] = ["width", "height"].map(|it| numbers(&svg, it).next().unwrap());
        prop_assert!(numbers(&svg, "x").all(|x| (0.0..width).contains(&x)));
        prop_assert!(numbers(&svg, "y").all(|y| (0.0..height).contains(&y)));
    }
}
