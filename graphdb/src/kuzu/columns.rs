//! Rows of a graph as columns of a Parquet file: the form in which the engine loads fastest.
//!
//! One file holds the rows of one table. Its columns are those of the schema, in the schema's order; an edge's begin with the
//! keys of its two ends. Columns with few distinct values (file, rule, …) are written as a dictionary, the rest plainly;
//! nothing is compressed, for the file is read once and removed.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{Int32Builder, StringBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::ArrowError;
use parquet::arrow::ArrowWriter;
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use ripple_schema::{Edge, FileId, Graph, Node, Site};

use crate::Error;

/// Rows that are turned into columns at a time.
const BATCH: usize = 1 << 15;
/// Rows of a row group: the unit that the engine's threads share out among themselves.
const ROW_GROUP: usize = 1 << 17;

type Column<T> = (&'static str, fn(&Source<'_>, &[&T]) -> ArrayRef);

/// The columns of a node table.
const NODE: &[Column<Node>] = &[
    ("id", |_, rows| integers(rows, |node| node.id.0)),
    ("name", |_, rows| text(rows, |node| &node.name)),
    ("qualified_name", |_, rows| text(rows, |node| &node.qualified_name)),
    ("kind", |_, rows| few(rows, |node| node.kind)),
    ("language", |_, rows| few(rows, |node| node.language.name())),
    ("file", |source, rows| {
        source.paths(rows, |node| node.site.map(|site| site.file))
    }),
    ("line", |_, rows| {
        integers(rows, |node| node.site.map_or(0, |site: Site| site.line.into()))
    }),
    ("col", |_, rows| {
        integers(rows, |node| node.site.map_or(0, |site: Site| site.column.into()))
    }),
    ("end_line", |_, rows| integers(rows, |node| node.end_line.into())),
    ("signature", |_, rows| text(rows, |node| &node.signature)),
    ("doc", |_, rows| text(rows, |node| &node.doc)),
    ("type", |_, rows| text(rows, |node| &node.type_text)),
    ("exported", |_, rows| booleans(rows, |node| node.exported)),
    ("test", |_, rows| booleans(rows, |node| node.test)),
    ("whole", |_, rows| booleans(rows, |node| node.whole)),
    ("tags", |_, rows| text(rows, |node| &node.tags)),
];

/// The columns of a relationship table: the keys of its ends, then its properties.
const EDGE: &[Column<Edge>] = &[
    ("from", |_, rows| integers(rows, |edge| edge.from.0)),
    ("to", |_, rows| integers(rows, |edge| edge.to.0)),
    ("file", |source, rows| source.paths(rows, |edge| Some(edge.site.file))),
    ("line", |_, rows| integers(rows, |edge| edge.site.line.into())),
    ("col", |_, rows| integers(rows, |edge| edge.site.column.into())),
    ("rule", |_, rows| few(rows, |edge| edge.rule.name())),
    ("confidence", |_, rows| {
        Arc::new(Float64Array::from_iter_values(
            rows.iter().map(|edge| edge.rule.confidence()),
        ))
    }),
    ("how", |_, rows| few(rows, |edge| edge.how.name())),
];

/// Turns rows into files, one after another.
pub(super) struct Source<'a> {
    graph: &'a Graph,
    /// The path of each file, and an empty one at the end.
    paths: ArrayRef,
}

impl<'a> Source<'a> {
    pub(super) fn new(graph: &'a Graph) -> Self {
        let paths = graph.files.iter().map(|file| file.path.as_str()).chain([""]);
        Self {
            graph,
            paths: Arc::new(StringArray::from_iter_values(paths)),
        }
    }

    /// Writes these rows of `graph.nodes`.
    pub(super) fn write_nodes(&self, path: &Path, rows: &[u32]) -> Result<(), Error> {
        self.write(path, NODE, &self.graph.nodes, rows)
    }

    /// Writes these rows of `graph.edges`.
    pub(super) fn write_edges(&self, path: &Path, rows: &[u32]) -> Result<(), Error> {
        self.write(path, EDGE, &self.graph.edges, rows)
    }

    fn write<T>(&self, path: &Path, columns: &[Column<T>], all: &[T], rows: &[u32]) -> Result<(), Error> {
        let batch = |rows: &[u32]| -> Result<RecordBatch, ArrowError> {
            let rows: Vec<&T> = rows.iter().filter_map(|&row| all.get(row as usize)).collect();
            RecordBatch::try_from_iter(columns.iter().map(|(name, column)| (*name, column(self, &rows))))
        };
        let write = || -> Result<(), ParquetError> {
            let file = File::create(path)?;
            let schema = batch(&[])?.schema();
            let mut writer = ArrowWriter::try_new(file, schema, Some(properties()))?;
            for rows in rows.chunks(BATCH) {
                writer.write(&batch(rows)?)?;
            }
            writer.into_inner()?;
            Ok(())
        };
        write().map_err(|error| Error::io(path)(into_io(error)))
    }

    fn paths<T>(&self, rows: &[&T], file: impl Fn(&T) -> Option<FileId>) -> ArrayRef {
        let none = self.graph.files.len();
        let mut keys = Int32Builder::with_capacity(rows.len());
        for row in rows {
            let index = file(row).map_or(none, |file| file.0 as usize).min(none);
            keys.append_value(index as i32);
        }
        match DictionaryArray::<Int32Type>::try_new(keys.finish(), Arc::clone(&self.paths)) {
            Ok(array) => Arc::new(array),
            // Cannot be: every key lies within the paths.
            Err(_) => Arc::new(StringArray::from_iter_values(rows.iter().map(|_| ""))),
        }
    }
}

fn properties() -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_max_row_group_row_count(Some(ROW_GROUP));
    for name in ["kind", "language", "file", "rule", "how", "confidence"] {
        properties = properties.set_column_dictionary_enabled(ColumnPath::from(name), true);
    }
    properties.build()
}

fn integers<T>(rows: &[&T], value: impl Fn(&T) -> i64) -> ArrayRef {
    Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| value(row))))
}

fn booleans<T>(rows: &[&T], value: impl Fn(&T) -> bool) -> ArrayRef {
    Arc::new(rows.iter().map(|row| Some(value(row))).collect::<BooleanArray>())
}

fn text<T>(rows: &[&T], value: impl Fn(&T) -> &str) -> ArrayRef {
    let bytes = rows.iter().map(|row| value(row).len()).sum();
    let mut builder = StringBuilder::with_capacity(rows.len(), bytes);
    for row in rows {
        builder.append_value(value(row));
    }
    Arc::new(builder.finish())
}

/// Text that takes few distinct values.
fn few<T>(rows: &[&T], value: impl Fn(&T) -> &'static str) -> ArrayRef {
    Arc::new(
        rows.iter()
            .map(|row| value(row))
            .collect::<DictionaryArray<Int32Type>>(),
    )
}

fn into_io(error: ParquetError) -> std::io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<std::io::Error>() {
            Ok(error) => *error,
            Err(source) => std::io::Error::other(source),
        },
        other => std::io::Error::other(other),
    }
}

#[cfg(test)]
mod tests {
    use ripple_schema::{edge, node};

    use super::*;

    fn check<T>(columns: &[Column<T>], schema: &[node::Property]) {
        let ours: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        let declared: Vec<&str> = schema.iter().map(|property| property.name).collect();
        assert_eq!(ours, declared);
    }

    #[test]
    fn columns_are_those_of_the_schema() {
        check(NODE, node::PROPERTIES);
        check(&EDGE[2..], edge::PROPERTIES);
        assert_eq!(
            EDGE.iter().take(2).map(|(name, _)| *name).collect::<Vec<_>>(),
            ["from", "to"]
        );
    }
}
