//! The sample repository against `projects/shop/expected.toml`, which was written by reading its sources.
//!
//! What is expected is the truth. Where today's index differs, the difference stands in the file's `[losses]`, and the test holds
//! it there exactly: one that is new fails, and so does one that was mended and not taken off.
//!
//! A feature is *reached* when its result is. A variable inside it from which its result can be reached needs no look of its own:
//! whatever reaches such a variable reaches the result too, by flows and summaries, in whichever phase the walk is.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Mutex;

use ripple_extractor::Extraction;
use ripple_schema::{EdgeKind, Graph, Language, Node, NodeId, NodeKind};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use crate::reach::{Store, Walk};
use crate::support;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    key: BTreeMap<String, Key>,
    tag: BTreeMap<String, Vec<String>>,
    functions: Declared,
    types: Declared,
    fields: Declared,
    calls: Calls,
    losses: Losses,
}

/// Lists of names, by the name of the list.
type Declared = BTreeMap<String, Vec<String>>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Key {
    changes: Vec<String>,
    by_lookup: Vec<String>,
    keys: Vec<String>,
    reaches: Vec<String>,
    spares: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Calls {
    direct: Vec<(String, String)>,
    dynamic: Vec<(String, String)>,
    absent: Vec<(String, String)>,
}

#[derive(Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
struct Losses {
    missed: BTreeSet<String>,
    wrong: BTreeSet<String>,
}

impl Losses {
    /// Compares two sets of names.
    fn compare<'n>(&mut self, what: &str, wanted: &BTreeSet<&'n str>, found: &BTreeSet<&'n str>) {
        self.missed
            .extend(wanted.difference(found).map(|name| format!("{what}: {name}")));
        self.wrong
            .extend(found.difference(wanted).map(|name| format!("{what}: {name}")));
    }

    /// The losses of one kind of check, which starts so.
    fn of(&self, prefixes: &[&str]) -> Self {
        let fits = |line: &&String| prefixes.iter().any(|prefix| line.starts_with(prefix));
        Self {
            missed: self.missed.iter().filter(fits).cloned().collect(),
            wrong: self.wrong.iter().filter(fits).cloned().collect(),
        }
    }

    /// Fails unless today's losses are those of the file. `UPDATE_EXPECT=1` rewrites them there.
    fn hold(&self, expected: &Expected, prefixes: &[&str]) {
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            return self.write(prefixes);
        }
        let known = expected.losses.of(prefixes);
        let tell = |known: &BTreeSet<String>, today: &BTreeSet<String>| {
            let new = today.difference(known).map(|line| format!("  new     {line}"));
            let mended = known.difference(today).map(|line| format!("  mended  {line}"));
            new.chain(mended).collect::<Vec<_>>().join("\n")
        };
        let (missed, wrong) = (tell(&known.missed, &self.missed), tell(&known.wrong, &self.wrong));
        assert!(
            *self == known,
            "[losses] is not what is lost today:\nmissed\n{missed}\nwrong\n{wrong}"
        );
    }

    /// Puts these losses into the file, in place of those of the same kind of check.
    fn write(&self, prefixes: &[&str]) {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _guard = ONE_AT_A_TIME.lock();
        let path = folder().join("expected.toml");
        let text = std::fs::read_to_string(&path).expect("the model is there");
        let (head, _) = text.split_once("[losses]\n").expect("it ends with the losses");
        let old = expected().losses;
        let replaced = old.of(prefixes);
        let list = |old: &BTreeSet<String>, replaced: &BTreeSet<String>, new: &BTreeSet<String>| {
            let lines: BTreeSet<&String> = old.difference(replaced).chain(new).collect();
            lines.iter().map(|line| format!("    {line:?},\n")).collect::<String>()
        };
        let missed = list(&old.missed, &replaced.missed, &self.missed);
        let wrong = list(&old.wrong, &replaced.wrong, &self.wrong);
        let text = format!("{head}[losses]\nmissed = [\n{missed}]\nwrong = [\n{wrong}]\n");
        std::fs::write(&path, text).expect("the model can be written");
    }
}

#[test]
fn declarations_are_those_of_the_source() {
    let (expected, shop) = (expected(), shop());
    let graph = &shop.graph;
    support::edges_fit_the_schema(graph);
    let interfaces: FxHashSet<NodeId> = graph
        .nodes
        .iter()
        .filter(|node| node.kind == "interface")
        .map(|node| node.id)
        .collect();
    let in_interface: FxHashSet<NodeId> = graph
        .edges
        .iter()
        .filter(|edge| edge.kind == EdgeKind::Contains && interfaces.contains(&edge.from))
        .map(|edge| edge.to)
        .collect();
    let mut losses = Losses::default();
    let mut check = |section: &str, lists: &Declared, list: &str, holds: &dyn Fn(&Node) -> bool| {
        let wanted: BTreeSet<&str> = lists[list].iter().map(String::as_str).collect();
        assert_eq!(
            wanted.len(),
            lists[list].len(),
            "[{section}] {list} names something twice"
        );
        let found = graph
            .nodes
            .iter()
            .filter(|node| holds(node))
            .map(|node| node.qualified_name.as_str());
        losses.compare(&format!("{section}.{list}"), &wanted, &found.collect());
    };
    let named = |node: &Node| matches!(node.kind, "function" | "method");
    let function = |language: Language, test: bool| {
        let in_interface = &in_interface;
        move |node: &Node| {
            node.label == NodeKind::Function
                && named(node)
                && node.language == language
                && node.test == test
                && !in_interface.contains(&node.id)
        }
    };
    check("functions", &expected.functions, "go", &function(Language::Go, false));
    check(
        "functions",
        &expected.functions,
        "go_test",
        &function(Language::Go, true),
    );
    check("functions", &expected.functions, "go_interface", &|node: &Node| {
        node.label == NodeKind::Function && in_interface.contains(&node.id)
    });
    check(
        "functions",
        &expected.functions,
        "python",
        &function(Language::Python, false),
    );
    check(
        "functions",
        &expected.functions,
        "python_test",
        &function(Language::Python, true),
    );
    let of_type = |kind: &'static str, test: bool| {
        move |node: &Node| node.label == NodeKind::Type && node.kind == kind && node.test == test
    };
    check("types", &expected.types, "go_struct", &of_type("struct", false));
    check("types", &expected.types, "go_interface", &of_type("interface", false));
    check("types", &expected.types, "python", &of_type("class", false));
    check("types", &expected.types, "python_test", &of_type("class", true));
    let field = |kind: &'static str| move |node: &Node| node.label == NodeKind::Field && node.kind == kind;
    check("fields", &expected.fields, "go", &field("field"));
    check("fields", &expected.fields, "python", &field("attribute"));
    check("fields", &expected.fields, "python_class", &field("class_attribute"));
    losses.hold(&expected, &["functions.", "types.", "fields."]);

    // Beside the functions with a name: one closure, and one body a module.
    let kind = |kind: &str, language: Language| -> Vec<&str> {
        let nodes = graph
            .nodes
            .iter()
            .filter(|node| node.label == NodeKind::Function && node.kind == kind);
        nodes
            .filter(|node| node.language == language)
            .map(|node| node.qualified_name.as_str())
            .collect()
    };
    let closures = [kind("closure", Language::Go), kind("closure", Language::Python)].concat();
    assert!(
        closures.len() == 1 && closures[0].starts_with("example.com/shop/api/handlers.only."),
        "closures: {closures:?}"
    );
    let modules = graph
        .nodes
        .iter()
        .filter(|node| node.label == NodeKind::File && node.language == Language::Python);
    assert_eq!(
        kind("initializer", Language::Python).len(),
        modules.count(),
        "one body a module"
    );
}

#[test]
fn tags_are_those_of_the_settings() {
    let (expected, shop) = (expected(), shop());
    let tagged = shop.graph.nodes.iter().flat_map(|node| node.tags.split_whitespace());
    let known: BTreeSet<&str> = tagged.collect();
    assert_eq!(known, expected.tag.keys().map(String::as_str).collect());
    let mut losses = Losses::default();
    for (tag, names) in &expected.tag {
        let found = shop
            .graph
            .nodes
            .iter()
            .filter(|node| node.tags.split_whitespace().any(|other| other == tag));
        let wanted = names.iter().map(String::as_str).collect();
        losses.compare(
            &format!("tag.{tag}"),
            &wanted,
            &found.map(|node| node.qualified_name.as_str()).collect(),
        );
    }
    losses.hold(&expected, &["tag."]);
}

#[test]
fn calls_are_those_of_the_source() {
    let (expected, shop) = (expected(), shop());
    let names: FxHashMap<NodeId, &str> = shop
        .graph
        .nodes
        .iter()
        .map(|node| (node.id, node.qualified_name.as_str()))
        .collect();
    let calls = shop.graph.edges.iter().filter(|edge| edge.kind == EdgeKind::Calls);
    let found: FxHashSet<(&str, &str)> = calls.map(|edge| (names[&edge.from], names[&edge.to])).collect();
    let mut losses = Losses::default();
    let listed = |list: &str, (from, to): &(String, String)| {
        for name in [from, to] {
            assert!(
                names.values().any(|known| known == name),
                "[calls] {list}: nothing is called {name}"
            );
        }
        (
            found.contains(&(from.as_str(), to.as_str())),
            format!("calls.{list}: {from} -> {to}"),
        )
    };
    for (list, calls) in [("direct", &expected.calls.direct), ("dynamic", &expected.calls.dynamic)] {
        let missed = calls.iter().map(|call| listed(list, call)).filter(|(found, _)| !found);
        losses.missed.extend(missed.map(|(_, line)| line));
    }
    let wrong = expected
        .calls
        .absent
        .iter()
        .map(|call| listed("absent", call))
        .filter(|(found, _)| *found);
    losses.wrong.extend(wrong.map(|(_, line)| line));
    losses.hold(&expected, &["calls."]);
}

#[test]
fn a_key_reaches_the_features_that_it_changes_and_no_others() {
    let (expected, shop) = (expected(), shop());
    let walk = Walk::new(&shop.graph, true);
    let mut losses = Losses::default();
    for (key, truth) in &expected.key {
        let reached = walk.reach(key_node(&shop.graph, key));
        let wanted: BTreeSet<&str> = truth
            .changes
            .iter()
            .chain(&truth.by_lookup)
            .map(String::as_str)
            .collect();
        let tagged = shop
            .graph
            .nodes
            .iter()
            .filter(|node| node.label == NodeKind::Function && !node.tags.is_empty());
        let result_reached = |function: &&Node| {
            let mut parts = walk.parts(function.id).filter(|part| reached.contains(part));
            parts.any(|part| shop.graph.node(part).is_some_and(|node| node.kind == "result"))
        };
        let found = tagged
            .filter(result_reached)
            .map(|function| function.qualified_name.as_str());
        losses.compare(&format!("key.{key}.changes"), &wanted, &found.collect());
        let is_reached = |name: &str| {
            let places: Vec<&Node> = shop
                .graph
                .nodes
                .iter()
                .filter(|node| node.qualified_name == name)
                .collect();
            assert!(!places.is_empty(), "[key.{key}]: nothing is called {name}");
            places.iter().any(|place| reached.contains(&place.id))
        };
        // Under a key on the wire, or in a container that is handed on: `{"email": contact}`.
        let under = |key: &str| {
            let part = format!("[\"{key}\"]");
            let fits = |node: &&Node| node.label == NodeKind::Key && node.name == key || node.name == part;
            shop.graph
                .nodes
                .iter()
                .filter(fits)
                .any(|node| reached.contains(&node.id))
        };
        let missed = truth.keys.iter().filter(|other| !under(other));
        losses
            .missed
            .extend(missed.map(|other| format!("key.{key}.keys: {other}")));
        let missed = truth.reaches.iter().filter(|place| !is_reached(place));
        losses
            .missed
            .extend(missed.map(|place| format!("key.{key}.reaches: {place}")));
        let wrong = truth.spares.iter().filter(|place| is_reached(place));
        losses
            .wrong
            .extend(wrong.map(|place| format!("key.{key}.spares: {place}")));
    }
    losses.hold(&expected, &["key."]);
}

/// The store's answer is the walk's: the question can be asked in Cypher.
#[test]
fn cypher_reaches_what_the_walk_reaches() {
    let (expected, shop) = (expected(), shop());
    let walk = Walk::new(&shop.graph, true);
    let store = Store::load(&shop);
    for key in expected.key.keys() {
        let start = key_node(&shop.graph, key);
        let wanted: BTreeSet<NodeId> = walk.reach(start).into_iter().collect();
        let found = store.reach(start);
        let names = |ids: std::collections::btree_set::Difference<'_, NodeId>| -> Vec<&str> {
            ids.filter_map(|id| shop.graph.node(*id))
                .map(|node| node.qualified_name.as_str())
                .collect()
        };
        let (missed, wrong) = (names(wanted.difference(&found)), names(found.difference(&wanted)));
        assert!(
            missed.is_empty() && wrong.is_empty(),
            "key {key}: Cypher misses {missed:#?}, and adds {wrong:#?}"
        );
    }
}

fn folder() -> PathBuf {
    support::tests_folder().join("projects/shop")
}

fn expected() -> Expected {
    let text = std::fs::read_to_string(folder().join("expected.toml")).expect("the model is there");
    toml::from_str(&text).unwrap_or_else(|error| panic!("expected.toml: {error}"))
}

fn shop() -> Extraction {
    support::extract_folder(&folder())
}

fn key_node(graph: &Graph, name: &str) -> NodeId {
    let mut keys = graph.nodes.iter().filter(|node| node.label == NodeKind::Key);
    keys.find(|node| node.name == name)
        .unwrap_or_else(|| panic!("no key {name}"))
        .id
}
