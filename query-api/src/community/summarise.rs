//! Summaries by a language model: one request for all communities that have none yet, kept in `summaries.jsonl` of the index folder.
//!
//! ```text
//! facts of community 3 (hash 81f0…)  ->  {"summaries": [{"id": 3, "summary": "Turns orders into features. …"}]}
//! summaries.jsonl                        {"key": "81f0…", "text": "Turns orders into features. …"}
//! ```
//!
//! The model sees the facts and nothing else, as data. A community that it leaves out, or of which it says nothing, keeps the summary made
//! of its facts.

use std::fmt::Write as _;
use std::path::Path;

use ripple_graphdb::kept::{self, Kept};
use serde_json::{Value, json};

use crate::Error;
use crate::llm::{JsonSchema, Llm, Request, fenced, pack};
use crate::view::{Communities, CommunityView};

const PROMPT: &str = include_str!("../../../prompts/community.md");

/// Name of the file in the index folder.
const FILE: &str = "summaries.jsonl";

/// Tokens of facts in one request.
const TOKENS: usize = 5_000;

/// Longest summary, in characters.
const LENGTH: usize = 500;

/// Has the first `most` communities of level 0 summarised that have no summary by a model yet: one request at most, none if all have one.
/// What comes back is kept in the index folder.
///
/// # Errors
///
/// Whatever the endpoint says; a file that cannot be written. The communities stay as they were.
pub async fn summarise(llm: &Llm, folder: &Path, communities: &mut Communities, most: usize) -> Result<(), Error> {
    let open = communities
        .communities
        .iter_mut()
        .filter(|community| community.level == 0)
        .take(most);
    let mut open: Vec<(&mut CommunityView, String)> = open
        .filter(|community| !community.by_model)
        .map(|community| {
            let facts = facts(community);
            (community, facts)
        })
        .collect();
    if open.is_empty() {
        return Ok(());
    }
    let listed = open
        .iter()
        .map(|(community, facts)| format!("## {}\n{facts}", community.id));
    let packed = pack(listed, String::as_str, TOKENS, llm.model());
    let prompt = PROMPT.replace("{{communities}}", &packed.kept.join("\n"));
    let request = Request {
        schema: Some(schema()),
        ..Request::of("summarise", prompt, 150 * packed.kept.len() as u32 + 200)
    };
    let reply = llm.complete(&request).await?;
    let said = reply.json().unwrap_or_default();
    let mut new = Vec::new();
    for entry in said["summaries"].as_array().into_iter().flatten() {
        let id = entry["id"].as_u64();
        let text = kept::tidy(entry["summary"].as_str().unwrap_or_default(), LENGTH);
        let meant = open
            .iter_mut()
            .find(|(community, _)| Some(u64::from(community.id)) == id);
        if let Some((community, facts)) = meant.filter(|_| !text.is_empty()) {
            community.summary.clone_from(&text);
            community.by_model = true;
            new.push((kept::key(facts), text));
        }
    }
    Kept::append(&folder.join(FILE), &new)?;
    Ok(())
}

/// Puts the summaries in place that were made before.
pub(super) fn kept(folder: &Path, communities: &mut [CommunityView]) -> Result<(), Error> {
    let kept = Kept::read(&folder.join(FILE))?;
    if kept.is_empty() {
        return Ok(());
    }
    for community in communities {
        if let Some(text) = kept.get(kept::key(&facts(community))) {
            community.summary = text.to_owned();
            community.by_model = true;
        }
    }
    Ok(())
}

/// What the model is told of a community.
fn facts(community: &CommunityView) -> String {
    let mut text = format!("package: {}\nsize: {}\n", community.package, community.size);
    for node in &community.top {
        let what = match node.signature.as_str() {
            "" => &node.name,
            signature => signature,
        };
        let _ = write!(
            text,
            "- {} {}: {}",
            node.kind,
            node.qualified_name,
            kept::tidy(what, 160)
        );
        let doc = kept::tidy(&node.doc, 200);
        if !doc.is_empty() {
            let _ = write!(text, " — {doc}");
        }
        text.push('\n');
    }
    fenced(&text)
}

fn schema() -> JsonSchema {
    let one = json!({
        "type": "object",
        "properties": {"id": {"type": "integer"}, "summary": {"type": "string"}},
        "required": ["id", "summary"],
        "additionalProperties": false,
    });
    let schema: Value = json!({
        "type": "object",
        "properties": {"summaries": {"type": "array", "items": one}},
        "required": ["summaries"],
        "additionalProperties": false,
    });
    JsonSchema {
        name: "summaries",
        schema,
    }
}
