//! Communities of small graphs that are built like any other.

use std::fs;
use std::sync::Arc;

use ripple_schema::{
    Edge, EdgeKind, FileId, FileStatus, Graph, How, IndexedFile, Language, Node, NodeId, NodeKind, Rule, Site,
};

use crate::{Build, Communities, Error, Reader, Writer, open};

/// A graph of functions, each in the file that its name begins with, that call each other.
struct Sketch {
    graph: Graph,
}

impl Sketch {
    fn new(files: &[&str]) -> Self {
        let mut sketch = Self {
            graph: Graph::default(),
        };
        for (number, path) in (0u32..).zip(files) {
            sketch.graph.files.push(IndexedFile {
                path: format!("{path}.py"),
                language: Language::Python,
                hash: 1,
                bytes: 1,
                lines: 1,
                status: FileStatus::Indexed,
            });
            let package = sketch.node(NodeKind::Package, "module", path, number, false);
            let file = sketch.node(NodeKind::File, "source", &format!("{path}.py"), number, false);
            sketch.edge(EdgeKind::Contains, package, file);
        }
        sketch
    }

    fn node(&mut self, label: NodeKind, kind: &'static str, name: &str, file: u32, test: bool) -> NodeId {
        let id = NodeId::of(Language::Python, label, name, 0);
        self.graph.nodes.push(Node {
            id,
            label,
            name: name.into(),
            qualified_name: name.into(),
            kind,
            language: Language::Python,
            site: Some(Site {
                file: FileId(file),
                line: 1,
                column: 1,
            }),
            end_line: 1,
            signature: String::new(),
            doc: String::new(),
            type_text: String::new(),
            exported: true,
            test,
            whole: false,
            tags: String::new(),
        });
        id
    }

    /// `count` functions of one file, every one calling every other.
    fn crowd(&mut self, file: u32, name: &str, count: usize, test: bool) -> Vec<NodeId> {
        let source = self.graph.files[file as usize].path.clone();
        let holder = NodeId::of(Language::Python, NodeKind::File, &source, 0);
        let crowd: Vec<NodeId> = (0..count)
            .map(|number| {
                self.node(
                    NodeKind::Function,
                    "function",
                    &format!("{name}{number:02}"),
                    file,
                    test,
                )
            })
            .collect();
        for &from in &crowd {
            self.edge(EdgeKind::Contains, holder, from);
            for &to in crowd.iter().filter(|to| **to != from) {
                self.edge(EdgeKind::Calls, from, to);
            }
        }
        crowd
    }

    fn edge(&mut self, kind: EdgeKind, from: NodeId, to: NodeId) {
        self.graph.edges.push(Edge {
            kind,
            from,
            to,
            site: Site {
                file: FileId(0),
                line: 1,
                column: 1,
            },
            rule: Rule::Scope,
            how: How::Assign,
        });
    }

    /// Built, and opened.
    fn open(mut self) -> Result<(Reader, tempfile::TempDir), Error> {
        self.graph.normalize();
        let folder = tempfile::tempdir().map_err(Error::io(&std::env::temp_dir()))?;
        let sources: Vec<Arc<[u8]>> = self.graph.files.iter().map(|_| Arc::from(&b"\n"[..])).collect();
        let build = Build {
            graph: &self.graph,
            sources: &sources,
            mentions: &[],
            roots: Vec::new(),
            memory_bytes: 128 << 20,
            most_memory_bytes: 1 << 30,
            threads: 1,
            search: None,
        };
        Writer::acquire(folder.path())?.build(&build, &|_| ())?;
        Ok((open(folder.path())?, folder))
    }

    fn communities(self) -> Arc<Communities> {
        let (reader, _folder) = self.open().expect("it is built");
        reader.communities().expect("they can be read")
    }
}

#[test]
fn who_calls_each_other_is_together() {
    let mut sketch = Sketch::new(&["billing", "mail"]);
    let billing = sketch.crowd(0, "bill", 6, false);
    let mail = sketch.crowd(1, "send", 5, false);
    sketch.edge(EdgeKind::Calls, billing[2], mail[3]);
    sketch.edge(EdgeKind::Calls, billing[4], mail[3]);
    let found = sketch.communities();
    let [first, second] = &found.all[..] else {
        panic!("{found:#?}");
    };
    assert_eq!((first.functions, first.types, first.files, first.level), (6, 0, 1, 0));
    assert_eq!(first.packages, [("billing".to_owned(), 6)]);
    assert_eq!(first.links, [(1, 2)]);
    assert_eq!(first.top.len(), 6);
    assert_eq!((second.functions, &second.links[..]), (5, &[][..]));
    assert_eq!(found.members, 11);
}

#[test]
fn what_is_in_the_middle_comes_first() {
    let mut sketch = Sketch::new(&["a"]);
    let middle = sketch.node(NodeKind::Type, "class", "Middle", 0, false);
    for name in ["f", "g", "h"] {
        let function = sketch.node(NodeKind::Function, "function", name, 0, false);
        sketch.edge(EdgeKind::Calls, function, middle);
    }
    let found = sketch.communities();
    assert_eq!(found.all[0].top[0], middle.0, "{found:#?}");
    assert_eq!((found.all[0].functions, found.all[0].types), (3, 1));
}

#[test]
fn tests_and_initializers_are_no_members() {
    let mut sketch = Sketch::new(&["a", "test_a"]);
    let crowd = sketch.crowd(0, "f", 4, false);
    let tests = sketch.crowd(1, "test", 9, true);
    let initializer = sketch.node(NodeKind::Function, "initializer", "a.<module>", 0, false);
    for &function in &crowd {
        sketch.edge(EdgeKind::Calls, initializer, function);
        tests
            .iter()
            .for_each(|&test| sketch.edge(EdgeKind::Calls, test, function));
    }
    let found = sketch.communities();
    assert_eq!((found.all.len(), found.members), (1, 4), "{found:#?}");
    assert!(!found.all[0].top.contains(&initializer.0));
    // Where there is nothing else, tests are told.
    let mut sketch = Sketch::new(&["test_a"]);
    sketch.crowd(0, "test", 9, true);
    assert_eq!(sketch.communities().members, 9);
}

#[test]
fn a_large_one_has_parts() {
    let mut sketch = Sketch::new(&["a", "b", "c", "other"]);
    let crowds: Vec<Vec<NodeId>> = (0..3)
        .map(|file| sketch.crowd(file, &format!("f{file}_"), 12, false))
        .collect();
    // Held together closely enough to be one in the eyes of the rest.
    for at in 0..12 {
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            for other in 0..4 {
                sketch.edge(EdgeKind::Calls, crowds[from][at], crowds[to][(at + other) % 12]);
            }
        }
    }
    sketch.crowd(3, "g", 30, false);
    let found = sketch.communities();
    for (place, community) in found.all.iter().enumerate() {
        let size = community.functions + community.types;
        match community.parent {
            None => assert_eq!(community.level, 0),
            Some(parent) => {
                let whole = &found.all[parent as usize];
                assert!(
                    (parent as usize) < place && whole.level + 1 == community.level,
                    "{found:#?}"
                );
                assert!(size < whole.functions + whole.types, "{found:#?}");
            }
        }
    }
    let children: u32 = found
        .all
        .iter()
        .filter(|c| c.parent.is_some())
        .map(|c| c.functions)
        .sum();
    assert_eq!(children, 36, "three parts of twelve: {found:#?}");
}

#[test]
fn the_same_graph_gives_the_same_communities() {
    let sketch = || {
        let mut sketch = Sketch::new(&["a", "b", "c"]);
        let crowds: Vec<Vec<NodeId>> = (0..3)
            .map(|file| sketch.crowd(file, &format!("f{file}_"), 9, false))
            .collect();
        for at in 0..9 {
            sketch.edge(EdgeKind::Calls, crowds[0][at], crowds[1][(at * 5) % 9]);
            sketch.edge(EdgeKind::Calls, crowds[1][at], crowds[2][(at * 2) % 9]);
        }
        sketch
    };
    let first = sketch().communities();
    assert!(!first.all.is_empty());
    assert_eq!(first, sketch().communities());
}

#[test]
fn nothing_has_no_communities() {
    assert_eq!(*Sketch::new(&[]).communities(), Communities::default());
    let mut two = Sketch::new(&["a"]);
    two.crowd(0, "f", 2, false);
    let found = two.communities();
    assert_eq!((found.all.len(), found.members), (0, 2), "two are no community");
}

#[test]
fn a_damaged_file_is_an_error_and_no_panic() {
    let mut sketch = Sketch::new(&["a"]);
    sketch.crowd(0, "f", 5, false);
    let (reader, folder) = sketch.open().expect("it is built");
    let generation = folder.path().join("generations").join(&reader.manifest().generation);
    let path = generation.join("communities.json");
    let whole = fs::read_to_string(&path).expect("it was written");
    for text in [
        String::new(),
        "{}".into(),
        whole[..whole.len() / 2].to_owned(),
        whole.replace("\"parent\":null", "\"parent\":7"),
        whole.replace("\"links\":[]", "\"links\":[[9,1]]"),
    ] {
        fs::write(&path, &text).expect("it is ours");
        let read = open(folder.path()).expect("the rest is whole").communities();
        assert!(matches!(read, Err(Error::Damaged { .. })), "{text}: {read:?}");
    }
}
