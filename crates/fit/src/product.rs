//! A formula as a sum of products of powers: what an O says.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::expression::Expression;
use super::syntax_tree::{Function, Node};

/// What a factor is of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FactorKind {
    /// It.
    Plain,
    /// ⌈log₂⌉ of it.
    Logarithm,
    /// 2 to it.
    PowerOfTwo,
    /// A number to it, which is no power of 2: as in 7^k.
    PowerOf(u32),
    /// It to the power of a number's logarithm, as in n^log2(3).
    ToLogarithm(u32),
}

/// A name, its logarithm, or the power of two whose exponent it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Factor {
    /// Which.
    pub name: String,
    /// What is meant of it.
    pub kind: FactorKind,
}

/// Factors with their powers, exact and none 0. Constants do not count.
pub type Product = BTreeMap<Factor, BigRational>;

/// Powers of a sum up to this are multiplied out.
const MOST: u32 = 8;

impl Expression {
    /// The products of which this is a sum, up to constant factors.
    ///
    /// # Errors
    /// What is no sum of products, and what to write instead.
    pub fn products(&self) -> Result<Vec<Product>, String> {
        let mut distinct: Vec<Product> = vec![];
        for product in products(&self.root)? {
            if !distinct.contains(&product) {
                distinct.push(product);
            }
        }
        Ok(distinct)
    }
}

fn products(node: &Node) -> Result<Vec<Product>, String> {
    match node {
        Node::Number(value) if value.is_positive() => Ok(vec![Product::new()]),
        Node::Number(_) => Err("a factor of 0 leaves nothing".to_owned()),
        Node::Name(name) => Ok(vec![factor(name, FactorKind::Plain)]),
        Node::Call(Function::Sqrt, operand) => {
            raised(&products(operand)?, &BigRational::new(1.into(), 2.into()))
        }
        Node::Call(Function::Log2, operand) => {
            let mut logarithms = vec![];
            for product in products(operand)? {
                for (of, power) in product {
                    logarithms.push(match of.kind {
                        _ if power.is_negative() => return Err(UNCLEAR_LOGARITHM.to_owned()),
                        FactorKind::Plain => factor(&of.name, FactorKind::Logarithm),
                        FactorKind::PowerOfTwo => factor(&of.name, FactorKind::Plain),
                        _ => return Err(UNCLEAR_LOGARITHM.to_owned()),
                    });
                }
            }
            // That of a constant is one.
            Ok(if logarithms.is_empty() { vec![Product::new()] } else { logarithms })
        }
        // Rounded up it is at most one more.
        Node::Call(Function::Ceil, operand) => {
            let mut all = products(operand)?;
            if all.iter().any(|it| it.values().any(Signed::is_negative)) {
                all.push(Product::new());
            }
            Ok(all)
        }
        Node::Call(Function::Floor, operand) => {
            let all = products(operand)?;
            if all.iter().any(|it| it.values().any(Signed::is_negative)) {
                return Err("floor() of a fraction may be 0; write the fraction".to_owned());
            }
            Ok(all)
        }
        Node::Operation(operator, operands) => {
            let [left, right] = operands.as_ref();
            operation(*operator, left, right)
        }
    }
}

const UNCLEAR_LOGARITHM: &str = "take logarithms of products of names alone";

fn operation(operator: char, left: &Node, right: &Node) -> Result<Vec<Product>, String> {
    if operator == '^' {
        return match right.constant() {
            Some(power) => raised(&products(left)?, &power),
            None => match to_logarithm(left, right)? {
                Some(power) => Ok(vec![power]),
                None => Ok(vec![power_of_two(left, right)?]),
            },
        };
    }
    let more = products(left)?;
    let less = products(right)?;
    match operator {
        '+' => Ok([more, less].concat()),
        // What is taken off must be less than something that stays.
        '-' => {
            let smaller = |it: &Product| {
                more.iter().any(|of| {
                    of != it
                        && it
                            .iter()
                            .all(|(factor, power)| of.get(factor).is_some_and(|most| power <= most))
                })
            };
            if less.iter().all(smaller) {
                Ok(more)
            } else {
                Err("what is subtracted must be of lower order; leave it out".to_owned())
            }
        }
        '*' => Ok(crossed(&more, &less)),
        _ => match &less[..] {
            [by] => {
                let by = by.iter().map(|(factor, power)| (factor.clone(), -power)).collect();
                Ok(crossed(&more, &[by]))
            }
            _ => Err("divide by one product, not by a sum".to_owned()),
        },
    }
}

/// 2^(a·k + b), which is (2^k)^a up to a constant; of a power of two as base, too.
fn power_of_two(base: &Node, exponent: &Node) -> Result<Product, String> {
    let only = || "a power is a number, as in n^3, or the base is, as in 2^k".to_owned();
    let base = base.constant().filter(BigRational::is_integer).ok_or_else(only)?.to_integer();
    let doublings = base.trailing_zeros().unwrap_or(0);
    let mut powers = linear(exponent)
        .ok_or("an exponent is a sum of names, each times a number, as in 2^(2*k + 1)")?;
    powers.retain(|_, power| !power.is_zero());
    if base != num_bigint::BigInt::one() << doublings || doublings == 0 {
        let base = base.to_u32().filter(|it| *it > 2);
        let base = base.ok_or("a number that is raised is 2 or more, as in 2^k or 7^k")?;
        let kind = FactorKind::PowerOf(base);
        return Ok(powers.into_iter().map(|(name, it)| (Factor { name, kind }, it)).collect());
    }
    let doublings = BigRational::from_integer(doublings.into());
    let factor =
        |(name, power)| (Factor { name, kind: FactorKind::PowerOfTwo }, power * &doublings);
    Ok(powers.into_iter().map(factor).collect())
}

/// n^log2(3), if it is that.
fn to_logarithm(base: &Node, exponent: &Node) -> Result<Option<Product>, String> {
    let Node::Call(Function::Log2, of) = exponent else { return Ok(None) };
    let Some(of) = of.constant() else { return Ok(None) };
    let wrong = || "write a power of a logarithm as in n^log2(3)".to_owned();
    let of = of.is_integer().then(|| of.to_integer().to_u32()).flatten().filter(|it| *it > 1);
    let of = of.ok_or_else(wrong)?;
    if of.is_power_of_two() {
        let power = BigRational::from_integer(of.ilog2().into());
        return Ok(raised(&products(base)?, &power)?.pop());
    }
    let [product] = &products(base)?[..] else { return Err(wrong()) };
    let factors = product.iter().map(|(factor, power)| {
        let kind = match factor.kind {
            FactorKind::Plain => FactorKind::ToLogarithm(of),
            FactorKind::PowerOfTwo => FactorKind::PowerOf(of),
            _ => return Err(wrong()),
        };
        Ok((Factor { kind, ..factor.clone() }, power.clone()))
    });
    factors.collect::<Result<Product, String>>().map(Some)
}

/// What each name of a linear form is multiplied by.
fn linear(node: &Node) -> Option<BTreeMap<String, BigRational>> {
    let scaled = |of: BTreeMap<String, BigRational>, by: &BigRational| {
        of.into_iter().map(|(name, it)| (name, it * by)).collect()
    };
    match node {
        Node::Number(_) => Some(BTreeMap::new()),
        Node::Name(name) => Some(BTreeMap::from([(name.clone(), BigRational::one())])),
        Node::Call(..) => None,
        Node::Operation(operator, operands) => {
            let [left, right] = operands.as_ref();
            match operator {
                '+' | '-' => {
                    let mut sum = linear(left)?;
                    for (name, it) in linear(right)? {
                        let entry = sum.entry(name).or_insert_with(BigRational::zero);
                        *entry += if *operator == '-' { -it } else { it };
                    }
                    Some(sum)
                }
                '*' => match (left.constant(), right.constant()) {
                    (Some(by), _) => Some(scaled(linear(right)?, &by)),
                    (None, Some(by)) => Some(scaled(linear(left)?, &by)),
                    (None, None) => None,
                },
                '/' => {
                    let by = right.constant().filter(|it| !it.is_zero())?;
                    Some(scaled(linear(left)?, &by.recip()))
                }
                _ => node.constant().map(|_| BTreeMap::new()),
            }
        }
    }
}

fn factor(name: &str, kind: FactorKind) -> Product {
    Product::from([(Factor { name: name.to_owned(), kind }, BigRational::one())])
}

fn raised(products: &[Product], power: &BigRational) -> Result<Vec<Product>, String> {
    if let [product] = products {
        let raised = product.iter().map(|(factor, it)| (factor.clone(), it * power));
        return Ok(vec![raised.filter(|(_, power)| !power.is_zero()).collect()]);
    }
    let whole = power.is_integer().then(|| power.to_integer().to_u32()).flatten();
    let whole = whole.filter(|it| (1..=MOST).contains(it));
    let whole = whole.ok_or_else(|| format!("a sum may be raised to 1, 2 … {MOST}"))?;
    let once = products.to_vec();
    Ok((1..whole).fold(once.clone(), |all, _| crossed(&all, &once)))
}

fn crossed(left: &[Product], right: &[Product]) -> Vec<Product> {
    let pairs = left.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
    let product = |(a, b): (&Product, &Product)| {
        let mut product = a.clone();
        for (factor, power) in b {
            *product.entry(factor.clone()).or_insert_with(BigRational::zero) += power;
        }
        product.retain(|_, power| !power.is_zero());
        product
    };
    let mut products: Vec<Product> = vec![];
    for it in pairs.map(product) {
        if !products.contains(&it) {
            products.push(it);
        }
    }
    products
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Result<Vec<String>, String> {
        let show = |product: &Product| {
            let factor = |(of, power): (&Factor, &BigRational)| {
                let log = match of.kind {
                    FactorKind::Plain => "",
                    FactorKind::Logarithm => "log ",
                    FactorKind::PowerOfTwo => "2^",
                    FactorKind::PowerOf(base) => return format!("{base}^{}^{power}", of.name),
                    FactorKind::ToLogarithm(_) => "log a of ",
                };
                format!("{log}{}^{power}", of.name)
            };
            product.iter().map(factor).collect::<Vec<_>>().join(" ")
        };
        Ok(text.parse::<Expression>()?.products()?.iter().map(show).collect())
    }

    #[test]
    fn sums_of_products() {
        assert_eq!(written("2*n^3/w + l"), Ok(vec!["n^3 w^-1".to_owned(), "l^1".to_owned()]));
        let products = vec!["n^1 p^-1".to_owned(), "l^1 p^-1".to_owned()];
        assert_eq!(written("(n+l)/p"), Ok(products));
        assert_eq!(written("n^2 - n"), Ok(vec!["n^2".to_owned()]));
        assert_eq!(written("sqrt(n)*log2(n)"), Ok(vec!["n^1/2 log n^1".to_owned()]));
        assert_eq!(written("ceil(n/w)"), Ok(vec!["n^1 w^-1".to_owned(), String::new()]));
        assert_eq!(written("n^0.1*n^0.2*n^0.7"), Ok(vec!["n^1".to_owned()]));
        assert_eq!(written("n^(1/3)*n^(2/3)"), Ok(vec!["n^1".to_owned()]));
        assert_eq!(written("n^0.1/n^(1/10)"), Ok(vec![String::new()]));
        let powers = vec!["k^2 2^k^1".to_owned(), "2^k^3".to_owned()];
        assert_eq!(written("2^(k-1)*k^2 + 4^k*2^k"), Ok(powers));
        assert_eq!(written("log2(2^(3k)/4)"), Ok(vec!["k^1".to_owned()]));
        assert_eq!(written("k*3^k"), Ok(vec!["k^1 3^k^1".to_owned()]));
        for text in [
            "n/(w+1)",
            "n^p",
            "p - w",
            "0*n",
            "log2(log2(n))",
            "floor(n/w)",
            "2^(k^2)",
            "2^sqrt(k)",
            "1^k",
        ] {
            assert!(written(text).is_err(), "{text}");
        }
    }
}
