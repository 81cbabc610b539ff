//! What arguments decide that are in nothing: which parts are taken, in which order, and whether what stands behind a test happens at all.
//!
//! ```python
//! def first(mails, mail): return mails[: mail["limit"]]       # `impact key:limit` names `first`: its result is another then
//! ```

use ripple_query_api::view::OperationAnswer;

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
