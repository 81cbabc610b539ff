//! What can befall the index itself: a full disk, a second writer, a kill, a damaged file. The index from before stays readable
//! throughout, and the next run mends what was left.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{Run, Running, Server, binary, indexed, ripple, rows, run, until};

/// A folder with an index of one function, and then source for a much larger one.
fn grown() -> TempDir {
    let folder = indexed([("first.py", "def first(): pass\n")]);
    for module in 0..30 {
        let mut text = String::new();
        for function in 0..200 {
            let _ = writeln!(text, "def f{module}_{function}(a, b):\n    c = a + b\n    return c");
        }
        fs::write(folder.path().join(format!("module{module}.py")), text).expect("the file can be written");
    }
    folder
}

const FUNCTIONS: &str = "MATCH (f:Function {kind: 'function'}) RETURN count(f)";
const FEW: i64 = 1;
const MANY: i64 = 1 + 30 * 200;

#[track_caller]
fn holds(folder: &Path, functions: i64) {
    assert_eq!(rows(folder, FUNCTIONS), json!([[functions]]));
}

/// Names of the generations on disk, whole or not.
fn generations(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join(".ripple/generations")).expect("there is an index");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("it can be listed").path()).collect();
    paths.sort();
    paths
}

fn current(folder: &Path) -> PathBuf {
    let name = fs::read_to_string(folder.join(".ripple/CURRENT")).expect("there is an index");
    folder.join(".ripple/generations").join(name.trim())
}

/// The next run works, and nothing half-built is left after it.
#[track_caller]
fn mended(folder: &Path) {
    run(folder, &["index"]).ok();
    holds(folder, MANY);
    for generation in generations(folder) {
        assert!(
            generation.join("manifest.json").is_file(),
            "{} is half-built",
            generation.display()
        );
    }
    assert!(generations(folder).len() <= 2, "{:?}", generations(folder));
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_grow() {
    let folder = grown();
    let before = current(folder.path());
    // In blocks of 512 bytes, from too small for the first file to too small for the last rows.
    for blocks in ["4", "200", "4000", "16000"] {
        let script = "trap '' XFSZ; ulimit -f $0 || exit 99; exec \"$@\"";
        let mut limited = Command::new("sh");
        limited
            .args(["-c", script, blocks])
            .arg(binary())
            .arg("index")
            .current_dir(folder.path());
        let ended = Run::of(&mut limited).ended(
            7,
            "; free some space there, or put the index elsewhere: the index from before is untouched",
        );
        assert!(ended.err.starts_with("error: "), "{blocks}: {ended:?}");
        assert_eq!(ended.err.lines().count(), 1, "{blocks}: {ended:?}");
        assert_eq!(
            (current(folder.path()), generations(folder.path()).len()),
            (before.clone(), 1),
            "{blocks}"
        );
        holds(folder.path(), FEW);
    }
    mended(folder.path());
}

/// On a file system of a few megabytes, which only this script sees.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills() {
    const SCRIPT: &str = "set -e; disk=$1 few=$2 many=$3; ripple() { \"$0\" \"$@\" --index \"$disk/index\"; }
        mount -t tmpfs -o size=14m tmpfs \"$disk\" || exit 99
        ripple index --quiet \"$few\"
        for fill in 0 2 4; do
            [ $fill = 0 ] || head -c ${fill}000000 /dev/zero >\"$disk/fill$fill\" || :
            code=0; ripple index \"$many\" || code=$?
            echo \"ended $code\"
            ripple cypher --format csv \"$4\"
            ls \"$disk/index/generations\" | wc -l
        done
        rm \"$disk\"/fill*; mount -o remount,size=200m \"$disk\"
        ripple index --quiet \"$many\"
        ripple cypher --format csv \"$4\"";
    let (disk, few, many) = (TempDir::new(), indexed([("first.py", "def first(): pass\n")]), grown());
    let disk = disk.expect("a temporary folder");
    let mut script = Command::new("unshare");
    script
        .args(["--mount", "--map-root-user", "sh", "-c", SCRIPT])
        .arg(binary())
        .args([disk.path(), few.path(), many.path()])
        .arg(FUNCTIONS);
    script.env_remove("RIPPLE_INDEX").env_remove("RUST_LOG");
    if script
        .output()
        .is_ok_and(|output| output.status.code() == Some(99) || !output.status.success() && output.stdout.is_empty())
    {
        println!("skipped: this system does not let a test mount a file system");
        return;
    }
    let ended = Run::of(&mut script).ok();
    let told: Vec<&str> = ended
        .out
        .lines()
        .map(str::trim)
        .filter(|line| !line.contains('('))
        .collect();
    let full = ["ended 7", "1", "1"];
    assert_eq!(told, [&full[..], &full, &full, &["6001"]].concat(), "{ended:#?}");
    assert_eq!(ended.err.matches("error: ").count(), 3, "{ended:#?}");
    assert_eq!(ended.err.matches("No space left on device").count(), 3, "{ended:#?}");
    assert_eq!(
        ended.err.matches("the index from before is untouched").count(),
        3,
        "{ended:#?}"
    );
}

#[cfg(unix)]
#[test]
fn two_runs_at_once() {
    let folder = grown();
    let mut first = Running(
        ripple(folder.path(), &["index", "--quiet"])
            .spawn()
            .expect("the binary can be run"),
    );
    let pid = first.id().to_string();
    let lock = folder.path().join(".ripple/lock");
    until("the first run has the lock", || {
        fs::read_to_string(&lock).is_ok_and(|text| text.trim() == pid)
    });
    signal("STOP", &first);
    let second = run(folder.path(), &["index"]);
    holds(folder.path(), FEW);
    signal("CONT", &first);
    let second = second.ended(8, "is being written by another process");
    assert!(
        second.err.contains(&format!("(pid {pid}); wait for it to end")),
        "{second:?}"
    );
    assert!(first.wait().expect("it is ours").success());
    holds(folder.path(), MANY);
    // The lock is free again, though its file still stands there.
    mended(folder.path());
}

#[cfg(unix)]
fn signal(name: &str, child: &Running) {
    let sent = Command::new("kill")
        .args([format!("-{name}"), child.id().to_string()])
        .status();
    assert!(sent.is_ok_and(|status| status.success()), "kill is part of every Unix");
}

/// Each moment is told by what has been written by then.
#[test]
fn a_run_that_is_killed() {
    let folder = grown();
    let began = current(folder.path());
    let next = folder.path().join(".ripple/generations/000002");
    let size = |name: &str| fs::metadata(next.join(name)).map_or(0, |file| file.len());
    let moments: [(&str, &dyn Fn() -> bool); 6] = [
        ("facts are being written", &|| {
            folder.path().join(".ripple/facts").exists()
        }),
        ("its folder was made", &|| next.exists()),
        ("the database was made", &|| next.join("graph.kuzu").exists()),
        ("files were listed", &|| size("files.json") > 0),
        ("rows were loaded", &|| size("graph.kuzu") > 4 << 20),
        ("more rows were loaded", &|| size("graph.kuzu") > 6 << 20),
    ];
    for (moment, has_come) in moments {
        let mut killed = Running(
            ripple(folder.path(), &["index", "--quiet"])
                .spawn()
                .expect("the binary can be run"),
        );
        until(moment, || {
            has_come() || killed.try_wait().is_ok_and(|ended| ended.is_some())
        });
        killed.kill().expect("it is ours");
        let ended = killed.wait().expect("it is ours");
        assert!(!ended.success(), "it had ended before {moment}");
        assert_eq!(current(folder.path()), began, "{moment}");
        holds(folder.path(), FEW);
    }
    mended(folder.path());
}

#[test]
fn readers_switch_to_the_new_index_while_they_are_served() {
    let folder = grown();
    let server = Server::start(folder.path(), &[], &[]);
    let count = || server.rows(FUNCTIONS)[0][0].as_i64().expect("a count");
    assert_eq!(count(), FEW);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let asking = scope.spawn(|| {
            let mut seen = vec![FEW];
            loop {
                // Once more after the end, so that the last answer is among those that were seen.
                let last = done.load(Ordering::SeqCst);
                let count = count();
                if seen.last() != Some(&count) {
                    seen.push(count);
                }
                if last {
                    break;
                }
            }
            seen
        });
        run(folder.path(), &["index"]).ok();
        until("the server has taken up the new index", || count() == MANY);
        done.store(true, Ordering::SeqCst);
        // Each answer is from the one or from the other, and none goes back.
        assert_eq!(asking.join().expect("every question was answered"), [FEW, MANY]);
    });
    assert_eq!(server.get("/health", &[]).json()["generation"], "000002");
    // Two more builds sweep the generation that the server began with, and the one it has open.
    run(folder.path(), &["index"]).ok();
    run(folder.path(), &["index"]).ok();
    assert_eq!(count(), MANY);
}

/// A damaged file is named, with what to do; and to do that helps.
#[test]
fn a_damaged_index() {
    let folder = indexed([("first.py", "def first(): pass\n")]);
    let file = |name: &str| match name {
        "CURRENT" => folder.path().join(".ripple/CURRENT"),
        name => current(folder.path()).join(name),
    };
    let cases: [(&str, &str, &[u8]); 7] = [
        (
            "CURRENT",
            "is damaged (it does not name a generation); run `ripple index` again",
            b"",
        ),
        (
            "CURRENT",
            "is damaged (it does not name a generation); run `ripple index` again",
            b"../../../etc\n",
        ),
        ("manifest.json", "run `ripple index` again", b""),
        (
            "manifest.json",
            "run `ripple index` again",
            b"{\"format_version\": 1, \"generation\": \"0000",
        ),
        (
            "manifest.json",
            "has format 999, this program reads format",
            b"{\"format_version\": 999}",
        ),
        ("graph.kuzu", "run `ripple index` again", b""),
        (
            "graph.kuzu",
            "run `ripple index` again",
            b"no database at all, but text that somebody put there",
        ),
    ];
    for (name, said, text) in cases {
        fs::write(file(name), text).expect("it is ours");
        for command in [&["cypher", FUNCTIONS][..], &["serve", "--addr", "127.0.0.1:0"]] {
            let ended = run(folder.path(), command).ended(3, said);
            assert!(
                ended.err.starts_with("error: ") && ended.err.contains(".ripple"),
                "{ended:?}"
            );
        }
        run(folder.path(), &["index"]).ok();
        holds(folder.path(), FEW);
    }
}

#[test]
fn a_database_that_was_cut() {
    let folder = grown();
    mended(folder.path());
    let path = current(folder.path()).join("graph.kuzu");
    let whole = fs::read(&path).expect("it is ours");
    for part in [100, whole.len() / 3, whole.len() - 5_000] {
        fs::write(&path, &whole[..part]).expect("it is ours");
        let said = format!(
            "is damaged (it has {part} bytes, not {}); run `ripple index` again",
            whole.len()
        );
        run(folder.path(), &["cypher", FUNCTIONS]).ended(3, &said);
    }
    mended(folder.path());
}

#[test]
fn an_index_that_is_not_there() {
    let folder = crate::support::folder_of([("a.py", "a = 1\n")]);
    run(folder.path(), &["cypher", "RETURN 1"]).ended(3, "run `ripple index` there, or name the index with --index");
    run(folder.path(), &["status", "--index", "nowhere"]).ended(3, "no index in nowhere; run `ripple index` first");
    fs::create_dir(folder.path().join(".ripple")).expect("the folder can be made");
    run(folder.path(), &["cypher", "RETURN 1"]).ended(3, "run `ripple index` first");
    let status: Value = run(folder.path(), &["index", "--format", "json"]).ok().json();
    assert_eq!(status["files"], 1, "{status}");
}
