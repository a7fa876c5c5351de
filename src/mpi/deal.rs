//! Numbered pieces of work, dealt to ranks as they become idle: rank 0 deals, the others work.

use std::cell::Cell;
use std::thread::sleep;
use std::time::Duration;

use mpi::traits::{Communicator, Destination, Source};

use super::World;

/// In place of a number: a rank that has done nothing yet; work that is over.
const NONE: u64 = u64::MAX;

/// Between two looks at what ranks have answered: rank 0 leaves its core to them.
const PAUSE: Duration = Duration::from_micros(200);

/// What a rank made of a piece.
pub enum PieceResult {
    /// It is done: the result.
    Done(Vec<u8>),
    /// It cannot be done.
    Failed,
}

/// Deals to the ranks of a world that call [`work`]; dropped, it sends them home.
pub struct WorkDealer<'a> {
    world: &'a World,
    /// Ranks that have not been sent home.
    there: Cell<usize>,
}

impl<'a> WorkDealer<'a> {
    /// Of rank 0.
    pub fn new(world: &'a World) -> Self {
        Self { world, there: Cell::new(world.size() - 1) }
    }

    /// Deals pieces in their order, and hands every answer to `take` as it comes. Ends at the first
    /// error of `take`.
    ///
    /// # Errors
    /// That of `take`.
    pub fn deal<E>(
        &self,
        pieces: impl IntoIterator<Item = usize>,
        mut take: impl FnMut(usize, PieceResult) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut pieces = pieces.into_iter();
        while self.there.get() > 0 {
            let (rank, piece, answer) = self.next();
            // A rank goes home before its answer is looked at: no error keeps it.
            let taken = if piece == NONE { Ok(()) } else { take(piece as usize, answer) };
            let next = if taken.is_ok() { pieces.next() } else { None };
            self.send(rank, next);
            taken?;
        }
        Ok(())
    }

    /// The next rank that is idle, and what it has done.
    fn next(&self) -> (i32, u64, PieceResult) {
        let world = self.world.0.world();
        let any = world.any_process();
        while any.immediate_probe().is_none() {
            sleep(PAUSE);
        }
        let (message, status) = any.receive_vec::<u8>();
        let (piece, rest) = message.split_at(8);
        let piece = u64::from_le_bytes(piece.try_into().unwrap_or([0xff; 8]));
        let answer = match rest {
            [1, result @ ..] => PieceResult::Done(result.to_vec()),
            _ => PieceResult::Failed,
        };
        (status.source_rank(), piece, answer)
    }

    fn send(&self, rank: i32, piece: Option<usize>) {
        let piece = piece.map_or(NONE, |it| it as u64);
        if piece == NONE {
            self.there.set(self.there.get() - 1);
        }
        self.world.0.world().process_at_rank(rank).send(&piece);
    }
}

impl Drop for WorkDealer<'_> {
    fn drop(&mut self) {
        while self.there.get() > 0 {
            let (rank, ..) = self.next();
            self.send(rank, None);
        }
    }
}

/// Does pieces until rank 0 has no more: for all other ranks.
pub fn work(world: &World, mut one: impl FnMut(usize) -> PieceResult) {
    let world = world.0.world();
    let dealer = world.process_at_rank(0);
    let mut message = NONE.to_le_bytes().to_vec();
    loop {
        dealer.send(&message[..]);
        let (piece, _) = dealer.receive::<u64>();
        if piece == NONE {
            return;
        }
        message = piece.to_le_bytes().to_vec();
        match one(piece as usize) {
            PieceResult::Done(result) => {
                message.push(1);
                message.extend(result);
            }
            PieceResult::Failed => message.push(0),
        }
    }
}
