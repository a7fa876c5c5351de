//! Tables of text: CSV in its dialects.

mod dialect;
mod header;
mod parse;

use serde_json::Map;

use self::dialect::Dialect;
use self::header::Columns;
use self::parse::{Lines, Reader};
use super::{CoordinateUnit, Fault, Feature, Layer, Part, ReadOptions};

/// What becomes of a row of which a coordinate is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Missing {
    /// The file is refused.
    #[default]
    Refuse,
    /// The row is left out, and counted.
    Skip,
}

memory_machine_core::keyword::keywords! { Missing {
    Refuse "refuse" "Refuse the file"
    Skip "skip" "Leave the row out, and count it"
} }

/// The lines of the rows that are points.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    /// A row from which on lines follow one another, and its line.
    breaks: Vec<(usize, usize)>,
}

impl Rows {
    /// The line, from 1, of a point, numbered from 0.
    pub fn line(&self, point: usize) -> usize {
        let after = self.breaks.partition_point(|(first, _)| *first <= point);
        let (first, line) = after.checked_sub(1).map_or((0, 1), |it| self.breaks[it]);
        line + (point - first)
    }
}

/// What the first lines say.
struct Head {
    columns: [usize; 2],
    /// The fields of the header, if there is one, and whether it is the first row.
    header: Option<Vec<String>>,
    is_in_rows: bool,
    are_degrees: bool,
    notes: Vec<String>,
    /// Without a header, every row has as many fields.
    width: Option<usize>,
}

/// Reads a table.
pub(super) fn parse(text: &str, options: &ReadOptions) -> Result<Layer, Fault> {
    let text = &*with_line_feeds(text);
    let dialect = Dialect::of(Lines::of(text).map(|(_, line)| line));
    let head = head(text, dialect, options)?;
    let reader = Reader {
        dialect,
        columns: head.columns,
        width: head.width,
        is_named: head.header.is_some(),
        skips: options.missing == Missing::Skip,
        first: usize::from(head.is_in_rows),
    };
    let table = reader.read(text)?;
    let mut notes = head.notes;
    if let Some(header) = &head.header {
        let [x, y] = head.columns.map(|it| header.get(it).map_or("", |it| &**it));
        let (x, y) = if x.is_empty() { ("the first", y) } else { (x, y) };
        notes
            .push(format!("{} rows are points; x is column `{x}`, y is `{y}`", table.points.len()));
    }
    if dialect.decimal_comma {
        notes.push(format!(
            "fields are parted by {}, and a comma stands before decimals",
            dialect.name()
        ));
    }
    if table.skipped > 0 {
        notes.push(format!("{} rows without a coordinate are left out", table.skipped));
    }
    let feature = Feature { properties: Map::new(), parts: vec![Part::Points(table.points)] };
    Ok(Layer {
        features: vec![feature],
        format: "a table",
        notes,
        unit: unit(head.are_degrees),
        rows: Some(Rows { breaks: table.breaks }),
        crs: None,
    })
}

const fn unit(are_degrees: bool) -> CoordinateUnit {
    if are_degrees { CoordinateUnit::Degrees } else { CoordinateUnit::Unknown }
}

/// Lines of an old Macintosh end by a carriage return alone.
fn with_line_feeds(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.contains('\n') && text.contains('\r') {
        return text.replace('\r', "\n").into();
    }
    text.into()
}

fn head(text: &str, dialect: Dialect, options: &ReadOptions) -> Result<Head, Fault> {
    let Some((line, first)) = Lines::of(text).next() else {
        return Err(Fault::new("there are comments only; write one point x,y a line"));
    };
    let fields = dialect.fields(first);
    let is_number = |field: &str| parse::number(field, dialect.decimal_comma).is_some();
    let mut head = Head {
        columns: [0, 1],
        header: None,
        is_in_rows: false,
        are_degrees: false,
        notes: vec![],
        width: None,
    };
    let no_header = fields.iter().all(|it| it.is_empty() || is_number(it) || parse::is_missing(it))
        && fields.iter().any(|it| is_number(it));
    // Names may stand in a comment, as numpy.savetxt writes them.
    let named = if no_header {
        Lines::comment_above(text)
            .map(|it| dialect.fields(it))
            .filter(|it| it.len() == fields.len())
    } else {
        Some(fields.clone())
    };
    if let Some(wanted) = &options.columns {
        let header = named.clone().unwrap_or_else(|| vec![String::new(); fields.len()]);
        head.columns = header::chosen(&header, wanted).map_err(|it| Fault::at(line, it))?;
        head.is_in_rows = !head.columns.iter().all(|&it| is_number(&fields[it]));
        head.header = named;
        return Ok(head);
    }
    if let Some(names) = named {
        match header::columns(&names) {
            Ok(Some(Columns { places, are_degrees })) => {
                (head.columns, head.are_degrees) = (places, are_degrees);
                (head.header, head.is_in_rows) = (Some(names), !no_header);
                return Ok(head);
            }
            Err(what) if !no_header => return Err(Fault::at(line, what)),
            _ => {}
        }
    }
    without_names(text, dialect, &fields, line, head, options.is_strict)
}

/// Of a table whose columns have no names that are known.
fn without_names(
    text: &str,
    dialect: Dialect,
    fields: &[String],
    line: usize,
    mut head: Head,
    is_strict: bool,
) -> Result<Head, Fault> {
    // `to_csv` of pandas numbers columns that have no names, with or without one for the index.
    let first = usize::from(fields[0].is_empty());
    let numbers = fields[first..].iter().zip(0..);
    let is_numbered =
        fields.len() == first + 2 && numbers.clone().all(|(it, k)| *it == format!("{k}"));
    let is_whole = |it: &String| it.parse::<i64>().is_ok();
    let below = Lines::of(text).nth(1).map(|(_, it)| dialect.fields(it));
    if is_numbered {
        let decimals = Lines::of(text).skip(1).any(|(_, it)| {
            let fields = dialect.fields(it);
            fields.iter().skip(first).any(|it| !is_whole(it))
        });
        if first == 1 || decimals {
            (head.columns, head.is_in_rows) = ([first, first + 1], true);
            head.header = Some(fields.to_vec());
            return Ok(head);
        }
        head.notes.push(
            "the first row, 0,1, is taken for a point; if it numbers the columns, remove it".into(),
        );
    }
    match fields.len() {
        2 => {}
        3 if !is_strict
            && below.is_none_or(|it| it.len() == 3)
            && fields.iter().all(|it| parse::number(it, dialect.decimal_comma).is_some()) =>
        {
            head.notes.push("the third column is taken for a height and left out".into());
        }
        found => {
            return Err(Fault::at(
                line,
                format!(
                    "{found} columns, but a point has two; write x,y with a comma between, name \
                     the columns in a header ({}), or choose by --columns X,Y",
                    header::NAMES
                ),
            ));
        }
    }
    head.width = Some(fields.len());
    Ok(head)
}

/// The columns of x and y among names, as in a header, and their unit; `wanted` names them.
#[cfg(feature = "formats")]
pub(super) fn named_columns(
    names: &[String],
    wanted: Option<&[String; 2]>,
) -> Result<([usize; 2], CoordinateUnit), String> {
    if let Some(wanted) = wanted {
        return Ok((header::chosen(names, wanted)?, CoordinateUnit::Unknown));
    }
    header::columns(names)?.map(|it| (it.places, unit(it.are_degrees))).ok_or_else(|| {
        format!("has the fields {}; call two of them {}", names.join(", "), header::NAMES)
    })
}
