//! Names of keys and columns that stand in lists, expressions and arguments by keyword, and what chooses rows.
//!
//! ```python
//! NUMERIC = ["rooms", "floor"]
//! total = sum(row[c] for c in NUMERIC)               # `impact key:rooms` names what is made of `total`
//! rows.query("hours > 0")                            # and `key:hours` what is made of the rows
//! ```

use crate::verdicts::{ask, folder, names};

/// Whether what a key changes is told to change something.
pub(crate) fn changes<const N: usize>(files: [(&str, &str); N], key: &str, wanted: &[(&str, bool)]) {
    let (_folder, reader) = folder(files);
    let answer = ask(&reader, "impact", &format!("key:{key}"), false);
    let names = names(&answer);
    for (name, is_changed) in wanted {
        let under_it = format!("[\"{name}\"]");
        let is_named = names.contains(name) || names.contains(under_it.as_str());
        assert_eq!(is_named, *is_changed, "{key} and {name}: {names:?}");
    }
}

const READS: &str = "import json\n\nfrom columns import NUMERIC\n\n\ndef total(raw):\n    row = json.loads(raw)\n    figure = 0\n    for c in \
                     (\"won\", \"played\"):\n        figure += row[c]\n    return {\"sum_all\": figure}\n\n\ndef listed(raw):\n    row = \
                     json.loads(raw)\n    return {\"vector\": [row[c] for c in NUMERIC]}\n\n\ndef each(raw):\n    row = json.loads(raw)\n    \
                     return {c: row[c] for c in NUMERIC}\n";

#[test]
fn a_loop_over_texts_reads_each_of_them() {
    let files = [("columns.py", "NUMERIC = [\"rooms\", \"floor\"]\n"), ("app.py", READS)];
    changes(files, "won", &[("sum_all", true), ("vector", false)]);
    changes(files, "rooms", &[("vector", true), ("sum_all", false)]);
}

#[test]
fn a_column_that_is_read_and_written_in_a_loop_stands_alone() {
    let files = [(
        "clean.py",
        "import pandas as pd\n\nCOLS = [\"rooms\", \"floor\"]\n\n\ndef load():\n    df = pd.read_json(\"in.jsonl\", lines=True)\n    for \
         c in COLS:\n        df[c] = df[c].fillna(0)\n    df[COLS] = df[COLS].clip(0)\n    return {\"size\": \
         df[\"rooms\"].sum(), \"height\": df[\"floor\"].sum()}\n",
    )];
    changes(files, "rooms", &[("size", true), ("height", false)]);
    changes(files, "floor", &[("size", false), ("height", true)]);
}

#[test]
fn expressions_and_keywords_name_columns() {
    let files = [(
        "frames.py",
        "import pandas as pd\n\n\ndef ratio():\n    df = pd.read_json(\"in.jsonl\", lines=True)\n    return df.eval(\"ratio = won / \
         played\")\n\n\ndef busy():\n    df = pd.read_json(\"in.jsonl\", lines=True)\n    df = df.query(\"hours > 0\")\n    return {\"fees\": \
         df[\"fee\"].sum()}\n\n\ndef risk(codes):\n    df = pd.read_json(\"in.jsonl\", lines=True)\n    out = df.merge(codes, \
         on=\"post\")\n    return {\"risky\": out[\"level\"].max()}\n",
    )];
    changes(files, "won", &[("ratio", true), ("fees", false)]);
    changes(files, "hours", &[("fees", true), ("risky", false)]);
    changes(files, "post", &[("risky", true), ("fees", false)]);
}

#[test]
fn rows_are_made_of_what_chose_them() {
    let store = "import json\n\nimport duckdb\n\n\ndef put(raw):\n    d = json.loads(raw)\n    duckdb.connect(\"x.db\").execute(\n        \
                 \"INSERT INTO visits (hours, fee, name) VALUES (?, ?, ?)\",\n        [d[\"len_h\"], d[\"fee_eur\"], d[\"full_name\"]],\n    \
                 )\n\n\ndef revenue():\n    con = duckdb.connect(\"x.db\")\n    return con.sql(\"SELECT sum(fee) AS revenue FROM visits WHERE \
                 hours > 0\").df()\n";
    let files = [("store.py", store)];
    changes(files, "len_h", &[("revenue", true)]);
    changes(files, "fee_eur", &[("revenue", true)]);
    changes(files, "full_name", &[("revenue", false)]);
    let files = [(
        "lines.py",
        "import polars as pl\n\n\ndef build():\n    df = pl.read_ndjson(\"in.jsonl\")\n    df = df.filter(pl.col(\"hours\") > 0)\n    return \
         df.select(pl.col(\"fee\").sum().alias(\"revenue\"), pl.col(\"name\").alias(\"label\"))\n",
    )];
    changes(files, "hours", &[("revenue", true), ("label", false)]);
}

#[test]
fn what_a_function_gives_depends_on_the_tests_around_it() {
    let files = [(
        "rates.py",
        "import json\n\n\ndef high(n):\n    return 1\n\n\ndef low(n):\n    return 0\n\n\ndef rate(n):\n    if n[\"dow\"] > 4:\n        return \
         high(n)\n    return low(n)\n\n\ndef price(n):\n    if n[\"late\"]:\n        v = high(n)\n    else:\n        v = low(n)\n    return \
         v\n\n\ndef main(raw):\n    n = json.loads(raw)\n    if n[\"debug\"]:\n        print(\"rates\")\n    return {\"mix\": rate(n), \
         \"paid\": price(n)}\n",
    )];
    changes(files, "dow", &[("mix", true), ("paid", false)]);
    changes(files, "late", &[("mix", false), ("paid", true)]);
    changes(files, "debug", &[("mix", false), ("paid", false)]);
}

#[test]
fn paths_into_a_text_name_what_lies_at_their_end() {
    let files = [
        ("go.mod", "module trips\n\ngo 1.22\n"),
        (
            "main.go",
            "package main\n\nimport (\n\t\"encoding/json\"\n\t\"io\"\n\t\"net/http\"\n\n\t\"github.com/tidwall/gjson\"\n)\n\nfunc handle(w \
             http.ResponseWriter, r *http.Request) {\n\tbody, _ := io.ReadAll(r.Body)\n\tdoc := \
             gjson.ParseBytes(body)\n\tjson.NewEncoder(w).Encode(map[string]any{\n\t\t\"speed\":  \
             doc.Get(\"max_kmh\").Float(),\n\t\t\"metres\": gjson.GetBytes(body, \"trip.distance_m\").Float(),\n\t})\n}\n",
        ),
    ];
    changes(files, "max_kmh", &[("speed", true), ("metres", false)]);
    changes(files, "distance_m", &[("metres", true), ("speed", false)]);
}

#[test]
fn columns_are_renamed_by_a_table_of_the_file() {
    let files = [(
        "frames.py",
        "import pandas as pd\n\nNAMES = {\"amt\": \"amount\", \"cc\": \"country\"}\n\n\ndef load():\n    df = pd.read_json(\"in.jsonl\", \
         lines=True)\n    df = df.rename(columns=NAMES)\n    return {\"spend\": df[\"amount\"].sum(), \"lands\": \
         df[\"country\"].nunique()}\n",
    )];
    changes(files, "amt", &[("spend", true), ("lands", false)]);
    changes(files, "cc", &[("spend", false), ("lands", true)]);
}

#[test]
fn lists_under_keys_go_out_by_these() {
    let files = [(
        "answer.py",
        "import json\n\n\ndef answer(raw):\n    row = json.loads(raw)\n    tags = []\n    tags.append(row[\"tag\"])\n    return json.dumps({\"rooms_out\": \
         [row[\"rooms\"]], \"floor_out\": [row[\"floor\"], 1], \"tags_out\": tags, \"count\": len(tags)})\n",
    )];
    let outs = ["rooms_out", "floor_out", "tags_out"];
    for (key, own) in [("rooms", "rooms_out"), ("floor", "floor_out"), ("tag", "tags_out")] {
        changes(files, key, &outs.map(|out| (out, out == own)));
    }
}

#[test]
fn what_a_method_hands_to_its_own_object_is_under_the_name_of_that() {
    let files = [(
        "scores.py",
        "import json\n\n\nclass Scorer:\n    def score(self, d):\n        return self.adjust(self.raw(d), d)\n\n    def adjust(self, value, d):\n        return \
         value\n\n\nclass Income(Scorer):\n    label = \"income_score\"\n\n    def raw(self, d):\n        return d[\"income\"] / 1000\n\n\nclass \
         Purpose(Scorer):\n    label = \"purpose_score\"\n\n    def raw(self, d):\n        return d[\"purpose\"] * 3\n\n\ndef handle(body):\n    d = \
         json.loads(body)\n    return json.dumps({s.label: s.score(d) for s in [Income(), Purpose()]})\n",
    )];
    changes(files, "income", &[("income_score", true), ("purpose_score", false)]);
    changes(files, "purpose", &[("income_score", false), ("purpose_score", true)]);
}

const SETTERS: &str = "import json\n\n\nclass Account:\n    name = \"old\"\n    plan = \"free\"\n\n\ndef set_name(account, value):\n    \
                       account.name = value\n\n\ndef set_plan(account, value):\n    account.plan = value\n\n\nSETTERS = {\"name\": set_name, \
                       \"plan\": set_plan}\n\n\ndef handle(body):\n    account = Account()\n    for field, value in \
                       json.loads(body).items():\n        SETTERS[field](account, value)\n    print(json.dumps({\"display\": account.name, \
                       \"tier\": account.plan}))\n";

#[test]
fn a_handler_that_is_looked_up_by_a_name_gets_what_comes_under_it() {
    let files = [("patch.py", SETTERS)];
    changes(files, "name", &[("display", true), ("tier", false)]);
    changes(files, "plan", &[("display", false), ("tier", true)]);
    let main = "package main\n\nimport (\n\t\"encoding/json\"\n\t\"os\"\n)\n\ntype Account struct{ Name, Plan string }\n\nvar setters = \
                map[string]func(*Account, any){\n\t\"name\": func(a *Account, v any) { a.Name = v.(string) },\n\t\"plan\": func(a *Account, v any) { \
                a.Plan = v.(string) },\n}\n\nfunc main() {\n\tvar p map[string]any\n\t_ = json.NewDecoder(os.Stdin).Decode(&p)\n\tvar a \
                Account\n\tfor f, v := range p {\n\t\tif set, ok := setters[f]; ok {\n\t\t\tset(&a, v)\n\t\t}\n\t}\n\t_ = \
                json.NewEncoder(os.Stdout).Encode(map[string]any{\"display\": a.Name, \"tier\": a.Plan})\n}\n";
    let files = [("go.mod", "module example.com/m\n\ngo 1.23\n"), ("main.go", main)];
    changes(files, "name", &[("display", true), ("tier", false)]);
}

#[test]
fn a_loop_over_the_keys_of_a_table_reads_each_of_them() {
    let table = "import json\n\n\ndef missing(path, value):\n    if value:\n        return []\n    return [path]\n\n\nFIELDS = {\"street\": 1, \
                 \"town\": 2}\nOTHERS = {\"phone\": 1}\n\n\ndef handle(body):\n    doc = json.loads(body)\n    problems, rest = [], []\n    for \
                 name, _ in FIELDS.items():\n        problems.extend(missing(name, doc.get(name)))\n    for name in OTHERS:\n        \
                 rest.extend(missing(name, doc.get(name)))\n    print(json.dumps({\"problems\": problems, \"rest\": rest}))\n";
    changes([("app.py", table)], "town", &[("problems", true), ("rest", false)]);
    changes([("app.py", table)], "phone", &[("problems", false), ("rest", true)]);
    let object = "import json\n\n\nclass Required:\n    def run(self, path, value):\n        if value:\n            return []\n        return \
                  [path]\n\n\nclass Schema:\n    def __init__(self, **fields):\n        self.fields = fields\n\n    def validate(self, \
                  doc):\n        problems = []\n        for name, checks in self.fields.items():\n            for check in checks:\n                \
                  problems.extend(check.run(name, doc.get(name)))\n        return problems\n\n\nPERSON = Schema(town=[Required()])\n\n\ndef \
                  handle(body):\n    doc = json.loads(body)\n    print(json.dumps({\"problems\": PERSON.validate(doc), \"who\": \
                  doc[\"who\"]}))\n";
    changes([("schema.py", object)], "town", &[("problems", true), ("who", false)]);
}

#[test]
fn classes_that_register_themselves_keep_their_names() {
    let registry = |hook: &str, title: &str, price: &str| {
        format!(
            "import json\n\n\nclass Extractor:\n    registry = {{}}\n    label = \"\"\n\n    def __init_subclass__(cls{hook}\n\n    def __init__(self, \
             record):\n        self.record = record\n\n\nclass Title(Extractor{title}\n\n    def extract(self):\n        return \
             len(self.record[\"title\"])\n\n\nclass Price(Extractor{price}\n\n    def extract(self):\n        return self.record[\"price\"] > \
             10\n\n\ndef handle(body):\n    record = json.loads(body)\n    found = {{}}\n    for name, cls in \
             Extractor.registry.items():\n        found[name] = cls(record).extract()\n    print(json.dumps(found))\n"
        )
    };
    let by_argument = registry(
        ", name=None):\n        Extractor.registry[name] = cls",
        ", name=\"title_length\"):\n    pass",
        ", name=\"pricey\"):\n    pass",
    );
    let by_itself = registry(
        "):\n        cls.registry[cls.label] = cls",
        "):\n    label = \"title_length\"",
        "):\n    label = \"pricey\"",
    );
    for source in [by_argument, by_itself] {
        let files = [("features.py", source.as_str())];
        changes(files, "title", &[("title_length", true), ("pricey", false)]);
        changes(files, "price", &[("title_length", false), ("pricey", true)]);
    }
}
