//! Walks the roots, picks each file's language, reads it, hashes it. The one file that reads source from disk.
//!
//! `.gitignore`, `.ignore` and `.rippleignore` are honoured, hidden folders are left out, symbolic links are not followed
//! (so a loop of links cannot hold the walk). A file that cannot be used is in the list all the same, with
//! [`FileStatus::Skipped`] and a diagnostic that says why: nothing disappears in silence.
//!
//! ```no_run
//! # use ripple_extractor::{discover, Options, Root};
//! let root = Root { path: "shop".into(), prefix: String::new() };
//! let files = discover::scan(&[root], &Options::default())?;
//! # Ok::<(), ripple_extractor::Error>(())
//! ```

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use ripple_schema::{Diagnostic, FileStatus, IndexedFile, Language};
use xxhash_rust::xxh3::xxh3_64;

use crate::{Error, Options, Root};

/// Name of the settings file in a root.
pub const CONFIG_FILE: &str = "ripple.toml";

/// A file that was found.
#[derive(Debug, Clone)]
pub struct Source {
    /// Its row in the graph.
    pub file: IndexedFile,
    /// The root it was found in.
    pub root: usize,
    /// Its path from that root, with `/`.
    pub relative: String,
    /// Its bytes; empty if it is skipped.
    pub text: Arc<[u8]>,
}

/// What a walk found.
#[derive(Debug, Default)]
pub struct Discovery {
    /// Source files, sorted by path.
    pub sources: Vec<Source>,
    /// `go.mod` files: root, folder from that root, text.
    pub go_modules: Vec<(usize, String, String)>,
    /// The Python package that each root is itself, by its dotted name.
    pub root_packages: Vec<Option<String>>,
    /// What could not be used.
    pub diagnostics: Vec<Diagnostic>,
}

/// Walks and hashes only: tells whether a work tree has moved on since it was indexed.
pub fn scan(roots: &[Root], options: &Options) -> Result<Vec<IndexedFile>, Error> {
    Ok(discover(roots, options)?
        .sources
        .into_iter()
        .map(|source| source.file)
        .collect())
}

/// Whether a path is one of a source file that would be read.
pub fn is_source(path: &str) -> bool {
    language_of(path).is_some()
}

/// The hash of a file's content, as [`IndexedFile::hash`] holds it.
pub fn content_hash(path: &Path) -> std::io::Result<u64> {
    std::fs::read(path).map(|bytes| xxh3_64(&bytes))
}

/// What lies below a root and is not ignored.
pub(crate) fn walk(root: &Root) -> Result<ignore::Walk, Error> {
    Ok(walker(root)?.build())
}

/// A walk of that kind, for whoever wants more of it.
pub(crate) fn walker(root: &Root) -> Result<ignore::WalkBuilder, Error> {
    std::fs::read_dir(&root.path).map_err(|source| Error::Root {
        path: root.path.clone(),
        source,
    })?;
    let mut walker = ignore::WalkBuilder::new(&root.path);
    walker
        .add_custom_ignore_filename(".rippleignore")
        .require_git(false)
        .follow_links(false);
    Ok(walker)
}

/// Walks, reads and hashes.
pub fn discover(roots: &[Root], options: &Options) -> Result<Discovery, Error> {
    let mut found = Discovery {
        root_packages: roots.iter().map(|root| package_name(&root.path)).collect(),
        ..Discovery::default()
    };
    let mut paths: Vec<(usize, String, PathBuf, Language)> = Vec::new();
    for (index, root) in roots.iter().enumerate() {
        let walk = walk(root)?;
        for entry in walk {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let message = format!("could not be walked: {error}");
                    found.diagnostics.push(diagnostic(&root.prefix, "unreadable", &message));
                    continue;
                }
            };
            if !entry.file_type().is_some_and(|kind| kind.is_file()) {
                continue;
            }
            let Some(relative) = relative_path(&root.path, entry.path()) else {
                // No graph could name it; the line in the status does as well as it can.
                let shown = entry
                    .path()
                    .strip_prefix(&root.path)
                    .unwrap_or(entry.path())
                    .to_string_lossy();
                if language_of(&shown).is_some() {
                    let shown = Path::new(&root.prefix).join(&*shown).display().to_string();
                    found.diagnostics.push(diagnostic(
                        &shown,
                        "not-utf8",
                        "its path is not UTF-8: not in the graph",
                    ));
                }
                continue;
            };
            if entry.file_name() == "go.mod" {
                let folder = relative.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
                if let Ok(text) = std::fs::read_to_string(entry.path()) {
                    found.go_modules.push((index, folder, text));
                }
            } else if let Some(language) = language_of(&relative) {
                paths.push((index, relative, entry.into_path(), language));
            }
        }
    }
    paths.sort_unstable_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    found.go_modules.sort_unstable();
    let read: Vec<(Source, Option<Diagnostic>)> = paths
        .into_par_iter()
        .map(|(root, relative, path, language)| {
            let shown = roots[root].shown(&relative);
            read(root, relative, shown, &path, language, options)
        })
        .collect();
    for (source, diagnostic) in read {
        found.sources.push(source);
        found.diagnostics.extend(diagnostic);
    }
    Ok(found)
}

fn read(
    root: usize,
    relative: String,
    shown: String,
    path: &Path,
    language: Language,
    options: &Options,
) -> (Source, Option<Diagnostic>) {
    let mut file = IndexedFile {
        path: shown,
        language,
        hash: 0,
        bytes: 0,
        lines: 0,
        status: FileStatus::Skipped,
    };
    let outcome = read_text(path, options, &mut file);
    let (text, diagnostic) = match outcome {
        Ok(text) => {
            file.status = FileStatus::Indexed;
            (text, None)
        }
        Err((code, message)) => (Arc::from(Vec::new()), Some(diagnostic(&file.path, code, &message))),
    };
    (
        Source {
            file,
            root,
            relative,
            text,
        },
        diagnostic,
    )
}

fn read_text(path: &Path, options: &Options, file: &mut IndexedFile) -> Result<Arc<[u8]>, (&'static str, String)> {
    let unreadable = |error: std::io::Error| ("unreadable", format!("cannot be read ({error}): not in the graph"));
    file.bytes = std::fs::metadata(path).map_err(unreadable)?.len();
    if file.bytes > options.max_file_bytes {
        // Size stands for content here: hashing a huge file on every look would cost more than it tells.
        file.hash = file.bytes;
        let message = format!(
            "larger than {} MB: not in the graph (raise the limit with --max-file-size, or name it in .rippleignore)",
            options.max_file_bytes >> 20
        );
        return Err(("too-large", message));
    }
    let bytes = std::fs::read(path).map_err(unreadable)?;
    file.bytes = bytes.len() as u64;
    file.hash = xxh3_64(&bytes);
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    match std::str::from_utf8(text) {
        Ok(_) if text.len() == bytes.len() => Ok(Arc::from(bytes)),
        Ok(_) => Ok(Arc::from(text)),
        Err(error) => {
            let line = bytes[..error.valid_up_to()]
                .iter()
                .filter(|byte| **byte == b'\n')
                .count()
                + 1;
            Err(("not-utf8", format!("line {line} is not UTF-8: not in the graph")))
        }
    }
}

fn diagnostic(path: &str, code: &str, message: &str) -> Diagnostic {
    Diagnostic {
        path: path.into(),
        line: 0,
        code: code.into(),
        message: message.into(),
    }
}

/// With `/`, whatever the system writes; none for a path that is not UTF-8 (no graph could name it).
pub(crate) fn relative_path(root: &Path, path: &Path) -> Option<String> {
    let relative = path.strip_prefix(root).ok()?;
    let parts: Option<Vec<&str>> = relative.components().map(|part| part.as_os_str().to_str()).collect();
    Some(parts?.join("/"))
}

fn language_of(path: &str) -> Option<Language> {
    match path.rsplit_once('.')?.1 {
        "py" | "pyi" => Some(Language::Python),
        "go" => Some(Language::Go),
        _ => None,
    }
}

/// The dotted name of a folder that is a Python package, by the folders around it: `site-packages/rich/_unicode_data` is
/// `rich._unicode_data`.
fn package_name(folder: &Path) -> Option<String> {
    let folder = folder.canonicalize().ok()?;
    let mut names: Vec<&str> = Vec::new();
    for around in folder
        .ancestors()
        .take_while(|around| around.join("__init__.py").is_file())
    {
        names.push(around.file_name()?.to_str()?);
    }
    names.reverse();
    let is_name = |name: &&str| name.chars().all(|letter| letter == '_' || letter.is_alphanumeric());
    (!names.is_empty() && names.iter().all(is_name)).then(|| names.join("."))
}
