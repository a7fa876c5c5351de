//! Whole numbers: products, powers, divisors, random bits.

use std::iter;

use num_bigint::BigUint;
use num_integer::Integer;

use super::{Given, Outputs, integers, size, whole, words};

/// By trial division.
pub(crate) fn primes<'a>(parameters: &[i64], _: &[&'a dyn Given]) -> Outputs<'a> {
    let is_prime = |m: i64| m >= 2 && (2..).take_while(|d| d * d <= m).all(|d| m % d != 0);
    Some(vec![whole("prime", (0..=parameters[0]).map(is_prime))])
}

/// By Euclid.
pub(crate) fn common_divisors<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let divisor = |(mut a, mut b): (u32, u32)| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let pairs = words(given[0]).into_iter().zip(words(given[1]));
    Some(vec![whole("g", pairs.map(divisor))])
}

/// From the exponent's highest bit on. `None` for a modulus that the listing does not take.
pub(crate) fn modular_powers<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let m = u64::try_from(parameters[1]).ok().filter(|m| (1..1 << 31).contains(m))?;
    let power = move |(x, e): (u32, u32)| {
        (0..32).rev().fold(1 % m, |r, bit| {
            let square = r * r % m;
            if e >> bit & 1 == 1 { square * (u64::from(x) % m) % m } else { square }
        }) as i64
    };
    let pairs = words(given[0]).into_iter().zip(words(given[1]));
    Some(vec![whole("y", pairs.map(power))])
}

/// By division, with the inverse of R found among all numbers. `None` where a factor or the modulus is
/// none that the listing takes.
pub(crate) fn montgomery_products<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let m = parameters[1];
    if m % 2 == 0 || !(1..1 << 16).contains(&m) {
        return None;
    }
    let inverse = (0..m).find(|r| (r << 16) % m == 1 % m)?;
    let (a, b) = (integers(given[0]), integers(given[1]));
    let products = a.iter().zip(&b).map(|(a, b)| a * b % m * inverse % m).collect::<Vec<_>>();
    a.iter().chain(&b).all(|&it| it < m).then(|| vec![whole("c", products)])
}

/// Whether all are digits of 16 bits.
fn are_digits(numbers: &[i64]) -> bool {
    numbers.iter().all(|it| (0..1 << 16).contains(it))
}

/// Digits of 16 bits from places that may hold more.
fn carried(places: impl IntoIterator<Item = i64>) -> Vec<i64> {
    let mut carry = 0;
    let digit = |place: i64| {
        let sum = place + carry;
        carry = sum >> 16;
        sum & 65535
    };
    places.into_iter().map(digit).collect()
}

/// All products of two digits first, and then the carries. `None` where there are no digits.
pub(crate) fn long_product<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (u, v) = (integers(given[0]), integers(given[1]));
    let mut places = vec![0; 2 * size(parameters, 0)?];
    for (i, u) in u.iter().enumerate() {
        for (j, v) in v.iter().enumerate() {
            places[i + j] += u * v;
        }
    }
    (are_digits(&u) && are_digits(&v)).then(|| vec![whole("w", carried(places))])
}

/// `None` where there are no digits.
pub(crate) fn long_sum<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (u, v) = (integers(given[0]), integers(given[1]));
    let sums = u.iter().zip(&v).map(|(u, v)| u + v).chain([0]);
    let digits = carried(sums);
    (are_digits(&u) && are_digits(&v)).then(|| vec![whole("w", digits)])
}

/// 624 words at a time, as the authors' program makes them.
pub(crate) fn mersenne_twister<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let mut state = vec![*words(given[0]).first()?];
    for i in 1..624_u32 {
        let last = state[state.len() - 1];
        state.push(1_812_433_253_u32.wrapping_mul(last ^ last >> 30).wrapping_add(i));
    }
    let mut made = vec![];
    while made.len() < size(parameters, 0)? {
        for i in 0..624 {
            let joined = state[i] & 0x8000_0000 | state[(i + 1) % 624] & 0x7fff_ffff;
            let twist = if joined % 2 == 1 { 0x9908_b0df } else { 0 };
            state[i] = state[(i + 397) % 624] ^ joined >> 1 ^ twist;
        }
        made.extend(state.iter().map(|&word| {
            let mut z = word ^ word >> 11;
            z ^= z << 7 & 0x9d2c_5680;
            z ^= z << 15 & 0xefc6_0000;
            z ^ z >> 18
        }));
    }
    Some(vec![whole("x", made.into_iter().take(size(parameters, 0)?))])
}

/// As the authors' program has it: products of 64 bits.
pub(crate) fn philox<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let start = words(given[0]);
    let block = move |counter: u32| {
        let mut x = [counter, 0, 0, 0];
        for round in 0..10 {
            let key = |of: usize, step: u32| start[of].wrapping_add(step.wrapping_mul(round));
            let [a, b] = [u64::from(x[0]) * 0xd251_1f53, u64::from(x[2]) * 0xcd9e_8d57];
            let first = (b >> 32) as u32 ^ x[1] ^ key(0, 0x9e37_79b9);
            let third = (a >> 32) as u32 ^ x[3] ^ key(1, 0xbb67_ae85);
            x = [first, b as u32, third, a as u32];
        }
        x
    };
    let blocks = (0..u32::try_from(parameters[0]).ok()?).flat_map(block);
    Some(vec![whole("x", blocks)])
}

/// n words of a number, the lowest first.
fn words_of(number: &BigUint, n: usize) -> impl Iterator<Item = u32> + use<> {
    number.to_u32_digits().into_iter().chain(iter::repeat(0)).take(n)
}

/// By Euclid.
pub(crate) fn long_divisor<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let odd = |given: &dyn Given| {
        let mut number = BigUint::new(words(given));
        number.set_bit(0, true);
        number
    };
    let divisor = odd(given[0]).gcd(&odd(given[1]));
    Some(vec![whole("b", words_of(&divisor, size(parameters, 0)?))])
}

/// By division. `None` where a factor is not below the modulus.
pub(crate) fn long_montgomery<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let [a, b, mut m] = [0, 1, 2].map(|it| BigUint::new(words(given[it])));
    m.set_bit(0, true);
    m.set_bit(32 * n as u64 - 1, true);
    let inverse = (BigUint::from(1_u32) << (32 * n)).modinv(&m)?;
    let product = &a * &b * inverse % &m;
    (a < m && b < m).then(|| vec![whole("c", words_of(&product, n))])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The C++ standard, [rand.predef]: the 10000th number of seed 5489.
    #[test]
    fn the_standards_random_number() {
        let seed = vec![5489.0];
        let given: [&dyn Given; 1] = [&seed];
        let found = mersenne_twister(&[10_000], &given).unwrap().remove(0);
        assert_eq!(found.values.last(), Some(Some(4_123_659_995.0)));
    }

    /// The first of the known answers of the authors' library.
    #[test]
    fn the_authors_random_words() {
        let key = vec![0.0, 0.0];
        let given: [&dyn Given; 1] = [&key];
        let found = philox(&[1], &given).unwrap().remove(0);
        let words: Vec<u32> = found.values.map(|it| it.unwrap() as u32).collect();
        assert_eq!(words, [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
    }
}
