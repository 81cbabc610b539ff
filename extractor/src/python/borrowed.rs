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
use tree_sitter::{Node, Parser, Tree};

use super::names;
use super::wire_names::assignment;
use crate::discover::Source;
use crate::tree::children;

/// Longest table that is put into other files, in bytes.
const LENGTH_LIMIT: usize = 4 << 10;

/// Most files in a row that only hand a table on.
const HANDED_ON_LIMIT: u32 = 4;

/// Methods of a container that only read it, and of others that only read what they are given.
const READING: &[&str] = &["copy", "count", "get", "index", "items", "keys", "values"];
const READERS: &[&str] = &[
    "all",
    "any",
    "dict",
    "enumerate",
    "frozenset",
    "isin",
    "iter",
    "join",
    "len",
    "list",
    "max",
    "min",
    "rename",
    "reversed",
    "set",
    "sorted",
    "sum",
    "tuple",
    "update",
    "zip",
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
    let mut changed: FxHashSet<&str> = texts.par_iter().flat_map_iter(|text| changed(text)).collect();
    // Under another name it may be changed, too.
    let renamed = asking
        .iter()
        .flat_map(|(_, imports)| imports)
        .flat_map(|import| &import.names);
    let renamed: Vec<&str> = renamed
        .filter(|(name, own)| name != own && (!is_constant_name(own) || changed.contains(own.as_str())))
        .map(|(name, _)| name.as_str())
        .collect();
    changed.extend(renamed);
    let mut tables: FxHashMap<usize, Tables> = FxHashMap::default();
    let mut found = FxHashMap::default();
    for &(file, ref imports) in &asking {
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
        let put = standing(texts[file], put);
        if !put.is_empty() {
            found.insert(file, put_in(texts[file], put));
        }
    }
    found
}

/// Of places behind imports, those where one ends: what looks like one may stand in a text.
fn standing(text: &str, mut put: Vec<(usize, String)>) -> Vec<(usize, String)> {
    // What another file gives under names that nobody sees may be another table.
    if put.is_empty() || text.contains("import *") {
        return Vec::new();
    }
    let Some(tree) = parsed(text) else {
        return Vec::new();
    };
    let statements = children(tree.root_node()).filter(|statement| statement.kind() == "import_from_statement");
    let ends: FxHashSet<usize> = statements.map(|statement| statement.end_byte()).collect();
    put.retain(|(end, _)| ends.contains(end));
    put
}

fn parsed(text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_python::LANGUAGE.into()).ok()?;
    parser.parse(text, None)
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
        // A bracket in a comment closes nothing.
        if close == ')'
            && whole[..length]
                .rsplit('\n')
                .next()
                .is_some_and(|line| line.contains('#'))
        {
            continue;
        }
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

/// Names of constants that a text does more with than read them: whoever else has such a table may change it.
fn changed(text: &str) -> Vec<&str> {
    let imports: Vec<Range<usize>> = import_ranges(text);
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let words = line.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        for word in words.filter(|word| is_constant_name(word)) {
            let at = word.as_ptr() as usize - line.as_ptr() as usize;
            let is_import = imports.iter().any(|range| range.contains(&(start + at)));
            let is_told = line.len() <= LENGTH_LIMIT;
            let is_read = || is_only_read(&line[..at], &line[at + word.len()..]);
            if !(is_import || is_told && is_read()) {
                found.push(word);
            }
        }
        start += line.len();
    }
    found
}

/// Whether a name is only read, as what stands around it in its line says.
fn is_only_read(before: &str, after: &str) -> bool {
    let (left, right) = (before.trim_end(), after.trim_start());
    if before.contains('#') {
        return true;
    }
    if left.ends_with(['"', '\'']) {
        // Its name is a text: in `__all__`, or for whoever looks it up.
        return !["attr", "globals", "__dict__", "vars("]
            .iter()
            .any(|way| before.contains(way));
    }
    let is_set = |rest: &str| {
        let rest = rest
            .replace("==", "")
            .replace("!=", "")
            .replace("<=", "")
            .replace(">=", "");
        rest.contains('=')
    };
    if left.is_empty()
        && !before.starts_with([' ', '\t'])
        && (right.starts_with('=') && !right.starts_with("==") || right.starts_with(':'))
    {
        return true;
    }
    if let Some(part) = right.strip_prefix('[') {
        return part.contains(']') && !is_set(part) && !left.starts_with("del ");
    }
    if let Some(method) = right.strip_prefix('.') {
        let end = method.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        let (name, rest) = method.split_at(end.unwrap_or(method.len()));
        return READING.contains(&name) && rest.starts_with('(');
    }
    if right.starts_with("+=") || right.starts_with("|=") {
        return false;
    }
    if left.ends_with(" in") || left.ends_with('*') {
        return true;
    }
    // The call whose bracket is open here.
    let mut depth = 0;
    for (at, letter) in left.char_indices().rev() {
        match letter {
            ')' | ']' | '}' => depth += 1,
            '(' if depth == 0 => {
                let callee = left[..at].trim_end();
                let name = callee
                    .rsplit(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
                    .next();
                return name.is_some_and(|name| READERS.contains(&name));
            }
            '(' | '[' | '{' if depth > 0 => depth -= 1,
            '[' | '{' => return false,
            _ => {}
        }
    }
    false
}

/// Where imports stand at the left of a text.
fn import_ranges(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let code = line.trim_start();
        if code.starts_with("from ") && code.contains(" import ") || code.starts_with("import ") {
            let open = code
                .split('#')
                .next()
                .is_some_and(|code| code.contains('(') && !code.contains(')'));
            let end = match open {
                true => text[start..].find(')').map_or(text.len(), |end| start + end),
                false => at,
            };
            ranges.push(start..end);
        }
    }
    ranges
}

/// The tables of constants of a file, as one line each; and what it imports.
#[derive(Debug, Default)]
struct Tables {
    own: FxHashMap<String, String>,
    imports: Vec<Import>,
}

fn find(
    file: usize,
    name: &str,
    (files, texts): (&Files, &[&str]),
    tables: &mut FxHashMap<usize, Tables>,
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
        let Some(tree) = parsed(text).filter(|_| !text.contains("import *")) else {
            return Self::default();
        };
        let root = tree.root_node();
        let times = names::times_bound(root, text);
        let mut own = FxHashMap::default();
        for (left, right) in children(root).filter_map(assignment) {
            let name = text.get(left.byte_range()).unwrap_or_default();
            let is_plain = left.parent().is_some_and(|around| around.kind() == "assignment");
            let is_table = is_plain && is_constant_name(name) && times.get(name) == Some(&1);
            if !is_table || !matches!(right.kind(), "dictionary" | "list" | "tuple" | "set") {
                continue;
            }
            let mut line = String::new();
            if written_in_a_line(right, text, &mut line).is_some() && right.named_child_count() > 0 {
                own.insert(name.to_owned(), line);
            }
        }
        let mut imports = imports(text);
        for import in &mut imports {
            import.names.retain(|(_, own)| times.get(own) == Some(&1));
        }
        Self { own, imports }
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

    /// The file of a module, as another one names it: relative to its folder, or below one of those above, where there is no more than one.
    fn module(&self, file: usize, module: &str) -> Option<usize> {
        let (root, folder) = self.folders.get(file)?;
        let rest = module.trim_start_matches('.');
        let dots = module.len() - rest.len();
        let path = rest.replace('.', "/");
        let mut above: Vec<&str> = vec![folder];
        while let Some(folder) = above.last().copied().filter(|folder| !folder.is_empty()) {
            above.push(folder.rsplit_once('/').map_or("", |(above, _)| above));
        }
        let below = |folder: &str| {
            let start = if folder.is_empty() {
                String::new()
            } else {
                format!("{folder}/")
            };
            let package = if path.is_empty() {
                String::new()
            } else {
                format!("{path}/")
            };
            let named = [format!("{start}{package}__init__.py"), format!("{start}{path}.py")];
            let mut found = named.into_iter().filter_map(|path| self.by_path.get(&(*root, path)));
            found.next().copied()
        };
        let mut found: Vec<usize> = match dots {
            0 => above.into_iter().filter_map(below).collect(),
            _ => above.get(dots - 1).copied().and_then(below).into_iter().collect(),
        };
        found.dedup();
        match found.as_slice() {
            [found] if *found != file => Some(*found),
            _ => None,
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
        assert_eq!(changed(text), ["AA", "BB", "DD", "EE"]);
        let read = "for x in AA: use(x)\nBB = [1]\ny = sorted(BB)\nz = CC.items()\n# DD is one\nw = {**EE}\nv = FF[y]\nfrom x import (\n    GG,\n)\n";
        assert!(changed(read).is_empty(), "{:?}", changed(read));
        let handed = "use(AA)\nl = BB\nCC[A['x']] = 1\nfor t in (DD, EE): t.append(1)\nmod.FF = 1\nreg(x, GG)\nsetattr(mod, 'HH', 1)\n";
        assert_eq!(changed(handed), ["AA", "BB", "CC", "DD", "EE", "FF", "GG", "HH"]);
    }
}
