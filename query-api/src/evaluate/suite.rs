//! Suites: questions with the symbols and files that answer them, in TOML.
//!
//! ```toml
//! name = "shop"
//! data = "projects/shop"
//! half = "test"
//!
//! [[question]]
//! text = "where is the mail domain taken"
//! symbols = ["pipeline.features.email.email_domain"]
//! files = ["pipeline/features/email.py"]
//! ```

use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::Error;

/// A file of questions.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// Its name.
    pub name: String,
    /// Which code it asks about.
    #[serde(default)]
    pub data: String,
    /// `train` or `test`: whole repositories stand on one side.
    pub half: String,
    /// The questions.
    #[serde(rename = "question", default)]
    pub questions: Vec<Question>,
}

/// A question and what answers it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// What a person types.
    pub text: String,
    /// Qualified names, or `key:NAME`.
    #[serde(default)]
    pub symbols: Vec<String>,
    /// Paths as in the graph.
    #[serde(default)]
    pub files: Vec<String>,
}

impl Suite {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let wrong = |message: &str| wrong(path, message);
        let suite: Self = read(path)?;
        if !matches!(suite.half.as_str(), "train" | "test") {
            return Err(wrong(&format!("half is `train` or `test`, not `{}`", suite.half)));
        }
        if suite.questions.is_empty() {
            return Err(wrong("it has no question"));
        }
        if let Some(question) = suite.questions.iter().find(|question| question.symbols.is_empty()) {
            return Err(wrong(&format!("`{}` has no symbol that answers it", question.text)));
        }
        Ok(suite)
    }
}

/// Reads a suite of either kind.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Result<T, Error> {
    let text = std::fs::read_to_string(path).map_err(crate::error::io(format!("cannot read {}", path.display())))?;
    toml::from_str(&text).map_err(|error| wrong(path, &error.to_string()))
}

/// What is wrong with a suite.
pub(super) fn wrong(path: &Path, message: &str) -> Error {
    Error::Usage(format!("{}: {message}", path.display()))
}
