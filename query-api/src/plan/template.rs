//! Templates: the operation that answers a question, with the nodes that the question means as its target.
//!
//! "If a client stops sending us `email`, which ML features change?" becomes `impact {target: <the key email>, tag: "ml-feature"}`. A question that names
//! nothing is about its best hits; one that no rule knows is answered from the source around them.

use std::collections::{BTreeMap, BTreeSet};

use ripple_graphdb::{Limits, Reader, Value};

use super::intent::{Intent, intent};
use super::mention::{Mention, mentions, plain_words};
use crate::retrieve::Retriever;
use crate::view::{Direction, Hit, NodeView, OperationAnswer, Parameters, SearchRequest, SeedView, VerdictLevel};
use crate::{Error, operation};

/// What a question means, in terms of this index.
#[derive(Debug, Clone)]
pub struct Template {
    /// What is wanted.
    pub intent: Intent,
    /// What it is about, best first.
    pub seeds: Vec<SeedView>,
    /// The question names the seeds; else they are the best hits of a search.
    pub named: bool,
    /// What the search found, best first.
    pub hits: Vec<Hit>,
    /// The operation and what it is asked with; nothing where the source is the answer.
    pub operation: Option<(&'static str, Parameters)>,
    /// Names in the question that the index does not have.
    pub missing: Vec<String>,
    /// What should be told.
    pub notes: Vec<String>,
}

/// Seeds that an operation starts from.
const SEEDS: usize = 5;

/// Hits of a search that are looked at.
const HITS: usize = 12;

/// What a question means. `before` are the seeds of the answer before, for a question that names none of its own.
pub fn template(
    reader: &Reader,
    retriever: Option<&Retriever>,
    question: &str,
    before: &[i64],
) -> Result<Template, Error> {
    let intent = intent(question);
    let mentions = mentions(question);
    let mut notes = Vec::new();
    let mut missing = Vec::new();
    let hits = match retriever {
        Some(retriever) => {
            let request = SearchRequest {
                query: question.to_owned(),
                limit: Some(HITS),
                ..SearchRequest::default()
            };
            let answer = retriever.search(&request)?;
            notes.extend(answer.notes);
            answer.hits
        }
        None => Vec::new(),
    };
    let mut groups = named(reader, question, &mentions, intent, &hits, &mut missing)?;
    notes.extend(
        missing
            .iter()
            .map(|name| format!("nothing in the index is called `{name}`")),
    );
    let mut named = !groups.is_empty();
    if groups.is_empty() && !before.is_empty() && !intent.global && missing.is_empty() {
        let nodes = before
            .iter()
            .filter_map(|id| operation::resolve(reader, &id.to_string()).ok());
        let nodes: Vec<NodeView> = nodes.flatten().collect();
        if !nodes.is_empty() {
            notes.push(
                "the question names nothing of its own: it is taken to be about what the answer before was about"
                    .into(),
            );
            groups = vec![Group { at: 0, nodes }];
            named = true;
        }
    }
    // What is asked about a name that is not there is not answered about another.
    if groups.is_empty() && !intent.global && missing.is_empty() {
        groups = hits_as_seeds(&hits, intent);
    }
    let operation = match intent.global {
        true => None,
        false => pick(reader, question, intent, &groups, named)?,
    };
    let nodes = groups.into_iter().flat_map(|group| group.nodes);
    let seeds = nodes.enumerate().map(|(at, node)| SeedView {
        score: hits
            .iter()
            .find(|hit| hit.node.as_ref().is_some_and(|found| found.id == node.id))
            .map_or(1.0 / (1.0 + at as f64), |hit| f64::from(hit.score)),
        node,
    });
    Ok(Template {
        intent,
        seeds: seeds.collect(),
        named,
        hits,
        operation,
        missing,
        notes,
    })
}

/// The nodes that one mention means.
#[derive(Debug, Clone)]
struct Group {
    /// Where the mention stands in the question, in bytes.
    at: usize,
    nodes: Vec<NodeView>,
}

/// The nodes that the mentions mean, mention by mention.
fn named(
    reader: &Reader,
    question: &str,
    mentions: &[Mention],
    intent: Intent,
    hits: &[Hit],
    missing: &mut Vec<String>,
) -> Result<Vec<Group>, Error> {
    let mut groups: Vec<(&Mention, Group)> = Vec::new();
    let mut owners: Vec<&str> = Vec::new();
    for (at, mention) in mentions.iter().take(4).enumerate() {
        // "the `theme` of main" means the theme and says of which function.
        let owned = match &mention.of {
            Some(owner) => resolve(reader, &format!("{owner}.{}", mention.target))?,
            None => None,
        };
        if owned.is_some() {
            owners.extend(mention.of.as_deref());
        }
        let nodes = match owned {
            Some(nodes) => Some(nodes),
            None => nodes_of(reader, question, mention, intent, at == 0)?,
        };
        match nodes {
            Some(nodes) => {
                let group = Group { at: mention.at, nodes };
                groups.push((mention, group));
            }
            None if mention.certain => missing.push(mention.target.clone()),
            None => {}
        }
    }
    groups.retain(|(mention, _)| !owners.contains(&mention.target.as_str()));
    if groups.is_empty() && intent.operation.is_some() && !mentions.iter().any(|mention| mention.certain) {
        // "what changes when email goes missing": a plain word that is the whole name of a key or field, if the search thinks of it too.
        let thought_of = |word: &str| {
            let mut found = hits.iter().filter_map(|hit| hit.node.as_ref());
            hits.is_empty() || found.any(|node| node.name.eq_ignore_ascii_case(word))
        };
        for word in plain_words(question).iter().take(6).filter(|word| thought_of(word)) {
            for label in ["key", "field", "function", "type"] {
                if let Some(nodes) = resolve(reader, &format!("{label}:{word}"))? {
                    return Ok(vec![Group { at: 0, nodes }]);
                }
            }
        }
    }
    Ok(groups.into_iter().map(|(_, group)| group).collect())
}

fn nodes_of(
    reader: &Reader,
    question: &str,
    mention: &Mention,
    intent: Intent,
    first: bool,
) -> Result<Option<Vec<NodeView>>, Error> {
    let name = &mention.target;
    let plain = !name.contains(['.', ':', '/']);
    let mut attempts: Vec<String> = Vec::new();
    if plain {
        // What comes over the wire is a key first: from there it goes into the fields of every language.
        if first
            && intent.operation != Some("readers_writers")
            && speaks_of_the_wire(question)
            && !matches!(mention.said, Some("function" | "type"))
        {
            attempts.push(format!("key:{name}"));
        }
        if let Some(said) = mention.said {
            attempts.push(format!("{said}:{name}"));
        }
        if matches!(intent.operation, Some("callers" | "callees" | "tests_for")) {
            attempts.push(format!("function:{name}"));
        }
    }
    attempts.push(name.clone());
    for attempt in attempts {
        if let Some(nodes) = resolve(reader, &attempt)? {
            return Ok(Some(nodes));
        }
    }
    match name.split_once('.') {
        Some((value, member)) => member_of(reader, value, member),
        None => Ok(None),
    }
}

/// `request.META`, where `request` is what some variable is called: the members of that name, of whatever type.
fn member_of(reader: &Reader, value: &str, member: &str) -> Result<Option<Vec<NodeView>>, Error> {
    let plain = !member.contains(['.', ':', '/']) && value.starts_with(|c: char| c.is_lowercase() || c == '_');
    if !plain || resolve(reader, &format!("variable:{value}"))?.is_none() {
        return Ok(None);
    }
    for kind in ["field", "global", "constant", "function"] {
        if let Some(nodes) = resolve(reader, &format!("{kind}:{member}"))? {
            return Ok(Some(nodes));
        }
    }
    Ok(None)
}

fn resolve(reader: &Reader, target: &str) -> Result<Option<Vec<NodeView>>, Error> {
    match operation::resolve(reader, target) {
        Ok(nodes) => Ok(Some(nodes)),
        Err(Error::NoMatch { .. } | Error::Parameter { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn speaks_of_the_wire(question: &str) -> bool {
    let text = question.to_lowercase();
    [
        "client",
        "api",
        "send",
        "request",
        "payload",
        "json",
        "header",
        "query parameter",
        "form",
        "wire",
        "body",
        "response",
        "key",
        "event",
    ]
    .iter()
    .any(|word| text.contains(word))
}

/// The best hit that an operation can start from, with those that are nearly as good.
fn hits_as_seeds(hits: &[Hit], intent: Intent) -> Vec<Group> {
    let fits = |node: &NodeView| match intent.operation {
        Some("callers" | "callees" | "tests_for") => matches!(node.label.as_str(), "Function" | "Type"),
        Some("implementations" | "hierarchy") => matches!(node.label.as_str(), "Type" | "Function"),
        Some("readers_writers") => matches!(node.label.as_str(), "Field" | "Variable" | "Function"),
        Some("uses_of_key") => node.label == "Key",
        _ => !matches!(node.label.as_str(), "Package" | "File"),
    };
    let found: Vec<&Hit> = hits.iter().filter(|hit| hit.node.as_ref().is_some_and(fits)).collect();
    let best = found.first().map_or(0.0, |hit| hit.score);
    let near: Vec<NodeView> = found
        .iter()
        .filter(|hit| hit.score >= best * 0.7)
        .take(if intent.operation.is_some() { 3 } else { SEEDS })
        .filter_map(|hit| hit.node.clone())
        .collect();
    match near.is_empty() {
        true => Vec::new(),
        false => vec![Group { at: 0, nodes: near }],
    }
}

fn pick(
    reader: &Reader,
    question: &str,
    intent: Intent,
    groups: &[Group],
    named: bool,
) -> Result<Option<(&'static str, Parameters)>, Error> {
    let Some(first) = groups.first() else {
        return Ok(None);
    };
    let name = match (intent.operation, groups.get(1)) {
        (None, _) if named && mentions_only(question) => "explain",
        (None, _) => return Ok(None),
        (Some("path"), Some(second)) => {
            let parameters = Parameters {
                from: Some(ids(&first.nodes)),
                to: Some(ids(&second.nodes)),
                ..Parameters::default()
            };
            return Ok(Some(("path", parameters)));
        }
        (Some("path"), None) => "impact",
        (Some(name), _) => fitting((name, intent.goes), &first.nodes),
    };
    // Of a way whose one end is not known, the other end tells what comes of it, or what comes to it.
    let up = intent.up || (intent.operation == Some("path") && named && is_end(question, first.at));
    let takes_tag = matches!(name, "impact" | "flows");
    let parameters = Parameters {
        target: Some(ids(&first.nodes)),
        direction: (takes_tag && up).then_some(Direction::Up),
        depth: intent.depth.filter(|_| name != "explain"),
        tag: match takes_tag {
            true => tag(reader, question)?,
            false => None,
        },
        ..Parameters::default()
    };
    Ok(Some((name, parameters)))
}

/// Whether what is named there is where something comes to: "how do the arguments reach `execute`?"
fn is_end(question: &str, at: usize) -> bool {
    let before = question.get(..at).unwrap_or_default().to_lowercase();
    [" reach", " to ", " into ", " in ", " affect"]
        .iter()
        .any(|word| before.contains(word))
}

/// The operation that makes sense for these nodes.
fn fitting((name, goes): (&'static str, bool), nodes: &[NodeView]) -> &'static str {
    let label = nodes.first().map_or("", |node| node.label.as_str());
    match (name, label) {
        ("impact", "Function" | "Type") if goes => "callers",
        ("impact", "Field") if goes => "readers_writers",
        ("callers", "Key") | ("readers_writers", "Key") => "uses_of_key",
        ("callers", "Field") => "readers_writers",
        ("callers", "Variable") => "flows",
        ("uses_of_key", label) if label != "Key" => "readers_writers",
        ("implementations" | "hierarchy", label) if !matches!(label, "Type" | "Function") => "explain",
        ("readers_writers", "Type") => "explain",
        _ => name,
    }
}

/// A question that is hardly more than a name: "Model.save?", "what is `Order`?".
fn mentions_only(question: &str) -> bool {
    question.split_whitespace().count() <= 6
}

fn ids(nodes: &[NodeView]) -> String {
    let ids: Vec<String> = nodes.iter().take(SEEDS).map(|node| node.id.to_string()).collect();
    ids.join(",")
}

/// The tag of the index whose words all stand in the question: "ML features" is `ml-feature`.
fn tag(reader: &Reader, question: &str) -> Result<Option<String>, Error> {
    let question: BTreeSet<String> = question
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .map(|word| word.trim_end_matches('s').to_owned())
        .collect();
    let mut best: Option<String> = None;
    for tag in tags(reader)? {
        let mut words = tag
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .peekable();
        let fits =
            words.peek().is_some() && words.all(|word| question.contains(word.to_lowercase().trim_end_matches('s')));
        if fits && best.as_ref().is_none_or(|held| held.len() < tag.len()) {
            best = Some(tag);
        }
    }
    Ok(best)
}

/// The tags of an index.
pub fn tags(reader: &Reader) -> Result<BTreeSet<String>, Error> {
    let mut tags = BTreeSet::new();
    for label in ["Function", "Type", "Field"] {
        let text = format!("MATCH (n:{label}) WHERE n.tags <> '' RETURN DISTINCT n.tags LIMIT 200");
        let rows = reader.query(&text, &BTreeMap::new(), &Limits::default())?;
        for value in rows.rows.into_iter().flatten() {
            if let Value::Text(held) = value {
                tags.extend(held.split_whitespace().map(str::to_owned));
            }
        }
    }
    Ok(tags)
}

/// Runs the operation of a template, and leaves out what the question does not ask for.
pub fn run(reader: &Reader, template: &Template) -> Result<Option<OperationAnswer>, Error> {
    let Some((name, parameters)) = &template.operation else {
        return Ok(None);
    };
    let mut answer = operation::run(reader, name, parameters)?;
    if let Some(relation) = template.intent.without {
        leave_out(&mut answer, relation);
    }
    Ok(Some(answer))
}

fn leave_out(answer: &mut OperationAnswer, relation: &str) {
    let mut places = Vec::with_capacity(answer.results.len());
    let before = answer.results.len();
    let mut kept = 0;
    for finding in &answer.results {
        places.push((finding.relation != relation).then_some(kept));
        kept += usize::from(finding.relation != relation);
    }
    answer.results.retain(|finding| finding.relation != relation);
    for group in &mut answer.groups {
        let results = group.results.iter();
        group.results = results.filter_map(|at| places.get(*at).copied().flatten()).collect();
    }
    answer.groups.retain(|group| !group.results.is_empty());
    answer.found = answer.found.saturating_sub(before - kept);
    if kept == 0 && before > 0 && answer.verdict.level == VerdictLevel::LowerBound {
        answer.verdict.level = VerdictLevel::Unknown;
    }
}
