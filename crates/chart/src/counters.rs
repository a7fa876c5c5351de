//! A GPU's counters over what the memory machine counts: a dot for each kernel, where both are the
//! same at 1.

use super::ChartError;
use super::number::Unit;
use super::ratios::{Captions, Dot, DotRow, ratios};
use super::scene::Scene;
use super::theme::Theme;

/// A counter of a kernel, on both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct CounterPair {
    /// The kernel, which has a colour.
    pub kernel: String,
    /// What is counted, which has a line.
    pub counter: String,
    /// By the memory machine.
    pub counted: f64,
    /// By the GPU.
    pub measured: f64,
}

/// A line for each counter of a listing of these sizes, in the order given; on it a dot for each kernel.
/// What one side does not have at all is left out.
///
/// # Errors
/// [`ChartError::Data`] if nothing is left.
pub fn counters(
    rows: &[CounterPair],
    (name, sizes): (&str, &str),
    theme: Theme,
) -> Result<Scene, ChartError> {
    let both: Vec<&CounterPair> =
        rows.iter().filter(|it| it.counted > 0.0 && it.measured > 0.0).collect();
    if both.is_empty() {
        return Err(ChartError::Data("no counter is above 0 on both sides".to_owned()));
    }
    let mut lines: Vec<(DotRow<'_>, f64)> = vec![];
    for row in &both {
        let dot = Dot { kind: &row.kernel, ratio: row.measured / row.counted, name: "" };
        let label = row.counter.replace('_', " ");
        match lines.iter_mut().find(|it| it.0.label == label) {
            Some((line, counted)) => {
                line.dots.push(dot);
                *counted += row.counted;
            }
            None => {
                lines.push((DotRow { label, size: String::new(), dots: vec![dot] }, row.counted));
            }
        }
    }
    let lines: Vec<DotRow<'_>> = lines
        .into_iter()
        .map(|(line, counted)| DotRow { size: Unit::Size.text(counted), ..line })
        .collect();
    let exact = both.iter().filter(|it| it.counted == it.measured).count();
    let title = format!("{name}: {exact} of {} counters are the machine's to the unit", both.len());
    let caption = format!(
        "{sizes}; dots: the GPU's counter ÷ the memory machine's; grey: the machine's, of all kernels"
    );
    let words = Captions { title: &title, caption: &caption, axis: "GPU ÷ machine" };
    Ok(ratios(&lines, &words, (-1.0, 1.0), theme))
}
