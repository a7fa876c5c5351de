//! A text without declarations: read in its notation, and given those that it needs.

use super::output::{Hints, Line, Output};
use super::recognise::{Notation, recognise};
use super::token::Token;
use super::tree::HELPERS;
use super::{Plain, TextPart, bare, c, foreign, latex, lengths, matrix, python};
use crate::AsPrinted;
use crate::adopt::{self, Said, SaidOfArray};
use crate::diagnostic::{Diagnostic, Span};
use crate::parser;
use crate::syntax::{Listing, Type};

type Result<T> = std::result::Result<T, Diagnostic>;

/// What a text is understood as.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) notation: Notation,
    pub(crate) plain: Plain,
    /// What was recognised, taken and left out, in the order of the text; each with its place.
    pub(crate) said: Vec<(Span, String)>,
}

/// Reads a text without declarations, in a notation or in the one that it seems to have.
///
/// # Errors
/// The first place that the notation does not explain, or what the listing cannot be without.
pub(crate) fn read(text: &str, printed: AsPrinted<'_>) -> Result<Reading> {
    let fence = bare::fenced(text);
    let inner = &text[fence.start..fence.end];
    let moved = |span: Span| Span::new(span.start + fence.start, span.end + fence.start);
    let recognition = recognise(inner, printed.of_file);
    let notation = printed.notation.unwrap_or(recognition.notation);
    if let Some(error) = foreign::foreign(inner) {
        return Err(Diagnostic { span: moved(error.span), ..error });
    }
    let away = |error: Diagnostic| Diagnostic { span: moved(error.span), ..error };
    let mut reading = match notation {
        Notation::Latex => {
            let source = latex::text(inner).map_err(away)?;
            let of_source = |span: Span| moved(source.printed(span));
            let notation = source.notation.unwrap_or(Notation::Paper);
            let mut reading = of(&source.text, notation, printed)
                .map_err(|error| Diagnostic { span: of_source(error.span), ..error })?;
            reading.plain.parts.iter_mut().for_each(|it| it.printed = of_source(it.printed));
            reading.said.iter_mut().for_each(|it| it.0 = of_source(it.0));
            reading.notation = Notation::Latex;
            if let Some(next) = latex::nth(inner, 2).filter(|_| !latex::is_whole(inner)) {
                let text = "another algorithm, which is not read: --nth 2 takes it".to_owned();
                reading.said.push((moved(next), text));
            }
            reading
        }
        other => {
            let mut reading = of(inner, other, printed).map_err(away)?;
            reading.plain.parts.iter_mut().for_each(|it| it.printed = moved(it.printed));
            reading.said.iter_mut().for_each(|it| it.0 = moved(it.0));
            reading
        }
    };
    if notation != Notation::Paper && notation != Notation::Plain {
        reading.said.insert(0, (moved(recognition.line), format!("read as {}", notation.name())));
    }
    Ok(reading)
}

fn of(text: &str, notation: Notation, printed: AsPrinted<'_>) -> Result<Reading> {
    let mut output = match notation {
        Notation::C => c::read(text)?,
        Notation::Python => python::read(text)?,
        Notation::Matrix => matrix::read(&without_title(text))?,
        Notation::Paper | Notation::Plain | Notation::Latex => bare::read(text)?,
    };
    if let Some(meaning) = output.loop_variable {
        super::loop_variables::keep(&mut output, meaning);
    }
    super::skip::skipped(&mut output)?;
    super::calls::functions(&mut output, notation == Notation::C);
    super::calls::apart(&mut output)?;
    super::result::give(&mut output);
    if notation == Notation::Paper {
        super::result::begin(&mut output);
    }
    super::shared::share(&mut output);
    let (plain, said) = with_header(output, notation, printed)?;
    Ok(Reading { notation, plain, said })
}

/// `Algorithm 1.1.3 (Row-Oriented Gaxpy) If …` above a program of Golub and Van Loan: blanks, so that places stay.
fn without_title(text: &str) -> String {
    let start = text.len() - text.trim_start().len();
    let end = text[start..].find('\n').map_or(text.len(), |it| start + it);
    let line = &text[start..end];
    let is_title = line.starts_with("Algorithm ") && !line.contains(" = ") && !line.contains(";");
    if !is_title {
        return text.to_owned();
    }
    text[..start].to_owned() + &" ".repeat(end - start) + &text[end..]
}

/// Stands for a header while there is none.
const NO_HEADER: &str = "algorithm listing()\n";

/// What is read so far, without declarations.
fn of_body(output: &Output) -> Result<Listing> {
    let body = print(NO_HEADER, &output.procedures, &output.lines);
    parser::read(&body.text).map_err(|error| Diagnostic { span: body.printed(error.span), ..error })
}

/// The lines below the declarations that they need.
fn with_header(
    mut output: Output,
    notation: Notation,
    printed: AsPrinted<'_>,
) -> Result<(Plain, Vec<(Span, String)>)> {
    kept_arguments(&mut output);
    lengths::said(&mut output);
    let is_prose = matches!(notation, Notation::Paper | Notation::Latex | Notation::Plain);
    let whole = if is_prose { super::array_assignment::take(&mut output) } else { vec![] };
    if output.lines.iter().all(|it| it.tokens.is_empty()) {
        return Err(Diagnostic::new(Span::default(), "no statement was found").help(
            "a listing has assignments; say its notation with --notation, if it was not recognised",
        ));
    }
    let mut listing = of_body(&output)?;
    // What is read before anything is assigned to it is given.
    let given = adopt::input_scalars(&listing);
    if !given.is_empty() {
        let place = |name: &String| {
            output.lines.iter().flat_map(|it| &it.tokens).find(|it| it.is(name)).cloned()
        };
        let given: Vec<Token> = given.iter().filter_map(place).collect();
        output.hints.arguments.extend(given);
        kept_arguments(&mut output);
        listing = of_body(&output)?;
    }
    if !whole.is_empty() {
        let first = adopt::adopt(&listing, &said(&output.hints, notation, printed));
        super::array_assignment::put(&mut output, &whole, &first)?;
        listing = of_body(&output)?;
    }
    let body = print(NO_HEADER, &output.procedures, &output.lines);
    let hints = std::mem::take(&mut output.hints);
    let adoption = adopt::adopt(&listing, &said(&hints, notation, printed));
    if let Some((name, span)) = adoption.missing.first() {
        let by = listing.name_of_procedure(span);
        let caller =
            hints.name.as_ref().map_or("the listing".to_owned(), |it| format!("`{}`", it.text));
        let caller = by.unwrap_or(caller);
        return Err(not_here(&caller, name, body.printed(*span)));
    }
    if let Some(error) = adoption.unknown(printed.declared) {
        return Err(error);
    }
    let rounded = adoption.rounded.iter().map(|it| {
        let text = "a quotient of integers in a real value: rounded down".to_owned();
        (body.printed(*it), text)
    });
    let rounded: Vec<(Span, String)> = rounded.collect();
    lengths::replace(&mut output, &adoption.lengths);
    let place = |name: &str| {
        let lines = output.procedures.iter().chain(&output.lines);
        lines.flat_map(|it| &it.tokens).find(|it| it.text == name).cloned()
    };
    let mut header = vec![];
    let mut remarks: Vec<(Span, String)> =
        hints.said.iter().map(|(token, text)| (token.span, text.clone())).collect();
    remarks.extend(rounded);
    let name = hints.name.as_ref().map_or("listing".to_owned(), |it| super::bare::title(&it.text));
    let parameter = |(name, value): &(String, Option<i64>)| match value {
        Some(value) => format!("{name} = {value}"),
        None => name.clone(),
    };
    let mut parameters: Vec<String> = adoption.parameters.iter().map(parameter).collect();
    parameters.extend(adoption.reals.iter().map(|it| format!("{} : {}", it.0, it.1.word())));
    let first = output.lines.iter().flat_map(|it| &it.tokens).next().cloned();
    let Some(first) = first else { return Ok((body, remarks)) };
    let at = |name: &str| place(name).unwrap_or_else(|| first.clone());
    let head_place = hints.name.clone().unwrap_or_else(|| first.clone());
    let mut line = |text: String, like: &Token| {
        let token = Token { text, blank: String::new(), ..like.clone() };
        header.push(Line { depth: 0, tokens: vec![token], comments: vec![] });
    };
    line(format!("algorithm {name}({})", parameters.join(", ")), &head_place);
    for it in &adoption.declarations {
        line(it.text.clone(), &at(&it.name));
        remarks.push((at(&it.name).span, format!("{}: {}", it.text, it.reason)));
    }
    if hints.results > 0 {
        line("answer result[0]".to_owned(), &at("result"));
    }
    for [_, function, remark] in HELPERS.iter().filter(|it| hints.functions.contains(it[0])) {
        line((*function).to_owned(), &first);
        remarks.push((first.span, (*remark).to_owned()));
    }
    remarks.extend(adoption.of_parameters().map(|(name, text)| (at(name).span, text)));
    let procedures = [header, output.procedures].concat();
    Ok((print("", &procedures, &output.lines), remarks))
}

fn not_here(caller: &str, name: &str, place: Span) -> Diagnostic {
    Diagnostic::new(place, format!("{caller} calls `{name}`, which is not here")).help(
        match super::matrix::is_function(name) {
            true => "write the loop that computes it, whose accesses the models count",
            false => "paste it, too, above or below",
        },
    )
}

fn said(hints: &Hints, notation: Notation, printed: AsPrinted<'_>) -> Said {
    let array = |it: &super::output::ArrayHint| SaidOfArray {
        name: it.name.text.clone(),
        extents: it.extents.clone(),
        element: it.element,
        is_argument: it.is_argument,
        is_new: it.is_new,
        grows: it.grows,
        role: None,
    };
    let mut arrays: Vec<SaidOfArray> = hints.arrays.iter().map(array).collect();
    if hints.results > 0 {
        arrays.push(SaidOfArray {
            name: "result".to_owned(),
            extents: vec![Some(hints.results.to_string())],
            ..SaidOfArray::default()
        });
    }
    let mut reals = hints.reals.clone();
    reals.extend(printed.reals.iter().map(|it| (it.0.clone(), Type::F64)));
    for it in printed.declared {
        let at = arrays.iter().position(|known| known.name == it.name).unwrap_or_else(|| {
            arrays.push(SaidOfArray { name: it.name.clone(), ..SaidOfArray::default() });
            arrays.len() - 1
        });
        let array = &mut arrays[at];
        array.role = it.role.or(array.role);
        array.element = it.element.or(array.element);
        if !it.extents.is_empty() {
            array.extents = it.extents.iter().cloned().map(Some).collect();
        }
        if let Some(real) = it.element.filter(|it| it.is_float()) {
            reals.retain(|known| known.0 != it.name);
            reals.push((it.name.clone(), real));
        }
    }
    Said {
        reals,
        integers: hints.integers.clone(),
        arguments: hints.arguments.iter().map(|it| it.text.clone()).collect(),
        arrays,
        lengths: hints
            .lengths
            .iter()
            .map(|(array, at, name)| ((array.clone(), *at), name.text.clone()))
            .collect(),
        defaults: hints.defaults.iter().map(|(name, value)| (name.text.clone(), *value)).collect(),
        returned: hints.returned.clone(),
        first: hints.first,
        copies: hints.copies.clone(),
        divides: matches!(notation, Notation::Paper | Notation::Latex | Notation::Plain),
    }
}

/// An argument that is assigned is a scalar, which begins with the parameter's value.
fn kept_arguments(output: &mut Output) {
    let is_target = |line: &Line, name: &str| {
        let arrow = line.tokens.iter().position(|it| it.is_any(&["←", ":=", "<-", "≔", "⟵", "↔"]));
        arrow.is_some_and(|at| {
            let targets = super::token::split(&line.tokens[..at], &[","]);
            targets.iter().any(|it| {
                matches!(it, [one] if one.is(name))
                    || matches!(it, [one, colon, _] if one.is(name) && colon.is(":"))
            }) || line.tokens[at].is("↔") && matches!(&line.tokens[at + 1..], [one] if one.is(name))
        }) && !line.tokens.first().is_some_and(|it| it.is("for"))
    };
    let changed: Vec<Token> = output
        .hints
        .arguments
        .iter()
        .filter(|it| output.lines.iter().any(|line| is_target(line, &it.text)))
        .cloned()
        .collect();
    for name in changed {
        let own = format!("{}_now", name.text);
        for token in output.lines.iter_mut().flat_map(|it| &mut it.tokens) {
            if token.is(&name.text) {
                token.text.clone_from(&own);
            }
        }
        let arrow = Token::made("←", &name);
        let line = vec![name.with(own), arrow, Token::made(name.text.clone(), &name)];
        output.lines.insert(0, Line { depth: 0, tokens: line, comments: vec![] });
    }
}

/// Lines below others, with a blank line between.
pub(super) fn print(head: &str, above: &[Line], below: &[Line]) -> Plain {
    let mut plain = Plain { text: head.to_owned(), parts: vec![] };
    for (part, lines) in [above, below].into_iter().enumerate() {
        if part == 1 && !above.is_empty() {
            plain.text.push('\n');
        }
        for line in lines {
            for (nth, token) in line.tokens.iter().chain(&line.comments).enumerate() {
                match nth {
                    0 => plain.text += &"  ".repeat(line.depth),
                    _ => plain.text += &token.blank,
                }
                if nth > 0 && nth == line.tokens.len() && token.blank.is_empty() {
                    plain.text.push(' ');
                }
                let start = plain.text.len();
                plain.text += &token.text;
                plain.parts.push(TextPart {
                    plain: Span::new(start, plain.text.len()),
                    printed: token.span,
                });
            }
            plain.text.push('\n');
        }
    }
    plain
}

impl Listing {
    /// The procedure around a place.
    fn name_of_procedure(&self, span: &Span) -> Option<String> {
        let of = self.procedures.iter().rfind(|it| it.name.span.start <= span.start);
        let first = self.body.first().map_or(usize::MAX, |it| it.span.start);
        of.filter(|_| span.start < first).map(|it| format!("`{}`", it.name.text))
    }
}
