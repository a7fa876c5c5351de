//! What books and languages of lines write in several ways, in the one that is read.

use super::output::Output;
use super::pattern::{Rule, replace};
use super::scan::SourceLine;
use super::token::{LogicalLine, Token, position, text};

const OF_LINES: [Rule; 9] = [
    (
        "if $c : ^return|break|continue|set|swap|exchange|increment|decrement",
        "if $c then ^return|break|continue|set|swap|exchange|increment|decrement",
    ),
    (
        "else : ^return|break|continue|set|swap|exchange",
        "else ^return|break|continue|set|swap|exchange",
    ),
    ("Initialize|Initialise|initialize|initialise $a with zeros|zeroes", "initialize $a with 0"),
    ("return array|list @a", "return @a"),
    ("readln|read ( $e ) ;", "readln $e ;"),
    ("each $x : ^increment|add|set|let|swap $b .", "each $x do ^increment|add|set|let|swap $b"),
    ("@a not =", "@a ≠"),
    ("] not =", "] ≠"),
    (") not =", ") ≠"),
];

/// Which norm it is.
const OF_NORMS: [Rule; 4] = [("‖ _ { 2 }", "‖"), ("‖ _ 2", "‖"), ("‖ _2|₂", "‖"), ("‖_2|‖₂", "‖")];

const OF_VECTORS: [Rule; 5] = [
    ("‖ @a ‖", "sqrt ( ∑ _ { norm_at = 1 } ^ { length ( @a ) } @a [ norm_at ] ^ 2 )"),
    (
        "‖ @a -|− @b ‖",
        "sqrt ( ∑ _ { norm_at = 1 } ^ { length ( @a ) } ( @a [ norm_at ] - @b [ norm_at ] ) ^ 2 )",
    ),
    ("⟨ @a , @b ⟩", "( ∑ _ { dot_at = 1 } ^ { length ( @a ) } @a [ dot_at ] × @b [ dot_at ] )"),
    ("@a ^ top|⊤ @b", "( ∑ _ { dot_at = 1 } ^ { length ( @a ) } @a [ dot_at ] × @b [ dot_at ] )"),
    ("@a ^ top|⊤ × @b", "( ∑ _ { dot_at = 1 } ^ { length ( @a ) } @a [ dot_at ] × @b [ dot_at ] )"),
];

/// Puts what the patterns stand for in each line.
pub(super) fn of_books(lines: &mut [LogicalLine], out: &mut Output) {
    of(lines, &OF_LINES, out);
}

/// Norms, and products of vectors, as sums.
pub(super) fn of_vectors(lines: &mut [LogicalLine], out: &mut Output) {
    of(lines, &OF_NORMS, out);
    of(lines, &OF_VECTORS, out);
}

fn of(lines: &mut [LogicalLine], rules: &[Rule], out: &mut Output) {
    lines.iter_mut().for_each(|it| replace(&mut it.tokens, rules, out));
}

const OF_SCRIPTS: [Rule; 20] = [
    ("@a = @a ( end : - 1 : 1 )", "@a ( : ) = @a ( end : - 1 : 1 )"),
    (
        "@r = ^max|min ( @a , [ ] , 2 )",
        "@r = [ ^max|min ( @a ( #i , : ) ) for #i in 1 : size ( @a , 1 ) ]",
    ),
    (
        "@r = ^max|min ( @a , [ ] , 1 )",
        "@r = [ ^max|min ( @a ( : , #j ) ) for #j in 1 : size ( @a , 2 ) ]",
    ),
    (
        "@r = ^mean|prod ( @a , 2 )",
        "@r = [ ^mean|prod ( @a ( #i , : ) ) for #i in 1 : size ( @a , 1 ) ]",
    ),
    (
        "@r = ^mean|prod ( @a , 1 )",
        "@r = [ ^mean|prod ( @a ( : , #j ) ) for #j in 1 : size ( @a , 2 ) ]",
    ),
    ("nnz ( @a ^<|>|<=|>=|==|~= $e )", "sum ( @a ^<|>|<=|>=|==|~= $e )"),
    ("count ( @a ^<|>|<=|>=|==|/= $e )", "sum ( @a ^<|>|<=|>=|==|/= $e )"),
    ("= trace ( @a )", "= sum ( @a ( #i , #i ) for #i in 1 : size ( @a , 1 ) )"),
    ("^sum|maximum|minimum ( abs2 , @a )", "^sum|maximum|minimum ( @a .^ 2 )"),
    ("^sum|maximum|minimum ( abs , @a )", "^sum|maximum|minimum ( abs ( @a ) )"),
    ("zero ( $e )", "0"),
    ("axes ( @a , $d )", "1 : size ( @a , $d )"),
    ("firstindex ( @a )", "1"),
    ("lastindex ( @a )", "length ( @a )"),
    ("for @x in|=|∈ @a [ $i : end ]", "for #i in $i : length ( @a ) ; @x = @a [ #i ]"),
    ("@f = @ ( @x ) $e", "function #y = @f ( @x ) ; #y = $e ; end"),
    ("@f = @ ( @x , @z ) $e", "function #y = @f ( @x , @z ) ; #y = $e ; end"),
    ("@a ( [ @i @j ] ) = @a ( [ @j @i ] )", "@a ( @i ) , @a ( @j ) = @a ( @j ) , @a ( @i )"),
    (
        "@a ( @a ^<|>|<=|>=|==|~= $e ) = $v",
        "for #i = 1 : length ( @a ) ; if @a ( #i ) ^<|>|<=|>=|==|~= $e ; @a ( #i ) = $v ; end ; end",
    ),
    (
        "@a [ @a ^<|>|<=|>=|==|!= $e ] = $v",
        "for #i = 1 : length ( @a ) ; if @a [ #i ] ^<|>|<=|>=|==|!= $e ; @a [ #i ] = $v ; end ; end",
    ),
];

/// Beside those of scripts.
const OF_R: [Rule; 6] = [
    ("@a [ $i , ]", "@a [ $i , : ]"),
    ("@a [ , $j ]", "@a [ : , $j ]"),
    ("= if ( $c ) $a else $b", "= ifelse ( $c , $a , $b )"),
    ("rep ( true|TRUE , $n )", "trues ( $n )"),
    ("rep ( false|FALSE , $n )", "falses ( $n )"),
    ("for ( @x in @a [ - 1 ] ) {", "for ( #i in 2 : length ( @a ) ) { @x = @a [ #i ] ;"),
];

const OF_FORTRAN: [Rule; 7] = [
    ("count ( @a ^<|>|<=|>=|==|/= $e )", "sum ( @a ^<|>|<=|>=|==|/= $e )"),
    ("@a = @a ( $n : 1 : - 1 )", "@a ( : ) = @a ( $n : 1 : - 1 )"),
    (
        "@c = matmul ( @a , @b )",
        "do #i = 1 , size ( @a , 1 ) ; do #j = 1 , size ( @b , 2 ) ; @c ( #i , #j ) = dot_product ( @a ( #i , : ) , @b ( : , #j ) ) ; enddo ; enddo",
    ),
    ("kind ( 1.0d0|1.d0|1d0|1.0D0 )", "8"),
    ("selected_real_kind ( 15 ?e )", "8"),
    ("real ( 8|dp|real64 ) function", "double function"),
    ("integer ( $k ) function", "integer function"),
];

/// R's, before its braces are read.
pub(super) fn of_r(lines: &mut [SourceLine], out: &mut Output) {
    for line in lines {
        line.tokens.iter_mut().filter(|it| it.is("<-")).for_each(|it| it.text = "=".to_owned());
        replace(&mut line.tokens, &OF_R, out);
    }
}

/// Puts what the patterns stand for in each line.
pub(super) fn of_programs(lines: &mut [SourceLine], is_fortran: bool, out: &mut Output) {
    let rules: &[Rule] = if is_fortran { &OF_FORTRAN } else { &OF_SCRIPTS };
    lines.iter_mut().for_each(|it| replace(&mut it.tokens, rules, out));
    for at in 1..lines.len() {
        // What is even has a half.
        let text = |at: usize| text(&lines[at].tokens).replace(' ', "");
        let (head, body) = (text(at - 1), text(at));
        let name = body.split('=').next().unwrap_or_default().to_owned();
        let is_half = body.trim_end_matches(';') == format!("{name}={name}/2");
        let is_even = |it: &str| head.starts_with(&it.replace('n', &name));
        if is_half
            && ["ifmod(n,2)==0", "if(mod(n,2)==0", "ifrem(n,2)==0", "if~mod(n,2)"]
                .iter()
                .any(|it| is_even(it))
        {
            let made = |text: &str| Token::glued(text, &lines[at].tokens[0]);
            let ends = [made("floor"), made("(")];
            let close = made(")");
            lines[at].tokens.insert(5, close);
            lines[at].tokens.splice(2..2, ends);
        }
    }
}

const OF_PYTHON: [Rule; 22] = [
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
    ("np . count_nonzero ( @a ^<|>|<=|>=|==|!= $e )", "np . sum ( @a ^<|>|<=|>=|==|!= $e )"),
    ("@a [ @a ^<|>|<=|>=|==|!= $e ] = $v", "@a = np . where ( @a ^<|>|<=|>=|==|!= $e , $v , @a )"),
    ("np . clip ( @a , $l , $h , out = @a )", "@a = np . clip ( @a , $l , $h )"),
    ("np . add . at ( @h , @a , $e )", "for #x in @a : @h [ #x ] += $e"),
    ("@a . astype ( float )", "@a . copy ( )"),
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
pub(super) fn of_python(lines: &mut Vec<SourceLine>, out: &mut Output) {
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
        replace(&mut line.tokens, &OF_PYTHON, out);
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
