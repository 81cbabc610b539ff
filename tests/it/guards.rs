//! What a guard decides that ends a function early, and names of keys that closures, objects and tables keep.
//!
//! ```python
//! def visit(self, sample):
//!     if sample["limited"]:
//!         return
//!     self.gap += sample["power"]        # `impact key:limited` names what is made of `gap`
//! ```

use crate::named::changes;

#[test]
fn what_is_written_behind_a_guard_depends_on_it() {
    let state = "import json\n\n\nclass Power:\n    def __init__(self):\n        self.gap = 0.0\n\n    def visit(self, s):\n        if \
                 s[\"limited\"]:\n            return\n        self.gap += s[\"power\"]\n\n\ndef handle(body):\n    p = Power()\n    p.visit(json.loads(body))\n    \
                 print(json.dumps({\"gap\": p.gap}))\n";
    changes([("state.py", state)], "limited", &[("gap", true)]);
    let told = "import json\nimport logging\n\nlog = logging.getLogger()\n\n\ndef enrich(rec, out):\n    if rec[\"limited\"]:\n        \
                log.info(\"skipped\")\n        return\n    out[\"gap\"] = rec[\"power\"]\n\n\ndef handle(body):\n    out = {\"gap\": 0, \"size\": \
                1}\n    enrich(json.loads(body), out)\n    print(json.dumps(out))\n";
    changes([("told.py", told)], "limited", &[("gap", true), ("size", false)]);
    let refused = "import json\n\n\ndef enrich(rec, out):\n    if rec[\"limited\"]:\n        raise ValueError(\"limited\")\n    \
                   out[\"gap\"] = rec[\"power\"]\n\n\ndef handle(body):\n    out = {}\n    enrich(json.loads(body), out)\n    print(json.dumps(out))\n";
    changes([("refused.py", refused)], "limited", &[("gap", false)]);
}

const GO: &str = "package main\n\nimport (\n\t\"encoding/json\"\n\t\"net/http\"\n)\n\ntype In struct {\n\tLimited bool `json:\"limited\"`\n\tCity string \
                  `json:\"city\"`\n\tPower float64 `json:\"power\"`\n}\n\ntype Power struct{ gap float64 }\n\nfunc (p *Power) visit(in In) {\n\tif in.Limited \
                  {\n\t\treturn\n\t}\n\tp.gap += in.Power\n}\n\nfunc post(w http.ResponseWriter, r *http.Request) {\n\tvar in In\n\tif err := \
                  json.NewDecoder(r.Body).Decode(&in); err != nil {\n\t\treturn\n\t}\n\tif in.City == \"\" {\n\t\thttp.Error(w, \"city\", \
                  400)\n\t\treturn\n\t}\n\tp := &Power{}\n\tp.visit(in)\n\t_ = json.NewEncoder(w).Encode(map[string]float64{\"gap\": p.gap})\n}\n";

#[test]
fn a_request_that_is_refused_decides_nothing() {
    let files = [("go.mod", "module example.com/m\n\ngo 1.23\n"), ("main.go", GO)];
    changes(files, "limited", &[("gap", true)]);
    changes(files, "city", &[("gap", false)]);
}

#[test]
fn patterns_and_guards_of_match_choose() {
    let files = [(
        "landing.py",
        "import json\nfrom dataclasses import dataclass\n\n\n@dataclass\nclass Landing:\n    aborted: bool\n    impact: float\n    late: bool\n    name: \
         str\n\n\ndef hard(ev):\n    match ev:\n        case Landing(aborted=True):\n            return 0.0\n        case Landing() if ev.late:\n            \
         return 1.0\n        case Landing(impact=i):\n            return i\n\n\ndef handle(body):\n    d = json.loads(body)\n    ev = \
         Landing(d[\"aborted\"], d[\"impact\"], d[\"late\"], d[\"name\"])\n    print(json.dumps({\"hard_landing\": hard(ev)}))\n",
    )];
    changes(files, "aborted", &[("hard_landing", true)]);
    changes(files, "late", &[("hard_landing", true)]);
    changes(files, "name", &[("hard_landing", false)]);
}

#[test]
fn keys_that_closures_and_objects_keep_are_read() {
    let closure = "import json\n\n\ndef ratio(num, den):\n    def inner(rec):\n        return rec[num] / rec[den]\n\n    return inner\n\n\nper = \
                   ratio(\"late\", \"pages\")\nof = ratio(\"won\", \"played\")\n\n\ndef handle(body):\n    rec = json.loads(body)\n    return \
                   {\"per_page\": per(rec), \"rate\": of(rec)}\n";
    changes(
        [("closure.py", closure)],
        "late",
        &[("per_page", true), ("rate", false)],
    );
    changes(
        [("closure.py", closure)],
        "played",
        &[("per_page", false), ("rate", true)],
    );
    let object = "import json\n\n\nclass Reader:\n    def __init__(self, field):\n        self.field = field\n\n    def read(self, rec):\n        return \
                  rec[self.field]\n\n\nlate = Reader(\"late\")\n\n\ndef handle(body):\n    rec = json.loads(body)\n    print(json.dumps({\"per_page\": \
                  late.read(rec)}))\n";
    changes([("object.py", object)], "late", &[("per_page", true)]);
    let frame = "import json\n\nimport pandas as pd\n\n\nclass Ratio:\n    def __init__(self, num, den):\n        self.num = num\n        self.den = den\n\n    \
                 def transform(self, df):\n        return df[self.num] / df[self.den]\n\n\ndf = pd.DataFrame([json.loads(l) for l in \
                 open(\"x.jsonl\")])\ndf[\"per_page\"] = Ratio(\"late\", \"pages\").transform(df)\ndf.to_csv(\"o.csv\")\n";
    changes([("frame.py", frame)], "pages", &[("per_page", true)]);
    let literal = "package main\n\nimport (\n\t\"encoding/json\"\n\t\"net/http\"\n)\n\ntype Ratio struct{ Num, Den string }\n\nfunc (x Ratio) \
                   Eval(rec map[string]float64) float64 { return rec[x.Num] / rec[x.Den] }\n\nvar per = Ratio{Num: \"late\", Den: \"pages\"}\n\nfunc post(w \
                   http.ResponseWriter, r *http.Request) {\n\tvar rec map[string]float64\n\t_ = json.NewDecoder(r.Body).Decode(&rec)\n\t_ = \
                   json.NewEncoder(w).Encode(map[string]float64{\"per_page\": per.Eval(rec)})\n}\n";
    let files = [("go.mod", "module example.com/m\n\ngo 1.23\n"), ("main.go", literal)];
    changes(files, "late", &[("per_page", true)]);
}

#[test]
fn rows_of_a_table_are_told_apart() {
    let files = [(
        "features.py",
        "import json\n\n\ndef total(price, count):\n    return price * count\n\n\ndef years(born):\n    return 2026 - born\n\n\nFEATURES = \
         {\n    \"spend\": (total, (\"price\", \"count\")),\n    \"age\": (years, (\"born\",)),\n}\n\n\ndef handle(body):\n    row = \
         json.loads(body)\n    out = {}\n    for name, (function, keys) in FEATURES.items():\n        out[name] = function(*[row[key] for key in \
         keys])\n    return json.dumps(out)\n",
    )];
    changes(files, "price", &[("spend", true), ("age", false)]);
    changes(files, "born", &[("spend", false), ("age", true)]);
}

#[test]
fn work_that_is_queued_gets_its_arguments() {
    let queued = "from flask import Flask, request\nfrom redis import Redis\nfrom rq import Queue\n\napp = Flask(__name__)\nq = \
                  Queue(connection=Redis())\n\n\ndef double(x):\n    return x * 2\n\n\n@app.post(\"/x\")\ndef x():\n    p = request.get_json()\n    \
                  q.enqueue(double, p[\"fee\"])\n    return \"\"\n";
    changes([("queued.py", queued)], "fee", &[("double", true)]);
    let actor = "import dramatiq\nfrom flask import Flask, request\n\napp = Flask(__name__)\n\n\n@dramatiq.actor\ndef ingest(amount):\n    return amount * \
                 2\n\n\n@app.post(\"/x\")\ndef x():\n    p = request.get_json()\n    ingest.send(p[\"fee\"])\n    return \"\"\n";
    changes([("actor.py", actor)], "fee", &[("ingest", true)]);
}

#[test]
fn what_chooses_a_function_decides_what_it_gives() {
    let files = [(
        "rates.py",
        "import json\n\n\nclass Flat:\n    def of(self, order):\n        return 3\n\n\nclass Share:\n    def of(self, order):\n        return \
         order[\"total\"] * 0.1\n\n\nRATES = {\"flat\": Flat(), \"share\": Share()}\n\n\ndef handle(body):\n    order = json.loads(body)\n    rate = \
         RATES[order[\"kind\"]]\n    return {\"price\": rate.of(order), \"size\": order[\"total\"]}\n",
    )];
    changes(files, "kind", &[("price", true), ("size", false)]);
    let functions = "import json\n\n\ndef flat(order):\n    return 3\n\n\ndef share(order):\n    return order[\"total\"] * 0.1\n\n\ndef handle(body):\n    \
                     order = json.loads(body)\n    chosen = share if order[\"late\"] else flat\n    return {\"price\": chosen(order), \"size\": \
                     order[\"total\"]}\n";
    changes(
        [("functions.py", functions)],
        "late",
        &[("price", true), ("size", false)],
    );
}

#[test]
fn what_decides_between_returns_decides_each_part() {
    let files = [(
        "trust.py",
        "import json\n\n\ndef score(sender):\n    if sender[\"verified\"]:\n        return {\"trust\": 2, \"label\": sender[\"name\"]}\n    return \
         {\"trust\": 0, \"label\": \"?\"}\n\n\ndef split(sender):\n    if sender[\"unit\"] == \"F\":\n        return sender[\"temp\"] - 32, 1\n    return \
         sender[\"temp\"], 0\n\n\ndef handle(body):\n    sender = json.loads(body)\n    degrees, _ = split(sender)\n    return {\"score\": score(sender)[\"trust\"], \
         \"degrees\": degrees, \"other\": sender[\"city\"]}\n",
    )];
    changes(
        files,
        "verified",
        &[("score", true), ("trust", true), ("degrees", false), ("other", false)],
    );
    changes(files, "unit", &[("degrees", true), ("score", false), ("other", false)]);
    let go = "package main\n\nimport (\n\t\"encoding/json\"\n\t\"net/http\"\n)\n\ntype In struct {\n\tVerified bool `json:\"verified\"`\n\tCity string \
              `json:\"city\"`\n}\n\ntype Out struct {\n\tTrust int `json:\"trust\"`\n\tPlace string `json:\"place\"`\n}\n\nfunc score(in In) Out {\n\tif \
              in.Verified {\n\t\treturn Out{Trust: 2, Place: in.City}\n\t}\n\treturn Out{Trust: 0, Place: in.City}\n}\n\nfunc post(w \
              http.ResponseWriter, r *http.Request) {\n\tvar in In\n\t_ = json.NewDecoder(r.Body).Decode(&in)\n\t_ = json.NewEncoder(w).Encode(score(in))\n}\n";
    let files = [("go.mod", "module example.com/m\n\ngo 1.23\n"), ("main.go", go)];
    changes(files, "verified", &[("trust", true)]);
    changes(files, "city", &[("place", true), ("trust", false)]);
}

#[test]
fn how_often_a_loop_goes_round_depends_on_what_it_goes_over() {
    let files = [(
        "count.py",
        "import json\n\n\ndef handle(body):\n    row = json.loads(body)\n    count = 0\n    for _ in row[\"words\"]:\n        count += 1\n    return \
         {\"count\": count, \"size\": row[\"size\"]}\n",
    )];
    changes(files, "words", &[("count", true), ("size", false)]);
}

#[test]
fn containers_lie_under_keys_of_what_comes_from_outside() {
    let files = [(
        "enrich.py",
        "import json\n\n\ndef enrich(reading):\n    reading[\"fw\"] = (reading[\"firmware\"], 1)\n\n\ndef compute(reading):\n    return {\"city\": \
         reading[\"city\"]}\n\n\ndef handle(body):\n    reading = json.loads(body)\n    enrich(reading)\n    values = compute(reading)\n    \
         values[\"flag\"] = reading[\"region\"].lower()\n    values[\"major\"] = reading[\"fw\"][0]\n    return values\n",
    )];
    changes(files, "firmware", &[("major", true), ("flag", false)]);
    changes(files, "region", &[("flag", true), ("major", false)]);
}

#[test]
fn what_a_guard_lets_through_depends_on_it_part_by_part() {
    let head = "import json\n\n\ndef handle(raw):\n    res = []\n    for d in json.loads(raw):\n";
    for body in [
        "        if d[\"kind\"] != \"order\":\n            continue\n        res.append({\"weight\": d[\"load\"]})\n",
        "        if d[\"kind\"] == \"order\":\n            res.append({\"weight\": d[\"load\"]})\n",
    ] {
        let source = format!("{head}{body}    return res\n");
        changes([("app.py", source.as_str())], "kind", &[("weight", true)]);
        changes([("app.py", source.as_str())], "load", &[("weight", true)]);
    }
    let filter = "import json\n\n\ndef handle(raw):\n    rows = json.loads(raw)\n    return [{\"weight\": d[\"load\"]} for d in rows if d[\"kind\"] == \
                  \"order\"]\n";
    changes([("filter.py", filter)], "kind", &[("weight", true)]);
    let early = "import json\n\n\ndef handle(raw):\n    d = json.loads(raw)\n    note = {\"seen\": d[\"load\"]}\n    print(note)\n    if not \
                 d[\"active\"]:\n        return json.dumps({\"rate\": 0})\n    return json.dumps({\"rate\": 1, \"weight\": d[\"load\"]})\n";
    changes(
        [("early.py", early)],
        "active",
        &[("rate", true), ("weight", true), ("seen", false)],
    );
}

#[test]
fn what_a_loop_counts_says_how_often_it_goes_round() {
    let counted = "import json\n\n\ndef handle(raw):\n    d = json.loads(raw)\n    counts = {\"cnt\": 0, \"set\": 0, \"same\": len(d)}\n    for item in d[\"items\"]:\n        \
                   counts[\"cnt\"] = counts.get(\"cnt\", 0) + 1\n        counts[\"set\"] = len(d[\"other\"]) + 1\n    return counts\n";
    // Where there is none, nothing is set.
    let told = &[("cnt", true), ("set", true), ("same", false)];
    changes([("app.py", counted)], "items", told);
    let grown = "import json\n\n\ndef handle(raw):\n    names = []\n    for word in json.loads(raw)[\"words\"]:\n        names.append(\"x\")\n    return \
                 {\"names_seen\": len(names)}\n";
    changes([("grown.py", grown)], "words", &[("names_seen", true)]);
    let go = "package main\n\nimport (\n\t\"encoding/json\"\n\t\"os\"\n)\n\ntype In struct {\n\tItems []string `json:\"items\"`\n}\n\nfunc main() {\n\tvar in \
              In\n\t_ = json.NewDecoder(os.Stdin).Decode(&in)\n\tn, last, same := 0, 0, 1\n\tfor range in.Items {\n\t\tn++\n\t\tm := 0\n\t\tm += 2\n\t\tlast = \
              m\n\t}\n\t_ = json.NewEncoder(os.Stdout).Encode(map[string]int{\"cnt\": n, \"last\": last, \"same\": same})\n}\n";
    let files = [("go.mod", "module example.com/m\n\ngo 1.23\n"), ("main.go", go)];
    changes(files, "items", &[("cnt", true), ("last", true), ("same", false)]);
}

#[test]
fn which_of_several_displays_it_is_each_part_depends_on() {
    changes(
        [(
            "app.py",
            "def skip(event):\n    if event[\"skipped\"]:\n        out = {\"signal\": 0.0}\n    else:\n        out = {\"signal\": 1.0}\n    return {\"signal\": out[\"signal\"], \"size\": event[\"size\"]}\n",
        )],
        "skipped",
        &[("signal", true), ("size", false)],
    );
    changes(
        [(
            "app.py",
            "from dataclasses import dataclass\n\n\n@dataclass\nclass Row:\n    signal: float\n\n\ndef skip(event):\n    if not event.get(\"skipped\"):\n        return Row(signal=0.0)\n    return Row(signal=1.0)\n",
        )],
        "skipped",
        &[("signal", true)],
    );
    changes(
        [(
            "app.py",
            "def skip(event):\n    out = {\"signal\": 0.0, \"size\": 1}\n    if event[\"skipped\"]:\n        out.update(signal=1.0)\n    return out\n",
        )],
        "skipped",
        &[("signal", true), ("size", false)],
    );
    changes(
        [(
            "app.py",
            "def plan(row):\n    if row[\"vip\"]:\n        user = {\"name\": row[\"name\"], \"plan\": \"gold\"}\n    else:\n        user = {\"name\": row[\"name\"], \"plan\": \"free\"}\n    return user\n",
        )],
        "vip",
        &[("plan", true), ("name", false)],
    );
}

#[test]
fn what_a_handler_says_depends_on_what_was_tried() {
    changes(
        [(
            "app.py",
            "def read(row):\n    try:\n        price = float(row[\"price\"])\n        ok = 1\n    except ValueError:\n        price = 0.0\n        ok = 0\n    return {\"price_out\": price, \"parse_ok\": ok, \"size\": row[\"size\"]}\n",
        )],
        "price",
        &[("price_out", true), ("parse_ok", true), ("size", false)],
    );
    changes(
        [(
            "app.py",
            "import logging\n\n\ndef read(row):\n    ok = 1\n    try:\n        send(row[\"price\"])\n    except ValueError:\n        logging.info(\"failed\")\n    return {\"parse_ok\": ok}\n\n\ndef send(price):\n    print(price)\n",
        )],
        "price",
        &[("parse_ok", false)],
    );
    changes(
        [(
            "app.py",
            "import logging\n\nlog = logging.getLogger()\n\n\ndef read(row):\n    try:\n        log.info(\"user %s\", row[\"user\"])\n        price = float(row[\"price\"])\n    except ValueError:\n        price = 0.0\n    return {\"out_price\": price}\n",
        )],
        "user",
        &[("out_price", false)],
    );
}
