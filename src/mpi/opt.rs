//! Optimal triangulation over ranks, each with some of the table's columns.

use mpi::request::multiple_scope;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Root, Source};

use super::World;
use crate::algorithms::opt::Weight;
use crate::algorithms::opt::share::Shares;

impl<T: Weight> Shares<T> for World {
    fn number(&self) -> usize {
        self.rank()
    }

    fn of(&self) -> usize {
        self.size()
    }

    fn pass(&mut self, rows: &[&[T]], room: &mut [&mut [T]]) {
        let (world, of) = (self.0.world(), self.size());
        let rank = |number: usize| world.process_at_rank((number % of) as i32);
        let (next, before) = (rank(self.rank() + 1), rank(self.rank() + of - 1));
        multiple_scope(rows.len(), |scope, under_way| {
            for &row in rows {
                let bytes: &[u8] = bytemuck::cast_slice(row);
                under_way.add(next.immediate_send(scope, bytes));
            }
            for row in room {
                let bytes: &mut [u8] = bytemuck::cast_slice_mut(row);
                before.receive_into(bytes);
            }
            under_way.wait_all(&mut vec![]);
        });
    }

    fn spread(&mut self, from: usize, cells: &mut [T]) {
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(cells);
        self.0.world().process_at_rank(from as i32).broadcast_into(bytes);
    }

    fn gather(&mut self, (cell, number): (T, u64)) -> Vec<(T, u64)> {
        let size = size_of::<T>() + size_of::<u64>();
        let mine = [bytemuck::bytes_of(&cell), bytemuck::bytes_of(&number)].concat();
        let mut all = vec![0_u8; size * self.size()];
        self.0.world().all_gather_into(&mine[..], &mut all[..]);
        let read = |bytes: &[u8]| {
            let (cell, number) = bytes.split_at(size_of::<T>());
            (bytemuck::pod_read_unaligned(cell), bytemuck::pod_read_unaligned(number))
        };
        all.chunks_exact(size).map(read).collect()
    }
}
