//! The roofline: a phase takes as long as its operations at the peak of their kind, or its bytes at the
//! bandwidth of memory, whichever is longer (Williams, Waterman, Patterson 2009).

use super::{Cost, CostModel, CostTable, CountedLoop, Event, Value};
use crate::language::program::Program;
use crate::run::Operation;
use crate::run::byte_places::bytes_of;
use crate::run::layout::Layout;

/// Bytes of a sector, the least that memory moves.
const SECTOR: u64 = 32;

/// What a device does at most.
#[derive(Debug, Clone, PartialEq)]
pub struct Device {
    /// As people call it.
    pub name: String,
    /// Operations of a kind a second.
    pub peaks: Vec<(Operation, f64)>,
    /// Bytes a second.
    pub bandwidth: f64,
}

impl Device {
    pub(super) fn parameters(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("device", Value::Text(self.name.clone())),
            ("bandwidth_bytes_per_s", self.bandwidth.into()),
        ]
    }

    fn peak(&self, kind: Operation) -> f64 {
        self.peaks.iter().find(|it| it.0 == kind).map_or(f64::INFINITY, |it| it.1)
    }
}

/// What a phase did.
#[derive(Default)]
struct PhaseWork {
    /// By kind.
    operations: [u128; Operation::ALL.len()],
    /// A bit for each sector that was touched.
    sectors: Vec<u64>,
}

impl PhaseWork {
    fn bytes(&self) -> u128 {
        u128::from(SECTOR) * self.sectors.iter().map(|it| u128::from(it.count_ones())).sum::<u128>()
    }

    fn operations(&self) -> u128 {
        self.operations.iter().sum()
    }

    /// Seconds of operations, those of the kind that takes longest, and of bytes.
    fn seconds(&self, device: &Device) -> [f64; 2] {
        let of_kind = Operation::ALL
            .iter()
            .zip(self.operations)
            .map(|(&kind, count)| if count == 0 { 0.0 } else { count as f64 / device.peak(kind) });
        [of_kind.fold(0.0, f64::max), self.bytes() as f64 / device.bandwidth]
    }
}

pub(super) struct Roofline<'a> {
    program: &'a Program,
    device: Device,
    /// By array: the address of its first word, its first byte, and the bytes of an element.
    places: Vec<(u64, u64, u64)>,
    phases: Vec<PhaseWork>,
}

impl<'a> Roofline<'a> {
    pub(super) fn new(program: &'a Program, layout: &Layout, device: Device) -> Self {
        let mut end = 0_u64;
        let places = program.arrays.iter().zip(&layout.regions).map(|(array, region)| {
            let width = bytes_of(array.element);
            let first = end.next_multiple_of(SECTOR);
            end = first + region.words * width;
            (region.base.0, first, width)
        });
        let places = places.collect();
        let phases = program.phases.iter().map(|_| PhaseWork::default()).collect();
        Self { program, device, places, phases }
    }
}

impl PhaseWork {
    /// Sectors up to this one are touched.
    fn touch(&mut self, from: u64, to: u64) {
        let words = (to / 64) as usize;
        if words >= self.sectors.len() {
            self.sectors.resize((words + 1).next_power_of_two(), 0);
        }
        let mut sector = from;
        while sector <= to {
            let (word, bit) = ((sector / 64) as usize, sector % 64);
            let count = (to - sector + 1).min(64 - bit);
            self.sectors[word] |= (u64::MAX >> (64 - count)) << bit;
            sector += count;
        }
    }
}

impl CostModel for Roofline<'_> {
    fn counted(&mut self, it: &CountedLoop<'_>) -> bool {
        let (places, phases) = (&self.places, &mut self.phases);
        let is_known = it.footprint.visit(1, 1, &mut |touch| {
            let (_, first, width) = places[touch.array];
            let phase = &mut phases[touch.phase.0 as usize];
            let sector =
                |number: u64| (first + (touch.cell + number * touch.stride) * width) / SECTOR;
            if touch.stride * width <= SECTOR {
                phase.touch(sector(0), sector(touch.count - 1));
            } else {
                (0..touch.count).map(sector).for_each(|it| phase.touch(it, it));
            }
        });
        for (evaluation, count) in it.operations.iter().filter(|_| is_known) {
            if let Some(phase) = self.phases.get_mut(evaluation.phase.0 as usize) {
                phase.operations[evaluation.kind as usize] += count;
            }
        }
        is_known
    }

    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Access(accesses, site) => {
                let (base, first, width) = self.places[site.array.0];
                let sectors = &mut self.phases[site.phase.0 as usize].sectors;
                accesses.active.for_each(|lane| {
                    // An element is aligned to its own width, so that it lies in one sector.
                    let sector = (first + (accesses.addresses[lane] - base) * width) / SECTOR;
                    let (word, bit) = ((sector / 64) as usize, sector % 64);
                    if word >= sectors.len() {
                        sectors.resize((word + 1).next_power_of_two(), 0);
                    }
                    sectors[word] |= 1 << bit;
                });
            }
            Event::Operation(evaluation, active) => {
                if let Some(phase) = self.phases.get_mut(evaluation.phase.0 as usize) {
                    phase.operations[evaluation.kind as usize] += active.count() as u128;
                }
            }
            _ => {}
        }
    }

    fn cost(self: Box<Self>) -> Cost {
        let seconds: Vec<[f64; 2]> =
            self.phases.iter().map(|it| it.seconds(&self.device)).collect();
        let time: f64 = seconds.iter().map(|it| it[0].max(it[1])).sum();
        let operations: u128 = self.phases.iter().map(PhaseWork::operations).sum();
        let bytes: u128 = self.phases.iter().map(PhaseWork::bytes).sum();
        let intensity = if bytes == 0 { 0.0 } else { operations as f64 / bytes as f64 };
        let row = |((name, phase), &[compute, memory]): ((&String, &PhaseWork), &[f64; 2])| {
            let roof = if compute > memory { "operations" } else { "bytes" };
            vec![
                Value::Text(name.clone()),
                phase.operations().into(),
                phase.bytes().into(),
                compute.max(memory).into(),
                Value::Text(roof.to_owned()),
            ]
        };
        let rows = self.program.phases.iter().zip(&self.phases).zip(&seconds).map(row).collect();
        let columns = vec!["name", "operations", "bytes", "time_s", "roof"];
        let cost = Cost::default()
            .with("time_s", "seconds at least", time)
            .with("operations", "operations", operations)
            .with("bytes", "bytes of sectors", bytes)
            .with("intensity", "operations a byte", intensity);
        Cost { table: Some(CostTable { key: "phases", columns, rows }), ..cost }
    }
}
