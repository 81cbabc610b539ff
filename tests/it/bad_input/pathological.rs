//! Source that is larger, deeper or more tangled than a person writes: the graph grows with it and no faster, and what a budget cuts is said in
//! the status and in the verdict.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use ripple_extractor::Extraction;
use ripple_schema::{EdgeKind, Node, Rule};
use serde_json::Value;

use crate::program::{Run, run};
use crate::reach::Walk;
use crate::support::{edges_fit_the_schema, extract_folder, folder_of};

/// Lines, one for each number.
fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, number| {
        _ = writeln!(text, "{}", line(number));
        text
    })
}

pub(super) fn python(text: impl AsRef<str>) -> Extraction {
    let folder = folder_of([("a.py", text.as_ref())]);
    extract_folder(folder.path())
}

pub(super) fn go(text: impl AsRef<str>) -> Extraction {
    let folder = folder_of([("a.go", format!("package main\n\n{}", text.as_ref()).as_str())]);
    extract_folder(folder.path())
}

/// The one node of a kind and name.
#[track_caller]
pub(super) fn node<'g>(extraction: &'g Extraction, kind: &str, name: &str) -> &'g Node {
    let mut nodes = extraction.graph.nodes.iter();
    let found = nodes.find(|node| node.kind == kind && (node.name == name || node.qualified_name.ends_with(name)));
    found.unwrap_or_else(|| panic!("there is no {kind} {name}"))
}

/// Whether what is in a parameter of a function comes out of it.
fn comes_out(extraction: &Extraction, parameter: &str, function: &str) -> bool {
    let from = node(extraction, "parameter", parameter).id;
    let result = node(extraction, "result", &format!("{function}.result"));
    Walk::new(&extraction.graph, false).reach(from).contains(&result.id)
}

/// Code of some size: four times as much of it makes at most so many times as large a graph.
#[track_caller]
fn grows(language: fn(String) -> Extraction, size: usize, code: impl Fn(usize) -> String) -> Extraction {
    let small = language(code(size / 4));
    let large = language(code(size));
    edges_fit_the_schema(&large.graph);
    let parts = |extraction: &Extraction| extraction.graph.nodes.len() + extraction.graph.edges.len();
    assert!(
        parts(&large) <= 5 * parts(&small) + 1_000,
        "four times the code: {} nodes and edges, and {} before",
        parts(&large),
        parts(&small)
    );
    large
}

const LONG: usize = 20_000;

#[test]
fn twenty_thousand_assignments_in_python() {
    let text = |code: String| format!("def f(v0, x, p):\n{code}    return v{LONG}\n");
    let chain = python(text(lines(LONG, |i| format!("    v{} = v{i}", i + 1))));
    assert!(comes_out(&chain, "v0", "f"));
    let one = grows(python, LONG, |count| {
        let code = lines(count, |i| format!("    x = x + {i}"));
        format!("def f(v0, x):\n{code}    return x\n")
    });
    assert!(comes_out(&one, "x", "f"));
    for body in [
        "if p > {}:\n        x = x + p",
        "for i in p:\n        x = x + i",
        "if p > {}:\n        x = p",
    ] {
        let branches = grows(python, LONG / 2, |count| {
            let code = lines(count, |i| format!("    {}", body.replace("{}", &i.to_string())));
            format!("def f(p, x):\n{code}    return x\n")
        });
        assert!(
            comes_out(&branches, "p", "f") && comes_out(&branches, "x", "f"),
            "{body}"
        );
    }
    grows(python, LONG / 2, |count| {
        let first = lines(count, |i| format!("    v{i} = p"));
        let again = lines(count, |i| format!("        v{i} = v{}", (i * 7 + 1) % count));
        format!("def f(p):\n{first}    while p:\n{again}    return v0\n")
    });
}

#[test]
fn twenty_thousand_assignments_in_go() {
    let chain = go(format!(
        "func f(v0 int) int {{\n{}\treturn v{LONG}\n}}\n",
        lines(LONG, |i| format!("\tv{} := v{i}", i + 1))
    ));
    assert!(comes_out(&chain, "v0", "f"));
    for body in [
        "x = x + p",
        "if p > {} {\n\t\tx = x + p\n\t}",
        "for _, i := range q {\n\t\tx = x + i\n\t}",
    ] {
        let branches = grows(go, LONG / 2, |count| {
            let code = lines(count, |i| format!("\t{}", body.replace("{}", &i.to_string())));
            format!("func f(p int, q []int) int {{\n\tx := 0\n{code}\treturn x\n}}\n")
        });
        let from = if body.contains("q {") { "q" } else { "p" };
        assert!(comes_out(&branches, from, "f"), "{body}");
    }
    let jumps = grows(go, LONG / 4, |count| {
        let code = lines(count, |i| {
            format!(
                "L{i}:\n\tx = x + p\n\tif x > {i} {{\n\t\tgoto L{}\n\t}}",
                (i * 7 + 1) % count
            )
        });
        format!("func f(p int) int {{\n\tx := 0\n{code}\treturn x\n}}\n")
    });
    let told = |line: &str| {
        jumps
            .graph
            .diagnostics
            .iter()
            .any(|told| told.code == "budget" && told.message.contains(line))
    };
    assert!(told("labels that `goto` goes back to"), "{:?}", jumps.graph.diagnostics);
}

#[test]
fn tables_of_fifty_thousand_functions() {
    let size = 50_000;
    for (asked, known) in [
        ("T['k7'](p)", true),
        ("T[k](p)", false),
        ("[h(p) for h in T.values()]", false),
    ] {
        let table = grows(python, size, |count| {
            let code = lines(count, |i| format!("    'k{i}': lambda x: x + {i},"));
            format!("T = {{\n{code}}}\ndef f(p, k):\n    return {asked}\n")
        });
        let called = calls_of(&table, "a.f");
        assert_eq!(cut(&table).is_empty(), known, "{asked}");
        assert_eq!(called == 1, known, "{asked}: {called} callees");
    }
    let table = grows(go, size, |count| {
        let code = lines(count, |i| format!("\t\"k{i}\": func(x int) int {{ return x + {i} }},"));
        format!("var T = map[string]func(int) int{{\n{code}}}\n\nfunc f(p int, k string) int {{ return T[k](p) }}\n")
    });
    assert!(!cut(&table).is_empty());
    grows(python, 2 * size, |count| {
        let code = lines(count, |i| format!("    'k{i}': ('v{i}', {i}),"));
        format!("T = {{\n{code}}}\ndef f(k):\n    return T[k][0]\n")
    });
}

#[test]
fn two_hundred_classes_deep() {
    let classes = grows(python, 200, |count| {
        let classes = lines(count - 1, |i| {
            format!(
                "class C{}(C{i}):\n    def m(self, v):\n        return super().m(v)",
                i + 1
            )
        });
        format!(
            "class C0:\n    def m(self, v):\n        return v\n{classes}def f(w):\n    return C{}().m(w)\n",
            count - 1
        )
    });
    assert!(comes_out(&classes, "w", "f"));
    let embedded = grows(go, 200, |count| {
        let types = lines(count - 1, |i| format!("type C{} struct {{\n\tC{i}\n}}", i + 1));
        format!(
            "type C0 struct{{}}\n\nfunc (c C0) M(v int) int {{ return v }}\n\n{types}\nfunc f(w int) int {{ return C{}{{}}.M(w) }}\n",
            count - 1
        )
    });
    assert!(comes_out(&embedded, "w", "f"));
    let interfaces = go(format!(
        "type I0 interface{{ M0() }}\n{}type T struct{{}}\n{}func f(i I0) {{ i.M0() }}\n",
        lines(199, |i| format!(
            "type I{} interface {{\n\tI{i}\n\tM{}()\n}}",
            i + 1,
            i + 1
        )),
        lines(200, |i| format!("func (T) M{i}() {{}}"))
    ));
    let implemented = edges(&interfaces, EdgeKind::Implements).count();
    assert!(implemented >= 200, "{implemented} of 200 interfaces are implemented");
}

#[test]
fn what_everybody_fills_and_reads() {
    grows(python, 5_000, |count| {
        let code = lines(count, |i| {
            format!("def f{i}(x):\n    ALL.append(x)\n    state.v = x\n    return ALL[0], state.v")
        });
        format!("class S: pass\nstate = S()\nALL = []\n{code}")
    });
    grows(python, 4_000, |count| {
        let code = lines(count, |i| format!("    a.append(p{})\n    b{i} = a[0]", i % 4));
        format!("def f(p0, p1, p2, p3):\n    a = []\n{code}    return a\n")
    });
    grows(python, 4_000, |count| {
        let code = lines(count, |i| format!("    hs.append(lambda: x)\n    x = p + {i}"));
        format!("def f(p):\n    x = p\n    hs = []\n{code}    return hs\n")
    });
    let kept = grows(python, 2_000, |count| {
        let code = lines(count, |i| {
            format!("@register('h{i}')\ndef h{i}(x):\n    return x\ndef u{i}(x): return h{i}(x)")
        });
        format!("{REGISTER}{code}")
    });
    // Each decorated function is itself, however many there are.
    assert!(
        edges(&kept, EdgeKind::Calls)
            .filter(|edge| edge.rule == Rule::OverBudget)
            .count()
            <= 1
    );
    assert!(comes_out(&kept, "u1999.x", "u1999"));
}

const REGISTER: &str = "all = {}\ndef put(name, given):\n    all[name] = given\n    return given\ndef register(name):\n    def inner(given):\n        \
    return put(name, given)\n    return inner\n";

#[test]
fn calls_that_lead_everywhere() {
    grows(python, 1_000, |count| {
        lines(count, |i| {
            format!(
                "def f{i}(x, y):\n    return f{}(y, x) or f{}(x, y)",
                (i + 1) % count,
                (i * 7 + 3) % count
            )
        })
    });
    let handed = grows(python, 300, |count| {
        let code = lines(count - 1, |i| {
            format!("def f{}(**kwargs):\n    return f{i}(k{i}=1, **kwargs)", i + 1)
        });
        format!(
            "def f0(**kwargs):\n    return kwargs['a']\n{code}def f(w):\n    return f{}(a=w)\n",
            count - 1
        )
    });
    assert!(comes_out(&handed, "w", "f"));
    let wrapped = grows(python, 100, |count| {
        let code = lines(count, |i| {
            format!("def d{i}(g):\n    def w{i}(*args, **kw):\n        return g(*args, **kw)\n    return w{i}")
        });
        format!(
            "{code}{}def target(x):\n    return x\ndef f(w): return target(w)\n",
            lines(count, |i| format!("@d{i}"))
        )
    });
    let target = node(&wrapped, "function", "target").id;
    assert!(edges(&wrapped, EdgeKind::Calls).any(|edge| edge.to == target));
    let types = grows(go, 500, |count| {
        let code = lines(count, |i| {
            format!(
                "type T{i} struct{{}}\n\nfunc (T{i}) M(v int) int {{ return v }}\n\nfunc g{i}(t I) int {{ return t.M({i}) }}"
            )
        });
        let made = lines(count, |i| format!("\tg{i}(T{i}{{}})"));
        format!("type I interface{{ M(int) int }}\n{code}\nfunc main() {{\n{made}}}\n")
    });
    assert!(cut(&types).is_empty());
}

fn edges(extraction: &Extraction, kind: EdgeKind) -> impl Iterator<Item = &ripple_schema::Edge> {
    extraction.graph.edges.iter().filter(move |edge| edge.kind == kind)
}

/// How many functions of the index a function calls.
fn calls_of(extraction: &Extraction, function: &str) -> usize {
    let from = node(extraction, "function", function).id;
    let calls = edges(extraction, EdgeKind::Calls).filter(|edge| edge.from == from && !edge.rule.is_unresolved());
    calls.map(|edge| edge.to).collect::<BTreeSet<_>>().len()
}

/// The names of what a budget left out.
fn cut(extraction: &Extraction) -> BTreeSet<&str> {
    let cut: BTreeSet<_> = edges(extraction, EdgeKind::Calls)
        .filter(|edge| edge.rule == Rule::OverBudget)
        .map(|edge| edge.to)
        .collect();
    let nodes = extraction.graph.nodes.iter().filter(|node| cut.contains(&node.id));
    nodes.map(|node| node.name.as_str()).collect()
}

/// A table of handlers in both languages, one of which is called by a key that nobody knows.
fn handlers(count: usize) -> tempfile::TempDir {
    let python = lines(count, |i| format!("def p{i}(x):\n    return x"));
    let table = lines(count, |i| format!("    'k{i}': p{i},"));
    let python =
        format!("{python}T = {{\n{table}}}\ndef run(key, value):\n    return T[key](value)\ndef alone(): pass\n");
    let go = lines(count, |i| format!("func g{i}(x int) int {{ return x }}"));
    let table = lines(count, |i| format!("\t\"k{i}\": g{i},"));
    let go = format!(
        "package main\n\n{go}\nvar table = map[string]func(int) int{{\n{table}}}\n\nfunc run(key string, value int) int {{ return table[key](value) }}\n"
    );
    folder_of([("a.py", python.as_str()), ("a.go", go.as_str())])
}

/// What a subscript calls is library code, which reads and writes parts of the same object: asked for a part, it is not asked again.
#[test]
fn a_subscript_that_library_code_answers_is_one_call() {
    let answered = python(
        "class Shown:
    def show(self): return str(self)
class Errors(dict, Shown):
    def __init__(self, *given, **named):
        super().__init__(*given, **named)
def add(errors, name, text):
    errors[name] = text
    return errors['name']
def run(text):
    return add(Errors(), 'name', text)
",
    );
    assert!(
        answered.graph.diagnostics.is_empty(),
        "{:?}",
        answered.graph.diagnostics
    );
    assert!(comes_out(&answered, "text", "run"));
}

/// The verdict of an answer: its level, and the codes of its reasons.
#[track_caller]
fn verdict(folder: &std::path::Path, arguments: &[&str]) -> (String, Vec<String>) {
    let told: Value = run(folder, &[arguments, &["--format", "json"]].concat()).ok().json();
    let reasons = told["verdict"]["reasons"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let codes = reasons.iter().map(|reason| text(&reason["code"])).collect();
    (text(&told["verdict"]["level"]), codes)
}

#[test]
fn what_a_budget_cuts_is_said() {
    let folder = handlers(400);
    run(folder.path(), &["index"]).ok();
    let Run { out: status, .. } = run(folder.path(), &["status", "--files"]).ok();
    assert!(status.contains("2 calls go to more than 256 functions"), "{status}");
    let left_out = cut_names(folder.path());
    for prefix in ["p", "g"] {
        let missing: Vec<&String> = left_out.iter().filter(|name| name.starts_with(prefix)).collect();
        assert_eq!(missing.len(), 400 - 256, "{left_out:?}");
        let (level, codes) = verdict(folder.path(), &["callers", missing[0]]);
        assert_eq!(
            (level.as_str(), codes.contains(&"budget".to_owned())),
            ("unknown", true),
            "{}: {codes:?}",
            missing[0]
        );
        let found = (0..400)
            .map(|i| format!("{prefix}{i}"))
            .find(|name| !left_out.contains(name));
        let (level, _) = verdict(folder.path(), &["callers", &found.expect("some fit")]);
        assert_eq!(level, "complete");
    }
    for run in ["a.run", "main.run"] {
        let (level, codes) = verdict(folder.path(), &["callees", run, "--limit", "1000"]);
        assert_eq!(
            (level.as_str(), codes),
            ("lower bound", vec!["budget".to_owned()]),
            "{run}"
        );
    }
    let (level, codes) = verdict(folder.path(), &["impact", "a.run.value", "--limit", "5000"]);
    assert_eq!((level.as_str(), codes), ("lower bound", vec!["budget".to_owned()]));
    assert_eq!(verdict(folder.path(), &["callers", "alone"]).0, "complete");
}

#[test]
fn what_fits_is_whole() {
    let folder = handlers(200);
    run(folder.path(), &["index"]).ok();
    let Run { out: status, .. } = run(folder.path(), &["status", "--files"]).ok();
    assert!(!status.contains("budget"), "{status}");
    assert_eq!(cut_names(folder.path()), BTreeSet::new());
    for run in ["a.run", "main.run"] {
        assert_eq!(
            verdict(folder.path(), &["callees", run, "--limit", "1000"]).0,
            "complete"
        );
    }
}

fn cut_names(folder: &std::path::Path) -> BTreeSet<String> {
    let query = "MATCH (:Function)-[c:CALLS {rule: 'over-budget'}]->(e:External) RETURN DISTINCT e.name";
    let names = crate::program::column(folder, query).into_iter();
    names
        .map(|name| name.as_str().unwrap_or_default().to_owned())
        .filter(|name| !name.starts_with('T'))
        .collect()
}
