//! Text2Cypher: a query that a language model writes, let through the guard, explained, run, and once repaired.
//!
//! ```text
//! write -> guard -> EXPLAIN -> run -> rows
//!            └────────┴─────────┴──> repair, once, with the message -> the same again
//! ```
//!
//! The model's text is nothing but a candidate: what it writes passes the same guard and the same limits as everybody's queries. Beside the query it may ask
//! for structures in the source (`json.Unmarshal($$$)`): what holds them is told with the next message, and is there for the answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use ripple_graphdb::{Limits, Reader};

use super::template::Template;
use super::writing::{Said, Writing};
use crate::Error;
use crate::llm::{Llm, LlmError, Reply, Request};
use crate::retrieve::{Retriever, Searching};
use crate::seam::Boxed;
use crate::serve::store::Store;
use crate::trace::Log;
use crate::view::{Answer, AskEvent, Hit, NodeView, SearchRequest, Source, StructurePattern, Usage, Way};

/// What writes queries: a language model, or what one said before.
pub trait Writer: Send + Sync {
    /// Its reply.
    fn reply<'a>(&'a self, request: &'a Request) -> Boxed<'a, Result<Reply, LlmError>>;
}

impl Writer for Llm {
    fn reply<'a>(&'a self, request: &'a Request) -> Boxed<'a, Result<Reply, LlmError>> {
        Box::pin(self.complete(request))
    }
}

/// The rooms that a query needs.
#[derive(Clone, Copy)]
pub struct Rooms<'r> {
    /// The index.
    pub store: &'r Store,
    /// Looks for structures.
    pub searching: &'r Arc<Searching>,
    /// What a query may take.
    pub limits: Limits,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The query that found something, and its rows.
    pub found: Option<(Way, String, Answer)>,
    /// What came of each query, the first and its repair.
    pub attempts: Vec<Attempt>,
    /// What holds the structures that the model asked for.
    pub hits: Vec<Hit>,
    /// How often the model was asked.
    pub asked: u32,
    /// Tokens to and fro.
    pub usage: Usage,
    /// The model's endpoint fails: whatever else it is asked, it will not answer.
    pub is_dead: bool,
}

/// What came of one query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    /// The model did not answer.
    Failed(String),
    /// It said that the graph cannot answer.
    Declined(String),
    /// It wrote nothing that could be a query, or one that the guard or the engine does not understand.
    Invalid(String),
    /// A query that the engine understands: number of rows, or why it has none.
    Ran(Result<usize, String>),
}

/// Lets the model write a query, and once repair it. What goes wrong stands in the outcome and the log.
pub async fn ask(writer: &dyn Writer, rooms: Rooms<'_>, question: &str, template: &Template, log: &mut Log) -> Outcome {
    let mut outcome = Outcome::default();
    let (meant, text) = (template.clone(), question.to_owned());
    let writing = rooms
        .store
        .read(move |reader| Writing::new(reader, &meant, &text))
        .await;
    let mut writing = match writing {
        Ok(writing) => writing,
        Err(error) => {
            log.step("text2cypher", error.to_string()).await;
            return outcome;
        }
    };
    for (purpose, way) in [("text2cypher", Way::Text2Cypher), ("repair", Way::Repaired)] {
        log.begin(purpose).await;
        outcome.asked += 1;
        let reply = match writer.reply(&writing.request(purpose)).await {
            Ok(reply) => reply,
            Err(error) => {
                outcome.is_dead = error.is_of_endpoint();
                let error = error.unhelpful();
                log.step(purpose, error.clone()).await;
                outcome.attempts.push(Attempt::Failed(error));
                return outcome;
            }
        };
        outcome.usage += reply.usage;
        let written = writing.heard(&reply.text);
        let found = structures(rooms, question, &written.patterns, log).await;
        let nodes: Vec<NodeView> = found.iter().filter_map(|hit| hit.node.clone()).collect();
        outcome.hits.extend(found);
        let attempt = match written.said {
            Said::Query(query) => match run_told(rooms, query.clone(), way, log).await {
                (attempt, Some(rows)) => {
                    outcome.attempts.push(attempt);
                    outcome.found = Some((way, query, rows));
                    return outcome;
                }
                (attempt, None) => attempt,
            },
            Said::Declined(why) => {
                log.step(purpose, format!("the model says: {why}")).await;
                outcome.attempts.push(Attempt::Declined(why));
                return outcome;
            }
            Said::Nothing(why) => {
                log.step(purpose, why.clone()).await;
                Attempt::Invalid(why)
            }
        };
        writing.wrong(attempt.problem(), &nodes);
        outcome.attempts.push(attempt);
    }
    outcome
}

impl Attempt {
    /// What was wrong with it.
    pub fn problem(&self) -> &str {
        match self {
            Self::Failed(why) | Self::Declined(why) | Self::Invalid(why) | Self::Ran(Err(why)) => why,
            Self::Ran(Ok(_)) => "it ran and found no rows",
        }
    }

    /// Whether it was a query that the guard lets pass and the engine understands.
    pub fn is_valid(&self) -> bool {
        matches!(self, Self::Ran(_))
    }
}

/// Runs a query and tells what it gives. Rows are there if there is at least one.
async fn run_told(rooms: Rooms<'_>, query: String, way: Way, log: &mut Log) -> (Attempt, Option<Answer>) {
    log.event(AskEvent::Cypher {
        text: query.clone(),
        params: BTreeMap::new(),
        way,
    })
    .await;
    let limits = rooms.limits;
    let ran = rooms
        .store
        .read(move |reader| {
            let understood = explain(reader, &query, &limits);
            Ok(understood.map(|()| run(reader, &query, &limits)))
        })
        .await;
    let (attempt, rows) = match ran {
        Ok(Ok(Ok(rows))) => (Attempt::Ran(Ok(rows.rows.len())), Some(rows)),
        Ok(Ok(Err(error))) => (Attempt::Ran(Err(error.to_string())), None),
        Ok(Err(error)) => (Attempt::Invalid(error.to_string()), None),
        Err(error) => (Attempt::Ran(Err(error.to_string())), None),
    };
    match rows.filter(|rows| !rows.rows.is_empty()) {
        Some(rows) => {
            log.step("run", format!("{} rows", rows.rows.len())).await;
            log.event(AskEvent::Rows(rows.clone())).await;
            (attempt, Some(rows))
        }
        None => {
            log.step("run", attempt.problem().to_owned()).await;
            (attempt, None)
        }
    }
}

/// Whether the guard lets a query pass and the engine understands it; the error says what a writer can do better.
pub fn explain(reader: &Reader, query: &str, limits: &Limits) -> Result<(), Error> {
    run(reader, &format!("EXPLAIN {query}"), limits)
        .map(|_| ())
        .map_err(|error| match error {
            // The writer knows nothing of the word before.
            Error::Query { source, .. } => Error::Query {
                text: query.to_owned(),
                source,
            },
            other => other,
        })
}

/// Runs a query.
pub fn run(reader: &Reader, query: &str, limits: &Limits) -> Result<Answer, Error> {
    let rows = reader.query(query, &BTreeMap::new(), limits);
    rows.map(Answer::from).map_err(|source| Error::Query {
        text: query.to_owned(),
        source,
    })
}

/// What holds the structures that a model asked for.
async fn structures(rooms: Rooms<'_>, question: &str, patterns: &[StructurePattern], log: &mut Log) -> Vec<Hit> {
    if patterns.is_empty() {
        return Vec::new();
    }
    log.begin("patterns").await;
    let (searching, question, wanted) = (rooms.searching.clone(), question.to_owned(), patterns.to_vec());
    let found = rooms.store.read(move |reader| {
        let retriever = searching.of(reader)?;
        Ok(wanted
            .iter()
            .map(|pattern| holders(&retriever, &question, pattern))
            .collect::<Vec<_>>())
    });
    let mut hits: Vec<Hit> = Vec::new();
    let mut told = Vec::new();
    match found.await {
        Ok(found) => {
            for (pattern, found) in patterns.iter().zip(found) {
                match found {
                    Ok(found) => {
                        told.push(format!("`{}` in {}", pattern.pattern, found.len()));
                        hits.extend(found);
                    }
                    Err(error) => told.push(error.to_string()),
                }
            }
        }
        Err(error) => told.push(error.to_string()),
    }
    log.step("patterns", told.join("; ")).await;
    hits
}

fn holders(retriever: &Retriever, question: &str, pattern: &StructurePattern) -> Result<Vec<Hit>, Error> {
    const MOST: usize = 4;
    let request = SearchRequest {
        query: question.chars().take(1_000).collect(),
        limit: Some(MOST),
        sources: vec![Source::Pattern],
        pattern: Some(pattern.clone()),
        ..SearchRequest::default()
    };
    Ok(retriever.search(&request)?.hits)
}
