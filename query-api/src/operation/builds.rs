//! Functions of Go that are written once for each system: `flock_unix.go` and `flock_windows.go` have one `flock` each.
//!
//! ```text
//! func main() { flock(1) }        // calls the one of the build that was indexed; of the other nobody seems to be called
//! ```
//!
//! Who asks for the callers of one of them by its place hears who calls that which takes its place in the index.

use ripple_schema::{Language, NodeKind};

use super::Room;
use super::outside::MOST;
use super::published::is_called;
use super::target;
use super::verdict::reason;
use crate::Error;
use crate::view::Reason;

/// Systems and processors that the end of a file's name may say.
const SYSTEMS: &[&str] = &[
    "aix",
    "amd64",
    "android",
    "arm",
    "arm64",
    "darwin",
    "dragonfly",
    "freebsd",
    "illumos",
    "ios",
    "js",
    "linux",
    "loong64",
    "mips",
    "netbsd",
    "openbsd",
    "plan9",
    "ppc64",
    "ppc64le",
    "386",
    "riscv64",
    "s390x",
    "solaris",
    "unix",
    "wasip1",
    "wasm",
    "windows",
];

/// The functions that stand for one of these in another build, of those that nobody is seen to call.
pub(super) fn others(room: &Room<'_>, functions: &[u32]) -> Result<Vec<u32>, Error> {
    let mut found = Vec::new();
    for &function in functions.iter().take(MOST) {
        if room.net.label(function) != NodeKind::Function || is_called(room, function) {
            continue;
        }
        let card = room.net.card(function)?;
        if card.language != Language::Go.name() || matches!(card.name.as_str(), "init" | "main" | "_") {
            continue;
        }
        if !is_of_a_build(room, &card.file)? {
            continue;
        }
        for other in target::named(room, NodeKind::Function, &card.qualified_name, &[])? {
            let is_same = || {
                let other = room.net.card(other);
                other.is_ok_and(|other| other.qualified_name == card.qualified_name && other.file != card.file)
            };
            if !functions.contains(&other) && is_same() {
                found.push(other);
            }
        }
    }
    Ok(found)
}

/// That the callers of such a function are told of the other one.
pub(super) fn reasons(room: &Room<'_>, functions: &[u32]) -> Result<Option<Reason>, Error> {
    let others = others(room, functions)?;
    let mut called = others.iter().filter(|other| is_called(room, **other));
    let Some(first) = called.next() else { return Ok(None) };
    let (card, count) = (room.net.card(*first)?, 1 + called.count() as u64);
    let message = format!(
        "`{}` is written for other systems as well, in `{}`: calls of it are told of that one",
        card.name, card.file
    );
    Ok(Some(reason("called-from-outside", message, count)))
}

/// Whether a file is for some builds only, as its name or its first lines say; a program that stands by itself is for none.
fn is_of_a_build(room: &Room<'_>, file: &str) -> Result<bool, Error> {
    let source = room.reader.source(file)?.unwrap_or_default();
    let head = source.lines().take_while(|line| !line.starts_with("package "));
    let mut tags = head.filter(|line| line.starts_with("//go:build") || line.starts_with("// +build"));
    if let Some(first) = tags.next() {
        return Ok(!first.contains("ignore"));
    }
    let stem = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".go");
    Ok(stem.split('_').skip(1).any(|part| SYSTEMS.contains(&part)))
}
