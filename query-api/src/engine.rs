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

use ripple_graphdb::{Limits, Reader};
use serde_json::json;
use tokio::sync::mpsc;

use crate::answer::{citation, context, prose};
use crate::llm::{Budget, Llm, Request, UNHELPFUL, fenced};
use crate::plan::template::{self, Template};
use crate::plan::text2cypher::{self, Rooms};
use crate::retrieve::Searching;
use crate::seam::{Answerer, Boxed};
use crate::serve::store::Store;
use crate::trace::Log;
use crate::view::{
    Answer, AskAnswer, AskEvent, AskRequest, ChatRole, ChatTurn, Citation, Communities, CypherText, Hit,
    OperationAnswer, Verdict, VerdictLevel, Way,
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
    /// How the code is organised, where that is asked.
    communities: Option<Communities>,
    report: String,
    way: Way,
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
        let mut log = Log::new(events);
        let before = match fresh {
            true => Vec::new(),
            false => seeds_before(&request),
        };
        log.begin("retrieve").await;
        let mut prepared = self.prepare(question.clone(), before).await?;
        tell(&mut log, &prepared).await;

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
            hits: Vec::new(),
            is_dead: false,
        };
        let mut text = None;
        if let Some(llm) = &llm {
            match prepared.template.intent.global {
                true => self.summarise(llm, &mut prepared, &mut log).await,
                false => self.ask_graph(llm, &question, &prepared, &mut asked, &mut log).await,
            }
            if !asked.is_dead {
                text = self
                    .ask_words(llm, &question, &request.history, &prepared, &asked, &mut log)
                    .await;
            }
        }
        let words = match text {
            Some(text) => Some(self.store.read(move |reader| citation::check(reader, &text)).await?),
            None => None,
        };
        let verdict = verdict(&prepared, asked.rows.as_ref(), words.as_ref());
        let (text, citations, told) = match words {
            Some(checked) => (checked.text, checked.citations, true),
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
            operation: prepared.operation,
            rows: asked.rows,
            seeds: prepared.template.seeds,
            trace: log.into_trace(),
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
            let communities = match template.intent.global {
                true => Some(community::overview(reader)?),
                false => None,
            };
            let (way, report) = match (&operation, &communities) {
                (Some(answer), _) => (Way::Template, prose::operation(reader, answer)?),
                (None, Some(communities)) => (Way::Communities, community::prose(communities, COMMUNITIES)),
                (None, None) => (
                    Way::Source,
                    prose::missing(&template.missing) + &prose::hits(&template.hits),
                ),
            };
            Ok(Prepared {
                template,
                operation,
                verdict,
                communities,
                report,
                way,
            })
        };
        self.store.read(work).await
    }

    /// Lets the model summarise the largest parts of the code that have no summary by one yet; they are kept for the next who asks.
    async fn summarise(&self, llm: &Llm, prepared: &mut Prepared, log: &mut Log) {
        let Some(communities) = &mut prepared.communities else {
            return;
        };
        log.begin("summarise").await;
        let folder = self.store.reader().folder().to_owned();
        let summarised = community::summarise(llm, &folder, communities, COMMUNITIES).await;
        let by_model = communities
            .communities
            .iter()
            .filter(|community| community.by_model)
            .count();
        let detail = match summarised {
            Ok(()) => format!("{by_model} parts have a summary by the model"),
            Err(error) => format!("{UNHELPFUL}: {error}"),
        };
        log.step("summarise", detail).await;
        prepared.report = community::prose(communities, COMMUNITIES);
    }

    /// Lets the model write a query, and once repair it. What it gives goes into `asked`; what goes wrong, into the log alone.
    async fn ask_graph(&self, llm: &Llm, question: &str, prepared: &Prepared, asked: &mut Asked, log: &mut Log) {
        let rooms = Rooms {
            store: &self.store,
            searching: &self.searching,
            limits: self.limits,
        };
        let outcome = text2cypher::ask(llm, rooms, question, &prepared.template, log).await;
        asked.hits = outcome.hits;
        asked.is_dead = outcome.is_dead;
        if let Some((way, text, rows)) = outcome.found {
            asked.way = way;
            asked.rows = Some(rows);
            asked.cypher.insert(
                0,
                CypherText {
                    text,
                    ..CypherText::default()
                },
            );
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
        let mut hits = asked.hits.clone();
        if operation.is_none() {
            hits.extend(prepared.template.hits.iter().cloned());
        }
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
        let request = Request::new("answer", conversation(question, history, &found), 1_200);
        log.begin("answer").await;
        let (pieces, mut waiting) = mpsc::unbounded_channel::<String>();
        let events = log.events();
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
                log.step("answer", error.unhelpful()).await;
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
    /// What holds the structures that the model asked for.
    hits: Vec<Hit>,
    /// The model's endpoint does not answer.
    is_dead: bool,
}

/// Tells what is known before a model is asked.
async fn tell(log: &mut Log, prepared: &Prepared) {
    let template = &prepared.template;
    let named = if template.named { "named" } else { "found" };
    let names: Vec<&str> = template
        .seeds
        .iter()
        .take(3)
        .map(|seed| seed.node.qualified_name.as_str())
        .collect();
    let notes: String = template.notes.iter().map(|note| format!("; {note}")).collect();
    log.step(
        "retrieve",
        format!("{} {named}: {}{notes}", template.seeds.len(), names.join(", ")),
    )
    .await;
    log.event(AskEvent::Seeds(template.seeds.clone())).await;
    if let Some(answer) = &prepared.operation {
        if let Some(cypher) = answer.cypher.first() {
            log.event(AskEvent::Cypher {
                text: cypher.text.clone(),
                params: cypher.params.clone(),
                way: Way::Template,
            })
            .await;
        }
        let level = answer.verdict.level.word();
        log.step(
            "template",
            format!("{}: {} results, {level}", answer.operation, answer.found),
        )
        .await;
    }
}

/// How complete an answer is: where a model put it into words, these and not what was found.
fn verdict(prepared: &Prepared, rows: Option<&Answer>, words: Option<&citation::Checked>) -> Verdict {
    let mut verdict = prepared.verdict.clone();
    let unsaid = prepared.operation.as_ref().zip(words);
    if let Some(reason) = unsaid.and_then(|(answer, words)| citation::left_out(answer, words)) {
        verdict.level = verdict.level.max(VerdictLevel::LowerBound);
        verdict.reasons.push(reason);
    }
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
