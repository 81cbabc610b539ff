//! What no call and no access in the index says, and what the verdict says of it: public functions, members under names that are put together
//! while the program runs, addresses that are handed on.
//!
//! ```python
//! def find(addon, name): return getattr(addon, name)     # `callers Addon.request` finds nobody, and says why that proves nothing
//! ```

use ripple_query_api::view::OperationAnswer;

use crate::verdicts::{ask, ask_as, folder, is_complete, is_open, names, set};

#[test]
fn what_a_package_hands_out_may_be_called_elsewhere() {
    let (_folder, reader) = folder([
        (
            "shop/__init__.py",
            "from .core import fetch\nfrom .core import (\n    Client,\n)\n",
        ),
        (
            "shop/core.py",
            "def fetch():\n    return 1\n\ndef helper():\n    return 2\n\ndef _own():\n    return 2\n\ndef used():\n    return 3\n\nused()\n\nclass Client:\n    def \
             open(self):\n        return 4\n    def _close(self):\n        return 5\n",
        ),
        (
            "tests/test_core.py",
            "from shop import fetch\n\ndef test_fetch():\n    fetch()\n",
        ),
    ]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    is_open(
        &callers("shop.core.fetch"),
        "called-from-outside",
        "`shop/__init__.py` hands it out",
    );
    is_open(
        &callers("Client.open"),
        "called-from-outside",
        "`shop/__init__.py` hands it out",
    );
    is_open(
        &callers("shop.core.helper"),
        "called-from-outside",
        "module `shop/core.py` hands it out",
    );
    is_complete(&callers("shop.core._own"));
    is_complete(&callers("shop.core.used"));
    is_complete(&callers("Client._close"));
}

#[test]
fn what_getattr_finds_is_followed_to_where_it_is_called() {
    let addon = "class Addon:\n    def request(self, flow):\n        return flow\n\nclass Other:\n    def request(self, flow):\n        return flow\n\n";
    let found = [
        "def find(addon, name):\n    return getattr(addon, name, None)\n\ndef go(name, flow):\n    func = find(Addon(), name)\n    if func:\n        \
         func(flow)\n",
        "class Keeper:\n    def __init__(self, addon, name):\n        self.hooks = [getattr(addon, name)]\n    def go(self, flow):\n        \
         self.hooks[0](flow)\n\nKeeper(Addon(), input()).go(1)\n",
        "def run(hook, flow):\n    hook(flow)\n\ndef go(name, flow):\n    run(getattr(Addon(), name), flow)\n",
        "def hooks(name):\n    for addon in [Addon()]:\n        func = getattr(addon, name, None)\n        if callable(func):\n            yield \
         addon, func\n\ndef go(name, flow):\n    for addon, func in hooks(name):\n        func(flow)\n",
    ];
    for text in found {
        let source = format!("{addon}{text}");
        let (_folder, reader) = folder([("app.py", source.as_str())]);
        let callers = |name: &str| ask_as(&reader, "callers", name, None);
        is_open(
            &callers("Addon.request"),
            "unresolved-calls",
            "what is found in `app.Addon`",
        );
        is_complete(&callers("Other.request"));
    }
}

#[test]
fn members_under_computed_names_may_be_any_field() {
    let source = |body: &str| {
        format!(
            "from dataclasses import dataclass, fields\n\n@dataclass\nclass Point:\n    x: int = 0\n\n@dataclass\nclass Other:\n    x: int = \
             0\n\ndef plain(p: Point):\n    return p.x\n\n{body}"
        )
    };
    let ways = [
        (
            "def dump(p: Point):\n    return {f.name: getattr(p, f.name) for f in fields(p)}\n",
            true,
        ),
        (
            "def update(p: Point, changes):\n    for k, v in changes.items():\n        setattr(p, k, v)\n",
            true,
        ),
        ("def state(p: Point):\n    return p.__dict__.copy()\n", true),
        ("def restore(p: Point, state):\n    p.__dict__.update(state)\n", true),
        ("def one(p: Point):\n    return getattr(p, 'x')\n", false),
    ];
    for (body, is_unknown) in ways {
        let source = source(body);
        let (_folder, reader) = folder([("app.py", source.as_str())]);
        let field = |name: &str| -> OperationAnswer { ask(&reader, "readers_writers", name, false) };
        match is_unknown {
            true => is_open(&field("Point.x"), "unknown-receivers", "members of `app.Point`"),
            false => is_complete(&field("Point.x")),
        }
        is_complete(&field("Other.x"));
    }
}

#[test]
fn whoever_has_an_address_may_write() {
    let (_folder, reader) = folder([
        ("go.mod", "module shop\n\ngo 1.22\n"),
        (
            "main.go",
            "package main\n\nimport (\n\t\"flag\"\n\t\"time\"\n)\n\ntype options struct {\n\twait time.Duration\n\tname string\n\tread \
             int\n}\n\nvar level int\n\nfunc set(name *string) { *name = \"n\" }\n\nfunc get(number *int) int { return *number }\n\nfunc \
             bind(flags *flag.FlagSet, o *options) {\n\tflags.DurationVar(&o.wait, \"wait\", 1, \"\")\n\tflags.IntVar(&level, \"level\", 1, \
             \"\")\n\tset(&o.name)\n\tprintln(get(&o.read))\n}\n\nfunc main() { bind(flag.CommandLine, &options{}) }\n",
        ),
    ]);
    let writers = |name: &str| {
        let answer = ask(&reader, "readers_writers", name, false);
        let told = answer.results.iter().map(|found| found.relation.clone());
        told.filter(|told| told.contains("address")).collect::<Vec<_>>()
    };
    assert_eq!(
        writers("options.wait"),
        ["takes its address, and may write it through that"]
    );
    assert_eq!(
        writers("shop.level"),
        ["takes its address, and may write it through that"]
    );
    assert_eq!(writers("options.name"), ["writes it through its address"]);
    assert_eq!(writers("options.read"), [""; 0]);
}

#[test]
fn what_the_wire_brings_by_unpacking_is_found_from_its_key() {
    let (_folder, reader) = folder([(
        "app.py",
        "import json\n\nclass Account:\n    def __init__(self, email):\n        self.email = email\n\ndef load(raw):\n    return \
         Account(**json.loads(raw))\n\ndef remind(account: Account):\n    return account.email\n\ndef other():\n    return 1\n",
    )]);
    let impact = ask(&reader, "impact", "key:email", false);
    assert_eq!(names(&impact), set(["__init__", "email", "load", "remind"]));
    is_complete(&impact);
}

#[test]
fn what_lies_in_a_container_is_handed_on_with_it() {
    let source = "import ext\n\ndef listed(x):\n    return x\n\ndef keyed(x):\n    return x\n\nclass Plugin:\n    def start(self):\n        \
                  return 1\n\ndef sorted_by(x):\n    return x\n\next.run([listed])\next.run(on={'start': [keyed]})\next.load([Plugin])\nsorted([1], \
                  key=sorted_by)\n";
    let (_folder, reader) = folder([("app.py", source)]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    let says = "into library code that is not known";
    is_open(&callers("listed"), "unknown-library", says);
    is_open(&callers("keyed"), "unknown-library", says);
    is_open(&callers("Plugin.start"), "unknown-library", says);
    is_complete(&callers("sorted_by"));
}

#[test]
fn a_value_that_nobody_is_seen_to_call_may_be_called() {
    let source = "def kept():\n    return 1\n\ndef called():\n    return 2\n\ndef plain():\n    return 3\n\nTABLE = {'a': kept}\nOTHER = \
                  {'a': called}\n\ndef run():\n    return OTHER['a']() + plain()\n";
    let (_folder, reader) = folder([("app.py", source)]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    is_open(&callers("kept"), "called-from-outside", "`kept` is taken as a value");
    is_complete(&callers("called"));
    is_complete(&callers("plain"));
}

#[test]
fn who_makes_an_object_of_a_class_calls_it_whoever_wrote_the_constructor() {
    let source = "class Task:\n    def __init__(self, n):\n        self.n = n\n\nclass Retry(Task):\n    def run(self):\n        return \
                  self.n\n\nclass Other(Task):\n    pass\n\ndef start():\n    return Retry(1).run()\n\ndef many(xs):\n    return [Retry(x) for \
                  x in xs]\n";
    let (_folder, reader) = folder([("app.py", source)]);
    let answer = ask_as(&reader, "callers", "Retry", None);
    assert_eq!(names(&answer), set(["start", "many"]), "{answer:#?}");
    assert!(answer.results.iter().all(|finding| finding.relation == "makes one"));
    is_complete(&answer);
    assert!(names(&ask_as(&reader, "callers", "Other", None)).is_empty());
}

#[test]
fn tests_may_ask_for_names_too() {
    let (_folder, reader) = folder([
        ("app.py", "def one():\n    return 1\n"),
        (
            "test_app.py",
            "import pytest\nimport app\n\n@pytest.mark.parametrize('name', ['one'])\ndef test_each(name):\n    assert getattr(app, name)() == 1\n",
        ),
    ]);
    let tests = ask_as(&reader, "tests_for", "app.one", None);
    is_open(&tests, "unresolved-calls", "what is found in `app`");
}

#[test]
fn a_key_goes_to_the_route_that_a_request_fills() {
    let (_folder, reader) = folder([(
        "api.py",
        "from fastapi import Body, Depends, FastAPI\nfrom pydantic import BaseModel\nfrom rest_framework import serializers\n\napp = \
         FastAPI()\n\nclass User(BaseModel):\n    email: str\n\nclass Receipt(BaseModel):\n    number: int\n\ndef session():\n    return \
         1\n\n@app.post('/users')\ndef register(user: User, token: str = Body(...), db=Depends(session)) -> Receipt:\n    return \
         store(user.email, token)\n\ndef store(mail, token):\n    return Receipt(number=mail + token)\n\nclass \
         Signup(serializers.Serializer):\n    code = serializers.CharField()\n    def validate_code(self, value):\n        return value\n",
    )]);
    let impact = |key: &str| ask_as(&reader, "impact", key, None);
    let of_mail = impact("key:email");
    let reached = names(&of_mail);
    for name in ["email", "register", "store"] {
        assert!(reached.contains(name), "{name}: {reached:?}");
    }
    assert!(names(&impact("key:token")).contains("store"));
    assert!(names(&impact("key:code")).contains("validate_code"));
    let written = ask_as(&reader, "readers_writers", "Receipt.number", None);
    assert_eq!(names(&written), set(["register", "store"]), "{written:#?}");
}

#[test]
fn library_code_that_has_an_object_may_read_and_write_its_fields() {
    let (_folder, reader) = folder([
        ("go.mod", "module ex\n\ngo 1.22\n"),
        (
            "main.go",
            "package main\n\nimport (\n\t\"encoding/json\"\n\t\"os\"\n\t\"text/template\"\n\n\t\"github.com/BurntSushi/toml\"\n)\n\ntype Page struct{ \
             Title string }\n\ntype Conf struct{ Listen string }\n\ntype Known struct{ Name string }\n\ntype Plain struct{ Size int }\n\nfunc show(t \
             *template.Template, p Page) { t.Execute(os.Stdout, p) }\n\nfunc load() (c Conf) { toml.DecodeFile(\"c.toml\", &c); return }\n\nfunc \
             read(data []byte) (k Known) { json.Unmarshal(data, &k); return }\n\nfunc grow(p *Plain) { p.Size++ }\n\nfunc main() {}\n",
        ),
    ]);
    let users = |name: &str| ask_as(&reader, "readers_writers", name, None);
    is_open(&users("Page.Title"), "unknown-library", "`Execute`");
    is_open(&users("Conf.Listen"), "unknown-library", "`DecodeFile`");
    is_complete(&users("Known.Name"));
    is_complete(&users("Plain.Size"));
}

#[test]
fn a_name_that_is_an_edit_away_is_named() {
    let (_folder, reader) = folder([(
        "app.py",
        "def get_total():\n    return 1\n\ndef other():\n    return 2\n",
    )]);
    let parameters = ripple_query_api::view::Parameters {
        target: Some("get_totl".into()),
        ..Default::default()
    };
    let answer = ripple_query_api::operation::run(&reader, "callers", &parameters);
    let told = answer.map(|_| ()).unwrap_err().to_string();
    assert!(
        told.contains("near are `app.get_total`") && !told.contains("other"),
        "{told}"
    );
}

#[test]
fn a_method_that_is_taken_off_something_unknown_may_be_called_there() {
    let limits = "class Consumer:\n    def limit(self, request):\n        return request\n    def close(self):\n        return 1\n\n";
    for text in [
        "def strategy(consumer):\n    limit = consumer.limit\n    def handler(message):\n        return limit(message)\n    return handler\n",
        "def strategy(consumer, hooks):\n    hooks[\"limit\"] = consumer.limit\n",
        "import functools\n\ndef strategy(consumer):\n    return functools.partial(consumer.limit, 1)\n",
        "import threading\n\ndef strategy(consumer):\n    threading.Thread(target=consumer.limit).start()\n",
        "def strategy(consumer):\n    return getattr(consumer, \"limit\")(1)\n",
    ] {
        let source = format!("{limits}{text}");
        let (_folder, reader) = folder([("app.py", source.as_str())]);
        let callers = |name: &str| ask_as(&reader, "callers", name, None);
        is_open(
            &callers("Consumer.limit"),
            "unknown-receivers",
            "`limit` of objects of unknown type is taken as a value",
        );
        is_complete(&callers("Consumer.close"));
    }
}

#[test]
fn what_getattr_finds_in_something_unknown_may_be_a_method_that_nobody_calls() {
    let source = "class Scheduler:\n    def ping(self, worker):\n        return worker\n    def called(self):\n        return 1\n    def \
                  run(self):\n        return self.called()\n\ndef helper():\n    return 2\n\ndef dispatch(target, method):\n    return \
                  getattr(target, method)(worker=1)\n";
    let (_folder, reader) = folder([("app.py", source)]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    is_open(
        &callers("Scheduler.ping"),
        "unresolved-calls",
        "what `getattr` finds in objects of unknown type",
    );
    is_complete(&callers("Scheduler.called"));
    is_complete(&callers("helper"));
}

#[test]
fn a_field_that_keeps_a_function_may_be_called_off_something_unknown() {
    let source = "class Backend:\n    def __init__(self, quick):\n        self.apply = self._quick\n        self.size = 1\n    def _quick(self, \
                  n):\n        return n\n\ndef run(app):\n    return app.backend.apply(1)\n";
    let (_folder, reader) = folder([("app.py", source)]);
    is_open(
        &ask(&reader, "readers_writers", "Backend.apply", false),
        "unknown-receivers",
        "`apply` of objects of unknown type is read",
    );
    is_complete(&ask(&reader, "readers_writers", "Backend.size", false));
}

#[test]
fn a_way_that_is_not_found_is_no_more_complete_than_the_flow() {
    let source = "class Options:\n    def __init__(self, value):\n        self.fmt = value\n\ndef run(value, box):\n    options = \
                  Options(value)\n    box.kept = options.fmt\n\ndef other(box):\n    return sink(box.kept)\n\ndef sink(x):\n    return x\n";
    let (_folder, reader) = folder([("app.py", source)]);
    let parameters = ripple_query_api::view::Parameters {
        from: Some("Options.fmt".into()),
        to: Some("sink".into()),
        ..Default::default()
    };
    let answer = ripple_query_api::operation::run(&reader, "path", &parameters).expect("an answer");
    is_open(&answer, "unknown-receivers", "attributes of objects of unknown type");
}

#[test]
fn functions_for_other_systems_are_called_as_the_one_that_is_indexed() {
    let (_folder, reader) = folder([
        ("go.mod", "module m\n\ngo 1.24\n"),
        ("main.go", "package main\n\nfunc main() { flock(1) }\n"),
        (
            "flock_windows.go",
            "package main\n\nfunc flock(fd int) { println(\"windows\", fd) }\n\nfunc alone() {}\n",
        ),
        (
            "flock_unix.go",
            "//go:build !windows\n\npackage main\n\nfunc flock(fd int) { println(\"unix\", fd) }\n",
        ),
    ]);
    let answer = ask_as(&reader, "callers", "flock_windows.go:3", None);
    is_open(
        &answer,
        "called-from-outside",
        "is written for other systems as well, in `flock_unix.go`",
    );
    assert!(names(&answer).contains("main"), "{:?}", names(&answer));
    is_complete(&ask_as(&reader, "callers", "flock_windows.go:5", None));
}

#[test]
fn pytest_finds_hooks_and_fixtures_outside_of_tests_too() {
    let source = "import pytest\n\ndef pytest_configure(config):\n    return config\n\n@pytest.fixture(scope=\"session\")\ndef \
                  worker(request):\n    return 1\n\ndef helper():\n    return 2\n";
    let (_folder, reader) = folder([("shop/contrib/plugin.py", source)]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    is_open(&callers("pytest_configure"), "called-from-outside", "pytest finds");
    is_open(&callers("worker"), "called-from-outside", "pytest finds");
    is_complete(&callers("helper"));
}

#[test]
fn what_a_module_has_may_be_found_in_its_table() {
    let text = "def one():\n    return 1\n\ndef two():\n    return 2\n\ndef use(name):\n    two()\n    return ";
    for found in [
        "globals()[name]()",
        "vars(sys.modules[__name__])[name]()",
        "[f() for f in list(globals().values())]",
        "eval(name)",
    ] {
        let source = format!("import sys\n\n{text}{found}\n");
        let (_folder, reader) = folder([("app.py", source.as_str())]);
        for name in ["one", "two"] {
            let callers = ask_as(&reader, "callers", name, None);
            is_open(&callers, "unresolved-calls", "what is found in `app`");
        }
    }
    for other in ["eval(name, {})", "'one' in globals()"] {
        let source = format!("{text}{other}\n");
        let (_folder, reader) = folder([("app.py", source.as_str())]);
        is_complete(&ask_as(&reader, "callers", "two", None));
    }
}

#[test]
fn a_module_of_any_name_may_be_the_one() {
    let load = "import importlib\n\ndef load(path, name):\n    return getattr(importlib.import_module(path), name)\n\ndef run(path):\n    \
                return load(path, 'x' + path)()\n";
    let own = "def one():\n    return 1\n\ndef two():\n    return 2\n\ndef use():\n    return two()\n";
    let (_folder, reader) = folder([("app.py", load), ("plug.py", own)]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    is_open(
        &callers("one"),
        "unresolved-calls",
        "what is found in modules that are named while",
    );
    is_complete(&callers("two"));
}

#[test]
fn a_function_that_is_put_on_another_is_found_there() {
    let mark = "def view():\n    return 1\n\ndef check():\n    return 2\n\nclass Root:\n    pass\n\ndef fill():\n    ";
    for put in ["view.check = check", "root = Root()\n    root.__check__ = check"] {
        let source = format!("{mark}{put}\n");
        let (_folder, reader) = folder([("app.py", source.as_str())]);
        is_open(
            &ask_as(&reader, "callers", "check", None),
            "called-from-outside",
            "it is put into `",
        );
    }
    // What says where a function comes from calls nothing.
    let source = format!("{mark}view.__wrapped__ = check\n    check()\n");
    let (_folder, reader) = folder([("app.py", source.as_str())]);
    is_complete(&ask_as(&reader, "callers", "check", None));
}

#[test]
fn what_stands_in_for_a_method_of_a_library_is_called_by_it() {
    let source = "from argparse import ArgumentParser\n\ndef fail(message):\n    raise ValueError(message)\n\nclass Parser(ArgumentParser):\n    \
                  pass\n\nclass Plain:\n    pass\n\ndef one():\n    parser = Parser()\n    parser.error = fail\n    parser.error('x')\n\ndef \
                  stop(message):\n    pass\n\ndef two():\n    plain = Plain()\n    plain.error = stop\n    plain.error('x')\n";
    let (_folder, reader) = folder([("app.py", source)]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    is_open(
        &callers("fail"),
        "called-from-outside",
        "it is kept as `error`, where `argparse.ArgumentParser`",
    );
    is_complete(&callers("stop"));
}

#[test]
fn classes_that_nobody_is_seen_to_make() {
    let class = "class Made:\n    def __init__(self):\n        self.n = 1\n";
    let ways = [
        (
            "def main():\n    from web import Request\n    request = Request()\n    request.kinds = [Made]\n    return use(request)\n\ndef use(request):\n    \
             return request.kinds[0](1)\n",
            "called-from-outside",
            "`Made` is taken as a value",
        ),
        (
            "from web import view\n\nclass Other(Made):\n    @view('/')\n    def one(self):\n        return 1\n\ndef make(base):\n    class \
             Extended(base):\n        pass\n    return Extended()\n\ndef use():\n    return make(Made)\n",
            "unknown-bases",
            "1 class derives from what is handed in",
        ),
        (
            "def all_of(kind):\n    for base in kind:\n        base.__init__(1)\n",
            "unresolved-calls",
            "1 call of something called `__init__`",
        ),
    ];
    for (text, code, told) in ways {
        let source = format!("{class}\n{text}");
        let (_folder, reader) = folder([("app.py", source.as_str())]);
        is_open(&ask_as(&reader, "callers", "Made.__init__", None), code, told);
    }
    let views = "from web import view\n\nclass Views:\n    def __init__(self, request):\n        self.request = request\n\n    @view('/')\n    def \
                 one(self):\n        return 1\n";
    let (_folder, reader) = folder([("app.py", views)]);
    is_open(
        &ask_as(&reader, "callers", "Views.__init__", None),
        "called-from-outside",
        "`one` of its class is handed to",
    );
    let known = format!("{class}\ndef use(kind):\n    kind.__init__(1)\n    return Made()\n");
    let (_folder, reader) = folder([("app.py", known.as_str())]);
    is_complete(&ask_as(&reader, "callers", "Made.__init__", None));
}

#[test]
fn a_property_is_read_by_what_has_its_object() {
    let source = "from lib import render\n\nclass Page:\n    @property\n    def title(self):\n        return 't'\n\nclass Other:\n    @property\n    \
                  def title(self):\n        return 'o'\n\ndef show():\n    page = Page()\n    render(page)\n    return page.title\n\ndef \
                  other():\n    return Other().title\n";
    let (_folder, reader) = folder([("app.py", source)]);
    let users = |name: &str| ask_as(&reader, "readers_writers", name, None);
    is_open(
        &users("Page.title"),
        "called-from-outside",
        "objects of its class are handed to",
    );
    is_complete(&users("Other.title"));
}

#[test]
fn a_module_that_nothing_begins_with_is_loaded_by_others() {
    let (_folder, reader) = folder([
        ("shop/__init__.py", ""),
        ("shop/orders.py", "def total():\n    return 1\n"),
        (
            "versions/one.py",
            "REVISION = 'one'\n\ndef upgrade():\n    return 1\n\ndef _own():\n    return 1\n",
        ),
        ("helper.py", "def used():\n    return 1\n\ndef alone():\n    return 1\n"),
        (
            "tool.py",
            "import helper\n\ndef main():\n    return helper.used()\n\ndef other():\n    return 1\n\nmain()\n",
        ),
    ]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    is_open(
        &callers("upgrade"),
        "called-from-outside",
        "module `versions/one.py` hands it out",
    );
    let users = ask_as(&reader, "readers_writers", "REVISION", None);
    is_open(&users, "read-from-outside", "module `versions/one.py` hands it out");
    for name in ["_own", "alone", "other"] {
        is_complete(&callers(name));
    }
}
