//! Types of C.

use crate::notation::token::Token;
use crate::syntax::Type;

/// What stands before a declared name.
pub(super) struct Typed {
    pub(super) element: Option<Type>,
    pub(super) is_constant: bool,
    /// Stars, and brackets before the name.
    pub(super) is_array: bool,
    /// How many tokens it is.
    pub(super) length: usize,
}

const WORDS: [&str; 31] = [
    "int",
    "unsigned",
    "signed",
    "long",
    "short",
    "char",
    "float",
    "double",
    "void",
    "bool",
    "_Bool",
    "boolean",
    "size_t",
    "int32_t",
    "int64_t",
    "uint32_t",
    "uint64_t",
    "uint8_t",
    "auto",
    "int8_t",
    "int16_t",
    "uint16_t",
    "ssize_t",
    "ptrdiff_t",
    "byte",
    "vector",
    "List",
    "ArrayList",
    "Vector",
    "String",
    "var",
];

/// Words of types that are arrays of what stands in angles behind them.
const LISTS: [&str; 4] = ["vector", "List", "ArrayList", "Vector"];

const QUALIFIERS: [&str; 14] = [
    "const",
    "static",
    "volatile",
    "restrict",
    "__restrict__",
    "__restrict",
    "inline",
    "extern",
    "register",
    "public",
    "private",
    "final",
    "__device__",
    "global",
];

/// The type of a cast, `float` or `unsigned int`, as the plain form calls it.
pub(in crate::notation) fn element(tokens: &[Token]) -> Option<&'static str> {
    let typed = typed(tokens)?;
    (typed.length == tokens.len() && !typed.is_array)
        .then(|| typed.element.map(Type::word))
        .flatten()
}

pub(super) fn typed(tokens: &[Token]) -> Option<Typed> {
    let mut it = Typed { element: None, is_constant: false, is_array: false, length: 0 };
    let (mut words, mut at) = (vec![], 0);
    while let Some(token) = tokens.get(at) {
        let text = token.text.as_str();
        if QUALIFIERS.contains(&text) {
            it.is_constant |= text == "const" || text == "final";
        } else if text == "std" && tokens.get(at + 1).is_some_and(|it| it.is("::")) {
            at += 1;
        } else if WORDS.contains(&text) {
            words.push(text);
            if LISTS.contains(&text) && tokens.get(at + 1).is_some_and(|it| it.is("<")) {
                let close = tokens[at..].iter().position(|it| it.text.starts_with('>'))?;
                words.extend(tokens[at + 2..at + close].iter().map(|it| it.text.as_str()));
                at += close;
                it.is_array = true;
            }
        } else if !words.is_empty() && (text == "*" || text == "&") {
            it.is_array |= text == "*";
        } else if !words.is_empty()
            && text == "["
            && tokens.get(at + 1).is_some_and(|it| it.is("]"))
        {
            it.is_array = true;
            at += 1;
        } else {
            break;
        }
        at += 1;
    }
    it.length = at;
    let has = |word: &str| words.contains(&word);
    let unsigned = has("unsigned");
    it.element = match () {
        () if words.is_empty() => return None,
        () if has("float") || has("Float") => Some(Type::F32),
        () if has("double") || has("Double") => Some(Type::F64),
        () if has("bool") || has("_Bool") || has("boolean") || has("Boolean") => Some(Type::Bool),
        () if has("char") || has("uint8_t") || has("byte") => {
            Some(if unsigned || !has("char") { Type::U8 } else { Type::I8 })
        }
        () if has("int8_t") => Some(Type::I8),
        () if has("int16_t") => Some(Type::I16),
        () if has("uint16_t") => Some(Type::U16),
        () if has("short") => Some(if unsigned { Type::U16 } else { Type::I16 }),
        () if has("uint64_t") || has("size_t") || unsigned && has("long") => Some(Type::U64),
        () if has("uint32_t") || unsigned => Some(Type::U32),
        () if has("long")
            || has("Long")
            || has("int64_t")
            || has("ssize_t")
            || has("ptrdiff_t") =>
        {
            Some(Type::I64)
        }
        () if has("auto") || has("void") || has("var") => None,
        () => Some(Type::I32),
    };
    Some(it)
}
