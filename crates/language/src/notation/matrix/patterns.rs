//! What MATLAB, Fortran, Julia and R write in several ways, in the one that is read.

use crate::notation::output::Output;
use crate::notation::pattern::{Rule, replace};
use crate::notation::scan::SourceLine;
use crate::notation::token::{Token, text};

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
    ("nnz ( $e )", "sum ( $e )"),
    ("count ( $e )", "sum ( $e )"),
    ("trace ( @a )", "sum ( @a ( #i , #i ) for #i in 1 : size ( @a , 1 ) )"),
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

const OF_FORTRAN: [Rule; 6] = [
    ("count ( $e )", "sum ( $e )"),
    ("@a = @a ( $n : 1 : - 1 )", "@a ( : ) = @a ( $n : 1 : - 1 )"),
    (
        "@c = matmul ( @a , @b )",
        "do #i = 1 , size ( @a , 1 ) ; do #j = 1 , size ( @b , 2 ) ; @c ( #i , #j ) = dot_product ( @a ( #i , : ) , @b ( : , #j ) ) ; enddo ; enddo",
    ),
    ("kind|selected_real_kind ( $e )", "8"),
    ("real ( $k ) function", "double function"),
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
pub(super) fn of_lines(lines: &mut [SourceLine], is_fortran: bool, out: &mut Output) {
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
