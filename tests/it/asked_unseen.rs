//! What the language, a library or an enumeration asks of a program without a line that says so; and what is read as a whole.
//!
//! ```python
//! class Worker(threading.Thread):
//!     def __init__(self):
//!         super().__init__()
//!         self.daemon = True          # nothing here reads it: the library's class may
//! ```

use std::collections::BTreeSet;

use ripple_graphdb::Reader;

use crate::verdicts::{ask_as, folder, found, is_complete, is_open};

/// Who reads a field.
fn readers(reader: &Reader, field: &str) -> BTreeSet<String> {
    let answer = ask_as(reader, "readers_writers", field, None);
    let read = answer
        .results
        .iter()
        .filter(|finding| finding.relation.contains("reads"));
    read.map(|finding| answer.nodes[&finding.node].name.clone()).collect()
}

#[test]
fn operators_that_are_attributes_and_members_of_enumerations_are_asked_by_the_language() {
    let (_folder, reader) = folder([
        (
            "query.py",
            "class Query:\n    def __init__(self, sql):\n        self.sql = sql\n\n    def _join(word):\n        def inner(self, other):\n            return \
             Query(self.sql + word + other.sql)\n\n        return inner\n\n    __or__ = _join(\" UNION \")\n    label = \"query\"\n\n\ndef main():\n    return \
             (Query(\"a\") | Query(\"b\")).sql\n\n\nmain()\n",
        ),
        (
            "color.py",
            "import enum\n\n\nclass Color(enum.Enum):\n    RED = \"r\"\n    BLUE = \"b\"\n\n    @classmethod\n    def _missing_(cls, value):\n        return \
             cls.RED\n\n\ndef pick(text):\n    return Color(text).name\n\n\npick(\"x\")\n",
        ),
    ]);
    let users = |name: &str| ask_as(&reader, "readers_writers", name, None);
    is_open(
        &users("Query.__or__"),
        "called-from-outside",
        "special methods such as `__or__`",
    );
    is_open(&users("Color.BLUE"), "unknown-receivers", "that may be `BLUE`");
    is_complete(&users("Query.sql"));
    is_open(
        &ask_as(&reader, "callers", "Color._missing_", None),
        "called-from-outside",
        "`_missing_`",
    );
}

#[test]
fn attributes_below_a_librarys_class_may_be_read_there() {
    let (_folder, reader) = folder([(
        "worker.py",
        "import threading\n\n\nclass Worker(threading.Thread):\n    def __init__(self):\n        super().__init__()\n        self.daemon = True\n        \
         self.seen = 0\n\n    def run(self):\n        print(self.seen)\n\n\nclass Plain:\n    def __init__(self):\n        self.left = \
         1\n\n\nWorker().start()\nPlain()\n",
    )]);
    let users = |name: &str| ask_as(&reader, "readers_writers", name, None);
    is_open(
        &users("Worker.daemon"),
        "read-from-outside",
        "`threading.Thread` stands above its class",
    );
    is_complete(&users("Worker.seen"));
    is_complete(&users("Plain.left"));
}

#[test]
fn what_lies_in_what_a_library_is_handed_is_handed_too() {
    let (_folder, reader) = folder([(
        "app.py",
        "import lib\n\n\nclass Hook:\n    def run(self):\n        return 1\n\n\nclass Kept:\n    def run(self):\n        return 2\n\n\nclass Root:\n    def \
         __init__(self, kept):\n        self.kept = kept\n\n\nclass Alone:\n    def run(self):\n        return 3\n\n\ndef _main():\n    hooks = []\n    \
         hooks.append(Hook())\n    lib.start(hooks)\n    lib.start(Root(Kept()))\n    alone = [Alone()]\n    print(len(alone))\n\n\n_main()\n",
    )]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    is_open(&callers("Hook.run"), "called-from-outside", "`lib.start`");
    is_open(&callers("Kept.run"), "called-from-outside", "`lib.start`");
    is_complete(&callers("Alone.run"));
}

#[test]
fn a_keyword_that_no_table_names_may_be_called() {
    let (_folder, reader) = folder([(
        "dump.py",
        "import json\n\n\ndef _plain(value):\n    return str(value)\n\n\ndef save(value, file):\n    json.dump(value, fp=file, \
         default=_plain)\n\n\nsave({}, None)\n",
    )]);
    assert!(found(&reader, "callers", "_plain").contains("save"));
}

#[test]
fn structures_that_are_keys_or_compared_are_read_field_by_field() {
    let (_folder, reader) = folder([
        ("go.mod", "module example.com/lib\n\ngo 1.23\n"),
        (
            "main.go",
            "package main\n\ntype key struct{ kind, name string }\n\ntype node struct{ next *node; left int }\n\nvar cache = map[key]int{}\n\nfunc lookup(kind, \
             name string) int {\n\tk := key{kind: kind, name: name}\n\tif v, ok := cache[k]; ok {\n\t\treturn v\n\t}\n\tcache[k] = len(cache)\n\treturn \
             cache[k]\n}\n\nfunc same(a, b string) bool { return key{kind: a} == key{kind: b} }\n\nfunc last(n *node) bool { m := &node{}; m.left = 1; return n \
             == m }\n\nfunc main() { println(lookup(\"a\", \"b\"), same(\"a\", \"b\"), last(nil)) }\n",
        ),
    ]);
    let readers = |name: &str| readers(&reader, name);
    assert!(
        readers("key.name").contains("lookup"),
        "a look-up compares all of its key"
    );
    assert!(readers("key.kind").contains("same"));
    assert!(readers("node.left").is_empty(), "pointers are compared as such");
}

#[test]
fn types_that_cannot_be_named_are_handed_out_and_what_is_embedded_is_promoted() {
    let (_folder, reader) = folder([
        ("go.mod", "module example.com/lib\n\ngo 1.23\n"),
        (
            "lib.go",
            "package lib\n\nimport \"io\"\n\ntype pki struct{ dir string }\n\nfunc NewPKI(dir string) *pki { return &pki{dir} }\n\nfunc (p *pki) ReadCert() \
             string { return p.dir }\n\ntype kept struct{}\n\nfunc (kept) peek() {}\n\ntype closer struct {\n\tio.Writer\n\tio.Closer\n}\n\nfunc Open(w \
             io.Writer, c io.Closer) io.WriteCloser { return closer{w, c} }\n",
        ),
        ("pkg/__init__.py", "from .indent import Below\n"),
        (
            "pkg/indent.py",
            "class Above:\n    def __init__(self):\n        self.level = 0\n\n\nclass Below(Above):\n    width = 4\n\n\nclass Own(Above):\n    pass\n",
        ),
    ]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    is_open(
        &callers("pki.ReadCert"),
        "called-from-outside",
        "package `example.com/lib` hands it out",
    );
    is_complete(&callers("kept.peek"));
    is_open(
        &callers("Below"),
        "called-from-outside",
        "`pkg/__init__.py` hands it out",
    );
    let closer = ask_as(&reader, "readers_writers", "closer.Closer", None);
    is_open(&closer, "unknown-receivers", "which embeds it");
}

#[test]
fn what_nobody_calls_may_be_read_under_a_name_that_is_put_together() {
    let (_folder, reader) = folder([(
        "cookie.py",
        "class Cookie:\n    def __init__(self):\n        self._age = 1\n\n    @property\n    def max_age(self):\n        return self._age\n\n    def part(self, \
         key):\n        return getattr(self, key)\n\n\nprint(Cookie().part(input()))\n",
    )]);
    is_open(
        &ask_as(&reader, "callers", "Cookie.max_age", None),
        "unknown-receivers",
        "one may be `max_age`",
    );
}

#[test]
fn the_body_of_a_class_reads_what_it_bound_before() {
    let (_folder, reader) = folder([(
        "abnf.py",
        "import re\n\n\nclass Abnf:\n    number = r\"\\d+\"\n    other = 1\n    both = re.compile(\"(%s)\" % number)\n\n\ndef check(text):\n    return \
         Abnf.both.match(text)\n\n\ncheck(\"x\")\n",
    )]);
    assert_eq!(readers(&reader, "Abnf.number").len(), 1);
    assert!(readers(&reader, "Abnf.other").is_empty());
}

#[test]
fn what_is_handed_to_a_call_that_nobody_knows_may_be_called_there() {
    let (_folder, reader) = folder([
        (
            "app.py",
            "import lib\n\n\nclass _Hook:\n    def __init__(self):\n        self.ttl = 1\n\n    def on_load(self):\n        return self.ttl\n\n\nclass _Row:\n    def show(self):\n        return 1\n\n\ndef main(bus, table):\n    bus.add(_Hook())\n    row = _Row()\n    table.append(row)\n",
        ),
        (
            "state.py",
            "import plug\n\n\nclass _State:\n    def __init__(self):\n        self.ident = 1\n\n    def dump(self):\n        return b\"\"\n\n\nclass Driver(plug.Driver):\n    def open(self):\n        return _State()\n\n\nplug.register(Driver())\n",
        ),
    ]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    is_open(&callers("_Hook.on_load"), "called-from-outside", "handed to `?.add`");
    is_complete(&callers("_Row.show"));
    is_open(&callers("_State.dump"), "called-from-outside", "`plug.register`");
    let users = |name: &str| ask_as(&reader, "readers_writers", name, None);
    is_open(&users("_State.ident"), "unknown-library", "`ident`");
}

#[test]
fn what_go_embeds_gives_back_and_exports_is_used_elsewhere() {
    let (_folder, reader) = folder([
        ("go.mod", "module github.com/ex/p\n\ngo 1.22\n"),
        ("a_gen.go", "//go:build ignore\n\npackage main\n\nfunc main() {}\n"),
        (
            "p.go",
            "package p\n\ntype base struct{ N int }\n\nfunc (b *base) Start() {}\n\ntype Server struct{ base }\n\n//export process\nfunc process() {}\n\nfunc plain() {}\n\ntype failure struct{}\n\nfunc (failure) Error() string { return \"\" }\nfunc (failure) Timeout() bool { return true }\n\nfunc Get() error { return failure{} }\n",
        ),
        (
            "cmd/main.go",
            "package main\n\nimport (\n\t\"expvar\"\n\n\t\"github.com/ex/p\"\n\t\"k8s.io/lib\"\n)\n\ntype conn struct{ State string }\n\nvar states = map[string]*conn{}\n\ntype handler struct{}\n\nfunc (h *handler) OnAdd(o any) {}\n\nfunc main() {\n\texpvar.Publish(\"c\", expvar.Func(func() any { return states }))\n\tc := &conn{}\n\tstates[\"a\"] = c\n\tc.State = \"new\"\n\tlib.New().A().B().C().D().Add(&handler{})\n\tprintln(p.Get())\n}\n",
        ),
    ]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    is_open(&callers("base.Start"), "called-from-outside", "hands it out");
    is_open(&callers("p.process"), "called-from-outside", "exported to the linker");
    is_complete(&callers("p.plain"));
    is_open(&callers("failure.Timeout"), "called-from-outside", "`Timeout`");
    is_open(&callers("handler.OnAdd"), "called-from-outside", "`?.Add`");
    assert!(found(&reader, "callers", "p.Get").contains("main"));
    let users = ask_as(&reader, "readers_writers", "conn.State", None);
    is_open(&users, "unknown-library", "`Func`");
}
