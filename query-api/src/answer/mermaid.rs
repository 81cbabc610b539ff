//! The ways of an answer as a picture in Mermaid, from cause to effect, which most places that show Markdown draw.
//!
//! ```text
//! flowchart LR
//!   n0["email<br/>Key"]
//!   n1["features.email_domain<br/>features.py:11"]
//!   n0 -->|"FLOWS_TO decode"| n1
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::view::{NodeView, OperationAnswer};

/// The picture: nodes and edges of the ways that the answer tells.
pub fn picture(answer: &OperationAnswer) -> String {
    let mut text = String::from("flowchart LR\n");
    let mut names: BTreeMap<i64, usize> = BTreeMap::new();
    let ends = answer.edges.iter().flat_map(|edge| [edge.from, edge.to]);
    for id in ends.chain(answer.seeds.iter().map(|seed| seed.id)) {
        let next = names.len();
        names.entry(id).or_insert(next);
    }
    for (id, number) in &names {
        if let Some(node) = answer.nodes.get(id) {
            let _ = writeln!(text, "  n{number}[\"{}\"]", label(node));
        }
    }
    for edge in &answer.edges {
        if let (Some(from), Some(to)) = (names.get(&edge.from), names.get(&edge.to)) {
            let how = if edge.how.is_empty() {
                String::new()
            } else {
                format!(" {}", edge.how)
            };
            let _ = writeln!(text, "  n{from} -->|\"{}{how}\"| n{to}", edge.kind);
        }
    }
    text
}

fn label(node: &NodeView) -> String {
    let place = match node.line {
        0 => node.label.clone(),
        line => format!("{}:{line}", node.file),
    };
    let name = if node.qualified_name.is_empty() {
        &node.name
    } else {
        &node.qualified_name
    };
    format!("{}<br/>{}", escaped(name), escaped(&place))
}

/// Names come from source: nothing of them may be read as Mermaid or HTML.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '"' => escaped.push_str("#quot;"),
            '<' => escaped.push_str("#lt;"),
            '>' => escaped.push_str("#gt;"),
            '#' => escaped.push_str("#35;"),
            '&' => escaped.push_str("#amp;"),
            '`' => escaped.push_str("#96;"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
