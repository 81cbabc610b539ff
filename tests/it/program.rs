//! The program `ripple` as people run it: a child process with a folder, arguments and an environment of its own.
//!
//! `run(folder, &["status"]).ok()` runs it to its end; [`Server::start`] keeps one that answers over HTTP, on a free port of this
//! machine, until the value is dropped. Whatever is run: a panic in what it says fails the test.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::folder_of;

/// The binary, which stands two folders above this one: `release/ripple`, `release/deps/it-…`.
pub fn binary() -> PathBuf {
    let this = std::env::current_exe().expect("a test knows where it is");
    let folder = this.ancestors().nth(2).expect("it is in a folder of the builds");
    let binary = folder.join(format!("ripple{}", std::env::consts::EXE_SUFFIX));
    assert!(
        binary.is_file(),
        "{} is missing: build it first (./run build)",
        binary.display()
    );
    binary
}

/// `ripple` in this folder, with nothing of this process's settings.
pub fn ripple(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(binary());
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    for name in [
        "RIPPLE_INDEX",
        "RIPPLE_TOKEN",
        "RIPPLE_EMBEDDER",
        "RIPPLE_RERANKER",
        "RIPPLE_RERANK_URL",
        "RUST_LOG",
        "RUST_BACKTRACE",
    ] {
        command.env_remove(name);
    }
    // What is left behind is left where a test is about that.
    command.env("RIPPLE_RESIDENT", "0");
    command
}

/// Runs `ripple` in this folder to its end.
#[track_caller]
pub fn run(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(&mut ripple(folder, arguments))
}

/// How a run ended, and what it said.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Run {
    /// Runs a command to its end.
    #[track_caller]
    pub fn of(command: &mut Command) -> Self {
        let output = command.output().expect("the command can be started");
        let text = |bytes| String::from_utf8(bytes).expect("what is said is UTF-8");
        let run = Self {
            code: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
        };
        calm(&run.err);
        run
    }

    /// It ended well.
    #[track_caller]
    pub fn ok(self) -> Self {
        self.ended(0, "")
    }

    /// It ended with this exit code, and said this on stderr.
    #[track_caller]
    pub fn ended(self, code: i32, said: &str) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        assert!(self.err.contains(said), "{said:?} is missing: {self:#?}");
        self
    }

    /// What it wrote, as one JSON value.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

/// Nothing in it comes from a panic.
#[track_caller]
pub fn calm(said: &str) {
    for word in ["panicked", "RUST_BACKTRACE", "internal fault"] {
        assert!(!said.contains(word), "{said}");
    }
}

/// A fresh folder with these files, indexed.
#[track_caller]
pub fn indexed<'f>(files: impl IntoIterator<Item = (&'f str, &'f str)>) -> TempDir {
    let folder = folder_of(files);
    run(folder.path(), &["index"]).ok();
    folder
}

/// Some hundred variables in Python, so that a few of them crossed make more rows than anyone can wait for.
pub fn crowd() -> String {
    (0..300).map(|number| format!("v{number} = {number}\n")).collect()
}

/// A query that never ends over [`crowd`]: eight thousand million rows, none of which is wanted.
pub const ENDLESS: &str = "MATCH (a:Variable), (b:Variable), (c:Variable), (d:Variable) \
    WHERE a.line * b.line + c.line = -d.line RETURN count(*)";

/// The rows of a query's answer.
#[track_caller]
pub fn rows(folder: &Path, query: &str) -> Value {
    run(folder, &["cypher", "--format", "json", query]).ok().json()["rows"].take()
}

/// The first column of a query's answer, in order.
#[track_caller]
pub fn column(folder: &Path, query: &str) -> Vec<Value> {
    rows(folder, query)
        .as_array_mut()
        .into_iter()
        .flatten()
        .map(|row| row[0].take())
        .collect()
}

/// Waits for something that is about to be so.
#[track_caller]
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(60), "not within a minute: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A child that is ended with the value.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Deref for Running {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.0
    }
}

impl DerefMut for Running {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

/// `ripple serve` on a free port.
pub struct Server {
    /// `http://127.0.0.1:40123`
    pub address: String,
    agent: ureq::Agent,
    log: tempfile::NamedTempFile,
    child: Running,
}

impl Server {
    /// Over the index of this folder.
    #[track_caller]
    pub fn start(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        Self::start_at("127.0.0.1:0", folder, arguments, environment)
    }

    /// The same, listening on this address.
    #[track_caller]
    pub fn start_at(listen: &str, folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let log = tempfile::NamedTempFile::new().expect("a temporary file");
        let mut command = ripple(folder, &["serve", "--addr", listen]);
        command.args(arguments).envs(environment.iter().copied());
        command
            .stdout(Stdio::piped())
            .stderr(File::create(log.path()).expect("it is ours"));
        let mut child = Running(command.spawn().expect("the binary can be run"));
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("it is piped"))
            .read_line(&mut line)
            .expect("it says UTF-8");
        let address = line.trim().strip_prefix("listening on ").map(str::to_owned);
        let address =
            address.unwrap_or_else(|| panic!("it does not listen: {line:?} {:?}", std::fs::read_to_string(log.path())));
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .proxy(None)
            .max_redirects(0)
            .timeout_global(Some(Duration::from_secs(120)))
            .build()
            .into();
        Self {
            address,
            agent,
            log,
            child,
        }
    }

    /// A GET request with these headers.
    #[track_caller]
    pub fn get(&self, path: &str, headers: &[(&str, &str)]) -> Reply {
        let mut request = self.agent.get(format!("{}{path}", self.address));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Reply::of(request.call())
    }

    /// A POST request; JSON, unless the headers say otherwise.
    #[track_caller]
    pub fn post(&self, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut request = self.agent.post(format!("{}{path}", self.address));
        if !headers.iter().any(|(name, _)| *name == "content-type") {
            request = request.header("content-type", "application/json");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Reply::of(request.send(body))
    }

    /// A question to our own REST.
    #[track_caller]
    pub fn ask(&self, question: &Value) -> Reply {
        self.post("/api/v1/cypher", &[], &question.to_string())
    }

    /// The answer's rows, of a query without parameters.
    #[track_caller]
    pub fn rows(&self, query: &str) -> Value {
        let reply = self.ask(&json!({"query": query}));
        assert_eq!(reply.status, 200, "{}", reply.body);
        reply.json()["rows"].take()
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for its end, which is a good one.
    #[track_caller]
    pub fn ends_well(mut self) {
        assert_eq!(self.child.wait().expect("it is ours").code(), Some(0));
    }

    /// What it has said on stderr so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.log.path()).expect("it is ours")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            calm(&self.log());
        }
    }
}

/// What came back.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: ureq::http::HeaderMap,
    pub body: String,
}

impl Reply {
    #[track_caller]
    fn of(response: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Self {
        let response = response.unwrap_or_else(|error| panic!("no answer: {error}"));
        let (head, mut body) = response.into_parts();
        let body = body
            .with_config()
            .limit(1 << 30)
            .read_to_string()
            .expect("the whole body in UTF-8");
        Self {
            status: head.status.as_u16(),
            headers: head.headers,
            body,
        }
    }

    /// A header, or nothing.
    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }

    /// It has this status, and in our own shape this error code.
    #[track_caller]
    pub fn failed(&self, status: u16, code: &str) -> &Self {
        let found = (self.status, self.json()["error"]["code"].clone());
        assert_eq!(found, (status, json!(code)), "{}", self.body);
        self
    }
}
