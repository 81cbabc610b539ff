//! [`Error`]: what went wrong, where, and what to do about it.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::guard::Refusal;

/// Everything that can go wrong between a caller and the store.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Another process is building into this index folder.
    #[error("{} is being written by another process{}; wait for it to end", dir.display(), told(pid))]
    Busy {
        /// The index folder.
        dir: PathBuf,
        /// The other process, if it could be read.
        pid: Option<u32>,
    },
    /// Nothing has been built in this folder.
    #[error("no index in {}; run `ripple index` first", dir.display())]
    NoIndex {
        /// The index folder.
        dir: PathBuf,
    },
    /// The index was built by another version.
    #[error("the index in {} has format {found}, this program reads format {expected}; run `ripple index` again", dir.display())]
    Format {
        /// The index folder.
        dir: PathBuf,
        /// Version found in the manifest.
        found: u32,
        /// Version that this program reads and writes.
        expected: u32,
    },
    /// A file of the index cannot be understood.
    #[error("{} is damaged ({message}); run `ripple index` again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// The guard does not let this query pass.
    #[error("{reason}: `{}` at byte {}", text.get(span.clone()).unwrap_or_default(), span.start)]
    Refused {
        /// Why, as a fragment.
        reason: String,
        /// The offending part of `text`, in bytes.
        span: Range<usize>,
        /// The whole query.
        text: String,
    },
    /// The query is none, the engine does not understand it, or failed while it ran.
    #[error("{message}")]
    Engine {
        /// The engine's own words.
        message: String,
        /// The part of the query that they are about, in bytes, if the engine says.
        span: Option<Range<usize>>,
    },
    /// The query did not end in time.
    #[error("the query ran longer than {limit:?}; narrow it, or allow it more time")]
    Timeout {
        /// The limit that it passed.
        limit: Duration,
    },
    /// Queries that passed their limit and that the engine cannot stop take every place.
    #[error("{running} queries that passed their time limit are still running; try again later")]
    Overloaded {
        /// How many.
        running: usize,
    },
    /// The query, or opening the graph for it, needs more memory than it may have.
    #[error("the query needs more than {} MB of memory; narrow it, return fewer rows, or allow it more", limit >> 20)]
    Memory {
        /// The limit that it passed, in bytes.
        limit: u64,
    },
    /// A parameter is missing, unknown, or of a kind that cannot be passed.
    #[error("parameter ${name}: {message}")]
    Parameter {
        /// Name, without `$`.
        name: String,
        /// What is wrong with it.
        message: String,
    },
    /// An embedding model cannot be used.
    #[error("the embedding model in {place} cannot be used: {message}")]
    Model {
        /// Folder or address.
        place: String,
        /// What is wrong with it.
        message: String,
    },
    /// The vectors of the index were made by another model.
    #[error(
        "the vectors of this index were made by {index}, not by {given}; ask with that model, or run `ripple index` again"
    )]
    ModelMismatch {
        /// The model that made them.
        index: String,
        /// The model of the question.
        given: String,
    },
    /// A filter of a search makes no sense.
    #[error("the filter `{text}` cannot be read: {message}")]
    Filter {
        /// The filter.
        text: String,
        /// What is wrong with it.
        message: String,
    },
    /// The disk, or what stands on it.
    #[error("{}: {source}{}", path.display(), advice(source))]
    Io {
        /// File or folder.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
}

impl Error {
    /// Ready for `map_err`: the error of an operation on this path.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { path, source }
    }

    /// Whether the disk, a quota or a file-size limit is used up.
    pub fn is_disk_full(&self) -> bool {
        matches!(self, Self::Io { source, .. } if is_full(source))
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        if refusal.malformed {
            return Self::Engine {
                message: refusal.reason,
                span: Some(refusal.span),
            };
        }
        Self::Refused {
            reason: refusal.reason,
            span: refusal.span,
            text: refusal.text,
        }
    }
}

/// The kinds of error that mean: nothing more fits.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    )
}

fn advice(error: &io::Error) -> &'static str {
    if is_full(error) {
        "; free some space there, or put the index elsewhere: the index from before is untouched"
    } else {
        ""
    }
}

fn told(pid: &Option<u32>) -> String {
    pid.map_or_else(String::new, |pid| format!(" (pid {pid})"))
}
