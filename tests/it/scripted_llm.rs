//! No test: `setup/scripted_llm.py`, a language model's endpoint that says what a script tells it to.
//!
//! ```text
//! let model = ScriptedLlm::start(&json!([{"when": "who reads", "json": {"cypher": "MATCH …"}}, {"status": 429}]));
//! ripple(folder, &["ask", "who reads email?"]).envs(model.environment())
//! assert_eq!(model.requests().len(), 1);
//! ```

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::program::Running;
use crate::support::tests_folder;

/// The key that is sent: nothing that is written anywhere may hold it.
pub const KEY: &str = "sk-scripted-0123456789abcdefghij";

/// A running endpoint, which ends with the value.
pub struct ScriptedLlm {
    /// `http://127.0.0.1:40123/v1`
    pub url: String,
    _child: Running,
    _script: tempfile::NamedTempFile,
}

impl ScriptedLlm {
    /// An endpoint with these replies, on a free port.
    #[track_caller]
    pub fn start(replies: &Value) -> Self {
        let script = tempfile::NamedTempFile::new().expect("a temporary file");
        std::fs::write(script.path(), replies.to_string()).expect("it is ours");
        let mut command = Command::new("python3");
        command
            .arg(tests_folder().join("setup/scripted_llm.py"))
            .arg("--script")
            .arg(script.path());
        // It ends with this process, also if that is killed.
        command.arg("--with-stdin").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = Running(command.spawn().expect("python3 is there"));
        let mut line = String::new();
        let out = child.stdout.take().expect("it is piped");
        BufReader::new(out).read_line(&mut line).expect("it says UTF-8");
        let url = line.trim().strip_prefix("listening on ").map(str::to_owned);
        Self {
            url: url.unwrap_or_else(|| panic!("it does not listen: {line:?}")),
            _child: child,
            _script: script,
        }
    }

    /// What `ripple` has to find in its environment to ask it.
    pub fn environment(&self) -> [(&'static str, &str); 3] {
        [
            ("OPENAI_BASE_URL", &self.url),
            ("OPENAI_API_KEY", KEY),
            ("RIPPLE_MODEL", "scripted"),
        ]
    }

    /// Everything it was asked so far: `{path, key, body}`.
    #[track_caller]
    pub fn requests(&self) -> Vec<Value> {
        let agent: ureq::Agent = ureq::Agent::config_builder().proxy(None).build().into();
        let url = self.url.replace("/v1", "/requests");
        let mut reply = agent.get(url).call().expect("it listens");
        let text = reply
            .body_mut()
            .with_config()
            .limit(1 << 30)
            .read_to_string()
            .expect("UTF-8");
        serde_json::from_str(&text).expect("a list")
    }
}
