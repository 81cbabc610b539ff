//! Tables of constants that a file imports from another one, put where it imports them.
//!
//! ```python
//! # config.py
//! RENAMES = {"ListPrice": "price", "Cost": "cost"}
//! # feed.py
//! from config import RENAMES
//! frame.rename(columns=RENAMES)          # is told as if the table stood here
//! ```
//!
//! A file is read by itself, and what loops and comprehensions over a table do is told of the table's own items. So the text of such a file is
//! read with `; RENAMES = {…}` behind the import, in the same line. What stands in those [`Borrowed::ranges`] binds nothing: the name
//! is still the one that is imported.

use std::ops::Range;

use rayon::prelude::*;
use ripple_schema::{FileStatus, Language};
use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::{Node, Parser};

use super::names;
use crate::discover::Source;
use crate::tree::{Parts, children};

/// Longest table that is put into other files, in bytes.
const LENGTH_LIMIT: usize = 16 << 10;

/// Most files in a row that only hand a table on.
const HANDED_ON_LIMIT: u32 = 4;

/// Methods that change a container.
const CHANGING: &[&str] = &[
    "add",
    "append",
    "clear",
    "extend",
    "insert",
    "pop",
    "popitem",
    "remove",
    "reverse",
    "setdefault",
    "sort",
    "update",
];

/// The text of a file with the tables that it imports.
#[derive(Debug, PartialEq, Eq)]
pub struct Borrowed {
    /// The text.
    pub text: String,
    /// Where the tables stand in it.
    pub ranges: Vec<Range<usize>>,
}

/// The files that import tables, by their index.
pub fn borrow(sources: &[Source]) -> FxHashMap<usize, Borrowed> {
    let texts: Vec<&str> = sources.iter().map(text_of).collect();
    let asking: Vec<(usize, Vec<Import>)> = (texts.par_iter().enumerate())
        .map(|(file, text)| (file, imports(text)))
        .filter(|(_, imports)| !imports.is_empty())
        .collect();
    if asking.is_empty() {
        return FxHashMap::default();
    }
    let files = Files::of(sources);
    let changed: FxHashSet<&str> = texts.par_iter().flat_map_iter(|text| changed(text)).collect();
    let mut tables: FxHashMap<usize, Tables> = FxHashMap::default();
    let mut found = FxHashMap::default();
    for (file, imports) in asking {
        let mut put: Vec<(usize, String)> = Vec::new();
        for import in imports {
            let mut behind = String::new();
            for (name, own) in &import.names {
                if changed.contains(name.as_str()) || changed.contains(own.as_str()) {
                    continue;
                }
                let from = files.module(file, &import.module);
                if let Some(table) = from.and_then(|from| find(from, name, (&files, &texts), &mut tables, 0)) {
                    behind.push_str(&format!("; {own} = {table}"));
                }
            }
            if !behind.is_empty() {
                put.push((import.end, behind));
            }
        }
        if !put.is_empty() {
            found.insert(file, put_in(texts[file], put));
        }
    }
    found
}

fn text_of(source: &Source) -> &str {
    let is_read = source.file.language == Language::Python && source.file.status != FileStatus::Skipped;
    match is_read {
        true => std::str::from_utf8(&source.text).unwrap_or(""),
        false => "",
    }
}

fn put_in(text: &str, put: Vec<(usize, String)>) -> Borrowed {
    let mut borrowed = Borrowed {
        text: String::with_capacity(text.len() + put.iter().map(|(_, behind)| behind.len()).sum::<usize>()),
        ranges: Vec::new(),
    };
    let mut at = 0;
    for (end, behind) in put {
        borrowed.text.push_str(&text[at..end]);
        let start = borrowed.text.len();
        borrowed.text.push_str(&behind);
        borrowed.ranges.push(start..borrowed.text.len());
        at = end;
    }
    borrowed.text.push_str(&text[at..]);
    borrowed
}

/// `from config import RENAMES as NAMES`, of what is called as constants are.
#[derive(Debug)]
struct Import {
    module: String,
    /// What it is called there, and here.
    names: Vec<(String, String)>,
    /// Behind it.
    end: usize,
}

/// Whether a name is written as those of constants are.
fn is_constant_name(name: &str) -> bool {
    let mut letters = name.trim_start_matches('_').chars();
    letters.next().is_some_and(|first| first.is_ascii_uppercase())
        && letters.all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_')
        && name.len() > 1
}

/// The imports at the left of a file that name constants.
fn imports(text: &str) -> Vec<Import> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some((module, rest)) = line.strip_prefix("from ").and_then(|line| line.split_once(" import ")) else {
            continue;
        };
        let names_at = start + line.len() - rest.len();
        let (open, close) = match rest.trim_start().starts_with('(') {
            true => ('(', ')'),
            false => (' ', '\n'),
        };
        let whole = &text[names_at..];
        let length = whole.find(close).unwrap_or(whole.len());
        let listed = whole[..length].trim_start().trim_start_matches(open);
        if listed.contains(['\\', ';']) {
            continue;
        }
        let (mut names, mut last) = (Vec::new(), 0);
        for line in listed.split('\n') {
            let code = line.split('#').next().unwrap_or_default();
            for name in code.split(',').map(str::trim) {
                let (name, own) = name
                    .split_once(" as ")
                    .map_or((name, name), |(name, own)| (name.trim(), own.trim()));
                if is_constant_name(name) {
                    names.push((name.to_owned(), own.to_owned()));
                }
            }
            last = listed.len().min(code.trim_end().len().max(last));
        }
        let end = match close {
            ')' => names_at + length + 1,
            _ => names_at + (whole[..length].len() - listed.len()) + last,
        };
        if !names.is_empty() && text.is_char_boundary(end.min(text.len())) && end <= text.len() {
            let module = module.trim().to_owned();
            found.push(Import { module, names, end });
        }
    }
    found
}

/// Names of constants that a text changes: `RENAMES["x"] = …`, `RENAMES.update(…)`.
fn changed(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| {
        let words = line.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        words.filter(|word| is_constant_name(word)).filter(move |word| {
            let at = word.as_ptr() as usize - line.as_ptr() as usize + word.len();
            let behind = &line[at..];
            let method = behind
                .strip_prefix('.')
                .map(|behind| behind.split('(').next().unwrap_or_default());
            let is_set = || {
                let close = behind.find(']').map(|close| behind[close + 1..].trim_start());
                close.is_some_and(|rest| rest.starts_with('=') && !rest.starts_with("==") || rest.starts_with("+="))
            };
            let is_global = || line.trim_start().starts_with("global ") || line.trim_start().starts_with("del ");
            let grows = || behind.trim_start().starts_with("+=") || behind.trim_start().starts_with("|=");
            method.is_some_and(|method| CHANGING.contains(&method))
                || behind.starts_with('[') && is_set()
                || grows()
                || is_global()
        })
    })
}

/// The tables of constants of a file, as one line each; and what it imports.
#[derive(Debug, Default)]
struct Tables {
    own: FxHashMap<String, String>,
    imports: Vec<Import>,
}

fn find<'t>(
    file: usize,
    name: &str,
    (files, texts): (&Files, &[&str]),
    tables: &'t mut FxHashMap<usize, Tables>,
    depth: u32,
) -> Option<String> {
    let of_file = tables.entry(file).or_insert_with(|| Tables::of(texts[file]));
    if let Some(table) = of_file.own.get(name) {
        return Some(table.clone());
    }
    let named = |import: &Import| {
        let named = import.names.iter().find(|(_, own)| own == name)?;
        Some((import.module.clone(), named.0.clone()))
    };
    let (module, name) = of_file.imports.iter().find_map(named)?;
    let from = files.module(file, &module).filter(|_| depth < HANDED_ON_LIMIT)?;
    find(from, &name, (files, texts), tables, depth + 1)
}

impl Tables {
    fn of(text: &str) -> Self {
        let mut parser = Parser::new();
        let is_ready = parser.set_language(&tree_sitter_python::LANGUAGE.into()).is_ok();
        let Some(tree) = is_ready.then(|| parser.parse(text, None)).flatten() else {
            return Self::default();
        };
        let root = tree.root_node();
        let times = names::times_bound(root, text);
        let mut own = FxHashMap::default();
        for assignment in children(root).filter_map(|statement| statement.part(0)) {
            let (Some(left), Some(right)) = (
                assignment.child_by_field_name("left"),
                assignment.child_by_field_name("right"),
            ) else {
                continue;
            };
            let name = text.get(left.byte_range()).unwrap_or_default();
            let is_table = assignment.kind() == "assignment" && is_constant_name(name) && times.get(name) == Some(&1);
            if !is_table || !matches!(right.kind(), "dictionary" | "list" | "tuple" | "set") {
                continue;
            }
            let mut line = String::new();
            if written_in_a_line(right, text, &mut line).is_some() && right.named_child_count() > 0 {
                own.insert(name.to_owned(), line);
            }
        }
        Self {
            own,
            imports: imports(text),
        }
    }
}

/// Writes a display of constants without line ends and comments; none if there is something else in it.
fn written_in_a_line(node: Node<'_>, text: &str, line: &mut String) -> Option<()> {
    let own = text.get(node.byte_range())?;
    match node.kind() {
        "comment" => return Some(()),
        "dictionary" | "list" | "tuple" | "set" | "pair" | "parenthesized_expression" | "concatenated_string" => {
            let mut cursor = node.walk();
            for part in node.children(&mut cursor) {
                written_in_a_line(part, text, line)?;
            }
        }
        "string" if children(node).any(|part| part.kind() == "interpolation") || own.contains('\n') => return None,
        "unary_operator" if own.starts_with('-') => line.push_str(own),
        "string" | "integer" | "float" | "true" | "false" | "none" => line.push_str(own),
        _ if node.is_named() || node.child_count() > 0 => return None,
        _ => line.push_str(own),
    }
    line.push(' ');
    (line.len() <= LENGTH_LIMIT).then_some(())
}

/// Files by their paths.
#[derive(Debug)]
struct Files {
    by_path: FxHashMap<(usize, String), usize>,
    /// The root and the folder of each.
    folders: Vec<(usize, String)>,
}

impl Files {
    fn of(sources: &[Source]) -> Self {
        let path = |source: &Source| (source.root, source.relative.clone());
        let folder = |source: &Source| {
            let folder = source.relative.rsplit_once('/').map_or("", |(folder, _)| folder);
            (source.root, folder.to_owned())
        };
        Self {
            by_path: sources
                .iter()
                .enumerate()
                .map(|(file, source)| (path(source), file))
                .collect(),
            folders: sources.iter().map(folder).collect(),
        }
    }

    /// The file of a module, as another one names it: below its own folder, or the nearest above that.
    fn module(&self, file: usize, module: &str) -> Option<usize> {
        let (root, folder) = self.folders.get(file)?;
        let rest = module.trim_start_matches('.');
        let dots = module.len() - rest.len();
        let path = rest.replace('.', "/");
        let mut folder = folder.as_str();
        let above = |folder: &str| folder.rsplit_once('/').map_or("", |(above, _)| above).to_owned();
        let mut owned;
        for _ in 1..dots {
            owned = above(folder);
            folder = &owned;
            if folder.is_empty() {
                break;
            }
        }
        let mut at = folder.to_owned();
        loop {
            let start = if at.is_empty() { String::new() } else { format!("{at}/") };
            let package = if path.is_empty() {
                String::new()
            } else {
                format!("{path}/")
            };
            let named = (!path.is_empty()).then(|| format!("{start}{path}.py"));
            let found = named.into_iter().chain([format!("{start}{package}__init__.py")]);
            if let Some(found) = found.filter_map(|path| self.by_path.get(&(*root, path))).next() {
                return Some(*found).filter(|found| *found != file);
            }
            if dots > 0 || at.is_empty() {
                return None;
            }
            at = above(&at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_end_before_comments_and_behind_brackets() {
        let text = "from a import B1, c, D2 as E2  # why\nfrom .x import (\n    F,  # one\n    GG,\n)\nimport os\n";
        let found = imports(text);
        let ends: Vec<&str> = found.iter().map(|import| &text[..import.end]).collect();
        assert_eq!(ends.len(), 2);
        assert!(ends[0].ends_with("D2 as E2"), "{}", ends[0]);
        assert!(ends[1].ends_with(')'), "{}", ends[1]);
        assert_eq!(found[1].names, [("GG".to_owned(), "GG".to_owned())]);
    }

    #[test]
    fn tables_are_constants_alone() {
        let text =
            "A1 = {\n  'x': 1, # one\n  'y': [2, -3],\n}\nB1 = [f'{x}']\nC1 = {'f': run}\nD1 = (1,)\nD1 = (2,)\n";
        let tables = Tables::of(text);
        assert_eq!(tables.own.len(), 1);
        assert_eq!(tables.own["A1"].replace(' ', ""), "{'x':1,'y':[2,-3],}");
    }

    #[test]
    fn what_is_changed_is_no_constant() {
        let text = "AA['x'] = 1\nBB.update(x)\nCC['x'] == 1\nif DD[0] == y: EE += [1]\nFF.get('x')\n";
        assert_eq!(changed(text).collect::<Vec<_>>(), ["AA", "BB", "EE"]);
    }
}
