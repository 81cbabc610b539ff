//! `ripple status`: what the index holds, what it left out and why, and whether the source has moved on.
//!
//! ```text
//! files   language  indexed  partial  skipped  lines
//!         go             11        1        0  1,204
//! calls   language  resolved      external      unresolved
//!         go        310 (62.0 %)  150 (30.0 %)  40 (8.0 %)
//! ```

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueEnum;

use super::units::{ago, bytes, thousands};
use super::{Platform, format};
use crate::Error;
use crate::locate::IndexFolder;
use crate::socket::Listener;
use crate::view::{CallsView, FilesView, Status, WorkTree};

/// Show what the index holds, and whether the source has moved on
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Folder to find the index from
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    #[command(flatten)]
    folder: IndexFolder,
    /// List every file that was skipped or read in part, and every file that changed since
    #[arg(long)]
    files: bool,
    /// Do not compare with the source on disk
    #[arg(long)]
    no_walk: bool,
    #[command(flatten)]
    platform: Platform,
    /// `json` writes plain numbers
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// Paths shown of each list, unless all are asked for.
const SHOWN: usize = 10;

impl Arguments {
    pub(super) fn run(self) -> Result<(), Error> {
        let index = self.folder.to_read(&self.path)?;
        let reader = ripple_graphdb::open(&index)?;
        let mut status = Status::of(&index, &reader, self.files)?;
        if !self.no_walk {
            status.compare(&reader, &self.platform.options());
        }
        super::print(|out| match self.format {
            Format::Text => text(out, &status, self.files),
            Format::Json => format::json(out, &status),
        })
    }
}

fn text(out: &mut dyn Write, status: &Status, all: bool) -> io::Result<()> {
    let built = format!(
        "{}, built {} by ripple {}",
        status.generation,
        ago(status.age_seconds),
        status.ripple_version
    );
    line(out, "index", &status.index)?;
    line(out, "generation", &format!("{built}, {}", bytes(status.database_bytes)))?;
    for root in &status.roots {
        let prefix = if root.prefix.is_empty() {
            String::new()
        } else {
            format!(" as {}/", root.prefix)
        };
        line(out, "root", &format!("{}{prefix}", root.path))?;
    }
    match &status.listener {
        Some(Listener {
            process,
            resident_seconds: Some(seconds),
            ..
        }) => {
            let told = format!("process {process} answers commands, and ends {seconds} s after the last");
            line(out, "resident", &told)?;
        }
        Some(Listener { process, .. }) => line(out, "server", &format!("process {process} answers commands"))?,
        None => {}
    }
    section(out, "files", &files(&status.files))?;
    section(out, "nodes", &counts("label", &status.nodes))?;
    section(out, "edges", &counts("type", &status.relationships))?;
    section(out, "calls", &calls(&status.calls))?;
    section(out, "trouble", &counts("reason", &status.troubles))?;
    for trouble in status.files_in_trouble.iter().flatten() {
        writeln!(
            out,
            "  {}:{}: {}: {}",
            trouble.path, trouble.line, trouble.code, trouble.message
        )?;
    }
    writeln!(out)?;
    match (&status.work_tree, &status.work_tree_error) {
        (Some(tree), _) => work_tree(out, tree, all),
        (None, Some(error)) => line(out, "work tree", &format!("not compared: {error}")),
        (None, None) => Ok(()),
    }
}

fn work_tree(out: &mut dyn Write, tree: &WorkTree, all: bool) -> io::Result<()> {
    if !tree.moved_on {
        return line(out, "work tree", "as indexed");
    }
    let lists = [
        ("changed", &tree.changed),
        ("added", &tree.added),
        ("removed", &tree.removed),
    ];
    let told: Vec<_> = lists
        .iter()
        .map(|(what, paths)| format!("{} {what}", thousands(paths.len() as u64)))
        .collect();
    line(
        out,
        "work tree",
        &format!("has moved on: {}; run `ripple index`", told.join(", ")),
    )?;
    for (what, paths) in lists {
        let shown = if all { paths.len() } else { SHOWN };
        for path in paths.iter().take(shown) {
            writeln!(out, "  {what:<8} {path}")?;
        }
        if paths.len() > shown {
            writeln!(
                out,
                "  {what:<8} … and {} more (--files lists all)",
                thousands((paths.len() - shown) as u64)
            )?;
        }
    }
    Ok(())
}

fn line(out: &mut dyn Write, name: &str, value: &str) -> io::Result<()> {
    writeln!(out, "{name:<11} {value}")
}

/// A heading, and rows whose first column stands left and whose other columns stand right. Nothing, if there is nothing
/// below the row of names.
fn section(out: &mut dyn Write, name: &str, rows: &[Vec<String>]) -> io::Result<()> {
    let [names, _, ..] = rows else { return Ok(()) };
    let width = |at: usize| {
        rows.iter()
            .filter_map(|row| row.get(at))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..names.len()).map(width).collect();
    writeln!(out, "\n{name}")?;
    for row in rows {
        let mut text = String::from(" ");
        for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
            text.push_str(&if at == 0 {
                format!(" {cell:<width$}")
            } else {
                format!("  {cell:>width$}")
            });
        }
        writeln!(out, "{}", text.trim_end())?;
    }
    Ok(())
}

fn files(files: &[FilesView]) -> Vec<Vec<String>> {
    let mut languages: BTreeMap<&str, [u64; 4]> = BTreeMap::new();
    for entry in files {
        let row = languages.entry(&entry.language).or_default();
        match entry.status {
            "indexed" => row[0] += entry.files,
            "partial" => row[1] += entry.files,
            _ => row[2] += entry.files,
        }
        row[3] += entry.lines;
    }
    let header = ["language", "indexed", "partial", "skipped", "lines"]
        .map(str::to_owned)
        .to_vec();
    let rows = languages.into_iter().map(|(language, numbers)| {
        std::iter::once(language.to_owned())
            .chain(numbers.map(thousands))
            .collect()
    });
    std::iter::once(header).chain(rows).collect()
}

fn counts(name: &str, counts: &BTreeMap<String, u64>) -> Vec<Vec<String>> {
    let header = vec![name.to_owned(), format!("{} in all", thousands(counts.values().sum()))];
    let rows = counts
        .iter()
        .map(|(name, number)| vec![name.clone(), thousands(*number)]);
    std::iter::once(header).chain(rows).collect()
}

fn calls(calls: &BTreeMap<String, CallsView>) -> Vec<Vec<String>> {
    let header = ["language", "resolved", "external", "unresolved"]
        .map(str::to_owned)
        .to_vec();
    let share = |number: u64, percent: f64| format!("{} ({percent:.1} %)", thousands(number));
    let rows = calls.iter().map(|(language, calls)| {
        vec![
            language.clone(),
            share(calls.resolved, calls.resolved_percent),
            share(calls.external, calls.external_percent),
            share(calls.unresolved, calls.unresolved_percent),
        ]
    });
    std::iter::once(header).chain(rows).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Status {
        Status {
            index: "/src/shop/.ripple".into(),
            generation: "000003".into(),
            ripple_version: "0.1.0".into(),
            created: 0,
            age_seconds: 7300,
            database_bytes: 3 << 20,
            roots: Vec::new(),
            nodes: [("Function".to_owned(), 1200), ("Key".to_owned(), 3)].into(),
            relationships: BTreeMap::new(),
            files: vec![FilesView {
                language: "go".into(),
                status: "partial",
                files: 1,
                lines: 1204,
                bytes: 1,
            }],
            troubles: [("syntax".to_owned(), 1)].into(),
            calls: BTreeMap::new(),
            listener: Some(Listener {
                process: 7,
                generation: "000003".into(),
                resident_seconds: Some(60.0),
            }),
            files_in_trouble: None,
            work_tree: Some(WorkTree {
                moved_on: true,
                changed: vec!["a.go".into(); 12],
                ..WorkTree::default()
            }),
            work_tree_error: None,
        }
    }

    fn written(all: bool) -> String {
        let mut out = Vec::new();
        assert!(text(&mut out, &sample(), all).is_ok());
        String::from_utf8(out).unwrap_or_default()
    }

    #[test]
    fn it_reads_well() {
        let text = written(false);
        for expected in [
            "generation  000003, built 2 h ago by ripple 0.1.0, 3.0 MB\n",
            "resident    process 7 answers commands, and ends 60 s after the last\n",
            "nodes\n  label     1,203 in all\n  Function         1,200\n",
            "  language  indexed  partial  skipped  lines\n  go              0        1        0  1,204\n",
            "work tree   has moved on: 12 changed, 0 added, 0 removed; run `ripple index`\n",
            "  changed  … and 2 more (--files lists all)\n",
        ] {
            assert!(text.contains(expected), "missing {expected:?} in\n{text}");
        }
    }

    #[test]
    fn all_files_are_listed_when_asked_for() {
        assert_eq!(written(true).matches("  changed  a.go\n").count(), 12);
    }
}
