//! What is reached by a way that no line of the program spells out: what runs around tests, values inside of what is handed on, types that nobody
//! knows, names that constants stand for.
//!
//! ```python
//! def setUp(self): self.db = open_db()        # the tests of the class run `open_db`, and none of them says so
//! ```

use ripple_query_api::view::OperationAnswer;

use crate::verdicts::{ask, ask_as, folder, is_complete, is_open, names, set};

#[test]
fn tests_run_what_is_set_up_around_them() {
    let (_folder, reader) = folder([
        (
            "lib.py",
            "def open_db():\n    return 1\n\ndef seed():\n    return 2\n\ndef other():\n    return 3\n",
        ),
        (
            "conftest.py",
            "import pytest\nfrom lib import seed\n\n@pytest.fixture(autouse=True)\ndef seeded():\n    seed()\n",
        ),
        (
            "test_lib.py",
            "import unittest\nfrom lib import open_db\n\nclass TestUnit(unittest.TestCase):\n    def setUp(self):\n        self.db = open_db()\n\n    \
             def test_it(self):\n        pass\n\n    def test_other(self):\n        pass\n\ndef test_free():\n    pass\n",
        ),
    ]);
    let tests = |name: &str| ask_as(&reader, "tests_for", name, None);
    assert_eq!(names(&tests("open_db")), set(["test_it", "test_other"]));
    assert_eq!(names(&tests("seed")), set(["test_free", "test_it", "test_other"]));
    assert!(tests("lib.other").results.is_empty());
}

#[test]
fn tests_of_a_decorated_function_are_its_own() {
    let (_folder, reader) = folder([
        (
            "app.py",
            "import functools\n\ndef logged(fn):\n    @functools.wraps(fn)\n    def wrapper(*args):\n        return fn(*args)\n    return \
             wrapper\n\n@logged\ndef price():\n    return 1\n\n@logged\ndef tax():\n    return 2\n",
        ),
        (
            "test_app.py",
            "from app import price, tax\n\ndef test_price():\n    assert price()\n\ndef test_tax():\n    assert tax()\n",
        ),
    ]);
    let answer = ask(&reader, "impact", "app.tax", false);
    let run: Vec<&str> = answer
        .tests
        .iter()
        .map(|test| answer.nodes[test].name.as_str())
        .collect();
    assert_eq!(run, ["test_tax"]);
}

#[test]
fn a_change_goes_on_in_answers_that_hold_the_value() {
    let (_folder, reader) = folder([(
        "app.py",
        "class Config:\n    def __init__(self, region):\n        self.region = region\n\ndef describe(cfg: Config):\n    return {'region': \
         cfg.region}\n\ndef view(cfg: Config):\n    return describe(cfg)\n\ndef send(cfg: Config):\n    post({'region': cfg.region})\n\ndef \
         post(body):\n    print(body)\n\ndef kind():\n    return {'kind': 1}\n",
    )]);
    let answer = ask(&reader, "impact", "Config.region", false);
    assert_eq!(
        names(&answer),
        set(["[\"region\"]", "__init__", "describe", "post", "print", "send", "view"])
    );
    is_complete(&answer);
}

#[test]
fn a_field_that_no_known_class_has_is_another_classes() {
    let (_folder, reader) = folder([
        (
            "blocks.py",
            "class Text:\n    def __init__(self, text):\n        self.text = text\n\nclass Table:\n    def __init__(self, rows):\n        \
             self.rows = rows\n\nclass Block:\n    def state(self, value):\n        return value.text\n    def default(self):\n        return \
             self.state(Text('c'))\n\nclass TableBlock(Block):\n    def state(self, value):\n        return value.rows\n\ndef show(load):\n    \
             return TableBlock().state(load())\n",
        ),
        (
            "panels.py",
            "class Panel:\n    def __init__(self):\n        self.heading = 1\n\nclass TitlePanel(Panel):\n    def __init__(self, targets):\n        \
             self.targets = targets\n\ndef attrs(panel: Panel):\n    return panel.targets\n\ndef make():\n    return attrs(Panel())\n",
        ),
    ]);
    let users = |name: &str| ask_as(&reader, "readers_writers", name, None);
    is_open(
        &users("Table.rows"),
        "unknown-receivers",
        "`rows` of objects of unknown type",
    );
    is_complete(&users("Text.text"));
    assert_eq!(names(&users("TitlePanel.targets")), set(["__init__", "attrs"]));
}

#[test]
fn a_method_of_something_unknown_is_not_a_containers_alone() {
    let (_folder, reader) = folder([(
        "shop.py",
        "class Store:\n    def __init__(self):\n        self.rows = {}\n    def add(self, mail, phone):\n        self.rows[mail] = phone\n    def \
         _drop(self):\n        pass\n\nclass Orders:\n    def __init__(self, store):\n        self.store = store\n    def post(self, data):\n        \
         self.store.add(data['mail'], data['phone'])\n\nclass Known:\n    def __init__(self):\n        self.seen = set()\n    def note(self, \
         mail):\n        self.seen.discard(mail)\n\nclass Bag:\n    def discard(self, mail):\n        pass\n",
    )]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    is_open(&callers("Store.add"), "unresolved-calls", "something called `add`");
    is_complete(&callers("Bag.discard"));
}

#[test]
fn a_function_far_inside_of_something_unknown_may_be_called() {
    let (_folder, reader) = folder([(
        "config.py",
        "def hook(spawner):\n    print(spawner)\n\nc = get_config()\nc.Spawner.post_stop_hook = hook\n\nclass Service:\n    def attach(self, \
         app):\n        app.state.on_stop = self.stop\n    def stop(self):\n        pass\n    def _idle(self):\n        pass\n",
    )]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    is_open(
        &callers("config.hook"),
        "unknown-receivers",
        "attributes of objects of unknown type",
    );
    is_open(
        &callers("Service.stop"),
        "unknown-receivers",
        "attributes of objects of unknown type",
    );
    is_complete(&callers("Service._idle"));
}

#[test]
fn what_a_function_gives_goes_to_callers_that_nobody_knows() {
    let (_folder, reader) = folder([(
        "more.py",
        "def handed(x):\n    return x + 1\n\ndef setup(app):\n    app.register('x', handed)\n\ndef untyped(worker, price):\n    return \
         worker.summed(price)\n\nclass Other:\n    def summed(self, price):\n        return price\n\ndef plain(x):\n    return x\n\ndef \
         run():\n    print(plain(1))\n\nrun()\n",
    )]);
    let flows = |name: &str| ask(&reader, "flows", name, false);
    is_open(&flows("handed.result"), "unresolved-calls", "register");
    is_open(
        &flows("Other.summed.result"),
        "unresolved-calls",
        "something called `summed`",
    );
    is_complete(&flows("plain.result"));
}

#[test]
fn a_key_is_what_a_constant_says_wherever_that_stands() {
    let (_folder, reader) = folder([
        ("const.py", "FLAG = 'versioned'\n\nclass Keys:\n    MAIL = 'mail'\n"),
        (
            "app.py",
            "import const\nfrom const import FLAG, Keys\n\ndef mark(config):\n    config[FLAG] = True\n\ndef take(config):\n    return \
             config.pop(const.FLAG, None)\n\ndef seen(config):\n    return 'versioned' in config\n\ndef mail(row):\n    return \
             row[Keys.MAIL]\n\ndef other(config, name):\n    return config[name]\n",
        ),
    ]);
    let uses = |name: &str| ask_as(&reader, "uses_of_key", name, None);
    let found = uses("versioned");
    assert!(
        set(["mark", "seen", "take"]).is_subset(&names(&found)),
        "{:?}",
        names(&found)
    );
    assert!(!names(&found).contains("other"));
    assert!(names(&uses("mail")).contains("mail"));
}

#[test]
fn go_has_a_key_by_the_constant_of_another_package_too() {
    let (_folder, reader) = folder([
        ("go.mod", "module ex\n\ngo 1.22\n"),
        ("wire/wire.go", "package wire\n\nconst Mail = \"mail\"\n"),
        (
            "app/app.go",
            "package app\n\nimport \"ex/wire\"\n\nfunc Read(row map[string]string) string { return row[wire.Mail] }\n\nfunc Other(row \
             map[string]string, key string) string { return row[key] }\n",
        ),
    ]);
    let found: OperationAnswer = ask_as(&reader, "uses_of_key", "mail", None);
    assert!(names(&found).contains("Read"));
    assert!(!names(&found).contains("Other"));
}

#[test]
fn who_makes_a_value_in_go_is_told() {
    let (_folder, reader) = folder([
        ("go.mod", "module ex\n\ngo 1.22\n"),
        (
            "main.go",
            "package main\n\ntype Post struct{ Title string }\n\ntype Tags []string\n\nfunc one(s string) Tags { return Tags{s} }\n\nfunc post() \
             *Post { return &Post{Title: \"x\"} }\n\nfunc read(p *Post) string { return p.Title }\n\nfunc main() { println(read(post()), \
             len(one(\"a\"))) }\n",
        ),
    ]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    assert_eq!(names(&callers("ex.Post")), set(["post"]));
    assert_eq!(names(&callers("ex.Tags")), set(["one"]));
}

#[test]
fn methods_of_basic_types_are_called_by_nobody_else() {
    let (_folder, reader) = folder([
        ("go.mod", "module ex\n\ngo 1.22\n"),
        (
            "main.go",
            "package main\n\nimport (\n\t\"fmt\"\n\t\"io\"\n)\n\ntype Kind int\n\nfunc (k Kind) Valid() bool { return k > 0 }\n\nfunc (k Kind) \
             String() string { return fmt.Sprintf(\"Kind(%d)\", k) }\n\ntype Store interface {\n\tio.Closer\n\tSave(k string)\n}\n\ntype disk \
             struct{}\n\nfunc (disk) Close() error { return nil }\nfunc (disk) Save(k string) {}\n\nfunc use(s Store) { s.Save(\"x\") }\n\nfunc \
             main() { use(disk{}); println(Kind(1).Valid()) }\n",
        ),
    ]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    is_complete(&callers("Kind.Valid"));
    is_complete(&callers("Store.Save"));
    // `%d` writes a number, and asks for no text.
    assert!(!names(&callers("Kind.String")).contains("String"));
}

#[test]
fn what_lies_in_what_a_library_has_is_in_its_hands() {
    let lib = "package main\n\nimport \"example.com/lib\"\n\ntype InSlice struct{ Title string }\ntype InMap struct{ Title string }\ntype InStruct struct{ \
               Title string }\ntype Outer struct{ In InStruct }\ntype Loaded struct{ Title string }\ntype Conf struct{ Items []Loaded }\ntype Own struct{ \
               Title string }\n\nfunc main() {\n\tlib.Put([]InSlice{{Title: \"a\"}})\n\tlib.Put(map[string]any{\"x\": InMap{Title: \
               \"b\"}})\n\tlib.Put(Outer{In: InStruct{Title: \"c\"}})\n\tvar c Conf\n\tlib.Load(&c)\n\tprintln(Own{\"x\"}.Title)\n}\n";
    let (_folder, reader) = folder([("go.mod", "module ex\n\ngo 1.22\n"), ("main.go", lib)]);
    let users = |name: &str| ask_as(&reader, "readers_writers", name, None);
    for name in ["InSlice.Title", "InMap.Title", "InStruct.Title", "Loaded.Title"] {
        is_open(&users(name), "unknown-library", "handed to library code");
    }
    is_complete(&users("Own.Title"));
}

#[test]
fn a_key_that_an_unknown_decoder_reads_fills_the_field() {
    let (_folder, reader) = folder([
        ("go.mod", "module ex\n\ngo 1.22\n"),
        (
            "main.go",
            "package main\n\nimport (\n\t\"fmt\"\n\n\t\"github.com/BurntSushi/toml\"\n)\n\ntype Conf struct {\n\tListen string \
             `toml:\"listen\"`\n}\n\nfunc load(s string) (c Conf, err error) {\n\t_, err = toml.Decode(s, &c)\n\treturn c, err\n}\n\nfunc addr(c \
             Conf) string { return c.Listen + \":80\" }\n\nfunc main() {\n\tc, _ := load(\"\")\n\tfmt.Println(addr(c))\n}\n",
        ),
    ]);
    let answer = ask(&reader, "impact", "key:listen", false);
    assert!(names(&answer).contains("addr"), "{:?}", names(&answer));
    is_open(&answer, "unknown-library", "handed to library code");
}

#[test]
fn a_key_that_goes_through_a_helper_is_named_where_it_stands() {
    let (_folder, reader) = folder([
        ("go.mod", "module ex\n\ngo 1.22\n"),
        (
            "main.go",
            "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc getenv(name, def string) string {\n\tif v, ok := os.LookupEnv(name); ok \
             {\n\t\treturn v\n\t}\n\treturn def\n}\n\nfunc must(name string) string { return getenv(name, \"\") }\n\nfunc dsn() string { return \
             getenv(\"APP_DSN\", \"local\") }\n\nfunc region() string { return must(\"APP_REGION\") }\n\nfunc main() { fmt.Println(dsn(), region()) \
             }\n",
        ),
        (
            "conf.py",
            "import os\n\ndef env(name, default=None):\n    return os.environ.get(name, default)\n\ndef bucket():\n    return env('SHOP_BUCKET')\n",
        ),
    ]);
    let impact = |name: &str| ask(&reader, "impact", name, false);
    for (key, function, other) in [
        ("key:APP_DSN", "dsn", "region"),
        ("key:APP_REGION", "region", "dsn"),
        ("key:SHOP_BUCKET", "bucket", "dsn"),
    ] {
        let answer = impact(key);
        assert!(names(&answer).contains(function), "{key}: {:?}", names(&answer));
        assert!(!names(&answer).contains(other), "{key}: {:?}", names(&answer));
    }
}

#[test]
fn what_tests_alone_call_is_there_for_others() {
    let (_folder, reader) = folder([
        (
            "a.go",
            "package ex\n\ntype Options struct{ Name string }\n\ntype Client struct{ name string }\n\nfunc New(o *Options) *Client {\n\tc := \
             &Client{}\n\tc.name = o.Name\n\treturn c\n}\n\nfunc (c *Client) Title() string { return c.name }\n",
        ),
        (
            "a_test.go",
            "package ex\n\nimport \"testing\"\n\nfunc TestNew(t *testing.T) {\n\to := Options{Name: \"x\"}\n\tNew(&o).Title()\n}\n",
        ),
    ]);
    let answer = ask(&reader, "flows", "Options.Name", false);
    assert_eq!(names(&answer), set(["name", "result"]));
    let answer = ask(&reader, "flows", "Client.name", false);
    assert_eq!(names(&answer), set(["result"]));
}

#[test]
fn who_tests_for_an_error_writes_none_of_its_fields() {
    let (_folder, reader) = folder([
        ("go.mod", "module shop\n\ngo 1.22\n"),
        (
            "main.go",
            "package main\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n)\n\ntype Missing struct{ Key string }\n\nfunc (e *Missing) Error() string { return e.Key \
             }\n\nfunc find(k string) error { return fmt.Errorf(\"x: %w\", &Missing{Key: k}) }\n\nfunc isMissing(err error) bool {\n\tvar missing \
             *Missing\n\treturn errors.As(err, &missing)\n}\n\nfunc main() { println(isMissing(find(\"a\"))) }\n",
        ),
    ]);
    let answer = ask_as(&reader, "readers_writers", "Missing.Key", None);
    assert_eq!(names(&answer), set(["Error", "find"]));
}
