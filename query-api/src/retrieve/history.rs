//! Files that change together, from the history that git keeps.
//!
//! Of 10 commits that changed `decode.go`, 8 changed `decode_test.go` too: the pair has support 8 and, from the first's side, confidence
//! 0.8. Commits that touch many files (a new licence header, a move) say nothing and are left out; so are pairs seen once.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};

use ripple_graphdb::Together;
use ripple_schema::{Edge, EdgeKind, FileId, Graph, How, IndexedFile, NodeId, NodeKind, Rule, Site};

/// Commits that are looked at, the newest first.
const COMMITS: &str = "5000";
/// Files of a commit that still say something together.
const FILES: usize = 20;
/// Commits that a pair needs.
const SUPPORT: u32 = 2;
/// Partners of a file that are kept.
const PARTNERS: usize = 20;

/// The pairs of a root's files. Empty where there is no git, or no history.
pub fn together(root: &Path, prefix: &str, files: &[IndexedFile]) -> Vec<Together> {
    let log = Command::new("git")
        .arg("-C")
        .arg(root)
        .args([
            "-c",
            "core.quotepath=off",
            "-c",
            "core.fsmonitor=false",
            "log",
            "--no-merges",
            "-n",
            COMMITS,
        ])
        .args(["--relative", "--name-only", "--format=%x00", "--", "."])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    match log {
        Ok(log) if log.status.success() => pairs(&String::from_utf8_lossy(&log.stdout), prefix, files),
        _ => Vec::new(),
    }
}

/// Puts the pairs into the graph, as edges between files.
pub fn link(graph: &mut Graph, together: &[Together]) {
    if together.is_empty() {
        return;
    }
    let nodes: HashMap<&str, NodeId> = graph
        .nodes
        .iter()
        .filter(|node| node.label == NodeKind::File)
        .map(|node| (node.name.as_str(), node.id))
        .collect();
    let node = |file: u32| {
        graph
            .files
            .get(file as usize)
            .and_then(|file| nodes.get(file.path.as_str()))
            .copied()
    };
    let edges: Vec<Edge> = together
        .iter()
        .filter_map(|pair| {
            Some(Edge {
                kind: EdgeKind::CoChanged,
                from: node(pair.file)?,
                to: node(pair.other)?,
                site: Site {
                    file: FileId(pair.file),
                    line: pair.both,
                    column: pair.commits,
                },
                rule: Rule::History,
                how: How::None,
            })
        })
        .collect();
    graph.edges.extend(edges);
    graph.edges.sort_unstable();
}

fn pairs(log: &str, prefix: &str, files: &[IndexedFile]) -> Vec<Together> {
    let places: HashMap<&str, u32> = files.iter().map(|file| file.path.as_str()).zip(0..).collect();
    let mut commits: HashMap<u32, u32> = HashMap::new();
    let mut both: HashMap<(u32, u32), u32> = HashMap::new();
    for commit in log.split('\0') {
        let mut changed: Vec<u32> = commit
            .lines()
            .filter(|line| !line.is_empty())
            .filter_map(|line| match prefix {
                "" => places.get(line),
                prefix => places.get(format!("{prefix}/{line}").as_str()),
            })
            .copied()
            .collect();
        changed.sort_unstable();
        changed.dedup();
        if changed.len() > FILES {
            continue;
        }
        for &file in &changed {
            *commits.entry(file).or_default() += 1;
            for &other in changed.iter().filter(|&&other| other != file) {
                *both.entry((file, other)).or_default() += 1;
            }
        }
    }
    let mut pairs: Vec<Together> = both
        .into_iter()
        .filter(|(_, both)| *both >= SUPPORT)
        .map(|((file, other), both)| Together {
            file,
            other,
            both,
            commits: commits.get(&file).copied().unwrap_or(both),
        })
        .collect();
    pairs.sort_by_key(|pair| (pair.file, std::cmp::Reverse(pair.both), pair.other));
    let mut kept: HashMap<u32, usize> = HashMap::new();
    pairs.retain(|pair| {
        let count = kept.entry(pair.file).or_default();
        *count += 1;
        *count <= PARTNERS
    });
    pairs
}

#[cfg(test)]
mod tests {
    use ripple_schema::{FileStatus, Language};

    use super::*;

    #[test]
    fn pairs_have_support_and_confidence() {
        let file = |path: &str| IndexedFile {
            path: path.into(),
            language: Language::Any,
            hash: 0,
            bytes: 0,
            lines: 0,
            status: FileStatus::Indexed,
        };
        let files = [file("a/x.go"), file("a/y.go"), file("a/z.go")];
        let log = "\0\nx.go\ny.go\n\0\nx.go\ny.go\nREADME\n\0\nx.go\n\0\nx.go\nz.go\n";
        let found: Vec<_> = pairs(log, "a", &files)
            .into_iter()
            .map(|pair| (pair.file, pair.other, pair.both, pair.commits))
            .collect();
        assert_eq!(found, [(0, 1, 2, 4), (1, 0, 2, 2)]);
        assert!(pairs(log, "", &files).is_empty() && pairs("", "a", &files).is_empty());
    }
}
