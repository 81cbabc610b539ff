//! Asking who has the index open already.
//!
//! Opening a database of half a million nodes takes longer than most questions on it do. So whoever has it open for others, `ripple serve` or the
//! reader that an earlier command left behind ([`crate::serve::resident`]), listens on a socket in the index folder, and a command that asks
//! one [`Question`] goes there first:
//!
//! ```text
//! -> {"program": …, "generation": "000008", "question": …}
//! <- taken
//! <- {"text": …, "told": …}      or {"failed": "query_error", "text": …}
//! ```
//!
//! The listener takes a question only if it is of the same program, has the generation that is current, allows as much as was asked for, and
//! has a place at once; and it leaves unanswered what another process might answer better (its memory is short, its disk fails). Whatever
//! is not answered, the command answers by itself: nothing depends on a listener.
//!
//! Only its own user can ask: the socket's mode is 600, and each side looks who the other is. That user could read the index as well, so no
//! token is asked for.

use std::path::Path;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Error;
use crate::cli::question::{Question, Told};
use crate::error::Kind;

/// Name of the socket in the index folder.
pub const NAME: &str = "serve.sock";
/// Said when a question is taken.
pub const TAKEN: &[u8] = b"taken\n";
/// Asks who listens; answered with a [`Listener`].
pub const WHO: &[u8] = b"who\n";

/// Outcomes that are the same whoever answers.
const TOLD: [Kind; 6] = [
    Kind::Usage,
    Kind::Refused,
    Kind::Query,
    Kind::Parameter,
    Kind::NoMatch,
    Kind::Timeout,
];

/// What a command says.
#[derive(Debug, Serialize, Deserialize)]
pub struct Request<Q> {
    /// The program that it is, as [`program`] tells it.
    pub program: String,
    /// The generation that is current.
    pub generation: String,
    /// What it asks.
    pub question: Q,
}

/// Who has the index open and answers commands.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Listener {
    /// Number of its process.
    pub process: u32,
    /// The generation that it has open.
    pub generation: String,
    /// A resident reader: so many seconds after the last question it ends. A server stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resident_seconds: Option<f64>,
}

/// What becomes of a question.
pub enum Asked {
    /// Somebody had the index open, and answered.
    Answered(Result<(String, Told), Error>),
    /// Somebody listens, and leaves this question to the one who has it.
    Declined,
    /// Nobody listens.
    Nobody,
}

/// What the listener says to a question that it took.
#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    /// The answer as it goes to stdout, or the report of what went wrong.
    text: String,
    /// What there is to say about the answer.
    told: Option<Told>,
    /// Code of what went wrong.
    failed: Option<String>,
}

impl Reply {
    /// What an outcome is told as; `None` if the one who asked shall see for himself.
    pub fn of(outcome: Result<Told, Error>, text: Vec<u8>) -> Option<Self> {
        match outcome {
            Ok(told) => Some(Self {
                text: String::from_utf8(text).ok()?,
                told: Some(told),
                failed: None,
            }),
            Err(error) => TOLD.contains(&error.kind()).then(|| Self {
                text: error.report(),
                told: None,
                failed: Some(error.kind().outcome().code.into()),
            }),
        }
    }

    fn outcome(self) -> Option<Result<(String, Told), Error>> {
        match (self.told, self.failed) {
            (Some(told), None) => Some(Ok((self.text, told))),
            (None, Some(code)) => {
                let kind = TOLD.into_iter().find(|kind| kind.outcome().code == code)?;
                let report = self.text;
                Some(Err(Error::Relayed { kind, report }))
            }
            _ => None,
        }
    }
}

/// This program, told apart from every other version and build of it.
pub fn program() -> Option<String> {
    let about = std::env::current_exe().ok()?.metadata().ok()?;
    let changed = about.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(format!(
        "{} {} {}",
        env!("CARGO_PKG_VERSION"),
        about.len(),
        changed.as_nanos()
    ))
}

#[cfg(unix)]
pub use unix::{ask, who};

/// Nobody listens here.
#[cfg(not(unix))]
pub fn ask(_: &Path, _: &Question) -> Asked {
    Asked::Nobody
}

/// Nobody listens here.
#[cfg(not(unix))]
pub fn who(_: &Path) -> Option<Listener> {
    None
}

#[cfg(unix)]
mod unix {
    use std::io::{BufReader, BufWriter, Read as _, Write as _};
    use std::net::Shutdown;
    use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
    use std::os::unix::net::UnixStream;
    use std::time::Duration;

    use super::{Asked, Error, Listener, NAME, Path, Question, Reply, Request, TAKEN, Told, WHO, program};

    /// Longest that a listener may take to take a question: it does so at once, or not at all.
    const TAKING: Duration = Duration::from_millis(250);
    /// Longest that an answer may take past its own time limit.
    const PATIENCE: Duration = Duration::from_secs(5);

    /// Has somebody answer who has this index open, if there is one who takes the question.
    pub fn ask(index: &Path, question: &Question) -> Asked {
        match connect(index) {
            Some(stream) => answered(stream, index, question).map_or(Asked::Declined, Asked::Answered),
            None => Asked::Nobody,
        }
    }

    /// Who listens on this index; `None` too if it does not say so at once.
    pub fn who(index: &Path) -> Option<Listener> {
        let mut stream = connect(index)?;
        stream.write_all(WHO).ok()?;
        stream.shutdown(Shutdown::Write).ok()?;
        serde_json::from_reader(BufReader::new(stream)).ok()
    }

    /// Only to a process of the same user.
    fn connect(index: &Path) -> Option<UnixStream> {
        let path = index.join(NAME);
        let about = path.symlink_metadata().ok()?;
        if !about.file_type().is_socket() || about.uid() != rustix::process::geteuid().as_raw() {
            return None;
        }
        let stream = UnixStream::connect(path).ok()?;
        stream.set_write_timeout(Some(TAKING)).ok()?;
        stream.set_read_timeout(Some(TAKING)).ok()?;
        Some(stream)
    }

    fn answered(mut stream: UnixStream, index: &Path, question: &Question) -> Option<Result<(String, Told), Error>> {
        let request = Request {
            program: program()?,
            generation: ripple_graphdb::current_generation(index).ok()??,
            question,
        };
        let mut out = BufWriter::new(&stream);
        serde_json::to_writer(&mut out, &request).ok()?;
        out.flush().ok()?;
        drop(out);
        stream.shutdown(Shutdown::Write).ok()?;
        let mut taken = [0; TAKEN.len()];
        stream.read_exact(&mut taken).ok()?;
        if taken != TAKEN {
            return None;
        }
        let longest = question.limits().timeout.saturating_add(PATIENCE);
        stream.set_read_timeout(Some(longest)).ok()?;
        let reply: Reply = serde_json::from_reader(BufReader::new(stream)).ok()?;
        reply.outcome()
    }
}
