//! The source with what each line takes beside it: one page, light and dark.

use std::fmt::Write;

use super::table::{LineCounts, SourceTable};

const HEAD: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
<meta name=\"viewport\" content=\"width=device-width\"><style>\
:root{color-scheme:light dark;--ink:#1a1a1a;--paper:#fff;--faint:#666;--rule:#ddd;--heat:214,72,28}\
@media(prefers-color-scheme:dark){:root{--ink:#e6e6e6;--paper:#161616;--faint:#999;--rule:#333;\
--heat:255,120,70}}\
body{font:15px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper);margin:2rem auto;\
max-width:78rem;padding:0 1rem}h1{font-size:1.3rem}table{border-collapse:collapse;width:100%}\
th,td{text-align:right;padding:.1rem .5rem;border-bottom:1px solid var(--rule);white-space:nowrap}\
th{color:var(--faint);font-weight:500;position:sticky;top:0;background:var(--paper)}\
td.code,th.code{text-align:left;white-space:pre;font:13px/1.5 ui-monospace,monospace;width:100%}\
td.why{text-align:left;white-space:normal;color:var(--faint);border-bottom:1px solid var(--rule)}\
.faint{color:var(--faint)}.scroll{overflow-x:auto}</style>";

/// Letters that mean something in HTML, written so that they do not.
fn escaped(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => all += "&amp;",
            '<' => all += "&lt;",
            '>' => all += "&gt;",
            '"' => all += "&quot;",
            it => all.push(it),
        }
    }
    all
}

/// Writes the page of a kernel; `text` gives a file's text, if it can be read.
pub fn page(
    title: &str,
    subtitle: &str,
    table: &SourceTable,
    text: impl Fn(&str) -> Option<String>,
) -> String {
    let mut page = format!("{HEAD}<title>{0}</title><h1>{0}</h1>", escaped(title));
    let _ = write!(page, "<p class=\"faint\">{}</p>", escaped(subtitle));
    let worst = table.worst();
    if !worst.is_empty() {
        page += "<h2>Where it loses most</h2><ol>";
        for (it, why) in &worst {
            let _ = write!(page, "<li><b>{}</b>: {}</li>", escaped(&it.place()), escaped(why));
        }
        page += "</ol>";
    }
    let mut files: Vec<&str> =
        table.lines.iter().filter_map(|it| it.line.as_ref()).map(|it| &*it.file).collect();
    files.sort_unstable();
    files.dedup();
    for file in files {
        let _ = write!(page, "<h2>{}</h2>", escaped(file));
        source(&mut page, table, file, text(file).as_deref());
    }
    let unknown: Vec<&LineCounts> = table.lines.iter().filter(|it| it.line.is_none()).collect();
    for it in unknown {
        let _ = write!(
            page,
            "<p>Of no known line: {} warp instructions, {} sectors, {} wavefronts</p>",
            it.counts.executions, it.counts.sectors, it.counts.wavefronts
        );
    }
    page + "</html>\n"
}

/// Lines around those that are executed.
const CONTEXT_LINES: u32 = 3;

fn source(page: &mut String, table: &SourceTable, file: &str, text: Option<&str>) {
    let of = |number: u32| {
        let is = |it: &&LineCounts| {
            it.line.as_ref().is_some_and(|it| &*it.file == file && it.line == number)
        };
        table.lines.iter().find(is)
    };
    let own = table.lines.iter().filter_map(|it| it.line.as_ref()).filter(|it| &*it.file == file);
    let numbers: Vec<u32> = own.map(|it| it.line).collect();
    let (Some(first), Some(last)) = (numbers.iter().min(), numbers.iter().max()) else { return };
    let lines: Vec<&str> = text.unwrap_or_default().lines().collect();
    *page += "<div class=\"scroll\"><table><tr><th>share</th><th>line</th><th class=\"code\">source</th>\
        <th>executions</th><th>threads</th><th>sectors</th><th>ideal</th><th>wavefronts</th><th>ideal</th></tr>";
    let begin = first.saturating_sub(CONTEXT_LINES).max(1);
    for number in begin..=last + CONTEXT_LINES {
        let code = lines.get(number as usize - 1).copied();
        let it = of(number);
        if code.is_none() && it.is_none() {
            continue;
        }
        let share = it.map_or(0.0, |it| it.share);
        let _ = write!(
            page,
            "<tr style=\"background:rgba(var(--heat),{:.3})\"><td>{}</td><td class=\"faint\">{number}</td>\
             <td class=\"code\">{}</td>",
            0.75 * share.sqrt(),
            if it.is_some() { format!("{:.1} %", 100.0 * share) } else { String::new() },
            escaped(code.unwrap_or_default())
        );
        let numbers = it.map(|it| {
            let counts = it.counts;
            let each = counts.threads as f64 / counts.executions.max(1) as f64;
            let some = |count: u64| if count > 0 { count.to_string() } else { String::new() };
            [
                counts.executions.to_string(),
                format!("{each:.1}"),
                some(counts.sectors),
                some(counts.ideal_sectors),
                some(counts.wavefronts),
                some(if counts.wavefronts > 0 { counts.ideal_wavefronts } else { 0 }),
            ]
        });
        for cell in numbers.unwrap_or_default() {
            let _ = write!(page, "<td>{cell}</td>");
        }
        *page += "</tr>";
        if let Some(why) = it.and_then(|it| it.counts.explanation()) {
            let _ = write!(
                page,
                "<tr><td></td><td></td><td class=\"why\" colspan=\"7\">{}</td></tr>",
                escaped(&why)
            );
        }
    }
    *page += "</table></div>";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_no_markup() {
        let table = SourceTable { lines: vec![], total: Default::default() };
        let page = page("a<b>&\"", "c", &table, |_| None);
        assert!(page.contains("<h1>a&lt;b&gt;&amp;&quot;</h1>"));
    }
}
