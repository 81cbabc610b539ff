//! The socket in the index folder, over which commands of the same user ask ([`crate::socket`] tells how).
//!
//! It is there while the server runs. A server that was killed leaves it behind; nobody answers on it then, and the next server takes its
//! place. Where the folder cannot be written to, or its path is too long for a socket, there is none.

use std::fs::{self, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tokio::net::UnixListener;
use tracing::{debug, info};

use super::{BODY_LIMIT, Shared};
use crate::cli::question::Question;
use crate::socket::{NAME, Reply, Request, TAKEN, program};

/// Longest that one who asks may take to ask.
const ASKING: Duration = Duration::from_secs(1);
/// Longest that one who asked may take to read on.
const READING: Duration = Duration::from_secs(30);

/// The file, removed with the value.
pub struct Socket(PathBuf);

impl Drop for Socket {
    fn drop(&mut self) {
        // Where it stays, it is found dead.
        let _ = fs::remove_file(&self.0);
    }
}

/// Begins to listen; not where another server does, nor where that cannot be.
pub fn listen(server: &Shared) -> Option<Socket> {
    let path = server.settings.index.join(NAME);
    match bind(&path) {
        Ok(Some(listener)) => {
            tokio::spawn(accept(listener, server.clone()));
            Some(Socket(path))
        }
        Ok(None) => {
            debug!("commands ask another server");
            None
        }
        Err(error) => {
            debug!(%error, "commands cannot ask this server");
            None
        }
    }
}

fn bind(path: &Path) -> io::Result<Option<UnixListener>> {
    if UnixStream::connect(path).is_ok() {
        return Ok(None);
    }
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(path)?;
    fs::set_permissions(path, Permissions::from_mode(0o600))?;
    Ok(Some(listener))
}

async fn accept(listener: UnixListener, server: Shared) {
    let (me, Some(program)) = (rustix::process::geteuid().as_raw(), program()) else {
        return;
    };
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Too many files are open, most likely.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        if !stream.peer_cred().is_ok_and(|peer| peer.uid() == me) {
            continue;
        }
        let (server, program) = (server.clone(), program.clone());
        tokio::task::spawn_blocking(move || {
            // Who asked and is not answered answers by himself.
            let _ = stream.into_std().and_then(|stream| answer(stream, &server, &program));
        });
    }
}

fn answer(mut stream: UnixStream, server: &Shared, program: &str) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(ASKING))?;
    stream.set_write_timeout(Some(READING))?;
    let mut text = Vec::new();
    (&stream).take(BODY_LIMIT as u64).read_to_end(&mut text)?;
    let request: Request<Question> = serde_json::from_slice(&text)?;
    let (asked, most) = (request.question.limits(), server.settings.limits);
    let allowed = match &request.question {
        Question::Cypher(_) => {
            asked.rows <= most.rows && asked.timeout <= most.timeout && asked.memory_bytes == most.memory_bytes
        }
        Question::Operation(_) => true,
    };
    if request.program != program || !allowed {
        return Ok(());
    }
    let Some((_place, reader)) = server.store.at_once() else {
        return Ok(());
    };
    if reader.manifest().generation != request.generation {
        return Ok(());
    }
    stream.write_all(TAKEN)?;
    let began = Instant::now();
    let mut text = Vec::new();
    let outcome = request.question.answer(&reader, &mut text);
    let Some(reply) = Reply::of(outcome, text) else {
        return Ok(());
    };
    info!("a command was answered, {:.1} ms", began.elapsed().as_secs_f64() * 1e3);
    let mut out = io::BufWriter::new(stream);
    serde_json::to_writer(&mut out, &reply)?;
    out.flush()
}
