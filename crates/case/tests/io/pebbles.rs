//! The red and blue pebble game of Hong and Kung, won with fewest moves between the memories by trying all.

use std::collections::{HashMap, VecDeque};

use super::graph::Graph;

/// Which values are in fast memory, which were stored, and which were computed.
type State = [u32; 3];

/// More states than this are not looked at.
const MOST_STATES: usize = 200_000;

/// Words that the best order moves, each operation executed once; `None` if it is not found.
pub fn least(graph: &Graph, fast: usize) -> Option<u64> {
    let count = graph.reads.len();
    let masks: Vec<Option<u32>> = graph
        .reads
        .iter()
        .map(|it| it.as_ref().map(|it| it.iter().fold(0, |mask, it| mask | 1 << it)))
        .collect();
    if masks.iter().flatten().any(|it| it.count_ones() as usize + 1 > fast) {
        return None;
    }
    let made: u32 = (0..count).filter(|it| masks[*it].is_some()).map(|it| 1 << it).sum();
    let results: u32 = (0..count).filter(|it| graph.is_result[*it]).map(|it| 1 << it).sum();
    // A value that is needed no more leaves at once, for nothing.
    let tidy = |[red, blue, done]: State| {
        let mut needed = results & !blue;
        for (at, mask) in masks.iter().enumerate() {
            if let Some(mask) = mask
                && done >> at & 1 == 0
            {
                needed |= mask;
            }
        }
        [red & needed, blue, done]
    };
    let mut costs: HashMap<State, u64> = HashMap::new();
    let mut queue = VecDeque::from([([0, 0, 0], 0)]);
    while let Some((state, cost)) = queue.pop_front() {
        let [red, blue, done] = state;
        if costs.get(&state).is_some_and(|it| *it <= cost) {
            continue;
        }
        if done == made && results & !blue == 0 {
            return Some(cost);
        }
        if costs.len() > MOST_STATES {
            return None;
        }
        costs.insert(state, cost);
        let mut go = |next: State, more: u64| {
            let next = tidy(next);
            let total = cost + more;
            if costs.get(&next).is_none_or(|it| *it > total) {
                if more == 0 {
                    queue.push_front((next, total))
                } else {
                    queue.push_back((next, total))
                }
            }
        };
        let room = (red.count_ones() as usize) < fast;
        for (at, reads) in masks.iter().enumerate() {
            let bit = 1 << at;
            if red & bit != 0 {
                // Leaves; if it is stored, for one word.
                if !room {
                    go([red & !bit, blue, done], 0);
                }
                if blue & bit == 0 && reads.is_some() {
                    go([red, blue | bit, done], 1);
                }
            } else if room {
                let is_there = reads.is_none() || blue & bit != 0;
                if is_there {
                    go([red | bit, blue, done], 1);
                }
                if let Some(mask) = *reads
                    && done & bit == 0
                    && red & mask == mask
                {
                    go([red | bit, blue, done | bit], 0);
                }
            }
        }
    }
    None
}
