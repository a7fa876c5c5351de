//! Makes one HTML file of the page's parts: `bundle PAGE_FOLDER MODULE.wasm OUTPUT.html`.
//!
//! Styles and scripts take the place of the elements that name them; the module is compressed and
//! becomes text, which the page's workers turn back. A script may import others of the folder: all of
//! them become one, in the order of their imports, so that no two may have a top-level name in common.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;

/// A page must be small enough to be sent around.
const MOST_BYTES: usize = 2_720_000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, module, output] = arguments.as_slice() else {
        return Err("usage: bundle PAGE_FOLDER MODULE.wasm OUTPUT.html".into());
    };
    let folder = Path::new(folder);
    let mut page = read(&folder.join("index.html"))?;
    let style = lean(&read(&folder.join("style.css"))?);
    page = replace(
        &page,
        "<link rel=\"stylesheet\" href=\"style.css\">",
        &element("style", "", &style),
    )?;
    let worker = script(folder, "worker.js")?;
    let worker = element("script", " type=\"text/plain\" id=\"worker\"", &worker);
    let module = fs::read(module).map_err(|error| format!("{module}: {error}"))?;
    let module = element("script", " type=\"text/plain\" id=\"module\"", &compressed(&module)?);
    let main = element("script", " type=\"module\"", &script(folder, "main.js")?);
    let parts = [worker, module, main].join("\n");
    page = replace(&page, "<script type=\"module\" src=\"main.js\"></script>", &parts)?;
    if page.len() > MOST_BYTES {
        return Err(format!("the page has {} bytes, more than {MOST_BYTES}", page.len()).into());
    }
    if let Some(parent) = Path::new(output).parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(output, &page)?;
    println!("{output}: {} bytes", page.len());
    Ok(())
}

fn read(path: &Path) -> Result<String, Box<dyn Error>> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()).into())
}

fn replace(page: &str, what: &str, with: &str) -> Result<String, Box<dyn Error>> {
    match page.matches(what).count() {
        1 => Ok(page.replace(what, with)),
        found => Err(format!("index.html has {found} times: {what}").into()),
    }
}

fn element(name: &str, attributes: &str, text: &str) -> String {
    format!("<{name}{attributes}>\n{}\n</{name}>", text.replace("</script", "<\\/script"))
}

fn compressed(bytes: &[u8]) -> Result<String, Box<dyn Error>> {
    let mut packed = vec![];
    zopfli::compress(zopfli::Options::default(), zopfli::Format::Gzip, bytes, &mut packed)?;
    Ok(format!("{} {}", packed.len(), digits(&packed)))
}

/// Seven bits in each character, from U+0000 on: a seventh more bytes, where base 64 takes a third. Letters beyond
/// ASCII stand for those three that a script may not have, or that a page is read without.
fn digits(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() / 7 * 8 + 8);
    let mut push = |bits: u32| {
        let digit = bits & 127;
        let is_kept = !['\0', '\r', '<'].map(u32::from).contains(&digit);
        text.extend(char::from_u32(if is_kept { digit } else { 0x100 + digit }));
    };
    let (mut word, mut bits) = (0_u32, 0);
    for byte in bytes {
        word = word << 8 | u32::from(*byte);
        bits += 8;
        while bits >= 7 {
            bits -= 7;
            push(word >> bits);
        }
    }
    push(word << (7 - bits));
    text
}

/// A script with all that it imports before it, each once.
fn script(folder: &Path, name: &str) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    include(folder, name, &mut BTreeSet::new(), &mut text)?;
    let mut names = BTreeSet::new();
    match text.lines().filter_map(declared).find(|it| !names.insert(*it)) {
        Some(twice) => Err(format!("two scripts declare {twice}; rename one").into()),
        None => Ok(lean(&text)),
    }
}

/// Without indentation and comments: no text of the page spans lines.
fn lean(text: &str) -> String {
    let lines = text.lines().map(str::trim_start);
    lines
        .filter(|it| !it.is_empty() && !it.starts_with("//"))
        .fold(String::new(), |all, line| all + line + "\n")
}

fn include(
    folder: &Path,
    name: &str,
    included: &mut BTreeSet<String>,
    text: &mut String,
) -> Result<(), Box<dyn Error>> {
    if !included.insert(name.to_owned()) {
        return Ok(());
    }
    let own = read(&folder.join(name))?;
    let mut rest = String::new();
    for line in own.lines() {
        match line.strip_prefix("import ").and_then(|it| it.split_once(" from \"./")) {
            Some((_, file)) => include(folder, file.trim_end_matches("\";"), included, text)?,
            None => {
                rest += line.strip_prefix("export ").unwrap_or(line);
                rest.push('\n');
            }
        }
    }
    *text += &format!("// {name}\n{rest}");
    Ok(())
}

/// The name that a line declares at the top level.
fn declared(line: &str) -> Option<&str> {
    let line = line.strip_prefix("async ").unwrap_or(line);
    let words = ["function ", "const ", "let "];
    let rest = words.iter().find_map(|word| line.strip_prefix(word))?;
    rest.split(|it: char| !it.is_alphanumeric() && it != '_').next().filter(|it| !it.is_empty())
}
