//! A source and its own headers without what runs on the host. Where words do not tell what that is, the
//! compiler does: a declaration that is not the device's and has an error in it is left out, too.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::host_code::{Words, launched_instances, without_host_code};
use super::host_headers::{included, is_host_header};

/// So often a compiler is asked.
const MOST_ROUNDS: usize = 12;

/// The files, the first of which includes the others.
pub(super) struct DeviceCode {
    files: Vec<OwnFile>,
    numbers: BTreeMap<PathBuf, usize>,
    words: Words,
    /// Instances of templates that the host launches, a line each behind the first file.
    launched: Vec<Option<String>>,
    /// What the compiler said of headers that are not there.
    lacking: Vec<String>,
}

struct OwnFile {
    /// As the compiler calls it.
    name: String,
    source: String,
    /// By what stands in its lines, which file that is.
    headers: BTreeMap<String, usize>,
    lines: usize,
    /// From 0 on.
    lines_with_errors: BTreeSet<usize>,
}

impl DeviceCode {
    /// Of a source at a path, with headers that lie beside it or in folders.
    pub(super) fn new(source: &str, path: &Path, folders: &[PathBuf]) -> Self {
        let launched = launched_instances(source).into_iter().map(Some).collect();
        let (files, numbers, words) = (vec![], BTreeMap::new(), Words::default());
        let mut it = Self { files, numbers, words, launched, lacking: vec![] };
        // Headers of CUDA stay its own.
        let is_own = |it: &&PathBuf| !it.join("cuda_runtime_api.h").exists();
        let folders: Vec<PathBuf> = folders.iter().filter(is_own).cloned().collect();
        it.add(source.to_owned(), path, &folders);
        it
    }

    fn add(&mut self, source: String, path: &Path, folders: &[PathBuf]) -> usize {
        let number = self.files.len();
        self.numbers.insert(path.to_owned(), number);
        self.words.add_macros(&source);
        let lines: Vec<String> = source.lines().map(str::to_owned).collect();
        let name = path.display().to_string();
        let (headers, lines_with_errors) = (BTreeMap::new(), BTreeSet::new());
        self.files.push(OwnFile { name, source, headers, lines: lines.len(), lines_with_errors });
        let own = path.parent().unwrap_or(Path::new("")).to_owned();
        for line in &lines {
            let Some((header, is_quoted)) = included(line) else { continue };
            let beside = is_quoted.then_some(&own);
            let found = beside.into_iter().chain(folders).map(|it| it.join(header));
            let Some(found) = found.into_iter().find(|it| it.is_file()) else { continue };
            let known = self.numbers.get(&found).copied();
            let Some(header_number) = known.or_else(|| {
                let source = String::from_utf8_lossy(&std::fs::read(&found).ok()?).into_owned();
                Some(self.add(source, &found, folders))
            }) else {
                continue;
            };
            self.files[number].headers.insert(header.to_owned(), header_number);
        }
        number
    }

    /// Compiles it by a function that takes texts, the first of which includes the others by their
    /// [`header_name`], and gives the compiler's log where there are errors.
    pub(super) fn compile<T>(
        mut self,
        mut compiler: impl FnMut(&[String]) -> Result<T, String>,
    ) -> Result<T, String> {
        let mut texts = self.texts();
        for _ in 0..MOST_ROUNDS {
            let log = match compiler(&texts) {
                Ok(it) => return Ok(it),
                Err(log) => log,
            };
            log.lines().for_each(|it| self.note_error(it));
            let mut next = self.texts();
            if next == texts {
                if self.launched.is_empty() {
                    return Err([self.lacking, vec![log]].concat().join("\n"));
                }
                self.launched.clear();
                next = self.texts();
            }
            texts = next;
        }
        compiler(&texts)
    }

    /// Of a line of the log: `FILE(LINE): error` or `FILE:LINE:COLUMN: error`.
    fn note_error(&mut self, line: &str) {
        for file in self.files.iter_mut().filter(|_| line.contains("error")) {
            let Some(rest) = line.strip_prefix(&file.name) else { continue };
            let digits = rest.get(1..).unwrap_or_default();
            let end = digits.find(|it: char| !it.is_ascii_digit()).unwrap_or(digits.len());
            if let (true, Ok(number)) = (rest.starts_with(['(', ':']), digits[..end].parse()) {
                let at = usize::saturating_sub(number, 1);
                let is_new = file.lines_with_errors.insert(at);
                let header = file.source.lines().nth(at).and_then(included);
                if is_new && header.is_some_and(|it| !is_host_header(it.0)) {
                    self.lacking.push(line.to_owned());
                }
                let behind = at.checked_sub(file.lines);
                if let Some(it) = behind.and_then(|it| self.launched.get_mut(it)) {
                    *it = None;
                }
            }
        }
    }

    /// By file, its text.
    fn texts(&self) -> Vec<String> {
        let mut texts: Vec<String> = self.files.iter().map(|it| it.text(&self.words)).collect();
        // A pointer to each makes the compiler make it.
        for (at, it) in self.launched.iter().enumerate() {
            let line = it.as_ref().map(|it| format!("__device__ auto umm_launched_{at} = &{it};"));
            texts[0] += &(line.unwrap_or_default() + "\n");
        }
        texts
    }
}

impl OwnFile {
    fn text(&self, words: &Words) -> String {
        let mut all = format!("#line 1 \"{}\"\n", self.name.replace('\\', "\\\\"));
        for line in without_host_code(&self.source, words, &self.lines_with_errors).lines() {
            match included(line).and_then(|it| self.headers.get(it.0)) {
                Some(number) => all += &format!("#include \"{}\"", header_name(*number)),
                None => all += line,
            }
            all.push('\n');
        }
        all
    }
}

/// What a file's text is included as, which no other header is.
pub(super) fn header_name(number: usize) -> String {
    format!("umm_header_{number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_inlined_and_the_compiler_says_what_is_the_hosts() {
        let folder = tempfile::tempdir().expect("a folder");
        let header = "#pragma once\n#define BOTH __host__ __device__\ninline void time(Clock c) { c.now(); }\n\
            BOTH inline float twice(float a) { return a + a; }\n";
        std::fs::write(folder.path().join("own.h"), header).expect("written");
        let path = folder.path().join("k.cu");
        let source = "#include <cstdio>\n#include \"own.h\"\nusing std::cout;\n\
            struct Timer { std::clock begin; };\n\
            struct __align__(8) Pair {\n  int a;\n  void print() {\n    cerr << a;\n  }\n  int b;\n};\n\
            constexpr int square(int a) { return a * a; }\n__global__ void k(float *x) { x[0] = twice(x[0]); }\n";
        let code = DeviceCode::new(source, &path, &[]);
        let mut asked = 0;
        let texts = code.compile(|texts| {
            asked += 1;
            let log = format!(
                "{0}(3): error: no cout\n{0}:4:9: error: no clock\n{0}(8): error",
                path.display()
            );
            if texts[0].contains("cout") { Err(log) } else { Ok(texts.join("")) }
        });
        let text = texts.expect("compiles");
        assert_eq!(asked, 2);
        for it in [
            "#include <cstdio>",
            "inline float twice",
            "void k(float",
            "#include \"umm_header_1\"\n",
        ] {
            assert!(text.contains(it), "{it}: {text}");
        }
        for it in ["#include \"own.h\"", "cerr", "void time", "Timer", "cout"] {
            assert!(!text.contains(it), "{it}: {text}");
        }
        // What the host launches is there, unless it needs something of the host.
        let source = "template <class T, int N> __global__ void k(T *x) { x[0] = N; }\n\
            int main() {\n  int n = 3;\n  k<float, 4> <<<1, 1>>>(x);\n  k<int, n><<<1, 1>>>(y);\n}\n";
        let code = DeviceCode::new(source, &path, &[]);
        let log = format!("{}(8): error: no n", path.display());
        let text = code.compile(|texts| {
            if texts[0].contains("int, n>") { Err(log.clone()) } else { Ok(texts.join("")) }
        });
        let text = text.expect("compiles");
        assert!(text.ends_with("\n__device__ auto umm_launched_0 = &k<float, 4>;\n\n"), "{text}");
        // A header that is not there may be the host's; if it is not, it is named.
        let source = "#include <fft.h>\n__global__ void k() { right; }\n";
        let lacks =
            format!("{}(1): catastrophic error: cannot open source file \"fft.h\"", path.display());
        let code = |error: &str| {
            DeviceCode::new(source, &path, &[]).compile(|texts| match texts[0].contains("fft.h") {
                true => Err(lacks.clone()),
                false if error.is_empty() => Ok(()),
                false => Err(error.to_owned()),
            })
        };
        assert_eq!(code(""), Ok(()));
        assert_eq!(code("no fft"), Err(format!("{lacks}\nno fft")));
        let source = "__global__ void k() { wrong; }\n";
        let code = DeviceCode::new(source, &path, &[]);
        let log = format!("{}(1): error: wrong", path.display());
        assert_eq!(code.compile(|_| Err::<(), _>(log.clone())), Err(log));
    }
}
