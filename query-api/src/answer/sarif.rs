//! An answer as SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format), which code scanning on pull requests reads.
//!
//! Each result is a `note` at the place that changes, with the changed symbols as related locations and the way as a code flow.

use serde_json::{Value, json};

use crate::view::{Changed, Finding, NodeView, OperationAnswer};

/// The log.
pub fn log(changed: &[Changed], answer: &OperationAnswer) -> Value {
    let related: Vec<Value> = match changed {
        [] => answer
            .seeds
            .iter()
            .filter(|seed| seed.line > 0)
            .map(|seed| location(&seed.file, seed.line, &seed.qualified_name))
            .collect(),
        changed => changed
            .iter()
            .filter_map(|change| {
                let node = answer.nodes.get(&change.node)?;
                Some(location(&change.file, change.lines.0, &node.qualified_name))
            })
            .collect(),
    };
    let results: Vec<Value> = answer
        .results
        .iter()
        .filter_map(|finding| result(answer, finding, &related))
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "Ripple",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": [{
                    "id": format!("ripple/{}", answer.operation),
                    "shortDescription": {"text": "Changes with what was changed"},
                    "defaultConfiguration": {"level": "note"},
                }],
            }},
            "properties": {"verdict": answer.verdict},
            "results": results,
        }],
    })
}

fn result(answer: &OperationAnswer, finding: &Finding, related: &[Value]) -> Option<Value> {
    let node = answer.nodes.get(&finding.node).filter(|node| node.line > 0)?;
    let message = format!(
        "{}: {} ({} steps)",
        node.qualified_name, finding.relation, finding.distance
    );
    let way: Vec<Value> = finding
        .path
        .and_then(|path| answer.paths.get(path))
        .map(|path| {
            path.nodes
                .iter()
                .filter_map(|id| answer.nodes.get(id))
                .filter(|node| node.line > 0)
                .map(step)
                .collect()
        })
        .unwrap_or_default();
    let mut result = json!({
        "ruleId": format!("ripple/{}", answer.operation),
        "level": "note",
        "rank": finding.confidence * 100.0,
        "message": {"text": message},
        "locations": [location(&node.file, node.line, &node.qualified_name)],
        "relatedLocations": related,
        "partialFingerprints": {"node": node.id.to_string()},
    });
    if way.len() > 1 {
        result["codeFlows"] = json!([{"threadFlows": [{"locations": way}]}]);
    }
    Some(result)
}

fn step(node: &NodeView) -> Value {
    json!({"location": location(&node.file, node.line, &node.qualified_name)})
}

fn location(file: &str, line: u32, text: &str) -> Value {
    json!({
        "physicalLocation": {"artifactLocation": {"uri": encoded(file)}, "region": {"startLine": line.max(1)}},
        "message": {"text": text},
    })
}

/// A path as a relative URI (RFC 3986).
fn encoded(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => uri.push(byte as char),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
