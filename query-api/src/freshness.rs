//! How far the work tree has moved on from the index: the same walk as the extractor's, compared by content.
//!
//! An index that holds `a.py` and `b.py`, over a tree where `a.py` was edited, `b.py` removed and `c.py` written, is
//! `WorkTree { changed: ["a.py"], added: ["c.py"], removed: ["b.py"] }`.

use std::collections::BTreeMap;

use ripple_extractor::{Options, Root};
use ripple_graphdb::{Manifest, Reader};
use ripple_schema::IndexedFile;

use crate::Error;
use crate::view::WorkTree;

/// Walks the roots of the index and compares. Reads every source file: seconds on a large tree.
pub fn check(reader: &Reader, options: &Options) -> Result<WorkTree, Error> {
    let now = ripple_extractor::discover::scan(&roots(reader.manifest()), options)?;
    Ok(compare(&reader.files()?, &now))
}

/// Of these files, the ones that are not on disk as they were when they were indexed. Reads only them.
pub fn changed<'f>(reader: &Reader, files: impl Iterator<Item = &'f str>) -> Result<Vec<String>, Error> {
    let roots = roots(reader.manifest());
    let indexed = reader.files()?;
    let differs = |path: &str| {
        let file = indexed.iter().find(|file| file.path == path)?;
        let root = roots
            .iter()
            .find(|root| root.prefix.is_empty() || path.starts_with(&format!("{}/", root.prefix)))?;
        let relative = path.strip_prefix(&root.prefix).unwrap_or(path).trim_start_matches('/');
        let now = ripple_extractor::discover::content_hash(&root.path.join(relative));
        (now.ok() != Some(file.hash)).then(|| path.to_owned())
    };
    Ok(files.filter_map(differs).collect())
}

/// The roots that an index was built from, as the extractor names them.
fn roots(manifest: &Manifest) -> Vec<Root> {
    manifest
        .roots
        .iter()
        .map(|root| Root {
            path: root.path.clone(),
            prefix: root.prefix.clone(),
        })
        .collect()
}

fn compare(indexed: &[IndexedFile], now: &[IndexedFile]) -> WorkTree {
    let hashes = |files: &[IndexedFile]| -> BTreeMap<String, u64> {
        files.iter().map(|file| (file.path.clone(), file.hash)).collect()
    };
    let (before, after) = (hashes(indexed), hashes(now));
    let mut tree = WorkTree::default();
    for (path, hash) in &before {
        match after.get(path) {
            None => tree.removed.push(path.clone()),
            Some(other) if other != hash => tree.changed.push(path.clone()),
            Some(_) => {}
        }
    }
    tree.added = after.into_keys().filter(|path| !before.contains_key(path)).collect();
    tree.moved_on = !(tree.changed.is_empty() && tree.added.is_empty() && tree.removed.is_empty());
    tree
}

#[cfg(test)]
mod tests {
    use ripple_schema::{FileStatus, Language};

    use super::*;

    fn file(path: &str, hash: u64) -> IndexedFile {
        IndexedFile {
            path: path.into(),
            language: Language::Go,
            hash,
            bytes: 1,
            lines: 1,
            status: FileStatus::Indexed,
        }
    }

    #[test]
    fn what_changed_was_added_and_was_removed() {
        let tree = compare(
            &[file("a", 1), file("b", 2), file("d", 4)],
            &[file("a", 9), file("c", 3), file("d", 4)],
        );
        assert_eq!(
            (tree.changed, tree.added, tree.removed),
            (vec!["a".into()], vec!["c".into()], vec!["b".into()])
        );
        assert!(tree.moved_on);
        assert_eq!(compare(&[file("a", 1)], &[file("a", 1)]), WorkTree::default());
    }
}
