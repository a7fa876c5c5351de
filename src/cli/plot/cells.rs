//! `umm plot cells`

use clap::Args;

use super::Page;
use crate::chart;
use crate::cli::Failure;
use crate::cli::options::{ProgramOptions, setting, whole};
use crate::language::program::{ArrayId, Program};
use crate::run::Observer;
use crate::run::cells;
use crate::run::layout::Layout;
use crate::trace::Phase;

/// Draw which cells of its arrays a parallel loop of a listing reads and writes
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm plot cells umm_opt --set n=12 --phase D,E --time 3 -o diagonals.svg
  umm plot cells umm_opt --set n=12 --phase D --time 3 --iteration i=2 -o case-1.svg
  umm plot cells lcs --set n=8 --phase diagonal --time 5 -o diagonal.svg")]
pub(super) struct Cells {
    #[command(flatten)]
    program: ProgramOptions,
    /// Labels of the listing (see `umm run`)
    #[arg(long, value_delimiter = ',', value_name = "LIST", required = true)]
    phase: Vec<String>,
    /// Of each phase, which of its parallel loops, in the order in which they are executed
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(1..=u64::MAX))]
    time: u64,
    /// Only iterations in which a loop variable has this value, as in i=2
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    iteration: Option<(String, i64)>,
    #[command(flatten)]
    page: Page,
}

impl Cells {
    pub(super) fn draw(&self) -> Result<(), Failure> {
        let case = self.program.case()?.of_pram();
        let (program, layout) = (&*case.program, case.layout()?);
        let phases = self.phases(program)?;
        let mut memory = case.memory(&layout)?;
        let iteration = self.iteration.as_ref().map(|(name, value)| (name.as_str(), *value));
        let mut observer = cells::Cells::new(program, &layout, &phases, self.time, iteration);
        case.execute(&layout, &mut memory, &mut observer as &mut dyn Observer)?;
        let grids = self.grids(program, &layout, &observer)?;
        let labels = self.phase.join(", ");
        let title = format!("{}: cells that a loop reads and writes", program.name);
        let mut caption = format!("{}  phase {labels}, loop {}", case.sizes(&layout), self.time);
        if let Some((name, value)) = iteration {
            caption += &format!("  iterations with {name} = {value}");
        }
        let (title, canvas) = (self.page.title().unwrap_or(&title), self.page.canvas());
        let scene = chart::cells(&grids, title, &caption, canvas);
        self.page.write(scene, &format!("a run of {}", program.name))
    }

    fn phases(&self, program: &Program) -> Result<Vec<Phase>, Failure> {
        let phase = |name: &String| {
            let found = program.phases.iter().position(|it| it == name);
            found.map(|at| Phase(at as u32)).ok_or_else(|| {
                Failure::input(format_args!(
                    "--phase {name}: `{}` has no such phase; choose from {}",
                    program.name,
                    program.phases.join(", ")
                ))
            })
        };
        self.phase.iter().map(phase).collect()
    }

    /// The arrays that were used, in the order of their declaration.
    fn grids(
        &self,
        program: &Program,
        layout: &Layout,
        observer: &cells::Cells<'_>,
    ) -> Result<Vec<chart::ArrayCells>, Failure> {
        let of = |id: usize| -> Result<chart::ArrayCells, Failure> {
            let name = program.arrays[id].name.clone();
            let (rows, columns) = match layout.regions[id].extents[..] {
                [columns] => (1, columns),
                [rows, columns] => (rows, columns),
                _ => {
                    return Err(Failure::input(format_args!(
                        "{name} is no table of rows and columns, and cannot be drawn"
                    )));
                }
            };
            let own = observer.uses.range((ArrayId(id), 0)..=(ArrayId(id), u64::MAX));
            let uses = own.map(|(&(_, cell), &used)| (cell, used)).collect();
            Ok(chart::ArrayCells { name, rows, columns, uses })
        };
        let used = |id: &usize| observer.uses.keys().any(|it| it.0.0 == *id);
        let grids: Vec<_> =
            (0..program.arrays.len()).filter(used).map(of).collect::<Result<_, _>>()?;
        if grids.is_empty() {
            let which = self
                .iteration
                .as_ref()
                .map_or_else(String::new, |(name, value)| format!(" with {name} = {value}"));
            return Err(Failure::input(format_args!(
                "--phase {} --time {}: there is no such parallel loop{which} that accesses memory",
                self.phase.join(","),
                self.time
            )));
        }
        Ok(grids)
    }
}
