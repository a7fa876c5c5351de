//! A printed listing reads back as the same listing.

use memory_machine::algorithms::catalogue::{CATALOGUE, ON_DMMS};
use memory_machine::diagnostic::Span;
use memory_machine::language::syntax::{
    ArrayDeclaration, BinaryOp, Clauses, Constant, ExprNode, ExprNodeKind, Extent, ForNode, Formal,
    FunctionNode, LayoutNode, Listing, Name, Order, ParameterNode, Procedure, RealParameter, Role,
    StatementKind, StatementNode, Target, Type, UnaryOp,
};
use memory_machine::language::{parse, plain};
use proptest::prelude::*;
use proptest::sample::select;

/// Among them words that have a meaning in one place and are no reserved ones.
const NAMES: &[&str] = &[
    "a",
    "b1",
    "_x",
    "M",
    "Min",
    "too",
    "layout",
    "x_y",
    "information",
    "r",
    "on",
    "DMMs",
    "with",
    "threads",
    "shared",
    "register",
    "constant",
    "log2",
    "break",
    "repeat",
    "until",
    "procedure",
];

fn name() -> impl Strategy<Value = Name> {
    select(NAMES).prop_map(|text| Name { text: text.to_owned(), span: Span::default() })
}

const UNARY: [UnaryOp; 5] =
    [UnaryOp::Negate, UnaryOp::Not, UnaryOp::BitNot, UnaryOp::Abs, UnaryOp::Sqrt];

const BINARY: [BinaryOp; 21] = [
    BinaryOp::Power,
    BinaryOp::Or,
    BinaryOp::And,
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::BitAnd,
    BinaryOp::ShiftLeft,
    BinaryOp::ShiftRight,
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Multiply,
    BinaryOp::Divide,
    BinaryOp::Modulo,
    BinaryOp::Min,
    BinaryOp::Max,
];

fn made(kind: ExprNodeKind) -> ExprNode {
    ExprNode { kind, span: Span::default() }
}

fn expr() -> impl Strategy<Value = ExprNode> {
    let leaf = prop_oneof![
        any::<u64>().prop_map(ExprNodeKind::Integer),
        (0..9_u64).prop_map(ExprNodeKind::Integer),
        any::<f64>()
            .prop_filter("finite", |it| it.is_finite())
            .prop_map(|it| ExprNodeKind::Float(it.abs())),
        Just(ExprNodeKind::Infinity),
        any::<bool>().prop_map(ExprNodeKind::Boolean),
        name().prop_map(|name| ExprNodeKind::Name(name.text)),
    ]
    .prop_map(made);
    leaf.prop_recursive(6, 40, 4, |inner| {
        let several = proptest::collection::vec(inner.clone(), 1..4);
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            (name(), several.clone())
                .prop_map(|(array, indices)| ExprNodeKind::Element { array: array.text, indices }),
            (name(), proptest::collection::vec(inner.clone(), 0..4)).prop_map(
                |(name, arguments)| ExprNodeKind::Call { function: name.text, arguments }
            ),
            (select(&Type::ALL[..]), inner.clone()).prop_map(|(element, it)| ExprNodeKind::Call {
                function: element.word().to_owned(),
                arguments: vec![it],
            }),
            (select(&UNARY[..]), boxed.clone()).prop_map(|(op, it)| ExprNodeKind::Unary(op, it)),
            boxed.clone().prop_map(ExprNodeKind::Floor),
            boxed.clone().prop_map(ExprNodeKind::Ceiling),
            (select(&BINARY[..]), boxed.clone(), boxed)
                .prop_map(|(op, left, right)| ExprNodeKind::Binary(op, left, right)),
            [inner.clone(), inner.clone(), inner]
                .prop_map(|parts| ExprNodeKind::Conditional(Box::new(parts))),
        ]
        .prop_map(made)
    })
}

/// Of a loop; one on DMMs may be the outer one of two, which has no threads.
fn order() -> impl Strategy<Value = Order> {
    let threads = proptest::option::of(expr().prop_map(Box::new));
    prop_oneof![
        Just(Order::InTurn),
        Just(Order::InParallel),
        threads.prop_map(|threads| Order::OnDmms { threads }),
    ]
}

/// What stands at the head of a loop on DMMs.
fn extent() -> impl Strategy<Value = Extent> {
    (proptest::option::of(expr()), expr()).prop_map(|(first, size)| Extent { first, size })
}

fn local() -> impl Strategy<Value = ArrayDeclaration> {
    let extents = |least| proptest::collection::vec(extent(), least..=3);
    let array = prop_oneof![
        extents(1).prop_map(|extents| (Role::Shared, extents)),
        extents(0).prop_map(|extents| (Role::Register, extents)),
    ];
    (array, name(), select(&Type::ALL[..])).prop_map(|((role, extents), name, element)| {
        ArrayDeclaration { role, name, extents, fields: vec![], element, layout: None }
    })
}

/// One to three loops on DMMs, directly inside each other, with nests among the statements inside.
fn blocks(
    body: impl Strategy<Value = Vec<StatementNode>> + 'static,
) -> impl Strategy<Value = ForNode> + 'static {
    let head = || (name(), expr(), expr());
    let heads = proptest::collection::vec(head(), 1..=3);
    let arrays = proptest::collection::vec(local(), 0..3);
    (heads, expr(), arrays, head(), body).prop_map(|(heads, threads, arrays, nest, body)| {
        let made = |(variable, from, to), order, body| ForNode {
            variable,
            from,
            to,
            downward: false,
            step: None,
            order,
            arrays: vec![],
            body,
        };
        let inside =
            |it| vec![StatementNode { kind: StatementKind::For(it), span: Span::default() }];
        let body = inside(made(nest, Order::InParallel, body));
        let innermost = Order::OnDmms { threads: Some(Box::new(threads)) };
        let mut heads = heads.into_iter().rev();
        let first = heads.next().expect("at least one");
        heads.fold(ForNode { arrays, ..made(first, innermost, body) }, |inner, head| {
            made(head, Order::OnDmms { threads: None }, inside(inner))
        })
    })
}

/// Of a procedure.
fn argument() -> impl Strategy<Value = ExprNode> {
    let range = (expr(), proptest::option::of(expr()));
    let slice = (name(), range, expr(), expr()).prop_map(|(array, range, first, last)| {
        let ranges = vec![range, (first, Some(last))];
        made(ExprNodeKind::Slice { array: array.text, ranges })
    });
    prop_oneof![expr(), slice]
}

fn block() -> impl Strategy<Value = Vec<StatementNode>> {
    let declared = proptest::option::of(select(&Type::ALL[..]));
    let assign = (name(), declared, proptest::collection::vec(expr(), 0..4), expr())
        .prop_map(|(target, declared, indices, value)| StatementKind::Assign {
            target,
            declared: declared.filter(|_| indices.is_empty()),
            indices,
            value,
        })
        .prop_map(|kind| StatementNode { kind, span: Span::default() });
    let target = || {
        (name(), proptest::collection::vec(expr(), 0..3))
            .prop_map(|(name, indices)| Target { name, indices })
    };
    let several = proptest::collection::vec((target(), expr()), 2..4).prop_map(|both| {
        let (targets, values) = both.into_iter().unzip();
        StatementKind::Several { targets, values }
    });
    let simple = prop_oneof![
        several,
        [target(), target()].prop_map(StatementKind::Swap),
        Just(StatementKind::Break),
        Just(StatementKind::Return { targets: vec![], values: vec![] }),
        (name(), proptest::collection::vec(argument(), 0..3))
            .prop_map(|(procedure, arguments)| StatementKind::Call { procedure, arguments }),
    ];
    let simple = simple.prop_map(|kind| StatementNode { kind, span: Span::default() });
    let statement = prop_oneof![4 => assign, 1 => simple];
    let statement = statement.prop_recursive(4, 20, 4, |inner| {
        let block = proptest::collection::vec(inner.clone(), 1..4);
        let maybe = proptest::collection::vec(inner, 0..4);
        let loops = (name(), expr(), expr(), any::<bool>(), proptest::option::of(expr()), order());
        let arrays = proptest::collection::vec(local(), 0..3);
        prop_oneof![
            (loops, arrays, block.clone()).prop_map(
                |((variable, from, to, downward, step, order), mut arrays, body)| {
                    arrays.retain(|it| match order {
                        Order::InTurn => false,
                        Order::InParallel => it.role == Role::Register,
                        Order::OnDmms { .. } => true,
                    });
                    StatementKind::For(ForNode {
                        variable,
                        from,
                        to,
                        downward,
                        step,
                        order,
                        arrays,
                        body,
                    })
                }
            ),
            blocks(block.clone()).prop_map(StatementKind::For),
            (expr(), prop::option::of(expr()), block.clone()).prop_map(
                |(condition, decreases, body)| StatementKind::While { condition, decreases, body }
            ),
            (expr(), block.clone()).prop_map(|(until, body)| StatementKind::Repeat { body, until }),
            (expr(), block.clone(), maybe).prop_map(|(condition, then, otherwise)| {
                StatementKind::If { condition, then, otherwise }
            }),
            (name(), block).prop_map(|(name, body)| StatementKind::Label { name, body }),
        ]
        .prop_map(|kind| StatementNode { kind, span: Span::default() })
    });
    proptest::collection::vec(statement, 1..4)
}

fn listing() -> impl Strategy<Value = Listing> {
    let parameter = (name(), proptest::option::of(-9..=9_i64))
        .prop_map(|(name, default)| ParameterNode { name, default });
    let array = (
        prop_oneof![4 => select(&Role::ALL[..]), 1 => Just(Role::Register)],
        name(),
        proptest::collection::vec(extent(), 1..=3),
        select(&Type::ALL[..]),
        proptest::option::of((name(), proptest::collection::vec(expr(), 0..3))),
        // Of records, how many fields.
        0..4_usize,
    )
        .prop_map(|(role, name, mut extents, element, layout, fields)| {
            let fields =
                (0..fields).map(|at| Name { text: format!("f{at}"), span: Span::default() });
            let fields: Vec<Name> = fields.collect();
            if let count @ 1.. = fields.len() as u64 {
                let size = ExprNode { kind: ExprNodeKind::Integer(count), span: Span::default() };
                extents.push(Extent { first: None, size });
            }
            let layout = layout.map(|(word, arguments)| LayoutNode { word, arguments });
            ArrayDeclaration { role, name, extents, fields, element, layout }
        });
    let table = (expr(), proptest::collection::vec(expr(), 1..4));
    let constant = prop_oneof![
        (proptest::option::of(select(&Type::ALL[..])), expr()).prop_map(|(element, value)| (
            None,
            element,
            vec![value]
        )),
        (select(&Type::ALL[..]), table).prop_map(|(element, (entries, values))| (
            Some(entries),
            Some(element),
            values
        )),
    ];
    let constant = (name(), constant).prop_map(|(name, (entries, element, values))| Constant {
        name,
        entries,
        element,
        values,
    });
    let formal = (name(), proptest::collection::vec(name(), 0..3))
        .prop_map(|(name, extents)| Formal { name, extents });
    let names = proptest::collection::vec(name(), 0..3);
    let procedure = (name(), proptest::collection::vec(formal, 0..3), names, block());
    let procedure = procedure.prop_map(|(name, parameters, results, body)| Procedure {
        name,
        parameters,
        results,
        body,
    });
    let function = (name(), proptest::collection::vec(name(), 0..4), expr())
        .prop_map(|(name, parameters, body)| FunctionNode { name, parameters, body });
    let floats = proptest::sample::select(vec![Type::F32, Type::F64, Type::F16, Type::Bf16]);
    let real = (name(), floats, proptest::option::of(-1e9_f64..1e9))
        .prop_map(|(name, element, value)| RealParameter { name, element, value });
    (
        name(),
        proptest::collection::vec(parameter, 0..3),
        proptest::collection::vec(real, 0..2),
        proptest::collection::vec(array, 0..3),
        proptest::collection::vec(constant, 0..3),
        proptest::collection::vec(function, 0..3),
        proptest::collection::vec(procedure, 0..2),
        proptest::option::of(expr()),
        block(),
    )
        .prop_map(
            |(name, parameters, reals, arrays, constants, functions, procedures, answer, body)| {
                Listing {
                    name,
                    parameters,
                    reals,
                    arrays,
                    constants,
                    functions,
                    procedures,
                    answer,
                    clauses: Clauses::default(),
                    body,
                }
            },
        )
}

proptest! {
    #![proptest_config(crate::cases(600))]

    #[test]
    fn printed_listings_read_back(listing in listing()) {
        let text = listing.to_string();
        match parse(&text) {
            Ok(again) => {
                prop_assert_eq!(again, listing, "{}", text);
                prop_assert!(plain(&text) == text.as_str(), "{}", text);
            }
            Err(error) => prop_assert!(false, "{error:?}\n{text}"),
        }
    }
}

#[test]
fn shipped_listings_read_back() {
    for entry in CATALOGUE.iter().chain(ON_DMMS) {
        let listing = parse(entry.text).unwrap();
        let printed = listing.to_string();
        assert_eq!(parse(&printed).unwrap(), listing, "{printed}");
        assert_eq!(parse(&printed).unwrap().to_string(), printed);
    }
}

#[test]
fn both_spellings_and_line_ends_are_one_listing() {
    let papers = "algorithm t(n)\ninput a[n] : f32\n\nx ← +∞\nfor i ← 0 to n-1 do\n  if a[i] ≤ x then x ← a[i] × 2\n";
    let ascii = "algorithm t(n)  # comment\ninput a[n] : f32\n\n\t\nx <- inf\nfor i <- 0 to n-1 do\n    // comment\n    if a[i] <= x then x <- a[i] * 2\n";
    let wanted = parse(papers).unwrap();
    assert_eq!(parse(ascii).unwrap(), wanted);
    assert_eq!(parse(&ascii.replace('\n', "\r\n")).unwrap(), wanted);
    assert_eq!(parse(&format!("\u{feff}{ascii}")).unwrap(), wanted);
    assert_eq!(parse(ascii.trim_end()).unwrap(), wanted);
}
