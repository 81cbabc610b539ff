//! Who is in an answer, and who is not, on small programs in the manner of real ones.
//!
//! ```python
//! def enabled(): return os.environ.get("FEATURE") == "1"
//! def price(n):
//!     if enabled(): return 2 * n       # `impact key:FEATURE` names `price`: it decides by it
//!     return n
//! ```

use std::fmt::Write as _;

use crate::verdicts::{ask_as, folder, names, set};

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
        set(["main", "Mode", "kind"])
    );
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
