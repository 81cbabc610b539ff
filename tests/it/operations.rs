//! Operations: what each one finds in the sample shop, the same at every door, and in agreement with the Cypher beside it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ripple_graphdb::{Limits, Reader, Value};
use ripple_query_api::operation;
use ripple_query_api::view::{Direction, OperationAnswer, Parameters, Verdict, VerdictLevel};

use crate::reach::open_shop;

fn target(target: &str) -> Parameters {
    Parameters {
        target: Some(target.into()),
        ..Parameters::default()
    }
}

#[track_caller]
fn run(reader: &Reader, name: &str, parameters: &Parameters) -> OperationAnswer {
    operation::run(reader, name, parameters).unwrap_or_else(|error| panic!("{name} {parameters:?}: {error}"))
}

/// Names of results, without the words before the last two dots.
fn found(answer: &OperationAnswer) -> Vec<String> {
    let name = |id: &i64| {
        let name = &answer.nodes[id].qualified_name;
        let parts: Vec<&str> = name.rsplitn(3, '.').take(2).collect();
        parts.into_iter().rev().collect::<Vec<_>>().join(".")
    };
    answer.results.iter().map(|finding| name(&finding.node)).collect()
}

/// What a verdict says for itself.
fn told(verdict: &Verdict) -> Vec<&str> {
    verdict.reasons.iter().map(|reason| reason.message.as_str()).collect()
}

#[test]
fn the_headline_question_is_answered_right() {
    let (reader, _folder) = open_shop();
    let parameters = Parameters {
        tag: Some("ml-feature".into()),
        ..target("key:email")
    };
    let answer = run(&reader, "impact", &parameters);
    let names: BTreeSet<String> = found(&answer).into_iter().collect();
    let expected = [
        "email_domain",
        "email_hash_bucket",
        "is_free_mail_provider",
        "mailbox_digits",
    ];
    assert_eq!(names, expected.map(|name| format!("email.{name}")).into());
    assert_eq!(answer.verdict.level, VerdictLevel::Complete, "{:?}", answer.verdict);
    for finding in &answer.results {
        let path = &answer.paths[finding.path.expect("a way")];
        assert_eq!(path.nodes.len(), path.edges.len() + 1);
        assert_eq!(path.edges.len() as u32, finding.distance);
        assert_eq!(answer.nodes[&path.nodes[0]].label, "Key");
        for (step, edge) in path.edges.iter().enumerate() {
            let edge = &answer.edges[*edge];
            assert_eq!((edge.from, edge.to), (path.nodes[step], path.nodes[step + 1]));
            assert!(!edge.file.is_empty() && edge.line > 0);
        }
    }
    assert!(!answer.tests.is_empty());
}

#[test]
fn nothing_goes_in_by_one_call_and_out_by_another() {
    // A billing address passes through objects of the classes that the address of the customer passes through.
    let (reader, _folder) = open_shop();
    let parameters = Parameters {
        tag: Some("ml-feature".into()),
        ..target("key:email")
    };
    let email = found(&run(&reader, "impact", &parameters));
    assert!(email.iter().all(|name| !name.contains("billing")), "{email:?}");
}

#[test]
fn walks_agree_with_the_cypher_beside_them() {
    let (reader, _folder) = open_shop();
    for (name, words) in [
        ("impact", "key:email"),
        ("impact", "key:items"),
        ("flows", "Orders.Subscribe.address"),
        ("callers", "tidyAddress"),
        ("callees", "Orders.Place"),
        ("readers_writers", "model.Order.Email"),
        ("uses_of_key", "key:email"),
        ("tests_for", "tidyAddress"),
        ("explain", "model.Order.Email"),
        ("hierarchy", "type:Order"),
        ("implementations", "type:Store"),
    ] {
        let parameters = Parameters {
            limit: Some(10_000),
            tests: (name != "tests_for").then_some(true),
            ..target(words)
        };
        let answer = run(&reader, name, &parameters);
        let cypher: BTreeSet<i64> = answer
            .cypher
            .iter()
            .flat_map(|query| ids(&reader, &query.text, &query.params))
            .collect();
        let walked: BTreeSet<i64> = match name {
            // These tell places as what they belong to: every place of every way is one that the query finds.
            "impact" => answer
                .results
                .iter()
                // Who names a key or uses a field is told beside where its value goes.
                .filter(|finding| !["names it", "reads it", "writes it"].contains(&finding.relation.as_str()))
                .filter_map(|finding| answer.paths.get(finding.path?))
                .flat_map(|path| path.nodes[1..].to_vec())
                .collect(),
            _ => answer.results.iter().map(|finding| finding.node).collect(),
        };
        if name == "impact" {
            assert!(
                walked.is_subset(&cypher),
                "{name} {words}: {:?}",
                walked.difference(&cypher).collect::<Vec<_>>()
            );
            assert!(walked.len() > 5, "{name} {words}");
        } else if name == "flows" {
            // The query follows tests of values too, and says so.
            assert!(walked.is_subset(&cypher), "{name} {words}");
        } else {
            assert_eq!(walked, cypher, "{name} {words}");
        }
    }
}

fn ids(reader: &Reader, text: &str, params: &BTreeMap<String, serde_json::Value>) -> BTreeSet<i64> {
    let rows = reader
        .query(text, params, &Limits::default())
        .unwrap_or_else(|error| panic!("{text}: {error}"));
    let at = rows
        .columns
        .iter()
        .position(|column| column.ends_with(".id"))
        .expect("a column of ids");
    rows.rows
        .iter()
        .map(|row| match row[at] {
            Value::Int(id) => id,
            ref other => panic!("{other:?} is no id"),
        })
        .collect()
}

#[test]
fn a_type_is_tested_where_its_methods_and_fields_are_at_work() {
    // Nobody constructs the request: it is decoded, and then asked for the order that it means.
    let (reader, _folder) = open_shop();
    let tests = |words: &str| found(&run(&reader, "tests_for", &target(words)));
    let (of_type, of_method) = (tests("type:OrderRequest"), tests("OrderRequest.toOrder"));
    assert!(
        of_type.iter().any(|name| name.ends_with("TestAnOrderIsAnnounced")),
        "{of_type:?}"
    );
    assert!(of_method.iter().all(|name| of_type.contains(name)), "{of_type:?}");
    // Tests of the pipeline have nothing to do with it.
    assert!(of_type.iter().all(|name| name.contains("shop/api/")), "{of_type:?}");
    // Who calls it is another question.
    assert_eq!(found(&run(&reader, "callers", &target("type:OrderRequest"))), [""; 0]);
}

#[test]
fn looking_up_is_looking_down_from_the_other_end() {
    let (reader, _folder) = open_shop();
    let up = Parameters {
        direction: Some(Direction::Up),
        limit: Some(10_000),
        ..target("function:email_domain")
    };
    let answer = run(&reader, "impact", &up);
    let names = found(&answer);
    assert!(names.iter().any(|name| name == "email"), "{names:?}");
    // Ways are told from cause to effect in both directions.
    for path in &answer.paths {
        for (step, edge) in path.edges.iter().enumerate() {
            let edge = &answer.edges[*edge];
            assert_eq!((edge.from, edge.to), (path.nodes[step], path.nodes[step + 1]));
        }
    }
}

#[test]
fn ways_lead_from_one_to_the_other() {
    let (reader, _folder) = open_shop();
    let between = |from: &str, to: &str| Parameters {
        from: Some(from.into()),
        to: Some(to.into()),
        ..Parameters::default()
    };
    let answer = run(&reader, "path", &between("key:email", "function:email_domain"));
    assert!(!answer.results.is_empty() && answer.paths[0].edges.len() > 3);
    let back = run(&reader, "path", &between("function:email_domain", "key:items"));
    assert!(back.results.is_empty(), "{:?}", found(&back));
}

#[test]
fn what_is_named_wrongly_is_told() {
    let (reader, _folder) = open_shop();
    let error = |name: &str, parameters: &Parameters| match operation::run(&reader, name, parameters) {
        Ok(_) => panic!("{name} {parameters:?} ran"),
        Err(error) => (error.kind().outcome().code, error.to_string()),
    };
    let (code, text) = error("callers", &target("tidyAdress"));
    assert_eq!(code, "no_match", "{text}");
    let (code, text) = error("callers", &target("tidy"));
    assert!(code == "no_match" && text.contains("tidyAddress"), "{text}");
    assert_eq!(error("nothing", &target("x")).0, "not_found");
    assert_eq!(error("callers", &Parameters::default()).0, "bad_parameter");
    assert_eq!(error("callers", &target("  ")).0, "bad_parameter");
    let up = Parameters {
        direction: Some(Direction::Up),
        ..target("tidyAddress")
    };
    let (code, text) = error("callers", &up);
    assert!(code == "bad_parameter" && text.contains("direction"), "{text}");
    for depth in [0, 51] {
        let parameters = Parameters {
            depth: Some(depth),
            ..target("tidyAddress")
        };
        assert_eq!(error("callers", &parameters).0, "bad_parameter");
    }
}

#[test]
fn a_cut_answer_says_so() {
    let (reader, _folder) = open_shop();
    let parameters = Parameters {
        limit: Some(1),
        ..target("key:email")
    };
    let answer = run(&reader, "impact", &parameters);
    assert!(answer.truncated && answer.results.len() == 1 && answer.found > 1);
    assert!(answer.verdict.reasons.iter().any(|reason| reason.code == "cut"));
    assert_ne!(answer.verdict.level, VerdictLevel::Complete);
}

#[test]
fn nobody_known_to_call_is_not_nobody() {
    // `helper` is called through a value of which nothing is known.
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(
        folder.path().join("a.py"),
        "class A:\n    def save(self):\n        return 1\n\n\ndef alone():\n    return 2\n\n\ndef run(thing):\n    return thing.save()\n",
    )
    .expect("it is ours");
    let reader = index(folder.path());
    let unknown = run(&reader, "callers", &target("A.save"));
    let callers = found(&unknown);
    if callers.is_empty() {
        assert_eq!(unknown.verdict.level, VerdictLevel::Unknown, "{:?}", unknown.verdict);
    } else {
        // A guess by the name is a caller, with the confidence of a guess.
        assert!(unknown.results[0].confidence <= 0.5, "{:?}", unknown.results);
    }
    let alone = run(&reader, "callers", &target("alone"));
    assert_eq!((found(&alone).len(), alone.verdict.level), (0, VerdictLevel::Complete));
}

/// What a library keeps, and may show again: what the index reads there is found, the rest is said.
#[test]
fn what_goes_into_a_library_is_not_lost_in_silence() {
    let folder = crate::support::folder_of([(
        "a.py",
        "import lib\n\ndef fill(value):\n    settings = {}\n    lib.fill(settings, value)\n    return settings['a']\n\ndef alone(value):\n    \
         lib.send(value, 1)\n\ndef show(value):\n    print([], value)\n\ndef keep(value):\n    lib.state.current = value\n\ndef kept():\n    return \
         lib.state.current\n\nclass Sender:\n    def __init__(self):\n        self.queue = lib.Queue()\n    def push(self, value):\n        \
         self.queue.accept(value)\n    def put(self, key, value):\n        self.queue[key] = value\n",
    )]);
    let reader = index(folder.path());
    let check = |name: &str, to: &str, kept: Option<&str>| {
        let answer = run(&reader, "flows", &target(name));
        assert_eq!(found(&answer).last().map(String::as_str), Some(to), "{name}");
        let told = told(&answer.verdict);
        match kept {
            None => assert_eq!(answer.verdict.level, VerdictLevel::Complete, "{name}: {told:?}"),
            Some(kept) => {
                assert_eq!(answer.verdict.level, VerdictLevel::LowerBound, "{name}");
                let reason = &answer.verdict.reasons[0];
                assert_eq!(reason.code, "unknown-library", "{name}: {told:?}");
                assert!(reason.message.contains(kept), "{name}: {told:?}");
            }
        }
    };
    check("fill.value", "lib.fill", Some("`fill`"));
    check("alone.value", "lib.send", None);
    check("show.value", "print", None);
    check("Sender.push.value", "Queue.accept", Some("`accept`"));
    check("Sender.put.value", "lib.Queue", Some("`Queue`"));
    let kept = run(&reader, "flows", &target("keep.value"));
    assert_eq!(
        found(&kept),
        ["kept.result", "state.current"],
        "what is read again is found"
    );
    assert_eq!(kept.verdict.level, VerdictLevel::Complete);
}

/// Functions that somebody else has, or may have: no caller in the index does not mean that nobody calls them.
#[test]
fn what_is_handed_on_is_not_safe_to_delete() {
    let folder = crate::support::folder_of([
        (
            "web.py",
            "import functools\nfrom flask import Flask\nimport celery, queue_of_theirs\n\napp = Flask(__name__)\n\n@app.route('/')\ndef \
             page():\n    return 'x'\n\n@celery.task\ndef job():\n    return 1\n\n@functools.lru_cache\ndef cached():\n    return 1\n\ndef \
             logged(function):\n    def inner():\n        return function()\n    return inner\n\ndef kept(function):\n    def own():\n        \
             return 1\n    own()\n    return function\n\nclass Handler:\n    def take(self):\n        return 1\n    def _mine(self):\n        \
             return 1\n\ndef start():\n    handler = Handler()\n    queue_of_theirs.run(handler)\n\nclass \
             Made:\n    def take(self):\n        return 1\n\nqueue_of_theirs.run(Made())\n",
        ),
        ("go.mod", "module example.com/shop\n\ngo 1.23\n"),
        (
            "shop.go",
            "package shop\n\nimport \"example.com/lib\"\n\ntype Shape interface{ Area() int }\n\ntype Square struct{}\n\nfunc (s Square) Area() int { \
             return 1 }\n\ntype Circle struct{}\n\nfunc (c *Circle) Area() int { return 2 }\n\nfunc (c *Circle) Alone() int { return 2 }\n\nfunc (c *Circle) alone() int { return 2 }\n\nfunc total(shapes \
             []Shape) int {\n\tsum := 0\n\tfor _, shape := range shapes {\n\t\tsum += shape.Area()\n\t}\n\treturn sum\n}\n\nfunc Run() int { return \
             total([]Shape{Square{}}) }\n\ntype Worker struct{}\n\nfunc (w *Worker) Process() {}\n\nfunc Launch() { lib.Register(&Worker{}) }\n",
        ),
        (
            "kinds.py",
            "class Kind:\n    def convert(self, text):\n        raise NotImplementedError\n    def __call__(self, text):\n        return \
             self.convert(text)\n\nclass Word(Kind):\n    def convert(self, text):\n        return text\n\nclass Choice(Kind):\n    def \
             convert(self, text):\n        return text\n    def alone(self):\n        return 1\n\ndef read(text):\n    return Word()(text)\n",
        ),
        (
            "policies.py",
            "class Dummy:\n    def keep(self):\n        return 1\n\nclass Other:\n    def keep(self):\n        return 1\n\ndef make():\n    \
             return 1\n\ndef plain():\n    return 1\n",
        ),
        (
            "settings.py",
            "POLICY = 'policies.Dummy'\nMAKERS = {'a': 'policies:make', 'b': 'policies.absent', 'c': 'see policies.plain'}\n",
        ),
    ]);
    let reader = index(folder.path());
    let check = |name: &str, expected: Option<&str>| {
        let answer = run(&reader, "callers", &target(name));
        let told = told(&answer.verdict);
        match expected {
            None => assert_eq!(answer.verdict.level, VerdictLevel::Complete, "{name}: {told:?}"),
            Some(expected) => {
                assert_eq!(answer.verdict.level, VerdictLevel::Unknown, "{name}: {told:?}");
                assert!(told.iter().any(|told| told.contains(expected)), "{name}: {told:?}");
            }
        }
    };
    check(
        "Made.take",
        Some("its class is handed on as a value, into library code"),
    );
    check("Circle.Area", Some("stands in for `example.com/shop.Shape.Area`"));
    check("Circle.Alone", Some("package `example.com/shop` hands it out"));
    check("Circle.alone", None);
    check(
        "Worker.Process",
        Some("its class is handed on as a value, into library code"),
    );
    check(
        "web.page",
        Some("library code that is not known and may keep it, or call it, 1 name in all: `route()`"),
    );
    check("web.job", Some("`task`"));
    check("web.cached", None);
    check("logged.inner", Some("out of `logged`, which nobody in the index calls"));
    check("kept.own", None);
    check(
        "Handler.take",
        Some("objects of its class are handed to `queue_of_theirs.run`"),
    );
    check("Handler._mine", None);
    check("Choice.convert", Some("stands in for `kinds.Kind.convert`"));
    check("Choice.alone", None);
    check("Word.convert", None);
    check("Dummy.keep", Some("`a text that names it`"));
    check("policies.make", Some("`a text that names it`"));
    check("Other.keep", None);
    check("policies.plain", None);
}

/// What calls a function without a call in the index: library code above its class, the language, an interface, a test runner.
#[test]
fn what_the_outside_may_call_is_not_safe_to_delete() {
    let folder = crate::support::folder_of([
        (
            "shop.py",
            "from abc import ABC\nfrom html.parser import HTMLParser\n\nclass Links(HTMLParser):\n    def handle_starttag(self, tag, attributes):\n        \
             return tag\n\nclass Deeper(Links):\n    def handle_data(self, data):\n        return data\n\nclass Plain(ABC):\n    def __init__(self):\n        \
             self.name = 1\n    def __eq__(self, other):\n        return True\n    def alone(self):\n        return 1\n",
        ),
        (
            "test_shop.py",
            "def test_nothing():\n    assert True\n\ndef helper():\n    return 1\n",
        ),
        ("go.mod", "module example.com/shop\n\ngo 1.23\n"),
        (
            "shop.go",
            "package shop\n\ntype Order struct{}\n\nfunc (o Order) String() string { return \"order\" }\n\nfunc (o Order) alone() int { return 1 }\n",
        ),
    ]);
    let reader = index(folder.path());
    let check = |name: &str, expected: Option<&str>| {
        let verdict = run(&reader, "callers", &target(name)).verdict;
        let told = told(&verdict);
        match expected {
            None => assert_eq!(verdict.level, VerdictLevel::Complete, "{name}: {told:?}"),
            Some(expected) => {
                assert_eq!(verdict.level, VerdictLevel::Unknown, "{name}");
                assert!(
                    verdict
                        .reasons
                        .iter()
                        .any(|reason| reason.code == "called-from-outside"),
                    "{name}: {told:?}"
                );
                assert!(told.iter().any(|told| told.contains(expected)), "{name}: {told:?}");
            }
        }
    };
    check("shop.Links.handle_starttag", Some("html.parser.HTMLParser"));
    check("shop.Deeper.handle_data", Some("html.parser.HTMLParser"));
    check("shop.Plain.__eq__", Some("__eq__"));
    check("shop.Plain.__init__", None);
    check("shop.Plain.alone", None);
    check("test_shop.test_nothing", Some("is a test"));
    check("test_shop.helper", None);
    check("example.com/shop.Order.String", Some("an interface of the library"));
    check("example.com/shop.Order.alone", None);
}

pub(crate) fn index(folder: &Path) -> Reader {
    let status = std::process::Command::new(crate::program::binary())
        .arg("index")
        .arg("--quiet")
        .arg(folder)
        .status()
        .expect("it runs");
    assert!(status.success());
    ripple_graphdb::open(&folder.join(".ripple")).expect("it is whole")
}

#[test]
fn a_change_sets_off_what_its_lines_touch() {
    let (reader, _folder) = open_shop();
    let node = &operation::resolve(&reader, "function:email_domain").expect("it is there")[0];
    let diff = format!(
        "--- a/{file}\n+++ b/{file}\n@@ -{line},1 +{line},1 @@\n-old\n+new\n",
        file = node.file,
        line = node.line
    );
    let request = ripple_query_api::view::ImpactRequest {
        diff: Some(diff),
        ..Default::default()
    };
    let report = operation::impact_of_change(&reader, &request).expect("it is a diff");
    assert_eq!(report.changed.len(), 1, "{:?}", report.changed);
    assert_eq!(report.changed[0].node, node.id);
    assert!(!report.answer.results.is_empty() && !report.tests_to_run.is_empty());
    assert!(report.markdown.contains("email_domain") && report.markdown.contains("Tests to run"));

    let none = ripple_query_api::view::ImpactRequest {
        diff: Some("--- a/new.py\n+++ b/new.py\n@@ -0,0 +1,1 @@\n+x = 1\n".into()),
        ..Default::default()
    };
    let report = operation::impact_of_change(&reader, &none).expect("it is a diff");
    assert!(report.changed.is_empty());
    assert_eq!(report.unknown_files, ["new.py"]);
    assert_ne!(report.answer.verdict.level, VerdictLevel::Complete);

    for wrong in ["hello", "@@ -1 +1 @@\n+x"] {
        let request = ripple_query_api::view::ImpactRequest {
            diff: Some(wrong.into()),
            ..Default::default()
        };
        assert!(operation::impact_of_change(&reader, &request).is_err(), "{wrong}");
    }
}

#[test]
fn routes_are_told_as_entry_points() {
    let (reader, _folder) = open_shop();
    let answer = run(&reader, "impact", &target("tidyAddress"));
    let mut entries: Vec<&str> = answer
        .entry_points
        .iter()
        .map(|id| answer.nodes[id].name.as_str())
        .collect();
    entries.sort_unstable();
    entries.dedup();
    // Handlers are wrapped by `only` and handed to the router; `Routes` is called by `main`, and a closure is nobody's door.
    assert_eq!(entries, ["CreateOrder", "Subscribe", "main"]);
}

/// Who starts from a container is told what is read out of it; where a value goes, what comes to hold it is told apart from where it goes itself.
#[test]
fn parts_and_wholes_are_told_apart() {
    let folder = crate::support::folder_of([(
        "a.py",
        "HOSTS = ['a', 'b']\nOTHER = ['c']\n\ndef connect(host):\n    return host\n\ndef start():\n    for one in HOSTS:\n        \
         connect(one)\n\ndef rest():\n    return OTHER[0]\n\ndef row_of(mail, name):\n    row = [mail, name]\n    return send(row)\n\n\
         def send(row):\n    return row[1]\n",
    )]);
    let reader = index(folder.path());
    let told = |name: &str| -> BTreeSet<(String, String)> {
        let answer = run(&reader, "flows", &target(name));
        assert_eq!(answer.verdict.level, VerdictLevel::Complete, "{:?}", answer.verdict);
        let relations = answer.results.iter().map(|finding| finding.relation.to_string());
        found(&answer).into_iter().zip(relations).collect()
    };
    let is = |name: &str, relation: &str| (name.to_owned(), relation.to_owned());
    let part = "a part of it comes there";
    assert_eq!(
        told("HOSTS"),
        [
            is("start.one", part),
            is("connect.host", part),
            is("connect.result", part)
        ]
        .into()
    );
    let mail = told("row_of.mail");
    assert!(
        mail.contains(&is("row_of.row", "it comes to hold the value")),
        "{mail:?}"
    );
    assert!(mail.contains(&is("send.row", "it comes to hold the value")), "{mail:?}");
    assert!(!mail.iter().any(|(name, _)| name.ends_with("result")), "{mail:?}");
    let name = told("row_of.name");
    assert!(name.contains(&is("send.result", "the value comes to it")), "{name:?}");
    let changed = found(&run(&reader, "impact", &target("HOSTS")));
    assert!(changed.iter().any(|name| name.ends_with("connect")), "{changed:?}");
    assert!(!changed.iter().any(|name| name.ends_with("rest")), "{changed:?}");
}

#[test]
fn what_a_setter_stores_changes_with_it() {
    let folder = crate::support::folder_of([(
        "a.py",
        "class Cart:\n    def __init__(self):\n        self.rate = 0\n        self.other = 0\n\n    def set_rate(self, rate):\n        self.rate = rate\n\n\
         \x20   def set_other(self, other):\n        self.other = other\n\n    def tax(self):\n        return self.rate * 2\n\n\
         \x20   def rest(self):\n        return self.other\n",
    )]);
    crate::program::run(folder.path(), &["index", "--quiet"]).ok();
    let reader = ripple_graphdb::open(&folder.path().join(".ripple")).expect("it opens");
    for name in ["impact", "flows"] {
        let names = found(&run(&reader, name, &target("Cart.set_rate")));
        assert!(names.contains(&"Cart.rate".to_owned()), "{name}: {names:?}");
        assert!(
            names
                .iter()
                .any(|name| name.starts_with("Cart.tax") || name == "tax.result"),
            "{name}: {names:?}"
        );
        assert!(
            !names.iter().any(|name| name.contains("other") || name.contains("rest")),
            "{name}: {names:?}"
        );
    }
    // What goes into it is another question.
    let up = Parameters {
        direction: Some(Direction::Up),
        ..target("Cart.set_rate")
    };
    assert!(!found(&run(&reader, "impact", &up)).contains(&"Cart.tax".to_owned()));
}

#[test]
fn the_edges_of_a_kind_are_all_that_a_node_has_of_it() {
    use ripple_graphdb::net::EdgeKinds;
    use ripple_schema::EdgeKind;

    let calls: String = (0..40)
        .map(|number| format!("def f{number}(x):\n    log(x)\n    return log(x)\n\n\n"))
        .collect();
    let source = format!("def log(x):\n    return [x]\n\n\n{calls}");
    let (_folder, reader) = crate::verdicts::folder([("app.py", source.as_str())]);
    let net = reader.net().expect("the index has a net");
    let mut most = 0;
    for node in 0..net.nodes() as u32 {
        let (leaving, entering): (Vec<_>, Vec<_>) = (
            net.leaving(node, EdgeKinds::ALL).collect(),
            net.entering(node, EdgeKinds::ALL).collect(),
        );
        most = most.max(entering.len());
        for kinds in EdgeKind::ALL.windows(2) {
            let kinds = EdgeKinds::of(kinds);
            let of = |arrows: &[ripple_graphdb::net::Arrow]| -> Vec<u32> {
                let of_kinds = arrows.iter().filter(|arrow| kinds.has(arrow.kind));
                of_kinds.map(|arrow| arrow.edge).collect()
            };
            let edges: Vec<u32> = net.leaving(node, kinds).map(|arrow| arrow.edge).collect();
            assert_eq!(edges, of(&leaving));
            let edges: Vec<u32> = net.entering(node, kinds).map(|arrow| arrow.edge).collect();
            assert_eq!(edges, of(&entering));
        }
        assert_eq!(net.leaving(node, EdgeKinds::NONE).count(), 0);
    }
    assert!(most > 40, "some node has many edges");
}
