//! The load: a new database from a graph, in bulk.
//!
//! The stages: *create* the tables (the schema's DDL), *write* a table's rows to a Parquet file, *copy* that file into the
//! database while the next ones are written, remove it. Nodes come before edges, for an edge names its ends by their keys. All of it is one
//! transaction: otherwise each copy ends in a checkpoint of its own, and there are about eighty of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;

use kuzu::{Connection, Database, SystemConfig};
use ripple_schema::{Graph, render};

use super::columns::Source;
use super::read::is_about_memory;
use super::{MAX_DATABASE_BYTES, message};
use crate::generation::Generation;
use crate::tables::Tables;
use crate::{Build, Error, Progress};

/// Most files that wait for the engine.
const FILES_AHEAD: usize = 4;

/// Fills the generation's database. When this returns the database is closed and all of it is in its one file.
///
/// How much memory a load takes depends on which edges there are: where it was too little, the load begins again with twice as much.
pub(crate) fn load(
    generation: &Generation,
    graph: &Graph,
    tables: &Tables,
    input: &Build<'_>,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<(), Error> {
    let mut memory_bytes = input.memory_bytes;
    loop {
        match load_within(memory_bytes, generation, (graph, tables), input, progress) {
            Err(Error::Memory { limit }) if limit < input.most_memory_bytes => {
                memory_bytes = (limit * 2).min(input.most_memory_bytes);
                tracing::info!(memory_bytes, "the load begins again with more memory");
                clear(&generation.database())?;
            }
            Err(Error::Memory { limit }) => {
                let message = format!(
                    "the load needs more than {} MB of memory; `ripple index --memory` allows it more",
                    limit >> 20
                );
                return Err(Error::Engine { message, span: None });
            }
            loaded => return loaded,
        }
    }
}

/// Removes what a load left that did not end.
fn clear(database: &Path) -> Result<(), Error> {
    let mut log = database.as_os_str().to_owned();
    log.push(".wal");
    for left in [database.to_owned(), log.into()] {
        match fs::remove_file(&left) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(Error::io(&left)(error)),
            _ => {}
        }
    }
    Ok(())
}

fn load_within(
    memory_bytes: u64,
    generation: &Generation,
    (graph, tables): (&Graph, &Tables),
    input: &Build<'_>,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<(), Error> {
    let path = generation.database();
    let config = SystemConfig::default()
        .buffer_pool_size(memory_bytes)
        .max_num_threads(input.threads as u64)
        .max_db_size(MAX_DATABASE_BYTES);
    let failed = |what: &str| {
        let what = what.to_owned();
        let folder = generation.folder.clone();
        move |error: kuzu::Error| match message(&error) {
            text if is_about_memory(&text) => Error::Memory { limit: memory_bytes },
            text => load_error(&folder, &what, &text),
        }
    };
    let database = Database::new(&path, config).map_err(failed("database"))?;
    let connection = Connection::new(&database).map_err(failed("database"))?;
    // One by one: of several at once, the engine tells of the first alone whether it failed.
    for statement in render::ddl().lines() {
        connection.query(statement).map_err(failed("tables"))?;
    }

    connection.query("BEGIN TRANSACTION").map_err(failed("transaction"))?;
    let scratch = tempfile::tempdir_in(&generation.folder).map_err(Error::io(&generation.folder))?;
    let source = Source::new(graph);
    let (mut done, total) = (0, tables.rows());
    std::thread::scope(|scope| {
        // Files are written while the engine reads those before: of nodes, the largest comes behind small ones.
        let (give, ready) = sync_channel(FILES_AHEAD);
        let (source, scratch) = (&source, scratch.path());
        scope.spawn(move || {
            for (number, copy) in copies(tables).enumerate() {
                let file = scratch.join(format!("{number}.parquet"));
                let written = copy.write(source, &file).map(|()| (copy, file));
                let is_last = written.is_err();
                if give.send(written).is_err() || is_last {
                    return;
                }
            }
        });
        for written in ready {
            let (copy, file): (Copy<'_>, PathBuf) = written?;
            progress(Progress {
                table: copy.table.into(),
                done,
                total,
            });
            let query = format!("COPY {} FROM {}{}", copy.table, quoted(&file), copy.ends);
            connection.query(&query).map_err(failed(copy.table))?;
            fs::remove_file(&file).map_err(Error::io(&file))?;
            done += copy.rows.len() as u64;
        }
        Ok::<(), Error>(())
    })?;
    connection.query("COMMIT").map_err(failed("commit"))?;
    progress(Progress {
        table: String::new(),
        done,
        total,
    });
    Ok(())
}

/// Rows of one table that are copied at once.
struct Copy<'t> {
    table: &'static str,
    is_node: bool,
    /// For edges, which of the pairs of labels that the table joins.
    ends: String,
    /// Indices into the graph's rows.
    rows: &'t [u32],
}

impl Copy<'_> {
    fn write(&self, source: &Source<'_>, file: &Path) -> Result<(), Error> {
        match self.is_node {
            true => source.write_nodes(file, self.rows),
            false => source.write_edges(file, self.rows),
        }
    }
}

/// All there is to copy, nodes first.
fn copies(tables: &Tables) -> impl Iterator<Item = Copy<'_>> {
    let nodes = tables.nodes.iter().map(|(label, rows)| Copy {
        table: label.name(),
        is_node: true,
        ends: String::new(),
        rows,
    });
    let edges = tables.edges.iter().map(|((kind, from, to), rows)| Copy {
        table: kind.name(),
        is_node: false,
        ends: format!(" (from='{from}', to='{to}')"),
        rows,
    });
    nodes.chain(edges)
}

/// The path as text of a query. The engine takes it for a pattern, so that a folder `[x]` has to be written `[[]x]`.
fn quoted(path: &Path) -> String {
    let mut text = String::from("'");
    for c in path.display().to_string().chars() {
        match c {
            '*' | '?' | '[' => text.extend(['[', c, ']']),
            '\\' | '\'' => text.extend(['\\', c]),
            _ => text.push(c),
        }
    }
    text + "'"
}

/// The engine tells of a full disk in words only, and of a write that only went half way with the words of an older error.
fn load_error(folder: &Path, what: &str, message: &str) -> Error {
    let lower = message.to_lowercase();
    let full = [
        "no space left",
        "file too large",
        "disk quota",
        "error 28",
        "errno 28",
        "error 27",
    ];
    if full.iter().any(|words| lower.contains(words)) {
        return Error::io(folder)(std::io::Error::new(std::io::ErrorKind::StorageFull, message.to_owned()));
    }
    if lower.contains("cannot write to file") && !lower.contains("numbyteswritten: -1") {
        let half = "a write to the database only fitted in part";
        return Error::io(folder)(std::io::Error::new(std::io::ErrorKind::StorageFull, half));
    }
    if lower.starts_with("io exception") {
        return Error::io(folder)(std::io::Error::other(message.to_owned()));
    }
    Error::Engine {
        message: format!("load of {what}: {message}"),
        span: None,
    }
}
