//! `ripple callers`, `ripple impact` and the other operations: one shape of command for all of them.
//!
//! ```text
//! $ ripple callers Model.save --no-tests
//! $ ripple impact --diff main...HEAD --format markdown
//! ```
//!
//! What an operation does not take, it refuses by name, as at every other door.

use std::io::{self, Read as _, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use ripple_graphdb::Reader;
use serde::{Deserialize, Serialize};

use super::format;
use super::question::{self, Told};
use super::resident::Resident;
use crate::Error;
use crate::answer::{mermaid, prose, sarif};
use crate::locate::IndexToRead;
use crate::operation;
use crate::view::{Direction, Ground, ImpactReport, ImpactRequest, OperationAnswer, Parameters};

/// Where the index is, and how the answer is written.
#[derive(Debug, clap::Args)]
pub struct Common {
    #[command(flatten)]
    index: IndexToRead,
    /// Most steps
    #[arg(long, value_name = "STEPS")]
    depth: Option<u32>,
    /// Most results
    #[arg(long, value_name = "RESULTS")]
    limit: Option<usize>,
    /// Leave out ways that are less sure than this, 0 to 1
    #[arg(long, value_name = "SHARE")]
    min_confidence: Option<f64>,
    /// Show test code among the results
    #[arg(long)]
    tests: bool,
    /// Only results with this tag
    #[arg(long)]
    tag: Option<String>,
    /// Only results in this package
    #[arg(long)]
    package: Option<String>,
    /// Show the way to each result
    #[arg(long)]
    paths: bool,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    resident: Resident,
}

/// How an operation's answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum Format {
    /// For people.
    Text,
    /// The whole answer as one JSON object.
    Json,
    /// For chats and pull requests.
    Markdown,
    /// The ways as a picture, in Mermaid.
    Mermaid,
    /// For code scanning, as SARIF 2.1.0.
    Sarif,
}

/// An operation about one thing.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// An id, a qualified name or its tail (`Model.save`), `key:email`, `field:email`, `function:save`, or `file.py:12`
    target: String,
    #[command(flatten)]
    common: Common,
}

/// An operation about one thing that has two directions.
#[derive(Debug, clap::Args)]
pub struct Directed {
    #[command(flatten)]
    arguments: Arguments,
    /// What it comes from instead of what follows from it
    #[arg(long)]
    up: bool,
}

/// An operation between two things.
#[derive(Debug, clap::Args)]
pub struct Between {
    /// Where it starts
    from: String,
    /// Where it ends
    to: String,
    #[command(flatten)]
    common: Common,
}

/// Impact of a target or of a change.
#[derive(Debug, clap::Args)]
#[command(after_help = IMPACT_EXAMPLES)]
pub struct Impact {
    /// An id, a qualified name or its tail, `key:email`, or `file.py:12`
    #[arg(required_unless_present_any = ["diff", "staged", "patch"], conflicts_with_all = ["diff", "staged", "patch"])]
    target: Option<String>,
    /// What changed between two revisions (`main...HEAD`), or since one (`main`)
    #[arg(long, value_name = "REVISIONS")]
    diff: Option<String>,
    /// What is staged
    #[arg(long, conflicts_with = "diff")]
    staged: bool,
    /// A unified diff in a file; `-` reads it from stdin
    #[arg(long, value_name = "FILE", conflicts_with_all = ["diff", "staged"])]
    patch: Option<PathBuf>,
    /// What it depends on instead of what changes with it
    #[arg(long, conflicts_with_all = ["diff", "staged", "patch"])]
    up: bool,
    /// Only what values that move lead to, what is decided by them as well, or all that may change
    #[arg(long, value_enum)]
    ground: Option<Ground>,
    /// End with exit code 1 if more results than this are found
    #[arg(long, value_name = "RESULTS")]
    fail_over: Option<usize>,
    #[command(flatten)]
    common: Common,
}

const IMPACT_EXAMPLES: &str = "\
Examples:
  ripple impact key:email                          a client stops sending `email`
  ripple impact Order.total --tag ml-feature       which of the tagged functions change with it
  ripple impact orders.py:12                       whatever stands on that line
  ripple impact --diff main...HEAD --format markdown   for a comment on a pull request
  git diff | ripple impact --patch - --ground flow --fail-over 50    for a check that ends with 1";

impl Arguments {
    pub(super) fn run(self, name: &str) -> Result<(), Error> {
        let parameters = Parameters {
            target: Some(self.target),
            ..self.common.parameters()
        };
        self.common.ask(name, parameters).map(drop)
    }
}

impl Directed {
    pub(super) fn run(self, name: &str) -> Result<(), Error> {
        let parameters = Parameters {
            target: Some(self.arguments.target),
            direction: direction(self.up),
            ..self.arguments.common.parameters()
        };
        self.arguments.common.ask(name, parameters).map(drop)
    }
}

impl Between {
    pub(super) fn run(self, name: &str) -> Result<(), Error> {
        let parameters = Parameters {
            from: Some(self.from),
            to: Some(self.to),
            ..self.common.parameters()
        };
        self.common.ask(name, parameters).map(drop)
    }
}

impl Impact {
    pub(super) fn run(self) -> Result<(), Error> {
        let found = if let Some(target) = self.target {
            let parameters = Parameters {
                target: Some(target),
                direction: direction(self.up),
                ground: self.ground,
                ..self.common.parameters()
            };
            self.common.ask("impact", parameters)?.found
        } else {
            let (base, head) = match self
                .diff
                .as_deref()
                .map(|range| range.split_once("...").or(range.split_once("..")))
            {
                Some(Some((base, head))) => (Some(base.to_owned()), Some(head.to_owned())),
                Some(None) => (self.diff.clone(), None),
                None => (None, None),
            };
            let request = ImpactRequest {
                diff: self.patch.as_deref().map(read).transpose()?,
                base,
                head: head.filter(|head| !head.is_empty()),
                staged: self.staged,
                depth: self.common.depth,
                limit: self.common.limit,
                min_confidence: self.common.min_confidence,
                ground: self.ground,
                tests: Some(self.common.tests),
                target: None,
            };
            let reader = ripple_graphdb::open(&self.common.index.folder()?)?;
            let report = operation::impact_of_change(&reader, &request);
            std::mem::forget(reader);
            let report = report?;
            self.common.tell_change(&report)?;
            report.answer.found
        };
        match self.fail_over {
            Some(most) if found > most => Err(Error::Over { found, most }),
            _ => Ok(()),
        }
    }
}

impl Common {
    fn parameters(&self) -> Parameters {
        Parameters {
            depth: self.depth,
            limit: self.limit,
            min_confidence: self.min_confidence,
            tests: self.tests.then_some(true),
            tag: self.tag.clone(),
            package: self.package.clone(),
            ..Parameters::default()
        }
    }

    fn ask(&self, name: &str, parameters: Parameters) -> Result<Told, Error> {
        let question = Question {
            name: name.into(),
            parameters,
            format: self.format,
            style: self.style(self.format == Format::Markdown),
        };
        question::Question::Operation(question).ask(&self.index.folder()?, self.resident.stays)
    }

    fn tell_change(&self, report: &ImpactReport) -> Result<(), Error> {
        super::print(|out| match self.format {
            Format::Json => format::json(out, report),
            Format::Text => {
                let text = prose::change(&report.changed, &report.answer, self.style(false));
                out.write_all(format::visible(&text).as_bytes())
            }
            Format::Markdown => out.write_all(report.markdown.as_bytes()),
            Format::Mermaid => out.write_all(mermaid::picture(&report.answer).as_bytes()),
            Format::Sarif => format::json(out, &sarif::log(&report.changed, &report.answer)),
        })
    }

    fn style(&self, markdown: bool) -> prose::Style {
        prose::Style {
            markdown,
            results: self.limit.unwrap_or(100),
            paths: self.paths,
        }
    }
}

/// An operation and how its answer is to be written.
#[derive(Debug, Serialize, Deserialize)]
pub struct Question {
    name: String,
    parameters: Parameters,
    format: Format,
    style: prose::Style,
}

impl Question {
    pub(super) fn answer(&self, reader: &Reader, out: &mut dyn Write) -> Result<Told, Error> {
        let answer = operation::run(reader, &self.name, &self.parameters)?;
        self.write(&answer, out).map_err(super::unwritten)?;
        let results = super::units::count(answer.found as u64, "result");
        Ok(Told {
            found: answer.found,
            summary: format!("{results} in {:.1} ms", answer.elapsed_ms),
        })
    }

    fn write(&self, answer: &OperationAnswer, out: &mut dyn Write) -> io::Result<()> {
        match self.format {
            Format::Json => format::json(out, answer),
            Format::Text => {
                out.write_all(format::visible(&prose::report(answer, self.style)).as_bytes())?;
                answer.source.iter().try_for_each(|excerpt| {
                    writeln!(out, "\n{}:{}", excerpt.file, excerpt.line)?;
                    out.write_all(format::visible(&excerpt.text).as_bytes())
                })
            }
            Format::Markdown => out.write_all(prose::report(answer, self.style).as_bytes()),
            Format::Mermaid => out.write_all(mermaid::picture(answer).as_bytes()),
            Format::Sarif => format::json(out, &sarif::log(&[], answer)),
        }
    }
}

fn direction(up: bool) -> Option<Direction> {
    up.then_some(Direction::Up)
}

fn read(file: &std::path::Path) -> Result<String, Error> {
    let what = || format!("cannot read {}", file.display());
    let mut bytes = Vec::new();
    if file == std::path::Path::new("-") {
        io::stdin()
            .read_to_end(&mut bytes)
            .map_err(crate::error::io("cannot read the diff from stdin"))?;
    } else {
        bytes = std::fs::read(file).map_err(crate::error::io(what()))?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
