//! Arrays as grids of cells, coloured by what happens to them.

use std::collections::BTreeMap;

use plotters::style::text_anchor::HPos;

use super::ChartError;
use super::curves::{MARGIN, TEXT, head};
use super::letters::text_width;
use super::scene::{Place, Scene};
use super::theme::{Canvas, Theme};
use memory_machine_core::language::program::{ArrayId, Program};
use memory_machine_core::run::cells::Use;
use memory_machine_core::run::layout::Layout;

/// More rows or columns than this would be too small for their numbers.
pub const MOST: u64 = 48;

/// An array with one row, or with rows and columns.
#[derive(Debug, Clone)]
pub struct ArrayCells {
    /// As the listing spells it.
    pub name: String,
    /// How many; 1 of an array with one extent.
    pub rows: u64,
    /// How many.
    pub columns: u64,
    /// Cells by their number, row-major; all others are left alone.
    pub uses: Vec<(u64, Use)>,
}

impl ArrayCells {
    /// The arrays that are used, in the order of their declaration.
    ///
    /// # Errors
    /// [`ChartError::Data`] for one of more than two dimensions.
    pub fn all(
        program: &Program,
        layout: &Layout,
        uses: &BTreeMap<(ArrayId, u64), Use>,
    ) -> Result<Vec<Self>, ChartError> {
        let of = |id: usize| {
            let name = program.arrays[id].name.clone();
            let (rows, columns) = match layout.regions[id].extents[..] {
                [columns] => (1, columns),
                [rows, columns] => (rows, columns),
                _ => {
                    return Err(ChartError::Data(format!(
                        "{name} is no table of rows and columns, and cannot be drawn"
                    )));
                }
            };
            let own = uses.range((ArrayId(id), 0)..=(ArrayId(id), u64::MAX));
            let uses = own.map(|(&(_, cell), &used)| (cell, used)).collect();
            Ok(Self { name, rows, columns, uses })
        };
        let used = |id: &usize| uses.keys().any(|it| it.0.0 == *id);
        (0..program.arrays.len()).filter(used).map(of).collect()
    }
}

/// Between the grids.
const GAP: f64 = 40.0;

/// Arrays side by side, those of one row below each other, with what happens to their cells.
///
/// # Errors
/// [`ChartError::Data`] if there is no array, or one has too many rows or columns to be drawn.
pub fn cells(
    grids: &[ArrayCells],
    title: &str,
    caption: &str,
    canvas: Canvas,
) -> Result<Scene, ChartError> {
    if grids.is_empty() {
        return Err(ChartError::Data("no cell is read or written there".to_owned()));
    }
    if let Some(it) = grids.iter().find(|it| it.rows > MOST || it.columns > MOST) {
        let ArrayCells { name, rows, columns, .. } = it;
        return Err(ChartError::Data(format!(
            "{name} has {rows} × {columns} cells; at most {MOST} × {MOST} can be drawn: choose \
             smaller sizes"
        )));
    }
    let mut scene = Scene::on(canvas);
    let top = head(&mut scene, title, caption) + 24.0;
    let bottom = scene.height() - 64.0;
    let label = 34.0;
    // One under the other, all cells of one size.
    let rows: u64 = grids.iter().map(|it| it.rows).sum();
    let columns = grids.iter().map(|it| it.columns).max().unwrap_or(1);
    let apart = grids.len() as f64 * GAP;
    let side = ((bottom - top - apart) / rows as f64)
        .min((scene.width() - 2.0 * MARGIN - label) / columns as f64)
        .min(48.0);
    let mut y = top + GAP - 12.0;
    let left = f64::midpoint(0.0, scene.width() - columns as f64 * side);
    for grid in grids {
        draw(&mut scene, grid, (left, y), side);
        y += grid.rows as f64 * side + GAP;
    }
    legend(&mut scene, grids);
    Ok(scene)
}

fn draw(scene: &mut Scene, grid: &ArrayCells, (left, top): Place, side: f64) {
    let theme = scene.theme;
    let size = (0.6 * side).clamp(9.0, TEXT);
    let name = (left - 14.0, top - 14.0);
    scene.text(&grid.name, name, TEXT, theme.ink(), HPos::Right);
    let middle = |index: u64| (index as f64 + 0.5) * side;
    for column in 0..grid.columns {
        let place = (left + middle(column), top - 12.0);
        scene.text(&column.to_string(), place, size, theme.muted(), HPos::Center);
    }
    for row in 0..grid.rows {
        let y = top + row as f64 * side;
        if grid.rows > 1 {
            let place = (left - 8.0, top + middle(row));
            scene.text(&row.to_string(), place, size, theme.muted(), HPos::Right);
        }
        for column in 0..grid.columns {
            let x = left + column as f64 * side;
            let corners = ((x + 1.0, y + 1.0), (x + side - 1.0, y + side - 1.0));
            scene.rectangle(corners.0, corners.1, theme.grid());
        }
    }
    for &(cell, used) in &grid.uses {
        let (row, column) = (cell / grid.columns, cell % grid.columns);
        let (x, y) = (left + column as f64 * side, top + row as f64 * side);
        let Some((index, letters, _)) = look(used) else { continue };
        let to = (x + side - 1.0, y + side - 1.0);
        let colour = theme.tint(theme.series(index), 0.75);
        scene.rectangle((x + 1.0, y + 1.0), to, colour);
        let place = (x + side / 2.0, y + side / 2.0);
        scene.text(letters, place, size, Theme::on(colour), HPos::Center);
    }
}

/// Colour, letters and words of what happens to a cell.
const fn look(used: Use) -> Option<(usize, &'static str, &'static str)> {
    match (used.read, used.written) {
        (true, false) => Some((0, "r", "read")),
        (false, true) => Some((2, "w", "written")),
        (true, true) => Some((1, "rw", "read and written")),
        (false, false) => None,
    }
}

/// Those looks that occur.
fn legend(scene: &mut Scene, grids: &[ArrayCells]) {
    let theme = scene.theme;
    let mut looks: Vec<_> =
        grids.iter().flat_map(|it| &it.uses).filter_map(|it| look(it.1)).collect();
    looks.sort_unstable();
    looks.dedup();
    let mut x = MARGIN;
    let y = scene.height() - 32.0;
    for (index, letters, words) in looks {
        let colour = theme.tint(theme.series(index), 0.75);
        scene.rectangle((x, y - 12.0), (x + 24.0, y + 12.0), colour);
        scene.text(letters, (x + 12.0, y), TEXT, Theme::on(colour), HPos::Center);
        scene.text(words, (x + 32.0, y), TEXT, theme.ink(), HPos::Left);
        x += 32.0 + text_width(words, TEXT) + 36.0;
    }
}
