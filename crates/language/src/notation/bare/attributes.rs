//! What procedures share beside arrays: `A.heap-size`, which belongs to the array.

use std::collections::{BTreeSet, HashMap};

use super::head::Head;
use crate::notation::expression::Array;
use crate::notation::token::{LogicalLine, Token};

/// Attributes of arrays that several procedures name: each is the only element of an array of its name, since
/// procedures have the arrays of the algorithm, and scalars of their own. Returns these names.
pub(super) fn shared(
    procedures: &mut [(Head, Vec<LogicalLine>)],
    main: &mut [LogicalLine],
    arrays: &HashMap<String, Array>,
) -> BTreeSet<String> {
    let is_attribute = |name: &str| {
        let mut parts = name.match_indices('_').map(|it| &name[..it.0]);
        !arrays.contains_key(name) && parts.any(|it| arrays.contains_key(it))
    };
    let names = |lines: &[LogicalLine]| -> BTreeSet<String> {
        let tokens = lines.iter().flat_map(|it| &it.tokens);
        tokens.filter(|it| is_attribute(&it.text)).map(|it| it.text.clone()).collect()
    };
    let mut all: Vec<BTreeSet<String>> = procedures.iter().map(|it| names(&it.1)).collect();
    all.push(names(main));
    let is_shared = |name: &&String| all.iter().filter(|it| it.contains(*name)).count() > 1;
    let shared: BTreeSet<String> = all.iter().flatten().filter(is_shared).cloned().collect();
    let lines = procedures.iter_mut().flat_map(|it| &mut it.1).chain(main);
    for line in lines {
        for at in (0..line.tokens.len()).rev().filter(|_| !shared.is_empty()) {
            if shared.contains(&line.tokens[at].text) {
                let index = ["[", "0", "]"].map(|it| Token::glued(it, &line.tokens[at]));
                line.tokens.splice(at + 1..at + 1, index);
            }
        }
    }
    shared
}
