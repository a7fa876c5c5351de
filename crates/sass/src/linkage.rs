//! What a module has addresses of: variables in global memory, constants, functions of the run time.

use object::elf::FileHeader64;
use object::read::elf::{ElfFile, ElfSymbol};
use object::{LittleEndian, Object, ObjectSection, ObjectSymbol};

/// Bytes of shared memory before those of a kernel.
pub const RESERVED_SHARED_BYTES: u64 = 1 << 10;
const RELOCATION_BYTES: usize = 24;
/// Variables of a module have this many bytes at most.
pub(super) const MOST_VARIABLE_BYTES: u64 = 1 << 30;

/// A `__constant__` of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// As the compiler calls it.
    pub name: String,
    /// Where it begins in its bank.
    pub offset: usize,
    /// How many it has.
    pub bytes: usize,
}

/// What an address may be of.
#[derive(Debug, Clone)]
pub(super) struct Symbol {
    pub(super) name: String,
    pub(super) kind: SymbolKind,
}

#[derive(Debug, Clone)]
pub(super) enum SymbolKind {
    /// In global memory, with what it holds at first.
    Variable(Vec<u8>),
    /// Of the device's run time.
    Function,
}

/// Where in bank 4 a symbol's address stands, and what is added to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Relocation {
    pub(super) offset: usize,
    pub(super) symbol: usize,
    pub(super) addend: i64,
}

pub(super) type File<'a> = ElfFile<'a, FileHeader64<LittleEndian>>;

/// What bank 4 has addresses of, and where.
pub(super) fn linkage(file: &File<'_>) -> (Vec<Symbol>, Vec<Relocation>) {
    let (mut symbols, mut relocations): (Vec<Symbol>, Vec<Relocation>) = (vec![], vec![]);
    let Some(section) = file.section_by_name(".rela.nv.constant4") else {
        return (symbols, relocations);
    };
    for entry in section.data().unwrap_or_default().chunks_exact(RELOCATION_BYTES) {
        let number = |at: usize| {
            let bytes = entry[at..at + 8].try_into().unwrap_or_default();
            u64::from_le_bytes(bytes)
        };
        let index = object::SymbolIndex((number(8) >> 32) as usize);
        let Ok(found) = file.symbol_by_index(index) else { continue };
        let name = found.name().unwrap_or_default();
        let symbol = symbols.iter().position(|it| it.name == name).unwrap_or_else(|| {
            let kind = variable(file, &found).map_or(SymbolKind::Function, SymbolKind::Variable);
            symbols.push(Symbol { name: name.to_owned(), kind });
            symbols.len() - 1
        });
        let (offset, addend) = (number(0) as usize, number(16).cast_signed());
        relocations.push(Relocation { offset, symbol, addend });
    }
    (symbols, relocations)
}

/// What a variable in global memory holds at first.
fn variable<'a>(file: &File<'a>, symbol: &impl ObjectSymbol<'a>) -> Option<Vec<u8>> {
    let section = file.section_by_index(symbol.section_index()?).ok()?;
    let name = section.name().ok()?;
    let (at, bytes) =
        (symbol.address() as usize, symbol.size().min(MOST_VARIABLE_BYTES + 1) as usize);
    match name {
        ".nv.global.init" => Some(section.data().ok()?.get(at..at.checked_add(bytes)?)?.to_vec()),
        ".nv.global" => Some(vec![0; bytes]),
        _ => None,
    }
}

pub(super) fn named_constants(file: &File<'_>) -> Vec<Variable> {
    let Some(section) = file.section_by_name(".nv.constant3").map(|it| it.index()) else {
        return vec![];
    };
    let own = file.symbols().filter(|it| it.section_index() == Some(section) && it.size() > 0);
    let of = |it: ElfSymbol<'_, '_, FileHeader64<LittleEndian>>| Variable {
        name: it.name().unwrap_or_default().to_owned(),
        offset: it.address() as usize,
        bytes: it.size() as usize,
    };
    own.map(of).collect()
}

/// Whether a mangled name of a variable is that of a name.
pub fn is_named(mangled: &str, name: &str) -> bool {
    let own = mangled.strip_prefix("_ZN").map_or(mangled, |it| it);
    own != name && own.ends_with(&format!("{}{name}E", name.len()))
}
