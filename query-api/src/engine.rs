//! [`Engine`]: a question in words to an answer that can be believed, over one index.
//!
//! The stages, each told as it ends: *retrieve* what the question means, run the *template* that rules pick, let the model write a query
//! (*text2cypher*, *guard* and *run* in one, *repair* once), *answer* from what was found, *verify* each citation.
//!
//! ```text
//! "If a client stops sending us `email`, which ML features change?"
//!   retrieve     1 named: Key email
//!   template     impact, 4 results, complete
//!   text2cypher  4 rows                                  without a model these two
//!   answer       312 tokens                              are left out, and the report is the answer
//!   verify       4 verified, 0 not
//! ```
//!
//! A model that fails, lies or loops costs its own part of the answer and no more: the template's answer stands. What a repository says in names and
//! comments reaches a model as data; whatever comes back is a query for the guard or a text to be checked, and nothing that it says starts another call.

use std::sync::Arc;
use std::time::Instant;

use ripple_graphdb::{Limits, Reader};
use serde_json::json;
use tokio::sync::mpsc;

use crate::answer::{citation, context, prose};
use crate::llm::{Budget, Llm, LlmError, Request, fenced};
use crate::plan::template::{self, Template};
use crate::plan::text2cypher::{self, Writing, Written};
use crate::retrieve::Searching;
use crate::seam::{Answerer, Boxed};
use crate::serve::store::Store;
use crate::view::{
    Answer, AskAnswer, AskEvent, AskRequest, ChatRole, ChatTurn, Citation, CypherText, OperationAnswer, TraceStep,
    Verdict, VerdictLevel, Way,
};
use crate::{Error, community, operation};

const ANSWER: &str = include_str!("../../prompts/answer.md");

/// Calls of a model for one question: a query, its repair, the answer.
const CALLS: u32 = 3;

/// Tokens of one question, to and fro.
const TOKENS: u64 = 60_000;

/// Communities that an answer about the whole code tells of.
const COMMUNITIES: usize = 12;

/// Longest question, in bytes.
const QUESTION: usize = 100_000;

/// Answers questions over one index.
pub struct Engine {
    store: Store,
    searching: Arc<Searching>,
    llm: Option<Llm>,
    limits: Limits,
}

/// What is known of a question before a model is asked.
struct Prepared {
    template: Template,
    operation: Option<OperationAnswer>,
    /// The verdict of the index itself, where no operation ran.
    verdict: Verdict,
    report: String,
    way: Way,
}

/// Tells what happens, and keeps it for the reply.
struct Log {
    events: mpsc::Sender<AskEvent>,
    trace: Vec<TraceStep>,
    since: Instant,
}

impl Engine {
    /// Over this index; with a model, if there is one.
    pub fn new(store: Store, searching: Arc<Searching>, llm: Option<Llm>) -> Self {
        Self {
            store,
            searching,
            llm,
            limits: Limits {
                timeout: std::time::Duration::from_secs(10),
                rows: 500,
                ..Limits::default()
            },
        }
    }

    async fn work(&self, request: AskRequest, events: mpsc::Sender<AskEvent>) -> Result<AskAnswer, Error> {
        let fresh = request.question.contains("@codebase");
        let question = request.question.replace("@codebase", " ").trim().to_owned();
        if question.is_empty() {
            return Err(Error::Usage("ask a question: `question` is empty".into()));
        }
        if question.len() > QUESTION {
            return Err(Error::Usage(format!(
                "the question is longer than {QUESTION} bytes; ask a shorter one"
            )));
        }
        let mut log = Log {
            events,
            trace: Vec::new(),
            since: Instant::now(),
        };
        let before = match fresh {
            true => Vec::new(),
            false => seeds_before(&request),
        };
        log.begin("retrieve").await;
        let prepared = self.prepare(question.clone(), before).await?;
        log.prepared(&prepared).await;

        let budget = Arc::new(Budget::new(CALLS, TOKENS));
        let llm = self.llm.as_ref().map(|llm| llm.metered(budget.clone()));
        let mut asked = Asked {
            way: prepared.way,
            rows: None,
            cypher: prepared
                .operation
                .as_ref()
                .map(|answer| answer.cypher.clone())
                .unwrap_or_default(),
        };
        let mut text = None;
        if let Some(llm) = &llm {
            if !prepared.template.intent.global {
                self.ask_graph(llm, &question, &prepared, &mut asked, &mut log).await;
            }
            text = self
                .ask_words(llm, &question, &request.history, &prepared, &asked, &mut log)
                .await;
        }
        let (text, citations, told) = match text {
            Some(text) => {
                let checked = self.store.read(move |reader| citation::check(reader, &text)).await?;
                (checked.text, checked.citations, true)
            }
            None => {
                let citations = self.citations(&prepared).await?;
                (prepared.report.clone(), citations, false)
            }
        };
        let verified = citations.iter().filter(|citation| citation.verified).count();
        let unverified = citations.len() - verified;
        log.step("verify", format!("{verified} verified, {unverified} not"))
            .await;
        if !told {
            log.event(AskEvent::Token { text: text.clone() }).await;
        }
        log.event(AskEvent::Citations(citations.clone())).await;
        let verdict = verdict(&prepared, asked.rows.as_ref());
        log.event(AskEvent::Verdict(verdict.clone())).await;
        let seeds: Vec<i64> = prepared
            .template
            .seeds
            .iter()
            .map(|seed| seed.node.id)
            .take(10)
            .collect();
        Ok(AskAnswer {
            text,
            way: asked.way,
            citations,
            verified,
            unverified,
            verdict,
            cypher: asked.cypher,
            operation: prepared
                .operation
                .map(|answer| serde_json::to_value(answer).map_err(|error| Error::Internal(error.to_string())))
                .transpose()?,
            rows: asked.rows,
            seeds: prepared.template.seeds,
            trace: log.trace,
            model: llm.as_ref().filter(|_| told).map(|llm| llm.model().to_owned()),
            usage: budget.usage(),
            context: json!({"seeds": seeds, "operation": prepared.template.operation.map(|(name, _)| name)}),
        })
    }

    /// Everything that needs no model.
    async fn prepare(&self, question: String, before: Vec<i64>) -> Result<Prepared, Error> {
        let searching = self.searching.clone();
        let work = move |reader: &Reader| {
            // An index without search files still answers by names.
            let retriever = searching.of(reader);
            let note = retriever.as_ref().err().map(ToString::to_string);
            let mut template = template::template(reader, retriever.ok().as_deref(), &question, &before)?;
            template.notes.extend(note);
            let operation = template::run(reader, &template)?;
            let verdict = match &operation {
                Some(answer) => answer.verdict.clone(),
                None => operation::verdict_of_index(reader, &template.missing),
            };
            let (way, report) = match (&operation, template.intent.global) {
                (Some(answer), _) => (Way::Template, prose::operation(reader, answer)?),
                (None, true) => (
                    Way::Communities,
                    community::prose(&community::overview(reader)?, COMMUNITIES),
                ),
                (None, false) => (
                    Way::Source,
                    prose::missing(&template.missing) + &prose::hits(&template.hits),
                ),
            };
            Ok(Prepared {
                template,
                operation,
                verdict,
                report,
                way,
            })
        };
        self.store.read(work).await
    }

    /// Lets the model write a query, and once repair it. What it gives goes into `asked`; what goes wrong, into the log alone.
    async fn ask_graph(&self, llm: &Llm, question: &str, prepared: &Prepared, asked: &mut Asked, log: &mut Log) {
        let (template, text) = (prepared.template.clone(), question.to_owned());
        let writing = self
            .store
            .read(move |reader| Writing::new(reader, &template, &text))
            .await;
        let mut writing = match writing {
            Ok(writing) => writing,
            Err(error) => return log.step("text2cypher", error.to_string()).await,
        };
        for (purpose, way) in [("text2cypher", Way::Text2Cypher), ("repair", Way::Repaired)] {
            log.begin(purpose).await;
            let query = match writing.write(llm, purpose).await {
                Ok(Written::Query(query)) => query,
                Ok(Written::Declined(why)) => return log.step(purpose, format!("the model says: {why}")).await,
                Ok(Written::Nothing(why)) => {
                    log.step(purpose, why.clone()).await;
                    writing.wrong(&why);
                    continue;
                }
                Err(error) => return log.step(purpose, failed(&error)).await,
            };
            log.event(AskEvent::Cypher {
                text: query.clone(),
                params: Default::default(),
                way,
            })
            .await;
            let (limits, text) = (self.limits, query.clone());
            let ran = self
                .store
                .read(move |reader| text2cypher::run(reader, &text, &limits))
                .await;
            let problem = match ran {
                Ok(rows) if !rows.rows.is_empty() => {
                    log.step("run", format!("{} rows", rows.rows.len())).await;
                    log.event(AskEvent::Rows(rows.clone())).await;
                    asked.way = way;
                    asked.rows = Some(rows);
                    asked.cypher.insert(
                        0,
                        CypherText {
                            text: query,
                            ..CypherText::default()
                        },
                    );
                    return;
                }
                Ok(_) => "it ran and found no rows".to_owned(),
                Err(error) => error.to_string(),
            };
            log.step("run", problem.clone()).await;
            writing.wrong(&problem);
        }
    }

    /// Lets the model answer from what was found. `None`: it did not, and the log says why.
    async fn ask_words(
        &self,
        llm: &Llm,
        question: &str,
        history: &[ChatTurn],
        prepared: &Prepared,
        asked: &Asked,
        log: &mut Log,
    ) -> Option<String> {
        let (operation, rows) = (prepared.operation.clone(), asked.rows.clone());
        let hits = match operation {
            Some(_) => Vec::new(),
            None => prepared.template.hits.clone(),
        };
        let (report, way) = (prepared.report.clone(), prepared.way);
        let model = llm.model().to_owned();
        let found = self.store.read(move |reader| {
            let context = context::context(reader, operation.as_ref(), rows.as_ref(), &hits, &model)?;
            Ok(match way {
                Way::Communities => format!("{}\n{context}", fenced(&report)),
                _ => context,
            })
        });
        let found = match found.await {
            Ok(found) => found,
            Err(error) => {
                log.step("answer", error.to_string()).await;
                return None;
            }
        };
        let request = Request {
            purpose: "answer",
            messages: conversation(question, history, &found),
            schema: None,
            max_tokens: 1_200,
            temperature: 0.0,
            alternatives: false,
        };
        log.begin("answer").await;
        let (pieces, mut waiting) = mpsc::unbounded_channel::<String>();
        let events = log.events.clone();
        let forward = async move {
            while let Some(text) = waiting.recv().await {
                // Nobody may be listening.
                let _ = events.send(AskEvent::Token { text }).await;
            }
        };
        let ask = async move {
            let reply = llm
                .stream(&request, |piece| {
                    let _ = pieces.send(piece.to_owned());
                })
                .await;
            drop(pieces);
            reply
        };
        let (reply, ()) = tokio::join!(ask, forward);
        match reply {
            Ok(reply) => {
                log.step("answer", format!("{} tokens", reply.usage.completion_tokens))
                    .await;
                Some(reply.text)
            }
            Err(error) => {
                log.step("answer", failed(&error)).await;
                None
            }
        }
    }

    /// Citations of a report, which came from the graph; they are held against it all the same.
    async fn citations(&self, prepared: &Prepared) -> Result<Vec<Citation>, Error> {
        if let Some(answer) = &prepared.operation {
            return Ok(citation::of_operation(answer, &prepared.report));
        }
        let report = prepared.report.clone();
        let checked = self.store.read(move |reader| citation::check(reader, &report)).await?;
        Ok(checked.citations)
    }
}

/// What the graph was asked.
struct Asked {
    way: Way,
    rows: Option<Answer>,
    cypher: Vec<CypherText>,
}

impl Log {
    /// A step begins.
    async fn begin(&mut self, stage: &str) {
        self.since = Instant::now();
        let step = TraceStep {
            stage: stage.into(),
            ms: 0.0,
            detail: "…".into(),
        };
        self.event(AskEvent::Stage(step)).await;
    }

    /// A step has ended.
    async fn step(&mut self, stage: &str, detail: String) {
        let step = TraceStep {
            stage: stage.into(),
            ms: self.since.elapsed().as_micros() as f64 / 1000.0,
            detail,
        };
        self.since = Instant::now();
        self.trace.push(step.clone());
        self.event(AskEvent::Stage(step)).await;
    }

    /// Nobody may be listening: a failed send changes nothing.
    async fn event(&self, event: AskEvent) {
        let _ = self.events.send(event).await;
    }

    async fn prepared(&mut self, prepared: &Prepared) {
        let template = &prepared.template;
        let named = if template.named { "named" } else { "found" };
        let names: Vec<&str> = template
            .seeds
            .iter()
            .take(3)
            .map(|seed| seed.node.qualified_name.as_str())
            .collect();
        let notes: String = template.notes.iter().map(|note| format!("; {note}")).collect();
        self.step(
            "retrieve",
            format!("{} {named}: {}{notes}", template.seeds.len(), names.join(", ")),
        )
        .await;
        self.event(AskEvent::Seeds(template.seeds.clone())).await;
        if let Some(answer) = &prepared.operation {
            if let Some(cypher) = answer.cypher.first() {
                self.event(AskEvent::Cypher {
                    text: cypher.text.clone(),
                    params: cypher.params.clone(),
                    way: Way::Template,
                })
                .await;
            }
            let level = answer.verdict.level.word();
            self.step(
                "template",
                format!("{}: {} results, {level}", answer.operation, answer.found),
            )
            .await;
        }
    }
}

fn failed(error: &LlmError) -> String {
    format!("the language model did not help: {error}")
}

fn verdict(prepared: &Prepared, rows: Option<&Answer>) -> Verdict {
    let mut verdict = prepared.verdict.clone();
    if rows.is_some_and(|rows| rows.truncated) {
        verdict.level = verdict.level.max(VerdictLevel::LowerBound);
        verdict.reasons.push(operation::reason(
            "cut",
            "the query has more rows than are shown".into(),
            1,
        ));
    }
    verdict
}

/// Seeds of the answer before, as its `context` holds them.
fn seeds_before(request: &AskRequest) -> Vec<i64> {
    let seeds = request
        .context
        .as_ref()
        .and_then(|context| context.get("seeds")?.as_array().cloned());
    seeds
        .unwrap_or_default()
        .iter()
        .filter_map(serde_json::Value::as_i64)
        .take(10)
        .collect()
}

/// The conversation that a model answers: what was said before, within bounds, then the question.
fn conversation(question: &str, history: &[ChatTurn], found: &str) -> Vec<ChatTurn> {
    const TURNS: usize = 6;
    const LONGEST: usize = 2_000;
    let system = ChatTurn {
        role: ChatRole::System,
        content: ANSWER.replace("{{findings}}", found),
    };
    let said = history.iter().filter(|turn| turn.role != ChatRole::System);
    let said: Vec<ChatTurn> = said
        .rev()
        .take(TURNS)
        .map(|turn| ChatTurn {
            role: turn.role,
            content: turn.content.chars().take(LONGEST).collect(),
        })
        .collect();
    let question = ChatTurn {
        role: ChatRole::User,
        content: question.chars().take(4 * LONGEST).collect(),
    };
    std::iter::once(system)
        .chain(said.into_iter().rev())
        .chain([question])
        .collect()
}

impl Answerer for Engine {
    fn ask(&self, request: AskRequest, events: mpsc::Sender<AskEvent>) -> Boxed<'_, Result<AskAnswer, Error>> {
        Box::pin(self.work(request, events))
    }

    fn model(&self) -> Option<String> {
        self.llm.as_ref().map(|llm| llm.model().to_owned())
    }
}
