//! A bit for each byte of a memory.

/// Bits of a word of marks.
const WORD_BITS: usize = u64::BITS as usize;

/// Bytes that are marked. Those of an access never lie in two words: it is aligned, and of 16 bytes at most.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Marks(Vec<u64>);

impl Marks {
    /// Of this many bytes none.
    pub(super) fn none(bytes: usize) -> Self {
        Self(vec![0; bytes.div_ceil(WORD_BITS)])
    }

    /// Place for this many bytes at least; more are not marked.
    pub(super) fn grow(&mut self, bytes: usize) {
        self.0.resize(bytes.div_ceil(WORD_BITS), 0);
    }

    /// Whether there is any place for them.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether none is marked.
    pub(super) fn is_blank(&self) -> bool {
        self.0.iter().all(|it| *it == 0)
    }

    /// None is marked any more.
    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    pub(super) fn set(&mut self, at: usize, bytes: usize) {
        self.0[at / WORD_BITS] |= Self::mask(bytes) << (at % WORD_BITS);
    }

    /// Marks any number of bytes.
    pub(super) fn set_all(&mut self, at: usize, bytes: usize) {
        Self::words(at, bytes).for_each(|(word, mask)| self.0[word] |= mask);
    }

    /// Whether any number of bytes all are marked.
    pub(super) fn has_all(&self, at: usize, bytes: usize) -> bool {
        Self::words(at, bytes).all(|(word, mask)| self.0[word] & mask == mask)
    }

    /// The words of some bytes, at least one, and which bits of each.
    #[inline(always)]
    fn words(at: usize, bytes: usize) -> impl Iterator<Item = (usize, u64)> {
        let last = at + bytes - 1;
        (at / WORD_BITS..=last / WORD_BITS).map(move |word| {
            let from = if word == at / WORD_BITS { at % WORD_BITS } else { 0 };
            let to = if word == last / WORD_BITS { last % WORD_BITS } else { WORD_BITS - 1 };
            (word, u64::MAX << from & u64::MAX >> (WORD_BITS - 1 - to))
        })
    }

    /// Whether all of these bytes are.
    pub(super) fn has(&self, at: usize, bytes: usize) -> bool {
        let mask = Self::mask(bytes);
        self.0[at / WORD_BITS] >> (at % WORD_BITS) & mask == mask
    }

    fn mask(bytes: usize) -> u64 {
        u64::MAX >> (WORD_BITS - bytes)
    }

    /// Whether both mark a byte.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Copies the marked bytes.
    pub(super) fn copy(&self, from: &[u8], to: &mut [u8]) {
        let words = self.0.iter().enumerate().filter(|it| *it.1 != 0);
        for (number, &word) in words {
            let begin = number * WORD_BITS;
            let end = (begin + WORD_BITS).min(to.len());
            if word == u64::MAX && end == begin + WORD_BITS {
                to[begin..end].copy_from_slice(&from[begin..end]);
                continue;
            }
            for at in (begin..end).filter(|at| word >> (at - begin) & 1 == 1) {
                to[at] = from[at];
            }
        }
    }

    /// Marks what the other does, too.
    pub(super) fn join(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_bytes_are_copied_and_meet() {
        let (mut one, mut other) = (Marks::none(130), Marks::none(130));
        one.set(0, 16);
        one.set(128, 2);
        other.set(16, 4);
        assert!(one.has(128, 2) && !one.has(16, 1) && !one.meets(&other));
        other.set(129, 1);
        assert!(one.meets(&other));
        let mut many = Marks::none(300);
        many.set_all(60, 140);
        assert!((0..300).all(|it| many.has(it, 1) == (60..200).contains(&it)));
        assert!(many.has_all(60, 140) && !many.has_all(59, 3) && !many.has_all(190, 11));
        let from: Vec<u8> = (0..130).collect();
        let mut to = vec![255; 130];
        one.copy(&from, &mut to);
        assert!((0..130).all(|it| to[it] == if one.has(it, 1) { it as u8 } else { 255 }));
    }
}
