//! `ripple.toml`: tags for what a reader would call something, and library behaviour that the tables do not know.
//!
//! ```toml
//! [[tag]]
//! name = "ml-feature"
//! path = "features/**"
//! kind = "Function"
//! name_pattern = "[a-z]*"
//!
//! [library.python."pandas.read_csv"]
//! flows = ["0 -> result"]
//! ```

use std::path::Path;

use ignore::overrides::{Override, OverrideBuilder};
use ripple_schema::{Language, NodeKind};
use rustc_hash::FxHashMap;
use serde::Deserialize;

use crate::Error;
use crate::discover::CONFIG_FILE;
use crate::propagate::library::Library;

/// Settings of one root.
#[derive(Debug, Default)]
pub struct Config {
    tags: Vec<Tag>,
}

#[derive(Debug)]
struct Tag {
    name: String,
    path: Override,
    kind: Option<NodeKind>,
    pattern: Option<Override>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawConfig {
    #[serde(default)]
    tag: Vec<RawTag>,
    #[serde(default)]
    library: FxHashMap<String, toml::Table>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTag {
    name: String,
    path: String,
    kind: Option<String>,
    name_pattern: Option<String>,
}

impl Config {
    /// Reads the settings of a root; a root without the file has none. Adds its library entries to the tables.
    pub fn read(root: &Path, libraries: &mut FxHashMap<Language, Library>) -> Result<Self, Error> {
        let path = root.join(CONFIG_FILE);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(source) => return Err(Error::Root { path, source }),
        };
        let wrong = |message: String| Error::Config {
            path: path.clone(),
            message,
        };
        let raw: RawConfig = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        for (language, table) in raw.library {
            let language = Language::from_name(&language)
                .ok_or_else(|| wrong(format!("[library.{language}]: the languages are `go` and `python`")))?;
            libraries
                .entry(language)
                .or_default()
                .add(&table.to_string())
                .map_err(wrong)?;
        }
        let tags = raw
            .tag
            .into_iter()
            .map(|tag| compile(tag).map_err(wrong))
            .collect::<Result<_, _>>()?;
        Ok(Self { tags })
    }

    /// The tags of a node, separated by blanks.
    pub fn tags_of(&self, relative: &str, label: NodeKind, name: &str) -> String {
        let fits = |tag: &&Tag| {
            tag.kind.is_none_or(|kind| kind == label)
                && tag.path.matched(relative, false).is_whitelist()
                && tag
                    .pattern
                    .as_ref()
                    .is_none_or(|pattern| pattern.matched(name, false).is_whitelist())
        };
        self.tags
            .iter()
            .filter(fits)
            .map(|tag| tag.name.as_str())
            .collect::<Vec<_>>()
            .join(" ")
    }
}

fn compile(raw: RawTag) -> Result<Tag, String> {
    let kind = match &raw.kind {
        Some(kind) => Some(NodeKind::from_name(kind).ok_or_else(|| {
            let known: Vec<&str> = NodeKind::ALL.iter().map(|kind| kind.name()).collect();
            format!(
                "tag `{}`: `{kind}` is no label; the labels are {}",
                raw.name,
                known.join(", ")
            )
        })?),
        None => None,
    };
    let glob = |pattern: &str| -> Result<Override, String> {
        let mut builder = OverrideBuilder::new("");
        builder
            .add(pattern)
            .map_err(|error| format!("tag `{}`: {error}", raw.name))?;
        builder.build().map_err(|error| format!("tag `{}`: {error}", raw.name))
    };
    let path = glob(&raw.path)?;
    let pattern = raw.name_pattern.as_deref().map(glob).transpose()?;
    Ok(Tag {
        name: raw.name,
        path,
        kind,
        pattern,
    })
}
