//! The reader that a command leaves behind: it answers the next as the command itself would, holds nobody up, and ends by itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{Run, Server, binary, column, indexed, ripple, run, until};
use crate::socket::{answered, signal, told};

const FUNCTIONS: &str = "MATCH (f:Function) RETURN f.name AS name ORDER BY name";

/// What is asked alone, and then of a reader that was left behind.
const ASKED: &[&[&str]] = &[
    &["cypher", FUNCTIONS],
    &[
        "cypher",
        "--format",
        "json",
        "MATCH p = (:Function)-[:CALLS]->(:Function) RETURN p ORDER BY p",
    ],
    &["cypher", "--limit", "1", FUNCTIONS],
    &["cypher", "--limit", "1000000", "--timeout", "1h", FUNCTIONS],
    &["cypher", "-p", "x=é\u{1b}", "RETURN $x"],
    &["cypher", "MATCH (n) DELETE n"],
    &["cypher", "MATCH (f:NoSuchLabel) RETURN f"],
    &["cypher", "--explain", FUNCTIONS],
    &["callers", "pay"],
    &["callers", "no.such"],
    &["impact", "pay", "--fail-over", "0"],
];

#[test]
fn the_next_command_is_answered_the_same() {
    let folder = shop();
    let alone: Vec<_> = ASKED.iter().map(|asked| told(run(folder.path(), asked))).collect();
    let left = Left::by(&folder, &["cypher", FUNCTIONS]);
    // Whoever would open the index now could not.
    let database = database(&folder);
    fs::rename(&database, database.with_extension("away")).expect("it is ours");
    for (asked, alone) in ASKED.iter().zip(alone) {
        assert_eq!(told(staying("60s", &folder, asked)), alone, "{asked:?}");
    }
    // Memory is settled when an index is opened: this one has to be.
    run(folder.path(), &["cypher", "--memory", "64MB", FUNCTIONS]).ended(7, "No such file");
    fs::rename(database.with_extension("away"), &database).expect("it is ours");
    assert_eq!(left.0, listener(&folder)["process"]);
    let status = run(folder.path(), &["status", "--no-walk"]).ok().out;
    let expected = format!(
        "resident    process {} answers commands, and ends 60 s after the last\n",
        left.0
    );
    assert!(status.contains(&expected), "{status}");
}

#[test]
fn it_ends_by_itself() {
    let folder = shop();
    staying("1s", &folder, &["cypher", FUNCTIONS]).ok();
    until("it has come and gone", || {
        !folder.path().join(".ripple/serve.sock").exists() && readers(&folder) == 0
    });
    // One that was killed leaves its socket; the next takes its place.
    let killed = Left::by(&folder, &["callers", "pay"]);
    signal("KILL", killed.0);
    killed.ends();
    assert!(folder.path().join(".ripple/serve.sock").exists());
    let next = Left::by(&folder, &["cypher", FUNCTIONS]);
    signal("TERM", next.0);
    next.ends();
    assert!(!folder.path().join(".ripple/serve.sock").exists());
}

#[test]
fn it_ends_when_its_index_is_gone_or_another_build_asks() {
    let folder = shop();
    let left = Left::by(&folder, &["cypher", FUNCTIONS]);
    let other = folder.path().join("ripple");
    fs::copy(binary(), &other).expect("there is room");
    let ask = || {
        let mut command = Command::new(&other);
        command.current_dir(folder.path()).args(["cypher", FUNCTIONS]);
        command.env_remove("RIPPLE_INDEX").env("RIPPLE_RESIDENT", "60s");
        Run::of(&mut command).ok()
    };
    ask();
    left.ends();
    ask();
    let other = Left::of(&folder);
    fs::remove_dir_all(folder.path().join(".ripple")).expect("it is ours");
    other.ends();
}

#[test]
fn a_server_takes_its_place() {
    let folder = shop();
    let left = Left::by(&folder, &["cypher", FUNCTIONS]);
    let server = Server::start(folder.path(), &["--no-llm"], &[]);
    assert_eq!(listener(&folder)["process"], server.id());
    assert_eq!(listener(&folder)["resident_seconds"], Value::Null);
    left.ends();
    staying("60s", &folder, &["cypher", FUNCTIONS]).ok();
    assert_eq!(answered(&server), 1);
    // What the server leaves to others leaves no reader beside it.
    staying("60s", &folder, &["cypher", "--memory", "64MB", FUNCTIONS]).ok();
    assert_eq!((answered(&server), readers(&folder)), (1, 0));
    assert_eq!(listener(&folder)["process"], server.id());
}

#[test]
fn who_has_indexed_is_about_to_ask() {
    let folder = shop();
    let left = Left::by(&folder, &["index"]);
    // The next one finds it there, and leaves no other beside it.
    staying("60s", &folder, &["index"]).ok();
    until("it has the new generation", || {
        listener(&folder)["generation"] == "000003"
    });
    assert_eq!((listener(&folder)["process"] == left.0, readers(&folder)), (true, 1));
}

#[test]
fn it_takes_up_a_new_generation() {
    let folder = shop();
    let left = Left::by(&folder, &["cypher", FUNCTIONS]);
    fs::write(folder.path().join("new.py"), "def brand_new(): pass\n").expect("it is ours");
    run(folder.path(), &["index"]).ok();
    assert!(column(folder.path(), FUNCTIONS).contains(&json!("brand_new")));
    until("it has the new generation", || {
        listener(&folder)["generation"] == "000002"
    });
    assert_eq!(listener(&folder)["process"], left.0);
    assert!(column(folder.path(), FUNCTIONS).contains(&json!("brand_new")));
}

#[test]
fn of_several_at_once_one_stays() {
    let folder = shop();
    let mut commands: Vec<_> = (0..4)
        .map(|_| {
            let mut command = ripple(folder.path(), &["cypher", FUNCTIONS]);
            command
                .env("RIPPLE_RESIDENT", "60s")
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            command.spawn().expect("the binary can be run")
        })
        .collect();
    for command in &mut commands {
        assert!(command.wait().expect("it is ours").success());
    }
    let left = Left::of(&folder);
    until("the others have ended", || readers(&folder) == 1);
    assert_eq!(listener(&folder)["process"], left.0);
}

#[test]
fn nobody_waits_for_it() {
    let folder = shop();
    let mut command = Command::new("sh");
    // Descriptor 9 is the pipe whose end is waited for, handed on as build tools and test harnesses do.
    command
        .args(["-c", "exec \"$0\" cypher \"$1\" 9>&1"])
        .arg(binary())
        .arg(FUNCTIONS);
    command.current_dir(folder.path()).stdin(Stdio::null());
    command.env_remove("RIPPLE_INDEX").env("RIPPLE_RESIDENT", "1h");
    assert!(Run::of(&mut command).ok().out.contains("pay"));
    let left = Left::of(&folder);
    assert!(lives(left.0), "its end was not waited for");
}

#[test]
fn none_is_left_where_it_is_not_wanted_or_cannot_be() {
    let folder = shop();
    staying("0", &folder, &["cypher", FUNCTIONS]).ok();
    staying("60s", &folder, &["cypher", "--resident", "0", FUNCTIONS]).ok();
    staying("60s", &folder, &["status", "--no-walk"]).ok();
    staying("soon", &folder, &["cypher", FUNCTIONS]).ended(2, "--resident");
    // The path of a socket may not be that long.
    let deep = TempDir::with_suffix("long".repeat(30)).expect("a temporary folder");
    let index = deep.path().to_str().expect("it is UTF-8");
    run(folder.path(), &["index", "--index", index]).ok();
    staying("60s", &folder, &["cypher", "--index", index, FUNCTIONS]).ok();
    // Nor is one where there is no index.
    let empty = tempfile::tempdir().expect("a temporary folder");
    let arguments = [
        "cypher",
        "--index",
        empty.path().to_str().expect("it is UTF-8"),
        FUNCTIONS,
    ];
    staying("60s", &folder, &arguments).ended(3, "");
    for place in [folder.path(), deep.path(), empty.path()] {
        assert_eq!(readers_of(place), 0, "{}", place.display());
    }
}

/// A reader that was left behind; ended with the value, if it has not.
struct Left(u32);

impl Left {
    /// By this command, which nobody answers.
    #[track_caller]
    fn by(folder: &TempDir, arguments: &[&str]) -> Self {
        staying("60s", folder, arguments).ok();
        Self::of(folder)
    }

    /// The one that listens, as soon as it does.
    #[track_caller]
    fn of(folder: &TempDir) -> Self {
        until("a reader listens", || listener(folder)["resident_seconds"].is_number());
        let process = listener(folder)["process"].as_u64();
        Self(
            process
                .and_then(|process| process.try_into().ok())
                .expect("it has a number"),
        )
    }

    /// It ends by itself.
    #[track_caller]
    fn ends(&self) {
        until("the reader has ended", || !lives(self.0));
    }
}

impl Drop for Left {
    fn drop(&mut self) {
        if lives(self.0) {
            signal("KILL", self.0);
        }
    }
}

fn shop() -> TempDir {
    indexed([(
        "shop.py",
        "def pay(price):\n    return price * 2\n\ndef main():\n    print(pay(3))\n",
    )])
}

/// Runs a command that may leave a reader behind.
fn staying(time: &str, folder: &TempDir, arguments: &[&str]) -> Run {
    Run::of(ripple(folder.path(), arguments).env("RIPPLE_RESIDENT", time))
}

/// Who listens, as `ripple status` tells it.
#[track_caller]
fn listener(folder: &TempDir) -> Value {
    let status = run(folder.path(), &["status", "--no-walk", "--format", "json"]);
    status.ok().json()["listener"].take()
}

/// The file of the database, which the rest of its folder does not name.
#[track_caller]
fn database(folder: &TempDir) -> PathBuf {
    let status = run(folder.path(), &["status", "--no-walk", "--format", "json"])
        .ok()
        .json();
    let files = fs::read_dir(folder.path().join(".ripple/generations/000001")).expect("it is there");
    files
        .map(|file| file.expect("it can be read").path())
        .find(|path| {
            path.metadata()
                .is_ok_and(|about| status["database_bytes"] == about.len())
        })
        .expect("it is one of them")
}

fn readers(folder: &TempDir) -> usize {
    readers_of(folder.path())
}

/// Readers of an index here that run, or are about to.
fn readers_of(folder: &Path) -> usize {
    let listed = Command::new("ps").args(["-A", "-o", "stat=,args="]).output();
    let listed = String::from_utf8_lossy(&listed.expect("ps is part of every Unix").stdout).into_owned();
    let folder = folder.canonicalize().expect("it is there");
    let folder = folder.to_str().expect("it is UTF-8");
    let readers = listed
        .lines()
        .filter(|line| !line.starts_with('Z') && line.contains(" resident ") && line.contains(folder));
    readers.count()
}

/// Whether this process runs; one that has ended may stay on the list until its number is asked for.
fn lives(process: u32) -> bool {
    let listed = Command::new("ps")
        .args(["-o", "stat=", "-p", &process.to_string()])
        .output();
    let listed = listed.expect("ps is part of every Unix").stdout;
    !listed.is_empty() && !listed.starts_with(b"Z")
}
