//! What Python and NumPy write in several ways, in the one that is read.

use crate::notation::output::Output;
use crate::notation::pattern::{Rule, replace};
use crate::notation::scan::SourceLine;
use crate::notation::token::{Token, position};

const RULES: [Rule; 22] = [
    ("@a = @a [ : : - 1 ]", "@a [ : ] = @a [ : : - 1 ]"),
    (
        "np|numpy . ^sum|mean|max|min ( @a , axis = 0 )",
        "[ ^sum|mean|max|min ( @a [ : , #j ] ) for #j in range ( @a . shape [ 1 ] ) ]",
    ),
    (
        "np|numpy . ^sum|mean|max|min ( @a , axis = 1 )",
        "[ ^sum|mean|max|min ( @a [ #i , : ] ) for #i in range ( @a . shape [ 0 ] ) ]",
    ),
    (
        "@a . ^sum|mean|max|min ( axis = 0 )",
        "[ ^sum|mean|max|min ( @a [ : , #j ] ) for #j in range ( @a . shape [ 1 ] ) ]",
    ),
    (
        "@a . ^sum|mean|max|min ( axis = 1 )",
        "[ ^sum|mean|max|min ( @a [ #i , : ] ) for #i in range ( @a . shape [ 0 ] ) ]",
    ),
    ("np|numpy . trace ( @a )", "sum ( @a [ #i , #i ] for #i in range ( @a . shape [ 0 ] ) )"),
    ("@a . trace ( )", "sum ( @a [ #i , #i ] for #i in range ( @a . shape [ 0 ] ) )"),
    ("np . @f ( $e ) . ^mean|sum|max|min ( )", "np . ^mean|sum|max|min ( np . @f ( $e ) )"),
    ("( $e ) . ^mean|sum|max|min ( )", "np . ^mean|sum|max|min ( $e )"),
    (
        "np . sqrt ( @d @ @d )",
        "np . sqrt ( sum ( @d [ #j ] * @d [ #j ] for #j in range ( len ( @d ) ) ) )",
    ),
    ("np . count_nonzero ( $e )", "np . sum ( $e )"),
    ("@a [ @a ^<|>|<=|>=|==|!= $e ] = $v", "@a = np . where ( @a ^<|>|<=|>=|==|!= $e , $v , @a )"),
    ("np . clip ( @a , $l , $h , out = @a )", "@a = np . clip ( @a , $l , $h )"),
    ("np . add . at ( @h , @a , $e )", "for #x in @a : @h [ #x ] += $e"),
    ("@a . astype ( $t )", "@a . copy ( )"),
    ("@c . extend ( $e )", "for #x in $e : @c . append ( #x )"),
    ("key = @a . __getitem__", "key = lambda #i : @a [ #i ]"),
    ("( %a , %b ) = ( $c )", "%a , %b = $c"),
    (
        "np . dot ( @a [ $i ] , @b )",
        "sum ( @a [ $i ] [ #j ] * @b [ #j ] for #j in range ( len ( @b ) ) )",
    ),
    ("@a [ $i , : ] @ @b [ : , $j ]", "np . dot ( @a [ $i , : ] , @b [ : , $j ] )"),
    ("@a [ $i ] @ @b [ $j ]", "np . dot ( @a [ $i ] , @b [ $j ] )"),
    ("sum ( @r [ $j ] for @r in @a )", "sum ( @a [ #i ] [ $j ] for #i in range ( len ( @a ) ) )"),
];

/// Puts what the patterns stand for in each line; what changes a list stands on a line of its own.
pub(super) fn of_lines(lines: &mut Vec<SourceLine>, out: &mut Output) {
    let mut at = 0;
    while at < lines.len() {
        let tokens = &lines[at].tokens;
        let changes = tokens.windows(2).any(|it| {
            it[0].is(".") && it[1].is_any(&["append", "pop", "extend", "insert", "appendleft"])
        });
        let is_head = tokens[0].is_any(&["if", "elif", "else", "for", "while"]);
        let sign = position(tokens, &[if is_head { ":" } else { ";" }]);
        if let Some(end) = sign.filter(|it| changes && it + 1 < tokens.len()) {
            let column = lines[at].column() + usize::from(is_head);
            let mut behind = lines[at].tokens.split_off(end + 1);
            lines[at].tokens.truncate(end + usize::from(is_head));
            behind[0].column = column;
            lines.insert(at + 1, SourceLine { tokens: behind, comments: vec![] });
        }
        at += 1;
    }
    for line in lines {
        let column = line.column();
        replace(&mut line.tokens, &RULES, out);
        line.tokens.iter_mut().take(1).for_each(|it| it.column = column);
    }
}

/// Names that a function of vectors has in its brackets, or that are asked for their sum.
pub(super) fn folded(tokens: &[Token]) -> Vec<String> {
    const ONE: [&str; 15] = [
        "sum", "mean", "norm", "argmax", "argmin", "cumsum", "any", "all", "diff", "prod", "amax",
        "amin", "max", "min", "len",
    ];
    let of_function = |at: usize| match &tokens[at..] {
        [word, open, name, close, ..] if word.is_any(&ONE) && open.is("(") && close.is(")") => {
            vec![name]
        }
        [word, open, name, sign, ..]
            if open.is("(")
                && (word.is_any(&["sum", "any", "all", "where"])
                    && sign.is_any(&["<", ">", "<=", ">=", "==", "!="])
                    || word.is("clip") && sign.is(",")) =>
        {
            vec![name]
        }
        [word, open, one, comma, two, close, ..]
            if word.is_any(&["dot", "inner", "vdot"])
                && open.is("(")
                && comma.is(",")
                && close.is(")") =>
        {
            vec![one, two]
        }
        [name, dot, word, open, close, ..]
            if dot.is(".") && word.is_any(&ONE) && open.is("(") && close.is(")") =>
        {
            vec![name]
        }
        _ => vec![],
    };
    let all = (0..tokens.len()).flat_map(of_function);
    all.filter(|it| it.is_name() && !it.is_any(&["np", "numpy"]))
        .map(|it| it.text.clone())
        .collect()
}
