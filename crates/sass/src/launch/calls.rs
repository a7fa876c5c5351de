//! Functions of the device's run time: what they are given stands in registers from R4 on.

use super::execution::Running;
use super::observer::LaunchObserver;
use super::warp_step::space;
use super::{Fault, FaultCause};
use crate::cubin::STACK_END_ADDRESS;
use crate::lanes::WideLanes;
use crate::opcode::AddressSpace;
use crate::operand::{Operand, OperandSource};

/// Where parameters stand, and what is given back.
const PARAMETERS: u16 = 4;
/// Bytes of a text, at most.
const MOST_TEXT: u64 = 1 << 16;

impl<O: LaunchObserver> Running<'_, O> {
    pub(super) fn external(
        &mut self,
        number: usize,
        place: u32,
        name: &str,
        active: u32,
    ) -> Result<(), Box<Fault>> {
        let long = |of: &mut Self, at: u16| -> WideLanes {
            of.registers(number).long(Operand::of(OperandSource::Register(at)).words(2))
        };
        let first = active.trailing_zeros() as usize;
        match name {
            "vprintf" => {
                let (format, values) = (long(self, PARAMETERS), long(self, PARAMETERS + 2));
                for lane in (0..32).filter(|lane| active >> lane & 1 == 1) {
                    let format = self.text(format[lane]);
                    let text = self.printed(number, lane, &format, values[lane]);
                    self.observer.print(&text);
                }
                self.registers(number).put(PARAMETERS, &[1; 32], active);
                Ok(())
            }
            "malloc" => {
                let mut given = long(self, PARAMETERS);
                for lane in (0..32).filter(|lane| active >> lane & 1 == 1) {
                    given[lane] = self.memory.allocate(given[lane]).unwrap_or(0);
                }
                self.registers(number).put_long(PARAMETERS, &given, active);
                Ok(())
            }
            "free" => {
                let given = long(self, PARAMETERS);
                // Nothing is given back by 0.
                let wrong = (0..32)
                    .filter(|lane| active >> lane & 1 == 1 && given[*lane] != 0)
                    .find(|lane| !self.memory.free(given[*lane]));
                wrong.map_or(Ok(()), |lane| {
                    let place_of = self.memory.describe(given[lane]);
                    Err(self.fault(number, place, Some(lane), FaultCause::Free(place_of)))
                })
            }
            "__assertfail" => {
                let message = long(self, PARAMETERS)[first];
                let cause = FaultCause::Assertion(self.text(message));
                Err(self.fault(number, place, Some(first), cause))
            }
            "" => {
                let cause = FaultCause::Call("a function that is not there".to_owned());
                Err(self.fault(number, place, Some(first), cause))
            }
            _ => {
                let cause = FaultCause::Call(format!("`{name}`"));
                Err(self.fault(number, place, Some(first), cause))
            }
        }
    }

    /// A text in global memory, up to its zero byte.
    fn text(&self, address: u64) -> String {
        let bytes = (0..MOST_TEXT).map_while(|at| {
            let place = self.memory.place(address.wrapping_add(at), 1)?;
            Some(self.memory.load(place, 1) as u8).filter(|it| *it != 0)
        });
        String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned()
    }

    /// A value that a thread passes in its own memory.
    fn passed(&self, number: usize, lane: usize, address: u64, bytes: u64) -> u64 {
        if space(address) != AddressSpace::Local {
            return self.memory.place(address, bytes).map_or(0, |at| self.memory.load(at, bytes));
        }
        let warp = &self.block.warps[number];
        let begin = STACK_END_ADDRESS - warp.local_bytes as u64;
        let at = (address & u64::from(u32::MAX)).wrapping_sub(begin) as usize;
        crate::values::word_at(&warp.local, lane * warp.local_bytes + at, bytes as usize)
    }

    /// What `printf` makes of a format and the values behind an address.
    fn printed(&self, number: usize, lane: usize, format: &str, mut at: u64) -> String {
        let mut text = String::new();
        let mut rest = format.chars().peekable();
        while let Some(it) = rest.next() {
            if it != '%' {
                text.push(it);
                continue;
            }
            let mut of = String::new();
            while let Some(&it) = rest.peek() {
                rest.next();
                of.push(it);
                if it.is_ascii_alphabetic() && !"hlzjt".contains(it) || it == '%' {
                    break;
                }
            }
            let Some(kind) = of.pop() else { break };
            if kind == '%' {
                text.push('%');
                continue;
            }
            let is_long = of.contains(['l', 'z', 'j', 't']) || "feEgGaAsp".contains(kind);
            let bytes = if is_long { 8 } else { 4 };
            at = at.next_multiple_of(bytes);
            let value = self.passed(number, lane, at, bytes);
            at += bytes;
            let value = match kind {
                'd' | 'i' if is_long => value.cast_signed().to_string(),
                'd' | 'i' => (value as u32).cast_signed().to_string(),
                'u' => value.to_string(),
                'x' => format!("{value:x}"),
                'X' => format!("{value:X}"),
                'o' => format!("{value:o}"),
                'p' => format!("{value:#x}"),
                'c' => char::from(value as u8).to_string(),
                's' => self.text(value),
                'e' | 'E' => format!("{:e}", f64::from_bits(value)),
                _ => {
                    let digits = of.split_once('.').and_then(|it| it.1.parse().ok()).unwrap_or(6);
                    let digits: usize = usize::min(digits, 40);
                    format!("{:.digits$}", f64::from_bits(value))
                }
            };
            let flags = of.trim_end_matches(['l', 'h', 'z', 'j', 't']);
            let width: String = flags.chars().take_while(|it| *it != '.').collect();
            let is_left = width.contains('-');
            let fills = width.trim_start_matches(['-', '+', ' ', '#']).starts_with('0') && !is_left;
            let width: usize =
                width.trim_start_matches(['-', '+', ' ', '#', '0']).parse().unwrap_or(0).min(200);
            text += &match (is_left, fills) {
                (true, _) => format!("{value:<width$}"),
                (_, true) => format!("{value:0>width$}"),
                _ => format!("{value:>width$}"),
            };
        }
        text
    }
}
