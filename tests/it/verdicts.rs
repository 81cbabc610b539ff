//! How complete an answer says it is, on small programs: what nobody can know is said, and what is known is called complete.
//!
//! ```python
//! class Order:
//!     def __init__(self, email): self.email = email
//! def notify(order): return order.email        # nobody says what `order` is: `impact Order.email` is no complete answer
//! ```

use std::collections::BTreeSet;

use ripple_graphdb::Reader;
use ripple_query_api::operation;
use ripple_query_api::view::{Direction, OperationAnswer, Parameters, VerdictLevel};

use crate::operations::index;

/// Asks for callers, callees, tests, so many steps away.
pub fn ask_as(reader: &Reader, name: &str, target: &str, depth: Option<u32>) -> OperationAnswer {
    let parameters = Parameters {
        target: Some(target.into()),
        depth,
        ..Parameters::default()
    };
    operation::run(reader, name, &parameters).unwrap_or_else(|error| panic!("{name} {target}: {error}"))
}

pub fn ask(reader: &Reader, name: &str, target: &str, up: bool) -> OperationAnswer {
    let parameters = Parameters {
        target: Some(target.into()),
        direction: (up || matches!(name, "flows" | "impact")).then_some(if up {
            Direction::Up
        } else {
            Direction::Down
        }),
        ..Parameters::default()
    };
    operation::run(reader, name, &parameters).unwrap_or_else(|error| panic!("{name} {target}: {error}"))
}

/// The names of what an operation finds.
pub fn found(reader: &Reader, operation: &str, target: &str) -> BTreeSet<String> {
    let answer = ask_as(reader, operation, target, None);
    names(&answer).into_iter().map(str::to_owned).collect()
}

/// The codes and messages of a verdict.
fn reasons(answer: &OperationAnswer) -> String {
    let reasons = answer.verdict.reasons.iter();
    reasons
        .map(|reason| format!("{}: {}\n", reason.code, reason.message))
        .collect()
}

#[track_caller]
pub fn is_complete(answer: &OperationAnswer) {
    assert_eq!(answer.verdict.level, VerdictLevel::Complete, "{}", reasons(answer));
}

/// Not complete, for this reason, which says these words.
#[track_caller]
pub fn is_open(answer: &OperationAnswer, code: &str, says: &str) {
    assert_ne!(answer.verdict.level, VerdictLevel::Complete);
    let told = reasons(answer);
    let mut reasons = answer.verdict.reasons.iter();
    assert!(
        reasons.any(|reason| reason.code == code && reason.message.contains(says)),
        "{told}"
    );
}

/// The names of what was found, each once.
pub fn names(answer: &OperationAnswer) -> BTreeSet<&str> {
    let found = answer
        .results
        .iter()
        .map(|finding| answer.nodes[&finding.node].name.as_str());
    found.collect()
}

pub fn set<const N: usize>(names: [&str; N]) -> BTreeSet<&str> {
    names.into()
}

pub fn folder<const N: usize>(files: [(&str, &str); N]) -> (tempfile::TempDir, Reader) {
    let folder = crate::support::folder_of(files);
    let reader = index(folder.path());
    (folder, reader)
}

#[test]
fn fields_of_objects_that_nobody_knows_are_counted() {
    let (_folder, reader) = folder([(
        "app.py",
        "from db import models, load\n\nclass Order(models.Model):\n    code = models.TextField()\n    note = ''\n    def __init__(self, \
         email):\n        self.email = email\n        self.own = 1\n    def show(self):\n        return self.own\n\nclass Line(models.Model):\n    \
         order = models.ForeignKey(Order)\n    def label(self):\n        return self.order.code\n\ndef notify(order):\n    return \
         order.email\n\ndef set_note(order, text):\n    order.note = text\n\ndef first():\n    return load(1).note\n",
    )]);
    let email = ask(&reader, "impact", "Order.email", false);
    is_open(
        &email,
        "unknown-receivers",
        "`email` of objects of unknown type is read in 1 function (`notify`)",
    );
    is_open(
        &ask(&reader, "flows", "Order.email", false),
        "unknown-receivers",
        "`notify`",
    );
    is_open(
        &ask(&reader, "readers_writers", "Order.email", false),
        "unknown-receivers",
        "read or written",
    );
    is_open(
        &ask(&reader, "readers_writers", "Order.code", false),
        "unknown-receivers",
        "`label`",
    );
    is_open(
        &ask(&reader, "readers_writers", "Order.note", false),
        "unknown-receivers",
        "2 functions",
    );
    is_open(
        &ask(&reader, "flows", "Order.note", true),
        "unknown-receivers",
        "is written in 1 function (`set_note`)",
    );
    is_open(
        &ask(&reader, "flows", "set_note.text", false),
        "unknown-receivers",
        "attributes of objects of unknown type",
    );
    let own = ask(&reader, "readers_writers", "Order.own", false);
    assert_eq!(names(&own), set(["__init__", "show"]));
    is_complete(&own);
}

#[test]
fn methods_of_what_a_library_keeps_are_counted() {
    let (_folder, reader) = folder([(
        "app.py",
        "from web import View\n\nclass Order:\n    def cancel(self):\n        return 1\n    def keep(self):\n        return 1\n\nclass Page(View):\n    \
         model = Order\n    def post(self):\n        self.object.cancel()\n        return View.keep(self)\n",
    )]);
    is_open(
        &ask(&reader, "callers", "Order.cancel", false),
        "unresolved-calls",
        "called `cancel`",
    );
    // The library reads `model` by its name, and may ask it for anything.
    is_open(
        &ask(&reader, "callers", "Order.keep", false),
        "called-from-outside",
        "its class is kept as `model`, where `web.View`",
    );
}

#[test]
fn where_a_value_comes_from_asks_for_callers_that_nobody_knows() {
    let (_folder, reader) = folder([(
        "app.py",
        "from jobs import task\n\nclass Store:\n    def push(self, row):\n        print(row)\n\ndef start(value, queue):\n    queue.push(value)\n\n\
         @task\ndef cancel(order):\n    return order\n\ndef view(request):\n    cancel.delay(request)\n\ndef inner(value):\n    return \
         value\n\ndef outer():\n    return inner(1)\n",
    )]);
    is_open(
        &ask(&reader, "flows", "Store.push.row", true),
        "unresolved-calls",
        "called `push`",
    );
    is_open(
        &ask(&reader, "flows", "cancel.order", true),
        "unknown-library",
        "`task`",
    );
    is_open(
        &ask(&reader, "flows", "view.request", false),
        "unknown-library",
        "`delay`",
    );
    is_complete(&ask(&reader, "flows", "inner.value", true));
}

#[test]
fn texts_that_say_a_name_are_counted() {
    let (_folder, reader) = folder([
        (
            "app.py",
            "from db import models\n\n__all__ = ['clicks', 'Order']\n\nclass Order(models.Model):\n    code = models.TextField()\n\ndef \
             load(row):\n    return row['clicks']\n\ndef pick(frame):\n    return frame.drop(columns=['clicks'])\n\ndef find(code):\n    return \
             Order.objects.filter(code=code)\n",
        ),
        ("more.py", "def only(row):\n    return row['alone']\n"),
        ("test_more.py", "def test_only():\n    assert str(1) != 'alone'\n"),
    ]);
    let clicks = ask(&reader, "uses_of_key", "clicks", false);
    is_open(&clicks, "named-in-texts", "in 1 place: app.py:12");
    is_open(
        &ask(&reader, "impact", "Order.code", false),
        "named-in-texts",
        "app.py:15",
    );
    is_complete(&ask(&reader, "uses_of_key", "alone", false));
    let with_tests = Parameters {
        target: Some("alone".into()),
        tests: Some(true),
        ..Parameters::default()
    };
    let alone = operation::run(&reader, "uses_of_key", &with_tests).unwrap();
    is_open(&alone, "named-in-texts", "in 1 place: test_more.py:2");
}

#[test]
fn values_do_not_cross_library_calls_or_test_code() {
    let (_folder, reader) = folder([
        ("go.mod", "module m\n\ngo 1.24\n"),
        (
            "a.go",
            "package m\n\nimport \"path/filepath\"\n\ntype Plugin struct{ config string }\ntype App struct{ dir string }\n\nfunc (p *Plugin) \
             Path() string { return filepath.Join(p.config, \"x\") }\n\nfunc New(base string) *App {\n\tdir := filepath.Join(base, \
             \"y\")\n\treturn &App{dir: dir}\n}\n\ntype In struct {\n\tTarget string `json:\"target\"`\n}\n\ntype Out struct {\n\tTarget string \
             `json:\"target\"`\n}\n",
        ),
        (
            "b.go",
            "package m\n\nimport \"encoding/json\"\n\nfunc Read(body []byte) (out Out) {\n\tjson.Unmarshal(body, &out)\n\treturn\n}\n",
        ),
        (
            "a_test.go",
            "package m\n\nimport (\n\t\"encoding/json\"\n\t\"testing\"\n)\n\nfunc TestIn(t *testing.T) {\n\tbody, _ := json.Marshal(In{Target: \
             \"x\"})\n\tt.Log(body)\n}\n",
        ),
    ]);
    let ways = |from: &str, to: &str, tests: bool| {
        let parameters = Parameters {
            from: Some(from.into()),
            to: Some(to.into()),
            tests: Some(tests),
            ..Parameters::default()
        };
        operation::run(&reader, "path", &parameters).map(|answer| answer.results.len())
    };
    assert_eq!(ways("Plugin.config", "App.dir", false).ok(), Some(0));
    assert_eq!(ways("New.base", "App.dir", false).ok(), Some(1));
    assert_eq!(
        ways("In.Target", "Out.Target", false).ok(),
        Some(0),
        "only a test writes it"
    );
    assert_eq!(ways("In.Target", "Out.Target", true).ok(), Some(1));
    let written = ask(&reader, "readers_writers", "Out.Target", false);
    assert_eq!(names(&written), set(["Read"]), "what decodes it fills it");
}

#[test]
fn what_go_lends_and_promotes_is_found() {
    let (_folder, reader) = folder([
        ("go.mod", "module m\n\ngo 1.24\n"),
        (
            "a.go",
            "package m\n\nimport (\n\t\"context\"\n\t\"io\"\n\n\t\"github.com/other/web\"\n)\n\ntype Context interface {\n\tcontext.Context\n\tClock() \
             int\n}\n\ntype Ctx struct{ *web.Request }\n\nfunc (c *Ctx) Clock() int { return 1 }\n\ntype Closer interface{ io.WriteCloser \
             }\n\ntype file struct{ n int }\n\nfunc (f *file) Write(p []byte) (int, error) { return f.n, nil }\nfunc (f *file) Close() error { \
             return nil }\n\ntype half struct{}\n\nfunc (h half) Close() error { return nil }\n\ntype Req struct{ ID string }\n\nfunc (r *Req) \
             Show() string { return r.ID }\n\ntype Event struct{ *Req }\n\nfunc Run(e *Event) string { return e.Show() }\n\nvar Registry = \
             map[string]int{}\n\nfunc Add(k string, v int) { Registry[k] = v }\nfunc Get(k string) int { return Registry[k] }\n",
        ),
    ]);
    assert_eq!(
        names(&ask(&reader, "implementations", "m.Context", false)),
        set(["Ctx"])
    );
    assert_eq!(
        names(&ask(&reader, "implementations", "m.Closer", false)),
        set(["file"])
    );
    assert_eq!(
        names(&ask(&reader, "readers_writers", "Event.Req", false)),
        set(["Run"])
    );
    assert_eq!(names(&ask(&reader, "flows", "Event.Req", false)), set(["r"]));
    let registry = ask(&reader, "readers_writers", "m.Registry", false);
    let changes = registry
        .results
        .iter()
        .filter(|finding| finding.relation == "changes what is in it");
    let changes: Vec<&str> = changes
        .map(|finding| registry.nodes[&finding.node].name.as_str())
        .collect();
    assert_eq!(changes, ["Add"]);
}

#[test]
fn classes_below_what_is_found_while_the_program_runs_are_counted() {
    let (_folder, reader) = folder([
        (
            "checkout.py",
            "class OrderMixin:\n    def freeze(self):\n        return 1\n\nclass Alone:\n    def run(self):\n        return 1\n",
        ),
        (
            "views.py",
            "import importlib\n\ndef get_class(module, name):\n    return getattr(importlib.import_module(module), name)\n\nOrderMixin = \
             get_class('checkout', 'OrderMixin')\n\nclass Page(OrderMixin):\n    def post(self):\n        \
             return self.freeze()\n",
        ),
    ]);
    for (name, target) in [
        ("implementations", "OrderMixin"),
        ("hierarchy", "checkout.OrderMixin"),
        ("callers", "OrderMixin.freeze"),
    ] {
        is_open(&ask(&reader, name, target, false), "unknown-bases", "`views.Page`");
    }
    is_complete(&ask(&reader, "implementations", "Alone", false));
}

#[test]
fn settings_and_protocols_are_found_by_what_stands_for_them() {
    let (_folder, reader) = folder([
        ("mysite/__init__.py", ""),
        ("mysite/settings.py", "CURRENCY = 'GBP'\nunused = 1\n"),
        (
            "mysite/views.py",
            "from django.conf import settings\nfrom typing import Protocol\n\nclass Reader(Protocol):\n    def read(self) -> int: ...\n\nclass \
             File:\n    def read(self) -> int:\n        return 1\n\nclass Other:\n    def read(self) -> int:\n        return 2\n\ndef use(reader: \
             Reader):\n    return reader.read()\n\ndef price(amount):\n    return f'{amount} {settings.CURRENCY}{use(File())}'\n",
        ),
    ]);
    assert!(names(&ask(&reader, "readers_writers", "settings.CURRENCY", false)).contains("price"));
    assert_eq!(names(&ask(&reader, "implementations", "Reader", false)), set(["File"]));
}

#[test]
fn what_a_class_inherits_is_named_by_it() {
    let (_folder, reader) = folder([(
        "shop.py",
        "class Base:\n    def add(self, row):\n        self.last = row\n\nclass Middle(Base):\n    pass\n\nclass Basket(Middle):\n    pass\n\ndef \
         buy(row):\n    Basket().add(row)\n",
    )]);
    assert_eq!(names(&ask(&reader, "callers", "Basket.add", false)), set(["buy"]));
    assert_eq!(
        names(&ask(&reader, "readers_writers", "Basket.last", false)),
        set(["add"])
    );
}

#[test]
fn what_a_change_takes_out_is_looked_for() {
    let gone =
        "--- a/lib.py\n+++ b/lib.py\n@@ -1,5 +1,2 @@\n def keep():\n     return 0\n-\n-def old():\n-    return 1\n";
    let report = |lib: &str| {
        let (_folder, reader) = folder([
            ("lib.py", lib),
            ("app.py", "import lib\n\ndef use():\n    return lib.old()\n"),
        ]);
        let request = ripple_query_api::view::ImpactRequest {
            diff: Some(gone.into()),
            ..Default::default()
        };
        operation::impact_of_change(&reader, &request).unwrap()
    };
    // The index of after the change has no `old` any more, that of before has, and knows who calls it.
    let after = report("def keep():\n    return 0\n");
    is_open(&after.answer, "removed", "`old`");
    is_open(&after.answer, "removed", "app.py:4");
    let before = report("def keep():\n    return 0\n\ndef old():\n    return 1\n");
    assert_eq!(names(&before.answer), set(["use"]));
}

#[test]
fn a_structure_alone_finds_what_has_it() {
    let (folder, _reader) = folder([(
        "app.py",
        "import json\n\ndef one(x):\n    return json.dumps(x)\n\ndef two(x):\n    return one(x)\n",
    )]);
    let found = crate::program::run(
        folder.path(),
        &["search", "--pattern", "python:json.dumps($X)", "--index", ".ripple"],
    );
    let text = found.ok().out;
    assert!(text.contains("app.one") && !text.contains("app.two"), "{text}");
}
