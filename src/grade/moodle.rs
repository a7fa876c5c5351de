//! A question bank in Moodle XML.

use std::ops::Range;

use super::answers::{self, Right};
use super::assignment::{Assignment, AssignmentError};
use crate::diagnostic::markup;

/// What marks an answer.
enum Key {
    Number(u128),
    Words(Vec<String>),
    /// Only `umm grade` can.
    Nothing,
}

/// Text in XML 1.0, which has no characters that control.
fn escaped(text: &str) -> String {
    let is_none = |it: char| {
        it.is_control() && !matches!(it, '\n' | '\t') || matches!(it, '\u{fffe}' | '\u{ffff}')
    };
    markup(&text.replace(is_none, "\u{fffd}"))
}

/// A category for each question and exercise, of which a quiz takes one variant at random. A number or a word
/// is marked by Moodle; a claim or a listing is an essay, since only `umm grade` tells whether it is right.
pub(super) fn bank(
    assignment: &Assignment,
    file: &str,
    variants: u64,
) -> Result<String, AssignmentError> {
    if assignment.asked().is_empty() {
        let why = "--format moodle writes a [[question]] or an [[exercise]], and there is none; a listing is \
                   marked in Moodle by --format coderunner";
        return Err(assignment.error((0..0, why.to_owned())));
    }
    let mut bank = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quiz>\n".to_owned();
    for question in assignment.questions() {
        let of = (question.name.get_ref().as_str(), question.points, question.name.span());
        bank += &category(assignment, file, of, variants, &|student| {
            let key = match answers::right(assignment, question, student)? {
                Right::Number(number, _) => Key::Number(number),
                Right::Claim(_) => Key::Nothing,
            };
            Ok((answers::text(assignment, question, student), key))
        })?;
    }
    for exercise in assignment.exercises() {
        let of = (exercise.item.get_ref().as_str(), exercise.points, exercise.item.span());
        bank += &category(assignment, file, of, variants, &|student| {
            let posed = assignment.posed(exercise, student)?;
            let key = match posed.right() {
                Some(words) => match words[0].parse() {
                    Ok(number) if words.len() == 1 => Key::Number(number),
                    _ => Key::Words(words),
                },
                None => Key::Nothing,
            };
            let listing = posed.listing.iter().flat_map(|it| it.lines());
            let numbered = (1..).zip(listing).map(|(at, line)| format!("\n{at:3}  {line}"));
            Ok((posed.text + &numbered.collect::<String>(), key))
        })?;
    }
    Ok(bank + "</quiz>\n")
}

/// A question by a student's own numbers.
type Asked<'a> = &'a dyn Fn(&str) -> Result<(String, Key), String>;

fn category(
    assignment: &Assignment,
    file: &str,
    (name, points, place): (&str, u32, Range<usize>),
    variants: u64,
    ask: Asked<'_>,
) -> Result<String, AssignmentError> {
    // In a path of categories a stroke of a name is written twice.
    let path = [assignment.title(), name].map(|it| escaped(&it.replace('/', "//"))).join("/");
    let mut category = format!(
        "  <question type=\"category\">\n    <category><text>$course$/top/{path}</text></category>\n  \
         </question>\n"
    );
    let mut asked: Vec<String> = vec![];
    for student in (1..=variants).map(|it| it.to_string()) {
        let (text, key) = ask(&student)
            .map_err(|why| assignment.error((place.clone(), format!("the question: {why}"))))?;
        if asked.contains(&text) {
            continue;
        }
        asked.push(text.clone());
        let head = format!(
            "    <name><text>{} {}</text></name>\n    <questiontext format=\"plain_text\"><text>{}</text>\
             </questiontext>\n    <defaultgrade>{points}</defaultgrade>\n    <penalty>0</penalty>\n    \
             <hidden>0</hidden>\n",
            escaped(name),
            asked.len(),
            escaped(&text),
        );
        let by_hand = format!(
            "A line `{name} = ANSWER` in a file is marked by: umm grade {file} FILE --student {student}"
        );
        category += &marked(&head, &key, &by_hand);
    }
    Ok(category)
}

fn marked(head: &str, key: &Key, by_hand: &str) -> String {
    let answer = |text: &str, more: &str| {
        let text = escaped(text);
        format!(
            "    <answer fraction=\"100\" format=\"moodle_auto_format\">\n      <text>{text}</text>\n{more}    \
             </answer>\n"
        )
    };
    match key {
        Key::Number(number) => {
            let answer = answer(&number.to_string(), "      <tolerance>0</tolerance>\n");
            format!("  <question type=\"numerical\">\n{head}{answer}  </question>\n")
        }
        Key::Words(words) => {
            let answers: String = words.iter().map(|it| answer(it, "")).collect();
            format!(
                "  <question type=\"shortanswer\">\n{head}    <usecase>0</usecase>\n{answers}  </question>\n"
            )
        }
        Key::Nothing => format!(
            "  <question type=\"essay\">\n{head}    <responseformat>plain</responseformat>\n    \
             <responserequired>1</responserequired>\n    <responsefieldlines>3</responsefieldlines>\n    \
             <attachments>0</attachments>\n    <attachmentsrequired>0</attachmentsrequired>\n    \
             <graderinfo format=\"plain_text\"><text>{}</text></graderinfo>\n    \
             <responsetemplate format=\"plain_text\"><text></text></responsetemplate>\n  </question>\n",
            escaped(by_hand)
        ),
    }
}
