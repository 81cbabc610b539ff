//! Answers that say what they leave open: what fails, what only code elsewhere reads, names of which a part is known, declarations.
//!
//! ```go
//! if order.Amount <= 0 { return nil, ErrAmount }     // `impact key:amount`: `build` may fail by it, and what then is missing is not followed
//! ```

use crate::verdicts::{ask_as, folder, found, is_complete, is_open};

#[test]
fn who_fails_by_what_changes_is_named_and_the_rest_is_left_open() {
    let (_folder, reader) = folder([
        (
            "check.py",
            "class Refused(Exception):\n    pass\n\n\ndef check(body):\n    if body.get(\"amount\", 0) <= 0:\n        raise Refused(\"amount\")\n    return \
             body[\"tag\"]\n",
        ),
        (
            "order.go",
            "package app\n\nimport \"errors\"\n\ntype Order struct {\n\tPrice float64 `json:\"price\"`\n\tTitle string  `json:\"title\"`\n}\n\nvar ErrPrice = \
             errors.New(\"price\")\n\nfunc build(o Order) (string, error) {\n\tif o.Price <= 0 {\n\t\treturn \"\", ErrPrice\n\t}\n\treturn o.Title, nil\n}\n\nfunc \
             handle(o Order) (string, error) {\n\ttitle, err := build(o)\n\tif err != nil {\n\t\treturn \"\", err\n\t}\n\treturn title, nil\n}\n",
        ),
    ]);
    let impact = |key: &str| ask_as(&reader, "impact", key, None);
    is_open(&impact("key:amount"), "failure", "1 function may fail by it");
    is_open(&impact("key:price"), "failure", "build`");
    assert!(
        found(&reader, "impact", "key:price").contains("handle"),
        "its error is handed on"
    );
    is_complete(&impact("key:tag"));
    is_complete(&impact("Order.Title"));
}

#[test]
fn what_a_package_hands_out_may_be_read_elsewhere() {
    let (_folder, reader) = folder([
        ("pkg/__init__.py", "from .client import Client\n"),
        (
            "pkg/client.py",
            "class Client:\n    def __init__(self, base):\n        self.base_url = base\n        self.seen = 0\n        self._own = 1\n\n    def \
             count(self):\n        return self.seen\n",
        ),
        ("go.mod", "module example.com/lib\n\ngo 1.23\n"),
        (
            "lib.go",
            "package lib\n\ntype Migration struct {\n\tBytesRead int64\n\trows      int64\n}\n\nfunc (m *Migration) Add(n int64) { m.BytesRead = n; m.rows = n \
             }\n\ntype Logger interface{ Log(string) }\n\ntype quiet struct{}\n\nfunc (quiet) Log(string) {}\n\nfunc (quiet) close() {}\n\nfunc Quiet() Logger { \
             return quiet{} }\n",
        ),
    ]);
    let users = |name: &str| ask_as(&reader, "readers_writers", name, None);
    is_open(
        &users("Client.base_url"),
        "read-from-outside",
        "`pkg/__init__.py` hands it out",
    );
    is_complete(&users("Client.seen"));
    is_complete(&users("Client._own"));
    is_open(
        &users("Migration.BytesRead"),
        "read-from-outside",
        "package `example.com/lib`",
    );
    is_complete(&users("Migration.rows"));
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    is_open(
        &callers("quiet.Log"),
        "called-from-outside",
        "interface `example.com/lib.Logger`",
    );
    is_complete(&callers("quiet.close"));
}

#[test]
fn a_field_that_classes_below_set_is_one_attribute() {
    let (_folder, reader) = folder([(
        "env.py",
        "class Env:\n    location: str\n    kind = \"env\"\n\n\nclass Conda(Env):\n    kind = \"conda\"\n\n    def __init__(self, location):\n        self.location = \
         location\n\n    def create(self):\n        return self.location + self.kind\n\n\ndef install(venv: Env):\n    return \
         venv.location\n\n\nConda(\"/tmp\").create()\n\n\nclass Other:\n    location = 1\n\n    def show(self):\n        return self.location\n",
    )]);
    let named = found(&reader, "readers_writers", "Env.location");
    for user in ["__init__", "create", "install"] {
        assert!(named.contains(user), "{user}: {named:?}");
    }
    assert!(!named.contains("show"), "another class: {named:?}");
    // What a class below binds in its body is another value.
    let changed = found(&reader, "impact", "Env.kind");
    assert!(!changed.contains("create"), "{changed:?}");
}

#[test]
fn globals_that_bodies_of_files_read_are_read() {
    let (_folder, reader) = folder([
        ("envs.py", "ALL = {\"conda\": 1}\nOWN = 2\n"),
        ("options.py", "from envs import ALL\n\nchoices = list(ALL)\n"),
    ]);
    let named = found(&reader, "readers_writers", "envs.ALL");
    assert!(named.contains("options"), "{named:?}");
    let named = found(&reader, "readers_writers", "envs.OWN");
    assert!(!named.contains("options"), "{named:?}");
}

#[test]
fn names_of_which_a_part_is_known_may_be_those_that_fit() {
    let (_folder, reader) = folder([(
        "hooks.py",
        "class Worker:\n    def after_stop(self, broker):\n        return broker\n\n    def before_stop(self, broker):\n        return 1\n\n\ndef emit(found, \
         signal):\n    for one in found:\n        getattr(one, \"after_\" + signal)(1)\n",
    )]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    is_open(&callers("Worker.after_stop"), "unresolved-calls", "begins or ends");
    is_complete(&callers("Worker.before_stop"));
}

#[test]
fn who_asks_for_a_constructor_asks_for_its_class_and_a_protocol_only_declares() {
    let (_folder, reader) = folder([
        (
            "fields.py",
            "__all__ = (\"Field\", \"Text\")\n\n\nclass Field:\n    def __init__(self):\n        self.n = 0\n\n\nclass Text(Field):\n    def __init__(self):\n        \
             super().__init__()\n",
        ),
        (
            "meta.py",
            "import fields as module\nfrom fields import __all__ as names\n\ncache = {}\n\n\ndef load(name):\n    for one in names:\n        cache[one] = \
             getattr(module, one)\n    return cache.get(name)\n\n\ndef build():\n    Field = load(\"Field\")\n    return Field()\n",
        ),
        (
            "writer.py",
            "from typing import Protocol\n\n\nclass Writer(Protocol):\n    def __call__(self, text) -> bytes: ...\n\n\nclass Reader(Protocol):\n    def read(self): \
             ...\n\n\nclass File:\n    def read(self):\n        return 1\n\n\ndef write(to: Writer):\n    return to(\"a\")\n\n\ndef read(of: Reader):\n    return \
             of.read()\n\n\nread(File())\n",
        ),
    ]);
    is_open(
        &ask_as(&reader, "callers", "Field.__init__", None),
        "unresolved-calls",
        "`Field`",
    );
    is_open(
        &ask_as(&reader, "callees", "writer.write", None),
        "unresolved-calls",
        "only says what is called",
    );
    is_complete(&ask_as(&reader, "callees", "writer.read", None));
}

#[test]
fn a_type_is_asked_for_by_its_fields_and_a_bare_name_for_globals_too() {
    let (_folder, reader) = folder([(
        "opts.py",
        "verbose = False\n\n\nclass Opts:\n    def __init__(self):\n        self.verbose = 1\n\n\nclass Empty:\n    pass\n\n\ndef set_verbose(value):\n    global \
         verbose\n    verbose = value\n",
    )]);
    let named = found(&reader, "readers_writers", "verbose");
    assert!(named.contains("set_verbose") && named.contains("__init__"), "{named:?}");
    let named = found(&reader, "readers_writers", "Opts");
    assert!(
        named.contains("__init__") && !named.contains("set_verbose"),
        "{named:?}"
    );
}

#[test]
fn a_key_that_is_sought_in_the_environment_is_one() {
    let (_folder, reader) = folder([(
        "colors.py",
        "import os\n\n\ndef color():\n    return \"NO_COLOR\" in os.environ\n\n\ndef other():\n    return \"NO_COLOR\" in [\"x\"]\n",
    )]);
    let named = found(&reader, "impact", "key:NO_COLOR");
    assert!(named.contains("color"), "{named:?}");
}

#[test]
fn callees_are_open_where_callers_hand_in_the_object() {
    let (_folder, reader) = folder([(
        "app.py",
        "class Query:\n    def clause(self):\n        return None\n\n    def own(self):\n        return self.clause()\n\n\nclass Always(Query):\n    def clause(self):\n        return \"1\"\n\n\nclass Never(Query):\n    def clause(self):\n        return \"0\"\n\n\ndef fetch(query):\n    return query.clause()\n\n\ndef default():\n    return fetch(Always()), Always().own()\n\n\ndef made():\n    query = Always()\n    return query.clause()\n",
    )]);
    let callees = |name: &str| ask_as(&reader, "callees", name, None);
    is_open(
        &callees("fetch"),
        "unknown-receivers",
        "of another class it would be `app.",
    );
    is_open(
        &callees("Query.own"),
        "unknown-receivers",
        "of another class it would be `app.",
    );
    // It makes the object itself.
    is_complete(&callees("made"));
}

#[test]
fn what_a_class_has_from_above_is_called_where_its_own_would_be() {
    let (_folder, reader) = folder([(
        "shop.py",
        "import lib\nfrom html.parser import HTMLParser\n\n\nclass TagMixin:\n    def handle_starttag(self, tag, attrs):\n        self.tag = tag\n\n\nclass \
         Page(TagMixin, HTMLParser):\n    pass\n\n\nclass PlainMixin:\n    def note(self):\n        return 1\n\n\nclass Plain(PlainMixin):\n    \
         pass\n\n\nclass Base:\n    def __init__(self):\n        self.name = \"\"\n\n    def handle(self):\n        return self.name\n\n\nclass \
         Child(Base):\n    pass\n\n\nclass Other(Base):\n    def handle(self):\n        return 2\n\n\nPage().handle_starttag(\"b\", \
         [])\nPlain().note()\nBase().handle()\nlib.register(Child())\nlib.offer(Child)\nOther().handle()\n",
    )]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    is_open(
        &callers("TagMixin.handle_starttag"),
        "called-from-outside",
        "`html.parser.HTMLParser`",
    );
    is_complete(&callers("PlainMixin.note"));
    is_open(&callers("Base.handle"), "called-from-outside", "`lib.register`");
    is_complete(&callers("Other.handle"));
    is_open(&callers("Base.__init__"), "unknown-library", "`offer`");
}

#[test]
fn what_containers_held_that_found_no_room_may_be_called() {
    use std::fmt::Write;
    let mut text = "class Router:\n    def __init__(self, rules):\n        self.rules = []\n        for rule in rules:\n            \
                    self.rules.append(rule[1])\n\n    def run(self, text):\n        for make in self.rules:\n            make(text)\n\n\n"
        .to_owned();
    for index in 0..40 {
        let _ = write!(
            text,
            "class Page{index}:\n    def __init__(self, text):\n        self.text = text\n\n\ndef app{index}():\n    return Router([(\"/{index}\", \
             Page{index})])\n\n\napp{index}().run(\"\")\n\n\n"
        );
    }
    let (_folder, reader) = folder([("app.py", text.as_str())]);
    let mut open = 0;
    for index in 0..40 {
        let name = format!("Page{index}.__init__");
        match found(&reader, "callers", &name).contains("run") {
            true => {}
            false => {
                open += 1;
                is_open(
                    &ask_as(&reader, "callers", &name, None),
                    "budget",
                    &format!("`Page{index}`"),
                );
            }
        }
    }
    assert!(open > 0, "none of them was left out: the page says nothing");
    is_open(
        &ask_as(&reader, "callees", "Router.run", None),
        "budget",
        "more callees than are followed",
    );
}

#[test]
fn what_only_tests_call_as_a_value_is_left_open() {
    let source = "package app\n\ntype handler func(string)\n\ntype server struct{ subs map[string]handler }\n\nfunc (s *server) stats(subj string) {}\n\nfunc (s *server) \
                  later(cb handler) handler { return func(subj string) { keep(cb) } }\n\nfunc keep(cb handler) {}\n\nfunc (s *server) start() { s.subs[\"stats\"] = \
                  s.later(s.stats) }\n";
    let test = "package app\n\nimport \"testing\"\n\nfunc TestStats(t *testing.T) {\n\ts := &server{}\n\tfor _, h := range []handler{s.stats} {\n\t\th(\"x\")\n\t}\n}\n";
    let (_folder, reader) = folder([
        ("go.mod", "module app\n\ngo 1.23\n"),
        ("app.go", source),
        ("app_test.go", test),
    ]);
    is_open(
        &ask_as(&reader, "callers", "server.stats", None),
        "called-from-outside",
        "`stats` is taken as a value",
    );
}

#[test]
fn what_is_named_where_it_is_imported_or_in_a_type_is_read() {
    let (_folder, reader) = folder([
        ("conf.py", "LOW = {\"a\": 1}\nHIGH = 2\n"),
        (
            "use.py",
            "def check(name):\n    from conf import LOW\n    return LOW[name]\n\n\nclass Limits:\n    from conf import HIGH\n",
        ),
        ("go.mod", "module app\n\ngo 1.23\n"),
        (
            "app.go",
            "package app\n\nimport \"net/http\"\n\nconst size = 8\n\nconst header = \"X-Info\"\n\nfunc Reply() int {\n\tvar b [size]byte\n\treturn \
             len(b)\n}\n\nfunc Headers(id []string) http.Header { return http.Header{header: id} }\n",
        ),
    ]);
    for (name, reader_of) in [
        ("conf.LOW", "check"),
        ("conf.HIGH", "use"),
        ("app.size", "Reply"),
        ("app.header", "Headers"),
    ] {
        let found = found(&reader, "readers_writers", name);
        assert!(found.contains(reader_of), "{reader_of} reads {name}: {found:?}");
    }
}
