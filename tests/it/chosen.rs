//! What a test of a value chooses, and where values go by the names of columns and keys.
//!
//! ```python
//! def bucket(ms): return 0 if ms < 30 else 1
//! send({"speed": bucket(body["ms"])})       # `impact key:ms` names the key `speed`, and `flows` does not
//! ```

use std::collections::BTreeSet;

use crate::verdicts::{ask, ask_as, folder, is_complete, is_open, names, set};

#[test]
fn constants_that_a_test_chooses_change_with_it() {
    let (_folder, reader) = folder([(
        "app.py",
        "import json\n\nfrom flask import request\n\n\ndef bucket(ms):\n    if ms < 30:\n        return 0\n    return 1\n\n\ndef \
         view():\n    p = request.get_json()\n    out = {'speed': bucket(p['ms'])}\n    flag = 0\n    if p['country'] == 'NL':\n        flag = \
         1\n    out['dutch'] = flag\n    out['paid'] = 1 if p['price'] else 0\n    out['clicks'] = sum(1 for e in p['events'] if e['kind'] == \
         'click')\n    if p['unused'] > 3:\n        print('much')\n    return json.dumps(out)\n",
    )]);
    let changed = |key: &str, feature: &str| {
        let answer = ask(&reader, "impact", &format!("key:{key}"), false);
        is_complete(&answer);
        let names = names(&answer);
        let features: Vec<&str> = ["speed", "dutch", "paid", "clicks"]
            .into_iter()
            .filter(|feature| names.contains(feature))
            .collect();
        assert_eq!(
            features,
            if feature.is_empty() { vec![] } else { vec![feature] },
            "{key}"
        );
    };
    changed("ms", "speed");
    changed("country", "dutch");
    changed("price", "paid");
    changed("kind", "clicks");
    changed("unused", "");
    // It is not the value that comes there.
    assert!(!names(&ask(&reader, "flows", "key:ms", false)).contains("speed"));
}

#[test]
fn errors_choose_nothing() {
    let (_folder, reader) = folder([
        ("go.mod", "module shop\n\ngo 1.22\n"),
        (
            "main.go",
            "package main\n\nimport (\n\t\"encoding/json\"\n\t\"errors\"\n\t\"os\"\n)\n\ntype In struct {\n\tPlan string `json:\"plan\"`\n\tName string \
             `json:\"name\"`\n\tFlag bool `json:\"flag\"`\n}\n\nfunc tier(plan string) int {\n\tswitch plan {\n\tcase \"gold\":\n\t\treturn \
             2\n\t}\n\treturn 0\n}\n\nfunc check(name string) (int, error) {\n\tif name == \"\" {\n\t\treturn 0, errors.New(\"no \
             name\")\n\t}\n\treturn 3, nil\n}\n\nfunc main() {\n\tvar in In\n\tjson.Unmarshal([]byte(os.Args[1]), &in)\n\tknown, _ := \
             check(in.Name)\n\tcount := 0\n\tif in.Flag {\n\t\tcount++\n\t}\n\tjson.NewEncoder(os.Stdout).Encode(map[string]int{\"tier\": \
             tier(in.Plan), \"known\": known, \"count\": count})\n}\n",
        ),
    ]);
    assert_eq!(
        names(&ask_as(&reader, "impact", "key:plan", None)),
        set(["Encode", "Plan", "main", "tier"])
    );
    assert_eq!(
        names(&ask_as(&reader, "impact", "key:name", None)),
        set(["Name", "check", "main"])
    );
    assert!(names(&ask_as(&reader, "impact", "key:flag", None)).contains("Encode"));
}

#[test]
fn a_table_joins_who_writes_it_and_who_reads_it() {
    let (_folder, reader) = folder([
        ("go/go.mod", "module shop\n\ngo 1.22\n"),
        (
            "go/main.go",
            "package main\n\nimport (\n\t\"context\"\n\t\"encoding/json\"\n\t\"net/http\"\n)\n\ntype In struct {\n\tYears int \
             `json:\"years\"`\n\tNote string `json:\"note\"`\n}\n\ntype DB interface {\n\tExec(context.Context, string, ...any) \
             error\n}\n\nconst insert = `INSERT INTO people (age) VALUES ($1)`\n\nfunc save(db DB, r *http.Request) {\n\tvar in \
             In\n\tjson.NewDecoder(r.Body).Decode(&in)\n\tdb.Exec(r.Context(), insert, in.Years)\n\tdb.Exec(r.Context(), in.Note)\n}\n",
        ),
        (
            "features.py",
            "def rows(cursor):\n    cursor.execute('SELECT id, age FROM people')\n    return cursor.fetchall()\n\n\ndef is_adult(age):\n    return \
             age > 17\n\n\ndef run(cursor):\n    for number, age in rows(cursor):\n        print(is_adult(age))\n        print(number)\n",
        ),
    ]);
    let years = ask(&reader, "impact", "key:years", false);
    assert!(
        names(&years).is_superset(&set(["save", "age", "is_adult"])),
        "{:?}",
        names(&years)
    );
    // No type of the index is behind the interface: where the value goes, nobody sees.
    is_open(&years, "unresolved-calls", "Exec");
    let note = ask(&reader, "impact", "key:note", false);
    assert!(!names(&note).contains("is_adult"));
    is_open(&note, "unresolved-calls", "Exec");
}

#[test]
fn who_reads_what_changes_is_told_be_it_to_hand_it_on() {
    let (_folder, reader) = folder([
        ("go.mod", "module shop\n\ngo 1.22\n"),
        (
            "main.go",
            "package main\n\nimport \"encoding/json\"\n\ntype Sign struct {\n\tMail string `json:\"mail\"`\n}\n\nfunc bind(text []byte) *Sign {\n\tvar \
             sign Sign\n\tjson.Unmarshal(text, &sign)\n\treturn &sign\n}\n\nfunc store(mail string) { println(mail) }\n\nfunc handle(sign *Sign) { \
             store(sign.Mail) }\n\nfunc main() { handle(bind(nil)) }\n",
        ),
    ]);
    let answer = ask(&reader, "impact", "key:mail", false);
    is_complete(&answer);
    assert!(
        names(&answer).is_superset(&set(["bind", "Mail", "store", "handle"])),
        "{:?}",
        names(&answer)
    );
}

#[test]
fn features_that_lie_under_texts_are_told_by_their_keys() {
    let (_folder, reader) = folder([
        (
            "app.py",
            "from flask import request\n\nfrom model import predict\n\n\ndef build(body):\n    feats = {'speed_kmh': body['speed'] * 3.6, 'is_dutch': \
             body['country'] == 'NL', 'country': 'x'}\n    feats['distance'] = abs(body['far'])\n    return feats\n\n\ndef view():\n    \
             return {'score': predict(build(request.get_json()))}\n",
        ),
        (
            "model.py",
            "import joblib\n\nkept = joblib.load('m.pkl')\nORDER = ['speed_kmh', 'is_dutch']\n\n\ndef predict(feats):\n    return \
             float(kept.predict([[feats[n] for n in ORDER]])[0])\n",
        ),
    ]);
    let keys = |target: &str, up: bool| -> BTreeSet<String> {
        let answer = ask(&reader, "impact", target, up);
        let names = names(&answer).into_iter();
        names.filter(|name| name.contains("[\"")).map(str::to_owned).collect()
    };
    let told = |names: &[&str]| -> BTreeSet<String> { names.iter().map(|name| format!("[\"{name}\"]")).collect() };
    assert_eq!(keys("key:speed", false), told(&["score", "speed_kmh"]));
    assert_eq!(keys("key:country", false), told(&["is_dutch", "score"]));
    assert_eq!(keys("key:far", false), told(&["distance"]));
    // And from the feature back, be it a key that is also read by its name, or no wire key at all.
    assert!(names(&ask(&reader, "impact", "key:speed_kmh", true)).contains("speed"));
    assert!(!names(&ask(&reader, "impact", "key:speed_kmh", true)).contains("far"));
    for target in ["key:distance", "distance"] {
        let answer = ask(&reader, "impact", target, true);
        let causes = names(&answer);
        assert!(causes.contains("far") && !causes.contains("speed"), "{causes:?}");
    }
}

#[test]
fn what_is_put_under_one_key_is_not_read_under_another() {
    let (_folder, reader) = folder([(
        "app.py",
        "import json\n\nimport numpy as np\nimport pandas as pd\n\n\ndef frame():\n    df = pd.read_csv('x.csv')\n    df['o_a'] = df['a'] + 1\n    \
         df['o_b'] = np.where(df['b'] > 1, 1, 0)\n    df.to_parquet('y')\n\n\ndef record():\n    d = json.load(open('x.json'))\n    d['o_e'] = \
         d['e'] + 1\n    further(d)\n    for key in d:\n        print(d[key])\n    return d\n\n\ndef further(d):\n    d['o_f'] = d['f'] + \
         1\n\n\nframe()\nprint(record())\n",
    )]);
    for (from, to) in [("a", "o_a"), ("b", "o_b"), ("e", "o_e"), ("f", "o_f")] {
        let found = ask(&reader, "impact", &format!("key:{from}"), false);
        let found = names(&found).into_iter();
        assert_eq!(
            found.filter(|name| name.starts_with("o_")).collect::<Vec<_>>(),
            [to],
            "{from}"
        );
        let causes = ask(&reader, "impact", &format!("key:{to}"), true);
        let causes = names(&causes).into_iter();
        assert_eq!(
            causes.filter(|name| name.len() == 1).collect::<Vec<_>>(),
            [from],
            "{to}"
        );
    }
    // The whole changes all the same.
    assert!(names(&ask(&reader, "impact", "key:e", false)).contains("record"));
}

#[test]
fn what_a_loop_gathers_depends_on_what_it_tests() {
    let (_folder, reader) = folder([(
        "app.py",
        "import json\nfrom collections import defaultdict\n\n\ndef fa(s):\n    return len([h for h in s if h['a'] > 0])\n\n\ndef fb(s):\n    \
         d = defaultdict(list)\n    for h in s:\n        d[h['b']].append(1)\n    return max(len(v) for v in d.values())\n\n\ndef fc(s):\n    \
         return sorted(s, key=lambda h: h['c'])[0]['id']\n\n\ndef fd(s):\n    return len(list(filter(lambda h: h['d'], s)))\n\n\ndef \
         fe(s):\n    out = []\n    for h in s:\n        if h['e'] == 'a':\n            out.append(h['id'])\n    return \
         sum(out)\n\n\ndef plays(s):\n    for h in s:\n        if h['f'] != 'play':\n            continue\n        yield h['id']\n\n\ndef \
         ff(s):\n    return [v for v in plays(s)]\n\n\ndef fg(s):\n    for h in s:\n        if h['g'] > 3:\n            print('much')\n    \
         return 1\n\n\ndef main():\n    s = json.load(open('x'))\n    print(fa(s), fb(s), fc(s), fd(s), fe(s), ff(s), fg(s))\n\n\nmain()\n",
    )]);
    for (key, function) in [
        ("a", "fa"),
        ("b", "fb"),
        ("c", "fc"),
        ("d", "fd"),
        ("e", "fe"),
        ("f", "ff"),
    ] {
        let found = ask(&reader, "impact", &format!("key:{key}"), false);
        let changed = found
            .results
            .iter()
            .filter(|finding| finding.relation == "its result changes");
        let changed: BTreeSet<&str> = changed
            .map(|finding| found.nodes[&finding.node].name.as_str())
            .collect();
        let features = changed.into_iter().filter(|name| name.len() == 2);
        assert_eq!(features.collect::<Vec<_>>(), [function], "{key}");
    }
    let found = ask(&reader, "impact", "key:g", false);
    assert!(
        found
            .results
            .iter()
            .all(|finding| finding.relation != "its result changes")
    );
}

#[test]
fn what_is_read_out_of_an_object_stops_with_it() {
    let (_folder, reader) = folder([
        ("go.mod", "module shop\n\ngo 1.22\n"),
        (
            "main.go",
            "package main\n\nimport (\n\t\"encoding/json\"\n\t\"net/http\"\n)\n\ntype Item struct {\n\tX float64 `json:\"x\"`\n}\n\ntype B struct \
             {\n\tItems []*Item `json:\"items\"`\n\tPlain []Item `json:\"plain\"`\n\tOne *Item `json:\"one\"`\n\tNested Item \
             `json:\"nested\"`\n}\n\nfunc FA(i *Item) float64 { return i.X + 1 }\nfunc FP(i Item) float64 { return i.X + 1 }\nfunc FO(x \
             float64) float64 { return x + 1 }\nfunc FN(x Item) float64 { return x.X + 2 }\n\nfunc h(w http.ResponseWriter, r \
             *http.Request) {\n\tvar b B\n\tjson.NewDecoder(r.Body).Decode(&b)\n\tfor _, it := range b.Items {\n\t\tFA(it)\n\t}\n\tfor _, it \
             := range b.Plain {\n\t\tFP(it)\n\t}\n\tif b.One != nil {\n\t\tFO(b.One.X)\n\t}\n\tFN(b.Nested)\n}\n\nfunc main() { \
             http.HandleFunc(\"/\", h) }\n",
        ),
    ]);
    for (key, function) in [("items", "FA"), ("plain", "FP"), ("one", "FO"), ("nested", "FN")] {
        let found = ask(&reader, "impact", &format!("key:{key}"), false);
        let names = names(&found).into_iter();
        let functions = names.filter(|name| name.len() == 2 && name.starts_with('F'));
        assert_eq!(functions.collect::<Vec<_>>(), [function], "{key}");
    }
}
