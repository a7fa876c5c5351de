//! Between which numbers a value of C lies: what is sure to fit needs no cut.

use super::Reader;
use super::integers::integer;
use crate::notation::tree::Tree;
use crate::syntax::Type;

impl Reader {
    /// Between which numbers a value lies, where its parts say so.
    pub(super) fn bounds(&self, tree: &Tree) -> Option<(i128, i128)> {
        if let Some(value) = integer(tree) {
            return Some((value.into(), value.into()));
        }
        let own = self.type_of(tree)?;
        let of_type = || {
            let limits = own.limits();
            let is_known = own.is_integer() && own != Type::U64 && !self.is_wide(tree);
            is_known.then(|| (i128::from(*limits.start()), i128::from(*limits.end())))
        };
        let found = match tree {
            Tree::Call(name, of) if name.is_any(&["i32", "i64"]) => self.bounds(&of[0])?,
            Tree::Call(name, of) if name.is("quotient") => self.bounds_of("/", &of[0], &of[1])?,
            Tree::Choice(parts) => {
                let (then, other) = (self.bounds(&parts[1])?, self.bounds(&parts[2])?);
                (then.0.min(other.0), then.1.max(other.1))
            }
            Tree::Binary(op, left, right) => match self.bounds_of(op, left, right) {
                Some(found) => found,
                None => of_type()?,
            },
            _ => of_type()?,
        };
        let limits =
            of_type().or((self.is_wide(tree)).then_some((i64::MIN.into(), i64::MAX.into())))?;
        (found.0 >= limits.0 && found.1 <= limits.1).then_some(found).or(Some(limits))
    }

    fn bounds_of(&self, op: &str, left: &Tree, right: &Tree) -> Option<(i128, i128)> {
        let (a, b) = (self.bounds(left)?, self.bounds(right)?);
        let least = |all: [i128; 4]| all.into_iter().min().unwrap_or(0);
        let most = |all: [i128; 4]| all.into_iter().max().unwrap_or(0);
        Some(match op {
            "+" => (a.0 + b.0, a.1 + b.1),
            "-" => (a.0 - b.1, a.1 - b.0),
            "×" => {
                let all = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
                (least(all), most(all))
            }
            "/" if b.0 > 0 => {
                let all = [a.0 / b.0, a.0 / b.1, a.1 / b.0, a.1 / b.1];
                (least(all) - i128::from(a.0 < 0), most(all))
            }
            "&" if b.0 >= 0 => (0, b.1),
            "&" if a.0 >= 0 => (0, a.1),
            ">>" if a.0 >= 0 && b.0 >= 0 => (0, a.1 >> b.0.min(64)),
            "mod" if b.0 > 0 && a.0 >= 0 => (0, b.1 - 1),
            _ => return None,
        })
    }
}
