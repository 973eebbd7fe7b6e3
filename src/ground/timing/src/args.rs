//! The flags of a report, and what they ask for before a run and after it.

use std::io::{self, IsTerminal, Write};

use clap::Args;
use ground::error::Error;

use crate::report::Report;
use crate::{events, profile};

// A doc comment here would become the description of the whole program.
#[derive(Args, Clone, Debug)]
pub struct ReportArgs {
    /// Say what the run cost
    #[arg(long)]
    pub report: bool,

    /// List every forward pass
    #[arg(long)]
    pub timings: bool,

    /// Show which operation the time goes to
    #[arg(long)]
    pub profile: bool,

    /// With --json: also measure how fast memory can be read
    #[arg(long, requires = "json")]
    pub bandwidth: bool,

    /// Write one line per token to standard error
    #[arg(long)]
    pub log: bool,
}

impl ReportArgs {
    /// Before the run: whoever asked for a log listens, and operations are timed.
    pub fn begin(&self) {
        if self.log {
            events::log_to_standard_error();
        }
        if self.profile {
            profile::start();
        }
    }

    /// After the run: adds the profile, the flags as they were typed, and the bound where it is wanted. `read` measures
    /// how fast memory is.
    pub fn finish(
        &self,
        report: &mut Report,
        flags: Vec<String>,
        json: bool,
        read: impl FnOnce() -> Option<f64>,
    ) {
        report.flags = flags;
        report.profile = profile::finish();
        if (json || self.shown()) && self.wants_bound(report, json) {
            report.bound(read());
        }
    }

    /// The read test takes a moment: the table needs it for a share, JSON only if it is asked for.
    pub fn wants_bound(&self, report: &Report, json: bool) -> bool {
        let share_exists = report.metrics.decode_tokens_per_second.is_some();
        if json { self.bandwidth } else { share_exists }
    }

    /// The table, below the text and on standard error, where somebody asked for any of it; JSON has it all already. Who
    /// asked for nothing else is told what there is.
    pub fn print(&self, report: &Report, json: bool) -> Result<(), Error> {
        let mut out = io::stderr().lock();
        if self.shown() && !json {
            report.print(&mut out, self.timings)?;
        } else if !json && out.is_terminal() {
            writeln!(
                out,
                "\nnext: `mdbook serve book` opens the book, `cargo run -- start ch00` begins a program of yours"
            )?;
            writeln!(
                out,
                "more: --report says what this run cost, --help what else can be asked"
            )?;
        }
        Ok(())
    }

    fn shown(&self) -> bool {
        self.report || self.timings || self.profile
    }
}
