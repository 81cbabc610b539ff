//! `ripple index`: source on disk to a new generation of the index.
//!
//! The steps, in order: name the roots, take the writer's lock, extract, build. The index from before stays readable until
//! the last rename, so a run that is stopped anywhere leaves it as it was. Who has just indexed is about to ask: where nobody has the index open,
//! a reader stays behind for that.
//!
//! `ripple index api web/api` makes one graph of two roots; their files are `api/…` and `api-2/…`.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::ValueEnum;
use ripple_extractor::{Options, Root};
use ripple_graphdb::{Build, Document, RootEntry, Search, Together, Writer};

use super::progress::Stages;
use super::resident::{self, Resident};
use super::units::{bytes, count, parse_bytes, thousands};
use super::{Platform, format, say};
use crate::Error;
use crate::locate::IndexFolder;
use crate::retrieve::{history, models};
use crate::socket;
use crate::view::IndexReport;

/// Build the index of one or more folders
///
/// Several folders make one graph. The index from before stays readable until the new one is complete.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Folders to index
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    folder: IndexFolder,
    /// Say nothing but errors
    #[arg(long, short)]
    quiet: bool,
    /// Threads to use [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Memory for the load into the database [default: 400MB; 200 bytes an edge for more than two million of them]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<u64>,
    /// Read every file anew, and keep no facts for the next run
    #[arg(long)]
    no_cache: bool,
    /// Build the graph alone: nothing can be searched for then
    #[arg(long)]
    no_search: bool,
    /// What makes the vectors: folder of a model, or `endpoint` [default: the model that ships with ripple]
    #[arg(long, value_name = "DIR", env = "RIPPLE_EMBEDDER")]
    embedder: Option<PathBuf>,
    #[command(flatten)]
    platform: Platform,
    #[command(flatten)]
    resident: Resident,
    /// Tell how long each stage took and how much memory it needed
    #[arg(long)]
    timings: bool,
    /// `json` writes the whole report, timings included, to stdout
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    Text,
    Json,
}

const EXAMPLES: &str = "\
Examples:
  ripple index                            this folder, into ./.ripple
  ripple index api pipeline               two folders, one graph, into api/.ripple
  ripple index --index /var/ripple ~/shop into another folder
  ripple index --format json | jq .stages how long each stage took";

impl Arguments {
    pub(super) fn run(self) -> Result<(), Error> {
        prefer_small_pages();
        give_memory_back_soon();
        let began = Instant::now();
        let roots = roots(&self.paths)?;
        let Some(first) = roots.first() else {
            return Err(Error::Usage("name a folder to index".into()));
        };
        let index = self.folder.to_write(&first.path);
        let writer = Writer::acquire(&index)?;
        let stages = Stages::new(!self.quiet && io::stderr().is_terminal(), &index);
        let options = self.options(&index);
        let pool = self.pool()?;
        let embedder = || models::open(self.embedder.as_deref());
        // Before the work: a model that cannot be used is told at once. The one that ships can be, and takes its room only when it is needed.
        let named = (!self.no_search && self.embedder.is_some())
            .then(embedder)
            .transpose()?;
        let mut extraction =
            pool.install(|| ripple_extractor::extract(&roots, &options, &|step| stages.extraction(step)))?;
        let documents = if self.no_search { Vec::new() } else { documents(&roots)? };
        let mentions = ripple_extractor::mentions::find(&roots, &extraction.graph)?;
        let together = if self.no_search {
            Vec::new()
        } else {
            together(&roots, &extraction.graph.files)
        };
        history::link(&mut extraction.graph, &together);
        let embedder = match named {
            None if !self.no_search => Some(embedder()?),
            named => named,
        };
        let search = Search {
            embedder: embedder.as_deref(),
            documents: &documents,
            together: &together,
            graph_from: None,
        };
        let enough = load_memory(extraction.graph.edges.len());
        let build = Build {
            graph: &extraction.graph,
            sources: &extraction.sources,
            mentions: &mentions,
            roots: roots
                .iter()
                .map(|root| RootEntry {
                    path: root.path.clone(),
                    prefix: root.prefix.clone(),
                })
                .collect(),
            memory_bytes: self.memory.unwrap_or(enough),
            most_memory_bytes: self.memory.unwrap_or(enough * MORE_MEMORY),
            threads: pool.current_num_threads(),
            search: (!self.no_search).then_some(&search),
        };
        stages.loading();
        let manifest = writer.build(&build, &|step| stages.load(&step))?;
        let report = IndexReport::of(&index, &manifest, began.elapsed().as_secs_f64(), stages.finish());
        self.tell(&report)?;
        if socket::who(&index).is_none() {
            resident::leave(&index, self.resident.stays);
        }
        // The process ends: the system takes the memory back at once, and not row by row.
        std::mem::forget(extraction);
        Ok(())
    }

    fn options(&self, index: &Path) -> Options {
        let cache = (!self.no_cache).then(|| index.join("facts"));
        Options {
            cache,
            ..self.platform.options()
        }
    }

    fn pool(&self) -> Result<rayon::ThreadPool, Error> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.map_or(0, usize::from))
            // As much as a program's first thread has: source may nest deeply.
            .stack_size(8 << 20)
            .build()
            .map_err(|error| Error::Usage(format!("cannot start the threads: {error}; try a smaller --threads")))
    }

    fn tell(&self, report: &IndexReport) -> Result<(), Error> {
        if self.format == ReportFormat::Json {
            super::print(|out| format::json(out, report))?;
        }
        if self.timings {
            for stage in &report.stages {
                let memory = stage
                    .peak_memory_bytes
                    .map_or_else(String::new, |peak| format!(", {} at most so far", bytes(peak)));
                say(&format!("{:>9} {:8.2} s{memory}", stage.stage, stage.seconds));
            }
        }
        if !self.quiet {
            summary(report).iter().for_each(|line| say(line));
        }
        Ok(())
    }
}

/// How many times as much memory a load may take where that was too little.
const MORE_MEMORY: u64 = 8;

/// What the database may take while it loads so many edges, in bytes: with less it ends where one kind of edge is too many.
fn load_memory(edges: usize) -> u64 {
    const LEAST: u64 = 400 << 20;
    const EDGE: u64 = 200;
    LEAST.max(edges as u64 * EDGE)
}

/// READMEs and manuals.
fn documents(roots: &[Root]) -> Result<Vec<Document>, Error> {
    let found = ripple_extractor::documents::find(roots)?.into_iter();
    Ok(found
        .map(|found| Document {
            path: found.path,
            text: found.text,
        })
        .collect())
}

/// Files of each root that change together.
fn together(roots: &[Root], files: &[ripple_schema::IndexedFile]) -> Vec<Together> {
    let each = roots
        .iter()
        .flat_map(|root| history::together(&root.path, &root.prefix, files));
    each.collect()
}

/// The folders as the extractor wants them: absolute, none inside another, each with a prefix of its own.
fn roots(paths: &[PathBuf]) -> Result<Vec<Root>, Error> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for path in paths {
        let folder = folder(path)?;
        if folders.contains(&folder) {
            continue;
        }
        if let Some(other) = folders
            .iter()
            .find(|other| other.starts_with(&folder) || folder.starts_with(other))
        {
            let (inner, outer) = if other.starts_with(&folder) {
                (other, &folder)
            } else {
                (&folder, other)
            };
            let (inner, outer) = (inner.display(), outer.display());
            return Err(Error::Usage(format!(
                "{inner} lies inside {outer}; name only one of the two"
            )));
        }
        folders.push(folder);
    }
    let prefixes = prefixes(&folders);
    Ok(folders
        .into_iter()
        .zip(prefixes)
        .map(|(path, prefix)| Root { path, prefix })
        .collect())
}

fn folder(path: &Path) -> Result<PathBuf, Error> {
    let wrong = |source| ripple_extractor::Error::Root {
        path: path.to_path_buf(),
        source,
    };
    let folder = path.canonicalize().map_err(wrong)?;
    if !folder.is_dir() {
        return Err(wrong(io::ErrorKind::NotADirectory.into()).into());
    }
    Ok(folder)
}

/// Folder names, with a number where one was taken; nothing for a single root.
fn prefixes(folders: &[PathBuf]) -> Vec<String> {
    if let [_] = folders {
        return vec![String::new()];
    }
    let mut taken: Vec<String> = Vec::new();
    for folder in folders {
        let name = folder
            .file_name()
            .map_or_else(|| "root".into(), |name| name.to_string_lossy().into_owned());
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let free = std::iter::once(name.clone())
            .chain(numbered)
            .find(|name| !taken.contains(name));
        taken.extend(free);
    }
    taken
}

fn summary(report: &IndexReport) -> Vec<String> {
    let languages: Vec<_> = report
        .languages
        .iter()
        .map(|(name, files)| format!("{name} {}", thousands(*files)))
        .collect();
    let languages = if languages.is_empty() {
        String::new()
    } else {
        format!(" ({})", languages.join(", "))
    };
    let mut line = format!(
        "indexed {}, {} in {:.1} s{languages}: {}, {}",
        count(report.files, "file"),
        count(report.lines, "line"),
        report.seconds,
        count(report.nodes, "node"),
        count(report.relationships, "edge"),
    );
    let trouble = report.skipped + report.partial;
    if trouble > 0 {
        line.push_str(&format!(
            "; {} skipped or partial (ripple status --files)",
            count(trouble, "file")
        ));
    }
    let mut lines = vec![line];
    if report.files == 0 {
        lines.push("note: no source file of a known language was found there".into());
    }
    if report.dropped_relationships > 0 {
        let dropped = count(report.dropped_relationships, "edge");
        lines.push(format!(
            "note: {dropped} did not fit the schema and were left out; please report it, with what RUST_LOG=ripple_graphdb=debug says of them"
        ));
    }
    lines
}

/// Huge pages make a query from the command line start faster, and an index slower: it is many small things far apart.
fn prefer_small_pages() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::thread::disable_transparent_huge_pages(true) {
        tracing::debug!(%error, "huge pages stay on");
    }
}

/// What the allocator keeps of memory that was given back, in milliseconds: its own second is longer than most stages take, so that each
/// would begin with what the one before has left. It reads its settings when a process starts, and no later.
#[cfg(unix)]
const KEPT_FOR: (&str, &str) = ("MIMALLOC_PURGE_DELAY", "200");

/// Begins anew with [`KEPT_FOR`], in the same process; goes on as it is where that cannot be, or somebody has set it.
fn give_memory_back_soon() {
    #[cfg(unix)]
    if let (None, Ok(program)) = (std::env::var_os(KEPT_FOR.0), std::env::current_exe()) {
        use std::os::unix::process::CommandExt;

        let mut given = std::env::args_os();
        let mut anew = std::process::Command::new(&program);
        anew.arg0(given.next().unwrap_or_else(|| program.into()));
        let error = anew.args(given).env(KEPT_FOR.0, KEPT_FOR.1).exec();
        tracing::debug!(%error, "memory is given back later");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_told_apart() {
        let check = |paths: &[&str], expected: &[&str]| {
            let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            assert_eq!(prefixes(&paths), expected);
        };
        check(&["/a/api"], &[""]);
        check(&["/a/api", "/b/web"], &["api", "web"]);
        check(
            &["/a/api", "/b/api", "/c/api-2", "/d/api"],
            &["api", "api-2", "api-2-2", "api-3"],
        );
        check(&["/", "/x"], &["root", "x"]);
    }

    #[test]
    fn roots_are_folders_and_none_is_inside_another() -> io::Result<()> {
        let dir = tempfile::tempdir()?;
        let inner = dir.path().join("inner");
        std::fs::create_dir(&inner)?;
        let file = dir.path().join("file.py");
        std::fs::write(&file, "")?;
        let outer = dir.path().to_path_buf();
        assert_eq!(
            roots(&[outer.clone(), outer.clone()]).map(|roots| roots.len()).ok(),
            Some(1)
        );
        assert!(matches!(roots(&[outer.clone(), inner.clone()]), Err(Error::Usage(_))));
        assert!(matches!(roots(&[inner, outer.clone()]), Err(Error::Usage(_))));
        assert!(matches!(roots(&[file]), Err(Error::Extract(_))));
        assert!(matches!(roots(&[outer.join("absent")]), Err(Error::Extract(_))));
        Ok(())
    }

    #[test]
    fn the_summary_is_one_line() {
        let mut report = IndexReport {
            index: String::new(),
            generation: "1".into(),
            files: 2902,
            lines: 473_701,
            languages: [("python".to_owned(), 2902)].into(),
            partial: 10,
            skipped: 2,
            nodes: 350_123,
            relationships: 1,
            dropped_relationships: 0,
            database_bytes: 1,
            seconds: 11.23,
            stages: Vec::new(),
            peak_memory_bytes: None,
        };
        let expected = "indexed 2,902 files, 473,701 lines in 11.2 s (python 2,902): 350,123 nodes, 1 edge; \
                        12 files skipped or partial (ripple status --files)";
        assert_eq!(summary(&report), [expected]);
        report.files = 0;
        report.dropped_relationships = 1;
        assert_eq!(summary(&report).len(), 3);
    }
}
