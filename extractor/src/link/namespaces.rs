//! Python packages without an `__init__.py`, as [PEP 420](https://peps.python.org/pep-0420/) has them: what imports take for one is one.
//!
//! ```text
//! src/acme/engine/__init__.py
//! src/acme/cli.py              from acme.engine import start
//! ```
//!
//! By their folders alone these are `engine` and `cli`, as they are where `src/acme` is put on the path. That `acme` is meant to be a package is told
//! by who imports from it, more often by `acme.engine` than by `engine`; or by who imports in it by dots: `from . import engine`.

use rustc_hash::{FxHashMap, FxHashSet};

use super::package::python_name;
use crate::builtins::is_python_module;
use crate::discover::Source;
use crate::facts::FileFacts;

/// A folder of a root.
type Folder<'d> = (usize, &'d str);

/// How often the modules in a folder are imported as parts of it, and how often by themselves.
#[derive(Debug, Default, Clone, Copy)]
struct Votes {
    inside: usize,
    /// The most folders that are named before the module.
    folders: usize,
    alone: usize,
}

/// Adds such folders to those with an `__init__.py`.
pub(super) fn add<'d>(modules: &[(&'d Source, &FileFacts)], packages: &mut FxHashSet<Folder<'d>>) {
    // Who imports by dots says that his folder is one, and those above it that the dots lead to.
    for (source, facts) in modules {
        let up = facts
            .imports
            .iter()
            .map(|import| import.level)
            .max()
            .unwrap_or_default();
        let above = |path: &'d str| path.rsplit_once('/').map(|(above, _)| above);
        let folders = std::iter::successors(above(&source.relative), |folder| above(folder));
        packages.extend(folders.take(up as usize).map(|folder| (source.root, folder)));
    }
    // The folders that imports start in, by the modules that are right in them.
    let mut starts: FxHashMap<&str, FxHashSet<Folder<'d>>> = FxHashMap::default();
    for (source, _) in modules {
        let (folder, parts) = python_name(packages, source.root, &source.relative);
        if let Some(first) = parts.first().filter(|_| !folder.is_empty()) {
            starts.entry(first).or_default().insert((source.root, folder));
        }
    }
    if starts.is_empty() {
        return;
    }
    let mut votes: FxHashMap<Folder<'d>, Votes> = FxHashMap::default();
    let mut of_language: FxHashMap<String, bool> = FxHashMap::default();
    for (source, facts) in modules {
        for import in facts.imports.iter().filter(|import| import.level == 0) {
            let mut parts: Vec<&str> = facts.text(import.path).split('.').collect();
            parts.extend(import.member.map(|member| facts.text(member)));
            for (at, part) in parts.iter().enumerate() {
                let Some(folders) = starts.get(part) else { continue };
                let is_own = match of_language.get(*part) {
                    Some(known) => *known,
                    None => *of_language.entry((*part).to_owned()).or_insert(is_python_module(part)),
                };
                for folder in folders {
                    let is_inside = at > 0 && ends_in(folder.1, &parts[..at]) && is_seen(source, *folder, at);
                    if is_inside {
                        let votes = votes.entry(*folder).or_default();
                        votes.inside += 1;
                        votes.folders = votes.folders.max(at);
                    } else if at == 0 && !is_own {
                        votes.entry(*folder).or_default().alone += 1;
                    }
                }
            }
        }
    }
    for ((root, folder), votes) in votes {
        let mut open = Some(folder).filter(|_| votes.inside > votes.alone);
        for _ in 0..votes.folders {
            let Some(folder) = open.filter(|folder| !folder.is_empty()) else {
                break;
            };
            packages.insert((root, folder));
            open = folder.rsplit_once('/').map(|(above, _)| above);
        }
    }
}

/// Whether a file may import a package by so many folders of a path: it lies below the folder that these are in, or that is the root or one that is put
/// on the path by its name.
fn is_seen(source: &Source, (root, folder): Folder<'_>, folders: usize) -> bool {
    let mut base = folder;
    for _ in 0..folders {
        base = base.rsplit_once('/').map_or("", |(above, _)| above);
    }
    let last = base.rsplit('/').next().unwrap_or(base);
    let is_below = || {
        source
            .relative
            .strip_prefix(base)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    root == source.root && is_below() || matches!(last, "" | "src" | "lib" | "python")
}

/// Whether the last folders of a path are called so.
fn ends_in(folder: &str, names: &[&str]) -> bool {
    let mut folders = folder.rsplit('/');
    names.iter().rev().all(|name| folders.next() == Some(*name))
}
