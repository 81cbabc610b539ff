//! Files into packages: Python modules by folder, Go packages by module path.
//!
//! `pipeline/features/email.py` is the module `pipeline.features.email` when `pipeline/` and `pipeline/features/` hold an
//! `__init__.py` and the folder above does not: that folder is where imports start, whatever it is called (`src/` layouts
//! need no setting). A folder without one is a package, too, where imports say so: see [`namespaces`](super::namespaces). `api/store/memory.go` below a `go.mod` that says `module example.com/shop` in `api/` belongs to the
//! package `example.com/shop/store`.

use std::sync::Arc;

use ripple_schema::Language;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{File, FileIndex, PackageIndex, PlaceIndex, Program, Symbol};
use crate::discover::Discovery;
use crate::facts::FileFacts;

/// A Go package, or a Python module.
#[derive(Debug)]
pub struct Package {
    /// Import path (Go) or dotted name (Python).
    pub name: String,
    /// Its language.
    pub language: Language,
    /// Its files; one for a Python module.
    pub files: Vec<FileIndex>,
    /// The package that it is in (Python), by dotted name.
    pub parent: Option<PackageIndex>,
    /// Modules inside it.
    pub children: FxHashMap<Symbol, PackageIndex>,
    /// Its folder's path in its root, where imports of its own tree start.
    pub source_root: (usize, String),
    /// Names bound in it, and the places that hold them.
    pub scope: FxHashMap<Symbol, Vec<PlaceIndex>>,
    /// Python: it is a package's `__init__`.
    pub is_init: bool,
}

/// Packages by name.
#[derive(Debug, Default)]
pub(crate) struct PackageIndexes {
    by_name: FxHashMap<(Language, String), Vec<PackageIndex>>,
    /// The Python package that each root is itself.
    root_packages: Vec<Option<String>>,
}

/// A `go.mod`.
struct GoModule {
    root: usize,
    folder: String,
    path: String,
}

pub(super) fn assign(program: &mut Program, discovery: &Discovery, facts: Vec<Arc<FileFacts>>) {
    let modules: Vec<GoModule> = discovery
        .go_modules
        .iter()
        .map(|(root, folder, text)| GoModule {
            root: *root,
            folder: folder.clone(),
            path: module_path(text),
        })
        .collect();
    let mut inits: FxHashSet<(usize, &str)> = discovery
        .sources
        .iter()
        .filter_map(|source| {
            let (folder, name) = source.relative.rsplit_once('/').unwrap_or(("", &source.relative));
            matches!(name, "__init__.py" | "__init__.pyi").then_some((source.root, folder))
        })
        .collect();
    let sources = discovery.sources.iter().zip(facts.iter().map(Arc::as_ref));
    let of_python: Vec<_> = sources
        .filter(|(source, _)| source.file.language == Language::Python)
        .collect();
    super::namespaces::add(&of_python, &mut inits);
    program.index.root_packages.clone_from(&discovery.root_packages);
    for (source, facts) in discovery.sources.iter().zip(facts) {
        let file = FileIndex(program.files.len() as u32);
        let package = match source.file.language {
            Language::Go => go_package(program, &modules, source.root, &source.relative, &facts),
            _ => python_module(program, &inits, source.root, &source.relative),
        };
        program.packages[package.at()].files.push(file);
        program.files.push(File {
            declared: facts.declared.iter().copied().collect(),
            facts,
            language: source.file.language,
            package,
            relative: source.relative.clone(),
            root: source.root,
            symbols: Vec::new(),
            first_place: 0,
            first_function: 0,
            first_type: 0,
            types_named: FxHashMap::default(),
            own_scope: FxHashMap::default(),
        });
    }
    add_namespaces(program);
    nest(program);
}

/// Packages of which there is no file.
fn add_namespaces(program: &mut Program) {
    for index in 0..program.packages.len() {
        let package = &program.packages[index];
        if package.language != Language::Python {
            continue;
        }
        let (mut name, source_root) = (package.name.clone(), package.source_root.clone());
        while let Some((above, _)) = name.rsplit_once('.') {
            let above = above.to_owned();
            let known = program.index.by_name.get(&(Language::Python, above.clone()));
            let is_there = |package: &PackageIndex| program.packages[package.at()].source_root == source_root;
            if known.is_some_and(|known| known.iter().any(is_there)) {
                break;
            }
            let made = new_package(program, above.clone(), Language::Python, source_root.clone());
            program.packages[made.at()].is_init = true;
            name = above;
        }
    }
}

fn new_package(program: &mut Program, name: String, language: Language, source_root: (usize, String)) -> PackageIndex {
    let index = PackageIndex(program.packages.len() as u32);
    program
        .index
        .by_name
        .entry((language, name.clone()))
        .or_default()
        .push(index);
    program.packages.push(Package {
        name,
        language,
        files: Vec::new(),
        parent: None,
        children: FxHashMap::default(),
        source_root,
        scope: FxHashMap::default(),
        is_init: false,
    });
    index
}

fn go_package(
    program: &mut Program,
    modules: &[GoModule],
    root: usize,
    relative: &str,
    facts: &FileFacts,
) -> PackageIndex {
    let folder = relative.rsplit_once('/').map_or("", |(folder, _)| folder);
    let module = modules
        .iter()
        .filter(|module| module.root == root && below(folder, &module.folder))
        .max_by_key(|module| module.folder.len());
    let mut name = match module {
        Some(module) => {
            let rest = folder.get(module.folder.len()..).unwrap_or("").trim_start_matches('/');
            if rest.is_empty() {
                module.path.clone()
            } else {
                format!("{}/{rest}", module.path)
            }
        }
        None if folder.is_empty() => facts.package.clone(),
        None => folder.to_owned(),
    };
    // `vendor/` holds other modules under their own paths.
    if let Some((_, vendored)) = name.rsplit_once("/vendor/") {
        name = vendored.to_owned();
    }
    if facts.package.ends_with("_test") && relative.ends_with("_test.go") {
        name.push_str("_test");
    }
    let mut known = program
        .index
        .by_name
        .get(&(Language::Go, name.clone()))
        .into_iter()
        .flatten()
        .copied();
    let same = known.find(|package| program.packages[package.at()].source_root == (root, folder.to_owned()));
    same.unwrap_or_else(|| new_package(program, name, Language::Go, (root, folder.to_owned())))
}

fn below(folder: &str, above: &str) -> bool {
    above.is_empty() || folder == above || folder.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'))
}

/// The path in `module example.com/shop // comment`.
fn module_path(text: &str) -> String {
    let line = text.lines().map(str::trim).find_map(|line| line.strip_prefix("module"));
    let path = line.map_or("", |rest| rest.split("//").next().unwrap_or("").trim());
    path.trim_matches(['"', '`']).to_owned()
}

/// The folder where imports of a Python file's own tree start, and the parts of its name from there on; none of an `__init__.py` that
/// is in no package.
pub(super) fn python_name<'s>(
    inits: &FxHashSet<(usize, &str)>,
    root: usize,
    relative: &'s str,
) -> (&'s str, Vec<&'s str>) {
    let stem = relative.rsplit_once('.').map_or(relative, |(stem, _)| stem);
    let (mut folder, file) = stem.rsplit_once('/').unwrap_or(("", stem));
    let mut parts = Vec::new();
    if file != "__init__" {
        parts.push(file);
    }
    while inits.contains(&(root, folder)) && !folder.is_empty() {
        let (above, name) = folder.rsplit_once('/').unwrap_or(("", folder));
        parts.push(name);
        folder = above;
    }
    parts.reverse();
    (folder, parts)
}

fn python_module(program: &mut Program, inits: &FxHashSet<(usize, &str)>, root: usize, relative: &str) -> PackageIndex {
    let (folder, parts) = python_name(inits, root, relative);
    let file = relative.rsplit_once('/').map_or(relative, |(_, file)| file);
    let is_init = matches!(file.rsplit_once('.'), Some(("__init__", _)));
    let name = if parts.is_empty() {
        "__init__".to_owned()
    } else {
        parts.join(".")
    };
    let package = new_package(program, name, Language::Python, (root, folder.to_owned()));
    program.packages[package.at()].is_init = is_init;
    package
}

/// Puts Python modules into the packages that they are in.
fn nest(program: &mut Program) {
    for index in 0..program.packages.len() {
        let child = PackageIndex(index as u32);
        let package = &program.packages[index];
        if package.language != Language::Python {
            continue;
        }
        let source_root = package.source_root.clone();
        let (parent, last) = match package.name.rsplit_once('.') {
            Some((above, last)) => (
                program.find_package(Language::Python, above, Some(&source_root)),
                last.to_owned(),
            ),
            None if source_root.1.is_empty() => (program.package_of_root(source_root.0), package.name.clone()),
            None => continue,
        };
        if let Some(parent) = parent.filter(|parent| *parent != child) {
            let last = program.symbols.intern(&last);
            program.packages[index].parent = Some(parent);
            program.packages[parent.at()].children.entry(last).or_insert(child);
        }
    }
}

impl Program {
    /// The package of that name; of several, the one whose imports start at `near`.
    pub(crate) fn find_package(
        &self,
        language: Language,
        name: &str,
        near: Option<&(usize, String)>,
    ) -> Option<PackageIndex> {
        let known = self.index.by_name.get(&(language, name.to_owned()))?;
        let nearest = near.and_then(|near| {
            known
                .iter()
                .find(|package| self.packages[package.at()].source_root == *near)
                .or_else(|| {
                    known
                        .iter()
                        .find(|package| self.packages[package.at()].source_root.0 == near.0)
                })
        });
        nearest.or(known.first()).copied()
    }

    /// The package that a root is itself.
    fn package_of_root(&self, root: usize) -> Option<PackageIndex> {
        self.index.root_packages.get(root)?.as_ref()?;
        let known = self.index.by_name.get(&(Language::Python, "__init__".to_owned()))?;
        let own = |package: &&PackageIndex| self.packages[package.at()].source_root == (root, String::new());
        known.iter().find(own).copied()
    }

    /// A Python module by the name that it has outside of a root which is a package itself: `rich.console`, where the root is `rich/`.
    pub(crate) fn find_in_root_package(&self, name: &str, near: &(usize, String)) -> Option<PackageIndex> {
        let roots = 0..self.index.root_packages.len();
        let near_first = std::iter::once(near.0).chain(roots.filter(|root| *root != near.0));
        near_first.into_iter().find_map(|root| {
            let package = self.index.root_packages.get(root)?.as_ref()?;
            let rest = name.strip_prefix(package.as_str())?;
            if rest.is_empty() {
                return self.package_of_root(root);
            }
            let found = self.find_package(Language::Python, rest.strip_prefix('.')?, Some(&(root, String::new())))?;
            (self.packages[found.at()].source_root.0 == root).then_some(found)
        })
    }

    /// A Python module by the name that it has where a package around the importing one is put on the path, as `manage.py` puts the one
    /// that it stands in: `orders.tax` in `shop.orders.bill` is `shop.orders.tax`. One word names too much for that, unless `manage.py` says it.
    pub(crate) fn find_inside(&self, name: &str, own: &Package) -> Option<PackageIndex> {
        let near = Some(&own.source_root);
        let around = own.name.match_indices('.').map(|(at, _)| &own.name[..at]);
        around.into_iter().find_map(|above| {
            let found = self.find_package(Language::Python, &format!("{above}.{name}"), near)?;
            let is_start = || {
                let start = self.find_package(Language::Python, &format!("{above}.manage"), near);
                start.is_some_and(|start| self.packages[start.at()].source_root == own.source_root)
            };
            let is_near = self.packages[found.at()].source_root == own.source_root;
            (is_near && (name.contains('.') || is_start())).then_some(found)
        })
    }

    /// A Python module named with dots as folders from a root: namespace packages have no `__init__.py`.
    pub(crate) fn find_namespace_module(&self, name: &str, near: &(usize, String)) -> Option<PackageIndex> {
        let base = &near.1;
        name.match_indices('.').rev().find_map(|(at, _)| {
            let folder = name[..at].replace('.', "/");
            let wanted = if base.is_empty() {
                folder.clone()
            } else {
                format!("{base}/{folder}")
            };
            let known = self.index.by_name.get(&(Language::Python, name[at + 1..].to_owned()))?;
            let is_there = |package: &&PackageIndex| {
                let (root, source) = &self.packages[package.at()].source_root;
                *root == near.0 && (*source == wanted || *source == folder)
            };
            known.iter().find(is_there).copied()
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use ripple_schema::{EdgeKind, Rule};

    use crate::{Options, Root, extract};

    #[test]
    fn a_root_that_is_a_package_goes_by_its_own_name() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path().join("shop/orders");
        fs::create_dir_all(&root).expect("folders");
        for (file, text) in [
            ("shop/__init__.py", ""),
            ("shop/orders/__init__.py", "def total(): return 1\n"),
            ("shop/orders/tax.py", "def rate(): return 2\n"),
            (
                "shop/orders/bill.py",
                "from shop.orders import total, tax\nfrom shop.orders.tax import rate\n\ndef bill(): return total() + tax.rate() + rate()\n",
            ),
        ] {
            fs::write(folder.path().join(file), text).expect("a file");
        }
        let roots = [Root {
            path: root,
            prefix: String::new(),
        }];
        let graph = extract(&roots, &Options::default(), &|_| ()).expect("a graph").graph;
        let calls = graph.edges.iter().filter(|edge| edge.kind == EdgeKind::Calls);
        let known = calls.filter(|edge| !matches!(edge.rule, Rule::Library | Rule::UnresolvedReceiver));
        assert_eq!(known.count(), 3);
    }
}
