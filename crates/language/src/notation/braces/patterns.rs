//! What C and its kin write in several ways, in the one that is read.

use super::Kind;
use crate::notation::output::Output;
use crate::notation::pattern::{Rule, replace};
use crate::notation::token::Token;

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
    (
        "for ( auto & @a : @b ) cin >> @a ;",
        "for ( int #i = 0 ; #i < @b . size ( ) ; #i ++ ) cin >> @b [ #i ] ;",
    ),
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
const OF_ALL: [Rule; 18] = [
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
pub(in crate::notation) fn of_c(tokens: &mut Vec<Token>, out: &mut Output) {
    replace(tokens, &OF_C, out);
    replace(tokens, &OF_ALL, out);
}

/// In each of them.
const OF_EACH: [Rule; 6] = [
    ("console . log ( @a ) ;", "printf ( @a ) ;"),
    ("fmt . Println ( @a ) ;", "printf ( @a ) ;"),
    ("println|print ( @a ) ;", "printf ( @a ) ;"),
    ("println ! ( $t , @a ) ;", "printf ( @a ) ;"),
    ("Console . WriteLine ( @a ) ;", "printf ( @a ) ;"),
    ("fmt . Scan ( & @a ) ;", "cin >> @a ;"),
];

const OF_SCRIPT: [Rule; 17] = [
    ("const|let|var @f = ( ?a ) => {", "function @f ( ?a ) {"),
    ("const|let|var @f = ( ?a ) => $e ;", "function @f ( ?a ) { return $e ; }"),
    ("const|let|var @f = @a => {", "function @f ( @a ) {"),
    ("const|let|var @f = @a => $e ;", "function @f ( @a ) { return $e ; }"),
    ("const|let|var @f = function ( ?a ) {", "function @f ( ?a ) {"),
    ("@a . forEach ( function ( @x ) { $b } ) ;", "for ( const @x of @a ) { $b }"),
    ("@a . forEach ( ( @x ) => { $b } ) ;", "for ( const @x of @a ) { $b }"),
    ("@a . forEach ( @x => { $b } ) ;", "for ( const @x of @a ) { $b }"),
    (
        "@a . forEach ( ( @x , @i ) => { $b } ) ;",
        "for ( const [ @i , @x ] of @a . entries ( ) ) { $b }",
    ),
    ("for ( let|const|var @i in @a )", "for ( let @i = 0 ; @i < @a . length ; @i ++ )"),
    (
        "return @a . filter ( @x => $c ) . length ;",
        "let #count = 0 ; for ( const @x of @a ) { if ( $c ) { #count ++ ; } } return #count ;",
    ),
    ("return @a . map ( @x => $e ) ;", "const #list = @a . map ( @x => $e ) ; return #list ;"),
    (
        "const|let|var @b = @a . map ( @x => $e ) ;",
        "const @b = new Array ( @a . length ) . fill ( 0 ) ; for ( let #i = 0 ; #i < @a . length ; #i ++ ) { let @x = @a [ #i ] ; @b [ #i ] = $e ; }",
    ),
    (
        "if ( @n % 2 ==|=== 0 ) { @n = @n / 2 ;",
        "if ( @n % 2 == 0 ) { @n = Math . floor ( @n / 2 ) ;",
    ),
    ("@n % 2 ==|=== 0 ? @n / 2 :", "@n % 2 == 0 ? Math . floor ( @n / 2 ) :"),
    (
        "for ( let @i = $a ; @i <= Math . sqrt ( $n ) ; $s )",
        "for ( let @i = $a ; @i <= Math . floor ( Math . sqrt ( $n ) ) ; $s )",
    ),
    ("@a . some ( @x => $c )", "( @a . filter ( @x => $c ) . length > 0 )"),
];

const OF_GO: [Rule; 11] = [
    (
        "for @i , @j := $a , $b ; $c ; @i , @j = @i + 1 , @j - 1 {",
        "for var @i = $a , @j = $b ; $c ; @i ++ , @j -- {",
    ),
    (
        "for _ , @x := range @a [ $i : ] {",
        "for #i := $i ; #i < len ( @a ) ; #i ++ { @x := @a [ #i ] ;",
    ),
    ("for @i := range @a [ $i ] {", "for @i := 0 ; @i < @a [ $i ] . length ; @i ++ {"),
    ("for @i := range $a + $b {", "for @i := 0 ; @i < $a + $b ; @i ++ {"),
    ("var @a , @b int ; fmt . Scan ( & @a ) ;", "var @a int64 ; cin >> @a ; @b := 0 ;"),
    ("var @a , @b int ;", "@a := 0 ; @b := 0 ;"),
    ("var @a int ;", "@a := 0 ;"),
    ("var @a , @b float64 ;", "@a := 0.0 ; @b := 0.0 ;"),
    ("return $a , $b ;", "return { $a , $b } ;"),
    (
        "func @f ( ?a ) ( @r @t ) { $b return ; }",
        "func @f ( ?a ) @t { var @r @t ; $b return @r ; }",
    ),
    ("func @f ( ?a ) ( @r @t ) {", "func @f ( ?a ) @t { var @r @t ;"),
];

const OF_RUST: [Rule; 6] = [
    ("Some|Ok ( $e )", "( $e )"),
    ("break @x ;", "return @x ;"),
    ("-> @t { if $c { $a } else { $b } }", "-> @t { return if $c { $a } else { $b } ; }"),
    (
        "{ @a . iter ( ) . any ( | & @x | $c ) }",
        "{ for & @x in @a . iter ( ) { if $c { return true ; } } return false ; }",
    ),
    (
        "{ @a . iter ( ) . all ( | & @x | $c ) }",
        "{ for & @x in @a . iter ( ) { if ! ( $c ) { return false ; } } return true ; }",
    ),
    (
        "{ @a . iter ( ) . zip ( @b . iter ( ) ) . map ( | ( @x , @y ) | $e ) . sum ( ) }",
        "{ let mut #sum = 0 ; for #i in 0 .. @a . len ( ) { let @x = @a [ #i ] ; let @y = @b [ #i ] ; #sum += $e ; } return #sum ; }",
    ),
];

const OF_KOTLIN: [Rule; 8] = [
    ("require|check ( $e ) { $m } ;", ""),
    ("return Pair|Triple ( $e ) ;", "return ( $e ) ;"),
    ("require|check ( $e ) { $m }", ""),
    ("%a = %b . also { %b = %a ?e }", "swap ( %a , %b ) ;"),
    ("tailrec|operator|inline fun", "fun"),
    ("fun @f ( ?a ) : @t = $e ;", "fun @f ( ?a ) : @t { return $e ; }"),
    (
        "val|var @a = IntArray ( $n ) { it ?e } ;",
        "val @a = IntArray ( $n ) ; for ( it in 0 until $n ) { @a [ it ] = it ?e ; }",
    ),
    (
        "val|var @a = BooleanArray ( $n ) { it ?e } ;",
        "val @a = BooleanArray ( $n ) ; for ( it in 0 until $n ) { @a [ it ] = it ?e ; }",
    ),
];

const OF_SWIFT: [Rule; 4] = [
    ("repeat { $b } while $c ;", "do { $b } while ( $c ) ;"),
    ("Double ( $e )", "( double ) ( $e )"),
    ("guard $c else { $b }", "if ! ( $c ) { $b }"),
    ("for $v in $r where $c {", "for $v in $r { if ! ( $c ) { continue ; }"),
];

/// The program in fewer words.
pub(super) fn of_kind(tokens: &mut Vec<Token>, kind: Kind, out: &mut Output) {
    let own: &[Rule] = match kind {
        Kind::Script => &OF_SCRIPT,
        Kind::Go => &OF_GO,
        Kind::Rust => &OF_RUST,
        Kind::Kotlin => &OF_KOTLIN,
        Kind::Swift => &OF_SWIFT,
    };
    for rules in [own, &OF_EACH, &OF_ALL] {
        replace(tokens, rules, out);
    }
}
