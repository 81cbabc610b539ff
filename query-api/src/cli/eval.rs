//! `ripple eval`: how much of the known answers each stage finds, and weights learned from them.
//!
//! ```text
//! $ ripple eval tests/eval/shop.toml --index tests/projects/shop/.ripple
//! shop (test, 30 questions)        recall@5  recall@10  recall@50  hit@10  MRR  …
//!   text                              0.71       0.80       0.95   …
//! ```

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::json;

use super::eval_cypher::{self, Writers};
use super::format;
use crate::Error;
use crate::evaluate::candidates::Candidates;
use crate::evaluate::cypher::suite as gold;
use crate::evaluate::figures::{Figures, Outcome};
use crate::evaluate::suite::Suite;
use crate::evaluate::{self, Report, docstrings};
use crate::locate::IndexFolder;
use crate::retrieve::learn;
use crate::retrieve::weights::Weights;
use crate::retrieve::{Retriever, models};
use crate::view::Source;

/// Measure how well questions find their answers
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Files of questions with their answers
    #[arg(value_name = "SUITE.toml")]
    suites: Vec<PathBuf>,
    /// Indexes to ask: one, or one for each suite in the same order
    #[arg(long = "index", value_name = "DIR")]
    index: Vec<PathBuf>,
    /// Ask with the first sentence of so many functions' documentation instead
    #[arg(long, value_name = "PAIRS", num_args = 0..=1, default_missing_value = "1000")]
    docstrings: Option<usize>,
    /// Compare the graph over the vectors with looking at all of them, for so many questions
    #[arg(long, value_name = "QUESTIONS", num_args = 0..=1, default_missing_value = "1000")]
    vectors: Option<usize>,
    /// Learn the weights from suites of the `train` half and write them here
    #[arg(long, value_name = "FILE")]
    learn: Option<PathBuf>,
    /// Write the candidates of each question of the `train` half here, for trees to learn from
    #[arg(long, value_name = "FILE", conflicts_with = "learn")]
    candidates: Option<PathBuf>,
    /// Penalty on large weights when learning
    #[arg(long, value_name = "NUMBER", default_value_t = 0.01)]
    penalty: f32,
    /// Leave this source out (name, text, meaning, vector, chunk, graph): what is it worth?
    #[arg(long, value_name = "SOURCE", value_parser = source)]
    without: Vec<Source>,
    /// Use the weights of this file
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// What embeds questions: folder of a model, or `endpoint`
    #[arg(long, value_name = "DIR", env = "RIPPLE_EMBEDDER")]
    embedder: Option<PathBuf>,
    /// What re-ranks, folder of a model or `llm`; a stage of its own
    #[arg(long, value_name = "DIR", env = "RIPPLE_RERANKER")]
    reranker: Option<PathBuf>,
    /// List the questions whose answers are not among the first 10
    #[arg(long)]
    misses: bool,
    /// How the figures are written
    #[arg(long, value_enum, default_value_t = EvalFormat::Text)]
    format: EvalFormat,
    #[command(flatten)]
    writers: Writers,
}

/// The sources that can be left out.
const SOURCES: [(&str, Source); 6] = [
    ("name", Source::Name),
    ("text", Source::Text),
    ("meaning", Source::Meaning),
    ("vector", Source::Vector),
    ("chunk", Source::Chunk),
    ("graph", Source::Graph),
];

fn source(text: &str) -> Result<Source, String> {
    let found = SOURCES.iter().find(|(name, _)| *name == text);
    found
        .map(|(_, source)| *source)
        .ok_or_else(|| "it is one of name, text, meaning, vector, chunk, graph".into())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EvalFormat {
    Text,
    Json,
}

const EXAMPLES: &str = "\
Examples:
  ripple eval tests/eval/shop.toml --index tests/projects/shop/.ripple
  ripple eval tests/eval/cypher/shop.toml --index tests/projects/shop/.ripple --record replies.jsonl
  ripple eval --docstrings 2000 --index django/.ripple
  ripple eval --vectors 500 --index django/.ripple
  ripple eval a.toml b.toml --index a/.ripple --index b/.ripple --learn weights.txt
  ripple eval a.toml b.toml --index a/.ripple --index b/.ripple --candidates candidates.bin";

impl Arguments {
    pub(super) fn run(self) -> Result<(), Error> {
        if let Some(pairs) = self.docstrings {
            return self.docstrings(pairs);
        }
        if let Some(questions) = self.vectors {
            return self.vectors(questions);
        }
        if self.suites.is_empty() {
            return Err(Error::Usage("name a suite, or use --docstrings or --vectors".into()));
        }
        let gold = self.suites.iter().map(|path| gold::Suite::is(path));
        let gold: Vec<bool> = gold.collect::<Result<_, _>>()?;
        if gold.contains(&true) {
            if gold.contains(&false) {
                return Err(Error::Usage("suites of gold queries are measured by themselves".into()));
            }
            let indexes = (0..)
                .zip(&self.suites)
                .map(|(number, suite)| Ok((suite.clone(), self.index_of(number)?)));
            let suites: Vec<(PathBuf, PathBuf)> = indexes.collect::<Result<_, Error>>()?;
            return eval_cypher::run(&suites, &self.writers, self.misses, self.format == EvalFormat::Json);
        }
        let suites: Vec<Suite> = self
            .suites
            .iter()
            .map(|path| Suite::read(path))
            .collect::<Result<_, _>>()?;
        if let Some(path) = &self.learn {
            return self.learn(&suites, path);
        }
        if let Some(path) = &self.candidates {
            return self.candidates(&suites, path);
        }
        let mut reports = Vec::new();
        for (number, suite) in suites.iter().enumerate() {
            let retriever = self.retriever(number)?;
            let report = evaluate::run(&retriever, suite, &self.sources())?;
            if self.misses {
                misses(suite, &report)?;
            }
            reports.push(report);
            std::mem::forget(retriever);
        }
        super::print(|out| match self.format {
            EvalFormat::Json => format::json(out, &json!(reports.iter().map(as_json).collect::<Vec<_>>())),
            EvalFormat::Text => reports
                .iter()
                .try_for_each(|report| text(out, report))
                .and_then(|()| both(out, &reports)),
        })
    }

    /// The sources that are asked; none named means all.
    fn sources(&self) -> Vec<Source> {
        match self.without.is_empty() {
            true => Vec::new(),
            false => SOURCES
                .iter()
                .map(|(_, source)| *source)
                .filter(|source| !self.without.contains(source))
                .collect(),
        }
    }

    /// The index of a suite.
    fn index_of(&self, number: usize) -> Result<PathBuf, Error> {
        match self.index.as_slice() {
            [] => IndexFolder::default().to_read(&PathBuf::from(".")),
            [one] => Ok(one.clone()),
            many => many
                .get(number)
                .cloned()
                .ok_or_else(|| Error::Usage("give one --index, or one for each suite".into())),
        }
    }

    fn retriever(&self, number: usize) -> Result<Retriever, Error> {
        let reader = ripple_graphdb::open(&self.index_of(number)?)?;
        let options = super::search::options(self.embedder.as_deref(), self.reranker.as_deref(), false)?;
        let retriever = Retriever::open(&reader, &options)?;
        std::mem::forget(reader);
        match &self.weights {
            None => Ok(retriever),
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .map_err(crate::error::io(format!("cannot read {}", path.display())))?;
                Ok(retriever.with_weights(Weights::read(&text)?))
            }
        }
    }

    fn learn(&self, suites: &[Suite], path: &Path) -> Result<(), Error> {
        let (mut first, mut last) = (Vec::new(), Vec::new());
        let mut held = Vec::new();
        for (number, suite) in suites.iter().enumerate() {
            let retriever = self.retriever_to_learn(number, suite)?;
            let groups = evaluate::groups(&retriever, suite, &self.sources())?;
            first.extend(groups.iter().cloned());
            held.push((retriever, groups));
        }
        let own = learn::fit(&first, self.penalty);
        for (retriever, groups) in held {
            last.extend(evaluate::with_neighbours(&retriever, &groups, &own, &self.sources()));
            std::mem::forget(retriever);
        }
        let weights = Weights {
            last: learn::fit(&last, self.penalty),
            first: own,
        };
        std::fs::write(path, weights.write()).map_err(unwritten(path))?;
        let count = first.len();
        super::say(&format!("learned from {count} questions into {}", path.display()));
        Ok(())
    }

    fn candidates(&self, suites: &[Suite], path: &Path) -> Result<(), Error> {
        let mut candidates = Candidates::default();
        for (number, suite) in suites.iter().enumerate() {
            let retriever = self.retriever_to_learn(number, suite)?;
            candidates.add(&retriever, suite, &self.sources())?;
            std::mem::forget(retriever);
        }
        let file = File::create(path).map_err(unwritten(path))?;
        candidates.write(BufWriter::new(file)).map_err(unwritten(path))?;
        let count = candidates.questions();
        super::say(&format!(
            "the candidates of {count} questions are in {}",
            path.display()
        ));
        Ok(())
    }

    /// A suite of the other half is refused.
    fn retriever_to_learn(&self, number: usize, suite: &Suite) -> Result<Retriever, Error> {
        if suite.half != "train" {
            let name = &suite.name;
            return Err(Error::Usage(format!(
                "{name} is a test suite: nothing is learned from it"
            )));
        }
        self.retriever(number)
    }

    fn docstrings(&self, pairs: usize) -> Result<(), Error> {
        let retriever = self.retriever(0)?;
        let report = docstrings::run(&retriever, pairs)?;
        std::mem::forget(retriever);
        super::print(|out| match self.format {
            EvalFormat::Json => {
                let stages: serde_json::Map<_, _> = report
                    .stages
                    .iter()
                    .map(|(name, figures)| ((*name).to_owned(), json!(figures)))
                    .collect();
                format::json(out, &json!({"pairs": report.pairs, "stages": stages}))
            }
            EvalFormat::Text => {
                header(out, &format!("docstrings ({} pairs)", report.pairs))?;
                report
                    .stages
                    .iter()
                    .try_for_each(|(name, figures)| row(out, name, figures))
            }
        })
    }

    fn vectors(&self, questions: usize) -> Result<(), Error> {
        let reader = ripple_graphdb::open(&self.index_of(0)?)?;
        let figures = evaluate::vectors::run(&reader, models::builtin().ok().as_deref(), questions)?;
        super::print(|out| match self.format {
            EvalFormat::Json => format::json(out, &json!(figures)),
            EvalFormat::Text => writeln!(
                out,
                "{} vectors of {}: graph built in {:.1} s; recall@10 {:.4} against exact search; {:.2} ms by the graph, {:.2} ms exact",
                figures.vectors,
                figures.dimensions,
                figures.build_seconds,
                figures.recall_10,
                figures.graph_ms,
                figures.exact_ms
            ),
        })
    }
}

fn misses(suite: &Suite, report: &Report) -> Result<(), Error> {
    let Some(whole) = report.stages.iter().find(|stage| stage.name == evaluate::WHOLE) else {
        return Ok(());
    };
    super::print(|out| {
        for (question, outcome) in suite.questions.iter().zip(&whole.symbols) {
            if outcome.places.iter().filter(|place| **place <= 10).count() < outcome.right {
                writeln!(out, "{:?} {:?} {}", outcome.places, question.symbols, question.text)?;
            }
        }
        Ok(())
    })
}

fn text(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let questions = report.stages.first().map_or(0, |stage| stage.symbols.len());
    header(
        out,
        &format!("{} ({}, {questions} questions)", report.suite, report.half),
    )?;
    for stage in &report.stages {
        row(out, &stage.name, &Figures::of(&stage.symbols))?;
    }
    if let Some(whole) = report.stages.last() {
        row(out, "files, whole", &Figures::of(&whole.files))?;
    }
    let at = |share: f64| {
        let place = ((report.elapsed.len() as f64 * share).ceil() as usize).saturating_sub(1);
        report.elapsed.get(place).copied().unwrap_or(0.0)
    };
    writeln!(
        out,
        "  a search: {:.1} ms in the median, {:.1} ms p95",
        at(0.5),
        at(0.95)
    )?;
    for name in &report.unknown {
        writeln!(out, "  not in the index: {name}")?;
    }
    Ok(())
}

/// All test suites together, if there are several.
fn both(out: &mut dyn Write, reports: &[Report]) -> io::Result<()> {
    for half in ["train", "test"] {
        let of_half: Vec<&Report> = reports.iter().filter(|report| report.half == half).collect();
        if of_half.len() < 2 {
            continue;
        }
        header(out, &format!("all of {half}"))?;
        let names: Vec<&str> = of_half[0].stages.iter().map(|stage| stage.name.as_str()).collect();
        for name in names {
            let stages = of_half
                .iter()
                .filter_map(|report| report.stages.iter().find(|stage| stage.name == name));
            let outcomes: Vec<Outcome> = stages.flat_map(|stage| stage.symbols.iter().cloned()).collect();
            row(out, name, &Figures::of(&outcomes))?;
        }
    }
    Ok(())
}

fn header(out: &mut dyn Write, title: &str) -> io::Result<()> {
    writeln!(
        out,
        "{title:34} recall@5 recall@10 recall@50  recall  hit@10     MRR  precision      F1"
    )
}

fn row(out: &mut dyn Write, name: &str, figures: &Figures) -> io::Result<()> {
    writeln!(
        out,
        "  {name:32} {:8.3} {:9.3} {:9.3} {:7.3} {:7.3} {:7.3} {:10.3} {:7.3}",
        figures.recall_5,
        figures.recall_10,
        figures.recall_50,
        figures.recall,
        figures.hit_10,
        figures.mrr,
        figures.precision,
        figures.f1
    )
}

fn as_json(report: &Report) -> serde_json::Value {
    let stages: serde_json::Map<_, _> = report
        .stages
        .iter()
        .map(|stage| {
            let figures = json!({"symbols": Figures::of(&stage.symbols), "files": Figures::of(&stage.files)});
            (stage.name.clone(), figures)
        })
        .collect();
    json!({
        "suite": report.suite, "half": report.half, "stages": stages, "unknown": report.unknown, "elapsed_ms": report.elapsed,
    })
}

fn unwritten(path: &Path) -> impl FnOnce(io::Error) -> Error {
    crate::error::io(format!("cannot write {}", path.display()))
}
