//! An operation's answer as text that a person reads: plain for terminals, Markdown for chats and pull requests.
//!
//! Nearest first, by package; each result with its place, what it has to do with the target, how far and how sure; then entry points, tests,
//! and how complete it all is. Nothing is told that the answer does not hold.

use std::fmt::Write as _;

use ripple_graphdb::Reader;

use super::context;
use crate::Error;
use crate::view::{
    ChangeKind, Changed, Finding, Ground, Grounds, Hit, NodeView, OperationAnswer, PathView, Verdict, VerdictLevel,
};

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Style {
    /// With links `[symbol](file:line)`; else as plain text.
    pub markdown: bool,
    /// Most results that are told.
    pub results: usize,
    /// Show the ways, too.
    pub paths: bool,
}

impl Style {
    /// For a terminal.
    pub const PLAIN: Self = Self {
        markdown: false,
        results: 100,
        paths: false,
    };
    /// For a chat.
    pub const CHAT: Self = Self {
        markdown: true,
        results: 25,
        paths: true,
    };
}

/// The report.
pub fn report(answer: &OperationAnswer, style: Style) -> String {
    let mut text = String::new();
    headline(&mut text, answer, style);
    for group in &answer.groups {
        let shown: Vec<&Finding> = group
            .results
            .iter()
            .filter(|at| **at < style.results)
            .filter_map(|at| answer.results.get(*at))
            .collect();
        if shown.is_empty() {
            continue;
        }
        let package = if group.package.is_empty() {
            "outside of packages"
        } else {
            &group.package
        };
        let _ = match style.markdown {
            true => writeln!(text, "\n**{package}**"),
            false => writeln!(text, "\n{package}"),
        };
        for finding in shown {
            result(&mut text, answer, finding, style);
        }
    }
    if answer.results.len() > style.results {
        let _ = writeln!(text, "\n… and {} more", answer.results.len() - style.results);
    }
    names(&mut text, answer, &answer.entry_points, "Entry points", style);
    names(&mut text, answer, &answer.tests, "Tests to run", style);
    let _ = write!(text, "\n{}", verdict(&answer.verdict, style));
    text
}

/// An operation's answer as an answer to a question: the report, and for one node its declaration, documentation and source.
pub fn operation(reader: &Reader, answer: &OperationAnswer) -> Result<String, Error> {
    let style = Style::CHAT;
    if answer.operation != "explain" {
        return Ok(report(answer, style));
    }
    let mut text = String::new();
    for seed in answer.seeds.iter().take(3) {
        let _ = writeln!(text, "{} ({})", cite(seed, style), seed.kind);
        if !seed.signature.is_empty() {
            let _ = writeln!(text, "\n{}", fence(&seed.signature, &seed.language));
        }
        if !seed.doc.is_empty() {
            let _ = writeln!(text, "\n{}", quoted(&seed.doc));
        }
    }
    for excerpt in context::excerpts(reader, Some(answer), &[])?.iter().take(1) {
        let _ = writeln!(text, "\n{}", fence(&excerpt.text, &excerpt.language));
    }
    text.push_str(&report(answer, style));
    Ok(text)
}

/// Names that the index does not have, said before anything else.
pub fn missing(names: &[String]) -> String {
    match names {
        [] => String::new(),
        names => format!("Nothing in the index is called `{}`.\n\n", names.join("`, nor `")),
    }
}

/// Hits of a search as an answer: what fits best, with the source of the first two.
pub fn hits(hits: &[Hit]) -> String {
    if hits.is_empty() {
        return "Nothing in the index fits the question. Name a function, field or key, or ask in other words.\n"
            .into();
    }
    let style = Style::CHAT;
    let mut text = String::from("What fits the question best:\n\n");
    for hit in hits.iter().take(8) {
        match &hit.node {
            Some(node) => {
                let doc = node.doc.lines().next().unwrap_or_default().trim();
                let doc = if doc.is_empty() {
                    String::new()
                } else {
                    format!(": {doc}")
                };
                let _ = writeln!(text, "- {}{doc}", cite(node, style));
            }
            None => {
                let _ = writeln!(text, "- [{}]({}:{})", hit.file, hit.file, hit.line.max(1));
            }
        }
    }
    for hit in hits.iter().take(2).filter(|hit| !hit.excerpt.trim().is_empty()) {
        let language = hit.node.as_ref().map_or("", |node| node.language.as_str());
        let _ = writeln!(text, "\n{}:{}\n{}", hit.file, hit.line, fence(&hit.excerpt, language));
    }
    text
}

/// Source as a block that its own backticks cannot end.
fn fence(source: &str, language: &str) -> String {
    let longest = source.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(longest.max(2) + 1);
    format!("{ticks}{language}\n{}\n{ticks}", source.trim_end())
}

fn quoted(text: &str) -> String {
    text.trim()
        .lines()
        .map(|line| format!("> {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// How complete it is, in a sentence or two.
pub fn verdict(verdict: &Verdict, style: Style) -> String {
    let word = match verdict.level {
        VerdictLevel::Complete => "complete: nothing in reach of this answer was left unresolved",
        VerdictLevel::LowerBound => "lower bound: what is named is there, and there may be more",
        VerdictLevel::Unknown => "unknown: nothing was found, but that proves nothing",
    };
    let mut text = match style.markdown {
        true => format!("*Verdict: {word}.*"),
        false => format!("verdict: {word}"),
    };
    for reason in &verdict.reasons {
        let _ = write!(
            text,
            "\n{}{}",
            if style.markdown { "- " } else { "  - " },
            reason.message
        );
    }
    text.push('\n');
    text
}

/// What a change sets off, as a comment on a pull request.
pub fn pull_request(changed: &[Changed], answer: &OperationAnswer) -> String {
    let style = Style {
        paths: false,
        ..Style::CHAT
    };
    format!("### What this change sets off\n\n{}", change(changed, answer, style))
}

/// The symbols that changed, and what changes with them.
pub fn change(changed: &[Changed], answer: &OperationAnswer, style: Style) -> String {
    let bullet = if style.markdown { "- " } else { "  " };
    let mut text = String::new();
    if changed.is_empty() {
        text.push_str("No symbol of the index is touched.\n");
    }
    for change in changed.iter().take(30) {
        if let Some(node) = answer.nodes.get(&change.node) {
            let how = match change.change {
                ChangeKind::Added => "added",
                ChangeKind::Removed => "lines removed",
                ChangeKind::Modified => "modified",
            };
            let _ = writeln!(text, "{bullet}{how}: {}", cite(node, style));
        }
    }
    if changed.len() > 30 {
        let _ = writeln!(text, "{bullet}… and {} more", changed.len() - 30);
    }
    text.push('\n');
    text.push_str(&report(answer, style));
    text
}

/// So many results may all be read: how many of them are near is told of more.
const NEAR_ALL: usize = 30;

fn headline(text: &mut String, answer: &OperationAnswer, style: Style) {
    let count = match answer.found {
        0 => "Nothing found".to_owned(),
        1 => "1 result".to_owned(),
        found if found > NEAR_ALL && answer.near < found => {
            format!(
                "{found} results, {} of them within 3 steps{}",
                answer.near,
                by_ground(answer)
            )
        }
        found => format!("{found} results"),
    };
    let count = if style.markdown { format!("**{count}**") } else { count };
    let seeds: Vec<String> = answer.seeds.iter().take(4).map(|seed| cite(seed, style)).collect();
    let more = answer.seeds.len().saturating_sub(4);
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    let _ = writeln!(text, "{count}: {} of {}{more}", asked(answer), seeds.join(", "));
    if answer.in_tests > 0 {
        let _ = writeln!(text, "{} more in tests, which are left out", answer.in_tests);
    }
}

/// What the answer rests on, where that is not all the same.
fn by_ground(answer: &OperationAnswer) -> String {
    let Grounds { flow, decision, may } = answer.grounds;
    if decision == 0 && may == 0 {
        return String::new();
    }
    format!("; {flow} by values that move, {decision} by decisions, {may} maybe")
}

fn asked(answer: &OperationAnswer) -> String {
    let up = answer.parameters.direction == Some(crate::view::Direction::Up);
    match (answer.operation.as_str(), up) {
        ("impact", false) => "impact".into(),
        ("impact", true) => "what goes into the value".into(),
        ("flows", false) => "where it flows".into(),
        ("flows", true) => "where it comes from".into(),
        ("path", _) => format!("way to {}", end(answer)),
        ("readers_writers", _) => "readers and writers".into(),
        ("uses_of_key", _) => "uses".into(),
        ("tests_for", _) => "tests".into(),
        ("explain", _) => "what touches it, one step around".into(),
        (other, _) => other.into(),
    }
}

/// Where a way was to end, by name.
fn end(answer: &OperationAnswer) -> String {
    let to = answer.parameters.to.as_deref().unwrap_or_default();
    let names: Vec<String> = to
        .split(',')
        .map(
            |part| match part.trim().parse().ok().and_then(|id: i64| answer.nodes.get(&id)) {
                Some(node) => format!("`{}`", node.qualified_name),
                None => format!("`{}`", part.trim()),
            },
        )
        .collect();
    names.join(", ")
}

fn result(text: &mut String, answer: &OperationAnswer, finding: &Finding, style: Style) {
    let Some(node) = answer.nodes.get(&finding.node) else {
        return;
    };
    let steps = if finding.distance == 1 { "step" } else { "steps" };
    let bullet = if style.markdown { "- " } else { "  " };
    let ground = match finding.ground {
        Ground::Flow => "",
        Ground::Decision => " (by a decision)",
        Ground::May => " (maybe)",
    };
    let _ = write!(text, "{bullet}{}: {}{ground}", cite(node, style), finding.relation);
    if finding.distance > 0 {
        let _ = write!(
            text,
            ", {} {steps}, confidence {:.2}",
            finding.distance, finding.confidence
        );
    }
    let path = finding
        .path
        .and_then(|path| answer.paths.get(path))
        .filter(|path| path.edges.len() > 1);
    if let Some(path) = path.filter(|_| style.paths || answer.operation == "path") {
        let _ = write!(
            text,
            "\n{}way: {}",
            if style.markdown { "  - " } else { "    " },
            way(answer, path)
        );
    }
    text.push('\n');
}

/// A way, by the places that have a name; at most eight of them.
pub fn way(answer: &OperationAnswer, path: &PathView) -> String {
    const MOST: usize = 8;
    let mut names: Vec<String> = Vec::new();
    for node in path.nodes.iter().filter_map(|id| answer.nodes.get(id)) {
        let name = tail(&node.qualified_name, 2);
        if names.last() != Some(&name) {
            names.push(name);
        }
    }
    if names.len() > MOST {
        let left_out = names.len() - MOST;
        names.splice(MOST / 2..MOST / 2 + left_out, [format!("({left_out} more)")]);
    }
    names.join(" → ")
}

fn names(text: &mut String, answer: &OperationAnswer, ids: &[i64], title: &str, style: Style) {
    const MOST: usize = 15;
    if ids.is_empty() {
        return;
    }
    let shown: Vec<String> = ids
        .iter()
        .take(MOST)
        .filter_map(|id| answer.nodes.get(id))
        .map(|node| format!("{}{}", if style.markdown { "- " } else { "  " }, cite(node, style)))
        .collect();
    let title = if style.markdown {
        format!("**{title}**")
    } else {
        title.to_owned()
    };
    let _ = writeln!(text, "\n{title} ({})\n{}", ids.len(), shown.join("\n"));
    if ids.len() > MOST {
        let _ = writeln!(text, "  … and {} more", ids.len() - MOST);
    }
}

/// A node as a citation.
pub fn cite(node: &NodeView, style: Style) -> String {
    let name = if node.qualified_name.is_empty() {
        &node.name
    } else {
        &node.qualified_name
    };
    match (node.line > 0, style.markdown) {
        (true, true) => format!("[{name}]({}:{})", node.file, node.line),
        (true, false) => format!("{name} ({}:{})", node.file, node.line),
        (false, true) => format!("`{name}` ({})", node.label),
        (false, false) => format!("{name} ({})", node.label),
    }
}

/// The last parts of a dotted name. Dots of a path before it are none: `example.com/shop/api.total` is `api.total`.
fn tail(name: &str, parts: usize) -> String {
    // A name in brackets may hold slashes of its own.
    let path = name.split(['[', '(']).next().unwrap_or(name);
    let name = path.rfind('/').map_or(name, |at| &name[at + 1..]);
    let mut split: Vec<&str> = name.rsplitn(parts + 1, '.').take(parts).collect();
    split.reverse();
    split.join(".")
}
