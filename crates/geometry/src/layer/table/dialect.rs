//! How a table separates its fields: found by looking at its first lines.

/// How fields are parted, and numbers written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    /// `b' '` stands for any number of blanks.
    pub(super) delimiter: u8,
    /// Whether `,` stands before the decimals.
    pub(super) decimal_comma: bool,
    /// Whether lines are in brackets, as lists are printed.
    pub(super) brackets: bool,
}

/// Lines that are looked at.
const SAMPLE: usize = 40;
const DELIMITERS: [u8; 5] = [b'\t', b';', b'|', b',', b' '];

impl Dialect {
    /// Of lines of data, the header among them.
    pub(super) fn of<'a>(lines: impl Iterator<Item = &'a str>) -> Self {
        let sample: Vec<&str> = lines.take(SAMPLE).collect();
        let brackets = !sample.is_empty() && sample.iter().all(|it| is_in_brackets(it));
        let plain = |delimiter| Self { delimiter, decimal_comma: false, brackets };
        let counts = |delimiter| -> Vec<usize> {
            sample.iter().map(|it| plain(delimiter).fields(it).len()).collect()
        };
        // A delimiter that gives every line the same number of fields, or at least two.
        let even = |delimiter: &u8| {
            let counts = counts(*delimiter);
            counts.iter().all(|it| *it >= 2 && *it == counts[0])
        };
        let some = |delimiter: &u8| counts(*delimiter).iter().filter(|it| **it >= 2).count();
        let delimiter = DELIMITERS.into_iter().find(even).unwrap_or_else(|| {
            let most = DELIMITERS.iter().map(some).max().unwrap_or(0);
            DELIMITERS.into_iter().find(|it| most > 0 && some(it) == most).unwrap_or(b',')
        });
        let mut found = plain(delimiter);
        found.decimal_comma = delimiter != b',' && {
            let all = || sample.iter().flat_map(|it| found.fields(it));
            all().any(|it| is_number_with_comma(&it)) && !all().any(|it| is_number_with_dot(&it))
        };
        found
    }

    /// The fields of a line, trimmed and without quotes.
    pub(super) fn fields(self, line: &str) -> Vec<String> {
        let line = self.inner(line);
        if self.delimiter == b' ' {
            return line.split_whitespace().map(|it| unquoted(it).to_owned()).collect();
        }
        if !line.contains('"') {
            let fields = line.split(char::from(self.delimiter));
            return fields.map(|it| it.trim().to_owned()).collect();
        }
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(self.delimiter)
            .trim(csv::Trim::All)
            .from_reader(line.as_bytes());
        let record = reader.records().next().and_then(Result::ok).unwrap_or_default();
        record.iter().map(str::to_owned).collect()
    }

    /// Without the brackets around it.
    pub(super) fn inner(self, line: &str) -> &str {
        let line = line.trim_end_matches(['\r', '\n']);
        if !self.brackets {
            return line;
        }
        line.trim().trim_end_matches(',').trim_matches(['(', ')', '[', ']', '{', '}'])
    }

    pub(super) const fn name(self) -> &'static str {
        match self.delimiter {
            b'\t' => "tabs",
            b';' => "semicolons",
            b'|' => "bars",
            b',' => "commas",
            _ => "blanks",
        }
    }
}

fn is_in_brackets(line: &str) -> bool {
    let line = line.trim().trim_end_matches(',');
    line.starts_with(['(', '[', '{']) && line.ends_with([')', ']', '}'])
}

/// A field without quotes around it.
fn unquoted(field: &str) -> &str {
    let inner = field.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    inner.unwrap_or(field)
}

fn is_number_with_comma(field: &str) -> bool {
    field.matches(',').count() == 1 && field.replace(',', ".").parse::<f64>().is_ok()
}

fn is_number_with_dot(field: &str) -> bool {
    field.contains('.') && field.parse::<f64>().is_ok()
}
