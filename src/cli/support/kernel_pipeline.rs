//! A launch's way through the pipeline of a memory machine.

use std::cell::Cell;
use std::path::Path;

use super::Failure;
use super::kernel_launch::{LaunchOptions, failed};
use super::progress::spin;
use crate::chart::pipeline::SourceLabels;
use crate::kernel::{
    Execution, GivenValue, MachineTrace, Plan, Prepared, SourceTexts, machine_trace, source_text,
};
use crate::machine::{Dispatch, MOST_STAGES, Machine, Mode, PipelineDiagram, WarpAccess};
use crate::run::WorkLimit;
use crate::sass::{KernelCode, RESERVED_SHARED_BYTES};
use crate::trace::Space;
use crate::units::{Address, BANK_BYTES};

/// A launch's accesses, and what their places are called.
pub(in crate::cli) struct KernelPipeline<'a> {
    kernel: &'a KernelCode,
    execution: &'a Execution,
    of: MachineTrace,
    texts: SourceTexts,
    machine: Machine,
}

impl<'a> KernelPipeline<'a> {
    /// Of a launch that was traced.
    pub(in crate::cli) fn new(
        kernel: &'a KernelCode,
        execution: &'a Execution,
        machine: Machine,
    ) -> Result<Self, Failure> {
        let trace = execution.trace.as_ref();
        let trace = trace.ok_or_else(|| Failure::run("the launch was not traced"))?;
        let of = machine_trace(trace, machine).map_err(Failure::input)?;
        let texts = SourceTexts::new(kernel, source_text);
        Ok(Self { kernel, execution, of, texts, machine })
    }

    /// Those dispatches that are shown, by the number of their step; the stages that they have, if these are
    /// too many to be drawn.
    pub(in crate::cli) fn diagram(
        &self,
        mode: Mode,
        is_shown: impl Fn(&Dispatch, usize) -> bool,
    ) -> Result<PipelineDiagram, u128> {
        let stages = Cell::new(0);
        let is_shown = |it: &Dispatch, step: usize, _: usize| {
            let is_shown = is_shown(it, step);
            if is_shown {
                stages.set(stages.get() + u128::from(it.stages));
            }
            is_shown && stages.get() <= MOST_STAGES.into()
        };
        let diagram = PipelineDiagram::of(self.machine, mode, &self.of.trace, is_shown);
        if stages.get() > MOST_STAGES.into() { Err(stages.get()) } else { Ok(diagram) }
    }
}

impl SourceLabels for KernelPipeline<'_> {
    fn name(&self) -> String {
        self.execution.signature.name.clone()
    }

    fn place(&self, access: &WarpAccess) -> Option<String> {
        let block = access.block.map_or(0, |it| it.at.block);
        let width = self.machine.width.get();
        let threads = access.warp * width..(access.warp + 1) * width;
        let at = self.of.instruction((block, access.event), threads)?;
        match self.kernel.line(at) {
            Some(line) => {
                let code = self.texts.line(line).unwrap_or_default();
                Some(format!("line {}: {}", line.line, code.split("//").next()?.trim()))
            }
            None => self.kernel.text(at),
        }
    }

    fn element(&self, access: &WarpAccess, address: Address) -> String {
        if access.block.is_some_and(|it| it.space == Space::Shared) {
            let own = address.0.checked_sub(RESERVED_SHARED_BYTES / BANK_BYTES);
            return own
                .map_or_else(|| format!("reserved[{}]", address.0), |it| format!("shared[{it}]"));
        }
        let (array, word) = self.of.place(address);
        let of_array = self.execution.given.iter().position(
            |it| matches!(it.value, GivenValue::Array { number, .. } if number as u64 + 1 == array),
        );
        match of_array.map(|it| (it, self.execution.array(it))) {
            Some((at, Some((_, element, _)))) => {
                let name = self.execution.name(at);
                format!("{name}[{}]", word * BANK_BYTES / element.bytes() as u64)
            }
            _ if array == 0 => format!("local[{word}]"),
            _ => format!("[{}]", address.0),
        }
    }
}

impl LaunchOptions {
    /// Executes a kernel of a file with its trace, and shows it.
    pub(in crate::cli) fn explain(
        &self,
        (file, seed, limit): (&Path, u64, WorkLimit),
        machine: Machine,
        show: impl FnOnce(&KernelPipeline<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let module = self.module(file)?;
        let (kernel, types) = self.kernel(file, &module)?;
        let (plan, constant_types) = (self.plan(seed, limit), types.constants);
        let plan = Plan { checks: false, traces: true, constant_types, ..plan };
        let prepared = Prepared::new(&module, kernel, types.parameters.as_deref(), &plan);
        let prepared = prepared.map_err(failed)?;
        let execution = spin("executing", || prepared.execute(&module, kernel, &plan));
        let execution = execution.map_err(failed)?;
        show(&KernelPipeline::new(kernel, &execution, machine)?)
    }
}
