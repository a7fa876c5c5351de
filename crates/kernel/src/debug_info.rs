//! What a compiler's debug information (DWARF) says of a kernel's parameters: how they are called, what they
//! are, and where the members of structures lie.

use std::cell::Cell;

use gimli::{AttributeValue, Dwarf, EndianSlice, LittleEndian, Operation, Unit, UnitOffset};
use object::elf::FileHeader64;
use object::read::elf::ElfFile;
use object::{Object, ObjectSection};

use super::element::Element;
use super::signature::{Member, Parameter, ParameterType};

type Bytes<'a> = EndianSlice<'a, LittleEndian>;
type Entry<'a> = gimli::DebuggingInformationEntry<Bytes<'a>>;

/// Types that a parameter consists of, at most: all parameters together have 32 KiB.
const MOST_STEPS: usize = 1 << 18;
/// Types within each other, at most.
const MOST_DEPTH: usize = 64;
const POINTER_BYTES: usize = 8;

/// A kernel's parameters, by their place, as machine code with debug information (`-G`) says them; none, if
/// it says nothing of this kernel.
pub(super) fn debug_parameters(cubin: &[u8], kernel: &str) -> Option<Vec<Parameter>> {
    find(cubin, |types| types.parameters(kernel))
}

/// The same of a variable, such as a `__constant__`.
pub(super) fn debug_variable(cubin: &[u8], name: &str) -> Option<Parameter> {
    find(cubin, |types| types.entry(gimli::DW_TAG_variable, name).map(|it| types.parameter(&it)))
}

/// What one of the units says.
fn find<T>(cubin: &[u8], mut of: impl FnMut(&Types<'_, '_>) -> Option<T>) -> Option<T> {
    let file = ElfFile::<FileHeader64<object::LittleEndian>>::parse(cubin).ok()?;
    let section = |id: gimli::SectionId| -> Result<Bytes<'_>, gimli::Error> {
        let data = file.section_by_name(id.name()).and_then(|it| it.data().ok());
        Ok(EndianSlice::new(data.unwrap_or_default(), LittleEndian))
    };
    let dwarf = Dwarf::load(section).ok()?;
    let mut units = dwarf.units();
    while let Ok(Some(header)) = units.next() {
        let unit = dwarf.unit(header).ok()?;
        if let Some(found) = of(&Types { dwarf: &dwarf, unit: &unit, steps: Cell::new(0) }) {
            return Some(found);
        }
    }
    None
}

/// The types of a unit.
struct Types<'a, 'd> {
    dwarf: &'a Dwarf<Bytes<'d>>,
    unit: &'a Unit<Bytes<'d>>,
    /// Types that were read of a parameter.
    steps: Cell<usize>,
}

/// Where a type stands in a parameter.
struct Place {
    path: String,
    offset: usize,
    /// How many types it is within.
    depth: usize,
    /// Whether it is what a pointer points to.
    is_target: bool,
}

impl Place {
    /// A part of it.
    fn part(&self, path: String, offset: usize) -> Self {
        let offset = self.offset.saturating_add(offset);
        Self { path, offset, depth: self.depth + 1, is_target: self.is_target }
    }

    fn member(&self, name: &str, offset: usize) -> Self {
        let dot = if self.path.is_empty() { "" } else { "." };
        self.part(format!("{}{dot}{name}", self.path), offset)
    }

    fn put(&self, of: ParameterType, bytes: usize, all: &mut Vec<Member>) {
        all.push(Member { path: self.path.clone(), offset: self.offset, bytes, of });
    }
}

const WHOLE: Place = Place { path: String::new(), offset: 0, depth: 0, is_target: false };

impl<'d> Types<'_, 'd> {
    fn parameters(&self, kernel: &str) -> Option<Vec<Parameter>> {
        let entry = self.entry(gimli::DW_TAG_subprogram, kernel)?;
        let all = self.children(entry.offset())?.into_iter();
        let own = all.filter(|it| it.tag() == gimli::DW_TAG_formal_parameter);
        Some(own.map(|it| self.parameter(&it)).collect())
    }

    /// What has a name, by the source or by the linker.
    fn entry(&self, tag: gimli::DwTag, name: &str) -> Option<Entry<'d>> {
        let names = [gimli::DW_AT_linkage_name, gimli::DW_AT_MIPS_linkage_name, gimli::DW_AT_name];
        let mut entries = self.unit.entries();
        while let Some(entry) = entries.next_dfs().ok()? {
            let is_it = |of: gimli::DwAt| {
                let own = self.text(entry, of);
                own.is_some_and(|it| it == name || memory_machine_sass::is_named(&it, name))
            };
            if entry.tag() == tag && names.into_iter().any(is_it) {
                return Some(entry.clone());
            }
        }
        None
    }

    fn parameter(&self, entry: &Entry<'d>) -> Parameter {
        let name = self.text(entry, gimli::DW_AT_name);
        let mut members = vec![];
        self.steps.set(0);
        let read = self.of(entry).and_then(|it| self.members(it, &WHOLE, &mut members));
        match (read, &members[..]) {
            (None, _) => Parameter::plain(name, ParameterType::Other),
            (_, [only]) if only.path.is_empty() => Parameter::plain(name, only.of),
            _ => Parameter { name, of: ParameterType::Other, members },
        }
    }

    /// The numbers and pointers that a type consists of; none, if it is not known.
    fn members(&self, of: UnitOffset, place: &Place, all: &mut Vec<Member>) -> Option<()> {
        self.step(place)?;
        let entry = self.unit.entry(of).ok()?;
        match entry.tag() {
            gimli::DW_TAG_base_type | gimli::DW_TAG_enumeration_type => {
                let of = self.element(&entry).map_or(ParameterType::Other, ParameterType::Number);
                place.put(of, self.number(&entry, gimli::DW_AT_byte_size)?, all);
            }
            gimli::DW_TAG_pointer_type
            | gimli::DW_TAG_reference_type
            | gimli::DW_TAG_rvalue_reference_type => {
                let of =
                    if place.is_target { ParameterType::Array(None) } else { self.array(&entry) };
                place.put(of, POINTER_BYTES, all);
            }
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type => {
                match self.half(&entry) {
                    Some(half) => place.put(ParameterType::Number(half), half.bytes(), all),
                    None => self.structure(of, place, all)?,
                }
            }
            // What a pointer points to are such elements, however many.
            gimli::DW_TAG_array_type if place.is_target => {
                self.members(self.of(&entry)?, &place.part(String::new(), 0), all)?;
            }
            gimli::DW_TAG_array_type => {
                let (element, stride) =
                    (self.of(&entry)?, self.bytes(self.of(&entry)?, place.depth)?);
                let extents = self.extents(of)?;
                self.elements((element, stride), &extents, place, all)?;
            }
            _ => {
                return self.members(
                    self.aliased(&entry)?,
                    &place.part(place.path.clone(), 0),
                    all,
                );
            }
        }
        Some(())
    }

    /// Counts a type; none, if there are too many of them.
    fn step(&self, place: &Place) -> Option<()> {
        self.steps.set(self.steps.get() + 1);
        (place.depth <= MOST_DEPTH && self.steps.get() <= MOST_STEPS).then_some(())
    }

    fn structure(&self, of: UnitOffset, place: &Place, all: &mut Vec<Member>) -> Option<()> {
        for entry in self.children(of)? {
            let name = self.text(&entry, gimli::DW_AT_name).unwrap_or_default();
            // NVIDIA's compiler has classes that it is derived from as members.
            let is_base = entry.tag() == gimli::DW_TAG_inheritance || name.starts_with("__b_");
            let is_static =
                entry.has_attr(gimli::DW_AT_external) || entry.has_attr(gimli::DW_AT_declaration);
            if !is_base && (entry.tag() != gimli::DW_TAG_member || is_static) {
                continue;
            }
            let offset = self.offset(&entry)?;
            let place = match name.is_empty() || is_base {
                true => place.part(place.path.clone(), offset),
                false => place.member(&name, offset),
            };
            if name.starts_with("__vptr") {
                place.put(ParameterType::VirtualTable, POINTER_BYTES, all);
            } else if entry.has_attr(gimli::DW_AT_bit_size) {
                // Several share their bytes.
                place.put(ParameterType::Other, self.bytes(self.of(&entry)?, place.depth)?, all);
            } else {
                self.members(self.of(&entry)?, &place, all)?;
            }
        }
        Some(())
    }

    /// The elements of an array, the extents of which are given from the first one on.
    fn elements(
        &self,
        (element, stride): (UnitOffset, usize),
        extents: &[usize],
        place: &Place,
        all: &mut Vec<Member>,
    ) -> Option<()> {
        self.step(place)?;
        let Some((extent, inner)) = extents.split_first() else {
            return self.members(element, place, all);
        };
        let step = inner.iter().try_fold(stride, |all, it| all.checked_mul(*it))?;
        for at in 0..*extent {
            let part = place.part(format!("{}[{at}]", place.path), at.checked_mul(step)?);
            self.elements((element, stride), inner, &part, all)?;
        }
        Some(())
    }

    /// What a pointer points to.
    fn array(&self, pointer: &Entry<'d>) -> ParameterType {
        let mut members = vec![];
        let place = Place { is_target: true, ..WHOLE };
        let read = self.of(pointer).and_then(|it| self.members(it, &place, &mut members));
        let is_pointer =
            |it: &Member| !matches!(it.of, ParameterType::Number(_) | ParameterType::Other);
        match (read, members.first().map(|it| it.of)) {
            (Some(()), _) if members.iter().any(is_pointer) => ParameterType::Linked,
            (Some(()), Some(ParameterType::Number(of)))
                if members.iter().all(|it| it.of == ParameterType::Number(of)) =>
            {
                ParameterType::Array(Some(of))
            }
            _ => ParameterType::Array(None),
        }
    }

    /// A type that another is a name for, or that it is a constant of.
    fn aliased(&self, entry: &Entry<'d>) -> Option<UnitOffset> {
        let kinds = [
            gimli::DW_TAG_typedef,
            gimli::DW_TAG_const_type,
            gimli::DW_TAG_volatile_type,
            gimli::DW_TAG_restrict_type,
        ];
        self.of(entry).filter(|_| kinds.contains(&entry.tag()))
    }

    fn half(&self, entry: &Entry<'d>) -> Option<Element> {
        match self.text(entry, gimli::DW_AT_name)?.as_str() {
            "__half" => Some(Element::Float(2)),
            "__nv_bfloat16" => Some(Element::Bf16),
            _ => None,
        }
    }

    fn element(&self, entry: &Entry<'d>) -> Option<Element> {
        let bytes = self.number(entry, gimli::DW_AT_byte_size)? as u8;
        if entry.tag() == gimli::DW_TAG_enumeration_type {
            return matches!(bytes, 1 | 2 | 4 | 8).then_some(Element::Signed(bytes));
        }
        let AttributeValue::Encoding(encoding) = entry.attr_value(gimli::DW_AT_encoding)? else {
            return None;
        };
        match (encoding, bytes) {
            (gimli::DW_ATE_boolean, 1) => Some(Element::Bool),
            (gimli::DW_ATE_float, 2 | 4 | 8) => Some(Element::Float(bytes)),
            (gimli::DW_ATE_signed | gimli::DW_ATE_signed_char, 1 | 2 | 4 | 8) => {
                Some(Element::Signed(bytes))
            }
            (
                gimli::DW_ATE_unsigned | gimli::DW_ATE_unsigned_char | gimli::DW_ATE_UTF,
                1 | 2 | 4 | 8,
            ) => Some(Element::Unsigned(bytes)),
            _ => None,
        }
    }

    fn bytes(&self, of: UnitOffset, depth: usize) -> Option<usize> {
        let entry = self.unit.entry(of).ok()?;
        if depth > MOST_DEPTH {
            return None;
        }
        match entry.tag() {
            gimli::DW_TAG_pointer_type
            | gimli::DW_TAG_reference_type
            | gimli::DW_TAG_rvalue_reference_type => Some(POINTER_BYTES),
            gimli::DW_TAG_array_type => {
                let one = self.bytes(self.of(&entry)?, depth + 1)?;
                self.extents(of)?.iter().try_fold(one, |all, it| all.checked_mul(*it))
            }
            _ => match self.aliased(&entry) {
                Some(of) => self.bytes(of, depth + 1),
                None => self.number(&entry, gimli::DW_AT_byte_size),
            },
        }
    }

    fn extents(&self, array: UnitOffset) -> Option<Vec<usize>> {
        let all = self.children(array)?.into_iter();
        let all = all.filter(|it| it.tag() == gimli::DW_TAG_subrange_type);
        let extent = |it: Entry<'d>| match self.number(&it, gimli::DW_AT_count) {
            Some(count) => Some(count),
            None => self.number(&it, gimli::DW_AT_upper_bound)?.checked_add(1),
        };
        all.map(extent).collect()
    }

    /// Where a member begins in its structure.
    fn offset(&self, entry: &Entry<'d>) -> Option<usize> {
        match entry.attr_value(gimli::DW_AT_data_member_location) {
            None => Some(0),
            Some(AttributeValue::Exprloc(it)) => {
                match it.operations(self.unit.encoding()).next().ok()?? {
                    Operation::PlusConstant { value } => value.try_into().ok(),
                    Operation::UnsignedConstant { value } => value.try_into().ok(),
                    _ => None,
                }
            }
            Some(it) => it.udata_value()?.try_into().ok(),
        }
    }

    fn children(&self, of: UnitOffset) -> Option<Vec<Entry<'d>>> {
        let mut tree = self.unit.entries_tree(Some(of)).ok()?;
        let mut children = tree.root().ok()?.children();
        let mut all = vec![];
        while let Some(child) = children.next().ok()? {
            all.push(child.entry().clone());
        }
        Some(all)
    }

    /// The type of a parameter, a member, or what is derived from one.
    fn of(&self, entry: &Entry<'d>) -> Option<UnitOffset> {
        match entry.attr_value(gimli::DW_AT_type)? {
            AttributeValue::UnitRef(it) => Some(it),
            AttributeValue::DebugInfoRef(it) => it.to_unit_offset(&self.unit.header),
            _ => None,
        }
    }

    fn number(&self, entry: &Entry<'d>, name: gimli::DwAt) -> Option<usize> {
        entry.attr_value(name)?.udata_value()?.try_into().ok()
    }

    fn text(&self, entry: &Entry<'d>, name: gimli::DwAt) -> Option<String> {
        let text = self.dwarf.attr_string(self.unit, entry.attr_value(name)?).ok()?;
        Some(text.to_string_lossy().into_owned())
    }
}
