//! `ripple describe`: has a language model describe functions, so that they are found by what they do.
//!
//! ```text
//! $ ripple describe --estimate
//! 412 functions without documentation or description (35 are described already)
//! about 98,000 tokens to the model, 24,720 back, in 47 requests
//! ```

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::say;
use super::units::{count, thousands};
use crate::Error;
use crate::describe::{self, Plan, Wanted};
use crate::error::io as failed;
use crate::llm::{Llm, LlmArguments, LlmSettings};
use crate::locate::IndexFolder;

/// Have a language model describe functions, so that searches find them by what they do
///
/// Tells first what it takes, and asks. Descriptions are kept in the index folder by a hash of each function's source: a run that was
/// stopped goes on where it ended, and only what has changed is described again. The next `ripple index` takes them into the search.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Folder to find the index from
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    #[command(flatten)]
    folder: IndexFolder,
    /// Only functions in files whose path begins so
    #[arg(long, value_name = "PREFIX")]
    only: Vec<String>,
    /// Also functions that have documentation
    #[arg(long)]
    all: bool,
    /// Also test code
    #[arg(long)]
    tests: bool,
    /// Most functions, the most called first
    #[arg(long, value_name = "FUNCTIONS")]
    limit: Option<usize>,
    /// Tell what it takes, and do nothing
    #[arg(long)]
    estimate: bool,
    /// Do not ask before spending
    #[arg(long, short)]
    yes: bool,
    /// Requests at once
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    at_once: u16,
    /// Say nothing but errors
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    llm: LlmArguments,
}

const EXAMPLES: &str = "\
Examples:
  ripple describe --estimate                what would it take?
  ripple describe --only pipeline/ --yes    describe what is below pipeline/
  ripple index && ripple search 'sets stock aside'";

impl Arguments {
    pub(super) fn run(self) -> Result<(), Error> {
        let settings = self.llm.settings()?;
        // Nobody waits for an answer here: a busy endpoint is given time.
        let settings = LlmSettings {
            patience: settings.bulk_patience,
            ..settings
        };
        let llm = Llm::from_settings(&settings)?;
        let reader = ripple_graphdb::open(&self.folder.to_read(&self.path)?)?;
        let wanted = Wanted {
            paths: self.only.clone(),
            documented: self.all,
            tests: self.tests,
            limit: self.limit,
        };
        let plan = describe::plan(&reader, settings.model.as_deref().unwrap_or_default(), &wanted)?;
        if self.estimate {
            return super::print(|out| self.told(&plan).iter().try_for_each(|line| writeln!(out, "{line}")));
        }
        if plan.batches.is_empty() {
            self.say("nothing to describe: every function that is wanted has documentation or a description");
            return Ok(());
        }
        let Some(llm) = llm else {
            let missing = settings.missing().unwrap_or("no language model is set");
            return Err(Error::Usage(format!("{missing}; --estimate needs none")));
        };
        if !self.yes {
            self.told(&plan).iter().for_each(|line| say(line));
            if !agreed(&llm)? {
                say("nothing was sent");
                return Ok(());
            }
        }
        let functions = plan.functions();
        let bar = self.bar(functions as u64);
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(failed("cannot start the threads"))?;
        let progress = |done: usize| bar.set_position(done as u64);
        let work = describe::run(&llm, reader.folder(), plan, usize::from(self.at_once), &progress);
        let outcome = runtime.block_on(work)?;
        bar.finish_and_clear();
        let usage = outcome.usage;
        self.say(&format!(
            "{} described, {} left; {} tokens to the model, {} back, in {}",
            count(outcome.described as u64, "function"),
            thousands((functions - outcome.described) as u64),
            thousands(usage.prompt_tokens),
            thousands(usage.completion_tokens),
            count(u64::from(usage.calls), "request"),
        ));
        if let Some(error) = outcome.stopped {
            self.say("what is described is kept; run it again to go on");
            return Err(error.into());
        }
        self.say("run `ripple index` to search by them");
        Ok(())
    }

    /// What a plan takes.
    fn told(&self, plan: &Plan) -> [String; 2] {
        let without = if self.all { "" } else { "documentation or " };
        [
            format!(
                "{} without {without}description ({} described already)",
                count(plan.functions() as u64, "function"),
                thousands(plan.known as u64)
            ),
            format!(
                "about {} tokens to the model, {} back, in {}",
                thousands(plan.prompt_tokens),
                thousands(plan.completion_tokens),
                count(plan.batches.len() as u64, "request")
            ),
        ]
    }

    fn say(&self, line: &str) {
        if !self.quiet {
            say(line);
        }
    }

    fn bar(&self, functions: u64) -> ProgressBar {
        let drawn = !self.quiet && io::stderr().is_terminal();
        let target = if drawn {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let style = ProgressStyle::with_template("{bar:40} {human_pos}/{human_len} functions ({elapsed}, {eta} left)");
        let bar = ProgressBar::with_draw_target(Some(functions), target);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }
}

/// Asks whoever sits there.
fn agreed(llm: &Llm) -> Result<bool, Error> {
    if !io::stdin().is_terminal() {
        return Err(Error::Usage(
            "nobody is there to ask; --yes spends without asking".into(),
        ));
    }
    let _ = write!(
        io::stderr(),
        "send this source to {} at {}? [y/N] ",
        llm.model(),
        llm.url()
    );
    let mut line = String::new();
    io::stdin()
        .lock()
        .read_line(&mut line)
        .map_err(failed("cannot read the answer"))?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}
