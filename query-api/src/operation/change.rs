//! Changes: a unified diff, and the symbols whose lines it touches.
//!
//! ```text
//! --- a/shop/bill.py        a hunk of lines 10 to 12 of the new file, of which line 11 is new, touches
//! +++ b/shop/bill.py        the innermost function, type or field around line 11, and no more
//! @@ -10,2 +10,3 @@
//! ```
//!
//! The index holds one state of the source. Where it holds the state after the change, lines of the new side count; lines that are gone count
//! at the place where they were, and what they declared is looked for by its name. Where it holds the state before, lines of the old side count.
//! A file that the index does not know is told as such.

use std::collections::{BTreeMap, BTreeSet};

use ripple_graphdb::{Limits, Value};
use ripple_schema::{NodeId, NodeKind};
use serde_json::json;
use unidiff::PatchSet;

use super::Room;
use crate::Error;
use crate::view::{ChangeKind, Changed};

/// What a diff touches.
#[derive(Debug, Default)]
pub struct Touched {
    /// The symbols, each with the lines that touch it.
    pub changed: Vec<Changed>,
    /// Source files that the index does not hold.
    pub unknown: Vec<String>,
    /// Names of functions, types and fields that are declared no more where they were.
    pub gone: Vec<String>,
}

/// Lines of one file that a diff touches, in the numbers of the new file.
#[derive(Debug, Default, PartialEq, Eq)]
struct Lines {
    file: String,
    added: Vec<u32>,
    /// Where lines were taken out: the line that now stands there.
    removed: Vec<u32>,
    /// Lines of the old file in whose place others were put.
    replaced: Vec<u32>,
    /// Before which lines others were put in, in the numbers of the old file.
    inserted: Vec<u32>,
    /// The whole file goes by another name now.
    is_renamed: bool,
    /// The texts of lines that were put in, and of those that were taken out, the latter with their old numbers.
    new_texts: Vec<String>,
    old_texts: Vec<(u32, String)>,
}

impl Lines {
    /// Whether this source is that of before the change: it has the lines that are gone, and not those that are new.
    fn is_before(&self, source: &str) -> bool {
        let lines: Vec<&str> = source.lines().collect();
        let line = |number: u32| lines.get((number as usize).checked_sub(1)?).map(|line| line.trim_end());
        let has = |number: u32, text: &str| line(number) == Some(text.trim_end());
        let mut new = self.added.iter().zip(&self.new_texts);
        let is_after = !self.added.is_empty() && new.all(|(number, text)| has(*number, text));
        let mut old = self.old_texts.iter();
        !is_after && !self.old_texts.is_empty() && old.all(|(number, text)| has(*number, text))
    }

    /// The same lines in the numbers of the old file.
    fn before(self) -> Self {
        Self {
            added: self.replaced.clone(),
            removed: self.old_texts.iter().map(|(number, _)| *number).collect(),
            ..self
        }
    }

    /// All lines of a file that is there no more.
    fn all_of(self, source: &str) -> Self {
        let count = u32::try_from(source.lines().count()).unwrap_or(u32::MAX);
        Self {
            removed: (1..=count).collect(),
            ..self
        }
    }

    /// Whether lines that are gone declared this.
    fn had(&self, name: &str) -> bool {
        self.old_texts.iter().any(|(_, line)| declared_in(line) == Some(name))
    }

    /// What lines that are gone declared and lines that are new do not.
    fn gone(&self) -> impl Iterator<Item = String> + '_ {
        let kept: BTreeSet<&str> = self.new_texts.iter().filter_map(|line| declared_in(line)).collect();
        let old = not_inside(self.old_texts.iter().map(|(_, line)| line.as_str())).filter_map(declared_in);
        let gone: BTreeSet<&str> = old.filter(|name| !kept.contains(name)).collect();
        gone.into_iter().map(str::to_owned)
    }
}

/// Of lines that stand one below the other, those that are not in the body of a function which is among them: what that declares is its own.
fn not_inside<'l>(lines: impl Iterator<Item = &'l str>) -> impl Iterator<Item = &'l str> {
    let mut around: Option<usize> = None;
    lines.filter(move |line| {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if text.is_empty() || around.is_some_and(|around| indent > around) {
            return false;
        }
        let is_function = ["async def ", "def ", "func "]
            .iter()
            .any(|head| text.starts_with(head));
        around = is_function.then_some(indent);
        true
    })
}

/// The name that a line declares, as it looks: `def name(`, `class Name`, `func (r *T) Name(`, `type Name`, `const name`, `name: int`, `name = "x"`.
fn declared_in(line: &str) -> Option<&str> {
    fn word(text: &str) -> (&str, &str) {
        let end = text.find(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        text.split_at(end.unwrap_or(text.len()))
    }
    let line = line.trim_start();
    let heads = ["async def ", "def ", "class ", "type ", "func ", "const ", "var "];
    if let Some(rest) = heads.into_iter().find_map(|head| line.strip_prefix(head)) {
        let method = rest.strip_prefix('(').and_then(|receiver| receiver.split_once(')'));
        let rest = method.map_or(rest, |(_, rest)| rest.trim_start());
        return Some(word(rest).0).filter(|name| !name.is_empty());
    }
    let (name, rest) = word(line);
    let rest = rest.trim_start();
    let declares = rest.starts_with(':') && !rest.starts_with(":=") || rest.starts_with('=') && !rest.starts_with("==");
    let is_name = name.starts_with(|first: char| first.is_alphabetic() || first == '_');
    let is_keyword = matches!(name, "else" | "try" | "finally" | "default" | "lambda");
    (declares && is_name && !is_keyword).then_some(name)
}

/// The symbols that a unified diff touches.
pub fn touched(room: &Room<'_>, diff: &str) -> Result<Touched, Error> {
    let mut touched = Touched::default();
    let files = room.reader.files()?;
    for lines in parse(diff)? {
        let known = files.iter().find(|file| {
            file.path == lines.file
                || file.path.ends_with(&format!("/{}", lines.file))
                || lines.file.ends_with(&format!("/{}", file.path))
        });
        match known {
            Some(file) => {
                let source = room.reader.source(&file.path)?.unwrap_or_default();
                let lines = if lines.is_renamed {
                    lines.all_of(&source)
                } else if lines.is_before(&source) {
                    lines.before()
                } else {
                    touched.gone.extend(lines.gone());
                    Lines {
                        inserted: Vec::new(),
                        ..lines
                    }
                };
                in_file(room, &file.path, &lines, &mut touched.changed)?;
            }
            None if ripple_extractor::discover::is_source(&lines.file) => touched.unknown.push(lines.file),
            None => {}
        }
    }
    Ok(touched)
}

fn parse(diff: &str) -> Result<Vec<Lines>, Error> {
    let mut patch = PatchSet::new();
    let wrong = |why: String| Error::Parameter {
        name: "diff".into(),
        message: format!("it is not a unified diff ({why}); `git diff` writes one"),
    };
    // The parser panics on numbers that no line has.
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| patch.parse(diff)))
        .map_err(|_| wrong("a number in it is out of range".into()))?
        .map_err(|error| wrong(error.to_string()))?;
    let mut files: Vec<Lines> = renamed(diff).collect();
    for file in patch.files() {
        let mut lines = Lines::default();
        for hunk in file.hunks() {
            let (mut old, mut new) = ((hunk.source_start as u32).max(1), hunk.target_start as u32);
            // Lines that are gone just above: those that follow are in their place.
            let (mut gone, mut placed): (Vec<u32>, usize) = (Vec::new(), 0);
            for line in hunk.lines() {
                match line.line_type.as_str() {
                    "+" => {
                        lines.added.push(new);
                        match gone.get(placed).or(gone.last()) {
                            Some(replaced) => lines.replaced.push(*replaced),
                            None => lines.inserted.push(old),
                        }
                        placed += 1;
                        lines.new_texts.push(line.value.clone());
                        new += 1;
                    }
                    "-" => {
                        gone.push(old);
                        lines.removed.push(new.max(1));
                        lines.old_texts.push((old, line.value.clone()));
                        old += 1;
                    }
                    " " | "" => {
                        (old, new) = (old + 1, new + 1);
                        gone.clear();
                        placed = 0;
                    }
                    _ => {}
                }
            }
        }
        let path = match file.target_file.as_str() {
            "/dev/null" => &file.source_file,
            path => path,
        };
        let path = path
            .strip_prefix("a/")
            .or_else(|| path.strip_prefix("b/"))
            .unwrap_or(path);
        lines.file = path.into();
        files.push(lines);
    }
    if files.is_empty() && !diff.trim().is_empty() {
        return Err(Error::Parameter {
            name: "diff".into(),
            message: "it holds no file; `git diff` writes a unified diff".into(),
        });
    }
    Ok(files)
}

/// Files that have another name and are the same.
fn renamed(diff: &str) -> impl Iterator<Item = Lines> + '_ {
    let names = diff.lines().filter_map(|line| line.strip_prefix("rename from "));
    names.map(|name| Lines {
        file: name.to_owned(),
        is_renamed: true,
        ..Lines::default()
    })
}

/// A diff with another beginning of its paths.
pub fn below(diff: &str, prefix: &str) -> String {
    if prefix.is_empty() {
        return diff.to_owned();
    }
    let mut text = String::with_capacity(diff.len());
    for line in diff.split_inclusive('\n') {
        match line.split_once("/") {
            Some((head @ ("--- a" | "+++ b"), rest)) => text.push_str(&format!("{head}/{prefix}/{rest}")),
            _ => match line.strip_prefix("rename from ") {
                Some(name) => text.push_str(&format!("rename from {prefix}/{name}")),
                None => text.push_str(line),
            },
        }
    }
    text
}

/// A symbol and the lines it spans.
struct Span {
    node: u32,
    first: u32,
    last: u32,
}

fn in_file(room: &Room<'_>, file: &str, lines: &Lines, changed: &mut Vec<Changed>) -> Result<(), Error> {
    let spans = spans(room, file)?;
    let mut by_node: BTreeMap<u32, (u32, u32, bool, bool)> = BTreeMap::new();
    let added = lines.added.iter().map(|line| (*line, true));
    let removed = lines.removed.iter().map(|line| (*line, false));
    let inserted = lines.inserted.iter().map(|line| (*line, true));
    let all = added.chain(removed).map(|(line, is_added)| (line, is_added, line));
    // What is put in before the first line of something is not in it.
    let all = all.chain(inserted.map(|(line, is_added)| (line, is_added, line.saturating_sub(1))));
    for (line, is_added, before) in all {
        let is_around = |span: &&Span| (span.first..=span.last).contains(&line) && span.first <= before;
        let around = spans.iter().filter(is_around);
        if let Some(span) = around.min_by_key(|span| span.last - span.first) {
            let entry = by_node.entry(span.node).or_insert((line, line, false, false));
            *entry = (
                entry.0.min(line),
                entry.1.max(line),
                entry.2 | is_added,
                entry.3 | !is_added,
            );
        }
    }
    for (node, (first, last, added, removed)) in by_node {
        let whole = spans.iter().find(|span| span.node == node);
        let is_new = whole.is_some_and(|span| (span.first..=span.last).all(|line| lines.added.contains(&line)));
        let is_new = is_new && !lines.had(&room.net.card(node)?.name);
        changed.push(Changed {
            node: room.net.id(node).0,
            file: file.into(),
            lines: (first, last),
            change: match (is_new, added, removed) {
                (true, ..) => ChangeKind::Added,
                (_, false, true) => ChangeKind::Removed,
                _ => ChangeKind::Modified,
            },
        });
    }
    Ok(())
}

fn spans(room: &Room<'_>, file: &str) -> Result<Vec<Span>, Error> {
    let mut spans = Vec::new();
    for label in [NodeKind::Function, NodeKind::Type, NodeKind::Field, NodeKind::Variable] {
        // A module's body spans the whole file: its globals stand for it.
        let only = match label {
            NodeKind::Variable => " AND n.kind IN ['global', 'constant']",
            NodeKind::Function => " AND n.kind <> 'initializer'",
            _ => "",
        };
        let text = format!("MATCH (n:{label}) WHERE n.file = $file{only} RETURN n.id, n.line, n.end_line");
        let params = BTreeMap::from([("file".to_owned(), json!(file))]);
        let limits = Limits {
            rows: 200_000,
            ..Limits::default()
        };
        let rows = room.reader.query(&text, &params, &limits)?;
        spans.extend(rows.rows.iter().filter_map(|row| match row.as_slice() {
            [Value::Int(id), Value::Int(first), Value::Int(last)] => Some(Span {
                node: room.net.index(NodeId(*id))?,
                first: u32::try_from(*first).ok()?,
                last: u32::try_from(*last.max(first)).ok()?,
            }),
            _ => None,
        }));
    }
    Ok(spans)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_count_as_in_the_new_file() {
        let diff = "--- a/x.py\n+++ b/x.py\n@@ -1,3 +1,3 @@\n a = 1\n-b = 2\n+b = 3\n c = 3\n@@ -10,2 +10,1 @@\n d = 1\n-e = 2\n";
        let lines = parse(diff).unwrap_or_default();
        let expected = Lines {
            file: "x.py".into(),
            added: vec![2],
            removed: vec![2, 11],
            replaced: vec![2],
            inserted: vec![],
            is_renamed: false,
            new_texts: vec!["b = 3".into()],
            old_texts: vec![(2, "b = 2".into()), (11, "e = 2".into())],
        };
        assert_eq!(lines, [expected]);
    }

    #[test]
    fn what_is_put_in_stands_before_a_line_and_what_is_renamed_has_none() {
        let diff = "diff --git a/y.py b/z.py\nsimilarity index 100%\nrename from y.py\nrename to z.py\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,3 @@\n a = \
                    1\n+b = 3\n c = 3\n";
        let lines = parse(diff).unwrap_or_default();
        let [renamed, changed] = lines.as_slice() else {
            panic!("{lines:?}")
        };
        assert!(renamed.is_renamed && renamed.file == "y.py");
        assert_eq!((&changed.inserted[..], &changed.replaced[..]), (&[2][..], &[][..]));
        assert!(!changed.had("b") && declared_in("const LOW = 1") == Some("LOW"));
    }

    #[test]
    fn what_a_function_declares_is_its_own() {
        let lines = [
            "def load(path):",
            "    val = 1",
            "",
            "    def inner():",
            "        x = 2",
            "LIMIT = 3",
            "class A:",
            "    size: int",
        ];
        let left: Vec<&str> = not_inside(lines.into_iter()).filter_map(declared_in).collect();
        assert_eq!(left, ["load", "LIMIT", "A", "size"]);
    }

    #[test]
    fn what_is_gone_is_told_by_name() {
        let diff = "--- a/x.py\n+++ b/x.py\n@@ -1,5 +1,2 @@\n-def old(a):\n-    return a\n-status: str = 1\n\
                    -def kept(): pass\n+def kept(b): pass\n c = 3\n";
        let lines = parse(diff).unwrap_or_default();
        let gone: Vec<String> = lines.iter().flat_map(Lines::gone).collect();
        assert_eq!(gone, ["old", "status"]);
        let before = "def old(a):\n    return a\nstatus: str = 1\ndef kept(): pass\nc = 3\n";
        assert!(lines.iter().all(|lines| lines.is_before(before)));
        assert!(!lines.iter().any(|lines| lines.is_before("def kept(b): pass\nc = 3\n")));
        assert_eq!(declared_in("func (s *Server) Run(x int) {"), Some("Run"));
        assert_eq!(declared_in("\treturn x == y"), None);
    }

    #[test]
    fn what_is_no_diff_is_an_error() {
        assert!(parse("hello").is_err());
        assert!(parse("").is_ok());
    }
}
