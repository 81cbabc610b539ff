//! Questions of several hops over packages that nobody here wrote, `rich-cli` and `cobra`: answered right without a language model, and with one that helps.
//!
//! What is right was found by reading the source; what each question has to name, and what it must not, stands beside it.

use std::path::Path;
use std::sync::OnceLock;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{Run, ripple, run};
use crate::scripted_llm::ScriptedLlm;
use crate::support::test_data;

/// A question, the operation that it wants, names that the results have to hold, and names that they must not hold.
struct Question {
    text: &'static str,
    operation: &'static str,
    right: &'static [&'static str],
    wrong: &'static [&'static str],
    /// A query that a model might write for it.
    cypher: &'static str,
}

const COBRA: &[Question] = &[
    // SetUsageTemplate writes usageTemplate; UsageTemplate returns it; the closure in UsageFunc hands it to tmpl.
    Question {
        text: "If the text given to SetUsageTemplate changes, which functions see it?",
        operation: "impact",
        right: &[
            "Command.usageTemplate",
            "Command.UsageTemplate",
            "Command.UsageFunc.func1",
            "cobra.tmpl",
        ],
        wrong: &["Command.HelpTemplate", "Command.VersionTemplate", "Command.Find"],
        cypher: "MATCH (:Function {name: 'SetUsageTemplate'})-[:CONTAINS]->(p:Variable {kind: 'parameter'}) WITH p \
                 MATCH (p)-[:FLOWS_TO|RETURNS_TO* SHORTEST 1..8]->(v:Variable) WITH DISTINCT v \
                 MATCH (f:Function)-[:CONTAINS]->(v) RETURN DISTINCT f.qualified_name, f.file, f.line",
    },
    // execute prints `c.Deprecated` by Printf, which formats it and prints it.
    Question {
        text: "How does the field `Deprecated` get to the function `Print`?",
        operation: "path",
        right: &["Command.Print.[0]"],
        wrong: &["Command.Find"],
        cypher: "MATCH (d:Field {name: 'Deprecated'})-[:FLOWS_TO|PASSES_TO|SUMMARIZES* SHORTEST 1..6]->(v:Variable) WITH DISTINCT v \
                 MATCH (f:Function {name: 'Print'})-[:CONTAINS]->(v) RETURN DISTINCT f.qualified_name, f.file, f.line",
    },
    // Only SuggestionsFor measures the distance; findSuggestions asks it, and both argument checks ask that.
    Question {
        text: "Which exported functions depend on `ld`?",
        operation: "impact",
        right: &[
            "Command.SuggestionsFor",
            "Command.findSuggestions",
            "cobra.legacyArgs",
            "cobra.OnlyValidArgs",
            "Command.Find",
        ],
        wrong: &["Command.UsageTemplate", "cobra.NoArgs"],
        cypher: "MATCH (:Function {name: 'ld'})<-[:CALLS* SHORTEST 1..3]-(f:Function) WHERE NOT f.test \
                 RETURN DISTINCT f.qualified_name, f.file, f.line",
    },
    // SetErrPrefix writes errPrefix; ErrPrefix returns it; ExecuteC prints what that returns by PrintErrln.
    Question {
        text: "How does the value of `SetErrPrefix` get to `PrintErrln`?",
        operation: "path",
        right: &["Command.PrintErrln.[0]"],
        wrong: &["Command.Println"],
        cypher: "MATCH (:Function {name: 'ErrPrefix'})<-[:CALLS]-(f:Function)-[:CALLS]->(:Function {name: 'PrintErrln'}) \
                 RETURN DISTINCT f.qualified_name, f.file, f.line",
    },
    // The three Mark… functions annotate flags; ValidateFlagGroups reads the annotations, for execute.
    Question {
        text: "Which code calls ValidateFlagGroups, directly or not?",
        operation: "callers",
        right: &[
            "Command.execute",
            "Command.ExecuteC",
            "Command.Execute",
            "Command.ExecuteContext",
        ],
        wrong: &["Command.MarkFlagsOneRequired", "Command.Find"],
        cypher: "MATCH (:Function {name: 'ValidateFlagGroups'})<-[:CALLS* SHORTEST 1..4]-(f:Function) WHERE NOT f.test \
                 RETURN DISTINCT f.qualified_name, f.file, f.line",
    },
];

const RICH_CLI: &[Question] = &[
    // main hands it to read_resource, which asks for the URL.
    Question {
        text: "How does the `resource` argument of main reach `requests.get`?",
        operation: "path",
        right: &["requests.get"],
        wrong: &["sys.exit"],
        cypher: "MATCH (:Function {name: 'main'})-[:CONTAINS]->(v:Variable {name: 'resource', kind: 'parameter'}) WITH v \
                 MATCH (v)-[:PASSES_TO]->(p:Variable)-[:PASSES_TO]->(x:External {qualified_name: 'requests.get'}) \
                 MATCH (f:Function)-[:CONTAINS]->(p) RETURN DISTINCT f.qualified_name, f.file, f.line",
    },
    // It is handed to render_csv and render_ipynb, which hands it on, as main does, to _line_range.
    Question {
        text: "Where does the `head` argument of main go?",
        operation: "flows",
        right: &[
            "render_csv.head",
            "render_ipynb.head",
            "_line_range.head",
            "rich.syntax.Syntax",
        ],
        wrong: &["_line_range.tail", "read_resource.path", "render_csv.title"],
        cypher: "MATCH (:Function {name: 'main'})-[:CONTAINS]->(v:Variable {name: 'head', kind: 'parameter'}) WITH v \
                 MATCH (v)-[:PASSES_TO]->(p:Variable) MATCH (f:Function)-[:CONTAINS]->(p) RETURN DISTINCT f.qualified_name, f.file, f.line",
    },
    // What is read goes to every renderer; run calls main.
    Question {
        text: "Which functions are affected if `read_resource` returns bytes instead of text?",
        operation: "impact",
        right: &[
            "__main__.main",
            "__main__.render_csv",
            "__main__.render_ipynb",
            "__main__._line_range",
            "__main__.run",
        ],
        wrong: &["__main__.blend_text", "RichCommand.format_help", "CodeBlock.create"],
        cypher: "MATCH (:Function {name: 'read_resource'})<-[:CALLS* SHORTEST 1..4]-(f:Function) RETURN DISTINCT f.qualified_name, f.file, f.line",
    },
    // Both bounds come from the command line, and the number of lines from what was read.
    Question {
        text: "What goes into the result of `_line_range`?",
        operation: "impact",
        right: &["__main__.main", "__main__.render_ipynb", "__main__.read_resource"],
        wrong: &["__main__.blend_text", "ForceWidth.width", "PagerApp.content"],
        cypher: "MATCH (:Function {name: '_line_range'})-[:CONTAINS]->(p:Variable {kind: 'parameter'}) WITH p \
                 MATCH (p)<-[:PASSES_TO]-(v:Variable) WITH DISTINCT v MATCH (f:Function)-[:CONTAINS]->(v) RETURN DISTINCT f.qualified_name, f.file, f.line",
    },
    // The lines are wrapped in a PagerRenderable, which is the content that on_mount shows.
    Question {
        text: "Is PagerApp's `content` read anywhere?",
        operation: "readers_writers",
        right: &["PagerApp.on_mount"],
        wrong: &["PagerApp.__init__", "PagerApp.on_key", "PagerRenderable.__init__"],
        cypher: "MATCH (f:Function)-[:READS]->(:Field {qualified_name: 'rich_cli.pager.PagerApp.content'}) RETURN DISTINCT f.qualified_name, f.file, f.line",
    },
    // The theme goes by render_ipynb into what is rendered, and by main itself.
    Question {
        text: "If the `theme` argument of main changes, which functions see it?",
        operation: "impact",
        right: &["__main__.main", "__main__.render_ipynb"],
        wrong: &["__main__.render_csv", "__main__.blend_text", "__main__._line_range"],
        cypher: "MATCH (:Function {name: 'main'})-[:CONTAINS]->(v:Variable {name: 'theme', kind: 'parameter'}) WITH v \
                 MATCH (v)-[:PASSES_TO]->(p:Variable) MATCH (f:Function)-[:CONTAINS]->(p) RETURN DISTINCT f.qualified_name, f.file, f.line",
    },
];

/// An index of a package, made once.
fn index(package: &'static str) -> &'static Path {
    static COBRA: OnceLock<TempDir> = OnceLock::new();
    static RICH_CLI: OnceLock<TempDir> = OnceLock::new();
    let held = if package == "cobra" { &COBRA } else { &RICH_CLI };
    let folder = held.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let source = test_data().join(package).display().to_string();
        run(folder.path(), &["index", "--quiet", "--index", ".ripple", &source]).ok();
        folder
    });
    folder.path()
}

#[track_caller]
fn check(package: &'static str, question: &Question) {
    let folder = index(package);
    let answer = run(folder, &["ask", "--format", "json", "--no-llm", question.text])
        .ok()
        .json();
    let operation = &answer["operation"];
    let text = question.text;
    assert_eq!(
        operation["operation"], question.operation,
        "{text}: {:#}",
        answer["trace"]
    );
    let results = operation["results"].as_array().expect("results");
    let names: Vec<&str> = results
        .iter()
        .filter_map(|result| operation["nodes"][result["node"].to_string()]["qualified_name"].as_str())
        .collect();
    let is_there = |name: &&str| {
        let tail = format!(".{name}");
        names
            .iter()
            .any(|found| found == name || found.ends_with(&tail) || found.ends_with(&format!("/{name}")))
    };
    // The target itself is what is asked about.
    let missing: Vec<&&str> = question.right.iter().filter(|name| !is_there(name)).collect();
    assert!(missing.is_empty(), "{text}: {missing:?} are not among {names:#?}");
    let wrong: Vec<&&str> = question.wrong.iter().filter(|name| is_there(name)).collect();
    assert!(wrong.is_empty(), "{text}: {wrong:?} are among {names:#?}");
    assert_eq!(answer["unverified"], 0, "{text}");
    assert!(answer["verified"].as_u64() >= Some(1), "{text}: {answer:#}");
}

/// With a model: its query runs, what it says of the rows is held against the graph.
#[track_caller]
fn check_with_model(package: &'static str, question: &Question) {
    let folder = index(package);
    let rows = run(folder, &["cypher", "--format", "json", question.cypher])
        .ok()
        .json();
    let row = |row: &Value| {
        format!(
            "[{}]({}:{})",
            row[0].as_str().expect("a name"),
            row[1].as_str().expect("a file"),
            row[2]
        )
    };
    let said: Vec<String> = rows["rows"].as_array().expect("rows").iter().map(row).collect();
    assert!(!said.is_empty(), "{}", question.text);
    let model = ScriptedLlm::start(&json!([
        {"when": "You write one Cypher query", "json": {"cypher": question.cypher, "why": "it", "patterns": []}},
        {"when": "You answer a question", "text": format!("These: {}, and [ghost](ghost.py:1).", said.join(", "))},
    ]));
    let mut command = ripple(folder, &["ask", "--format", "json", question.text]);
    command.envs(model.environment());
    let answer = Run::of(&mut command).ok().json();
    let text = question.text;
    assert_eq!(answer["way"], "text2cypher", "{text}: {:#}", answer["trace"]);
    assert_eq!(
        answer["verified"],
        said.len() as u64,
        "{text}: {:#}",
        answer["citations"]
    );
    assert_eq!(answer["unverified"], 1, "{text}");
    assert_eq!(answer["usage"]["calls"], 2, "{text}");
    let requests = model.requests();
    let prompt = requests[0]["body"]["messages"].to_string();
    assert!(ripple_query_api::llm::tokens(&prompt, "gpt-4o") < 8_000, "{text}");
    // What the operation found is there for the answer too.
    let found = requests[1]["body"]["messages"][0]["content"].as_str().expect("text");
    assert!(
        found.contains(&format!("What `{}` found", question.operation)),
        "{found}"
    );
}

#[test]
fn cobra_without_a_model() {
    COBRA.iter().for_each(|question| check("cobra", question));
}

#[test]
fn cobra_with_a_model() {
    COBRA.iter().for_each(|question| check_with_model("cobra", question));
}

#[test]
fn rich_cli_without_a_model() {
    RICH_CLI.iter().for_each(|question| check("rich-cli", question));
}

#[test]
fn rich_cli_with_a_model() {
    RICH_CLI
        .iter()
        .for_each(|question| check_with_model("rich-cli", question));
}
