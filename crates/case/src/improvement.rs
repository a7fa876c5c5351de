//! A faster listing for a case.

use memory_machine_core::language::program::Program;
use memory_machine_core::run::layout::Layout;
use memory_machine_improve::search::{Ladder, Predict, Reach, SearchError, search};
use memory_machine_improve::time::Setting;

use crate::Case;

impl Case {
    /// From its listing by proved steps to one that takes less time with its sizes, inputs and machine:
    /// fewer predicted seconds, if they are asked for. It stops when it `is_over`.
    ///
    /// # Errors
    /// [`SearchError`], also where the case has no layout.
    pub fn improve(
        &self,
        reach: Reach,
        is_over: &dyn Fn() -> bool,
        predict: Option<Predict<'_>>,
        progress: &mut dyn FnMut(usize, usize, u128),
    ) -> Result<Ladder, SearchError> {
        let layout = self.layout().map_err(|it| SearchError::Time(it.to_string()))?;
        let values = self.settings(&layout).0.into_iter().collect();
        let given = |other: &Program, layout: &Layout| {
            let case = Self { program: other.clone().into(), ..self.clone() };
            case.memory(layout).map_err(|it| it.to_string())
        };
        let Self { machine, mode, bulk, .. } = *self;
        let limits = self.limits();
        let launch = reach.launch.into();
        let setting =
            Setting { values: &values, machine, mode, limits, bulk, given: &given, launch };
        search(&self.program, &setting, reach, is_over, predict, progress)
    }
}
