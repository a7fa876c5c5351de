//! How a listing became code, in words: what `umm cuda --explain` prints.

use super::barriers::Barriers;
use super::emitter::Emitter;
use super::iteration_order::IterationOrder;
use super::tiles::Tile;
use super::{BULK_BLOCK, COOPERATIVE_BLOCK, Launch, LaunchGrid};
use memory_machine_core::language::program::Statement;
use memory_machine_core::units::WARP;

impl Emitter<'_> {
    /// Of the kernel of a parallel loop.
    pub(super) fn choices(
        &self,
        source: &Statement,
        grid: LaunchGrid,
        threads: u32,
    ) -> Vec<String> {
        let ranges = source.ranges();
        let mut choices = vec![match grid {
            _ if self.options.launch == Launch::Cooperative => {
                "grid: all threads of the cooperative kernel share the iterations".to_owned()
            }
            LaunchGrid::Program => String::new(),
            LaunchGrid::Threads(1) => {
                format!("grid: a thread for each iteration, blocks of {threads}")
            }
            LaunchGrid::Threads(each) => format!(
                "grid: a thread for each {each} neighbouring iterations, blocks of {threads}; their \
                 words are accessed 16 bytes at a time"
            ),
            LaunchGrid::Tiles(Tile { blocks, .. }) => format!(
                "grid: {blocks} blocks of {threads} threads, tiles of 32 x 8 over the innermost two \
                 loops, whose neighbouring rows are read once"
            ),
            LaunchGrid::Blocks => {
                format!("grid: a block of {threads} threads for each of the listing's")
            }
        }];
        if !matches!(grid, LaunchGrid::Tiles(_)) && ranges.len() > 1 {
            choices.push(match IterationOrder::of(ranges) {
                IterationOrder::Box => {
                    "numbering: by division; no loop's length depends on another".to_owned()
                }
                IterationOrder::Rows(_) => {
                    "numbering: rows differ in length; a closed sum and a binary search".to_owned()
                }
                IterationOrder::Walk => {
                    "numbering: rows differ in length, without a formula; they are counted"
                        .to_owned()
                }
            });
        }
        choices.push(self.index_chosen());
        if let Statement::Blocks(blocks) = source {
            let size = &self.sizes[blocks.id.0];
            choices.push(size.described());
            let barriers = Barriers::of(self.program, blocks);
            let (count, reasons) = barriers.summary();
            let what = if u64::from(threads) <= WARP { "of the warp" } else { "of the block" };
            choices.push(match count {
                0 => "barriers: none, since no thread needs what another writes".to_owned(),
                _ => format!("barriers {what}: {count} in the text ({})", reasons.join("; ")),
            });
        }
        choices
    }

    /// Of the kernel of a whole program.
    pub(super) fn choices_of_program(&self) -> Vec<String> {
        let grid = match (self.options.bulk, self.options.launch) {
            (Some(_), _) => format!("grid: a thread for each input, blocks of {BULK_BLOCK}"),
            (None, Launch::Cooperative) => format!(
                "grid: as many blocks of {COOPERATIVE_BLOCK} threads as are resident, with barriers \
                 of the whole grid"
            ),
            (None, _) => "grid: one thread; the listing has no parallel loop".to_owned(),
        };
        vec![grid, self.index_chosen()]
    }

    fn index_chosen(&self) -> String {
        if self.index == "int" {
            return "places: 32 bits, since with these sizes all of them fit".to_owned();
        }
        let why = match self.constants.iter().all(Option::is_some) {
            _ if self.options.bulk.is_some() => "the number of inputs is not known",
            true => "with these sizes 32 may not do",
            false => "sizes are not known; give them with --set",
        };
        format!("places: 64 bits; {why}")
    }
}
