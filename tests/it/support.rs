//! What the tests share: where things are, and how source becomes a graph.

use std::path::{Path, PathBuf};

use ripple_extractor::{Extraction, Options, Root, extract};
use ripple_schema::{Graph, NodeId, NodeKind};
use rustc_hash::FxHashMap;

/// The folder of the tests crate.
pub fn tests_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Where `setup/fetch.py` puts what it brings: told, or beside the builds (this binary stands in `<target>/<profile>/deps`).
pub fn test_data() -> PathBuf {
    let beside = || {
        let binary = std::env::current_exe().expect("a test has a binary");
        binary
            .ancestors()
            .nth(3)
            .expect("the binary stands in the target folder")
            .join("test-data")
    };
    std::env::var_os("RIPPLE_TEST_DATA").map_or_else(beside, PathBuf::from)
}

/// Indexes a folder, with nothing kept on disk.
pub fn extract_folder(folder: &Path) -> Extraction {
    let root = Root {
        path: folder.to_owned(),
        prefix: String::new(),
    };
    extract(&[root], &Options::default(), &|_| {}).expect("the folder can be read")
}

/// Fails if an edge joins labels that its kind does not join: the store would leave it out.
pub fn edges_fit_the_schema(graph: &Graph) {
    let labels: FxHashMap<NodeId, NodeKind> = graph.nodes.iter().map(|node| (node.id, node.label)).collect();
    let fits = |edge: &&ripple_schema::Edge| match (labels.get(&edge.from), labels.get(&edge.to)) {
        (Some(from), Some(to)) => edge.kind.endpoints().contains(&(*from, *to)),
        _ => false,
    };
    let tell = |edge: &ripple_schema::Edge| {
        let end = |id| {
            graph.node(id).map_or("no node".to_owned(), |node| {
                format!("{} {}", node.label, node.qualified_name)
            })
        };
        let (site, path) = (edge.site, graph.path(edge.site.file));
        format!(
            "{path}:{}: {} from {} to {} ({})",
            site.line,
            edge.kind,
            end(edge.from),
            end(edge.to),
            edge.rule
        )
    };
    let wrong: Vec<String> = graph.edges.iter().filter(|edge| !fits(edge)).map(tell).collect();
    assert!(
        wrong.is_empty(),
        "{} edges do not fit the schema:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Writes files below a fresh folder.
pub fn folder_of<'f>(files: impl IntoIterator<Item = (&'f str, &'f str)>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder can be made");
        std::fs::write(path, text).expect("the file can be written");
    }
    folder
}
