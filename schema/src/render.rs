//! The declarations rendered as DDL, as a reference page, and as the schema text that a language model reads.
//!
//! ```
//! assert!(ripple_schema::render::ddl().starts_with("CREATE NODE TABLE Package"));
//! ```

use std::fmt::Write as _;

use crate::node::{PROPERTIES, Property};
use crate::{EdgeKind, How, Language, NodeKind, Rule, edge};

/// One statement a line: `CREATE NODE TABLE …;`, then `CREATE REL TABLE …;`.
pub fn ddl() -> String {
    let mut text = String::new();
    for kind in NodeKind::ALL {
        let columns = columns(PROPERTIES);
        let _ = writeln!(text, "CREATE NODE TABLE {kind}({columns}, PRIMARY KEY(id));");
    }
    for kind in EdgeKind::ALL {
        let pairs: Vec<String> = kind
            .endpoints()
            .iter()
            .map(|(from, to)| format!("FROM {from} TO {to}"))
            .collect();
        let columns = columns(edge::PROPERTIES);
        let _ = writeln!(text, "CREATE REL TABLE {kind}({}, {columns});", pairs.join(", "));
    }
    text
}

/// The reference page, in Markdown.
pub fn reference() -> String {
    let mut text = String::from(
        "# The graph\n\nRendered from the declarations in `schema/src`; do not edit by hand.\n\n## Nodes\n\n| label | what it is |\n|---|---|\n",
    );
    for kind in NodeKind::ALL {
        let _ = writeln!(text, "| `{kind}` | {} |", one_line(kind.doc()));
    }
    text.push_str("\nEvery node has:\n\n");
    property_table(&mut text, PROPERTIES);
    text.push_str("\n## Edges\n\n| kind | meaning | joins |\n|---|---|---|\n");
    for kind in EdgeKind::ALL {
        let _ = writeln!(text, "| `{kind}` | {} | {} |", one_line(kind.doc()), joins(*kind));
    }
    text.push_str("\nEvery edge has:\n\n");
    property_table(&mut text, edge::PROPERTIES);
    text.push_str("\n### `how`\n\n| value | meaning |\n|---|---|\n");
    for how in How::ALL {
        let _ = writeln!(text, "| `{how}` | {} |", one_line(how.doc()));
    }
    text.push_str(
        "\n### `rule`\n\nThe confidence of a rule is the share of its edges that hold.\n\n| rule | confidence | | meaning |\n|---|---|---|---|\n",
    );
    for rule in Rule::ALL {
        let how = if rule.measured() { "measured" } else { "estimate" };
        let _ = writeln!(
            text,
            "| `{rule}` | {} | {how} | {} |",
            rule.confidence(),
            one_line(rule.doc())
        );
    }
    let languages: Vec<String> = Language::ALL.iter().map(|language| format!("`{language}`")).collect();
    let _ = writeln!(text, "\nLanguages: {}.", languages.join(", "));
    text
}

/// The schema as a language model reads it: short, one line a label and a kind.
pub fn for_model() -> String {
    let names: Vec<String> = PROPERTIES.iter().map(|p| format!("{} {}", p.name, p.kind)).collect();
    let mut text = format!("Node properties (all labels): {}\nLabels:\n", names.join(", "));
    for kind in NodeKind::ALL {
        let _ = writeln!(text, "- {kind}: {}", one_line(kind.doc()));
    }
    let names: Vec<String> = edge::PROPERTIES
        .iter()
        .map(|p| format!("{} {}", p.name, p.kind))
        .collect();
    let _ = write!(
        text,
        "Relationship properties (all kinds): {}\nRelationships:\n",
        names.join(", ")
    );
    for kind in EdgeKind::ALL {
        let _ = writeln!(
            text,
            "- {kind}: {} [{}]",
            one_line(kind.doc()),
            joins(*kind).replace('`', "")
        );
    }
    text
}

fn columns(properties: &[Property]) -> String {
    let columns: Vec<String> = properties.iter().map(|p| format!("`{}` {}", p.name, p.kind)).collect();
    columns.join(", ")
}

fn property_table(text: &mut String, properties: &[Property]) {
    text.push_str("| property | type | meaning |\n|---|---|---|\n");
    for property in properties {
        let _ = writeln!(text, "| `{}` | {} | {} |", property.name, property.kind, property.doc);
    }
}

/// `Variable, Field → Variable`: pairs with the same ends are told together.
fn joins(kind: EdgeKind) -> String {
    let mut groups: Vec<(Vec<NodeKind>, Vec<NodeKind>)> = Vec::new();
    for (from, to) in kind.endpoints() {
        match groups.iter_mut().find(|(starts, _)| starts.as_slice() == [from]) {
            Some((_, ends)) => ends.push(to),
            None => groups.push((vec![from], vec![to])),
        }
    }
    let mut merged: Vec<(Vec<NodeKind>, Vec<NodeKind>)> = Vec::new();
    for (starts, ends) in groups {
        match merged.iter_mut().find(|(_, other)| *other == ends) {
            Some((others, _)) => others.extend(starts),
            None => merged.push((starts, ends)),
        }
    }
    let list = |kinds: &[NodeKind]| {
        kinds
            .iter()
            .map(|kind| format!("`{kind}`"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let parts: Vec<String> = merged
        .iter()
        .map(|(from, to)| format!("{} → {}", list(from), list(to)))
        .collect();
    parts.join("; ")
}

fn one_line(doc: &str) -> String {
    doc.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}
