//! Names that are put together, that classes and objects bring, and that rows of a table say.
//!
//! ```python
//! SPEC = [{"feature": "caps", "source": "subject"}, {"feature": "kb", "source": "size"}]
//! {spec["feature"]: mail[spec["source"]] for spec in SPEC}      # `impact key:subject` names `["caps"]`, and not `["kb"]`
//! ```

use crate::named::changes;
use crate::verdicts::{ask, folder, is_open, names};

/// `subject` comes under one name, `size` under the other.
fn apart(file: &str, source: &str, (first, second): (&str, &str)) {
    let files = [("go.mod", "module app\n\ngo 1.23\n"), (file, source)];
    changes(files, "subject", &[(first, true), (second, false)]);
    changes(files, "size", &[(first, false), (second, true)]);
}

fn python(source: &str, names: (&str, &str)) {
    apart("app.py", source, names);
}

fn go(source: &str) {
    let mail = "package app\n\ntype Mail struct {\n\tSubject string `json:\"subject\"`\n\tSize    int    `json:\"size\"`\n}\n\n";
    apart("app.go", &format!("{mail}{source}"), ("caps", "kb"));
}

#[test]
fn names_are_put_together() {
    python(
        "from dataclasses import dataclass\n\n\n@dataclass\nclass Mail:\n    subject: str\n    size: int\n\n\ndef handle(body):\n    mail = Mail(**body)\n    out = {}\n    for name in (\"subject\", \"size\"):\n        out[\"m_\" + name] = getattr(mail, name)\n    return out\n",
        ("m_subject", "m_size"),
    );
    python(
        "def put(out, name, mail):\n    out[f\"{name}_out\"] = mail[name] * 2\n\n\ndef handle(mail):\n    out = {}\n    put(out, \"subject\", mail)\n    put(out, \"size\", mail)\n    return out\n",
        ("subject_out", "size_out"),
    );
    python(
        "class Feature:\n    def of(self, mail):\n        value = self.give(mail)\n        return {self.name + \"_x\": value}\n\n\nclass Caps(Feature):\n    name = \"caps\"\n\n    def give(self, mail):\n        return mail[\"subject\"]\n\n\nclass Size(Feature):\n    name = \"kb\"\n\n    def give(self, mail):\n        return mail[\"size\"]\n\n\ndef handle(mail):\n    out = {}\n    for one in [Caps(), Size()]:\n        out.update(one.of(mail))\n    return out\n",
        ("caps_x", "kb_x"),
    );
    let sums = "def handle(mail):\n    return {f\"sum_{days}\": mail[\"size\"] * days for days in (7, 30)}\n";
    changes(
        [("app.py", sums)],
        "size",
        &[("sum_7", true), ("sum_30", true), ("7", false)],
    );
}

#[test]
fn rows_say_what_is_asked_for_under_which_name() {
    python(
        "SPEC = [\n    {\"feature\": \"caps\", \"source\": \"subject\"},\n    {\"feature\": \"kb\", \"source\": \"size\"},\n]\n\n\ndef handle(mail):\n    return {spec[\"feature\"]: mail[spec[\"source\"]] for spec in SPEC}\n",
        ("caps", "kb"),
    );
    python(
        "SPEC = ((\"caps\", \"subject\"), (\"kb\", \"size\"))\n\n\ndef handle(mail, spec=SPEC):\n    out = {}\n    for row in SPEC:\n        out[row[0]] = mail.get(row[1])\n    return out\n",
        ("caps", "kb"),
    );
    python(
        "SPEC = {\"caps\": \"subject\", \"kb\": \"size\"}\n\n\ndef handle(mail):\n    return {name: str(mail[source]) for name, source in SPEC.items()}\n",
        ("caps", "kb"),
    );
    python(
        "class Column:\n    def __init__(self, name, source):\n        self.name = name\n        self.source = source\n\n    def of(self, mail):\n        return mail[self.source]\n\n\ndef handle(mail):\n    out = {}\n    for one in [Column(\"caps\", \"subject\"), Column(\"kb\", \"size\")]:\n        out[one.name] = one.of(mail)\n    return out\n",
        ("caps", "kb"),
    );
}

#[test]
fn classes_bring_names() {
    python(
        "class Caps:\n    name = \"caps\"\n\n    def __init__(self, mail):\n        self.mail = mail\n\n    def give(self):\n        return self.mail[\"subject\"]\n\n\nclass Size:\n    name = \"kb\"\n\n    def __init__(self, mail):\n        self.mail = mail\n\n    def give(self):\n        return self.mail[\"size\"]\n\n\nALL = {\"caps\": Caps, \"kb\": Size}\n\n\ndef handle(mail):\n    out = {}\n    for name, of in ALL.items():\n        out[name] = of(mail).give()\n    return out\n",
        ("caps", "kb"),
    );
    python(
        "class Caps:\n    name = \"caps\"\n\n    def __init__(self, mail):\n        self.mail = mail\n\n    def give(self):\n        return self.mail[\"subject\"]\n\n\nclass Size:\n    name = \"kb\"\n\n    def __init__(self, mail):\n        self.mail = mail\n\n    def give(self):\n        return self.mail[\"size\"]\n\n\ndef handle(mail):\n    return {of.name: of(mail).give() for of in (Caps, Size)}\n",
        ("caps", "kb"),
    );
    python(
        "class Feature:\n    def __init__(self, name):\n        self.name = name\n\n\nclass Caps(Feature):\n    def __init__(self):\n        super().__init__(\"caps\")\n\n    def give(self, mail):\n        return mail[\"subject\"]\n\n\nclass Size(Feature):\n    def __init__(self):\n        super().__init__(\"kb\")\n\n    def give(self, mail):\n        return mail[\"size\"]\n\n\ndef handle(mail):\n    return {one.name: one.give(mail) for one in (Caps(), Size())}\n",
        ("caps", "kb"),
    );
    python(
        "class Maker:\n    def __init__(self, mail):\n        self.mail = mail\n\n    def make_caps(self):\n        return self.mail[\"subject\"]\n\n    def make_kb(self):\n        return self.mail[\"size\"]\n\n    def run(self):\n        out = {}\n        for name in (\"caps\", \"kb\"):\n            out[name] = getattr(self, f\"make_{name}\")()\n        return out\n\n\ndef handle(mail):\n    return Maker(mail).run()\n",
        ("caps", "kb"),
    );
}

#[test]
fn structures_of_go_give_their_names() {
    go(
        "type scorer struct {\n\tname string\n\tof   func(Mail) any\n}\n\nfunc (s scorer) Name() string       { return s.name }\nfunc (s scorer) Score(m Mail) any   { return s.of(m) }\n\ntype Scorer interface {\n\tName() string\n\tScore(m Mail) any\n}\n\nfunc Handle(m Mail) map[string]any {\n\tall := []Scorer{\n\t\tscorer{\"caps\", func(m Mail) any { return m.Subject }},\n\t\tscorer{\"kb\", func(m Mail) any { return m.Size }},\n\t}\n\tout := map[string]any{}\n\tfor _, s := range all {\n\t\tout[s.Name()] = s.Score(m)\n\t}\n\treturn out\n}\n",
    );
    go(
        "type base struct{ name string }\n\nfunc (b base) Name() string { return b.name }\n\ntype caps struct{ base }\n\nfunc (caps) Score(m Mail) any { return m.Subject }\n\ntype size struct{ base }\n\nfunc (size) Score(m Mail) any { return m.Size }\n\ntype Scorer interface {\n\tName() string\n\tScore(m Mail) any\n}\n\nfunc Handle(m Mail) map[string]any {\n\tout := map[string]any{}\n\tfor _, s := range []Scorer{caps{base{\"caps\"}}, size{base{\"kb\"}}} {\n\t\tout[s.Name()] = s.Score(m)\n\t}\n\treturn out\n}\n",
    );
    go(
        "type job struct {\n\tname string\n\trun  func(Mail) any\n}\n\ntype result struct {\n\tname  string\n\tvalue any\n}\n\nfunc Handle(m Mail) map[string]any {\n\tjobs := []job{\n\t\t{\"caps\", func(m Mail) any { return m.Subject }},\n\t\t{\"kb\", func(m Mail) any { return m.Size }},\n\t}\n\tdone := make(chan result, len(jobs))\n\tfor _, j := range jobs {\n\t\tdone <- result{j.name, j.run(m)}\n\t}\n\tclose(done)\n\tout := map[string]any{}\n\tfor r := range done {\n\t\tout[r.name] = r.value\n\t}\n\treturn out\n}\n",
    );
    let sums = "package app\n\nimport \"fmt\"\n\ntype Mail struct {\n\tSize int `json:\"size\"`\n}\n\nfunc Handle(m Mail) map[string]any {\n\tout := \
                map[string]any{}\n\tfor _, days := range []int{7, 30} {\n\t\tout[fmt.Sprintf(\"sum_%d\", days)] = m.Size * days\n\t}\n\treturn out\n}\n";
    let files = [("go.mod", "module app\n\ngo 1.23\n"), ("app.go", sums)];
    changes(files, "size", &[("sum_7", true), ("sum_30", true)]);
}

#[test]
fn what_callers_name_is_told_apart_and_followed() {
    changes(
        [(
            "app.py",
            "import json\n\n\ndef put(out, name, row):\n    out[name + \"_cents\"] = row[name] * 100\n\n\ndef handle(body):\n    row = json.loads(body)\n    out = {}\n    put(out, \"price\", row)\n    put(out, \"fee\", row)\n    return json.dumps({\"total\": out[\"price_cents\"] + 1})\n",
        )],
        "price",
        &[("price_cents", true), ("fee_cents", false), ("total", true)],
    );
    changes(
        [(
            "app.py",
            "def put(out, name, value):\n    out[\"r_\" + name] = round(value, 2)\n\n\ndef handle(row):\n    out = {}\n    put(out, \"price\", row[\"price_in\"])\n    put(out, \"fee\", row[\"fee_in\"])\n    return out\n",
        )],
        "price_in",
        &[("r_price", true), ("r_fee", false)],
    );
    changes(
        [(
            "app.py",
            "def handle(row, name):\n    out = {}\n    out[\"-\".join([name, \"z\"])] = row[\"x\"]\n    return out\n",
        )],
        "x",
        &[("z", false)],
    );
}

#[test]
fn a_name_of_which_a_part_is_known_is_left_open() {
    let (_folder, reader) = folder([(
        "app.py",
        "def handle(mail, kind):\n    out = {}\n    out[\"m_\" + kind] = mail[\"subject\"]\n    return out\n",
    )]);
    let answer = ask(&reader, "impact", "key:subject", false);
    assert!(names(&answer).contains("[\"m_*\"]"), "{:?}", names(&answer));
    is_open(&answer, "composed-names", "`m_*`");
    let (_folder, reader) = folder([(
        "cache.py",
        "class Cache:\n    def __init__(self):\n        self.known = {}\n\n    def set(self, user, value):\n        self.known[\"user:\" + user] = value\n\n    \
         def get(self, user):\n        return self.known.get(\"user:\" + user)\n\n\ndef handle(row):\n    cache = Cache()\n    cache.set(row[\"id\"], \
         row[\"a\"])\n    out = {\"*\": row[\"b\"]}\n    return cache.get(row[\"id\"]), out\n",
    )]);
    for key in ["a", "b"] {
        let answer = ask(&reader, "impact", &format!("key:{key}"), false);
        let told = answer.verdict.reasons.iter().map(|reason| reason.code.as_str());
        assert!(
            !told.clone().any(|code| code == "composed-names"),
            "{key}: {:?}",
            told.collect::<Vec<_>>()
        );
    }
}

#[test]
fn what_is_registered_gives_what_it_was_made_of() {
    python(
        "import functools\n\nREG = {}\n\n\ndef feature(name):\n    def wrap(function):\n        @functools.wraps(function)\n        def safe(mail):\n            try:\n                return float(function(mail))\n            except ValueError:\n                return 0.0\n\n        REG[name] = safe\n        return safe\n\n    return wrap\n\n\n@feature(\"caps\")\ndef caps(mail):\n    return mail[\"subject\"]\n\n\n@feature(\"kb\")\ndef size(mail):\n    return mail[\"size\"]\n\n\ndef handle(mail):\n    return {name: give(mail) for name, give in REG.items()}\n",
        ("caps", "kb"),
    );
    // What it takes itself is in all of them.
    let scaled = "REG = {}\n\n\ndef feature(name):\n    def wrap(function):\n        def safe(mail):\n            return function(mail) / mail[\"scale\"]\n\n        REG[name] = safe\n        return safe\n\n    return wrap\n\n\n@feature(\"caps\")\ndef caps(mail):\n    return mail[\"subject\"]\n\n\n@feature(\"kb\")\ndef size(mail):\n    return mail[\"size\"]\n\n\ndef handle(mail):\n    return {name: give(mail) for name, give in REG.items()}\n";
    changes([("app.py", scaled)], "scale", &[("caps", true), ("kb", true)]);
}

#[test]
fn what_is_compared_is_put_under_its_key() {
    for test in ["mail[\"subject\"] > 0", "1 if mail[\"subject\"] else 0"] {
        let source = format!(
            "import json, sys\n\n\ndef handle():\n    mail = json.load(sys.stdin)\n    mail[\"caps\"] = {test}\n    mail[\"kb\"] = mail[\"size\"] + 1\n    return mail\n"
        );
        changes(
            [("app.py", source.as_str())],
            "subject",
            &[("caps", true), ("kb", false)],
        );
        changes([("app.py", source.as_str())], "size", &[("caps", false), ("kb", true)]);
    }
}

#[test]
fn a_key_chooses_the_object_that_a_method_makes_grow() {
    let source = "package app\n\nimport (\n\t\"encoding/json\"\n\t\"os\"\n)\n\ntype Mail struct {\n\tSubject string `json:\"subject\"`\n\tSize    int    `json:\"size\"`\n}\n\ntype Sum struct {\n\tTotal int `json:\"total\"`\n}\n\nfunc (s *Sum) add(mail Mail) { s.Total += mail.Size }\n\nfunc Handle() {\n\tvar mails []Mail\n\tjson.NewDecoder(os.Stdin).Decode(&mails)\n\tsums := map[string]*Sum{}\n\tfor _, mail := range mails {\n\t\tsum, ok := sums[mail.Subject]\n\t\tif !ok {\n\t\t\tsum = &Sum{}\n\t\t\tsums[mail.Subject] = sum\n\t\t}\n\t\tsum.add(mail)\n\t}\n\tjson.NewEncoder(os.Stdout).Encode(sums)\n}\n";
    let files = [("go.mod", "module app\n\ngo 1.23\n"), ("app.go", source)];
    changes(files, "subject", &[("total", true)]);
    changes(files, "size", &[("total", true)]);
}

#[test]
fn names_of_arrays_may_have_positions() {
    go(
        "var names = [2]string{1: \"kb\", 0: \"caps\"}\n\nfunc Handle(mail Mail) map[string]any {\n\tvector := []any{mail.Subject, mail.Size}\n\tout := map[string]any{}\n\tfor at, name := range names {\n\t\tout[name] = vector[at]\n\t}\n\treturn out\n}\n",
    );
}

#[test]
fn a_method_of_a_base_class_asks_the_class_below() {
    for (called, call) in [("__call__", "one(mail)"), ("run", "one.run(mail)")] {
        let source = format!(
            "class Feature:\n    def {called}(self, mail):\n        return float(self.of(mail))\n\n\nclass Caps(Feature):\n    name = \"caps\"\n\n    def of(self, mail):\n        return mail[\"subject\"]\n\n\nclass Size(Feature):\n    name = \"kb\"\n\n    def of(self, mail):\n        return mail[\"size\"]\n\n\nALL = [Caps(), Size()]\n\n\ndef handle(mail):\n    return {{one.name: {call} for one in ALL}}\n"
        );
        python(&source, ("caps", "kb"));
    }
    // The class says by which name it asks.
    python(
        "class Feature:\n    source = \"\"\n\n    def of(self, mail):\n        return mail[self.source]\n\n\nclass Caps(Feature):\n    name = \"caps\"\n    source = \"subject\"\n\n\nclass Size(Feature):\n    name = \"kb\"\n    source = \"size\"\n\n\ndef handle(mail):\n    return {one.name: one.of(mail) for one in (Caps(), Size())}\n",
        ("caps", "kb"),
    );
    // What it does besides comes to each.
    let scaled = "class Feature:\n    def run(self, mail):\n        return self.of(mail) * mail[\"scale\"]\n\n\nclass Caps(Feature):\n    name = \"caps\"\n\n    def of(self, mail):\n        return mail[\"subject\"]\n\n\nclass Size(Feature):\n    name = \"kb\"\n\n    def of(self, mail):\n        return mail[\"size\"]\n\n\ndef handle(mail):\n    return {one.name: one.run(mail) for one in (Caps(), Size())}\n";
    changes([("app.py", scaled)], "scale", &[("caps", true), ("kb", true)]);
}

#[test]
fn rows_that_are_copied_keep_what_lies_under_their_keys() {
    for row in [
        "{**mail, \"caps\": mail[\"subject\"] + 1}",
        "dict(mail, caps=mail[\"subject\"] + 1)",
    ] {
        let source = format!(
            "import json, sys\n\n\ndef handle():\n    mails = [json.loads(line) for line in sys.stdin]\n    rows = [{row} for mail in mails]\n    return [{{\"caps\": one[\"caps\"], \"kb\": one[\"size\"]}} for one in rows]\n"
        );
        python(&source, ("caps", "kb"));
    }
    for taken in ["mail.pop(\"size\")", "mail.get(\"size\")"] {
        let source = format!(
            "import json, sys\n\n\ndef handle():\n    mail = json.load(sys.stdin)\n    mail[\"caps\"] = mail[\"subject\"] + 1\n    mail[\"kb\"] = {taken}\n    return mail\n"
        );
        python(&source, ("caps", "kb"));
    }
}
