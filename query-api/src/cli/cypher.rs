//! `ripple cypher`: one query, one answer.
//!
//! `ripple cypher 'MATCH (f:Function {name: $n}) RETURN f' --param n=bill` passes the text `bill`, since it is no JSON;
//! `--param n=3` passes a number and `--param 'n="3"'` a text again.

use std::collections::BTreeMap;
use std::io::{self, Read as _, Write};
use std::time::Duration;

use ripple_graphdb::{Limits, Reader, Value};
use serde::{Deserialize, Serialize};

use super::format::{self, Format};
use super::question::{self, Told};
use super::resident::Resident;
use super::units::{parse_bytes, parse_duration, thousands};
use crate::Error;
use crate::locate::IndexToRead;
use crate::view::Answer;

/// Ask the graph in Cypher
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The query; `-` or nothing reads it from stdin
    query: Option<String>,
    #[command(flatten)]
    index: IndexToRead,
    /// Value of a parameter, in JSON; what is no JSON is text
    #[arg(long = "param", short, value_name = "NAME=JSON", value_parser = parameter)]
    parameters: Vec<String>,
    /// Most rows
    #[arg(long, value_name = "ROWS", default_value_t = 10_000)]
    limit: usize,
    /// Most time
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = parse_duration)]
    timeout: Duration,
    /// Most memory
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<u64>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Show how the engine would go about it, without running it
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    resident: Resident,
}

const EXAMPLES: &str = "\
Examples:
  ripple cypher 'MATCH (f:Function) RETURN f.qualified_name, f.file, f.line LIMIT 10'
  ripple cypher --param name=email 'MATCH (k:Key {name: $name})<-[:USES_KEY]-(f) RETURN f'
  ripple cypher --format jsonl - < question.cypher | jq .

A `ripple serve` that runs on the same index answers in milliseconds, and the same; without one the index is opened, and a reader of it
stays behind, which answers the next command in milliseconds and ends by itself (--resident).";

impl Arguments {
    pub(super) fn run(self) -> Result<(), Error> {
        let text = match self.query.as_deref() {
            None | Some("-") => stdin()?,
            Some(query) => query.to_owned(),
        };
        let question = Question {
            text: if self.explain { format!("EXPLAIN {text}") } else { text },
            parameters: self.parameters,
            rows: self.limit,
            timeout: self.timeout,
            memory_bytes: self.memory.unwrap_or(Limits::default().memory_bytes),
            format: self.format,
            explain: self.explain,
            width: format::width(),
        };
        question::Question::Cypher(question).ask(&self.index.folder()?, self.resident.stays)?;
        Ok(())
    }
}

/// A query and how its answer is to be written.
#[derive(Debug, Serialize, Deserialize)]
pub struct Question {
    text: String,
    /// As they were typed.
    parameters: Vec<String>,
    rows: usize,
    timeout: Duration,
    memory_bytes: u64,
    format: Format,
    explain: bool,
    /// Columns of the terminal, if it is one.
    width: Option<u16>,
}

impl Question {
    pub(super) fn limits(&self) -> Limits {
        Limits {
            timeout: self.timeout,
            rows: self.rows,
            memory_bytes: self.memory_bytes,
        }
    }

    pub(super) fn answer(&self, reader: &Reader, out: &mut dyn Write) -> Result<Told, Error> {
        let parameters: BTreeMap<_, _> = self
            .parameters
            .iter()
            .map(|text| parse_parameter(text).map_err(Error::Usage))
            .collect::<Result<_, _>>()?;
        let answer: Answer = match reader.query(&self.text, &parameters, &self.limits()) {
            Ok(rows) => rows.into(),
            Err(source) => {
                let text = self.text.clone();
                return Err(Error::Query { text, source });
            }
        };
        let told = Told {
            found: answer.rows.len(),
            summary: summary(&answer),
        };
        self.write(answer, out).map_err(super::unwritten)?;
        Ok(told)
    }

    fn write(&self, answer: Answer, out: &mut dyn Write) -> io::Result<()> {
        match plan(&answer) {
            Some(plan) if self.explain && self.format == Format::Table => out.write_all(plan.as_bytes()),
            _ => format::answer(out, answer, self.format, self.width),
        }
    }
}

/// The query plan, which the engine has drawn already.
fn plan(answer: &Answer) -> Option<String> {
    match answer.rows.first().map(Vec::as_slice) {
        Some([Value::Text(plan)]) => Some(plan.clone()),
        _ => None,
    }
}

fn summary(answer: &Answer) -> String {
    let rows = super::units::count(answer.rows.len() as u64, "row");
    let cut = if answer.truncated {
        format!(
            ", cut at --limit {}: there are more",
            thousands(answer.rows.len() as u64)
        )
    } else {
        String::new()
    };
    format!("{rows} in {:.1} ms{cut}", answer.elapsed_ms)
}

fn stdin() -> Result<String, Error> {
    let mut text = String::new();
    io::stdin()
        .read_to_string(&mut text)
        .map_err(crate::error::io("cannot read the query from stdin"))?;
    Ok(text)
}

/// A parameter that can be read, as it was typed.
fn parameter(text: &str) -> Result<String, String> {
    parse_parameter(text).map(|_| text.to_owned())
}

fn parse_parameter(text: &str) -> Result<(String, serde_json::Value), String> {
    let Some((name, value)) = text.split_once('=') else {
        return Err("write NAME=JSON: name=email".into());
    };
    let name = name.trim().trim_start_matches('$');
    if name.is_empty() {
        return Err("the name is missing before `=`".into());
    }
    let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
    Ok((name.to_owned(), value))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn parameters_are_json_or_text() {
        let check = |text: &str, name: &str, value: serde_json::Value| {
            assert_eq!(parse_parameter(text), Ok((name.to_owned(), value)), "{text}");
        };
        check("n=3", "n", json!(3));
        check("n=\"3\"", "n", json!("3"));
        check("n=email", "n", json!("email"));
        check("$n=a=b", "n", json!("a=b"));
        check("n=", "n", json!(""));
        check("n=[1, null]", "n", json!([1, null]));
        check("n=[1,", "n", json!("[1,"));
        assert!(parse_parameter("n").is_err());
        assert!(parse_parameter("=3").is_err());
    }
}
