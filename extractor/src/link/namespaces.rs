//! Python packages without an `__init__.py`, as [PEP 420](https://peps.python.org/pep-0420/) has them: what imports take for one is one.
//!
//! ```text
//! src/acme/engine/__init__.py
//! src/acme/cli.py              from acme.engine import start
//! ```
//!
//! By their folders alone these are `engine` and `cli`, as they are where `src/acme` is put on the path. That `acme` is meant to be a package is told
//! by who imports from it: more often by `acme.engine` than by `engine`.

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
    for (_, facts) in modules {
        for import in facts.imports.iter().filter(|import| import.level == 0) {
            let mut parts: Vec<&str> = facts.text(import.path).split('.').collect();
            parts.extend(import.member.map(|member| facts.text(member)));
            for (at, part) in parts.iter().enumerate() {
                for folder in starts.get(part).into_iter().flatten() {
                    let votes = votes.entry(*folder).or_default();
                    if at == 0 {
                        votes.alone += usize::from(!is_python_module(part));
                    } else if ends_in(folder.1, &parts[..at]) {
                        votes.inside += 1;
                        votes.folders = votes.folders.max(at);
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

/// Whether the last folders of a path are called so.
fn ends_in(folder: &str, names: &[&str]) -> bool {
    let mut folders = folder.rsplit('/');
    names.iter().rev().all(|name| folders.next() == Some(*name))
}
