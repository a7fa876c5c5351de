//! Programs that are run in the folder of the project.

use std::process::Command;

use crate::{Failure, root};

/// A program with its arguments, and what is set for it.
#[derive(Clone, Debug)]
pub struct Process {
    words: Vec<String>,
    variables: Vec<(&'static str, &'static str)>,
}

impl Process {
    /// Of a line, words apart by blanks.
    pub fn new(line: &str) -> Self {
        let words = line.split_whitespace().map(str::to_owned).collect();
        Self { words, variables: vec![] }
    }

    pub fn and(mut self, arguments: impl IntoIterator<Item = String>) -> Self {
        self.words.extend(arguments);
        self
    }

    pub fn with(mut self, name: &'static str, value: &'static str) -> Self {
        self.variables.push((name, value));
        self
    }

    pub fn line(&self) -> String {
        let variables = self.variables.iter().map(|(name, value)| format!("{name}='{value}'"));
        variables.chain(self.words.iter().cloned()).collect::<Vec<_>>().join(" ")
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]).current_dir(root());
        command.envs(self.variables.iter().copied());
        command
    }

    /// Runs it to its end.
    pub fn run(&self) -> Result<(), Failure> {
        let status =
            self.command().status().map_err(|error| format!("{}: {error}", self.line()))?;
        status.success().then_some(()).ok_or_else(|| format!("{}: {status}", self.line()).into())
    }
}
