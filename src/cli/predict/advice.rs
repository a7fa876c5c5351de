//! `umm predict --advise`: what may be chosen without changing the listing, and what each choice takes.

use serde_json::{Value as Json, json};

use crate::case::Case;
use crate::case::sample::Sample;
use crate::chart::{self, ChartStyle, Column, Quantity, SampleRow, Scene, Theme, seconds};
use crate::cli::support::Failure;
use crate::cli::support::table::Table;
use crate::codegen::{self, Launch, MOST_PREFETCH};
use crate::keyword::Keyword;
use crate::language::program::ExprKind;
use crate::predict::{Bound, LaunchOptions};

/// Threads of a block that are tried.
const BLOCKS: [i64; 6] = [32, 64, 128, 256, 512, 1024];

/// One way to run the listing.
#[derive(Clone)]
pub(super) struct Choice {
    /// The parameter that is the size of blocks, and its value.
    pub(super) block: Option<(String, i64)>,
    pub(super) options: LaunchOptions,
}

/// What a choice is predicted to take, or why it is none.
pub(super) struct Advice {
    choice: Choice,
    said: Result<(f64, Bound), String>,
}

/// The parameter that says how many threads blocks have, if it alone does.
fn block_parameter(case: &Case) -> Option<String> {
    let program = &case.program;
    let names = program.blocks.iter().map(|it| match it.threads.kind {
        ExprKind::Parameter(id) => Some(program.parameters[id.0].name.clone()),
        _ => None,
    });
    let names: Vec<String> = names.collect::<Option<_>>()?;
    let first = names.first()?.clone();
    names.iter().all(|it| *it == first).then_some(first)
}

/// All ways: sizes of blocks, kinds of launches, and how far a bulk run reads ahead.
pub(super) fn choices(case: &Case, given: LaunchOptions) -> Vec<Choice> {
    let blocks: Vec<Option<(String, i64)>> = match block_parameter(case) {
        Some(name) => BLOCKS.map(|size| Some((name.clone(), size))).into(),
        None => vec![None],
    };
    let launches: Vec<Option<Launch>> = match given.launch {
        Some(_) => vec![given.launch],
        None => codegen::launches(&case.program).iter().copied().map(Some).collect(),
    };
    let most = if case.bulk.is_some() { u64::from(MOST_PREFETCH) } else { given.prefetch };
    let ahead: Vec<u64> = std::iter::successors(Some(given.prefetch), |it| Some(it * 4))
        .take_while(|it| *it <= most)
        .collect();
    let mut found = vec![];
    for block in &blocks {
        for &launch in &launches {
            for &prefetch in &ahead {
                let options = LaunchOptions { launch, prefetch };
                found.push(Choice { block: block.clone(), options });
            }
        }
    }
    found
}

impl Advice {
    /// Of a choice, by what predicts it.
    pub(super) fn of(
        choice: Choice,
        case: &Case,
        predict: impl FnOnce(&Case, LaunchOptions) -> Result<(f64, Bound), Failure>,
    ) -> Self {
        let case = match &choice.block {
            Some((name, size)) => case.clone().set(name, *size),
            None => case.clone(),
        };
        let said = predict(&case, choice.options).map_err(|it| it.to_string());
        Self { choice, said }
    }

    fn json(&self) -> Json {
        let Choice { block, options } = &self.choice;
        let block = block.as_ref().map(|(name, size)| json!({ name.as_str(): size }));
        let launch = options.launch.map(Keyword::word);
        let (time_s, bound) = match &self.said {
            Ok((time, bound)) => (Some(*time), Some(bound.word())),
            Err(_) => (None, None),
        };
        let refused = self.said.as_ref().err();
        json!({
            "set": block, "launch": launch, "prefetch": options.prefetch,
            "time_s": time_s, "bound": bound, "refused": refused,
        })
    }

    fn name(&self) -> String {
        let Choice { block, options } = &self.choice;
        let block = block.as_ref().map(|(name, size)| format!("--set {name}={size}"));
        let launch = options.launch.map(|it| format!("--launch {}", it.word()));
        let prefetch = (options.prefetch > 1).then(|| format!("--prefetch {}", options.prefetch));
        let parts: Vec<String> = [block, launch, prefetch].into_iter().flatten().collect();
        parts.join(" ")
    }
}

/// Seconds over the size of blocks, or over how far reads are made early; a curve for each kind of launch.
///
/// # Errors
/// No choice but how it is launched.
pub(super) fn chart(
    case: &Case,
    model: &str,
    advice: &[Advice],
    theme: Theme,
) -> Result<Scene, Failure> {
    if advice.iter().all(|it| it.choice.block.is_none()) && case.bulk.is_none() {
        return Err(Failure::input(
            "--draw: blocks have the sizes that the listing says, and only kinds of launches differ; \
             the table says what they take",
        ));
    }
    let set = case.row().set;
    let file = std::rc::Rc::from("--advise");
    let row = |(line, it): (usize, &Advice)| {
        let Choice { block, options } = &it.choice;
        let mut set = set.clone();
        set.0.extend(block.clone());
        let launch = options.launch.map(|it| ("launch", it.word().to_owned()));
        let prefetch = ("prefetch", options.prefetch.to_string());
        let sample = Sample {
            algorithm: case.program.name.clone(),
            set,
            bulk: case.bulk.map(|it| it.word().to_owned()),
            threads: case.bulk.map(|_| case.threads.get()),
            time_s: Some(it.said.as_ref().ok()?.0),
            rules: Some(launch.into_iter().chain([prefetch]).collect()),
            ..Sample::default()
        };
        Some(SampleRow { sample, file: std::rc::Rc::clone(&file), line: line as u64 })
    };
    let rows: Vec<SampleRow> = advice.iter().enumerate().filter_map(row).collect();
    let block = advice.first().and_then(|it| Some(it.choice.block.as_ref()?.0.clone()));
    let style = ChartStyle {
        canvas: theme.into(),
        title: Some(format!("{}: seconds predicted on {model}", case.program.name)),
        x: Some(Column::Set(block.unwrap_or_else(|| "prefetch".to_owned()))),
        by: None,
    };
    chart::curves(&rows, &Quantity::Time { bounds: false }, &style).map_err(Failure::input)
}

/// Why no choice at all can be predicted, if so: what the first lacks.
pub(super) fn refusal(advice: &[Advice]) -> Option<&str> {
    let refused: Option<Vec<&String>> = advice.iter().map(|it| it.said.as_ref().err()).collect();
    refused?.first().map(|it| it.as_str())
}

/// The choice that takes least.
fn best(advice: &[Advice]) -> Option<(&Advice, f64, Bound)> {
    let timed = advice.iter().filter_map(|it| {
        let (time, bound) = *it.said.as_ref().ok()?;
        Some((it, time, bound))
    });
    timed.min_by(|a, b| a.1.total_cmp(&b.1))
}

pub(super) fn to_json(algorithm: &str, model: &str, advice: &[Advice]) -> Json {
    let rows: Vec<Json> = advice.iter().map(Advice::json).collect();
    json!({
        "algorithm": algorithm, "model": model,
        "best": best(advice).map(|it| it.0.json()), "choices": rows,
    })
}

pub(super) fn to_text(algorithm: &str, model: &str, advice: &[Advice]) -> String {
    let least = best(advice);
    let mut table = Table::new(["choice", "predicted", "of the best", "bound by"]);
    for it in advice {
        table.row(match (&it.said, &least) {
            (Ok((time, bound)), Some((_, least, _))) => {
                [it.name(), seconds(*time), format!("{:.2}", time / least), bound.word().to_owned()]
            }
            (said, _) => {
                let why = said.as_ref().err().and_then(|it| it.lines().next()).unwrap_or_default();
                [it.name(), String::new(), String::new(), why.to_owned()]
            }
        });
    }
    let last = match least {
        Some((it, time, bound)) => format!(
            "best: {}\n{}, bound by {}",
            if it.name().is_empty() { "as it is".to_owned() } else { it.name() },
            seconds(time),
            bound.word()
        ),
        None => "none of them can be predicted".to_owned(),
    };
    let refused = advice.iter().filter(|it| it.said.is_err()).count();
    let last = match refused {
        0 => last,
        some => format!("{last}\n{some} choices could not be predicted, and may be better"),
    };
    format!("{algorithm}  {model}\n\n{}\n\n{last}\n", table.text())
}
