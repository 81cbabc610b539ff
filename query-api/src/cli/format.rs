//! Answers as text: a table for people, JSON, JSON lines and CSV for programs.
//!
//! The node `Function {name: "bill", qualified_name: "shop.bill", file: "bill.py", line: 3}` is `:Function shop.bill
//! (bill.py:3)` in a table, and compact JSON with all its properties in a CSV cell.

use std::io::{self, Write};

use clap::ValueEnum;
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};
use ripple_graphdb::{NodeValue, RelationshipValue, Value};
use serde::{Deserialize, Serialize};

use crate::view::{Answer, Header, Trailer};

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum Format {
    /// For people.
    Table,
    /// One JSON object: columns, types, rows, truncated, elapsed_ms.
    Json,
    /// A line with columns and types, a line per row, a last line with truncated, elapsed_ms and the number of rows.
    Jsonl,
    /// A header line and a line per row.
    Csv,
}

/// Writes an answer; a table no wider than this.
pub fn answer(out: &mut dyn Write, answer: Answer, format: Format, width: Option<u16>) -> io::Result<()> {
    match format {
        Format::Table => table(out, &answer, width),
        Format::Json => json(out, &answer),
        Format::Jsonl => lines(answer).try_for_each(|line| out.write_all(line?.as_bytes())),
        Format::Csv => csv(out, &answer),
    }
}

/// Writes one JSON value, indented, and a line end.
pub fn json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    out.write_all(b"\n")
}

/// The lines of an NDJSON answer, each with its line end: header, rows, trailer.
pub fn lines(answer: Answer) -> impl Iterator<Item = io::Result<String>> + Send + 'static {
    let Answer {
        columns,
        types,
        rows,
        truncated,
        elapsed_ms,
    } = answer;
    let header = Header { columns, types };
    let trailer = Trailer {
        truncated,
        elapsed_ms,
        rows: rows.len(),
    };
    std::iter::once_with(move || line(&header))
        .chain(rows.into_iter().map(|row| line(&row)))
        .chain(std::iter::once_with(move || line(&trailer)))
}

/// One JSON value on a line.
pub fn line(value: &impl Serialize) -> io::Result<String> {
    let mut text = serde_json::to_string(value)?;
    text.push('\n');
    Ok(text)
}

/// A plain table of text cells, for people.
pub fn plain_table(header: &[String]) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_FULL_CONDENSED)
        .set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(header);
    table
}

/// Columns of the terminal that stdout is, if it is one.
pub fn width() -> Option<u16> {
    Table::new().width()
}

/// The engine names a column without `AS` by its whole expression, which may be longer than any screen.
fn header_cell(column: &str) -> String {
    match column.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &column[..end]),
        None => column.to_owned(),
    }
}

fn table(out: &mut dyn Write, answer: &Answer, width: Option<u16>) -> io::Result<()> {
    let columns: Vec<String> = answer.columns.iter().map(|column| header_cell(column)).collect();
    let mut table = plain_table(&columns);
    // The terminal of whoever asked counts, not that of the process that writes.
    table.force_no_tty();
    if let Some(width) = width {
        table.set_width(width);
    }
    for row in &answer.rows {
        table.add_row(row.iter().map(|value| {
            let number = matches!(value, Value::Int(_) | Value::Float(_));
            let alignment = if number {
                CellAlignment::Right
            } else {
                CellAlignment::Left
            };
            Cell::new_owned(visible(&short(value))).set_alignment(alignment)
        }));
    }
    writeln!(out, "{}", table.trim_fmt())
}

fn csv(out: &mut dyn Write, answer: &Answer) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(&answer.columns).map_err(plain)?;
    for row in &answer.rows {
        let cells: Vec<String> = row.iter().map(exact).collect::<io::Result<_>>()?;
        writer.write_record(&cells).map_err(plain)?;
    }
    writer.flush()
}

/// The system's answer behind an error of the CSV writer, so that a reader that went away is still told apart.
fn plain(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(source) => source,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// A value in a CSV cell: text as it is, nothing for null, JSON for what has parts.
fn exact(value: &Value) -> io::Result<String> {
    match value {
        Value::Null => Ok(String::new()),
        Value::Text(text) => Ok(text.clone()),
        Value::Float(number) if !number.is_finite() => Ok(number.to_string()),
        other => Ok(serde_json::to_string(other)?),
    }
}

/// A value as people read it.
pub fn short(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => value.to_string(),
        Value::Text(text) => text.clone(),
        Value::List(values) => format!("[{}]", values.iter().map(short).collect::<Vec<_>>().join(", ")),
        Value::Map(entries) => {
            let entries: Vec<_> = entries
                .iter()
                .map(|(name, value)| format!("{name}: {}", short(value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        Value::Node(node) => short_node(node),
        Value::Relationship(relationship) => short_relationship(relationship),
        Value::Path { nodes, relationships } => short_path(nodes, relationships),
    }
}

/// `:Variable shop.bill.total (shop/bill.py:3)`
fn short_node(node: &NodeValue) -> String {
    let name = [text(&node.properties, "qualified_name"), text(&node.properties, "name")];
    let name = name
        .into_iter()
        .flatten()
        .find(|name| !name.is_empty())
        .unwrap_or(&node.id);
    format!(":{} {name}{}", node.labels.join(":"), place(&node.properties))
}

/// `-FLOWS_TO- (shop/bill.py:3)`
fn short_relationship(relationship: &RelationshipValue) -> String {
    format!("-{}-{}", relationship.kind, place(&relationship.properties))
}

/// Each node and relationship on a line of its own; an arrow against the walk points back.
fn short_path(nodes: &[NodeValue], relationships: &[RelationshipValue]) -> String {
    let mut lines = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        lines.push(short_node(node));
        if let Some(relationship) = relationships.get(at) {
            let (left, right) = if relationship.start == node.id {
                ("-", "->")
            } else {
                ("<-", "-")
            };
            lines.push(format!(
                "  {left}{}{right}{}",
                relationship.kind,
                place(&relationship.properties)
            ));
        }
    }
    lines.join("\n")
}

fn place(properties: &[(String, Value)]) -> String {
    let line = properties
        .iter()
        .find(|(name, _)| name == "line")
        .map(|(_, value)| value);
    match (text(properties, "file"), line) {
        (Some(file), Some(Value::Int(line))) if !file.is_empty() => format!(" ({file}:{line})"),
        _ => String::new(),
    }
}

fn text<'a>(properties: &'a [(String, Value)], name: &str) -> Option<&'a String> {
    properties.iter().find_map(|(other, value)| match value {
        Value::Text(text) if other == name => Some(text),
        _ => None,
    })
}

/// Text from source for a terminal: what would steer it is shown as a replacement character.
pub fn visible(text: &str) -> String {
    let hidden = |c: char| c.is_control() && c != '\n' && c != '\t';
    text.chars()
        .map(|c| if hidden(c) { char::REPLACEMENT_CHARACTER } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Answer {
        let node = NodeValue {
            id: "5:1".into(),
            labels: vec!["Function".into()],
            properties: vec![
                ("name".into(), Value::Text("bill".into())),
                ("qualified_name".into(), Value::Text("shop.bill".into())),
                ("file".into(), Value::Text("bill.py".into())),
                ("line".into(), Value::Int(3)),
            ],
        };
        Answer {
            columns: vec!["f".into(), "n".into(), "t".into()],
            types: vec!["NODE".into(), "INT64".into(), "STRING".into()],
            rows: vec![
                vec![
                    Value::Node(node),
                    Value::Int(1000),
                    Value::Text("a, \"b\"\u{1b}[31m".into()),
                ],
                vec![
                    Value::Null,
                    Value::Float(f64::NAN),
                    Value::List(vec![Value::Bool(true)]),
                ],
            ],
            truncated: true,
            elapsed_ms: 1.5,
        }
    }

    fn written(format: Format) -> String {
        let mut out = Vec::new();
        assert!(answer(&mut out, sample(), format, None).is_ok());
        String::from_utf8(out).unwrap_or_default()
    }

    #[test]
    fn a_table_is_short_and_harmless() {
        let text = written(Format::Table);
        assert!(text.contains(":Function shop.bill (bill.py:3)"), "{text}");
        assert!(text.contains("┆ 1000 ┆"), "numbers stand right: {text}");
        assert!(!text.contains('\u{1b}'), "no escape sequence gets through: {text}");
    }

    #[test]
    fn csv_keeps_text_as_it_is() {
        let text = written(Format::Csv);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "f,n,t");
        assert!(
            lines[1].starts_with(r#""{""id"":""5:1"",""labels"":[""Function""]"#),
            "{text}"
        );
        assert!(lines[1].ends_with("1000,\"a, \"\"b\"\"\u{1b}[31m\""), "{text}");
        assert_eq!(lines[2], ",NaN,[true]");
    }

    #[test]
    fn json_lines_end_with_a_trailer() {
        let text = written(Format::Jsonl);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 4);
        assert_eq!(
            lines[0],
            r#"{"columns":["f","n","t"],"types":["NODE","INT64","STRING"]}"#
        );
        assert_eq!(lines[2], r#"[null,"NaN",[true]]"#);
        assert_eq!(lines[3], r#"{"truncated":true,"elapsed_ms":1.5,"rows":2}"#);
    }

    #[test]
    fn json_is_one_object() {
        let value: serde_json::Value = serde_json::from_str(&written(Format::Json)).unwrap_or_default();
        assert_eq!(value["rows"][0][0]["properties"]["name"], "bill");
        assert_eq!(value["truncated"], true);
    }

    #[test]
    fn a_path_shows_which_way_its_edges_point() {
        let node = |id: &str| NodeValue {
            id: id.into(),
            labels: vec!["Key".into()],
            properties: Vec::new(),
        };
        let edge = |start: &str, end: &str| RelationshipValue {
            id: None,
            kind: "CALLS".into(),
            start: start.into(),
            end: end.into(),
            properties: Vec::new(),
        };
        let nodes = [node("1"), node("2"), node("3")];
        let text = short_path(&nodes, &[edge("1", "2"), edge("3", "2")]);
        assert_eq!(text, ":Key 1\n  -CALLS->\n:Key 2\n  <-CALLS-\n:Key 3");
    }
}
