//! Answers as short text, for readers that pay by the word.
//!
//! ```
//! use ripple_query_api::mcp::compact::answer;
//! let found = serde_json::json!({
//!     "operation": "callers",
//!     "seeds": [{"id": 1, "label": "Function", "qualified_name": "shop.bill", "file": "bill.py", "line": 3}],
//!     "results": [{"node": 2, "distance": 1, "confidence": 0.98, "path": null, "relation": "calls it"}],
//!     "nodes": {"2": {"id": 2, "label": "Function", "qualified_name": "shop.main", "file": "main.py", "line": 7}},
//!     "verdict": {"level": "complete", "reasons": []},
//! });
//! assert_eq!(answer(&found), "\
//! callers of Function shop.bill (bill.py:3)
//! Function shop.main (main.py:7): calls it, 1 step, 0.98
//! 1 result
//! verdict: complete");
//! ```

use std::fmt::Write as _;

use serde_json::Value;

use crate::cli::format::{short, visible};
use crate::view::Answer;

/// Most bytes of a text, some 5,000 tokens.
const MOST: usize = 16_000;

/// Results whose way is shown.
const WAYS: usize = 3;

/// Seeds, tests and entry points that are named; the rest is counted.
const NAMED: usize = 8;

/// Lines that are shown of a hit's source.
const EXCERPT: usize = 3;

/// Any answer, by what it holds: of an operation, of a search, a report, or something else as JSON without what is empty.
pub fn answer(value: &Value) -> String {
    let text = if value["results"].is_array() && value["operation"].is_string() {
        operation(value)
    } else if value["hits"].is_array() {
        hits(value)
    } else if let Some(report) = value["markdown"].as_str() {
        report.to_owned()
    } else {
        without_empty(value).to_string()
    };
    cut(text)
}

/// Rows: the header, a line each, and their number. Cells are divided by tabs.
pub fn rows(answer: &Answer) -> String {
    let mut text = answer.columns.join("\t");
    for row in &answer.rows {
        let cells: Vec<String> = row
            .iter()
            .map(|value| visible(&short(value)).replace(['\n', '\t'], " "))
            .collect();
        let _ = write!(text, "\n{}", cells.join("\t"));
    }
    let more = if answer.truncated { "; there are more" } else { "" };
    let end = format!("\n{}{more}", counted(answer.rows.len(), "row"));
    cut(text) + &end
}

/// The text, if it is not too long; else its beginning, and that it is cut.
pub fn cut(mut text: String) -> String {
    if text.len() <= MOST {
        return text;
    }
    let mut end = MOST;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    // Whole lines, where there are some.
    end = text[..end].rfind('\n').filter(|at| *at > MOST / 2).unwrap_or(end);
    text.truncate(end);
    text.push_str("\n… cut here; ask for less with `limit`, `package` or a narrower target");
    text
}

fn operation(value: &Value) -> String {
    let mut text = value["operation"].as_str().unwrap_or_default().to_owned();
    let seeds: Vec<String> = list(&value["seeds"]).iter().map(node).collect();
    if !seeds.is_empty() {
        let _ = write!(text, " of {}", named(&seeds));
    }
    let results = list(&value["results"]);
    let groups = list(&value["groups"]);
    if groups.len() > 1 {
        for group in groups {
            let _ = write!(
                text,
                "\n{}",
                group["package"]
                    .as_str()
                    .filter(|name| !name.is_empty())
                    .unwrap_or("elsewhere")
            );
            let members = list(&group["results"])
                .iter()
                .filter_map(|index| results.get(index.as_u64()? as usize));
            for result in members {
                let _ = write!(text, "\n  {}", found(value, result));
            }
        }
    } else {
        for result in results {
            let _ = write!(text, "\n{}", found(value, result));
        }
    }
    let ways = results.iter().filter_map(|result| way(value, result));
    for way in ways.take(WAYS) {
        let _ = write!(text, "\nway: {way}");
    }
    for (name, words) in [("entry_points", "entry points"), ("tests", "tests")] {
        let nodes: Vec<String> = list(&value[name]).iter().map(|id| node(by_id(value, id))).collect();
        if !nodes.is_empty() {
            let _ = write!(text, "\n{words}: {}", named(&nodes));
        }
    }
    for excerpt in list(&value["source"]) {
        let at = place(excerpt);
        let _ = write!(
            text,
            "\n{at}\n{}",
            excerpt["text"].as_str().unwrap_or_default().trim_end()
        );
    }
    let _ = write!(text, "\n{}", counted(results.len(), "result"));
    match value["found"].as_u64() {
        Some(all) if all > results.len() as u64 => {
            let _ = write!(text, " of {all}");
        }
        _ if value["truncated"] == true => text.push_str("; there are more"),
        _ => {}
    }
    text.push_str(&verdict(&value["verdict"]));
    text
}

/// `Function shop.main (main.py:7): calls it, 1 step, 0.98`
fn found(value: &Value, result: &Value) -> String {
    let mut text = node(by_id(value, &result["node"]));
    let relation = result["relation"].as_str().filter(|relation| !relation.is_empty());
    let steps = result["distance"].as_u64().filter(|steps| *steps > 0);
    let steps = steps.map(|steps| counted(steps as usize, "step"));
    let confidence = result["confidence"].as_f64().filter(|confidence| *confidence < 0.995);
    let parts = [
        relation.map(str::to_owned),
        steps,
        confidence.map(|confidence| format!("{confidence:.2}")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if !parts.is_empty() {
        let _ = write!(text, ": {}", parts.join(", "));
    }
    text
}

/// `email -FLOWS_TO-> User.email (user.go:12) -…-> …`, if it says more than its ends.
fn way(value: &Value, result: &Value) -> Option<String> {
    let path = value["paths"].get(result["path"].as_u64()? as usize)?;
    let (nodes, edges) = (list(&path["nodes"]), list(&path["edges"]));
    if nodes.len() < 3 {
        return None;
    }
    let mut text = String::new();
    for (at, id) in nodes.iter().enumerate() {
        if at > 0 {
            let edge = edges
                .get(at - 1)
                .and_then(|index| value["edges"].get(index.as_u64()? as usize));
            let kind = edge.and_then(|edge| edge["kind"].as_str()).unwrap_or_default();
            let _ = write!(text, " -{kind}-> ");
        }
        let node = by_id(value, id);
        let name = node["qualified_name"].as_str().or(node["name"].as_str()).unwrap_or("?");
        let _ = write!(text, "{name}{}", place(node));
    }
    Some(text)
}

fn hits(value: &Value) -> String {
    let hits = list(&value["hits"]);
    let mut text = counted(hits.len(), "hit");
    for hit in hits {
        let what = if hit["node"].is_object() {
            node(&hit["node"])
        } else {
            place(hit).trim_start().to_owned()
        };
        let _ = write!(text, "\n{what}");
        let excerpt = hit["excerpt"]
            .as_str()
            .or_else(|| hit["excerpt"]["text"].as_str())
            .unwrap_or_default();
        for line in excerpt.lines().filter(|line| !line.trim().is_empty()).take(EXCERPT) {
            let _ = write!(text, "\n    {}", line.trim_end());
        }
    }
    for known in list(&value["faq"]) {
        let (question, said) = (
            known["question"].as_str().unwrap_or_default(),
            known["answer"].as_str().unwrap_or_default(),
        );
        let _ = write!(text, "\nasked before: {question}\n    {said}");
    }
    for note in list(&value["notes"]).iter().filter_map(Value::as_str) {
        let _ = write!(text, "\nnote: {note}");
    }
    text
}

fn verdict(verdict: &Value) -> String {
    let Some(level) = verdict["level"].as_str() else {
        return String::new();
    };
    let mut text = format!("\nverdict: {level}");
    for reason in list(&verdict["reasons"]) {
        let _ = write!(text, "\n- {}", reason["message"].as_str().unwrap_or_default());
    }
    text
}

/// `Function shop.main (main.py:7)`
fn node(node: &Value) -> String {
    let name = ["qualified_name", "name"]
        .into_iter()
        .filter_map(|property| node[property].as_str())
        .find(|name| !name.is_empty());
    let label = node["label"].as_str().unwrap_or("Node");
    match name {
        Some(name) => format!("{label} {name}{}", place(node)),
        None => format!("{label}{}", place(node)),
    }
}

fn place(node: &Value) -> String {
    match (node["file"].as_str(), node["line"].as_u64()) {
        (Some(file), Some(line)) if !file.is_empty() && line > 0 => format!(" ({file}:{line})"),
        (Some(file), _) if !file.is_empty() => format!(" ({file})"),
        _ => String::new(),
    }
}

fn by_id<'v>(value: &'v Value, id: &Value) -> &'v Value {
    &value["nodes"][id.to_string()]
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn named(names: &[String]) -> String {
    let shown = names.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// The value without nulls, empty texts, lists and objects.
fn without_empty(value: &Value) -> Value {
    let is_empty = |value: &Value| match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(values) => values.is_empty(),
        Value::Object(entries) => entries.is_empty(),
        _ => false,
    };
    match value {
        Value::Array(values) => values.iter().map(without_empty).collect(),
        Value::Object(entries) => {
            let entries = entries.iter().map(|(name, value)| (name.clone(), without_empty(value)));
            Value::Object(entries.filter(|(_, value)| !is_empty(value)).collect())
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_impact_shows_packages_ways_and_what_is_missing() {
        let place = |id: u64, name: &str, file: &str| json!({"id": id, "label": "Function", "qualified_name": name, "file": file, "line": id});
        let value = json!({
            "operation": "impact",
            "seeds": [{"id": 1, "label": "Key", "name": "email", "qualified_name": "", "file": "", "line": 0}],
            "results": [
                {"node": 2, "distance": 2, "confidence": 0.5, "path": 0, "relation": "its result changes"},
                {"node": 3, "distance": 4, "confidence": 1.0, "path": null, "relation": ""},
            ],
            "groups": [{"package": "api", "results": [0]}, {"package": "", "results": [1]}],
            "nodes": {"1": {"id": 1, "label": "Key", "name": "email"}, "2": place(2, "api.a", "a.go"), "3": place(3, "b", "b.py")},
            "edges": [{"kind": "FLOWS_TO"}, {"kind": "CALLS"}],
            "paths": [{"nodes": [1, 3, 2], "edges": [0, 1]}],
            "entry_points": [3], "tests": [],
            "verdict": {"level": "lower bound", "reasons": [{"code": "cut", "message": "3 calls are not resolved", "count": 3}]},
            "truncated": true, "found": 9,
        });
        let wanted = "impact of Key email\napi\n  Function api.a (a.go:2): its result changes, 2 steps, 0.50\nelsewhere\n  Function b (b.py:3): 4 steps\n\
            way: email -FLOWS_TO-> b (b.py:3) -CALLS-> api.a (a.go:2)\nentry points: Function b (b.py:3)\n2 results of 9\n\
            verdict: lower bound\n- 3 calls are not resolved";
        assert_eq!(answer(&value), wanted);
    }

    #[test]
    fn hits_show_the_beginning_of_their_source() {
        let value = json!({"hits": [
            {"node": null, "file": "a.md", "line": 2, "excerpt": "one\n\ntwo\nthree\nfour\n", "score": 0.5},
            {"node": {"label": "Type", "name": "T", "file": "t.go", "line": 1}, "excerpt": {"text": "type T"}},
        ], "faq": [], "notes": ["cut"]});
        assert_eq!(
            answer(&value),
            "2 hits\n(a.md:2)\n    one\n    two\n    three\nType T (t.go:1)\n    type T\nnote: cut"
        );
    }

    #[test]
    fn anything_else_is_json_without_what_is_empty() {
        assert_eq!(
            answer(&json!({"a": null, "b": {"c": []}, "d": 0, "e": "x"})),
            r#"{"d":0,"e":"x"}"#
        );
        assert_eq!(answer(&json!({"markdown": "# Report", "answer": {}})), "# Report");
    }

    #[test]
    fn long_answers_are_cut_at_a_line() {
        let long = cut("übung\n".repeat(10_000));
        assert!(
            long.len() < MOST + 200 && long.contains("übung\n… cut here"),
            "{}",
            &long[MOST - 50..]
        );
        assert!(cut("ü".repeat(MOST)).contains("cut here"));
        assert_eq!(cut("short".into()), "short");
    }
}
