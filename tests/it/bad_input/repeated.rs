//! One shape written once, a few times, and as often as in a large program: what was found in the first is found in all, or the answer says
//! that it isn't. A budget that is met at the fifth or the twenty-fifth of anything must not lose what goes through the later ones.
//!
//! ```text
//! t# = {}                               # stands for the number: t0, t1, …
//! locked(lambda: put(t#, source))
//! return_ t#["x"]                       the source comes here, in each of them
//! ```

use ripple_extractor::Extraction;
use ripple_schema::{NodeId, Rule};
use rustc_hash::FxHashSet;

use super::pathological::{go, node, python};
use crate::reach::Walk;

/// How often each shape is written. The last is more than any budget lets be kept apart.
const TIMES: [usize; 6] = [1, 5, 9, 25, 70, 300];

/// A shape: what stands once, what is declared once for each, and what the function `run` does for each. `#` is the number; the source must
/// come to `v#`.
struct Shape {
    once: &'static str,
    declared: &'static str,
    done: &'static str,
}

const fn shape(once: &'static str, declared: &'static str, done: &'static str) -> Shape {
    Shape { once, declared, done }
}

const PYTHON: &[Shape] = &[
    // Callbacks that write into tables they see.
    shape(
        "def locked(work):\n    work()\ndef put(table, value):\n    table['x'] = value\n",
        "",
        "    t# = {}\n    locked(lambda: put(t#, source))\n    v# = t#['x']\n",
    ),
    // Tables and lists that one function fills.
    shape(
        "def put(table, value):\n    table['x'] = value\n",
        "",
        "    t# = {}\n    put(t#, source)\n    v# = t#['x']\n",
    ),
    shape(
        "def put(table, value):\n    table.update({'x': value})\n",
        "",
        "    t# = {}\n    put(t#, source)\n    v# = t#['x']\n",
    ),
    shape(
        "def add(rows, value):\n    rows.append(value)\ndef last(rows):\n    return rows[-1]\n",
        "",
        "    r# = []\n    add(r#, source)\n    v# = last(r#)\n",
    ),
    // Objects, classes, members.
    shape(
        "class Box:\n    def __init__(self, value):\n        self.value = value\n    def get(self):\n        return self.value\n",
        "",
        "    b# = Box(source)\n    v# = b#.get()\n",
    ),
    shape(
        "class Base:\n    pass\ndef both(o, value):\n    o.keep(value)\n    return o.get()\n",
        "class K#(Base):\n    def keep(self, value):\n        self.f# = value\n    def get(self):\n        return self.f#\n",
        "    v# = both(K#(), source)\n",
    ),
    shape(
        "class Box:\n    pass\nbox = Box()\n",
        "def fill#(box, value):\n    box.f# = value\ndef read#(box):\n    return box.f#\n",
        "    fill#(box, source)\n    v# = read#(box)\n",
    ),
    // Keys and globals.
    shape(
        "table = {}\n",
        "def put#(value):\n    table['k#'] = value\ndef get#():\n    return table['k#']\n",
        "    put#(source)\n    v# = get#()\n",
    ),
    shape(
        "current = ''\n",
        "def set#(value):\n    global current\n    current = value\ndef get#():\n    return current\n",
        "    set#(source)\n    v# = get#()\n",
    ),
    shape(
        "table = {}\ndef put(table, key, value):\n    table[key] = value\ndef get(table, key):\n    return table[key]\n",
        "",
        "    put(table, 'k#', source)\n    v# = get(table, 'k#')\n",
    ),
    // Functions as values.
    shape(
        "TABLE = {}\ndef register(name):\n    def inner(function):\n        TABLE[name] = function\n        return function\n    return inner\n\
         def call(key, value):\n    return TABLE[key](value)\n",
        "@register('k#')\ndef h#(value):\n    return value\n",
        "    v# = call('k#', source)\n",
    ),
    shape(
        "def wrap(function):\n    def inner(value):\n        return function(value)\n    return inner\n",
        "@wrap\ndef h#(value):\n    return value\n",
        "    v# = h#(source)\n",
    ),
    // Generators and chains of calls.
    shape(
        "def each(rows):\n    for row in rows:\n        yield row\n",
        "",
        "    for w# in each([source]):\n        v# = w#\n",
    ),
    shape(
        "class B:\n    def __init__(self):\n        self.parts = []\n    def add(self, x):\n        self.parts.append(x)\n        return self\n    \
         def build(self):\n        return ''.join(self.parts)\n",
        "",
        "    v# = B().add('a').add(source).build()\n",
    ),
];

const GO: &[Shape] = &[
    shape(
        "func locked(work func()) { work() }\nfunc put(t map[string]string, value string) { t[\"x\"] = value }\n",
        "",
        "\tt# := map[string]string{}\n\tlocked(func() { put(t#, source) })\n\tv# := t#[\"x\"]\n",
    ),
    shape(
        "func locked(work func()) { work() }\n",
        "",
        "\ts# := \"\"\n\tlocked(func() { s# = source })\n\tv# := s#\n",
    ),
    shape(
        "type box struct{ value string }\nfunc locked(work func()) { work() }\n",
        "",
        "\tb# := &box{}\n\tlocked(func() { b#.value = source })\n\tv# := b#.value\n",
    ),
    shape(
        "func with(work func() string) string { return work() }\n",
        "",
        "\tv# := with(func() string { return source })\n",
    ),
    shape(
        "type box struct{ value string }\nfunc (b *box) set(value string) { b.value = value }\nfunc (b *box) get() string { return b.value }\n\
         func newBox() *box { return &box{} }\n",
        "",
        "\tb# := newBox()\n\tb#.set(source)\n\tv# := b#.get()\n",
    ),
    shape(
        "type keeper interface {\n\tkeep(value string)\n\tget() string\n}\n\
         func both(k keeper, value string) string {\n\tk.keep(value)\n\treturn k.get()\n}\n",
        "type k# struct{ f string }\nfunc (k *k#) keep(value string) { k.f = value }\nfunc (k *k#) get() string { return k.f }\n",
        "\tv# := both(&k#{}, source)\n",
    ),
    shape(
        "var table = map[string]string{}\n",
        "func put#(value string) { table[\"k#\"] = value }\nfunc get#() string { return table[\"k#\"] }\n",
        "\tput#(source)\n\tv# := get#()\n",
    ),
    shape(
        "var current string\n",
        "func set#(value string) { current = value }\nfunc get#() string { return current }\n",
        "\tset#(source)\n\tv# := get#()\n",
    ),
    shape(
        "var t = map[string]string{}\nfunc put(t map[string]string, key, value string) { t[key] = value }\n\
         func get(t map[string]string, key string) string { return t[key] }\n",
        "",
        "\tput(t, \"k#\", source)\n\tv# := get(t, \"k#\")\n",
    ),
    shape(
        "func put(t map[string]string, value string) { t[\"x\"] = value }\n",
        "",
        "\tt# := map[string]string{}\n\tput(t#, source)\n\tv# := t#[\"x\"]\n",
    ),
    shape(
        "func add(rows []string, value string) []string { return append(rows, value) }\n",
        "",
        "\tvar r# []string\n\tr# = add(r#, source)\n\tv# := r#[0]\n",
    ),
    shape(
        "func send(c chan string, value string) { c <- value }\n",
        "",
        "\tc# := make(chan string, 1)\n\tsend(c#, source)\n\tv# := <-c#\n",
    ),
    shape(
        "func set(p *string, value string) { *p = value }\n",
        "",
        "\tvar s# string\n\tset(&s#, source)\n\tv# := s#\n",
    ),
    shape(
        "var handlers = map[string]func(string) string{}\nfunc register(key string, f func(string) string) { handlers[key] = f }\n\
         func call(key, value string) string { return handlers[key](value) }\n",
        "func h#(value string) string { return value }\nfunc init() { register(\"k#\", h#) }\n",
        "\tv# := call(\"k#\", source)\n",
    ),
];

/// A text once for each number.
fn each(text: &str, times: usize) -> String {
    (0..times)
        .map(|number| text.replace('#', &number.to_string()))
        .collect()
}

/// Looks for the source in each `v#`.
#[track_caller]
fn held(extraction: &Extraction, shape: &Shape, times: usize) {
    let walk = Walk::new(&extraction.graph, false);
    let reached: FxHashSet<NodeId> = walk.reach(node(extraction, "parameter", "run.source").id);
    let lost = (0..times).find(|number| !reached.contains(&node(extraction, "local", &format!("run.v{number}")).id));
    let is_told = || {
        let mut outgoing = reached.iter().flat_map(|reached| walk.outgoing(*reached));
        outgoing.any(|edge| edge.rule == Rule::OverBudget)
    };
    if let Some(number) = lost {
        assert!(
            times > 256 && is_told(),
            "nothing comes to v{number} of {times}:\n{}{}",
            shape.declared,
            shape.done
        );
    }
}

/// Writes each shape as often as there are [`TIMES`]: around what is done there, a language puts the function `run`.
#[track_caller]
fn all_held(shapes: &[Shape], extract: fn(String) -> Extraction, run: fn(done: &str, values: &str) -> String) {
    for shape in shapes {
        for times in TIMES {
            let run = run(&each(shape.done, times), &each("v#, ", times));
            let code = format!("{}{}{run}", shape.once, each(shape.declared, times));
            held(&extract(code), shape, times);
        }
    }
}

#[test]
fn nothing_is_lost_in_python_however_often_a_shape_is_written() {
    all_held(PYTHON, python, |done, values| {
        format!("def run(source):\n{done}    return {values}\n")
    });
}

#[test]
fn nothing_is_lost_in_go_however_often_a_shape_is_written() {
    all_held(GO, go, |done, values| {
        format!("func use(v ...string) {{}}\nfunc run(source string) {{\n{done}\tuse({values})\n}}\n")
    });
}
