//! The socket in the index folder, over which commands of the same user ask ([`crate::socket`] tells how).
//!
//! It is there while the server runs, or a resident reader ([`super::resident`]). One that was killed leaves it behind; nobody answers on it
//! then, and the next takes its place. A server takes the place of a resident reader, nobody that of a server. Where the folder cannot be
//! written to, or its path is too long for a socket, there is none.

use std::fs::{self, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ripple_graphdb::Limits;
use tokio::net::UnixListener;
use tracing::{debug, info};

use super::BODY_LIMIT;
use super::store::Store;
use crate::cli::question::Question;
use crate::socket::{Listener, NAME, Reply, Request, TAKEN, WHO, program, who};

/// Longest that one who asks may take to ask.
const ASKING: Duration = Duration::from_secs(1);
/// Longest that one who asked may take to read on.
const READING: Duration = Duration::from_secs(30);

/// Who answers, and from what.
pub struct Desk {
    /// The index folder.
    pub index: PathBuf,
    /// The index.
    pub store: Store,
    /// The most that a question may use.
    pub limits: Limits,
    /// How long a resident reader stays; a server stays until it is told to end.
    pub stays: Option<Duration>,
}

/// The file; removed with the value, if it is still this one's.
pub struct Socket {
    path: PathBuf,
    /// Device and number of the file.
    file: (u64, u64),
    work: Arc<Work>,
}

/// What there was to do so far.
struct Work(Mutex<State>);

struct State {
    /// Questions that are being answered.
    running: usize,
    /// When the last one ended.
    last: Instant,
    /// Another build of the program asks.
    outdated: bool,
}

impl Socket {
    /// Whether commands that ask still come here.
    pub fn is_found(&self) -> bool {
        file(&self.path).is_ok_and(|file| file == self.file)
    }

    /// How long nobody has asked.
    pub fn idle(&self) -> Duration {
        self.work.with(|state| match state.running {
            0 => state.last.elapsed(),
            _ => Duration::ZERO,
        })
    }

    /// Whether another build of the program has asked.
    pub fn is_outdated(&self) -> bool {
        self.work.with(|state| state.outdated)
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        if self.is_found() {
            // Where it stays, it is found dead.
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Work {
    fn with<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A question that is being answered, for as long as the value lives.
struct Running<'w>(&'w Work);

impl<'w> Running<'w> {
    fn begin(work: &'w Work) -> Self {
        work.with(|state| state.running += 1);
        Self(work)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.with(|state| {
            state.running -= 1;
            state.last = Instant::now();
        });
    }
}

fn file(path: &Path) -> io::Result<(u64, u64)> {
    path.symlink_metadata().map(|about| (about.dev(), about.ino()))
}

/// Begins to listen; not where somebody else does, nor where that cannot be.
pub fn listen(desk: Desk) -> Option<Socket> {
    let path = desk.index.join(NAME);
    match bind(&desk, &path) {
        Ok(Some((listener, file))) => {
            let state = State {
                running: 0,
                last: Instant::now(),
                outdated: false,
            };
            let work = Arc::new(Work(Mutex::new(state)));
            tokio::spawn(accept(listener, Arc::new(desk), work.clone()));
            Some(Socket { path, file, work })
        }
        Ok(None) => {
            debug!("commands ask another process");
            None
        }
        Err(error) => {
            debug!(%error, "commands cannot ask this process");
            None
        }
    }
}

fn bind(desk: &Desk, path: &Path) -> io::Result<Option<(UnixListener, (u64, u64))>> {
    if UnixStream::connect(path).is_ok() {
        let steps_aside = |listener: Listener| listener.resident_seconds.is_some();
        if desk.stays.is_some() || !who(&desk.index).is_some_and(steps_aside) {
            return Ok(None);
        }
    }
    // Made beside and put in its place at once: a resident reader sees that it was taken over, and no command finds nobody.
    let made = path.with_file_name(format!("s{}", std::process::id()));
    let _ = fs::remove_file(&made);
    let listener = UnixListener::bind(&made)?;
    let placed = fs::set_permissions(&made, Permissions::from_mode(0o600))
        .and_then(|()| file(&made))
        .and_then(|file| fs::rename(&made, path).map(|()| file));
    if placed.is_err() {
        let _ = fs::remove_file(&made);
    }
    Ok(Some((listener, placed?)))
}

async fn accept(listener: UnixListener, desk: Arc<Desk>, work: Arc<Work>) {
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
        let (desk, work, program) = (desk.clone(), work.clone(), program.clone());
        tokio::task::spawn_blocking(move || {
            // Who asked and is not answered answers by himself.
            let _ = stream
                .into_std()
                .and_then(|stream| answer(stream, &desk, &work, &program));
        });
    }
}

fn answer(mut stream: UnixStream, desk: &Desk, work: &Work, program: &str) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(ASKING))?;
    stream.set_write_timeout(Some(READING))?;
    let mut text = Vec::new();
    (&stream).take(BODY_LIMIT as u64).read_to_end(&mut text)?;
    if text == WHO {
        let listener = Listener {
            process: std::process::id(),
            generation: desk.store.reader().manifest().generation.clone(),
            resident_seconds: desk.stays.map(|stays| stays.as_secs_f64()),
        };
        return Ok(serde_json::to_writer(stream, &listener)?);
    }
    let request: Request<Question> = serde_json::from_slice(&text)?;
    if request.program != program {
        work.with(|state| state.outdated = true);
        return Ok(());
    }
    let _running = Running::begin(work);
    let (asked, most) = (request.question.limits(), desk.limits);
    let allowed = match &request.question {
        Question::Cypher(_) => {
            asked.rows <= most.rows && asked.timeout <= most.timeout && asked.memory_bytes == most.memory_bytes
        }
        Question::Operation(_) => true,
    };
    if !allowed {
        return Ok(());
    }
    let Some((_place, reader)) = desk.store.at_once() else {
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
