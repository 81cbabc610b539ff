//! [`Error`]: everything that can go wrong at the doors, and the one map from it to exit codes and HTTP statuses.
//!
//! `ripple cypher "MATCH (n) DELETE n"` ends with exit code 4, and the same text over REST with status 403, because both
//! are [`Kind::Refused`]:
//!
//! ```
//! use ripple_query_api::error::Kind;
//! assert_eq!(Kind::Refused.outcome().exit, 4);
//! assert_eq!(Kind::Refused.outcome().status, 403);
//! ```

use std::fmt::Write as _;
use std::io;
use std::ops::Range;
use std::path::PathBuf;

use crate::caret;

/// What went wrong, where, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The command line, a setting or a request asks for something that makes no sense.
    #[error("{0}")]
    Usage(String),
    /// No folder above holds an index.
    #[error(
        "no index in {} or any folder above it; run `ripple index` there, or name the index with --index",
        start.display()
    )]
    NowhereIndexed {
        /// Where the search began.
        start: PathBuf,
    },
    /// A parameter cannot be read.
    #[error("parameter ${name}: {message}")]
    Parameter {
        /// Name, without `$`.
        name: String,
        /// What is wrong with it.
        message: String,
    },
    /// A target that means nothing in this index.
    #[error("nothing in the index is called `{target}`{}", told(near))]
    NoMatch {
        /// What was asked for.
        target: String,
        /// Names that are near to it.
        near: Vec<String>,
    },
    /// More results than the caller allows.
    #[error("{found} results are more than {most}")]
    Over {
        /// How many there are.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// The store, outside of a query.
    #[error(transparent)]
    Store(#[from] ripple_graphdb::Error),
    /// The store, on a query.
    #[error("{source}")]
    Query {
        /// The query.
        text: String,
        /// What the store says.
        source: ripple_graphdb::Error,
    },
    /// The extractor.
    #[error(transparent)]
    Extract(#[from] ripple_extractor::Error),
    /// A file, a pipe or a socket.
    #[error("{what}: {source}")]
    Io {
        /// What was tried, with its address.
        what: String,
        /// The system's answer.
        source: io::Error,
    },
    /// A request without the token, or with another one.
    #[error("{0}")]
    Unauthorized(&'static str),
    /// A request that names a host which this server does not answer for.
    #[error("this server does not answer for host `{0}`; start it with --allow-host to add a name")]
    Host(String),
    /// Nothing is served there.
    #[error("{0}")]
    NotFound(String),
    /// That path is served, but not with this method.
    #[error("this path does not answer {0}; /openapi.json lists what does")]
    Method(String),
    /// A body of another type than the route reads.
    #[error("content type `{0}` is not read here; send application/json")]
    MediaType(String),
    /// A body past the limit.
    #[error(
        "the body is larger than {limit} bytes; send less, or put long values into parameters one request at a time"
    )]
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// Every place for a query is taken, and so is every place to wait for one.
    #[error("too many queries are waiting; try again in a moment")]
    Overloaded,
    /// The language model.
    #[error(transparent)]
    Llm(#[from] crate::llm::LlmError),
    /// What another process of ours says about the question that it was asked for this one.
    #[error("{report}")]
    Relayed {
        /// What can be done about it.
        kind: Kind,
        /// The whole story, as [`Error::report`] tells it.
        report: String,
    },
    /// A fault of ours.
    #[error("internal fault: {0}; please report it")]
    Internal(String),
}

/// Errors by what can be done about them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Ask for something else.
    Usage,
    /// Build an index.
    NoIndex,
    /// Build the index again.
    Format,
    /// The guard refused the query: rewrite it so that it only reads the graph.
    Refused,
    /// The engine does not understand the query, or failed in it: rewrite it.
    Query,
    /// Pass other parameters.
    Parameter,
    /// Name something that is in the index.
    NoMatch,
    /// Accept the change, or raise the threshold.
    Over,
    /// Narrow the query or allow more time.
    Timeout,
    /// Narrow the query or allow more memory.
    Memory,
    /// See to disk, permissions or network.
    Io,
    /// Wait for the other `ripple index`.
    Busy,
    /// Send the token.
    Unauthorized,
    /// Use a host name that the server knows.
    Host,
    /// Use another path.
    NotFound,
    /// Use another method.
    Method,
    /// Send another content type.
    MediaType,
    /// Send less.
    TooLarge,
    /// Name another model, or see to the one that is named.
    Model,
    /// Try again later.
    Overloaded,
    /// See to the language model, or ask without.
    Llm,
    /// Report it.
    Internal,
}

/// How a [`Kind`] shows at each door.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Exit code of the process.
    pub exit: u8,
    /// HTTP status.
    pub status: u16,
    /// `error.code` in our REST.
    pub code: &'static str,
    /// `errors[].code` in the shape of Neo4j's Query API.
    pub neo4j: &'static str,
}

/// The exit codes, as `ripple --help` tells them. A test holds them against [`Kind::outcome`].
pub const EXIT_CODES: &str = "\
Exit codes:
   0  done
   1  the answer is no: more results than `--fail-over` allows
   2  the command line makes no sense
   3  there is no index, or it was built by another version: run `ripple index`
   4  the query was refused: only queries that read the graph may pass
   5  the query or one of its parameters is wrong, or names what is not in the index
   6  the query passed its time or memory limit
   7  a file, the disk or the network failed
   8  another `ripple index` is writing this index
   9  a model cannot be used
  70  a fault of Ripple itself";

impl Kind {
    /// The one map from errors to what each door says.
    pub const fn outcome(self) -> Outcome {
        let (exit, status, code, neo4j) = match self {
            Self::Usage => (2, 400, "bad_request", "Neo.ClientError.Request.InvalidFormat"),
            Self::NoIndex => (3, 503, "no_index", "Neo.TransientError.General.DatabaseUnavailable"),
            Self::Format => (3, 503, "index_format", "Neo.TransientError.General.DatabaseUnavailable"),
            Self::Refused => (4, 403, "query_refused", "Neo.ClientError.Statement.AccessMode"),
            Self::Query => (5, 400, "query_error", "Neo.ClientError.Statement.SyntaxError"),
            Self::Parameter => (5, 422, "bad_parameter", "Neo.ClientError.Statement.TypeError"),
            Self::NoMatch => (5, 404, "no_match", "Neo.ClientError.Statement.EntityNotFound"),
            Self::Over => (1, 422, "over_threshold", "Neo.ClientError.Request.Invalid"),
            Self::Timeout => (6, 504, "timeout", "Neo.ClientError.Transaction.TransactionTimedOut"),
            Self::Memory => (
                6,
                507,
                "memory_limit",
                "Neo.TransientError.General.MemoryPoolOutOfMemoryError",
            ),
            Self::Io => (7, 500, "io", "Neo.DatabaseError.General.UnknownError"),
            Self::Busy => (8, 503, "busy", "Neo.TransientError.General.DatabaseUnavailable"),
            Self::Unauthorized => (2, 401, "unauthorized", "Neo.ClientError.Security.Unauthorized"),
            Self::Host => (2, 421, "unknown_host", "Neo.ClientError.Request.Invalid"),
            Self::NotFound => (2, 404, "not_found", "Neo.ClientError.Database.DatabaseNotFound"),
            Self::Method => (2, 405, "method_not_allowed", "Neo.ClientError.Request.Invalid"),
            Self::MediaType => (
                2,
                415,
                "unsupported_media_type",
                "Neo.ClientError.Request.InvalidFormat",
            ),
            Self::TooLarge => (2, 413, "body_too_large", "Neo.ClientError.Request.Invalid"),
            Self::Model => (9, 502, "model", "Neo.DatabaseError.General.UnknownError"),
            Self::Overloaded => (8, 503, "overloaded", "Neo.TransientError.Request.NoThreadsAvailable"),
            Self::Llm => (7, 502, "model_failed", "Neo.TransientError.General.UnknownError"),
            Self::Internal => (70, 500, "internal", "Neo.DatabaseError.General.UnknownError"),
        };
        Outcome {
            exit,
            status,
            code,
            neo4j,
        }
    }
}

impl Error {
    /// What can be done about it.
    pub fn kind(&self) -> Kind {
        use ripple_graphdb::Error as Store;
        match self {
            Self::Usage(_) => Kind::Usage,
            Self::NowhereIndexed { .. } => Kind::NoIndex,
            Self::Parameter { .. } => Kind::Parameter,
            Self::NoMatch { .. } => Kind::NoMatch,
            Self::Over { .. } => Kind::Over,
            Self::Io { .. } => Kind::Io,
            Self::Unauthorized(_) => Kind::Unauthorized,
            Self::Host(_) => Kind::Host,
            Self::NotFound(_) => Kind::NotFound,
            Self::Method(_) => Kind::Method,
            Self::MediaType(_) => Kind::MediaType,
            Self::TooLarge { .. } => Kind::TooLarge,
            Self::Overloaded => Kind::Overloaded,
            Self::Llm(_) => Kind::Llm,
            Self::Relayed { kind, .. } => *kind,
            Self::Internal(_) => Kind::Internal,
            Self::Extract(ripple_extractor::Error::Root { .. }) => Kind::Io,
            Self::Extract(ripple_extractor::Error::Config { .. }) => Kind::Usage,
            // Without a query there is nobody to write a better one.
            Self::Store(Store::Engine { .. }) => Kind::Internal,
            Self::Store(error) | Self::Query { source: error, .. } => match error {
                Store::Busy { .. } => Kind::Busy,
                Store::NoIndex { .. } => Kind::NoIndex,
                Store::Format { .. } | Store::Damaged { .. } => Kind::Format,
                Store::Refused { .. } => Kind::Refused,
                Store::Engine { .. } => Kind::Query,
                Store::Overloaded { .. } => Kind::Overloaded,
                Store::Timeout { .. } => Kind::Timeout,
                Store::Memory { .. } => Kind::Memory,
                Store::Parameter { .. } => Kind::Parameter,
                Store::Filter { .. } => Kind::Usage,
                Store::Model { .. } | Store::ModelMismatch { .. } => Kind::Model,
                Store::Io { .. } => Kind::Io,
            },
        }
    }

    /// The part of the query that it is about, in bytes.
    pub fn span(&self) -> Option<Range<usize>> {
        use ripple_graphdb::Error as Store;
        match self {
            Self::Query {
                source: Store::Refused { span, .. },
                ..
            } => Some(span.clone()),
            Self::Query {
                source: Store::Engine { span, .. },
                ..
            } => span.clone(),
            _ => None,
        }
    }

    /// What to do about it, where the message does not say so already.
    pub fn hint(&self) -> Option<&'static str> {
        match self.kind() {
            Kind::Query => Some("`ripple schema` and GET /api/v1/schema list labels, relationships and properties"),
            Kind::Unauthorized => Some("send `Authorization: Bearer <token>`, or Basic with the token as password"),
            _ => None,
        }
    }

    /// Whether the reader of our output went away: the end of the work, and no fault.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }

    /// The whole story for a terminal: message, the query with a caret line under the span, hint.
    pub fn report(&self) -> String {
        if let Self::Relayed { report, .. } = self {
            return report.clone();
        }
        let mut text = format!("error: {self}");
        if let (Self::Query { text: query, .. }, Some(span)) = (self, self.span()) {
            let _ = write!(text, "\n{}", caret::underline(query, &span));
        }
        if let Some(hint) = self.hint() {
            let _ = write!(text, "\nhint: {hint}");
        }
        text
    }
}

/// Near names, as the end of a sentence.
fn told(near: &[String]) -> String {
    match near {
        [] => String::new(),
        near => format!("; near are `{}`", near.join("`, `")),
    }
}

/// Ready for `map_err`: what was tried.
pub fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Error {
    let what = what.into();
    move |source| Error::Io { what, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Kind; 22] = [
        Kind::Usage,
        Kind::NoIndex,
        Kind::Format,
        Kind::Refused,
        Kind::Query,
        Kind::Parameter,
        Kind::NoMatch,
        Kind::Over,
        Kind::Timeout,
        Kind::Memory,
        Kind::Io,
        Kind::Busy,
        Kind::Unauthorized,
        Kind::Host,
        Kind::NotFound,
        Kind::Method,
        Kind::MediaType,
        Kind::TooLarge,
        Kind::Model,
        Kind::Overloaded,
        Kind::Llm,
        Kind::Internal,
    ];

    #[test]
    fn every_exit_code_is_told_in_the_help() {
        for kind in ALL {
            let exit = kind.outcome().exit;
            assert!(
                EXIT_CODES.lines().any(|line| line.starts_with(&format!("{exit:>4}  "))),
                "{kind:?}: {exit}"
            );
        }
    }

    #[test]
    fn codes_are_told_apart() {
        let mut codes: Vec<_> = ALL.iter().map(|kind| kind.outcome().code).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), ALL.len());
    }

    #[test]
    fn a_refusal_shows_the_text_with_carets() {
        let text = "LOAD FROM '/etc/passwd' RETURN *";
        let reason = "this clause reads files".into();
        let source = ripple_graphdb::Error::Refused {
            reason,
            span: 0..9,
            text: text.into(),
        };
        let error = Error::Query {
            text: text.into(),
            source,
        };
        let report = error.report();
        assert!(
            report.ends_with("1 | LOAD FROM '/etc/passwd' RETURN *\n  | ^^^^^^^^^"),
            "{report}"
        );
        assert_eq!(error.kind().outcome().exit, 4);
    }
}
