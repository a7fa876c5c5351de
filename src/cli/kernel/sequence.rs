//! Several launches one after another on the same memory, as a file says them.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::render::text;
use super::results::Results;
use super::{Kernel, verdict};
use crate::cli::support::kernel_launch::failed;
use crate::cli::support::progress::spin;
use crate::cli::support::{Failure, files};
use crate::host::files::{DESCRIPTION, read};
use crate::kernel::{
    Argument, ArgumentSource, Carried, KernelReport, Plan, Prepared, Shape, SourceTable, choose,
    source_text,
};

/// The file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Launches {
    /// Of the kernels, beside this file.
    file: String,
    /// Of all launches, by name: as `--arg` has them.
    #[serde(default)]
    arrays: BTreeMap<String, String>,
    /// In their order.
    launch: Vec<OneLaunch>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OneLaunch {
    kernel: Option<String>,
    #[serde(default = "one")]
    grid: String,
    #[serde(default = "warp")]
    block: String,
    #[serde(default)]
    shared: u32,
    /// How often it is launched.
    #[serde(default = "once")]
    times: u64,
    /// `@name` is an array of all launches.
    #[serde(default)]
    args: BTreeMap<String, toml::Value>,
}

fn one() -> String {
    "1".to_owned()
}

fn warp() -> String {
    "32".to_owned()
}

const fn once() -> u64 {
    1
}

/// Launches of a file, at most.
const MOST_LAUNCHES: u64 = 1 << 20;

impl Kernel {
    /// Executes them, and prints what each does.
    pub(super) fn launches(&self) -> Result<(), Failure> {
        let place = self.file.display();
        let wrong = |why: String| Failure::input(format_args!("{place}: {why}"));
        self.check_alone().map_err(wrong)?;
        files::check_outputs(self.outputs.iter().map(|it| &it.1))?;
        let description = read(&self.file, DESCRIPTION)?;
        let all: Launches = toml::from_str(&description).map_err(|it| wrong(it.to_string()))?;
        let times: u64 = all.launch.iter().map(|it| it.times).fold(0, u64::saturating_add);
        if !(1..=MOST_LAUNCHES).contains(&times) {
            return Err(wrong(format!("{times} launches; there are 1 to {MOST_LAUNCHES}")));
        }
        let file = self.file.with_file_name(&all.file);
        let module = self.module(&file)?;
        let name = file.display().to_string();
        let mut carried = Carried::default();
        for (name, source) in &all.arrays {
            let fail = |why: String| wrong(format!("array {name}: {why}"));
            let source: ArgumentSource = source.parse().map_err(fail)?;
            carried.add(name, &source, self.seed).map_err(fail)?;
        }
        let mut reports = vec![];
        let mut findings = 0;
        for (number, it) in all.launch.iter().enumerate() {
            let fail = |why: String| wrong(format!("launch {}: {why}", number + 1));
            let kernel = choose(&module, it.kernel.as_deref(), &name).map_err(Failure::input)?;
            let plan = it.plan(self).map_err(fail)?;
            let known = self.launch.types(&file, kernel, &plan.arguments).parameters;
            for time in 0..it.times {
                let arrays = carried.arrays.clone();
                let prepared = Prepared::after(carried, &module, kernel, known.as_deref(), &plan)
                    .map_err(failed)?;
                let image = prepared.image.clone();
                let done = spin("executing", || prepared.execute(&module, kernel, &plan));
                let done = done.map_err(failed)?;
                findings += done.findings.len();
                if time == 0 {
                    let table = SourceTable::new(kernel, &done.counts, None, source_text);
                    let (execution, predicted) = (&done, None);
                    let report = KernelReport {
                        kernel,
                        plan: &plan,
                        execution,
                        table: &table,
                        time: None,
                        predicted,
                    };
                    reports.push(match self.json {
                        true => serde_json::to_value(report).map_err(Failure::run)?,
                        false => serde_json::Value::String(text(&report, self.lines)),
                    });
                }
                carried = Carried { memory: done.memory, image: Some(image), arrays };
            }
        }
        match self.json {
            true => files::print_json(&reports)?,
            false => {
                let texts: Vec<&str> = reports.iter().filter_map(|it| it.as_str()).collect();
                files::print(&texts.join("\n"))?;
            }
        }
        let names: Vec<String> = carried.arrays.keys().cloned().collect();
        let results = Results { find: &|name| carried.array(name), names };
        self.write_outputs(&results)?;
        self.check(&results)?;
        verdict(findings)
    }

    /// Flags that are of one launch.
    fn check_alone(&self) -> Result<(), String> {
        let given = [
            ("--kernel", self.launch.kernel.is_some()),
            ("--grid", self.launch.grid.is_some()),
            ("--block", self.launch.block.is_some()),
            ("--shared", self.launch.shared.is_some()),
            ("--arg", !self.launch.arguments.is_empty()),
            ("--constant", !self.launch.constants.is_empty()),
            ("--trace", self.trace.is_some()),
            ("--html", self.html.is_some()),
            ("--draw", self.draw.is_some()),
            ("--sass", self.sass),
            ("--sample", self.sample.is_some()),
            ("-m or --model", self.machine.is_given()),
        ];
        let own = given.iter().find(|it| it.1).map(|it| it.0);
        match own.or_else(|| self.machine.details().next()) {
            Some(flag) => Err(format!("{flag} is of one launch; the file says what each is given")),
            None => Ok(()),
        }
    }
}

impl OneLaunch {
    fn plan(&self, of: &Kernel) -> Result<Plan, String> {
        let shape = |text: &str| text.parse::<Shape>();
        let mut arguments = vec![];
        for (name, value) in &self.args {
            add_arguments(name, value, &mut arguments)?;
        }
        let (grid, block) = (shape(&self.grid)?, shape(&self.block)?);
        Ok(Plan { grid, block, shared_bytes: self.shared, arguments, ..of.plan(false) })
    }
}

/// What a parameter is given; of a structure, which is a table, what each member is.
fn add_arguments(name: &str, value: &toml::Value, all: &mut Vec<Argument>) -> Result<(), String> {
    let is_number = |it: &toml::Value| it.is_integer() || it.is_float() || it.is_bool();
    let text = match value {
        toml::Value::Table(members) => {
            return members
                .iter()
                .try_for_each(|(key, it)| add_arguments(&format!("{name}.{key}"), it, all));
        }
        toml::Value::Array(items) if !items.iter().all(is_number) => {
            let mut items = items.iter().enumerate();
            return items.try_for_each(|(at, it)| add_arguments(&format!("{name}[{at}]"), it, all));
        }
        toml::Value::Array(items) => {
            items.iter().map(toml::Value::to_string).collect::<Vec<_>>().join(",")
        }
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let argument: Argument = format!("{name}={text}").parse()?;
    match argument.source {
        ArgumentSource::Filled { .. } | ArgumentSource::File(..) => Err(format!(
            "{name}: arrays are of all launches: name one under [arrays], and write \"@NAME\""
        )),
        ArgumentSource::Tensor(_, of) if !matches!(*of, ArgumentSource::Named(_)) => Err(format!(
            "{name}: arrays are of all launches: name one under [arrays], and write \"tensor,box=64x64:@NAME\""
        )),
        ArgumentSource::Texture(..) => {
            Err(format!("{name}: textures are of one launch: `umm kernel` with --arg makes it"))
        }
        _ => {
            all.push(argument);
            Ok(())
        }
    }
}
