//! Which cells of its arrays one parallel loop of a run uses.

use std::collections::BTreeMap;

use super::{Case, CaseError};
use memory_machine_core::language::program::ArrayId;
use memory_machine_core::run::Observer;
use memory_machine_core::run::cells::{Cells, Use};
use memory_machine_core::run::layout::Layout;
use memory_machine_core::trace::Phase;

impl Case {
    /// Runs the program, and says of each cell that the `time`-th parallel loop of each of these phases
    /// uses, what happens to it; of iterations alone in which a loop variable has a value, if one is
    /// given.
    ///
    /// # Errors
    /// A label that is no phase; a run that fails; no such loop.
    pub fn cells(
        &self,
        layout: &Layout,
        labels: &[String],
        time: u64,
        iteration: Option<(&str, i64)>,
    ) -> Result<BTreeMap<(ArrayId, u64), Use>, CaseError> {
        let program = &*self.program;
        let phase = |name: &String| {
            let found = program.phases.iter().position(|it| it == name);
            found.map(|at| Phase(at as u32)).ok_or_else(|| {
                CaseError::Given(format!(
                    "--phase {name}: `{}` has no such phase; choose from {}",
                    program.name,
                    program.phases.join(", ")
                ))
            })
        };
        let phases = labels.iter().map(phase).collect::<Result<Vec<_>, _>>()?;
        let mut memory = self.memory(layout)?;
        let mut observer = Cells::new(program, layout, &phases, time, iteration);
        self.execute(layout, &mut memory, &mut observer as &mut dyn Observer)?;
        if observer.uses.is_empty() {
            let which = iteration
                .map_or_else(String::new, |(name, value)| format!(" with {name} = {value}"));
            return Err(CaseError::Given(format!(
                "--phase {} --time {time}: there is no such parallel loop{which} that accesses memory",
                labels.join(",")
            )));
        }
        Ok(observer.uses)
    }

    /// The title and the caption of a picture of [`Self::cells`].
    pub fn cells_title(
        &self,
        layout: &Layout,
        labels: &[String],
        time: u64,
        iteration: Option<(&str, i64)>,
    ) -> (String, String) {
        let title = format!("{}: cells that a loop reads and writes", self.program.name);
        let mut caption =
            format!("{}  phase {}, loop {time}", self.sizes(layout), labels.join(", "));
        if let Some((name, value)) = iteration {
            caption += &format!("  iterations with {name} = {value}");
        }
        (title, caption)
    }
}
