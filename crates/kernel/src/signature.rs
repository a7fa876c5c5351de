//! What a kernel's parameters are: its mangled name says so (the Itanium ABI of C++).

use super::element::Element;

/// A parameter's type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterType {
    /// A number.
    Number(Element),
    /// An array in global memory, of these elements if it is known.
    Array(Option<Element>),
    /// Structures that hold pointers themselves, in global memory.
    Linked,
    /// The table of an object's virtual functions.
    VirtualTable,
    /// A structure, or what is not known: bytes.
    Other,
}

/// A parameter of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// As the source calls it, where that is known.
    pub name: Option<String>,
    /// What it is.
    pub of: ParameterType,
    /// Of a structure, where that is known, the numbers and pointers that it consists of.
    pub members: Vec<Member>,
}

impl Parameter {
    /// A number, a pointer, or what is not known.
    pub fn plain(name: Option<String>, of: ParameterType) -> Self {
        Self { name, of, members: vec![] }
    }

    /// Where the last of its members ends.
    pub(super) fn bytes(&self) -> usize {
        self.members.iter().map(|it| it.offset.saturating_add(it.bytes)).max().unwrap_or(0)
    }
}

/// A number or a pointer of a structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The way to it, as in `rows[2].elements`.
    pub path: String,
    /// Where it begins in the structure.
    pub offset: usize,
    /// Its size.
    pub bytes: usize,
    /// What it is.
    pub of: ParameterType,
}

/// A kernel's name and parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// As the source has it, without what it stands in.
    pub name: String,
    /// In their order; none, where the name does not say them.
    pub parameters: Option<Vec<Parameter>>,
}

impl Signature {
    /// Of a name as it stands in machine code.
    pub fn of(mangled: &str) -> Self {
        let plain = || Self { name: mangled.to_owned(), parameters: None };
        let Some(rest) = mangled.strip_prefix("_Z") else { return plain() };
        let mut reader = Reader { rest: rest.as_bytes(), known: vec![], template: vec![] };
        let Some((name, is_template)) = reader.name() else { return plain() };
        if is_template {
            // What it returns comes first.
            reader.of_type();
        }
        let mut parameters = vec![];
        while !reader.rest.is_empty() {
            match reader.of_type() {
                Some(Type::Void) => break,
                Some(it) => parameters.push(Parameter::plain(None, it.parameter())),
                None => return Self { name, parameters: None },
            }
        }
        Self { name, parameters: Some(parameters) }
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Type {
    Void,
    Number(Element),
    /// Of a name, such as `__half`.
    Named(String),
    Pointer(Box<Type>),
    Other,
}

impl Type {
    fn element(&self) -> Option<Element> {
        match self {
            Self::Number(it) => Some(*it),
            Self::Named(name) => {
                let vector = name.trim_end_matches(['1', '2', '3', '4']);
                Some(match vector {
                    "__half" => Element::Float(2),
                    "__nv_bfloat16" | "__nv_bfloat" => Element::Bf16,
                    "float" => Element::Float(4),
                    "double" => Element::Float(8),
                    "int" => Element::Signed(4),
                    "uint" => Element::Unsigned(4),
                    "char" => Element::Signed(1),
                    "uchar" => Element::Unsigned(1),
                    "short" => Element::Signed(2),
                    "ushort" => Element::Unsigned(2),
                    _ => return None,
                })
            }
            _ => None,
        }
    }

    fn parameter(&self) -> ParameterType {
        match self {
            Self::Number(it) => ParameterType::Number(*it),
            Self::Pointer(of) => ParameterType::Array(of.element()),
            Self::Named(name) if name == "__half" || name == "__nv_bfloat16" => {
                self.element().map_or(ParameterType::Other, ParameterType::Number)
            }
            _ => ParameterType::Other,
        }
    }
}

struct Reader<'a> {
    rest: &'a [u8],
    /// What later parts may refer to by number.
    known: Vec<Type>,
    template: Vec<Type>,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn takes(&mut self, text: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(text.as_bytes()) else { return false };
        self.rest = rest;
        true
    }

    fn digits(&mut self) -> Option<usize> {
        let count = self.rest.iter().take_while(|it| it.is_ascii_digit()).count();
        let (digits, rest) = self.rest.split_at(count);
        self.rest = rest;
        std::str::from_utf8(digits).ok()?.parse().ok()
    }

    fn word(&mut self) -> Option<String> {
        self.takes("L");
        let length = self.digits()?;
        let (word, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(String::from_utf8_lossy(word).into_owned())
    }

    /// The function's name, and whether it is a template's.
    fn name(&mut self) -> Option<(String, bool)> {
        let mut is_template = false;
        if !self.takes("N") {
            let name = self.word()?;
            if self.rest.first() == Some(&b'I') {
                self.known.push(Type::Named(name.clone()));
                self.template = self.arguments()?;
                is_template = true;
            }
            return Some((name, is_template));
        }
        let mut name = String::new();
        while !self.takes("E") {
            match self.rest.first()? {
                b'I' => {
                    self.template = self.arguments()?;
                    is_template = true;
                }
                _ => {
                    name = self.word()?;
                    is_template = false;
                }
            }
            if self.rest.first() != Some(&b'E') {
                self.known.push(Type::Named(name.clone()));
            }
        }
        Some((name, is_template))
    }

    fn arguments(&mut self) -> Option<Vec<Type>> {
        if !self.takes("I") {
            return None;
        }
        let mut all = vec![];
        while !self.takes("E") {
            if self.takes("L") {
                // A value: its type, and its digits.
                self.of_type()?;
                while self.next()? != b'E' {}
                all.push(Type::Other);
            } else if self.takes("J") {
                while !self.takes("E") {
                    all.push(self.of_type()?);
                }
            } else {
                all.push(self.of_type()?);
            }
        }
        Some(all)
    }

    fn number_in_36(&mut self) -> Option<usize> {
        let mut value: Option<usize> = None;
        loop {
            match self.next()? {
                b'_' => return Some(value.map_or(0, |it| it + 1)),
                digit => {
                    let digit = char::from(digit).to_digit(36)? as usize;
                    value = Some(value.unwrap_or(0).checked_mul(36)?.checked_add(digit)?);
                }
            }
        }
    }

    fn remember(&mut self, it: Type) -> Type {
        self.known.push(it.clone());
        it
    }

    fn of_type(&mut self) -> Option<Type> {
        let number = |it| Some(Type::Number(it));
        if self.rest.first()?.is_ascii_digit() {
            let name = self.word()?;
            let it = self.remember(Type::Named(name));
            if self.rest.first() == Some(&b'I') {
                self.arguments()?;
                return Some(self.remember(Type::Other));
            }
            return Some(it);
        }
        match self.next()? {
            b'v' => Some(Type::Void),
            b'b' => number(Element::Bool),
            b'c' | b'a' => number(Element::Signed(1)),
            b'h' => number(Element::Unsigned(1)),
            b's' => number(Element::Signed(2)),
            b't' => number(Element::Unsigned(2)),
            b'i' => number(Element::Signed(4)),
            b'j' => number(Element::Unsigned(4)),
            b'l' | b'x' => number(Element::Signed(8)),
            b'm' | b'y' => number(Element::Unsigned(8)),
            b'f' => number(Element::Float(4)),
            b'd' => number(Element::Float(8)),
            b'P' | b'R' | b'O' => {
                let of = self.of_type()?;
                Some(self.remember(Type::Pointer(Box::new(of))))
            }
            // `__restrict__` is no part of what is referred to, but a qualified type is.
            b'r' => self.of_type(),
            b'K' | b'V' => {
                self.takes("V");
                let of = self.of_type()?;
                Some(self.remember(of))
            }
            b'S' => {
                if self.takes("t") {
                    let name = self.word()?;
                    return Some(self.remember(Type::Named(name)));
                }
                let at = self.number_in_36()?;
                let it = self.known.get(at).cloned()?;
                if self.rest.first() == Some(&b'I') {
                    self.arguments()?;
                    return Some(self.remember(Type::Other));
                }
                Some(it)
            }
            b'T' => {
                let at = self.number_in_36()?;
                let it = self.template.get(at).cloned()?;
                Some(self.remember(it))
            }
            b'N' => {
                let mut name = String::new();
                while !self.takes("E") {
                    if self.rest.first() == Some(&b'I') {
                        self.arguments()?;
                    } else if self.takes("S") {
                        self.number_in_36()?;
                        continue;
                    } else {
                        name = self.word()?;
                    }
                    self.known.push(Type::Named(name.clone()));
                }
                Some(Type::Named(name))
            }
            b'A' => {
                self.digits()?;
                self.takes("_");
                // It stands behind a pointer, to which its elements are all there is.
                let of = self.of_type()?;
                Some(self.remember(of))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(mangled: &str) -> (String, Vec<ParameterType>) {
        let it = Signature::of(mangled);
        (it.name, it.parameters.unwrap().into_iter().map(|it| it.of).collect())
    }

    #[test]
    fn mangled_names_say_types() {
        use ParameterType::{Array, Number, Other};
        let (single, word) = (Element::Float(4), Element::Signed(4));
        assert_eq!(
            of("_Z5saxpyifPKfPf"),
            (
                "saxpy".into(),
                vec![Number(word), Number(single), Array(Some(single)), Array(Some(single))]
            )
        );
        assert_eq!(
            of("_Z6reduceIdLj256EEvPT_S1_i"),
            (
                "reduce".into(),
                vec![Array(Some(Element::Float(8))), Array(Some(Element::Float(8))), Number(word)]
            )
        );
        assert_eq!(of("_Z4copyPK6float4PS_").1, [Array(Some(single)), Array(Some(single))]);
        let double = Array(Some(Element::Float(8)));
        assert_eq!(of("_Z1fPA400_A400_dS1_i").1, [double, double, Number(word)]);
        assert_eq!(of("_ZN2ns4kernE7optionsmPyb").0, "kern");
        assert_eq!(of("_ZN2ns4kernE7optionsmPyb").1[0], Other);
        assert_eq!(of("_Z5emptyv").1, []);
        assert_eq!(Signature::of("plain").parameters, None);
    }
}
