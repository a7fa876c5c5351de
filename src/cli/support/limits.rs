//! How much a command that executes a listing may do: one group of options for all of them.

use std::io::{self, Write};
use std::process::exit;
use std::sync::Once;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;

use super::staging::remove_temporary;
use crate::case::Case;
use crate::run::{LimitAmount, TimeLimit, WHILE_ITERATIONS, WorkLimit};
use crate::whole_number::unsigned;

#[derive(Debug, Clone, Args)]
pub(crate) struct LimitOptions {
    /// A sequential loop that is executed and iterates more often counts as endless [default:
    /// 10000000]
    #[arg(long, value_name = "ITERATIONS", value_parser = unsigned)]
    pub(crate) while_limit: Option<u64>,
    /// Stop with exit code 1 when so much time is over, as in 10s or 2min, or when a run has made this many
    /// operations, as in '1e9 operations'; repeatable
    #[arg(long = "limit", value_name = "TIME|OPERATIONS", value_parser = limit)]
    pub(crate) limits: Vec<LimitAmount>,
    /// The listing may name no file as its `reference`, as is wise with a stranger's
    #[arg(long)]
    pub(crate) no_files: bool,
}

fn limit(text: &str) -> Result<LimitAmount, String> {
    text.parse()
}

impl LimitOptions {
    pub(crate) fn while_iterations(&self) -> u64 {
        self.while_limit.unwrap_or(WHILE_ITERATIONS)
    }

    /// The limit on work; its time begins now, for the whole command.
    pub(crate) fn work(&self) -> WorkLimit {
        let work = self.limits.iter().fold(WorkLimit::NONE, |all, it| all.and(*it));
        if let Some(time) = work.time {
            watch(time, ", in no loop of the listing; raise --limit, or choose smaller sizes");
        }
        work
    }

    /// The same case within these limits.
    pub(crate) fn bound(&self, case: Case) -> Case {
        let (while_iterations, work) = (self.while_iterations(), self.work());
        Case { while_iterations, work, no_files: self.no_files, ..case }
    }
}

/// How long a loop of the listing may take to notice that its time is over, and to say where.
const GRACE: Duration = Duration::from_millis(500);

/// Ends the process where something other than a loop of the listing takes longer: a proof, a
/// compilation, a count, a kernel; with what messages say behind the limit.
pub(crate) fn watch(limit: TimeLimit, remedy: &'static str) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        thread::spawn(move || {
            thread::sleep(limit.end.saturating_duration_since(Instant::now()) + GRACE);
            remove_temporary();
            let _ = writeln!(
                io::stderr(),
                "error: stopped at the limit of {}{remedy}",
                LimitAmount::Time(limit.time)
            );
            exit(1)
        });
    });
}
