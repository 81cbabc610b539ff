//! Names that stand in files which are not read as source: what is there may use what they name.
//!
//! ```text
//! Makefile:3        python3 -c "import db; db.seed()"          names `seed`
//! template.yaml:6   Handler: app.lambda_handler                names `lambda_handler`
//! notes.md:9        the seed of a plant                        names nothing
//! ```
//!
//! These are settings and scripts, notebooks, templates, hidden folders (workflows), and source that an ignore rule leaves out, in a folder that is
//! not ignored itself. A word in a file that holds code is a name. In settings it is one where it is written as one is: after a dot
//! or a colon, before a parenthesis, or with an underline or a capital in the middle. In documents only examples after `>>>` name something.

use std::ffi::OsStr;
use std::path::Path;

use rayon::prelude::*;
use ripple_schema::{Graph, Mention, NodeKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::discover::{is_source, relative_path};
use crate::{Error, Root};

/// Largest file that is looked at, in bytes.
const LARGEST: u64 = 1 << 20;

/// Most bytes of all of them together.
const TOTAL: u64 = 32 << 20;

/// How the name of a file of Python ends.
const ENDING: &str = ".py";

/// Most places that are kept of one name.
const SHOWN: usize = 3;

/// Folders of tools that hold copies of code, or none.
const NOT_ENTERED: &[&str] = &[
    ".eggs",
    ".git",
    ".hg",
    ".mypy_cache",
    ".nox",
    ".pytest_cache",
    ".ripple",
    ".ruff_cache",
    ".svn",
    ".tox",
    "__pycache__",
    "node_modules",
    "site-packages",
];

/// How a file names things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// By every word.
    Code,
    /// By words that are written as names are.
    Settings,
    /// By examples.
    Document,
}

/// What of the graph the files that are not source name, sorted.
pub fn find(roots: &[Root], graph: &Graph) -> Result<Vec<Mention>, Error> {
    let names = Names::of(graph);
    let read: FxHashSet<&str> = graph.files.iter().map(|file| file.path.as_str()).collect();
    let mut files = Vec::new();
    let mut total = 0;
    for root in roots {
        for path in others(root)? {
            let Some(relative) = relative_path(&root.path, &path) else {
                continue;
            };
            let shown = root.shown(&relative);
            // What names nothing, whatever is in it, is not read.
            if kind_of(&shown, "").is_none() {
                continue;
            }
            let bytes = std::fs::metadata(&path).map_or(u64::MAX, |metadata| metadata.len());
            if !read.contains(shown.as_str()) && bytes <= LARGEST && total + bytes <= TOTAL {
                total += bytes;
                files.push((path, shown));
            }
        }
    }
    let each = files.into_par_iter().map(|(path, shown)| {
        // What is not UTF-8 is no code.
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        match kind_of(&shown, &text) {
            Some(kind) => names.said_in(&text, kind, &shown),
            None => Vec::new(),
        }
    });
    let mut found: Vec<Mention> = each.flatten_iter().collect();
    found.sort_unstable_by(|a, b| (&a.name, &a.path).cmp(&(&b.name, &b.path)));
    let mut of_name = 0;
    let mut last = String::new();
    found.retain(|mention| {
        if mention.name != last {
            (last, of_name) = (mention.name.clone(), 0);
        }
        of_name += 1;
        of_name <= SHOWN
    });
    Ok(found)
}

/// The files below a root, hidden ones too, and in each folder also the source that is ignored.
fn others(root: &Root) -> Result<Vec<std::path::PathBuf>, Error> {
    let walk = crate::discover::walker(root)?
        .hidden(false)
        .filter_entry(|entry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            let is_environment = || entry.path().join("pyvenv.cfg").exists();
            let name = entry.file_name().to_str().unwrap_or_default();
            !is_folder || entry.depth() == 0 || !NOT_ENTERED.contains(&name) && !is_environment()
        })
        .build();
    let mut files = Vec::new();
    for entry in walk.filter_map(Result::ok) {
        match entry.file_type() {
            Some(kind) if kind.is_file() => files.push(entry.into_path()),
            Some(kind) if kind.is_dir() => {
                let inside = std::fs::read_dir(entry.path()).into_iter().flatten().flatten();
                let sources = inside.filter(|file| {
                    file.file_type().is_ok_and(|kind| kind.is_file()) && is_source(&file.file_name().to_string_lossy())
                });
                files.extend(sources.map(|file| file.path()));
            }
            _ => {}
        }
    }
    files.sort_unstable();
    files.dedup();
    Ok(files)
}

/// What kind of file it is, by its name, or by its first line where that has no ending.
fn kind_of(path: &str, text: &str) -> Option<Kind> {
    let name = Path::new(path).file_name().and_then(OsStr::to_str).unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending {
        "py" | "pyi" | "go" | "pyw" | "pyx" | "pxd" | "pxi" | "ipynb" | "wsgi" | "cgi" | "bzl" | "bazel" | "s" => {
            Some(Kind::Code)
        }
        "toml" | "cfg" | "ini" | "conf" | "yaml" | "yml" | "json" | "xml" | "env" | "service" | "tf" | "hcl" | "sh"
        | "bash" | "zsh" | "fish" | "ps1" | "bat" | "cmd" | "mk" | "in" | "html" | "htm" | "j2" | "jinja"
        | "jinja2" | "tmpl" | "tpl" | "gotmpl" | "mako" => Some(Kind::Settings),
        "md" | "markdown" | "rst" | "txt" => Some(Kind::Document),
        "" => match (text.lines().next(), name) {
            (Some(first), _) if first.starts_with("#!") && first.contains("python") => Some(Kind::Code),
            (_, "SConstruct" | "SConscript" | "BUILD" | "WORKSPACE") => Some(Kind::Code),
            (_, "LICENSE" | "NOTICE" | "AUTHORS" | "CHANGELOG") => None,
            _ => Some(Kind::Settings),
        },
        _ => None,
    }
}

/// What may be named.
struct Names<'g> {
    plain: FxHashSet<&'g str>,
    /// The parts before the last of modules that lie in packages, by the last.
    modules: FxHashMap<&'g str, Vec<&'g str>>,
    /// The names of files of Python.
    files: FxHashSet<&'g str>,
}

impl<'g> Names<'g> {
    fn of(graph: &'g Graph) -> Self {
        let mut names = Self {
            plain: FxHashSet::default(),
            modules: FxHashMap::default(),
            files: FxHashSet::default(),
        };
        let files = graph.files.iter().filter(|file| file.path.ends_with(ENDING));
        names
            .files
            .extend(files.filter_map(|file| file.path.rsplit('/').next()));
        for node in &graph.nodes {
            match node.label {
                NodeKind::Function | NodeKind::Type => drop(names.plain.insert(&node.name)),
                NodeKind::Package => {
                    if let Some((before, last)) = node.qualified_name.rsplit_once('.') {
                        names.modules.entry(last).or_default().push(before);
                    }
                }
                _ => {}
            }
        }
        names.plain.retain(|name| name.len() >= 3 && !name.starts_with('_'));
        names
    }

    fn said_in(&self, text: &str, kind: Kind, path: &str) -> Vec<Mention> {
        let mut found = Vec::new();
        let mut seen: FxHashSet<(&str, &str)> = FxHashSet::default();
        for (number, line) in (1..).zip(text.lines()) {
            if kind == Kind::Document && !line.trim_start().starts_with(">>> ") {
                continue;
            }
            for file in files_named(line).filter(|file| self.files.contains(file)) {
                if seen.insert((ENDING, file)) {
                    found.push(Mention {
                        name: file.to_owned(),
                        path: path.to_owned(),
                        line: number,
                    });
                }
            }
            for (at, word) in words(line) {
                let (before, behind) = (&line[..at], &line[at + word.len()..]);
                let modules = self.modules.get(word).into_iter().flatten();
                // What is named behind a module is that alone.
                let goes_on = words(behind)
                    .next()
                    .is_some_and(|(at, _)| matches!(&behind[..at], "." | ":"));
                for above in modules.filter(|above| !goes_on && is_part(before, above)) {
                    if seen.insert((above, word)) {
                        found.push(Mention {
                            name: format!("{above}.{word}"),
                            path: path.to_owned(),
                            line: number,
                        });
                    }
                }
                let is_name = kind != Kind::Settings || is_written_as_name(before, word, behind);
                if self.plain.contains(word) && is_name && !is_declared(before) && seen.insert(("", word)) {
                    found.push(Mention {
                        name: word.to_owned(),
                        path: path.to_owned(),
                        line: number,
                    });
                }
            }
        }
        found
    }
}

/// The words of a text, as identifiers are words, and where each begins.
pub fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let mut at = 0;
    std::iter::from_fn(move || {
        let bytes = text.as_bytes();
        let start = at + bytes[at..].iter().position(|byte| is_part(*byte))?;
        let length = bytes[start..].iter().position(|byte| !is_part(*byte));
        at = length.map_or(bytes.len(), |length| start + length);
        Some((start, &text[start..at]))
    })
}

/// The files of Python that a line names, without their folders.
fn files_named(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |letter: char| letter.is_alphanumeric() || "_.-".contains(letter);
    let ends = line.match_indices(ENDING).map(|(at, ending)| at + ending.len());
    let ends = ends.filter(move |end| !line[*end..].starts_with(is_part));
    ends.filter_map(move |end| {
        let folder = line[..end].trim_end_matches(is_part);
        line.get(folder.len()..end)
    })
}

/// Whether nobody writes a word like this but as a name: `on_boot`, `makeUser`.
pub fn is_distinctive(word: &str) -> bool {
    let inner = word.trim_matches('_');
    let mut pairs = inner.bytes().zip(inner.bytes().skip(1));
    inner.contains('_') || pairs.any(|(first, second)| first.is_ascii_lowercase() && second.is_ascii_uppercase())
}

/// Whether a word stands behind a dot or a colon that joins it to another: `app.load`, `app:load`.
pub fn is_linked(before: &str) -> bool {
    let joined = before.strip_suffix(['.', ':']);
    joined.is_some_and(|joined| joined.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_'))
}

fn is_written_as_name(before: &str, word: &str, behind: &str) -> bool {
    /// `index.html` is a file.
    const LONGEST: usize = 4;
    let is_filter = || before.trim_end().ends_with('|') && before.contains('{');
    is_distinctive(word) || behind.starts_with('(') || is_linked(before) && word.len() > LONGEST || is_filter()
}

/// Whether it is declared there and not used.
fn is_declared(before: &str) -> bool {
    let words = before.trim_end();
    ["def", "class", "func"].iter().any(|keyword| words.ends_with(keyword))
}

/// Whether what is before a word are the dotted parts that belong to it.
fn is_part(before: &str, above: &str) -> bool {
    let parts = before.strip_suffix('.').and_then(|before| before.strip_suffix(above));
    parts.is_some_and(|outside| !outside.ends_with(|letter: char| letter.is_alphanumeric() || "._/".contains(letter)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(path: &str, text: &str) -> Vec<(String, u32)> {
        let names = Names {
            plain: FxHashSet::from_iter(["seed", "lambda_handler", "build", "makeUser"]),
            modules: FxHashMap::from_iter([("settings", vec!["shop"])]),
            files: FxHashSet::from_iter(["gunicorn.conf.py"]),
        };
        let found = kind_of(path, text).map(|kind| names.said_in(text, kind, path));
        let found = found.into_iter().flatten();
        found.map(|mention| (mention.name, mention.line)).collect()
    }

    #[test]
    fn settings_name_what_is_written_as_a_name() {
        assert_eq!(
            said("template.yaml", "a:\n  Handler: app.lambda_handler\n"),
            [("lambda_handler".into(), 2)]
        );
        assert_eq!(
            said("Makefile", "build: all\n\tpython3 -c 'import db; db.seed()'\n"),
            [("seed".into(), 2)]
        );
        assert_eq!(said("log.json", "{\"()\": \"redact.build\"}"), [("build".into(), 1)]);
        assert_eq!(
            said("Procfile", "web: run --settings=shop.settings\n"),
            [("shop.settings".into(), 1)]
        );
        assert_eq!(
            said("Procfile", "web: gunicorn -c etc/gunicorn.conf.py my.conf.py"),
            [("gunicorn.conf.py".into(), 1)]
        );
        assert_eq!(said("page.html", "<b>{{ price|seed }}</b> seed"), [("seed".into(), 1)]);
        assert!(said("a.yaml", "build: seed\nfile: x.seed\nother: workshop.settings\n").is_empty());
    }

    #[test]
    fn code_names_by_every_word_and_documents_by_examples() {
        assert_eq!(
            said("bin/tool", "#!/usr/bin/env python3\nfrom a import seed\n"),
            [("seed".into(), 2)]
        );
        assert!(said("x.pyx", "def seed(): pass\n").is_empty());
        assert_eq!(
            said("README.md", "seed() and lambda_handler\n>>> build\n"),
            [("build".into(), 2)]
        );
        assert!(said("a.css", "makeUser()").is_empty());
    }

    #[test]
    fn words_are_identifiers() {
        let found: Vec<_> = words("a.b_2(\u{e9}t\u{e9}) ").collect();
        assert_eq!(found, [(0, "a"), (2, "b_2"), (6, "\u{e9}t\u{e9}")]);
        assert!(words("").next().is_none() && words(" -").next().is_none());
    }
}
