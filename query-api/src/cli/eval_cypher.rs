//! `ripple eval tests/eval/cypher/shop.toml`: how good the queries are that a language model writes, against gold queries.
//!
//! ```text
//! $ RIPPLE_MODEL=… ripple eval tests/eval/cypher/shop.toml --index DIR --record replies.jsonl
//!                  questions  templates  valid  second  repaired  fallback  accuracy  strict     tokens
//! shop                    20      0.550  0.950   0.150     0.100     0.050     0.850   0.400  64100+980
//! ```

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;

use super::format;
use crate::Error;
use crate::evaluate::cypher::replies::{Recording, Replayed};
use crate::evaluate::cypher::suite::Suite;
use crate::evaluate::cypher::{self, Figures, Outcome, Report};
use crate::llm::{Llm, LlmArguments};
use crate::plan::text2cypher::Writer;
use crate::serve::store::Store;
use crate::view::Way;

/// What writes the queries.
#[derive(Debug, clap::Args)]
pub struct Writers {
    /// Keep what the model says in this file (suites of gold queries)
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    record: Option<PathBuf>,
    /// Take what a model said before from this file, and ask none
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    #[command(flatten)]
    llm: LlmArguments,
}

/// Memory of the queries of one question.
const MEMORY: u64 = 1 << 30;

/// Measures suites of gold queries, each over its index.
pub fn run(suites: &[(PathBuf, PathBuf)], writers: &Writers, misses: bool, as_json: bool) -> Result<(), Error> {
    let llm = match &writers.replay {
        None => Llm::from_settings(&writers.llm.settings()?)?,
        Some(_) => None,
    };
    let replayed = writers.replay.as_deref().map(Replayed::read).transpose()?;
    let source: Option<(&dyn Writer, &str)> = match (&replayed, &llm) {
        (Some(replayed), _) => Some((replayed, replayed.model())),
        (None, Some(llm)) => Some((llm, llm.model())),
        (None, None) => None,
    };
    let recording = match (&writers.record, source) {
        (Some(path), Some((writer, model))) => Some(Recording::new(writer, model, path)?),
        (Some(_), None) => {
            return Err(Error::Usage("--record needs a language model: set RIPPLE_MODEL".into()));
        }
        (None, _) => None,
    };
    let source = match (&recording, source) {
        (Some(recording), Some((_, model))) => Some((recording as &dyn Writer, model)),
        (_, source) => source,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(crate::error::io("cannot start the threads"))?;
    let mut reports = Vec::new();
    for (suite, index) in suites {
        reports.push(runtime.block_on(one(suite, index, source))?);
    }
    super::print(|out| match as_json {
        true => format::json(out, &json!(reports)),
        false => text(out, &reports, misses),
    })
}

async fn one(suite: &Path, index: &Path, writer: Option<(&dyn Writer, &str)>) -> Result<Report, Error> {
    let suite = Suite::read(suite)?;
    let store = Store::open(index, MEMORY, 2)?;
    cypher::run(&store, &Arc::default(), &suite, writer).await
}

fn text(out: &mut dyn Write, reports: &[Report], misses: bool) -> io::Result<()> {
    let model = reports.iter().find_map(|report| report.model.as_deref());
    writeln!(out, "model: {}", model.map_or("none".into(), format::visible))?;
    writeln!(
        out,
        "{:18} questions  templates  valid  second  repaired  fallback  accuracy  strict  tokens",
        ""
    )?;
    for report in reports {
        row(out, &report.suite, &report.figures, model.is_some())?;
    }
    if reports.len() > 1 {
        let all: Vec<Outcome> = reports.iter().flat_map(|report| report.outcomes.clone()).collect();
        row(out, "all", &Figures::of(&all), model.is_some())?;
    }
    for report in reports {
        for wrong in &report.wrong_gold {
            writeln!(out, "{}: wrong gold: {wrong}", report.suite)?;
        }
        for outcome in report.outcomes.iter().filter(|_| misses) {
            miss(out, &report.suite, outcome)?;
        }
    }
    Ok(())
}

fn row(out: &mut dyn Write, name: &str, figures: &Figures, with_model: bool) -> io::Result<()> {
    write!(
        out,
        "{name:18} {:9} {:10.3}",
        figures.questions, figures.template_accuracy
    )?;
    if with_model {
        write!(
            out,
            " {:6.3} {:7.3} {:9.3} {:9.3} {:9.3} {:7.3}  {}+{}",
            figures.valid,
            figures.second,
            figures.repaired,
            figures.fallback,
            figures.accuracy,
            figures.strict_accuracy,
            figures.prompt_tokens,
            figures.completion_tokens
        )?;
    }
    writeln!(out)
}

/// A question whose answer is wrong.
fn miss(out: &mut dyn Write, suite: &str, outcome: &Outcome) -> io::Result<()> {
    match &outcome.written {
        None if !outcome.template.is_right() => {
            writeln!(out, "{suite}: {} ({} rows wanted)", outcome.question, outcome.gold)
        }
        Some(written) if !written.answer.is_right() => {
            let way = match written.way {
                Way::Text2Cypher => "text2cypher",
                Way::Repaired => "repaired",
                _ => "template, since",
            };
            let query = format::visible(&written.query).replace('\n', " ");
            writeln!(
                out,
                "{suite}: {} ({} rows wanted)\n    {way}: {query}",
                outcome.question, outcome.gold
            )
        }
        _ => Ok(()),
    }
}
