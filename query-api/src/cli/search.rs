//! `ripple search`: a question in English, the nodes to start from.
//!
//! ```text
//! $ ripple search "where is the mail domain taken" --limit 1
//! pipeline/features/email.py:11  function pipeline.features.email.email_domain   [text 1, vector 1]
//!     def email_domain(event: OrderEvent) -> str:
//! ```

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::ValueEnum;

use super::format;
use crate::Error;
use crate::locate::IndexFolder;
use crate::retrieve::endpoint::EndpointReranker;
use crate::retrieve::hyde::Hyde;
use crate::retrieve::rerank::{self, Reranker};
use crate::retrieve::{Options, Retriever, models};
use crate::view::{SearchAnswer, SearchRequest, StructurePattern};

/// Find the functions, types, fields and keys that a question is about
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The question, or words of it
    #[arg(default_value = "")]
    query: String,
    /// Folder to find the index from
    #[arg(long = "from", value_name = "DIR", default_value = ".")]
    from: PathBuf,
    #[command(flatten)]
    folder: IndexFolder,
    /// Only nodes of this label or kind (Function, method, Field, Key, …), or `document`
    #[arg(long, value_name = "KIND")]
    kind: Vec<String>,
    /// Only this language
    #[arg(long, value_name = "LANGUAGE")]
    lang: Vec<String>,
    /// Only below this path, or where this glob matches
    #[arg(long, value_name = "PATH")]
    path: Vec<String>,
    /// Only with this tag
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// Only this package and what is below it
    #[arg(long, value_name = "PACKAGE")]
    package: Vec<String>,
    /// No test code
    #[arg(long)]
    no_tests: bool,
    /// Most hits
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
    /// A structure to look for: `json.loads($X)`; a language before it if the index holds several (`go:f($X)`)
    #[arg(long, value_name = "[LANGUAGE:]CODE")]
    pattern: Option<String>,
    /// What embeds the question: folder of a model, or `endpoint` [default: what the index was built with]
    #[arg(long, value_name = "DIR", env = "RIPPLE_EMBEDDER")]
    embedder: Option<PathBuf>,
    /// What puts the first hits into a better order: folder of a model, or `llm`
    #[arg(long, value_name = "DIR", env = "RIPPLE_RERANKER")]
    reranker: Option<PathBuf>,
    /// Let the language model imagine an answer, and look for that too (two calls a search)
    #[arg(long)]
    hyde: bool,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = SearchFormat::Text)]
    format: SearchFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SearchFormat {
    Text,
    Json,
}

const EXAMPLES: &str = "\
Examples:
  ripple search 'where is the mail domain taken'
  ripple search 'retry after a timeout' --kind method --path api/ --no-tests
  ripple search --pattern 'python:json.loads($X)' --limit 50
  ripple search Comand.Find --format json | jq '.hits[0].node'";

impl Arguments {
    pub(super) fn run(self) -> Result<(), Error> {
        let reader = ripple_graphdb::open(&self.folder.to_read(&self.from)?)?;
        let options = options(self.embedder.as_deref(), self.reranker.as_deref(), self.hyde)?;
        let pattern = match &self.pattern {
            None => None,
            Some(text) => Some(pattern(text, &self.lang, &reader)?),
        };
        let retriever = Retriever::open(&reader, &options)?;
        let request = SearchRequest {
            query: self.query,
            limit: Some(self.limit),
            kinds: self.kind,
            languages: self.lang,
            packages: self.package,
            paths: self.path,
            tags: self.tag,
            tests: self.no_tests.then_some(false),
            sources: Vec::new(),
            pattern,
        };
        let answer = retriever.search(&request);
        // The process ends with this answer: the system takes the memory back at once, the engine piece by piece.
        std::mem::forget(retriever);
        std::mem::forget(reader);
        let answer = answer?;
        super::print(|out| match self.format {
            SearchFormat::Json => format::json(out, &answer),
            SearchFormat::Text => text(out, &answer),
        })?;
        for note in &answer.notes {
            super::say(&format!("note: {note}"));
        }
        super::say(&format!(
            "{} in {:.0} ms",
            super::units::count(answer.hits.len() as u64, "hit"),
            answer.elapsed_ms
        ));
        Ok(())
    }
}

/// Models as told; nothing told leaves the choice to the index.
pub(super) fn options(
    model: Option<&std::path::Path>,
    reranker: Option<&std::path::Path>,
    hyde: bool,
) -> Result<Options, Error> {
    let embedder = model.map(|folder| models::open(Some(folder))).transpose()?;
    let reranker: Option<Arc<dyn Reranker>> = match reranker {
        Some(folder) => Some(rerank::open(folder)?),
        None => EndpointReranker::from_environment()?.map(|endpoint| Arc::new(endpoint) as Arc<dyn Reranker>),
    };
    let hyde = hyde.then(Hyde::open).transpose()?.map(Arc::new);
    Ok(Options {
        embedder,
        reranker,
        hyde,
    })
}

/// `go:f($X)`, or `f($X)` where the language is told or is the only one.
fn pattern(text: &str, told: &[String], reader: &ripple_graphdb::Reader) -> Result<StructurePattern, Error> {
    let known: Vec<String> = ripple_schema::Language::ALL
        .iter()
        .map(|language| language.name().to_owned())
        .collect();
    if let Some((language, code)) = text
        .split_once(':')
        .filter(|(language, _)| known.iter().any(|name| name == language))
    {
        return Ok(StructurePattern {
            language: language.into(),
            pattern: code.into(),
        });
    }
    let mut held: Vec<String> = reader
        .manifest()
        .files
        .iter()
        .map(|files| files.language.name().to_owned())
        .collect();
    held.dedup();
    let language = match (told, held.as_slice()) {
        ([language], _) | ([], [language]) => language.clone(),
        _ => {
            return Err(Error::Usage(format!(
                "--pattern: which language? write it before the code: `{}:{text}`",
                held.first().map_or("python", String::as_str)
            )));
        }
    };
    Ok(StructurePattern {
        language,
        pattern: text.into(),
    })
}

fn text(out: &mut dyn Write, answer: &SearchAnswer) -> io::Result<()> {
    for faq in &answer.faq {
        writeln!(out, "Q: {}\nA: {}", faq.question, faq.answer)?;
        for file in &faq.files {
            writeln!(out, "   {file}")?;
        }
        writeln!(out)?;
    }
    for hit in &answer.hits {
        let sources: Vec<String> = hit
            .sources
            .iter()
            .map(|finding| format!("{} {}", source_name(finding.source), finding.rank))
            .collect();
        let place = match hit.file.as_str() {
            "" => "-".to_owned(),
            file => format!("{file}:{}", hit.line),
        };
        let what = match &hit.node {
            Some(node) if node.kind.is_empty() => format!("{} {}", node.label.to_lowercase(), node.qualified_name),
            Some(node) => format!("{} {}", node.kind, node.qualified_name),
            None => "text".to_owned(),
        };
        writeln!(out, "{place}  {what}   [{}]", sources.join(", "))?;
        for line in hit.excerpt.lines().take(3) {
            writeln!(out, "    {line}")?;
        }
    }
    Ok(())
}

/// The name that the JSON has.
fn source_name(source: crate::view::Source) -> String {
    format!("{source:?}").to_lowercase()
}
