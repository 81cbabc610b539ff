//! The rules of the house that the code can check by itself.
//!
//! Where today's code breaks a rule, the file is listed with the reason, and a file that no longer does has to be taken off its list.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ripple_extractor::propagate::library::Library;

use crate::support;

/// Most lines of a source file; half of that is the aim.
const LINES: usize = 800;

/// Longer than that: a second noun is hiding in each.
const LONGER: &[(&str, &str)] = &[];

/// Which of our crates a crate may use; `ripple-tests` sees all, and nobody sees it.
const LAYERS: &[(&str, &[&str])] = &[
    ("schema", &[]),
    ("extractor", &["ripple-schema"]),
    ("graphdb", &["ripple-schema"]),
    ("query-api", &["ripple-schema", "ripple-extractor", "ripple-graphdb"]),
    (
        "tests",
        &[
            "ripple-schema",
            "ripple-extractor",
            "ripple-graphdb",
            "ripple-query-api",
        ],
    ),
];

/// Where code asks which language it is, outside of the languages' own folders.
const ASKS_THE_LANGUAGE: &[(&str, &str)] = &[
    ("extractor/src/builtins.rs", "holds the names that each language binds"),
    ("extractor/src/discover.rs", "knows languages by their files' endings"),
    ("extractor/src/lib.rs", "hands a file to its language"),
    ("extractor/src/pattern.rs", "each language has a grammar"),
    (
        "extractor/src/emit.rs",
        "`EMBEDS` or `INHERITS`; only classes override by name",
    ),
    (
        "extractor/src/emit/nodes.rs",
        "what is exported, and what a package is called",
    ),
    (
        "extractor/src/link/member.rs",
        "embedded fields are looked up by depth, bases in method resolution order",
    ),
    (
        "extractor/src/link/mod.rs",
        "an initialiser belongs to a package, a body to a module",
    ),
    (
        "extractor/src/link/package.rs",
        "a package is a folder below a module, or a file",
    ),
    (
        "extractor/src/link/scope.rs",
        "what an import binds, and where a name is looked up",
    ),
    (
        "extractor/src/propagate/heap/outside.rs",
        "objects of Go's library are told by their declared types",
    ),
    (
        "query-api/src/operation/builds.rs",
        "one function for each system is a way of Go's files",
    ),
    (
        "query-api/src/operation/outside.rs",
        "what the language and its library call by themselves",
    ),
    (
        "query-api/src/operation/published.rs",
        "what code elsewhere can import, each language has rules for",
    ),
    (
        "query-api/src/operation/verdict.rs",
        "a field of Python may keep what is called, and no type says whether it does",
    ),
    (
        "extractor/src/propagate/accepted.rs",
        "what a call of Go gives, its compiler has checked",
    ),
    (
        "extractor/src/propagate/access.rs",
        "an attribute may be made by setting it; a member of a pointer is its target's",
    ),
    (
        "extractor/src/propagate/arguments.rs",
        "a spread argument of Go is the variadic parameter itself",
    ),
    (
        "extractor/src/propagate/call.rs",
        "calling a class makes an instance, calling a type converts",
    ),
    (
        "extractor/src/propagate/edges/elements.rs",
        "`x[k]` on an instance calls a method, or it does not",
    ),
    (
        "extractor/src/propagate/edges/library.rs",
        "the wire name of a field without a tag",
    ),
    (
        "extractor/src/propagate/edges/plain.rs",
        "an attribute of the class stands in for one of the instance",
    ),
    (
        "extractor/src/propagate/lay_out.rs",
        "a receiver is declared, or is the first parameter",
    ),
    (
        "extractor/src/propagate/types.rs",
        "names of built-in types, and what implements an interface",
    ),
    ("graphdb/examples/load_bench.rs", "makes rows up"),
];

/// Which source files name the engine, outside of its folder.
const ENGINE_NAMED: &[(&str, &str)] = &[
    ("graphdb/src/lib.rs", "declares the folder"),
    (
        "tests/it/bad_input/store.rs",
        "damages the database's file, which is called so",
    ),
    ("tests/it/house.rs", "has to name what it looks for"),
];

#[test]
fn every_source_file_says_what_it_is() {
    let silent = rust_files().filter(|file| !file.text.starts_with("//! "));
    nothing(
        "opens without a `//!` that says what the file is",
        silent.map(|file| file.path),
    );
}

#[test]
fn text_is_clean() {
    let mut wrong = Vec::new();
    for file in files() {
        for (number, line) in (1..).zip(file.text.lines()) {
            if line.ends_with([' ', '\t', '\r']) {
                wrong.push(format!("{}:{number}: space at the end", file.path));
            }
            if file.is_rust() && line.contains('\t') {
                wrong.push(format!("{}:{number}: a tab", file.path));
            }
        }
        if !file.text.is_empty() && (!file.text.ends_with('\n') || file.text.ends_with("\n\n")) {
            wrong.push(format!("{}: does not end with one newline", file.path));
        }
    }
    nothing("is not clean", wrong);
}

#[test]
fn files_are_short() {
    let long = rust_files()
        .filter(|file| file.text.lines().count() > LINES)
        .map(|file| file.path);
    listed(
        &format!("is longer than {LINES} lines"),
        long,
        LONGER.iter().map(|(path, _)| *path),
    );
    let mut lengths: Vec<(usize, String)> = rust_files()
        .map(|file| (file.text.lines().count(), file.path))
        .collect();
    lengths.sort();
    for (lines, path) in lengths.iter().rev().take_while(|(lines, _)| *lines > LINES / 2) {
        println!("{lines:6}  {path}");
    }
}

#[test]
fn every_crate_has_a_readme() {
    let without = LAYERS
        .iter()
        .filter(|(krate, _)| !root().join(krate).join("README.md").is_file());
    nothing("has no README.md", without.map(|(krate, _)| *krate));
}

#[test]
fn crates_look_downstream_only() {
    let mut wrong = Vec::new();
    for (krate, allowed) in LAYERS {
        let manifest = read(&root().join(krate).join("Cargo.toml"));
        let manifest: toml::Table = toml::from_str(&manifest).expect("a manifest is TOML");
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let names = manifest
                .get(section)
                .and_then(toml::Value::as_table)
                .into_iter()
                .flat_map(toml::Table::keys);
            let ours = names.filter(|name| name.starts_with("ripple-") && !allowed.contains(&name.as_str()));
            wrong.extend(ours.map(|name| format!("{krate}: {name}, in [{section}]")));
        }
    }
    nothing("is used by a crate that must not know it", wrong);
}

/// Manifests and READMEs may name the engine: people have to know what they install.
#[test]
fn the_engine_is_named_in_one_folder() {
    let engine = ["kuzu", "kùzu"];
    let names = |file: &File| {
        let text = file.text.to_lowercase();
        engine.iter().any(|name| text.contains(name))
    };
    let outside = rust_files().filter(|file| !file.path.starts_with("graphdb/src/kuzu/"));
    let known = ENGINE_NAMED.iter().map(|(path, _)| *path);
    listed("names the engine", outside.filter(names).map(|file| file.path), known);
    let root = read(&root().join("graphdb/src/lib.rs"));
    let code: Vec<&str> = code_lines(&root).filter(|line| line.contains(engine[0])).collect();
    assert_eq!(
        code,
        ["mod kuzu;", "use kuzu as engine;"],
        "graphdb/src/lib.rs: the folder is declared, and nothing else"
    );
}

#[test]
fn the_parser_is_known_to_the_extractor_only() {
    let parser = ["tree_sitter", "tree-sitter"];
    let names = |file: &File| parser.iter().any(|name| file.text.contains(name));
    let is_read = |file: &File| file.is_rust() || file.path.ends_with("Cargo.toml");
    let outside = files()
        .into_iter()
        .filter(|file| is_read(file) && !file.path.starts_with("extractor/"));
    // The workspace's manifest holds every version once.
    listed(
        "names the parser",
        outside.filter(names).map(|file| file.path),
        ["Cargo.toml", "tests/it/house.rs"],
    );
}

#[test]
fn languages_are_asked_for_in_their_own_folders() {
    let asks = |file: &File| {
        let code = file.text.split("#[cfg(test)]").next().unwrap_or("");
        code_lines(code).any(|line| line.contains("Language::Python") || line.contains("Language::Go"))
    };
    let own = ["extractor/src/go/", "extractor/src/python/", "tests/"];
    let elsewhere = rust_files()
        .filter(|file| !own.iter().any(|folder| file.path.starts_with(folder)) && !file.path.ends_with("/tests.rs"));
    let known = ASKS_THE_LANGUAGE.iter().map(|(path, _)| *path);
    listed(
        "asks for a language by name",
        elsewhere.filter(asks).map(|file| file.path),
        known,
    );
}

#[test]
fn prompts_are_not_written_in_code() {
    let phrases = [
        "you are a",
        "your task is",
        "respond with",
        "answer the question",
        "step by step",
        "system prompt",
    ];
    let mut wrong = Vec::new();
    for file in rust_files().filter(|file| file.path != "tests/it/house.rs") {
        for (number, line) in (1..).zip(file.text.lines()).filter(|(_, line)| is_code(line)) {
            let line = line.to_lowercase();
            let spoken = phrases.iter().find(|phrase| line.contains(*phrase));
            wrong.extend(spoken.map(|phrase| format!("{}:{number}: \"{phrase}\"", file.path)));
        }
    }
    nothing("speaks to a model: that belongs into prompts/", wrong);
}

#[test]
fn library_tables_can_be_read_and_name_nothing_twice() {
    for (language, text) in [
        ("go", ripple_extractor::go::LIBRARY),
        ("python", ripple_extractor::python::LIBRARY),
    ] {
        let added = Library::default().add(text);
        assert!(added.is_ok(), "{language}: {added:?}");
        let table: toml::Table = toml::from_str(text).expect("it was read just now");
        let mut seen = BTreeSet::new();
        let twice = table
            .keys()
            .flat_map(|names| names.split_whitespace())
            .filter(|name| !seen.insert(*name));
        nothing(&format!("stands twice in {language}'s table"), twice);
    }
}

/// A text file of the project.
struct File {
    /// From the project's root, with `/`.
    path: String,
    text: String,
}

impl File {
    fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }
}

fn rust_files() -> impl Iterator<Item = File> {
    files().into_iter().filter(File::is_rust)
}

/// What people write, in order.
fn files() -> Vec<File> {
    let mut found = Vec::new();
    let mut open = vec![root()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("the project can be read") {
            let path = entry.expect("the project can be read").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            // What was built is marked as such by its maker.
            let is_built = name == "node_modules" || name == "__pycache__" || path.join("CACHEDIR.TAG").exists();
            if path.is_dir() && !path.is_symlink() {
                if !is_built && (name == ".ci" || !name.starts_with('.')) {
                    open.push(path);
                }
                continue;
            }
            let written = ["rs", "toml", "md", "py", "go", "mod", "cypher"];
            let ending = path.extension().and_then(|ending| ending.to_str());
            if ending.is_some_and(|ending| written.contains(&ending)) || matches!(name.as_str(), "run" | "Makefile") {
                let relative = path.strip_prefix(root()).expect("it was found below the root");
                let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
                found.push(File {
                    path: parts.join("/"),
                    text: read(&path),
                });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.len() > 100, "{} files below {}", found.len(), root().display());
    found
}

fn root() -> PathBuf {
    support::tests_folder()
        .parent()
        .expect("the tests crate stands in the workspace")
        .to_owned()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The lines that are not comments.
fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| is_code(line))
}

fn is_code(line: &str) -> bool {
    !line.trim_start().starts_with("//")
}

/// Fails if there is anything.
fn nothing<T: AsRef<str>>(what: &str, wrong: impl IntoIterator<Item = T>) {
    listed(what, wrong, []);
}

/// Fails unless those found are those listed.
fn listed<'l, T: AsRef<str>>(what: &str, found: impl IntoIterator<Item = T>, known: impl IntoIterator<Item = &'l str>) {
    let found: BTreeSet<String> = found.into_iter().map(|name| name.as_ref().to_owned()).collect();
    let known: BTreeSet<String> = known.into_iter().map(str::to_owned).collect();
    let new: Vec<&String> = found.difference(&known).collect();
    let gone: Vec<&String> = known.difference(&found).collect();
    assert!(new.is_empty(), "{what}: {new:#?}");
    assert!(
        gone.is_empty(),
        "no longer {what}, and still on the list of those that do: {gone:#?}"
    );
}
