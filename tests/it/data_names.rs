//! Names that come as data, and steps that hand one table on: what lies under each name is told apart.
//!
//! ```python
//! return {name: give(mail) for name, give in FEATURES.items()}     # `impact key:subject` names `["caps"]`, and not `["kb"]`
//! ```

use crate::named::changes;

const GIVEN: &str = "def caps(mail):\n    return mail[\"subject\"].upper()\n\n\ndef size(mail):\n    return mail[\"size\"] // 1024\n\n\n";

fn told_apart(text: &str) {
    let source = format!("{GIVEN}{text}");
    let files = [("app.py", source.as_str())];
    changes(files, "subject", &[("caps", true), ("kb", false)]);
    changes(files, "size", &[("caps", false), ("kb", true)]);
}

#[test]
fn what_a_table_gives_has_the_names_of_the_table() {
    told_apart(
        "REG = {}\n\n\ndef feature(name, function):\n    REG[name] = function\n\n\nfeature(\"caps\", caps)\nfeature(\"kb\", size)\n\n\ndef \
         handle(mail):\n    return {name: give(mail) for name, give in REG.items()}\n",
    );
    told_apart(
        "REG = []\n\n\ndef feature(name):\n    def keep(function):\n        REG.append((name, function))\n        return function\n\n    return \
         keep\n\n\nfeature(\"caps\")(caps)\nfeature(\"kb\")(size)\n\n\ndef handle(mail):\n    out = {}\n    for name, give in REG:\n        \
         out[name] = give(mail)\n    return out\n",
    );
}

#[test]
fn what_objects_give_has_the_names_that_they_or_their_classes_bring() {
    told_apart(
        "from dataclasses import dataclass\n\n\n@dataclass\nclass Feature:\n    name: str\n    give: object\n\n\nALL = [Feature(\"caps\", caps), \
         Feature(name=\"kb\", give=size)]\n\n\ndef handle(mail):\n    return {one.name: one.give(mail) for one in ALL}\n",
    );
    told_apart(
        "class Feature:\n    name = \"\"\n\n    def of(self, mail):\n        return {self.name: self.give(mail)}\n\n\nclass Caps(Feature):\n    \
         name = \"caps\"\n\n    def give(self, mail):\n        return caps(mail)\n\n\nclass Size(Feature):\n    name = \"kb\"\n\n    def \
         give(self, mail):\n        return size(mail)\n\n\ndef handle(mail):\n    out = {}\n    for one in [Caps(), Size()]:\n        \
         out.update(one.of(mail))\n    return out\n",
    );
}

#[test]
fn pairs_bring_their_names() {
    told_apart(
        "def features(mail):\n    yield \"caps\", caps(mail)\n    yield \"kb\", size(mail)\n\n\ndef handle(mail):\n    return \
         dict(features(mail))\n",
    );
    told_apart(
        "NAMES = [\"caps\", \"kb\"]\n\n\ndef handle(mail):\n    values = [0, 0]\n    values[0] = caps(mail)\n    values[1] = size(mail)\n    \
         return dict(zip(NAMES, values))\n",
    );
}

#[test]
fn what_is_asked_for_under_a_name_has_that_name() {
    told_apart(
        "REG = {}\n\n\ndef feature(name, function):\n    REG[name] = function\n\n\nfeature(\"caps\", caps)\nfeature(\"kb\", size)\n\n\ndef \
         handle(mail):\n    out = {}\n    for name in sorted(REG):\n        out[name] = REG[name](mail)\n    return out\n",
    );
    told_apart(
        "NAMES = [\"caps\", \"kb\"]\n\n\ndef named(values):\n    out = {}\n    for index, name in enumerate(NAMES):\n        out[name] = \
         values[index]\n    return out\n\n\ndef handle(mail):\n    return named([caps(mail), size(mail)])\n",
    );
}

#[test]
fn what_stands_at_the_position_of_a_name_has_that_name() {
    told_apart(
        "import numpy as np\n\n\ndef handle(mail):\n    values = np.array([caps(mail), size(mail)])\n    return dict(zip([\"caps\", \"kb\"], values))\n",
    );
    told_apart(
        "NAMES = [\"caps\", \"kb\"]\n\n\ndef handle(mail):\n    out = {}\n    for index, value in enumerate([caps(mail), size(mail)]):\n        \
         out[NAMES[index]] = value\n    return out\n",
    );
    told_apart(
        "def handle(mail):\n    values = [caps(mail), size(mail)]\n    return {name: values[index] for index, name in enumerate([\"caps\", \"kb\"])}\n",
    );
}

#[test]
fn names_that_makers_of_objects_are_given() {
    told_apart(
        "class Pair:\n    def __init__(self, name, value):\n        self.name = name\n        self.value = value\n\n\ndef pair(name, value):\n    return \
         Pair(name, value)\n\n\ndef handle(mail):\n    out = {}\n    for one in [pair(\"caps\", caps(mail)), pair(\"kb\", size(mail))]:\n        \
         out[one.name] = one.value\n    return out\n",
    );
    let of_go = "package app\n\ntype Mail struct {\n\tSubject string `json:\"subject\"`\n\tSize    int    `json:\"size\"`\n}\n\ntype pair struct {\n\tname  \
                 string\n\tvalue any\n}\n\nfunc with(name string, value any) pair { return pair{name, value} }\n\nfunc Handle(m Mail) map[string]any {\n\tout := \
                 map[string]any{}\n\tfor _, one := range []pair{with(\"caps\", m.Subject), with(\"kb\", m.Size)} {\n\t\tout[one.name] = one.value\n\t}\n\treturn \
                 out\n}\n";
    let files = [("go.mod", "module example.com/app\n\ngo 1.23\n"), ("app.go", of_go)];
    changes(files, "subject", &[("caps", true), ("kb", false)]);
    changes(files, "size", &[("caps", false), ("kb", true)]);
}

#[test]
fn tables_of_go_are_asked_for_names_of_a_list() {
    let of = |text: &str| {
        format!(
            "package app\n\ntype Mail struct {{\n\tSubject string `json:\"subject\"`\n\tSize    int    `json:\"size\"`\n}}\n\nfunc caps(m Mail) any {{ return m.Subject \
             }}\n\nfunc size(m Mail) any {{ return m.Size }}\n\n{text}"
        )
    };
    let by_table = of(
        "var reg = map[string]func(Mail) any{\"caps\": caps, \"kb\": size}\n\nvar order = []string{\"kb\", \"caps\"}\n\nfunc Handle(m Mail) map[string]any \
         {\n\tout := map[string]any{}\n\tfor _, name := range order {\n\t\tout[name] = reg[name](m)\n\t}\n\treturn out\n}\n",
    );
    let by_position = of(
        "var names = []string{\"caps\", \"kb\"}\n\nfunc Handle(m Mail) map[string]any {\n\tvalues := make([]any, 2)\n\tvalues[0] = caps(m)\n\tvalues[1] = \
         size(m)\n\tout := map[string]any{}\n\tfor i, name := range names {\n\t\tout[name] = values[i]\n\t}\n\treturn out\n}\n",
    );
    for source in [by_table, by_position] {
        let files = [("go.mod", "module app\n\ngo 1.23\n"), ("app.go", source.as_str())];
        changes(files, "subject", &[("caps", true), ("kb", false)]);
        changes(files, "size", &[("caps", false), ("kb", true)]);
    }
}

#[test]
fn structures_of_go_bring_their_names() {
    let of = |text: &str| {
        format!(
            "package m\n\ntype Mail struct {{\n\tSubject string `json:\"subject\"`\n\tSize float64 `json:\"size\"`\n}}\n\n{text}"
        )
    };
    let listed = "var all = []struct {\n\tname string\n\tgive func(Mail) any\n}{\n\t{\"caps\", func(m Mail) any { return m.Subject }},\n\t{name: \
                  \"kb\", give: func(m Mail) any { return m.Size / 1024 }},\n}\n\nfunc Compute(m Mail) map[string]any {\n\tout := \
                  map[string]any{}\n\tfor _, one := range all {\n\t\tout[one.name] = one.give(m)\n\t}\n\treturn out\n}\n";
    let methods = "type Feature interface {\n\tName() string\n\tOf(m Mail) any\n}\n\ntype caps struct{}\n\nfunc (caps) Name() string { return \
                   \"caps\" }\nfunc (caps) Of(m Mail) any { return m.Subject }\n\ntype size struct{}\n\nfunc (size) Name() string { return \"kb\" \
                   }\nfunc (size) Of(m Mail) any { return m.Size }\n\nfunc Compute(m Mail) map[string]any {\n\tout := map[string]any{}\n\tfor _, \
                   one := range []Feature{caps{}, size{}} {\n\t\tout[one.Name()] = one.Of(m)\n\t}\n\treturn out\n}\n";
    let table = "var all = map[string]func(Mail) any{\n\t\"caps\": func(m Mail) any { return m.Subject },\n\t\"kb\": func(m Mail) any { return \
                 m.Size },\n}\n\nfunc Compute(m Mail) map[string]any {\n\tout := map[string]any{}\n\tfor name, give := range all {\n\t\tout[name] = \
                 give(m)\n\t}\n\treturn out\n}\n";
    for text in [listed, methods, table] {
        let source = of(text);
        let files = [("go.mod", "module m\n\ngo 1.24\n"), ("main.go", source.as_str())];
        changes(files, "subject", &[("caps", true), ("kb", false)]);
        changes(files, "size", &[("caps", false), ("kb", true)]);
    }
}

#[test]
fn steps_that_give_the_table_back_keep_its_keys_apart() {
    let steps = "def one(d):\n    d[\"a_out\"] = d[\"a\"] * 2\n    return d\n\n\ndef two(d):\n    d[\"b_out\"] = d[\"b\"] * 2\n    return \
                 d\n\n\n";
    for run in [
        "def run(d):\n    return two(one(d))\n",
        "def run(d):\n    for step in [one, two]:\n        d = step(d)\n    return d\n",
    ] {
        let source = format!("{steps}{run}");
        let files = [("steps.py", source.as_str())];
        changes(files, "a", &[("a_out", true), ("b_out", false)]);
        changes(files, "b", &[("a_out", false), ("b_out", true)]);
    }
}

#[test]
fn what_a_table_renames_under_a_test_has_its_new_name() {
    let source = "RENAMED = {\"temp_c\": \"temperature\", \"hum\": \"humidity\"}\n\n\ndef adapt(raw):\n    out = {}\n    for theirs, ours in \
                  RENAMED.items():\n        if theirs in raw:\n            out[ours] = raw[theirs]\n    return out\n\n\ndef run(raw):\n    row = \
                  adapt(raw)\n    return {\"hot\": row[\"temperature\"] > 60, \"wet\": row[\"humidity\"] > 80}\n";
    changes(
        [("adapt.py", source)],
        "temp_c",
        &[("temperature", true), ("hot", true), ("wet", false)],
    );
    changes(
        [("adapt.py", source)],
        "hum",
        &[("humidity", true), ("hot", false), ("wet", true)],
    );
}

#[test]
fn names_are_handed_to_tables_that_the_callee_makes_and_to_registries_of_structures() {
    let head = "package main\n\nimport (\n\t\"encoding/json\"\n\t\"os\"\n)\n\n";
    let nested = "type P struct{ rows map[string]map[string]any }\n\nfunc (p *P) set(user, key string, v any) {\n\tif p.rows[user] == nil {\n\t\tp.rows[user] = \
                  map[string]any{}\n\t}\n\tp.rows[user][key] = v\n}\n\nfunc main() {\n\tvar in map[string]any\n\t_ = json.NewDecoder(os.Stdin).Decode(&in)\n\tp \
                  := &P{rows: map[string]map[string]any{}}\n\tp.set(\"u\", \"last\", in[\"genre\"])\n\tp.set(\"u\", \"other\", in[\"age\"])\n\t_ = \
                  json.NewEncoder(os.Stdout).Encode(p.rows[\"u\"])\n}\n";
    let registry = "type In struct {\n\tGenre string  `json:\"genre\"`\n\tAge   float64 `json:\"age\"`\n}\n\ntype scorer struct {\n\tname string\n\tof   \
                    func(In) float64\n}\n\nvar registry = map[string]scorer{}\n\nfunc Register(name string, of func(In) float64) { registry[name] = \
                    scorer{name, of} }\n\nfunc main() {\n\tRegister(\"last\", func(in In) float64 { return float64(len(in.Genre)) })\n\tRegister(\"other\", \
                    func(in In) float64 { return in.Age })\n\tvar in In\n\t_ = json.NewDecoder(os.Stdin).Decode(&in)\n\tout := map[string]float64{}\n\tfor n, s \
                    := range registry {\n\t\tout[n] = s.of(in)\n\t}\n\t_ = json.NewEncoder(os.Stdout).Encode(out)\n}\n";
    for body in [nested, registry] {
        let source = format!("{head}{body}");
        let files = [
            ("go.mod", "module example.com/m\n\ngo 1.23\n"),
            ("main.go", source.as_str()),
        ];
        changes(files, "genre", &[("last", true), ("other", false)]);
        changes(files, "age", &[("last", false), ("other", true)]);
    }
}

#[test]
fn models_that_a_library_fills_take_what_is_spread() {
    let source = "from sqlalchemy import Column, Integer, String\nfrom sqlalchemy.orm import declarative_base\n\nBase = declarative_base()\n\n\nclass \
                  Listing(Base):\n    __tablename__ = \"listing\"\n    id = Column(Integer, primary_key=True)\n    title = Column(String)\n    rooms = \
                  Column(Integer)\n\n\ndef handle(request):\n    body = request.get_json()\n    x = Listing(**{\"title\": body[\"name\"], \"rooms\": \
                  body[\"n\"]})\n    return {\"headline\": x.title, \"other\": x.rooms}\n";
    changes([("app.py", source)], "name", &[("headline", true), ("other", false)]);
}
