//! Ciphers and check sums.

use super::{Given, Outputs, size, whole, words};

/// A round at a time for all blocks, half a round a line of the paper's program.
pub(in crate::algorithms) fn xtea<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
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
pub(in crate::algorithms) fn rc4<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
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
pub(in crate::algorithms) fn crc32<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
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
pub(in crate::algorithms) fn chacha20<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Outputs<'a> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::reference::Reference;

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
        // RFC 8439, A.1, test vectors 1 and 2.
        assert_eq!(block[..4], [0xade0_b876, 0x903d_f1a0, 0xe56a_5d40, 0x28bd_8653]);
        assert_eq!(block[16..18], [0xbee7_079f, 0x7a38_5155]);
    }
}
