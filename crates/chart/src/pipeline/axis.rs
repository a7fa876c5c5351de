//! Time units as columns; where many would look alike, one column stands for them all.

use std::collections::BTreeSet;

use memory_machine_core::machine::{PipelineDiagram, WarpAccess};

/// Up to this number of time units, each has its column.
const ALL: u128 = 40;

/// One or more time units, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    Unit(u128),
    /// Time units in which nothing enters the pipeline and nothing leaves it.
    Skipped,
}

/// Accesses drawn below one axis.
pub(super) struct Panel<'a> {
    /// Pipeline by pipeline, in the order of dispatch: global memory's, then each DMM's.
    pub accesses: Vec<&'a WarpAccess>,
    pub columns: Vec<Column>,
}

/// A short run has one axis. A long one has a new axis wherever the pipelines have run empty.
pub(super) fn panels(pipeline: &PipelineDiagram) -> Vec<Panel<'_>> {
    let mut panels = Vec::new();
    let begin = pipeline.accesses.iter().map(|it| it.start.0).min().unwrap_or(0);
    let end = pipeline.accesses.iter().map(|it| it.complete().0).max().unwrap_or(0);
    let mut rest = &pipeline.accesses[..];
    while !rest.is_empty() {
        let mut complete = 0;
        let drained = |access: &WarpAccess| {
            let drained = complete > 0 && access.start.0 >= complete;
            complete = complete.max(access.complete().0);
            drained
        };
        let end = if end - begin <= ALL { None } else { rest.iter().position(drained) };
        let (accesses, later) = rest.split_at(end.unwrap_or(rest.len()));
        let columns = columns(accesses);
        let mut accesses: Vec<&WarpAccess> = accesses.iter().collect();
        accesses.sort_by_key(|it| it.dmm());
        panels.push(Panel { accesses, columns });
        rest = later;
    }
    panels
}

fn columns(accesses: &[WarpAccess]) -> Vec<Column> {
    let mut changes = BTreeSet::new();
    for access in accesses {
        let latency = u128::from(access.memory.latency.get());
        for i in 0..access.stages.len() as u128 {
            let entered = access.start.0 + i + 1;
            changes.extend([entered, entered + latency - 1]);
        }
    }
    let (Some(&first), Some(&last)) = (changes.first(), changes.last()) else { return Vec::new() };
    if last - first < ALL {
        return (first..=last).map(Column::Unit).collect();
    }
    let shown: BTreeSet<u128> = (changes.iter())
        .flat_map(|&change| change - 1..=change + 1)
        .filter(|unit| (first..=last).contains(unit))
        .collect();
    let mut columns = Vec::new();
    let mut next = first;
    for unit in shown {
        match unit - next {
            0 => {}
            1 => columns.push(Column::Unit(next)),
            _ => columns.push(Column::Skipped),
        }
        columns.push(Column::Unit(unit));
        next = unit + 1;
    }
    columns
}

/// What a column shows of requests in the pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cell {
    Outside,
    /// In this stage, from 1.
    Stage(u128),
    /// In several stages, one after the other.
    Moving,
}

/// The cells of requests that are in stage 1 in time unit `entered`.
pub(super) fn cells(columns: &[Column], entered: u128, latency: u128) -> Vec<Cell> {
    let stage = |column: &Column| match *column {
        Column::Unit(unit) if (entered..entered + latency).contains(&unit) => {
            Cell::Stage(unit - entered + 1)
        }
        _ => Cell::Outside,
    };
    let mut cells: Vec<Cell> = columns.iter().map(stage).collect();
    for at in 1..cells.len().saturating_sub(1) {
        // Nothing enters or leaves in a skipped column, so both sides are in the pipeline or none.
        if columns[at] == Column::Skipped
            && let (Cell::Stage(before), Cell::Stage(after)) = (cells[at - 1], cells[at + 1])
            && before < after
        {
            cells[at] = Cell::Moving;
        }
    }
    cells
}
