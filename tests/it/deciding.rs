//! What arguments decide that are in nothing: which parts are taken, in which order, and whether what stands behind a test happens at all.
//!
//! ```python
//! def first(mails, mail): return mails[: mail["limit"]]       # `impact key:limit` names `first`: its result is another then
//! ```

use ripple_query_api::view::OperationAnswer;

use crate::named::changes;
use crate::verdicts::{ask, folder, is_complete, names};

/// `impact` of a key says that these functions give something else, and not those.
#[track_caller]
fn decides(source: &str, key: &str, functions: &[(&str, bool)]) {
    let (_folder, reader) = folder([("app.py", source)]);
    let answer = ask(&reader, "impact", &format!("key:{key}"), false);
    told(&answer, functions);
    is_complete(&answer);
}

#[track_caller]
fn told(answer: &OperationAnswer, functions: &[(&str, bool)]) {
    let found = names(answer);
    for (function, is_told) in functions {
        assert_eq!(found.contains(function), *is_told, "{function} among {found:?}");
    }
}

#[test]
fn arguments_of_library_calls_select_and_order() {
    let both = &[("chosen", true), ("beside", false)];
    for given in [
        "mails[: mail[\"limit\"]]",
        "sorted(mails, reverse=mail[\"limit\"])",
        "re.sub(mail[\"limit\"], \"\", mails)",
        "round(mails, mail[\"limit\"])",
    ] {
        let source = format!(
            "import re\n\n\ndef chosen(mails, mail):\n    return {given}\n\n\ndef beside(mails, mail):\n    return mails[:mail[\"other\"]]\n"
        );
        decides(&source, "limit", both);
    }
    for done in [
        "mails.discard(mail[\"limit\"])",
        "mails.sort(key=lambda other: other[\"limit\"])",
    ] {
        let source = format!(
            "def chosen(mails, mail):\n    {done}\n    return mails\n\n\ndef beside(mails, mail):\n    return mails[:mail[\"other\"]]\n"
        );
        let (_folder, reader) = folder([("app.py", source.as_str())]);
        told(&ask(&reader, "impact", "key:limit", false), both);
    }
}

#[test]
fn tests_inside_of_tests_decide_what_follows() {
    let source = "def chosen(mails, mail):\n    out = []\n    for one in mails:\n        if mail[\"outer\"]:\n            if one == mail[\"inner\"]:\n                continue\n        out.append(one)\n    return out\n";
    decides(source, "outer", &[("chosen", true)]);
    decides(source, "inner", &[("chosen", true)]);
    let beside = "def chosen(mails, mail):\n    out = []\n    for one in mails:\n        if mail[\"outer\"]:\n            print(one)\n        out.append(one)\n    return out\n";
    let (_folder, reader) = folder([("app.py", beside)]);
    let answer = ask(&reader, "impact", "key:outer", false);
    let result = |name: &str| {
        answer
            .results
            .iter()
            .any(|finding| answer.nodes[&finding.node].name == name && finding.relation.contains("result"))
    };
    assert!(!result("chosen"), "{:?}", names(&answer));
}

#[test]
fn keys_of_a_mapping_in_a_field_decide_what_is_found_there() {
    let source = "package app\n\nimport (\n\t\"encoding/json\"\n\t\"os\"\n)\n\ntype box struct{ names map[string]bool }\n\nfunc (b *box) add(n string)      { b.names[n] = true }\nfunc (b *box) has(n string) bool { return b.names[n] }\nfunc (b *box) count() int        { return len(b.names) }\n\nfunc Handle() (bool, int) {\n\tvar in struct {\n\t\tName string `json:\"name\"`\n\t}\n\tjson.NewDecoder(os.Stdin).Decode(&in)\n\tb := &box{names: map[string]bool{}}\n\tb.add(in.Name)\n\treturn b.has(\"x\"), b.count()\n}\n";
    let (_folder, reader) = folder([("go.mod", "module app\n\ngo 1.23\n"), ("app.go", source)]);
    let answer = ask(&reader, "impact", "key:name", false);
    let found = names(&answer);
    assert!(found.contains("has") && found.contains("count"), "{found:?}");
}

#[test]
fn sorts_go_by_all_that_their_key_is_made_of() {
    let both = &[("chosen", true), ("beside", false)];
    for given in [
        "sorted(mails, key=lambda one: (one[\"title\"], one[\"limit\"]))",
        "sorted(mails, key=itemgetter(\"limit\"))",
        "sorted(mails, key=cmp_to_key(lambda a, b: a[\"limit\"] - b[\"limit\"]))",
        "heapq.nsmallest(2, mails, key=lambda one: one[\"limit\"])",
    ] {
        let source = format!(
            "import heapq\nfrom functools import cmp_to_key\nfrom operator import itemgetter\n\n\ndef chosen(bodies):\n    mails = [{{\"limit\": body[\"limit\"], \"title\": body[\"title\"]}} for body in bodies]\n    return {given}[0][\"title\"]\n\n\ndef beside(mails, mail):\n    return mails[:mail[\"other\"]]\n"
        );
        let (_folder, reader) = folder([("app.py", source.as_str())]);
        told(&ask(&reader, "impact", "key:limit", false), both);
    }
    let source = "package app\n\nimport (\n\t\"encoding/json\"\n\t\"os\"\n\t\"slices\"\n\t\"sort\"\n)\n\ntype bid struct {\n\tLimit int    `json:\"limit\"`\n\tAge   int    `json:\"age\"`\n\tSum   int    `json:\"sum\"`\n\tTitle string `json:\"title\"`\n}\n\ntype bySum []bid\n\nfunc (b bySum) Len() int           { return len(b) }\nfunc (b bySum) Less(i, j int) bool { return b[i].Sum > b[j].Sum }\nfunc (b bySum) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }\n\nfunc read() []bid {\n\tvar bids []bid\n\tjson.NewDecoder(os.Stdin).Decode(&bids)\n\treturn bids\n}\n\nfunc First() string {\n\tbids := read()\n\tsort.Slice(bids, func(i, j int) bool { return bids[i].Limit < bids[j].Limit })\n\treturn bids[0].Title\n}\n\nfunc Oldest() string {\n\tbids := read()\n\tslices.SortFunc(bids, func(x, y bid) int { return x.Age - y.Age })\n\treturn bids[0].Title\n}\n\nfunc Dearest() string {\n\tbids := read()\n\tsort.Sort(bySum(bids))\n\treturn bids[0].Title\n}\n";
    let (_folder, reader) = folder([("go.mod", "module app\n\ngo 1.23\n"), ("app.go", source)]);
    for (key, function) in [("limit", "First"), ("age", "Oldest"), ("sum", "Dearest")] {
        told(
            &ask(&reader, "impact", &format!("key:{key}"), false),
            &[(function, true)],
        );
    }
}

#[test]
fn whether_a_loop_runs_decides_what_is_done_in_it() {
    for done in [
        "state = \"busy\"",
        "state += one(mail)",
        "box.post()\n        state = box.calls",
    ] {
        let source = format!(
            "class Box:\n    def __init__(self):\n        self.calls = 0\n\n    def post(self):\n        self.calls += 1\n\n\ndef one(mail):\n    return 1\n\n\ndef chosen(body):\n    box = Box()\n    state = 0\n    for mail in body[\"limit\"]:\n        {done}\n    return state\n\n\ndef beside(body):\n    state = 0\n    for mail in body[\"other\"]:\n        state = 1\n    return state\n"
        );
        decides(&source, "limit", &[("chosen", true), ("beside", false)]);
    }
    let source = "package app\n\nimport (\n\t\"encoding/json\"\n\t\"os\"\n)\n\ntype body struct {\n\tLimit []int `json:\"limit\"`\n\tFloor int   `json:\"floor\"`\n\tBids  []int `json:\"bids\"`\n}\n\nfunc read() body {\n\tvar b body\n\tjson.NewDecoder(os.Stdin).Decode(&b)\n\treturn b\n}\n\nfunc State() string {\n\tstate := \"idle\"\n\tfor range read().Limit {\n\t\tstate = \"busy\"\n\t}\n\treturn state\n}\n\nfunc Shown() []int {\n\tb := read()\n\tvar out []int\nouter:\n\tfor _, bid := range b.Bids {\n\t\tfor i := 0; i < 2; i++ {\n\t\t\tif bid < b.Floor {\n\t\t\t\tcontinue outer\n\t\t\t}\n\t\t}\n\t\tout = append(out, bid)\n\t}\n\treturn out\n}\n";
    let (_folder, reader) = folder([("go.mod", "module app\n\ngo 1.23\n"), ("app.go", source)]);
    told(
        &ask(&reader, "impact", "key:limit", false),
        &[("State", true), ("Shown", false)],
    );
    told(
        &ask(&reader, "impact", "key:floor", false),
        &[("State", false), ("Shown", true)],
    );
}

#[test]
fn what_a_tuple_or_structure_is_made_of_decides_what_is_compared_with_it() {
    for test in [
        "(body[\"limit\"], body[\"title\"]) == (\"a\", \"b\")",
        "\"a\" in [body[\"limit\"]]",
    ] {
        let source = format!(
            "def chosen(body):\n    state = \"open\"\n    if {test}:\n        state = \"closed\"\n    return state\n\n\ndef beside(body):\n    return body[\"title\"]\n"
        );
        decides(&source, "limit", &[("chosen", true), ("beside", false)]);
    }
    let source = "package app\n\nimport (\n\t\"encoding/json\"\n\t\"os\"\n)\n\ntype step struct {\n\tfrom int\n\tby   string\n}\n\ntype body struct {\n\tLimit string `json:\"limit\"`\n\tTitle string `json:\"title\"`\n}\n\nvar table = map[step]int{{0, \"pay\"}: 1}\n\nfunc read() body {\n\tvar b body\n\tjson.NewDecoder(os.Stdin).Decode(&b)\n\treturn b\n}\n\nfunc Next() int { return table[step{0, read().Limit}] }\n\nfunc Same() bool { return (step{1, read().Title}) == (step{1, \"go\"}) }\n";
    let (_folder, reader) = folder([("go.mod", "module app\n\ngo 1.23\n"), ("app.go", source)]);
    told(&ask(&reader, "impact", "key:limit", false), &[("Next", true)]);
    told(&ask(&reader, "impact", "key:title", false), &[("Same", true)]);
}

#[test]
fn a_changed_function_changes_what_it_makes_and_not_what_it_finds() {
    let source = "class Store:\n    def __init__(self, url):\n        self.url = url\n\n    def ping(self):\n        return self.url\n\n    def put(self, text):\n        return text\n\n\nclass App:\n    def __init__(self):\n        self.store = Store(\"x\")\n\n    def other(self):\n        self.spare = make()\n\n    def ready(self):\n        return self.spare.ping()\n\n\ndef make():\n    return Store(\"y\")\n\n\ndef log(app):\n    store = app.store\n    print(store.ping())\n    store.put(format(7))\n\n\ndef main():\n    log(App())\n    App().ready()\n";
    let (_folder, reader) = folder([("app.py", source)]);
    let relations = |target: &str, name: &str| {
        let answer = ask(&reader, "impact", target, false);
        let mine = answer
            .results
            .iter()
            .filter(|found| answer.nodes[&found.node].name == name);
        mine.map(|found| found.relation.clone()).collect::<Vec<_>>()
    };
    assert!(
        !relations("log", "ping")
            .iter()
            .any(|told| told.contains("result changes"))
    );
    assert!(
        relations("log", "put")
            .iter()
            .any(|told| told.contains("result changes"))
    );
    // A field that a function fills is asked for itself.
    assert!(!relations("App.spare", "ready").is_empty());
}

#[test]
fn what_is_put_in_a_list_under_a_test_decides_what_loops_over_it() {
    let python = "import json\n\n\ndef bulk(price):\n    return price * 2\n\n\ndef handle(body):\n    d = json.loads(body)\n    effects, other = \
                  [], [1]\n    if d[\"month\"] == 12:\n        effects.append(bulk(d[\"price\"]))\n    saved = sum(e for e in effects)\n    \
                  print(json.dumps({\"saved\": saved, \"other\": sum(e for e in other)}))\n";
    changes([("app.py", python)], "month", &[("saved", true), ("other", false)]);
}

const OPTIONS: &str = "package main\n\nimport (\n\t\"encoding/json\"\n\t\"os\"\n)\n\ntype In struct {\n\tSecure bool `json:\"secure\"`\n\tKeep bool \
                       `json:\"keep\"`\n}\n\ntype Client struct {\n\tscheme string\n\tseen []string\n\ttags map[string]bool\n}\n\ntype Option \
                       func(*Client)\n\nfunc WithTLS() Option { return func(c *Client) { c.scheme = \"https\" } }\n\nfunc (c *Client) add(name string) \
                       {\n\tc.seen = append(c.seen, name)\n\tc.tags[\"x\"] = true\n}\n\nfunc main() {\n\tvar in In\n\t_ = \
                       json.NewDecoder(os.Stdin).Decode(&in)\n\tvar opts []Option\n\tif in.Secure {\n\t\topts = append(opts, WithTLS())\n\t}\n\tc := \
                       &Client{scheme: \"http\", tags: map[string]bool{}}\n\tfor _, o := range opts {\n\t\to(c)\n\t}\n\tif in.Keep \
                       {\n\t\tc.add(\"a\")\n\t}\n\t_ = json.NewEncoder(os.Stdout).Encode(map[string]any{\"url\": c.scheme, \"seen_n\": len(c.seen), \
                       \"tags_n\": len(c.tags)})\n}\n";

#[test]
fn options_that_a_test_adds_decide_what_they_set() {
    let files = [("go.mod", "module example.com/m\n\ngo 1.23\n"), ("main.go", OPTIONS)];
    changes(files, "secure", &[("url", true), ("seen_n", false)]);
    changes(files, "keep", &[("url", false), ("seen_n", true)]);
}
