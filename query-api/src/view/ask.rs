//! A question in words, what is told while it is worked on, and its answer.
//!
//! `{"question": "who reads User.email?"}` is an [`AskRequest`], and
//!
//! ```json
//! {"text": "[features.segment](features.py:3) reads it.", "way": "template",
//!  "citations": [{"symbol": "features.segment", "file": "features.py", "line": 3, "verified": true, "node": 81}],
//!  "verified": 1, "unverified": 0, "…": "…"}
//! ```
//!
//! an [`AskAnswer`]. Before it come [`AskEvent`]s, for those who want to watch.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Answer, Failure, NodeView, OperationAnswer, Verdict};

/// A question in words.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AskRequest {
    /// The question. `@codebase` in it forces fresh retrieval.
    #[schema(example = "If a client stops sending us the field `email`, which ML features are affected?")]
    pub question: String,
    /// What was said before, oldest first. The server remembers nothing.
    #[serde(default)]
    pub history: Vec<ChatTurn>,
    /// `context` of the previous answer, so that a follow-up can stand on it.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub context: Option<serde_json::Value>,
    /// Send events, as `Accept: text/event-stream` does.
    #[serde(default)]
    pub stream: bool,
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChatTurn {
    /// Who spoke.
    pub role: ChatRole,
    /// What was said.
    pub content: String,
}

/// Who speaks in a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChatRole {
    /// Who set the conversation up.
    System,
    /// Who asks.
    User,
    /// Who answers.
    Assistant,
}

/// The answer to a question in words.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AskAnswer {
    /// Markdown. Citations are links `[symbol](file:line)`.
    pub text: String,
    /// Which way led to the rows.
    pub way: Way,
    /// What the text cites, each held against the graph.
    pub citations: Vec<Citation>,
    /// Number of citations that the graph bears out.
    pub verified: usize,
    /// Number of those that it does not.
    pub unverified: usize,
    /// How complete the answer is.
    pub verdict: Verdict,
    /// The Cypher behind it, which anyone can run to check.
    pub cypher: Vec<CypherText>,
    /// The operation behind it, with the subgraph to draw; nothing if the rows come from a query.
    pub operation: Option<OperationAnswer>,
    /// The rows behind it; nothing if they come from an operation.
    pub rows: Option<Answer>,
    /// Where the search for an answer began.
    pub seeds: Vec<SeedView>,
    /// Everything that was tried, in order.
    pub trace: Vec<TraceStep>,
    /// The language model that helped; nothing if none did.
    pub model: Option<String>,
    /// What the language model was asked for and gave.
    pub usage: Usage,
    /// To be sent with a follow-up.
    #[schema(value_type = Object)]
    pub context: serde_json::Value,
}

/// Which way led from a question to rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Way {
    /// A query that the model wrote.
    Text2Cypher,
    /// The same, after it was told what was wrong with its first.
    Repaired,
    /// An operation that rules picked.
    Template,
    /// The source around the seeds; nothing was followed.
    Source,
    /// Summaries of communities.
    Communities,
}

/// A place in the source that an answer names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Citation {
    /// The symbol, as the text names it.
    pub symbol: String,
    /// The file, as the text names it.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The graph holds that symbol at that place.
    pub verified: bool,
    /// Id of its node, where there is one.
    pub node: Option<i64>,
}

/// A query with its parameters.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CypherText {
    /// The query.
    pub text: String,
    /// Values of the parameters that it names with `$`.
    #[schema(value_type = Object)]
    pub params: BTreeMap<String, serde_json::Value>,
}

/// A node where the search for an answer began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeedView {
    /// The node.
    pub node: NodeView,
    /// How well it fits the question; higher is better.
    pub score: f64,
}

/// One step on the way to an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TraceStep {
    /// Short fixed word: `retrieve`, `template`, `text2cypher`, `repair`, `patterns`, `run`, `summarise`, `answer`, `verify`.
    pub stage: String,
    /// Milliseconds that it took.
    pub ms: f64,
    /// What came of it, for people.
    pub detail: String,
}

/// What a language model was asked for and gave, in tokens. Counted here where the model's server does not tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Usage {
    /// Tokens sent.
    pub prompt_tokens: u64,
    /// Tokens received.
    pub completion_tokens: u64,
    /// Number of calls that were answered.
    pub calls: u32,
}

/// What is told while a question is worked on. Each is one event: [`AskEvent::name`], and the rest as its data.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(untagged)]
pub enum AskEvent {
    /// `stage`: a step began or ended.
    Stage(TraceStep),
    /// `seeds`: where the search begins.
    Seeds(Vec<SeedView>),
    /// `cypher`: a query that is about to run.
    Cypher {
        /// The query.
        text: String,
        /// Its parameters.
        #[schema(value_type = Object)]
        params: BTreeMap<String, serde_json::Value>,
        /// Where it comes from.
        way: Way,
    },
    /// `rows`: what it gave.
    Rows(Answer),
    /// `token`: the next piece of the answer's text.
    Token {
        /// The piece.
        text: String,
    },
    /// `citations`: what the text cites, checked.
    Citations(Vec<Citation>),
    /// `verdict`: how complete it is.
    Verdict(Verdict),
    /// `answer`: the whole answer, last.
    Answer(Box<AskAnswer>),
    /// `error`: there is no answer; last.
    Error(Failure),
}

impl AskEvent {
    /// The event's name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Stage(_) => "stage",
            Self::Seeds(_) => "seeds",
            Self::Cypher { .. } => "cypher",
            Self::Rows(_) => "rows",
            Self::Token { .. } => "token",
            Self::Citations(_) => "citations",
            Self::Verdict(_) => "verdict",
            Self::Answer(_) => "answer",
            Self::Error(_) => "error",
        }
    }
}

impl AskAnswer {
    /// How many of the places that the text cites there are: what it says of them, nobody has checked.
    pub fn checked(&self) -> String {
        format!(
            "Places cited: {} are in the graph, {} are not.",
            self.verified, self.unverified
        )
    }

    /// What has to be read with the text where only text is shown: what of it the graph does not bear out, and how complete it is.
    pub fn footer(&self) -> String {
        let mut lines = Vec::new();
        if self.unverified > 0 {
            let doubtful = self.citations.iter().filter(|citation| !citation.verified);
            let names: Vec<String> = doubtful
                .map(|citation| format!("`{}` ({}:{})", citation.symbol, citation.file, citation.line))
                .collect();
            lines.push(format!("Not verified: {}", names.join(", ")));
        }
        if self.verified + self.unverified > 0 {
            lines.push(self.checked());
        }
        let reasons: Vec<&str> = self
            .verdict
            .reasons
            .iter()
            .map(|reason| reason.message.as_str())
            .collect();
        lines.push(match (self.verdict.level, reasons.is_empty()) {
            (level, true) => format!("Verdict: {}.", level.word()),
            (level, false) => format!("Verdict: {}: {}.", level.word(), reasons.join("; ")),
        });
        lines.join("\n")
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.prompt_tokens += other.prompt_tokens;
        self.completion_tokens += other.completion_tokens;
        self.calls += other.calls;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_as_documented() {
        let text =
            r#"{"question": "who?", "history": [{"role": "assistant", "content": "a"}], "context": {"seeds": [1]}}"#;
        let request: AskRequest = serde_json::from_str(text).expect("it is a request");
        assert_eq!(request.history[0].role, ChatRole::Assistant);
        assert!(request.context.is_some() && !request.stream);
        assert!(serde_json::from_str::<AskRequest>(r#"{"question": "who?", "model": "x"}"#).is_err());
    }

    #[test]
    fn events_are_their_data() {
        let event = AskEvent::Token { text: "a".into() };
        let data = serde_json::to_string(&event).expect("it is plain data");
        assert_eq!((event.name(), data.as_str()), ("token", r#"{"text":"a"}"#));
        assert_eq!(
            serde_json::to_string(&Way::Text2Cypher).expect("a word"),
            r#""text2cypher""#
        );
    }
}
