//! Reading: one checked text, one connection, one deadline.
//!
//! A query runs on a thread of its own, for three reasons. The engine looks at its clock between the pieces of work of an
//! operator, but not while it parses and plans, nor inside one long piece: so the caller stops waiting by itself, and
//! what still runs is left to end. The parser recurses, so the thread has a large stack. And the binding panics on the few
//! values that it cannot convert (a date past the year 9999): that ends the thread, not the caller.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use kuzu::{Connection, Database, SystemConfig, Value as Theirs};

use super::aggregate::{self, Ordered};
use super::{MAX_DATABASE_BYTES, message, parameter, value};
use crate::guard::Checked;
use crate::{Error, Limits, Rows};

/// Time past the deadline in which the engine may still stop by itself, and so free its threads and memory.
const GRACE: Duration = Duration::from_millis(250);
/// Queries that passed their deadline and still run; with more, new ones are refused until some have ended.
const MAX_RUNAWAYS: usize = 4;
/// Longest time that a query may ask for: past a day nobody waits for the answer.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
/// Stack of a query's thread. Only what is used of it costs memory.
const STACK: usize = 256 << 20;
/// Said before a walk: until it has reached so many nodes, the engine remembers them one by one. Past that, and past 1,000 unless told, it looks at
/// every node of the graph at every step, for every pair of labels.
const SPARSE: &str = "CALL sparse_frontier_threshold=30000";

/// A database open for reading.
pub(crate) struct Engine {
    database: Database,
    memory_bytes: u64,
    runaways: Mutex<Vec<JoinHandle<()>>>,
}

impl Engine {
    /// Opens the file; its buffer pool, and so the queries that run at once, takes at most so many bytes.
    pub(crate) fn open(path: &Path, memory_bytes: u64) -> Result<Self, Error> {
        let config = SystemConfig::default()
            .buffer_pool_size(memory_bytes)
            .read_only(true)
            .max_db_size(MAX_DATABASE_BYTES);
        let failed = |error| match message(&error) {
            message if is_about_memory(&message) => Error::Memory { limit: memory_bytes },
            message => Error::Damaged {
                path: path.into(),
                message,
            },
        };
        let database = Database::new(path, config).map_err(failed)?;
        Ok(Self {
            database,
            memory_bytes,
            runaways: Mutex::default(),
        })
    }

    /// Remembers a query that passed its deadline, if one is given, and counts those that still run.
    fn runaways(&self, new: Option<JoinHandle<()>>) -> usize {
        let mut all = self.runaways.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|query| !query.is_finished());
        all.extend(new);
        all.len()
    }
}

/// Runs a text that the guard let pass.
pub(crate) fn query(
    engine: &Arc<Engine>,
    text: &str,
    checked: &Checked,
    params: &BTreeMap<String, serde_json::Value>,
    limits: &Limits,
) -> Result<Rows, Error> {
    let start = Instant::now();
    let timeout = limits.timeout.min(LONGEST);
    if engine.runaways(None) >= MAX_RUNAWAYS {
        return Err(Error::Overloaded { running: MAX_RUNAWAYS });
    }
    let text = limited(text, checked, limits);
    let question = Question {
        ordered: aggregate::order(&text, checked.statement.start)?,
        text,
        offset: checked.statement.start,
        params: parameter::bind(checked, params)?,
        deadline: start + timeout,
        limits: *limits,
    };
    let (sender, receiver) = mpsc::sync_channel(1);
    let worker = Arc::clone(engine);
    let run = move || {
        let answer = question.run(&worker);
        // Nobody listens any more if the deadline has passed.
        let _ = sender.send(answer);
    };
    let builder = thread::Builder::new().name("query".into()).stack_size(STACK);
    let running = builder
        .spawn(run)
        .map_err(Error::io(Path::new("a thread for the query")))?;
    match receiver.recv_timeout(timeout + GRACE) {
        Ok(answer) => answer.map(|rows| Rows {
            elapsed: start.elapsed(),
            ..rows
        }),
        Err(RecvTimeoutError::Timeout) => {
            engine.runaways(Some(running));
            Err(Error::Timeout { limit: limits.timeout })
        }
        Err(RecvTimeoutError::Disconnected) => Err(Error::Engine {
            message: "a value of the answer cannot be shown (a date past 9999, a decimal past 28 digits, a path that OPTIONAL MATCH did not find); return it as text, or parts of it".into(),
            span: None,
        }),
    }
}

struct Question {
    text: String,
    /// The text to run instead, with its columns in another order.
    ordered: Option<Ordered>,
    /// Where `text` starts in the text that was asked.
    offset: usize,
    params: Vec<(String, Theirs)>,
    deadline: Instant,
    limits: Limits,
}

impl Question {
    fn run(self, engine: &Engine) -> Result<Rows, Error> {
        let error = |error: kuzu::Error| self.explain(message(&error), engine);
        let connection = Connection::new(&engine.database).map_err(error)?;
        if self.text.to_ascii_uppercase().contains("SHORTEST") {
            connection.query(SPARSE).map_err(error)?;
        }
        if self.ordered.is_some() {
            // What is wrong is told of the text that was asked.
            connection.prepare(&self.text).map_err(error)?;
        }
        let text = self.ordered.as_ref().map_or(&self.text, |ordered| &ordered.text);
        let mut statement = connection.prepare(text).map_err(error)?;
        let left = self.deadline.saturating_duration_since(Instant::now()).as_millis() as u64;
        connection.set_query_timeout(left.max(1));
        let params = self
            .params
            .iter()
            .map(|(name, value)| (name.as_str(), value.clone()))
            .collect();
        let mut result = connection.execute(&mut statement, params).map_err(error)?;
        let columns = result.get_column_names();
        let types = result.get_column_data_types().iter().map(value::type_name).collect();
        let mut rows = Vec::new();
        let mut truncated = false;
        for row in &mut result {
            if rows.len() >= self.limits.rows {
                truncated = true;
                break;
            }
            if Instant::now() > self.deadline {
                return Err(Error::Timeout {
                    limit: self.limits.timeout,
                });
            }
            rows.push(row.into_iter().map(value::ours).collect());
        }
        let mut rows = Rows {
            columns,
            types,
            rows,
            truncated,
            elapsed: Duration::ZERO,
        };
        if let Some(ordered) = self.ordered {
            put_back(&mut rows, &ordered.columns);
        }
        Ok(rows)
    }

    fn explain(&self, message: String, engine: &Engine) -> Error {
        match () {
            () if message.starts_with("Interrupted") => Error::Timeout {
                limit: self.limits.timeout,
            },
            () if is_about_memory(&message) => Error::Memory {
                limit: engine.memory_bytes,
            },
            () => {
                let span = span(&self.text, &message).map(|span| span.start + self.offset..span.end + self.offset);
                Error::Engine {
                    message: without_echo(&message).into(),
                    span,
                }
            }
        }
    }
}

/// Whether the engine says that it has too little memory.
pub(super) fn is_about_memory(message: &str) -> bool {
    message.starts_with("Buffer manager exception") || message.contains("bad_alloc")
}

/// Puts columns where they were asked for. An answer of another shape (a plan) has none to move.
fn put_back(rows: &mut Rows, columns: &[usize]) {
    fn moved<T: Clone>(row: &[T], columns: &[usize]) -> Vec<T> {
        columns.iter().filter_map(|&column| row.get(column).cloned()).collect()
    }
    if rows.columns.len() != columns.len() {
        return;
    }
    rows.columns = moved(&rows.columns, columns);
    rows.types = moved(&rows.types, columns);
    for row in &mut rows.rows {
        *row = moved(row, columns);
    }
}

/// The statement with a `LIMIT` where that is safe, so that a query for millions of rows ends early. One row more than the
/// limit tells that there were more.
fn limited(text: &str, checked: &Checked, limits: &Limits) -> String {
    let statement = text.get(checked.statement.clone()).unwrap_or(text);
    if checked.can_be_limited() {
        format!("{statement} LIMIT {}", limits.rows.saturating_add(1))
    } else {
        statement.into()
    }
}

/// A parser's message without the text that it repeats, which is ours and not the one that was asked.
fn without_echo(message: &str) -> &str {
    match message
        .rsplit_once("(line: ")
        .and_then(|(_, rest)| rest.find(')').map(|end| message.len() - rest.len() + end))
    {
        Some(end) => &message[..=end],
        None => message,
    }
}

/// The place that a parser's message ends in: `… (line: 1, offset: 16)`, and as long as its row of `^`.
fn span(text: &str, message: &str) -> Option<Range<usize>> {
    let (_, place) = message.rsplit_once("(line: ")?;
    let (line, place) = place.split_once(", offset: ")?;
    let (offset, rest) = place.split_once(')')?;
    let (line, offset): (usize, usize) = (line.parse().ok()?, offset.parse().ok()?);
    let length = rest.matches('^').count();
    let before: usize = text
        .split_inclusive('\n')
        .take(line.checked_sub(1)?)
        .map(str::len)
        .sum();
    let mut places = text
        .get(before..)?
        .char_indices()
        .map(|(at, _)| before + at)
        .chain([text.len()])
        .skip(offset);
    let start = places.next()?;
    let end = length.checked_sub(1).map_or(Some(start), |more| places.nth(more))?;
    Some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parsers_message_tells_the_place() {
        let told = |text, message| span(text, message).map(|span| &text[span]);
        assert_eq!(
            told("MATCH (a RETURN a", "… (line: 1, offset: 9)\n\"…\"\n  ^^^^^^"),
            Some("RETURN")
        );
        assert_eq!(told("é\nRÉTURN x y", "… (line: 2, offset: 9)\n\"\"\n ^"), Some("y"));
        assert_eq!(told("RETURN", "… (line: 1, offset: 6)\n\"\"\n "), Some(""));
        assert_eq!(told("x", "… (line: 7, offset: 3)"), None);
        assert_eq!(told("x", "Binder exception: no place"), None);
        assert_eq!(
            without_echo("Parser exception: no (line: 1, offset: 6)\n\"RETURN\""),
            "Parser exception: no (line: 1, offset: 6)"
        );
        assert_eq!(without_echo("Binder exception: no"), "Binder exception: no");
    }

    #[test]
    fn a_limit_is_added_only_where_it_is_safe() -> Result<(), Box<dyn std::error::Error>> {
        let limits = Limits {
            rows: 5,
            ..Limits::default()
        };
        for (text, expected) in [
            (" MATCH (n) RETURN n ; // all", "MATCH (n) RETURN n LIMIT 6"),
            ("MATCH (n) RETURN n LIMIT 3", "MATCH (n) RETURN n LIMIT 3"),
            (
                "MATCH (n) WITH n LIMIT 3 RETURN n",
                "MATCH (n) WITH n LIMIT 3 RETURN n LIMIT 6",
            ),
            ("RETURN 1 UNION RETURN 2", "RETURN 1 UNION RETURN 2"),
            ("EXPLAIN RETURN 1", "EXPLAIN RETURN 1"),
            ("CALL show_tables()", "CALL show_tables()"),
        ] {
            let checked = crate::guard::check(text)?;
            assert_eq!(limited(text, &checked, &limits), expected);
        }
        Ok(())
    }
}
