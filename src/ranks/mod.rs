//! Processes of MPI that do one thing together: its ranks, on one machine or on many.

mod deal;
mod greedy;
mod opt;

use std::env;

use mpi::environment::Universe;
use mpi::traits::{Communicator, CommunicatorCollectives};

pub use deal::{Answer, Dealer, work};
pub use greedy::{greedy, greedy_in_cells};

/// All ranks. Dropped, this one takes its leave of the others.
pub struct World(Universe);

/// What Open MPI, MPICH and Slurm tell the processes that they start.
const LAUNCHERS: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"];

impl World {
    /// The ranks that `mpirun` or the like has started; `None` for a process of its own.
    pub fn launched() -> Option<Self> {
        let is_launched = LAUNCHERS.iter().any(|it| env::var_os(it).is_some());
        let world = is_launched.then(Self::start).flatten();
        world.filter(|it| it.size() > 1)
    }

    /// The same; a process of its own is the only rank. `None` if it has asked before.
    pub fn start() -> Option<Self> {
        mpi::initialize().map(Self)
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
