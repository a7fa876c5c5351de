//! What C's kin write otherwise, in the words that its reader has.

use crate::notation::output::Output;
use crate::notation::pattern::{Rule, replace};
use crate::notation::token::{Token, position};

/// In programs with C's own heads.
const OF_C: [Rule; 28] = [
    ("( $a , $b ) = ( $b , $a ) ;", "swap ( $a , $b ) ;"),
    ("( @a , @b ) = ( $c , $d ) ;", "{ auto #pair = $c ; @b = $d ; @a = #pair ; }"),
    ("var ( @a , @b ) = ( $c , $d ) ;", "auto @a = $c ; auto @b = $d ;"),
    ("@t @f ( ?a ) => $e ;", "@t @f ( ?a ) { return $e ; }"),
    ("int|long|double|auto|float @a { $e } ;", "auto @a = $e ;"),
    ("int|long|double|auto|float @a { } ;", "auto @a = 0 ;"),
    ("double . . . @a", "double @a [ ]"),
    ("int . . . @a", "int @a [ ]"),
    ("double ... @a", "double @a [ ]"),
    ("int ... @a", "int @a [ ]"),
    ("var @a = new @t [ $n , $m ] ;", "@t @a [ ] [ ] = new @t [ $n ] [ $m ] ;"),
    ("var @a = new @t [ $n ] [ $m ] ;", "@t @a [ ] [ ] = new @t [ $n ] [ $m ] ;"),
    ("var @a = new @t [ $n ] ;", "@t @a [ ] = new @t [ $n ] ;"),
    ("int @a = Integer . parseInt ( $e ) ;", "int @a ; cin >> @a ;"),
    ("double @a = Double . parseDouble ( $e ) ;", "double @a ; cin >> @a ;"),
    ("int @a = @s . nextInt ( ) ;", "int @a ; cin >> @a ;"),
    ("double @a = @s . nextDouble ( ) ;", "double @a ; cin >> @a ;"),
    ("Scanner @a = $e ;", ""),
    ("ios|ios_base :: sync_with_stdio ( $e ) ;", ""),
    ("cin|cout . tie ( $e ) ;", ""),
    ("for ( auto & @a : @b ) cin >> @a ;", ""),
    ("span <", "vector <"),
    ("pair|tuple < $t > @f (", "auto @f ("),
    ("( int @a , int @b ) @f ( ?c ) {", "auto @f ( ?c ) {"),
    ("( double @a , double @b ) @f ( ?c ) {", "auto @f ( ?c ) {"),
    (
        "%t = $c ? @a [ @i ++ ] : @b [ @j ++ ] ;",
        "{ if ( $c ) %t = @a [ @i ++ ] ; else %t = @b [ @j ++ ] ; }",
    ),
    (
        "memmove ( @a , @a + $k , $n * sizeof ( $t ) ) ;",
        "for ( int #i = 0 ; #i < $n ; #i ++ ) @a [ #i ] = @a [ #i + $k ] ;",
    ),
    (
        "memmove ( @a + $k , @a , $n * sizeof ( $t ) ) ;",
        "for ( int #i = $n - 1 ; #i >= 0 ; #i -- ) @a [ #i + $k ] = @a [ #i ] ;",
    ),
];

/// In all of them.
pub(in crate::notation) const OF_ALL: [Rule; 18] = [
    ("( $c ) ? %a = $b : %d = $e ;", "if ( $c ) %a = $b ; else %d = $e ;"),
    ("@a . GetLength ( 0 )", "@a . length"),
    ("@a . GetLength ( 1 )", "@a [ 0 ] . length"),
    ("@a . lastIndex", "( @a . length - 1 )"),
    ("@a . Sum ( )", "@a . sum ( )"),
    ("@a . Max ( )", "@a . max ( )"),
    ("@a . Min ( )", "@a . min ( )"),
    ("Arrays . stream ( @a )", "@a"),
    ("throw $e ;", "exit ( 1 ) ;"),
    ("panic ( $e ) ;", "exit ( 1 ) ;"),
    ("@a == null ||", ""),
    ("@a != null &&", ""),
    ("Objects . requireNonNull ( $e ) ;", ""),
    ("@a . isMultiple ( of : $b )", "( @a % $b == 0 )"),
    ("@a . reduce ( 0 , + )", "@a . sum ( )"),
    ("@a . reduce ( 0 , { $0 + $1 } )", "@a . sum ( )"),
    ("] ! ]", "] ]"),
    ("@a [ $i ] ! *|+|-|/|;|)", "@a [ $i ]"),
];

/// Puts what the patterns stand for in their places.
pub(super) fn of_c(tokens: &mut Vec<Token>, out: &mut Output) {
    replace(tokens, &OF_C, out);
    replace(tokens, &OF_ALL, out);
}

/// `typedef unsigned long long u64;`, `using Matrix = vector<vector<int>>;`
pub(super) fn aliases(tokens: &mut Vec<Token>) {
    while let Some(at) = (0..tokens.len()).find(|&at| {
        let is_using = tokens[at].is("using") && tokens.get(at + 2).is_some_and(|it| it.is("="));
        is_using
            || tokens[at].is("typedef") && !tokens.get(at + 1).is_some_and(|it| it.is("struct"))
    }) {
        let Some(end) = position(&tokens[at..], &[";"]).map(|it| at + it) else { return };
        let (name, of) = match tokens[at].is("using") {
            true => (tokens[at + 1].text.clone(), tokens[at + 3..end].to_vec()),
            false => (tokens[end - 1].text.clone(), tokens[at + 1..end - 1].to_vec()),
        };
        tokens.drain(at..=end);
        let is_name = name.starts_with(|it: char| it.is_alphabetic() || it == '_');
        if !is_name || of.is_empty() || of.iter().any(|it| it.is(&name)) {
            continue;
        }
        let put = |it: &Token| match it.is(&name) {
            true => {
                of.iter().map(|of| Token { blank: " ".to_owned(), ..it.with(&of.text) }).collect()
            }
            false => vec![it.clone()],
        };
        *tokens = tokens.iter().flat_map(put).collect();
    }
}
