//! Names that stand in files which are no source, in texts, and in what goes through names: who is called by them has no call in the index.
//!
//! ```text
//! Makefile:2    python3 -c "import db; db.seed()"     # `callers db.seed`: nothing found, and why that proves nothing
//! ```

use crate::verdicts::{ask, ask_as, folder, is_complete, is_open, names, set};

#[test]
fn a_name_in_a_file_that_is_no_source_leaves_an_answer_open() {
    let (_folder, reader) = folder([
        (
            "db.py",
            "def seed():\n    return 1\n\ndef plant():\n    return 2\n\ndef load_rows():\n    return 3\n\ndef grow():\n    return 4\n\ndef \
             area(r):\n    return r\n\ndef tune():\n    return 5\n\nclass Filter:\n    def keep(self, row):\n        return row\n",
        ),
        ("Makefile", "plant: all\n\tpython3 -c 'import db; db.seed()'\n"),
        ("deploy/app.yaml", "handler: db.load_rows\nnote: keep the plant\n"),
        (".github/workflows/night.yml", "run: python -c 'import db; db.grow()'\n"),
        ("README.md", "The plant has an area.\n\n>>> area(2)\n2\n"),
        (".gitignore", "local.py\n"),
        ("local.py", "import db\n\ndb.tune()\n"),
        ("log.json", "{\"filters\": {\"()\": \"db.Filter\"}}\n"),
    ]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    for (name, file) in [
        ("db.seed", "`Makefile:2`"),
        ("db.load_rows", "`deploy/app.yaml:1`"),
        ("db.grow", "`.github/workflows/night.yml:1`"),
        ("db.area", "`README.md:3`"),
        ("db.tune", "`local.py:3`"),
        ("db.Filter.keep", "`log.json:1`"),
    ] {
        is_open(&callers(name), "called-from-outside", file);
    }
    is_complete(&callers("db.plant"));
}

#[test]
fn a_text_in_the_source_leaves_an_answer_open() {
    let (_folder, reader) = folder([
        ("shop/__init__.py", ""),
        (
            "shop/_jobs.py",
            "def nightly():\n    return 1\n\ndef on_boot():\n    return 2\n\ndef start():\n    return 3\n\ndef half(x):\n    \"\"\"\n    >>> half(4)\n    2\n    \
             \"\"\"\n    return x\n\ndef called_on():\n    return 4\n\ncalled_on()\n",
        ),
        (
            "shop/_run.py",
            "import runner\nfrom shop import _jobs\n\nrunner.run('shop._jobs:nightly()')\nrunner.boot('on_boot')\nrunner.say('start')\nrunner.say('see \
             called_on')\n",
        ),
    ]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    is_open(&callers("nightly"), "called-from-outside", "`shop/_run.py:4`");
    is_open(&callers("on_boot"), "called-from-outside", "`shop/_run.py:5`");
    is_open(&callers("half"), "called-from-outside", "`shop/_jobs.py:12`");
    is_complete(&callers("start"));
    is_complete(&callers("called_on"));
}

#[test]
fn what_goes_through_names_may_call_what_nobody_names() {
    let (_folder, reader) = folder([
        (
            "flow.py",
            "class Meta(type):\n    def __init__(cls, name, bases, ns):\n        super().__init__(name, bases, ns)\n        cls.steps = [v for k, v in \
             ns.items() if k.startswith('step')]\n\nclass Flow(metaclass=Meta):\n    def step_one(self):\n        return 1\n    def \
             run(self):\n        return [s(self) for s in self.steps]\n\nFlow().run()\n",
        ),
        (
            "plain.py",
            "class Plain:\n    def step_one(self):\n        return 1\n    def run(self, steps):\n        return [s(self) for s in \
             steps]\n\nPlain().run(input())\n",
        ),
    ]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    is_open(&callers("Flow.step_one"), "unresolved-calls", "that may be `step_one`");
    is_complete(&callers("Plain.step_one"));
}

#[test]
fn library_code_has_what_is_raised_yielded_and_kept_below_it() {
    let (_folder, reader) = folder([(
        "app.py",
        "import lib\n\nclass Failed(Exception):\n    def payload(self):\n        return 1\n    def _own(self):\n        return 2\n\nclass Item:\n    \
         def cost(self):\n        return 3\n\nclass Helper:\n    def check(self):\n        return 4\n\nclass Apart:\n    def check_it(self):\n        return \
         5\n\n@lib.route\ndef gen():\n    yield Item()\n\nclass View(lib.View):\n    def __init__(self):\n        self.helper = Helper()\n\ndef \
         view():\n    raise Failed()\n\ndef alone():\n    return Apart()\n\nlib.run(view)\nalone()\nView()\n",
    )]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    is_open(
        &callers("Failed.payload"),
        "called-from-outside",
        "objects of its class are raised",
    );
    is_complete(&callers("Failed._own"));
    is_open(&callers("Item.cost"), "called-from-outside", "may call `cost`");
    is_open(&callers("Helper.check"), "called-from-outside", "are kept as `helper`");
    is_complete(&callers("Apart.check_it"));
}

#[test]
fn what_a_test_hands_in_tells_nothing_of_what_else_comes() {
    let source = "def f(c):\n    return c.mw.RETRIES, c.mw.handle()\n";
    let test = "from unittest.mock import Mock\n\nfrom use import f\n\ndef test_f():\n    f(Mock())\n";
    let own = "class Mw:\n    RETRIES = (1, 2)\n    other = 1\n\n    def handle(self):\n        return 1\n";
    let (_folder, reader) = folder([("use.py", source), ("prod.py", own), ("test_use.py", test)]);
    is_open(
        &ask_as(&reader, "callers", "Mw.handle", None),
        "unresolved-calls",
        "something called `handle`",
    );
    is_open(
        &ask(&reader, "readers_writers", "Mw.RETRIES", false),
        "unknown-receivers",
        "`RETRIES`",
    );
    is_complete(&ask(&reader, "readers_writers", "Mw.other", false));
    // What stands for a module has its functions.
    let source = "def g(c, rows):\n    c.controller.state.merge(rows)\n";
    let test = "from unittest.mock import Mock\n\nfrom use import g\n\ndef test_g():\n    g(Mock(), [])\n";
    let own = "def merge(rows):\n    return rows\n\ndef other(rows):\n    return rows\n\ndef both(rows):\n    merge(rows)\n    other(rows)\n";
    let (_folder, reader) = folder([("use.py", source), ("state.py", own), ("test_use.py", test)]);
    let merge = ask_as(&reader, "callers", "state.merge", None);
    is_open(&merge, "unresolved-calls", "something called `merge`");
    is_complete(&ask_as(&reader, "callers", "state.other", None));
}

#[test]
fn who_hands_a_method_to_what_starts_it_beside_calls_it() {
    let (_folder, reader) = folder([
        ("go.mod", "module example.com/raft\n\ngo 1.23\n"),
        (
            "raft.go",
            "package raft\n\nimport \"sync\"\n\ntype state struct{ group sync.WaitGroup }\n\nfunc (s *state) spawn(step func()) \
             {\n\ts.group.Add(1)\n\tgo func() {\n\t\tdefer s.group.Done()\n\t\tstep()\n\t}()\n}\n\ntype Raft struct{ state }\n\nfunc (r *Raft) \
             run() {}\nfunc (r *Raft) apply() {}\n\nfunc New() *Raft {\n\tr := &Raft{}\n\tr.spawn(r.run)\n\treturn r\n}\n\nfunc Other(r *Raft) { \
             r.spawn(r.apply) }\n",
        ),
    ]);
    let callers = |name: &str| {
        names(&ask_as(&reader, "callers", name, None))
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert!(callers("Raft.run").contains(&"New".to_owned()) && !callers("Raft.run").contains(&"Other".to_owned()));
    assert!(callers("Raft.apply").contains(&"Other".to_owned()) && !callers("Raft.apply").contains(&"New".to_owned()));
}

#[test]
fn a_package_that_is_not_there_is_said() {
    let (_folder, reader) = folder([("app.py", "def f():\n    return 1\n\ndef g():\n    return f()\n\ng()\n")]);
    let within = |package: &str| {
        let parameters = ripple_query_api::view::Parameters {
            target: Some("f".into()),
            package: Some(package.into()),
            ..Default::default()
        };
        ripple_query_api::operation::run(&reader, "callers", &parameters).expect("an answer")
    };
    assert_eq!(names(&within("app")), set(["g"]));
    is_open(&within("nope"), "not-in-index", "`nope`");
}
