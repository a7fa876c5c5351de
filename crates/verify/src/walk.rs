//! Goes through the tree of a listing and adds up what its accesses cost at most and at least.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use serde_json::Value;

use crate::polynomial::Polynomial;
use crate::sums::{Kind, Level, Sums};
use crate::{Bounds, Refusal, Setting, Source};

/// A place of a listing.
#[derive(Clone)]
pub(crate) struct Scope {
    /// What its numbers go through, from outside to inside.
    pub(crate) levels: Vec<Level>,
    /// Each is not negative.
    pub(crate) facts: Vec<Polynomial>,
    /// By scalar, if it is known.
    values: Vec<Option<Polynomial>>,
    /// Whether what stands here is done in each iteration.
    pub(crate) sure: bool,
    /// Levels of the parallel loops around it.
    pub(crate) nest: Option<Range<usize>>,
    /// The innermost `for` loop around it, if its thread is alone and no other loop is between.
    pub(crate) outer: Option<Rc<Outer>>,
}

/// A sequential loop in which a `while` loop stands.
pub(crate) struct Outer {
    pub(crate) before: Scope,
    pub(crate) inside: Scope,
    /// Its variable, and its body.
    pub(crate) scalar: Value,
    pub(crate) body: Value,
    pub(crate) turn: Turn,
}

/// What a loop's variable is in its first iteration, if there is one, and in the next, and how often it turns at
/// most.
pub(crate) struct Turn {
    pub(crate) first: Option<Polynomial>,
    pub(crate) next: Polynomial,
    pub(crate) count: Polynomial,
}

impl Scope {
    pub(crate) fn new(scalars: usize) -> Self {
        let values = vec![None; scalars];
        Self { levels: vec![], facts: vec![], values, sure: true, nest: None, outer: None }
    }

    pub(crate) fn get(&self, scalar: &Value) -> Option<Polynomial> {
        self.values.get(scalar.as_u64()? as usize)?.clone()
    }

    /// Whether every number in it is one of the place, or a size.
    pub(crate) fn knows(&self, of: &Polynomial) -> bool {
        of.atoms().all(|atom| !atom.contains('.') || self.levels.iter().any(|it| it.atom == *atom))
    }

    pub(crate) fn set(&mut self, scalar: &Value, value: Option<Polynomial>) {
        let own = scalar.as_u64().and_then(|it| self.values.get_mut(it as usize));
        own.into_iter().for_each(|it| *it = value.clone());
    }
}

/// Of every access: what it adds to the sums.
pub struct Walk<'a> {
    pub(crate) sums: Sums<'a>,
    pub(crate) tree: &'a Value,
    pub(crate) next: usize,
    upper: Polynomial,
    /// Parts of the time that are no more than the least of several sums, and how many are alike.
    parts: Vec<(i64, Vec<Polynomial>)>,
    requests: Polynomial,
    chain: Polynomial,
    /// Of nests whose neighbours lie so many words apart, iterations.
    pub(crate) apart: BTreeMap<Polynomial, Polynomial>,
}

/// Does something for each statement of a list.
macro_rules! each {
    ($list:expr, $it:ident => $what:expr) => {
        for $it in $list.as_array().into_iter().flatten() {
            $what
        }
    };
}

impl<'a> Walk<'a> {
    /// At the beginning.
    pub fn new(setting: &'a Setting, tree: &'a Value, source: &'a mut dyn Source) -> Self {
        let none = Polynomial::default;
        Self {
            sums: Sums::new(setting, source),
            tree,
            next: 0,
            upper: none(),
            parts: vec![],
            requests: none(),
            chain: none(),
            apart: BTreeMap::new(),
        }
    }

    /// The whole listing.
    ///
    /// # Errors
    /// The first answer that does not hold, or what no certificate speaks of.
    pub fn program(&mut self) -> Result<(), Refusal> {
        let tree = self.tree;
        let scalars = tree["scalars"].as_array().map_or(0, Vec::len);
        self.block(&tree["body"], &mut Scope::new(scalars))
    }

    /// What was added up, by rule.
    pub fn bounds(self) -> Bounds {
        let per = |size: &str| Polynomial::power(size, -1);
        let l = Polynomial::atom("@l");
        let lower = [
            ("bandwidth", self.requests.times(&per("@w"))),
            ("threads", self.requests.times(&l).times(&per("@p"))),
            ("chain", self.chain.times(&l)),
        ];
        let lower = lower.map(|(rule, bound)| (rule.to_owned(), (None, bound)));
        let apart = self
            .apart
            .into_iter()
            .zip(0..)
            .map(|((by, bound), at)| (format!("apart {at}"), (Some(by), bound)));
        let upper = [vec![(1, vec![self.upper])], self.parts].concat();
        Bounds { upper, lower: lower.into_iter().chain(apart).collect() }
    }

    pub(crate) fn block(&mut self, of: &Value, scope: &mut Scope) -> Result<(), Refusal> {
        each!(of, it => self.statement(it, scope)?);
        Ok(())
    }

    fn statement(&mut self, of: &Value, scope: &mut Scope) -> Result<(), Refusal> {
        match of[0].as_str().unwrap_or_default() {
            "assign" => {
                self.reads(&of[2], scope)?;
                let value = self.value(&of[2], scope)?;
                scope.set(&of[1], value);
            }
            "store" => {
                self.reads(&of[4], scope)?;
                each!(of[5], it => self.reads(it, scope)?);
                self.access(&of[2], &of[3], of[7] == true, scope)?;
                scope.set(&of[6], None);
            }
            "eval" => {
                each!(of[1], it => self.reads(it, scope)?);
                scope.set(&of[2], None);
            }
            "for" => {
                let before = scope.clone();
                let mut inside = self.around(&of[2], scope);
                inside.outer = None;
                let turn = self.enter(&of[1], &mut inside)?;
                inside.sure &= of[3] == false;
                if scope.nest.is_none() {
                    let (scalar, body) = (of[1][0].clone(), of[2].clone());
                    let outer = Outer { before, inside: inside.clone(), scalar, body, turn };
                    inside.outer = Some(Rc::new(outer));
                }
                self.block(&of[2], &mut inside)?;
                scope.set(&of[1][0], None);
            }
            "parallel" => {
                if scope.nest.is_some() {
                    return Err(Refusal::new("a parallel loop within another's iteration"));
                }
                let mut inside = self.around(&of[2], scope);
                inside.outer = None;
                let outside = inside.levels.len();
                each!(of[1], it => drop(self.enter(it, &mut inside)?));
                inside.nest = Some(outside..inside.levels.len());
                self.block(&of[2], &mut inside)?;
                each!(of[1], it => scope.set(&it[0], None));
            }
            "while" => self.while_loop(of, scope)?,
            "if" => {
                self.reads(&of[1], scope)?;
                for arm in [&of[2], &of[3]] {
                    let mut inside = scope.clone();
                    inside.sure = false;
                    self.block(arm, &mut inside)?;
                }
                assigned(of, &mut |it| scope.set(it, None));
            }
            _ => return Err(Refusal::new("a statement that is none")),
        }
        Ok(())
    }

    /// A scope inside of a loop, and after it: what its body assigns is not known.
    fn around(&mut self, body: &Value, scope: &mut Scope) -> Scope {
        assigned(body, &mut |it| scope.set(it, None));
        scope.clone()
    }

    /// The reads of an expression, each where it is made for sure, or perhaps.
    pub(crate) fn reads(&mut self, of: &Value, scope: &mut Scope) -> Result<(), Refusal> {
        match of[0].as_str().unwrap_or_default() {
            "par" | "var" => {}
            "get" => self.access(&of[2], &of[3], false, scope)?,
            "and" | "or" => {
                self.reads(&of[1], scope)?;
                self.perhaps(&of[2], scope)?;
            }
            "if" => {
                self.reads(&of[1], scope)?;
                self.perhaps(&of[2], scope)?;
                self.perhaps(&of[3], scope)?;
            }
            "let" => {
                self.reads(&of[2], scope)?;
                let value = self.value(&of[2], scope)?;
                scope.set(&of[1], value);
                self.reads(&of[3], scope)?;
            }
            _ => {
                let operands =
                    of.as_array().into_iter().flatten().skip(usize::from(of[0].is_string()));
                for it in operands {
                    self.reads(it, scope)?;
                }
            }
        }
        Ok(())
    }

    fn perhaps(&mut self, of: &Value, scope: &mut Scope) -> Result<(), Refusal> {
        let sure = std::mem::replace(&mut scope.sure, false);
        self.reads(of, scope)?;
        scope.sure = sure;
        Ok(())
    }

    /// An access costs l time units of one thread; of a nest, what its rounds wait and its stages.
    fn access(
        &mut self,
        array: &Value,
        indices: &Value,
        is_serial: bool,
        scope: &mut Scope,
    ) -> Result<(), Refusal> {
        each!(indices, it => self.reads(it, scope)?);
        let one = Polynomial::constant(1);
        let l = Polynomial::atom("@l");
        match scope.nest.clone() {
            None => {
                let all = self.up(scope, scope.levels.len(), &one)?;
                self.upper = self.upper.plus(&all.times(&l));
            }
            Some(nest) => {
                let cell = self.cell(array, indices, scope)?;
                let steps = self.steps(nest.clone(), scope)?;
                let rounds = self.up(scope, nest.start, &steps)?;
                let lanes = self.up(scope, nest.end, &steps)?;
                let [by_thread, by_width] =
                    ["@p", "@w"].map(|it| lanes.times(&Polynomial::power(it, -1)));
                self.upper = self.upper.plus(&l.minus(&one).times(&by_thread.plus(&rounds)));
                let warps = by_width.plus(&by_thread).plus(&rounds);
                let choices = match cell.filter(|_| !is_serial) {
                    None => vec![self.up(scope, scope.levels.len(), &one)?],
                    Some(cell) => {
                        let choices = self.stages(&cell, scope, &steps, [&warps, &by_width])?;
                        self.far_apart(&cell, scope)?;
                        choices
                    }
                };
                match self.parts.iter_mut().find(|it| it.1 == choices) {
                    Some((count, _)) => *count += 1,
                    None => self.parts.push((1, choices)),
                }
            }
        }
        if scope.sure {
            let placed = scope.nest.clone();
            let mut down =
                |place| self.sums.over(&scope.levels, &scope.facts, &one, (false, place));
            let requests = down(None)?.unwrap_or_default();
            let chain =
                if placed.is_some() { down(placed)?.unwrap_or_default() } else { requests.clone() };
            self.requests = self.requests.plus(&requests);
            self.chain = self.chain.plus(&chain);
        }
        Ok(())
    }

    /// The sum of a weight over the first levels, at most.
    pub(crate) fn up(
        &mut self,
        scope: &Scope,
        count: usize,
        weight: &Polynomial,
    ) -> Result<Polynomial, Refusal> {
        let levels = &scope.levels[..count];
        let sum = self.sums.over(levels, &scope.facts, weight, (true, None))?;
        sum.ok_or_else(|| Refusal::new("a sum from above is missing"))
    }

    /// In how many steps the threads of a round make an access at most: the product of the inner loops'
    /// largest numbers of iterations, over all threads.
    fn steps(
        &mut self,
        nest: std::ops::Range<usize>,
        scope: &Scope,
    ) -> Result<Polynomial, Refusal> {
        let mut product = Polynomial::constant(1);
        let gone: Vec<String> =
            scope.levels[nest.start..].iter().map(|it| it.atom.clone()).collect();
        let outside = scope.levels.get(nest.start).map_or(0, |it| it.outside);
        for level in &scope.levels[nest.end..] {
            let most = match &level.kind {
                Kind::Named | Kind::Harmonic { .. } => continue,
                Kind::Halving(it) => it.most.clone(),
                Kind::Loop { .. } => {
                    let count = Polynomial::atom(&level.atom).plus(&Polynomial::constant(1));
                    let both = [&scope.facts[..outside], &scope.facts[..level.inside]];
                    let found = self.sums.without(&count, both, &gone, true)?;
                    found.ok_or_else(|| {
                        Refusal::new(format!(
                            "no certificate says how often `{}` counts at most",
                            level.atom
                        ))
                    })?
                }
            };
            product = product.times(&most);
        }
        Ok(product)
    }

    /// The array's cell, row by row from 0; `None` if it is not known.
    fn cell(
        &mut self,
        array: &Value,
        indices: &Value,
        scope: &mut Scope,
    ) -> Result<Option<Polynomial>, Refusal> {
        let tree = self.tree;
        let extents = &tree["arrays"][array.as_u64().map_or(0, |it| it as usize)];
        let mut cell = Some(Polynomial::default());
        for (at, index) in indices.as_array().into_iter().flatten().enumerate() {
            let extent = if at > 0 {
                self.value(&extents[at], scope)?
            } else {
                Some(Polynomial::constant(1))
            };
            let index = self.value(index, scope)?;
            cell = cell
                .zip(extent)
                .zip(index)
                .map(|((cell, extent), it)| cell.times(&extent).plus(&it));
        }
        Ok(cell)
    }
}

/// Every scalar that statements assign, once.
pub(crate) fn changed(of: &Value) -> Vec<Value> {
    let mut all: Vec<Value> = vec![];
    assigned(of, &mut |it| {
        if !it.is_null() && !all.contains(it) {
            all.push(it.clone());
        }
    });
    all
}

/// Every scalar that statements assign, loops' variables included.
fn assigned(of: &Value, each: &mut dyn FnMut(&Value)) {
    let Some(parts) = of.as_array() else { return };
    match parts.first().and_then(Value::as_str) {
        Some("assign") => each(&of[1]),
        Some("store") => each(&of[6]),
        Some("eval") => each(&of[2]),
        Some("for") => {
            each(&of[1][0]);
            assigned(&of[2], each);
        }
        Some("parallel") => {
            each!(of[1], it => each(&it[0]));
            assigned(&of[2], each);
        }
        Some("while") => assigned(&of[2], each),
        Some("if") => {
            assigned(&of[2], each);
            assigned(&of[3], each);
        }
        _ => parts.iter().for_each(|it| assigned(it, each)),
    }
}
