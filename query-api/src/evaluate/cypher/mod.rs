//! How good Text2Cypher is: questions with gold queries, asked the way that everybody's questions go, and rows compared with rows.
//!
//! First, some terminology:
//!
//! - **gold**: a query that answers its question right, checked by hand; its rows are what is wanted.
//! - **execution accuracy**: the share of questions whose answer holds the gold's rows ([`compare`]).
//! - **valid**: the first query passes the guard and `EXPLAIN`. **repaired**: the second one found the rows that the answer is made of.
//!   **fallback**: neither did, and the template answers.
//! - **baseline**: the accuracy of templates alone, without any model.
//!
//! "Which types embed sync.Mutex?" whose gold has the rows `a.Cache` and `a.Pool`: a query that gives these two names, in any order and with files and lines
//! beside them, is right; one that gives a third, or misses one, is wrong.

pub mod compare;
pub mod replies;
pub mod suite;

use std::sync::Arc;

use ripple_graphdb::{Limits, Reader, Value};
use serde::Serialize;

use crate::Error;
use crate::plan::template::{self, Template};
use crate::plan::text2cypher::{self, Attempt, Rooms, Writer};
use crate::retrieve::Searching;
use crate::serve::store::Store;
use crate::trace::Log;
use crate::view::{Answer, NodeView, OperationAnswer, Way};
use compare::Likeness;
use suite::{Question, Suite};

/// What came of a suite.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// Its name.
    pub suite: String,
    /// The model that wrote the queries; nothing if there was none.
    pub model: Option<String>,
    /// Gold queries that fail, or find nothing where something is wanted, or the other way round.
    pub wrong_gold: Vec<String>,
    /// Question by question.
    pub outcomes: Vec<Outcome>,
    /// All of them together.
    pub figures: Figures,
}

/// What came of one question.
#[derive(Debug, Clone, Serialize)]
pub struct Outcome {
    /// The question.
    pub question: String,
    /// Rows of the gold.
    pub gold: usize,
    /// What the template makes of it.
    pub template: Likeness,
    /// What the model makes of it; nothing if there is none.
    pub written: Option<WrittenOutcome>,
}

/// What a model makes of a question.
#[derive(Debug, Clone, Serialize)]
pub struct WrittenOutcome {
    /// Which way led to the answer.
    pub way: Way,
    /// Whether the first query was one.
    pub valid: bool,
    /// Whether a second one was asked for.
    pub second: bool,
    /// How like the gold's rows the answer's are.
    pub answer: Likeness,
    /// The query behind it, or what was wrong with the last one.
    pub query: String,
    /// Tokens sent and received.
    pub tokens: (u64, u64),
}

/// Shares of questions, 0 to 1, and tokens in all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Figures {
    /// Number of questions.
    pub questions: usize,
    /// Templates alone: the answer holds the gold's rows.
    pub template_accuracy: f64,
    /// The first query was valid.
    pub valid: f64,
    /// A second one was asked for.
    pub second: f64,
    /// The second one found the rows of the answer.
    pub repaired: f64,
    /// The template answered.
    pub fallback: f64,
    /// The answer holds the gold's rows.
    pub accuracy: f64,
    /// The same, and no column more.
    pub strict_accuracy: f64,
    /// Tokens sent.
    pub prompt_tokens: u64,
    /// Tokens received.
    pub completion_tokens: u64,
}

/// Bounds of a query here: those of the questions that people ask.
fn limits() -> Limits {
    Limits {
        timeout: std::time::Duration::from_secs(10),
        rows: 500,
        ..Limits::default()
    }
}

/// Asks every question of a suite: of templates alone, and of what writes queries, if there is any.
pub async fn run(
    store: &Store,
    searching: &Arc<Searching>,
    suite: &Suite,
    writer: Option<(&dyn Writer, &str)>,
) -> Result<Report, Error> {
    let mut report = Report {
        suite: suite.name.clone(),
        model: writer.map(|(_, model)| model.to_owned()),
        wrong_gold: Vec::new(),
        outcomes: Vec::new(),
        figures: Figures::default(),
    };
    let rooms = Rooms {
        store,
        searching,
        limits: limits(),
    };
    for question in &suite.questions {
        let (asked, searching) = (question.clone(), searching.clone());
        let (gold, template, by_template) = store
            .read(move |reader| without_model(reader, &searching, &asked))
            .await?;
        let gold = match gold {
            Ok(rows) if rows.rows.is_empty() == question.empty && !rows.truncated => rows,
            other => {
                let why = match other {
                    Ok(rows) => format!("{} rows", rows.rows.len()),
                    Err(error) => error.to_string(),
                };
                report.wrong_gold.push(format!("{}: {why}", question.text));
                continue;
            }
        };
        let written = match writer {
            None => None,
            Some((writer, _)) => Some(with_model(writer, rooms, question, &template, &gold, &by_template).await),
        };
        report.outcomes.push(Outcome {
            question: question.text.clone(),
            gold: gold.rows.len(),
            template: compare::rows(&gold, &by_template),
            written,
        });
    }
    report.figures = Figures::of(&report.outcomes);
    Ok(report)
}

/// The rows of the gold, and those of the template.
type WithoutModel = (Result<Answer, Error>, Template, Answer);

fn without_model(reader: &Reader, searching: &Searching, question: &Question) -> Result<WithoutModel, Error> {
    let gold = text2cypher::run(reader, &question.cypher, &limits());
    let retriever = searching.of(reader).ok();
    let template = template::template(reader, retriever.as_deref(), &question.text, &[])?;
    let answer = template::run(reader, &template)?;
    let rows = rows_of(&template, answer.as_ref());
    Ok((gold, template, rows))
}

async fn with_model(
    writer: &dyn Writer,
    rooms: Rooms<'_>,
    question: &Question,
    template: &Template,
    gold: &Answer,
    by_template: &Answer,
) -> WrittenOutcome {
    let outcome = text2cypher::ask(writer, rooms, &question.text, template, &mut Log::silent()).await;
    let (way, query, rows) = match &outcome.found {
        Some((way, query, rows)) => (*way, query.clone(), rows),
        None => {
            let last = outcome.attempts.last().map_or("", Attempt::problem);
            (Way::Template, last.to_owned(), by_template)
        }
    };
    WrittenOutcome {
        way,
        valid: outcome.attempts.first().is_some_and(Attempt::is_valid),
        second: outcome.asked > 1,
        answer: compare::rows(gold, rows),
        query,
        tokens: (outcome.usage.prompt_tokens, outcome.usage.completion_tokens),
    }
}

/// What a template gives, as rows: its results, or else the hits of the search.
fn rows_of(template: &Template, answer: Option<&OperationAnswer>) -> Answer {
    let nodes: Vec<(&NodeView, &str)> = match answer {
        Some(answer) => {
            let told = answer.results.iter();
            told.filter_map(|result| Some((answer.nodes.get(&result.node)?, result.relation.as_str())))
                .collect()
        }
        // What is asked about a name that is not there has no answer.
        None if !template.missing.is_empty() => Vec::new(),
        None => template
            .hits
            .iter()
            .filter_map(|hit| Some((hit.node.as_ref()?, "")))
            .collect(),
    };
    let text = |text: &str| Value::Text(text.to_owned());
    let rows = nodes.into_iter().map(|(node, relation)| {
        vec![
            text(&node.qualified_name),
            text(&node.name),
            text(&node.label),
            text(&node.kind),
            text(&node.file),
            Value::Int(i64::from(node.line)),
            text(relation),
        ]
    });
    Answer {
        columns: ["qualified_name", "name", "label", "kind", "file", "line", "relation"]
            .map(str::to_owned)
            .to_vec(),
        types: Vec::new(),
        rows: rows.collect(),
        truncated: answer.is_some_and(|answer| answer.truncated),
        elapsed_ms: 0.0,
    }
}

impl Figures {
    /// Of these questions.
    pub fn of(outcomes: &[Outcome]) -> Self {
        let count = |is: &dyn Fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| is(outcome)).count() as f64;
        let all = outcomes.len().max(1) as f64;
        let share = |is: &dyn Fn(&Outcome) -> bool| count(is) / all;
        let written =
            |is: &dyn Fn(&WrittenOutcome) -> bool| share(&|outcome: &Outcome| outcome.written.as_ref().is_some_and(is));
        let tokens = |of: &dyn Fn(&(u64, u64)) -> u64| {
            outcomes
                .iter()
                .filter_map(|outcome| outcome.written.as_ref())
                .map(|written| of(&written.tokens))
                .sum()
        };
        Self {
            questions: outcomes.len(),
            template_accuracy: share(&|outcome| outcome.template.is_right()),
            valid: written(&|written| written.valid),
            second: written(&|written| written.second),
            repaired: written(&|written| written.way == Way::Repaired),
            fallback: written(&|written| written.way == Way::Template),
            accuracy: written(&|written| written.answer.is_right()),
            strict_accuracy: written(&|written| written.answer == Likeness::Same),
            prompt_tokens: tokens(&|tokens| tokens.0),
            completion_tokens: tokens(&|tokens| tokens.1),
        }
    }
}
