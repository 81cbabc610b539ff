//! [`Filter`]: which nodes and chunks may be found, and [`Allowed`]: the same as bits, one a row and one a chunk.
//!
//! `Filter { kinds: ["method"], paths: ["django/db/**"], tests: Some(false), .. }` lets methods below that folder pass that are not
//! test code. Lists are alternatives; fields narrow each other.

use globset::{Glob, GlobSet, GlobSetBuilder};
use ripple_schema::{Language, NodeKind};

use super::SearchIndex;
use crate::Error;
use crate::nodes::NONE;

/// What may be found. Empty lists let everything pass.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Labels or kinds: `Function`, `method`, `key`; `document` for documentation.
    pub kinds: Vec<String>,
    /// Languages.
    pub languages: Vec<String>,
    /// Packages, with all below them.
    pub packages: Vec<String>,
    /// Beginnings of paths, or globs.
    pub paths: Vec<String>,
    /// Tags.
    pub tags: Vec<String>,
    /// Test code alone, or none of it.
    pub tests: Option<bool>,
}

/// One bit a row, one bit a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed {
    rows: Vec<u64>,
    chunks: Vec<u64>,
    count: usize,
}

impl Allowed {
    pub(crate) fn of(filter: &Filter, index: &SearchIndex) -> Result<Option<Self>, Error> {
        if *filter == Filter::default() {
            return Ok(None);
        }
        let nodes = &index.nodes;
        let columns = &nodes.columns;
        let lower = |list: &[String]| -> Vec<String> { list.iter().map(|item| item.to_lowercase()).collect() };
        let kinds = lower(&filter.kinds);
        let named = |name: &str| kinds.contains(&name.to_lowercase());
        let labels: Vec<bool> = NodeKind::ALL.iter().map(|label| named(label.name())).collect();
        let kind_ok: Vec<bool> = columns.kind_names.iter().map(|kind| named(kind)).collect();
        let languages = lower(&filter.languages);
        let language_ok: Vec<bool> = Language::ALL
            .iter()
            .map(|language| languages.is_empty() || languages.iter().any(|name| name == language.name()))
            .collect();
        let tag_ok: Vec<bool> = columns
            .tag_sets
            .iter()
            .map(|set| filter.tags.is_empty() || set.split_whitespace().any(|tag| filter.tags.iter().any(|t| t == tag)))
            .collect();
        let globs = globs(&filter.paths)?;
        let file_ok: Vec<bool> = (0..)
            .zip(nodes.paths())
            .map(|(file, path)| {
                let package = columns.package_of.get(file as usize);
                let package = package.and_then(|&package| columns.packages.get(package as usize));
                path_ok(path, &filter.paths, &globs) && package_ok(package.map_or("", String::as_str), &filter.packages)
            })
            .collect();
        let at = |flags: &[bool], index: usize| flags.get(index).copied().unwrap_or(false);
        let pathless = filter.paths.is_empty() && filter.packages.is_empty();
        let mut rows = vec![0; nodes.len().div_ceil(64)];
        let mut count = 0;
        for row in 0..nodes.len() {
            let file = columns.files[row];
            let label = NodeKind::ALL.iter().position(|kind| *kind as u8 == columns.labels[row]);
            let language = Language::ALL
                .iter()
                .position(|known| *known as u8 == columns.languages[row]);
            let passes = (kinds.is_empty()
                || label.is_some_and(|label| at(&labels, label))
                || at(&kind_ok, columns.kinds[row] as usize))
                && language.is_some_and(|language| at(&language_ok, language))
                && at(&tag_ok, columns.tags[row] as usize)
                && (if file == NONE {
                    pathless
                } else {
                    at(&file_ok, file as usize)
                })
                && filter.tests.is_none_or(|tests| columns.tests[row] == tests);
            if passes {
                rows[row / 64] |= 1 << (row % 64);
                count += 1;
            }
        }
        let first_document = index.first_document();
        let file_tests = index.file_tests();
        let mut chunks = vec![0; index.chunks().len().div_ceil(64)];
        for (number, chunk) in index.chunks().iter().enumerate() {
            let is_document = chunk.file >= first_document;
            let passes = if chunk.row != NONE {
                let row = chunk.row as usize;
                rows.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 == 1)
            } else {
                (kinds.is_empty() || is_document && (named("document") || named("doc")))
                    && (languages.is_empty() || !is_document && at(&language_ok, index.file_language(chunk.file)))
                    && filter.tags.is_empty()
                    && at(&file_ok, chunk.file as usize)
                    && filter
                        .tests
                        .is_none_or(|tests| at(&file_tests, chunk.file as usize) == tests)
            };
            if passes {
                chunks[number / 64] |= 1 << (number % 64);
            }
        }
        Ok(Some(Self { rows, chunks, count }))
    }

    /// Whether a row passes.
    pub fn row(&self, row: u32) -> bool {
        let word = self.rows.get(row as usize / 64).copied().unwrap_or(0);
        word >> (row % 64) & 1 == 1
    }

    /// How many rows pass.
    pub fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn rows(&self) -> &[u64] {
        &self.rows
    }

    pub(crate) fn chunks(&self) -> &[u64] {
        &self.chunks
    }
}

impl SearchIndex {
    /// Index of the first file that is a document.
    pub fn first_document(&self) -> u32 {
        let columns = &self.nodes.columns;
        let source = columns.file_languages.len();
        source as u32
    }

    /// Which files are test code: those whose nodes are.
    fn file_tests(&self) -> Vec<bool> {
        let columns = &self.nodes.columns;
        let mut tests = vec![false; columns.paths.len()];
        for (&file, &test) in columns.files.iter().zip(&columns.tests) {
            if let Some(flag) = tests.get_mut(file as usize) {
                *flag |= test;
            }
        }
        tests
    }

    /// Place of a source file's language among all.
    fn file_language(&self, file: u32) -> usize {
        let language = self.nodes.columns.file_languages.get(file as usize);
        let place = language.and_then(|&language| Language::ALL.iter().position(|known| *known as u8 == language));
        place.unwrap_or(usize::MAX)
    }
}

fn globs(paths: &[String]) -> Result<GlobSet, Error> {
    let mut set = GlobSetBuilder::new();
    for path in paths.iter().filter(|path| path.contains(['*', '?', '[', '{'])) {
        let wrong = |error: globset::Error| Error::Filter {
            text: path.clone(),
            message: error.to_string(),
        };
        set.add(Glob::new(path).map_err(wrong)?);
    }
    set.build().map_err(|error| Error::Filter {
        text: paths.join(" "),
        message: error.to_string(),
    })
}

fn path_ok(path: &str, wanted: &[String], globs: &GlobSet) -> bool {
    wanted.is_empty()
        || globs.is_match(path)
        || wanted.iter().any(|prefix| {
            let rest = path.strip_prefix(prefix.trim_end_matches('/'));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || prefix.ends_with('/'))
        })
}

fn package_ok(package: &str, wanted: &[String]) -> bool {
    wanted.is_empty()
        || wanted.iter().any(|name| {
            let rest = package.strip_prefix(name.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/']))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_pass_by_prefix_or_glob() -> Result<(), Error> {
        let check = |path: &str, wanted: &[&str]| -> Result<bool, Error> {
            let wanted: Vec<String> = wanted.iter().map(|text| (*text).to_owned()).collect();
            Ok(path_ok(path, &wanted, &globs(&wanted)?))
        };
        assert!(check("a/b.py", &[])?);
        assert!(check("a/b.py", &["a"])? && check("a/b.py", &["a/"])? && check("a/b.py", &["a/b.py"])?);
        assert!(!check("ab/c.py", &["a"])? && !check("a/b.py", &["b"])?);
        assert!(check("a/b/c.py", &["a/**/*.py"])? && check("a/b.go", &["x", "*.go"])?);
        assert!(matches!(globs(&["a[".to_owned()]), Err(Error::Filter { .. })));
        assert!(package_ok("django.db", &["django".to_owned()]) && !package_ok("djangox", &["django".to_owned()]));
        Ok(())
    }
}
