//! What must hold of any input: mangled source makes a graph whose edges fit, the same one twice; a mangled query is let through
//! or refused with a span inside it. Nothing panics.
//!
//! The seeds are the specification pages: real little programs, cut, doubled and spliced at random.

use std::sync::OnceLock;

use proptest::prelude::*;
use ripple_extractor::Extraction;
use ripple_graphdb::guard;
use rustc_hash::FxHashMap;

use crate::support;

/// One way to spoil a text.
#[derive(Debug, Clone)]
enum Spoil {
    Cut {
        at: prop::sample::Index,
        count: usize,
    },
    Double {
        at: prop::sample::Index,
        count: usize,
    },
    Insert {
        at: prop::sample::Index,
        what: &'static str,
    },
}

/// Pieces that open something, close something, or belong nowhere.
const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "\"\"\"",
    "`",
    "#",
    "//",
    "/*",
    "*/",
    "\\",
    "\n",
    "\n    ",
    "\t",
    ":",
    ";",
    ",",
    ".",
    "=",
    ":=",
    "->",
    "*",
    "**",
    "&",
    "@",
    "class ",
    "def ",
    "func ",
    "lambda: ",
    "yield ",
    "return ",
    "import ",
    "type ",
    "é",
    "\u{200b}",
    "self.",
    "super().",
    "match x:\n case ",
    "select {",
    "<-",
    "LOAD FROM ",
    "MATCH ",
    "$x",
    "\u{0}",
];

fn spoil() -> impl Strategy<Value = Spoil> {
    let at = any::<prop::sample::Index>;
    prop_oneof![
        (at(), 1usize..40).prop_map(|(at, count)| Spoil::Cut { at, count }),
        (at(), 1usize..200).prop_map(|(at, count)| Spoil::Double { at, count }),
        (at(), prop::sample::select(PIECES)).prop_map(|(at, what)| Spoil::Insert { at, what }),
    ]
}

fn spoiled(text: &str, spoils: &[Spoil]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for spoil in spoils.iter().filter(|_| !text.is_empty()) {
        match spoil {
            Spoil::Cut { at, count } => {
                let start = at.index(letters.len() + 1);
                letters.drain(start..(start + count).min(letters.len()));
            }
            Spoil::Double { at, count } => {
                let start = at.index(letters.len() + 1);
                let piece = letters[start..(start + count).min(letters.len())].to_vec();
                letters.splice(start..start, piece);
            }
            Spoil::Insert { at, what } => {
                let start = at.index(letters.len() + 1);
                letters.splice(start..start, what.chars());
            }
        }
    }
    letters.into_iter().collect()
}

/// Every code block of the pages, with its file name.
fn seeds() -> &'static [(String, String)] {
    static SEEDS: OnceLock<Vec<(String, String)>> = OnceLock::new();
    SEEDS.get_or_init(|| {
        let mut seeds = Vec::new();
        for (language, extension) in [("python", "py"), ("go", "go")] {
            let folder = support::tests_folder().join("pages").join(language);
            for entry in std::fs::read_dir(folder).expect("the pages are there") {
                let text = std::fs::read_to_string(entry.expect("readable").path()).expect("a page can be read");
                let blocks = text
                    .split("```")
                    .skip(1)
                    .step_by(2)
                    .filter(|block| block.starts_with(language));
                seeds.extend(blocks.map(|block| {
                    let code = block.split_once('\n').map_or("", |(_, code)| code);
                    (format!("main.{extension}"), code.to_owned())
                }));
            }
        }
        seeds.sort();
        seeds
    })
}

fn index(name: &str, text: &str) -> Extraction {
    let folder = support::folder_of([(name, text), ("go.mod", "module example.com/page\n")]);
    support::extract_folder(folder.path())
}

/// Holds of every graph, and of the same source always the same graph.
fn fits(name: &str, text: &str) -> Result<(), TestCaseError> {
    let first = index(name, text);
    let labels: FxHashMap<_, _> = first.graph.nodes.iter().map(|node| (node.id, node.label)).collect();
    prop_assert_eq!(labels.len(), first.graph.nodes.len(), "ids are unique");
    for edge in &first.graph.edges {
        let ends = (labels.get(&edge.from).copied(), labels.get(&edge.to).copied());
        let (Some(from), Some(to)) = ends else {
            return Err(TestCaseError::fail(format!("{edge:?} has a loose end")));
        };
        prop_assert!(
            edge.kind.endpoints().contains(&(from, to)),
            "{} joins {from} and {to}",
            edge.kind
        );
        let file = first.graph.files.get(edge.site.file.0 as usize);
        prop_assert!(
            file.is_some_and(|file| edge.site.line <= file.lines.max(1)),
            "{edge:?} stands nowhere"
        );
    }
    let second = index(name, text);
    prop_assert_eq!(&first.graph.nodes, &second.graph.nodes);
    prop_assert_eq!(&first.graph.edges, &second.graph.edges);
    Ok(())
}

/// What once did not fit: a table that nobody made gets what a function gives, under the name that the function has in another table.
#[test]
fn what_once_did_not_fit_does() {
    let text = r#"
def loud(text):
    return text.upper()

STEPS = {"loud": loud}
for name, step in STEPS.items():
    out[name] = step(secret)
"#;
    fits("main.py", text).expect("the graph fits");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mangled_source_makes_a_graph_that_fits(
        seed in any::<prop::sample::Index>(),
        spoils in prop::collection::vec(spoil(), 0..12),
    ) {
        let (name, text) = seed.get(seeds());
        fits(name, &spoiled(text, &spoils))?;
    }

    #[test]
    fn a_mangled_query_is_let_through_or_refused_with_its_span(
        spoils in prop::collection::vec(spoil(), 0..8),
    ) {
        let query = "MATCH (n:Function {name: 'main'})-[c:CALLS]->(g) WHERE g.set = \"a\" RETURN n.`x`, count(*) AS k LIMIT 5";
        let query = spoiled(query, &spoils);
        if let Err(refusal) = guard::check(&query) {
            prop_assert!(query.get(refusal.span.clone()).is_some(), "{:?} is no part of {query:?}", refusal.span);
        }
    }

    #[test]
    fn any_text_is_let_through_or_refused(query in "\\PC{0,80}") {
        let _ = guard::check(&query);
    }
}
