//! Parts of a kernel's parameters: a parameter, a member of a structure, or what lies at a place in one.

use super::argument::ArgumentSource;
use super::element::Element;
use super::signature::{Member, ParameterType};

/// Bytes of a pointer.
pub(super) const POINTER_BYTES: usize = 8;
/// Members that messages name, at most.
const MOST_NAMES: usize = 24;

/// A part of the parameters that is given something.
#[derive(Debug)]
pub(super) struct Part<'a> {
    /// Its parameter's name, or its place if it has none, and what follows: `m.rows[2]`, `m@8`.
    pub(super) name: String,
    /// The same with the parameter's place: `0.rows[2]`.
    pub(super) place: String,
    /// Among all parameters.
    pub(super) offset: usize,
    /// In its parameter.
    pub(super) begin: usize,
    pub(super) bytes: usize,
    /// What it is.
    pub(super) of: ParameterType,
    /// Of a structure, where that is known.
    pub(super) members: &'a [Member],
    /// At a multiple of which numbers of its type begin.
    pub(super) alignment: usize,
}

/// What follows a parameter's name: nothing, `.member`, `[2]`, or `@8`.
pub(super) fn behind<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.strip_prefix(name).filter(|it| it.is_empty() || it.starts_with(['.', '[', '@']))
}

/// A name, and what follows it.
pub(super) fn split_name(text: &str) -> (&str, &str) {
    text.split_at(text.find(['.', '[', '@']).unwrap_or(text.len()))
}

/// A name as messages have it.
pub(super) fn called(name: &str) -> String {
    let is_place = name.bytes().all(|it| it.is_ascii_digit());
    if is_place { name.to_owned() } else { format!("`{name}`") }
}

impl<'a> Part<'a> {
    pub(super) fn called(&self) -> String {
        called(&self.name)
    }

    /// Whether they have bytes in common.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.offset < other.offset + other.bytes && other.offset < self.offset + self.bytes
    }

    /// The part that is meant by what follows a parameter's name, to which a source is given.
    pub(super) fn at(&self, behind: &str, source: &ArgumentSource) -> Result<Self, String> {
        if behind.is_empty() {
            return Ok(match self.members {
                [only] if only.bytes == self.bytes => self.part("", 0, self.bytes, only.of, &[]),
                members => self.part("", 0, self.bytes, self.of, members),
            });
        }
        if self.of != ParameterType::Other {
            return Err(format!("{} is no structure", self.called()));
        }
        let Some(digits) = behind.strip_prefix('@') else { return self.member(behind) };
        let offset: usize =
            digits.parse().map_err(|_| format!("write {}@8, a number of bytes", self.name))?;
        let (bytes, alignment) = stated_bytes(source)?;
        match offset.checked_add(bytes).filter(|it| *it <= self.bytes) {
            Some(_) => {
                let part = self.part(behind, offset, bytes, ParameterType::Other, &[]);
                Ok(Self { alignment, ..part })
            }
            None => Err(format!("{} has {} bytes", self.called(), self.bytes)),
        }
    }

    fn part(
        &self,
        behind: &str,
        offset: usize,
        bytes: usize,
        of: ParameterType,
        members: &'a [Member],
    ) -> Self {
        Self {
            name: format!("{}{behind}", self.name),
            place: format!("{}{behind}", self.place),
            offset: self.offset + offset,
            begin: offset,
            bytes,
            of,
            members,
            alignment: 1,
        }
    }

    /// A member, or several that a structure or an array in it consists of.
    fn member(&self, behind: &str) -> Result<Self, String> {
        let path = behind.strip_prefix('.').unwrap_or(behind);
        let is_of = |it: &Member| {
            let rest = it.path.strip_prefix(path);
            rest.is_some_and(|it| it.is_empty() || it.starts_with(['.', '[']))
        };
        let all = self.members;
        match (all.iter().position(is_of), all.iter().rposition(is_of)) {
            (Some(first), Some(last)) => {
                let own = &all[first..=last];
                let begin = own[0].offset;
                let end = own.iter().map(|it| it.offset + it.bytes).max().unwrap_or(begin);
                Ok(match own {
                    [only] => self.part(behind, begin, only.bytes, only.of, &[]),
                    _ => self.part(behind, begin, end - begin, ParameterType::Other, own),
                })
            }
            _ if all.is_empty() => Err(format!(
                "nothing says what {} consists of: say where its parts lie, in bytes, as in --arg \
                 {}@0=i32:32 --arg {}@8=random:f32[1000]",
                self.called(),
                self.name,
                self.name
            )),
            _ => {
                let known: Vec<&str> = all.iter().map(|it| &*it.path).take(MOST_NAMES).collect();
                let more = if all.len() > MOST_NAMES { ", …" } else { "" };
                let (own, known) = (self.called(), known.join(", "));
                Err(format!("{own} has no such member; it has {known}{more}"))
            }
        }
    }

    /// What of it none of these is, in words, and how that is given.
    pub(super) fn missing(&self, given: &[Self]) -> Option<(String, String)> {
        if given.iter().any(|it| it.bytes == self.bytes) {
            return None;
        }
        for it in self.members {
            let path =
                if it.path.starts_with('[') { it.path.clone() } else { format!(".{}", it.path) };
            let part = self.part(&path, it.offset, it.bytes, it.of, &[]);
            if !given.iter().any(|it| it.meets(&part)) {
                return Some((format!("parameter {}", part.called()), part.example()));
            }
        }
        match (self.members, given) {
            ([], []) => Some((format!("parameter {}", self.called()), self.example())),
            ([], given) => self.gap(given),
            _ => None,
        }
    }

    /// Bytes between parts that are more than what makes the next one begin at a multiple of its size.
    fn gap(&self, given: &[Self]) -> Option<(String, String)> {
        let mut all: Vec<(usize, usize, usize)> =
            given.iter().map(|it| (it.begin, it.bytes, it.alignment)).collect();
        all.sort_unstable();
        let most = all.iter().map(|it| it.2).max().unwrap_or(1);
        all.push((self.bytes, 0, most));
        let mut end: usize = 0;
        for (offset, bytes, alignment) in all {
            if end.next_multiple_of(alignment) < offset {
                let what = format!("parameter {}, bytes {end} to {},", self.called(), offset - 1);
                return Some((what, format!("--arg {}@{end}=i32:1", self.name)));
            }
            end = offset + bytes;
        }
        None
    }

    /// How it is given something.
    fn example(&self) -> String {
        let (name, size) = (&self.name, self.bytes);
        match self.of {
            ParameterType::Number(of) => {
                let value = if of.is_float() { "2.5" } else { "1000" };
                format!("--arg {name}={value} ({})", of.name())
            }
            ParameterType::Array(of) => {
                format!("--arg {name}=random:{}[1000]", of.map_or("f32", Element::name))
            }
            ParameterType::Linked => format!("--arg {name}=zeros:u8[1000]"),
            ParameterType::VirtualTable => format!("--arg {name}=0"),
            ParameterType::Other if size > POINTER_BYTES && size.is_multiple_of(4) => {
                let numbers = vec!["1"; size / 4].join(",");
                let numbers = if size > 64 { "1,2,3,…" } else { &numbers };
                format!(
                    "it has {size} bytes: --arg {name}=i32:{numbers}, or in parts --arg {name}@0=i32:1 \
                     --arg {name}@8=random:f32[1000]"
                )
            }
            ParameterType::Other => {
                format!("it has {size} bytes: --arg {name}=i32:1000, --arg {name}=random:f32[1000]")
            }
        }
    }
}

/// Bytes that a source states, and of one of its numbers.
fn stated_bytes(source: &ArgumentSource) -> Result<(usize, usize), String> {
    match source {
        ArgumentSource::Numbers(Some(of), texts) => Ok((of.bytes() * texts.len(), of.bytes())),
        ArgumentSource::Numbers(None, _) => Err("say its type, as in i32:1".to_owned()),
        ArgumentSource::Bytes(bytes) => Ok((bytes.len(), 1)),
        _ => Ok((POINTER_BYTES, POINTER_BYTES)),
    }
}
