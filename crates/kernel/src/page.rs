//! The source with what each line takes beside it: one page, light and dark.

use std::fmt::Write;

use super::counts::InstructionCounts;
use super::table::{LineCounts, SourceTable};
use memory_machine_core::diagnostic::markup;
use memory_machine_sass::{KernelCode, SourceLine};

const HEAD: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
<meta name=\"viewport\" content=\"width=device-width\"><style>\
:root{color-scheme:light dark;--ink:#1a1a1a;--paper:#fff;--faint:#666;--rule:#ddd;--heat:214,72,28;\
--chosen:#1f6feb}\
@media(prefers-color-scheme:dark){:root{--ink:#e6e6e6;--paper:#161616;--faint:#999;--rule:#333;\
--heat:255,120,70;--chosen:#58a6ff}}\
body{font:15px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper);margin:2rem auto;\
max-width:120rem;padding:0 1rem}h1{font-size:1.3rem}h2{font-size:1.05rem}\
table{border-collapse:collapse;width:100%;font-size:13px}\
th,td{text-align:right;padding:.1rem .4rem;border-bottom:1px solid var(--rule);white-space:nowrap}\
th{color:var(--faint);font-weight:500;position:sticky;top:0;background:var(--paper)}\
td.code,th.code{text-align:left;white-space:pre-wrap;overflow-wrap:anywhere;min-width:14rem;\
font:13px/1.5 ui-monospace,monospace;width:100%}\
td.why{text-align:left;white-space:normal;color:var(--faint);border-bottom:1px solid var(--rule)}\
td.heat{box-shadow:inset 4px 0 rgba(var(--heat),var(--part))}\
tr[data-line]{cursor:pointer}tr.chosen td{border-color:var(--chosen)}\
tr.chosen td.code{color:var(--chosen)}\
.faint{color:var(--faint)}.panes{display:grid;gap:1.5rem;grid-template-columns:minmax(0,1fr)}\
@media(min-width:80rem){.panes{grid-template-columns:minmax(0,5fr) minmax(0,3fr)}\
.panes>div{max-height:85vh;overflow:auto}}.panes>div{overflow:auto}</style>";

/// A line that is clicked is marked in source and machine code, and comes into view there.
const SCRIPT: &str = "<script>addEventListener('click',e=>{const r=e.target.closest('tr[data-line]');\
if(!r)return;document.querySelectorAll('tr.chosen').forEach(it=>it.classList.remove('chosen'));\
const seen=new Set([r.closest('.pane')]);\
document.querySelectorAll('tr[data-line]').forEach(it=>{if(it.dataset.line!==r.dataset.line)return;\
it.classList.add('chosen');const pane=it.closest('.pane');\
if(!seen.has(pane)){seen.add(pane);it.scrollIntoView({block:'nearest'})}})})</script>";

/// A kernel's instructions, and what each did.
pub type CountedCode<'a> = (&'a KernelCode, &'a [InstructionCounts]);

/// Writes the page of a kernel: its source with what each line takes, and its machine code beside it; `text`
/// gives a file's text, if it can be read.
pub fn page(
    title: &str,
    subtitle: &str,
    table: &SourceTable,
    code: CountedCode<'_>,
    text: impl Fn(&str) -> Option<String>,
) -> String {
    let mut page = format!("{HEAD}<title>{0}</title><h1>{0}</h1>", markup(title));
    let _ = write!(page, "<p class=\"faint\">{}</p>", markup(subtitle));
    let worst = table.worst();
    if !worst.is_empty() {
        page += "<h2>Where it loses most</h2><ol>";
        for (it, why) in &worst {
            let _ = write!(page, "<li><b>{}</b>: {}</li>", markup(&it.place()), markup(why));
        }
        page += "</ol>";
    }
    let mut files: Vec<&str> =
        table.lines.iter().filter_map(|it| it.line.as_ref()).map(|it| &*it.file).collect();
    files.sort_unstable();
    files.dedup();
    page += "<div class=\"panes\"><div class=\"pane\">";
    for (number, file) in files.iter().enumerate() {
        let name = file.rsplit('/').next().unwrap_or_default();
        let _ = write!(page, "<h2 title=\"{}\">{}</h2>", markup(file), markup(name));
        source(&mut page, table, (number, file), text(file).as_deref());
    }
    let unknown: Vec<&LineCounts> = table.lines.iter().filter(|it| it.line.is_none()).collect();
    for it in unknown {
        let _ = write!(
            page,
            "<p>Of no known line: {} warp instructions, {} sectors, {} wavefronts</p>",
            it.counts.executions, it.counts.sectors, it.counts.wavefronts
        );
    }
    page += "</div><div class=\"pane\"><h2>Machine code</h2>";
    machine_code(&mut page, &files, code);
    page + "</div></div>" + SCRIPT + "</html>\n"
}

/// The instructions, each with the line that it is of.
fn machine_code(page: &mut String, files: &[&str], (kernel, counts): CountedCode<'_>) {
    *page += "<table><tr><th>share</th><th>line</th><th>byte</th><th class=\"code\">instruction</th>\
        <th>executions</th><th>threads</th></tr>";
    let all: f64 = counts.iter().map(InstructionCounts::cycles).sum();
    for (at, of) in counts.iter().enumerate() {
        let line = kernel.line(at);
        let share = of.cycles() / all.max(f64::MIN_POSITIVE);
        let file = |it: &SourceLine| files.iter().position(|name| *name == &*it.file);
        let key = line.and_then(|it| Some(format!("{}:{}", file(it)?, it.line)));
        let key = key.map_or_else(String::new, |it| format!(" data-line=\"{it}\""));
        let each = of.threads as f64 / of.executions.max(1) as f64;
        let [executions, threads] = match of.executions {
            0 => [String::new(), String::new()],
            count => [count.to_string(), format!("{each:.1}")],
        };
        let _ = write!(
            page,
            "<tr{key}><td class=\"heat\" style=\"--part:{:.3}\">{}</td><td class=\"faint\">{}</td>\
             <td class=\"faint\">{:04x}</td><td class=\"code\">{}</td><td>{executions}</td>\
             <td>{threads}</td></tr>",
            share.sqrt(),
            percent(share),
            line.map_or_else(String::new, |it| it.line.to_string()),
            16 * at,
            markup(&kernel.text(at).unwrap_or_default()),
        );
    }
    *page += "</table>";
}

/// Nothing, if it rounds to nothing.
fn percent(share: f64) -> String {
    if share < 0.0005 { String::new() } else { format!("{:.1} %", 100.0 * share) }
}

/// Lines around those that are executed.
const CONTEXT_LINES: u32 = 3;

fn source(
    page: &mut String,
    table: &SourceTable,
    (file_number, file): (usize, &str),
    text: Option<&str>,
) {
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
    *page += "<table><tr><th>share</th><th>line</th><th class=\"code\">source</th>\
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
            "<tr{} style=\"background:rgba(var(--heat),{:.3})\"><td class=\"heat\" style=\"--part:{:.3}\">{}</td>\
             <td class=\"faint\">{number}</td><td class=\"code\">{}</td>",
            if it.is_some() {
                format!(" data-line=\"{file_number}:{number}\"")
            } else {
                String::new()
            },
            0.6 * share.sqrt(),
            share.sqrt(),
            if it.is_some() { format!("{:.1} %", 100.0 * share) } else { String::new() },
            markup(code.unwrap_or_default())
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
                markup(&why)
            );
        }
    }
    *page += "</table>";
}
