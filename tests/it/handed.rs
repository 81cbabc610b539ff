//! Who calls what through functions that are handed others: decorators, middleware, callbacks. Each caller is told with what it hands over,
//! and not with what others do.
//!
//! ```python
//! @retry
//! def fetch(url): ...
//! def refresh(url): fetch(url)       # calls the wrapper, and through it `fetch`: not what else is decorated
//! ```

use crate::verdicts::{ask_as, folder, names, set};

#[test]
fn who_calls_what_is_decorated_is_told_apart() {
    let (_folder, reader) = folder([
        (
            "app.py",
            "import functools\n\ndef retry(times):\n    def decorate(step):\n        @functools.wraps(step)\n        def again(*given):\n            \
             return step(*given)\n        return again\n    return decorate\n\ndef logged(step):\n    def inner(*given):\n        print(given)\n        \
             return step(*given)\n    return inner\n\nclass kept:\n    def __init__(self, step):\n        self.step = step\n    def __call__(self, \
             *given):\n        return self.step(*given)\n\n@retry(3)\ndef fetch(url):\n    return url\n\n@retry(2)\ndef store(row):\n    return \
             row\n\n@logged\n@retry(1)\ndef both(row):\n    return row\n\n@kept\ndef one(row):\n    return row\n\n@kept\ndef two(row):\n    return \
             row\n\nclass Client:\n    @logged\n    def get(self, url):\n        return url\n    @logged\n    def put(self, url):\n        return \
             url\n\ndef refresh(url):\n    return fetch(url)\n\ndef save(row):\n    return store(row)\n\ndef merge(row):\n    return \
             both(row)\n\ndef first(row):\n    return one(row)\n\ndef second(row):\n    return two(row)\n\ndef load(url):\n    return \
             Client().get(url)\n",
        ),
        (
            "test_app.py",
            "from app import fetch, store\n\ndef test_fetch():\n    assert fetch(1) == 1\n\ndef test_store():\n    assert store(1) == 1\n",
        ),
    ]);
    let callers = |target: &str| ask_as(&reader, "callers", target, Some(4));
    assert_eq!(names(&callers("app.fetch")), set(["again", "refresh"]));
    assert_eq!(names(&callers("app.store")), set(["again", "save"]));
    assert_eq!(names(&callers("app.both")), set(["again", "inner", "merge"]));
    assert_eq!(names(&callers("app.one")), set(["__call__", "first"]));
    assert_eq!(names(&callers("app.two")), set(["__call__", "second"]));
    assert_eq!(names(&callers("app.Client.get")), set(["inner", "load"]));
    // Who asks for those of the wrapper means all of them.
    assert_eq!(
        names(&ask_as(&reader, "callers", "app.retry.decorate.again", None)),
        set(["refresh", "save", "inner", "merge"])
    );
    let callees = |target: &str| ask_as(&reader, "callees", target, Some(4));
    assert_eq!(names(&callees("app.refresh")), set(["again", "fetch"]));
    assert_eq!(names(&callees("app.merge")), set(["inner", "again", "both", "print"]));
    assert_eq!(
        names(&ask_as(&reader, "tests_for", "app.fetch", None)),
        set(["test_fetch"])
    );
}

#[test]
fn what_many_decorate_in_the_same_way_is_told_apart_too() {
    let mut text = String::from(
        "def logged(step):\n    def inner(*given):\n        return step(*given)\n    return inner\n\ndef apply(step, row):\n    return step(row)\n",
    );
    for number in 0..50 {
        text.push_str(&format!(
            "\n@logged\ndef step{number}(row):\n    return row\n\ndef use{number}(row):\n    return step{number}(row)\n\ndef plain{number}(row):\n    \
             return row\n\ndef give{number}(row):\n    return apply(plain{number}, row)\n"
        ));
    }
    let (_folder, reader) = folder([("app.py", text.as_str())]);
    let callers = |target: &str| ask_as(&reader, "callers", target, Some(3));
    assert_eq!(names(&callers("app.step7")), set(["inner", "use7"]));
    assert_eq!(names(&callers("app.plain7")), set(["apply", "give7"]));
}

#[test]
fn handlers_behind_middleware_are_called_where_they_are_wrapped() {
    let (_folder, reader) = folder([
        ("go.mod", "module shop\n\ngo 1.22\n"),
        (
            "main.go",
            "package main\n\nimport \"net/http\"\n\ntype Handler func(string) string\n\nfunc logged(next Handler) Handler {\n\treturn func(s string) \
             string { println(s); return next(s) }\n}\n\nfunc only(next http.HandlerFunc) http.HandlerFunc {\n\treturn func(w http.ResponseWriter, r \
             *http.Request) { next(w, r) }\n}\n\nfunc list(s string) string { return s }\nfunc show(s string) string { return s }\nfunc index(w \
             http.ResponseWriter, r *http.Request) {}\nfunc admin(w http.ResponseWriter, r *http.Request) {}\n\nfunc useList() { h := logged(list); \
             h(\"x\") }\nfunc useShow() { h := logged(show); h(\"x\") }\n\nfunc each(rows []string, take func(string)) {\n\tfor _, row := range rows \
             {\n\t\ttake(row)\n\t}\n}\n\nfunc ones() { each(nil, func(s string) { show(s) }) }\nfunc others() { each(nil, func(s string) { list(s) }) \
             }\n\nfunc pages() { http.HandleFunc(\"/\", only(index)) }\nfunc inside() { http.HandleFunc(\"/admin\", only(admin)) }\n\nfunc main() {\n\tuseList()\n\tuseShow()\n\tones()\n\tothers()\n\tpages()\n\tinside()\n}\n",
        ),
    ]);
    let callers = |target: &str| ask_as(&reader, "callers", target, None);
    assert_eq!(names(&callers("shop.index")), set(["func1", "pages"]));
    assert_eq!(names(&callers("shop.admin")), set(["func1", "inside"]));
    assert_eq!(names(&callers("shop.show")), set(["func1", "useShow"]));
    let callees = |target: &str| ask_as(&reader, "callees", target, Some(4));
    assert_eq!(names(&callees("shop.ones")), set(["each", "func1", "show"]));
}

#[test]
fn a_callback_that_is_handed_on_stays_with_who_gave_it() {
    let (_folder, reader) = folder([
        (
            "a.go",
            "package ex\n\nfunc inTx() bool { return false }\n\nfunc WithTx(f func() error) error {\n\tif inTx() {\n\t\treturn f()\n\t}\n\treturn \
             noCheck(f)\n}\n\nfunc noCheck(f func() error) error { return f() }\n\nfunc star() error  { return nil }\nfunc index() error { return nil \
             }\n\nfunc Star() error  { return WithTx(func() error { return star() }) }\nfunc Index() error { return WithTx(func() error { return \
             index() }) }\n",
        ),
        (
            "a_test.go",
            "package ex\n\nimport \"testing\"\n\nfunc TestIndex(t *testing.T) { Index() }\nfunc TestStar(t *testing.T)  { Star() }\nfunc TestTx(t \
             *testing.T)    { WithTx(func() error { return nil }) }\n",
        ),
    ]);
    assert_eq!(names(&ask_as(&reader, "tests_for", "ex.star", None)), set(["TestStar"]));
    assert_eq!(
        names(&ask_as(&reader, "tests_for", "ex.index", None)),
        set(["TestIndex"])
    );
}
