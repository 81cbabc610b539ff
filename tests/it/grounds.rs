//! What a result of `impact` rests on: values that move, decisions, or what only may meet.
//!
//! ```python
//! def login(): r = Request(login_url()); return r.url      # the value moves: `flow`
//! def process(r): return r.url                             # of another object, as far as anybody sees: `may`
//! ```

use ripple_query_api::operation;
use ripple_query_api::view::{Ground, OperationAnswer, Parameters};

use crate::verdicts::{ask, folder};

/// Compares the ground of each of these results; nothing for one that is not there.
fn check(answer: &OperationAnswer, wanted: &[(&str, Option<Ground>)]) {
    for (name, ground) in wanted {
        let mut results = answer.results.iter();
        let result = results.find(|result| answer.nodes[&result.node].name == *name);
        assert_eq!(
            result.map(|result| result.ground),
            *ground,
            "{name}: {:?}",
            answer.results
        );
    }
}

const OBJECTS: &str = "class Request:\n    def __init__(self, url):\n        self.url = url\n\n\ndef first_url():\n    return \
                       \"/a\"\n\n\ndef login_url():\n    return \"/login\"\n\n\ndef login():\n    r = Request(login_url())\n    if \
                       r.url > \"/k\":\n        return 1\n    return 2\n\n\ndef process(r):\n    return r.url\n\n\ndef main():\n    \
                       return process(Request(first_url()))\n";

#[test]
fn another_object_of_the_class_may_be_meant() {
    let (_folder, reader) = folder([("app.py", OBJECTS)]);
    let answer = ask(&reader, "impact", "login_url", false);
    let [flow, decision, may] = Ground::ALL.map(Some);
    check(
        &answer,
        &[("url", flow), ("login", decision), ("process", may), ("main", None)],
    );
    let grounds: Vec<Ground> = answer.results.iter().map(|result| result.ground).collect();
    assert!(grounds.is_sorted(), "the strongest come first: {grounds:?}");
    let count = |ground| grounds.iter().filter(|other| **other == ground).count();
    let counts = [answer.grounds.flow, answer.grounds.decision, answer.grounds.may];
    assert_eq!(counts, Ground::ALL.map(count));
}

#[test]
fn weaker_grounds_are_left_out_on_demand() {
    let (_folder, reader) = folder([("app.py", OBJECTS)]);
    let with = |ground: Ground| {
        let parameters = Parameters {
            target: Some("login_url".into()),
            ground: Some(ground),
            ..Parameters::default()
        };
        operation::run(&reader, "impact", &parameters).expect("the operation takes it")
    };
    check(
        &with(Ground::Decision),
        &[("login", Some(Ground::Decision)), ("process", None)],
    );
    check(&with(Ground::Flow), &[("url", Some(Ground::Flow)), ("process", None)]);
}

#[test]
fn a_field_that_one_line_fills_holds_nothing_else() {
    // Whatever object `total` is asked of, it was `collect` that set it; `label` is set by two.
    let files = [(
        "app.py",
        "def count():\n    return 3\n\n\nclass Cart:\n    def collect(self):\n        self.total = count()\n        self.label = \
         str(count())\n\n    def rename(self, text):\n        self.label = text\n\n\ndef price(cart: Cart):\n    return cart.total * \
         2\n\n\ndef title(cart: Cart):\n    return cart.label\n",
    )];
    let (_folder, reader) = folder(files);
    let answer = ask(&reader, "impact", "count", false);
    check(&answer, &[("price", Some(Ground::Flow)), ("title", Some(Ground::May))]);
}

#[test]
fn what_code_that_is_not_there_makes_of_a_value_may_be_anything() {
    let files = [(
        "app.py",
        "import blackbox\n\n\ndef text():\n    return \"a\"\n\n\ndef opened():\n    return blackbox.wrap(text())\n\n\ndef shown():\n    \
         return text().upper()\n",
    )];
    let (_folder, reader) = folder(files);
    let answer = ask(&reader, "impact", "text", false);
    check(&answer, &[("shown", Some(Ground::Flow)), ("opened", Some(Ground::May))]);
}

#[test]
fn what_a_request_fills_is_what_was_sent() {
    let main = "package main\n\nimport (\n\t\"encoding/json\"\n\t\"net/http\"\n)\n\ntype In struct {\n\tEmail string \
                `json:\"email\"`\n}\n\nfunc (in In) domain() string { return in.Email[1:] }\n\nfunc post(w http.ResponseWriter, r \
                *http.Request) {\n\tvar in In\n\t_ = json.NewDecoder(r.Body).Decode(&in)\n\t_, _ = w.Write([]byte(in.domain()))\n}\n";
    let (_folder, reader) = folder([("go.mod", "module example.com/m\n\ngo 1.23\n"), ("main.go", main)]);
    let answer = ask(&reader, "impact", "key:email", false);
    check(
        &answer,
        &[("Email", Some(Ground::Flow)), ("domain", Some(Ground::Flow))],
    );
}

#[test]
fn what_one_call_hands_over_is_what_the_field_holds() {
    let files = [(
        "app.py",
        "def first_url():\n    return \"/a\"\n\n\nclass Request:\n    def __init__(self, url):\n        self.url = url\n\n\nREQUESTS = \
         [Request(first_url())]\n\n\ndef process():\n    for r in REQUESTS:\n        print(r.url)\n",
    )];
    let (_folder, reader) = folder(files);
    let answer = ask(&reader, "impact", "first_url", false);
    check(&answer, &[("url", Some(Ground::Flow)), ("print", Some(Ground::Flow))]);
}
