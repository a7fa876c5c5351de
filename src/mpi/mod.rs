//! Processes of MPI that do one thing together: its ranks, on one machine or on many.

mod deal;
mod greedy;
mod opt;

use std::env;

use mpi::environment::Universe;
use mpi::traits::{Communicator, CommunicatorCollectives};

pub use deal::{PieceResult, WorkDealer, work};
pub use greedy::{greedy, greedy_in_cells};

/// All ranks. Dropped, this one takes its leave of the others.
pub struct World(Universe);

/// What Open MPI, MPICH and Slurm tell the processes that they start.
const LAUNCHERS: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"];

fn is_launched() -> bool {
    LAUNCHERS.iter().any(|it| env::var_os(it).is_some())
}

/// Another rank has failed, and says so.
#[derive(Debug)]
pub struct RankFailure;

impl World {
    /// The ranks that `mpirun` or the like has started; `None` for a process of its own.
    ///
    /// # Errors
    /// As [`World::start`].
    pub fn launched() -> Result<Option<Self>, RankFailure> {
        let world = is_launched().then(Self::start).transpose()?;
        Ok(world.filter(|it| it.size() > 1))
    }

    /// The same; a process of its own is the only rank. To be asked once.
    ///
    /// # Errors
    /// A rank has failed before it came here ([`fails_first`]), or this one has been here before.
    pub fn start() -> Result<Self, RankFailure> {
        let world = Self(mpi::initialize().ok_or(RankFailure)?);
        world.agree(Ok::<(), ()>(())).map_err(|_| RankFailure)?;
        Ok(world)
    }

    /// What every rank asks at one place: goes on if all of them do. Of those that fail, the first has
    /// its error back; the others have `None`.
    ///
    /// # Errors
    /// A rank has failed.
    pub fn agree<T, E>(&self, mine: Result<T, E>) -> Result<T, Option<E>> {
        let mut failed = vec![[0; 2]; self.size()];
        self.gather([u32::from(mine.is_err()); 2], &mut failed);
        let first = failed.iter().position(|it| *it != [0; 2]);
        match mine {
            Ok(mine) if first.is_none() => Ok(mine),
            Err(error) if first == Some(self.rank()) => Err(Some(error)),
            _ => Err(None),
        }
    }

    /// This one's number, from 0.
    pub fn rank(&self) -> usize {
        self.0.world().rank() as usize
    }

    /// How many there are.
    pub fn size(&self) -> usize {
        self.0.world().size() as usize
    }

    /// What every rank gives, by rank.
    fn gather(&self, mine: [u32; 2], all: &mut [[u32; 2]]) {
        self.0.world().all_gather_into(&mine[..], all.as_flattened_mut());
    }
}

/// For a process that fails: whether it is the one to say so. Of ranks that fail before they have met,
/// the first is.
pub fn fails_first() -> bool {
    let world = is_launched().then(mpi::initialize).flatten().map(World);
    world.is_none_or(|it| it.agree(Err::<(), _>(())) == Err(Some(())))
}
