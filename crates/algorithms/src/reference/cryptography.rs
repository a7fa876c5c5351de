//! Ciphers and check sums.

use super::{Given, Outputs, size, whole, words};

/// A round at a time for all blocks, half a round a line of the paper's program.
pub(crate) fn xtea<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    const DELTA: u32 = 0x9e37_79b9;
    let [v, key] = given else { return None };
    let (mut v, key) = (words(*v), words(*key));
    let mixed = |v: u32| (v << 4 ^ v >> 5).wrapping_add(v);
    for round in 0..u32::try_from(parameters[1].max(0)).ok()? {
        let [sum, next] = [round, round + 1].map(|it| DELTA.wrapping_mul(it));
        for block in v.chunks_exact_mut(2) {
            let part = key[(sum & 3) as usize];
            block[0] = block[0].wrapping_add(mixed(block[1]) ^ sum.wrapping_add(part));
            let part = key[(next >> 11 & 3) as usize];
            block[1] = block[1].wrapping_add(mixed(block[0]) ^ next.wrapping_add(part));
        }
    }
    Some(vec![whole("v", v)])
}

/// `None` where the key has a number that is no byte.
pub(crate) fn rc4<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let bytes = words(given[0]).into_iter().map(|it| u8::try_from(it).ok());
    let key: Vec<u8> = bytes.collect::<Option<_>>()?;
    let mut s: Vec<u8> = (0..=255).collect();
    let mut j = 0_u8;
    for (i, key) in (0..256).zip(key.iter().cycle()) {
        j = j.wrapping_add(s[i]).wrapping_add(*key);
        s.swap(i, j.into());
    }
    let (mut i, mut j) = (0_u8, 0_u8);
    let stream = (0..size(parameters, 0)?).map(move |_| {
        i = i.wrapping_add(1);
        j = j.wrapping_add(s[usize::from(i)]);
        s.swap(i.into(), j.into());
        s[usize::from(s[usize::from(i)].wrapping_add(s[usize::from(j)]))]
    });
    Some(vec![whole("x", stream)])
}

/// The remainder of a division of polynomials, the bits of each byte and of the result the other way
/// round. `None` where there is a number that is no byte.
pub(crate) fn crc32<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let mut rest = u32::MAX;
    for byte in words(given[0]) {
        rest ^= u32::from(u8::try_from(byte).ok()?.reverse_bits()) << 24;
        for _ in 0..8 {
            rest = rest << 1 ^ if rest >> 31 == 1 { 0x04c1_1db7 } else { 0 };
        }
    }
    Some(vec![whole("crc", [!rest.reverse_bits()])])
}

fn quarter_round(x: &mut [u32; 16], [a, b, c, d]: [usize; 4]) {
    for (a, b, d, by) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
        x[a] = x[a].wrapping_add(x[b]);
        x[d] = (x[d] ^ x[a]).rotate_left(by);
    }
}

/// RFC 8439, 2.3.1, with the counter of the first block 0.
pub(crate) fn chacha20<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let start = [words(given[0]), words(given[1])];
    let block = move |counter: u32| {
        let text = b"expand 32-byte k".chunks(4);
        let first = text.map(|it| it.iter().rev().fold(0, |word, &it| word << 8 | u32::from(it)));
        let rest = start[0].iter().chain([&counter]).chain(&start[1]).copied();
        let state: Vec<u32> = first.chain(rest).collect();
        let mut x = [0; 16];
        x.copy_from_slice(&state);
        for _ in 0..10 {
            for i in 0..4 {
                quarter_round(&mut x, [i, 4 + i, 8 + i, 12 + i]);
            }
            for i in 0..4 {
                quarter_round(&mut x, [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4]);
            }
        }
        x.into_iter().zip(state).map(|(x, start)| x.wrapping_add(start)).collect::<Vec<_>>()
    };
    let blocks = (0..u32::try_from(parameters[0]).ok()?).flat_map(block);
    Some(vec![whole("b", blocks)])
}

/// ⌊2³²·r⌋ without the digits before the point, r the root of a prime: roots are of this many powers.
fn fraction(prime: u128, powers: u32) -> u32 {
    let scaled = prime << (32 * powers);
    let mut root = 0_u128;
    for bit in (0..38).rev() {
        let more = root | 1 << bit;
        if more.pow(powers) <= scaled {
            root = more;
        }
    }
    root as u32
}

/// Its constants from square and cube roots of primes, its words from the sixteen before.
pub(crate) fn sha256<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let is_prime = |m: &u128| (2..*m).all(|d| !m.is_multiple_of(d));
    let primes: Vec<u128> = (2..).filter(is_prime).take(64).collect();
    let mut hash: Vec<u32> = primes[..8].iter().map(|&it| fraction(it, 2)).collect();
    for block in words(given[0]).chunks(16) {
        let mut w = block.to_vec();
        let mut s = hash.clone();
        for (t, &prime) in primes.iter().enumerate() {
            let (x, y) = (w[(t + 1) % 16], w[(t + 14) % 16]);
            let small = x.rotate_right(7) ^ x.rotate_right(18) ^ x >> 3;
            let other = y.rotate_right(17) ^ y.rotate_right(19) ^ y >> 10;
            let word = w[t % 16];
            w[t % 16] = word.wrapping_add(small).wrapping_add(other).wrapping_add(w[(t + 9) % 16]);
            let [a, b, c, e, f, g] = [0, 1, 2, 4, 5, 6].map(|it| s[it]);
            let choice = if_else(e, f, g);
            let majority = if_else(b ^ c, a, b);
            let first = (s[7].wrapping_add(fraction(prime, 3)).wrapping_add(word))
                .wrapping_add(choice)
                .wrapping_add(e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25));
            let second =
                majority.wrapping_add(a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22));
            s.rotate_right(1);
            s[4] = s[4].wrapping_add(first);
            s[0] = first.wrapping_add(second);
        }
        hash.iter_mut().zip(s).for_each(|(hash, s)| *hash = hash.wrapping_add(s));
    }
    Some(vec![whole("H", hash)])
}

/// Bit by bit, one of two words.
const fn if_else(which: u32, yes: u32, no: u32) -> u32 {
    no ^ which & (yes ^ no)
}

/// A product of two polynomials of bytes modulo x⁸ + x⁴ + x³ + x + 1.
fn byte_product(x: u8, y: u8) -> u8 {
    let twice = |x: u8| x << 1 ^ if x >> 7 == 1 { 0x1b } else { 0 };
    (0..8).rev().fold(0, |r, bit| twice(r) ^ if y >> bit & 1 == 1 { x } else { 0 })
}

/// FIPS 197 byte by byte: a byte's substitute from its inverse, which is its 254th power.
pub(crate) fn aes<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let [v, key] = given else { return None };
    let substitute: Vec<u8> = (0..=255)
        .map(|x| {
            let inverse = (0..254).fold(1, |r, _| byte_product(r, x));
            (0..5).fold(0x63, |s, by| s ^ inverse.rotate_left(by))
        })
        .collect();
    let substituted = |x: u8| substitute[usize::from(x)];
    let mut keys: Vec<[u8; 4]> = words(*key).into_iter().map(u32::to_be_bytes).collect();
    let mut constant = 1;
    for i in 4..44 {
        let mut last = keys[i - 1];
        if i % 4 == 0 {
            last.rotate_left(1);
            last = last.map(substituted);
            last[0] ^= constant;
            constant = byte_product(constant, 2);
        }
        let word: Vec<u8> = keys[i - 4].iter().zip(last).map(|(a, b)| a ^ b).collect();
        keys.push([word[0], word[1], word[2], word[3]]);
    }
    let mut encrypted = vec![];
    for block in words(*v).chunks(4) {
        let mut state: Vec<u8> = block.iter().flat_map(|it| it.to_be_bytes()).collect();
        for round in 0..=10 {
            if round > 0 {
                // Row r of column c comes from column c + r.
                state = (0..16).map(|at| substituted(state[(at + at % 4 * 4) % 16])).collect();
            }
            if (1..10).contains(&round) {
                let mixed = |at: usize| {
                    let byte = |row: usize| state[at / 4 * 4 + (at + row) % 4];
                    byte_product(byte(0), 2) ^ byte_product(byte(1), 3) ^ byte(2) ^ byte(3)
                };
                state = (0..16).map(mixed).collect();
            }
            let key = keys[4 * round..4 * round + 4].iter().flatten();
            state.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
        }
        let word = |it: &[u8]| it.iter().fold(0_u32, |word, &byte| word << 8 | u32::from(byte));
        encrypted.extend(state.chunks(4).map(word));
    }
    Some(vec![whole("v", encrypted)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::Reference;

    fn found(reference: Reference, set: &[i64], given: &[&[u32]]) -> Vec<u32> {
        let given: Vec<Vec<f64>> =
            given.iter().map(|it| it.iter().map(|&it| it.into()).collect()).collect();
        let given: Vec<&dyn Given> = given.iter().map(|it| it as &dyn Given).collect();
        let values = reference(set, &given).unwrap().remove(0).values;
        values.map(|it| it.unwrap() as u32).collect()
    }

    #[test]
    fn published_test_vectors() {
        let key = [0x0001_0203, 0x0405_0607, 0x0809_0a0b, 0x0c0d_0e0f];
        let text = [0x4142_4344, 0x4546_4748];
        assert_eq!(found(xtea, &[1, 32], &[&text, &key]), [0x497d_f3d0, 0x7261_2cb5]);
        let key: Vec<u32> = b"Key".iter().map(|&it| it.into()).collect();
        assert_eq!(found(rc4, &[5, 3], &[&key]), [0xeb, 0x9f, 0x77, 0x81, 0xb7]);
        let text: Vec<u32> = b"123456789".iter().map(|&it| it.into()).collect();
        assert_eq!(found(crc32, &[9], &[&text]), [0xcbf4_3926]);
        let block = found(chacha20, &[2], &[&[0; 8], &[0; 3]]);
        let text = [&[0x6162_6380_u32][..], &[0; 14], &[24]].concat();
        assert_eq!(found(sha256, &[1], &[&text])[..2], [0xba78_16bf, 0x8f01_cfea]);
        // FIPS 197, Appendix B.
        let text = [0x3243_f6a8, 0x885a_308d, 0x3131_98a2, 0xe037_0734];
        let key = [0x2b7e_1516, 0x28ae_d2a6, 0xabf7_1588, 0x09cf_4f3c];
        let wanted = [0x3925_841d, 0x02dc_09fb, 0xdc11_8597, 0x196a_0b32];
        assert_eq!(found(aes, &[1], &[&text, &key]), wanted);
        // RFC 8439, A.1, test vectors 1 and 2.
        assert_eq!(block[..4], [0xade0_b876, 0x903d_f1a0, 0xe56a_5d40, 0x28bd_8653]);
        assert_eq!(block[16..18], [0xbee7_079f, 0x7a38_5155]);
    }
}
