//! Commands that a running server answers over the socket in the index folder: the same, to the letter, as without one.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::program::{ENDLESS, Run, Server, binary, column, crowd, indexed, ripple, run, until};

const SHOP: &str = "\
class Bill:
    def total(self, price):
        self.sum = price * 2
        return self.sum

def pay(bill, price):
    return bill.total(price)

def main():
    print(pay(Bill(), 3), pay(Bill(), \"\u{e9}\u{1b}[31m\"))
";

const FUNCTIONS: &str = "MATCH (f:Function) RETURN f.name AS name ORDER BY name";
const WITH_PARAMETERS: &str =
    "UNWIND [$a, $b] AS x RETURN x, $text AS text, $half AS half, [$a, $b] AS list, {k: $text} AS map, null AS nothing";

/// What is asked, and whether a server answers it.
const ASKED: &[(&[&str], bool)] = &[
    (&["cypher", FUNCTIONS], true),
    (&["cypher", "--format", "csv", FUNCTIONS], true),
    (
        &[
            "cypher",
            "--format",
            "json",
            "MATCH (n:Function) RETURN n ORDER BY n.name",
        ],
        true,
    ),
    (
        &[
            "cypher",
            "--format",
            "jsonl",
            "MATCH p = (:Function)-[:CALLS]->(:Function) RETURN p ORDER BY p",
        ],
        true,
    ),
    (
        &[
            "cypher",
            "MATCH (f:Function {name: 'pay'})-[e:CALLS]->(g) RETURN f, e, g ORDER BY g.name",
        ],
        true,
    ),
    (
        &[
            "cypher",
            "--format",
            "json",
            "-p",
            "a=1",
            "-p",
            "b=-9007199254740993",
            "-p",
            "half=0.12345678901234567",
            "-p",
            "text=é\"\\\u{1b}",
            WITH_PARAMETERS,
        ],
        true,
    ),
    (
        &["cypher", "MATCH (f:Function {name: 'no such function'}) RETURN f"],
        true,
    ),
    (&["cypher", "--limit", "2", FUNCTIONS], true),
    (&["cypher", "--limit", "0", FUNCTIONS], true),
    (&["cypher", "--explain", FUNCTIONS], true),
    (&["cypher", "--explain", "--format", "csv", FUNCTIONS], true),
    (&["cypher", "MATCH (n)\nDELETE n"], true),
    (&["cypher", "LOAD FROM '/etc/passwd' RETURN *"], true),
    (&["cypher", "--explain", "MATCH (n) SET n.name = 'x'"], true),
    (&["cypher", "MATCH (f:Function RETURN f"], true),
    (&["cypher", "MATCH (f:NoSuchLabel) RETURN f"], true),
    (&["cypher", ""], true),
    (&["cypher", "RETURN $missing"], true),
    (&["cypher", "-p", "x={\"a\": [1, \"b\"]}", "RETURN $x"], true),
    (&["cypher", "--timeout", "100ms", ENDLESS], true),
    (&["cypher", "-p", "no value", "RETURN 1"], false),
    (&["cypher", "--memory", "64MB", FUNCTIONS], false),
    (&["cypher", "--limit", "1000000", FUNCTIONS], false),
    (&["cypher", "--timeout", "1h", FUNCTIONS], false),
    (&["callers", "Bill.total"], true),
    (
        &["callers", "Bill.total", "--paths", "--depth", "3", "--format", "json"],
        true,
    ),
    (&["callers", "Bill.total", "--paths", "--format", "markdown"], true),
    (&["callees", "main", "--depth", "2", "--format", "mermaid"], true),
    (&["impact", "Bill.total", "--format", "sarif"], true),
    (&["impact", "Bill.total", "--fail-over", "0"], true),
    (
        &[
            "flows",
            "field:sum",
            "--up",
            "--limit",
            "1",
            "--min-confidence",
            "0.30000000000000004",
        ],
        true,
    ),
    (&["path", "main", "Bill.total"], true),
    (&["explain", "pay"], true),
    (&["callers", "Bil.totl"], true),
    (&["callers", "main", "--depth", "99"], true),
];

#[test]
fn a_server_answers_as_the_command_itself_does() {
    let folder = shop();
    let alone: Vec<_> = ASKED
        .iter()
        .map(|(arguments, _)| told(run(folder.path(), arguments)))
        .collect();
    let server = serve(&folder);
    for ((arguments, by_server), alone) in ASKED.iter().zip(&alone) {
        let before = answered(&server);
        let (code, out, err) = told(run(folder.path(), arguments));
        assert_eq!((&code, &out, &err), (&alone.0, &alone.1, &alone.2), "{arguments:?}");
        assert_eq!(answered(&server) > before, *by_server, "{arguments:?}");
    }
}

#[test]
fn a_query_from_a_pipe_is_answered_too() {
    let folder = shop();
    let server = serve(&folder);
    let file = folder.path().join("question");
    fs::write(&file, FUNCTIONS).expect("it is ours");
    let mut command = ripple(folder.path(), &["cypher", "--format", "csv", "-"]);
    command.stdin(fs::File::open(&file).expect("it is there"));
    assert!(Run::of(&mut command).ok().out.contains("pay\n"));
    assert_eq!(answered(&server), 1);
    // A reader that goes away is no error.
    let mut child = ripple(folder.path(), &["cypher", "UNWIND range(1, 9999) AS x RETURN x"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary can be run");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it is ours").code(), Some(0));
}

#[test]
fn only_the_user_can_ask_and_nothing_stays_behind() {
    let folder = shop();
    let socket = folder.path().join(".ripple/serve.sock");
    let first = serve(&folder);
    let mode = fs::metadata(&socket).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    // A second server leaves the socket to the first, and its end takes nothing away.
    let second = serve(&folder);
    asks(&folder, &first);
    assert_eq!(answered(&second), 0);
    drop(second);
    asks(&folder, &first);
    // Killed, it leaves the socket; the next server takes its place.
    drop(first);
    assert!(socket.exists());
    holds(&folder);
    let next = serve(&folder);
    asks(&folder, &next);
    signal("TERM", next.id());
    next.ends_well();
    assert!(!socket.exists());
    holds(&folder);
}

#[test]
fn without_a_fit_server_the_command_answers_itself() {
    let folder = shop();
    let server = serve(&folder);
    // One that hangs.
    signal("STOP", server.id());
    holds(&folder);
    signal("CONT", server.id());
    // One of another version of the program.
    let other = folder.path().join("ripple");
    fs::copy(binary(), &other).expect("there is room");
    let before = answered(&server);
    let mut command = Command::new(&other);
    command
        .current_dir(folder.path())
        .args(["cypher", FUNCTIONS])
        .env_remove("RIPPLE_INDEX")
        .env("RIPPLE_RESIDENT", "0");
    assert!(Run::of(&mut command).ok().out.contains("pay"));
    assert_eq!(answered(&server), before);
    // One that has a generation from before.
    fs::write(folder.path().join("new.py"), "def brand_new(): pass\n").expect("it is ours");
    run(folder.path(), &["index"]).ok();
    assert!(column(folder.path(), FUNCTIONS).contains(&"brand_new".into()));
    until("the server has the new generation", || {
        let before = answered(&server);
        assert!(column(folder.path(), FUNCTIONS).contains(&"brand_new".into()));
        answered(&server) > before
    });
}

#[test]
fn what_is_no_server_is_not_believed() {
    let folder = shop();
    let socket = folder.path().join(".ripple/serve.sock");
    for said in [
        "",
        "taken\n",
        "taken\n{}",
        "taken\n{\"text\": \"x\", \"told\": null, \"failed\": \"internal\"}",
        "HTTP/1.1 200 OK\r\n\r\n",
    ] {
        let listener = UnixListener::bind(&socket).expect("the path is short");
        let said_back = std::thread::spawn(move || {
            use std::io::{Read as _, Write as _};
            let (mut stream, _) = listener.accept().expect("somebody asks");
            let mut question = String::new();
            stream.read_to_string(&mut question).expect("it asks in UTF-8");
            // It may have gone by now.
            let _ = stream.write_all(said.as_bytes());
            question
        });
        holds(&folder);
        let question = said_back.join().expect("it ends");
        assert!(question.contains("MATCH (f:Function)"), "{question}");
        fs::remove_file(&socket).expect("it is ours");
    }
    fs::write(&socket, "a file").expect("it is ours");
    holds(&folder);
}

fn shop() -> TempDir {
    indexed([("shop.py", SHOP), ("crowd.py", &crowd())])
}

fn serve(folder: &TempDir) -> Server {
    Server::start(folder.path(), &["--no-llm"], &[])
}

/// The index answers, whoever does.
#[track_caller]
fn holds(folder: &TempDir) {
    let expected: Vec<serde_json::Value> = ["main", "pay", "total"].map(Into::into).to_vec();
    let found = column(folder.path(), FUNCTIONS);
    assert!(expected.iter().all(|name| found.contains(name)), "{found:?}");
}

/// This server is the one that answers.
#[track_caller]
fn asks(folder: &TempDir, server: &Server) {
    let before = answered(server);
    holds(folder);
    assert_eq!(answered(server), before + 1);
}

/// Commands that the server has answered.
pub fn answered(server: &Server) -> usize {
    server.log().matches("a command was answered").count()
}

pub fn signal(name: &str, process: u32) {
    let sent = Command::new("kill")
        .args([format!("-{name}"), process.to_string()])
        .status();
    assert!(sent.is_ok_and(|status| status.success()), "kill is part of every Unix");
}

/// How a run ended and what it said, times left out.
pub fn told(run: Run) -> (Option<i32>, String, String) {
    (run.code, timeless(&run.out), timeless(&run.err))
}

/// Numbers before ` ms` and behind `"elapsed_ms":`, as `…`.
fn timeless(text: &str) -> String {
    let line = |line: &str| {
        if let Some((before, _)) = line.split_once("\"elapsed_ms\":") {
            return format!("{before}…");
        }
        match line
            .split_once(" ms")
            .and_then(|(before, behind)| Some((before.rsplit_once(' ')?.0, behind)))
        {
            Some((before, behind)) => format!("{before} …{behind}"),
            None => line.to_owned(),
        }
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}
