//! The load: a new database from a graph, in bulk.
//!
//! The stages: *create* the tables (the schema's DDL), *write* a table's rows to a Parquet file, *copy* that file into the
//! database, remove it, next table. Nodes come before edges, for an edge names its ends by their keys. All of it is one
//! transaction: otherwise each copy ends in a checkpoint of its own, and there are about eighty of them.

use std::fs;
use std::path::Path;

use kuzu::{Connection, Database, SystemConfig};
use ripple_schema::{Graph, render};

use super::columns::Source;
use super::{MAX_DATABASE_BYTES, message};
use crate::generation::Generation;
use crate::tables::Tables;
use crate::{Build, Error, Progress};

/// Fills the generation's database. When this returns the database is closed and all of it is in its one file.
pub(crate) fn load(
    generation: &Generation,
    graph: &Graph,
    tables: &Tables,
    input: &Build<'_>,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<(), Error> {
    let path = generation.database();
    let config = SystemConfig::default()
        .buffer_pool_size(input.memory_bytes)
        .max_num_threads(input.threads as u64)
        .max_db_size(MAX_DATABASE_BYTES);
    let failed = |what: &str| {
        let what = what.to_owned();
        let folder = generation.folder.clone();
        move |error: kuzu::Error| load_error(&folder, &what, &message(&error))
    };
    let database = Database::new(&path, config).map_err(failed("database"))?;
    let connection = Connection::new(&database).map_err(failed("database"))?;
    connection.query(&render::ddl()).map_err(failed("tables"))?;

    connection.query("BEGIN TRANSACTION").map_err(failed("transaction"))?;
    let scratch = tempfile::tempdir_in(&generation.folder).map_err(Error::io(&generation.folder))?;
    let file = scratch.path().join("rows.parquet");
    let source = Source::new(graph);
    let (mut done, total) = (0, tables.rows());
    let copy = |table: &str, ends: &str| {
        let result = connection.query(&format!("COPY {table} FROM {}{ends}", quoted(&file)));
        result
            .map_err(failed(table))
            .and_then(|_| fs::remove_file(&file).map_err(Error::io(&file)))
    };
    for (label, rows) in &tables.nodes {
        progress(Progress {
            table: label.name().into(),
            done,
            total,
        });
        source.write_nodes(&file, rows)?;
        copy(label.name(), "")?;
        done += rows.len() as u64;
    }
    for ((kind, from, to), rows) in &tables.edges {
        progress(Progress {
            table: kind.name().into(),
            done,
            total,
        });
        source.write_edges(&file, rows)?;
        copy(kind.name(), &format!(" (from='{from}', to='{to}')"))?;
        done += rows.len() as u64;
    }
    connection.query("COMMIT").map_err(failed("commit"))?;
    progress(Progress {
        table: String::new(),
        done,
        total,
    });
    Ok(())
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
