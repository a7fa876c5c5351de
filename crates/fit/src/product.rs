//! A formula as a sum of products of powers: what an O says.

use std::collections::BTreeMap;

use super::expression::{Expression, Function, Node};

/// A name, or its logarithm.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Factor {
    /// Which.
    pub name: String,
    /// Whether ⌈log₂⌉ of it is meant.
    pub logarithm: bool,
}

/// Factors with their powers, none 0. Constants do not count.
pub type Product = BTreeMap<Factor, f64>;

/// Powers of a sum up to this are multiplied out.
const MOST: f64 = 8.0;

impl Expression {
    /// The products of which this is a sum, up to constant factors.
    ///
    /// # Errors
    /// What is no sum of products, and what to write instead.
    pub fn products(&self) -> Result<Vec<Product>, String> {
        let mut products = products(&self.root)?;
        products.dedup();
        Ok(products)
    }
}

fn products(node: &Node) -> Result<Vec<Product>, String> {
    match node {
        Node::Number(value) if *value > 0.0 => Ok(vec![Product::new()]),
        Node::Number(_) => Err("a factor of 0 leaves nothing".to_owned()),
        Node::Name(name) => Ok(vec![factor(name, false)]),
        Node::Call(Function::Sqrt, operand) => raised(&products(operand)?, 0.5),
        Node::Call(Function::Log2, operand) => {
            let mut logarithms = vec![];
            for product in products(operand)? {
                for (of, power) in product {
                    if of.logarithm || power < 0.0 {
                        return Err("take logarithms of products of names alone".to_owned());
                    }
                    logarithms.push(factor(&of.name, true));
                }
            }
            // That of a constant is one.
            Ok(if logarithms.is_empty() { vec![Product::new()] } else { logarithms })
        }
        // Rounded up it is at most one more.
        Node::Call(Function::Ceil, operand) => {
            let mut all = products(operand)?;
            if all.iter().any(|it| it.values().any(|power| *power < 0.0)) {
                all.push(Product::new());
            }
            Ok(all)
        }
        Node::Call(Function::Floor, operand) => {
            let all = products(operand)?;
            if all.iter().any(|it| it.values().any(|power| *power < 0.0)) {
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

fn operation(operator: char, left: &Node, right: &Node) -> Result<Vec<Product>, String> {
    let more = products(left)?;
    if operator == '^' {
        let Node::Number(power) = right else {
            return Err("a power is a number, as in n^3".to_owned());
        };
        return raised(&more, *power);
    }
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

fn factor(name: &str, logarithm: bool) -> Product {
    Product::from([(Factor { name: name.to_owned(), logarithm }, 1.0)])
}

fn raised(products: &[Product], power: f64) -> Result<Vec<Product>, String> {
    if let [product] = products {
        let raised = product.iter().map(|(factor, it)| (factor.clone(), it * power));
        return Ok(vec![raised.filter(|(_, power)| *power != 0.0).collect()]);
    }
    if power.fract() != 0.0 || !(1.0..=MOST).contains(&power) {
        return Err(format!("a sum may be raised to 1, 2 … {MOST}"));
    }
    let once = products.to_vec();
    Ok((1..power as u32).fold(once.clone(), |all, _| crossed(&all, &once)))
}

fn crossed(left: &[Product], right: &[Product]) -> Vec<Product> {
    let pairs = left.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
    let product = |(a, b): (&Product, &Product)| {
        let mut product = a.clone();
        for (factor, power) in b {
            *product.entry(factor.clone()).or_default() += power;
        }
        product.retain(|_, power| *power != 0.0);
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
            let factor = |(of, power): (&Factor, &f64)| {
                let log = if of.logarithm { "log " } else { "" };
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
        assert_eq!(written("sqrt(n)*log2(n)"), Ok(vec!["n^0.5 log n^1".to_owned()]));
        assert_eq!(written("ceil(n/w)"), Ok(vec!["n^1 w^-1".to_owned(), String::new()]));
        for text in ["n/(w+1)", "n^p", "p - w", "0*n", "log2(log2(n))", "floor(n/w)"] {
            assert!(written(text).is_err(), "{text}");
        }
    }
}
