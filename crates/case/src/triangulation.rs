//! The optimal triangulation that a run of an OPT listing has found.

use super::Case;
use memory_machine_core::language::program::ArrayId;
use memory_machine_core::language::syntax::Type;
use memory_machine_core::run::layout::Layout;
use memory_machine_core::run::memory::{Bits, Memory};
use memory_machine_geometry::opt::Chord;
use memory_machine_geometry::opt::triangulation::{RecoverError, recover};

/// The arrays of a listing of optimal polygon triangulation: the table `M[n, n]` and the weights
/// `c[n, n]`, both of f32.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptArrays {
    table: ArrayId,
    weights: ArrayId,
    n: usize,
}

/// What a run has found.
#[derive(Debug, Clone, PartialEq)]
pub struct Triangulation {
    /// Vertices of the polygon.
    pub n: usize,
    /// The `n − 3` chords.
    pub chords: Vec<Chord>,
    /// Their total weight, as the table has it.
    pub weight: f32,
}

impl Case {
    /// The arrays of a triangulation, if the listing has them.
    pub fn opt_arrays(&self, layout: &Layout) -> Option<OptArrays> {
        let square = |name: &str| {
            let id = self.program.array_named(name)?;
            match layout.regions[id.0].extents[..] {
                [n, m] if n == m && self.program.arrays[id.0].element == Type::F32 => Some((id, n)),
                _ => None,
            }
        };
        let ((table, n), (weights, m)) = (square("M")?, square("c")?);
        (n == m).then_some(OptArrays { table, weights, n: n as usize })
    }
}

impl OptArrays {
    /// The triangulation that memory holds after the run; of a bulk run, input 0's.
    ///
    /// # Errors
    /// [`RecoverError`] for a cell that the recurrence does not explain.
    pub fn triangulation(
        self,
        layout: &Layout,
        memory: &Memory,
    ) -> Result<Triangulation, RecoverError> {
        let Self { table, weights, n } = self;
        let [table, weights] = [table, weights].map(|array| -> Vec<f32> {
            let cells = memory.cells(layout, array, 0);
            cells.map(|bits| bits.map_or(f32::NAN, Bits::from_bits)).collect()
        });
        let chords = recover(n, &table, &weights)?;
        Ok(Triangulation { n, chords, weight: table.get(n + n - 1).copied().unwrap_or(0.0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memory_machine_core::run::Budget;

    /// The papers' 8-gon.
    #[test]
    fn a_run_of_opt_has_five_chords() {
        let case = Case::load("opt").unwrap();
        let given = [("c".to_owned(), "paper".into())];
        let inputs = crate::Inputs::read(&case.program, &given, 1).unwrap();
        let case = Case { inputs, ..case };
        let layout = case.layout().unwrap();
        let arrays = case.opt_arrays(&layout).unwrap();
        let mut memory = case.memory(&layout).unwrap();
        case.execute(&layout, &mut memory, &mut Budget(u64::MAX)).unwrap();
        let found = arrays.triangulation(&layout, &memory).unwrap();
        assert_eq!((found.n, found.chords.len()), (8, 5));
        let sum = Case::load("sum").unwrap().set("n", 8);
        assert_eq!(sum.opt_arrays(&sum.layout().unwrap()), None);
    }
}
