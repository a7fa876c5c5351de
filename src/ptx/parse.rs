//! Text → kernels.

use std::collections::HashMap;
use std::str::Lines;

use thiserror::Error;

use super::fusion::fuse;
use super::instruction::{
    CONSTANTS, Comparison, DYNAMIC, Form, Instruction, Kernel, LOCALS, Module, Opcode, Preset,
    Rounding, Space, Type,
};
use super::order::in_machine_order;
use super::predication::{Labelled, predicated};

/// A line that is not understood.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("PTX line {line}: `{text}` is not understood; the listing's own counts predict without it")]
pub struct PtxError {
    /// From 1.
    pub line: usize,
    /// What stands there.
    pub text: String,
}

/// Reads a file as NVRTC writes it: an instruction a line.
///
/// # Errors
/// An instruction that emitted code does not have.
pub fn parse(text: &str) -> Result<Module, PtxError> {
    let mut file = File { lines: text.lines(), number: 0, text: "" };
    let (mut module, mut variables) = (Module::default(), HashMap::new());
    while let Some(line) = file.next() {
        if line.starts_with(".extern .shared") {
            let name = line.split_whitespace().last().and_then(|it| it.split('[').next());
            variables.insert(name.ok_or_else(|| file.error())?.to_owned(), DYNAMIC);
        } else if line.starts_with(".const") || line.starts_with(".global") {
            let (name, at) = variable(line, &mut module.data).ok_or_else(|| file.error())?;
            variables.insert(name, CONSTANTS + at);
        } else if let Some((_, rest)) = line.split_once(".entry ") {
            let kernel =
                Kernel { name: rest.trim_end_matches('(').to_owned(), ..Kernel::default() };
            let parser =
                Parser { kernel, registers: HashMap::new(), symbols: variables.clone(), depth: 0 };
            module.kernels.push(parser.kernel(&mut file)?);
        }
    }
    Ok(module)
}

struct File<'a> {
    lines: Lines<'a>,
    number: usize,
    text: &'a str,
}

impl<'a> File<'a> {
    fn next(&mut self) -> Option<&'a str> {
        self.number += 1;
        self.text = self.lines.next()?.trim();
        Some(self.text)
    }

    fn error(&self) -> PtxError {
        PtxError { line: self.number, text: self.text.to_owned() }
    }
}

/// A variable with its first values: `.const .align 4 .b8 K[8] = {1, 2, …};`. Its name and place.
fn variable(line: &str, data: &mut Vec<u8>) -> Option<(String, u64)> {
    let mut words = line.trim_end_matches(';').split_whitespace().skip(3);
    let each = Type::from_word(words.next()?.strip_prefix('.')?)?.bytes as usize;
    let (name, count) = match words.next()?.split_once('[') {
        Some((name, rest)) => (name, rest.trim_end_matches(']').parse().ok()?),
        None => (line.split_whitespace().nth(4)?.trim_end_matches(';'), 1),
    };
    data.resize(data.len().next_multiple_of(8), 0);
    let at = data.len();
    data.resize(at + count * each, 0);
    if let Some((_, values)) = line.split_once('=') {
        let values = values.trim_matches(|it: char| " {};".contains(it)).split(',');
        for (place, value) in data[at..].chunks_exact_mut(each).zip(values) {
            let value: i64 = value.trim().parse().ok()?;
            place.copy_from_slice(&value.to_le_bytes()[..each]);
        }
    }
    Some((name.to_owned(), at as u64))
}

struct Parser {
    kernel: Kernel,
    registers: HashMap<String, u32>,
    /// Addresses of variables.
    symbols: HashMap<String, u64>,
    /// Of braces.
    depth: usize,
}

impl Parser {
    fn kernel(mut self, file: &mut File<'_>) -> Result<Kernel, PtxError> {
        let mut blocks: Vec<Labelled> = vec![(None, vec![])];
        while let Some(line) = file.next() {
            match line {
                "{" => self.depth += 1,
                "}" => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        break;
                    }
                }
                _ if line.starts_with(".shared") || line.starts_with(".local") => {
                    self.array(line).ok_or_else(|| file.error())?;
                }
                // Within braces names begin anew.
                _ if line.starts_with(".reg") && self.depth > 1 => {
                    for name in line.split([' ', '\t', ',', ';']).filter(|it| it.starts_with('%')) {
                        self.registers.remove(name);
                    }
                }
                // Parameters, registers, hints.
                _ if line.is_empty() || line.starts_with(['.', ')']) || line.starts_with("//") => {}
                _ => match line.strip_suffix(':') {
                    Some(label) => blocks.push((Some(label.to_owned()), vec![])),
                    None => {
                        let read = self.instruction(line).ok_or_else(|| file.error())?;
                        let ends = matches!(read.0.opcode, Opcode::Bra | Opcode::Ret);
                        blocks.last_mut().ok_or_else(|| file.error())?.1.push(read);
                        if ends {
                            blocks.push((None, vec![]));
                        }
                    }
                },
            }
        }
        self.link(blocks).ok_or_else(|| file.error())
    }

    /// Blocks one after another, with branches to the places of their labels.
    fn link(mut self, mut blocks: Vec<Labelled>) -> Option<Kernel> {
        let (mut places, mut labels) = (HashMap::new(), vec![]);
        let kernel = &mut self.kernel;
        fuse(&mut blocks, kernel.registers, &kernel.presets);
        let blocks = in_machine_order(predicated(blocks), kernel.registers, &kernel.presets);
        for (label, block) in blocks {
            let at = kernel.instructions.len();
            kernel.begins.resize(at + 1, false);
            kernel.begins[at] = true;
            places.extend(label.map(|it| (it, at as u32)));
            for (instruction, label) in block {
                kernel.instructions.push(instruction);
                labels.push(label);
            }
        }
        kernel.begins.resize(kernel.instructions.len() + 1, false);
        for (instruction, label) in kernel.instructions.iter_mut().zip(labels) {
            if instruction.opcode == Opcode::Bra {
                instruction.target = *places.get(&label)?;
            }
        }
        Some(self.kernel)
    }

    /// An array of a block or of a thread: `.shared .align 4 .b8 a[32768];`.
    fn array(&mut self, line: &str) -> Option<()> {
        let (name, bytes) =
            line.split_whitespace().last()?.trim_end_matches(';').split_once('[')?;
        let bytes: u64 = bytes.trim_end_matches(']').parse().ok()?;
        let (end, from) = match line.starts_with(".shared") {
            true => (&mut self.kernel.shared_bytes, 0),
            false => (&mut self.kernel.local_bytes, LOCALS),
        };
        self.symbols.insert(name.to_owned(), from + *end);
        *end += bytes.next_multiple_of(16);
        Some(())
    }

    /// A register, or one that holds the constant.
    fn register(&mut self, name: &str) -> Option<u32> {
        let name = name.trim();
        if let Some(known) = self.registers.get(name) {
            return Some(*known);
        }
        let preset = match name {
            "%tid.x" => Some(Preset::Thread),
            "%ntid.x" => Some(Preset::Threads),
            "%ctaid.x" => Some(Preset::Block),
            "%nctaid.x" => Some(Preset::Blocks),
            _ if name.starts_with('%') => None,
            _ => Some(Preset::Value(self.constant(name)?)),
        };
        let number = self.kernel.registers as u32;
        self.kernel.registers += 1;
        self.registers.insert(name.to_owned(), number);
        self.kernel.presets.extend(preset.map(|it| (number, it)));
        Some(number)
    }

    fn constant(&self, text: &str) -> Option<u64> {
        if let Some(known) = self.symbols.get(text) {
            return Some(*known);
        }
        for hexadecimal in ["0f", "0d", "0x"] {
            if let Some(digits) = text.strip_prefix(hexadecimal) {
                return u64::from_str_radix(digits, 16).ok();
            }
        }
        text.parse::<i64>().ok().map(i64::cast_unsigned).or_else(|| text.parse().ok())
    }

    /// `[%rd1+8]`
    fn address(&mut self, text: &str) -> Option<(u32, i64)> {
        let text = text.trim_matches(['[', ']']);
        match text.split_once('+') {
            Some((register, offset)) => Some((self.register(register)?, offset.parse().ok()?)),
            None => Some((self.register(text)?, 0)),
        }
    }

    /// `{%r1, %r2}`, or one register.
    fn list(&mut self, text: &str) -> Option<Vec<u32>> {
        text.trim_matches(['{', '}']).split(',').map(|it| self.register(it)).collect()
    }

    fn instruction(&mut self, line: &str) -> Option<(Instruction, String)> {
        let line = line.trim_end_matches(';');
        let (guard, rest) = match line.strip_prefix('@') {
            None => (None, line),
            Some(guarded) => {
                let (guard, rest) = guarded.split_once(char::is_whitespace)?;
                let is_negated = guard.starts_with('!');
                let register = self.register(guard.trim_start_matches('!'))?;
                (Some((register, is_negated)), rest.trim())
            }
        };
        let (name, arguments) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let words: Vec<&str> = name.split('.').collect();
        let arguments = arguments_of(arguments);
        let types: Vec<Type> = words.iter().filter_map(|it| Type::from_word(it)).collect();
        let bits = Type::from_word("b32")?;
        let mut read = Instruction {
            opcode: Opcode::Ret,
            ty: *types.last().unwrap_or(&bits),
            to: vec![],
            from: vec![],
            guard,
            offset: 0,
            target: 0,
            form: Form::Own,
            board: 0,
        };
        if let Some(opcode) = computation(&words, &types) {
            read.opcode = opcode;
            if let Opcode::Cvt(..) = opcode {
                read.ty = types[0];
            }
            read.to = vec![self.register(arguments.first()?)?];
            read.from = arguments[1..].iter().map(|it| self.register(it)).collect::<Option<_>>()?;
            return Some((read, String::new()));
        }
        let mut label = String::new();
        match words[0] {
            "mov" => {
                let [to, from] = &arguments[..] else { return None };
                read.opcode = match (to.starts_with('{'), from.starts_with('{')) {
                    (true, _) => Opcode::Unpack,
                    (_, true) => Opcode::Pack,
                    _ => Opcode::Mov,
                };
                (read.to, read.from) = (self.list(to)?, self.list(from)?);
            }
            "ld" if words.contains(&"param") => {
                let [to, from] = &arguments[..] else { return None };
                let number = from.trim_end_matches(']').rsplit('_').next()?.parse().ok()?;
                let source = self.register(&format!("%parameter {number}"))?;
                self.kernel.presets.push((source, Preset::Parameter(number)));
                (read.opcode, read.to, read.from) = (Opcode::Mov, self.list(to)?, vec![source]);
            }
            "ld" | "st" => {
                let [first, second] = &arguments[..] else { return None };
                let spaces = [
                    ("global", Space::Global),
                    ("shared", Space::Shared),
                    ("local", Space::Local),
                    ("const", Space::Constant),
                ];
                let space = spaces.iter().find(|it| words.contains(&it.0))?.1;
                let is_load = words[0] == "ld";
                let (values, place) = if is_load { (first, second) } else { (second, first) };
                let (address, offset) = self.address(place)?;
                let values = self.list(values)?;
                (read.offset, read.from) = (offset, vec![address]);
                match is_load {
                    true if words.contains(&"nc") => {
                        (read.opcode, read.to) = (Opcode::LdReadOnly, values);
                    }
                    true => (read.opcode, read.to) = (Opcode::Ld(space), values),
                    false => {
                        read.opcode = Opcode::St(space);
                        read.from.extend(values);
                    }
                }
            }
            "atom" if words.contains(&"add") => {
                let [to, place, value] = &arguments[..] else { return None };
                let (address, offset) = self.address(place)?;
                (read.opcode, read.offset) = (Opcode::Atom, offset);
                (read.to, read.from) = (self.list(to)?, vec![address, self.register(value)?]);
            }
            // A quotient of 1.
            "rcp" => {
                let [to, from] = &arguments[..] else { return None };
                let one = if read.ty.is_wide() { "0d3FF0000000000000" } else { "0f3F800000" };
                (read.opcode, read.to) = (Opcode::Div, vec![self.register(to)?]);
                read.from = vec![self.register(one)?, self.register(from)?];
            }
            "bar" | "barrier" if words.get(1) != Some(&"warp") => read.opcode = Opcode::Bar,
            // Warps are in step; order of accesses is that of the text.
            "bar" | "membar" | "fence" => {
                read.opcode = Opcode::CpAsyncWait(u32::MAX);
            }
            "bra" => {
                read.opcode = Opcode::Bra;
                label.clone_from(arguments.first()?);
            }
            "ret" | "exit" => read.opcode = Opcode::Ret,
            "cp" => match *words.get(2)? {
                "commit_group" => read.opcode = Opcode::CpAsyncCommit,
                "wait_group" => {
                    read.opcode = Opcode::CpAsyncWait(arguments.first()?.parse().ok()?);
                }
                "wait_all" => read.opcode = Opcode::CpAsyncWait(0),
                _ => {
                    let [to, from, bytes] = &arguments[..] else { return None };
                    let ((to, 0), (from, offset)) = (self.address(to)?, self.address(from)?) else {
                        return None;
                    };
                    read.opcode = Opcode::CpAsync(bytes.parse().ok()?);
                    (read.from, read.offset) = (vec![from, to], offset);
                }
            },
            _ => return None,
        }
        Some((read, label))
    }
}

/// What stands between commas outside of brackets.
fn arguments_of(text: &str) -> Vec<String> {
    let (mut found, mut depth) = (vec![String::new()], 0);
    for letter in text.chars() {
        match letter {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            _ => {}
        }
        match (letter, found.last_mut()) {
            (',', _) if depth == 0 => found.push(String::new()),
            (_, Some(last)) => last.push(letter),
            _ => {}
        }
    }
    found.into_iter().map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect()
}

/// An instruction from registers to one register.
fn computation(words: &[&str], types: &[Type]) -> Option<Opcode> {
    Some(match words[0] {
        "abs" => Opcode::Abs,
        "copysign" => Opcode::CopySign,
        "add" => Opcode::Add,
        "and" => Opcode::And,
        "bfi" => Opcode::Bfi,
        "prmt" => Opcode::Prmt,
        "sub" => Opcode::Sub,
        "div" => Opcode::Div,
        "rem" => Opcode::Rem,
        "min" => Opcode::Min,
        "max" => Opcode::Max,
        "neg" => Opcode::Neg,
        "not" => Opcode::Not,
        "popc" => Opcode::Popc,
        "clz" => Opcode::Clz,
        "or" => Opcode::Or,
        "xor" => Opcode::Xor,
        "shl" => Opcode::Shl,
        "shr" => Opcode::Shr,
        "shf" if words.get(1) == Some(&"l") => Opcode::ShfLeft,
        "selp" => Opcode::Selp,
        "sqrt" => Opcode::Sqrt,
        "cvta" => Opcode::Mov,
        "mul" => match words[1] {
            "hi" => Opcode::MulHi,
            "wide" => Opcode::MulWide,
            _ => Opcode::MulLo,
        },
        "mad" if words[1] != "lo" => return None,
        "mad" | "fma" => Opcode::Mad,
        "setp" => Opcode::Setp(comparison(words[1])?),
        "cvt" => {
            let rounding = match words[1] {
                "rni" => Rounding::Nearest,
                "rzi" => Rounding::Zero,
                "rmi" => Rounding::Down,
                "rpi" => Rounding::Up,
                _ => Rounding::None,
            };
            Opcode::Cvt(*types.get(1)?, rounding)
        }
        _ => return None,
    })
}

fn comparison(word: &str) -> Option<Comparison> {
    Some(match word {
        "eq" => Comparison::Equal,
        "ne" => Comparison::NotEqual,
        "lt" | "lo" => Comparison::Less,
        "le" | "ls" => Comparison::AtMost,
        "gt" | "hi" => Comparison::Greater,
        "ge" | "hs" => Comparison::AtLeast,
        "equ" => Comparison::EqualOrNan,
        "neu" => Comparison::NotEqualOrNan,
        "ltu" => Comparison::LessOrNan,
        "leu" => Comparison::AtMostOrNan,
        "gtu" => Comparison::GreaterOrNan,
        "geu" => Comparison::AtLeastOrNan,
        "nan" => Comparison::IsNan,
        _ => return None,
    })
}
