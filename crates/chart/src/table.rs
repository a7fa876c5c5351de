//! Samples from the text of a CSV file, with the line where each stands.

use std::rc::Rc;

use super::{ChartError, SampleRow};
use memory_machine_case::sample::Sample;
use memory_machine_measure::Checked;

/// The samples of a CSV file; `file` is what messages call it.
///
/// # Errors
/// [`ChartError::Data`]: columns that samples do not have, rows that are none, or no row.
pub fn samples(text: &str, file: &str) -> Result<Vec<SampleRow>, ChartError> {
    let file: Rc<str> = file.into();
    let mut rows = vec![];
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let fail = |error: &csv::Error| {
        let line = error.position().map_or(1, csv::Position::line);
        ChartError::Data(match error.kind() {
            csv::ErrorKind::Deserialize { err, .. } => {
                let column = err.field().and_then(|it| columns_of(text).get(it as usize).cloned());
                let column = column.map_or(String::new(), |it| format!(" column `{it}`:"));
                format!("{file}:{line}:{column} {}", err.kind())
            }
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                format!("{file}:{line}: {len} fields; the header has {expected_len}")
            }
            _ => format!("{file}:{line}: {error}"),
        })
    };
    let header = reader.headers().map_err(|error| fail(&error))?.clone();
    let known = columns();
    if let Some(name) = header.iter().find(|name| !known.iter().any(|it| it == name)) {
        return Err(ChartError::Data(format!(
            "{file}:1: unknown column `{name}`; the columns of samples are: {}",
            known.join(", ")
        )));
    }
    for name in ["algorithm", "set"] {
        if !header.is_empty() && !header.iter().any(|it| it == name) {
            return Err(ChartError::Data(format!("{file}:1: the column `{name}` is missing")));
        }
    }
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| fail(&error))? {
        let line = record.position().map_or(0, csv::Position::line);
        let sample: Sample = record.deserialize(Some(&header)).map_err(|error| fail(&error))?;
        sample.check().map_err(|it| ChartError::Data(format!("{file}:{line}: {it}")))?;
        rows.push(SampleRow { sample, file: file.clone(), line });
    }
    if rows.is_empty() {
        return Err(ChartError::Data(format!(
            "{file}: no samples below the header; give a file with at least one"
        )));
    }
    Ok(rows)
}

fn columns() -> Vec<String> {
    let mut writer = csv::Writer::from_writer(vec![]);
    let _ = writer.serialize(Sample::default());
    let text = writer.into_inner().unwrap_or_default();
    let header = String::from_utf8_lossy(&text);
    header.lines().next().unwrap_or("").split(',').map(str::to_owned).collect()
}

/// The names in the header.
fn columns_of(text: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.headers().map(|it| it.iter().map(str::to_owned).collect()).unwrap_or_default()
}
