//! The resident reader: what a command leaves behind, so that the next one need not open the index.
//!
//! ```text
//! $ ripple index        builds the index, leaves a reader behind
//! $ ripple cypher …     the reader answers                                                    7 ms
//!                       five minutes without a question: it ends
//! $ ripple cypher …     nobody listens: opens the index, answers, leaves a reader behind     35 ms
//! ```
//!
//! It is a process of its own (`ripple resident`, a command that `--help` does not list), in a session of its own, in no folder, and holds
//! nothing of what the command had open: nobody who waits for the command's end waits for its. It listens on the [`socket`] in the index
//! folder, and nowhere else. It ends by itself after the time without a question, at once if its socket is gone or another process's (the index
//! was removed, a server was started), and if another build of the program asks. Of two that are left at once the second ends.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

use ripple_graphdb::Limits;
use rustix::fs::FlockOperation;
use tracing::debug;

use super::socket::{self, Desk, Socket};
use super::store::Store;
use crate::Error;
use crate::error::io;

/// How often it looks whether it is still of use.
const LOOK: Duration = Duration::from_secs(1);

/// Answers commands about this index, until nobody has asked for so long.
pub fn run(index: &Path, stays: Duration) -> Result<(), Error> {
    let_go();
    // It has one already if it was not left behind by a command.
    let _ = rustix::process::setsid();
    let folder = File::open(index).map_err(io(format!("cannot read {}", index.display())))?;
    if rustix::fs::flock(&folder, FlockOperation::NonBlockingLockExclusive).is_err() {
        debug!("another one is there");
        return Ok(());
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(io("cannot start the reader's threads"))?;
    // It may what the command itself could: only the memory is settled when the index is opened.
    let limits = Limits {
        timeout: Duration::MAX,
        rows: usize::MAX,
        ..Limits::default()
    };
    let at_once = std::thread::available_parallelism().map_or(2, usize::from);
    let store = Store::open(index, limits.memory_bytes, at_once)?;
    if let Some((_place, reader)) = store.at_once() {
        // The engine's parser makes its tables when it first reads: better now than in the first answer.
        let _ = reader.query(
            "MATCH (n:Function {id: 0}) RETURN n.name",
            &BTreeMap::new(),
            &Limits::default(),
        );
    }
    runtime.block_on(async {
        let signal = super::signal();
        let desk = Desk {
            index: index.into(),
            store: store.clone(),
            limits,
            stays: Some(stays),
        };
        if let Some(socket) = socket::listen(desk) {
            tokio::select! {
                () = signal => {}
                () = of_use(&socket, &store, stays) => {}
            }
        }
    });
    // A query that is still running would hold the process up until its time limit.
    runtime.shutdown_background();
    Ok(())
}

/// Waits until it is of no use any more.
async fn of_use(socket: &Socket, store: &Store, stays: Duration) {
    while socket.is_found() && !socket.is_outdated() {
        let idle = socket.idle();
        if idle >= stays {
            return;
        }
        // Takes up a new generation, if there is one.
        drop(store.at_once());
        tokio::time::sleep(LOOK.min(stays.saturating_sub(idle))).await;
    }
}

/// Closes what was open in the command, or in whoever ran it: somebody may wait until it is closed.
fn let_go() {
    let Ok(entries) = fs::read_dir("/dev/fd") else { return };
    let open: Vec<i32> = entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|descriptor| *descriptor > 2)
        .collect();
    for descriptor in open {
        // One of them was that of the listing, which is closed.
        let _ = nix::unistd::close(descriptor);
    }
}
