//! Real packages: what is declared in them, file by file, as the languages' own parsers count it.
//!
//! The counters are in `oracles/`; each says in its head what exactly it counts. The packages are fetched by `setup/fetch.py`, once.
//!
//! Only what a class itself says is a declaration. The index also knows fields that other code sets on an instance, as it follows
//! values to where they are set; such a field stands outside of its class's lines, and is not compared.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use ripple_extractor::Extraction;
use ripple_schema::{EdgeKind, Language, Node, NodeId, NodeKind};
use rustc_hash::FxHashMap;
use serde::Deserialize;

use crate::support;

/// Counts by name of what is counted.
type Counts = BTreeMap<String, u64>;

#[derive(Debug, Deserialize)]
struct Oracle {
    files: BTreeMap<String, BTreeMap<String, serde_json::Value>>,
}

#[test]
fn cobra() {
    check("cobra", Language::Go);
}

#[test]
fn rich() {
    check("rich", Language::Python);
}

#[test]
fn rich_cli() {
    check("rich-cli", Language::Python);
}

/// Every count of every file of a package.
fn check(package: &str, language: Language) {
    let folder = test_data(package);
    let oracle = oracle(&folder, language);
    let extraction = support::extract_folder(&folder);
    support::edges_fit_the_schema(&extraction.graph);
    let count: fn(&Declarations<'_>, &str) -> Counts = match language {
        Language::Go => go_counts,
        _ => python_counts,
    };
    let declarations = Declarations::of(&extraction);
    let mut differences = Vec::new();
    let mut total = Counts::new();
    let indexed: Vec<&str> = extraction.graph.files.iter().map(|file| file.path.as_str()).collect();
    let counted: Vec<&str> = oracle.files.keys().map(String::as_str).collect();
    assert_eq!(indexed, counted, "the files of {package}");
    for (path, wanted) in &oracle.files {
        for (what, found) in count(&declarations, path) {
            let wanted = wanted[&what].as_u64().expect("a count");
            *total.entry(what.clone()).or_default() += found;
            if found != wanted {
                differences.push(format!("{path}: {found} {what}, not {wanted}"));
            }
        }
    }
    println!("{package}: {} files, {total:?}", indexed.len());
    assert!(
        differences.is_empty(),
        "{package} is counted otherwise:\n{}",
        differences.join("\n")
    );
}

/// What each file declares.
struct Declarations<'g> {
    by_file: FxHashMap<&'g str, Vec<&'g Node>>,
    /// The type that a function or field belongs to.
    owners: FxHashMap<NodeId, &'g Node>,
}

impl<'g> Declarations<'g> {
    fn of(extraction: &'g Extraction) -> Self {
        let graph = &extraction.graph;
        let mut by_file: FxHashMap<&str, Vec<&Node>> = FxHashMap::default();
        for node in &graph.nodes {
            if let Some(site) = node.site {
                by_file.entry(graph.path(site.file)).or_default().push(node);
            }
        }
        let types: FxHashMap<NodeId, &Node> = graph
            .nodes
            .iter()
            .filter(|node| node.label == NodeKind::Type)
            .map(|node| (node.id, node))
            .collect();
        let contains = graph.edges.iter().filter(|edge| edge.kind == EdgeKind::Contains);
        let owners = contains
            .filter_map(|edge| Some((edge.to, *types.get(&edge.from)?)))
            .collect();
        Self { by_file, owners }
    }

    fn count(&self, path: &str, label: NodeKind, holds: impl Fn(&Node) -> bool) -> u64 {
        let nodes = self.by_file.get(path).into_iter().flatten();
        nodes.filter(|node| node.label == label && holds(node)).count() as u64
    }
}

fn go_counts(declared: &Declarations<'_>, path: &str) -> Counts {
    // What the index calls a type without a name.
    let anonymous = |node: &Node| matches!(node.name.as_str(), "struct{}" | "interface{}");
    let owner = |node: &Node| declared.owners.get(&node.id).copied();
    let of_interface = |node: &Node| owner(node).is_some_and(|owner| owner.kind == "interface");
    let function = |kind: &str| {
        declared.count(path, NodeKind::Function, |node| {
            node.kind == kind && !of_interface(node)
        })
    };
    let of_type = |kinds: &[&str], named: bool| {
        declared.count(path, NodeKind::Type, |node| {
            kinds.contains(&node.kind) && anonymous(node) != named
        })
    };
    let fields = |named: bool| {
        declared.count(path, NodeKind::Field, |node| {
            owner(node).is_some_and(|owner| anonymous(owner) != named)
        })
    };
    let interface_methods = declared.count(path, NodeKind::Function, |node| {
        owner(node).is_some_and(|owner| owner.kind == "interface" && !anonymous(owner))
    });
    counts([
        ("functions", function("function")),
        ("methods", function("method")),
        ("literals", function("closure")),
        ("structs", of_type(&["struct"], true)),
        ("anonymous", of_type(&["struct"], false)),
        ("interfaces", of_type(&["interface"], true)),
        ("named", of_type(&["named", "alias"], true)),
        ("fields", fields(true)),
        ("anonymous_fields", fields(false)),
        ("interface_methods", interface_methods),
    ])
}

fn python_counts(declared: &Declarations<'_>, path: &str) -> Counts {
    let function = |kinds: &[&str]| declared.count(path, NodeKind::Function, |node| kinds.contains(&node.kind));
    let own = |node: &Node| {
        let owner = declared.owners.get(&node.id).copied();
        owner
            .zip(owner.and_then(|owner| owner.site))
            .zip(node.site)
            .is_some_and(|((owner, class), field)| {
                field.file == class.file && (class.line..=owner.end_line).contains(&field.line)
            })
    };
    let field = |kinds: &[&str]| declared.count(path, NodeKind::Field, |node| kinds.contains(&node.kind) && own(node));
    counts([
        ("functions", function(&["function", "method"])),
        ("methods", function(&["method"])),
        ("lambdas", function(&["closure"])),
        // A class that a call makes (`namedtuple("Point", "x y")`) is no class statement: its kind is `named`.
        (
            "classes",
            declared.count(path, NodeKind::Type, |node| node.kind == "class"),
        ),
        ("class_attributes", field(&["class_attribute"])),
        ("attributes", field(&["class_attribute", "attribute"])),
    ])
}

fn counts<const N: usize>(counts: [(&str, u64); N]) -> Counts {
    counts
        .into_iter()
        .map(|(what, count)| (what.to_owned(), count))
        .collect()
}

/// What the language's own parser counts.
fn oracle(folder: &Path, language: Language) -> Oracle {
    let oracles = support::tests_folder().join("oracles");
    let mut command = match language {
        Language::Go => {
            let mut go = Command::new("go");
            go.current_dir(oracles.join("go_counts")).args(["run", "."]);
            go
        }
        _ => {
            let mut python = Command::new("python3");
            python.arg(oracles.join("python_counts.py"));
            python
        }
    };
    let output = command
        .arg(folder)
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("the counter writes JSON")
}

/// The folder of a package that was fetched.
pub fn test_data(package: &str) -> PathBuf {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = support::test_data();
        if [
            "cobra",
            "rich",
            "rich-cli",
            "click",
            "jinja2",
            "django",
            "python-tools",
            "python-mcp",
        ]
        .iter()
        .all(|package| folder.join(package).is_dir())
        {
            return folder;
        }
        let script = support::tests_folder().join("setup/fetch.py");
        let mut command = Command::new("python3");
        command.arg(script).arg("tests").env("RIPPLE_TEST_DATA", &folder);
        let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        folder
    });
    FOLDER.join(package)
}
