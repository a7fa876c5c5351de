//! Claims as they are written.

use memory_machine_fit::Expression;
use memory_machine_theory::derive::UnitCost;
use memory_machine_theory::derive::claim::Relation;

/// A claim as it is written: `n^3/w + n*l`, `Θ(n^2)`, `Omega(n*l)`, and what is assumed of the sizes:
/// `p <= n`.
#[derive(Debug, Clone)]
pub struct ParsedClaim {
    /// O unless another is written.
    pub relation: Relation,
    /// Inside the parentheses.
    pub formula: Expression,
    /// Pairs: more, less.
    pub assumed: Vec<[Expression; 2]>,
    /// What is claimed of a machine of courses, in accesses; else it is the time of a memory machine.
    pub unit: Option<UnitCost>,
}

impl ParsedClaim {
    /// Parses a claim.
    ///
    /// # Errors
    /// What is no formula.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let relations = [
            ("O", Relation::AtMost),
            ("Ω", Relation::AtLeast),
            ("Omega", Relation::AtLeast),
            ("Θ", Relation::Exactly),
            ("Theta", Relation::Exactly),
        ];
        let inside = relations.iter().find_map(|(word, relation)| {
            let inside = text.strip_prefix(word)?.trim_start().strip_prefix('(')?;
            Some((*relation, inside))
        });
        let (relation, formula) = match inside {
            None => (Relation::AtMost, text),
            Some((relation, inside)) => {
                let inside = inside.trim_end();
                match (inside.strip_suffix(')'), inside.rsplit_once(')')) {
                    (Some(inside), _) => (relation, inside),
                    (None, Some((_, behind))) => {
                        return Err(format!(
                            "`{}` stands behind the claim's parenthesis: write O(…), Ω(…) or Θ(…) alone; \
                             what is assumed of sizes stands apart from it (--where)",
                            behind.trim()
                        ));
                    }
                    (None, None) => return Err("the claim's parenthesis is not closed".to_owned()),
                }
            }
        };
        Ok(Self { relation, formula: formula.parse()?, assumed: vec![], unit: None })
    }

    /// What is assumed of sizes: `w ≤ n`.
    pub fn assumptions(&self) -> Vec<String> {
        self.assumed.iter().map(|[more, less]| format!("{less} ≤ {more}")).collect()
    }

    /// An assumption, as in `p <= n`, `l = 1` or `w <= p <= n`: pairs of more and less.
    ///
    /// # Errors
    /// What is none.
    pub fn assumption(text: &str) -> Result<Vec<[Expression; 2]>, String> {
        let mut sides: Vec<Expression> = vec![];
        let mut relations: Vec<&str> = vec![];
        let mut rest = text;
        while let Some(at) = rest.find(['<', '>', '≤', '≥', '=']) {
            let found = COMPARISONS.into_iter().find(|it| rest[at..].starts_with(it.0));
            let Some((sign, relation)) = found else { break };
            sides.push(rest[..at].parse()?);
            relations.push(relation);
            rest = &rest[at + sign.len()..];
        }
        if relations.is_empty() {
            return Err(format!("`{text}` compares nothing; write p <= n"));
        }
        sides.push(rest.parse()?);
        let pairs = relations.iter().zip(sides.windows(2)).flat_map(|(relation, pair)| {
            let [left, right] = [&pair[0], &pair[1]].map(Clone::clone);
            let less = [right.clone(), left.clone()];
            let more = [left, right];
            match *relation {
                "<" => vec![less],
                ">" => vec![more],
                _ => vec![less, more],
            }
        });
        Ok(pairs.collect())
    }
}

/// What compares the sides of an assumption; constants do not count, nor whether both may be equal.
const COMPARISONS: [(&str, &str); 8] = [
    ("<=", "<"),
    (">=", ">"),
    ("==", "="),
    ("≤", "<"),
    ("≥", ">"),
    ("<", "<"),
    (">", ">"),
    ("=", "="),
];
