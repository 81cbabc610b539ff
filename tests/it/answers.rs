//! Who is in an answer, and who is not, on small programs in the manner of real ones.
//!
//! ```python
//! def enabled(): return os.environ.get("FEATURE") == "1"
//! def price(n):
//!     if enabled(): return 2 * n       # `impact key:FEATURE` names `price`: it decides by it
//!     return n
//! ```

use std::fmt::Write as _;

use crate::verdicts::{ask, ask_as, folder, is_complete, is_open, names, set};

#[test]
fn who_tests_a_value_changes_with_it() {
    let (_folder, reader) = folder([(
        "app.py",
        "import os\n\ndef enabled():\n    return os.environ.get('FEATURE') == '1'\n\ndef branch(n):\n    if enabled():\n        return 2 * n\n    return \
         n\n\ndef turn(n):\n    while not enabled():\n        n += 1\n    return n\n\ndef check(n):\n    assert enabled()\n    return n\n\ndef choose(n):\n    \
         x = 1 if enabled() else 2\n    return n * x\n\ndef pick(rows):\n    return [row for row in rows if enabled()]\n\ndef alone(n):\n    return \
         n\n\nclass Manager:\n    def __init__(self, config):\n        self.config = config\n    @property\n    def sync(self):\n        return \
         self.config['SYNC']\n    def run(self, user):\n        if user and self.sync:\n            return None\n        return user\n",
    )]);
    assert_eq!(
        names(&ask_as(&reader, "impact", "key:FEATURE", None)),
        set(["enabled", "branch", "turn", "check", "choose", "pick"])
    );
    assert_eq!(
        names(&ask_as(&reader, "impact", "key:SYNC", None)),
        set(["sync", "run"])
    );
    // It is not the value that comes there.
    assert_eq!(names(&ask_as(&reader, "flows", "key:SYNC", None)), set(["result"]));

    let (_folder, reader) = folder([
        ("go.mod", "module shop\n\ngo 1.22\n"),
        (
            "main.go",
            "package main\n\nimport (\n\t\"encoding/json\"\n\t\"fmt\"\n\t\"os\"\n)\n\ntype Config struct {\n\tFlag bool `json:\"flag\"`\n\tMode string \
             `json:\"mode\"`\n}\n\nfunc show(c Config) {\n\tif c.Flag {\n\t\tfmt.Println(\"shown\")\n\t}\n}\n\nfunc kind(c *Config) int {\n\tswitch c.Mode \
             {\n\tcase \"a\":\n\t\treturn 1\n\t}\n\treturn 0\n}\n\nfunc plain(c *Config) int { return 1 }\n\nfunc main() {\n\tvar c \
             Config\n\tjson.Unmarshal([]byte(os.Args[1]), &c)\n\tshow(c)\n\tfmt.Println(kind(&c), plain(&c))\n}\n",
        ),
    ]);
    assert_eq!(
        names(&ask_as(&reader, "impact", "key:flag", None)),
        set(["main", "Flag", "show"])
    );
    assert_eq!(
        names(&ask_as(&reader, "impact", "key:mode", None)),
        set(["main", "Mode", "kind", "Println"])
    );
}

#[test]
fn what_is_assigned_under_a_test_changes_with_what_is_tested() {
    let (_folder, reader) = folder([(
        "app.py",
        r#"
class Order:
    error = 0.0

def poor(order):
    return order.error > 40

def plain(order):
    return order.note + "!"

def order_of(doc):
    order = Order()
    order.note = doc["note"]
    if doc["triangles"] > 0:
        order.error = doc["micron"]
    return order

def label_of(doc):
    out = {"label": "none"}
    if doc["express"]:
        out["label"] = doc["name"]
    return out

def shown(out):
    return out["label"].upper()

def rate_of(doc):
    rate = doc["base"]
    if doc["student"]:
        rate = doc["reduced"]
    return rate

def price(rate):
    return rate * 12

def early(doc):
    if not doc["valid"]:
        raise ValueError("no")
    code = doc["code"]
    return code

def handle(doc):
    order = order_of(doc)
    return poor(order), plain(order), shown(label_of(doc)), price(rate_of(doc)), early(doc)
"#,
    )]);
    let who = |key: &str| ask_as(&reader, "impact", key, None);
    let triangles = who("key:triangles");
    let triangles = names(&triangles);
    assert!(
        triangles.contains("poor") && !triangles.contains("plain"),
        "{triangles:?}"
    );
    let express = who("key:express");
    let express = names(&express);
    assert!(express.contains("shown") && !express.contains("price"), "{express:?}");
    let student = who("key:student");
    let student = names(&student);
    assert!(student.contains("price") && !student.contains("shown"), "{student:?}");

    let (_folder, reader) = folder([
        ("go.mod", "module shop\n\ngo 1.22\n"),
        (
            "main.go",
            r#"package main

import (
    "encoding/json"
    "os"
)

type In struct {
    Kw      float64 `json:"kw"`
    Licence string  `json:"licence"`
    Name    string  `json:"name"`
}

type Out struct{ Open, Name string }

func outOf(v In) Out {
    o := Out{Name: v.Name}
    if v.Kw > 11 {
        o.Open = v.Licence
    }
    return o
}

func risky(o Out) bool { return o.Open == "" }

func named(o Out) string { return o.Name + "!" }

func main() {
    var v In
    json.Unmarshal([]byte(os.Args[1]), &v)
    o := outOf(v)
    println(risky(o), named(o))
}
"#,
        ),
    ]);
    let kw = ask_as(&reader, "impact", "key:kw", None);
    let kw = names(&kw);
    assert!(kw.contains("risky") && !kw.contains("named"), "{kw:?}");
}

#[test]
fn all_of_a_wide_type_is_read_from_the_wire() {
    let mut text = String::from("package main\n\nimport (\n\t\"encoding/json\"\n\t\"os\"\n)\n\ntype Config struct {\n");
    for number in 0..700 {
        let _ = writeln!(text, "\tF{number} string `json:\"f{number}\"`");
    }
    text.push_str("}\n\ntype Module interface{ Run() }\n\nvar modules = map[string]func() Module{}\n");
    for number in 0..40 {
        let _ = writeln!(
            text,
            "\ntype M{number} struct {{\n\tLevel string `json:\"level{number}\"`\n}}\n\nfunc (*M{number}) Run() {{}}\n\nfunc init() {{ \
             modules[\"m{number}\"] = func() Module {{ return new(M{number}) }} }}"
        );
    }
    text.push_str(
        "\nfunc load(id string, raw []byte) Module {\n\tval := modules[id]()\n\tjson.Unmarshal(raw, &val)\n\treturn val\n}\n\nfunc main() {\n\tvar c \
         Config\n\tjson.Unmarshal([]byte(os.Args[1]), &c)\n\tload(os.Args[2], nil).Run()\n}\n",
    );
    let (_folder, reader) = folder([("go.mod", "module shop\n\ngo 1.22\n"), ("main.go", text.as_str())]);
    for field in ["F0", "F350", "F699"] {
        let target = format!("Config.{field}");
        assert!(
            names(&ask_as(&reader, "readers_writers", &target, None)).contains("main"),
            "{field}"
        );
    }
    for number in [0, 20, 39] {
        let target = format!("M{number}.Level");
        assert!(
            names(&ask_as(&reader, "readers_writers", &target, None)).contains("load"),
            "{number}"
        );
    }
}

#[test]
fn what_a_library_keeps_is_not_lost_where_the_same_is_called_here() {
    let (_folder, reader) = folder([
        ("go.mod", "module shop\n\ngo 1.22\n"),
        (
            "main.go",
            "package main\n\nimport (\n\t\"fmt\"\n\t\"net\"\n\t\"net/http\"\n\t\"sync/atomic\"\n)\n\nfunc list(name string) { fmt.Println(\"list\", name) \
             }\nfunc ping(name string) { fmt.Println(\"ping\", name) }\n\nfunc wrap(f func(string)) func(net.Conn, http.ConnState) {\n\treturn func(c \
             net.Conn, _ http.ConnState) { f(\"x\") }\n}\n\ntype client struct {\n\tmpay int32\n\tn    int64\n}\n\nfunc (c *client) limit() int32 { return \
             atomic.LoadInt32(&c.mpay) }\nfunc (c *client) set(v int32)   { atomic.StoreInt32(&c.mpay, v) }\nfunc (c *client) inc()          { \
             atomic.AddInt64(&c.n, 1) }\n\nfunc setup(s *http.Server) { s.ConnState = wrap(list) }\n\nfunc main() {\n\ts := \
             &http.Server{}\n\tsetup(s)\n\th := wrap(ping)\n\th(nil, 0)\n\tc := &client{}\n\tc.set(3)\n\tc.inc()\n\tfmt.Println(c.limit(), c.n)\n}\n",
        ),
    ]);
    assert_eq!(
        names(&ask_as(&reader, "callers", "shop.list", None)),
        set(["func1", "setup"])
    );
    assert_eq!(
        names(&ask_as(&reader, "callers", "shop.ping", None)),
        set(["func1", "main"])
    );
    let told = |target: &str| {
        let answer = ask_as(&reader, "readers_writers", target, None);
        let told = answer.results.iter();
        let mut told: Vec<String> = told
            .map(|found| format!("{} {}", answer.nodes[&found.node].name, found.relation))
            .collect();
        told.sort();
        told
    };
    assert_eq!(told("client.mpay"), ["limit reads it", "set writes it"]);
    assert!(told("client.n").contains(&"inc writes it through its address".to_owned()));
}

#[test]
fn helpers_of_tests_are_no_tests() {
    let (_folder, reader) = folder([
        ("go.mod", "module shop\n\ngo 1.22\n"),
        ("main.go", "package shop\n\nfunc add(a, b int) int { return a + b }\n"),
        (
            "main_test.go",
            "package shop\n\nimport \"testing\"\n\nfunc mustAdd(t *testing.T, a, b int) int {\n\tt.Helper()\n\treturn add(a, b)\n}\n\nfunc TestAdd(t \
             *testing.T) {\n\tif mustAdd(t, 1, 2) != 3 {\n\t\tt.Fatal(\"bad\")\n\t}\n}\n",
        ),
    ]);
    assert_eq!(names(&ask_as(&reader, "tests_for", "shop.add", None)), set(["TestAdd"]));
}

#[test]
fn what_nobody_calls_itself_is_called_by_what_takes_its_place() {
    let (_folder, reader) = folder([(
        "app.py",
        "import abc\n\nclass History(abc.ABC):\n    @abc.abstractmethod\n    def started(self, task): ...\n\nclass Db(History):\n    def started(self, \
         task):\n        print(task)\n\nclass Scheduler:\n    def __init__(self, history: History):\n        self.history = history\n    def update(self, \
         task):\n        self.history.started(task)\n\nclass Base:\n    def run(self):\n        return self.step()\n    def step(self):\n        return \
         1\n\nclass Fast(Base):\n    def step(self):\n        return 2\n\nclass Param:\n    def norm(self, v):\n        return v\n\nclass Optional:\n    def \
         norm(self, v):\n        return v or None\n\nclass OptionalParam(Optional, Param):\n    pass\n\ndef one(p: Param, v):\n    return p.norm(v)\n\ndef \
         main():\n    Scheduler(Db()).update('t')\n    return Fast().run()\n",
    )]);
    let callers = |target: &str| ask_as(&reader, "callers", target, None);
    let abstract_one = callers("app.History.started");
    assert_eq!(names(&abstract_one), set(["update"]));
    assert!(
        abstract_one
            .results
            .iter()
            .all(|found| found.relation == "calls what takes its place"),
        "{:?}",
        abstract_one.results
    );
    assert_eq!(
        names(&ask_as(&reader, "impact", "app.History.started", None)),
        set(["update"])
    );
    let passed_over = callers("app.Base.step");
    assert_eq!(names(&passed_over), set(["run"]));
    is_open(
        &passed_over,
        "called-from-outside",
        "`app.Base.run` calls `step` of its own object",
    );
    // A base that stands before the other in the order of the class.
    assert_eq!(names(&callers("app.Optional.norm")), set(["one"]));
    assert_eq!(names(&callers("app.Fast.step")), set(["run"]));
}

#[test]
fn who_else_may_call_is_asked_of_all_callers() {
    let (_folder, reader) = folder([
        (
            "app.py",
            "import json\nfrom flask import Blueprint\n\nclass Base:\n    def run_all(self):\n        for name in dir(self):\n            if \
             name.startswith('check_'):\n                getattr(self, name)()\n\nclass Checks(Base):\n    def check_a(self):\n        return \
             helper()\n\nclass Hooks:\n    def fire(self):\n        for name in dir(self):\n            if name in \
             self.wanted:\n                getattr(self, name)()\n\nclass Mine(Hooks):\n    def ring(self):\n        return \
             bell()\n\ndef bell():\n    return 1\n\nclass View:\n    def register(self):\n        bp = Blueprint('x', __name__)\n        for name in dir(self):\n            attr = \
             getattr(self, name)\n            if hasattr(attr, '_url'):\n                bp.add_url_rule(attr._url, name, attr)\n        return bp\n\nclass \
             Login(View):\n    def logout(self):\n        return 'out'\n\nclass Plain:\n    def other(self):\n        return 1\n\ndef helper():\n    return \
             1\n\nclass Encoder(json.JSONEncoder):\n    def default(self, o):\n        return convert(o)\n\ndef convert(o):\n    return str(o)\n",
        ),
        (
            "test_app.py",
            "from app import Checks\n\ndef test_main():\n    Checks().run_all()\n",
        ),
    ]);
    let ask = |name: &str, target: &str| ask_as(&reader, name, target, (name == "callers").then_some(5));
    // Which methods are meant is known by how their names begin.
    let by_beginning = ask("callers", "app.helper");
    assert_eq!(names(&by_beginning), set(["check_a", "run_all"]));
    is_complete(&by_beginning);
    let by_beginning = ask("tests_for", "app.helper");
    assert_eq!(names(&by_beginning), set(["test_main"]));
    is_complete(&by_beginning);
    for name in ["callers", "tests_for"] {
        is_open(&ask(name, "app.bell"), "unresolved-calls", "that may be `ring`");
    }
    is_open(
        &ask("callers", "app.convert"),
        "called-from-outside",
        "may call `default`",
    );
    is_open(
        &ask("tests_for", "app.convert"),
        "called-from-outside",
        "may call `default`",
    );
    // What is found by name is handed to library code.
    is_open(
        &ask("callers", "app.Login.logout"),
        "unresolved-calls",
        "that may be `logout`",
    );
    is_complete(&ask("callers", "app.Plain.other"));
}

#[test]
fn members_of_what_a_library_keeps_are_counted() {
    let (_folder, reader) = folder([(
        "app.py",
        "import os\nfrom flask import g\nfrom flask_login import current_user\n\nclass User:\n    def __init__(self, mail):\n        self.mail = mail\n        \
         self.role = ''\n        self.own = 1\n        self.sep = ''\n    def label(self):\n        return 'u'\n    @property\n    def full(self):\n        \
         return self.mail\n\nclass Conf:\n    @property\n    def debug(self):\n        return 1\n    def run(self):\n        return self.debug\n\ndef \
         show():\n    return g.user.mail, g.user.full, os.path.sep\n\ndef edit():\n    current_user.role = 'x'\n    return current_user.label()\n",
    )]);
    let users = |target: &str| ask_as(&reader, "readers_writers", target, None);
    is_open(&users("User.mail"), "unknown-receivers", "(`show`)");
    is_open(&users("User.role"), "unknown-receivers", "(`edit`)");
    is_open(&users("User.full"), "unresolved-calls", "`full`");
    is_open(
        &ask_as(&reader, "callers", "User.label", None),
        "unresolved-calls",
        "`label`",
    );
    // Nothing of the language's own library is an object of somebody's class.
    is_complete(&users("User.sep"));
    is_complete(&users("User.own"));
    // A property is read where it is called.
    assert_eq!(names(&users("Conf.debug")), set(["run"]));
}

#[test]
fn names_are_known_by_the_package_that_gives_them_on() {
    let (_folder, reader) = folder([
        ("pkg/__init__.py", "from .core import Parser, get_config\n"),
        (
            "pkg/core.py",
            "def get_config():\n    return {}\n\nclass Parser:\n    def run(self):\n        return get_config()\n",
        ),
        ("app.py", "import pkg\n\ndef main():\n    return pkg.Parser().run()\n"),
    ]);
    assert_eq!(names(&ask_as(&reader, "callers", "pkg.get_config", None)), set(["run"]));
    assert_eq!(
        names(&ask_as(&reader, "callers", "pkg.Parser.run", None)),
        set(["main"])
    );
}

#[test]
fn a_result_that_stands_for_many_fields_lets_no_argument_out_by_another_call() {
    let mut text = String::from("class Conf:\n    def __init__(self, v):\n");
    (0..12).for_each(|field| _ = writeln!(text, "        self.a{field} = v[{field}]"));
    text.push_str("\ndef pick(conf: Conf, text, n):\n");
    (0..12).for_each(|field| _ = writeln!(text, "    if n == {field}:\n        return conf.a{field}"));
    text.push_str(
        "    return text\n\ndef one(conf: Conf, mail, n):\n    kept = pick(conf, mail, n)\n    return kept\n\ndef two(conf: Conf, n):\n    other = pick(conf, \
         'x', n)\n    return other\n",
    );
    let (_folder, reader) = folder([("app.py", text.as_str())]);
    let flows = |target: &str| ask_as(&reader, "flows", target, None);
    assert_eq!(names(&flows("app.one.mail")), set(["text", "result", "kept"]));
    let of_field = flows("Conf.a3");
    assert_eq!(names(&of_field), set(["result", "kept", "other"]));
    let up = ask(&reader, "flows", "app.two.other", true);
    let up = names(&up);
    assert!(up.contains("a3") && up.contains("v") && !up.contains("mail"), "{up:?}");
}

#[test]
fn an_attribute_takes_the_place_of_a_property() {
    let (_folder, reader) = folder([(
        "app.py",
        "class Backend:\n    @property\n    def scheme(self):\n        raise NotImplementedError\n\nclass Store(Backend):\n    scheme = \
         's3'\n\nclass Disk(Store):\n    pass\n\nclass Other:\n    scheme = 'x'\n",
    )]);
    let instead = ask_as(&reader, "implementations", "Backend.scheme", None);
    assert_eq!(instead.results.len(), 1);
    let found = &instead.nodes[&instead.results[0].node];
    assert_eq!(found.qualified_name, "app.Store.scheme");
    assert_eq!(instead.results[0].relation, "takes its place");
}
