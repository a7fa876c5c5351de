//! The iterations of loops directly inside each other, in lexicographic order.

/// The values of a loop's variable still to come: `value`, `value + step`, …, `count` of them.
#[derive(Debug, Clone, Copy)]
pub struct Wheel {
    /// The next.
    pub value: i64,
    /// From each to the one after it.
    pub step: i64,
    /// How many are to come.
    pub count: u64,
}

impl Wheel {
    /// All values of a loop; `step` is at least 1. Of 2⁶⁴ values the last is left out.
    pub const fn new(from: i64, to: i64, step: i64, downward: bool) -> Self {
        let (empty, sign) = if downward { (from < to, -1) } else { (from > to, 1) };
        let passed = from.abs_diff(to) / step.unsigned_abs();
        Self {
            value: from,
            step: sign * step,
            count: if empty { 0 } else { passed.saturating_add(1) },
        }
    }

    /// The value after `count` more, which are fewer than there are.
    pub const fn after(&self, count: u64) -> i64 {
        // Exact modulo 2⁶⁴, and a value still to come fits.
        self.value.wrapping_add(self.step.wrapping_mul(count.cast_signed()))
    }

    /// Passes over `count` values, at most as many as there are.
    pub const fn advance(&mut self, count: u64) {
        self.value = self.after(count);
        self.count -= count;
    }
}

/// Where the loops stand, row by row: a row is what one run of the innermost loop has still to come.
#[derive(Debug)]
pub struct Odometer {
    loops: usize,
    /// From the outermost loop on; none after the last row.
    wheels: Vec<Wheel>,
}

impl Odometer {
    /// Stands at the first row that is not empty. `begin` gives the wheel of the next inner loop for
    /// those of the loops around it.
    ///
    /// # Errors
    /// Those of `begin`; likewise below.
    pub fn new<E>(
        loops: usize,
        begin: impl FnMut(&[Wheel]) -> Result<Wheel, E>,
    ) -> Result<Self, E> {
        let mut odometer = Self { loops, wheels: Vec::with_capacity(loops) };
        odometer.turn(true, begin)?;
        Ok(odometer)
    }

    /// The present row and the wheels of the loops around; `None` at the end.
    pub fn row(&self) -> Option<(&Wheel, &[Wheel])> {
        self.wheels.split_last()
    }

    /// Passes over `count` iterations of the present row, and at its end to the next one that is not
    /// empty.
    pub fn pass<E>(
        &mut self,
        count: u64,
        begin: impl FnMut(&[Wheel]) -> Result<Wheel, E>,
    ) -> Result<(), E> {
        match self.wheels.last_mut() {
            Some(row) if count < row.count => {
                row.advance(count);
                Ok(())
            }
            _ => {
                self.wheels.pop();
                self.turn(false, begin)
            }
        }
    }

    /// Turns to the next row by beginning an inner loop, or by the next value of the present one.
    fn turn<E>(
        &mut self,
        mut inward: bool,
        mut begin: impl FnMut(&[Wheel]) -> Result<Wheel, E>,
    ) -> Result<(), E> {
        while self.wheels.len() < self.loops {
            if inward {
                let wheel = begin(&self.wheels)?;
                self.wheels.push(wheel);
            }
            let Some(wheel) = self.wheels.last_mut() else { break };
            if !inward {
                wheel.advance(1);
            }
            inward = wheel.count > 0;
            if !inward {
                self.wheels.pop();
            }
        }
        Ok(())
    }
}
