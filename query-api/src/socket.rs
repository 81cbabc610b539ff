//! Asking the server that has the index open already.
//!
//! Opening a database of half a million nodes takes longer than most questions on it do. So `ripple serve` listens on a socket in the index
//! folder too, and a command that asks one [`Question`] goes there first:
//!
//! ```text
//! -> {"program": …, "generation": "000008", "question": …}
//! <- taken
//! <- {"text": …, "told": …}      or {"failed": "query_error", "text": …}
//! ```
//!
//! The server takes a question only if it is of the same program, has the generation that is current, allows as much as was asked for, and
//! has a place at once; and it leaves unanswered what another process might answer better (its memory is short, its disk fails). Whatever
//! is not answered, the command answers by itself: nothing depends on a server.
//!
//! Only its own user can ask: the socket's mode is 600, and each side looks who the other is. That user could read the index as well, so no
//! token is asked for.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::cli::question::{Question, Told};
use crate::error::Kind;

/// Name of the socket in the index folder.
pub const NAME: &str = "serve.sock";
/// Said when a question is taken.
pub const TAKEN: &[u8] = b"taken\n";

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

/// What the server says to a question that it took.
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

/// The answer of a server that runs on this index; `None` if there is none that takes the question.
#[cfg(unix)]
pub fn ask(index: &Path, question: &Question) -> Option<Result<(String, Told), Error>> {
    use std::io::{BufReader, BufWriter, Read as _, Write as _};
    use std::net::Shutdown;
    use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
    use std::os::unix::net::UnixStream;
    use std::time::Duration;

    /// Longest that the server may take to take a question: it does so at once, or not at all.
    const TAKING: Duration = Duration::from_millis(250);
    /// Longest that an answer may take past its own time limit.
    const PATIENCE: Duration = Duration::from_secs(5);

    let path = index.join(NAME);
    let about = path.symlink_metadata().ok()?;
    if !about.file_type().is_socket() || about.uid() != rustix::process::geteuid().as_raw() {
        return None;
    }
    let request = Request {
        program: program()?,
        generation: ripple_graphdb::current_generation(index).ok()??,
        question,
    };
    let mut stream = UnixStream::connect(path).ok()?;
    stream.set_write_timeout(Some(TAKING)).ok()?;
    stream.set_read_timeout(Some(TAKING)).ok()?;
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

/// Servers are not asked here.
#[cfg(not(unix))]
pub fn ask(_: &Path, _: &Question) -> Option<Result<(String, Told), Error>> {
    None
}
